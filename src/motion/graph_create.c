// SPDX-License-Identifier: MIT
// Creates a graph: compiles the conditions, then copies everything into one block of memory.
#include "motion/graph_create.h"
#include "motion/graph_condition.h"
#include "motion/graph_data.h"
#include "motion/graph_step.h"
#include "base/authored.h"
#include "base/def_cookie.h"
#include "base/fnv.h"
#include "base/memory.h"
#include "base/merge_sort.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Conditions can name this many different markers, because each takes a bit of a 64-bit number.
#define MAX_MARKER_NAMES 64
#define MAX_SYNC_GROUPS  255

// Unique names of markers or curves.
typedef struct outer_names {
    const char *names[MAX_MARKER_NAMES];
    int32_t count;
} outer_names;

static_assert(SINEW_MAX_GRAPH_CURVES == MAX_MARKER_NAMES, "both are outer_names");

// What is found before the graph's size is known.
typedef struct graph_draft {
    const sinew_graph_def *def;
    sinewi_arena arena;
    sinew_graph scope;     // what conditions refer to: the definition's own arrays
    sinew_graph_data data; // of the scope: owners, states_by_name and depth
    const char *tags[SINEW_MAX_GRAPH_TAGS];
    outer_names markers, curves;
    const char *groups[MAX_SYNC_GROUPS];
    int32_t group_count;
    sinew_condition *conditions;      // [transition_count]
    sinew_condition *step_conditions; // [step_count]
    size_t node_count;                // over all conditions
    bool out_of_memory;
} graph_draft;

// ---- Unique names --------------------------------------------------------------------------------------------

static int32_t index_of_name(const char *const *names, int32_t count, const char *name) {
    for (int32_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) return i;
    }
    return SINEW_GRAPH_NONE;
}

static bool gather_tags(graph_draft *draft, sinewi_graph_problem *problem) {
    draft->scope.tags = draft->tags;
    for (int32_t i = 0; i < draft->def->state_count; i++) {
        const sinew_graph_state *state = &draft->def->states[i];
        for (int32_t k = 0; k < state->tag_count; k++) {
            if (index_of_name(draft->tags, draft->scope.tag_count, state->tags[k]) != SINEW_GRAPH_NONE) continue;
            if (draft->scope.tag_count == SINEW_MAX_GRAPH_TAGS) {
                sinewi_graph_fault(problem, SINEWI_GRAPH_PART_STATE, i,
                                   "the tag \"%s\" exceeds the limit of %d tags", state->tags[k],
                                   SINEW_MAX_GRAPH_TAGS);
                problem->result = SINEW_ERROR_LIMIT;
                return false;
            }
            draft->tags[draft->scope.tag_count++] = state->tags[k];
        }
    }
    return true;
}

static bool plays_source(const sinew_graph_state *state) {
    return state->kind == SINEW_GRAPH_STATE_CLIP || state->kind == SINEW_GRAPH_STATE_BLEND_SPACE;
}

static bool gather_groups(graph_draft *draft, sinewi_graph_problem *problem) {
    for (int32_t i = 0; i < draft->def->state_count; i++) {
        const sinew_graph_state *state = &draft->def->states[i];
        const char *group = plays_source(state) ? state->sync : NULL;
        if (!group || index_of_name(draft->groups, draft->group_count, group) != SINEW_GRAPH_NONE) continue;
        if (draft->group_count == MAX_SYNC_GROUPS) {
            sinewi_graph_fault(problem, SINEWI_GRAPH_PART_STATE, i,
                               "the sync group \"%s\" exceeds the limit of %d groups", group, MAX_SYNC_GROUPS);
            problem->result = SINEW_ERROR_LIMIT;
            return false;
        }
        draft->groups[draft->group_count++] = group;
    }
    return true;
}

static bool fail_draft_memory(sinewi_graph_problem *problem) {
    *problem = (sinewi_graph_problem){.result = SINEW_ERROR_OUT_OF_MEMORY, .what = "out of memory"};
    return false;
}

