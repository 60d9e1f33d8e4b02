// SPDX-License-Identifier: MIT
// Steps a row of spring joints, one chain per lane. Included after an instruction set's vectors. See spring_kernels.h.
//
// Under VRMC_springBone 1.0, inertia and forces move a tail, and then its length is restored along the new bone. Other
// chains are solved as ropes first (spring_rope.h). After that, each bone is rotated out of colliders and into its
// limit. The joint's rotation is the shortest one from the bone in the pose to the new bone.
//
// A bone's tail moves on a sphere around its head, so a collider forbids a cone of directions. For a sphere at the
// distance D from the head, the cosine of the cone's angle to the line through its center is (L² + D² - R²) / (2 L
// D). R is the sum of the radii and L the bone's length. For a plane at the height h below the head, the cosine of the
// angle to its normal is (radius - h) / L. The bone rotates to the nearest direction on the cone. A capsule acts like a
// sphere around the point on its axis that is nearest to the tail. That point moves as the bone rotates, so capsules
// take several passes. VRMC_springBone 1.0 instead pushes the tail out along the shortest path and restores the length,
// once per collider.
#ifndef SINEWI_SPRING_ROWS_H
#define SINEWI_SPRING_ROWS_H

#include "body/spring_lanes.h"

#include <float.h>

#define SPRING_ALL_LANES ((uint32_t)((1u << SIMD_WIDTH) - 1))

typedef struct vec3 {
    vec x, y, z;
} vec3;

SIMD_INLINE vec3 vec3_of(const vec *in) {
    return (vec3){in[0], in[1], in[2]};
}

SIMD_INLINE vec3 vec3_splat(const float v[3]) {
    return (vec3){vec_splat(v[0]), vec_splat(v[1]), vec_splat(v[2])};
}

SIMD_INLINE vec3 vec3_add(vec3 a, vec3 b) {
    return (vec3){vec_add(a.x, b.x), vec_add(a.y, b.y), vec_add(a.z, b.z)};
}

SIMD_INLINE vec3 vec3_sub(vec3 a, vec3 b) {
    return (vec3){vec_sub(a.x, b.x), vec_sub(a.y, b.y), vec_sub(a.z, b.z)};
}

SIMD_INLINE vec3 vec3_scale(vec3 a, vec f) {
    return (vec3){vec_mul(a.x, f), vec_mul(a.y, f), vec_mul(a.z, f)};
}

SIMD_INLINE vec vec3_dot(vec3 a, vec3 b) {
    return vec_add(vec_add(vec_mul(a.x, b.x), vec_mul(a.y, b.y)), vec_mul(a.z, b.z));
}

SIMD_INLINE vec3 vec3_cross(vec3 a, vec3 b) {
    return (vec3){vec_sub(vec_mul(a.y, b.z), vec_mul(a.z, b.y)), vec_sub(vec_mul(a.z, b.x), vec_mul(a.x, b.z)),
                  vec_sub(vec_mul(a.x, b.y), vec_mul(a.y, b.x))};
}

SIMD_INLINE vec3 vec3_select(vec_mask mask, vec3 a, vec3 b) {
    return (vec3){vec_select(mask, a.x, b.x), vec_select(mask, a.y, b.y), vec_select(mask, a.z, b.z)};
}

// Rotates by a unit quaternion: v + 2 q × (q × v + w v).
SIMD_INLINE vec3 vec3_rotate(const vec q[4], vec3 v) {
    const vec3 axis = vec3_of(q), inner = vec3_add(vec3_cross(axis, v), vec3_scale(v, q[3]));
    return vec3_add(v, vec3_scale(vec3_cross(axis, inner), vec_splat(2.0f)));
}

// ---- Planes --------------------------------------------------------------------------------------------------

SIMD_INLINE vec3 load_vec3(const float *planes, size_t lane_count, size_t lane) {
    return (vec3){vec_load(planes + lane), vec_load(planes + lane_count + lane),
                  vec_load(planes + 2 * lane_count + lane)};
}

SIMD_INLINE void load_quat(const float *planes, size_t lane_count, size_t lane, vec out[4]) {
    for (size_t i = 0; i < 4; i++) out[i] = vec_load(planes + i * lane_count + lane);
}

// Stores only the lanes of the mask.
SIMD_INLINE void store_lanes(float *to, vec_mask mask, vec v) {
    vec_store(to, vec_select(mask, v, vec_load(to)));
}

SIMD_INLINE void store_vec3(float *planes, size_t lane_count, size_t lane, vec_mask mask, vec3 v) {
    store_lanes(planes + lane, mask, v.x);
    store_lanes(planes + lane_count + lane, mask, v.y);
    store_lanes(planes + 2 * lane_count + lane, mask, v.z);
}

// Stores three planes of SINEWI_SPRING_LANES.
SIMD_INLINE void vec3_put(float *planes, size_t lane, vec3 v) {
    const size_t width = SINEWI_SPRING_LANES;
    vec_store(planes + lane, v.x);
    vec_store(planes + width + lane, v.y);
    vec_store(planes + 2 * width + lane, v.z);
}

SIMD_INLINE void store_quat(float *planes, size_t lane_count, size_t lane, vec_mask mask, const vec q[4]) {
    for (size_t i = 0; i < 4; i++) store_lanes(planes + i * lane_count + lane, mask, q[i]);
}

// Loads the lanes' matrices.
SIMD_INLINE void load_frames(const sinewi_spring_job *job, size_t lane, vec frame[12]) {
    for (size_t i = 0; i < 12; i++) frame[i] = vec_load(&job->frames[i][lane]);
}

