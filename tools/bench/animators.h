// SPDX-License-Identifier: MIT
// Animators: characters that an animation graph drives, and their mixers alone.
#ifndef BENCH_ANIMATORS_H
#define BENCH_ANIMATORS_H

#include "bench/data.h"

#include <sinew/motion/animator.h>

typedef struct bench_animators {
    sinew_graph *graph; // three states and five transitions
    sinew_graph_binding *binding;
    int32_t count;
    sinew_animator **animators; // [count], each in a cross-fade of two clips
    int32_t speed;              // a parameter
    int32_t next;
} bench_animators;

// NULL if memory runs out. The world is a generated one and must outlive the animators.
bench_animators *bench_animators_create(const bench_world *world, int32_t count);
void bench_animators_destroy(bench_animators *all);

// Does `count` more frames, each of the next character: with its graph, whose parameter is set, or of its mixer alone.
// No transition is taken.
void bench_animators_update(bench_animators *all, bool by_graph, int64_t count);

#endif
