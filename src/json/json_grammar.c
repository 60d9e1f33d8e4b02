// SPDX-License-Identifier: MIT
// Checks the JSON grammar (RFC 8259) and makes the nodes, in one pass without recursion.
//
// Each accept function reads one element of the grammar at the scanner's offset and advances past it. If the text
// doesn't match, it reports a problem and returns false. A container is an array or object. It stays open until its
// closing bracket.
#include "json/json.h"

#include <string.h>

typedef struct scanner {
    const char *text;
    size_t size, offset;
    sinewi_json_node *nodes;
    int32_t node_count;
    const char *problem; // NULL if none so far
    int depth;           // number of open containers
    struct {
        int32_t node, last; // the container and its last element or key so far
    } open[SINEWI_JSON_MAX_DEPTH + 1];
} scanner;

// Always returns false, so a check fits on one line.
static bool report_problem(scanner *s, const char *problem) {
    s->problem = problem;
    return false;
}

// Returns the next character, or 0 at the end. The grammar doesn't allow zero bytes anywhere in a text.
static char peek_char(const scanner *s) {
    return s->offset < s->size ? s->text[s->offset] : '\0';
}

// Advances past the next character if it is the expected one.
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

static void add_node(scanner *s, sinewi_json_kind kind, size_t start, size_t end) {
    s->nodes[s->node_count++] =
        (sinewi_json_node){.kind = (uint8_t)kind, .start = (int32_t)start, .end = (int32_t)end};
}

// Returns whether a byte of a string stands for itself.
static bool is_plain(char byte) {
    return (unsigned char)byte >= 0x20 && (unsigned char)byte < 0x80 && byte != '"' && byte != '\\';
}

// Accepts a string with its quotes. Its bytes don't have to be valid UTF-8, because json_text.c replaces invalid ones.
static bool accept_string(scanner *s) {
    if (!take_char(s, '"')) return report_problem(s, "a string is expected");
    size_t start = s->offset;
    bool plain = true;
    for (;;) {
        size_t offset = s->offset;
        while (offset < s->size && is_plain(s->text[offset])) offset++;
        s->offset = offset;
        if (offset == s->size) return report_problem(s, "the text ends inside a string");
        if ((unsigned char)s->text[offset] < 0x20)
            return report_problem(s, "a string contains a control character");
        s->offset++;
        if (s->text[offset] == '"') break;
        plain = false;
        if (s->text[offset] == '\\' && !accept_escape(s)) return false;
    }
    add_node(s, SINEWI_JSON_STRING, start, s->offset - 1);
    s->nodes[s->node_count - 1].plain = plain;
    return true;
}

// Accepts one or more digits.
static bool accept_digits(scanner *s) {
    if (!is_digit(peek_char(s))) return report_problem(s, "a digit is expected");
    while (is_digit(peek_char(s))) s->offset++;
    return true;
}

// -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?
static bool accept_digits_and_exponent(scanner *s) {
    take_char(s, '-');
    bool leading_zero = take_char(s, '0');
    if (leading_zero && is_digit(peek_char(s))) return report_problem(s, "a number has a leading 0");
    if (!leading_zero && !accept_digits(s)) return false;
    if (take_char(s, '.') && !accept_digits(s)) return false;
    if (!take_char(s, 'e') && !take_char(s, 'E')) return true;
    if (!take_char(s, '+')) take_char(s, '-');
    return accept_digits(s);
}

static bool accept_number(scanner *s) {
    size_t start = s->offset;
    if (!accept_digits_and_exponent(s)) return false;
    add_node(s, SINEWI_JSON_NUMBER, start, s->offset);
    return true;
}

// Accepts true, false or null.
static bool accept_word(scanner *s, const char *expected, sinewi_json_kind kind) {
    size_t length = strlen(expected);
    if (s->size - s->offset < length || memcmp(s->text + s->offset, expected, length) != 0)
        return report_problem(s, "a value is expected");
    add_node(s, kind, s->offset, s->offset + length);
    s->offset += length;
    return true;
}

// Accepts an object's key and the colon, including white space. The caller accepts the value.
static bool accept_key(scanner *s) {
    skip_space(s);
    if (peek_char(s) != '"') return report_problem(s, "a key is expected");
    if (!accept_string(s)) return false;
    s->nodes[s->node_count - 1].key = true;
    skip_space(s);
    return take_char(s, ':') || report_problem(s, "':' is expected");
}

// ---- Containers ----------------------------------------------------------------------------------------------------

