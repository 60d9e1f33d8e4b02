// SPDX-License-Identifier: MIT
// Finds the values that a variable can have in the exploration. Conditions compare values with constants and with one
// another, and only compute negations. So it's enough to use all constants that related values are compared with, and
// between any two of them as many points as there are related values. This covers all orders that they can be in.
#include "graph/explorer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Lists ---------------------------------------------------------------------------------------------------------

static void add_value(graph_model *m, graph_values *values, double value) {
    if (values->count == values->capacity) {
        const int32_t capacity = values->capacity > 0 ? 2 * values->capacity : 16;
        double *items = graph_array(m, double, capacity);
        if (!items) return;
        if (values->count > 0) memcpy(items, values->items, (size_t)values->count * sizeof *items);
        values->items = items;
        values->capacity = capacity;
    }
    values->items[values->count++] = value == 0 ? 0 : value; // no -0
}

static int compare_values(const void *a, const void *b) {
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static void sort_values(graph_values *values) {
    if (values->count == 0) return;
    qsort(values->items, (size_t)values->count, sizeof *values->items, compare_values);
    int32_t count = 1;
    for (int32_t i = 1; i < values->count; i++) {
        if (values->items[i] != values->items[count - 1]) values->items[count++] = values->items[i];
    }
    values->count = count;
}

// ---- Relations -----------------------------------------------------------------------------------------------------

static bool is_comparison(sinew_condition_op op) {
    return op >= SINEW_CONDITION_EQUAL;
}

static bool is_number(const sinew_graph *graph, int32_t parameter) {
    const sinew_parameter_type type = graph->parameters[parameter].type;
    return type == SINEW_PARAMETER_FLOAT || type == SINEW_PARAMETER_INT || type == SINEW_PARAMETER_VECTOR2;
}

bool graph_read_operand(const sinew_graph *graph, const sinew_condition *condition, int32_t node, int32_t *value,
                        double *number, bool *negated) {
    *negated = false;
    *number = 0;
    *value = SINEW_GRAPH_NONE;
    while (condition->nodes[node].op == SINEW_CONDITION_NEGATE) {
        *negated = !*negated;
        node = condition->nodes[node].left;
    }
    const sinew_condition_node *n = &condition->nodes[node];
    switch (n->op) {
    case SINEW_CONDITION_NUMBER:
        *number = *negated ? -n->number : n->number;
        return true;
    case SINEW_CONDITION_PARAMETER:
        *value = n->index;
        return is_number(graph, n->index);
    case SINEW_CONDITION_PARAMETER_Y:
        *value = VALUE_Y + n->index;
        return true;
    case SINEW_CONDITION_TIME:
        *value = VALUE_TIME;
        return true;
    case SINEW_CONDITION_FRACTION:
        *value = VALUE_FRACTION;
        return true;
    case SINEW_CONDITION_ELAPSED:
        *value = VALUE_ELAPSED;
        return true;
    case SINEW_CONDITION_LOOPS:
        *value = VALUE_LOOPS;
        return true;
    case SINEW_CONDITION_CURVE:
        *value = VALUE_CURVE + n->index;
        return true;
    default:
        return false;
    }
}

static void relate(graph_explorer *e, int32_t left, int32_t right) {
    const int32_t from = e->related[right], to = e->related[left];
    for (int i = 0; i < VALUE_COUNT; i++) {
        if (e->related[i] == from) e->related[i] = to;
    }
    if (from != to) e->mirrored[to] = e->mirrored[to] || e->mirrored[from];
}

static void read_relations(graph_explorer *e, const sinew_condition *condition) {
    for (int32_t i = 0; i < condition->node_count; i++) {
        const sinew_condition_node *node = &condition->nodes[i];
        int32_t left, right;
        double number;
        bool left_negated, right_negated;
        if (!is_comparison(node->op)) continue;
        const sinew_graph *graph = e->m->graph;
        if (!graph_read_operand(graph, condition, node->left, &left, &number, &left_negated)) continue;
        if (!graph_read_operand(graph, condition, node->right, &right, &number, &right_negated)) continue;
        if (left == SINEW_GRAPH_NONE || right == SINEW_GRAPH_NONE) continue;
        relate(e, left, right);
        if (left_negated != right_negated) e->mirrored[e->related[left]] = true;
    }
}

// ---- Constants -----------------------------------------------------------------------------------------------------

// Adds the constants that values related to `value` are compared with.
static void add_constants(graph_explorer *e, graph_values *points, int32_t value,
                          const sinew_condition *condition) {
    const int32_t relation = e->related[value];
    e->search.steps += 1 + condition->node_count;
    for (int32_t i = 0; i < condition->node_count; i++) {
        const sinew_condition_node *node = &condition->nodes[i];
        int32_t left, right;
        double left_number, right_number;
        bool left_negated, right_negated;
        if (node->op == SINEW_CONDITION_PAST && e->related[VALUE_FRACTION] == relation) {
            add_value(e->m, points, node->number);
        }
        if (!is_comparison(node->op)) continue;
        const sinew_graph *graph = e->m->graph;
        if (!graph_read_operand(graph, condition, node->left, &left, &left_number, &left_negated)) continue;
        if (!graph_read_operand(graph, condition, node->right, &right, &right_number, &right_negated)) continue;
        if (left != SINEW_GRAPH_NONE && right == SINEW_GRAPH_NONE && e->related[left] == relation) {
            add_value(e->m, points, left_negated ? -right_number : right_number);
        }
        if (right != SINEW_GRAPH_NONE && left == SINEW_GRAPH_NONE && e->related[right] == relation) {
            add_value(e->m, points, right_negated ? -left_number : left_number);
        }
    }
}

typedef struct range {
    double min, max;
    bool integer;
} range;

static range range_of(const graph_explorer *e, int32_t value) {
    if (value == VALUE_FRACTION) return (range){0, 1, false};
    if (value >= VALUE_CURVE) return (range){(double)-INFINITY, (double)INFINITY, false};
    if (value >= VALUE_ELAPSED) return (range){0, (double)INFINITY, value == VALUE_LOOPS};
    const int32_t index = value % SINEW_MAX_GRAPH_PARAMETERS;
    if (index >= e->m->graph->parameter_count) return (range){0, 0, false};
    const sinew_graph_parameter *parameter = &e->m->graph->parameters[index];
    if (parameter->type != SINEW_PARAMETER_INT) return (range){parameter->min, parameter->max, false};
    return (range){fmax(ceil(parameter->min), INT32_MIN), fmin(floor(parameter->max), INT32_MAX), true};
}

// Returns how many values are related to one. A layer's path has several values of `elapsed`.
static int32_t relation_size(const graph_explorer *e, int32_t value) {
    return e->related_count[e->related[value]];
}

// ---- Points --------------------------------------------------------------------------------------------------------

static void add_points_between(graph_model *m, graph_values *points, double a, double b, int32_t count) {
    for (int32_t i = 1; i <= count; i++) {
        const double point = (double)(float)(a + (b - a) * i / (count + 1));
        if (point > a && point < b) add_value(m, points, point);
    }
}

static void add_points_outside(graph_model *m, graph_values *points, double end, double sign, int32_t count) {
    const double step = fmax(1, fabs(end));
    for (int32_t i = 1; i <= count; i++) {
        const double point = (double)(float)(end + sign * step * i);
        if (isfinite(point)) add_value(m, points, point);
    }
}

static void add_integers(graph_model *m, graph_values *points, int32_t count) {
    const int32_t fixed = points->count;
    for (int32_t i = 0; i < fixed; i++) {
        for (int32_t k = 1; k <= count; k++) {
            add_value(m, points, floor(points->items[i]) + k);
            add_value(m, points, ceil(points->items[i]) - k);
        }
    }
    sort_values(points);
}

static void add_mirrored(graph_model *m, graph_values *points) {
    add_value(m, points, 0);
    const int32_t count = points->count;
    for (int32_t i = 0; i < count; i++) add_value(m, points, -points->items[i]);
    sort_values(points);
}

// Writes all values that represent `value` in these transitions' conditions.
static void read_values(graph_explorer *e, graph_values *values, int32_t value, const int32_t *transitions,
                        int32_t transition_count) {
    graph_model *m = e->m;
    graph_values *points = &e->scratch[0];
    const int32_t relation = e->related[value], related = relation_size(e, value);
    const int32_t between = related <= MAX_RELATED ? related : 1;
    bool integers = false;
    points->count = 0;
    for (int32_t i = 0; i < transition_count; i++) {
        add_constants(e, points, value, &e->conditions[transitions[i]]);
    }
    for (int32_t i = 0; i < VALUE_COUNT; i++) {
        if (e->related[i] != relation) continue;
        const range r = range_of(e, i);
        if (isfinite(r.min)) add_value(m, points, r.min);
        if (isfinite(r.max)) add_value(m, points, r.max);
        integers = integers || r.integer;
    }
    if (points->count == 0) add_value(m, points, 0);
    if (m->out_of_memory) return;
    sort_values(points);
    if (e->mirrored[relation]) add_mirrored(m, points);
    if (integers) add_integers(m, points, between);

    const int32_t fixed = points->count;
    const double first = points->items[0], last = points->items[fixed - 1];
    for (int32_t i = 0; i + 1 < fixed; i++) {
        add_points_between(m, points, points->items[i], points->items[i + 1], between);
    }
    add_points_outside(m, points, first, -1, between);
    add_points_outside(m, points, last, 1, between);
    if (e->mirrored[relation]) add_mirrored(m, points);
    sort_values(points);

    const range r = range_of(e, value);
    values->count = 0;
    for (int32_t i = 0; i < points->count; i++) {
        const double point = points->items[i];
        if (point < r.min || point > r.max || (r.integer && point != floor(point))) continue;
        add_value(m, values, point);
    }
}

// ---- Layers --------------------------------------------------------------------------------------------------------

// What in_tag and in_state can tell apart.
typedef struct look {
    uint64_t tags;
    int32_t layer, state; // innermost state that a condition names
    int32_t leaf;
} look;

static look look_of(const graph_model *m, int32_t leaf) {
    look result = {.tags = m->path_tags[leaf], .layer = m->layers[leaf], .state = leaf, .leaf = leaf};
    while (result.state != SINEW_GRAPH_NONE && !m->in_conditions[result.state])
        result.state = m->parents[result.state];
    return result;
}

// Compares looks, which don't include the leaf itself.
static int compare_looks(const look *a, const look *b) {
    if (a->tags != b->tags) return a->tags < b->tags ? -1 : 1;
    if (a->layer != b->layer) return a->layer < b->layer ? -1 : 1;
    return (a->state > b->state) - (a->state < b->state);
}

static int compare_leaves(const void *a, const void *b) {
    const int order = compare_looks(a, b);
    if (order != 0) return order;
    return (((const look *)a)->leaf > ((const look *)b)->leaf) -
           (((const look *)a)->leaf < ((const look *)b)->leaf);
}

bool graph_read_looks(graph_explorer *e) {
    graph_model *m = e->m;
    const int32_t count = m->graph->state_count;
    look *sorted = graph_array(m, look, count);
    e->looks = graph_array(m, int32_t, count);
    e->look_seen = graph_array(m, int32_t, count);
    if (m->out_of_memory) return false;
    for (int32_t i = 0; i < count; i++) sorted[i] = look_of(m, i);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_leaves);
    for (int32_t i = 0, number = -1; i < count; i++) {
        if (i == 0 || compare_looks(&sorted[i - 1], &sorted[i]) != 0) number++;
        e->looks[sorted[i].leaf] = number;
    }
    return true;
}

