// SPDX-License-Identifier: MIT
// lint --fix: fixed faults are gone, nothing moves, and everything else is unchanged.
#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier,cert-*): mkdtemp
#endif
#include "support/files.h"
#include "support/lint_fixture.h"

#include "support/folder.h"

#include "cli/cli.h"
#include "lint/lint.h"

#include <stdio.h>

#define FILE_NAME "fixture.glb"
#define FIXED     "fixed.glb"
#define AGAIN     "again.glb"

// What fixing may move anything by, as a part of the model's size; rotations as the length of the difference.
#define TOLERANCE 1e-6

// ---- The same poses ------------------------------------------------------------------------------------------------

// Both files, in the same pose.
typedef struct two_poses {
    const sinew_asset *a, *b;
    sinew_pose *pose_a, *pose_b;
    sinew_affine *model_a, *model_b;
    double size, worst;
    const char *what;
} two_poses;

static void differ(two_poses *two, double by, const char *what) {
    if (by <= two->worst) return;
    two->worst = by;
    two->what = what;
}

static double chord(sinew_quat p, sinew_quat q) {
    double plus = 0.0, minus = 0.0;
    const float a[4] = {p.x, p.y, p.z, p.w}, b[4] = {q.x, q.y, q.z, q.w};
    for (int i = 0; i < 4; i++) {
        plus += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
        minus += ((double)a[i] + b[i]) * ((double)a[i] + b[i]);
    }
    return sqrt(plus < minus ? plus : minus);
}

static double between(sinew_vec3 a, sinew_vec3 b) {
    return fmax(fabs((double)a.x - b.x), fmax(fabs((double)a.y - b.y), fabs((double)a.z - b.z)));
}

static void compare_models(two_poses *two) {
    sinew_pose_to_model(two->pose_a, two->model_a);
    sinew_pose_to_model(two->pose_b, two->model_b);
    for (int32_t i = 0; i < two->a->skeleton->node_count; i++) {
        for (int k = 0; k < 12; k++) two->size = fmax(two->size, fabs((double)two->model_a[i].m[k / 4][k % 4]));
    }
    for (int32_t i = 0; i < two->a->skeleton->node_count; i++) {
        sinew_transform a = sinew_pose_get(two->pose_a, i), b = sinew_pose_get(two->pose_b, i);
        differ(two, between(a.translation, b.translation) / two->size, "a translation");
        differ(two, chord(a.rotation, b.rotation), "a rotation");
        differ(two, between(a.scale, b.scale) / two->size, "a scale");
        for (int k = 0; k < 12; k++) {
            double off = fabs((double)two->model_a[i].m[k / 4][k % 4] - two->model_b[i].m[k / 4][k % 4]);
            differ(two, off / two->size, "a model matrix");
        }
    }
    for (int32_t i = 0; i < two->a->skeleton->weight_count; i++) {
        differ(two, fabs((double)two->pose_a->weights[i] - two->pose_b->weights[i]), "a morph weight");
    }
}

static void compare_clip(two_poses *two, int32_t index) {
    const sinew_clip *a = &two->a->clips[index], *b = &two->b->clips[index];
    assert_string_equal(a->name, b->name);
    assert_true(a->duration == b->duration);
    uint64_t state = 7;
    for (int i = 0; i <= 60; i++) {
        float time = i <= 30 ? a->duration * (float)i / 30.0f : random_float(&state, -0.1f, 1.1f) * a->duration;
        sinew_clip_sample(a, fmaxf(time, 0.0f), two->pose_a);
        sinew_clip_sample(b, fmaxf(time, 0.0f), two->pose_b);
        compare_models(two);
    }
}

static void compare_primitives(two_poses *two, const sinew_primitive *a, const sinew_primitive *b) {
    size_t vertices = (size_t)a->vertex_count, influences = vertices * (size_t)a->influences;
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_int_equal(a->influences, b->influences);
    assert_int_equal(a->index_count, b->index_count);
    assert_int_equal(a->material, b->material);
    assert_int_equal(a->target_count, b->target_count);
    if (vertices > 0) assert_memory_equal(a->positions, b->positions, vertices * 3 * sizeof(float));
    if (a->normals) assert_memory_equal(a->normals, b->normals, vertices * 3 * sizeof(float));
    if (a->uvs) assert_memory_equal(a->uvs, b->uvs, vertices * 2 * sizeof(float));
    if (a->index_count > 0) assert_memory_equal(a->indices, b->indices, (size_t)a->index_count * sizeof(uint32_t));
    for (int32_t t = 0; t < a->target_count; t++) {
        if (!a->target_positions[t]) continue;
        assert_memory_equal(a->target_positions[t], b->target_positions[t], vertices * 3 * sizeof(float));
    }
    for (size_t i = 0; i < influences; i++) {
        differ(two, fabs((double)a->weights[i] - b->weights[i]), "a weight");
        assert_int_equal(a->joints[i], b->joints[i]);
    }
}

