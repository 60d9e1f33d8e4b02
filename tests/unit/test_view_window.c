// SPDX-License-Identifier: MIT
// `sinew view` on its own display: what keys, the mouse and arguments do, seen in the screen's pixels. The argument
// is the command's path. Skipped without a display (77).
#include "support/view_screen.h"

// ---- The tests -----------------------------------------------------------------------------------------------

// Catches a window that stays black or still, and keys that do nothing, the wrong thing, or cannot be taken back.
static void keys_change_the_picture(void **state) {
    (void)state;
    static shot s, t;
    open_view("hero.glb");
    take(&s);
    wait_for_motion(&s, PICTURE, 20, "a clip that plays by itself");
    hold(&s);
    write_shot(&s, "paused");
    press_and_take_back(&s, "s", PICTURE, 1500, is_orange);
    press_and_take_back(&s, "g", PICTURE, 1500, NULL);
    press_and_take_back(&s, "w", PICTURE, 1500, is_dark);
    press_and_take_back(&s, "b", PICTURE, 500, is_blue);
    press_and_take_back(&s, "n", PICTURE, 1500, is_teal);
    press_and_take_back(&s, "h", MIDDLE, 50000, NULL);
    press_and_take_back(&s, "t", STATUS, 5000, NULL);
    t = s;
    press_and_see(&s, "Up", TIMELINE_HEAD, 10);
    press_and_see(&s, "Down", TIMELINE_HEAD, 10);
    expect_same(&t, WHOLE, "Down after Up");
    press_and_see(&s, "l", TIMELINE_HEAD, 20);
    press_and_see(&s, "l", TIMELINE_HEAD, 20);
    press_and_see(&s, "l", TIMELINE_HEAD, 20);
    expect_same(&t, WHOLE, "L three times");
    press_and_see(&s, "r", TIMELINE_HEAD, 4);
    press_and_see(&s, "r", TIMELINE_HEAD, 4);
    press_and_see(&s, "Home", BAR, 20);
    t = s;
    press_and_see(&s, "shift+Right", PICTURE, 100);
    press_and_see(&s, "Right", BAR, 20);
    press_and_see(&s, "Left", BAR, 20);
    press_and_see(&s, "shift+Left", BAR, 20);
    expect_same(&t, WHOLE, "steps to and fro");
    press("3"); // a cross-fade, which plays
    wait_for_motion(&t, PICTURE, 3000, "a cross-fade");
    hold(&s);
    write_shot(&s, "3");
    assert_true(differing(&s, &t, PICTURE) > 2000);
    assert_true(differing(&s, &t, (region){10, 56, 168, 100}) > 2000);
    close_view();
}

// Catches drags and wheels that do nothing, and a camera that F does not bring back.
static void the_mouse_moves_the_camera(void **state) {
    (void)state;
    static shot start, s, t;
    open_view("hero.glb");
    hold(&start);
    assert_true(run_shell("xdotool mousemove 420 200 mousedown 1 mousemove 360 200 mousemove 300 220 mouseup 1"));
    wait_for_change(&start, PICTURE, 3000, &s, "drag");
    write_shot(&s, "drag");
    expect_same(&start, LIST_HEAD, "drag");
    press_and_see(&s, "f", PICTURE, 50);
    t = s;
    assert_true(run_shell("xdotool mousemove 420 200 click 4 click 4 click 4"));
    wait_for_change(&t, PICTURE, 3000, &s, "wheel");
    write_shot(&s, "wheel");
    assert_true(run_shell("xdotool mousedown 3 mousemove 480 260 mouseup 3"));
    t = s;
    wait_for_change(&t, PICTURE, 3000, &s, "right drag");
    press_and_see(&s, "f", PICTURE, 3000);
    t = s;
    assert_true(run_shell("xdotool mousemove 320 436 mousedown 1 mousemove 470 436 mouseup 1"));
    wait_for_change(&t, BAR, 100, &s, "scrub");
    assert_true(differing(&s, &t, PICTURE) > 100);
    write_shot(&s, "scrub");
    assert_true(run_shell("xdotool mousemove 80 89 click 1")); // the second row of the list
    wait_for_motion(&s, TIMELINE_HEAD, 60, "a click into the list");
    hold(&t);
    assert_true(differing(&s, &t, TIMELINE_HEAD) > 50);
    write_shot(&t, "click");
    close_view();
}

static int looking_like_in(const shot *s, region r, look like) {
    int count = 0;
    for (int y = r.y; y < r.y + r.height; y++) {
        for (int x = r.x; x < r.x + r.width; x++) count += like(s->rgb[y][x]);
    }
    return count;
}

// Waits, while something plays, until so many pixels of a region look like that.
static void wait_for_look(region r, look like, int least, const char *what) {
    static shot s;
    const double end = now() + PATIENCE;
    do {
        if (now() > end) fail_msg("%s: not seen", what);
        rest(0.02);
        take(&s);
    } while (looking_like_in(&s, r, like) < least);
}

static bool is_bright(const uint8_t *c) {
    return c[0] > 170 && c[1] > 130;
}

