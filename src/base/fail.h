// SPDX-License-Identifier: MIT
// Error reporting. Every part of the library fills a sinew_error through these functions.
#ifndef SINEWI_FAIL_H
#define SINEWI_FAIL_H

#include <sinew/base.h>

#include <stdarg.h>

#if defined(__MINGW32__)
#include <stdio.h> // selects one of MinGW's two printf implementations
#define SINEWI_PRINTF(format_index, first_argument)                                                                \
    __attribute__((format(__MINGW_PRINTF_FORMAT, format_index, first_argument)))
#elif defined(__GNUC__)
#define SINEWI_PRINTF(format_index, first_argument) __attribute__((format(printf, format_index, first_argument)))
#else
#define SINEWI_PRINTF(format_index, first_argument)
#endif

// Fills `error`, which may be NULL, and returns `result`, so a check can end with `return sinewi_fail(...)`. The
// message is escaped with sinew_escape, so it may quote names from a file directly.
sinew_result sinewi_fail(sinew_error *error, sinew_result result, const char *format, ...) SINEWI_PRINTF(3, 4);

// Like sinewi_fail, for functions that take their own variable arguments. Puts `prefix` in front of the message.
void sinewi_fail_with_arguments(sinew_error *error, sinew_result result, const char *prefix, const char *format,
                                va_list arguments);

// Writes a line to a log, escaped with sinew_escape. A no-op if the log has no function.
void sinewi_log_arguments(const sinew_log *log, const char *format, va_list arguments);

// Reports a failed allocation: SINEW_ERROR_OUT_OF_MEMORY.
sinew_result sinewi_fail_memory(sinew_error *error);

// Copies `text` to `out`. If it doesn't fit, keeps the start and the end, and replaces the middle with "...".
void sinewi_shorten(const char *text, char *out, size_t size);

// Fails with the path, the separator and the reason. A long path loses its middle to leave room for the reason.
sinew_result sinewi_fail_in_file(sinew_error *error, sinew_result result, const char *path, const char *separator,
                                 const char *reason);

#endif
