// SPDX-License-Identifier: MIT
// Encodes a track's values and decodes them like a reader of the file.
#include "optimize/plan.h"

#include <math.h>
#include <meshoptimizer.h>
#include <string.h>

// The exponential filter has a 24-bit mantissa.
#define MAX_MANTISSA 8388607.0

static int32_t parts_of(const ref_channel *channel) {
    return channel->interpolation == REF_CUBICSPLINE ? 3 : 1;
}

// Copies the chosen level's keys to the result.
static bool keep_keys(plan *p, plan_track *track) {
    const ref_channel *source = track->source;
    const plan_level *level = &track->levels[track->chosen.choice.level];
    const size_t parts = level->constant || level->linear ? 1 : (size_t)parts_of(source);
    const size_t width = (size_t)source->width * parts;
    double *times = sinewi_arena_array(p->values, double, (size_t)level->key_count);
    double *values = sinewi_arena_array(p->values, double, (size_t)level->key_count *width);
    if (!times || !values) return false;
    for (int32_t i = 0; i < level->key_count; i++) {
        const int32_t key = level->keys[i];
        const double *authored =
            level->linear ? plan_value(source, key) : source->values + (ptrdiff_t)key * (ptrdiff_t)width;
        times[i] = source->times[key];
        memcpy(values + (size_t)i * width, level->constant ? track->constant : authored, width * sizeof *values);
    }
    track->result = *source;
    if (parts == 1 && source->interpolation == REF_CUBICSPLINE) track->result.interpolation = REF_LINEAR;
    track->result.key_count = level->key_count;
    track->result.times = times;
    track->result.values = values;
    return true;
}

// ---- Quaternions ---------------------------------------------------------------------------------------------------

static void normalize(const double q[4], float out[4]) {
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) out[i] = (float)(length > 0.0 ? q[i] / length : i == 3 ? 1.0 : 0.0);
}

static bool encode_quaternions(plan *p, plan_track *track) {
    const size_t count = (size_t)track->result.key_count;
    float *floats = sinewi_arena_array(p->values, float, 4 * count);
    int16_t *stored = sinewi_arena_array(p->values, int16_t, 4 * count),
            *read = sinewi_arena_array(p->values, int16_t, 4 * count);
    double *values = sinewi_arena_array(p->values, double, 4 * count);
    if (!floats || !stored || !read || !values) return false;
    for (size_t k = 0; k < count; k++) normalize(track->result.values + 4 * k, floats + 4 * k);
    if (p->def->extension == OPTIMIZE_PLAIN) {
        for (size_t i = 0; i < 4 * count; i++) stored[i] = read[i] = (int16_t)lrint(32767.0 * (double)floats[i]);
    } else {
        meshopt_encodeFilterQuat(stored, count, 8, track->chosen.choice.precision, floats);
        memcpy(read, stored, 4 * count * sizeof *read);
        meshopt_decodeFilterQuat(read, count, 8);
    }
    for (size_t i = 0; i < 4 * count; i++) values[i] = fmax(-1.0, (double)read[i] / 32767.0);
    track->result.values = values;
    track->coded = (const uint8_t *)stored;
    track->plain = (const uint8_t *)read;
    track->stride = 8;
    return true;
}

// ---- Floats --------------------------------------------------------------------------------------------------------

static uint32_t round_to_step(double value, int exponent, double *rounded) {
    const double mantissa = fmax(-MAX_MANTISSA, fmin(MAX_MANTISSA, rint(ldexp(value, -exponent))));
    *rounded = ldexp(mantissa, exponent);
    return (uint32_t)exponent << 24 | ((uint32_t)(int32_t)mantissa & UINT32_C(0xffffff));
}

// The step of the component that normalizes a rotation. The length is then within half of it, 0.95e-6.
#define UNIT_EXPONENT (-19)

