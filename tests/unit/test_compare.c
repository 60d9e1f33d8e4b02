// SPDX-License-Identifier: MIT
// Comparing two files: displacements known from formulas, dense sampling of random motion, and what isn't motion.
#include "support/gltf_builder.h"
#include "support/displacement.h"
#include "compare/compare.h"

#include <stdio.h>

// A file in memory, read by the reference evaluator.
typedef struct file {
    uint8_t *glb;
    ref_document document;
    ref_model model;
} file;

static void open_file(file *f, gltf_builder *b) {
    size_t size;
    f->glb = gltf_write_glb(b, &size);
    gltf_end(b);
    if (!ref_open_bytes(&f->document, "test.glb", f->glb, size, NULL, NULL) ||
        !ref_read_model(&f->document, &f->model))
        fail_msg("%s", f->document.error);
}

static void close_file(file *f) {
    ref_close(&f->document);
    free(f->glb);
}

// A joint of a unit away from a vertex: nodes "root" and "arm" with a mesh, one vertex at (1, 0, 0) of the arm.
static const float points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};

typedef struct track {
    const char *path, *interpolation;
    int key_count;
    const float *times, *values;
} track;

static void add_clip(gltf_builder *b, const track *t, const char *members) {
    const bool rotation = strcmp(t->path, "rotation") == 0;
    const int parts = strcmp(t->interpolation, "CUBICSPLINE") == 0 ? 3 : 1;
    const int input = gltf_floats(b, "SCALAR", t->key_count, t->times);
    const int output = gltf_floats(b, rotation ? "VEC4" : "VEC3", parts * t->key_count, t->values);
    gltf_section(b,
                 "'animations':[{'name':'Move','samplers':[{'input':%d,'output':%d,'interpolation':'%s'}],"
                 "'channels':[{'sampler':0,'target':{'node':1,'path':'%s'}}]%s}]",
                 input, output, t->interpolation, t->path, members);
}

static void build(file *f, const track *t, const char *members, const char *nodes) {
    gltf_builder b = gltf_begin();
    const int positions = gltf_floats(&b, "VEC3", 3, points);
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':%d}}]}]", positions);
    gltf_section(&b, "'nodes':[%s]", nodes);
    if (t) add_clip(&b, t, members);
    open_file(f, &b);
}

#define NODES "{'name':'root','children':[1]},{'name':'arm','mesh':0}"

typedef struct compared {
    sinewi_arena arena;
    compare_body body;
    compare_measure measure;
    compare_worst worst;
} compared;

static void compare(compared *c, const file *a, const file *b) {
    sinewi_arena_init(&c->arena, NULL);
    assert_true(compare_match(&c->body, &c->arena, &a->model, &b->model));
    assert_true(compare_measure_begin(&c->measure, &c->body, 0.0));
    const bool clip = a->model.animation_count > 0;
    assert_true(compare_clip(&c->measure, clip ? a->model.animations : NULL, clip ? b->model.animations : NULL,
                             clip ? 0 : -1, &c->worst));
}

// Compares two tracks of the arm; the largest displacement must be `expected`, at `time` (negative: not checked).
static void check_tracks(const track *a, const track *b, double expected, double time) {
    file files[2];
    compared c;
    build(&files[0], a, "", NODES);
    build(&files[1], b, "", NODES);
    compare(&c, &files[0], &files[1]);
    const double slack = 0.01 * expected + 1e-6;
    check_near(c.worst.error, expected, slack);
    if (c.worst.bound < expected - 1e-12 || c.worst.bound > expected + 2.0 * slack)
        fail_msg("the bound is %.9g, not %.9g", c.worst.bound, expected);
    if (time >= 0.0) check_near(c.worst.time, time, 0.05);
    sinewi_arena_free(&c.arena);
    close_file(&files[0]);
    close_file(&files[1]);
}

static const float unit_times[] = {0, 1};

#define TURN(degrees) 0, 0, sinf((float)((degrees)*PI / 360)), cosf((float)((degrees)*PI / 360))

// A vertex at the distance 1 of a joint that turns 10 degrees less moves by the chord.
static void test_turned(void **state) {
    (void)state;
    const float a[] = {TURN(0), TURN(60)}, b[] = {TURN(0), TURN(50)};
    check_tracks(&(track){"rotation", "LINEAR", 2, unit_times, a}, &(track){"rotation", "LINEAR", 2, unit_times, b},
                 2.0 * sin(5.0 * PI / 180.0), 1.0);
}

