// SPDX-License-Identifier: MIT
// What gl.h says about OpenGL's state, call by call. A function changes what its comment lists, which is repeated
// here, and nothing else. Checks both what the proxy saw and what the driver says. The command line names the
// context; see gl_context.h.
#include "support/gl_capture.h"
#include "support/gl_state.h"

#include "support/check.h"

enum { VERTICES = 300, JOINTS = 20 };

// What the defaults of sinew_gl_def stand for.
#define PALETTE_2D     "active texture, unit 7 GL_TEXTURE_2D"
#define PALETTE_BUFFER "active texture, unit 7 GL_TEXTURE_BUFFER"
#define DELTAS         "active texture, unit 6 GL_TEXTURE_2D"
#define CONSTANTS      "attribute 5, attribute 8"

static random_crowd hero;

static void expect_no_calls(void) {
    assert_int_equal(gl_proxy_counts().calls, 0);
    gl_proxy_reset();
}

// ---- Palettes ------------------------------------------------------------------------------------------------

// What a source's functions change: those that make and upload, and those that bind.
typedef struct source_state {
    sinew_gpu_resource source;
    const char *uploading, *binding;
} source_state;

static const source_state sources[] = {
    {SINEW_GPU_RESOURCE_UNIFORMS, "", "uniforms"},
    {SINEW_GPU_RESOURCE_BLOCK, "GL_UNIFORM_BUFFER", "GL_UNIFORM_BUFFER, GL_UNIFORM_BUFFER[3]"},
    {SINEW_GPU_RESOURCE_TEXTURE, PALETTE_2D, PALETTE_2D},
    {SINEW_GPU_RESOURCE_BUFFER, "GL_TEXTURE_BUFFER, " PALETTE_BUFFER, PALETTE_BUFFER},
    {SINEW_GPU_RESOURCE_STORAGE, "GL_SHADER_STORAGE_BUFFER",
     "GL_SHADER_STORAGE_BUFFER, GL_SHADER_STORAGE_BUFFER[3]"},
};

// A palette that is placed, or can be updated.
static sinew_gl_records_def def_for(sinew_gpu_resource source, bool placed) {
    sinew_gl_records_def def = sinew_gl_records_default();
    def.resource = source;
    def.format.joint_count = JOINTS;
    def.format.per_instance_transform = placed;
    def.character_count = placed && source != SINEW_GPU_RESOURCE_UNIFORMS ? MOST_CHARACTERS : 1;
    return def;
}

static void check_upload(sinew_gl_records *palette, const source_state *s, bool placed, int count) {
    gl_state_disturb(0);
    for (int i = 0; i < count; i++) sinew_gl_records_write(palette, i, hero.places[i], hero.palettes[i], NULL);
    sinew_gl_records_variant(palette);
    expect_no_calls();
    sinew_gl_records_upload(palette, count);
    gl_state_expect(s->uploading, "");
    if (placed) return;
    gl_state_disturb(0);
    sinew_gl_records_update(palette, hero.palettes[0], JOINTS);
    gl_state_expect(s->uploading, "");
}

// Plain uniforms go to the program in use, which must be one of theirs.
static void check_binding(const sinew_gl_records *palette, const source_state *s, GLuint program, int character) {
    gl_state_disturb(s->source == SINEW_GPU_RESOURCE_UNIFORMS ? program : 0);
    sinew_gl_records_bind(palette);
    gl_state_expect(s->binding, "");
    gl_state_disturb(s->source == SINEW_GPU_RESOURCE_UNIFORMS ? program : 0);
    sinew_gl_records_bind_character(palette, character);
    gl_state_expect(s->binding, "");
}

// Catches bindings that aren't restored, and work on whatever happens to be bound.
static void palettes_change_what_they_say(void **state) {
    (void)state;
    gl_context_need();
    make_vertices(&hero, VERTICES, JOINTS, 4, false);
    make_poses(&hero, SCALE_UNIFORM);
    sinew_gl *gl = gl_context_create_default();
    for (size_t i = 0; i < 2 * sizeof sources / sizeof sources[0]; i++) {
        const source_state *s = &sources[i / 2];
        const sinew_gl_records_def def = def_for(s->source, i % 2 == 1);
        sinew_gl_records *palette;
        gl_state_disturb(0);
        sinew_gl_choose_resource(gl, &def);
        expect_no_calls();
        const sinew_result result = sinew_gl_records_create(gl, &def, &palette, NULL);
        if (result == SINEW_ERROR_UNSUPPORTED) continue;
        assert_int_equal(result, SINEW_OK);
        gl_state_expect(s->uploading, "");
        GLuint program = make_capture_program(gl, palette, 4, false);
        check_upload(palette, s, def.format.per_instance_transform, def.character_count);
        check_binding(palette, s, program, def.character_count - 1);
        glDeleteProgram(program);
        gl_state_disturb(0);
        sinew_gl_records_destroy(palette);
        gl_state_expect("", "");
    }
    gl_state_disturb(0);
    sinew_gl_destroy(gl);
    expect_no_calls();
    gl_state_close();
    gl_proxy_expect_clean();
}

