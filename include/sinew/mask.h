// SPDX-License-Identifier: MIT
/// Masks limit a mixer layer to part of the body. A mask has a factor for each node (see sinew_layer_set_mask in
/// mixer.h).
///
///     const sinew_mask_part upper_body[] = {{.name = "Spine", .factor = 1, .feather = 2}};
///     sinew_mask_from_names(skeleton, 0, upper_body, 1, NULL, &mask, &error); // 0: all other nodes
///     sinew_layer_set_mask(mixer, 1, mask);
///
/// Factors range from 0 (unaffected) to 1 (fully affected). Other values are clamped, and NaN is treated as 0. New
/// masks don't affect curves. Use sinew_mask_from_names to add them.
///
/// Threads can share a mask as long as none of them changes it, because mixers read their masks every frame. If you
/// change a mask that a mixer uses, call sinew_layer_set_mask again. Allocators are copied. If you pass a NULL
/// `allocator`, the C library's heap is used.
#ifndef SINEW_MASK_H
#define SINEW_MASK_H

#include "pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A mask's factors. Only change them with the functions below. Both arrays are 64-byte aligned and padded with
/// zeros to a multiple of SINEW_LANES. You can pass `nodes` to sinew_pose_blend and sinew_pose_add.
typedef struct sinew_mask {
    const sinew_skeleton *skeleton; ///< the skeleton that this mask belongs to
    const float *nodes;             ///< [skeleton->node_count], padded; each node's factor
    /// [skeleton->weight_count + skeleton->curve_count], padded. Factors for all morph weights, copied from their
    /// nodes, followed by factors for all curves.
    const float *weights;
} sinew_mask;

/// A factor for a node and its descendants, or for a curve. This selects the fingers but not the hand:
///
///     const sinew_mask_part fingers[] = {{.name = "Hand_R", .factor = 0.5f},
///                                        {.name = "Hand_R", .factor = 0, .alone = true}};
typedef struct sinew_mask_part {
    const char *name; ///< name of a node or curve, not ""; the first node with this name is used
    float factor;     ///< 0 to 1
    int32_t feather;  ///< see sinew_mask_set_subtree; ignored if `alone` is set
    bool alone;       ///< only this node, without its descendants
    bool curve;       ///< `name` is a curve, and `feather` and `alone` are ignored
} sinew_mask_part;

/// Creates a mask. All nodes get a factor of `others`, and all curves get 0, so
/// an upper-body layer doesn't affect the foot curves. To set a curve's factor, use sinew_mask_from_names. Free it with
/// sinew_mask_destroy. The
/// skeleton must outlive it. `allocator` may be NULL. The only possible error is SINEW_ERROR_OUT_OF_MEMORY, and
/// `*mask` is then NULL. Any thread.
SINEW_API sinew_result sinew_mask_create(const sinew_skeleton *skeleton, float others,
                                         const sinew_allocator *allocator, sinew_mask **mask);

/// Creates a mask from names. Parts apply in order, so later ones override earlier ones. All other nodes get a
/// factor of `others`. For example, to affect everything except an arm, set `others` to 1 and add a part for the
/// arm with a factor of 0. Free the mask with sinew_mask_destroy. The skeleton must outlive it.
///
/// `parts` may be NULL if `part_count` is 0. `allocator` and `error` may be NULL. Any thread. On failure, `*mask`
/// is NULL. Errors:
///   - SINEW_ERROR_ARGUMENT: there's no node or curve with that name, or `feather` is negative. The message
///     identifies the part.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_mask_from_names(const sinew_skeleton *skeleton, float others,
                                             const sinew_mask_part *parts, int32_t part_count,
                                             const sinew_allocator *allocator, sinew_mask **mask,
                                             sinew_error *error);

/// Frees a mask. NULL is allowed. Make sure no mixer is still using it. Any thread.
SINEW_API void sinew_mask_destroy(sinew_mask *mask);

/// Sets the factor of a node and its morph weights. `node` must be in range (asserted).
SINEW_API void sinew_mask_set(sinew_mask *mask, int32_t node, float factor);

/// Sets the factor of a node and its descendants, including their morph weights. `node` must be in range, and
/// `feather` must be at least 0 (both asserted).
///
/// `feather` softens the edge: the factor changes in even steps over feather + 1 levels, from the parent's current
/// factor (0 for a root) to `factor`. For example, if `feather` is 2 and the parent's factor is 0, the node gets a
/// third of `factor`. Its children get two thirds, and deeper nodes get all of it. If `feather` is 0, all nodes get
/// `factor`.
SINEW_API void sinew_mask_set_subtree(sinew_mask *mask, int32_t node, float factor, int32_t feather);

#ifdef __cplusplus
}
#endif
#endif