// A key more, 6 degrees off.
static void test_turned_between(void **state) {
    (void)state;
    const float a[] = {TURN(0), TURN(120)}, b[] = {TURN(0), TURN(66), TURN(120)}, times[] = {0, 0.5f, 1};
    check_tracks(&(track){"rotation", "LINEAR", 2, unit_times, a}, &(track){"rotation", "LINEAR", 3, times, b},
                 2.0 * sin(3.0 * PI / 180.0), 0.5);
}

// The difference of 3u² - 2u³ and u is √3/18 where no key is, at u = (1 ∓ 1/√3) / 2.
static void test_spline(void **state) {
    (void)state;
    const float a[] = {0, 0, 0, 1, 0, 0}, b[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0};
    check_tracks(&(track){"translation", "LINEAR", 2, unit_times, a},
                 &(track){"translation", "CUBICSPLINE", 2, unit_times, b}, sqrt(3.0) / 18.0, -1.0);
}

// Rotations as splines are normalized polynomials. With tangents of 0 from 0 to 120 degrees about z the angle is
// 2 atan2(s sin 60, 1 - s + s cos 60), s = 3u² - 2u³, against 120 u: the largest chord of a million steps.
static void test_spline_rotation(void **state) {
    (void)state;
    const float a[] = {TURN(0), TURN(120)},
                b[] = {0, 0, 0, 0, TURN(0), 0, 0, 0, 0, 0, 0, 0, 0, TURN(120), 0, 0, 0, 0};
    double largest = 0.0;
    for (int i = 0; i <= 1000000; i++) {
        const double u = i / 1e6, s = u * u * (3.0 - 2.0 * u), half = PI / 3.0,
                     apart = 2.0 * atan2(s * sin(half), 1.0 - s + s * cos(half)) - 2.0 * half * u;
        largest = fmax(largest, 2.0 * fabs(sin(0.5 * apart)));
    }
    check_tracks(&(track){"rotation", "LINEAR", 2, unit_times, a},
                 &(track){"rotation", "CUBICSPLINE", 2, unit_times, b}, largest, -1.0);
}

// STEP keeps its value up to the key: the displacement comes close to 1 just before it.
static void test_step(void **state) {
    (void)state;
    const float a[] = {0, 0, 0, 1, 0, 0};
    check_tracks(&(track){"translation", "LINEAR", 2, unit_times, a},
                 &(track){"translation", "STEP", 2, unit_times, a}, 1.0, 1.0);
}

// Of two durations the shorter one holds its end: at 1 s one is at its end, the other halfway.
static void test_duration(void **state) {
    (void)state;
    const float a[] = {0, 0, 0, 1, 0, 0}, twice[] = {0, 2};
    check_tracks(&(track){"translation", "LINEAR", 2, unit_times, a},
                 &(track){"translation", "LINEAR", 2, twice, a}, 0.5, 1.0);
}

static void test_equal(void **state) {
    (void)state;
    const float a[] = {TURN(0), TURN(60)};
    const track t = {"rotation", "LINEAR", 2, unit_times, a};
    file f;
    compared c;
    build(&f, &t, "", NODES);
    compare(&c, &f, &f);
    assert_true(c.worst.error == 0.0 && c.worst.bound == 0.0);
    assert_int_equal(c.body.vertex_count, 3);
    sinewi_arena_free(&c.arena);
    close_file(&f);
}

// A node that is shifted in the rest pose: its mesh moves, and so does a socket on it.
static void test_shifted(void **state) {
    (void)state;
    file files[2];
    compared c;
    build(&files[0], NULL, "", "{'name':'root','children':[1]},{'name':'arm','mesh':0}");
    build(&files[1], NULL, "", "{'name':'root','children':[1]},{'name':'arm','mesh':0,'translation':[0,0.01,0]}");
    compare(&c, &files[0], &files[1]);
    check_near(c.worst.error, 0.01, 1e-9); // the 0.01 of JSON
    assert_int_equal(c.worst.clip, -1);
    check_near(c.body.size, 1.0, 1e-12);
    sinewi_arena_free(&c.arena);
    close_file(&files[0]);
    close_file(&files[1]);
}

