// Arithmetic with three floats, for the window's own geometry.
#ifndef VIEWER_VEC_H
#define VIEWER_VEC_H

#include <sinew/math.h>

#include <math.h>

static inline sinew_vec3 vec_add(sinew_vec3 a, sinew_vec3 b) {
    return (sinew_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline sinew_vec3 vec_sub(sinew_vec3 a, sinew_vec3 b) {
    return (sinew_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline sinew_vec3 vec_scale(sinew_vec3 a, float factor) {
    return (sinew_vec3){a.x * factor, a.y * factor, a.z * factor};
}

static inline float vec_dot(sinew_vec3 a, sinew_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline sinew_vec3 vec_cross(sinew_vec3 a, sinew_vec3 b) {
    return (sinew_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline float vec_length(sinew_vec3 a) {
    return sqrtf(vec_dot(a, a));
}

// Of unit length; what has none stays as it is.
static inline sinew_vec3 vec_unit(sinew_vec3 a) {
    float length = vec_length(a);
    return length > 0.0f ? vec_scale(a, 1.0f / length) : a;
}

static inline sinew_vec3 vec_mix(sinew_vec3 a, sinew_vec3 b, float t) {
    return vec_add(a, vec_scale(vec_sub(b, a), t));
}

#endif
