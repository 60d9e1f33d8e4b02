// SPDX-License-Identifier: MIT
// Springs on the measured skeleton with 200 joints. Seven locks of hair and eight coat panels have 97 joints that
// rotate. The character moves, with and without colliders.
#ifndef BENCH_SPRINGS_H
#define BENCH_SPRINGS_H

#include "bench/data.h"

#include <sinew/body/spring.h>

enum { BENCH_SWAYING = 4 };

typedef struct bench_springs {
    sinew_springs *springs;
    sinew_spring_state *states[BENCH_SWAYING];
    sinew_pose *poses[BENCH_SWAYING], *pose;
    sinew_affine *models[BENCH_SWAYING];
    int32_t next, frame;
} bench_springs;

// Returns NULL if memory runs out. The world must be a generated one with 200 joints and outlive it.
bench_springs *bench_springs_create(const bench_world *world, bool colliders);
void bench_springs_destroy(bench_springs *b);

// Solves `count` more characters' springs, with a step of 1/60 s each.
void bench_springs_solve(bench_springs *b, int64_t count);

#endif