SIMD_INLINE vec3 frame_column(const vec frame[12], size_t column) {
    return (vec3){frame[column], frame[4 + column], frame[8 + column]};
}

// The frame × a direction.
SIMD_INLINE vec3 frame_direction(const vec frame[12], vec3 v) {
    const vec3 x = vec3_scale(frame_column(frame, 0), v.x), y = vec3_scale(frame_column(frame, 1), v.y);
    return vec3_add(vec3_add(x, y), vec3_scale(frame_column(frame, 2), v.z));
}

// A vector of any length, perpendicular to v.
SIMD_INLINE vec3 perpendicular(vec3 v) {
    const vec zero = vec_splat(0.0f);
    const vec3 of_x = {zero, v.z, vec_sub(zero, v.y)}, of_y = {vec_sub(zero, v.z), zero, v.x};
    const vec_mask is_along_x = vec_less(vec_mul(vec_splat(0.5f), vec3_dot(v, v)), vec_mul(v.x, v.x));
    return vec3_select(is_along_x, of_y, of_x);
}

// The shortest rotation between two vectors of any length, not normalized: (v × w, |v| |w| + v · w). For nearly
// opposite vectors, the sum is computed from the cross product. Opposite vectors get a half turn.
SIMD_INLINE void rotation_between(vec3 from, vec3 to, vec out[4]) {
    const vec zero = vec_splat(0.0f);
    const vec lengths = vec_sqrt(vec_mul(vec3_dot(from, from), vec3_dot(to, to)));
    vec3 axis = vec3_cross(from, to);
    const vec dot = vec3_dot(from, to);
    vec w = vec_add(lengths, dot);
    const vec_mask is_far = vec_less(w, vec_mul(vec_splat(0.25f), lengths));
    if (vec_any(is_far)) {
        w = vec_select(is_far, vec_div(vec3_dot(axis, axis), vec_sub(lengths, dot)), w);
        const vec_mask is_opposite = vec_less(w, vec_mul(vec_splat(1e-12f), lengths));
        axis = vec3_select(is_opposite, perpendicular(from), axis);
        w = vec_select(is_opposite, zero, w);
    }
    out[0] = axis.x, out[1] = axis.y, out[2] = axis.z, out[3] = w;
}

// a × b
SIMD_INLINE void multiply_rotations(const vec a[4], const vec b[4], vec out[4]) {
    out[0] = vec_add(vec_add(vec_mul(a[3], b[0]), vec_mul(a[0], b[3])),
                     vec_sub(vec_mul(a[1], b[2]), vec_mul(a[2], b[1])));
    out[1] = vec_add(vec_add(vec_mul(a[3], b[1]), vec_mul(a[1], b[3])),
                     vec_sub(vec_mul(a[2], b[0]), vec_mul(a[0], b[2])));
    out[2] = vec_add(vec_add(vec_mul(a[3], b[2]), vec_mul(a[2], b[3])),
                     vec_sub(vec_mul(a[0], b[1]), vec_mul(a[1], b[0])));
    out[3] = vec_sub(vec_sub(vec_mul(a[3], b[3]), vec_mul(a[0], b[0])),
                     vec_add(vec_mul(a[1], b[1]), vec_mul(a[2], b[2])));
}

SIMD_INLINE vec quat_square(const vec q[4]) {
    return vec_add(vec_add(vec_mul(q[0], q[0]), vec_mul(q[1], q[1])),
                   vec_add(vec_mul(q[2], q[2]), vec_mul(q[3], q[3])));
}

// Columns of a quaternion's matrix. The quaternion may have any length, and `square` is its squared length.
SIMD_INLINE void rotation_columns(const vec q[4], vec square, vec3 columns[3]) {
    const vec one = vec_splat(1.0f), two = vec_div(vec_splat(2.0f), square);
    const vec x = vec_mul(q[0], two), y = vec_mul(q[1], two), z = vec_mul(q[2], two);
    const vec xx = vec_mul(q[0], x), yy = vec_mul(q[1], y), zz = vec_mul(q[2], z), xy = vec_mul(q[0], y);
    const vec xz = vec_mul(q[0], z), yz = vec_mul(q[1], z), wx = vec_mul(q[3], x), wy = vec_mul(q[3], y);
    const vec wz = vec_mul(q[3], z);
    columns[0] = (vec3){vec_sub(one, vec_add(yy, zz)), vec_add(xy, wz), vec_sub(xz, wy)};
    columns[1] = (vec3){vec_sub(xy, wz), vec_sub(one, vec_add(xx, zz)), vec_add(yz, wx)};
    columns[2] = (vec3){vec_add(xz, wy), vec_sub(yz, wx), vec_sub(one, vec_add(xx, yy))};
}

// ---- The pose ------------------------------------------------------------------------------------------------

typedef struct spring_pose {
    vec3 translation, scale;
    vec3 bone; // the tail in the joint's space × its scale
    vec rotation[4];
} spring_pose;

