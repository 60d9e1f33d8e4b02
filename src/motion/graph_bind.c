// SPDX-License-Identifier: MIT
// Binds a graph to a skeleton's clips: turns names into pointers, and creates blend spaces, masks and additive clips.
#include <sinew/motion/rig.h>

#include "motion/graph_binding.h"
#include "motion/graph_data.h"
#include "motion/graph_node.h"
#include "base/nearest_name.h"
#include "base/def_cookie.h"
#include "base/fail.h"
#include "base/memory.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

sinew_graph_binding_def sinew_graph_binding_default(void) {
    return (sinew_graph_binding_def){.cookie = SINEWI_DEF_COOKIE};
}

// A binding while it is created.
typedef struct bind_job {
    const sinew_graph_binding_def *def;
    sinew_graph_binding *binding;
    sinew_graph_binding_data *data;
    sinew_source *sources;
    sinew_mask **masks;
    int32_t *curves;
    sinew_pose *reference;    // of the layer whose clips become additive; NULL for the rest pose
    int32_t first_difference; // of that layer, in the binding's clips
    sinew_error *error;
} bind_job;

// ---- Clips ---------------------------------------------------------------------------------------------------

const sinew_clip *sinewi_graph_find_clip(const sinew_graph_binding_def *def, const char *name) {
    for (int32_t i = 0; i < def->clip_count; i++) {
        if (strcmp(def->clips[i].name, name) == 0) return &def->clips[i];
    }
    return def->find_clip ? def->find_clip(name, def->user) : NULL;
}

SINEWI_PRINTF(3, 4)
static sinew_result fail_in_state(const bind_job *job, int32_t state, const char *format, ...) {
    char path[256], what[256];
    sinew_graph_state_path(job->def->graph, state, path, sizeof path);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const sinew_graph *graph = job->def->graph;
    const sinewi_graph_place place = sinewi_graph_place_of(graph, graph->states[state].line, 0);
    return sinewi_fail(job->error, SINEW_ERROR_ARGUMENT, "%s%s: %s", place.text, path, what);
}

static sinew_result fail_missing_clip(const bind_job *job, int32_t state, const char *name) {
    sinewi_nearest nearest = sinewi_nearest_begin(name, strlen(name));
    for (int32_t i = 0; i < job->def->clip_count; i++) sinewi_nearest_try(&nearest, job->def->clips[i].name);
    if (nearest.name[0] == '\0') return fail_in_state(job, state, "no clip is named \"%s\"", name);
    return fail_in_state(job, state, "no clip is named \"%s\"; did you mean \"%s\"?", name, nearest.name);
}

static sinew_result get_clip(const bind_job *job, int32_t state, const char *name, const sinew_clip **clip) {
    *clip = sinewi_graph_find_clip(job->def, name);
    if (!*clip) return fail_missing_clip(job, state, name);
    if ((*clip)->skeleton == job->def->skeleton) return SINEW_OK;
    return fail_in_state(job, state, "the clip \"%s\" belongs to a different skeleton", name);
}

// The additive clip that another state of the same layer already plays, because a graph may name a clip very often.
// NULL if there isn't one.
static const sinew_clip *find_difference(const bind_job *job, const sinew_clip *clip) {
    for (int32_t i = job->first_difference; i < job->data->clip_count; i++) {
        if (job->data->sources[i] == clip) return job->data->clips[i];
    }
    return NULL;
}

// Returns an additive layer's clip: the difference from the layer's reference. The binding owns it.
static sinew_result make_difference(const bind_job *job, int32_t state, const sinew_clip **clip) {
    assert(*clip);
    int32_t layer = sinew_graph_state_layer(job->def->graph, state);
    if (job->def->graph->layers[layer].mode != SINEW_LAYER_ADDITIVE || (*clip)->additive) return SINEW_OK;
    const sinew_clip *made = find_difference(job, *clip);
    if (made) {
        *clip = made;
        return SINEW_OK;
    }
    sinew_clip *difference;
    sinew_result result =
        sinew_clip_make_additive(*clip, job->reference, &job->def->allocator, &difference, job->error);
    if (result != SINEW_OK) return result;
    job->data->sources[job->data->clip_count] = *clip;
    job->data->clips[job->data->clip_count++] = difference;
    job->binding->memory += difference->memory;
    *clip = difference;
    return SINEW_OK;
}

