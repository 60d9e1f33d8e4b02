// SPDX-License-Identifier: MIT
// Reads and builds a sweep's files.
#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier,cert-*): nftw
#endif
#include "fuzz/sweep_files.h"

#include "cli/cli.h"
#include "fuzz/coded.h"
#include "support/bvh_sample.h"
#include "support/gltf_samples.h"
#include "support/avatar.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give_up(const char *path) {
    fprintf(stderr, "sweep: %s cannot be read\n", path);
    exit(2);
}

static sweep_file *add_file(sweep_list *list) {
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 16;
        list->files = realloc(list->files, (size_t)list->capacity * sizeof *list->files);
        if (!list->files) give_up("memory");
    }
    sweep_file *file = &list->files[list->count++];
    file->part_count = 0;
    return file;
}

static void add_part(sweep_file *file, const char *name, const void *data, size_t size) {
    if (file->part_count == MOST_PARTS) give_up(name);
    sweep_part *part = &file->parts[file->part_count++];
    snprintf(part->name, sizeof part->name, "%s", name);
    part->size = size;
    part->data = malloc(size > 0 ? size : 1);
    if (!part->data) give_up(name);
    if (size > 0) memcpy(part->data, data, size);
}

// ---- Files of other authors --------------------------------------------------------------------------------------

static bool read_part(sweep_file *file, const char *path, const char *name) {
    FILE *stream = fopen(path, "rb");
    if (!stream) return false;
    gltf_text bytes = {NULL, 0, 0};
    char buffer[65536];
    size_t got;
    while ((got = fread(buffer, 1, sizeof buffer, stream)) > 0) gltf_append(&bytes, buffer, got);
    bool good = !ferror(stream);
    (void)fclose(stream);
    if (good) add_part(file, name, bytes.data, bytes.size);
    free(bytes.data);
    return good;
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

// The reader of the first load, which records the URIs.
typedef struct finder {
    sweep_file *file;
    char folder[512];
} finder;

static bool find_part(const char *uri, sinew_bytes *bytes, void *user) {
    finder *f = user;
    char path[1024];
    snprintf(path, sizeof path, "%s%s", f->folder, uri);
    if (!read_part(f->file, path, uri)) return false;
    const sweep_part *part = &f->file->parts[f->file->part_count - 1];
    *bytes = (sinew_bytes){part->data, part->size};
    return true;
}

static void load_from_disk(sweep_list *list, const char *path) {
    sweep_file *file = add_file(list);
    if (!read_part(file, path, path)) give_up(path);
    file->is_bvh = ends_with(path, ".bvh");
    if (file->is_bvh) return;
    finder f = {.file = file};
    const char *name = strrchr(path, '/');
    if (name) snprintf(f.folder, sizeof f.folder, "%.*s", (int)(name + 1 - path), path);
    sinew_gltf_options options = *with_avatars();
    options.reader = (sinew_reader){find_part, NULL, &f};
    options.meshopt_decode = cli_decode_meshopt;
    sinew_asset *asset;
    sinew_error error;
    if (sinew_gltf_load_memory(file->parts[0].data, file->parts[0].size, &options, &asset, &error) != SINEW_OK) {
        fprintf(stderr, "sweep: %s: %s\n", path, error.message);
        exit(2);
    }
    sinew_asset_destroy(asset);
}

static sweep_list *walked; // nftw's callback gets no user data

static int add_if_model(const char *path, const struct stat *status, int kind, struct FTW *where) {
    (void)status, (void)where;
    if (strstr(path, "/refused-")) return 0; // of the conformance set: as they are nothing can load them
    bool is_model = ends_with(path, ".glb") || ends_with(path, ".gltf") || ends_with(path, ".bvh");
    if (kind == FTW_F && is_model) load_from_disk(walked, path);
    return 0;
}

void sweep_add(sweep_list *list, const char *path) {
    walked = list;
    if (nftw(path, add_if_model, 16, FTW_PHYS) != 0) give_up(path);
}

// ---- Files that the tests build ----------------------------------------------------------------------------------

static void add_sample(sweep_list *list, const char *sample, gltf_builder b) {
    char name[64];
    size_t size;
    snprintf(name, sizeof name, "the sample %s.glb", sample);
    uint8_t *glb = gltf_write_glb(&b, &size);
    add_part(add_file(list), name, glb, size);
    free(glb);
    snprintf(name, sizeof name, "the sample %s.gltf", sample);
    char *text = gltf_write_text(&b, &size);
    add_part(add_file(list), name, text, size);
    free(text);
    snprintf(name, sizeof name, "the sample %s.gltf with a buffer outside", sample);
    text = gltf_write_text_of(&b, "buffer.bin", &size);
    sweep_file *file = add_file(list);
    add_part(file, name, text, size);
    add_part(file, "buffer.bin", b.bin.data, b.bin.size);
    free(text);
    gltf_end(&b);
}

void sweep_add_samples(sweep_list *list) {
    for (int i = 0; i < gltf_sample_count; i++) add_sample(list, gltf_samples[i].name, gltf_samples[i].make());
    add_sample(list, "coded", sample_coded());
    sweep_file *bvh = add_file(list);
    add_part(bvh, "the sample small.bvh", bvh_sample, sizeof bvh_sample - 1);
    bvh->is_bvh = true;
}

void sweep_free(sweep_list *list) {
    for (int i = 0; i < list->count; i++) {
        for (int k = 0; k < list->files[i].part_count; k++) free(list->files[i].parts[k].data);
    }
    free(list->files);
}

// ---- Serving them ------------------------------------------------------------------------------------------------

// An exact-size copy, so a sanitizer catches reads past its end.
static bool serve(const char *uri, sinew_bytes *bytes, void *user) {
    const sweep_file *file = user;
    for (int i = 1; i < file->part_count; i++) {
        const sweep_part *part = &file->parts[i];
        if (strcmp(part->name, uri) != 0) continue;
        bytes->data = malloc(part->size > 0 ? part->size : 1);
        if (!bytes->data) return false;
        bytes->size = part->size;
        memcpy(bytes->data, part->data, part->size);
        return true;
    }
    return false;
}

static void take_back(sinew_bytes bytes, void *user) {
    (void)user;
    free(bytes.data);
}

sinew_reader sweep_reader(sweep_file *file) {
    return (sinew_reader){serve, take_back, file};
}
