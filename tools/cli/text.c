// SPDX-License-Identifier: MIT
// Prints text and JSON with names that may contain any bytes.
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Text ----------------------------------------------------------------------------------------------------

// Rotating buffers for returned texts. One printf can print several names.
enum { SLOTS = 8 };

// Returns NULL if memory runs out.
static char *take_slot(size_t size) {
    static char *slots[SLOTS];
    static int next;
    char **slot = &slots[next++ % SLOTS];
    char *larger = realloc(*slot, size);
    if (larger) *slot = larger;
    if (!larger) cli_lose_text();
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

void cli_json_string(FILE *out, const char *text) {
    lint_text json = {0};
    lint_append_json_string(&json, text);
    if (json.failed) {
        fputs("\"(out of memory)\"", out);
        cli_lose_text();
    } else {
        (void)fwrite(json.data, 1, json.size, out);
    }
    lint_text_free(&json);
}

bool cli_print_json(lint_text *json) {
    lint_append(json, "\n", 1);
    const bool is_whole = !json->failed;
    if (is_whole) (void)fwrite(json->data, 1, json->size, stdout); // cli_flush_stdout reports a failure
    lint_text_free(json);
    if (!is_whole) cli_fail("out of memory");
    return is_whole;
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
