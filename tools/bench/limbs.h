// SPDX-License-Identifier: MIT
// Inverse kinematics: limbs, aims and feet of a few characters, with thousands of targets in turn.
#ifndef BENCH_LIMBS_H
#define BENCH_LIMBS_H

#include "bench/data.h"

#include <sinew/body/aim_offset.h>
#include <sinew/body/foot_lock.h>
#include <sinew/body/foot_placement.h>
#include <sinew/body/pose_warp.h>
#include <sinew/body/root_warp.h>

enum { BENCH_TARGETS = 4096, BENCH_POSED = 4, BENCH_JOINTS = 6, BENCH_EFFECTORS = 6 };

typedef enum bench_solver {
    BENCH_TWO_BONE,
    BENCH_AIM,
    BENCH_FOOT,
    BENCH_FOOT_LOCK,
    BENCH_ORIENTATION_WARP,
    BENCH_STRIDE_WARP,
    BENCH_AIM_OFFSET,
    BENCH_ROOT_WARP,
    BENCH_CHAIN,
    BENCH_BODY
} bench_solver;

// A character with its own pose, which is restored after each solve.
typedef struct bench_posed {
    sinew_pose *pose, *before;
    sinew_affine *model, *model_before;
    sinew_foot_placement_state state;
    sinew_foot_lock_state locked;
    sinew_stride_warp_state stride;
} bench_posed;

typedef struct bench_limbs {
    bench_posed posed[BENCH_POSED];
    sinew_ik_two_bone *legs; // [BENCH_TARGETS]; within 0.2 m of the foot, and one in eight out of reach
    sinew_ik_aim *heads;     // [BENCH_TARGETS]; in all directions
    sinew_foot feet[2];
    sinew_foot_placement placement; // on a slope
    sinew_foot_lock lock;
    sinew_orientation_warp orientation;
    sinew_stride_warp stride;
    sinew_aim_offset *aim_offset; // a grid of 3 × 3 whole-body poses
    sinew_root_motion_def root_motion;
    sinew_root_warp_def warp_def;
    sinew_root_warp warp;
    sinew_ik_chain chain; // from the spine to a hand: 6 joints with limits
    sinew_ik_limit limits[BENCH_JOINTS];
    sinew_ik_body body; // moves hands, head and hips and pins the feet; knees and elbows are hinges
    sinew_ik_effector effectors[BENCH_EFFECTORS];
    sinew_ik_limit hinges[4];
    sinew_vec3 *steps; // [BENCH_TARGETS]; up to 0.2 m, how far a hand moves
    int32_t next;
} bench_limbs;

// Returns NULL if memory runs out. The world must be a generated one with 60 joints and outlive the limbs.
bench_limbs *bench_limbs_create(const bench_world *world);
void bench_limbs_destroy(bench_limbs *limbs);

// Runs `count` more solves on current matrices. A limb, aim or chain is solved alone. Feet include the pelvis and all
// matrices. A foot lock is two planted feet of a character that moves by up to 0.1 m, with the legs' matrices. A whole
// body includes all matrices. Pose warps and aim offsets include all matrices that change. A root warp has none, and is
// a step of 1/60 s.
void bench_limbs_solve(bench_limbs *limbs, bench_solver solver, int64_t count);

#endif
