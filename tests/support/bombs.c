// SPDX-License-Identifier: MIT
// Builds files that are slow to load or expand to much memory.
#include "support/bombs.h"
#include "support/avatar.h"

#include <stdio.h>

char *bomb_repeated(int count, const char *element) {
    gltf_text text = {NULL, 0, 0};
    gltf_append(&text, "", 0);
    for (int i = 0; i < count; i++) {
        char index[16];
        int length = snprintf(index, sizeof index, "%d", i);
        if (i > 0) gltf_append(&text, ",", 1);
        for (const char *c = element; *c; c++)
            gltf_append(&text, *c == '#' ? index : c, *c == '#' ? (size_t)length : 1);
    }
    return text.data;
}

void bomb_list(gltf_builder *b, const char *name, int count, const char *element) {
    char *text = bomb_repeated(count, element);
    gltf_section(b, "'%s':[%s]", name, text);
    free(text);
}

// A view of so many bytes that are zeros, or floats of 1 where `ones`.
static int block(gltf_builder *b, int size, bool ones) {
    float *floats = calloc((size_t)size / 4 + 1, sizeof *floats);
    for (int i = 0; ones && i < size / 4; i++) floats[i] = 1.0f;
    int view = gltf_view(b, floats, (size_t)size, 0);
    free(floats);
    return view;
}

static int rising(gltf_builder *b, int count) {
    float *times = calloc((size_t)count, sizeof *times);
    for (int i = 0; i < count; i++) times[i] = (float)i;
    int accessor = gltf_floats(b, "SCALAR", count, times);
    free(times);
    return accessor;
}

// ---- Nothing becomes much -----------------------------------------------------------------------------------------

static gltf_builder zeros(int size) {
    (void)size;
    gltf_builder b = gltf_begin();
    gltf_raw_accessor(&b, "'componentType':5126,'type':'VEC3','count':2147483647");
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}]");
    return b;
}

static gltf_builder zero_matrices(int size) {
    (void)size;
    gltf_builder b = gltf_begin();
    gltf_raw_accessor(&b, "'componentType':5126,'type':'MAT4','count':2147483647");
    gltf_section(&b, "'nodes':[{}],'skins':[{'joints':[0],'inverseBindMatrices':0}]");
    return b;
}

static gltf_builder sparse_zeros(int size) {
    gltf_builder b = gltf_begin();
    int index = gltf_view(&b, "", 1, 0), value = gltf_view(&b, "............", 12, 0), count = size / 200;
    for (int i = 0; i < count; i++)
        gltf_raw_accessor(&b,
                          "'componentType':5126,'type':'VEC3','count':100000,'sparse':{'count':1,'indices':"
                          "{'bufferView':%d,'componentType':5121},'values':{'bufferView':%d}}",
                          index, value);
    char *targets = bomb_repeated(count, "{'POSITION':#}");
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'targets':[%s]}]}]", targets);
    free(targets);
    return b;
}

static gltf_builder empty_view(int size) {
    (void)size;
    gltf_builder b = gltf_begin();
    gltf_view(&b, "....", 4, 0);
    gltf_raw_view(&b, "'buffer':0,'byteLength':2147483644,'extensions':{'EXT_meshopt_compression':{'buffer':0,"
                      "'byteLength':4,'byteStride':4,'count':536870911,'mode':'ATTRIBUTES'}}");
    gltf_section(&b, "'images':[{'bufferView':1}]");
    return b;
}

// ---- One thing becomes many ---------------------------------------------------------------------------------------

static gltf_builder overlapping_accessors(int size) {
    gltf_builder b = gltf_begin();
    int view = block(&b, size / 2, false), count = size / 250;
    for (int i = 0; i < count; i++)
        gltf_raw_accessor(&b, "'bufferView':%d,'componentType':5121,'type':'VEC3','count':%d", view, size / 6);
    bomb_list(&b, "meshes", count, "{'primitives':[{'attributes':{'POSITION':#}}]}");
    return b;
}

static gltf_builder overlapping_views(int size) {
    gltf_builder b = gltf_begin();
    block(&b, size / 2, false);
    for (int i = 0; i < size / 160; i++) gltf_raw_view(&b, "'buffer':0,'byteLength':%d", size / 2);
    bomb_list(&b, "images", size / 160, "{'bufferView':#}");
    return b;
}

