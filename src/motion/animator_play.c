// SPDX-License-Identifier: MIT
// What an animator does with its mixer: plays leaves, passes parameters on, and reads times and events. Only calls
// public functions of mixer.h.
#include <sinew/mixer_pose.h>

#include "motion/animator_state.h"
#include "motion/graph_condition.h"
#include "core/mixer_interface.h"

#include <math.h>
#include <string.h>

// ---- Reading -------------------------------------------------------------------------------------------------

// Playback speed of a state.
static float speed_of(const sinew_animator *animator, const sinew_graph_state *state) {
    if (state->speed_parameter == SINEW_GRAPH_NONE) return state->speed;
    return state->speed * sinewi_animator_coordinate(animator, state->speed_parameter, 0);
}

static float fraction_of(float time, float duration, bool backward) {
    if (!(duration > 0.0f)) return 0.0f;
    return backward ? 1.0f - time / duration : time / duration;
}

// The state of a clip that was evicted, or that the mixer had no slot for.
static animator_clip_state clip_at_end(const sinew_animator *animator, int32_t leaf) {
    const sinew_clip *clip = animator->binding->sources[leaf].clip;
    if (!clip) return (animator_clip_state){0};
    bool backward = speed_of(animator, &animator_graph(animator)->states[leaf]) < 0.0f;
    float time = backward ? 0.0f : clip->duration;
    return (animator_clip_state){time, fraction_of(time, clip->duration, backward), 0, true};
}

animator_clip_state sinewi_animator_clip_now(const sinew_animator *animator, int32_t layer, uint8_t reads) {
    const sinew_mixer *mixer = animator->mixer;
    const sinew_action_state action = sinew_action_get(mixer, animator->layers[layer].action);
    if (!action.clip) return clip_at_end(animator, animator_leaf(animator, layer));
    animator_clip_state now = {0};
    if ((reads & SINEWI_CONDITION_READS_LOOPS) != 0) now.loops = action.loops_done;
    if ((reads & SINEWI_CONDITION_READS_FINISHED) != 0) now.finished = action.finished;
    if ((reads & SINEWI_CONDITION_READS_TIME) == 0) return now;
    now.time = action.time;
    now.fraction = fraction_of(now.time, action.clip->duration, action.speed < 0.0f);
    return now;
}

// The time of a clip after `offset` of it has been played.
static float start_of(const sinew_clip *clip, float offset, bool backward) {
    return backward ? clip->duration - offset * clip->duration : offset * clip->duration;
}

animator_clip_state sinewi_animator_clip_at_start(const sinew_animator *animator, int32_t state, float offset) {
    const sinew_clip *clip = animator->binding->sources[state].clip;
    if (!clip) return (animator_clip_state){0};
    bool backward = speed_of(animator, &animator_graph(animator)->states[state]) < 0.0f;
    float time = start_of(clip, offset, backward);
    return (animator_clip_state){.time = time, .fraction = fraction_of(time, clip->duration, backward)};
}

static int32_t marker_number(const sinew_graph *graph, const char *name) {
    for (int32_t i = 0; i < graph->name_count; i++) {
        if (strcmp(graph->names[i], name) == 0) return i;
    }
    return SINEW_GRAPH_NONE;
}

animator_notes sinewi_animator_note_events(const sinew_animator *animator, int32_t layer) {
    const animator_layer *l = &animator->layers[layer];
    animator_notes notes = {0};
    if ((animator->forced >> layer & 1) != 0) return notes;
    if (animator->is_restored) {
        const bool has_markers = layer < animator_marker_count(animator);
        return (animator_notes){has_markers ? animator_markers(animator)[layer] : 0, l->looped, l->late};
    }
    const sinew_events events = sinew_mixer_events(animator->mixer);
    for (int32_t i = 0; i < events.count; i++) {
        const sinew_event *event = &events.items[i];
        if (event->action.id != l->action.id) continue;
        notes.looped = notes.looped || event->type != SINEW_EVENT_MARKER;
        if (event->type == SINEW_EVENT_FINISHED) notes.late = fmaxf(animator->step - event->moment, 0.0f);
        if (event->type != SINEW_EVENT_MARKER) continue;
        int32_t marker = marker_number(animator_graph(animator), event->marker->name);
        if (marker != SINEW_GRAPH_NONE) notes.markers |= UINT64_C(1) << marker;
    }
    return notes;
}

bool sinewi_animator_copy_curves(const sinew_animator *animator, float *curves) {
    const sinew_graph_binding *binding = animator->binding;
    size_t count = (size_t)binding->graph->curve_count;
    if (animator->has_curves && count > 0) memcpy(curves, animator_curves(animator), count * sizeof *curves);
    if (animator->has_curves) return true;
    if (!sinewi_mixer_is_evaluated(animator->mixer)) return false;
    const float *current = sinew_mixer_curves(animator->mixer);
    for (size_t i = 0; i < count; i++) curves[i] = current[binding->curves[i]];
    return true;
}

