// SPDX-License-Identifier: MIT
// Loads and uses the inputs of the fuzz targets.
#include "fuzz/fuzz.h"

#include "support/asset_use.h"
#include "support/avatar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct outside {
    const uint8_t *data;
    size_t size;
    int lent;
} outside;

// URIs that the importer must refuse before it calls the reader.
static bool leaves_folder(const char *uri) {
    if (uri[0] == '\0' || uri[0] == '/' || strchr(uri, '\\')) return true;
    for (const char *step = uri; *step; step += strcspn(step, "/"), step += *step == '/')
        if (strcspn(step, "/") == 2 && step[0] == '.' && step[1] == '.') return true;
    return false;
}

static bool read_outside(const char *uri, sinew_bytes *bytes, void *user) {
    outside *o = user;
    if (leaves_folder(uri)) abort();
    if (uri[0] == 'x') return false;                 // what is not there
    bytes->data = malloc(o->size > 0 ? o->size : 1); // exact length, so a sanitizer finds reads past the end
    if (!bytes->data) return false;
    if (o->size > 0) memcpy(bytes->data, o->data, o->size);
    bytes->size = o->size;
    o->lent++;
    return true;
}

static void release_outside(sinew_bytes bytes, void *user) {
    outside *o = user;
    o->lent--;
    free(bytes.data);
}

static void look_at_log(const char *message, void *user) {
    (void)user;
    if (strchr(message, '\n')) abort(); // one line each
}

size_t fuzz_text_size(const uint8_t *data, size_t size) {
    if (size >= 4 && memcmp(data, "glTF", 4) == 0) return size;
    const uint8_t *zero = size > 0 ? memchr(data, 0, size) : NULL;
    return zero ? (size_t)(zero - data) : size;
}

sinew_gltf_options fuzz_options(void) {
    sinew_gltf_options options = *with_avatars();
    options.memory_limit = (size_t)64 << 20;
    options.log.write = look_at_log;
    return options;
}

void fuzz_load(const uint8_t *data, size_t size, sinew_gltf_options options) {
    size_t text_size = fuzz_text_size(data, size);
    outside o = {.data = data + text_size, .size = size - text_size};
    if (o.size > 0) o.data++, o.size--; // the zero between them
    options.reader = (sinew_reader){read_outside, release_outside, &o};
    if (o.size > 0 && o.data[0] == '{') options.markers = "markers";
    sinew_result result;
    const char *fault = asset_try(data, text_size, &options, NULL, &result);
    if (!fault && o.lent != 0) fault = "what was lent was not given back";
    if (!fault) return;
    fprintf(stderr, "%s\n", fault);
    abort();
}
