// SPDX-License-Identifier: MIT
// Mirrored clips: their pose at any time is the clip's mirrored pose. Also markers, root motion, interpolations,
// poses without channels, and what's refused.
#include "support/random_rig.h"
#include "support/retarget_rig.h"

// ---- Poses -----------------------------------------------------------------------------------------------------

static sinew_pose *new_pose(const sinew_skeleton *skeleton) {
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(skeleton, NULL, &pose), SINEW_OK);
    return pose;
}

static sinew_mirror *mirror_of(const sinew_skeleton *skeleton, const sinew_humanoid *humanoid,
                               const sinew_pose *reference) {
    sinew_mirror_def def = sinew_mirror_default();
    def.skeleton = skeleton;
    def.humanoid = humanoid;
    def.reference = reference;
    sinew_mirror *mirror;
    sinew_error error = {0};
    if (sinew_mirror_create(&def, &mirror, &error) != SINEW_OK) fail_msg("%s", error.message);
    return mirror;
}

static sinew_clip *mirrored_clip(const sinew_mirror *mirror, const sinew_clip *clip) {
    sinew_clip *mirrored;
    sinew_error error = {0};
    if (sinew_clip_mirror(mirror, clip, NULL, NULL, &mirrored, &error) != SINEW_OK) fail_msg("%s", error.message);
    return mirrored;
}

static double difference_of(const sinew_pose *a, const sinew_pose *b) {
    double worst = 0;
    for (int32_t i = 0; i < a->skeleton->node_count; i++) {
        sinew_transform t = sinew_pose_get(a, i), u = sinew_pose_get(b, i);
        worst = fmax(worst, angle_between(t.rotation, u.rotation));
        double length = fmax(1, sinew_vec3_length(t.translation));
        worst = fmax(worst, sinew_vec3_length(sinew_vec3_subtract(t.translation, u.translation)) / length);
        worst = fmax(worst, sinew_vec3_length(sinew_vec3_subtract(t.scale, u.scale)));
    }
    for (int32_t k = 0; k < a->skeleton->weight_count; k++) {
        worst = fmax(worst, fabs((double)a->weights[k] - b->weights[k]));
    }
    return worst;
}

// The largest difference between the mirrored clip and the mirrored poses of the clip.
static double error_of(const sinew_mirror *mirror, const sinew_clip *clip, const sinew_clip *mirrored) {
    enum { MOMENTS = 37 }; // between keys, too
    sinew_pose *pose = new_pose(clip->skeleton), *found = new_pose(clip->skeleton);
    double worst = 0;
    for (int k = 0; k < MOMENTS; k++) {
        float time = clip->duration * (float)k / (float)(MOMENTS - 1);
        sinew_clip_sample(clip, time, pose);
        sinew_mirror_pose(mirror, pose, pose);
        sinew_clip_sample(mirrored, time, found);
        worst = fmax(worst, difference_of(pose, found));
    }
    sinew_pose_destroy(pose);
    sinew_pose_destroy(found);
    return worst;
}

static void test_clips_of_characters(void **state) {
    (void)state;
    for (int kind = 0; kind < HUMANOIDS; kind++) {
        character c;
        if (!load_character((character_kind)kind, &c)) continue;
        sinew_mirror *mirror = mirror_of(c.skeleton, &c.humanoid, NULL);
        double worst = 0, twice = 0;
        for (int32_t i = 0; i < c.asset->clip_count; i++) {
            const sinew_clip *clip = &c.asset->clips[i];
            sinew_clip *mirrored = mirrored_clip(mirror, clip), *again = mirrored_clip(mirror, mirrored);
            assert_string_equal(mirrored->name, clip->name);
            assert_true(mirrored->duration == clip->duration && mirrored->channel_count == clip->channel_count);
            worst = fmax(worst, error_of(mirror, clip, mirrored));
            twice = fmax(twice, error_of(mirror, mirrored, again));
            sinew_clip_destroy(mirrored);
            sinew_clip_destroy(again);
        }
        print_message("%s: %.2g, twice %.2g\n", character_names[kind], worst, twice);
        assert_true(worst <= 2e-6 && twice <= 2e-6);
        sinew_mirror_destroy(mirror);
        free_character(&c);
    }
}