// Leaves unit rotations bit-identical, and turns zero rotations into the identity. Non-finite ones stay non-finite.
SIMD_INLINE void normalize_rotations(vec q[4]) {
    const vec one = vec_splat(1.0f), square = quat_square(q), off = vec_sub(square, one);
    const vec_mask is_unit = vec_less(vec_mul(off, off), vec_splat(1e-12f));
    if (vec_bits(is_unit) == SPRING_ALL_LANES) return;
    const vec_mask is_zero = vec_less(square, vec_splat(FLT_MIN));
    const vec factor = vec_select(is_unit, one, vec_div(one, vec_sqrt(square)));
    for (int i = 0; i < 4; i++) {
        q[i] = vec_select(is_zero, vec_splat(i < 3 ? 0.0f : 1.0f), vec_mul(q[i], factor));
    }
}

// The pose of this frame.
SIMD_INLINE spring_pose load_pose(const sinewi_spring_job *job, size_t lane) {
    const float *planes = job->pose;
    const size_t width = SINEWI_SPRING_LANES;
    spring_pose p;
    p.translation = load_vec3(planes + SINEWI_SPRING_POSE_TRANSLATION * width, width, lane);
    p.scale = load_vec3(planes + SINEWI_SPRING_POSE_SCALE * width, width, lane);
    const vec3 tail = load_vec3(job->tails, width, lane);
    p.bone = (vec3){vec_mul(p.scale.x, tail.x), vec_mul(p.scale.y, tail.y), vec_mul(p.scale.z, tail.z)};
    load_quat(planes + SINEWI_SPRING_POSE_ROTATION * width, width, lane, p.rotation);
    if (job->rest_lanes) {
        const vec_mask is_rest = vec_mask_from_bits((job->rest_lanes >> lane) & SPRING_ALL_LANES);
        vec rest[4];
        load_quat(job->constants + SINEWI_SPRING_REST * job->lane_count, job->lane_count, lane, rest);
        for (int i = 0; i < 4; i++) p.rotation[i] = vec_select(is_rest, rest[i], p.rotation[i]);
    }
    normalize_rotations(p.rotation);
    return p;
}

// The pose of the last frame.
SIMD_INLINE spring_pose load_last_pose(const sinewi_spring_job *job, size_t lane) {
    spring_pose p;
    p.translation = load_vec3(job->state + SINEWI_SPRING_TRANSLATION * job->lane_count, job->lane_count, lane);
    p.bone = load_vec3(job->state + SINEWI_SPRING_BONE * job->lane_count, job->lane_count, lane);
    load_quat(job->state + SINEWI_SPRING_ROTATION * job->lane_count, job->lane_count, lane, p.rotation);
    p.scale = load_vec3(job->state + SINEWI_SPRING_SCALE * job->lane_count, job->lane_count, lane);
    return p;
}

SIMD_INLINE vec3 vec3_mix(vec3 a, vec3 b, vec t) {
    return vec3_add(a, vec3_scale(vec3_sub(b, a), t));
}

// Blends rotations along the shorter arc.
SIMD_INLINE void mix_rotations(const vec a[4], vec t, vec b[4]) {
    const vec zero = vec_splat(0.0f);
    const vec dot = vec_add(vec_add(vec_mul(a[0], b[0]), vec_mul(a[1], b[1])),
                            vec_add(vec_mul(a[2], b[2]), vec_mul(a[3], b[3])));
    const vec s = vec_sub(vec_splat(1.0f), t), u = vec_select(vec_less(dot, zero), vec_sub(zero, t), t);
    for (int i = 0; i < 4; i++) b[i] = vec_add(vec_mul(s, a[i]), vec_mul(u, b[i]));
    const vec factor = vec_div(vec_splat(1.0f), vec_sqrt(quat_square(b)));
    for (int i = 0; i < 4; i++) b[i] = vec_mul(b[i], factor);
}

// The pose at the time of the step.
SIMD_INLINE spring_pose load_step_pose(const sinewi_spring_job *job, size_t lane) {
    spring_pose p = load_pose(job, lane);
    if (job->alpha >= 1.0f) return p;
    const spring_pose last = load_last_pose(job, lane);
    const vec t = vec_splat(job->alpha);
    p.translation = vec3_mix(last.translation, p.translation, t);
    p.bone = vec3_mix(last.bone, p.bone, t);
    p.scale = vec3_mix(last.scale, p.scale, t);
    mix_rotations(last.rotation, t, p.rotation);
    return p;
}

#include "body/spring_rope.h"

// ---- Swinging ------------------------------------------------------------------------------------------------

// The last step's bones in the world. See SINEWI_SPRING_VECTOR.
typedef struct spring_last {
    vec3 vector, motion, head, in_pose;
} spring_last;

// The new bones in the world, starting at their heads, and the bones in the pose.
typedef struct spring_bones {
    vec3 head, vector, in_pose;
    vec square, length, radius; // `square` is the squared length
} spring_bones;

// The last step, moved along with the centers.
SIMD_INLINE spring_last load_last(const sinewi_spring_job *job, size_t lane) {
    const size_t count = job->lane_count;
    spring_last last;
    last.vector = load_vec3(job->state + SINEWI_SPRING_VECTOR * count, count, lane);
    last.motion = load_vec3(job->state + SINEWI_SPRING_MOTION * count, count, lane);
    last.head = load_vec3(job->state + SINEWI_SPRING_HEAD * count, count, lane);
    last.in_pose = load_vec3(job->state + SINEWI_SPRING_IN_POSE * count, count, lane);
    if (!job->has_motion) return last;
    vec motion[7];
    for (size_t i = 0; i < 7; i++) motion[i] = vec_load(&job->motion[i][lane]);
    last.vector = vec3_rotate(motion, last.vector);
    last.motion = vec3_rotate(motion, last.motion);
    last.head = vec3_add(vec3_rotate(motion, last.head), vec3_of(motion + 4));
    last.in_pose = vec3_rotate(motion, last.in_pose);
    return last;
}

