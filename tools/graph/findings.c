// SPDX-License-Identifier: MIT
// Turns what the exploration found into findings about states, transitions and parameters.
#include "graph/model.h"

#include <stdio.h>
#include <string.h>

// ---- States --------------------------------------------------------------------------------------------------------

static bool source_is_entered(const graph_model *m, const sinew_graph_transition *t) {
    if (t->from != SINEW_ANY_STATE) return m->entered[t->from];
    const int32_t owner = sinew_graph_machine_state(m->graph, t->machine);
    return owner == SINEW_GRAPH_NONE || m->entered[owner];
}

// How other states lead to a state.
typedef struct ways {
    bool any, from_entered;
} ways;

static void find_ways(const graph_model *m, ways *to) {
    for (int32_t i = 0; i < m->graph->transition_count; i++) {
        const sinew_graph_transition *t = &m->graph->transitions[i];
        if (t->from == t->to) continue;
        to[t->to].any = true;
        if (source_is_entered(m, t)) to[t->to].from_entered = true;
    }
}

static const char *why_unreachable(const ways *to) {
    if (!to->any) return "No transition leads to this state.";
    if (!to->from_entered) return "Only states that are never entered lead to this state.";
    return "No transition to this state is ever taken.";
}

static void check_unreachable(graph_model *m) {
    ways *to = graph_array(m, ways, m->graph->state_count);
    if (!to) return;
    find_ways(m, to);
    for (int32_t i = 0; i < m->graph->state_count; i++) {
        const int32_t outer = m->parents[i];
        if (m->entered[i] || (outer != SINEW_GRAPH_NONE && !m->entered[outer])) continue;
        graph_finding finding = graph_about_state(m, GRAPH_STATE_UNREACHABLE, i);
        finding.message = why_unreachable(&to[i]);
        finding.advice = "Add a transition to it, change the conditions, or remove the state.";
        graph_add(m, &finding);
    }
}

// Records which states a transition leaves from a leaf. Its condition may never be true, but that's a different
// finding.
static void note_exits(const graph_model *m, int32_t leaf, bool *has_exit) {
    int32_t path[MAX_PATH], t;
    const int32_t length = graph_path(m, leaf, path);
    graph_candidates it = {0};
    while ((t = graph_next_candidate(m, path, length, &it)) != SINEW_GRAPH_NONE) {
        const int32_t to = graph_entry_leaf(m, m->graph->transitions[t].to);
        for (int32_t i = 0; i < length; i++) has_exit[path[i]] |= !graph_is_in(m, to, path[i]);
    }
}

static bool is_leaf(const graph_model *m, int32_t state) {
    return m->graph->states[state].kind != SINEW_GRAPH_STATE_MACHINE;
}

static bool is_final(const graph_model *m, int32_t state) {
    const int32_t tag = sinew_graph_find_tag(m->graph, GRAPH_FINAL_TAG);
    return tag != SINEW_GRAPH_NONE && m->path_tags[state] >> tag & 1;
}

// Returns whether a state is the only one in its layer that's ever current. It doesn't have to be left.
static bool is_alone(const graph_model *m, int32_t state) {
    const int32_t layer = m->layers[state];
    return graph_inside_of(m, layer, SINEW_GRAPH_NONE)->leaves == graph_inside_of(m, layer, state)->leaves;
}

static void check_exits(graph_model *m) {
    bool *has_exit = graph_array(m, bool, m->graph->state_count);
    if (!has_exit) return;
    for (int32_t i = 0; i < m->graph->state_count; i++) {
        if (is_leaf(m, i) && m->entered[i]) note_exits(m, i, has_exit);
    }
    for (int32_t i = 0; i < m->graph->state_count; i++) {
        bool reported = false; // reported with a state around it
        if (!m->entered[i] || has_exit[i] || is_final(m, i) || is_alone(m, i)) continue;
        for (int32_t s = m->parents[i]; s != SINEW_GRAPH_NONE; s = m->parents[s]) {
            reported = reported || (!has_exit[s] && !is_alone(m, s));
        }
        if (reported) continue;
        graph_finding finding = graph_about_state(m, GRAPH_STATE_WITHOUT_EXIT, i);
        finding.message = "No transition leads out of this state.";
        finding.advice = "Add a transition, or tag the state \"" GRAPH_FINAL_TAG "\" if playback ends there.";
        graph_add(m, &finding);
    }
}

void graph_check_states(graph_model *m) {
    graph_sum_up(m, true);
    check_unreachable(m);
    check_exits(m);
}

// ---- Transitions ---------------------------------------------------------------------------------------------------

