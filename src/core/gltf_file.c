// SPDX-License-Identifier: MIT
// Reads a whole file into an arena, within the import's limits.
#include "base/file.h"
#include "core/gltf_import.h"

static bool fail_reading(sinewi_import *g, const char *reason) {
    return sinewi_gltf_fail(g, SINEWI_JSON_ABSENT, SINEW_ERROR_IO, "%s", reason);
}

bool sinewi_gltf_read_file(sinewi_import *g, const char *path, sinewi_arena *arena, sinewi_gltf_bytes *bytes) {
    size_t size = 0;
    const char *reason = sinewi_file_size(path, &size);
    if (reason) return fail_reading(g, reason);
    if (!sinewi_gltf_count_read(g, path, size)) return false;
    uint8_t *data = sinewi_gltf_array(g, arena, uint8_t, size + 1);
    if (!data) return false;
    reason = sinewi_file_read(path, data, size);
    if (reason) return fail_reading(g, reason);
    data[size] = 0;
    *bytes = (sinewi_gltf_bytes){.data = data, .size = size};
    return true;
}
