// SPDX-License-Identifier: MIT
// Compiles conditions by operator precedence, in one pass without recursion.
//
// Operands and the operators before them wait on two stacks. When the next token binds less, the waiting operator is
// applied, which adds its operation. So operands precede their operations. Applying an operator also checks types.
#include "motion/graph_condition_parser.h"

#include <stdio.h>
#include <string.h>

#define MAX_PARENTHESES 64

// Higher binds tighter.
typedef enum precedence_level { PARENTHESIS, OR, AND, COMPARISON, PREFIX } precedence_level;

typedef struct operator_rule {
    const char *symbol;
    sinew_condition_op op;
    precedence_level precedence;
} operator_rule;

static const operator_rule prefix_operations[] = {
    {"!", SINEW_CONDITION_NOT, PREFIX},
    {"-", SINEW_CONDITION_NEGATE, PREFIX},
};
static const operator_rule binary_operations[] = {
    {"||", SINEW_CONDITION_OR, OR},
    {"&&", SINEW_CONDITION_AND, AND},
    {"==", SINEW_CONDITION_EQUAL, COMPARISON},
    {"!=", SINEW_CONDITION_NOT_EQUAL, COMPARISON},
    {"<", SINEW_CONDITION_LESS, COMPARISON},
    {"<=", SINEW_CONDITION_LESS_EQUAL, COMPARISON},
    {">", SINEW_CONDITION_GREATER, COMPARISON},
    {">=", SINEW_CONDITION_GREATER_EQUAL, COMPARISON},
};
static const operator_rule parenthesis = {"(", SINEW_CONDITION_NUMBER, PARENTHESIS};

// An operator that waits for its last operand, or an open parenthesis.
typedef struct waiting_operation {
    const operator_rule *operation;
    const char *position;
} waiting_operation;

typedef struct expression {
    condition_parser parser;
    int32_t operation_count, depth; // operations so far; open parentheses
    int32_t waiting_count, operand_count;
    waiting_operation waiting[SINEW_MAX_CONDITION_NODES + MAX_PARENTHESES];
    condition_operand operands[SINEW_MAX_CONDITION_NODES];
} expression;

static const operator_rule *find_operation(const operator_rule *operations, size_t count,
                                           const condition_token *token) {
    for (size_t i = 0; i < count; i++)
        if (sinewi_condition_token_is(token, operations[i].symbol)) return &operations[i];
    return NULL;
}

static const operator_rule *find_binary(const condition_token *token) {
    return find_operation(binary_operations, sizeof binary_operations / sizeof binary_operations[0], token);
}

static const operator_rule *find_prefix(const condition_token *token) {
    return find_operation(prefix_operations, sizeof prefix_operations / sizeof prefix_operations[0], token);
}

static bool is_equality(const operator_rule *operation) {
    return operation->op == SINEW_CONDITION_EQUAL || operation->op == SINEW_CONDITION_NOT_EQUAL;
}

// ---- Type problems ------------------------------------------------------------------------------------------------

static condition_quote quote_operand(const condition_operand *operand) {
    return sinewi_condition_quote_text(operand->start, operand->end);
}

// Whether an operand is a literal number, true or false.
static bool is_constant(const condition_parser *p, const condition_operand *operand) {
    return p->nodes[operand->node].op == SINEW_CONDITION_NUMBER;
}

// `what` needs a boolean, but the operand is a number.
static bool fail_number(condition_parser *p, const condition_operand *operand, const char *what) {
    condition_quote text = quote_operand(operand);
    if (is_constant(p, operand))
        return sinewi_condition_fail(p, operand->start, "%s, but %s is a number", what, text.text);
    return sinewi_condition_fail(p, operand->start, "%s, but %s is a number: compare it, such as %s > 0", what,
                                 text.text, text.text);
}

// `what` needs a number, but the operand is a boolean.
static bool fail_boolean(condition_parser *p, const condition_operand *operand, const char *what) {
    condition_quote text = quote_operand(operand);
    if (is_constant(p, operand))
        return sinewi_condition_fail(p, operand->start, "%s, but %s is a boolean", what, text.text);
    return sinewi_condition_fail(p, operand->start, "%s, but %s is a boolean: write %s or !%s", what, text.text,
                                 text.text, text.text);
}

