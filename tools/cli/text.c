// SPDX-License-Identifier: MIT
// Text and JSON output of names with any bytes.
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Text ----------------------------------------------------------------------------------------------------

// The buffers of the returned texts, in turn, so that one printf can print several names.
enum { SLOTS = 8 };

// NULL if memory runs out.
static char *take_slot(size_t size) {
    static char *slots[SLOTS];
    static int next;
    char **slot = &slots[next++ % SLOTS];
    char *larger = realloc(*slot, size);
    if (larger) *slot = larger;
    return larger;
}

const char *cli_text(const char *name) {
    const size_t length = sinew_escape(name, NULL, 0);
    if (length == strlen(name)) return name; // escapes are longer than what they replace
    char *escaped = take_slot(length + 1);
    if (!escaped) return "(out of memory)";
    sinew_escape(name, escaped, length + 1);
    return escaped;
}

const char *cli_short_text(const char *name) {
    enum { LONGEST = 120 };
    size_t length = strnlen(name, LONGEST + 1);
    if (length <= LONGEST) return cli_text(name);
    length = LONGEST;
    while (length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80) length--;
    char *cut = take_slot(length + 1);
    if (!cut) return "(out of memory)";
    memcpy(cut, name, length);
    cut[length] = '\0';
    return cli_text(cut);
}

const char *cli_plural(int32_t count) {
    return count == 1 ? "" : "s";
}

void cli_print_bytes(size_t bytes) {
    if (bytes < 10000) {
        printf("%zu bytes", bytes);
    } else if (bytes < (size_t)10 << 20) {
        printf("%.0f KiB", (double)bytes / 1024.0);
    } else {
        printf("%.1f MiB", (double)bytes / 1048576.0);
    }
}

// ---- JSON ----------------------------------------------------------------------------------------------------

// The length of the character at `text`, by its first byte.
static size_t character_length(const char *text) {
    const unsigned char first = (unsigned char)*text;
    const size_t length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    return strnlen(text, length);
}

// Prints one character and returns its length. The escapes of a terminal become escapes of JSON: \u202e stays, \x1b
// becomes \u001b, and a byte that is not UTF-8 becomes U+FFFD.
static size_t print_character(FILE *out, const char *text) {
    char character[5] = "", escaped[17];
    const size_t length = character_length(text);
    memcpy(character, text, length);
    sinew_escape(character, escaped, sizeof escaped);
    if (strcmp(character, escaped) == 0) {
        if (*text == '"' || *text == '\\') fputc('\\', out);
        fputs(character, out);
    } else if (escaped[1] == 'u') {
        fputs(escaped, out);
    } else {
        const unsigned byte = (unsigned char)*text;
        fprintf(out, "\\u%04x", byte < 0x80 ? byte : 0xFFFDu);
        return 1;
    }
    return length;
}

void cli_json_string(FILE *out, const char *text) {
    fputc('"', out);
    while (*text) text += print_character(out, text);
    fputc('"', out);
}

void cli_json_floats(FILE *out, const float *numbers, size_t count) {
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        if (i > 0) fputc(',', out);
        if (isfinite(numbers[i])) {
            fprintf(out, "%.9g", (double)numbers[i]);
        } else {
            fputs("null", out);
        }
    }
    fputc(']', out);
}
