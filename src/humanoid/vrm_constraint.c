// SPDX-License-Identifier: MIT
// Node constraints (VRMC_node_constraint 1.0). `c` is the constraint. Rotations are local. `rest` is the node's rest
// rotation, which every constraint starts from.
#include <sinew/humanoid/vrm.h>

#include "base/float_rules.h"
#include "base/finite.h"
#include "core/skeleton_object.h"

#include <assert.h>

static sinew_quat get_rotation(const sinew_pose *pose, int32_t node) {
    return (sinew_quat){pose->rx[node], pose->ry[node], pose->rz[node], pose->rw[node]};
}

static void set_rotation(sinew_pose *pose, int32_t node, sinew_quat q) {
    pose->rx[node] = q.x, pose->ry[node] = q.y, pose->rz[node] = q.z, pose->rw[node] = q.w;
}

static sinew_affine get_local(const sinew_pose *pose, int32_t node) {
    return sinewi_skeleton_local(pose->skeleton, node, sinew_pose_get(pose, node));
}

// Local to local: multiplies the node's rest by the source's rotation relative to its rest, on the right.
static sinew_quat solve_rotation(const sinew_pose *pose, const sinew_vrm_constraint *c, sinew_quat rest) {
    sinew_quat source_rest = pose->skeleton->rest[c->source].rotation;
    sinew_quat delta = sinew_quat_multiply(sinew_quat_conjugate(source_rest), get_rotation(pose, c->source));
    return sinew_quat_multiply(rest, delta);
}

// The source's rotation from its rest, taken in its parent's space and converted to the node's space, is a roll about
// the axis followed by a swing of the axis. This removes the swing.
static sinew_quat solve_roll(const sinew_pose *pose, const sinew_vrm_constraint *c, sinew_quat rest) {
    sinew_quat source_rest = pose->skeleton->rest[c->source].rotation;
    sinew_quat in_parent = sinew_quat_multiply(get_rotation(pose, c->source), sinew_quat_conjugate(source_rest));
    sinew_quat delta = sinew_quat_multiply(sinew_quat_multiply(sinew_quat_conjugate(rest), in_parent), rest);
    sinew_quat unswing = sinew_quat_between(sinew_quat_rotate(delta, c->axis), c->axis);
    return sinew_quat_multiply(sinew_quat_multiply(rest, unswing), delta);
}

// ---- Aim -----------------------------------------------------------------------------------------------------

static bool contains(const sinew_skeleton *skeleton, int32_t above, int32_t node) {
    return above == SINEW_NO_NODE || (node >= above && node < skeleton->subtree_ends[above]);
}

// Position of a node's origin in an ancestor's space, or in model space for SINEW_NO_NODE.
static sinew_vec3 position_in(const sinew_pose *pose, int32_t node, int32_t above) {
    sinew_vec3 position = {0.0f, 0.0f, 0.0f};
    for (; node != above; node = pose->skeleton->parents[node])
        position = sinew_affine_point(get_local(pose, node), position);
    return position;
}

// The matrix from a node's space to an ancestor's.
static sinew_affine matrix_in(const sinew_pose *pose, int32_t node, int32_t above) {
    sinew_affine matrix = sinew_affine_identity();
    for (; node != above; node = pose->skeleton->parents[node])
        matrix = sinew_affine_multiply(get_local(pose, node), matrix);
    return matrix;
}

// Computes the direction from the node to the source in the space of the node's parent. Starts at the lowest node above
// both, because nothing above that has an effect.
static sinew_quat solve_aim(const sinew_pose *pose, const sinew_vrm_constraint *c, sinew_quat rest) {
    const sinew_skeleton *skeleton = pose->skeleton;
    int32_t parent = skeleton->parents[c->node], common = parent;
    while (!contains(skeleton, common, c->source)) common = skeleton->parents[common];
    sinew_affine to_parent = sinew_affine_inverse(matrix_in(pose, parent, common));
    if (!sinewi_affine_is_finite(&to_parent)) return rest;
    sinew_vec3 source = sinew_affine_point(to_parent, position_in(pose, c->source, common));
    sinew_vec3 direction = sinew_vec3_subtract(source, sinew_pose_get(pose, c->node).translation);
    sinew_quat swing = sinew_quat_between(sinew_quat_rotate(rest, c->axis), direction);
    return sinew_quat_multiply(swing, rest);
}

static sinew_quat solve(const sinew_pose *pose, const sinew_vrm_constraint *c, sinew_quat rest) {
    switch (c->kind) {
    case SINEW_VRM_CONSTRAINT_ROLL:
        return solve_roll(pose, c, rest);
    case SINEW_VRM_CONSTRAINT_AIM:
        return solve_aim(pose, c, rest);
    default:
        return solve_rotation(pose, c, rest);
    }
}

void sinew_vrm_constraints_apply(const sinew_vrm *vrm, sinew_pose *pose) {
    assert(vrm && pose && pose->skeleton == vrm->skeleton);
    for (int32_t i = 0; i < vrm->constraint_count; i++) {
        const sinew_vrm_constraint *c = &vrm->constraints[i];
        sinew_quat rest = pose->skeleton->rest[c->node].rotation;
        sinew_quat target = sinew_quat_normalize(solve(pose, c, rest));
        set_rotation(pose, c->node, c->weight < 1.0f ? sinew_quat_slerp(rest, target, c->weight) : target);
    }
}
