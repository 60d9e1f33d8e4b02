// SPDX-License-Identifier: MIT
// Dumps JSON texts as the JSON reader of src/json reads them, for tests/structure/json_reader.py, which reads them with another
// reader: json_dump FILE... prints one line per text. A .glb file holds its text in its first chunk.
//
// Each value is a line-free token: numbers as the 64 bits of the double, strings as the hexadecimal bytes of their UTF-8,
// objects and arrays in brackets. An invalid text prints "invalid".
#include "json/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_string(const sinewi_json *json, sinewi_json_value value, sinewi_arena *arena) {
    size_t length = 0;
    const char *text = sinewi_json_string(json, value, arena, &length);
    if (!text) exit(2);
    if (!sinewi_json_equals(json, value, text)) printf("UNEQUAL ");
    size_t raw_length;
    const char *raw = sinewi_json_raw_string(json, value, &raw_length);
    putchar('s');
    for (size_t i = 0; i < length; i++) printf("%02x", (unsigned)(unsigned char)text[i]);
    // A string without escapes is the same bytes in the text, unless invalid UTF-8 was replaced.
    if (raw && raw_length == length && memcmp(raw, text, length) != 0) printf(" RAW");
}

// Without recursion: `ends` has the end of each open container.
static void print_value(const sinewi_json *json, sinewi_arena *arena) {
    static int32_t ends[SINEWI_JSON_MAX_DEPTH + 1];
    static char closers[SINEWI_JSON_MAX_DEPTH + 1];
    int depth = 0;
    for (sinewi_json_value v = 0; v < json->node_count; v++) {
        while (depth > 0 && ends[depth - 1] == v) putchar(closers[--depth]);
        uint64_t bits;
        double number;
        switch (sinewi_json_kind_of(json, v)) {
        case SINEWI_JSON_NULL:
            putchar('n');
            break;
        case SINEWI_JSON_FALSE:
            putchar('f');
            break;
        case SINEWI_JSON_TRUE:
            putchar('t');
            break;
        case SINEWI_JSON_NUMBER:
            number = sinewi_json_number(json, v);
            memcpy(&bits, &number, sizeof bits);
            printf("d%016" PRIx64, bits);
            break;
        case SINEWI_JSON_STRING:
            print_string(json, v, arena);
            break;
        case SINEWI_JSON_ARRAY:
        case SINEWI_JSON_OBJECT:
            closers[depth] = sinewi_json_kind_of(json, v) == SINEWI_JSON_ARRAY ? ']' : '}';
            putchar(closers[depth] == ']' ? '[' : '{');
            ends[depth++] = sinewi_json_next(json, v);
            continue;
        }
        putchar(' ');
    }
    while (depth > 0) putchar(closers[--depth]);
    putchar('\n');
}

static void print_text(const char *text, size_t size) {
    sinewi_arena arena;
    sinewi_json json;
    sinewi_json_problem problem;
    sinewi_arena_init(&arena, NULL);
    sinew_result result = sinewi_json_parse(&json, text, size, &arena, &problem);
    if (result == SINEW_OK) {
        print_value(&json, &arena);
    } else {
        printf("invalid\n");
    }
    sinewi_arena_free(&arena);
}

static uint32_t u32_at(const unsigned char *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void print_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) exit(2);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(size + 1);
    if (!bytes || fread(bytes, 1, size, file) != size) exit(2);
    fclose(file);
    size_t start = 0, length = size;
    if (size >= 20 && memcmp(bytes, "glTF", 4) == 0) {
        start = 20;
        length = u32_at(bytes + 12);
        if (length > size - start) length = size - start;
    }
    // An exact-size copy, so a sanitizer finds reads past the end.
    char *text = malloc(length > 0 ? length : 1);
    if (!text) exit(2);
    memcpy(text, bytes + start, length);
    print_text(text, length);
    free(text);
    free(bytes);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) print_file(argv[i]);
    return 0;
}
