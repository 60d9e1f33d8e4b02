// SPDX-License-Identifier: MIT
// Dropping files onto `sinew view`'s window, like a file manager. The argument is the command's path. Skipped without
// a display (77).
#include "support/view_screen.h"

// Catches a broken file that ends the window or replaces the current one, and a message that stays.
static void a_broken_file_is_dropped(void **state) {
    (void)state;
    static shot before, s, t;
    open_view("hero.glb");
    hold(&before);
    char path[320];
    snprintf(path, sizeof path, "%s/broken.glb", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs("glTF, says this file, and is none", file);
    fclose(file);
    drop(path);
    wait_for_motion(&before, MESSAGE, 3000, "a message about a broken file");
    take(&s);
    write_shot(&s, "broken");
    expect_same(&before, LIST_HEAD, "a broken file");
    wait_for_change(&s, MESSAGE, 3000, &t, "the message's end");
    expect_same(&before, WHOLE, "after the message");
    close_view();
}

// Catches a second file that does not come, or does not replace the first one.
static void another_file_is_dropped(void **state) {
    (void)state;
    static shot before, s;
    open_view("hero.glb");
    hold(&before);
    drop(SINEW_MODELS "/windmill.glb");
    wait_for_motion(&before, PICTURE, 10000, "the dropped file");
    hold(&s);
    write_shot(&s, "dropped");
    if (differing(&before, &s, LIST_HEAD) < 50) fail_msg("the list is that of the first file");
    close_view();
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    if (!screen_start(argv[1])) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_broken_file_is_dropped, stop_view),
        cmocka_unit_test_teardown(another_file_is_dropped, stop_view),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    screen_end();
    return failed;
}
