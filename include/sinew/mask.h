// SPDX-License-Identifier: MIT
/// Masks: a factor for each node of a skeleton (skeleton.h), such as of the nodes that a mixer's layer affects
/// (sinew_layer_set_mask in mixer.h). A new mask affects no curve; sinew_mask_set_curve adds one.
///
/// Factors are 0, not affected, to 1, fully affected; other values are clamped, and a NaN counts as 0. Any number of
/// threads may read a mask at a time, but none may change it meanwhile: a mixer reads its masks in each frame. After
/// changing a mask that is set in a mixer, call sinew_layer_set_mask again. An `allocator` of NULL is the C library's
/// heap; it is copied.
#ifndef SINEW_MASK_H
#define SINEW_MASK_H

#include "pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The factors of a mask, read-only; the functions below change them. Both arrays are 64-byte aligned and padded
/// with zeros to a multiple of SINEW_LANES. `nodes` can be passed to sinew_pose_blend and sinew_pose_add.
typedef struct sinew_mask {
    const sinew_skeleton *skeleton; ///< the skeleton whose nodes have factors
    const float *nodes;             ///< [skeleton->node_count], padded: the factor of each node
    /// [skeleton->weight_count + skeleton->curve_count], padded: for each morph weight the factor of its node, then the
    /// factors of the curves
    const float *weights;
} sinew_mask;

/// Factors for a node and its descendants, or for a curve. The upper body, with factors that grow up the spine; the
/// fingers without the hand:
///
///     const sinew_mask_part upper_body[] = {{.name = "Spine", .factor = 1, .feather = 2}};
///     const sinew_mask_part fingers[] = {{.name = "Hand_R", .factor = 0.5f},
///                                        {.name = "Hand_R", .factor = 0, .alone = true}};
///     sinew_mask_from_names(skeleton, 0, upper_body, 1, NULL, &mask, &error); // 0: all other nodes
typedef struct sinew_mask_part {
    const char *name; ///< name of a node, not ""; if several have it, of the first one; or of a curve
    float factor;     ///< as for sinew_mask_set
    int32_t feather;  ///< as for sinew_mask_set_subtree; ignored if `alone` is set
    bool alone;       ///< true: sinew_mask_set, this node without its descendants; false: sinew_mask_set_subtree
    bool curve;       ///< true: sinew_mask_set_curve; `feather` and `alone` are ignored
} sinew_mask_part;

/// Creates a mask in which every node has the factor `others` and every curve the factor 0; free it with
/// sinew_mask_destroy. The skeleton must outlive it. `allocator` may be NULL. The only failure is
/// SINEW_ERROR_OUT_OF_MEMORY; `*mask` is NULL then. Any thread.
SINEW_API sinew_result sinew_mask_create(const sinew_skeleton *skeleton, float others,
                                         const sinew_allocator *allocator, sinew_mask **mask);

/// Creates a mask as sinew_mask_create does, then applies the parts in order; a later part overwrites an earlier one.
/// Nodes of no part have the factor `others`. For everything except an arm, use 1 for the others, and the arm as a part
/// of factor 0. `parts` may be NULL if `part_count` is 0; `allocator` and `error` may be NULL. SINEW_ERROR_ARGUMENT,
/// with the part and its name in `error`, if no node or curve has that name or `feather` is negative;
/// SINEW_ERROR_OUT_OF_MEMORY. On failure `*mask` is NULL. Any thread.
SINEW_API sinew_result sinew_mask_from_names(const sinew_skeleton *skeleton, float others,
                                             const sinew_mask_part *parts, int32_t part_count,
                                             const sinew_allocator *allocator, sinew_mask **mask,
                                             sinew_error *error);

/// Frees a mask. NULL is allowed. No mixer may still use it. Any thread.
SINEW_API void sinew_mask_destroy(sinew_mask *mask);

/// Sets the factor of one node and its morph weights; 0 <= node < node_count (asserted).
SINEW_API void sinew_mask_set(sinew_mask *mask, int32_t node, float factor);

/// Sets the factor of a node and its descendants, and their morph weights; 0 <= node < node_count, feather >= 0
/// (asserted). With a feather of 0 all get `factor`. With a feather of n, the factor changes over n + 1 levels of the
/// hierarchy in even steps, from the current factor of the node's parent (0 for a root) to `factor`. With n = 2 below
/// a parent of factor 0, the node gets one third of `factor`, its children two thirds, and deeper nodes all of it.
SINEW_API void sinew_mask_set_subtree(sinew_mask *mask, int32_t node, float factor, int32_t feather);

/// Sets the factor of one curve. In a new mask it is 0, whatever the nodes have: a layer of the upper body leaves the
/// curves of the feet to the layers below. 0 <= curve < curve_count of the skeleton (asserted).
SINEW_API void sinew_mask_set_curve(sinew_mask *mask, int32_t curve, float factor);

#ifdef __cplusplus
}
#endif
#endif
