// SPDX-License-Identifier: MIT
/// Masks: a factor per node, to limit a mixer's layer to part of the body (sinew_layer_set_mask in mixer.h).
///
///     const sinew_mask_part upper_body[] = {{.name = "Spine", .factor = 1, .feather = 2}};
///     sinew_mask_from_names(skeleton, 0, upper_body, 1, NULL, &mask, &error); // 0: all other nodes
///     sinew_layer_set_mask(mixer, 1, mask);
///
/// Factors are 0 (unaffected) to 1 (fully affected). Other values are clamped; NaN counts as 0. A new mask affects
/// no curves: add them with sinew_mask_set_curve.
///
/// Threads may share a mask, but not while one changes it: mixers read their masks every frame. After changing a
/// mixer's mask, call sinew_layer_set_mask again. A NULL `allocator` is the C library's heap; it's copied.
#ifndef SINEW_MASK_H
#define SINEW_MASK_H

#include "pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A mask's factors. Change them only with the functions below. Both arrays are 64-byte aligned and padded with
/// zeros to a multiple of SINEW_LANES. You can pass `nodes` to sinew_pose_blend and sinew_pose_add.
typedef struct sinew_mask {
    const sinew_skeleton *skeleton; ///< the masked skeleton
    const float *nodes;             ///< [skeleton->node_count], padded; each node's factor
    /// [skeleton->weight_count + skeleton->curve_count], padded: each morph weight has its node's factor; then the
    /// curves' factors.
    const float *weights;
} sinew_mask;

/// A factor for a node and its descendants, or for a curve. The fingers without the hand:
///
///     const sinew_mask_part fingers[] = {{.name = "Hand_R", .factor = 0.5f},
///                                        {.name = "Hand_R", .factor = 0, .alone = true}};
typedef struct sinew_mask_part {
    const char *name; ///< a node's name, not "" (the first node wins), or a curve's
    float factor;     ///< 0 to 1
    int32_t feather;  ///< see sinew_mask_set_subtree; ignored if `alone`
    bool alone;       ///< only this node, without its descendants
    bool curve;       ///< `name` is a curve; `feather` and `alone` are ignored
} sinew_mask_part;

/// Creates a mask with the factor `others` for all nodes and 0 for all curves. Free it with sinew_mask_destroy. The
/// skeleton must outlive it. `allocator` may be NULL. Fails only with SINEW_ERROR_OUT_OF_MEMORY; `*mask` is then
/// NULL. Any thread.
SINEW_API sinew_result sinew_mask_create(const sinew_skeleton *skeleton, float others,
                                         const sinew_allocator *allocator, sinew_mask **mask);

/// Creates a mask from names. Parts apply in order, so later ones override earlier ones. All other nodes get the
/// factor `others`. For everything except an arm, use 1 for `others` and a part with factor 0 for the arm. Free the
/// mask with sinew_mask_destroy. The skeleton must outlive it.
///
/// `parts` may be NULL if `part_count` is 0. `allocator` and `error` may be NULL. Any thread. On failure `*mask` is
/// NULL:
///   - SINEW_ERROR_ARGUMENT: no node or curve with that name, or a negative `feather`. `error` tells which part.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_mask_from_names(const sinew_skeleton *skeleton, float others,
                                             const sinew_mask_part *parts, int32_t part_count,
                                             const sinew_allocator *allocator, sinew_mask **mask,
                                             sinew_error *error);

/// Frees a mask. NULL is allowed. No mixer may still use it. Any thread.
SINEW_API void sinew_mask_destroy(sinew_mask *mask);

/// Sets the factor of a node and its morph weights. `node` must be in range (asserted).
SINEW_API void sinew_mask_set(sinew_mask *mask, int32_t node, float factor);

/// Sets the factor of a node and its descendants, with their morph weights. `node` must be in range, and `feather`
/// at least 0 (asserted).
///
/// `feather` softens the edge: the factor changes in even steps over feather + 1 levels, from the parent's current
/// factor (0 for a root) to `factor`. With 2, below a parent of factor 0, the node gets a third of `factor`. Its
/// children get two thirds, and deeper nodes all of it. With 0, all get `factor`.
SINEW_API void sinew_mask_set_subtree(sinew_mask *mask, int32_t node, float factor, int32_t feather);

/// Sets a curve's factor. It's 0 in a new mask, so an upper-body layer leaves the feet's curves to the layers
/// below. `curve` must be in range (asserted).
SINEW_API void sinew_mask_set_curve(sinew_mask *mask, int32_t curve, float factor);

#ifdef __cplusplus
}
#endif
#endif
