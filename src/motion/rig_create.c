// SPDX-License-Identifier: MIT
// Creates a rig: looks up what the graph's steps name, and fills in the structs of the parts.
#include "motion/rig_create.h"
#include "base/def_cookie.h"
#include "base/nearest_name.h"
#include "body/aim_offset_data.h"
#include "base/float_rules.h"

#include <string.h>

// ---- Clips ---------------------------------------------------------------------------------------------------

static const sinew_clip *find_clip(const sinewi_rig_job *job, const char *name) {
    const sinew_clip *clip = sinewi_graph_find_clip(&job->binding->data->def, name);
    return clip && clip->skeleton == job->binding->skeleton && !clip->additive ? clip : NULL;
}

// Says what a name should have been, or what's wrong with its clip.
static sinew_result fail_missing_clip(const sinewi_rig_job *job, const char *name) {
    const sinew_graph_binding_def *def = &job->binding->data->def;
    const sinew_clip *clip = sinewi_graph_find_clip(def, name);
    if (clip)
        return sinewi_rig_fail(job, "the clip \"%s\" %s", name,
                               clip->additive ? "is additive" : "belongs to a different skeleton");
    sinewi_nearest nearest = sinewi_nearest_begin(name, strlen(name));
    for (int32_t i = 0; i < def->clip_count; i++) sinewi_nearest_try(&nearest, def->clips[i].name);
    if (nearest.name[0] == '\0') return sinewi_rig_fail(job, "no clip is named \"%s\"", name);
    return sinewi_rig_fail(job, "no clip is named \"%s\"; did you mean \"%s\"?", name, nearest.name);
}

// ---- The kinds -----------------------------------------------------------------------------------------------

static sinew_result bind_root_warp(sinewi_rig_job *job, sinewi_rig_step *bound) {
    const sinew_rig_root_warp *warp = &job->step->root_warp;
    bound->root_warp = warp->settings;
    bound->root_warp.clip = find_clip(job, warp->clip);
    if (!bound->root_warp.clip) return fail_missing_clip(job, warp->clip);
    const float duration = bound->root_warp.clip->duration;
    if (!warp->window && warp->settings.end > duration)
        return sinewi_rig_fail(job, "the window ends at %g s, but the clip \"%s\" lasts %g s",
                               (double)warp->settings.end, warp->clip, (double)duration);
    if (!warp->window) return SINEW_OK;
    if (sinew_root_warp_window(bound->root_warp.clip, warp->window, &bound->root_warp.start, &bound->root_warp.end))
        return SINEW_OK;
    return sinewi_rig_fail(job, "the clip \"%s\" has no markers \"%s\" and \"%s.end\" after it", warp->clip,
                           warp->window, warp->window);
}

static sinew_result make_grid(sinewi_rig_job *job, sinew_aim_offset_def *def, sinewi_rig_step *bound) {
    sinew_error error;
    const sinew_result result = sinew_aim_offset_create(def, &bound->aim_offset, &error);
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return sinewi_rig_fail_memory(job);
    if (result != SINEW_OK) return sinewi_rig_fail(job, "%s", error.message);
    job->rig->memory += sinewi_aim_offset_memory(bound->aim_offset);
    return SINEW_OK;
}

// Samples the reference pose of an aim offset. It stays NULL if the rest pose is the reference.
static sinew_result sample_reference(sinewi_rig_job *job, const char *name, sinew_pose **pose) {
    *pose = NULL;
    if (!name) return SINEW_OK;
    const sinew_clip *clip = find_clip(job, name);
    if (!clip) return fail_missing_clip(job, name);
    if (sinew_pose_create(job->binding->skeleton, &job->def->allocator, pose) != SINEW_OK)
        return sinewi_rig_fail_memory(job);
    sinew_clip_sample(clip, 0.0f, *pose);
    return SINEW_OK;
}

