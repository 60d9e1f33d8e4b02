// SPDX-License-Identifier: MIT
// Builds a sample with compressed buffer views: each mode and filter of EXT_meshopt_compression once.
#include "fuzz/coded.h"

#include <meshoptimizer.h>
#include <stdio.h>

enum { VERTICES = 4, MOST_BYTES = 512 };

// Returns the JSON members of a view of `size` encoded bytes for `count` elements.
static int add_view(gltf_builder *b, const uint8_t *coded, size_t size, size_t count, size_t stride,
                    const char *words) {
    gltf_view(b, coded, size, 0); // only its bytes are referred to
    size_t offset = b->bin.size - size;
    return gltf_raw_view(b,
                         "'buffer':0,'byteLength':%zu,'extensions':{'EXT_meshopt_compression':{'buffer':0,"
                         "'byteOffset':%zu,'byteLength':%zu,'byteStride':%zu,'count':%zu,%s}}",
                         count * stride, offset, size, stride, count, words);
}

static int code_vertices(gltf_builder *b, const void *data, size_t stride, const char *words) {
    uint8_t coded[MOST_BYTES];
    size_t size = meshopt_encodeVertexBuffer(coded, sizeof coded, data, VERTICES, stride);
    assert_true(size > 0);
    return add_view(b, coded, size, VERTICES, stride, words);
}

gltf_builder sample_coded(void) {
    gltf_builder b = gltf_begin();
    const float corners[3 * VERTICES] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    const float directions[4 * VERTICES] = {0, 0, 1, 0, 0, 0.6f, 0.8f, 0, 1, 0, 0, 0, 0, -1, 0, 0};
    const unsigned triangles[6] = {0, 1, 2, 2, 1, 3};
    uint8_t octahedral[4 * VERTICES], coded[MOST_BYTES];
    uint16_t turns[4 * VERTICES];
    uint32_t shared[3 * VERTICES];
    meshopt_encodeFilterOct(octahedral, VERTICES, 4, 8, directions);
    meshopt_encodeFilterQuat(turns, VERTICES, 8, 12, directions);
    meshopt_encodeFilterExp(shared, VERTICES, 12, 15, corners);

    int plain = code_vertices(&b, corners, 12, "'mode':'ATTRIBUTES'");
    int normals = code_vertices(&b, octahedral, 4, "'mode':'ATTRIBUTES','filter':'OCTAHEDRAL'");
    int rotations = code_vertices(&b, turns, 8, "'mode':'ATTRIBUTES','filter':'QUATERNION'");
    int moves = code_vertices(&b, shared, 12, "'mode':'ATTRIBUTES','filter':'EXPONENTIAL'");
    size_t size = meshopt_encodeIndexBuffer(coded, sizeof coded, triangles, 6);
    int order = add_view(&b, coded, size, 6, 2, "'mode':'TRIANGLES'");
    size = meshopt_encodeIndexSequence(coded, sizeof coded, triangles, 6);
    int sequence = add_view(&b, coded, size, 6, 4, "'mode':'INDICES'");

    int times = gltf_floats(&b, "SCALAR", VERTICES, (float[VERTICES]){0, 0.5f, 1, 2});
    const char *accessor = "'bufferView':%d,'componentType':%d,'type':'%s','count':%d%s";
    int a[6] = {gltf_raw_accessor(&b, accessor, plain, F32, "VEC3", VERTICES, ""),
                gltf_raw_accessor(&b,
                                  "'bufferView':%d,'componentType':5120,'type':'VEC3','count':%d,"
                                  "'normalized':true",
                                  normals, VERTICES),
                gltf_raw_accessor(&b, accessor, rotations, I16, "VEC4", VERTICES, ",'normalized':true"),
                gltf_raw_accessor(&b, accessor, moves, F32, "VEC3", VERTICES, ""),
                gltf_raw_accessor(&b, accessor, order, U16, "SCALAR", 6, ""),
                gltf_raw_accessor(&b, accessor, sequence, U32, "SCALAR", 6, "")};
    gltf_section(
        &b,
        "'meshes':[{'primitives':[{'attributes':{'POSITION':%d,'NORMAL':%d},'indices':%d},"
        "{'attributes':{'POSITION':%d},'indices':%d,'mode':5}]}],'nodes':[{'mesh':0}],"
        "'animations':[{'samplers':[{'input':%d,'output':%d},{'input':%d,'output':%d}],'channels':["
        "{'sampler':0,'target':{'node':0,'path':'rotation'}},{'sampler':1,'target':{'node':0,'path':'scale'}}]}]",
        a[0], a[1], a[4], a[3], a[5], times, a[2], times, a[3]);
    gltf_section(&b, "'extensionsRequired':['EXT_meshopt_compression']");
    return b;
}
