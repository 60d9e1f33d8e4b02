// SPDX-License-Identifier: MIT
// Compiles conditions by recursive descent: each parse function reads one level of precedence and adds its operations,
// operands first. Types are checked as operations are added. The first fault ends the parser, with false.
//
// The recursion is bounded: parentheses inside one another are limited, and so are the operations, of which each prefix
// operator is one.
#include "graph/condition.h"
#include "graph/condition_token.h"
#include "graph/graph_find.h"
#include "graph/nearest_name.h"

#include "core/fail.h"
#include "core/float_rules.h"
#include "json/decimal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MAX_PARENTHESES 64

typedef struct parser {
    const char *text;
    condition_token token; // the next one
    const char *read_end;  // end of the token before it
    const sinew_condition_scope *scope;
    sinew_condition_node *nodes;
    int32_t node_count;
    int32_t prefix_count; // prefix operators so far
    int32_t depth;        // open parentheses
    const char *open;     // the innermost of them
    sinew_condition_problem *problem;
} parser;

// What a part of the text computes.
typedef struct operand {
    int32_t node;
    bool is_boolean;
    const char *start, *end; // in the text
} operand;

// ---- Problems ------------------------------------------------------------------------------------------------------

static int32_t column_of(const parser *p, const char *position) {
    ptrdiff_t offset = position - p->text;
    return offset < INT32_MAX ? (int32_t)offset + 1 : INT32_MAX;
}

// Returns false, so that a check is one line.
static bool fail(parser *p, const char *position, const char *format, ...) SINEW_PRINTF(3, 4);

static bool fail(parser *p, const char *position, const char *format, ...) {
    p->problem->result = SINEW_ERROR_ARGUMENT;
    p->problem->column = column_of(p, position);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(p->problem->what, sizeof p->problem->what, format, arguments);
    va_end(arguments);
    return false;
}

static bool fail_limit(parser *p, const char *position, const char *format, int limit) SINEW_PRINTF(3, 0);

static bool fail_limit(parser *p, const char *position, const char *format, int limit) {
    fail(p, position, format, limit);
    p->problem->result = SINEW_ERROR_LIMIT;
    return false;
}

// A part of the text, short enough for a message.
typedef struct quote {
    char text[48];
} quote;

static quote quote_text(const char *start, const char *end) {
    quote q = {""};
    size_t length = (size_t)(end - start), most = sizeof q.text - 1;
    if (length <= most) {
        memcpy(q.text, start, length);
        return q;
    }
    size_t cut = most - 3;
    while (cut > 0 && (start[cut] & 0xC0) == 0x80) cut--; // between two characters of UTF-8
    memcpy(q.text, start, cut);
    memcpy(q.text + cut, "...", 3);
    return q;
}

static quote quote_token(const condition_token *token) {
    return quote_text(token->text, token->text + token->length);
}

static quote quote_operand(const operand *o) {
    return quote_text(o->start, o->end);
}

// What others write, and what it is here.
static const struct slip {
    const char *written, *right;
} slips[] = {{"and", "&&"},         {"AND", "&&"},         {"or", "||"},
             {"OR", "||"},          {"not", "!"},          {"NOT", "!"},
             {"=", "=="},           {"===", "=="},         {"!==", "!="},
             {"<>", "!="},          {"=>", ">="},          {"=<", "<="},
             {"&", "&&"},           {"|", "||"},           {"~", "!"},
             {"\xE2\x80\x98", "'"}, {"\xE2\x80\x99", "'"}, {"\xE2\x80\x9C", "\""},
             {"\xE2\x80\x9D", "\""}};

static const struct slip *find_slip(const condition_token *token) {
    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; i++)
        if (sinew_condition_token_is(token, slips[i].written)) return &slips[i];
    return NULL;
}

static bool is_arithmetic(const condition_token *token) {
    return token->kind == CONDITION_TOKEN_SYMBOL && token->length == 1 && strchr("+-*/%^", token->text[0]);
}

