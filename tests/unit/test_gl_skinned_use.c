// SPDX-License-Identifier: MIT
// What skinning ahead of draws touches, shares and refuses. The command line names the context; see gl_context.h.
#include "support/skinned_stage.h"

#include <stdio.h>

// ---- State -----------------------------------------------------------------------------------------------------

static GLint get(GLenum name) {
    GLint value = -1;
    glGetIntegerv(name, &value);
    return value;
}

static void check_creation_state(sinew_gl *gl, const sinew_gl_mesh *mesh, const sinew_gl_records *palette,
                                 sinew_gl_skinning way) {
    const GLuint mine = make_capture_program(gl, palette, 4, false);
    glUseProgram(mine);
    gl_proxy_reset();
    sinew_gl_skinned *skinned = make_skinned(gl, mesh, palette, way);
    gl_proxy_expect_touched("GL_ARRAY_BUFFER, vertex array, program"); // which is set back:
    assert_int_equal(get(GL_CURRENT_PROGRAM), mine);
    assert_int_equal(get(GL_VERTEX_ARRAY_BINDING), 0);
    glUseProgram(0);
    glDeleteProgram(mine);
    sinew_gl_skinned_destroy(skinned);
}

static void check_update_state(sinew_gl *gl, const sinew_gl_mesh *mesh, const sinew_gl_records *palette,
                               sinew_gl_skinning way, const char *documented) {
    sinew_gl_skinned *skinned = make_skinned(gl, mesh, palette, way);
    sinew_gl_records_bind(palette);
    gl_proxy_reset();
    barriers_after_dispatch = 0;
    sinew_gl_skinned_update(skinned, &(sinew_gl_draw){.records = palette, .count = 1});
    gl_proxy_expect_touched(documented);
    assert_int_equal(get(GL_CURRENT_PROGRAM), 0);
    assert_int_equal(get(GL_VERTEX_ARRAY_BINDING), 0);
    assert_false(glIsEnabled(GL_RASTERIZER_DISCARD));
    const bool compute = way == SINEW_GL_SKINNING_COMPUTE;
    assert_int_equal(gl_proxy_calls("glDispatchCompute"), compute);
    assert_int_equal(gl_proxy_calls("glDrawArrays"), !compute);
    const int wanted =
        GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT;
    assert_int_equal(barriers_after_dispatch & wanted, compute ? wanted : 0);
    sinew_gl_skinned_destroy(skinned);
}

#define FEEDBACK_STATE                                                                                             \
    "program, vertex array, GL_RASTERIZER_DISCARD, GL_TRANSFORM_FEEDBACK_BUFFER, "                                 \
    "GL_TRANSFORM_FEEDBACK_BUFFER[0], GL_TRANSFORM_FEEDBACK_BUFFER[1], GL_TRANSFORM_FEEDBACK_BUFFER[2], "          \
    "attribute 9"

// Of a mesh with deltas, and of one without joints.
static void check_state(sinew_gl *gl, sinew_gl_skinning way, const char *hero_state, const char *rigid_state) {
    make_vertices(&hero, VERTICES, JOINTS, 4, true);
    const sinew_gl_records_def def = block_def(1);
    sinew_gl_records *palette = make_palette(gl, &def);
    sinew_gl_mesh *mesh = make_mesh(gl, &hero.primitive);
    sinew_primitive primitive = hang_vertices(HUNG_ON);
    primitive.target_count = 0;
    sinew_gl_mesh *rigid = make_mesh(gl, &primitive);
    check_creation_state(gl, mesh, palette, way);
    check_update_state(gl, mesh, palette, way, hero_state);
    check_update_state(gl, rigid, palette, way, rigid_state);
    sinew_gl_mesh_destroy(mesh);
    sinew_gl_mesh_destroy(rigid);
    sinew_gl_records_destroy(palette);
}