// Sums up the entered leaves that a transition starts from.
static graph_inside sources_of(const graph_model *m, const sinew_graph_transition *t) {
    const int32_t layer = m->machine_layers[t->machine];
    graph_inside result = *graph_inside_of(m, layer, graph_source(m, t));
    if (t->from != SINEW_ANY_STATE || t->to_self) return result;
    const graph_inside *target = graph_inside_of(m, layer, t->to);
    result.leaves -= target->leaves;
    result.clips -= target->clips;
    result.blend_spaces -= target->blend_spaces;
    result.can_finish -= target->can_finish;
    return result;
}

static bool has_operation(const sinew_condition *condition, sinew_condition_op op) {
    for (int32_t i = 0; i < condition->node_count; i++) {
        if (condition->nodes[i].op == op) return true;
    }
    return false;
}

static bool reads_clip(const sinew_condition *condition) {
    return has_operation(condition, SINEW_CONDITION_TIME) || has_operation(condition, SINEW_CONDITION_FRACTION) ||
           has_operation(condition, SINEW_CONDITION_LOOPS) || has_operation(condition, SINEW_CONDITION_FINISHED) ||
           has_operation(condition, SINEW_CONDITION_PAST) || has_operation(condition, SINEW_CONDITION_MARKER);
}

static void add_never(graph_model *m, int32_t transition) {
    const sinew_condition *condition = &m->graph->conditions[transition];
    const graph_inside from = sources_of(m, &m->graph->transitions[transition]);
    graph_finding finding = graph_about_transition(m, GRAPH_TRANSITION_NEVER, transition);
    if (from.leaves == 0) {
        finding.message = "The transition only starts from the state it leads to.";
        finding.advice = "Add \"toSelf\": true, or remove the transition.";
    } else if (from.clips == 0 && from.blend_spaces == 0 && reads_clip(condition)) {
        finding.message = "The state is empty, so the condition never becomes true.";
        finding.advice = "Use `elapsed`, or give the state a clip.";
    } else if (from.can_finish == 0 && has_operation(condition, SINEW_CONDITION_FINISHED)) {
        finding.message = from.clips > 0 ? "The clip repeats without a limit and never finishes."
                                         : "A blend space never finishes.";
        finding.advice = from.clips > 0 ? "Give the state \"loop\": \"once\" or a \"loopCount\", or use `past`."
                                        : "Use `past`, `elapsed` or a parameter.";
    } else {
        finding.message = "The condition is false for all values.";
        finding.advice = "Check it against the parameter ranges and the state's clip.";
    }
    graph_add(m, &finding);
}

static void add_shadowed(graph_model *m, int32_t transition) {
    const int32_t first = m->shadowed_by[transition], line = m->graph->transitions[first].line;
    graph_finding finding = graph_about_transition(m, GRAPH_TRANSITION_SHADOWED, transition);
    const char *label = graph_transition_label(m, first);
    finding.message = line > 0
                          ? graph_text(m, "An earlier transition is taken instead: %s, line %d.", label, (int)line)
                          : graph_text(m, "An earlier transition is taken instead: %s.", label);
    finding.advice = "Move this transition ahead of the other one, or narrow the other one's condition.";
    graph_add(m, &finding);
}

static void check_transition(graph_model *m, int32_t transition) {
    const bool shadowed = m->shadowed_by[transition] != SINEW_GRAPH_NONE;
    if (!m->taken[transition] && !shadowed) {
        add_never(m, transition);
        return;
    }
    if (!m->taken[transition]) add_shadowed(m, transition);
    if (m->can_be_false[transition] || m->graph->conditions[transition].node_count == 0) return;
    graph_finding finding = graph_about_transition(m, GRAPH_CONDITION_ALWAYS_TRUE, transition);
    finding.message = "The condition is true for all values.";
    finding.advice = "Remove \"when\" if that's intended. Otherwise, fix the condition.";
    graph_add(m, &finding);
}

// ---- Cycles --------------------------------------------------------------------------------------------------------

static const char *names_of(graph_model *m, const graph_cycle *cycle) {
    char text[512];
    const sinew_graph_state *states = m->graph->states;
    const int32_t start = m->graph->transitions[cycle->transitions[0]].from;
    size_t length =
        (size_t)snprintf(text, sizeof text, "%.60s", start == SINEW_ANY_STATE ? "*" : states[start].name);
    for (int32_t i = 0; i < cycle->count && length < sizeof text; i++) {
        const int32_t to = m->graph->transitions[cycle->transitions[i]].to;
        length += (size_t)snprintf(text + length, sizeof text - length, " -> %.60s", states[to].name);
    }
    return graph_text(m, "%s", text);
}