// A socket turned by 30 degrees. Its points are a tenth of the size, 0.1, away from it, whatever its scale.
static void test_socket(void **state) {
    (void)state;
    file files[2];
    compared c;
#define SOCKET(rotation) "{'mesh':0},{'name':'socket','scale':[50,50,50],'rotation':" rotation "}"
    build(&files[0], NULL, "", SOCKET("[0,0,0,1]"));
    build(&files[1], NULL, "", SOCKET("[0.25881904510252074,0,0,0.9659258262890683]"));
    compare(&c, &files[0], &files[1]);
    check_near(c.worst.error, 0.1 * 2.0 * sin(15.0 * PI / 180.0), 1e-12);
    sinewi_arena_free(&c.arena);
    close_file(&files[0]);
    close_file(&files[1]);
}

// A rigid mesh with halved vertices, on a node of twice the scale, like quantization leaves it. If their order
// differs, they're matched in the rest pose. If one is too far from any, A's vertices are used, carried by B's node.
static void check_rescaled(const float halves[9], int32_t sorted, int32_t carried) {
    const float a[] = {TURN(0), TURN(60)}, b[] = {TURN(0), TURN(50)};
    const track t = {"rotation", "LINEAR", 2, unit_times, a}, u = {"rotation", "LINEAR", 2, unit_times, b};
    file files[2];
    compared c;
    build(&files[0], &t, "", NODES);
    gltf_builder made = gltf_begin();
    const int positions = gltf_floats(&made, "VEC3", 3, halves);
    gltf_section(&made, "'meshes':[{'primitives':[{'attributes':{'POSITION':%d}}]}]", positions);
    gltf_section(&made, "'nodes':[{'name':'root','children':[1]},{'name':'arm','mesh':0,'scale':[2,2,2]}]");
    add_clip(&made, &u, "");
    open_file(&files[1], &made);
    compare(&c, &files[0], &files[1]);
    assert_int_equal(c.body.sorted_vertices, sorted);
    assert_int_equal(c.body.carried_vertices, carried);
    check_near(c.worst.error, 2.0 * sin(5.0 * PI / 180.0), 1e-6);
    sinewi_arena_free(&c.arena);
    close_file(&files[0]);
    close_file(&files[1]);
}

static void test_rescaled(void **state) {
    (void)state;
    check_rescaled((const float[]){0, 0.5f, 0, 0.5f, 0, 0, 0, 0, 0}, 3, 0);
    check_rescaled((const float[]){0, 0.55f, 0, 0.5f, 0, 0, 0, 0, 0}, 0, 3);
}

// ---- Vertices in another order -------------------------------------------------------------------------------------

enum { CLOUD = 600 };

// Vertices of a skin of two joints and a morph target, every other one at the position of the one before it.
typedef struct cloud {
    float positions[CLOUD][3], moves[CLOUD][3], weights[CLOUD][4];
    uint8_t joints[CLOUD][4];
} cloud;

static float cloud_number(int seed) {
    return (float)(((uint32_t)seed * 2654435761u) >> 8) / 16777216.0f;
}

// The tip, the second joint, turns by 90 degrees, and the target moves by 1. `offset` displaces all vertices along z.
static void build_cloud(file *f, const int order[CLOUD], float offset) {
    static cloud made;
    const float turns[] = {TURN(0), TURN(90)}, weights[] = {0, 1};
    memset(&made, 0, sizeof made);
    for (int i = 0; i < CLOUD; i++) {
        const int v = order[i], twin = v & 1, weight = v % 5;
        for (int k = 0; k < 3; k++) made.positions[i][k] = cloud_number(3 * (v - twin) + k);
        made.positions[i][2] += offset;
        // The second of a pair has other weights, and in every other pair another target.
        made.moves[i][0] = v % 4 == 1 ? 0.3f : 0.0f;
        // Files may list the joints in either order.
        const int first = offset != 0.0f && v % 3 == 0;
        made.joints[i][1 - first] = 1;
        made.weights[i][first] = (float)weight * 0.25f;
        made.weights[i][1 - first] = 1.0f - (float)weight * 0.25f;
    }
    gltf_builder b = gltf_begin();
    const int positions = gltf_floats(&b, "VEC3", CLOUD, made.positions[0]),
              moves = gltf_floats(&b, "VEC3", CLOUD, made.moves[0]),
              influences = gltf_floats(&b, "VEC4", CLOUD, made.weights[0]),
              joints = gltf_accessor(&b, made.joints, sizeof made.joints, U8, "VEC4", CLOUD),
              input = gltf_floats(&b, "SCALAR", 2, unit_times), turn = gltf_floats(&b, "VEC4", 2, turns),
              weight = gltf_floats(&b, "SCALAR", 2, weights);
    gltf_section(&b,
                 "'meshes':[{'primitives':[{'attributes':{'POSITION':%d,'WEIGHTS_0':%d,'JOINTS_0':%d},"
                 "'targets':[{'POSITION':%d}]}]}]",
                 positions, influences, joints, moves);
    gltf_section(&b, "'nodes':[{'mesh':0,'skin':0},{'name':'root','children':[2]},{'name':'tip'}],"
                     "'skins':[{'joints':[1,2]}]");
    gltf_section(&b,
                 "'animations':[{'samplers':[{'input':%d,'output':%d},{'input':%d,'output':%d}],'channels':["
                 "{'sampler':0,'target':{'node':2,'path':'rotation'}},"
                 "{'sampler':1,'target':{'node':0,'path':'weights'}}]}]",
                 input, turn, input, weight);
    open_file(f, &b);
}

