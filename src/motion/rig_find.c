// SPDX-License-Identifier: MIT
// Finds the nodes that a rig's steps name, and says which step is wrong.
#include "motion/rig_create.h"
#include "base/float_rules.h"

#include <stdarg.h>
#include <stdio.h>

// ---- Errors --------------------------------------------------------------------------------------------------

sinew_result sinewi_rig_fail(const sinewi_rig_job *job, const char *format, ...) {
    char what[320];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const sinew_rig_step *step = job->step;
    const sinewi_graph_place place =
        sinewi_graph_place_of(job->binding->graph, step ? step->line : 0, step ? step->column : 0);
    if (!step) return sinewi_fail(job->error, SINEW_ERROR_ARGUMENT, "%sfeet: %s", place.text, what);
    return sinewi_fail(job->error, SINEW_ERROR_ARGUMENT, "%sstep %s: %s", place.text, step->name, what);
}

sinew_result sinewi_rig_fail_memory(const sinewi_rig_job *job) {
    return sinewi_fail_memory(job->error);
}

// ---- Nodes ---------------------------------------------------------------------------------------------------

sinew_result sinewi_rig_find_node(const sinewi_rig_job *job, const char *name, int32_t *node) {
    char what[256];
    *node = sinewi_graph_find_node(job->binding, name, what, sizeof what);
    return *node == SINEW_NO_NODE ? sinewi_rig_fail(job, "%s", what) : SINEW_OK;
}

// A node of the character that the graph was made for. SINEW_NO_NODE if it has no such node.
static int32_t find_original(const sinew_retarget *map, const char *name) {
    if (!sinewi_graph_is_role(name)) return sinew_skeleton_find(map->source, name);
    const int32_t role = sinew_humanoid_find_role(name + sizeof SINEW_ROLE_PREFIX - 1);
    return role == SINEW_NO_ROLE ? SINEW_NO_NODE : sinew_humanoid_node_of(map->source_humanoid, role);
}

// A node's rotation relative to the original's node with its role. The identity without one.
static sinew_quat turn_of(const sinew_retarget *map, int32_t node) {
    const int32_t role = node == SINEW_NO_NODE ? SINEW_NO_ROLE : sinew_humanoid_role_of(map->target_humanoid, node);
    const int32_t original = role == SINEW_NO_ROLE ? SINEW_NO_NODE : map->source_humanoid->nodes[role];
    int32_t target = SINEW_NO_NODE;
    sinew_transform socket = sinew_transform_identity();
    if (original != SINEW_NO_NODE) socket = sinew_retarget_socket(map, original, &target);
    return target == node ? sinew_quat_conjugate(socket.rotation) : sinew_transform_identity().rotation;
}

// A node's scale in model space, in the rest pose.
static float rest_scale(const sinew_skeleton *skeleton, int32_t node) {
    sinew_affine model = sinew_affine_identity();
    for (; node != SINEW_NO_NODE; node = skeleton->parents[node])
        model = sinew_affine_multiply(sinew_affine_from_transform(skeleton->rest[node]), model);
    return sinew_affine_decompose(model).scale.x;
}

// Finds a goal that is relative to a node of the original. Returns false if there is no such goal.
static bool find_original_goal(const sinew_retarget *map, const sinew_rig_goal *goal, int32_t end,
                               sinewi_rig_place *place) {
    int32_t node = SINEW_NO_NODE;
    const int32_t original = map ? find_original(map, goal->node) : SINEW_NO_NODE;
    if (original == SINEW_NO_NODE) return false;
    const sinew_transform socket = sinew_retarget_socket(map, original, &node);
    if (node == SINEW_NO_NODE) return false;
    const sinew_vec3 to_socket = sinew_vec3_scale(socket.translation, rest_scale(map->target, node)),
                     offset = sinew_vec3_scale(sinew_quat_rotate(socket.rotation, goal->offset), map->scale);
    const sinew_quat rotation = sinew_quat_multiply(socket.rotation, goal->rotation);
    *place = (sinewi_rig_place){goal, node, sinew_vec3_add(to_socket, offset),
                                sinew_quat_multiply(rotation, turn_of(map, end))};
    return true;
}

sinew_result sinewi_rig_find_goal(const sinewi_rig_job *job, const sinew_rig_goal *goal, int32_t end,
                                  sinewi_rig_place *place) {
    if (goal->node && find_original_goal(job->def->retarget, goal, end, place)) return SINEW_OK;
    *place = (sinewi_rig_place){goal, SINEW_NO_NODE, goal->offset, goal->rotation};
    return goal->node ? sinewi_rig_find_node(job, goal->node, &place->node) : SINEW_OK;
}

sinew_result sinewi_rig_find_listed(const sinewi_rig_job *job, int32_t index, int32_t *node) {
    *node = SINEW_NO_NODE;
    return index < job->step->node_count ? sinewi_rig_find_node(job, job->step->nodes[index], node) : SINEW_OK;
}

bool sinewi_rig_is_repeated(const sinewi_rig_job *job, const char *name, int32_t node, int32_t other) {
    return node == other && sinewi_graph_is_stand_in(job->binding, name);
}

sinew_result sinewi_rig_find_spine(const sinewi_rig_job *job, sinew_orientation_warp *warp) {
    warp->spine_count = 0;
    sinew_result result = sinewi_rig_find_listed(job, 0, &warp->hips);
    for (int32_t i = 1; result == SINEW_OK && i < job->step->node_count; i++) {
        int32_t node;
        result = sinewi_rig_find_listed(job, i, &node);
        bool is_repeated = sinewi_rig_is_repeated(job, job->step->nodes[i], node, warp->hips);
        for (int32_t k = 0; k < warp->spine_count && !is_repeated; k++)
            is_repeated = sinewi_rig_is_repeated(job, job->step->nodes[i], node, warp->spine[k]);
        if (!is_repeated) warp->spine[warp->spine_count++] = node;
    }
    return result;
}
