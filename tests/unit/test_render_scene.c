// SPDX-License-Identifier: MIT
// What `sinew render` shows with several files: where they stand, what they play, who carries what, and what a file's
// camera sees. The argument is the command's path.
#include "support/render_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Half of what models/eye.gltf sees at distance 1, from side to side and from top to bottom: the tangent of half its
// yfov.
static const double SLOPE = 0.25;
enum { SIDE = 200 }; // of the pictures, in pixels

// A picture of the cube of side 2 through the eye, without a background.
static draw_picture through_eye(const char *options) {
    write_cube(1.0f, 1.0f, false);
    expect_good(
        render("test_render_cube.gltf %s --camera Eye --background none --size 200x200 -o scene.png", options));
    return read_png("scene.png");
}

static draw_picture cube_from(const char *place) {
    char options[600];
    snprintf(options, sizeof options, "--with \"%s/eye.gltf@%s\"", SINEW_MODELS, place);
    return through_eye(options);
}

// Where a place `across` metres from the axis, `away` metres before the eye, is in the picture.
static int pixel_of(double across, double away) {
    return (int)(0.5 * SIDE * (1.0 + across / away / SLOPE));
}

static void expect_square(const draw_picture *picture, double away) {
    const extent e = covered(picture);
    assert_in_range(e.left, pixel_of(-1.0, away) - 1, pixel_of(-1.0, away) + 1);
    assert_in_range(e.right, pixel_of(1.0, away) - 2, pixel_of(1.0, away) + 1);
    assert_in_range(e.top, pixel_of(-1.0, away) - 1, pixel_of(-1.0, away) + 1);
    assert_in_range(e.bottom, pixel_of(1.0, away) - 2, pixel_of(1.0, away) + 1);
}

// ---- The camera ----------------------------------------------------------------------------------------------

// Catches a camera that's elsewhere, looks elsewhere, or sees more or less than its file says, and one that turns the
// other way.
static void a_camera_sees_what_its_file_says(void **state) {
    (void)state;
    need_gl();
    static const char *const places[] = {"0,0,11", "0,0,-11:180", "11,0,0:90", "-11,0,0:-90"};
    for (int i = 0; i < 4; i++) {
        draw_picture picture = cube_from(places[i]);
        expect_square(&picture, 10.0);
        draw_picture_free(&picture);
    }
    draw_picture picture = cube_from("0,0,11:180"); // it looks away
    assert_int_equal(covered(&picture).count, 0);
    draw_picture_free(&picture);
}

// Catches +Z up that turns objects on the ground, or the camera, differently from the rest.
static void a_turned_scene_is_the_same(void **state) {
    (void)state;
    need_gl();
    char options[1200];
    snprintf(options, sizeof options,
             "--with \"%s/sword.glb@2,0,1:30\" --with \"%s/eye.gltf@1,2,9:5\" --camera '#0' --size 200x200",
             SINEW_MODELS, SINEW_MODELS);
    expect_good(render("\"%s/hero.glb\" %s -o scene_y.png", SINEW_MODELS, options));
    expect_good(render("\"%s/hero.glb\" %s --up z -o scene_z.png", SINEW_MODELS, options));
    draw_picture y = read_png("scene_y.png"), z = read_png("scene_z.png");
    assert_true(differing_by(&y, &z, 12) < 60);
    draw_picture_free(&y);
    draw_picture_free(&z);
}

// ---- Files ---------------------------------------------------------------------------------------------------

static int covered_in(const draw_picture *p, int left, int right) {
    int count = 0;
    for (int y = 0; y < p->height; y++) {
        for (int x = left; x < right; x++) count += pixel_at(p, x, y)[3] == 255;
    }
    return count;
}

