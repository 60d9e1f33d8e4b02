// SPDX-License-Identifier: MIT
// Reading keys back gives the original numbers, and a clip made from them is the same clip.
#include "support/files.h"
#include "support/random_rig.h"

#include <stdio.h>

// ---- Copies --------------------------------------------------------------------------------------------------

// The keys of all channels of a clip.
typedef struct key_copy {
    sinew_channel_def *channels;
    float **times, **values;
    int32_t count;
} key_copy;

static key_copy read_keys(const sinew_clip *clip) {
    const size_t count = (size_t)clip->channel_count + 1;
    key_copy copy = {calloc(count, sizeof *copy.channels), calloc(count, sizeof *copy.times),
                     calloc(count, sizeof *copy.values), clip->channel_count};
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const sinew_channel *channel = &clip->channels[i];
        const int32_t keys = sinew_clip_channel_keys(clip, i, NULL, NULL);
        const size_t floats = (size_t)keys * (size_t)sinew_clip_key_width(clip, i);
        copy.times[i] = malloc((size_t)keys * sizeof(float));
        copy.values[i] = malloc(floats * sizeof(float));
        assert_int_equal(sinew_clip_channel_keys(clip, i, copy.times[i], copy.values[i]), keys);
        copy.channels[i] = (sinew_channel_def){channel->node, channel->target, channel->interpolation,
                                               keys,          copy.times[i],   copy.values[i]};
    }
    return copy;
}

static void free_keys(key_copy *copy) {
    for (int32_t i = 0; i < copy->count; i++) {
        free(copy->times[i]);
        free(copy->values[i]);
    }
    free(copy->channels);
    free(copy->times);
    free(copy->values);
}

static sinew_clip *create_again(const sinew_clip *clip, const key_copy *copy) {
    sinew_clip_def def = sinew_clip_default();
    def.name = clip->name;
    def.skeleton = clip->skeleton;
    def.channel_count = copy->count;
    def.channels = copy->channels;
    def.duration = clip->duration;
    def.marker_count = clip->marker_count;
    def.markers = clip->markers;
    def.key_format = clip->key_format;
    def.additive = clip->additive;
    sinew_clip *again;
    sinew_error error = {0};
    if (sinew_clip_create(&def, &again, &error) != SINEW_OK) fail_msg("%s", error.message);
    return again;
}

static void check_floats(const float *actual, const float *expected, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (memcmp(&actual[i], &expected[i], sizeof *actual) == 0) continue;
        fail_msg("%s[%zu] is %.9g, not %.9g", name, i, (double)actual[i], (double)expected[i]);
    }
}

// Whether all keys of a channel have the bits of the first one.
static bool are_equal_keys(const float *values, int32_t key_count, int32_t width) {
    for (int32_t k = 1; k < key_count; k++) {
        if (memcmp(values, values + (ptrdiff_t)k * width, (size_t)width * sizeof(float)) != 0) return false;
    }
    return true;
}

// Keys q and -q are stored as q and q, and are constant when they are given again. Returns the number of such channels.
static int32_t check_same_keys(const key_copy *a, const key_copy *b, const sinew_clip *clip) {
    int32_t become_constant = 0;
    assert_int_equal(a->count, b->count);
    for (int32_t i = 0; i < a->count; i++) {
        const int32_t width = sinew_clip_key_width(clip, i), keys = b->channels[i].key_count;
        assert_int_equal(a->channels[i].node, b->channels[i].node);
        assert_int_equal(a->channels[i].target, b->channels[i].target);
        assert_int_equal(a->channels[i].interpolation, b->channels[i].interpolation);
        check_floats(b->values[i], a->values[i], (size_t)keys * (size_t)width, "values");
        if (keys != a->channels[i].key_count) {
            assert_int_equal(keys, 1);
            assert_true(are_equal_keys(a->values[i], a->channels[i].key_count, width));
            become_constant++;
            continue;
        }
        check_floats(b->times[i], a->times[i], (size_t)keys, "times");
    }
    return become_constant;
}

static int exact_clips; // clips whose copies have the same memory and poses

