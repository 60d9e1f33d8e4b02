// SPDX-License-Identifier: MIT
// The command's Draco decoder, on output of libdraco's own encoder. Vertices equal the uncompressed file's within the
// quantisation, in any order. verify's evaluator and lint also accept the file. Damaged data neither crashes it nor
// makes it take more memory than the accessors say.
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier,cert-*): mkdtemp
#endif
#include "support/draco_encode.h"
#include "support/gltf_builder.h"

#include "support/folder.h"

#include "cli/draco.h"
#include "lint/lint.h"
#include "reference/model.h"

#include <stdio.h>

#define FILE_NAME  "draco.glb"
#define FIXED_NAME "draco-fixed.glb"

enum { SIDE = 9, VERTICES = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1), INDICES = 3 * TRIANGLES };
enum { POSITION_BITS = 12, UV_BITS = 12 };

// The least distance of two vertices is 1; positions are at most 8 apart along an axis.
#define POSITION_STEP (8.0f / (float)((1 << POSITION_BITS) - 1))

typedef struct sheet {
    float positions[3 * VERTICES], normals[3 * VERTICES], uvs[2 * VERTICES], weights[4 * VERTICES];
    uint8_t colors[4 * VERTICES];
    uint16_t joints[4 * VERTICES];
    uint32_t indices[INDICES];
} sheet;

static sheet the_sheet;

static void make_sheet(void) {
    sheet *s = &the_sheet;
    for (int v = 0; v < VERTICES; v++) {
        const int column = v % SIDE, row = v / SIDE;
        const float x = (float)column, y = (float)row;
        memcpy(s->positions + (ptrdiff_t)3 * v, (float[3]){x, y, (float)((v * 5) % 7) / 2.0f}, 12);
        memcpy(s->normals + (ptrdiff_t)3 * v, (float[3]){0.6f, v % 2 ? 0.8f : -0.8f, 0.0f}, 12);
        memcpy(s->uvs + (ptrdiff_t)2 * v, (float[2]){x / 8.0f, y / 8.0f}, 8);
        memcpy(s->weights + (ptrdiff_t)4 * v, (float[4]){0.75f, 0.25f, 0.0f, 0.0f}, 16);
        memcpy(s->colors + (ptrdiff_t)4 * v, (uint8_t[4]){(uint8_t)(3 * v), 51, 102, 255}, 4);
        memcpy(s->joints + (ptrdiff_t)4 * v, (uint16_t[4]){(uint16_t)(v % 3), (uint16_t)((v + 1) % 3), 0, 0}, 8);
    }
    uint32_t *to = s->indices;
    for (uint32_t y = 0; y + 1 < SIDE; y++) {
        for (uint32_t x = 0; x + 1 < SIDE; x++) {
            uint32_t a = y * SIDE + x, corners[6] = {a, a + 1, a + SIDE, a + 1, a + SIDE + 1, a + SIDE};
            memcpy(to, corners, sizeof corners);
            to += 6;
        }
    }
}

// ---- Files -------------------------------------------------------------------------------------------------------

static uint8_t *encode(bool edgebreaker, size_t *size) {
    const sheet *s = &the_sheet;
    const draco_attribute attributes[] = {
        {"GENERIC", U16, 4, 0, 11, s->joints},  {"POSITION", F32, 3, POSITION_BITS, 5, s->positions},
        {"NORMAL", F32, 3, 10, 3, s->normals},  {"TEX_COORD", F32, 2, UV_BITS, 8, s->uvs},
        {"GENERIC", F32, 4, 12, 0, s->weights}, {"COLOR", U8, 4, 0, 9, s->colors},
    };
    uint8_t *bytes = draco_encode(VERTICES, TRIANGLES, s->indices, 6, attributes, edgebreaker, size);
    assert_non_null(bytes);
    return bytes;
}

