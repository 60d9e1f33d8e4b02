// SPDX-License-Identifier: MIT
// Lint: each rule finds its fault at its place, and no rule finds faults that aren't there.
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier,cert-*): mkdtemp
#endif
#include "support/lint_fixture.h"

#include "support/folder.h"

#include "lint/lint.h"

#include <stdio.h>

#define FILE_NAME "fixture.glb"

static bool reported_rules[LINT_RULE_COUNT];

static void print_findings(const lint_report *report) {
    for (int32_t i = 0; i < report->count; i++) {
        const lint_finding *finding = &report->findings[i];
        print_error("%s: %s: %s\n", lint_rules[finding->rule].id, finding->location, finding->message);
    }
}

static void look(lint_report *report, const char *path) {
    if (!lint_file(report, path, NULL, NULL)) fail_msg("%s", report->error);
}

// One finding, of this rule, at this place; `text` is in its message.
static void expect_in(const char *path, lint_rule_id rule, const char *place, const char *text) {
    lint_report report;
    look(&report, path);
    bool good = report.count == 1 && report.findings[0].rule == rule &&
                strcmp(report.findings[0].location, place) == 0 && strstr(report.findings[0].message, text);
    if (!good) {
        print_findings(&report);
        fail_msg("%d findings, but 1 was expected: %s: %s: ...%s...", (int)report.count, lint_rules[rule].id, place,
                 text);
    }
    assert_int_equal(report.of_rule[rule], 1);
    assert_int_equal(report.of_severity[lint_rules[rule].severity], 1);
    lint_end(&report);
    reported_rules[rule] = true;
}

static void expect(const lint_fixture *p, lint_rule_id rule, const char *place, const char *text) {
    lint_fixture_write(p, FILE_NAME);
    expect_in(FILE_NAME, rule, place, text);
}

static void expect_nothing(const char *path) {
    lint_report report;
    look(&report, path);
    print_findings(&report);
    assert_int_equal(report.count, 0);
    lint_end(&report);
}

static void test_good(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    lint_fixture_write(&p, FILE_NAME);
    expect_nothing(FILE_NAME);
}

static void test_models(void **state) {
    (void)state;
    expect_nothing(SINEW_MODELS "/hero.glb");
    expect_nothing(SINEW_MODELS "/sword.glb");
    expect_nothing(SINEW_MODELS "/windmill.glb");
}

// ---- What cannot be played ---------------------------------------------------------------------------------------

static void test_refused(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.turn_times[3] = 0.1875f;
    expect(&p, LINT_REFUSED, "animations[0].samplers[0].input", "key 3 is at 0.1875 s, not after key 2");
}

static void test_not_finite(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.moves[4][1] = NAN;
    expect(&p, LINT_NOT_FINITE, "accessors[7]: element 4", "which animations[0].samplers[1].output refers to");
    p = lint_fixture_clean();
    p.knee = "'name':'Knee','translation':[0,1e999,0]";
    expect(&p, LINT_NOT_FINITE, "nodes[2].translation[1]", "too large");
}

static void test_short_binds(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.bind_count = 1;
    expect(&p, LINT_INVERSE_BINDS_SHORT, "skins[0].inverseBindMatrices", "1 matrices for 2 joints");
}

static void test_no_file(void **state) {
    (void)state;
    lint_report report;
    assert_false(lint_file(&report, "there is no such file.glb", NULL, NULL));
    check_contains(report.error, "there is no such file.glb");
    lint_end(&report);
    write_bytes(FILE_NAME, "glTF", 4);
    assert_false(lint_file(&report, FILE_NAME, NULL, NULL));
    check_contains(report.error, FILE_NAME);
    lint_end(&report);
}

// ---- Nodes and scenes ----------------------------------------------------------------------------------------------

// One file: names are compared as what their escapes stand for, wherever they are.
static void test_json_key_repeated(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.hip = "'name':'Hip','name':'Hop'";
    expect(&p, LINT_JSON_KEY_REPEATED, "nodes[1].name", "the file has 1 such member");
    p.hip = "'name':'Hip','extras':{'a':1,'b':[{'c':1,'\\u0063':2,'C':3}],'d':{'a':1}}";
    expect(&p, LINT_JSON_KEY_REPEATED, "nodes[1].extras.b[0].c", "the file has 1 such member");
    p.hip = "'name':'Hip','extras':{'a':1,'b':1,'b':2,'a':2}";
    expect(&p, LINT_JSON_KEY_REPEATED, "nodes[1].extras.b", "the file has 2 such members");
}