static void check_same_poses(const sinew_clip *clip, const sinew_clip *again) {
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(clip->skeleton, NULL, &pose), SINEW_OK);
    for (int i = 0; i <= 16; i++) {
        const float time = clip->duration * (float)i / 16.0f;
        sinew_clip_sample(clip, time, pose);
        const uint64_t bits = add_bits_of_pose(BITS_NONE, pose);
        sinew_clip_sample(again, time, pose);
        assert_true(add_bits_of_pose(BITS_NONE, pose) == bits);
    }
    sinew_pose_destroy(pose);
}

// Reads a clip, creates it from what was read, and compares: every key, and the poses at and between keys.
static void check_round_trip(const sinew_clip *clip) {
    key_copy first = read_keys(clip);
    sinew_clip *again = create_again(clip, &first);
    key_copy second = read_keys(again);
    assert_int_equal(memcmp(&again->duration, &clip->duration, sizeof clip->duration), 0);
    if (check_same_keys(&first, &second, clip) == 0) {
        assert_int_equal(again->timeline_count, clip->timeline_count);
        assert_int_equal(again->memory, clip->memory);
        check_same_poses(clip, again);
        exact_clips++;
    }
    sinew_clip_destroy(again);
    free_keys(&first);
    free_keys(&second);
}

// ---- What was given comes out --------------------------------------------------------------------------------

enum { KEYS = 7, WEIGHTS = 21, NODES = 3 * 4 };

