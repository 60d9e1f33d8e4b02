// SPDX-License-Identifier: MIT
// Meshes: triangles, attributes, influences, morph targets, materials and images.
#include "support/gltf_builder.h"

#include <math.h>
#include <stdio.h>

// ---- Triangles -----------------------------------------------------------------------------------------------

static const float five[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0};

// Five vertices and these members. The indices, if any, are accessor 1.
static sinew_asset *load_mode(const char *members, const uint8_t *indices, int count, gltf_lines *lines) {
    gltf_builder b = gltf_begin();
    gltf_floats(&b, "VEC3", 5, five);
    if (indices) gltf_accessor(&b, indices, (size_t)count, U8, "SCALAR", count);
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':0}%s%s}]}]", indices ? ",'indices':1" : "",
                 members);
    return gltf_load(&b, lines);
}

static void check_mode(const char *members, const uint8_t *indices, int count, const uint32_t *expected,
                       int expected_count) {
    sinew_asset *asset = load_mode(members, indices, count, NULL);
    const sinew_primitive *p = &asset->meshes[0].primitives[0];
    assert_int_equal(p->vertex_count, 5);
    assert_int_equal(p->index_count, expected_count);
    assert_memory_equal(p->indices, expected, (size_t)expected_count * sizeof *expected);
    sinew_asset_destroy(asset);
}

// glTF 2.0, section 3.7.2.1. Mistake: taking a strip's triangles all the same way round, or a fan's centre last.
static void test_topologies(void **state) {
    (void)state;
    const uint8_t order[6] = {4, 3, 2, 1, 0, 4};
    check_mode("", order, 6, (uint32_t[6]){4, 3, 2, 1, 0, 4}, 6);
    check_mode(",'mode':4", NULL, 0, (uint32_t[3]){0, 1, 2}, 3); // the last two of five corners make no triangle
    check_mode(",'mode':5", NULL, 0, (uint32_t[9]){0, 1, 2, 1, 3, 2, 2, 3, 4}, 9);
    check_mode(",'mode':5", order, 4, (uint32_t[6]){4, 3, 2, 3, 1, 2}, 6);
    check_mode(",'mode':6", NULL, 0, (uint32_t[9]){1, 2, 0, 2, 3, 0, 3, 4, 0}, 9);
    check_mode(",'mode':6", order, 4, (uint32_t[6]){3, 2, 4, 2, 1, 4}, 6);
    check_mode(",'mode':5", order, 2, NULL, 0);
}

static void test_points_and_lines_stay_as_empty_entries(void **state) {
    (void)state;
    for (int mode = 0; mode < 4; mode++) {
        char members[20];
        snprintf(members, sizeof members, ",'mode':%d", mode);
        gltf_lines lines;
        sinew_asset *asset = load_mode(members, NULL, 0, &lines);
        assert_int_equal(asset->meshes[0].primitive_count, 1);
        assert_int_equal(asset->meshes[0].primitives[0].index_count, 0);
        check_contains(lines.text, "meshes[0].primitives[0]: points and lines are ignored");
        sinew_asset_destroy(asset);
    }
}

static void refuse_primitive(const char *primitive, const char *text) {
    gltf_builder b = gltf_begin();
    gltf_floats(&b, "VEC3", 5, five);
    gltf_accessor(&b, (uint8_t[3]){0, 4, 5}, 3, U8, "SCALAR", 3);
    gltf_accessor(&b, (int8_t[3]){0, 4, 3}, 3, I8, "SCALAR", 3);
    gltf_floats(&b, "VEC3", 4, five);
    gltf_section(&b, "'meshes':[{},{'primitives':[{%s}]}]", primitive);
    gltf_refuse(&b, SINEW_ERROR_FORMAT, text);
}

