// SPDX-License-Identifier: MIT
// Damaged files and no memory: one clear error, and nothing left behind.
#include "support/asset_use.h"
#include "support/gltf_builder.h"
#include "support/gltf_samples.h"

#include <stdio.h>

// Returns true if it loads. Either way, checks what must hold for every input.
static bool survives(const uint8_t *data, size_t size) {
    sinew_result result;
    const char *fault = asset_try(data, size, NULL, NULL, &result);
    if (fault) fail_msg("%s", fault);
    return result == SINEW_OK;
}

static void test_everything_loads(void **state) {
    (void)state;
    gltf_builder b = sample_everything();
    size_t size;
    char *text = gltf_write_text(&b, &size);
    assert_true(survives((uint8_t *)text, size));
    free(text);
    sinew_asset *asset = gltf_load(&b, NULL);
    assert_int_equal(asset->skeleton->node_count, 3);
    assert_int_equal(asset->skeleton->weight_count, 2);
    assert_int_equal(asset->clips[0].channel_count, 3);
    assert_int_equal(asset->meshes[0].primitives[1].index_count, 6);
    sinew_asset_destroy(asset);
}

// Otherwise damage to them would show nothing.
static void test_samples_load(void **state) {
    (void)state;
    for (int i = 0; i < gltf_sample_count; i++) {
        gltf_builder b = gltf_samples[i].make();
        sinew_asset_destroy(gltf_load(&b, NULL));
    }
}

static void test_truncated_at_every_byte(void **state) {
    (void)state;
    gltf_builder b = sample_everything();
    size_t size;
    uint8_t *glb = gltf_write_glb(&b, &size);
    for (size_t cut = 0; cut < size; cut++) assert_false(survives(glb, cut));
    // The same with a matching length, so the chunks are cut.
    for (size_t cut = 12; cut < size; cut++) {
        for (int i = 0; i < 4; i++) glb[8 + i] = (uint8_t)(cut >> (8 * i));
        assert_false(survives(glb, cut));
    }
    free(glb);
    char *text = gltf_write_text(&b, &size);
    for (size_t cut = 0; cut < size; cut++) assert_false(survives((uint8_t *)text, cut));
    free(text);
    gltf_end(&b);
}

static void test_every_byte_changed(void **state) {
    (void)state;
    gltf_builder b = sample_everything();
    size_t size;
    uint8_t *glb = gltf_write_glb(&b, &size);
    gltf_end(&b);
    static const uint8_t masks[] = {0x01, 0x80, 0xFF, 0x20, 0x0F};
    int loaded = 0;
    for (size_t at = 0; at < size; at++) {
        uint8_t kept = glb[at];
        for (size_t m = 0; m < sizeof masks; m++) {
            glb[at] = kept ^ masks[m];
            loaded += survives(glb, size);
        }
        glb[at] = '9'; // numbers become larger
        loaded += survives(glb, size);
        glb[at] = kept;
    }
    assert_true(loaded > 100); // many changes are harmless, so what comes after the parser was reached too
    free(glb);
}

// Every number of the JSON part, one at a time, becomes another one: indices, counts, offsets, sizes, types.
// Mistake: using any of them before it is checked.
static void test_every_number_replaced(void **state) {
    (void)state;
    gltf_builder b = sample_everything();
    size_t size;
    char *text = gltf_write_text(&b, &size);
    gltf_end(&b);
    static const char *const others[] = {
        "-1",  "1e300", "2147483647", "2147483648", "4294967295", "9007199254740992",
        "0.5", "null",  "\"\"",       "[]",         "{}",         "0",
        "1",   "2",     "3",          "7",          "65536",      "1e-320"};
    int loaded = 0, tried = 0;
    bool in_string = false;
    for (size_t at = 1; at < size; at++) {
        if (text[at] == '"') in_string = !in_string;
        bool starts = !in_string && text[at] >= '0' && text[at] <= '9' && strchr(":[,", text[at - 1]);
        if (!starts) continue;
        size_t length = strspn(text + at, "0123456789.");
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
            gltf_text changed = {NULL, 0, 0};
            gltf_append(&changed, text, at);
            gltf_append(&changed, others[i], strlen(others[i]));
            gltf_append(&changed, text + at + length, size - at - length);
            loaded += survives((uint8_t *)changed.data, changed.size);
            tried++;
            free(changed.data);
        }
    }
    assert_true(tried > 1000);
    assert_true(loaded > 100 && loaded < tried);
    free(text);
}

static void test_random_bytes(void **state) {
    (void)state;
    // Every other time they stand in sound chunks.
    static const uint8_t start[20] = {'g', 'l', 'T', 'F', 2, 0, 0, 0, 64, 0, 0, 0, 44, 0, 0, 0, 'J', 'S', 'O', 'N'};
    uint64_t random = 1;
    for (int i = 0; i < 2000; i++) {
        uint8_t data[64];
        for (size_t k = 0; k < sizeof data; k++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            data[k] = (uint8_t)(random >> 56);
        }
        if (i % 2) memcpy(data, start, sizeof start);
        assert_false(survives(data, sizeof data));
    }
}

