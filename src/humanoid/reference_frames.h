// SPDX-License-Identifier: MIT
// Evenly spread frames of an asset's clips, and how the feet are planted in them.
#ifndef SINEWI_REFERENCE_FRAMES_H
#define SINEWI_REFERENCE_FRAMES_H

#include <sinew/humanoid/reference.h>

#include "humanoid/retarget_math.h"

// A frame of a clip.
typedef struct reference_frame {
    int32_t clip;
    float time;
} reference_frame;

// sinewi_reference_frame_count returns at most this many frames.
#define SINEWI_REFERENCE_FRAMES 256

// Returns how many frames to sample. 0 without clips.
int32_t sinewi_reference_frame_count(const sinew_asset *asset);

// Returns frame `i`. The clips' first frames come first, then frames of all clips at even distances.
reference_frame sinewi_reference_frame_at(const sinew_asset *asset, int32_t i);

// Poses a frame.
void sinewi_reference_sample(const sinew_asset *asset, reference_frame frame, sinew_pose *pose);

// Levels the soles of a reference pose and raises it to the ground, based on the frames where the feet are planted.
// Overwrites `work` and `model` [node_count]. Sets levels_feet and raised of `reference`. No-op if no frame shows them.
void sinewi_reference_plant(const sinew_asset *asset, const sinew_humanoid *humanoid, sinew_pose *work,
                            rt_similarity *model, sinew_pose *pose, sinew_reference *reference);

#endif
