// SPDX-License-Identifier: MIT
// Curves: named floats of a skeleton that clips animate. They're exact as authored, and blend with the pose.
#include "core/mask_part.h"
#include "support/check.h"

#include <sinew/all.h>

#include <stdio.h>

enum { NODES = 4, CURVES = 19, WEIGHTS = 3 };

// The curves are more than a block of 16 together with the weights. Two are counterparts, and one has a rest value.
enum { PLANT_L, PLANT_R, SPEED, OPEN, FIRST_OTHER };

static char other_names[CURVES][16];
static const char *curve_names[CURVES] = {"Plant_L", "Plant_R", "Speed", "Open"};
static float rest_curves[CURVES];

static sinew_skeleton *make_skeleton(int32_t curve_count) {
    static const char *const names[NODES] = {"Root", "Leg_L", "Leg_R", "Head"};
    sinew_node_def nodes[NODES];
    for (int i = 0; i < NODES; i++) {
        nodes[i] = (sinew_node_def){.name = names[i], .parent = i > 0 ? 0 : -1, .rest = sinew_transform_identity()};
        nodes[i].rest.translation.x = i == 1 ? 1.0f : i == 2 ? -1.0f : 0.0f;
    }
    nodes[3].weight_count = WEIGHTS;
    for (int i = 0; i < CURVES; i++) {
        if (i >= FIRST_OTHER) {
            snprintf(other_names[i], sizeof other_names[i], "Curve %d", i);
            curve_names[i] = other_names[i];
        }
        rest_curves[i] = i == SPEED ? 0.75f : 0.0f;
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = NODES;
    def.nodes = nodes;
    def.curve_count = curve_count;
    def.curve_names = curve_names;
    def.rest_curves = rest_curves;
    sinew_skeleton *skeleton;
    sinew_error error = {0};
    if (sinew_skeleton_create(&def, &skeleton, &error) != SINEW_OK) fail_msg("%s", error.message);
    return skeleton;
}

// One clip with curves of every interpolation, and a node that moves beside them.
#define KEYS 4
static const float times[KEYS] = {0.0f, 0.3f, 0.7f, 1.0f};
static const float steps[KEYS] = {0, 1, 0, 0}, slope[KEYS] = {0.1f, 2, -3, 5};
static const float spline[3 * KEYS] = {0, 1, 2, -1, 3, 0.5f, 1, 1, -2, 0, 4, 0}; // in-tangent, value, out-tangent
static const float constant[1] = {0.4f};
static const float positions[3 * KEYS] = {0, 0, 0, 1, 2, 3, -1, 0, 1, 0, 0, 0};
static const float other_times[2] = {0.0f, 1.0f}, other_values[2] = {-1, 1};

static int32_t list_channels(sinew_channel_def *channels) {
    int32_t n = 0;
    channels[n++] = (sinew_channel_def){PLANT_L, SINEW_TARGET_CURVE, SINEW_INTERPOLATION_STEP, KEYS, times, steps};
    channels[n++] =
        (sinew_channel_def){1, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, KEYS, times, positions};
    channels[n++] = (sinew_channel_def){SPEED, SINEW_TARGET_CURVE, SINEW_INTERPOLATION_LINEAR, KEYS, times, slope};
    channels[n++] =
        (sinew_channel_def){OPEN, SINEW_TARGET_CURVE, SINEW_INTERPOLATION_CUBICSPLINE, KEYS, times, spline};
    channels[n++] =
        (sinew_channel_def){CURVES - 1, SINEW_TARGET_CURVE, SINEW_INTERPOLATION_LINEAR, 1, other_times, constant};
    channels[n++] = (sinew_channel_def){CURVES - 2, SINEW_TARGET_CURVE, SINEW_INTERPOLATION_LINEAR,
                                        2,          other_times,        other_values};
    return n;
}

static sinew_clip *make_walk(const sinew_skeleton *skeleton, sinew_key_format format) {
    static const sinew_marker markers[1] = {{"Plant", 0.3f}};
    sinew_channel_def channels[8];
    sinew_clip_def def = sinew_clip_default();
    def.name = "Walk";
    def.skeleton = skeleton;
    def.channel_count = list_channels(channels);
    def.channels = channels;
    def.markers = markers;
    def.marker_count = 1;
    def.key_format = format;
    sinew_clip *clip;
    sinew_error error = {0};
    if (sinew_clip_create(&def, &clip, &error) != SINEW_OK) fail_msg("%s", error.message);
    return clip;
}

// glTF 2.0, appendix C, in double precision. NAN: the curve has no channel.
static double curve_at(int32_t curve, double time) {
    if (curve == CURVES - 1) return constant[0];
    if (curve == CURVES - 2) return -1 + 2 * time;
    if (curve != PLANT_L && curve != SPEED && curve != OPEN) return NAN;
    int k = 0;
    while (k + 2 < KEYS && (double)times[k + 1] <= time) k++;
    if (curve == PLANT_L) return time >= times[KEYS - 1] ? steps[KEYS - 1] : steps[k];
    const double interval = (double)times[k + 1] - (double)times[k], u = (time - (double)times[k]) / interval;
    if (curve == SPEED) return (1 - u) * slope[k] + u * slope[k + 1];
    const float *a = spline + (ptrdiff_t)3 * k, *b = a + 3;
    return (2 * u * u * u - 3 * u * u + 1) * a[1] + interval * (u * u * u - 2 * u * u + u) * a[2] +
           (-2 * u * u * u + 3 * u * u) * b[1] + interval * (u * u * u - u * u) * b[0];
}

static double curve_or_rest(int32_t curve, double time) {
    const double value = curve_at(curve, time);
    return isnan(value) ? rest_curves[curve] : value;
}

typedef struct recorded_bytes {
    uint8_t bytes[1 << 16];
    size_t size;
} recorded_bytes;

typedef struct stage {
    sinew_skeleton *skeleton;
    sinew_clip *walk, *idle; // idle has no curve
    sinew_pose *pose;
} stage;

static int begin(void **state) {
    stage *s = calloc(1, sizeof *s);
    s->skeleton = make_skeleton(CURVES);
    s->walk = make_walk(s->skeleton, SINEW_KEYS_FLOAT);
    s->idle = make_slide(s->skeleton, "Idle", 2, 1.0f, 1.0f);
    assert_int_equal(sinew_pose_create(s->skeleton, NULL, &s->pose), SINEW_OK);
    *state = s;
    return 0;
}

static int end(void **state) {
    stage *s = *state;
    sinew_pose_destroy(s->pose);
    sinew_clip_destroy(s->idle);
    sinew_clip_destroy(s->walk);
    sinew_skeleton_destroy(s->skeleton);
    free(s);
    return 0;
}

static sinew_mixer *make_mixer(const stage *s, int32_t layers) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s->skeleton;
    def.layer_count = layers;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    return mixer;
}

