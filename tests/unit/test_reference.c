// SPDX-License-Identifier: MIT
// The evaluator that `sinew verify` compares the library with: files, accessors, poses and vertices, against numbers
// worked out by hand from the specification.
#include "support/gltf_builder.h"
#include "reference/evaluate.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEAR 1e-12

static void write_file(const char *path, const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    fclose(file);
}

// Opens what was built, as .glb, and ends the builder.
static void open_built(ref_document *document, gltf_builder *b) {
    gltf_save_glb(b, "test_reference.glb");
    if (!ref_open(document, "test_reference.glb", NULL, NULL)) fail_msg("%s", document->error);
}

// Opens a text with ' for ".
static bool open_text(ref_document *document, const char *text, sinew_meshopt_decode decode) {
    char *json = json_quotes(text);
    write_file("test_reference.gltf", json, strlen(json));
    free(json);
    return ref_open(document, "test_reference.gltf", decode, NULL);
}

static void check_doubles(const double *found, const double *expected, size_t count) {
    for (size_t i = 0; i < count; i++) check_near(found[i], expected[i], NEAR);
}

// ---- Files -------------------------------------------------------------------------------------------------------

#define THREE "'accessors':[{'bufferView':0,'componentType':5121,'type':'SCALAR','count':3}]"
#define VIEW  "'bufferViews':[{'buffer':0,'byteOffset':1,'byteLength':3}]"

static void check_three(const char *text) {
    static const double expected[] = {2, 3, 4};
    ref_document document;
    ref_accessor accessor;
    if (!open_text(&document, text, NULL)) fail_msg("%s", document.error);
    if (!ref_read_accessor(&document, 0, &accessor)) fail_msg("%s", document.error);
    assert_int_equal(accessor.count, 3);
    assert_int_equal(accessor.components, 1);
    assert_int_equal(accessor.component_type, U8);
    check_doubles(accessor.values, expected, 3);
    ref_close(&document);
}

static void test_where_bytes_stand(void **state) {
    (void)state;
    static const uint8_t bytes[] = {1, 2, 3, 4, 0};
    check_three("{'buffers':[{'byteLength':4,'uri':'data:application/octet-stream;base64,AQIDBA=='}]," VIEW
                "," THREE "}");
    check_three("\xEF\xBB\xBF{'buffers':[{'byteLength':4,'uri':'DATA:;base64,AQIDBA'}]," VIEW "," THREE "}");
    mkdir("test reference", 0755);
    write_file("test reference/b.bin", bytes, sizeof bytes);
    check_three("{'buffers':[{'byteLength':4,'uri':'test%20reference/b.bin'}]," VIEW "," THREE "}");
}

static void check_no_bytes(const char *buffer) {
    char text[512];
    ref_document document;
    ref_accessor accessor;
    snprintf(text, sizeof text, "{'buffers':[%s]," VIEW "," THREE "}", buffer);
    if (!open_text(&document, text, NULL)) fail_msg("%s", document.error);
    assert_null(document.view_bytes[0].data);
    assert_false(ref_read_accessor(&document, 0, &accessor));
    assert_string_equal(document.error, "accessors[0]: the bytes of bufferViews[0] cannot be read");
    ref_close(&document);
}

static void test_bytes_from_elsewhere_are_not_read(void **state) {
    (void)state;
    char absolute[256], text[400];
    write_file("b.bin", "12345", 5);
    write_file("file:b.bin", "12345", 5);
    assert_true(mkdir("sub", 0755) == 0 || errno == EEXIST);
    check_no_bytes("{'byteLength':4,'uri':'sub/../b.bin'}");
    check_no_bytes("{'byteLength':4,'uri':'sub/%2e%2e/b.bin'}");
    check_no_bytes("{'byteLength':4,'uri':'file:b.bin'}");
    check_no_bytes("{'byteLength':4,'uri':'sub\\\\b.bin'}");
    check_no_bytes("{'byteLength':4,'uri':'sub'}"); // a folder
    check_no_bytes("{'byteLength':6,'uri':'b.bin'}");
    check_no_bytes("{'byteLength':4,'uri':'data:;base64,AQID?A=='}");
    check_no_bytes("{'byteLength':4}");
    check_no_bytes("{'byteLength':0,'uri':'b.bin'}"); // the view lies behind it
    assert_non_null(getcwd(absolute, sizeof absolute));
    snprintf(text, sizeof text, "{'byteLength':4,'uri':'%s/b.bin'}", absolute);
    check_no_bytes(text);
}

static void test_files_that_are_none(void **state) {
    (void)state;
    ref_document document;
    assert_false(ref_open(&document, "nowhere.glb", NULL, NULL));
    check_contains(document.error, "nowhere.glb: the file cannot be read");
    ref_close(&document);
    assert_false(ref_open(&document, ".", NULL, NULL));
    ref_close(&document);
    assert_true(mkfifo("test_reference.pipe", 0644) == 0 || errno == EEXIST);
    alarm(10); // whoever opens it waits for ever
    assert_false(ref_open(&document, "test_reference.pipe", NULL, NULL));
    alarm(0);
    ref_close(&document);
    write_file("test_reference.glb", "glTF\2\0\0\0\x18\0\0\0\xff\0\0\0JSON{}", 22);
    assert_false(ref_open(&document, "test_reference.glb", NULL, NULL));
    check_contains(document.error, "no JSON chunk");
    ref_close(&document);
    assert_false(open_text(&document, "{'nodes':[1 2]}", NULL));
    check_contains(document.error, "JSON, byte 12: ");
    ref_close(&document);
}

