// SPDX-License-Identifier: MIT
// Every OpenGL path against the CPU: reads back what the GPU skins by transform feedback, and compares. The command
// line names the context; what it can't run is skipped by name. See gl_context.h.
#include "support/gl_capture.h"

#include "support/check.h"

#include <stdio.h>

enum { TABLE_VERTICES = 600, TABLE_JOINTS = 40, DRAWN_FIRST = 1, DRAWN_COUNT = 3 };

static random_crowd hero;

// ---- Paths ---------------------------------------------------------------------------------------------------

// Where the shader finds the palette, and since which versions of OpenGL and OpenGL ES.
typedef struct gl_path {
    const char *name;
    sinew_gpu_resource source;
    bool many; // records of many characters in one resource
    int since, since_es;
    const char *refusal; // what a context without it says
} gl_path;

#define NEEDS_BUFFER "SINEW_GPU_RESOURCE_BUFFER needs buffer textures: OpenGL 3.3 or OpenGL ES 3.2"
#define NEEDS_STORAGE                                                                                              \
    "SINEW_GPU_RESOURCE_STORAGE needs storage buffers in vertex shaders: OpenGL 4.3, or OpenGL ES 3.1 with "       \
    "GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS above 0"

static const gl_path paths[] = {
    {"uniforms", SINEW_GPU_RESOURCE_UNIFORMS, false, 33, 30, NULL},
    {"block", SINEW_GPU_RESOURCE_BLOCK, false, 33, 30, NULL},
    {"ranges of a block", SINEW_GPU_RESOURCE_BLOCK, true, 33, 30, NULL},
    {"texture", SINEW_GPU_RESOURCE_TEXTURE, true, 33, 30, NULL},
    {"buffer texture", SINEW_GPU_RESOURCE_BUFFER, true, 33, 32, NEEDS_BUFFER},
    {"storage buffer", SINEW_GPU_RESOURCE_STORAGE, true, 43, 31, NEEDS_STORAGE},
};

enum { PATH_COUNT = sizeof paths / sizeof paths[0] };

// One draw for all, or one for each.
static bool is_instanced(const gl_path *path) {
    return path->many && path->source != SINEW_GPU_RESOURCE_BLOCK;
}

static bool has_path(const gl_path *path) {
    return gl_context_has(path->since, path->since_es);
}

// A case of the table: a path, and what is drawn with it.
typedef struct table_case {
    const gl_path *path;
    sinew_gpu_record_layout layout;
    int influences;
    bool morph, placed;
} table_case;

// Without places, only ranges of a block hold many characters: the record of another source is found by its place.
static int character_count(const table_case *c) {
    return c->path->many && (c->placed || !is_instanced(c->path)) ? MOST_CHARACTERS : 1;
}

static sinew_gl_records_def palette_def(const table_case *c, int joint_count) {
    sinew_gl_records_def def = sinew_gl_records_default();
    def.format.layout = c->layout;
    def.format.joint_count = joint_count;
    def.format.weight_count = c->morph ? WEIGHTS : 0;
    def.format.per_instance_transform = c->placed;
    def.character_count = character_count(c);
    def.resource = c->path->source;
    return def;
}

enum { SKINNING_COUNT = SINEW_GL_SKINNING_COMPUTE + 1 };

// What a case has on the GPU.
typedef struct stage {
    sinew_gl_records *palette;
    sinew_gl_mesh *mesh;
    GLuint program;
    sinew_gl_skinned *skinned[SKINNING_COUNT]; // ahead of the draws; NULL where that is refused
} stage;

static sinew_result expected_skinning(const gl_path *path, int skinning) {
    if (path->source == SINEW_GPU_RESOURCE_UNIFORMS) return SINEW_ERROR_ARGUMENT;
    return skinning == SINEW_GL_SKINNING_FEEDBACK || gl_context_has(43, 31) ? SINEW_OK : SINEW_ERROR_UNSUPPORTED;
}

