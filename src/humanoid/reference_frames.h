// SPDX-License-Identifier: MIT
// Frames of an asset's clips, spread evenly, and how the feet are planted in them.
#ifndef SINEWI_REFERENCE_FRAMES_H
#define SINEWI_REFERENCE_FRAMES_H

#include <sinew/humanoid/reference.h>

#include "humanoid/retarget_math.h"

// A frame of a clip.
typedef struct reference_frame {
    int32_t clip;
    float time;
} reference_frame;

// The largest number of frames that sinewi_reference_frame_count returns.
#define SINEWI_REFERENCE_FRAMES 256

// Returns the number of frames to sample; 0 without clips.
int32_t sinewi_reference_frame_count(const sinew_asset *asset);

// Returns frame `i`: the clips' first frames come first, then frames of all clips at even distances.
reference_frame sinewi_reference_frame_at(const sinew_asset *asset, int32_t i);

// Poses a frame.
void sinewi_reference_sample(const sinew_asset *asset, reference_frame frame, sinew_pose *pose);

// Levels the soles of a reference pose, and raises it to the ground, by the frames that show the feet planted. `work` and
// `model` [node_count] are overwritten. Fills feet_turned and raised of `reference`. No-op if no frame shows them.
void sinewi_reference_plant(const sinew_asset *asset, const sinew_humanoid *humanoid, sinew_pose *work,
                            rt_similarity *model, sinew_pose *pose, sinew_reference *reference);

#endif
