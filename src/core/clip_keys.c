// SPDX-License-Identifier: MIT
// Limits extreme keys, so interpolating finite keys gives finite values. Ordinary keys keep their bits.
//
// A spline is a channel with CUBICSPLINE interpolation. Each key is in-tangent, value, out-tangent, and tangents are
// per second. A segment is between two keys. If a segment could exceed the largest float, its values are clamped and
// its tangents shortened. Rotation splines instead multiply all keys by one power of two, which doesn't change any
// rotation. A coarse channel is for 16-bit rows.
#include "core/clip_build.h"
#include "base/finite.h"

#include <math.h>

// Slightly below FLT_MAX, because interpolation and blending round.
static const double largest_float = 3.4028e38;

// Keeps a limited spline below the limit by this factor, so limiting it again changes nothing.
static const double spline_margin = 0.999999;

// Rotation splines are normalized by their squared length. It must be a normal float, even if keys of opposite signs
// nearly cancel. So key lengths stay between these powers of two.
#define MAX_LENGTH_EXPONENT 63
#define MIN_LENGTH_EXPONENT (-50)

// Use this instead of fmax in reductions. gcc 12 for 64-bit ARM fails with an internal error on fmax.
static double larger_of(double a, double b) {
    return a > b ? a : b;
}

// Returns the largest absolute value.
static double largest_of(const float *values, size_t count) {
    double largest = 0.0;
    for (size_t i = 0; i < count; i++) largest = larger_of(largest, fabs((double)values[i]));
    return largest;
}

// ---- Splines -------------------------------------------------------------------------------------------------

// A component of a spline between key k and the next one.
typedef struct spline_segment {
    double value;   // larger of the two values, clamped
    double tangent; // upper bound for what the tangents contribute
} spline_segment;

// Bounds one component of the segment from key k. The Hermite polynomials of the values sum to at most 1. The tangents'
// polynomials are at most 4/27 of the interval each.
static spline_segment bound_segment(const sinewi_key_limits *limits, int32_t k, size_t component) {
    const sinew_channel_def *channel = limits->channel;
    const float *from = channel->values + (3 * (size_t)k + 1) * limits->stride + component;
    const float *out_tangent = from + limits->stride, *in_tangent = out_tangent + limits->stride;
    const float *to = in_tangent + limits->stride;
    double interval = (double)channel->times[k + 1] - (double)channel->times[k];
    double tangents = fabs((double)*out_tangent) + fabs((double)*in_tangent);
    return (spline_segment){fmin(fmax(fabs((double)*from), fabs((double)*to)), limits->largest),
                            4.0 / 27.0 * fmax(interval, limits->interval) * tangents};
}

// Returns the longest time between two keys in seconds.
static double longest_interval(const sinew_channel_def *channel) {
    double longest = 0.0;
    for (int32_t k = 0; k + 1 < channel->key_count; k++) {
        longest = larger_of(longest, (double)channel->times[k + 1] - (double)channel->times[k]);
    }
    return longest;
}

// ---- Rotations -----------------------------------------------------------------------------------------------

// Returns the shortest key's length, as its largest component. Ignores zeros.
static double shortest_key(const sinew_channel_def *channel) {
    double shortest = HUGE_VAL;
    for (int32_t k = 0; k < channel->key_count; k++) {
        double length = largest_of(channel->values + 12 * (size_t)k + 4, 4);
        if (length > 0.0) shortest = fmin(shortest, length);
    }
    return shortest;
}

// Returns an upper bound for the length of a quaternion anywhere on a rotation spline, before normalizing.
static double longest_rotation(const sinewi_key_limits *limits) {
    double longest = 0.0;
    for (int32_t k = 0; k + 1 < limits->channel->key_count; k++) {
        double square = 0.0;
        for (size_t i = 0; i < 4; i++) {
            spline_segment s = bound_segment(limits, k, i);
            square += (s.value + s.tangent) * (s.value + s.tangent);
        }
        longest = fmax(longest, sqrt(square));
    }
    return longest;
}

// Returns the exponent of the power of two for a rotation spline's keys. 0 except for extreme keys.
static int find_shift(const sinewi_key_limits *limits, bool coarse) {
    const sinew_channel_def *channel = limits->channel;
    double numbers = largest_of(channel->values, 12 * (size_t)channel->key_count);
    double longest = longest_rotation(limits);
    if (coarse) longest = fmax(longest, numbers);
    bool is_short = shortest_key(channel) < ldexp(1.0, MIN_LENGTH_EXPONENT);
    if (longest <= ldexp(1.0, MAX_LENGTH_EXPONENT) && !is_short) return 0;
    int exponent, largest;
    frexp(longest, &exponent);
    frexp(numbers, &largest);
    int shift = MAX_LENGTH_EXPONENT - exponent;
    return shift < 126 - largest ? shift
                                 : 126 - largest; // steep tangents of short intervals must not overflow either
}

