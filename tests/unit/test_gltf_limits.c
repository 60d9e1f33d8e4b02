// SPDX-License-Identifier: MIT
// A file of n bytes never takes more than a constant times n of memory. test_gltf_work.c checks the work.
#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier,cert-*): stat
#endif
#include "support/asset_use.h"
#include "support/bombs.h"
#include "support/files.h"

#include <stdio.h>
#include <sys/stat.h>

// What <sinew/gltf.h> says: 256 for each byte, and 4 MiB. The asset object itself is not counted there.
static double allowed(size_t size) {
    return 256.0 * (double)size + 4.0 * 1024 * 1024 + 4096;
}

// ---- Bombs ---------------------------------------------------------------------------------------------------

static void check_bomb(const bomb *which, int size) {
    gltf_builder b = which->make(size);
    size_t file_size;
    uint8_t *glb = gltf_write_glb(&b, &file_size);
    gltf_end(&b);
    asset_memory memory = {0};
    sinew_gltf_options options = bomb_options(which);
    options.allocator = asset_memory_allocator(&memory);
    sinew_asset *asset;
    sinew_error error = {0};
    sinew_result result = sinew_gltf_load_memory(glb, file_size, &options, &asset, &error);
    free(glb);
    if (result != which->result) fail_msg("%s: %s: %s", which->name, sinew_result_string(result), error.message);
    if (which->message) check_contains(error.message, which->message);
    size_t read = file_size + bomb_outside(which);
    print_message("%s: %zu bytes, %.1f times as much memory\n", which->name, file_size,
                  (double)memory.peak / (double)read);
    if ((double)memory.peak > allowed(read))
        fail_msg("%s: %zu bytes took %zu of memory", which->name, read, memory.peak);
    sinew_asset_destroy(asset);
    assert_int_equal(memory.live, 0);
}

static void test_bombs(void **state) {
    (void)state;
    for (int i = 0; i < bomb_count; i++) check_bomb(&bombs[i], 400000);
}

// An option raises the limit for trusted files. Mistake: a limit that no option changes, or an option that changes
// both.
static void test_the_limit_is_an_option(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_raw_accessor(&b, "'componentType':5126,'type':'VEC3','count':1000000");
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}]");
    size_t size;
    uint8_t *glb = gltf_write_glb(&b, &size);
    gltf_end(&b);
    sinew_gltf_options options = sinew_gltf_default();
    assert_int_equal(options.expansion_limit, 256);
    sinew_asset *asset;
    sinew_error error = {0};
    assert_int_equal(sinew_gltf_load_memory(glb, size, &options, &asset, &error), SINEW_ERROR_LIMIT);
    check_contains(error.message, "raise expansion_limit above 256 to allow that");
    options.expansion_limit = 1000000;
    assert_int_equal(sinew_gltf_load_memory(glb, size, &options, &asset, &error), SINEW_OK);
    assert_int_equal(asset->meshes[0].primitives[0].vertex_count, 1000000);
    sinew_asset_destroy(asset);
    options.memory_limit = 1000000;
    assert_int_equal(sinew_gltf_load_memory(glb, size, &options, &asset, &error), SINEW_ERROR_LIMIT);
    check_contains(error.message, "accessors[0]: the file needs more than the memory limit of 1000000 bytes");
    options.memory_limit = SIZE_MAX;
    options.expansion_limit = SIZE_MAX; // and no overflow
    assert_int_equal(sinew_gltf_load_memory(glb, size, &options, &asset, &error), SINEW_OK);
    sinew_asset_destroy(asset);
    options.expansion_limit = 0;
    assert_int_equal(sinew_gltf_load_memory(glb, size, &options, &asset, &error), SINEW_ERROR_LIMIT);
    free(glb);
}

