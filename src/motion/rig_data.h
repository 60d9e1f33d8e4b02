// SPDX-License-Identifier: MIT
// A rig's steps with their names looked up, and the memory that a character needs for each of them.
#ifndef SINEWI_RIG_DATA_H
#define SINEWI_RIG_DATA_H

#include <sinew/motion/rig.h>

#include "motion/graph_binding.h"

// A goal of a step. The parameter is in the graph's step.
typedef struct sinewi_rig_place {
    const sinew_rig_goal *goal;
    int32_t node; // to follow, or SINEW_NO_NODE
    sinew_vec3 offset;
    sinew_quat rotation;
} sinewi_rig_place;

// The effectors of a whole body, with their goals.
typedef struct sinewi_rig_effectors {
    sinew_ik_effector effectors[SINEW_MAX_EFFECTORS];
    sinewi_rig_place places[SINEW_MAX_EFFECTORS];
} sinewi_rig_effectors;

// A step as a frame needs it. What changes in each frame is set in a copy.
typedef struct sinewi_rig_step {
    const sinew_rig_step *step; // in the graph
    sinewi_rig_place goal, pole;
    uint32_t state; // where its state starts, in the character's block
    union {
        sinew_root_warp_def root_warp;
        sinew_aim_offset *aim_offset; // owned
        sinew_orientation_warp orientation_warp;
        sinew_stride_warp stride_warp;
        sinew_foot_lock foot_lock;
        sinew_foot_placement foot_placement;
        sinew_ik_two_bone limb;
        sinew_ik_chain chain;
        struct {
            sinew_ik_body body;
            const sinewi_rig_effectors *effectors;
        };
        sinew_ik_aim aim;
        sinew_springs *springs; // owned; NULL if nothing swings
    };
} sinewi_rig_step;

typedef struct sinew_rig_data {
    sinew_allocator allocator;
    sinew_graph_binding *binding; // owned; NULL if the program owns it
    size_t size;                  // bytes of the rig's own block
    sinewi_rig_step *steps;       // [step_count]
    int32_t step_count;           // how many have been made
    int32_t root_warp_count;      // they come first
    sinew_foot *feet;             // [foot_count]
    sinew_foot_contacts *contacts;
} sinew_rig_data;

// ---- rig_state.c: the states of a character's steps -----------------------------------------------------------

// A step's weight, smoothed.
typedef struct sinewi_rig_weight {
    float value, velocity;
} sinewi_rig_weight;

// A root warp in progress.
typedef struct sinewi_rig_warp_state {
    sinew_root_warp warp;
    sinew_root_warp_transform goal; // in the last step
    float time;                     // in the clip, at the end of the last step
    int32_t runs;                   // whether the warp ran in the last step
} sinewi_rig_warp_state;

// What the words and bytes of a state mean. `repeat` of them follow each other at a distance of `stride` bytes.
typedef enum sinewi_rig_field_kind {
    SINEWI_RIG_FLOATS,
    SINEWI_RIG_INTEGERS,
    SINEWI_RIG_BOOLS
} sinewi_rig_field_kind;

typedef struct sinewi_rig_field {
    sinewi_rig_field_kind kind;
    size_t offset, count, repeat, stride;
} sinewi_rig_field;

#define SINEWI_RIG_MAX_FIELDS 16

// Writes the fields of a step's state and returns how many there are. 0 if the step has no state.
int32_t sinewi_rig_state_fields(const sinewi_rig_step *step, sinewi_rig_field fields[SINEWI_RIG_MAX_FIELDS]);

// The bytes of a step's state. 0 if it has none.
size_t sinewi_rig_state_size(const sinewi_rig_step *step);

// Sets a state to what it is before the first frame.
void sinewi_rig_reset_state(const sinewi_rig_step *step, void *state);

// Mixes all fields of a state into a hash. Padding doesn't count.
void sinewi_rig_hash_state(const sinewi_rig_step *step, const void *state, uint64_t *hash);

#endif
