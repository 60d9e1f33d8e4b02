// SPDX-License-Identifier: MIT
// Computes the weights of a directional blend space. Its parameter (x, y) is a velocity, and so is each sample: a
// direction and a speed.
//
// The weights use gradient band interpolation in polar coordinates. Each sample except the idle one is a point with a
// length, its distance from (0, 0), and an angle. Angles are periodic, so each point repeats every full turn. Between
// two points i and j lies a band. For the parameter's point p, the value of i in this band is 1 - (p - i) · (j - i) /
// |j - i|². It falls from 1 at i to 0 at j. The weight of i is the smallest value over its bands, summed over the turns
// of p.
//
//   - At a sample's own point, all other weights are 0. At j the band from i to j is 0, and at i all its bands are 1.
//   - The weights never sum to 0. In each band of the point nearest to p, p is before the middle, where the value is at
//     least 1/2.
//
// The idle sample at (0, 0) has no direction and thus no polar coordinates. Its weight falls from 1 at (0, 0) to 0 at
// the rim. The rim is a length for each direction: the mean length of the samples, using their weights at the shortest
// sample's length. This way the weighted mean of the velocities has the parameter's length everywhere inside the rim.
// Toward (0, 0) the moving samples fade out. Their direction changes ever faster there, but doesn't matter anymore. The
// rim is never beyond a sample: just inside a sample, no longer sample has weight, because the point is outside the
// band between them.
//
// A polar_point stores its length in `along`, relative to the samples' mean length, and its angle in `around`, in half
// radians.
#include "core/blend_space_data.h"
#include "base/angle.h"

#include <math.h>

// How many mean lengths a radian of direction counts for in the distance between two samples.
#define ANGLE_SCALE 2.0

#define TURN (ANGLE_SCALE * 0x1.921fb54442d18p+2) // 2 pi radians

// `angle` is in radians, `length` in parameter units.
static polar_point make_polar_point(double angle, double length, double mean_length) {
    return (polar_point){length / mean_length, ANGLE_SCALE * angle};
}

// Returns the difference, going the shorter way around.
static polar_point shorter_difference(polar_point from, polar_point to) {
    double around = to.around - from.around;
    if (around > 0.5 * TURN) around -= TURN;
    if (around < -0.5 * TURN) around += TURN;
    return (polar_point){to.along - from.along, around};
}

// Returns the difference, going the longer way around.
static polar_point longer_difference(polar_point shorter) {
    return (polar_point){shorter.along, shorter.around > 0.0 ? shorter.around - TURN : shorter.around + TURN};
}

static double dot(polar_point a, polar_point b) {
    return a.along * b.along + a.around * b.around;
}

// Adds a band to a sorted list. Insertion sort, because there are few samples.
static void insert_band(blend_band *bands, int32_t count, polar_point other) {
    const double square = dot(other, other);
    int32_t slot = count;
    for (; slot > 0 && square < bands[slot - 1].square; slot--) bands[slot] = bands[slot - 1];
    bands[slot] = (blend_band){other, square};
}

// Finds a velocity's bands to all others. For each of them, the nearest turns on both sides are enough. The difference
// to a farther turn is the sum of a nearer one and a full turn in about the same direction, so its band isn't smaller
// than both of theirs.
static void find_bands(const blend_velocity *velocities, int32_t count, int32_t i, blend_band *bands) {
    int32_t found = 0;
    for (int32_t j = 0; j < count; j++) {
        if (j == i) continue;
        const polar_point other = shorter_difference(velocities[i].point, velocities[j].point);
        insert_band(bands, found++, other);
        insert_band(bands, found++, longer_difference(other));
    }
}