static sinew_result bind_clip(const bind_job *job, int32_t state, const char *name, const sinew_clip **clip) {
    sinew_result result = get_clip(job, state, name, clip);
    return result == SINEW_OK ? make_difference(job, state, clip) : result;
}

// ---- Blend spaces --------------------------------------------------------------------------------------------

static sinew_result bind_blend(const bind_job *job, int32_t state) {
    const sinew_graph *graph = job->def->graph;
    const sinew_graph_blend *blend = graph->states[state].blend;
    sinew_blend_sample samples[SINEW_MAX_BLEND_SAMPLES];
    for (int32_t i = 0; i < blend->sample_count; i++) {
        const sinew_graph_sample *sample = &blend->samples[i];
        samples[i] = (sinew_blend_sample){.x = sample->x, .y = sample->y, .speed = sample->speed};
        sinew_result result = bind_clip(job, state, sample->clip, &samples[i].clip);
        if (result != SINEW_OK) return result;
    }
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = job->def->skeleton;
    def.kind = blend->kind;
    def.sample_count = blend->sample_count;
    def.samples = samples;
    def.sync_names = graph->sync_names;
    def.sync_name_count = graph->sync_name_count;
    def.damping = blend->damping;
    def.match_speed = blend->match_speed;
    if (blend->match_speed) {
        def.min_rate = blend->min_rate;
        def.max_rate = blend->max_rate;
    }
    def.allocator = job->def->allocator;
    sinew_blend_space *space;
    sinew_error error;
    sinew_result result = sinew_blend_space_create(&def, &space, &error);
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return sinewi_fail_memory(job->error);
    if (result != SINEW_OK) return fail_in_state(job, state, "%s", error.message);
    job->data->spaces[job->data->space_count++] = space;
    job->binding->memory += space->memory;
    job->sources[state] = sinew_blend_space_source(space, 0.0f, 0.0f);
    return SINEW_OK;
}

static sinew_result bind_state(const bind_job *job, int32_t state) {
    const sinew_graph_state *s = &job->def->graph->states[state];
    if (s->kind == SINEW_GRAPH_STATE_BLEND_SPACE) return bind_blend(job, state);
    if (s->kind != SINEW_GRAPH_STATE_CLIP) return SINEW_OK;
    const sinew_clip *clip;
    sinew_result result = bind_clip(job, state, s->clip, &clip);
    if (result == SINEW_OK) job->sources[state] = sinew_clip_source(clip);
    return result;
}

// ---- Layers --------------------------------------------------------------------------------------------------

static sinewi_graph_place place_of_layer(const bind_job *job, int32_t layer) {
    return sinewi_graph_place_of(job->def->graph, job->def->graph->layers[layer].line, 0);
}

static sinew_result bind_mask(const bind_job *job, int32_t layer) {
    const sinew_graph_layer *l = &job->def->graph->layers[layer];
    if (l->part_count == 0) return SINEW_OK;
    sinew_error error;
    sinew_result result = sinewi_graph_make_mask(job->binding, l->parts, l->part_count, &job->def->allocator,
                                                 &job->masks[layer], &error);
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return sinewi_fail_memory(job->error);
    if (result == SINEW_OK) return SINEW_OK;
    return sinewi_fail(job->error, result, "%slayer %s: %s", place_of_layer(job, layer).text, l->name,
                       error.message);
}