// Catches a second file that is not drawn, is drawn where the first one is, or is left out although it is seen.
static void a_second_file_stands_where_it_is_told(void **state) {
    (void)state;
    need_gl();
    char options[600];
    snprintf(options, sizeof options, "--with test_render_cube.gltf@3,0,0 --with \"%s/eye.gltf@0,0,21\"",
             SINEW_MODELS);
    draw_picture picture = through_eye(options);
    const int height = pixel_of(1.0, 20.0) - pixel_of(-1.0, 20.0);
    assert_true(covered_in(&picture, pixel_of(-1.0, 20.0) + 1, pixel_of(1.0, 20.0) - 1) > height * (height - 6));
    assert_true(covered_in(&picture, pixel_of(2.0, 20.0) + 1, pixel_of(4.0, 20.0) - 1) > height * (height - 6));
    assert_int_equal(covered_in(&picture, pixel_of(1.0, 20.0) + 3, pixel_of(1.9, 20.0) - 3), 0);
    assert_int_equal(covered_in(&picture, 0, pixel_of(-1.0, 20.0) - 3), 0);
    draw_picture_free(&picture);
}

// Two heroes, 3 m apart, so each has half of the picture.
static draw_picture heroes(const char *options) {
    expect_good(render("\"%s/hero.glb\" %s --with \"%s/eye.gltf@1.5,1,16\" --camera Eye --background none "
                       "--size 300x200 -o scene.png",
                       SINEW_MODELS, options, SINEW_MODELS));
    return read_png("scene.png");
}

// By more than the shadow map, which is as large as all that throws a shadow, makes of it.
static int differing_in(const draw_picture *a, const draw_picture *b, int left, int right) {
    int count = 0;
    for (int y = 0; y < a->height; y++) {
        for (int x = left; x < right; x++) {
            bool differs = false;
            for (int i = 0; i < 4; i++) differs = differs || abs(pixel_at(a, x, y)[i] - pixel_at(b, x, y)[i]) > 60;
            count += differs;
        }
    }
    return count;
}

// Catches a cube in the hand of another than was named before it.
static void who_was_named_last_carries(void **state) {
    (void)state;
    need_gl();
    write_cube(1.0f, 0.5f, false);
    const char *const with = "--with \"" SINEW_MODELS "/hero.glb@3,0,0\"";
    const char *const by_first = "--attach test_render_cube.gltf@Grip_R --with \"" SINEW_MODELS "/hero.glb@3,0,0\"";
    const char *const by_second =
        "--with \"" SINEW_MODELS "/hero.glb@3,0,0\" --attach test_render_cube.gltf@Grip_R";
    draw_picture none = heroes(with), first = heroes(by_first), second = heroes(by_second);
    assert_true(differing_in(&none, &first, 0, 150) > 200);
    assert_int_equal(differing_in(&none, &first, 180, 300), 0);
    assert_true(differing_in(&none, &second, 150, 300) > 200);
    assert_int_equal(differing_in(&none, &second, 0, 120), 0);
    draw_picture_free(&none);
    draw_picture_free(&first);
    draw_picture_free(&second);
}

// Catches a second character that plays what the first one does, stands still, or is at another time.
static void each_plays_its_own(void **state) {
    (void)state;
    need_gl();
    static const char *const clips[] = {"", ":0:Walk", ":0:#1", ":0:Run"};
    draw_picture pictures[4];
    for (int i = 0; i < 4; i++) {
        char options[600];
        snprintf(options, sizeof options, "--time 0.3 --with \"%s/hero.glb@3,0,0%s\"", SINEW_MODELS, clips[i]);
        pictures[i] = heroes(options);
    }
    assert_int_equal(differing_in(&pictures[1], &pictures[2], 0, 300), 0);
    assert_int_equal(differing_in(&pictures[0], &pictures[1], 0, 120), 0);
    assert_true(differing_in(&pictures[0], &pictures[1], 150, 300) > 100);
    assert_true(differing_in(&pictures[1], &pictures[3], 150, 300) > 100);
    for (int i = 0; i < 4; i++) draw_picture_free(&pictures[i]);
}

// ---- Refusals ------------------------------------------------------------------------------------------------

