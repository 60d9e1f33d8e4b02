// SPDX-License-Identifier: MIT
// Primitives compressed with KHR_draco_mesh_compression: what a decoder gets, how its output is checked, and what
// loads without a decoder.
#include "support/gltf_builder.h"

#include <stdio.h>

enum { VERTICES = 4, INDICES = 6 };

static const float corners[3 * VERTICES] = {0, 0, 0, 1, 0, 0, 1, 2, 0, 0, 2, 0};
static const uint32_t quad[INDICES] = {0, 1, 2, 0, 2, 3};

// Stands in for Draco: "decodes" what the test lays down, by the attribute's id.
typedef struct decoding {
    int calls;
    bool fails;
    size_t size;
    uint8_t first_byte;
    int32_t vertex_count, index_count, attribute_count;
    sinew_draco_attribute attributes[16];
    float positions[3 * VERTICES];
    uint16_t joints[4 * VERTICES];
    uint8_t weights[4 * VERTICES];
    uint32_t indices[INDICES];
} decoding;

static decoding sound(void) {
    decoding d = {.calls = 0};
    memcpy(d.positions, corners, sizeof corners);
    memcpy(d.indices, quad, sizeof quad);
    for (int v = 0; v < VERTICES; v++) {
        d.joints[(ptrdiff_t)4 * v] = (uint16_t)(v % 2);
        d.weights[(ptrdiff_t)4 * v] = 255;
    }
    return d;
}

enum { POSITION_ID = 7, JOINTS_ID = 0, WEIGHTS_ID = 3 };

static bool decode(const sinew_draco_mesh *mesh, void *user) {
    decoding *d = user;
    d->calls++;
    d->size = mesh->size;
    d->first_byte = mesh->size > 0 ? mesh->data[0] : 0;
    d->vertex_count = mesh->vertex_count;
    d->index_count = mesh->index_count;
    d->attribute_count = mesh->attribute_count;
    for (int i = 0; i < mesh->attribute_count; i++) d->attributes[i] = mesh->attributes[i];
    if (d->fails || mesh->vertex_count != VERTICES || mesh->index_count != INDICES) return false;
    memcpy(mesh->indices, d->indices, sizeof d->indices);
    for (int i = 0; i < mesh->attribute_count; i++) {
        void *out = mesh->attributes[i].out;
        if (mesh->attributes[i].id == POSITION_ID) memcpy(out, d->positions, sizeof d->positions);
        if (mesh->attributes[i].id == JOINTS_ID) memcpy(out, d->joints, sizeof d->joints);
        if (mesh->attributes[i].id == WEIGHTS_ID) memcpy(out, d->weights, sizeof d->weights);
    }
    for (int i = 0; i < 3 * VERTICES; i++)
        d->positions[i] += 10.0f * (mesh->data[0] == 2); // the second data are moved
    return true;
}

// ---- Files -------------------------------------------------------------------------------------------------------

// Accessors 0 to 3 have no view: positions, joints, weights and indices.
#define ACCESSORS                                                                                                  \
    "{'componentType':5126,'type':'VEC3','count':4},{'componentType':5123,'type':'VEC4','count':4},"               \
    "{'componentType':5121,'normalized':true,'type':'VEC4','count':4},"                                            \
    "{'componentType':5121,'type':'SCALAR','count':6}"
#define ATTRIBUTES "'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2}"
#define IDS        "'attributes':{'POSITION':7,'JOINTS_0':0,'WEIGHTS_0':3}"
#define DRACO      "'extensions':{'KHR_draco_mesh_compression':{'bufferView':0," IDS "}}"
#define PRIMITIVE  "{" ATTRIBUTES ",'indices':3," DRACO "}"

// A file with a skinned mesh and a clip: accessors 0 to 3 as they are given, primitives, and two views of "compressed"
// bytes, which begin with 1 and 2.
static uint8_t *write_file(const char *accessors, const char *primitives, size_t *size) {
    gltf_builder b = gltf_begin();
    const uint8_t first[20] = {1}, second[8] = {2};
    gltf_view(&b, first, sizeof first, 0);
    gltf_view(&b, second, sizeof second, 0);
    gltf_view(&b, corners, sizeof corners, 0);
    gltf_append(&b.accessors, accessors, strlen(accessors));
    b.accessor_count = 4;
    int times = gltf_floats(&b, "SCALAR", 2, (float[2]){0, 1});
    int moves = gltf_floats(&b, "VEC3", 2, (float[6]){0, 0, 0, 1, 2, 3});
    gltf_section(&b, "'extensionsUsed':['KHR_draco_mesh_compression'],"
                     "'extensionsRequired':['KHR_draco_mesh_compression']");
    gltf_section(&b, "'materials':[{},{}]");
    gltf_section(&b, "'nodes':[{'mesh':0,'skin':0},{'children':[2]},{}],'skins':[{'joints':[1,2]}]");
    gltf_section(&b,
                 "'animations':[{'name':'move','samplers':[{'input':%d,'output':%d}],"
                 "'channels':[{'sampler':0,'target':{'node':1,'path':'translation'}}]}]",
                 times, moves);
    gltf_text mesh = {0};
    gltf_append(&mesh, "'meshes':[{'primitives':[", strlen("'meshes':[{'primitives':["));
    gltf_append(&mesh, primitives, strlen(primitives));
    gltf_append(&mesh, "]}]", 3);
    gltf_section(&b, "%s", mesh.data);
    free(mesh.data);
    uint8_t *glb = gltf_write_glb(&b, size);
    gltf_end(&b);
    return glb;
}

