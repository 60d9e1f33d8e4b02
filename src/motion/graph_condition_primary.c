// SPDX-License-Identifier: MIT
// Operands of conditions: numbers, words, parameters and functions.
#include "motion/graph_condition_parser.h"
#include "motion/graph_find.h"
#include "base/nearest_name.h"

#include "base/float_rules.h"
#include "json/decimal.h"

#include <string.h>

// The number of bits in sinewi_condition_input.markers.
#define MAX_MARKERS 64

// The words of the condition language.
typedef struct word {
    const char *name;
    sinew_condition_op op;
    bool is_boolean;
    const char *example; // for a function; NULL for any other word
} word;

static const word words[] = {
    {"true", SINEW_CONDITION_NUMBER, true, NULL},
    {"false", SINEW_CONDITION_NUMBER, true, NULL},
    {"time", SINEW_CONDITION_TIME, false, NULL},
    {"fraction", SINEW_CONDITION_FRACTION, false, NULL},
    {"elapsed", SINEW_CONDITION_ELAPSED, false, NULL},
    {"loops", SINEW_CONDITION_LOOPS, false, NULL},
    {"finished", SINEW_CONDITION_FINISHED, true, NULL},
    {"curve", SINEW_CONDITION_CURVE, false, "curve('Grip')"},
    {"past", SINEW_CONDITION_PAST, true, "past(0.6)"},
    {"marker", SINEW_CONDITION_MARKER, true, "marker('Hit')"},
    {"in_tag", SINEW_CONDITION_IN_TAG, true, "in_tag('airborne')"},
    {"in_state", SINEW_CONDITION_IN_STATE, true, "in_state('Base/Jump')"},
};
#define WORD_COUNT (sizeof words / sizeof words[0])

static const word *find_word(const condition_token *name) {
    for (size_t i = 0; i < WORD_COUNT; i++)
        if (sinewi_condition_token_is(name, words[i].name)) return &words[i];
    return NULL;
}

bool sinewi_condition_is_word(const char *name) {
    condition_token token = {CONDITION_TOKEN_NAME, name, strlen(name)};
    return find_word(&token) || sinewi_condition_find_slip(&token);
}

// An operation that reads a value.
static sinew_condition_node make_node(sinew_condition_op op) {
    return (sinew_condition_node){
        .op = op, .index = SINEW_GRAPH_NONE, .left = SINEW_GRAPH_NONE, .right = SINEW_GRAPH_NONE};
}

static bool add_node(condition_parser *p, const condition_token *token, sinew_condition_node node,
                     condition_operand *out) {
    node.column = sinewi_condition_column(p, token->text);
    *out = (condition_operand){
        .node = p->node_count, .is_boolean = out->is_boolean, .start = token->text, .end = p->read_end};
    p->nodes[p->node_count++] = node;
    return true;
}

// ---- Numbers -------------------------------------------------------------------------------------------------------

// A number with a point or an exponent is rounded to float, like parameters.
static bool read_number(condition_parser *p, const condition_token *token, double *value) {
    *value = sinewi_decimal_read(token->text, token->length);
    if (*value > (double)FLT_MAX) {
        condition_quote text = sinewi_condition_quote_token(token);
        return sinewi_condition_fail(p, token->text, "the number %s is too large", text.text);
    }
    bool is_integer = true;
    for (size_t i = 0; i < token->length; i++) is_integer &= token->text[i] >= '0' && token->text[i] <= '9';
    if (!is_integer) *value = (double)(float)*value;
    return true;
}

static bool parse_number(condition_parser *p, condition_operand *out) {
    condition_token token = sinewi_condition_take(p);
    sinew_condition_node node = make_node(SINEW_CONDITION_NUMBER);
    out->is_boolean = false;
    return read_number(p, &token, &node.number) && add_node(p, &token, node, out);
}

// ---- Names ---------------------------------------------------------------------------------------------------------

static bool fail_function(condition_parser *p, const condition_token *name) {
    condition_quote text = sinewi_condition_quote_token(name);
    sinewi_nearest nearest = sinewi_nearest_begin(name->text, name->length);
    for (size_t i = 0; i < WORD_COUNT; i++)
        if (words[i].example) sinewi_nearest_try(&nearest, words[i].name);
    if (nearest.name[0] == '\0')
        return sinewi_condition_fail(p, name->text, "no function is named \"%s\"", text.text);
    return sinewi_condition_fail(p, name->text, "no function is named \"%s\"; did you mean \"%s\"?", text.text,
                                 nearest.name);
}