static void compare_meshes(two_poses *two) {
    assert_int_equal(two->a->mesh_count, two->b->mesh_count);
    assert_int_equal(two->a->material_count, two->b->material_count);
    assert_int_equal(two->a->image_count, two->b->image_count);
    for (int32_t m = 0; m < two->a->mesh_count; m++) {
        assert_string_equal(two->a->meshes[m].name, two->b->meshes[m].name);
        for (int32_t p = 0; p < two->a->meshes[m].primitive_count; p++) {
            compare_primitives(two, &two->a->meshes[m].primitives[p], &two->b->meshes[m].primitives[p]);
        }
    }
    for (int32_t i = 0; i < two->a->image_count; i++) {
        const sinew_image *a = &two->a->images[i], *b = &two->b->images[i];
        if (a->size != b->size || b->size == 0) continue; // one beside the file, which is elsewhere now
        assert_memory_equal(a->bytes, b->bytes, a->size);
    }
}

static void compare_skins(two_poses *two) {
    assert_int_equal(two->a->skin_count, two->b->skin_count);
    for (int32_t i = 0; i < two->a->skin_count; i++) {
        const sinew_skin *a = &two->a->skins[i], *b = &two->b->skins[i];
        assert_int_equal(a->joint_count, b->joint_count);
        for (int32_t k = 0; k < a->joint_count; k++) assert_int_equal(a->joints[k], b->joints[k]);
        assert_memory_equal(a->inverse_binds, b->inverse_binds, (size_t)a->joint_count * sizeof *a->inverse_binds);
    }
}

static sinew_asset *load(const char *path) {
    sinew_gltf_options options = sinew_gltf_default();
    options.meshopt_decode = cli_decode_meshopt;
    return load_gltf(path, &options);
}

// Every node at rest and in 61 moments of every clip, every skin and every vertex.
static void expect_same(const char *a, const char *b) {
    sinew_asset *first = load(a), *second = load(b);
    two_poses two = {.a = first, .b = second, .size = 1.0};
    size_t nodes = (size_t)first->skeleton->node_count;
    assert_int_equal(first->skeleton->node_count, second->skeleton->node_count);
    assert_int_equal(first->clip_count, second->clip_count);
    two.model_a = calloc(nodes + 1, sizeof *two.model_a);
    two.model_b = calloc(nodes + 1, sizeof *two.model_b);
    assert_int_equal(sinew_pose_create(first->skeleton, NULL, &two.pose_a), SINEW_OK);
    assert_int_equal(sinew_pose_create(second->skeleton, NULL, &two.pose_b), SINEW_OK);
    for (size_t i = 0; i < nodes; i++) {
        assert_string_equal(first->skeleton->names[i], second->skeleton->names[i]);
        assert_int_equal(first->skeleton->source_of_node[i], second->skeleton->source_of_node[i]);
    }
    compare_models(&two);
    for (int32_t i = 0; i < first->clip_count; i++) compare_clip(&two, i);
    compare_skins(&two);
    compare_meshes(&two);
    if (two.worst > TOLERANCE) fail_msg("%s: %s is off by %g", a, two.what, two.worst);
    sinew_pose_destroy(two.pose_a);
    sinew_pose_destroy(two.pose_b);
    free(two.model_a);
    free(two.model_b);
    sinew_asset_destroy(first);
    sinew_asset_destroy(second);
}

// ---- Fixing --------------------------------------------------------------------------------------------------------

static int32_t fix(const char *from, const char *to, lint_rule_id rule) {
    lint_fixed fixed;
    if (!lint_fix(&fixed, from, cli_decode_meshopt, NULL)) fail_msg("%s: %s", from, fixed.error);
    write_bytes(to, fixed.glb, fixed.size);
    int32_t count = fixed.of_rule[rule];
    lint_fixed_end(&fixed);
    return count;
}

static int32_t count_of(const char *path, lint_rule_id rule) {
    lint_report report;
    if (!lint_file(&report, path, cli_decode_meshopt, NULL)) fail_msg("%s", report.error);
    int32_t count = report.of_rule[rule];
    lint_end(&report);
    return count;
}

