// SPDX-License-Identifier: MIT
// Slerp without trigonometry. It is a normalized lerp with a corrected parameter.
//
// Let d be the dot product of two unit quaternions. Slerp at t equals the normalized lerp at
//     t' = sin(t a) / (sin(t a) + sin((1 - t) a)),  a = acos(d).
// t' - t is 0 at t = 0, 1/2 and 1, and odd about 1/2. So it is t (t - 1/2) (t - 1) times a series in (1 - d) and (t -
// 1/2)^2. scripts/fit_slerp.py computes the nine coefficients below. They are a minimax fit of the resulting angle over
// d in [cos 45°, 1], which covers rotations up to 90° apart. The error is at most 1.1e-7 rad of rotation before float
// rounding. Keys further apart are first split at their normalized sum.
#ifndef SINEWI_SLERP_H
#define SINEWI_SLERP_H

#include "base/float_rules.h"

#define SINEWI_SLERP_MIN_COSINE 0.70710678f

// The terms that only depend on t. All joints of a timeline share them.
typedef struct sinewi_slerp_parameter {
    float t;
    float c1, c2, c3; // factors of (1 - d), (1 - d)^2 and (1 - d)^3 in the correction
} sinewi_slerp_parameter;

// [power of 1 - d, minus one][power of (t - 1/2)^2]
static const float sinewi_slerp_series[3][3] = {
    {0.666842282f, -0.000500759226f, 0.00687206816f},
    {0.130789816f, 0.53517741f, -0.093183279f},
    {0.0490598865f, 0.214671716f, 0.795878172f},
};

static inline float sinewi_slerp_factor(const float c[3], float base, float s) {
    return base * (c[0] + s * (c[1] + s * c[2]));
}

static inline sinewi_slerp_parameter sinewi_slerp_parameter_at(float t) {
    float h = t - 0.5f, s = h * h, base = t * h * (t - 1.0f);
    sinewi_slerp_parameter p;
    p.t = t;
    p.c1 = sinewi_slerp_factor(sinewi_slerp_series[0], base, s);
    p.c2 = sinewi_slerp_factor(sinewi_slerp_series[1], base, s);
    p.c3 = sinewi_slerp_factor(sinewi_slerp_series[2], base, s);
    return p;
}

// Returns t'. d must be at least SINEWI_SLERP_MIN_COSINE.
static inline float sinewi_slerp_corrected(const sinewi_slerp_parameter *p, float d) {
    float e = 1.0f - d;
    return p->t + e * (p->c1 + e * (p->c2 + e * p->c3));
}

#endif
