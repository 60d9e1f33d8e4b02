// Results, error messages and the version.
#include "core/fail.h"

#include <stdarg.h>
#include <stdio.h>

const char *sinew_result_string(sinew_result result) {
    switch (result) {
    case SINEW_OK:
        return "no error";
    case SINEW_ERROR_OUT_OF_MEMORY:
        return "out of memory";
    case SINEW_ERROR_LIMIT:
        return "limit passed";
    case SINEW_ERROR_ARGUMENT:
        return "bad argument";
    case SINEW_ERROR_IO:
        return "cannot read";
    case SINEW_ERROR_FORMAT:
        return "bad file";
    case SINEW_ERROR_UNSUPPORTED:
        return "not supported";
    }
    return "unknown result";
}

int sinew_version(void) {
    return SINEW_VERSION_MAJOR * 10000 + SINEW_VERSION_MINOR * 100 + SINEW_VERSION_PATCH;
}

sinew_result sinew_fail(sinew_error *error, sinew_result result, const char *format, ...) {
    if (!error) return result;
    error->result = result;
    char text[2 * sizeof error->message]; // escaping only lengthens a text, so no more than this is needed
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sinew_escape(text, error->message, sizeof error->message);
    return result;
}

sinew_result sinew_fail_memory(sinew_error *error) {
    return sinew_fail(error, SINEW_ERROR_OUT_OF_MEMORY, "out of memory");
}