// The next token is not `expected`. Says so, or what is wrong with the token itself.
static bool fail_unexpected(parser *p, const char *expected) {
    const condition_token *token = &p->token;
    const struct slip *slip = find_slip(token);
    quote found = quote_token(token);
    if (slip) return fail(p, token->text, "write %s instead of %s", slip->right, found.text);
    switch (token->kind) {
    case CONDITION_TOKEN_END:
        return fail(p, token->text, "expected %s, found the end", expected);
    case CONDITION_TOKEN_BAD_NUMBER:
        return fail(p, token->text, "\"%s\" is not a number: numbers are like 2, 0.5 and 1e3", found.text);
    case CONDITION_TOKEN_OPEN_STRING:
        return fail(p, token->text, "the string has no closing %c", token->text[0]);
    default:
        break;
    }
    if (is_arithmetic(token))
        return fail(p, token->text, "expected %s, found \"%s\": conditions have no arithmetic", expected,
                    found.text);
    return fail(p, token->text, "expected %s, found \"%s\"", expected, found.text);
}

// ---- Tokens --------------------------------------------------------------------------------------------------------

static condition_token take_token(parser *p) {
    condition_token token = p->token;
    p->read_end = token.text + token.length;
    p->token = sinew_condition_next_token(p->read_end);
    return token;
}

static bool next_is(const parser *p, const char *symbol) {
    return sinew_condition_token_is(&p->token, symbol);
}

// ---- Operations ----------------------------------------------------------------------------------------------------

// Adds an operation, which is all that `out` then is.
static bool add_node(parser *p, const char *position, sinew_condition_node node, operand *out) {
    if (p->node_count == SINEW_MAX_CONDITION_NODES)
        return fail_limit(p, position, "more than %d operations", SINEW_MAX_CONDITION_NODES);
    node.column = column_of(p, position);
    out->node = p->node_count;
    p->nodes[p->node_count++] = node;
    return true;
}

static bool is_number(const parser *p, const operand *o) {
    return p->nodes[o->node].op == SINEW_CONDITION_NUMBER && !o->is_boolean;
}

// What to write for a number where a boolean is needed.
static bool fail_number(parser *p, const operand *o, const char *what) {
    quote text = quote_operand(o);
    if (is_number(p, o)) return fail(p, o->start, "%s, but %s is a number: write true or false", what, text.text);
    return fail(p, o->start, "%s, but %s is a number: compare it, such as %s > 0", what, text.text, text.text);
}

// What to write for a boolean where a number is needed.
static bool fail_boolean(parser *p, const operand *o, const char *what) {
    quote text = quote_operand(o);
    return fail(p, o->start, "%s, but %s is a boolean: write %s or !%s", what, text.text, text.text, text.text);
}

static bool add_logic(parser *p, const condition_token *token, operand *left, const operand *right) {
    bool is_and = sinew_condition_token_is(token, "&&");
    const char *what = is_and ? "&& needs booleans" : "|| needs booleans";
    if (!left->is_boolean) return fail_number(p, left, what);
    if (!right->is_boolean) return fail_number(p, right, what);
    sinew_condition_op op = is_and ? SINEW_CONDITION_AND : SINEW_CONDITION_OR;
    sinew_condition_node node = {op, SINEW_GRAPH_NONE, left->node, right->node, 0.0, 0};
    *left = (operand){.is_boolean = true, .start = left->start, .end = right->end};
    return add_node(p, token->text, node, left);
}

static const struct comparison {
    const char *symbol;
    sinew_condition_op op;
} comparisons[] = {
    {"==", SINEW_CONDITION_EQUAL},      {"!=", SINEW_CONDITION_NOT_EQUAL}, {"<", SINEW_CONDITION_LESS},
    {"<=", SINEW_CONDITION_LESS_EQUAL}, {">", SINEW_CONDITION_GREATER},    {">=", SINEW_CONDITION_GREATER_EQUAL},
};

static const struct comparison *find_comparison(const condition_token *token) {
    for (size_t i = 0; i < sizeof comparisons / sizeof comparisons[0]; i++)
        if (sinew_condition_token_is(token, comparisons[i].symbol)) return &comparisons[i];
    return NULL;
}

static bool is_equality(const struct comparison *c) {
    return c->op == SINEW_CONDITION_EQUAL || c->op == SINEW_CONDITION_NOT_EQUAL;
}

