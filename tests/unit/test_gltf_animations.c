// SPDX-License-Identifier: MIT
// Animations: what becomes a channel, what's refused, and what the clip then plays.
#include "support/gltf_builder.h"

#include <math.h>
#include <stdio.h>

// A file with three nodes and two key times (0.5 s and 1.5 s, accessor 0). Tests add outputs and animations.
static gltf_builder begin_animated(void) {
    gltf_builder b = gltf_begin();
    gltf_floats(&b, "SCALAR", 2, (float[2]){0.5f, 1.5f});
    gltf_section(&b, "'nodes':[{'name':'a'},{'name':'b','children':[0]},{'name':'c','translation':[7,8,9]}]");
    return b;
}

static void check_pose(const sinew_clip *clip, float time, int32_t source, const float expected[10],
                       float tolerance) {
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(clip->skeleton, NULL, &pose), SINEW_OK);
    sinew_clip_sample(clip, time, pose);
    sinew_transform t = sinew_pose_get(pose, clip->skeleton->node_of_source[source]);
    check_floats(&t.translation.x, expected, 10, tolerance);
    sinew_pose_destroy(pose);
}

static void test_channels(void **state) {
    (void)state;
    gltf_builder b = begin_animated();
    int move = gltf_floats(&b, "VEC3", 2, (float[6]){1, 2, 3, 3, 2, 1});
    int turn = gltf_floats(&b, "VEC4", 2, (float[8]){0, 0, 0, 1, 0, 0, 1, 0});
    gltf_section(&b,
                 "'animations':[{'name':'wave','samplers':[{'input':0,'output':%d},"
                 "{'input':0,'output':%d,'interpolation':'STEP'}],'channels':["
                 "{'sampler':0,'target':{'node':0,'path':'translation'}},"
                 "{'sampler':1,'target':{'node':0,'path':'rotation'}},"
                 "{'sampler':0,'target':{'node':2,'path':'scale'}}]},{}]",
                 move, turn);
    gltf_lines lines;
    sinew_asset *asset = gltf_load(&b, &lines);
    assert_int_equal(asset->clip_count, 2);
    const sinew_clip *wave = sinew_asset_find_clip(asset, "wave");
    assert_ptr_equal(wave, &asset->clips[0]);
    assert_null(sinew_asset_find_clip(asset, "walk"));
    assert_ptr_equal(sinew_asset_find_clip(asset, ""), &asset->clips[1]);
    assert_int_equal(wave->channel_count, 3);
    assert_int_equal(asset->clips[1].channel_count, 0);
    check_floats(&wave->duration, (float[1]){1.5f}, 1,
                 0.0f); // pitfall 19: the last key, not the length from the first
    check_pose(wave, 0.0f, 0, (float[10]){1, 2, 3, 0, 0, 0, 1, 1, 1, 1}, 0.0f); // before the first key: the first
    check_pose(wave, 1.0f, 0, (float[10]){2, 2, 2, 0, 0, 0, 1, 1, 1, 1}, 0.0f);
    check_pose(wave, 1.5f, 0, (float[10]){3, 2, 1, 0, 0, 1, 0, 1, 1, 1}, 0.0f);
    check_pose(wave, 1.0f, 2, (float[10]){7, 8, 9, 0, 0, 0, 1, 2, 2, 2}, 0.0f);
    assert_int_equal(lines.count, 0);
    sinew_asset_destroy(asset);
}

