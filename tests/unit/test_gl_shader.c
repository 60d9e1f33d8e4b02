// SPDX-License-Identifier: MIT
// sinew-gl without an OpenGL context: what it refuses, and the vertex shaders it assembles. Another test runs
// glslangValidator on those. The context is a fake.
#include <sinew/gpu/gl.h>
#include <sinew/gpu/shader.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// ---- A pretended context -------------------------------------------------------------------------------------

static const char *fake_version;      // what glGetString says
static int fake_limit;                // what glGetIntegerv always returns
static const char *fake_missing_name; // a function that get_proc_address returned NULL for

static const unsigned char *fake_get_string(unsigned name) {
    (void)name;
    return (const unsigned char *)fake_version;
}

static void fake_get_integer(unsigned name, int *value) {
    (void)name;
    *value = fake_limit;
}

static void fake_names(int count, unsigned *names) {
    for (int i = 0; i < count; i++) names[i] = 1;
}

static void fake_delete(int count, const unsigned *names) {
    (void)count, (void)names;
}

static void fake_bind(unsigned target, unsigned object) {
    (void)target, (void)object;
}

static void fake_unit(unsigned unit) {
    (void)unit;
}

static void fake_buffer_data(unsigned target, ptrdiff_t size, const void *data, unsigned usage) {
    (void)target, (void)size, (void)data, (void)usage;
}

static void fake_parameter(unsigned target, unsigned name, int value) {
    (void)target, (void)name, (void)value;
}

static void fake_image(unsigned target, int level, int internal_format, int width, int height, int border,
                       unsigned format, unsigned type, const void *texels) {
    (void)target, (void)level, (void)internal_format, (void)width, (void)height, (void)border;
    (void)format, (void)type, (void)texels;
}

static void fake_texture_buffer(unsigned target, unsigned internal_format, unsigned buffer) {
    (void)target, (void)internal_format, (void)buffer;
}

static void fake_function(void) {
    fail_msg("nothing is drawn here");
}

static sinew_gl_proc fake_proc(const char *name, void *user) {
    static const struct {
        const char *name;
        sinew_gl_proc function;
    } fakes[] = {
        {"glGetString", (sinew_gl_proc)fake_get_string},     {"glGetIntegerv", (sinew_gl_proc)fake_get_integer},
        {"glGenBuffers", (sinew_gl_proc)fake_names},         {"glGenTextures", (sinew_gl_proc)fake_names},
        {"glDeleteBuffers", (sinew_gl_proc)fake_delete},     {"glDeleteTextures", (sinew_gl_proc)fake_delete},
        {"glBindBuffer", (sinew_gl_proc)fake_bind},          {"glBindTexture", (sinew_gl_proc)fake_bind},
        {"glActiveTexture", (sinew_gl_proc)fake_unit},       {"glBufferData", (sinew_gl_proc)fake_buffer_data},
        {"glTexParameteri", (sinew_gl_proc)fake_parameter},  {"glTexImage2D", (sinew_gl_proc)fake_image},
        {"glTexBuffer", (sinew_gl_proc)fake_texture_buffer},
    };
    (void)user;
    if (fake_missing_name && strcmp(name, fake_missing_name) == 0) return NULL;
    for (size_t i = 0; i < sizeof fakes / sizeof fakes[0]; i++) {
        if (strcmp(name, fakes[i].name) == 0) return fakes[i].function;
    }
    return fake_function;
}

static sinew_gl_def fake_def(void) {
    fake_version = "3.3.0 Pretended";
    fake_limit = 16384;
    fake_missing_name = NULL;
    sinew_gl_def def = sinew_gl_default();
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
        snprintf(expected, sizeof expected, "OpenGL 3.3 or OpenGL ES 3.0 is needed, but this is \"%s\"", old[i]);
        expect_refused(&def, SINEW_ERROR_UNSUPPORTED, expected);
    }
    fake_version = NULL;
    expect_refused(&def, SINEW_ERROR_UNSUPPORTED, "no OpenGL context is current on this thread");
}