static char closer_of(sinewi_json_kind kind) {
    return kind == SINEWI_JSON_ARRAY ? ']' : '}';
}

static sinewi_json_kind open_kind(const scanner *s) {
    return (sinewi_json_kind)s->nodes[s->open[s->depth - 1].node].kind;
}

// Call this before the value of each element or member. Accepts the key of a member.
static bool begin_element(scanner *s) {
    s->open[s->depth - 1].last = s->node_count;
    return open_kind(s) == SINEWI_JSON_ARRAY || accept_key(s);
}

static void end_container(scanner *s) {
    s->depth--;
    s->nodes[s->open[s->depth].node].next = s->node_count;
}

// Accepts an opening bracket and an object's first key. Closes an empty container right away. Otherwise sets
// `*has_content`, and a value must follow.
static bool open_container(scanner *s, sinewi_json_kind kind, bool *has_content) {
    s->open[s->depth++].node = s->node_count;
    add_node(s, kind, s->offset, s->offset);
    s->offset++;
    skip_space(s);
    *has_content = !take_char(s, closer_of(kind));
    if (!*has_content) {
        end_container(s);
        return true;
    }
    if (s->depth > SINEWI_JSON_MAX_DEPTH) return report_problem(s, "arrays and objects are nested too deeply");
    return begin_element(s);
}

// Accepts a value, but only the start of a container. See open_container.
static bool accept_value(scanner *s, bool *has_content) {
    *has_content = false;
    skip_space(s);
    switch (peek_char(s)) {
    case '{':
        return open_container(s, SINEWI_JSON_OBJECT, has_content);
    case '[':
        return open_container(s, SINEWI_JSON_ARRAY, has_content);
    case '"':
        return accept_string(s);
    case 't':
        return accept_word(s, "true", SINEWI_JSON_TRUE);
    case 'f':
        return accept_word(s, "false", SINEWI_JSON_FALSE);
    case 'n':
        return accept_word(s, "null", SINEWI_JSON_NULL);
    default:
        if (peek_char(s) == '-' || is_digit(peek_char(s))) return accept_number(s);
        return report_problem(s, s->offset < s->size ? "a value is expected"
                                                     : "the text ends where a value is expected");
    }
}

// Call this after a complete value. Accepts the brackets of all containers that end here, then a comma and in an object
// the next key. If it sets `*more`, another value must follow. Otherwise the text has ended.
static bool close_containers(scanner *s, bool *more) {
    *more = false;
    for (;;) {
        skip_space(s);
        if (s->depth == 0) return s->offset == s->size || report_problem(s, "text follows the end of the value");
        if (take_char(s, ',')) {
            *more = true;
            return begin_element(s);
        }
        bool is_array = open_kind(s) == SINEWI_JSON_ARRAY;
        if (!take_char(s, is_array ? ']' : '}'))
            return report_problem(s, is_array ? "',' or ']' is expected" : "',' or '}' is expected");
        s->nodes[s->open[s->depth - 1].last].last = true;
        end_container(s);
    }
}

// Accepts the root value and checks that the text ends after it.
static bool accept_text(scanner *s) {
    bool more = true;
    while (more) {
        bool has_content;
        if (!accept_value(s, &has_content)) return false;
        if (!has_content && !close_containers(s, &more)) return false;
    }
    return true;
}

// ---- The text ------------------------------------------------------------------------------------------------------

static bool is_separator(char c) {
    return c == ',' || c == ':' || c == '[' || c == '{';
}

// Every node except the root comes after a separator. This counts separators inside strings because skipping them would
// take another scan. Counting a block in a single byte lets compilers use vectors of bytes.
size_t sinewi_json_max_nodes(const char *text, size_t size) {
    enum { BLOCK = 128 };
    size_t count = 1;
    for (size_t i = 0; i < size; i += BLOCK) {
        uint8_t in_block = 0;
        size_t end = size - i < BLOCK ? size : i + BLOCK;
        for (size_t k = i; k < end; k++) in_block = (uint8_t)(in_block + is_separator(text[k]));
        count += in_block;
    }
    return count;
}

bool sinewi_json_scan(const char *text, size_t size, sinewi_json_node *nodes, int32_t *node_count,
                      sinewi_json_problem *problem) {
    scanner s = {.text = text, .size = size, .nodes = nodes};
    if (!accept_text(&s)) {
        *problem = (sinewi_json_problem){s.problem, s.offset < size ? s.offset : size};
        return false;
    }
    *node_count = s.node_count;
    return true;
}