static bool add_comparison(parser *p, const condition_token *token, const struct comparison *comparison,
                           operand *left, const operand *right) {
    bool both_booleans = left->is_boolean && right->is_boolean;
    if ((left->is_boolean || right->is_boolean) && !(both_booleans && is_equality(comparison))) {
        char what[48];
        snprintf(what, sizeof what, "%s compares two numbers%s", comparison->symbol,
                 is_equality(comparison) ? " or two booleans" : "");
        return fail_boolean(p, left->is_boolean ? left : right, what);
    }
    sinew_condition_node node = {comparison->op, SINEW_GRAPH_NONE, left->node, right->node, 0.0, 0};
    *left = (operand){.is_boolean = true, .start = left->start, .end = right->end};
    return add_node(p, token->text, node, left);
}

// ---- Names ---------------------------------------------------------------------------------------------------------

// The words of conditions that are not parameters.
typedef struct word {
    const char *name;
    sinew_condition_op op;
    bool is_boolean;
    const char *call; // of a function: an example
} word;

static const word words[] = {
    {"true", SINEW_CONDITION_NUMBER, true, NULL},
    {"false", SINEW_CONDITION_NUMBER, true, NULL},
    {"time", SINEW_CONDITION_TIME, false, NULL},
    {"fraction", SINEW_CONDITION_FRACTION, false, NULL},
    {"elapsed", SINEW_CONDITION_ELAPSED, false, NULL},
    {"loops", SINEW_CONDITION_LOOPS, false, NULL},
    {"finished", SINEW_CONDITION_FINISHED, true, NULL},
    {"past", SINEW_CONDITION_PAST, true, "past(0.6)"},
    {"marker", SINEW_CONDITION_MARKER, true, "marker('Hit')"},
    {"in_tag", SINEW_CONDITION_IN_TAG, true, "in_tag('airborne')"},
    {"in_state", SINEW_CONDITION_IN_STATE, true, "in_state('Base/Jump')"},
};
#define WORD_COUNT (sizeof words / sizeof words[0])

static const word *find_word(const condition_token *name) {
    for (size_t i = 0; i < WORD_COUNT; i++)
        if (sinew_condition_token_is(name, words[i].name)) return &words[i];
    return NULL;
}

bool sinew_condition_is_word(const char *name) {
    condition_token token = {CONDITION_TOKEN_NAME, name, strlen(name)};
    return find_word(&token) != NULL || find_slip(&token) != NULL;
}

// A name that is none: it may be a tag or a state, or misspelled.
static bool fail_name(parser *p, const condition_token *name) {
    const sinew_graph *graph = p->scope->graph;
    quote text = quote_token(name);
    bool is_call = next_is(p, "(");
    const char *kind = is_call ? "function" : "parameter";
    if (!is_call && sinew_graph_tag_named(graph, name->text, name->length) != SINEW_GRAPH_NONE)
        return fail(p, name->text, "no parameter is named \"%s\": write in_tag('%s') for the tag", text.text,
                    text.text);

    sinew_nearest nearest = sinew_nearest_begin(name->text, name->length);
    for (int32_t i = 0; !is_call && i < graph->parameter_count; i++)
        sinew_nearest_try(&nearest, graph->parameters[i].name);
    for (size_t i = 0; i < WORD_COUNT; i++)
        if (!is_call || words[i].call) sinew_nearest_try(&nearest, words[i].name);
    if (nearest.name[0] == '\0') return fail(p, name->text, "no %s is named \"%s\"", kind, text.text);
    return fail(p, name->text, "no %s is named \"%s\"; did you mean \"%s\"?", kind, text.text, nearest.name);
}

// After a name that has no arguments.
static bool refuse_call(parser *p, const condition_token *name) {
    if (!next_is(p, "(")) return true;
    quote text = quote_token(name);
    return fail(p, p->token.text, "%s is not a function: write it without parentheses", text.text);
}