static void expect_same_bytes(const char *a, const char *b) {
    size_t a_size, b_size;
    char *x = read_bytes(a, &a_size), *y = read_bytes(b, &b_size);
    assert_int_equal(a_size, b_size);
    assert_memory_equal(x, y, a_size);
    free(x);
    free(y);
}

// Fixing changes no pose, and fixing a fixed file changes nothing.
static void expect_fixed(const lint_fixture *p, lint_rule_id rule, int32_t left) {
    lint_fixture_write(p, FILE_NAME);
    assert_true(count_of(FILE_NAME, rule) > 0);
    assert_true(fix(FILE_NAME, FIXED, rule) > 0);
    assert_int_equal(count_of(FIXED, rule), left);
    expect_same(FILE_NAME, FIXED);
    fix(FIXED, AGAIN, rule);
    expect_same_bytes(FIXED, AGAIN);
}

static void negate(float *q) {
    for (int i = 0; i < 4; i++) q[i] = -q[i];
}

static void test_good(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    lint_fixture_write(&p, FILE_NAME);
    fix(FILE_NAME, FIXED, LINT_REFUSED);
    expect_same(FILE_NAME, FIXED);
    expect_same_bytes(FILE_NAME, FIXED); // there was nothing to do
}

static void test_flips(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    for (int k = 3; k < 8; k++) negate(p.turns[k]);
    expect_fixed(&p, LINT_ROTATION_FLIP, 0);
    // Half turns after a flip: the signs of the file choose their side.
    p = lint_fixture_clean();
    negate(p.turns[3]);
    memcpy(p.turns[4], (float[4]){0, 1, 0, 0}, sizeof p.turns[4]);
    expect_fixed(&p, LINT_ROTATION_FLIP, 0);
}

static void test_lengths(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    for (int i = 0; i < 4 * p.turn_keys; i++) p.turns[i / 4][i % 4] *= 1.5f;
    expect_fixed(&p, LINT_ROTATION_NOT_UNIT, 0);
    p = lint_fixture_clean();
    p.interpolation = "STEP";
    for (int i = 0; i < 4; i++) p.turns[3][i] *= 1.5f;
    expect_fixed(&p, LINT_ROTATION_NOT_UNIT, 0);
    p = lint_fixture_clean();
    p.hip = "'name':'Hip','rotation':[0,0,0.6,1.8]";
    expect_fixed(&p, LINT_ROTATION_NOT_UNIT, 0);
}

// The first sampler of a file as a player evaluates it that normalises after it interpolates.
static void late_rotation(ref_document *document, double time, double out[4]) {
    ref_list samplers = ref_elements(document, document->animations.values[0], "samplers");
    ref_accessor times, keys;
    assert_true(ref_read_accessor(document, ref_index(document, samplers.values[0], "input"), &times));
    assert_true(ref_read_accessor(document, ref_index(document, samplers.values[0], "output"), &keys));
    int32_t k = 0;
    while (k + 2 < times.count && times.values[k + 1] <= time) k++;
    double u = fmin(1.0, fmax(0.0, (time - times.values[k]) / (times.values[k + 1] - times.values[k])));
    const double *a = keys.values + 4 * (size_t)k, *b = a + 4;
    double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3], sign = dot < 0.0 ? -1.0 : 1.0, square = 0.0;
    double angle = acos(fmin(1.0, fabs(dot) / sqrt((a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]) *
                                                   (b[0] * b[0] + b[1] * b[1] + b[2] * b[2] + b[3] * b[3]))));
    for (int i = 0; i < 4; i++) {
        out[i] = angle < 1e-9 ? (1.0 - u) * a[i] + sign * u * b[i]
                              : (sin((1.0 - u) * angle) * a[i] + sign * sin(u * angle) * b[i]) / sin(angle);
        square += out[i] * out[i];
    }
    for (int i = 0; i < 4; i++) out[i] /= sqrt(square);
}

static void expect_same_late(const char *before, const char *after, double end) {
    ref_document a, b;
    assert_true(ref_open(&a, before, NULL, NULL));
    assert_true(ref_open(&b, after, NULL, NULL));
    for (int i = 0; i <= 200; i++) {
        double p[4], q[4], dot = 0.0;
        late_rotation(&a, end * i / 200.0, p);
        late_rotation(&b, end * i / 200.0, q);
        for (int k = 0; k < 4; k++) dot += p[k] * q[k];
        for (int k = 0; k < 4; k++)
            check_near(p[k], dot < 0.0 ? -q[k] : q[k], 5e-7); // half: a rotation is twice that
    }
    ref_close(&a);
    ref_close(&b);
}