// Vertices that are shuffled are found again: rotations about z keep the displacement along z.
static void test_shuffled(void **state) {
    (void)state;
    int orders[2][CLOUD];
    file files[2];
    compared c;
    for (int i = 0; i < CLOUD; i++) {
        orders[0][i] = i;
        orders[1][i] = i * 7 % CLOUD; // 7 and CLOUD have no common factor
    }
    build_cloud(&files[0], orders[0], 0.0f);
    build_cloud(&files[1], orders[1], 0.0004f);
    compare(&c, &files[0], &files[1]);
    assert_int_equal(c.body.sorted_vertices, CLOUD);
    check_near(c.worst.error, 0.0004, 1e-6);
    assert_true(c.worst.bound >= 0.0004 - 1e-6 && c.worst.bound < 0.00042);
    sinewi_arena_free(&c.arena);
    close_file(&files[0]);
    close_file(&files[1]);
}

// A mesh with a morph target that moves its first vertex along z by `distance`, and with animated weights.
static void build_face(file *f, float distance, const char *interpolation, const float *weights) {
    const float moves[] = {0, 0, distance, 0, 0, 0, 0, 0, 0};
    const int parts = strcmp(interpolation, "CUBICSPLINE") == 0 ? 3 : 1;
    gltf_builder b = gltf_begin();
    const int base = gltf_floats(&b, "VEC3", 3, points), target = gltf_floats(&b, "VEC3", 3, moves);
    const int input = gltf_floats(&b, "SCALAR", 2, unit_times),
              output = gltf_floats(&b, "SCALAR", 2 * parts, weights);
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':%d},'targets':[{'POSITION':%d}]}]}]", base,
                 target);
    gltf_section(&b, "'nodes':[{'name':'face','mesh':0}]");
    gltf_section(
        &b,
        "'animations':[{'samplers':[{'input':%d,'output':%d,'interpolation':'%s'}],'channels':[{'sampler':0,"
        "'target':{'node':0,'path':'weights'}}]}]",
        input, output, interpolation);
    open_file(f, &b);
}

// Compares two faces. The first vertex is displaced most: by 0.1.
static void check_faces(const file files[2]) {
    compared c;
    compare(&c, &files[0], &files[1]);
    check_near(c.worst.error, 0.1, 1e-6);
    assert_true(c.worst.bound >= 0.1 - 1e-6 && c.worst.bound < 0.102);
    assert_int_equal(c.worst.vertex, 0);
    sinewi_arena_free(&c.arena);
}

// A morph target that moves a vertex by 0.5, with weights from 0 to 1 and to 0.8.
static void test_morph(void **state) {
    (void)state;
    const float ends[] = {1.0f, 0.8f};
    file files[2];
    for (int i = 0; i < 2; i++) {
        const float weights[] = {0, ends[i]};
        build_face(&files[i], 0.5f, "LINEAR", weights);
    }
    check_faces(files);
    close_file(&files[0]);
    close_file(&files[1]);
}