static void new_versions_are_taken(void **state) {
    (void)state;
    sinew_gl_def def = fake_def();
    static const char *const versions[][2] = {{"3.3", "#version 330 core\n"},
                                              {"4.2", "#version 330 core\n"},
                                              {"4.3", "#version 430 core\n"},
                                              {"4.6.0 NVIDIA 550.54", "#version 430 core\n"},
                                              {"10.0", "#version 430 core\n"},
                                              {"OpenGL ES 3.0", "#version 300 es\n"},
                                              {"OpenGL ES 3.0 (WebGL 2.0 Chromium)", "#version 300 es\n"},
                                              {"OpenGL ES 3.1", "#version 310 es\n"},
                                              {"OpenGL ES 3.2 Mesa 22.3.6", "#version 320 es\n"}};
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        sinew_gl *gl;
        fake_version = versions[i][0];
        assert_int_equal(sinew_gl_create(&def, &gl, NULL), SINEW_OK);
        const char *head = versions[i][1];
        assert_int_equal(strncmp(sinew_gl_shader_head(gl), head, strlen(head)), 0);
        sinew_gl_destroy(gl);
    }
}

static void missing_functions_are_named(void **state) {
    (void)state;
    sinew_gl_def def = fake_def();
    fake_missing_name = "glBindBufferRange";
    expect_refused(&def, SINEW_ERROR_UNSUPPORTED, "get_proc_address returned NULL for glBindBufferRange");
    fake_missing_name = "glTexBuffer"; // which OpenGL ES has from 3.2 on
    expect_refused(&def, SINEW_ERROR_UNSUPPORTED, "get_proc_address returned NULL for glTexBuffer");
    fake_version = "OpenGL ES 3.1";
    sinew_gl *gl;
    assert_int_equal(sinew_gl_create(&def, &gl, NULL), SINEW_OK);
    sinew_gl_destroy(gl);
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
    def.records_texture_unit = 16384;
    expect_refused(&def, SINEW_ERROR_UNSUPPORTED,
                   "records_texture_unit is 16384, but GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS is 16384");
    def = fake_def();
    def.skin_block_binding = -3;
    expect_refused(&def, SINEW_ERROR_ARGUMENT, "skin_block_binding is -3");
    def = fake_def();
    def.weights2_location = def.uv_location;
    expect_refused(&def, SINEW_ERROR_ARGUMENT, "uv_location and weights2_location are both 2");
    def = fake_def();
    def.draw_location = 8;
    expect_refused(&def, SINEW_ERROR_ARGUMENT, "tangent_location and draw_location are both 8");
    def = fake_def();
    def.animations_texture_unit = 7;
    expect_refused(&def, SINEW_ERROR_ARGUMENT, "records_texture_unit and animations_texture_unit are both 7");
    def = fake_def();
    def.uniform_joints = 1366; // 1,365 x 12 = 16,380
    expect_refused(
        &def, SINEW_ERROR_UNSUPPORTED,
        "uniform_joints is 1366, which is 16392 components, but GL_MAX_VERTEX_UNIFORM_COMPONENTS is 16384");
    def = fake_def();
    def.storage_binding = 16384;
    fake_version = "4.3";
    expect_refused(&def, SINEW_ERROR_UNSUPPORTED,
                   "storage_binding is 16384, but GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS is 16384");
}

static void expect_no_palette(sinew_gl *gl, sinew_gl_records_def def, sinew_result result, const char *message) {
    sinew_error error = {0};
    sinew_gl_records *palette = (sinew_gl_records *)&error; // not NULL
    assert_int_equal(sinew_gl_records_create(gl, &def, &palette, &error), result);
    assert_null(palette);
    assert_string_equal(error.message, message);
    assert_int_equal(sinew_gl_records_create(gl, &def, &palette, NULL), result);
}

