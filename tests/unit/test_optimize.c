// SPDX-License-Identifier: MIT
// Optimized files: they keep the promise at times and vertices that the optimizer didn't choose. Everything else
// stays the same, and every allocation may fail.
#include "support/displacement.h"
#include "support/failing_heap.h"
#include "support/gltf_builder.h"
#include "cli/cli.h"
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

static void open_bytes(file *f, const optimize_result *result) {
    if (!ref_open_bytes(&f->document, "optimized.glb", result->glb, result->size, cli_decode_meshopt, NULL) ||
        !ref_read_model(&f->document, &f->model))
        fail_msg("%s", f->document.error);
}

static optimize_def def_of(const char *path, file *f, double millimetres) {
    return (optimize_def){.path = path,
                          .document = &f->document,
                          .model = &f->model,
                          .error = millimetres / 1800.0,
                          .mark = OPTIMIZE_MARK "1 mm",
                          .decode = cli_decode_meshopt};
}

static uint32_t seed = 7;

static double random_number(void) {
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / 16777216.0;
}

static double key_count(const file *f) {
    double keys = 0.0;
    for (int32_t a = 0; a < f->model.animation_count; a++) {
        for (int32_t c = 0; c < f->model.animations[a].channel_count; c++)
            keys += f->model.animations[a].channels[c].key_count;
    }
    return keys;
}

// Every key time of B is one of A's channel of that target.
static void check_times(const ref_animation *a, const ref_animation *b) {
    for (int32_t c = 0; c < b->channel_count; c++) {
        const ref_channel *to = &b->channels[c], *from = a->channels;
        while (from->node != to->node || from->path != to->path) from++;
        for (int32_t k = 0, i = 0; k < to->key_count; k++, i++) {
            while (i < from->key_count && from->times[i] < to->times[k]) i++;
            assert_true(i < from->key_count && from->times[i] == to->times[k]);
        }
    }
}

static void check_model(const char *path, double millimetres, optimize_extension extension) {
    file a, b;
    optimize_result result;
    open_path(&a, path);
    optimize_def def = def_of(path, &a, millimetres);
    def.extension = extension;
    if (!optimize_file(&result, &def)) fail_msg("%s", result.error);
    open_bytes(&b, &result);
    assert_true(key_count(&b) <= key_count(&a));
    assert_int_equal(b.model.animation_count, a.model.animation_count);
    assert_true(result.size < a.document.budget.bytes_read ||
                a.document.budget.bytes_read < 4000); // those built here
    const bool used = sinewi_json_get(&b.document.json, 0, "extensionsRequired") != SINEWI_JSON_ABSENT;
    assert_true(!used || extension != OPTIMIZE_PLAIN);
    const ref_model *models[2] = {&a.model, &b.model};
    compare_body body;
    sinewi_arena arena;
    sinewi_arena_init(&arena, NULL);
    assert_true(compare_match(&body, &arena, &a.model, &b.model));
    const double allowed = millimetres / 1800.0 * body.size;
    for (int32_t i = 0; i < a.model.animation_count; i++) {
        double from[2], to[2];
        compare_span(&a.model.animations[i], from);
        compare_span(&b.model.animations[i], to);
        assert_true(from[0] == to[0] && from[1] == to[1]);
        assert_string_equal(a.model.animations[i].name, b.model.animations[i].name);
        check_times(&a.model.animations[i], &b.model.animations[i]);
        for (int k = 0; k < 8; k++) {
            sinewi_arena scratch;
            sinewi_arena_init(&scratch, NULL);
            const double time = from[0] + (from[1] - from[0]) * random_number();
            const double found = displacement_at(models, i, time, &scratch);
            if (!(found <= allowed)) fail_msg("%s, clip %d, %.9g s: %.9g > %.9g", path, i, time, found, allowed);
            sinewi_arena_free(&scratch);
        }
    }
    sinewi_arena_free(&arena);
    ref_close(&b.document);
    ref_close(&a.document);
    optimize_end(&result);
}

static void test_promise(void **state) {
    (void)state;
    check_model(SINEW_MODELS "/hero.glb", 1.0, OPTIMIZE_EXT);
    check_model(SINEW_MODELS "/windmill.glb", 0.1, OPTIMIZE_KHR);
    check_model(SINEW_MODELS "/windmill.glb", 5.0, OPTIMIZE_PLAIN);
}