// Converts the samples to polar points and finds the idle one. If two samples have the same angle and length, returns
// false and these samples.
bool sinewi_blend_find_velocities(const sinew_blend_sample *samples, int32_t sample_count,
                                  blend_velocity *velocities, blend_band *bands, sinew_blend_space_data *data,
                                  int32_t *a, int32_t *b) {
    int32_t count = 0;
    double sum = 0.0;
    data->shortest = HUGE_VAL;
    data->longest = 0.0;
    for (int32_t i = 0; i < sample_count; i++) {
        double x = (double)samples[i].x, y = (double)samples[i].y, length = sqrt(x * x + y * y);
        if (length == 0.0) {
            data->idle = i;
            continue;
        }
        velocities[count++] = (blend_velocity){.sample = i, .length = length};
        sum += length;
        if (length < data->shortest) data->shortest = length;
        if (length > data->longest) data->longest = length;
    }
    data->velocities = velocities;
    data->mean_length = sum / (double)count;
    for (int32_t i = 0; i < count; i++) {
        const sinew_blend_sample *sample = &samples[velocities[i].sample];
        double angle = sinewi_angle((double)sample->x, (double)sample->y);
        velocities[i].point = make_polar_point(angle, velocities[i].length, data->mean_length);
        for (int32_t j = 0; j < i; j++) {
            polar_point apart = shorter_difference(velocities[i].point, velocities[j].point);
            if (dot(apart, apart) > 0.0) continue;
            *a = velocities[j].sample;
            *b = velocities[i].sample;
            return false;
        }
    }
    data->bands = bands;
    for (int32_t i = 0; i < count; i++)
        find_bands(velocities, count, i, &bands[(size_t)i * 2 * (size_t)(count - 1)]);
    return true;
}

// Returns a band's value at the parameter's point, which is relative to the sample. The value is 1 at the sample and 0
// at the other one and beyond. It exceeds 1 on the sample's far side.
static double band_value(polar_point offset, const blend_band *band) {
    double projection = dot(offset, band->other);
    return projection < band->square ? (band->square - projection) / band->square : 0.0;
}

// Returns the smallest value of a velocity's bands, at most 1. `offset` leads from it to the parameter's point. The
// nearest bands come first, because a far point is beyond one of them. Then the value is 0 and the rest doesn't matter.
static double smallest_band(const blend_band *bands, int32_t count, polar_point offset) {
    const blend_band own_next_turn = {{0.0, offset.around > 0.0 ? TURN : -TURN}, TURN * TURN};
    double least = band_value(offset, &own_next_turn);
    for (int32_t i = 0; i < count && least > 0.0; i++) {
        const double value = band_value(offset, &bands[i]);
        if (value < least) least = value;
    }
    return least < 1.0 ? least : 1.0;
}

// Sets the velocities' weights at a point so they sum to 1. Returns the weighted mean length.
static double set_band_weights(const sinew_blend_space *space, polar_point point, double *weights) {
    const blend_velocity *velocities = space->data->velocities;
    int32_t count = space->sample_count - 1, band_count = 2 * (count - 1);
    double sum = 0.0, lengths = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const blend_band *bands = &space->data->bands[(size_t)i * (size_t)band_count];
        polar_point offset = shorter_difference(velocities[i].point, point);
        double weight =
            smallest_band(bands, band_count, offset) + smallest_band(bands, band_count, longer_difference(offset));
        weights[velocities[i].sample] = weight;
        sum += weight;
        lengths += weight * velocities[i].length;
    }
    for (int32_t i = 0; i < count; i++) weights[velocities[i].sample] /= sum;
    return lengths / sum;
}

// Beyond the shortest length, uses the weights at the parameter's point. Below it, uses the weights in this direction
// at the shortest length and fades them to the idle sample.
void sinewi_blend_direction_weights(const sinew_blend_space *space, float x, float y, double *weights) {
    const sinew_blend_space_data *data = space->data;
    double length = sqrt((double)x * (double)x + (double)y * (double)y), angle = sinewi_angle((double)x, (double)y);
    double rim = set_band_weights(space, make_polar_point(angle, data->shortest, data->mean_length), weights);
    if (length > data->shortest) {
        double clamped_length = length < data->longest ? length : data->longest;
        set_band_weights(space, make_polar_point(angle, clamped_length, data->mean_length), weights);
    }
    if (length >= rim) return;
    double moving_weight = length / rim;
    for (int32_t i = 0; i < space->sample_count; i++) weights[i] *= moving_weight;
    weights[data->idle] = 1.0 - moving_weight;
}
