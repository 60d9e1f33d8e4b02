// SPDX-License-Identifier: MIT
// curve.h - keyed curves for hand-written clips.
#ifndef MODELS_CURVE_H
#define MODELS_CURVE_H

#include "vec.h"

enum { CURVE_KEYS = 12 };

typedef struct key {
    double at, value;
} key;

/// Keys in rising order. The first key that does not rise ends the curve, such as one that an initialiser omits.
typedef struct curve {
    key keys[CURVE_KEYS];
} curve;

/// Evaluates a smooth curve through the keys, without overshoot and flat between equal keys.
/// Constant outside of the keys.
double curve_at(const curve *c, double at);

/// Evaluates the curve as a loop: `at` wraps from 1 to 0, and the keys are between them.
double curve_round(const curve *c, double at);

#endif