static sinew_action play_on(sinew_mixer *mixer, const sinew_clip *clip, int32_t layer, float weight) {
    sinew_play_def def = sinew_play_default();
    def.layer = layer;
    def.weight = weight;
    return sinew_mixer_play(mixer, sinew_clip_source(clip), &def);
}

// ---- Skeletons -----------------------------------------------------------------------------------------------

static void test_a_skeleton_has_its_curves(void **state) {
    const stage *s = *state;
    assert_int_equal(s->skeleton->curve_count, CURVES);
    assert_int_equal(s->skeleton->weight_count, WEIGHTS);
    for (int32_t i = 0; i < CURVES; i++) {
        assert_string_equal(s->skeleton->curve_names[i], curve_names[i]);
        assert_true(s->skeleton->curve_names[i] != curve_names[i]); // copied
        assert_true(s->skeleton->rest_curves[i] == rest_curves[i]);
        assert_int_equal(sinew_skeleton_find_curve(s->skeleton, curve_names[i]), i);
    }
    assert_int_equal(sinew_skeleton_find_curve(s->skeleton, "plant_l"), SINEW_NO_CURVE);
    assert_int_equal(sinew_skeleton_find_curve(s->skeleton, ""), SINEW_NO_CURVE);
    sinew_skeleton *chain = make_chain(2);
    assert_int_equal(chain->curve_count, 0);
    assert_int_equal(sinew_skeleton_find_curve(chain, "Speed"), SINEW_NO_CURVE);
    sinew_skeleton_destroy(chain);
}

static void check_refused(const sinew_skeleton_def *def, const char *part) {
    sinew_skeleton *skeleton;
    sinew_error error = {0};
    assert_int_equal(sinew_skeleton_create(def, &skeleton, &error), SINEW_ERROR_ARGUMENT);
    assert_null(skeleton);
    if (!strstr(error.message, part)) fail_msg("'%s' has no '%s'", error.message, part);
}

static void test_bad_curves_are_refused(void **state) {
    (void)state;
    const char *names[3] = {"A", "B", "A"};
    float rest[3] = {0, 0, 0};
    sinew_skeleton_def def = sinew_skeleton_default();
    def.curve_names = names;
    def.rest_curves = rest;
    def.curve_count = 3;
    check_refused(&def, "two curves are named 'A'");
    names[2] = "";
    check_refused(&def, "curve_names[2]: no name");
    names[2] = NULL;
    check_refused(&def, "curve_names[2]: no name");
    names[2] = "C";
    rest[1] = NAN;
    check_refused(&def, "rest_curves[1] is not finite");
    def.curve_count = -1;
    check_refused(&def, "curve_count is -1");
    def.curve_count = 1;
    def.curve_names = NULL;
    check_refused(&def, "curve_names is NULL");
}

static void test_no_memory_is_an_error(void **state) {
    (void)state;
    const char *names[3] = {"C", "A", "B"};
    counting c = {0};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    while (fail_next(&c, result)) {
        sinew_skeleton_def def = sinew_skeleton_default();
        def.allocator = counting_allocator(&c);
        def.curve_names = names;
        def.curve_count = 3;
        sinew_skeleton *skeleton;
        result = sinew_skeleton_create(&def, &skeleton, NULL);
        sinew_skeleton_destroy(skeleton);
    }
    assert_true(c.fail_at <= 20);
}

// ---- Clips ---------------------------------------------------------------------------------------------------

