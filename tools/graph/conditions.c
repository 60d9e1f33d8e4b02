// SPDX-License-Identifier: MIT
// Evaluates conditions in one run of the exploration.
#include "graph/explorer.h"

// What a condition reads. It starts with the state that its transition leaves.
typedef struct reader {
    graph_explorer *e;
    const graph_frame *frame;
    const sinew_condition *condition;
    const graph_leaf *leaf;
    int32_t transition, depth;
    bool fresh; // the leaf was entered in this frame
} reader;

static double pick(reader *r, int32_t variable, const graph_values *values) {
    return values->items[graph_choose(&r->e->search, variable, values->count)];
}

static double parameter(reader *r, int32_t index, int32_t value) {
    const sinew_parameter_type type = r->e->m->graph->parameters[index].type;
    if (type == SINEW_PARAMETER_TRIGGER && r->frame->consumed >> index & 1) return 0;
    if (type == SINEW_PARAMETER_TRIGGER || type == SINEW_PARAMETER_BOOL) {
        return graph_choose(&r->e->search, index, 2);
    }
    return pick(r, value, &r->e->parameters[value]);
}

// ---- The clip ------------------------------------------------------------------------------------------------------

static const graph_clip_value *clip_value(reader *r) {
    return &r->e->clip_values[graph_choose(&r->e->search, VARIABLE_CLIP, r->e->clip_value_count)];
}

static bool has_start(const reader *r) {
    return r->leaf->kind == SINEW_GRAPH_STATE_CLIP && r->leaf->duration != 0; // blend spaces ignore the offset
}

static double fraction(reader *r) {
    if (r->leaf->kind == SINEW_GRAPH_STATE_EMPTY) return 0;
    if (!r->fresh) return clip_value(r)->fraction;
    return has_start(r) ? (double)r->frame->offset : 0;
}

static double fresh_time(reader *r) {
    const float offset = r->frame->offset, duration = r->leaf->duration;
    if (!has_start(r) || (r->leaf->direction > 0 && offset == 0)) return 0;
    if (r->leaf->direction == 0 || duration < 0) return pick(r, VARIABLE_FRESH_TIME, &r->e->fresh_times);
    return (double)(r->leaf->direction > 0 ? offset * duration : duration - offset * duration);
}

static double time(reader *r) {
    if (r->leaf->kind == SINEW_GRAPH_STATE_EMPTY) return 0;
    if (r->fresh) return fresh_time(r);
    const double linked = r->e->clip_values[0].time < 0 ? -1 : clip_value(r)->time;
    return linked >= 0 ? linked : pick(r, VARIABLE_TIME, &r->e->times);
}

static bool finished(reader *r) {
    return r->leaf->can_finish && !r->fresh && clip_value(r)->finished;
}

static bool past(reader *r, double number) {
    if (r->leaf->kind == SINEW_GRAPH_STATE_EMPTY) return false;
    if (fraction(r) >= number) return true;
    return r->leaf->can_loop && !r->fresh && graph_choose(&r->e->search, VARIABLE_LOOPED, 2) > 0;
}

static double loops(reader *r) {
    if (r->leaf->kind == SINEW_GRAPH_STATE_EMPTY || r->fresh) return 0;
    return pick(r, VARIABLE_LOOPS, &r->e->loops);
}

static bool marker(reader *r, int32_t index) {
    const uint64_t possible = r->leaf->markers | r->e->m->absent_markers[r->transition];
    if (r->leaf->kind == SINEW_GRAPH_STATE_EMPTY || r->fresh || !(possible >> (index & 63) & 1)) return false;
    return graph_choose(&r->e->search, VARIABLE_MARKER + (index & 63), 2) > 0;
}

static double elapsed(reader *r) {
    return r->depth >= r->frame->fresh_depth ? 0 : pick(r, VARIABLE_ELAPSED + r->depth, &r->e->elapsed);
}

// ---- Layers --------------------------------------------------------------------------------------------------------

// Returns a layer's leaf when the frame began.
static int32_t leaf_of(reader *r, int32_t layer) {
    const graph_explorer *e = r->e;
    if (layer == e->layer && !e->loose) return r->frame->start;
    return e->layer_leaves[layer][graph_choose(&r->e->search, VARIABLE_LAYER + layer, e->layer_leaf_counts[layer])];
}

static bool in_tag(reader *r, int32_t tag) {
    const graph_model *m = r->e->m;
    const int32_t count = m->graph->layer_count, first = r->e->layer == SINEW_GRAPH_NONE ? 0 : r->e->layer;
    for (int32_t i = 0; i < count; i++) {
        if (m->path_tags[leaf_of(r, (first + i) % count)] >> tag & 1) return true;
    }
    return false;
}

