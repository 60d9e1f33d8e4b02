// SPDX-License-Identifier: MIT
// Finds values in earlier clips that a track can use instead of its own. They don't cost an accessor.
#include "optimize/plan.h"

#include <math.h>

static int32_t parts_of(const ref_channel *channel) {
    return channel->interpolation == REF_CUBICSPLINE ? 3 : 1;
}

// How many tracks to compare, starting with the latest.
enum { MAX_COMPARED = 256 };

static int32_t bucket_of(const ref_channel *channel, int32_t key_count) {
    return (2 * key_count + (channel->path == REF_ROTATION)) % PLAN_BUCKETS;
}

void plan_keep_values(plan *p, int32_t animation) {
    const int32_t count = p->body->models[0]->animations[animation].channel_count;
    for (int32_t i = 0; i < count; i++) {
        plan_track *track = &p->tracks[animation][i];
        if (track->chosen.choice.level < 0 || track->chosen.choice.shared || track->source->path == REF_WEIGHTS)
            continue;
        plan_track **bucket = &p->buckets[bucket_of(track->source, track->result.key_count)];
        track->earlier = *bucket;
        *bucket = track;
    }
}

// Returns the largest difference between a track's values and another track's. Infinite above a limit.
static double difference(plan *p, const plan_track *track, const plan_level *level, const ref_channel *other,
                         double limit) {
    double largest = 0.0;
    int32_t i = 0;
    for (; i < level->key_count && largest <= limit; i++) {
        const double *value = level->constant ? track->constant : plan_value(track->source, level->keys[i]);
        largest = fmax(largest, plan_difference(track->source, value, plan_value(other, i)));
    }
    compare_count(&p->measure, 16.0 * (double)i);
    return largest <= limit ? largest : (double)INFINITY;
}

const plan_track *plan_find_similar(plan *p, const plan_track *track, const plan_level *level, double *error) {
    const plan_track *nearest = NULL;
    *error = 8.0 * plan_tolerance(p, track);
    if (track->source->path == REF_WEIGHTS || parts_of(track->source) != 1) return NULL;
    const plan_track *other = p->buckets[bucket_of(track->source, level->key_count)];
    for (int32_t i = 0; other && i < MAX_COMPARED && compare_count(&p->measure, 1.0); i++, other = other->earlier) {
        if (other->result.key_count != level->key_count || parts_of(&other->result) != 1 ||
            (other->source->path == REF_ROTATION) != (track->source->path == REF_ROTATION))
            continue;
        const double found = difference(p, track, level, &other->result, *error);
        if (!(found < *error)) continue;
        *error = found;
        nearest = other;
    }
    return nearest;
}
