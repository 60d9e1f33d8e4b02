// SPDX-License-Identifier: MIT
// Effectors that are dragged.
#include "view/effectors.h"

#include <math.h>

static const float RELEASE = 0.4f; // seconds

// ---- Roles ---------------------------------------------------------------------------------------------------

static const sinew_humanoid_role roles[VIEW_EFFECTORS] = {
    [VIEW_HAND_L] = SINEW_HUMANOID_LEFT_HAND, [VIEW_HAND_R] = SINEW_HUMANOID_RIGHT_HAND,
    [VIEW_FOOT_L] = SINEW_HUMANOID_LEFT_FOOT, [VIEW_FOOT_R] = SINEW_HUMANOID_RIGHT_FOOT,
    [VIEW_HEAD] = SINEW_HUMANOID_HEAD,        [VIEW_HIPS] = SINEW_HUMANOID_HIPS};

static const sinew_humanoid_role limbs[VIEW_HINGES][3] = {
    {SINEW_HUMANOID_LEFT_UPPER_LEG, SINEW_HUMANOID_LEFT_LOWER_LEG, SINEW_HUMANOID_LEFT_FOOT},
    {SINEW_HUMANOID_RIGHT_UPPER_LEG, SINEW_HUMANOID_RIGHT_LOWER_LEG, SINEW_HUMANOID_RIGHT_FOOT},
    {SINEW_HUMANOID_LEFT_UPPER_ARM, SINEW_HUMANOID_LEFT_LOWER_ARM, SINEW_HUMANOID_LEFT_HAND},
    {SINEW_HUMANOID_RIGHT_UPPER_ARM, SINEW_HUMANOID_RIGHT_LOWER_ARM, SINEW_HUMANOID_RIGHT_HAND}};

static bool is_below(const sinew_skeleton *skeleton, int32_t node, int32_t above) {
    return above != SINEW_NO_NODE && node > above && node < skeleton->subtree_ends[above];
}

// A hinge about the axis about which the limb bends in the rest pose, from a little beyond straight to folded. A limb that is
// straight there has no such axis, and stays free.
static void add_hinge(view_effectors *e, const sinew_skeleton *skeleton, int32_t upper, int32_t lower,
                      int32_t end) {
    if (!is_below(skeleton, lower, upper) || !is_below(skeleton, end, lower)) return;
    const sinew_ik_two_bone limb = sinew_ik_two_bone_from_rest(skeleton, upper, lower, end);
    if (!(sinew_vec3_length(limb.bend_axis) > 0.0f)) return;
    sinew_ik_joint *hinge = &e->hinges[e->hinge_count++];
    *hinge = sinew_ik_joint_from_rest(skeleton, lower, SINEW_NO_NODE);
    hinge->kind = SINEW_IK_JOINT_HINGE;
    hinge->axis = limb.bend_axis;
    hinge->angle_min = -0.2f;
    hinge->angle_max = 2.4f;
}

// The number of nodes from the hips to the effectors; 0 if one of these is not below the hips.
static int32_t count_nodes(const view_effectors *e, const sinew_skeleton *skeleton) {
    const int32_t hips = e->all[VIEW_HIPS].node;
    int32_t count = 1;
    for (int i = 0; i < VIEW_HIPS; i++) {
        if (!is_below(skeleton, e->all[i].node, hips)) return 0;
    }
    for (int32_t node = hips + 1; node < skeleton->subtree_ends[hips]; node++) {
        bool leads = false;
        for (int i = 0; i < VIEW_HIPS; i++)
            leads = leads || e->all[i].node == node || is_below(skeleton, e->all[i].node, node);
        count += leads;
    }
    return count;
}

// The solver moves the hips and at most so many nodes below them.
static bool has_body(const view_effectors *e, const sinew_skeleton *skeleton) {
    const int32_t count = count_nodes(e, skeleton);
    return count > 0 && count <= SINEW_MAX_CHAIN_JOINTS;
}

void view_effectors_find(view_effectors *e, const sinew_asset *asset) {
    const sinew_skeleton *skeleton = asset->skeleton;
    sinew_humanoid humanoid;
    *e = (view_effectors){.hinge_count = 0};
    for (int i = 0; i < VIEW_EFFECTORS; i++) e->all[i].node = SINEW_NO_NODE;
    if (sinew_humanoid_find(asset, NULL, &humanoid, NULL, NULL) != SINEW_OK) return;
    for (int i = 0; i < VIEW_EFFECTORS; i++) e->all[i].node = humanoid.nodes[roles[i]];
    if (!has_body(e, skeleton)) e->all[VIEW_HIPS].node = SINEW_NO_NODE;
    for (int i = 0; i < VIEW_HINGES; i++)
        add_hinge(e, skeleton, humanoid.nodes[limbs[i][0]], humanoid.nodes[limbs[i][1]],
                  humanoid.nodes[limbs[i][2]]);
}

bool view_effectors_exist(const view_effectors *e) {
    return e->all[VIEW_HIPS].node != SINEW_NO_NODE;
}

// ---- Targets -------------------------------------------------------------------------------------------------

void view_effectors_hold(view_effectors *e, int effector, sinew_vec3 target) {
    e->all[effector].is_held = true;
    e->all[effector].weight = 1.0f;
    e->all[effector].target = target;
}

void view_effectors_release(view_effectors *e) {
    for (int i = 0; i < VIEW_EFFECTORS; i++) e->all[i].is_held = false;
}

void view_effectors_advance(view_effectors *e, float dt) {
    for (int i = 0; i < VIEW_EFFECTORS; i++) {
        if (!e->all[i].is_held) e->all[i].weight = fmaxf(e->all[i].weight - dt / RELEASE, 0.0f);
    }
}

bool view_effectors_act(const view_effectors *e) {
    for (int i = 0; i < VIEW_EFFECTORS; i++) {
        if (e->all[i].weight > 0.0f) return true;
    }
    return false;
}

bool view_effectors_move(const view_effectors *e) {
    for (int i = 0; i < VIEW_EFFECTORS; i++) {
        if (!e->all[i].is_held && e->all[i].weight > 0.0f) return true;
    }
    return false;
}

// ---- Solving -------------------------------------------------------------------------------------------------

// An effector that is not dragged keeps its position. A smoothstep of the weight: the release starts and ends without a jump
// of speed.
static sinew_ik_effector effector_of(const view_effector *effector) {
    sinew_ik_effector out = sinew_ik_effector_default();
    out.node = effector->node;
    out.pin = !(effector->weight > 0.0f);
    out.target = effector->target;
    out.position_weight = effector->weight * effector->weight * (3.0f - 2.0f * effector->weight);
    return out;
}

void view_effectors_solve(const view_effectors *e, sinew_pose *pose, sinew_affine *model) {
    if (!view_effectors_exist(e) || !view_effectors_act(e)) return;
    sinew_ik_effector effectors[VIEW_EFFECTORS];
    sinew_ik solver = {.kind = SINEW_IK_BODY};
    solver.body = sinew_ik_body_default();
    solver.body.root = e->all[VIEW_HIPS].node;
    solver.body.effectors = effectors;
    solver.body.joints = e->hinges;
    solver.body.joint_count = e->hinge_count;
    for (int i = 0; i < VIEW_EFFECTORS; i++) { // hands and the head that are not dragged are free
        const bool is_foot = i == VIEW_FOOT_L || i == VIEW_FOOT_R;
        if (is_foot || e->all[i].weight > 0.0f) effectors[solver.body.effector_count++] = effector_of(&e->all[i]);
    }
    sinew_ik_solve(&solver, 1, pose, model);
}
