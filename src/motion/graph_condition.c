// SPDX-License-Identifier: MIT
// Evaluates conditions in one pass over the operations. Each operation finds its operands already computed. The right
// operand of an AND or OR is skipped if the left one decides.
//
// Values are doubles. Only comparisons, negation and constants produce them, so all machines compute the same bits.
#include "motion/graph_condition.h"

#include "base/float_rules.h"

// ---- Steps ---------------------------------------------------------------------------------------------------

// Added to a comparison whose left operand is a parameter and whose right one is a constant. Most
// conditions are like this.
#define OF_PARAMETER 32

static bool is_comparison(sinew_condition_op op) {
    return op >= SINEW_CONDITION_EQUAL && op <= SINEW_CONDITION_GREATER_EQUAL;
}

static bool compares_parameter(const sinew_condition_node *nodes, const sinew_condition_node *node) {
    return is_comparison(node->op) && nodes[node->left].op == SINEW_CONDITION_PARAMETER &&
           nodes[node->right].op == SINEW_CONDITION_NUMBER;
}

static sinewi_condition_step step_of(const sinew_condition_node *nodes, const sinew_condition_node *node,
                                     const int8_t *step_of_node) {
    sinewi_condition_step step = {.number = node->number, .op = (uint8_t)node->op, .decides = -1};
    if (node->index != SINEW_GRAPH_NONE) step.index = (uint16_t)node->index;
    if (compares_parameter(nodes, node)) {
        step.op += OF_PARAMETER;
        step.index = (uint16_t)nodes[node->left].index;
        step.number = nodes[node->right].number;
        return step;
    }
    if (node->left != SINEW_GRAPH_NONE) step.left = step_of_node[node->left];
    if (node->right != SINEW_GRAPH_NONE) step.right = step_of_node[node->right];
    return step;
}

int32_t sinewi_condition_prepare(const sinew_condition *condition, sinewi_condition_step *steps) {
    const sinew_condition_node *nodes = condition->nodes;
    bool is_merged[SINEW_MAX_CONDITION_NODES] = {false};
    int8_t step_of_node[SINEW_MAX_CONDITION_NODES] = {0};
    for (int32_t i = 0; i < condition->node_count; i++) {
        if (compares_parameter(nodes, &nodes[i])) is_merged[nodes[i].left] = is_merged[nodes[i].right] = true;
    }
    int32_t count = 0;
    for (int32_t i = 0; i < condition->node_count; i++) {
        if (is_merged[i]) continue;
        steps[count] = step_of(nodes, &nodes[i], step_of_node);
        bool is_logic = nodes[i].op == SINEW_CONDITION_AND || nodes[i].op == SINEW_CONDITION_OR;
        if (is_logic) steps[steps[count].left].decides = (int8_t)count;
        step_of_node[i] = (int8_t)count++;
    }
    return count;
}

// ---- Evaluation ----------------------------------------------------------------------------------------------

static bool has_bit(uint64_t bits, int32_t index) {
    return bits >> index & 1;
}

static double number_of(const sinewi_condition_step *step, const double *values,
                        const sinewi_condition_input *input) {
    switch (step->op) {
    case SINEW_CONDITION_PARAMETER:
        return input->parameters[step->index][0];
    case SINEW_CONDITION_PARAMETER_Y:
        return input->parameters[step->index][1];
    case SINEW_CONDITION_TIME:
        return input->time;
    case SINEW_CONDITION_FRACTION:
        return input->fraction;
    case SINEW_CONDITION_ELAPSED:
        return input->elapsed;
    case SINEW_CONDITION_LOOPS:
        return input->loops;
    case SINEW_CONDITION_CURVE:
        return (double)input->curves[step->index];
    case SINEW_CONDITION_NEGATE:
        return -values[step->left];
    default:
        return step->number;
    }
}

