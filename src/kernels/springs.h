// SPDX-License-Identifier: MIT
// Steps of spring chains, a lane each. Included after the vectors of an instruction set: see kernels.h.
//
// swing_bones moves tails by inertia and forces and restores the lengths of the bones. With x the tail, d its motion in the
// last step and n the last direction of the bone, the length is restored along n: x + d + a h² + λ n. That is SHAKE (Ryckaert,
// Ciccotti and Berendsen 1977), which keeps the energy of a swing; VRMC_springBone 1.0 restores it along the new bone.
//
// rotate_bones computes the rotations of the joints, and the spaces of the joints in the world from those of their parents.
// Between the two, the caller rotates bones out of colliders and into limits.
#ifndef SINEW_KERNELS_SPRINGS_H
#define SINEW_KERNELS_SPRINGS_H

#include "kernels/spring_lanes.h"

typedef struct vec3 {
    vec x, y, z;
} vec3;

SINEW_INLINE vec3 vec3_of(const vec *in) {
    return (vec3){in[0], in[1], in[2]};
}

SINEW_INLINE vec3 vec3_add(vec3 a, vec3 b) {
    return (vec3){vec_add(a.x, b.x), vec_add(a.y, b.y), vec_add(a.z, b.z)};
}

SINEW_INLINE vec3 vec3_sub(vec3 a, vec3 b) {
    return (vec3){vec_sub(a.x, b.x), vec_sub(a.y, b.y), vec_sub(a.z, b.z)};
}

SINEW_INLINE vec3 vec3_scale(vec3 a, vec f) {
    return (vec3){vec_mul(a.x, f), vec_mul(a.y, f), vec_mul(a.z, f)};
}

SINEW_INLINE vec vec3_dot(vec3 a, vec3 b) {
    return vec_add(vec_add(vec_mul(a.x, b.x), vec_mul(a.y, b.y)), vec_mul(a.z, b.z));
}

SINEW_INLINE vec3 vec3_cross(vec3 a, vec3 b) {
    return (vec3){vec_sub(vec_mul(a.y, b.z), vec_mul(a.z, b.y)), vec_sub(vec_mul(a.z, b.x), vec_mul(a.x, b.z)),
                  vec_sub(vec_mul(a.x, b.y), vec_mul(a.y, b.x))};
}

SINEW_INLINE vec3 vec3_select(vec_mask mask, vec3 a, vec3 b) {
    return (vec3){vec_select(mask, a.x, b.x), vec_select(mask, a.y, b.y), vec_select(mask, a.z, b.z)};
}

// Rotates by a unit quaternion: v + 2 q × (q × v + w v).
SINEW_INLINE vec3 vec3_rotate(const vec q[4], vec3 v) {
    const vec3 axis = vec3_of(q), inner = vec3_add(vec3_cross(axis, v), vec3_scale(v, q[3]));
    return vec3_add(v, vec3_scale(vec3_cross(axis, inner), vec_splat(2.0f)));
}

// The rows of the matrices of a row of lanes.
SINEW_INLINE void load_frames(const sinew_spring_lanes *lanes, size_t lane, vec frame[12]) {
    for (size_t i = 0; i < 12; i++) frame[i] = vec_load(&lanes->frames[i][lane]);
}

SINEW_INLINE vec3 frame_column(const vec frame[12], size_t column) {
    return (vec3){frame[column], frame[4 + column], frame[8 + column]};
}

// The frame × a direction.
SINEW_INLINE vec3 frame_direction(const vec frame[12], vec3 v) {
    const vec3 x = vec3_scale(frame_column(frame, 0), v.x), y = vec3_scale(frame_column(frame, 1), v.y);
    return vec3_add(vec3_add(x, y), vec3_scale(frame_column(frame, 2), v.z));
}

// 16 floats of a pose, as 4 × 4 vectors.
SINEW_INLINE void load_poses(const sinew_spring_lanes *lanes, size_t lane, vec pose[16]) {
    for (size_t q = 0; q < 16; q += 4) vec_load_quads((const float *)&lanes->poses[lane] + q, 16, pose + q);
}

// Restores the length along the last direction of the bone, n: v + λ n of that length. A bone that is further from that
// line than its length becomes perpendicular to it.
SINEW_INLINE vec3 restore_lengths(vec3 v, vec3 last, vec length) {
    const vec last_square = vec3_dot(last, last);
    const vec3 side = vec3_sub(v, vec3_scale(last, vec_div(vec3_dot(v, last), last_square)));
    const vec side_square = vec3_dot(side, side), rest = vec_sub(vec_mul(length, length), side_square);
    const vec3 reached = vec3_add(side, vec3_scale(last, vec_sqrt(vec_div(rest, last_square))));
    const vec3 across = vec3_scale(side, vec_div(length, vec_sqrt(side_square)));
    return vec3_select(vec_less(vec_splat(0.0f), rest), reached, across);
}