// Finds the name of a marker or a curve from a condition or a layer.
static int32_t find_outer_name(sinew_condition_op op, const char *name, size_t length, void *user) {
    graph_draft *draft = (graph_draft *)user;
    outer_names *list = op == SINEW_CONDITION_CURVE ? &draft->curves : &draft->markers;
    for (int32_t i = 0; i < list->count; i++) {
        if (strlen(list->names[i]) == length && memcmp(list->names[i], name, length) == 0) return i;
    }
    if (list->count == MAX_MARKER_NAMES) return SINEW_GRAPH_NONE;
    char *copy = sinewi_arena_string(&draft->arena, name, length);
    if (!copy) draft->out_of_memory = true;
    list->names[list->count] = copy ? copy : "";
    return list->count++;
}

// Layers and steps share the room for curves.
static bool gather_curve(graph_draft *draft, const char *curve, sinewi_graph_part part, int32_t index,
                         sinewi_graph_problem *problem) {
    if (!curve || find_outer_name(SINEW_CONDITION_CURVE, curve, strlen(curve), draft) != SINEW_GRAPH_NONE)
        return !draft->out_of_memory || fail_draft_memory(problem);
    sinewi_graph_fault(problem, part, index, "the curve \"%s\" exceeds the limit of %d curves", curve,
                       SINEW_MAX_GRAPH_CURVES);
    problem->result = SINEW_ERROR_LIMIT;
    return false;
}

static bool gather_weight_curves(graph_draft *draft, sinewi_graph_problem *problem) {
    const sinew_graph_def *def = draft->def;
    for (int32_t i = 0; i < def->layer_count; i++) {
        if (!gather_curve(draft, def->layers[i].weight_curve, SINEWI_GRAPH_PART_LAYER, i, problem)) return false;
    }
    for (int32_t i = 0; i < def->step_count; i++) {
        if (!gather_curve(draft, def->steps[i].weight_curve, SINEWI_GRAPH_PART_STEP, i, problem)) return false;
    }
    return true;
}

// ---- Machines ------------------------------------------------------------------------------------------------

static bool find_owners(graph_draft *draft, sinewi_graph_problem *problem) {
    const sinew_graph *graph = &draft->scope;
    sinewi_graph_owner *owners =
        sinewi_arena_array(&draft->arena, sinewi_graph_owner, (size_t)graph->machine_count);
    if (!owners) return fail_draft_memory(problem);
    for (int32_t i = 0; i < graph->layer_count; i++)
        owners[graph->layers[i].machine] = (sinewi_graph_owner){SINEW_GRAPH_NONE, i, 0};
    for (int32_t i = 0; i < graph->state_count; i++) {
        const sinew_graph_state *state = &graph->states[i];
        if (state->kind == SINEW_GRAPH_STATE_MACHINE) owners[state->submachine].state = i;
    }
    draft->data.depth = 1;
    for (int32_t i = 0; i < graph->machine_count; i++) {
        int32_t depth = 0, root = i;
        for (; owners[root].state != SINEW_GRAPH_NONE; depth++) root = graph->states[owners[root].state].machine;
        owners[i].depth = depth;
        owners[i].layer = owners[root].layer;
        if (depth + 1 > draft->data.depth) draft->data.depth = depth + 1;
    }
    draft->data.owners = owners;
    return true;
}

static int compare_states(const void *a, const void *b, const void *context) {
    const sinew_graph *graph = (const sinew_graph *)context;
    const sinew_graph_state *first = &graph->states[*(const int32_t *)a];
    const sinew_graph_state *second = &graph->states[*(const int32_t *)b];
    if (first->machine != second->machine) return first->machine < second->machine ? -1 : 1;
    return strcmp(first->name, second->name);
}

static bool order_states(graph_draft *draft, sinewi_graph_problem *problem) {
    const size_t count = (size_t)draft->def->state_count;
    int32_t *states = sinewi_arena_array(&draft->arena, int32_t, count);
    int32_t *other = sinewi_arena_array(&draft->arena, int32_t, count);
    if (!states || !other) return fail_draft_memory(problem);
    for (size_t i = 0; i < count; i++) states[i] = (int32_t)i;
    draft->data.states_by_name =
        (const int32_t *)sinewi_merge_sort(states, other, count, sizeof *states, compare_states, &draft->scope);
    return true;
}

// ---- Conditions ----------------------------------------------------------------------------------------------

// Whether a transition's condition is the same text in memory as the previous transition's, not just equal. A file has
// one text for all states that a transition starts from. It's compiled and copied once, so time and memory are linear
// in the file's size.
static bool shares_condition(const sinew_graph_def *def, int32_t i) {
    return i > 0 && def->transitions[i].when == def->transitions[i - 1].when;
}

