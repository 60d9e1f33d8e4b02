// SPDX-License-Identifier: MIT
// Parts of the interface functions that batches, replays and animators also use.
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

// Returns whether a request meets the preconditions for playing. A recording may violate them.
bool sinewi_may_play(const sinew_mixer *mixer, play_request request);

// Like sinew_mixer_advance, for an idle mixer or for a batch item that its own batch advances.
void sinewi_mixer_step(sinew_mixer *mixer, float dt);

// sinew_mixer_update in parts. The second function returns false if `output` is current. `input` is for
// sinewi_mixer_mix_to_local.
bool sinewi_mixer_show(sinew_mixer *mixer);
bool sinewi_mixer_begin_show(sinew_mixer *mixer, mixer_output output, sinewi_kernel_input *input);

// Sets a pose and the root's velocity. The pose set before it is SINEWI_VELOCITY_SECONDS older.
void sinewi_mixer_set_next_pose(sinew_mixer *mixer, const sinew_pose *pose, root_velocity root);

// Takes over the current pose of another mixer, including its velocity and the root's velocity. Like
// sinew_mixer_set_pose, for a program that replaces a mixer. Transitions of `mixer` start from it. Asserts that both
// have the same skeleton. Only one thread at a time may use either mixer.
void sinewi_mixer_adopt(sinew_mixer *mixer, sinew_mixer *other);

// Returns whether the pose, morph weights and curves are from the last sinew_mixer_advance. They must have been
// evaluated or set with sinew_mixer_set_pose since then. False before the first evaluation and after
// sinew_mixer_restore.
bool sinewi_mixer_is_evaluated(const sinew_mixer *mixer);

// Like sinew_mixer_destroy, for a mixer that isn't NULL. If one of the mixer's callbacks calls this, it asserts,
// returns false and leaves the mixer unchanged.
bool sinewi_mixer_destroy_idle(sinew_mixer *mixer);

// Returns whether on_event is running.
bool sinewi_mixer_is_in_event(const sinew_mixer *mixer);

#endif
