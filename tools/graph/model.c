// SPDX-License-Identifier: MIT
// Finds how a graph's parts are related.
#include "graph/model.h"

#include <math.h>
#include <string.h>

// ---- Paths ---------------------------------------------------------------------------------------------------------

bool graph_is_in(const graph_model *m, int32_t state, int32_t outer) {
    while (state != outer && state != SINEW_GRAPH_NONE) state = m->parents[state];
    return state == outer;
}

int32_t graph_source(const graph_model *m, const sinew_graph_transition *t) {
    return t->from == SINEW_ANY_STATE ? sinew_graph_machine_state(m->graph, t->machine) : t->from;
}

int32_t graph_entry_leaf(const graph_model *m, int32_t state) {
    const sinew_graph_state *states = m->graph->states;
    while (states[state].kind == SINEW_GRAPH_STATE_MACHINE) {
        state = m->graph->machines[states[state].submachine].entry;
    }
    return state;
}

int32_t graph_path(const graph_model *m, int32_t leaf, int32_t path[MAX_PATH]) {
    int32_t length = 0;
    for (int32_t state = leaf; state != SINEW_GRAPH_NONE; state = m->parents[state]) length++;
    int32_t i = length;
    for (int32_t state = leaf; state != SINEW_GRAPH_NONE; state = m->parents[state]) path[--i] = state;
    return length;
}

// In steps 0 to n - 1, returns transitions from any state, starting with the outermost machine. In steps n to 2n - 1,
// returns transitions from the active states, starting with the leaf.
int32_t graph_next_candidate(const graph_model *m, const int32_t *path, int32_t path_length, graph_candidates *it) {
    for (; it->step < 2 * path_length; it->step++, it->next = 0) {
        const bool any = it->step < path_length;
        it->depth = any ? it->step : 2 * path_length - 1 - it->step;
        const int32_t state = path[it->depth];
        const graph_list *list = any ? &m->from_any[m->graph->states[state].machine] : &m->from_state[state];
        while (it->next < list->count) {
            const int32_t transition = list->items[it->next++];
            const sinew_graph_transition *t = &m->graph->transitions[transition];
            if (!any || t->to != state || t->to_self) return transition;
        }
    }
    return SINEW_GRAPH_NONE;
}

// ---- Lists of transitions ------------------------------------------------------------------------------------------

// Groups the transitions by `key`, which is below `key_count`. Ignores negative keys.
static graph_list *group(graph_model *m, int32_t key_count, int32_t (*key)(const sinew_graph_transition *)) {
    const sinew_graph *graph = m->graph;
    graph_list *lists = graph_array(m, graph_list, key_count);
    int32_t *items = graph_array(m, int32_t, graph->transition_count);
    int32_t *ends = graph_array(m, int32_t, key_count + 1);
    if (!lists || !items || !ends) return NULL;
    for (int32_t i = 0; i < graph->transition_count; i++) {
        const int32_t k = key(&graph->transitions[i]);
        if (k >= 0) ends[k + 1]++;
    }
    for (int32_t k = 0; k < key_count; k++) {
        lists[k].items = items + ends[k];
        ends[k + 1] += ends[k];
    }
    for (int32_t i = 0; i < graph->transition_count; i++) {
        const int32_t k = key(&graph->transitions[i]);
        if (k >= 0) items[ends[k] + lists[k].count++] = i;
    }
    return lists;
}

static int32_t machine_of_any(const sinew_graph_transition *t) {
    return t->from == SINEW_ANY_STATE ? t->machine : -1;
}

static int32_t state_of(const sinew_graph_transition *t) {
    return t->from; // SINEW_ANY_STATE is negative
}

// ---- Clips ---------------------------------------------------------------------------------------------------------

static const char *clip_name(const graph_model *m, int32_t index) {
    return m->clips->clips[index].name;
}

static const char *node_name(const graph_model *m, int32_t index) {
    return m->clips->skeleton->names[index];
}

static const char *curve_name(const graph_model *m, int32_t index) {
    return m->clips->skeleton->curve_names[index];
}

static uint64_t markers_of(const graph_model *m, const sinew_clip *clip) {
    uint64_t markers = 0;
    for (int32_t i = 0; i < m->graph->name_count && i < 64; i++) {
        for (int32_t k = 0; k < clip->marker_count; k++) {
            if (strcmp(clip->markers[k].name, m->graph->names[i]) == 0) markers |= UINT64_C(1) << i;
        }
    }
    return markers;
}

