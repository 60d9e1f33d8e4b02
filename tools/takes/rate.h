// SPDX-License-Identifier: MIT
// Other times for a take.
#ifndef TAKES_RATE_H
#define TAKES_RATE_H

#include "takes/takes.h"

// Interpolates the poses at times, [count] and at least 2, increasing, which the take owns from now on, also if this fails.
// `times` of NULL is out of memory.
sinew_result takes_resample_to(take *t, float *times, int32_t count, sinew_error *error);

// Whether the poses are evenly spaced, within a hundredth of a step.
bool takes_is_even(const take *t);

// Spaces the poses evenly, about `rate` a second.
sinew_result takes_make_even(take *t, double rate, sinew_error *error);

#endif
