// SPDX-License-Identifier: MIT
// The notes that an animator writes while its mixer is recorded. See docs/graph.md for the list. Names come last,
// because long notes are truncated.
#include "motion/animator_state.h"

#ifndef SINEW_NO_RECORDING

#include <sinew/motion/recording.h>

#include "base/fail.h"
#include "motion/recording_format.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#define NOTE_SIZE (SINEW_MAX_NOTE + 2) // one more than a note holds: the mixer truncates between characters

static void note(sinew_animator *animator, const char *format, ...) SINEWI_PRINTF(2, 3);

static void note(sinew_animator *animator, const char *format, ...) {
    char text[NOTE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sinew_mixer_note(animator->mixer, text);
}

bool sinewi_animator_is_recorded(const sinew_animator *animator) {
    return sinewi_mixer_is_recorded(animator->mixer);
}

void sinewi_animator_record_parameter(sinew_animator *animator, int32_t parameter) {
    const sinew_graph *graph = animator_graph(animator);
    const char *name = graph->parameters[parameter].name;
    const animator_value *target = animator_values(animator) + graph->data->values[parameter].target;
    switch (graph->parameters[parameter].type) {
    case SINEW_PARAMETER_FLOAT:
        note(animator, "set %s %.9g", name, (double)target->number);
        break;
    case SINEW_PARAMETER_INT:
        note(animator, "set %s %" PRId32, name, target->integer);
        break;
    case SINEW_PARAMETER_BOOL:
        note(animator, "set %s %s", name, target->integer ? "true" : "false");
        break;
    case SINEW_PARAMETER_VECTOR2:
        note(animator, "set %s %.9g %.9g", name, (double)target[0].number, (double)target[1].number);
        break;
    case SINEW_PARAMETER_VECTOR3:
        note(animator, "set %s %.9g %.9g %.9g", name, (double)target[0].number, (double)target[1].number,
             (double)target[2].number);
        break;
    case SINEW_PARAMETER_TRANSFORM:
        note(animator, "set %s %.9g %.9g %.9g %.9g %.9g %.9g %.9g", name, (double)target[0].number,
             (double)target[1].number, (double)target[2].number, (double)target[3].number, (double)target[4].number,
             (double)target[5].number, (double)target[6].number);
        break;
    case SINEW_PARAMETER_TRIGGER:
        note(animator, "%s %s", (animator->triggers >> parameter & 1) != 0 ? "fire" : "cancel", name);
        break;
    }
}

void sinewi_animator_record_event(sinew_animator *animator, const sinew_graph_event *event) {
    char path[NOTE_SIZE], by[32] = "forced";
    sinew_graph_state_path(animator_graph(animator), event->state, path, sizeof path);
    if (event->transition != SINEW_GRAPH_NONE) snprintf(by, sizeof by, "transition %d", (int)event->transition);
    switch (event->type) {
    case SINEW_GRAPH_EVENT_STATE_ENTERED:
        note(animator, "enter %s", path);
        break;
    case SINEW_GRAPH_EVENT_STATE_LEFT:
        note(animator, "leave %s", path);
        break;
    case SINEW_GRAPH_EVENT_TRANSITION_STARTED:
        note(animator, "start %s, %.9g s, to %s", by, (double)animator->layers[event->layer].duration, path);
        break;
    case SINEW_GRAPH_EVENT_TRANSITION_ENDED:
        note(animator, "end %s to %s", by, path);
        break;
    case SINEW_GRAPH_EVENT_CYCLE:
        note(animator, "cycle %s", path);
        break;
    }
}

void sinewi_animator_record_parameters(sinew_animator *animator) {
    const sinew_graph *graph = animator_graph(animator);
    for (int32_t i = 0; i < graph->parameter_count; i++) {
        bool is_trigger = graph->parameters[i].type == SINEW_PARAMETER_TRIGGER;
        bool is_set = (animator->triggers >> i & 1) != 0;
        if (!is_trigger || is_set) sinewi_animator_record_parameter(animator, i);
    }
}

void sinewi_animator_record_restored(sinew_animator *animator) {
    note(animator, "restore");
    sinewi_animator_record_parameters(animator);
    for (int32_t i = 0; i < animator_graph(animator)->layer_count; i++) {
        for (int32_t k = 0; k < animator->layers[i].depth; k++) {
            const sinew_graph_event entered = {SINEW_GRAPH_EVENT_STATE_ENTERED, i, animator_path(animator, i)[k],
                                               SINEW_GRAPH_NONE};
            sinewi_animator_record_event(animator, &entered);
        }
    }
}

bool sinewi_animator_hash_is_due(sinew_animator *animator, float dt) {
    animator->unhashed += dt;
    if (animator->unhashed < 1.0f) return false;
    animator->unhashed = 0.0f;
    return true;
}

void sinewi_animator_record_hash(sinew_animator *animator, uint64_t hash) {
    note(animator, "hash %016" PRIx64, hash);
}

#endif
