// curve.h - keyed curves for clips that are written by hand.
#ifndef MODELS_CURVE_H
#define MODELS_CURVE_H

#include "vec.h"

enum { CURVE_KEYS = 12 };

typedef struct key {
    double at, value;
} key;

/// Keys in rising order; the first that does not rise ends the curve, and so what an initialiser
/// leaves out does.
typedef struct curve {
    key keys[CURVE_KEYS];
} curve;

/// A smooth curve through the keys, flat where they are level and without overshoot between them.
/// Constant outside of the keys.
double curve_at(const curve *c, double at);

/// The same on a loop: `at` from 0 to 1 goes round, and the keys lie within it.
double curve_round(const curve *c, double at);

#endif
