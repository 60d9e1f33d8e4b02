// SPDX-License-Identifier: MIT
// Writing clips into files: written clips load with the same poses, everything else stays, and writing twice gives
// the same bytes. Edited clips and BVH files are compared with the original's poses.
#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier,cert-*): mkdtemp
#endif
#include "support/files.h"
#include "support/gltf_samples.h"
#include "support/random_rig.h"

#include "support/folder.h"

#include "cli/cli.h"
#include "write/bvh.h"
#include "write/edit_clip.h"
#include "write/sampled.h"
#include "write/write.h"

#include <stdio.h>

#define ONCE  "once.glb"
#define TWICE "twice.glb"

// ---- Files ---------------------------------------------------------------------------------------------------

static sinew_asset *load(const char *path) {
    sinew_gltf_options options = sinew_gltf_default();
    options.meshopt_decode = cli_decode_meshopt;
    return load_gltf(path, &options);
}

static write_result write_to(const char *path, const char *out, sinew_clip *const *clips, int32_t count,
                             bool only) {
    write_result result;
    const write_def def = {.path = path,
                           .clips = (const sinew_clip *const *)clips,
                           .clip_count = count,
                           .only = only,
                           .decode = cli_decode_meshopt};
    if (!write_clips(&result, &def)) fail_msg("%s", result.error);
    FILE *file = fopen(out, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(result.glb, 1, result.size, file), result.size);
    assert_int_equal(fclose(file), 0);
    return result;
}

static uint64_t bits_of_clip(const sinew_clip *clip, sinew_pose *pose) {
    uint64_t bits = BITS_NONE;
    for (int i = 0; i <= 20; i++) {
        sinew_clip_sample(clip, clip->duration * (float)i / 20.0f, pose);
        bits = add_bits_of_pose(bits, pose);
    }
    return bits;
}

// Compares two clips at times of the first, which `map` maps to the second.
static double largest_difference(const sinew_clip *a, const sinew_clip *b, double sign, double offset, float from,
                                 float to) {
    double worst = 0.0;
    for (int i = 0; i <= 50; i++) {
        // Not at keys: a STEP changes there, and the side depends on the direction.
        const float time = from + (to - from) * ((float)i + 0.37f) / 51.0f;
        for (int32_t n = 0; n < a->skeleton->node_count; n++) {
            const sinew_transform p = sinew_clip_sample_node(a, time, n);
            const sinew_transform q = sinew_clip_sample_node(b, (float)(sign * (double)time + offset), n);
            const sinew_vec3 t = sinew_vec3_subtract(p.translation, q.translation);
            const sinew_vec3 s = sinew_vec3_subtract(p.scale, q.scale);
            worst = fmax(worst, (double)sinew_vec3_length(t) / (1.0 + (double)sinew_vec3_length(p.translation)));
            worst = fmax(worst, (double)sinew_vec3_length(s) / (1.0 + (double)sinew_vec3_length(p.scale)));
            worst = fmax(worst, angle_between(p.rotation, q.rotation));
        }
    }
    return worst;
}

static int32_t count_animated(const sinew_clip *clip) {
    int32_t count = 0;
    for (int32_t i = 0; i < clip->channel_count; i++) count += clip->channels[i].timeline >= 0;
    return count;
}

static int exact_clips;

static void check_same_clip(const sinew_clip *expected, const sinew_clip *actual) {
    sinew_pose *a, *b;
    assert_string_equal(actual->name, expected->name);
    assert_true(actual->duration == expected->duration);
    assert_int_equal(actual->channel_count, expected->channel_count);
    assert_int_equal(actual->marker_count, expected->marker_count);
    for (int32_t i = 0; i < actual->marker_count; i++) {
        assert_string_equal(actual->markers[i].name, expected->markers[i].name);
        assert_true(actual->markers[i].time == expected->markers[i].time);
    }
    assert_int_equal(sinew_pose_create(expected->skeleton, NULL, &a), SINEW_OK);
    assert_int_equal(sinew_pose_create(actual->skeleton, NULL, &b), SINEW_OK);
    // A rotation with keys q and -q is written as a constant, within rounding.
    const bool is_exact = count_animated(expected) == count_animated(actual);
    if (is_exact && bits_of_clip(expected, a) != bits_of_clip(actual, b))
        fail_msg("'%s' has other poses", actual->name);
    assert_true(is_exact || largest_difference(expected, actual, 1, 0, 0, expected->duration) < 1e-6);
    exact_clips += is_exact;
    sinew_pose_destroy(a);
    sinew_pose_destroy(b);
}

// The same clip with a later end.
static sinew_clip *lengthen(const sinew_clip *clip, float duration) {
    sinew_channel_def *channels = calloc((size_t)clip->channel_count, sizeof *channels);
    float *floats[64];
    assert_true(clip->channel_count <= 64);
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const int32_t count = sinew_clip_channel_keys(clip, i, NULL, NULL), width = sinew_clip_key_width(clip, i);
        floats[i] = malloc((size_t)count * (size_t)(width + 1) * sizeof(float));
        sinew_clip_channel_keys(clip, i, floats[i], floats[i] + count);
        const sinew_channel *c = &clip->channels[i];
        channels[i] =
            (sinew_channel_def){c->node, c->target, c->interpolation, count, floats[i], floats[i] + count};
    }
    sinew_clip_def def = sinew_clip_default();
    def.name = clip->name;
    def.skeleton = clip->skeleton;
    def.channel_count = clip->channel_count;
    def.channels = channels;
    def.duration = duration;
    sinew_clip *longer;
    assert_int_equal(sinew_clip_create(&def, &longer, NULL), SINEW_OK);
    for (int32_t i = 0; i < clip->channel_count; i++) free(floats[i]);
    free(channels);
    return longer;
}

