// SPDX-License-Identifier: MIT
// sheet.h - a picture with eight panes of the hero, each with another pose edit.
#ifndef PLOTS_SHEET_H
#define PLOTS_SHEET_H

#include "render/egl_context.h"
#include "render/renderer.h"
#include "render/target.h"

enum { SHEET_PANES = 8 };

typedef struct sheet_def {
    const sinew_asset *hero;
    const char *program;      // for messages
    int width, height;        // of a pane, in pixels
    sinew_instance_edit edit; // edits the hero's pose
    void *user;               // its argument
} sheet_def;

// Private except for the fields below.
typedef struct sheet {
    draw_egl egl;
    sinew_gl *gl;
    draw_target target;
    draw_renderer renderer;
    draw_model model;
    sinew_scene *scene;
    sinew_scene_node node;
    draw_picture picture;
    draw_picture pane; // the current one, for you to paint on
} sheet;

/// Adds the hero to a scene and plays its idle clip. The program ends without OpenGL or if the hero lacks the clip.
/// sheet_end frees everything.
void sheet_begin(sheet *s, const sheet_def *def);

/// Edits the pose and draws the hero into the pane.
void sheet_draw(sheet *s, const draw_view *view);

/// Labels the pane and copies it to the sheet as number `index`.
void sheet_add(sheet *s, int index, const char *label);

/// Returns the sheet. Free it with draw_picture_free.
draw_picture sheet_end(sheet *s);

#endif