// ---- Built files -------------------------------------------------------------------------------------------------

#define TURN(degrees) 0, 0, sinf((float)((degrees)*PI / 360)), cosf((float)((degrees)*PI / 360))

// A mesh of the size 1 on a node that turns by 40 degrees, and in "still" by what moves a point by 0.3 mm of 1.8 m.
// `channel` is added to a channel of the first clip.
static void build(const char *path, const char *channel) {
    static const float points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, times[] = {0, 0.5f, 1, 1.5f, 2};
    const float turn[] = {TURN(0), TURN(10), TURN(20), TURN(30), TURN(40)};
    const float still[] = {TURN(0), TURN(0.01), TURN(0), TURN(0.01), TURN(0)};
    gltf_builder b = gltf_begin();
    const int positions = gltf_floats(&b, "VEC3", 3, points), input = gltf_floats(&b, "SCALAR", 5, times);
    const int turned = gltf_floats(&b, "VEC4", 5, turn), nearly = gltf_floats(&b, "VEC4", 5, still);
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':%d}}]}]", positions);
    gltf_section(&b, "'nodes':[{'name':'root','children':[1],'extras':{'a':1}},{'name':'arm','mesh':0}]");
    gltf_section(
        &b,
        "'animations':[{'name':'turn','samplers':[{'input':%d,'output':%d}],'channels':[{'sampler':0,'target':"
        "{'node':1,'path':'rotation'}%s}],'extras':{'markers':[{'name':'hit','time':0.5}]}},"
        "{'name':'still','samplers':[{'input':%d,'output':%d}],'channels':[{'sampler':0,'target':{'node':1,"
        "'path':'rotation'}},{'sampler':0,'target':{'node':0,'path':'rotation'}}]}]",
        input, turned, channel, input, nearly);
    gltf_save_glb(&b, path);
}

// Five keys of a constant turn become two; of a clip that hardly moves one track stays, for the duration.
static void test_tracks(void **state) {
    (void)state;
    file a, b;
    optimize_result result;
    build("optimize.glb", "");
    open_path(&a, "optimize.glb");
    const optimize_def def = def_of("optimize.glb", &a, 1.0);
    assert_true(optimize_file(&result, &def));
    open_bytes(&b, &result);
    assert_int_equal(b.model.animations[0].channel_count, 1);
    assert_int_equal(b.model.animations[1].channel_count, 1);
    assert_int_equal(b.model.animations[1].channels[0].key_count, 2);
    assert_true(b.model.animations[1].channels[0].times[1] == 2.0);
    assert_int_equal(result.clips[1].tracks, 2);
    assert_int_equal(result.clips[1].dropped, 1);
    const char *generator = ref_string(&b.document, sinewi_json_get(&b.document.json, 0, "asset"), "generator");
    assert_non_null(strstr(generator, "sinew optimize 1 mm"));
    ref_close(&b.document);
    ref_close(&a.document);
    optimize_end(&result);
}