static void check_same_meshes(const sinew_asset *a, const sinew_asset *b) {
    assert_int_equal(a->mesh_count, b->mesh_count);
    assert_int_equal(a->image_count, b->image_count);
    assert_int_equal(a->material_count, b->material_count);
    assert_int_equal(a->skin_count, b->skin_count);
    for (int32_t m = 0; m < a->mesh_count; m++) {
        assert_int_equal(a->meshes[m].primitive_count, b->meshes[m].primitive_count);
        for (int32_t p = 0; p < a->meshes[m].primitive_count; p++) {
            const sinew_primitive *one = &a->meshes[m].primitives[p], *other = &b->meshes[m].primitives[p];
            assert_int_equal(one->vertex_count, other->vertex_count);
            if (one->vertex_count == 0) continue;
            assert_memory_equal(one->positions, other->positions, (size_t)one->vertex_count * 3 * sizeof(float));
        }
    }
}

// A copy of a clip with another name, or the same name for NULL.
static sinew_clip *copy_clip(const sinew_clip *clip, const char *name) {
    sinew_clip *copy;
    sinew_error error = {0};
    const edit_clip_def def = {.name = name};
    if (edit_clip(clip, &def, &copy, &error) != SINEW_OK) fail_msg("%s", error.message);
    return copy;
}

// ---- Round trips ---------------------------------------------------------------------------------------------

static int files_written, clips_written;

// Clips with the same name follow each other and replace each other, so they're left out.
static bool have_distinct_names(const sinew_asset *asset) {
    for (int32_t i = 0; i < asset->clip_count; i++) {
        for (int32_t k = 0; k < i; k++) {
            if (strcmp(asset->clips[i].name, asset->clips[k].name) == 0) return false;
        }
        if (asset->clips[i].channel_count == 0) return false; // glTF has no animation without channels
    }
    return asset->clip_count > 0;
}

static bool are_equal_files(const char *a, const char *b) {
    char command[600];
    snprintf(command, sizeof command, "cmp -s %s %s", a, b);
    return system(command) == 0; // NOLINT(cert-env33-c): the test's own words
}

// Replaces all clips of a file by themselves, and adds copies of them.
static void check_file(const char *path) {
    sinew_asset *original = load(path);
    if (!have_distinct_names(original)) {
        sinew_asset_destroy(original);
        return;
    }
    const int32_t count = original->clip_count;
    sinew_clip **clips = calloc(2 * (size_t)count, sizeof *clips); // NOLINT(bugprone-sizeof-expression): pointers
    for (int32_t i = 0; i < count; i++) {
        char name[300];
        snprintf(name, sizeof name, "copy of \"%.200s\" \\ \x01", original->clips[i].name);
        clips[i] = copy_clip(&original->clips[i], NULL);
        clips[count + i] = copy_clip(&original->clips[i], name);
    }
    write_result result = write_to(path, ONCE, clips, 2 * count, false);
    assert_int_equal(result.replaced, count);
    assert_int_equal(result.added, count);
    write_end(&result);
    sinew_asset *written = load(ONCE);
    assert_int_equal(written->clip_count, 2 * count);
    for (int32_t i = 0; i < 2 * count; i++) check_same_clip(clips[i], &written->clips[i]);
    for (int32_t i = 0; i < count; i++) check_same_clip(&original->clips[i], &written->clips[i]);
    check_same_meshes(original, written);
    result = write_to(ONCE, TWICE, clips, 2 * count, false);
    assert_int_equal(result.added, 0);
    const bool keeps_data = result.keeps_data;
    write_end(&result);
    if (!keeps_data && !are_equal_files(ONCE, TWICE)) fail_msg("%s: writing twice gives other bytes", path);
    for (int32_t i = 0; i < 2 * count; i++) sinew_clip_destroy(clips[i]);
    free(clips);
    sinew_asset_destroy(written);
    sinew_asset_destroy(original);
    files_written++;
    clips_written += 2 * count;
}

static void check_if_model(const char *path) {
    sinew_asset *asset;
    if (sinew_gltf_load_file(path, NULL, &asset, NULL) != SINEW_OK) return;
    sinew_asset_destroy(asset);
    check_file(path);
}

static void check_folder(const char *path, int fewest) {
    files_written = clips_written = exact_clips = 0;
    for_each_file(path, ".glb .gltf", check_if_model);
    print_message("%s: %d clips in %d files\n", path, clips_written, files_written);
    assert_true(files_written >= fewest);
    assert_true(exact_clips >= clips_written); // each was compared with up to two others
}

static void test_clips_of_models(void **state) {
    (void)state;
    check_folder(SINEW_MODELS, 20);
}

static void test_clips_of_assets(void **state) {
    (void)state;
    check_folder(other_peoples_files(), 20);
}

// ---- What is replaced ----------------------------------------------------------------------------------------

static void test_a_clip_replaces_the_one_of_its_name_in_place(void **state) {
    (void)state;
    sinew_asset *hero = load(SINEW_MODELS "/hero.glb");
    sinew_clip *clip = copy_clip(sinew_asset_find_clip(hero, "Run"), "Walk");
    write_result result = write_to(SINEW_MODELS "/hero.glb", ONCE, &clip, 1, false);
    assert_int_equal(result.replaced, 1);
    assert_int_equal(result.added + result.removed, 0);
    write_end(&result);
    sinew_asset *written = load(ONCE);
    assert_int_equal(written->clip_count, hero->clip_count);
    for (int32_t i = 0; i < hero->clip_count; i++) {
        assert_string_equal(written->clips[i].name, hero->clips[i].name);
        const bool is_walk = strcmp(hero->clips[i].name, "Walk") == 0;
        check_same_clip(is_walk ? clip : &hero->clips[i], &written->clips[i]);
    }
    sinew_asset_destroy(written);
    sinew_clip_destroy(clip);
    sinew_asset_destroy(hero);
}

