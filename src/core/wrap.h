// Round and round: what is past the end of a period, in either direction, is back in it.
#ifndef SINEW_WRAP_H
#define SINEW_WRAP_H

#include "core/float_rules.h"

#include <math.h>

// Into [0, period): exactly the period is 0 again. Rounding may put `phase` a hair outside. 0 where it is not finite.
static inline double sinew_wrapped(double phase, double period) {
    if (phase > 0.0 && phase < period) return phase;
    double rest = phase - period * floor(phase / period);
    return rest > 0.0 && rest < period ? rest : 0.0;
}

#endif
