// SPDX-License-Identifier: MIT
// Accessors: component types, normalised integers, strides, sparse substitution, and wrong bounds.
#include "support/gltf_builder.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

// The texture coordinates of a triangle read from this accessor.
static sinew_asset *load_uvs(gltf_builder *b, int accessor) {
    char attributes[40];
    snprintf(attributes, sizeof attributes, ",'TEXCOORD_0':%d", accessor);
    gltf_triangle_mesh(b, attributes, "");
    return gltf_load(b, NULL);
}

static void check_uvs(int component, bool normalized, const void *data, size_t size, const float expected[6]) {
    gltf_builder b = gltf_begin();
    int accessor = normalized ? gltf_normalized(&b, data, size, component, "VEC2", 3)
                              : gltf_accessor(&b, data, size, component, "VEC2", 3);
    sinew_asset *asset = load_uvs(&b, accessor);
    check_floats(asset->meshes[0].primitives[0].uvs, expected, 6, 0.0f);
    sinew_asset_destroy(asset);
}

// glTF 2.0, section 3.11: c / 127 with -128 clamped, c / 255, c / 32767 with -32768 clamped, c / 65535.
// Mistake: dividing signed integers by 128 or 32768, or forgetting the clamp.
static void test_normalized_integers(void **state) {
    (void)state;
    const int8_t i8[6] = {-128, -127, 127, 0, -1, 64};
    check_uvs(I8, true, i8, sizeof i8, (float[6]){-1, -1, 1, 0, -1.0f / 127, 64.0f / 127});
    const uint8_t u8[6] = {0, 255, 51, 128, 1, 254};
    check_uvs(U8, true, u8, sizeof u8, (float[6]){0, 1, 0.2f, 128.0f / 255, 1.0f / 255, 254.0f / 255});
    const int16_t i16[6] = {-32768, -32767, 32767, 0, -1, 16384};
    check_uvs(I16, true, i16, sizeof i16, (float[6]){-1, -1, 1, 0, -1.0f / 32767, 16384.0f / 32767});
    const uint16_t u16[6] = {0, 65535, 13107, 1, 32768, 65534};
    check_uvs(U16, true, u16, sizeof u16, (float[6]){0, 1, 0.2f, 1.0f / 65535, 32768.0f / 65535, 65534.0f / 65535});
}

static void test_plain_components(void **state) {
    (void)state;
    const int8_t i8[6] = {-128, -127, 127, 0, -1, 64};
    check_uvs(I8, false, i8, sizeof i8, (float[6]){-128, -127, 127, 0, -1, 64});
    const uint8_t u8[6] = {0, 255, 51, 128, 1, 254};
    check_uvs(U8, false, u8, sizeof u8, (float[6]){0, 255, 51, 128, 1, 254});
    const int16_t i16[6] = {-32768, -32767, 32767, 0, -1, 256};
    check_uvs(I16, false, i16, sizeof i16, (float[6]){-32768, -32767, 32767, 0, -1, 256});
    const uint16_t u16[6] = {0, 65535, 256, 1, 32768, 255};
    check_uvs(U16, false, u16, sizeof u16, (float[6]){0, 65535, 256, 1, 32768, 255});
    const uint32_t u32[6] = {0, 1, 65536, 16777216, 4294967040u, 3};
    check_uvs(U32, false, u32, sizeof u32, (float[6]){0, 1, 65536, 16777216, 4294967040.0f, 3});
    const float f32[6] = {0, -1.5f, 1e-30f, 1e30f, 0.1f, FLT_TRUE_MIN};
    check_uvs(F32, false, f32, sizeof f32, f32);
}