// ---- Programs ------------------------------------------------------------------------------------------------

// Catches a program in use that is not put back. Samplers are uniforms, which only the program in use can be given.
static void programs_are_set_up_without_a_trace(void **state) {
    (void)state;
    gl_context_need();
    gl_state_disturb(0);
    sinew_gl *gl = gl_context_create_default();
    gl_state_expect("", "");
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        const sinew_gl_records_def def = def_for(sources[i].source, false);
        sinew_gl_records *palette;
        if (sinew_gl_records_create(gl, &def, &palette, NULL) == SINEW_ERROR_UNSUPPORTED) continue;
        sinew_gl_source source;
        gl_proxy_reset();
        sinew_gl_vertex_shader(gl, palette, 4, false, "", &source);
        sinew_gl_shader_head(gl);
        expect_no_calls();
        GLuint program = make_capture_program(gl, palette, 4, false);
        gl_state_disturb(0);
        assert_int_equal(sinew_gl_setup_program(gl, program, NULL), SINEW_OK);
        gl_state_expect("uniforms", "program");
        glDeleteProgram(program);
        sinew_gl_records_destroy(palette);
    }
    GLuint unskinned = make_capture_program(gl, NULL, 0, false);
    gl_state_disturb(0);
    assert_int_equal(sinew_gl_setup_program(gl, unskinned, NULL), SINEW_OK);
    gl_state_expect("", "program");
    glDeleteProgram(unskinned);
    sinew_gl_destroy(gl);
    gl_state_close();
    gl_proxy_expect_clean();
}

// ---- Meshes --------------------------------------------------------------------------------------------------

static sinew_gl_mesh *make_mesh(sinew_gl *gl) {
    sinew_gl_mesh *mesh;
    gl_state_disturb(0);
    assert_int_equal(sinew_gl_mesh_create(gl, &hero.primitive, &mesh, NULL), SINEW_OK);
    gl_state_expect("GL_ARRAY_BUFFER, vertex array", "");
    GLint bound;
    glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &bound);
    assert_int_equal(bound, 0);
    gl_state_disturb(0);
    sinew_gl_mesh_update(mesh, hero.positions, hero.normals);
    gl_state_expect("GL_ARRAY_BUFFER", "");
    gl_state_disturb(0);
    sinew_gl_mesh_vertex_array(mesh);
    expect_no_calls();
    return mesh;
}

static void destroy_mesh(sinew_gl_mesh *mesh) {
    gl_state_disturb(0);
    sinew_gl_mesh_destroy(mesh);
    gl_state_expect("", "");
}

static void check_draws(const sinew_gl_mesh *mesh, const sinew_gl_records *palette, const char *one,
                        const char *many) {
    const sinew_gl_draw draw = {.records = palette, .count = 1};
    gl_state_disturb(0);
    sinew_gl_mesh_draw(mesh);
    gl_state_expect(one, "");
    gl_state_disturb(0);
    sinew_gl_mesh_draw_many(mesh, &draw);
    gl_state_expect(many, "");
}

// Catches attributes set that the mesh has, and a vertex array of others that is written into.
static void meshes_change_what_they_say(void **state) {
    (void)state;
    gl_context_need();
    sinew_gl *gl = gl_context_create_default();
    const sinew_gl_records_def def = def_for(SINEW_GPU_RESOURCE_BLOCK, false);
    sinew_gl_records *palette;
    assert_int_equal(sinew_gl_records_create(gl, &def, &palette, NULL), SINEW_OK);

    make_vertices(&hero, VERTICES, JOINTS, 8, true);
    sinew_gl_mesh *mesh = make_mesh(gl);
    check_draws(mesh, palette, "vertex array, attribute 5", "vertex array, attribute 5, attribute 9");
    gl_state_disturb(0);
    assert_int_equal(sinew_gl_mesh_add_deltas(mesh, &hero.primitive, NULL), SINEW_OK);
    gl_state_expect(DELTAS, "");
    check_draws(mesh, palette, "vertex array, attribute 5", "vertex array, attribute 5, attribute 9, " DELTAS);
    destroy_mesh(mesh);

    make_vertices(&hero, VERTICES, JOINTS, 4, false);
    hero.primitive.influences = 0;
    hero.primitive.tangents = NULL;
    mesh = make_mesh(gl);
    gl_state_disturb(0);
    assert_int_equal(sinew_gl_mesh_add_deltas(mesh, &hero.primitive, NULL), SINEW_OK);
    expect_no_calls();
    check_draws(mesh, palette, "vertex array, " CONSTANTS,
                "vertex array, attribute 9, attribute 3, attribute 4, " CONSTANTS);
    destroy_mesh(mesh);

    sinew_gl_records_destroy(palette);
    sinew_gl_destroy(gl);
    gl_state_close();
    gl_proxy_expect_clean();
}

