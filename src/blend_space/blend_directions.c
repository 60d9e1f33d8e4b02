// SPDX-License-Identifier: MIT
// Directional blend spaces: weights from differences in direction and length (gradient band interpolation in polar
// coordinates).
//
// Moving samples are points in polar coordinates, length and angle. The angle is periodic: each sample exists once
// per full turn. Between two points i and j is a band in which i falls from 1 to 0 towards j: 1 - (p - i) · (j - i)
// / |j - i|². The weight of i is the smallest of its bands, summed over its turns. At j the band from i to j is 0,
// and at i all its bands are 1: so at a sample's own point all other weights are 0. The point nearest to p has
// bands of at least 1/2 there, because p is on its side of each middle: so the sum of weights is never 0.
//
// The idle sample has no direction, and so no polar coordinates. Its weight falls from 1 at (0, 0) to 0 at the rim,
// which in each direction is the weighted mean length of the samples at the shortest length. So within all samples
// the weighted mean of the velocities has the length of the parameter; and towards (0, 0) the others fade out, so
// that their direction, which changes ever faster there, has no effect. The rim is never beyond a sample: just
// inside of one, no longer sample has weight, since it is outside of its band to that one.
#include "blend_space/blend_space_data.h"
#include "core/angle.h"

#include <math.h>

// The number of mean lengths that a radian of direction counts in the distance of two samples.
#define ANGLE_SCALE 2.0

#define TURN (ANGLE_SCALE * 0x1.921fb54442d18p+2) // 2 pi of them

static polar_point polar_point_of(double angle, double length, double mean_length) {
    return (polar_point){length / mean_length, ANGLE_SCALE * angle};
}

// The difference by the shorter direction around.
static polar_point difference(polar_point from, polar_point to) {
    double around = to.around - from.around;
    if (around > 0.5 * TURN) around -= TURN;
    if (around < -0.5 * TURN) around += TURN;
    return (polar_point){to.along - from.along, around};
}

// The difference by the longer direction around.
static polar_point longer_difference(polar_point shorter) {
    return (polar_point){shorter.along, shorter.around > 0.0 ? shorter.around - TURN : shorter.around + TURN};
}

static double dot(polar_point a, polar_point b) {
    return a.along * b.along + a.around * b.around;
}

bool sinew_blend_find_velocities(const sinew_blend_sample *samples, int32_t sample_count,
                                 blend_velocity *velocities, sinew_blend_space_data *data, int32_t *a, int32_t *b) {
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
        double angle = sinew_angle((double)sample->x, (double)sample->y);
        velocities[i].point = polar_point_of(angle, velocities[i].length, data->mean_length);
        for (int32_t j = 0; j < i; j++) {
            polar_point apart = difference(velocities[i].point, velocities[j].point);
            if (dot(apart, apart) > 0.0) continue;
            *a = velocities[j].sample;
            *b = velocities[i].sample;
            return false;
        }
    }
    return true;
}

// The value of a sample's band towards another one, which is at `there`, for a point at `here`, both relative to
// the sample.
static double band(polar_point here, polar_point there) {
    double whole = dot(there, there), done = dot(here, there);
    return done < whole ? (whole - done) / whole : 0.0;
}

// The smallest of a velocity's bands for a point at `here` relative to it. For each other velocity the nearest
// turns on both sides suffice: the difference to a further turn is the sum of a nearer one and a full turn in about
// the same direction, and its band is no smaller than both of theirs.
static double smallest_band(const blend_velocity *velocities, int32_t count, int32_t i, polar_point here) {
    polar_point itself = {0.0, here.around > 0.0 ? TURN : -TURN};
    double least = band(here, itself);
    for (int32_t j = 0; j < count && least > 0.0; j++) {
        if (j == i) continue;
        polar_point there = difference(velocities[i].point, velocities[j].point);
        double left = band(here, there);
        if (left < least) least = left;
        left = band(here, longer_difference(there));
        if (left < least) least = left;
    }
    return least < 1.0 ? least : 1.0;
}

// Computes the weights of the velocities at a point; returns their weighted mean length.
static double add_band_weights(const sinew_blend_space *space, polar_point point, double *weights) {
    const blend_velocity *velocities = space->data->velocities;
    int32_t count = space->sample_count - 1;
    double sum = 0.0, lengths = 0.0;
    for (int32_t i = 0; i < count; i++) {
        polar_point here = difference(velocities[i].point, point);
        double weight = smallest_band(velocities, count, i, here) +
                        smallest_band(velocities, count, i, longer_difference(here));
        weights[velocities[i].sample] = weight;
        sum += weight;
        lengths += weight * velocities[i].length;
    }
    for (int32_t i = 0; i < count; i++) weights[velocities[i].sample] /= sum;
    return lengths / sum;
}

void sinew_blend_direction_weights(const sinew_blend_space *space, float x, float y, double *weights) {
    const sinew_blend_space_data *data = space->data;
    double length = sqrt((double)x * (double)x + (double)y * (double)y), angle = sinew_angle((double)x, (double)y);
    double rim = add_band_weights(space, polar_point_of(angle, data->shortest, data->mean_length), weights);
    if (length > data->shortest) {
        double within = length < data->longest ? length : data->longest;
        add_band_weights(space, polar_point_of(angle, within, data->mean_length), weights);
    }
    if (length >= rim) return;
    double moving = length / rim;
    for (int32_t i = 0; i < space->sample_count; i++) weights[i] *= moving;
    weights[data->idle] = 1.0 - moving;
}
