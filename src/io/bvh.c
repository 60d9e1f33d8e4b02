// SPDX-License-Identifier: MIT
// Imports a BVH file from bytes to an asset, and cleans up after a failure.
#include "io/bvh_read.h"
#include "base/def_cookie.h"
#include "base/file.h"

#include <math.h>
#include <string.h>

sinew_bvh_options sinew_bvh_default(void) {
    sinew_bvh_options options;
    memset(&options, 0, sizeof options);
    options.cookie = SINEWI_DEF_COOKIE;
    options.guess_up = true;
    options.memory_limit = SIZE_MAX / 2 < (UINT64_C(2) << 30) ? SIZE_MAX / 2 : (size_t)(UINT64_C(2) << 30);
    return options;
}

// ---- The import ----------------------------------------------------------------------------------------------

static bool make_bounds(sinewi_bvh_import *b) {
    sinew_bounds_def def = sinew_bounds_default();
    def.skeleton = b->data->asset.skeleton;
    def.allocator = sinewi_asset_allocator(b->data);
    sinew_bounds *bounds;
    if (sinew_bounds_create(&def, &bounds, NULL) != SINEW_OK) return sinewi_bvh_fail_memory(b);
    b->data->asset.bounds = bounds;
    return true;
}

static bool read_all(sinewi_bvh_import *b, const void *data, size_t size) {
    b->text = sinewi_bvh_text_begin(data, size);
    return sinewi_bvh_read_hierarchy(b) && sinewi_bvh_choose_scale(b) && sinewi_bvh_read_motion(b) &&
           sinewi_bvh_find_up(b) && sinewi_bvh_place_root(b) && sinewi_bvh_make_skeleton(b) && make_bounds(b) &&
           sinewi_bvh_make_clip(b);
}

// Creates the asset and the scratch memory. Fills `error` on failure.
static sinew_result begin_import(sinewi_bvh_import *b, const sinew_bvh_options *options, sinew_error *error) {
    sinew_result result =
        options ? SINEWI_CHECK_DEF(options, "sinew_bvh_options: start from sinew_bvh_default()", error) : SINEW_OK;
    if (result != SINEW_OK) return result;
    memset(b, 0, sizeof *b);
    b->options = options ? *options : sinew_bvh_default();
    b->clip_name = b->options.clip_name ? b->options.clip_name : "motion";
    b->error = error;
    if (!isfinite(b->options.scale) || b->options.scale < 0.0f) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "scale is %g", (double)b->options.scale);
    }
    b->data = sinewi_asset_data_create(&b->options.allocator, b->options.memory_limit);
    if (!b->data) return sinewi_fail_memory(error);
    sinew_allocator counted = sinewi_budget_allocator(&b->data->budget);
    sinewi_arena_init(&b->scratch, &counted);
    return SINEW_OK;
}

// Frees the scratch memory. Returns the asset, or destroys it if it wasn't read completely.
static sinew_result finish_import(sinewi_bvh_import *b, bool is_read, sinew_asset **asset) {
    sinewi_arena_free(&b->scratch);
    if (!is_read) {
        sinew_asset_destroy(&b->data->asset);
        return b->error->result;
    }
    b->data->asset.up = b->options.up;
    b->data->asset.memory = b->data->budget.used + sizeof *b->data;
    *asset = &b->data->asset;
    return SINEW_OK;
}

sinew_result sinew_bvh_load_memory(const void *data, size_t size, const sinew_bvh_options *options,
                                   sinew_asset **asset, sinew_error *error) {
    if (!asset) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "asset is NULL");
    *asset = NULL;
    if (!data && size > 0) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "data is NULL, but size is %zu", size);
    sinew_error inner; // the caller's error is only written on failure
    sinewi_bvh_import b;
    sinew_result result = begin_import(&b, options, &inner);
    if (result == SINEW_OK) result = finish_import(&b, read_all(&b, data ? data : "", size), asset);
    return result == SINEW_OK ? SINEW_OK : sinewi_fail(error, result, "%s", inner.message);
}

// ---- Files ---------------------------------------------------------------------------------------------------

static bool is_separator(char c) {
#ifdef _WIN32
    if (c == '\\') return true;
#endif
    return c == '/';
}

// Names the clip after the file, without folder and extension.
static bool name_clip(sinewi_bvh_import *b, const char *path) {
    if (b->options.clip_name) return true;
    const char *end = path + strlen(path), *start = end;
    while (start > path && !is_separator(start[-1])) start--;
    const char *suffix = strrchr(start, '.');
    if (suffix && suffix > start) end = suffix;
    b->clip_name = sinewi_arena_string(&b->scratch, start, (size_t)(end - start));
    return b->clip_name || sinewi_bvh_fail_memory(b);
}

static bool read_from_path(sinewi_bvh_import *b, const char *path) {
    size_t size = 0;
    const char *reason = sinewi_file_size(path, &size);
    uint8_t *data = NULL;
    if (!reason) {
        data = sinewi_arena_array(&b->scratch, uint8_t, size);
        if (!data) return sinewi_bvh_fail_memory(b);
        reason = sinewi_file_read(path, data, size);
    }
    if (reason) {
        sinewi_fail(b->error, SINEW_ERROR_IO, "%s", reason);
        return false;
    }
    return name_clip(b, path) && read_all(b, data, size);
}

sinew_result sinew_bvh_load_file(const char *path, const sinew_bvh_options *options, sinew_asset **asset,
                                 sinew_error *error) {
    if (!asset) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "asset is NULL");
    *asset = NULL;
    if (!path) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "path is NULL");
    sinew_error inner;
    sinewi_bvh_import b;
    sinew_result result = begin_import(&b, options, &inner);
    if (result == SINEW_OK) result = finish_import(&b, read_from_path(&b, path), asset);
    return result == SINEW_OK ? SINEW_OK : sinewi_fail_in_file(error, result, path, ": ", inner.message);
}