static void test_uneven_lengths(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    for (int i = 0; i < 4; i++) p.turns[3][i] *= 1.001f;
    lint_fixture_write(&p, FILE_NAME);
    assert_int_equal(count_of(FILE_NAME, LINT_ROTATION_NOT_UNIT), 1);
    assert_int_equal(fix(FILE_NAME, FIXED, LINT_ROTATION_NOT_UNIT), 0);
    expect_same_late(FILE_NAME, FIXED, 1.125);
    p = lint_fixture_clean();
    for (int i = 0; i < 4 * p.turn_keys; i++) p.turns[i / 4][i % 4] *= 1.001f;
    lint_fixture_write(&p, FILE_NAME);
    assert_true(fix(FILE_NAME, FIXED, LINT_ROTATION_NOT_UNIT) > 0);
    expect_same_late(FILE_NAME, FIXED, 1.125);
    // Keys that a player which normalises first could do without: half of the rotation is at 0.5 s.
    p = lint_fixture_clean();
    for (int k = 0; k < p.turn_keys; k++) {
        sinew_quat q = about_x(0.2 * k);
        float length = k % 2 ? 1.01f : 1.0f;
        p.turns[k][0] = length * q.x, p.turns[k][1] = 0, p.turns[k][2] = 0, p.turns[k][3] = length * q.w;
    }
    lint_fixture_write(&p, FILE_NAME);
    fix(FILE_NAME, FIXED, LINT_KEYS_DENSE);
    expect_same_late(FILE_NAME, FIXED, 1.125);
}

static void test_simple_skin(void **state) {
    (void)state;
    char path[1024];
    snprintf(path, sizeof path, "%s/bevy/SimpleSkin.gltf", other_peoples_files());
    fix(path, FIXED, LINT_ROTATION_NOT_UNIT);
    expect_same_late(path, FIXED, 5.5);
}

static void test_single_splines(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.interpolation = "CUBICSPLINE";
    p.own_times = true;
    p.turn_keys = 1;
    static const float key[3][4] = {{9, 9, 9, 9}, {0.6f, 0, 0, 0.8f}, {7, 7, 7, 7}};
    memcpy(p.turns, key, sizeof key);
    expect_fixed(&p, LINT_SPLINE_SINGLE_KEY, 0);
}

static void test_redundant(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.hip = "'name':'Hip','translation':[3,0.25,0]";
    for (int k = 0; k < p.move_keys; k++) p.moves[k][0] = 3.0f;
    expect_fixed(&p, LINT_TRACK_REDUNDANT, 0);
    // It says how long the clip is: two keys of it stay.
    p.own_times = true;
    for (int k = 0; k < p.move_keys; k++) p.move_times[k] *= 2.0f;
    expect_fixed(&p, LINT_TRACK_CONSTANT, 0);
}

// What stood before what is left is gone, with its comma, and what is left has another number.
static void test_first_goes(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    for (int k = 0; k < p.turn_keys; k++) memcpy(p.turns[k], (float[4]){0, 0, 0, -1}, sizeof p.turns[k]);
    expect_fixed(&p, LINT_TRACK_REDUNDANT, 0);
    ref_document document;
    assert_true(ref_open(&document, FIXED, NULL, NULL));
    ref_list channels = ref_elements(&document, document.animations.values[0], "channels");
    assert_int_equal(channels.count, 1);
    assert_int_equal(ref_index(&document, channels.values[0], "sampler"), 0);
    assert_int_equal(ref_elements(&document, document.animations.values[0], "samplers").count, 1);
    ref_close(&document);
}

// The later channel is not heard, and would be if the first were taken out.
static void test_redundant_before_another(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.hip = "'name':'Hip','translation':[3,0.25,0]";
    p.copy_of_moves = true;
    p.samplers = ",{'input':4,'output':8}";
    p.channels = ",{'sampler':2,'target':{'node':1,'path':'translation'}}";
    for (int k = 0; k < p.move_keys; k++) p.moves[k][0] = 3.0f;
    lint_fixture_write(&p, FILE_NAME);
    fix(FILE_NAME, FIXED, LINT_TRACK_REDUNDANT);
    assert_int_equal(count_of(FIXED, LINT_CHANNEL_REPEATED), 1);
    expect_same(FILE_NAME, FIXED);
}

static void test_constant(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    for (int k = 0; k < p.move_keys; k++) p.moves[k][0] = 3.0f;
    expect_fixed(&p, LINT_TRACK_CONSTANT, 0);
}

