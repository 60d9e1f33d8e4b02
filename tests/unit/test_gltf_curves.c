// SPDX-License-Identifier: MIT
// Curves of glTF files: in animations' extras, and from KHR_animation_pointer.
#include "support/gltf_builder.h"

#include <math.h>
#include <stdio.h>

static float rest_of(const sinew_asset *asset, const char *name) {
    const int32_t curve = sinew_skeleton_find_curve(asset->skeleton, name);
    if (curve == SINEW_NO_CURVE) fail_msg("there is no curve '%s'", name);
    return asset->skeleton->rest_curves[curve];
}

// ---- Extras ------------------------------------------------------------------------------------------------------

static void test_extras_have_curves(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_section(&b, "'nodes':[{'name':'a'}]");
    gltf_section(&b, "'animations':["
                     "{'name':'Walk','extras':{'curves':{"
                     "'Speed':{'times':[0,0.5,2],'values':[1,2,-1]},"
                     "'Plant L':{'times':[0.25,0.75],'values':[1,0],'interpolation':'STEP'},"
                     "'Open':{'times':[0,1],'values':[0,1,2,3,5,0],'interpolation':'CUBICSPLINE'}}}},"
                     "{'name':'Idle','extras':{'curves':{'Open':{'times':[0],'values':[0.5]},"
                     "'note':'not a curve','other':{'times':[0]}}}}]");
    gltf_lines lines;
    sinew_asset *asset = gltf_load(&b, &lines);
    assert_int_equal(asset->skeleton->curve_count, 3);
    assert_string_equal(asset->skeleton->curve_names[0], "Speed"); // in the order of the file
    assert_string_equal(asset->skeleton->curve_names[1], "Plant L");
    assert_string_equal(asset->skeleton->curve_names[2], "Open");
    assert_int_equal(asset->animated_property_count, 0);
    assert_int_equal(asset->clips[0].channel_count, 3);
    assert_int_equal(asset->clips[1].channel_count, 1);
    check_near(asset->clips[0].duration, 2, 0);
    check_near(gltf_curve_at(asset, 0, "Speed", 1.25f), 0.5, 1e-6);
    check_near(gltf_curve_at(asset, 0, "Plant L", 0.0f), 1, 0);
    check_near(gltf_curve_at(asset, 0, "Plant L", 0.7499f), 1, 0);
    check_near(gltf_curve_at(asset, 0, "Plant L", 0.75f), 0, 0);
    check_near(gltf_curve_at(asset, 0, "Open", 0.5f), 0.5 * 1 + 0.125 * 2 - 0.125 * 3 + 0.5 * 5, 1e-6);
    check_near(gltf_curve_at(asset, 1, "Open", 0.5f), 0.5, 0);
    check_near(gltf_curve_at(asset, 1, "Speed", 0.5f), 0, 0);
    assert_int_equal(lines.count, 2);
    check_contains(lines.text, "extras.curves.note: ignored, because it has no times and values");
    sinew_asset_destroy(asset);
}

static void leave_out_curves(const char *curves, const char *message) {
    gltf_builder b = gltf_begin();
    gltf_section(&b, "'animations':[{},{'extras':{'curves':{%s,'Good':{'times':[0],'values':[1]}}}}]", curves);
    gltf_lines lines;
    sinew_asset *asset = gltf_load(&b, &lines);
    check_contains(lines.text, message);
    assert_int_equal(lines.count, 1);
    check_near(gltf_curve_at(asset, 1, "Good", 0), 1, 0);
    sinew_asset_destroy(asset);
}