// ---- Accessors -----------------------------------------------------------------------------------------------------

static void check_accessor(ref_document *document, int32_t index, int32_t components, const double *expected,
                           size_t count) {
    ref_accessor accessor;
    if (!ref_read_accessor(document, index, &accessor)) fail_msg("%s", document->error);
    assert_int_equal(accessor.components, components);
    assert_int_equal(accessor.count * components, count);
    check_doubles(accessor.values, expected, count);
}

static void test_numbers(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    const uint8_t bytes[4] = {0x80, 0x81, 0x7f, 0xff}, words[4] = {0x00, 0x80, 0xff, 0xff};
    const uint32_t large[1] = {4000000000u};
    const float half[1] = {-0.5f};
    gltf_accessor(&b, bytes, 4, I8, "SCALAR", 4);
    gltf_normalized(&b, bytes, 4, I8, "SCALAR", 4);
    gltf_normalized(&b, bytes, 4, U8, "SCALAR", 4);
    gltf_normalized(&b, words, 4, I16, "VEC2", 1);
    gltf_normalized(&b, words, 4, U16, "VEC2", 1);
    gltf_accessor(&b, words, 4, I16, "VEC2", 1);
    gltf_accessor(&b, large, 4, U32, "SCALAR", 1);
    gltf_floats(&b, "SCALAR", 1, half);
    ref_document d;
    open_built(&d, &b);
    check_accessor(&d, 0, 1, (double[]){-128, -127, 127, -1}, 4);
    check_accessor(&d, 1, 1, (double[]){-1, -1, 1, -1.0 / 127}, 4);
    check_accessor(&d, 2, 1, (double[]){128.0 / 255, 129.0 / 255, 127.0 / 255, 1}, 4);
    check_accessor(&d, 3, 2, (double[]){-1, -1.0 / 32767}, 2);
    check_accessor(&d, 4, 2, (double[]){32768.0 / 65535, 1}, 2);
    check_accessor(&d, 5, 2, (double[]){-32768, -1}, 2);
    check_accessor(&d, 6, 1, (double[]){4e9}, 1);
    check_accessor(&d, 7, 1, (double[]){-0.5}, 1);
    ref_close(&d);
}

static void test_strides_and_padding(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    const uint8_t bytes[16] = {1, 2, 9, 9, 3, 4, 9, 9, 5, 6, 9, 9, 7, 8, 9, 9};
    int view = gltf_view(&b, bytes, sizeof bytes, 8);
    gltf_raw_accessor(&b, "'bufferView':%d,'byteOffset':4,'componentType':5121,'type':'VEC2','count':2", view);
    gltf_raw_accessor(&b, "'bufferView':%d,'componentType':5121,'type':'MAT2','count':2",
                      view); // columns of 4 bytes
    ref_document d;
    open_built(&d, &b);
    check_accessor(&d, 0, 2, (double[]){3, 4, 7, 8}, 4);
    check_accessor(&d, 1, 4, (double[]){1, 2, 3, 4, 5, 6, 7, 8}, 8);
    ref_close(&d);
}

static void test_sparse(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    const uint8_t base[4] = {1, 2, 3, 4}, values[2] = {7, 8}, bytes[2] = {1, 3};
    const uint16_t words[2] = {0, 2};
    int of_base = gltf_view(&b, base, 4, 0), of_values = gltf_view(&b, values, 2, 0);
    int of_bytes = gltf_view(&b, bytes, 2, 0), of_words = gltf_view(&b, words, 4, 0);
    gltf_raw_accessor(&b,
                      "'bufferView':%d,'componentType':5121,'type':'SCALAR','count':4,'sparse':{'count':2,"
                      "'indices':{'bufferView':%d,'componentType':5121},'values':{'bufferView':%d}}",
                      of_base, of_bytes, of_values);
    gltf_raw_accessor(&b,
                      "'componentType':5121,'type':'SCALAR','count':4,'sparse':{'count':2,"
                      "'indices':{'bufferView':%d,'componentType':5123},'values':{'bufferView':%d}}",
                      of_words, of_values);
    gltf_raw_accessor(&b,
                      "'componentType':5121,'type':'SCALAR','count':3,'sparse':{'count':2,"
                      "'indices':{'bufferView':%d,'componentType':5121},'values':{'bufferView':%d}}",
                      of_bytes, of_values);
    ref_document d;
    ref_accessor accessor;
    open_built(&d, &b);
    check_accessor(&d, 0, 1, (double[]){1, 7, 3, 8}, 4);
    check_accessor(&d, 1, 1, (double[]){7, 0, 8, 0}, 4);
    assert_false(ref_read_accessor(&d, 2, &accessor));
    check_contains(d.error, "accessors[2].sparse: index 1 is out of range");
    ref_close(&d);
}

