// SPDX-License-Identifier: MIT
// Meshes in optimized files: rounded vertices keep the promise. Their order, everything that isn't rounded, and
// accessors that must not change stay the same. Every allocation may fail.
#include "support/displacement.h"
#include "support/failing_heap.h"
#include "support/gltf_builder.h"
#include "support/trials.h"
#include "cli/cli.h"
#include "meshes/meshes.h"
#include "optimize/optimize.h"

#include <stdio.h>

// ---- Files -------------------------------------------------------------------------------------------------------

typedef struct file {
    ref_document document;
    ref_model model;
} file;

static void open_path(file *f, const char *path) {
    if (!ref_open(&f->document, path, cli_decode_meshopt, NULL) || !ref_read_model(&f->document, &f->model))
        fail_msg("%s", f->document.error);
}

// A file, its result, and the result's file. `model` has that one's vertices in the authored order.
typedef struct coded {
    file from, to;
    ref_model model;
    optimize_meshes meshes;
    optimize_result result;
} coded;

static bool optimize(coded *c, const char *path, double millimetres) {
    const optimize_meshes_def meshes = {
        .document = &c->from.document, .model = &c->from.model, .error = millimetres / 1800.0};
    sinewi_arena_init(&c->meshes.arena, NULL);
    if (!meshes_code(&c->meshes, &meshes)) return false;
    const optimize_def def = {.path = path,
                              .document = &c->from.document,
                              .model = &c->from.model,
                              .meshes = c->meshes.model ? &c->meshes : NULL,
                              .error = millimetres / 1800.0,
                              .mark = OPTIMIZE_MARK "1 mm",
                              .decode = cli_decode_meshopt};
    return optimize_file(&c->result, &def);
}

// ---- The authored order --------------------------------------------------------------------------------------------

static const uint32_t *places_of(const coded *c, int32_t accessor) {
    for (int32_t i = 0; i < c->meshes.accessor_count; i++) {
        if (c->meshes.accessors[i].accessor == accessor) return c->meshes.accessors[i].places;
    }
    return NULL;
}

// Copies vertices of `size` bytes to their authored positions; equal ones were merged.
static void *restore(coded *c, const void *values, const uint32_t *places, int32_t count, size_t size) {
    uint8_t *out = sinewi_arena_array(&c->to.document.arena, uint8_t, (size_t)count * size);
    for (size_t v = 0; v < (size_t)count; v++)
        memcpy(out + v * size, (const uint8_t *)values + places[v] * size, size);
    return out;
}

static void restore_primitive(coded *c, ref_primitive *primitive, const uint32_t *places, int32_t count) {
    const size_t influences = (size_t)primitive->influences;
    ref_attributes *targets =
        sinewi_arena_zeros(&c->to.document.arena, ref_attributes, (size_t)primitive->target_count);
    for (int32_t t = 0; t < primitive->target_count; t++) {
        if (primitive->targets[t].positions)
            targets[t].positions = restore(c, primitive->targets[t].positions, places, count, 3 * sizeof(double));
    }
    primitive->targets = targets;
    primitive->vertex_count = count;
    primitive->base =
        (ref_attributes){.positions = restore(c, primitive->base.positions, places, count, 3 * sizeof(double))};
    if (influences == 0) return;
    primitive->joints = restore(c, primitive->joints, places, count, influences * sizeof(int32_t));
    primitive->weights = restore(c, primitive->weights, places, count, influences * sizeof(double));
}

static void restore_model(coded *c) {
    ref_document *document = &c->from.document;
    ref_mesh *meshes = sinewi_arena_array(&c->to.document.arena, ref_mesh, (size_t)c->to.model.mesh_count);
    for (int32_t m = 0; m < c->to.model.mesh_count; m++) {
        const int32_t count = c->to.model.meshes[m].primitive_count;
        const ref_list list = ref_elements(document, document->meshes.values[m], "primitives");
        ref_primitive *primitives = sinewi_arena_array(&c->to.document.arena, ref_primitive, (size_t)count);
        for (int32_t p = 0; p < count; p++) {
            const sinewi_json_value attributes = sinewi_json_get(&document->json, list.values[p], "attributes");
            const uint32_t *places = places_of(c, ref_index(document, attributes, "POSITION"));
            primitives[p] = c->to.model.meshes[m].primitives[p];
            if (places)
                restore_primitive(c, &primitives[p], places, c->from.model.meshes[m].primitives[p].vertex_count);
        }
        meshes[m] = c->to.model.meshes[m];
        meshes[m].primitives = primitives;
    }
    c->model = c->to.model;
    c->model.meshes = meshes;
}

// The first byte of a stream is its mode and its version: EXT_meshopt_compression allows one of each.
static void check_versions(const coded *c) {
    for (int32_t i = 0; i < c->meshes.view_count; i++) {
        const optimize_view *view = &c->meshes.views[i];
        const int first = *(const uint8_t *)view->bytes;
        if (strcmp(view->mode, "ATTRIBUTES") == 0) assert_int_equal(first, 0xa0);
        if (strcmp(view->mode, "TRIANGLES") == 0) assert_int_equal(first, 0xe1);
        if (strcmp(view->mode, "INDICES") == 0) assert_int_equal(first, 0xd1);
    }
}

