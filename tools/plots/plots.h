// SPDX-License-Identifier: MIT
// plots.h - the plots for docs/mixing.md, docs/howto/ik.md and docs/howto/edit-pose.md. Each runs the library and draws
// the result.
#ifndef PLOTS_PLOTS_H
#define PLOTS_PLOTS_H

#include "plots/chart.h"
#include "plots/die.h"
#include "plots/stage.h"

typedef void plot(FILE *to, const stage *s);

plot plot_fade_curves;      ///< fades.c: a weight with each easing
plot plot_fade_interrupted; ///< fades.c: an interrupted fade, compared with a restarted one
plot plot_fade_held;        ///< fades.c: the last clip fades out, and another one fades in later
plot plot_slots_full;       ///< fades.c: an action is evicted
plot plot_chain;            ///< fades.c: a one-shot and the return to the previous clip

plot plot_fade_share; ///< shares.c: a fade to a clip with a small weight
plot plot_fade_side;  ///< shares.c: a fade between clips that pass half a turn

plot plot_interrupted; ///< takeover.c: one-shots that interrupt one another
plot plot_ragdoll;     ///< takeover.c: clips take over from the program's pose

plot plot_transitions;            ///< transitions.c: one joint, three kinds of transition
plot plot_transition_interrupted; ///< transitions.c: an inertialization in the middle of another

plot plot_changes; ///< changes.c: a seek and an edit, inertialized

plot plot_warp; ///< sync.c: the playback rates of a warped fade
plot plot_sync; ///< sync.c: the phase difference of the feet

plot plot_layers; ///< layers.c: an override layer and an additive layer
plot plot_mask;   ///< layers.c: factors along the spine

plot plot_space_line;  ///< spaces.c: weights over speed, and a damped parameter
plot plot_space_plane; ///< spaces.c: weights over the plane

plot plot_events; ///< events.c: markers and ends, forward, backward and ping-pong

plot plot_root_path;  ///< root.c: the extracted motion, and the remaining pose
plot plot_root_loop;  ///< root.c: a loop that closes
plot plot_root_speed; ///< root.c: the speed of a character through transitions

plot plot_foot_lock; ///< foot_lock.c: how fast planted feet slide in a transition

plot plot_limbs; ///< limbs.c: a limb that straightens, and legs on a slope
plot plot_tails; ///< tails.c: a tail that follows a target
plot plot_gaze;  ///< gaze.c: the head while a target circles the hero

typedef struct named_plot {
    const char *name; ///< file name without ".svg"
    plot *draw;
} named_plot;

extern const named_plot plots[];
extern const int plot_count;

#endif