SIMD_INLINE vec load_constant(const sinewi_spring_job *job, size_t plane, size_t lane) {
    return vec_load(job->constants + plane * job->lane_count + lane);
}

// The tails' motion during a step, before lengths are restored. `of_head` is the heads' motion.
SIMD_INLINE vec3 swing_tails(const sinewi_spring_job *job, size_t lane, const spring_last *last,
                             const spring_bones *b, vec3 of_head) {
    vec3 motion = last->motion;
    const vec damping = load_constant(job, SINEWI_SPRING_DAMPING, lane);
    const vec a_step = vec_splat(job->fraction > 0.0f ? 1.0f / job->fraction : 0.0f);
    const vec3 of_pose = vec3_scale(vec3_add(of_head, vec3_sub(b->in_pose, last->in_pose)), a_step);
    const vec3 damped = vec3_add(of_pose, vec3_scale(vec3_sub(motion, of_pose), damping));
    motion = vec3_select(vec_less(damping, vec_splat(1.0f)), damped, motion);
    motion = vec3_scale(motion, load_constant(job, SINEWI_SPRING_DRAG, lane));
    motion = vec3_add(motion, vec3_scale(vec3_splat(job->wind), load_constant(job, SINEWI_SPRING_WIND, lane)));
    const vec pull = vec_div(load_constant(job, SINEWI_SPRING_PULL, lane), b->length);
    motion = vec3_add(motion, vec3_scale(b->in_pose, pull));
    motion =
        vec3_add(motion, load_vec3(job->constants + SINEWI_SPRING_FALL * job->lane_count, job->lane_count, lane));
    return vec3_scale(motion, vec_splat(job->fraction));
}

// Scales a vector to a length. Returns `other` if the vector has no direction.
SIMD_INLINE vec3 with_length(vec3 v, vec length, vec3 other) {
    const vec square = vec3_dot(v, v);
    return vec3_select(vec_less(vec_splat(0.0f), square), vec3_scale(v, vec_div(length, vec_sqrt(square))), other);
}

SIMD_INLINE const float *row_work(const sinewi_spring_job *job, size_t plane) {
    return job->work + ((size_t)job->row * ROPE_WORK + plane) * job->lane_count;
}

// The new bones before colliders and limits. Bones whose length is or was 0 follow the pose.
SIMD_INLINE vec3 swing_bones(const sinewi_spring_job *job, size_t lane, const spring_last *last,
                             const spring_bones *b, vec3 of_head) {
    if (job->starts) return b->in_pose;
    if (!job->is_vrm)
        return with_length(load_vec3(row_work(job, ROPE_ROD), job->lane_count, lane), b->length, b->in_pose);
    const vec3 v = vec3_sub(vec3_add(last->vector, swing_tails(job, lane, last, b, of_head)), of_head);
    const vec3 bone = vec3_scale(v, vec_div(b->length, vec_sqrt(vec3_dot(v, v))));
    return vec3_select(vec_less(vec_splat(0.0f), b->length), bone, b->in_pose);
}

// Bones that rotate by fewer radians than this in a step keep their last vector. Otherwise a chain at rest would never
// settle, because each joint swings several times as far from rounding as the joint above it.
#define SPRING_HOLD 4e-7f

SIMD_INLINE vec3 hold_bones(const sinewi_spring_job *job, const spring_last *last, const spring_bones *b) {
    if (job->is_vrm || job->starts) return b->vector;
    const vec3 turned = vec3_sub(b->vector, last->vector);
    const vec_mask is_held =
        vec_less(vec3_dot(turned, turned), vec_mul(vec_splat(SPRING_HOLD * SPRING_HOLD), b->square));
    return vec3_select(is_held, last->vector, b->vector);
}

// ---- Colliders and limits ------------------------------------------------------------------------------------

#define SPRING_PASSES 8

// The part of a vector that is perpendicular to a unit axis.
SIMD_INLINE vec3 reject(vec3 v, vec3 axis) {
    return vec3_sub(v, vec3_scale(axis, vec3_dot(v, axis)));
}

// Rotates the masked bones to a given angle from a unit axis. The angle's cosine is clamped to [-1, 1]. If a bone lies
// along the axis, it rotates in an arbitrary direction.
SIMD_INLINE void set_angles(spring_bones *b, vec_mask mask, vec3 axis, vec cosine) {
    const vec one = vec_splat(1.0f), minus_one = vec_splat(-1.0f);
    vec c = vec_select(vec_less(one, cosine), one, cosine);
    c = vec_select(vec_less(minus_one, c), c, minus_one);
    vec3 side = reject(b->vector, axis);
    side = reject(side, axis); // again: near the axis, what's left is rounded as coarsely as the bone
    const vec parallel = vec_mul(vec_splat(1e-8f), vec3_dot(b->vector, b->vector)); // the square of a sine
    side = vec3_select(vec_less(vec3_dot(side, side), parallel), perpendicular(axis), side);
    const vec sine = vec_sqrt(vec_sub(one, vec_mul(c, c)));
    const vec3 across = vec3_scale(side, vec_div(sine, vec_sqrt(vec3_dot(side, side))));
    const vec3 direction = vec3_add(vec3_scale(axis, c), across);
    b->vector = vec3_select(mask, vec3_scale(direction, b->length), b->vector);
}