static void test_bad_primitives(void **state) {
    (void)state;
    refuse_primitive("'attributes':{'POSITION':0},'indices':1",
                     "meshes[1].primitives[0].indices: index 5 is out of range: the primitive has 5 vertices");
    refuse_primitive("'attributes':{'POSITION':0},'indices':2",
                     "accessors[2]: the elements must be unsigned integers");
    refuse_primitive("'attributes':{'POSITION':0},'indices':0", "indices: accessors[0] is VEC3 instead of SCALAR");
    refuse_primitive("'attributes':{'POSITION':0},'indices':9", "indices: 9 is out of range");
    refuse_primitive("'attributes':{'POSITION':0},'mode':7", "meshes[1].primitives[0].mode: 7");
    refuse_primitive("'attributes':{'POSITION':0},'material':0",
                     "material: 0 is out of range: the file has 0 materials");
    refuse_primitive("'attributes':{'POSITION':9}", "attributes.POSITION: 9 is out of range");
    refuse_primitive("'attributes':{'POSITION':1}", "attributes.POSITION: accessors[1] is SCALAR instead of VEC3");
    refuse_primitive("'attributes':{'POSITION':0,'NORMAL':3}",
                     "attributes.NORMAL: accessors[3] has 4 elements instead of 5");
    refuse_primitive("'attributes':{'POSITION':0},'targets':[{'POSITION':3}]",
                     "targets[0].POSITION: accessors[3] has 4 elements instead of 5");
    refuse_primitive("'attributes':{'POSITION':0},'targets':[{}]},{'attributes':{'POSITION':0}",
                     "meshes[1].primitives[1]: has 0 morph targets, but the mesh's first primitive has 1");
    refuse_primitive("'attributes':{'POSITION':0,'JOINTS_0':1}",
                     "attributes.JOINTS_0: accessors[1] is SCALAR instead of VEC4");
    refuse_primitive("'attributes':7", "meshes[1].primitives[0].attributes: 7 is not an object");
}

static void test_without_positions(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_lines lines;
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{},'targets':[{}]},{}]},{'name':'empty'}]");
    gltf_refuse(&b, SINEW_ERROR_FORMAT, "has 0 morph targets");
    b = gltf_begin();
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{},'targets':[{}]}]},{'name':'empty'}]");
    sinew_asset *asset = gltf_load(&b, &lines);
    const sinew_primitive *p = &asset->meshes[0].primitives[0];
    assert_int_equal(p->vertex_count, 0);
    assert_int_equal(p->index_count, 0);
    assert_int_equal(p->target_count, 1);
    assert_null(p->target_positions[0]);
    assert_int_equal(asset->meshes[1].primitive_count, 0);
    assert_string_equal(asset->meshes[1].name, "empty");
    check_contains(lines.text, "meshes[0].primitives[0]: left empty, because it has no positions");
    sinew_asset_destroy(asset);
}

// ---- Attributes ----------------------------------------------------------------------------------------------

static void test_normals_and_tangents(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_floats(&b, "VEC3", 3, (float[9]){0, 0, 1, 3, 0, 4, 0, 0, 0});
    gltf_floats(&b, "VEC4", 3, (float[12]){1, 0, 0, 1, 1, 0, 0, -1, 0, 1, 0, 1});
    gltf_triangle_mesh(&b, ",'NORMAL':0,'TANGENT':1", "");
    sinew_asset *asset = gltf_load(&b, NULL);
    const sinew_primitive *p = &asset->meshes[0].primitives[0];
    check_floats(p->normals, (float[9]){0, 0, 1, 0.6f, 0, 0.8f, 0, 0, 0}, 9, 1e-6f); // made unit
    check_floats(p->tangents, (float[12]){1, 0, 0, 1, 1, 0, 0, -1, 0, 1, 0, 1}, 12, 0.0f);
    assert_null(p->uvs);
    assert_null(p->colors);
    assert_int_equal(p->influences, 0);
    assert_null(p->joints);
    assert_int_equal(p->material, -1);
    sinew_asset_destroy(asset);
}

static void test_missing_normals_stay_missing(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_triangle_mesh(&b, "", "");
    sinew_asset *asset = gltf_load(&b, NULL);
    assert_null(asset->meshes[0].primitives[0].normals);
    sinew_asset_destroy(asset);
}

static void check_colors(int component, bool normalized, const char *type, const void *data, size_t size,
                         const float expected[12]) {
    gltf_builder b = gltf_begin();
    if (normalized) {
        gltf_normalized(&b, data, size, component, type, 3);
    } else {
        gltf_accessor(&b, data, size, component, type, 3);
    }
    gltf_triangle_mesh(&b, ",'COLOR_0':0", "");
    sinew_asset *asset = gltf_load(&b, NULL);
    check_floats(asset->meshes[0].primitives[0].colors, expected, 12, 1e-7f);
    sinew_asset_destroy(asset);
}

static void test_colors(void **state) {
    (void)state;
    const float rgb[12] = {0, 0.2f, 1, 1, 1, 0, 0, 1, 0.4f, 0.6f, 0.8f, 1};
    check_colors(F32, false, "VEC3", (float[9]){0, 0.2f, 1, 1, 0, 0, 0.4f, 0.6f, 0.8f}, 36, rgb);
    check_colors(U16, true, "VEC3", (uint16_t[9]){0, 13107, 65535, 65535, 0, 0, 26214, 39321, 52428}, 18, rgb);
    const uint8_t rgba[12] = {0, 51, 255, 51, 255, 0, 0, 0, 102, 153, 204, 255};
    const float four[12] = {0, 0.2f, 1, 0.2f, 1, 0, 0, 0, 0.4f, 0.6f, 0.8f, 1};
    check_colors(U8, true, "VEC4", rgba, 12, four);
    check_colors(U8, false, "VEC4", rgba, 12, four); // "normalized" was forgotten
}

