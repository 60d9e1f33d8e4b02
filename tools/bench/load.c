// SPDX-License-Identifier: MIT
// Writes the library of clips as glTF 2.0 (sections 3.6, 3.11 and 4.4), and loads it.
#include "bench/load.h"

#include "bench/measure.h"
#include "bench/memory.h"

#include <sinew/gltf.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

enum { JOINTS = BENCH_LIBRARY_JOINTS, KEYS = 64, PATHS = 3 };

static const char *const path_names[PATHS] = {"translation", "rotation", "scale"};
static const char *const path_types[PATHS] = {"VEC3", "VEC4", "VEC3"};
static const size_t path_widths[PATHS] = {3, 4, 3};

// ---- Text that grows -----------------------------------------------------------------------------------------

typedef struct text {
    char *data;
    size_t size, room;
} text;

static void say(text *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(text *to, const char *format, ...) {
    char piece[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    size_t size = length < 0 ? 0 : (size_t)length;
    if (to->size + size >= to->room) {
        size_t room = 2 * (to->room + sizeof piece);
        char *more = bench_allocate(room, 1);
        if (to->data) memcpy(more, to->data, to->size);
        bench_release(to->data);
        to->data = more, to->room = room;
    }
    memcpy(to->data + to->size, piece, size);
    to->size += size;
}

// ---- The binary part -----------------------------------------------------------------------------------------

static size_t clip_floats(void) {
    size_t floats = KEYS;
    for (int p = 0; p < PATHS; p++) floats += (size_t)JOINTS * KEYS * path_widths[p];
    return floats;
}

static float *fill_times(float *to) {
    for (int k = 0; k < KEYS; k++) *to++ = (float)k / 30.0f;
    return to;
}

static float *fill_channel(float *to, int path, bench_random *random) {
    float speed = bench_random_float(random, 0.02f, 0.2f), width = bench_random_float(random, 0.1f, 0.9f);
    for (int k = 0; k < KEYS; k++) {
        float swing = width * sinf(speed * (float)k);
        if (path == 0) *to++ = swing, *to++ = 0.2f, *to++ = -swing;
        if (path == 1) *to++ = 0.0f, *to++ = 0.6f * sinf(swing), *to++ = 0.8f * sinf(swing), *to++ = cosf(swing);
        if (path == 2) *to++ = 1.0f + 0.1f * swing, *to++ = 1.0f, *to++ = 1.0f;
    }
    return to;
}

static float *fill_clip(float *to, bench_random *random) {
    to = fill_times(to);
    for (int j = 0; j < JOINTS; j++) {
        for (int p = 0; p < PATHS; p++) to = fill_channel(to, p, random);
    }
    return to;
}

// ---- The JSON part -------------------------------------------------------------------------------------------

// A clip's times and its channels. Each has the accessor and the view with the same number.
enum { ACCESSORS = 1 + JOINTS * PATHS };

static void say_nodes(text *to) {
    say(to, "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[");
    for (int j = 0; j < JOINTS; j++) {
        say(to, "%s{\"name\":\"joint_%d\"", j ? "," : "", j);
        if (2 * j + 1 < JOINTS) say(to, ",\"children\":[%d", 2 * j + 1);
        if (2 * j + 2 < JOINTS) say(to, ",%d", 2 * j + 2);
        say(to, "%s}", 2 * j + 1 < JOINTS ? "]" : "");
    }
    say(to, "]");
}

static void say_accessors(text *to, int32_t clips) {
    say(to, ",\"accessors\":[");
    for (int32_t i = 0; i < clips * ACCESSORS; i++) {
        int at = i % ACCESSORS;
        const char *type = at == 0 ? "SCALAR" : path_types[(at - 1) % PATHS];
        say(to, "%s{\"bufferView\":%d,\"componentType\":5126,\"count\":%d,\"type\":\"%s\"", i ? "," : "", (int)i,
            KEYS, type);
        if (at == 0) say(to, ",\"min\":[0],\"max\":[%.9g]", (double)((float)(KEYS - 1) / 30.0f));
        say(to, "}");
    }
    say(to, "]");
}

static void say_views(text *to, int32_t clips) {
    size_t offset = 0;
    say(to, ",\"bufferViews\":[");
    for (int32_t i = 0; i < clips * ACCESSORS; i++) {
        int at = i % ACCESSORS;
        size_t bytes = (at == 0 ? 1 : path_widths[(at - 1) % PATHS]) * KEYS * sizeof(float);
        say(to, "%s{\"buffer\":0,\"byteLength\":%zu,\"byteOffset\":%zu}", i ? "," : "", bytes, offset);
        offset += bytes;
    }
    say(to, "],\"buffers\":[{\"byteLength\":%zu}]", offset);
}

static void say_clip(text *to, int32_t clip) {
    int times = (int)clip * ACCESSORS;
    say(to, "%s{\"name\":\"motion_%d\",\"channels\":[", clip ? "," : "", (int)clip);
    for (int i = 0; i + 1 < ACCESSORS; i++) {
        say(to, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", i ? "," : "", i, i / PATHS,
            path_names[i % PATHS]);
    }
    say(to, "],\"samplers\":[");
    for (int i = 0; i + 1 < ACCESSORS; i++) {
        say(to, "%s{\"input\":%d,\"interpolation\":\"LINEAR\",\"output\":%d}", i ? "," : "", times, times + 1 + i);
    }
    say(to, "]}");
}

static text make_json(int32_t clips) {
    text json = {0};
    say(&json, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,");
    say_nodes(&json);
    say_accessors(&json, clips);
    say_views(&json, clips);
    say(&json, ",\"animations\":[");
    for (int32_t c = 0; c < clips; c++) say_clip(&json, c);
    say(&json, "]}");
    while (json.size % 4 != 0) say(&json, " ");
    return json;
}

// ---- The file ------------------------------------------------------------------------------------------------

static uint8_t *put_header(uint8_t *to, uint32_t a, uint32_t b) {
    const uint32_t words[2] = {a, b};
    for (int i = 0; i < 8; i++) to[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    return to + 8;
}

bench_library bench_library_create(int32_t clips) {
    text json = make_json(clips);
    size_t floats = (size_t)clips * clip_floats(), bin_size = floats * sizeof(float);
    bench_library library = {.size = 12 + 8 + json.size + 8 + bin_size};
    library.data = bench_allocate(library.size, 1);
    uint8_t *to = put_header(library.data, 0x46546c67, 2); // "glTF"
    put_header(to, (uint32_t)library.size, (uint32_t)json.size);
    to = put_header(to + 4, (uint32_t)json.size, 0x4e4f534a); // "JSON"
    memcpy(to, json.data, json.size);
    to = put_header(to + json.size, (uint32_t)bin_size, 0x004e4942); // "BIN"
    float *keys = bench_allocate(floats, sizeof *keys), *end = keys;
    bench_random random = {1};
    for (int32_t c = 0; c < clips; c++) end = fill_clip(end, &random);
    memcpy(to, keys, bin_size);
    bench_release(keys);
    bench_release(json.data);
    return library;
}

void bench_library_destroy(bench_library *library) {
    bench_release(library->data);
    library->data = NULL;
}

bool bench_library_load(const bench_library *library, const char **why) {
    static sinew_error error; // static, because its message is used after the call
    sinew_asset *asset;
    if (sinew_gltf_load_memory(library->data, library->size, NULL, &asset, &error) != SINEW_OK) {
        *why = error.message;
        return false;
    }
    sinew_asset_destroy(asset);
    return true;
}

// ---- Baked assets ----------------------------------------------------------------------------------------------

sinew_baked_asset *bench_library_bake(const bench_library *library, const char **why) {
    static sinew_error error;
    sinew_asset *asset;
    sinew_baked_asset *baked = NULL;
    if (sinew_gltf_load_memory(library->data, library->size, NULL, &asset, &error) == SINEW_OK) {
        (void)sinew_baked_asset_create(asset, NULL, &baked, &error);
        sinew_asset_destroy(asset);
    }
    if (!baked) *why = error.message;
    return baked;
}

static bool load_borrowed(const void *data, size_t size, bool trusted, const char **why) {
    static sinew_error error;
    sinew_baked_asset_options options = sinew_baked_asset_default();
    options.borrow = true;
    options.trusted = trusted;
    sinew_asset *asset;
    if (sinew_baked_asset_load_memory(data, size, &options, &asset, &error) != SINEW_OK) {
        *why = error.message;
        return false;
    }
    sinew_asset_destroy(asset);
    return true;
}

bool bench_baked_load(const sinew_baked_asset *baked, bool trusted, const char **why) {
    return load_borrowed(baked->data, baked->size, trusted, why);
}

#ifdef __linux__
static double time_mapping(FILE *file, size_t size) {
    const char *why = NULL;
    double start = bench_seconds();
    void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fileno(file), 0);
    if (data == MAP_FAILED) return 0.0;
    bool loads = load_borrowed(data, size, true, &why);
    munmap(data, size);
    return loads ? 1e9 * (bench_seconds() - start) : 0.0;
}

double bench_baked_map(const sinew_baked_asset *baked) {
    FILE *file = tmpfile();
    if (!file) return 0.0;
    bool written = fwrite(baked->data, 1, baked->size, file) == baked->size && fflush(file) == 0;
    double taken = written ? time_mapping(file, baked->size) : 0.0;
    fclose(file);
    return taken;
}
#else
double bench_baked_map(const sinew_baked_asset *baked) {
    (void)baked;
    return 0.0;
}
#endif

// ---- The disk ------------------------------------------------------------------------------------------------

#ifdef __linux__
static bool forget(FILE *file) {
    return fflush(file) == 0 && fsync(fileno(file)) == 0 &&
           posix_fadvise(fileno(file), 0, 0, POSIX_FADV_DONTNEED) == 0;
}
#else
static bool forget(FILE *file) {
    (void)file;
    return false;
}
#endif

static double time_reading(FILE *file, size_t size) {
    char *bytes = bench_allocate(size, 1);
    rewind(file);
    double start = bench_seconds();
    bool whole = fread(bytes, 1, size, file) == size;
    double taken = bench_seconds() - start;
    bench_release(bytes);
    return whole ? 1e9 * taken : 0.0;
}

double bench_library_read_cold(const bench_library *library) {
    FILE *file = tmpfile();
    if (!file) return 0.0;
    bool written = fwrite(library->data, 1, library->size, file) == library->size;
    double taken = written && forget(file) ? time_reading(file, library->size) : 0.0;
    fclose(file);
    return taken;
}
