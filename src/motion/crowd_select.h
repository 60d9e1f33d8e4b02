// SPDX-License-Identifier: MIT
// What fits into a budget: characters by priority, and the time that a frame takes.
#ifndef SINEWI_CROWD_SELECT_H
#define SINEWI_CROWD_SELECT_H

#include <sinew/motion/crowd.h>

#include "base/float_rules.h"

#include <float.h>
#include <math.h>
#include <string.h>

// ---- Priorities ----------------------------------------------------------------------------------------------

// A level is an eighth of an octave of priority: a float's exponent and three bits of its mantissa. Level 0 is never
// updated, and the last level always is.
enum {
    SINEWI_CROWD_SHIFT = 20,
    SINEWI_CROWD_LAST_LEVEL = (0x7f800000 >> SINEWI_CROWD_SHIFT) + 1,
    SINEWI_CROWD_LEVELS = SINEWI_CROWD_LAST_LEVEL + 1
};

// Returns a character's level. Its priority is its significance times the frames since its last update, so its rate
// is proportional to its significance.
static inline int32_t sinewi_crowd_level(float significance, uint32_t frames) {
    if (frames == 0) return SINEWI_CROWD_LAST_LEVEL; // its palette hasn't been written yet
    float priority = significance * (float)frames;
    if (!(priority > 0.0f)) return 0; // also NaN
    if (isinf(significance)) return SINEWI_CROWD_LAST_LEVEL;
    if (priority > FLT_MAX) priority = FLT_MAX;
    uint32_t bits;
    memcpy(&bits, &priority, sizeof bits);
    return (int32_t)(bits >> SINEWI_CROWD_SHIFT) + 1;
}

// The characters to update: those above `level`, and the first `left` at that level.
typedef struct sinewi_crowd_selection {
    int32_t level, left;
} sinewi_crowd_selection;

// Selects as many as fit, by how many there are at each level.
static inline sinewi_crowd_selection sinewi_crowd_select(const int32_t counts[SINEWI_CROWD_LEVELS],
                                                         int32_t capacity) {
    sinewi_crowd_selection s = {.level = SINEWI_CROWD_LAST_LEVEL - 1,
                                .left = capacity - counts[SINEWI_CROWD_LAST_LEVEL]};
    while (s.level > 0 && counts[s.level] <= s.left) s.left -= counts[s.level--];
    return s;
}

static inline bool sinewi_crowd_take(sinewi_crowd_selection *s, int32_t level) {
    if (level != s->level || level == 0) return level > s->level;
    return s->left > 0 && s->left-- > 0;
}

// ---- Time ----------------------------------------------------------------------------------------------------

// The part of a frame's time that is planned for. Then the parts after which no more characters are posed, at the
// first and at the last item of the walk. The rest is for events of later items, and for a core that is slower than
// in previous frames.
#define SINEWI_CROWD_PLANNED       0.9
#define SINEWI_CROWD_STOP_AT_FIRST 0.75
#define SINEWI_CROWD_STOP_AT_LAST  0.95

// Characters posed between two readings of the clock.
#define SINEWI_CROWD_READ_EACH 16

// Weight of the last frame in the mean cost of a pose, and how many poses it takes to measure that cost.
#define SINEWI_CROWD_COST_GAIN          0.125f
#define SINEWI_CROWD_MIN_MEASURED_POSES 8

// Timing of the current frame.
typedef struct sinewi_crowd_clock {
    sinew_batch_budget *budget;
    double start;
    bool is_over;
} sinewi_crowd_clock;

static inline double sinewi_crowd_seconds(const sinewi_crowd_clock *clock) {
    return clock->budget->clock(clock->budget->user) - clock->start;
}

static inline sinewi_crowd_clock sinewi_crowd_start(sinew_batch_budget *budget) {
    return (sinewi_crowd_clock){budget, budget->clock ? budget->clock(budget->user) : 0.0, false};
}

static inline int32_t sinewi_crowd_capacity(const sinew_batch_budget *budget) {
    int32_t most = budget->max_poses > 0 ? budget->max_poses : 0;
    if (!budget->clock || !(budget->pose_cost > 0.0f)) return most;
    double fitting = SINEWI_CROWD_PLANNED * (double)budget->seconds / (double)budget->pose_cost;
    if (!(fitting > 0.0)) return 0; // also NaN
    return fitting < (double)most ? (int32_t)fitting : most;
}

// Reads the clock now and then. `part` is how much of the items the frame has already walked over.
static inline void sinewi_crowd_check(sinewi_crowd_clock *clock, double part) {
    const sinew_batch_budget *budget = clock->budget;
    if (!budget->clock || clock->is_over || budget->poses % SINEWI_CROWD_READ_EACH != 0) return;
    double allowed = (double)budget->seconds *
                     (SINEWI_CROWD_STOP_AT_FIRST + (SINEWI_CROWD_STOP_AT_LAST - SINEWI_CROWD_STOP_AT_FIRST) * part);
    double next = SINEWI_CROWD_READ_EACH * (double)budget->pose_cost;
    clock->is_over = !(sinewi_crowd_seconds(clock) + next < allowed);
}

static inline void sinewi_crowd_stop(const sinewi_crowd_clock *clock) {
    sinew_batch_budget *budget = clock->budget;
    budget->used = budget->clock ? (float)sinewi_crowd_seconds(clock) : 0.0f;
    if (!budget->clock || budget->poses < SINEWI_CROWD_MIN_MEASURED_POSES) return;
    float cost = budget->used / (float)budget->poses;
    bool is_first = !(budget->pose_cost > 0.0f);
    budget->pose_cost = is_first ? cost : budget->pose_cost + SINEWI_CROWD_COST_GAIN * (cost - budget->pose_cost);
}

#endif
