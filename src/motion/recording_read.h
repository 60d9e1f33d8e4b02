// SPDX-License-Identifier: MIT
// Reads recordings: turns untrusted bytes into calls that meet the preconditions.
#ifndef SINEWI_REPLAY_READ_H
#define SINEWI_REPLAY_READ_H

#include <sinew/motion/recording.h>

#include "motion/recording_format.h"
#include "base/byte_reader.h"
#include "base/fail.h"
#include "base/memory.h"

// An object that a recording defines: a clip, a mask or a blend space.
typedef struct replay_definition {
    const sinew_clip *clip;
    sinew_clip *made; // the same clip, if the replay owns it
    sinew_mask *mask;
    sinew_blend_space *space;
} replay_definition;

typedef struct replay_save {
    int64_t last_use; // the last call that restores it, or 0
    void *memory;     // until its last use; NULL afterwards
} replay_save;

typedef struct replay_object {
    sinew_replay replay;
    sinew_replay_def def;
    sinew_error *error; // during sinew_replay_create
    bool making;        // during sinew_replay_create, when definitions create their objects
    sinewi_byte_reader in;
    sinewi_arena arena;
    replay_definition *definitions; // [definition_count], in the arena
    int32_t definition_count, definition_capacity;
    int32_t made_clip_count;
    replay_save *saves; // [save_count], in the arena
    int32_t save_count, save_capacity;
    int32_t saves_made;     // by the replay so far
    int32_t snapshot_count; // in memory
    sinew_pose *pose;       // read last; NULL if no call sets a pose
} replay_object;

// A call and the structs that it points to.
typedef struct replay_call {
    mixer_call call;
    sinew_transition transition;
    sinew_play_def def;
} replay_call;

// Reads the definition at the start of a recording. sinew_mixer_create may still reject it.
sinew_result sinewi_read_head(replay_object *object, sinew_mixer_def *def, sinew_root_motion_def *root);

// Reads the next call, or the end. Sets the reader's is_cut if the recording is cut off before that.
sinew_result sinewi_read_call(replay_object *object, replay_call *out);

#endif