// Where a tail touches a collider. `from_head` is the line from the head to a sphere's center, or a plane's normal.
// `direction` is the unit direction that pushes the tail out. `depth` is how far the tail is inside, and `distance` is
// the distance it must have from the center.
typedef struct spring_contacts {
    vec3 from_head, direction;
    vec depth, distance;
    uint32_t lanes; // lanes that touch it
} spring_contacts;

SIMD_INLINE vec3 mix_splat(const float a[3], const float b[3], float t) {
    return t >= 1.0f ? vec3_splat(b) : vec3_mix(vec3_splat(a), vec3_splat(b), vec_splat(t));
}

SIMD_INLINE spring_contacts find_plane_contacts(const sinewi_spring_job *job, const sinewi_spring_collision *c,
                                                const spring_bones *b) {
    const sinewi_spring_volume *now = &job->volumes[c->volume], *last = &job->last_volumes[c->volume];
    vec3 normal = mix_splat(last->axis, now->axis, job->alpha);
    if (job->alpha < 1.0f)
        normal = vec3_scale(normal, vec_div(vec_splat(1.0f), vec_sqrt(vec3_dot(normal, normal))));
    const vec3 position = mix_splat(last->position, now->position, job->alpha);
    const vec height = vec3_dot(normal, vec3_sub(vec3_add(b->head, b->vector), position));
    spring_contacts contacts = {normal, normal, vec_sub(b->radius, height), vec_splat(0.0f), 0};
    contacts.lanes = vec_bits(vec_less(vec_splat(0.0f), contacts.depth));
    return contacts;
}

// The nearest points on the capsules' axes, from their first ends.
SIMD_INLINE vec3 nearest_on_axis(vec3 axis, vec3 tail) {
    const vec zero = vec_splat(0.0f), whole = vec3_dot(axis, axis), along = vec3_dot(axis, tail);
    const vec part = vec_select(vec_less(along, whole), vec_div(along, whole), vec_splat(1.0f));
    return vec3_scale(axis, vec_select(vec_less(zero, along), part, zero));
}

SIMD_INLINE spring_contacts find_sphere_contacts(const sinewi_spring_job *job, const sinewi_spring_collision *c,
                                                 const spring_bones *b) {
    const vec zero = vec_splat(0.0f);
    const sinewi_spring_volume *now = &job->volumes[c->volume], *last = &job->last_volumes[c->volume];
    vec3 center = mix_splat(last->position, now->position, job->alpha);
    const vec3 tail = vec3_add(b->head, b->vector);
    if (c->is_capsule) {
        const vec3 axis = mix_splat(last->axis, now->axis, job->alpha);
        center = vec3_add(center, nearest_on_axis(axis, vec3_sub(tail, center)));
    }
    const float grown = last->radius + (now->radius - last->radius) * job->alpha;
    const float of_rope = job->alpha >= 1.0f ? now->radius : grown;
    const vec radius = vec_splat(job->is_vrm ? now->unscaled_radius : of_rope);
    spring_contacts contacts;
    contacts.distance = c->is_inside ? vec_sub(radius, b->radius) : vec_add(radius, b->radius);
    const vec3 away = vec3_sub(tail, center);
    const vec square = vec3_dot(away, away), limit = vec_mul(contacts.distance, contacts.distance);
    const uint32_t is_empty = vec_bits(vec_less(contacts.distance, zero));
    contacts.lanes =
        c->is_inside ? is_empty | vec_bits(vec_less(limit, square)) : vec_bits(vec_less(square, limit)) & ~is_empty;
    if (contacts.lanes == 0) return contacts;
    const vec length = vec_sqrt(square), outwards = vec_splat(c->is_inside ? -1.0f : 1.0f);
    contacts.depth = vec_mul(outwards, vec_sub(contacts.distance, length));
    contacts.direction = vec3_scale(away, vec_select(vec_less(zero, length), vec_div(outwards, length), zero));
    contacts.from_head = vec3_sub(center, b->head);
    return contacts;
}

// Pushes tails out of a collider, like VRMC_springBone.
SIMD_INLINE void push_out(const spring_contacts *contacts, spring_bones *b) {
    const vec_mask mask = vec_mask_from_bits(contacts->lanes);
    const vec3 pushed = vec3_add(b->vector, vec3_scale(contacts->direction, contacts->depth));
    const vec length = vec_sqrt(vec3_dot(pushed, pushed));
    const vec factor = vec_select(vec_less(vec_splat(0.0f), length), vec_div(b->length, length), vec_splat(1.0f));
    b->vector = vec3_select(mask, vec3_scale(pushed, factor), b->vector);
}

// Rotates bones to the cones of their contacts. With the head at the center, all directions are equally far out.
SIMD_INLINE void rotate_out(const spring_contacts *contacts, bool is_plane, spring_bones *b) {
    const vec zero = vec_splat(0.0f), length = b->length;
    if (is_plane) {
        const vec height = vec_add(vec3_dot(contacts->from_head, b->vector), contacts->depth);
        set_angles(b, vec_mask_from_bits(contacts->lanes), contacts->from_head, vec_div(height, length));
        return;
    }
    const vec square = vec3_dot(contacts->from_head, contacts->from_head), distance = vec_sqrt(square);
    const vec limit = vec_select(vec_less(zero, contacts->distance), contacts->distance, zero);
    const vec sum = vec_sub(vec_add(vec_mul(length, length), square), vec_mul(limit, limit));
    const vec cosine = vec_div(sum, vec_mul(vec_add(length, length), distance));
    const uint32_t apart = vec_bits(vec_less(vec_mul(vec_splat(1e-6f), length), distance));
    const vec3 axis = vec3_scale(contacts->from_head, vec_div(vec_splat(1.0f), distance));
    set_angles(b, vec_mask_from_bits(contacts->lanes & apart), axis, cosine);
}