static void test_only_the_given_clips(void **state) {
    (void)state;
    sinew_asset *hero = load(SINEW_MODELS "/hero.glb");
    sinew_clip *clips[2] = {copy_clip(sinew_asset_find_clip(hero, "Run"), "New"),
                            copy_clip(sinew_asset_find_clip(hero, "Walk"), NULL)};
    write_result result = write_to(SINEW_MODELS "/hero.glb", ONCE, clips, 2, true);
    assert_int_equal(result.removed, hero->clip_count - 1);
    const size_t size = result.size;
    write_end(&result);
    sinew_asset *written = load(ONCE);
    assert_int_equal(written->clip_count, 2);
    check_same_clip(clips[0], &written->clips[0]);
    check_same_clip(clips[1], &written->clips[1]);
    check_same_meshes(hero, written);
    result = write_to(ONCE, TWICE, clips, 2, true);
    assert_int_equal(result.size, size);
    write_end(&result);
    assert_true(are_equal_files(ONCE, TWICE));
    sinew_asset_destroy(written);
    for (int i = 0; i < 2; i++) sinew_clip_destroy(clips[i]);
    sinew_asset_destroy(hero);
}

// Constant channels have one key, and a clip can be longer than its keys.
static void test_durations_are_kept(void **state) {
    (void)state;
    sinew_asset *hero = load(SINEW_MODELS "/hero.glb");
    const float times[3] = {0, 0.25f, 0.5f}, moves[9] = {0, 0, 0, 1, 2, 3, 2, 2, 2}, turn[4] = {0, 1, 0, 0};
    float cubic[27];
    for (int i = 0; i < 27; i++) cubic[i] = (float)(i % 7);
    const sinew_channel_def channels[3] = {
        {3, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 3, times, moves},
        {4, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_STEP, 1, times, turn},
        {5, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_CUBICSPLINE, 3, times, cubic}};
    for (int first = 0; first < 3; first++) {
        sinew_clip_def def = sinew_clip_default();
        def.name = "Long";
        def.skeleton = hero->skeleton;
        def.channels = channels + first;
        def.channel_count = first == 0 ? 3 : 1; // with a constant channel, only that, only the spline
        def.duration = 2.0f;
        sinew_clip *clip;
        assert_int_equal(sinew_clip_create(&def, &clip, NULL), SINEW_OK);
        write_result result = write_to(SINEW_MODELS "/hero.glb", ONCE, &clip, 1, false);
        write_end(&result);
        sinew_asset *written = load(ONCE);
        check_same_clip(clip, sinew_asset_find_clip(written, "Long"));
        sinew_asset_destroy(written);
        sinew_clip_destroy(clip);
    }
    sinew_asset_destroy(hero);
}

static void expect_refused(const char *path, const sinew_clip *clip, const char *words) {
    write_result result;
    const write_def def = {.path = path, .clips = &clip, .clip_count = 1};
    assert_false(write_clips(&result, &def));
    assert_null(result.glb);
    if (!strstr(result.error, words)) fail_msg("'%s' does not say '%s'", result.error, words);
    write_end(&result);
}

static void test_what_cannot_be_written_is_refused(void **state) {
    (void)state;
    sinew_asset *hero = load(SINEW_MODELS "/hero.glb");
    sinew_clip *additive, *empty;
    assert_int_equal(sinew_clip_make_additive(&hero->clips[0], NULL, NULL, &additive, NULL), SINEW_OK);
    sinew_clip_def def = sinew_clip_default();
    def.name = "Empty";
    def.skeleton = hero->skeleton;
    assert_int_equal(sinew_clip_create(&def, &empty, NULL), SINEW_OK);
    expect_refused(SINEW_MODELS "/hero.glb", additive, "'Idle' is additive");
    expect_refused(SINEW_MODELS "/hero.glb", empty, "'Empty' has no channels");
    expect_refused(SINEW_MODELS "/sword.glb", &hero->clips[0], "'Idle' belongs to a different file");
    expect_refused("nowhere.glb", &hero->clips[0], "cannot be read");
    sinew_clip_destroy(additive);
    sinew_clip_destroy(empty);
    sinew_asset_destroy(hero);
}

// ---- Edited clips --------------------------------------------------------------------------------------------

static sinew_clip *edited(const sinew_clip *clip, edit_clip_def def) {
    sinew_clip *out;
    sinew_error error = {0};
    if (edit_clip(clip, &def, &out, &error) != SINEW_OK) fail_msg("%s", error.message);
    return out;
}

// Random clips have every target and interpolation, and channels of one key; their keys start and end anywhere.
static void for_random_clips(void (*check)(const sinew_clip *clip, uint64_t *random)) {
    for (uint64_t seed = 1; seed <= 40; seed++) {
        uint64_t random = seed;
        sinew_skeleton *skeleton = draw_skeleton(&random, 6, false);
        const random_clip_options options = {(int32_t)(seed % 4), 60, false, SINEW_KEYS_FLOAT};
        sinew_clip *clip = draw_clip(&random, skeleton, options);
        if (clip->duration > 0.1f) check(clip, &random);
        sinew_clip_destroy(clip);
        sinew_skeleton_destroy(skeleton);
    }
}

static void check_trimmed(const sinew_clip *clip, uint64_t *random) {
    const float start = random_float(random, 0, 0.5f * clip->duration);
    const float end = random_float(random, start + 0.2f * clip->duration, clip->duration);
    sinew_clip *trimmed = edited(clip, (edit_clip_def){.start = start, .end = end});
    check_near(trimmed->duration, end - start, 1e-6);
    const double worst = largest_difference(trimmed, clip, 1, (double)start, 0, trimmed->duration);
    if (!(worst < 2e-4)) fail_msg("a trimmed clip differs by %g", worst); // steep splines over short intervals
    sinew_clip_destroy(trimmed);
}

