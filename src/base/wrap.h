// SPDX-License-Identifier: MIT
// Wrapping of times and phases into one period.
#ifndef SINEWI_WRAP_H
#define SINEWI_WRAP_H

#include "base/float_rules.h"

#include <math.h>

// `phase` modulo `period`, in [0, period), for phases of either sign; 0 for a phase that is not finite, and for one
// that rounding would put at or outside of the ends.
static inline double sinewi_wrapped(double phase, double period) {
    if (phase > 0.0 && phase < period) return phase;
    double rest = phase - period * floor(phase / period);
    return rest > 0.0 && rest < period ? rest : 0.0;
}

#endif