static void test_curves_are_exact_as_authored(void **state) {
    stage *s = *state;
    for (int i = -2; i <= 1002; i++) {
        const double time = i < 0 ? 0 : i > 1000 ? 1 : i / 1000.0;
        sinew_clip_sample(s->walk, (float)i / 1000.0f, s->pose);
        for (int32_t c = 0; c < CURVES; c++) {
            const double expected = c == PLANT_L ? curve_at(c, (float)time) : curve_or_rest(c, time);
            check_near(s->pose->curves[c], expected, 2e-6);
        }
        for (int w = 0; w < WEIGHTS; w++) assert_true(s->pose->weights[w] == 0);
    }
    for (int k = 0; k < KEYS; k++) { // a key's own time gives the key's own bits
        sinew_clip_sample(s->walk, times[k], s->pose);
        assert_true(s->pose->curves[PLANT_L] == steps[k]);
        assert_true(s->pose->curves[SPEED] == slope[k]);
        assert_true(s->pose->curves[OPEN] == spline[3 * k + 1]);
    }
}

static void test_keys_read_back(void **state) {
    const stage *s = *state;
    sinew_channel_def given[8];
    const int32_t count = list_channels(given);
    assert_int_equal(s->walk->channel_count, count);
    assert_int_equal(s->walk->channels[0].target, SINEW_TARGET_TRANSLATION); // nodes first, then curves in order
    for (int32_t i = 1; i < count; i++) {
        const sinew_channel *channel = &s->walk->channels[i];
        assert_int_equal(channel->target, SINEW_TARGET_CURVE);
        if (i > 1) assert_true(channel[-1].node < channel->node);
        int32_t from = 0;
        while (given[from].target != SINEW_TARGET_CURVE || given[from].node != channel->node) from++;
        float key_times[KEYS], values[3 * KEYS];
        const int32_t keys = sinew_clip_channel_keys(s->walk, i, key_times, values);
        assert_int_equal(keys, given[from].key_count);
        assert_int_equal(sinew_clip_key_width(s->walk, i),
                         channel->interpolation == SINEW_INTERPOLATION_CUBICSPLINE ? 3 : 1);
        for (int32_t k = 0; k < keys; k++) assert_true(key_times[k] == given[from].times[k]);
        for (int32_t k = 0; k < keys * sinew_clip_key_width(s->walk, i); k++)
            assert_true(values[k] == given[from].values[k]);
    }
}

// A skeleton and a clip without the curves give the bits of those with them.
static void test_curves_leave_the_nodes_alone(void **state) {
    stage *s = *state;
    sinew_skeleton *plain = make_skeleton(0);
    const sinew_channel_def channel = {1,        SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, KEYS, times,
                                       positions};
    sinew_clip *clip = make_clip(plain, "Walk", &channel, 1);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(plain, NULL, &pose), SINEW_OK);
    for (int i = 0; i <= 100; i++) {
        sinew_clip_sample(clip, (float)i / 100, pose);
        sinew_clip_sample(s->walk, (float)i / 100, s->pose);
        for (int32_t n = 0; n < NODES; n++) {
            const sinew_transform a = sinew_pose_get(pose, n), b = sinew_pose_get(s->pose, n);
            assert_memory_equal(&a, &b, sizeof a);
        }
    }
    sinew_pose_destroy(pose);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(plain);
}

static void test_16_bit_keys_stay_within_a_step(void **state) {
    stage *s = *state;
    sinew_clip *clip = make_walk(s->skeleton, SINEW_KEYS_U16);
    for (int i = 0; i <= 1000; i++) {
        sinew_clip_sample(clip, (float)i / 1000.0f, s->pose);
        check_near(s->pose->curves[SPEED], curve_at(SPEED, i / 1000.0), 8.0 / 65535);
        const float plant = s->pose->curves[PLANT_L];
        assert_true(plant == 0 || plant == 1);
    }
    sinew_clip_destroy(clip);
}

static void test_bad_channels_are_refused(void **state) {
    const stage *s = *state;
    sinew_channel_def channels[2] = {{CURVES, SINEW_TARGET_CURVE, SINEW_INTERPOLATION_STEP, KEYS, times, steps},
                                     {PLANT_L, SINEW_TARGET_CURVE, SINEW_INTERPOLATION_STEP, KEYS, times, steps}};
    sinew_clip_def def = sinew_clip_default();
    def.skeleton = s->skeleton;
    def.channels = channels;
    def.channel_count = 2;
    sinew_clip *clip;
    sinew_error error = {0};
    assert_int_equal(sinew_clip_create(&def, &clip, &error), SINEW_ERROR_ARGUMENT);
    assert_string_equal(error.message, "channels[0]: curve 19, but the skeleton has 19 curves");
    channels[0].node = PLANT_L;
    assert_int_equal(sinew_clip_create(&def, &clip, &error), SINEW_ERROR_ARGUMENT);
    assert_string_equal(error.message, "channels[1]: channels[0] already animates this target of curve 0");
}

// ---- Poses and masks -----------------------------------------------------------------------------------------