// ---- Influences ----------------------------------------------------------------------------------------------

static void test_influences(void **state) {
    (void)state; // more than 256 joints, u16 joints and weights; weights that sum to 65535 / 65535
    gltf_builder b = gltf_begin();
    gltf_accessor(&b, (uint16_t[12]){300, 0, 0, 0, 299, 1, 0, 0, 0, 1, 2, 256}, 24, U16, "VEC4", 3);
    gltf_normalized(&b, (uint16_t[12]){65535, 0, 0, 0, 13107, 52428, 0, 0, 16384, 16384, 16384, 16383}, 24, U16,
                    "VEC4", 3);
    gltf_triangle_mesh(&b, ",'JOINTS_0':0,'WEIGHTS_0':1", "");
    gltf_lines lines;
    sinew_asset *asset = gltf_load(&b, &lines);
    const sinew_primitive *p = &asset->meshes[0].primitives[0];
    assert_int_equal(p->influences, 4);
    assert_memory_equal(p->joints, ((uint16_t[12]){300, 0, 0, 0, 299, 1, 0, 0, 0, 1, 2, 256}), 24);
    const float q = 16384.0f / 65535, r = 16383.0f / 65535;
    check_floats(p->weights, (float[12]){1, 0, 0, 0, 0.2f, 0.8f, 0, 0, q, q, q, r}, 12, 1e-7f);
    assert_int_equal(lines.count, 0);
    sinew_asset_destroy(asset);
}

// Pitfall 11. Mistake: dropping the second set, or laying the sets one behind the other instead of side by side.
static void test_eight_influences(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_accessor(&b, (uint8_t[12]){1, 2, 3, 4, 1, 2, 3, 4, 9, 9, 9, 9}, 12, U8, "VEC4", 3);
    gltf_normalized(&b, (uint8_t[12]){51, 51, 51, 0, 51, 0, 0, 0, 51, 51, 51, 102}, 12, U8, "VEC4", 3);
    gltf_accessor(&b, (uint8_t[12]){5, 6, 7, 8, 5, 6, 7, 8, 0, 0, 0, 0}, 12, U8, "VEC4", 3);
    gltf_normalized(&b, (uint8_t[12]){0, 51, 51, 0, 0, 0, 0, 204, 0, 0, 0, 0}, 12, U8, "VEC4", 3);
    gltf_triangle_mesh(&b, ",'JOINTS_0':0,'WEIGHTS_0':1,'JOINTS_1':2,'WEIGHTS_1':3", "");
    gltf_lines lines;
    sinew_asset *asset = gltf_load(&b, &lines);
    const sinew_primitive *p = &asset->meshes[0].primitives[0];
    assert_int_equal(p->influences, 8);
    const uint16_t joints[24] = {1, 2, 3, 0, 0, 6, 7, 0, 1, 0, 0, 0, 0, 0, 0, 8, 9, 9, 9, 9, 0, 0, 0, 0};
    assert_memory_equal(p->joints, joints, sizeof joints); // joints of weight 0 are 0
    check_floats(p->weights, (float[24]){0.2f, 0.2f, 0.2f, 0,    0,    0.2f, 0.2f, 0,    0.2f, 0, 0, 0,
                                         0,    0,    0,    0.8f, 0.2f, 0.2f, 0.2f, 0.4f, 0,    0, 0, 0},
                 24, 1e-7f);
    assert_int_equal(lines.count, 0);
    sinew_asset_destroy(asset);
}

