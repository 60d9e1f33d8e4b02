// SPDX-License-Identifier: MIT
// The feet of a rig: legs by name or role, soles from the mesh, and contacts of the clips that the graph plays.
#include "motion/rig_create.h"

#include <sinew/humanoid/reference.h>

#include <string.h>

// ---- Legs ----------------------------------------------------------------------------------------------------

static sinew_result find_named_foot(const sinewi_rig_job *job, const sinew_rig_foot *names, sinew_foot *foot) {
    const char *const texts[4] = {names->thigh, names->shin, names->foot, names->toes};
    int32_t nodes[4] = {SINEW_NO_NODE, SINEW_NO_NODE, SINEW_NO_NODE, SINEW_NO_NODE};
    for (int i = 0; i < 4; i++) {
        if (!texts[i]) continue;
        const sinew_result result = sinewi_rig_find_node(job, texts[i], &nodes[i]);
        if (result != SINEW_OK) return result;
    }
    *foot = sinew_foot_from_rest(job->binding->skeleton, nodes[0], nodes[1], nodes[2], nodes[3], job->up);
    if (foot->node != SINEW_NO_NODE) return SINEW_OK;
    return sinewi_rig_fail(job, "\"%s\", \"%s\" and \"%s\" aren't one below the other", texts[0], texts[1],
                           texts[2]);
}

static sinew_result find_named_feet(sinewi_rig_job *job) {
    const sinew_graph *graph = job->binding->graph;
    for (int32_t i = 0; i < graph->foot_count; i++) {
        const sinew_result result = find_named_foot(job, &graph->feet[i], &job->data->feet[i]);
        if (result != SINEW_OK) return result;
        for (int32_t k = 0; k < i; k++) {
            if (job->data->feet[k].node == job->data->feet[i].node)
                return sinewi_rig_fail(job, "\"%s\" is listed twice", graph->feet[i].foot);
        }
    }
    job->rig->foot_count = graph->foot_count;
    return SINEW_OK;
}

static void find_humanoid_feet(sinewi_rig_job *job) {
    static const sinew_humanoid_role legs[2][4] = {{SINEW_HUMANOID_LEFT_UPPER_LEG, SINEW_HUMANOID_LEFT_LOWER_LEG,
                                                    SINEW_HUMANOID_LEFT_FOOT, SINEW_HUMANOID_LEFT_TOES},
                                                   {SINEW_HUMANOID_RIGHT_UPPER_LEG, SINEW_HUMANOID_RIGHT_LOWER_LEG,
                                                    SINEW_HUMANOID_RIGHT_FOOT, SINEW_HUMANOID_RIGHT_TOES}};
    const int32_t *nodes = job->binding->humanoid->nodes;
    for (int i = 0; i < 2; i++) {
        const sinew_humanoid_role *leg = legs[i];
        if (nodes[leg[0]] == SINEW_NO_NODE || nodes[leg[1]] == SINEW_NO_NODE || nodes[leg[2]] == SINEW_NO_NODE)
            continue;
        const sinew_foot foot = sinew_foot_from_rest(job->binding->skeleton, nodes[leg[0]], nodes[leg[1]],
                                                     nodes[leg[2]], nodes[leg[3]], job->up);
        if (foot.node != SINEW_NO_NODE) job->data->feet[job->rig->foot_count++] = foot;
    }
}

// ---- Soles ---------------------------------------------------------------------------------------------------

// Replaces the points below the joints by the outline of the mesh's soles, for the feet that have vertices.
static sinew_result find_soles(sinewi_rig_job *job) {
    const sinew_asset *asset = job->binding->asset;
    const int32_t *nodes = job->binding->humanoid->nodes;
    const bool has_roles =
        nodes[SINEW_HUMANOID_LEFT_FOOT] != SINEW_NO_NODE || nodes[SINEW_HUMANOID_RIGHT_FOOT] != SINEW_NO_NODE;
    if (!asset || !has_roles) return SINEW_OK;
    sinew_pose *pose;
    if (sinew_pose_create(asset->skeleton, &job->def->allocator, &pose) != SINEW_OK)
        return sinewi_rig_fail_memory(job);
    sinew_error unused;
    sinew_feet found = {.foot_count = 0};
    sinew_result result =
        sinew_reference_find(asset, job->binding->humanoid, &job->def->allocator, pose, NULL, &unused);
    if (result == SINEW_ERROR_UNSUPPORTED) sinew_pose_reset(pose);
    if (result != SINEW_ERROR_OUT_OF_MEMORY)
        result =
            sinew_reference_find_soles(asset, job->binding->humanoid, pose, &job->def->allocator, &found, &unused);
    sinew_pose_destroy(pose);
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return sinewi_rig_fail_memory(job);
    for (int32_t i = 0; i < found.foot_count; i++) {
        for (int32_t k = 0; k < job->rig->foot_count; k++) {
            sinew_foot *foot = &job->data->feet[k];
            if (foot->node != found.feet[i].node) continue;
            foot->point_count = found.feet[i].point_count;
            memcpy(foot->points, found.feet[i].points, sizeof foot->points);
        }
    }
    return SINEW_OK;
}

// ---- Contacts ------------------------------------------------------------------------------------------------

