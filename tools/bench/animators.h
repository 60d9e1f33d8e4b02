// SPDX-License-Identifier: MIT
// Animators: characters driven by an animation graph, and their mixers alone.
#ifndef BENCH_ANIMATORS_H
#define BENCH_ANIMATORS_H

#include "bench/data.h"

#include <sinew/motion/animator.h>

typedef struct bench_animators {
    sinew_graph *graph; // three states and five transitions
    sinew_graph_binding *binding;
    int32_t count;
    sinew_animator **animators; // [count]; each cross-fades two clips
    int32_t speed;              // a parameter
    int32_t next;
} bench_animators;

// Returns NULL if memory runs out. The world must be a generated one and outlive the animators.
bench_animators *bench_animators_create(const bench_world *world, int32_t count);
void bench_animators_destroy(bench_animators *all);

// Runs `count` more frames, each of the next character: with its graph and a parameter set, or only its mixer. No
// transitions are taken.
void bench_animators_update(bench_animators *all, bool by_graph, int64_t count);

#endif
