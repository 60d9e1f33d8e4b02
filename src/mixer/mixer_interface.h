// SPDX-License-Identifier: MIT
// Parts of the interface functions that the batch and replays also use.
#ifndef SINEW_MIXER_INTERFACE_H
#define SINEW_MIXER_INTERFACE_H

#include "mixer/mixer_evaluation.h"

// The arguments of a call that plays something. `transition` and `def` may be NULL.
typedef struct play_request {
    const sinew_source *source;
    const sinew_transition *transition;
    const sinew_play_def *def;
    int32_t default_layer; // if `def` is NULL
} play_request;

// Whether a request meets the preconditions of the functions that play: a recording may violate them.
bool sinew_may_play(const sinew_mixer *mixer, play_request request);

// sinew_mixer_update in parts. The second is false if `output` is current; `input` is what sinew_mixer_mix_to_local
// takes.
bool sinew_mixer_show(sinew_mixer *mixer);
bool sinew_mixer_begin_show(sinew_mixer *mixer, mixer_output output, sinew_kernel_input *input);

// Sets the pose that follows the one set before after SINEW_VELOCITY_SECONDS, and the root's velocity.
void sinew_mixer_set_next_pose(sinew_mixer *mixer, const sinew_pose *pose, root_velocity root);

#endif
