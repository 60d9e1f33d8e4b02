// SPDX-License-Identifier: MIT
// Bakes assets, and loads baked ones. See baked_asset_coder.h for the file format.
//
// Loading checks the header, creates the skeleton, and makes two passes over the records. The first adds up the memory
// of all structs, which is then allocated in one piece. The second fills it. Arrays stay in the file.
#include "io/baked_asset_coder.h"
#include "core/asset_data.h"
#include "base/def_cookie.h"
#include "base/file.h"

#include <string.h>

sinew_baked_asset_options sinew_baked_asset_default(void) {
    return (sinew_baked_asset_options){.cookie = SINEWI_DEF_COOKIE};
}

// Codes everything but the skeleton. Importers never make additive clips, so that flag isn't coded.
static void code_asset(sinewi_coder *c, sinew_asset *asset) {
    c->part = "asset";
    c->index = -1;
    SINEWI_CODE_ENUM(c, asset->up, sinew_up, SINEW_UP_Z + 1);
    sinewi_code_count(c, &asset->skin_count);
    sinewi_code_count(c, &asset->clip_count);
    SINEWI_CODE_PART(c, asset, skins, sinew_skin, skin_count, sinewi_code_skin);
    sinewi_code_scene(c, asset);
    sinewi_code_bounds(c, asset);
    sinewi_code_humanoid(c, asset);
    sinewi_code_vrm(c, asset);
    SINEWI_CODE_PART(c, asset, clips, sinew_clip, clip_count, sinewi_code_clip);
}

// ---- Baking --------------------------------------------------------------------------------------------------

typedef struct baked_object {
    sinew_baked_asset baked;
    sinew_allocator allocator;
    size_t size; // of the whole block
} baked_object;

static size_t round_up(size_t size) {
    return (size + SINEW_BAKED_ASSET_ALIGNMENT - 1) / SINEW_BAKED_ASSET_ALIGNMENT * SINEW_BAKED_ASSET_ALIGNMENT;
}

// Codes the records behind the header. Doesn't write to the asset.
static void code_records(sinewi_coder *c, sinewi_coder_mode mode, const sinew_asset *asset) {
    sinew_asset copy = *asset;
    c->mode = mode;
    c->asset = &copy;
    c->record = sizeof(sinewi_baked_header);
    sinewi_code_write_skeleton(c, asset->skeleton);
    code_asset(c, &copy);
}

static void write_header(const sinewi_coder *c, size_t size) {
    sinewi_baked_header header = {.byte_order = SINEWI_BAKED_ORDER, .version = SINEWI_BAKED_VERSION, .size = size};
    memcpy(header.magic, SINEWI_BAKED_MAGIC, sizeof header.magic);
    header.records_size = c->record - sizeof header;
    header.checksum = sinewi_baked_checksum(c->file + sizeof header, size - sizeof header);
    memcpy(c->file, &header, sizeof header);
}

// Allocates as many bytes as were measured, and writes them.
static baked_object *write_asset(sinewi_coder *c, const sinew_asset *asset) {
    size_t first = round_up(c->record), size = first + c->array_end;
    size_t whole = round_up(sizeof(baked_object)) + size;
    baked_object *object = (baked_object *)sinewi_allocate(&c->allocator, whole, SINEWI_ALIGNMENT);
    if (!object) {
        sinewi_code_fail_memory(c);
        return NULL;
    }
    memset(object, 0, whole);
    c->file = (char *)object + round_up(sizeof *object);
    c->arrays = first;
    c->array_end = size;
    code_records(c, SINEWI_CODER_WRITE, asset);
    write_header(c, size);
    *object = (baked_object){{(const uint8_t *)c->file, size}, c->allocator, whole};
    return object;
}

sinew_result sinew_baked_asset_create(const sinew_asset *asset, const sinew_allocator *allocator,
                                      sinew_baked_asset **baked, sinew_error *error) {
    *baked = NULL;
    sinew_error inner;
    sinewi_coder c = {.error = &inner, .part = "asset", .index = -1};
    if (allocator) c.allocator = *allocator;
    code_records(&c, SINEWI_CODER_MEASURE, asset);
    baked_object *object = c.failed ? NULL : write_asset(&c, asset);
    sinewi_release(&c.allocator, c.coded.entries, c.coded.capacity * sizeof *c.coded.entries, SINEWI_ALIGNMENT);
    if (!object) return sinewi_fail(error, inner.result, "%s", inner.message);
    *baked = &object->baked;
    return SINEW_OK;
}