// Catches bindings and values that are changed and not documented, or documented as set back and are not.
static void no_other_state_is_touched(void **state) {
    (void)state;
    need_context();
    sinew_gl *gl = create_gl();
    check_state(gl, SINEW_GL_SKINNING_FEEDBACK, FEEDBACK_STATE ", active texture, unit 6 GL_TEXTURE_2D",
                FEEDBACK_STATE ", attribute 3, attribute 4");
#define COMPUTE_STATE                                                                                              \
    "program, GL_SHADER_STORAGE_BUFFER, GL_SHADER_STORAGE_BUFFER[0], GL_SHADER_STORAGE_BUFFER[1], "                \
    "GL_SHADER_STORAGE_BUFFER[2]"
    if (has_compute()) {
        check_state(gl, SINEW_GL_SKINNING_COMPUTE, COMPUTE_STATE ", active texture, unit 6 GL_TEXTURE_2D",
                    COMPUTE_STATE);
    }
    destroy_gl(gl);
}

// ---- Programs --------------------------------------------------------------------------------------------------

// Catches a program for each mesh, one that is freed while another needs it, and one that is taken for another kind.
static void check_sharing(sinew_gl *gl, sinew_gl_skinning way) {
    make_vertices(&hero, VERTICES, JOINTS, 4, false);
    make_poses(&hero, SCALE_NON_UNIFORM);
    const sinew_gl_records_def def = block_def(1);
    sinew_gl_records_def other_def = def;
    other_def.format.layout = SINEW_GPU_RECORD_MAT4;
    sinew_gl_records *palette = make_palette(gl, &def), *other = make_palette(gl, &other_def);
    sinew_gl_mesh *mesh = make_mesh(gl, &hero.primitive);
    gl_proxy_reset();
    sinew_gl_skinned *first = make_skinned(gl, mesh, palette, way);
    sinew_gl_skinned *second = make_skinned(gl, mesh, palette, way);
    assert_int_equal(gl_proxy_calls("glLinkProgram"), 1);
    sinew_gl_skinned *third = make_skinned(gl, mesh, other, way);
    assert_int_equal(gl_proxy_calls("glLinkProgram"), 2);

    sinew_gl_skinned_destroy(first);
    assert_int_equal(gl_proxy_calls("glDeleteProgram"), 0);
    upload(palette, 1);
    sinew_gl_records_bind(palette);
    spoil_buffer(second);
    sinew_gl_skinned_update(second, &(sinew_gl_draw){.records = palette, .count = 1});
    assert_true(capture_error(read_skinned(&hero, second), &hero, 0, true) <= VERTEX_TOLERANCE);
    sinew_gl_skinned_destroy(second);
    assert_int_equal(gl_proxy_calls("glDeleteProgram"), 1);
    sinew_gl_skinned_destroy(third);
    assert_int_equal(gl_proxy_calls("glDeleteProgram"), 2);
    sinew_gl_mesh_destroy(mesh);
    sinew_gl_records_destroy(palette);
    sinew_gl_records_destroy(other);
}

static void programs_are_shared(void **state) {
    (void)state;
    need_context();
    sinew_gl *gl = create_gl();
    check_sharing(gl, SINEW_GL_SKINNING_FEEDBACK);
    if (has_compute()) check_sharing(gl, SINEW_GL_SKINNING_COMPUTE);
    sinew_gl_skinned_destroy(NULL);
    destroy_gl(gl);
}

// ---- Errors ----------------------------------------------------------------------------------------------------

// The message begins so, is one line and, where the driver speaks, has a word of it; without a place nothing is written.
static void expect_error(sinew_gl *gl, const sinew_gl_records_def *def, sinew_gl_skinning way,
                         sinew_result expected, const char *beginning, const char *word) {
    sinew_gl_records *palette = make_palette(gl, def);
    sinew_gl_mesh *mesh = make_mesh(gl, &hero.primitive);
    sinew_gl_skinned *skinned;
    sinew_error error;
    assert_int_equal(sinew_gl_skinned_create(gl, mesh, palette, way, &skinned, &error), expected);
    assert_null(skinned);
    assert_int_equal(error.result, expected);
    if (strncmp(error.message, beginning, strlen(beginning)) != 0) fail_msg("%s", error.message);
    assert_null(strchr(error.message, '\n'));
    assert_non_null(strstr(error.message + strlen(beginning), word));
    assert_int_equal(sinew_gl_skinned_create(gl, mesh, palette, way, &skinned, NULL), expected);
    sinew_gl_mesh_destroy(mesh);
    sinew_gl_records_destroy(palette);
}