static sinew_result load(const char *accessors, const char *primitives, decoding *d, size_t memory_limit,
                         sinew_asset **asset, sinew_error *error, gltf_lines *lines) {
    size_t size;
    char *json = json_quotes(accessors);
    uint8_t *glb = write_file(json, primitives, &size);
    free(json);
    sinew_gltf_options options = sinew_gltf_default();
    if (d) {
        options.draco_decode = decode;
        options.draco_user = d;
    }
    if (lines) options.log = gltf_log_to(lines);
    if (memory_limit > 0) options.memory_limit = memory_limit;
    sinew_result result = sinew_gltf_load_memory(glb, size, &options, asset, error);
    free(glb);
    return result;
}

static sinew_asset *must_load(const char *accessors, const char *primitives, decoding *d, gltf_lines *lines) {
    sinew_asset *asset;
    sinew_error error = {0};
    if (load(accessors, primitives, d, 0, &asset, &error, lines) != SINEW_OK) fail_msg("%s", error.message);
    return asset;
}

static void must_refuse(const char *accessors, const char *primitives, decoding *d, sinew_result expected,
                        const char *text) {
    sinew_asset *asset;
    sinew_error error = {0};
    sinew_result found = load(accessors, primitives, d, 0, &asset, &error, NULL);
    check_contains(error.message, text);
    assert_int_equal(found, expected);
    assert_null(asset);
}

// ---- With a decoder ----------------------------------------------------------------------------------------------

static void test_decoded_mesh(void **state) {
    (void)state;
    decoding d = sound();
    sinew_asset *asset = must_load(ACCESSORS, PRIMITIVE, &d, NULL);
    assert_int_equal(d.calls, 1);
    assert_true(d.size == 20 && d.first_byte == 1 && d.vertex_count == VERTICES && d.index_count == INDICES);
    assert_int_equal(d.attribute_count, 3);
    static const int32_t expected[3][3] = {{POSITION_ID, F32, 3}, {JOINTS_ID, U16, 4}, {WEIGHTS_ID, U8, 4}};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(d.attributes[i].id, expected[i][0]);
        assert_int_equal(d.attributes[i].component_type, expected[i][1]);
        assert_int_equal(d.attributes[i].component_count, expected[i][2]);
    }
    const sinew_primitive *p = &asset->meshes[0].primitives[0];
    assert_int_equal(p->vertex_count, VERTICES);
    check_floats(p->positions, corners, (size_t)3 * VERTICES, 0.0f);
    assert_memory_equal(p->indices, quad, sizeof quad);
    assert_int_equal(p->influences, 4);
    const uint16_t joints[4 * VERTICES] = {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};
    assert_memory_equal(p->joints, joints, sizeof joints);
    for (int v = 0; v < VERTICES; v++) assert_true(p->weights[(ptrdiff_t)4 * v] == 1.0f);
    sinew_asset_destroy(asset);
}

// Primitives that only differ in their material share data. Other data isn't shared, even with the same accessors.
// Catches decoding data again for each, and a primitive with another one's vertices.
static void test_shared_data(void **state) {
    (void)state;
    decoding d = sound();
    sinew_asset *asset =
        must_load(ACCESSORS,
                  PRIMITIVE ",{" ATTRIBUTES ",'indices':3,'material':1," DRACO "},"
                            "{" ATTRIBUTES
                            ",'indices':3,'extensions':{'KHR_draco_mesh_compression':{'bufferView':1," IDS "}}},"
                            "{" ATTRIBUTES ",'indices':3," DRACO "}",
                  &d, NULL);
    assert_int_equal(d.calls, 3);
    const sinew_primitive *p = asset->meshes[0].primitives;
    assert_ptr_equal(p[0].positions, p[1].positions);
    assert_ptr_equal(p[0].indices, p[1].indices);
    assert_true(p[2].positions != p[0].positions);
    assert_true(p[3].positions[0] == 10.0f); // what the decoder gave the third time
    assert_true(p[0].positions[0] == 0.0f);
    sinew_asset_destroy(asset);
}