static gltf_builder overlapping_codes(int size) {
    gltf_builder b = gltf_begin();
    gltf_view(&b, "....", 4, 0);
    for (int i = 0; i < size / 250; i++)
        gltf_raw_view(
            &b,
            "'buffer':0,'byteLength':%d,'extensions':{'EXT_meshopt_compression':{'buffer':0,'byteLength':4,"
            "'byteStride':4,'count':%d,'mode':'ATTRIBUTES'}}",
            size, size / 4);
    bomb_list(&b, "images", size / 250, "{'bufferView':#}");
    return b;
}

static gltf_builder one_image_often(int size) {
    gltf_builder b = gltf_begin();
    block(&b, size / 2, false);
    bomb_list(&b, "images", size / 40, "{'bufferView':0}");
    return b;
}

static gltf_builder one_file_often(int size) {
    gltf_builder b = gltf_begin();
    char *buffers = bomb_repeated(size / 100, "{'uri':'././big','byteLength':65536}");
    gltf_section(&b, "'buffers':[%s]", buffers);
    free(buffers);
    for (int i = 0; i < size / 100; i++) gltf_raw_view(&b, "'buffer':%d,'byteLength':1", i);
    bomb_list(&b, "images", size / 100, "{'bufferView':#}");
    return b;
}

static gltf_builder one_index_list_often(int size) {
    gltf_builder b = gltf_begin();
    int positions = gltf_floats(&b, "VEC3", 3, (float[9]){0}), view = block(&b, size / 2, false);
    int indices =
        gltf_raw_accessor(&b, "'bufferView':%d,'componentType':5121,'type':'SCALAR','count':%d", view, size / 2);
    char primitive[128];
    snprintf(primitive, sizeof primitive, "{'primitives':[{'attributes':{'POSITION':%d},'indices':%d,'mode':5}]}",
             positions, indices);
    bomb_list(&b, "meshes", size / 140, primitive);
    return b;
}

static gltf_builder weights_in_turn(int size) {
    gltf_builder b = gltf_begin();
    int view = block(&b, size / 2, true), count = size / 32;
    gltf_raw_accessor(&b, "'bufferView':%d,'componentType':5126,'type':'VEC3','count':%d", view, count);
    for (int i = 0; i < 2; i++)
        gltf_raw_accessor(&b, "'bufferView':%d,'componentType':5121,'type':'VEC4','count':%d", view, count);
    char *primitives = bomb_repeated(size / 260, "{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':1}},"
                                                 "{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2}}");
    gltf_section(&b, "'meshes':[{'primitives':[%s]}]", primitives);
    free(primitives);
    return b;
}

static gltf_builder clips_on_nodes(int size) {
    gltf_builder b = gltf_begin();
    bomb_list(&b, "nodes", size / 6, "{}");
    bomb_list(&b, "animations", size / 6, "{}");
    return b;
}

static gltf_builder weights_on_nodes(int size) {
    gltf_builder b = gltf_begin();
    char *targets = bomb_repeated(size / 6, "{}");
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{},'targets':[%s]}]}]", targets);
    free(targets);
    bomb_list(&b, "nodes", size / 24, "{'mesh':0}");
    return b;
}

// Keys that never change are nothing in a clip, but have to be looked at for each channel.
static gltf_builder constant_keys_of(int size, int channel_count) {
    gltf_builder b = gltf_begin();
    int keys = size / 32, view = block(&b, keys * 12, true), times = rising(&b, keys);
    int values = gltf_raw_accessor(&b, "'bufferView':%d,'componentType':5126,'type':'VEC3','count':%d", view, keys);
    bomb_list(&b, "nodes", channel_count, "{}");
    char *channels = bomb_repeated(channel_count, "{'sampler':0,'target':{'node':#,'path':'scale'}}");
    gltf_section(&b, "'animations':[{'samplers':[{'input':%d,'output':%d}],'channels':[%s]}]", times, values,
                 channels);
    free(channels);
    return b;
}

static gltf_builder constant_keys(int size) {
    return constant_keys_of(size, size / 100);
}

// As many as are just allowed.
static gltf_builder fewer_constant_keys(int size) {
    return constant_keys_of(size, 1400);
}