static void test_bad_curves_are_left_out(void **state) {
    (void)state;
    leave_out_curves("'A':{'times':[0,1],'values':[1]}",
                     "animations[1].extras.curves.A.values: 1 values do not make 2 keys of 1 each");
    leave_out_curves("'A':{'times':[0,1],'values':[1,2],'interpolation':'CUBICSPLINE'}",
                     "animations[1].extras.curves.A.values: 2 values do not make 2 keys of 3 each");
    leave_out_curves("'A':{'times':[1,1],'values':[1,2]}",
                     "animations[1].extras.curves.A.times: key 1 is at 1 s, not after key 0 at 1 s");
    leave_out_curves("'A':{'times':[],'values':[]}", "curves.A: has no keys");
    leave_out_curves("'A':{'times':[0],'values':['x']}", "animations[1].extras.curves.A.values[0]:");
    leave_out_curves("'A':{'times':[0],'values':[1e39]}", "animations[1].extras.curves.A.values[0]:");
    leave_out_curves("'A':{'times':0,'values':[1]}", "animations[1].extras.curves.A.times:");
    leave_out_curves("'A':{'times':[0],'values':[1],'interpolation':'SPLINE'}",
                     "animations[1].extras.curves.A: interpolation is not STEP, LINEAR or CUBICSPLINE");
    leave_out_curves("'':{'times':[0],'values':[1]}", "a curve needs a name");
    leave_out_curves("'/A':{'times':[0],'values':[1]}", "must not start with '/'");
}

static void test_a_second_curve_of_a_name_is_ignored(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_section(&b, "'animations':[{'extras':{'curves':{'A':{'times':[0],'values':[1]},"
                     "'A':{'times':[0],'values':[2]}}}}]");
    gltf_lines lines;
    sinew_asset *asset = gltf_load(&b, &lines);
    assert_int_equal(asset->skeleton->curve_count, 1);
    check_near(gltf_curve_at(asset, 0, "A", 0), 1, 0);
    assert_string_equal(lines.text,
                        "animations[0].extras.curves.A: ignored, because an earlier curve has the same name\n");
    sinew_asset_destroy(asset);
}

