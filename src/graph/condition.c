// SPDX-License-Identifier: MIT
// Evaluates conditions: one pass over the operations, each of which finds its operands computed.
//
// Values are doubles, and only comparisons, negation and constants produce them: all machines compute the same bits.
#include "graph/condition.h"

#include "core/float_rules.h"

static bool has_bit(uint64_t bits, int32_t index) {
    return bits >> index & 1;
}

// The value of an operation without operands.
static double read_value(const sinew_condition_node *node, const sinew_condition_input *input) {
    switch (node->op) {
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
    default:
        return node->number;
    }
}

static double combine(sinew_condition_op op, double left, double right) {
    switch (op) {
    case SINEW_CONDITION_NOT:
        return left == 0.0;
    case SINEW_CONDITION_NEGATE:
        return -left;
    case SINEW_CONDITION_AND:
        return left != 0.0 && right != 0.0;
    case SINEW_CONDITION_OR:
        return left != 0.0 || right != 0.0;
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
    default: // SINEW_CONDITION_GREATER_EQUAL
        return left >= right;
    }
}

bool sinew_condition_is_true(const sinew_condition *condition, const sinew_condition_input *input) {
    if (condition->node_count == 0) return true;
    double values[SINEW_MAX_CONDITION_NODES];
    for (int32_t i = 0; i < condition->node_count; i++) {
        const sinew_condition_node *node = &condition->nodes[i];
        if (node->left == SINEW_GRAPH_NONE) {
            values[i] = read_value(node, input);
        } else {
            double right = node->right == SINEW_GRAPH_NONE ? 0.0 : values[node->right];
            values[i] = combine(node->op, values[node->left], right);
        }
    }
    return values[condition->node_count - 1] != 0.0;
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
