// SPDX-License-Identifier: MIT
// A crowd within a budget: which frames keep it, and how far off palettes from earlier frames are.
#ifndef BENCH_BUDGET_H
#define BENCH_BUDGET_H

#include "bench/crowd.h"

enum { BENCH_BUDGET_CHARACTERS = 10000, BENCH_BUDGET_FRAMES = 10000, BENCH_BUDGET_BANDS = 6 };

// The characters between two distances from the camera.
typedef struct bench_budget_band {
    float nearest, farthest; // meters
    double interval;         // mean number of frames between poses
    double mean;             // mean distance of a joint from where it would be in this frame's pose, in meters
    float error;             // largest such distance, in meters
    float pixels;            // largest such distance in a picture 1080 pixels high with a 60 degree field of view
} bench_budget_band;

typedef struct bench_budget {
    double seconds;     // budget per frame
    int32_t characters; // in the crowd
    int32_t frames;     // 0 if not measured
    int32_t kept;       // frames that didn't exceed the budget
    // Time per frame in seconds of the thread's CPU time, which doesn't include other programs on the same core:
    // minimum, median, 99th percentile and maximum.
    double least, median, percentile_99, most;
    double poses; // mean per frame
    bench_budget_band bands[BENCH_BUDGET_BANDS];
} bench_budget;

// Measures `frames` frames of the world's characters on a 150 m square, with the camera at its edge. Compares palettes
// in every tenth frame. Returns false if memory runs out.
bool bench_budget_measure(const bench_world *world, double seconds, int32_t frames, bench_budget *budget);

#endif
