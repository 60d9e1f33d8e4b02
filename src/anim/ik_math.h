// Vectors, rotations and matrices in double, for the solvers of inverse kinematics: near where a limb is straight, an
// angle is the root of a small difference, and float would leave a thousandth of it to chance.
#ifndef SINEW_IK_MATH_H
#define SINEW_IK_MATH_H

#include <sinew/pose.h>

#include "base/rotation_vector.h"
#include "base/simd.h"

#include <math.h>

typedef struct ik_vec {
    double x, y, z;
} ik_vec;

typedef struct ik_quat {
    double x, y, z, w;
} ik_quat;

// What brings directions from model space to that of a node; see ik_into.
typedef struct ik_matrix {
    sinew_vec3 x, y, z; // rows
    float determinant;  // of the node's matrix, without its sign
} ik_matrix;

static const ik_quat ik_no_turn = {0.0, 0.0, 0.0, 1.0};

// ---- Vectors -------------------------------------------------------------------------------------------------

SINEW_INLINE ik_vec ik_wide(sinew_vec3 v) {
    return (ik_vec){(double)v.x, (double)v.y, (double)v.z};
}

SINEW_INLINE sinew_vec3 ik_narrow(ik_vec v) {
    return (sinew_vec3){(float)v.x, (float)v.y, (float)v.z};
}