static void test_what_a_decoder_gives_is_checked(void **state) {
    (void)state;
    decoding d = sound();
    d.fails = true;
    must_refuse(ACCESSORS, PRIMITIVE, &d, SINEW_ERROR_FORMAT,
                "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression: the data cannot be decoded as a "
                "Draco mesh with 4 vertices, 6 indices");
    d = sound();
    d.indices[5] = VERTICES;
    must_refuse(ACCESSORS, PRIMITIVE, &d, SINEW_ERROR_FORMAT,
                "index 4 is out of range: the primitive has 4 vertices");
    d = sound();
    d.positions[4] = NAN;
    must_refuse(ACCESSORS, PRIMITIVE, &d, SINEW_ERROR_FORMAT, "accessors[0]: element 1 is not finite");
    d = sound();
    d.joints[4] = 2; // the skin has two
    must_refuse(ACCESSORS, PRIMITIVE, &d, SINEW_ERROR_FORMAT, "joint 2");
    assert_int_equal(d.calls, 1);
}

static void test_bad_extensions(void **state) {
    (void)state;
    decoding d = sound();
    const sinew_result bad = SINEW_ERROR_FORMAT;
#define WITH(members) "{" ATTRIBUTES ",'indices':3,'extensions':{'KHR_draco_mesh_compression':{" members "}}}"
    must_refuse(ACCESSORS, WITH("'bufferView':9," IDS), &d, bad, "bufferView: 9 is out of range");
    must_refuse(ACCESSORS, WITH(IDS), &d, bad, "bufferView is missing");
    must_refuse(ACCESSORS, WITH("'bufferView':0,'attributes':7"), &d, bad, "attributes: 7 is not an object");
    must_refuse(ACCESSORS, WITH("'bufferView':0,'attributes':{'POSITION':-1}"), &d, bad,
                "POSITION: -1 is not a whole number from 0");
    must_refuse(ACCESSORS, "{" ATTRIBUTES "," DRACO "}", &d, bad, "indices is missing");
    must_refuse(ACCESSORS, "{" ATTRIBUTES ",'indices':0," DRACO "}", &d, bad,
                "accessors[0] is VEC3 instead of SCALAR");
    must_refuse("{'componentType':5126,'type':'VEC3','count':4},{'componentType':5123,'type':'VEC4','count':3},"
                "{'componentType':5121,'type':'VEC4','count':4},{'componentType':5121,'type':'SCALAR','count':6}",
                PRIMITIVE, &d, bad, "accessors[1] has 3 elements instead of 4");
    must_refuse("{'componentType':5126,'type':'MAT4','count':4},{'componentType':5123,'type':'VEC4','count':4},"
                "{'componentType':5121,'type':'VEC4','count':4},{'componentType':5121,'type':'SCALAR','count':6}",
                PRIMITIVE, &d, bad, "accessors[0] is MAT4, which Draco does not support");
    must_refuse("{'componentType':5126,'type':'VEC3','count':4},{'componentType':5123,'type':'VEC4','count':4},"
                "{'componentType':5121,'type':'VEC4','count':4},{'componentType':5121,'type':'SCALAR','count':5}",
                PRIMITIVE, &d, bad, "5 indices are not a multiple of 3");
    assert_int_equal(d.calls, 0); // a decoder meets only what its format allows
}

// The accessors say how much memory is taken: limits hold before a decoder is called.
static void test_limits(void **state) {
    (void)state;
    decoding d = sound();
    must_refuse(
        "{'componentType':5126,'type':'VEC3','count':2000000000},{'componentType':5123,'type':'VEC4','count':4},"
        "{'componentType':5121,'type':'VEC4','count':4},{'componentType':5121,'type':'SCALAR','count':6}",
        "{'attributes':{'POSITION':0},'indices':3," DRACO "}", &d, SINEW_ERROR_LIMIT, "expansion_limit");
    assert_int_equal(d.calls, 0);
    sinew_asset *asset;
    sinew_error error = {0};
    assert_int_equal(load(ACCESSORS, PRIMITIVE, &d, 4000, &asset, &error, NULL), SINEW_ERROR_LIMIT);
}

