// SPDX-License-Identifier: MIT
// An animator's frame: takes transitions whose conditions are true. See docs/graph.md.
#include "motion/animator_state.h"
#include "motion/graph_condition.h"
#include "core/mixer_interface.h"
#include "base/callback.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// What conditions see during one frame.
typedef struct machine_frame {
    double values[SINEW_MAX_GRAPH_PARAMETERS][2];
    uint64_t active[SINEW_MAX_GRAPH_STATES / 64]; // only the words for the graph's states are valid
    uint64_t tags;
    uint64_t consumed; // triggers, in any layer
} machine_frame;

// A layer while it takes transitions.
typedef struct machine_layer {
    sinew_animator *animator;
    machine_frame *frame;
    int32_t layer;
    uint8_t known;     // which parts of the state are in `input`: a sum of SINEWI_CONDITION_READS_*
    uint64_t consumed; // triggers, in this layer
    sinewi_condition_input input;
} machine_layer;

// ---- The frame -----------------------------------------------------------------------------------------------

uint64_t sinewi_animator_active(const sinew_animator *animator, uint64_t *active) {
    const sinew_graph *graph = animator_graph(animator);
    memset(active, 0, ((size_t)graph->state_count + 63) / 64 * sizeof *active);
    uint64_t tags = 0;
    for (int32_t i = 0; i < graph->layer_count; i++) {
        const uint16_t *path = animator_path(animator, i);
        for (int32_t k = 0; k < animator->layers[i].depth; k++) {
            active[path[k] / 64] |= UINT64_C(1) << path[k] % 64;
            tags |= graph->data->tag_bits[path[k]];
        }
    }
    return tags;
}

// ---- Conditions ----------------------------------------------------------------------------------------------

// Asks the mixer only for what a condition reads.
static void read_clip(machine_layer *m, uint8_t reads) {
    animator_clip_state clip = sinewi_animator_clip_now(m->animator, m->layer, reads);
    if ((reads & SINEWI_CONDITION_READS_TIME) != 0) {
        m->input.time = (double)clip.time;
        m->input.fraction = (double)clip.fraction;
    }
    if ((reads & SINEWI_CONDITION_READS_LOOPS) != 0) m->input.loops = (double)clip.loops;
    if ((reads & SINEWI_CONDITION_READS_FINISHED) != 0) m->input.finished = clip.finished;
    m->known |= reads;
}

static bool may_take(machine_layer *m, int32_t transition) {
    const sinew_graph *graph = animator_graph(m->animator);
    uint8_t missing = graph->data->reads[transition] & (uint8_t)~m->known;
    if (missing != 0) read_clip(m, missing);
    const sinewi_graph_steps condition = graph->data->conditions[transition];
    return sinewi_condition_is_true(condition.steps, condition.count, &m->input);
}

static int32_t pick_from_any(machine_layer *m, int32_t level) {
    const sinew_graph *graph = animator_graph(m->animator);
    int32_t state = animator_path(m->animator, m->layer)[level];
    const sinewi_graph_range range = graph->data->from_any[graph->states[state].machine];
    m->input.elapsed = (double)animator_elapsed(m->animator, m->layer)[level];
    for (int32_t i = 0; i < range.count; i++) {
        int32_t t = graph->data->transition_order[range.first + i];
        if (graph->transitions[t].to == state && !graph->transitions[t].to_self) continue;
        if (may_take(m, t)) return t;
    }
    return SINEW_GRAPH_NONE;
}

static int32_t pick_from_state(machine_layer *m, int32_t level) {
    const sinew_graph *graph = animator_graph(m->animator);
    const sinewi_graph_range range = graph->data->from_states[animator_path(m->animator, m->layer)[level]];
    m->input.elapsed = (double)animator_elapsed(m->animator, m->layer)[level];
    for (int32_t i = 0; i < range.count; i++) {
        int32_t t = graph->data->transition_order[range.first + i];
        if (may_take(m, t)) return t;
    }
    return SINEW_GRAPH_NONE;
}