static void expect_refusals(sinew_gl *gl, sinew_gl_skinning way, const char *shader) {
    const sinew_gl_records_def def = block_def(1);
    char beginning[100];
    snprintf(beginning, sizeof beginning, "the driver rejected the skinning %s shader: ", shader);
    spoiled = "void main() {\n    int as = planted;\n    int and = again;\n}\n";
    expect_error(gl, &def, way, SINEW_ERROR_UNSUPPORTED, beginning, "planted");
    spoiled = "void no_main() {}\n";
    expect_error(gl, &def, way, SINEW_ERROR_UNSUPPORTED, "the driver rejected the skinning program: ", "main");
    spoiled = NULL;
}

// Catches shaders and programs that are left behind, a driver's words that are lost, and errors that go unnoticed.
static void what_cannot_be_is_an_error(void **state) {
    (void)state;
    need_context();
    make_vertices(&hero, VERTICES, JOINTS, 8, false);
    gl_proxy_limit(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, VERTICES * (16 + 8 * 6) - 1);
    sinew_gl *gl = create_gl();
    sinew_gl_records_def def = block_def(1);
    expect_refusals(gl, SINEW_GL_SKINNING_FEEDBACK, "vertex");
    if (has_compute()) {
        expect_error(
            gl, &def, SINEW_GL_SKINNING_COMPUTE, SINEW_ERROR_LIMIT,
            "the buffers for 300 vertices have up to 19200 bytes, but GL_MAX_SHADER_STORAGE_BLOCK_SIZE is 19199",
            "");
    } else {
        expect_error(gl, &def, SINEW_GL_SKINNING_COMPUTE, SINEW_ERROR_UNSUPPORTED,
                     "SINEW_GL_SKINNING_COMPUTE needs compute shaders: OpenGL 4.3 or OpenGL ES 3.1", "");
    }
    def.resource = SINEW_GPU_RESOURCE_UNIFORMS;
    expect_error(gl, &def, SINEW_GL_SKINNING_FEEDBACK, SINEW_ERROR_ARGUMENT,
                 "SINEW_GPU_RESOURCE_UNIFORMS belongs to one program, so it cannot skin a mesh ahead", "");
    destroy_gl(gl);
    if (!has_compute()) return;
    need_context(); // without that limit
    gl = create_gl();
    expect_refusals(gl, SINEW_GL_SKINNING_COMPUTE, "compute");
    destroy_gl(gl);
}

// Each allocation fails once.
static void running_out_of_memory_leaves_nothing(void **state) {
    (void)state;
    need_context();
    make_vertices(&hero, VERTICES, JOINTS, 4, false);
    sinew_gl *gl = create_gl();
    const sinew_gl_records_def def = block_def(1);
    sinew_gl_records *palette = make_palette(gl, &def);
    sinew_gl_mesh *mesh = make_mesh(gl, &hero.primitive);
    const int live = heap.live, objects = gl_proxy_live_objects();
    sinew_gl_skinned *skinned = NULL;
    int failures = 0;
    for (; !skinned; failures++) {
        sinew_error error;
        heap.fail_at = heap.allocations + failures + 1;
        heap.fail_once = true;
        const sinew_result result =
            sinew_gl_skinned_create(gl, mesh, palette, SINEW_GL_SKINNING_FEEDBACK, &skinned, &error);
        if (skinned) break;
        assert_int_equal(result, SINEW_ERROR_OUT_OF_MEMORY);
        assert_string_equal(error.message, "out of memory");
        assert_int_equal(heap.live, live);
        assert_int_equal(gl_proxy_live_objects(), objects);
    }
    assert_int_equal(failures, 2);
    sinew_gl_skinned_destroy(skinned);
    sinew_gl_mesh_destroy(mesh);
    sinew_gl_records_destroy(palette);
    destroy_gl(gl);
}

int main(int argc, char **argv) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_other_state_is_touched),
        cmocka_unit_test(programs_are_shared),
        cmocka_unit_test(what_cannot_be_is_an_error),
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
    };
    const char *name = gl_context_choose(argc, argv);
    return cmocka_run_group_tests_name(name, tests, gl_context_setup, gl_context_teardown);
}
