// SPDX-License-Identifier: MIT
// Reads a file as a whole into an arena, within the limits of the import.
//
// `g` is the import in progress (gltf/import.h): the options, the JSON, the asset being made, and the error. Functions
// return false once the error is set.
#include "core/file.h"
#include "gltf/import.h"

static bool fail_reading(sinew_import *g, const char *reason) {
    return sinew_gltf_fail(g, SINEW_JSON_ABSENT, SINEW_ERROR_IO, "%s", reason);
}

bool sinew_gltf_read_file(sinew_import *g, const char *path, sinew_arena *arena, sinew_gltf_bytes *bytes) {
    size_t size = 0;
    const char *reason = sinew_file_size(path, &size);
    if (reason) return fail_reading(g, reason);
    if (!sinew_gltf_count_read(g, path, size)) return false;
    uint8_t *data = sinew_gltf_array(g, arena, uint8_t, size + 1);
    if (!data) return false;
    reason = sinew_file_read(path, data, size);
    if (reason) return fail_reading(g, reason);
    data[size] = 0;
    *bytes = (sinew_gltf_bytes){.data = data, .size = size};
    return true;
}