// A spline with values on lines becomes lines; a constant one, a single value; one that leaves the lines stays.
static void test_splines(void **state) {
    (void)state;
    static const float points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, times[] = {0, 1, 2};
    static const float straight[] = {0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0,
                                     0, 1, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 0};
    static const float bent[] = {0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0};
    const float still[] = {0, 0, 0, 0, TURN(30), 0, 0, 0, 0,        0, 0, 0, 0, TURN(30),
                           0, 0, 0, 0, 0,        0, 0, 0, TURN(30), 0, 0, 0, 0};
    gltf_builder b = gltf_begin();
    const int positions = gltf_floats(&b, "VEC3", 3, points), input = gltf_floats(&b, "SCALAR", 3, times);
    const int outputs[] = {gltf_floats(&b, "VEC3", 9, straight), gltf_floats(&b, "VEC3", 9, bent),
                           gltf_floats(&b, "VEC4", 9, still)};
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':%d}}]}]", positions);
    gltf_section(&b, "'nodes':[{'name':'a','mesh':0},{'name':'b','mesh':0},{'name':'c','mesh':0}]");
    gltf_section(&b,
                 "'animations':[{'samplers':[{'input':%d,'output':%d,'interpolation':'CUBICSPLINE'},"
                 "{'input':%d,'output':%d,'interpolation':'CUBICSPLINE'},"
                 "{'input':%d,'output':%d,'interpolation':'CUBICSPLINE'}],'channels':["
                 "{'sampler':0,'target':{'node':0,'path':'translation'}},"
                 "{'sampler':1,'target':{'node':1,'path':'translation'}},"
                 "{'sampler':2,'target':{'node':2,'path':'rotation'}}]}]",
                 input, outputs[0], input, outputs[1], input, outputs[2]);
    gltf_save_glb(&b, "optimize.glb");
    check_model("optimize.glb", 1.0, OPTIMIZE_EXT);
    file a, made;
    optimize_result result;
    open_path(&a, "optimize.glb");
    const optimize_def def = def_of("optimize.glb", &a, 1.0);
    assert_true(optimize_file(&result, &def));
    open_bytes(&made, &result);
    const ref_channel *channels = made.model.animations[0].channels;
    assert_int_equal(made.model.animations[0].channel_count, 3);
    assert_int_equal(channels[0].interpolation, REF_LINEAR);
    assert_int_equal(channels[1].interpolation, REF_CUBICSPLINE);
    assert_int_equal(channels[2].interpolation, REF_LINEAR);
    assert_int_equal(channels[2].key_count, 1);
    assert_int_equal(result.clips[0].constant, 1);
    ref_close(&made.document);
    ref_close(&a.document);
    optimize_end(&result);
}

// A turn of 180 degrees between two keys. The sign of w tells which way: if it's rounded to 0, it turns the other
// way.
static void test_half_turn(void **state) {
    (void)state;
    static const float points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, times[] = {0, 1};
    static const float turn[] = {0, 0, 0, -1, 1, 0, 0, 4.5e-11f};
    gltf_builder b = gltf_begin();
    const int positions = gltf_floats(&b, "VEC3", 4, points), input = gltf_floats(&b, "SCALAR", 2, times);
    const int output = gltf_floats(&b, "VEC4", 2, turn);
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':%d}}]}]", positions);
    gltf_section(&b, "'nodes':[{'name':'door','mesh':0}]");
    gltf_section(&b,
                 "'animations':[{'samplers':[{'input':%d,'output':%d}],'channels':[{'sampler':0,'target':"
                 "{'node':0,'path':'rotation'}}]}]",
                 input, output);
    gltf_save_glb(&b, "optimize.glb");
    check_model("optimize.glb", 1.0, OPTIMIZE_EXT);
    check_model("optimize.glb", 5.0, OPTIMIZE_PLAIN);
}

enum { ARMS = 12, KEYS = 61 };

// Arms that turn at rates which change at the same four keys: no other key is needed, except the first and the last.
static void test_uneven_keys(void **state) {
    (void)state;
    static const int bends[] = {0, 7, 9, 31, 40, KEYS - 1};
    static const float points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    float times[KEYS], turns[4 * KEYS];
    gltf_builder b = gltf_begin();
    const int positions = gltf_floats(&b, "VEC3", 3, points);
    for (int k = 0; k < KEYS; k++) times[k] = (float)k / 30.0f;
    const int input = gltf_floats(&b, "SCALAR", KEYS, times);
    char nodes[64 * ARMS] = "", samplers[64 * ARMS] = "", channels[96 * ARMS] = "";
    for (int arm = 0; arm < ARMS; arm++) {
        double angle = 0.0;
        for (int k = 0, part = 0; k < KEYS; k++) {
            if (k > bends[part + 1]) part++;
            if (k > 0) angle += 1.5 * sin(7.0 * part + arm);
            turns[(ptrdiff_t)4 * k] = turns[4 * k + 1] = 0.0f;
            turns[4 * k + 2] = (float)sin(angle * (double)PI / 360.0);
            turns[4 * k + 3] = (float)cos(angle * (double)PI / 360.0);
        }
        const char *comma = arm > 0 ? "," : "";
        const int output = gltf_floats(&b, "VEC4", KEYS, turns);
        snprintf(nodes + strlen(nodes), 64, "%s{'name':'arm %d','mesh':0}", comma, arm);
        snprintf(samplers + strlen(samplers), 64, "%s{'input':%d,'output':%d}", comma, input, output);
        snprintf(channels + strlen(channels), 96, "%s{'sampler':%d,'target':{'node':%d,'path':'rotation'}}", comma,
                 arm, arm);
    }
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':%d}}]}]", positions);
    gltf_section(&b, "'nodes':[%s]", nodes);
    gltf_section(&b, "'animations':[{'samplers':[%s],'channels':[%s]}]", samplers, channels);
    gltf_save_glb(&b, "optimize.glb");
    check_model("optimize.glb", 1.0, OPTIMIZE_EXT);
    file a, made;
    optimize_result result;
    open_path(&a, "optimize.glb");
    const optimize_def def = def_of("optimize.glb", &a, 1.0);
    assert_true(optimize_file(&result, &def));
    open_bytes(&made, &result);
    assert_int_equal(result.clips[0].reduced, ARMS);
    for (int arm = 0; arm < ARMS; arm++) assert_in_range(made.model.animations[0].channels[arm].key_count, 6, 13);
    ref_close(&made.document);
    ref_close(&a.document);
    optimize_end(&result);
}