typedef struct clip_list {
    const sinew_clip **clips;
    int32_t count;
} clip_list;

static void add_clip(clip_list *list, const sinew_clip *clip) {
    if (clip->additive) return;
    for (int32_t i = 0; i < list->count; i++) {
        if (list->clips[i] == clip) return;
    }
    list->clips[list->count++] = clip;
}

static void add_source(clip_list *list, const sinew_source *source) {
    if (source->clip) add_clip(list, source->clip);
    for (int32_t i = 0; source->blend_space && i < source->blend_space->sample_count; i++)
        add_clip(list, source->blend_space->samples[i].clip);
}

static size_t count_sources(const sinew_graph_binding *binding) {
    size_t count = 0;
    for (int32_t i = 0; i < binding->graph->state_count; i++) {
        const sinew_blend_space *space = binding->sources[i].blend_space;
        count += space ? (size_t)space->sample_count : 1;
    }
    return count;
}

// The clips of the graph's base layer, or all clips if the graph plays none.
static bool gather_clips(sinewi_rig_job *job, clip_list *list) {
    const sinew_graph_binding *binding = job->binding;
    const sinew_graph_binding_def *def = &binding->data->def;
    const size_t most = count_sources(binding) + (size_t)def->clip_count;
    list->clips = sinewi_arena_array(&job->scratch, const sinew_clip *, most);
    if (!list->clips) return false;
    for (int32_t i = 0; i < binding->graph->state_count; i++) {
        if (sinew_graph_state_layer(binding->graph, i) == 0) add_source(list, &binding->sources[i]);
    }
    for (int32_t i = 0; binding->graph->layer_count == 0 && i < def->clip_count; i++) {
        if (def->clips[i].skeleton == binding->skeleton) add_clip(list, &def->clips[i]);
    }
    return true;
}

static sinew_result find_contacts(sinewi_rig_job *job) {
    const sinew_graph *graph = job->binding->graph;
    clip_list list = {NULL, 0};
    if (!gather_clips(job, &list)) return sinewi_rig_fail_memory(job);
    const char *down[SINEW_MAX_FEET], *up[SINEW_MAX_FEET];
    for (int32_t i = 0; i < graph->foot_count; i++) {
        down[i] = graph->feet[i].down;
        up[i] = graph->feet[i].up;
    }
    const bool has_markers = graph->foot_count > 0 && graph->feet[0].down;
    sinew_foot_contacts_def def = sinew_foot_contacts_default();
    def.skeleton = job->binding->skeleton;
    def.clips = list.clips;
    def.clip_count = list.count;
    def.foot_count = job->rig->foot_count;
    def.feet = job->data->feet;
    def.up = job->up;
    def.down_names = has_markers ? down : NULL;
    def.up_names = has_markers ? up : NULL;
    def.allocator = job->def->allocator;
    sinew_error error;
    const sinew_result result = sinew_foot_contacts_create(&def, &job->data->contacts, &error);
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return sinewi_rig_fail_memory(job);
    if (result != SINEW_OK) return sinewi_rig_fail(job, "%s", error.message);
    job->rig->contacts = job->data->contacts;
    job->rig->memory += job->data->contacts->memory;
    return SINEW_OK;
}

// ---- All of it -----------------------------------------------------------------------------------------------

static bool has_kind(const sinew_graph *graph, sinew_rig_kind kind) {
    for (int32_t i = 0; i < graph->step_count; i++) {
        if (graph->steps[i].kind == kind) return true;
    }
    return false;
}

sinew_result sinewi_rig_find_feet(sinewi_rig_job *job) {
    const sinew_graph *graph = job->binding->graph;
    const bool locks = has_kind(graph, SINEW_RIG_FOOT_LOCK);
    const bool places = has_kind(graph, SINEW_RIG_FOOT_PLACEMENT) || has_kind(graph, SINEW_RIG_STRIDE_WARP);
    if (!locks && !places) return SINEW_OK;
    sinew_result result = SINEW_OK;
    if (graph->foot_count > 0) {
        result = find_named_feet(job);
    } else {
        find_humanoid_feet(job);
    }
    if (result == SINEW_OK && job->rig->foot_count == 0)
        return sinewi_rig_fail(job,
                               "the graph lists no feet, and the binding has no humanoid whose legs could be used");
    if (result == SINEW_OK) result = find_soles(job);
    return result == SINEW_OK && locks ? find_contacts(job) : result;
}

static bool is_above(const sinew_skeleton *skeleton, int32_t node, int32_t below) {
    return below > node && below < skeleton->subtree_ends[node];
}

int32_t sinewi_rig_hips(const sinewi_rig_job *job) {
    const sinew_skeleton *skeleton = job->binding->skeleton;
    const int32_t hips = job->binding->humanoid->nodes[SINEW_HUMANOID_HIPS];
    if (hips != SINEW_NO_NODE || job->rig->foot_count == 0) return hips;
    int32_t above = skeleton->parents[job->data->feet[0].leg.upper];
    for (int32_t i = 1; i < job->rig->foot_count; i++) {
        while (above != SINEW_NO_NODE && !is_above(skeleton, above, job->data->feet[i].leg.upper))
            above = skeleton->parents[above];
    }
    return above;
}
