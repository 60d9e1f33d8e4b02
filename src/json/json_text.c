// SPDX-License-Identifier: MIT
// Strings of a JSON text. Also locations and quotes for error messages.
//
// Reads a string character by character. Escapes are decoded, and bytes that aren't valid UTF-8 become U+FFFD, the
// replacement character. A location is the path to a value, such as animations[2].samplers[0].input.
#include "json/json.h"

#include <stdio.h>
#include <string.h>

#define REPLACEMENT UINT32_C(0xFFFD)

// Writes a code point as UTF-8 and returns its length.
static size_t encode_utf8(uint32_t code, char out[4]) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char marks[5] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = length - 1; i > 0; i--, code >>= 6) out[i] = (char)(0x80 | (code & 0x3F));
    out[0] = (char)(marks[length] | code);
    return length;
}

// Reads four hexadecimal digits. The grammar check has seen them already.
static uint32_t read_hex4(const char *digits) {
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        char c = digits[i];
        uint32_t digit = c <= '9' ? (uint32_t)(c - '0') : (uint32_t)((c | 0x20) - 'a' + 10);
        value = value << 4 | digit;
    }
    return value;
}

// Decodes the four digits after \u. Also decodes the second half of a surrogate pair if it follows.
static uint32_t decode_unicode_escape(const char **cursor, const char *end) {
    uint32_t code = read_hex4(*cursor);
    *cursor += 4;
    if (code == 0 || (code & 0xFC00) == 0xDC00) return REPLACEMENT;
    if ((code & 0xFC00) != 0xD800) return code;
    if (end - *cursor < 6 || (*cursor)[0] != '\\' || (*cursor)[1] != 'u') return REPLACEMENT;
    uint32_t low = read_hex4(*cursor + 2);
    if ((low & 0xFC00) != 0xDC00) return REPLACEMENT;
    *cursor += 6;
    return 0x10000 + ((code & 0x3FF) << 10) + (low & 0x3FF);
}

// Decodes an escape sequence after its backslash. The grammar check has seen it already.
static uint32_t decode_escape(const char **cursor, const char *end) {
    char c = *(*cursor)++;
    switch (c) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'u':
        return decode_unicode_escape(cursor, end);
    default:
        return (unsigned char)c;
    }
}

// Decodes a multi-byte character. Replaces invalid bytes one at a time.
static uint32_t decode_utf8(const char **cursor, const char *end) {
    unsigned char first = (unsigned char)*(*cursor)++;
    int more = first >= 0xF0 && first < 0xF5   ? 3
               : first >= 0xE0 && first < 0xF0 ? 2
                                               : first >= 0xC2 && first < 0xE0;
    if (more == 0 || end - *cursor < more) return REPLACEMENT;
    uint32_t code = first & (0x3Fu >> more);
    for (int i = 0; i < more; i++) {
        unsigned char byte = (unsigned char)(*cursor)[i];
        if ((byte & 0xC0) != 0x80) return REPLACEMENT;
        code = code << 6 | (byte & 0x3F);
    }
    static const uint32_t smallest[4] = {0, 0x80, 0x800, 0x10000};
    bool surrogate = code >= 0xD800 && code < 0xE000;
    if (code < smallest[more] || surrogate || code > 0x10FFFF) return REPLACEMENT;
    *cursor += more;
    return code;
}

// Returns the next code point and advances the cursor. Never returns 0. That becomes U+FFFD, because the resulting
// strings are zero-terminated.
static uint32_t decode_next(const char **cursor, const char *end) {
    if (**cursor == '\\') {
        ++*cursor;
        return decode_escape(cursor, end);
    }
    if ((unsigned char)**cursor < 0x80) return (unsigned char)*(*cursor)++;
    return decode_utf8(cursor, end);
}

// Decodes while comparing, so it doesn't need a copy.
bool sinewi_json_equals(const sinewi_json *json, sinewi_json_value string, const char *text) {
    const sinewi_json_node *node = &json->nodes[string];
    const char *cursor = json->text + node->start, *end = json->text + sinewi_json_text_end(node);
    size_t size = (size_t)(end - cursor);
    if (node->plain) return strncmp(cursor, text, size) == 0 && text[size] == '\0';
    while (cursor < end) {
        char bytes[4];
        size_t length = encode_utf8(decode_next(&cursor, end), bytes);
        for (size_t i = 0; i < length; i++)
            if (*text++ != bytes[i]) return false; // also stops at the end of `text`, because no byte here is zero
    }
    return *text == '\0';
}

// Decodes twice: first to measure the string, then to copy it.
char *sinewi_json_string(const sinewi_json *json, sinewi_json_value string, sinewi_arena *arena, size_t *length) {
    const sinewi_json_node *node = &json->nodes[string];
    const char *start = json->text + node->start, *end = json->text + sinewi_json_text_end(node);
    char bytes[4];
    size_t size = 0;
    for (const char *cursor = start; cursor < end;) size += encode_utf8(decode_next(&cursor, end), bytes);

    char *copy = sinewi_arena_array(arena, char, size + 1);
    if (!copy) return NULL;
    char *to = copy;
    for (const char *cursor = start; cursor < end;) {
        size_t step = encode_utf8(decode_next(&cursor, end), bytes);
        memcpy(to, bytes, step);
        to += step;
    }
    *to = '\0';
    if (length) *length = size;
    return copy;
}

