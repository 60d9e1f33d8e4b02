// SPDX-License-Identifier: MIT
// Inverse kinematics: limbs, aims and feet of a few characters, with thousands of targets in turn.
#ifndef BENCH_LIMBS_H
#define BENCH_LIMBS_H

#include "bench/data.h"

#include <sinew/ik.h>

enum { BENCH_TARGETS = 4096, BENCH_POSED = 4 };

typedef enum bench_solver { BENCH_TWO_BONE, BENCH_AIM, BENCH_FOOT, BENCH_FOOT_LOCK } bench_solver;

// A character with its own pose, which is restored after each solve.
typedef struct bench_posed {
    sinew_pose *pose, *before;
    sinew_affine *model, *model_before;
    sinew_ik_foot_placement_state state;
    sinew_ik_foot_lock_state locked;
} bench_posed;

typedef struct bench_limbs {
    bench_posed posed[BENCH_POSED];
    sinew_ik_two_bone *legs; // [BENCH_TARGETS]; targets within 0.2 m of the foot, and one in eight out of reach
    sinew_ik_aim *heads;     // [BENCH_TARGETS]; targets in all directions
    sinew_ik_leg feet[2];
    sinew_ik_foot_placement placement; // on a slope
    sinew_ik_foot_lock lock;
    int32_t next;
} bench_limbs;

// NULL if memory runs out. The world is a generated one of 60 joints and must outlive the limbs.
bench_limbs *bench_limbs_create(const bench_world *world);
void bench_limbs_destroy(bench_limbs *limbs);

// Does `count` more solves on current matrices: a limb or an aim alone, feet with the pelvis and all matrices, or two
// planted feet of a character that moves, by up to 0.1 m, with the matrices of the legs.
void bench_limbs_solve(bench_limbs *limbs, bench_solver solver, int64_t count);

#endif