static sinew_result make_grid_mask(sinewi_rig_job *job, sinew_mask **mask) {
    const sinew_rig_grid *grid = &job->step->aim_offset;
    sinew_error error;
    const sinew_result result =
        sinewi_graph_make_mask(job->binding, grid->parts, grid->part_count, &job->def->allocator, mask, &error);
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return sinewi_rig_fail_memory(job);
    return result == SINEW_OK ? SINEW_OK : sinewi_rig_fail(job, "%s", error.message);
}

static sinew_result bind_aim_offset(sinewi_rig_job *job, sinewi_rig_step *bound) {
    const sinew_rig_grid *grid = &job->step->aim_offset;
    const sinew_clip *clips[SINEW_MAX_AIM_POSES * SINEW_MAX_AIM_POSES];
    for (int32_t i = 0; i < grid->yaw_count * grid->pitch_count; i++) {
        clips[i] = find_clip(job, grid->clips[i]);
        if (!clips[i]) return fail_missing_clip(job, grid->clips[i]);
    }
    sinew_aim_offset_def def = sinew_aim_offset_default();
    def.skeleton = job->binding->skeleton;
    def.yaw_count = grid->yaw_count;
    def.pitch_count = grid->pitch_count;
    def.yaws = grid->yaws;
    def.pitches = grid->pitches;
    def.clips = clips;
    def.allocator = job->def->allocator;
    sinew_mask *mask = NULL;
    sinew_pose *reference = NULL;
    sinew_result result = grid->part_count > 0 ? make_grid_mask(job, &mask) : SINEW_OK;
    if (result == SINEW_OK) result = sample_reference(job, grid->reference, &reference);
    def.mask = mask;
    def.reference = reference;
    if (result == SINEW_OK) result = make_grid(job, &def, bound);
    sinew_pose_destroy(reference);
    sinew_mask_destroy(mask);
    return result;
}

static sinew_result bind_orientation_warp(sinewi_rig_job *job, sinewi_rig_step *bound) {
    static const sinew_humanoid_role spine[] = {SINEW_HUMANOID_SPINE, SINEW_HUMANOID_CHEST,
                                                SINEW_HUMANOID_UPPER_CHEST};
    sinew_orientation_warp *warp = &bound->orientation_warp;
    *warp = job->step->orientation_warp;
    warp->up = job->up;
    const sinew_result result = sinewi_rig_find_spine(job, warp);
    if (result != SINEW_OK) return result;
    if (warp->hips == SINEW_NO_NODE) warp->hips = sinewi_rig_hips(job);
    if (warp->hips == SINEW_NO_NODE)
        return sinewi_rig_fail(job, "no hips are known; list them as the first of the step's nodes");
    for (size_t i = 0; job->step->node_count == 0 && i < sizeof spine / sizeof *spine; i++) {
        const int32_t node = job->binding->humanoid->nodes[spine[i]];
        if (node != SINEW_NO_NODE) warp->spine[warp->spine_count++] = node;
    }
    const int32_t *ends = job->binding->skeleton->subtree_ends;
    for (int32_t i = 0; i < warp->spine_count; i++) {
        const int32_t above = i == 0 ? warp->hips : warp->spine[i - 1];
        if (warp->spine[i] <= above || warp->spine[i] >= ends[above])
            return sinewi_rig_fail(job, "\"%s\" isn't below \"%s\", the node before it",
                                   job->binding->skeleton->names[warp->spine[i]],
                                   job->binding->skeleton->names[above]);
    }
    return SINEW_OK;
}

