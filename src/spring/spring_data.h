// SPDX-License-Identifier: MIT
// The compiled definition of springs, and the state of a character.
#ifndef SINEW_SPRING_DATA_H
#define SINEW_SPRING_DATA_H

#include <sinew/spring.h>

#include "kernels/spring_lanes.h"

// A joint that rotates. Its values are those of one step.
typedef struct spring_joint {
    int32_t node;
    int32_t first_link, link_count; // nodes below it, down to and including that of the tail; none: a virtual tail
    sinew_vec3 tail;                // of a virtual tail, in the node's local space
    sinew_spring_values values;     // without air, fraction and starts, which are of a frame or step
    float wind;                     // the motion per step for a wind of 1 m/s, metres
    float limit_cosine;             // below -1: no limit
    float radius;
} spring_joint;

typedef struct spring_chain {
    int32_t source; // its index in the definition
    int32_t parent; // of the first joint, or SINEW_NO_NODE
    int32_t center; // or SINEW_NO_NODE
    int32_t first_joint, joint_count;
    int32_t first_collider, collider_count; // in collider_indices
    float weight;
    bool from_rest, vrm;
    bool has_limits;
    bool
        starts_group; // the chains before it may move it, or are SINEW_SPRING_LANES: it is not solved together with them
} spring_chain;

struct sinew_springs {
    const sinew_skeleton *skeleton;
    const spring_chain *chains; // [chain_count], by the first joint's node: a chain comes after those that move it
    spring_joint *joints;       // [joint_count]
    const int32_t *links;       // nodes
    const int32_t *collider_indices;
    const sinew_spring_collider *colliders; // [collider_count]
    int32_t chain_count, joint_count, collider_count;
    bool updates_whole_model; // instead of each chain's subtree: faster, and no chain moves another one
    float step;
    int32_t max_steps;
    float teleport_distance;
    sinew_allocator allocator;
    size_t size;
};

// A rotation and a translation: p → rotation × p + translation.
typedef struct spring_rigid {
    sinew_quat rotation;
    sinew_vec3 translation;
} spring_rigid;

// A collider in the world. `axis` is that of a capsule, from one end to the other, or the unit normal of a plane.
typedef struct spring_volume {
    sinew_vec3 position, axis;
    float radius;
} spring_volume;

typedef struct spring_joint_state {
    sinew_spring_tail tail;       // at the last steps
    sinew_vec3 translation, bone; // of the last frame's pose: local; the tail in the node's space × its scale
    sinew_quat rotation;          // of the last frame's pose: local
    sinew_quat result;            // the rotation of the last frame: local
} spring_joint_state;

typedef struct spring_chain_state {
    int32_t started;          // 0: starts at rest in the next frame
    int32_t still_steps;      // in which nothing moved
    sinew_affine root;        // the parent's space in the world, in the last frame
    spring_rigid center;      // in the last frame
    spring_rigid step_center; // at the last step
} spring_chain_state;

// Followed by the chains, the joints, and the colliders of the last frame and of this one.
struct sinew_spring_state {
    uint32_t cookie;
    float remainder; // the time since the last step, seconds
    sinew_vec3 wind; // of the last frame
};

typedef struct spring_state_parts {
    spring_chain_state *chains;
    spring_joint_state *joints;
    spring_volume *last_volumes, *volumes;
} spring_state_parts;

// The order of the parts of a state. All of them consist of words of 4 bytes.
spring_state_parts sinew_spring_state_parts(const sinew_springs *springs, sinew_spring_state *state);

// ---- spring_collide.c ----------------------------------------------------------------------------------------

// A bone: its head, the vector to its tail, and its length. `radius` is that of the tail.
typedef struct spring_bone {
    sinew_vec3 head, vector;
    float length, radius;
} spring_bone;

// Computes the colliders in the world.
void sinew_spring_place_colliders(const sinew_springs *springs, const sinew_affine *world,
                                  const sinew_affine *model, spring_volume *volumes);

// Rotates the bone out of the colliders of its chain, at the fraction `alpha` of the frame.
void sinew_spring_collide(const sinew_springs *springs, const spring_chain *chain, const spring_state_parts *state,
                          float alpha, spring_bone *bone);

// Rotates the bone to the angle from a unit axis whose cosine is given, which is clamped to [-1, 1]. A bone along the axis
// is rotated in an arbitrary direction.
void sinew_spring_set_angle(spring_bone *bone, sinew_vec3 axis, float cosine);

#endif