static void test_duplicates(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.clips = ",{'name':'Again','samplers':[{'input':4,'output':8}],"
              "'channels':[{'sampler':0,'target':{'node':1,'path':'translation'}}]}";
    p.copy_of_moves = true;
    expect_fixed(&p, LINT_TRACK_DUPLICATE, 0);
    p = lint_fixture_with_keys(FIXTURE_KEYS);
    p.own_times = true;
    expect_fixed(&p, LINT_TIMES_DUPLICATE, 0);
}

// Ten equal keys become two, and the file has just these two already.
static void test_what_is_there_already(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    static const float two_times[2] = {0.0f, 0.9f}, two_values[2][3] = {{3, 2, 1}, {3, 2, 1}};
    float times[10], values[10][3];
    for (int k = 0; k < 10; k++) {
        times[k] = k < 9 ? 0.1f * (float)k : 0.9f;
        memcpy(values[k], two_values[0], sizeof values[k]);
    }
    static const char *const time_format =
        "'bufferView':%d,'componentType':5126,'type':'SCALAR','count':%d,'min':[0],'max':[%.9g]";
    gltf_raw_accessor(&b, time_format, gltf_view(&b, times, sizeof times, 0), 10, times[9]);
    gltf_floats(&b, "VEC3", 10, &values[0][0]);
    gltf_raw_accessor(&b, time_format, gltf_view(&b, two_times, sizeof two_times, 0), 2, two_times[1]);
    gltf_floats(&b, "VEC3", 2, &two_values[0][0]);
    gltf_section(&b, "'nodes':[{'name':'A'},{'name':'B'}],'scenes':[{'nodes':[0,1]}]");
    gltf_section(&b, "'animations':[{'name':'Stand','samplers':[{'input':0,'output':1},{'input':2,'output':3}],"
                     "'channels':[{'sampler':0,'target':{'node':0,'path':'translation'}},"
                     "{'sampler':1,'target':{'node':1,'path':'translation'}}]}]");
    gltf_save_glb(&b, FILE_NAME);
    assert_int_equal(fix(FILE_NAME, FIXED, LINT_TRACK_CONSTANT), 1);
    expect_same(FILE_NAME, FIXED);
    ref_document document;
    assert_true(ref_open(&document, FIXED, NULL, NULL));
    assert_int_equal(document.accessors.count, 2);
    assert_int_equal(document.views.count, 2);
    ref_close(&document);
}

// Unused bytes are removed, and everything stays aligned, also in sparse accessors.
static void test_gaps(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    struct {
        uint8_t odd[5], gap[15];
        float corners[9];
        uint8_t second_gap[20];
        float moved[3];
    } all = {{1, 2, 3, 4, 5}, {0}, {0}, {0}, {7, 8, 9}};
    memcpy(all.corners, corners, sizeof corners);
    static const uint16_t index[3] = {9, 9, 1};
    int view = gltf_view(&b, &all, sizeof all, 0), indices = gltf_view(&b, index, sizeof index, 0);
    gltf_raw_accessor(&b,
                      "'bufferView':%d,'byteOffset':20,'componentType':5126,'type':'VEC3','count':3,"
                      "'min':[0,0,0],'max':[7,8,9],'sparse':{'count':1,'indices':{'bufferView':%d,'byteOffset':4,"
                      "'componentType':5123},'values':{'bufferView':%d,'byteOffset':76}}",
                      view, indices, view);
    gltf_raw_accessor(
        &b, "'bufferView':%d,'byteOffset':0e0,'componentType':5121,'type':'SCALAR','count':5,'extras':{}", view);
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],'nodes':[{'mesh':0}]");
    gltf_save_glb(&b, FILE_NAME);
    fix(FILE_NAME, FIXED, LINT_UNUSED_DATA);
    expect_same(FILE_NAME, FIXED);
    ref_document document;
    assert_true(ref_open(&document, FIXED, NULL, NULL));
    assert_int_equal(document.view_bytes[0].size, 8 + 36 + 12);
    assert_int_equal(document.view_bytes[1].size, 2);
    assert_int_equal(ref_index(&document, document.accessors.values[0], "byteOffset"), 8);
    char *text = json_quotes("'byteOffset':0e0"); // a number that stays is written as it was
    check_contains(document.text, text);
    free(text);
    ref_close(&document);
    fix(FIXED, AGAIN, LINT_UNUSED_DATA);
    expect_same_bytes(FIXED, AGAIN);
}

