// SPDX-License-Identifier: MIT
// A growing JSON text.
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool grow(web_text *to, size_t more) {
    if (to->failed) return false;
    if (more < to->capacity - to->length) return true;
    size_t capacity = 2 * (to->capacity + more);
    char *bytes = realloc(to->bytes, capacity);
    if (!bytes) {
        to->failed = true;
        return false;
    }
    to->bytes = bytes;
    to->capacity = capacity;
    return true;
}

void web_text_add(web_text *to, const char *format, ...) {
    if (!grow(to, 256)) return;
    va_list arguments;
    va_start(arguments, format);
    to->length += (size_t)vsnprintf(to->bytes + to->length, 256, format, arguments);
    va_end(arguments);
}

void web_text_add_string(web_text *to, const char *string) {
    if (!grow(to, 6 * strlen(string) + 3)) return; // a byte becomes at most six: \u001f
    char *end = to->bytes + to->length;
    *end++ = '"';
    for (; *string; string++) {
        unsigned char c = (unsigned char)*string;
        if (c < 0x20) {
            end += snprintf(end, 7, "\\u%04x", c);
            continue;
        }
        if (c == '"' || c == '\\') *end++ = '\\';
        *end++ = (char)c;
    }
    *end++ = '"';
    to->length = (size_t)(end - to->bytes);
}

char *web_text_end(web_text *to) {
    if (!to->failed) return to->bytes;
    free(to->bytes);
    return NULL;
}

const char *web_comma(int index) {
    return index > 0 ? "," : "";
}

const char *web_truth(bool value) {
    return value ? "true" : "false";
}