// Catches markers that aren't on the bar or are at the wrong time, names that don't appear under the pointer, and
// events that nobody sees.
static void markers_are_shown(void **state) {
    (void)state;
    // Of Walk, Foot_R is at the half of the bar.
    static const region tick = {316, 443, 9, 8}, beside_it = {200, 443, 80, 8}, name = {324, 448, 44, 12},
                        events = {420, 368, 210, 22};
    static shot s, t;
    open_view("hero.glb");
    press("2");
    wait_for_look(events, is_dark, 1501, "the events of Walk");
    hold(&s);
    press_and_see(&s, "Home", BAR, 20); // so the playhead isn't at any of these places
    write_shot(&s, "markers");
    assert_true(looking_like_in(&s, tick, is_bright) > 12 && looking_like_in(&s, name, is_bright) > 20);
    assert_int_equal(looking_like_in(&s, beside_it, is_bright), 0);
    assert_true(looking_like_in(&s, events, is_dark) > 1500);
    assert_true(run_shell("xdotool mousemove 321 452"));
    wait_for_change(&s, TIMELINE_HEAD, 300, &t, "a marker under the pointer");
    write_shot(&t, "marker");
    expect_same(&s, PICTURE, "a marker under the pointer");
    s = t;
    assert_true(run_shell("xdotool mousemove 420 200"));
    wait_for_change(&s, TIMELINE_HEAD, 300, &t, "the pointer's leaving");
    close_view();
}

// Catches a window without a file that shows nothing, or ends.
static void it_starts_without_a_file(void **state) {
    (void)state;
    static shot s;
    open_view_path(NULL);
    wait_for_change(NULL, WHOLE, 0, &s, "welcome");
    write_shot(&s, "welcome");
    int dark = 0;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) dark += s.rgb[y][x][0] < 90;
    }
    assert_true(dark > 100000); // the keys' panel
    close_view();
}

// ---- Without a window ----------------------------------------------------------------------------------------

static void expect_one_line(const char *what) {
    const char *text = said();
    if (!strstr(text, what)) fail_msg("'%s' does not say '%s'", text, what);
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
}

static int run_view(const char *argument, const char *second) {
    char program[] = "sinew", command[] = "view", a[512], b[512];
    char *arguments[] = {program, command, NULL, NULL, NULL};
    snprintf(a, sizeof a, "%s", argument ? argument : "");
    snprintf(b, sizeof b, "%s", second ? second : "");
    if (argument) arguments[2] = a;
    if (second) arguments[3] = b;
    view_process = start_view(arguments);
    return status_of(&view_process);
}

// Catches a command that crashes or hangs without a display, or doesn't say what helps.
static void without_a_display_it_says_so(void **state) {
    (void)state;
    char display[64];
    snprintf(display, sizeof display, "%s", getenv("DISPLAY"));
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    assert_int_equal(run_view(SINEW_MODELS "/hero.glb", NULL), 1);
    expect_one_line("sinew render");
    setenv("DISPLAY", display, 1);
}

// Catches a window that opens for what cannot be shown.
static void bad_arguments_are_refused(void **state) {
    (void)state;
    assert_int_equal(run_view("no-such-file.glb", NULL), 1);
    expect_one_line("no-such-file.glb");
    assert_int_equal(run_view(SINEW_MODELS "/hero.glb", "--clip=Swim"), 1);
    expect_one_line("Swim");
    assert_int_equal(run_view(SINEW_MODELS "/sword.glb", "--crowd=3"), 1);
    expect_one_line("no clips");
    assert_int_equal(run_view("--play-all", NULL), 2);
    expect_one_line("FILE");
    assert_int_equal(run_view(SINEW_MODELS "/hero.glb", "--baked"), 2);
    expect_one_line("--crowd");
    assert_int_equal(run_view("--clip", "Idle"), 2);
    assert_int_equal(run_view("--size=3x4", NULL), 2);
    expect_one_line("--size");
    assert_int_equal(run_view("--colour", NULL), 2);
}

static bool is_cyan(const uint8_t *c) {
    return c[2] > 170 && c[1] > 150 && c[0] < 130;
}

// Catches colliders that are not drawn, springs that the key does not fade, wind that is not said, and a joint that a click
// does not name.
static void springs_and_joints_are_shown(void **state) {
    (void)state;
    static shot s;
    open_view("hero.glb");
    hold(&s);
    press_and_take_back(&s, "z", PICTURE, 300, is_cyan);
    press_and_see(&s, "equal", LIST_HEAD, 20);
    press_and_see(&s, "u", PICTURE, 20);
    static shot t;
    assert_true(run_shell("xdotool mousemove 405 200 click 1"));
    wait_for_change(&s, PICTURE, 300, &t, "a click on the body");
    write_shot(&t, "joint");
    assert_true(looking_like(&t, is_orange) > looking_like(&s, is_orange) + 40);
    close_view();
}

// Catches a file that is saved and not read again, or not before a key is pressed.
static void a_saved_file_is_shown(void **state) {
    (void)state;
    static shot before, s;
    char path[300];
    snprintf(path, sizeof path, "%s/saved.glb", folder);
    assert_true(run_shell("cp " SINEW_MODELS "/hero.glb %s", path));
    open_view_path(path);
    hold(&before);
    assert_true(run_shell("cp " SINEW_MODELS "/windmill.glb %s", path));
    wait_for_motion(&before, PICTURE, 10000, "the saved file");
    wait_for_change(&before, LIST, 1000, &s, "its clips");
    write_shot(&s, "saved");
    close_view();
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    if (!screen_start(argv[1])) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(keys_change_the_picture, stop_view),
        cmocka_unit_test_teardown(the_mouse_moves_the_camera, stop_view),
        cmocka_unit_test_teardown(markers_are_shown, stop_view),
        cmocka_unit_test_teardown(springs_and_joints_are_shown, stop_view),
        cmocka_unit_test_teardown(a_saved_file_is_shown, stop_view),
        cmocka_unit_test_teardown(it_starts_without_a_file, stop_view),
        cmocka_unit_test_teardown(without_a_display_it_says_so, stop_view),
        cmocka_unit_test_teardown(bad_arguments_are_refused, stop_view),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    screen_end();
    return failed;
}