// A straight line of many keys, with one bend, and one key that is off by more than rounding.
static void test_dense(void **state) {
    (void)state;
    enum { KEYS = 1000 };
    gltf_builder b = gltf_begin();
    float times[KEYS], values[KEYS][3];
    for (int k = 0; k < KEYS; k++) {
        times[k] = (float)k / 30.0f;
        values[k][0] = k < 250 ? (float)k : (float)(500 - k); // longer than what is looked at in one go
        values[k][1] = k == 100 ? 1e-3f : 0.0f;
        values[k][2] = 7.0f;
    }
    gltf_raw_accessor(&b, "'bufferView':%d,'componentType':5126,'type':'SCALAR','count':%d,'min':[0],'max':[%.9g]",
                      gltf_view(&b, times, sizeof times, 0), KEYS, times[KEYS - 1]);
    gltf_floats(&b, "VEC3", KEYS, &values[0][0]);
    gltf_section(&b, "'nodes':[{'name':'Sled'}],'scenes':[{'nodes':[0]}]");
    gltf_section(&b, "'animations':[{'name':'Slide','samplers':[{'input':0,'output':1}],"
                     "'channels':[{'sampler':0,'target':{'node':0,'path':'translation'}}]}]");
    gltf_save_glb(&b, FILE_NAME);
    assert_int_equal(count_of(FILE_NAME, LINT_KEYS_DENSE), 1);
    assert_int_equal(fix(FILE_NAME, FIXED, LINT_KEYS_DENSE), 1);
    expect_same(FILE_NAME, FIXED);
    sinew_asset *asset = load(FIXED);
    assert_int_equal(asset->clips[0].timelines[0].key_count, 6); // the ends, the bend, 99, 100 and 101
    sinew_asset_destroy(asset);
    fix(FIXED, AGAIN, LINT_KEYS_DENSE);
    expect_same_bytes(FIXED, AGAIN);
}

static void test_weights(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.weights[1][0] = 0.5f;
    p.weights[1][2] = -0.25f;
    expect_fixed(&p, LINT_WEIGHTS_SUM, 0);
    p.has_second = true;
    p.second_weights[1][1] = 2.0f;
    expect_fixed(&p, LINT_WEIGHTS_SUM, 0);
    p.weights[2][1] = 0.0f; // without any weight: it follows the first joint, as it was played
    expect_fixed(&p, LINT_WEIGHTS_SUM, 0);
}

// Catches weights that stay NaN, and a weightless vertex that gets weight 1 for another joint than the skin's first.
static void test_weights_that_are_not_finite(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.weights[0][0] = NAN;
    p.weights[2][1] = INFINITY;
    expect_fixed(&p, LINT_WEIGHTS_NOT_FINITE, 0);
    assert_int_equal(count_of(FIXED, LINT_WEIGHTS_SUM), 0);
    p.has_second = true;
    p.second_weights[1][3] = NAN;
    expect_fixed(&p, LINT_WEIGHTS_NOT_FINITE, 0);
    assert_int_equal(count_of(FIXED, LINT_WEIGHTS_SUM), 0);
    p.has_second = false;
    memset(p.vertex_joints[2], 1, sizeof p.vertex_joints[2]); // not one of them is the skin's first joint
    expect_fixed(&p, LINT_WEIGHTS_NOT_FINITE, 0);
    assert_int_equal(count_of(FIXED, LINT_WEIGHTS_SUM), 1);
}

static void test_unused(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.accessor = "'bufferView':0,'componentType':5126,'type':'VEC3','count':3";
    expect_fixed(&p, LINT_UNUSED_DATA, 0);
    p = lint_fixture_clean();
    p.samplers = ",{'input':4,'output':8}";
    p.copy_of_moves = true;
    expect_fixed(&p, LINT_UNUSED_SAMPLER, 0);
    static const uint8_t spare[100] = {1};
    p = lint_fixture_clean();
    p.spare = spare;
    p.spare_size = sizeof spare;
    lint_fixture_write(&p, FILE_NAME);
    fix(FILE_NAME, FIXED, LINT_UNUSED_DATA);
    assert_int_equal(count_of(FIXED, LINT_UNUSED_DATA), 0);
    expect_same(FILE_NAME, FIXED);
}

