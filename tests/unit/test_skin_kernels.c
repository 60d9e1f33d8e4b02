// SPDX-License-Identifier: MIT
// Skinning in vectors: at every level, for every pair of layout and format, vertices have plain C's bits and agree
// with arithmetic in double. Nothing else is read or written. A job may be split anywhere and write in place.
#include "support/check.h"

#include "kernels/kernels.h"

enum { MOST = 300, JOINTS = 300, FEW_JOINTS = 40, EVERY_COUNT = 67, PART_ROOM = MOST * 20, GUARD = 16 };

static const size_t part_sizes[3] = {12, 12, 16};
static const size_t weight_sizes[] = {[SINEW_WEIGHTS_FLOAT] = 4, [SINEW_WEIGHTS_U8] = 1, [SINEW_WEIGHTS_U16] = 2};

// ---- Jobs ----------------------------------------------------------------------------------------------------

typedef enum vertex_layout { PLANES, GAPS, INTERLEAVED, VERTEX_LAYOUTS } vertex_layout;

// A job with its own memory. Interleaved parts are adjacent.
typedef struct drawn_job {
    sinew_skin_job job;
    int parts; // positions, normals, tangents
    unsigned char joints[MOST * 20], weights[MOST * 36], in[3 * PART_ROOM], out[3 * PART_ROOM + GUARD];
} drawn_job;

enum { KINDS = VERTEX_LAYOUTS * 2 * 2 * 2 * 3 * 3 };

static unsigned take(unsigned *kind, unsigned count) {
    unsigned digit = *kind % count;
    *kind /= count;
    return digit;
}

static size_t part_stride(const sinew_skin_job *job, int part) {
    return part == 0 ? job->position_stride : part == 1 ? job->normal_stride : job->tangent_stride;
}

static size_t part_offset(const drawn_job *d, int part) {
    bool interleaved = d->parts > 1 && d->job.position_stride >= 24;
    return (size_t)part * (interleaved ? 12 : PART_ROOM);
}

static void point_job(drawn_job *d) {
    sinew_skin_job *job = &d->job;
    const float **in[3] = {&job->positions, &job->normals, &job->tangents};
    float **out[3] = {&job->out_positions, &job->out_normals, &job->out_tangents};
    assert_true(d->parts <= 3);
    for (int p = 0; p < d->parts; p++) {
        *in[p] = (float *)(void *)(d->in + part_offset(d, p));
        *out[p] = (float *)(void *)(d->out + part_offset(d, p));
    }
    job->joints = d->joints, job->weights = d->weights;
}

static void draw_parts(drawn_job *d, uint64_t *random) {
    for (int p = 0; p < d->parts; p++) {
        for (size_t v = 0; v < MOST; v++) {
            float values[4];
            for (size_t i = 0; i < 4; i++) {
                values[i] = random_float(random, -2, 2);
                if (random_next(random) % 40 == 0) values[i] = i % 2 ? 0 : 1e-38f;
            }
            memcpy(d->in + part_offset(d, p) + v * part_stride(&d->job, p), values, part_sizes[p]);
        }
    }
}

// Vertices after the first passes have joints that are not copied, where the format has such.
static void draw_influences(drawn_job *d, uint64_t *random) {
    sinew_skin_job *job = &d->job;
    for (int v = 0; v < MOST; v++) {
        unsigned char *joints = d->joints + (size_t)v * job->joint_stride;
        unsigned char *weights = d->weights + (size_t)v * job->weight_stride;
        unsigned limit = job->joint_format == SINEW_JOINTS_U16 && v > 270 ? JOINTS : FEW_JOINTS;
        for (int i = 0; i < job->influences; i++) {
            uint16_t joint = (uint16_t)(random_next(random) % limit), word = (uint16_t)random_next(random);
            float share = (float)word / 65535.0f;
            if (job->joint_format == SINEW_JOINTS_U8) joints[i] = (unsigned char)joint;
            if (job->joint_format == SINEW_JOINTS_U16) memcpy(joints + (ptrdiff_t)2 * i, &joint, 2);
            if (job->weight_format == SINEW_WEIGHTS_U8) weights[i] = (unsigned char)word;
            if (job->weight_format == SINEW_WEIGHTS_U16) memcpy(weights + (ptrdiff_t)2 * i, &word, 2);
            if (job->weight_format == SINEW_WEIGHTS_FLOAT) memcpy(weights + (ptrdiff_t)4 * i, &share, 4);
        }
    }
}

