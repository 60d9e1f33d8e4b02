// SPDX-License-Identifier: MIT
/// Poses: the local transform of every node of a skeleton, and the morph weights of its nodes, and the
/// skeleton's curves.
///
/// A *local* transform is in the space of the node's parent. *Model space* is the space that the roots of the
/// skeleton (skeleton.h) are in. A *model matrix* brings a position from a node's own space to model space.
///
/// Only one thread at a time may use a pose. Only sinew_pose_create can fail. Arguments are asserted, and wrong ones
/// are undefined with NDEBUG: NULL, a node out of range, poses of different skeletons, a t or weight that is not
/// finite. Values of transforms are not checked: a number that is not finite gives results that are not finite.
/// Translations are metres.
#ifndef SINEW_POSE_H
#define SINEW_POSE_H

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A local pose as a structure of arrays (SoA): one array per component, aligned to 64 bytes and padded to a multiple
/// of SINEW_LANES floats with identity transforms, which must be kept. Element i of every array is node i of the
/// skeleton. The elements may be written; rotations must stay unit. The pointers must not be changed. Only poses made
/// by sinew_pose_create and poses of a mixer (mixer.h) are valid.
typedef struct sinew_pose {
    const sinew_skeleton *skeleton; ///< the skeleton whose nodes are posed
    float *tx, *ty, *tz;            ///< translations, metres
    float *rx, *ry, *rz, *rw;       ///< rotations, unit quaternions
    float *sx, *sy, *sz;            ///< scales
    /// Morph weights, [skeleton->weight_count], padded with 0. Those of node i are weights[weight_offsets[i]] to
    /// weights[weight_offsets[i + 1] - 1], with the skeleton's weight_offsets.
    float *weights;
    float *curves; ///< [skeleton->curve_count]: the curves, which follow the last morph weight in memory
} sinew_pose;

/// Nodes are processed in blocks of this size, at any width of the machine's vectors.
#define SINEW_LANES 16

/// Creates a pose that is set to the rest pose; free it with sinew_pose_destroy. The skeleton must outlive it.
/// `allocator` is copied; NULL: the C library's heap. The only failure is SINEW_ERROR_OUT_OF_MEMORY; `*pose` is NULL
/// then. Any thread.
SINEW_API sinew_result sinew_pose_create(const sinew_skeleton *skeleton, const sinew_allocator *allocator,
                                         sinew_pose **pose);

/// Frees a pose that sinew_pose_create made. NULL is allowed. A mixer owns its pose: do not free it.
SINEW_API void sinew_pose_destroy(sinew_pose *pose);

/// Sets every node, morph weight and curve to the skeleton's rest pose.
SINEW_API void sinew_pose_reset(sinew_pose *pose);

/// Copies a pose of the same skeleton (asserted).
SINEW_API void sinew_pose_copy(sinew_pose *to, const sinew_pose *from);

/// Returns the local transform of a node, without the shear of skeleton->shear_nodes; 0 <= node < node_count
/// (asserted).
SINEW_API sinew_transform sinew_pose_get(const sinew_pose *pose, int32_t node);

/// Sets the local transform of a node; 0 <= node < node_count (asserted). The rotation must be unit, which is not
/// checked: one that is not unit scales or shears the node and its descendants. The node's shear, if it has one,
/// stays.
SINEW_API void sinew_pose_set(sinew_pose *pose, int32_t node, sinew_transform transform);

/// Blends two poses: `out` is a at t = 0 and b at t = 1; t is not clamped. Node i and its morph weights are blended by
/// the factor f = t × mask[i], where `mask` is [node_count], or f = t if it is NULL. Rotations are blended as a
/// normalized sum along the shorter arc (nlerp), everything else linearly. A node with f = 0 keeps the bits of a.
/// Curves are blended by t; with a mask, which has nodes only, they are those of a. `out` may be a or b. All three are
/// of one skeleton (asserted). The `nodes` of a sinew_mask (mask.h) can be passed as the mask.
SINEW_API void sinew_pose_blend(sinew_pose *out, const sinew_pose *a, const sinew_pose *b, float t,
                                const float *mask);

/// Adds an additive pose to another: out = base + weight × difference. `difference` is a pose sampled from an additive
/// clip (sinew_clip_make_additive in clip.h). `weight` is usually in [0, 1]; a larger one exaggerates, a negative one
/// subtracts. Node i is added by the factor f = weight × mask[i], where `mask` is [node_count], or f = weight if it is
/// NULL. A node with f = 0 keeps the bits of the base. Curves are added by f = weight; with a mask, which has nodes
/// only, they are those of the base.
///
/// With the translation T, rotation Q = (x, y, z, w), scale S and morph weights W of the difference, where Q is
/// negated if w < 0:
///
///     translation    translation + f T
///     rotation       normalize(rotation × normalize(f x, f y, f z, (1 - f) + f w))
///     scale          scale × (1 + f (S - 1)), component by component
///     morph weights  weight + f W, with the f of the node that owns them
///     curves         value + f × difference
///
/// `out` may be `base` or `difference`. All three are of one skeleton (asserted).
SINEW_API void sinew_pose_add(sinew_pose *out, const sinew_pose *base, const sinew_pose *difference, float weight,
                              const float *mask);

/// Computes the model matrices, [node_count]: model[i] = model[parent] × local[i]. A local matrix is T R S, scale
/// first; for node shear_nodes[k] of the skeleton it is T R S × shears[k]. `model` is the caller's; it needs no more
/// alignment than a float.
SINEW_API void sinew_pose_to_model(const sinew_pose *pose, sinew_affine *model);

/// Computes the model matrices of a node and its descendants only, after a change in one part of a pose: the bits are
/// those that sinew_pose_to_model would write. 0 <= node < node_count (asserted). `model` is [node_count], and the
/// matrix of the node's parent must be current. Other matrices are not changed.
SINEW_API void sinew_pose_to_model_below(const sinew_pose *pose, int32_t node, sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
