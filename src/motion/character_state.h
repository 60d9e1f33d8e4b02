// SPDX-License-Identifier: MIT
// A character: an animator, the states of the rig's steps in one block, and the world transform.
#ifndef SINEWI_CHARACTER_STATE_H
#define SINEWI_CHARACTER_STATE_H

#include <sinew/motion/character.h>

#include "motion/rig_data.h"

// What a snapshot keeps besides the animator and the block.
typedef struct character_place {
    sinew_transform world;    // now
    sinew_transform platform; // what the character rides on, or the identity
    sinew_transform shown;    // the world transform at the end of the last update
    sinew_vec3 before;        // the position then, relative to the platform
    int32_t is_known;         // whether `before` is known; not at first and after a teleport
    sinew_vec3 wind;          // in world space
    float significance;
    int32_t rides;       // whether there's a platform
    int32_t has_weights; // whether the steps' weights are of an update; at first they have nothing to follow from
} character_place;

// Where a frame is when its recorder is told.
typedef enum character_moment {
    CHARACTER_BEGINS,   // before anything
    CHARACTER_ADVANCED, // the callbacks for events have run
    CHARACTER_OPEN,     // the program may change it before the frame ends
    CHARACTER_CLOSES,   // the program has ended the frame
    CHARACTER_ENDED
} character_moment;

// A recorder's hook. The object behind it belongs to character_recording.c.
typedef struct character_recorder {
    void (*tell)(sinew_character *character, character_moment moment);
    void (*ground)(sinew_character *character, sinew_vec3 place, const sinew_ground *found); // NULL: there's none
    void (*before_step)(sinew_character *character, const sinew_pose *pose, const sinew_affine *model);
    void (*after_step)(sinew_character *character, int32_t step, const sinew_pose *pose, const sinew_affine *model);
    void (*stop)(sinew_character *character); // before the character is destroyed
} character_recorder;

struct sinew_character {
    sinew_character_def def;
    sinew_root_motion_def root_motion; // of the mixer, for root warps
    bool has_root_motion;
    bool has_begun;    // between begin and end
    bool in_step;      // a callback is running
    bool has_set_pose; // the program has set a pose for the update in progress
    float dt;          // of the update in progress
    size_t size;
    sinew_vec3 up; // in model space
    sinew_animator *animator;
    sinew_mixer *mixer;
    const sinew_affine *model; // the mixer's
    character_place place;
    sinew_pose *last_pose;      // of the update before the last one; NULL without def.trails
    sinew_transform last_world; // then
    int32_t ground_count;       // answers for this update
    sinew_ground grounds[SINEW_MAX_GROUND_PLACES];
    character_recorder *recorder; // NULL if not recorded
    char *block;                  // [rig->state_size]: weights, then the steps' states
};

static inline const sinewi_rig_step *character_steps(const sinew_character *character) {
    return character->def.rig->data->steps;
}

static inline int32_t character_step_count(const sinew_character *character) {
    return character->def.rig->binding->graph->step_count;
}

static inline sinewi_rig_weight *character_weights(const sinew_character *character) {
    return (sinewi_rig_weight *)character->block;
}

// A step's state in the block.
static inline void *character_step_state(const sinew_character *character, const sinewi_rig_step *step) {
    return character->block + step->state;
}

// ---- character_ground.c --------------------------------------------------------------------------------------

// Finds the ground at a place in the world by the answers for this update. There must be one.
void sinewi_character_find_answer(const sinew_character *character, sinew_vec3 place, sinew_ground *ground);

// ---- character_write.c ---------------------------------------------------------------------------------------

// These also work in the middle of a frame, before the pose is evaluated. Writing makes one pass and leaves out the
// header. If that's more than `capacity`, the bytes are incomplete.
size_t sinewi_character_write_open(const sinew_character *character, const sinew_state_names *names, uint8_t *bytes,
                                   size_t capacity);
sinew_result sinewi_character_read(sinew_character *character, const sinew_state_names *names, const void *bytes,
                                   size_t size, const sinew_state_report *report, sinew_error *error);

// A hash of what characters must have in common to read each other's state of a step.
uint64_t sinewi_character_step_shape(const sinewi_rig_step *step);

// ---- character.c ---------------------------------------------------------------------------------------------

// A transform relative to the platform.
sinew_transform sinewi_character_on_platform(const sinew_character *character, sinew_transform world);

// ---- character_weight.c --------------------------------------------------------------------------------------

// Moves the weights of a range of steps to what the graph says. Root warps need theirs before the mixer advances, the
// others once the pose is known. On a pose that the program has set, weights fall at once.
void sinewi_character_follow_weights(sinew_character *character, int32_t first, int32_t end, bool on_set_pose);

// ---- character_root.c ----------------------------------------------------------------------------------------

// Takes transitions, advances the mixer, and moves the character by the root's motion and its warps.
void sinewi_character_advance(sinew_character *character, float dt);

// ---- character_step.c ----------------------------------------------------------------------------------------

// What a step sees in a frame.
typedef struct character_frame {
    sinew_character *character;
    float dt;
    sinew_affine world, to_model; // from model to world space, and back
    sinew_affine last_to_model;   // in the last update
    sinew_vec3 velocity;          // of the character, in model space
    sinew_pose *pose;
    sinew_affine *model;
} character_frame;

// Runs a step at a weight above 0.
void sinewi_character_run_step(character_frame *frame, const sinewi_rig_step *step, float weight);

#endif