// Mistake: taking elements as packed although the view says byteStride.
static void test_interleaved(void **state) {
    (void)state;
    struct vertex {
        float position[3];
        int16_t uv[2];
        int8_t normal[4]; // three and one of padding
    } vertices[3] = {{{1, 2, 3}, {1, 2}, {127, 0, 0, 99}},
                     {{4, 5, 6}, {3, 4}, {0, -127, 0, 99}},
                     {{7, 8, 9}, {5, 6}, {0, 0, 127, 99}}};
    gltf_builder b = gltf_begin();
    int view = gltf_view(&b, vertices, sizeof vertices, (int)sizeof vertices[0]);
    gltf_raw_accessor(&b, "'bufferView':%d,'componentType':5126,'type':'VEC3','count':3", view);
    gltf_raw_accessor(&b, "'bufferView':%d,'byteOffset':12,'componentType':5122,'type':'VEC2','count':3", view);
    gltf_raw_accessor(
        &b, "'bufferView':%d,'byteOffset':16,'componentType':5120,'type':'VEC3','count':3,'normalized':true", view);
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'TEXCOORD_0':1,'NORMAL':2}}]}]");
    sinew_asset *asset = gltf_load(&b, NULL);
    const sinew_primitive *p = &asset->meshes[0].primitives[0];
    check_floats(p->positions, (float[9]){1, 2, 3, 4, 5, 6, 7, 8, 9}, 9, 0.0f);
    check_floats(p->uvs, (float[6]){1, 2, 3, 4, 5, 6}, 6, 0.0f);
    check_floats(p->normals, (float[9]){1, 0, 0, 0, -1, 0, 0, 0, 1}, 9, 0.0f);
    sinew_asset_destroy(asset);
}

static void test_view_and_accessor_offsets_add_up(void **state) {
    (void)state;
    const float numbers[12] = {90, 91, 92, 93, 1, 2, 3, 4, 5, 6, 94, 95};
    gltf_builder b = gltf_begin();
    gltf_append(&b.bin, numbers, sizeof numbers);
    int view = gltf_raw_view(&b, "'buffer':0,'byteOffset':8,'byteLength':40");
    int uvs =
        gltf_raw_accessor(&b, "'bufferView':%d,'byteOffset':8,'componentType':5126,'type':'VEC2','count':3", view);
    sinew_asset *asset = load_uvs(&b, uvs);
    check_floats(asset->meshes[0].primitives[0].uvs, (float[6]){1, 2, 3, 4, 5, 6}, 6, 0.0f);
    sinew_asset_destroy(asset);
}

static void test_no_view_is_zeros(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    int uvs = gltf_raw_accessor(&b, "'componentType':5126,'type':'VEC2','count':3");
    sinew_asset *asset = load_uvs(&b, uvs);
    check_floats(asset->meshes[0].primitives[0].uvs, (float[6]){0}, 6, 0.0f);
    sinew_asset_destroy(asset);
}

// ---- Sparse --------------------------------------------------------------------------------------------------

// Mistake: treating an accessor without bufferView as absent, or substituting by position instead of by index.
static void check_sparse(bool with_base, int index_component, const void *indices, size_t index_size) {
    const float base[6] = {1, 2, 3, 4, 5, 6}, values[4] = {70, 80, 90, 100};
    gltf_builder b = gltf_begin();
    int base_view = gltf_view(&b, base, sizeof base, 0);
    int index_view = gltf_view(&b, indices, index_size, 0);
    int value_view = gltf_view(&b, values, sizeof values, 0);
    char members[32] = "";
    if (with_base) snprintf(members, sizeof members, "'bufferView':%d,", base_view);
    int uvs = gltf_raw_accessor(&b,
                                "%s'componentType':5126,'type':'VEC2','count':3,'sparse':{'count':2,"
                                "'indices':{'bufferView':%d,'componentType':%d},'values':{'bufferView':%d}}",
                                members, index_view, index_component, value_view);
    sinew_asset *asset = load_uvs(&b, uvs);
    const float replaced[6] = {70, 80, 3, 4, 90, 100}, on_zeros[6] = {70, 80, 0, 0, 90, 100};
    check_floats(asset->meshes[0].primitives[0].uvs, with_base ? replaced : on_zeros, 6, 0.0f);
    sinew_asset_destroy(asset);
}

static void test_sparse(void **state) {
    (void)state;
    for (int with_base = 0; with_base < 2; with_base++) {
        check_sparse(with_base, U8, (uint8_t[2]){0, 2}, 2);
        check_sparse(with_base, U16, (uint16_t[2]){0, 2}, 4);
        check_sparse(with_base, U32, (uint32_t[2]){0, 2}, 8);
    }
}

