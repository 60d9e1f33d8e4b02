// SPDX-License-Identifier: MIT
// Imports bytes to an asset. This file has the order of the steps, and the cleanup after a failure. The caller's
// sinew_error is only written on failure.
#include "core/gltf_import.h"
#include "base/def_cookie.h"

#include <string.h>

sinew_gltf_options sinew_gltf_default(void) {
    sinew_gltf_options options;
    memset(&options, 0, sizeof options);
    options.cookie = SINEWI_DEF_COOKIE;
    options.expansion_limit = 256;
    options.key_growth = 2.0f;
    options.memory_limit = SIZE_MAX / 2 < (UINT64_C(2) << 30) ? SIZE_MAX / 2 : (size_t)(UINT64_C(2) << 30);
    return options;
}

static bool read_extension(sinewi_import *g) {
    return !g->options.extension || g->options.extension->read(g);
}

// Order matters: nodes need the morph targets of their meshes, and skins and clips need the skeleton.
static bool read_all(sinewi_import *g, const uint8_t *data, size_t size) {
    return sinewi_gltf_open_container(g, data, size) && sinewi_gltf_parse(g, g->text, g->text_size) &&
           sinewi_gltf_check_version(g) && sinewi_gltf_check_extensions(g) && sinewi_gltf_read_buffers(g) &&
           sinewi_gltf_read_accessors(g) && sinewi_gltf_read_subset(g) && sinewi_gltf_read_images(g) &&
           sinewi_gltf_read_textures(g) && sinewi_gltf_read_materials(g) && sinewi_gltf_read_meshes(g) &&
           sinewi_gltf_read_nodes(g) && sinewi_gltf_read_skins(g) && sinewi_gltf_read_cameras(g) &&
           sinewi_gltf_read_lights(g) && sinewi_gltf_read_mesh_nodes(g) && read_extension(g) &&
           sinewi_gltf_make_mesh_bounds(g) && sinewi_gltf_read_animations(g);
}

// Creates the asset and the scratch memory. Fills `error` on failure.
static sinew_result begin_import(sinewi_import *g, const sinew_gltf_options *options, sinew_error *error) {
    sinew_result result =
        options ? SINEWI_CHECK_DEF(options, "sinew_gltf_options: start from sinew_gltf_default()", error)
                : SINEW_OK;
    if (result != SINEW_OK) return result;
    memset(g, 0, sizeof *g);
    g->options = options ? *options : sinew_gltf_default();
    g->error = error;
    g->data = sinewi_asset_data_create(&g->options.allocator, g->options.memory_limit);
    if (!g->data) return sinewi_fail_memory(error);
    g->asset = &g->data->asset;
    g->arena = &g->data->arena;
    sinew_allocator counted = sinewi_budget_allocator(&g->data->budget);
    sinewi_arena_init(&g->scratch, &counted);
    return SINEW_OK;
}

// Frees the scratch memory and the borrowed buffers. Returns the asset, or destroys it if reading failed.
static sinew_result finish_import(sinewi_import *g, bool is_read, sinew_asset **asset) {
    if (!is_read) sinewi_gltf_locate_error(g);
    sinewi_gltf_release_buffers(g);
    sinewi_arena_free(&g->scratch);
    if (!is_read) {
        sinew_asset_destroy(g->asset);
        return g->error->result;
    }
    g->asset->up = g->options.up;
    g->asset->memory = g->data->budget.used + sizeof *g->data;
    *asset = g->asset;
    return SINEW_OK;
}

sinew_result sinew_gltf_load_memory(const void *data, size_t size, const sinew_gltf_options *options,
                                    sinew_asset **asset, sinew_error *error) {
    if (!asset) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "asset is NULL");
    *asset = NULL;
    if (!data && size > 0) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "data is NULL, but size is %zu", size);
    sinew_error inner; // the caller's error is only written on failure
    sinewi_import g;
    sinew_result result = begin_import(&g, options, &inner);
    if (result == SINEW_OK) {
        bool is_read = sinewi_gltf_count_read(&g, "", size) && read_all(&g, (const uint8_t *)data, size);
        result = finish_import(&g, is_read, asset);
    }
    if (result == SINEW_OK) return SINEW_OK;
    return sinewi_fail(error, result, "%s", inner.message);
}

// ---- Files ---------------------------------------------------------------------------------------------------------

static bool is_separator(char c) {
#ifdef _WIN32
    if (c == '\\') return true;
#endif
    return c == '/';
}

// Reads a file. Its resources are relative to its folder.
static bool read_from_path(sinewi_import *g, const char *path) {
    size_t folder_length = strlen(path);
    while (folder_length > 0 && !is_separator(path[folder_length - 1])) folder_length--;
    g->path = path;
    g->folder = sinewi_arena_string(&g->scratch, path, folder_length);
    if (!g->folder) return sinewi_gltf_fail_memory(g);
    sinewi_gltf_bytes bytes;
    return sinewi_gltf_read_file(g, path, &g->scratch, &bytes) && read_all(g, bytes.data, bytes.size);
}

sinew_result sinew_gltf_load_file(const char *path, const sinew_gltf_options *options, sinew_asset **asset,
                                  sinew_error *error) {
    if (!asset) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "asset is NULL");
    *asset = NULL;
    if (!path) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "path is NULL");
    sinew_error inner;
    sinewi_import g;
    sinew_result result = begin_import(&g, options, &inner);
    if (result == SINEW_OK) result = finish_import(&g, read_from_path(&g, path), asset);
    if (result == SINEW_OK) return SINEW_OK;
    return sinewi_fail_in_file(error, result, path, ": ", inner.message);
}