// Finds the transition to take. Transitions from any state come first, outermost machine first. Then come the active
// states, from the leaf outward.
static int32_t pick_transition(machine_layer *m, int32_t *level) {
    const animator_layer *l = &m->animator->layers[m->layer];
    sinew_graph_interrupt interrupt = l->runs ? (sinew_graph_interrupt)l->interrupt : SINEW_GRAPH_INTERRUPT_ALWAYS;
    if (interrupt == SINEW_GRAPH_INTERRUPT_NEVER) return SINEW_GRAPH_NONE;
    for (*level = 0; *level < l->depth; ++*level) {
        int32_t t = pick_from_any(m, *level);
        if (t != SINEW_GRAPH_NONE) return t;
    }
    if (interrupt == SINEW_GRAPH_INTERRUPT_ANY_STATE) return SINEW_GRAPH_NONE;
    for (*level = l->depth - 1; *level >= 0; --*level) {
        int32_t t = pick_from_state(m, *level);
        if (t != SINEW_GRAPH_NONE) return t;
    }
    return SINEW_GRAPH_NONE;
}

// ---- Transitions ---------------------------------------------------------------------------------------------

static void consume_triggers(machine_layer *m, int32_t transition) {
    const sinew_graph *graph = animator_graph(m->animator);
    uint64_t named = graph->data->triggers[transition] & m->animator->triggers & ~m->consumed;
    m->consumed |= named;
    for (int32_t i = 0; i < graph->parameter_count && named >> i != 0; i++) {
        if ((named >> i & 1) != 0) m->frame->values[i][0] = 0.0;
    }
}

static void take_transition(machine_layer *m, int32_t transition, int32_t level) {
    sinew_animator *animator = m->animator;
    const sinew_graph_transition *t = &animator_graph(animator)->transitions[transition];
    consume_triggers(m, transition);
    sinewi_animator_end_transition(animator, m->layer);
    sinewi_animator_leave(animator, m->layer, level);
    sinewi_animator_start_transition(animator, m->layer, transition, t->to, t->transition.duration, t->interrupt);
    sinewi_animator_enter(animator, m->layer, level, t->to);
    animator_clip_state clip =
        sinewi_animator_clip_at_start(animator, animator_leaf(animator, m->layer), t->offset);
    m->input.time = (double)clip.time;
    m->input.fraction = (double)clip.fraction;
    m->input.loops = 0.0;
    m->input.plays = sinewi_animator_plays(animator, m->layer);
    m->input.finished = m->input.looped = false;
    m->input.markers = 0;
    m->known = UINT8_MAX;
}

// Returns the triggers that this layer consumed, so the next layer still sees them.
static void return_triggers(const machine_layer *m) {
    for (int32_t i = 0; i < SINEW_MAX_GRAPH_PARAMETERS && m->consumed >> i != 0; i++) {
        if ((m->consumed >> i & 1) != 0) m->frame->values[i][0] = 1.0;
    }
    m->frame->consumed |= m->consumed;
}

// If a clip finished during the last step, the states that follow it began at that moment. So the rest doesn't depend
// on the frame rate.
static void hand_on(sinew_animator *animator, int32_t layer, int32_t outermost, float late) {
    animator_layer *l = &animator->layers[layer];
    for (int32_t i = outermost; i < l->depth; i++) animator_elapsed(animator, layer)[i] += late;
    if (l->runs) l->progress += late;
}

