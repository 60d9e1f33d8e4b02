// SPDX-License-Identifier: MIT
// slope_picture.c - draws walkers on a ramp.
#include "plots/slope.h"

#include "plots/die.h"

#include "render/paint.h"

// ---- Making --------------------------------------------------------------------------------------------------

// The ramp keeps a model's initial transform.
static bool make_models(slope_artist *artist, const sinew_asset *hero, sinew_error *error) {
    ramp_make(&artist->ramp);
    for (int i = 0; i <= WALKERS; i++) {
        const sinew_asset *asset = i < WALKERS ? hero : &artist->ramp.asset;
        if (!draw_model_create(&artist->models[i], artist->gl, asset, "make-slope", error)) return false;
        artist->models[i].is_seen = true;
    }
    return true;
}

void slope_artist_begin(slope_artist *artist, const sinew_asset *hero) {
    sinew_error error;
    sinew_gl_def def = sinew_gl_default();
    def.get_proc_address = draw_egl_proc;
    bool good = draw_egl_open(&artist->egl, DRAW_EGL_DESKTOP, &error) &&
                sinew_gl_create(&def, &artist->gl, &error) == SINEW_OK &&
                draw_target_create(&artist->target, PANE_WIDTH, PANE_HEIGHT, &error) &&
                draw_renderer_create(&artist->renderer, artist->gl, 0, &error) && make_models(artist, hero, &error);
    if (!good) die(error.message);
}

void slope_artist_end(slope_artist *artist) {
    for (int i = 0; i <= WALKERS; i++) draw_model_free(&artist->models[i]);
    draw_renderer_free(&artist->renderer);
    draw_target_free(&artist->target);
    sinew_gl_destroy(artist->gl);
    draw_egl_close(&artist->egl);
}

// ---- Drawing -------------------------------------------------------------------------------------------------

// From the side and slightly above. The part of a walker behind the ramp is below it.
static draw_view view_of_ramp(void) {
    const sinew_vec3 target = {0.0f, 0.72f, 0.0f}, eye = {0.0f, 1.3f, 5.8f};
    const float tallest = 2.4f; // above the center of the slope
    return (draw_view){.camera = draw_camera_look(eye, target, (float)PANE_WIDTH / (float)PANE_HEIGHT, 1.0f, 20.0f),
                       .least = {RAMP_LEFT, RAMP_BOTTOM, RAMP_FAR},
                       .most = {RAMP_RIGHT, tallest, RAMP_NEAR}};
}

void slope_draw(slope_artist *artist, const slope_walk *walk, const draw_look *look, draw_picture *pane) {
    const draw_view view = view_of_ramp();
    for (int i = 0; i < WALKERS; i++) draw_model_pose(&artist->models[i], walk->scene, walk->walkers[i].node);
    sinew_error error;
    if (!draw_renderer_draw(&artist->renderer, artist->target.framebuffer, PANE_WIDTH, PANE_HEIGHT, look, &view,
                            artist->models, WALKERS + 1, &error)) {
        die(error.message);
    }
    draw_target_read(&artist->target, pane);
}

static void write_label(draw_picture *pane, const char *label) {
    draw_font font;
    if (!draw_font_create(&font, 22)) die("out of memory");
    draw_text_paint(&font, pane, 20, 36, 0x33383f, label);
    draw_font_free(&font);
}

static draw_picture make_picture(int width) {
    draw_picture picture;
    if (!draw_picture_create(&picture, width, PANE_HEIGHT)) die("out of memory");
    return picture;
}

draw_picture slope_picture(const sinew_asset *hero) {
    enum { GAP = 4 };
    static const uint8_t white[4] = {255, 255, 255, 255};
    static const char *const labels[2] = {"clip only", "feet placed"};
    const draw_look look = draw_look_default();
    slope_walk walks[2];
    for (int i = 0; i < 2; i++) slope_walk_begin(&walks[i], hero, i == 1);
    slope_artist artist;
    slope_artist_begin(&artist, hero);
    draw_picture picture = make_picture(2 * PANE_WIDTH + GAP), pane = make_picture(PANE_WIDTH);
    for (int i = 0; i < 2; i++) {
        slope_draw(&artist, &walks[i], &look, &pane);
        write_label(&pane, labels[i]);
        draw_picture_paste(&picture, &pane, i * (PANE_WIDTH + GAP), 0);
        slope_walk_end(&walks[i]);
    }
    draw_paint_fill(&picture, PANE_WIDTH, 0, GAP, PANE_HEIGHT, white);
    draw_picture_free(&pane);
    slope_artist_end(&artist);
    return picture;
}