// Pitfall 12. Mistake: dividing by the sum of one set, or not at all.
static void test_weights_are_made_to_sum_to_1(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_accessor(&b, (uint8_t[20]){1, 2, 0, 0, 1, 2, 0, 0, 1, 2, 0, 0, 5, 6, 7, 8, 1, 2, 3, 4}, 20, U8, "VEC4", 5);
    gltf_floats(&b, "VEC4", 5, (float[20]){1.35f, 0.45f, 0, 0, 0.1f, 0.1f,  0,    0, 0.25f, 0.75f, 0, 0, //
                                           0,     0,     0, 0, 0.5f, -0.5f, 0.5f, 0});
    gltf_floats(&b, "VEC3", 5, five);
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':2,'JOINTS_0':0,'WEIGHTS_0':1}}]}]");
    gltf_lines lines;
    sinew_asset *asset = gltf_load(&b, &lines);
    const sinew_primitive *p = &asset->meshes[0].primitives[0];
    check_floats(p->weights, (float[20]){0.75f, 0.25f, 0, 0, 0.5f, 0.5f, 0,    0, 0.25f, 0.75f, 0, 0, //
                                         1,     0,     0, 0, 0.5f, 0,    0.5f, 0},
                 20, 1e-7f);
    assert_int_equal(p->joints[12], 0); // no weights at all: joint 0
    check_contains(lines.text, "meshes[0].primitives[0]: 2 of 5 vertices have weights that do not sum to 1");
    check_contains(lines.text,
                   "meshes[0].primitives[0]: 1 of 5 vertices have negative weights, which are set to 0");
    check_contains(lines.text,
                   "meshes[0].primitives[0]: 1 of 5 vertices have no weights; they get weight 1 for joint 0");
    sinew_asset_destroy(asset);
}

// Exporters write NaN where they divide by a sum of 0. Catches a file that is refused for a few such vertices, NaN that
// reaches the asset, and weights that are made up from what stands next to NaN or infinity.
static void test_weights_that_are_not_finite(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_accessor(&b, (uint8_t[20]){1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4}, 20, U8, "VEC4", 5);
    gltf_floats(&b, "VEC4", 5, (float[20]){NAN, NAN, NAN, NAN, 0.5f, 0.5f,      0, 0, 0.5f, NAN, 0.5f, 0, //
                                           0,   0,   0,   1,   0,    -INFINITY, 1, 0});
    gltf_floats(&b, "VEC3", 5, five);
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':2,'JOINTS_0':0,'WEIGHTS_0':1}}]}]");
    gltf_lines lines;
    sinew_asset *asset = gltf_load(&b, &lines);
    const sinew_primitive *p = &asset->meshes[0].primitives[0];
    check_floats(p->weights, (float[20]){1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0}, 20,
                 0.0f);
    const uint16_t joints[20] = {0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0};
    assert_memory_equal(p->joints, joints, sizeof joints);
    check_contains(
        lines.text,
        "meshes[0].primitives[0]: 3 of 5 vertices have weights that are not finite; they get weight 1 for joint 0");
    if (strstr(lines.text, "have no weights")) fail_msg("%s", lines.text); // one line for each vertex is enough
    sinew_asset_destroy(asset);
}