static void test_accessors_outside_their_bytes(void **state) {
    (void)state;
    static const struct {
        const char *members, *error;
    } cases[] = {
        {"'bufferView':0,'componentType':5126,'type':'SCALAR','count':5",
         "some elements are outside bufferViews[0]"},
        {"'bufferView':0,'byteOffset':1,'componentType':5126,'type':'SCALAR','count':4",
         "some elements are outside"},
        {"'bufferView':0,'byteOffset':9007199254740992,'componentType':5126,'type':'SCALAR','count':1",
         "some elements are outside"},
        {"'bufferView':0,'byteOffset':-1,'componentType':5126,'type':'SCALAR','count':1",
         "some elements are outside"},
        {"'bufferView':1,'componentType':5126,'type':'SCALAR','count':1", "bufferView is missing or out of range"},
        {"'bufferView':0,'componentType':5124,'type':'SCALAR','count':1", "componentType"},
        {"'bufferView':0,'componentType':5126,'type':'VEC5','count':1", "type"},
        {"'bufferView':0,'componentType':5126,'type':'SCALAR'", "count is missing"},
        {"'componentType':5126,'type':'MAT4','count':10000000", "need more than 8"},
        {"'componentType':5126,'type':'MAT4','count':2147483647", "need more than 8"},
    };
    const float four[4] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gltf_builder b = gltf_begin();
        gltf_view(&b, four, sizeof four, 0);
        gltf_raw_accessor(&b, "%s", cases[i].members);
        ref_document d;
        ref_accessor accessor;
        open_built(&d, &b);
        assert_false(ref_read_accessor(&d, 0, &accessor));
        check_contains(d.error, "accessors[0]: ");
        check_contains(d.error, cases[i].error);
        assert_false(ref_read_accessor(&d, 1, &accessor));
        ref_close(&d);
    }
}

// ---- Compressed views ----------------------------------------------------------------------------------------------

static int decoded;

// "Decompresses" by counting on from the first byte.
static bool decode(uint8_t *out, int32_t count, size_t stride, const uint8_t *data, size_t size,
                   sinew_meshopt_mode mode, sinew_meshopt_filter filter, void *user) {
    (void)size, (void)mode, (void)filter, (void)user;
    for (size_t i = 0; i < (size_t)count * stride; i++) out[i] = (uint8_t)(data[0] + i);
    decoded++;
    return true;
}

static bool open_compressed(ref_document *d, const char *name, const char *members, sinew_meshopt_decode decoder) {
    char text[512];
    snprintf(
        text, sizeof text,
        "{'buffers':[{'byteLength':4,'uri':'data:;base64,AQIDBA=='}],'bufferViews':[{'buffer':0,'byteLength':4,"
        "'extensions':{'%s':{'buffer':0,'byteOffset':2,'byteLength':2,%s}}}],'accessors':[{'bufferView':0,"
        "'componentType':5121,'type':'VEC4','count':1}]}",
        name, members);
    return open_text(d, text, decoder);
}

static void test_compressed_views(void **state) {
    (void)state;
    ref_document d;
    ref_accessor accessor;
    static const char *const names[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
    for (int i = 0; i < 2; i++) {
        assert_true(open_compressed(&d, names[i], "'count':1,'byteStride':4,'mode':'ATTRIBUTES'", decode));
        check_accessor(&d, 0, 4, (double[]){3, 4, 5, 6}, 4);
        ref_close(&d);
    }
    assert_true(open_compressed(&d, names[0], "'count':1,'byteStride':4,'mode':'ATTRIBUTES'", NULL));
    check_accessor(&d, 0, 4, (double[]){1, 2, 3, 4}, 4); // what stands there for those who have no decoder
    ref_close(&d);

    static const char *const refused[] = {
        "'count':2,'byteStride':4,'mode':'ATTRIBUTES'",
        "'count':1,'byteStride':3,'mode':'ATTRIBUTES'",
        "'count':1,'byteStride':0,'mode':'ATTRIBUTES'",
        "'count':1,'byteStride':4,'mode':'LINES'",
        "'count':1,'byteStride':4,'mode':'TRIANGLES'",
        "'count':4,'byteStride':1,'mode':'INDICES'",
        "'count':1,'byteStride':4,'mode':'ATTRIBUTES','filter':'QUATERNION'",
    };
    decoded = 0;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_true(open_compressed(&d, names[0], refused[i], decode));
        assert_false(ref_read_accessor(&d, 0, &accessor));
        ref_close(&d);
    }
    assert_int_equal(decoded, 0); // a decoder never sees what its format does not allow
}

// ---- Poses -------------------------------------------------------------------------------------------------------

typedef struct posed {
    ref_document document;
    ref_model model;
    ref_pose pose;
} posed;

static void read_built(posed *p, gltf_builder *b) {
    open_built(&p->document, b);
    if (!ref_read_model(&p->document, &p->model)) fail_msg("%s", p->document.error);
    assert_true(ref_make_pose(&p->document.arena, &p->model, &p->pose));
}

static void refuse_model(const char *members, const char *error) {
    gltf_builder b = gltf_begin();
    gltf_section(&b, "%s", members);
    ref_document d;
    ref_model model;
    open_built(&d, &b);
    assert_false(ref_read_model(&d, &model));
    check_contains(d.error, error);
    ref_close(&d);
}

