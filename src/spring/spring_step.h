// SPDX-License-Identifier: MIT
// A step of a group of chains.
#ifndef SINEW_SPRING_STEP_H
#define SINEW_SPRING_STEP_H

#include "spring/spring_data.h"

// A chain of a group in a frame.
typedef struct spring_lane {
    const spring_chain *chain;
    spring_chain_state *state;
    spring_joint_state *joints; // of the chain
    sinew_affine root;          // the parent's space in the world, in this frame
    spring_rigid center;        // in this frame
    float weight;
    bool runs;           // takes part in the step
    bool is_broken;      // a joint's pose is not finite
    bool is_done;        // was solved in this frame, or sleeps
    spring_rigid motion; // of the center since the last step
    bool has_motion;     // the chain has a center
    bool moves;          // in the step: a joint is not still
} spring_lane;

typedef struct spring_solver {
    const sinew_springs *springs;
    spring_state_parts parts;
    sinew_pose *pose;
    sinew_vec3 wind;
    int lane_count;
    spring_lane lanes[SINEW_SPRING_LANES];
} spring_solver;

// A step, or a part of one.
typedef struct spring_step {
    float alpha;    // the time of its pose in the frame, 0 to 1
    float fraction; // of a step
    bool starts;    // the joints start at rest in the pose
    bool stores;    // it is stored in the state
    bool writes;    // it is written into the pose: the last one of a frame
} spring_step;

// Runs a step of the lanes that run.
void sinew_spring_run_step(spring_solver *solver, const spring_step *step);

sinew_spring_pose sinew_spring_read_joint(const sinew_springs *springs, const spring_joint *joint,
                                          const sinew_pose *pose, bool from_rest);

// ---- Rigid motions -------------------------------------------------------------------------------------------

spring_rigid sinew_spring_rigid_of(const sinew_affine *matrix);

// The motion from one placement to another.
spring_rigid sinew_spring_motion(const spring_rigid *from, const spring_rigid *to);

sinew_vec3 sinew_spring_move(const spring_rigid *motion, sinew_vec3 p);
void sinew_spring_move_tail(const spring_rigid *motion, sinew_spring_tail *tail);

#endif
