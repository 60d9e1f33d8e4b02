// SPDX-License-Identifier: MIT
// Errors that name a word's line, and notes.
#include "io/bvh_read.h"

#include <stdio.h>

bool sinewi_bvh_fail(sinewi_bvh_import *b, sinewi_bvh_word word, sinew_result result, const char *format, ...) {
    char line[32];
    va_list arguments;
    snprintf(line, sizeof line, "line %d: ", sinewi_bvh_line(&b->text, word));
    va_start(arguments, format);
    sinewi_fail_with_arguments(b->error, result, line, format, arguments);
    va_end(arguments);
    return false;
}

bool sinewi_bvh_fail_expected(sinewi_bvh_import *b, sinewi_bvh_word word, const char *expected) {
    const int length = word.length < 40 ? (int)word.length : 40;
    if (length == 0) {
        return sinewi_bvh_fail(b, word, SINEW_ERROR_FORMAT, "expected %s, found the end of the file", expected);
    }
    return sinewi_bvh_fail(b, word, SINEW_ERROR_FORMAT, "expected %s, found '%.*s'", expected, length, word.text);
}

bool sinewi_bvh_fail_memory(sinewi_bvh_import *b) {
    if (b->data->budget.limited) {
        sinewi_fail(b->error, SINEW_ERROR_LIMIT, "the file needs more than the memory limit of %zu bytes",
                    b->options.memory_limit);
    } else {
        sinewi_fail_memory(b->error);
    }
    return false;
}

void sinewi_bvh_note(const sinewi_bvh_import *b, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    sinewi_log_arguments(&b->options.log, format, arguments);
    va_end(arguments);
}

bool sinewi_bvh_next_number(sinewi_bvh_import *b, double *number) {
    sinewi_bvh_word word = sinewi_bvh_next_word(&b->text);
    return sinewi_bvh_read_number(word, number) || sinewi_bvh_fail_expected(b, word, "a number");
}
