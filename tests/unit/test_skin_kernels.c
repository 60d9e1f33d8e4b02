// SPDX-License-Identifier: MIT
// Skinning in vectors: every width gives the bits of plain C, for every format, stride and count, and writes nothing
// beside its vertices; a job may be split anywhere.
#include "support/check.h"

#include "kernels/kernels.h"

enum { MOST = 67, JOINTS = 40, GUARD = 16 };

// A job with memory of its own: `gap` bytes lie between the vertices of each array.
typedef struct drawn_job {
    sinew_skin_job job;
    unsigned char joints[MOST * 40], weights[MOST * 60], in[3][MOST * 40], out[3][MOST * 40 + GUARD];
} drawn_job;

static const size_t part_sizes[3] = {12, 12, 16};

static void draw_floats(unsigned char *to, size_t stride, size_t floats, uint64_t *random) {
    for (size_t v = 0; v < MOST; v++) {
        float values[4];
        for (size_t i = 0; i < floats; i++) {
            values[i] = random_float(random, -2, 2);
            if (random_next(random) % 40 == 0) values[i] = i % 2 ? 0 : 1e-38f;
        }
        memcpy(to + v * stride, values, floats * sizeof(float));
    }
}

static void draw_influences(drawn_job *d, uint64_t *random) {
    sinew_skin_job *job = &d->job;
    for (int v = 0; v < MOST; v++) {
        unsigned char *joints = d->joints + (size_t)v * job->joint_stride;
        unsigned char *weights = d->weights + (size_t)v * job->weight_stride;
        for (int i = 0; i < job->influences; i++) {
            uint16_t joint = (uint16_t)(random_next(random) % JOINTS), word = (uint16_t)random_next(random);
            float share = (float)word / 65535.0f;
            if (job->joint_format == SINEW_JOINTS_U8) joints[i] = (unsigned char)joint;
            if (job->joint_format == SINEW_JOINTS_U16) memcpy(joints + 2 * i, &joint, 2);
            if (job->weight_format == SINEW_WEIGHTS_U8) weights[i] = (unsigned char)word;
            if (job->weight_format == SINEW_WEIGHTS_U16) memcpy(weights + 2 * i, &word, 2);
            if (job->weight_format == SINEW_WEIGHTS_FLOAT) memcpy(weights + 4 * i, &share, 4);
        }
    }
}

// The bits of `kind` choose influences, formats, gaps and parts.
static void draw_job(drawn_job *d, unsigned kind, uint64_t *random) {
    memset(d, 0, sizeof *d);
    sinew_skin_job *job = &d->job;
    *job = sinew_skin_job_default();
    size_t gap = kind & 1 ? 4 : 0;
    job->influences = kind & 2 ? 8 : 4;
    job->joint_format = kind & 4 ? SINEW_JOINTS_U8 : SINEW_JOINTS_U16;
    job->weight_format = (sinew_weight_format)(kind / 8 % 3);
    static const size_t weight_sizes[] = {
        [SINEW_WEIGHTS_FLOAT] = 4, [SINEW_WEIGHTS_U8] = 1, [SINEW_WEIGHTS_U16] = 2};
    size_t influences = (size_t)job->influences;
    job->joint_stride = influences * (job->joint_format == SINEW_JOINTS_U8 ? 1 : 2) + gap;
    job->weight_stride = influences * weight_sizes[job->weight_format] + gap;
    job->joints = d->joints, job->weights = d->weights;
    job->positions = (float *)(void *)d->in[0], job->out_positions = (float *)(void *)d->out[0];
    job->position_stride = job->out_position_stride = part_sizes[0] + gap;
    job->normal_stride = job->out_normal_stride = part_sizes[1] + gap;
    job->tangent_stride = job->out_tangent_stride = part_sizes[2] + gap;
    if (kind / 24 % 3 >= 1) job->normals = (float *)(void *)d->in[1], job->out_normals = (float *)(void *)d->out[1];
    if (kind / 24 % 3 == 2)
        job->tangents = (float *)(void *)d->in[2], job->out_tangents = (float *)(void *)d->out[2];
    for (int p = 0; p < 3; p++) draw_floats(d->in[p], part_sizes[p] + gap, part_sizes[p] / 4, random);
    draw_influences(d, random);
}

enum { KINDS = 72 };

static void draw_palette(sinew_affine *palette, uint64_t *random) {
    for (int i = 0; i < JOINTS; i++) {
        for (int e = 0; e < 12; e++) palette[i].m[e / 4][e % 4] = random_float(random, -1, 1);
        if (i % 7 == 0) memset(palette[i].m[1], 0, sizeof palette[i].m[1]); // flattened
        if (i % 11 == 0) palette[i].m[0][0] = 1e18f;
    }
}

