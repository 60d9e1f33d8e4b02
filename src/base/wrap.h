// SPDX-License-Identifier: MIT
// Wraps times and phases to one period.
#ifndef SINEWI_WRAP_H
#define SINEWI_WRAP_H

#include "base/float_rules.h"

#include <math.h>

// Returns `phase` modulo `period`, in [0, period). Negative phases work. Returns 0 if the phase isn't finite, or if
// rounding would put the result outside the period.
static inline double sinewi_wrapped(double phase, double period) {
    if (phase > 0.0 && phase < period) return phase;
    double rest = phase - period * floor(phase / period);
    return rest > 0.0 && rest < period ? rest : 0.0;
}

#endif