static void test_sparse_integers_with_offsets(void **state) {
    (void)state; // indices of triangles, substituted; both sparse views begin with something else
    const uint16_t corners[3] = {0, 1, 1}, values[2] = {77, 2};
    const uint8_t which[2] = {88, 2};
    gltf_builder b = gltf_begin();
    int base = gltf_view(&b, corners, sizeof corners, 0);
    int index_view = gltf_view(&b, which, sizeof which, 0);
    int value_view = gltf_view(&b, values, sizeof values, 0);
    int indices =
        gltf_raw_accessor(&b,
                          "'bufferView':%d,'componentType':5123,'type':'SCALAR','count':3,'sparse':{'count':1,"
                          "'indices':{'bufferView':%d,'byteOffset':1,'componentType':5121},"
                          "'values':{'bufferView':%d,'byteOffset':2}}",
                          base, index_view, value_view);
    char members[32];
    snprintf(members, sizeof members, ",'indices':%d", indices);
    gltf_triangle_mesh(&b, "", members);
    sinew_asset *asset = gltf_load(&b, NULL);
    const sinew_primitive *p = &asset->meshes[0].primitives[0];
    assert_int_equal(p->index_count, 3);
    assert_memory_equal(p->indices, ((uint32_t[3]){0, 1, 2}), 12);
    sinew_asset_destroy(asset);
}

static void refuse_sparse(const char *sparse, const char *text) {
    const float values[4] = {70, 80, 90, 100};
    const uint8_t which[4] = {0, 3, 200, 1};
    gltf_builder b = gltf_begin();
    gltf_view(&b, which, sizeof which, 0);
    gltf_view(&b, values, sizeof values, 0);
    gltf_raw_accessor(&b, "'componentType':5126,'type':'VEC2','count':3,'sparse':{%s}", sparse);
    gltf_triangle_mesh(&b, ",'TEXCOORD_0':0", "");
    gltf_refuse(&b, SINEW_ERROR_FORMAT, text);
}

static void test_bad_sparse(void **state) {
    (void)state;
    refuse_sparse("'count':2,'indices':{'bufferView':0,'componentType':5121},'values':{'bufferView':1}",
                  "accessors[0]: sparse index 1 is 3, but the accessor has 3 elements");
    refuse_sparse("'count':4,'indices':{'bufferView':0,'componentType':5121},'values':{'bufferView':1}",
                  "accessors[0].sparse.count: 4 is not a whole number from 0 to 3");
    refuse_sparse("'count':3,'indices':{'bufferView':0,'componentType':5121},'values':{'bufferView':1}",
                  "accessors[0]: ends at byte 24 of bufferViews[1], which has 16 bytes");
    refuse_sparse("'count':2,'indices':{'bufferView':0,'componentType':5125},'values':{'bufferView':1}",
                  "ends at byte 8 of bufferViews[0], which has 4 bytes");
    refuse_sparse("'count':2,'indices':{'bufferView':0,'componentType':5120},'values':{'bufferView':1}",
                  "accessors[0].sparse.indices: componentType 5120 must be an unsigned integer");
    refuse_sparse("'count':2,'indices':{'bufferView':9,'componentType':5121},'values':{'bufferView':1}",
                  "accessors[0].sparse.indices.bufferView: 9 is out of range: the file has 3 bufferViews");
    refuse_sparse("'count':2,'indices':{'bufferView':0,'componentType':5121}", "bufferView is missing");
    refuse_sparse("'count':2,'values':{'bufferView':1}", "bufferView is missing");
    refuse_sparse("'indices':{'bufferView':0,'componentType':5121},'values':{'bufferView':1}", "count is missing");
}

// ---- Bounds --------------------------------------------------------------------------------------------------

// An accessor for texture coordinates over a view of 24 bytes, with members that lie.
static void refuse_accessor(const char *members, const char *text) {
    const float uvs[6] = {0};
    gltf_builder b = gltf_begin();
    gltf_view(&b, uvs, sizeof uvs, 0);
    gltf_raw_accessor(&b, "%s", members);
    gltf_triangle_mesh(&b, ",'TEXCOORD_0':0", "");
    gltf_refuse(&b, SINEW_ERROR_FORMAT, text);
}