// .x or .y after the name of a parameter. Sets the operation.
static bool parse_coordinate(parser *p, const condition_token *name, bool is_vector, sinew_condition_op *op) {
    quote text = quote_token(name);
    bool has_point = next_is(p, ".");
    if (!is_vector && has_point)
        return fail(p, p->token.text, "%s is not a vector2: it has no coordinates", text.text);
    if (!is_vector) return true;
    if (!has_point)
        return fail(p, name->text, "%s is a vector2: write %s.x or %s.y", text.text, text.text, text.text);
    take_token(p);
    if (next_is(p, "y")) *op = SINEW_CONDITION_PARAMETER_Y;
    if (!next_is(p, "x") && !next_is(p, "y")) return fail_unexpected(p, "the coordinate x or y");
    take_token(p);
    return true;
}

static bool parse_parameter(parser *p, const condition_token *name, operand *out) {
    const sinew_graph *graph = p->scope->graph;
    int32_t index = sinew_graph_parameter_named(graph, name->text, name->length);
    if (index == SINEW_GRAPH_NONE) return fail_name(p, name);
    sinew_parameter_type type = graph->parameters[index].type;
    sinew_condition_op op = SINEW_CONDITION_PARAMETER;
    if (!parse_coordinate(p, name, type == SINEW_PARAMETER_VECTOR2, &op) || !refuse_call(p, name)) return false;
    out->is_boolean = type == SINEW_PARAMETER_BOOL || type == SINEW_PARAMETER_TRIGGER;
    sinew_condition_node node = {op, index, SINEW_GRAPH_NONE, SINEW_GRAPH_NONE, 0.0, 0};
    return add_node(p, name->text, node, out);
}

// ---- Functions -----------------------------------------------------------------------------------------------------

// The value of a number in the text. One with a point or an exponent is rounded to float, as parameters are.
static bool read_number(parser *p, const condition_token *token, double *value) {
    *value = sinew_decimal_read(token->text, token->length);
    quote text = quote_token(token);
    if (*value > (double)FLT_MAX) return fail(p, token->text, "the number %s is too large", text.text);
    bool is_integer = true;
    for (size_t i = 0; i < token->length; i++) is_integer &= token->text[i] >= '0' && token->text[i] <= '9';
    if (!is_integer) *value = (double)(float)*value;
    return true;
}

static bool parse_past(parser *p, sinew_condition_node *node) {
    if (p->token.kind != CONDITION_TOKEN_NUMBER) return fail_unexpected(p, "a number from 0 to 1");
    condition_token token = take_token(p);
    quote text = quote_token(&token);
    if (!read_number(p, &token, &node->number)) return false;
    return node->number <= 1.0 || fail(p, token.text, "past needs a number from 0 to 1, not %s", text.text);
}

static bool find_marker(parser *p, const condition_token *string, const char *name, size_t length,
                        sinew_condition_node *node) {
    if (length == 0) return fail(p, string->text, "the name of a marker is empty");
    node->index = p->scope->find_marker(name, length, p->scope->user);
    if (node->index != SINEW_GRAPH_NONE) return true;
    return fail_limit(p, string->text, "more than %d markers in the conditions of a graph", 64);
}

static bool find_tag(parser *p, const condition_token *string, const char *name, size_t length,
                     sinew_condition_node *node) {
    const sinew_graph *graph = p->scope->graph;
    node->index = sinew_graph_tag_named(graph, name, length);
    if (node->index != SINEW_GRAPH_NONE) return true;
    quote text = quote_text(name, name + length);
    sinew_nearest nearest = sinew_nearest_begin(name, length);
    for (int32_t i = 0; i < graph->tag_count; i++) sinew_nearest_try(&nearest, graph->tags[i]);
    if (nearest.name[0] == '\0') return fail(p, string->text, "no state has the tag \"%s\"", text.text);
    return fail(p, string->text, "no state has the tag \"%s\"; did you mean \"%s\"?", text.text, nearest.name);
}

