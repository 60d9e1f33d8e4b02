// SPDX-License-Identifier: MIT
// Exponential decay from basic operations only. The result has the same bits on every machine.
//
// e^-a = 2^-n e^r, where n ln 2 is the multiple of ln 2 nearest to a, and r = n ln 2 - a is in [-0.347, 0.347]. ln 2 is
// split in two parts. The first has so few bits that multiplying it by n is exact. The terms of the series for e^r
// after the 13th power are below 5e-18. The relative error of the result is below 3e-16.
#ifndef SINEWI_DECAY_H
#define SINEWI_DECAY_H

#include "base/float_rules.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// Returns e^-a for a >= 0. Returns 0 for NaN and for a >= 708, because the result gets close to subnormal there.
static inline double sinewi_decay(double a) {
    const double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33, log2_e = 0x1.71547652b82fep+0;
    if (!(a < 708.0)) return 0.0;
    double n = floor(a * log2_e + 0.5);
    double r = (n * ln2_high - a) + n * ln2_low;
    double series = 1.0;
    for (int k = 13; k > 0; k--) series = 1.0 + series * r / (double)k;

    uint64_t bits = (uint64_t)(1023 - (int)n) << 52; // 2^-n
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    return series * scale;
}

#endif