static void test_matrix_shear(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.body = "'name':'Body','matrix':[1,0,0,0, 0.5,1,0,0, 0,0,1,0, 0,0,0,1]";
    // The y axis is (0.5, 1): atan(1 / 0.5) from x.
    expect(&p, LINT_MATRIX_SHEAR, "nodes[0].matrix", "the axes of 'Body' are 63.4 degrees apart");
    // A rotation with uneven scales, a mirror, a column of zeros: all are T R S.
    p.body = "'name':'Body','matrix':[0,2,0,0, -3,0,0,0, 0,0,-4,0, 0,0,0,1]";
    lint_fixture_write(&p, FILE_NAME);
    expect_nothing(FILE_NAME);
    p.body = "'name':'Body','matrix':[0,0,0,0, -3,0,0,0, 0,0,-4,0, 0,0,0,1]";
    lint_fixture_write(&p, FILE_NAME);
    expect_nothing(FILE_NAME);
}

static void test_matrix_animated(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.knee = "'name':'Knee','matrix':[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,1,0,1]";
    expect(&p, LINT_MATRIX_ANIMATED, "animations[0].channels[0]",
           "animates the rotation of 'Knee', which has a matrix");
}

static void test_matrix_and_trs(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.body = "'name':'Body','matrix':[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,1,0,1],'scale':[2,2,2]";
    expect(&p, LINT_MATRIX_AND_TRS, "nodes[0]", "'Body' has a matrix and a scale");
}

static void test_scene_roots(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.scene = "0,1,2";
    expect(&p, LINT_SCENE_ROOTS, "scenes[0].nodes[2]", "'Knee' is a child of 'Hip'");
}

// ---- Rotations -----------------------------------------------------------------------------------------------------

static void negate(float *q) {
    for (int i = 0; i < 4; i++) q[i] = -q[i];
}

static void test_rotation_flip(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    for (int k = 6; k < p.turn_keys; k++) negate(p.turns[k]);
    expect(&p, LINT_ROTATION_FLIP, "animations[0].samplers[0].output: key 6", "1 key like this in this sampler");
    p = lint_fixture_clean();
    negate(p.turns[6]);
    expect(&p, LINT_ROTATION_FLIP, "animations[0].samplers[0].output: key 6", "2 keys like this in this sampler");
}

// STEP does not go from key to key.
static void test_flipped_steps(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.interpolation = "STEP";
    negate(p.turns[6]);
    lint_fixture_write(&p, FILE_NAME);
    expect_nothing(FILE_NAME);
}

// The keys of the good clip as a spline, without tangents.
static lint_fixture make_spline(void) {
    lint_fixture p = lint_fixture_clean();
    float turns[FIXTURE_KEYS][4];
    memcpy(turns, p.turns, sizeof turns);
    memset(p.turns, 0, sizeof p.turns);
    for (size_t k = 0; k < (size_t)p.turn_keys; k++) memcpy(p.turns[3 * k + 1], turns[k], sizeof turns[k]);
    p.interpolation = "CUBICSPLINE";
    return p;
}

static void test_spline_flip(void **state) {
    (void)state;
    lint_fixture p = make_spline();
    lint_fixture_write(&p, FILE_NAME);
    expect_nothing(FILE_NAME);
    for (int k = 6; k < p.turn_keys; k++) negate(p.turns[3 * k + 1]);
    expect(&p, LINT_SPLINE_FLIP, "animations[0].samplers[0].output: key 6", "key 5");
}

static void test_not_unit(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    for (int i = 0; i < 4; i++) p.turns[3][i] *= 1.01f;
    expect(&p, LINT_ROTATION_NOT_UNIT, "animations[0].samplers[0].output: key 3",
           "the length is 1.01; 1 of 10 keys");
    p = lint_fixture_clean();
    p.hip = "'name':'Hip','rotation':[0,0,0,2]";
    expect(&p, LINT_ROTATION_NOT_UNIT, "nodes[1].rotation", "the length is 2");
}

// ---- Samplers ------------------------------------------------------------------------------------------------------

static void test_times_not_float(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    // A second clip's key times in the vertices' joints: 0, 1, 0, 0 and so on. The first two increase.
    p.accessor = "'bufferView':1,'componentType':5121,'type':'SCALAR','count':2,'min':[0],'max':[1]";
    p.clips = ",{'name':'Again','samplers':[{'input':8,'output':9}],"
              "'channels':[{'sampler':0,'target':{'node':1,'path':'translation'}}]}";
    p.second_accessor = "'bufferView':0,'componentType':5126,'type':'VEC3','count':2";
    expect(&p, LINT_TIMES_NOT_FLOAT, "accessors[8]",
           "componentType is 5121, but must be 5126 for the key times of animations[1].samplers[0]");
}

// Times that samplers share are one finding.
static void test_times_bounds(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.without_bounds = true;
    expect(&p, LINT_TIMES_BOUNDS, "accessors[4]",
           "has no min and max, but has the key times of animations[0].samplers[0]");
}

static void test_weights_count(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.body = "'name':'Body','weights':[0.5,0.5]";
    expect(&p, LINT_WEIGHTS_COUNT, "nodes[0].weights", "2 weights for 0 morph targets of meshes[0]");
    p = lint_fixture_clean();
    p.hip = "'name':'Hip','weights':[0.5]";
    expect(&p, LINT_WEIGHTS_COUNT, "nodes[1].weights", "1 weights, but 'Hip' has no mesh");
    p = lint_fixture_clean();
    p.mesh = ",'weights':[1]";
    expect(&p, LINT_WEIGHTS_COUNT, "meshes[0].weights", "1 weights for 0 morph targets");
}

