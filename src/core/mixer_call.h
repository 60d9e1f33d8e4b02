// SPDX-License-Identifier: MIT
// The calls that change a mixer, as data for recording and replay.
#ifndef SINEWI_MIXER_CALL_H
#define SINEWI_MIXER_CALL_H

#include "core/mixer_data.h"

// Every call: X(kind, name in descriptions, fields, statement that replays it).
//
// The order defines the numbers in a recording. Add new calls at the end, and change SINEWI_RECORDING_VERSION. Fields
// are letters of SINEWI_CALL_FIELDS in src/motion, in the order they are written. Definitions have NULL, because they
// have no fields. A replay makes a call on `mixer` with `source`, the clip or blend space of `call`. replay_none means
// that the replay handles the call itself.
#define SINEWI_MIXER_CALLS(X)                                                                                      \
    X(END, "end", "h", replay_none())                                                                              \
    X(CLIP, "clip", NULL, replay_none())                                                                           \
    X(MASK, "mask", NULL, replay_none())                                                                           \
    X(SPACE, "space", NULL, replay_none())                                                                         \
    X(PLAY, "play", "Cp", sinew_mixer_play(mixer, source, call->def))                                              \
    X(TRANSITION_TO, "transition_to", "CTp",                                                                       \
      sinew_mixer_transition_to(mixer, source, call->transition, call->def))                                       \
    X(PLAY_SPACE, "play_space", "sXYtp", replay_play_space(mixer, source, call))                                   \
    X(STOP_ALL, "stop_all", "", sinew_mixer_stop_all(mixer))                                                       \
    X(STOP, "stop", "a", sinew_action_stop(mixer, call->action))                                                   \
    X(PAUSE, "pause", "a", sinew_action_set_paused(mixer, call->action, true))                                     \
    X(RESUME, "resume", "a", sinew_action_set_paused(mixer, call->action, false))                                  \
    X(RESET, "reset", "a", sinew_action_reset(mixer, call->action))                                                \
    X(FADE_TO, "fade_to", "axy", sinew_action_fade_to(mixer, call->action, call->x, call->y))                      \
    X(FADE_IN, "fade_in", "ax", sinew_action_fade_in(mixer, call->action, call->x))                                \
    X(FADE_OUT, "fade_out", "ax", sinew_action_fade_out(mixer, call->action, call->x))                             \
    X(SET_TIME, "set_time", "az", sinew_action_set_time(mixer, call->action, call->x))                             \
    X(SET_SPEED, "set_speed", "aX", sinew_action_set_speed(mixer, call->action, call->x))                          \
    X(SET_LOOP, "set_loop", "aon",                                                                                 \
      sinew_action_set_loop(mixer, call->action, (sinew_loop)call->choice, call->number))                          \
    X(SET_PARAMETER, "set_parameter", "aXY", sinew_action_set_parameter(mixer, call->action, call->x, call->y))    \
    X(QUEUE, "then_play", "actp", sinew_action_queue(mixer, call->action, source, call->transition, call->def))    \
    X(QUEUE_PREVIOUS, "then_return", "at", sinew_action_queue_previous(mixer, call->action, call->transition))     \
    X(LAYER_FADE_TO, "layer_fade_to", "lxyu",                                                                      \
      sinew_layer_fade_to(mixer, call->layer, call->x, call->y, (sinew_easing)call->choice))                       \
    X(LAYER_SET_MASK, "layer_set_mask", "lk", sinew_layer_set_mask(mixer, call->layer, call->mask))                \
    X(LAYER_SET_MODE, "layer_set_mode", "lm",                                                                      \
      sinew_layer_set_mode(mixer, call->layer, (sinew_layer_mode)call->choice))                                    \
    X(SAVE, "save", "", replay_none())                                                                             \
    X(RESTORE, "restore", "r", replay_none())                                                                      \
    X(ADVANCE, "advance", "dh", replay_advance(replay, call))                                                      \
    X(EVALUATE, "evaluate", "", sinew_mixer_evaluate(mixer))                                                       \
    X(TO_MODEL, "to_model", "", sinew_mixer_to_model(mixer))                                                       \
    X(SHOW, "show", "", sinewi_mixer_show(mixer))                                                                  \
    X(QUEUE_SPACE, "then_play_space", "asXYtp",                                                                    \
      sinew_action_queue(mixer, call->action, source, call->transition, call->def))                                \
    X(QUEUE_FADE_OUT, "then_fade_out", "ax", sinew_action_queue_fade_out(mixer, call->action, call->x))            \
    X(SET_POSE, "set_pose", "P", sinew_mixer_set_pose(mixer, call->pose))                                          \
    X(INERTIALIZE, "inertialize", "x", sinew_mixer_inertialize(mixer, SINEW_ALL_LAYERS, call->x))                  \
    X(LAYER_INERTIALIZE, "layer_inertialize", "lx", sinew_mixer_inertialize(mixer, call->layer, call->x))          \
    X(FINISH_POSE, "finish_pose", "", sinew_mixer_finish_pose(mixer))                                              \
    X(NOTE, "note", "N", replay_none())                                                                            \
    X(SET_NEXT_POSE, "set_next_pose", "Pv", sinewi_mixer_set_next_pose(mixer, call->pose, call->root))

typedef enum mixer_call_kind {
#define SINEWI_CALL_KIND(kind, name, fields, replay) CALL_##kind,
    SINEWI_MIXER_CALLS(SINEWI_CALL_KIND)
#undef SINEWI_CALL_KIND
        CALL_KINDS
} mixer_call_kind;

// A call with its arguments. Unused ones are zero.
typedef struct mixer_call {
    mixer_call_kind kind;
    sinew_action action;
    int32_t layer;
    const sinew_clip *clip;
    const sinew_blend_space *space;
    const sinew_mask *mask;
    const sinew_pose *pose;
    const sinew_transition *transition;
    const sinew_play_def *def;
    float x, y; // floats in order
    root_velocity root;
    int32_t choice;    // enum value
    int32_t number;    // loop count or snapshot number
    uint64_t hash;     // of the mixer before the call. The recorder computes it.
    const char *text;  // of a note
    size_t length;     // in bytes
    mixer_stamp stamp; // of the snapshot to restore
} mixer_call;

#endif
