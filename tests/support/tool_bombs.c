// SPDX-License-Identifier: MIT
// Builds files that are slow for the command.
#include "support/tool_bombs.h"

#include <stdio.h>

static void put(gltf_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(gltf_text *text, const char *format, ...) {
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && length < (int)sizeof line);
    gltf_append(text, line, (size_t)length);
}

static const char *comma(int index) {
    return index > 0 ? "," : "";
}

// ---- Buffers, views and accessors ----------------------------------------------------------------------------------

static gltf_builder many_buffers(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    int count = size / 170;
    bomb_list(&b, "buffers", count, "{'byteLength':8,'uri':'data:application/octet-stream;base64,AAAAAAAAAAA='}");
    for (int i = 0; i < count; i++) gltf_raw_view(&b, "'buffer':%d,'byteLength':8", i);
    return b;
}

static gltf_builder many_views(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    for (int i = 0; i < size / 130; i++) gltf_floats(&b, "SCALAR", 2, (float[2]){0.0f, (float)i});
    return b;
}

// Accessors that nothing refers to, which the library does not read.
static gltf_builder unused_zeros(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    gltf_view(&b, "............", 12, 0);
    for (int i = 0; i < size / 70; i++)
        gltf_raw_accessor(&b, "'componentType':5126,'type':'SCALAR','count':%d", 100000000);
    return b;
}

static gltf_builder unused_sparse_zeros(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    int index = gltf_view(&b, "", 1, 0), value = gltf_view(&b, "............", 12, 0);
    for (int i = 0; i < size / 200; i++)
        gltf_raw_accessor(&b,
                          "'componentType':5126,'type':'VEC3','count':40000000,'sparse':{'count':1,'indices':"
                          "{'bufferView':%d,'componentType':5121},'values':{'bufferView':%d}}",
                          index, value);
    return b;
}

static gltf_builder overlapping_unused(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    char *bytes = calloc((size_t)size, 1);
    int view = gltf_view(&b, bytes, (size_t)size / 2, 0);
    free(bytes);
    for (int i = 0; i < size / 150; i++)
        gltf_raw_accessor(&b, "'bufferView':%d,'componentType':5121,'type':'SCALAR','count':%d", view, size / 2);
    return b;
}

// Views with extras are kept whole, and packed one by one.
static gltf_builder overlapping_extras(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    char *bytes = calloc((size_t)size, 1);
    gltf_view(&b, bytes, (size_t)size / 2, 0);
    free(bytes);
    for (int i = 0; i < size / 120; i++) gltf_raw_view(&b, "'buffer':0,'byteLength':%d,'extras':1", size / 2);
    return b;
}

static gltf_builder long_view(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    char *more = bomb_repeated(size / 16, "'x':#");
    gltf_view(&b, "....", 4, 0);
    gltf_text view = {NULL, 0, 0};
    put(&view, ",{\"buffer\":0,\"byteLength\":4,");
    char *quoted = json_quotes(more);
    gltf_append(&view, quoted, strlen(quoted));
    put(&view, "}");
    gltf_append(&b.views, view.data, view.size);
    b.view_count++;
    for (int i = 0; i < size / 150; i++)
        gltf_raw_accessor(&b, "'bufferView':1,'componentType':5126,'type':'SCALAR','count':1");
    free(quoted);
    free(view.data);
    free(more);
    return b;
}

// ---- Nodes and skins -----------------------------------------------------------------------------------------------

static void chain(gltf_builder *b, int count) {
    gltf_text nodes = {NULL, 0, 0};
    for (int i = 0; i + 1 < count; i++) put(&nodes, "%s{'children':[%d]}", comma(i), i + 1);
    put(&nodes, ",{}");
    gltf_section(b, "'nodes':[%s]", nodes.data);
    free(nodes.data);
}

static gltf_builder long_chain(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    int count = size / 26;
    chain(&b, count);
    char *joints = bomb_repeated(count, "#");
    gltf_section(&b, "'skins':[{'joints':[%s]}]", joints);
    free(joints);
    return b;
}

