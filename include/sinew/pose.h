// SPDX-License-Identifier: MIT
/// Poses: the local transform of every node, plus morph weights and curves.
///
/// *Local* transforms are relative to the parent. *Model space* is the space of the skeleton's roots (skeleton.h).
/// A *model matrix* maps a node's own space to model space. Translations are metres.
///
/// Only one thread at a time may use a pose. Only sinew_pose_create can fail. Arguments are asserted, and undefined
/// with NDEBUG: NULL, a node out of range, poses of different skeletons, a t or weight that isn't finite.
/// Transforms aren't checked: values that aren't finite give results that aren't finite.
#ifndef SINEW_POSE_H
#define SINEW_POSE_H

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A local pose as a structure of arrays (SoA). Element i of each array is node i. You may write elements, but keep
/// rotations unit and don't change the pointers.
///
/// Arrays are 64-byte aligned and padded with identity transforms to a multiple of SINEW_LANES. Keep the padding as
/// it is. Only poses from sinew_pose_create or a mixer (mixer.h) are valid.
typedef struct sinew_pose {
    const sinew_skeleton *skeleton; ///< the posed skeleton
    float *tx, *ty, *tz;            ///< translations, metres
    float *rx, *ry, *rz, *rw;       ///< rotations, unit quaternions
    float *sx, *sy, *sz;            ///< scales
    /// Morph weights, [skeleton->weight_count], padded with 0. Node i owns weights[weight_offsets[i]] up to, but
    /// not including, weights[weight_offsets[i + 1]], with the skeleton's weight_offsets.
    float *weights;
    float *curves; ///< [skeleton->curve_count], right after the last morph weight in memory
} sinew_pose;

/// Nodes are processed in blocks of this size, whatever the machine's vector width.
#define SINEW_LANES 16

/// Creates a pose, set to the rest pose. Free it with sinew_pose_destroy. The skeleton must outlive it. `allocator`
/// is copied; NULL: the C library's heap. Fails only with SINEW_ERROR_OUT_OF_MEMORY; `*pose` is then NULL. Any
/// thread.
SINEW_API sinew_result sinew_pose_create(const sinew_skeleton *skeleton, const sinew_allocator *allocator,
                                         sinew_pose **pose);

/// Frees a pose from sinew_pose_create. NULL is allowed. Don't pass a mixer's pose: the mixer frees it.
SINEW_API void sinew_pose_destroy(sinew_pose *pose);

/// Resets all nodes, morph weights and curves to the rest pose.
SINEW_API void sinew_pose_reset(sinew_pose *pose);

/// Copies a pose of the same skeleton (asserted).
SINEW_API void sinew_pose_copy(sinew_pose *to, const sinew_pose *from);

/// Returns a node's local transform, without the shear of skeleton->shear_nodes. `node` must be in range
/// (asserted).
SINEW_API sinew_transform sinew_pose_get(const sinew_pose *pose, int32_t node);

/// Sets a node's local transform. `node` must be in range (asserted). The rotation must be a unit quaternion.
/// That isn't checked: any other length scales or shears the node and its descendants. A sheared node keeps its shear.
SINEW_API void sinew_pose_set(sinew_pose *pose, int32_t node, sinew_transform transform);

/// Blends two poses of the same skeleton (asserted). `out` is a at t = 0 and b at t = 1; t isn't clamped. `out` may
/// be a or b.
///
/// `mask` is [node_count] and scales t per node; pass `nodes` of a sinew_mask (mask.h). NULL: t for all nodes.
/// Morph weights follow their node. A node with a factor of 0 keeps the bits of a. Curves are blended by t, or stay
/// a's if there is a mask. Rotations use nlerp along the shorter arc, everything else is linear.
SINEW_API void sinew_pose_blend(sinew_pose *out, const sinew_pose *a, const sinew_pose *b, float t,
                                const float *mask);

/// Adds an additive pose to a base: out = base + weight × difference. Sample `difference` from an additive clip
/// (sinew_clip_make_additive in clip.h). `weight` is usually 0 to 1; more exaggerates, and negative subtracts. All
/// three poses must have the same skeleton (asserted). `out` may be `base` or `difference`.
///
/// `mask` is [node_count] and scales the weight per node: f = weight × mask[i]. NULL: f = weight. A node with f = 0
/// keeps the bits of the base. Curves use f = weight, or stay the base's if there is a mask.
///
/// The difference has translation T, rotation Q = (x, y, z, w), scale S and morph weights W. Q is negated if w < 0:
///
///     translation    translation + f T
///     rotation       normalize(rotation × normalize(f x, f y, f z, (1 - f) + f w))
///     scale          scale × (1 + f (S - 1)), component by component
///     morph weights  weight + f W, with the f of the node that owns them
///     curves         value + f × difference
SINEW_API void sinew_pose_add(sinew_pose *out, const sinew_pose *base, const sinew_pose *difference, float weight,
                              const float *mask);

/// Computes all model matrices: model[i] = model[parent] × local[i]. A local matrix is T R S, scale first; for node
/// shear_nodes[k] it's T R S × shears[k]. `model` is [node_count] and needs only float alignment.
SINEW_API void sinew_pose_to_model(const sinew_pose *pose, sinew_affine *model);

/// Computes the model matrices of a node and its descendants only, after you change part of a pose. The parent's
/// matrix must be current. Writes the same bits as sinew_pose_to_model, and leaves other matrices alone. `node`
/// must be in range (asserted); `model` is [node_count].
SINEW_API void sinew_pose_to_model_below(const sinew_pose *pose, int32_t node, sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
