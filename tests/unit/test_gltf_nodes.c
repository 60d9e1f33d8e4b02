// SPDX-License-Identifier: MIT
// Nodes, skins, morph weights, scenes and instances.
#include "support/gltf_builder.h"

#include <math.h>
#include <stdio.h>

static sinew_asset *load_nodes(const char *nodes, gltf_lines *lines) {
    gltf_builder b = gltf_begin();
    gltf_section(&b, "'nodes':[%s]", nodes);
    return gltf_load(&b, lines);
}

static void refuse_nodes(const char *nodes, const char *text) {
    gltf_builder b = gltf_begin();
    gltf_section(&b, "'nodes':[%s]", nodes);
    gltf_refuse(&b, SINEW_ERROR_FORMAT, text);
}

static const sinew_transform *rest_of(const sinew_asset *asset, int32_t source) {
    return &asset->skeleton->rest[asset->skeleton->node_of_source[source]];
}

// ---- Hierarchy -----------------------------------------------------------------------------------------------

// Pitfall 1. Mistake: taking the file's order for the order of computation.
static void test_children_may_stand_before_parents(void **state) {
    (void)state;
    sinew_asset *asset =
        load_nodes("{'name':'hand'},{'name':'arm','children':[0]},{'name':'root','children':[3,1]},"
                   "{'name':'head'}",
                   NULL);
    const sinew_skeleton *s = asset->skeleton;
    const char *names[4] = {"root", "head", "arm", "hand"}; // each behind its parent
    const int32_t parents[4] = {-1, 0, 0, 2};
    assert_int_equal(s->node_count, 4);
    for (int32_t i = 0; i < 4; i++) {
        int32_t node = sinew_skeleton_find(s, names[i]);
        assert_true(node >= 0);
        int32_t parent = s->parents[node];
        assert_true(parent < node);
        if (parents[i] < 0) {
            assert_int_equal(parent, SINEW_NO_NODE);
        } else {
            assert_string_equal(s->names[parent], names[parents[i]]);
        }
    }
    assert_string_equal(s->names[s->node_of_source[0]], "hand");
    assert_int_equal(s->source_of_node[s->node_of_source[3]], 3);
    sinew_asset_destroy(asset);
}

static void test_names(void **state) {
    (void)state; // pitfall 20: missing, repeated, not ASCII, escaped
    sinew_asset *asset =
        load_nodes("{},{'name':'Kopf \xC3\xA4'},{'name':'Kopf \xC3\xA4'},{'name':'\\u00e4\\uD83E\\uDDB4'},"
                   "{'name':''},{'name':'a\\n\\\\b'}",
                   NULL);
    const sinew_skeleton *s = asset->skeleton;
    const char *expected[6] = {"", "Kopf \xC3\xA4", "Kopf \xC3\xA4", "\xC3\xA4\xF0\x9F\xA6\xB4", "", "a\n\\b"};
    for (int32_t i = 0; i < 6; i++) assert_string_equal(s->names[s->node_of_source[i]], expected[i]);
    sinew_asset_destroy(asset);
}

static void test_bad_hierarchies(void **state) {
    (void)state;
    refuse_nodes("{'children':[0]}", "nodes[0]: the node is its own ancestor");
    refuse_nodes("{},{'children':[2]},{'children':[3]},{'children':[1]}", "the node is its own ancestor");
    refuse_nodes("{'children':[2]},{'children':[2]},{}",
                 "nodes[1].children[0]: nodes[2] is already a child of nodes[0]");
    refuse_nodes("{'children':[1,1]},{}", "nodes[0].children[1]: nodes[1] is already a child of nodes[0]");
    refuse_nodes("{'children':[1]}", "nodes[0].children[0]: 1 is out of range: the file has 1 nodes");
    refuse_nodes("{'children':[-1]}", "nodes[0].children[0]: -1");
    refuse_nodes("{'children':[0.5]}", "nodes[0].children[0]: 0.5");
    refuse_nodes("{'children':[4294967296]},{}", "nodes[0].children[0]: 4294967296");
    refuse_nodes("{'children':['a']}", "nodes[0].children[0]: \"a\" is not a number");
    refuse_nodes("{'children':1}", "nodes[0].children: 1 is not an array");
    refuse_nodes("7", "nodes[0]: 7 is not an object");
    refuse_nodes("{'mesh':0}", "nodes[0].mesh: 0 is out of range: the file has 0 meshes");
    refuse_nodes("{'skin':0}", "nodes[0].skin: 0 is out of range: the file has 0 skins");
    refuse_nodes("{'name':5}", "nodes[0].name: 5 is not a string");
}