static void draw_job(drawn_job *d, unsigned kind, uint64_t *random) {
    memset(d, 0, sizeof *d);
    sinew_skin_job *job = &d->job;
    *job = sinew_skin_job_default();
    vertex_layout layout = (vertex_layout)take(&kind, VERTEX_LAYOUTS);
    size_t gap = take(&kind, 2) ? 4 : 0;
    job->influences = take(&kind, 2) ? 8 : 4;
    job->joint_format = take(&kind, 2) ? SINEW_JOINTS_U8 : SINEW_JOINTS_U16;
    job->weight_format = (sinew_weight_format)take(&kind, 3);
    d->parts = 1 + (int)take(&kind, 3);
    size_t influences = (size_t)job->influences;
    job->joint_stride = influences * (job->joint_format == SINEW_JOINTS_U8 ? 1 : 2) + gap;
    job->weight_stride = influences * weight_sizes[job->weight_format] + gap;
    size_t *strides[3] = {&job->position_stride, &job->normal_stride, &job->tangent_stride};
    size_t *out_strides[3] = {&job->out_position_stride, &job->out_normal_stride, &job->out_tangent_stride};
    size_t all = d->parts == 1 ? 12 : d->parts == 2 ? 24 : 40;
    for (int p = 0; p < 3; p++) {
        *strides[p] = layout == INTERLEAVED ? all : part_sizes[p] + (layout == GAPS ? 4 : 0);
        *out_strides[p] = *strides[p];
    }
    point_job(d);
    draw_parts(d, random);
    draw_influences(d, random);
}

static void run(drawn_job *d, sinewi_simd_level level, const sinew_affine *palette, int count) {
    memset(d->out, 0xa5, sizeof d->out);
    sinewi_skin_kernels_of(level)->skin_vertices(&d->job, palette, 0, (size_t)count);
}

// ---- The bits of plain C ---------------------------------------------------------------------------------------

// Some matrices flatten, and some overflow.
static void draw_palette(sinew_affine *palette, uint64_t *random) {
    for (int i = 0; i < JOINTS; i++) {
        for (int e = 0; e < 12; e++) palette[i].m[e / 4][e % 4] = random_float(random, -1, 1);
        if (i % 7 == 0) memset(palette[i].m[1], 0, sizeof palette[i].m[1]);
        if (i % 11 == 0) palette[i].m[0][0] = 1e18f;
    }
}

static void check_guards(const drawn_job *d, int count) {
    static unsigned char written[sizeof d->out];
    memset(written, 0, sizeof written);
    for (int p = 0; p < d->parts; p++) {
        for (size_t v = 0; v < (size_t)count; v++)
            memset(written + part_offset(d, p) + v * part_stride(&d->job, p), 1, part_sizes[p]);
    }
    for (size_t b = 0; b < sizeof d->out; b++) {
        if (!written[b]) assert_int_equal(d->out[b], 0xa5);
    }
}

static void check_count(drawn_job *d, drawn_job *plain, const sinew_affine *palette, unsigned kind, int count) {
    run(plain, SINEWI_SIMD_SCALAR, palette, count);
    check_guards(plain, count);
    for (int level = SINEWI_SIMD_128; level < SINEWI_SIMD_LEVELS; level++) {
        if (!sinewi_skin_kernels_of((sinewi_simd_level)level)) continue;
        run(d, (sinewi_simd_level)level, palette, count);
        if (memcmp(d->out, plain->out, sizeof d->out) != 0) {
            fail_msg("kind %u, %d vertices: %s differs", kind, count,
                     sinewi_simd_level_name((sinewi_simd_level)level));
        }
    }
}

static void test_every_width_gives_the_bits_of_plain_c(void **state) {
    (void)state;
    uint64_t random = 77;
    sinew_affine palette[JOINTS];
    draw_palette(palette, &random);
    static drawn_job d, plain;
    static const int passes[] = {127, 128, 129, 144, 145, 256, 257, MOST}; // around the vertices of a pass
    for (unsigned kind = 0; kind < KINDS; kind++) {
        draw_job(&d, kind, &random);
        plain = d;
        point_job(&plain);
        for (int count = 1; count <= EVERY_COUNT; count++) check_count(&d, &plain, palette, kind, count);
        for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
            check_count(&d, &plain, palette, kind, passes[i]);
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
        run(&d, sinewi_simd_level_used(), palette, MOST);
        unsigned char whole[sizeof d.out];
        memcpy(whole, d.out, sizeof whole);
        for (int split = 0; split <= MOST; split += split < EVERY_COUNT ? 1 : 40) {
            memset(d.out, 0xa5, sizeof d.out);
            sinew_skin_vertices(&d.job, palette, split, MOST - split);
            sinew_skin_vertices(&d.job, palette, 0, split);
            assert_memory_equal(d.out, whole, sizeof whole);
        }
    }
}