// A file whose mesh is only in these compressed bytes.
static uint8_t *write_compressed(const uint8_t *data, size_t data_size, size_t *size) {
    gltf_builder b = gltf_begin();
    gltf_view(&b, data, data_size, 0);
    gltf_raw_accessor(&b, "'componentType':5126,'type':'VEC3','count':%d,'min':[0,0,0],'max':[8,8,3]", VERTICES);
    gltf_raw_accessor(&b, "'componentType':5126,'type':'VEC3','count':%d", VERTICES);
    gltf_raw_accessor(&b, "'componentType':5126,'type':'VEC2','count':%d", VERTICES);
    gltf_raw_accessor(&b, "'componentType':5121,'normalized':true,'type':'VEC4','count':%d", VERTICES);
    gltf_raw_accessor(&b, "'componentType':5123,'type':'VEC4','count':%d", VERTICES);
    gltf_raw_accessor(&b, "'componentType':5126,'type':'VEC4','count':%d", VERTICES);
    gltf_raw_accessor(&b, "'componentType':5123,'type':'SCALAR','count':%d", INDICES);
    gltf_section(&b, "'extensionsUsed':['KHR_draco_mesh_compression'],"
                     "'extensionsRequired':['KHR_draco_mesh_compression']");
    gltf_section(&b, "'scene':0,'scenes':[{'nodes':[0,1]}],'nodes':[{'name':'Sheet','mesh':0,'skin':0},"
                     "{'name':'A','children':[2,3]},{'name':'B'},{'name':'C'}],'skins':[{'joints':[1,2,3]}]");
    gltf_section(&b, "'meshes':[{'name':'Sheet','primitives':[{'indices':6,'attributes':{'POSITION':0,'NORMAL':1,"
                     "'TEXCOORD_0':2,'COLOR_0':3,'JOINTS_0':4,'WEIGHTS_0':5},'extensions':{"
                     "'KHR_draco_mesh_compression':{'bufferView':0,'attributes':{'POSITION':5,'NORMAL':3,"
                     "'TEXCOORD_0':8,'COLOR_0':9,'JOINTS_0':11,'WEIGHTS_0':0}}}}]}]");
    uint8_t *glb = gltf_write_glb(&b, size);
    gltf_end(&b);
    return glb;
}

static sinew_result load_data(const uint8_t *data, size_t data_size, sinew_asset **asset, sinew_error *error) {
    size_t size;
    uint8_t *glb = write_compressed(data, data_size, &size);
    sinew_gltf_options options = sinew_gltf_default();
    options.draco_decode = cli_draco_decoder();
    sinew_result result = sinew_gltf_load_memory(glb, size, &options, asset, error);
    free(glb);
    return result;
}

