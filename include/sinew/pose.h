// SPDX-License-Identifier: MIT
/// Poses: the local transform of every node of a skeleton, and its morph weights.
///
/// Only one thread at a time may use a pose. sinew_pose_create can fail; the other functions assert their arguments.
/// Translations are metres.
#ifndef SINEW_POSE_H
#define SINEW_POSE_H

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A local pose as a structure of arrays: one array per component, aligned to 64 bytes and padded to a multiple of
/// SINEW_LANES floats with identity transforms, which must be kept. Element i of every array is node i of the skeleton.
/// Rotations must stay unit.
typedef struct sinew_pose {
    const sinew_skeleton *skeleton; ///< the skeleton whose nodes are posed
    float *tx, *ty, *tz;            ///< translations, metres
    float *rx, *ry, *rz, *rw;       ///< rotations, unit quaternions
    float *sx, *sy, *sz;            ///< scales
    float *weights; ///< [skeleton->weight_count], padded with 0; skeleton->weight_offsets has those of a node
} sinew_pose;

/// Nodes are processed in blocks of this size, for any width of the machine's vectors.
#define SINEW_LANES 16

/// Creates a pose that is set to the rest pose; free it with sinew_pose_destroy. The skeleton must outlive it.
/// `allocator` is copied; NULL: the C library's heap. On SINEW_ERROR_OUT_OF_MEMORY, the only failure, `*pose` is NULL. Any
/// thread.
SINEW_API sinew_result sinew_pose_create(const sinew_skeleton *skeleton, const sinew_allocator *allocator,
                                         sinew_pose **pose);

/// Frees a pose that sinew_pose_create made. NULL is allowed. A mixer owns its pose: do not free it.
SINEW_API void sinew_pose_destroy(sinew_pose *pose);

/// Sets every node and morph weight to the skeleton's rest pose.
SINEW_API void sinew_pose_reset(sinew_pose *pose);

/// Copies a pose of the same skeleton (asserted).
SINEW_API void sinew_pose_copy(sinew_pose *to, const sinew_pose *from);

/// The local transform of a node; 0 <= node < node_count (asserted).
SINEW_API sinew_transform sinew_pose_get(const sinew_pose *pose, int32_t node);

/// Sets the local transform of a node; 0 <= node < node_count (asserted). The rotation must be unit and is not
/// checked: one that is not unit scales the node's descendants.
SINEW_API void sinew_pose_set(sinew_pose *pose, int32_t node, sinew_transform transform);

/// Blends two poses: `out` is a at t = 0 and b at t = 1. Rotations are blended as a normalised sum along the
/// shorter arc, everything else linearly. With a mask (one factor per node; NULL: all 1) node i is blended by t ×
/// mask[i], and a node of factor 0 keeps the bits of a. Morph weights are blended by the factor of their node.
/// `out` may be a or b. All three are of one skeleton (asserted). The `nodes` of a sinew_mask (mask.h) can be
/// passed as the mask.
SINEW_API void sinew_pose_blend(sinew_pose *out, const sinew_pose *a, const sinew_pose *b, float t,
                                const float *mask);

/// Adds an additive pose to another: out = base + weight × difference, with `difference` a pose sampled from an
/// additive clip (sinew_clip_make_additive). With a mask (one factor per node, as in sinew_pose_blend) node i is
/// added by f = weight × mask[i], without one by f = weight; a node of f = 0 keeps the bits of the base. `weight`
/// is usually in [0, 1]; a larger one exaggerates, a negative one subtracts. For a difference with translation T, rotation
/// Q = (x, y, z, w), of Q and -Q the one with w >= 0, scale S and morph weights W:
///
///     translation    translation + f T
///     rotation       normalize(rotation × normalize(f x, f y, f z, (1 - f) + f w))
///     scale          scale × (1 + f (S - 1)), component by component
///     morph weights  weight + f W, with the f of the node that owns them
///
/// `out` may be `base` or `difference`. All three are of one skeleton (asserted).
SINEW_API void sinew_pose_add(sinew_pose *out, const sinew_pose *base, const sinew_pose *difference, float weight,
                              const float *mask);

/// Computes the model matrices, [node_count]: model[i] = model[parent] × local[i]. A local matrix is T R S; for node
/// shear_nodes[k] of the skeleton it is T R S × shears[k]. `model` is aligned to at least 16 bytes.
SINEW_API void sinew_pose_to_model(const sinew_pose *pose, sinew_affine *model);

/// Computes the model matrices of a node and its descendants: the same bits as by sinew_pose_to_model;
/// 0 <= node < node_count (asserted). The matrix of its parent must be current. Other matrices are not changed. For a change in one part
/// of a pose.
SINEW_API void sinew_pose_to_model_below(const sinew_pose *pose, int32_t node, sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