static void test_a_trimmed_clip_moves_the_same(void **state) {
    (void)state;
    for_random_clips(check_trimmed);
    sinew_asset *hero = load(SINEW_MODELS "/hero.glb");
    for (int32_t i = 0; i < hero->clip_count; i++) {
        const sinew_clip *clip = &hero->clips[i];
        sinew_clip *trimmed = edited(clip, (edit_clip_def){.start = 0.31f, .end = 0.69f});
        assert_true(largest_difference(trimmed, clip, 1, 0.31, 0, trimmed->duration) < 2e-6);
        for (int32_t k = 0; k < trimmed->marker_count; k++) assert_true(trimmed->markers[k].time <= 0.38f);
        sinew_clip_destroy(trimmed);
    }
    sinew_asset_destroy(hero);
}

// Every value of a rotation's spline is a unit quaternion, as glTF demands, also where a spline with turns of 150 degrees between
// its keys was cut.
static void check_unit_keys(const sinew_clip *clip) {
    float times[3 + 46], keys[3 + 46][12]; // 23 more for each end
    const int32_t count = sinew_clip_channel_keys(clip, 0, NULL, NULL);
    assert_in_range(count, 2, 3 + 46);
    sinew_clip_channel_keys(clip, 0, times, keys[0]);
    for (int32_t k = 0; k < count; k++) {
        const float *q = &keys[k][4];
        check_near(sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), 1.0, 1e-4);
    }
}

static void test_a_cut_spline_has_unit_rotations(void **state) {
    (void)state;
    uint64_t random = 1;
    sinew_skeleton *skeleton = draw_skeleton(&random, 6, false);
    const float times[3] = {0, 1, 2}, sine = 0.96592583f, cosine = 0.25881905f; // of 75 degrees
    const float values[3][12] = {{0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0.5f, -0.2f},
                                 {0, 0.3f, 0, 0, sine, 0, 0, cosine, 0, 0.3f, 0, 0},
                                 {0, 0, 0, 0, 0, 0, sine, cosine, 0, 0, 0, 0}};
    const sinew_channel_def channel = {1,        SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_CUBICSPLINE, 3, times,
                                       values[0]};
    sinew_clip_def def = sinew_clip_default();
    def.skeleton = skeleton;
    def.channels = &channel;
    def.channel_count = 1;
    sinew_clip *clip;
    assert_int_equal(sinew_clip_create(&def, &clip, NULL), SINEW_OK);
    const float ranges[][2] = {{0, 0.5f}, {0.3f, 0.4f}, {0.5f, 1},     {0.5f, 1.5f},
                               {0.9f, 2}, {1, 1.7f},    {0.01f, 1.99f}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        sinew_clip *part = edited(clip, (edit_clip_def){.start = ranges[i][0], .end = ranges[i][1]});
        check_unit_keys(part);
        assert_true(largest_difference(part, clip, 1, (double)ranges[i][0], 0, part->duration) < 2e-5);
        sinew_clip_destroy(part);
    }
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

static void check_reversed(const sinew_clip *clip, uint64_t *random) {
    (void)random;
    sinew_clip *reversed = edited(clip, (edit_clip_def){.reverse = true});
    assert_true(reversed->duration == clip->duration);
    const double worst = largest_difference(reversed, clip, -1, (double)clip->duration, 0, clip->duration);
    if (!(worst < 2e-4)) fail_msg("a reversed clip differs by %g", worst);
    sinew_clip_destroy(reversed);
}

static void test_a_reversed_clip_plays_backward(void **state) {
    (void)state;
    for_random_clips(check_reversed);
    sinew_asset *hero = load(SINEW_MODELS "/hero.glb");
    const sinew_clip *walk = sinew_asset_find_clip(hero, "Attack");
    sinew_clip *reversed = edited(walk, (edit_clip_def){.reverse = true, .name = "Back"});
    assert_string_equal(reversed->name, "Back");
    assert_true(largest_difference(reversed, walk, -1, (double)walk->duration, 0, walk->duration) < 2e-6);
    assert_int_equal(reversed->marker_count, walk->marker_count);
    for (int32_t i = 0; i < walk->marker_count; i++) {
        const sinew_marker *marker = &reversed->markers[walk->marker_count - 1 - i];
        assert_string_equal(marker->name, walk->markers[i].name);
        check_near(marker->time, walk->duration - walk->markers[i].time, 1e-6);
    }
    sinew_clip_destroy(reversed);
    sinew_asset_destroy(hero);
}

// Moves a node below an armature of scale 0.01, rotated so its Z axis points up, by `far` metres along the ground and
// 0.2 m up, and closes the clip. Returns how far it still moves, in metres.
static sinew_vec3 closed_travel(float far, sinew_interpolation interpolation) {
    const float times[3] = {0, 0.5f, 2};
    sinew_node_def nodes[3] = {{.name = "Armature", .parent = SINEW_NO_NODE, .rest = sinew_transform_identity()},
                               {.name = "Hips", .parent = 0, .rest = sinew_transform_identity()},
                               {.name = "Head", .parent = 1, .rest = sinew_transform_identity()}};
    nodes[0].rest.rotation = about_x(-PI / 2);
    nodes[0].rest.scale = (sinew_vec3){0.01f, 0.01f, 0.01f};
    nodes[2].rest.translation.z = 200; // 2 m
    sinew_skeleton_def skeleton_def = sinew_skeleton_default();
    skeleton_def.node_count = 3;
    skeleton_def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&skeleton_def, &skeleton, NULL), SINEW_OK);
    const bool is_spline = interpolation == SINEW_INTERPOLATION_CUBICSPLINE;
    float values[27] = {0};
    for (int k = 1; k < 3; k++) {
        float *value = values + (is_spline ? 9 * k + 3 : 3 * k);
        value[1] = -100 * far * (float)k / 2, value[2] = 10 * (float)k;
    }
    const sinew_channel_def channel = {1, SINEW_TARGET_TRANSLATION, interpolation, 3, times, values};
    sinew_clip *clip = make_clip(skeleton, "Walk", &channel, 1),
               *closed = edited(clip, (edit_clip_def){.close = true});
    const sinew_transform a = sinew_clip_sample_node(closed, 0, 1), b = sinew_clip_sample_node(closed, 2, 1);
    const sinew_vec3 moved = sinew_vec3_scale(sinew_vec3_subtract(b.translation, a.translation), 0.01f);
    sinew_clip_destroy(clip);
    sinew_clip_destroy(closed);
    sinew_skeleton_destroy(skeleton);
    return sinew_quat_rotate(about_x(-PI / 2), moved);
}