// Fails for an unknown name. It may belong to a tag or a state, or be misspelled.
static bool fail_name(condition_parser *p, const condition_token *name) {
    const sinew_graph *graph = p->scope->graph;
    condition_quote text = sinewi_condition_quote_token(name);
    if (sinewi_graph_tag_named(graph, name->text, name->length) != SINEW_GRAPH_NONE)
        return sinewi_condition_fail(p, name->text, "no parameter is named \"%s\"; write in_tag('%s') for the tag",
                                     text.text, text.text);
    sinewi_nearest nearest = sinewi_nearest_begin(name->text, name->length);
    for (int32_t i = 0; i < graph->parameter_count; i++) sinewi_nearest_try(&nearest, graph->parameters[i].name);
    for (size_t i = 0; i < WORD_COUNT; i++) sinewi_nearest_try(&nearest, words[i].name);
    if (nearest.name[0] != '\0')
        return sinewi_condition_fail(p, name->text, "no parameter is named \"%s\"; did you mean \"%s\"?", text.text,
                                     nearest.name);
    char path[128];
    sinewi_graph_suggest_path(graph, name->text, name->length, path, sizeof path);
    if (path[0] == '\0') return sinewi_condition_fail(p, name->text, "no parameter is named \"%s\"", text.text);
    return sinewi_condition_fail(p, name->text, "no parameter is named \"%s\"; write in_state('%s') for the state",
                                 text.text, path);
}

// Checks what follows a name that takes neither arguments nor coordinates.
static bool check_end_of_name(condition_parser *p, const condition_token *name) {
    condition_quote text = sinewi_condition_quote_token(name);
    if (sinewi_condition_next_is(p, "."))
        return sinewi_condition_fail(p, p->token.text, "%s has no coordinates; only a vector2 has them", text.text);
    if (sinewi_condition_next_is(p, "("))
        return sinewi_condition_fail(p, p->token.text, "%s is not a function: write it without parentheses",
                                     text.text);
    return true;
}

// Parses the point and the coordinate after a vector2's name. Sets the operation.
static bool parse_coordinate(condition_parser *p, const condition_token *name, sinew_condition_op *op) {
    condition_quote text = sinewi_condition_quote_token(name);
    if (!sinewi_condition_next_is(p, "."))
        return sinewi_condition_fail(p, name->text, "%s is a vector2: write %s.x or %s.y", text.text, text.text,
                                     text.text);
    sinewi_condition_take(p);
    bool is_y = sinewi_condition_next_is(p, "y");
    if (!is_y && !sinewi_condition_next_is(p, "x"))
        return sinewi_condition_fail_unexpected(p, "the coordinate x or y");
    sinewi_condition_take(p);
    *op = is_y ? SINEW_CONDITION_PARAMETER_Y : SINEW_CONDITION_PARAMETER;
    return true;
}

// Fails for a parameter that is a position or a rotation.
static bool fail_goal(condition_parser *p, const condition_token *name, sinew_parameter_type type) {
    condition_quote text = sinewi_condition_quote_token(name);
    return sinewi_condition_fail(p, name->text, "%s is a %s; conditions cannot read it", text.text,
                                 type == SINEW_PARAMETER_VECTOR3 ? "vector3" : "transform");
}

static bool parse_parameter(condition_parser *p, const condition_token *name, condition_operand *out) {
    const sinew_graph *graph = p->scope->graph;
    int32_t index = sinewi_graph_parameter_named(graph, name->text, name->length);
    if (index == SINEW_GRAPH_NONE)
        return sinewi_condition_next_is(p, "(") ? fail_function(p, name) : fail_name(p, name);
    sinew_parameter_type type = graph->parameters[index].type;
    if (type == SINEW_PARAMETER_VECTOR3 || type == SINEW_PARAMETER_TRANSFORM) return fail_goal(p, name, type);
    sinew_condition_node node = make_node(SINEW_CONDITION_PARAMETER);
    node.index = index;
    bool is_vector = type == SINEW_PARAMETER_VECTOR2;
    if (is_vector ? !parse_coordinate(p, name, &node.op) : !check_end_of_name(p, name)) return false;
    out->is_boolean = type == SINEW_PARAMETER_BOOL || type == SINEW_PARAMETER_TRIGGER;
    return add_node(p, name, node, out);
}

// ---- Functions -----------------------------------------------------------------------------------------------------

static bool parse_past(condition_parser *p, sinew_condition_node *node) {
    if (p->token.kind != CONDITION_TOKEN_NUMBER) return sinewi_condition_fail_unexpected(p, "a number from 0 to 1");
    condition_token token = sinewi_condition_take(p);
    if (!read_number(p, &token, &node->number)) return false;
    condition_quote text = sinewi_condition_quote_token(&token);
    return node->number <= 1.0 ||
           sinewi_condition_fail(p, token.text, "past needs a number from 0 to 1, not %s", text.text);
}

