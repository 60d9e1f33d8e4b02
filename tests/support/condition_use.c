// SPDX-License-Identifier: MIT
#include "support/condition_use.h"

#include "motion/graph_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const sinew_graph_parameter parameters[PARAMETERS] = {
    {.name = "speed", .type = SINEW_PARAMETER_FLOAT},    {.name = "count", .type = SINEW_PARAMETER_INT},
    {.name = "grounded", .type = SINEW_PARAMETER_BOOL},  {.name = "jump", .type = SINEW_PARAMETER_TRIGGER},
    {.name = "move", .type = SINEW_PARAMETER_VECTOR2},   {.name = "target", .type = SINEW_PARAMETER_VECTOR3},
    {.name = "goal", .type = SINEW_PARAMETER_TRANSFORM},
};
static const sinew_graph_layer layers[] = {{.name = "Base", .machine = 0}, {.name = "Upper", .machine = 1}};
static const sinew_graph_machine machines[] = {{STATE_MOVE}, {STATE_COMBO}, {STATE_FIRST}};
// A submachine is ignored in a state that contains none.
static const sinew_graph_state states[STATES] = {
    {.name = "Move", .machine = 0, .kind = SINEW_GRAPH_STATE_CLIP, .submachine = 1},
    {.name = "Jump", .machine = 0, .kind = SINEW_GRAPH_STATE_EMPTY, .submachine = 0},
    {.name = "Combo", .machine = 1, .kind = SINEW_GRAPH_STATE_MACHINE, .submachine = 2},
    {.name = "First", .machine = 2, .kind = SINEW_GRAPH_STATE_CLIP, .submachine = SINEW_GRAPH_NONE},
    {.name = "Second", .machine = 2, .kind = SINEW_GRAPH_STATE_CLIP, .submachine = SINEW_GRAPH_NONE},
};
static const char *const tags[TAGS] = {"airborne", "attack", "low"};

static const sinewi_graph_owner owners[] = {
    {SINEW_GRAPH_NONE, 0, 0}, {SINEW_GRAPH_NONE, 1, 0}, {STATE_COMBO, 1, 1}};
static const int32_t states_by_name[STATES] = {STATE_JUMP, STATE_MOVE, STATE_COMBO, STATE_FIRST, STATE_SECOND};
static const sinew_graph_data data = {.owners = owners, .states_by_name = states_by_name};

const sinew_graph condition_graph = {
    .parameter_count = PARAMETERS,
    .parameters = parameters,
    .layer_count = 2,
    .layers = layers,
    .machine_count = 3,
    .machines = machines,
    .state_count = STATES,
    .states = states,
    .tag_count = TAGS,
    .tags = tags,
    .data = &data,
};

// Markers and curves have indices of one list.
static int32_t find_name(sinew_condition_op op, const char *name, size_t length, void *user) {
    (void)op;
    condition_markers *markers = user;
    for (int32_t i = 0; i < markers->count; i++)
        if (strlen(markers->names[i]) == length && memcmp(markers->names[i], name, length) == 0) return i;
    if (markers->count == markers->limit || length >= sizeof markers->names[0]) return SINEW_GRAPH_NONE;
    memcpy(markers->names[markers->count], name, length);
    markers->names[markers->count][length] = '\0';
    return markers->count++;
}

int32_t condition_compile(const char *text, condition_markers *markers, sinew_condition_node *nodes,
                          sinewi_condition_problem *problem) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (!copy) abort();
    memcpy(copy, text, size);
    const sinewi_condition_scope scope = {&condition_graph, find_name, markers};
    int32_t count = sinewi_condition_compile(copy, &scope, nodes, problem);
    free(copy);
    return count;
}

// ---- What holds for any text ---------------------------------------------------------------------------------------

static const char *check_problem(const sinewi_condition_problem *problem, const char *text) {
    if (problem->result != SINEW_ERROR_ARGUMENT && problem->result != SINEW_ERROR_LIMIT) return "another result";
    if (problem->column < 1 || (size_t)problem->column > strlen(text) + 1) return "the column is not in the text";
    if (problem->what[0] == '\0' || !memchr(problem->what, '\0', sizeof problem->what)) return "no message";
    return NULL;
}

static bool takes_left(sinew_condition_op op) {
    return op >= SINEW_CONDITION_NOT;
}

static bool takes_right(sinew_condition_op op) {
    return op >= SINEW_CONDITION_AND;
}

// Whether an operand precedes its operation, and no other one has it.
static bool take_operand(int32_t operand, int32_t node, bool *taken) {
    if (operand < 0 || operand >= node || taken[operand]) return false;
    return taken[operand] = true;
}