// Finds the roles that sinew_graph_bind would use. If the caller gives none, they're unknown unless the file is an
// avatar.
static void read_humanoid(graph_model *m) {
    const sinew_graph_binding_def *from = m->clips;
    const sinew_humanoid *of_asset = from->asset ? from->asset->humanoid : NULL;
    const sinew_humanoid *humanoid = from->humanoid ? from->humanoid : of_asset;
    m->knows_roles = humanoid != NULL;
    m->humanoid = humanoid ? *humanoid : sinew_humanoid_empty();
}

bool graph_is_role(const char *name) {
    return strncmp(name, SINEW_ROLE_PREFIX, sizeof SINEW_ROLE_PREFIX - 1) == 0;
}

static bool read_character(graph_model *m) {
    enum { COMPARISONS = 1 << 14 };
    m->comparisons = COMPARISONS;
    if (!m->clips) return true;
    read_humanoid(m);
    const sinew_skeleton *skeleton = m->clips->skeleton;
    if (!graph_index_names(m, &m->clip_names, m->clips->clip_count, clip_name) ||
        !graph_index_names(m, &m->node_names, skeleton->node_count, node_name) ||
        !graph_index_names(m, &m->curve_names, skeleton->curve_count, curve_name))
        return false;
    m->clip_markers = graph_array(m, uint64_t, m->clips->clip_count);
    if (!m->clip_markers) return false;
    for (int32_t i = 0; i < m->clips->clip_count; i++) m->clip_markers[i] = markers_of(m, &m->clips->clips[i]);
    return true;
}

const sinew_clip *graph_find_clip(const graph_model *m, const char *name) {
    const int32_t index = graph_find_name(&m->clip_names, name);
    if (index != SINEW_GRAPH_NONE) return &m->clips->clips[index];
    return m->clips->find_clip ? m->clips->find_clip(name, m->clips->user) : NULL;
}

static uint64_t markers_of_named(const graph_model *m, const sinew_clip *clip, const char *name) {
    const int32_t index = graph_find_name(&m->clip_names, name);
    return index != SINEW_GRAPH_NONE ? m->clip_markers[index] : markers_of(m, clip);
}

// Adds a leaf's clip. A missing clip is a finding. It may have any markers and duration.
static void add_clip(const graph_model *m, graph_leaf *leaf, const char *name, bool first) {
    const sinew_clip *clip = m->clips ? graph_find_clip(m, name) : NULL;
    leaf->markers |= clip ? markers_of_named(m, clip, name) : UINT64_MAX;
    if (!clip || (!first && leaf->duration < 0)) {
        leaf->duration = -1;
    } else {
        leaf->duration = fmaxf(leaf->duration, clip->duration);
    }
}

static int direction_of(const graph_model *m, const sinew_graph_state *state) {
    const int sign = state->speed < 0 ? -1 : 1;
    if (state->speed_parameter == SINEW_GRAPH_NONE) return sign;
    return sign > 0 && m->graph->parameters[state->speed_parameter].min >= 0 ? 1 : 0;
}

static void read_leaf(const graph_model *m, int32_t index) {
    const sinew_graph_state *state = &m->graph->states[index];
    graph_leaf *leaf = &m->leaves[index];
    *leaf = (graph_leaf){.kind = state->kind, .direction = 1};
    if (state->kind == SINEW_GRAPH_STATE_BLEND_SPACE) {
        leaf->can_loop = true;
        leaf->max_loops = INT32_MAX;
        leaf->direction = direction_of(m, state);
        for (int32_t i = 0; i < state->blend->sample_count; i++) {
            add_clip(m, leaf, state->blend->samples[i].clip, i == 0);
            if (state->blend->samples[i].speed < 0) leaf->direction = 0;
        }
    } else if (state->kind == SINEW_GRAPH_STATE_CLIP) {
        const bool once = state->loop == SINEW_LOOP_ONCE, for_ever = !once && state->loop_count == SINEW_FOREVER;
        leaf->can_loop = !once;
        leaf->can_finish = !for_ever;
        leaf->max_loops = once ? 1 : for_ever ? INT32_MAX : state->loop_count;
        leaf->direction = direction_of(m, state);
        add_clip(m, leaf, state->clip, true);
        leaf->finishes_at_end = once && leaf->direction != 0 && leaf->duration != 0;
    }
}

// ---- States --------------------------------------------------------------------------------------------------------

static void read_states(graph_model *m) {
    const sinew_graph *graph = m->graph;
    for (int32_t i = 0; i < graph->state_count; i++) {
        m->parents[i] = sinew_graph_machine_state(graph, graph->states[i].machine);
        m->layers[i] = sinew_graph_state_layer(graph, i);
        m->machine_layers[graph->states[i].machine] = m->layers[i];
        if (graph->states[i].kind != SINEW_GRAPH_STATE_MACHINE) read_leaf(m, i);
    }
    for (int32_t i = 0; i < graph->state_count; i++) {
        for (int32_t state = i; state != SINEW_GRAPH_NONE; state = m->parents[state]) {
            for (int32_t k = 0; k < graph->states[state].tag_count; k++) {
                const int32_t tag = sinew_graph_find_tag(graph, graph->states[state].tags[k]);
                m->path_tags[i] |= UINT64_C(1) << tag;
            }
        }
    }
}

