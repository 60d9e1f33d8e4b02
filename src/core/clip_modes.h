// SPDX-License-Identifier: MIT
// Modes: the motion of many lanes as sums of a few functions of time (kernels/layout.h).
#ifndef SINEWI_CLIP_MODES_H
#define SINEWI_CLIP_MODES_H

#include "core/clip_build.h"

// The modes of one target on one timeline, in order of the motion that they explain.
typedef struct sinewi_mode_set {
    int32_t row; // index of the timeline's rows
    sinew_channel_target target;
    int32_t key_count, count;
    int32_t component_count;
    uint16_t *weights;    // [count][key_count], as rows store them
    double *coefficients; // [SINEWI_MAX_MODES][component_count]
    double *values; // [component_count][key_count], from the mean or center; then what the modes do not explain
} sinewi_mode_set;

// The part of a set that one strip has.
typedef struct sinewi_mode_strip {
    int32_t set;       // or -1: the strip has no modes
    int32_t component; // the first one of the strip in its set: those of lane after lane
    int32_t lane_count;
    uint8_t lanes[SINEW_LANES];    // those with channels; what follows is in their order
    double leverages[SINEW_LANES]; // metres for a unit of the lane's value
    float means[SINEW_LANES][4];   // of rotations, the centers
    double tolerance_factor;       // by which the strip's tolerance is larger than that of the clip
    double slerp_distance;         // between slerps and sums of modes, metres
    double
        residuals[SINEWI_MAX_MODES + 1]; // [modes]: the largest distance that this number of modes leaves, metres
} sinewi_mode_strip;

// The modes of a clip: found once, and used with different tolerances.
typedef struct sinewi_mode_finder {
    // sinewi_modes_plan: a program that creates clips and compresses none does not link it.
    bool (*plan)(struct sinewi_mode_finder *finder, sinewi_clip_plan *plan);
    sinewi_arena arena;
    double distance;           // of the virtual points from their joint, metres
    double max_slerp_distance; // up to which a strip interpolates instead of slerping, metres
    double smallest;           // residuals below need no further modes, metres
    double tolerance;          // of strips, metres; 0: no modes
    bool is_ready;
    sinewi_mode_set *sets;
    int32_t set_count;
    sinewi_mode_strip *strips; // [strip_count], as in the plan
    int32_t strip_count;
} sinewi_mode_finder;

// Simplifies the channels of a clip by `tolerance` metres: drops those that stay in the rest pose, and keeps one key of
// those that do not move. `channels` are those of `def`, whose count then is the number of those that are left. Returns false if there is no
// memory.
bool sinewi_modes_simplify(sinewi_mode_finder *finder, sinew_clip_def *def, sinew_channel_def *channels,
                           double tolerance);

// Replaces strips of a plan by modes, where these stay within the tolerance and take less memory. The first call finds
// the modes; later ones must have a plan of the same channels. Returns false if there is no memory.
bool sinewi_modes_plan(sinewi_mode_finder *finder, sinewi_clip_plan *plan);

#endif
