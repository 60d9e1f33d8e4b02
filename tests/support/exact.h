// SPDX-License-Identifier: MIT
// Rotations in double precision with libm, the reference for the library's float math.
#ifndef EXACT_H
#define EXACT_H

#include "support/check.h"

typedef struct exact_vec3 {
    double x, y, z;
} exact_vec3;

typedef struct exact_quat {
    double x, y, z, w;
} exact_quat;

static inline exact_vec3 exact_vec(sinew_vec3 v) {
    return (exact_vec3){v.x, v.y, v.z};
}

static inline double exact_dot(exact_vec3 a, exact_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline double exact_length(exact_vec3 v) {
    return sqrt(exact_dot(v, v));
}

// a + b × factor
static inline exact_vec3 exact_add(exact_vec3 a, exact_vec3 b, double factor) {
    return (exact_vec3){a.x + b.x * factor, a.y + b.y * factor, a.z + b.z * factor};
}

static inline exact_vec3 exact_scaled(exact_vec3 v, double factor) {
    return (exact_vec3){v.x * factor, v.y * factor, v.z * factor};
}

static inline exact_quat exact_rotation(sinew_quat q) {
    return (exact_quat){q.x, q.y, q.z, q.w};
}

static inline double exact_norm(exact_quat q) {
    return sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
}

static inline exact_quat exact_multiply(exact_quat a, exact_quat b) {
    return (exact_quat){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
}

static inline exact_quat exact_conjugate(exact_quat q) {
    return (exact_quat){-q.x, -q.y, -q.z, q.w};
}

static inline exact_quat exact_exponential(exact_vec3 r) {
    double length = exact_length(r), part = length > 0.0 ? sin(length / 2.0) / length : 0.5;
    return (exact_quat){r.x * part, r.y * part, r.z * part, cos(length / 2.0)};
}

// Takes the shorter side.
static inline exact_vec3 exact_logarithm(exact_quat q) {
    if (q.w < 0.0) q = (exact_quat){-q.x, -q.y, -q.z, -q.w};
    double sine = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    double part = sine > 0.0 ? 2.0 * atan2(sine, q.w) / sine : 2.0;
    return (exact_vec3){q.x * part, q.y * part, q.z * part};
}

// The angle between two rotations in radians. They needn't be unit.
static inline double exact_angle(exact_quat a, exact_quat b) {
    return exact_length(exact_logarithm(exact_multiply(a, exact_conjugate(b))));
}

// A unit vector.
static inline exact_vec3 random_direction(uint64_t *state) {
    sinew_quat q;
    exact_vec3 v;
    do {
        q = random_quat(state);
        v = (exact_vec3){q.x, q.y, q.z};
    } while (exact_length(v) < 0.1);
    return exact_add((exact_vec3){0, 0, 0}, v, 1.0 / exact_length(v));
}

static inline sinew_vec3 vec3_along(exact_vec3 direction, double length) {
    return (sinew_vec3){(float)(direction.x * length), (float)(direction.y * length),
                        (float)(direction.z * length)};
}

static inline sinew_quat rounded(exact_quat q) {
    return (sinew_quat){(float)q.x, (float)q.y, (float)q.z, (float)q.w};
}

#endif
