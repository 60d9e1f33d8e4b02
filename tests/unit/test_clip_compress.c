// SPDX-License-Identifier: MIT
// Compressed clips: the stated error, against an evaluator in double precision, and everything that reads and plays
// them.
#include "kernels/layout.h"
#include "support/exact_clip.h"
#include "support/random_rig.h"
#include "support/trials.h"

#include <stdio.h>

// ---- Clips -------------------------------------------------------------------------------------------------------

static sinew_asset *load_model(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", SINEW_MODELS, name);
    sinew_asset *asset;
    sinew_error error = {0};
    if (sinew_gltf_load_file(path, NULL, &asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    return asset;
}

static sinew_clip *compress(const sinew_clip *clip, float max_error, float distance) {
    sinew_compress_def def = sinew_compress_default();
    def.max_error = max_error;
    def.point_distance = distance;
    sinew_clip *compressed;
    sinew_error error = {0};
    if (sinew_clip_compress(clip, &def, &compressed, &error) != SINEW_OK) fail_msg("%s", error.message);
    return compressed;
}

static int count_modes(const sinew_clip *clip) {
    int count = 0;
    for (int32_t i = 0; i < clip->data->group_strips[clip->data->node_groups]; i++)
        count += clip->data->strips[i].modes != NULL;
    return count;
}

// ---- The error ---------------------------------------------------------------------------------------------------

// Floats near 1 m have steps of 0.0001 mm. They add up along a chain of joints.
#define ROUNDING 2e-6

static void check_error(const char *name, const sinew_clip *clip, float max_error, float distance) {
    exact_clip exact = read_exact(clip);
    sinew_clip *compressed = compress(clip, max_error, distance);
    double found = largest_displacement(&exact, compressed, (double)distance, 997).ball;
    if (!(compressed->max_error <= max_error) || !(found <= (double)compressed->max_error + ROUNDING)) {
        fail_msg("%s '%s' at %g: states %g, and has %g", name, clip->name, (double)max_error,
                 (double)compressed->max_error, found);
    }
    assert_true(compressed->memory <= clip->memory);
    assert_true(found > 0.05 * (double)compressed->max_error); // the stated error is not an excuse
    sinew_clip_destroy(compressed);
    free_exact(&exact);
}

enum { CLIP_STEP = TRIALS(1, 4) }; // every clip of a model, or some

static void test_no_point_moves_more_than_stated(void **state) {
    (void)state;
    static const char *const names[] = {"hero.glb", "golem.glb", "scout.glb"};
    for (int i = 0; i < 3; i++) {
        sinew_asset *asset = load_model(names[i]);
        for (int32_t c = 0; c < asset->clip_count; c += CLIP_STEP) {
            check_error(names[i], &asset->clips[c], 1e-4f, 0.03f);
            check_error(names[i], &asset->clips[c], 1e-3f, 0.03f);
            check_error(names[i], &asset->clips[c], 5e-3f, 1.0f);
        }
        sinew_asset_destroy(asset);
    }
}

static void test_models_become_smaller(void **state) {
    (void)state;
    sinew_asset *asset = load_model("hero.glb");
    size_t before = 0, after = 0;
    for (int32_t c = 0; c < asset->clip_count; c += CLIP_STEP) {
        sinew_clip *compressed = compress(&asset->clips[c], 1e-3f, 0.03f);
        assert_int_equal(compressed->key_format, SINEW_KEYS_COMPRESSED);
        assert_true(count_modes(compressed) > 0);
        before += asset->clips[c].memory;
        after += compressed->memory;
        sinew_clip_destroy(compressed);
    }
    print_message("hero.glb at 1 mm: %zu to %zu bytes, %.2f : 1\n", before, after, (double)before / (double)after);
    assert_true(before > 9 * after);
    sinew_asset_destroy(asset);
}

enum { WHEEL_KEYS = 64 };

static sinew_skeleton *make_wheel(void) {
    sinew_node_def node = {.name = "wheel", .parent = SINEW_NO_NODE, .rest = sinew_transform_identity()};
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = 1;
    def.nodes = &node;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

static sinew_clip *turn_wheel(const sinew_skeleton *skeleton, const double angles[WHEEL_KEYS]) {
    float times[WHEEL_KEYS];
    sinew_quat values[WHEEL_KEYS];
    for (int k = 0; k < WHEEL_KEYS; k++) times[k] = (float)k / 10.0f, values[k] = about_x(angles[k]);
    sinew_channel_def channel = {0,     SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, WHEEL_KEYS,
                                 times, &values[0].x};
    sinew_clip_def def = sinew_clip_default();
    def.skeleton = skeleton;
    def.channels = &channel;
    def.channel_count = 1;
    sinew_clip *clip;
    assert_int_equal(sinew_clip_create(&def, &clip, NULL), SINEW_OK);
    return clip;
}

// Of rotations by up to 120 degrees between keys, which a sum of two keys misses by far.
static void test_large_angles_are_slerped(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_wheel();
    double angles[WHEEL_KEYS];
    for (int k = 0; k < WHEEL_KEYS; k++) angles[k] = PI / 3.0 * (k % 2 ? 1.0 : -1.0 + 0.003 * k);
    sinew_clip *clip = turn_wheel(skeleton, angles);
    sinew_clip *compressed = compress(clip, 1e-4f, 0.03f);
    assert_int_equal(count_modes(compressed), 1);
    assert_true(compressed->data->strips[0].modes->slerps);
    sinew_clip_destroy(compressed);
    check_error("wheel", clip, 1e-4f, 0.03f);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

// A wheel that turns on and on, or by almost a full turn to one side, reaches the far end of the projection of rotations.
static void test_full_turns_keep_their_floats(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_wheel();
    for (int wheel = 0; wheel < 2; wheel++) {
        double angles[WHEEL_KEYS];
        for (int k = 0; k < WHEEL_KEYS; k++)
            angles[k] = wheel == 0 ? 0.4 * k : k < WHEEL_KEYS - 8 ? 0.0 : 6.2 * (k - WHEEL_KEYS + 9) / 8.0;
        sinew_clip *clip = turn_wheel(skeleton, angles);
        check_error("wheel", clip, 1e-4f, 0.03f);
        sinew_clip *compressed = compress(clip, 1e-4f, 0.03f);
        assert_int_equal(count_modes(compressed), 0);
        sinew_clip_destroy(compressed);
        sinew_clip_destroy(clip);
    }
    sinew_skeleton_destroy(skeleton);
}

// What cannot be kept within the error keeps its floats: random keys of every kind.
static void test_random_clips(void **state) {
    (void)state;
    uint64_t random = 5;
    enum { CLIPS = TRIALS(300, 60) };
    int with_modes = 0;
    for (int i = 0; i < CLIPS; i++) {
        const bool extreme = i % 3 == 0;
        sinew_skeleton *skeleton = draw_skeleton(&random, draw_count(&random, 1, 40), extreme);
        random_clip_options options = {draw_count(&random, 0, 3), 80, extreme, SINEW_KEYS_FLOAT};
        sinew_clip *clip = draw_clip(&random, skeleton, options);
        sinew_clip *compressed = compress(clip, i % 2 ? 1e-3f : 10.0f, 0.03f);
        assert_true(compressed->max_error <= (i % 2 ? 1e-3f : 10.0f));
        with_modes += count_modes(compressed) > 0;
        assert_true(compressed->channel_count <= clip->channel_count); // without those that stay in the rest pose
        assert_true(compressed->timeline_count <= clip->timeline_count);
        sinew_pose *pose;
        assert_int_equal(sinew_pose_create(skeleton, NULL, &pose), SINEW_OK);
        for (int t = 0; t < 8; t++) {
            sinew_clip_sample(compressed, compressed->duration * (float)t / 7.0f, pose);
            for (int32_t n = 0; n < skeleton->node_count; n++) {
                sinew_transform local = sinew_pose_get(pose, n);
                assert_true(isfinite(local.translation.x) && isfinite(local.rotation.w) && isfinite(local.scale.z));
            }
        }
        sinew_pose_destroy(pose);
        sinew_clip_destroy(compressed);
        sinew_clip_destroy(clip);
        sinew_skeleton_destroy(skeleton);
    }
    assert_true(with_modes > CLIPS / 10);
}

static void check_same_floats(const float *a, const float *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (memcmp(a + i, b + i, sizeof *a) != 0) fail_msg("%.9g is not %.9g", (double)a[i], (double)b[i]);
    }
}

// Channels in the rest pose are dropped, and those that do not move keep one key. Constant values keep their bits,
// whether their group has modes or not.
static void test_still_channels(void **state) {
    (void)state;
    enum { NODES = 20, KEYS = 30 };
    sinew_node_def nodes[NODES];
    for (int i = 0; i < NODES; i++) {
        nodes[i] = (sinew_node_def){.name = "n", .parent = i - 1, .rest = sinew_transform_identity()};
        nodes[i].rest.translation.y = i > 0 ? 0.1f : 0.0f;
    }
    sinew_skeleton_def skeleton_def = sinew_skeleton_default();
    skeleton_def.node_count = NODES;
    skeleton_def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&skeleton_def, &skeleton, NULL), SINEW_OK);
    float times[KEYS], still[KEYS][3];
    sinew_quat turns[KEYS];
    for (int k = 0; k < KEYS; k++) {
        times[k] = (float)k / 30.0f;
        turns[k] = about_x(0.1 * sin(0.4 * k));
        still[k][0] = 1.0f, still[k][1] = 0.25f + (float)(k % 2) * 1e-7f, still[k][2] = 0.0f;
    }
    const sinew_quat none = {0, 0, 0, 1}, half = about_x(0.5 * PI);
    const float there[3] = {3, 2, 1}, large[3] = {2, 2, 2},
                spline[18] = {0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 2, 1, 1};
    const sinew_channel_def channels[] = {
        {0, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, KEYS, times, &turns[0].x},
        {1, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 1, times, there},
        {2, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 1, times, &none.x}, // dropped
        {3, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, KEYS, times, still[0]},
        {5, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_STEP, 1, times, &half.x},
        {17, SINEW_TARGET_SCALE, SINEW_INTERPOLATION_LINEAR, 1, times, large},
        {18, SINEW_TARGET_SCALE, SINEW_INTERPOLATION_CUBICSPLINE, 2, times, spline},
    };
    for (int kind = 0; kind < 3; kind++) {
        const int first = kind == 1, splines = kind == 2; // without the first, nothing moves; a spline has no modes
        sinew_clip_def def = sinew_clip_default();
        def.skeleton = skeleton;
        def.channels = channels + first;
        def.channel_count = 6 - first + splines;
        sinew_clip *clip;
        assert_int_equal(sinew_clip_create(&def, &clip, NULL), SINEW_OK);
        sinew_clip *compressed = compress(clip, 1e-3f, 0.03f);
        assert_int_equal(compressed->channel_count, 5 - first + splines);
        assert_int_equal(compressed->timeline_count, 1 - first + splines);
        const uintptr_t base = (uintptr_t)compressed->data->base, memory = (uintptr_t)compressed;
        const bool shares_rest = base < memory || base >= memory + compressed->memory;
        assert_int_equal(shares_rest, !splines);
        sinew_pose *pose;
        assert_int_equal(sinew_pose_create(skeleton, NULL, &pose), SINEW_OK);
        sinew_clip_sample(compressed, 0.3f, pose);
        for (int32_t i = 1 - first; i < 5 - first; i++) {
            const sinew_channel *channel = &compressed->channels[i];
            float value[4];
            assert_true(channel->timeline < 0 && channel->key_count == 1);
            assert_int_equal(sinew_clip_channel_keys(compressed, i, NULL, value), 1);
            const sinew_transform local = sinew_pose_get(pose, channel->node);
            const float *wanted = channel->node == 1   ? there
                                  : channel->node == 3 ? still[0]
                                  : channel->node == 5 ? &half.x
                                                       : large,
                        *sampled = channel->node == 5    ? &local.rotation.x
                                   : channel->node == 17 ? &local.scale.x
                                                         : &local.translation.x;
            check_same_floats(value, wanted, channel->node == 5 ? 4 : 3);
            check_same_floats(sampled, wanted, channel->node == 5 ? 4 : 3);
        }
        sinew_pose_destroy(pose);
        sinew_clip_destroy(compressed);
        sinew_clip_destroy(clip);
    }
    sinew_skeleton_destroy(skeleton);
}

// ---- Reading -----------------------------------------------------------------------------------------------------

// A single node has the bits of the whole pose, and keys the bits of samples at their times.
static void test_nodes_and_keys_have_the_bits_of_samples(void **state) {
    (void)state;
    sinew_asset *asset = load_model("hero.glb");
    sinew_clip *clip = compress(sinew_asset_find_clip(asset, "Attack"), 1e-3f, 0.03f);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(clip->skeleton, NULL, &pose), SINEW_OK);
    for (int i = 0; i < 50; i++) {
        const float time = clip->duration * (float)i / 41.0f;
        sinew_clip_sample(clip, time, pose);
        for (int32_t n = 0; n < clip->skeleton->node_count; n++) {
            const sinew_transform whole = sinew_pose_get(pose, n), one = sinew_clip_sample_node(clip, time, n);
            check_same_floats(&one.translation.x, &whole.translation.x, 3);
            check_same_floats(&one.rotation.x, &whole.rotation.x, 4);
            check_same_floats(&one.scale.x, &whole.scale.x, 3);
        }
    }
    exact_clip keys = read_exact(clip);
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const exact_channel *c = &keys.channels[i];
        assert_int_equal(c->channel.timeline < 0 || c->key_count == c->channel.key_count, 1);
        for (int32_t k = 0; c->channel.timeline >= 0 && k < c->key_count; k++) {
            const sinew_transform t = sinew_clip_sample_node(clip, c->times[k], c->channel.node);
            const float *value = c->channel.target == SINEW_TARGET_TRANSLATION ? &t.translation.x
                                 : c->channel.target == SINEW_TARGET_ROTATION  ? &t.rotation.x
                                                                               : &t.scale.x;
            check_same_floats(c->values + (ptrdiff_t)k * c->width, value, (size_t)c->width);
        }
    }
    free_exact(&keys);
    sinew_pose_destroy(pose);
    sinew_clip_destroy(clip);
    sinew_asset_destroy(asset);
}