static bool in_state(reader *r, int32_t state) {
    return graph_is_in(r->e->m, leaf_of(r, r->e->m->layers[state]), state);
}

// ---- Operations ----------------------------------------------------------------------------------------------------

// Returns whether so many values are compared with one another that not all their orders are represented.
static bool is_undecided(const reader *r, const sinew_condition_node *node) {
    int32_t left, right;
    double number;
    bool negated;
    const sinew_graph *graph = r->e->m->graph;
    if (!graph_read_operand(graph, r->condition, node->left, &left, &number, &negated)) return false;
    if (!graph_read_operand(graph, r->condition, node->right, &right, &number, &negated)) return false;
    if (left == SINEW_GRAPH_NONE || right == SINEW_GRAPH_NONE) return false;
    return r->e->related_count[r->e->related[left]] > MAX_RELATED;
}

static double value_of(reader *r, int32_t index);

static bool compare(reader *r, const sinew_condition_node *node) {
    if (is_undecided(r, node)) return graph_choose(&r->e->search, VARIABLE_FREE, 2) > 0;
    const double left = value_of(r, node->left), right = value_of(r, node->right);
    switch (node->op) {
    case SINEW_CONDITION_EQUAL:
        return left == right;
    case SINEW_CONDITION_NOT_EQUAL:
        return left != right;
    case SINEW_CONDITION_LESS:
        return left < right;
    case SINEW_CONDITION_LESS_EQUAL:
        return left <= right;
    case SINEW_CONDITION_GREATER:
        return left > right;
    default:
        return left >= right;
    }
}

// Evaluates a node. Doesn't read operands that don't matter, because that would give them values.
static double value_of(reader *r, int32_t index) {
    const sinew_condition_node *node = &r->condition->nodes[index];
    r->e->search.steps++;
    switch (node->op) {
    case SINEW_CONDITION_NUMBER:
        return node->number;
    case SINEW_CONDITION_PARAMETER:
        return parameter(r, node->index, node->index);
    case SINEW_CONDITION_PARAMETER_Y:
        return parameter(r, node->index, VALUE_Y + node->index);
    case SINEW_CONDITION_TIME:
        return time(r);
    case SINEW_CONDITION_FRACTION:
        return fraction(r);
    case SINEW_CONDITION_ELAPSED:
        return elapsed(r);
    case SINEW_CONDITION_LOOPS:
        return loops(r);
    case SINEW_CONDITION_CURVE:
        return pick(r, VARIABLE_CURVE + node->index, &r->e->curves[node->index]);
    case SINEW_CONDITION_FINISHED:
        return finished(r);
    case SINEW_CONDITION_PAST:
        return past(r, node->number);
    case SINEW_CONDITION_MARKER:
        return marker(r, node->index);
    case SINEW_CONDITION_IN_TAG:
        return in_tag(r, node->index);
    case SINEW_CONDITION_IN_STATE:
        return in_state(r, node->index);
    case SINEW_CONDITION_NOT:
        return value_of(r, node->left) == 0;
    case SINEW_CONDITION_NEGATE:
        return -value_of(r, node->left);
    case SINEW_CONDITION_AND:
        return value_of(r, node->left) != 0 && value_of(r, node->right) != 0;
    case SINEW_CONDITION_OR:
        return value_of(r, node->left) != 0 || value_of(r, node->right) != 0;
    default:
        return compare(r, node);
    }
}

bool graph_is_true(graph_explorer *e, const graph_frame *frame, int32_t transition, int32_t depth) {
    const sinew_condition *condition = &e->conditions[transition];
    if (condition->node_count == 0) return true;
    reader r = {.e = e, .frame = frame, .condition = condition, .transition = transition, .depth = depth};
    r.leaf = &e->m->leaves[frame->path[frame->length - 1]];
    r.fresh = frame->fresh_depth < frame->length;
    return value_of(&r, condition->node_count - 1) != 0;
}

bool graph_step_is_true(graph_explorer *e, int32_t step) {
    const sinew_condition *condition = &e->conditions[step];
    if (condition->node_count == 0) return true;
    static const graph_frame no_frame; // steps don't have a state
    static const graph_leaf no_leaf;
    reader r = {.e = e, .frame = &no_frame, .condition = condition, .leaf = &no_leaf};
    return value_of(&r, condition->node_count - 1) != 0;
}
