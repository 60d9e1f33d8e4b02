// SPDX-License-Identifier: MIT
// Errors from operations on takes.
#ifndef TAKES_FAIL_H
#define TAKES_FAIL_H

#include <sinew/base.h>

#include <stdarg.h>
#include <stdio.h>

__attribute__((format(printf, 3, 4))) static inline sinew_result takes_fail(sinew_error *error, sinew_result result,
                                                                            const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    error->result = result;
    return result;
}

static inline sinew_result takes_fail_memory(sinew_error *error) {
    (void)takes_fail(error, SINEW_ERROR_OUT_OF_MEMORY, "out of memory");
    return SINEW_ERROR_OUT_OF_MEMORY;
}

#endif