static bool find_state(parser *p, const condition_token *string, const char *name, size_t length,
                       sinew_condition_node *node) {
    const sinew_graph *graph = p->scope->graph;
    node->index = sinew_graph_state_at_path(graph, name, length);
    if (node->index != SINEW_GRAPH_NONE) return true;
    quote text = quote_text(name, name + length);
    char nearest[128];
    sinew_graph_suggest_path(graph, name, length, nearest, sizeof nearest);
    if (nearest[0] == '\0') return fail(p, string->text, "no state has the path \"%s\"", text.text);
    return fail(p, string->text, "no state has the path \"%s\"; did you mean \"%s\"?", text.text, nearest);
}

// The argument of marker, in_tag or in_state.
static bool parse_name_argument(parser *p, sinew_condition_op op, const word *function,
                                sinew_condition_node *node) {
    if (p->token.kind == CONDITION_TOKEN_NAME && !find_slip(&p->token)) {
        quote text = quote_token(&p->token);
        return fail(p, p->token.text, "write %s('%s'): the name is a string", function->name, text.text);
    }
    if (p->token.kind != CONDITION_TOKEN_STRING) return fail_unexpected(p, "a name in quotes");
    condition_token string = take_token(p);
    const char *name = string.text + 1;
    size_t length = string.length - 2;
    if (op == SINEW_CONDITION_MARKER) return find_marker(p, &string, name, length, node);
    if (op == SINEW_CONDITION_IN_TAG) return find_tag(p, &string, name, length, node);
    return find_state(p, &string, name, length, node);
}

static bool parse_arguments(parser *p, const word *function, sinew_condition_node *node) {
    if (!next_is(p, "(")) return fail(p, p->token.text, "%s needs an argument: %s", function->name, function->call);
    take_token(p);
    bool valid = function->op == SINEW_CONDITION_PAST ? parse_past(p, node)
                                                      : parse_name_argument(p, function->op, function, node);
    if (!valid) return false;
    if (!next_is(p, ")")) return fail_unexpected(p, "\")\" after the argument");
    take_token(p);
    return true;
}

static bool parse_word(parser *p, const condition_token *name, const word *found, operand *out) {
    sinew_condition_node node = {found->op, SINEW_GRAPH_NONE, SINEW_GRAPH_NONE, SINEW_GRAPH_NONE, 0.0, 0};
    if (found->op == SINEW_CONDITION_NUMBER) node.number = strcmp(found->name, "true") == 0;
    sinew_condition_op op;
    if (found->call ? !parse_arguments(p, found, &node)
                    : !parse_coordinate(p, name, false, &op) || !refuse_call(p, name))
        return false;
    out->is_boolean = found->is_boolean;
    return add_node(p, name->text, node, out);
}

// ---- Expressions ---------------------------------------------------------------------------------------------------

static bool parse_condition(parser *p, int level, operand *out);

static bool parse_number(parser *p, operand *out) {
    condition_token token = take_token(p);
    sinew_condition_node node = {
        SINEW_CONDITION_NUMBER, SINEW_GRAPH_NONE, SINEW_GRAPH_NONE, SINEW_GRAPH_NONE, 0.0, 0};
    return read_number(p, &token, &node.number) && add_node(p, token.text, node, out);
}

static bool parse_parentheses(parser *p, operand *out) {
    const char *outer = p->open;
    p->open = p->token.text;
    if (++p->depth > MAX_PARENTHESES)
        return fail_limit(p, p->open, "more than %d parentheses inside one another", MAX_PARENTHESES);
    take_token(p);
    if (!parse_condition(p, 0, out)) return false;
    if (!next_is(p, ")")) {
        char expected[64];
        snprintf(expected, sizeof expected, "an operator, or \")\" for the \"(\" in column %d",
                 column_of(p, p->open));
        return fail_unexpected(p, expected);
    }
    take_token(p);
    p->open = outer;
    p->depth--;
    return true;
}

// A name, a number, a function or parentheses.
static bool parse_primary(parser *p, operand *out) {
    static const char expected[] = "a name, a number, \"!\", \"-\" or \"(\"";
    if (next_is(p, "(")) return parse_parentheses(p, out);
    if (p->token.kind == CONDITION_TOKEN_NUMBER) return parse_number(p, out);
    if (p->token.kind == CONDITION_TOKEN_STRING)
        return fail(p, p->token.text, "a string is an argument of marker, in_tag or in_state only");
    if (p->token.kind != CONDITION_TOKEN_NAME || find_slip(&p->token)) return fail_unexpected(p, expected);
    condition_token name = take_token(p);
    const word *found = find_word(&name);
    return found ? parse_word(p, &name, found, out) : parse_parameter(p, &name, out);
}