static void code(coded *c, const char *path, double millimetres) {
    memset(c, 0, sizeof *c);
    open_path(&c->from, path);
    if (!optimize(c, path, millimetres)) fail_msg("%s", c->result.error);
    assert_non_null(c->result.glb);
    check_versions(c);
    if (!ref_open_bytes(&c->to.document, "optimized.glb", c->result.glb, c->result.size, cli_decode_meshopt,
                        NULL) ||
        !ref_read_model(&c->to.document, &c->to.model))
        fail_msg("%s", c->to.document.error);
    restore_model(c);
}

static void end(coded *c) {
    ref_close(&c->to.document);
    ref_close(&c->from.document);
    sinewi_arena_free(&c->meshes.arena);
    optimize_end(&c->result);
}

static uint32_t seed = 11;

static double random_number(void) {
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / 16777216.0;
}

// ---- The promise ---------------------------------------------------------------------------------------------------

static double size_of(const file *f) {
    sinewi_arena arena;
    compare_body body;
    sinewi_arena_init(&arena, NULL);
    assert_true(compare_match(&body, &arena, &f->model, &f->model));
    sinewi_arena_free(&arena);
    return body.size;
}

// Checks the displacement at random times, and that meshes alone keep to a half.
static void check_model(const char *path, double millimetres) {
    coded c;
    code(&c, path, millimetres);
    const ref_model *models[2] = {&c.from.model, &c.model}, *alone[2] = {&c.from.model, c.meshes.model};
    const double allowed = millimetres / 1800.0 * size_of(&c.from);
    double moved = 0.0;
    assert_non_null(c.meshes.model);
    assert_true(c.meshes.error <= 0.5 * allowed * 1.0001);
    for (int32_t i = 0; i < c.from.model.animation_count; i++) {
        double span[2];
        compare_span(&c.from.model.animations[i], span);
        for (int k = 0; k < 6; k++) {
            sinewi_arena scratch;
            sinewi_arena_init(&scratch, NULL);
            const double time = span[0] + (span[1] - span[0]) * random_number();
            const double found = displacement_at(models, i, time, &scratch),
                         of_meshes = displacement_at(alone, i, time, &scratch);
            if (!(found <= allowed)) fail_msg("%s, clip %d, %.9g s: %.9g > %.9g", path, i, time, found, allowed);
            if (!(of_meshes <= c.meshes.error))
                fail_msg("%s, clip %d, %.9g s: meshes %.9g > %.9g", path, i, time, of_meshes, c.meshes.error);
            moved = fmax(moved, of_meshes);
            sinewi_arena_free(&scratch);
        }
    }
    assert_true(moved > 0.0);
    end(&c);
}

static void test_promise(void **state) {
    (void)state;
    check_model(SINEW_MODELS "/scout.glb", 1.0);
    check_model(SINEW_MODELS "/windmill.glb", 0.1);
    check_model(SINEW_MODELS "/windmill.glb", 20.0);
}

// ---- A built file --------------------------------------------------------------------------------------------------

enum { SIDE = 24, COUNT = SIDE * SIDE };

#define TURN(degrees) 0, 0, sinf((float)((degrees)*PI / 360)), cosf((float)((degrees)*PI / 360))

// A sheet of vertices on two joints, with a morph target.
typedef struct sheet {
    float positions[COUNT][3], normals[COUNT][3], texcoords[COUNT][2], weights[COUNT][4], bulge[COUNT][3];
    uint16_t joints[COUNT][4];
    uint8_t colours[COUNT][4];
    uint16_t indices[6 * (SIDE - 1) * (SIDE - 1)];
    float custom[COUNT];
} sheet;

static sheet made;

// The last vertex has weights that readers take for none.
static bool has_weightless;

// Shuffles the points of the sheet, always alike: neighbours are apart in the authored order.
static void shuffle(int points[COUNT], uint16_t vertices[COUNT]) {
    uint32_t number = 5;
    for (int v = 0; v < COUNT; v++) points[v] = v;
    for (int v = COUNT - 1; v > 0; v--) {
        number = number * 1664525u + 1013904223u;
        const int other = (int)((number >> 8) % (uint32_t)(v + 1)), point = points[v];
        points[v] = points[other];
        points[other] = point;
    }
    for (int v = 0; v < COUNT; v++) vertices[points[v]] = (uint16_t)v;
}

