// SPDX-License-Identifier: MIT
// The joints of up to 16 spring chains that are solved together, one per lane, and what the kernels compute from them.
//
// A row has one joint of each chain. Its arrays are planes: one number for all lanes, then the next number for all
// lanes. Constants and states have 4, 8 or 16 lanes, and the last ones may be unused. The other arrays have 16.
#ifndef SINEWI_SPRING_LANES_H
#define SINEWI_SPRING_LANES_H

#include <sinew/math.h>

#define SINEWI_SPRING_LANES 16

// The planes of a row's constants. Motions are per substep, in meters. VRMC_springBone has one substep per step.
enum {
    SINEWI_SPRING_PULL = 0, // motion by stiffness; for a rope, the motion of all points below the joint
    SINEWI_SPRING_FALL = 1, // motion by gravity, 3 planes
    SINEWI_SPRING_DAMPING =
        4, // part of the motion relative to the pose that is left; for a rope, after half a substep
    SINEWI_SPRING_DRAG = 5,   // the same for motion relative to the air
    SINEWI_SPRING_WIND = 6,   // motion by a wind of 1 m/s
    SINEWI_SPRING_LIMIT = 7,  // cosine of the angle limit; below -1 means no limit
    SINEWI_SPRING_RADIUS = 8, // of the tail, in the joint's local space
    SINEWI_SPRING_REST = 9,   // rotation in the rest pose, 4 planes
    SINEWI_SPRING_MASS = 13,  // 1, or 0 if the lane has no joint in the row
    SINEWI_SPRING_CONSTANTS = 14
};

// The planes of a row's pose, like in a block of nodes.
enum {
    SINEWI_SPRING_POSE_TRANSLATION = 0,
    SINEWI_SPRING_POSE_ROTATION = 3,
    SINEWI_SPRING_POSE_SCALE = 7,
    SINEWI_SPRING_POSE_PLANES = 10
};

typedef struct sinewi_spring_pose_row {
    float planes[SINEWI_SPRING_POSE_PLANES][SINEWI_SPRING_LANES];
} sinewi_spring_pose_row;

// The planes of a row's state. The first 13 describe the last step in the world: the vector from the joint to the tail,
// the tail's motion during the step (for a rope, during a substep), the joint, the vector in the pose, and a rope's
// tension. Vectors and motions stay precise far from the origin. The next 13 are the last frame's pose: the
// translation, the tail in the joint's space × its scale, the rotation, and the scale. The result is the joint's
// rotation in the last frame.
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

// Floats per lane in a row's work. See spring_rope.h.
#define SINEWI_SPRING_WORK 41

// A collider in the world. `axis` runs from one end of a capsule to the other, or is the unit normal of a plane.
typedef struct sinewi_spring_volume {
    float position[3], axis[3];
    float radius;          // in the world
    float unscaled_radius; // from the definition; VRMC_springBone uses it as the radius in the world
} sinewi_spring_volume;

// A collider and the lanes that it applies to, as bits. If it's neither a plane nor a capsule, it's a sphere.
typedef struct sinewi_spring_collision {
    int32_t volume;
    uint32_t lanes;
    bool is_plane, is_capsule, is_inside;
} sinewi_spring_collision;

typedef struct sinewi_spring_job {
    // Per group.
    const float *all_constants; // for all rows
    float *work;                // [row_count][SINEWI_SPRING_WORK][lane_count]
    int32_t row_count;
    int32_t substeps; // per step

    // Per row.
    int32_t row;
    const float *constants;                             // [SINEWI_SPRING_CONSTANTS][lane_count]
    const float *pose;                                  // [SINEWI_SPRING_POSE_PLANES][SINEWI_SPRING_LANES]
    const float *tails;                                 // [3][SINEWI_SPRING_LANES], in the joints' spaces
    float *state;                                       // [SINEWI_SPRING_STATES][lane_count]
    size_t lane_count;                                  // a multiple of the kernel's width
    uint32_t lanes;                                     // solved lanes that have a joint in the row, as bits
    uint32_t rest_lanes;                                // lanes whose pose rotations are the rest pose's
    const sinewi_spring_volume *volumes, *last_volumes; // in this frame and in the last one
    const sinewi_spring_collision *collisions;
    int32_t collision_count;

    // Per step.
    float wind[3];
    float alpha;    // time of the step's pose in the frame, 0 to 1
    float fraction; // of a step
    bool is_vrm;    // the update rule of VRMC_springBone 1.0
    bool has_limits;
    bool has_motion;                      // `motion` is used
    bool starts;                          // joints start at rest in the pose
    bool stores;                          // store the positions
    bool writes;                          // store the pose and the result
    bool skips;                           // store only the vectors in the pose
    float motion[7][SINEWI_SPRING_LANES]; // of the centers since the last step: rotation and translation

    // Spaces of the joints' parents in the world: 3x4 matrices, element by element. The kernel replaces them with
    // the joints' spaces.
    float frames[12][SINEWI_SPRING_LANES];

    // For ropes: the root's motion during the step, and the tails' motion in the pose. The kernel writes them.
    float root[3][SINEWI_SPRING_LANES], travel[3][SINEWI_SPRING_LANES];

    // Lanes that moved, and lanes whose pose isn't finite, as bits. The kernel adds to them.
    uint32_t moved, broken;
} sinewi_spring_job;

#endif