// Skins of their own make a mesh's vertices be looked at again for each node that carries it.
static gltf_builder skins_on_one_mesh_of(int size, int count) {
    gltf_builder b = gltf_begin();
    int vertices = size / 64, view = block(&b, vertices * 12, true);
    int positions =
        gltf_raw_accessor(&b, "'bufferView':%d,'componentType':5126,'type':'VEC3','count':%d", view, vertices);
    int bytes = gltf_raw_accessor(&b, "'componentType':5121,'type':'VEC4','count':%d", vertices);
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':%d,'JOINTS_0':%d,'WEIGHTS_0':%d}}]}]",
                 positions, bytes, bytes);
    bomb_list(&b, "nodes", count, "{'mesh':0,'skin':#}");
    bomb_list(&b, "skins", count, "{'joints':[#]}");
    return b;
}

static gltf_builder skins_on_one_mesh(int size) {
    return skins_on_one_mesh_of(size, size / 120);
}

// As many as are just allowed.
static gltf_builder fewer_skins_on_one_mesh(int size) {
    return skins_on_one_mesh_of(size, 125);
}

// So does each mesh, where many share one array of vertices.
static gltf_builder vertices_of_meshes(int size, int count) {
    gltf_builder b = gltf_begin();
    int vertices = size / 24, view = block(&b, vertices * 12, true);
    gltf_raw_accessor(&b, "'bufferView':%d,'componentType':5126,'type':'VEC3','count':%d", view, vertices);
    int zeros = gltf_raw_accessor(&b, "'componentType':5125,'type':'SCALAR','count':%d", vertices / 3 * 3);
    char mesh[128];
    snprintf(mesh, sizeof mesh, "{'primitives':[{'attributes':{'POSITION':0},'indices':%d}]}", zeros);
    bomb_list(&b, "meshes", count, mesh);
    bomb_list(&b, "nodes", count, "{'mesh':#}");
    return b;
}

static gltf_builder vertices_of_many_meshes(int size) {
    return vertices_of_meshes(size, size / 160);
}

static gltf_builder vertices_of_fewer_meshes(int size) {
    return vertices_of_meshes(size, 660);
}

// Not a bomb: one array of vertices where each mesh uses a triangle, and one mesh on very many nodes.
static gltf_builder triangles_of_one_array(int size) {
    gltf_builder b = gltf_begin();
    int vertices = size / 24, view = block(&b, vertices * 12, true), count = size / 160;
    gltf_raw_accessor(&b, "'bufferView':%d,'componentType':5126,'type':'VEC3','count':%d", view, vertices);
    int corners = gltf_accessor(&b, (const uint16_t[3]){0, 1, 2}, 6, U16, "SCALAR", 3);
    char mesh[128];
    snprintf(mesh, sizeof mesh, "{'primitives':[{'attributes':{'POSITION':0},'indices':%d}]}", corners);
    bomb_list(&b, "meshes", count, mesh);
    bomb_list(&b, "nodes", count, "{'mesh':#}");
    return b;
}

static gltf_builder one_mesh_on_nodes(int size) {
    gltf_builder b = gltf_begin();
    int vertices = size / 24, view = block(&b, vertices * 12, true);
    int positions =
        gltf_raw_accessor(&b, "'bufferView':%d,'componentType':5126,'type':'VEC3','count':%d", view, vertices);
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':%d}}]}]", positions);
    bomb_list(&b, "nodes", size / 24, "{'mesh':0}");
    return b;
}

// ---- What takes time -----------------------------------------------------------------------------------------------

static gltf_builder long_sampler(int size) {
    gltf_builder b = gltf_begin();
    int times = rising(&b, 2), values = gltf_floats(&b, "VEC3", 2, (float[6]){0});
    bomb_list(&b, "nodes", size / 200, "{}");
    char *channels = bomb_repeated(size / 200, "{'sampler':0,'target':{'node':#,'path':'scale'}}");
    char *more = bomb_repeated(size / 16, "'x':#");
    gltf_section(&b, "'animations':[{'samplers':[{%s,'input':%d,'output':%d}],'channels':[%s]}]", more, times,
                 values, channels);
    free(channels);
    free(more);
    return b;
}

static gltf_builder missing_images(int size) {
    gltf_builder b = gltf_begin();
    bomb_list(&b, "images", size / 12, "{'uri':'x'}");
    return b;
}