static void test_impossible_models(void **state) {
    (void)state;
    refuse_model("'nodes':[{'children':[1]},{'children':[0]}]", "their own ancestors");
    refuse_model("'nodes':[{'children':[2]},{'children':[2]},{}]", "nodes[1].children[0]");
    refuse_model("'nodes':[{'children':[7]}]", "nodes[0].children[0]");
    refuse_model("'nodes':[{'mesh':0}]", "nodes[0]: the mesh");
    refuse_model("'nodes':[{}],'skins':[{'joints':[0,1]}]", "skins[0].joints[1]");
}

// One node and one channel of a path, from its keys.
static void read_channel(posed *p, const char *path, const char *how, const char *type, int key_count,
                         const float *times, int value_count, const float *values) {
    gltf_builder b = gltf_begin();
    int input = gltf_floats(&b, "SCALAR", key_count, times), output = gltf_floats(&b, type, value_count, values);
    gltf_section(&b,
                 "'nodes':[{}],'animations':[{'channels':[{'sampler':0,'target':{'node':0,'path':'%s'}}],"
                 "'samplers':[{'input':%d,'output':%d,'interpolation':'%s'}]}]",
                 path, input, output, how);
    read_built(p, &b);
}

static const double *local_at(posed *p, double time) {
    ref_evaluate(&p->model, &p->model.animations[0], time, &p->pose);
    return p->pose.locals;
}

static void test_step_and_linear(void **state) {
    (void)state;
    const float times[3] = {1, 2, 4}, values[9] = {0, 0, 0, 8, 4, 0, 0, 4, 2};
    posed p;
    read_channel(&p, "translation", "STEP", "VEC3", 3, times, 3, values);
    check_doubles(local_at(&p, 0), (double[]){0, 0, 0}, 3);
    check_doubles(local_at(&p, 1.999), (double[]){0, 0, 0}, 3);
    check_doubles(local_at(&p, 2), (double[]){8, 4, 0}, 3);
    check_doubles(local_at(&p, 3.999), (double[]){8, 4, 0}, 3);
    check_doubles(local_at(&p, 4), (double[]){0, 4, 2}, 3);
    check_doubles(local_at(&p, 99), (double[]){0, 4, 2}, 3);
    ref_close(&p.document);
    read_channel(&p, "scale", "LINEAR", "VEC3", 3, times, 3, values);
    check_doubles(local_at(&p, -1) + 7, (double[]){0, 0, 0}, 3);
    check_doubles(local_at(&p, 1.25) + 7, (double[]){2, 1, 0}, 3);
    check_doubles(local_at(&p, 3.5) + 7, (double[]){2, 4, 1.5}, 3);
    check_doubles(local_at(&p, 5) + 7, (double[]){0, 4, 2}, 3);
    ref_close(&p.document);
}

// Between no turn and a quarter turn about z, a third of the way is 30 degrees, whichever sign the keys have.
static void test_slerp(void **state) {
    (void)state;
    const float h = 0.70710678f, times[2] = {0, 3};
    for (int sign = 1; sign >= -1; sign -= 2) {
        const float s = (float)sign, keys[8] = {0, 0, 0, 1, 0, 0, h * s, h * s};
        posed p;
        read_channel(&p, "rotation", "LINEAR", "VEC4", 2, times, 2, keys);
        check_doubles(local_at(&p, 1) + 3, (double[]){0, 0, sin(PI / 12), cos(PI / 12)}, 4);
        ref_close(&p.document);
    }
    const float same[8] = {0, 0.6f, 0, 0.8f, 0, 0.6f, 0, 0.8f}; // no angle to divide by
    posed p;
    read_channel(&p, "rotation", "LINEAR", "VEC4", 2, times, 2, same);
    check_near(local_at(&p, 1)[4], 0.6, 1e-7);
    ref_close(&p.document);
}

// Keys are made unit, and then interpolated: halfway is half the angle however long they are.
static void test_keys_are_made_unit_first(void **state) {
    (void)state;
    const float times[2] = {0, 1}, keys[8] = {0, 0, 0, 4, 0, 0, 1, 1};
    posed p;
    read_channel(&p, "rotation", "LINEAR", "VEC4", 2, times, 2, keys);
    check_doubles(local_at(&p, 0) + 3, (double[]){0, 0, 0, 1}, 4);
    check_doubles(local_at(&p, 0.5) + 3, (double[]){0, 0, sin(PI / 8), cos(PI / 8)}, 4);
    ref_close(&p.document);
    read_channel(&p, "rotation", "STEP", "VEC4", 2, times, 2, keys);
    check_doubles(local_at(&p, 0.5) + 3, (double[]){0, 0, 0, 1}, 4);
    check_doubles(local_at(&p, 1) + 3, (double[]){0, 0, sqrt(0.5), sqrt(0.5)}, 4);
    ref_close(&p.document);
}