static void test_requested_curves_are_added(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_section(&b, "'animations':[{'extras':{'curves':{'B':{'times':[0],'values':[1]}}}}]");
    size_t size;
    uint8_t *glb = gltf_write_glb(&b, &size);
    gltf_end(&b);
    const char *names[3] = {"A", "B", "A"};
    sinew_gltf_options options = sinew_gltf_default();
    options.curve_names = names;
    options.curve_count = 3;
    sinew_asset *asset;
    sinew_error error = {0};
    if (sinew_gltf_load_memory(glb, size, &options, &asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    assert_int_equal(asset->skeleton->curve_count, 2);
    assert_string_equal(asset->skeleton->curve_names[0], "B");
    assert_string_equal(asset->skeleton->curve_names[1], "A");
    sinew_asset_destroy(asset);
    names[1] = "/B";
    assert_int_equal(sinew_gltf_load_memory(glb, size, &options, &asset, &error), SINEW_ERROR_ARGUMENT);
    check_contains(error.message, "curve_names[1] isn't a curve name");
    free(glb);
}

// ---- Pointers ----------------------------------------------------------------------------------------------------

#define POINTER(sampler, pointer)                                                                                  \
    "{'sampler':" #sampler                                                                                         \
    ",'target':{'path':'pointer','extensions':{'KHR_animation_pointer':{'pointer':'" pointer "'}}}}"

// A file with most of what a pointer may lead to. Accessor 0 has the times 0 and 1.
static gltf_builder begin_pointers(void) {
    gltf_builder b = gltf_begin();
    gltf_floats(&b, "SCALAR", 2, (float[2]){0, 1});
    gltf_section(&b, "'extensionsRequired':['KHR_animation_pointer']");
    gltf_section(&b,
                 "'nodes':[{'name':'a','translation':[1,2,3],'extensions':{'KHR_node_visibility':{}}},"
                 "{'name':'b','children':[2],'extensions':{'KHR_node_visibility':{'visible':false}}},{'camera':0},"
                 "{'extensions':{'KHR_lights_punctual':{'light':0}}}]");
    gltf_section(&b, "'cameras':[{'type':'perspective','perspective':{'yfov':0.75,'znear':0.5}}]");
    gltf_section(&b, "'extensions':{'KHR_lights_punctual':{'lights':[{'type':'spot','spot':{},'intensity':7}]},"
                     "'ACME_sky':{'clouds':0.25}}");
    gltf_section(&b,
                 "'materials':[{},{'alphaCutoff':0.25,'pbrMetallicRoughness':{'baseColorFactor':[0.1,0.2,0.3,0.4],"
                 "'baseColorTexture':{'index':0,'extensions':{'KHR_texture_transform':{'offset':[0.5,0.25]}}}},"
                 "'normalTexture':{'index':0},'extensions':{'KHR_materials_ior':{}},"
                 "'extras':{'glow':0.125,'tint':[1,2],'a/b~c':3,'on':true,'word':'x'}}]");
    gltf_section(&b, "'textures':[{}]");
    return b;
}

typedef struct pointer_case {
    const char *pointer, *name;
    sinew_property_target target;
    int32_t index, components;
    bool is_bool;
    float rest[4];
} pointer_case;

// The value in the file, or the default of the specification.
static const pointer_case cases[] = {
    {"/materials/1/alphaCutoff", "alphaCutoff", SINEW_PROPERTY_MATERIAL, 1, 1, false, {0.25f}},
    {"/materials/0/alphaCutoff", "alphaCutoff", SINEW_PROPERTY_MATERIAL, 0, 1, false, {0.5f}},
    {"/materials/1/pbrMetallicRoughness/baseColorFactor",
     "pbrMetallicRoughness/baseColorFactor",
     SINEW_PROPERTY_MATERIAL,
     1,
     4,
     false,
     {0.1f, 0.2f, 0.3f, 0.4f}},
    {"/materials/1/pbrMetallicRoughness/metallicFactor",
     "pbrMetallicRoughness/metallicFactor",
     SINEW_PROPERTY_MATERIAL,
     1,
     1,
     false,
     {1}},
    {"/materials/0/emissiveFactor", "emissiveFactor", SINEW_PROPERTY_MATERIAL, 0, 3, false, {0}},
    {"/materials/1/normalTexture/scale", "normalTexture/scale", SINEW_PROPERTY_MATERIAL, 1, 1, false, {1}},
    {"/materials/1/extensions/KHR_materials_ior/ior",
     "extensions/KHR_materials_ior/ior",
     SINEW_PROPERTY_MATERIAL,
     1,
     1,
     false,
     {1.5f}},
    {"/materials/1/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset",
     "pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset",
     SINEW_PROPERTY_MATERIAL,
     1,
     2,
     false,
     {0.5f, 0.25f}},
    {"/materials/1/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/scale",
     "pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/scale",
     SINEW_PROPERTY_MATERIAL,
     1,
     2,
     false,
     {1, 1}},
    {"/cameras/0/perspective/yfov", "perspective/yfov", SINEW_PROPERTY_CAMERA, 0, 1, false, {0.75f}},
    {"/extensions/KHR_lights_punctual/lights/0/intensity", "intensity", SINEW_PROPERTY_LIGHT, 0, 1, false, {7}},
    {"/extensions/KHR_lights_punctual/lights/0/color", "color", SINEW_PROPERTY_LIGHT, 0, 3, false, {1, 1, 1}},
    {"/extensions/KHR_lights_punctual/lights/0/spot/outerConeAngle",
     "spot/outerConeAngle",
     SINEW_PROPERTY_LIGHT,
     0,
     1,
     false,
     {0.78539816f}},
    {"/nodes/0/extensions/KHR_node_visibility/visible",
     "extensions/KHR_node_visibility/visible",
     SINEW_PROPERTY_NODE,
     0,
     1,
     true,
     {1}},
    {"/nodes/1/extensions/KHR_node_visibility/visible",
     "extensions/KHR_node_visibility/visible",
     SINEW_PROPERTY_NODE,
     1,
     1,
     true,
     {0}},
    {"/materials/1/extras/glow", "extras/glow", SINEW_PROPERTY_MATERIAL, 1, 1, false, {0.125f}},
    {"/materials/1/extras/tint", "extras/tint", SINEW_PROPERTY_MATERIAL, 1, 2, false, {1, 2}},
    {"/materials/1/extras/a~1b~0c", "extras/a~1b~0c", SINEW_PROPERTY_MATERIAL, 1, 1, false, {3}},
    {"/materials/1/extras/on", "extras/on", SINEW_PROPERTY_MATERIAL, 1, 1, true, {1}},
    {"/extensions/ACME_sky/clouds", "extensions/ACME_sky/clouds", SINEW_PROPERTY_OTHER, -1, 1, false, {0.25f}},
};
enum { CASES = sizeof cases / sizeof cases[0] };

// One animation with a channel for each case. The keys of component k go from 10 + k to 20 + k.
static void test_properties_become_curves(void **state) {
    (void)state;
    static const char *const types[5] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    gltf_builder b = begin_pointers();
    int outputs[5];
    for (int width = 1; width <= 4; width++) {
        float keys[8];
        for (int i = 0; i < 2 * width; i++) keys[i] = (float)(i < width ? 10 + i : 20 + i - width);
        outputs[width] = gltf_floats(&b, types[width], 2, keys);
    }
    const int bools = gltf_accessor(&b, (uint8_t[4]){0, 2, 0, 0}, 2, U8, "SCALAR", 2);
    char channels[8192];
    size_t length = 0;
    for (int i = 0; i < CASES; i++) {
        length += (size_t)snprintf(
            channels + length, sizeof channels - length,
            "%s{'sampler':%d,'target':{'path':'pointer','extensions':{'KHR_animation_pointer':{'pointer':'%s'}}}}",
            i > 0 ? "," : "", cases[i].is_bool ? 4 : cases[i].components - 1, cases[i].pointer);
        assert_true(length < sizeof channels);
    }
    gltf_section(
        &b,
        "'animations':[{'samplers':[{'input':0,'output':%d},{'input':0,'output':%d},{'input':0,'output':%d},"
        "{'input':0,'output':%d},{'input':0,'output':%d,'interpolation':'STEP'}],'channels':[%s]},"
        "{'samplers':[{'input':0,'output':%d}],'channels':[" POINTER(0, "/materials/1/alphaCutoff") "]}]",
        outputs[1], outputs[2], outputs[3], outputs[4], bools, channels, outputs[1]);
    gltf_lines lines;
    sinew_asset *asset = gltf_load(&b, &lines);
    assert_int_equal(lines.count, 0);
    assert_int_equal(asset->animated_property_count, CASES);
    int32_t next = 0;
    for (int i = 0; i < CASES; i++) {
        const sinew_animated_property *p = &asset->animated_properties[i];
        assert_string_equal(p->pointer, cases[i].pointer);
        assert_string_equal(p->name, cases[i].name);
        assert_int_equal(p->target, cases[i].target);
        const bool of_node = cases[i].target == SINEW_PROPERTY_NODE;
        assert_int_equal(p->index, of_node ? asset->skeleton->node_of_source[cases[i].index] : cases[i].index);
        assert_int_equal(p->is_bool, cases[i].is_bool);
        assert_int_equal(p->component_count, cases[i].components);
        assert_int_equal(p->first_curve, next);
        for (int k = 0; k < p->component_count; k++, next++) {
            char name[200];
            snprintf(name, sizeof name, p->component_count > 1 ? "%s.%d" : "%s", p->pointer, k);
            assert_string_equal(asset->skeleton->curve_names[next], name);
            check_near(asset->skeleton->rest_curves[next], cases[i].rest[k], 1e-7);
            check_near(gltf_curve_at(asset, 0, name, 0.5f), p->is_bool ? 0 : 15 + k, 1e-5);
            check_near(gltf_curve_at(asset, 0, name, 1.0f), p->is_bool ? 1 : 20 + k, 1e-5);
            if (i > 0) check_near(gltf_curve_at(asset, 1, name, 1.0f), cases[i].rest[k], 1e-7);
        }
    }
    assert_int_equal(asset->skeleton->curve_count, next);
    assert_int_equal(asset->clips[0].channel_count, next);
    assert_int_equal(asset->clips[1].channel_count, 1);
    sinew_asset_destroy(asset);
}

// A pointer to a transform is the channel that core glTF has for it: the same bits.
static void test_transforms_become_channels(void **state) {
    (void)state;
    gltf_builder b = begin_pointers();
    const int moves = gltf_floats(&b, "VEC3", 2, (float[6]){0, 1, 2, 3, 4, 5});
    const int turns = gltf_floats(&b, "VEC4", 2, (float[8]){0, 0, 0, 1, 0, 0.6f, 0, 0.8f});
    gltf_section(
        &b,
        "'animations':[{'samplers':[{'input':0,'output':%d},{'input':0,'output':%d}],'channels':["
        "{'sampler':0,'target':{'node':0,'path':'translation'}},{'sampler':1,'target':{'node':0,'path':"
        "'rotation'}},{'sampler':0,'target':{'node':0,'path':'scale'}}]},"
        "{'samplers':[{'input':0,'output':%d},{'input':0,'output':%d}],'channels':[" POINTER(
            0, "/nodes/0/translation") "," POINTER(1, "/nodes/0/rotation") "," POINTER(0, "/nodes/0/scale") "]}]",
        moves, turns, moves, turns);
    gltf_lines lines;
    sinew_asset *asset = gltf_load(&b, &lines);
    assert_int_equal(lines.count, 0);
    assert_int_equal(asset->skeleton->curve_count, 0);
    assert_int_equal(asset->clips[1].channel_count, 3);
    for (int i = 0; i <= 8; i++) {
        const int32_t node = asset->skeleton->node_of_source[0];
        const sinew_transform plain = sinew_clip_sample_node(&asset->clips[0], (float)i / 8, node);
        const sinew_transform pointed = sinew_clip_sample_node(&asset->clips[1], (float)i / 8, node);
        assert_memory_equal(&plain, &pointed, sizeof plain);
    }
    sinew_asset_destroy(asset);
}

// Weights of a node, of its mesh, and one by one.
static void test_weights_become_channels(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_floats(&b, "SCALAR", 2, (float[2]){0, 1});
    const int deltas = gltf_floats(&b, "VEC3", 3, (float[9]){0});
    const int all = gltf_floats(&b, "SCALAR", 4, (float[4]){0, 1, 2, 3}),
              one = gltf_floats(&b, "SCALAR", 2, (float[2]){4, 8});
    const int other_times = gltf_floats(&b, "SCALAR", 2, (float[2]){0, 2});
    char members[100];
    snprintf(members, sizeof members, ",'targets':[{'POSITION':%d},{'POSITION':%d}]", deltas, deltas);
    gltf_section(&b, "'nodes':[{'mesh':0},{'mesh':0,'weights':[0.25,0.5]}]");
    gltf_section(&b, "'meshes':[{'weights':[0.1,0.2],'primitives':[{'attributes':{'POSITION':%d}%s}]}]", deltas,
                 members);
    gltf_section(
        &b,
        "'animations':["
        "{'samplers':[{'input':0,'output':%d}],'channels':[" POINTER(
            0, "/nodes/1/weights") "]},"
                                   "{'samplers':[{'input':0,'output':%d}],'channels':[" POINTER(
                                       0,
                                       "/meshes/0/weights") "]},"
                                                            "{'samplers':[{'input':0,'output':%d},{'input':%d,'"
                                                            "output':%d}],'channels':[" POINTER(
                                                                0,
                                                                "/nodes/1/weights/1") "," POINTER(1,
                                                                                                  "/nodes/1/"
                                                                                                  "weights/0") "]}"
                                                                                                               "]",
        all, all, one, other_times, one);
    gltf_lines lines;
    sinew_asset *asset = gltf_load(&b, &lines);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &pose), SINEW_OK);
    sinew_clip_sample(&asset->clips[0], 0.5f, pose);
    check_floats(pose->weights, (float[4]){0.1f, 0.2f, 1, 2}, 4, 1e-6f);
    sinew_clip_sample(&asset->clips[1], 0.5f, pose); // the mesh's, which node 1 does not have
    check_floats(pose->weights, (float[4]){1, 2, 0.25f, 0.5f}, 4, 1e-6f);
    sinew_clip_sample(&asset->clips[2], 0.5f, pose);
    check_floats(pose->weights, (float[4]){0.1f, 0.2f, 0.25f, 6}, 4, 1e-6f);
    assert_int_equal(lines.count, 1);
    check_contains(lines.text, "animations[2].channels[1]: ignored, because a node's weights");
    sinew_pose_destroy(pose);
    sinew_asset_destroy(asset);
}