void sinew_baked_asset_destroy(sinew_baked_asset *baked) {
    if (!baked) return;
    baked_object *object = (baked_object *)baked;
    sinew_allocator allocator = object->allocator;
    sinewi_release(&allocator, object, object->size, SINEWI_ALIGNMENT);
}

// ---- The header ----------------------------------------------------------------------------------------------

bool sinew_baked_asset_is(const void *data, size_t size) {
    return size >= 8 && memcmp(data, SINEWI_BAKED_MAGIC, 8) == 0;
}

// Fills `header` and checks it against the file's size.
static sinew_result check_header(const void *data, size_t size, sinewi_baked_header *header, sinew_error *error) {
    if (!sinew_baked_asset_is(data, size))
        return sinewi_fail(error, SINEW_ERROR_FORMAT, "is not a baked asset; make one with sinew bake-asset");
    if (size < sizeof *header)
        return sinewi_fail(error, SINEW_ERROR_FORMAT, "is truncated: %zu bytes is less than a header", size);
    memcpy(header, data, sizeof *header);
    if (header->byte_order != SINEWI_BAKED_ORDER)
        return sinewi_fail(error, SINEW_ERROR_UNSUPPORTED,
                           "has a different byte order; bake it again on a machine with this byte order");
    if (header->version != SINEWI_BAKED_VERSION)
        return sinewi_fail(
            error, SINEW_ERROR_UNSUPPORTED,
            "has version %u; this library reads version %d; bake it again with this version's sinew command",
            (unsigned)header->version, SINEWI_BAKED_VERSION);
    if (header->size != size || size % SINEW_BAKED_ASSET_ALIGNMENT != 0)
        return sinewi_fail(error, SINEW_ERROR_FORMAT, "is truncated or damaged: it has %zu bytes of %llu", size,
                           (unsigned long long)header->size);
    if (header->records_size > size - sizeof *header || header->records_size % 4 != 0 || header->reserved[0] != 0 ||
        header->reserved[1] != 0 || header->reserved[2] != 0)
        return sinewi_fail(error, SINEW_ERROR_FORMAT, "is damaged: its header is invalid; bake it again");
    return SINEW_OK;
}

static sinew_result check_sum(const char *data, const sinewi_baked_header *header, sinew_error *error) {
    size_t start = sizeof *header;
    if (sinewi_baked_checksum(data + start, (size_t)header->size - start) == header->checksum) return SINEW_OK;
    return sinewi_fail(error, SINEW_ERROR_FORMAT, "is damaged: its checksum does not match; bake it again");
}

// ---- Loading -------------------------------------------------------------------------------------------------

// Reads all structs from the records that begin at `start`.
static void read_records(sinewi_coder *c, sinewi_coder_mode mode, size_t start, sinew_asset *asset) {
    c->mode = mode;
    c->record = start;
    c->structs.size = 0;
    code_asset(c, asset);
}

static void read_asset(sinewi_coder *c, sinewi_asset_data *data) {
    sinew_allocator blocks = sinewi_asset_allocator(data);
    c->mode = SINEWI_CODER_SURVEY;
    c->asset = &data->asset;
    sinewi_code_read_skeleton(c, &data->asset, &blocks);
    size_t start = c->record;
    if (!c->failed) read_records(c, SINEWI_CODER_SURVEY, start, &data->asset);
    if (!c->failed && c->record != c->record_end) sinewi_code_damaged(c, "its records end too late");
    if (c->failed) return;
    c->structs_size = c->structs.size;
    c->structs.base = (char *)sinewi_allocate(&blocks, c->structs_size, SINEWI_ALIGNMENT);
    if (c->structs.base) {
        read_records(c, SINEWI_CODER_LOAD, start, &data->asset);
    } else {
        sinewi_code_fail_memory(c);
    }
}

// Loads an asset from a file in memory. The memory must be aligned and outlive the asset.
static sinew_result load_bytes(const char *file, size_t size, const sinew_baked_asset_options *options,
                               sinewi_asset_data *data, sinew_error *error) {
    sinewi_baked_header header = {.size = 0};
    sinew_result result = check_header(file, size, &header, error);
    if (result == SINEW_OK && !options->trusted) result = check_sum(file, &header, error);
    if (result != SINEW_OK) return result;
    sinewi_coder c = {.error = error, .allocator = options->allocator, .verify = !options->trusted};
    c.file = (char *)(uintptr_t)file; // never written to
    c.record = sizeof header;
    c.record_end = sizeof header + (size_t)header.records_size;
    c.arrays = round_up(c.record_end);
    c.array_end = size;
    c.index = -1;
    read_asset(&c, data);
    sinewi_code_check(&c, c.record == c.record_end,
                      "its records end too early"); // the checksum doesn't cover the header
    if (c.failed) return error->result;
    data->asset.memory = data->budget.used + sizeof *data + (options->borrow ? size : 0);
    return SINEW_OK;
}

