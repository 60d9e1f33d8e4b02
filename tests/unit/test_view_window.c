// SPDX-License-Identifier: MIT
// `sinew view` on a display of its own: what keys, the mouse and arguments do, by the pixels of the screen. Run with the
// command's path as the argument. Where there is no display, the test is skipped (77).
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
    press_and_see(&s, "bracketright", LIST_HEAD, 10);
    expect_same(&t, PICTURE, "]");
    press_and_see(&s, "bracketleft", LIST_HEAD, 10);
    expect_same(&t, WHOLE, "[ after ]");
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
    assert_true(run_shell("xdotool mousemove 320 394 mousedown 1 mousemove 470 394 mouseup 1"));
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

// Catches markers that are not on the bar, or at another time than their own, names that do not come under the
// pointer, and events that nobody sees.
static void markers_are_shown(void **state) {
    (void)state;
    // Of Walk, Foot_R is at the half of the bar.
    static const region tick = {316, 401, 9, 8}, beside_it = {200, 401, 80, 8}, name = {324, 406, 44, 12},
                        events = {420, 326, 210, 22};
    static shot s, t;
    open_view("hero.glb");
    press("2");
    wait_for_look(events, is_dark, 1501, "the events of Walk");
    hold(&s);
    press_and_see(&s, "Home", BAR, 20); // so that the playhead is at none of these places
    write_shot(&s, "markers");
    assert_true(looking_like_in(&s, tick, is_bright) > 12 && looking_like_in(&s, name, is_bright) > 20);
    assert_int_equal(looking_like_in(&s, beside_it, is_bright), 0);
    assert_true(looking_like_in(&s, events, is_dark) > 1500);
    assert_true(run_shell("xdotool mousemove 321 410"));
    wait_for_change(&s, TIMELINE_HEAD, 300, &t, "a marker under the pointer");
    write_shot(&t, "marker");
    expect_same(&s, PICTURE, "a marker under the pointer");
    s = t;
    assert_true(run_shell("xdotool mousemove 420 200"));
    wait_for_change(&s, TIMELINE_HEAD, 300, &t, "the pointer's leaving");
    close_view();
}

static bool is_cyan(const uint8_t *c) {
    return c[2] > 170 && c[1] > 150 && c[0] < 130;
}

static bool is_green(const uint8_t *c) {
    return c[1] > c[0] + 8 && c[1] > c[2] + 8;
}

static bool is_violet(const uint8_t *c) {
    return c[2] > c[1] + 50 && c[0] > c[1] + 15;
}

// Where what is, as tools/view/layout.c places it at this size.
static const region MIXING = {398, 10, 232, 284}, CURVE = {408, 74, 212, 29}, PAD = {408, 239, 212, 46};

// Catches a panel that does not come, a curve that stays another kind's, a second character that is not drawn or not
// told from the first, and a layer that is not seen.
static void mixing_is_shown(void **state) {
    (void)state;
    static const region fourth = {170, 144, 8, 22}, free = {182, 10, 212, 340};
    static shot s, t;
    open_view("hero.glb");
    hold(&s);
    t = s;
    press_and_see(&s, "m", MIXING, 20000);
    assert_int_equal(differing(&s, &t, LIST), 0);
    assert_true(looking_like_in(&s, CURVE, is_orange) > 150);
    press_and_see(&s, "k", CURVE, 100);
    t = s;
    press_and_see(&s, "c", free, 10000);
    wait_for_look(free, is_cyan, 21, "its label");
    take(&s);
    assert_true(looking_like_in(&t, free, is_cyan) < 5);
    assert_true(looking_like_in(&t, CURVE, is_cyan) == 0 && looking_like_in(&s, CURVE, is_cyan) > 100);
    press_and_see(&s, "c", free, 10000);
    expect_same(&t, free, "C twice");
    press("shift+5");
    wait_for_look(MIXING, is_violet, 200, "the layer's lines");
    hold(&s);
    write_shot(&s, "layer");
    assert_int_equal(looking_like_in(&t, MIXING, is_violet), 0);
    assert_true(looking_like_in(&s, fourth, is_violet) > 40); // the row's mark
    close_view();
}

// Catches a pad that the mouse does not move, and a blend space that does not play.
static void the_pad_is_dragged(void **state) {
    (void)state;
    static const region row = {10, 100, 168, 22}, end = {600, 255, 20, 25}, start = {408, 255, 20, 25};
    static shot s, t;
    open_view_with("hero.glb", "--space=Idle=0 Walk=1 Run=2");
    wait_for_look(start, is_orange, 30, "the parameter at its start");
    hold(&s);
    assert_true(looking_like_in(&s, start, is_orange) > 30 && looking_like_in(&s, end, is_orange) == 0);
    press("space");
    assert_true(run_shell("xdotool mousemove 430 270 mousedown 1 mousemove 520 270 mousemove 615 270 mouseup 1"));
    assert_true(run_shell("xdotool mousemove 300 200"));
    wait_for_look(end, is_orange, 30, "the parameter at its end");
    wait_for_look(row, is_green, 2500, "the weight of Run");
    hold(&t);
    write_shot(&t, "pad");
    assert_int_equal(looking_like_in(&t, start, is_orange), 0);
    assert_true(differing(&s, &t, PAD) > 100);
    close_view();
}

