// SPDX-License-Identifier: MIT
// Errors with the line of a word, and notes.
#include "bvh/bvh_read.h"

#include <stdio.h>

bool sinew_bvh_fail(sinew_bvh_import *b, sinew_bvh_word word, sinew_result result, const char *format, ...) {
    char line[32];
    va_list arguments;
    snprintf(line, sizeof line, "line %d: ", sinew_bvh_line(&b->text, word));
    va_start(arguments, format);
    sinew_fail_with_arguments(b->error, result, line, format, arguments);
    va_end(arguments);
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
    va_list arguments;
    va_start(arguments, format);
    sinew_log_arguments(&b->options.log, format, arguments);
    va_end(arguments);
}

bool sinew_bvh_next_number(sinew_bvh_import *b, double *number) {
    sinew_bvh_word word = sinew_bvh_next_word(&b->text);
    return sinew_bvh_read_number(word, number) || sinew_bvh_fail_expected(b, word, "a number");
}
