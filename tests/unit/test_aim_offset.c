// SPDX-License-Identifier: MIT
// Aim offsets, against their definition computed in double precision: rotations in model space, node by node.
#include "support/check.h"

// ---- Double --------------------------------------------------------------------------------------------------

typedef struct quat {
    double x, y, z, w;
} quat;

static quat of(sinew_quat q) {
    return (quat){q.x, q.y, q.z, q.w};
}

static quat times(quat a, quat b) {
    return (quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                  a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static quat opposite(quat q) {
    return (quat){-q.x, -q.y, -q.z, q.w};
}

static quat unit(quat q) {
    double n = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (quat){q.x / n, q.y / n, q.z / n, q.w / n};
}

static double apart(quat a, quat b) {
    quat d = times(opposite(a), b);
    return 2 * atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), fabs(d.w));
}

enum { NODES = 24, COLUMNS = 3, ROWS = 2, GRID = COLUMNS * ROWS };

static const float yaws[COLUMNS] = {-60, 0, 45}, pitches[ROWS] = {-30, 40};

typedef struct stage {
    sinew_skeleton *skeleton;
    sinew_clip *clips[GRID];
    sinew_pose *poses[GRID], *reference, *base, *pose;
    sinew_mask *mask;
    sinew_affine model[NODES];
    uint64_t random;
} stage;

static void rotations_of(const sinew_pose *pose, quat out[NODES]) {
    for (int i = 0; i < NODES; i++) {
        int32_t parent = pose->skeleton->parents[i];
        quat local = unit(of(sinew_pose_get(pose, i).rotation));
        out[i] = parent < 0 ? local : times(out[parent], local);
    }
}

// ---- A rig ---------------------------------------------------------------------------------------------------

// A small rotation, up to about 40 degrees.
static sinew_quat small_turn(uint64_t *random) {
    return sinew_quat_normalize((sinew_quat){random_float(random, -0.3f, 0.3f), random_float(random, -0.3f, 0.3f),
                                             random_float(random, -0.3f, 0.3f), 1});
}

static void turn_node(sinew_pose *pose, int32_t node, sinew_quat by) {
    sinew_transform t = sinew_pose_get(pose, node);
    t.rotation = sinew_quat_normalize(sinew_quat_multiply(t.rotation, by));
    sinew_pose_set(pose, node, t);
}

static sinew_clip *clip_of(const sinew_pose *pose) {
    static const float zero[1] = {0};
    float values[NODES][4];
    sinew_channel_def channels[NODES];
    for (int i = 0; i < NODES; i++) {
        sinew_quat q = sinew_pose_get(pose, i).rotation;
        memcpy(values[i], &q, sizeof q);
        channels[i] = (sinew_channel_def){i, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 1, zero, values[i]};
    }
    return make_clip(pose->skeleton, "aim", channels, NODES);
}

