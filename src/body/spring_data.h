// SPDX-License-Identifier: MIT
// The compiled definition of springs, and the state of a character.
#ifndef SINEWI_SPRING_DATA_H
#define SINEWI_SPRING_DATA_H

#include <sinew/body/spring.h>

#include "body/spring_lanes.h"
#include "core/pose_block.h"

// A joint that rotates.
typedef struct spring_joint {
    int32_t node;
    int32_t first_link, link_count; // nodes below it, down to and including that of the tail; none: a virtual tail
    sinew_vec3 tail;                // of a virtual tail, in the node's local space
    size_t constants;               // its lane in the first plane of its row's constants
    size_t lane_count;              // of its row
} spring_joint;

typedef struct spring_chain {
    int32_t parent; // of the first joint, or SINEW_NO_NODE
    int32_t center; // or SINEW_NO_NODE
    int32_t first_joint, joint_count;
    float weight;
} spring_chain;

// The joints at one position of the chains of a group. Bits are lanes.
typedef struct spring_row {
    uint32_t lanes;     // that have a joint in it
    uint32_t own_tails; // whose tail is not the next node of `nodes`
    uint32_t linked;    // whose next joint is not a child
} spring_row;

// Up to SINEWI_SPRING_LANES chains that are solved together, a lane each. None of them moves another one. Offsets are those of the
// first row.
typedef struct spring_group {
    int32_t first_chain, chain_count;
    int32_t lane_count; // 4, 8 or 16
    int32_t first_row, row_count;
    size_t first_node;     // of [row_count + 1][lane_count] nodes
    size_t first_constant; // of [row_count][SINEWI_SPRING_CONSTANTS][lane_count] floats
    size_t first_state;    // of [row_count][SINEWI_SPRING_STATES][lane_count] floats
    int32_t first_collision, collision_count;
    uint32_t rest_lanes; // of chains that return to the rest pose
    bool is_vrm, has_limits, has_centers;
    bool is_consecutive; // each four nodes of a lane follow each other in the skeleton, and in the planes of a pose
} spring_group;

// The groups that no other group of the level moves, and the nodes that they move, except those that a later level moves, too.
typedef struct spring_level {
    int32_t first_group, group_count;
    int32_t first_range, range_count; // of the nodes
    int32_t first_product, product_count;
} spring_level;

struct sinew_springs {
    const sinew_skeleton *skeleton;
    const spring_level *levels; // [level_count]
    const spring_group *groups;
    const spring_row *rows;
    const spring_chain *chains; // [chain_count], group by group
    const spring_joint *joints; // [joint_count], chain by chain
    const int32_t *links;       // nodes
    const int32_t *nodes;       // of rows: the joints; in the row after a chain's last one, its tail
    float *constants;           // of rows
    const sinewi_spring_collision *collisions;
    const sinewi_range *ranges; // of nodes whose model matrices change
    const sinewi_link
        *products; // of these nodes, by depth, so that a product does not directly follow its parent's
    const sinew_spring_collider *colliders; // [collider_count]
    int32_t level_count, chain_count, joint_count, collider_count;
    size_t state_count; // floats of all rows
    size_t work_count;  // floats of the work of the longest group of ropes
    float step;
    int32_t substeps; // of a step of ropes
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

typedef struct spring_chain_state {
    int32_t started;          // 0: starts at rest in the next frame
    int32_t still_steps;      // in which nothing moved
    sinew_affine root;        // the parent's space in the world, in the last frame
    spring_rigid center;      // in the last frame
    spring_rigid step_center; // at the last step
    sinew_vec3 velocity;      // of the parent relative to the center, in the last frame that was no teleport, m/s
} spring_chain_state;

// Followed by the chains, the rows, the colliders of the last frame and of this one, and the work of a group.
struct sinew_spring_state {
    uint32_t cookie;
    float remainder; // the time since the last step, seconds
    sinew_vec3 wind; // of the last frame
};

typedef struct spring_state_parts {
    spring_chain_state *chains;
    float *rows;
    sinewi_spring_volume *last_volumes, *volumes;
    float *work;
} spring_state_parts;

// The order of the parts of a state. All of them consist of words of 4 bytes.
spring_state_parts sinewi_spring_state_parts(const sinew_springs *springs, sinew_spring_state *state);

// ---- spring_compile.c ----------------------------------------------------------------------------------------

// Compiles a definition that was checked.
sinew_result sinewi_spring_compile(const sinew_springs_def *def, sinew_springs **springs, sinew_error *error);

// The number of joints of a chain that rotate.
int32_t sinewi_spring_moving_joints(const sinew_spring_chain *chain);

// Sets a number of a joint's constants.
void sinewi_spring_set_constant(sinew_springs *springs, const spring_joint *joint, int plane, float value);

// ---- spring_collide.c ----------------------------------------------------------------------------------------

// Computes the colliders in the world.
void sinewi_spring_place_colliders(const sinew_springs *springs, const sinew_affine *world,
                                   const sinew_affine *model, sinewi_spring_volume *volumes);

#endif
