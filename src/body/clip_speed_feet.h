// SPDX-License-Identifier: MIT
// What the measurement of ground speeds needs of feet.
#ifndef SINEWI_CLIP_SPEED_FEET_H
#define SINEWI_CLIP_SPEED_FEET_H

#include <sinew/body/clip_speed.h>

// The largest number of levels above a foot, which bounds the time and memory of one pose.
#define SINEWI_MAX_FOOT_DEPTH 64

// The lowest common ancestor of the feet; the parent of a single foot; SINEW_NO_NODE if they have no common ancestor.
int32_t sinewi_feet_body(const sinew_feet *feet);

#endif