// Only the second attribute of an interleaved view is used. The view keeps whole strides, in step with them: three.js
// needs the bytes after the last element.
static void test_strides_stay_whole(void **state) {
    (void)state;
    static const char text[] =
        "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0}],"
        "'meshes':[{'primitives':[{'attributes':{'POSITION':1},'mode':0}]}],"
        "'accessors':[{'bufferView':0,'componentType':5126,'type':'VEC3','count':3},"
        "{'bufferView':0,'byteOffset':12,'componentType':5126,'type':'VEC3','count':3,'min':[0,0,0],'max':[0,0,0]}]"
        ","
        "'bufferViews':[{'buffer':0,'byteOffset':0,'byteLength':136,'byteStride':28,'target':34962}],"
        "'buffers':[{'byteLength':136,'uri':'strides.bin'}]}";
    static const uint8_t zeros[136] = {0};
    char *json = json_quotes(text);
    write_bytes("strides.bin", zeros, sizeof zeros);
    write_bytes("strides.gltf", json, strlen(json));
    free(json);
    fix("strides.gltf", FIXED, LINT_UNUSED_DATA);
    ref_document document;
    assert_true(ref_open(&document, FIXED, NULL, NULL));
    assert_int_equal(document.accessors.count, 1);
    const size_t offset = (size_t)ref_number(&document, document.accessors.values[0], "byteOffset", 0.0);
    assert_int_equal(document.view_strides[0], 28);
    assert_true(offset % 28 + 12 <= 28);
    assert_true(offset / 28 * 28 + (size_t)3 * 28 <= document.view_bytes[0].size);
    assert_true(document.view_bytes[0].size < sizeof zeros);
    ref_close(&document);
}

// ---- What is left alone --------------------------------------------------------------------------------------------

static const char *json_of(const char *glb) {
    return glb + 20;
}

// Extras, members that nobody knows and numbers as they were written, also beside what is fixed.
static void test_everything_else_stays(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    for (int k = 3; k < 8; k++) negate(p.turns[k]);
    p.own_times = true; // the same times: samplers[1] must refer to the others
    p.hip = "'name':'H\\u00fcfte','extras':{'id':1.50e+0, 'tags':[ 'a' , {'x':null} "
            "]},'extensions':{'KHR_xmp':{'a':-0}}";
    p.clip = "'name':'Bend','extras':{'fps': 30.000}";
    p.sections = "'extras':{'tool':'ours \\\\ \\/','rooms':[3,1,2]},'unheard_of':[ 1.0, {'deep':[true]} ],"
                 "'extensionsUsed':['KHR_xmp']";
    lint_fixture_write(&p, FILE_NAME);
    assert_int_equal(fix(FILE_NAME, FIXED, LINT_ROTATION_FLIP), 1);
    const char *const kept[] = {p.hip, p.clip, p.sections};
    size_t size;
    char *glb = read_bytes(FIXED, &size);
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        char *text = json_quotes(kept[i]);
        check_contains(json_of(glb), text);
        free(text);
    }
    free(glb);
    expect_same(FILE_NAME, FIXED);
}

// A copy of an accessor with other content keeps what people wrote into it.
static void test_copies_keep_extras(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.copy_of_moves = true;
    for (int k = 0; k < p.move_keys; k++) p.moves[k][0] = 3.0f;
    p.accessor = "'bufferView':7,'componentType':5126,'type':'VEC3','count':10,'name':'mine','extras':{'by': 'me'}";
    p.clips = ",{'name':'Again','samplers':[{'input':4,'output':9}],"
              "'channels':[{'sampler':0,'target':{'node':1,'path':'translation'}}]}";
    lint_fixture_write(&p, FILE_NAME);
    fix(FILE_NAME, FIXED, LINT_TRACK_CONSTANT);
    size_t size;
    char *glb = read_bytes(FIXED, &size);
    char *text = json_quotes("'extras':{'by': 'me'}");
    check_contains(json_of(glb), text);
    free(text);
    free(glb);
    expect_same(FILE_NAME, FIXED);
}

// An unknown extension may refer to any accessor by index, so none is removed or renumbered.
static void test_unknown_extension(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.accessor = "'bufferView':0,'componentType':5126,'type':'VEC3','count':3,'name':'hers'";
    p.sections = "'extensionsUsed':['EXT_hers'],'extensions':{'EXT_hers':{'accessor':8,'view':7}}";
    for (int k = 3; k < 8; k++) negate(p.turns[k]);
    for (int k = 0; k < p.move_keys; k++) p.moves[k][0] = 3.0f;
    lint_fixture_write(&p, FILE_NAME);
    lint_fixed fixed;
    assert_true(lint_fix(&fixed, FILE_NAME, NULL, NULL));
    assert_string_equal(fixed.kept_for, "EXT_hers");
    assert_int_equal(fixed.of_rule[LINT_ROTATION_FLIP], 1);
    assert_int_equal(fixed.of_rule[LINT_TRACK_CONSTANT], 0);
    write_bytes(FIXED, fixed.glb, fixed.size);
    lint_fixed_end(&fixed);
    ref_document document;
    assert_true(ref_open(&document, FIXED, NULL, NULL));
    assert_int_equal(document.accessors.count, 10); // nine, and the new keys
    assert_string_equal(ref_string(&document, document.accessors.values[8], "name"), "hers");
    ref_close(&document);
    expect_same(FILE_NAME, FIXED);
}

