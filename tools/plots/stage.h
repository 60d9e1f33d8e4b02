// SPDX-License-Identifier: MIT
// stage.h - the rigs of the plots: the hero, and a hinge, which is one node that turns about z.
#ifndef PLOTS_STAGE_H
#define PLOTS_STAGE_H

#include <sinew/all.h>

/// Frames per second of all plots.
enum { RATE = 120 };

typedef struct stage {
    sinew_asset *hero;
    const sinew_clip *idle, *walk, *run;
    sinew_skeleton *hinge;
    sinew_clip *low, *middle, *high; ///< the hinge at constant 0, 40 and 80 degrees
    sinew_clip *swing;               ///< about 0 degrees, 30 to either side, once a second
    sinew_clip *flutter;             ///< about 60 degrees, 12 to either side, in 0.6 s
    sinew_clip *around;              ///< about 180 degrees, 40 to either side, in 1.2 s
    sinew_clip *shake;               ///< additive: 8 degrees to either side, five times a second
} stage;

/// Ends the program if the file cannot be read or lacks a clip.
void stage_make(stage *s, const char *hero_path);
void stage_free(stage *s);

sinew_mixer_def hinge_def(const stage *s);
sinew_mixer_def hero_def(const stage *s);

/// Ends the program if memory runs out.
sinew_mixer *make_mixer(const sinew_mixer_def *def);

/// Advances by one frame.
void step(sinew_mixer *mixer);

/// Degrees, in the mixer's pose.
double hinge_angle(sinew_mixer *mixer);

/// The hero's node of that name; the program ends if there is none.
int32_t hero_node(const sinew_skeleton *skeleton, const char *name);

#endif