static gltf_builder skins_on_a_chain(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    int count = size / 36;
    gltf_text skins = {NULL, 0, 0};
    chain(&b, count);
    for (int i = 0; i < count / 2; i++) put(&skins, "%s{'joints':[%d,%d]}", comma(i), count - 1 - i, count - 2 - i);
    gltf_section(&b, "'skins':[%s]", skins.data);
    free(skins.data);
    return b;
}

static gltf_builder skins_and_nodes(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    bomb_list(&b, "nodes", size / 25, "{}");
    bomb_list(&b, "skins", size / 25, "{'joints':[#]}");
    return b;
}

static gltf_builder scenes_and_nodes(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    bomb_list(&b, "nodes", size / 25, "{}");
    bomb_list(&b, "scenes", size / 25, "{'nodes':[#]}");
    return b;
}

static gltf_builder equal_names(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    bomb_list(&b, "nodes", size / 20, "{'name':'same'}");
    char *joints = bomb_repeated(size / 20, "#");
    gltf_section(&b, "'skins':[{'joints':[%s]}]", joints);
    free(joints);
    return b;
}

// One name of many bytes that many findings and lines mention.
static gltf_builder long_names(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    char *name = calloc((size_t)size, 1);
    memset(name, 'n', (size_t)size / 2);
    gltf_text head = {NULL, 0, 0};
    put(&head, "\"materials\":[{\"name\":\"");
    gltf_append(&head, name, strlen(name) / 4);
    put(&head, "\"}],\"cameras\":[{\"type\":\"perspective\",\"perspective\":{\"yfov\":1,\"znear\":1},\"name\":\"");
    gltf_append(&head, name, strlen(name) / 4);
    put(&head, "\"}],\"meshes\":[{\"primitives\":[{\"attributes\":{},\"material\":0}],\"name\":\"");
    gltf_append(&head, name, strlen(name) / 2);
    put(&head, "\"}]");
    gltf_append(&b.sections, ",", 1);
    gltf_append(&b.sections, head.data, head.size);
    bomb_list(&b, "nodes", size / 80, "{'mesh':0,'camera':0}");
    free(head.data);
    free(name);
    return b;
}

static gltf_builder many_cameras(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    bomb_list(&b, "cameras", size / 110, "{'type':'perspective','perspective':{'yfov':1,'znear':1}}");
    bomb_list(&b, "nodes", size / 110, "{'camera':#}");
    return b;
}

static gltf_builder many_materials(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    bomb_list(&b, "materials", size / 150, "{'pbrMetallicRoughness':{'baseColorTexture':{'index':#}}}");
    bomb_list(&b, "textures", size / 150, "{'source':#}");
    bomb_list(&b, "images", size / 150, "{'uri':'data:image/png;base64,AAAA'}");
    return b;
}

// ---- Meshes --------------------------------------------------------------------------------------------------------

static void triangle(gltf_builder *b, int accessors[3]) {
    const uint8_t joints[12] = {0};
    const float weights[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    accessors[0] = gltf_floats(b, "VEC3", 3, (float[9]){0, 0, 0, 1, 0, 0, 0, 1, 0});
    accessors[1] = gltf_accessor(b, joints, sizeof joints, U8, "VEC4", 3);
    accessors[2] = gltf_floats(b, "VEC4", 3, weights);
}

static gltf_builder instances_and_skins(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    int a[3], count = size / 48;
    triangle(&b, a);
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':%d,'JOINTS_0':%d,'WEIGHTS_0':%d}}]}]",
                 a[0], a[1], a[2]);
    bomb_list(&b, "nodes", count, "{'mesh':0,'skin':#}");
    bomb_list(&b, "skins", count, "{'joints':[#]}");
    return b;
}

static gltf_builder meshes_and_nodes(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    int a[3], count = size / 100;
    triangle(&b, a);
    char mesh[128];
    snprintf(mesh, sizeof mesh, "{'primitives':[{'attributes':{'POSITION':%d,'JOINTS_0':%d,'WEIGHTS_0':%d}}]}",
             a[0], a[1], a[2]);
    bomb_list(&b, "meshes", count, mesh);
    bomb_list(&b, "nodes", count, "{'mesh':#,'skin':0}");
    gltf_section(&b, "'skins':[{'joints':[0]}]");
    return b;
}