// From 0 to 1 in 2 s, leaving at 1 a second and arriving at -1 a second. At u = 1/2 the specification's sum is
// 1/2 × 0 + 2 × 1/8 × 1 + 1/2 × 1 - 2 × 1/8 × -1 = 1; at u = 1/4 it is 2 × 9/64 × 1 + 10/64 × 1 - 2 × 3/64 × -1 = 34/64.
static void test_cubic_spline(void **state) {
    (void)state;
    const float times[2] = {1, 3};
    const float keys[18] = {9, 9, 9, 0, 0, 0, 1, 0, 0, -1, 0, 0, 1, 0, 0, 9, 9, 9};
    posed p;
    read_channel(&p, "translation", "CUBICSPLINE", "VEC3", 2, times, 6, keys);
    check_near(local_at(&p, 2)[0], 1.0, NEAR);
    check_near(local_at(&p, 1.5)[0], 34.0 / 64, NEAR);
    check_near(local_at(&p, 1)[0], 0.0, NEAR);
    check_near(local_at(&p, 3)[0], 1.0, NEAR);
    check_near(local_at(&p, 0)[0], 0.0, NEAR);
    check_near(local_at(&p, 7)[0], 1.0, NEAR);
    ref_close(&p.document);
    read_channel(&p, "translation", "CUBICSPLINE", "VEC3", 1, times, 3, keys + 9); // its value, not its tangent
    check_near(local_at(&p, 2)[0], 1.0, NEAR);
    ref_close(&p.document);
}

// Spline values are rotations only after interpolation: here (0, 0, 2, 2) / 2 + (0, 0, 0, 1) / 2 in the middle, with
// the direction of (0, 0, 2, 3). Normalizing the first one before gives another.
static void test_cubic_rotation(void **state) {
    (void)state;
    const float times[2] = {0, 1};
    const float keys[24] = {0, 0, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0};
    posed p;
    read_channel(&p, "rotation", "CUBICSPLINE", "VEC4", 2, times, 6, keys);
    check_doubles(local_at(&p, 0.5) + 3, (double[]){0, 0, 2 / sqrt(13), 3 / sqrt(13)}, 4);
    check_doubles(local_at(&p, 0) + 3, (double[]){0, 0, sqrt(0.5), sqrt(0.5)}, 4);
    ref_close(&p.document);
}

// The child stands first in the file. Its parent stretches, turns x into y, and moves along z.
static void test_hierarchy(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_section(&b, "'nodes':[{'translation':[1,0,0]},"
                     "{'children':[0],'translation':[0,0,5],'rotation':[0,0,1,1],'scale':[2,3,4]},"
                     "{'children':[1],'matrix':[0,0,1,0,0,1,0,0,1,0,0,0,10,20,30,1]}]");
    posed p;
    read_built(&p, &b);
    ref_evaluate(&p.model, NULL, 0, &p.pose);
    // In the parent (0, 2, 5); the matrix swaps x and z and adds (10, 20, 30).
    check_doubles(p.pose.worlds + 12, (double[]){15, 22, 30, 1}, 4);
    // x becomes 2y; y becomes -3x, then -3z; z becomes 4z, then 4x.
    check_doubles(p.pose.worlds, (double[]){0, 2, 0, 0, 0, 0, -3, 0, 4, 0, 0, 0}, 12);
    ref_close(&p.document);
}

// Channels of a node with a matrix, which the specification forbids: each replaces what the matrix says of T, R or S.
static void read_matrix_channel(posed *p, const char *matrix, const char *path, const char *type, int numbers,
                                const float *key) {
    gltf_builder b = gltf_begin();
    const float time = 0;
    int input = gltf_floats(&b, "SCALAR", 1, &time);
    int output = gltf_accessor(&b, key, (size_t)numbers * sizeof(float), F32, type, 1);
    gltf_section(
        &b,
        "'nodes':[{'matrix':%s}],'animations':[{'channels':[{'sampler':0,'target':{'node':0,'path':'%s'}}],"
        "'samplers':[{'input':%d,'output':%d}]}]",
        matrix, path, input, output);
    read_built(p, &b);
}

static void test_moved_matrices(void **state) {
    (void)state;
    // 90 degrees about z, scaled by 2, 3, 4, moved by 5, 6, 7.
    static const char straight[] = "[0,2,0,0, -3,0,0,0, 0,0,4,0, 5,6,7,1]";
    posed p;
    read_matrix_channel(&p, straight, "translation", "VEC3", 3, (float[3]){1, 1, 1});
    ref_evaluate(&p.model, NULL, 0, &p.pose);
    check_doubles(p.pose.worlds, (double[]){0, 2, 0, 0, -3, 0, 0, 0, 0, 0, 4, 0, 5, 6, 7, 1}, 16);
    ref_evaluate(&p.model, &p.model.animations[0], 0, &p.pose);
    check_doubles(p.pose.worlds, (double[]){0, 2, 0, 0, -3, 0, 0, 0, 0, 0, 4, 0, 1, 1, 1, 1}, 16);
    ref_close(&p.document);
    read_matrix_channel(&p, straight, "rotation", "VEC4", 4, (float[4]){0, 0, 0, 1});
    ref_evaluate(&p.model, &p.model.animations[0], 0, &p.pose);
    check_doubles(p.pose.worlds, (double[]){2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 4, 0, 5, 6, 7, 1}, 16);
    ref_close(&p.document);
    read_matrix_channel(&p, straight, "scale", "VEC3", 3, (float[3]){1, 1, 5});
    ref_evaluate(&p.model, &p.model.animations[0], 0, &p.pose);
    check_doubles(p.pose.worlds, (double[]){0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 5, 0, 5, 6, 7, 1}, 16);
    ref_close(&p.document);
    // The shear stays where a channel moves the node.
    read_matrix_channel(&p, "[1,0,0,0, 0.5,1,0,0, 0,0,1,0, 5,6,7,1]", "translation", "VEC3", 3,
                        (float[3]){1, 1, 1});
    ref_evaluate(&p.model, &p.model.animations[0], 0, &p.pose);
    check_doubles(p.pose.worlds, (double[]){1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1}, 16);
    ref_close(&p.document);
}

