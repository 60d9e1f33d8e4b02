// SPDX-License-Identifier: MIT
// Splits a condition into tokens. Text that isn't part of the language also becomes a token, because the parser knows
// what it expects and can describe it.
#include "motion/graph_condition_token.h"

#include <string.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_name_char(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static const char *skip_digits(const char *cursor) {
    while (is_digit(*cursor)) cursor++;
    return cursor;
}

// Returns the end of a number in JSON's grammar, without a sign. NULL if there isn't one.
static const char *end_of_number(const char *text) {
    const char *end = skip_digits(text);
    if (end == text) return NULL;
    if (*end == '.') {
        const char *digits = end + 1;
        end = skip_digits(digits);
        if (end == digits) return NULL;
    }
    if (*end == 'e' || *end == 'E') {
        const char *digits = end + (end[1] == '-' || end[1] == '+' ? 2 : 1);
        end = skip_digits(digits);
        if (end == digits) return NULL;
    }
    return end;
}

static condition_token make_token(condition_token_kind kind, const char *text, const char *end) {
    return (condition_token){kind, text, (size_t)(end - text)};
}

// Reads a number and everything that follows it without a space, such as a unit.
static condition_token read_number(const char *text) {
    const char *end = end_of_number(text);
    if (end && !is_name_char(*end) && *end != '.') return make_token(CONDITION_TOKEN_NUMBER, text, end);
    for (end = text; is_name_char(*end) || *end == '.';) end++;
    return make_token(CONDITION_TOKEN_BAD_NUMBER, text, end);
}

static condition_token read_string(const char *text) {
    const char *end = strchr(text + 1, text[0]);
    if (end) return make_token(CONDITION_TOKEN_STRING, text, end + 1);
    return make_token(CONDITION_TOKEN_OPEN_STRING, text, text + strlen(text));
}

// Multi-character operators, longer ones first. Includes operators of other languages, so that errors
// can quote them whole.
static const char symbols[][4] = {"===", "!==", "&&", "||", "==", "!=", "<=", ">=", "=>", "=<", "<>"};

static condition_token read_symbol(const char *text) {
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        size_t length = strlen(symbols[i]);
        if (strncmp(text, symbols[i], length) == 0) return make_token(CONDITION_TOKEN_SYMBOL, text, text + length);
    }
    const char *end = text + 1;
    while ((*end & 0xC0) == 0x80) end++; // the rest of a UTF-8 character
    return make_token(CONDITION_TOKEN_SYMBOL, text, end);
}

condition_token sinewi_condition_next_token(const char *text) {
    while (*text == ' ' || *text == '\t' || *text == '\n' || *text == '\r') text++;
    if (*text == '\0') return make_token(CONDITION_TOKEN_END, text, text);
    if (is_digit(*text) || (*text == '.' && is_digit(text[1]))) return read_number(text);
    if (*text == '\'' || *text == '"') return read_string(text);
    if (!is_name_char(*text)) return read_symbol(text);
    const char *end = text;
    while (is_name_char(*end)) end++;
    return make_token(CONDITION_TOKEN_NAME, text, end);
}

bool sinewi_condition_token_is(const condition_token *token, const char *text) {
    return strncmp(token->text, text, token->length) == 0 && text[token->length] == '\0';
}