// Markers in no order.
static gltf_builder many_markers(int size) {
    gltf_builder b = gltf_begin();
    int times = rising(&b, 2), values = gltf_floats(&b, "VEC3", 2, (float[6]){0});
    char *markers = bomb_repeated(size / 16, "{'time':0.#}");
    gltf_section(&b,
                 "'nodes':[{}],'animations':[{'samplers':[{'input':%d,'output':%d}],'channels':[{'sampler':0,"
                 "'target':{'node':0,'path':'scale'}}],'extras':{'markers':[%s]}}]",
                 times, values, markers);
    free(markers);
    return b;
}

// What stands beside the file: the markers of the bomb that was built last.
static gltf_text beside;

static void put_beside(const char *first, int count, const char *element, const char *last) {
    char *text = bomb_repeated(count, element);
    beside.size = 0;
    gltf_append(&beside, first, strlen(first));
    gltf_append(&beside, text, strlen(text));
    gltf_append(&beside, last, strlen(last));
    free(text);
}

// As many names beside as there are animations, each to be found among all.
static gltf_builder markers_by_name(int size) {
    gltf_builder b = gltf_begin();
    bomb_list(&b, "animations", size / 20, "{'name':'#n'}");
    put_beside("{", size / 20, "\"#n\":[]", "}");
    return b;
}

// As many markers beside as in the file, each to be found among all of one time.
static gltf_builder markers_of_both(int size) {
    gltf_builder b = gltf_begin();
    char *markers = bomb_repeated(size / 30, "{'name':'#n','time':0}");
    gltf_section(&b, "'animations':[{'extras':{'markers':[%s]}}]", markers);
    free(markers);
    put_beside("{\"\":[", size / 30, "{\"name\":\"#m\",\"time\":0}", "]}");
    return b;
}

static gltf_builder many_nodes(int size) {
    gltf_builder b = gltf_begin();
    bomb_list(&b, "nodes", size / 3, "{}");
    return b;
}

static gltf_builder many_numbers(int size) {
    gltf_builder b = gltf_begin();
    char *numbers = bomb_repeated(size / 7, "1e-300");
    gltf_section(&b, "'meshes':[{'weights':[%s]}]", numbers);
    free(numbers);
    return b;
}

static gltf_builder many_arrays(int size) {
    gltf_builder b = gltf_begin();
    bomb_list(&b, "extras", size / 3, "[]");
    return b;
}

// The inverse of an odd number modulo 2^32.
static uint32_t inverse_of(uint32_t odd) {
    uint32_t x = odd;
    for (int i = 0; i < 5; i++) x *= 2 - odd * x;
    return x;
}

// Timelines of three keys with the same FNV-1a hash: solves for the third key.
static gltf_builder one_hash(int size) {
    gltf_builder b = gltf_begin();
    const uint32_t prime = 16777619u, inverse = inverse_of(prime), start = 2166136261u ^ 3u;
    gltf_text samplers = {NULL, 0, 0}, channels = {NULL, 0, 0};
    int wanted = size / 250, found = 0;
    int values = gltf_floats(&b, "VEC3", 3, (float[9]){1, 2, 3, 4, 5, 6, 7, 8, 9});
    for (uint32_t i = 0; found < wanted; i++) {
        float times[3] = {0.0f, 1.0f + (float)i / 65536.0f, 0.0f};
        uint32_t words[3];
        memcpy(words, times, sizeof words);
        uint32_t hash = ((start ^ words[0]) * prime ^ words[1]) * prime;
        words[2] = hash ^ 0x12345678u * inverse;
        memcpy(&times[2], &words[2], sizeof times[2]);
        if (!(times[2] > times[1]) || !isfinite(times[2])) continue;
        int input = gltf_floats(&b, "SCALAR", 3, times);
        char line[96];
        int length = snprintf(line, sizeof line, "%s{'input':%d,'output':%d}", found ? "," : "", input, values);
        gltf_append(&samplers, line, (size_t)length);
        length = snprintf(line, sizeof line, "%s{'sampler':%d,'target':{'node':%d,'path':'scale'}}",
                          found ? "," : "", found, found);
        gltf_append(&channels, line, (size_t)length);
        found++;
    }
    bomb_list(&b, "nodes", found, "{}");
    gltf_section(&b, "'animations':[{'samplers':[%s],'channels':[%s]}]", samplers.data, channels.data);
    free(samplers.data);
    free(channels.data);
    return b;
}

