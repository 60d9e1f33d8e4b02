// SPDX-License-Identifier: MIT
// Nodes whose matrix has shear, which T R S can't express: every path to model matrices keeps it.
#include "support/gltf_builder.h"

#include <stdio.h>

static sinew_asset *load_turned(gltf_builder *b, sinew_up up) {
    size_t size;
    uint8_t *glb = gltf_write_glb(b, &size);
    gltf_end(b);
    sinew_gltf_options options = sinew_gltf_default();
    options.up = up;
    sinew_asset *asset;
    sinew_error error = {SINEW_OK, ""};
    if (sinew_gltf_load_memory(glb, size, &options, &asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    free(glb);
    return asset;
}

static sinew_asset *load(const char *nodes, sinew_up up) {
    gltf_builder b = gltf_begin();
    gltf_section(&b, "'nodes':[%s]", nodes);
    return load_turned(&b, up);
}

// The model matrix of a node of the file in the rest pose, against rows computed by hand.
static void check_world(const sinew_asset *asset, int32_t source, const float expected[12]) {
    sinew_affine model[8];
    sinew_pose *pose;
    assert_true(asset->skeleton->node_count <= 8);
    assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &pose), SINEW_OK);
    sinew_pose_to_model(pose, model);
    float largest = 1.0f;
    for (int i = 0; i < 12; i++) largest = fmaxf(largest, fabsf(expected[i]));
    check_floats(&model[asset->skeleton->node_of_source[source]].m[0][0], expected, 12, 5e-7f * largest);
    sinew_pose_destroy(pose);
}

// ---- The rest pose -------------------------------------------------------------------------------------------

static void test_the_matrix_is_kept(void **state) {
    (void)state;
    sinew_asset *asset = load("{'matrix':[1,0,0,0, 0.5,1,0,0, 0,0,1,0, 7,8,9,1]}", SINEW_UP_Y);
    check_world(asset, 0, (float[12]){1, 0.5f, 0, 7, 0, 1, 0, 8, 0, 0, 1, 9});
    sinew_asset_destroy(asset);
    // The first column is as long as all others together, two columns are nearly the same, and there is a mirror.
    asset = load("{'matrix':[-300,0,0,0, 1,2,0.001,0, 1,2,0,0, 0,0,0,1]}", SINEW_UP_Y);
    check_world(asset, 0, (float[12]){-300, 1, 1, 0, 0, 2, 2, 0, 0, 0.001f, 0, 0});
    sinew_asset_destroy(asset);
}

// A column of nothing has no direction, and the others are not at right angles.
static void test_a_flat_matrix_is_kept(void **state) {
    (void)state;
    sinew_asset *asset = load("{'matrix':[1,0,0,0, 0,0,0,0, 3,0,4,0, 0,0,0,1]},"
                              "{'matrix':[1,2,3,0, 1,2,3,0, 1,2,3,0, 0,0,0,1]}",
                              SINEW_UP_Y);
    check_world(asset, 0, (float[12]){1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4, 0});
    check_world(asset, 1, (float[12]){1, 1, 1, 0, 2, 2, 2, 0, 3, 3, 3, 0});
    sinew_asset_destroy(asset);
}

static void test_children_are_sheared(void **state) {
    (void)state;
    sinew_asset *asset = load("{'translation':[2,4,6],'scale':[1,1,2]},"
                              "{'children':[0],'matrix':[1,0,0,0, 0.5,1,0,0, 0,0,1,0, 0,0,0,1]}",
                              SINEW_UP_Y);
    check_world(asset, 0, (float[12]){1, 0.5f, 0, 4, 0, 1, 0, 4, 0, 0, 2, 6});
    sinew_asset_destroy(asset);
}

// (x, y, z) becomes (x, -z, y), so x' = x + 0.5 y becomes x' = x + 0.5 z.
static void test_z_up(void **state) {
    (void)state;
    sinew_asset *asset = load("{'matrix':[1,0,0,0, 0.5,1,0,0, 0,0,1,0, 7,8,9,1]}", SINEW_UP_Z);
    check_world(asset, 0, (float[12]){1, 0, 0.5f, 7, 0, 1, 0, -9, 0, 0, 1, 8});
    sinew_asset_destroy(asset);
}

// ---- Paths to model matrices -----------------------------------------------------------------------------------

enum { COUNT = 40 };

