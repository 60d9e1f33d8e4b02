// Blend spaces of velocities: shares by direction and length apart.
//
// The samples that move are points of a strip, with their length along it and their angle around it, which comes
// round again every full turn: each sample is there once for every turn. Between two points i and j lies a band in
// which i falls from 1 to 0 on the way to j: 1 - (p - i) · (j - i) / |j - i|². The share of i is the least of its
// bands', and summed over its turns. At j the band from i to j is 0, and at i all its bands are 1: so a sample is
// alone at its own point. The point that is nearest to p has bands of at least 1/2 there, since p is on its side of
// each middle: so there is always something to share.
//
// The sample that stands still has no direction, and no place in the strip. It takes what makes the others, L on
// average, as slow as the parameter's length l: 1 - l / L, while l is below L. As l goes to 0 the others' shares
// fade out in proportion, so that it does not matter that their directions turn faster and faster there.
#include "anim/blend_space_data.h"
#include "base/angle.h"

#include <math.h>

#define TURN 0x1.921fb54442d18p+2 // 2 pi

// How much further apart a radian of direction puts two samples than as much of the mean length.
#define ANGLE_SCALE 2.0

// From one point of the strip to another.
typedef struct strip_way {
    double along, around;
} strip_way;

// To a velocity of this angle and length, so many turns on from where it is nearest.
static strip_way way_to(const blend_velocity *from, double angle, double length, int turns, double mean_length) {
    double around = angle - from->angle;
    if (around > 0.5 * TURN) around -= TURN;
    if (around < -0.5 * TURN) around += TURN;
    return (strip_way){(length - from->length) / mean_length, ANGLE_SCALE * (around + (double)turns * TURN)};
}

static double dot(strip_way a, strip_way b) {
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
        velocities[count++] = (blend_velocity){i, sinew_angle(x, y), length};
        sum += length;
        if (length < data->shortest) data->shortest = length;
        if (length > data->longest) data->longest = length;
    }
    data->velocities = velocities;
    data->mean_length = sum / (double)count;
    for (int32_t i = 1; i < count; i++) {
        for (int32_t j = 0; j < i; j++) {
            strip_way way = way_to(&velocities[i], velocities[j].angle, velocities[j].length, 0, data->mean_length);
            if (dot(way, way) > 0.0) continue;
            *a = velocities[j].sample;
            *b = velocities[i].sample;
            return false;
        }
    }
    return true;
}

// The least of the bands around a velocity at a point that lies so from it. Of the others' turns the nearest ones are
// enough: the way to one that is further off is the sum of the way to a nearer one and a full turn in about the same
// direction, and its band is no less than both of theirs.
static double band(const sinew_blend_space_data *data, int32_t count, const blend_velocity *from, strip_way here) {
    double least = 1.0;
    for (int32_t j = 0; j < count; j++) {
        const blend_velocity *to = &data->velocities[j];
        for (int turns = -1; turns <= 1; turns++) {
            if (to == from && turns == 0) continue;
            strip_way way = way_to(from, to->angle, to->length, turns, data->mean_length);
            double left = 1.0 - dot(here, way) / dot(way, way);
            if (!(left > 0.0)) return 0.0;
            if (left < least) least = left;
        }
    }
    return least;
}

void sinew_blend_direction_shares(const sinew_blend_space *space, float x, float y, double *shares) {
    const sinew_blend_space_data *data = space->data;
    int32_t count = space->sample_count - 1;
    double length = sqrt((double)x * (double)x + (double)y * (double)y), angle = sinew_angle((double)x, (double)y);
    double in_strip = length < data->shortest ? data->shortest : length > data->longest ? data->longest : length;
    double sum = 0.0, lengths = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const blend_velocity *velocity = &data->velocities[i];
        double share = 0.0;
        for (int turns = -1; turns <= 1; turns++) {
            share += band(data, count, velocity, way_to(velocity, angle, in_strip, turns, data->mean_length));
        }
        shares[velocity->sample] = share;
        sum += share;
        lengths += share * velocity->length;
    }
    double mean = lengths / sum;
    if (!(length < mean)) return;
    for (int32_t i = 0; i < count; i++) shares[data->velocities[i].sample] *= length / mean;
    shares[data->still] = sum * (1.0 - length / mean);
}