// Keys are read where they are in the caller's bytes. Mistakes: requiring them to be aligned, and converting or repairing
// them there.
static void test_bytes_may_have_any_address_and_stay(void **state) {
    (void)state;
    gltf_builder b = begin_animated();
    int move = gltf_floats(&b, "VEC3", 2, (float[6]){1, 2, 3, 3, 2, 1});
    int turn = gltf_floats(&b, "VEC4", 2, (float[8]){0, 0, 0, 2, 0, 0, -3, 0}); // not unit
    gltf_section(&b,
                 "'animations':[{'samplers':[{'input':0,'output':%d},{'input':0,'output':%d}],'channels':["
                 "{'sampler':0,'target':{'node':1,'path':'translation'}},"
                 "{'sampler':1,'target':{'node':1,'path':'rotation'}},"
                 "{'sampler':0,'target':{'node':1,'path':'scale'}}]}]",
                 move, turn);
    size_t size;
    uint8_t *glb = gltf_write_glb(&b, &size), *shifted = malloc(size + 4);
    gltf_end(&b);
    for (int i = 0; i < 8; i++) {
        uint8_t *at = shifted + i % 4;
        memcpy(at, glb, size);
        sinew_gltf_options options = sinew_gltf_default();
        bool z_up = i >= 4;
        options.up = z_up ? SINEW_UP_Z : SINEW_UP_Y;
        sinew_asset *asset;
        sinew_error error;
        if (sinew_gltf_load_memory(at, size, &options, &asset, &error) != SINEW_OK) fail_msg("%s", error.message);
        assert_memory_equal(at, glb, size);
        memset(at, 0xFF, size); // the asset doesn't use these bytes
        const float with_y[10] = {3, 2, 1, 0, 0, -1, 0, 3, 2, 1}, with_z[10] = {3, -1, 2, 0, 1, 0, 0, 3, 1, 2};
        check_pose(&asset->clips[0], 1.5f, 1, z_up ? with_z : with_y, 0.0f);
        sinew_asset_destroy(asset);
    }
    free(shifted);
    free(glb);
}

static void test_key_that_is_not_finite(void **state) {
    (void)state;
    float moves[60] = {0}, times[20];
    for (int i = 0; i < 20; i++) times[i] = (float)i;
    moves[3 * 17 + 2] = NAN;
    moves[3 * 19 + 0] = INFINITY;
    gltf_builder b = gltf_begin();
    gltf_floats(&b, "SCALAR", 20, times);
    gltf_floats(&b, "VEC3", 20, moves);
    gltf_section(&b, "'nodes':[{}],'animations':[{'samplers':[{'input':0,'output':1}],"
                     "'channels':[{'sampler':0,'target':{'node':0,'path':'translation'}}]}]");
    gltf_refuse(&b, SINEW_ERROR_FORMAT, "accessors[1]: element 17 is not finite");
}

// Pitfall 11. Mistake: reading normalised keys as whole numbers, -32767 instead of -1.
static void test_normalized_rotation_keys(void **state) {
    (void)state;
    gltf_builder b = begin_animated();
    int turn = gltf_normalized(&b, (int16_t[8]){0, 0, 0, 32767, 0, 0, -32767, 0}, 16, I16, "VEC4", 2);
    int turn8 = gltf_normalized(&b, (int8_t[8]){0, 127, 0, 0, 0, 0, 0, 127}, 8, I8, "VEC4", 2);
    gltf_section(&b,
                 "'animations':[{'samplers':[{'input':0,'output':%d,'interpolation':'STEP'},"
                 "{'input':0,'output':%d,'interpolation':'STEP'}],'channels':["
                 "{'sampler':0,'target':{'node':0,'path':'rotation'}},"
                 "{'sampler':1,'target':{'node':1,'path':'rotation'}}]}]",
                 turn, turn8);
    sinew_asset *asset = gltf_load(&b, NULL);
    check_pose(&asset->clips[0], 0.5f, 0, (float[10]){0, 0, 0, 0, 0, 0, 1, 1, 1, 1}, 0.0f);
    check_pose(&asset->clips[0], 2.0f, 0, (float[10]){0, 0, 0, 0, 0, -1, 0, 1, 1, 1}, 0.0f);
    check_pose(&asset->clips[0], 0.5f, 1, (float[10]){0, 0, 0, 0, 1, 0, 0, 1, 1, 1}, 0.0f);
    sinew_asset_destroy(asset);
}

// Pitfall 9. Mistake: taking the first of the three values of a key, which is the in-tangent.
static void test_cubic_spline_with_one_key(void **state) {
    (void)state;
    gltf_builder b = begin_animated();
    int time = gltf_floats(&b, "SCALAR", 1, (float[1]){2});
    int move = gltf_floats(&b, "VEC3", 3, (float[9]){50, 51, 52, 1, 2, 3, 60, 61, 62});
    gltf_section(&b,
                 "'animations':[{'samplers':[{'input':%d,'output':%d,'interpolation':'CUBICSPLINE'}],'channels':["
                 "{'sampler':0,'target':{'node':0,'path':'translation'}}]}]",
                 time, move);
    sinew_asset *asset = gltf_load(&b, NULL);
    check_pose(&asset->clips[0], 0.0f, 0, (float[10]){1, 2, 3, 0, 0, 0, 1, 1, 1, 1}, 0.0f);
    check_pose(&asset->clips[0], 5.0f, 0, (float[10]){1, 2, 3, 0, 0, 0, 1, 1, 1, 1}, 0.0f);
    sinew_asset_destroy(asset);
}

