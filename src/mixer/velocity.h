// SPDX-License-Identifier: MIT
// Motions of single nodes: differences of poses.
#ifndef SINEW_VELOCITY_H
#define SINEW_VELOCITY_H

#include "core/rotation_vector.h"
#include "kernels/layout.h"

static inline sinew_vec3 sinew_scaled(sinew_vec3 v, float factor) {
    return (sinew_vec3){v.x * factor, v.y * factor, v.z * factor};
}

// The rotation of one lane of a block.
static inline sinew_quat sinew_rotation_in(const sinew_block *block, int32_t lane) {
    return (sinew_quat){block->lane[SINEW_RX][lane], block->lane[SINEW_RY][lane], block->lane[SINEW_RZ][lane],
                        block->lane[SINEW_RW][lane]};
}

static inline void sinew_set_rotation_in(sinew_block *block, int32_t lane, sinew_quat q) {
    block->lane[SINEW_RX][lane] = q.x;
    block->lane[SINEW_RY][lane] = q.y;
    block->lane[SINEW_RZ][lane] = q.z;
    block->lane[SINEW_RW][lane] = q.w;
}

// a × b⁻¹ of unit quaternions, with w >= 0: the rotation from b to a.
static inline sinew_quat sinew_turn_between(sinew_quat a, sinew_quat b) {
    sinew_quat q = sinew_quat_multiply(a, (sinew_quat){-b.x, -b.y, -b.z, b.w});
    if (q.w < 0.0f) q = (sinew_quat){-q.x, -q.y, -q.z, -q.w};
    return sinew_quat_normalize(q);
}

// Moves a pose like one that moves from `from` to `to`.
static inline void sinew_move_alike(const sinew_block *from, const sinew_block *to, sinew_block *pose) {
    for (int lane = 0; lane < SINEW_LANES; lane++) {
        sinew_quat turn = sinew_turn_between(sinew_rotation_in(to, lane), sinew_rotation_in(from, lane));
        sinew_quat q = sinew_quat_multiply(turn, sinew_rotation_in(pose, lane));
        for (int i = 0; i < SINEW_PLANES; i++) pose->lane[i][lane] += to->lane[i][lane] - from->lane[i][lane];
        sinew_set_rotation_in(pose, lane, q);
    }
}

#endif
