// SPDX-License-Identifier: MIT
// Retargeted clips: poses against sinew_retarget_pose, tracks, and how they play with the target's own clips.
#include "support/retarget_rig.h"

#include <stdio.h>

// The hero onto a rig of 2.5 times its size, with other names.
typedef struct stage {
    character hero;
    derived_rig rig;
    sinew_retarget *map;
    sinew_pose *source, *expected, *actual;
} stage;

static stage s;

static int set_up(void **state) {
    (void)state;
    static const rig_change change = {.scale = 2.5, .renamed = true};
    load_character(HERO, &s.hero);
    s.rig = derive_rig(s.hero.skeleton, &s.hero.humanoid, &change);
    sinew_retarget_def def = sinew_retarget_default();
    def.source = s.hero.skeleton;
    def.target = s.rig.skeleton;
    def.source_humanoid = &s.hero.humanoid;
    def.target_humanoid = &s.rig.humanoid;
    assert_int_equal(sinew_retarget_create(&def, &s.map, NULL), SINEW_OK);
    assert_int_equal(sinew_pose_create(s.hero.skeleton, NULL, &s.source), SINEW_OK);
    assert_int_equal(sinew_pose_create(s.rig.skeleton, NULL, &s.expected), SINEW_OK);
    assert_int_equal(sinew_pose_create(s.rig.skeleton, NULL, &s.actual), SINEW_OK);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    sinew_pose_destroy(s.source);
    sinew_pose_destroy(s.expected);
    sinew_pose_destroy(s.actual);
    sinew_retarget_destroy(s.map);
    free_derived(&s.rig);
    free_character(&s.hero);
    return 0;
}

static sinew_clip *retarget(const sinew_clip *clip, float rate) {
    sinew_retarget_clip_def def = sinew_retarget_clip_default();
    def.rate = rate;
    def.limbs = false;
    sinew_clip *retargeted;
    sinew_error error = {0};
    if (sinew_clip_retarget(s.map, clip, &def, &retargeted, &error) != SINEW_OK) fail_msg("%s", error.message);
    return retargeted;
}

// The pose of the source's clip, retargeted.
static void pose_at(const sinew_clip *clip, float time) {
    sinew_clip_sample(clip, time, s.source);
    sinew_pose_reset(s.expected);
    sinew_retarget_pose(s.map, s.source, s.expected);
}

// The largest difference of `actual` from `expected`: of rotations, scales, and translations per metre of the rig.
static double difference(void) {
    double worst = 0;
    for (int32_t i = 0; i < s.rig.skeleton->node_count; i++) {
        sinew_transform a = sinew_pose_get(s.actual, i), b = sinew_pose_get(s.expected, i);
        worst = fmax(worst, angle_between(a.rotation, b.rotation));
        worst = fmax(worst, exact_length(exact_add(exact_vec(a.translation), exact_vec(b.translation), -1)));
        worst = fmax(worst, exact_length(exact_add(exact_vec(a.scale), exact_vec(b.scale), -1)));
    }
    return worst;
}

// ---- Poses ---------------------------------------------------------------------------------------------------

// At the times of a clip's keys, or halfway between them.
static double worst_at_keys(const sinew_clip *clip, const sinew_clip *retargeted, bool between) {
    double worst = 0;
    for (int32_t i = 0; i < clip->timeline_count; i++) {
        const sinew_timeline *timeline = &clip->timelines[i];
        for (int32_t k = between; k < timeline->key_count; k++) {
            float time = sinew_timeline_time(timeline, k);
            if (between) time = 0.5f * (time + sinew_timeline_time(timeline, k - 1));
            pose_at(clip, time);
            sinew_clip_sample(retargeted, time, s.actual);
            worst = fmax(worst, difference());
        }
    }
    return worst;
}

