// SPDX-License-Identifier: MIT
// Evaluates conditions: one pass over the operations, each of which finds its operands computed. It leaves out the right
// operand of an AND or OR that the left one decides.
//
// Values are doubles, and only comparisons, negation and constants produce them: all machines compute the same bits.
#include "graph/condition.h"

#include "core/float_rules.h"

static bool has_bit(uint64_t bits, int32_t index) {
    return bits >> index & 1;
}

void sinew_condition_link(sinew_condition_node *nodes, int32_t node_count) {
    for (int32_t i = 0; i < node_count; i++) nodes[i].decides = SINEW_GRAPH_NONE;
    for (int32_t i = 0; i < node_count; i++) {
        bool is_logic = nodes[i].op == SINEW_CONDITION_AND || nodes[i].op == SINEW_CONDITION_OR;
        if (is_logic) nodes[nodes[i].left].decides = i;
    }
}

// The value of one operation; `values` has those of its operands.
static double value_of_node(const sinew_condition_node *node, const double *values,
                            const sinew_condition_input *input) {
    switch (node->op) {
    case SINEW_CONDITION_NUMBER:
        return node->number;
    case SINEW_CONDITION_PARAMETER:
        return input->parameters[node->index][0];
    case SINEW_CONDITION_PARAMETER_Y:
        return input->parameters[node->index][1];
    case SINEW_CONDITION_TIME:
        return input->time;
    case SINEW_CONDITION_FRACTION:
        return input->fraction;
    case SINEW_CONDITION_ELAPSED:
        return input->elapsed;
    case SINEW_CONDITION_LOOPS:
        return input->loops;
    case SINEW_CONDITION_FINISHED:
        return input->finished;
    case SINEW_CONDITION_PAST:
        return input->looped || input->fraction >= node->number;
    case SINEW_CONDITION_MARKER:
        return has_bit(input->markers, node->index);
    case SINEW_CONDITION_IN_TAG:
        return has_bit(input->tags, node->index);
    case SINEW_CONDITION_IN_STATE:
        return has_bit(input->active[node->index / 64], node->index % 64);
    case SINEW_CONDITION_NOT:
        return values[node->left] == 0.0;
    case SINEW_CONDITION_NEGATE:
        return -values[node->left];
    case SINEW_CONDITION_AND: // its left operand is true, or would have decided
    case SINEW_CONDITION_OR:  // its left operand is false
        return values[node->right];
    case SINEW_CONDITION_EQUAL:
        return values[node->left] == values[node->right];
    case SINEW_CONDITION_NOT_EQUAL:
        return values[node->left] != values[node->right];
    case SINEW_CONDITION_LESS:
        return values[node->left] < values[node->right];
    case SINEW_CONDITION_LESS_EQUAL:
        return values[node->left] <= values[node->right];
    case SINEW_CONDITION_GREATER:
        return values[node->left] > values[node->right];
    case SINEW_CONDITION_GREATER_EQUAL:
        return values[node->left] >= values[node->right];
    }
    return 0.0;
}

bool sinew_condition_is_true(const sinew_condition *condition, const sinew_condition_input *input) {
    if (condition->node_count == 0) return true;
    double values[SINEW_MAX_CONDITION_NODES];
    const sinew_condition_node *node = condition->nodes;
    int32_t last = condition->node_count - 1;
    for (int32_t i = 0;; i++, node++) {
        double value = value_of_node(node, values, input);
        // A false operand decides AND, a true one OR: the right operand is not evaluated.
        while (node->decides >= 0) {
            const sinew_condition_node *logic = &condition->nodes[node->decides];
            if ((value != 0.0) != (logic->op == SINEW_CONDITION_OR)) break;
            i = node->decides;
            node = logic;
        }
        if (i == last) return value != 0.0;
        values[i] = value;
    }
}

uint64_t sinew_condition_triggers(const sinew_condition *condition, const sinew_graph *graph) {
    uint64_t triggers = 0;
    for (int32_t i = 0; i < condition->node_count; i++) {
        const sinew_condition_node *node = &condition->nodes[i];
        if (node->op != SINEW_CONDITION_PARAMETER) continue;
        if (graph->parameters[node->index].type != SINEW_PARAMETER_TRIGGER) continue;
        triggers |= UINT64_C(1) << node->index;
    }
    return triggers;
}

uint8_t sinew_condition_reads(const sinew_condition *condition) {
    uint8_t reads = 0;
    for (int32_t i = 0; i < condition->node_count; i++) {
        sinew_condition_op op = condition->nodes[i].op;
        if (op == SINEW_CONDITION_TIME || op == SINEW_CONDITION_FRACTION || op == SINEW_CONDITION_PAST)
            reads |= SINEW_CONDITION_READS_TIME;
        if (op == SINEW_CONDITION_LOOPS) reads |= SINEW_CONDITION_READS_LOOPS;
        if (op == SINEW_CONDITION_FINISHED) reads |= SINEW_CONDITION_READS_FINISHED;
    }
    return reads;
}