// A skeleton of 2 m walks away by more than 0.2 m: less is drift.
enum { CYCLE_FRAMES = 14, CYCLE_RATE = 24 };

static double swing_at(double time) {
    return 1.0 * sin(2.0 * PI * time * CYCLE_RATE / CYCLE_FRAMES);
}

static double bob_at(double time) {
    return 0.2 * cos(2.0 * PI * time * CYCLE_RATE / CYCLE_FRAMES);
}

// A leg that swings while its hips bob and walk away at 1.5 m/s, with keys up to frame `last`.
static sinew_clip *make_cycle(const sinew_skeleton *skeleton, int32_t last, sinew_interpolation interpolation) {
    const int parts = interpolation == SINEW_INTERPOLATION_CUBICSPLINE ? 3 : 1;
    float times[CYCLE_FRAMES + 1], turns[CYCLE_FRAMES + 1][3][4] = {{{0}}}, moves[CYCLE_FRAMES + 1][3][3] = {{{0}}};
    const double rate = 2.0 * PI * CYCLE_RATE / CYCLE_FRAMES;
    for (int k = 0; k <= last; k++) {
        const double t = (double)k / CYCLE_RATE, half = 0.5 * swing_at(t), speed = 0.5 * rate * cos(rate * t);
        times[k] = (float)t;
        float *turn = parts == 3 ? turns[k][1] : &turns[0][0][0] + (ptrdiff_t)4 * k;
        float *move = parts == 3 ? moves[k][1] : &moves[0][0][0] + (ptrdiff_t)3 * k;
        turn[0] = (float)sin(half), turn[3] = (float)cos(half);
        move[1] = (float)bob_at(t), move[2] = (float)(1.5 * t);
        for (int side = 0; parts == 3 && side < 3; side += 2) {
            turns[k][side][0] = (float)(speed * cos(half)), turns[k][side][3] = (float)(-speed * sin(half));
            moves[k][side][1] = (float)(-0.2 * rate * sin(rate * t)), moves[k][side][2] = 1.5f;
        }
    }
    const sinew_channel_def channels[2] = {
        {0, SINEW_TARGET_TRANSLATION, interpolation, last + 1, times, &moves[0][0][0]},
        {1, SINEW_TARGET_ROTATION, interpolation, last + 1, times, &turns[0][0][0]}};
    return make_clip(skeleton, "Walk", channels, 2);
}

// The cycle is complete: its period, its distance, every pose of the clip unchanged, and the missing frame's poses
// within the `degrees` and `metres` by which interpolation differs from the motion.
static void check_cycle(const sinew_clip *clip, const sinew_clip *closed, double degrees, double metres) {
    const float period = (float)CYCLE_FRAMES / CYCLE_RATE;
    check_near(closed->duration, period, 1e-6);
    assert_true(largest_difference(clip, closed, 1, 0, 0, clip->duration) < 1e-5);
    for (int i = 0; i <= 100; i++) {
        const float time = period * (float)i / 100.0f;
        const sinew_quat turn = sinew_clip_sample_node(closed, time, 1).rotation;
        check_near(angle_between(turn, about_x(swing_at(time))), 0, degrees * PI / 180.0);
        check_vec3(sinew_clip_sample_node(closed, time, 0).translation, 0, bob_at(time), 1.5 * time, metres);
    }
    check_near(angle_between(sinew_clip_sample_node(closed, period, 1).rotation, about_x(0)), 0, 1e-6);
    check_vec3(sinew_clip_sample_node(closed, period, 0).translation, 0, 0.2, 1.5 * (double)period, 1e-5);
}

static void test_closing_adds_the_missing_frame(void **state) {
    (void)state;
    sinew_node_def nodes[2] = {{.name = "Hips", .parent = -1, .rest = sinew_transform_identity()},
                               {.name = "Leg", .parent = 0, .rest = sinew_transform_identity()}};
    nodes[1].rest.translation.y = -1.0f;
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = 2;
    def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    for (int i = 1; i < 3; i++) {                                             // LINEAR and CUBICSPLINE
        for (int32_t last = CYCLE_FRAMES - 1; last <= CYCLE_FRAMES; last++) { // short and closed
            sinew_clip *clip = make_cycle(skeleton, last, (sinew_interpolation)i);
            sinew_clip *closed = edited(clip, (edit_clip_def){.close = true});
            check_cycle(clip, closed, i == 1 ? 1.6 : 0.02, i == 1 ? 0.006 : 1e-4);
            sinew_clip_destroy(closed);
            sinew_clip_destroy(clip);
        }
    }
    sinew_clip *half = make_cycle(skeleton, CYCLE_FRAMES / 2, SINEW_INTERPOLATION_LINEAR); // no cycle: no longer
    sinew_clip *closed = edited(half, (edit_clip_def){.close = true});
    assert_true(closed->duration == half->duration);
    sinew_clip_destroy(closed);
    sinew_clip_destroy(half);
    sinew_skeleton_destroy(skeleton);
}

static void test_a_closed_clip_still_walks_away(void **state) {
    (void)state;
    for (int i = 1; i < 3; i++) { // LINEAR and CUBICSPLINE
        const sinew_interpolation interpolation = (sinew_interpolation)i;
        check_vec3(closed_travel(1.5f, interpolation), 0, 0, 1.5, 1e-5);
        check_vec3(closed_travel(0.21f, interpolation), 0, 0, 0.21, 1e-5);
        check_vec3(closed_travel(0.19f, interpolation), 0, 0, 0, 1e-5);
    }
}