// A skeleton where each node has so many morph weights that they fill several blocks.
static sinew_skeleton *make_skeleton(void) {
    sinew_node_def nodes[NODES];
    for (int i = 0; i < NODES; i++) {
        nodes[i] =
            (sinew_node_def){.parent = SINEW_NO_NODE, .rest = sinew_transform_identity(), .weight_count = WEIGHTS};
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = NODES;
    def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

static int32_t width_of(sinew_channel_target target) {
    return target == SINEW_TARGET_WEIGHTS ? WEIGHTS : target == SINEW_TARGET_ROTATION ? 4 : 3;
}

// Every number differs from every other one; rotations are unit and turn by less than half a turn from key to key.
static void draw_values(uint64_t *random, sinew_channel_target target, sinew_interpolation interpolation,
                        float *values) {
    const int32_t width = width_of(target), parts = interpolation == SINEW_INTERPOLATION_CUBICSPLINE ? 3 : 1;
    for (int32_t i = 0; i < KEYS * parts * width; i++) values[i] = random_float(random, -2, 2);
    for (int32_t k = 0; k < KEYS && target == SINEW_TARGET_ROTATION && parts == 1; k++) {
        const sinew_quat q = about_y(0.3 * k + 0.1);
        memcpy(values + (ptrdiff_t)4 * k, &q, sizeof q);
    }
}

// Each combination of target and interpolation is one node's channel. With `own_times`, each has its own times, so
// keys are stored on tracks.
static void check_given_keys(bool own_times) {
    static float times[NODES][KEYS], values[NODES][KEYS * 3 * WEIGHTS];
    uint64_t random = 7;
    sinew_channel_def channels[NODES];
    for (int i = 0; i < NODES; i++) {
        const sinew_channel_target target = (sinew_channel_target)(i / 3);
        const sinew_interpolation interpolation = (sinew_interpolation)(i % 3);
        for (int k = 0; k < KEYS; k++) {
            times[i][k] = 0.25f * (float)k + (own_times ? random_float(&random, 0.01f, 0.2f) : 0.125f);
        }
        draw_values(&random, target, interpolation, values[i]);
        channels[i] = (sinew_channel_def){i, target, interpolation, KEYS, times[i], values[i]};
    }
    sinew_skeleton *skeleton = make_skeleton();
    sinew_clip *clip = make_clip(skeleton, "keys", channels, NODES);
    assert_int_equal(clip->timeline_count, own_times ? NODES : 1);
    key_copy copy = read_keys(clip);
    for (int i = 0; i < NODES; i++) {
        const int32_t parts = channels[i].interpolation == SINEW_INTERPOLATION_CUBICSPLINE ? 3 : 1;
        assert_int_equal(sinew_clip_key_width(clip, i), parts * width_of(channels[i].target));
        assert_int_equal(copy.channels[i].key_count, KEYS);
        check_floats(copy.times[i], times[i], KEYS, "times");
        const size_t width = (size_t)parts * (size_t)width_of(channels[i].target);
        check_floats(copy.values[i], values[i], KEYS * width, "values");
    }
    check_round_trip(clip);
    free_keys(&copy);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

static void test_given_keys_come_out_of_rows(void **state) {
    (void)state;
    check_given_keys(false);
}

static void test_given_keys_come_out_of_tracks(void **state) {
    (void)state;
    check_given_keys(true);
}

// A rotation of the other sign is the same rotation: it comes out with the sign that continues the previous key.
static void test_rotations_come_out_continuous_and_unit(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(1);
    const float times[3] = {0, 1, 2}, half = sqrtf(0.5f);
    const float values[12] = {0, 0, 0, 2, 0, 0, -half, -half, 0, 0, 1, 0};
    sinew_channel_def channel = {0, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 3, times, values};
    sinew_clip *clip = make_clip(skeleton, "signs", &channel, 1);
    const float expected[12] = {0, 0, 0, 1, -0.0f, -0.0f, half, half, 0, 0, 1, 0};
    float read[12];
    assert_int_equal(sinew_clip_channel_keys(clip, 0, NULL, read), 3);
    check_floats(read, expected, 12, "values");
    check_round_trip(clip);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

// Only the value of a constant channel is kept; the clip's duration can be given.
static void test_constants_have_one_key(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(2);
    const float times[2] = {0.5f, 3.0f}, linear[6] = {1, 2, 3, 1, 2, 3};
    const float cubic[18] = {0, 0, 0, 4, 5, 6, 0, 0, 0, 0, 0, 0, 4, 5, 6, 0, 0, 0};
    sinew_channel_def channels[2] = {{0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times, linear},
                                     {1, SINEW_TARGET_SCALE, SINEW_INTERPOLATION_CUBICSPLINE, 2, times, cubic}};
    sinew_clip *clip = make_clip(skeleton, "constant", channels, 2);
    float time = -1.0f, values[9];
    assert_int_equal(sinew_clip_channel_keys(clip, 0, &time, values), 1);
    assert_true(time == 0.0f);
    check_floats(values, linear, 3, "values");
    assert_int_equal(sinew_clip_key_width(clip, 1), 9);
    assert_int_equal(sinew_clip_channel_keys(clip, 1, &time, values), 1);
    check_floats(values, cubic, 9, "values");
    assert_true(clip->duration == 3.0f);
    check_round_trip(clip);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

// Stored values are those that a sampler shows at the keys, within 1/65535 of the range of what was given.
static void test_16_bit_keys_come_out_as_stored(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(2);
    float times[KEYS], values[2][KEYS * 3], read[KEYS * 3];
    uint64_t random = 3;
    for (int k = 0; k < KEYS; k++) times[k] = (float)k;
    for (int i = 0; i < KEYS * 3; i++) {
        values[0][i] = random_float(&random, -1, 1);
        values[1][i] = random_float(&random, -1, 1);
    }
    sinew_channel_def channels[2] = {
        {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_STEP, KEYS, times, values[0]},
        {1, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_STEP, KEYS, times, values[1]}};
    sinew_clip_def def = sinew_clip_default();
    def.skeleton = skeleton;
    def.channel_count = 2;
    def.channels = channels;
    def.key_format = SINEW_KEYS_U16;
    sinew_clip *clip;
    const sinew_result result = sinew_clip_create(&def, &clip, NULL);
    if (result == SINEW_ERROR_UNSUPPORTED) {
        sinew_skeleton_destroy(skeleton);
        skip();
        return;
    }
    assert_int_equal(result, SINEW_OK);
    for (int32_t i = 0; i < 2; i++) {
        assert_int_equal(sinew_clip_channel_keys(clip, i, NULL, read), KEYS);
        for (int k = 0; k < KEYS; k++) {
            const sinew_vec3 shown = sinew_clip_sample_node(clip, times[k], i).translation;
            check_vec3(shown, read[(ptrdiff_t)3 * k], read[3 * k + 1], read[3 * k + 2], 1e-7);
        }
        for (int j = 0; j < KEYS * 3; j++) check_near(read[j], values[i][j], 2.0 / 65535);
    }
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

// ---- Durations -----------------------------------------------------------------------------------------------

static void test_duration_extends_a_clip(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(1);
    const float times[2] = {0, 1}, values[6] = {0, 0, 0, 4, 0, 0};
    sinew_channel_def channel = {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times, values};
    const sinew_marker marker = {"end", 2.5f};
    sinew_clip_def def = sinew_clip_default();
    def.skeleton = skeleton;
    def.channel_count = 1;
    def.channels = &channel;
    def.duration = 2.5f;
    def.marker_count = 1;
    def.markers = &marker;
    sinew_clip *clip;
    assert_int_equal(sinew_clip_create(&def, &clip, NULL), SINEW_OK);
    assert_true(clip->duration == 2.5f);
    assert_true(sinew_clip_sample_node(clip, 2.0f, 0).translation.x == 4.0f);
    check_round_trip(clip);
    sinew_clip_destroy(clip);
    def.duration = 0.5f; // shorter than the keys: no effect
    def.marker_count = 0;
    assert_int_equal(sinew_clip_create(&def, &clip, NULL), SINEW_OK);
    assert_true(clip->duration == 1.0f);
    sinew_clip_destroy(clip);
    const float wrong[] = {-1.0f, NAN, INFINITY};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sinew_error error = {0};
        def.duration = wrong[i];
        assert_int_equal(sinew_clip_create(&def, &clip, &error), SINEW_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "duration"));
        assert_null(clip);
    }
    sinew_skeleton_destroy(skeleton);
}

// ---- Round trips of files ------------------------------------------------------------------------------------

static void test_random_clips(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint64_t random = seed;
        sinew_skeleton *skeleton = draw_skeleton(&random, 1 + (int32_t)(seed % 40), false);
        const random_clip_options options = {(int32_t)(seed % 4), 70, seed % 5 == 0, SINEW_KEYS_FLOAT};
        sinew_clip *clip = draw_clip(&random, skeleton, options);
        check_round_trip(clip);
        sinew_clip_destroy(clip);
        sinew_skeleton_destroy(skeleton);
    }
}

static int clips_read;

static void read_file_of_clips(const char *path) {
    sinew_asset *asset;
    if (sinew_gltf_load_file(path, NULL, &asset, NULL) != SINEW_OK) return; // test_gltf_assets expects it
    for (int32_t i = 0; i < asset->clip_count; i++) check_round_trip(&asset->clips[i]);
    clips_read += asset->clip_count;
    sinew_asset_destroy(asset);
}

static void read_folder(const char *folder, int fewest) {
    clips_read = exact_clips = 0;
    for_each_file(folder, ".glb .gltf", read_file_of_clips);
    print_message("%s: %d clips, %d exact\n", folder, clips_read, exact_clips);
    assert_true(clips_read >= fewest && exact_clips >= clips_read * 9 / 10);
}

static void test_clips_of_models(void **state) {
    (void)state;
    read_folder(SINEW_MODELS, 20);
}

static void test_clips_of_assets(void **state) {
    (void)state;
    read_folder(other_peoples_files(), 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_given_keys_come_out_of_rows),
        cmocka_unit_test(test_given_keys_come_out_of_tracks),
        cmocka_unit_test(test_rotations_come_out_continuous_and_unit),
        cmocka_unit_test(test_constants_have_one_key),
        cmocka_unit_test(test_16_bit_keys_come_out_as_stored),
        cmocka_unit_test(test_duration_extends_a_clip),
        cmocka_unit_test(test_random_clips),
        cmocka_unit_test(test_clips_of_models),
        cmocka_unit_test(test_clips_of_assets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