static void test_cubic_spline(void **state) {
    (void)state; // appendix C.5, halfway: p = v0/2 + td/8 b0 + v1/2 - td/8 a1, with td = 1 s
    gltf_builder b = begin_animated();
    int move = gltf_floats(&b, "VEC3", 6, (float[18]){9, 9, 9, 0, 0, 0, 8, 0, 0, /* */ 0, 16, 0, 2, 4, 6, 9, 9, 9});
    gltf_section(&b,
                 "'animations':[{'samplers':[{'input':0,'output':%d,'interpolation':'CUBICSPLINE'}],'channels':["
                 "{'sampler':0,'target':{'node':0,'path':'translation'}}]}]",
                 move);
    sinew_asset *asset = gltf_load(&b, NULL);
    check_pose(&asset->clips[0], 1.0f, 0, (float[10]){2, 0, 3, 0, 0, 0, 1, 1, 1, 1}, 1e-6f);
    sinew_asset_destroy(asset);
}

static void test_morph_weights(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    int times = gltf_floats(&b, "SCALAR", 2, (float[2]){0, 1});
    int weights = gltf_normalized(&b, (uint8_t[4]){0, 255, 255, 0}, 4, U8, "SCALAR", 4);
    static const float zeros[9] = {0};
    int positions = gltf_floats(&b, "VEC3", 3, zeros);
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':%d},'targets':[{},{}]}]}]", positions);
    gltf_section(&b,
                 "'nodes':[{},{'mesh':0}],'animations':[{'samplers':[{'input':%d,'output':%d}],'channels':["
                 "{'sampler':0,'target':{'node':1,'path':'weights'}},"
                 "{'sampler':0,'target':{'node':0,'path':'weights'}}]}]",
                 times, weights);
    gltf_lines lines;
    sinew_asset *asset = gltf_load(&b, &lines);
    assert_int_equal(asset->clips[0].channel_count, 1);
    check_contains(lines.text, "animations[0].channels[1]: ignored, because its node has no morph targets");
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &pose), SINEW_OK);
    sinew_clip_sample(&asset->clips[0], 0.25f, pose);
    check_floats(pose->weights, (float[2]){0.25f, 0.75f}, 2, 1e-6f);
    sinew_pose_destroy(pose);
    sinew_asset_destroy(asset);
}

static void test_channels_that_are_ignored(void **state) {
    (void)state;
    gltf_builder b = begin_animated();
    int first = gltf_floats(&b, "VEC3", 2, (float[6]){1, 1, 1, 1, 1, 1});
    int second = gltf_floats(&b, "VEC3", 2, (float[6]){2, 2, 2, 2, 2, 2});
    gltf_section(&b,
                 "'animations':[{'samplers':[{'input':0,'output':%d},{'input':0,'output':%d}],'channels':["
                 "{'sampler':0,'target':{'path':'translation'}},"
                 "{'sampler':0,'target':{'node':0,'path':'translation'}},"
                 "{'sampler':1,'target':{'node':0,'path':'translation'}},"
                 "{'sampler':1,'target':{'node':0,'path':'colour'}},"
                 "{'sampler':1,'target':{'path':'pointer'}}]},"
                 "{'samplers':[{'input':0,'output':%d}],"
                 "'channels':[{'sampler':0,'target':{'node':0,'path':'translation'}}]}]",
                 first, second, second);
    gltf_lines lines;
    sinew_asset *asset = gltf_load(&b, &lines);
    assert_int_equal(asset->clips[0].channel_count, 1);
    check_pose(&asset->clips[0], 1.0f, 0, (float[10]){1, 1, 1, 0, 0, 0, 1, 1, 1, 1},
               0.0f); // the first of them wins
    check_pose(&asset->clips[1], 1.0f, 0, (float[10]){2, 2, 2, 0, 0, 0, 1, 1, 1, 1}, 0.0f); // another animation may
    check_contains(lines.text,
                   "animations[0].channels[2]: ignored, because an earlier channel has the same target");
    check_contains(lines.text, "animations[0].channels[3]: ignored, because its path is unknown");
    check_contains(lines.text, "animations[0].channels[4]: ignored, because its path is unknown");
    assert_int_equal(lines.count, 3); // a channel without a node needs no remark: the specification foresees it
    sinew_asset_destroy(asset);
}