static void make_sheet(void) {
    int index = 0, points[COUNT];
    uint16_t vertices[COUNT];
    memset(&made, 0, sizeof made);
    shuffle(points, vertices);
    for (int v = 0; v < COUNT; v++) {
        const int point = points[v];
        const int column = point % SIDE, row = point / SIDE;
        const float x = (float)column / (SIDE - 1), y = 2 * (float)row / (SIDE - 1);
        const float angle = 6 * x, slope = cosf(5 * y) * 0.3f, length = sqrtf(1 + slope * slope);
        const float positions[3] = {x, y, 0.1f * sinf(7 * x)},
                    normals[3] = {sinf(angle) / length, slope / length, cosf(angle) / length};
        memcpy(made.positions[v], positions, sizeof positions);
        memcpy(made.normals[v], normals, sizeof normals);
        made.texcoords[v][0] = x * 0.7f;
        made.texcoords[v][1] = 1 - y / 2;
        made.weights[v][0] = fmaxf(0, fminf(1, 1.5f - y));
        made.weights[v][1] = 1 - made.weights[v][0];
        made.joints[v][1] = 1;
        made.bulge[v][2] = 0.1f * sinf(3 * y) * sinf(3 * x);
        made.colours[v][0] = (uint8_t)(point * 7);
        made.custom[v] = (float)v; // tells the authored order
    }
    if (has_weightless) made.weights[COUNT - 1][0] = NAN;
    for (int v = 0; v < COUNT; v++) {
        const int a = points[v], corners[6] = {a, a + 1, a + SIDE, a + SIDE, a + 1, a + SIDE + 1};
        if (a % SIDE == SIDE - 1 || a / SIDE == SIDE - 1) continue;
        for (int i = 0; i < 6; i++) made.indices[index++] = vertices[corners[i]];
    }
}

// More joints, which move nothing: with many matrices the positions may be integers.
static bool has_joints;

// Without animations.
static bool is_still;

// Members of the nodes of the sheet with more joints, and of its skins; NULL: one node and one skin.
static const char *more_nodes, *more_skins;

enum { MORE_JOINTS = 6 };

static void add_nodes(gltf_builder *b, int bind) {
    char children[64] = "", names[256] = "", joints[64] = "";
    for (int i = 0; has_joints && i < MORE_JOINTS; i++) {
        snprintf(children + strlen(children), 16, ",%d", 3 + i);
        snprintf(joints + strlen(joints), 16, ",%d", 3 + i);
        snprintf(names + strlen(names), 32, ",{'name':'joint %d'}", i);
    }
    gltf_section(b,
                 "'nodes':[{'name':'sheet','mesh':0,'skin':0},{'name':'root','children':[2%s]},"
                 "{'name':'tip','translation':[0,1,0]}%s%s]",
                 children, names, more_nodes ? more_nodes : "");
    gltf_section(b, "'skins':[{'joints':[1,2%s],'inverseBindMatrices':%d}%s]", joints, bind,
                 more_skins ? more_skins : "");
}

// Writes the sheet, which bends and bulges. `members` is added to the root, `position` replaces the accessor of its positions
// unless it is NULL, and `primitive` is added to its primitive.
static void build_with(const char *path, const char *members, const char *position, const char *primitive) {
    static const float times[] = {0, 1, 2}, identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    float binds[16 * (2 + MORE_JOINTS)];
    for (int i = 0; i < 2 + MORE_JOINTS; i++) memcpy(binds + (ptrdiff_t)16 * i, identity, sizeof identity);
    binds[16 + 13] = -1;
    static const float scales[] = {1, 1, 1, 1.5f, 1.5f, 1.5f, 1, 1, 1}, bulges[] = {0, 1, -0.5f};
    const float turns[] = {TURN(0), TURN(80), TURN(-30)};
    gltf_builder b = gltf_begin();
    make_sheet();
    const int input = gltf_floats(&b, "SCALAR", 3, times), turn = gltf_floats(&b, "VEC4", 3, turns),
              scale = gltf_floats(&b, "VEC3", 3, scales), weight = gltf_floats(&b, "SCALAR", 3, bulges),
              bind = gltf_floats(&b, "MAT4", has_joints ? 2 + MORE_JOINTS : 2, binds);
    const int positions =
        position ? gltf_raw_accessor(&b, "%s", position) : gltf_floats(&b, "VEC3", COUNT, made.positions[0]);
    const int normals = gltf_floats(&b, "VEC3", COUNT, made.normals[0]),
              texcoords = gltf_floats(&b, "VEC2", COUNT, made.texcoords[0]),
              weights = gltf_floats(&b, "VEC4", COUNT, made.weights[0]),
              bulge = gltf_floats(&b, "VEC3", COUNT, made.bulge[0]),
              custom = gltf_floats(&b, "SCALAR", COUNT, made.custom),
              joints = gltf_accessor(&b, made.joints, sizeof made.joints, U16, "VEC4", COUNT),
              colours = gltf_normalized(&b, made.colours, sizeof made.colours, U8, "VEC4", COUNT),
              indices =
                  gltf_accessor(&b, made.indices, sizeof made.indices, U16, "SCALAR", 6 * (SIDE - 1) * (SIDE - 1));
    gltf_section(&b,
                 "'meshes':[{'primitives':[{'attributes':{'POSITION':%d,'NORMAL':%d,'TEXCOORD_0':%d,'WEIGHTS_0':%d,"
                 "'JOINTS_0':%d,'COLOR_0':%d,'_CUSTOM':%d},'targets':[{'POSITION':%d}],'indices':%d%s}],'extras':{'"
                 "targetNames':['bulge']}}]",
                 positions, normals, texcoords, weights, joints, colours, custom, bulge, indices, primitive);
    add_nodes(&b, bind);
    if (is_still) {
        gltf_section(&b, "'extras':{}%s", members);
    } else {
        gltf_section(&b,
                     "'animations':[{'samplers':[{'input':%d,'output':%d},{'input':%d,'output':%d},"
                     "{'input':%d,'output':%d}],'channels':[{'sampler':0,'target':{'node':2,'path':'rotation'}},"
                     "{'sampler':1,'target':{'node':1,'path':'scale'}},"
                     "{'sampler':2,'target':{'node':0,'path':'weights'}}]}]%s",
                     input, turn, input, scale, input, weight, members);
    }
    gltf_save_glb(&b, path);
}