// Of matrices without a direction in some column, and of mirrors, the product is the matrix again.
static void test_flat_matrices(void **state) {
    (void)state;
    static const double matrices[][9] = {
        {0, 0, 0, 0, 0, 0, 0, 0, 0},    {1, 0, 0, 0, 0, 0, 0, 0, 0},  {0, 0, 0, 1, 2, 3, 0, 0, 0},
        {0, 0, 0, 0, 0, 0, 0, -2, 0},   {0, 0, 0, 1, 2, 3, 3, 0, -1}, {1, 2, 3, 0, 0, 0, 1, 2, 4},
        {1, 2, 3, 1, 2, 3, 1, 2, 3},    {-1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 2, 0, 3, 0, 0, 0, 0, 4},
        {-1, 0, 0, 0, -1, 0, 0, 0, -1}, {1, 0, 0, 0, -1, 0, 0, 0, -1}};
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++) {
        const double *m = matrices[i];
        gltf_builder b = gltf_begin();
        gltf_section(&b, "'nodes':[{'matrix':[%g,%g,%g,0, %g,%g,%g,0, %g,%g,%g,0, 0,0,0,1]}]", m[0], m[1], m[2],
                     m[3], m[4], m[5], m[6], m[7], m[8]);
        posed p;
        read_built(&p, &b);
        ref_evaluate(&p.model, NULL, 0, &p.pose);
        check_doubles(p.pose.worlds,
                      (double[]){m[0], m[1], m[2], 0, m[3], m[4], m[5], 0, m[6], m[7], m[8], 0, 0, 0, 0, 1}, 16);
        ref_close(&p.document);
    }
}

// ---- Vertices ----------------------------------------------------------------------------------------------------

static void move(posed *p, int32_t node, const double *palette, double positions[], double normals[],
                 double tangents[]) {
    const ref_primitive *primitive = &p->model.meshes[p->model.nodes[node].mesh].primitives[0];
    ref_vertices out = {.positions = positions, .normals = normals, .tangents = tangents};
    ref_move_vertices(&p->model, &p->pose, node, primitive, palette, &out);
}

// Two joints, at x = 0 and lifted by 8; the second is bound at x = 1. The mesh's own node, far away, takes no part.
static void test_skin(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    const float positions[9] = {0, 0, 0, 1, 0, 0, 1, 0, 0};
    const uint8_t joints[24] = {0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 9, 9};
    const uint8_t weights[12] = {255, 0, 0, 0, 51, 0, 0, 0, 60, 20, 0, 0}; // sums of 1, 0.2 and 80/255
    const float binds[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0,  0, 0, 1,
                             1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 0};
    int position = gltf_floats(&b, "VEC3", 3, positions), joint = gltf_accessor(&b, joints, 12, U8, "VEC4", 3);
    int weight = gltf_normalized(&b, weights, 12, U8, "VEC4", 3), bind = gltf_floats(&b, "MAT4", 2, binds);
    gltf_section(&b,
                 "'nodes':[{},{'translation':[0,8,0]},{'mesh':0,'skin':0,'translation':[99,99,99]},"
                 "{'mesh':0,'skin':1},{'mesh':0,'translation':[0,0,3]}],"
                 "'meshes':[{'primitives':[{'attributes':{'POSITION':%d,'JOINTS_0':%d,'WEIGHTS_0':%d}}]}],"
                 "'skins':[{'joints':[0,1],'inverseBindMatrices':%d},{'joints':[0,1]}]",
                 position, joint, weight, bind);
    posed p;
    read_built(&p, &b);
    ref_evaluate(&p.model, NULL, 0, &p.pose);
    double palette[32], out[9];
    ref_palette(&p.model.skins[0], &p.pose, palette);
    check_doubles(palette + 28, (double[]){-1, 8, 0, 1}, 4); // the fourth row is 0 0 0 1, whatever the file has
    move(&p, 2, palette, out, NULL, NULL);
    check_doubles(out, (double[]){0, 0, 0, 0, 8, 0, 0.75, 2, 0}, 9);
    ref_palette(&p.model.skins[1], &p.pose, palette); // without inverse binds: identities
    move(&p, 3, palette, out, NULL, NULL);
    check_doubles(out, (double[]){0, 0, 0, 1, 8, 0, 1, 2, 0}, 9);
    move(&p, 4, NULL, out, NULL, NULL); // without a skin it moves with its node
    check_doubles(out, (double[]){0, 0, 3, 1, 0, 3, 1, 0, 3}, 9);
    ref_close(&p.document);
}

