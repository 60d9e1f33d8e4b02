// SPDX-License-Identifier: MIT
// `sinew render` from outside: its pictures, errors and exit statuses. The argument is the command's path. What needs
// OpenGL is skipped if EGL gives no context.
#include "support/render_run.h"

#include <webp/demux.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- Stills --------------------------------------------------------------------------------------------------

// Catches an empty picture, a picture of the wrong size, a camera that cuts the model off, one that stands too far
// away or looks past it, and a background that is not transparent.
static void a_still_shows_the_whole_model(void **state) {
    (void)state;
    need_gl();
    static const char *const models[] = {"windmill.glb", "sword.glb", "hero.glb"};
    for (int i = 0; i < 3; i++) {
        expect_good(
            render("\"%s/%s\" --background none --size 200x150 -o test_render.png", SINEW_MODELS, models[i]));
        draw_picture picture = read_png("test_render.png");
        assert_int_equal(picture.width, 200);
        assert_int_equal(picture.height, 150);
        extent e = covered(&picture);
        assert_true(e.left > 1 && e.top > 1 && e.right < 198 && e.bottom < 148);
        assert_true(e.bottom - e.top > 105 || e.right - e.left > 140);
        assert_int_equal(pixel_at(&picture, 0, 0)[3], 0);
        draw_picture_free(&picture);
    }
}

// Catches a picture that is upside down: the sword stands on its pommel, so its guard, which is the widest, is
// below the middle.
static void the_picture_is_the_right_way_up(void **state) {
    (void)state;
    need_gl();
    expect_good(render("\"%s/sword.glb\" --background none --size 200x150 -o test_render.png", SINEW_MODELS));
    draw_picture picture = read_png("test_render.png");
    int widest = 0, widest_row = 0;
    for (int y = 0; y < picture.height; y++) {
        draw_picture row = {picture.width, 1, picture.rgba + (size_t)4 * (size_t)picture.width * (size_t)y};
        int width = covered(&row).count;
        if (width <= widest) continue;
        widest = width;
        widest_row = y;
    }
    assert_true(widest > 4);
    assert_true(widest_row > picture.height * 3 / 5);
    draw_picture_free(&picture);
}

static void a_plain_background_has_its_colour(void **state) {
    (void)state;
    need_gl();
    expect_good(render("\"%s/sword.glb\" --background 3366CC --size 64x48 -o test_render.png", SINEW_MODELS));
    draw_picture picture = read_png("test_render.png");
    const uint8_t *corner = pixel_at(&picture, 0, 0);
    assert_in_range(corner[0], 0x32, 0x34);
    assert_in_range(corner[1], 0x65, 0x67);
    assert_in_range(corner[2], 0xcb, 0xcd);
    assert_int_equal(corner[3], 255);
    draw_picture_free(&picture);
}

// Catches an object that is left at the origin or not drawn.
static void what_is_attached_is_drawn_where_it_is_carried(void **state) {
    (void)state;
    need_gl();
    expect_good(render("\"%s/hero.glb\" --background none --size 200x150 -o test_render.png", SINEW_MODELS));
    draw_picture alone = read_png("test_render.png");
    expect_good(render("\"%s/hero.glb\" --attach \"%s/sword.glb@Head\" --background none --size 200x150 "
                       "-o test_render.png",
                       SINEW_MODELS, SINEW_MODELS));
    draw_picture together = read_png("test_render.png");
    // A sword on the head makes the whole taller, so the hero is drawn smaller and stands lower.
    extent hero = covered(&alone), both = covered(&together);
    assert_true(both.count > 0 && both.count < hero.count);
    assert_true(both.bottom - both.top > 105);
    draw_picture_free(&alone);
    draw_picture_free(&together);
}

// Next to a sword in meters, a cube of 2 cm is small.
static void what_is_attached_keeps_its_size(void **state) {
    (void)state;
    need_gl();
    write_cube(1.0f, 0.01f, false);
    expect_good(render("test_render_cube.gltf --background none --size 100x100 -o test_render.png"));
    draw_picture alone = read_png("test_render.png");
    expect_good(render("test_render_cube.gltf --attach \"%s/sword.glb@Cube\" --background none --size 100x100 "
                       "-o test_render.png",
                       SINEW_MODELS));
    draw_picture together = read_png("test_render.png");
    assert_true(covered(&together).count > 0 && 2 * covered(&together).count < covered(&alone).count);
    draw_picture_free(&alone);
    draw_picture_free(&together);
}

