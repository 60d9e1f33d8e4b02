// SPDX-License-Identifier: MIT
// `sinew render --crowd`: who is in the picture, and what's refused. The argument is the command's path.
// (test_crowd.c tests how crowds are drawn.)
#include "support/render_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static draw_picture hero(const char *options) {
    expect_good(render("\"%s/hero.glb\" %s --background none --size 240x160 -o crowd.png", SINEW_MODELS, options));
    return read_png("crowd.png");
}

static int count_covered(const draw_picture *picture) {
    int count = 0;
    for (int i = 0; i < picture->width * picture->height; i++) count += picture->rgba[4 * i + 3] == 255;
    return count;
}

// Catches a crowd that is not drawn, out of the picture, or not around the first one, who is the same as without it.
static void a_crowd_stands_around_the_first(void **state) {
    (void)state;
    need_gl();
    static const char alone[] = "--focus Hips@2.2 --from 0:20";
    char with[200];
    snprintf(with, sizeof with, "%s --crowd 8", alone);
    draw_picture one = hero(alone), many = hero(with);
    assert_true(count_covered(&many) > 2 * count_covered(&one));
    for (int y = 0; y < many.height; y++) { // where the first one is, it still is, or somebody before it
        for (int x = 0; x < many.width; x++) assert_true(pixel_at(&one, x, y)[3] <= pixel_at(&many, x, y)[3] + 90);
    }
    draw_picture_free(&one);
    draw_picture_free(&many);

    draw_picture all = hero("--crowd 8");
    const extent e = covered(&all);
    assert_true(e.left > 2 && e.top > 2 && e.right < all.width - 3 && e.bottom < all.height - 3);
    assert_true(e.right - e.left > all.width / 2 || e.bottom - e.top > all.height / 2);
    draw_picture_free(&all);
}

// Catches a crowd that differs the next time, stands still, or has another time than its frame.
static void a_crowd_is_the_same_each_time_and_moves(void **state) {
    (void)state;
    need_gl();
    static const char *const kinds[] = {"", "--baked"};
    for (int i = 0; i < 2; i++) {
        char options[2][100];
        for (int k = 0; k < 2; k++) snprintf(options[k], 100, "--crowd 3 %s --time %g", kinds[i], 0.5 * (k + 1));
        draw_picture a = hero(options[0]), again = hero(options[0]), later = hero(options[1]);
        assert_memory_equal(a.rgba, again.rgba, (size_t)4 * 240 * 160);
        assert_true(differing_by(&a, &later, 40) > 200);
        draw_picture_free(&a);
        draw_picture_free(&again);
        draw_picture_free(&later);
    }
    // The third of frames that are a quarter of a second apart is where half a second leads to.
    expect_good(render("\"%s/hero.glb\" --crowd 3 --sheet 3x1 --fps 4 --no-labels --background none --size 240x160 "
                       "-o crowd_sheet.png",
                       SINEW_MODELS));
    draw_picture sheet = read_png("crowd_sheet.png"), half = hero("--crowd 3 --time 0.5");
    int off = 0;
    for (int y = 0; y < half.height; y++) {
        for (int x = 0; x < half.width; x++)
            off += abs(pixel_at(&sheet, 480 + x, y)[3] - pixel_at(&half, x, y)[3]) > 60;
    }
    assert_true(off < 240 * 160 / 500);
    draw_picture_free(&sheet);
    draw_picture_free(&half);
}

static void wrong_usage_is_status_2(void **state) {
    (void)state;
    static const char *const numbers[] = {"0", "-1", "1e9", "100001", "three", "\"\"", "2.5"};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        expect_refused(render("\"%s/hero.glb\" --crowd %s -o crowd_bad.png", SINEW_MODELS, numbers[i]), 2,
                       "--crowd");
    }
    expect_refused(render("\"%s/hero.glb\" --baked -o crowd_bad.png", SINEW_MODELS), 2, "--baked");
    expect_refused(render("\"%s/hero.glb\" --poses 3 -o crowd_bad.png", SINEW_MODELS), 2, "--poses needs --crowd");
    expect_refused(render("\"%s/hero.glb\" --crowd 3 --baked --poses 2 -o crowd_bad.png", SINEW_MODELS), 2,
                   "--poses needs --crowd, without --baked");
    expect_refused(render("\"%s/hero.glb\" --crowd 3 --baked=yes -o crowd_bad.png", SINEW_MODELS), 2, "--baked");
    assert_false(exists("crowd_bad.png"));
}

static void what_cannot_be_is_status_1(void **state) {
    (void)state;
    const char *m = SINEW_MODELS;
    expect_refused(render("\"%s/sword.glb\" --crowd 3 -o crowd_bad.png", m), 1, "sword.glb: it has no clips");
    expect_refused(render("\"%s/conformance/single-key-step.gltf\" --crowd 3 -o crowd_bad.png", m), 1,
                   "its scene has nothing to draw");
    assert_false(exists("crowd_bad.png"));
}

// Catches a limit that poses all, or a different choice the next time, or a crowd that is far from its current pose.
static void a_crowd_with_few_poses_is_nearly_the_same(void **state) {
    (void)state;
    need_gl();
    draw_picture all = hero("--crowd 8 --poses 8"), few = hero("--crowd 8 --poses 2"),
                 again = hero("--crowd 8 --poses 2");
    draw_picture first = hero("--crowd 8");
    assert_memory_equal(few.rgba, again.rgba, (size_t)4 * 240 * 160);
    const int late = differing_by(&all, &few, 40), others = differing_by(&all, &first, 40);
    assert_true(late > 20);
    assert_true(late < others / 3); // two seconds are another pose
    draw_picture_free(&all);
    draw_picture_free(&few);
    draw_picture_free(&again);
    draw_picture_free(&first);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s SINEW\n", argv[0]);
        return 2;
    }
    render_setup(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crowd_stands_around_the_first),
        cmocka_unit_test(a_crowd_is_the_same_each_time_and_moves),
        cmocka_unit_test(a_crowd_with_few_poses_is_nearly_the_same),
        cmocka_unit_test(wrong_usage_is_status_2),
        cmocka_unit_test(what_cannot_be_is_status_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