static void test_outputs_may_be_the_inputs(void **state) {
    (void)state;
    uint64_t random = 79;
    sinew_affine palette[JOINTS];
    draw_palette(palette, &random);
    static drawn_job d;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        for (int level = 0; level < SINEWI_SIMD_LEVELS; level++) {
            if (!sinewi_skin_kernels_of((sinewi_simd_level)level)) continue;
            draw_job(&d, kind, &random);
            run(&d, (sinewi_simd_level)level, palette, MOST);
            sinew_skin_job job = d.job;
            job.out_positions = (float *)(void *)(d.in + part_offset(&d, 0));
            if (d.parts > 1) job.out_normals = (float *)(void *)(d.in + part_offset(&d, 1));
            if (d.parts > 2) job.out_tangents = (float *)(void *)(d.in + part_offset(&d, 2));
            sinewi_skin_kernels_of((sinewi_simd_level)level)->skin_vertices(&job, palette, 0, MOST);
            for (int p = 0; p < d.parts; p++) {
                for (size_t v = 0; v < MOST; v++) {
                    size_t at = part_offset(&d, p) + v * part_stride(&d.job, p);
                    assert_memory_equal(d.in + at, d.out + at, part_sizes[p]);
                }
            }
        }
    }
}

// ---- What is read ----------------------------------------------------------------------------------------------

static void *exact_copy(const void *from, size_t bytes) {
    void *to = malloc(bytes);
    assert_non_null(to);
    return memcpy(to, from, bytes);
}

// Of each array only the bytes up to the last vertex's are allocated: the address sanitizer finds other reads.
static void test_nothing_after_the_last_vertex_is_read(void **state) {
    (void)state;
    uint64_t random = 80;
    sinew_affine palette[JOINTS];
    draw_palette(palette, &random);
    static drawn_job d;
    static const int counts[] = {1, 4, 5, 16, 33, 128, 130};
    for (unsigned kind = 0; kind < KINDS; kind++) {
        draw_job(&d, kind, &random);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            sinew_skin_job job = d.job;
            size_t last = (size_t)counts[i] - 1, influences = (size_t)job.influences;
            size_t joint_size = influences * (job.joint_format == SINEW_JOINTS_U8 ? 1 : 2);
            void *copies[5] = {
                exact_copy(d.joints, last * job.joint_stride + joint_size),
                exact_copy(d.weights, last * job.weight_stride + influences * weight_sizes[job.weight_format])};
            job.joints = copies[0], job.weights = copies[1];
            const float **in[3] = {&job.positions, &job.normals, &job.tangents};
            assert_true(d.parts <= 3);
            for (int p = 0; p < d.parts; p++) {
                copies[2 + p] = exact_copy(*in[p], last * part_stride(&job, p) + part_sizes[p]);
                *in[p] = copies[2 + p];
            }
            for (int level = 0; level < SINEWI_SIMD_LEVELS; level++) {
                const sinewi_skin_kernels *kernels = sinewi_skin_kernels_of((sinewi_simd_level)level);
                if (kernels) kernels->skin_vertices(&job, palette, 0, (size_t)counts[i]);
            }
            for (int c = 0; c < 2 + d.parts; c++) free(copies[c]);
        }
    }
}

// ---- Arithmetic in double --------------------------------------------------------------------------------------

static int joint_of(const sinew_skin_job *job, int v, int i) {
    const unsigned char *row = (const unsigned char *)job->joints + (size_t)v * job->joint_stride;
    uint16_t word;
    if (job->joint_format == SINEW_JOINTS_U8) return row[i];
    memcpy(&word, row + (ptrdiff_t)2 * i, 2);
    return word;
}

static double weight_of(const sinew_skin_job *job, int v, int i) {
    const unsigned char *row = (const unsigned char *)job->weights + (size_t)v * job->weight_stride;
    uint16_t word;
    float weight;
    if (job->weight_format == SINEW_WEIGHTS_U8) return row[i] / 255.0;
    memcpy(&word, row + (ptrdiff_t)2 * i, 2);
    if (job->weight_format == SINEW_WEIGHTS_U16) return word / 65535.0;
    memcpy(&weight, row + (ptrdiff_t)4 * i, 4);
    return weight;
}

static void read_part(const drawn_job *d, const unsigned char *base, int part, int v, float out[4]) {
    memcpy(out, base + part_offset(d, part) + (size_t)v * part_stride(&d->job, part), part_sizes[part]);
}

// The inverse transpose times the determinant, by 2x2 determinants.
static double cofactor(double m[3][4], int r, int c) {
    int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
    return m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
}

// Rounding errors are in proportion to the products that cancel.
static void check_direction(const float *actual, const double *expected, double side, double size) {
    double length = sqrt(expected[0] * expected[0] + expected[1] * expected[1] + expected[2] * expected[2]);
    if (length < 1e-3 * size) return; // no direction
    for (int r = 0; r < 3; r++) check_near(actual[r], side * expected[r] / length, 4e-6 * size / length);
}