// A branching tree where every third node is sheared. One clip moves all of them.
static sinew_asset *load_tree(void) {
    gltf_builder b = gltf_begin();
    gltf_text nodes = {NULL, 0, 0}, channels = {NULL, 0, 0};
    for (int i = 0; i < COUNT; i++) {
        char node[200], children[40] = "'children':[]", channel[120];
        if (2 * i + 2 < COUNT) snprintf(children, sizeof children, "'children':[%d,%d]", 2 * i + 1, 2 * i + 2);
        if (2 * i + 2 == COUNT) snprintf(children, sizeof children, "'children':[%d]", 2 * i + 1);
        if (2 * i + 2 > COUNT) children[0] = '\0';
        int length = snprintf(
            node, sizeof node, "%s{'name':'n%d'%s%s,%s}", i > 0 ? "," : "", i, children[0] ? "," : "", children,
            i % 3 == 0 ? "'matrix':[1,0.1,0,0, 0.5,1,0,0, 0,0.2,1,0, 1,0,0,1]" : "'translation':[0.5,1,0]");
        gltf_append(&nodes, node, (size_t)length);
        length = snprintf(channel, sizeof channel, "%s{'sampler':0,'target':{'node':%d,'path':'rotation'}}",
                          i > 0 ? "," : "", i);
        gltf_append(&channels, channel, (size_t)length);
    }
    const float times[2] = {0, 1}, turns[8] = {0, 0, 0, 1, 0.6f, 0, 0, 0.8f};
    int input = gltf_floats(&b, "SCALAR", 2, times), output = gltf_floats(&b, "VEC4", 2, turns);
    gltf_section(&b, "'nodes':[%s]", nodes.data);
    gltf_section(&b, "'animations':[{'name':'Turn','samplers':[{'input':%d,'output':%d}],'channels':[%s]}]", input,
                 output, channels.data);
    free(nodes.data);
    free(channels.data);
    return load_turned(&b, SINEW_UP_Y);
}

// local = T R S × shear, with T R S from the pose and the shear from the file's matrix: the rest T R S is taken out of it.
static void expect_models(const sinew_asset *asset, const sinew_pose *pose, sinew_affine *out) {
    static const sinew_affine matrix = {{{1, 0.5f, 0, 1}, {0.1f, 1, 0.2f, 0}, {0, 0, 1, 0}}};
    const sinew_skeleton *skeleton = asset->skeleton;
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        sinew_affine local = sinew_affine_from_transform(sinew_pose_get(pose, i));
        if (skeleton->source_of_node[i] % 3 == 0) {
            sinew_affine rest = sinew_affine_inverse(sinew_affine_from_transform(skeleton->rest[i]));
            local = sinew_affine_multiply(local, sinew_affine_multiply(rest, matrix));
        }
        int32_t parent = skeleton->parents[i];
        out[i] = parent == SINEW_NO_NODE ? local : sinew_affine_multiply(out[parent], local);
    }
}

static void check_models(const sinew_affine *found, const sinew_affine *expected) {
    for (int i = 0; i < COUNT; i++) check_floats(&found[i].m[0][0], &expected[i].m[0][0], 12, 2e-5f);
}

static void test_pose(void **state) {
    (void)state;
    sinew_asset *asset = load_tree();
    sinew_pose *pose;
    sinew_affine expected[COUNT], model[COUNT], again[COUNT];
    assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &pose), SINEW_OK);
    sinew_clip_sample(&asset->clips[0], 0.3f, pose);
    expect_models(asset, pose, expected);
    sinew_pose_to_model(pose, model);
    check_models(model, expected);
    memcpy(again, model, sizeof model);
    for (int32_t i = COUNT - 1; i >= 0; i--) { // a subtree again and again: the shear is not multiplied twice
        sinew_pose_to_model_below(pose, i, again);
        assert_memory_equal(again, model, sizeof model);
    }
    sinew_pose_destroy(pose);
    sinew_asset_destroy(asset);
}

static sinew_mixer *play(const sinew_asset *asset, float time) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    sinew_mixer_play(mixer, sinew_clip_source(&asset->clips[0]), NULL);
    sinew_mixer_advance(mixer, time);
    return mixer;
}

