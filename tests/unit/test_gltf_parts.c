// SPDX-License-Identifier: MIT
// Loading only what a skin or a subtree needs.
#include "support/gltf_builder.h"

#include <stdio.h>

// ---- A level ---------------------------------------------------------------------------------------------------

// Two characters and a lamp. Anna's mesh is beside her bones, with a hat on the head; Ben's skin has a joint outside of
// him; everything has its own material, texture and image, and the images are in a buffer each.
//
//     level ── anna ── bones ── hip ── head ── hat      lamp (light)
//           │       └─ body (skin 0)
//           └─ ben (skin 1: its joints are ben and eye)
//                   eye (camera), on its own
static const char nodes[] =
    "'nodes':[{'name':'hat','mesh':2},{'name':'head','children':[0],'translation':[0,1,0]},"
    "{'name':'hip','children':[1],'translation':[0,0,2]},{'name':'bones','children':[2],'scale':[2,2,2]},"
    "{'name':'body','mesh':0,'skin':0},{'name':'anna','children':[3,4],'translation':[5,0,0]},"
    "{'name':'ben','mesh':1,'skin':1,'weights':[0.5]},{'name':'level','children':[5,6,8],'translation':[0,0,7],"
    "'mesh':3},{'extensions':{'KHR_lights_punctual':{'light':1}}},{'name':'eye','camera':0}],"
    "'scenes':[{'nodes':[7]}],"
    "'skins':[{'name':'Anna','joints':[2,1]},{'joints':[6,9]},{'name':'Nobody','joints':[3]}],"
    "'cameras':[{'type':'perspective','perspective':{'yfov':1,'znear':1}}],"
    "'extensions':{'KHR_lights_punctual':{'lights':[{'type':'spot'},{'name':'lamp','type':'point'}]}},"
    "'images':[{'name':'i0','bufferView':1},{'name':'i1','bufferView':2},{'name':'i2','bufferView':3}],"
    "'textures':[{'source':2},{'source':1},{'source':0}],"
    "'materials':[{'name':'m0','pbrMetallicRoughness':{'baseColorTexture':{'index':2}}},{'name':'m1'},"
    "{'name':'m2','pbrMetallicRoughness':{'baseColorTexture':{'index':0}}}],"
    "'meshes':[{'name':'Body','primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2},'material':2}]}"
    ","
    "{'name':'Ben','primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2},'material':1,"
    "'targets':[{'POSITION':0}]}]},{'name':'Hat','primitives':[{'attributes':{'POSITION':0},'material':0}]},"
    "{'name':'Ground','primitives':[{'attributes':{'POSITION':5}}]}],"
    "'animations':[{'name':'anna nods','samplers':[{'input':3,'output':4}],'channels':["
    "{'sampler':0,'target':{'node':1,'path':'translation'}},{'sampler':0,'target':{'node':6,'path':'translation'}}]"
    "},"
    "{'name':'ben goes','samplers':[{'input':3,'output':4},{'input':3,'output':3}],'channels':["
    "{'sampler':0,'target':{'node':6,'path':'translation'}},{'sampler':1,'target':{'node':6,'path':'weights'}},"
    "{'sampler':1,'target':{'node':7,'path':'weights'}}]},"
    "{'name':'still'}]";