// ---- Limits --------------------------------------------------------------------------------------------------

// The first key's in-tangent and the last key's out-tangent have no effect. But they enlarge the range, and 16-bit rows
// would round the other tangents more coarsely.
static bool exceed_ends(const sinewi_key_limits *limits, size_t component) {
    const float *first = limits->channel->values + component;
    const float *last = first + (3 * (size_t)limits->channel->key_count - 1) * limits->stride;
    double tangent = fmax(fabs((double)*first), fabs((double)*last));
    return 4.0 / 27.0 * limits->interval * tangent > limits->largest;
}

// Returns whether a component exceeds the limit at a key, or could exceed it between two keys.
static bool exceeds_limit(const sinewi_key_limits *limits, size_t component) {
    const sinew_channel_def *channel = limits->channel;
    size_t parts = (size_t)sinewi_parts(channel->interpolation), keys = (size_t)channel->key_count;
    for (size_t k = 0; k < keys * parts; k++) {
        if (fabs((double)channel->values[k * limits->stride + component]) > limits->largest) return true;
    }
    if (parts == 3 && exceed_ends(limits, component)) return true;
    for (int32_t k = 0; parts == 3 && k + 1 < channel->key_count; k++) {
        spline_segment s = bound_segment(limits, k, component);
        if (s.value + s.tangent > limits->largest) return true;
    }
    return false;
}

// Finds out whether components [component, component + width) need limiting, and by how much.
sinewi_key_limits sinewi_key_limits_of(const sinew_channel_def *channel, size_t stride, size_t component,
                                       size_t width, bool coarse) {
    bool is_spline = channel->interpolation == SINEW_INTERPOLATION_CUBICSPLINE && channel->key_count > 1;
    sinewi_key_limits limits = {.channel = channel, .stride = stride, .component = component, .width = width};
    // 16-bit rows store fractions of a range, which must also be a finite float. They also round tangents.
    limits.largest = coarse ? 0.5 * largest_float : largest_float;
    if (coarse && is_spline) limits.interval = longest_interval(channel);
    if (channel->target == SINEW_TARGET_ROTATION) {
        if (is_spline) limits.shift = find_shift(&limits, coarse);
        limits.needed = limits.shift != 0;
        return limits;
    }
    if (channel->interpolation != SINEW_INTERPOLATION_CUBICSPLINE && width == stride) { // all numbers are values
        size_t count = stride * (size_t)channel->key_count;
        limits.needed = (double)sinewi_largest_magnitude(channel->values, count) > limits.largest;
        return limits;
    }
    for (size_t i = 0; i < width && !limits.needed; i++) limits.needed = exceeds_limit(&limits, component + i);
    return limits;
}

// Returns the factor for shortening a segment's tangents. 1 if the segment from key k stays within the limit.
static double tangent_factor(const sinewi_key_limits *limits, int32_t k, size_t component) {
    spline_segment s = bound_segment(limits, k, component);
    if (s.value + s.tangent <= limits->largest) return 1.0;
    return fmax(0.0, spline_margin * limits->largest - s.value) / s.tangent;
}

// Clamps to slightly below the largest float.
float sinewi_limited_value(float value) {
    return (float)fmax(-largest_float, fmin((double)value, largest_float));
}

// A key far shorter than its tangents only matters at its own time. There its length must not become 0.
static void shift_rotation(int shift, float key[12]) {
    int exponent, shift_of_value = shift;
    frexp(largest_of(key + 4, 4), &exponent);
    if (exponent + shift < MIN_LENGTH_EXPONENT) shift_of_value = MIN_LENGTH_EXPONENT - exponent;
    for (size_t i = 0; i < 12; i++) key[i] = ldexpf(key[i], i / 4 == 1 ? shift_of_value : shift);
}

// `key` has parts × width floats: one value, or in-tangent, value and out-tangent.
void sinewi_limit_key(const sinewi_key_limits *limits, int32_t k, float *key) {
    const sinew_channel_def *channel = limits->channel;
    size_t width = limits->width, parts = (size_t)sinewi_parts(channel->interpolation);
    if (channel->target == SINEW_TARGET_ROTATION) {
        shift_rotation(limits->shift, key);
        return;
    }
    for (size_t i = 0; i < width && parts == 3; i++) {
        size_t component = limits->component + i;
        float *in_tangent = &key[i], *out_tangent = &key[2 * width + i];
        bool is_first = k == 0, is_last = k + 1 == channel->key_count;
        *in_tangent *= is_first ? 0.0f : (float)tangent_factor(limits, k - 1, component);
        *out_tangent *= is_last ? 0.0f : (float)tangent_factor(limits, k, component);
    }
    for (size_t i = 0; i < width * parts; i++) {
        key[i] = (float)fmax(-limits->largest, fmin((double)key[i], limits->largest));
    }
}
