// SPDX-License-Identifier: MIT
// The tokens of a condition.
#ifndef SINEWI_CONDITION_TOKEN_H
#define SINEWI_CONDITION_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

typedef enum condition_token_kind {
    CONDITION_TOKEN_END,
    CONDITION_TOKEN_NAME,
    CONDITION_TOKEN_NUMBER,
    CONDITION_TOKEN_STRING, // its text includes the quotes
    CONDITION_TOKEN_SYMBOL, // an operator, a parenthesis, a point, or any other character
    CONDITION_TOKEN_BAD_NUMBER,
    CONDITION_TOKEN_OPEN_STRING // has no closing quote
} condition_token_kind;

typedef struct condition_token {
    condition_token_kind kind;
    const char *text; // not terminated
    size_t length;    // 0 only for the end
} condition_token;

// Skips spaces and returns the first token of a zero-terminated text. Any bytes are safe.
condition_token sinewi_condition_next_token(const char *text);

// Whether a token has exactly this text.
bool sinewi_condition_token_is(const condition_token *token, const char *text);

#endif