// Aiming poses turn a third of the nodes; the base turns all.
static stage make_stage(uint64_t seed) {
    stage s = {.random = seed};
    sinew_node_def nodes[NODES];
    for (int i = 0; i < NODES; i++) {
        int32_t parent = i == 0 ? SINEW_NO_NODE : (int32_t)(random_next(&s.random) % (uint32_t)i);
        nodes[i] = (sinew_node_def){.parent = parent, .rest = sinew_transform_identity()};
        nodes[i].rest.translation.y = 1;
        nodes[i].rest.rotation = random_quat(&s.random);
        float scale = random_float(&s.random, 0.5f, 2);
        nodes[i].rest.scale = (sinew_vec3){scale, scale, scale};
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = NODES;
    def.nodes = nodes;
    assert_int_equal(sinew_skeleton_create(&def, &s.skeleton, NULL), SINEW_OK);
    sinew_pose **poses[] = {&s.reference, &s.base, &s.pose};
    for (int i = 0; i < 3; i++) assert_int_equal(sinew_pose_create(s.skeleton, NULL, poses[i]), SINEW_OK);
    for (int i = 0; i < NODES; i++) {
        turn_node(s.reference, i, small_turn(&s.random));
        turn_node(s.base, i, random_quat(&s.random));
    }
    for (int k = 0; k < GRID; k++) {
        assert_int_equal(sinew_pose_create(s.skeleton, NULL, &s.poses[k]), SINEW_OK);
        sinew_pose_copy(s.poses[k], s.reference);
        for (int i = 0; i < NODES; i += 3) turn_node(s.poses[k], i, small_turn(&s.random));
        s.clips[k] = clip_of(s.poses[k]);
    }
    assert_int_equal(sinew_mask_create(s.skeleton, 1, NULL, &s.mask), SINEW_OK);
    return s;
}

static void free_stage(stage *s) {
    for (int k = 0; k < GRID; k++) sinew_clip_destroy(s->clips[k]), sinew_pose_destroy(s->poses[k]);
    sinew_pose_destroy(s->reference), sinew_pose_destroy(s->base), sinew_pose_destroy(s->pose);
    sinew_mask_destroy(s->mask);
    sinew_skeleton_destroy(s->skeleton);
}

static sinew_aim_offset_def def_of(const stage *s) {
    sinew_aim_offset_def def = sinew_aim_offset_default();
    def.skeleton = s->skeleton;
    def.yaw_count = COLUMNS, def.pitch_count = ROWS;
    def.yaws = yaws, def.pitches = pitches;
    def.clips = (const sinew_clip *const *)s->clips;
    def.reference = s->reference;
    def.mask = s->mask;
    return def;
}

static sinew_aim_offset *make_aim(const stage *s) {
    sinew_aim_offset_def def = def_of(s);
    sinew_aim_offset *aim;
    sinew_error error = {0};
    if (sinew_aim_offset_create(&def, &aim, &error) != SINEW_OK) fail_msg("%s", error.message);
    return aim;
}

static void apply(stage *s, const sinew_aim_offset *aim, double yaw, double pitch, double weight) {
    sinew_pose_copy(s->pose, s->base);
    sinew_pose_to_model(s->pose, s->model);
    sinew_aim_offset_apply(aim, (float)yaw, (float)pitch, (float)weight, s->pose, s->model);
    sinew_affine expected[NODES];
    sinew_pose_to_model(s->pose, expected);
    assert_memory_equal(s->model, expected, sizeof expected);
}

// ---- The definition, in double -------------------------------------------------------------------------------

// The weights of the columns or rows: hat functions, with the ends held.
static void hats(const float *values, int count, double at, double *out) {
    for (int i = 0; i < count; i++) {
        double v = fmin(fmax(at, values[0]), values[count - 1]), left = i > 0 ? values[i - 1] : -INFINITY;
        double right = i + 1 < count ? values[i + 1] : INFINITY;
        out[i] = v < values[i] ? fmax(0, 1 - (values[i] - v) / (values[i] - left))
                               : fmax(0, 1 - (v - values[i]) / (right - values[i]));
        if (isinf(left) && v <= values[i]) out[i] = 1;
        if (isinf(right) && v >= values[i]) out[i] = 1;
    }
}

static void expect(const stage *s, double yaw, double pitch, double weight, quat out[NODES]) {
    quat base[NODES], reference[NODES], posed[GRID][NODES];
    double x[COLUMNS], y[ROWS];
    rotations_of(s->base, base), rotations_of(s->reference, reference);
    for (int k = 0; k < GRID; k++) rotations_of(s->poses[k], posed[k]);
    hats(yaws, COLUMNS, yaw, x), hats(pitches, ROWS, pitch, y);
    for (int i = 0; i < NODES; i++) {
        double f = weight * (double)s->mask->nodes[i];
        int32_t parent = s->skeleton->parents[i];
        if (f == 0) {
            quat local = unit(of(sinew_pose_get(s->base, i).rotation));
            out[i] = parent < 0 ? local : times(out[parent], local);
            continue;
        }
        quat sum = {0, 0, 0, 0};
        for (int k = 0; k < GRID; k++) {
            quat d = times(posed[k][i], opposite(reference[i]));
            double w = x[k % COLUMNS] * y[k / COLUMNS] * (d.w < 0 ? -1 : 1);
            sum = (quat){sum.x + w * d.x, sum.y + w * d.y, sum.z + w * d.z, sum.w + w * d.w};
        }
        sum = unit(sum);
        out[i] = times(unit((quat){f * sum.x, f * sum.y, f * sum.z, 1 - f + f * sum.w}), base[i]);
    }
}

static double error_of(stage *s, const sinew_aim_offset *aim, double yaw, double pitch, double weight) {
    quat expected[NODES], is[NODES];
    apply(s, aim, yaw, pitch, weight);
    expect(s, yaw, pitch, weight, expected);
    rotations_of(s->pose, is);
    double most = 0;
    for (int i = 0; i < NODES; i++) most = fmax(most, apart(is[i], expected[i]));
    return most;
}

// The number of nodes whose local rotation differs from the base's.
static int32_t turned_nodes(const stage *s) {
    int32_t count = 0;
    for (int32_t i = 0; i < NODES; i++) {
        sinew_quat a = sinew_pose_get(s->base, i).rotation, b = sinew_pose_get(s->pose, i).rotation;
        count += memcmp(&a, &b, sizeof a) != 0;
    }
    return count;
}

static void test_against_double(void **state) {
    (void)state;
    double most = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        stage s = make_stage(seed);
        int32_t all = 0;
        for (int kind = 0; kind < 3; kind++) {
            for (int i = 0; i < NODES && kind == 1; i++) sinew_mask_set(s.mask, i, random_float(&s.random, 0, 1));
            for (int i = 0; i < NODES && kind == 2; i++) sinew_mask_set(s.mask, i, i % 4 == 0 ? 0 : 1);
            sinew_aim_offset *aim = make_aim(&s);
            if (kind == 0) {
                apply(&s, aim, 45, 30, 1);
                all = turned_nodes(&s);
            }
            for (int run = 0; run < 30; run++) {
                double yaw = random_float(&s.random, -90, 90), pitch = random_float(&s.random, -60, 60);
                most = fmax(most, error_of(&s, aim, yaw, pitch, run % 3 ? random_float(&s.random, 0, 1) : 1));
            }
            sinew_aim_offset_destroy(aim);
        }
        assert_true(all > 0 && all <= NODES / 3); // the others follow
        free_stage(&s);
    }
    print_message("rotations in model space are off by at most %.2g rad\n", most);
    assert_true(most < 5e-6);
}