// One node of very many moves, on very many keys: what 16-bit rows cost is measured on all of them at all of these.
static gltf_builder rows_on_nodes(int size) {
    gltf_builder b = gltf_begin();
    int keys = size / 32, times = rising(&b, keys);
    float *values = calloc((size_t)keys * 3, sizeof *values);
    for (int i = 0; i < 3 * keys; i++) values[i] = (float)(i % 7);
    int output = gltf_floats(&b, "VEC3", keys, values);
    free(values);
    bomb_list(&b, "nodes", size / 6, "{}");
    gltf_section(&b,
                 "'animations':[{'samplers':[{'input':%d,'output':%d}],'channels':[{'sampler':0,'target':"
                 "{'node':0,'path':'translation'}}]}]",
                 times, output);
    return b;
}

// Not a bomb: like a large motion capture, many channels on one list of times, each with its own keys.
static gltf_builder motion_capture(int size) {
    gltf_builder b = gltf_begin();
    int keys = 100, times = rising(&b, keys), count = size / 1400;
    float values[300];
    for (int i = 0; i < 300; i++) values[i] = (float)(i % 11);
    gltf_text samplers = {NULL, 0, 0};
    for (int i = 0; i < count; i++) {
        values[0] = (float)i;
        char line[64];
        int output = gltf_floats(&b, "VEC3", keys, values);
        int length = snprintf(line, sizeof line, "%s{'input':%d,'output':%d}", i ? "," : "", times, output);
        gltf_append(&samplers, line, (size_t)length);
    }
    bomb_list(&b, "nodes", count, "{}");
    char *channels = bomb_repeated(count, "{'sampler':#,'target':{'node':#,'path':'translation'}}");
    gltf_section(&b, "'animations':[{'samplers':[%s],'channels':[%s]}]", samplers.data, channels);
    free(samplers.data);
    free(channels);
    return b;
}

// Also not a bomb, but the most expensive clips: each channel has its own times, in close pairs; three bones move in
// each block of sixteen; keys are splines in bytes.
static gltf_builder own_times(int size) {
    enum { KEYS = 200 };
    gltf_builder b = gltf_begin();
    gltf_text samplers = {NULL, 0, 0}, channels = {NULL, 0, 0};
    int count = size / (KEYS * 16 + 450);
    int8_t turns[KEYS * 12];
    for (int i = 0; i < KEYS * 12; i++) turns[i] = (int8_t)(i * 31 % 127);
    for (int i = 0; i < count; i++) {
        float times[KEYS];
        for (int k = 0; k < KEYS; k++) times[k] = (float)(k - k % 2) + (float)(k % 2) * 0.25f + (float)i / 4096.0f;
        turns[0] = (int8_t)i;
        int input = gltf_floats(&b, "SCALAR", KEYS, times);
        int output = gltf_normalized(&b, turns, sizeof turns, I8, "VEC4", KEYS * 3);
        char line[96];
        int length = snprintf(line, sizeof line, "%s{'input':%d,'output':%d,'interpolation':'CUBICSPLINE'}",
                              i ? "," : "", input, output);
        gltf_append(&samplers, line, (size_t)length);
        length = snprintf(line, sizeof line, "%s{'sampler':%d,'target':{'node':%d,'path':'rotation'}}",
                          i ? "," : "", i, i / 3 * 16 + i % 3);
        gltf_append(&channels, line, (size_t)length);
    }
    bomb_list(&b, "nodes", count / 3 * 16 + 16, "{}");
    gltf_section(&b, "'animations':[{'samplers':[%s],'channels':[%s]}]", samplers.data, channels.data);
    free(samplers.data);
    free(channels.data);
    return b;
}

