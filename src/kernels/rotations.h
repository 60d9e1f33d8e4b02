// SPDX-License-Identifier: MIT
// Normalizes rotations in SIMD_WIDTH lanes and interpolates between keys. Include after the vectors of an instruction
// set. See kernels.h.
#ifndef SINEWI_ROTATIONS_H
#define SINEWI_ROTATIONS_H

#include "kernels/layout.h"

#include <float.h>

// Distance between planes in floats.
#define PLANE ((ptrdiff_t)SINEW_LANES)

// A value with up to four components in SIMD_WIDTH lanes. Functions take the number of components as `width`. It
// becomes a constant after inlining.
typedef struct value {
    vec c[4];
} value;

SIMD_INLINE vec dot4(value a, value b) {
    vec xy = vec_add(vec_mul(a.c[0], b.c[0]), vec_mul(a.c[1], b.c[1]));
    return vec_add(vec_add(xy, vec_mul(a.c[2], b.c[2])), vec_mul(a.c[3], b.c[3]));
}

SIMD_INLINE value scale(value q, vec factor) {
    for (int i = 0; i < 4; i++) q.c[i] = vec_mul(q.c[i], factor);
    return q;
}

// Returns a × b. Uses the same order of operations as sinew_quat_multiply.
SIMD_INLINE value quat_mul(value a, value b) {
    const vec x = a.c[0], y = a.c[1], z = a.c[2], w = a.c[3];
    value c;
    c.c[0] = vec_add(vec_add(vec_mul(w, b.c[0]), vec_mul(x, b.c[3])), vec_mul(y, b.c[2]));
    c.c[0] = vec_sub(c.c[0], vec_mul(z, b.c[1]));
    c.c[1] = vec_add(vec_add(vec_mul(w, b.c[1]), vec_mul(y, b.c[3])), vec_mul(z, b.c[0]));
    c.c[1] = vec_sub(c.c[1], vec_mul(x, b.c[2]));
    c.c[2] = vec_add(vec_add(vec_mul(w, b.c[2]), vec_mul(z, b.c[3])), vec_mul(x, b.c[1]));
    c.c[2] = vec_sub(c.c[2], vec_mul(y, b.c[0]));
    c.c[3] = vec_sub(vec_sub(vec_mul(w, b.c[3]), vec_mul(x, b.c[0])), vec_mul(y, b.c[1]));
    c.c[3] = vec_sub(c.c[3], vec_mul(z, b.c[2]));
    return c;
}

// A sum of rotations may cancel out and lose its direction. Such a quaternion becomes the identity. So does one whose
// squared length is subnormal, because it has too few digits left.
SIMD_INLINE value normalize(value q) {
    vec zero = vec_splat(0.0f), one = vec_splat(1.0f), square = dot4(q, q);
    vec_mask has_length = vec_less(vec_splat(FLT_MIN), square);
    q = scale(q, vec_select(has_length, vec_div(one, vec_sqrt(square)), zero));
    q.c[3] = vec_select(has_length, q.c[3], one);
    return q;
}

// See base/slerp.h.
typedef struct slerp_parameter {
    vec t, c1, c2, c3;
} slerp_parameter;

SIMD_INLINE vec slerp_series(const float c[3], vec base, vec s) {
    vec inner = vec_add(vec_splat(c[1]), vec_mul(s, vec_splat(c[2])));
    return vec_mul(base, vec_add(vec_splat(c[0]), vec_mul(s, inner)));
}

SIMD_INLINE slerp_parameter slerp_parameter_at(vec t) {
    vec h = vec_sub(t, vec_splat(0.5f)), s = vec_mul(h, h);
    vec base = vec_mul(vec_mul(t, h), vec_sub(t, vec_splat(1.0f)));
    slerp_parameter p = {t, slerp_series(sinewi_slerp_series[0], base, s),
                         slerp_series(sinewi_slerp_series[1], base, s),
                         slerp_series(sinewi_slerp_series[2], base, s)};
    return p;
}

SIMD_INLINE vec_mask is_wide(vec d) {
    return vec_less(d, vec_splat(SINEWI_SLERP_MIN_COSINE));
}

// Slerps between keys whose dot product `d` is at least SINEWI_SLERP_MIN_COSINE.
SIMD_INLINE value slerp_narrow(value p, value q, vec d, slerp_parameter parameter) {
    vec e = vec_sub(vec_splat(1.0f), d);
    vec c = vec_add(parameter.c2, vec_mul(e, parameter.c3));
    c = vec_add(parameter.c1, vec_mul(e, c));
    vec t = vec_add(parameter.t, vec_mul(e, c)), s = vec_sub(vec_splat(1.0f), t);
    for (int i = 0; i < 4; i++) p.c[i] = vec_add(vec_mul(s, p.c[i]), vec_mul(t, q.c[i]));
    return p;
}

// Slerps when the keys in some lanes are farther apart. Those lanes split the arc in half and use the half that
// contains t.
SIMD_INLINE value slerp_wide(value p, value q, vec d, slerp_parameter parameter) {
    vec_mask wide = is_wide(d);
    value middle;
    for (int i = 0; i < 4; i++) middle.c[i] = vec_add(p.c[i], q.c[i]);
    middle = normalize(middle);
    vec two_u = vec_mul(vec_splat(2.0f), parameter.t);
    vec_mask first = vec_less(parameter.t, vec_splat(0.5f));
    slerp_parameter half = slerp_parameter_at(vec_select(first, two_u, vec_sub(two_u, vec_splat(1.0f))));
    for (int i = 0; i < 4; i++) {
        vec from = vec_select(first, p.c[i], middle.c[i]), to = vec_select(first, middle.c[i], q.c[i]);
        p.c[i] = vec_select(wide, from, p.c[i]);
        q.c[i] = vec_select(wide, to, q.c[i]);
    }
    d = vec_select(wide, dot4(p, q), d);
    parameter.t = vec_select(wide, half.t, parameter.t);
    parameter.c1 = vec_select(wide, half.c1, parameter.c1);
    parameter.c2 = vec_select(wide, half.c2, parameter.c2);
    parameter.c3 = vec_select(wide, half.c3, parameter.c3);
    return slerp_narrow(p, q, d, parameter);
}

// Rotation keys are unit quaternions. Each one is in the hemisphere of the previous key, so neighbors are always
// connected by the shorter arc (glTF 2.0, appendix C.4) and no sign test is needed. The result isn't a unit quaternion:
// its length can drop to 0.9.
SIMD_INLINE value slerp_unnormalized(value p, value q, slerp_parameter parameter) {
    vec d = dot4(p, q);
    return vec_any(is_wide(d)) ? slerp_wide(p, q, d, parameter) : slerp_narrow(p, q, d, parameter);
}

SIMD_INLINE value normalize_slerp(value q) {
    return scale(q, vec_div(vec_splat(1.0f), vec_sqrt(dot4(q, q))));
}

SIMD_INLINE slerp_parameter slerp_of_key(const sinewi_key *key) {
    slerp_parameter p = {vec_splat(key->u), vec_splat(key->slerp.c1), vec_splat(key->slerp.c2),
                         vec_splat(key->slerp.c3)};
    return p;
}

#endif
