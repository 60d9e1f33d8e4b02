// sinew-gl without an OpenGL context: what it refuses, and the vertex shaders that it assembles, which
// glslangValidator then reads in a test of its own. The context is a pretended one.
#include <sinew/gl.h>
#include <sinew/shader.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// ---- A pretended context -------------------------------------------------------------------------------------

static const char *fake_version;      // what glGetString says
static int fake_limit;                // what glGetIntegerv says, whatever it is asked
static const char *fake_missing_name; // a function that get_proc_address does not know

static const unsigned char *fake_get_string(unsigned name) {
    (void)name;
    return (const unsigned char *)fake_version;
}

static void fake_get_integer(unsigned name, int *value) {
    (void)name;
    *value = fake_limit;
}

static void fake_function(void) {
    fail_msg("nothing is drawn or made here");
}

static sinew_gl_proc fake_proc(const char *name, void *user) {
    (void)user;
    if (fake_missing_name && strcmp(name, fake_missing_name) == 0) return NULL;
    if (strcmp(name, "glGetString") == 0) return (sinew_gl_proc)fake_get_string;
    if (strcmp(name, "glGetIntegerv") == 0) return (sinew_gl_proc)fake_get_integer;
    return fake_function;
}

static sinew_gl_def fake_def(void) {
    fake_version = "3.3.0 Pretended";
    fake_limit = 16384;
    fake_missing_name = NULL;
    sinew_gl_def def = sinew_gl_default_def();
    def.get_proc_address = fake_proc;
    return def;
}

static void expect_refused(const sinew_gl_def *def, sinew_result result, const char *message) {
    sinew_error error = {0};
    sinew_gl *gl = (sinew_gl *)&error; // not NULL
    assert_int_equal(sinew_gl_create(def, &gl, &error), result);
    assert_null(gl);
    assert_string_equal(error.message, message);
    assert_int_equal(error.result, result);
    assert_int_equal(sinew_gl_create(def, &gl, NULL), result);
}

// ---- What is refused -----------------------------------------------------------------------------------------

// Catches reading "OpenGL ES 3.2" as desktop 3.2, "3.10" as 3.1, and versions looked at after functions.
static void old_versions_are_refused_with_what_was_found(void **state) {
    (void)state;
    sinew_gl_def def = fake_def();
    static const char *const old[] = {"2.1 Mesa", "3.2.0", "OpenGL ES 2.0", "OpenGL ES-CM 1.1", "OpenGL", ""};
    fake_missing_name = "glVertexAttribIPointer"; // which an old context would not have
    for (size_t i = 0; i < sizeof old / sizeof old[0]; i++) {
        char expected[128];
        fake_version = old[i];
        snprintf(expected, sizeof expected, "OpenGL 3.3 or OpenGL ES 3.0 is needed, this is \"%s\"", old[i]);
        expect_refused(&def, SINEW_ERROR_UNSUPPORTED, expected);
    }
    fake_version = NULL;
    expect_refused(&def, SINEW_ERROR_UNSUPPORTED, "no OpenGL context is current on this thread");
}

static void new_versions_are_taken(void **state) {
    (void)state;
    sinew_gl_def def = fake_def();
    static const char *const versions[] = {"3.3",  "3.10",          "4.6.0 NVIDIA 550.54",
                                           "10.0", "OpenGL ES 3.0", "OpenGL ES 3.0 (WebGL 2.0 Chromium)"};
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        sinew_gl *gl;
        fake_version = versions[i];
        assert_int_equal(sinew_gl_create(&def, &gl, NULL), SINEW_OK);
        const char *head = strstr(versions[i], "ES") ? "#version 300 es\n" : "#version 330 core\n";
        assert_int_equal(strncmp(sinew_gl_shader_head(gl), head, strlen(head)), 0);
        sinew_gl_destroy(gl);
    }
}

static void missing_functions_are_named(void **state) {
    (void)state;
    sinew_gl_def def = fake_def();
    fake_missing_name = "glBindBufferBase";
    expect_refused(&def, SINEW_ERROR_UNSUPPORTED, "get_proc_address does not know glBindBufferBase");
    def.get_proc_address = NULL;
    expect_refused(&def, SINEW_ERROR_ARGUMENT, "get_proc_address is NULL");
}

static void definitions_outside_the_limits_are_refused(void **state) {
    (void)state;
    sinew_gl_def def = fake_def();
    def.ubo_joints = 342; // 341 × 48 = 16368
    expect_refused(&def, SINEW_ERROR_UNSUPPORTED,
                   "ubo_joints is 342, which is 16416 bytes, but GL_MAX_UNIFORM_BLOCK_SIZE is 16384");
    def.ubo_joints = -1;
    expect_refused(&def, SINEW_ERROR_ARGUMENT, "ubo_joints is -1");

    def = fake_def();
    def.palette_texture_unit = 16384;
    expect_refused(&def, SINEW_ERROR_UNSUPPORTED,
                   "palette_texture_unit is 16384, but GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS is 16384");
    def = fake_def();
    def.skin_block_binding = -3;
    expect_refused(&def, SINEW_ERROR_ARGUMENT, "skin_block_binding is -3");
    def = fake_def();
    def.weights2_location = def.uv_location;
    expect_refused(&def, SINEW_ERROR_ARGUMENT, "uv_location and weights2_location are both 2");
}