// Moves the tails of `lanes` out of a collider. Returns the lanes that it moved. If no direction is outside, the bone
// stays in the best one.
SIMD_INLINE uint32_t collide_with(const sinewi_spring_job *job, const sinewi_spring_collision *c, uint32_t lanes,
                                  spring_bones *b) {
    spring_contacts contacts = c->is_plane ? find_plane_contacts(job, c, b) : find_sphere_contacts(job, c, b);
    contacts.lanes &= lanes;
    if (contacts.lanes == 0) return 0;
    if (job->is_vrm) {
        push_out(&contacts, b);
        return 0; // a single pass
    }
    contacts.lanes &= vec_bits(vec_less(vec_mul(vec_splat(1e-6f), b->length), contacts.depth));
    if (contacts.lanes == 0) return 0;
    const vec3 before = b->vector;
    rotate_out(&contacts, c->is_plane, b);
    const vec3 moved = vec3_sub(b->vector, before);
    return contacts.lanes & vec_bits(vec_less(vec_mul(vec_splat(1e-12f), b->square), vec3_dot(moved, moved)));
}

// Lanes that touch no collider keep their bits, so a lane's passes don't depend on the other lanes.
SIMD_INLINE void collide(const sinewi_spring_job *job, size_t lane, uint32_t lanes, const spring_pose *p,
                         spring_bones *b) {
    const vec zero = vec_splat(0.0f), radius = load_constant(job, SINEWI_SPRING_RADIUS, lane);
    vec scale = vec_sqrt(vec_div(b->square, vec3_dot(p->bone, p->bone)));
    if (job->is_vrm) scale = vec_splat(1.0f); // radii are in world units
    b->radius = vec_select(vec_less(zero, radius), vec_mul(radius, scale), zero);
    lanes &= vec_bits(vec_less(zero, b->length));
    for (int pass = 0; pass < SPRING_PASSES && lanes; pass++) {
        uint32_t touching = 0;
        for (int32_t i = 0; i < job->collision_count; i++) {
            const sinewi_spring_collision *c = &job->collisions[i];
            const uint32_t of_collider = lanes & (c->lanes >> lane);
            if (of_collider) touching |= collide_with(job, c, of_collider, b);
        }
        lanes = touching;
    }
}

SIMD_INLINE void limit_angles(const sinewi_spring_job *job, size_t lane, spring_bones *b) {
    const vec limit = load_constant(job, SINEWI_SPRING_LIMIT, lane);
    const vec_mask is_beyond = vec_less(vec3_dot(b->vector, b->in_pose), vec_mul(limit, b->square));
    if (!vec_any(is_beyond)) return;
    set_angles(b, is_beyond, vec3_scale(b->in_pose, vec_div(vec_splat(1.0f), b->length)), limit);
}

// ---- Rotating ------------------------------------------------------------------------------------------------

// The rotations of the joints, not normalized. Falls back to the pose if there is no rotation.
SIMD_INLINE void rotate_joints(const vec frame[12], const spring_pose *p, const spring_bones *b, vec out[4]) {
    // The bone in the parent's space, up to a positive factor: multiplied by the cofactors, with the
    // determinant's sign.
    const vec3 x = frame_column(frame, 0), y = frame_column(frame, 1), z = frame_column(frame, 2);
    const vec3 across = vec3_cross(y, z), v = b->vector;
    vec3 to = {vec3_dot(across, v), vec3_dot(vec3_cross(z, x), v), vec3_dot(vec3_cross(x, y), v)};
    const vec zero = vec_splat(0.0f);
    const vec sign = vec_select(vec_less(vec3_dot(x, across), zero), vec_splat(-1.0f), vec_splat(1.0f));
    to = vec3_scale(to, sign);
    vec between[4];
    rotation_between(vec3_rotate(p->rotation, p->bone), to, between);
    multiply_rotations(between, p->rotation, out);
    const vec_mask is_good = vec_less(vec_splat(1e-36f), quat_square(out));
    for (int i = 0; i < 4; i++) out[i] = vec_select(is_good, out[i], p->rotation[i]);
}

// Replaces the frames with the joints' frames.
SIMD_INLINE void store_frames(sinewi_spring_job *job, size_t lane, const vec frame[12], const vec rotation[4],
                              vec square, const spring_pose *p, vec3 head) {
    vec3 columns[4];
    rotation_columns(rotation, square, columns);
    columns[0] = vec3_scale(frame_direction(frame, columns[0]), p->scale.x);
    columns[1] = vec3_scale(frame_direction(frame, columns[1]), p->scale.y);
    columns[2] = vec3_scale(frame_direction(frame, columns[2]), p->scale.z);
    columns[3] = head;
    for (size_t i = 0; i < 4; i++) {
        vec_store(&job->frames[i][lane], columns[i].x);
        vec_store(&job->frames[4 + i][lane], columns[i].y);
        vec_store(&job->frames[8 + i][lane], columns[i].z);
    }
}

// ---- Results -------------------------------------------------------------------------------------------------

// A joint that moves by less than this in a step, as a fraction of its length, is still. Rounding alone moves a tail by
// about 1e-7 of its coordinates.
#define SPRING_STILL_MOTION   5e-6f
#define SPRING_STILL_ROUNDING 7e-7f

