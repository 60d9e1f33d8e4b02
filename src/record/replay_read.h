// Reading recordings: bytes of anybody's as calls that may be made.
#ifndef SINEW_REPLAY_READ_H
#define SINEW_REPLAY_READ_H

#include <sinew/recording.h>

#include "record/recording_format.h"
#include "core/fail.h"
#include "core/memory.h"

#ifndef SINEW_NO_RECORDING

typedef struct replay_reader {
    const uint8_t *bytes;
    size_t size, at;
    bool is_cut; // there was less than was to be read; what was read is zeros
} replay_reader;

// What a recording says that is played; one of them.
typedef struct replay_definition {
    const sinew_clip *clip;
    sinew_mask *mask;
    sinew_blend_space *space;
} replay_definition;

typedef struct replay_save {
    int64_t last_use; // the last call that restores it, 0: none
    void *memory;     // while it is kept
} replay_save;

typedef struct replay_object {
    sinew_replay replay;
    sinew_replay_def def;
    sinew_error *error; // while it is made
    bool making;        // what a recording says that is played is made; later it is there
    replay_reader in;
    sinew_arena arena;
    replay_definition *definitions; // [thing_count], in the arena
    int32_t definition_count, definition_capacity;
    replay_save *saves; // [save_count], in the arena
    int32_t save_count, save_capacity;
    int32_t saves_made;     // by the replay
    int32_t snapshot_count; // that are kept
    sinew_pose *pose;       // that was read last; NULL: none is set
} replay_object;

// A call with what it points to.
typedef struct replay_call {
    mixer_call call;
    sinew_transition transition;
    sinew_play_def def;
} replay_call;

// The definition that a recording begins with, which may be none that a mixer can be made from.
sinew_result sinew_read_head(replay_object *object, sinew_mixer_def *def, sinew_root_motion_def *root);

// The next call, or the end. Where the recording is cut off before that, the reader says so.
sinew_result sinew_read_call(replay_object *object, replay_call *out);

#endif
#endif