static double largest_difference(const sinew_pose *a, const sinew_pose *b) {
    double most = 0.0;
    for (int32_t n = 0; n < a->skeleton->node_count; n++) {
        const sinew_transform s = sinew_pose_get(a, n), t = sinew_pose_get(b, n);
        most = fmax(most, angle_between(s.rotation, t.rotation));
        most = fmax(most, fabs((double)s.translation.x - (double)t.translation.x));
    }
    return most;
}

// Copies have floats. They keep the compressed clip's poses and error.
static void test_copies_have_floats(void **state) {
    (void)state;
    sinew_asset *asset = load_model("hero.glb");
    sinew_clip *clip = compress(sinew_asset_find_clip(asset, "Walk"), 1e-3f, 0.03f), *bound, *additive;
    assert_int_equal(sinew_clip_bind(clip, clip->skeleton, NULL, &bound, NULL, NULL), SINEW_OK);
    assert_int_equal(bound->key_format, SINEW_KEYS_FLOAT);
    assert_true(bound->max_error == clip->max_error && bound->max_error > 0.0f);
    assert_int_equal(sinew_clip_make_additive(clip, NULL, NULL, &additive, NULL), SINEW_OK);
    assert_int_equal(additive->key_format, SINEW_KEYS_FLOAT);
    assert_true(additive->max_error == clip->max_error);
    sinew_clip *small = compress(additive, 1e-3f, 0.03f); // and an additive clip is compressed
    assert_true(small->additive && count_modes(small) > 0 && small->max_error > clip->max_error);
    sinew_pose *poses[3];
    for (int i = 0; i < 3; i++) assert_int_equal(sinew_pose_create(clip->skeleton, NULL, &poses[i]), SINEW_OK);
    for (int i = 0; i < 30; i++) {
        const float time = clip->duration * (float)i / 29.0f;
        sinew_clip_sample(clip, time, poses[0]);
        sinew_clip_sample(bound, time, poses[1]);
        assert_true(largest_difference(poses[0], poses[1]) < 1e-3); // slerps, or sums of weights
        sinew_clip_sample(small, time, poses[2]);
        sinew_pose_reset(poses[1]);
        sinew_pose_add(poses[1], poses[1], poses[2], 1.0f, NULL);
        const double found = largest_difference(poses[0], poses[1]);
        if (!(found < 4e-3 / 0.03)) fail_msg("the additive clip differs by %g", found); // of the smallest joints
    }
    for (int i = 0; i < 3; i++) sinew_pose_destroy(poses[i]);
    sinew_clip_destroy(small);
    sinew_clip_destroy(additive);
    sinew_clip_destroy(bound);
    sinew_clip_destroy(clip);
    sinew_asset_destroy(asset);
}

