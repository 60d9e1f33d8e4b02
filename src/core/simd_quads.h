// SPDX-License-Identifier: MIT
// The operations that all instruction sets with four lanes share: a matrix is three rows of one vector each.
// Included after they define vec, vec_lane (one lane in all lanes), vec_last_or_minus_zero and vec_transpose.
#ifndef SINEW_SIMD_QUADS_H
#define SINEW_SIMD_QUADS_H

SINEW_INLINE void vec_load_quads(const float *const from[SIMD_WIDTH], vec out[4]) {
    for (int i = 0; i < 4; i++) out[i] = vec_load(from[i]);
    vec_transpose(out);
}

SINEW_INLINE void vec_load_records(const float *base, const uint32_t at[SIMD_WIDTH], int quads, vec *out) {
    for (int q = 0; q < quads; q++) {
        const float *each[SIMD_WIDTH];
        for (int l = 0; l < SIMD_WIDTH; l++) each[l] = base + at[l] + 4 * (ptrdiff_t)q;
        vec_load_quads(each, out + 4 * (ptrdiff_t)q);
    }
}

SINEW_INLINE void vec_store_quads(float *to, size_t stride, const vec in[4]) {
    vec quad[4] = {in[0], in[1], in[2], in[3]};
    vec_transpose(quad);
    for (size_t i = 0; i < 4; i++) vec_store(to + i * stride, quad[i]);
}

SINEW_INLINE void vec_load_triples(const float *from, vec out[4]) {
    const float *each[SIMD_WIDTH] = {from, from + 3, from + 6, from + 9};
    vec_load_quads(each, out);
}

SINEW_INLINE void vec_store_triples(float *to, const vec in[4]) {
    vec_store_quads(to, 3, in);
}

typedef struct affine {
    vec row[3];
} affine;

SINEW_INLINE affine affine_load(const sinew_affine *from) {
    affine a;
    for (int i = 0; i < 3; i++) a.row[i] = vec_load(from->m[i]);
    return a;
}

SINEW_INLINE void affine_store(sinew_affine *to, affine a) {
    for (int i = 0; i < 3; i++) vec_store(to->m[i], a.row[i]);
}

// Of the translation only the last lane is added to: -0 leaves all others their bits.
SINEW_INLINE affine affine_multiply(affine a, const sinew_affine *b) {
    vec b0 = vec_load(b->m[0]), b1 = vec_load(b->m[1]), b2 = vec_load(b->m[2]);
    affine c;
    for (int i = 0; i < 3; i++) {
        vec r = a.row[i];
        vec sum = vec_add(vec_mul(vec_lane(r, 0), b0), vec_mul(vec_lane(r, 1), b1));
        vec two = vec_mul(vec_lane(r, 2), b2);
        c.row[i] = vec_add(sum, vec_add(two, vec_last_or_minus_zero(r)));
    }
    return c;
}

SINEW_INLINE affine affine_scale(affine b, float w) {
    for (int i = 0; i < 3; i++) b.row[i] = vec_mul(b.row[i], vec_splat(w));
    return b;
}

SINEW_INLINE affine affine_add_scaled(affine sum, affine b, float w) {
    for (int i = 0; i < 3; i++) sum.row[i] = vec_add(sum.row[i], vec_mul(b.row[i], vec_splat(w)));
    return sum;
}

SINEW_INLINE void affine_from_planes(const vec in[12], sinew_affine to[SIMD_WIDTH]) {
    for (int i = 0; i < 3; i++) vec_store_quads(to->m[i], 12, in + 4 * (ptrdiff_t)i);
}

SINEW_INLINE void affine_to_planes(const affine m[SIMD_WIDTH], vec out[12]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) out[4 * i + j] = m[j].row[i];
        vec_transpose(out + 4 * (ptrdiff_t)i);
    }
}

#endif