// Conditions must not depend on whether the program needs the pose. A server, for example, steps mixers
// without evaluating them.
void sinewi_animator_read_curves(sinew_animator *animator) {
    if (animator_graph(animator)->curve_count == 0 || animator->has_curves) return;
    if (!sinewi_mixer_is_evaluated(animator->mixer)) sinew_mixer_evaluate(animator->mixer);
    sinewi_animator_copy_curves(animator, animator_curves(animator));
}

// ---- Playing -------------------------------------------------------------------------------------------------

static sinew_source source_of(const sinew_animator *animator, int32_t state) {
    sinew_source source = animator->binding->sources[state];
    if (!source.blend_space) return source;
    const sinew_graph_blend *blend = animator_graph(animator)->states[state].blend;
    source.x = sinewi_animator_coordinate(animator, blend->x_parameter, 0);
    bool is_vector = animator_graph(animator)->parameters[blend->x_parameter].type == SINEW_PARAMETER_VECTOR2;
    if (is_vector) source.y = sinewi_animator_coordinate(animator, blend->x_parameter, 1);
    if (blend->y_parameter != SINEW_GRAPH_NONE)
        source.y = sinewi_animator_coordinate(animator, blend->y_parameter, 0);
    return source;
}

// Ends what a layer plays. That uncovers the layers below, or makes the base hold its pose.
static void play_nothing(sinew_animator *animator, int32_t layer, const sinew_transition *transition) {
    sinew_mixer *mixer = animator->mixer;
    bool stops = transition->kind == SINEW_TRANSITION_INERTIALIZE || !(transition->duration > 0.0f);
    if (stops) sinew_mixer_inertialize(mixer, layer == 0 ? SINEW_ALL_LAYERS : layer, transition->duration);
    sinew_action actions[SINEW_MAX_ACTIONS];
    int32_t count = sinew_mixer_actions(mixer, actions, SINEW_MAX_ACTIONS);
    for (int32_t i = 0; i < count; i++) {
        if (sinew_action_get(mixer, actions[i]).layer != layer) continue;
        if (stops) {
            sinew_action_stop(mixer, actions[i]);
        } else {
            sinew_action_fade_out(mixer, actions[i], transition->duration);
        }
    }
}

void sinewi_animator_play(sinew_animator *animator, int32_t layer, const sinew_transition *transition, float offset,
                          float late) {
    const sinew_graph *graph = animator_graph(animator);
    int32_t leaf = animator_leaf(animator, layer);
    const sinew_graph_state *state = &graph->states[leaf];
    sinew_source source = source_of(animator, leaf);
    animator->layers[layer].action = (sinew_action){0};
    if (!source.clip && !source.blend_space) {
        play_nothing(animator, layer, transition);
        return;
    }
    sinew_play_def def = sinew_play_default();
    def.layer = layer;
    def.speed = speed_of(animator, state);
    def.loop = state->loop;
    def.loop_count = state->loop_count;
    def.sync = graph->data->sync_groups[leaf];
    // A playing clip stays in phase with its sync group. Restarting it would take the group back to the start.
    bool is_synced = source.clip && def.sync != 0 && def.loop == SINEW_LOOP_REPEAT;
    bool continues = is_synced && sinew_mixer_find(animator->mixer, source, layer).id != 0;
    def.restart = !continues;
    if (source.clip && (offset > 0.0f || late > 0.0f) && !continues) {
        const float start = start_of(source.clip, offset, def.speed < 0.0f) + late * def.speed;
        def.time = fminf(fmaxf(start, 0.0f), source.clip->duration);
    }
    sinew_action action = sinew_mixer_transition_to(animator->mixer, source, transition, &def);
    if (continues) sinew_action_set_loop(animator->mixer, action, def.loop, def.loop_count); // counts from 0
    animator->layers[layer].action = action;
}

// ---- Passing on ----------------------------------------------------------------------------------------------

static void push_layer(sinew_animator *animator, int32_t layer) {
    const sinew_graph *graph = animator_graph(animator);
    const sinew_graph_layer *l = &graph->layers[layer];
    const sinew_graph_state *leaf = &graph->states[animator_leaf(animator, layer)];
    sinew_action action = animator->layers[layer].action;
    if (leaf->speed_parameter != SINEW_GRAPH_NONE)
        sinew_action_set_speed(animator->mixer, action, speed_of(animator, leaf));
    if (leaf->blend) {
        sinew_source source = source_of(animator, animator_leaf(animator, layer));
        sinew_action_set_parameter(animator->mixer, action, source.x, source.y);
    }
    const int8_t curve = graph->data->weight_curves[layer];
    if (l->weight_parameter == SINEW_GRAPH_NONE && curve == SINEW_GRAPH_NONE) return;
    float weight = l->weight;
    if (l->weight_parameter != SINEW_GRAPH_NONE)
        weight *= sinewi_animator_coordinate(animator, l->weight_parameter, 0);
    if (curve != SINEW_GRAPH_NONE) weight *= fmaxf(animator_curves(animator)[curve], 0.0f);
    sinew_layer_set_weight(animator->mixer, layer, fminf(weight, SINEW_MAX_WEIGHT));
}

void sinewi_animator_push(sinew_animator *animator) {
    for (int32_t i = 0; i < animator_graph(animator)->layer_count; i++) push_layer(animator, i);
}