static void test_keys_are_retargeted_poses(void **state) {
    (void)state;
    for (int32_t i = 0; i < s.hero.asset->clip_count; i++) {
        const sinew_clip *clip = &s.hero.asset->clips[i];
        sinew_clip *retargeted = retarget(clip, 30);
        assert_string_equal(retargeted->name, clip->name);
        assert_true(retargeted->skeleton == s.rig.skeleton);
        assert_true(retargeted->duration == clip->duration);
        assert_true(worst_at_keys(clip, retargeted, false) <= 2e-6);
        sinew_clip_destroy(retargeted);
    }
}

// The poses also agree between linear keys: each rotation is the source's times constant ones.
static void test_poses_between_keys(void **state) {
    (void)state;
    static const float rates[2] = {30, 60};
    double worst[2] = {0, 0};
    for (int rate = 0; rate < 2; rate++) {
        for (int32_t i = 0; i < s.hero.asset->clip_count; i++) {
            const sinew_clip *clip = &s.hero.asset->clips[i];
            sinew_clip *retargeted = retarget(clip, rates[rate]);
            worst[rate] = fmax(worst[rate], worst_at_keys(clip, retargeted, true));
            for (int k = 0; k < 400; k++) {
                float time = clip->duration * (float)k / 399;
                pose_at(clip, time);
                sinew_clip_sample(retargeted, time, s.actual);
                worst[rate] = fmax(worst[rate], difference());
            }
            sinew_clip_destroy(retargeted);
        }
    }
    assert_true(worst[0] <= 2e-6 && worst[1] <= 2e-6);
}

// A spline that swings quickly between two keys a second apart: the error shrinks with the square of the rate.
static void test_splines_get_keys_at_the_rate(void **state) {
    (void)state;
    int32_t hips = s.hero.humanoid.nodes[SINEW_HUMANOID_HIPS];
    static const float times[2] = {0, 1};
    const float values[18] = {0, 0, 0, 0, 0.93f, 0, 4, 0, 0, -4, 0, 0, 0, 0.93f, 0, 0, 0, 0};
    sinew_channel_def channel = {hips, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_CUBICSPLINE, 2, times, values};
    sinew_clip *clip = make_clip(s.hero.skeleton, "spline", &channel, 1);
    double worst[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        sinew_clip *retargeted = retarget(clip, i == 0 ? 30 : 60);
        int32_t node = s.rig.humanoid.nodes[SINEW_HUMANOID_HIPS];
        for (int k = 0; k <= 1000; k++) {
            double t = k / 1000.0; // Hermite: 4 (t³ - 2t² + t) - 4 (t³ - t²), from the tangents
            double x = 2.5 * (4 * (t * t * t - 2 * t * t + t) - 4 * (t * t * t - t * t));
            sinew_transform at = sinew_clip_sample_node(retargeted, (float)t, node);
            worst[i] = fmax(worst[i], fabs(at.translation.x - x));
        }
        sinew_clip_destroy(retargeted);
    }
    double bound = 2.5 * 8 / 8 / (30 * 30); // h² |x''| / 8, and |x''| is 8 × 2.5
    check_near(worst[0], bound, 0.05 * bound);
    check_near(worst[1], bound / 4, 0.05 * bound);
    sinew_clip_destroy(clip);
}

static void test_steps_jump_at_their_keys(void **state) {
    (void)state;
    int32_t head = s.hero.humanoid.nodes[SINEW_HUMANOID_HEAD], to = s.rig.humanoid.nodes[SINEW_HUMANOID_HEAD];
    static const float times[3] = {0, 0.35f, 0.8f};
    sinew_quat turns[3] = {about_x(0), about_x(0.5), about_x(-0.4)};
    sinew_channel_def channel = {head, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_STEP, 3, times, &turns[0].x};
    sinew_clip *clip = make_clip(s.hero.skeleton, "step", &channel, 1), *retargeted = retarget(clip, 30);
    const float moments[] = {0, 0.2f, 0.3499f, 0.35f, 0.36f, 0.7999f, 0.8f};
    for (int i = 0; i < 7; i++) {
        pose_at(clip, moments[i]);
        sinew_clip_sample(retargeted, moments[i], s.actual);
        assert_true(angle_between(sinew_pose_get(s.actual, to).rotation, sinew_pose_get(s.expected, to).rotation) <
                    1e-5);
    }
    assert_true(angle_between(sinew_clip_sample_node(retargeted, 0.3499f, to).rotation,
                              sinew_clip_sample_node(retargeted, 0.35f, to).rotation) > 0.49);
    sinew_clip_destroy(clip);
    sinew_clip_destroy(retargeted);
}

