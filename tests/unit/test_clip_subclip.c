// SPDX-License-Identifier: MIT
// Parts of clips: the motion, from closed forms and from the clip itself, keys, markers, curves, root motion, key
// formats, and what's refused.
#include "support/exact_clip.h"
#include "support/random_rig.h"

static sinew_clip *part_of(const sinew_clip *clip, float start, float end) {
    sinew_clip *part;
    sinew_error error = {0};
    if (sinew_clip_subclip(clip, start, end, NULL, NULL, &part, &error) != SINEW_OK) fail_msg("%s", error.message);
    assert_true(part->duration == end - start);
    assert_true(part->channel_count == clip->channel_count && part->additive == clip->additive);
    assert_string_equal(part->name, clip->name);
    return part;
}

static float *times_of(const sinew_clip *clip, int32_t channel, int32_t *count) {
    *count = sinew_clip_channel_keys(clip, channel, NULL, NULL);
    float *times = calloc((size_t)*count, sizeof *times);
    assert_non_null(times);
    sinew_clip_channel_keys(clip, channel, times, NULL);
    return times;
}

// ---- Closed forms ----------------------------------------------------------------------------------------------

enum { MOMENTS = 50 };

// The keys of a channel, one float a value, in x, or in the only component of a weight.
typedef struct motion {
    sinew_interpolation interpolation;
    int32_t key_count;
    float times[4], keys[4][3];
} motion;

static sinew_clip *clip_of(const sinew_skeleton *skeleton, const motion *m) {
    float values[4 * 9] = {0};
    const int32_t parts = m->interpolation == SINEW_INTERPOLATION_CUBICSPLINE ? 3 : 1;
    for (int32_t k = 0; k < m->key_count; k++)
        for (int32_t part = 0; part < parts; part++) values[3 * (size_t)(k * parts + part)] = m->keys[k][part];
    const sinew_channel_def channel = {0,     SINEW_TARGET_TRANSLATION, m->interpolation, m->key_count, m->times,
                                       values};
    return make_clip(skeleton, "Motion", &channel, 1);
}

