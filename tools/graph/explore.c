// SPDX-License-Identifier: MIT
// Runs each layer's frames from every leaf that can be current when a frame begins, until there are no new leaves.
#include "graph/explorer.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_SITUATIONS = 1 << 12, // per layer; in these, candidates are tried again in a frame
    SLOTS = 4 * MAX_SITUATIONS
};

// Steps: see graph_search. A layer may take this many for its frames, and as many for its conditions. It's a share of
// the graph's steps, plus some for each state and transition.
#define GRAPH_STEPS     INT64_C(64000000)
#define STEPS_TO_TAKE   INT64_C(128) // per transition
#define STEPS_EACH      INT64_C(1024)
#define MAX_TEST_STEPS  INT64_C(100000) // of one condition in one situation
#define LEAVES_IN_STEPS 4               // a leaf may take this fraction of its layer's steps

typedef struct explorer {
    graph_explorer base;
    int32_t *queue; // leaves that can be current when a frame begins
    int32_t queued;
    int64_t leaf_steps[SINEW_MAX_GRAPH_LAYERS];      // how many steps frames from one leaf may take
    int64_t left_for_frames[SINEW_MAX_GRAPH_LAYERS]; // steps
    int64_t left_for_tests[SINEW_MAX_GRAPH_LAYERS];  // steps
    int32_t *transitions;                            // the layer's
    int32_t values_of;                               // last leaf whose values were read
    bool *taken_loosely;                             // [transition_count]
    graph_frame *situations;                         // [situation_count]
    int32_t situation_count;
    int32_t *slots;          // [SLOTS]; a hash table of situations, numbered from 1; 0 is a free slot
    bool situations_missing; // there were too many
} explorer;

// ---- Frames --------------------------------------------------------------------------------------------------------

static graph_frame begin_frame(const graph_model *m, int32_t leaf) {
    graph_frame frame = {.start = leaf, .fresh_depth = MAX_PATH, .interrupt = SINEW_GRAPH_INTERRUPT_ALWAYS};
    frame.length = graph_path(m, leaf, frame.path);
    return frame;
}

// Returns the next transition to be taken, or SINEW_GRAPH_NONE.
static int32_t first_true(explorer *e, const graph_frame *frame, int32_t *depth) {
    graph_candidates it = {0};
    if (frame->interrupt == SINEW_GRAPH_INTERRUPT_NEVER) return SINEW_GRAPH_NONE;
    for (;;) {
        const int32_t t = graph_next_candidate(e->base.m, frame->path, frame->length, &it);
        const bool from_any = it.step < frame->length;
        e->base.search.steps++;
        if (t == SINEW_GRAPH_NONE) return t;
        if (!from_any && frame->interrupt == SINEW_GRAPH_INTERRUPT_ANY_STATE) return SINEW_GRAPH_NONE;
        if (graph_is_true(&e->base, frame, t, it.depth)) {
            *depth = it.depth;
            return t;
        }
    }
}

// Returns the triggers that a condition names.
static uint64_t triggers_of(const graph_model *m, int32_t transition) {
    const sinew_condition *condition = &m->graph->conditions[transition];
    uint64_t triggers = 0;
    for (int32_t i = 0; i < condition->node_count; i++) {
        const sinew_condition_node *node = &condition->nodes[i];
        if (node->op != SINEW_CONDITION_PARAMETER) continue;
        if (m->graph->parameters[node->index].type != SINEW_PARAMETER_TRIGGER) continue;
        triggers |= UINT64_C(1) << node->index;
    }
    return triggers;
}

// Returns which of these triggers are set in this run. Conditions may name triggers without reading them.
static uint64_t set_triggers(explorer *e, uint64_t triggers) {
    uint64_t set = 0;
    for (int32_t i = 0; i < e->base.m->graph->parameter_count; i++) {
        if (triggers >> i & 1 && graph_choose(&e->base.search, i, 2) > 0) set |= UINT64_C(1) << i;
    }
    return set;
}

static void take(explorer *e, graph_frame *frame, int32_t transition, int32_t depth) {
    const sinew_graph_transition *t = &e->base.m->graph->transitions[transition];
    e->base.search.steps += STEPS_TO_TAKE;
    frame->consumed |= set_triggers(e, triggers_of(e->base.m, transition) & ~frame->consumed);
    frame->length = graph_path(e->base.m, graph_entry_leaf(e->base.m, t->to), frame->path);
    if (depth < frame->fresh_depth) frame->fresh_depth = depth;
    frame->offset = t->offset;
    frame->interrupt = t->interrupt;
}