// Catches copies that are refused or don't state the error.
static void test_mirrored_and_retargeted_copies(void **state) {
    (void)state;
    sinew_asset *asset = load_model("hero.glb");
    sinew_clip *clip = compress(sinew_asset_find_clip(asset, "Walk"), 1e-3f, 0.03f), *copies[2];
    sinew_mirror_def mirrored = sinew_mirror_default();
    mirrored.skeleton = asset->skeleton;
    sinew_humanoid humanoid;
    assert_true(sinew_humanoid_guess(asset->skeleton, asset->up, NULL, &humanoid, NULL, NULL) == SINEW_OK);
    mirrored.humanoid = &humanoid;
    sinew_mirror *mirror;
    assert_int_equal(sinew_mirror_create(&mirrored, &mirror, NULL), SINEW_OK);
    assert_int_equal(sinew_clip_mirror(mirror, clip, "Walk", NULL, &copies[0], NULL), SINEW_OK);
    sinew_retarget_def same = sinew_retarget_default();
    same.source = same.target = asset->skeleton;
    same.source_humanoid = same.target_humanoid = &humanoid;
    sinew_retarget *map;
    assert_int_equal(sinew_retarget_create(&same, &map, NULL), SINEW_OK);
    const sinew_retarget_clip_def def = sinew_retarget_clip_default();
    assert_int_equal(sinew_clip_retarget(map, clip, &def, &copies[1], NULL), SINEW_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(copies[i]->key_format, SINEW_KEYS_FLOAT);
        assert_true(copies[i]->max_error == clip->max_error);
        sinew_clip_destroy(copies[i]);
    }
    sinew_mirror_destroy(mirror);
    sinew_retarget_destroy(map);
    sinew_clip_destroy(clip);
    sinew_asset_destroy(asset);
}