static void check_part(const motion *m, float start, float end, int32_t key_count, double (*expected)(double),
                       double tolerance) {
    sinew_skeleton *skeleton = make_chain(1);
    sinew_clip *clip = clip_of(skeleton, m), *part = part_of(clip, start, end);
    assert_int_equal(part->channels[0].key_count, key_count);
    assert_int_equal(part->channels[0].interpolation, m->interpolation);
    for (int i = 0; i <= MOMENTS; i++) {
        const float time = part->duration * (float)i / (float)MOMENTS;
        const double x = (double)sinew_clip_sample_node(part, time, 0).translation.x;
        check_near(x, expected((double)start + (double)time), tolerance);
    }
    sinew_clip_destroy(part);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

static double bend_at(double t) { // 10 m in the first second, 20 m in each of the next two
    return t < 0.5 ? 0.0 : t < 1.0 ? 20.0 * (t - 0.5) : t < 3.0 ? 10.0 + 20.0 * (t - 1.0) : 50.0;
}

static void test_lines(void **state) {
    (void)state;
    const motion m = {SINEW_INTERPOLATION_LINEAR, 3, {0.5f, 1, 3}, {{0}, {10}, {50}}};
    check_part(&m, 0.75f, 2, 3, bend_at, 1e-5);       // cut on both sides
    check_part(&m, 1.25f, 1.5f, 2, bend_at, 1e-5);    // within a segment
    check_part(&m, 0, 1, 2, bend_at, 1e-5);           // the first key is later
    check_part(&m, 0.25f, 0.75f, 2, bend_at, 1e-5);   // so it is, and the end is cut
    check_part(&m, 0.125f, 0.375f, 1, bend_at, 1e-5); // before all keys
    check_part(&m, 1, 3, 2, bend_at, 1e-5);           // at keys
    check_part(&m, 0, 3, 3, bend_at, 1e-5);           // all of it
}

static double step_at(double t) {
    return t < 1.0 ? 1.0 : t < 2.0 ? 2.0 : 3.0;
}

static void test_steps(void **state) {
    (void)state;
    const motion m = {SINEW_INTERPOLATION_STEP, 3, {0, 1, 2}, {{1}, {2}, {3}}};
    check_part(&m, 0.5f, 1.75f, 3, step_at, 0);
    check_part(&m, 0.5f, 2, 3, step_at, 0); // the last value is at the end alone
    check_part(&m, 1, 2, 2, step_at, 0);
    check_part(&m, 0.25f, 0.75f, 2, step_at, 0); // other channels may have these times
}

static double cubic_at(double t) {
    return t * t * t - 3.0 * t * t + t;
}

// A Hermite spline can be any cubic, and so can any part of it, whatever its keys.
static void test_splines(void **state) {
    (void)state;
    motion m = {SINEW_INTERPOLATION_CUBICSPLINE, 3, {0, 1.5f, 4}, {{0}}};
    for (int k = 0; k < 3; k++) {
        const double t = (double)m.times[k], slope = 3.0 * t * t - 6.0 * t + 1.0;
        m.keys[k][0] = m.keys[k][2] = (float)slope;
        m.keys[k][1] = (float)cubic_at(t);
    }
    check_part(&m, 0.3f, 3.7f, 3, cubic_at, 1e-5);
    check_part(&m, 2.2f, 2.4f, 2, cubic_at, 1e-5); // within a segment
    check_part(&m, 1.5f, 4, 2, cubic_at, 1e-5);
}

// ---- Rotations -------------------------------------------------------------------------------------------------

static sinew_clip *turning(const sinew_skeleton *skeleton, sinew_interpolation interpolation, const float *times,
                           int32_t count, const float *values) {
    const sinew_channel_def channel = {0, SINEW_TARGET_ROTATION, interpolation, count, times, values};
    return make_clip(skeleton, "Turn", &channel, 1);
}

// 170 degrees in two seconds; and half a turn, where the signs of the keys choose the side.
static void test_arcs(void **state) {
    (void)state;
    static const float times[2] = {0, 2};
    const double angles[3] = {170.0, 180.0, -180.0};
    sinew_skeleton *skeleton = make_chain(1);
    for (int i = 0; i < 3; i++) {
        const double radians = angles[i] * PI / 180.0;
        const float side = angles[i] < 0 ? -1.0f : 1.0f, w = i == 0 ? (float)cos(radians / 2) : 0.0f;
        const float values[8] = {0, 0, 0, 1, 0, 0, i == 0 ? (float)sin(radians / 2) : side, w};
        sinew_clip *clip = turning(skeleton, SINEW_INTERPOLATION_LINEAR, times, 2, values);
        sinew_clip *part = part_of(clip, 0.3f, 1.7f), *part_of_part = part_of(part, 0.4f, 0.9f);
        for (int k = 0; k <= MOMENTS; k++) {
            const float time = part->duration * (float)k / (float)MOMENTS;
            const sinew_quat turn = sinew_clip_sample_node(part, time, 0).rotation;
            check_near(angle_between(turn, about_z(radians * (0.3 + (double)time) / 2)), 0, 1e-6);
            const float later = part_of_part->duration * (float)k / (float)MOMENTS;
            const sinew_quat second = sinew_clip_sample_node(part_of_part, later, 0).rotation;
            check_near(angle_between(second, about_z(radians * (0.7 + (double)later) / 2)), 0, 1e-6);
        }
        sinew_clip_destroy(part_of_part);
        sinew_clip_destroy(part);
        sinew_clip_destroy(clip);
    }
    sinew_skeleton_destroy(skeleton);
}

// The polynomials of the four components, from 0 to 2 s.
static void turn_at(double t, double q[4], double slope[4]) {
    static const double c[4][4] = {
        {0.1, 0.9, -0.4, 0.1}, {0.3, -0.2, 0.2, 0}, {-0.5, 0.4, 0, 0.2}, {1.5, -0.5, 0.3, 0}};
    for (int i = 0; i < 4; i++) {
        q[i] = ((c[i][3] * t + c[i][2]) * t + c[i][1]) * t + c[i][0];
        slope[i] = (3.0 * c[i][3] * t + 2.0 * c[i][2]) * t + c[i][1];
    }
}

// A rotation spline is normalized after its interpolation: its part has the lengths that it has, and not unit keys.
static void test_rotation_splines(void **state) {
    (void)state;
    static const float times[2] = {0, 2};
    float values[24];
    for (int k = 0; k < 2; k++) {
        double q[4], slope[4];
        turn_at((double)times[k], q, slope);
        for (int i = 0; i < 4; i++) {
            values[12 * k + i] = values[12 * k + 8 + i] = (float)slope[i];
            values[12 * k + 4 + i] = (float)q[i];
        }
    }
    sinew_skeleton *skeleton = make_chain(1);
    sinew_clip *clip = turning(skeleton, SINEW_INTERPOLATION_CUBICSPLINE, times, 2, values);
    sinew_clip *part = part_of(clip, 0.4f, 1.1f);
    for (int k = 0; k <= MOMENTS; k++) {
        const float time = part->duration * (float)k / (float)MOMENTS;
        double q[4], slope[4];
        turn_at(0.4 + (double)time, q, slope);
        const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        const sinew_quat expected = {(float)(q[0] / length), (float)(q[1] / length), (float)(q[2] / length),
                                     (float)(q[3] / length)};
        check_near(angle_between(sinew_clip_sample_node(part, time, 0).rotation, expected), 0, 1e-6);
    }
    float keys[24], key_times[2];
    assert_int_equal(sinew_clip_channel_keys(part, 0, key_times, keys), 2);
    for (int k = 0; k < 2; k++) {
        double q[4], slope[4];
        turn_at(k == 0 ? (double)0.4f : (double)1.1f, q, slope);
        for (int i = 0; i < 4; i++) {
            check_near(keys[12 * k + 4 + i], q[i], 1e-6);
            check_near(keys[12 * k + i], slope[i], 1e-6);
            check_near(keys[12 * k + 8 + i], slope[i], 1e-6);
        }
    }
    sinew_clip_destroy(part);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

// ---- Any clip --------------------------------------------------------------------------------------------------

static double pose_difference(const sinew_pose *a, const sinew_pose *b) {
    double worst = 0;
    for (int32_t i = 0; i < a->skeleton->node_count; i++) {
        const sinew_transform t = sinew_pose_get(a, i), u = sinew_pose_get(b, i);
        worst = fmax(worst, angle_between(t.rotation, u.rotation));
        worst = fmax(worst, (double)sinew_vec3_length(sinew_vec3_subtract(t.translation, u.translation)));
        worst = fmax(worst, (double)sinew_vec3_length(sinew_vec3_subtract(t.scale, u.scale)));
    }
    for (int32_t i = 0; i < a->skeleton->weight_count; i++)
        worst = fmax(worst, fabs((double)a->weights[i] - b->weights[i]));
    for (int32_t i = 0; i < a->skeleton->curve_count; i++)
        worst = fmax(worst, fabs((double)a->curves[i] - b->curves[i]));
    return worst;
}

// The largest difference between the part and the clip, right before jumps left out: rounding decides there.
static double difference_of(const sinew_clip *part, const sinew_clip *clip, float start) {
    sinew_pose *pose, *expected;
    assert_int_equal(sinew_pose_create(clip->skeleton, NULL, &pose), SINEW_OK);
    assert_int_equal(sinew_pose_create(clip->skeleton, NULL, &expected), SINEW_OK);
    double worst = 0;
    for (int i = 0; i < MOMENTS; i++) {
        const float time = part->duration * ((float)i + 0.37f) / (float)MOMENTS;
        sinew_clip_sample(part, time, pose);
        sinew_clip_sample(clip, start + time, expected);
        worst = fmax(worst, pose_difference(pose, expected));
    }
    sinew_pose_destroy(pose);
    sinew_pose_destroy(expected);
    return worst;
}

// Keys inside have their bits: between them and at them.
static void check_inner_keys(const sinew_clip *part, const sinew_clip *clip, float start, float end) {
    for (int32_t c = 0; c < clip->channel_count; c++) {
        const sinew_channel *channel = &clip->channels[c];
        if (part->channels[c].timeline < 0 || channel->target > SINEW_TARGET_SCALE) continue;
        int32_t count;
        float *times = times_of(clip, c, &count);
        for (int32_t k = 0; k < count; k++) {
            if (times[k] < start || times[k] > end) continue;
            const sinew_transform a = sinew_clip_sample_node(clip, times[k], channel->node);
            const sinew_transform b = sinew_clip_sample_node(part, times[k] - start, channel->node);
            if (channel->target == SINEW_TARGET_TRANSLATION)
                assert_memory_equal(&a.translation, &b.translation, sizeof a.translation);
            if (channel->target == SINEW_TARGET_SCALE) assert_memory_equal(&a.scale, &b.scale, sizeof a.scale);
            if (channel->target == SINEW_TARGET_ROTATION)
                assert_memory_equal(&a.rotation, &b.rotation, sizeof a.rotation);
        }
        free(times);
    }
}

// Random clips have every target and interpolation, keys that start and end anywhere, rotations by half a turn and channels
// with one timeline or with timelines of their own, on rows and tracks.
static void test_random_clips(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t random = seed;
        sinew_skeleton *skeleton = draw_skeleton(&random, 20, false);
        const random_clip_options options = {(int32_t)(seed % 4), 60, false, SINEW_KEYS_FLOAT};
        sinew_clip *clip = draw_clip(&random, skeleton, options);
        const float start = seed % 8 == 0 ? 0.0f : random_float(&random, 0, 0.5f * clip->duration);
        const float end =
            seed % 8 == 1 ? clip->duration : random_float(&random, start + 0.2f * clip->duration, clip->duration);
        if (clip->duration > 0.1f) {
            sinew_clip *part = part_of(clip, start, end);
            const double worst = difference_of(part, clip, start);
            if (!(worst < 2e-4)) fail_msg("seed %d: %g", (int)seed, worst); // steep splines over short intervals
            check_inner_keys(part, clip, start, end);
            sinew_clip_destroy(part);
        }
        sinew_clip_destroy(clip);
        sinew_skeleton_destroy(skeleton);
    }
}

// Keys that overflow, underflow or cancel out also have parts, with finite poses.
static void test_extreme_clips(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t random = seed;
        sinew_skeleton *skeleton = draw_skeleton(&random, 6, true);
        const random_clip_options options = {(int32_t)(seed % 3), 80, true, SINEW_KEYS_FLOAT};
        sinew_clip *clip = draw_clip(&random, skeleton, options);
        sinew_clip *part = part_of(clip, 0.3f * clip->duration, 0.31f * clip->duration);
        for (int i = 0; i <= MOMENTS; i++) {
            for (int32_t n = 0; n < skeleton->node_count; n++) {
                const sinew_transform t =
                    sinew_clip_sample_node(part, part->duration * (float)i / (float)MOMENTS, n);
                const float *numbers = &t.translation.x;
                for (int k = 0; k < 10; k++) assert_true(isfinite(numbers[k]));
            }
        }
        sinew_clip_destroy(part);
        sinew_clip_destroy(clip);
        sinew_skeleton_destroy(skeleton);
    }
}

