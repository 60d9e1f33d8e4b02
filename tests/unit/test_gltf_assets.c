// SPDX-License-Identifier: MIT
// Every file in the folder that SINEW_ASSETS names, and every demo model, must load.
#include "support/asset_use.h"
#include "support/files.h"
#include "support/gltf_builder.h"

#include <stdio.h>

static struct { int loaded, refused, failed; } counts;

static void load_one(const char *path) {
    sinew_asset *asset;
    sinew_error error = {0};
    sinew_result result = sinew_gltf_load_file(path, NULL, &asset, &error);
    if (result == SINEW_OK) {
        const char *wrong = asset_fault(asset);
        if (wrong) print_error("%s: %s\n", path, wrong);
        counts.failed += wrong != NULL;
        counts.loaded++;
        sinew_asset_destroy(asset);
        return;
    }
    bool needs_decoder = strstr(path, "meshopt") != NULL;
    if (needs_decoder && result == SINEW_ERROR_UNSUPPORTED && strstr(error.message, "meshopt")) {
        counts.refused++;
        return;
    }
    print_error("%s\n", error.message);
    counts.failed++;
}

static void load_folder(const char *folder) {
    memset(&counts, 0, sizeof counts);
    for_each_file(folder, ".glb .gltf", load_one);
    print_message("%s: %d loaded, %d need a decoder, %d failed\n", folder, counts.loaded, counts.refused,
                  counts.failed);
    assert_int_equal(counts.failed, 0);
    assert_true(counts.loaded > 0);
}

static void test_assets(void **state) {
    (void)state;
    load_folder(other_peoples_files());
}

static void test_models(void **state) {
    (void)state;
    load_folder(SINEW_MODELS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_assets),
        cmocka_unit_test(test_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