// ---- Mirrored models -----------------------------------------------------------------------------------------

static draw_picture render_cube(int scale_x, bool skinned) {
    write_cube((float)scale_x, 1.0f, skinned);
    expect_good(render("test_render_cube.gltf --size 100x75 -o test_render.png"));
    return read_png("test_render.png");
}

// Catches winding that is not turned around where a matrix mirrors: one would look into the cube from behind.
static void mirrored_models_keep_their_outside_outside(void **state) {
    (void)state;
    need_gl();
    draw_picture cube = render_cube(1, false);
    for (int skinned = 0; skinned < 2; skinned++) {
        draw_picture mirrored = render_cube(-1, skinned);
        assert_int_equal(differing(&cube, &mirrored), 0);
        draw_picture_free(&mirrored);
    }
    draw_picture_free(&cube);
}

// Catches a skin of both hands that is drawn one-sided, whichever side that is: pitfall 13. One would look into one of
// the cubes from behind.
static void a_skin_of_both_hands_is_drawn_two_sided(void **state) {
    (void)state;
    need_gl();
    draw_picture pictures[2];
    for (int i = 0; i < 2; i++) {
        write_pair_of_cubes(i == 0 ? 1.0f : -1.0f);
        expect_good(render("test_render_pair.gltf --from 20:40 --size 160x75 -o test_render.png"));
        pictures[i] = read_png("test_render.png");
    }
    assert_int_equal(differing(&pictures[0], &pictures[1]), 0);
    for (int i = 0; i < 2; i++) draw_picture_free(&pictures[i]);
}

// ---- Hidden and turned models --------------------------------------------------------------------------------

// Catches something hidden that's drawn, or that's framed anyway, so what's visible is small.
static void what_is_hidden_is_not_there(void **state) {
    (void)state;
    need_gl();
    write_cube(1.0f, 1.0f, false);
    expect_good(render("test_render_cube.gltf --size 100x75 -o test_render.png"));
    draw_picture alone = read_png("test_render.png");
    for (int i = 0; i < 4; i++) {
        const int hidden = i % 2;
        write_hidden_cube(hidden == 1, i < 2 ? 5.0f : 0.2f); // far off, and sticking out where it would be seen
        expect_good(render("test_render_hidden.gltf --size 100x75 -o test_render.png"));
        draw_picture picture = read_png("test_render.png");
        assert_true((differing(&alone, &picture) == 0) == (hidden == 1));
        draw_picture_free(&picture);
    }
    draw_picture_free(&alone);
}

// Catches a file that is turned and lies on its back, ghosts that lie there, and what is carried beside the hand.
static void a_turned_model_stands_upright(void **state) {
    (void)state;
    need_gl();
    static const char *const axes[2] = {"y", "z"};
    draw_picture pictures[2];
    for (int i = 0; i < 2; i++) {
        expect_good(
            render("\"%s/hero.glb\" --attach \"%s/sword.glb@Grip_R\" --clip Run --time 0.2 --onion 2 --skeleton "
                   "--size 200x150 --up %s -o test_render.png",
                   SINEW_MODELS, SINEW_MODELS, axes[i]));
        pictures[i] = read_png("test_render.png");
    }
    assert_true(differing_by(&pictures[0], &pictures[1], 24) < 200 * 150 / 500);
    for (int i = 0; i < 2; i++) draw_picture_free(&pictures[i]);
    expect_refused(render("\"%s/hero.glb\" --up x -o test_render.png", SINEW_MODELS), 2,
                   "--up must be y or z, not 'x'");
}