static void refuse_influences(const char *attributes, const char *text) {
    gltf_builder b = gltf_begin();
    gltf_accessor(&b, (uint8_t[12]){0}, 12, U8, "VEC4", 3);
    gltf_floats(&b, "VEC3", 3, (float[9]){0});
    gltf_accessor(&b, (uint32_t[12]){0, 0, 0, 65536}, 48, U32, "VEC4", 3);
    gltf_floats(&b, "VEC4", 3, (float[12]){1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
    gltf_triangle_mesh(&b, attributes, "");
    gltf_refuse(&b, SINEW_ERROR_FORMAT, text);
}

static void test_bad_influences(void **state) {
    (void)state;
    refuse_influences(",'JOINTS_0':0",
                      "meshes[0].primitives[0].attributes: JOINTS_0 is present, but WEIGHTS_0 is missing");
    refuse_influences(",'WEIGHTS_0':3", "attributes: WEIGHTS_0 is present, but JOINTS_0 is missing");
    refuse_influences(",'JOINTS_0':0,'WEIGHTS_0':3,'JOINTS_1':0", "JOINTS_1 is present, but WEIGHTS_1 is missing");
    refuse_influences(",'JOINTS_0':0,'WEIGHTS_0':1", "accessors[1] is VEC3 instead of VEC4");
    refuse_influences(",'JOINTS_0':3,'WEIGHTS_0':3", "accessors[3]: the elements must be unsigned integers");
    refuse_influences(",'JOINTS_0':2,'WEIGHTS_0':3", "accessors[2]: 65536 is too large for a joint");
}

static void test_shared_influences(void **state) {
    (void)state; // two primitives over the same vertices share their arrays; a third with others does not
    gltf_builder b = gltf_begin();
    gltf_accessor(&b, (uint8_t[12]){1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 12, U8, "VEC4", 3);
    gltf_floats(&b, "VEC4", 3, (float[12]){1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
    gltf_accessor(&b, (uint8_t[12]){2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0}, 12, U8, "VEC4", 3);
    gltf_floats(&b, "VEC3", 3, five);
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':3,'JOINTS_0':0,'WEIGHTS_0':1}},"
                     "{'attributes':{'POSITION':3,'JOINTS_0':0,'WEIGHTS_0':1}},"
                     "{'attributes':{'POSITION':3,'JOINTS_0':2,'WEIGHTS_0':1}}]}]");
    sinew_asset *asset = gltf_load(&b, NULL);
    const sinew_primitive *p = asset->meshes[0].primitives;
    assert_ptr_equal(p[0].weights, p[1].weights);
    assert_ptr_equal(p[0].positions, p[2].positions);
    assert_int_equal(p[1].joints[0], 1);
    assert_int_equal(p[2].joints[0], 2);
    sinew_asset_destroy(asset);
}

// ---- Morph targets -------------------------------------------------------------------------------------------

static void test_morph_targets(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_floats(&b, "VEC3", 3, (float[9]){1, 2, 3, 4, 5, 6, 7, 8, 9});
    gltf_normalized(&b, (int8_t[12]){127, 0, 0, 0, -127, 0, 0, 0, 0, 0, 127, 0}, 12, I8, "VEC4", 3); // not used
    gltf_floats(&b, "VEC3", 3, (float[9]){0, 0, 0.5f, 0, 2, 0, 0, 0, 0});
    gltf_triangle_mesh(&b, "", ",'targets':[{'POSITION':0,'NORMAL':2},{'NORMAL':2},{}]");
    sinew_asset *asset = gltf_load(&b, NULL);
    const sinew_mesh *mesh = &asset->meshes[0];
    const sinew_primitive *p = &mesh->primitives[0];
    assert_int_equal(mesh->target_count, 3);
    assert_int_equal(p->target_count, 3);
    check_floats(p->target_positions[0], (float[9]){1, 2, 3, 4, 5, 6, 7, 8, 9}, 9, 0.0f);
    check_floats(p->target_normals[0], (float[9]){0, 0, 0.5f, 0, 2, 0, 0, 0, 0}, 9, 0.0f); // differences: not unit
    assert_null(p->target_positions[1]);
    assert_non_null(p->target_normals[1]);
    assert_null(p->target_positions[2]);
    assert_null(p->target_normals[2]);
    sinew_asset_destroy(asset);
}

// Tangents have three numbers in a target and four in a mesh: handedness doesn't change. Catches four numbers in a
// target, which would shift every vertex but the first, and a morphed handedness.
static void test_tangents_are_morphed(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_floats(&b, "VEC4", 3, (float[12]){1, 0, 0, 1, 0, 1, 0, -1, 0, 0, 1, 1});
    gltf_floats(&b, "VEC3", 3, (float[9]){0, 1, 0, 0, 0, 2, 3, 0, 0});
    gltf_floats(&b, "VEC4", 3, (float[12]){0});
    gltf_triangle_mesh(&b, ",'TANGENT':0", ",'targets':[{'TANGENT':1},{'POSITION':1}]");
    sinew_asset *asset = gltf_load(&b, NULL);
    const sinew_primitive *p = &asset->meshes[0].primitives[0];
    check_floats(p->target_tangents[0], (float[9]){0, 1, 0, 0, 0, 2, 3, 0, 0}, 9, 0);
    assert_null(p->target_tangents[1]);
    assert_null(p->target_positions[0]);
    float out[12];
    sinew_morph_tangents(p->tangents, p->target_tangents, (float[2]){0.5f, 1}, 2, 3, out);
    check_floats(out, (float[12]){1, 0.5f, 0, 1, 0, 1, 1, -1, 1.5f, 0, 1, 1}, 12, 0);
    sinew_asset_destroy(asset);

    b = gltf_begin();
    gltf_floats(&b, "VEC4", 3, (float[12]){0});
    gltf_triangle_mesh(&b, "", ",'targets':[{'TANGENT':0}]");
    gltf_refuse(&b, SINEW_ERROR_FORMAT, "targets[0].TANGENT: accessors[0] is VEC4 instead of VEC3");
}

// ---- Quantisation --------------------------------------------------------------------------------------------

// KHR_mesh_quantization: every integer that it allows, for attributes and for differences; those that are not
// normalised are their numbers, the others are divided (section 3.11). Expected numbers are worked out by hand.
static void test_quantized_vertices(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    const int8_t i8[12] = {127, -127, -128, 9, 1, 2, -3, 9, 0, 0, 127, 9};
    const uint16_t u16[12] = {65535, 0, 1, 9, 2, 3, 4, 9, 1000, 0, 13107, 9};
    const int16_t i16[12] = {32767, -32768, 0, 9, 4, -5, 6, 9, 0, 100, -7, 9};
    int bytes = gltf_view(&b, i8, sizeof i8, 4), words = gltf_view(&b, u16, sizeof u16, 8);
    int shorts = gltf_view(&b, i16, sizeof i16, 8);
    const struct { int view, component; } views[3] = {{bytes, I8}, {words, U16}, {shorts, I16}};
    for (int i = 0; i < 6; i++) // 0 to 2 as they are, 3 to 5 normalised
        gltf_raw_accessor(&b, "'bufferView':%d,'componentType':%d,'type':'VEC3','count':3%s", views[i % 3].view,
                          views[i % 3].component, i < 3 ? "" : ",'normalized':true");
    gltf_normalized(&b, (int8_t[12]){127, 0, 0, 127, 0, -127, 0, -127, 0, 0, 64, 127}, 12, I8, "VEC4", 3);
    gltf_accessor(&b, (uint16_t[6]){0, 1, 2, 300, 4, 5}, 12, U16, "VEC2", 3);
    gltf_section(&b, "'extensionsRequired':['KHR_mesh_quantization'],'meshes':[{'primitives':["
                     "{'attributes':{'POSITION':0,'NORMAL':3,'TANGENT':6,'TEXCOORD_0':7},'targets':[{'POSITION':0,"
                     "'NORMAL':3,'TANGENT':3},{'POSITION':2,'NORMAL':5,'TANGENT':5}]},"
                     "{'attributes':{'POSITION':1},'targets':[{'POSITION':3},{'POSITION':5}]},"
                     "{'attributes':{'POSITION':4},'targets':[{},{}]}]}]");
    sinew_asset *asset = gltf_load(&b, NULL);
    const sinew_primitive *p = asset->meshes[0].primitives;
    const float plain_i8[9] = {127, -127, -128, 1, 2, -3, 0, 0, 127};
    const float plain_i16[9] = {32767, -32768, 0, 4, -5, 6, 0, 100, -7};
    const float unit_i8[9] = {1, -1, -1, 1 / 127.0f, 2 / 127.0f, -3 / 127.0f, 0, 0, 1};
    const float unit_i16[9] = {
        1, -1, 0, 4 / 32767.0f, -5 / 32767.0f, 6 / 32767.0f, 0, 100 / 32767.0f, -7 / 32767.0f};
    check_floats(p[0].positions, plain_i8, 9, 0);
    check_floats(p[0].normals, unit_i8, 9, 0); // nor is what they are added to
    check_floats(p[0].tangents, (float[12]){1, 0, 0, 1, 0, -1, 0, -1, 0, 0, 64 / 127.0f, 1}, 12, 0);
    check_floats(p[0].uvs, (float[6]){0, 1, 2, 300, 4, 5}, 6, 0);
    check_floats(p[0].target_positions[0], plain_i8, 9, 0);
    check_floats(p[0].target_normals[0], unit_i8, 9, 0); // differences are not made unit
    check_floats(p[0].target_tangents[0], unit_i8, 9, 0);
    check_floats(p[0].target_positions[1], plain_i16, 9, 0);
    check_floats(p[0].target_normals[1], unit_i16, 9, 0);
    check_floats(p[0].target_tangents[1], unit_i16, 9, 0);
    check_floats(p[1].positions, (float[9]){65535, 0, 1, 2, 3, 4, 1000, 0, 13107}, 9, 0);
    check_floats(p[1].target_positions[0], unit_i8, 9, 0);
    check_floats(p[1].target_positions[1], unit_i16, 9, 0);
    const float w = 65535.0f;
    check_floats(p[2].positions, (float[9]){1, 0, 1 / w, 2 / w, 3 / w, 4 / w, 1000 / w, 0, 0.2f}, 9, 0);
    sinew_asset_destroy(asset);
}

// ---- Materials -----------------------------------------------------------------------------------------------

static const uint8_t png[12] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 1, 2, 3, 4};

static void test_materials(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    int view = gltf_view(&b, png, sizeof png, 0);
    gltf_section(
        &b,
        "'images':[{'bufferView':%d,'mimeType':'image/png','name':'skin'},{'uri':'data:image/jpeg;base64,/9j/'},"
        "{'uri':'data:;base64,/9j/'},{'bufferView':%d}]",
        view, view);
    gltf_section(&b, "'samplers':[{},{'magFilter':9728,'wrapS':33071,'wrapT':33648}]");
    gltf_section(&b, "'textures':[{'source':1,'sampler':1},{'source':0},{}]");
    gltf_section(&b, "'materials':[{},{'name':'coat','pbrMetallicRoughness':{'baseColorFactor':[0.1,0.2,0.3,0.4],"
                     "'baseColorTexture':{'index':1,'texCoord':1}},'alphaMode':'MASK','alphaCutoff':0.25,"
                     "'doubleSided':true,'extensions':{'KHR_materials_unlit':{}}},{'alphaMode':'BLEND',"
                     "'extensions':{'KHR_materials_pbrSpecularGlossiness':{'diffuseFactor':[0.5,0.5,0.5,1],"
                     "'diffuseTexture':{'index':0}}}}]");
    sinew_asset *asset = gltf_load(&b, NULL);
    assert_int_equal(asset->image_count, 4);
    assert_string_equal(asset->images[0].name, "skin");
    assert_string_equal(asset->images[0].mime_type, "image/png");
    assert_int_equal(asset->images[0].size, sizeof png);
    assert_memory_equal(asset->images[0].bytes, png, sizeof png);
    assert_string_equal(asset->images[1].mime_type, "image/jpeg");
    assert_int_equal(asset->images[1].size, 3);
    assert_memory_equal(asset->images[1].bytes, "\xFF\xD8\xFF", 3);
    assert_string_equal(asset->images[2].mime_type, "image/jpeg"); // by its first bytes
    assert_string_equal(asset->images[3].mime_type, "image/png");

    assert_int_equal(asset->texture_count, 3);
    const sinew_texture *t = asset->textures;
    assert_true(t[0].image == 1 && t[0].nearest && t[0].wrap_u == SINEW_WRAP_CLAMP &&
                t[0].wrap_v == SINEW_WRAP_MIRROR);
    assert_true(t[1].image == 0 && !t[1].nearest && t[1].wrap_u == SINEW_WRAP_REPEAT);
    assert_int_equal(t[2].image, -1);

    assert_int_equal(asset->material_count, 3);
    const sinew_material *m = asset->materials;
    check_floats(m[0].base_color, (float[4]){1, 1, 1, 1}, 4, 0.0f);
    assert_true(m[0].base_color_texture == -1 && m[0].alpha_mode == SINEW_ALPHA_OPAQUE &&
                m[0].alpha_cutoff == 0.5f);
    assert_true(!m[0].double_sided && !m[0].unlit);
    assert_string_equal(m[1].name, "coat");
    check_floats(m[1].base_color, (float[4]){0.1f, 0.2f, 0.3f, 0.4f}, 4, 0.0f);
    assert_true(m[1].base_color_texture == 1 && m[1].base_color_uv == 1);
    assert_true(m[1].alpha_mode == SINEW_ALPHA_MASK && m[1].alpha_cutoff == 0.25f);
    assert_true(m[1].double_sided && m[1].unlit);
    assert_true(m[2].alpha_mode == SINEW_ALPHA_BLEND && m[2].base_color_texture == 0);
    check_floats(m[2].base_color, (float[4]){0.5f, 0.5f, 0.5f, 1}, 4, 0.0f);
    sinew_asset_destroy(asset);
}

// Mistake: always reading TEXCOORD_0.
static void test_uvs_are_those_of_the_base_color(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_floats(&b, "VEC2", 3, (float[6]){1, 2, 3, 4, 5, 6});
    gltf_floats(&b, "VEC2", 3, (float[6]){7, 8, 9, 10, 11, 12});
    gltf_floats(&b, "VEC3", 3, five);
    gltf_section(
        &b, "'textures':[{}],'materials':[{'pbrMetallicRoughness':{'baseColorTexture':{'index':0,'texCoord':1}}},"
            "{'pbrMetallicRoughness':{'baseColorTexture':{'index':0}}},"
            "{'pbrMetallicRoughness':{'baseColorTexture':{'index':0,'texCoord':2}}},"
            "{'pbrMetallicRoughness':{'baseColorTexture':{'index':0,'texCoord':2,'extensions':"
            "{'KHR_texture_transform':{'texCoord':1,'scale':[2,3]}}}}}]");
    gltf_section(&b, "'meshes':[{'primitives':["
                     "{'attributes':{'POSITION':2,'TEXCOORD_0':0,'TEXCOORD_1':1},'material':0},"
                     "{'attributes':{'POSITION':2,'TEXCOORD_0':0,'TEXCOORD_1':1},'material':1},"
                     "{'attributes':{'POSITION':2,'TEXCOORD_0':0,'TEXCOORD_1':1},'material':2},"
                     "{'attributes':{'POSITION':2,'TEXCOORD_0':0,'TEXCOORD_1':1}},"
                     "{'attributes':{'POSITION':2,'TEXCOORD_0':0,'TEXCOORD_1':1},'material':3}]}]");
    sinew_asset *asset = gltf_load(&b, NULL);
    const sinew_primitive *p = asset->meshes[0].primitives;
    check_floats(p[0].uvs, (float[6]){7, 8, 9, 10, 11, 12}, 6, 0.0f);
    check_floats(p[1].uvs, (float[6]){1, 2, 3, 4, 5, 6}, 6, 0.0f);
    assert_null(p[2].uvs);
    check_floats(p[3].uvs, (float[6]){1, 2, 3, 4, 5, 6}, 6, 0.0f);
    check_floats(p[4].uvs, (float[6]){14, 24, 18, 30, 22, 36}, 6,
                 0.0f); // the extension's set stands before the other
    assert_int_equal(asset->materials[3].base_color_uv, 1);
    sinew_asset_destroy(asset);
}

// The extension's own example: offset (0, 1), a quarter turn, scale 0.5. (u, v) becomes (v/2 + 0, -u/2 + 1).
static void test_texture_transform(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_floats(&b, "VEC2", 3, (float[6]){0, 0, 1, 0, 0, 1});
    gltf_section(&b, "'textures':[{}],'materials':[{'pbrMetallicRoughness':{'baseColorTexture':{'index':0,"
                     "'extensions':{'KHR_texture_transform':{'offset':[0,1],'rotation':1.57079632679,"
                     "'scale':[0.5,0.5]}}}}}]");
    gltf_triangle_mesh(&b, ",'TEXCOORD_0':0", ",'material':0");
    sinew_asset *asset = gltf_load(&b, NULL);
    check_floats(asset->meshes[0].primitives[0].uvs, (float[6]){0, 1, 0, 0.5f, 0.5f, 1}, 6, 1e-6f);
    sinew_asset_destroy(asset);
}

static void refuse_material(const char *sections, const char *text) {
    gltf_builder b = gltf_begin();
    gltf_view(&b, png, sizeof png, 0);
    gltf_section(&b, "%s", sections);
    gltf_refuse(&b, SINEW_ERROR_FORMAT, text);
}

// Animation does not need it: primitives keep their references, to a material with default values.
static void leave_out_material(const char *sections, const char *line) {
    gltf_builder b = gltf_begin();
    gltf_section(&b, "%s", sections);
    gltf_lines lines;
    sinew_asset *asset = gltf_load(&b, &lines);
    check_contains(lines.text, "materials[0]: ignored, because ");
    check_contains(lines.text, line);
    assert_int_equal(asset->material_count, 1);
    assert_true(asset->materials[0].base_color_texture == -1 && asset->materials[0].base_color[3] == 1);
    sinew_asset_destroy(asset);
}

static void test_bad_materials(void **state) {
    (void)state;
    refuse_material("'images':[{'bufferView':1}]", "images[0].bufferView: 1 is out of range");
    refuse_material("'images':[{}]", "images[0]: bufferView is missing");
    refuse_material("'images':[{'uri':5}]", "images[0].uri: uri is not a string");
    refuse_material("'textures':[{'source':0}]", "textures[0].source: 0 is out of range: the file has 0 images");
    refuse_material("'textures':[{'sampler':0}]",
                    "textures[0].sampler: 0 is out of range: the file has 0 samplers");
    leave_out_material("'materials':[{'pbrMetallicRoughness':{'baseColorTexture':{'index':0}}}]",
                       "materials[0].pbrMetallicRoughness.baseColorTexture.index: 0 is out of range");
    leave_out_material("'materials':[{'pbrMetallicRoughness':{'baseColorTexture':{}}}]",
                       "baseColorTexture: index is missing");
    leave_out_material("'materials':[{'pbrMetallicRoughness':{'baseColorFactor':[1,1,1]}}]",
                       "has 3 numbers instead of 4");
    leave_out_material("'materials':[{'doubleSided':'yes'}]",
                       "materials[0].doubleSided: \"yes\" is not true or false");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_topologies),
        cmocka_unit_test(test_points_and_lines_stay_as_empty_entries),
        cmocka_unit_test(test_bad_primitives),
        cmocka_unit_test(test_without_positions),
        cmocka_unit_test(test_normals_and_tangents),
        cmocka_unit_test(test_missing_normals_stay_missing),
        cmocka_unit_test(test_colors),
        cmocka_unit_test(test_influences),
        cmocka_unit_test(test_eight_influences),
        cmocka_unit_test(test_weights_are_made_to_sum_to_1),
        cmocka_unit_test(test_weights_that_are_not_finite),
        cmocka_unit_test(test_bad_influences),
        cmocka_unit_test(test_shared_influences),
        cmocka_unit_test(test_morph_targets),
        cmocka_unit_test(test_tangents_are_morphed),
        cmocka_unit_test(test_quantized_vertices),
        cmocka_unit_test(test_materials),
        cmocka_unit_test(test_uvs_are_those_of_the_base_color),
        cmocka_unit_test(test_texture_transform),
        cmocka_unit_test(test_bad_materials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