// ---- Tracks --------------------------------------------------------------------------------------------------

static void test_constant_tracks_are_left_out(void **state) {
    (void)state;
    int32_t head = s.hero.humanoid.nodes[SINEW_HUMANOID_HEAD], hips = s.hero.humanoid.nodes[SINEW_HUMANOID_HIPS];
    static const float times[2] = {0, 1};
    sinew_quat turns[2] = {about_x(0), about_x(0.5)};
    float high[6] = {0, 1.2f, 0, 0, 1.2f, 0};
    sinew_channel_def channels[2] = {
        {head, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 2, times, &turns[0].x},
        {hips, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times, high},
    };
    sinew_clip *clip = make_clip(s.hero.skeleton, "nod", channels, 2), *retargeted = retarget(clip, 30);
    assert_int_equal(retargeted->channel_count, 2); // the head's rotation, and the hips' translation as one key
    for (int32_t i = 0; i < 2; i++) {
        const sinew_channel *channel = &retargeted->channels[i];
        bool is_head = channel->node == s.rig.humanoid.nodes[SINEW_HUMANOID_HEAD];
        assert_int_equal(channel->target, is_head ? SINEW_TARGET_ROTATION : SINEW_TARGET_TRANSLATION);
        assert_true(is_head ? channel->key_count == 31 : channel->key_count == 1);
    }
    sinew_clip_destroy(clip);
    sinew_clip_destroy(retargeted);
}

static void test_duration_name_and_markers(void **state) {
    (void)state;
    int32_t head = s.hero.humanoid.nodes[SINEW_HUMANOID_HEAD];
    static const float times[2] = {1.0f / 24, 1.5f}; // as Blender exports it
    sinew_quat turns[2] = {about_x(0.1), about_x(0.5)};
    sinew_channel_def channel = {head, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 2, times, &turns[0].x};
    sinew_marker markers[2] = {{"step", 1.5f}, {"start", 0}};
    sinew_clip_def def = sinew_clip_default();
    def.name = "late";
    def.skeleton = s.hero.skeleton;
    def.channels = &channel, def.channel_count = 1;
    def.markers = markers, def.marker_count = 2;
    sinew_clip *clip, *retargeted;
    assert_int_equal(sinew_clip_create(&def, &clip, NULL), SINEW_OK);
    sinew_retarget_clip_def how = sinew_retarget_clip_default();
    how.name = "renamed";
    assert_int_equal(sinew_clip_retarget(s.map, clip, &how, &retargeted, NULL), SINEW_OK);
    assert_string_equal(retargeted->name, "renamed");
    assert_true(retargeted->duration == 1.5f);
    assert_int_equal(retargeted->marker_count, 2);
    assert_string_equal(retargeted->markers[0].name, "start");
    assert_true(retargeted->markers[1].time == 1.5f);
    for (int i = 0; i < 2; i++) { // before the first key it has that key's value
        pose_at(clip, i == 0 ? 0 : 1.0f / 24);
        sinew_clip_sample(retargeted, i == 0 ? 0 : 1.0f / 24, s.actual);
        assert_true(difference() < 2e-6);
    }
    sinew_clip_destroy(clip);
    sinew_clip_destroy(retargeted);
}