// Two clips hold an arm within a hundredth of a degree of each other: one accessor serves both.
static void test_shared_values(void **state) {
    (void)state;
    static const float points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, times[] = {0, 1};
    const float first[] = {TURN(30), TURN(30)}, second[] = {TURN(30.01), TURN(30.01)};
    gltf_builder b = gltf_begin();
    const int positions = gltf_floats(&b, "VEC3", 3, points), input = gltf_floats(&b, "SCALAR", 2, times);
    const int one = gltf_floats(&b, "VEC4", 2, first), two = gltf_floats(&b, "VEC4", 2, second);
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':%d}}]}]", positions);
    gltf_section(&b, "'nodes':[{'name':'arm','mesh':0}]");
    gltf_section(
        &b,
        "'animations':[{'name':'a','samplers':[{'input':%d,'output':%d}],'channels':[{'sampler':0,'target':"
        "{'node':0,'path':'rotation'}}]},{'name':'b','samplers':[{'input':%d,'output':%d}],'channels':["
        "{'sampler':0,'target':{'node':0,'path':'rotation'}}]}]",
        input, one, input, two);
    gltf_save_glb(&b, "optimize.glb");
    file a, made;
    optimize_result result;
    open_path(&a, "optimize.glb");
    const optimize_def def = def_of("optimize.glb", &a, 1.0);
    assert_true(optimize_file(&result, &def));
    open_bytes(&made, &result);
    assert_memory_equal(made.model.animations[0].channels[0].values, made.model.animations[1].channels[0].values,
                        4 * sizeof(double));
    const sinewi_json_value animation = made.document.animations.values[1],
                            sampler = sinewi_json_first(
                                &made.document.json, sinewi_json_get(&made.document.json, animation, "samplers")),
                            other =
                                sinewi_json_first(&made.document.json,
                                                  sinewi_json_get(&made.document.json,
                                                                  made.document.animations.values[0], "samplers"));
    assert_true(ref_number(&made.document, sampler, "output", -1.0) ==
                ref_number(&made.document, other, "output", -2.0));
    ref_close(&made.document);
    ref_close(&a.document);
    optimize_end(&result);
}

// A clip that has what is not understood keeps its channels and their data.
static void test_untouched(void **state) {
    (void)state;
    file a, b;
    optimize_result result;
    build("optimize.glb", ",'extras':{'a':1}");
    open_path(&a, "optimize.glb");
    const optimize_def def = def_of("optimize.glb", &a, 1.0);
    assert_true(optimize_file(&result, &def));
    assert_true(result.clips[0].untouched && !result.clips[1].untouched);
    open_bytes(&b, &result);
    const ref_channel *from = &a.model.animations[0].channels[0], *to = &b.model.animations[0].channels[0];
    assert_int_equal(to->key_count, 5);
    assert_memory_equal(from->values, to->values, 20 * sizeof(double));
    ref_close(&b.document);
    ref_close(&a.document);
    optimize_end(&result);
}