// Samples the first frame of the clip that an additive layer names.
static sinew_result sample_reference(bind_job *job, int32_t layer) {
    const sinew_graph_layer *l = &job->def->graph->layers[layer];
    job->reference = NULL;
    if (!l->reference) return SINEW_OK;
    const sinew_clip *clip = sinewi_graph_find_clip(job->def, l->reference);
    if (!clip || clip->skeleton != job->def->skeleton || clip->additive) {
        return sinewi_fail(job->error, SINEW_ERROR_ARGUMENT, "%slayer %s: no clip of this skeleton is named \"%s\"",
                           place_of_layer(job, layer).text, l->name, l->reference);
    }
    sinew_result result = sinew_pose_create(job->def->skeleton, &job->def->allocator, &job->reference);
    if (result != SINEW_OK) return sinewi_fail_memory(job->error);
    sinew_clip_sample(clip, 0.0f, job->reference);
    return SINEW_OK;
}

static sinew_result bind_layer(bind_job *job, int32_t layer) {
    const sinew_graph *graph = job->def->graph;
    job->first_difference = job->data->clip_count;
    sinew_result result = bind_mask(job, layer);
    if (result == SINEW_OK) result = sample_reference(job, layer);
    for (int32_t i = 0; result == SINEW_OK && i < graph->state_count; i++) {
        if (sinew_graph_state_layer(graph, i) == layer) result = bind_state(job, i);
    }
    sinew_pose_destroy(job->reference);
    job->reference = NULL;
    return result;
}

// ---- Curves --------------------------------------------------------------------------------------------------

// The operation in a condition that reads a curve of the graph, or NULL.
static const sinew_condition_node *find_curve(const sinew_condition *condition, int32_t curve) {
    for (int32_t i = 0; i < condition->node_count; i++) {
        const sinew_condition_node *node = &condition->nodes[i];
        if (node->op == SINEW_CONDITION_CURVE && node->index == curve) return node;
    }
    return NULL;
}

static void write_condition(const sinew_graph *graph, const sinew_graph_transition *t, int32_t column, char *text,
                            size_t size) {
    char from[160];
    bool is_any = t->from == SINEW_ANY_STATE;
    sinew_graph_state_path(graph, is_any ? t->to : t->from, from, sizeof from);
    char *name = strrchr(from, '/');
    if (is_any && name) snprintf(name, sizeof from - (size_t)(name - from), "/*");
    snprintf(text, size, "%s%s -> %s: when: column %d", sinewi_graph_place_of(graph, t->line, 0).text, from,
             graph->states[t->to].name, (int)column);
}

// Writes the step that names a curve: "line 9: step hands: weightCurve". Returns false if none does.
static bool write_step_user(const sinew_graph *graph, int32_t curve, char *user, size_t size) {
    for (int32_t i = 0; i < graph->step_count; i++) {
        const sinew_rig_step *step = &graph->steps[i];
        const bool is_weight = graph->data->step_curves[i] == curve;
        const sinew_condition_node *node = find_curve(&graph->step_conditions[i], curve);
        const sinewi_graph_place place = sinewi_graph_place_of(graph, step->line, step->column);
        if (is_weight) snprintf(user, size, "%sstep %s: weightCurve", place.text, step->name);
        if (!is_weight && node)
            snprintf(user, size, "%sstep %s: when: column %d", place.text, step->name, (int)node->column);
        if (is_weight || node) return true;
    }
    return false;
}

// Writes what names a curve first: "line 9: Base/Move -> Jump: when: column 9", or "layer Upper: weightCurve".
static void write_curve_user(const sinew_graph *graph, int32_t curve, char *user, size_t size) {
    for (int32_t i = 0; i < graph->layer_count; i++) {
        if (graph->data->weight_curves[i] != curve) continue;
        const sinew_graph_layer *layer = &graph->layers[i];
        snprintf(user, size, "%slayer %s: weightCurve", sinewi_graph_place_of(graph, layer->line, 0).text,
                 layer->name);
        return;
    }
    if (write_step_user(graph, curve, user, size)) return;
    for (int32_t i = 0; i < graph->transition_count; i++) {
        const sinew_condition_node *node = find_curve(&graph->conditions[i], curve);
        if (!node) continue;
        write_condition(graph, &graph->transitions[i], node->column, user, size);
        return;
    }
    snprintf(user, size, "graph"); // every curve has a user
}