// Compiles a condition of a transition or a step.
static bool compile_text(graph_draft *draft, const char *when, sinewi_graph_part part, int32_t i,
                         sinew_condition *condition, sinewi_graph_problem *problem) {
    const sinewi_condition_scope scope = {&draft->scope, find_outer_name, draft};
    sinew_condition_node nodes[SINEW_MAX_CONDITION_NODES];
    sinewi_condition_problem fault;
    int32_t count = sinewi_condition_compile(when, &scope, nodes, &fault);
    if (draft->out_of_memory) return fail_draft_memory(problem);
    if (count == 0) {
        sinewi_graph_fault(problem, part, i, "%s", fault.what);
        problem->result = fault.result;
        problem->column = fault.column;
        return false;
    }
    sinew_condition_node *copy = sinewi_arena_array(&draft->arena, sinew_condition_node, (size_t)count);
    if (!copy) return fail_draft_memory(problem);
    memcpy(copy, nodes, (size_t)count * sizeof *nodes);
    *condition = (sinew_condition){count, copy};
    draft->node_count += (size_t)count;
    return true;
}

// Compiles the condition of transition i. A condition shared with the previous transition is compiled only once.
static bool compile_condition(graph_draft *draft, int32_t i, sinewi_graph_problem *problem) {
    const char *when = draft->def->transitions[i].when;
    if (!when) return true;
    if (!shares_condition(draft->def, i))
        return compile_text(draft, when, SINEWI_GRAPH_PART_CONDITION, i, &draft->conditions[i], problem);
    draft->conditions[i] = draft->conditions[i - 1];
    return true;
}

static bool compile_step_condition(graph_draft *draft, int32_t i, sinewi_graph_problem *problem) {
    const char *when = draft->def->steps[i].when;
    if (!when) return true;
    sinew_condition *condition = &draft->step_conditions[i];
    return compile_text(draft, when, SINEWI_GRAPH_PART_STEP_CONDITION, i, condition, problem) &&
           sinewi_graph_check_step_condition(draft->def, condition, i, problem);
}

static bool compile_conditions(graph_draft *draft, sinewi_graph_problem *problem) {
    const sinew_graph_def *def = draft->def;
    draft->conditions = sinewi_arena_zeros(&draft->arena, sinew_condition, (size_t)def->transition_count);
    draft->step_conditions = sinewi_arena_zeros(&draft->arena, sinew_condition, (size_t)def->step_count);
    if (!draft->conditions || !draft->step_conditions) return fail_draft_memory(problem);
    for (int32_t i = 0; i < def->transition_count; i++) {
        if (!compile_condition(draft, i, problem)) return false;
    }
    for (int32_t i = 0; i < def->step_count; i++) {
        if (!compile_step_condition(draft, i, problem)) return false;
    }
    return true;
}

static bool fill_draft(graph_draft *draft, const sinew_graph_def *def, sinewi_graph_problem *problem) {
    draft->scope = (sinew_graph){.parameter_count = def->parameter_count,
                                 .parameters = def->parameters,
                                 .layer_count = def->layer_count,
                                 .layers = def->layers,
                                 .machine_count = def->machine_count,
                                 .machines = def->machines,
                                 .state_count = def->state_count,
                                 .states = def->states,
                                 .transition_count = def->transition_count,
                                 .transitions = def->transitions,
                                 .data = &draft->data};
    if (!gather_tags(draft, problem) || !gather_groups(draft, problem) || !gather_weight_curves(draft, problem))
        return false;
    return find_owners(draft, problem) && order_states(draft, problem) && compile_conditions(draft, problem);
}

// ---- Copying -------------------------------------------------------------------------------------------------

// A graph's arrays, writable while they are filled. NULL while the size is measured.
typedef struct graph_arrays {
    sinew_graph *graph;
    sinew_graph_data *data;
    sinewi_graph_owner *owners;
    int32_t *states_by_name;
    int32_t *transition_order;
    sinewi_graph_range *from_states, *from_any;
    sinewi_graph_steps *conditions, *step_conditions;
    sinewi_condition_step *steps; // of all conditions
    uint64_t *triggers, *tag_bits;
    uint8_t *sync_groups, *reads;
    int8_t *weight_curves, *step_curves;
    sinewi_graph_value *values;
} graph_arrays;

