// SPDX-License-Identifier: MIT
// slope.h - the hero walking up a slope, with only the clip or with foot placement, and a picture of both.
#ifndef PLOTS_SLOPE_H
#define PLOTS_SLOPE_H

#include "plots/ramp.h"

#include "render/egl_context.h"
#include "render/renderer.h"
#include "render/target.h"
#include "render/text.h"

#include <sinew/all.h>

// ---- Walking -------------------------------------------------------------------------------------------------

/// One walk at two times. There's a walker for each, and the second one is this many frames ahead.
enum { WALKERS = 2, WALKERS_APART = 41 };

typedef struct slope_walk slope_walk;

typedef struct walker {
    const slope_walk *walk;
    sinew_scene_node node;
    double distance; ///< meters ahead of the origin
    sinew_foot_placement_state feet;
} walker;

struct slope_walk {
    const sinew_asset *hero;
    sinew_foot feet[2];
    sinew_scene *scene;
    walker walkers[WALKERS];
};

/// Walks until the picture's time, with or without foot placement. The program ends if the hero lacks a node or a clip.
/// `hero` must outlive the walk. Don't move the walk in memory.
void slope_walk_begin(slope_walk *walk, const sinew_asset *hero, bool is_placed);

/// Advances by one frame: 1/60 s.
void slope_walk_advance(slope_walk *walk);

void slope_walk_end(slope_walk *walk);

// ---- Drawing -------------------------------------------------------------------------------------------------

enum { PANE_WIDTH = 500, PANE_HEIGHT = 540 };

/// The picture's renderer. Don't move it in memory.
typedef struct slope_artist {
    draw_egl egl;
    sinew_gl *gl;
    draw_target target;
    draw_renderer renderer;
    ramp ramp;
    draw_model models[WALKERS + 1]; ///< the last one is the ramp; is_seen is set for all of them at first
} slope_artist;

/// The program ends without OpenGL.
void slope_artist_begin(slope_artist *artist, const sinew_asset *hero);
void slope_artist_end(slope_artist *artist);

/// Draws a walk to a picture with a pane's size.
void slope_draw(slope_artist *artist, const slope_walk *walk, const draw_look *look, draw_picture *pane);

/// Draws the whole picture: only the clip on the left, foot placement on the right. Free it with draw_picture_free.
draw_picture slope_picture(const sinew_asset *hero);

#endif