// ---- Playing -----------------------------------------------------------------------------------------------------

typedef struct stage {
    sinew_mixer *mixer;
    const sinew_clip *walk, *attack;
} stage;

// With root motion.
static stage make_stage(const sinew_clip *walk, const sinew_clip *attack) {
    sinew_root_motion_def root = sinew_root_motion_default();
    root.skeleton = walk->skeleton;
    root.node = sinew_skeleton_find(walk->skeleton, "Hips");
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = walk->skeleton;
    def.layer_count = 2;
    def.root_motion = &root;
    stage s = {.walk = walk, .attack = attack};
    assert_int_equal(sinew_mixer_create(&def, &s.mixer, NULL), SINEW_OK);
    return s;
}

// A cross-fade, an additive layer, and jumps in time. Returns the largest difference of the two mixers' poses.
static double play(const stage *a, const stage *b, const sinew_clip *additive) {
    const stage *both[2] = {a, b};
    double most = 0.0;
    for (int i = 0; i < 2; i++) {
        sinew_layer_set_mode(both[i]->mixer, 1, SINEW_LAYER_ADDITIVE);
        sinew_play_def def = sinew_play_default();
        def.layer = 1;
        sinew_mixer_play(both[i]->mixer, sinew_clip_source(both[i]->walk), NULL);
        sinew_mixer_play(both[i]->mixer, sinew_clip_source(additive), &def);
    }
    for (int frame = 0; frame < 120; frame++) {
        for (int i = 0; i < 2; i++) {
            if (frame == 20)
                sinew_mixer_crossfade_to(both[i]->mixer, sinew_clip_source(both[i]->attack), 0.3f, NULL);
            sinew_mixer_update(both[i]->mixer, 1.0f / 60);
        }
        most = fmax(most, largest_difference(sinew_mixer_pose(a->mixer), sinew_mixer_pose(b->mixer)));
    }
    return most;
}

