// SPDX-License-Identifier: MIT
// Changes a take's times.
#ifndef TAKES_RATE_H
#define TAKES_RATE_H

#include "takes/takes.h"

// Interpolates the poses at new times, [count], at least 2 and increasing. The take owns `times` from now on, even if
// this fails. If `times` is NULL, memory ran out.
sinew_result takes_resample_to(take *t, float *times, int32_t count, sinew_error *error);

// Returns whether the poses are evenly spaced, within a hundredth of a step.
bool takes_is_even(const take *t);

// Spaces the poses evenly, about `rate` per second.
sinew_result takes_make_even(take *t, double rate, sinew_error *error);

#endif