static bool is_red(const uint8_t *c) {
    return c[0] > c[1] + 80 && c[0] > c[2] + 80;
}

// Catches a graph that does not drive, a panel that does not show its states, and a saved file that is not read.
static void a_graph_is_shown(void **state) {
    (void)state;
    // The marks of the rows of Move and Jump, and the file's name.
    static const region move = {368, 224, 3, 19}, jump = {368, 262, 3, 19}, name = {500, 10, 120, 24},
                        panel = {358, 10, 272, 328};
    static shot s;
    char option[300];
    snprintf(option, sizeof option, "--graph=%s/graph.json", folder);
    assert_true(run_shell("cp " SINEW_MODELS "/hero.graph.json %s/graph.json", folder));
    open_view_with("hero.glb", option);
    wait_for_look(move, is_orange, 40, "the entry state");
    press("2");
    wait_for_look(jump, is_orange, 40, "the jump");
    wait_for_look(move, is_orange, 40, "the landing");
    assert_true(run_shell("sed -i s/inertialize/inertialise/ %s/graph.json", folder));
    wait_for_look(name, is_red, 20, "the fault");
    assert_true(run_shell("xdotool mousemove 420 271 click 1")); // enters Jump
    wait_for_look(jump, is_orange, 40, "the state that was clicked");
    take(&s);
    write_shot(&s, "graph");
    press("m");
    wait_for_motion(&s, panel, 20000, "m");
    close_view();
}

// Catches a way that is not drawn, and one that does not end.
static void the_way_is_on_the_ground(void **state) {
    (void)state;
    static const region ground = {182, 220, 212, 130};
    static shot s, t;
    open_view_with("hero.glb", "--root=Hips");
    press("7");
    press("c");
    wait_for_look(ground, is_cyan, 25, "the way");
    hold(&s);
    write_shot(&s, "way");
    press("BackSpace");
    wait_for_change(&s, ground, 15, &t, "BackSpace");
    assert_true(looking_like_in(&t, ground, is_cyan) < 5);
    close_view();
}

// Catches a window without a file that shows nothing, or ends.
static void it_starts_without_a_file(void **state) {
    (void)state;
    static shot s;
    open_view(NULL);
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

// Catches a command that crashes or hangs where there is no display, or does not say what helps.
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
    assert_int_equal(run_view(SINEW_MODELS "/hero.glb", "--attach=" SINEW_MODELS "/sword.glb@Tail"), 1);
    expect_one_line("Tail");
    assert_int_equal(run_view(SINEW_MODELS "/hero.glb", "--graph=no-such-graph.json"), 1);
    expect_one_line("no-such-graph.json");
    assert_int_equal(run_view("--graph=hero.graph.json", "--space=Idle=0 Walk=1"), 2);
    expect_one_line("--graph");
    assert_int_equal(run_view("--clip", "Idle"), 2);
    assert_int_equal(run_view("--size=3x4", NULL), 2);
    expect_one_line("--size");
    assert_int_equal(run_view("--attach=nothing", NULL), 2);
    assert_int_equal(run_view("--colour", NULL), 2);
}

// Catches a body panel without rings, colliders that are not drawn, springs that the key does not fade, and a hand that the mouse
// does not drag.
static void the_body_is_shown(void **state) {
    (void)state;
    static const region wind = {360, 70, 270, 20};
    static shot s, t;
    open_view("hero.glb");
    hold(&s);
    press_and_see(&s, "q", PICTURE, 3000);
    press_and_take_back(&s, "z", PICTURE, 300, is_cyan);
    press_and_see(&s, "u", PICTURE, 20);
    press_and_see(&s, "equal", wind, 20);
    t = s;
    assert_true(run_shell("xdotool mousemove 303 186 mousedown 1 mousemove 330 150 mousemove 345 115"));
    wait_for_change(&t, PICTURE, 500, &s, "dragging a hand");
    write_shot(&s, "hand");
    assert_true(run_shell("xdotool mouseup 1"));
    wait_for_change(&s, PICTURE, 500, &t, "the release");
    write_shot(&t, "release");
    close_view();
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    if (!screen_start(argv[1])) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(keys_change_the_picture, stop_view),
        cmocka_unit_test_teardown(the_mouse_moves_the_camera, stop_view),
        cmocka_unit_test_teardown(markers_are_shown, stop_view),
        cmocka_unit_test_teardown(mixing_is_shown, stop_view),
        cmocka_unit_test_teardown(the_pad_is_dragged, stop_view),
        cmocka_unit_test_teardown(a_graph_is_shown, stop_view),
        cmocka_unit_test_teardown(the_way_is_on_the_ground, stop_view),
        cmocka_unit_test_teardown(the_body_is_shown, stop_view),
        cmocka_unit_test_teardown(it_starts_without_a_file, stop_view),
        cmocka_unit_test_teardown(without_a_display_it_says_so, stop_view),
        cmocka_unit_test_teardown(bad_arguments_are_refused, stop_view),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    screen_end();
    return failed;
}
