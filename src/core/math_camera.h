// SPDX-License-Identifier: MIT
// The axes of what looks at something.
#ifndef SINEWI_MATH_CAMERA_H
#define SINEWI_MATH_CAMERA_H

#include <sinew/math.h>

// A vector in double precision: no square of a float overflows, and a product of two floats is exact.
typedef struct sinewi_dvec3 {
    double x, y, z;
} sinewi_dvec3;

// The unit axes of a camera in the space of `forward` and `up`: +X to the right, +Y up, +Z opposite to its direction of
// view. If `up` has length 0 or is parallel to `forward`, an arbitrary right is chosen.
void sinewi_camera_axes(sinew_vec3 forward, sinew_vec3 up, sinewi_dvec3 axes[3]);

#endif