static void wrong_usage_is_status_2(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"a.glb -o a.png --with b.glb", "--with must be FILE@X,Y,Z"},
        {"a.glb -o a.png --with b.glb@1,2", "--with must be FILE@X,Y,Z"},
        {"a.glb -o a.png --with b.glb@1,2,", "--with must be FILE@X,Y,Z"},
        {"a.glb -o a.png --with b.glb@1,2,inf", "--with must be FILE@X,Y,Z"},
        {"a.glb -o a.png --with b.glb@1,2,3:x", "--with must be FILE@X,Y,Z"},
        {"a.glb -o a.png --with b.glb@1,2,3:4:", "--with must be FILE@X,Y,Z"},
        {"a.glb -o a.png --with b.glb@1,2,3,4", "--with must be FILE@X,Y,Z"},
        {"a.glb -o a.png --with @1,2,3", "--with must be FILE@X,Y,Z"},
        {"a.glb -o a.png --camera", "--camera needs a value"},
        {"a.glb -o a.png --camera Eye --focus Head", "--camera cannot be used with --focus"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        expect_refused(render("%s", wrong[i][0]), 2, wrong[i][1]);
    static const char one[] = " --with b@1,2,3";
    char many[17 * (sizeof one - 1) + 1] = "";
    for (size_t i = 0; i < 17; i++) memcpy(many + i * (sizeof one - 1), one, sizeof one);
    expect_refused(render("a.glb -o a.png%s", many), 2, "at most 16 times in total");
}

static void what_is_not_there_is_status_1(void **state) {
    (void)state;
    const char *m = SINEW_MODELS;
    expect_refused(render("\"%s/hero.glb\" --camera Eye -o scene_bad.png", m), 1,
                   "no camera 'Eye'; the files have 0");
    expect_refused(render("\"%s/hero.glb\" --with \"%s/eye.gltf@0,0,0\" --camera '#1' -o scene_bad.png", m, m), 1,
                   "no camera '#1'; the files have 1");
    expect_refused(render("\"%s/hero.glb\" --with \"%s/hero.glb@1,0,0:0:Fly\" -o scene_bad.png", m, m), 1, "'Fly'");
    expect_refused(render("\"%s/hero.glb\" --with none.glb@1,0,0 -o scene_bad.png", m), 1, "none.glb");
    expect_refused(render("\"%s/hero.glb\" --with \"%s/windmill.glb@1,0,0\" --attach \"%s/sword.glb@Grip_R\" "
                          "-o scene_bad.png",
                          m, m, m),
                   1, "no node 'Grip_R'");
    assert_false(exists("scene_bad.png"));
}

// ---- The front -------------------------------------------------------------------------------------------------

// A small cube and a large one with that extension, from 30 degrees beside the front or the back.
static extent cubes_of(const char *extension, const char *from) {
    static char text[4096];
    write_pair_of_cubes(3.0f);
    FILE *file = fopen("test_render_pair.gltf", "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    file = fopen("front.gltf", "wb");
    assert_non_null(file);
    fprintf(file, "{\"extensions\":{%s},%s", extension, text + 1);
    fclose(file);
    expect_good(render("front.gltf --from %s --background none --size 200x200 -o front.png", from));
    draw_picture picture = read_png("front.png");
    const extent e = covered(&picture);
    draw_picture_free(&picture);
    return e;
}

static bool is_same(extent a, extent b) {
    return a.left == b.left && a.right == b.right && a.top == b.top && a.bottom == b.bottom && a.count == b.count;
}

// Characters of VRM 0.x face -Z in their files, all others +Z.
static void the_front_is_that_of_the_file(void **state) {
    (void)state;
    need_gl();
    const extent front = cubes_of("", "30:10"), back = cubes_of("", "-150:10");
    assert_false(is_same(front, back));
    assert_true(is_same(cubes_of("\"VRM\":{\"specVersion\":\"0.0\"}", "30:10"), back));
    assert_true(is_same(cubes_of("\"VRM\":{\"specVersion\":\"0.0\"}", "30:10 --up z"), back));
    assert_true(is_same(cubes_of("\"VRMC_vrm\":{\"specVersion\":\"1.0\"}", "30:10"), front));
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s SINEW\n", argv[0]);
        return 2;
    }
    render_setup(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_camera_sees_what_its_file_says), cmocka_unit_test(a_turned_scene_is_the_same),
        cmocka_unit_test(the_front_is_that_of_the_file),    cmocka_unit_test(a_second_file_stands_where_it_is_told),
        cmocka_unit_test(who_was_named_last_carries),       cmocka_unit_test(each_plays_its_own),
        cmocka_unit_test(wrong_usage_is_status_2),          cmocka_unit_test(what_is_not_there_is_status_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
