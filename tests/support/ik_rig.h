// SPDX-License-Identifier: MIT
// Limbs below all kinds of ancestors, and positions in double precision, for tests of inverse kinematics.
#ifndef IK_RIG_H
#define IK_RIG_H

#include "support/check.h"

// ---- Places in double ----------------------------------------------------------------------------------------

typedef struct place {
    double x, y, z;
} place;

static inline place place_of(const sinew_affine *m) {
    return (place){m->m[0][3], m->m[1][3], m->m[2][3]};
}

static inline place wide(sinew_vec3 v) {
    return (place){v.x, v.y, v.z};
}

static inline sinew_vec3 narrow(place p) {
    return (sinew_vec3){(float)p.x, (float)p.y, (float)p.z};
}

static inline place minus(place a, place b) {
    return (place){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline place plus(place a, place b, double factor) {
    return (place){a.x + factor * b.x, a.y + factor * b.y, a.z + factor * b.z};
}

static inline double dot(place a, place b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline place cross(place a, place b) {
    return (place){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double length(place a) {
    return sqrt(dot(a, a));
}

static inline double distance(place a, place b) {
    return length(minus(a, b));
}

static inline place unit(place a) {
    return plus((place){0, 0, 0}, a, 1.0 / length(a));
}

// The angle between two directions. Exact for small angles.
static inline double angle_of(place a, place b) {
    return atan2(length(cross(a, b)), dot(a, b));
}

// Transforms a direction.
static inline place direction(const sinew_affine *m, place v) {
    return (place){m->m[0][0] * v.x + m->m[0][1] * v.y + m->m[0][2] * v.z,
                   m->m[1][0] * v.x + m->m[1][1] * v.y + m->m[1][2] * v.z,
                   m->m[2][0] * v.x + m->m[2][1] * v.y + m->m[2][2] * v.z};
}

static inline place random_direction(uint64_t *seed) {
    place p;
    do p = (place){random_float(seed, -1, 1), random_float(seed, -1, 1), random_float(seed, -1, 1)};
    while (dot(p, p) > 1.0 || dot(p, p) < 0.01);
    return unit(p);
}

// ---- Rigs ----------------------------------------------------------------------------------------------------

// How the nodes above a limb are scaled.
typedef enum above { ABOVE_NOT, ABOVE_EVEN, ABOVE_MIRRORED, ABOVE_UNEVEN, ABOVE_KINDS } above;

// Two ancestors, a limb of three with a node between each two, and a finger.
enum { TOP, BASE, UPPER, TWIST, LOWER, WRIST, END, FINGER, RIG_NODES };

typedef struct rig {
    sinew_skeleton *skeleton;
    sinew_pose *pose;
    sinew_affine model[RIG_NODES];
} rig;

static inline sinew_vec3 scale_above(above kind, uint64_t *seed) {
    float s = random_float(seed, 0.5f, 2.0f);
    switch (kind) {
    case ABOVE_EVEN:
        return (sinew_vec3){s, s, s};
    case ABOVE_MIRRORED:
        return (sinew_vec3){-s, s, s};
    case ABOVE_UNEVEN:
        return (sinew_vec3){s, random_float(seed, 0.5f, 2.0f), random_next(seed) % 2 ? 1.5f : -0.7f};
    default:
        return (sinew_vec3){1, 1, 1};
    }
}

static inline void to_model(rig *r) {
    sinew_pose_to_model(r->pose, r->model);
}

static inline rig make_rig(above kind, uint64_t *seed) {
    static const char *const names[RIG_NODES] = {"Top",   "Base",  "Upper", "Twist",
                                                 "Lower", "Wrist", "End",   "Finger"};
    sinew_node_def nodes[RIG_NODES];
    for (int i = 0; i < RIG_NODES; i++) {
        place p = plus((place){0, 0, 0}, random_direction(seed), random_float(seed, 0.1f, 0.6f));
        nodes[i] =
            (sinew_node_def){.name = names[i], .parent = i - 1, .rest = {narrow(p), random_quat(seed), {1, 1, 1}}};
        // One mirror: two would cancel out.
        above scaled = i == BASE && kind == ABOVE_MIRRORED ? ABOVE_EVEN : kind;
        if (i <= BASE) nodes[i].rest.scale = scale_above(scaled, seed);
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = RIG_NODES;
    def.nodes = nodes;
    rig r;
    assert_int_equal(sinew_skeleton_create(&def, &r.skeleton, NULL), SINEW_OK);
    assert_int_equal(sinew_pose_create(r.skeleton, NULL, &r.pose), SINEW_OK);
    to_model(&r);
    return r;
}

static inline void free_rig(rig *r) {
    sinew_pose_destroy(r->pose);
    sinew_skeleton_destroy(r->skeleton);
}

static inline void set_rotation(rig *r, int32_t node, sinew_quat q) {
    sinew_transform t = sinew_pose_get(r->pose, node);
    t.rotation = q;
    sinew_pose_set(r->pose, node, t);
    to_model(r);
}

// All of a pose's rotations, for comparisons.
typedef struct rotations {
    sinew_quat q[RIG_NODES];
} rotations;

static inline rotations rotations_of(const rig *r) {
    rotations out;
    for (int i = 0; i < RIG_NODES; i++) out.q[i] = sinew_pose_get(r->pose, i).rotation;
    return out;
}

static inline void check_unit(const rig *r) {
    rotations now = rotations_of(r);
    for (int i = 0; i < RIG_NODES; i++) {
        sinew_quat q = now.q[i];
        check_near(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1.0, 1e-6);
    }
}

static inline void check_unchanged(const rig *r, const rotations *before) {
    rotations now = rotations_of(r);
    assert_memory_equal(&now, before, sizeof now);
}

// Solves, and then updates all matrices without the code under test.
static inline void solve_limb(rig *r, const sinew_ik_two_bone *limb) {
    sinew_ik_two_bone_solve(limb, r->pose, r->model);
    to_model(r);
}

// The lengths of the two bones in model space.
static inline void bone_lengths(const rig *r, double *a, double *b) {
    *a = distance(place_of(&r->model[UPPER]), place_of(&r->model[LOWER]));
    *b = distance(place_of(&r->model[LOWER]), place_of(&r->model[END]));
}

#endif
