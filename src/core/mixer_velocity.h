// SPDX-License-Identifier: MIT
// Motions of single nodes, as differences between poses.
#ifndef SINEWI_VELOCITY_H
#define SINEWI_VELOCITY_H

#include "base/rotation_vector.h"
#include "kernels/layout.h"

static inline sinew_vec3 sinewi_scaled(sinew_vec3 v, float factor) {
    return (sinew_vec3){v.x * factor, v.y * factor, v.z * factor};
}

// Returns the rotation in one lane of a block.
static inline sinew_quat sinewi_rotation_in(const sinewi_block *block, int32_t lane) {
    return (sinew_quat){block->lane[SINEWI_RX][lane], block->lane[SINEWI_RY][lane], block->lane[SINEWI_RZ][lane],
                        block->lane[SINEWI_RW][lane]};
}

static inline void sinewi_set_rotation_in(sinewi_block *block, int32_t lane, sinew_quat q) {
    block->lane[SINEWI_RX][lane] = q.x;
    block->lane[SINEWI_RY][lane] = q.y;
    block->lane[SINEWI_RZ][lane] = q.z;
    block->lane[SINEWI_RW][lane] = q.w;
}

// Returns a × b⁻¹ for unit quaternions, with w >= 0. This is the rotation from b to a.
static inline sinew_quat sinewi_turn_between(sinew_quat a, sinew_quat b) {
    sinew_quat q = sinew_quat_multiply(a, (sinew_quat){-b.x, -b.y, -b.z, b.w});
    if (q.w < 0.0f) q = (sinew_quat){-q.x, -q.y, -q.z, -q.w};
    return sinew_quat_normalize(q);
}

// Gives a pose the same motion as a pose that moves from `from` to `to`.
static inline void sinewi_move_alike(const sinewi_block *from, const sinewi_block *to, sinewi_block *pose) {
    for (int lane = 0; lane < SINEW_LANES; lane++) {
        sinew_quat turn = sinewi_turn_between(sinewi_rotation_in(to, lane), sinewi_rotation_in(from, lane));
        sinew_quat q = sinew_quat_multiply(turn, sinewi_rotation_in(pose, lane));
        for (int i = 0; i < SINEWI_PLANES; i++) pose->lane[i][lane] += to->lane[i][lane] - from->lane[i][lane];
        sinewi_set_rotation_in(pose, lane, q);
    }
}

#endif