// Mixes of compressed clips, of exact ones and of both differ by about the error.
static void test_mixers_play_them(void **state) {
    (void)state;
    sinew_asset *asset = load_model("hero.glb");
    const sinew_clip *walk = sinew_asset_find_clip(asset, "Walk"), *attack = sinew_asset_find_clip(asset, "Attack");
    sinew_clip *difference;
    assert_int_equal(sinew_clip_make_additive(walk, NULL, NULL, &difference, NULL), SINEW_OK);
    sinew_clip *small_walk = compress(walk, 1e-4f, 0.03f), *small_attack = compress(attack, 1e-4f, 0.03f),
               *small_difference = compress(difference, 1e-4f, 0.03f);
    const sinew_clip *layers[2] = {difference, small_difference};
    for (int i = 0; i < 2; i++) {
        for (int mixed = 0; mixed < 2; mixed++) {
            stage exact = make_stage(walk, attack), small = make_stage(small_walk, mixed ? attack : small_attack);
            double found = play(&exact, &small, layers[i]);
            if (!(found > 0.0 && found < 4e-3)) fail_msg("differs by %g", found);
            sinew_mixer_destroy(exact.mixer);
            sinew_mixer_destroy(small.mixer);
        }
    }
    sinew_clip_destroy(small_difference);
    sinew_clip_destroy(small_attack);
    sinew_clip_destroy(small_walk);
    sinew_clip_destroy(difference);
    sinew_asset_destroy(asset);
}