// Morph targets that move a vertex by 0.5 and 0.4, with equal weights: the displacement is largest at the last key, or, of
// the spline 4u - 4u^2, between its keys.
static void test_morph_targets(void **state) {
    (void)state;
    static const float line[] = {0, 1}, spline[] = {0, 0, 4, -4, 0, 0};
    for (int i = 0; i < 2; i++) {
        const char *interpolation = i == 0 ? "LINEAR" : "CUBICSPLINE";
        file files[2];
        build_face(&files[0], 0.5f, interpolation, i == 0 ? line : spline);
        build_face(&files[1], 0.4f, interpolation, i == 0 ? line : spline);
        check_faces(files);
        close_file(&files[0]);
        close_file(&files[1]);
    }
}

// Nodes in another order, with another node in between, are matched by name; a lost node leaves its vertices out.
static void test_matching(void **state) {
    (void)state;
    const float a[] = {TURN(0), TURN(60)};
    const track t = {"rotation", "LINEAR", 2, unit_times, a};
    file files[2];
    compared c;
    build(&files[0], &t, "", NODES);
    build(&files[1], &t, "", "{'name':'root','children':[2]},{'name':'arm','mesh':0},{'children':[1]}");
    compare(&c, &files[0], &files[1]);
    assert_true(c.worst.bound < 1e-5);
    assert_int_equal(c.body.node_of[1], 1);
    sinewi_arena_free(&c.arena);
    close_file(&files[1]);
    build(&files[1], &t, "", "{'name':'root','children':[1]},{'name':'leg','mesh':0}");
    compare(&c, &files[0], &files[1]);
    assert_int_equal(c.body.unmatched_vertices, 3);
    sinewi_arena_free(&c.arena);
    close_file(&files[0]);
    close_file(&files[1]);
}

// A node without a name counts as one with a name does: its points are a tenth of the size from it.
static void test_unnamed(void **state) {
    (void)state;
    const float a[] = {TURN(0), TURN(60)}, b[] = {TURN(0), TURN(-60)};
    const track t = {"rotation", "LINEAR", 2, unit_times, a}, u = {"rotation", "LINEAR", 2, unit_times, b};
    file files[2];
    compared c;
    build(&files[0], &t, "", "{'name':'body','mesh':0,'children':[1]},{}");
    build(&files[1], &u, "", "{'name':'body','mesh':0,'children':[1]},{}");
    compare(&c, &files[0], &files[1]);
    check_near(c.worst.error, 0.1 * 2.0 * sin(60.0 * PI / 180.0), 1e-6);
    sinewi_arena_free(&c.arena);
    close_file(&files[1]);
    build(&files[1], &t, "", "{'name':'body','mesh':0}");
    compare(&c, &files[0], &files[1]);
    assert_int_equal(c.body.node_of[1], -1);
    sinewi_arena_free(&c.arena);
    close_file(&files[0]);
    close_file(&files[1]);
}

// Nodes without a name are found below their parents, wherever they are in the file.
static void test_paths(void **state) {
    (void)state;
    static const char *const nodes[] = {
        "{'name':'root','children':[1,2]},{'name':'l','children':[3]},{'name':'r','children':[4,5]},{},{},{}",
        "{'name':'root','children':[1,2]},{'name':'l','children':[5]},{'name':'r','children':[3,4]},{},{},{}"};
    file files[2];
    compared c;
    for (int i = 0; i < 2; i++) build(&files[i], NULL, "", nodes[i]);
    compare(&c, &files[0], &files[1]);
    assert_int_equal(c.body.node_of[3], 5);
    assert_int_equal(c.body.node_of[4], 3);
    assert_int_equal(c.body.node_of[5], 4);
    sinewi_arena_free(&c.arena);
    close_file(&files[0]);
    close_file(&files[1]);
}

// ---- Size ----------------------------------------------------------------------------------------------------------

static void check_size(const track *t, const char *nodes, double size, compare_size_source source) {
    file f;
    compared c;
    build(&f, t, "", nodes);
    compare(&c, &f, &f);
    check_near(c.body.size, size, 1e-6);
    assert_int_equal(c.body.size_source, source);
    sinewi_arena_free(&c.arena);
    close_file(&f);
}