// ---- A character -----------------------------------------------------------------------------------------------

static sinew_asset *load_hero(float compress_error, bool compact) {
    sinew_gltf_options options = sinew_gltf_default();
    options.compress_error = compress_error;
    if (compact) options.key_format = SINEW_KEYS_U16;
    return load_gltf(SINEW_MODELS "/hero.glb", &options);
}

// Parts that start and end at keys stay evenly spaced.
static void test_parts_at_keys_stay_even(void **state) {
    (void)state;
    sinew_asset *hero = load_hero(0, false);
    for (int32_t i = 0; i < hero->clip_count; i++) {
        const sinew_clip *clip = &hero->clips[i];
        assert_true(clip->timeline_count > 0);
        const sinew_timeline *timeline = &clip->timelines[0];
        const float start = sinew_timeline_time(timeline, 2),
                    end = sinew_timeline_time(timeline, timeline->key_count - 3);
        sinew_clip *part = part_of(clip, start, end);
        assert_true(difference_of(part, clip, start) < 2e-6);
        for (int32_t k = 0; timeline->uniform && k < part->timeline_count; k++) {
            if (part->timelines[k].key_count != timeline->key_count - 4) continue;
            assert_true(part->timelines[k].uniform);
        }
        assert_true(part->timeline_count <= clip->timeline_count);
        sinew_clip_destroy(part);
    }
    sinew_asset_destroy(hero);
}