static sinew_result fail_missing_curve(const bind_job *job, int32_t curve) {
    const sinew_skeleton *skeleton = job->def->skeleton;
    const char *name = job->def->graph->curves[curve];
    char user[400];
    write_curve_user(job->def->graph, curve, user, sizeof user);
    sinewi_nearest nearest = sinewi_nearest_begin(name, strlen(name));
    for (int32_t i = 0; i < skeleton->curve_count; i++) sinewi_nearest_try(&nearest, skeleton->curve_names[i]);
    if (nearest.name[0] == '\0')
        return sinewi_fail(job->error, SINEW_ERROR_ARGUMENT, "%s: the skeleton has no curve \"%s\"", user, name);
    return sinewi_fail(job->error, SINEW_ERROR_ARGUMENT,
                       "%s: the skeleton has no curve \"%s\"; did you mean \"%s\"?", user, name, nearest.name);
}

static sinew_result bind_curves(const bind_job *job) {
    for (int32_t i = 0; i < job->def->graph->curve_count; i++) {
        job->curves[i] = sinew_skeleton_find_curve(job->def->skeleton, job->def->graph->curves[i]);
        if (job->curves[i] == SINEW_NO_CURVE) return fail_missing_curve(job, i);
    }
    return SINEW_OK;
}

// ---- Creating ------------------------------------------------------------------------------------------------

static size_t count_clips(const sinew_graph *graph) {
    size_t count = 0;
    for (int32_t i = 0; i < graph->state_count; i++) {
        const sinew_graph_state *state = &graph->states[i];
        bool is_additive = graph->layers[sinew_graph_state_layer(graph, i)].mode == SINEW_LAYER_ADDITIVE;
        if (!is_additive) continue;
        count += state->kind == SINEW_GRAPH_STATE_CLIP;
        count += state->blend ? (size_t)state->blend->sample_count : 0;
    }
    return count;
}

// Computes the addresses of all arrays in the binding's memory block. They stay NULL while the size is measured.
static bind_job lay_out_binding(sinewi_layout *layout, const sinew_graph_binding_def *def) {
    size_t states = (size_t)def->graph->state_count, layers = (size_t)def->graph->layer_count;
    size_t spaces = (size_t)def->graph->data->blend_space_count, clips = count_clips(def->graph);
    bind_job job = {.def = def, .binding = sinewi_layout_array(layout, sinew_graph_binding, 1, SINEWI_ALIGNMENT)};
    job.data = sinewi_layout_array(layout, sinew_graph_binding_data, 1, alignof(sinew_graph_binding_data));
    job.sources = sinewi_layout_array(layout, sinew_source, states, alignof(sinew_source));
    job.masks = sinewi_layout_array(layout, sinew_mask *, layers, alignof(sinew_mask *));
    job.curves = sinewi_layout_array(layout, int32_t, (size_t)def->graph->curve_count, alignof(int32_t));
    sinew_blend_space **space_array =
        sinewi_layout_array(layout, sinew_blend_space *, spaces, alignof(sinew_blend_space *));
    sinew_clip **clip_array = sinewi_layout_array(layout, sinew_clip *, clips, alignof(sinew_clip *));
    const sinew_clip **source_array =
        sinewi_layout_array(layout, const sinew_clip *, clips, alignof(const sinew_clip *));
    if (!layout->base) return job;
    memset(layout->base, 0, layout->size);
    job.data->masks = job.masks;
    job.data->spaces = space_array;
    job.data->clips = clip_array;
    job.data->sources = source_array;
    return job;
}

// The definition with what the asset provides.
static sinew_graph_binding_def complete_def(const sinew_graph_binding_def *def) {
    sinew_graph_binding_def complete = *def;
    if (!def->asset) return complete;
    complete.up = def->asset->up;
    if (!def->skeleton) complete.skeleton = def->asset->skeleton;
    if (def->clip_count > 0) return complete;
    complete.clips = def->asset->clips;
    complete.clip_count = def->asset->clip_count;
    return complete;
}