// Returns whether a clip is limited. The promise holds in any case.
static bool check_limit(file *a, double max_numbers) {
    file made;
    optimize_result result;
    optimize_def def = def_of("optimize.glb", a, 1.0);
    sinewi_arena arena;
    compare_body body;
    compare_measure m;
    compare_worst worst;
    def.max_numbers = max_numbers;
    assert_true(optimize_file(&result, &def));
    open_bytes(&made, &result);
    sinewi_arena_init(&arena, NULL);
    assert_true(compare_match(&body, &arena, &a->model, &made.model));
    assert_true(compare_measure_begin(&m, &body, 0.0));
    for (int i = 0; i < 2; i++) {
        assert_true(compare_clip(&m, &a->model.animations[i], &made.model.animations[i], i, &worst));
        if (!(worst.bound <= body.size / 1800.0)) fail_msg("%g numbers, clip %d: %g", max_numbers, i, worst.bound);
    }
    const bool limited = result.clips[0].limited || result.clips[1].limited;
    sinewi_arena_free(&arena);
    ref_close(&made.document);
    optimize_end(&result);
    return limited;
}

// The search may end at any time, also before it has found what is within the error: then the clip keeps all keys.
static void test_any_limit(void **state) {
    (void)state;
    file a;
    int limited = 0;
    build("optimize.glb", "");
    open_path(&a, "optimize.glb");
    for (int i = 0; i < 47; i++) limited += check_limit(&a, 5.0 * pow(1.3, i));
    assert_true(limited > 10);
    ref_close(&a.document);
}

// Without room for a measurement a clip keeps its keys, and the result says so.
static void test_limit(void **state) {
    (void)state;
    file a, made;
    optimize_result result;
    build("optimize.glb", "");
    open_path(&a, "optimize.glb");
    optimize_def def = def_of("optimize.glb", &a, 1.0);
    def.max_numbers = 5.0;
    assert_true(optimize_file(&result, &def));
    assert_true(result.clips[0].limited && result.clips[1].limited);
    open_bytes(&made, &result);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(made.model.animations[i].channel_count, a.model.animations[i].channel_count);
        assert_memory_equal(made.model.animations[i].channels[0].values, a.model.animations[i].channels[0].values,
                            20 * sizeof(double));
    }
    ref_close(&made.document);
    optimize_end(&result);
    ref_close(&a.document);
}

// A node that a clip lets grow from nothing.
static void test_rest_scale_of_zero(void **state) {
    (void)state;
    static const float points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, times[] = {0, 0.25f, 0.5f, 0.75f, 1};
    static const float scales[] = {0, 0, 0, 0.3f, 0.3f, 0.3f, 0.5f, 0.5f, 0.5f, 0.8f, 0.8f, 0.8f, 1, 1, 1};
    gltf_builder b = gltf_begin();
    const int positions = gltf_floats(&b, "VEC3", 3, points), input = gltf_floats(&b, "SCALAR", 5, times),
              output = gltf_floats(&b, "VEC3", 5, scales);
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':%d}}]}]", positions);
    gltf_section(&b, "'nodes':[{'name':'sprout','mesh':0,'scale':[0,0,0]}]");
    gltf_section(&b,
                 "'animations':[{'samplers':[{'input':%d,'output':%d}],'channels':[{'sampler':0,'target':"
                 "{'node':0,'path':'scale'}}]}]",
                 input, output);
    gltf_save_glb(&b, "optimize.glb");
    check_model("optimize.glb", 1.0, OPTIMIZE_EXT);
}

// The least and the largest length of rotations that are stored as floats.
static void find_lengths(file *f, double lengths[2]) {
    const sinewi_json *json = &f->document.json;
    for (int32_t i = 0; i < f->model.animation_count; i++) {
        const sinewi_json_value animation = f->document.animations.values[i];
        sinewi_json_value channel = sinewi_json_first(json, sinewi_json_get(json, animation, "channels"));
        for (int32_t c = 0; c < f->model.animations[i].channel_count;
             c++, channel = sinewi_json_following(json, channel)) {
            const ref_channel *from = &f->model.animations[i].channels[c];
            sinewi_json_value sampler = sinewi_json_first(json, sinewi_json_get(json, animation, "samplers"));
            for (int k = 0; k < (int)ref_number(&f->document, channel, "sampler", 0.0); k++)
                sampler = sinewi_json_following(json, sampler);
            const int accessor = (int)ref_number(&f->document, sampler, "output", 0.0);
            const double type =
                ref_number(&f->document, f->document.accessors.values[accessor], "componentType", 0.0);
            for (int32_t k = 0; from->path == REF_ROTATION && type == 5126.0 && k < from->key_count; k++) {
                const double *q = from->values + 4 * (ptrdiff_t)k;
                const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
                lengths[0] = fmin(lengths[0], length);
                lengths[1] = fmax(lengths[1], length);
            }
        }
    }
}

