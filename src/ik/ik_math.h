// Vectors, rotations and matrices for the solvers of inverse kinematics. They take half of a solver's time as calls, so
// they stand here to be inlined.
#ifndef SINEW_IK_MATH_H
#define SINEW_IK_MATH_H

#include <sinew/pose.h>

#include "core/rotation_vector.h"
#include "core/simd.h"

#include <float.h>
#include <math.h>

static const sinew_quat ik_no_turn = {0.0f, 0.0f, 0.0f, 1.0f};

// ---- Vectors -------------------------------------------------------------------------------------------------

SINEW_INLINE sinew_vec3 ik_plus(sinew_vec3 a, sinew_vec3 b) {
    return (sinew_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

SINEW_INLINE sinew_vec3 ik_minus(sinew_vec3 a, sinew_vec3 b) {
    return (sinew_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

SINEW_INLINE sinew_vec3 ik_scaled(sinew_vec3 v, float factor) {
    return (sinew_vec3){v.x * factor, v.y * factor, v.z * factor};
}

SINEW_INLINE float ik_dot(sinew_vec3 a, sinew_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

SINEW_INLINE sinew_vec3 ik_cross(sinew_vec3 a, sinew_vec3 b) {
    return (sinew_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

SINEW_INLINE float ik_length(sinew_vec3 v) {
    return sqrtf(ik_dot(v, v));
}

SINEW_INLINE sinew_vec3 ik_unit(sinew_vec3 v) {
    return ik_scaled(v, 1.0f / ik_length(v));
}

// What of a vector is at right angles to a unit one.
SINEW_INLINE sinew_vec3 ik_beside(sinew_vec3 v, sinew_vec3 unit) {
    return ik_minus(v, ik_scaled(unit, ik_dot(v, unit)));
}

// Whether what is left of a vector beside a line may be mere rounding, as the vector is in that line.
SINEW_INLINE bool ik_is_in_line(sinew_vec3 v, sinew_vec3 beside) {
    const float in_line = 1e-8f; // the square of a sine
    return ik_dot(beside, beside) < in_line * ik_dot(v, v);
}

// Some unit vector at right angles to another of any length.
SINEW_INLINE sinew_vec3 ik_perpendicular(sinew_vec3 v) {
    bool along_x = v.x * v.x > 0.5f * ik_dot(v, v);
    return ik_unit(ik_cross(v, along_x ? (sinew_vec3){0, 1, 0} : (sinew_vec3){1, 0, 0}));
}

SINEW_INLINE float ik_clamp01(float x) {
    return x > 1.0f ? 1.0f : x > 0.0f ? x : 0.0f; // and what is not a number to 0
}

// ---- Rotations -----------------------------------------------------------------------------------------------

// As sinew_quat_multiply.
SINEW_INLINE sinew_quat ik_multiply(sinew_quat a, sinew_quat b) {
    return (sinew_quat){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
        a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
}

SINEW_INLINE sinew_quat ik_inverse(sinew_quat q) {
    return (sinew_quat){-q.x, -q.y, -q.z, q.w};
}

SINEW_INLINE float ik_square(sinew_quat q) {
    return (q.x * q.x + q.y * q.y) + (q.z * q.z + q.w * q.w);
}

// Whether this is the square of something that can be made unit: neither next to nothing, where squares lose their
// digits, nor beyond all numbers.
SINEW_INLINE bool ik_is_answer(float square) {
    return square >= FLT_MIN && square <= FLT_MAX;
}

SINEW_INLINE sinew_quat ik_divided(sinew_quat q, float square) {
    float factor = 1.0f / sqrtf(square);
    return (sinew_quat){q.x * factor, q.y * factor, q.z * factor, q.w * factor};
}

SINEW_INLINE sinew_quat ik_normalized(sinew_quat q) {
    return ik_divided(q, ik_square(q));
}

SINEW_INLINE sinew_quat ik_about(sinew_vec3 axis, float half_sin, float half_cos) {
    return (sinew_quat){axis.x * half_sin, axis.y * half_sin, axis.z * half_sin, half_cos};
}

// As sinew_quat_rotate.
SINEW_INLINE sinew_vec3 ik_rotate(sinew_quat q, sinew_vec3 v) {
    sinew_vec3 axis = {q.x, q.y, q.z};
    sinew_vec3 inner = ik_plus(ik_cross(axis, v), ik_scaled(v, q.w));
    return ik_plus(v, ik_scaled(ik_cross(axis, inner), 2.0f));
}

// The shortest rotation from one vector to another, of no certain length; given the product of their lengths. That is
// (v × w, |v| |w| + v · w), and nothing for what has no length. Where they are nearly opposite, the sum is what is left of
// two large numbers, and is found from the cross product; where they are opposite, half round about an axis at right angles
// to them is as short as any.
SINEW_INLINE sinew_quat ik_arc(sinew_vec3 from, sinew_vec3 to, float lengths, sinew_vec3 axis) {
    sinew_vec3 cross = ik_cross(from, to);
    float dot = ik_dot(from, to), w = lengths + dot;
    if (w < 0.25f * lengths) {
        w = ik_dot(cross, cross) / (lengths - dot);
        if (w < 1e-12f * lengths) return ik_about(ik_unit(axis), 1.0f, 0.0f);
    }
    return ik_about(cross, 1.0f, w);
}

// A part of the turn about a unit axis that brings one vector at right angles to it as near as can be to another.
SINEW_INLINE sinew_quat ik_twist(sinew_vec3 axis, sinew_vec3 from, sinew_vec3 to, float part) {
    float c = ik_dot(from, to), s = ik_dot(axis, ik_cross(from, to)), length = sqrtf(c * c + s * s);
    if (!(length > 0.0f) || !(part > 0.0f)) return ik_no_turn;
    float half_cos = c < 0.0f ? s * s / (length - c) : length + c, half_sin = s;
    if (half_cos <= 1e-12f * length) half_cos = 0.0f, half_sin = length; // half round
    float factor = part / sqrtf(half_cos * half_cos + half_sin * half_sin);
    return ik_normalized(ik_about(axis, half_sin * factor, (1.0f - part) + half_cos * factor));
}

// The tangent of half an angle up to 3.14; 0 for what is below 0.
SINEW_INLINE float ik_half_tangent(float angle) {
    if (!(angle > 0.0f)) return 0.0f;
    float square = angle * angle;
    float s = angle * sinew_rotation_series(sinew_exponential_sine, SINEW_EXPONENTIAL_TERMS, square);
    return s / sinew_rotation_series(sinew_exponential_cosine, SINEW_EXPONENTIAL_TERMS, square);
}

// A blend as sinew_pose_blend has it.
SINEW_NOINLINE sinew_quat ik_blend(sinew_quat a, sinew_quat b, float t) {
    float d = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w, s = 1.0f - t;
    if (d < 0.0f) t = -t;
    return ik_normalized((sinew_quat){s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z, s * a.w + t * b.w});
}

// ---- Matrices ------------------------------------------------------------------------------------------------

SINEW_INLINE sinew_vec3 ik_place(const sinew_affine *a) {
    return (sinew_vec3){a->m[0][3], a->m[1][3], a->m[2][3]};
}

// As sinew_affine_direction and sinew_affine_point.
SINEW_INLINE sinew_vec3 ik_direction(const sinew_affine *a, sinew_vec3 v) {
    return (sinew_vec3){
        a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
        a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
        a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z,
    };
}

SINEW_INLINE sinew_vec3 ik_point(const sinew_affine *a, sinew_vec3 p) {
    return ik_plus(ik_direction(a, p), ik_place(a));
}

// What brings directions from model space to that of a node, times the determinant of the node's matrix. Angles and
// proportions do not ask for that factor, nor do turns, mirrored or not; and a division is saved that all else waits for.
// Solvers have the fourth power of the square of scale: from a thousandth to a thousand there is room.
typedef struct ik_matrix {
    sinew_vec3 x, y, z; // rows
    float determinant;
} ik_matrix;

// A root's parent sees model space itself. The rows of the inverse, times the determinant, are the cross products of the
// columns.
SINEW_INLINE ik_matrix ik_into(const sinew_affine *model, int32_t node) {
    if (node == SINEW_NO_NODE) return (ik_matrix){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, 1};
    const sinew_affine *a = &model[node];
    sinew_vec3 x = {a->m[0][0], a->m[1][0], a->m[2][0]};
    sinew_vec3 y = {a->m[0][1], a->m[1][1], a->m[2][1]};
    sinew_vec3 z = {a->m[0][2], a->m[1][2], a->m[2][2]};
    sinew_vec3 across = ik_cross(y, z);
    return (ik_matrix){across, ik_cross(z, x), ik_cross(x, y), ik_dot(x, across)};
}

SINEW_INLINE sinew_vec3 ik_times(ik_matrix a, sinew_vec3 v) {
    return (sinew_vec3){ik_dot(a.x, v), ik_dot(a.y, v), ik_dot(a.z, v)};
}

// ---- Poses ---------------------------------------------------------------------------------------------------

SINEW_INLINE bool ik_is_below(const sinew_skeleton *skeleton, int32_t node, int32_t above) {
    return node > above && node < skeleton->subtree_ends[above];
}

SINEW_INLINE sinew_quat ik_rotation(const sinew_pose *pose, int32_t node) {
    return (sinew_quat){pose->rx[node], pose->ry[node], pose->rz[node], pose->rw[node]};
}

// Turns a node to a unit rotation, by a part of the way.
SINEW_INLINE void ik_set_rotation(sinew_pose *pose, int32_t node, sinew_quat q, float part) {
    if (part < 1.0f) q = ik_blend(ik_rotation(pose, node), q, part);
    pose->rx[node] = q.x, pose->ry[node] = q.y, pose->rz[node] = q.z, pose->rw[node] = q.w;
}

// ---- Softness ------------------------------------------------------------------------------------------------

// Follows x up to `from`, and from there on nears `limit`, from <= limit: 1 - e^-a with (1 + a / 4)^-4 for e^-a, which has
// its slope and nearly its course.
SINEW_INLINE float ik_soften(float x, float from, float limit) {
    if (!(x > from)) return x;
    float room = limit - from;
    if (!(room > 0.0f)) return limit;
    float root = 1.0f / (1.0f + 0.25f * (x - from) / room), square = root * root;
    return from + room * (1.0f - square * square);
}

#endif
