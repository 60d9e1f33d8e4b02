// SPDX-License-Identifier: MIT
// Results, error messages, text escaping, and the version.
//
// Escaping writes control characters and invalid UTF-8 as \x1b or \u2028. This keeps a name from a file from
// controlling the terminal that shows it. Error messages are escaped as a whole.
#include "base/fail.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *sinew_result_string(sinew_result result) {
    switch (result) {
    case SINEW_OK:
        return "no error";
    case SINEW_ERROR_OUT_OF_MEMORY:
        return "out of memory";
    case SINEW_ERROR_LIMIT:
        return "limit exceeded";
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

// Formats the message and then escapes all of it, because it may quote names from a file.
sinew_result sinewi_fail(sinew_error *error, sinew_result result, const char *format, ...) {
    if (!error) return result;
    error->result = result;
    char text[2 * sizeof error->message]; // escaping only makes text longer, so this is enough
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sinew_escape(text, error->message, sizeof error->message);
    return result;
}

void sinewi_fail_with_arguments(sinew_error *error, sinew_result result, const char *prefix, const char *format,
                                va_list arguments) {
    char message[sizeof error->message];
    vsnprintf(message, sizeof message, format, arguments);
    sinewi_fail(error, result, "%s%s", prefix, message);
}

void sinewi_log_arguments(const sinew_log *log, const char *format, va_list arguments) {
    if (!log->write) return;
    char text[2 * sizeof((sinew_error *)0)->message], line[sizeof((sinew_error *)0)->message];
    vsnprintf(text, sizeof text, format, arguments);
    sinew_escape(text, line, sizeof line);
    log->write(line, log->user);
}

sinew_result sinewi_fail_memory(sinew_error *error) {
    return sinewi_fail(error, SINEW_ERROR_OUT_OF_MEMORY, "out of memory");
}

// ---- Paths in messages ---------------------------------------------------------------------------------------

static bool is_continuation_byte(const char *utf8) {
    return (*utf8 & 0xC0) == 0x80;
}

// Only cuts between UTF-8 characters.
void sinewi_shorten(const char *text, char *out, size_t size) {
    const size_t length = strlen(text);
    if (length < size) {
        memcpy(out, text, length + 1);
        return;
    }
    const size_t kept = size - sizeof "...";
    size_t head = kept / 2, tail = length - (kept - head);
    while (head > 0 && is_continuation_byte(text + head)) head--;
    while (tail < length && is_continuation_byte(text + tail)) tail++;
    snprintf(out, size, "%.*s...%s", (int)head, text, text + tail);
}

sinew_result sinewi_fail_in_file(sinew_error *error, sinew_result result, const char *path, const char *separator,
                                 const char *reason) {
    enum { MIN_PATH = 100 };
    char shown[sizeof error->message];
    const size_t size = sizeof shown, used = strlen(reason) + strlen(separator);
    sinewi_shorten(path, shown, used + MIN_PATH < size ? size - used : MIN_PATH);
    return sinewi_fail(error, result, "%s%s%s", shown, separator, reason);
}

// ---- Escaping ------------------------------------------------------------------------------------------------

// Returns whether a code point can change what a terminal shows. These are C0, DEL and C1 controls, line and paragraph
// separators, and overrides of the writing direction.
static bool is_control(uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

// Writes a backslash, the letter `kind` (x or u), and `number` with `digits` hexadecimal digits. Returns the length.
static size_t write_hex(char *out, char kind, uint32_t number, int digits) {
    out[0] = '\\';
    out[1] = kind;
    for (int i = 0; i < digits; i++) out[2 + i] = "0123456789abcdef"[number >> 4 * (digits - 1 - i) & 15];
    return (size_t)digits + 2;
}

// Writes one character or invalid byte of `text`, escaped if necessary, and advances `text`. Returns the length, which
// is at most 6.
static size_t escape_next(const unsigned char **text, char out[8]) {
    uint32_t code = 0;
    const size_t length = sinewi_utf8_decode(*text, &code);
    const unsigned char *character = *text;
    *text += length > 0 ? length : 1;
    if (length <= 1 && (length == 0 || is_control(code))) return write_hex(out, 'x', *character, 2);
    if (is_control(code)) return write_hex(out, 'u', code, 4);
    memcpy(out, character, length);
    return length;
}

// A unit is one character of `text`, escaped or not. The first unit that doesn't fit is dropped together with
// everything after it. Like snprintf, the returned length counts all units.
size_t sinew_escape(const char *text, char *out, size_t size) {
    const unsigned char *rest = (const unsigned char *)text;
    size_t length = 0, written = 0;
    while (*rest) {
        char unit[8];
        const size_t unit_length = escape_next(&rest, unit);
        if (written == length && written + unit_length < size) { // no earlier unit was dropped
            memcpy(out + written, unit, unit_length);
            written += unit_length;
        }
        length += unit_length;
    }
    if (size > 0) out[written] = '\0';
    return length;
}
