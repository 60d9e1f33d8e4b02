// Failing with a message: the one way in which every room fills a sinew_error.
#ifndef SINEW_FAIL_H
#define SINEW_FAIL_H

#include <sinew/base.h>

#if defined(__MINGW32__)
#include <stdio.h> // knows which of its two printfs is in use
#define SINEW_PRINTF(format_index, first_argument)                                                                 \
    __attribute__((format(__MINGW_PRINTF_FORMAT, format_index, first_argument)))
#elif defined(__GNUC__)
#define SINEW_PRINTF(format_index, first_argument) __attribute__((format(printf, format_index, first_argument)))
#else
#define SINEW_PRINTF(format_index, first_argument)
#endif

// Fills `error`, which may be NULL, and returns `result`, so that a check is one line: return sinew_fail(...). The
// message is escaped (sinew_escape): it may quote names of the file as they are.
sinew_result sinew_fail(sinew_error *error, sinew_result result, const char *format, ...) SINEW_PRINTF(3, 4);

// The message for memory that could not be had.
sinew_result sinew_fail_memory(sinew_error *error);

#endif