// What sharing costs little for: the same keys for thousands of channels, the same triangles for hundreds of meshes.
static void test_sharing_is_no_bomb(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    float corners[300], times[1000], scales[3000];
    uint16_t order[300];
    for (int i = 0; i < 300; i++) corners[i] = (float)i, order[i] = (uint16_t)(i % 100);
    for (int i = 0; i < 1000; i++) times[i] = (float)i;
    for (int i = 0; i < 3000; i++) scales[i] = 1.0f;
    int positions = gltf_floats(&b, "VEC3", 100, corners);
    int indices = gltf_accessor(&b, order, sizeof order, U16, "SCALAR", 300);
    int input = gltf_floats(&b, "SCALAR", 1000, times), output = gltf_floats(&b, "VEC3", 1000, scales);
    gltf_text nodes = {NULL, 0, 0}, channels = {NULL, 0, 0}, meshes = {NULL, 0, 0};
    for (int i = 0; i < 500; i++) {
        char line[128];
        gltf_append(&nodes, i == 0 ? "{}" : ",{}", i == 0 ? 2 : 3);
        int length =
            snprintf(line, sizeof line, "%s{'sampler':0,'target':{'node':%d,'path':'scale'}}", i ? "," : "", i);
        gltf_append(&channels, line, (size_t)length);
        length = snprintf(line, sizeof line, "%s{'primitives':[{'attributes':{'POSITION':%d},'indices':%d}]}",
                          i ? "," : "", positions, indices);
        gltf_append(&meshes, line, (size_t)length);
    }
    gltf_section(&b, "'nodes':[%s],'meshes':[%s]", nodes.data, meshes.data);
    gltf_section(&b, "'animations':[{'samplers':[{'input':%d,'output':%d}],'channels':[%s]}]", input, output,
                 channels.data);
    free(nodes.data);
    free(channels.data);
    free(meshes.data);
    sinew_asset *asset = gltf_load(&b, NULL);
    assert_int_equal(asset->clips[0].channel_count, 500);
    assert_ptr_equal(asset->meshes[0].primitives[0].indices, asset->meshes[499].primitives[0].indices);
    assert_int_equal(asset->meshes[499].primitives[0].indices[299], 99);
    sinew_asset_destroy(asset);
}

// ---- Files as people make them ------------------------------------------------------------------------------------

static struct {
    double largest; // bytes of memory beyond the first 4 MiB, for a byte of the file
    int count;
} files;

// Files next to it also count.
static size_t size_with_buffers(const char *path) {
    struct stat own, beside;
    assert_int_equal(stat(path, &own), 0);
    size_t length = strlen(path), size = (size_t)own.st_size;
    char name[1024];
    if (length < 5 || length >= sizeof name || strcmp(path + length - 5, ".gltf") != 0) return size;
    snprintf(name, sizeof name, "%.*s.bin", (int)length - 5, path);
    return stat(name, &beside) == 0 ? size + (size_t)beside.st_size : size;
}

static void measure_file(const char *path) {
    if (strstr(path, "meshopt")) return;
    asset_memory memory = {0};
    sinew_gltf_options options = sinew_gltf_default();
    options.allocator = asset_memory_allocator(&memory);
    sinew_asset *asset = load_gltf(path, &options);
    sinew_asset_destroy(asset);
    size_t size = size_with_buffers(path);
    double times = (double)memory.peak / (double)size;
    if (memory.peak > 4 << 20 && times > files.largest) files.largest = times;
    files.count++;
    if ((double)memory.peak > allowed(size)) fail_msg("%s takes %zu bytes of memory", path, memory.peak);
}

static void measure_folder(const char *folder) {
    memset(&files, 0, sizeof files);
    for_each_file(folder, ".glb .gltf", measure_file);
    print_message("%s: %d files; those that take more than 4 MiB take at most %.1f times their size\n", folder,
                  files.count, files.largest);
    assert_true(files.count > 0);
    assert_true(files.largest < 64.0); // far below the limit, so no real file gets close
}

static void test_models(void **state) {
    (void)state;
    measure_folder(SINEW_MODELS);
}

static void test_assets(void **state) {
    (void)state;
    measure_folder(other_peoples_files());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bombs),
        cmocka_unit_test(test_the_limit_is_an_option),
        cmocka_unit_test(test_sharing_is_no_bomb),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_assets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
