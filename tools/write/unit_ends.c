// SPDX-License-Identifier: MIT
#include "write/unit_ends.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define UNIT     5e-5 // a key is a rotation if its length differs from 1 by less than this
#define SHORTEST 0.5  // a spline that gets closer to 0 turns too fast for PIECES, and doesn't change

enum { PIECES = UNIT_ENDS_ADDED / 2 + 1, IN = 0, VALUE = 4, OUT = 8 };

static double length4(const double v[4]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
}

static bool is_unit(const float key[12]) {
    const double value[4] = {(double)key[VALUE], (double)key[VALUE + 1], (double)key[VALUE + 2],
                             (double)key[VALUE + 3]};
    return fabs(length4(value) - 1.0) < UNIT;
}

// A spline segment and its length in seconds.
typedef struct segment {
    float from[12], to[12];
    double seconds;
} segment;

// Evaluates glTF's cubic Hermite spline and its derivative. `u` goes along the segment.
static void evaluate(const segment *s, double u, double value[4], double slope[4]) {
    const double u2 = u * u, u3 = u2 * u;
    for (int i = 0; i < 4; i++) {
        const double p = (double)s->from[VALUE + i], m = s->seconds * (double)s->from[OUT + i];
        const double q = (double)s->to[VALUE + i], n = s->seconds * (double)s->to[IN + i];
        value[i] =
            (2.0 * u3 - 3.0 * u2 + 1.0) * p + (u3 - 2.0 * u2 + u) * m + (3.0 * u2 - 2.0 * u3) * q + (u3 - u2) * n;
        slope[i] = (6.0 * u2 - 6.0 * u) * (p - q) + (3.0 * u2 - 4.0 * u + 1.0) * m + (3.0 * u2 - 2.0 * u) * n;
        slope[i] /= s->seconds;
    }
}

// Makes a key from a segment's rotation at `u`, with its velocity on both sides. Returns false if there isn't one.
static bool make_key(const segment *s, double u, float key[12]) {
    double value[4], slope[4], along = 0.0;
    evaluate(s, u, value, slope);
    const double length = length4(value);
    if (!(length > SHORTEST)) return false;
    for (int i = 0; i < 4; i++) along += value[i] * slope[i] / (length * length);
    for (int i = 0; i < 4; i++) {
        key[VALUE + i] = (float)(value[i] / length);
        key[IN + i] = key[OUT + i] = (float)((slope[i] - along * value[i]) / length);
    }
    return true;
}

// Splits the segment that starts at key `at` into PIECES. Returns the new number of keys.
static int32_t split(float *times, float (*keys)[12], int32_t count, int32_t at) {
    segment s = {.seconds = (double)times[at + 1] - (double)times[at]};
    memcpy(s.from, keys[at], sizeof s.from);
    memcpy(s.to, keys[at + 1], sizeof s.to);
    float made[PIECES + 1][12], made_times[PIECES + 1];
    for (int i = 0; i <= PIECES; i++) {
        const double u = (double)i / PIECES;
        made_times[i] = (float)((double)times[at] + u * s.seconds);
        if (!make_key(&s, u, made[i]) || (i > 0 && !(made_times[i] > made_times[i - 1]))) return count;
    }
    made_times[PIECES] = times[at + 1];
    memcpy(made[0] + IN, s.from + IN, 4 * sizeof(float));      // belongs to the previous segment
    memcpy(made[PIECES] + OUT, s.to + OUT, 4 * sizeof(float)); // belongs to the next segment
    const size_t after = (size_t)(count - at - 2);
    memmove(&keys[at + 1 + PIECES], &keys[at + 2], after * sizeof *keys);
    memmove(&times[at + 1 + PIECES], &times[at + 2], after * sizeof *times);
    memcpy(&keys[at], made, sizeof made);
    memcpy(&times[at], made_times, sizeof made_times);
    return count + PIECES - 1;
}

int32_t unit_ends(float *times, float (*keys)[12], int32_t count) {
    if (count < 2) return count;
    const bool splits_last = !is_unit(keys[count - 1]);
    if (count == 2) return splits_last || !is_unit(keys[0]) ? split(times, keys, count, 0) : count;
    if (!is_unit(keys[0]) && is_unit(keys[1])) count = split(times, keys, count, 0);
    if (splits_last && is_unit(keys[count - 2])) count = split(times, keys, count, count - 2);
    return count;
}
