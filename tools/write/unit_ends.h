// SPDX-License-Identifier: MIT
// Rotations of a part of a clip: unit keys at its ends.
#ifndef WRITE_UNIT_ENDS_H
#define WRITE_UNIT_ENDS_H

#include <stdint.h>

enum { UNIT_ENDS_ADDED = 46 };

// A spline through rotations leaves the unit sphere between its keys, and a part that is cut there starts or ends with a key that isn't
// a rotation, which glTF forbids. Replaces the first and the last segment by short ones through the rotations that the spline stands
// for, if their outer key isn't one. Where a segment turns by 150 degrees, that moves by 0.001 degrees.
//
// `keys` are those of a spline: in-tangent, value, out-tangent of four floats each, with space for UNIT_ENDS_ADDED more. Returns
// how many there are then.
int32_t unit_ends(float *times, float (*keys)[12], int32_t count);

#endif
