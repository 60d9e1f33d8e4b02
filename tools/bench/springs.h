// SPDX-License-Identifier: MIT
// Springs of the measured skeleton of 200 joints: seven locks of hair and eight panels of a coat, 97 joints that rotate, of a
// character that moves, with and without colliders.
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

// NULL if memory runs out. The world is a generated one of 200 joints and must outlive it.
bench_springs *bench_springs_create(const bench_world *world, bool colliders);
void bench_springs_destroy(bench_springs *b);

// Solves the springs of `count` more characters, each a step of 1/60 s.
void bench_springs_solve(bench_springs *b, int64_t count);

#endif