// The purpose: with a base that leans by any rotation, the gun is turned in model space by the same rotation.
static void test_lean_does_not_matter(void **state) {
    (void)state;
    stage s = make_stage(5);
    sinew_aim_offset *aim = make_aim(&s);
    for (int lean = 0; lean < 20; lean++) {
        for (int i = 0; i < NODES; i++) turn_node(s.base, i, random_quat(&s.random));
        quat before[NODES], after[NODES], reference[NODES], posed[NODES];
        rotations_of(s.base, before);
        apply(&s, aim, 45, 40, 1); // the last pose of the grid
        rotations_of(s.pose, after);
        rotations_of(s.reference, reference), rotations_of(s.poses[GRID - 1], posed);
        for (int i = 0; i < NODES; i++) {
            quat turn = times(after[i], opposite(before[i])), wanted = times(posed[i], opposite(reference[i]));
            check_near(apart(turn, wanted), 0, 5e-6);
        }
    }
    // On the reference itself the result is the aiming pose.
    sinew_pose_copy(s.base, s.reference);
    apply(&s, aim, 45, 40, 1);
    for (int i = 0; i < NODES; i++) {
        check_near(angle_between(sinew_pose_get(s.pose, i).rotation, sinew_pose_get(s.poses[GRID - 1], i).rotation),
                   0, 5e-6);
    }
    sinew_aim_offset_destroy(aim);
    free_stage(&s);
}