// Finds the name of a marker or a curve. Those belong to clips and skeletons, so the graph can't check them.
static bool find_outer_name(condition_parser *p, const word *function, const condition_token *string,
                            const char *name, size_t length, int32_t *index) {
    if (length == 0) return sinewi_condition_fail(p, string->text, "the name of a %s is empty", function->name);
    *index = p->scope->find_name(function->op, name, length, p->scope->user);
    if (*index != SINEW_GRAPH_NONE) return true;
    if (function->op == SINEW_CONDITION_MARKER)
        return sinewi_condition_fail_limit(p, string->text, MAX_MARKERS, "markers in a graph's conditions");
    return sinewi_condition_fail_limit(p, string->text, SINEW_MAX_GRAPH_CURVES, "curves in a graph's conditions");
}

static bool find_tag(condition_parser *p, const condition_token *string, const char *name, size_t length,
                     int32_t *index) {
    const sinew_graph *graph = p->scope->graph;
    *index = sinewi_graph_tag_named(graph, name, length);
    if (*index != SINEW_GRAPH_NONE) return true;
    condition_quote text = sinewi_condition_quote_text(name, name + length);
    sinewi_nearest nearest = sinewi_nearest_begin(name, length);
    for (int32_t i = 0; i < graph->tag_count; i++) sinewi_nearest_try(&nearest, graph->tags[i]);
    if (nearest.name[0] == '\0')
        return sinewi_condition_fail(p, string->text, "no state has the tag \"%s\"", text.text);
    return sinewi_condition_fail(p, string->text, "no state has the tag \"%s\"; did you mean \"%s\"?", text.text,
                                 nearest.name);
}

static bool find_state(condition_parser *p, const condition_token *string, const char *name, size_t length,
                       int32_t *index) {
    const sinew_graph *graph = p->scope->graph;
    *index = sinewi_graph_state_at_path(graph, name, length);
    if (*index != SINEW_GRAPH_NONE) return true;
    condition_quote text = sinewi_condition_quote_text(name, name + length);
    char path[128];
    sinewi_graph_suggest_path(graph, name, length, path, sizeof path);
    if (path[0] == '\0') return sinewi_condition_fail(p, string->text, "no state has the path \"%s\"", text.text);
    return sinewi_condition_fail(p, string->text, "no state has the path \"%s\"; did you mean \"%s\"?", text.text,
                                 path);
}

// Parses the argument of curve, marker, in_tag or in_state.
static bool parse_name(condition_parser *p, const word *function, int32_t *index) {
    if (p->token.kind == CONDITION_TOKEN_NAME) {
        condition_quote text = sinewi_condition_quote_token(&p->token);
        return sinewi_condition_fail(p, p->token.text, "the name needs quotes: write %s('%s')", function->name,
                                     text.text);
    }
    if (p->token.kind != CONDITION_TOKEN_STRING) return sinewi_condition_fail_unexpected(p, "a name in quotes");
    condition_token string = sinewi_condition_take(p);
    const char *name = string.text + 1;
    size_t length = string.length - 2;
    if (function->op == SINEW_CONDITION_IN_TAG) return find_tag(p, &string, name, length, index);
    if (function->op == SINEW_CONDITION_IN_STATE) return find_state(p, &string, name, length, index);
    return find_outer_name(p, function, &string, name, length, index);
}

static bool parse_argument(condition_parser *p, const word *function, sinew_condition_node *node) {
    if (!sinewi_condition_next_is(p, "("))
        return sinewi_condition_fail(p, p->token.text, "%s needs an argument: %s", function->name,
                                     function->example);
    sinewi_condition_take(p);
    bool is_past = function->op == SINEW_CONDITION_PAST;
    if (is_past ? !parse_past(p, node) : !parse_name(p, function, &node->index)) return false;
    if (!sinewi_condition_next_is(p, ")")) return sinewi_condition_fail_unexpected(p, "\")\" after the argument");
    sinewi_condition_take(p);
    return true;
}

static bool parse_word(condition_parser *p, const condition_token *name, const word *found,
                       condition_operand *out) {
    sinew_condition_node node = make_node(found->op);
    if (found->op == SINEW_CONDITION_NUMBER) node.number = strcmp(found->name, "true") == 0;
    if (found->example ? !parse_argument(p, found, &node) : !check_end_of_name(p, name)) return false;
    out->is_boolean = found->is_boolean;
    return add_node(p, name, node, out);
}

bool sinewi_condition_parse_primary(condition_parser *p, condition_operand *out) {
    if (p->token.kind == CONDITION_TOKEN_NUMBER) return parse_number(p, out);
    if (p->token.kind == CONDITION_TOKEN_STRING)
        return sinewi_condition_fail(p, p->token.text,
                                     "a string can only be an argument of curve, marker, in_tag or in_state");
    if (p->token.kind != CONDITION_TOKEN_NAME || sinewi_condition_find_slip(&p->token))
        return sinewi_condition_fail_unexpected(p, "a name, a number, \"!\", \"-\" or \"(\"");
    condition_token name = sinewi_condition_take(p);
    const word *found = find_word(&name);
    return found ? parse_word(p, &name, found, out) : parse_parameter(p, &name, out);
}
