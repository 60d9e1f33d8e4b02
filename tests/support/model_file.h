// SPDX-License-Identifier: MIT
// A model file read by the importer. Also its JSON and bytes, for what the importer doesn't keep.
#ifndef MODEL_FILE_H
#define MODEL_FILE_H

#define JSMN_STATIC
#define JSMN_STRICT
#define JSMN_PARENT_LINKS
#include <jsmn.h>

#include "support/check.h"
#include "support/avatar.h"

#include <stdio.h>

// ---- Files ------------------------------------------------------------------------------------------------------

typedef struct file {
    uint8_t *bytes;
    size_t size;
    const char *json; // the chunk, not terminated
    const uint8_t *bin;
    jsmntok_t *tokens;
    int token_count;
    sinew_asset *asset;
    int log_lines; // what the importer repaired
} file;

static inline void count_line(const char *message, void *user) {
    print_error("%s\n", message);
    ++*(int *)user;
}

static inline uint32_t u32_at(const uint8_t *bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline void open_file(file *f, const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", SINEW_MODELS, name);
    sinew_gltf_options options = *with_avatars();
    options.log.write = count_line;
    options.log.user = &f->log_lines;
    sinew_error error = {0};
    if (sinew_gltf_load_file(path, &options, &f->asset, &error) != SINEW_OK) fail_msg("%s", error.message);

    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    assert_int_equal(fseek(stream, 0, SEEK_END), 0);
    f->size = (size_t)ftell(stream);
    rewind(stream);
    f->bytes = malloc(f->size);
    assert_int_equal(fread(f->bytes, 1, f->size, stream), f->size);
    fclose(stream);
    size_t length = u32_at(f->bytes + 12);
    f->json = (const char *)f->bytes + 20;
    f->bin = f->bytes + 20 + length + 8;
    jsmn_parser parser;
    jsmn_init(&parser);
    f->token_count = jsmn_parse(&parser, f->json, length, NULL, 0);
    assert_true(f->token_count > 0);
    f->tokens = calloc((size_t)f->token_count, sizeof *f->tokens);
    jsmn_init(&parser);
    assert_int_equal(jsmn_parse(&parser, f->json, length, f->tokens, (unsigned)f->token_count), f->token_count);
}

static inline void close_file(file *f) {
    sinew_asset_destroy(f->asset);
    free(f->tokens);
    free(f->bytes);
}

// ---- JSON -------------------------------------------------------------------------------------------------------

// The token after token `i` and everything in it.
static inline int behind(const file *f, int i) {
    int end = f->tokens[i].end;
    while (i < f->token_count && f->tokens[i].start < end) i++;
    return i;
}

// The value of a member of object `i`, or -1. jsmn puts a member's value right after its name.
static inline int member(const file *f, int i, const char *name) {
    if (i < 0) return -1;
    int key = i + 1;
    for (int k = 0; k < f->tokens[i].size; k++, key = behind(f, key + 1)) {
        size_t length = (size_t)(f->tokens[key].end - f->tokens[key].start);
        if (strlen(name) == length && strncmp(f->json + f->tokens[key].start, name, length) == 0) return key + 1;
    }
    return -1;
}

// Element `index` of array `i`.
static inline int element(const file *f, int i, int index) {
    assert_true(i >= 0 && index < f->tokens[i].size);
    int found = i + 1;
    while (index-- > 0) found = behind(f, found);
    return found;
}

static inline double number(const file *f, int i) {
    assert_true(i >= 0);
    return strtod(f->json + f->tokens[i].start, NULL);
}

static inline bool has_text(const file *f, int i, const char *text) {
    size_t length = strlen(text);
    return i >= 0 && (size_t)(f->tokens[i].end - f->tokens[i].start) == length &&
           strncmp(f->json + f->tokens[i].start, text, length) == 0;
}

static inline int animation(const file *f, const char *name) {
    int all = member(f, 0, "animations");
    for (int i = 0; i < f->tokens[all].size; i++)
        if (has_text(f, member(f, element(f, all, i), "name"), name)) return element(f, all, i);
    fail_msg("there is no animation %s", name);
    return -1;
}

// A tightly packed accessor's floats.
static inline const uint8_t *floats_of(const file *f, int index, int *count) {
    int accessor = element(f, member(f, 0, "accessors"), index);
    int view = element(f, member(f, 0, "bufferViews"), (int)number(f, member(f, accessor, "bufferView")));
    *count = (int)number(f, member(f, accessor, "count"));
    return f->bin +
           (size_t)(number(f, member(f, view, "byteOffset")) + number(f, member(f, accessor, "byteOffset")));
}

#endif