SINEW_INLINE ik_vec ik_plus(ik_vec a, ik_vec b) {
    return (ik_vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

SINEW_INLINE ik_vec ik_minus(ik_vec a, ik_vec b) {
    return (ik_vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

SINEW_INLINE ik_vec ik_scaled(ik_vec v, double factor) {
    return (ik_vec){v.x * factor, v.y * factor, v.z * factor};
}

SINEW_INLINE double ik_dot(ik_vec a, ik_vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

SINEW_INLINE ik_vec ik_cross(ik_vec a, ik_vec b) {
    return (ik_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

SINEW_INLINE double ik_length(ik_vec v) {
    return sqrt(ik_dot(v, v));
}

SINEW_INLINE ik_vec ik_unit(ik_vec v) {
    return ik_scaled(v, 1.0 / ik_length(v));
}

// What of a vector is at right angles to a unit one.
SINEW_INLINE ik_vec ik_beside(ik_vec v, ik_vec unit) {
    return ik_minus(v, ik_scaled(unit, ik_dot(v, unit)));
}

// Some unit vector at right angles to a unit one.
SINEW_INLINE ik_vec ik_perpendicular(ik_vec unit) {
    ik_vec other = fabs(unit.x) < 0.6 ? (ik_vec){1.0, 0.0, 0.0} : (ik_vec){0.0, 1.0, 0.0};
    return ik_unit(ik_cross(unit, other));
}

SINEW_INLINE double ik_clamp01(double x) {
    return x > 1.0 ? 1.0 : x > 0.0 ? x : 0.0; // and what is not a number to 0
}

// ---- Rotations -----------------------------------------------------------------------------------------------

// In the order of terms of sinew_quat_multiply, for its reason.
SINEW_INLINE ik_quat ik_multiply(ik_quat a, ik_quat b) {
    return (ik_quat){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
        a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
}

SINEW_INLINE ik_quat ik_inverse_of(ik_quat q) {
    return (ik_quat){-q.x, -q.y, -q.z, q.w};
}

SINEW_INLINE ik_quat ik_normalized(ik_quat q) {
    double factor = 1.0 / sqrt((q.x * q.x + q.y * q.y) + (q.z * q.z + q.w * q.w));
    return (ik_quat){q.x * factor, q.y * factor, q.z * factor, q.w * factor};
}

SINEW_INLINE ik_quat ik_about(ik_vec axis, double half_sin, double half_cos) {
    return (ik_quat){axis.x * half_sin, axis.y * half_sin, axis.z * half_sin, half_cos};
}

// v + 2 q_v × (q_v × v + w v)
SINEW_INLINE ik_vec ik_rotate(ik_quat q, ik_vec v) {
    ik_vec axis = {q.x, q.y, q.z};
    ik_vec inner = ik_plus(ik_cross(axis, v), ik_scaled(v, q.w));
    return ik_plus(v, ik_scaled(ik_cross(axis, inner), 2.0));
}

// Whether two vectors are opposite, to the rounding of their arc, of which w is the product of their lengths and their own.
SINEW_INLINE bool ik_is_opposite(double w, double lengths) {
    return w < 1e-12 * lengths;
}

// The arc from one unit vector to another, of any length; half round anyhow, where they are opposite.
SINEW_INLINE ik_quat ik_arc(ik_vec from, ik_vec to) {
    double w = 1.0 + ik_dot(from, to);
    return ik_is_opposite(w, 1.0) ? ik_about(ik_perpendicular(from), 1.0, 0.0)
                                  : ik_about(ik_cross(from, to), 1.0, w);
}

// A part of the turn about a unit axis that brings one vector at right angles to it as near as can be to another.
SINEW_INLINE ik_quat ik_twist(ik_vec axis, ik_vec from, ik_vec to, double part) {
    double c = ik_dot(from, to), s = ik_dot(axis, ik_cross(from, to));
    double square = c * c + s * s;
    if (!(square > 0.0) || !(part > 0.0)) return ik_no_turn;
    double length = sqrt(square), half_cos = length + c, half_sin = s;
    if (half_cos <= 1e-12 * length) half_cos = 0.0, half_sin = length; // half round
    double factor = part / sqrt(half_cos * half_cos + half_sin * half_sin);
    return ik_normalized(ik_about(axis, half_sin * factor, (1.0 - part) + half_cos * factor));
}

// The tangent of half an angle up to 3.14; 0 for what is below 0.
SINEW_INLINE double ik_half_tangent(float angle) {
    if (!(angle > 0.0f)) return 0.0;
    float square = angle * angle;
    float s = angle * sinew_rotation_series(sinew_exponential_sine, SINEW_EXPONENTIAL_TERMS, square);
    return (double)(s / sinew_rotation_series(sinew_exponential_cosine, SINEW_EXPONENTIAL_TERMS, square));
}

// A blend as sinew_pose_blend has it.
SINEW_APART ik_quat ik_blend(ik_quat a, ik_quat b, double t) {
    double d = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w, s = 1.0 - t;
    if (d < 0.0) t = -t;
    return ik_normalized((ik_quat){s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z, s * a.w + t * b.w});
}

// ---- Matrices ------------------------------------------------------------------------------------------------

// What comes from matrices in float is computed in float as long as nothing depends on a small difference.

SINEW_INLINE sinew_vec3 ik_place(const sinew_affine *a) {
    return (sinew_vec3){a->m[0][3], a->m[1][3], a->m[2][3]};
}

SINEW_INLINE sinew_vec3 ik_between(sinew_vec3 from, sinew_vec3 to) {
    return (sinew_vec3){to.x - from.x, to.y - from.y, to.z - from.z};
}

SINEW_INLINE float ik_dot_narrow(sinew_vec3 a, sinew_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

SINEW_INLINE sinew_vec3 ik_cross_narrow(sinew_vec3 a, sinew_vec3 b) {
    return (sinew_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

SINEW_INLINE sinew_vec3 ik_opposite(sinew_vec3 v) {
    return (sinew_vec3){-v.x, -v.y, -v.z};
}

// As sinew_affine_direction.
SINEW_INLINE sinew_vec3 ik_direction(const sinew_affine *a, sinew_vec3 v) {
    return (sinew_vec3){
        a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
        a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
        a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z,
    };
}

// As sinew_affine_point.
SINEW_INLINE sinew_vec3 ik_point(const sinew_affine *a, sinew_vec3 p) {
    sinew_vec3 v = ik_direction(a, p);
    return (sinew_vec3){v.x + a->m[0][3], v.y + a->m[1][3], v.z + a->m[2][3]};
}

// From model space's directions to those that a node sees, but for their length: all come out |determinant| times as long,
// which is what angles and proportions do not ask for. A root's parent sees model space itself. The rows of the inverse,
// times the determinant, are the cross products of the columns.
SINEW_INLINE ik_matrix ik_into(const sinew_affine *model, int32_t node) {
    if (node == SINEW_NO_NODE) return (ik_matrix){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, 1};
    const sinew_affine *a = &model[node];
    sinew_vec3 x = {a->m[0][0], a->m[1][0], a->m[2][0]};
    sinew_vec3 y = {a->m[0][1], a->m[1][1], a->m[2][1]};
    sinew_vec3 z = {a->m[0][2], a->m[1][2], a->m[2][2]};
    ik_matrix into = {ik_cross_narrow(y, z), ik_cross_narrow(z, x), ik_cross_narrow(x, y), 0.0f};
    into.determinant = ik_dot_narrow(x, into.x);
    if (!(into.determinant < 0.0f)) return into;
    return (ik_matrix){ik_opposite(into.x), ik_opposite(into.y), ik_opposite(into.z), -into.determinant};
}

SINEW_INLINE ik_vec ik_times(ik_matrix a, sinew_vec3 v) {
    return (ik_vec){(double)ik_dot_narrow(a.x, v), (double)ik_dot_narrow(a.y, v), (double)ik_dot_narrow(a.z, v)};
}

// ---- Poses ---------------------------------------------------------------------------------------------------

SINEW_INLINE ik_quat ik_rotation(const sinew_pose *pose, int32_t node) {
    return (ik_quat){(double)pose->rx[node], (double)pose->ry[node], (double)pose->rz[node],
                     (double)pose->rw[node]};
}

SINEW_INLINE bool ik_is_below(const sinew_skeleton *skeleton, int32_t node, int32_t above) {
    return node > above && node < skeleton->subtree_ends[above];
}

SINEW_INLINE bool ik_are_finite(ik_quat a, ik_quat b) {
    return isfinite((a.x + a.y + a.z + a.w) + (b.x + b.y + b.z + b.w));
}

// As sinew_quat_rotate, by a node's rotation.
SINEW_INLINE sinew_vec3 ik_rotate_narrow(const sinew_pose *pose, int32_t node, sinew_vec3 v) {
    sinew_vec3 axis = {pose->rx[node], pose->ry[node], pose->rz[node]};
    float w = pose->rw[node];
    sinew_vec3 c = ik_cross_narrow(axis, v);
    sinew_vec3 inner = {c.x + w * v.x, c.y + w * v.y, c.z + w * v.z};
    c = ik_cross_narrow(axis, inner);
    return (sinew_vec3){v.x + 2.0f * c.x, v.y + 2.0f * c.y, v.z + 2.0f * c.z};
}

// Turns a node to a unit rotation, by a part of the way.
SINEW_INLINE void ik_write_rotation(sinew_pose *pose, int32_t node, ik_quat q) {
    pose->rx[node] = (float)q.x, pose->ry[node] = (float)q.y, pose->rz[node] = (float)q.z;
    pose->rw[node] = (float)q.w;
}

SINEW_INLINE void ik_set_rotation(sinew_pose *pose, int32_t node, ik_quat q, double weight) {
    if (weight < 1.0) q = ik_blend(ik_rotation(pose, node), q, weight);
    pose->rx[node] = (float)q.x, pose->ry[node] = (float)q.y, pose->rz[node] = (float)q.z;
    pose->rw[node] = (float)q.w;
}

// ---- Softness ------------------------------------------------------------------------------------------------

// Follows x up to `from`, and from there on nears `limit`, from <= limit: e^-a with (1 + a / 4)^-4 in its place.
SINEW_INLINE double ik_soften(double x, double from, double limit) {
    if (!(x > from)) return x;
    double room = limit - from;
    if (!(room > 0.0)) return limit;
    double root = 1.0 / (1.0 + 0.25 * (x - from) / room), square = root * root;
    return from + room * (1.0 - square * square);
}

#endif