static void add_cycle(graph_model *m, const graph_cycle *cycle) {
    graph_finding finding = graph_about_transition(m, GRAPH_CYCLE_IN_FRAME, cycle->transitions[0]);
    const char *with = cycle->example[0] ? graph_text(m, "With %s, ", cycle->example) : "";
    const char *names = names_of(m, cycle);
    if (cycle->endless) {
        finding.message = graph_text(m, "%s%s repeats within a frame.", with, names);
        finding.advice = "Use a trigger or `elapsed`, or make the conditions mutually exclusive.";
    } else {
        finding.message = graph_text(m, "%s%s is taken in one frame; the limit is %d transitions.", with, names,
                                     SINEW_MAX_GRAPH_HOPS);
        finding.advice = "Remove states from the chain, or wait in one of them with `elapsed > 0`.";
    }
    graph_add(m, &finding);
}

void graph_check_transitions(graph_model *m) {
    for (int32_t i = 0; i < m->cycle_count; i++) add_cycle(m, &m->cycles[i]);
    for (int32_t i = 0; i < m->graph->transition_count; i++) {
        if (source_is_entered(m, &m->graph->transitions[i])) check_transition(m, i);
    }
}

// ---- Parameters ----------------------------------------------------------------------------------------------------

static uint64_t bit_of(int32_t parameter) {
    return parameter == SINEW_GRAPH_NONE ? 0 : UINT64_C(1) << parameter;
}

static uint64_t named_by(const sinew_condition *condition) {
    uint64_t named = 0;
    for (int32_t i = 0; i < condition->node_count; i++) {
        const sinew_condition_op op = condition->nodes[i].op;
        if (op == SINEW_CONDITION_PARAMETER || op == SINEW_CONDITION_PARAMETER_Y) {
            named |= bit_of(condition->nodes[i].index);
        }
    }
    return named;
}

static uint64_t used_by_step(const sinew_graph *graph, int32_t index) {
    const sinew_rig_step *step = &graph->steps[index];
    uint64_t used = named_by(&graph->step_conditions[index]) | bit_of(step->weight_parameter) |
                    bit_of(step->input) | bit_of(step->goal.parameter) | bit_of(step->pole.parameter);
    const int32_t effectors = step->kind == SINEW_RIG_BODY ? step->body.effector_count : 0;
    for (int32_t i = 0; i < effectors; i++) used |= bit_of(step->body.effectors[i].goal.parameter);
    return used;
}

// Returns whether the program may use positions and rotations in its own code.
static bool has_own_code(const sinew_graph *graph) {
    for (int32_t i = 0; i < graph->step_count; i++) {
        if (graph->steps[i].kind == SINEW_RIG_CALLBACK) return true;
    }
    return graph->step_count == 0;
}

static uint64_t used_parameters(const sinew_graph *graph) {
    uint64_t used = 0;
    for (int32_t i = 0; i < graph->parameter_count && has_own_code(graph); i++)
        if (graph->parameters[i].type >= SINEW_PARAMETER_VECTOR3) used |= bit_of(i);
    for (int32_t i = 0; i < graph->step_count; i++) used |= used_by_step(graph, i);
    for (int32_t i = 0; i < graph->transition_count; i++) used |= named_by(&graph->conditions[i]);
    for (int32_t i = 0; i < graph->layer_count; i++) used |= bit_of(graph->layers[i].weight_parameter);
    for (int32_t i = 0; i < graph->state_count; i++) {
        const sinew_graph_state *state = &graph->states[i];
        used |= bit_of(state->speed_parameter);
        if (state->blend) used |= bit_of(state->blend->x_parameter) | bit_of(state->blend->y_parameter);
    }
    return used;
}

static void add_unused(graph_model *m, int32_t parameter) {
    graph_finding finding = graph_about_parameter(m, GRAPH_PARAMETER_UNUSED, parameter);
    finding.message = "No condition, blend space, speed, weight or step uses the parameter.";
    finding.advice = "Remove it.";
    graph_add(m, &finding);
}

static void add_not_consumed(graph_model *m, int32_t parameter) {
    graph_finding finding = graph_about_parameter(m, GRAPH_TRIGGER_NOT_CONSUMED, parameter);
    finding.message = "No condition needs the trigger to be true.";
    finding.advice = "Use it in the condition of the transition it should start, or make it a bool.";
    graph_add(m, &finding);
}

void graph_check_parameters(graph_model *m) {
    const uint64_t used = used_parameters(m->graph);
    uint64_t in_taken = 0; // if all transitions that name a trigger are never taken, those are the findings
    for (int32_t i = 0; i < m->graph->transition_count; i++) {
        if (m->taken[i]) in_taken |= named_by(&m->graph->conditions[i]);
    }
    for (int32_t i = 0; i < m->graph->parameter_count; i++) {
        const uint64_t bit = bit_of(i);
        if (!(used & bit)) {
            add_unused(m, i);
        } else if (m->graph->parameters[i].type == SINEW_PARAMETER_TRIGGER && in_taken & bit & ~m->consumed) {
            add_not_consumed(m, i);
        }
    }
}