// The parts of compressed clips and of those with 16-bit keys are within the errors that they state.
static void test_key_formats(void **state) {
    (void)state;
    sinew_asset *exact = load_hero(0, false);
    for (int format = 0; format < 2; format++) {
        sinew_asset *hero = load_hero(format == 0 ? 0.001f : 0.0f, format == 1);
        for (int32_t i = 0; i < hero->clip_count; i++) {
            const sinew_clip *clip = &hero->clips[i];
            const float start = 0.21f * clip->duration, end = 0.83f * clip->duration;
            sinew_clip *part = part_of(clip, start, end), *exact_part = part_of(&exact->clips[i], start, end);
            assert_int_equal(part->key_format, format == 0 ? SINEW_KEYS_FLOAT : SINEW_KEYS_U16);
            assert_true(part->max_error >= clip->max_error && part->max_error > 0.0f);
            exact_clip e = read_exact(exact_part);
            const clip_displacement moved = largest_displacement(&e, part, format == 0 ? 0.03 : 0.1, 40);
            free_exact(&e);
            if (!(fmax(moved.ball, moved.axes) <= (double)part->max_error + 1e-6))
                fail_msg("%s: %g m, stated %g", clip->name, moved.ball, (double)part->max_error);
            sinew_clip_destroy(exact_part);
            sinew_clip_destroy(part);
        }
        sinew_asset_destroy(hero);
    }
    sinew_asset_destroy(exact);
}

