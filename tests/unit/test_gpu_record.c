// SPDX-License-Identifier: MIT
// Palette records against arithmetic written out here, and what the smallest layout refuses.
#include "support/check.h"

// ---- Sizes -----------------------------------------------------------------------------------------------------

typedef struct size_case {
    sinew_gpu_record_format format;
    int32_t texels, first_weight;
} size_case;

static void check_size(const size_case *c) {
    const sinew_gpu_record_format *f = &c->format;
    const int32_t texels = sinew_gpu_record_texel_count(f), first = sinew_gpu_record_first_weight(f);
    if (texels == c->texels && first == c->first_weight) return;
    fail_msg("layout %d, %d joints, %d weights, placed %d: %d texels and weights from %d, not %d and %d", f->layout,
             f->joint_count, f->weight_count, f->per_instance_transform, texels, first, c->texels, c->first_weight);
}

static void records_are_as_long_as_their_parts(void **state) {
    (void)state;
    static const size_case cases[] = {
        {{SINEW_GPU_RECORD_ROWS, 0, 0, false}, 0, 0},     {{SINEW_GPU_RECORD_ROWS, 1, 0, false}, 3, 12},
        {{SINEW_GPU_RECORD_ROWS, 10, 0, true}, 33, 132},  {{SINEW_GPU_RECORD_ROWS, 10, 1, true}, 34, 132},
        {{SINEW_GPU_RECORD_ROWS, 10, 4, true}, 34, 132},  {{SINEW_GPU_RECORD_ROWS, 10, 5, true}, 35, 132},
        {{SINEW_GPU_RECORD_MAT4, 10, 5, false}, 42, 160}, {{SINEW_GPU_RECORD_MAT4, 10, 5, true}, 45, 172},
        {{SINEW_GPU_RECORD_TRS, 10, 8, false}, 22, 80},   {{SINEW_GPU_RECORD_TRS, 10, 8, true}, 25, 92},
        {{SINEW_GPU_RECORD_BAKED, 10, 0, true}, 5, 20},   {{SINEW_GPU_RECORD_BAKED, 10, 9, true}, 8, 20},
        {{SINEW_GPU_RECORD_BAKED, -7, 0, false}, 2, 8}, // joint_count is ignored
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) check_size(&cases[i]);
}