// Writes the sheet on a node without a skin, with morph targets that are all at a weight of 1 at 2 s.
static void build_targets(const char *path) {
    enum { TARGETS = 16 };
    static float moves[COUNT][3], weights[2 * TARGETS];
    static const float times[] = {0, 2};
    char targets[TARGETS * 20] = "";
    gltf_builder b = gltf_begin();
    make_sheet();
    const int input = gltf_floats(&b, "SCALAR", 2, times);
    const int positions = gltf_floats(&b, "VEC3", COUNT, made.positions[0]);
    for (int t = 0; t < TARGETS; t++) {
        for (int v = 0; v < COUNT; v++) {
            for (int i = 0; i < 3; i++) moves[v][i] = 0.1f * sinf((float)(v * (3 * t + i + 1)));
        }
        weights[TARGETS + t] = 1;
        snprintf(targets + strlen(targets), 20, "%s{'POSITION':%d}", t > 0 ? "," : "",
                 gltf_floats(&b, "VEC3", COUNT, moves[0]));
    }
    const int output = gltf_floats(&b, "SCALAR", 2 * TARGETS, weights);
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':%d},'targets':[%s]}]}]", positions,
                 targets);
    gltf_section(&b, "'nodes':[{'mesh':0}]");
    gltf_section(&b,
                 "'animations':[{'samplers':[{'input':%d,'output':%d}],'channels':[{'sampler':0,'target':{'node':0,"
                 "'path':'weights'}}]}]",
                 input, output);
    gltf_save_glb(&b, path);
}

// The errors of morph targets add up, also where no weight of a joint is rounded.
static void test_targets(void **state) {
    (void)state;
    build_targets("targets.glb");
    check_model("targets.glb", 1.0);
}

static void build(const char *path, const char *members, const char *position) {
    build_with(path, members, position, "");
}

static sinewi_json_value attributes_of(const file *f) {
    const sinewi_json *json = &f->document.json;
    const sinewi_json_value primitives = sinewi_json_get(json, f->document.meshes.values[0], "primitives");
    return sinewi_json_get(json, sinewi_json_first(json, primitives), "attributes");
}

static ref_accessor attribute(file *f, const char *name) {
    ref_accessor accessor;
    assert_true(ref_read_accessor(&f->document, ref_index(&f->document, attributes_of(f), name), &accessor));
    return accessor;
}

// The authored vertices of the result, from the file alone.
static const double *authored_vertices(coded *c) {
    const ref_accessor accessor = attribute(&c->to, "_CUSTOM");
    bool seen[COUNT] = {false};
    assert_int_equal(accessor.count, COUNT);
    for (int v = 0; v < COUNT; v++) seen[(int)accessor.values[v]] = true;
    for (int v = 0; v < COUNT; v++) assert_true(seen[v]);
    return accessor.values;
}

// The largest difference of a component.
static double difference(coded *c, const char *name) {
    const ref_accessor a = attribute(&c->from, name), b = attribute(&c->to, name);
    const double *authored = authored_vertices(c);
    double largest = 0.0;
    assert_int_equal(a.count, b.count);
    for (ptrdiff_t v = 0; v < b.count; v++) {
        const double *from = a.values + (ptrdiff_t)authored[v] * a.components, *to = b.values + v * b.components;
        for (ptrdiff_t i = 0; i < a.components; i++) largest = fmax(largest, fabs(from[i] - to[i]));
    }
    return largest;
}

// The weight of a joint in a vertex.
static double weight_of(file *f, ptrdiff_t vertex, double joint) {
    const ref_accessor joints = attribute(f, "JOINTS_0"), weights = attribute(f, "WEIGHTS_0");
    double sum = 0.0;
    for (ptrdiff_t i = 4 * vertex; i < 4 * vertex + 4; i++)
        sum += joints.values[i] == joint ? weights.values[i] : 0.0;
    return sum;
}

// Influences are in the order of their weights, and joints without one are 0.
static void check_influences(coded *c) {
    const ref_accessor joints = attribute(&c->to, "JOINTS_0"), weights = attribute(&c->to, "WEIGHTS_0");
    const double *authored = authored_vertices(c);
    for (ptrdiff_t v = 0; v < COUNT; v++) {
        const double *w = weights.values + 4 * v, *j = joints.values + 4 * v;
        assert_true(w[0] >= w[1] && w[1] >= w[2] && w[2] >= w[3] && w[0] + w[1] + w[2] + w[3] == 1.0);
        for (int i = 0; i < 4; i++) assert_true(w[i] > 0.0 || j[i] == 0.0);
        for (int joint = 0; joint < 2; joint++)
            assert_true(fabs(weight_of(&c->to, v, joint) - weight_of(&c->from, (ptrdiff_t)authored[v], joint)) <=
                        ldexp(1.0, -c->meshes.weight_bits));
    }
}

