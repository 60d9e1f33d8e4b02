// SPDX-License-Identifier: MIT
// `sinew verify` must notice when the library is wrong. So here it is: the linker puts functions between the library
// and the command that plant one fault each.
#include "cli/cli.h"
#include "support/gltf_builder.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- Faults ------------------------------------------------------------------------------------------------------

typedef enum fault {
    NONE,
    BETWEEN_KEYS,   // a node is moved halfway between keys
    BESIDE_A_KEY,   // and only just before one
    BEYOND_THE_END, // and only behind the last
    BEFORE_THE_START,
    AT_REST,  // a node is moved in the rest pose
    ROTATION, // a leaf's rotation is a little off
    NODE_NOT_A_NUMBER,
    VERTEX, // one vertex is moved, in one clip
    VERTEX_NOT_A_NUMBER,
    NORMAL,       // one normal is bent
    SHORT_NORMAL, // another is bent a lot
    TANGENT,      // the handedness of one tangent is turned
    MORPH,        // morph targets weigh a little more
} fault;

static fault planted;
static float sampled_time; // of the pose that is being made; negative infinity: none was sampled yet

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the linker's --wrap prescribes these names
void __real_sinew_clip_sample(const sinew_clip *clip, float time, sinew_pose *pose);
void __wrap_sinew_clip_sample(const sinew_clip *clip, float time, sinew_pose *pose);
void __real_sinew_pose_to_model(const sinew_pose *pose, sinew_affine *model);
void __wrap_sinew_pose_to_model(const sinew_pose *pose, sinew_affine *model);
void __real_sinew_skin_vertices(const sinew_skin_job *job, const sinew_affine *palette, int32_t first,
                                int32_t count);
void __wrap_sinew_skin_vertices(const sinew_skin_job *job, const sinew_affine *palette, int32_t first,
                                int32_t count);
void __real_sinew_morph(const float *base, const float *const *deltas, const float *weights, int32_t target_count,
                        int32_t float_count, float *out);
void __wrap_sinew_morph(const float *base, const float *const *deltas, const float *weights, int32_t target_count,
                        int32_t float_count, float *out);

// The keys of the test's clip are at 1, 2 and 4 s.
static bool is_due(void) {
    switch (planted) {
    case BETWEEN_KEYS:
        return sampled_time == 3.0f;
    case BESIDE_A_KEY:
        return sampled_time > 3.999f && sampled_time < 4.0f;
    case BEYOND_THE_END:
        return sampled_time > 4.0f;
    case BEFORE_THE_START:
        return sampled_time < 1.0f && sampled_time > -10.0f;
    case AT_REST:
        return sampled_time < -10.0f;
    default:
        return sampled_time == 2.0f;
    }
}

void __wrap_sinew_clip_sample(const sinew_clip *clip, float time, sinew_pose *pose) {
    __real_sinew_clip_sample(clip, time, pose);
    sampled_time = time;
}

void __wrap_sinew_pose_to_model(const sinew_pose *pose, sinew_affine *model) {
    __real_sinew_pose_to_model(pose, model);
    int32_t tip = sinew_skeleton_find(pose->skeleton, "tip");
    if (!is_due()) return;
    if (planted == ROTATION) model[tip].m[0][1] += 1e-5f;
    if (planted == NODE_NOT_A_NUMBER) model[tip].m[2][3] = NAN;
    if (planted >= BETWEEN_KEYS && planted <= AT_REST) model[tip].m[1][3] += 1e-4f;
}

void __wrap_sinew_skin_vertices(const sinew_skin_job *job, const sinew_affine *palette, int32_t first,
                                int32_t count) {
    __real_sinew_skin_vertices(job, palette, first, count);
    if (!is_due() || count < 3) return;
    if (planted == VERTEX) job->out_positions[3 * 1 + 2] += 1e-4f;
    if (planted == VERTEX_NOT_A_NUMBER) job->out_positions[(ptrdiff_t)3 * 2] = INFINITY;
    if (planted == NORMAL) job->out_normals[0] += 1e-5f;
    if (planted == SHORT_NORMAL) job->out_normals[3] += 0.05f;
    if (planted == TANGENT) job->out_tangents[3] *= -1.0f;
}