static gltf_builder primitives_and_nodes(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    int a[3];
    triangle(&b, a);
    char *primitives = bomb_repeated(size / 80, "{'attributes':{'POSITION':0}}");
    gltf_section(&b, "'meshes':[{'primitives':[%s]}]", primitives);
    bomb_list(&b, "nodes", size / 40, "{'mesh':0}");
    free(primitives);
    return b;
}

// Each skin reads the vertices of a single mesh. Each of its primitives uses three of them.
static gltf_builder skins_on_shared_vertices(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    int vertices = size / 64, count = size / 300;
    float *ones = calloc((size_t)vertices * 4, sizeof *ones);
    for (int i = 0; i < 4 * vertices; i++) ones[i] = 0.25f;
    int positions = gltf_floats(&b, "VEC3", vertices, ones), weights = gltf_floats(&b, "VEC4", vertices, ones);
    free(ones);
    int joints = gltf_raw_accessor(&b, "'componentType':5121,'type':'VEC4','count':%d", vertices);
    int corners = gltf_accessor(&b, (const uint16_t[3]){0, 1, 2}, 6, U16, "SCALAR", 3);
    gltf_section(&b,
                 "'meshes':[{'primitives':[{'attributes':{'POSITION':%d,'JOINTS_0':%d,'WEIGHTS_0':%d},"
                 "'indices':%d}]}]",
                 positions, joints, weights, corners);
    bomb_list(&b, "nodes", count, "{'mesh':0,'skin':#}");
    bomb_list(&b, "skins", count, "{'joints':[#]}");
    return b;
}

// One skin of many joints on as many nodes: a palette for each.
static gltf_builder joints_on_instances(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    int a[3], count = size / 48;
    triangle(&b, a);
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':%d,'JOINTS_0':%d,'WEIGHTS_0':%d}}]}]",
                 a[0], a[1], a[2]);
    bomb_list(&b, "nodes", count, "{'mesh':0,'skin':0}");
    char *joints = bomb_repeated(count, "#");
    gltf_section(&b, "'skins':[{'joints':[%s]}]", joints);
    free(joints);
    return b;
}

static gltf_builder many_targets(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    int a[3];
    triangle(&b, a);
    char *targets = bomb_repeated(size / 16, "{'POSITION':0}");
    gltf_section(&b,
                 "'nodes':[{'mesh':0},{'mesh':0}],'meshes':[{'primitives':[{'attributes':{'POSITION':%d},"
                 "'targets':[%s]}]}]",
                 a[0], targets);
    free(targets);
    return b;
}

// The mesh has more weights than targets, and as many nodes carry it.
static gltf_builder long_weights(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    int a[3];
    triangle(&b, a);
    char *weights = bomb_repeated(size / 8, "0.5");
    gltf_section(&b,
                 "'meshes':[{'weights':[%s],'primitives':[{'attributes':{'POSITION':%d},"
                 "'targets':[{'POSITION':%d}]}]}]",
                 weights, a[0], a[0]);
    bomb_list(&b, "nodes", size / 24, "{'mesh':0}");
    free(weights);
    return b;
}

// ---- Animations ----------------------------------------------------------------------------------------------------

// Eight keys that rise unevenly, so none can be removed.
static int keys_at(gltf_builder *b, float start) {
    float times[8];
    for (int k = 0; k < 8; k++) times[k] = start + (float)(k * k) + (float)k;
    return gltf_floats(b, "SCALAR", 8, times);
}

static int values_from(gltf_builder *b, float start) {
    float values[24];
    for (int k = 0; k < 24; k++) values[k] = start + (float)(k * 7 % 5);
    return gltf_floats(b, "VEC3", 8, values);
}

