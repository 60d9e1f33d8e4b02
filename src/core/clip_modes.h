// SPDX-License-Identifier: MIT
// Modes describe the motion of many lanes as sums of a few functions of time. See kernels/layout.h.
#ifndef SINEWI_CLIP_MODES_H
#define SINEWI_CLIP_MODES_H

#include "core/clip_build.h"

// The modes of one target on one timeline, sorted by how much motion they explain.
typedef struct sinewi_mode_set {
    int32_t row; // index of the timeline's rows
    sinew_channel_target target;
    int32_t key_count, count;
    int32_t component_count;
    uint16_t *weights;    // [count][key_count], in the format of rows
    double *coefficients; // [SINEWI_MAX_MODES][component_count]
    double *values; // [component_count][key_count]: relative to the mean or center. Then the residual without the
                    // modes.
} sinewi_mode_set;

// A strip's part of a set.
typedef struct sinewi_mode_strip {
    int32_t set;       // -1 if the strip has no modes
    int32_t component; // index of the strip's first component in the set. They are ordered lane by lane.
    int32_t lane_count;
    uint8_t lanes[SINEW_LANES];             // lanes with channels. The arrays below use the same order.
    double leverages[SINEW_LANES];          // meters per unit of the lane's value
    float means[SINEW_LANES][4];            // for rotations, the centers
    double tolerance_factor;                // how much larger the strip's tolerance is than the clip's
    double slerp_distance;                  // between slerps and sums of modes, in meters
    double residuals[SINEWI_MAX_MODES + 1]; // [modes]: largest distance in meters that remains with this many modes
} sinewi_mode_strip;

// A clip's modes. They are found once and used with different tolerances.
typedef struct sinewi_mode_finder {
    // sinewi_modes_plan. A pointer, so programs that create clips but don't compress any don't link it.
    bool (*plan)(struct sinewi_mode_finder *finder, sinewi_clip_plan *plan);
    sinewi_arena arena;
    double distance;           // between a joint and its virtual points, in meters
    double max_slerp_distance; // up to this, a strip interpolates instead of slerping, in meters
    double smallest;           // smaller residuals don't need more modes, in meters
    double tolerance;          // per strip in meters. 0 means no modes.
    bool is_ready;
    sinewi_mode_set *sets;
    int32_t set_count;
    sinewi_mode_strip *strips; // [strip_count], in plan order
    int32_t strip_count;
} sinewi_mode_finder;

// Simplifies a clip's channels with a tolerance of `tolerance` meters. Drops channels that stay in the rest pose, and
// keeps one key of channels that don't move. `channels` are the channels of `def`, and its count becomes the number
// that is left. Returns false if memory runs out.
bool sinewi_modes_simplify(sinewi_mode_finder *finder, sinew_clip_def *def, sinew_channel_def *channels,
                           double tolerance);

// Replaces strips in a plan by modes if these stay within the tolerance and take less memory. The first call finds the
// modes. Later calls must have a plan with the same channels. Returns false if memory runs out.
bool sinewi_modes_plan(sinewi_mode_finder *finder, sinewi_clip_plan *plan);

#endif
