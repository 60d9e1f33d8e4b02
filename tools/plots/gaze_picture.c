// SPDX-License-Identifier: MIT
// gaze_picture.c - the hero in a scene. Its instance's edit turns it to a target.
#include "plots/gaze_picture.h"

#include "plots/gaze.h"
#include "plots/sheet.h"

#include "render/paint.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 170, HEIGHT = 190 };

static const float eye_height = 1.5f; // of the hero, in meters

typedef struct watcher {
    gaze gaze;
    double degrees; // of the target
} watcher;

static bool look(sinew_scene *scene, sinew_scene_node instance, sinew_pose *pose, sinew_affine *model, float dt,
                 void *user) {
    (void)scene, (void)instance, (void)dt;
    watcher *w = user;
    gaze_solve(&w->gaze, gaze_target(w->degrees, (double)eye_height), pose, model);
    return true;
}

// Draws the hero in the center of a circle and the target on it, from above and with the front toward the viewer.
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

draw_picture gaze_picture(const sinew_asset *hero) {
    // From the front: head and chest.
    const sinew_vec3 eye = {0.0f, 1.62f, 2.2f}, target = {0.0f, 1.42f, 0.0f};
    const draw_view view = {.camera = draw_camera_look(eye, target, (float)WIDTH / (float)HEIGHT, 0.5f, 10.0f),
                            .least = {-0.5f, 0.0f, -0.5f},
                            .most = {0.5f, 1.9f, 0.5f}};
    watcher w = {.gaze = gaze_make(hero->skeleton)};
    sheet s;
    sheet_begin(&s, &(sheet_def){hero, "make-gaze", WIDTH, HEIGHT, look, &w});
    for (int i = 0; i < SHEET_PANES; i++) {
        w.degrees = 360.0 / SHEET_PANES * i;
        sheet_draw(&s, &view);
        draw_compass(&s.pane, w.degrees);
        char label[32];
        snprintf(label, sizeof label, "%.0f\xc2\xb0", w.degrees);
        sheet_add(&s, i, label);
    }
    return sheet_end(&s);
}
