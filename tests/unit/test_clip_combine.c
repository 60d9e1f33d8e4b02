// SPDX-License-Identifier: MIT
// Combined clips: each node moves like its own clip alone, over loops with different durations. Also clips that are
// left out, constants, scales of 0 at rest, markers, and what's refused.
#include "support/random_rig.h"

enum { NODES = 6, MAX_CLIPS = 8 };

// Six objects side by side, turned and scaled at rest; the last has two morph weights, and there is a curve.
static sinew_skeleton *make_objects(void) {
    static const char *const names[NODES] = {"Door", "Lamp", "Fan", "Box", "Gate", "Face"}, *const curves[1] = {
                                                                                                "Glow"};
    static const float rest_weights[2] = {0.25f, 0.5f}, rest_curve = 0.125f;
    sinew_node_def nodes[NODES];
    uint64_t random = 7;
    for (int32_t i = 0; i < NODES; i++) {
        nodes[i] = (sinew_node_def){.name = names[i], .parent = SINEW_NO_NODE, .rest = sinew_transform_identity()};
        nodes[i].rest.translation = (sinew_vec3){(float)i, 0.5f, -1};
        nodes[i].rest.rotation = random_quat(&random);
        nodes[i].rest.scale = (sinew_vec3){0.5f, 2, 1};
    }
    nodes[5].weight_count = 2;
    nodes[5].rest_weights = rest_weights;
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = NODES;
    def.nodes = nodes;
    def.curve_count = 1;
    def.curve_names = curves;
    def.rest_curves = &rest_curve;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

// A clip that moves one node in all ways, with keys drawn from its number.
static sinew_clip *move_object(const sinew_skeleton *skeleton, const char *name, int32_t node, float duration) {
    uint64_t random = (uint64_t)node + 1;
    const float times[3] = {0, 0.3f * duration, duration};
    float values[4][12], weights[6], glow[3];
    for (int i = 0; i < 12; i++) values[0][i] = random_float(&random, -3, 3);
    for (int k = 0; k < 3; k++) {
        const sinew_quat q = random_quat(&random);
        memcpy(values[1] + 4 * (ptrdiff_t)k, &q, sizeof q);
    }
    for (int i = 0; i < 12; i++) values[2][i] = random_float(&random, 0.5f, 2);
    for (int i = 0; i < 6; i++) weights[i] = random_float(&random, 0, 1);
    for (int i = 0; i < 3; i++) glow[i] = random_float(&random, 0, 1);
    const sinew_channel_def channels[5] = {
        {node, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_STEP, 3, times, values[0]},
        {node, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 3, times, values[1]},
        {node, SINEW_TARGET_SCALE, SINEW_INTERPOLATION_LINEAR, 3, times, values[2]},
        {node, SINEW_TARGET_WEIGHTS, SINEW_INTERPOLATION_LINEAR, 3, times, weights},
        {0, SINEW_TARGET_CURVE, SINEW_INTERPOLATION_LINEAR, 3, times, glow}};
    return make_clip(skeleton, name, channels, node == 5 ? 5 : 3);
}

typedef struct combination {
    sinew_clip *clips[MAX_CLIPS];
    int32_t count;
    bool left_out[MAX_CLIPS];
} combination;

static combination combine(sinew_clip *const *clips, int32_t count) {
    combination all = {.count = -1};
    sinew_error error = {0};
    const sinew_clip *given[MAX_CLIPS];
    for (int32_t i = 0; i < count; i++) given[i] = clips[i];
    if (sinew_clip_combine(given, count, NULL, all.clips, &all.count, all.left_out, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    return all;
}

static void free_combination(const combination *all) {
    for (int32_t i = 0; i < all->count; i++) sinew_clip_destroy(all->clips[i]);
}

static sinew_mixer *play_all(const sinew_skeleton *skeleton, const combination *all) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = skeleton;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    sinew_layer_set_mode(mixer, 1, SINEW_LAYER_ADDITIVE);
    for (int32_t i = 0; i < all->count; i++) {
        assert_true(all->clips[i]->additive == (i > 0));
        sinew_play_def play = sinew_play_default();
        play.layer = i > 0 ? 1 : 0;
        assert_true(sinew_mixer_play(mixer, sinew_clip_source(all->clips[i]), &play).id != 0);
    }
    return mixer;
}

static double difference_of(sinew_transform t, sinew_transform u) {
    const double moved = (double)sinew_vec3_length(sinew_vec3_subtract(t.translation, u.translation));
    const double scaled = (double)sinew_vec3_length(sinew_vec3_subtract(t.scale, u.scale));
    return fmax(fmax(moved, scaled), angle_between(t.rotation, u.rotation));
}

// Compares a node with its own clip, which restarts at the end of its own duration. Times are multiples of 1/64 s,
// which are exact floats.
static void check_node(const sinew_pose *pose, const sinew_clip *clip, int32_t node, double seconds,
                       double tolerance) {
    const float time = (float)fmod(seconds, (double)clip->duration);
    const double worst = difference_of(sinew_pose_get(pose, node), sinew_clip_sample_node(clip, time, node));
    if (!(worst <= tolerance)) fail_msg("%s at %g s: %g", clip->name, seconds, worst);
}

static void check_values(const sinew_pose *pose, const sinew_clip *clip, double seconds, double tolerance) {
    sinew_pose *expected;
    assert_int_equal(sinew_pose_create(clip->skeleton, NULL, &expected), SINEW_OK);
    sinew_clip_sample(clip, (float)fmod(seconds, (double)clip->duration), expected);
    for (int i = 0; i < 2; i++) check_near(pose->weights[i], expected->weights[i], tolerance);
    check_near(pose->curves[0], expected->curves[0], tolerance);
    sinew_pose_destroy(expected);
}

// ---- Motion ----------------------------------------------------------------------------------------------------

// Loops of 1, 0.75 and 1.5 s, two of them of one duration: three clips.
static void test_each_clip_loops_at_its_own_duration(void **state) {
    (void)state;
    static const float durations[5] = {1, 0.75f, 1.5f, 1, 0.25f};
    static const int32_t moved[5] = {0, 1, 2, 3, 5};
    sinew_skeleton *skeleton = make_objects();
    sinew_clip *clips[5];
    for (int i = 0; i < 5; i++) clips[i] = move_object(skeleton, skeleton->names[moved[i]], moved[i], durations[i]);
    const combination all = combine(clips, 5);
    assert_int_equal(all.count, 4);
    assert_true(all.clips[0]->duration == 1.5f && all.clips[1]->duration == 1.0f);
    assert_string_equal(all.clips[0]->name, "Fan");
    assert_string_equal(all.clips[1]->name, "Door and 1 more");
    sinew_mixer *mixer = play_all(skeleton, &all);
    for (int frame = 1; frame <= 300; frame++) {
        sinew_mixer_update(mixer, 1.0f / 64.0f);
        const sinew_pose *pose = sinew_mixer_pose(mixer);
        for (int i = 0; i < 5; i++) {
            assert_false(all.left_out[i]);
            if (fmod((double)frame / 64.0, (double)durations[i]) == 0.0) continue; // the last pose, or the first
            check_node(pose, clips[i], moved[i], (double)frame / 64.0, 2e-6);
        }
        check_near(difference_of(sinew_pose_get(pose, 4), skeleton->rest[4]), 0, 1e-6); // no clip moves it
        if (frame % 16 != 0) check_values(pose, clips[4], (double)frame / 64.0, 1e-6);
    }
    sinew_mixer_destroy(mixer);
    free_combination(&all);
    for (int i = 0; i < 5; i++) sinew_clip_destroy(clips[i]);
    sinew_skeleton_destroy(skeleton);
}

// One clip, and the bits of each.
static void test_clips_of_one_duration(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_objects();
    sinew_clip *clips[NODES];
    for (int32_t i = 0; i < NODES; i++) clips[i] = move_object(skeleton, skeleton->names[i], i, 1.25f);
    const combination all = combine(clips, NODES);
    assert_int_equal(all.count, 1);
    assert_string_equal(all.clips[0]->name, "Door and 5 more");
    for (int k = 0; k <= 80; k++) {
        const float time = (float)k / 64.0f;
        for (int32_t i = 0; i < NODES; i++) {
            const sinew_transform a = sinew_clip_sample_node(all.clips[0], time, i);
            const sinew_transform b = sinew_clip_sample_node(clips[i], time, i);
            assert_memory_equal(&a, &b, sizeof a);
        }
    }
    free_combination(&all);
    for (int32_t i = 0; i < NODES; i++) sinew_clip_destroy(clips[i]);
    sinew_skeleton_destroy(skeleton);
}

// An object that is hidden by a scale of 0 at rest appears, in whichever part its clip is.
static void test_scales_of_zero_at_rest(void **state) {
    (void)state;
    static const float durations[2][2] = {{1, 0.5f}, {0.5f, 1}};
    sinew_node_def nodes[2] = {{.name = "Hidden", .parent = SINEW_NO_NODE, .rest = sinew_transform_identity()},
                               {.name = "Seen", .parent = SINEW_NO_NODE, .rest = sinew_transform_identity()}};
    nodes[0].rest.scale = (sinew_vec3){0, 0, 2};
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = 2;
    def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    for (int i = 0; i < 2; i++) {
        sinew_clip *clips[2];
        for (int32_t n = 0; n < 2; n++) clips[n] = move_object(skeleton, skeleton->names[n], n, durations[i][n]);
        const combination all = combine(clips, 2);
        sinew_mixer *mixer = play_all(skeleton, &all);
        for (int frame = 1; frame < 32; frame++) {
            sinew_mixer_update(mixer, 1.0f / 64.0f);
            for (int32_t n = 0; n < 2; n++)
                check_node(sinew_mixer_pose(mixer), clips[n], n, (double)frame / 64.0, 2e-6);
        }
        sinew_mixer_destroy(mixer);
        free_combination(&all);
        for (int n = 0; n < 2; n++) sinew_clip_destroy(clips[n]);
    }
    sinew_skeleton_destroy(skeleton);
}

// ---- Conflicts -------------------------------------------------------------------------------------------------

static void test_clips_that_move_the_same(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_objects();
    sinew_clip *first = move_object(skeleton, "First", 0, 1), *second = move_object(skeleton, "Second", 0, 2),
               *other = move_object(skeleton, "Other", 1, 2), *additive;
    assert_int_equal(sinew_clip_make_additive(other, NULL, NULL, &additive, NULL), SINEW_OK);
    sinew_clip *clips[] = {additive, first, second, other, first};
    const combination all = combine(clips, 5);
    static const bool left_out[5] = {true, false, true, false, true};
    assert_memory_equal(all.left_out, left_out, sizeof left_out);
    assert_int_equal(all.count, 2);
    assert_string_equal(all.clips[0]->name, "Other");
    assert_string_equal(all.clips[1]->name, "First");
    const combination none = combine(clips, 1), empty = combine(clips, 0);
    assert_true(none.count == 0 && none.left_out[0] && empty.count == 0);
    free_combination(&all);
    sinew_clip_destroy(additive);
    sinew_clip_destroy(first);
    sinew_clip_destroy(second);
    sinew_clip_destroy(other);
    sinew_skeleton_destroy(skeleton);
}

static sinew_clip *hold(const sinew_skeleton *skeleton, int32_t node, float x, float y) {
    const float time = 0, values[6] = {x, 0, 0, y, 1, 1};
    const sinew_channel_def channels[2] = {
        {node, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_STEP, 1, &time, values},
        {node, SINEW_TARGET_SCALE, SINEW_INTERPOLATION_STEP, 1, &time, values + 3}};
    return make_clip(skeleton, "Hold", channels, 2);
}

// What moves counts before a constant of an earlier clip, and an earlier constant before a later one.
static void test_constants(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_objects();
    sinew_clip *clips[5] = {hold(skeleton, 0, 5, 6), hold(skeleton, 1, 7, 8), hold(skeleton, 1, 9, 9),
                            move_object(skeleton, "Door", 0, 0.5f), move_object(skeleton, "Fan", 2, 1)};
    const combination all = combine(clips, 5);
    assert_int_equal(all.count, 2);
    for (int i = 0; i < 5; i++) assert_false(all.left_out[i]);
    sinew_mixer *mixer = play_all(skeleton, &all);
    for (int frame = 1; frame < 32; frame++) {
        sinew_mixer_update(mixer, 1.0f / 64.0f);
        check_node(sinew_mixer_pose(mixer), clips[3], 0, (double)frame / 64.0, 2e-6);
        check_node(sinew_mixer_pose(mixer), clips[4], 2, (double)frame / 64.0, 2e-6);
        const sinew_transform held = sinew_pose_get(sinew_mixer_pose(mixer), 1);
        check_near(held.translation.x, 7, 1e-6);
        check_near(held.scale.x, 8, 1e-6);
    }
    sinew_mixer_destroy(mixer);
    free_combination(&all);
    for (int i = 0; i < 5; i++) sinew_clip_destroy(clips[i]);
    sinew_skeleton_destroy(skeleton);
}

// ---- The rest --------------------------------------------------------------------------------------------------

// Those of one clip, in the order of their times. Clips without motion are in the base, with the markers that it has time for.
static void test_markers(void **state) {
    (void)state;
    static const sinew_marker markers[3][2] = {
        {{"open", 0.25f}, {"shut", 1}}, {{"on", 0.125f}, {"off", 0.5f}}, {{"early", 0.75f}, {"late", 3}}};
    static const char *const names[5] = {"on", "open", "off", "early", "shut"};
    static const float times[2] = {0, 1}, values[6] = {0, 0, 0, 1, 1, 1};
    sinew_skeleton *skeleton = make_objects();
    sinew_clip *clips[3];
    for (int32_t i = 0; i < 3; i++) {
        const sinew_channel_def channel = {
            i, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, i < 2 ? 2 : 1, times, values};
        sinew_clip_def def = sinew_clip_default();
        def.skeleton = skeleton;
        def.channels = &channel;
        def.channel_count = 1;
        def.duration = i < 2 ? 1.0f : 3.0f;
        def.markers = markers[i];
        def.marker_count = 2;
        assert_int_equal(sinew_clip_create(&def, &clips[i], NULL), SINEW_OK);
    }
    const combination all = combine(clips, 3);
    assert_int_equal(all.count, 1);
    assert_int_equal(all.clips[0]->marker_count, 5);
    for (int i = 0; i < 5; i++) assert_string_equal(all.clips[0]->markers[i].name, names[i]);
    free_combination(&all);
    for (int i = 0; i < 3; i++) sinew_clip_destroy(clips[i]);
    sinew_skeleton_destroy(skeleton);
}

static void test_other_skeletons_are_refused(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_objects(), *other = make_objects();
    sinew_clip *a = move_object(skeleton, "A", 0, 1), *b = move_object(other, "B", 1, 1), *combined[2];
    int32_t count = 5;
    sinew_error error = {0};
    assert_int_equal(sinew_clip_combine((const sinew_clip *[]){a, b}, 2, NULL, combined, &count, NULL, &error),
                     SINEW_ERROR_ARGUMENT);
    assert_int_equal(count, 0);
    assert_non_null(strstr(error.message, "'B'"));
    sinew_clip_destroy(a);
    sinew_clip_destroy(b);
    sinew_skeleton_destroy(skeleton);
    sinew_skeleton_destroy(other);
}

// One clip for each node of a chain, each with its own duration. At most 64.
static void test_more_durations_than_actions(void **state) {
    (void)state;
    enum { MOST = 64 };
    sinew_skeleton *skeleton = make_chain(MOST + 1);
    sinew_clip *clips[MOST + 1], *combined[MOST + 1];
    for (int32_t i = 0; i <= MOST; i++)
        clips[i] = make_slide(skeleton, skeleton->names[i], i, 1.0f + (float)i / 128.0f, 1);
    int32_t count;
    sinew_error error = {0};
    const sinew_clip *const *given = (const sinew_clip *const *)clips;
    assert_int_equal(sinew_clip_combine(given, MOST, NULL, combined, &count, NULL, &error), SINEW_OK);
    assert_int_equal(count, MOST);
    for (int32_t i = 0; i < count; i++) sinew_clip_destroy(combined[i]);
    assert_int_equal(sinew_clip_combine(given, MOST + 1, NULL, combined, &count, NULL, &error), SINEW_ERROR_LIMIT);
    assert_true(count == 0 && strstr(error.message, "'n64'"));
    for (int32_t i = 0; i <= MOST; i++) sinew_clip_destroy(clips[i]);
    sinew_skeleton_destroy(skeleton);
}

static void test_without_memory(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_objects();
    sinew_clip *a = move_object(skeleton, "A", 0, 1), *b = move_object(skeleton, "B", 5, 0.5f), *combined[2];
    counting c = {0};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    while (fail_next(&c, result)) {
        const sinew_allocator allocator = counting_allocator(&c);
        int32_t count = -1;
        result = sinew_clip_combine((const sinew_clip *[]){a, b}, 2, &allocator, combined, &count, NULL, NULL);
        assert_int_equal(count, result == SINEW_OK ? 2 : 0);
        assert_int_equal(c.live, count);
        for (int32_t i = 0; i < count; i++) sinew_clip_destroy(combined[i]);
    }
    assert_true(c.fail_at >= 6);
    sinew_clip_destroy(a);
    sinew_clip_destroy(b);
    sinew_skeleton_destroy(skeleton);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_clip_loops_at_its_own_duration),
        cmocka_unit_test(test_clips_of_one_duration),
        cmocka_unit_test(test_scales_of_zero_at_rest),
        cmocka_unit_test(test_clips_that_move_the_same),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_markers),
        cmocka_unit_test(test_other_skeletons_are_refused),
        cmocka_unit_test(test_more_durations_than_actions),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