static void test_poses_carry_curves(void **state) {
    stage *s = *state;
    sinew_pose *other, *out;
    assert_int_equal(sinew_pose_create(s->skeleton, NULL, &other), SINEW_OK);
    assert_int_equal(sinew_pose_create(s->skeleton, NULL, &out), SINEW_OK);
    assert_true(out->curves == out->weights + WEIGHTS);
    for (int32_t c = 0; c < CURVES; c++) assert_true(out->curves[c] == rest_curves[c]);
    sinew_clip_sample(s->walk, 0.5f, s->pose);
    sinew_pose_copy(out, s->pose);
    for (int32_t c = 0; c < CURVES; c++) assert_true(out->curves[c] == s->pose->curves[c]);
    sinew_pose_blend(out, other, s->pose, 0.25f, NULL);
    for (int32_t c = 0; c < CURVES; c++)
        check_near(out->curves[c], 0.75 * rest_curves[c] + 0.25 * curve_or_rest(c, 0.5), 1e-6);
    const float mask[NODES] = {1, 1, 1, 1};
    sinew_pose_blend(out, other, s->pose, 0.25f, mask);
    for (int32_t c = 0; c < CURVES; c++) assert_true(out->curves[c] == rest_curves[c]);
    sinew_pose_add(out, other, s->pose, 2.0f, NULL);
    for (int32_t c = 0; c < CURVES; c++)
        check_near(out->curves[c], rest_curves[c] + 2 * curve_or_rest(c, 0.5), 2e-6);
    sinew_pose_reset(out);
    for (int32_t c = 0; c < CURVES; c++) assert_true(out->curves[c] == rest_curves[c]);
    sinew_pose_destroy(out);
    sinew_pose_destroy(other);
}

static void test_a_layer_covers_the_curves_of_its_mask(void **state) {
    stage *s = *state;
    sinew_mixer *mixer = make_mixer(s, 2);
    play_on(mixer, s->idle, 0, 1);
    play_on(mixer, s->walk, 1, 1);
    sinew_mixer_update(mixer, 0.5f);
    for (int32_t c = 0; c < CURVES; c++) check_near(sinew_mixer_curves(mixer)[c], curve_or_rest(c, 0.5), 2e-6);
    sinew_mask *mask;
    assert_int_equal(sinew_mask_create(s->skeleton, 1.0f, NULL, &mask), SINEW_OK);
    sinew_layer_set_mask(mixer, 1, mask);
    sinew_mixer_update(mixer, 0);
    for (int32_t c = 0; c < CURVES; c++) assert_true(sinew_mixer_curves(mixer)[c] == rest_curves[c]);
    sinewi_mask_set_curve(mask, SPEED, 0.5f);
    sinewi_mask_set_curve(mask, CURVES - 1, 7.0f); // clamped to 1
    sinewi_mask_set_curve(mask, OPEN, NAN);        // 0
    sinew_mask_set_subtree(mask, 0, 0.25f, 0);     // of nodes, not of curves
    sinew_layer_set_mask(mixer, 1, mask);
    sinew_mixer_update(mixer, 0);
    for (int32_t c = 0; c < CURVES; c++) {
        const double factor = c == SPEED ? 0.5 : c == CURVES - 1 ? 1 : 0;
        check_near(sinew_mixer_curves(mixer)[c], (1 - factor) * rest_curves[c] + factor * curve_or_rest(c, 0.5),
                   2e-6);
    }
    sinew_mixer_destroy(mixer);
    sinew_mask_destroy(mask);
}

// ---- Mixers --------------------------------------------------------------------------------------------------

static void test_curves_blend_with_the_weights_of_the_pose(void **state) {
    stage *s = *state;
    sinew_mixer *mixer = make_mixer(s, 1);
    play_on(mixer, s->idle, 0, 1);
    sinew_mixer_update(mixer, 0);
    sinew_mixer_crossfade_to(mixer, sinew_clip_source(s->walk), 0.5f, NULL);
    for (int i = 1; i <= 16; i++) {
        sinew_mixer_update(mixer, 1.0f / 32);
        const double time = i / 32.0;
        const double weight = i / 16.0;
        for (int32_t c = 0; c < CURVES; c++) {
            const double expected = (1 - weight) * rest_curves[c] + weight * curve_or_rest(c, time);
            check_near(sinew_mixer_curves(mixer)[c], expected, 4e-6);
        }
        assert_true(sinew_mixer_pose(mixer)->curves == sinew_mixer_curves(mixer));
    }
    sinew_mixer_destroy(mixer);
}

static void test_an_additive_clip_adds_its_curves(void **state) {
    stage *s = *state;
    sinew_clip *additive;
    sinew_clip_sample(s->walk, 0.0f, s->pose);
    assert_int_equal(sinew_clip_make_additive(s->walk, s->pose, NULL, &additive, NULL), SINEW_OK);
    sinew_mixer *mixer = make_mixer(s, 2);
    sinew_layer_set_mode(mixer, 1, SINEW_LAYER_ADDITIVE);
    play_on(mixer, s->idle, 0, 1);
    play_on(mixer, additive, 1, 0.5f);
    sinew_mixer_update(mixer, 0.5f);
    for (int32_t c = 0; c < CURVES; c++) {
        const double difference = curve_or_rest(c, 0.5) - curve_or_rest(c, 0);
        check_near(sinew_mixer_curves(mixer)[c], rest_curves[c] + 0.5 * difference, 2e-6);
    }
    sinew_mixer_destroy(mixer);
    sinew_clip_destroy(additive);
    // If the clip has no channel, a reference that differs from the rest pose is also subtracted.
    sinew_pose_reset(s->pose);
    s->pose->curves[PLANT_R] = 0.25f;
    assert_int_equal(sinew_clip_make_additive(s->walk, s->pose, NULL, &additive, NULL), SINEW_OK);
    sinew_clip_sample(additive, 0.5f, s->pose);
    assert_true(s->pose->curves[PLANT_R] == -0.25f);
    sinew_clip_destroy(additive);
}