static void test_one_target_has_one_channel(void **state) {
    (void)state;
    gltf_builder b = begin_pointers();
    const int one = gltf_floats(&b, "SCALAR", 2, (float[2]){1, 2}),
              moves = gltf_floats(&b, "VEC3", 2, (float[6]){1});
    gltf_section(
        &b,
        "'animations':[{'samplers':[{'input':0,'output':%d},{'input':0,'output':%d}],'channels':[" POINTER(
            0,
            "/materials/0/alphaCutoff") "," POINTER(0,
                                                    "/materials/0/alphaCutoff") ","
                                                                                "{'sampler':1,'target':{'node':0,'"
                                                                                "path':'translation'}}," POINTER(
                                                                                    1,
                                                                                    "/nodes/0/translation") "]}]",
        one, moves);
    gltf_lines lines;
    sinew_asset *asset = gltf_load(&b, &lines);
    assert_int_equal(asset->clips[0].channel_count, 2);
    assert_string_equal(lines.text,
                        "animations[0].channels[1]: ignored, because an earlier channel has the same target\n"
                        "animations[0].channels[3]: ignored, because an earlier channel has the same target\n");
    sinew_asset_destroy(asset);
}

static void leave_out_pointer(const char *pointer, const char *interpolation, const char *message) {
    gltf_builder b = begin_pointers();
    const int one = gltf_floats(&b, "SCALAR", 2, (float[2]){1, 2});
    gltf_section(
        &b,
        "'animations':[{'samplers':[{'input':0,'output':%d,'interpolation':'%s'}],'channels':[{'sampler':0,"
        "'target':{'path':'pointer','extensions':{'KHR_animation_pointer':{'pointer':'%s'}}}}]}]",
        one, interpolation, pointer);
    gltf_leave_out(&b, message);
}