const bomb bombs[] = {
    {"zeros", zeros, "accessors[0]: 176 bytes of input need more than", SINEW_ERROR_LIMIT, false},
    {"zero_matrices", zero_matrices, "accessors[0]: 180 bytes of input need more than", SINEW_ERROR_LIMIT, false},
    {"sparse_zeros", sparse_zeros, "accessors[", SINEW_ERROR_LIMIT, false},
    {"empty_view", empty_view,
     "bufferViews[1].extensions.EXT_meshopt_compression: 336 bytes of input need more than", SINEW_ERROR_LIMIT,
     false},
    {"overlapping_accessors", overlapping_accessors, "]: 384668 bytes of input need more than", SINEW_ERROR_LIMIT,
     false},
    {"overlapping_views", overlapping_views, "images[", SINEW_ERROR_LIMIT, false},
    {"overlapping_codes", overlapping_codes, "bytes of input need more than", SINEW_ERROR_LIMIT, false},
    {"one_image_often", one_image_often, NULL, SINEW_OK, false},
    {"one_file_often", one_file_often, "buffers[", SINEW_ERROR_LIMIT, false},
    {"one_index_list_often", one_index_list_often, NULL, SINEW_OK, false},
    {"weights_in_turn", weights_in_turn, "meshes[0].primitives[", SINEW_ERROR_LIMIT, false},
    {"clips_on_nodes", clips_on_nodes, "animations[", SINEW_ERROR_LIMIT, false},
    {"weights_on_nodes", weights_on_nodes, "nodes: 383440 bytes of input need more than", SINEW_ERROR_LIMIT, false},
    {"constant_keys", constant_keys, "output: channels share their keys too often", SINEW_ERROR_LIMIT, false},
    {"fewer_constant_keys", fewer_constant_keys, NULL, SINEW_OK, true},
    {"skins_on_one_mesh", skins_on_one_mesh, "nodes share their meshes too often", SINEW_ERROR_LIMIT, false},
    {"vertices_of_many_meshes", vertices_of_many_meshes, "nodes share their meshes too often", SINEW_ERROR_LIMIT,
     false},
    {"fewer_skins_on_one_mesh", fewer_skins_on_one_mesh, NULL, SINEW_OK, true},
    {"vertices_of_fewer_meshes", vertices_of_fewer_meshes, NULL, SINEW_OK, true},
    {"triangles_of_one_array", triangles_of_one_array, NULL, SINEW_OK, false},
    {"one_mesh_on_nodes", one_mesh_on_nodes, NULL, SINEW_OK, false},
    {"long_sampler", long_sampler, NULL, SINEW_OK, false},
    {"missing_images", missing_images, NULL, SINEW_OK, false},
    {"many_markers", many_markers, NULL, SINEW_OK, false},
    {"markers_by_name", markers_by_name, NULL, SINEW_OK, false},
    {"markers_of_both", markers_of_both, NULL, SINEW_OK, false},
    {"many_nodes", many_nodes, NULL, SINEW_OK, false},
    {"many_numbers", many_numbers, NULL, SINEW_OK, false},
    {"many_arrays", many_arrays, NULL, SINEW_OK, false},
    {"one_hash", one_hash, NULL, SINEW_OK, false},
    {"rows_on_nodes", rows_on_nodes, NULL, SINEW_OK, false},
    {"own_times", own_times, NULL, SINEW_OK, false},
    {"motion_capture", motion_capture, NULL, SINEW_OK, false},
};
const int bomb_count = (int)(sizeof bombs / sizeof bombs[0]);

// ---- Loading them --------------------------------------------------------------------------------------------------

enum { BIG = 65536 };

static bool has_markers(const bomb *b) {
    return b->make == markers_by_name || b->make == markers_of_both;
}

size_t bomb_outside(const bomb *b) {
    if (has_markers(b)) return beside.size;
    return b->make == one_file_often ? BIG : 0;
}

static bool read_outside(const char *uri, sinew_bytes *bytes, void *user) {
    (void)user;
    const bool markers = strcmp(uri, "markers") == 0;
    if (!markers && !strstr(uri, "big")) return false;
    bytes->size = markers ? beside.size : BIG;
    bytes->data = calloc(bytes->size, 1);
    if (bytes->data && markers) memcpy(bytes->data, beside.data, beside.size);
    return bytes->data != NULL;
}

static void release_outside(sinew_bytes bytes, void *user) {
    (void)user;
    free(bytes.data);
}

static bool decode_nothing(uint8_t *out, int32_t count, size_t stride, const uint8_t *data, size_t size,
                           sinew_meshopt_mode mode, sinew_meshopt_filter filter, void *user) {
    (void)data, (void)size, (void)mode, (void)filter, (void)user;
    memset(out, 0, (size_t)count * stride);
    return true;
}

sinew_gltf_options bomb_options(const bomb *b) {
    sinew_gltf_options options = *with_avatars();
    options.reader = (sinew_reader){read_outside, release_outside, NULL};
    if (has_markers(b)) options.markers = "markers";
    options.meshopt_decode = decode_nothing;
    if (b->make == rows_on_nodes) options.key_format = SINEW_KEYS_U16;
    return options;
}
