// SPDX-License-Identifier: MIT
// Springs, chains and bodies for JavaScript. It's a separate module, so only pages that use them pay for it. A mixer's
// pose is in another module's memory: the package copies it to a rig and back.
#include "web.h"

#include <stdlib.h>

static sinew_error last_error;

const char *web_error(void) {
    return last_error.message;
}

// ---- Rigs ------------------------------------------------------------------------------------------------------

struct web_rig {
    sinew_skeleton *skeleton;
    sinew_pose *pose;
    sinew_affine *model; // [node_count]
};

static bool make_rig(web_rig *rig, const sinew_node_def *nodes, int32_t count) {
    sinew_skeleton_def def = sinew_skeleton_default();
    def.nodes = nodes;
    def.node_count = count;
    if (sinew_skeleton_create(&def, &rig->skeleton, &last_error) != SINEW_OK) return false;
    rig->model = aligned_alloc(16, ((size_t)count + 1) * sizeof *rig->model);
    return sinew_pose_create(rig->skeleton, NULL, &rig->pose) == SINEW_OK && rig->model;
}

web_rig *web_rig_create(const sinew_node_def *nodes, int32_t count) {
    last_error = (sinew_error){.message = "out of memory"};
    web_rig *rig = calloc(1, sizeof *rig);
    if (!rig) return NULL;
    if (make_rig(rig, nodes, count)) return rig;
    web_rig_destroy(rig);
    return NULL;
}

void web_rig_destroy(web_rig *rig) {
    sinew_pose_destroy(rig->pose);
    free(rig->model);
    sinew_skeleton_destroy(rig->skeleton);
    free(rig);
}

float *web_rig_pose(web_rig *rig) {
    return rig->pose->tx;
}

sinew_affine *web_rig_model(web_rig *rig) {
    return rig->model;
}

// ---- Defaults --------------------------------------------------------------------------------------------------

void web_spring_defaults(sinew_springs_def *springs, sinew_spring_chain *chain, sinew_spring_joint *joint,
                         sinew_spring_collider *collider) {
    *springs = sinew_springs_default();
    *chain = sinew_spring_chain_default();
    *joint = sinew_spring_joint_default();
    *collider = sinew_spring_collider_default();
}

void web_ik_limit_from_rest(const web_rig *rig, int32_t node, int32_t child, sinew_ik_limit *limit) {
    *limit = sinew_ik_limit_from_rest(rig->skeleton, node, child);
}

void web_ik_chain_from_rest(const web_rig *rig, int32_t root, int32_t tip, sinew_ik_chain *chain) {
    *chain = sinew_ik_chain_from_rest(rig->skeleton, root, tip);
}

void web_ik_body_defaults(sinew_ik_body *body, sinew_ik_effector *effector) {
    *body = sinew_ik_body_default();
    *effector = sinew_ik_effector_default();
}

// ---- Springs ---------------------------------------------------------------------------------------------------

sinew_springs *web_springs_create(const web_rig *rig, sinew_springs_def *def) {
    sinew_springs *springs;
    def->skeleton = rig->skeleton;
    sinew_springs_create(def, &springs, &last_error);
    return springs;
}

sinew_springs *web_springs_create_from_vrm(const web_rig *rig, const web_vrm_springs *def) {
    const sinew_vrm vrm = {
        .skeleton = rig->skeleton,
        .collider_count = def->collider_count,
        .colliders = def->colliders,
        .collider_group_count = def->group_count,
        .collider_groups = def->groups,
        .spring_count = def->spring_count,
        .springs = def->springs,
    };
    sinew_springs *springs;
    if (sinew_springs_create_from_vrm(&vrm, NULL, &springs) == SINEW_OK) return springs;
    last_error = (sinew_error){.message = "out of memory"};
    return NULL;
}

void web_springs_solve(web_rig *rig, const sinew_springs *springs, sinew_spring_state *state,
                       const float *numbers) {
    sinew_springs_input input = sinew_springs_input_default();
    input.weight = numbers[1];
    input.wind = (sinew_vec3){numbers[2], numbers[3], numbers[4]};
    sinew_mat4 world;
    for (int i = 0; i < 16; i++) world.m[i] = numbers[5 + i];
    input.world = sinew_affine_from_mat4(world);
    sinew_springs_solve(springs, &input, numbers[0], state, rig->pose, rig->model);
}

// ---- Inverse kinematics ----------------------------------------------------------------------------------------

void web_ik_chain_solve(web_rig *rig, const sinew_ik_chain *chain) {
    sinew_ik_chain_solve(chain, rig->pose, rig->model);
}

void web_ik_body_solve(web_rig *rig, const sinew_ik_body *body) {
    sinew_ik_body_solve(body, rig->pose, rig->model);
}