static bool fail_not(condition_parser *p, const condition_operand *operand) {
    const operator_rule *next = find_binary(&p->token);
    if (!next || next->precedence != COMPARISON) return fail_number(p, operand, "! needs a boolean");
    condition_quote text = quote_operand(operand);
    return sinewi_condition_fail(p, operand->start, "! needs a boolean, but %s is a number: write !(%s %s ...)",
                                 text.text, text.text, next->symbol);
}

static bool fail_comparison(condition_parser *p, const operator_rule *operation, const condition_operand *left,
                            const condition_operand *right) {
    char what[48];
    snprintf(what, sizeof what, "%s compares two numbers%s", operation->symbol,
             is_equality(operation) ? " or two booleans" : "");
    const condition_operand *boolean = left->is_boolean ? left : right, *other = left->is_boolean ? right : left;
    if (is_constant(p, boolean) && !other->is_boolean) return fail_number(p, other, what); // speed == true
    return fail_boolean(p, boolean, what);
}

// ---- Operations ----------------------------------------------------------------------------------------------------

static void add_node(condition_parser *p, waiting_operation waiting, condition_operand *left,
                     const condition_operand *right) {
    p->nodes[p->node_count] = (sinew_condition_node){.op = waiting.operation->op,
                                                     .index = SINEW_GRAPH_NONE,
                                                     .left = left->node,
                                                     .right = right ? right->node : SINEW_GRAPH_NONE,
                                                     .column = sinewi_condition_column(p, waiting.position)};
    left->node = p->node_count++;
}

static bool apply_prefix(condition_parser *p, waiting_operation waiting, condition_operand *operand) {
    bool is_not = waiting.operation->op == SINEW_CONDITION_NOT;
    if (is_not && !operand->is_boolean) return fail_not(p, operand);
    if (!is_not && operand->is_boolean) return fail_boolean(p, operand, "- needs a number");
    add_node(p, waiting, operand, NULL);
    operand->start = waiting.position;
    return true;
}

static bool apply_binary(condition_parser *p, waiting_operation waiting, condition_operand *left,
                         const condition_operand *right) {
    const operator_rule *operation = waiting.operation;
    bool both_boolean = left->is_boolean && right->is_boolean;
    if (operation->precedence == COMPARISON) {
        bool is_comparable = left->is_boolean == right->is_boolean && (!both_boolean || is_equality(operation));
        if (!is_comparable) return fail_comparison(p, operation, left, right);
    } else if (!both_boolean) {
        char what[32];
        snprintf(what, sizeof what, "%s needs booleans", operation->symbol);
        return fail_number(p, left->is_boolean ? right : left, what);
    }
    add_node(p, waiting, left, right);
    left->is_boolean = true;
    left->end = right->end;
    return true;
}

// Applies waiting operators that bind at least as tightly as the next token. Stops at an open parenthesis.
static bool apply_waiting(expression *e, precedence_level next) {
    for (; e->waiting_count > 0; e->waiting_count--) {
        waiting_operation waiting = e->waiting[e->waiting_count - 1];
        if (waiting.operation->precedence < next || waiting.operation == &parenthesis) return true;
        condition_operand *last = &e->operands[e->operand_count - 1];
        if (waiting.operation->precedence == PREFIX) {
            if (!apply_prefix(&e->parser, waiting, last)) return false;
        } else {
            if (!apply_binary(&e->parser, waiting, last - 1, last)) return false;
            e->operand_count--;
        }
    }
    return true;
}

// ---- Tokens --------------------------------------------------------------------------------------------------------

// Every name, number, function and operator counts.
static bool count_operation(expression *e) {
    if (++e->operation_count <= SINEW_MAX_CONDITION_NODES) return true;
    return sinewi_condition_fail_limit(&e->parser, e->parser.token.text, SINEW_MAX_CONDITION_NODES, "operations");
}

static void push_waiting(expression *e, const operator_rule *operation) {
    e->waiting[e->waiting_count++] = (waiting_operation){operation, sinewi_condition_take(&e->parser).text};
}

static bool open_parenthesis(expression *e) {
    if (++e->depth > MAX_PARENTHESES)
        return sinewi_condition_fail_limit(&e->parser, e->parser.token.text, MAX_PARENTHESES, "nested parentheses");
    push_waiting(e, &parenthesis);
    return true;
}