// Each primitive with its own accessors makes the decoder read the same data again. The work stays within the limit.
static void test_shared_data_count_as_work(void **state) {
    (void)state;
    enum { PRIMITIVES = 3000, BYTES = 8192 };
    gltf_builder b = gltf_begin();
    uint8_t *bytes = calloc(BYTES, 1);
    gltf_view(&b, bytes, BYTES, 0);
    free(bytes);
    gltf_text primitives = {0};
    gltf_append(&primitives, ",'meshes':[{'primitives':[", strlen(",'meshes':[{'primitives':["));
    for (int i = 0; i < PRIMITIVES; i++) {
        char text[256];
        int positions = gltf_raw_accessor(&b, "'componentType':5126,'type':'VEC3','count':4");
        int indices = gltf_raw_accessor(&b, "'componentType':5121,'type':'SCALAR','count':6");
        snprintf(text, sizeof text, "%s{'attributes':{'POSITION':%d},'indices':%d," DRACO "}", i > 0 ? "," : "",
                 positions, indices);
        gltf_append(&primitives, text, strlen(text));
    }
    gltf_append(&primitives, "]}]", 3);
    char *json = json_quotes(primitives.data);
    gltf_append(&b.sections, json, strlen(json));
    free(json);
    free(primitives.data);
    size_t size;
    uint8_t *glb = gltf_write_glb(&b, &size);
    gltf_end(&b);
    decoding d = sound();
    sinew_gltf_options options = sinew_gltf_default();
    options.draco_decode = decode;
    options.draco_user = &d;
    options.expansion_limit = 16;
    sinew_asset *asset;
    sinew_error error = {0};
    sinew_result result = sinew_gltf_load_memory(glb, size, &options, &asset, &error);
    check_contains(error.message, "meshes share their compressed data too often");
    assert_int_equal(result, SINEW_ERROR_LIMIT);
    assert_true(d.calls > 500 && d.calls < PRIMITIVES);
    free(glb);
}

// ---- Without one -------------------------------------------------------------------------------------------------

static void check_rest_of_file(const sinew_asset *asset) {
    assert_int_equal(asset->skeleton->node_count, 3);
    assert_int_equal(asset->skin_count, 1);
    assert_int_equal(asset->clip_count, 1);
    assert_string_equal(asset->clips[0].name, "move");
    assert_int_equal(asset->mesh_node_count, 1);
}

// Catches a file that is refused whole, and vertices of zeros where the accessors have no view.
static void test_without_a_decoder(void **state) {
    (void)state;
    gltf_lines lines = {0};
    sinew_asset *asset = must_load(ACCESSORS, PRIMITIVE, NULL, &lines);
    check_rest_of_file(asset);
    const sinew_primitive *p = &asset->meshes[0].primitives[0];
    assert_true(p->vertex_count == 0 && p->index_count == 0 && p->influences == 0 && !p->positions);
    check_contains(lines.text,
                   "meshes[0].primitives[0]: KHR_draco_mesh_compression: no draco_decode is set in the options; "
                   "the primitive is left empty");
    sinew_asset_destroy(asset);
}

static void test_fallback_without_a_decoder(void **state) {
    (void)state;
    static const char accessors[] = "{'bufferView':2,'componentType':5126,'type':'VEC3','count':4},"
                                    "{'componentType':5123,'type':'VEC4','count':4},"
                                    "{'componentType':5121,'type':'VEC4','count':4},"
                                    "{'bufferView':0,'componentType':5121,'type':'SCALAR','count':6}";
    gltf_lines lines = {0};
    sinew_asset *asset = must_load(accessors, "{'attributes':{'POSITION':0},'indices':3," DRACO "}", NULL, &lines);
    check_floats(asset->meshes[0].primitives[0].positions, corners, (size_t)3 * VERTICES, 0.0f);
    assert_int_equal(asset->meshes[0].primitives[0].index_count, INDICES);
    assert_null(strstr(lines.text, "draco"));
    sinew_asset_destroy(asset);
}

static void test_other_topologies_are_left_empty(void **state) {
    (void)state;
    decoding d = sound();
    gltf_lines lines = {0};
    sinew_asset *asset = must_load(ACCESSORS, "{'mode':5," ATTRIBUTES ",'indices':3," DRACO "}", &d, &lines);
    check_rest_of_file(asset);
    assert_int_equal(asset->meshes[0].primitives[0].vertex_count, 0);
    assert_int_equal(d.calls, 0);
    check_contains(lines.text, "only triangle lists are supported");
    sinew_asset_destroy(asset);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decoded_mesh),
        cmocka_unit_test(test_shared_data),
        cmocka_unit_test(test_what_a_decoder_gives_is_checked),
        cmocka_unit_test(test_bad_extensions),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_shared_data_count_as_work),
        cmocka_unit_test(test_without_a_decoder),
        cmocka_unit_test(test_fallback_without_a_decoder),
        cmocka_unit_test(test_other_topologies_are_left_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