static const char *const *copy_names(sinewi_layout *layout, const char *const *names, int32_t count) {
    const char **copy = sinewi_layout_array(layout, const char *, (size_t)count, alignof(const char *));
    for (int32_t i = 0; i < count; i++) {
        const char *name = sinewi_layout_string(layout, names[i]);
        if (copy) copy[i] = name;
    }
    return copy;
}

static const char *copy_name(sinewi_layout *layout, const char *name) {
    return name ? sinewi_layout_string(layout, name) : NULL;
}

// Removes a TRANSFORM's range. Normalizes its rotation, and rounds it to float like a rotation that the program sets.
static sinew_graph_parameter plain_parameter(const sinew_graph_parameter *parameter) {
    sinew_graph_parameter plain = *parameter;
    if (parameter->type != SINEW_PARAMETER_TRANSFORM) return plain;
    plain.min = -(double)INFINITY;
    plain.max = (double)INFINITY;
    double *r = &plain.initial[SINEWI_TRANSFORM_ROTATION];
    const sinew_quat q = sinewi_quat_as_authored((sinew_quat){(float)r[0], (float)r[1], (float)r[2], (float)r[3]});
    r[0] = (double)q.x;
    r[1] = (double)q.y;
    r[2] = (double)q.z;
    r[3] = (double)q.w;
    return plain;
}

static const sinew_graph_parameter *copy_parameters(sinewi_layout *layout, const sinew_graph_def *def) {
    size_t count = (size_t)def->parameter_count;
    sinew_graph_parameter *copy =
        sinewi_layout_array(layout, sinew_graph_parameter, count, alignof(sinew_graph_parameter));
    for (size_t i = 0; i < count; i++) {
        const char *name = copy_name(layout, def->parameters[i].name);
        if (!copy) continue;
        copy[i] = plain_parameter(&def->parameters[i]);
        copy[i].name = name;
    }
    return copy;
}

static const sinew_graph_layer *copy_layers(sinewi_layout *layout, const sinew_graph_def *def) {
    size_t count = (size_t)def->layer_count;
    sinew_graph_layer *copy = sinewi_layout_array(layout, sinew_graph_layer, count, alignof(sinew_graph_layer));
    for (size_t i = 0; i < count; i++) {
        const char *name = copy_name(layout, def->layers[i].name);
        const char *reference = copy_name(layout, def->layers[i].reference);
        const char *weight_curve = copy_name(layout, def->layers[i].weight_curve);
        const sinew_mask_part *parts =
            sinewi_graph_copy_parts(layout, def->layers[i].parts, def->layers[i].part_count);
        if (!copy) continue;
        copy[i] = def->layers[i];
        copy[i].name = name;
        copy[i].reference = reference;
        copy[i].weight_curve = weight_curve;
        copy[i].parts = parts;
    }
    return copy;
}

static const sinew_graph_blend *copy_blend(sinewi_layout *layout, const sinew_graph_state *state) {
    if (state->kind != SINEW_GRAPH_STATE_BLEND_SPACE) return NULL;
    sinew_graph_blend *copy = sinewi_layout_array(layout, sinew_graph_blend, 1, alignof(sinew_graph_blend));
    size_t count = (size_t)state->blend->sample_count;
    sinew_graph_sample *samples =
        sinewi_layout_array(layout, sinew_graph_sample, count, alignof(sinew_graph_sample));
    for (size_t i = 0; i < count; i++) {
        const char *clip = copy_name(layout, state->blend->samples[i].clip);
        if (!copy) continue;
        samples[i] = state->blend->samples[i];
        samples[i].clip = clip;
    }
    if (!copy) return NULL;
    *copy = *state->blend;
    copy->samples = samples;
    return copy;
}

// Fields that a state's kind ignores get a fixed value, which makes equal graphs compare equal.
static sinew_graph_state plain_state(const sinew_graph_state *state) {
    sinew_graph_state plain = *state;
    bool is_clip = state->kind == SINEW_GRAPH_STATE_CLIP;
    if (!plays_source(state)) {
        plain.speed = 1.0f;
        plain.speed_parameter = SINEW_GRAPH_NONE;
    }
    if (state->kind != SINEW_GRAPH_STATE_MACHINE) plain.submachine = SINEW_GRAPH_NONE;
    if (!is_clip) plain.loop = SINEW_LOOP_REPEAT;
    if (!is_clip || state->loop == SINEW_LOOP_ONCE) plain.loop_count = is_clip ? 1 : SINEW_FOREVER;
    return plain;
}