// Rotations written as floats are unit, whatever the authored lengths: arms that turn slightly need more than 16 bits
// if they're long.
static void test_unit_rotations(void **state) {
    (void)state;
    static const float points[] = {0, 0, 0, 300, 0, 0, 0, 300, 0};
    for (int stretched = 0; stretched < 2; stretched++) {
        float times[KEYS], turns[4 * KEYS];
        for (int k = 0; k < KEYS; k++) {
            const double angle = 0.02 * sin(0.3 * k), length = stretched ? 1.0 + 0.002 * sin(k) : 1.0;
            times[k] = (float)k / 30.0f;
            float *turn = &turns[(ptrdiff_t)4 * k];
            turn[0] = turn[1] = 0.0f;
            turn[2] = (float)(length * sin(angle));
            turn[3] = (float)(length * cos(angle));
        }
        gltf_builder b = gltf_begin();
        const int positions = gltf_floats(&b, "VEC3", 3, points), input = gltf_floats(&b, "SCALAR", KEYS, times),
                  output = gltf_floats(&b, "VEC4", KEYS, turns);
        gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':%d}}]}]", positions);
        gltf_section(&b, "'nodes':[{'name':'arm','mesh':0}]");
        gltf_section(&b,
                     "'animations':[{'samplers':[{'input':%d,'output':%d}],'channels':[{'sampler':0,'target':"
                     "{'node':0,'path':'rotation'}}]}]",
                     input, output);
        gltf_save_glb(&b, "optimize.glb");
        file a, made;
        optimize_result result;
        double lengths[2] = {1.0, 1.0};
        open_path(&a, "optimize.glb");
        const optimize_def def = def_of("optimize.glb", &a, 0.05);
        assert_true(optimize_file(&result, &def));
        open_bytes(&made, &result);
        find_lengths(&made, lengths);
        if (!(lengths[0] >= 1.0 - 1e-6 && lengths[1] <= 1.0 + 1e-6))
            fail_msg("%.9g to %.9g", lengths[0], lengths[1]);
        ref_close(&made.document);
        ref_close(&a.document);
        optimize_end(&result);
    }
}

// Fails each allocation once; the file is then refused, or the same as always.
static void test_out_of_memory(void **state) {
    (void)state;
    file a;
    optimize_result whole, result;
    build("optimize.glb", "");
    open_path(&a, "optimize.glb");
    const optimize_def def = def_of("optimize.glb", &a, 1.0);
    assert_true(optimize_file(&whole, &def));
    int failures = 0;
    for (int n = 0; n < 5000; n++) {
        heap_calls = 0;
        heap_fails_at = n;
        const bool good = optimize_file(&result, &def);
        const bool all = heap_calls <= n;
        heap_fails_at = -1;
        if (good) {
            assert_int_equal(result.size, whole.size);
            assert_memory_equal(result.glb, whole.glb, whole.size);
        } else {
            // The C library opens files with allocated memory.
            const bool expected = strstr(result.error, "memory") || strstr(result.error, "read");
            if (!expected) fail_msg("allocation %d: %s", n, result.error);
        }
        failures += !good;
        optimize_end(&result);
        if (all) break;
    }
    assert_true(failures > 10);
    optimize_end(&whole);
    ref_close(&a.document);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_promise),        cmocka_unit_test(test_tracks),
        cmocka_unit_test(test_splines),        cmocka_unit_test(test_half_turn),
        cmocka_unit_test(test_uneven_keys),    cmocka_unit_test(test_shared_values),
        cmocka_unit_test(test_untouched),      cmocka_unit_test(test_limit),
        cmocka_unit_test(test_any_limit),      cmocka_unit_test(test_rest_scale_of_zero),
        cmocka_unit_test(test_unit_rotations), cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