static stage make_stage(sinew_gl *gl, const table_case *c) {
    stage s;
    sinew_error error;
    const sinew_gl_records_def def = palette_def(c, hero.joint_count);
    if (sinew_gl_records_create(gl, &def, &s.palette, &error) != SINEW_OK) fail_msg("%s", error.message);
    if (sinew_gl_mesh_create(gl, &hero.primitive, &s.mesh, &error) != SINEW_OK) fail_msg("%s", error.message);
    if (sinew_gl_mesh_add_deltas(s.mesh, &hero.primitive, &error) != SINEW_OK) fail_msg("%s", error.message);
    s.program = make_capture_program(gl, s.palette, c->influences, c->morph);
    for (int i = 0; i < SKINNING_COUNT; i++) {
        const sinew_result result =
            sinew_gl_skinned_create(gl, s.mesh, s.palette, (sinew_gl_skinning)i, &s.skinned[i], &error);
        if (result != expected_skinning(c->path, i)) fail_msg("%s", error.message);
    }
    return s;
}

static void destroy_stage(stage *s) {
    for (int i = 0; i < SKINNING_COUNT; i++) sinew_gl_skinned_destroy(s->skinned[i]);
    glDeleteProgram(s->program);
    sinew_gl_mesh_destroy(s->mesh);
    sinew_gl_records_destroy(s->palette);
}

// Plain uniforms are sent to the program in use.
static void bind_palette(const stage *s, const gl_path *path, int character) {
    glUseProgram(s->program);
    if (path->many)
        sinew_gl_records_bind_character(s->palette, character);
    else
        sinew_gl_records_bind(s->palette);
    glUseProgram(0);
}

// The simplest upload where it will do, else records.
static void upload(const stage *s, const table_case *c) {
    if (character_count(c) == 1 && !c->morph && !c->placed) {
        sinew_gl_records_update(s->palette, hero.palettes[0], hero.joint_count);
        return;
    }
    const int count = character_count(c);
    for (int i = 0; i < count; i++) {
        sinew_gl_records_write(s->palette, i, hero.places[i], hero.palettes[i], hero.morph_weights[i]);
    }
    sinew_gl_records_upload(s->palette, count);
}

// Characters [first, first + count) in one draw; a character of a block is bound by itself.
static float draw_error(const stage *s, const table_case *c, int first, int count) {
    const sinew_gl_draw draw = {.records = s->palette,
                                .first = is_instanced(c->path) ? first : 0,
                                .count = count,
                                .first_weight = FIRST_WEIGHT};
    bind_palette(s, c->path, first);
    const captured *vertices = capture_draw(s->program, &hero, s->mesh, &draw);
    float worst = 0.0f;
    for (int i = 0; i < count; i++) {
        worst =
            fmaxf(worst, capture_error(vertices + (ptrdiff_t)i * hero.vertex_count, &hero, first + i, c->placed));
    }
    return worst;
}

// Draws many together if the path can, else one by one.
static float case_error(const stage *s, const table_case *c) {
    upload(s, c);
    if (character_count(c) == 1) return draw_error(s, c, 0, 1);
    if (is_instanced(c->path)) return draw_error(s, c, DRAWN_FIRST, DRAWN_COUNT);
    float worst = 0.0f;
    for (int i = MOST_CHARACTERS - 1; i >= DRAWN_FIRST; i--) worst = fmaxf(worst, draw_error(s, c, i, 1));
    return worst;
}

// ---- Ahead of the draws --------------------------------------------------------------------------------------

static float skinned_error(const stage *s, const table_case *c, int skinning, int character) {
    const sinew_gl_draw draw = {.records = s->palette,
                                .first = is_instanced(c->path) ? character : 0,
                                .count = 1,
                                .first_weight = FIRST_WEIGHT};
    bind_palette(s, c->path, character);
    sinew_gl_skinned_update(s->skinned[skinning], &draw);
    return capture_error(read_skinned(&hero, s->skinned[skinning]), &hero, character, c->placed);
}

// The first and the last character; 0 where it is refused.
static float ahead_error(const stage *s, const table_case *c, int skinning) {
    if (!s->skinned[skinning]) return 0.0f;
    return fmaxf(skinned_error(s, c, skinning, 0), skinned_error(s, c, skinning, character_count(c) - 1));
}

// ---- The table -----------------------------------------------------------------------------------------------

static const char *const layout_names[] = {"rows", "mat4", "trs"};

