// SPDX-License-Identifier: MIT
// The joints of up to 16 spring chains that are solved together, a lane each, and what the kernels compute of them.
//
// A row has one joint of each chain. Its arrays are planes: a number of all lanes, then the next number of all lanes. Constants
// and states have 4, 8 or 16 lanes, of which the last ones may be unused; the others 16.
#ifndef SINEW_KERNELS_SPRING_LANES_H
#define SINEW_KERNELS_SPRING_LANES_H

#include <sinew/math.h>

#define SINEW_SPRING_LANES 16

// The planes of a row's constants. Motions are those of a step, in metres.
enum {
    SINEW_SPRING_PULL = 0,    // the motion by stiffness
    SINEW_SPRING_FALL = 1,    // the motion by gravity, 3
    SINEW_SPRING_DAMPING = 4, // the fraction of the motion relative to the pose that is left
    SINEW_SPRING_DRAG = 5,    // the fraction of the motion relative to the air that is left
    SINEW_SPRING_WIND = 6,    // the motion by a wind of 1 m/s
    SINEW_SPRING_LIMIT = 7,   // the cosine of the angle limit; below -1: no limit
    SINEW_SPRING_RADIUS = 8,  // of the tail, in the joint's local space
    SINEW_SPRING_REST = 9,    // the rotation of the rest pose, 4
    SINEW_SPRING_CONSTANTS = 13
};

// The planes of a row's pose, as in a block of nodes.
enum {
    SINEW_SPRING_POSE_TRANSLATION = 0,
    SINEW_SPRING_POSE_ROTATION = 3,
    SINEW_SPRING_POSE_SCALE = 7,
    SINEW_SPRING_POSE_PLANES = 10
};

typedef struct sinew_spring_pose_row {
    float planes[SINEW_SPRING_POSE_PLANES][SINEW_SPRING_LANES];
} sinew_spring_pose_row;

// The planes of a row's state. The first 12 are of the last step, in the world: the vector from the joint to the tail, the motion of
// the tail in the step, the joint, and the vector in the pose. Vectors and motions keep their digits far from the origin. The next 10
// are the pose of the last frame: the translation, the tail in the joint's space × its scale, and the rotation. The result is the
// joint's rotation in the last frame.
enum {
    SINEW_SPRING_VECTOR = 0,
    SINEW_SPRING_MOTION = 3,
    SINEW_SPRING_HEAD = 6,
    SINEW_SPRING_IN_POSE = 9,
    SINEW_SPRING_TRANSLATION = 12,
    SINEW_SPRING_BONE = 15,
    SINEW_SPRING_ROTATION = 18,
    SINEW_SPRING_RESULT = 22,
    SINEW_SPRING_STATES = 26
};

// A collider in the world. `axis` is that of a capsule, from one end to the other, or the unit normal of a plane.
typedef struct sinew_spring_volume {
    float position[3], axis[3];
    float radius;
} sinew_spring_volume;

// A collider of some lanes, a bit each. Neither a plane nor a capsule: a sphere.
typedef struct sinew_spring_collision {
    int32_t volume;
    uint32_t lanes;
    bool is_plane, is_capsule, is_inside;
} sinew_spring_collision;

typedef struct sinew_spring_job {
    // Of the row.
    const float *constants; // [SINEW_SPRING_CONSTANTS][lane_count]
    const float *pose;      // [SINEW_SPRING_POSE_PLANES][SINEW_SPRING_LANES]
    const float *tails;     // [3][SINEW_SPRING_LANES], in the joints' spaces
    float *state;           // [SINEW_SPRING_STATES][lane_count]
    size_t lane_count;      // a multiple of the kernel's width
    uint32_t lanes;         // bits of the lanes that are solved and have a joint in the row
    uint32_t rest_lanes;    // whose rotations in the pose are those of the rest pose
    const sinew_spring_volume *volumes, *last_volumes; // of the frame and the one before
    const sinew_spring_collision *collisions;
    int32_t collision_count;

    // Of the step.
    float wind[3];
    float alpha;    // the time of the step's pose in the frame, 0 to 1
    float fraction; // of a step
    bool is_vrm;    // the update rule of VRMC_springBone 1.0
    bool has_limits;
    bool has_motion;                     // `motion` is used
    bool starts;                         // the joints start at rest in the pose
    bool stores;                         // the positions are stored
    bool writes;                         // the pose and the result are stored
    float motion[7][SINEW_SPRING_LANES]; // of the centers since the last step: rotation and translation

    // The spaces of the joints' parents in the world: 3x4 matrices, element by element. The kernel replaces them by those of
    // the joints.
    float frames[12][SINEW_SPRING_LANES];

    // Bits of the lanes that moved, and of those whose pose is not finite. The kernel adds to them.
    uint32_t moved, broken;
} sinew_spring_job;

#endif