// Samplers with their own times, so each is a timeline.
static gltf_builder many_timelines(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    gltf_text samplers = {NULL, 0, 0}, channels = {NULL, 0, 0};
    int count = size / 500;
    for (int i = 0; i < count; i++) {
        int input = keys_at(&b, (float)i / 64.0f), output = values_from(&b, (float)i);
        put(&samplers, "%s{'input':%d,'output':%d}", comma(i), input, output);
        put(&channels, "%s{'sampler':%d,'target':{'node':%d,'path':'scale'}}", comma(i), i, i);
    }
    bomb_list(&b, "nodes", count, "{}");
    gltf_section(&b, "'animations':[{'samplers':[%s],'channels':[%s]}]", samplers.data, channels.data);
    free(samplers.data);
    free(channels.data);
    return b;
}

static gltf_builder animations_and_accessors(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    gltf_view(&b, "....", 4, 0);
    for (int i = 0; i < size / 140; i++)
        gltf_raw_accessor(&b, "'bufferView':0,'componentType':5126,'type':'SCALAR','count':1");
    bomb_list(&b, "animations", size / 40, "{'name':'clip#'}");
    return b;
}

// Channels that share a sampler, or have one each.
static gltf_builder channels_of(int count, bool own_samplers) {
    gltf_builder b = gltf_begin();
    int input = gltf_floats(&b, "SCALAR", 1, (float[1]){0}),
        output = gltf_floats(&b, "VEC3", 1, (float[3]){2, 2, 2});
    gltf_text samplers = {NULL, 0, 0};
    for (int i = 0; i < (own_samplers ? count : 1); i++)
        put(&samplers, "%s{'input':%d,'output':%d}", comma(i), input, output);
    char *channels = bomb_repeated(count, own_samplers ? "{'sampler':#,'target':{'node':#,'path':'scale'}}"
                                                       : "{'sampler':0,'target':{'node':#,'path':'scale'}}");
    bomb_list(&b, "nodes", count, "{}");
    gltf_section(&b, "'animations':[{'samplers':[%s],'channels':[%s]}]", samplers.data, channels);
    free(samplers.data);
    free(channels);
    return b;
}

static gltf_builder channels_of_one_sampler(int size, gltf_text *markers) {
    (void)markers;
    return channels_of(size / 55, false);
}

static gltf_builder channels_and_samplers(int size, gltf_text *markers) {
    (void)markers;
    return channels_of(size / 80, true);
}

// A skinned chain where every joint turns: its tip turns once for each of them.
static gltf_builder turning_chain(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    const int count = size / 130;
    const float turn[12] = {0, 0, 0, 1, 0, 0, 0.099833414f, 0.99500418f, 0, 0, 0, 1};
    const int input = gltf_floats(&b, "SCALAR", 3, (float[3]){0, 0.5f, 1}),
              output = gltf_floats(&b, "VEC4", 3, turn);
    gltf_text nodes = {NULL, 0, 0};
    for (int i = 0; i + 1 < count; i++) put(&nodes, "{'translation':[0,0.01,0],'children':[%d]},", i + 1);
    put(&nodes, "{'translation':[0,0.01,0]}");
    char *channels = bomb_repeated(count, "{'sampler':0,'target':{'node':#,'path':'rotation'}}");
    gltf_section(&b, "'nodes':[%s]", nodes.data);
    gltf_section(&b, "'animations':[{'samplers':[{'input':%d,'output':%d}],'channels':[%s]}]", input, output,
                 channels);
    free(nodes.data);
    free(channels);
    return b;
}

// Very many poses, of very many nodes.
static gltf_builder keys_and_nodes(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    int keys = size / 40;
    float *numbers = calloc((size_t)keys * 3, sizeof *numbers);
    for (int i = 0; i < 3 * keys; i++) numbers[i] = (float)i;
    int input = gltf_floats(&b, "SCALAR", keys, numbers), output = gltf_floats(&b, "VEC3", keys, numbers);
    free(numbers);
    bomb_list(&b, "nodes", size / 6, "{}");
    gltf_section(&b,
                 "'animations':[{'samplers':[{'input':%d,'output':%d}],'channels':[{'sampler':0,'target':{"
                 "'node':0,'path':'translation'}}]}]",
                 input, output);
    return b;
}