// Whether a layout can hold an asset with this scale on its second joint.
static bool can_hold(sinew_gpu_record_layout layout, scale_kind kind, sinew_error *error) {
    static const sinew_vec3 scales[SCALE_COUNT] = {{2, 2, 2}, {1, 2, 1}, {-1, 1, 1}, {-2, -2, -2}};
    sinew_node_def nodes[2] = {{.name = "hip", .parent = -1, .rest = sinew_transform_identity()},
                               {.name = "knee", .parent = 0, .rest = sinew_transform_identity()}};
    nodes[1].rest.scale = scales[kind];
    sinew_skeleton_def skeleton_def = sinew_skeleton_default();
    skeleton_def.node_count = 2;
    skeleton_def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&skeleton_def, &skeleton, NULL), SINEW_OK);
    const sinew_affine inverse_binds[2] = {sinew_affine_identity(), sinew_affine_identity()};
    const sinew_skin skin = {.name = "",
                             .skeleton = skeleton,
                             .joint_count = 2,
                             .joints = (const int32_t[]){0, 1},
                             .inverse_binds = inverse_binds};
    const sinew_asset asset = {.skeleton = skeleton, .skin_count = 1, .skins = &skin};
    const sinew_result result = sinew_gpu_record_check_layout(&asset, 0, layout, error);
    sinew_skeleton_destroy(skeleton);
    return result == SINEW_OK;
}

// Catches poses that eight floats a joint do not hold, taken all the same, and poses that they hold refused.
static void trs_is_refused_for_uneven_scales_by_name(void **state) {
    (void)state;
    static const char *const refusals[SCALE_COUNT] = {
        NULL,
        "node 1 'knee' has a scale of (1, 2, 1) in the rest pose: SINEW_GPU_RECORD_TRS can only hold scales that "
        "are equal in x, y and z",
        "node 1 'knee' has a scale of (-1, 1, 1) in the rest pose: SINEW_GPU_RECORD_TRS can only hold scales that "
        "are equal in x, y and z",
        NULL};
    for (scale_kind kind = 0; kind < SCALE_COUNT; kind++) {
        sinew_error error = {0};
        assert_true(can_hold(SINEW_GPU_RECORD_ROWS, kind, &error));
        assert_true(can_hold(SINEW_GPU_RECORD_MAT4, kind, &error));
        assert_int_equal(can_hold(SINEW_GPU_RECORD_TRS, kind, &error), refusals[kind] == NULL);
        if (refusals[kind]) assert_string_equal(error.message, refusals[kind]);
    }
}

// A row: the worst error of each kind of scale, and of all of them for vertices that are skinned ahead.
static void check_case(sinew_gl *gl, const table_case *c) {
    print_message("%-17s  %-6s  %d  %-5s  %-6s ", c->path->name, layout_names[c->layout], c->influences,
                  c->morph ? "morph" : "-", c->placed ? "placed" : "-");
    make_vertices(&hero, TABLE_VERTICES, TABLE_JOINTS, c->influences, c->morph);
    stage s = make_stage(gl, c);
    float worst = 0.0f, ahead[SKINNING_COUNT] = {0};
    for (scale_kind scale = 0; scale < SCALE_COUNT; scale++) {
        if (!can_hold(c->layout, scale, NULL)) {
            print_message("   refused");
            continue;
        }
        make_poses(&hero, scale);
        const float error = case_error(&s, c);
        print_message("   %.1e", (double)error);
        worst = fmaxf(worst, error);
        for (int i = 0; i < SKINNING_COUNT; i++) ahead[i] = fmaxf(ahead[i], ahead_error(&s, c, i));
    }
    for (int i = 0; i < SKINNING_COUNT; i++) {
        if (s.skinned[i])
            print_message("   %.1e", (double)ahead[i]);
        else
            print_message("   refused");
        worst = fmaxf(worst, ahead[i]);
    }
    print_message("\n");
    destroy_stage(&s);
    assert_true(worst <= VERTEX_TOLERANCE);
}

static void check_path(sinew_gl *gl, const gl_path *path) {
    for (sinew_gpu_record_layout layout = SINEW_GPU_RECORD_ROWS; layout <= SINEW_GPU_RECORD_TRS; layout++) {
        for (int i = 0; i < 8; i++) {
            const table_case c = {path, layout, i & 4 ? 8 : 4, (i & 2) != 0, (i & 1) != 0};
            check_case(gl, &c);
        }
    }
}