// The caller's roles, or those of an avatar.
static void bind_humanoid(const bind_job *job) {
    const sinew_graph_binding_def *def = job->def;
    const sinew_humanoid *of_asset = def->asset ? def->asset->humanoid : NULL;
    const sinew_humanoid *humanoid = def->humanoid ? def->humanoid : of_asset;
    job->data->humanoid = humanoid ? *humanoid : sinew_humanoid_empty();
    job->binding->humanoid = &job->data->humanoid;
}

static sinew_result check_humanoid(const sinew_graph_binding_def *def, sinew_error *error) {
    for (int32_t role = 0; def->humanoid && role < SINEW_HUMANOID_ROLE_COUNT; role++) {
        const int32_t node = def->humanoid->nodes[role];
        if (node == SINEW_NO_NODE || (node >= 0 && node < def->skeleton->node_count)) continue;
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "graph binding: the role \"%s\" has the node %d, which doesn't exist",
                           sinew_humanoid_role_name(role), (int)node);
    }
    return SINEW_OK;
}

static sinew_result check_binding_def(const sinew_graph_binding_def *def, sinew_error *error) {
    if (!def->graph) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "graph binding: no graph");
    if (!def->skeleton) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "graph binding: no asset and no skeleton");
    if (def->asset && def->asset->skeleton != def->skeleton)
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "graph binding: the asset has a different skeleton");
    if (def->clip_count < 0 || (def->clip_count > 0 && !def->clips))
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "graph binding: %d clips%s", (int)def->clip_count,
                           def->clips ? "" : ", but clips is NULL");
    return check_humanoid(def, error);
}

static sinew_result make_binding(const sinew_graph_binding_def *def, sinew_graph_binding **binding,
                                 sinew_error *error) {
    sinew_result result = check_binding_def(def, error);
    if (result != SINEW_OK) return result;
    sinewi_layout measure = {0};
    lay_out_binding(&measure, def);
    sinewi_layout layout = {(char *)sinewi_allocate(&def->allocator, measure.size, SINEWI_ALIGNMENT), 0};
    if (!layout.base) return sinewi_fail_memory(error);
    bind_job job = lay_out_binding(&layout, def);
    job.error = error;
    job.data->def = *def;
    job.def = &job.data->def;
    job.data->size = layout.size;
    *job.binding = (sinew_graph_binding){.graph = def->graph,
                                         .skeleton = def->skeleton,
                                         .asset = def->asset,
                                         .up = def->up,
                                         .sources = job.sources,
                                         .masks = (const sinew_mask *const *)job.masks,
                                         .curves = job.curves,
                                         .memory = layout.size,
                                         .data = job.data};
    bind_humanoid(&job);
    for (int32_t i = 0; result == SINEW_OK && i < def->graph->layer_count; i++) result = bind_layer(&job, i);
    if (result == SINEW_OK) result = bind_curves(&job);
    if (result != SINEW_OK) {
        sinew_graph_binding_destroy(job.binding);
        return result;
    }
    *binding = job.binding;
    return SINEW_OK;
}

sinew_result sinew_graph_bind(const sinew_graph_binding_def *def, sinew_graph_binding **binding,
                              sinew_error *error) {
    *binding = NULL;
    sinew_result result =
        SINEWI_CHECK_DEF(def, "sinew_graph_binding_def: start from sinew_graph_binding_default()", error);
    if (result != SINEW_OK) return result;
    const sinew_graph_binding_def complete = complete_def(def);
    return make_binding(&complete, binding, error);
}

void sinew_graph_binding_destroy(sinew_graph_binding *binding) {
    if (!binding) return;
    const sinew_graph_binding_data *data = binding->data;
    for (int32_t i = 0; i < binding->graph->layer_count; i++) sinew_mask_destroy(data->masks[i]);
    for (int32_t i = 0; i < data->space_count; i++) sinew_blend_space_destroy(data->spaces[i]);
    for (int32_t i = 0; i < data->clip_count; i++) sinew_clip_destroy(data->clips[i]);
    sinew_allocator allocator = data->def.allocator;
    sinewi_release(&allocator, binding, data->size, SINEWI_ALIGNMENT);
}
