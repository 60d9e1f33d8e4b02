// SPDX-License-Identifier: MIT
// curve.c - monotone cubic curves through keys (Fritsch and Carlson).
#include "curve.h"

static double secant(key a, key b) {
    return (b.value - a.value) / (b.at - a.at);
}

/// The slope at the second of three keys: 0 at a peak, otherwise the harmonic mean of both sides.
static double slope(key a, key b, key c) {
    double left = secant(a, b), right = secant(b, c);
    if (left * right <= 0.0) {
        return 0.0;
    }
    double wl = 2.0 * (c.at - b.at) + (b.at - a.at), wr = (c.at - b.at) + 2.0 * (b.at - a.at);
    return (wl + wr) / (wl / left + wr / right);
}

static double hermite(key a, key b, double slope_a, double slope_b, double at) {
    double length = b.at - a.at, t = (at - a.at) / length;
    double t2 = t * t, t3 = t2 * t;
    return (2.0 * t3 - 3.0 * t2 + 1.0) * a.value + (t3 - 2.0 * t2 + t) * length * slope_a +
           (3.0 * t2 - 2.0 * t3) * b.value + (t3 - t2) * length * slope_b;
}

static int count_keys(const curve *c) {
    int count = 1;
    while (count < CURVE_KEYS && c->keys[count].at > c->keys[count - 1].at) {
        count++;
    }
    return count;
}

double curve_at(const curve *c, double at) {
    const key *keys = c->keys;
    int count = count_keys(c);
    if (at <= keys[0].at) {
        return keys[0].value;
    }
    for (int i = 0; i + 1 < count; i++) {
        if (at > keys[i + 1].at) {
            continue;
        }
        double a = i > 0 ? slope(keys[i - 1], keys[i], keys[i + 1]) : 0.0;
        double b = i + 2 < count ? slope(keys[i], keys[i + 1], keys[i + 2]) : 0.0;
        return hermite(keys[i], keys[i + 1], a, b, at);
    }
    return keys[count - 1].value;
}

/// Key `index` of a loop, whose time may be below 0 or above 1.
static key key_round(const key *keys, int count, int index) {
    int turn = index < 0 ? -1 : index >= count ? 1 : 0;
    key k = keys[index - turn * count];
    k.at += turn;
    return k;
}

double curve_round(const curve *c, double at) {
    const key *keys = c->keys;
    int count = count_keys(c);
    at -= floor(at);
    for (int i = -1; i < count; i++) {
        key a = key_round(keys, count, i), b = key_round(keys, count, i + 1);
        if (at < a.at || at > b.at) {
            continue;
        }
        // On a short loop a key two keys away may be more than one cycle away; four keys are enough.
        double sa = i - 1 >= -count ? slope(key_round(keys, count, i - 1), a, b) : 0.0;
        double sb = i + 2 < 2 * count ? slope(a, b, key_round(keys, count, i + 2)) : 0.0;
        return hermite(a, b, sa, sb, at);
    }
    return keys[0].value;
}