// Catches springs that do nothing, and gravity that turns with a file with +Z up.
static void springs_fall_down(void **state) {
    (void)state;
    need_gl();
    static const char *const options[] = {"", "--springs file --wind 0,0,-3", "--springs file --wind 0,0,-3 --up z",
                                          "--springs Scarf1:5", "--springs Scarf1:5 --up z"};
    draw_picture pictures[5];
    for (int i = 0; i < 5; i++) {
        expect_good(
            render("\"%s/hero.glb\" --clip Run --time 0.2 --from 120 --focus UpperChest@1 --size 200x150 %s "
                   "-o test_render.png",
                   SINEW_MODELS, options[i]));
        pictures[i] = read_png("test_render.png");
    }
    const int few = 200 * 150 / 500;
    assert_true(differing_by(&pictures[0], &pictures[1], 24) > few);
    assert_true(differing_by(&pictures[1], &pictures[2], 24) < few);
    assert_true(differing_by(&pictures[0], &pictures[3], 24) > few);
    assert_true(differing_by(&pictures[3], &pictures[4], 24) < few);
    for (int i = 0; i < 5; i++) draw_picture_free(&pictures[i]);
    expect_refused(render("\"%s/windmill.glb\" --springs file -o test_render.png", SINEW_MODELS), 1,
                   "the file has no spring bones");
    expect_refused(render("\"%s/hero.glb\" --springs file --springs Hair1 -o test_render.png", SINEW_MODELS), 1,
                   "leave out NODE and --collider");
}

// ---- Images --------------------------------------------------------------------------------------------------

// The header of a PNG of that size, and the start of its data: what stands in front of the pixels.
static size_t make_png_header(uint8_t png[64], uint32_t width, uint32_t height) {
    static const uint8_t head[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R'};
    static const uint8_t tail[] = {8,   6,   0,   0,   0,    0, 0, 0, 0, 0, 0, 0, 4,
                                   'I', 'D', 'A', 'T', 0x78, 1, 3, 0, 0, 0, 0, 0};
    memcpy(png, head, sizeof head);
    for (size_t i = 0; i < 4; i++) {
        png[sizeof head + i] = (uint8_t)(width >> (24 - 8 * i));
        png[sizeof head + 4 + i] = (uint8_t)(height >> (24 - 8 * i));
    }
    memcpy(png + sizeof head + 8, tail, sizeof tail);
    return sizeof head + 8 + sizeof tail;
}

static const char *reason_against(uint32_t width, uint32_t height, int64_t pixels_left) {
    uint8_t png[64];
    draw_picture picture;
    const char *reason = NULL;
    assert_false(draw_picture_decode(&picture, png, make_png_header(png, width, height), pixels_left, &reason));
    assert_null(picture.rgba);
    return reason;
}

// Catches pixels that are decoded, and memory taken for them, before their number is known: 8,000 x 8,000 pixels are
// allowed, and fail only because these files have no data.
static void large_images_are_refused_by_their_header(void **state) {
    (void)state;
    const int64_t all = DRAW_MAX_FILE_PIXELS;
    static const char too_many[] = "it has more than 64 megapixels";
    assert_string_equal(reason_against(8000, 8001, all), too_many);
    assert_string_equal(reason_against(16000, 16000, all), too_many);
    assert_string_equal(reason_against(16384, 16384, all), too_many);
    assert_string_equal(reason_against(16385, 1, all), "it is wider or higher than 16384 pixels");
    assert_string_equal(reason_against(1, 16385, all), "it is wider or higher than 16384 pixels");
    assert_string_not_equal(reason_against(8000, 8000, all), too_many);
    static const char together[] = "the images have more than 256 megapixels in total";
    assert_string_equal(reason_against(10, 10, 99), together);
    assert_string_not_equal(reason_against(10, 10, 100), together);
}

static void nothing_is_no_image(void **state) {
    (void)state;
    draw_picture picture;
    const char *reason = NULL;
    assert_false(draw_picture_decode(&picture, NULL, 0, DRAW_MAX_FILE_PIXELS, &reason));
    assert_string_equal(reason, "the file is empty");
}

// The cube of write_cube with two materials that share an image.
static void write_textured_cube(const char *image) {
    write_cube(1.0f, 1.0f, false);
    FILE *file = fopen("test_render_textured.gltf", "wb");
    assert_non_null(file);
    fprintf(file,
            "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],"
            "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1,\"material\":0},"
            "{\"attributes\":{\"POSITION\":0},\"indices\":1,\"material\":1}]}],"
            "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}},"
            "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":1}}}],"
            "\"textures\":[{\"source\":0},{\"source\":0}],\"images\":[{\"name\":\"Skin\",\"uri\":\"%s\"}],"
            "\"buffers\":[{\"uri\":\"test_render_cube.bin\",\"byteLength\":376}],"
            "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":96},"
            "{\"buffer\":0,\"byteOffset\":96,\"byteLength\":72}],"
            "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":8,\"type\":\"VEC3\"},"
            "{\"bufferView\":1,\"componentType\":5123,\"count\":36,\"type\":\"SCALAR\"}]}",
            image);
    fclose(file);
}