static const sinew_graph_state *copy_states(sinewi_layout *layout, const sinew_graph_def *def) {
    size_t count = (size_t)def->state_count;
    sinew_graph_state *copy = sinewi_layout_array(layout, sinew_graph_state, count, alignof(sinew_graph_state));
    for (size_t i = 0; i < count; i++) {
        const sinew_graph_state *state = &def->states[i];
        const char *name = copy_name(layout, state->name);
        const char *clip = state->kind == SINEW_GRAPH_STATE_CLIP ? copy_name(layout, state->clip) : NULL;
        const char *sync = plays_source(state) ? copy_name(layout, state->sync) : NULL;
        const char *const *tags = copy_names(layout, state->tags, state->tag_count);
        const sinew_graph_blend *blend = copy_blend(layout, state);
        if (!copy) continue;
        copy[i] = plain_state(state);
        copy[i].name = name;
        copy[i].clip = clip;
        copy[i].sync = sync;
        copy[i].tags = tags;
        copy[i].blend = blend;
    }
    return copy;
}

static const sinew_graph_transition *copy_transitions(sinewi_layout *layout, const sinew_graph_def *def) {
    size_t count = (size_t)def->transition_count;
    sinew_graph_transition *copy =
        sinewi_layout_array(layout, sinew_graph_transition, count, alignof(sinew_graph_transition));
    const char *when = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!shares_condition(def, (int32_t)i)) when = copy_name(layout, def->transitions[i].when);
        if (!copy) continue;
        copy[i] = def->transitions[i];
        copy[i].when = when;
    }
    return copy;
}

static const sinew_condition *copy_conditions(sinewi_layout *layout, const graph_draft *draft) {
    size_t count = (size_t)draft->def->transition_count;
    sinew_condition *copy = sinewi_layout_array(layout, sinew_condition, count, alignof(sinew_condition));
    sinew_condition_node *nodes = NULL;
    for (size_t i = 0; i < count; i++) {
        const sinew_condition *condition = &draft->conditions[i];
        const size_t node_count = (size_t)condition->node_count;
        const bool is_shared = shares_condition(draft->def, (int32_t)i);
        if (!is_shared)
            nodes = sinewi_layout_array(layout, sinew_condition_node, node_count, alignof(sinew_condition_node));
        if (!copy) continue;
        if (!is_shared && node_count > 0) memcpy(nodes, condition->nodes, node_count * sizeof *nodes);
        copy[i] = (sinew_condition){condition->node_count, nodes};
    }
    return copy;
}

static const sinew_graph_machine *copy_machines(sinewi_layout *layout, const sinew_graph_def *def) {
    size_t count = (size_t)def->machine_count;
    sinew_graph_machine *copy =
        sinewi_layout_array(layout, sinew_graph_machine, count, alignof(sinew_graph_machine));
    if (copy && count > 0) memcpy(copy, def->machines, count * sizeof *copy);
    return copy;
}

static const sinew_condition *copy_step_conditions(sinewi_layout *layout, const graph_draft *draft) {
    const size_t count = (size_t)draft->def->step_count;
    sinew_condition *copy = sinewi_layout_array(layout, sinew_condition, count, alignof(sinew_condition));
    for (size_t i = 0; i < count; i++) {
        const sinew_condition *condition = &draft->step_conditions[i];
        const size_t nodes = (size_t)condition->node_count;
        sinew_condition_node *own =
            sinewi_layout_array(layout, sinew_condition_node, nodes, alignof(sinew_condition_node));
        if (!copy) continue;
        if (nodes > 0) memcpy(own, condition->nodes, nodes * sizeof *own);
        copy[i] = (sinew_condition){condition->node_count, own};
    }
    return copy;
}