// Buffers beside the file come inside; an image beside it stays where it is.
static void test_outside(void **state) {
    (void)state;
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    write_bytes("corners.bin", corners, sizeof corners);
    write_bytes("paint.png", "no picture", 10);
    char *text = json_quotes(
        "{'asset':{'version':'2.0'},'buffers':[{'byteLength':0,'name':'empty'},"
        "{'byteLength':36,'uri':'corners.bin','name':'mine'}],'bufferViews':[{'buffer':1,'byteLength':36}],"
        "'accessors':[{'bufferView':0,'componentType':5126,'type':'VEC3','count':3,'min':[0,0,0],'max':[1,1,0]}],"
        "'images':[{'uri':'paint.png'}],'textures':[{'source':0}],"
        "'materials':[{'pbrMetallicRoughness':{'baseColorTexture':{'index':0}}}],"
        "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'material':0}]}],'nodes':[{'mesh':0}]}");
    write_bytes("outside.gltf", text, strlen(text));
    free(text);
    lint_fixed fixed;
    size_t size;
    assert_true(lint_fix(&fixed, "outside.gltf", NULL, NULL));
    free(read_bytes("outside.gltf", &size));
    assert_int_equal(fixed.size_before, size + sizeof corners);
    write_bytes(FIXED, fixed.glb, fixed.size);
    lint_fixed_end(&fixed);
    expect_same("outside.gltf", FIXED);
    ref_document document;
    assert_true(ref_open(&document, FIXED, NULL, NULL));
    assert_true(document.binary);
    assert_int_equal(document.bin.size, 36);
    assert_string_equal(ref_string(&document, document.images.values[0], "uri"), "paint.png");
    assert_string_equal(ref_string(&document, document.buffers.values[0], "name"), "mine");
    assert_string_equal(ref_string(&document, document.buffers.values[0], "uri"), "");
    ref_close(&document);
}

static void test_refused(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.turn_times[3] = 0.1875f;
    lint_fixture_write(&p, FILE_NAME);
    lint_fixed fixed;
    assert_false(lint_fix(&fixed, FILE_NAME, NULL, NULL));
    check_contains(fixed.error, "animations[0].samplers[0].input");
    assert_null(fixed.glb);
    lint_fixed_end(&fixed);
}

// ---- Whole files ---------------------------------------------------------------------------------------------------

static int fixed_files;

static void fix_and_compare(const char *path) {
    fix(path, FIXED, LINT_REFUSED);
    expect_same(path, FIXED);
    fix(FIXED, AGAIN, LINT_REFUSED);
    expect_same_bytes(FIXED, AGAIN);
    fixed_files++;
}

static void test_models(void **state) {
    (void)state;
    fix_and_compare(SINEW_MODELS "/hero.glb");
    fix_and_compare(SINEW_MODELS "/sword.glb");
    fix_and_compare(SINEW_MODELS "/windmill.glb");
}

static void test_assets(void **state) {
    (void)state;
    const char *assets = other_peoples_files();
    fixed_files = 0;
    for_each_file(assets, ".glb .gltf", fix_and_compare);
    print_message("%s: %d files fixed\n", assets, fixed_files);
    assert_true(fixed_files > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_flips),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_uneven_lengths),
        cmocka_unit_test(test_simple_skin),
        cmocka_unit_test(test_single_splines),
        cmocka_unit_test(test_redundant),
        cmocka_unit_test(test_first_goes),
        cmocka_unit_test(test_redundant_before_another),
        cmocka_unit_test(test_constant),
        cmocka_unit_test(test_duplicates),
        cmocka_unit_test(test_what_is_there_already),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_dense),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_weights_that_are_not_finite),
        cmocka_unit_test(test_unused),
        cmocka_unit_test(test_strides_stay_whole),
        cmocka_unit_test(test_everything_else_stays),
        cmocka_unit_test(test_copies_keep_extras),
        cmocka_unit_test(test_unknown_extension),
        cmocka_unit_test(test_outside),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_assets),
    };
    enter_folder("sinew-lint-fix");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