static void test_weights_without_targets(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.channels = ",{'sampler':2,'target':{'node':0,'path':'weights'}}";
    p.samplers = ",{'input':4,'output':4}"; // ten numbers for ten keys: their times
    expect(&p, LINT_WEIGHTS_WITHOUT_TARGETS, "animations[0].channels[2]",
           "animates the weights of 'Body', which has no morph targets");
}

// ---- Tracks --------------------------------------------------------------------------------------------------------

static void test_single_spline(void **state) {
    (void)state;
    lint_fixture p = make_spline();
    p.own_times = true;
    p.turn_keys = 1;
    static const float tangent[4] = {9, 9, 9, 9};
    memcpy(p.turns[0], tangent, sizeof tangent);
    memcpy(p.turns[1], (float[4]){0.6f, 0, 0, 0.8f}, sizeof tangent);
    expect(&p, LINT_SPLINE_SINGLE_KEY, "animations[0].samplers[0]", "one key at 0 s");
}

static void test_start(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    for (int k = 0; k < p.turn_keys; k++) p.turn_times[k] += 0.5f;
    expect(&p, LINT_TIMES_START, "animations[0]", "'Bend' starts at 0.5 s");
    // One track from 0 is enough.
    p.own_times = true;
    lint_fixture_write(&p, FILE_NAME);
    expect_nothing(FILE_NAME);
}

static void test_negative_times(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    for (int k = 0; k < p.turn_keys; k++) p.turn_times[k] -= 0.25f;
    expect(&p, LINT_TIMES_NEGATIVE, "animations[0]", "'Bend' has a key at -0.25 s");
}

static void test_repeated_times(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.turn_times[2] = p.turn_times[1];
    expect(&p, LINT_TIMES_REPEATED, "animations[0].samplers[0].input", "keys 1 and 2 are both at ");
    p = lint_fixture_clean();
    p.turn_times[1] = p.turn_times[2] = p.turn_times[0];
    expect(&p, LINT_TIMES_REPEATED, "animations[0].samplers[0].input", "keys 0 and 1 are both at ");
}

static void test_parts(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.sections = "'extensionsUsed':['KHR_lights_punctual'],"
                 "'extensions':{'KHR_lights_punctual':{'lights':[{'type':'area'}]}}";
    expect(&p, LINT_PART_IGNORED, "extensions.KHR_lights_punctual.lights[0]",
           "type is not directional, point or spot");
}