// ---- What is refused -----------------------------------------------------------------------------------------

static void refuse_times(const float *times, int count, const char *text) {
    gltf_builder b = gltf_begin();
    int input = gltf_floats(&b, "SCALAR", count, times);
    int output = gltf_floats(&b, "VEC3", count, (float[12]){0});
    gltf_section(&b,
                 "'nodes':[{}],'animations':[{},{'samplers':[{'input':%d,'output':%d}],'channels':["
                 "{'sampler':0,'target':{'node':0,'path':'translation'}}]}]",
                 input, output);
    gltf_refuse(&b, SINEW_ERROR_FORMAT, text);
}

static void test_markers(void **state) {
    (void)state;
    gltf_builder b = begin_animated();
    int move = gltf_floats(&b, "VEC3", 2, (float[6]){1, 2, 3, 3, 2, 1});
    gltf_section(
        &b,
        "'animations':[{'samplers':[{'input':0,'output':%d}],"
        "'channels':[{'sampler':0,'target':{'node':0,'path':'translation'}}],'extras':{'mood':'fine','markers':["
        "{'name':'right','time':1.5},{'name':'left','time':0.25},{'time':0},{'name':'late','time':1.6},"
        "{'name':'early','time':-1},{'name':7,'time':1},{'name':'when'},'noon',{'name':'far','time':1e999}]}},"
        "{'extras':{'markers':{}}},{'extras':'markers'}]",
        move);
    gltf_lines lines;
    sinew_asset *asset = gltf_load(&b, &lines);
    const sinew_clip *clip = &asset->clips[0];
    assert_int_equal(clip->marker_count, 3);
    const sinew_marker expected[3] = {{"", 0}, {"left", 0.25f}, {"right", 1.5f}};
    for (int i = 0; i < 3; i++) {
        assert_string_equal(clip->markers[i].name, expected[i].name);
        check_floats(&clip->markers[i].time, &expected[i].time, 1, 0);
    }
    assert_int_equal(asset->clips[1].marker_count, 0);
    assert_int_equal(asset->clips[2].marker_count, 0);
    assert_int_equal(lines.count, 6); // those that aren't
    sinew_asset_destroy(asset);
}

static void check_repeated_times(const float times[4], const float probes[5], const float expected[5]) {
    gltf_builder b = gltf_begin();
    const int input = gltf_floats(&b, "SCALAR", 4, times);
    const int output = gltf_floats(&b, "VEC3", 4, (float[12]){1, 0, 0, 2, 0, 0, 6, 0, 0, 8, 0, 0});
    gltf_section(&b,
                 "'nodes':[{}],'animations':[{'samplers':[{'input':%d,'output':%d}],'channels':["
                 "{'sampler':0,'target':{'node':0,'path':'translation'}}]}]",
                 input, output);
    gltf_lines lines;
    sinew_asset *asset = gltf_load(&b, &lines);
    for (int i = 0; i < 5; i++)
        check_pose(&asset->clips[0], probes[i], 0, (float[10]){expected[i], 0, 0, 0, 0, 0, 1, 1, 1, 1}, 1e-6f);
    sinew_asset_destroy(asset);
}

// Of keys at one time the first counts until then, the last from then on.
static void test_repeated_times(void **state) {
    (void)state;
    check_repeated_times((float[4]){0, 1, 1, 2}, (float[5]){0.5f, 0.999999f, 1, 1.5f, 2},
                         (float[5]){1.5f, 2, 6, 7, 8});
    check_repeated_times((float[4]){0, 1, 1, 1}, (float[5]){0, 0.5f, 1, 1.5f, 2}, (float[5]){1, 1.5f, 8, 8, 8});
    check_repeated_times((float[4]){0, 0, 0, 1}, (float[5]){0, 0.25f, 0.5f, 0.75f, 1},
                         (float[5]){6, 6.5f, 7, 7.5f, 8});
    check_repeated_times((float[4]){0, nextafterf(1, 0), 1, 1}, (float[5]){0, 0.5f, 0.75f, 1, 2},
                         (float[5]){1, 1.5f, 1.75f, 8, 8});
}

