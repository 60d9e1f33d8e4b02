// SPDX-License-Identifier: MIT
// Finite keys make finite poses, however absurd: near the ends of a float's range, and over very long and very short
// intervals.
#include "support/random_rig.h"

#include <float.h>
#include <stdio.h>

enum { NODES = 20, KEYS = 5 };

static sinew_skeleton *make_skeleton(void) {
    sinew_node_def nodes[NODES];
    for (int i = 0; i < NODES; i++) {
        nodes[i] = (sinew_node_def){.parent = SINEW_NO_NODE, .rest = sinew_transform_identity(), .weight_count = 2};
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = NODES;
    def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

static sinew_clip *create(const sinew_skeleton *skeleton, const sinew_channel_def *channels, int32_t count,
                          sinew_key_format rows) {
    sinew_clip_def def = sinew_clip_default();
    def.skeleton = skeleton;
    def.channel_count = count;
    def.channels = channels;
    def.key_format = rows;
    sinew_clip *clip;
    sinew_error error = {SINEW_OK, ""};
    if (sinew_clip_create(&def, &clip, &error) != SINEW_OK) fail_msg("%s", error.message);
    return clip;
}

// ---- What keys mean ------------------------------------------------------------------------------------------

static sinew_transform sample_one(sinew_channel_target path, sinew_interpolation how, int32_t key_count,
                                  const float *times, const float *values, float time) {
    sinew_skeleton *skeleton = make_skeleton();
    sinew_channel_def channel = {0, path, how, key_count, times, values};
    sinew_clip *clip = create(skeleton, &channel, 1, SINEW_KEYS_FLOAT);
    sinew_transform found = sinew_clip_sample_node(clip, time, 0);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
    return found;
}

static void check_rotation(sinew_quat q, double x, double y, double z, double w) {
    check_near(q.x, x, 2e-7);
    check_near(q.y, y, 2e-7);
    check_near(q.z, z, 2e-7);
    check_near(q.w, w, 2e-7);
}

// The squares of these lengths overflow, or lose most of their bits.
static void test_rotations_of_any_length(void **state) {
    (void)state;
    const float times[2] = {0, 1},
                lengths[] = {1e-45f, 1e-40f, 1e-30f, 1e-20f, 1e19f, 1e20f, 1e30f, 2e38f, FLT_MAX};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            const float keys[8] = {lengths[i], 0, 0, 0, 0, lengths[k], 0, 0};
            double h = sqrt(0.5); // half of the way from x to y
            check_rotation(
                sample_one(SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 2, times, keys, 0).rotation, 1, 0, 0,
                0);
            check_rotation(
                sample_one(SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 2, times, keys, 0.5f).rotation, h, h,
                0, 0);
            check_rotation(sample_one(SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_STEP, 2, times, keys, 1).rotation,
                           0, 1, 0, 0);
            check_rotation(sample_one(SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_STEP, 1, times, keys, 1).rotation,
                           1, 0, 0, 0);
        }
    }
    const float three_four[4] = {0, 3e37f, 0, 4e37f};
    check_rotation(sample_one(SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 1, times, three_four, 0).rotation,
                   0, 0.6, 0, 0.8);
    check_rotation(sinew_quat_normalize((sinew_quat){0, 3e-39f, 0, 4e-39f}), 0, 0.6, 0, 0.8);
    check_rotation(sinew_quat_normalize((sinew_quat){0, 0, 0, 0}), 0, 0, 0, 1);
}

// Appendix C.5 in double, normalised.
static void expect_spline(const float keys[24], double interval, double u, double out[4]) {
    double u2 = u * u, u3 = u2 * u, square = 0.0;
    for (int i = 0; i < 4; i++) {
        out[i] = (2 * u3 - 3 * u2 + 1) * keys[4 + i] + (u3 - 2 * u2 + u) * interval * keys[8 + i] +
                 (3 * u2 - 2 * u3) * keys[16 + i] + (u3 - u2) * interval * keys[12 + i];
        square += out[i] * out[i];
    }
    for (int i = 0; i < 4; i++) out[i] /= sqrt(square);
}