static void write_image(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

// Catches a model that is not drawn for want of an image, a missing image that is called a broken one, and a remark for
// each texture that has it.
static void images_that_cannot_be_read_are_left_out(void **state) {
    (void)state;
    need_gl();
    static const char *const cases[][2] = {
        {"test_render_missing.png", "the file is missing or cannot be read"},
        {"test_render_empty.png", "the file is empty"},
        {"test_render_wrong.png", "unknown image type"},
        {"test_render_huge.png", "it has more than 64 megapixels"},
    };
    uint8_t png[64];
    write_image("test_render_empty.png", "", 0);
    write_image("test_render_wrong.png", "no image", 8);
    write_image("test_render_huge.png", png, make_png_header(png, 16000, 16000));
    write_cube(1.0f, 1.0f, false);
    expect_good(render("test_render_cube.gltf --size 100x75 -o test_render.png"));
    draw_picture plain = read_png("test_render.png");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char expected[256];
        write_textured_cube(cases[i][0]);
        snprintf(expected, sizeof expected,
                 "sinew: test_render_textured.gltf: image 0 'Skin' is left out of its material: %s\n", cases[i][1]);
        assert_int_equal(render("test_render_textured.gltf --size 100x75 -o test_render.png"), 0);
        assert_string_equal(render_said(), expected);
        draw_picture picture = read_png("test_render.png");
        assert_int_equal(differing(&plain, &picture), 0);
        draw_picture_free(&picture);
    }
    draw_picture_free(&plain);
}

// ---- Sheets and animations -----------------------------------------------------------------------------------

static void a_sheet_has_different_frames_side_by_side(void **state) {
    (void)state;
    need_gl();
    expect_good(render("\"%s/windmill.glb\" --sheet 3x2 --size 60x50 -o test_render.png", SINEW_MODELS));
    draw_picture sheet = read_png("test_render.png");
    assert_int_equal(sheet.width, 180);
    assert_int_equal(sheet.height, 100);
    int different = 0;
    for (int y = 0; y < 50; y++) {
        for (int x = 0; x < 60; x++) {
            different += memcmp(pixel_at(&sheet, x, y), pixel_at(&sheet, x + 60, y + 50), 4) != 0;
        }
    }
    assert_true(different > 60 * 50 / 50);
    assert_int_equal(covered(&sheet).count, 180 * 100); // every cell is filled
    draw_picture_free(&sheet);
}

// Catches a camera that looks at the first frame only: the blow that follows would leave the picture.
static void no_frame_is_cut_off(void **state) {
    (void)state;
    need_gl();
    expect_good(render("\"%s/hero.glb\" --clip Attack --attach \"%s/sword.glb@Grip_R\" --background none "
                       "--sheet 4x2 --size 80x60 -o test_render.png",
                       SINEW_MODELS, SINEW_MODELS));
    draw_picture sheet = read_png("test_render.png");
    for (int x = 0; x < 4 * 80; x++) {
        for (int row = 0; row < 2; row++) assert_int_not_equal(pixel_at(&sheet, x, row * 60)[3], 255);
    }
    for (int y = 0; y < 2 * 60; y++) {
        for (int column = 0; column < 4; column++) {
            assert_int_not_equal(pixel_at(&sheet, column * 80, y)[3], 255);
            assert_int_not_equal(pixel_at(&sheet, column * 80 + 79, y)[3], 255);
        }
    }
    draw_picture_free(&sheet);
}

// A sheet of `count` frames at 10 a second.
static draw_picture frames(int count, const char *options) {
    expect_good(
        render("\"%s/hero.glb\" --clip Idle --sheet --frames %d --fps 10 --size 80x60 %s -o test_render.png",
               SINEW_MODELS, count, options));
    return read_png("test_render.png");
}