void __wrap_sinew_morph(const float *base, const float *const *deltas, const float *weights, int32_t target_count,
                        int32_t float_count, float *out) {
    float heavier[1] = {weights ? weights[0] * 1.0001f : 0.0f};
    bool wrong = planted == MORPH && target_count == 1;
    __real_sinew_morph(base, deltas, wrong ? heavier : weights, target_count, float_count, out);
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

// ---- Running the command -------------------------------------------------------------------------------------------

static char printed[1 << 16], said[4096]; // on standard output and standard error, by the run before

static void read_back(const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

// Runs in its own process: a planted fault dies with it. Returns the exit status.
static int verify(fault which, const char *arguments[]) {
    int argc = 1;
    char name[] = "verify", *argv[8] = {name};
    for (; arguments[argc - 1]; argc++) argv[argc] = (char *)(uintptr_t)arguments[argc - 1];
    (void)fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        planted = which;
        sampled_time = -INFINITY;
        bool good = freopen("test_verify.out", "wb", stdout) && freopen("test_verify.err", "wb", stderr);
        exit(good ? cli_verify(argc, argv) : 99);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    read_back("test_verify.out", printed, sizeof printed);
    read_back("test_verify.err", said, sizeof said);
    return WEXITSTATUS(status);
}

// A strip of three vertices on two joints, with everything that can be wrong: "root" is lifted from 1 to 4 s, "tip"
// turns on it, and the mesh has normals, tangents, and one morph target that comes in.
static void write_model(void) {
    gltf_builder b = gltf_begin();
    const float positions[9] = {0, -1, 0, 1, -1, 0, 0, -1, 0}, normals[9] = {0, 0, 1, 0, 0, 1, 0, 0, 1};
    const float tangents[12] = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1}, lift[9] = {0, 0, 0, 0, 0, 0.5f, 0, 0, 0.5f};
    const uint8_t joints[12] = {0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0};
    const float weights[12] = {1, 0, 0, 0, 1, 0, 0, 0, 0.5f, 0.5f, 0, 0};
    const float times[3] = {1, 2, 4}, places[9] = {0, 0, 0, 0, 1, 0, 0, 2, 1};
    const float turns[12] = {0, 0, 0, 1, 0, 0.6f, 0, 0.8f, 0, 0, 0.6f, 0.8f}, shapes[3] = {0, 1, 0.5f};
    const float binds[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0,  0, 0, 1,
                             1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1};
    int position = gltf_floats(&b, "VEC3", 3, positions), normal = gltf_floats(&b, "VEC3", 3, normals);
    int tangent = gltf_floats(&b, "VEC4", 3, tangents), target = gltf_floats(&b, "VEC3", 3, lift);
    int joint = gltf_accessor(&b, joints, sizeof joints, U8, "VEC4", 3),
        weight = gltf_floats(&b, "VEC4", 3, weights);
    int time = gltf_floats(&b, "SCALAR", 3, times), place = gltf_floats(&b, "VEC3", 3, places);
    int turn = gltf_floats(&b, "VEC4", 3, turns), shape = gltf_floats(&b, "SCALAR", 3, shapes);
    int bind = gltf_floats(&b, "MAT4", 2, binds);
    gltf_section(&b,
                 "'meshes':[{'primitives':[{'attributes':{'POSITION':%d,'NORMAL':%d,'TANGENT':%d,'JOINTS_0':%d,"
                 "'WEIGHTS_0':%d},'targets':[{'POSITION':%d}]}]}]",
                 position, normal, tangent, joint, weight, target);
    gltf_section(&b,
                 "'nodes':[{'name':'root','children':[1]},{'name':'tip','translation':[1,0,0]},"
                 "{'name':'body','mesh':0,'skin':0}],'skins':[{'joints':[0,1],'inverseBindMatrices':%d}]",
                 bind);
    gltf_section(&b,
                 "'animations':[{'name':'Wave','channels':[{'sampler':0,'target':{'node':0,'path':'translation'}},"
                 "{'sampler':1,'target':{'node':1,'path':'rotation'}},"
                 "{'sampler':2,'target':{'node':2,'path':'weights'}}],'samplers':[{'input':%d,'output':%d},"
                 "{'input':%d,'output':%d},{'input':%d,'output':%d}]}]",
                 time, place, time, turn, time, shape);
    gltf_save_glb(&b, "test_verify.glb");
}

// A triangle that shrinks to nothing and grows again, so smoothly that at the nearest floats beside the key it is 1e-13
// of what it was.
static void write_shrinking(void) {
    gltf_builder b = gltf_begin();
    const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, normals[9] = {0, 0, 1, 0, 0, 1, 0, 0, 1};
    const float times[3] = {0, 0.5f, 1};
    float scales[27] = {0}; // without tangents
    for (int i = 0; i < 3; i++) scales[3 + i] = scales[21 + i] = 1;
    int position = gltf_floats(&b, "VEC3", 3, positions), normal = gltf_floats(&b, "VEC3", 3, normals);
    int time = gltf_floats(&b, "SCALAR", 3, times), scale = gltf_floats(&b, "VEC3", 9, scales);
    gltf_section(&b, "'meshes':[{'primitives':[{'attributes':{'POSITION':%d,'NORMAL':%d}}]}],'nodes':[{'mesh':0}]",
                 position, normal);
    gltf_section(&b,
                 "'animations':[{'channels':[{'sampler':0,'target':{'node':0,'path':'scale'}}],'samplers':"
                 "[{'input':%d,'output':%d,'interpolation':'CUBICSPLINE'}]}]",
                 time, scale);
    gltf_save_glb(&b, "test_verify_shrinking.glb");
}

// Morph targets that leave a thousandth of the normals of two vertices at 2 s, and all of the first vertex's. The largest
// error of a normal is there the rounding of its terms, 6e-8, over that thousandth.
static void write_vanishing_normals(void) {
    gltf_builder b = gltf_begin();
    const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const float normals[9] = {0, 0, 1, 0.6f, 0.48f, 0.64f, 0.64f, 0.48f, 0.6f};
    const float times[3] = {1, 2, 4}, weights[3] = {0, 0.999f, 0.3f};
    float displacements[9] = {0};
    for (int i = 3; i < 9; i++) displacements[i] = -normals[i];
    int position = gltf_floats(&b, "VEC3", 3, positions), normal = gltf_floats(&b, "VEC3", 3, normals);
    int displacement = gltf_floats(&b, "VEC3", 3, displacements);
    int time = gltf_floats(&b, "SCALAR", 3, times), weight = gltf_floats(&b, "SCALAR", 3, weights);
    gltf_section(&b,
                 "'meshes':[{'primitives':[{'attributes':{'POSITION':%d,'NORMAL':%d},'targets':[{'NORMAL':%d}]}]}],"
                 "'nodes':[{'mesh':0}]",
                 position, normal, displacement);
    gltf_section(&b,
                 "'animations':[{'channels':[{'sampler':0,'target':{'node':0,'path':'weights'}}],'samplers':"
                 "[{'input':%d,'output':%d}]}]",
                 time, weight);
    gltf_save_glb(&b, "test_verify_vanishing.glb");
}

// ---- Tests -------------------------------------------------------------------------------------------------------

static void test_a_sound_library_passes(void **state) {
    (void)state;
    assert_int_equal(verify(NONE, (const char *[]){"test_verify.glb", NULL}), CLI_GOOD);
    check_contains(printed, "18 poses of 1 clips"); // rest, 3 keys, 5 between each two, 4 outside
    assert_string_equal(said, "");
}

// The verdict is 1, and what it says names the place, the clip and the time.
static void expect_found(fault which, const char *row, const char *where, const char *when) {
    assert_int_equal(verify(which, (const char *[]){"test_verify.glb", NULL}), CLI_BAD_INPUT);
    check_contains(said, "sinew: test_verify.glb: the largest error, ");
    check_contains(printed, row);
    char first[256]; // behind the title of the table
    const char *line = strstr(printed, row) + strlen(row) + 1;
    snprintf(first, sizeof first, "%.*s", (int)strcspn(line, "\n"), line);
    check_contains(first, where);
    check_contains(first, when);
}

static void test_faults_in_poses_are_found(void **state) {
    (void)state;
    expect_found(BETWEEN_KEYS, "node positions", "tip #1 ", "Wave #0, 3 s");
    expect_found(BESIDE_A_KEY, "node positions", "tip #1 ", "Wave #0, 3.99999976 s");
    expect_found(BEYOND_THE_END, "node positions", "tip #1 ", "Wave #0, ");
    expect_found(BEFORE_THE_START, "node positions", "tip #1 ", "Wave #0, ");
    expect_found(AT_REST, "node positions", "tip #1 ", "rest pose");
    expect_found(ROTATION, "node rotation and scale", "tip #1 ", "Wave #0, 2 s");
}

static void test_faults_in_vertices_are_found(void **state) {
    (void)state;
    expect_found(VERTEX, "vertex positions", "body #2, primitive 0, vertex 1 ", "Wave #0, 2 s");
    expect_found(NORMAL, "normals", "body #2, primitive 0, vertex 0 ", "Wave #0, 2 s");
    expect_found(TANGENT, "tangents", "body #2, primitive 0, vertex 0 ", "Wave #0, 2 s");
    expect_found(MORPH, "vertex positions", "body #2, primitive 0, vertex ", "Wave #0, 2 s");
}

// Comparing with a NaN is false, either way round.
static void test_what_is_no_number_is_no_agreement(void **state) {
    (void)state;
    expect_found(NODE_NOT_A_NUMBER, "node positions", "  inf  ", "Wave #0, 2 s");
    expect_found(VERTEX_NOT_A_NUMBER, "vertex positions", "  inf  ", "Wave #0, 2 s");
    const char *all[] = {"test_verify.glb", "--tolerance", "1", "--json", NULL};
    assert_int_equal(verify(VERTEX_NOT_A_NUMBER, all), CLI_BAD_INPUT);
    check_contains(printed, "\"largest\":null");
    check_contains(printed, "\"position\":{\"error\":null,\"vertex\":2,\"clip\":0,\"time\":2}");
}

// Rounding decides where the normals of such a triangle point, and the test before shows that others do count.
static void test_surfaces_without_an_extent_have_no_normals(void **state) {
    (void)state;
    assert_int_equal(verify(NONE, (const char *[]){"test_verify_shrinking.glb", NULL}), CLI_GOOD);
}

// What rounding does to the last thousandth of a normal isn't the library's fault.
static void test_normals_count_by_what_is_left_of_them(void **state) {
    (void)state;
    const char *file[] = {"test_verify_vanishing.glb", NULL};
    assert_int_equal(verify(NONE, file), CLI_GOOD);
    assert_int_equal(verify(NORMAL, file), CLI_BAD_INPUT);
    check_contains(printed, "primitive 0, vertex 0 ");
    assert_int_equal(verify(SHORT_NORMAL, file), CLI_BAD_INPUT);
    check_contains(printed, "primitive 0, vertex 1 ");
}

// Errors are relative to the model's size: here that's 2, the height of "root". No vertex is that far.
static void test_tolerance(void **state) {
    (void)state;
    assert_int_equal(verify(VERTEX, (const char *[]){"test_verify.glb", "--tolerance", "5.1e-5", NULL}), CLI_GOOD);
    assert_int_equal(verify(VERTEX, (const char *[]){"test_verify.glb", "--tolerance=4.9e-5", NULL}),
                     CLI_BAD_INPUT);
    assert_int_equal(verify(NONE, (const char *[]){"test_verify.glb", "--tolerance", "1e-12", NULL}),
                     CLI_BAD_INPUT);
    assert_int_equal(verify(NONE, (const char *[]){"test_verify.glb", "--tolerance", "-1", NULL}), CLI_USAGE);
}

static void test_json(void **state) {
    (void)state;
    assert_int_equal(verify(BETWEEN_KEYS, (const char *[]){"test_verify.glb", "--json", NULL}), CLI_BAD_INPUT);
    check_contains(printed, "{\"poses\":18,\"allPoses\":18,\"size\":2,\"tolerance\":");
    check_contains(printed, "\n{\"node\":1,\"name\":\"tip\",\"position\":{\"error\":5.0");
    check_contains(printed, "\n{\"node\":2,\"mesh\":0,\"primitive\":0,\"vertices\":3,\"position\":{\"error\":");
}

static void test_files_that_cannot_be_compared(void **state) {
    (void)state;
    assert_int_equal(verify(NONE, (const char *[]){"nowhere.glb", NULL}), CLI_BAD_INPUT);
    check_contains(said, "sinew: nowhere.glb: ");
    assert_int_equal(verify(NONE, (const char *[]){NULL}), CLI_USAGE);
}

int main(void) {
    write_model();
    write_shrinking();
    write_vanishing_normals();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_sound_library_passes),
        cmocka_unit_test(test_faults_in_poses_are_found),
        cmocka_unit_test(test_faults_in_vertices_are_found),
        cmocka_unit_test(test_what_is_no_number_is_no_agreement),
        cmocka_unit_test(test_surfaces_without_an_extent_have_no_normals),
        cmocka_unit_test(test_normals_count_by_what_is_left_of_them),
        cmocka_unit_test(test_tolerance),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_files_that_cannot_be_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