const char *sinewi_json_raw_string(const sinewi_json *json, sinewi_json_value string, size_t *length) {
    const sinewi_json_node *node = &json->nodes[string];
    *length = (size_t)(sinewi_json_text_end(node) - node->start);
    return memchr(json->text + node->start, '\\', *length) ? NULL : json->text + node->start;
}

// ---- For error messages --------------------------------------------------------------------------------------

// A text of limited size that is never cut inside a character.
typedef struct text_line {
    char *text;
    size_t size, used;
    bool full;
} text_line;

static void append(text_line *l, const char *bytes, size_t length) {
    l->full |= l->used + length >= l->size; // once a character doesn't fit, append nothing more
    if (l->full) return;
    memcpy(l->text + l->used, bytes, length);
    l->used += length;
    l->text[l->used] = '\0';
}

static void append_decoded(text_line *l, const char *cursor, const char *end) {
    while (cursor < end && !l->full) {
        char bytes[4];
        size_t length = encode_utf8(decode_next(&cursor, end), bytes);
        append(l, bytes, length);
    }
}

// Visits the children of every container once.
bool sinewi_json_index(sinewi_json *json, sinewi_arena *arena) {
    int32_t *positions = sinewi_arena_zeros(arena, int32_t, (size_t)json->node_count);
    int32_t *parents = sinewi_arena_array(arena, int32_t, (size_t)json->node_count);
    if (!positions || !parents) return false;
    parents[0] = SINEWI_JSON_ABSENT;
    for (int32_t i = 0; i < json->node_count; i++) {
        if (json->nodes[i].key) parents[i + 1] = i;
        if (json->nodes[i].kind < SINEWI_JSON_ARRAY) continue;
        int32_t position = 0, is_array = json->nodes[i].kind == SINEWI_JSON_ARRAY;
        for (sinewi_json_value e = i + 1; e < json->nodes[i].next; e = sinewi_json_next(json, e)) {
            positions[e] = is_array ? position++ : 0;
            parents[e] = i;
        }
    }
    json->positions = positions;
    json->parents = parents;
    return true;
}

// Returns an element's index in its array. Counts unless sinewi_json_index has stored it.
static int32_t index_in_array(const sinewi_json *json, sinewi_json_value array, sinewi_json_value value) {
    if (json->positions) return json->positions[value];
    int32_t position = 0;
    for (sinewi_json_value e = array + 1; e < value; e = sinewi_json_next(json, e)) position++;
    return position;
}

// Returns the child of `parent` that is `value` or contains it. Searches unless sinewi_json_index has stored parents.
static sinewi_json_value find_child(const sinewi_json *json, sinewi_json_value parent, sinewi_json_value value) {
    if (json->parents) {
        while (json->parents[value] != parent) value = json->parents[value];
        return value;
    }
    sinewi_json_value child = parent + 1;
    if (json->nodes[parent].key) return child;
    while (sinewi_json_next(json, child) <= value) child = sinewi_json_next(json, child);
    return child;
}

// Appends one step of a location, from a parent node to its child: `.key` or `[index]`.
static void append_path_part(text_line *l, const sinewi_json *json, sinewi_json_value parent,
                             sinewi_json_value value) {
    if (json->nodes[parent].kind == SINEWI_JSON_STRING) { // the value's key
        if (l->used > 0) append(l, ".", 1);
        append_decoded(l, json->text + json->nodes[parent].start,
                       json->text + sinewi_json_text_end(&json->nodes[parent]));
        return;
    }
    if (json->nodes[parent].kind != SINEWI_JSON_ARRAY) return;
    char bracket[16];
    int length = snprintf(bracket, sizeof bracket, "[%d]", (int)index_in_array(json, parent, value));
    append(l, bracket, (size_t)length);
}

// Writes the path from the root.
void sinewi_json_location(const sinewi_json *json, sinewi_json_value value, char *location, size_t size) {
    location[0] = '\0';
    text_line l = {location, size, 0, false};
    for (sinewi_json_value parent = 0; parent != value;) {
        sinewi_json_value child = find_child(json, parent, value);
        append_path_part(&l, json, parent, child);
        parent = child;
    }
}

void sinewi_json_quote(const sinewi_json *json, sinewi_json_value value, char *quote, size_t size) {
    const sinewi_json_node *node = &json->nodes[value];
    quote[0] = '\0';
    text_line l = {quote, size - 3, 0, false};
    append_decoded(&l, json->text + node->start, json->text + sinewi_json_text_end(node));
    if (l.full) memcpy(quote + l.used, "...", 4);
}
