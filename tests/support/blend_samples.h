// SPDX-License-Identifier: MIT
// Helpers for tests of blend spaces: create one from positions, check its weights, and find jumps.
#ifndef BLEND_SAMPLES_H
#define BLEND_SAMPLES_H

#include "support/check.h"

enum { MOST = SINEW_MAX_BLEND_SAMPLES };

typedef struct place {
    float x, y;
} place;

typedef struct world {
    sinew_skeleton *skeleton, *other;
    sinew_clip *clip, *foreign;
} world;

static world w;

static inline int set_up(void **state) {
    (void)state;
    w.skeleton = make_chain(2);
    w.other = make_chain(2);
    w.clip = make_slide(w.skeleton, "slide", 0, 1, 1);
    w.foreign = make_slide(w.other, "foreign", 0, 1, 1);
    return 0;
}

static inline int tear_down(void **state) {
    (void)state;
    sinew_clip_destroy(w.clip);
    sinew_clip_destroy(w.foreign);
    sinew_skeleton_destroy(w.skeleton);
    sinew_skeleton_destroy(w.other);
    return 0;
}

static inline void place_samples(const place *places, int32_t count, sinew_blend_sample *samples) {
    for (int32_t i = 0; i < count; i++) samples[i] = (sinew_blend_sample){w.clip, places[i].x, places[i].y, 1};
}

static inline sinew_blend_space *make_space(sinew_blend_space_kind kind, const place *places, int32_t count) {
    sinew_blend_sample samples[MOST];
    place_samples(places, count, samples);
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = w.skeleton;
    def.kind = kind;
    def.samples = samples;
    def.sample_count = count;
    sinew_blend_space *space;
    sinew_error error = {0};
    if (sinew_blend_space_create(&def, &space, &error) != SINEW_OK) fail_msg("%s", error.message);
    return space;
}

// The weight of each sample, including 0. Checks them first.
static inline int32_t weigh(const sinew_blend_space *space, float x, float y, double weights[MOST]) {
    sinew_blend_weight given[SINEW_MAX_BLEND_WEIGHTS];
    int32_t count = sinew_blend_space_weights(space, x, y, given);
    int32_t most = space->kind == SINEW_BLEND_SPACE_LINE ? 2 : space->kind == SINEW_BLEND_SPACE_TRIANGLES ? 3 : 32;
    assert_in_range(count, 1, most);
    memset(weights, 0, MOST * sizeof *weights);
    double sum = 0;
    for (int32_t i = 0; i < count; i++) {
        assert_in_range(given[i].sample, i ? given[i - 1].sample + 1 : 0, space->sample_count - 1);
        assert_true(given[i].weight > 0 && given[i].weight <= 1);
        weights[given[i].sample] = (double)given[i].weight;
        sum += (double)given[i].weight;
    }
    check_near(sum, 1, 1e-7 * count);
    return count;
}

static inline void check_samples_are_alone_at_their_points(const sinew_blend_space *space) {
    for (int32_t i = 0; i < space->sample_count; i++) {
        sinew_blend_weight given[SINEW_MAX_BLEND_WEIGHTS];
        assert_int_equal(sinew_blend_space_weights(space, space->samples[i].x, space->samples[i].y, given), 1);
        assert_int_equal(given[0].sample, i);
        assert_true(given[0].weight == 1);
    }
}

static inline int32_t random_below(uint64_t *random, int32_t limit) {
    return (int32_t)(random_next(random) % (uint32_t)limit);
}

// ---- Continuity ----------------------------------------------------------------------------------------------

static inline double greatest_change(const double *a, const double *b, int32_t count) {
    double greatest = 0;
    for (int32_t i = 0; i < count; i++) greatest = fmax(greatest, fabs(a[i] - b[i]));
    return greatest;
}

// Repeatedly halves the part of a path in which weights change most, until no floats are between its ends. On all the
// ways down, weights may change by `slope` per unit of distance, and by rounding: for each sample, a share below
// 2^-24 is dropped and the others are rounded.
static inline void check_no_jump(const sinew_blend_space *space, place from, place to, double slope) {
    double a[MOST], b[MOST], m[MOST], rounding = 2e-7 * (1 + space->sample_count);
    weigh(space, from.x, from.y, a);
    weigh(space, to.x, to.y, b);
    for (int i = 0; i < 60; i++) {
        double distance = hypot((double)to.x - from.x, (double)to.y - from.y);
        check_near(greatest_change(a, b, space->sample_count), 0, slope * distance + rounding);
        place middle = {0.5f * from.x + 0.5f * to.x, 0.5f * from.y + 0.5f * to.y};
        weigh(space, middle.x, middle.y, m);
        bool first = greatest_change(a, m, space->sample_count) > greatest_change(m, b, space->sample_count);
        if (first) {
            to = middle;
            memcpy(b, m, sizeof b);
        } else {
            from = middle;
            memcpy(a, m, sizeof a);
        }
    }
}

static inline void check_continuity(const sinew_blend_space *space, double slope, float range, uint64_t *random) {
    place at = {0, 0};
    for (int i = 0; i < 300; i++) { // small and large steps, sometimes through (0, 0)
        float step = i % 3 ? range : 0.05f * range;
        place to = {at.x + random_float(random, -step, step), at.y + random_float(random, -step, step)};
        if (i % 7 == 0 || fabsf(to.x) > 2 * range || fabsf(to.y) > 2 * range) to = (place){0, 0};
        check_no_jump(space, at, to, slope);
        at = to;
    }
}

#endif
