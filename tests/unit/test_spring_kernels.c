// SPDX-License-Identifier: MIT
// The spring kernels give the same bits at every width.
#include "support/random_rig.h"

#include "body/spring_kernels.h"

enum { ROWS = 3 };

// Rows of 16 joints. One is filled completely.
typedef struct row {
    float constants[ROWS][SINEWI_SPRING_CONSTANTS][SINEWI_SPRING_LANES];
    float work[ROWS][SINEWI_SPRING_WORK][SINEWI_SPRING_LANES];
    float pose[SINEWI_SPRING_POSE_PLANES][SINEWI_SPRING_LANES];
    float tails[3][SINEWI_SPRING_LANES];
    float state[SINEWI_SPRING_STATES][SINEWI_SPRING_LANES];
    sinewi_spring_volume volumes[5], last_volumes[5];
    sinewi_spring_collision collisions[5];
    sinewi_spring_job job;
} row;

static void draw_floats(uint64_t *random, void *to, size_t size) {
    float *floats = to;
    for (size_t i = 0; i < size / sizeof *floats; i++) {
        floats[i] = random_next(random) % 13 == 0 ? 0 : random_float(random, -2, 2);
    }
}

// Random numbers with some degenerate lanes: a bone of length 0, a frame of scale 0, opposite directions, NaN.
static void draw_row(uint64_t *random, row *r) {
    memset(r, 0, sizeof *r);
    draw_floats(random, r, offsetof(row, collisions));
    draw_floats(random, r->job.frames, sizeof r->job.frames);
    draw_floats(random, r->job.motion, sizeof r->job.motion);
    for (int l = 0; l < SINEWI_SPRING_LANES; l++) {
        const sinew_quat q = random_quat(random);
        r->pose[3][l] = q.x, r->pose[4][l] = q.y, r->pose[5][l] = q.z, r->pose[6][l] = q.w;
        if (random_next(random) % 5 == 0) r->tails[0][l] = r->tails[1][l] = r->tails[2][l] = 0;
        if (random_next(random) % 20 == 0) r->pose[random_next(random) % 10][l] = NAN;
        if (random_next(random) % 2) {
            for (int i = 0; i < 3; i++) r->job.frames[4 * i + i][l] = 1; // and others
        }
    }
    for (int i = 0; i < 5; i++) {
        r->volumes[i].radius = fabsf(r->volumes[i].radius);
        r->last_volumes[i].radius = fabsf(r->last_volumes[i].radius);
        r->collisions[i] = (sinewi_spring_collision){.volume = i, .lanes = (uint32_t)random_next(random) & 0xffff};
        r->collisions[i].is_plane = i == 2;
        r->collisions[i].is_capsule = i == 1 || i == 4;
        r->collisions[i].is_inside = i >= 3;
    }
    for (int i = 0; i < ROWS; i++) {
        for (int l = 0; l < SINEWI_SPRING_LANES; l++) {
            r->constants[i][SINEWI_SPRING_MASS][l] = i == 0 || random_next(random) % 4 ? 1 : 0;
            r->work[i][0][l] = fabsf(r->work[i][0][l]); // the length
        }
    }
    sinewi_spring_job *job = &r->job;
    job->lane_count = SINEWI_SPRING_LANES;
    job->row = (int32_t)(random_next(random) % ROWS);
    job->row_count = ROWS;
    job->substeps = 1 + (int32_t)(random_next(random) % 3);
    job->skips = random_next(random) % 5 == 0;
    job->lanes = (uint32_t)random_next(random) & 0xffff;
    job->rest_lanes = random_next(random) % 2 ? (uint32_t)random_next(random) & 0xffff : 0;
    job->collision_count = (int32_t)(random_next(random) % 6);
    job->alpha = random_next(random) % 2 ? 1 : random_float(random, 0, 1);
    job->fraction = random_next(random) % 2 ? 1 : random_float(random, 0, 1);
    job->is_vrm = random_next(random) % 3 == 0;
    job->has_limits = random_next(random) % 2;
    job->has_motion = random_next(random) % 2;
    job->starts = random_next(random) % 5 == 0;
    job->stores = random_next(random) % 3 > 0;
    job->writes = random_next(random) % 3 > 0;
}

// Solves a copy of a row in parts of `lane_count` lanes. Returns the lanes with changed poses.
static uint32_t solve_copy(const sinewi_spring_kernels *kernels, const row *drawn, row *r) {
    *r = *drawn;
    r->job.all_constants = r->constants[0][0], r->job.work = r->work[0][0];
    r->job.constants = r->constants[r->job.row][0], r->job.pose = r->pose[0], r->job.tails = r->tails[0];
    r->job.state = r->state[0];
    r->job.volumes = r->volumes, r->job.last_volumes = r->last_volumes, r->job.collisions = r->collisions;
    const uint32_t changed = kernels->changed_lanes(&r->job);
    if (!r->job.is_vrm) {
        float frames[12][SINEWI_SPRING_LANES];
        memcpy(frames, r->job.frames, sizeof frames);
        kernels->aim_row(&r->job);
        kernels->swing_rows(&r->job);
        memcpy(r->job.frames, frames, sizeof frames);
    }
    kernels->solve_row(&r->job);
    return changed;
}

static void check_same_floats(const void *first, const void *second, size_t size) {
    const float *a = first, *b = second;
    for (size_t i = 0; i < size / sizeof *a; i++) {
        if (!(isnan(a[i]) && isnan(b[i]))) assert_memory_equal(&a[i], &b[i], sizeof *a);
    }
}

static void test_kernels_of_all_widths_give_the_same_bits(void **state) {
    (void)state;
    static row drawn, plain, wide;
    uint64_t random = 11;
    int touched = 0, broken = 0;
    for (int run = 0; run < 3000; run++) {
        draw_row(&random, &drawn);
        const uint32_t changed = solve_copy(sinewi_spring_kernels_of(SINEWI_SIMD_SCALAR), &drawn, &plain);
        touched += plain.job.collision_count > 0 && plain.job.moved;
        broken += plain.job.broken != 0;
        for (int level = SINEWI_SIMD_SCALAR + 1; level < SINEWI_SIMD_LEVELS; level++) {
            const sinewi_spring_kernels *kernels = sinewi_spring_kernels_of((sinewi_simd_level)level);
            if (!kernels) continue;
            assert_int_equal(solve_copy(kernels, &drawn, &wide), changed);
            assert_int_equal(wide.job.moved, plain.job.moved);
            assert_int_equal(wide.job.broken, plain.job.broken);
            check_same_floats(plain.state, wide.state, sizeof wide.state);
            for (int l = 0; l < SINEWI_SPRING_LANES; l++) { // a wider kernel may swing more lanes
                if (!(plain.job.lanes & 1u << l)) continue;
                for (int i = 0; i < ROWS; i++) {
                    for (int k = 0; k < SINEWI_SPRING_WORK; k++)
                        check_same_floats(&plain.work[i][k][l], &wide.work[i][k][l], sizeof(float));
                }
            }
            for (int l = 0; l < SINEWI_SPRING_LANES; l++) { // frames of other lanes are undefined
                if (!(plain.job.lanes & ~plain.job.broken & (1u << l))) continue;
                for (int i = 0; i < 12; i++)
                    check_same_floats(&plain.job.frames[i][l], &wide.job.frames[i][l], sizeof(float));
            }
        }
    }
    assert_true(touched > 500 && broken > 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kernels_of_all_widths_give_the_same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