static sinew_asset *must_load(bool edgebreaker) {
    size_t size;
    sinew_asset *asset;
    sinew_error error = {0};
    uint8_t *data = encode(edgebreaker, &size);
    if (load_data(data, size, &asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    free(data);
    return asset;
}

// ---- The same vertices -------------------------------------------------------------------------------------------

// The vertex of the sheet that is nearest to a position.
static int vertex_at(const float *position) {
    int x = (int)(position[0] + 0.5f), y = (int)(position[1] + 0.5f);
    return y * SIDE + x;
}

static void check_vertex(const sinew_primitive *p, int at) {
    const sheet *s = &the_sheet;
    int v = vertex_at(p->positions + (ptrdiff_t)3 * at);
    check_floats(p->positions + (ptrdiff_t)3 * at, s->positions + (ptrdiff_t)3 * v, 3, 0.51f * POSITION_STEP);
    check_floats(p->normals + (ptrdiff_t)3 * at, s->normals + (ptrdiff_t)3 * v, 3, 0.005f);
    check_floats(p->uvs + (ptrdiff_t)2 * at, s->uvs + (ptrdiff_t)2 * v, 2, 0.51f / ((1 << UV_BITS) - 1));
    check_floats(p->weights + (ptrdiff_t)4 * at, s->weights + (ptrdiff_t)4 * v, 4, 1e-3f);
    for (int k = 0; k < 4; k++) {
        check_near((double)p->colors[4 * at + k], s->colors[4 * v + k] / 255.0, 1e-6);
        if (p->weights[4 * at + k] > 0.0f) assert_int_equal(p->joints[4 * at + k], s->joints[4 * v + k]);
    }
}

// How often the sheet's triangle with these corners is there, whichever of them comes first.
static int count_triangle(const sinew_primitive *p, const uint32_t corners[3]) {
    int count = 0;
    for (int i = 0; i < p->index_count; i += 3) {
        uint32_t found[3];
        for (int k = 0; k < 3; k++) found[k] = (uint32_t)vertex_at(p->positions + (size_t)3 * p->indices[i + k]);
        for (int k = 0; k < 3; k++)
            count += found[k] == corners[0] && found[(k + 1) % 3] == corners[1] && found[(k + 2) % 3] == corners[2];
    }
    return count;
}

static void test_round_trip(void **state) {
    (void)state;
    for (int edgebreaker = 0; edgebreaker < 2; edgebreaker++) {
        sinew_asset *asset = must_load(edgebreaker);
        const sinew_primitive *p = &asset->meshes[0].primitives[0];
        bool seen[VERTICES] = {false};
        assert_int_equal(p->vertex_count, VERTICES);
        assert_int_equal(p->index_count, INDICES);
        for (int at = 0; at < VERTICES; at++) {
            check_vertex(p, at);
            seen[vertex_at(p->positions + (ptrdiff_t)3 * at)] = true;
        }
        for (int v = 0; v < VERTICES; v++) assert_true(seen[v]);
        for (int i = 0; i < INDICES; i += 3) assert_int_equal(count_triangle(p, the_sheet.indices + i), 1);
        sinew_asset_destroy(asset);
    }
}

// ---- Others that read the file -----------------------------------------------------------------------------------

static void write_bytes(const char *path, const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void write_sheet(void) {
    size_t data_size, size;
    uint8_t *data = encode(true, &data_size), *glb = write_compressed(data, data_size, &size);
    write_bytes(FILE_NAME, glb, size);
    free(data);
    free(glb);
}

// The evaluator that verify holds the library against has the same vertices, in the same order.
static void test_evaluator(void **state) {
    (void)state;
    write_sheet();
    ref_document document;
    ref_model model;
    if (!ref_open(&document, FILE_NAME, NULL, NULL)) fail_msg("%s", document.error);
    document.draco_decode = cli_draco_decoder();
    if (!ref_read_model(&document, &model)) fail_msg("%s", document.error);
    sinew_asset *asset = must_load(true);
    const sinew_primitive *actual = &asset->meshes[0].primitives[0];
    const ref_primitive *expected = &model.meshes[0].primitives[0];
    assert_int_equal(expected->vertex_count, VERTICES);
    for (int i = 0; i < 3 * VERTICES; i++) assert_true((double)actual->positions[i] == expected->base.positions[i]);
    for (int i = 0; i < 4 * VERTICES; i++) {
        check_near((double)actual->weights[i], expected->weights[i], 1e-6);
        if (actual->weights[i] > 0.0f) assert_int_equal(actual->joints[i], expected->joints[i]);
    }
    sinew_asset_destroy(asset);
    ref_close(&document);
}

// Without a decoder, the evaluator has an empty mesh, as the library does.
static void test_evaluator_without_a_decoder(void **state) {
    (void)state;
    write_sheet();
    ref_document document;
    ref_model model;
    if (!ref_open(&document, FILE_NAME, NULL, NULL)) fail_msg("%s", document.error);
    if (!ref_read_model(&document, &model)) fail_msg("%s", document.error);
    assert_int_equal(model.meshes[0].primitives[0].vertex_count, 0);
    ref_close(&document);
}

// Catches rules that take the accessors of a compressed mesh for zeros, and data that --fix loses.
static void test_lint(void **state) {
    (void)state;
    write_sheet();
    lint_report report;
    if (!lint_file(&report, FILE_NAME, NULL, NULL)) fail_msg("%s", report.error);
    for (int i = 0; i < report.count; i++) {
        if (report.findings[i].rule == LINT_INVERSE_BINDS_MISSING) continue;
        fail_msg("%s: %s", report.findings[i].location, report.findings[i].message);
    }
    lint_end(&report);

    lint_fixed fixed;
    if (!lint_fix(&fixed, FILE_NAME, NULL, NULL)) fail_msg("%s", fixed.error);
    sinew_gltf_options options = sinew_gltf_default();
    options.draco_decode = cli_draco_decoder();
    sinew_asset *before = must_load(true), *after;
    sinew_error error = {0};
    if (sinew_gltf_load_memory(fixed.glb, fixed.size, &options, &after, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    assert_int_equal(after->meshes[0].primitives[0].vertex_count, VERTICES);
    assert_memory_equal(before->meshes[0].primitives[0].positions, after->meshes[0].primitives[0].positions,
                        sizeof the_sheet.positions);
    sinew_asset_destroy(before);
    sinew_asset_destroy(after);
    lint_fixed_end(&fixed);
}

// ---- Damaged data ------------------------------------------------------------------------------------------------

static void load_damaged(const uint8_t *data, size_t size, int *loaded, int *refused) {
    sinew_asset *asset;
    sinew_error error = {0};
    sinew_result result = load_data(data, size, &asset, &error);
    assert_true(result == SINEW_OK || result == SINEW_ERROR_FORMAT);
    *(result == SINEW_OK ? loaded : refused) += 1;
    sinew_asset_destroy(asset);
}

// Every byte set to other values, and the data cut off at each. Sanitizers see what tests cannot; and no allocation is
// larger than what so small a mesh can need.
static void test_damaged_data(void **state) {
    (void)state;
    for (int edgebreaker = 0; edgebreaker < 2; edgebreaker++) {
        size_t size;
        int loaded = 0, refused = 0;
        uint8_t *data = encode(edgebreaker, &size);
        (void)draco_largest_allocation();
        for (size_t at = 0; at < size; at++) {
            const uint8_t was = data[at];
            const uint8_t others[] = {0, 255, (uint8_t)(was ^ 1), (uint8_t)(was ^ 128)};
            for (size_t i = 0; i < sizeof others; i++) {
                data[at] = others[i];
                load_damaged(data, size, &loaded, &refused);
            }
            data[at] = was;
            load_damaged(data, at, &loaded, &refused);
        }
        size_t largest = draco_largest_allocation();
        print_message("%s: %zu bytes, %d damaged files loaded, %d refused; at most %zu bytes at a time\n",
                      edgebreaker ? "edgebreaker" : "sequential", size, loaded, refused, largest);
        assert_true(refused > (int)size);
        assert_true(largest < (size_t)1 << 20);
        free(data);
    }
}

// Rewrites counts in the connectivity as 2^27 - 1. They take `lengths` bytes; counts with 0 stay. Returns the new
// size.
static size_t enlarge_counts(uint8_t *out, const uint8_t *data, size_t size, const size_t lengths[5]) {
    static const uint8_t huge[4] = {0xFF, 0xFF, 0xFF, 0x3F};
    size_t at = 11, to = 11; // behind "DRACO", version, kind, method and flags
    memcpy(out, data, at);
    for (int i = 0; i < 5; i++) {
        memcpy(out + to, lengths[i] > 0 ? huge : data + at, lengths[i] > 0 ? sizeof huge : 1);
        to += lengths[i] > 0 ? sizeof huge : 1;
        at += lengths[i] > 0 ? lengths[i] : 1;
    }
    memcpy(out + to, data + at, size - at);
    return to + size - at;
}

// libdraco would take a gigabyte for the last of these before it finds that the data end.
static void test_counts_in_the_data(void **state) {
    (void)state;
    static const struct {
        bool edgebreaker;
        size_t lengths[5];
    } cases[] = {
        {false, {2}},            // faces
        {false, {0, 0, 1}},      // points, behind the two bytes of the faces
        {false, {2, 1}},         // both
        {true, {0, 1}},          // vertices, behind the kind of traversal
        {true, {0, 1, 2}},       // vertices and faces
        {true, {0, 1, 2, 0, 2}}, // and symbols, behind the number of attributes with seams
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t size;
        uint8_t *data = encode(cases[i].edgebreaker, &size), *damaged = malloc(size + 12);
        size = enlarge_counts(damaged, data, size, cases[i].lengths);
        (void)draco_largest_allocation();
        sinew_asset *asset;
        sinew_error error = {0};
        assert_int_equal(load_data(damaged, size, &asset, &error), SINEW_ERROR_FORMAT);
        check_contains(error.message, "cannot be decoded as a Draco mesh with 81 vertices, 384 indices");
        size_t largest = draco_largest_allocation();
        if (largest > (size_t)1 << 20) fail_msg("case %zu: %zu bytes at a time", i, largest);
        free(damaged);
        free(data);
    }
}

// An attribute of 250 numbers, which nothing asks for, is not worth its memory.
static void test_attributes_that_are_too_wide(void **state) {
    (void)state;
    enum { WIDE = 250 };
    float *wide = calloc((size_t)VERTICES * WIDE, sizeof *wide);
    const draco_attribute attributes[] = {{"POSITION", F32, 3, POSITION_BITS, 5, the_sheet.positions},
                                          {"GENERIC", F32, WIDE, 12, 1, wide}};
    size_t size;
    uint8_t *data = draco_encode(VERTICES, TRIANGLES, the_sheet.indices, 2, attributes, false, &size);
    float out[3 * VERTICES];
    uint32_t indices[INDICES];
    const sinew_draco_attribute positions = {5, F32, 3, out};
    const sinew_draco_mesh mesh = {data, size, VERTICES, 1, &positions, INDICES, indices};
    (void)draco_largest_allocation();
    assert_false(cli_draco_decoder()(&mesh, NULL));
    assert_true(draco_largest_allocation() < (size_t)VERTICES * WIDE);
    free(data);
    free(wide);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_evaluator),
        cmocka_unit_test(test_evaluator_without_a_decoder),
        cmocka_unit_test(test_lint),
        cmocka_unit_test(test_damaged_data),
        cmocka_unit_test(test_counts_in_the_data),
        cmocka_unit_test(test_attributes_that_are_too_wide),
    };
    enter_folder("sinew-draco");
    make_sheet();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