static double largest_angle(coded *c) {
    const ref_accessor a = attribute(&c->from, "NORMAL"), b = attribute(&c->to, "NORMAL");
    const double *authored = authored_vertices(c);
    double largest = 0.0;
    for (ptrdiff_t v = 0; v < a.count; v++) {
        double dot = 0.0, square = 0.0;
        for (int i = 0; i < 3; i++) {
            dot += a.values[3 * (ptrdiff_t)authored[v] + i] * b.values[3 * v + i];
            square += b.values[3 * v + i] * b.values[3 * v + i];
        }
        largest = fmax(largest, acos(fmin(1.0, dot / sqrt(square))) * 180.0 / (double)PI);
    }
    return largest;
}

static void test_attributes(void **state) {
    (void)state;
    coded c;
    build_with("meshes.glb",
               ",'materials':[{'pbrMetallicRoughness':{'baseColorTexture':{'index':0}}}],'textures':[{}]", NULL,
               ",'material':0");
    check_model("meshes.glb", 1.0);
    code(&c, "meshes.glb", 1.0);
    assert_true(c.meshes.step > 0.0 && c.meshes.weight_bits > 0);
    assert_int_equal(c.meshes.kept_count, 0);
    assert_true(difference(&c, "TEXCOORD_0") <= 1.0 / 8192.0);
    assert_true(largest_angle(&c) <= 1.0);
    assert_true(difference(&c, "COLOR_0") == 0.0);
    assert_true(difference(&c, "_CUSTOM") == 0.0);
    assert_int_equal(attribute(&c.to, "JOINTS_0").component_type, U8);
    check_influences(&c);
    end(&c);
}

// The others are rounded all the same.
static void test_weightless(void **state) {
    (void)state;
    coded c;
    has_weightless = true;
    build("meshes.glb", "", NULL);
    check_model("meshes.glb", 1.0);
    code(&c, "meshes.glb", 1.0);
    has_weightless = false;
    assert_true(c.meshes.weight_bits > 0 && c.meshes.weight_bits < 16);
    end(&c);
}

// ---- Integers ------------------------------------------------------------------------------------------------------

static int position_type(file *f) {
    return attribute(f, "POSITION").component_type;
}

static int displacement_type(file *f) {
    const sinewi_json *json = &f->document.json;
    const sinewi_json_value primitive =
        sinewi_json_first(json, sinewi_json_get(json, f->document.meshes.values[0], "primitives"));
    const sinewi_json_value target = sinewi_json_first(json, sinewi_json_get(json, primitive, "targets"));
    ref_accessor accessor;
    assert_true(ref_read_accessor(&f->document, ref_index(&f->document, target, "POSITION"), &accessor));
    return accessor.component_type;
}

// Codes the sheet with more joints, and more of what it has.
static void code_joints(coded *c, const char *nodes, const char *skins, const char *members, double millimetres) {
    has_joints = true;
    more_nodes = nodes;
    more_skins = skins;
    build("meshes.glb", members, NULL);
    has_joints = false;
    more_nodes = more_skins = NULL;
    check_model("meshes.glb", millimetres);
    code(c, "meshes.glb", millimetres);
}

// The comparison finds the vertices of the file, and bounds their displacement.
static void check_comparison(const coded *c, double millimetres) {
    sinewi_arena arena;
    compare_body body;
    compare_measure m;
    compare_worst worst;
    sinewi_arena_init(&arena, NULL);
    assert_true(compare_match(&body, &arena, &c->from.model, &c->to.model));
    assert_int_equal(body.carried_vertices, 0);
    assert_int_equal(body.sorted_vertices, COUNT);
    assert_true(compare_measure_begin(&m, &body, 0.0));
    assert_true(compare_clip(&m, &c->from.model.animations[0], &c->to.model.animations[0], 0, &worst));
    assert_true(worst.error > 0.0 && worst.bound <= millimetres / 1800.0 * body.size);
    sinewi_arena_free(&arena);
}

// The matrices of the skin are multiplied by the unit of the positions: no node changes, and the promise holds. Where a node has
// the mesh without a skin, positions are floats.
static void test_integers(void **state) {
    (void)state;
    coded c;
    code_joints(&c, NULL, NULL, "", 1.0);
    const double *authored = authored_vertices(&c);
    const ref_accessor from = attribute(&c.from, "POSITION"), to = attribute(&c.to, "POSITION");
    assert_int_equal(to.component_type, I16);
    for (ptrdiff_t v = 0; v < COUNT; v++) {
        for (int i = 0; i < 3; i++)
            assert_true(fabs(to.values[3 * v + i] * c.meshes.step - from.values[3 * (int)authored[v] + i]) <=
                        0.5001 * c.meshes.step);
    }
    for (int joint = 0; joint < 2; joint++) {
        const double *matrix = c.to.model.skins[0].inverse_binds + (ptrdiff_t)16 * joint;
        assert_true(fabs(matrix[0] / c.meshes.step - 1.0) < 0.001 && fabs(matrix[13] + joint) < 0.001);
    }
    assert_int_equal(c.to.model.node_count, c.from.model.node_count);
    check_comparison(&c, 1.0);
    end(&c);
    code_joints(&c, ",{'name':'prop','mesh':0}", NULL, "", 1.0);
    assert_int_equal(position_type(&c.to), F32);
    end(&c);
    code_joints(&c, NULL, NULL, "", 20.0); // displacements and weights of 8 bits
    assert_int_equal(position_type(&c.to), I16);
    assert_int_equal(displacement_type(&c.to), I8);
    check_comparison(&c, 20.0);
    end(&c);
    code_joints(&c, NULL, NULL, "", 0.02); // more than 16 bits
    assert_int_equal(position_type(&c.to), F32);
    end(&c);
}

