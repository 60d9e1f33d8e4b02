// SPDX-License-Identifier: MIT
// Loads files for JavaScript.
#include "internal.h"

#include <string.h>

// The sidecar files of the asset being loaded.
typedef struct sidecars {
    const web_file *files;
    int32_t count;
} sidecars;

static bool read_file(const char *uri, sinew_bytes *bytes, void *user) {
    const sidecars *given = user;
    for (int32_t i = 0; i < given->count; i++) {
        if (strcmp(given->files[i].name, uri) != 0) continue;
        *bytes = (sinew_bytes){given->files[i].data, given->files[i].size};
        return true;
    }
    return false;
}

// No-op: the page owns the files.
static void release_file(sinew_bytes bytes, void *user) {
    (void)bytes;
    (void)user;
}

sinew_asset *web_asset_load(const uint8_t *data, size_t size, const web_file *files, int32_t file_count,
                            const char *markers, sinew_meshopt_decode decode, sinew_draco_decode draco) {
    sidecars given = {files, file_count};
    sinew_gltf_options options = sinew_gltf_default();
    options.reader = (sinew_reader){read_file, release_file, &given};
    options.markers = markers;
    options.meshopt_decode = decode;
    options.draco_decode = draco;
    if (WEB_CHARACTERS) options.extension = sinew_vrm_extension();
    const bool is_baked = sinew_baked_asset_is(data, size);
    if (is_baked && markers) {
        web_fail("a baked asset takes no markers: bake the .glb with its sidecar file");
        return NULL;
    }
    sinew_asset *asset;
    sinew_error error;
    const sinew_result result = is_baked ? sinew_baked_asset_load_memory(data, size, NULL, &asset, &error)
                                         : sinew_gltf_load_memory(data, size, &options, &asset, &error);
    if (result != SINEW_OK) web_fail(error.message);
    return asset;
}
