// SPDX-License-Identifier: MIT
// sheet.c - draws the hero in a scene with one pose edit after the other.
#include "plots/sheet.h"

#include "plots/die.h"

#include "render/paint.h"
#include "render/text.h"

enum { COLUMNS = 4, GAP = 4 };

static void place_hero(sheet *s, const sheet_def *def) {
    const sinew_clip *clip = sinew_asset_find_clip(def->hero, "Idle");
    if (!clip) die("the hero lacks a clip");
    const sinew_scene_def scene = sinew_scene_default();
    if (sinew_scene_create(&scene, &s->scene, NULL) != SINEW_OK) die("out of memory");
    sinew_instance_def placed = sinew_instance_default();
    placed.asset = def->hero;
    placed.node.user = def->user;
    placed.edit = def->edit;
    if (sinew_scene_add_instance(s->scene, &placed, &s->node, NULL) != SINEW_OK) die("out of memory");
    sinew_mixer_play(sinew_scene_mixer(s->scene, s->node), sinew_clip_source(clip), NULL);
}

static void begin_drawing(sheet *s, const sheet_def *def) {
    sinew_error error;
    sinew_gl_def gl = sinew_gl_default();
    gl.get_proc_address = draw_egl_proc;
    bool good = draw_egl_open(&s->egl, DRAW_EGL_DESKTOP, &error) &&
                sinew_gl_create(&gl, &s->gl, &error) == SINEW_OK &&
                draw_target_create(&s->target, def->width, def->height, &error) &&
                draw_renderer_create(&s->renderer, s->gl, 0, &error) &&
                draw_model_create(&s->model, s->gl, def->hero, def->program, &error);
    if (!good) die(error.message);
    s->model.is_seen = true;
}

static draw_picture make_picture(int width, int height) {
    draw_picture picture;
    if (!draw_picture_create(&picture, width, height)) die("out of memory");
    return picture;
}

void sheet_begin(sheet *s, const sheet_def *def) {
    static const uint8_t white[4] = {255, 255, 255, 255};
    const int width = COLUMNS * (def->width + GAP) - GAP;
    const int height = SHEET_PANES / COLUMNS * (def->height + GAP) - GAP;
    place_hero(s, def);
    begin_drawing(s, def);
    s->picture = make_picture(width, height);
    s->pane = make_picture(def->width, def->height);
    draw_paint_fill(&s->picture, 0, 0, width, height, white);
}

void sheet_draw(sheet *s, const draw_view *view) {
    const draw_look background = draw_look_default();
    sinew_scene_update(s->scene, 0.0f);
    draw_model_pose(&s->model, s->scene, s->node);
    sinew_error error;
    if (!draw_renderer_draw(&s->renderer, s->target.framebuffer, s->pane.width, s->pane.height, &background, view,
                            &s->model, 1, &error)) {
        die(error.message);
    }
    draw_target_read(&s->target, &s->pane);
}

void sheet_add(sheet *s, int index, const char *label) {
    draw_font font;
    if (!draw_font_create(&font, 15)) die("out of memory");
    draw_text_paint(&font, &s->pane, 10, 22, 0x33383f, label);
    draw_font_free(&font);
    const int column = index % COLUMNS, row = index / COLUMNS;
    draw_picture_paste(&s->picture, &s->pane, column * (s->pane.width + GAP), row * (s->pane.height + GAP));
}

draw_picture sheet_end(sheet *s) {
    draw_picture_free(&s->pane);
    draw_model_free(&s->model);
    draw_renderer_free(&s->renderer);
    draw_target_free(&s->target);
    sinew_gl_destroy(s->gl);
    draw_egl_close(&s->egl);
    sinew_scene_destroy(s->scene);
    return s->picture;
}