// ---- Leaves --------------------------------------------------------------------------------------------------------

static void add_leaf(graph_inside *inside, const graph_leaf *leaf) {
    inside->leaves++;
    inside->clips += leaf->kind == SINEW_GRAPH_STATE_CLIP;
    inside->blend_spaces += leaf->kind == SINEW_GRAPH_STATE_BLEND_SPACE;
    inside->can_finish += leaf->can_finish;
    inside->markers |= leaf->markers;
}

void graph_sum_up(graph_model *m, bool entered_only) {
    const sinew_graph *graph = m->graph;
    memset(m->inside, 0, ((size_t)graph->state_count + (size_t)graph->layer_count) * sizeof *m->inside);
    for (int32_t i = 0; i < graph->state_count; i++) {
        if (graph->states[i].kind == SINEW_GRAPH_STATE_MACHINE || (entered_only && !m->entered[i])) continue;
        for (int32_t s = i; s != SINEW_GRAPH_NONE; s = m->parents[s]) add_leaf(&m->inside[s], &m->leaves[i]);
        add_leaf(&m->inside[graph->state_count + m->layers[i]], &m->leaves[i]);
    }
}

const graph_inside *graph_inside_of(const graph_model *m, int32_t layer, int32_t outer) {
    return &m->inside[outer == SINEW_GRAPH_NONE ? m->graph->state_count + layer : outer];
}

// ---- Conditions ----------------------------------------------------------------------------------------------------

// Returns the markers that no clip has in the states that a transition starts from, if one of them plays a clip.
static uint64_t absent_markers(const graph_model *m, const sinew_graph_transition *t) {
    const graph_inside *inside = graph_inside_of(m, m->machine_layers[t->machine], graph_source(m, t));
    return inside->clips + inside->blend_spaces > 0 ? ~inside->markers : 0;
}

static void read_conditions(graph_model *m) {
    for (int32_t i = 0; i < m->graph->transition_count; i++) {
        const sinew_condition *condition = &m->graph->conditions[i];
        for (int32_t k = 0; k < condition->node_count; k++) {
            const sinew_condition_node *node = &condition->nodes[k];
            if (node->op == SINEW_CONDITION_IN_STATE) m->in_conditions[node->index] = true;
            if (node->op == SINEW_CONDITION_IN_STATE || node->op == SINEW_CONDITION_IN_TAG) m->reads_layers = true;
            if (node->op == SINEW_CONDITION_MARKER && m->absent_markers[i] == 0) {
                m->absent_markers[i] = absent_markers(m, &m->graph->transitions[i]);
            }
        }
    }
    for (int32_t i = 0; i < m->graph->step_count; i++) {
        const sinew_condition *condition = &m->graph->step_conditions[i];
        for (int32_t k = 0; k < condition->node_count; k++) {
            if (condition->nodes[k].op == SINEW_CONDITION_IN_STATE)
                m->in_conditions[condition->nodes[k].index] = true;
        }
    }
}

bool graph_read_model(graph_model *m) {
    const sinew_graph *graph = m->graph;
    const int32_t states = graph->state_count, transitions = graph->transition_count;
    m->parents = graph_array(m, int32_t, states);
    m->layers = graph_array(m, int32_t, states);
    m->machine_layers = graph_array(m, int32_t, graph->machine_count);
    m->path_tags = graph_array(m, uint64_t, states);
    m->leaves = graph_array(m, graph_leaf, states);
    m->inside = graph_array(m, graph_inside, states + graph->layer_count);
    m->in_conditions = graph_array(m, bool, states);
    m->entered = graph_array(m, bool, states);
    m->current = graph_array(m, bool, states);
    m->absent_markers = graph_array(m, uint64_t, transitions);
    m->taken = graph_array(m, bool, transitions);
    m->can_be_true = graph_array(m, bool, transitions);
    m->can_be_false = graph_array(m, bool, transitions);
    m->shadowed_by = graph_array(m, int32_t, transitions);
    m->cycles = graph_array(m, graph_cycle, MAX_CYCLES);
    m->from_any = group(m, graph->machine_count, machine_of_any);
    m->from_state = group(m, states, state_of);
    if (m->out_of_memory || !read_character(m)) return false;
    for (int32_t i = 0; i < transitions; i++) m->shadowed_by[i] = SINEW_GRAPH_NONE;
    read_states(m);
    graph_sum_up(m, false);
    read_conditions(m);
    return true;
}
