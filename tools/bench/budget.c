// SPDX-License-Identifier: MIT
// Measures a crowd within a budget. Compares some palettes to find their errors.
#include <sinew/mixer_pose.h>
#include <sinew/motion/crowd.h>

#include "bench/budget.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { TWINS = 1250, COMPARE_EACH = 10, SIDE = 100 };

static const float frame = 1.0f / 60.0f, spacing = 1.5f, front = 2.0f; // seconds, then meters
static const float edges[BENCH_BUDGET_BANDS + 1] = {0, 5, 10, 20, 40, 80, 1000};

// The distance at which a meter is as many pixels high as the picture: 540 / tan 30 degrees.
static const float pixels_at_one_metre = 935.3f;

// Returns the thread's CPU time. It doesn't include other programs on the same core.
static double cpu_seconds(void *unused) {
    (void)unused;
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Returns a character's distance on the square. Neighbors in memory are far apart.
static float distance_of(int32_t character) {
    int32_t slot = (int32_t)((int64_t)character * 7919 % BENCH_BUDGET_CHARACTERS);
    int32_t column = slot % SIDE, row = slot / SIDE;
    float x = spacing * ((float)column - 0.5f * SIDE), z = front + spacing * (float)row;
    return sqrtf(x * x + z * z);
}

static int band_of(float distance) {
    int band = 0;
    while (band + 1 < BENCH_BUDGET_BANDS && distance >= edges[band + 1]) band++;
    return band;
}

// A band's characters, summed over all frames, their poses, and the joints that were compared.
typedef struct band_count {
    double characters, poses, errors;
} band_count;

// ---- Errors --------------------------------------------------------------------------------------------------

static float joint_error(const sinew_skin *skin, int32_t joint, const sinew_affine *a, const sinew_affine *b) {
    sinew_affine bind = sinew_affine_inverse(skin->inverse_binds[joint]);
    sinew_vec3 at = {bind.m[0][3], bind.m[1][3], bind.m[2][3]};
    return sinew_vec3_length(sinew_vec3_subtract(sinew_affine_point(*a, at), sinew_affine_point(*b, at)));
}

static void compare(bench_budget *budget, const bench_crowd *crowd, bench_crowd *twins, int32_t character,
                    band_count counts[BENCH_BUDGET_BANDS]) {
    const sinew_skin *skin = crowd->world->skin;
    const sinew_affine *palette = crowd->items[character].palette;
    sinew_mixer_evaluate(twins->items[character].mixer);
    bench_crowd_model(twins, character, 1);
    bench_crowd_palette(twins, character, 1);
    float distance = distance_of(character);
    bench_budget_band *band = &budget->bands[band_of(distance)];
    for (int32_t i = 0; i < skin->joint_count; i++) {
        float error = joint_error(skin, i, &palette[i], &twins->items[character].palette[i]);
        band->error = fmaxf(band->error, error);
        band->mean += (double)error; // a sum until all are known
        counts[band - budget->bands].errors += 1.0;
        band->pixels = fmaxf(band->pixels, error / distance * pixels_at_one_metre);
    }
}

static void update_twins(bench_budget *budget, const bench_crowd *crowd, bench_crowd *twins, int32_t number,
                         band_count counts[BENCH_BUDGET_BANDS]) {
    for (int32_t i = 0; i < twins->count; i++) {
        sinew_mixer_advance(twins->items[i].mixer, frame);
        if (number % COMPARE_EACH == COMPARE_EACH - 1) compare(budget, crowd, twins, i, counts);
    }
}

// ---- Frames --------------------------------------------------------------------------------------------------

static void count_poses(const bench_crowd *crowd, band_count counts[BENCH_BUDGET_BANDS]) {
    for (int32_t i = 0; i < crowd->count; i++) {
        band_count *count = &counts[band_of(distance_of(i))];
        count->characters += 1.0;
        count->poses += crowd->items[i].changed ? 1.0 : 0.0;
    }
}

static void run_frames(bench_budget *budget, bench_crowd *crowd, bench_crowd *twins, double *used) {
    band_count counts[BENCH_BUDGET_BANDS] = {{0}};
    sinew_batch_budget limit = sinew_batch_budget_default();
    limit.seconds = (float)budget->seconds;
    limit.clock = cpu_seconds;
    for (int32_t i = 0; i < budget->frames; i++) {
        double start = cpu_seconds(NULL);
        sinew_batch_update_within(&limit, crowd->items, 0, crowd->count, frame);
        used[i] = cpu_seconds(NULL) - start;
        budget->kept += used[i] <= budget->seconds;
        budget->poses += (double)limit.poses / (double)budget->frames;
        count_poses(crowd, counts);
        update_twins(budget, crowd, twins, i, counts);
    }
    for (int i = 0; i < BENCH_BUDGET_BANDS; i++) {
        budget->bands[i].interval = counts[i].poses > 0.0 ? counts[i].characters / counts[i].poses : 0.0;
        if (counts[i].errors > 0.0) budget->bands[i].mean /= counts[i].errors;
    }
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void summarize(bench_budget *budget, double *used) {
    size_t frames = (size_t)budget->frames;
    qsort(used, frames, sizeof *used, ascending);
    budget->least = used[0];
    budget->median = used[frames / 2];
    budget->percentile_99 = used[frames * 99 / 100];
    budget->most = used[frames - 1];
}

bool bench_budget_measure(const bench_world *world, double seconds, int32_t frames, bench_budget *budget) {
    *budget = (bench_budget){.seconds = seconds, .characters = BENCH_BUDGET_CHARACTERS, .frames = frames};
    for (int i = 0; i < BENCH_BUDGET_BANDS; i++) {
        budget->bands[i].nearest = edges[i];
        budget->bands[i].farthest = edges[i + 1];
    }
    double *used = bench_allocate((size_t)frames, sizeof *used);
    bench_crowd *crowd = bench_crowd_create(world, BENCH_BUDGET_CHARACTERS, BENCH_FORWARD);
    bench_crowd *twins = bench_crowd_create(world, TWINS, BENCH_FORWARD); // they start like the crowd's first ones
    bool good = crowd && twins;
    for (int32_t i = 0; good && i < crowd->count; i++) {
        crowd->items[i].palette_only = true;
        crowd->items[i].significance = 1.0f / distance_of(i);
    }
    if (good) run_frames(budget, crowd, twins, used);
    summarize(budget, used);
    bench_crowd_destroy(crowd);
    bench_crowd_destroy(twins);
    bench_release(used);
    return good;
}