// 8-bit weights are bytes that sum to 255.
static void test_byte_weights(void **state) {
    (void)state;
    coded c;
    is_still = true;
    build("meshes.glb", "", NULL);
    is_still = false;
    code(&c, "meshes.glb", 1.0);
    const ref_accessor weights = attribute(&c.to, "WEIGHTS_0");
    assert_int_equal(c.meshes.weight_bits, 8);
    assert_int_equal(weights.component_type, U8);
    for (ptrdiff_t v = 0; v < COUNT; v++) {
        double sum = 0.0;
        for (int i = 0; i < 4; i++) sum += rint(255.0 * weights.values[4 * v + i]);
        assert_true(sum == 255.0);
    }
    assert_true(fabs(weight_of(&c.to, 5, 0) - weight_of(&c.from, (ptrdiff_t)authored_vertices(&c)[5], 0)) <
                1.0 / 255.0);
    end(&c);
}

// An unused skin keeps its matrices. So does one whose mesh has another skin without any.
static void test_shared_binds(void **state) {
    (void)state;
    coded c;
    code_joints(&c, NULL, ",{'joints':[1,2],'inverseBindMatrices':4}", "", 1.0);
    assert_int_equal(position_type(&c.to), F32);
    end(&c);
    code_joints(&c, ",{'name':'twin','mesh':0,'skin':1}", ",{'joints':[1,2]}", "", 1.0);
    assert_int_equal(position_type(&c.to), F32);
    end(&c);
    code_joints(&c, ",{'name':'twin','mesh':0,'skin':1}", ",{'joints':[1,2],'inverseBindMatrices':4}", "", 1.0);
    assert_int_equal(position_type(&c.to), I16);
    end(&c);
}

// ---- Triangles -----------------------------------------------------------------------------------------------------

enum { TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };

static int by_corners(const void *a, const void *b) {
    return memcmp(a, b, 3 * sizeof(double));
}

// Reads the triangles with authored vertices. Each is rotated to start with its smallest: the codec may rotate them.
static void read_triangles(file *f, const double *authored, double out[TRIANGLES][3]) {
    const sinewi_json *json = &f->document.json;
    ref_accessor list;
    const sinewi_json_value primitive =
        sinewi_json_first(json, sinewi_json_get(json, f->document.meshes.values[0], "primitives"));
    assert_true(ref_read_accessor(&f->document, ref_index(&f->document, primitive, "indices"), &list));
    assert_int_equal(list.count, 3 * TRIANGLES);
    for (ptrdiff_t t = 0; t < TRIANGLES; t++) {
        double corners[3];
        int first = 0;
        for (int i = 0; i < 3; i++) {
            const double index = list.values[3 * t + i];
            corners[i] = authored ? authored[(ptrdiff_t)index] : index;
            if (corners[i] < corners[first]) first = i;
        }
        for (int i = 0; i < 3; i++) out[t][i] = corners[(first + i) % 3];
    }
}

// The triangles are the same, and in another order unless they are blended, no triangles, or have extras.
static void check_triangles(const char *members, const char *primitive, bool sorts) {
    static double lists[2][TRIANGLES][3];
    coded c;
    build_with("meshes.glb", members, NULL, primitive);
    code(&c, "meshes.glb", 1.0);
    read_triangles(&c.from, NULL, lists[0]);
    read_triangles(&c.to, authored_vertices(&c), lists[1]);
    if (sorts) assert_int_equal(c.meshes.reordered, COUNT);
    assert_int_equal(memcmp(lists[0], lists[1], sizeof lists[0]) != 0, sorts);
    for (int side = 0; side < 2; side++) qsort(lists[side], TRIANGLES, sizeof lists[side][0], by_corners);
    assert_memory_equal(lists[0], lists[1], sizeof lists[0]);
    end(&c);
}

static void test_triangles(void **state) {
    (void)state;
    check_triangles("", "", true);
    check_triangles(",'materials':[{'alphaMode':'BLEND'}]", ",'material':0", false);
    check_triangles(",'materials':[{'alphaMode':'MASK'}]", ",'material':0", true);
    check_triangles("", ",'extras':{'corner':7}", false);
    check_triangles("", ",'mode':5", false);
}