static void read_layer_leaves(graph_explorer *e, int32_t layer) {
    graph_model *m = e->m;
    if (!e->layer_leaves[layer]) e->layer_leaves[layer] = graph_array(m, int32_t, m->graph->state_count);
    if (!e->layer_leaves[layer]) return;
    int32_t count = 0;
    e->look_count++;
    for (int32_t i = 0; i < m->graph->state_count; i++) {
        if (m->layers[i] != layer || m->graph->states[i].kind == SINEW_GRAPH_STATE_MACHINE) continue;
        if (!m->current[i] && layer != e->layer) continue;
        int32_t *seen = &e->look_seen[e->looks[i]];
        if (*seen == e->look_count) continue;
        *seen = e->look_count;
        e->layer_leaves[layer][count++] = i;
    }
    e->layer_leaf_counts[layer] = count;
}

void graph_read_layer_values(graph_explorer *e) {
    graph_model *m = e->m;
    const sinew_graph *graph = m->graph;
    for (int i = 0; i < VALUE_COUNT; i++) {
        e->related[i] = i;
        e->related_count[i] = 0;
        e->mirrored[i] = false;
    }
    for (int32_t i = 0; i < e->transitions.count; i++) {
        read_relations(e, &e->conditions[e->transitions.items[i]]);
    }
    e->undecided = false;
    for (int i = 0; i < VALUE_COUNT; i++) {
        if (++e->related_count[e->related[i]] > MAX_RELATED) e->undecided = true;
    }
    for (int i = 0; i < VALUE_ELAPSED; i++) {
        const int32_t parameter = i % SINEW_MAX_GRAPH_PARAMETERS;
        if (parameter >= graph->parameter_count || !is_number(graph, parameter)) continue;
        if (i >= VALUE_Y && graph->parameters[parameter].type != SINEW_PARAMETER_VECTOR2) continue;
        read_values(e, &e->parameters[i], i, e->transitions.items, e->transitions.count);
    }
    for (int32_t i = 0; i < graph->curve_count; i++)
        read_values(e, &e->curves[i], VALUE_CURVE + i, e->transitions.items, e->transitions.count);
    read_values(e, &e->fresh_times, VALUE_TIME, e->transitions.items, e->transitions.count);
    const bool reads_layers = m->reads_layers || e->layer == SINEW_GRAPH_NONE;
    for (int32_t i = 0; reads_layers && i < graph->layer_count; i++) read_layer_leaves(e, i);
    e->search.steps += graph->state_count;
}