// The value of a step that computes a truth value. `right` is the previous step's, which is the right
// operand of AND and OR.
static bool truth_of(const sinewi_condition_step *step, const double *values, bool right,
                     const sinewi_condition_input *input) {
    switch (step->op) {
    case SINEW_CONDITION_LESS + OF_PARAMETER:
        return input->parameters[step->index][0] < step->number;
    case SINEW_CONDITION_LESS_EQUAL + OF_PARAMETER:
        return input->parameters[step->index][0] <= step->number;
    case SINEW_CONDITION_GREATER + OF_PARAMETER:
        return input->parameters[step->index][0] > step->number;
    case SINEW_CONDITION_GREATER_EQUAL + OF_PARAMETER:
        return input->parameters[step->index][0] >= step->number;
    case SINEW_CONDITION_EQUAL + OF_PARAMETER:
        return input->parameters[step->index][0] == step->number;
    case SINEW_CONDITION_NOT_EQUAL + OF_PARAMETER:
        return input->parameters[step->index][0] != step->number;
    case SINEW_CONDITION_FINISHED:
        return input->finished;
    case SINEW_CONDITION_PAST:
        return input->plays && (input->looped || input->fraction >= step->number);
    case SINEW_CONDITION_MARKER:
        return has_bit(input->markers, step->index);
    case SINEW_CONDITION_IN_TAG:
        return has_bit(input->tags, step->index);
    case SINEW_CONDITION_IN_STATE:
        return has_bit(input->active[step->index / 64], step->index % 64);
    case SINEW_CONDITION_NOT:
        return values[step->left] == 0.0;
    case SINEW_CONDITION_EQUAL:
        return values[step->left] == values[step->right];
    case SINEW_CONDITION_NOT_EQUAL:
        return values[step->left] != values[step->right];
    case SINEW_CONDITION_LESS:
        return values[step->left] < values[step->right];
    case SINEW_CONDITION_LESS_EQUAL:
        return values[step->left] <= values[step->right];
    case SINEW_CONDITION_GREATER:
        return values[step->left] > values[step->right];
    case SINEW_CONDITION_GREATER_EQUAL:
        return values[step->left] >= values[step->right];
    default: // AND with a true left operand, or OR with a false one; otherwise that would have decided
        return right;
    }
}

// Whether a step's value is a number. BOOL and TRIGGER parameters count as numbers, 0 or 1.
static bool is_number_step(const sinewi_condition_step *step) {
    return step->op <= SINEW_CONDITION_CURVE || step->op == SINEW_CONDITION_NEGATE;
}

bool sinewi_condition_is_true(const sinewi_condition_step *steps, int32_t step_count,
                              const sinewi_condition_input *input) {
    double values[SINEW_MAX_CONDITION_NODES];
    bool truth = true;
    for (int32_t i = 0; i < step_count; i++) {
        bool is_number = is_number_step(&steps[i]);
        if (is_number) values[i] = number_of(&steps[i], values, input);
        truth = is_number ? values[i] != 0.0 : truth_of(&steps[i], values, truth, input);
        if (!is_number) values[i] = (double)truth;
        // A false operand decides AND, and a true one decides OR. The right operand is skipped then.
        while (steps[i].decides >= 0 && truth == (steps[steps[i].decides].op == SINEW_CONDITION_OR)) {
            i = (uint8_t)steps[i].decides;
            values[i] = (double)truth;
        }
    }
    return truth;
}

uint64_t sinewi_condition_triggers(const sinew_condition *condition, const sinew_graph *graph) {
    uint64_t triggers = 0;
    for (int32_t i = 0; i < condition->node_count; i++) {
        const sinew_condition_node *node = &condition->nodes[i];
        if (node->op != SINEW_CONDITION_PARAMETER) continue;
        if (graph->parameters[node->index].type != SINEW_PARAMETER_TRIGGER) continue;
        triggers |= UINT64_C(1) << node->index;
    }
    return triggers;
}

uint8_t sinewi_condition_reads(const sinew_condition *condition) {
    uint8_t reads = 0;
    for (int32_t i = 0; i < condition->node_count; i++) {
        sinew_condition_op op = condition->nodes[i].op;
        if (op == SINEW_CONDITION_TIME || op == SINEW_CONDITION_FRACTION || op == SINEW_CONDITION_PAST)
            reads |= SINEWI_CONDITION_READS_TIME;
        if (op == SINEW_CONDITION_LOOPS) reads |= SINEWI_CONDITION_READS_LOOPS;
        if (op == SINEW_CONDITION_FINISHED) reads |= SINEWI_CONDITION_READS_FINISHED;
    }
    return reads;
}
