// SPDX-License-Identifier: MIT
// Files that are dropped onto the window of `sinew view`, as a file manager drops them. Run with the command's path as
// the argument. Where there is no display, the test is skipped (77).
#include "support/view_screen.h"

// Catches a broken file that ends the window or takes the place of what is shown, and a message that stays.
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

// The attachments panel, as tools/view/layout.c places it at this size.
static const region ATTACHMENTS = {366, 10, 264, 148};

static void click(int x, int y) {
    assert_true(run_shell("xdotool mousemove %d %d && xdotool click 1", x, y));
}

// Catches a second file that does not come, or takes the first one's place; a panel that is not shown or stays; a
// click that names nothing; and a file that is removed and leaves something behind.
static void files_come_and_go(void **state) {
    (void)state;
    static shot before, s, t;
    open_view("hero.glb");
    hold(&before);
    press("f"); // as the camera will stand when it goes back
    wait_for_change(NULL, WHOLE, 0, &before, "f");
    drop(SINEW_MODELS "/windmill.glb");
    wait_for_change(&before, PICTURE, 10000, &s, "the dropped file");
    write_shot(&s, "dropped");
    if (differing(&before, &s, LIST_HEAD) > 0) fail_msg("the first file's list has changed");
    press("i");
    wait_for_change(&s, ATTACHMENTS, 8000, &t, "the panel");
    write_shot(&t, "panel");
    click(300, 215);
    wait_for_change(&t, ATTACHMENTS, 100, &s, "a click");
    write_shot(&s, "clicked");
    press("Delete");
    press("i");
    wait_for_change(&s, PICTURE, 10000, &t, "Delete");
    write_shot(&t, "removed");
    expect_same(&before, WHOLE, "when it is gone");
    close_view();
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    if (!screen_start(argv[1])) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_broken_file_is_dropped, stop_view),
        cmocka_unit_test_teardown(files_come_and_go, stop_view),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    screen_end();
    return failed;
}