static void test_bad_times(void **state) {
    (void)state;
    refuse_times((float[3]){0, 2, 1}, 3,
                 "animations[1].samplers[0].input: key 2 is at 1 s, not after key 1 at 2 s");
    refuse_times((float[2]){0, NAN}, 2, "accessors[0]: element 1 is not finite");
    refuse_times((float[2]){0, INFINITY}, 2, "accessors[0]: element 1 is not finite");
}

// The other channel of the animation is played.
static void test_channel_without_keys(void **state) {
    (void)state;
    gltf_builder b = begin_animated(); // accessor 0: two times
    int moves = gltf_floats(&b, "VEC3", 2, (float[6]){1, 2, 3, 4, 5, 6});
    int none = gltf_accessor(&b, NULL, 0, F32, "SCALAR", 0);
    gltf_section(&b,
                 "'animations':[{'samplers':[{'input':%d,'output':%d},{'input':0,'output':%d}],'channels':["
                 "{'sampler':0,'target':{'node':0,'path':'scale'}},"
                 "{'sampler':1,'target':{'node':0,'path':'translation'}}]}]",
                 none, none, moves);
    gltf_lines lines;
    sinew_asset *asset = gltf_load(&b, &lines);
    check_contains(lines.text, "animations[0].channels[0]: ignored, because it has no keys");
    assert_int_equal(asset->clips[0].channel_count, 1);
    sinew_asset_destroy(asset);
}

static void refuse_animation(const char *animation, const char *text) {
    gltf_builder b = begin_animated(); // accessor 0: two times
    gltf_floats(&b, "VEC3", 2, (float[6]){0});
    gltf_floats(&b, "VEC4", 2, (float[8]){0});
    gltf_floats(&b, "VEC3", 3, (float[9]){0});
    gltf_floats(&b, "VEC3", 2, (float[6]){0, 0, 0, 0, NAN, 0});
    gltf_section(&b, "'animations':[{%s}]", animation);
    gltf_refuse(&b, SINEW_ERROR_FORMAT, text);
}

#define CHANNEL(sampler, node, path)                                                                               \
    "'channels':[{'sampler':" #sampler ",'target':{'node':" #node ",'path':'" #path "'}}]"

static void test_bad_animations(void **state) {
    (void)state;
    refuse_animation("'samplers':[{'input':0,'output':1}]," CHANNEL(1, 0, scale),
                     "animations[0].channels[0].sampler: 1 is out of range: the file has 1 samplers");
    refuse_animation("'samplers':[{'input':0,'output':1}]," CHANNEL(0, 3, scale),
                     "animations[0].channels[0].target.node: 3 is out of range: the file has 3 nodes");
    refuse_animation("'samplers':[{'input':9,'output':1}]," CHANNEL(0, 0, scale),
                     "animations[0].samplers[0].input: 9 is out of range");
    refuse_animation("'samplers':[{'input':0,'output':9}]," CHANNEL(0, 0, scale),
                     "animations[0].samplers[0].output: 9 is out of range");
    refuse_animation("'samplers':[{'output':1}]," CHANNEL(0, 0, scale),
                     "animations[0].samplers[0]: input is missing");
    refuse_animation("'samplers':[{'input':0}]," CHANNEL(0, 0, scale),
                     "animations[0].samplers[0]: output is missing");
    refuse_animation("'samplers':[],'channels':[{}]", "animations[0].channels[0]: sampler is missing");
    refuse_animation("'samplers':[{'input':1,'output':1}]," CHANNEL(0, 0, scale),
                     "animations[0].samplers[0].input: accessors[1] is VEC3 instead of SCALAR");
    refuse_animation("'samplers':[{'input':0,'output':2}]," CHANNEL(0, 0, scale),
                     "animations[0].samplers[0].output: accessors[2] is VEC4 instead of VEC3");
    refuse_animation("'samplers':[{'input':0,'output':1}]," CHANNEL(0, 0, rotation),
                     "animations[0].samplers[0].output: accessors[1] is VEC3 instead of VEC4");
    refuse_animation("'samplers':[{'input':0,'output':3}]," CHANNEL(0, 0, scale),
                     "animations[0].samplers[0].output: 3 values do not make 2 keys of 1 each");
    refuse_animation("'samplers':[{'input':0,'output':1,'interpolation':'CUBICSPLINE'}]," CHANNEL(0, 0, scale),
                     "animations[0].samplers[0].output: 2 values do not make 2 keys of 3 each");
    refuse_animation("'samplers':[{'input':0,'output':4}]," CHANNEL(0, 0, scale),
                     "accessors[4]: element 1 is not finite");
    refuse_animation("'samplers':{}", "animations[0].samplers: an object is not an array");
}

