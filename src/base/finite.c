// SPDX-License-Identifier: MIT
// Finds the largest of many floats. It is finite only if all of them are.
#include "base/finite.h"

#include <string.h>

// The bits of absolute float values, read as integers, sort the same way: finite, infinite, NaN.
static int32_t magnitude_bits(float value) {
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits & INT32_MAX;
}

static int32_t larger_of(int32_t a, int32_t b) {
    return a > b ? a : b;
}

// The lanes are independent, so compilers can vectorize the loop.
float sinewi_largest_magnitude(const float *values, size_t count) {
    enum { LANES = 8 };
    int32_t largest[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (size_t l = 0; l < LANES; l++) largest[l] = larger_of(largest[l], magnitude_bits(values[i + l]));
    for (; i < count; i++) largest[0] = larger_of(largest[0], magnitude_bits(values[i]));
    for (size_t l = 1; l < LANES; l++) largest[0] = larger_of(largest[0], largest[l]);
    float result;
    memcpy(&result, &largest[0], sizeof result);
    return result;
}
