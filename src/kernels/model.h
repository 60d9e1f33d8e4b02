// SPDX-License-Identifier: MIT
// Composes local matrices from translation, rotation and scale. Include after the vectors of an instruction set. See
// kernels.h.
#ifndef SINEWI_MODEL_H
#define SINEWI_MODEL_H

#include "kernels/layout.h"

// Like sinew_affine_from_transform for SIMD_WIDTH nodes.
SIMD_INLINE void compose(const vec t[3], const vec q[4], const vec s[3], sinew_affine *out) {
    const vec one = vec_splat(1.0f);
    vec x2 = vec_add(q[0], q[0]), y2 = vec_add(q[1], q[1]), z2 = vec_add(q[2], q[2]);
    vec xx = vec_mul(q[0], x2), yy = vec_mul(q[1], y2), zz = vec_mul(q[2], z2);
    vec xy = vec_mul(q[0], y2), xz = vec_mul(q[0], z2), yz = vec_mul(q[1], z2);
    vec wx = vec_mul(q[3], x2), wy = vec_mul(q[3], y2), wz = vec_mul(q[3], z2);
    const vec elements[12] = {
        vec_mul(vec_sub(vec_sub(one, yy), zz), s[0]),
        vec_mul(vec_sub(xy, wz), s[1]),
        vec_mul(vec_add(xz, wy), s[2]),
        t[0],
        vec_mul(vec_add(xy, wz), s[0]),
        vec_mul(vec_sub(vec_sub(one, xx), zz), s[1]),
        vec_mul(vec_sub(yz, wx), s[2]),
        t[1],
        vec_mul(vec_sub(xz, wy), s[0]),
        vec_mul(vec_add(yz, wx), s[1]),
        vec_mul(vec_sub(vec_sub(one, xx), yy), s[2]),
        t[2],
    };
    affine_from_planes(elements, out);
}

static void pose_to_local(const float *const in[SINEWI_PLANES], size_t blocks, sinew_affine *out) {
    for (size_t at = 0; at < blocks * SINEW_LANES; at += SIMD_WIDTH) {
        vec planes[SINEWI_PLANES];
        for (int i = 0; i < SINEWI_PLANES; i++) planes[i] = vec_load(in[i] + at);
        compose(planes + SINEWI_TX, planes + SINEWI_RX, planes + SINEWI_SX, out + at);
    }
}

#endif
