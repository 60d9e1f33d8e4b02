// SPDX-License-Identifier: MIT
// Shared by the files of the condition parser. Functions that can fail return false and write the problem. The first
// problem ends parsing.
#ifndef SINEWI_CONDITION_PARSER_H
#define SINEWI_CONDITION_PARSER_H

#include "motion/graph_condition.h"
#include "motion/graph_condition_token.h"

#include "base/fail.h"

typedef struct condition_parser {
    const char *text;
    condition_token token; // the next one
    const char *read_end;  // end of the previous token
    const sinewi_condition_scope *scope;
    sinew_condition_node *nodes;
    int32_t node_count;
    sinewi_condition_problem *problem;
} condition_parser;

// What a part of the text computes.
typedef struct condition_operand {
    int32_t node;
    bool is_boolean;
    const char *start, *end; // in the text
} condition_operand;

// A part of the text, short enough for a message.
typedef struct condition_quote {
    char text[48];
} condition_quote;

// What other languages write, and the right way to write it in a condition.
typedef struct condition_slip {
    const char *written, *right;
} condition_slip;

// ---- Tokens and operations: graph_condition_problem.c -----------------------------------------------------------

// Returns the next token and advances past it.
condition_token sinewi_condition_take(condition_parser *p);

// Whether the next token has exactly this text.
bool sinewi_condition_next_is(const condition_parser *p, const char *symbol);

// The column of a position in the text.
int32_t sinewi_condition_column(const condition_parser *p, const char *position);

// ---- Problems: graph_condition_problem.c ------------------------------------------------------------------------

bool sinewi_condition_fail(condition_parser *p, const char *position, const char *format, ...) SINEWI_PRINTF(3, 4);

// The same for exceeding a limit of a condition or graph: SINEW_ERROR_LIMIT. `what` is a plural.
bool sinewi_condition_fail_limit(condition_parser *p, const char *position, int limit, const char *what);

// Fails because the next token isn't what was expected, or because the token itself is wrong.
bool sinewi_condition_fail_unexpected(condition_parser *p, const char *expected);

// Returns the slip that a token matches, or NULL.
const condition_slip *sinewi_condition_find_slip(const condition_token *token);

condition_quote sinewi_condition_quote_text(const char *start, const char *end);
condition_quote sinewi_condition_quote_token(const condition_token *token);

// ---- Names, numbers and functions: graph_condition_primary.c ----------------------------------------------------

// Reads a name, a number or a function and adds its operation.
bool sinewi_condition_parse_primary(condition_parser *p, condition_operand *out);

#endif
