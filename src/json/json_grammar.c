// SPDX-License-Identifier: MIT
// Checks the grammar of JSON (RFC 8259) in one pass without recursion. jsmn, which splits the text into tokens
// afterwards, accepts much that is not JSON.
#include "json/json.h"

#include <string.h>

typedef struct scanner {
    const char *text;
    size_t size, offset;
    size_t node_count;
    const char *problem; // NULL: none so far
    int depth;
    char closers[SINEW_JSON_MAX_DEPTH]; // the closing bracket of each open container
} scanner;

static bool fail(scanner *s, const char *problem) {
    s->problem = problem;
    return false;
}

// Returns the next character, or 0 at the end. A zero byte in the text is invalid in any position of the grammar.
static char peek(const scanner *s) {
    return s->offset < s->size ? s->text[s->offset] : '\0';
}

static bool take(scanner *s, char expected) {
    if (s->offset >= s->size || s->text[s->offset] != expected) return false;
    s->offset++;
    return true;
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void skip_space(scanner *s) {
    while (is_space(peek(s))) s->offset++;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_hex(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool escape(scanner *s) {
    char c = peek(s);
    s->offset++;
    if (c != 'u') return (c != '\0' && strchr("\"\\/bfnrt", c)) || fail(s, "unknown escape in a string");
    for (int i = 0; i < 4; i++, s->offset++)
        if (!is_hex(peek(s))) return fail(s, "\\u is not followed by four hexadecimal digits");
    return true;
}

static bool string(scanner *s) {
    if (!take(s, '"')) return fail(s, "a string is expected");
    s->node_count++;
    while (s->offset < s->size) {
        char c = s->text[s->offset];
        if ((unsigned char)c < 0x20) return fail(s, "a string contains a control character");
        s->offset++;
        if (c == '"') return true;
        if (c == '\\' && !escape(s)) return false;
    }
    return fail(s, "the text ends inside a string");
}

static bool digits(scanner *s) {
    if (!is_digit(peek(s))) return fail(s, "a digit is expected");
    while (is_digit(peek(s))) s->offset++;
    return true;
}

static bool number(scanner *s) {
    s->node_count++;
    take(s, '-');
    bool leading_zero = take(s, '0');
    if (leading_zero && is_digit(peek(s))) return fail(s, "a number has a leading 0");
    if (!leading_zero && !digits(s)) return false;
    if (take(s, '.') && !digits(s)) return false;
    if (!take(s, 'e') && !take(s, 'E')) return true;
    if (!take(s, '+')) take(s, '-');
    return digits(s);
}

static bool word(scanner *s, const char *expected) {
    size_t length = strlen(expected);
    if (s->size - s->offset < length || memcmp(s->text + s->offset, expected, length) != 0)
        return fail(s, "a value is expected");
    s->offset += length;
    s->node_count++;
    return true;
}

static bool key(scanner *s) {
    skip_space(s);
    if (peek(s) != '"') return fail(s, "a key is expected");
    if (!string(s)) return false;
    skip_space(s);
    return take(s, ':') || fail(s, "':' is expected");
}

// Opens a container. `*open` is set unless it is empty; then a value is expected next.
static bool container(scanner *s, char closer, bool *open) {
    s->offset++;
    s->node_count++;
    skip_space(s);
    *open = !take(s, closer);
    if (!*open) return true;
    if (s->depth == SINEW_JSON_MAX_DEPTH) return fail(s, "arrays and objects are nested too deeply");
    s->closers[s->depth++] = closer;
    return closer == ']' || key(s);
}

static bool value(scanner *s, bool *open) {
    *open = false;
    skip_space(s);
    switch (peek(s)) {
    case '{':
        return container(s, '}', open);
    case '[':
        return container(s, ']', open);
    case '"':
        return string(s);
    case 't':
        return word(s, "true");
    case 'f':
        return word(s, "false");
    case 'n':
        return word(s, "null");
    default:
        if (peek(s) == '-' || is_digit(peek(s))) return number(s);
        return fail(s, s->offset < s->size ? "a value is expected" : "the text ends where a value is expected");
    }
}

// Reads what follows a value: closes the containers that end. `*more` is set if another value is expected.
static bool after_value(scanner *s, bool *more) {
    *more = false;
    for (;;) {
        skip_space(s);
        if (s->depth == 0) return s->offset == s->size || fail(s, "text follows the end of the value");
        char closer = s->closers[s->depth - 1];
        if (take(s, ',')) {
            *more = true;
            return closer == ']' || key(s);
        }
        if (!take(s, closer)) return fail(s, closer == ']' ? "',' or ']' is expected" : "',' or '}' is expected");
        s->depth--;
    }
}

static bool whole_text(scanner *s) {
    bool more = true;
    while (more) {
        bool open;
        if (!value(s, &open)) return false;
        if (!open && !after_value(s, &more)) return false;
    }
    return true;
}

bool sinew_json_check(const char *text, size_t size, size_t *node_count, sinew_json_problem *problem) {
    scanner s = {.text = text, .size = size};
    if (!whole_text(&s)) {
        *problem = (sinew_json_problem){s.problem, s.offset < size ? s.offset : size};
        return false;
    }
    *node_count = s.node_count;
    return true;
}