static void test_channel_without_keys(void **state) {
    (void)state;
    char *text = json_quotes("{'asset':{'version':'2.0'},'scenes':[{'nodes':[0]}],'nodes':[{}],"
                             "'accessors':[{'componentType':5126,'type':'SCALAR','count':0}],"
                             "'animations':[{'name':'Grow','samplers':[{'input':0,'output':0}],"
                             "'channels':[{'sampler':0,'target':{'node':0,'path':'scale'}}]}]}");
    FILE *file = fopen("test_lint.gltf", "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    free(text);
    expect_in("test_lint.gltf", LINT_PART_IGNORED, "animations[0].channels[0]", "it has no keys");
}

// There and back, less 2 degrees.
static void turn_there_and_back(lint_fixture *p, double missing) {
    for (int k = 0; k < p->turn_keys; k++) {
        double t = (double)k / (p->turn_keys - 1);
        sinew_quat q = about_x(sin(PI * t) + missing * t);
        p->turns[k][0] = q.x, p->turns[k][3] = q.w;
    }
}

static void test_loop_seam(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    turn_there_and_back(&p, 2.0 * PI / 180.0);
    expect(&p, LINT_LOOP_SEAM, "animations[0].samplers[0].output: key 9",
           "'Bend': the last key of 'Knee' differs from the first by 2.00 degrees");
    turn_there_and_back(&p, 0.1 * PI / 180.0); // nobody sees that
    lint_fixture_write(&p, FILE_NAME);
    expect_nothing(FILE_NAME);
    p = lint_fixture_clean();
    p.clip = "'name':'Walk_Loop'"; // by its name it should close
    expect(&p, LINT_LOOP_SEAM, "animations[0].samplers[0].output: key 9",
           "'Walk_Loop': the last key of 'Knee' differs from the first by 114.59 degrees");
}

// Swings through `parts` equal parts of a cycle, a key at the start of each.
static void swing(lint_fixture *p, int parts) {
    for (int k = 0; k < p->turn_keys; k++) {
        const sinew_quat q = about_x(0.5 * sin(2.0 * PI * k / parts));
        p->turns[k][0] = q.x, p->turns[k][3] = q.w;
    }
}

static void test_loop_short(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.clip = "'name':'Swing'";
    swing(&p, p.turn_keys);
    expect(&p, LINT_LOOP_SHORT, "animations[0]", "'Swing' ends at");
    swing(&p, p.turn_keys - 1); // closed
    lint_fixture_write(&p, FILE_NAME);
    expect_nothing(FILE_NAME);
    swing(&p, 4 * p.turn_keys); // a quarter of it: no loop
    lint_fixture_write(&p, FILE_NAME);
    expect_nothing(FILE_NAME);
}

static void test_channel_repeated(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.channels = ",{'sampler':0,'target':{'node':2,'path':'rotation'}}";
    expect(&p, LINT_CHANNEL_REPEATED, "animations[0].channels[2]", "has the same target as channels[0]");
}

static void test_redundant(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.hip = "'name':'Hip','translation':[3,0.25,0]";
    p.bind_matrices[0][12] = p.bind_matrices[1][12] = -3.0f;
    p.bind_matrices[0][13] = -0.25f;
    p.bind_matrices[1][13] = -1.25f;
    for (int k = 0; k < p.move_keys; k++) p.moves[k][0] = 3.0f;
    expect(&p, LINT_TRACK_REDUNDANT, "animations[0].channels[1]", "translation of 'Hip': 10 keys");
    // It holds the clip's end: without it the clip would be shorter.
    p.own_times = true;
    p.move_keys = 2;
    p.move_times[1] = 5.0f;
    lint_fixture_write(&p, FILE_NAME);
    expect_nothing(FILE_NAME);
}

static void test_constant(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    for (int k = 0; k < p.move_keys; k++) p.moves[k][0] = 3.0f;
    expect(&p, LINT_TRACK_CONSTANT, "animations[0].samplers[1].output",
           "translation of 'Hip': all 10 keys are equal");
    // Two keys are how exporters say it.
    p.own_times = true;
    p.move_keys = 2;
    p.move_times[1] = 1.0f;
    lint_fixture_write(&p, FILE_NAME);
    expect_nothing(FILE_NAME);
}

// A spline may swing between its keys even if they're all the same.
static void test_swinging_spline(void **state) {
    (void)state;
    lint_fixture p = make_spline();
    for (int k = 0; k < p.turn_keys; k++)
        memcpy(p.turns[3 * k + 1], (float[4]){0.6f, 0, 0, 0.8f}, sizeof p.turns[0]);
    expect(&p, LINT_TRACK_CONSTANT, "animations[0].samplers[0].output",
           "rotation of 'Knee': all 10 keys are equal");
    p.turns[3 * 4 + 2][1] = 1.0f; // the out-tangent of key 4
    lint_fixture_write(&p, FILE_NAME);
    expect_nothing(FILE_NAME);
}

// The same keys at other times aren't a loop seam, dense keys or a constant. They're only there twice.
static void test_values_twice(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.clips = ",{'name':'Again','samplers':[{'input':4,'output':8}],"
              "'channels':[{'sampler':0,'target':{'node':1,'path':'translation'}}]}";
    p.copy_of_moves = true;
    expect(&p, LINT_TRACK_DUPLICATE, "animations[1].samplers[0].output", "accessors[8] equals accessors[7]");
}

static void test_times_twice(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_with_keys(FIXTURE_KEYS);
    p.own_times = true;
    expect(&p, LINT_TIMES_DUPLICATE, "animations[0].samplers[1].input", "accessors[6] equals accessors[4]");
}

static void test_dense(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.own_times = true;
    for (int k = 0; k < p.move_keys; k++) {
        p.move_times[k] = 0.25f * (float)k;
        p.moves[k][0] = (float)k;
    }
    expect(&p, LINT_KEYS_DENSE, "animations[0].samplers[1].input", "8 of 10 keys are not needed in 1 track");
    p.moves[3][0] += 0.1f; // each takes both its neighbours to say
    p.moves[7][0] += 0.1f;
    lint_fixture_write(&p, FILE_NAME);
    expect_nothing(FILE_NAME);
}

// ---- Skins ---------------------------------------------------------------------------------------------------------

static void test_weights_sum(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.weights[1][0] = 0.5f;
    expect(&p, LINT_WEIGHTS_SUM, "meshes[0].primitives[0].attributes.WEIGHTS_0: vertex 1",
           "sum to 1.25; 1 of 3 vertices");
    p = lint_fixture_clean();
    p.weights[1][2] = -0.1f; // the others sum to 1
    expect(&p, LINT_WEIGHTS_SUM, "meshes[0].primitives[0].attributes.WEIGHTS_0: vertex 1", "1 of 3 vertices");
    p = lint_fixture_clean();
    p.weights[2][1] = 0.0f;
    expect(&p, LINT_WEIGHTS_SUM, "meshes[0].primitives[0].attributes.WEIGHTS_0: vertex 2", "1 have no weights");
}

static void test_weights_not_finite(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.weights[1][2] = NAN; // the others sum to 1
    p.weights[2][0] = -INFINITY;
    expect(&p, LINT_WEIGHTS_NOT_FINITE, "meshes[0].primitives[0].attributes.WEIGHTS_0: vertex 1",
           "2 of 3 vertices have such weights");
}

static void test_influences_small(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    static const float first[4] = {0.4f, 0.3f, 0.2f, 0.0975f};
    p.has_second = true;
    memcpy(p.weights[1], first, sizeof first);
    p.second_weights[1][0] = 0.0025f;
    expect(&p, LINT_INFLUENCES_SMALL, "meshes[0].primitives[0].attributes.WEIGHTS_1", "at most 0.0025");
    p.weights[1][0] = 0.3f; // then it matters
    p.second_weights[1][0] = 0.1025f;
    p.weights[1][3] = 0.0975f;
    lint_fixture_write(&p, FILE_NAME);
    expect_nothing(FILE_NAME);
}

static void test_joint_unused(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.weights[1][0] = p.weights[2][0] = 1.0f;
    p.weights[1][1] = p.weights[2][1] = 0.0f;
    expect(&p, LINT_JOINT_UNUSED, "skins[0].joints", "1 of 2 joints: 'Knee'");
}

static void test_roots(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.hip = "'name':'Hip'";
    p.nodes = ",{'name':'Elsewhere','translation':[0,1,0]}";
    p.scene = "0,1,3";
    p.joints = "1,3";
    expect(&p, LINT_SKIN_ROOTS, "skins[0].joints[1]", "'Elsewhere' has no common ancestor with joint 0, 'Hip'");
}

static void test_skin_skeleton(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.skin = ",'skeleton':2";
    expect(&p, LINT_SKIN_SKELETON, "skins[0].skeleton", "'Knee' is not an ancestor of joints[0], 'Hip'");
    p.skin = ",'skeleton':0";
    expect(&p, LINT_SKIN_SKELETON, "skins[0].skeleton", "'Body' is not an ancestor of joints[0], 'Hip'");
    p.skin = ",'skeleton':3";
    expect(&p, LINT_SKIN_SKELETON, "skins[0].skeleton", "3 is not a node; the file has 3 nodes");
    p.skin = ",'skeleton':'Hip'";
    expect(&p, LINT_SKIN_SKELETON, "skins[0].skeleton", "is not a node");
    p.skin = ",'skeleton':1"; // a joint may be above the others
    lint_fixture_write(&p, FILE_NAME);
    expect_nothing(FILE_NAME);
    p.nodes = ",{'name':'Above','children':[0,1]}";
    p.scene = "3";
    p.skin = ",'skeleton':3";
    lint_fixture_write(&p, FILE_NAME);
    expect_nothing(FILE_NAME);
}

static void test_joints_outside_scene(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.scene = "0]},{'name':'Bones','nodes':[1";
    expect(&p, LINT_JOINTS_OUTSIDE, "skins[0].joints[0]", "'Hip' is not in scenes[0], where 'Body' uses the skin");
    p.scene = "1]},{'nodes':[1,0]},{'nodes':[0"; // the last shows the mesh alone
    expect(&p, LINT_JOINTS_OUTSIDE, "skins[0].joints[0]", "'Hip' is not in scenes[2]");
    p.scene = "1]},{'nodes':[1,0"; // joints alone are good, too
    lint_fixture_write(&p, FILE_NAME);
    expect_nothing(FILE_NAME);
}

static void test_binds_missing(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.binds = false;
    expect(&p, LINT_INVERSE_BINDS_MISSING, "skins[0]", "2 joints");
}

static void test_binds_row(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.bind_matrices[1][15] = 0.0f;
    expect(&p, LINT_INVERSE_BINDS_ROW, "skins[0].inverseBindMatrices: matrix 1", "0 0 0 0");
}

static void test_binds_rest(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.knee = "'name':'Knee','translation':[0,1,0],'rotation':[0.5,0,0,0.8660254]";
    expect(&p, LINT_INVERSE_BINDS_REST, "skins[0].inverseBindMatrices",
           "1 of 2 joints do not match; the worst, 'Knee', is rotated by 60.0");
}

static void test_mirrored(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.hip = "'name':'Hip','scale':[-1,1,1]";
    p.bind_matrices[0][0] = p.bind_matrices[1][0] = -1.0f;
    expect(&p, LINT_JOINT_MIRRORED, "nodes[1]", "'Hip' mirrors");
}

static void test_shear(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    // The knee's axes are (1, 1, 0) and (-1, 1, 0) over the root of 2; stretched by 2 along x they are 53 degrees apart.
    p.hip = "'name':'Hip','scale':[2,1,1]";
    p.knee = "'name':'Knee','translation':[0,1,0],'rotation':[0,0,0.38268343,0.92387953]";
    static const float inverse[16] = {0.35355339f,  -0.35355339f, 0, 0, 0.70710678f, 0.70710678f, 0, 0, 0, 0, 1, 0,
                                      -0.70710678f, -0.70710678f, 0, 1};
    p.bind_matrices[0][0] = 0.5f;
    memcpy(p.bind_matrices[1], inverse, sizeof inverse);
    expect(&p, LINT_JOINT_SHEAR, "nodes[2]", "the axes of 'Knee' are 53.1 degrees apart");
}

// ---- Names and what is unused ------------------------------------------------------------------------------------

static void test_name_missing(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.clip = "'extras':{}";
    expect(&p, LINT_NAME_MISSING, "animations[0]", "no name");
    p = lint_fixture_clean();
    p.knee = "'translation':[0,1,0]";
    expect(&p, LINT_NAME_MISSING, "nodes[2]", "a joint without a name");
    p = lint_fixture_clean();
    p.body = "'extras':{}"; // neither a joint nor animated: nobody asks for it
    lint_fixture_write(&p, FILE_NAME);
    expect_nothing(FILE_NAME);
}

static void test_name_duplicate(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.body = "'name':'Hip'";
    expect(&p, LINT_NAME_DUPLICATE, "nodes[1].name", "'Hip' is also the name of nodes[0]; 2 objects share it");
    p = lint_fixture_clean();
    p.clips = ",{'name':'Bend','samplers':[{'input':4,'output':5}],"
              "'channels':[{'sampler':0,'target':{'node':2,'path':'rotation'}}]}";
    expect(&p, LINT_NAME_DUPLICATE, "animations[1].name", "'Bend' is also the name of animations[0]");
}

static void test_unused_data(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    static const uint8_t spare[100] = {1};
    p.spare = spare;
    p.spare_size = sizeof spare;
    expect(&p, LINT_UNUSED_DATA, "buffers[0]", "100 of ");
    p = lint_fixture_clean();
    p.accessor = "'bufferView':0,'componentType':5126,'type':'VEC3','count':3";
    expect(&p, LINT_UNUSED_DATA, "accessors[8]", "nothing refers to it");
    // An extension that is not known may refer to it.
    p.sections = "'extensionsUsed':['EXT_ours'],'extensions':{'EXT_ours':{'accessor':8}}";
    lint_fixture_write(&p, FILE_NAME);
    expect_nothing(FILE_NAME);
}

static void test_unused_sampler(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.samplers = ",{'input':4,'output':5}";
    expect(&p, LINT_UNUSED_SAMPLER, "animations[0].samplers[2]", "no channel uses it");
}

static void test_unused_object(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.sections = "'materials':[{'name':'Red'}]";
    expect(&p, LINT_UNUSED_OBJECT, "materials[0]", "nothing refers to it");
    p.sections = "'materials':[{'name':'Red','extras':{'for':'the shop'}}]"; // somebody may look for it
    lint_fixture_write(&p, FILE_NAME);
    expect_nothing(FILE_NAME);
    p.sections = "'cameras':[{'type':'perspective','perspective':{'yfov':1,'znear':1}}]";
    expect(&p, LINT_UNUSED_OBJECT, "cameras[0]", "nothing refers to it");
}

static void test_unused_node(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.nodes = ",{'name':'Stray','children':[4]},{'name':'Its child'}";
    expect(&p, LINT_UNUSED_NODE, "nodes[3]", "'Stray' is not in any scene");
}

// ---- Markers -------------------------------------------------------------------------------------------------------

#define SIDECAR "fixture.markers.json"

// The clip lasts from 0 to 1.125 s.
static void test_marker_outside(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.clip =
        "'name':'Bend','extras':{'markers':[{'name':'end','time':1.125},{'name':'late','time':1.25},7,{'time':0}]}";
    expect(&p, LINT_MARKER_OUTSIDE, "animations[0].extras.markers[1]",
           "'late' is at 1.25 s, but 'Bend' runs from 0 to 1.125 s");
    p.clip = "'name':'Bend','extras':{'markers':[{'name':'early','time':-0.5}]}";
    expect(&p, LINT_MARKER_OUTSIDE, "animations[0].extras.markers[0]", "'early' is at -0.5 s");
    p = lint_fixture_clean();
    lint_fixture_write(&p, FILE_NAME);
    static const char beside[] =
        "\xEF\xBB\xBF{\"#0\":[{\"name\":\"a\",\"time\":1}],\"Bend\":[{\"name\":\"b\",\"time\":30}]}";
    write_bytes(SIDECAR, beside, sizeof beside - 1);
    expect_in(FILE_NAME, LINT_MARKER_OUTSIDE, "sidecar file: Bend[0]", "'b' is at 30 s");
    remove(SIDECAR);
}

static void test_marker_twice(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.clip = "'name':'Bend','extras':{'markers':[{'name':'a','time':0.25},{'name':'b','time':0.25},{'name':'a','"
             "time':0.5},"
             "{'name':'a','time':0.2505}]}";
    expect(&p, LINT_MARKER_TWICE, "animations[0].extras.markers[3]",
           "'a' is at 0.2505 s, and also at 0.25 s in animations[0].extras.markers[0]");
    p.clip = "'name':'Bend','extras':{'markers':[{'name':'a','time':0.25},{'name':'b','time':0.5}]}";
    lint_fixture_write(&p, FILE_NAME);
    static const char same[] = "{\"Bend\":[{\"name\":\"a\",\"time\":0.25},{\"name\":\"a\",\"time\":0.2511}]}";
    write_bytes(SIDECAR, same, sizeof same - 1);
    expect_nothing(FILE_NAME);
    static const char rounded[] = "{\"Bend\":[{\"name\":\"b\",\"time\":0.50004}]}";
    write_bytes(SIDECAR, rounded, sizeof rounded - 1);
    expect_in(FILE_NAME, LINT_MARKER_TWICE, "sidecar file: Bend[0]", "in animations[0].extras.markers[1]");
    remove(SIDECAR);
}

// ---- Curves --------------------------------------------------------------------------------------------------------

#define CURVES(members) "'name':'Bend','extras':{'curves':{" members "}}"
#define GRIP            "'Grip':{'times':[0,1],'values':[0,1]}"

static void test_curve_ignored(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.clip = CURVES(GRIP ",'Reach':{'times':[0,1],'value':[0,1]}");
    expect(&p, LINT_CURVE_IGNORED, "animations[0].extras.curves.Reach",
           "ignored, because it has no times and values");
    p.clip = "'name':'Bend','extras':{'curves':[]}";
    expect(&p, LINT_CURVE_IGNORED, "animations[0].extras.curves", "it is not an object");
    p.clip = CURVES(GRIP);
    lint_fixture_write(&p, FILE_NAME);
    expect_nothing(FILE_NAME);
}

static void test_invalid_curves(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.clip = CURVES("'Grip':{'times':[0,1,1],'values':[0,1,2]}");
    expect(&p, LINT_CURVE_IGNORED, "animations[0].extras.curves.Grip", "key 2 is at 1 s, not after key 1 at 1 s");
    p.clip = CURVES("'Grip':{'times':[0],'values':[1e39]}");
    expect(&p, LINT_CURVE_IGNORED, "animations[0].extras.curves.Grip", "is not within the range of a float");
}

static void test_curve_twice(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.clip = CURVES(GRIP);
    lint_fixture_write(&p, FILE_NAME);
    static const char beside[] = "{\"Bend\":{\"curves\":{\"Grip\":{\"times\":[0,1],\"values\":[0,3]}}}}";
    write_bytes(SIDECAR, beside, sizeof beside - 1);
    expect_in(FILE_NAME, LINT_CURVE_TWICE, "animations[0].extras.curves.Grip", "the sidecar file has the curve");
    p.clip = "'name':'Bend'";
    lint_fixture_write(&p, FILE_NAME);
    static const char twice[] = "{\"Bend\":{\"curves\":{\"A\":{\"times\":[0],\"values\":[3]}}},"
                                "\"#0\":{\"curves\":{\"A\":{\"times\":[0],\"values\":[3]}}}}";
    write_bytes(SIDECAR, twice, sizeof twice - 1);
    expect_in(FILE_NAME, LINT_CURVE_TWICE, "the sidecar file: animations[0].curves.A", "an earlier curve");
    static const char markers[] = "{\"Bend\":{\"markers\":[{\"name\":\"b\",\"time\":30}]}}";
    write_bytes(SIDECAR, markers, sizeof markers - 1);
    expect_in(FILE_NAME, LINT_MARKER_OUTSIDE, "sidecar file: Bend.markers[0]", "'b' is at 30 s");
    remove(SIDECAR);
}

static void test_curve_still(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    p.clip = CURVES(GRIP ",'Reach':{'times':[0,1],'values':[0,0]}");
    expect(&p, LINT_CURVE_STILL, "animations[0]", "'Reach' is 0 in all clips");
    p.clip = CURVES(GRIP ",'Reach':{'interpolation':'CUBICSPLINE','times':[0],'values':[5,0,5]}");
    expect(&p, LINT_CURVE_STILL, "animations[0]", "'Reach' is 0 in all clips");
}

#define POINTER_CHANNEL(more, pointer)                                                                             \
    ",{'sampler':2,'target':{'path':'pointer'," more "'extensions':{'KHR_animation_pointer':{'pointer':'" pointer  \
    "'}}}}"
#define POINTER_USED ",'extensionsUsed':['KHR_animation_pointer']"

// A file with a channel of a pointer.
static lint_fixture point(const char *channel, const char *sections) {
    lint_fixture p = lint_fixture_clean();
    p.samplers = ",{'input':4,'output':4}"; // the values are the times
    p.channels = channel;
    p.sections = sections;
    return p;
}

static void test_pointers(void **state) {
    (void)state;
    lint_fixture p = point(POINTER_CHANNEL("", "/extras/glow"), "'extras':{'glow':1}" POINTER_USED);
    lint_fixture_write(&p, FILE_NAME);
    expect_nothing(FILE_NAME);
    p = point(POINTER_CHANNEL("", "/extras/glow"), "'extras':{'glow':'bright'}" POINTER_USED);
    expect(&p, LINT_POINTER_IGNORED, "animations[0].channels[2]",
           "the file has no number or boolean at '/extras/glow'");
    p = point(POINTER_CHANNEL("'node':0,", "/extras/glow"), "'extras':{'glow':1}" POINTER_USED);
    expect(&p, LINT_POINTER_INVALID, "animations[0].channels[2].target", "must not have a node");
    p = point(POINTER_CHANNEL("", "/extras/glow"), "'extras':{'glow':1}");
    expect(&p, LINT_POINTER_INVALID, "animations[0].channels[2].target", "extensionsUsed does not list");
    p = point(POINTER_CHANNEL("", "/nodes/0/mesh"), "'extras':{}" POINTER_USED);
    expect(&p, LINT_POINTER_IGNORED, "animations[0].channels[2]",
           "'/nodes/0/mesh' isn't a property that can be animated");
}

static void test_broken_sidecar(void **state) {
    (void)state;
    lint_fixture p = lint_fixture_clean();
    lint_fixture_write(&p, FILE_NAME);
    static const char typo[] = "{\"Bned\":[]}";
    write_bytes(SIDECAR, typo, sizeof typo - 1);
    expect_in(FILE_NAME, LINT_REFUSED, "fixture.markers.json",
              "there is no animation 'Bned'; the glTF file has 'Bend'");
    remove(SIDECAR);
}

// ---- The rules -----------------------------------------------------------------------------------------------------

// Stands last.
static void test_every_rule_was_planted(void **state) {
    (void)state;
    for (int i = 0; i < LINT_RULE_COUNT; i++) {
        if (!reported_rules[i]) print_error("%s is never reported\n", lint_rules[i].id);
        assert_true(reported_rules[i]);
    }
}

static void test_table(void **state) {
    (void)state;
    for (int i = 0; i < LINT_RULE_COUNT; i++) {
        const lint_rule *rule = &lint_rules[i];
        assert_int_equal(strspn(rule->id, "abcdefghijklmnopqrstuvwxyz-"), strlen(rule->id));
        assert_true(strlen(rule->title) > 10 && strlen(rule->why) > 20 && strlen(rule->advice) > 10);
        for (int k = 0; k < i; k++) assert_string_not_equal(rule->id, lint_rules[k].id);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_short_binds),
        cmocka_unit_test(test_no_file),
        cmocka_unit_test(test_json_key_repeated),
        cmocka_unit_test(test_matrix_shear),
        cmocka_unit_test(test_matrix_animated),
        cmocka_unit_test(test_matrix_and_trs),
        cmocka_unit_test(test_scene_roots),
        cmocka_unit_test(test_times_not_float),
        cmocka_unit_test(test_times_bounds),
        cmocka_unit_test(test_weights_count),
        cmocka_unit_test(test_weights_without_targets),
        cmocka_unit_test(test_rotation_flip),
        cmocka_unit_test(test_flipped_steps),
        cmocka_unit_test(test_spline_flip),
        cmocka_unit_test(test_not_unit),
        cmocka_unit_test(test_single_spline),
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_negative_times),
        cmocka_unit_test(test_repeated_times),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_channel_without_keys),
        cmocka_unit_test(test_loop_seam),
        cmocka_unit_test(test_loop_short),
        cmocka_unit_test(test_channel_repeated),
        cmocka_unit_test(test_redundant),
        cmocka_unit_test(test_constant),
        cmocka_unit_test(test_swinging_spline),
        cmocka_unit_test(test_values_twice),
        cmocka_unit_test(test_times_twice),
        cmocka_unit_test(test_dense),
        cmocka_unit_test(test_weights_sum),
        cmocka_unit_test(test_weights_not_finite),
        cmocka_unit_test(test_influences_small),
        cmocka_unit_test(test_joint_unused),
        cmocka_unit_test(test_roots),
        cmocka_unit_test(test_skin_skeleton),
        cmocka_unit_test(test_joints_outside_scene),
        cmocka_unit_test(test_binds_missing),
        cmocka_unit_test(test_binds_row),
        cmocka_unit_test(test_binds_rest),
        cmocka_unit_test(test_mirrored),
        cmocka_unit_test(test_shear),
        cmocka_unit_test(test_name_missing),
        cmocka_unit_test(test_name_duplicate),
        cmocka_unit_test(test_unused_data),
        cmocka_unit_test(test_unused_sampler),
        cmocka_unit_test(test_unused_object),
        cmocka_unit_test(test_unused_node),
        cmocka_unit_test(test_marker_outside),
        cmocka_unit_test(test_marker_twice),
        cmocka_unit_test(test_curve_ignored),
        cmocka_unit_test(test_invalid_curves),
        cmocka_unit_test(test_curve_twice),
        cmocka_unit_test(test_curve_still),
        cmocka_unit_test(test_pointers),
        cmocka_unit_test(test_broken_sidecar),
        cmocka_unit_test(test_every_rule_was_planted),
        cmocka_unit_test(test_table),
    };
    enter_folder("sinew-lint");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
