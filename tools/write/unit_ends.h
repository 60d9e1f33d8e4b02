// SPDX-License-Identifier: MIT
// Makes the first and last key of a cut rotation unit.
#ifndef WRITE_UNIT_ENDS_H
#define WRITE_UNIT_ENDS_H

#include <stdint.h>

enum { UNIT_ENDS_ADDED = 46 };

// A spline through rotations leaves the unit sphere between its keys. If it's cut there, the part starts or ends with a
// key that isn't a rotation, which glTF forbids. Then this replaces the first or last segment with short ones through
// the rotations that the spline stands for. If a segment turns by 150 degrees, this moves it by 0.001 degrees.
//
// `keys` belong to a spline: in-tangent, value and out-tangent with four floats each. There must be room for
// UNIT_ENDS_ADDED more. Returns how many there are then.
int32_t unit_ends(float *times, float (*keys)[12], int32_t count);

#endif