// Extras that may refer to vertices keep their order.
static void test_extras(void **state) {
    (void)state;
    coded c;
    build_with("meshes.glb", "", NULL, ",'extras':{'corner':7}");
    code(&c, "meshes.glb", 1.0);
    assert_int_equal(c.meshes.reordered, 0);
    for (int v = 0; v < COUNT; v++) assert_true(authored_vertices(&c)[v] == (double)v);
    end(&c);
}

// ---- Merging -------------------------------------------------------------------------------------------------------

// Writes the sheet's triangles one by one, each with its own vertices, without indices.
static void build_soup(const char *path, const char *extras) {
    static float positions[3 * TRIANGLES][3], normals[3 * TRIANGLES][3];
    gltf_builder b = gltf_begin();
    make_sheet();
    for (int i = 0; i < 3 * TRIANGLES; i++) {
        memcpy(positions[i], made.positions[made.indices[i]], sizeof positions[i]);
        memcpy(normals[i], made.normals[made.indices[i]], sizeof normals[i]);
    }
    const int position = gltf_floats(&b, "VEC3", 3 * TRIANGLES, positions[0]),
              normal = gltf_floats(&b, "VEC3", 3 * TRIANGLES, normals[0]);
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':%d,'NORMAL':%d}%s}]}]", position, normal,
                 extras);
    gltf_section(&b, "'nodes':[{'mesh':0}]");
    gltf_save_glb(&b, path);
}

// Equal vertices become one, named by indices. The triangles are the authored file's, and the comparison measures
// every authored vertex in its place.
static void test_merging(void **state) {
    (void)state;
    coded c;
    compare_body body;
    sinewi_arena arena;
    build_soup("soup.glb", "");
    code(&c, "soup.glb", 1.0);
    assert_int_equal(attribute(&c.to, "POSITION").count, COUNT);
    assert_int_equal(c.meshes.merged, 3 * TRIANGLES - COUNT);
    sinewi_arena_init(&arena, NULL);
    assert_true(compare_match(&body, &arena, &c.from.model, &c.to.model));
    assert_int_equal(body.carried_vertices, 0);
    assert_int_equal(body.sorted_vertices, 3 * TRIANGLES);
    const double *from = c.from.model.meshes[0].primitives[0].base.positions,
                 *to = c.model.meshes[0].primitives[0].base.positions;
    for (int i = 0; i < 9 * TRIANGLES; i++) assert_true(fabs(from[i] - to[i]) <= 0.5 * c.meshes.step);
    sinewi_arena_free(&arena);
    end(&c);
}

// Extras of a primitive may refer to vertices.
static void test_unmerged(void **state) {
    (void)state;
    coded c;
    build_soup("soup.glb", ",'extras':{'corner':7}");
    code(&c, "soup.glb", 1.0);
    assert_int_equal(attribute(&c.to, "POSITION").count, 3 * TRIANGLES);
    assert_int_equal(c.meshes.merged, 0);
    end(&c);
}

// ---- Attributes that no material needs -----------------------------------------------------------------------------

static bool has_attribute(const file *f, const char *name) {
    return sinewi_json_get(&f->document.json, attributes_of(f), name) != SINEWI_JSON_ABSENT;
}

static void check_unused(const char *members, const char *primitive, bool kept) {
    coded c;
    build_with("meshes.glb", members, NULL, primitive);
    code(&c, "meshes.glb", 1.0);
    assert_true(has_attribute(&c.from, "TEXCOORD_0"));
    assert_int_equal(has_attribute(&c.to, "TEXCOORD_0"), kept);
    assert_true(has_attribute(&c.to, "NORMAL") && has_attribute(&c.to, "COLOR_0") &&
                has_attribute(&c.to, "_CUSTOM"));
    end(&c);
}

// Texture coordinates stay if a texture of the material, of an extension or of a variant reads them.
static void test_unused(void **state) {
    (void)state;
    check_unused("", "", false);
    check_unused(",'materials':[{'name':'plain'}]", ",'material':0", false);
    check_unused(",'textures':[{}],'materials':[{'emissiveTexture':{'index':0}}]", ",'material':0", true);
    check_unused(",'textures':[{}],'materials':[{'emissiveTexture':{'index':0,'texCoord':1}}]", ",'material':0",
                 false);
    check_unused(
        ",'textures':[{}],'materials':[{'extensions':{'KHR_materials_sheen':{'sheenColorTexture':{'index':0}}}}]",
        ",'material':0", true);
    check_unused(
        ",'textures':[{}],'materials':[{},{'normalTexture':{'index':0}}],'extensionsUsed':["
        "'KHR_materials_variants'],'extensions':{'KHR_materials_variants':{'variants':[{'name':'a'}]}}",
        ",'material':0,'extensions':{'KHR_materials_variants':{'mappings':[{'material':1,'variants':[0]}]}}", true);
    check_unused(",'textures':[{}]", ",'extras':{'corner':7}", true);
}

// ---- What stays ----------------------------------------------------------------------------------------------------

static bool is_kept(const coded *c, int32_t accessor, const char *why) {
    for (int32_t i = 0; i < c->meshes.kept_count; i++) {
        if (c->meshes.kept[i].accessor == accessor) return strcmp(c->meshes.kept[i].why, why) == 0;
    }
    return false;
}

