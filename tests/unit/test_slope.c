// SPDX-License-Identifier: MIT
// The picture of the hero on a slope: what it shows, in metres and in pixels, and that the stored picture is the
// same.
#include "support/check.h"

#include "plots/body_picture.h"
#include "plots/gaze_picture.h"
#include "plots/slope.h"

#include <webp/decode.h>

static sinew_asset *hero;
static bool have_gl;

static int set_up(void **state) {
    (void)state;
    sinew_error error;
    if (sinew_gltf_load_file(SINEW_MODELS "/hero.glb", NULL, &hero, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    draw_egl egl;
    have_gl = draw_egl_open(&egl, DRAW_EGL_DESKTOP, &error);
    if (!have_gl) print_message("nothing will be drawn: %s\n", error.message);
    draw_egl_close(&egl);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    sinew_asset_destroy(hero);
    return 0;
}

// ---- Vertices ------------------------------------------------------------------------------------------------

// How high a walker's lowest vertex is above the slope, which rises by 2 in 5 along +X.
static double lowest_vertex(const slope_walk *walk, const walker *w) {
    const sinew_primitive *body = &hero->meshes[0].primitives[0];
    const sinew_affine world = sinew_scene_world(walk->scene, w->node);
    float *vertices = calloc((size_t)body->vertex_count, 3 * sizeof *vertices);
    assert_non_null(vertices);
    sinew_skin_job job = sinew_primitive_skin_job(body);
    job.out_positions = vertices;
    sinew_skin_vertices(&job, sinew_scene_palette(walk->scene, w->node, 0), 0, body->vertex_count);
    double lowest = 9.0;
    for (int32_t i = 0; i < body->vertex_count; i++) {
        const float *v = vertices + 3 * (ptrdiff_t)i;
        const sinew_vec3 at = sinew_affine_point(world, (sinew_vec3){v[0], v[1], v[2]});
        lowest = fmin(lowest, at.y - 0.4 * at.x);
    }
    free(vertices);
    return lowest;
}

typedef struct span {
    double least, most;
} span;

// Of the lowest vertices in all frames of a cycle, which takes 64, and in the picture's own.
static span lowest_in_a_cycle(bool is_placed) {
    span out = {9.0, -9.0};
    slope_walk walk;
    slope_walk_begin(&walk, hero, is_placed);
    for (int frame = 0; frame <= 64; frame++) {
        for (int i = 0; i < WALKERS; i++) {
            const double lowest = lowest_vertex(&walk, &walk.walkers[i]);
            out = (span){fmin(out.least, lowest), fmax(out.most, lowest)};
            if (frame == 0) assert_true(is_placed ? lowest > -0.004 : lowest < -0.05);
        }
        slope_walk_advance(&walk);
    }
    slope_walk_end(&walk);
    print_message("%s: the lowest vertex is at %.1f to %.1f mm\n", is_placed ? "placed" : "not placed",
                  1e3 * out.least, 1e3 * out.most);
    return out;
}

// With placement, one foot or the other is always on the ground, except for some millimetres while it settles after
// its strike.
static void test_placed_feet_are_on_the_slope_and_others_in_it(void **state) {
    (void)state;
    const span clip = lowest_in_a_cycle(false), placed = lowest_in_a_cycle(true);
    assert_true(clip.least < -0.1);
    assert_true(placed.least > -0.004 && placed.most < 0.007);
}

// The first walker gets to where the second one was, in the same pose.
static void test_the_walkers_are_one_walk(void **state) {
    (void)state;
    for (int is_placed = 0; is_placed < 2; is_placed++) {
        slope_walk early, late;
        slope_walk_begin(&early, hero, is_placed);
        slope_walk_begin(&late, hero, is_placed);
        for (int i = 0; i < WALKERS_APART; i++) slope_walk_advance(&late);
        const walker *then = &early.walkers[1], *now = &late.walkers[0];
        check_near(now->distance, then->distance, 1e-9);
        const sinew_affine *a = sinew_scene_model_matrices(early.scene, then->node);
        const sinew_affine *b = sinew_scene_model_matrices(late.scene, now->node);
        for (int32_t i = 0; i < hero->skeleton->node_count; i++) {
            for (int k = 0; k < 12; k++) check_near(b[i].m[k / 4][k % 4], a[i].m[k / 4][k % 4], 1e-4);
        }
        slope_walk_end(&late);
        slope_walk_end(&early);
    }
}

// ---- Pixels --------------------------------------------------------------------------------------------------

static draw_picture draw_on_nothing(slope_artist *artist, const slope_walk *walk, bool show_ramp) {
    const draw_look look = draw_look_transparent();
    draw_picture pane;
    assert_true(draw_picture_create(&pane, PANE_WIDTH, PANE_HEIGHT));
    artist->models[WALKERS].is_seen = show_ramp;
    slope_draw(artist, walk, &look, &pane);
    return pane;
}

static bool is_like(const uint8_t *a, const uint8_t *b) {
    for (int i = 0; i < 3; i++) {
        if (abs(a[i] - b[i]) > 4) return false;
    }
    return true;
}

// The walkers' pixels that are not what they are without the ramp.
static int pixels_in_the_ground(slope_artist *artist, bool is_placed, int *walkers) {
    slope_walk walk;
    slope_walk_begin(&walk, hero, is_placed);
    draw_picture alone = draw_on_nothing(artist, &walk, false), with = draw_on_nothing(artist, &walk, true);
    int in_ground = 0;
    *walkers = 0;
    for (size_t i = 0; i < (size_t)PANE_WIDTH * PANE_HEIGHT; i++) {
        const uint8_t *a = alone.rgba + 4 * i, *b = with.rgba + 4 * i;
        if (a[3] < 255) continue;
        ++*walkers;
        in_ground += !is_like(a, b);
    }
    draw_picture_free(&alone);
    draw_picture_free(&with);
    slope_walk_end(&walk);
    return in_ground;
}

static void test_feet_are_drawn_in_the_ground_only_where_not_placed(void **state) {
    (void)state;
    if (!have_gl) skip();
    slope_artist artist;
    slope_artist_begin(&artist, hero);
    int walkers[2];
    const int clip = pixels_in_the_ground(&artist, false, &walkers[0]);
    const int placed = pixels_in_the_ground(&artist, true, &walkers[1]);
    slope_artist_end(&artist);
    print_message("%d of %d pixels are in the ground without, %d of %d with\n", clip, walkers[0], placed,
                  walkers[1]);
    assert_true(walkers[0] > 20000 && walkers[1] > 20000);
    assert_true(clip > 500);
    assert_true(placed < 50);
}

// ---- The picture ---------------------------------------------------------------------------------------------

static draw_picture kept_picture(const char *path) {
    static uint8_t bytes[1 << 18];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    draw_picture picture;
    picture.rgba = WebPDecodeRGBA(bytes, size, &picture.width, &picture.height);
    assert_non_null(picture.rgba);
    return picture;
}

enum { BLOCK = 12 }; // pixels, into which both sides can be divided

// The mean of a channel over a block.
static double mean_of(const draw_picture *picture, int left, int top, int channel) {
    int sum = 0;
    for (int y = top; y < top + BLOCK; y++) {
        for (int x = left; x < left + BLOCK; x++) sum += picture->rgba[4 * (y * picture->width + x) + channel];
    }
    return (double)sum / (BLOCK * BLOCK);
}

// Allows for compression and other drivers' drawing. Averages of blocks hardly show either.
static void check_kept(const char *path, draw_picture drawn) {
    draw_picture kept = kept_picture(path);
    assert_int_equal(kept.width, drawn.width);
    assert_int_equal(kept.height, drawn.height);
    double most = 0.0;
    for (int y = 0; y + BLOCK <= drawn.height; y += BLOCK) {
        for (int x = 0; x + BLOCK <= drawn.width; x += BLOCK) {
            for (int i = 0; i < 4; i++) most = fmax(most, fabs(mean_of(&kept, x, y, i) - mean_of(&drawn, x, y, i)));
        }
    }
    print_message("blocks are %.1f of 255 apart at most\n", most);
    if (most > 10.0) fail_msg("a block of it is %g of 255 off; 'make plots' draws it anew", most);
    WebPFree(kept.rgba);
    draw_picture_free(&drawn);
}

static void test_the_kept_picture_is_what_is_drawn(void **state) {
    (void)state;
    if (!have_gl) skip();
    check_kept(SINEW_DOCS "/images/slope.webp", slope_picture(hero));
}

static void test_the_kept_gaze_is_what_is_drawn(void **state) {
    (void)state;
    if (!have_gl) skip();
    check_kept(SINEW_DOCS "/images/gaze.webp", gaze_picture(hero));
}

static void test_the_kept_body_is_what_is_drawn(void **state) {
    (void)state;
    if (!have_gl) skip();
    check_kept(SINEW_DOCS "/images/body.webp", body_picture(hero));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_placed_feet_are_on_the_slope_and_others_in_it),
        cmocka_unit_test(test_the_walkers_are_one_walk),
        cmocka_unit_test(test_feet_are_drawn_in_the_ground_only_where_not_placed),
        cmocka_unit_test(test_the_kept_picture_is_what_is_drawn),
        cmocka_unit_test(test_the_kept_gaze_is_what_is_drawn),
        cmocka_unit_test(test_the_kept_body_is_what_is_drawn),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