static void test_rotation_splines(void **state) {
    (void)state;
    static const struct {
        float value, tangent, interval;
    } cases[] = {{1, 3e38f, 1},           {1, 3e38f, 100},        {1, FLT_MAX, 1e30f}, {FLT_MAX, FLT_MAX, FLT_MAX},
                 {1e30f, 1, 1},           {1e-30f, 1e-30f, 1},    {1e-45f, 0, 1},      {1, 1e38f, 1e-38f},
                 {1e-30f, 3e38f, 1e-30f}, {1e-30f, 1e-44f, 1e30f}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const float times[2] = {0, cases[c].interval};
        float keys[24] = {0};
        keys[4] = 0.6f * cases[c].value, keys[7] = 0.8f * cases[c].value;
        keys[17] = 0.8f * cases[c].value, keys[19] = 0.6f * cases[c].value;
        keys[8] = 0.5f * cases[c].tangent, keys[13] = cases[c].tangent;
        if (cases[c].value < 1e-44f) keys[4] = keys[17] = 0, keys[7] = keys[19] = cases[c].value;
        for (int i = 0; i <= 8; i++) {
            double expected[4];
            float time = cases[c].interval * ((float)i / 8.0f);
            expect_spline(keys, (double)cases[c].interval, (double)time / (double)cases[c].interval, expected);
            sinew_quat q =
                sample_one(SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_CUBICSPLINE, 2, times, keys, time).rotation;
            check_near(q.x, expected[0], 1e-6);
            check_near(q.y, expected[1], 1e-6);
            check_near(q.z, expected[2], 1e-6);
            check_near(q.w, expected[3], 1e-6);
        }
    }
}

// A spline that stays within the range of a float is what its keys say; one that does not is finite, and at its keys.
static void test_other_splines(void **state) {
    (void)state;
    const float times[2] = {0, 2};
    float keys[18] = {0};
    keys[3] = 1e37f, keys[6] = 1e38f, keys[9] = -1e38f, keys[12] = -1e37f;
    // 0.5 × (1e37 - 1e37) + 2 × 0.125 × (1e38 + 1e38)
    check_near(
        sample_one(SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_CUBICSPLINE, 2, times, keys, 1).translation.x,
        5e37, 1e32);
    const float long_times[2] = {0, 1e20f};
    const sinew_channel_target paths[2] = {SINEW_TARGET_TRANSLATION, SINEW_TARGET_SCALE};
    for (int p = 0; p < 2; p++) {
        for (int i = 0; i <= 8; i++) {
            float time = 1e20f * (float)i / 8.0f;
            sinew_transform t = sample_one(paths[p], SINEW_INTERPOLATION_CUBICSPLINE, 2, long_times, keys, time);
            float x = p == 0 ? t.translation.x : t.scale.x;
            assert_true(isfinite(x));
            if (i == 0) assert_true(x == 1e37f);
            if (i == 8) assert_true(x == -1e37f);
            if (i == 4) assert_true(x > 3e37f); // it still goes far
        }
    }
}

// ---- Anything --------------------------------------------------------------------------------------------------

static float draw_float(uint64_t *random) {
    static const float values[] = {0.0f,   -0.0f, 1.0f,   -1.0f, 0.6f,   1e-45f, -1e-45f, FLT_MIN,  -1e-30f,
                                   1e-20f, 1e19f, -1e20f, 1e30f, -3e38f, 3e38f,  FLT_MAX, -FLT_MAX, 3.4028e38f};
    return values[random_next(random) % (sizeof values / sizeof *values)];
}

static void draw_key_times(uint64_t *random, float times[KEYS]) {
    static const float first[] = {0.0f, 1e-45f, 0.5f, 1e20f},
                       steps[] = {1e-45f, 1e-30f, 0.1f, 1.0f, 100.0f, 1e20f, 5e37f};
    float time = first[random_next(random) % 4];
    for (int k = 0; k < KEYS; k++) {
        times[k] = time;
        float next = time + steps[random_next(random) % 7];
        time = next > time ? next : nextafterf(time, FLT_MAX);
    }
}