static void test_additive_clips(void **state) {
    (void)state;
    sinew_asset *hero = load_hero(0, false);
    const sinew_clip *wave = sinew_asset_find_clip(hero, "Wave");
    assert_non_null(wave);
    sinew_clip *additive;
    assert_int_equal(sinew_clip_make_additive(wave, NULL, NULL, &additive, NULL), SINEW_OK);
    sinew_clip *part = part_of(additive, 0.2f, 0.6f);
    assert_true(part->additive);
    assert_true(difference_of(part, additive, 0.2f) < 2e-6);
    sinew_clip_destroy(part);
    sinew_clip_destroy(additive);
    sinew_asset_destroy(hero);
}

// ---- Markers, curves and root motion ---------------------------------------------------------------------------

static void test_markers(void **state) {
    (void)state;
    static const sinew_marker markers[] = {{"before", 0.25f}, {"start", 0.5f}, {"step", 0.75f},
                                           {"hit", 0.75f},    {"end", 1.5f},   {"after", 1.75f}};
    static const char *const kept[] = {"start", "step", "hit", "end"};
    static const float times[] = {0, 0.25f, 0.25f, 1};
    sinew_skeleton *skeleton = make_chain(1);
    sinew_clip_def def = sinew_clip_default();
    def.skeleton = skeleton;
    def.duration = 2;
    def.markers = markers;
    def.marker_count = 6;
    sinew_clip *clip, *part;
    assert_int_equal(sinew_clip_create(&def, &clip, NULL), SINEW_OK);
    assert_int_equal(sinew_clip_subclip(clip, 0.5f, 1.5f, "Hit", NULL, &part, NULL), SINEW_OK);
    sinew_clip_destroy(clip); // the part does not need it
    assert_string_equal(part->name, "Hit");
    assert_true(part->duration == 1.0f);
    assert_int_equal(part->marker_count, 4);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(part->markers[i].name, kept[i]);
        assert_true(part->markers[i].time == times[i]);
    }
    sinew_clip_destroy(part);
    sinew_skeleton_destroy(skeleton);
}

static void test_weights_and_curves(void **state) {
    (void)state;
    static const char *const names[2] = {"Glow", "Plant"};
    const sinew_node_def node = {
        .name = "Face", .parent = SINEW_NO_NODE, .rest = sinew_transform_identity(), .weight_count = 2};
    sinew_skeleton_def skeleton_def = sinew_skeleton_default();
    skeleton_def.node_count = 1;
    skeleton_def.nodes = &node;
    skeleton_def.curve_count = 2;
    skeleton_def.curve_names = names;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&skeleton_def, &skeleton, NULL), SINEW_OK);
    static const float times[3] = {0, 1, 2}, weights[6] = {0, 4, 2, 4, 2, 8}, glow[3] = {0, 1, -1},
                       plant[3] = {0, 1, 0};
    const sinew_channel_def channels[3] = {{0, SINEW_TARGET_WEIGHTS, SINEW_INTERPOLATION_LINEAR, 3, times, weights},
                                           {0, SINEW_TARGET_CURVE, SINEW_INTERPOLATION_LINEAR, 3, times, glow},
                                           {1, SINEW_TARGET_CURVE, SINEW_INTERPOLATION_STEP, 3, times, plant}};
    sinew_clip *clip = make_clip(skeleton, "Talk", channels, 3), *part = part_of(clip, 0.5f, 1.5f);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(skeleton, NULL, &pose), SINEW_OK);
    static const float expected[5][4] = {
        {1, 4, 0.5f, 0}, {1.5f, 4, 0.75f, 0}, {2, 4, 1, 1}, {2, 5, 0.5f, 1}, {2, 6, 0, 1}};
    for (int i = 0; i < 5; i++) {
        sinew_clip_sample(part, 0.25f * (float)i, pose);
        check_near(pose->weights[0], expected[i][0], 1e-6);
        check_near(pose->weights[1], expected[i][1], 1e-6);
        check_near(pose->curves[0], expected[i][2], 1e-6);
        check_near(pose->curves[1], expected[i][3], 0);
    }
    sinew_pose_destroy(pose);
    sinew_clip_destroy(part);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