// Reserves a graph's space and copies the definition's contents. While the size is measured, it only reserves.
static graph_arrays lay_out_graph(sinewi_layout *layout, const graph_draft *draft) {
    const sinew_graph_def *def = draft->def;
    size_t states = (size_t)def->state_count, machines = (size_t)def->machine_count;
    size_t transitions = (size_t)def->transition_count;
    graph_arrays a = {.graph = sinewi_layout_array(layout, sinew_graph, 1, SINEWI_ALIGNMENT)};
    a.data = sinewi_layout_array(layout, sinew_graph_data, 1, alignof(sinew_graph_data));
    a.owners = sinewi_layout_array(layout, sinewi_graph_owner, machines, alignof(sinewi_graph_owner));
    a.states_by_name = sinewi_layout_array(layout, int32_t, states, alignof(int32_t));
    a.transition_order = sinewi_layout_array(layout, int32_t, transitions, alignof(int32_t));
    a.from_states = sinewi_layout_array(layout, sinewi_graph_range, states, alignof(sinewi_graph_range));
    a.from_any = sinewi_layout_array(layout, sinewi_graph_range, machines, alignof(sinewi_graph_range));
    a.conditions = sinewi_layout_array(layout, sinewi_graph_steps, transitions, alignof(sinewi_graph_steps));
    a.step_conditions =
        sinewi_layout_array(layout, sinewi_graph_steps, (size_t)def->step_count, alignof(sinewi_graph_steps));
    a.steps = sinewi_layout_array(layout, sinewi_condition_step, draft->node_count, alignof(sinewi_condition_step));
    a.triggers = sinewi_layout_array(layout, uint64_t, transitions, alignof(uint64_t));
    a.tag_bits = sinewi_layout_array(layout, uint64_t, states, alignof(uint64_t));
    a.values =
        sinewi_layout_array(layout, sinewi_graph_value, (size_t)def->parameter_count, alignof(sinewi_graph_value));
    a.sync_groups = sinewi_layout_array(layout, uint8_t, states, 1);
    a.reads = sinewi_layout_array(layout, uint8_t, transitions, 1);
    a.weight_curves = sinewi_layout_array(layout, int8_t, (size_t)def->layer_count, 1);
    a.step_curves = sinewi_layout_array(layout, int8_t, (size_t)def->step_count, 1);
    sinew_graph graph = {.parameter_count = def->parameter_count,
                         .parameters = copy_parameters(layout, def),
                         .layer_count = def->layer_count,
                         .layers = copy_layers(layout, def),
                         .machine_count = def->machine_count,
                         .machines = copy_machines(layout, def),
                         .state_count = def->state_count,
                         .states = copy_states(layout, def),
                         .transition_count = def->transition_count,
                         .transitions = copy_transitions(layout, def),
                         .conditions = copy_conditions(layout, draft),
                         .name_count = draft->markers.count,
                         .names = copy_names(layout, draft->markers.names, draft->markers.count),
                         .curve_count = draft->curves.count,
                         .curves = copy_names(layout, draft->curves.names, draft->curves.count),
                         .tag_count = draft->scope.tag_count,
                         .tags = copy_names(layout, draft->tags, draft->scope.tag_count),
                         .sync_name_count = def->sync_name_count,
                         .sync_names = copy_names(layout, def->sync_names, def->sync_name_count),
                         .step_count = def->step_count,
                         .steps = sinewi_graph_copy_steps(layout, def),
                         .step_conditions = copy_step_conditions(layout, draft),
                         .foot_count = def->foot_count,
                         .feet = sinewi_graph_copy_feet(layout, def),
                         .path = copy_name(layout, def->path),
                         .data = a.data};
    if (a.graph) *a.graph = graph;
    return a;
}

// ---- Structure -----------------------------------------------------------------------------------------------

static sinewi_graph_range *range_of(const graph_arrays *a, const sinew_graph_transition *transition) {
    return transition->from == SINEW_ANY_STATE ? &a->from_any[transition->machine]
                                               : &a->from_states[transition->from];
}

// A counting sort: first counts, then first indices, then the transitions in their own order.
static void order_transitions(const graph_arrays *a) {
    const sinew_graph *graph = a->graph;
    memset(a->from_states, 0, (size_t)graph->state_count * sizeof *a->from_states);
    memset(a->from_any, 0, (size_t)graph->machine_count * sizeof *a->from_any);
    for (int32_t i = 0; i < graph->transition_count; i++) range_of(a, &graph->transitions[i])->count++;
    int32_t first = 0;
    for (int32_t i = 0; i < graph->state_count + graph->machine_count; i++) {
        sinewi_graph_range *range =
            i < graph->state_count ? &a->from_states[i] : &a->from_any[i - graph->state_count];
        range->first = first;
        first += range->count;
        range->count = 0;
    }
    for (int32_t i = 0; i < graph->transition_count; i++) {
        sinewi_graph_range *range = range_of(a, &graph->transitions[i]);
        a->transition_order[range->first + range->count++] = i;
    }
}