// ---- Leaves --------------------------------------------------------------------------------------------------------

static void add_clip_value(graph_explorer *e, const graph_leaf *leaf, double fraction, double time) {
    for (int finished = 0; finished <= (leaf->can_finish ? 1 : 0); finished++) {
        if (finished && leaf->finishes_at_end && fraction < 1) continue;
        if (e->clip_value_count == e->clip_value_capacity) {
            const int32_t capacity = e->clip_value_capacity > 0 ? 2 * e->clip_value_capacity : 32;
            graph_clip_value *grown = graph_array(e->m, graph_clip_value, capacity);
            if (!grown) return;
            if (e->clip_value_count > 0) {
                memcpy(grown, e->clip_values, (size_t)e->clip_value_count * sizeof *grown);
            }
            e->clip_values = grown;
            e->clip_value_capacity = capacity;
        }
        e->clip_values[e->clip_value_count++] = (graph_clip_value){fraction, time, finished != 0};
    }
}

static double time_at(const graph_leaf *leaf, double fraction) {
    const double duration = (double)leaf->duration;
    return leaf->direction > 0 ? duration * fraction : duration * (1 - fraction);
}

// Finds a clip's fractions and times if its duration and direction are known. Each determines the other.
static void read_linked_values(graph_explorer *e, const graph_leaf *leaf) {
    const double duration = (double)leaf->duration;
    graph_values *all = &e->scratch[1];
    all->count = 0;
    for (int32_t i = 0; i < e->fractions.count; i++) add_value(e->m, all, e->fractions.items[i]);
    for (int32_t i = 0; i < e->times.count; i++) {
        const double part = e->times.items[i] / duration;
        if (part <= 1) add_value(e->m, all, leaf->direction > 0 ? part : 1 - part);
    }
    sort_values(all);
    const int32_t fixed = all->count;
    for (int32_t i = 0; i + 1 < fixed; i++) add_points_between(e->m, all, all->items[i], all->items[i + 1], 1);
    sort_values(all);
    for (int32_t i = 0; i < all->count; i++) {
        // The time for a constant is exactly that constant, without rounding.
        double time = time_at(leaf, all->items[i]);
        for (int32_t k = 0; k < e->times.count; k++) {
            if (fabs(time - e->times.items[k]) <= 1e-6 * duration) time = e->times.items[k];
        }
        add_clip_value(e, leaf, all->items[i], time);
    }
}

