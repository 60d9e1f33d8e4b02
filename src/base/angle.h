// SPDX-License-Identifier: MIT
// Trigonometry built from basic operations only. The result has the same bits on every machine.
#ifndef SINEWI_ANGLE_H
#define SINEWI_ANGLE_H

#include "base/float_rules.h"

#include <math.h>
#include <stdbool.h>

// Given t = tan(a), returns tan(a / 2).
static inline double sinewi_half_tangent(double t) {
    return t / (1.0 + sqrt(1.0 + t * t));
}

// Returns the counter-clockwise angle from (1, 0) to (x, y), in [-pi, pi]. Both coordinates must be finite. Returns 0
// for (0, 0). The error is below 5e-16 rad.
//
// Dividing the smaller coordinate by the larger gives t = tan(a) with a between 0 and 45 degrees. Two half tangents
// give u = tan(a / 4), at most 0.199. The terms of the series for atan(u) after the 21st power are below 4e-18.
static inline double sinewi_angle(double x, double y) {
    const double pi = 0x1.921fb54442d18p+1;
    double across = fabs(x), up = fabs(y);
    bool steep = up > across;
    double greater = steep ? up : across, lesser = steep ? across : up;
    if (!(greater > 0.0)) return 0.0;

    double u = sinewi_half_tangent(sinewi_half_tangent(lesser / greater)), square = u * u, series = 0.0;
    for (int power = 21; power > 0; power -= 2) series = 1.0 / (double)power - square * series;
    double angle = 4.0 * u * series;
    if (steep) angle = 0.5 * pi - angle;
    if (x < 0.0) angle = pi - angle;
    return y < 0.0 ? -angle : angle;
}

typedef struct sinewi_sine_cosine {
    double sine, cosine;
} sinewi_sine_cosine;

// Returns the sine and cosine of an angle in radians. The error is below 4e-16 for angles up to 1e6 and grows beyond.
// NaN for non-finite angles.
//
// Subtracts the nearest multiple of pi / 2 in two parts. The first part has so few bits that its multiples are exact up
// to n = 2^20. The rest is at most 45 degrees, where the terms of the series after the 17th power are below 1e-18.
static inline sinewi_sine_cosine sinewi_sine_cosine_of(double angle) {
    const double half_pi_high = 0x1.921fb544p+0, half_pi_low = 0x1.0b4611a626331p-34;
    if (fabs(angle) > 1e6) angle = fmod(angle, 0x1.921fb54442d18p+2); // exact in every C library
    double n = floor(angle / (half_pi_high + half_pi_low) + 0.5);
    double r = (angle - n * half_pi_high) - n * half_pi_low, square = r * r;
    double sine = 1.0, cosine = 1.0;
    for (int power = 16; power > 0; power -= 2) {
        sine = 1.0 - sine * square / (double)(power * (power + 1));
        cosine = 1.0 - cosine * square / (double)(power * (power - 1));
    }
    sine *= r;

    double quadrant = n - 4.0 * floor(0.25 * n);
    if (quadrant == 1.0) return (sinewi_sine_cosine){cosine, -sine};
    if (quadrant == 2.0) return (sinewi_sine_cosine){-sine, -cosine};
    if (quadrant == 3.0) return (sinewi_sine_cosine){-cosine, sine};
    return (sinewi_sine_cosine){sine, cosine};
}

#endif
