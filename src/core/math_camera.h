// SPDX-License-Identifier: MIT
// The axes of something that looks at a target.
#ifndef SINEWI_MATH_CAMERA_H
#define SINEWI_MATH_CAMERA_H

#include <sinew/math.h>

// A vector in double precision. Squares of floats don't overflow, and the product of two floats is exact.
typedef struct sinewi_dvec3 {
    double x, y, z;
} sinewi_dvec3;

// Computes a camera's unit axes in the space of `forward` and `up`. +X points right, +Y up, and +Z opposite to the view
// direction. If `up` has length 0 or is parallel to `forward`, picks an arbitrary right axis.
void sinewi_camera_axes(sinew_vec3 forward, sinew_vec3 up, sinewi_dvec3 axes[3]);

// Returns the quaternion for a rotation matrix, given its columns.
sinew_quat sinewi_quat_from_axes(const sinewi_dvec3 axes[3]);

#endif