// Catches any difference between GPU and CPU vertices: confused layouts, swapped columns and rows, places multiplied
// from the wrong side, another mesh's or character's weights, dropped influences 5 to 8, normals turned by the matrix
// instead of its cofactors or inside out when mirrored, unchanged handedness, another vertex's deltas, and draws that
// leave out instances.
static void every_path_agrees_with_the_cpu(void **state) {
    (void)state;
    gl_context_need();
    sinew_gl *gl = gl_context_create_default();
    print_message("%-36s  the scale is\n%-36s  %-8s  %-8s  %-8s  %-8s  ahead by\n", "", "", "uniform", "not",
                  "mirrored", "all -1");
    print_message("%-17s  %-6s  %s  %-6s %-5s%42sfeedback  compute\n", "path", "layout", "n", "", "", "");
    for (int i = 0; i < PATH_COUNT; i++) {
        if (has_path(&paths[i])) {
            check_path(gl, &paths[i]);
            continue;
        }
        print_message("%-17s  skipped: %s\n", paths[i].name, paths[i].refusal);
    }
    sinew_gl_destroy(gl);
    gl_proxy_expect_clean();
}

// Catches loading functions from a later version, and taking a path that doesn't exist.
static void what_a_context_lacks_is_refused_by_name(void **state) {
    (void)state;
    gl_context_need();
    sinew_gl *gl = gl_context_create_default();
    for (int i = 0; i < PATH_COUNT; i++) {
        const table_case c = {&paths[i], SINEW_GPU_RECORD_ROWS, 4, false, false};
        const sinew_gl_records_def def = palette_def(&c, TABLE_JOINTS);
        sinew_gl_records *palette;
        sinew_error error;
        const sinew_result result = sinew_gl_records_create(gl, &def, &palette, &error);
        if (!has_path(&paths[i])) {
            assert_int_equal(result, SINEW_ERROR_UNSUPPORTED);
            assert_string_equal(error.message, paths[i].refusal);
        }
        assert_int_equal(palette != NULL, has_path(&paths[i]));
        sinew_gl_records_destroy(palette);
    }
    sinew_gl_destroy(gl);
    gl_proxy_expect_clean();
}

// ---- Other numbers -------------------------------------------------------------------------------------------

// Catches binding points, texture units and locations that are another's than the definition's, in a function or in a
// shader.
static void every_number_can_be_another(void **state) {
    (void)state;
    gl_context_need();
    sinew_gl_def def = gl_context_def();
    def.skin_block_binding = 5;
    def.storage_binding = 1;
    def.records_texture_unit = 2;
    def.deltas_texture_unit = 9;
    def.animations_texture_unit = 0;
    def.draw_location = 0;
    def.tangent_location = 1;
    def.weights2_location = 2;
    def.joints2_location = 3;
    def.color_location = 4;
    def.weights_location = 5;
    def.joints_location = 6;
    def.uv_location = 7;
    def.normal_location = 8;
    def.position_location = 9;
    sinew_gl *gl = gl_context_create(&def);
    for (int i = 0; i < PATH_COUNT; i++) {
        if (!has_path(&paths[i])) continue;
        const table_case c = {&paths[i], SINEW_GPU_RECORD_ROWS, 8, true, true};
        check_case(gl, &c);
    }
    sinew_gl_destroy(gl);
    gl_proxy_expect_clean();
}

// ---- Numbers of joints ---------------------------------------------------------------------------------------

// What this path holds of joints in rows, without anything else, for a definition of OpenGL.
static int most_joints(const gl_path *path, const sinew_gl_def *def) {
    if (path->source == SINEW_GPU_RESOURCE_UNIFORMS) return def->uniform_joints;
    return path->source == SINEW_GPU_RESOURCE_BLOCK ? def->ubo_joints : MOST_JOINTS;
}

static void expect_too_large(sinew_gl *gl, const table_case *c, int joint_count, int most) {
    const sinew_gl_records_def def = palette_def(c, joint_count);
    const bool block = c->path->source == SINEW_GPU_RESOURCE_BLOCK;
    char expected[200];
    sinew_gl_records *palette;
    sinew_error error;
    snprintf(expected, sizeof expected, "records of %d x %d joints need %d texels, but %s x 3 is %d",
             def.character_count, joint_count, 3 * joint_count, block ? "ubo_joints" : "uniform_joints", 3 * most);
    assert_int_equal(sinew_gl_records_create(gl, &def, &palette, &error), SINEW_ERROR_LIMIT);
    assert_string_equal(error.message, expected);
    assert_null(palette);
    print_message("  %7s", "error");
}

