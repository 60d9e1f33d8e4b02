// SPDX-License-Identifier: MIT
// Steps a group of chains.
#ifndef SINEWI_SPRING_STEP_H
#define SINEWI_SPRING_STEP_H

#include "body/spring_data.h"
#include "body/spring_kernels.h"

// One of a group's chains during a frame.
typedef struct spring_lane {
    const spring_chain *chain;
    spring_chain_state *state;
    sinew_affine root;   // the parent's space in the world, in this frame
    spring_rigid center; // in this frame
    float weight;
} spring_lane;

typedef struct spring_tail_row {
    float planes[3][SINEWI_SPRING_LANES];
} spring_tail_row;

// A group during a frame. Sets of lanes are bits.
typedef struct spring_solver {
    const sinew_springs *springs;
    const spring_group *group;
    const sinewi_spring_kernels *kernels; // the widest ones that the group's lanes fill
    spring_state_parts parts;
    sinew_pose *pose;
    sinew_vec3 wind;
    spring_lane lanes[SINEWI_SPRING_LANES];
    uint32_t solved;  // lanes with a weight above 0
    uint32_t running; // lanes that take part in the next step
    sinewi_spring_job job;
    sinewi_spring_pose_row poses[8]; // row i is in poses[i % 8]
    spring_tail_row tails[8];        // row i is in tails[i % 8], if some tails aren't the next nodes
} spring_solver;

// A step, or part of one.
typedef struct spring_step {
    float alpha;    // time of its pose in the frame, 0 to 1
    float fraction; // of a step
    bool starts;    // joints start at rest in the pose
    bool stores;    // stored in the state
    bool writes;    // pose and result are stored in the state, for a frame's last step
    bool skips;     // nothing swings; ropes treat the pose at this time as the last step's pose
} spring_step;

// Steps the running lanes.
void sinewi_spring_run_step(spring_solver *solver, const spring_step *step);

// Returns which of `lanes` have a pose that differs from the last frame.
uint32_t sinewi_spring_changed_lanes(spring_solver *solver, uint32_t lanes);

// Blends the lanes' results into the pose.
void sinewi_spring_write_results(spring_solver *solver, uint32_t lanes);

// Moves the bones of a lane's chain.
void sinewi_spring_move_bones(spring_solver *solver, int32_t lane, const spring_rigid *motion);

// The parent's space in the world at a time in the frame, 0 to 1.
sinew_affine sinewi_spring_root_at(const spring_lane *lane, float alpha);

// The center at a time in the frame, 0 to 1.
spring_rigid sinewi_spring_center_at(const spring_lane *lane, float alpha);

// ---- Rigid motions -------------------------------------------------------------------------------------------

spring_rigid sinewi_spring_rigid_of(const sinew_affine *matrix);

// The motion from one placement to another.
spring_rigid sinewi_spring_motion(const spring_rigid *from, const spring_rigid *to);

sinew_vec3 sinewi_spring_move(const spring_rigid *motion, sinew_vec3 p);

#endif