static double length_of(const double q[4]) {
    return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

// Normalizes the authored rotations in a result where floats wouldn't be unit. A spline's tangents follow their key.
static void make_unit(ref_channel *channel, double *values) {
    const ptrdiff_t parts = parts_of(channel);
    for (ptrdiff_t k = 0; k < channel->key_count; k++) {
        double *key = values + 4 * parts * k, *value = key + (parts == 3 ? 4 : 0);
        const double length = length_of(value);
        if (fabs(length - 1.0) <= 0.5 * PLAN_UNIT) continue;
        if (!(length > 0.0)) value[3] = 1.0; // this is how an evaluator reads it
        for (ptrdiff_t i = 0; i < 4 * parts && length > 0.0; i++) key[i] /= length;
    }
}

// Returns the component that's largest in a track.
static int main_component(const ref_channel *channel) {
    double sums[4] = {0.0};
    int largest = 0;
    for (int32_t k = 0; k < channel->key_count; k++) {
        const double *value = plan_value(channel, k);
        for (int i = 0; i < 4; i++) sums[i] += fabs(value[i]);
    }
    for (int i = 1; i < 4; i++) largest = sums[i] > sums[largest] ? i : largest;
    return largest;
}

// Replaces a large component of rounded rotations to normalize them. Uses the track's main component if it's large.
static void round_to_unit(const ref_channel *channel, int exponent, uint32_t *stored, double *rounded) {
    const ptrdiff_t parts = parts_of(channel);
    const int main = main_component(channel);
    for (ptrdiff_t k = 0; k < channel->key_count && exponent > UNIT_EXPONENT; k++) {
        const ptrdiff_t at = 4 * (parts * k + (parts == 3));
        const double *value = channel->values + at;
        int chosen = main;
        for (int i = 0; i < 4 && fabs(value[main]) < 0.5; i++)
            chosen = fabs(value[i]) > fabs(value[chosen]) ? i : chosen;
        double rest = 1.0;
        for (int i = 0; i < 4; i++) rest -= i != chosen ? rounded[at + i] * rounded[at + i] : 0.0;
        const double exact = copysign(sqrt(fmax(0.0, rest)), value[chosen]);
        stored[at + chosen] = round_to_step(exact, UNIT_EXPONENT, &rounded[at + chosen]);
    }
}

static bool encode_floats(plan *p, plan_track *track) {
    const ref_channel *channel = &track->result;
    const size_t count = (size_t)channel->key_count * (size_t)channel->width * (size_t)parts_of(channel);
    const bool exact = track->chosen.choice.coding == PLAN_EXACT;
    double *values = sinewi_arena_array(p->values, double, count);
    float *plain = sinewi_arena_array(p->values, float, count);
    uint32_t *stored = exact ? NULL : sinewi_arena_array(p->values, uint32_t, count);
    double *authored = channel->path == REF_ROTATION ? sinewi_arena_array(p->values, double, count) : NULL;
    if (!values || !plain || (!exact && !stored) || (channel->path == REF_ROTATION && !authored)) return false;
    if (authored) {
        memcpy(authored, channel->values, count * sizeof *authored);
        make_unit(&track->result, authored);
        track->result.values = authored;
    }
    for (size_t i = 0; i < count; i++) {
        values[i] = (double)(float)channel->values[i];
        if (!exact) stored[i] = round_to_step(channel->values[i], track->chosen.choice.precision, &values[i]);
    }
    if (authored && !exact) round_to_unit(channel, track->chosen.choice.precision, stored, values);
    for (size_t i = 0; i < count; i++) plain[i] = (float)values[i];
    track->result.values = values;
    track->plain = (const uint8_t *)plain;
    track->coded = exact ? track->plain : (const uint8_t *)stored;
    track->stride = channel->path == REF_WEIGHTS ? 4 : 4 * channel->width;
    return true;
}

static void share_values(plan_track *track) {
    const plan_track *shared = track->chosen.choice.shared;
    track->result.values = shared->result.values;
    track->coded = shared->coded;
    track->plain = shared->plain;
    track->stride = shared->stride;
}

bool plan_encode(plan *p, plan_track *track) {
    if (track->decoded) return true;
    if (!keep_keys(p, track)) return false;
    if (track->chosen.choice.shared) {
        share_values(track);
        return track->decoded = true;
    }
    return track->decoded = track->chosen.choice.coding == PLAN_QUATERNIONS ? encode_quaternions(p, track)
                                                                            : encode_floats(p, track);
}