SINEW_INLINE void swing_lanes(sinew_spring_lanes *lanes, size_t lane) {
    const vec zero = vec_splat(0.0f), half = vec_splat(0.5f);
    vec frame[12], pose[16], values[12], tail[12];
    load_frames(lanes, lane, frame);
    load_poses(lanes, lane, pose);
    for (size_t q = 0; q < 12; q += 4) {
        vec_load_quads((const float *)&lanes->values[lane] + q, 12, values + q);
        vec_load_quads((const float *)&lanes->tails[lane] + q, 12, tail + q);
    }
    const vec3 head = vec3_add(frame_direction(frame, vec3_of(pose)), frame_column(frame, 3));
    const vec3 in_pose = frame_direction(frame, vec3_rotate(pose + 9, vec3_of(pose + 6)));
    const vec length = vec_sqrt(vec3_dot(in_pose, in_pose));

    vec3 motion = vec3_sub(vec3_of(tail), vec3_of(tail + 3));
    const vec3 of_pose = vec3_sub(vec3_add(head, in_pose), vec3_of(tail + 9));
    const vec3 damped = vec3_add(of_pose, vec3_scale(vec3_sub(motion, of_pose), values[4]));
    motion = vec3_select(vec_less(values[4], vec_splat(1.0f)), damped, motion);
    motion = vec3_add(vec3_scale(motion, values[5]), vec3_of(values + 6));
    motion = vec3_add(motion, vec3_scale(in_pose, vec_div(values[0], length)));
    motion = vec3_add(motion, vec3_of(values + 1));
    const vec3 v = vec3_sub(vec3_add(vec3_of(tail), vec3_scale(motion, values[9])), head);

    const vec3 last = vec3_sub(vec3_of(tail), vec3_of(tail + 6));
    const vec3 along_new = vec3_scale(v, vec_div(length, vec_sqrt(vec3_dot(v, v))));
    const vec3 along_last = restore_lengths(v, last, length);
    const vec_mask has_last = vec_less(zero, vec3_dot(last, last));
    vec3 bone = vec3_select(vec_less(half, values[10]), along_new, vec3_select(has_last, along_last, along_new));
    bone = vec3_select(vec_less(half, values[11]), in_pose, bone);
    bone = vec3_select(vec_less(zero, length), bone, in_pose);

    const vec out[12] = {bone.x, bone.y, bone.z,    length,    head.x,    head.y,
                         head.z, zero,   in_pose.x, in_pose.y, in_pose.z, zero};
    for (size_t q = 0; q < 12; q += 4) vec_store_quads((float *)&lanes->bones[lane] + q, 12, out + q);
}

// A vector perpendicular to v, of any length.
SINEW_INLINE vec3 perpendicular(vec3 v) {
    const vec zero = vec_splat(0.0f);
    const vec3 of_x = {zero, v.z, vec_sub(zero, v.y)}, of_y = {vec_sub(zero, v.z), zero, v.x};
    const vec_mask is_along_x = vec_less(vec_mul(vec_splat(0.5f), vec3_dot(v, v)), vec_mul(v.x, v.x));
    return vec3_select(is_along_x, of_y, of_x);
}

// The shortest rotation between two vectors of any lengths, not normalized: (v × w, |v| |w| + v · w). For nearly opposite
// vectors the sum is computed from the cross product, and for opposite ones it is a half turn.
SINEW_INLINE void rotation_between(vec3 from, vec3 to, vec out[4]) {
    const vec zero = vec_splat(0.0f);
    const vec lengths = vec_sqrt(vec_mul(vec3_dot(from, from), vec3_dot(to, to)));
    const vec3 cross = vec3_cross(from, to);
    const vec dot = vec3_dot(from, to), sum = vec_add(lengths, dot);
    const vec from_cross = vec_div(vec3_dot(cross, cross), vec_sub(lengths, dot));
    const vec_mask is_far = vec_less(sum, vec_mul(vec_splat(0.25f), lengths));
    const vec w = vec_select(is_far, from_cross, sum);
    const vec_mask is_opposite = vec_less(w, vec_mul(vec_splat(1e-12f), lengths));
    const vec3 axis = vec3_select(is_opposite, perpendicular(from), cross);
    out[0] = axis.x, out[1] = axis.y, out[2] = axis.z;
    out[3] = vec_select(is_opposite, zero, w);
}

