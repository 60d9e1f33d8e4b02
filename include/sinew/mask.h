/// A mask: how much of each node something covers, such as a layer of a mixer that moves the upper body only.
///
/// Factors are from 0, not covered, to 1, covered wholly; what is set beyond is brought to the nearer of the two, and a
/// NaN to 0. A mask may be read from any thread, but must not be changed meanwhile: a mixer that has it reads it in
/// each frame.
#ifndef SINEW_MASK_H
#define SINEW_MASK_H

#include "pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Factors, to be read; the functions below change them. Both arrays are 64-byte aligned and padded with zeros to a
/// multiple of SINEW_LANES. `nodes` is also a mask for sinew_pose_blend and sinew_pose_add.
typedef struct sinew_mask {
    const sinew_skeleton *skeleton; ///< whose nodes these are
    const float *nodes;             ///< [skeleton->node_count], padded
    const float *weights;           ///< [skeleton->weight_count], padded: for each morph weight its node's factor
} sinew_mask;

/// What a mask says of a node and of all below it. The upper body, growing up the spine; the fingers without the hand:
///
///     const sinew_mask_part upper_body[] = {{.name = "Spine", .factor = 1, .feather = 2}};
///     const sinew_mask_part fingers[] = {{.name = "Hand_R", .factor = 0.5f},
///                                        {.name = "Hand_R", .factor = 0, .alone = true}};
typedef struct sinew_mask_part {
    const char *name; ///< of a node; where several have it, of the first one
    float factor;     ///< as for sinew_mask_set
    int32_t feather;  ///< as for sinew_mask_set_subtree; not looked at where `alone` is set
    bool alone;       ///< this node and not those below it
} sinew_mask_part;

/// Makes a mask in which every node has that factor, to be freed with sinew_mask_destroy; the skeleton must outlive
/// it. `allocator` may be NULL. SINEW_ERROR_OUT_OF_MEMORY, and `*mask` is NULL then. Any thread.
SINEW_API sinew_result sinew_mask_create(const sinew_skeleton *skeleton, float factor,
                                         const sinew_allocator *allocator, sinew_mask **mask);

/// As sinew_mask_create, and then sets the parts one after the other: a later one has the last word where it meets an
/// earlier one. Everything but an arm is a factor of 1, and the arm as a part of factor 0. `parts` may be NULL where
/// `part_count` is 0; `allocator` and `error` may be NULL. SINEW_ERROR_ARGUMENT, with the part and its name in
/// `error`, where no node has that name or `feather` is negative; SINEW_ERROR_OUT_OF_MEMORY. Then `*mask` is NULL. Any
/// thread.
SINEW_API sinew_result sinew_mask_from_names(const sinew_skeleton *skeleton, float factor,
                                             const sinew_mask_part *parts, int32_t part_count,
                                             const sinew_allocator *allocator, sinew_mask **mask,
                                             sinew_error *error);

/// Frees a mask. NULL is allowed. No mixer may still read it. Any thread.
SINEW_API void sinew_mask_destroy(sinew_mask *mask);

/// Sets the factor of one node; 0 <= node < node_count (asserted).
SINEW_API void sinew_mask_set(sinew_mask *mask, int32_t node, float factor);

/// Sets a node and all below it; 0 <= node < node_count, feather >= 0 (asserted). With a feather of n the factors go in
/// n + 1 even steps, one for each level of the hierarchy, from that of the node's parent (0 where it has none) to
/// `factor`: with n = 2 and nothing above, the node has a third of it, its children two thirds, and what is further
/// down all of it.
SINEW_API void sinew_mask_set_subtree(sinew_mask *mask, int32_t node, float factor, int32_t feather);

#ifdef __cplusplus
}
#endif
#endif