// In the frame's usual way, from an edited pose, and in a batch: the same bits each time.
static void test_mixers(void **state) {
    (void)state;
    enum { CROWD = 7 };
    sinew_asset *asset = load_tree();
    sinew_affine expected[COUNT];
    sinew_mixer *mixer = play(asset, 0.3f), *crowd[CROWD];
    sinew_mixer_update(mixer, 0.0f);
    expect_models(asset, sinew_mixer_pose(mixer), expected);
    check_models(sinew_mixer_model_matrices(mixer), expected);
    memcpy(expected, sinew_mixer_model_matrices(mixer), sizeof expected);
    sinew_mixer_evaluate(mixer);
    sinew_mixer_to_model(mixer);
    assert_memory_equal(sinew_mixer_model_matrices(mixer), expected, sizeof expected);
    sinew_batch_item items[CROWD] = {{.mixer = NULL}};
    for (int i = 0; i < CROWD; i++) items[i].mixer = crowd[i] = play(asset, 0.2f);
    sinew_batch_update(items, 0, CROWD, 0.1f);
    sinew_mixer_destroy(mixer);
    mixer = play(asset, 0.2f);
    sinew_mixer_update(mixer, 0.1f);
    for (int i = 0; i < CROWD; i++) {
        assert_memory_equal(sinew_mixer_model_matrices(crowd[i]), sinew_mixer_model_matrices(mixer),
                            sizeof expected);
        sinew_mixer_destroy(crowd[i]);
    }
    sinew_mixer_destroy(mixer);
    sinew_asset_destroy(asset);
}

// One instance at rest, and one with a mixer.
static void test_scene(void **state) {
    (void)state;
    sinew_asset *asset = load_tree();
    sinew_mixer *mixer = play(asset, 0.0f);
    sinew_mixer_update(mixer, 0.3f);
    sinew_pose *rest;
    sinew_affine expected[COUNT];
    assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &rest), SINEW_OK);
    expect_models(asset, rest, expected);
    sinew_pose_destroy(rest);

    sinew_scene_def def = sinew_scene_default();
    sinew_scene *scene;
    assert_int_equal(sinew_scene_create(&def, &scene, NULL), SINEW_OK);
    sinew_instance_def instance = sinew_instance_default();
    sinew_scene_node moving, resting;
    instance.asset = asset;
    assert_int_equal(sinew_scene_add_instance(scene, &instance, &moving, NULL), SINEW_OK);
    instance.pose = SINEW_INSTANCE_POSE_REST;
    assert_int_equal(sinew_scene_add_instance(scene, &instance, &resting, NULL), SINEW_OK);
    sinew_mixer_play(sinew_scene_mixer(scene, moving), sinew_clip_source(&asset->clips[0]), NULL);
    sinew_scene_update(scene, 0.3f);
    assert_memory_equal(sinew_scene_model_matrices(scene, moving), sinew_mixer_model_matrices(mixer),
                        sizeof expected);
    check_models(sinew_scene_model_matrices(scene, resting), expected);
    sinew_scene_destroy(scene);
    sinew_mixer_destroy(mixer);
    sinew_asset_destroy(asset);
}

// A clip of a skeleton without shear, on nodes that have it.
static void test_bound_clips(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    const float times[2] = {0, 1}, places[6] = {0, 0, 0, 2, 4, 6};
    int input = gltf_floats(&b, "SCALAR", 2, times), output = gltf_floats(&b, "VEC3", 2, places);
    gltf_section(&b,
                 "'nodes':[{'name':'box'}],'animations':[{'samplers':[{'input':%d,'output':%d}],"
                 "'channels':[{'sampler':0,'target':{'node':0,'path':'translation'}}]}]",
                 input, output);
    sinew_asset *straight = load_turned(&b, SINEW_UP_Y);
    sinew_asset *sheared = load("{'name':'box','matrix':[1,0,0,0, 0.5,1,0,0, 0,0,1,0, 7,8,9,1]}", SINEW_UP_Y);
    sinew_clip *clip;
    sinew_pose *pose;
    sinew_affine model;
    assert_int_equal(sinew_clip_bind(&straight->clips[0], sheared->skeleton, NULL, &clip, NULL, NULL), SINEW_OK);
    assert_int_equal(sinew_pose_create(sheared->skeleton, NULL, &pose), SINEW_OK);
    sinew_clip_sample(clip, 0.5f, pose);
    sinew_pose_to_model(pose, &model);
    check_floats(&model.m[0][0], (float[12]){1, 0.5f, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3}, 12, 1e-6f);
    sinew_pose_destroy(pose);
    sinew_clip_destroy(clip);
    sinew_asset_destroy(sheared);
    sinew_asset_destroy(straight);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_matrix_is_kept),
        cmocka_unit_test(test_a_flat_matrix_is_kept),
        cmocka_unit_test(test_children_are_sheared),
        cmocka_unit_test(test_z_up),
        cmocka_unit_test(test_pose),
        cmocka_unit_test(test_mixers),
        cmocka_unit_test(test_scene),
        cmocka_unit_test(test_bound_clips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