typedef struct load_source {
    const void *data; // NULL to read the file at `path`
    size_t size;
    const char *path;
} load_source;

// Reads or copies the file into the asset's memory.
static sinew_result load_copy(const load_source *source, const sinew_baked_asset_options *options,
                              sinewi_asset_data *data, sinew_error *error) {
    if (source->data && !sinew_baked_asset_is(source->data, source->size)) { // before copying it
        sinewi_baked_header header;
        return check_header(source->data, source->size, &header, error);
    }
    sinew_allocator blocks = sinewi_asset_allocator(data);
    char *copy = (char *)sinewi_allocate(&blocks, source->size + 1, SINEWI_ALIGNMENT); // a file may be empty
    if (!copy) return sinewi_fail_memory(error);
    if (source->data) {
        memcpy(copy, source->data, source->size);
    } else {
        const char *reason = sinewi_file_read(source->path, copy, source->size);
        if (reason) return sinewi_fail(error, SINEW_ERROR_IO, "%s", reason);
    }
    return load_bytes(copy, source->size, options, data, error);
}

// Checks a file's header before allocating memory for the whole file.
static sinew_result check_file(const load_source *source, sinew_error *error) {
    char start[sizeof(sinewi_baked_header)];
    const size_t size = source->size < sizeof start ? source->size : sizeof start;
    const char *reason = sinewi_file_read(source->path, start, size);
    if (reason) return sinewi_fail(error, SINEW_ERROR_IO, "%s", reason);
    sinewi_baked_header header;
    return check_header(start, source->size, &header, error);
}

static sinew_result load(const load_source *source, const sinew_baked_asset_options *options, sinew_asset **asset,
                         sinew_error *error) {
    if ((uintptr_t)source->data % SINEW_BAKED_ASSET_ALIGNMENT != 0 && options->borrow)
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "data is not aligned to %d bytes, as borrow needs",
                           SINEW_BAKED_ASSET_ALIGNMENT);
    sinewi_asset_data *data = sinewi_asset_data_create(&options->allocator, SIZE_MAX);
    if (!data) return sinewi_fail_memory(error);
    bool borrows = options->borrow && source->data;
    sinew_result result = borrows ? load_bytes((const char *)source->data, source->size, options, data, error)
                                  : load_copy(source, options, data, error);
    if (result == SINEW_OK) {
        *asset = &data->asset;
    } else {
        sinew_asset_destroy(&data->asset);
    }
    return result;
}

// Checks the arguments of a load. Fills `used` with the options.
static sinew_result check_arguments(const void *source, const char *name, const sinew_baked_asset_options *options,
                                    sinew_asset **asset, sinew_baked_asset_options *used, sinew_error *error) {
    if (!asset) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "asset is NULL");
    *asset = NULL;
    if (!source) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "%s is NULL", name);
    *used = options ? *options : sinew_baked_asset_default();
    return SINEWI_CHECK_DEF(used, "sinew_baked_asset_options: start from sinew_baked_asset_default()", error);
}

sinew_result sinew_baked_asset_load_memory(const void *data, size_t size, const sinew_baked_asset_options *options,
                                           sinew_asset **asset, sinew_error *error) {
    sinew_baked_asset_options used = {.trusted = false};
    sinew_result result = check_arguments(data, "data", options, asset, &used, error);
    if (result != SINEW_OK) return result;
    sinew_error inner; // the caller's error is only written on failure
    load_source source = {data, size, NULL};
    result = load(&source, &used, asset, &inner);
    return result == SINEW_OK ? SINEW_OK : sinewi_fail(error, result, "%s", inner.message);
}

sinew_result sinew_baked_asset_load_file(const char *path, const sinew_baked_asset_options *options,
                                         sinew_asset **asset, sinew_error *error) {
    sinew_baked_asset_options used = {.trusted = false};
    sinew_result result = check_arguments(path, "path", options, asset, &used, error);
    if (result != SINEW_OK) return result;
    sinew_error inner;
    load_source source = {NULL, 0, path};
    const char *reason = sinewi_file_size(path, &source.size);
    used.borrow = false;
    if (reason) {
        result = sinewi_fail(&inner, SINEW_ERROR_IO, "%s", reason);
    } else {
        result = check_file(&source, &inner);
        if (result == SINEW_OK) result = load(&source, &used, asset, &inner);
    }
    return result == SINEW_OK ? SINEW_OK : sinewi_fail_in_file(error, result, path, ": ", inner.message);
}