// A mixer of one leg animates the curves, which are of no node; not the weights of the head.
static void test_a_mixer_of_a_part_animates_all_curves(void **state) {
    const stage *s = *state;
    for (int32_t root = 1; root < NODES; root++) {
        sinew_mixer_def def = sinew_mixer_default();
        def.skeleton = s->skeleton;
        def.root = root;
        sinew_mixer *mixer;
        assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
        play_on(mixer, s->walk, 0, 1);
        sinew_mixer_update(mixer, 0.5f);
        for (int32_t c = 0; c < CURVES; c++) check_near(sinew_mixer_curves(mixer)[c], curve_or_rest(c, 0.5), 2e-6);
        sinew_mixer_crossfade_to(mixer, sinew_clip_source(s->idle), 0, NULL);
        sinew_mixer_update(mixer, 0);
        for (int32_t c = 0; c < CURVES; c++) assert_true(sinew_mixer_curves(mixer)[c] == rest_curves[c]);
        sinew_clip_sample(s->walk, 0.5f, s->pose);
        sinew_mixer_set_pose(mixer, s->pose);
        sinew_mixer_stop_all(mixer);
        sinew_mixer_update(mixer, 0.125f);
        for (int32_t c = 0; c < CURVES; c++) assert_true(sinew_mixer_curves(mixer)[c] == s->pose->curves[c]);
        sinew_mixer_destroy(mixer);
    }
}

// Between the values before and after, at every moment, and from one to the other.
static void test_transitions_stay_between_both_values(void **state) {
    stage *s = *state;
    const sinew_transition_kind kinds[2] = {SINEW_TRANSITION_INERTIALIZE, SINEW_TRANSITION_DEAD_BLEND};
    for (int kind = 0; kind < 2; kind++) {
        sinew_mixer *mixer = make_mixer(s, 1);
        sinew_action walk = play_on(mixer, s->walk, 0, 1);
        sinew_action_set_speed(mixer, walk, 0);
        sinew_action_set_time(mixer, walk, 0.5f);
        sinew_mixer_update(mixer, 0.125f);
        sinew_transition transition = sinew_transition_default();
        transition.kind = kinds[kind];
        transition.duration = 0.5f;
        sinew_mixer_transition_to(mixer, sinew_clip_source(s->idle), &transition, NULL);
        double previous[CURVES];
        for (int32_t c = 0; c < CURVES; c++) previous[c] = curve_or_rest(c, 0.5);
        for (int i = 0; i <= 20; i++) {
            sinew_mixer_update(mixer, i == 0 ? 0 : 1.0f / 32);
            for (int32_t c = 0; c < CURVES; c++) {
                const double value = sinew_mixer_curves(mixer)[c], start = curve_or_rest(c, 0.5);
                if (i == 0) check_near(value, start, 4e-6);
                if (i == 20) check_near(value, rest_curves[c], 4e-6);
                const double direction = rest_curves[c] > start ? 1 : -1;
                assert_true(direction * (value - previous[c]) >= -4e-6);
                previous[c] = value;
            }
        }
        sinew_mixer_destroy(mixer);
    }
}

static void test_snapshots_carry_curves(void **state) {
    const stage *s = *state;
    sinew_mixer *mixer = make_mixer(s, 2);
    play_on(mixer, s->walk, 0, 1);
    sinew_mixer_update(mixer, 0.4f);
    sinew_mixer_crossfade_to(mixer, sinew_clip_source(s->idle), 0.5f, NULL);
    sinew_mixer_stop_all(mixer); // a held pose, with curves
    sinew_mixer_crossfade_to(mixer, sinew_clip_source(s->walk), 0.5f, NULL);
    sinew_mixer_update(mixer, 0.125f);
    const size_t size = sinew_mixer_snapshot_size(mixer);
    void *snapshot = malloc(size);
    sinew_mixer_save(mixer, snapshot);
    float expected[8][CURVES];
    for (int i = 0; i < 8; i++) {
        sinew_mixer_update(mixer, 1.0f / 16);
        memcpy(expected[i], sinew_mixer_curves(mixer), sizeof expected[i]);
    }
    assert_true(expected[0][SPEED] != expected[7][SPEED]);
    assert_true(sinew_mixer_restore(mixer, snapshot, size));
    for (int i = 0; i < 8; i++) {
        sinew_mixer_update(mixer, 1.0f / 16);
        assert_memory_equal(expected[i], sinew_mixer_curves(mixer), sizeof expected[i]);
    }
    free(snapshot);
    sinew_mixer_destroy(mixer);
}