// ---- What was found ------------------------------------------------------------------------------------------------

static void add_current(explorer *e, int32_t leaf) {
    graph_model *m = e->base.m;
    for (int32_t s = leaf; s != SINEW_GRAPH_NONE; s = m->parents[s]) m->entered[s] = true;
    if (m->current[leaf]) return;
    m->current[leaf] = true;
    e->queue[e->queued++] = leaf;
}

static bool same_situation(const graph_frame *a, const graph_frame *b) {
    return a->start == b->start && a->path[a->length - 1] == b->path[b->length - 1] &&
           a->fresh_depth == b->fresh_depth && a->offset == b->offset && a->consumed == b->consumed &&
           a->interrupt == b->interrupt;
}

static uint32_t hash_of(const graph_frame *f) {
    const uint64_t parts[] = {(uint64_t)f->start, (uint64_t)f->path[f->length - 1], (uint64_t)f->fresh_depth,
                              f->consumed, (uint64_t)f->interrupt};
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        hash = (hash ^ parts[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return (uint32_t)(hash % SLOTS);
}

static void add_situation(explorer *e, const graph_frame *frame) {
    if (frame->interrupt == SINEW_GRAPH_INTERRUPT_NEVER) return;
    graph_frame situation = *frame;
    if (!e->base.m->reads_layers) situation.start = frame->path[frame->length - 1];
    uint32_t slot = hash_of(&situation);
    for (; e->slots[slot] != 0; slot = (slot + 1) % SLOTS) {
        if (same_situation(&e->situations[e->slots[slot] - 1], &situation)) return;
    }
    if (e->situation_count == MAX_SITUATIONS) {
        e->situations_missing = true;
        return;
    }
    e->situations[e->situation_count++] = situation;
    e->slots[slot] = e->situation_count;
}

// Writes a parameter's value, such as "speed = 1".
static void write_parameter(const explorer *e, const graph_choice *choice, char *text, size_t size) {
    const bool is_y = choice->variable >= VALUE_Y;
    const sinew_graph_parameter *p = &e->base.m->graph->parameters[choice->variable % SINEW_MAX_GRAPH_PARAMETERS];
    const bool logical = p->type == SINEW_PARAMETER_BOOL || p->type == SINEW_PARAMETER_TRIGGER;
    const char *coordinate = p->type != SINEW_PARAMETER_VECTOR2 ? "" : is_y ? ".y" : ".x";
    if (logical) {
        snprintf(text, size, "%.60s = %s", p->name, choice->index ? "true" : "false");
    } else {
        snprintf(text, size, "%.60s%s = %.9g", p->name, coordinate,
                 e->base.parameters[choice->variable].items[choice->index]);
    }
}

// Returns the parameters and curves that this run has read, such as "speed = 1, curve('Grip') = 0".
static const char *example_of(explorer *e) {
    graph_model *m = e->base.m;
    const graph_search *s = &e->base.search;
    char text[256] = "";
    size_t length = 0;
    for (int32_t i = 0; i < s->depth && length < sizeof text; i++) {
        const graph_choice *choice = &s->trail[i];
        const int32_t curve = choice->variable - VARIABLE_CURVE;
        char value[128];
        if (choice->variable < 2 * SINEW_MAX_GRAPH_PARAMETERS) {
            write_parameter(e, choice, value, sizeof value);
        } else if (curve >= 0 && curve < m->graph->curve_count) {
            snprintf(value, sizeof value, "curve('%.60s') = %.9g", m->graph->curves[curve],
                     e->base.curves[curve].items[choice->index]);
        } else {
            continue;
        }
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", length ? ", " : "", value);
    }
    return graph_text(m, "%s", text);
}

static void add_cycle(explorer *e, const graph_cycle *cycle) {
    graph_model *m = e->base.m;
    int32_t least = cycle->transitions[0];
    for (int32_t i = 1; i < cycle->count; i++) {
        if (cycle->transitions[i] < least) least = cycle->transitions[i];
    }
    for (int32_t i = 0; i < m->cycle_count; i++) {
        const graph_cycle *other = &m->cycles[i];
        if (other->endless != cycle->endless) continue;
        bool starts_there = !other->endless || other->count == cycle->count;
        if (starts_there && other->transitions[0] == (cycle->endless ? least : cycle->transitions[0])) return;
    }
    if (m->cycle_count == MAX_CYCLES) return;
    graph_cycle *added = &m->cycles[m->cycle_count++];
    *added = *cycle;
    added->example = example_of(e);
    int32_t first = 0;
    while (cycle->endless && cycle->transitions[first] != least) first++;
    for (int32_t i = 0; i < cycle->count; i++) {
        added->transitions[i] = cycle->transitions[(first + i) % cycle->count];
    }
}

// Continues a frame after the animator would end it, to find whether its transitions repeat. `frames` has the frame
// after each of the `count` transitions.
static void follow_cycle(explorer *e, graph_frame *frames, int32_t *transitions, int32_t count) {
    graph_cycle cycle = {0};
    while (count < MAX_CYCLE_LENGTH) {
        int32_t depth;
        graph_frame frame = frames[count - 1];
        transitions[count] = first_true(e, &frame, &depth);
        if (transitions[count] == SINEW_GRAPH_NONE) break;
        take(e, &frame, transitions[count], depth);
        frames[count++] = frame;
        int32_t same = count - 2;
        while (same >= 0 && !(transitions[same] == transitions[count - 1] &&
                              same_situation(&frames[same], &frames[count - 1]))) {
            same--;
        }
        if (same < 0) continue;
        cycle.endless = true;
        cycle.count = count - 1 - same;
        memcpy(cycle.transitions, transitions + same + 1, (size_t)cycle.count * sizeof *transitions);
        add_cycle(e, &cycle);
        return;
    }
    cycle.count = count;
    memcpy(cycle.transitions, transitions, (size_t)count * sizeof *transitions);
    add_cycle(e, &cycle);
}

static void run_frame(explorer *e, int32_t leaf) {
    graph_model *m = e->base.m;
    graph_frame frame = begin_frame(m, leaf), frames[MAX_CYCLE_LENGTH];
    int32_t transitions[MAX_CYCLE_LENGTH], depth = 0, count = 0;
    for (;;) {
        const int32_t transition = first_true(e, &frame, &depth);
        if (transition == SINEW_GRAPH_NONE) break;
        if (count == SINEW_MAX_GRAPH_HOPS) {
            follow_cycle(e, frames, transitions, count);
            break;
        }
        take(e, &frame, transition, depth);
        transitions[count] = transition;
        frames[count++] = frame;
        m->taken[transition] = true;
        for (int32_t i = 0; i < frame.length; i++) m->entered[frame.path[i]] = true;
        add_situation(e, &frame);
    }
    m->consumed |= frame.consumed;
    add_current(e, frame.path[frame.length - 1]);
}

// ---- Too many combinations -----------------------------------------------------------------------------------------

// Subtracts what was used since `before` from *left.
static void use_steps(const explorer *e, int64_t *left, int64_t before) {
    *left -= e->base.search.steps - before;
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

// Returns whether a condition can be true. If there are no steps left, it can.
static bool can_be_true(explorer *e, const graph_frame *frame, int32_t transition, int32_t depth) {
    int64_t *left = &e->left_for_tests[e->base.layer];
    const int64_t before = e->base.search.steps;
    bool is_true = false;
    graph_search_begin(&e->base.search, least(*left, MAX_TEST_STEPS));
    while (!is_true && graph_search_next(&e->base.search))
        is_true = graph_is_true(&e->base, frame, transition, depth);
    use_steps(e, left, before);
    return is_true || e->base.search.overflow;
}

// Takes the transitions in a list. Skips those at its start that have already been taken.
static void take_list(explorer *e, const graph_frame *frame, graph_list *list, int32_t depth) {
    graph_model *m = e->base.m;
    while (list->first < list->count && e->taken_loosely[list->items[list->first]]) list->first++;
    for (int32_t i = list->first; i < list->count; i++) {
        const int32_t t = list->items[i];
        const sinew_graph_transition *one = &m->graph->transitions[t];
        const bool is_current = one->from == SINEW_ANY_STATE && one->to == frame->path[depth] && !one->to_self;
        e->left_for_tests[e->base.layer]--;
        if (e->taken_loosely[t] || is_current || !can_be_true(e, frame, t, depth)) continue;
        e->taken_loosely[t] = m->taken[t] = true;
        m->consumed |= triggers_of(m, t);
        add_current(e, graph_entry_leaf(m, one->to));
    }
}

// Takes each transition whose condition can be true, regardless of the ones before it.
static void run_loosely(explorer *e, int32_t leaf) {
    const graph_model *m = e->base.m;
    const graph_frame frame = begin_frame(m, leaf);
    for (int32_t depth = 0; depth < frame.length; depth++) {
        const int32_t state = frame.path[depth];
        take_list(e, &frame, &m->from_any[m->graph->states[state].machine], depth);
        take_list(e, &frame, &m->from_state[state], depth);
    }
}

// ---- Layers --------------------------------------------------------------------------------------------------------

static void queue_current(explorer *e) {
    const graph_model *m = e->base.m;
    e->queued = 0;
    for (int32_t i = 0; i < m->graph->state_count; i++) {
        if (m->current[i] && m->layers[i] == e->base.layer) e->queue[e->queued++] = i;
    }
}

// Returns false if memory runs out. Without any steps left, doesn't evaluate conditions.
static bool read_leaf_values(explorer *e, int32_t leaf) {
    int64_t *left = &e->left_for_tests[e->base.layer];
    const int64_t before = e->base.search.steps;
    if (*left > 0 && e->values_of != leaf) graph_read_leaf_values(&e->base, e->values_of = leaf);
    use_steps(e, left, before);
    return !e->base.m->out_of_memory;
}

// Runs all frames from a leaf. Returns false if there are too many.
static bool run_frames(explorer *e, int32_t leaf) {
    graph_search *s = &e->base.search;
    int64_t *left = &e->left_for_frames[e->base.layer];
    const int64_t before = s->steps;
    graph_search_begin(s, least(*left, e->leaf_steps[e->base.layer]));
    while (graph_search_next(s)) run_frame(e, leaf);
    use_steps(e, left, before);
    return !s->overflow;
}

// Runs frames from one leaf. If there are too many, takes its transitions loosely. The leaves that they lead to are
// still explored: continuing a frame there finds nothing that starting one there doesn't find, unless conditions read
// what was current when the frame began.
static void explore_leaf(explorer *e, int32_t leaf) {
    graph_model *m = e->base.m;
    if (!read_leaf_values(e, leaf)) return;
    if (!e->base.loose) {
        if (e->left_for_tests[e->base.layer] > 0 && run_frames(e, leaf)) return;
        e->base.loose = m->reads_layers;
        if (!m->reads_layers) m->report->approximate_layers |= UINT32_C(1) << e->base.layer;
    }
    run_loosely(e, leaf);
}

static void set_layer(explorer *e, int32_t layer) {
    graph_model *m = e->base.m;
    e->base.layer = layer;
    e->base.transitions.count = 0;
    for (int32_t i = 0; i < m->graph->transition_count; i++) {
        if (m->machine_layers[m->graph->transitions[i].machine] == layer) {
            e->transitions[e->base.transitions.count++] = i;
        }
    }
    e->situation_count = 0;
    e->situations_missing = false;
    memset(e->slots, 0, SLOTS * sizeof *e->slots);
    const int64_t before = e->base.search.steps;
    graph_read_layer_values(&e->base);
    e->values_of = SINEW_GRAPH_NONE;
    use_steps(e, &e->left_for_tests[layer], before);
    e->base.loose = e->base.undecided || m->report->approximate_layers >> layer & 1;
}

static void explore_layer(explorer *e, int32_t layer) {
    graph_model *m = e->base.m;
    set_layer(e, layer);
    queue_current(e);
    for (int32_t i = 0; i < e->queued && !m->out_of_memory; i++) explore_leaf(e, e->queue[i]);
    if (!e->base.loose || m->report->approximate_layers >> layer & 1) return;
    m->report->approximate_layers |= UINT32_C(1) << layer;
    explore_layer(e, layer);
}

// ---- Conditions ----------------------------------------------------------------------------------------------------

static bool is_decided(const graph_model *m, int32_t transition) {
    return m->can_be_true[transition] && m->can_be_false[transition] &&
           (m->taken[transition] || m->shadowed_by[transition] != SINEW_GRAPH_NONE);
}

// Finds which values a condition can have in a situation, and which transition precedes one that is never taken.
static void test_condition(explorer *e, const graph_frame *frame, int32_t transition, int32_t depth) {
    graph_model *m = e->base.m;
    graph_search_begin(&e->base.search, least(e->left_for_tests[e->base.layer], MAX_TEST_STEPS));
    while (!is_decided(m, transition) && graph_search_next(&e->base.search)) {
        int32_t ignored;
        if (!graph_is_true(&e->base, frame, transition, depth)) {
            m->can_be_false[transition] = true;
            continue;
        }
        m->can_be_true[transition] = true;
        if (m->taken[transition] || e->base.loose) continue;
        const int32_t first = first_true(e, frame, &ignored);
        if (first != transition && m->shadowed_by[transition] == SINEW_GRAPH_NONE) {
            m->shadowed_by[transition] = first;
        }
    }
    if (e->base.search.overflow) m->can_be_true[transition] = m->can_be_false[transition] = true;
}

static void test_candidates(explorer *e, const graph_frame *frame) {
    graph_candidates it = {0};
    int32_t t;
    while ((t = graph_next_candidate(e->base.m, frame->path, frame->length, &it)) != SINEW_GRAPH_NONE) {
        const bool from_any = it.step < frame->length;
        if (!from_any && frame->interrupt == SINEW_GRAPH_INTERRUPT_ANY_STATE) return;
        const int64_t before = e->base.search.steps++;
        if (!is_decided(e->base.m, t)) test_condition(e, frame, t, it.depth);
        use_steps(e, &e->left_for_tests[e->base.layer], before);
    }
}

// Returns false if no steps are left or memory runs out.
static bool test_situation(explorer *e, const graph_frame *frame) {
    if (e->left_for_tests[e->base.layer] <= 0 || !read_leaf_values(e, frame->start)) return false;
    test_candidates(e, frame);
    return true;
}

static bool test_situations(explorer *e) {
    for (int32_t i = 0; i < e->queued; i++) {
        const graph_frame frame = begin_frame(e->base.m, e->queue[i]);
        if (!test_situation(e, &frame)) return false;
    }
    for (int32_t i = 0; i < e->situation_count; i++) {
        if (!test_situation(e, &e->situations[i])) return false;
    }
    return true;
}

static void test_conditions(explorer *e) {
    graph_model *m = e->base.m;
    const bool complete = test_situations(e);
    for (int32_t i = 0; i < e->base.transitions.count; i++) { // maybe
        const int32_t transition = e->base.transitions.items[i];
        if (!complete) m->can_be_true[transition] = true;
        if (!complete || e->situations_missing) m->can_be_false[transition] = true;
    }
    if (!complete) m->report->approximate_layers |= UINT32_C(1) << e->base.layer;
}

// ---- The graph -----------------------------------------------------------------------------------------------------

static int32_t count_current(const graph_model *m) {
    int32_t count = 0;
    for (int32_t i = 0; i < m->graph->state_count; i++) count += m->current[i];
    return count;
}

// Explores layers until none has a new leaf, because conditions can read other layers with in_tag and in_state.
static void explore_layers(explorer *e) {
    graph_model *m = e->base.m;
    for (int32_t before = -1; m->reads_layers && before != count_current(m) && !m->out_of_memory;) {
        before = count_current(m);
        for (int32_t i = 0; i < m->graph->layer_count; i++) explore_layer(e, i);
    }
    for (int32_t i = 0; i < m->graph->layer_count && !m->out_of_memory; i++) {
        explore_layer(e, i);
        test_conditions(e);
    }
}

// Gives each layer its share of the steps.
static void share_steps(explorer *e) {
    const sinew_graph *graph = e->base.m->graph;
    int64_t elements[SINEW_MAX_GRAPH_LAYERS] = {0};
    for (int32_t i = 0; i < graph->state_count; i++) elements[e->base.m->layers[i]]++;
    for (int32_t i = 0; i < graph->transition_count; i++)
        elements[e->base.m->machine_layers[graph->transitions[i].machine]]++;
    for (int32_t i = 0; i < graph->layer_count; i++) {
        const int64_t steps = GRAPH_STEPS / graph->layer_count + STEPS_EACH * elements[i];
        e->left_for_frames[i] = e->left_for_tests[i] = steps;
        e->leaf_steps[i] = steps / LEAVES_IN_STEPS;
    }
}

void graph_explore(graph_model *m) {
    explorer *e = graph_array(m, explorer, 1);
    if (!e) return;
    e->base.m = m;
    e->base.conditions = m->graph->conditions;
    e->base.transitions.items = e->transitions = graph_array(m, int32_t, m->graph->transition_count);
    e->base.candidates = graph_array(m, int32_t, m->graph->transition_count);
    e->queue = graph_array(m, int32_t, m->graph->state_count);
    e->situations = graph_array(m, graph_frame, MAX_SITUATIONS);
    e->slots = graph_array(m, int32_t, SLOTS);
    e->taken_loosely = graph_array(m, bool, m->graph->transition_count);
    if (m->out_of_memory || !graph_read_looks(&e->base)) return;
    share_steps(e);
    for (int32_t i = 0; i < m->graph->layer_count; i++) {
        const sinew_graph_machine *machine = &m->graph->machines[m->graph->layers[i].machine];
        add_current(e, graph_entry_leaf(m, machine->entry));
    }
    explore_layers(e);
}
