/// A local pose: one transform per node of a skeleton, and its morph weights.
#ifndef SINEW_POSE_H
#define SINEW_POSE_H

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Planar: one array per component, each padded with rest-like values to a multiple of SINEW_LANES floats and
/// aligned to 64 bytes. Node i of the skeleton is element i of every array. Rotations must stay unit.
/// A pose belongs to one thread at a time.
typedef struct sinew_pose {
    const sinew_skeleton *skeleton;
    float *tx, *ty, *tz;
    float *rx, *ry, *rz, *rw;
    float *sx, *sy, *sz;
    float *weights; ///< [skeleton->weight_count], padded
} sinew_pose;

/// Nodes are worked on in blocks of this many, whatever the width of the machine's vectors.
#define SINEW_LANES 16

/// Makes a pose that holds the rest pose, to be freed with sinew_pose_destroy. `allocator` may be NULL.
SINEW_API sinew_result sinew_pose_create(const sinew_skeleton *skeleton, const sinew_allocator *allocator,
                                         sinew_pose **pose);

/// NULL is allowed.
SINEW_API void sinew_pose_destroy(sinew_pose *pose);

/// Puts every node and morph weight back to the skeleton's rest pose.
SINEW_API void sinew_pose_reset(sinew_pose *pose);

/// Copies a pose of the same skeleton.
SINEW_API void sinew_pose_copy(sinew_pose *to, const sinew_pose *from);

/// The local transform of a node; 0 <= node < node_count.
SINEW_API sinew_transform sinew_pose_get(const sinew_pose *pose, int32_t node);

/// Sets the local transform of a node; its rotation must be unit.
SINEW_API void sinew_pose_set(sinew_pose *pose, int32_t node, sinew_transform transform);

/// out = a at t = 0, b at t = 1; rotations as a normalised sum along the shorter arc, everything else linear.
/// With a mask (one factor per node, NULL for all ones) node i is blended by t × mask[i], and a node of factor 0
/// keeps the bits of a. Morph weights are blended by the factor of their node. `out` may be a or b.
SINEW_API void sinew_pose_blend(sinew_pose *out, const sinew_pose *a, const sinew_pose *b, float t,
                                const float *mask);

/// Writes [node_count] model matrices: model[i] = model[parent] × local[i]. `model` is 16-byte aligned or better.
SINEW_API void sinew_pose_to_model(const sinew_pose *pose, sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