static int32_t index_limit(sinew_condition_op op) {
    switch (op) {
    case SINEW_CONDITION_PARAMETER:
    case SINEW_CONDITION_PARAMETER_Y:
        return PARAMETERS;
    case SINEW_CONDITION_MARKER:
    case SINEW_CONDITION_CURVE:
        return 64;
    case SINEW_CONDITION_IN_TAG:
        return TAGS;
    case SINEW_CONDITION_IN_STATE:
        return STATES;
    default:
        return 0;
    }
}

static const char *check_nodes(const sinew_condition_node *nodes, int32_t count, const char *text) {
    bool taken[SINEW_MAX_CONDITION_NODES] = {false};
    for (int32_t i = 0; i < count; i++) {
        const sinew_condition_node *node = &nodes[i];
        int32_t limit = index_limit(node->op);
        if (limit == 0 ? node->index != SINEW_GRAPH_NONE : node->index < 0 || node->index >= limit)
            return "an index that is none";
        if (node->column < 1 || (size_t)node->column > strlen(text)) return "an operation outside of the text";
        if (takes_left(node->op) ? !take_operand(node->left, i, taken) : node->left != SINEW_GRAPH_NONE)
            return "a wrong left operand";
        if (takes_right(node->op) ? !take_operand(node->right, i, taken) : node->right != SINEW_GRAPH_NONE)
            return "a wrong right operand";
    }
    for (int32_t i = 0; i < count - 1; i++)
        if (!taken[i]) return "an operation that no other one uses";
    return NULL;
}

bool condition_is_true(const sinew_condition_node *nodes, int32_t count, const sinewi_condition_input *input) {
    const sinew_condition condition = {count, nodes};
    sinewi_condition_step steps[SINEW_MAX_CONDITION_NODES];
    return sinewi_condition_is_true(steps, sinewi_condition_prepare(&condition, steps), input);
}

// Each step is evaluated after its operands, and what it decides after it.
static const char *check_steps(const sinew_condition_node *nodes, int32_t count) {
    const sinew_condition condition = {count, nodes};
    sinewi_condition_step steps[SINEW_MAX_CONDITION_NODES];
    int32_t step_count = sinewi_condition_prepare(&condition, steps);
    if (step_count < 1 || step_count > count) return "a wrong number of steps";
    for (int32_t i = 0; i < step_count; i++) {
        if (steps[i].left < 0 || steps[i].left > i || steps[i].right < 0 || steps[i].right > i)
            return "a step before its operand";
        const int8_t decides = steps[i].decides;
        if (decides == -1) continue;
        if (decides <= i || decides >= step_count || steps[decides].left != i)
            return "a step that decides another one";
        if (steps[decides].op != SINEW_CONDITION_AND && steps[decides].op != SINEW_CONDITION_OR)
            return "a step that decides more than AND and OR";
    }
    return NULL;
}

static bool is_true(const sinew_condition_node *nodes, int32_t count) {
    static const double values[PARAMETERS][2] = {{0.5, 0}, {3, 0}, {1, 0}, {1, 0}, {-1, 0.25}};
    static const uint64_t active[1] = {1 << STATE_JUMP};
    const sinewi_condition_input input = {.parameters = values,
                                          .time = 0.5,
                                          .fraction = 0.25,
                                          .elapsed = 1.5,
                                          .loops = 2,
                                          .finished = true,
                                          .markers = 1,
                                          .tags = 1 << TAG_LOW,
                                          .active = active};
    return condition_is_true(nodes, count, &input);
}

// The negation of a condition compiles, unless that is too much, and has the other value.
static const char *check_negation(const char *text, const sinew_condition_node *nodes, int32_t count) {
    size_t size = strlen(text) + 4;
    char *negation = malloc(size);
    if (!negation) abort();
    snprintf(negation, size, "!(%s)", text);
    condition_markers markers = {.limit = 64};
    sinew_condition_node others[SINEW_MAX_CONDITION_NODES];
    sinewi_condition_problem problem;
    int32_t other_count = condition_compile(negation, &markers, others, &problem);
    free(negation);
    if (other_count == 0) return problem.result == SINEW_ERROR_LIMIT ? NULL : "its negation does not compile";
    if (other_count != count + 1) return "its negation has other operations";
    return is_true(nodes, count) != is_true(others, other_count) ? NULL : "its negation has the same value";
}

const char *condition_try(const char *text) {
    condition_markers markers = {.limit = 64};
    sinew_condition_node nodes[SINEW_MAX_CONDITION_NODES];
    sinewi_condition_problem problem;
    int32_t count = condition_compile(text, &markers, nodes, &problem);
    if (count == 0) return check_problem(&problem, text);
    if (count > SINEW_MAX_CONDITION_NODES) return "too many operations";
    const char *fault = check_nodes(nodes, count, text);
    if (!fault) fault = check_steps(nodes, count);
    return fault ? fault : check_negation(text, nodes, count);
}