static void test_a_long_chain_is_no_recursion(void **state) {
    (void)state;
    enum { COUNT = 60000 };
    gltf_text nodes = {NULL, 0, 0};
    for (int i = 0; i < COUNT; i++) { // each the child of the one behind it
        char node[40];
        int length = snprintf(node, sizeof node, i == 0 ? "{}" : ",{'children':[%d]}", i - 1);
        gltf_append(&nodes, node, (size_t)length);
    }
    sinew_asset *asset = load_nodes(nodes.data, NULL);
    free(nodes.data);
    assert_int_equal(asset->skeleton->node_count, COUNT);
    assert_int_equal(asset->skeleton->node_of_source[0], COUNT - 1);
    sinew_asset_destroy(asset);
}

// ---- Transforms ----------------------------------------------------------------------------------------------

static void test_defaults_and_trs(void **state) {
    (void)state;
    sinew_asset *asset = load_nodes("{},{'translation':[1,2,3],'rotation':[0,0,1,0],'scale':[4,5,6]}", NULL);
    check_floats(&rest_of(asset, 0)->translation.x, (float[10]){0, 0, 0, 0, 0, 0, 1, 1, 1, 1}, 10, 0.0f);
    check_floats(&rest_of(asset, 1)->translation.x, (float[10]){1, 2, 3, 0, 0, 1, 0, 4, 5, 6}, 10, 0.0f);
    sinew_asset_destroy(asset);
}

// Pitfall 3. The matrix is columns: 90° about z (x goes to y), scaled by 2, 3, 4 before, then moved by 5, 6, 7.
// Mistake: reading it row after row.
static void test_matrix(void **state) {
    (void)state;
    gltf_lines lines;
    sinew_asset *asset = load_nodes("{'matrix':[0,2,0,0, -3,0,0,0, 0,0,4,0, 5,6,7,1]}", &lines);
    float h = sqrtf(0.5f);
    const sinew_transform *t = rest_of(asset, 0);
    check_floats(&t->translation.x, (float[3]){5, 6, 7}, 3, 0.0f);
    float sign = t->rotation.w < 0 ? -1.0f : 1.0f;
    check_floats(&t->rotation.x, (float[4]){0, 0, sign * h, sign * h}, 4, 1e-6f);
    check_floats(&t->scale.x, (float[3]){2, 3, 4}, 3, 1e-6f);
    assert_int_equal(lines.count, 0);
    sinew_asset_destroy(asset);
}

static void test_mirrored_matrix(void **state) {
    (void)state; // however it's split, composing must give the matrix again
    sinew_asset *asset = load_nodes("{'matrix':[1,0,0,0, 0,-2,0,0, 0,0,1,0, 0,0,0,1]}", NULL);
    sinew_affine m = sinew_affine_from_transform(*rest_of(asset, 0));
    check_floats(&m.m[0][0], (float[12]){1, 0, 0, 0, 0, -2, 0, 0, 0, 0, 1, 0}, 12, 1e-6f);
    sinew_asset_destroy(asset);
}

static void test_bad_transforms(void **state) {
    (void)state;
    refuse_nodes("{'translation':[1,2]}", "nodes[0].translation: has 2 numbers instead of 3");
    refuse_nodes("{'translation':[1,2,'3']}", "nodes[0].translation[2]: \"3\" is not a number");
    refuse_nodes("{'scale':[1,2,1e39]}", "nodes[0].scale[2]: 1e39 is not within the range of a float");
    refuse_nodes("{'rotation':[0,0,0,1,0]}", "nodes[0].rotation: has 5 numbers instead of 4");
    refuse_nodes("{'rotation':7}", "nodes[0].rotation: 7 is not an array of numbers");
    refuse_nodes("{'matrix':[1,0,0,0]}", "nodes[0].matrix: has 4 numbers instead of 16");
    refuse_nodes("{'matrix':[1e999,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]}", "nodes[0].matrix[0]: 1e999");
}

// ---- Morph weights -------------------------------------------------------------------------------------------

// A mesh of one triangle with two morph targets, and these members.
static gltf_builder morphed(const char *mesh_members, const char *nodes) {
    static const float zeros[9] = {0};
    gltf_builder b = gltf_begin();
    int positions = gltf_floats(&b, "VEC3", 3, zeros);
    gltf_section(&b,
                 "'meshes':[{'primitives':[{'attributes':{'POSITION':%d},'targets':[{'POSITION':0},{}]}]%s},{}]",
                 positions, mesh_members);
    gltf_section(&b, "'nodes':[%s]", nodes);
    return b;
}

static void check_weights(const sinew_asset *asset, int32_t source, const float *expected, int32_t count) {
    const sinew_skeleton *s = asset->skeleton;
    int32_t node = s->node_of_source[source];
    assert_int_equal(s->weight_offsets[node + 1] - s->weight_offsets[node], count);
    check_floats(s->rest_weights + s->weight_offsets[node], expected, (size_t)count, 0.0f);
}

