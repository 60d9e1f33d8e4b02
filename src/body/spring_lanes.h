// SPDX-License-Identifier: MIT
// The joints of up to 16 spring chains that are solved together, a lane each, and what the kernels compute of them.
//
// A row has one joint of each chain. Its arrays are planes: a number of all lanes, then the next number of all lanes. Constants
// and states have 4, 8 or 16 lanes, of which the last ones may be unused; the others 16.
#ifndef SINEWI_SPRING_LANES_H
#define SINEWI_SPRING_LANES_H

#include <sinew/math.h>

#define SINEWI_SPRING_LANES 16

// The planes of a row's constants. Motions are those of a sub-step, in metres; by the rule of VRMC_springBone a step has one.
enum {
    SINEWI_SPRING_PULL = 0, // the motion by stiffness; of a rope that of all points below the joint
    SINEWI_SPRING_FALL = 1, // the motion by gravity, 3
    SINEWI_SPRING_DAMPING =
        4, // the fraction of the motion relative to the pose that is left; of a rope after half a sub-step
    SINEWI_SPRING_DRAG = 5,   // the same of the motion relative to the air
    SINEWI_SPRING_WIND = 6,   // the motion by a wind of 1 m/s
    SINEWI_SPRING_LIMIT = 7,  // the cosine of the angle limit; below -1: no limit
    SINEWI_SPRING_RADIUS = 8, // of the tail, in the joint's local space
    SINEWI_SPRING_REST = 9,   // the rotation of the rest pose, 4
    SINEWI_SPRING_MASS = 13,  // 1; 0: the lane has no joint in the row
    SINEWI_SPRING_CONSTANTS = 14
};

// The planes of a row's pose, as in a block of nodes.
enum {
    SINEWI_SPRING_POSE_TRANSLATION = 0,
    SINEWI_SPRING_POSE_ROTATION = 3,
    SINEWI_SPRING_POSE_SCALE = 7,
    SINEWI_SPRING_POSE_PLANES = 10
};

typedef struct sinewi_spring_pose_row {
    float planes[SINEWI_SPRING_POSE_PLANES][SINEWI_SPRING_LANES];
} sinewi_spring_pose_row;

// The planes of a row's state. The first 13 are of the last step, in the world: the vector from the joint to the tail, the motion of
// the tail in the step, of a rope in a sub-step, the joint, the vector in the pose, and the tension of a rope. Vectors and motions keep
// their digits far from the origin. The next 13 are the pose of the last frame: the translation, the tail in the joint's space × its
// scale, the rotation, and the scale. The result is the joint's rotation in the last frame.
enum {
    SINEWI_SPRING_VECTOR = 0,
    SINEWI_SPRING_MOTION = 3,
    SINEWI_SPRING_HEAD = 6,
    SINEWI_SPRING_IN_POSE = 9,
    SINEWI_SPRING_TENSION = 12,
    SINEWI_SPRING_TRANSLATION = 13,
    SINEWI_SPRING_BONE = 16,
    SINEWI_SPRING_ROTATION = 19,
    SINEWI_SPRING_SCALE = 23,
    SINEWI_SPRING_RESULT = 26,
    SINEWI_SPRING_STATES = 30
};

// The floats of a lane of a row's work: see spring_rope.h.
#define SINEWI_SPRING_WORK 41

// A collider in the world. `axis` is that of a capsule, from one end to the other, or the unit normal of a plane.
typedef struct sinewi_spring_volume {
    float position[3], axis[3];
    float radius;          // in the world
    float unscaled_radius; // that of the definition, which is that in the world by the rule of VRMC_springBone
} sinewi_spring_volume;

// A collider of some lanes, a bit each. Neither a plane nor a capsule: a sphere.
typedef struct sinewi_spring_collision {
    int32_t volume;
    uint32_t lanes;
    bool is_plane, is_capsule, is_inside;
} sinewi_spring_collision;

typedef struct sinewi_spring_job {
    // Of the group.
    const float *all_constants; // of all rows
    float *work;                // [row_count][SINEWI_SPRING_WORK][lane_count]
    int32_t row_count;
    int32_t substeps; // of a step

    // Of the row.
    int32_t row;
    const float *constants; // [SINEWI_SPRING_CONSTANTS][lane_count]
    const float *pose;      // [SINEWI_SPRING_POSE_PLANES][SINEWI_SPRING_LANES]
    const float *tails;     // [3][SINEWI_SPRING_LANES], in the joints' spaces
    float *state;           // [SINEWI_SPRING_STATES][lane_count]
    size_t lane_count;      // a multiple of the kernel's width
    uint32_t lanes;         // bits of the lanes that are solved and have a joint in the row
    uint32_t rest_lanes;    // whose rotations in the pose are those of the rest pose
    const sinewi_spring_volume *volumes, *last_volumes; // of the frame and the one before
    const sinewi_spring_collision *collisions;
    int32_t collision_count;

    // Of the step.
    float wind[3];
    float alpha;    // the time of the step's pose in the frame, 0 to 1
    float fraction; // of a step
    bool is_vrm;    // the update rule of VRMC_springBone 1.0
    bool has_limits;
    bool has_motion;                      // `motion` is used
    bool starts;                          // the joints start at rest in the pose
    bool stores;                          // the positions are stored
    bool writes;                          // the pose and the result are stored
    bool skips;                           // only the vectors in the pose are stored
    float motion[7][SINEWI_SPRING_LANES]; // of the centers since the last step: rotation and translation

    // The spaces of the joints' parents in the world: 3x4 matrices, element by element. The kernel replaces them by those of
    // the joints.
    float frames[12][SINEWI_SPRING_LANES];

    // Of ropes: the motion of the root in the step, and the motions of the tails in the pose. The kernel writes them.
    float root[3][SINEWI_SPRING_LANES], travel[3][SINEWI_SPRING_LANES];

    // Bits of the lanes that moved, and of those whose pose is not finite. The kernel adds to them.
    uint32_t moved, broken;
} sinewi_spring_job;

#endif