static void fill_bits(const graph_arrays *a, const graph_draft *draft) {
    const sinew_graph *graph = a->graph;
    for (int32_t i = 0; i < graph->state_count; i++) {
        const sinew_graph_state *state = &graph->states[i];
        a->tag_bits[i] = 0;
        for (int32_t k = 0; k < state->tag_count; k++)
            a->tag_bits[i] |= UINT64_C(1) << index_of_name(graph->tags, graph->tag_count, state->tags[k]);
        int32_t group = state->sync ? index_of_name(draft->groups, draft->group_count, state->sync) : -1;
        a->sync_groups[i] = (uint8_t)(group + 1);
        a->data->blend_space_count += state->kind == SINEW_GRAPH_STATE_BLEND_SPACE;
    }
}

static int8_t index_of_curve(const sinew_graph *graph, const char *curve) {
    return (int8_t)(curve ? index_of_name(graph->curves, graph->curve_count, curve) : SINEW_GRAPH_NONE);
}

static void fill_weight_curves(const graph_arrays *a) {
    const sinew_graph *graph = a->graph;
    for (int32_t i = 0; i < graph->layer_count; i++)
        a->weight_curves[i] = index_of_curve(graph, graph->layers[i].weight_curve);
    for (int32_t i = 0; i < graph->step_count; i++)
        a->step_curves[i] = index_of_curve(graph, graph->steps[i].weight_curve);
}

static void fill_conditions(const graph_arrays *a, const sinew_graph_def *def) {
    const sinew_graph *graph = a->graph;
    sinewi_condition_step *steps = a->steps;
    for (int32_t i = 0; i < graph->transition_count; i++) {
        if (shares_condition(def, i)) {
            a->conditions[i] = a->conditions[i - 1];
        } else {
            a->conditions[i] = (sinewi_graph_steps){steps, sinewi_condition_prepare(&graph->conditions[i], steps)};
            steps += a->conditions[i].count;
        }
        a->triggers[i] = sinewi_condition_triggers(&graph->conditions[i], graph);
        a->reads[i] = sinewi_condition_reads(&graph->conditions[i]);
    }
    for (int32_t i = 0; i < graph->step_count; i++) {
        a->step_conditions[i] =
            (sinewi_graph_steps){steps, sinewi_condition_prepare(&graph->step_conditions[i], steps)};
        steps += a->step_conditions[i].count;
    }
}

static_assert(SINEW_MAX_GRAPH_PARAMETERS * 3 * SINEWI_MAX_COORDINATES <= UINT16_MAX, "words have 16-bit indices");

static void place_values(const graph_arrays *a) {
    int32_t *words = &a->data->value_count;
    for (int32_t i = 0; i < a->graph->parameter_count; i++) {
        const sinew_graph_parameter *parameter = &a->graph->parameters[i];
        sinewi_graph_value value = {.target = (uint16_t)*words, .value = (uint16_t)*words};
        value.width = sinewi_parameter_width(parameter->type);
        value.type = (uint8_t)parameter->type;
        value.is_damped = parameter->damping > 0.0f;
        if (value.is_damped) value.value = (uint16_t)(value.target + value.width);
        *words += value.is_damped ? 3 * value.width : value.width;
        a->values[i] = value;
    }
}

// A snapshot only fits graphs with the same structure, where state and parameter numbers mean the same.
static uint64_t fingerprint_of(const sinew_graph *graph) {
    uint64_t hash = SINEWI_FNV_START;
    for (int32_t i = 0; i < graph->parameter_count; i++) {
        sinewi_fnv_string(&hash, graph->parameters[i].name);
        sinewi_fnv_number(&hash, (uint64_t)graph->parameters[i].type + ((uint64_t)graph->parameters[i].space << 8));
        sinewi_fnv_float(&hash, graph->parameters[i].damping);
    }
    for (int32_t i = 0; i < graph->layer_count; i++) sinewi_fnv_string(&hash, graph->layers[i].name);
    for (int32_t i = 0; i < graph->curve_count; i++) sinewi_fnv_string(&hash, graph->curves[i]);
    for (int32_t i = 0; i < graph->state_count; i++) {
        sinewi_fnv_string(&hash, graph->states[i].name);
        sinewi_fnv_number(&hash, (uint64_t)graph->states[i].machine);
    }
    sinewi_fnv_number(&hash, (uint64_t)graph->transition_count);
    for (int32_t i = 0; i < graph->step_count; i++) {
        sinewi_fnv_string(&hash, graph->steps[i].name);
        sinewi_fnv_number(&hash, (uint64_t)graph->steps[i].kind);
    }
    return hash;
}

