/// A local pose: one transform per node of a skeleton, and its morph weights.
///
/// A pose belongs to one thread at a time, with every function here that takes it. None of them fails but
/// sinew_pose_create; what they demand is asserted. Translations are metres.
#ifndef SINEW_POSE_H
#define SINEW_POSE_H

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Planar: one array per component, each padded with rest-like values to a multiple of SINEW_LANES floats and
/// aligned to 64 bytes. Node i of the skeleton is element i of every array. Rotations must stay unit.
typedef struct sinew_pose {
    const sinew_skeleton *skeleton; ///< whose nodes these are
    float *tx, *ty, *tz;            ///< a component of the translations, metres
    float *rx, *ry, *rz, *rw;       ///< a component of the rotations, unit quaternions
    float *sx, *sy, *sz;            ///< a component of the scales
    float *weights;                 ///< [skeleton->weight_count], padded
} sinew_pose;

/// Nodes are worked on in blocks of this many, whatever the width of the machine's vectors.
#define SINEW_LANES 16

/// Makes a pose that holds the rest pose, to be freed with sinew_pose_destroy; the skeleton must outlive it.
/// `allocator` may be NULL. SINEW_ERROR_OUT_OF_MEMORY, and `*pose` is NULL then. Any thread.
SINEW_API sinew_result sinew_pose_create(const sinew_skeleton *skeleton, const sinew_allocator *allocator,
                                         sinew_pose **pose);

/// Frees what sinew_pose_create made, and never the pose of a mixer. NULL is allowed.
SINEW_API void sinew_pose_destroy(sinew_pose *pose);

/// Puts every node and morph weight back to the skeleton's rest pose.
SINEW_API void sinew_pose_reset(sinew_pose *pose);

/// Copies a pose of the same skeleton (asserted).
SINEW_API void sinew_pose_copy(sinew_pose *to, const sinew_pose *from);

/// The local transform of a node; 0 <= node < node_count (asserted).
SINEW_API sinew_transform sinew_pose_get(const sinew_pose *pose, int32_t node);

/// Sets the local transform of a node, 0 <= node < node_count (asserted); its rotation must be unit and is not
/// looked at: one that is not unit scales what hangs on the node.
SINEW_API void sinew_pose_set(sinew_pose *pose, int32_t node, sinew_transform transform);

/// out = a at t = 0, b at t = 1; rotations as a normalised sum along the shorter arc, everything else linear.
/// With a mask (one factor per node, NULL for all ones) node i is blended by t × mask[i], and a node of factor 0
/// keeps the bits of a. Morph weights are blended by the factor of their node. `out` may be a or b. All three are
/// of one skeleton (asserted). The `nodes` of a sinew_mask (mask.h) are such a mask.
SINEW_API void sinew_pose_blend(sinew_pose *out, const sinew_pose *a, const sinew_pose *b, float t,
                                const float *mask);

/// out = base + weight × difference, where the difference is what an additive clip shows (sinew_clip_make_additive).
/// With a mask (one factor per node, as in sinew_pose_blend) node i is added by f = weight × mask[i], without one by
/// f = weight; a node of f = 0 keeps the bits of the base. `weight` is usually in [0, 1]; beyond, it exaggerates. For
/// a difference of translation dt, rotation d = (x, y, z, w), scale ds and morph weights dm:
///
///     translation + f dt
///     rotation × normalised (f x, f y, f z, (1 - f) + f w), normalised; of d and -d the one whose w >= 0
///     scale × (1 + f (ds - 1)), component by component
///     morph weight + f dm, with the f of their node
///
/// `out` may be either of the others. All three are of one skeleton (asserted).
SINEW_API void sinew_pose_add(sinew_pose *out, const sinew_pose *base, const sinew_pose *difference, float weight,
                              const float *mask);

/// Writes [node_count] model matrices: model[i] = model[parent] × local[i]. A local matrix is T R S, times the node's shear
/// where the skeleton has one. `model` is 16-byte aligned or better.
SINEW_API void sinew_pose_to_model(const sinew_pose *pose, sinew_affine *model);

/// The same bits, for a node and all that hangs on it; 0 <= node < node_count (asserted). The matrix of its parent must be
/// current, and other matrices are left alone: for what changes in one part of a pose.
SINEW_API void sinew_pose_to_model_below(const sinew_pose *pose, int32_t node, sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