static void advance_layer(sinew_animator *animator, machine_frame *frame, int32_t layer) {
    const sinew_graph *graph = animator_graph(animator);
    machine_layer m;
    m.animator = animator;
    m.frame = frame;
    m.layer = layer;
    m.known = 0;
    m.consumed = 0;
    m.input.parameters = (const double(*)[2])frame->values;
    m.input.curves = animator_curves(animator);
    m.input.tags = frame->tags;
    m.input.active = frame->active;
    m.input.plays = sinewi_animator_plays(animator, layer);
    const animator_notes notes = sinewi_animator_note_events(animator, layer);
    m.input.markers = notes.markers;
    m.input.looped = notes.looped;
    float late = 0.0f;
    int32_t taken = SINEW_GRAPH_NONE, level, outermost = SINEW_MAX_GRAPH_DEPTH;
    for (int32_t hops = 0;; hops++) {
        int32_t transition = pick_transition(&m, &level);
        if (transition == SINEW_GRAPH_NONE) break;
        if (hops == SINEW_MAX_GRAPH_HOPS) {
            sinewi_animator_report(animator, (sinew_graph_event){SINEW_GRAPH_EVENT_CYCLE, layer,
                                                                 animator_leaf(animator, layer), SINEW_GRAPH_NONE});
            break;
        }
        if (hops == 0 && (graph->data->reads[transition] & SINEWI_CONDITION_READS_FINISHED) != 0) late = notes.late;
        take_transition(&m, transition, level);
        taken = transition;
        if (level < outermost) outermost = level;
    }
    if (taken == SINEW_GRAPH_NONE) return;
    const sinew_graph_transition *t = &graph->transitions[taken];
    sinewi_animator_play(animator, layer, &t->transition, t->offset, late);
    hand_on(animator, layer, outermost, late);
    return_triggers(&m);
}

// ---- Time ----------------------------------------------------------------------------------------------------

static void pass_time(sinew_animator *animator, int32_t layer, float dt) {
    animator_layer *l = &animator->layers[layer];
    for (int32_t i = 0; i < l->depth; i++) animator_elapsed(animator, layer)[i] += dt;
    if (!l->runs) return;
    l->progress += dt;
    if (l->progress >= l->duration) sinewi_animator_end_transition(animator, layer);
}

static void end_triggers(sinew_animator *animator, uint64_t consumed, float dt) {
    const sinew_graph *graph = animator_graph(animator);
    uint64_t *triggers = &animator->triggers;
    *triggers &= ~consumed;
    for (int32_t i = 0; i < graph->parameter_count && *triggers >> i != 0; i++) {
        float *left = &animator_values(animator)[graph->data->values[i].target].number;
        if ((*triggers >> i & 1) == 0) continue;
        *left -= dt;
        if (!(*left > 0.0f)) *triggers &= ~(UINT64_C(1) << i);
    }
}

// Whether a call with this name may take transitions.
#define IS_IDLE(animator, call)                                                                                    \
    SINEWI_IS_IDLE(sinewi_mixer_is_in_event((animator)->mixer),                                                    \
                   call " in on_event: defer it until after the update")

void sinew_animator_advance(sinew_animator *animator, float dt) {
    assert(animator);
    if (!IS_IDLE(animator, "sinew_animator_advance")) return;
    assert(dt >= 0.0f && isfinite(dt));
    if (!(dt >= 0.0f) || !isfinite(dt)) dt = 0.0f;
    machine_frame frame;
    animator->event_count = 0;
    animator->dropped_event_count = 0;
    if (sinewi_animator_is_recorded(animator) && sinewi_animator_hash_is_due(animator, dt))
        sinewi_animator_record_hash(animator, sinew_animator_hash(animator));
    sinewi_animator_follow(animator, dt, frame.values);
    sinewi_animator_read_curves(animator);
    frame.tags = sinewi_animator_active(animator, frame.active);
    frame.consumed = 0;
    const int32_t layer_count = animator_graph(animator)->layer_count;
    for (int32_t i = 0; i < layer_count; i++) advance_layer(animator, &frame, i);
    animator->is_restored = animator->has_curves = false;
    animator->forced = 0;
    for (int32_t i = 0; i < layer_count; i++) pass_time(animator, i, dt);
    if (animator->triggers != 0) end_triggers(animator, frame.consumed, dt);
    sinewi_animator_push(animator);
    animator->step = dt;
}

bool sinew_animator_update(sinew_animator *animator, float dt) {
    assert(animator);
    if (!IS_IDLE(animator, "sinew_animator_update")) return false;
    sinew_animator_advance(animator, dt);
    return sinew_mixer_update(animator->mixer, dt);
}