static void test_bad_accessors(void **state) {
    (void)state;
    refuse_accessor("'bufferView':0,'byteOffset':4,'componentType':5126,'type':'VEC2','count':3",
                    "accessors[0]: ends at byte 28 of bufferViews[0], which has 24 bytes");
    refuse_accessor("'bufferView':0,'byteOffset':9007199254740992,'componentType':5126,'type':'VEC2','count':3",
                    "accessors[0].byteOffset: 9007199254740992 is not a whole number");
    refuse_accessor("'bufferView':0,'byteOffset':281474976710656,'componentType':5126,'type':'VEC2','count':3",
                    "which has 24");
    refuse_accessor("'bufferView':0,'byteOffset':18446744073709551608,'componentType':5126,'type':'VEC2','count':3",
                    "accessors[0].byteOffset");
    refuse_accessor("'bufferView':0,'byteOffset':-8,'componentType':5126,'type':'VEC2','count':3",
                    "accessors[0].byteOffset: -8 is not a whole number");
    refuse_accessor("'bufferView':0,'byteOffset':0.5,'componentType':5126,'type':'VEC2','count':3",
                    "accessors[0].byteOffset: 0.5 is not a whole number");
    refuse_accessor("'bufferView':0,'byteOffset':'0','componentType':5126,'type':'VEC2','count':3",
                    "accessors[0].byteOffset: \"0\" is not a whole number");
    refuse_accessor("'bufferView':0,'componentType':5126,'type':'VEC2','count':2147483647", "accessors[0]");
    refuse_accessor("'bufferView':0,'componentType':5126,'type':'VEC2','count':2147483648",
                    "accessors[0].count: 2147483648 is not a whole number from 0 to 2147483647");
    refuse_accessor("'bufferView':0,'componentType':5126,'type':'VEC2','count':9007199254740992",
                    "accessors[0].count");
    refuse_accessor("'bufferView':0,'componentType':5126,'type':'VEC2','count':1e300", "accessors[0].count");
    refuse_accessor("'bufferView':0,'componentType':5126,'type':'VEC2','count':1e999", "accessors[0].count");
    refuse_accessor("'bufferView':0,'componentType':5126,'type':'VEC2','count':-3", "accessors[0].count");
    refuse_accessor("'bufferView':0,'componentType':5126,'type':'VEC2','count':3.5", "accessors[0].count");
    refuse_accessor("'bufferView':0,'componentType':5126,'type':'VEC2'", "accessors[0]: count is missing");
    refuse_accessor("'bufferView':0,'componentType':5126,'type':'VEC2','count':2", "has 2 elements instead of 3");
    refuse_accessor("'bufferView':0,'componentType':5130,'type':'VEC2','count':3", "componentType 5130");
    refuse_accessor("'bufferView':0,'componentType':5124,'type':'VEC2','count':3", "componentType 5124");
    refuse_accessor("'bufferView':0,'type':'VEC2','count':3", "componentType 0");
    refuse_accessor("'bufferView':0,'componentType':5126,'type':'VEC5','count':3", "accessors[0]: type");
    refuse_accessor("'bufferView':0,'componentType':5126,'count':3", "accessors[0]: type");
    refuse_accessor("'bufferView':0,'componentType':5126,'type':'SCALAR','count':3",
                    "meshes[0].primitives[0].attributes.TEXCOORD_0: accessors[0] is SCALAR instead of VEC2");
    refuse_accessor("'bufferView':2,'componentType':5126,'type':'VEC2','count':3",
                    "accessors[0].bufferView: 2 is out of range: the file has 2 bufferViews");
    refuse_accessor("'bufferView':-1,'componentType':5126,'type':'VEC2','count':3", "accessors[0].bufferView: -1");
    refuse_accessor("'bufferView':0,'componentType':5126,'type':'VEC2','count':3,'normalized':1",
                    "accessors[0].normalized: 1 is not true or false");
}

static void test_whole_numbers_may_be_written_with_a_point(void **state) {
    (void)state; // JSON knows one kind of number; some exporters write 3.0
    const float uvs[6] = {1, 2, 3, 4, 5, 6};
    gltf_builder b = gltf_begin();
    gltf_view(&b, uvs, sizeof uvs, 0);
    int accessor = gltf_raw_accessor(&b, "'bufferView':0.0,'componentType':5.126e3,'type':'VEC2','count':3.0");
    sinew_asset *asset = load_uvs(&b, accessor);
    check_floats(asset->meshes[0].primitives[0].uvs, uvs, 6, 0.0f);
    sinew_asset_destroy(asset);
}