static void fill_structure(const graph_arrays *a, const graph_draft *draft) {
    *a->data = (sinew_graph_data){.allocator = draft->def->allocator,
                                  .owners = a->owners,
                                  .states_by_name = a->states_by_name,
                                  .transition_order = a->transition_order,
                                  .from_states = a->from_states,
                                  .from_any = a->from_any,
                                  .conditions = a->conditions,
                                  .triggers = a->triggers,
                                  .reads = a->reads,
                                  .tag_bits = a->tag_bits,
                                  .sync_groups = a->sync_groups,
                                  .weight_curves = a->weight_curves,
                                  .step_conditions = a->step_conditions,
                                  .step_curves = a->step_curves,
                                  .depth = draft->data.depth,
                                  .values = a->values};
    memcpy(a->owners, draft->data.owners, (size_t)a->graph->machine_count * sizeof *a->owners);
    memcpy(a->states_by_name, draft->data.states_by_name,
           (size_t)a->graph->state_count * sizeof *a->states_by_name);
    order_transitions(a);
    fill_bits(a, draft);
    fill_weight_curves(a);
    fill_conditions(a, draft->def);
    place_values(a);
    a->data->fingerprint = fingerprint_of(a->graph);
}

// ---- Creating ------------------------------------------------------------------------------------------------

static bool build_graph(const graph_draft *draft, sinew_graph **graph, sinewi_graph_problem *problem) {
    sinewi_layout measure = {0};
    lay_out_graph(&measure, draft);
    sinewi_layout layout = {(char *)sinewi_allocate(&draft->def->allocator, measure.size, SINEWI_ALIGNMENT), 0};
    if (!layout.base) return fail_draft_memory(problem);
    graph_arrays arrays = lay_out_graph(&layout, draft);
    arrays.graph->memory = layout.size;
    fill_structure(&arrays, draft);
    *graph = arrays.graph;
    return true;
}

sinew_result sinewi_graph_create_located(const sinew_graph_def *def, sinew_graph **graph,
                                         sinewi_graph_problem *problem) {
    *graph = NULL;
    if (!sinewi_graph_check_def(def, problem)) return problem->result;
    graph_draft draft = {.def = def};
    sinewi_arena_init(&draft.arena, &def->allocator);
    bool is_made = fill_draft(&draft, def, problem) && build_graph(&draft, graph, problem);
    sinewi_arena_free(&draft.arena);
    return is_made ? SINEW_OK : problem->result;
}

sinew_result sinew_graph_create(const sinew_graph_def *def, sinew_graph **graph, sinew_error *error) {
    static const char *const parts[] = {"graph",       "parameters",  "layers", "machines", "states",
                                        "transitions", "transitions", "steps",  "steps",    "feet"};
    *graph = NULL;
    sinew_result result = SINEWI_CHECK_DEF(def, "sinew_graph_def: start from sinew_graph_default()", error);
    if (result != SINEW_OK) return result;
    sinewi_graph_problem problem;
    result = sinewi_graph_create_located(def, graph, &problem);
    if (result == SINEW_OK || result == SINEW_ERROR_OUT_OF_MEMORY)
        return result == SINEW_OK ? result : sinewi_fail_memory(error);
    if (problem.part == SINEWI_GRAPH_PART_WHOLE) return sinewi_fail(error, result, "graph: %s", problem.what);
    const char *part = parts[problem.part];
    if (problem.part == SINEWI_GRAPH_PART_CONDITION || problem.part == SINEWI_GRAPH_PART_STEP_CONDITION)
        return sinewi_fail(error, result, "%s[%d].when: column %d: %s", part, (int)problem.index,
                           (int)problem.column, problem.what);
    return sinewi_fail(error, result, "%s[%d]: %s", part, (int)problem.index, problem.what);
}

void sinew_graph_destroy(sinew_graph *graph) {
    if (!graph) return;
    sinew_allocator allocator = graph->data->allocator;
    sinewi_release(&allocator, graph, graph->memory, SINEWI_ALIGNMENT);
}
