// SPDX-License-Identifier: MIT
// Operations that all four-lane instruction sets share. A matrix is three vectors, one per row. Include this file after
// defining vec, vec_lane (broadcasts a lane), vec_last_or_minus_zero and vec_transpose. Also define vec_stream and
// end_stream if the machine has non-temporal stores.
#ifndef SINEWI_SIMD_QUADS_H
#define SINEWI_SIMD_QUADS_H

SINEWI_INLINE void vec_load_quads(const float *from, size_t stride, vec out[4]) {
    for (size_t i = 0; i < 4; i++) out[i] = vec_load(from + i * stride);
    vec_transpose(out);
}

SINEWI_INLINE void vec_load_records(const float *base, const uint32_t at[SIMD_WIDTH], int floats, vec *out) {
    for (int q = 0; 4 * q < floats; q++) {
        const int start = sinewi_quad_start(q, floats);
        vec quad[4];
        for (int l = 0; l < SIMD_WIDTH; l++) quad[l] = vec_load(base + at[l] + start);
        vec_transpose(quad);
        for (int i = 0; i < 4; i++) out[start + i] = quad[i];
    }
}

SINEWI_INLINE void vec_store_quads(float *to, size_t stride, const vec in[4]) {
    vec quad[4] = {in[0], in[1], in[2], in[3]};
    vec_transpose(quad);
    for (size_t i = 0; i < 4; i++) vec_store(to + i * stride, quad[i]);
}

#ifdef vec_shuffle
SINEWI_INLINE void vec_load_triples(const float *from, vec out[3]) {
    vec a = vec_load(from), b = vec_load(from + 4), c = vec_load(from + 8); // xyzx yzxy zxyz
    vec yz = vec_shuffle(a, b, 1, 2, 0, 1), xy = vec_shuffle(b, c, 2, 3, 1, 2);
    out[0] = vec_shuffle(a, xy, 0, 3, 0, 2);
    out[1] = vec_shuffle(yz, xy, 0, 2, 1, 3);
    out[2] = vec_shuffle(yz, c, 1, 3, 0, 3);
}

SINEWI_INLINE void vec_store_triples(float *to, const vec in[3]) {
    vec xy = vec_shuffle(in[0], in[1], 0, 2, 0, 2), yz = vec_shuffle(in[1], in[2], 1, 3, 1, 3);
    vec zx = vec_shuffle(in[2], in[0], 0, 2, 1, 3);
    vec_store(to, vec_shuffle(xy, zx, 0, 2, 0, 2));
    vec_store(to + 4, vec_shuffle(yz, xy, 0, 2, 1, 3));
    vec_store(to + 8, vec_shuffle(zx, yz, 1, 3, 1, 3));
}
#endif

typedef struct affine {
    vec row[3];
} affine;

SINEWI_INLINE affine affine_load(const sinew_affine *from) {
    affine a;
    for (int i = 0; i < 3; i++) a.row[i] = vec_load(from->m[i]);
    return a;
}

SINEWI_INLINE void affine_store(sinew_affine *to, affine a) {
    for (int i = 0; i < 3; i++) vec_store(to->m[i], a.row[i]);
}

#ifndef vec_stream
#define vec_stream   vec_store
#define end_stream() ((void)0)
#endif

SINEWI_INLINE void affine_stream(sinew_affine *to, affine a) {
    for (int i = 0; i < 3; i++) vec_stream(to->m[i], a.row[i]);
}

// Adds only the last lane of the translation. The other lanes add -0, which keeps their bits.
SINEWI_INLINE affine affine_multiply(affine a, const sinew_affine *b) {
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

SINEWI_INLINE void affine_from_planes(const vec in[12], sinew_affine to[SIMD_WIDTH]) {
    for (int i = 0; i < 3; i++) vec_store_quads(to->m[i], 12, in + 4 * (ptrdiff_t)i);
}

SINEWI_INLINE void affine_to_planes(const affine m[SIMD_WIDTH], vec out[12]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) out[4 * i + j] = m[j].row[i];
        vec_transpose(out + 4 * (ptrdiff_t)i);
    }
}

#define SIMD_PADDED 4

typedef vec padded_factor;
typedef affine padded_affine;

SINEWI_INLINE padded_affine padded_load(const sinew_affine *from) {
    return affine_load(from);
}

SINEWI_INLINE void padded_factors(const float *four, padded_factor out[4]) {
    vec all = vec_load(four);
    out[0] = vec_lane(all, 0), out[1] = vec_lane(all, 1), out[2] = vec_lane(all, 2), out[3] = vec_lane(all, 3);
}

SINEWI_INLINE padded_affine padded_scale(padded_affine b, padded_factor w) {
    padded_affine c;
    for (int i = 0; i < 3; i++) c.row[i] = vec_mul(b.row[i], w);
    return c;
}

SINEWI_INLINE padded_affine padded_add(padded_affine a, padded_affine b) {
    for (int i = 0; i < 3; i++) a.row[i] = vec_add(a.row[i], b.row[i]);
    return a;
}

SINEWI_INLINE void padded_to_planes(const padded_affine m[SIMD_PADDED], float *to) {
    for (int i = 0; i < 3; i++) {
        vec row[4] = {m[0].row[i], m[1].row[i], m[2].row[i], m[3].row[i]};
        vec_transpose(row);
        for (int j = 0; j < 4; j++) vec_store(to + (ptrdiff_t)(4 * i + j) * SIMD_WIDTH, row[j]);
    }
}

#endif