static void test_clips_with_few_keys(void **state) {
    (void)state;
    sinew_clip *empty = make_clip(s.hero.skeleton, "empty", NULL, 0), *retargeted = retarget(empty, 30);
    assert_true(retargeted->duration == 0);
    assert_int_equal(retargeted->channel_count, 0);
    sinew_clip_destroy(empty);
    sinew_clip_destroy(retargeted);

    int32_t head = s.hero.humanoid.nodes[SINEW_HUMANOID_HEAD];
    const float time = 0.7f;
    sinew_quat turned = about_x(0.4), rest = s.hero.skeleton->rest[head].rotation;
    for (int at_rest = 0; at_rest < 2; at_rest++) { // a clip without motion has no tracks, and its duration
        sinew_channel_def channel = {head,  SINEW_TARGET_ROTATION,        SINEW_INTERPOLATION_LINEAR, 1,
                                     &time, at_rest ? &rest.x : &turned.x};
        sinew_clip *clip = make_clip(s.hero.skeleton, "one", &channel, 1);
        retargeted = retarget(clip, 30);
        assert_true(retargeted->duration == 0.7f);
        assert_int_equal(retargeted->channel_count, at_rest ? 0 : 1);
        pose_at(clip, 0.3f);
        sinew_clip_sample(retargeted, 0.3f, s.actual);
        assert_true(difference() < 2e-6);
        sinew_clip_destroy(clip);
        sinew_clip_destroy(retargeted);
    }
}

// ---- Errors --------------------------------------------------------------------------------------------------

static void check_refused(const sinew_clip *clip, float rate, sinew_result result, const char *message) {
    sinew_retarget_clip_def def = sinew_retarget_clip_default();
    def.rate = rate;
    sinew_error error = {0};
    sinew_clip *retargeted = (sinew_clip *)(void *)&error; // must be overwritten
    assert_int_equal(sinew_clip_retarget(s.map, clip, &def, &retargeted, &error), result);
    assert_null(retargeted);
    if (message) assert_string_equal(error.message, message);
    assert_int_equal(sinew_clip_retarget(s.map, clip, &def, &retargeted, NULL), result);
}

static void test_wrong_arguments(void **state) {
    (void)state;
    const sinew_clip *walk = clip_named(&s.hero, "Walk");
    check_refused(walk, 0, SINEW_ERROR_ARGUMENT, "rate is 0; it must be above 0");
    check_refused(walk, -30, SINEW_ERROR_ARGUMENT, "rate is -30; it must be above 0");
    check_refused(walk, NAN, SINEW_ERROR_ARGUMENT, NULL);
    check_refused(walk, INFINITY, SINEW_ERROR_ARGUMENT, NULL);
    check_refused(walk, 1e7f, SINEW_ERROR_LIMIT,
                  "clip 'Walk': more than 1000000 keys at 1e+07 per second; lower the rate");
    check_refused(
        walk, 4e5f, SINEW_ERROR_LIMIT, // so many keys are allowed, but not of so many tracks
        "clip 'Walk': 426689 keys for 165 tracks are too many; lower the rate, or retarget part of the clip");
    sinew_clip *additive;
    assert_int_equal(sinew_clip_make_additive(walk, NULL, NULL, &additive, NULL), SINEW_OK);
    check_refused(additive, 30, SINEW_ERROR_ARGUMENT,
                  "clip 'Walk' is additive; retarget the clip that it was made from, and make that additive");
    sinew_clip_destroy(additive);
}

// ---- Use -----------------------------------------------------------------------------------------------------