// Reads the prefix operators and parentheses in front of an operand, and the operand.
static bool parse_operand(expression *e) {
    condition_parser *p = &e->parser;
    for (;;) {
        const operator_rule *prefix = find_prefix(&p->token);
        if (prefix) {
            if (!count_operation(e)) return false;
            push_waiting(e, prefix);
        } else if (sinewi_condition_next_is(p, "(")) {
            if (!open_parenthesis(e)) return false;
        } else {
            break;
        }
    }
    return count_operation(e) && sinewi_condition_parse_primary(p, &e->operands[e->operand_count++]);
}

// The innermost open parenthesis, or NULL.
static const waiting_operation *find_open(const expression *e) {
    for (int32_t i = e->waiting_count - 1; i >= 0; i--)
        if (e->waiting[i].operation == &parenthesis) return &e->waiting[i];
    return NULL;
}

// Reads the closing parentheses behind an operand.
static bool close_parentheses(expression *e) {
    condition_parser *p = &e->parser;
    while (sinewi_condition_next_is(p, ")")) {
        if (!find_open(e)) return sinewi_condition_fail(p, p->token.text, "\")\" without \"(\"");
        if (!apply_waiting(e, OR)) return false;
        condition_operand *inside = &e->operands[e->operand_count - 1];
        inside->start = e->waiting[--e->waiting_count].position;
        sinewi_condition_take(p);
        inside->end = p->read_end;
        e->depth--;
    }
    return true;
}

// Fails for a comparison of a comparison. The first one waits with its two operands.
static bool fail_chain(expression *e, const operator_rule *second) {
    condition_parser *p = &e->parser;
    const condition_operand *middle = &e->operands[e->operand_count - 1];
    condition_quote first = sinewi_condition_quote_text(middle[-1].start, middle->end),
                    shared = quote_operand(middle);
    if (is_equality(second))
        return sinewi_condition_fail(p, p->token.text, "comparisons cannot be chained: write (%s) %s ...",
                                     first.text, second->symbol);
    return sinewi_condition_fail(p, p->token.text, "comparisons cannot be chained: write %s && %s %s ...",
                                 first.text, shared.text, second->symbol);
}

static bool parse_operator(expression *e, const operator_rule *operation) {
    if (!apply_waiting(e, operation->precedence == COMPARISON ? PREFIX : operation->precedence)) return false;
    bool is_chained = operation->precedence == COMPARISON && e->waiting_count > 0 &&
                      e->waiting[e->waiting_count - 1].operation->precedence == COMPARISON;
    if (is_chained) return fail_chain(e, operation);
    if (!count_operation(e)) return false;
    push_waiting(e, operation);
    return true;
}

// Fails after an operand, if the next token isn't an operator, a closing parenthesis or the end.
static bool fail_after_operand(expression *e) {
    condition_parser *p = &e->parser;
    char expected[80] = "an operator or the end";
    const waiting_operation *open = find_open(e);
    if (open)
        snprintf(expected, sizeof expected, "an operator, or \")\" for the \"(\" in column %d",
                 sinewi_condition_column(p, open->position));
    bool is_arithmetic = p->token.length == 1 && strchr("+-*/%^", p->token.text[0]);
    if (is_arithmetic)
        return sinewi_condition_fail(p, p->token.text, "expected %s, found \"%c\": conditions have no arithmetic",
                                     expected, p->token.text[0]);
    return sinewi_condition_fail_unexpected(p, expected);
}

static bool parse_expression(expression *e) {
    condition_parser *p = &e->parser;
    if (p->token.kind == CONDITION_TOKEN_END) return sinewi_condition_fail(p, p->text, "the condition is empty");
    for (;;) {
        if (!parse_operand(e) || !close_parentheses(e)) return false;
        const operator_rule *operation = find_binary(&p->token);
        if (!operation) break;
        if (!parse_operator(e, operation)) return false;
    }
    if (p->token.kind != CONDITION_TOKEN_END || e->depth > 0) return fail_after_operand(e);
    if (!apply_waiting(e, OR)) return false;
    return e->operands[0].is_boolean || fail_number(p, &e->operands[0], "a condition must be a boolean");
}

int32_t sinewi_condition_compile(const char *text, const sinewi_condition_scope *scope, sinew_condition_node *nodes,
                                 sinewi_condition_problem *problem) {
    expression e;
    e.parser =
        (condition_parser){.text = text, .read_end = text, .scope = scope, .nodes = nodes, .problem = problem};
    e.parser.token = sinewi_condition_next_token(text);
    e.operation_count = e.depth = e.waiting_count = e.operand_count = 0;
    return parse_expression(&e) ? e.parser.node_count : 0;
}