static void check_finite(const float *numbers, int32_t count, const char *what) {
    for (int32_t i = 0; i < count; i++) {
        if (!isfinite(numbers[i])) fail_msg("%s of lane %d is %g", what, (int)i, (double)numbers[i]);
    }
}

static void check_pose(const sinew_pose *pose, double tolerance) {
    const float *planes[10] = {pose->tx, pose->ty, pose->tz, pose->rx, pose->ry,
                               pose->rz, pose->rw, pose->sx, pose->sy, pose->sz};
    static const char *const names[10] = {"tx", "ty", "tz", "rx", "ry", "rz", "rw", "sx", "sy", "sz"};
    for (int p = 0; p < 10; p++) check_finite(planes[p], NODES, names[p]);
    check_finite(pose->weights, 2 * NODES, "a weight");
    for (int i = 0; i < NODES; i++) {
        sinew_quat q = sinew_pose_get(pose, i).rotation;
        double square = (double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w;
        if (!(fabs(square - 1) < tolerance)) fail_msg("node %d: the rotation's length is %.9g", i, sqrt(square));
    }
}

// At keys, next to them and between them.
static uint64_t sample_all(const sinew_clip *clip, sinew_pose *pose, uint64_t bits) {
    for (int32_t t = 0; t < clip->timeline_count; t++) {
        const sinew_timeline *line = &clip->timelines[t];
        for (int32_t k = 0; k < line->key_count; k++) {
            float key = sinew_timeline_time(line, k);
            float next = sinew_timeline_time(line, k + 1 < line->key_count ? k + 1 : k);
            const float times[] = {key, nextafterf(key, 0), nextafterf(key, FLT_MAX), 0.5f * key + 0.5f * next,
                                   0.9f * key + 0.1f * next};
            for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
                sinew_clip_sample(clip, times[i], pose);
                check_pose(pose,
                           clip->key_format == SINEW_KEYS_U16 ? 1e-4 : 1e-5); // STEP keys in 16 bits are rounded
                bits = add_bits_of_pose(bits, pose);
            }
        }
    }
    return bits;
}

// `lines`: how many lists of key times there are; with many, channels are kept on tracks of their own.
static uint64_t play_absurd_keys(sinew_skeleton *skeleton, sinew_key_format rows, int lines, uint64_t *random,
                                 uint64_t bits) {
    float times[4 * NODES][KEYS], values[4 * NODES][KEYS * 12];
    sinew_channel_def channels[4 * NODES];
    for (int i = 0; i < 4 * NODES; i++) {
        draw_key_times(random, times[i]);
        for (int k = 0; k < KEYS * 12; k++) values[i][k] = draw_float(random);
        channels[i] = (sinew_channel_def){i / 4,
                                          (sinew_channel_target)(i % 4),
                                          (sinew_interpolation)(random_next(random) % 3),
                                          1 + (int32_t)(random_next(random) % KEYS),
                                          times[i % lines],
                                          values[i]};
        if (channels[i].key_count > 1 && lines < NODES) channels[i].key_count = KEYS; // so they're shared
    }
    sinew_clip *clip = create(skeleton, channels, 4 * NODES, rows);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(skeleton, NULL, &pose), SINEW_OK);
    bits = sample_all(clip, pose, bits);
    sinew_pose_destroy(pose);
    sinew_clip_destroy(clip);
    return bits;
}

static void test_absurd_keys(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_skeleton();
    uint64_t random = 17, bits = 0;
    for (int round = 0; round < 100; round++) {
        bits = play_absurd_keys(skeleton, SINEW_KEYS_FLOAT, 1, &random, bits);
        bits = play_absurd_keys(skeleton, SINEW_KEYS_FLOAT, 4 * NODES, &random, bits);
        bits = play_absurd_keys(skeleton, SINEW_KEYS_U16, 2, &random, bits);
    }
    check_bits(bits, UINT64_C(0x48f9d53da1de0c19)); // with every width of vectors
    sinew_skeleton_destroy(skeleton);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rotations_of_any_length),
        cmocka_unit_test(test_rotation_splines),
        cmocka_unit_test(test_other_splines),
        cmocka_unit_test(test_absurd_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
