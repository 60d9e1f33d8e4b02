// SPDX-License-Identifier: MIT
/// Poses: the local transform of every node of a skeleton, and its morph weights.
///
/// A pose belongs to one thread at a time, with every function here that takes it. Only sinew_pose_create can fail;
/// the arguments of the others are asserted. Translations are metres.
#ifndef SINEW_POSE_H
#define SINEW_POSE_H

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A local pose, planar: one array per component, each padded with values like those of a rest pose to a multiple
/// of SINEW_LANES floats and aligned to 64 bytes. Node i of the skeleton is element i of every array. Rotations
/// must stay unit.
typedef struct sinew_pose {
    const sinew_skeleton *skeleton; ///< the skeleton whose nodes are posed
    float *tx, *ty, *tz;            ///< translations, metres
    float *rx, *ry, *rz, *rw;       ///< rotations, unit quaternions
    float *sx, *sy, *sz;            ///< scales
    float *weights;                 ///< [skeleton->weight_count], padded
} sinew_pose;

/// Nodes are processed in blocks of this size, for any width of the machine's vectors.
#define SINEW_LANES 16

/// Creates a pose that is set to the rest pose; free it with sinew_pose_destroy. The skeleton must outlive it.
/// `allocator` may be NULL. SINEW_ERROR_OUT_OF_MEMORY, and `*pose` is NULL. Any thread.
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
/// is usually in [0, 1]; a larger one exaggerates. For a difference of translation dt, rotation d = (x, y, z, w),
/// scale ds and morph weights dm:
///
///     translation + f dt
///     rotation × normalised (f x, f y, f z, (1 - f) + f w), normalised; of d and -d the one whose w >= 0
///     scale × (1 + f (ds - 1)), component by component
///     morph weight + f dm, with the f of their node
///
/// `out` may be `base` or `difference`. All three are of one skeleton (asserted).
SINEW_API void sinew_pose_add(sinew_pose *out, const sinew_pose *base, const sinew_pose *difference, float weight,
                              const float *mask);

/// Computes the model matrices, [node_count]: model[i] = model[parent] × local[i]. A local matrix is T R S, or T R
/// S × shear for a node in skeleton->shear_nodes. `model` is aligned to at least 16 bytes.
SINEW_API void sinew_pose_to_model(const sinew_pose *pose, sinew_affine *model);

/// Computes the model matrices of a node and its descendants, with the same bits; 0 <= node < node_count
/// (asserted). The matrix of its parent must be current. Other matrices are not changed. For a change in one part
/// of a pose.
SINEW_API void sinew_pose_to_model_below(const sinew_pose *pose, int32_t node, sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