// ---- Skinning ahead of the draws -----------------------------------------------------------------------------

#define FEEDBACK                                                                                                   \
    "program, vertex array, attribute 9, GL_RASTERIZER_DISCARD, GL_TRANSFORM_FEEDBACK_BUFFER, "                    \
    "GL_TRANSFORM_FEEDBACK_BUFFER[0], GL_TRANSFORM_FEEDBACK_BUFFER[1], GL_TRANSFORM_FEEDBACK_BUFFER[2]"
#define COMPUTE                                                                                                    \
    "program, GL_SHADER_STORAGE_BUFFER, GL_SHADER_STORAGE_BUFFER[0], GL_SHADER_STORAGE_BUFFER[1], "                \
    "GL_SHADER_STORAGE_BUFFER[2]"

static void check_skinned(sinew_gl *gl, const sinew_gl_records *palette, sinew_gl_skinning skinning,
                          const char *updating) {
    sinew_gl_mesh *mesh = make_mesh(gl);
    assert_int_equal(sinew_gl_mesh_add_deltas(mesh, &hero.primitive, NULL), SINEW_OK);
    sinew_gl_skinned *skinned;
    gl_state_disturb(0);
    assert_int_equal(sinew_gl_skinned_create(gl, mesh, palette, skinning, &skinned, NULL), SINEW_OK);
    gl_state_expect("GL_ARRAY_BUFFER, vertex array", "program");
    gl_state_disturb(0);
    sinew_gl_skinned_update(skinned, &(sinew_gl_draw){.records = palette, .count = 1});
    gl_state_expect(updating, "");
    assert_false(skinning == SINEW_GL_SKINNING_FEEDBACK && glIsEnabled(GL_RASTERIZER_DISCARD));
    GLint program;
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    assert_int_equal(program, 0);
    gl_state_disturb(0);
    sinew_gl_skinned_draw(skinned);
    gl_state_expect("vertex array, attribute 5", "");
    gl_state_disturb(0);
    sinew_gl_skinned_buffer(skinned);
    expect_no_calls();
    sinew_gl_skinned_destroy(skinned);
    gl_state_expect("", "");
    destroy_mesh(mesh);
}

// Catches rasterizing left off, a program left in use, and storage bound where the palette's is.
static void skinning_ahead_changes_what_it_says(void **state) {
    (void)state;
    gl_context_need();
    sinew_gl *gl = gl_context_create_default();
    sinew_gl_records_def def = def_for(SINEW_GPU_RESOURCE_BLOCK, false);
    sinew_gl_records *palette;
    for (int weights = 0; weights <= WEIGHTS; weights += WEIGHTS) {
        def.format.weight_count = weights;
        assert_int_equal(sinew_gl_records_create(gl, &def, &palette, NULL), SINEW_OK);
        make_vertices(&hero, VERTICES, JOINTS, 4, weights > 0);
        check_skinned(gl, palette, SINEW_GL_SKINNING_FEEDBACK, weights > 0 ? FEEDBACK ", " DELTAS : FEEDBACK);
        if (gl_context_has(43, 31)) {
            check_skinned(gl, palette, SINEW_GL_SKINNING_COMPUTE, weights > 0 ? COMPUTE ", " DELTAS : COMPUTE);
        }
        sinew_gl_records_destroy(palette);
    }
    sinew_gl_destroy(gl);
    gl_state_close();
    gl_proxy_expect_clean();
}

// ---- The proxy itself ----------------------------------------------------------------------------------------

// What the driver says changed, the proxy saw, call by call: it notes nothing too little.
static void the_proxy_sees_what_the_driver_does(void **state) {
    (void)state;
    gl_context_need();
    void (*bind_buffer)(GLenum, GLuint) = (void (*)(GLenum, GLuint))gl_proxy_proc("glBindBuffer", NULL);
    void (*active_texture)(GLenum) = (void (*)(GLenum))gl_proxy_proc("glActiveTexture", NULL);
    gl_state_disturb(0);
    bind_buffer(GL_ARRAY_BUFFER, 0);
    gl_state_expect("GL_ARRAY_BUFFER", "");
    gl_state_disturb(0);
    active_texture(GL_TEXTURE0 + 3);
    gl_state_expect("active texture", "");
    gl_state_disturb(0);
    bind_buffer(GL_ELEMENT_ARRAY_BUFFER, 0);
    gl_state_expect("others' vertex array", "");
    gl_state_close();
    gl_proxy_expect_clean();
}

int main(int argc, char **argv) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(palettes_change_what_they_say),
        cmocka_unit_test(programs_are_set_up_without_a_trace),
        cmocka_unit_test(meshes_change_what_they_say),
        cmocka_unit_test(skinning_ahead_changes_what_it_says),
        cmocka_unit_test(the_proxy_sees_what_the_driver_does),
    };
    const char *name = gl_context_choose(argc, argv);
    return cmocka_run_group_tests_name(name, tests, gl_context_setup, gl_context_teardown);
}
