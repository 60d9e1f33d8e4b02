// SPDX-License-Identifier: MIT
// Operations that AVX2 and AVX-512 share. A padded matrix is two eight-lane vectors. Its last four lanes are unused. A
// single sixteen-lane vector is slower on processors that split it in two.
#ifndef SINEWI_SIMD_WIDE_H
#define SINEWI_SIMD_WIDE_H

#define SIMD_PADDED 8

typedef __m256 padded_factor;
typedef struct padded_affine {
    __m256 rows01, row2;
} padded_affine;

// Transposes the 4x4 matrix in each half.
SINEWI_INLINE void vec_transpose_halves(__m256 v[4]) {
    __m256d low01 = _mm256_castps_pd(_mm256_unpacklo_ps(v[0], v[1]));
    __m256d high01 = _mm256_castps_pd(_mm256_unpackhi_ps(v[0], v[1]));
    __m256d low23 = _mm256_castps_pd(_mm256_unpacklo_ps(v[2], v[3]));
    __m256d high23 = _mm256_castps_pd(_mm256_unpackhi_ps(v[2], v[3]));
    v[0] = _mm256_castpd_ps(_mm256_unpacklo_pd(low01, low23));
    v[1] = _mm256_castpd_ps(_mm256_unpackhi_pd(low01, low23));
    v[2] = _mm256_castpd_ps(_mm256_unpacklo_pd(high01, high23));
    v[3] = _mm256_castpd_ps(_mm256_unpackhi_pd(high01, high23));
}

// vec_load_quads and vec_store_quads for eight lanes.
SINEWI_INLINE void vec_load_eight_quads(const float *from, size_t stride, __m256 out[4]) {
    const float *upper = from + 4 * stride;
    SINEWI_OPAQUE(upper);
    for (size_t i = 0; i < 4; i++) out[i] = _mm256_loadu2_m128(upper + i * stride, from + i * stride);
    vec_transpose_halves(out);
}

SINEWI_INLINE void vec_store_eight_quads(float *to, size_t stride, __m256 v[4]) {
    float *upper = to + 4 * stride;
    SINEWI_OPAQUE(upper);
    vec_transpose_halves(v);
    for (size_t i = 0; i < 4; i++) {
        _mm_storeu_ps(to + i * stride, _mm256_castps256_ps128(v[i]));
        _mm_storeu_ps(upper + i * stride, _mm256_extractf128_ps(v[i], 1));
    }
}

SINEWI_INLINE void vec_store_four_pairs(float *to, size_t stride, __m128 low, __m128 high) {
    SINEWI_OPAQUE(to);
    _mm_storel_pi((__m64 *)(void *)to, low);
    _mm_storeh_pi((__m64 *)(void *)(to + stride), low);
    _mm_storel_pi((__m64 *)(void *)(to + 2 * stride), high);
    _mm_storeh_pi((__m64 *)(void *)(to + 3 * stride), high);
}

SINEWI_INLINE padded_affine padded_load(const sinew_affine *from) {
    padded_affine c = {_mm256_loadu_ps(from->m[0]), _mm256_broadcast_ps((const __m128 *)(const void *)from->m[2])};
    return c;
}

// Does one load and then four permutations within halves, because loads are the bottleneck.
SINEWI_INLINE void padded_factors(const float *four, padded_factor out[4]) {
    __m256 all = _mm256_broadcast_ps((const __m128 *)(const void *)four);
    out[0] = _mm256_permute_ps(all, 0x00), out[1] = _mm256_permute_ps(all, 0x55);
    out[2] = _mm256_permute_ps(all, 0xaa), out[3] = _mm256_permute_ps(all, 0xff);
}

SINEWI_INLINE padded_affine padded_scale(padded_affine b, padded_factor w) {
    padded_affine c = {_mm256_mul_ps(b.rows01, w), _mm256_mul_ps(b.row2, w)};
    return c;
}

SINEWI_INLINE padded_affine padded_add(padded_affine a, padded_affine b) {
    padded_affine c = {_mm256_add_ps(a.rows01, b.rows01), _mm256_add_ps(a.row2, b.row2)};
    return c;
}

SINEWI_INLINE void padded_to_planes(const padded_affine m[SIMD_PADDED], float *to) {
    __m256 row[3][4];
    for (int l = 0; l < 4; l++) {
        row[0][l] = _mm256_permute2f128_ps(m[l].rows01, m[4 + l].rows01, 0x20);
        row[1][l] = _mm256_permute2f128_ps(m[l].rows01, m[4 + l].rows01, 0x31);
        row[2][l] = _mm256_permute2f128_ps(m[l].row2, m[4 + l].row2, 0x20);
    }
    for (int i = 0; i < 3; i++) {
        vec_transpose_halves(row[i]);
        for (int j = 0; j < 4; j++) _mm256_storeu_ps(to + (ptrdiff_t)(4 * i + j) * SIMD_WIDTH, row[i][j]);
    }
}

#endif
