// SPDX-License-Identifier: MIT
// Rotations from files and definitions.
#ifndef SINEWI_AUTHORED_H
#define SINEWI_AUTHORED_H

#include <sinew/math.h>

#include <math.h>

// Twice the rounding error of a quaternion's squared length.
#define SINEWI_UNIT_ROUNDING 4e-7f

// Normalizes a quaternion unless its length is 1 within float rounding. A unit quaternion keeps its bits, because
// dividing it by a rounded length wouldn't improve it.
static inline sinew_quat sinewi_quat_as_authored(sinew_quat q) {
    float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return fabsf(square - 1.0f) <= SINEWI_UNIT_ROUNDING ? q : sinew_quat_normalize(q);
}

#endif
