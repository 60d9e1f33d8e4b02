// SPDX-License-Identifier: MIT
// stage.h - the plots' rigs: the hero, and a hinge, which is one node that turns about z.
#ifndef PLOTS_STAGE_H
#define PLOTS_STAGE_H

#include <sinew/all.h>

/// Frames per second of all plots.
enum { RATE = 120 };

typedef struct stage {
    sinew_asset *hero;
    const sinew_clip *idle, *walk, *run;
    sinew_skeleton *hinge;
    sinew_clip *low, *middle, *high; ///< hinge at a constant 0, 40 and 80 degrees
    sinew_clip *swing;               ///< 30 degrees either way around 0, once per second
    sinew_clip *flutter;             ///< 12 degrees either way around 60, in 0.6 s
    sinew_clip *around;              ///< 40 degrees either way around 180, in 1.2 s
    sinew_clip *shake;               ///< additive: 8 degrees either way, five times per second
} stage;

/// Ends the program if the file can't be read or lacks a clip.
void stage_make(stage *s, const char *hero_path);
void stage_free(stage *s);

sinew_mixer_def hinge_def(const stage *s);
sinew_mixer_def hero_def(const stage *s);

/// Ends the program if memory runs out.
sinew_mixer *make_mixer(const sinew_mixer_def *def);

/// Advances by one frame.
void step(sinew_mixer *mixer);

/// Returns the hinge's angle in the mixer's pose, in degrees.
double hinge_angle(sinew_mixer *mixer);

/// Returns the hero's node with that name. The program ends if there isn't one.
int32_t hero_node(const sinew_skeleton *skeleton, const char *name);

#endif
