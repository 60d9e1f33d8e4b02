// SPDX-License-Identifier: MIT
// A crowd within a budget: the frames that keep it, and the errors of palettes that are not of the current frame.
#ifndef BENCH_BUDGET_H
#define BENCH_BUDGET_H

#include "bench/crowd.h"

enum { BENCH_BUDGET_CHARACTERS = 10000, BENCH_BUDGET_FRAMES = 10000, BENCH_BUDGET_BANDS = 6 };

// The characters between two distances from the camera.
typedef struct bench_budget_band {
    float nearest, farthest; // metres
    double interval;         // frames from one pose to the next, the mean
    double mean;             // metres: the mean distance of a joint from its position in the pose of that frame
    float error;             // metres: the largest distance of a joint from its position in the pose of that frame
    float pixels; // the largest such distance in a picture 1,080 pixels high, with a field of view of 60 degrees
} bench_budget_band;

typedef struct bench_budget {
    double seconds;     // the budget of a frame
    int32_t characters; // of the crowd
    int32_t frames;     // 0: not measured
    int32_t kept;       // frames that took no longer than the budget
    // The time of a frame, in seconds of the thread's CPU time, which other programs on the same core do not change:
    // the least, the median, that of 99 % of the frames, and the most.
    double least, median, percentile_99, most;
    double poses; // in a frame, the mean
    bench_budget_band bands[BENCH_BUDGET_BANDS];
} bench_budget;

// Measures `frames` frames of the world's characters on a square of 150 m, with the camera at its edge. Palettes are
// compared in every tenth frame. False if memory runs out.
bool bench_budget_measure(const bench_world *world, double seconds, int32_t frames, bench_budget *budget);

#endif