// A snapshot that is restored gives the same bits again.
static void test_rollback_has_the_same_bits(void **state) {
    (void)state;
    sinew_asset *asset = load_model("hero.glb");
    sinew_clip *walk = compress(sinew_asset_find_clip(asset, "Walk"), 1e-3f, 0.03f),
               *attack = compress(sinew_asset_find_clip(asset, "Attack"), 1e-3f, 0.03f);
    stage s = make_stage(walk, attack);
    sinew_mixer_play(s.mixer, sinew_clip_source(walk), NULL);
    sinew_mixer_update(s.mixer, 0.4f);
    sinew_mixer_crossfade_to(s.mixer, sinew_clip_source(attack), 0.3f, NULL);
    const size_t size = sinew_mixer_snapshot_size(s.mixer);
    void *snapshot = malloc(size);
    sinew_mixer_save(s.mixer, snapshot);
    uint64_t bits[2];
    for (int i = 0; i < 2; i++) {
        bits[i] = BITS_NONE;
        for (int frame = 0; frame < 40; frame++) {
            sinew_mixer_update(s.mixer, 1.0f / 60);
            bits[i] = add_bits_of_pose(bits[i], sinew_mixer_pose(s.mixer));
        }
        assert_true(sinew_mixer_restore(s.mixer, snapshot, size));
    }
    assert_true(bits[0] == bits[1]);
    free(snapshot);
    sinew_mixer_destroy(s.mixer);
    sinew_clip_destroy(attack);
    sinew_clip_destroy(walk);
    sinew_asset_destroy(asset);
}

// ---- Errors ------------------------------------------------------------------------------------------------------

static void test_arguments(void **state) {
    (void)state;
    sinew_asset *asset = load_model("windmill.glb");
    static const float wrong[] = {0.0f, -1.0f, INFINITY, NAN};
    for (int i = 0; i < 8; i++) {
        sinew_compress_def def = sinew_compress_default();
        if (i < 4) def.max_error = wrong[i];
        if (i >= 4) def.point_distance = i == 4 ? -1e-3f : wrong[i - 4];
        sinew_clip *clip = (sinew_clip *)(uintptr_t)1;
        sinew_error error = {0};
        assert_int_equal(sinew_clip_compress(&asset->clips[0], &def, &clip, &error), SINEW_ERROR_ARGUMENT);
        assert_null(clip);
        assert_non_null(strstr(error.message, i < 4 ? "max_error" : "point_distance"));
    }
    sinew_clip_def def = sinew_clip_default();
    def.skeleton = asset->skeleton;
    def.key_format = SINEW_KEYS_COMPRESSED;
    sinew_clip *clip;
    sinew_error error = {0};
    assert_int_equal(sinew_clip_create(&def, &clip, &error), SINEW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "sinew_clip_compress"));
    sinew_asset_destroy(asset);
}

static void test_no_memory(void **state) {
    (void)state;
    sinew_asset *asset = load_model("hero.glb");
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    int fail_at = 1;
    for (; result != SINEW_OK; fail_at += fail_at < 60 ? 1 : 17) {
        counting memory = {.fail_at = fail_at};
        sinew_compress_def def = sinew_compress_default();
        def.allocator = counting_allocator(&memory);
        def.max_error = 0.02f; // few modes: fast
        sinew_clip *clip;
        sinew_error error = {0};
        result = sinew_clip_compress(sinew_asset_find_clip(asset, "Walk"), &def, &clip, &error);
        assert_true(result == SINEW_OK || (result == SINEW_ERROR_OUT_OF_MEMORY && !clip));
        sinew_clip_destroy(clip);
        assert_int_equal(memory.live, 0);
    }
    assert_true(fail_at > 60);
    sinew_asset_destroy(asset);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_point_moves_more_than_stated),
        cmocka_unit_test(test_models_become_smaller),
        cmocka_unit_test(test_large_angles_are_slerped),
        cmocka_unit_test(test_full_turns_keep_their_floats),
        cmocka_unit_test(test_random_clips),
        cmocka_unit_test(test_still_channels),
        cmocka_unit_test(test_nodes_and_keys_have_the_bits_of_samples),
        cmocka_unit_test(test_copies_have_floats),
        cmocka_unit_test(test_mirrored_and_retargeted_copies),
        cmocka_unit_test(test_mixers_play_them),
        cmocka_unit_test(test_rollback_has_the_same_bits),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