static void test_an_unknown_interpolation_is_linear(void **state) {
    (void)state;
    const char *const words[] = {"'BEZIER'", "7", "[]"};
    for (int i = 0; i < 3; i++) {
        gltf_builder b = begin_animated();
        const int values = gltf_floats(&b, "VEC3", 2, (float[6]){0, 0, 0, 4, 0, 0});
        gltf_section(&b,
                     "'animations':[{'samplers':[{'input':0,'output':%d,'interpolation':%s}],"
                     "'channels':[{'sampler':0,'target':{'node':0,'path':'translation'}}]}]",
                     values, words[i]);
        gltf_lines lines;
        sinew_asset *asset = gltf_load(&b, &lines);
        assert_int_equal(asset->clips[0].channels[0].interpolation, SINEW_INTERPOLATION_LINEAR);
        check_contains(lines.text, "animations[0].samplers[0].interpolation: ignored, because it is not STEP");
        sinew_asset_destroy(asset);
    }
}

// Two nodes turn on one grid of nine keys. One of them has three.
static void test_keys_that_were_dropped_are_added(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    float times[9], turns[36] = {0}, few[12] = {0};
    for (int k = 0; k < 9; k++) {
        times[k] = (float)k / 8;
        float *turn = &turns[(ptrdiff_t)4 * k];
        turn[0] = (float)sin(0.1 * k), turn[3] = (float)cos(0.1 * k);
    }
    for (int k = 0; k < 3; k++) few[4 * k + 1] = (float)sin(0.4 * k), few[4 * k + 3] = (float)cos(0.4 * k);
    gltf_floats(&b, "SCALAR", 9, times);
    gltf_floats(&b, "VEC4", 9, turns);
    gltf_floats(&b, "SCALAR", 3, (float[3]){0, 0.5f, 1});
    gltf_floats(&b, "VEC4", 3, few);
    gltf_section(&b, "'nodes':[{},{}],'animations':[{'samplers':[{'input':0,'output':1},{'input':2,'output':3}],"
                     "'channels':[{'sampler':0,'target':{'node':0,'path':'rotation'}},"
                     "{'sampler':1,'target':{'node':1,'path':'rotation'}}]}]");
    size_t size;
    uint8_t *glb = gltf_write_glb(&b, &size);
    gltf_end(&b);
    static const float growths[] = {0, 0.5f, 2};
    for (int i = 0; i < 3; i++) {
        sinew_gltf_options options = sinew_gltf_default();
        assert_true(options.key_growth == 2);
        options.key_growth = growths[i];
        sinew_asset *asset;
        assert_int_equal(sinew_gltf_load_memory(glb, size, &options, &asset, NULL), SINEW_OK);
        const sinew_clip *clip = &asset->clips[0];
        assert_int_equal(clip->filled_key_count, i == 2 ? 6 : 0);
        assert_int_equal(clip->timeline_count, i == 2 ? 1 : 2);
        assert_int_equal(clip->channels[1].key_count, i == 2 ? 9 : 3);
        for (int k = 0; k <= 64; k++) {
            const sinew_quat q = sinew_clip_sample_node(clip, (float)k / 64, 1).rotation;
            const double half = 0.4 * 2 * k / 64;
            assert_true(angle_between(q, (sinew_quat){0, (float)sin(half), 0, (float)cos(half)}) < 5e-7);
        }
        sinew_asset_destroy(asset);
    }
    free(glb);
}

