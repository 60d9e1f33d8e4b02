// SPDX-License-Identifier: MIT
// Compares the clips, markers, nodes, curves and blend spaces in a graph with a character's clips.
#include "graph/model.h"

#include <stdio.h>
#include <string.h>

// ---- The nearest name ----------------------------------------------------------------------------------------------

enum { MAX_NAME = 64 };

static int32_t least(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static int lower(char c) {
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

// Returns how many letters to insert, delete or replace, ignoring case.
static int32_t distance(const char *a, const char *b) {
    int32_t row[MAX_NAME + 1];
    const int32_t a_length = (int32_t)strlen(a), b_length = (int32_t)strlen(b);
    if (a_length > MAX_NAME || b_length > MAX_NAME) return INT32_MAX;
    for (int32_t k = 0; k <= b_length; k++) row[k] = k;
    for (int32_t i = 1; i <= a_length; i++) {
        int32_t diagonal = row[0];
        row[0] = i;
        for (int32_t k = 1; k <= b_length; k++) {
            const int32_t replaced = diagonal + (lower(a[i - 1]) != lower(b[k - 1]));
            diagonal = row[k];
            row[k] = least(replaced, least(row[k], row[k - 1]) + 1);
        }
    }
    return row[b_length];
}

typedef struct nearest {
    const char *wanted, *name;
    int32_t distance;
} nearest;

// Compares one name. If there are very many, only the first are compared.
static void compare_name(graph_model *m, nearest *n, const char *name) {
    if (m->comparisons == 0) return;
    m->comparisons--;
    const int32_t d = distance(n->wanted, name);
    if (d > (int32_t)strlen(n->wanted) / 2 || (n->name && d >= n->distance)) return;
    n->name = name;
    n->distance = d;
}

// Returns a sentence with the name that was probably meant.
static const char *advice(graph_model *m, const nearest *n, const char *otherwise) {
    return n->name ? graph_text(m, "Did you mean '%.200s'?", n->name) : otherwise;
}

// ---- Clips ---------------------------------------------------------------------------------------------------------

static const char *clip_advice(graph_model *m, const char *name) {
    nearest n = {.wanted = name};
    for (int32_t i = 0; m->comparisons > 0 && i < m->clips->clip_count; i++)
        compare_name(m, &n, m->clips->clips[i].name);
    return advice(m, &n, "Add the clip to the file, or use one that's already there.");
}

// Returns whether the file has the clip. If not, adds a finding.
bool graph_check_clip(graph_model *m, graph_finding finding, const char *name) {
    if (graph_find_clip(m, name)) return true;
    finding.message = graph_text(m, "The file doesn't have a clip named '%.200s'.", name);
    finding.advice = clip_advice(m, name);
    graph_add(m, &finding);
    return false;
}

static void check_blend(graph_model *m, int32_t state) {
    const sinew_graph_blend *blend = m->graph->states[state].blend;
    sinew_blend_sample *samples = graph_array(m, sinew_blend_sample, blend->sample_count);
    bool complete = samples != NULL;
    for (int32_t i = 0; samples && i < blend->sample_count; i++) {
        const sinew_graph_sample *sample = &blend->samples[i];
        complete &= graph_check_clip(m, graph_about_state(m, GRAPH_CLIP_MISSING, state), sample->clip);
        samples[i] = (sinew_blend_sample){
            .clip = graph_find_clip(m, sample->clip), .x = sample->x, .y = sample->y, .speed = sample->speed};
    }
    if (!complete) return;
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = m->clips->skeleton;
    def.kind = blend->kind;
    def.sample_count = blend->sample_count;
    def.samples = samples;
    def.sync_names = m->graph->sync_names;
    def.sync_name_count = m->graph->sync_name_count;
    def.damping = blend->damping;
    def.match_speed = blend->match_speed;
    if (blend->match_speed) {
        def.min_rate = blend->min_rate;
        def.max_rate = blend->max_rate;
    }
    sinew_blend_space *space;
    sinew_error error;
    const sinew_result result = sinew_blend_space_create(&def, &space, &error);
    sinew_blend_space_destroy(space);
    if (result == SINEW_OK) return;
    if (result == SINEW_ERROR_OUT_OF_MEMORY) m->out_of_memory = true;
    graph_finding finding = graph_about_state(m, GRAPH_BLEND_SPACE_REFUSED, state);
    finding.message = graph_text(m, "The blend space cannot be created: %s.", error.message);
    finding.advice = "Move, add or remove samples.";
    graph_add(m, &finding);
}

static void check_clips(graph_model *m) {
    for (int32_t i = 0; i < m->graph->state_count; i++) {
        const sinew_graph_state *state = &m->graph->states[i];
        if (state->kind == SINEW_GRAPH_STATE_CLIP) {
            graph_check_clip(m, graph_about_state(m, GRAPH_CLIP_MISSING, i), state->clip);
        } else if (state->kind == SINEW_GRAPH_STATE_BLEND_SPACE) {
            check_blend(m, i);
        }
    }
}

// ---- Curves --------------------------------------------------------------------------------------------------------

// Adds a finding if the skeleton lacks a curve. `use` comes before the name and says what uses it; `more` comes after.
void graph_check_curve(graph_model *m, graph_finding finding, const char *name, const char *use, const char *more) {
    const sinew_skeleton *skeleton = m->clips->skeleton;
    if (graph_find_name(&m->curve_names, name) != SINEW_GRAPH_NONE) return;
    nearest n = {.wanted = name};
    for (int32_t i = 0; m->comparisons > 0 && i < skeleton->curve_count; i++)
        compare_name(m, &n, skeleton->curve_names[i]);
    finding.message = graph_text(m, "%she file doesn't have a curve named '%.200s'%s.", use, name, more);
    finding.advice = advice(m, &n, "Add the curve to a clip, or use one that's already in the file.");
    graph_add(m, &finding);
}

void graph_check_condition_curves(graph_model *m, graph_finding finding, const sinew_condition *condition) {
    for (int32_t i = 0; i < condition->node_count; i++) {
        const sinew_condition_node *node = &condition->nodes[i];
        if (node->op != SINEW_CONDITION_CURVE) continue;
        graph_check_curve(m, finding, m->graph->curves[node->index],
                          graph_text(m, "Column %d: t", (int)node->column), "");
    }
}

static void check_curves_of_conditions(graph_model *m) {
    for (int32_t i = 0; i < m->graph->transition_count; i++)
        graph_check_condition_curves(m, graph_about_transition(m, GRAPH_CURVE_MISSING, i),
                                     &m->graph->conditions[i]);
}

// ---- Nodes ---------------------------------------------------------------------------------------------------------

static int32_t check_role(graph_model *m, graph_finding finding, const char *text, const char *user) {
    const int32_t role = sinew_humanoid_find_role(text);
    const int32_t node = role == SINEW_NO_ROLE ? SINEW_NO_NODE : sinew_humanoid_node_of(&m->humanoid, role);
    if (node != SINEW_NO_NODE || (role != SINEW_NO_ROLE && !m->knows_roles)) return node;
    nearest n = {.wanted = text};
    for (int32_t i = 0; role == SINEW_NO_ROLE && i < SINEW_HUMANOID_ROLE_COUNT; i++)
        compare_name(m, &n, sinew_humanoid_role_name(i));
    const char *what = role == SINEW_NO_ROLE ? "but it doesn't exist" : "but no node in the file has it";
    finding.message = graph_text(m, "%s uses the role '%.200s', %s.", user, text, what);
    finding.advice = advice(m, &n, "Name a node instead. `sinew humanoid` prints the roles of a file.");
    graph_add(m, &finding);
    return SINEW_NO_NODE;
}

int32_t graph_check_node(graph_model *m, graph_finding finding, const char *name, const char *user) {
    const sinew_skeleton *skeleton = m->clips->skeleton;
    if (graph_is_role(name)) return check_role(m, finding, name + sizeof SINEW_ROLE_PREFIX - 1, user);
    const int32_t node = graph_find_name(&m->node_names, name);
    if (node != SINEW_GRAPH_NONE) return node;
    nearest n = {.wanted = name};
    for (int32_t i = 0; m->comparisons > 0 && i < skeleton->node_count; i++)
        compare_name(m, &n, skeleton->names[i]);
    finding.message = graph_text(m, "%s uses the node '%.200s', which isn't in the file.", user, name);
    finding.advice = advice(m, &n, "Use a node that's in the file.");
    graph_add(m, &finding);
    return SINEW_NO_NODE;
}

// ---- Layers --------------------------------------------------------------------------------------------------------

static void check_part(graph_model *m, int32_t layer, const sinew_mask_part *part) {
    if (part->curve) {
        graph_check_curve(m, graph_about_layer(m, GRAPH_CURVE_MISSING, layer), part->name, "T",
                          ", which the mask uses");
    } else {
        graph_check_node(m, graph_about_layer(m, GRAPH_NODE_MISSING, layer), part->name, "The mask");
    }
}

static void check_layers(graph_model *m) {
    for (int32_t i = 0; i < m->graph->layer_count; i++) {
        const sinew_graph_layer *layer = &m->graph->layers[i];
        for (int32_t k = 0; k < layer->part_count; k++) check_part(m, i, &layer->parts[k]);
        if (layer->weight_curve)
            graph_check_curve(m, graph_about_layer(m, GRAPH_CURVE_MISSING, i), layer->weight_curve, "T",
                              ", which weightCurve uses");
        if (layer->reference) graph_check_clip(m, graph_about_layer(m, GRAPH_CLIP_MISSING, i), layer->reference);
    }
}

// ---- Markers -------------------------------------------------------------------------------------------------------

static void compare_markers(graph_model *m, nearest *n, const char *clip_name) {
    const sinew_clip *clip = graph_find_clip(m, clip_name);
    for (int32_t i = 0; clip && m->comparisons > 0 && i < clip->marker_count; i++)
        compare_name(m, n, clip->markers[i].name);
}

// Compares with the markers of the states that a transition starts from.
static void compare_markers_of(graph_model *m, nearest *n, const sinew_graph_transition *t) {
    const int32_t outer = graph_source(m, t);
    for (int32_t i = 0; m->comparisons > 0 && i < m->graph->state_count; i++) {
        const sinew_graph_state *state = &m->graph->states[i];
        m->comparisons--;
        if (m->layers[i] != m->machine_layers[t->machine] || !graph_is_in(m, i, outer)) continue;
        if (state->kind == SINEW_GRAPH_STATE_CLIP) compare_markers(m, n, state->clip);
        if (state->kind != SINEW_GRAPH_STATE_BLEND_SPACE) continue;
        for (int32_t k = 0; k < state->blend->sample_count; k++)
            compare_markers(m, n, state->blend->samples[k].clip);
    }
}

static void check_markers(graph_model *m) {
    for (int32_t i = 0; i < m->graph->transition_count; i++) {
        const sinew_condition *condition = &m->graph->conditions[i];
        for (int32_t k = 0; k < condition->node_count; k++) {
            const sinew_condition_node *node = &condition->nodes[k];
            if (node->op != SINEW_CONDITION_MARKER || !(m->absent_markers[i] >> node->index & 1)) continue;
            nearest n = {.wanted = m->graph->names[node->index]};
            compare_markers_of(m, &n, &m->graph->transitions[i]);
            graph_finding finding = graph_about_transition(m, GRAPH_MARKER_MISSING, i);
            finding.message = graph_text(m, "Column %d: none of the state's clips have a marker named '%.200s'.",
                                         (int)node->column, n.wanted);
            finding.advice = advice(m, &n, "Add the marker to the clip, or wait for `past` or `finished`.");
            graph_add(m, &finding);
        }
    }
}

void graph_check_names(graph_model *m) {
    if (!m->clips) return;
    check_clips(m);
    check_layers(m);
    check_markers(m);
    check_curves_of_conditions(m);
}
