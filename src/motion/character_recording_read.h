// SPDX-License-Identifier: MIT
// Reads a character's recording: untrusted bytes.
#ifndef SINEWI_CHARACTER_RECORDING_READ_H
#define SINEWI_CHARACTER_RECORDING_READ_H

#include "motion/animator_state.h"
#include "motion/character_recording_format.h"
#include "base/memory.h"

// A part. The reader is at its content and ends with it.
typedef struct recorded_part {
    int kind; // 0 at the end, or where the recording is cut off
    sinewi_byte_reader in;
} recorded_part;

// What a character had before a change, to describe the change.
typedef struct character_before {
    animator_value *values; // [value_count], in the arena
    uint64_t triggers, mixer_hash;
    character_place place;
    int32_t states[SINEW_MAX_GRAPH_LAYERS];
    sinew_action actions[SINEW_MAX_ACTIONS];
    int32_t action_count;
} character_before;

typedef struct character_replay {
    sinew_character_replay replay;
    sinew_character_replay_def def;
    sinewi_arena arena;
    size_t at;              // of the next part
    sinewi_byte_reader in;  // of the update's calls, up to the hash
    byte_buffer last, now;  // states before and after a change
    sinew_vec3 normal;      // the last answer's
    uint8_t *node_change;   // [node_count], in the arena
    int32_t ground_count;   // answers in this update
    bool unknown;           // a state has a name that isn't known here
    char unknown_name[128]; // its kind and name
    character_before before;
    char text[1024]; // describes the last update
    size_t text_size;
} character_replay;

// Reads the part at `at` and moves behind it. Fails if it's damaged.
sinew_result sinewi_next_part(character_replay *object, recorded_part *part, sinew_error *error);

// Checks all parts behind the head, and counts the updates.
sinew_result sinewi_check_parts(character_replay *object, sinew_error *error);

// Reads an answer of the ground. Returns false if it's damaged.
bool sinewi_read_answer(sinewi_byte_reader *in, sinew_vec3 place, sinew_vec3 *normal, sinew_ground *ground,
                        bool *is_found);

// Reads what a step's callback did, and does it unless `pose` is NULL. Returns false if it's damaged.
bool sinewi_read_edits(sinewi_byte_reader *in, const sinew_skeleton *skeleton, sinew_pose *pose, uint8_t *changed,
                       sinew_affine *model);

// ---- character_recording_describe.c --------------------------------------------------------------------------

void sinewi_describe_start(character_replay *object, float dt);
void sinewi_describe_before(character_replay *object);                    // before a change is applied
void sinewi_describe_change(character_replay *object, bool has_advanced); // and after that
void sinewi_describe_events(character_replay *object);                    // after the clips were advanced
void sinewi_describe_end(character_replay *object);

#endif