// Eight influences of 1/8 each: joint i stands at x = i, so the mean is 3.5.
static void test_two_sets(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    const float positions[3] = {0};
    const uint16_t joints[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const float weights[4] = {0.125f, 0.125f, 0.125f, 0.125f};
    int position = gltf_floats(&b, "VEC3", 1, positions), weight = gltf_floats(&b, "VEC4", 1, weights);
    int first = gltf_accessor(&b, joints, 8, U16, "VEC4", 1),
        second = gltf_accessor(&b, joints + 4, 8, U16, "VEC4", 1);
    gltf_section(&b,
                 "'nodes':[{},{'translation':[1,0,0]},{'translation':[2,0,0]},{'translation':[3,0,0]},"
                 "{'translation':[4,0,0]},{'translation':[5,0,0]},{'translation':[6,0,0]},"
                 "{'translation':[7,0,0]},{'mesh':0,'skin':0}],'skins':[{'joints':[0,1,2,3,4,5,6,7]}],"
                 "'meshes':[{'primitives':[{'attributes':{'POSITION':%d,'JOINTS_0':%d,'WEIGHTS_0':%d,"
                 "'JOINTS_1':%d,'WEIGHTS_1':%d}}]}]",
                 position, first, weight, second, weight);
    posed p;
    read_built(&p, &b);
    ref_evaluate(&p.model, NULL, 0, &p.pose);
    double palette[128], out[3];
    ref_palette(&p.model.skins[0], &p.pose, palette);
    move(&p, 8, palette, out, NULL, NULL);
    check_doubles(out, (double[]){3.5, 0, 0}, 3);
    ref_close(&p.document);
}

// Weights: an animation's before the node's, the node's before the mesh's.
static void test_morph_targets(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    const float position[3] = {1, 1, 1}, normal[3] = {0, 0, 1}, tangent[4] = {1, 0, 0, -1};
    const float up[3] = {0, 4, 0}, right[3] = {8, 0, 0}, bend[3] = {2, 0, 0}, times[2] = {0, 1};
    const float weights[4] = {1, 0, 0, 0.5f};
    int base = gltf_floats(&b, "VEC3", 1, position), n = gltf_floats(&b, "VEC3", 1, normal);
    int t = gltf_floats(&b, "VEC4", 1, tangent), first = gltf_floats(&b, "VEC3", 1, up);
    int second = gltf_floats(&b, "VEC3", 1, right), turn = gltf_floats(&b, "VEC3", 1, bend);
    int input = gltf_floats(&b, "SCALAR", 2, times), output = gltf_floats(&b, "SCALAR", 4, weights);
    gltf_section(&b,
                 "'nodes':[{'mesh':0},{'mesh':0,'weights':[0.25,0]}],'meshes':[{'weights':[0,0.5],'primitives':"
                 "[{'attributes':{'POSITION':%d,'NORMAL':%d,'TANGENT':%d},'targets':[{'POSITION':%d,'TANGENT':%d},"
                 "{'POSITION':%d,'NORMAL':%d}]}]}]",
                 base, n, t, first, first, second, turn);
    gltf_section(&b,
                 "'animations':[{'channels':[{'sampler':0,'target':{'node':0,'path':'weights'}}],"
                 "'samplers':[{'input':%d,'output':%d}]}]",
                 input, output);
    posed p;
    read_built(&p, &b);
    double out[3], normals[3], tangents[4];
    ref_evaluate(&p.model, NULL, 0, &p.pose);
    move(&p, 0, NULL, out, normals, tangents);
    check_doubles(out, (double[]){5, 1, 1}, 3);
    check_doubles(normals, (double[]){sqrt(0.5), 0, sqrt(0.5)}, 3); // (1, 0, 1), made unit
    check_doubles(tangents, (double[]){1, 0, 0, -1}, 4);
    move(&p, 1, NULL, out, normals, tangents);
    check_doubles(out, (double[]){1, 2, 1}, 3);
    check_doubles(tangents, (double[]){sqrt(0.5), sqrt(0.5), 0, -1}, 4); // (1, 1, 0)
    ref_evaluate(&p.model, &p.model.animations[0], 0.5, &p.pose);        // 0.5 and 0.25
    move(&p, 0, NULL, out, normals, tangents);
    check_doubles(out, (double[]){3, 3, 1}, 3);
    ref_close(&p.document);
}

// Two nodes with a mesh of two targets. The second has its own weights.
static void check_pointers(const char *channels, const double expected[4]) {
    gltf_builder b = gltf_begin();
    const float position[3] = {1, 1, 1}, times[2] = {0, 1}, ones[2] = {1, 0}, pairs[4] = {1, 0, 0, 0.5f};
    int base = gltf_floats(&b, "VEC3", 1, position), input = gltf_floats(&b, "SCALAR", 2, times);
    int one = gltf_floats(&b, "SCALAR", 2, ones), pair = gltf_floats(&b, "SCALAR", 4, pairs);
    gltf_section(&b,
                 "'nodes':[{'mesh':0},{'mesh':0,'weights':[0.25,0]}],'meshes':[{'weights':[0,0.125],'primitives':"
                 "[{'attributes':{'POSITION':%d},'targets':[{'POSITION':%d},{'POSITION':%d}]}]}]",
                 base, base, base);
    gltf_section(&b,
                 "'animations':[{'samplers':[{'input':%d,'output':%d},{'input':%d,'output':%d}],'channels':[%s]}]",
                 input, one, input, pair, channels);
    posed p;
    read_built(&p, &b);
    ref_evaluate(&p.model, &p.model.animations[0], 0.5, &p.pose);
    check_doubles(p.pose.weights, expected, 4);
    ref_close(&p.document);
}

#define POINTER(sampler, pointer)                                                                                  \
    "{'sampler':" #sampler                                                                                         \
    ",'target':{'path':'pointer','extensions':{'KHR_animation_pointer':{'pointer':'" pointer "'}}}}"

static void test_pointers_to_weights(void **state) {
    (void)state;
    check_pointers(POINTER(1, "/meshes/0/weights"), (double[]){0.5, 0.25, 0.25, 0});
    check_pointers(POINTER(1, "/nodes/1/weights"), (double[]){0, 0.125, 0.5, 0.25});
    check_pointers(POINTER(0, "/nodes/1/weights/1"), (double[]){0, 0.125, 0.25, 0.5});
    check_pointers(POINTER(0, "/meshes/0/weights/0"), (double[]){0.5, 0.125, 0.25, 0});
    check_pointers(POINTER(0, "/nodes/0/weights/0") "," POINTER(0, "/nodes/0/weights/1"),
                   (double[]){0.5, 0.5, 0.25, 0});
    check_pointers(POINTER(0, "/nodes/0/weights/0") "," POINTER(1, "/nodes/0/weights"), // the first counts
                   (double[]){0.5, 0.125, 0.25, 0});
    check_pointers(POINTER(0, "/nodes/0/weights/2"), (double[]){0, 0.125, 0.25, 0});
    check_pointers(POINTER(1, "/meshes/00/weights"), (double[]){0, 0.125, 0.25, 0});
    check_pointers(POINTER(1, "/meshes/1/weights"), (double[]){0, 0.125, 0.25, 0});
    check_pointers(POINTER(1, "/nodes/0/weightsome"), (double[]){0, 0.125, 0.25, 0});
}

// Normals of x + y on nodes that stretch x, mirror x, and leave nothing of x and y.
static void test_normals_under_scale(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    const float position[3] = {0}, normal[3] = {0.6f, 0.8f, 0}, tangent[4] = {0.8f, -0.6f, 0, 1};
    int base = gltf_floats(&b, "VEC3", 1, position), n = gltf_floats(&b, "VEC3", 1, normal);
    int t = gltf_floats(&b, "VEC4", 1, tangent);
    gltf_section(&b,
                 "'nodes':[{'mesh':0,'scale':[2,1,1]},{'mesh':0,'scale':[-1,1,1]},{'mesh':0,'scale':[0,0,0]}],"
                 "'meshes':[{'primitives':[{'attributes':{'POSITION':%d,'NORMAL':%d,'TANGENT':%d}}]}]",
                 base, n, t);
    posed p;
    read_built(&p, &b);
    ref_evaluate(&p.model, NULL, 0, &p.pose);
    double out[3], normals[3], tangents[4];
    move(&p, 0, NULL, out, normals, tangents);
    check_near(normals[0] / normals[1], 0.3 / 0.8, 1e-7); // of the surface stretched in x
    check_near(normals[0] * normals[0] + normals[1] * normals[1], 1.0, NEAR);
    check_near(tangents[1] / tangents[0], -0.6 / 1.6, 1e-7);
    check_near(tangents[3], 1.0, NEAR);
    move(&p, 1, NULL, out, normals, tangents);
    check_near(normals[0], -0.6, 1e-7);
    check_near(normals[1], 0.8, 1e-7);
    check_near(tangents[0], -0.8, 1e-7);
    check_near(tangents[3], -1.0, NEAR); // the other hand
    move(&p, 2, NULL, out, normals, tangents);
    check_doubles(normals, (double[]){0, 0, 0}, 3);
    ref_close(&p.document);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_where_bytes_stand),
        cmocka_unit_test(test_bytes_from_elsewhere_are_not_read),
        cmocka_unit_test(test_files_that_are_none),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_strides_and_padding),
        cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_accessors_outside_their_bytes),
        cmocka_unit_test(test_compressed_views),
        cmocka_unit_test(test_impossible_models),
        cmocka_unit_test(test_step_and_linear),
        cmocka_unit_test(test_slerp),
        cmocka_unit_test(test_keys_are_made_unit_first),
        cmocka_unit_test(test_cubic_spline),
        cmocka_unit_test(test_cubic_rotation),
        cmocka_unit_test(test_hierarchy),
        cmocka_unit_test(test_moved_matrices),
        cmocka_unit_test(test_flat_matrices),
        cmocka_unit_test(test_skin),
        cmocka_unit_test(test_two_sets),
        cmocka_unit_test(test_morph_targets),
        cmocka_unit_test(test_pointers_to_weights),
        cmocka_unit_test(test_normals_under_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
