// SPDX-License-Identifier: MIT
// Helpers that the library's files share for feet.
#ifndef SINEWI_FEET_DATA_H
#define SINEWI_FEET_DATA_H

#include <sinew/body/feet.h>

// Maximum number of levels above a foot. Bounds the time and memory of one pose.
#define SINEWI_MAX_FOOT_DEPTH 64

// The lowest common ancestor of the feet. For a single foot it's the parent. SINEW_NO_NODE if the feet
// share no ancestor.
int32_t sinewi_feet_body(const sinew_feet *feet);

// Whether all feet have legs from sinew_ik_two_bone_from_rest. Asserts it.
bool sinewi_feet_have_legs(const sinew_foot *feet, int32_t count);

#endif
