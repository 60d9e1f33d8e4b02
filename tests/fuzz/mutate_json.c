// SPDX-License-Identifier: MIT
// Changes JSON text: replaces a value by a number or another value of the text, removes it, or repeats it.
#include "fuzz/mutate.h"

#include <stdbool.h>
#include <string.h>

typedef struct span {
    size_t start, end; // a value's span in a text; empty if there isn't one
} span;

static uint32_t draw(uint64_t *random, size_t below) {
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return below > 0 ? (uint32_t)(*random >> 33) % (uint32_t)below : 0;
}

static size_t string_end(const char *text, size_t size, size_t at) {
    for (at++; at < size && text[at] != '"'; at++)
        if (text[at] == '\\') at++;
    return at < size ? at + 1 : size;
}

static size_t value_end(const char *text, size_t size, size_t at) {
    int depth = 0;
    while (at < size) {
        char c = text[at];
        if (c == '"') {
            at = string_end(text, size, at);
        } else if (c == '{' || c == '[') {
            depth++, at++;
        } else if (c == '}' || c == ']') {
            if (depth-- == 0) return at;
            at++;
        } else {
            if (c == ',' && depth == 0) return at;
            at++;
            continue;
        }
        if (depth == 0) return at;
    }
    return size;
}

// Returns the value after the first ":", "," or "[" from a random offset on. It may be a key or lie inside a
// string: some results are not JSON, which is harmless.
static span find_value(const char *text, size_t size, uint64_t *random) {
    size_t at = draw(random, size);
    while (at < size && !strchr(":,[", text[at])) at++;
    if (at >= size) return (span){0, 0};
    span found = {at + 1, value_end(text, size, at + 1)};
    return found;
}

// Replaces a span by `length` bytes, if there's space.
static size_t replace(char *text, size_t size, size_t most, span old, const char *with, size_t length) {
    size_t left = size - (old.end - old.start);
    if (length > most - left) return size;
    memmove(text + old.start + length, text + old.end, size - old.end);
    memcpy(text + old.start, with, length);
    return left + length;
}

static size_t put_number(char *text, size_t size, size_t most, span old, uint64_t *random) {
    static const char *const numbers[] = {
        "0",     "1",          "2",          "3",          "4",     "5",    "7",     "-1",   "0.5",  "255",  "256",
        "65535", "2147483647", "2147483648", "4294967295", "1e-45", "1e39", "1e400", "5120", "5121", "5123", "5125",
        "5126",  "true",       "null",       "[]",         "{}",    "\"\"", "16",    "12",   "1024"};
    const char *number = numbers[draw(random, sizeof numbers / sizeof numbers[0])];
    return replace(text, size, most, old, number, strlen(number));
}

enum { MOST_COPIED = 2048 };

static size_t put_copy(char *text, size_t size, size_t most, span old, uint64_t *random) {
    char copy[MOST_COPIED];
    span other = find_value(text, size, random);
    size_t length = other.end - other.start;
    if (length > sizeof copy) return size;
    memcpy(copy, text + other.start, length);
    return replace(text, size, most, old, copy, length);
}

// Includes the comma before it, so an array or object loses one element.
static size_t leave_out(char *text, size_t size, size_t most, span old) {
    if (old.start > 0 && text[old.start - 1] == ',') old.start--;
    return replace(text, size, most, old, "", 0);
}

static size_t repeat(char *text, size_t size, size_t most, span old, uint64_t *random) {
    char copy[MOST_COPIED + 1];
    size_t length = old.end - old.start;
    if (length > MOST_COPIED) return size;
    memcpy(copy, text + old.start, length);
    copy[length] = ',';
    for (uint32_t times = 1 + draw(random, 4); times > 0; times--)
        size = replace(text, size, most, (span){old.start, old.start}, copy, length + 1);
    return size;
}

size_t mutate_json(char *text, size_t size, size_t most, uint64_t *random) {
    span old = find_value(text, size, random);
    if (old.end == 0) return size;
    switch (draw(random, 8)) {
    case 0:
        return leave_out(text, size, most, old);
    case 1:
        return repeat(text, size, most, old, random);
    case 2:
    case 3:
        return put_copy(text, size, most, old, random);
    default:
        return put_number(text, size, most, old, random);
    }
}
