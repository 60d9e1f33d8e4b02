// SPDX-License-Identifier: MIT
// Random chains with limits. Their forward kinematics and limits are computed in double precision, from the
// definitions in ik_chain.h and only with libm.
#ifndef CHAIN_RIG_H
#define CHAIN_RIG_H

#include "support/ik_rig.h"

#include <stdio.h>

enum { CHAIN_MOST = 32 };

// ---- Rotations in double -------------------------------------------------------------------------------------

typedef struct turn {
    double x, y, z, w;
} turn;

static inline turn turn_of(sinew_quat q) {
    double length = sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w);
    return (turn){q.x / length, q.y / length, q.z / length, q.w / length};
}

static inline sinew_quat quat_of(turn q) {
    return (sinew_quat){(float)q.x, (float)q.y, (float)q.z, (float)q.w};
}

static inline turn turn_about(place axis, double angle) {
    axis = unit(axis);
    double s = sin(angle / 2);
    return (turn){axis.x * s, axis.y * s, axis.z * s, cos(angle / 2)};
}

static inline turn turn_after(turn a, turn b) {
    return (turn){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static inline turn turn_back(turn q) {
    return (turn){-q.x, -q.y, -q.z, q.w};
}

static inline place turned(turn q, place v) {
    turn p = turn_after(turn_after(q, (turn){v.x, v.y, v.z, 0}), turn_back(q));
    return (place){p.x, p.y, p.z};
}

// ---- Chains --------------------------------------------------------------------------------------------------

// Joint i is node i + 1, below a scaled node. The tip is the node after the last joint.
typedef struct chain_rig {
    int32_t joint_count;
    sinew_skeleton *skeleton;
    sinew_pose *pose;
    sinew_affine model[CHAIN_MOST + 2];
    sinew_ik_limit joints[CHAIN_MOST];
    double length; // in model space, if the scale is uniform
} chain_rig;

enum { CHAIN_ROOT = 1 };

static inline int32_t chain_tip(const chain_rig *r) {
    return CHAIN_ROOT + r->joint_count;
}

static inline sinew_ik_limit random_joint(const sinew_skeleton *skeleton, int32_t node, uint64_t *seed) {
    sinew_ik_limit joint = sinew_ik_limit_from_rest(skeleton, node, node + 1);
    uint32_t kind = random_next(seed) % 10;
    if (kind < 4) {
        joint.kind = SINEW_IK_LIMIT_HINGE;
        joint.axis = narrow(cross(random_direction(seed), wide(joint.axis)));
        joint.angle_min = random_float(seed, -2, 0), joint.angle_max = random_float(seed, 0, 2);
    } else if (kind < 9) {
        joint.kind = SINEW_IK_LIMIT_CONE;
        joint.cone = random_float(seed, 0.2f, 1.5f);
        joint.angle_min = random_float(seed, -1, 0), joint.angle_max = random_float(seed, 0, 1);
    }
    return joint;
}

static inline chain_rig make_chain_rig(int32_t joint_count, above kind, uint64_t *seed) {
    static char names[CHAIN_MOST + 2][8];
    chain_rig r = {.joint_count = joint_count};
    sinew_node_def nodes[CHAIN_MOST + 2];
    for (int32_t i = 0; i < joint_count + 2; i++) {
        double long_one = i > CHAIN_ROOT ? (double)random_float(seed, 0.5f, 1.5f) / joint_count : 0.3;
        place offset = plus((place){0, 0, 0}, random_direction(seed), long_one);
        turn q = turn_about(random_direction(seed), random_float(seed, 0, 1));
        (void)snprintf(names[i], sizeof names[i], "N%d", (int)i);
        nodes[i] =
            (sinew_node_def){.name = names[i], .parent = i - 1, .rest = {narrow(offset), quat_of(q), {1, 1, 1}}};
        if (i == 0) nodes[i].rest.scale = scale_above(kind, seed);
        if (i > CHAIN_ROOT) r.length += long_one * (i > 0 ? fabs((double)nodes[0].rest.scale.x) : 1.0);
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = joint_count + 2;
    def.nodes = nodes;
    assert_int_equal(sinew_skeleton_create(&def, &r.skeleton, NULL), SINEW_OK);
    assert_int_equal(sinew_pose_create(r.skeleton, NULL, &r.pose), SINEW_OK);
    for (int32_t i = 0; i < joint_count; i++) r.joints[i] = random_joint(r.skeleton, CHAIN_ROOT + i, seed);
    sinew_pose_to_model(r.pose, r.model);
    return r;
}

static inline void free_chain_rig(chain_rig *r) {
    sinew_pose_destroy(r->pose);
    sinew_skeleton_destroy(r->skeleton);
}

// ---- The reference -------------------------------------------------------------------------------------------

// A rotation within a joint's limits: `swing` and `twist` from 0 to 1, and a direction for the swing.
static inline turn rotation_within(const sinew_ik_limit *joint, double swing, double twist, place direction) {
    turn rest = turn_of(joint->rest);
    double angle = (double)joint->angle_min + twist * ((double)joint->angle_max - (double)joint->angle_min);
    if (joint->kind == SINEW_IK_LIMIT_FREE) return turn_after(rest, turn_about(direction, 3.0 * swing));
    turn about = turn_about(wide(joint->axis), angle);
    if (joint->kind == SINEW_IK_LIMIT_HINGE) return turn_after(rest, about);
    place across = cross(direction, wide(joint->axis));
    return turn_after(rest, turn_after(turn_about(across, swing * (double)joint->cone), about));
}

static inline turn random_rotation_within(const sinew_ik_limit *joint, uint64_t *seed) {
    double swing = random_float(seed, 0, 1), twist = random_float(seed, 0, 1);
    return rotation_within(joint, swing, twist, random_direction(seed));
}

// The tip's position in model space when the joints turn.
static inline place tip_for(const chain_rig *r, const turn *turns) {
    place p = {0, 0, 0};
    for (int32_t i = r->joint_count - 1; i >= 0; i--) {
        p = turned(turns[i], plus(wide(r->skeleton->rest[CHAIN_ROOT + i + 1].translation), p, 1.0));
    }
    p = plus(p, wide(r->skeleton->rest[CHAIN_ROOT].translation), 1.0);
    sinew_transform top = r->skeleton->rest[0];
    p = (place){p.x * top.scale.x, p.y * top.scale.y, p.z * top.scale.z};
    return plus(turned(turn_of(top.rotation), p), wide(top.translation), 1.0);
}

// How far a rotation is outside a joint's limits, in radians; 0 within.
static inline double outside(const sinew_ik_limit *joint, sinew_quat rotation) {
    if (joint->kind == SINEW_IK_LIMIT_FREE) return 0.0;
    turn r = turn_after(turn_back(turn_of(joint->rest)), turn_of(rotation));
    place axis = unit(wide(joint->axis)), v = {r.x, r.y, r.z};
    double twist = 2.0 * atan2(dot(axis, v), r.w);
    if (twist > PI) twist -= 2.0 * PI;
    if (twist < -PI) twist += 2.0 * PI;
    double swing = angle_of(axis, turned(r, axis));
    double past = fmax(twist - (double)joint->angle_max, (double)joint->angle_min - twist);
    double limit = joint->kind == SINEW_IK_LIMIT_HINGE ? 0.0 : (double)joint->cone;
    return fmax(0.0, fmax(past, swing - limit));
}

static inline double most_outside(const chain_rig *r) {
    double most = 0.0;
    for (int32_t i = 0; i < r->joint_count; i++)
        most = fmax(most, outside(&r->joints[i], sinew_pose_get(r->pose, CHAIN_ROOT + i).rotation));
    return most;
}

// ---- Solving -------------------------------------------------------------------------------------------------

static const sinew_ik_chain_method methods[] = {SINEW_IK_CHAIN_METHOD_LEAST_SQUARES, SINEW_IK_CHAIN_METHOD_FABRIK,
                                                SINEW_IK_CHAIN_METHOD_CCD};

static inline sinew_ik_chain chain_of(const chain_rig *r) {
    sinew_ik_chain chain = sinew_ik_chain_from_rest(r->skeleton, CHAIN_ROOT, chain_tip(r));
    chain.limits = r->joints;
    chain.limit_count = r->joint_count;
    return chain;
}

static inline void solve(chain_rig *r, const sinew_ik_chain *chain) {
    sinew_ik_chain_solve(chain, r->pose, r->model);
    sinew_pose_to_model(r->pose, r->model);
}

static inline place random_reachable(const chain_rig *r, uint64_t *seed) {
    turn turns[CHAIN_MOST];
    for (int32_t i = 0; i < r->joint_count; i++) turns[i] = random_rotation_within(&r->joints[i], seed);
    return tip_for(r, turns);
}

static inline void check_unit_rotations(const chain_rig *r) {
    for (int32_t i = 0; i < r->joint_count; i++) {
        sinew_quat q = sinew_pose_get(r->pose, CHAIN_ROOT + i).rotation;
        check_near(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1.0, 1e-6);
    }
}

// Whether the tip is at the target.
static inline bool is_reached(const chain_rig *r, place target) {
    return distance(place_of(&r->model[chain_tip(r)]), target) <= 1e-4 * r->length;
}

static inline void reset_chain(chain_rig *r) {
    sinew_pose_reset(r->pose);
    sinew_pose_to_model(r->pose, r->model);
}

// ---- Arms, legs and tails ------------------------------------------------------------------------------------

enum { ROBOT, ARM, LEG, TAIL, LIMBS };
enum { STRAIGHT, BENT, ANYHOW, LIMB_POSES };

// A robot's joints are hinges. The first one is about the arm itself, which is straight at rest. Arms and legs have a
// one-sided hinge between each two joints that swing. A tail's joints swing by up to 45 degrees.
static inline void limit_joint(sinew_ik_limit *joint, int limb, int32_t i, uint64_t *seed) {
    const bool is_hinge = limb == ROBOT || (limb != TAIL && i % 3 == 1);
    joint->kind = is_hinge ? SINEW_IK_LIMIT_HINGE : SINEW_IK_LIMIT_CONE;
    if (is_hinge) joint->axis = limb == ROBOT && i == 0 ? (sinew_vec3){0, 1, 0} : (sinew_vec3){1, 0, 0};
    if (limb == ROBOT) {
        joint->angle_min = -random_float(seed, i == 0 ? 2 : 0.1f, i == 0 ? 3 : 1.8f);
        joint->angle_max = random_float(seed, i == 0 ? 2 : 0.8f, i == 0 ? 3 : 2.5f);
    } else if (is_hinge) {
        const float most = random_float(seed, 2, 2.6f);
        joint->angle_min = limb == LEG ? -most : 0;
        joint->angle_max = limb == LEG ? 0 : most;
    } else {
        const bool is_first = i % 3 == 0;
        joint->cone = limb == TAIL ? random_float(seed, 0.15f, 0.8f)
                                   : random_float(seed, is_first ? 0.9f : 0.3f, is_first ? 2.2f : 0.9f);
        joint->angle_min = random_float(seed, limb == TAIL ? -0.3f : -1.2f, 0);
        joint->angle_max = random_float(seed, 0, limb == TAIL ? 0.3f : 1.2f);
    }
}

// Makes a chain that's straight along Y at rest.
static inline chain_rig make_limb(int limb, int32_t joint_count, uint64_t *seed) {
    static char names[CHAIN_MOST + 2][8];
    sinew_node_def nodes[CHAIN_MOST + 2] = {{0}};
    chain_rig r = {.joint_count = joint_count};
    for (int32_t i = 0; i < joint_count + 2; i++) {
        (void)snprintf(names[i], sizeof names[i], "N%d", (int)i);
        nodes[i] = (sinew_node_def){.name = names[i], .parent = i - 1, .rest = sinew_transform_identity()};
        nodes[i].rest.translation.y = random_float(seed, 0.1f, 0.4f);
        if (i > CHAIN_ROOT) r.length += (double)nodes[i].rest.translation.y;
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = joint_count + 2;
    def.nodes = nodes;
    assert_int_equal(sinew_skeleton_create(&def, &r.skeleton, NULL), SINEW_OK);
    assert_int_equal(sinew_pose_create(r.skeleton, NULL, &r.pose), SINEW_OK);
    for (int32_t i = 0; i < joint_count; i++) {
        r.joints[i] = sinew_ik_limit_from_rest(r.skeleton, CHAIN_ROOT + i, CHAIN_ROOT + i + 1);
        limit_joint(&r.joints[i], limb, i, seed);
    }
    return r;
}

static inline void pose_limb(chain_rig *r, int pose, uint64_t *seed) {
    sinew_pose_reset(r->pose);
    for (int32_t i = 0; i < r->joint_count && pose != STRAIGHT; i++) {
        const sinew_ik_limit *joint = &r->joints[i];
        sinew_transform t = sinew_pose_get(r->pose, CHAIN_ROOT + i);
        turn q = random_rotation_within(joint, seed);
        if (pose == BENT && joint->kind == SINEW_IK_LIMIT_CONE)
            q = turn_about((place){1, 0, 0}, fmin(0.3, joint->cone));
        if (pose == BENT && joint->kind == SINEW_IK_LIMIT_HINGE)
            q = turn_about(wide(joint->axis), joint->angle_max > 0.0f ? fmin(0.3, joint->angle_max) : -0.3);
        t.rotation = quat_of(q);
        sinew_pose_set(r->pose, CHAIN_ROOT + i, t);
    }
    sinew_pose_to_model(r->pose, r->model);
}

#endif
