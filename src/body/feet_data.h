// SPDX-License-Identifier: MIT
// What the library's files share about feet.
#ifndef SINEWI_FEET_DATA_H
#define SINEWI_FEET_DATA_H

#include <sinew/body/feet.h>

// The largest number of levels above a foot, which bounds the time and memory of one pose.
#define SINEWI_MAX_FOOT_DEPTH 64

// The lowest common ancestor of the feet; the parent of a single foot; SINEW_NO_NODE if they have no common ancestor.
int32_t sinewi_feet_body(const sinew_feet *feet);

// Whether all feet have legs, made by sinew_ik_two_bone_from_rest; asserted.
bool sinewi_feet_have_legs(const sinew_foot *feet, int32_t count);

#endif
