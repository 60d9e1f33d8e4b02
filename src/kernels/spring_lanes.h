// SPDX-License-Identifier: MIT
// The joints of up to 16 spring chains that are solved together, lane by lane, and what the kernels compute of them.
#ifndef SINEW_KERNELS_SPRING_LANES_H
#define SINEW_KERNELS_SPRING_LANES_H

#include <sinew/math.h>

#define SINEW_SPRING_LANES 16

// A joint's local transform in the pose, and `bone`: its tail in its own space, times its scale.
typedef struct sinew_spring_pose {
    sinew_vec3 translation, scale, bone;
    sinew_quat rotation;
    float padding[3];
} sinew_spring_pose;

// The values of a step.
typedef struct sinew_spring_values {
    float pull;     // of the stiffness: acceleration × step², metres
    float fall[3];  // of gravity, likewise
    float damping;  // the fraction of the motion relative to the pose that is left
    float drag;     // the fraction of the motion relative to the air that is left
    float air[3];   // the motion by the wind, metres
    float fraction; // of the step
    float vrm;      // 1: the length is restored along the new bone; else 0
    float starts;   // 1: the joint starts at rest in the pose; else 0
} sinew_spring_values;

// A tail in the world, at the last two steps; the joint and the tail in the pose, at the last step.
typedef struct sinew_spring_tail {
    float tail[3], last_tail[3], head[3], target[3];
} sinew_spring_tail;

// A bone in the world.
typedef struct sinew_spring_bone {
    float vector[3]; // from the joint to the tail
    float length;
    float head[3];
    float padding;
    float in_pose[3]; // the vector in the pose
    float padding_2;
} sinew_spring_bone;

// A row of joints. Frames are the spaces of the joints' parents in the world: 3x4 matrices, element by element.
typedef struct sinew_spring_lanes {
    sinew_spring_pose poses[SINEW_SPRING_LANES];
    sinew_spring_values values[SINEW_SPRING_LANES];
    sinew_spring_tail tails[SINEW_SPRING_LANES];
    sinew_spring_bone bones[SINEW_SPRING_LANES];
    float frames[12][SINEW_SPRING_LANES];
    float rotations[SINEW_SPRING_LANES][4]; // the joints' new local rotations
} sinew_spring_lanes;

#endif