// Catches a width that grows with the skin: a texture is at most as wide and as high as OpenGL says.
static void palettes_that_no_source_holds_are_refused(void **state) {
    (void)state;
    sinew_gl_def gl_def = fake_def();
    sinew_gl *gl;
    assert_int_equal(sinew_gl_create(&gl_def, &gl, NULL), SINEW_OK);
    sinew_gl_records_def def = sinew_gl_records_default();
    expect_no_palette(gl, def, SINEW_ERROR_ARGUMENT,
                      "records with 0 joints and 0 morph weights: a record must have 1 to 16777216 texels");
    def.format.joint_count = -1;
    expect_no_palette(gl, def, SINEW_ERROR_ARGUMENT,
                      "records with -1 joints and 0 morph weights: a record must have 1 to 16777216 texels");
    def.format.joint_count = 4;
    def.character_count = 0;
    expect_no_palette(gl, def, SINEW_ERROR_ARGUMENT, "character_count is 0; it must be 1 or more");
    def.character_count = 2;
    def.resource = SINEW_GPU_RESOURCE_UNIFORMS;
    expect_no_palette(gl, def, SINEW_ERROR_ARGUMENT, "SINEW_GPU_RESOURCE_UNIFORMS can hold one character, not 2");
    def.resource = SINEW_GPU_RESOURCE_TEXTURE; // all records would be taken for the first one
    expect_no_palette(gl, def, SINEW_ERROR_ARGUMENT,
                      "records for 2 characters need per_instance_transform, or SINEW_GPU_RESOURCE_BLOCK");
    def.format.per_instance_transform = true;
    def.resource = (sinew_gpu_resource)99;
    expect_no_palette(gl, def, SINEW_ERROR_ARGUMENT, "resource is 99; it must be a sinew_gpu_resource");
    def = sinew_gl_records_default();
    def.format.joint_count = 1000;
    def.format.per_instance_transform = true;
    def.character_count = 5588; // x 3,003 texels are 16,387.1 rows
    def.resource = SINEW_GPU_RESOURCE_TEXTURE;
    expect_no_palette(gl, def, SINEW_ERROR_LIMIT,
                      "records of 5588 x 1000 joints need 16388 rows of 1024 texels, but GL_MAX_TEXTURE_SIZE is "
                      "16384");
    def.character_count = 2147483647;
    expect_no_palette(gl, def, SINEW_ERROR_LIMIT,
                      "2147483647 records of 3003 texels exceed the limit of 134217728 texels");
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
    assert_string_equal(error.message, "a primitive has 3 influences per vertex; it must have 0, 4 or 8");
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

static sinew_gpu_resource choice(const sinew_gl *gl, int joint_count, int character_count) {
    sinew_gl_records_def def = sinew_gl_records_default();
    def.format.joint_count = joint_count;
    def.character_count = character_count;
    return sinew_gl_choose_resource(gl, &def);
}

// Catches a choice that the context does not have, or that does not hold what it is chosen for.
static void the_source_depends_on_the_context_and_the_size(void **state) {
    (void)state;
    static const struct {
        const char *version;
        sinew_gpu_resource crowd, larger; // of 48,000 bytes, which is the limit, and of more
    } contexts[] = {{"3.3", SINEW_GPU_RESOURCE_BUFFER, SINEW_GPU_RESOURCE_BUFFER},
                    {"4.2", SINEW_GPU_RESOURCE_BUFFER, SINEW_GPU_RESOURCE_BUFFER},
                    {"4.3", SINEW_GPU_RESOURCE_STORAGE, SINEW_GPU_RESOURCE_BUFFER},
                    {"OpenGL ES 3.0", SINEW_GPU_RESOURCE_TEXTURE, SINEW_GPU_RESOURCE_TEXTURE},
                    {"OpenGL ES 3.1", SINEW_GPU_RESOURCE_STORAGE, SINEW_GPU_RESOURCE_TEXTURE},
                    {"OpenGL ES 3.2", SINEW_GPU_RESOURCE_STORAGE, SINEW_GPU_RESOURCE_BUFFER}};
    for (size_t i = 0; i < sizeof contexts / sizeof contexts[0]; i++) {
        sinew_gl_def def = fake_def();
        sinew_gl *gl;
        fake_version = contexts[i].version;
        fake_limit = 48000;
        assert_int_equal(sinew_gl_create(&def, &gl, NULL), SINEW_OK);
        assert_int_equal(choice(gl, 1, 1), SINEW_GPU_RESOURCE_BLOCK);
        assert_int_equal(choice(gl, 128, 1), SINEW_GPU_RESOURCE_BLOCK);
        assert_int_equal(choice(gl, 129, 1), SINEW_GPU_RESOURCE_TEXTURE);
        assert_int_equal(choice(gl, 100, 10), contexts[i].crowd);
        assert_int_equal(choice(gl, 100, 11), contexts[i].larger);
        assert_int_equal(choice(gl, 100, 161), SINEW_GPU_RESOURCE_TEXTURE); // 48,300 texels
        sinew_gl_destroy(gl);
    }
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

static void write_shader(const char *name, const sinew_gl_source *source) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.vert", output_folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (int i = 0; i < SINEW_GL_SOURCES; i++) fputs(source->strings[i], file);
    assert_int_equal(fclose(file), 0);
}

static void check_shader(const sinew_gl *gl, const sinew_gl_records *palette, int influences, const char *name) {
    sinew_gl_source source;
    sinew_gl_vertex_shader(gl, palette, influences, influences == 8, example_body, &source);
    assert_ptr_equal(source.strings[0], sinew_gl_shader_head(gl));
    assert_ptr_equal(source.strings[1], source.preamble);
    assert_ptr_equal(source.strings[2], sinew_shader_source(SINEW_SHADER_LANGUAGE_GLSL));
    assert_ptr_equal(source.strings[SINEW_GL_SOURCES - 1], example_body);
    if (output_folder) write_shader(name, &source);
}

// With 8 influences, has places and morph targets; with 4, neither.
static void check_source(sinew_gl *gl, const char *version, sinew_gpu_resource source) {
    static const char *const source_names[] = {"none", "uniforms", "block", "texture", "buffer", "storage"};
    for (int influences = 4; influences <= 8; influences += 4) {
        sinew_gl_records_def def = sinew_gl_records_default();
        def.format.joint_count = 20;
        def.format.per_instance_transform = influences == 8;
        def.resource = source;
        char name[64];
        sinew_gl_records *palette;
        snprintf(name, sizeof name, "%s_%s_%d", version, source_names[source], influences);
        const sinew_result result = sinew_gl_records_create(gl, &def, &palette, NULL);
        if (result == SINEW_ERROR_UNSUPPORTED) return; // the context has no such source
        assert_int_equal(result, SINEW_OK);
        check_shader(gl, source == SINEW_GPU_RESOURCE_NONE ? NULL : palette, influences, name);
        sinew_gl_records_destroy(palette);
    }
}

static void shaders_are_assembled_for_all_versions(void **state) {
    (void)state;
    static const char *const versions[][2] = {{"3.3", "330"},
                                              {"4.3", "430"},
                                              {"OpenGL ES 3.0", "300es"},
                                              {"OpenGL ES 3.1", "310es"},
                                              {"OpenGL ES 3.2", "320es"}};
    sinew_gl_def def = fake_def();
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        sinew_gl *gl;
        fake_version = versions[i][0];
        assert_int_equal(sinew_gl_create(&def, &gl, NULL), SINEW_OK);
        for (sinew_gpu_resource source = SINEW_GPU_RESOURCE_NONE; source <= SINEW_GPU_RESOURCE_STORAGE; source++) {
            check_source(gl, versions[i][1], source);
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
        cmocka_unit_test(palettes_that_no_source_holds_are_refused),
        cmocka_unit_test(a_primitive_with_3_influences_is_refused),
        cmocka_unit_test(running_out_of_memory_is_an_error),
        cmocka_unit_test(the_source_depends_on_the_context_and_the_size),
        cmocka_unit_test(shaders_are_assembled_for_all_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
