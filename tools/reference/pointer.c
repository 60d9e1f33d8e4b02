// SPDX-License-Identifier: MIT
// Reads KHR_animation_pointer targets: nodes' transforms and weights, and meshes' weights.
#include "reference/internal.h"

#include <string.h>

// Reads an array index at *text and moves past it. Returns -1 if there isn't one. Refuses leading zeros (RFC 6901).
static int32_t read_index(const char **text) {
    const char *at = *text;
    int32_t index = 0;
    if (at[0] == '0' && at[1] >= '0' && at[1] <= '9') return -1;
    for (; *at >= '0' && *at <= '9'; at++) {
        if (index > INT32_MAX / 10 - 1) return -1;
        index = 10 * index + (*at - '0');
    }
    if (at == *text) return -1;
    *text = at;
    return index;
}

static bool skip(const char **text, const char *word) {
    const size_t length = strlen(word);
    if (strncmp(*text, word, length) != 0) return false;
    *text += length;
    return true;
}

// Reads "translation" or another of a node's paths, at the end of the pointer or before a weight's index.
static void read_path(const char *text, ref_target *target) {
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    for (int path = target->mesh >= 0 ? REF_WEIGHTS : 0; path <= REF_WEIGHTS; path++) {
        const char *end = text;
        if (!skip(&end, paths[path])) continue;
        if (path == REF_WEIGHTS && skip(&end, "/") && (target->element = read_index(&end)) < 0) return;
        if (*end == '\0') target->path = path;
        return;
    }
}

ref_target ref_read_pointer(ref_document *document, sinewi_json_value target) {
    const sinewi_json_value extension = ref_extension(document, target, "KHR_animation_pointer");
    ref_target read = {.node = -1, .mesh = -1, .path = -1, .element = -1};
    if (extension == SINEWI_JSON_ABSENT) return read;
    const char *text = ref_string(document, extension, "pointer");
    int32_t *index = skip(&text, "/nodes/") ? &read.node : skip(&text, "/meshes/") ? &read.mesh : NULL;
    if (!index || (*index = read_index(&text)) < 0 || !skip(&text, "/")) return read;
    read_path(text, &read);
    return read;
}