// ---- Numbers that are none -----------------------------------------------------------------------------------------

static gltf_builder infinite_numbers(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    char *numbers = bomb_repeated(size / 6, "1e999");
    gltf_section(&b, "'extras':[%s]", numbers);
    free(numbers);
    return b;
}

static gltf_builder infinite_keys(int size, gltf_text *markers) {
    (void)markers;
    gltf_builder b = gltf_begin();
    gltf_text samplers = {NULL, 0, 0};
    for (int i = 0; i < size / 200; i++) {
        int values = gltf_floats(&b, "SCALAR", 2, (float[2]){0, INFINITY});
        put(&samplers, "%s{'input':%d,'output':%d}", comma(i), values, values);
    }
    gltf_section(&b,
                 "'nodes':[{}],'animations':[{'samplers':[%s],'channels':[{'sampler':0,'target':{'node':0,"
                 "'path':'scale'}}]}]",
                 samplers.data);
    free(samplers.data);
    return b;
}

// ---- Markers -------------------------------------------------------------------------------------------------------

// The sidecar file names one clip again and again.
static gltf_builder markers_of_one_clip(int size, gltf_text *markers) {
    gltf_builder b = gltf_begin();
    gltf_section(&b, "'animations':[{'name':'a'}]");
    put(markers, "{");
    for (int i = 0; i < size / 40; i++) put(markers, "%s\"a\":[{\"name\":\"m%d\",\"time\":0}]", comma(i), i);
    put(markers, "}");
    return b;
}

static gltf_builder markers_of_many_clips(int size, gltf_text *markers) {
    gltf_builder b = gltf_begin();
    int count = size / 40;
    bomb_list(&b, "animations", count, "{'name':'clip#'}");
    put(markers, "{");
    for (int i = 0; i < count; i++) put(markers, "%s\"clip%d\":[]", comma(i), count - 1 - i);
    put(markers, "}");
    return b;
}

const tool_bomb tool_bombs[] = {
    {"many_buffers", many_buffers, NULL},
    {"many_views", many_views, NULL},
    {"unused_zeros", unused_zeros, NULL},
    {"unused_sparse_zeros", unused_sparse_zeros, NULL},
    {"overlapping_unused", overlapping_unused, "all"},
    {"overlapping_extras", overlapping_extras, "all"},
    {"long_view", long_view, NULL},
    {"long_chain", long_chain, NULL},
    {"skins_on_a_chain", skins_on_a_chain, NULL},
    {"skins_and_nodes", skins_and_nodes, NULL},
    {"scenes_and_nodes", scenes_and_nodes, NULL},
    {"equal_names", equal_names, NULL},
    {"long_names", long_names, NULL},
    {"many_cameras", many_cameras, NULL},
    {"many_materials", many_materials, NULL},
    {"instances_and_skins", instances_and_skins, NULL},
    {"meshes_and_nodes", meshes_and_nodes, NULL},
    {"primitives_and_nodes", primitives_and_nodes, "all"},
    {"skins_on_shared_vertices", skins_on_shared_vertices, "all"},
    {"joints_on_instances", joints_on_instances, "all"},
    {"many_targets", many_targets, NULL},
    {"long_weights", long_weights, NULL},
    {"many_timelines", many_timelines, "verify"},
    {"turning_chain", turning_chain, "verify"},
    {"animations_and_accessors", animations_and_accessors, NULL},
    {"channels_of_one_sampler", channels_of_one_sampler, NULL},
    {"channels_and_samplers", channels_and_samplers, NULL},
    {"keys_and_nodes", keys_and_nodes, "all"},
    {"infinite_numbers", infinite_numbers, NULL},
    {"infinite_keys", infinite_keys, NULL},
    {"markers_of_one_clip", markers_of_one_clip, NULL},
    {"markers_of_many_clips", markers_of_many_clips, NULL},
};
const int tool_bomb_count = (int)(sizeof tool_bombs / sizeof tool_bombs[0]);
