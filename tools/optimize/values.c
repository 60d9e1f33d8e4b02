// SPDX-License-Identifier: MIT
// Compares tracks' values, and tracks with lines between their keys.
#include "optimize/plan.h"

#include <math.h>
#include <string.h>

// How many times per interval a spline is compared with the line.
enum { SPLINE_TIMES = 8 };

const double *plan_value(const ref_channel *channel, int32_t key) {
    const ptrdiff_t width = channel->width;
    return channel->values + (channel->interpolation == REF_CUBICSPLINE ? 3 * (ptrdiff_t)key + 1 : key) * width;
}

double plan_stretch(const double q[4]) {
    return fabs(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) - 1.0);
}

double plan_difference(const ref_channel *channel, const double *a, const double *b) {
    double dot = 0.0, aa = 0.0, bb = 0.0, square = 0.0, largest = 0.0;
    for (int32_t i = 0; i < channel->width; i++) {
        dot += a[i] * b[i];
        aa += a[i] * a[i];
        bb += b[i] * b[i];
        square += (a[i] - b[i]) * (a[i] - b[i]);
        largest = fmax(largest, fabs(a[i] - b[i]));
    }
    if (channel->path == REF_WEIGHTS) return largest;
    if (channel->path != REF_ROTATION) return sqrt(square);
    if (!(aa > 0.0 && bb > 0.0)) return 4.0;
    const double lengths = sqrt(aa * bb), cosine = fabs(dot) / lengths;
    return 2.0 * atan2(sqrt(fmax(0.0, 1.0 - cosine * cosine)), cosine);
}

double plan_line_error(const ref_channel *channel, int32_t from, int32_t to, double limit) {
    const bool spline = channel->interpolation == REF_CUBICSPLINE;
    const int32_t steps = spline ? SPLINE_TIMES : 1;
    double values[8], found[4], authored[4];
    const double times[2] = {channel->times[from], channel->times[to]};
    const ref_channel line = {.path = channel->path,
                              .interpolation = REF_LINEAR,
                              .key_count = 2,
                              .width = channel->width,
                              .times = times,
                              .values = values};
    const size_t size = (size_t)channel->width * sizeof *values;
    memcpy(values, plan_value(channel, from), size);
    memcpy(values + channel->width, plan_value(channel, to), size);
    double largest = 0.0;
    for (int32_t i = 1; i < (to - from) * steps && largest <= limit; i++) {
        const int32_t key = from + i / steps;
        const double part = (double)(i % steps) / steps,
                     time = channel->times[key] + (channel->times[key + 1] - channel->times[key]) * part;
        ref_sample(&line, time, found);
        if (spline) ref_sample(channel, time, authored);
        largest = fmax(largest, plan_difference(channel, found, spline ? authored : plan_value(channel, key)));
    }
    return largest;
}

double plan_reduction_error(const ref_channel *channel, const int32_t *keys, int32_t key_count) {
    double largest = 0.0;
    for (int32_t i = 0; i + 1 < key_count; i++)
        largest = fmax(largest, plan_line_error(channel, keys[i], keys[i + 1], (double)INFINITY));
    return largest;
}
