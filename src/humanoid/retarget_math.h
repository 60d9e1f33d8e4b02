// SPDX-License-Identifier: MIT
// Inline vectors, rotations and similarity transforms in double precision. Retargeting multiplies rotations
// along entire chains and divides them out again. In doubles, unchanged values come back bit-identical or within
// one float rounding.
#ifndef SINEWI_RETARGET_MATH_H
#define SINEWI_RETARGET_MATH_H

#include <sinew/pose.h>

#include "base/float_rules.h"

#include <math.h>

typedef struct rt_vec {
    double x, y, z;
} rt_vec;

typedef struct rt_quat {
    double x, y, z, w;
} rt_quat;

// Uniform scale, then rotation, then translation.
typedef struct rt_similarity {
    rt_vec position;
    rt_quat rotation;
    double scale;
} rt_similarity;

// ---- Vectors -------------------------------------------------------------------------------------------------

static inline rt_vec rt_make_vec(double x, double y, double z) {
    rt_vec v = {x, y, z};
    return v;
}

static inline rt_vec rt_add(rt_vec a, rt_vec b) {
    return rt_make_vec(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline rt_vec rt_subtract(rt_vec a, rt_vec b) {
    return rt_make_vec(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline rt_vec rt_scale(rt_vec v, double factor) {
    return rt_make_vec(v.x * factor, v.y * factor, v.z * factor);
}

static inline double rt_dot(rt_vec a, rt_vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline rt_vec rt_cross(rt_vec a, rt_vec b) {
    return rt_make_vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double rt_length(rt_vec v) {
    return sqrt(rt_dot(v, v));
}

// The part of a vector that is perpendicular to a unit vector.
static inline rt_vec rt_reject(rt_vec v, rt_vec unit) {
    return rt_subtract(v, rt_scale(unit, rt_dot(v, unit)));
}

static inline rt_vec rt_up(sinew_up up) {
    return up == SINEW_UP_Z ? rt_make_vec(0, 0, 1) : rt_make_vec(0, 1, 0);
}

// ---- Rotations -----------------------------------------------------------------------------------------------

static inline rt_quat rt_make_quat(double x, double y, double z, double w) {
    rt_quat q = {x, y, z, w};
    return q;
}

static inline rt_quat rt_identity(void) {
    return rt_make_quat(0, 0, 0, 1);
}

static inline rt_quat rt_conjugate(rt_quat q) {
    return rt_make_quat(-q.x, -q.y, -q.z, q.w);
}

static inline rt_quat rt_multiply(rt_quat a, rt_quat b) {
    return rt_make_quat(
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
        a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}

static inline double rt_quat_dot(rt_quat a, rt_quat b) {
    return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w);
}

static inline rt_quat rt_normalize(rt_quat q) {
    double factor = 1.0 / sqrt(rt_quat_dot(q, q));
    return rt_make_quat(q.x * factor, q.y * factor, q.z * factor, q.w * factor);
}

// Normalizes a quaternion that is unit within 1e-4, without a root or a division. It's one step of Newton's method. The
// error is 3/8 of the squared error of the squared length.
static inline rt_quat rt_renormalize(rt_quat q) {
    double factor = 1.5 - 0.5 * rt_quat_dot(q, q);
    return rt_make_quat(q.x * factor, q.y * factor, q.z * factor, q.w * factor);
}

// Same as sinew_quat_rotate.
static inline rt_vec rt_rotate(rt_quat q, rt_vec v) {
    rt_vec axis = rt_make_vec(q.x, q.y, q.z);
    rt_vec inner = rt_add(rt_cross(axis, v), rt_scale(v, q.w));
    return rt_add(v, rt_scale(rt_cross(axis, inner), 2.0));
}

static inline rt_vec rt_rotate_back(rt_quat q, rt_vec v) {
    return rt_rotate(rt_conjugate(q), v);
}

// Normalized weighted sum on one hemisphere: a at t = 0, b at t = 1.
static inline rt_quat rt_blend(rt_quat a, rt_quat b, double t) {
    double s = 1.0 - t;
    if (rt_quat_dot(a, b) < 0.0) t = -t;
    return rt_normalize(rt_make_quat(s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z, s * a.w + t * b.w));
}

// The shortest rotation from one direction to another. The identity for zero-length vectors, and for opposite
// directions, which have no shortest rotation.
static inline rt_quat rt_between(rt_vec from, rt_vec to) {
    double lengths = sqrt(rt_dot(from, from) * rt_dot(to, to)), w = lengths + rt_dot(from, to);
    rt_vec cross = rt_cross(from, to);
    if (!(w > 1e-12 * lengths)) return rt_identity();
    return rt_normalize(rt_make_quat(cross.x, cross.y, cross.z, w));
}

// The rotation about a unit axis between two directions perpendicular to it. Half a turn for opposite ones.
static inline rt_quat rt_about(rt_vec axis, rt_vec from, rt_vec to) {
    double lengths = sqrt(rt_dot(from, from) * rt_dot(to, to));
    if (!(lengths > 0.0)) return rt_identity();
    double w = lengths + rt_dot(from, to), s = rt_dot(axis, rt_cross(from, to));
    if (w < 1e-12 * lengths) w = 0.0, s = lengths;
    return rt_normalize(rt_make_quat(axis.x * s, axis.y * s, axis.z * s, w));
}

// ---- Similarity transforms -----------------------------------------------------------------------------------

static inline rt_vec rt_point(const rt_similarity *space, rt_vec local) {
    return rt_add(space->position, rt_scale(rt_rotate(space->rotation, local), space->scale));
}

static inline rt_vec rt_point_to_local(const rt_similarity *space, rt_vec position) {
    rt_vec local = rt_rotate_back(space->rotation, rt_subtract(position, space->position));
    return space->scale == 1.0 ? local : rt_scale(local, 1.0 / space->scale);
}

// The mean, because similarity transforms have a single factor. It's never 0, so nothing divides by 0.
static inline double rt_mean_scale(double x, double y, double z) {
    double mean = (fabs(x) + fabs(y) + fabs(z)) * (1.0 / 3.0);
    return mean > 1e-30 ? mean : 1e-30;
}

static inline rt_vec rt_pose_translation(const sinew_pose *pose, int32_t node) {
    return rt_make_vec((double)pose->tx[node], (double)pose->ty[node], (double)pose->tz[node]);
}

static inline rt_quat rt_pose_rotation(const sinew_pose *pose, int32_t node) {
    return rt_make_quat((double)pose->rx[node], (double)pose->ry[node], (double)pose->rz[node],
                        (double)pose->rw[node]);
}

static inline double rt_pose_scale(const sinew_pose *pose, int32_t node) {
    return rt_mean_scale((double)pose->sx[node], (double)pose->sy[node], (double)pose->sz[node]);
}

// A node's model transform, given its parent's.
static inline rt_similarity rt_child(const rt_similarity *parent, const sinew_pose *pose, int32_t node) {
    rt_similarity child = {rt_point(parent, rt_pose_translation(pose, node)),
                           rt_multiply(parent->rotation, rt_pose_rotation(pose, node)),
                           parent->scale * rt_pose_scale(pose, node)};
    return child;
}

#endif