// A closed clip ends as it starts; one that does already keeps its poses.
static void test_a_closed_clip_loops(void **state) {
    (void)state;
    sinew_asset *hero = load(SINEW_MODELS "/hero.glb");
    const sinew_clip *walk = sinew_asset_find_clip(hero, "Walk");
    sinew_clip *same = edited(walk, (edit_clip_def){.close = true});
    assert_true(largest_difference(same, walk, 1, 0, 0, walk->duration) < 1e-5);
    sinew_clip_destroy(same);
    sinew_clip *closed = edited(walk, (edit_clip_def){.start = 0.1f, .end = 0.4f, .close = true});
    for (int32_t n = 0; n < hero->skeleton->node_count; n++) {
        const sinew_transform a = sinew_clip_sample_node(closed, 0, n);
        const sinew_transform b = sinew_clip_sample_node(closed, closed->duration, n);
        check_near(angle_between(a.rotation, b.rotation), 0, 1e-6);
        check_vec3(b.translation, a.translation.x, a.translation.y, a.translation.z, 1e-6);
    }
    sinew_clip_destroy(closed);
    sinew_asset_destroy(hero);
}

static void test_a_range_outside_of_the_clip_is_refused(void **state) {
    (void)state;
    sinew_asset *hero = load(SINEW_MODELS "/hero.glb");
    sinew_clip *out;
    sinew_error error = {0};
    const edit_clip_def def = {.start = 90.0f, .end = 91.0f};
    assert_int_equal(edit_clip(&hero->clips[0], &def, &out, &error), SINEW_ERROR_ARGUMENT);
    assert_null(out);
    assert_non_null(strstr(error.message, "range"));
    sinew_asset_destroy(hero);
}

// ---- Sampled clips -------------------------------------------------------------------------------------------

static void test_a_clip_from_poses(void **state) {
    (void)state;
    sinew_asset *hero = load(SINEW_MODELS "/hero.glb");
    const sinew_clip *run = sinew_asset_find_clip(hero, "Run");
    sampled_poses poses = {.skeleton = hero->skeleton};
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(hero->skeleton, NULL, &pose), SINEW_OK);
    for (int i = 0; i <= 44; i++) {
        const float time = run->duration * (float)i / 44.0f;
        sinew_clip_sample(run, time, pose);
        assert_true(sampled_add(&poses, time, pose));
        assert_true(sampled_add(&poses, time, pose)); // not later: ignored
    }
    assert_int_equal(poses.count, 45);
    sinew_clip *clip;
    sinew_error error = {0};
    assert_int_equal(sampled_create(&poses, "Sampled", &clip, &error), SINEW_OK);
    assert_true(clip->duration == run->duration);
    assert_true(clip->channel_count <= run->channel_count);
    assert_true(largest_difference(clip, run, 1, 0, 0, run->duration) < 1e-3); // between the keys
    sinew_clip_destroy(clip);
    sampled_free(&poses);
    sinew_pose_destroy(pose);
    sinew_asset_destroy(hero);
}

// ---- BVH -----------------------------------------------------------------------------------------------------

// The positions of all nodes in model space; scales of a clip are not written.
static void check_positions(const sinew_clip *expected, const sinew_clip *actual) {
    const sinew_skeleton *from = expected->skeleton, *to = actual->skeleton;
    sinew_pose *a, *b;
    sinew_affine *models = calloc((size_t)from->node_count + (size_t)to->node_count, sizeof *models);
    sinew_affine *model_a = models, *model_b = models + from->node_count;
    assert_int_equal(sinew_pose_create(from, NULL, &a), SINEW_OK);
    assert_int_equal(sinew_pose_create(to, NULL, &b), SINEW_OK);
    for (int i = 0; i <= 32; i++) {
        const float time = expected->duration * (float)i / 32.0f;
        sinew_clip_sample(expected, time, a);
        sinew_clip_sample(actual, time, b);
        sinew_pose_to_model(a, model_a);
        sinew_pose_to_model(b, model_b);
        for (int32_t n = 0; n < from->node_count; n++) {
            const int32_t found = sinew_skeleton_find(to, from->names[n]);
            assert_true(found >= 0);
            check_vec3(sinew_affine_point(model_b[found], (sinew_vec3){0, 0, 0}), model_a[n].m[0][3],
                       model_a[n].m[1][3], model_a[n].m[2][3], 1e-5);
        }
    }
    sinew_pose_destroy(a);
    sinew_pose_destroy(b);
    free(models);
}

