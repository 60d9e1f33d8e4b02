// SPDX-License-Identifier: MIT
// Checks the grammar of JSON (RFC 8259) in one pass without recursion, and counts the nodes that json.c will make.
// jsmn, which splits the text into tokens afterwards, accepts much that is not JSON.
//
// Each accept function reads one element of the grammar at the scanner's offset `s` and advances past it. It returns
// false with a problem if the text there is something else. A container is an array or an object; it is open until its
// closing bracket.
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

// Returns false, so that a check is one line.
static bool report_problem(scanner *s, const char *problem) {
    s->problem = problem;
    return false;
}

// Returns the next character, or 0 at the end. A zero byte in the text is invalid in any position of the grammar.
static char peek_char(const scanner *s) {
    return s->offset < s->size ? s->text[s->offset] : '\0';
}

// Advances past the character if it is the expected one.
static bool take_char(scanner *s, char expected) {
    if (s->offset >= s->size || s->text[s->offset] != expected) return false;
    s->offset++;
    return true;
}

static void skip_space(scanner *s) {
    for (char c = peek_char(s); c == ' ' || c == '\t' || c == '\r' || c == '\n'; c = peek_char(s)) s->offset++;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Accepts an escape sequence after its backslash.
static bool accept_escape(scanner *s) {
    char c = peek_char(s);
    s->offset++;
    if (c != 'u') return (c != '\0' && strchr("\"\\/bfnrt", c)) || report_problem(s, "unknown escape in a string");
    for (int i = 0; i < 4; i++, s->offset++) {
        char hex = peek_char(s);
        if (is_digit(hex) || (hex >= 'a' && hex <= 'f') || (hex >= 'A' && hex <= 'F')) continue;
        return report_problem(s, "\\u is not followed by four hexadecimal digits");
    }
    return true;
}

// Accepts a string with its quotes. Its bytes need not be valid UTF-8: json_text.c replaces those that are not.
static bool accept_string(scanner *s) {
    if (!take_char(s, '"')) return report_problem(s, "a string is expected");
    s->node_count++;
    while (s->offset < s->size) {
        char c = s->text[s->offset];
        if ((unsigned char)c < 0x20) return report_problem(s, "a string contains a control character");
        s->offset++;
        if (c == '"') return true;
        if (c == '\\' && !accept_escape(s)) return false;
    }
    return report_problem(s, "the text ends inside a string");
}

// Accepts one or more digits.
static bool accept_digits(scanner *s) {
    if (!is_digit(peek_char(s))) return report_problem(s, "a digit is expected");
    while (is_digit(peek_char(s))) s->offset++;
    return true;
}

// -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?
static bool accept_number(scanner *s) {
    s->node_count++;
    take_char(s, '-');
    bool leading_zero = take_char(s, '0');
    if (leading_zero && is_digit(peek_char(s))) return report_problem(s, "a number has a leading 0");
    if (!leading_zero && !accept_digits(s)) return false;
    if (take_char(s, '.') && !accept_digits(s)) return false;
    if (!take_char(s, 'e') && !take_char(s, 'E')) return true;
    if (!take_char(s, '+')) take_char(s, '-');
    return accept_digits(s);
}

// Accepts true, false or null.
static bool accept_word(scanner *s, const char *expected) {
    size_t length = strlen(expected);
    if (s->size - s->offset < length || memcmp(s->text + s->offset, expected, length) != 0)
        return report_problem(s, "a value is expected");
    s->offset += length;
    s->node_count++;
    return true;
}

// Accepts an object's key and the colon after it, with white space before each. The value is left to the caller.
static bool accept_key(scanner *s) {
    skip_space(s);
    if (peek_char(s) != '"') return report_problem(s, "a key is expected");
    if (!accept_string(s)) return false;
    skip_space(s);
    return take_char(s, ':') || report_problem(s, "':' is expected");
}

// Accepts an opening bracket, and an object's first key. An empty container is closed at once; otherwise `*has_content`
// is set, and a value must follow.
static bool open_container(scanner *s, char closer, bool *has_content) {
    s->offset++;
    s->node_count++;
    skip_space(s);
    *has_content = !take_char(s, closer);
    if (!*has_content) return true;
    if (s->depth == SINEW_JSON_MAX_DEPTH) return report_problem(s, "arrays and objects are nested too deeply");
    s->closers[s->depth++] = closer;
    return closer == ']' || accept_key(s);
}

// Accepts a value, but of a container only the start: see open_container.
static bool accept_value(scanner *s, bool *has_content) {
    *has_content = false;
    skip_space(s);
    switch (peek_char(s)) {
    case '{':
        return open_container(s, '}', has_content);
    case '[':
        return open_container(s, ']', has_content);
    case '"':
        return accept_string(s);
    case 't':
        return accept_word(s, "true");
    case 'f':
        return accept_word(s, "false");
    case 'n':
        return accept_word(s, "null");
    default:
        if (peek_char(s) == '-' || is_digit(peek_char(s))) return accept_number(s);
        return report_problem(s, s->offset < s->size ? "a value is expected"
                                                     : "the text ends where a value is expected");
    }
}

// Accepts what follows a complete value: the brackets of all containers that end there, then a comma and, in an object,
// the next key. `*more` is set if another value must follow; without it the text has ended.
static bool close_containers(scanner *s, bool *more) {
    *more = false;
    for (;;) {
        skip_space(s);
        if (s->depth == 0) return s->offset == s->size || report_problem(s, "text follows the end of the value");
        char closer = s->closers[s->depth - 1];
        if (take_char(s, ',')) {
            *more = true;
            return closer == ']' || accept_key(s);
        }
        if (!take_char(s, closer))
            return report_problem(s, closer == ']' ? "',' or ']' is expected" : "',' or '}' is expected");
        s->depth--;
    }
}

// Accepts values until the outermost one is complete and the text ends.
static bool accept_text(scanner *s) {
    bool more = true;
    while (more) {
        bool has_content;
        if (!accept_value(s, &has_content)) return false;
        if (!has_content && !close_containers(s, &more)) return false;
    }
    return true;
}

bool sinew_json_check(const char *text, size_t size, size_t *node_count, sinew_json_problem *problem) {
    scanner s = {.text = text, .size = size};
    if (!accept_text(&s)) {
        *problem = (sinew_json_problem){s.problem, s.offset < size ? s.offset : size};
        return false;
    }
    *node_count = s.node_count;
    return true;
}