// ---- Memory --------------------------------------------------------------------------------------------------

static sinew_result load_failing(const uint8_t *data, size_t size, counting *f, size_t limit, sinew_asset **asset,
                                 sinew_error *error) {
    sinew_gltf_options options = sinew_gltf_default();
    options.allocator = counting_allocator(f);
    if (limit > 0) options.memory_limit = limit;
    return sinew_gltf_load_memory(data, size, &options, asset, error);
}

// Enough nodes, names and numbers that the arenas need many chunks.
static uint8_t *many_chunks(size_t *size) {
    gltf_builder b = gltf_begin();
    float *times = malloc(6000 * sizeof *times), *values = malloc(18000 * sizeof *values);
    for (int i = 0; i < 6000; i++) times[i] = (float)i;
    for (int i = 0; i < 18000; i++) values[i] = (float)(i % 7);
    int input = gltf_floats(&b, "SCALAR", 6000, times), output = gltf_floats(&b, "VEC3", 6000, values);
    free(times);
    free(values);
    gltf_text nodes = {NULL, 0, 0};
    for (int i = 0; i < 3000; i++) {
        char node[64];
        int length =
            snprintf(node, sizeof node, "%s{'name':'node number %d','scale':[1,1,1]}", i > 0 ? "," : "", i);
        gltf_append(&nodes, node, (size_t)length);
    }
    gltf_section(&b, "'nodes':[%s],'skins':[{'joints':[0,1,2]}]", nodes.data);
    free(nodes.data);
    gltf_section(&b,
                 "'meshes':[{'primitives':[{'attributes':{'POSITION':%d}}]}],"
                 "'animations':[{'samplers':[{'input':%d,'output':%d}],"
                 "'channels':[{'sampler':0,'target':{'node':5,'path':'translation'}}]}]",
                 output, input, output);
    uint8_t *glb = gltf_write_glb(&b, size);
    gltf_end(&b);
    return glb;
}

static void check_every_failing_allocation(const uint8_t *glb, size_t size) {
    counting whole = {0};
    sinew_asset *asset;
    sinew_error error = {0};
    if (load_failing(glb, size, &whole, 0, &asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    assert_true(whole.live > 0);
    assert_int_equal(asset->memory, whole.bytes); // what it says is what it holds
    sinew_asset_destroy(asset);
    assert_int_equal(whole.live, 0);

    for (int n = 1; n <= whole.allocations; n++) {
        counting f = {.fail_at = n, .fail_once = true};
        asset = (sinew_asset *)&f;
        sinew_result result = load_failing(glb, size, &f, 0, &asset, &error);
        if (result != SINEW_ERROR_OUT_OF_MEMORY)
            fail_msg("allocation %d of %d: %s", n, whole.allocations, sinew_result_string(result));
        assert_string_equal(error.message, "out of memory");
        assert_null(asset);
        assert_int_equal(f.live, 0);
    }
}

static void test_every_allocation_fails_once(void **state) {
    (void)state;
    size_t size;
    gltf_builder b = sample_everything();
    uint8_t *glb = gltf_write_glb(&b, &size);
    gltf_end(&b);
    check_every_failing_allocation(glb, size);
    free(glb);
    glb = many_chunks(&size);
    check_every_failing_allocation(glb, size);
    free(glb);
}

// Mistake: a limit for each arena instead of one for both, or one that only the asset knows.
static void test_memory_limit(void **state) {
    (void)state;
    size_t size;
    uint8_t *glb = many_chunks(&size);
    bool loaded = false;
    size_t limit = 1000;
    for (; !loaded; limit += 50000) {
        counting f = {0};
        sinew_asset *asset;
        sinew_error error = {0};
        sinew_result result = load_failing(glb, size, &f, limit, &asset, &error);
        loaded = result == SINEW_OK;
        assert_true(f.peak <= limit + 4096); // the asset object itself is not counted
        if (loaded) {
            sinew_asset_destroy(asset);
        } else {
            assert_int_equal(result, SINEW_ERROR_LIMIT);
            check_contains(error.message, "memory limit of");
            assert_null(asset);
        }
        assert_int_equal(f.live, 0);
    }
    assert_true(limit > 400000); // some were too small: the limit counts
    free(glb);
}

static void test_too_many_nodes(void **state) {
    (void)state;
    gltf_text nodes = {NULL, 0, 0};
    for (int i = 0; i < SINEW_MAX_NODES + 1; i++) gltf_append(&nodes, ",{}", 3);
    gltf_builder b = gltf_begin();
    gltf_section(&b, "'nodes':[%s]", nodes.data + 1);
    free(nodes.data);
    gltf_refuse(&b, SINEW_ERROR_LIMIT, "nodes: 1000001 nodes exceed the limit of 1000000");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everything_loads),
        cmocka_unit_test(test_samples_load),
        cmocka_unit_test(test_truncated_at_every_byte),
        cmocka_unit_test(test_every_byte_changed),
        cmocka_unit_test(test_every_number_replaced),
        cmocka_unit_test(test_random_bytes),
        cmocka_unit_test(test_every_allocation_fails_once),
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_too_many_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
