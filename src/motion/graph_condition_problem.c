// SPDX-License-Identifier: MIT
// Problems in conditions: their column, the text at fault, and what to write in place of common slips.
#include "motion/graph_condition_parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

condition_token sinewi_condition_take(condition_parser *p) {
    condition_token token = p->token;
    p->read_end = token.text + token.length;
    p->token = sinewi_condition_next_token(p->read_end);
    return token;
}

bool sinewi_condition_next_is(const condition_parser *p, const char *symbol) {
    return sinewi_condition_token_is(&p->token, symbol);
}

int32_t sinewi_condition_column(const condition_parser *p, const char *position) {
    ptrdiff_t offset = position - p->text;
    return offset < INT32_MAX ? (int32_t)offset + 1 : INT32_MAX;
}

bool sinewi_condition_fail(condition_parser *p, const char *position, const char *format, ...) {
    p->problem->result = SINEW_ERROR_ARGUMENT;
    p->problem->column = sinewi_condition_column(p, position);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(p->problem->what, sizeof p->problem->what, format, arguments);
    va_end(arguments);
    return false;
}

bool sinewi_condition_fail_limit(condition_parser *p, const char *position, int limit, const char *what) {
    sinewi_condition_fail(p, position, "more than %d %s", limit, what);
    p->problem->result = SINEW_ERROR_LIMIT;
    return false;
}

// ---- Quotes --------------------------------------------------------------------------------------------------------

// A longer text is cut between two UTF-8 characters.
condition_quote sinewi_condition_quote_text(const char *start, const char *end) {
    condition_quote quote = {""};
    size_t length = (size_t)(end - start), room = sizeof quote.text - 1;
    if (length <= room) {
        memcpy(quote.text, start, length);
        return quote;
    }
    size_t cut = room - 3;
    while (cut > 0 && (start[cut] & 0xC0) == 0x80) cut--;
    memcpy(quote.text, start, cut);
    memcpy(quote.text + cut, "...", 3);
    return quote;
}

condition_quote sinewi_condition_quote_token(const condition_token *token) {
    return sinewi_condition_quote_text(token->text, token->text + token->length);
}

// ---- Unexpected tokens ---------------------------------------------------------------------------------------------

// The last four are typographic quotes, which some editors insert.
static const condition_slip slips[] = {
    {"and", "&&"},
    {"AND", "&&"},
    {"or", "||"},
    {"OR", "||"},
    {"not", "!"},
    {"NOT", "!"},
    {"=", "=="},
    {"===", "=="},
    {"!==", "!="},
    {"<>", "!="},
    {"=>", ">="},
    {"=<", "<="},
    {"&", "&&"},
    {"|", "||"},
    {"~", "!"},
    {"\xE2\x80\x98", "'"},
    {"\xE2\x80\x99", "'"},
    {"\xE2\x80\x9C", "\""},
    {"\xE2\x80\x9D", "\""},
};

const condition_slip *sinewi_condition_find_slip(const condition_token *token) {
    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; i++)
        if (sinewi_condition_token_is(token, slips[i].written)) return &slips[i];
    return NULL;
}

bool sinewi_condition_fail_unexpected(condition_parser *p, const char *expected) {
    const condition_token *token = &p->token;
    const condition_slip *slip = sinewi_condition_find_slip(token);
    if (slip) return sinewi_condition_fail(p, token->text, "write %s instead of %s", slip->right, slip->written);
    condition_quote found = sinewi_condition_quote_token(token);
    switch (token->kind) {
    case CONDITION_TOKEN_END:
        return sinewi_condition_fail(p, token->text, "expected %s, found the end", expected);
    case CONDITION_TOKEN_BAD_NUMBER:
        return sinewi_condition_fail(p, token->text, "\"%s\" is not a number: numbers are like 2, 0.5 and 1e3",
                                     found.text);
    case CONDITION_TOKEN_OPEN_STRING:
        return sinewi_condition_fail(p, token->text, "the string has no closing %c", token->text[0]);
    default:
        return sinewi_condition_fail(p, token->text, "expected %s, found \"%s\"", expected, found.text);
    }
}
