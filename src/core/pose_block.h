// SPDX-License-Identifier: MIT
// Poses in blocks of SINEW_LANES nodes, and kernels over ranges of them. Ranges are [first, end), in nodes or morph
// weights. Elements outside of a range aren't written.
#ifndef SINEWI_BLOCK_H
#define SINEWI_BLOCK_H

#include <sinew/pose.h>

#include "base/memory.h"
#include "kernels/kernels.h"

typedef struct sinewi_planes {
    float *plane[SINEWI_PLANES];
} sinewi_planes;

// Lays out a pose's arrays. The pointers are valid if the layout has a base.
void sinewi_pose_lay_out(sinewi_layout *layout, const sinew_skeleton *skeleton, sinew_pose *pose);

// Returns the number of morph weights and curves. In poses, clips and masks, the curves follow the morph weights.
static inline int32_t sinewi_value_count(const sinew_skeleton *skeleton) {
    return skeleton->weight_count + skeleton->curve_count;
}

static inline sinewi_planes sinewi_pose_planes(const sinew_pose *pose) {
    return (sinewi_planes){
        {pose->tx, pose->ty, pose->tz, pose->rx, pose->ry, pose->rz, pose->rw, pose->sx, pose->sy, pose->sz}};
}

// Writes a transform as one number per plane.
static inline void sinewi_transform_to_planes(sinew_transform t, float values[SINEWI_PLANES]) {
    values[SINEWI_TX] = t.translation.x;
    values[SINEWI_TX + 1] = t.translation.y;
    values[SINEWI_TX + 2] = t.translation.z;
    values[SINEWI_RX] = t.rotation.x;
    values[SINEWI_RY] = t.rotation.y;
    values[SINEWI_RZ] = t.rotation.z;
    values[SINEWI_RW] = t.rotation.w;
    values[SINEWI_SX] = t.scale.x;
    values[SINEWI_SX + 1] = t.scale.y;
    values[SINEWI_SX + 2] = t.scale.z;
}

// A range of nodes, morph weights or curves.
typedef struct sinewi_range {
    int32_t first, end;
} sinewi_range;

// Evaluate the base layer of a mix to a local pose, or to the morph weights of a range of nodes and all curves.
void sinewi_blend_to_pose(const sinewi_mix *mix, sinewi_range nodes, sinew_pose *pose);
void sinewi_blend_to_weights(const sinewi_mix *mix, const sinew_skeleton *skeleton, sinewi_range nodes,
                             float *weights);

// Evaluate all layers of a mix to a local pose or to local matrices.
void sinewi_mix_to_pose(const sinewi_mix *mix, sinewi_range nodes, sinew_pose *pose);
void sinewi_mix_to_local(const sinewi_mix *mix, sinewi_range nodes, sinew_affine *local);

// Evaluates a mix to the morph weights of a range of nodes and all curves.
void sinewi_mix_to_weights(const sinewi_mix *mix, const sinew_skeleton *skeleton, sinewi_range nodes,
                           float *weights);

// Computes a pose's local matrices, without shear.
void sinewi_pose_to_local(const sinew_pose *pose, sinewi_range nodes, sinew_affine *local);

// Multiplies the local matrices of a range of nodes by the skeleton's shears, for several characters.
void sinewi_apply_shears(const sinew_skeleton *skeleton, sinewi_range nodes, sinew_affine *const *models,
                         int32_t model_count);

// Converts local matrices to model matrices in place, for several characters with the same skeleton. Applies the
// skeleton's shears. Parents outside of the range must already have model matrices.
void sinewi_local_to_model(const sinew_skeleton *skeleton, sinewi_range nodes, sinew_affine *const *models,
                           int32_t model_count);

#endif