// The mesh is 1 large. Node 1 is animated.
static void test_size(void **state) {
    (void)state;
    const float a[] = {TURN(0), TURN(60)}, grown[] = {0, 0, 0, 3, 3, 3};
    const track t = {"rotation", "LINEAR", 2, unit_times, a}, grow = {"scale", "LINEAR", 2, unit_times, grown};
    check_size(NULL, "{'mesh':0,'scale':[100,100,100]}", 100.0, COMPARE_ALL_VERTICES);
    check_size(&t, "{'name':'level','mesh':0,'scale':[100,100,100]},{'name':'door','mesh':0,'scale':[2,2,2]}", 2.0,
               COMPARE_MOVED_VERTICES);
    check_size(&t,
               "{'name':'level','mesh':0,'scale':[100,100,100]},{'name':'hips','children':[2,3]},"
               "{'name':'head','translation':[0,1.8,0]},{'name':'proxy','mesh':0,'scale':[0.01,0.01,0.01]}",
               1.8, COMPARE_MOVED_NODES);
    check_size(&grow, "{'name':'level'},{'name':'sprout','mesh':0,'scale':[0,0,0]}", 3.0, COMPARE_MOVED_VERTICES);
}

// A character of 3 in a level of 100: its skin, and what hangs on a joint. A second one is smaller.
static void test_size_of_characters(void **state) {
    (void)state;
    static const uint8_t joints[12] = {0};
    static const float weights[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    gltf_builder b = gltf_begin();
    const int positions = gltf_floats(&b, "VEC3", 3, points),
              influences = gltf_accessor(&b, joints, sizeof joints, U8, "VEC4", 3),
              shares = gltf_floats(&b, "VEC4", 3, weights);
    gltf_section(&b,
                 "'meshes':[{'primitives':[{'attributes':{'POSITION':%d,'JOINTS_0':%d,'WEIGHTS_0':%d}}]},"
                 "{'primitives':[{'attributes':{'POSITION':%d}}]}]",
                 positions, influences, shares, positions);
    gltf_section(&b, "'skins':[{'joints':[1]},{'joints':[3]}]");
    gltf_section(&b, "'nodes':[{'name':'level','mesh':1,'scale':[100,100,100]},{'name':'hips','children':[2]},"
                     "{'name':'hat','mesh':1,'translation':[0,2,0]},{'name':'other'},"
                     "{'name':'body','mesh':0,'skin':0},{'name':'body 2','mesh':0,'skin':1}]");
    file f;
    compared c;
    open_file(&f, &b);
    compare(&c, &f, &f);
    check_near(c.body.size, 3.0, 1e-12);
    assert_int_equal(c.body.size_source, COMPARE_SKINNED_VERTICES);
    sinewi_arena_free(&c.arena);
    close_file(&f);
}

// ---- Rotations that are not unit -----------------------------------------------------------------------------------

#define STRETCHED(degrees, length)                                                                                 \
    0, 0, (float)(length)*sinf((float)((degrees)*PI / 360)), (float)(length)*cosf((float)((degrees)*PI / 360))

// A viewer that does not normalize shows I + length² (R - I): a vertex at 1 that turns by 60 degrees, where |R - I| is 1, is off
// by length² - 1. What A stores so is compared as glTF means it, unless it is what 16 bits leave.
static void test_stretched(void **state) {
    (void)state;
    const float unit[] = {TURN(0), TURN(60)}, off[] = {STRETCHED(0, 1), STRETCHED(60, 1.002)};
    const float coarse[] = {STRETCHED(0, 1), STRETCHED(60, 1.00005)};
    const track t = {"rotation", "LINEAR", 2, unit_times, unit}, u = {"rotation", "LINEAR", 2, unit_times, off},
                v = {"rotation", "LINEAR", 2, unit_times, coarse};
    check_tracks(&t, &u, 1.002 * 1.002 - 1.0, 1.0);
    check_tracks(&u, &u, 0.0, -1.0);
    check_tracks(&u, &t, 0.0, -1.0);
    check_tracks(&v, &t, 1.00005 * 1.00005 - 1.0, 1.0);
    check_tracks(&v, &v, 0.0, -1.0);
}

// ---- What is not motion ------------------------------------------------------------------------------------------

typedef struct heard {
    char text[2048];
} heard;

static void hear(const char *what, void *user) {
    heard *h = user;
    strncat(h->text, what, sizeof h->text - strlen(h->text) - 2);
    strncat(h->text, "\n", sizeof h->text - strlen(h->text) - 1);
}

static void check_differences(const char *members_a, const char *nodes_a, const char *members_b,
                              const char *nodes_b, const float *times_b, const char *expected) {
    const float a[] = {TURN(0), TURN(60)};
    const track t = {"rotation", "LINEAR", 2, unit_times, a}, u = {"rotation", "LINEAR", 2, times_b, a};
    file files[2];
    compared c;
    heard h = {""};
    int32_t clip_of[1];
    build(&files[0], &t, members_a, nodes_a);
    build(&files[1], &u, members_b, nodes_b);
    compare(&c, &files[0], &files[1]);
    ref_document *const documents[2] = {&files[0].document, &files[1].document};
    assert_true(compare_match_clips(&c.arena, &files[0].model, &files[1].model, clip_of));
    const int32_t count = compare_differences(documents, &c.body, clip_of, hear, &h);
    assert_string_equal(h.text, expected);
    assert_int_equal(count > 0, expected[0] != '\0');
    sinewi_arena_free(&c.arena);
    close_file(&files[0]);
    close_file(&files[1]);
}

static void test_differences(void **state) {
    (void)state;
    static const float later[] = {0, 1.5f};
#define MARKERS ",'extras':{'markers':[{'name':'hit','time':0.5}],'more':[1,true,null,'\\u0061']}"
    check_differences(MARKERS, NODES, ",'extras':{'more':[1,true,null,'a'],'markers':[{'time':0.5,'name':'hit'}]}",
                      NODES, unit_times, "");
    check_differences(MARKERS, NODES, "", NODES, unit_times, "clip 'Move': the markers differ: 1 became 0\n");
    check_differences(MARKERS, NODES, ",'extras':{'markers':[{'name':'hit','time':0.5}],'more':[1,true,null,'b']}",
                      NODES, unit_times, "clip 'Move': the extras differ\n");
    check_differences("", NODES, "", NODES, later, "clip 'Move' ends at 1.5 s, not 1 s\n");
    check_differences("", NODES ",{'name':'hilt'}", "", NODES, unit_times, "node 'hilt' is missing\n");
    check_differences("", "{'name':'root','children':[1]},{'name':'arm','mesh':0,'extras':{'a':1}}", "", NODES,
                      unit_times, "node 'arm': the extras differ\n");
    check_differences("", NODES, "", "{'name':'root'},{'name':'arm','mesh':0}", unit_times,
                      "node 'arm' has a different parent\n");
}

// The bytes of the accessors (2 times, 2 quaternions: 40), and the JSON of three parts.
static void test_bytes(void **state) {
    (void)state;
    const float a[] = {TURN(0), TURN(60)};
    const track t = {"rotation", "LINEAR", 2, unit_times, a};
    file f;
    compare_bytes bytes;
    build(&f, &t, "", NODES);
    assert_true(compare_count_bytes(&f.document, &bytes));
    assert_int_equal(bytes.data, 40);
    assert_true(bytes.json > 300 && bytes.json < 700);
    close_file(&f);
}

// ---- Random motion -----------------------------------------------------------------------------------------------

static uint32_t seed;

static double random_number(void) {
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / 16777216.0;
}

// Changes every value of the animations of a model a little; the result is in the document's arena.
static const ref_animation *change_values(file *f, double amount) {
    ref_animation *animations =
        sinewi_arena_zeros(&f->document.arena, ref_animation, (size_t)f->model.animation_count);
    for (int32_t i = 0; i < f->model.animation_count; i++) {
        const ref_animation *from = &f->model.animations[i];
        ref_channel *channels = sinewi_arena_zeros(&f->document.arena, ref_channel, (size_t)from->channel_count);
        for (int32_t c = 0; c < from->channel_count; c++) {
            channels[c] = from->channels[c];
            const size_t count = (size_t)channels[c].key_count * (size_t)channels[c].width *
                                 (channels[c].interpolation == REF_CUBICSPLINE ? 3u : 1u);
            double *values = sinewi_arena_zeros(&f->document.arena, double, count);
            for (size_t k = 0; k < count; k++) values[k] = channels[c].values[k] + amount * (random_number() - 0.5);
            channels[c].values = values;
        }
        animations[i] = (ref_animation){from->name, from->channel_count, channels};
    }
    return animations;
}

// No time of any clip exceeds its bound.
static void check_model(const char *path, double amount) {
    file f = {.glb = NULL};
    compared c;
    if (!ref_open(&f.document, path, NULL, NULL) || !ref_read_model(&f.document, &f.model))
        fail_msg("%s", f.document.error);
    ref_model changed = f.model;
    changed.animations = change_values(&f, amount);
    const ref_model *models[2] = {&f.model, &changed};
    sinewi_arena_init(&c.arena, NULL);
    assert_true(compare_match(&c.body, &c.arena, models[0], models[1]));
    assert_int_equal(c.body.unmatched_vertices + c.body.carried_vertices, 0);
    assert_true(compare_measure_begin(&c.measure, &c.body, 0.0));
    for (int32_t i = 0; i < f.model.animation_count; i++) {
        assert_true(compare_clip(&c.measure, &models[0]->animations[i], &models[1]->animations[i], i, &c.worst));
        assert_true(c.worst.bound <= 1.011 * c.worst.error + 2e-6 * c.body.size);
        double span[2];
        compare_span(&models[0]->animations[i], span);
        for (int k = 0; k < 12; k++) {
            sinewi_arena arena;
            sinewi_arena_init(&arena, NULL);
            const double time = span[0] + (span[1] - span[0]) * random_number();
            const double found = displacement_at(models, i, time, &arena);
            if (!(found <= c.worst.bound))
                fail_msg("%s, clip %d, %.9g s: %.9g > %.9g", path, i, time, found, c.worst.bound);
            assert_true(found > 0.0);
            sinewi_arena_free(&arena);
        }
    }
    sinewi_arena_free(&c.arena);
    ref_close(&f.document);
}

static void test_random(void **state) {
    (void)state;
    seed = 1;
    check_model(SINEW_MODELS "/hero.glb", 0.003);
    check_model(SINEW_MODELS "/hero.glb", 0.3);
    check_model(SINEW_MODELS "/windmill.glb", 0.01);
}

// ---- Memory --------------------------------------------------------------------------------------------------------

typedef struct heap {
    int left; // allocations until one fails
} heap;

static void *take(size_t size, size_t alignment, void *user) {
    heap *h = user;
    (void)alignment;
    return h->left-- > 0 ? malloc(size) : NULL;
}

static void give(void *memory, size_t size, size_t alignment, void *user) {
    (void)size;
    (void)alignment;
    (void)user;
    free(memory);
}

// Every allocation fails once.
static void test_out_of_memory(void **state) {
    (void)state;
    const float a[] = {TURN(0), TURN(60)}, b[] = {TURN(0), TURN(50)};
    const track t = {"rotation", "LINEAR", 2, unit_times, a}, u = {"rotation", "LINEAR", 2, unit_times, b};
    file files[2];
    build(&files[0], &t, "", NODES);
    build(&files[1], &u, "", NODES);
    bool done = false;
    int failures = 0;
    for (int n = 0; !done && n < 1000; n++) {
        heap h = {n};
        const sinew_allocator allocator = {take, give, &h};
        sinewi_arena arena;
        compare_body body;
        compare_measure measure;
        compare_worst worst;
        sinewi_arena_init(&arena, &allocator);
        done = compare_match(&body, &arena, &files[0].model, &files[1].model) &&
               compare_measure_begin(&measure, &body, 0.0) &&
               compare_clip(&measure, files[0].model.animations, files[1].model.animations, 0, &worst);
        failures += !done;
        sinewi_arena_free(&arena);
    }
    assert_true(done && failures > 0);
    close_file(&files[0]);
    close_file(&files[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turned),        cmocka_unit_test(test_turned_between),
        cmocka_unit_test(test_spline),        cmocka_unit_test(test_spline_rotation),
        cmocka_unit_test(test_step),          cmocka_unit_test(test_duration),
        cmocka_unit_test(test_equal),         cmocka_unit_test(test_morph),
        cmocka_unit_test(test_morph_targets), cmocka_unit_test(test_shifted),
        cmocka_unit_test(test_rescaled),      cmocka_unit_test(test_socket),
        cmocka_unit_test(test_shuffled),      cmocka_unit_test(test_matching),
        cmocka_unit_test(test_unnamed),       cmocka_unit_test(test_paths),
        cmocka_unit_test(test_size),          cmocka_unit_test(test_size_of_characters),
        cmocka_unit_test(test_stretched),     cmocka_unit_test(test_differences),
        cmocka_unit_test(test_bytes),         cmocka_unit_test(test_random),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
