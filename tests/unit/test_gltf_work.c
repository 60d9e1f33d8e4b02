// SPDX-License-Identifier: MIT
// A file of n bytes never takes more than a constant times n of work, and twice the file about twice at most. Counts
// basic blocks: for this test, the library is compiled again so that each block calls a function below.
#include "support/bombs.h"

#include <stdio.h>

void __sanitizer_cov_trace_pc(void); // NOLINT(bugprone-reserved-identifier,cert-*): the compilers' name

static uint64_t blocks;

void __sanitizer_cov_trace_pc(void) { // NOLINT(bugprone-reserved-identifier,cert-*)
    blocks++;
}

// The number of basic blocks that loading takes. `*size` is the file's. test_gltf_limits.c checks the memory.
static double work_of(const bomb *which, int about, double *size) {
    gltf_builder b = which->make(about);
    size_t file_size;
    uint8_t *glb = gltf_write_glb(&b, &file_size);
    gltf_end(&b);
    sinew_gltf_options options = bomb_options(which);
    sinew_asset *asset;
    blocks = 0;
    sinew_result result = sinew_gltf_load_memory(glb, file_size, &options, &asset, NULL);
    double work = (double)blocks;
    assert_true(result == which->result || result == SINEW_OK); // a small one may still be allowed
    sinew_asset_destroy(asset);
    free(glb);
    *size = (double)file_size;
    return work;
}

// As docs/guide.md says. What every file may take, however small, is for the 4 MiB that every file may take.
enum { MOST_A_BYTE = 2000, MOST_FOR_NOTHING = 20000000 };

static void check_bomb(const bomb *which) {
    double small_size, large_size;
    double small = work_of(which, 100000, &small_size), large = work_of(which, 400000, &large_size);
    print_message("%-22s %6.0f blocks a byte, %5.2f times as many for %.2f times the size\n", which->name,
                  large / large_size, large / small, large_size / small_size);
    if (large > MOST_A_BYTE * large_size + MOST_FOR_NOTHING) fail_msg("%s: %g blocks", which->name, large);
    // 4 times as large: 16 times as much were it quadratic
    if (!which->grows && large > 1.25 * small * large_size / small_size)
        fail_msg("%s: the work grows faster than it", which->name);
}

// Mistakes: finding the place of each of many errors; looking up one object's members for each of its users; walking
// through one hash chain for each of its elements; reading keys again for each channel.
static void test_bombs(void **state) {
    (void)state;
    for (int i = 0; i < bomb_count; i++) check_bomb(&bombs[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bombs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