// If a rotation isn't unit or a bone isn't finite, the pose wasn't finite.
SIMD_INLINE uint32_t finite_lanes(const vec rotation[4], const spring_bones *b) {
    const vec square = quat_square(rotation), most = vec_splat(FLT_MAX);
    const vec size = vec_add(vec3_dot(b->head, b->head), vec3_dot(b->vector, b->vector));
    const uint32_t is_unit =
        vec_bits(vec_less(vec_splat(0.9f), square)) & vec_bits(vec_less(square, vec_splat(1.1f)));
    return is_unit & vec_bits(vec_less(vec_add(size, b->square), most));
}

SIMD_INLINE uint32_t moving_lanes(const spring_bones *b, vec3 motion) {
    const vec rounding = vec_splat(SPRING_STILL_ROUNDING * SPRING_STILL_ROUNDING);
    const vec still = vec_add(vec_mul(vec_splat(SPRING_STILL_MOTION * SPRING_STILL_MOTION), b->square),
                              vec_mul(rounding, vec3_dot(b->head, b->head)));
    return vec_bits(vec_less(still, vec3_dot(motion, motion)));
}

// The motion that the next step starts with. For a rope it's per substep, plus what colliders and limits
// moved the tail by.
SIMD_INLINE vec3 next_step_motion(const sinewi_spring_job *job, size_t lane, vec3 moved, vec3 corrected) {
    const vec zero = vec_splat(0.0f);
    if (job->starts) return (vec3){zero, zero, zero};
    if (job->is_vrm) return moved;
    const vec3 motion = load_vec3(row_work(job, ROPE_MOTION), job->lane_count, lane);
    return vec3_add(motion, vec3_scale(corrected, vec_splat(1.0f / (float)job->substeps)));
}

SIMD_INLINE void store_bones(sinewi_spring_job *job, size_t lane, uint32_t lanes, const spring_bones *b, vec3 moved,
                             vec3 corrected) {
    const size_t count = job->lane_count;
    const vec_mask mask = vec_mask_from_bits(lanes);
    vec3 in_pose = b->in_pose;
    vec tension = vec_splat(0.0f);
    if (!job->starts) {
        job->moved |= (moving_lanes(b, moved) & lanes) << lane;
        if (!job->is_vrm) {
            in_pose = load_vec3(row_work(job, ROPE_AIM), count, lane);
            tension = vec_load(row_work(job, ROPE_TENSION) + lane);
        }
    }
    store_vec3(job->state + SINEWI_SPRING_VECTOR * count, count, lane, mask, b->vector);
    store_vec3(job->state + SINEWI_SPRING_MOTION * count, count, lane, mask,
               next_step_motion(job, lane, moved, corrected));
    store_vec3(job->state + SINEWI_SPRING_HEAD * count, count, lane, mask, b->head);
    store_vec3(job->state + SINEWI_SPRING_IN_POSE * count, count, lane, mask, in_pose);
    store_lanes(job->state + SINEWI_SPRING_TENSION * count + lane, mask, tension);
}

SIMD_INLINE void store_result(sinewi_spring_job *job, size_t lane, uint32_t lanes, const spring_pose *p,
                              const vec rotation[4]) {
    const size_t count = job->lane_count;
    const vec_mask mask = vec_mask_from_bits(lanes);
    store_vec3(job->state + SINEWI_SPRING_TRANSLATION * count, count, lane, mask, p->translation);
    store_vec3(job->state + SINEWI_SPRING_BONE * count, count, lane, mask, p->bone);
    store_quat(job->state + SINEWI_SPRING_ROTATION * count, count, lane, mask, p->rotation);
    store_vec3(job->state + SINEWI_SPRING_SCALE * count, count, lane, mask, p->scale);
    store_quat(job->state + SINEWI_SPRING_RESULT * count, count, lane, mask, rotation);
}

// ---- Ropes ---------------------------------------------------------------------------------------------------

// Writes a row's work: its rods in the last step, with this step's lengths, and where they point in the pose. In
// `frames`, the joints above don't swing.
SIMD_INLINE void store_work(const sinewi_spring_job *job, size_t lane, const spring_last *last, vec3 aim,
                            vec3 travel) {
    const vec zero = vec_splat(0.0f);
    const rope_row r = rope_row_of(job, job->row, lane);
    const vec_mask exists = vec_less(zero, rope_constant(&r, SINEWI_SPRING_MASS));
    const vec3 none = {zero, zero, zero};
    const vec length = vec_select(exists, vec_sqrt(vec3_dot(aim, aim)), zero);
    const float count = job->fraction * (float)job->substeps;
    rope_store(&r, ROPE_LENGTH, length);
    rope_store3(&r, ROPE_AIM, vec3_select(exists, aim, none));
    rope_store3(&r, ROPE_LAST_AIM, vec3_select(exists, last->in_pose, none));
    rope_store3(&r, ROPE_ROD, vec3_select(exists, with_length(last->vector, length, aim), none));
    rope_store3(&r, ROPE_MOTION, vec3_select(exists, last->motion, none));
    travel = vec3_scale(travel, vec_splat(count > 0.0f ? 1.0f / count : 0.0f));
    rope_store3(&r, ROPE_TRAVEL, vec3_select(exists, travel, none));
    const vec tension = vec_load(job->state + SINEWI_SPRING_TENSION * job->lane_count + lane);
    rope_store(&r, ROPE_TENSION, vec_select(exists, tension, zero));
}