static void test_a_retargeted_clip_fades_with_the_target_s_own(void **state) {
    (void)state;
    sinew_clip *walk = retarget(clip_named(&s.hero, "Walk"), 60);
    int32_t head = s.rig.humanoid.nodes[SINEW_HUMANOID_HEAD];
    sinew_clip *own = make_slide(s.rig.skeleton, "own", head, 1, 0.5f);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s.rig.skeleton;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    sinew_mixer_play(mixer, sinew_clip_source(walk), NULL);
    sinew_mixer_update(mixer, 0.25f);
    pose_at(clip_named(&s.hero, "Walk"), 0.25f);
    sinew_pose_copy(s.actual, sinew_mixer_pose(mixer));
    assert_true(difference() < 1e-5);
    sinew_mixer_crossfade_to(mixer, sinew_clip_source(own), 0.4f, NULL);
    sinew_mixer_update(mixer, 0.2f); // half way: the mean of the two
    int32_t hips = s.rig.humanoid.nodes[SINEW_HUMANOID_HIPS];
    double of_walk = sinew_clip_sample_node(walk, 0.45f, hips).translation.y;
    double of_own = s.rig.skeleton->rest[hips].translation.y;
    check_near(sinew_mixer_pose(mixer)->ty[hips], 0.5 * (of_walk + of_own), 1e-5);
    sinew_mixer_destroy(mixer);
    sinew_clip_destroy(walk);
    sinew_clip_destroy(own);
}

static void test_root_motion_of_a_retargeted_clip_is_scaled(void **state) {
    (void)state;
    int32_t hips = s.hero.humanoid.nodes[SINEW_HUMANOID_HIPS];
    static const float times[2] = {0, 1};
    const float values[6] = {0, 0.93f, 0, 0, 0.93f, 1.4f};
    sinew_channel_def channel = {hips, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times, values};
    sinew_clip *clip = make_clip(s.hero.skeleton, "go", &channel, 1), *retargeted = retarget(clip, 30);
    sinew_root_motion_def root = sinew_root_motion_default();
    root.skeleton = s.rig.skeleton;
    root.node = s.rig.humanoid.nodes[SINEW_HUMANOID_HIPS];
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s.rig.skeleton;
    def.root_motion = &root;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    sinew_mixer_play(mixer, sinew_clip_source(retargeted), NULL);
    sinew_mixer_update(mixer, 0.5f);
    check_near(sinew_mixer_root_delta(mixer).translation.z, 2.5 * 0.7, 1e-5);
    sinew_mixer_destroy(mixer);
    sinew_clip_destroy(clip);
    sinew_clip_destroy(retargeted);
}

static void test_an_additive_clip_of_a_retargeted_one(void **state) {
    (void)state;
    sinew_clip *wave = retarget(clip_named(&s.hero, "Wave"), 30), *additive;
    assert_int_equal(sinew_clip_make_additive(wave, NULL, NULL, &additive, NULL), SINEW_OK);
    sinew_clip_sample(wave, 0.9f, s.expected);
    sinew_pose *difference_pose;
    assert_int_equal(sinew_pose_create(s.rig.skeleton, NULL, &difference_pose), SINEW_OK);
    sinew_clip_sample(additive, 0.9f, difference_pose);
    sinew_pose_reset(s.actual);
    sinew_pose_add(s.actual, s.actual, difference_pose, 1, NULL);
    assert_true(difference() < 2e-6);
    sinew_pose_destroy(difference_pose);
    sinew_clip_destroy(additive);
    sinew_clip_destroy(wave);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_are_retargeted_poses),
        cmocka_unit_test(test_poses_between_keys),
        cmocka_unit_test(test_splines_get_keys_at_the_rate),
        cmocka_unit_test(test_steps_jump_at_their_keys),
        cmocka_unit_test(test_constant_tracks_are_left_out),
        cmocka_unit_test(test_duration_name_and_markers),
        cmocka_unit_test(test_clips_with_few_keys),
        cmocka_unit_test(test_wrong_arguments),
        cmocka_unit_test(test_a_retargeted_clip_fades_with_the_target_s_own),
        cmocka_unit_test(test_root_motion_of_a_retargeted_clip_is_scaled),
        cmocka_unit_test(test_an_additive_clip_of_a_retargeted_one),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
