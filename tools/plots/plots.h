// plots.h - the plots of docs/mixing.md, docs/howto/ik.md and docs/howto/edit-pose.md. Each runs the library and draws what came out.
#ifndef PLOTS_PLOTS_H
#define PLOTS_PLOTS_H

#include "plots/chart.h"
#include "plots/die.h"
#include "plots/stage.h"

typedef void plot(FILE *to, const stage *s);

plot plot_fade_curves;      ///< fades.c: a weight by each curve
plot plot_fade_interrupted; ///< fades.c: a fade that is interrupted, and what starting anew would do
plot plot_fade_held;        ///< fades.c: the last clip fades out, and later another one in
plot plot_slots_full;       ///< fades.c: an action makes room
plot plot_chain;            ///< fades.c: a clip once, and back to what was before

plot plot_interrupted; ///< takeover.c: one-shots that interrupt one another
plot plot_ragdoll;     ///< takeover.c: clips take over from a pose of the program

plot plot_transitions;            ///< transitions.c: one joint, three ways
plot plot_transition_interrupted; ///< transitions.c: an inertialization in the middle of another

plot plot_warp; ///< pace.c: two speeds brought together
plot plot_sync; ///< pace.c: how far feet are out of step

plot plot_layers; ///< layers.c: one that overrides, one that adds
plot plot_mask;   ///< layers.c: factors along the spine

plot plot_space_line;  ///< spaces.c: weights over speed, and a damped parameter
plot plot_space_plane; ///< spaces.c: weights over the plane

plot plot_events; ///< events.c: markers and ends, three ways

plot plot_root_path; ///< root.c: what is taken out, and what is left
plot plot_root_loop; ///< root.c: a loop that closes

plot plot_limbs; ///< limbs.c: a limb that becomes straight, and legs on a slope
plot plot_gaze;  ///< gaze.c: the head while a target goes round the hero

typedef struct named_plot {
    const char *name; ///< of its file, without ".svg"
    plot *draw;
} named_plot;

extern const named_plot plots[];
extern const int plot_count;

#endif