SIMD_INLINE void aim_lanes(sinewi_spring_job *job, size_t lane) {
    vec frame[12];
    load_frames(job, lane, frame);
    const spring_pose p = load_step_pose(job, lane);
    spring_last last = load_last(job, lane);
    const vec3 head = vec3_add(frame_direction(frame, p.translation), frame_column(frame, 3));
    const vec3 aim = frame_direction(frame, vec3_rotate(p.rotation, p.bone));
    last.in_pose = with_length(last.in_pose, vec_sqrt(vec3_dot(aim, aim)), aim); // a change of length isn't motion
    vec3 travel = vec3_sub(head, last.head);
    if (job->row == 0)
        vec3_put(job->root[0], lane, travel);
    else
        travel = load_vec3(job->travel[0], SINEWI_SPRING_LANES, lane);
    travel = vec3_add(travel, vec3_sub(aim, last.in_pose));
    vec3_put(job->travel[0], lane, travel);
    store_frames(job, lane, frame, p.rotation, vec_splat(1.0f), &p, head);
    const vec_mask mask = vec_mask_from_bits((job->lanes >> lane) & SPRING_ALL_LANES);
    if (job->skips)
        store_vec3(job->state + SINEWI_SPRING_IN_POSE * job->lane_count, job->lane_count, lane, mask, aim);
    else
        store_work(job, lane, &last, aim, travel);
}

static void aim_row(sinewi_spring_job *job) {
    for (size_t lane = 0; lane < job->lane_count; lane += SIMD_WIDTH) aim_lanes(job, lane);
}

// ---- Rows ----------------------------------------------------------------------------------------------------

static void gather_rows(const float *const planes[SINEWI_SPRING_POSE_PLANES], const int32_t *nodes,
                        size_t lane_count, sinewi_spring_pose_row rows[4]) {
    for (size_t lane = 0; lane < lane_count; lane += SIMD_WIDTH) {
        for (int plane = 0; plane < SINEWI_SPRING_POSE_PLANES; plane++) {
            vec row[4];
            vec_load_records(planes[plane], (const uint32_t *)nodes + lane, 4, row);
            for (int i = 0; i < 4; i++) vec_store(&rows[i].planes[plane][lane], row[i]);
        }
    }
}

SIMD_INLINE void solve_lanes(sinewi_spring_job *job, size_t lane) {
    uint32_t lanes = ((job->lanes & ~job->broken) >> lane) & SPRING_ALL_LANES;
    if (lanes == 0) return;
    vec frame[12], rotation[4];
    load_frames(job, lane, frame);
    const spring_pose p = load_step_pose(job, lane);
    const spring_last last = load_last(job, lane);
    spring_bones b;
    b.head = vec3_add(frame_direction(frame, p.translation), frame_column(frame, 3));
    b.in_pose = frame_direction(frame, vec3_rotate(p.rotation, p.bone));
    b.square = vec3_dot(b.in_pose, b.in_pose);
    b.length = vec_sqrt(b.square);
    b.radius = vec_splat(0.0f);
    const vec3 of_head = vec3_sub(b.head, last.head);
    b.vector = swing_bones(job, lane, &last, &b, of_head);
    const vec3 swung = b.vector;
    if (job->collision_count > 0) collide(job, lane, lanes, &p, &b);
    if (job->has_limits) limit_angles(job, lane, &b);
    const vec3 corrected = vec3_sub(b.vector, swung);
    b.vector = hold_bones(job, &last, &b);
    rotate_joints(frame, &p, &b, rotation);
    const vec square = quat_square(rotation);
    store_frames(job, lane, frame, rotation, square, &p, b.head);
    const vec factor = vec_div(vec_splat(1.0f), vec_sqrt(square));
    for (int i = 0; i < 4; i++) rotation[i] = vec_mul(rotation[i], factor);
    const uint32_t finite = finite_lanes(rotation, &b);
    job->broken |= (lanes & ~finite) << lane;
    lanes &= finite;
    if (job->stores)
        store_bones(job, lane, lanes, &b, vec3_add(of_head, vec3_sub(b.vector, last.vector)), corrected);
    if (job->writes) store_result(job, lane, lanes, &p, rotation);
}

static void solve_row(sinewi_spring_job *job) {
    for (size_t lane = 0; lane < job->lane_count; lane += SIMD_WIDTH) solve_lanes(job, lane);
}

// The lanes whose pose isn't finite or differs from the last frame.
static uint32_t changed_lanes(const sinewi_spring_job *job) {
    uint32_t same = 0;
    for (size_t lane = 0; lane < job->lane_count; lane += SIMD_WIDTH) {
        const spring_pose p = load_pose(job, lane), last = load_last_pose(job, lane);
        const vec3 moved = vec3_sub(p.translation, last.translation), bone = vec3_sub(p.bone, last.bone);
        const vec3 grown = vec3_sub(p.scale, last.scale);
        vec turned[4];
        for (int i = 0; i < 4; i++) turned[i] = vec_sub(p.rotation[i], last.rotation[i]);
        const vec lengths = vec_add(vec3_dot(bone, bone), vec3_dot(grown, grown));
        const vec sum = vec_add(vec_add(vec3_dot(moved, moved), lengths), quat_square(turned));
        same |= vec_bits(vec_less(sum, vec_splat(FLT_MIN))) << lane;
    }
    return job->lanes & ~same;
}

#endif