// a × b, normalized; b where that is not possible.
SINEW_INLINE void multiply_rotations(const vec a[4], const vec b[4], vec out[4]) {
    const vec x = vec_add(vec_add(vec_mul(a[3], b[0]), vec_mul(a[0], b[3])),
                          vec_sub(vec_mul(a[1], b[2]), vec_mul(a[2], b[1])));
    const vec y = vec_add(vec_add(vec_mul(a[3], b[1]), vec_mul(a[1], b[3])),
                          vec_sub(vec_mul(a[2], b[0]), vec_mul(a[0], b[2])));
    const vec z = vec_add(vec_add(vec_mul(a[3], b[2]), vec_mul(a[2], b[3])),
                          vec_sub(vec_mul(a[0], b[1]), vec_mul(a[1], b[0])));
    const vec w = vec_sub(vec_sub(vec_mul(a[3], b[3]), vec_mul(a[0], b[0])),
                          vec_add(vec_mul(a[1], b[1]), vec_mul(a[2], b[2])));
    const vec square = vec_add(vec_add(vec_mul(x, x), vec_mul(y, y)), vec_add(vec_mul(z, z), vec_mul(w, w)));
    const vec factor = vec_div(vec_splat(1.0f), vec_sqrt(square));
    const vec_mask is_good = vec_less(vec_splat(1e-36f), square);
    out[0] = vec_select(is_good, vec_mul(x, factor), b[0]);
    out[1] = vec_select(is_good, vec_mul(y, factor), b[1]);
    out[2] = vec_select(is_good, vec_mul(z, factor), b[2]);
    out[3] = vec_select(is_good, vec_mul(w, factor), b[3]);
}

// The columns of a rotation's matrix.
SINEW_INLINE void rotation_columns(const vec r[4], vec3 columns[3]) {
    const vec one = vec_splat(1.0f), x = vec_add(r[0], r[0]), y = vec_add(r[1], r[1]), z = vec_add(r[2], r[2]);
    const vec xx = vec_mul(r[0], x), yy = vec_mul(r[1], y), zz = vec_mul(r[2], z), xy = vec_mul(r[0], y);
    const vec xz = vec_mul(r[0], z), yz = vec_mul(r[1], z), wx = vec_mul(r[3], x), wy = vec_mul(r[3], y);
    const vec wz = vec_mul(r[3], z);
    columns[0] = (vec3){vec_sub(one, vec_add(yy, zz)), vec_add(xy, wz), vec_sub(xz, wy)};
    columns[1] = (vec3){vec_sub(xy, wz), vec_sub(one, vec_add(xx, zz)), vec_add(yz, wx)};
    columns[2] = (vec3){vec_add(xz, wy), vec_sub(yz, wx), vec_sub(one, vec_add(xx, yy))};
}

SINEW_INLINE void rotate_lanes(sinew_spring_lanes *lanes, size_t lane) {
    const vec zero = vec_splat(0.0f);
    vec frame[12], pose[16], bone[8], between[4], rotation[4];
    load_frames(lanes, lane, frame);
    load_poses(lanes, lane, pose);
    for (size_t q = 0; q < 8; q += 4) vec_load_quads((const float *)&lanes->bones[lane] + q, 12, bone + q);

    // The bone in the parent's space, up to a factor above 0: by the cofactors, with the determinant's sign.
    const vec3 x = frame_column(frame, 0), y = frame_column(frame, 1), z = frame_column(frame, 2);
    const vec3 across = vec3_cross(y, z), v = vec3_of(bone);
    vec3 to = {vec3_dot(across, v), vec3_dot(vec3_cross(z, x), v), vec3_dot(vec3_cross(x, y), v)};
    const vec sign = vec_select(vec_less(vec3_dot(x, across), zero), vec_splat(-1.0f), vec_splat(1.0f));
    to = vec3_scale(to, sign);
    rotation_between(vec3_rotate(pose + 9, vec3_of(pose + 6)), to, between);
    multiply_rotations(between, pose + 9, rotation);
    vec_store_quads(lanes->rotations[lane], 4, rotation);

    vec3 columns[3];
    rotation_columns(rotation, columns);
    for (size_t i = 0; i < 3; i++) {
        const vec3 column = vec3_scale(frame_direction(frame, columns[i]), pose[3 + i]);
        vec_store(&lanes->frames[i][lane], column.x);
        vec_store(&lanes->frames[4 + i][lane], column.y);
        vec_store(&lanes->frames[8 + i][lane], column.z);
    }
    for (size_t i = 0; i < 3; i++) vec_store(&lanes->frames[4 * i + 3][lane], bone[4 + i]);
}

static void swing_bones(sinew_spring_lanes *lanes, size_t count) {
    for (size_t lane = 0; lane < count; lane += SIMD_WIDTH) swing_lanes(lanes, lane);
}

static void rotate_bones(sinew_spring_lanes *lanes, size_t count) {
    for (size_t lane = 0; lane < count; lane += SIMD_WIDTH) rotate_lanes(lanes, lane);
}

#endif