static void test_weights_of_node_then_mesh_then_zero(void **state) {
    (void)state;
    gltf_builder b = morphed(",'weights':[0.25,0.5]", "{'mesh':0,'weights':[0.75,1]},{'mesh':0},{},{'mesh':1}");
    sinew_asset *asset = gltf_load(&b, NULL);
    check_weights(asset, 0, (float[2]){0.75f, 1}, 2);
    check_weights(asset, 1, (float[2]){0.25f, 0.5f}, 2);
    check_weights(asset, 2, NULL, 0);
    check_weights(asset, 3, NULL, 0);
    sinew_asset_destroy(asset);

    b = morphed("", "{'mesh':0}");
    asset = gltf_load(&b, NULL);
    check_weights(asset, 0, (float[2]){0, 0}, 2);
    sinew_asset_destroy(asset);
}

static void test_weights_of_another_length_are_fitted(void **state) {
    (void)state;
    gltf_lines lines;
    gltf_builder b = morphed("", "{'mesh':0,'weights':[1]},{'mesh':0,'weights':[1,2,3]}");
    sinew_asset *asset = gltf_load(&b, &lines);
    check_weights(asset, 0, (float[2]){1, 0}, 2);
    check_weights(asset, 1, (float[2]){1, 2}, 2);
    check_contains(lines.text, "nodes[0].weights: 1 weights for 2 morph targets");
    check_contains(lines.text, "nodes[1].weights: 3 weights for 2 morph targets");
    sinew_asset_destroy(asset);
}

// ---- Skins ---------------------------------------------------------------------------------------------------

// Two inverse binds: a move by (-1, -2, -3), and a scale by 2 with a move by (4, 5, 6), column after column.
static const float binds[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, -2, -3, 1,
                                2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 4,  5,  6,  1};