static void test_a_batch_gives_the_same_bits(void **state) {
    const stage *s = *state;
    sinew_mixer *alone = make_mixer(s, 1), *together = make_mixer(s, 1);
    sinew_batch_item item = {.mixer = together};
    play_on(alone, s->walk, 0, 0.7f), play_on(alone, s->idle, 0, 0.4f);
    play_on(together, s->walk, 0, 0.7f), play_on(together, s->idle, 0, 0.4f);
    for (int i = 0; i < 40; i++) {
        sinew_mixer_update(alone, 0.037f);
        sinew_batch_update(&item, 0, 1, 0.037f);
        assert_memory_equal(sinew_mixer_curves(alone), sinew_mixer_curves(together), CURVES * sizeof(float));
    }
    sinew_mixer_destroy(together);
    sinew_mixer_destroy(alone);
}

static void append_bytes(const void *bytes, size_t size, void *user) {
    recorded_bytes *r = user;
    assert_true(r->size + size <= sizeof r->bytes);
    if (size > 0) memcpy(r->bytes + r->size, bytes, size);
    r->size += size;
}

// A mask with curves, a set pose and a clip with nothing but curves are in a recording: its replay has the same curves.
static void test_a_recording_replays_curves(void **state) {
    const stage *s = *state;
    static recorded_bytes r;
    r.size = 0;
    sinew_channel_def channels[8];
    const int32_t count = list_channels(channels);
    channels[1] = channels[count - 1]; // the node's
    sinew_clip *curves = make_clip(s->skeleton, "Curves", channels, count - 1);
    sinew_mixer *mixer = make_mixer(s, 2);
    assert_int_equal(sinew_mixer_record(mixer, append_bytes, &r, NULL), SINEW_OK);
    sinew_mask *mask;
    assert_int_equal(sinew_mask_create(s->skeleton, 1, NULL, &mask), SINEW_OK);
    sinewi_mask_set_curve(mask, SPEED, 0.5f);
    sinew_layer_set_mask(mixer, 1, mask);
    play_on(mixer, s->walk, 0, 1);
    play_on(mixer, curves, 1, 1);
    sinew_mixer_update(mixer, 0.25f);
    sinewi_mask_set_curve(mask, OPEN, 1);
    sinew_layer_set_mask(mixer, 1, mask);
    sinew_clip_sample(s->walk, 0.6f, s->pose);
    sinew_mixer_set_pose(mixer, s->pose);
    sinew_mixer_inertialize(mixer, SINEW_ALL_LAYERS, 0.5f);
    sinew_mixer_update(mixer, 0.25f);
    sinew_mixer_update(mixer, 0.125f);
    const sinew_clip *clips[3] = {s->idle, curves, s->walk};
    sinew_replay_def def = sinew_replay_default();
    def.bytes = r.bytes;
    def.size = r.size;
    def.skeleton = s->skeleton;
    def.clips = clips;
    def.clip_count = 3;
    sinew_replay *replay;
    sinew_error error = {0};
    if (sinew_replay_create(&def, &replay, &error) != SINEW_OK) fail_msg("%s", error.message);
    while (replay->calls_made < replay->call_count) assert_int_equal(sinew_replay_step(replay), SINEW_OK);
    assert_memory_equal(sinew_mixer_curves(replay->mixer), sinew_mixer_curves(mixer), CURVES * sizeof(float));
    assert_true(sinew_mixer_hash(replay->mixer) == sinew_mixer_hash(mixer));
    sinew_replay_destroy(replay);
    sinew_mixer_destroy(mixer);
    sinew_mask_destroy(mask);
    sinew_clip_destroy(curves);
}

// ---- Events --------------------------------------------------------------------------------------------------

// The curve turns 1 at the marker's time and 0 at 0.7 s. An update that reports the marker and ends before 0.7 s has 1;
// one that plays backward, and ends before the key, has the key before.
static void check_agreement(stage *s, float speed, sinew_loop loop, uint64_t seed) {
    uint64_t random = seed;
    sinew_mixer *mixer = make_mixer(s, 1);
    sinew_play_def def = sinew_play_default();
    def.loop = loop;
    def.speed = speed;
    const sinew_action action = sinew_mixer_play(mixer, sinew_clip_source(s->walk), &def);
    int reported = 0;
    for (int i = 0; i < 4000; i++) {
        sinew_mixer_update(mixer, random_float(&random, 0.0f, 0.1f));
        const sinew_events events = sinew_mixer_events(mixer);
        const float value = sinew_mixer_curves(mixer)[PLANT_L], time = sinew_action_time(mixer, action);
        for (int32_t e = 0; e < events.count; e++) {
            if (events.items[e].type != SINEW_EVENT_MARKER) continue;
            reported++;
            const bool on = time >= 0.3f && time < 0.7f;
            assert_true(value == (on ? 1.0f : 0.0f));
            if (speed > 0 && loop == SINEW_LOOP_REPEAT) assert_true(value == 1.0f);
        }
    }
    assert_true(reported > 50);
    sinew_mixer_destroy(mixer);
}

static void test_events_and_curves_agree(void **state) {
    stage *s = *state;
    check_agreement(s, 1.0f, SINEW_LOOP_REPEAT, 1);
    check_agreement(s, 1.7f, SINEW_LOOP_REPEAT, 2);
    check_agreement(s, -1.0f, SINEW_LOOP_REPEAT, 3);
    check_agreement(s, 1.3f, SINEW_LOOP_PING_PONG, 4);
}