// Catches fades that start immediately, or never.
static void a_crossfade_begins_when_it_should(void **state) {
    (void)state;
    need_gl();
    for (int count = 2; count <= 4; count += 2) {
        draw_picture soon = frames(count, "--crossfade Run@0.2:0.1"), late = frames(count, "--crossfade Run@9:0.1");
        int moved = differing(&soon, &late);
        assert_true(count == 2 ? moved == 0 : moved > 40);
        draw_picture_free(&soon);
        draw_picture_free(&late);
    }
}

typedef struct animation {
    WebPAnimInfo info;
    int milliseconds;
    int moving_pixels; // that differ between the first frame and the one in the middle
} animation;

static animation read_webp(const char *path) {
    static uint8_t bytes[4 << 20];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    WebPData data = {bytes, fread(bytes, 1, sizeof bytes, file)};
    fclose(file);
    WebPAnimDecoder *decoder = WebPAnimDecoderNew(&data, NULL);
    assert_non_null(decoder);
    animation a = {0};
    assert_true(WebPAnimDecoderGetInfo(decoder, &a.info));
    size_t size = (size_t)a.info.canvas_width * a.info.canvas_height * 4;
    uint8_t *first = malloc(size), *frame;
    assert_non_null(first);
    for (uint32_t i = 0; WebPAnimDecoderGetNext(decoder, &frame, &a.milliseconds); i++) {
        if (i == 0) memcpy(first, frame, size);
        if (i != a.info.frame_count / 2) continue;
        for (size_t k = 0; k < size; k++) a.moving_pixels += abs(frame[k] - first[k]) > 24;
    }
    free(first);
    WebPAnimDecoderDelete(decoder);
    return a;
}

// Catches a wrong number of frames, wrong times, an animation that stops, and one where nothing moves.
static void an_animation_has_its_frames_and_times(void **state) {
    (void)state;
    need_gl();
    expect_good(
        render("\"%s/hero.glb\" --clip Run --frames 12 --fps 20 --size 96x72 -o test_render.webp", SINEW_MODELS));
    animation a = read_webp("test_render.webp");
    assert_int_equal(a.info.canvas_width, 96);
    assert_int_equal(a.info.canvas_height, 72);
    assert_int_equal(a.info.frame_count, 12);
    assert_int_equal(a.info.loop_count, 0);
    assert_int_equal(a.milliseconds, 600);
    assert_true(a.moving_pixels > 96 * 72 / 50);
}

// ---- What is refused -----------------------------------------------------------------------------------------

static void wrong_usage_is_status_2(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"", "FILE is missing"},
        {"a.glb", "-o OUT.png or -o OUT.webp is missing"},
        {"a.glb -o a.gif", "-o must end in .png or .webp"},
        {"a.glb b.glb -o a.png", "'b.glb': unexpected argument"},
        {"a.glb -o a.png --bogus", "--bogus: unknown option"},
        {"a.glb -o a.png --skeleton=yes", "--skeleton takes no value, not 'yes'"},
        {"a.glb -o a.png --no-labels=", "--no-labels takes no value, not ''"},
        {"a.glb -o a.png --quiet=3", "--quiet takes no value, not '3'"},
        {"--help=3", "--help takes no value, not '3'"},
        {"a.glb -o a.png --clip", "--clip needs a value"},
        {"a.glb -o a.png --size 640", "--size must be WIDTHxHEIGHT, each between 1 and 4096, not '640'"},
        {"a.glb -o a.png --size 0x9", "--size must be"},
        {"a.glb -o a.png --sheet=4", "--sheet must be COLUMNSxROWS"},
        {"a.glb -o a.png --sheet 3y", "--sheet must be COLUMNSxROWS, each between 1 and 64, not '3y'"},
        {"--sheet 65x1 a.glb -o a.png", "--sheet must be COLUMNSxROWS, each between 1 and 64, not '65x1'"},
        {"--sheet a.glb b.glb -o a.png", "'b.glb': unexpected argument"},
        {"a.glb -o a.png --sheet 64x64 --size 4096x4096", "--sheet must have at most 64000000 pixels"},
        {"a.glb -o a.png --sheet 2x2 --frames 5", "--frames: 5 frames won't fit in a 2x2 sheet"},
        {"a.glb -o a.webp --sheet", "-o must end in .png for a sheet"},
        {"a.glb -o a.png --frames 4", "--frames needs --sheet or an output that ends in .webp"},
        {"a.glb -o a.png --crossfade Run@1:0.3", "--crossfade needs --sheet or an output that ends in .webp"},
        {"a.glb -o a.webp --crossfade Run", "--crossfade must be CLIP@START:DURATION"},
        {"a.glb -o a.webp --crossfade Run@1", "--crossfade must be CLIP@START:DURATION"},
        {"a.glb -o a.webp --crossfade Run@-1:1", "--crossfade must be CLIP@START:DURATION"},
        {"a.glb -o a.webp --crossfade Run@1:1:twice", "--crossfade must be CLIP@START:DURATION"},
        {"a.glb -o a.webp --attach sword.glb", "--attach must be FILE@NODE"},
        {"a.glb -o a.png --background blue", "--background must be RRGGBB or none"},
        {"a.glb -o a.png --time soon", "--time must be between 0 and 1000000, not 'soon'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        expect_refused(render("%s", wrong[i][0]), 2, wrong[i][1]);
        assert_false(exists("a.png"));
    }
}

