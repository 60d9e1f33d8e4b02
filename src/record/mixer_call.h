// The calls that change a mixer, as data: what is written when a mixer is recorded, and made again in a replay.
#ifndef SINEW_MIXER_CALL_H
#define SINEW_MIXER_CALL_H

#include "mixer/mixer_state.h"

// The numbers are those in a recording: what is new comes at the end, with another SINEW_RECORDING_VERSION.
typedef enum mixer_call_kind {
    CALL_END,  // of the recording
    CALL_CLIP, // the first three say what the calls behind them play
    CALL_MASK,
    CALL_SPACE,
    CALL_PLAY,
    CALL_TRANSITION_TO,
    CALL_PLAY_SPACE,
    CALL_STOP_ALL,
    CALL_STOP,
    CALL_PAUSE,
    CALL_RESUME,
    CALL_RESET,
    CALL_FADE_TO,
    CALL_FADE_IN,
    CALL_FADE_OUT,
    CALL_SET_TIME,
    CALL_SET_SPEED,
    CALL_SET_LOOP,
    CALL_SET_PARAMETER,
    CALL_THEN_PLAY,
    CALL_THEN_RETURN,
    CALL_LAYER_FADE_TO,
    CALL_LAYER_SET_MASK,
    CALL_LAYER_SET_MODE,
    CALL_SAVE,
    CALL_RESTORE,
    CALL_ADVANCE,
    CALL_EVALUATE,
    CALL_TO_MODEL,
    CALL_SHOW, // the part of sinew_mixer_update that is not sinew_mixer_advance
    CALL_THEN_PLAY_SPACE,
    CALL_THEN_FADE_OUT,
    CALL_SET_POSE,
    CALL_KINDS
} mixer_call_kind;

// A call with what it was given; what it does not take is zero.
typedef struct mixer_call {
    mixer_call_kind kind;
    sinew_action action;
    int32_t layer;
    const sinew_clip *clip;
    const sinew_blend_space *space;
    const sinew_mask *mask;
    const sinew_pose *pose;
    const sinew_transition *how;
    const sinew_play_def *def;
    float x, y;     // its floats, in the order in which it takes them
    int32_t choice; // of an enum
    int32_t number; // of loops, or of a snapshot
    uint64_t hash;  // of the mixer before the call
} mixer_call;

// How a call is written: its name, and its fields in their order, a letter each:
//
//     a  action without its tag, u64          x y  float of no more than SINEW_RECORDED_MOST, or NaN
//     l  layer above the base, u8             X Y  float that must be finite, and no further from 0 than that
//     c  clip, its number or 0, u16           d    x as seconds, 0 or more, and no more than that
//     C  the same, but there must be one      o    choice: sinew_loop, u8
//     s  blend space, as C                    m    choice: sinew_layer_mode, u8
//     k  mask, as c                           u    choice: sinew_curve, u8
//     z  x as a time of a clip, any float
//     P  pose: of each node translation, rotation and scale, then the morph weights; floats as X
//     t  u8: 0, or 1 and a transition         n    number, i32
//     T  the same, but there must be one      r    number: of a snapshot that was saved before, i32
//     p  u8: 0, or 1 and a sinew_play_def     h    hash, u64
typedef struct mixer_call_shape {
    const char *name;
    const char *fields;
} mixer_call_shape;

extern const mixer_call_shape sinew_call_shapes[CALL_KINDS];

// A recording begins with this, its version, and what the mixer was made from. All numbers are little-endian.
#define SINEW_RECORDING_MAGIC   "SnwR"
#define SINEW_RECORDING_VERSION 2

// Numbers beyond are refused: nobody means them, and what is made of them may not be finite.
#define SINEW_RECORDED_MOST 1e9f

// Which of a definition's yes and no are set.
enum {
    RECORDED_INERTIALIZATION = 1,
    RECORDED_UNDERWEIGHT_REST = 2,
    RECORDED_ROOT_MOTION = 4,
};
enum { RECORDED_X = 1, RECORDED_Y = 2, RECORDED_Z = 4, RECORDED_YAW = 8, RECORDED_CLOSE = 16, RECORDED_UP_Z = 32 };

// ---- Recording -----------------------------------------------------------------------------------------------

// Writes a call that is about to be made; the mixer is recorded.
void sinew_note(const sinew_mixer *mixer, mixer_call call);

// The same for those of snapshots: stamps what is saved, and says which one is restored.
void sinew_note_save(const sinew_mixer *mixer);
void sinew_note_restore(const sinew_mixer *mixer, const mixer_stamp *stamp);

// ---- Knowing again -------------------------------------------------------------------------------------------

// One number for what something is, the same on every machine.
uint64_t sinew_skeleton_fingerprint(const sinew_skeleton *skeleton);
uint64_t sinew_clip_fingerprint(const sinew_clip *clip);

#endif