static bool add_prefix(parser *p, const condition_token *token, bool is_not, operand *out) {
    quote text = quote_operand(out);
    if (is_not && !out->is_boolean) {
        const struct comparison *comparison = find_comparison(&p->token);
        if (comparison)
            return fail(p, token->text, "! needs a boolean, but %s is a number: write !(%s %s ...)", text.text,
                        text.text, comparison->symbol);
        return fail_number(p, out, "! needs a boolean");
    }
    if (!is_not && out->is_boolean)
        return fail(p, out->start, "- needs a number, but %s is a boolean: write !%s", text.text, text.text);
    sinew_condition_op op = is_not ? SINEW_CONDITION_NOT : SINEW_CONDITION_NEGATE;
    sinew_condition_node node = {op, SINEW_GRAPH_NONE, out->node, SINEW_GRAPH_NONE, 0.0, 0};
    return add_node(p, token->text, node, out);
}

static bool parse_prefix(parser *p, operand *out) {
    *out = (operand){.start = p->token.text};
    bool is_not = next_is(p, "!");
    if (!is_not && !next_is(p, "-")) {
        if (!parse_primary(p, out)) return false;
        out->end = p->read_end;
        return true;
    }
    condition_token token = take_token(p);
    if (++p->prefix_count > SINEW_MAX_CONDITION_NODES)
        return fail_limit(p, token.text, "more than %d operations", SINEW_MAX_CONDITION_NODES);
    if (!parse_prefix(p, out) || !add_prefix(p, &token, is_not, out)) return false;
    out->start = token.text;
    return true;
}

static bool fail_chain(parser *p, const operand *left, const operand *middle, const struct comparison *second) {
    quote first = quote_operand(left), shared = quote_operand(middle);
    if (is_equality(second))
        return fail(p, p->token.text, "comparisons are not chained: write (%s) %s ...", first.text, second->symbol);
    return fail(p, p->token.text, "comparisons are not chained: write %s && %s %s ...", first.text, shared.text,
                second->symbol);
}

static bool parse_comparison(parser *p, operand *left) {
    if (!parse_prefix(p, left)) return false;
    const struct comparison *comparison = find_comparison(&p->token);
    if (!comparison) return true;
    condition_token token = take_token(p);
    operand right;
    if (!parse_prefix(p, &right) || !add_comparison(p, &token, comparison, left, &right)) return false;
    comparison = find_comparison(&p->token);
    return !comparison || fail_chain(p, left, &right, comparison);
}

// Level 0 is ||, 1 is &&, 2 the comparisons.
static bool parse_condition(parser *p, int level, operand *left) {
    if (level == 2) return parse_comparison(p, left);
    if (!parse_condition(p, level + 1, left)) return false;
    while (next_is(p, level == 0 ? "||" : "&&")) {
        condition_token token = take_token(p);
        operand right;
        if (!parse_condition(p, level + 1, &right) || !add_logic(p, &token, left, &right)) return false;
    }
    return true;
}

static bool parse_text(parser *p) {
    if (p->token.kind == CONDITION_TOKEN_END) return fail(p, p->text, "the condition is empty");
    operand whole;
    if (!parse_condition(p, 0, &whole)) return false;
    if (next_is(p, ")")) return fail(p, p->token.text, "\")\" without \"(\"");
    if (p->token.kind != CONDITION_TOKEN_END) return fail_unexpected(p, "an operator or the end");
    return whole.is_boolean || fail_number(p, &whole, "a condition is a boolean");
}

int32_t sinew_condition_compile(const char *text, const sinew_condition_scope *scope, sinew_condition_node *nodes,
                                sinew_condition_problem *problem) {
    parser p = {.text = text, .scope = scope, .nodes = nodes, .problem = problem};
    p.read_end = text;
    p.token = sinew_condition_next_token(text);
    return parse_text(&p) ? p.node_count : 0;
}
