// Blend spaces of velocities: shares by direction and length apart.
//
// The samples that move are points of a strip, with their length along it and their angle around it, which comes
// round again every full turn: each sample is there once for every turn. Between two points i and j lies a band in
// which i falls from 1 to 0 on the way to j: 1 - (p - i) · (j - i) / |j - i|². The share of i is the least of its
// bands', and summed over its turns. At j the band from i to j is 0, and at i all its bands are 1: so a sample is
// alone at its own point. The point that is nearest to p has bands of at least 1/2 there, since p is on its side of
// each middle: so there is always something to share.
//
// The sample that stands still has no direction, and no place in the strip. From (0, 0) outwards it falls from 1 to
// 0 at the rim, which in each direction is as far as the others are there at their shortest, on average. So a
// parameter within all of them is the mean of the velocities, weighted, in its length; and as it goes to (0, 0) the
// others fade out, so that it does not matter that their directions turn faster and faster there. The rim is never
// beyond a sample: right inside of one no longer sample has a share, being behind its band to that one.
#include "blend_space/blend_space_data.h"
#include "core/angle.h"

#include <math.h>

// In the distance of two samples a radian of direction counts as so many mean lengths.
#define ANGLE_SCALE 2.0

#define TURN (ANGLE_SCALE * 0x1.921fb54442d18p+2) // 2 pi of them

static strip_place place_of(double angle, double length, double mean_length) {
    return (strip_place){length / mean_length, ANGLE_SCALE * angle};
}

// The shorter way round.
static strip_place way(strip_place from, strip_place to) {
    double around = to.around - from.around;
    if (around > 0.5 * TURN) around -= TURN;
    if (around < -0.5 * TURN) around += TURN;
    return (strip_place){to.along - from.along, around};
}

// The longer one, to the nearest turn on the other side.
static strip_place other_way(strip_place shorter) {
    return (strip_place){shorter.along, shorter.around > 0.0 ? shorter.around - TURN : shorter.around + TURN};
}

static double dot(strip_place a, strip_place b) {
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
            data->still = i;
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
        velocities[i].place = place_of(angle, velocities[i].length, data->mean_length);
        for (int32_t j = 0; j < i; j++) {
            strip_place apart = way(velocities[i].place, velocities[j].place);
            if (dot(apart, apart) > 0.0) continue;
            *a = velocities[j].sample;
            *b = velocities[i].sample;
            return false;
        }
    }
    return true;
}

// What a band leaves of a sample `here`, seen from it, on the way to another.
static double left_in_band(strip_place here, strip_place there) {
    double whole = dot(there, there), done = dot(here, there);
    return done < whole ? (whole - done) / whole : 0.0;
}

// The least that all bands leave of a velocity at a place that is `here` from it. Of each other one the nearest
// turn on either side is enough: the way to one further off is the sum of a nearer one's and a full turn in about
// the same direction, and what its band leaves is no less than what both of theirs do.
static double share_at(const blend_velocity *velocities, int32_t count, int32_t i, strip_place here) {
    strip_place itself = {0.0, here.around > 0.0 ? TURN : -TURN};
    double least = left_in_band(here, itself);
    for (int32_t j = 0; j < count && least > 0.0; j++) {
        if (j == i) continue;
        strip_place there = way(velocities[i].place, velocities[j].place);
        double left = left_in_band(here, there);
        if (left < least) least = left;
        left = left_in_band(here, other_way(there));
        if (left < least) least = left;
    }
    return least < 1.0 ? least : 1.0;
}

// Shares of the velocities at a place; returns their mean length.
static double share_bands(const sinew_blend_space *space, strip_place place, double *shares) {
    const blend_velocity *velocities = space->data->velocities;
    int32_t count = space->sample_count - 1;
    double sum = 0.0, lengths = 0.0;
    for (int32_t i = 0; i < count; i++) {
        strip_place here = way(velocities[i].place, place);
        double share = share_at(velocities, count, i, here) + share_at(velocities, count, i, other_way(here));
        shares[velocities[i].sample] = share;
        sum += share;
        lengths += share * velocities[i].length;
    }
    for (int32_t i = 0; i < count; i++) shares[velocities[i].sample] /= sum;
    return lengths / sum;
}

void sinew_blend_direction_shares(const sinew_blend_space *space, float x, float y, double *shares) {
    const sinew_blend_space_data *data = space->data;
    double length = sqrt((double)x * (double)x + (double)y * (double)y), angle = sinew_angle((double)x, (double)y);
    double rim = share_bands(space, place_of(angle, data->shortest, data->mean_length), shares);
    if (length > data->shortest) {
        double within = length < data->longest ? length : data->longest;
        share_bands(space, place_of(angle, within, data->mean_length), shares);
    }
    if (length >= rim) return;
    double moving = length / rim;
    for (int32_t i = 0; i < space->sample_count; i++) shares[i] *= moving;
    shares[data->still] = 1.0 - moving;
}
