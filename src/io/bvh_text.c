// SPDX-License-Identifier: MIT
// Reads words, names and numbers. Lines end with "\n", "\r\n" or "\r". Skips a byte order mark.
#include "io/bvh_text.h"
#include "json/decimal.h"

#include <math.h>
#include <string.h>

static bool is_line_end(char c) {
    return c == '\n' || c == '\r';
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || is_line_end(c);
}

static bool is_separator(char c) {
    return is_space(c) || c == ':';
}

static bool is_brace(char c) {
    return c == '{' || c == '}';
}

sinewi_bvh_text sinewi_bvh_text_begin(const void *data, size_t size) {
    const char *start = (const char *)data, *end = start + size;
    if (size >= 3 && memcmp(start, "\xEF\xBB\xBF", 3) == 0) start += 3;
    return (sinewi_bvh_text){start, end, start, 1};
}

static bool is_comment(const char *cursor, const char *end) {
    return cursor < end && (*cursor == '#' || (*cursor == '/' && cursor + 1 < end && cursor[1] == '/'));
}

// Skips whitespace, colons and comments. Comments go to the end of their line.
static const char *skip_to_word(const char *cursor, const char *end) {
    for (;;) {
        while (cursor < end && is_separator(*cursor)) cursor++;
        if (!is_comment(cursor, end)) return cursor;
        while (cursor < end && !is_line_end(*cursor)) cursor++;
    }
}

sinewi_bvh_word sinewi_bvh_next_word(sinewi_bvh_text *text) {
    const char *cursor = skip_to_word(text->cursor, text->end);
    const char *start = cursor;
    if (cursor < text->end && is_brace(*cursor)) {
        cursor++;
    } else {
        while (cursor < text->end && !is_separator(*cursor) && !is_brace(*cursor)) cursor++;
    }
    text->cursor = cursor;
    return (sinewi_bvh_word){start, (size_t)(cursor - start)};
}

sinewi_bvh_word sinewi_bvh_peek_word(const sinewi_bvh_text *text) {
    sinewi_bvh_text ahead = *text;
    return sinewi_bvh_next_word(&ahead);
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool sinewi_bvh_word_is(sinewi_bvh_word word, const char *expected) {
    if (word.length != strlen(expected)) return false;
    for (size_t i = 0; i < word.length; i++) {
        if (lower(word.text[i]) != lower(expected[i])) return false;
    }
    return true;
}

sinewi_bvh_word sinewi_bvh_next_name(sinewi_bvh_text *text) {
    const char *start = text->cursor, *end = start;
    while (end < text->end && !is_line_end(*end) && *end != '{') end++;
    text->cursor = end;
    while (start < end && is_space(*start)) start++;
    if (is_comment(start, end)) start = end;
    while (end > start && is_space(end[-1])) end--;
    return (sinewi_bvh_word){start, (size_t)(end - start)};
}

// ---- Numbers -------------------------------------------------------------------------------------------------

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *cursor, const char *end) {
    while (cursor < end && is_digit(*cursor)) cursor++;
    return cursor;
}

static const char *skip_sign(const char *cursor, const char *end) {
    return cursor < end && (*cursor == '-' || *cursor == '+') ? cursor + 1 : cursor;
}

// Whether an unsigned text is a number, like "1", "1.", ".5" or "1.5e-3".
static bool is_number(const char *cursor, const char *end) {
    const char *point = skip_digits(cursor, end), *after = point;
    size_t digits = (size_t)(point - cursor);
    if (point < end && *point == '.') {
        after = skip_digits(point + 1, end);
        digits += (size_t)(after - point - 1);
    }
    if (digits == 0) return false;
    if (after == end) return true;
    if (lower(*after) != 'e') return false;
    const char *exponent = skip_sign(after + 1, end);
    return exponent < end && skip_digits(exponent, end) == end;
}

bool sinewi_bvh_read_number(sinewi_bvh_word word, double *number) {
    const char *end = word.text + word.length, *start = skip_sign(word.text, end);
    if (!is_number(start, end)) return false;
    double size = sinewi_decimal_read(start, (size_t)(end - start));
    *number = word.text[0] == '-' ? -size : size;
    return isfinite(size);
}

// ---- Lines ---------------------------------------------------------------------------------------------------

int sinewi_bvh_line(sinewi_bvh_text *text, sinewi_bvh_word word) {
    for (; text->line_start < word.text; text->line_start++) {
        bool is_pair = *text->line_start == '\r' && text->line_start + 1 < text->end && text->line_start[1] == '\n';
        text->line += is_line_end(*text->line_start) && !is_pair;
    }
    return text->line;
}