// At exactly the key's time the update reports the marker, and the curve has the key: forward and backward.
static void test_an_update_that_ends_at_the_key(void **state) {
    stage *s = *state;
    for (int backward = 0; backward < 2; backward++) {
        sinew_mixer *mixer = make_mixer(s, 1);
        const sinew_action action = play_on(mixer, s->walk, 0, 1);
        const float from = backward ? 0.55f : 0.05f;
        sinew_action_set_speed(mixer, action, backward ? -1.0f : 1.0f);
        sinew_action_set_time(mixer, action, from);
        sinew_mixer_update(mixer, 0);
        assert_true(sinew_mixer_curves(mixer)[PLANT_L] == (backward ? 1.0f : 0.0f));
        sinew_mixer_update(mixer, backward ? 0.55f - 0.3f : 0.3f - 0.05f);
        const sinew_events events = sinew_mixer_events(mixer);
        if (events.count > 0) assert_string_equal(events.items[0].marker->name, "Plant");
        const double exact =
            backward ? (double)from - (double)(0.55f - 0.3f) : (double)from + (double)(0.3f - 0.05f);
        const bool reached = backward ? exact <= (double)0.3f : exact >= (double)0.3f;
        assert_int_equal(events.count, reached);
        if (reached && !backward) assert_true(sinew_mixer_curves(mixer)[PLANT_L] == 1.0f);
        sinew_mixer_destroy(mixer);
    }
}

// During a fade the curve counts by the action's part at the update that reports the marker.
static void test_events_and_curves_agree_in_a_fade(void **state) {
    stage *s = *state;
    sinew_mixer *mixer = make_mixer(s, 1);
    play_on(mixer, s->idle, 0, 1);
    sinew_mixer_update(mixer, 0.1f);
    sinew_play_def def = sinew_play_default();
    sinew_mixer_crossfade_to(mixer, sinew_clip_source(s->walk), 0.5f, &def);
    bool reported = false;
    for (int i = 1; i <= 40; i++) {
        sinew_mixer_update(mixer, 1.0f / 100);
        const sinew_events events = sinew_mixer_events(mixer);
        for (int32_t e = 0; e < events.count; e++) {
            if (events.items[e].type != SINEW_EVENT_MARKER) continue;
            reported = true;
            check_near(sinew_mixer_curves(mixer)[PLANT_L], i / 50.0, 1e-5);
        }
        if (!reported) assert_true(sinew_mixer_curves(mixer)[PLANT_L] == 0);
    }
    assert_true(reported);
    sinew_mixer_destroy(mixer);
}

// ---- Other skeletons -----------------------------------------------------------------------------------------

// The same nodes with some of the curves in another order, and a new one.
static sinew_skeleton *make_other_skeleton(void) {
    static const char *const names[3] = {"Speed", "Mine", "Plant_L"};
    sinew_node_def nodes[NODES];
    sinew_skeleton *plain = make_skeleton(0);
    for (int i = 0; i < NODES; i++) {
        nodes[i] = (sinew_node_def){.name = plain->names[i], .parent = plain->parents[i], .rest = plain->rest[i]};
    }
    nodes[3].weight_count = WEIGHTS;
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = NODES;
    def.nodes = nodes;
    def.curve_count = 3;
    def.curve_names = names;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    sinew_skeleton_destroy(plain);
    return skeleton;
}

static void check_other(const sinew_clip *clip, sinew_pose *pose) {
    for (int i = 0; i <= 20; i++) {
        sinew_clip_sample(clip, (float)i / 20, pose);
        check_near(pose->curves[0], curve_at(SPEED, i / 20.0), 2e-6);
        assert_true(pose->curves[1] == 0);
        check_near(pose->curves[2], curve_at(PLANT_L, (float)i / 20), 0);
    }
}

static void test_binding_matches_curves_by_name(void **state) {
    stage *s = *state;
    sinew_skeleton *other = make_other_skeleton();
    sinew_bind_report report;
    sinew_clip *bound;
    int32_t bound_nodes[8];
    sinew_bind_def def = sinew_bind_default();
    def.bound_nodes = bound_nodes;
    assert_int_equal(sinew_clip_bind(s->walk, other, &def, &bound, &report, NULL), SINEW_OK);
    assert_int_equal(report.bound_channel_count, 3); // Leg_L, Plant_L, Speed
    assert_int_equal(report.unmatched_channel_count, 3);
    assert_int_equal(report.unmatched_name_count, 3);
    assert_string_equal(report.unmatched_names[0], "Open");
    assert_string_equal(report.unmatched_names[1], "Curve 17");
    const int32_t expected[6] = {1, 2, 0, SINEW_NO_NODE, SINEW_NO_NODE, SINEW_NO_NODE};
    for (int i = 0; i < 6; i++) assert_int_equal(bound_nodes[i], expected[i]);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(other, NULL, &pose), SINEW_OK);
    check_other(bound, pose);
    sinew_pose_destroy(pose);
    sinew_clip_destroy(bound);
    sinew_skeleton_destroy(other);
    // A skeleton without curves takes the motion: the missing curves are reported, and do not count for min_match.
    sinew_skeleton *plain = make_skeleton(0);
    assert_int_equal(sinew_clip_bind(s->walk, plain, NULL, &bound, &report, NULL), SINEW_OK);
    assert_int_equal(report.unmatched_channel_count, 5);
    sinew_clip_destroy(bound);
    sinew_skeleton_destroy(plain);
}

