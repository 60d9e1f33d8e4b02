// SPDX-License-Identifier: MIT
// Rotations from files and definitions.
#ifndef SINEW_AUTHORED_H
#define SINEW_AUTHORED_H

#include <sinew/math.h>

// Normalizes a quaternion unless it is unit within float rounding: then its bits are kept, because a division by a
// rounded length would not improve it.
sinew_quat sinew_quat_as_authored(sinew_quat q);

#endif