static void bad_input_is_status_1(void **state) {
    (void)state;
    const char *m = SINEW_MODELS;
    expect_refused(render("nothing.glb -o test_render_bad.png"), 1, "nothing.glb");
    expect_refused(render("\"%s/hero.glb\" --clip Fly -o test_render_bad.png", m), 1,
                   "no clip 'Fly'; the file has 'Idle', 'Walk', 'Run'");
    expect_refused(render("\"%s/hero.glb\" --sheet --crossfade Fly@1:1 -o test_render_bad.png", m), 1,
                   "no clip 'Fly'");
    expect_refused(render("\"%s/hero.glb\" --attach \"%s/sword.glb@Tail\" -o test_render_bad.png", m, m), 1,
                   "no node 'Tail'");
    expect_refused(render("\"%s/hero.glb\" --attach nothing.glb@Head -o test_render_bad.png", m), 1, "nothing.glb");
    expect_refused(render("\"%s/hero.glb\" -o no/such/folder/a.png", m), 1,
                   "no/such/folder/a.png: cannot be written");
    assert_false(exists("test_render_bad.png"));
}

// Catches an output that is emptied before it is known that there is something to put in its place.
static void a_failure_leaves_an_older_picture_alone(void **state) {
    (void)state;
    FILE *file = fopen("test_render_old.png", "wb");
    assert_non_null(file);
    fputs("old", file);
    fclose(file);
    assert_int_equal(render("\"%s/hero.glb\" --clip Fly -o test_render_old.png", SINEW_MODELS), 1);
    file = fopen("test_render_old.png", "rb");
    char text[8] = "";
    assert_int_equal(fread(text, 1, sizeof text - 1, file), 3);
    fclose(file);
    assert_string_equal(text, "old");
    remove("test_render_old.png");
}

static void help_says_how(void **state) {
    (void)state;
    expect_good(render("--help"));
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s SINEW\n", argv[0]);
        return 2;
    }
    render_setup(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_still_shows_the_whole_model),
        cmocka_unit_test(the_picture_is_the_right_way_up),
        cmocka_unit_test(a_plain_background_has_its_colour),
        cmocka_unit_test(what_is_attached_is_drawn_where_it_is_carried),
        cmocka_unit_test(what_is_attached_keeps_its_size),
        cmocka_unit_test(mirrored_models_keep_their_outside_outside),
        cmocka_unit_test(a_skin_of_both_hands_is_drawn_two_sided),
        cmocka_unit_test(what_is_hidden_is_not_there),
        cmocka_unit_test(a_turned_model_stands_upright),
        cmocka_unit_test(springs_fall_down),
        cmocka_unit_test(large_images_are_refused_by_their_header),
        cmocka_unit_test(nothing_is_no_image),
        cmocka_unit_test(images_that_cannot_be_read_are_left_out),
        cmocka_unit_test(a_sheet_has_different_frames_side_by_side),
        cmocka_unit_test(no_frame_is_cut_off),
        cmocka_unit_test(a_crossfade_begins_when_it_should),
        cmocka_unit_test(an_animation_has_its_frames_and_times),
        cmocka_unit_test(wrong_usage_is_status_2),
        cmocka_unit_test(bad_input_is_status_1),
        cmocka_unit_test(a_failure_leaves_an_older_picture_alone),
        cmocka_unit_test(help_says_how),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