static void test_invalid_pointers_are_left_out(void **state) {
    (void)state;
#define AT                                                                                                         \
    "animations[0].channels[0]: ignored, because "                                                                 \
    "animations[0].channels[0].target.extensions.KHR_animation_pointer.pointer: "
    leave_out_pointer("nodes/0/scale", "LINEAR", AT "a pointer must start with '/', as in /nodes/0/scale");
    leave_out_pointer("", "LINEAR", AT "a pointer must start with '/'");
    leave_out_pointer("/nodes/9/scale", "LINEAR", AT "'/nodes/9/scale' points to an object that isn't in the file");
    leave_out_pointer("/nodes/-/scale", "LINEAR", AT "'/nodes/-/scale' points to an object");
    leave_out_pointer("/nodes/00/scale", "LINEAR", AT "'/nodes/00/scale' points to an object");
    leave_out_pointer("/nodes/0/color", "LINEAR", AT "'/nodes/0/color' isn't a property that can be animated");
    leave_out_pointer("/nodes/0/camera", "LINEAR", AT "'/nodes/0/camera' isn't a property that can be animated");
    leave_out_pointer("/materials/0/name", "LINEAR",
                      AT "'/materials/0/name' isn't a property that can be animated");
    leave_out_pointer("/materials/9/alphaCutoff", "LINEAR",
                      AT "'/materials/9/alphaCutoff' points to an object that isn't in the file");
    leave_out_pointer("/materials/0/pbrMetallicRoughness/metallicFactor", "LINEAR",
                      AT "'/materials/0/pbrMetallicRoughness");
    leave_out_pointer("/cameras/0/perspective/zfar", "LINEAR",
                      AT "'/cameras/0/perspective/zfar' is not in the file, and has no default value");
    leave_out_pointer("/materials/1/extensions/KHR_materials_ior/iro", "LINEAR",
                      AT "'/materials/1/extensions/KHR_materials");
    leave_out_pointer("/materials/1/extras/a~2", "LINEAR", AT "a '~' in a pointer must be ~0 or ~1");
    leave_out_pointer("/materials/1/extras/a~", "LINEAR", AT "a '~' in a pointer must be ~0 or ~1");
    leave_out_pointer("/materials/1/pbrMetallicRoughness/baseColorFactor/0", "LINEAR",
                      AT "'/materials/1/pbrMetallic");
    leave_out_pointer("/nodes/0/weights/x", "LINEAR", AT "'/nodes/0/weights/x' needs a weight's index");
    leave_out_pointer("/materials/1/pbrMetallicRoughness/baseColorFactor", "LINEAR",
                      "animations[0].samplers[0].output: ");
    leave_out_pointer("/materials/1/alphaCutoff", "CUBICSPLINE", "2 values do not make 2 keys of 3 each");
    leave_out_pointer("/nodes/0/extensions/KHR_node_visibility/visible", "STEP",
                      "animations[0].samplers[0].output: boolean keys must be unsigned bytes");
    gltf_builder b = begin_pointers();
    const int bytes = gltf_accessor(&b, (uint8_t[4]){0, 1, 0, 0}, 2, U8, "SCALAR", 2);
    gltf_section(&b,
                 "'animations':[{'samplers':[{'input':0,'output':%d}],'channels':[" POINTER(
                     0, "/nodes/0/extensions/KHR_node_visibility/visible") "]}]",
                 bytes);
    gltf_leave_out(&b, "boolean keys need STEP interpolation");
    b = begin_pointers();
    const int one = gltf_floats(&b, "SCALAR", 2, (float[2]){1, 2});
    gltf_section(&b,
                 "'animations':[{'samplers':[{'input':0,'output':%d}],'channels':[{'sampler':0,'target':{"
                 "'path':'pointer','extensions':{'KHR_animation_pointer':{}}}},"
                 "{'sampler':0,'target':{'path':'pointer','extensions':{'KHR_animation_pointer':{"
                 "'pointer':'/nodes/0/weights/77'}}}}," POINTER(0, "/materials/0/alphaCutoff") "]}]",
                 one);
    gltf_lines lines;
    sinew_asset *asset = gltf_load(&b, &lines);
    check_contains(lines.text,
                   "animations[0].channels[0].target.extensions.KHR_animation_pointer: pointer is missing");
    check_contains(lines.text, "animations[0].channels[1]: ignored, because ");
    assert_int_equal(asset->clips[0].channel_count, 1); // the good one
    sinew_asset_destroy(asset);
}