static void check_joint_count(sinew_gl *gl, const sinew_gl_def *def, const gl_path *path, int joint_count) {
    const table_case c = {path, SINEW_GPU_RECORD_ROWS, 4, false, false};
    const int most = most_joints(path, def);
    if (joint_count > most) {
        expect_too_large(gl, &c, joint_count, most);
        return;
    }
    const int vertices = joint_count < TABLE_VERTICES ? TABLE_VERTICES : (joint_count + 2) / 3 * 3;
    make_vertices(&hero, vertices, joint_count, c.influences, c.morph);
    make_poses(&hero, SCALE_MIRRORED);
    stage s = make_stage(gl, &c);
    const float error = case_error(&s, &c);
    destroy_stage(&s);
    print_message("  %.1e", (double)error);
    assert_true(error <= VERTEX_TOLERANCE);
}

static void check_joint_counts(const sinew_gl_def *def) {
    static const int counts[] = {64, 65, 128, 129, 256, 1000, 5000};
    sinew_gl *gl = gl_context_create(def);
    print_message("uniform_joints %d, ubo_joints %d\n%-17s", def->uniform_joints, def->ubo_joints, "joints");
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) print_message("  %7d", counts[i]);
    for (int i = 0; i < PATH_COUNT; i++) {
        if (!has_path(&paths[i])) continue;
        print_message("\n%-17s", paths[i].name);
        for (size_t j = 0; j < sizeof counts / sizeof counts[0]; j++) {
            check_joint_count(gl, def, &paths[i], counts[j]);
        }
    }
    print_message("\n");
    sinew_gl_destroy(gl);
}

// Catches joints past a block's or array's end, which is undefined and looks right on some drivers; a texture with a
// missing last row or other row widths; and indices with fewer bits than the joints need.
static void any_number_of_joints_works_or_is_an_error(void **state) {
    (void)state;
    gl_context_need();
    sinew_gl_def def = gl_context_def();
    check_joint_counts(&def);
    GLint components, bytes;
    glGetIntegerv(GL_MAX_VERTEX_UNIFORM_COMPONENTS, &components);
    glGetIntegerv(GL_MAX_UNIFORM_BLOCK_SIZE, &bytes);
    def.uniform_joints = components / 12 - 1; // the shader may have a few uniforms of its own
    def.ubo_joints = bytes / 48;
    check_joint_counts(&def);
    gl_proxy_expect_clean();
}

// ---- Rows and ranges -----------------------------------------------------------------------------------------

// Catches a record that is read straight on where the texture's row ends: with 341 joints and a place, 3 x 341 + 3
// texels, the first record's last joint stands on both sides of the first row's end, and so do later ones'.
static void records_cross_the_ends_of_rows(void **state) {
    (void)state;
    gl_context_need();
    sinew_gl *gl = gl_context_create_default();
    for (int i = 0; i < PATH_COUNT; i++) {
        if (!has_path(&paths[i]) || !is_instanced(&paths[i])) continue;
        const table_case c = {&paths[i], SINEW_GPU_RECORD_ROWS, 8, true, true};
        make_vertices(&hero, TABLE_VERTICES, 341, c.influences, c.morph);
        make_poses(&hero, SCALE_NON_UNIFORM);
        stage s = make_stage(gl, &c);
        assert_true(case_error(&s, &c) <= VERTEX_TOLERANCE);
        destroy_stage(&s);
    }
    sinew_gl_destroy(gl);
    gl_proxy_expect_clean();
}

// Catches ranges side by side on a GPU that wants them apart (the proxy looks at each), and a last range that is
// shorter than what the shader declares (the proxy looks at each draw).
static void ranges_begin_where_the_context_lets_them(void **state) {
    (void)state;
    gl_context_need();
    GLint alignment;
    glGetIntegerv(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, &alignment);
    for (int wanted = 16; wanted <= 4096; wanted *= 4) {
        if (wanted < alignment) continue;
        gl_context_reset_proxy();
        gl_proxy_limit(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, wanted);
        sinew_gl *gl = gl_context_create_default();
        const table_case c = {&paths[2], SINEW_GPU_RECORD_ROWS, 4, true, true};
        make_vertices(&hero, TABLE_VERTICES, 7, c.influences, c.morph);
        make_poses(&hero, SCALE_MIRRORED);
        stage s = make_stage(gl, &c);
        assert_true(case_error(&s, &c) <= VERTEX_TOLERANCE);
        destroy_stage(&s);
        sinew_gl_destroy(gl);
        gl_proxy_expect_clean();
    }
}

