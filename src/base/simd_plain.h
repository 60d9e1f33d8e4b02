// Plain C: one lane. The others give its bits.
#ifndef SINEW_SIMD_PLAIN_H
#define SINEW_SIMD_PLAIN_H

#include "base/simd.h"

#include <math.h>
#include <string.h>

#define SIMD_WIDTH 1

typedef float vec;
typedef bool vec_mask;

SINEW_INLINE vec vec_splat(float a) {
    return a;
}

SINEW_INLINE vec vec_load(const float *from) {
    return *from;
}

SINEW_INLINE void vec_store(float *to, vec a) {
    *to = a;
}

SINEW_INLINE vec vec_load_u16(const uint16_t *from) {
    return (float)*from;
}

SINEW_INLINE vec vec_add(vec a, vec b) {
    return a + b;
}

SINEW_INLINE vec vec_sub(vec a, vec b) {
    return a - b;
}

SINEW_INLINE vec vec_mul(vec a, vec b) {
    return a * b;
}

SINEW_INLINE vec vec_div(vec a, vec b) {
    return a / b;
}

SINEW_INLINE vec vec_sqrt(vec a) {
    return sqrtf(a);
}

SINEW_INLINE vec_mask vec_less(vec a, vec b) {
    return a < b;
}

SINEW_INLINE vec vec_select(vec_mask mask, vec a, vec b) {
    return mask ? a : b;
}

SINEW_INLINE bool vec_any(vec_mask mask) {
    return mask;
}

SINEW_INLINE vec_mask vec_mask_from_bits(uint32_t bits) {
    return (bits & 1) != 0;
}

SINEW_INLINE void vec_load_quads(const float *const from[SIMD_WIDTH], vec out[4]) {
    for (int i = 0; i < 4; i++) out[i] = from[0][i];
}

SINEW_INLINE void vec_store_quads(float *to, size_t stride, const vec in[4]) {
    (void)stride; // there is one
    for (int i = 0; i < 4; i++) to[i] = in[i];
}

typedef sinew_affine affine;

SINEW_INLINE affine affine_load(const sinew_affine *from) {
    return *from;
}

SINEW_INLINE void affine_store(sinew_affine *to, affine a) {
    *to = a;
}

SINEW_INLINE affine affine_multiply(affine a, const sinew_affine *b) {
    affine c;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            float last = a.m[i][2] * b->m[2][j];
            if (j == 3) last += a.m[i][3];
            c.m[i][j] = a.m[i][0] * b->m[0][j] + a.m[i][1] * b->m[1][j] + last;
        }
    }
    return c;
}

SINEW_INLINE affine affine_scale(const sinew_affine *b, const float *w) {
    affine c;
    for (int i = 0; i < 12; i++) c.m[i / 4][i % 4] = b->m[i / 4][i % 4] * *w;
    return c;
}

SINEW_INLINE affine affine_add_scaled(affine sum, const sinew_affine *b, const float *w) {
    for (int i = 0; i < 12; i++) sum.m[i / 4][i % 4] += b->m[i / 4][i % 4] * *w;
    return sum;
}

SINEW_INLINE void affine_from_planes(const vec in[12], sinew_affine to[SIMD_WIDTH]) {
    for (int i = 0; i < 12; i++) to->m[i / 4][i % 4] = in[i];
}

SINEW_INLINE void affine_to_planes(const affine m[SIMD_WIDTH], vec out[12]) {
    for (int i = 0; i < 12; i++) out[i] = m->m[i / 4][i % 4];
}

#endif
