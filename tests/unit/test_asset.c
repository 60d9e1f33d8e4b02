// SPDX-License-Identifier: MIT
// Assets: finding clips by name. (What importers put into assets is tested with them.)
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clips_are_found_by_name),
        cmocka_unit_test(test_no_asset_may_be_destroyed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