// ---- Interpolations --------------------------------------------------------------------------------------------

// A root and two arms with unlike axes and weights.
static sinew_skeleton *make_arms(void) {
    static const float rest_weights[2] = {0.25f, 0.75f};
    sinew_node_def nodes[4] = {
        {.name = "Root", .parent = SINEW_NO_NODE, .rest = sinew_transform_identity()},
        {.name = "Arm_L",
         .parent = 0,
         .rest = sinew_transform_identity(),
         .weight_count = 2,
         .rest_weights = rest_weights},
        {.name = "Arm_R", .parent = 0, .rest = sinew_transform_identity(), .weight_count = 2},
        {.name = "Sword", .parent = 2, .rest = sinew_transform_identity()},
    };
    nodes[1].rest.translation = (sinew_vec3){1, 2, 0};
    nodes[2].rest.translation = (sinew_vec3){-1.25f, 2, 0}; // not symmetric: translations have an offset
    nodes[1].rest.rotation = sinew_quat_normalize((sinew_quat){0.3f, -0.5f, 0.2f, 0.8f});
    nodes[2].rest.rotation = sinew_quat_normalize((sinew_quat){-0.6f, 0.1f, 0.4f, 0.3f});
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = 4;
    def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

enum { KEYS = 5 };

// Keys near each other: where a rotation spline or the way between two keys is nearly undefined, rounding decides.
static void draw_values(uint64_t *random, int32_t width, bool is_spline, float *values) {
    float base[4];
    for (int32_t i = 0; i < width; i++) base[i] = random_float(random, -1, 1);
    base[0] += 2;
    for (int k = 0; k < KEYS; k++) {
        for (int part = 0; part < (is_spline ? 3 : 1); part++) {
            const bool is_value = !is_spline || part == 1;
            for (int32_t i = 0; i < width; i++)
                *values++ = random_float(random, -0.5f, 0.5f) + (is_value ? base[i] : 0);
        }
    }
}

static sinew_clip *draw_arms(uint64_t *random, const sinew_skeleton *skeleton) {
    static const float times[KEYS] = {0, 0.25f, 0.5f, 1, 2};
    float values[16][3 * 4 * KEYS];
    sinew_channel_def channels[16];
    int32_t count = 0;
    for (int32_t i = 0; i < 16; i++) {
        const int32_t node = i / 4;
        const sinew_channel_target target = (sinew_channel_target)(i % 4);
        if (target == SINEW_TARGET_WEIGHTS && node != 1 && node != 2) continue;
        if (random_next(random) % 4 == 0) continue;
        const sinew_interpolation interpolation = (sinew_interpolation)(random_next(random) % 3);
        const int32_t width = target == SINEW_TARGET_ROTATION ? 4 : target == SINEW_TARGET_WEIGHTS ? 2 : 3;
        draw_values(random, width, interpolation == SINEW_INTERPOLATION_CUBICSPLINE, values[count]);
        channels[count] = (sinew_channel_def){node, target, interpolation, KEYS, times, values[count]};
        count++;
    }
    return make_clip(skeleton, "Drawn", channels, count);
}

static void test_random_clips_of_every_interpolation(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_arms();
    sinew_mirror *mirror = mirror_of(skeleton, NULL, NULL);
    uint64_t random = 5;
    double worst = 0;
    for (int i = 0; i < 300; i++) {
        sinew_clip *clip = draw_arms(&random, skeleton), *mirrored = mirrored_clip(mirror, clip);
        worst = fmax(worst, error_of(mirror, clip, mirrored));
        sinew_clip_destroy(clip);
        sinew_clip_destroy(mirrored);
    }
    print_message("%.2g\n", worst);
    assert_true(worst <= 4e-6);
    sinew_mirror_destroy(mirror);
    sinew_skeleton_destroy(skeleton);
}

// Mirroring rounds: tested again, keys exactly half a turn apart could turn to the other side.
static void test_half_turns_keep_their_side(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_arms();
    sinew_mirror *mirror = mirror_of(skeleton, NULL, NULL);
    static const float times[4] = {0, 1, 2, 3};
    uint64_t random = 9;
    for (int i = 0; i < 40; i++) {
        const sinew_quat q = sinew_quat_normalize((sinew_quat){random_float(&random, -1, 1), 0.5f, -0.25f, 0.75f});
        const float even[4] = {q.x, q.y, q.z, q.w}, turned[4] = {-q.y, q.x, -q.w, q.z};
        float values[16];
        for (int k = 0; k < 4; k++) {
            const float sign = random_next(&random) % 2 ? 1.0f : -1.0f;
            for (int c = 0; c < 4; c++) values[4 * k + c] = sign * (k % 2 ? turned : even)[c];
        }
        sinew_channel_def channel = {1, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 4, times, values};
        sinew_clip *clip = make_clip(skeleton, "Half", &channel, 1), *mirrored = mirrored_clip(mirror, clip);
        assert_true(error_of(mirror, clip, mirrored) <= 4e-6);
        sinew_clip_destroy(clip);
        sinew_clip_destroy(mirrored);
    }
    sinew_mirror_destroy(mirror);
    sinew_skeleton_destroy(skeleton);
}

// What has no channel is at rest; with another reference its mirror image is not.
static void test_a_reference_that_is_not_the_rest_pose(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_arms();
    sinew_pose *reference = new_pose(skeleton), *sampled = new_pose(skeleton);
    sinew_transform t = sinew_pose_get(reference, 1);
    t.rotation = about_x(0.5);
    t.scale = (sinew_vec3){2, 2, 2};
    sinew_pose_set(reference, 1, t);
    sinew_mirror *mirror = mirror_of(skeleton, NULL, reference);
    sinew_clip *empty = make_clip(skeleton, "Empty", NULL, 0), *mirrored = mirrored_clip(mirror, empty);
    assert_true(error_of(mirror, empty, mirrored) <= 1e-6);
    sinew_clip_sample(mirrored, 0, sampled);
    assert_true(angle_between(sinew_pose_get(sampled, 2).rotation, skeleton->rest[2].rotation) > 0.1);
    check_vec3(sinew_pose_get(sampled, 2).scale, 0.5, 0.5, 0.5, 1e-6);
    check_near(sampled->weights[2], 0.25, 0); // the left arm's at rest
    sinew_clip_destroy(mirrored);
    sinew_clip_destroy(empty);
    sinew_mirror_destroy(mirror);
    sinew_pose_destroy(reference);
    sinew_pose_destroy(sampled);
    sinew_skeleton_destroy(skeleton);
}

static void test_sixteen_bits_stay_sixteen_bits(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_arms();
    sinew_mirror *mirror = mirror_of(skeleton, NULL, NULL);
    uint64_t random = 9;
    random_clip_options options = {.timelines = 1, .percent = 100, .rows = SINEW_KEYS_U16};
    sinew_clip *clip = draw_clip(&random, skeleton, options), *mirrored = mirrored_clip(mirror, clip);
    assert_int_equal(mirrored->key_format, SINEW_KEYS_U16);
    assert_true(error_of(mirror, clip, mirrored) <= 1e-3);
    sinew_clip_destroy(clip);
    sinew_clip_destroy(mirrored);
    sinew_mirror_destroy(mirror);
    sinew_skeleton_destroy(skeleton);
}

// ---- Markers ---------------------------------------------------------------------------------------------------

static void test_names_of_markers_are_mirrored(void **state) {
    (void)state;
    static const sinew_marker markers[] = {{"Foot_L", 0.25f}, {"Hit", 0.5f}, {"Foot_R", 0.75f}};
    sinew_skeleton *skeleton = make_arms();
    sinew_mirror *mirror = mirror_of(skeleton, NULL, NULL);
    sinew_clip_def def = sinew_clip_default();
    def.name = "TurnLeft";
    def.skeleton = skeleton;
    def.duration = 1;
    def.marker_count = 3;
    def.markers = markers;
    sinew_clip *clip, *mirrored;
    assert_int_equal(sinew_clip_create(&def, &clip, NULL), SINEW_OK);
    assert_int_equal(sinew_clip_mirror(mirror, clip, "TurnRight", NULL, &mirrored, NULL), SINEW_OK);
    assert_string_equal(mirrored->name, "TurnRight");
    check_near(mirrored->duration, 1, 0);
    assert_int_equal(mirrored->marker_count, 3);
    assert_string_equal(mirrored->markers[0].name, "Foot_R");
    check_near(mirrored->markers[0].time, 0.25, 0);
    assert_string_equal(mirrored->markers[1].name, "Hit");
    assert_string_equal(mirrored->markers[2].name, "Foot_L");
    sinew_clip_destroy(clip);
    sinew_clip_destroy(mirrored);
    sinew_mirror_destroy(mirror);
    sinew_skeleton_destroy(skeleton);
}

// ---- Root motion -----------------------------------------------------------------------------------------------

static sinew_mixer *play(const sinew_clip *clip, int32_t root) {
    sinew_root_motion_def motion = sinew_root_motion_default();
    motion.skeleton = clip->skeleton;
    motion.node = root;
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = clip->skeleton;
    def.root_motion = &motion;
    sinew_mixer *mixer;
    sinew_error error = {0};
    if (sinew_mixer_create(&def, &mixer, &error) != SINEW_OK) fail_msg("%s", error.message);
    (void)sinew_mixer_play(mixer, sinew_clip_source(clip), NULL);
    return mixer;
}

// The path of a mirrored clip is the mirror image of the path, and so are its poses without root motion: walks forward,
// and turns to the left by 0.8 rad a second.
static void test_root_motion_is_mirrored(void **state) {
    (void)state;
    static const float times[2] = {0, 1};
    float walk[6] = {0, 1, 0, 0.5f, 1, 2}, turn[8] = {0, 0, 0, 1, 0, 0, 0, 0};
    const sinew_quat last = about_y(0.8);
    memcpy(turn + 4, &last, sizeof last);
    sinew_skeleton *skeleton = make_arms();
    const sinew_channel_def channels[2] = {
        {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times, walk},
        {0, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 2, times, turn}};
    sinew_clip *clip = make_clip(skeleton, "Walk", channels, 2);
    sinew_mirror *mirror = mirror_of(skeleton, NULL, NULL);
    sinew_clip *mirrored = mirrored_clip(mirror, clip);
    sinew_mixer *from = play(clip, 0), *to = play(mirrored, 0);
    sinew_pose *pose = new_pose(skeleton);
    double yaw = 0, x = 0;
    for (int i = 0; i < 30; i++) { // past the end of the loop
        sinew_mixer_update(from, 0.05f);
        sinew_mixer_update(to, 0.05f);
        const sinew_root_delta d = sinew_mixer_root_delta(from), e = sinew_mixer_root_delta(to),
                               image = sinew_mirror_root_delta(mirror, d);
        check_near(e.translation.x, -d.translation.x, 1e-6);
        check_near(e.translation.z, d.translation.z, 1e-6);
        check_near(e.yaw, -d.yaw, 1e-6);
        check_vec3(e.translation, image.translation.x, image.translation.y, image.translation.z, 1e-6);
        assert_true(angle_between(e.rotation, image.rotation) < 1e-6 && image.yaw == -d.yaw);
        sinew_mirror_pose(mirror, sinew_mixer_pose(from), pose);
        assert_true(difference_of(pose, sinew_mixer_pose(to)) < 1e-6);
        yaw += d.yaw, x += fabs((double)d.translation.x);
    }
    check_near(yaw, 1.2, 1e-4);
    assert_true(x > 0.1); // there is something to mirror
    sinew_mixer_destroy(from);
    sinew_mixer_destroy(to);
    sinew_pose_destroy(pose);
    sinew_clip_destroy(clip);
    sinew_clip_destroy(mirrored);
    sinew_mirror_destroy(mirror);
    sinew_skeleton_destroy(skeleton);
}

// ---- Retargeting -----------------------------------------------------------------------------------------------

// The mirrored clip of the hero on a rig with other axes is the retargeted clip, mirrored.
static void test_retargeting_and_mirroring_commute(void **state) {
    (void)state;
    static const rig_change change = {.scale = 2, .other_axes = true, .faces_back = true};
    character c;
    load_character(HERO, &c);
    derived_rig rig = derive_rig(c.skeleton, &c.humanoid, &change);
    sinew_retarget_def def = sinew_retarget_default();
    def.source = c.skeleton;
    def.target = rig.skeleton;
    def.source_humanoid = &c.humanoid;
    def.target_humanoid = &rig.humanoid;
    sinew_retarget *map;
    assert_int_equal(sinew_retarget_create(&def, &map, NULL), SINEW_OK);
    sinew_mirror *source = mirror_of(c.skeleton, &c.humanoid, NULL),
                 *target = mirror_of(rig.skeleton, &rig.humanoid, NULL);
    const sinew_clip *clip = clip_named(&c, "StrafeLeft");
    sinew_retarget_clip_def how = sinew_retarget_clip_default();
    how.limbs = false;
    sinew_clip *image = mirrored_clip(source, clip), *onto, *image_onto;
    assert_int_equal(sinew_clip_retarget(map, clip, &how, &onto, NULL), SINEW_OK);
    assert_int_equal(sinew_clip_retarget(map, image, &how, &image_onto, NULL), SINEW_OK);
    assert_true(error_of(target, onto, image_onto) < 2e-4); // between keys they are interpolated on other axes
    sinew_clip *const clips[] = {image, onto, image_onto};
    for (int i = 0; i < 3; i++) sinew_clip_destroy(clips[i]);
    sinew_mirror_destroy(source);
    sinew_mirror_destroy(target);
    sinew_retarget_destroy(map);
    free_derived(&rig);
    free_character(&c);
}

// ---- What is refused -------------------------------------------------------------------------------------------

static void test_an_additive_clip_is_refused(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_arms();
    sinew_mirror *mirror = mirror_of(skeleton, NULL, NULL);
    sinew_clip *clip = make_slide(skeleton, "Slide", 0, 1, 1), *additive, *mirrored = clip;
    sinew_error error = {0};
    assert_int_equal(sinew_clip_make_additive(clip, NULL, NULL, &additive, NULL), SINEW_OK);
    assert_int_equal(sinew_clip_mirror(mirror, additive, NULL, NULL, &mirrored, &error), SINEW_ERROR_ARGUMENT);
    assert_null(mirrored);
    assert_non_null(strstr(error.message, "clip 'Slide' is additive"));
    sinew_clip_destroy(clip);
    sinew_clip_destroy(additive);
    sinew_mirror_destroy(mirror);
    sinew_skeleton_destroy(skeleton);
}

static void test_failing_allocations(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_arms();
    sinew_mirror *mirror = mirror_of(skeleton, NULL, NULL);
    uint64_t random = 3;
    random_clip_options options = {.timelines = 1, .percent = 80};
    sinew_clip *clip = draw_clip(&random, skeleton, options);
    counting c = {0};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    while (fail_next(&c, result)) {
        const sinew_allocator allocator = counting_allocator(&c);
        sinew_clip *mirrored;
        result = sinew_clip_mirror(mirror, clip, NULL, &allocator, &mirrored, NULL);
        assert_int_equal(c.live, result == SINEW_OK);
        sinew_clip_destroy(mirrored);
    }
    assert_true(c.fail_at >= 4);
    sinew_clip_destroy(clip);
    sinew_mirror_destroy(mirror);
    sinew_skeleton_destroy(skeleton);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clips_of_characters),
        cmocka_unit_test(test_random_clips_of_every_interpolation),
        cmocka_unit_test(test_half_turns_keep_their_side),
        cmocka_unit_test(test_a_reference_that_is_not_the_rest_pose),
        cmocka_unit_test(test_sixteen_bits_stay_sixteen_bits),
        cmocka_unit_test(test_names_of_markers_are_mirrored),
        cmocka_unit_test(test_root_motion_is_mirrored),
        cmocka_unit_test(test_retargeting_and_mirroring_commute),
        cmocka_unit_test(test_an_additive_clip_is_refused),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