static void check_vertex(const drawn_job *d, const sinew_affine *palette, int v) {
    double m[3][4] = {{0}}, size = 0;
    for (int i = 0; i < d->job.influences; i++) {
        const sinew_affine *joint = &palette[joint_of(&d->job, v, i)];
        for (int e = 0; e < 12; e++) m[e / 4][e % 4] += weight_of(&d->job, v, i) * (double)joint->m[e / 4][e % 4];
        size += weight_of(&d->job, v, i);
    }
    double determinant = 0, turned[2][3];
    float in[3][4] = {{0}}, out[3][4] = {{0}};
    assert_true(d->parts <= 3);
    for (int p = 0; p < d->parts; p++) read_part(d, d->in, p, v, in[p]), read_part(d, d->out, p, v, out[p]);
    for (int r = 0; r < 3; r++) {
        double position = m[r][3];
        turned[0][r] = turned[1][r] = 0;
        for (int c = 0; c < 3; c++) {
            position += m[r][c] * (double)in[0][c];
            turned[0][r] += cofactor(m, r, c) * (double)in[1][c];
            turned[1][r] += m[r][c] * (double)in[2][c];
        }
        determinant += m[0][r] * cofactor(m, 0, r);
        check_near(out[0][r], position, 1e-5 * size);
    }
    if (fabs(determinant) < 1e-4 * size * size * size) return; // a side that rounding may decide
    double side = determinant < 0 ? -1 : 1;
    if (d->parts > 1) check_direction(out[1], turned[0], side, 8 * size * size);
    if (d->parts > 2) check_direction(out[2], turned[1], 1, 8 * size);
    if (d->parts > 2) check_near(out[2][3], side * in[2][3], 0);
}

static void test_vertices_agree_with_double_at_every_level(void **state) {
    (void)state;
    uint64_t random = 81;
    sinew_affine palette[JOINTS];
    for (int i = 0; i < JOINTS; i++) {
        sinew_vec3 translation = {random_float(&random, -1, 1), random_float(&random, -1, 1), 0.5f};
        sinew_vec3 scale = {random_float(&random, 0.5f, 1), i % 5 ? 1 : -1, random_float(&random, 0.5f, 1)};
        palette[i] = sinew_affine_from_transform((sinew_transform){translation, random_quat(&random), scale});
    }
    static drawn_job d;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        draw_job(&d, kind, &random);
        for (int level = 0; level < SINEWI_SIMD_LEVELS; level++) {
            if (!sinewi_skin_kernels_of((sinewi_simd_level)level)) continue;
            run(&d, (sinewi_simd_level)level, palette, MOST);
            for (int v = 0; v < MOST; v++) check_vertex(&d, palette, v);
        }
    }
}

// x is the weight: the matrix of the first joint is the identity, and other weights are 0.
static void check_weights(sinew_weight_format format, int count) {
    const sinew_affine identity = sinew_affine_identity();
    enum { ROWS = 65536 };
    static uint16_t joints[4 * ROWS], words[4 * ROWS];
    static uint8_t bytes[4 * ROWS];
    static float positions[3 * ROWS], out[3 * ROWS];
    for (int i = 0; i < count; i++)
        words[(ptrdiff_t)4 * i] = (uint16_t)i, bytes[(ptrdiff_t)4 * i] = (uint8_t)i,
                             positions[(ptrdiff_t)3 * i] = 1;
    sinew_skin_job job = sinew_skin_job_default();
    job.joints = joints, job.joint_stride = 4 * sizeof *joints;
    job.weight_format = format;
    job.weights = format == SINEW_WEIGHTS_U8 ? (const void *)bytes : (const void *)words;
    job.weight_stride = format == SINEW_WEIGHTS_U8 ? 4 : 8;
    job.positions = positions, job.out_positions = out;
    for (int level = 0; level < SINEWI_SIMD_LEVELS; level++) {
        if (!sinewi_skin_kernels_of((sinewi_simd_level)level)) continue;
        sinewi_skin_kernels_of((sinewi_simd_level)level)->skin_vertices(&job, &identity, 0, (size_t)count);
        for (int i = 0; i < count; i++) assert_true(out[(ptrdiff_t)3 * i] == (float)i / (float)(count - 1));
    }
}

// glTF 2.0, section 3.6.2.2: f = c / 255 and f = c / 65535.
static void test_normalized_weights_are_quotients(void **state) {
    (void)state;
    check_weights(SINEW_WEIGHTS_U8, 256);
    check_weights(SINEW_WEIGHTS_U16, 65536);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_width_gives_the_bits_of_plain_c),
        cmocka_unit_test(test_a_job_may_be_split_anywhere),
        cmocka_unit_test(test_outputs_may_be_the_inputs),
        cmocka_unit_test(test_nothing_after_the_last_vertex_is_read),
        cmocka_unit_test(test_vertices_agree_with_double_at_every_level),
        cmocka_unit_test(test_normalized_weights_are_quotients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
