// SPDX-License-Identifier: MIT
// The recording format: the head, how each field of a call is written, read and described, and fingerprints.
#ifndef SINEWI_RECORDING_FORMAT_H
#define SINEWI_RECORDING_FORMAT_H

#include "base/byte_reader.h"
#include "core/mixer_call.h"

// A recording starts with this, its version, and the mixer's definition. All numbers are little-endian.
#define SINEWI_RECORDING_MAGIC   "SnwR"
#define SINEWI_RECORDING_VERSION 7

// The largest number in a recording. Larger ones are rejected, because results might not be finite.
#define SINEWI_MAX_RECORDED 1e9f

// ---- A mixer's definition ------------------------------------------------------------------------------------

// The bytes of a mixer's definition, without its names and smoothing. Its root motion has bytes of its own.
enum { SINEWI_RECORDED_MIXER = 11, SINEWI_RECORDED_ROOT_MOTION = 5 };

void sinewi_record_mixer(const sinew_mixer_def *def, bool has_root_motion, uint8_t bytes[SINEWI_RECORDED_MIXER]);
void sinewi_record_root_motion(const sinew_root_motion_def *root, uint8_t bytes[SINEWI_RECORDED_ROOT_MOTION]);

// Reads both back. Returns whether the mixer has root motion. Doesn't check numbers.
bool sinewi_read_recorded_mixer(sinewi_byte_reader *in, sinew_mixer_def *def);
void sinewi_read_recorded_root_motion(sinewi_byte_reader *in, const sinew_skeleton *skeleton,
                                      sinew_root_motion_def *root);

// ---- Calls ---------------------------------------------------------------------------------------------------

// A row of SINEWI_MIXER_CALLS: a call's name, and a letter for each of its fields, in order.
typedef struct mixer_call_shape {
    const char *name;
    const char *fields;
} mixer_call_shape;

extern const mixer_call_shape sinewi_call_shapes[CALL_KINDS];

// Every field: X(letter, how recording.c writes it, how recording_read.c reads and checks it, how
// recording_replay.c describes it).
//
//     a    action without its tag, u64               x y  float up to SINEWI_MAX_RECORDED; negative and NaN: 0
//     l    layer above the base, u8                  X Y  float, finite, up to ±SINEWI_MAX_RECORDED
//     c C  number of a clip, u16; c: 0 for none      d    x as seconds: as X, at least 0
//     s    number of a blend space, u16              z    x as a time of a clip: any float
//     k    number of a mask, 0 for none, u16         o    choice: sinew_loop, u8
//     t T  u8: 0, or 1 and a transition; T: 1 only   m    choice: sinew_layer_mode, u8
//     p    u8: 0, or 1 and a sinew_play_def          u    choice: sinew_easing, u8
//     P    pose: of each node translation, rotation  n    number, i32
//          and scale, then morph weights; as X       r    number of a snapshot that was saved before, i32
//     N    text of a note: u8 length, bytes         h    hash, u64
//     v    velocity of the root: 4 of X
#define SINEWI_CALL_FIELDS(X)                                                                                      \
    X('a', record_number(to, call->action.id, 8), replay_read_action(object, call), describe_action(to, call))     \
    X('l', record_number(to, (uint32_t)call->layer, 1), replay_read_layer(object, call),                           \
      describe(to, " layer %d", (int)call->layer))                                                                 \
    X('c', record_number(to, (uint32_t)objects->clip, 2), replay_read_defined(object, call, field),                \
      describe_clip(to, call))                                                                                     \
    X('C', record_number(to, (uint32_t)objects->clip, 2), replay_read_defined(object, call, field),                \
      describe_clip(to, call))                                                                                     \
    X('s', record_number(to, (uint32_t)objects->space, 2), replay_read_defined(object, call, field),               \
      describe(to, " of %d samples", (int)call->space->sample_count))                                              \
    X('k', record_number(to, (uint32_t)objects->mask, 2), replay_read_defined(object, call, field),                \
      describe(to, call->mask ? " a mask" : " no mask"))                                                           \
    X('t', record_transition(to, call->transition), replay_read_transition(object, out, TRANSITION_OPTIONAL),      \
      describe_transition(to, call->transition))                                                                   \
    X('T', record_transition(to, call->transition), replay_read_transition(object, out, TRANSITION_REQUIRED),      \
      describe_transition(to, call->transition))                                                                   \
    X('p', record_play_def(to, call->def), replay_read_play_def(object, out), describe_play_def(to, call->def))    \
    X('x', record_float(to, call->x), replay_read_amount(object, &call->x), describe_number(to, call->x))          \
    X('y', record_float(to, call->y), replay_read_amount(object, &call->y), describe_number(to, call->y))          \
    X('X', record_float(to, call->x), replay_read_finite(object, &call->x), describe_number(to, call->x))          \
    X('Y', record_float(to, call->y), replay_read_finite(object, &call->y), describe_number(to, call->y))          \
    X('d', record_float(to, call->x), replay_read_seconds(object, &call->x), describe_number(to, call->x))         \
    X('z', record_float(to, call->x), replay_read_time(object, &call->x), describe_number(to, call->x))            \
    X('P', record_pose(to, call->pose), replay_read_pose(object, call),                                            \
      describe(to, " of %d nodes", (int)call->pose->skeleton->node_count))                                         \
    X('v', record_velocity(to, &call->root), replay_read_velocity(object, &call->root),                            \
      describe_velocity(to, &call->root))                                                                          \
    X('o', record_number(to, (uint32_t)call->choice, 1),                                                           \
      replay_read_below(object, SINEW_LOOP_PING_PONG + 1, "an unknown sinew_loop", &call->choice),                 \
      describe_loop(to, (sinew_loop)call->choice))                                                                 \
    X('m', record_number(to, (uint32_t)call->choice, 1),                                                           \
      replay_read_below(object, SINEW_LAYER_ADDITIVE + 1, "an unknown mode of a layer", &call->choice),            \
      describe(to, call->choice == SINEW_LAYER_ADDITIVE ? " additive" : " override"))                              \
    X('u', record_number(to, (uint32_t)call->choice, 1), replay_read_below(object, 256, "", &call->choice),        \
      describe_easing(to, (sinew_easing)call->choice))                                                             \
    X('n', record_number(to, (uint32_t)call->number, 4), replay_read_integer(object, &call->number),               \
      describe(to, " %d", (int)call->number))                                                                      \
    X('r', record_number(to, (uint32_t)call->number, 4), replay_read_snapshot(object, &call->number),              \
      describe(to, " %d", (int)call->number))                                                                      \
    X('N', record_note(to, call), replay_read_note(object, call), describe_note(to, call))                         \
    X('h', record_number(to, call->hash, 8), replay_read_hash(object, call), describe_hash(to, call))

// ---- Fingerprints --------------------------------------------------------------------------------------------

// A hash of the content, the same on every machine.
uint64_t sinewi_skeleton_fingerprint(const sinew_skeleton *skeleton);
uint64_t sinewi_clip_fingerprint(const sinew_clip *clip);

// Whether a mixer's calls are being recorded.
bool sinewi_mixer_is_recorded(const sinew_mixer *mixer);

#endif
