// SPDX-License-Identifier: MIT
// Poses in blocks of SINEW_LANES nodes, and kernels over ranges of them. Ranges are [first, end), in nodes or in
// morph weights; elements outside of a range are not written.
#ifndef SINEW_BLOCK_H
#define SINEW_BLOCK_H

#include <sinew/pose.h>

#include "core/memory.h"
#include "kernels/kernels.h"

typedef struct sinew_planes {
    float *plane[SINEW_PLANES];
} sinew_planes;

// Lays out a pose's arrays; the pointers are valid if the layout has a base.
void sinew_pose_lay_out(sinew_layout *layout, const sinew_skeleton *skeleton, sinew_pose *pose);

// The number of morph weights and curves: in poses, clips and masks, the curves follow the morph weights.
static inline int32_t sinew_value_count(const sinew_skeleton *skeleton) {
    return skeleton->weight_count + skeleton->curve_count;
}

static inline sinew_planes sinew_pose_planes(const sinew_pose *pose) {
    return (sinew_planes){
        {pose->tx, pose->ty, pose->tz, pose->rx, pose->ry, pose->rz, pose->rw, pose->sx, pose->sy, pose->sz}};
}

// A transform as one number per plane.
static inline void sinew_transform_to_planes(sinew_transform t, float values[SINEW_PLANES]) {
    values[SINEW_TX] = t.translation.x;
    values[SINEW_TX + 1] = t.translation.y;
    values[SINEW_TX + 2] = t.translation.z;
    values[SINEW_RX] = t.rotation.x;
    values[SINEW_RY] = t.rotation.y;
    values[SINEW_RZ] = t.rotation.z;
    values[SINEW_RW] = t.rotation.w;
    values[SINEW_SX] = t.scale.x;
    values[SINEW_SX + 1] = t.scale.y;
    values[SINEW_SX + 2] = t.scale.z;
}

// A range of nodes, of morph weights, or of curves.
typedef struct sinew_range {
    int32_t first, end;
} sinew_range;

// Evaluate the base layer of a mix: to a local pose, to the morph weights of a range of nodes and all curves.
void sinew_blend_to_pose(const sinew_mix *mix, sinew_range nodes, sinew_pose *pose);
void sinew_blend_to_weights(const sinew_mix *mix, const sinew_skeleton *skeleton, sinew_range nodes,
                            float *weights);

// Evaluate all layers of a mix: to a local pose, to local matrices.
void sinew_mix_to_pose(const sinew_mix *mix, sinew_range nodes, sinew_pose *pose);
void sinew_mix_to_local(const sinew_mix *mix, sinew_range nodes, sinew_affine *local);

// Evaluates a mix to the morph weights of a range of nodes and all curves.
void sinew_mix_to_weights(const sinew_mix *mix, const sinew_skeleton *skeleton, sinew_range nodes, float *weights);

// The local matrices of a pose.
void sinew_pose_to_local(const sinew_pose *pose, sinew_range nodes, sinew_affine *local);

// Multiplies the local matrices of a range of nodes by the skeleton's shears, for several characters.
void sinew_apply_shears(const sinew_skeleton *skeleton, sinew_range nodes, sinew_affine *const *models,
                        int32_t model_count);

// Converts local matrices to model matrices, in the same array, for several characters of one skeleton. Applies the
// skeleton's shears. Matrices of parents outside of the range must be model matrices already.
void sinew_local_to_model(const sinew_skeleton *skeleton, sinew_range nodes, sinew_affine *const *models,
                          int32_t model_count);

#endif