static void refuse_view(const char *members, const char *text) {
    const float uvs[6] = {0};
    gltf_builder b = gltf_begin();
    gltf_append(&b.bin, uvs, sizeof uvs);
    gltf_raw_view(&b, "%s", members);
    gltf_raw_accessor(&b, "'bufferView':0,'componentType':5126,'type':'VEC2','count':3");
    gltf_raw_accessor(&b, "'componentType':5126,'type':'VEC3','count':3");
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':1,'TEXCOORD_0':0}}]}]");
    gltf_refuse(&b, SINEW_ERROR_FORMAT, text);
}

static void test_bad_views(void **state) {
    (void)state;
    refuse_view("'buffer':0,'byteOffset':4,'byteLength':24",
                "bufferViews[0]: ends at byte 28, but buffers[0] has 24");
    refuse_view("'buffer':0,'byteLength':25", "bufferViews[0]: ends at byte 25");
    refuse_view("'buffer':0,'byteOffset':281474976710656,'byteLength':281474976710656", "bufferViews[0]: ends at");
    refuse_view("'buffer':0,'byteOffset':9007199254740992,'byteLength':8", "bufferViews[0].byteOffset");
    refuse_view("'buffer':0,'byteOffset':-1,'byteLength':8", "bufferViews[0].byteOffset: -1");
    refuse_view("'buffer':0,'byteLength':1.5", "bufferViews[0].byteLength: 1.5");
    refuse_view("'buffer':0", "bufferViews[0]: byteLength is missing");
    refuse_view("'byteLength':24", "bufferViews[0]: buffer is missing");
    refuse_view("'buffer':1,'byteLength':24", "bufferViews[0].buffer: 1 is out of range: the file has 1 buffers");
    refuse_view("'buffer':0,'byteLength':24,'byteStride':4",
                "accessors[0]: the elements have 8 bytes, but are 4 apart (bufferViews[0].byteStride)");
    refuse_view("'buffer':0,'byteLength':24,'byteStride':2147483647", "accessors[0]: ends at byte");
    refuse_view("'buffer':0,'byteLength':24,'byteStride':-8", "bufferViews[0].byteStride: -8");
}

static void test_numbers_must_be_finite_where_it_matters(void **state) {
    (void)state;
    const float positions[9] = {0, 0, 0, 0, NAN, 0, 0, 0, 0};
    gltf_builder b = gltf_begin();
    gltf_floats(&b, "VEC3", 3, positions);
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}]");
    gltf_refuse(&b, SINEW_ERROR_FORMAT, "accessors[0]: element 1 is not finite");

    const float uvs[6] = {1, INFINITY, 2, NAN, 3, 4}; // texture coordinates move nothing: put right, with a remark
    gltf_lines lines;
    b = gltf_begin();
    gltf_floats(&b, "VEC2", 3, uvs);
    gltf_triangle_mesh(&b, ",'TEXCOORD_0':0", "");
    sinew_asset *asset = gltf_load(&b, &lines);
    check_floats(asset->meshes[0].primitives[0].uvs, (float[6]){1, 0, 2, 0, 3, 4}, 6, 0.0f);
    check_contains(lines.text, "accessors[0]: 2 non-finite numbers are set to 0");
    sinew_asset_destroy(asset);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_normalized_integers),
        cmocka_unit_test(test_plain_components),
        cmocka_unit_test(test_interleaved),
        cmocka_unit_test(test_view_and_accessor_offsets_add_up),
        cmocka_unit_test(test_no_view_is_zeros),
        cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_sparse_integers_with_offsets),
        cmocka_unit_test(test_bad_sparse),
        cmocka_unit_test(test_bad_accessors),
        cmocka_unit_test(test_whole_numbers_may_be_written_with_a_point),
        cmocka_unit_test(test_bad_views),
        cmocka_unit_test(test_numbers_must_be_finite_where_it_matters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
