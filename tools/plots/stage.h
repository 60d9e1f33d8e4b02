// stage.h - who is on the plots: the hero, and a hinge, which is one node that turns about z.
#ifndef PLOTS_STAGE_H
#define PLOTS_STAGE_H

#include <sinew/sinew.h>

/// Frames a second of all that is plotted.
enum { RATE = 120 };

typedef struct stage {
    sinew_asset *hero;
    const sinew_clip *idle, *walk, *run;
    sinew_skeleton *hinge;
    sinew_clip *low, *middle, *high; ///< the hinge stands still at 0, 40 and 80 degrees
    sinew_clip *swing;               ///< about 0 degrees, 30 either way, once a second
    sinew_clip *flutter;             ///< about 60 degrees, 12 either way, in 0.6 s
    sinew_clip *shake;               ///< additive: 8 degrees either way, five times a second
} stage;

/// Ends the program where the file cannot be read or lacks a clip.
void stage_make(stage *s, const char *hero_path);
void stage_free(stage *s);

sinew_mixer_def hinge_def(const stage *s);
sinew_mixer_def hero_def(const stage *s);

/// Ends the program where there is no memory.
sinew_mixer *make_mixer(const sinew_mixer_def *def);

/// One frame on.
void step(sinew_mixer *mixer);

/// Degrees, in the mixer's pose.
double hinge_angle(sinew_mixer *mixer);

/// The hero's node of that name; the program ends if there is none.
int32_t hero_node(const stage *s, const char *name);

#endif