static void run(drawn_job *d, const sinew_skin_kernels *kernels, const sinew_affine *palette, int count) {
    for (int p = 0; p < 3; p++) memset(d->out[p], 0xa5, sizeof d->out[p]);
    kernels->skin_vertices(&d->job, palette, 0, (size_t)count);
}

// Everything behind the vertices, and the gaps between them, is as it was.
static void check_guards(const drawn_job *d, int count) {
    for (int p = 0; p < 3; p++) {
        bool written = p == 0 || (p == 1 && d->job.out_normals) || (p == 2 && d->job.out_tangents);
        size_t stride = p == 0   ? d->job.out_position_stride
                        : p == 1 ? d->job.out_normal_stride
                                 : d->job.out_tangent_stride;
        for (size_t b = 0; b < sizeof d->out[p]; b++) {
            bool inside = written && b / stride < (size_t)count && b % stride < part_sizes[p];
            if (!inside) assert_int_equal(d->out[p][b], 0xa5);
        }
    }
}

static void test_every_width_gives_the_bits_of_plain_c(void **state) {
    (void)state;
    uint64_t random = 77;
    sinew_affine palette[JOINTS];
    draw_palette(palette, &random);
    static drawn_job d, expected;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        draw_job(&d, kind, &random);
        expected = d;
        for (int p = 0; p < 3; p++) { // its outputs are its own
            float **out[3] = {&expected.job.out_positions, &expected.job.out_normals, &expected.job.out_tangents};
            if (*out[p]) *out[p] = (float *)(void *)expected.out[p];
        }
        for (int count = 1; count <= MOST; count++) {
            run(&expected, sinew_skin_kernels_of(SINEW_SIMD_SCALAR), palette, count);
            check_guards(&expected, count);
            for (int level = SINEW_SIMD_128; level < SINEW_SIMD_LEVELS; level++) {
                const sinew_skin_kernels *kernels = sinew_skin_kernels_of((sinew_simd_level)level);
                if (!kernels) continue;
                run(&d, kernels, palette, count);
                if (memcmp(d.out, expected.out, sizeof d.out) != 0) {
                    fail_msg("kind %u, %d vertices: %s differs", kind, count,
                             sinew_simd_level_name((sinew_simd_level)level));
                }
            }
        }
    }
}

static void test_a_job_may_be_split_anywhere(void **state) {
    (void)state;
    uint64_t random = 78;
    sinew_affine palette[JOINTS];
    draw_palette(palette, &random);
    static drawn_job d;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        draw_job(&d, kind, &random);
        run(&d, sinew_skin_kernels_used(), palette, MOST);
        unsigned char whole[3][MOST * 40 + GUARD];
        memcpy(whole, d.out, sizeof whole);
        for (int split = 0; split <= MOST; split++) {
            for (int p = 0; p < 3; p++) memset(d.out[p], 0xa5, sizeof d.out[p]);
            sinew_skin_vertices(&d.job, palette, split, MOST - split);
            sinew_skin_vertices(&d.job, palette, 0, split);
            assert_memory_equal(d.out, whole, sizeof whole);
        }
    }
}

// The formats say the same: bytes as words, and normalised integers as the floats that they stand for.
static void test_formats_agree_with_double(void **state) {
    (void)state;
    const sinew_affine palette[2] = {{{{1, 0, 0, 3}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
                                     {{{1, 0, 0, 0}, {0, 1, 0, 5}, {0, 0, 1, 0}}}};
    const float position[3] = {1, 2, 3};
    const uint8_t joints[4] = {0, 1, 0, 0}, bytes[4] = {51, 204, 0, 0}; // 0.2 and 0.8
    const uint16_t words[4] = {13107, 52428, 0, 0};
    for (int wide = 0; wide < 2; wide++) {
        float out[3];
        sinew_skin_job job = sinew_skin_job_default();
        job.joint_format = SINEW_JOINTS_U8;
        job.weight_format = wide ? SINEW_WEIGHTS_U16 : SINEW_WEIGHTS_U8;
        job.joints = joints;
        job.weights = wide ? (const void *)words : (const void *)bytes;
        job.positions = position;
        job.out_positions = out;
        sinew_skin_vertices(&job, palette, 0, 1);
        check_near(out[0], 1 + 0.2 * 3, 1e-6);
        check_near(out[1], 2 + 0.8 * 5, 1e-6);
        check_near(out[2], 3, 1e-6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_width_gives_the_bits_of_plain_c),
        cmocka_unit_test(test_a_job_may_be_split_anywhere),
        cmocka_unit_test(test_formats_agree_with_double),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