static sinew_asset *through_bvh(const sinew_clip *clip, lint_text *text) {
    const write_bvh_def def = {.units = 100.0};
    assert_true(write_bvh(clip, &def, text));
    sinew_bvh_options options = sinew_bvh_default();
    options.scale = 0.01f;
    sinew_asset *asset;
    sinew_error error = {0};
    if (sinew_bvh_load_memory(text->data, text->size, &options, &asset, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    return asset;
}

// Of keys at 1/30 s; other clips are sampled between their keys.
static void test_bvh_round_trip(void **state) {
    (void)state;
    sinew_asset *hero = load(SINEW_MODELS "/hero.glb");
    const char *const names[] = {"Walk", "Idle", "Jump", "Turn"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const sinew_clip *clip = sinew_asset_find_clip(hero, names[i]);
        lint_text text = {0}, again = {0};
        sinew_asset *asset = through_bvh(clip, &text);
        check_near(asset->clips[0].duration, clip->duration, 1e-5);
        check_positions(clip, &asset->clips[0]);
        sinew_asset *twice = through_bvh(&asset->clips[0], &again);
        assert_int_equal(twice->skeleton->node_count, asset->skeleton->node_count);
        check_positions(&asset->clips[0], &twice->clips[0]);
        assert_true(largest_difference(&asset->clips[0], &twice->clips[0], 1, 0, 0, clip->duration) < 1e-5);
        sinew_asset_destroy(twice);
        sinew_asset_destroy(asset);
        lint_text_free(&text);
        lint_text_free(&again);
    }
    sinew_asset_destroy(hero);
}

// Curves from extras and from properties, bytes of true and false, and components, some of them constant.
static void test_curves_are_written(void **state) {
    (void)state;
    const gltf_sample *sample = gltf_samples;
    while (strcmp(sample->name, "curves") != 0) sample++;
    gltf_builder b = sample->make();
    gltf_save_glb(&b, "curves.glb");
    sinew_asset *asset = load("curves.glb");
    assert_true(asset->clip_count == 1 && asset->animated_property_count > 3 && asset->skeleton->curve_count > 8);
    write_result result;
    const sinew_clip *clips[1] = {&asset->clips[0]};
    for (int longer = 0; longer < 2; longer++) {
        sinew_clip *held = NULL; // the same clip, held at its end
        if (longer) held = lengthen(clips[0], 3.0f), clips[0] = held;
        const write_def def = {.path = "curves.glb", .clips = clips, .clip_count = 1, .asset = asset, .only = true};
        if (!write_clips(&result, &def)) fail_msg("%s", result.error);
        sinew_asset *written;
        sinew_error error = {0};
        if (sinew_gltf_load_memory(result.glb, result.size, NULL, &written, &error) != SINEW_OK)
            fail_msg("%s", error.message);
        write_end(&result);
        check_same_clip(clips[0], &written->clips[0]);
        assert_int_equal(written->animated_property_count, asset->animated_property_count);
        assert_int_equal(written->skeleton->curve_count, asset->skeleton->curve_count);
        sinew_pose *a, *c;
        assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &a), SINEW_OK);
        assert_int_equal(sinew_pose_create(written->skeleton, NULL, &c), SINEW_OK);
        for (int i = 0; i <= 20; i++) {
            sinew_clip_sample(clips[0], clips[0]->duration * (float)i / 20.0f, a);
            sinew_clip_sample(&written->clips[0], clips[0]->duration * (float)i / 20.0f, c);
            for (int32_t k = 0; k < asset->skeleton->curve_count; k++) {
                const int32_t other = sinew_skeleton_find_curve(written->skeleton, asset->skeleton->curve_names[k]);
                assert_true(other != SINEW_NO_CURVE && a->curves[k] == c->curves[other]);
            }
        }
        sinew_pose_destroy(c);
        sinew_pose_destroy(a);
        sinew_asset_destroy(written);
        sinew_clip_destroy(held);
    }
    sinew_asset_destroy(asset);
}

// ---- One clip at a time --------------------------------------------------------------------------------------

// Bytes in memory of the test's own, which fails after `left` of them.
typedef struct scratch {
    lint_text bytes;
    size_t left;
    int reads;
} scratch;

static bool append_scratch(const void *data, size_t size, void *user) {
    scratch *s = user;
    if (size > s->left) return false;
    s->left -= size;
    lint_append(&s->bytes, data, size);
    return true;
}

static bool read_scratch(size_t start, void *data, size_t size, void *user) {
    scratch *s = user;
    s->reads++;
    if (start + size > s->bytes.size) return false;
    memcpy(data, s->bytes.data + start, size);
    return true;
}

static void put_text(const void *data, size_t size, void *user) {
    lint_append(user, data, size);
}

// Writes all clips of the hero twice, under other names the second time, with their keys in a scratch.
static bool write_by_scratch(const sinew_asset *hero, scratch *s, bool is_gltf, write_result *result,
                             lint_text *out) {
    const write_source source = {.path = SINEW_MODELS "/hero.glb",
                                 .decode = cli_decode_meshopt,
                                 .scratch = {append_scratch, read_scratch, s}};
    write_copy *copy = write_copy_open(&source, result);
    bool good = copy != NULL;
    for (int32_t i = 0; good && i < 2 * hero->clip_count; i++) {
        const sinew_clip *clip = &hero->clips[i % hero->clip_count];
        char name[64];
        snprintf(name, sizeof name, "%s%s", clip->name, i < hero->clip_count ? "" : " 2");
        write_animation animation;
        good = write_animation_make(&animation, clip, hero, NULL, NULL) &&
               write_copy_add(copy, clip, name, &animation);
        write_animation_free(&animation);
    }
    good = good && write_copy_finish(copy, is_gltf, put_text, out);
    write_copy_close(copy);
    return good;
}