static void check_bits(const stage *s) {
    for (int i = 0; i < NODES; i++) {
        sinew_transform a = sinew_pose_get(s->base, i), b = sinew_pose_get(s->pose, i);
        assert_memory_equal(&a, &b, sizeof a);
    }
}

static void test_what_keeps_the_bits(void **state) {
    (void)state;
    stage s = make_stage(6);
    sinew_aim_offset *aim = make_aim(&s);
    apply(&s, aim, 10, 10, 0), check_bits(&s);
    apply(&s, aim, 10, 10, NAN), check_bits(&s);
    apply(&s, aim, 10, 10, -1), check_bits(&s);
    sinew_aim_offset_destroy(aim);
    sinew_mask_set_subtree(s.mask, 0, 0, 0);
    aim = make_aim(&s);
    apply(&s, aim, 10, 10, 1), check_bits(&s);
    sinew_aim_offset_destroy(aim);
    free_stage(&s);
}

// Beyond the grid it is held; NaN counts as the first column or row.
static void test_grid_is_clamped(void **state) {
    (void)state;
    stage s = make_stage(7);
    sinew_aim_offset *aim = make_aim(&s);
    check_near(error_of(&s, aim, 1e9, -1e9, 1), 0, 5e-6);
    check_near(error_of(&s, aim, -INFINITY, INFINITY, 1), 0, 5e-6);
    quat expected[NODES], is[NODES];
    apply(&s, aim, NAN, NAN, 1);
    rotations_of(s.pose, is);
    expect(&s, -60, -30, 1, expected);
    for (int i = 0; i < NODES; i++) check_near(apart(is[i], expected[i]), 0, 5e-6);
    sinew_aim_offset_destroy(aim);
    free_stage(&s);
}

// The same pose, mirrored: the offset of the mirrored grid is the mirror image of the offset.
static void test_mirrored(void **state) {
    (void)state;
    sinew_asset *asset = load_gltf(SINEW_MODELS "/hero.glb", NULL);
    const sinew_skeleton *skeleton = asset->skeleton;
    sinew_humanoid roles;
    sinew_mirror_def mirror_def = sinew_mirror_default();
    sinew_mirror *mirror;
    assert_int_equal(sinew_humanoid_guess(skeleton, asset->up, NULL, &roles, NULL, NULL), SINEW_OK);
    mirror_def.skeleton = skeleton, mirror_def.humanoid = &roles;
    assert_int_equal(sinew_mirror_create(&mirror_def, &mirror, NULL), SINEW_OK);
    const sinew_clip *clips[2] = {sinew_asset_find_clip(asset, "Attack"), NULL};
    sinew_clip *mirrored;
    assert_int_equal(sinew_clip_mirror(mirror, clips[0], NULL, NULL, &mirrored, NULL), SINEW_OK);
    clips[1] = mirrored;
    sinew_pose *poses[2];
    sinew_affine *model = calloc((size_t)skeleton->node_count, sizeof *model);
    for (int side = 0; side < 2; side++) {
        sinew_aim_offset_def def = sinew_aim_offset_default();
        sinew_aim_offset *aim;
        def.skeleton = skeleton, def.clips = &clips[side];
        assert_int_equal(sinew_aim_offset_create(&def, &aim, NULL), SINEW_OK);
        assert_int_equal(sinew_pose_create(skeleton, NULL, &poses[side]), SINEW_OK);
        sinew_clip_sample(sinew_asset_find_clip(asset, "Run"), 0.2f, poses[side]);
        if (side == 1) sinew_mirror_pose(mirror, poses[1], poses[1]);
        sinew_pose_to_model(poses[side], model);
        sinew_aim_offset_apply(aim, 0, 0, 0.7f, poses[side], model);
        sinew_aim_offset_destroy(aim);
    }
    sinew_mirror_pose(mirror, poses[0], poses[0]);
    double most = 0;
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        if (mirror->counterparts[i] == SINEW_NO_NODE) continue;
        sinew_quat a = sinew_pose_get(poses[0], i).rotation, b = sinew_pose_get(poses[1], i).rotation;
        most = fmax(most, angle_between(a, b));
    }
    print_message("mirrored: %.2g rad\n", most);
    assert_true(most < 1e-5);
    for (int side = 0; side < 2; side++) sinew_pose_destroy(poses[side]);
    free(model);
    sinew_clip_destroy(mirrored);
    sinew_mirror_destroy(mirror);
    sinew_asset_destroy(asset);
}