// Catches sizes that wrap around, and those that no float counts.
static void records_that_cannot_be_are_refused(void **state) {
    (void)state;
    static const size_case cases[] = {
        {{SINEW_GPU_RECORD_ROWS, -1, 0, false}, -1, -1},
        {{SINEW_GPU_RECORD_BAKED, 0, -1, false}, -1, -1},
        {{SINEW_GPU_RECORD_MAT4, 4194304, 0, false}, 16777216, 67108864}, // 2^24 texels
        {{SINEW_GPU_RECORD_MAT4, 4194304, 1, false}, -1, -1},
        {{SINEW_GPU_RECORD_MAT4, 4194304, 0, true}, -1, -1},
        {{SINEW_GPU_RECORD_MAT4, 1073741824, 0, false}, -1, -1}, // times 4 is 0 in 32 bits
        {{SINEW_GPU_RECORD_ROWS, INT32_MAX, INT32_MAX, true}, -1, -1},
        {{SINEW_GPU_RECORD_ROWS, 0, INT32_MAX, false}, -1, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) check_size(&cases[i]);
}

// ---- Writing ---------------------------------------------------------------------------------------------------

enum { MOST_FLOATS = 256 };

static const sinew_affine place = {{{101, 102, 103, 104}, {105, 106, 107, 108}, {109, 110, 111, 112}}};
static const sinew_affine two[2] = {{{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}},
                                    {{{13, 14, 15, 16}, {17, 18, 19, 20}, {21, 22, 23, 24}}}};
static const float five[5] = {0.5f, 0.25f, 0.125f, 1, 2};

// Writes into memory that's first all zeros and then all ones, to find what's read or not written. Nothing around the
// record may change.
static void check_record(const sinew_gpu_record_format *format, const sinew_affine *record_place,
                         const sinew_affine *joints, const float *weights, const float *expected) {
    const size_t size = 16 * (size_t)sinew_gpu_record_texel_count(format);
    for (int fill = 0; fill < 256; fill += 255) {
        unsigned char memory[4 * MOST_FLOATS], around[16];
        assert_true(size + 32 <= sizeof memory);
        memset(memory, fill, sizeof memory);
        memset(around, fill, sizeof around);
        sinew_gpu_record_write(format, record_place ? *record_place : sinew_affine_identity(), joints, weights,
                               (float *)(void *)(memory + 16));
        assert_memory_equal(memory, around, 16);
        assert_memory_equal(memory + 16, expected, size);
        assert_memory_equal(memory + 16 + size, around, 16);
    }
}

static void rows_are_three_texels_a_joint(void **state) {
    (void)state;
    const sinew_gpu_record_format format = {SINEW_GPU_RECORD_ROWS, 2, 5, true};
    static const float expected[] = {101,  102,   103,    104, 105, 106, 107, 108, 109, 110, 111, 112, // the place
                                     1,    2,     3,      4,   5,   6,   7,   8,   9,   10,  11,  12,  // a joint
                                     13,   14,    15,     16,  17,  18,  19,  20,  21,  22,  23,  24,
                                     0.5f, 0.25f, 0.125f, 1,   2,   0,   0,   0};
    check_record(&format, &place, two, five, expected);

    const sinew_gpu_record_format bare = {SINEW_GPU_RECORD_ROWS, 2, 0, false};
    check_record(&bare, NULL, two, NULL, expected + 12);
    const sinew_gpu_record_format nothing = {SINEW_GPU_RECORD_ROWS, 0, 0, false};
    check_record(&nothing, NULL, NULL, NULL, expected);
}

static void mat4_is_four_columns_a_joint(void **state) {
    (void)state;
    const sinew_gpu_record_format format = {SINEW_GPU_RECORD_MAT4, 2, 4, false};
    static const float expected[] = {
        1, 5,  9,  0,  2, 6,  10, 0,  3, 7,  11, 0,  4, 8,    12,    1,      13, 17, 21,
        0, 14, 18, 22, 0, 15, 19, 23, 0, 16, 20, 24, 1, 0.5f, 0.25f, 0.125f, 1}; // and no fifth texel of weights
    check_record(&format, NULL, two, five, expected);
}

static void baked_records_leave_their_texels_to_others(void **state) {
    (void)state;
    const sinew_gpu_record_format format = {SINEW_GPU_RECORD_BAKED, 1000, 1, true};
    float out[24];
    for (int i = 0; i < 24; i++) out[i] = -7;
    sinew_gpu_record_write(&format, place, NULL, five, out);
    assert_memory_equal(out, &place, sizeof place);
    for (int i = 12; i < 20; i++) assert_true(out[i] == -7);
    assert_true(out[20] == 0.5f && out[21] == 0 && out[22] == 0 && out[23] == 0);
}

// ---- Translation, rotation and uniform scale -------------------------------------------------------------------

static void write_one_trs(const sinew_affine *joint, float out[8]) {
    const sinew_gpu_record_format format = {SINEW_GPU_RECORD_TRS, 1, 0, false};
    for (int i = 0; i < 8; i++) out[i] = -7;
    sinew_gpu_record_write(&format, sinew_affine_identity(), joint, NULL, out);
}

// Quaternions of either sign are one rotation.
static void check_trs(const sinew_affine *joint, const float expected[8]) {
    float out[8];
    write_one_trs(joint, out);
    for (int i = 0; i < 4; i++) check_near(out[i], expected[i], 1e-6);
    float same = 0;
    for (int i = 4; i < 8; i++) same += out[i] * expected[i];
    for (int i = 4; i < 8; i++) check_near(out[i] * (same < 0 ? -1 : 1), expected[i], 1e-6);
}

static void trs_is_eight_floats_a_joint(void **state) {
    (void)state;
    const float half = 0.70710678f;
    const struct {
        sinew_affine joint;
        float expected[8];
    } cases[] = {
        {{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}, {0, 0, 0, 1, 0, 0, 0, 1}},
        {{{{0, -2, 0, 5}, {2, 0, 0, 6}, {0, 0, 2, 7}}}, {5, 6, 7, 2, 0, 0, half, half}}, // a quarter turn about z
        {{{{3, 0, 0, 1}, {0, -3, 0, 0}, {0, 0, -3, 0}}}, {1, 0, 0, 3, 1, 0, 0, 0}},      // half turns
        {{{{-3, 0, 0, 1}, {0, 3, 0, 0}, {0, 0, -3, 0}}}, {1, 0, 0, 3, 0, 1, 0, 0}},
        {{{{-3, 0, 0, 1}, {0, -3, 0, 0}, {0, 0, 3, 0}}}, {1, 0, 0, 3, 0, 0, 1, 0}},
        {{{{0, 1, 0, 0}, {1, 0, 0, 0}, {0, 0, -1, 0}}}, {0, 0, 0, 1, half, half, 0, 0}}, // about x + y
        {{{{-2, 0, 0, 4}, {0, -2, 0, 5}, {0, 0, -2, 6}}}, {4, 5, 6, -2, 0, 0, 0, 1}},    // mirrored in all of them
        {{{{-1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}, {0, 0, 0, -1, 1, 0, 0, 0}},      // in one: half a turn more
        {{{{0, 2, 0, 0}, {-2, 0, 0, 0}, {0, 0, -2, 0}}}, {0, 0, 0, -2, 0, 0, half, half}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) check_trs(&cases[i].joint, cases[i].expected);
}

// scale x R(q), as every textbook has it.
static void rebuild(const float t[8], sinew_affine *out) {
    const double x = t[4], y = t[5], z = t[6], w = t[7];
    const double rotation[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                                   {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                                   {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) out->m[i][k] = (float)(t[3] * rotation[i][k]);
        out->m[i][3] = t[i];
    }
}

static void trs_gives_back_the_matrix(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int n = 0; n < 1000; n++) {
        sinew_transform t = {{random_float(&seed, -3, 3), 0.5f, -1}, random_quat(&seed), {1, 1, 1}};
        const float scale = random_float(&seed, 0.01f, 4) * (n % 2 == 0 ? 1.0f : -1.0f);
        t.scale = (sinew_vec3){scale, scale, scale};
        const sinew_affine joint = sinew_affine_from_transform(t);
        float out[8];
        sinew_affine back;
        write_one_trs(&joint, out);
        rebuild(out, &back);
        for (int i = 0; i < 12; i++) check_near(back.m[i / 4][i % 4], joint.m[i / 4][i % 4], 2e-6 * 4);
    }
}

// A joint that is scaled away is a common way to hide something.
static void trs_of_nothing_is_finite(void **state) {
    (void)state;
    const sinew_affine gone = {{{0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 3}}};
    float out[8];
    write_one_trs(&gone, out);
    assert_true(out[0] == 1 && out[1] == 2 && out[2] == 3 && out[3] == 0);
    for (int i = 4; i < 8; i++) assert_true(isfinite(out[i]));
}

// ---- What the smallest layout refuses --------------------------------------------------------------------------

// Root (no joint) > Spine (joint) > Hand (joint) > Prop (no joint); Tree stands beside them.
enum { ROOT, SPINE, HAND, PROP, TREE, NODES };

typedef struct figure {
    sinew_skeleton *skeleton;
    sinew_skin *skin;
    sinew_clip *clip;
    sinew_asset asset;
} figure;

static const sinew_vec3 even = {2, 2, 2};
static const sinew_vec3 uneven = {2, 2, 3};

static figure make_figure_of(const sinew_vec3 scales[NODES], const sinew_affine *const shears[NODES],
                             const sinew_affine *inverse_binds, const sinew_channel_def *channel) {
    static const char *const names[NODES] = {"Root", "Spine", "Hand", "Prop", "Tree"};
    static const int32_t parents[NODES] = {-1, ROOT, SPINE, HAND, -1}, joints[2] = {HAND, SPINE};
    sinew_node_def nodes[NODES];
    for (int i = 0; i < NODES; i++) {
        nodes[i] = (sinew_node_def){.name = names[i], .parent = parents[i], .rest = sinew_transform_identity()};
        if (scales) nodes[i].rest.scale = scales[i];
        if (shears) nodes[i].shear = shears[i];
    }
    figure f = {0};
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = NODES;
    def.nodes = nodes;
    assert_int_equal(sinew_skeleton_create(&def, &f.skeleton, NULL), SINEW_OK);
    sinew_skin_def skin = sinew_skin_default();
    skin.skeleton = f.skeleton;
    skin.joint_count = 2;
    skin.joints = joints;
    skin.inverse_binds = inverse_binds;
    assert_int_equal(sinew_skin_create(&skin, &f.skin, NULL), SINEW_OK);
    if (channel) f.clip = make_clip(f.skeleton, "Wave", channel, 1);
    f.asset = (sinew_asset){.skeleton = f.skeleton, .skin_count = 1, .skins = f.skin};
    f.asset.clip_count = channel ? 1 : 0;
    f.asset.clips = f.clip;
    return f;
}

static figure make_figure(const sinew_vec3 scales[NODES], const sinew_affine *inverse_binds,
                          const sinew_channel_def *channel) {
    return make_figure_of(scales, NULL, inverse_binds, channel);
}

static void free_figure(figure *f) {
    sinew_clip_destroy(f->clip);
    sinew_skin_destroy(f->skin);
    sinew_skeleton_destroy(f->skeleton);
}

// NULL: it is taken. Other layouts hold everything.
static void check_layouts(figure f, const char *complaint) {
    sinew_error error = {0};
    const sinew_result result = sinew_gpu_record_check_layout(&f.asset, 0, SINEW_GPU_RECORD_TRS, &error);
    assert_string_equal(error.message, complaint ? complaint : "");
    assert_int_equal(result, complaint ? SINEW_ERROR_UNSUPPORTED : SINEW_OK);
    assert_int_equal(sinew_gpu_record_check_layout(&f.asset, 0, SINEW_GPU_RECORD_TRS, NULL), result);
    for (int layout = 0; layout <= SINEW_GPU_RECORD_BAKED; layout++) {
        if (layout == SINEW_GPU_RECORD_TRS) continue;
        assert_int_equal(sinew_gpu_record_check_layout(&f.asset, 0, (sinew_gpu_record_layout)layout, NULL),
                         SINEW_OK);
    }
    free_figure(&f);
}

#define ONLY "SINEW_GPU_RECORD_TRS can only hold scales that are equal in x, y and z"

static void rest_poses_are_looked_at(void **state) {
    (void)state;
    sinew_vec3 scales[NODES] = {even, even, {-1, -1, -1}, uneven, uneven}; // what moves no joint takes no part
    check_layouts(make_figure(NULL, NULL, NULL), NULL);
    check_layouts(make_figure(scales, NULL, NULL), NULL);
    scales[HAND] = (sinew_vec3){1, 1, -1};
    check_layouts(make_figure(scales, NULL, NULL),
                  "node 2 'Hand' has a scale of (1, 1, -1) in the rest pose: " ONLY);
    scales[HAND] = (sinew_vec3){1, 1.000005f, 1}; // what rounding leaves
    check_layouts(make_figure(scales, NULL, NULL), NULL);
    scales[ROOT] = (sinew_vec3){1, 1.001f, 1}; // no joint, but above some
    check_layouts(make_figure(scales, NULL, NULL),
                  "node 0 'Root' has a scale of (1, 1.001, 1) in the rest pose: " ONLY);
}

static sinew_channel_def scale_channel(int32_t node, sinew_interpolation interpolation, int32_t keys,
                                       const float *values) {
    static const float times[3] = {0, 1, 3};
    return (sinew_channel_def){node, SINEW_TARGET_SCALE, interpolation, keys, times, values};
}

static void check_clip(int32_t node, sinew_interpolation interpolation, int32_t keys, const float *values,
                       const char *complaint) {
    const sinew_channel_def channel = scale_channel(node, interpolation, keys, values);
    check_layouts(make_figure(NULL, NULL, &channel), complaint);
}

static void clips_are_looked_at(void **state) {
    (void)state;
    static const float good[9] = {1, 1, 1, 2, 2, 2, 0.5f, 0.5f, 0.5f}, bad[9] = {1, 1, 1, 2, 2, 2, 1, 3, 1};
    check_clip(HAND, SINEW_INTERPOLATION_LINEAR, 3, good, NULL);
    check_clip(HAND, SINEW_INTERPOLATION_STEP, 3, good, NULL);
    check_clip(PROP, SINEW_INTERPOLATION_LINEAR, 3, bad, NULL);
    check_clip(SPINE, SINEW_INTERPOLATION_STEP, 3, bad,
               "node 1 'Spine' has a scale of (1, 3, 1) at 3 s of clip 'Wave': " ONLY);
    check_clip(HAND, SINEW_INTERPOLATION_LINEAR, 3, bad,
               "node 2 'Hand' has a scale of (1, 3, 1) at 3 s of clip 'Wave': " ONLY);
    check_clip(ROOT, SINEW_INTERPOLATION_LINEAR, 1, &uneven.x,
               "node 0 'Root' has a scale of (2, 2, 3) at 0 s of clip 'Wave': " ONLY);
}

// Splines with even keys: only their tangents make them uneven, and not in the middle between two keys.
static void splines_are_looked_at_between_their_keys(void **state) {
    (void)state;
    float keys[2][3][3] = {{{0}, {1, 1, 1}, {0}}, {{0}, {1, 1, 1}, {0}}}; // in-tangent, value, out-tangent
    check_clip(HAND, SINEW_INTERPOLATION_CUBICSPLINE, 2, keys[0][0], NULL);
    keys[0][2][0] = keys[0][2][1] = keys[0][2][2] = 8; // even, too
    check_clip(HAND, SINEW_INTERPOLATION_CUBICSPLINE, 2, keys[0][0], NULL);

    // At a quarter of the way an out-tangent has 9/64 of itself, an in-tangent -3/64; in the middle 1/8 and -1/8.
    keys[0][2][1] = keys[1][0][1] = 16;
    keys[0][2][0] = keys[1][0][0] = keys[0][2][2] = keys[1][0][2] = 0;
    check_clip(HAND, SINEW_INTERPOLATION_CUBICSPLINE, 2, keys[0][0],
               "node 2 'Hand' has a scale of (1, 2.5, 1) at 0.25 s of clip 'Wave': " ONLY);
    keys[1][0][1] = 48; // three times the other: even at a quarter
    check_clip(HAND, SINEW_INTERPOLATION_CUBICSPLINE, 2, keys[0][0],
               "node 2 'Hand' has a scale of (1, -5, 1) at 0.75 s of clip 'Wave': " ONLY);
}

static void inverse_binds_are_looked_at(void **state) {
    (void)state;
    sinew_affine binds[2] = {{{{0, -2, 0, 5}, {2, 0, 0, 6}, {0, 0, 2, 7}}},  // turned and scaled
                             {{{-1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}}; // mirrored: half a turn and -1
    check_layouts(make_figure(NULL, binds, NULL), NULL);
    binds[1].m[0][0] = -3;
    check_layouts(make_figure(NULL, binds, NULL),
                  "joint 1 'Spine' has a scale of (-3, 1, 1) or a shear in its inverse bind matrix: " ONLY);
    binds[1] = (sinew_affine){{{1, 0.1f, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    sinew_error error = {0};
    figure f = make_figure(NULL, binds, NULL);
    assert_int_equal(sinew_gpu_record_check_layout(&f.asset, 0, SINEW_GPU_RECORD_TRS, &error),
                     SINEW_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "joint 1 'Spine'"));
    free_figure(&f);
}

// Of nodes that move a joint, and more than what rounding leaves.
static void shears_are_looked_at(void **state) {
    (void)state;
    const sinew_affine shear = {{{1, 0.1f, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    const sinew_affine rounded = {{{1, 1e-6f, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    const sinew_affine *shears[NODES] = {[SPINE] = &rounded, [PROP] = &shear, [TREE] = &shear};
    check_layouts(make_figure_of(NULL, shears, NULL, NULL), NULL);
    shears[SPINE] = &shear;
    check_layouts(make_figure_of(NULL, shears, NULL, NULL),
                  "node 1 'Spine' has a matrix with shear: SINEW_GPU_RECORD_TRS cannot hold shear; choose a "
                  "different layout");
}

static void skins_that_there_are_not_are_refused(void **state) {
    (void)state;
    figure f = make_figure(NULL, NULL, NULL);
    sinew_error error = {0};
    assert_int_equal(sinew_gpu_record_check_layout(&f.asset, 1, SINEW_GPU_RECORD_ROWS, &error),
                     SINEW_ERROR_ARGUMENT);
    assert_string_equal(error.message, "skin 1, but the asset has 1");
    assert_int_equal(sinew_gpu_record_check_layout(&f.asset, -1, SINEW_GPU_RECORD_TRS, NULL), SINEW_ERROR_ARGUMENT);
    free_figure(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_as_long_as_their_parts),
        cmocka_unit_test(records_that_cannot_be_are_refused),
        cmocka_unit_test(rows_are_three_texels_a_joint),
        cmocka_unit_test(mat4_is_four_columns_a_joint),
        cmocka_unit_test(baked_records_leave_their_texels_to_others),
        cmocka_unit_test(trs_is_eight_floats_a_joint),
        cmocka_unit_test(trs_gives_back_the_matrix),
        cmocka_unit_test(trs_of_nothing_is_finite),
        cmocka_unit_test(rest_poses_are_looked_at),
        cmocka_unit_test(clips_are_looked_at),
        cmocka_unit_test(splines_are_looked_at_between_their_keys),
        cmocka_unit_test(inverse_binds_are_looked_at),
        cmocka_unit_test(shears_are_looked_at),
        cmocka_unit_test(skins_that_there_are_not_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