// The pelvis of a step that moves feet. It must be above all legs.
static sinew_result find_pelvis(sinewi_rig_job *job, int32_t *pelvis) {
    const sinew_result result = sinewi_rig_find_listed(job, 0, pelvis);
    if (result != SINEW_OK) return result;
    if (*pelvis == SINEW_NO_NODE) *pelvis = sinewi_rig_hips(job);
    for (int32_t i = 0; *pelvis != SINEW_NO_NODE && i < job->rig->foot_count; i++) {
        const int32_t leg = job->data->feet[i].leg.upper, *ends = job->binding->skeleton->subtree_ends;
        if (leg <= *pelvis || leg >= ends[*pelvis])
            return sinewi_rig_fail(job, "the pelvis \"%s\" isn't above the leg \"%s\"",
                                   job->binding->skeleton->names[*pelvis], job->binding->skeleton->names[leg]);
    }
    return SINEW_OK;
}

// Where a character without roles faces.
static sinew_vec3 default_forward(const sinewi_rig_job *job) {
    return job->binding->up == SINEW_UP_Z ? (sinew_vec3){0.0f, -1.0f, 0.0f} : (sinew_vec3){0.0f, 0.0f, 1.0f};
}

static bool is_zero(sinew_vec3 v) {
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

static bool is_vertical(const sinewi_rig_job *job, sinew_vec3 direction) {
    const sinew_vec3 level =
        sinew_vec3_subtract(direction, sinew_vec3_scale(job->up, sinew_vec3_dot(direction, job->up)));
    return !(sinew_vec3_dot(level, level) > 1e-6f * sinew_vec3_dot(direction, direction));
}

static sinew_result bind_stride_warp(sinewi_rig_job *job, sinewi_rig_step *bound) {
    sinew_stride_warp *warp = &bound->stride_warp;
    *warp = job->step->stride_warp;
    warp->feet = job->data->feet;
    warp->foot_count = job->rig->foot_count;
    warp->up = job->up;
    if (is_zero(warp->direction)) warp->direction = default_forward(job);
    if (is_vertical(job, warp->direction))
        return sinewi_rig_fail(job, "the direction of travel must not be vertical");
    return find_pelvis(job, &warp->pelvis);
}

static sinew_result bind_foot_lock(sinewi_rig_job *job, sinewi_rig_step *bound) {
    bound->foot_lock = job->step->foot_lock;
    bound->foot_lock.feet = job->data->feet;
    bound->foot_lock.foot_count = job->rig->foot_count;
    bound->foot_lock.up = job->up;
    return SINEW_OK;
}

static sinew_result bind_foot_placement(sinewi_rig_job *job, sinewi_rig_step *bound) {
    bound->foot_placement = job->step->foot_placement;
    bound->foot_placement.feet = job->data->feet;
    bound->foot_placement.foot_count = job->rig->foot_count;
    bound->foot_placement.up = job->up;
    return find_pelvis(job, &bound->foot_placement.pelvis);
}

// The upper and lower node of a limb: those listed, those of the end's role, or the end's parents.
static sinew_result find_limb(sinewi_rig_job *job, int32_t nodes[3]) {
    const int32_t count = job->step->node_count;
    for (int i = 0; i < 3; i++) {
        const sinew_result result = sinewi_rig_find_listed(job, count == 3 ? i : 0, &nodes[i]);
        if (result != SINEW_OK) return result;
    }
    if (count == 3) return SINEW_OK;
    const sinew_humanoid *humanoid = job->binding->humanoid;
    const int32_t role = sinew_humanoid_role_of(humanoid, nodes[2]);
    for (int i = 1, above = role; i >= 0; i--) {
        above = above == SINEW_NO_ROLE ? SINEW_NO_ROLE : sinew_humanoid_role_parent(above);
        nodes[i] = above == SINEW_NO_ROLE ? SINEW_NO_NODE : humanoid->nodes[above];
        if (nodes[i] == SINEW_NO_NODE) nodes[i] = job->binding->skeleton->parents[nodes[i + 1]];
        if (nodes[i] == SINEW_NO_NODE) return sinewi_rig_fail(job, "the end has fewer than two nodes above it");
    }
    return SINEW_OK;
}

static sinew_result bind_limb(sinewi_rig_job *job, sinewi_rig_step *bound) {
    int32_t nodes[3];
    sinew_result result = find_limb(job, nodes);
    if (result == SINEW_OK) result = sinewi_rig_find_goal(job, &job->step->goal, nodes[2], &bound->goal);
    if (result == SINEW_OK) result = sinewi_rig_find_goal(job, &job->step->pole, SINEW_NO_NODE, &bound->pole);
    if (result != SINEW_OK) return result;
    const sinew_ik_two_bone *settings = &job->step->limb;
    sinew_ik_two_bone limb = sinew_ik_two_bone_from_rest(job->binding->skeleton, nodes[0], nodes[1], nodes[2]);
    const char *const *names = job->binding->skeleton->names;
    if (limb.upper == SINEW_NO_NODE)
        return sinewi_rig_fail(job, "\"%s\", \"%s\" and \"%s\" aren't one below the other", names[nodes[0]],
                               names[nodes[1]], names[nodes[2]]);
    if (!is_zero(settings->bend_axis)) limb.bend_axis = settings->bend_axis;
    limb.softness = settings->softness;
    limb.pole_weight =
        job->step->pole.parameter != SINEW_GRAPH_NONE || job->step->pole.node ? settings->pole_weight : 0.0f;
    limb.end_mode = settings->end_mode;
    bound->limb = limb;
    return SINEW_OK;
}

static sinew_result bind_chain(sinewi_rig_job *job, sinewi_rig_step *bound) {
    int32_t root, tip;
    sinew_result result = sinewi_rig_find_listed(job, 0, &root);
    if (result == SINEW_OK) result = sinewi_rig_find_listed(job, 1, &tip);
    if (result == SINEW_OK) result = sinewi_rig_find_goal(job, &job->step->goal, SINEW_NO_NODE, &bound->goal);
    if (result == SINEW_OK) result = sinewi_rig_find_goal(job, &job->step->pole, SINEW_NO_NODE, &bound->pole);
    if (result != SINEW_OK) return result;
    const sinew_ik_chain *settings = &job->step->chain;
    sinew_ik_chain chain = sinew_ik_chain_from_rest(job->binding->skeleton, root, tip);
    if (chain.root == SINEW_NO_NODE)
        return sinewi_rig_fail(job,
                               "the tip \"%s\" isn't below the root \"%s\", or the chain has more than %d nodes",
                               job->step->nodes[1], job->step->nodes[0], SINEW_MAX_CHAIN_NODES);
    chain.method = settings->method;
    chain.pole_weight =
        job->step->pole.parameter != SINEW_GRAPH_NONE || job->step->pole.node ? settings->pole_weight : 0.0f;
    chain.softness = settings->softness;
    chain.restarts = settings->restarts;
    bound->chain = chain;
    return SINEW_OK;
}

static sinew_result bind_effector(const sinewi_rig_job *job, const sinew_rig_effector *from, int32_t root,
                                  sinew_ik_effector *effector, sinewi_rig_place *place) {
    *effector = sinew_ik_effector_default();
    sinew_result result = sinewi_rig_find_node(job, from->node, &effector->node);
    if (result == SINEW_OK) result = sinewi_rig_find_goal(job, &from->goal, effector->node, place);
    if (result != SINEW_OK) return result;
    if (effector->node < root || effector->node >= job->binding->skeleton->subtree_ends[root])
        return sinewi_rig_fail(job, "the effector \"%s\" isn't below the root", from->node);
    effector->rotation_weight = from->rotate ? 1.0f : 0.0f;
    effector->pull = from->pull;
    effector->pin = from->pin;
    return SINEW_OK;
}

// Whether an effector stands in for a missing role on the node of one before it.
static bool is_repeated_effector(const sinewi_rig_job *job, const char *name, const sinewi_rig_effectors *effectors,
                                 int32_t index) {
    bool is_repeated = false;
    for (int32_t i = 0; i < index && !is_repeated; i++)
        is_repeated =
            sinewi_rig_is_repeated(job, name, effectors->effectors[index].node, effectors->effectors[i].node);
    return is_repeated;
}

// Nodes from the root down to the effectors. The solver has room for SINEW_MAX_CHAIN_NODES.
static int32_t count_body_nodes(const sinewi_rig_job *job, const sinewi_rig_step *bound) {
    const int32_t *ends = job->binding->skeleton->subtree_ends;
    int32_t count = 0;
    for (int32_t node = bound->body.root; node < ends[bound->body.root]; node++) {
        bool is_used = false;
        for (int32_t i = 0; i < bound->body.effector_count && !is_used; i++) {
            const int32_t effector = bound->effectors->effectors[i].node;
            is_used = effector >= node && effector < ends[node];
        }
        count += is_used;
    }
    return count;
}

static sinew_result bind_body(sinewi_rig_job *job, sinewi_rig_step *bound) {
    const sinew_rig_body *settings = &job->step->body;
    sinewi_rig_effectors *effectors = job->effectors++;
    bound->body = settings->settings;
    bound->effectors = effectors;
    sinew_result result = sinewi_rig_find_listed(job, 0, &bound->body.root);
    if (result != SINEW_OK) return result;
    if (bound->body.root == SINEW_NO_NODE) bound->body.root = sinewi_rig_hips(job);
    if (bound->body.root == SINEW_NO_NODE)
        return sinewi_rig_fail(job, "no hips are known; name the body's root in the step");
    bound->body.effector_count = 0;
    for (int32_t i = 0; result == SINEW_OK && i < settings->effector_count; i++) {
        const int32_t index = bound->body.effector_count;
        result = bind_effector(job, &settings->effectors[i], bound->body.root, &effectors->effectors[index],
                               &effectors->places[index]);
        if (!is_repeated_effector(job, settings->effectors[i].node, effectors, index)) bound->body.effector_count++;
    }
    if (result != SINEW_OK) return result;
    const int32_t count = count_body_nodes(job, bound);
    if (count <= SINEW_MAX_CHAIN_NODES) return SINEW_OK;
    return sinewi_rig_fail(job, "%d nodes from the root to the effectors; there can be %d", (int)count,
                           SINEW_MAX_CHAIN_NODES);
}

// A direction of the rest pose in the local space of a node.
static sinew_vec3 rest_direction(const sinewi_rig_job *job, sinew_vec3 direction, int32_t node) {
    const sinew_skeleton *skeleton = job->binding->skeleton;
    sinew_quat rotation = {0.0f, 0.0f, 0.0f, 1.0f};
    for (int32_t i = node; i != SINEW_NO_NODE; i = skeleton->parents[i])
        rotation = sinew_quat_multiply(skeleton->rest[i].rotation, rotation);
    return sinew_quat_rotate(sinew_quat_conjugate(rotation), direction);
}

// The direction in which the character faces in the rest pose, in the local space of a node.
static sinew_vec3 rest_forward(const sinewi_rig_job *job, int32_t node) {
    const sinew_graph_binding *binding = job->binding;
    sinew_humanoid_report report;
    sinew_error unused;
    const bool is_known =
        sinew_humanoid_check(binding->skeleton, binding->up, binding->humanoid, &report, &unused) == SINEW_OK &&
        !is_zero(report.forward);
    return rest_direction(job, is_known ? report.forward : default_forward(job), node);
}

static sinew_result bind_aim(sinewi_rig_job *job, sinewi_rig_step *bound) {
    int32_t node, tip;
    sinew_result result = sinewi_rig_find_listed(job, 0, &node);
    if (result == SINEW_OK) result = sinewi_rig_find_listed(job, 1, &tip);
    if (result == SINEW_OK) result = sinewi_rig_find_goal(job, &job->step->goal, SINEW_NO_NODE, &bound->goal);
    if (result != SINEW_OK) return result;
    if (tip == SINEW_NO_NODE) tip = node;
    const sinew_ik_aim *settings = &job->step->aim;
    const sinew_skeleton *skeleton = job->binding->skeleton;
    const sinew_vec3 forward = is_zero(settings->forward) ? rest_forward(job, tip) : settings->forward;
    sinew_ik_aim aim = sinew_ik_aim_from_rest(skeleton, node, tip, forward);
    if (aim.node == SINEW_NO_NODE)
        return sinewi_rig_fail(job, "the tip \"%s\" isn't below the node \"%s\"", job->step->nodes[1],
                               job->step->nodes[0]);
    aim.world_up = job->up;
    if (job->binding->up == SINEW_UP_Z) aim.limit_up = rest_direction(job, job->up, skeleton->parents[node]);
    aim.origin = settings->origin;
    aim.limit = settings->limit;
    aim.pitch_up = settings->pitch_up;
    aim.pitch_down = settings->pitch_down;
    aim.softness = settings->softness;
    aim.settle_time = settings->settle_time;
    bound->aim = aim;
    return SINEW_OK;
}

static sinew_result bind_kind(sinewi_rig_job *job, sinewi_rig_step *bound) {
    switch (job->step->kind) {
    case SINEW_RIG_ROOT_WARP:
        return bind_root_warp(job, bound);
    case SINEW_RIG_AIM_OFFSET:
        return bind_aim_offset(job, bound);
    case SINEW_RIG_ORIENTATION_WARP:
        return bind_orientation_warp(job, bound);
    case SINEW_RIG_STRIDE_WARP:
        return bind_stride_warp(job, bound);
    case SINEW_RIG_FOOT_LOCK:
        return bind_foot_lock(job, bound);
    case SINEW_RIG_FOOT_PLACEMENT:
        return bind_foot_placement(job, bound);
    case SINEW_RIG_LIMB:
        return bind_limb(job, bound);
    case SINEW_RIG_CHAIN:
        return bind_chain(job, bound);
    case SINEW_RIG_BODY:
        return bind_body(job, bound);
    case SINEW_RIG_AIM:
        return bind_aim(job, bound);
    case SINEW_RIG_SPRINGS:
        return sinewi_rig_bind_springs(job, bound);
    case SINEW_RIG_CALLBACK:
        break;
    }
    return SINEW_OK;
}

static sinew_result bind_step(sinewi_rig_job *job, int32_t index) {
    sinewi_rig_step *bound = &job->steps[index];
    job->step = &job->binding->graph->steps[index];
    *bound = (sinewi_rig_step){.step = job->step};
    bound->goal.node = bound->pole.node = SINEW_NO_NODE;
    job->data->step_count = index + 1;
    job->data->root_warp_count += job->step->kind == SINEW_RIG_ROOT_WARP;
    const sinew_result result = bind_kind(job, bound);
    if (result != SINEW_OK) return result;
    bound->goal.goal = &job->step->goal;
    bound->pole.goal = &job->step->pole;
    bound->state = (uint32_t)job->rig->state_size;
    job->rig->state_size += (sinewi_rig_state_size(bound) + 7) & ~(size_t)7;
    return SINEW_OK;
}

// ---- Creating ------------------------------------------------------------------------------------------------

static size_t count_bodies(const sinew_graph *graph) {
    size_t count = 0;
    for (int32_t i = 0; i < graph->step_count; i++) count += graph->steps[i].kind == SINEW_RIG_BODY;
    return count;
}

static void lay_out_rig(sinewi_layout *layout, sinewi_rig_job *job) {
    const sinew_graph *graph = job->binding->graph;
    job->rig = sinewi_layout_array(layout, sinew_rig, 1, SINEWI_ALIGNMENT);
    job->data = sinewi_layout_array(layout, sinew_rig_data, 1, alignof(sinew_rig_data));
    job->steps = sinewi_layout_array(layout, sinewi_rig_step, (size_t)graph->step_count, alignof(sinewi_rig_step));
    job->effectors =
        sinewi_layout_array(layout, sinewi_rig_effectors, count_bodies(graph), alignof(sinewi_rig_effectors));
    sinew_foot *feet = sinewi_layout_array(layout, sinew_foot, SINEW_MAX_FEET, alignof(sinew_foot));
    if (!layout->base) return;
    memset(layout->base, 0, layout->size);
    job->data->feet = feet;
    job->data->steps = job->steps;
    job->data->allocator = job->def->allocator;
    job->data->size = layout->size;
    *job->rig = (sinew_rig){.binding = job->binding, .feet = feet, .memory = layout->size, .data = job->data};
}

static sinew_result bind_steps(sinewi_rig_job *job) {
    sinew_result result = sinewi_rig_find_feet(job);
    // Weights come first in a character's block.
    job->rig->state_size = ((size_t)job->binding->graph->step_count * sizeof(sinewi_rig_weight) + 7) & ~(size_t)7;
    for (int32_t i = 0; result == SINEW_OK && i < job->binding->graph->step_count; i++) result = bind_step(job, i);
    return result;
}

// Creates the rig of a binding. `own` is destroyed with it, if it isn't NULL.
static sinew_result make_rig(sinewi_rig_job *job, sinew_graph_binding *own, sinew_rig **rig) {
    const sinew_allocator *allocator = &job->def->allocator;
    sinewi_layout measure = {0};
    lay_out_rig(&measure, job);
    sinewi_layout layout = {(char *)sinewi_allocate(allocator, measure.size, SINEWI_ALIGNMENT), 0};
    if (!layout.base) {
        sinew_graph_binding_destroy(own);
        return sinewi_fail_memory(job->error);
    }
    lay_out_rig(&layout, job);
    job->data->binding = own;
    if (own) job->rig->memory += own->memory;
    sinewi_arena_init(&job->scratch, allocator);
    const sinew_result result = bind_steps(job);
    sinewi_arena_free(&job->scratch);
    if (result == SINEW_OK) {
        *rig = job->rig;
    } else {
        sinew_rig_destroy(job->rig);
    }
    return result;
}

sinew_result sinew_rig_create(const sinew_rig_def *def, sinew_rig **rig, sinew_error *error) {
    *rig = NULL;
    sinew_graph_binding *own;
    sinewi_rig_job job = {.def = def, .error = error};
    sinew_result result = SINEWI_CHECK_DEF(def, "sinew_rig_def: start from sinew_rig_default()", error);
    if (result == SINEW_OK) result = sinewi_rig_find_binding(def, &job.binding, &own, error);
    if (result != SINEW_OK) return result;
    if (def->retarget && def->retarget->target != job.binding->skeleton) {
        sinew_graph_binding_destroy(own);
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "rig: the target of `retarget` is a different skeleton");
    }
    job.up = job.binding->up == SINEW_UP_Z ? (sinew_vec3){0.0f, 0.0f, 1.0f} : (sinew_vec3){0.0f, 1.0f, 0.0f};
    return make_rig(&job, own, rig);
}

void sinew_rig_destroy(sinew_rig *rig) {
    if (!rig) return;
    const sinew_rig_data *data = rig->data;
    for (int32_t i = 0; i < data->step_count; i++) {
        if (data->steps[i].step->kind == SINEW_RIG_AIM_OFFSET) sinew_aim_offset_destroy(data->steps[i].aim_offset);
        if (data->steps[i].step->kind == SINEW_RIG_SPRINGS) sinew_springs_destroy(data->steps[i].springs);
    }
    sinew_foot_contacts_destroy(data->contacts);
    sinew_graph_binding_destroy(data->binding);
    sinew_allocator allocator = data->allocator;
    sinewi_release(&allocator, rig, data->size, SINEWI_ALIGNMENT);
}