static void test_retargeting_copies_curves(void **state) {
    stage *s = *state;
    sinew_skeleton *other = make_other_skeleton();
    sinew_retarget_def def = sinew_retarget_default();
    def.source = s->skeleton;
    def.target = other;
    sinew_retarget *map;
    sinew_error error = {0};
    if (sinew_retarget_create(&def, &map, &error) != SINEW_OK) fail_msg("%s", error.message);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(other, NULL, &pose), SINEW_OK);
    sinew_clip_sample(s->walk, 0.5f, s->pose);
    pose->curves[1] = 0.125f; // not of the source: it stays
    sinew_retarget_pose(map, s->pose, pose);
    assert_true(pose->curves[0] == s->pose->curves[SPEED]);
    assert_true(pose->curves[1] == 0.125f);
    assert_true(pose->curves[2] == s->pose->curves[PLANT_L]);
    sinew_clip *clip;
    const sinew_retarget_clip_def clip_def = sinew_retarget_clip_default();
    assert_int_equal(sinew_clip_retarget(map, s->walk, &clip_def, &clip, &error), SINEW_OK);
    check_other(clip, pose);
    float key_times[KEYS], values[KEYS]; // copied, not sampled
    for (int32_t i = 0; i < clip->channel_count; i++) {
        if (clip->channels[i].target != SINEW_TARGET_CURVE || clip->channels[i].node != 0) continue;
        assert_int_equal(sinew_clip_channel_keys(clip, i, key_times, values), KEYS);
        assert_memory_equal(key_times, times, sizeof times);
        assert_memory_equal(values, slope, sizeof slope);
    }
    sinew_clip_destroy(clip);
    sinew_pose_destroy(pose);
    sinew_retarget_destroy(map);
    sinew_skeleton_destroy(other);
}

static void test_mirroring_exchanges_curves_with_sides(void **state) {
    stage *s = *state;
    sinew_mirror_def def = sinew_mirror_default();
    def.skeleton = s->skeleton;
    sinew_mirror *map;
    sinew_error error = {0};
    if (sinew_mirror_create(&def, &map, &error) != SINEW_OK) fail_msg("%s", error.message);
    sinew_clip *mirrored;
    assert_int_equal(sinew_clip_mirror(map, s->walk, NULL, NULL, &mirrored, NULL), SINEW_OK);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(s->skeleton, NULL, &pose), SINEW_OK);
    for (int i = 0; i <= 20; i++) {
        sinew_clip_sample(s->walk, (float)i / 20, s->pose);
        sinew_clip_sample(mirrored, (float)i / 20, pose);
        for (int pass = 0; pass < 2; pass++) {
            for (int32_t c = 0; c < CURVES; c++) {
                const int32_t other = c == PLANT_L ? PLANT_R : c == PLANT_R ? PLANT_L : c;
                assert_true(pose->curves[c] == s->pose->curves[other]);
            }
            sinew_mirror_pose(map, s->pose, pose);
        }
    }
    sinew_pose_destroy(pose);
    sinew_clip_destroy(mirrored);
    sinew_mirror_destroy(map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_skeleton_has_its_curves, begin, end),
        cmocka_unit_test(test_bad_curves_are_refused),
        cmocka_unit_test(test_no_memory_is_an_error),
        cmocka_unit_test_setup_teardown(test_curves_are_exact_as_authored, begin, end),
        cmocka_unit_test_setup_teardown(test_keys_read_back, begin, end),
        cmocka_unit_test_setup_teardown(test_curves_leave_the_nodes_alone, begin, end),
        cmocka_unit_test_setup_teardown(test_16_bit_keys_stay_within_a_step, begin, end),
        cmocka_unit_test_setup_teardown(test_bad_channels_are_refused, begin, end),
        cmocka_unit_test_setup_teardown(test_poses_carry_curves, begin, end),
        cmocka_unit_test_setup_teardown(test_a_layer_covers_the_curves_of_its_mask, begin, end),
        cmocka_unit_test_setup_teardown(test_curves_blend_with_the_weights_of_the_pose, begin, end),
        cmocka_unit_test_setup_teardown(test_an_additive_clip_adds_its_curves, begin, end),
        cmocka_unit_test_setup_teardown(test_a_mixer_of_a_part_animates_all_curves, begin, end),
        cmocka_unit_test_setup_teardown(test_transitions_stay_between_both_values, begin, end),
        cmocka_unit_test_setup_teardown(test_snapshots_carry_curves, begin, end),
        cmocka_unit_test_setup_teardown(test_a_batch_gives_the_same_bits, begin, end),
        cmocka_unit_test_setup_teardown(test_a_recording_replays_curves, begin, end),
        cmocka_unit_test_setup_teardown(test_events_and_curves_agree, begin, end),
        cmocka_unit_test_setup_teardown(test_an_update_that_ends_at_the_key, begin, end),
        cmocka_unit_test_setup_teardown(test_events_and_curves_agree_in_a_fade, begin, end),
        cmocka_unit_test_setup_teardown(test_binding_matches_curves_by_name, begin, end),
        cmocka_unit_test_setup_teardown(test_retargeting_copies_curves, begin, end),
        cmocka_unit_test_setup_teardown(test_mirroring_exchanges_curves_with_sides, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
