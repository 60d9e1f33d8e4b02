// SPDX-License-Identifier: MIT
// The springs of a rig's step: chains from a root down to a tip.
#include "motion/rig_create.h"
#include "body/spring_data.h"

#include <sinew/humanoid/vrm.h>

#include <string.h>

// The last node below `root`, along first children.
static int32_t last_first_child(const sinew_skeleton *skeleton, int32_t root) {
    int32_t node = root;
    while (node + 1 < skeleton->subtree_ends[node]) node++;
    return node;
}

// Default gravity points down, whatever the up axis is.
static sinew_vec3 gravity_of(const sinewi_rig_job *job, const sinew_rig_spring *spring) {
    const sinew_vec3 gravity = spring->joint.gravity, unset = sinew_spring_joint_default().gravity;
    const bool is_unset = gravity.x == unset.x && gravity.y == unset.y && gravity.z == unset.z;
    return is_unset && job->binding->up == SINEW_UP_Z ? (sinew_vec3){0.0f, 0.0f, unset.y} : gravity;
}

// Fills the chain's joints from the tip up to the root.
static sinew_result make_chain(sinewi_rig_job *job, const sinew_rig_spring *spring, int32_t root, int32_t tip,
                               sinew_spring_chain *chain) {
    const sinew_skeleton *skeleton = job->binding->skeleton;
    int32_t count = 1;
    for (int32_t node = tip; node != root; node = skeleton->parents[node]) {
        if (skeleton->parents[node] == SINEW_NO_NODE)
            return sinewi_rig_fail(job, "the tip \"%s\" isn't below the root \"%s\"", skeleton->names[tip],
                                   skeleton->names[root]);
        count++;
    }
    sinew_spring_joint *joints = sinewi_arena_array(&job->scratch, sinew_spring_joint, (size_t)count);
    if (!joints) return sinewi_rig_fail_memory(job);
    const sinew_vec3 gravity = gravity_of(job, spring);
    for (int32_t node = tip, i = count - 1; i >= 0; node = skeleton->parents[node], i--) {
        joints[i] = spring->joint;
        joints[i].node = node;
        joints[i].gravity = gravity;
    }
    *chain = sinew_spring_chain_default();
    chain->joints = joints;
    chain->joint_count = count;
    chain->tail = spring->tail;
    chain->from_rest = spring->from_rest;
    chain->colliders = spring->colliders;
    chain->collider_count = spring->collider_count;
    return spring->center ? sinewi_rig_find_node(job, spring->center, &chain->center) : SINEW_OK;
}

static sinew_result find_chain(sinewi_rig_job *job, const sinew_rig_spring *spring, sinew_spring_chain *chain) {
    int32_t root, tip;
    sinew_result result = sinewi_rig_find_node(job, spring->root, &root);
    if (result != SINEW_OK) return result;
    tip = last_first_child(job->binding->skeleton, root);
    if (spring->tip) result = sinewi_rig_find_node(job, spring->tip, &tip);
    return result == SINEW_OK ? make_chain(job, spring, root, tip, chain) : result;
}

static sinew_result find_chains(sinewi_rig_job *job, sinew_springs_def *def) {
    const sinew_rig_springs *springs = &job->step->springs;
    sinew_spring_chain *chains =
        sinewi_arena_array(&job->scratch, sinew_spring_chain, (size_t)springs->chain_count);
    if (!chains) return sinewi_rig_fail_memory(job);
    for (int32_t i = 0; i < springs->chain_count; i++) {
        const sinew_result result = find_chain(job, &springs->chains[i], &chains[i]);
        if (result != SINEW_OK) return result;
    }
    def->chains = chains;
    def->chain_count = springs->chain_count;
    return SINEW_OK;
}

static sinew_result find_colliders(sinewi_rig_job *job, sinew_springs_def *def) {
    const sinew_rig_springs *springs = &job->step->springs;
    sinew_spring_collider *colliders =
        sinewi_arena_array(&job->scratch, sinew_spring_collider, (size_t)springs->collider_count);
    if (!colliders) return sinewi_rig_fail_memory(job);
    for (int32_t i = 0; i < springs->collider_count; i++) {
        const sinew_rig_collider *collider = &springs->colliders[i];
        colliders[i] = collider->settings;
        colliders[i].node = SINEW_NO_NODE;
        const sinew_result result =
            collider->node ? sinewi_rig_find_node(job, collider->node, &colliders[i].node) : SINEW_OK;
        if (result != SINEW_OK) return result;
    }
    def->colliders = colliders;
    def->collider_count = springs->collider_count;
    return SINEW_OK;
}

// Makes an avatar's own springs. Other characters have none.
static sinew_result bind_own_springs(sinewi_rig_job *job, sinewi_rig_step *bound) {
    const sinew_vrm *vrm = job->binding->asset ? job->binding->asset->vrm : NULL;
    if (!vrm || vrm->spring_count == 0) return SINEW_OK;
    if (sinew_springs_create_from_vrm(vrm, &job->def->allocator, &bound->springs) != SINEW_OK)
        return sinewi_rig_fail_memory(job);
    job->rig->memory += bound->springs->size;
    return SINEW_OK;
}

sinew_result sinewi_rig_bind_springs(sinewi_rig_job *job, sinewi_rig_step *bound) {
    if (job->step->springs.chain_count == 0) return bind_own_springs(job, bound);
    sinew_springs_def def = sinew_springs_default();
    def.skeleton = job->binding->skeleton;
    def.allocator = job->def->allocator;
    sinew_result result = find_chains(job, &def);
    if (result == SINEW_OK) result = find_colliders(job, &def);
    if (result != SINEW_OK) return result;
    sinew_error error;
    result = sinew_springs_create(&def, &bound->springs, &error);
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return sinewi_rig_fail_memory(job);
    if (result != SINEW_OK) return sinewi_rig_fail(job, "%s", error.message);
    job->rig->memory += bound->springs->size;
    return SINEW_OK;
}