// Catches a width that grows with the skin: a texture is at most as wide and as high as OpenGL says.
static void palettes_that_no_texture_holds_are_refused(void **state) {
    (void)state;
    sinew_gl_def def = fake_def();
    sinew_gl *gl;
    sinew_error error;
    sinew_gl_palette *palette;
    assert_int_equal(sinew_gl_create(&def, &gl, NULL), SINEW_OK);
    assert_int_equal(sinew_gl_palette_create(gl, 16384 * 256 + 1, &palette, &error), SINEW_ERROR_LIMIT);
    assert_string_equal(error.message, "a palette for 4194305 joints needs a texture of 768 x 16385, but "
                                       "GL_MAX_TEXTURE_SIZE is 16384");
    assert_null(palette);
    assert_int_equal(sinew_gl_palette_create(gl, 0, &palette, &error), SINEW_ERROR_ARGUMENT);
    sinew_gl_destroy(gl);
}

static void a_primitive_with_3_influences_is_refused(void **state) {
    (void)state;
    sinew_gl_def def = fake_def();
    sinew_gl *gl;
    sinew_error error;
    sinew_gl_mesh *mesh;
    assert_int_equal(sinew_gl_create(&def, &gl, NULL), SINEW_OK);
    const sinew_primitive primitive = {.vertex_count = 1, .influences = 3};
    assert_int_equal(sinew_gl_mesh_create(gl, &primitive, &mesh, &error), SINEW_ERROR_ARGUMENT);
    assert_string_equal(error.message, "a primitive with 3 influences a vertex");
    sinew_gl_destroy(gl);
}

static void *no_memory(size_t size, size_t alignment, void *user) {
    (void)size, (void)alignment, (void)user;
    return NULL;
}

static void running_out_of_memory_is_an_error(void **state) {
    (void)state;
    sinew_gl_def def = fake_def();
    def.allocator.allocate = no_memory;
    expect_refused(&def, SINEW_ERROR_OUT_OF_MEMORY, "out of memory");
}

static void the_kind_depends_on_the_number_of_joints(void **state) {
    (void)state;
    sinew_gl_def def = fake_def();
    sinew_gl *gl;
    assert_int_equal(sinew_gl_create(&def, &gl, NULL), SINEW_OK);
    assert_int_equal(sinew_gl_kind_for(gl, 1), SINEW_GL_BLOCK);
    assert_int_equal(sinew_gl_kind_for(gl, 128), SINEW_GL_BLOCK);
    assert_int_equal(sinew_gl_kind_for(gl, 129), SINEW_GL_TEXTURE);
    sinew_gl_destroy(gl);
    def.ubo_joints = 0;
    assert_int_equal(sinew_gl_create(&def, &gl, NULL), SINEW_OK);
    assert_int_equal(sinew_gl_kind_for(gl, 1), SINEW_GL_TEXTURE);
    sinew_gl_destroy(gl);
}

// ---- The shaders ---------------------------------------------------------------------------------------------

// The example of gl.h's comment.
static const char example_body[] =
    "layout(location = SINEW_POSITION_LOCATION) in vec3 position;\n"
    "layout(location = SINEW_NORMAL_LOCATION) in vec3 normal;\n"
    "uniform mat4 view_projection;\n"
    "out vec3 world_normal;\n"
    "void main() {\n"
    "    sinew_matrix skin = sinew_skin_matrix();\n"
    "    world_normal = normalize(sinew_skin_normal(skin, normal));\n"
    "    gl_Position = view_projection * vec4(sinew_skin_point(skin, position), 1.0);\n"
    "}\n";

static const char *output_folder; // where glslangValidator will look, or NULL

static void write_shader(const char *name, const char *const *sources) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.vert", output_folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (int i = 0; i < SINEW_GL_SOURCES; i++) fputs(sources[i], file);
    assert_int_equal(fclose(file), 0);
}

static void check_shader(const sinew_gl *gl, const char *version, sinew_gl_palette_kind kind, int influences) {
    static const char *const kind_names[] = {"rigid", "block", "texture"};
    const char *sources[SINEW_GL_SOURCES];
    sinew_gl_vertex_shader(gl, kind, influences, example_body, sources);
    assert_ptr_equal(sources[SINEW_GL_SOURCES - 1], example_body);
    assert_string_equal(sources[2], sinew_shader_source(SINEW_SHADER_GLSL));
    if (!output_folder) return;
    char name[64];
    snprintf(name, sizeof name, "%s_%s_%d", version, kind_names[kind], influences);
    write_shader(name, sources);
}

static void shaders_are_assembled_for_both_versions(void **state) {
    (void)state;
    static const char *const versions[2][2] = {{"3.3", "330"}, {"OpenGL ES 3.0", "300es"}};
    sinew_gl_def def = fake_def();
    for (int i = 0; i < 2; i++) {
        sinew_gl *gl;
        fake_version = versions[i][0];
        assert_int_equal(sinew_gl_create(&def, &gl, NULL), SINEW_OK);
        check_shader(gl, versions[i][1], SINEW_GL_RIGID, 0);
        for (int influences = 4; influences <= 8; influences += 4) {
            check_shader(gl, versions[i][1], SINEW_GL_BLOCK, influences);
            check_shader(gl, versions[i][1], SINEW_GL_TEXTURE, influences);
        }
        sinew_gl_destroy(gl);
    }
    assert_null(sinew_shader_source((sinew_shader_language)99));
}

int main(int argc, char **argv) {
    output_folder = argc > 1 ? argv[1] : NULL;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(old_versions_are_refused_with_what_was_found),
        cmocka_unit_test(new_versions_are_taken),
        cmocka_unit_test(missing_functions_are_named),
        cmocka_unit_test(definitions_outside_the_limits_are_refused),
        cmocka_unit_test(palettes_that_no_texture_holds_are_refused),
        cmocka_unit_test(a_primitive_with_3_influences_is_refused),
        cmocka_unit_test(running_out_of_memory_is_an_error),
        cmocka_unit_test(the_kind_depends_on_the_number_of_joints),
        cmocka_unit_test(shaders_are_assembled_for_both_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