// ---- Limits --------------------------------------------------------------------------------------------------

static void expect_limit(GLenum limit, GLint value, const gl_path *path, const char *message) {
    if (!has_path(path)) return;
    gl_context_reset_proxy();
    gl_proxy_limit(limit, value);
    sinew_gl *gl = gl_context_create_default();
    const table_case c = {path, SINEW_GPU_RECORD_ROWS, 4, false, true};
    sinew_gl_records_def def = palette_def(&c, 200);
    sinew_gl_records *palette;
    sinew_error error;
    def.character_count = 1000;
    assert_int_equal(sinew_gl_records_create(gl, &def, &palette, &error), SINEW_ERROR_LIMIT);
    assert_string_equal(error.message, message);
    assert_null(palette);
    assert_int_equal(sinew_gl_records_create(gl, &def, &palette, NULL), SINEW_ERROR_LIMIT);
    sinew_gl_destroy(gl);
    gl_proxy_expect_clean();
}

// Catches palettes larger than the context's limits: OpenGL reports them too late or not at all.
static void palettes_beyond_a_limit_are_errors(void **state) {
    (void)state;
    gl_context_need();
    expect_limit(GL_MAX_TEXTURE_SIZE, 588, &paths[3],
                 "records of 1000 x 200 joints need 589 rows of 1024 texels, but GL_MAX_TEXTURE_SIZE is 588");
    expect_limit(GL_MAX_TEXTURE_BUFFER_SIZE, 602999, &paths[4],
                 "records of 1000 x 200 joints need 603000 texels, but GL_MAX_TEXTURE_BUFFER_SIZE is 602999");
    expect_limit(
        GL_MAX_SHADER_STORAGE_BLOCK_SIZE, 9647999, &paths[5],
        "records of 1000 x 200 joints need 9648000 bytes, but GL_MAX_SHADER_STORAGE_BLOCK_SIZE is 9647999");
}

// Catches storage buffers taken for granted in vertex shaders: OpenGL ES 3.1 asks for none there.
static void storage_is_refused_where_vertex_shaders_have_none(void **state) {
    (void)state;
    gl_context_need();
    if (!has_path(&paths[5])) skip();
    gl_proxy_limit(GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS, 0);
    sinew_gl *gl = gl_context_create_default();
    const table_case c = {&paths[5], SINEW_GPU_RECORD_ROWS, 4, false, true};
    sinew_gl_records_def def = palette_def(&c, TABLE_JOINTS);
    sinew_gl_records *palette;
    sinew_error error;
    assert_int_equal(sinew_gl_records_create(gl, &def, &palette, &error), SINEW_ERROR_UNSUPPORTED);
    assert_string_equal(error.message, NEEDS_STORAGE);
    def.resource = SINEW_GPU_RESOURCE_NONE;
    assert_int_equal(sinew_gl_choose_resource(gl, &def),
                     has_path(&paths[4]) ? SINEW_GPU_RESOURCE_BUFFER : SINEW_GPU_RESOURCE_TEXTURE);
    sinew_gl_destroy(gl);
    gl_proxy_expect_clean();
}

int main(int argc, char **argv) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(trs_is_refused_for_uneven_scales_by_name),
        cmocka_unit_test(every_path_agrees_with_the_cpu),
        cmocka_unit_test(what_a_context_lacks_is_refused_by_name),
        cmocka_unit_test(every_number_can_be_another),
        cmocka_unit_test(any_number_of_joints_works_or_is_an_error),
        cmocka_unit_test(records_cross_the_ends_of_rows),
        cmocka_unit_test(ranges_begin_where_the_context_lets_them),
        cmocka_unit_test(palettes_beyond_a_limit_are_errors),
        cmocka_unit_test(storage_is_refused_where_vertex_shaders_have_none),
    };
    const char *name = gl_context_choose(argc, argv);
    return cmocka_run_group_tests_name(name, tests, gl_context_setup, gl_context_teardown);
}