// Sparse positions are rounded like others, and their indices and values go.
static void test_sparse(void **state) {
    (void)state;
    coded c;
    build("meshes.glb", "",
          "'componentType':5126,'count':576,'type':'VEC3','min':[0,0,0],'max':[0,1,0],'sparse':{'count':1,"
          "'indices':{'bufferView':0,'componentType':5125},'values':{'bufferView':2}}");
    code(&c, "meshes.glb", 1.0);
    const int32_t positions = ref_index(&c.to.document, attributes_of(&c.to), "POSITION");
    const sinewi_json_value accessor = c.to.document.accessors.values[positions];
    assert_true(sinewi_json_get(&c.to.document.json, accessor, "sparse") == SINEWI_JSON_ABSENT);
    assert_true(difference(&c, "POSITION") <= 0.5 * c.meshes.step);
    end(&c);
}

// Positions that an animation also uses stay, with everything in them.
static void test_kept(void **state) {
    (void)state;
    coded c;
    build("meshes.glb", ",'extensionsUsed':['ACME_owner'],'extensions':{'ACME_owner':{'accessor':3}}", NULL);
    code(&c, "meshes.glb", 1.0);
    const int32_t positions = ref_index(&c.from.document, attributes_of(&c.from), "POSITION");
    assert_true(is_kept(&c, positions, "an unknown extension may use it"));
    assert_true(difference(&c, "POSITION") == 0.0);
    end(&c);
}

// What moves by an extension is not measured: positions and weights stay exact.
static void test_exact(void **state) {
    (void)state;
    coded c;
    build("meshes.glb", ",'extensionsUsed':['KHR_animation_pointer']", NULL);
    code(&c, "meshes.glb", 1.0);
    assert_non_null(c.meshes.exact);
    assert_true(c.meshes.step == 0.0 && c.meshes.weight_bits == 0 && c.meshes.error == 0.0);
    assert_true(difference(&c, "POSITION") == 0.0 && difference(&c, "WEIGHTS_0") == 0.0);
    assert_true(c.result.size < c.from.document.budget.bytes_read);
    end(&c);
}

// Many accessors over the same bytes: compressed, each would have its own.
static void test_overlapping(void **state) {
    (void)state;
    enum { VERTICES = 40000, ATTRIBUTES = 60 };
    static float points[3 * VERTICES];
    char attributes[32 * ATTRIBUTES] = "";
    gltf_builder b = gltf_begin();
    coded c = {.result = {.glb = NULL}};
    const int positions = gltf_floats(&b, "VEC3", VERTICES, points);
    for (int i = 0; i < ATTRIBUTES; i++) {
        const int same = gltf_raw_accessor(&b, "'bufferView':0,'componentType':5126,'count':40000,'type':'VEC3'");
        snprintf(attributes + strlen(attributes), 32, ",'_A%d':%d", i, same);
    }
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':%d%s}}]}]", positions, attributes);
    gltf_section(&b, "'nodes':[{'mesh':0}]");
    gltf_save_glb(&b, "meshes.glb");
    open_path(&c.from, "meshes.glb");
    assert_true(optimize(&c, "meshes.glb", 1.0));
    assert_null(c.meshes.model);
    assert_true(is_kept(&c, positions, "the file's accessors overlap too much"));
    ref_close(&c.from.document);
    sinewi_arena_free(&c.meshes.arena);
    optimize_end(&c.result);
}

// ---- Memory --------------------------------------------------------------------------------------------------------

// Fails each allocation once; the meshes are then not coded, or the file is the same as always.
static void test_out_of_memory(void **state) {
    (void)state;
    coded whole, c;
    int failures = 0;
    has_joints = true;
    build("meshes.glb", "", NULL);
    has_joints = false;
    code(&whole, "meshes.glb", 1.0);
    assert_int_equal(position_type(&whole.to), I16);
    memset(&c, 0, sizeof c);
    open_path(&c.from, "meshes.glb");
    for (int n = 0; n < 5000; n += TRIALS(1, 29)) {
        heap_calls = 0;
        heap_fails_at = n;
        const bool good = optimize(&c, "meshes.glb", 1.0);
        const bool all = heap_calls <= n;
        heap_fails_at = -1;
        if (good) {
            assert_int_equal(c.result.size, whole.result.size);
            assert_memory_equal(c.result.glb, whole.result.glb, whole.result.size);
        }
        failures += !good;
        optimize_end(&c.result);
        sinewi_arena_free(&c.meshes.arena);
        memset(&c.meshes, 0, sizeof c.meshes);
        if (all) break;
    }
    assert_true(failures > 10);
    ref_close(&c.from.document);
    end(&whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_promise),       cmocka_unit_test(test_targets),
        cmocka_unit_test(test_attributes),    cmocka_unit_test(test_weightless),
        cmocka_unit_test(test_merging),       cmocka_unit_test(test_unmerged),
        cmocka_unit_test(test_unused),        cmocka_unit_test(test_triangles),
        cmocka_unit_test(test_extras),        cmocka_unit_test(test_overlapping),
        cmocka_unit_test(test_kept),          cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_exact),         cmocka_unit_test(test_integers),
        cmocka_unit_test(test_shared_binds),  cmocka_unit_test(test_byte_weights),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
