// SPDX-License-Identifier: MIT
/// Poses: the local transform of every node, plus morph weights and curves.
///
/// *Local* transforms are relative to the parent. *Model space* is the space that the skeleton's roots are in
/// (skeleton.h). A *model matrix* maps a node's own space to model space. Translations are in meters.
///
/// Only one thread at a time may use a pose. Only sinew_pose_create can fail. The other functions assert their
/// arguments: don't pass NULL, a node that's out of range, poses with different skeletons, or a non-finite t or
/// weight. With NDEBUG, the result is undefined. Transforms aren't checked, so non-finite values give non-finite
/// results.
#ifndef SINEW_POSE_H
#define SINEW_POSE_H

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A local pose, stored as a structure of arrays (SoA). Element i of each array belongs to node i. You can write to
/// the arrays, but keep rotations normalized and don't change the pointers.
///
/// Arrays are 64-byte aligned and padded with identity transforms to a multiple of SINEW_LANES. Don't change the
/// padding. Only poses from sinew_pose_create or from a mixer (mixer.h) are valid.
typedef struct sinew_pose {
    const sinew_skeleton *skeleton; ///< the skeleton that this pose belongs to
    float *tx, *ty, *tz;            ///< translations in meters
    float *rx, *ry, *rz, *rw;       ///< rotations, unit quaternions
    float *sx, *sy, *sz;            ///< scales
    /// [skeleton->weight_count], morph weights, padded with 0. Node i owns the weights from
    /// skeleton->weight_offsets[i] up to, but not including, skeleton->weight_offsets[i + 1].
    float *weights;
    float *curves; ///< [skeleton->curve_count], stored right after the last morph weight
} sinew_pose;

/// Nodes are processed in blocks of this size, regardless of the machine's vector width.
#define SINEW_LANES 16

/// Creates a pose and sets it to the rest pose. Free it with sinew_pose_destroy. The skeleton must outlive it.
/// `allocator` is copied. If it's NULL, the C library's heap is used. The only possible error is
/// SINEW_ERROR_OUT_OF_MEMORY, and `*pose` is then NULL. Any thread.
SINEW_API sinew_result sinew_pose_create(const sinew_skeleton *skeleton, const sinew_allocator *allocator,
                                         sinew_pose **pose);

/// Frees a pose from sinew_pose_create. NULL is allowed. Don't pass a mixer's pose, because the mixer frees it.
SINEW_API void sinew_pose_destroy(sinew_pose *pose);

/// Resets all nodes, morph weights and curves to the rest pose.
SINEW_API void sinew_pose_reset(sinew_pose *pose);

/// Copies a pose. Both poses must have the same skeleton (asserted).
SINEW_API void sinew_pose_copy(sinew_pose *to, const sinew_pose *from);

/// Saves a pose to `memory`, as plain numbers without pointers. You can keep them, send them, or put them into a file.
/// Returns the number of bytes needed, like snprintf: 16, plus 40 per node and 4 per morph weight and curve. It only
/// writes if that is at most `size`. `memory` doesn't need alignment, and may be NULL if `size` is 0.
SINEW_API size_t sinew_pose_save(const sinew_pose *pose, void *memory, size_t size);

/// Restores a saved pose, bit for bit. The skeleton may be a different one, as long as it has as many nodes, morph
/// weights and curves in the same order. Returns false and changes nothing if `memory` is NULL, `size` isn't what
/// sinew_pose_save returned, or a count differs. Values aren't checked, so don't trust them if you got them from a
/// stranger. The byte order is the machine's.
SINEW_API bool sinew_pose_restore(sinew_pose *pose, const void *memory, size_t size);

/// Returns a node's local transform. This doesn't include shear (see shear_nodes in sinew_skeleton). `node` must be
/// in range (asserted).
SINEW_API sinew_transform sinew_pose_get(const sinew_pose *pose, int32_t node);

/// Sets a node's local transform. `node` must be in range (asserted). The rotation must be a unit quaternion. This
/// isn't checked, but any other length scales or shears the node and its descendants. A sheared node keeps its
/// shear.
SINEW_API void sinew_pose_set(sinew_pose *pose, int32_t node, sinew_transform transform);

/// Blends two poses. All poses must have the same skeleton (asserted). `out` is a at t = 0 and b at t = 1. t isn't
/// clamped. `out` can be a or b.
///
/// `mask` [node_count] scales t for each node. You'll usually pass `nodes` from a sinew_mask (mask.h). If it's
/// NULL, all nodes use t. Morph weights use their node's factor. A node whose factor is 0 keeps its bits from a.
/// Curves are blended by t if there's no mask, and keep their value from a otherwise. Rotations use nlerp along the
/// shorter arc. Everything else is linear.
SINEW_API void sinew_pose_blend(sinew_pose *out, const sinew_pose *a, const sinew_pose *b, float t,
                                const float *mask);

/// Adds an additive pose to a base: out = base + weight × difference. To get `difference`, sample an additive clip
/// (see sinew_clip_make_additive in clip.h). `weight` usually ranges from 0 to 1. Larger weights exaggerate the
/// difference, and negative weights subtract it. All three poses must have the same skeleton (asserted). `out` can
/// be `base` or `difference`.
///
/// `mask` [node_count] scales the weight for each node: f = weight × mask[i]. If it's NULL, f = weight. A node
/// whose f is 0 keeps its bits from the base. Curves use f = weight if there's no mask, and keep their value from
/// the base otherwise.
///
/// T, Q = (x, y, z, w), S and W are the difference's translation, rotation, scale and morph weights. If w < 0, Q is
/// negated first:
///
///     translation    translation + f T
///     rotation       normalize(rotation × normalize(f x, f y, f z, (1 - f) + f w))
///     scale          scale × (1 + f (S - 1)), component by component
///     morph weights  weight + f W, using the owning node's f
///     curves         value + f × difference
SINEW_API void sinew_pose_add(sinew_pose *out, const sinew_pose *base, const sinew_pose *difference, float weight,
                              const float *mask);

/// Computes all model matrices: model[i] = model[parent] × local[i]. A local matrix is T R S, which applies scale
/// first. For node shear_nodes[k], it's T R S × shears[k]. `model` is [node_count] and only needs float alignment.
SINEW_API void sinew_pose_to_model(const sinew_pose *pose, sinew_affine *model);

/// Computes the model matrices of a node and its descendants. Call this after you change part of a pose, because
/// it's faster than updating all nodes. The parent's matrix must be up to date. Other matrices don't change. You
/// get the same bits as from sinew_pose_to_model. `node` must be in range (asserted). `model` is [node_count].
SINEW_API void sinew_pose_to_model_below(const sinew_pose *pose, int32_t node, sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
