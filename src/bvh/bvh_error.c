// SPDX-License-Identifier: MIT
// Errors with the line of a word, and notes.
#include "bvh/bvh_read.h"

#include <stdarg.h>
#include <stdio.h>

#define MESSAGE_SIZE sizeof((sinew_error *)0)->message

bool sinew_bvh_fail(sinew_bvh_import *b, sinew_bvh_word word, sinew_result result, const char *format, ...) {
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    sinew_fail(b->error, result, "line %d: %s", sinew_bvh_line(&b->text, word), message);
    return false;
}

bool sinew_bvh_fail_expected(sinew_bvh_import *b, sinew_bvh_word word, const char *expected) {
    const int length = word.length < 40 ? (int)word.length : 40;
    if (length == 0) {
        return sinew_bvh_fail(b, word, SINEW_ERROR_FORMAT, "expected %s, found the end of the file", expected);
    }
    return sinew_bvh_fail(b, word, SINEW_ERROR_FORMAT, "expected %s, found '%.*s'", expected, length, word.text);
}

bool sinew_bvh_fail_memory(sinew_bvh_import *b) {
    if (b->data->budget.limited) {
        sinew_fail(b->error, SINEW_ERROR_LIMIT, "the file needs more than the memory limit of %zu bytes",
                   b->options.memory_limit);
    } else {
        sinew_fail_memory(b->error);
    }
    return false;
}

void sinew_bvh_note(const sinew_bvh_import *b, const char *format, ...) {
    if (!b->options.log.write) return;
    char message[MESSAGE_SIZE], escaped[4 * MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    sinew_escape(message, escaped, sizeof escaped);
    b->options.log.write(escaped, b->options.log.user);
}

bool sinew_bvh_next_number(sinew_bvh_import *b, double *number) {
    sinew_bvh_word word = sinew_bvh_next_word(&b->text);
    return sinew_bvh_read_number(word, number) || sinew_bvh_fail_expected(b, word, "a number");
}