// A channel that is left out has not animated its target: a later one can.
static void test_a_target_is_free_after_an_invalid_channel(void **state) {
    (void)state;
    gltf_builder b = begin_pointers();
    const int one = gltf_floats(&b, "SCALAR", 2, (float[2]){1, 2}),
              three = gltf_floats(&b, "VEC3", 2, (float[6]){1, 2, 3, 4, 5, 6});
    gltf_section(
        &b,
        "'animations':[{'samplers':[{'input':0,'output':%d,'interpolation':'CUBICSPLINE'},{'input':0,'output':%d},"
        "{'input':0,'output':%d}],'channels':[" POINTER(0, "/materials/0/alphaCutoff") "," POINTER(
            1, "/materials/0/alphaCutoff") "," POINTER(1, "/nodes/0/translation") "," POINTER(2,
                                                                                              "/nodes/0/"
                                                                                              "translation") "]}]",
        one, one, three);
    gltf_lines lines;
    sinew_asset *asset = gltf_load(&b, &lines);
    check_contains(lines.text, "animations[0].channels[0]: ignored, because ");
    check_contains(lines.text, "animations[0].channels[2]: ignored, because ");
    assert_int_equal(lines.count, 2);
    assert_int_equal(asset->clips[0].channel_count, 2);
    sinew_asset_destroy(asset);
}

