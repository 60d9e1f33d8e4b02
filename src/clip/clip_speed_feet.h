// SPDX-License-Identifier: MIT
// What the measurement of ground speeds needs of feet.
#ifndef SINEW_CLIP_SPEED_FEET_H
#define SINEW_CLIP_SPEED_FEET_H

#include <sinew/clip_speed.h>

// The largest number of levels above a foot, which bounds the time and memory of one pose.
#define SINEW_MAX_FOOT_DEPTH 64

// The lowest common ancestor of the feet; the parent of a single foot; SINEW_NO_NODE if they have no common ancestor.
int32_t sinew_feet_body(const sinew_feet *feet);

#endif