static void test_several_skins(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    int matrices = gltf_floats(&b, "MAT4", 2, binds);
    gltf_section(&b, "'nodes':[{'name':'hand'},{'children':[0]},{'name':'root','children':[1]}]");
    gltf_section(&b,
                 "'skins':[{'name':'first','joints':[0,2],'inverseBindMatrices':%d},{'joints':[2,1,0]},"
                 "{'joints':[1],'inverseBindMatrices':%d,'skeleton':2}]",
                 matrices, matrices);
    sinew_asset *asset = gltf_load(&b, NULL);
    assert_int_equal(asset->skin_count, 3);
    const sinew_skin *first = &asset->skins[0], *second = &asset->skins[1];
    const int32_t *node_of = asset->skeleton->node_of_source;
    assert_string_equal(first->name, "first");
    assert_string_equal(second->name, "");
    assert_ptr_equal(first->skeleton, asset->skeleton);
    assert_int_equal(first->joint_count, 2);
    assert_int_equal(first->joints[0], node_of[0]); // in the skin's order, as nodes of the skeleton
    assert_int_equal(first->joints[1], node_of[2]);
    check_floats(&first->inverse_binds[0].m[0][0], (float[12]){1, 0, 0, -1, 0, 1, 0, -2, 0, 0, 1, -3}, 12, 0.0f);
    check_floats(&first->inverse_binds[1].m[0][0], (float[12]){2, 0, 0, 4, 0, 2, 0, 5, 0, 0, 2, 6}, 12, 0.0f);
    assert_int_equal(second->joint_count, 3);
    for (int32_t i = 0; i < 3; i++) { // pitfall 3: no matrices are identities
        assert_int_equal(second->joints[i], node_of[2 - i]);
        check_floats(&second->inverse_binds[i].m[0][0], (float[12]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, 12, 0.0f);
    }
    assert_int_equal(asset->skins[2].joint_count, 1); // more matrices than joints are fine
    sinew_asset_destroy(asset);
}

static void refuse_skin(const char *skin, const char *text) {
    gltf_builder b = gltf_begin();
    gltf_floats(&b, "MAT4", 2, binds);
    gltf_floats(&b, "VEC4", 8, binds);
    gltf_section(&b, "'nodes':[{},{},{}],'skins':[{%s}]", skin);
    gltf_refuse(&b, SINEW_ERROR_FORMAT, text);
}

static void test_bad_skins(void **state) {
    (void)state;
    refuse_skin("'joints':[0,1,2],'inverseBindMatrices':0",
                "skins[0].inverseBindMatrices: accessors[0] has 2 matrices for 3 joints");
    refuse_skin("'joints':[0],'inverseBindMatrices':1", "skins[0].inverseBindMatrices: accessors[1] is VEC4");
    refuse_skin("'joints':[0],'inverseBindMatrices':2", "skins[0].inverseBindMatrices: 2 is out of range");
    refuse_skin("'joints':[0,3]", "skins[0].joints[1]: 3 is out of range: the file has 3 nodes");
    refuse_skin("'joints':[]", "skins[0]: has no joints");
    refuse_skin("'name':'x'", "skins[0]: has no joints");
}

// ---- Scenes and instances ------------------------------------------------------------------------------------

static void check_scene(const char *scenes, const bool expected[4]) {
    gltf_builder b = gltf_begin();
    gltf_triangle_mesh(&b, "", "");
    gltf_section(&b, "'nodes':[{'mesh':0},{'mesh':0,'children':[2]},{'children':[0]},{'mesh':0}]%s", scenes);
    sinew_asset *asset = gltf_load(&b, NULL);
    assert_int_equal(asset->mesh_node_count, 3);
    const int32_t sources[3] = {0, 1, 3};
    for (int32_t i = 0; i < 3; i++) {
        const sinew_mesh_node *mesh_node = &asset->mesh_nodes[i];
        assert_int_equal(mesh_node->node, asset->skeleton->node_of_source[sources[i]]);
        assert_int_equal(mesh_node->mesh, 0);
        assert_int_equal(mesh_node->skin, -1);
        assert_int_equal(mesh_node->in_scene, expected[sources[i]]);
    }
    sinew_asset_destroy(asset);
}

static void test_scenes(void **state) {
    (void)state;
    check_scene("", (bool[4]){true, true, true, true});
    check_scene(",'scenes':[{'nodes':[3]},{'nodes':[1]}]", (bool[4]){false, false, false, true});
    check_scene(",'scene':1,'scenes':[{'nodes':[3]},{'nodes':[1]}]", (bool[4]){true, true, true, false});
    check_scene(",'scene':0,'scenes':[{}]", (bool[4]){false, false, false, false});
}

static void test_bad_scenes(void **state) {
    (void)state;
    gltf_refuse_text("{'asset':{'version':'2.0'},'scene':1,'scenes':[{}]}", SINEW_ERROR_FORMAT,
                     "scene: 1 is out of range: the file has 1 scenes");
    gltf_refuse_text("{'asset':{'version':'2.0'},'scenes':[{'nodes':[0]}]}", SINEW_ERROR_FORMAT,
                     "scenes[0].nodes[0]: 0 is out of range: the file has 0 nodes");
}

// A triangle on a skin of two joints; joints of its three vertices.
static gltf_builder skinned(const uint8_t joints[12], const float weights[12]) {
    gltf_builder b = gltf_begin();
    gltf_accessor(&b, joints, 12, U8, "VEC4", 3);
    gltf_floats(&b, "VEC4", 3, weights);
    gltf_triangle_mesh(&b, ",'JOINTS_0':0,'WEIGHTS_0':1", "");
    gltf_section(&b, "'nodes':[{},{'mesh':0,'skin':0}],'skins':[{'joints':[0,1]}]");
    return b;
}

static void test_joints_are_checked_against_the_skin(void **state) {
    (void)state;
    const float weights[12] = {1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 1, 0, 0, 0};
    gltf_builder b = skinned((uint8_t[12]){0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, weights);
    sinew_asset *asset = gltf_load(&b, NULL);
    assert_int_equal(asset->mesh_nodes[0].skin, 0);
    sinew_asset_destroy(asset);

    b = skinned((uint8_t[12]){0, 0, 0, 0, 1, 2, 0, 0, 1, 0, 0, 0}, weights);
    gltf_refuse(&b, SINEW_ERROR_FORMAT,
                "meshes[0].primitives[0]: a vertex uses joint 2, but skins[0] (of nodes[1]) has 2");

    b = skinned((uint8_t[12]){0, 0, 0, 250, 1, 0, 9, 0, 1, 0, 0, 0}, weights); // rubbish, but of weight 0
    asset = gltf_load(&b, NULL);
    assert_memory_equal(asset->meshes[0].primitives[0].joints, ((uint16_t[12]){0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}),
                        24);
    sinew_asset_destroy(asset);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_children_may_stand_before_parents),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_bad_hierarchies),
        cmocka_unit_test(test_a_long_chain_is_no_recursion),
        cmocka_unit_test(test_defaults_and_trs),
        cmocka_unit_test(test_matrix),
        cmocka_unit_test(test_mirrored_matrix),
        cmocka_unit_test(test_bad_transforms),
        cmocka_unit_test(test_weights_of_node_then_mesh_then_zero),
        cmocka_unit_test(test_weights_of_another_length_are_fitted),
        cmocka_unit_test(test_several_skins),
        cmocka_unit_test(test_bad_skins),
        cmocka_unit_test(test_scenes),
        cmocka_unit_test(test_bad_scenes),
        cmocka_unit_test(test_joints_are_checked_against_the_skin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