// What is animated in extras is the application's: nothing there is an error.
static void test_unknown_extras_are_ignored(void **state) {
    (void)state;
    gltf_builder b = begin_pointers();
    const int one = gltf_floats(&b, "SCALAR", 2, (float[2]){1, 2});
    gltf_section(
        &b,
        "'animations':[{'samplers':[{'input':0,'output':%d}],'channels':[" POINTER(
            0, "/materials/1/extras/word") "," POINTER(0, "/materials/1/extras/nothing") "," POINTER(0,
                                                                                                     "/extensions/"
                                                                                                     "ACME_sky/"
                                                                                                     "rain") "]}]",
        one);
    gltf_lines lines;
    sinew_asset *asset = gltf_load(&b, &lines);
    assert_int_equal(asset->skeleton->curve_count, 0);
    assert_int_equal(lines.count, 3);
    check_contains(lines.text, "animations[0].channels[2]: ignored, because the file has no number or boolean at "
                               "'/extensions/ACME_sky/rain'");
    sinew_asset_destroy(asset);
}

// If part of a file is loaded, only that part's properties become curves.
static void test_properties_of_a_part(void **state) {
    (void)state;
    gltf_builder b = begin_pointers();
    const int one = gltf_floats(&b, "SCALAR", 2, (float[2]){1, 2});
    gltf_section(
        &b,
        "'animations':[{'samplers':[{'input':0,'output':%d}],'channels':[" POINTER(
            0, "/materials/1/alphaCutoff") "," POINTER(0, "/cameras/0/perspective/yfov") "]},"
                                                                                         "{'samplers':[{'input':0,'"
                                                                                         "output':%d}],'channels':"
                                                                                         "[" POINTER(
                                                                                             0,
                                                                                             "/materials/1/"
                                                                                             "alphaCutoff") "]}]",
        one, one);
    size_t size;
    uint8_t *glb = gltf_write_glb(&b, &size);
    gltf_end(&b);
    sinew_gltf_options options = sinew_gltf_default();
    options.only_subtree = "b";
    sinew_asset *asset;
    sinew_error error = {0};
    if (sinew_gltf_load_memory(glb, size, &options, &asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    assert_int_equal(asset->animated_property_count, 1);
    assert_string_equal(asset->animated_properties[0].name, "perspective/yfov");
    assert_int_equal(asset->clip_count, 1);
    check_near(rest_of(asset, "/cameras/0/perspective/yfov"), 0.75, 0);
    sinew_asset_destroy(asset);
    free(glb);
}

static void test_no_memory_is_an_error(void **state) {
    (void)state;
    gltf_builder b = begin_pointers();
    const int one = gltf_floats(&b, "SCALAR", 2, (float[2]){1, 2}),
              four = gltf_floats(&b, "VEC4", 2, (float[8]){1});
    gltf_section(&b,
                 "'animations':[{'samplers':[{'input':0,'output':%d},{'input':0,'output':%d}],'extras':{'curves':{"
                 "'A':{'times':[0],'values':[1]}}},'channels':[" POINTER(0, "/materials/1/alphaCutoff") "," POINTER(
                     1, "/materials/1/pbrMetallicRoughness/baseColorFactor") "]}]",
                 one, four);
    size_t size;
    uint8_t *glb = gltf_write_glb(&b, &size);
    gltf_end(&b);
    counting c = {0};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    while (fail_next(&c, result)) {
        sinew_gltf_options options = sinew_gltf_default();
        options.allocator = counting_allocator(&c);
        sinew_asset *asset;
        result = sinew_gltf_load_memory(glb, size, &options, &asset, NULL);
        if (result == SINEW_OK) sinew_asset_destroy(asset);
    }
    free(glb);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_extras_have_curves),
        cmocka_unit_test(test_bad_curves_are_left_out),
        cmocka_unit_test(test_a_second_curve_of_a_name_is_ignored),
        cmocka_unit_test(test_requested_curves_are_added),
        cmocka_unit_test(test_properties_become_curves),
        cmocka_unit_test(test_transforms_become_channels),
        cmocka_unit_test(test_weights_become_channels),
        cmocka_unit_test(test_one_target_has_one_channel),
        cmocka_unit_test(test_invalid_pointers_are_left_out),
        cmocka_unit_test(test_a_target_is_free_after_an_invalid_channel),
        cmocka_unit_test(test_unknown_extras_are_ignored),
        cmocka_unit_test(test_properties_of_a_part),
        cmocka_unit_test(test_no_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