// The way of the root in a step.
static sinew_root_delta way_of(const sinew_clip *clip, float seconds) {
    sinew_root_motion_def root = sinew_root_motion_default();
    root.skeleton = clip->skeleton;
    root.node = 0;
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = clip->skeleton;
    def.root_motion = &root;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    sinew_mixer_play(mixer, sinew_clip_source(clip), NULL);
    sinew_mixer_advance(mixer, seconds);
    const sinew_root_delta way = sinew_mixer_root_delta(mixer);
    sinew_mixer_destroy(mixer);
    return way;
}

// A root that walks 2 m a second along z, straight: a part of half a second loops twice a second.
static void test_root_motion(void **state) {
    (void)state;
    static const float times[2] = {0, 3}, values[6] = {0, 0, 0, 0, 0, 6};
    sinew_skeleton *skeleton = make_chain(1);
    const sinew_channel_def channel = {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times, values};
    sinew_clip *clip = make_clip(skeleton, "Walk", &channel, 1), *part = part_of(clip, 1.25f, 1.75f);
    check_vec3(way_of(part, 0.5f).translation, 0, 0, 1, 1e-6);
    check_vec3(way_of(part, 10.0f).translation, 0, 0, 20, 1e-5);
    sinew_clip_destroy(part);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

// ---- What is refused -------------------------------------------------------------------------------------------

static void test_wrong_ranges(void **state) {
    (void)state;
    static const float ranges[][2] = {{0.5f, 0.5f},       {0.75f, 0.5f},      {-0.25f, 0.5f}, {0.5f, 1.25f}, {2, 3},
                                      {(float)NAN, 0.5f}, {0.5f, (float)NAN}, {0, INFINITY},  {-INFINITY, 1}};
    sinew_skeleton *skeleton = make_chain(1);
    sinew_clip *clip = make_slide(skeleton, "Slide", 0, 1, 1), *still = make_slide(skeleton, "Still", 0, 0, 1);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        sinew_clip *part = clip;
        sinew_error error = {0};
        assert_int_equal(sinew_clip_subclip(clip, ranges[i][0], ranges[i][1], NULL, NULL, &part, &error),
                         SINEW_ERROR_ARGUMENT);
        assert_null(part);
        assert_non_null(strstr(error.message, "'Slide'"));
    }
    sinew_clip *part;
    assert_int_equal(sinew_clip_subclip(still, 0, 0, NULL, NULL, &part, NULL), SINEW_ERROR_ARGUMENT);
    sinew_clip_destroy(still);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

static void test_without_memory(void **state) {
    (void)state;
    uint64_t random = 5;
    sinew_skeleton *skeleton = draw_skeleton(&random, 6, false);
    sinew_clip *clip = draw_clip(&random, skeleton, (random_clip_options){.timelines = 1, .percent = 80});
    counting c = {0};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    while (fail_next(&c, result)) {
        const sinew_allocator allocator = counting_allocator(&c);
        sinew_clip *part = clip;
        sinew_error error = {0};
        result = sinew_clip_subclip(clip, 0.1f, clip->duration, NULL, &allocator, &part, &error);
        assert_int_equal(error.result, result);
        assert_int_equal(c.live, result == SINEW_OK);
        assert_int_equal(part != NULL, result == SINEW_OK);
        sinew_clip_destroy(part);
    }
    assert_true(c.fail_at >= 4);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_splines),
        cmocka_unit_test(test_arcs),
        cmocka_unit_test(test_rotation_splines),
        cmocka_unit_test(test_random_clips),
        cmocka_unit_test(test_extreme_clips),
        cmocka_unit_test(test_parts_at_keys_stay_even),
        cmocka_unit_test(test_key_formats),
        cmocka_unit_test(test_additive_clips),
        cmocka_unit_test(test_markers),
        cmocka_unit_test(test_weights_and_curves),
        cmocka_unit_test(test_root_motion),
        cmocka_unit_test(test_wrong_ranges),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