static bool is_linked(const graph_explorer *e, const graph_leaf *leaf) {
    return leaf->kind == SINEW_GRAPH_STATE_CLIP && leaf->duration > 0 && leaf->direction != 0 &&
           relation_size(e, VALUE_TIME) == 1 && relation_size(e, VALUE_FRACTION) == 1;
}

static void limit(graph_values *values, double max) {
    while (values->count > 1 && values->items[values->count - 1] > max) values->count--;
}

// Finds a word's values in one leaf. Constants in other leaves' conditions don't matter, unless the word is compared
// with parameters.
static void read_leaf_value(graph_explorer *e, graph_values *values, int32_t value, const graph_list *candidates) {
    const graph_list *list = relation_size(e, value) == 1 ? candidates : &e->transitions;
    read_values(e, values, value, list->items, list->count);
}

void graph_read_leaf_values(graph_explorer *e, int32_t index) {
    graph_model *m = e->m;
    const graph_leaf *leaf = &m->leaves[index];
    int32_t path[MAX_PATH], transition;
    const int32_t length = graph_path(m, index, path);
    graph_list list = {.items = e->candidates};
    graph_candidates it = {0};
    while ((transition = graph_next_candidate(m, path, length, &it)) != SINEW_GRAPH_NONE) {
        e->candidates[list.count++] = transition;
    }
    read_leaf_value(e, &e->elapsed, VALUE_ELAPSED, &list);
    read_leaf_value(e, &e->times, VALUE_TIME, &list);
    read_leaf_value(e, &e->loops, VALUE_LOOPS, &list);
    limit(&e->loops, leaf->max_loops);
    if (leaf->duration >= 0) {
        add_value(m, &e->times, (double)leaf->duration);
        sort_values(&e->times);
        limit(&e->times, (double)leaf->duration);
    }
    read_leaf_value(e, &e->fractions, VALUE_FRACTION, &list);
    e->clip_value_count = 0;
    if (is_linked(e, leaf)) {
        read_linked_values(e, leaf);
        return;
    }
    for (int32_t i = 0; i < e->fractions.count; i++) {
        if (leaf->duration != 0 || e->fractions.items[i] == 0) add_clip_value(e, leaf, e->fractions.items[i], -1);
    }
}
