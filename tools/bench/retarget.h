// SPDX-License-Identifier: MIT
// Retargets the measured skeleton to one with other proportions, a few poses in turn.
#ifndef BENCH_RETARGET_H
#define BENCH_RETARGET_H

#include "bench/data.h"

#include <sinew/humanoid/retarget.h>

enum { BENCH_RETARGETED = 4 };

typedef struct bench_retarget {
    sinew_skeleton *skeleton; // the target's
    sinew_retarget *map;
    sinew_pose *sources[BENCH_RETARGETED];
    sinew_affine *source_models[BENCH_RETARGETED];
    sinew_pose *target;
    sinew_affine *model;
    int32_t next;
} bench_retarget;

// Returns NULL if memory runs out. The world must be a generated one with 60 joints and outlive it.
bench_retarget *bench_retarget_create(const bench_world *world);
void bench_retarget_destroy(bench_retarget *r);

// Retargets `count` more poses. With `limbs`, also computes the model matrices and moves the feet.
void bench_retarget_poses(bench_retarget *r, bool limbs, int64_t count);

#endif
