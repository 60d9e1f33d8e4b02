// SPDX-License-Identifier: MIT
// Assets: finding clips by name, and a primitive's skin job. (The importers' tests check what they put into assets.)
#include "support/check.h"

static void test_clips_are_found_by_name(void **state) {
    (void)state; // pitfall 20: names may be missing or repeated
    const sinew_clip clips[4] = {{.name = ""}, {.name = "twin"}, {.name = "other"}, {.name = "twin"}};
    const sinew_asset asset = {.clip_count = 4, .clips = clips};
    assert_ptr_equal(sinew_asset_find_clip(&asset, "twin"), &clips[1]); // the first of them
    assert_ptr_equal(sinew_asset_find_clip(&asset, "other"), &clips[2]);
    assert_ptr_equal(sinew_asset_find_clip(&asset, ""), &clips[0]);
    assert_null(sinew_asset_find_clip(&asset, "Twin"));
    const sinew_asset empty = {0};
    assert_null(sinew_asset_find_clip(&empty, ""));
}

static void test_no_asset_may_be_destroyed(void **state) {
    (void)state;
    sinew_asset_destroy(NULL);
}

static void test_a_primitive_makes_a_skin_job(void **state) {
    (void)state; // two vertices, all weight on the second of two joints, which moves by (1, 2, 3) and turns X to Y
    static const float positions[6] = {0, 0, 0, 1, 0, 0}, normals[6] = {1, 0, 0, 0, 0, 1};
    static const float tangents[8] = {0, 1, 0, 1, 1, 0, 0, -1}, weights[16] = {[7] = 1, [8] = 1};
    static const uint16_t joints[16] = {[7] = 1, [8] = 1};
    const sinew_primitive primitive = {.vertex_count = 2,
                                       .positions = positions,
                                       .normals = normals,
                                       .tangents = tangents,
                                       .influences = 8,
                                       .joints = joints,
                                       .weights = weights};
    const sinew_affine palette[2] = {sinew_affine_identity(), {{{0, -1, 0, 1}, {1, 0, 0, 2}, {0, 0, 1, 3}}}};
    float out[6], out_normals[6], out_tangents[8];
    sinew_skin_job job = sinew_primitive_skin_job(&primitive);
    job.out_positions = out;
    job.out_normals = out_normals;
    job.out_tangents = out_tangents;
    sinew_skin_vertices(&job, palette, 0, 2);
    for (int i = 0; i < 6; i++) {
        check_near(out[i], ((float[6]){1, 2, 3, 1, 3, 3})[i], 1e-6);
        check_near(out_normals[i], ((float[6]){0, 1, 0, 0, 0, 1})[i], 1e-6);
    }
    for (int i = 0; i < 8; i++) check_near(out_tangents[i], ((float[8]){-1, 0, 0, 1, 0, 1, 0, -1})[i], 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clips_are_found_by_name),
        cmocka_unit_test(test_no_asset_may_be_destroyed),
        cmocka_unit_test(test_a_primitive_makes_a_skin_job),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
