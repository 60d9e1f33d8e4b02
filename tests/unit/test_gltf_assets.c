// SPDX-License-Identifier: MIT
// Other people's files: every one in the folder that SINEW_ASSETS names must load, and every demo model.
#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier,cert-*): nftw
#endif
#include "support/asset_use.h"
#include "support/gltf_builder.h"

#include <ftw.h>
#include <stdio.h>

static struct { int loaded, refused, failed; } counts;

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static int load_one(const char *path, const struct stat *status, int kind, struct FTW *where) {
    (void)status, (void)where;
    if (kind != FTW_F || (!ends_with(path, ".glb") && !ends_with(path, ".gltf"))) return 0;
    if (strstr(path, "/refused-")) return 0; // of the conformance set: nothing can load them
    sinew_asset *asset;
    sinew_error error = {0};
    sinew_result result = sinew_gltf_load_file(path, NULL, &asset, &error);
    if (result == SINEW_OK) {
        const char *wrong = asset_fault(asset);
        if (wrong) print_error("%s: %s\n", path, wrong);
        counts.failed += wrong != NULL;
        counts.loaded++;
        sinew_asset_destroy(asset);
        return 0;
    }
    bool needs_decoder = strstr(path, "meshopt") != NULL;
    if (needs_decoder && result == SINEW_ERROR_UNSUPPORTED && strstr(error.message, "meshopt")) {
        counts.refused++;
        return 0;
    }
    print_error("%s\n", error.message);
    counts.failed++;
    return 0;
}

static void load_folder(const char *folder) {
    memset(&counts, 0, sizeof counts);
    assert_int_equal(nftw(folder, load_one, 16, FTW_PHYS), 0);
    print_message("%s: %d loaded, %d need a decoder, %d failed\n", folder, counts.loaded, counts.refused,
                  counts.failed);
    assert_int_equal(counts.failed, 0);
    assert_true(counts.loaded > 0);
}

static void test_assets(void **state) {
    (void)state;
    const char *folder = getenv("SINEW_ASSETS");
    if (!folder) {
        print_message("SINEW_ASSETS is not set: no files of other people's are tried\n");
        skip();
        return;
    }
    load_folder(folder);
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
