// SPDX-License-Identifier: MIT
// A layer's active states: entering and leaving them, the running transition, and the events of both.
#include "motion/animator_state.h"

void sinewi_animator_report(sinew_animator *animator, sinew_graph_event event) {
    if (sinewi_animator_is_recorded(animator)) sinewi_animator_record_event(animator, &event);
    if (animator->event_count == animator->max_events) {
        animator->dropped_event_count++;
        return;
    }
    animator->events[animator->event_count++] = event;
}

void sinewi_animator_leave(sinew_animator *animator, int32_t layer, int32_t level) {
    const uint16_t *path = animator_path(animator, layer);
    for (int32_t i = animator->layers[layer].depth - 1; i >= level; i--) {
        sinewi_animator_report(animator,
                               (sinew_graph_event){SINEW_GRAPH_EVENT_STATE_LEFT, layer, path[i], SINEW_GRAPH_NONE});
    }
}

void sinewi_animator_enter_only(sinew_animator *animator, int32_t layer, int32_t level, int32_t state) {
    animator_path(animator, layer)[level] = (uint16_t)state;
    animator_elapsed(animator, layer)[level] = 0.0f;
    animator->layers[layer].depth = (uint8_t)(level + 1);
    sinewi_animator_report(animator,
                           (sinew_graph_event){SINEW_GRAPH_EVENT_STATE_ENTERED, layer, state, SINEW_GRAPH_NONE});
}

void sinewi_animator_enter(sinew_animator *animator, int32_t layer, int32_t level, int32_t state) {
    const sinew_graph *graph = animator_graph(animator);
    for (;; level++) {
        sinewi_animator_enter_only(animator, layer, level, state);
        if (graph->states[state].kind != SINEW_GRAPH_STATE_MACHINE) return;
        state = graph->machines[graph->states[state].submachine].entry;
    }
}

void sinewi_animator_start_transition(sinew_animator *animator, int32_t layer, int32_t transition, int32_t to,
                                      float duration, sinew_graph_interrupt interrupt) {
    animator_layer *l = &animator->layers[layer];
    l->transition = (int16_t)transition;
    l->to = (uint16_t)to;
    l->progress = 0.0f;
    l->duration = duration;
    l->runs = true;
    l->interrupt = (uint8_t)interrupt;
    sinewi_animator_report(animator,
                           (sinew_graph_event){SINEW_GRAPH_EVENT_TRANSITION_STARTED, layer, to, transition});
}

void sinewi_animator_end_transition(sinew_animator *animator, int32_t layer) {
    animator_layer *l = &animator->layers[layer];
    if (!l->runs) return;
    sinewi_animator_report(animator,
                           (sinew_graph_event){SINEW_GRAPH_EVENT_TRANSITION_ENDED, layer, l->to, l->transition});
    l->runs = false;
    l->transition = SINEW_GRAPH_NONE;
}