// ---- Definitions ---------------------------------------------------------------------------------------------

static void check_fault(const sinew_aim_offset_def *def, const char *text) {
    sinew_aim_offset *aim = (sinew_aim_offset *)(uintptr_t)8;
    sinew_error error = {0};
    assert_int_equal(sinew_aim_offset_create(def, &aim, &error), SINEW_ERROR_ARGUMENT);
    assert_null(aim);
    if (!strstr(error.message, text)) fail_msg("'%s' lacks '%s'", error.message, text);
}

static void test_faults(void **state) {
    (void)state;
    stage s = make_stage(8), other = make_stage(9);
    sinew_aim_offset_def def = def_of(&s);
    const float equal[COLUMNS] = {1, 2, 2};
    const sinew_clip *clips[GRID];
    def.skeleton = NULL, check_fault(&def, "no skeleton"), def = def_of(&s);
    def.yaws = equal, check_fault(&def, "increasing"), def = def_of(&s);
    def.yaws = NULL, check_fault(&def, "increasing"), def = def_of(&s);
    def.pitch_count = 0, check_fault(&def, "increasing"), def = def_of(&s);
    def.yaw_count = 17, check_fault(&def, "increasing"), def = def_of(&s);
    def.clips = NULL, check_fault(&def, "clip 0 is missing"), def = def_of(&s);
    memcpy(clips, s.clips, sizeof clips), clips[4] = other.clips[0], def.clips = clips;
    check_fault(&def, "clip 4 belongs to a different skeleton"), def = def_of(&s);
    sinew_clip *additive;
    assert_int_equal(sinew_clip_make_additive(s.clips[0], NULL, NULL, &additive, NULL), SINEW_OK);
    clips[4] = additive, def.clips = clips, check_fault(&def, "clip 4 is additive"), def = def_of(&s);
    sinew_clip_destroy(additive);
    def.mask = other.mask, check_fault(&def, "mask belongs to a different"), def = def_of(&s);
    def.reference = other.base, check_fault(&def, "reference belongs to a different");
    sinew_aim_offset_destroy(NULL);
    free_stage(&s), free_stage(&other);
}

static void test_memory(void **state) {
    (void)state;
    stage s = make_stage(10);
    sinew_aim_offset_def def = def_of(&s);
    counting c = {0};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    def.allocator = counting_allocator(&c);
    while (fail_next(&c, result)) {
        sinew_aim_offset *aim;
        result = sinew_aim_offset_create(&def, &aim, NULL);
        assert_int_equal(aim != NULL, result == SINEW_OK);
        if (!aim) continue;
        c.allocations = 0;
        apply(&s, aim, 3, 4, 1);
        assert_int_equal(c.allocations, 0);
        assert_int_equal(c.live, 1);
        sinew_aim_offset_destroy(aim);
    }
    assert_true(c.fail_at > 3);
    free_stage(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_double),
        cmocka_unit_test(test_lean_does_not_matter),
        cmocka_unit_test(test_what_keeps_the_bits),
        cmocka_unit_test(test_grid_is_clamped),
        cmocka_unit_test(test_mirrored),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
