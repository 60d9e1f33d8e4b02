// SPDX-License-Identifier: MIT
// Parts of the interface functions that the batch, replays and animators also use.
#ifndef SINEWI_MIXER_INTERFACE_H
#define SINEWI_MIXER_INTERFACE_H

#include "core/mixer_evaluation.h"

// The arguments of a call that plays something. `transition` and `def` may be NULL.
typedef struct play_request {
    const sinew_source *source;
    const sinew_transition *transition;
    const sinew_play_def *def;
    int32_t default_layer; // if `def` is NULL
} play_request;

// Whether a request meets the preconditions of the functions that play: a recording may violate them.
bool sinewi_may_play(const sinew_mixer *mixer, play_request request);

// sinew_mixer_advance of a mixer that is idle, or of an item by its own batch.
void sinewi_mixer_step(sinew_mixer *mixer, float dt);

// sinew_mixer_update in parts. The second is false if `output` is current; `input` is what sinewi_mixer_mix_to_local
// takes.
bool sinewi_mixer_show(sinew_mixer *mixer);
bool sinewi_mixer_begin_show(sinew_mixer *mixer, mixer_output output, sinewi_kernel_input *input);

// Sets the pose that follows the one set before after SINEWI_VELOCITY_SECONDS, and the root's velocity.
void sinewi_mixer_set_next_pose(sinew_mixer *mixer, const sinew_pose *pose, root_velocity root);

// Takes over the current pose of another mixer of the same skeleton (asserted), with its velocity and the root's: like
// sinew_mixer_set_pose, for a program that replaces a mixer. Transitions of `mixer` start from it. One thread at a time may
// use either mixer.
void sinewi_mixer_adopt(sinew_mixer *mixer, sinew_mixer *other);

// Whether the pose, with its morph weights and curves, is that of the last sinew_mixer_advance: it has been evaluated, or
// set by sinew_mixer_set_pose, since then. False before the first evaluation and after sinew_mixer_restore.
bool sinewi_mixer_is_evaluated(const sinew_mixer *mixer);

// sinew_mixer_destroy of a mixer, which is not NULL. False if a function that the mixer calls made the call (asserted):
// the mixer is unchanged then.
bool sinewi_mixer_destroy_idle(sinew_mixer *mixer);

// Whether on_event is being called.
bool sinewi_mixer_is_in_event(const sinew_mixer *mixer);

#endif