// Keys before 0 s: a clip is what the file has from 0 s on.
static void test_keys_before_0_are_left_out(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_floats(&b, "SCALAR", 4, (float[4]){-2, -1, 1, 3});
    const int moves = gltf_floats(&b, "VEC3", 4, (float[12]){9, 0, 0, -2, 0, 0, 4, 0, 0, 8, 0, 0});
    const float h = 0.70710678f;
    const int turns = gltf_floats(&b, "VEC4", 4, (float[16]){0, 0, 0, 1, 0, 0, 0, 1, 0, h, 0, h, 0, 1, 0, 0});
    float spline[36] = {0}; // x = t³ from -2 to 3: its tangents are 3 t²
    const float t[4] = {-2, -1, 1, 3};
    for (int k = 0; k < 4; k++) {
        float *key = &spline[(ptrdiff_t)9 * k];
        key[0] = key[6] = 3 * t[k] * t[k];
        key[3] = t[k] * t[k] * t[k];
    }
    const int cubic = gltf_floats(&b, "VEC3", 12, spline);
    const int early = gltf_floats(&b, "SCALAR", 2, (float[2]){-2, -1});
    const int sizes = gltf_floats(&b, "VEC3", 2, (float[6]){1, 1, 1, 5, 5, 5});
    gltf_section(&b,
                 "'nodes':[{},{}],'animations':[{'samplers':[{'input':0,'output':%d},{'input':0,'output':%d},"
                 "{'input':0,'output':%d,'interpolation':'CUBICSPLINE'},{'input':%d,'output':%d},"
                 "{'input':0,'output':%d,'interpolation':'STEP'}],'channels':["
                 "{'sampler':0,'target':{'node':0,'path':'translation'}},"
                 "{'sampler':1,'target':{'node':0,'path':'rotation'}},"
                 "{'sampler':2,'target':{'node':1,'path':'translation'}},"
                 "{'sampler':3,'target':{'node':0,'path':'scale'}},"
                 "{'sampler':4,'target':{'node':1,'path':'scale'}}],"
                 "'extras':{'curves':{'C':{'times':[-1,1],'values':[0,2]}}}}]",
                 moves, turns, cubic, early, sizes, moves);
    gltf_lines lines;
    sinew_asset *asset = gltf_load(&b, &lines);
    check_contains(lines.text, "animations[0]: keys before 0 s are ignored");
    const sinew_clip *clip = &asset->clips[0];
    assert_true(clip->duration == 3);
    for (int i = 0; i <= 12; i++) {
        const float time = (float)i / 4;
        const sinew_transform first = sinew_clip_sample_node(clip, time, 0),
                              second = sinew_clip_sample_node(clip, time, 1);
        check_near(first.translation.x, time < 1 ? 1 + 3 * time : 4 + 2 * (time - 1), 1e-6);
        const double angle = time < 1 ? PI / 4 * (1 + (double)time) : PI / 2 * (double)(time + 1) / 2;
        assert_true(
            angle_between(first.rotation, (sinew_quat){0, (float)sin(angle / 2), 0, (float)cos(angle / 2)}) < 1e-6);
        check_near(second.translation.x, time * time * time, 1e-5);
        assert_true(first.scale.x == 5 && second.scale.x == (time < 1 ? -2.0f : time < 3 ? 4.0f : 8.0f));
    }
    check_near(gltf_curve_at(asset, 0, "C", 0), 1, 0);
    check_near(gltf_curve_at(asset, 0, "C", 0.5f), 1.5, 0);
    sinew_asset_destroy(asset);
}

// A file of many channels on one time accessor must not read it again for each: the memory would not suffice.
// Mistake: decoding the input for every channel.
static void test_shared_times_are_read_once(void **state) {
    (void)state;
    enum { NODES = 400, KEYS = 5000 };
    gltf_builder b = gltf_begin();
    float *times = malloc(KEYS * sizeof *times), *values = calloc(KEYS * (size_t)3, sizeof *values);
    for (int i = 0; i < KEYS; i++) times[i] = (float)i * 0.125f;
    int input = gltf_floats(&b, "SCALAR", KEYS, times);
    int output = gltf_floats(&b, "VEC3", KEYS, values); // constant: the clips stay small
    free(times);
    free(values);
    gltf_text nodes = {NULL, 0, 0}, channels = {NULL, 0, 0};
    for (int i = 0; i < NODES; i++) {
        char text[96];
        gltf_append(&nodes, i > 0 ? ",{}" : "{}", i > 0 ? 3 : 2);
        int length = snprintf(text, sizeof text, "%s{'sampler':0,'target':{'node':%d,'path':'translation'}}",
                              i > 0 ? "," : "", i);
        gltf_append(&channels, text, (size_t)length);
    }
    gltf_section(&b, "'nodes':[%s]", nodes.data);
    gltf_section(&b, "'animations':[{'samplers':[{'input':%d,'output':%d}],'channels':[%s]}]", input, output,
                 channels.data);
    free(nodes.data);
    free(channels.data);
    size_t size;
    uint8_t *glb = gltf_write_glb(&b, &size);
    gltf_end(&b);
    sinew_gltf_options options = sinew_gltf_default();
    options.memory_limit = 6000000; // reading times and values 400 times would take 32 MB
    sinew_asset *asset;
    sinew_error error = {0};
    sinew_result result = sinew_gltf_load_memory(glb, size, &options, &asset, &error);
    free(glb);
    if (result != SINEW_OK) fail_msg("%s", error.message);
    assert_int_equal(asset->clips[0].channel_count, NODES);
    sinew_asset_destroy(asset);
}

