// SPDX-License-Identifier: MIT
// Builds the file that the tests of lint change.
#include "support/lint_fixture.h"

#include <stdio.h>

static void set_identity(float m[16]) {
    for (int i = 0; i < 16; i++) m[i] = i % 5 == 0 ? 1.0f : 0.0f;
}

// An arc that decelerates: no key can be interpolated from others, and the end is far from the start.
static void set_keys(lint_fixture *p) {
    for (int k = 0; k < p->turn_keys; k++) {
        float t = (float)k / (float)(p->turn_keys - 1);
        sinew_quat q = about_x(2.0 * t * (2.0 - t));
        p->turn_times[k] = 0.125f * (float)k;
        p->turns[k][0] = q.x, p->turns[k][1] = q.y, p->turns[k][2] = q.z, p->turns[k][3] = q.w;
        p->move_times[k] = p->turn_times[k];
        p->moves[k][0] = t * t;
        p->moves[k][1] = 0.25f;
        p->moves[k][2] = 0.0f;
    }
    p->move_keys = p->turn_keys;
}

lint_fixture lint_fixture_clean(void) {
    return lint_fixture_with_keys(10);
}

lint_fixture lint_fixture_with_keys(int keys) {
    lint_fixture p = {.body = "'name':'Body'",
                      .hip = "'name':'Hip'",
                      .knee = "'name':'Knee','translation':[0,1,0]",
                      .nodes = "",
                      .scene = "0,1",
                      .mesh = "",
                      .skin = "",
                      .joints = "1,2",
                      .binds = true,
                      .bind_count = 2,
                      .clip = "'name':'Bend'",
                      .clips = "",
                      .interpolation = "LINEAR",
                      .turn_keys = keys,
                      .samplers = "",
                      .channels = "",
                      .sections = ""};
    set_identity(p.bind_matrices[0]);
    set_identity(p.bind_matrices[1]);
    p.bind_matrices[1][13] = -1.0f;
    static const float weights[3][4] = {{1, 0, 0, 0}, {0.25f, 0.75f, 0, 0}, {0, 1, 0, 0}};
    memcpy(p.weights, weights, sizeof weights);
    for (int v = 0; v < 3; v++) p.vertex_joints[v][1] = 1;
    set_keys(&p);
    return p;
}

// Keeps the indices of the accessors after it. Lint takes an accessor with extras for used.
#define PLACEHOLDER "'bufferView':0,'componentType':5126,'type':'VEC3','count':3,'extras':1"

static void add_mesh(gltf_builder *b, const lint_fixture *p) {
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    char second[64] = "";
    gltf_raw_accessor(b, "'bufferView':%d,'componentType':5126,'type':'VEC3','count':3,'min':[0,0,0],'max':[1,1,0]",
                      gltf_view(b, corners, sizeof corners, 0));
    gltf_accessor(b, p->vertex_joints, sizeof p->vertex_joints, U8, "VEC4", 3);
    gltf_floats(b, "VEC4", 3, &p->weights[0][0]);
    if (p->binds) {
        gltf_floats(b, "MAT4", p->bind_count, &p->bind_matrices[0][0]);
    } else {
        gltf_raw_accessor(b, PLACEHOLDER);
    }
    if (p->without_bounds) {
        gltf_floats(b, "SCALAR", p->turn_keys, p->turn_times);
    } else {
        gltf_raw_accessor(
            b, "'bufferView':%d,'componentType':5126,'type':'SCALAR','count':%d,'min':[%.9g],'max':[%.9g]",
            gltf_view(b, p->turn_times, (size_t)p->turn_keys * sizeof(float), 0), p->turn_keys, p->turn_times[0],
            p->turn_times[p->turn_keys - 1]);
    }
    int parts = strcmp(p->interpolation, "CUBICSPLINE") == 0 ? 3 : 1;
    gltf_floats(b, "VEC4", parts * p->turn_keys, &p->turns[0][0]);
    if (p->own_times) {
        gltf_raw_accessor(
            b, "'bufferView':%d,'componentType':5126,'type':'SCALAR','count':%d,'min':[%.9g],'max':[%.9g]",
            gltf_view(b, p->move_times, (size_t)p->move_keys * sizeof(float), 0), p->move_keys, p->move_times[0],
            p->move_times[p->move_keys - 1]);
    } else {
        gltf_raw_accessor(b, PLACEHOLDER);
    }
    gltf_floats(b, "VEC3", p->move_keys, &p->moves[0][0]);
    if (p->copy_of_moves) gltf_floats(b, "VEC3", p->move_keys, &p->moves[0][0]);
    if (p->accessor) gltf_raw_accessor(b, "%s", p->accessor);
    if (p->second_accessor) gltf_raw_accessor(b, "%s", p->second_accessor);
    if (p->has_second) {
        int more = gltf_accessor(b, p->vertex_joints, sizeof p->vertex_joints, U8, "VEC4", 3);
        int weights = gltf_floats(b, "VEC4", 3, &p->second_weights[0][0]);
        snprintf(second, sizeof second, ",'JOINTS_1':%d,'WEIGHTS_1':%d", more, weights);
    }
    gltf_section(b, "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2%s}}]%s}]",
                 second, p->mesh);
}

void lint_fixture_write(const lint_fixture *p, const char *path) {
    gltf_builder b = gltf_begin();
    add_mesh(&b, p);
    if (p->spare) gltf_append(&b.bin, p->spare, p->spare_size);
    gltf_section(&b, "'nodes':[{%s,'mesh':0,'skin':0},{%s,'children':[2]},{%s}%s]", p->body, p->hip, p->knee,
                 p->nodes);
    gltf_section(&b, "'scene':0,'scenes':[{'nodes':[%s]}]", p->scene);
    if (p->binds) {
        gltf_section(&b, "'skins':[{'joints':[%s],'inverseBindMatrices':%d%s}]", p->joints, FIXTURE_BINDS, p->skin);
    } else {
        gltf_section(&b, "'skins':[{'joints':[%s]}]", p->joints);
    }
    gltf_section(&b,
                 "'animations':[{%s,'samplers':[{'input':%d,'output':%d,'interpolation':'%s'},"
                 "{'input':%d,'output':%d}%s],"
                 "'channels':[{'sampler':0,'target':{'node':2,'path':'rotation'}},"
                 "{'sampler':1,'target':{'node':1,'path':'translation'}}%s]}%s]",
                 p->clip, FIXTURE_TURN_TIMES, FIXTURE_TURNS, p->interpolation,
                 p->own_times ? FIXTURE_MOVE_TIMES : FIXTURE_TURN_TIMES, FIXTURE_MOVES, p->samplers, p->channels,
                 p->clips);
    if (p->sections[0]) gltf_section(&b, "%s", p->sections);
    size_t size;
    uint8_t *glb = gltf_write_glb(&b, &size);
    write_bytes(path, glb, size);
    free(glb);
    gltf_end(&b);
}

// ---- Files -------------------------------------------------------------------------------------------------------

void write_bytes(const char *path, const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

char *read_bytes(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    gltf_text text = {NULL, 0, 0};
    char part[4096];
    for (size_t got; (got = fread(part, 1, sizeof part, file)) > 0;) gltf_append(&text, part, got);
    assert_int_equal(fclose(file), 0);
    *size = text.size;
    return text.data;
}
