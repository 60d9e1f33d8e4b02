// SPDX-License-Identifier: MIT
// plots.c - all plots for docs/mixing.md, docs/howto/ik.md and docs/howto/edit-pose.md, with their file names.
#include "plots/plots.h"

const named_plot plots[] = {
    {"fade-curves", plot_fade_curves},
    {"fade-interrupted", plot_fade_interrupted},
    {"fade-share", plot_fade_share},
    {"fade-side", plot_fade_side},
    {"fade-held", plot_fade_held},
    {"slots-full", plot_slots_full},
    {"chain", plot_chain},
    {"interrupted", plot_interrupted},
    {"ragdoll", plot_ragdoll},
    {"transitions", plot_transitions},
    {"transition-interrupted", plot_transition_interrupted},
    {"changes", plot_changes},
    {"warp", plot_warp},
    {"sync", plot_sync},
    {"layers", plot_layers},
    {"mask", plot_mask},
    {"space-line", plot_space_line},
    {"space-plane", plot_space_plane},
    {"events", plot_events},
    {"root-path", plot_root_path},
    {"root-loop", plot_root_loop},
    {"root-speed", plot_root_speed},
    {"foot-lock", plot_foot_lock},
    {"limbs", plot_limbs},
    {"gaze", plot_gaze},
    {"tails", plot_tails},
};

const int plot_count = sizeof plots / sizeof *plots;