static void test_keys_in_a_scratch(void **state) {
    (void)state;
    sinew_asset *hero = load(SINEW_MODELS "/hero.glb");
    scratch s = {.left = SIZE_MAX};
    lint_text glb = {0}, gltf = {0};
    write_result result, once;
    if (!write_by_scratch(hero, &s, false, &result, &glb)) fail_msg("%s", result.error);
    assert_int_equal(result.size, glb.size);
    assert_int_equal(result.replaced, hero->clip_count);
    assert_int_equal(result.added, hero->clip_count);
    const size_t scratched = s.bytes.size;
    assert_true(s.reads > 0);

    // The copies' keys equal the originals': as many bytes as the originals alone, and the same poses.
    const sinew_clip *clips[16];
    assert_true(hero->clip_count <= 16);
    for (int32_t i = 0; i < hero->clip_count; i++) clips[i] = &hero->clips[i];
    const write_def def = {.path = SINEW_MODELS "/hero.glb",
                           .clips = clips,
                           .clip_count = hero->clip_count,
                           .asset = hero,
                           .decode = cli_decode_meshopt};
    if (!write_clips(&once, &def)) fail_msg("%s", once.error);
    assert_true(glb.size > once.size && glb.size < once.size + scratched / 2); // the JSON
    sinew_asset *written;
    sinew_error error = {0};
    if (sinew_gltf_load_memory(glb.data, glb.size, NULL, &written, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    assert_int_equal(written->clip_count, 2 * hero->clip_count);
    for (int32_t i = 0; i < hero->clip_count; i++) {
        check_same_clip(clips[i], sinew_asset_find_clip(written, clips[i]->name));
        const sinew_clip *second = &written->clips[hero->clip_count + i];
        assert_true(largest_difference(clips[i], second, 1, 0, 0, second->duration) < 1e-6);
    }
    sinew_asset_destroy(written);

    // As JSON it is the same asset.
    lint_text_free(&s.bytes);
    if (!write_by_scratch(hero, &s, true, &result, &gltf)) fail_msg("%s", result.error);
    assert_int_equal(gltf.data[0], '{');
    if (sinew_gltf_load_memory(gltf.data, gltf.size, NULL, &written, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    assert_int_equal(written->clip_count, 2 * hero->clip_count);
    assert_int_equal(written->mesh_count, hero->mesh_count);
    for (int32_t i = 0; i < hero->clip_count; i++) check_same_clip(clips[i], &written->clips[i]);
    sinew_asset_destroy(written);
    write_end(&once);
    lint_text_free(&s.bytes);
    lint_text_free(&glb);
    lint_text_free(&gltf);
    sinew_asset_destroy(hero);
}

static void test_a_full_scratch_is_an_error(void **state) {
    (void)state;
    sinew_asset *hero = load(SINEW_MODELS "/hero.glb");
    for (size_t left = 0; left < 300000; left = 3 * left + 1000) {
        scratch s = {.left = left};
        lint_text out = {0};
        write_result result;
        assert_false(write_by_scratch(hero, &s, false, &result, &out));
        check_contains(result.error, "the disk is full");
        assert_int_equal(out.size, 0);
        lint_text_free(&s.bytes);
    }
    sinew_asset_destroy(hero);
}

// ---- Nodes with a matrix -------------------------------------------------------------------------------------

// A turn of 90 degrees about Z after scales of 2, 3 and 4, then a translation; or with shear.
static void save_matrix(const char *path, bool is_sheared) {
    gltf_builder b = gltf_begin();
    gltf_section(
        &b,
        "'nodes':[{'name':'arm','matrix':[%s,2,0,0,-3,0,0,0,0,0,4,0,5,6,7,1],'children':[1]},{'name':'hand'}],"
        "'scenes':[{'nodes':[0]}]",
        is_sheared ? "1" : "0");
    gltf_save_glb(&b, path);
}

static sinew_clip *make_turn(const sinew_skeleton *skeleton, int32_t node) {
    const float times[2] = {0, 1}, turns[8] = {0, 0, 0, 1, 1, 0, 0, 0};
    const sinew_channel_def turn = {node, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 2, times, turns};
    return make_clip(skeleton, "Turn", &turn, 1);
}

static void test_an_animated_matrix_becomes_its_parts(void **state) {
    (void)state;
    save_matrix("matrix.glb", false);
    sinew_asset *asset = load("matrix.glb");
    sinew_clip *clips[2] = {make_turn(asset->skeleton, 0), make_turn(asset->skeleton, 0)};
    write_result result = write_to("matrix.glb", ONCE, clips, 2, false);
    check_contains((const char *)result.glb + 20, "{\"name\":\"arm\",\"children\":[1],\"translation\":[5,6,7],"
                                                  "\"rotation\":[0,0,0.707106769,0.707106769],\"scale\":[2,3,4]}");
    sinew_asset *written = load(ONCE);
    const sinew_affine before = sinew_affine_from_transform(asset->skeleton->rest[0]);
    const sinew_affine after = sinew_affine_from_transform(written->skeleton->rest[0]);
    check_floats(&after.m[0][0], &before.m[0][0], 12, 1e-6f);
    write_end(&result);
    sinew_asset_destroy(written);
    sinew_clip_destroy(clips[1]);
    clips[1] = make_turn(asset->skeleton, 1);
    result = write_to("matrix.glb", ONCE, &clips[1], 1, false);
    check_contains((const char *)result.glb + 20, "\"matrix\":[0,2,0,0,-3,"); // it isn't animated
    write_end(&result);
    for (int i = 0; i < 2; i++) sinew_clip_destroy(clips[i]);
    sinew_asset_destroy(asset);
}

static void test_an_animated_matrix_with_shear_is_refused(void **state) {
    (void)state;
    save_matrix("shear.glb", true);
    sinew_asset *asset = load("shear.glb");
    sinew_clip *clip = make_turn(asset->skeleton, 0);
    const sinew_clip *clips[1] = {clip};
    write_result result;
    const write_def def = {.path = "shear.glb", .clips = clips, .clip_count = 1, .decode = cli_decode_meshopt};
    assert_false(write_clips(&result, &def));
    check_contains(result.error, "shear.glb: nodes[0] 'arm': clip 'Turn' animates it, but its matrix has shear");
    write_end(&result);
    sinew_clip_destroy(clip);
    sinew_asset_destroy(asset);
}

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    enter_folder("sinew-write");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_animated_matrix_becomes_its_parts),
        cmocka_unit_test(test_an_animated_matrix_with_shear_is_refused),
        cmocka_unit_test(test_clips_of_models),
        cmocka_unit_test(test_curves_are_written),
        cmocka_unit_test(test_clips_of_assets),
        cmocka_unit_test(test_a_clip_replaces_the_one_of_its_name_in_place),
        cmocka_unit_test(test_only_the_given_clips),
        cmocka_unit_test(test_durations_are_kept),
        cmocka_unit_test(test_what_cannot_be_written_is_refused),
        cmocka_unit_test(test_a_trimmed_clip_moves_the_same),
        cmocka_unit_test(test_a_cut_spline_has_unit_rotations),
        cmocka_unit_test(test_a_reversed_clip_plays_backward),
        cmocka_unit_test(test_a_closed_clip_loops),
        cmocka_unit_test(test_closing_adds_the_missing_frame),
        cmocka_unit_test(test_a_closed_clip_still_walks_away),
        cmocka_unit_test(test_a_range_outside_of_the_clip_is_refused),
        cmocka_unit_test(test_a_clip_from_poses),
        cmocka_unit_test(test_bvh_round_trip),
        cmocka_unit_test(test_keys_in_a_scratch),
        cmocka_unit_test(test_a_full_scratch_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
