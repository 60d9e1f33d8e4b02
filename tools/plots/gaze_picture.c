// SPDX-License-Identifier: MIT
// gaze_picture.c - the hero in a scene, turned to a target by the edit of its instance.
#include "plots/gaze_picture.h"

#include "plots/die.h"
#include "plots/gaze.h"

#include "render/egl_context.h"
#include "render/paint.h"
#include "render/renderer.h"
#include "render/target.h"
#include "render/text.h"

#include <math.h>
#include <stdio.h>

enum { PANES = 8, COLUMNS = 4, WIDTH = 170, HEIGHT = 190, GAP = 4 };

static const float eye_height = 1.5f; // of the hero, metres

// ---- The hero ------------------------------------------------------------------------------------------------

typedef struct watcher {
    gaze gaze;
    double degrees; // of the target
    sinew_scene *scene;
    sinew_scene_node node;
} watcher;

static bool look(sinew_scene *scene, sinew_scene_node instance, sinew_pose *pose, sinew_affine *model, float dt,
                 void *user) {
    (void)scene, (void)instance, (void)dt;
    watcher *w = user;
    gaze_solve(&w->gaze, gaze_target(w->degrees, (double)eye_height), pose, model);
    return true;
}

// Poses the hero by its idle clip.
static void watcher_begin(watcher *w, const sinew_asset *hero) {
    const sinew_clip *clip = sinew_asset_find_clip(hero, "Idle");
    if (!clip) die("the hero lacks a clip");
    *w = (watcher){.gaze = gaze_make(hero->skeleton)};
    const sinew_scene_def def = sinew_scene_default();
    if (sinew_scene_create(&def, &w->scene, NULL) != SINEW_OK) die("out of memory");
    sinew_instance_def placed = sinew_instance_default();
    placed.asset = hero;
    placed.node.user = w;
    placed.edit = look;
    if (sinew_scene_add_instance(w->scene, &placed, &w->node, NULL) != SINEW_OK) die("out of memory");
    sinew_mixer_play(sinew_scene_mixer(w->scene, w->node), sinew_clip_source(clip), NULL);
}

// ---- Drawing -------------------------------------------------------------------------------------------------

typedef struct artist {
    draw_egl egl;
    sinew_gl *gl;
    draw_target target;
    draw_renderer renderer;
    draw_model model;
} artist;

static void artist_begin(artist *a, const sinew_asset *hero) {
    sinew_error error;
    sinew_gl_def def = sinew_gl_default();
    def.get_proc_address = draw_egl_proc;
    bool good = draw_egl_open(&a->egl, DRAW_EGL_DESKTOP, &error) &&
                sinew_gl_create(&def, &a->gl, &error) == SINEW_OK &&
                draw_target_create(&a->target, WIDTH, HEIGHT, &error) &&
                draw_renderer_create(&a->renderer, a->gl, 0, &error) &&
                draw_model_create(&a->model, a->gl, hero, "make-gaze", &error);
    if (!good) die(error.message);
    a->model.is_seen = true;
}

static void artist_end(artist *a) {
    draw_model_free(&a->model);
    draw_renderer_free(&a->renderer);
    draw_target_free(&a->target);
    sinew_gl_destroy(a->gl);
    draw_egl_close(&a->egl);
}

// From the front: head and chest.
static void draw_pane(artist *a, const watcher *w, draw_picture *pane) {
    const sinew_vec3 eye = {0.0f, 1.62f, 2.2f}, target = {0.0f, 1.42f, 0.0f};
    const draw_look background = draw_look_default();
    const draw_view view = {.camera = draw_camera_look(eye, target, (float)WIDTH / (float)HEIGHT, 0.5f, 10.0f),
                            .least = {-0.5f, 0.0f, -0.5f},
                            .most = {0.5f, 1.9f, 0.5f}};
    draw_model_pose(&a->model, w->scene, w->node);
    sinew_error error;
    if (!draw_renderer_draw_view(&a->renderer, a->target.framebuffer, WIDTH, HEIGHT, &background, &view, &a->model,
                                 1, &error)) {
        die(error.message);
    }
    draw_target_read(&a->target, pane);
}

// From above, with the front toward the viewer: the hero in the center of a circle, and the target on it.
static void draw_compass(draw_picture *pane, double degrees) {
    const double pi = 3.14159265358979323846, radius = 15.0, x = WIDTH - 24.0, y = HEIGHT - 24.0;
    const uint32_t ink = 0x33383f, mark = 0xd1495b;
    draw_end before = {(float)x, (float)(y + radius), 0.75f};
    for (int i = 1; i <= 24; i++) {
        double a = pi * i / 12.0;
        draw_end end = {(float)(x + radius * sin(a)), (float)(y + radius * cos(a)), 0.75f};
        draw_paint_stroke(pane, before, end, ink, 1.0f);
        before = end;
    }
    double a = degrees * pi / 180.0;
    const draw_end hero = {(float)x, (float)y, 2.5f};
    const draw_end target = {(float)(x + radius * sin(a)), (float)(y + radius * cos(a)), 4.5f};
    draw_paint_stroke(pane, hero, hero, ink, 1.0f);
    draw_paint_stroke(pane, target, target, mark, 1.0f);
}

static void draw_label(draw_picture *pane, double degrees) {
    draw_font font;
    if (!draw_font_create(&font, 15)) die("out of memory");
    char label[32];
    snprintf(label, sizeof label, "%.0f\xc2\xb0", degrees);
    draw_text_paint(&font, pane, 10, 22, 0x33383f, label);
    draw_font_free(&font);
}

static draw_picture make_picture(int width, int height) {
    draw_picture picture;
    if (!draw_picture_create(&picture, width, height)) die("out of memory");
    return picture;
}

draw_picture gaze_picture(const sinew_asset *hero) {
    static const uint8_t white[4] = {255, 255, 255, 255};
    const int width = COLUMNS * (WIDTH + GAP) - GAP, height = PANES / COLUMNS * (HEIGHT + GAP) - GAP;
    watcher w;
    watcher_begin(&w, hero);
    artist a;
    artist_begin(&a, hero);
    draw_picture picture = make_picture(width, height), pane = make_picture(WIDTH, HEIGHT);
    draw_paint_fill(&picture, 0, 0, width, height, white);
    for (int i = 0; i < PANES; i++) {
        w.degrees = 360.0 / PANES * i;
        sinew_scene_update(w.scene, 0.0f);
        draw_pane(&a, &w, &pane);
        draw_compass(&pane, w.degrees);
        draw_label(&pane, w.degrees);
        draw_picture_paste(&picture, &pane, i % COLUMNS * (WIDTH + GAP), i / COLUMNS * (HEIGHT + GAP));
    }
    draw_picture_free(&pane);
    artist_end(&a);
    sinew_scene_destroy(w.scene);
    return picture;
}
