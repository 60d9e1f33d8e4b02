// SPDX-License-Identifier: MIT
// Inline vectors, rotations and matrices for the solvers. Calling sinew/math.h took half of a solver's time.
#ifndef SINEWI_IK_MATH_H
#define SINEWI_IK_MATH_H

#include <sinew/pose.h>

#include "base/rotation_vector.h"
#include "base/simd.h"

#include <float.h>
#include <math.h>

static const sinew_quat ik_identity = {0.0f, 0.0f, 0.0f, 1.0f};

// ---- Vectors -------------------------------------------------------------------------------------------------

SINEWI_INLINE sinew_vec3 ik_add(sinew_vec3 a, sinew_vec3 b) {
    return (sinew_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

SINEWI_INLINE sinew_vec3 ik_subtract(sinew_vec3 a, sinew_vec3 b) {
    return (sinew_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

SINEWI_INLINE sinew_vec3 ik_scale(sinew_vec3 v, float factor) {
    return (sinew_vec3){v.x * factor, v.y * factor, v.z * factor};
}

SINEWI_INLINE float ik_dot(sinew_vec3 a, sinew_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

SINEWI_INLINE sinew_vec3 ik_cross(sinew_vec3 a, sinew_vec3 b) {
    return (sinew_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

SINEWI_INLINE float ik_length(sinew_vec3 v) {
    return sqrtf(ik_dot(v, v));
}

SINEWI_INLINE sinew_vec3 ik_normalize(sinew_vec3 v) {
    return ik_scale(v, 1.0f / ik_length(v));
}

// The part of a vector that is perpendicular to a unit vector.
SINEWI_INLINE sinew_vec3 ik_reject(sinew_vec3 v, sinew_vec3 unit) {
    return ik_subtract(v, ik_scale(unit, ik_dot(v, unit)));
}

// Whether a vector is parallel to a line. `rejected` is its part perpendicular to the line, which may be pure rounding.
SINEWI_INLINE bool ik_is_parallel(sinew_vec3 v, sinew_vec3 rejected) {
    const float parallel = 1e-8f; // the square of a sine
    return ik_dot(rejected, rejected) < parallel * ik_dot(v, v);
}

// A unit vector perpendicular to a vector of any length.
SINEWI_INLINE sinew_vec3 ik_perpendicular(sinew_vec3 v) {
    bool along_x = v.x * v.x > 0.5f * ik_dot(v, v);
    return ik_normalize(ik_cross(v, along_x ? (sinew_vec3){0, 1, 0} : (sinew_vec3){1, 0, 0}));
}

SINEWI_INLINE float ik_clamp01(float x) {
    return x > 1.0f ? 1.0f : x > 0.0f ? x : 0.0f; // NaN becomes 0
}

// ---- Rotations -----------------------------------------------------------------------------------------------

// Same as sinew_quat_multiply.
SINEWI_INLINE sinew_quat ik_multiply(sinew_quat a, sinew_quat b) {
    return (sinew_quat){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
        a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
}

SINEWI_INLINE sinew_quat ik_inverse(sinew_quat q) {
    return (sinew_quat){-q.x, -q.y, -q.z, q.w};
}

SINEWI_INLINE float ik_quat_square(sinew_quat q) {
    return (q.x * q.x + q.y * q.y) + (q.z * q.z + q.w * q.w);
}

// Whether a quaternion with this squared length can be normalized. The square must be neither infinite nor subnormal,
// because subnormals lose digits.
SINEWI_INLINE bool ik_is_normalizable(float square) {
    return square >= FLT_MIN && square <= FLT_MAX;
}

SINEWI_INLINE sinew_quat ik_quat_scale_to_unit(sinew_quat q, float square) {
    float factor = 1.0f / sqrtf(square);
    return (sinew_quat){q.x * factor, q.y * factor, q.z * factor, q.w * factor};
}

SINEWI_INLINE sinew_quat ik_quat_normalize(sinew_quat q) {
    return ik_quat_scale_to_unit(q, ik_quat_square(q));
}

SINEWI_INLINE sinew_quat ik_axis_quat(sinew_vec3 axis, float half_sin, float half_cos) {
    return (sinew_quat){axis.x * half_sin, axis.y * half_sin, axis.z * half_sin, half_cos};
}

// Same as sinew_quat_rotate.
SINEWI_INLINE sinew_vec3 ik_rotate(sinew_quat q, sinew_vec3 v) {
    sinew_vec3 axis = {q.x, q.y, q.z};
    sinew_vec3 inner = ik_add(ik_cross(axis, v), ik_scale(v, q.w));
    return ik_add(v, ik_scale(ik_cross(axis, inner), 2.0f));
}

// The shortest rotation from one vector to another, not normalized. `lengths` is the product of their lengths. The
// result is (v × w, |v| |w| + v · w), or zero if a vector has length 0. For nearly opposite vectors that sum
// cancels, so it's computed from the cross product. For opposite ones any half turn about a perpendicular axis is
// shortest, so `axis` is used.
SINEWI_INLINE sinew_quat ik_rotation_between(sinew_vec3 from, sinew_vec3 to, float lengths, sinew_vec3 axis) {
    sinew_vec3 cross = ik_cross(from, to);
    float dot = ik_dot(from, to), w = lengths + dot;
    if (w < 0.25f * lengths) {
        w = ik_dot(cross, cross) / (lengths - dot);
        if (w < 1e-12f * lengths) return ik_axis_quat(ik_normalize(axis), 1.0f, 0.0f);
    }
    return ik_axis_quat(cross, 1.0f, w);
}

// Rotates about a unit axis by the fraction `part` of the angle that brings `from` closest to `to`. `from` must be
// perpendicular to the axis.
SINEWI_INLINE sinew_quat ik_twist(sinew_vec3 axis, sinew_vec3 from, sinew_vec3 to, float part) {
    float c = ik_dot(from, to), s = ik_dot(axis, ik_cross(from, to)), length = sqrtf(c * c + s * s);
    if (!(length > 0.0f) || !(part > 0.0f)) return ik_identity;
    float half_cos = c < 0.0f ? s * s / (length - c) : length + c, half_sin = s;
    if (half_cos <= 1e-12f * length) half_cos = 0.0f, half_sin = length; // a half turn
    float factor = part / sqrtf(half_cos * half_cos + half_sin * half_sin);
    return ik_quat_normalize(ik_axis_quat(axis, half_sin * factor, (1.0f - part) + half_cos * factor));
}

// Tangent of half an angle up to 3.14. Negative angles return 0.
SINEWI_INLINE float ik_half_tangent(float angle) {
    if (!(angle > 0.0f)) return 0.0f;
    float square = angle * angle;
    float s = angle * sinewi_rotation_series(sinewi_exponential_sine, SINEWI_EXPONENTIAL_TERMS, square);
    return s / sinewi_rotation_series(sinewi_exponential_cosine, SINEWI_EXPONENTIAL_TERMS, square);
}

// Blends like sinew_pose_blend.
SINEWI_NOINLINE sinew_quat ik_blend(sinew_quat a, sinew_quat b, float t) {
    float d = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w, s = 1.0f - t;
    if (d < 0.0f) t = -t;
    return ik_quat_normalize(
        (sinew_quat){s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z, s * a.w + t * b.w});
}

// ---- Matrices ------------------------------------------------------------------------------------------------

SINEWI_INLINE sinew_vec3 ik_position(const sinew_affine *a) {
    return (sinew_vec3){a->m[0][3], a->m[1][3], a->m[2][3]};
}

// Same as sinew_affine_direction and sinew_affine_point.
SINEWI_INLINE sinew_vec3 ik_direction(const sinew_affine *a, sinew_vec3 v) {
    return (sinew_vec3){
        a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
        a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
        a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z,
    };
}

SINEWI_INLINE sinew_vec3 ik_point(const sinew_affine *a, sinew_vec3 p) {
    return ik_add(ik_direction(a, p), ik_position(a));
}

// Transforms directions from model space to a node's local space, times the determinant of the node's matrix. Angles,
// proportions and rotations don't depend on that factor, mirrored or not, and skipping the division shortens the
// critical path. Solvers compute the eighth power of scale, which fits in a float for scales from 0.001 to 1000.
typedef struct ik_matrix {
    sinew_vec3 x, y, z; // rows
    float determinant;
} ik_matrix;

// Returns the identity for SINEW_NO_NODE, which is a root's parent. The rows of the inverse, times the determinant, are
// the cross products of the columns.
SINEWI_INLINE ik_matrix ik_to_local(const sinew_affine *model, int32_t node) {
    if (node == SINEW_NO_NODE) return (ik_matrix){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, 1};
    const sinew_affine *a = &model[node];
    sinew_vec3 x = {a->m[0][0], a->m[1][0], a->m[2][0]};
    sinew_vec3 y = {a->m[0][1], a->m[1][1], a->m[2][1]};
    sinew_vec3 z = {a->m[0][2], a->m[1][2], a->m[2][2]};
    sinew_vec3 across = ik_cross(y, z);
    return (ik_matrix){across, ik_cross(z, x), ik_cross(x, y), ik_dot(x, across)};
}

SINEWI_INLINE sinew_vec3 ik_transform(ik_matrix a, sinew_vec3 v) {
    return (sinew_vec3){ik_dot(a.x, v), ik_dot(a.y, v), ik_dot(a.z, v)};
}

// ---- Poses ---------------------------------------------------------------------------------------------------

// Whether a node is `above` or below it. False for invalid nodes.
SINEWI_INLINE bool ik_is_at_or_below(const sinew_skeleton *skeleton, int32_t node, int32_t above) {
    return above >= 0 && above < skeleton->node_count && node >= above && node < skeleton->subtree_ends[above];
}

SINEWI_INLINE bool ik_is_descendant(const sinew_skeleton *skeleton, int32_t node, int32_t above) {
    return node != above && ik_is_at_or_below(skeleton, node, above);
}

SINEWI_INLINE sinew_quat ik_get_rotation(const sinew_pose *pose, int32_t node) {
    return (sinew_quat){pose->rx[node], pose->ry[node], pose->rz[node], pose->rw[node]};
}

// Blends a node's rotation towards a unit quaternion by the weight `part`.
SINEWI_INLINE void ik_set_rotation(sinew_pose *pose, int32_t node, sinew_quat q, float part) {
    if (part < 1.0f) q = ik_blend(ik_get_rotation(pose, node), q, part);
    pose->rx[node] = q.x, pose->ry[node] = q.y, pose->rz[node] = q.z, pose->rw[node] = q.w;
}

// Fades from a at x = 0 to b at x = 1 (smoothstep). Returns a if b isn't smaller.
SINEWI_INLINE float ik_fade(float a, float b, float x) {
    float t = ik_clamp01(x);
    return b < a ? a + (b - a) * t * t * (3.0f - 2.0f * t) : a;
}

// ---- Softness ------------------------------------------------------------------------------------------------

// x up to `from`, then a curve that approaches `limit` (from <= limit). The curve is 1 - (1 + a / 4)^-4, because it has
// the same slope at 0 as 1 - e^-a and nearly the same shape.
SINEWI_INLINE float ik_soften(float x, float from, float limit) {
    if (!(x > from)) return x;
    float range = limit - from;
    if (!(range > 0.0f)) return limit;
    float root = 1.0f / (1.0f + 0.25f * (x - from) / range), square = root * root;
    return from + range * (1.0f - square * square);
}

// ---- Feet ----------------------------------------------------------------------------------------------------

// Lifts a foot's joint to within `reach` of the hip, which must be further away. Moves it upward, which keeps it above
// its place on the ground, or towards the hip if the leg is nearly level. `up` must be a unit vector.
SINEWI_INLINE sinew_vec3 ik_lift_to_reach(sinew_vec3 joint, sinew_vec3 to_hip, sinew_vec3 up, float reach) {
    float square = ik_dot(to_hip, to_hip);
    sinew_vec3 unit = ik_scale(to_hip, 1.0f / sqrtf(square));
    float upright = ik_clamp01(2.0f * ik_dot(unit, up) - 0.5f);
    sinew_vec3 lift = ik_normalize(ik_add(ik_scale(up, upright), ik_scale(unit, 1.0f - upright)));
    float along = ik_dot(to_hip, lift), rest = along * along - square + reach * reach;
    if (!(rest > 0.0f)) return ik_add(joint, ik_scale(unit, sqrtf(square) - reach));
    return ik_add(joint, ik_scale(lift, along - sqrtf(rest)));
}

#endif
