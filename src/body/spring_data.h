// SPDX-License-Identifier: MIT
// The compiled definition of springs, and a character's state.
#ifndef SINEWI_SPRING_DATA_H
#define SINEWI_SPRING_DATA_H

#include <sinew/body/spring.h>

#include "body/spring_lanes.h"
#include "core/pose_block.h"

// A joint that rotates.
typedef struct spring_joint {
    int32_t node;
    int32_t first_link, link_count; // nodes below it, down to the tail's node; none for a virtual tail
    sinew_vec3 tail;                // of a virtual tail, in the node's local space
    size_t constants;               // its lane in the first plane of its row's constants
    size_t lane_count;              // of its row
} spring_joint;

typedef struct spring_chain {
    int32_t parent; // of the first joint; may be SINEW_NO_NODE
    int32_t center; // may be SINEW_NO_NODE
    int32_t first_joint, joint_count;
    float weight;
} spring_chain;

// The joints at one position of a group's chains. Bits are lanes.
typedef struct spring_row {
    uint32_t lanes;     // lanes that have a joint in the row
    uint32_t own_tails; // lanes whose tail isn't the next node of `nodes`
    uint32_t linked;    // lanes whose next joint isn't a child
} spring_row;

// Up to SINEWI_SPRING_LANES chains that are solved together, one per lane. None of them moves another one. Offsets
// belong to the first row.
typedef struct spring_group {
    int32_t first_chain, chain_count;
    int32_t lane_count; // 4, 8 or 16
    int32_t first_row, row_count;
    size_t first_node;     // [row_count + 1][lane_count] nodes
    size_t first_constant; // [row_count][SINEWI_SPRING_CONSTANTS][lane_count] floats
    size_t first_state;    // [row_count][SINEWI_SPRING_STATES][lane_count] floats
    int32_t first_collision, collision_count;
    uint32_t rest_lanes; // lanes whose chains return to the rest pose
    bool is_vrm, has_limits, has_centers;
    bool is_consecutive; // every four nodes of a lane are consecutive in the skeleton and in the pose's planes
} spring_group;

// Groups that don't move each other, and the nodes they move. Nodes that a later level moves again
// belong to that level.
typedef struct spring_level {
    int32_t first_group, group_count;
    int32_t first_range, range_count; // ranges of those nodes
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
    const int32_t *nodes;       // by row: the joints, and one row after a chain's last joint its tail
    float *constants;           // by row
    const sinewi_spring_collision *collisions;
    const sinewi_range *ranges; // nodes whose model matrices change
    const sinewi_link
        *products; // of these nodes, by depth, so a product doesn't directly follow its parent's product
    const sinew_spring_collider *colliders; // [collider_count]
    int32_t level_count, chain_count, joint_count, collider_count;
    size_t state_count; // floats in all rows
    size_t work_count;  // floats that the longest group of ropes needs for its work
    float step;
    int32_t substeps; // per step of ropes
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
    int32_t started;          // 0 means it starts at rest in the next frame
    int32_t still_steps;      // steps without any movement
    sinew_affine root;        // the parent's space in the world, in the last frame
    spring_rigid center;      // in the last frame
    spring_rigid step_center; // at the last step
    sinew_vec3 velocity;      // of the parent relative to the center, in the last frame that wasn't a teleport, m/s
} spring_chain_state;

// The chains follow in memory, then the rows, the colliders of the last and of this frame, and one group's work.
struct sinew_spring_state {
    uint32_t cookie;
    float remainder; // seconds since the last step
    sinew_vec3 wind; // of the last frame
};

typedef struct spring_state_parts {
    spring_chain_state *chains;
    float *rows;
    sinewi_spring_volume *last_volumes, *volumes;
    float *work;
} spring_state_parts;

// Returns where a state's parts are. All of them consist of 4-byte words.
spring_state_parts sinewi_spring_state_parts(const sinew_springs *springs, sinew_spring_state *state);

// ---- spring_compile.c ----------------------------------------------------------------------------------------

// Compiles a definition that has been checked.
// How many bytes of a state last from one frame to the next. The rest is work of a frame.
size_t sinewi_spring_kept_size(const sinew_springs *springs);

// A hash of the names of all nodes that swing, chain by chain. States only fit springs with the same one.
uint64_t sinewi_spring_fingerprint(const sinew_springs *springs);

// Whether bytes from elsewhere are a state of these springs that is safe to use.
bool sinewi_spring_is_state(const sinew_springs *springs, sinew_spring_state *state);

sinew_result sinewi_spring_compile(const sinew_springs_def *def, sinew_springs **springs, sinew_error *error);

// Returns how many of a chain's joints rotate.
int32_t sinewi_spring_moving_joints(const sinew_spring_chain *chain);

// Sets one of a joint's constants.
void sinewi_spring_set_constant(sinew_springs *springs, const spring_joint *joint, int plane, float value);

// ---- spring_collide.c ----------------------------------------------------------------------------------------

// Computes the colliders in the world.
void sinewi_spring_place_colliders(const sinew_springs *springs, const sinew_affine *world,
                                   const sinew_affine *model, sinewi_spring_volume *volumes);

#endif