static uint8_t *write_level(size_t *size) {
    gltf_builder b = gltf_begin();
    const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, ones[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    const uint8_t joints[12] = {0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    int first = gltf_view(&b, corners, sizeof corners, 0); // view 0, and then the images' views 1 to 3
    for (int i = 0; i < 3; i++) gltf_view(&b, (char[2]){'A', (char)('0' + i)}, 2, 0);
    gltf_raw_accessor(&b, "'bufferView':%d,'componentType':%d,'type':'VEC3','count':3", first, F32);
    gltf_accessor(&b, joints, sizeof joints, U8, "VEC4", 3);
    gltf_floats(&b, "VEC4", 3, ones);
    gltf_floats(&b, "SCALAR", 2, (float[2]){0, 1});
    gltf_floats(&b, "VEC3", 2, (float[6]){0, 0, 0, 4, 0, 0});
    // The ground is broken, which only who reads it sees.
    gltf_raw_accessor(&b, "'bufferView':%d,'componentType':%d,'type':'VEC3','count':99", first, F32);
    gltf_section(&b, "%s", nodes);
    uint8_t *glb = gltf_write_glb(&b, size);
    gltf_end(&b);
    return glb;
}

static sinew_result load_level(const char *subtree, const char *skin, sinew_asset **asset, sinew_error *error) {
    size_t size;
    uint8_t *glb = write_level(&size);
    sinew_gltf_options options = sinew_gltf_default();
    options.only_subtree = subtree;
    options.only_skin = skin;
    gltf_lines lines;
    options.log = gltf_log_to(&lines);
    sinew_result result = sinew_gltf_load_memory(glb, size, &options, asset, error);
    free(glb);
    if (result == SINEW_OK && lines.count > 0) fail_msg("%s", lines.text); // nothing was put right: it was left out
    return result;
}

static sinew_asset *load_part(const char *subtree, const char *skin) {
    sinew_asset *asset;
    sinew_error error = {0};
    if (load_level(subtree, skin, &asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    return asset;
}

// Exactly these nodes of the file, by their numbers there (-1 behind the last), parents first; and where they are.
static void check_nodes(const sinew_asset *asset, const int32_t *sources) {
    static const char *const names[10] = {"hat", "head", "hip", "bones", "body", "anna", "ben", "level", "", "eye"};
    static const float xs[10] = {5, 5, 5, 5, 5, 5, 0, 0, 0, 0}, ys[10] = {2, 2}, // of the level's places
        zs[10] = {11, 11, 11, 7, 7, 7, 7, 7, 7, 0};
    const sinew_skeleton *s = asset->skeleton;
    int32_t count = 0;
    bool wanted[10] = {false};
    for (; sources[count] >= 0; count++) wanted[sources[count]] = true;
    assert_int_equal(s->node_count, count);
    assert_int_equal(s->source_count, 10);
    sinew_pose *pose;
    sinew_affine model[10];
    assert_int_equal(sinew_pose_create(s, NULL, &pose), SINEW_OK);
    sinew_pose_to_model(pose, model);
    sinew_pose_destroy(pose);
    for (int32_t i = 0; i < 10; i++) {
        int32_t node = s->node_of_source[i];
        if (wanted[i] != (node != SINEW_NO_NODE)) fail_msg("nodes[%d] is %s", i, wanted[i] ? "missing" : "there");
        if (node == SINEW_NO_NODE) continue;
        assert_int_equal(s->source_of_node[node], i);
        assert_string_equal(s->names[node], names[i]);
        check_vec3(sinew_affine_point(model[node], (sinew_vec3){0, 0, 0}), xs[i], ys[i], zs[i], 1e-6);
    }
}

// ---- Subtrees --------------------------------------------------------------------------------------------------

// Catches what is beside the subtree being loaded, ancestors left out (which moves everything), the ancestors' meshes
// loaded, channels of other nodes kept, and indices between the arrays that are still the file's.
static void test_a_character(void **state) {
    (void)state;
    sinew_asset *asset = load_part("anna", NULL);
    check_nodes(asset, (int32_t[]){0, 1, 2, 3, 4, 5, 7, -1});
    assert_int_equal(asset->skin_count, 1);
    assert_string_equal(asset->skins[0].name, "Anna");
    assert_int_equal(asset->skins[0].joints[0], asset->skeleton->node_of_source[2]);
    assert_int_equal(asset->mesh_count, 2);
    assert_string_equal(asset->meshes[0].name, "Body");
    assert_string_equal(asset->meshes[1].name, "Hat");
    assert_int_equal(asset->mesh_node_count, 2);
    assert_int_equal(asset->mesh_nodes[0].mesh, 1); // in the order of the file's nodes: the hat first
    assert_int_equal(asset->mesh_nodes[0].skin, -1);
    assert_int_equal(asset->mesh_nodes[1].mesh, 0);
    assert_int_equal(asset->mesh_nodes[1].skin, 0);
    assert_true(asset->mesh_nodes[1].in_scene); // its root is, though it is loaded as a place only
    assert_int_equal(asset->material_count, 2);
    assert_string_equal(asset->materials[0].name, "m0");
    assert_string_equal(asset->materials[1].name, "m2");
    assert_int_equal(asset->meshes[0].primitives[0].material, 1);
    assert_int_equal(asset->meshes[1].primitives[0].material, 0);
    assert_int_equal(asset->texture_count, 2);
    assert_int_equal(asset->materials[0].base_color_texture, 1);
    assert_int_equal(asset->materials[1].base_color_texture, 0);
    assert_int_equal(asset->image_count, 2);
    assert_string_equal(asset->images[asset->textures[1].image].name, "i0");
    assert_memory_equal(asset->images[asset->textures[0].image].bytes, "A2", 2);
    assert_int_equal(asset->clip_count, 1);
    assert_string_equal(asset->clips[0].name, "anna nods");
    assert_int_equal(asset->clips[0].channel_count, 1);
    assert_int_equal(asset->clips[0].channels[0].node, asset->skeleton->node_of_source[1]);
    assert_int_equal(asset->camera_count + asset->light_count, 0);
    sinew_asset_destroy(asset);
}

static void test_a_leaf(void **state) {
    (void)state;
    sinew_asset *asset = load_part("#0", NULL);
    check_nodes(asset, (int32_t[]){0, 1, 2, 3, 5, 7, -1});
    assert_int_equal(asset->skin_count, 0);
    assert_int_equal(asset->mesh_count, 1);
    assert_int_equal(asset->mesh_node_count, 1);
    assert_string_equal(asset->meshes[0].name, "Hat");
    assert_int_equal(asset->clip_count, 1); // the head, on the way up, nods
    sinew_asset_destroy(asset);
}

// Its skin's joints are loaded wherever they are; but what hangs on such a joint is not of the subtree.
static void test_joints_elsewhere(void **state) {
    (void)state;
    sinew_asset *asset = load_part("ben", NULL);
    check_nodes(asset, (int32_t[]){6, 7, 9, -1});
    assert_int_equal(asset->skin_count, 1);
    assert_int_equal(asset->skins[0].joints[1], asset->skeleton->node_of_source[9]);
    assert_int_equal(asset->skeleton->weight_count, 1);
    assert_true(asset->skeleton->rest_weights[0] == 0.5f);
    assert_int_equal(asset->clip_count, 2);
    assert_int_equal(asset->clips[0].channel_count, 1); // of the nod, what moves him
    assert_int_equal(asset->clips[1].channel_count, 2);
    assert_int_equal(asset->camera_count, 0);
    assert_int_equal(asset->texture_count, 0);
    sinew_asset_destroy(asset);
}

static void test_cameras_and_lights_of_a_subtree(void **state) {
    (void)state;
    sinew_asset *asset = load_part("#8", NULL);
    check_nodes(asset, (int32_t[]){7, 8, -1});
    assert_int_equal(asset->light_count, 1);
    assert_string_equal(asset->lights[0].name, "lamp");
    assert_int_equal(asset->light_nodes[0].light, 0);
    assert_int_equal(asset->clip_count, 0);
    sinew_asset_destroy(asset);

    asset = load_part("eye", NULL);
    check_nodes(asset, (int32_t[]){9, -1});
    assert_int_equal(asset->camera_node_count, 1);
    assert_false(asset->camera_nodes[0].in_scene);
    assert_int_equal(asset->light_count, 0);
    sinew_asset_destroy(asset);
}

// ---- Skins -----------------------------------------------------------------------------------------------------

// Its joints, what is above them and who wears it: not the hat, which hangs on a joint.
static void test_a_skin(void **state) {
    (void)state;
    sinew_asset *asset = load_part(NULL, "Anna");
    check_nodes(asset, (int32_t[]){1, 2, 3, 4, 5, 7, -1});
    assert_int_equal(asset->skin_count, 1);
    assert_int_equal(asset->skins[0].joint_count, 2);
    assert_int_equal(asset->mesh_node_count, 1);
    assert_int_equal(asset->mesh_nodes[0].node, asset->skeleton->node_of_source[4]);
    assert_int_equal(asset->mesh_nodes[0].skin, 0);
    assert_string_equal(asset->meshes[0].name, "Body");
    assert_int_equal(asset->image_count, 1);
    assert_int_equal(asset->clip_count, 1);
    sinew_asset_destroy(asset);

    asset = load_part(NULL, "#1");
    check_nodes(asset, (int32_t[]){6, 7, 9, -1});
    assert_int_equal(asset->camera_count, 0); // the eye is a joint, and no more
    sinew_asset_destroy(asset);

    asset = load_part(NULL, "Nobody");
    check_nodes(asset, (int32_t[]){3, 5, 7, -1});
    assert_int_equal(asset->skin_count, 1);
    assert_int_equal(asset->mesh_node_count, 0);
    sinew_asset_destroy(asset);
}

static void test_both(void **state) {
    (void)state;
    sinew_asset *asset = load_part("hat", "#1");
    check_nodes(asset, (int32_t[]){0, 1, 2, 3, 5, 6, 7, 9, -1});
    assert_int_equal(asset->mesh_count, 2);
    assert_int_equal(asset->skin_count, 1);
    assert_int_equal(asset->mesh_nodes[1].skin, 0);
    sinew_asset_destroy(asset);
}

// ---- What is asked for and is not there --------------------------------------------------------------------------

static void refuse_part(const char *subtree, const char *skin, sinew_result expected, const char *text) {
    sinew_asset *asset = (sinew_asset *)(uintptr_t)1;
    sinew_error error = {0};
    sinew_result result = load_level(subtree, skin, &asset, &error);
    check_contains(error.message, text);
    assert_int_equal(result, expected);
    assert_null(asset);
}

static void test_unknown_names(void **state) {
    (void)state;
    const sinew_result bad = SINEW_ERROR_ARGUMENT;
    refuse_part("Anna", NULL, bad,
                "only_subtree: there is no node 'Anna'; the glTF file has 'hat', 'head', 'hip', 'bones', 'body', "
                "'anna' and 4 "
                "more");
    refuse_part(NULL, "anna", bad, "only_skin: there is no skin 'anna'; the glTF file has 'Anna', #1, 'Nobody'");
    refuse_part("#10", NULL, bad, "there is no node '#10'");
    refuse_part("#", NULL, bad, "there is no node '#'");
    refuse_part("#-1", NULL, bad, "there is no node '#-1'");
    refuse_part("#1x", NULL, bad, "there is no node '#1x'");
    refuse_part("#99999999999999999999", NULL, bad, "there is no node '#99999999999999999999'");
    refuse_part("", NULL, bad, "there is no node ''"); // what has no name is not asked for by it
    char lengthy[600];
    memset(lengthy, 'x', sizeof lengthy);
    lengthy[sizeof lengthy - 1] = '\0';
    refuse_part(lengthy, NULL, bad, "xxx'; the glTF file has 'hat'");
    refuse_part("level", NULL, SINEW_ERROR_FORMAT, "ends at byte 1188 of bufferViews[0]"); // the ground
    refuse_part(NULL, NULL, SINEW_ERROR_FORMAT, "ends at byte 1188 of bufferViews[0]");

    sinew_gltf_options options = sinew_gltf_default();
    sinew_asset *asset;
    sinew_error error = {0};
    const char *empty = "{\"asset\":{\"version\":\"2.0\"}}";
    options.only_skin = "any";
    assert_int_equal(sinew_gltf_load_memory(empty, strlen(empty), &options, &asset, &error), bad);
    check_contains(error.message, "only_skin: there is no skin 'any'; the glTF file has none");
}

// ---- What is read of the bytes ---------------------------------------------------------------------------------

static char read_names[64];

static bool read_named(const char *uri, sinew_bytes *bytes, void *user) {
    static uint8_t data[64];
    (void)user;
    snprintf(read_names + strlen(read_names), sizeof read_names - strlen(read_names), "%s ", uri);
    *bytes = (sinew_bytes){data, sizeof data};
    return true;
}

static void check_read(const char *subtree, const char *expected) {
    char *text = json_quotes(
        "{'asset':{'version':'2.0'},'buffers':[{'uri':'a','byteLength':36},{'uri':'b','byteLength':36}],"
        "'bufferViews':[{'buffer':0,'byteLength':36},{'buffer':1,'byteLength':36}],"
        "'accessors':[{'bufferView':0,'componentType':5126,'type':'VEC3','count':3},"
        "{'bufferView':1,'componentType':5126,'type':'VEC3','count':3}],"
        "'images':[{'uri':'c'},{'uri':'d'}],'textures':[{'source':1},{'source':0}],"
        "'materials':[{'pbrMetallicRoughness':{'baseColorTexture':{'index':0}}},"
        "{'pbrMetallicRoughness':{'baseColorTexture':{'index':1}}}],"
        "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'material':0}]},"
        "{'primitives':[{'attributes':{'POSITION':1},'material':1}]}],'nodes':[{'mesh':0},{'mesh':1},{}]}");
    sinew_gltf_options options = sinew_gltf_default();
    options.reader.read = read_named;
    options.only_subtree = subtree;
    read_names[0] = '\0';
    sinew_asset *asset;
    sinew_error error = {0};
    if (sinew_gltf_load_memory(text, strlen(text), &options, &asset, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    free(text);
    assert_string_equal(read_names, expected);
    sinew_asset_destroy(asset);
}

static void test_what_nothing_uses_is_not_read(void **state) {
    (void)state;
    check_read(NULL, "c d a b ");
    check_read("#0", "d a ");
    check_read("#1", "c b ");
    check_read("#2", "");
}

// ---- Memory and hostile files ------------------------------------------------------------------------------------

static void test_running_out_of_memory_leaves_nothing(void **state) {
    (void)state;
    size_t size;
    uint8_t *glb = write_level(&size);
    counting c = {0};
    sinew_gltf_options options = sinew_gltf_default();
    options.allocator = counting_allocator(&c);
    options.only_subtree = "anna";
    options.only_skin = "#1";
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    for (c.fail_at = 1; result != SINEW_OK; c.fail_at++) {
        sinew_asset *asset;
        sinew_error error = {0};
        c.allocations = 0;
        result = sinew_gltf_load_memory(glb, size, &options, &asset, &error);
        if (result == SINEW_OK) sinew_asset_destroy(asset);
        if (result != SINEW_OK) assert_int_equal(result, SINEW_ERROR_OUT_OF_MEMORY);
        assert_int_equal(c.live, 0);
    }
    assert_true(c.fail_at > 3);
    free(glb);
}

// The file is also checked when it's loaded this way.
static void refuse_sections(const char *sections, const char *text) {
    char whole[1024];
    snprintf(whole, sizeof whole, "{'asset':{'version':'2.0'},%s}", sections);
    char *quoted = json_quotes(whole);
    sinew_gltf_options options = sinew_gltf_default();
    options.only_subtree = "#0";
    sinew_asset *asset;
    sinew_error error = {0};
    sinew_result result = sinew_gltf_load_memory(quoted, strlen(quoted), &options, &asset, &error);
    free(quoted);
    check_contains(error.message, text);
    assert_int_equal(result, SINEW_ERROR_FORMAT);
}

static void test_bad_files(void **state) {
    (void)state;
    refuse_sections("'nodes':[{'mesh':1}],'meshes':[{}]", "nodes[0].mesh: 1 is out of range");
    refuse_sections("'nodes':[{'mesh':0,'skin':2}],'meshes':[{}]", "nodes[0].skin: 2 is out of range");
    refuse_sections("'nodes':[{'camera':0}]", "nodes[0].camera: 0 is out of range");
    refuse_sections("'nodes':[{'mesh':0,'skin':0}],'meshes':[{}],'skins':[{'joints':[7]}]",
                    "skins[0].joints[0]: 7 is out of range");
    refuse_sections("'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'material':3}]}]",
                    "meshes[0].primitives[0].material: 3 is out of range");
    refuse_sections("'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'material':0}]}],'materials':["
                    "{'pbrMetallicRoughness':{'baseColorTexture':{'index':0}}}]",
                    "baseColorTexture.index: 0 is out of range");
    refuse_sections("'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'material':0}]}],'textures':[{'source':4}],"
                    "'materials':[{'pbrMetallicRoughness':{'baseColorTexture':{'index':0}}}]",
                    "textures[0].source: 4 is out of range");
    refuse_sections("'nodes':[{'children':[1]},{'children':[0]}]", "the node is its own ancestor");
    refuse_sections("'nodes':[{'children':[1,1]},{}]", "nodes[1] is already a child of nodes[0]");
}

// A chain of many nodes is found without recursion, and in a time that grows with it.
static void test_a_long_chain(void **state) {
    (void)state;
    enum { COUNT = 60000 };
    gltf_text text = {NULL, 0, 0};
    for (int i = 0; i < COUNT; i++) { // each the child of the one behind it
        char node[40];
        int length = snprintf(node, sizeof node, i == 0 ? "{}" : ",{'children':[%d]}", i - 1);
        gltf_append(&text, node, (size_t)length);
    }
    gltf_builder b = gltf_begin();
    gltf_section(&b, "'nodes':[%s]", text.data);
    free(text.data);
    size_t size;
    uint8_t *glb = gltf_write_glb(&b, &size);
    gltf_end(&b);
    sinew_gltf_options options = sinew_gltf_default();
    const char *const roots[2] = {"#59999", "#0"}; // the top, with all below it; and the end, with all above it
    for (int i = 0; i < 2; i++) {
        sinew_asset *asset;
        options.only_subtree = roots[i];
        assert_int_equal(sinew_gltf_load_memory(glb, size, &options, &asset, NULL), SINEW_OK);
        assert_int_equal(asset->skeleton->node_count, COUNT);
        sinew_asset_destroy(asset);
    }
    free(glb);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_character),
        cmocka_unit_test(test_a_leaf),
        cmocka_unit_test(test_joints_elsewhere),
        cmocka_unit_test(test_cameras_and_lights_of_a_subtree),
        cmocka_unit_test(test_a_skin),
        cmocka_unit_test(test_both),
        cmocka_unit_test(test_unknown_names),
        cmocka_unit_test(test_what_nothing_uses_is_not_read),
        cmocka_unit_test(test_running_out_of_memory_leaves_nothing),
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_a_long_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