// Over a second, 4/27 of the tangents is more than a float holds; rotations are only rescaled.
static void test_limited_keys_are_said(void **state) {
    (void)state;
    gltf_builder b = begin_animated();
    const float turn[24] = {[7] = 1, [8] = 3e38f, [12] = 3e38f, [19] = 1};
    const float move[18] = {[3] = 3e38f, [6] = 3e38f, [9] = 3e38f, [12] = 3e38f};
    int turns = gltf_floats(&b, "VEC4", 6, turn), moves = gltf_floats(&b, "VEC3", 6, move);
    gltf_section(&b,
                 "'animations':[{'samplers':[{'input':0,'output':%d,'interpolation':'CUBICSPLINE'},"
                 "{'input':0,'output':%d,'interpolation':'CUBICSPLINE'}],'channels':["
                 "{'sampler':0,'target':{'node':0,'path':'rotation'}},"
                 "{'sampler':1,'target':{'node':0,'path':'translation'}}]}]",
                 turns, moves);
    gltf_lines lines;
    sinew_asset *asset = gltf_load(&b, &lines);
    check_contains(lines.text, "animations[0].channels[1]: keys outside the range of a float are clamped");
    assert_int_equal(lines.count, 1);
    sinew_asset_destroy(asset);
}

// The matrix turns by 90 degrees about z, scales by 2, 3, 4 and moves by 5, 6, 7; a channel replaces the scale. glTF
// forbids it, and the reference in tools evaluates it in the same way.
static void test_channels_of_a_matrix(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    int times = gltf_floats(&b, "SCALAR", 1, (float[1]){0});
    int scales = gltf_floats(&b, "VEC3", 1, (float[3]){1, 1, 5});
    gltf_section(&b,
                 "'nodes':[{'matrix':[0,2,0,0, -3,0,0,0, 0,0,4,0, 5,6,7,1]}],"
                 "'animations':[{'samplers':[{'input':%d,'output':%d}],'channels':["
                 "{'sampler':0,'target':{'node':0,'path':'scale'}}]}]",
                 times, scales);
    sinew_asset *asset = gltf_load(&b, NULL);
    sinew_pose *pose;
    sinew_affine model;
    assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &pose), SINEW_OK);
    sinew_clip_sample(&asset->clips[0], 0, pose);
    sinew_pose_to_model(pose, &model);
    check_floats(&model.m[0][0], (float[12]){0, -1, 0, 5, 1, 0, 0, 6, 0, 0, 5, 7}, 12, 1e-6f);
    sinew_pose_destroy(pose);
    sinew_asset_destroy(asset);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_channels),
        cmocka_unit_test(test_bytes_may_have_any_address_and_stay),
        cmocka_unit_test(test_key_that_is_not_finite),
        cmocka_unit_test(test_normalized_rotation_keys),
        cmocka_unit_test(test_cubic_spline_with_one_key),
        cmocka_unit_test(test_cubic_spline),
        cmocka_unit_test(test_morph_weights),
        cmocka_unit_test(test_channels_that_are_ignored),
        cmocka_unit_test(test_markers),
        cmocka_unit_test(test_repeated_times),
        cmocka_unit_test(test_bad_times),
        cmocka_unit_test(test_channel_without_keys),
        cmocka_unit_test(test_bad_animations),
        cmocka_unit_test(test_an_unknown_interpolation_is_linear),
        cmocka_unit_test(test_keys_before_0_are_left_out),
        cmocka_unit_test(test_keys_that_were_dropped_are_added),
        cmocka_unit_test(test_shared_times_are_read_once),
        cmocka_unit_test(test_limited_keys_are_said),
        cmocka_unit_test(test_channels_of_a_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
