// SPDX-License-Identifier: MIT
// sinew-gl in a real context: palettes and meshes, for any path. test_gl_paths.c tests the paths. The command line
// names the context; see gl_context.h.
#include "support/gl_capture.h"

#include "support/check.h"

#include <stdio.h>

enum { VERTICES = 1200, JOINTS = 64, CROWD_JOINTS = 80 };

static random_crowd hero;

static sinew_gl *create_small(void) {
    sinew_gl_def def = gl_context_def();
    def.uniform_joints = def.ubo_joints = 32;
    return gl_context_create(&def);
}

static sinew_gl_records_def def_for(sinew_gpu_resource source, int joint_count) {
    sinew_gl_records_def def = sinew_gl_records_default();
    def.resource = source;
    def.format.joint_count = joint_count;
    return def;
}

static sinew_gl_records *make_palette(sinew_gl *gl, sinew_gl_records_def def) {
    sinew_gl_records *palette;
    sinew_error error;
    if (sinew_gl_records_create(gl, &def, &palette, &error) != SINEW_OK) fail_msg("%s", error.message);
    return palette;
}

static sinew_gl_mesh *make_mesh(sinew_gl *gl) {
    sinew_gl_mesh *mesh;
    sinew_error error;
    if (sinew_gl_mesh_create(gl, &hero.primitive, &mesh, &error) != SINEW_OK) fail_msg("%s", error.message);
    if (sinew_gl_mesh_add_deltas(mesh, &hero.primitive, &error) != SINEW_OK) fail_msg("%s", error.message);
    return mesh;
}

static const captured *capture_one(GLuint program, const sinew_gl_mesh *mesh, const sinew_gl_records *palette) {
    const sinew_gl_draw draw = {.records = palette, .count = 1, .first_weight = FIRST_WEIGHT};
    return capture_draw(program, &hero, mesh, &draw);
}

// ---- Palettes ------------------------------------------------------------------------------------------------

// Catches palettes that share a buffer or texture, and updates that go to the one that happens to be bound.
static void two_palettes_are_two(void **state) {
    (void)state;
    gl_context_need();
    sinew_gl *gl = gl_context_create_default();
    for (int joint_count = 128; joint_count <= 300; joint_count += 172) {
        make_vertices(&hero, VERTICES, joint_count, 4, false);
        make_poses(&hero, SCALE_NON_UNIFORM);
        sinew_gl_records *palettes[2];
        for (int i = 0; i < 2; i++) palettes[i] = make_palette(gl, def_for(SINEW_GPU_RESOURCE_NONE, joint_count));
        sinew_gl_mesh *mesh = make_mesh(gl);
        GLuint program = make_capture_program(gl, palettes[0], 4, false);
        for (int i = 0; i < 2; i++) sinew_gl_records_update(palettes[i], hero.palettes[i], joint_count);
        for (int i = 0; i < 2; i++) {
            sinew_gl_records_bind(palettes[i]);
            assert_true(capture_error(capture_one(program, mesh, palettes[i]), &hero, i, false) <=
                        VERTEX_TOLERANCE);
        }
        glDeleteProgram(program);
        sinew_gl_mesh_destroy(mesh);
        for (int i = 0; i < 2; i++) sinew_gl_records_destroy(palettes[i]);
    }
    sinew_gl_destroy(gl);
    gl_proxy_expect_clean();
}

// Catches a buffer that is as large as the skin and not as the block: such a draw is undefined, and on some drivers
// looks right. The proxy looks at every draw; this is one before any upload, and with the smallest palette.
static void the_buffer_is_as_large_as_the_block(void **state) {
    (void)state;
    gl_context_need();
    sinew_gl *gl = gl_context_create_default();
    sinew_gl_records *palette = make_palette(gl, def_for(SINEW_GPU_RESOURCE_BLOCK, 1));
    GLuint program = make_capture_program(gl, palette, 4, false);
    GLint declared;
    GLuint block = glGetUniformBlockIndex(program, "sinew_records_block");
    glGetActiveUniformBlockiv(program, block, GL_UNIFORM_BLOCK_DATA_SIZE, &declared);
    assert_int_equal(declared, 128 * 48);
    glUseProgram(program);
    for (int uploads = 0; uploads < 2; uploads++) {
        sinew_gl_records_bind(palette);
        gl_proxy_check_blocks();
        sinew_gl_records_upload(palette, 1);
    }
    glUseProgram(0);
    glDeleteProgram(program);
    sinew_gl_records_destroy(palette);
    sinew_gl_destroy(gl);
    gl_proxy_expect_clean();
}

static void expect_refused(sinew_gpu_resource source, const char *message) {
    sinew_gl *small = create_small(), *large = gl_context_create_default();
    sinew_gl_records *palette = make_palette(large, def_for(source, 1));
    GLuint program = make_capture_program(large, palette, 4, false);
    sinew_error error;
    assert_int_equal(sinew_gl_setup_program(small, program, &error), SINEW_ERROR_ARGUMENT);
    assert_string_equal(error.message, message);
    assert_int_equal(sinew_gl_setup_program(small, program, NULL), SINEW_ERROR_ARGUMENT);
    glDeleteProgram(program);
    sinew_gl_records_destroy(palette);
    sinew_gl_destroy(small);
    sinew_gl_destroy(large);
}

// Catches a program that was linked for another number of joints and then reads past the buffer's end.
static void a_program_for_another_size_is_refused(void **state) {
    (void)state;
    gl_context_need();
    expect_refused(SINEW_GPU_RESOURCE_BLOCK,
                   "the program's sinew_records_block has 6144 bytes, but records with 32 joints have 1536");
    expect_refused(SINEW_GPU_RESOURCE_UNIFORMS,
                   "the program's sinew_records has 192 texels, but records with 32 joints have 96");
    gl_proxy_expect_clean();
}

// What an upload of `count` placed records may bring: whole records, and of a texture of many rows whole rows.
static size_t bytes_of(sinew_gpu_resource source, int count) {
    const size_t texels = (size_t)count * (3 + 3 * CROWD_JOINTS), row = SINEW_TEXTURE_WIDTH;
    if (source != SINEW_GPU_RESOURCE_TEXTURE || texels < row) return 16 * texels;
    return 16 * ((texels + row - 1) / row * row);
}

// Catches an upload or a draw for each character, records that nobody asked for uploaded with the others, and a
// smaller upload that leaves the records in the wrong places.
static void a_crowd_is_one_upload_and_one_draw(void **state) {
    (void)state;
    gl_context_need();
    sinew_gl *gl = gl_context_create_default();
    make_vertices(&hero, VERTICES, CROWD_JOINTS, 4, false);
    make_poses(&hero, SCALE_UNIFORM);
    sinew_gl_mesh *mesh = make_mesh(gl);
    for (sinew_gpu_resource source = SINEW_GPU_RESOURCE_TEXTURE; source <= SINEW_GPU_RESOURCE_STORAGE; source++) {
        sinew_gl_records_def def = def_for(source, CROWD_JOINTS);
        def.character_count = MOST_CHARACTERS;
        def.format.per_instance_transform = true;
        sinew_gl_records *palette;
        if (sinew_gl_records_create(gl, &def, &palette, NULL) == SINEW_ERROR_UNSUPPORTED) continue;
        GLuint program = make_capture_program(gl, palette, 4, false);
        for (int count = MOST_CHARACTERS; count >= 2; count -= MOST_CHARACTERS - 2) {
            for (int i = 0; i < count; i++) {
                sinew_gl_records_write(palette, i, hero.places[i], hero.palettes[i], NULL);
            }
            gl_proxy_reset();
            sinew_gl_records_upload(palette, count);
            assert_int_equal(gl_proxy_counts().uploads, 1);
            assert_int_equal(gl_proxy_counts().upload_bytes, bytes_of(source, count));
            sinew_gl_records_bind(palette);
            const sinew_gl_draw draw = {.records = palette, .first = count - 2, .count = 2};
            const captured *vertices = capture_draw(program, &hero, mesh, &draw);
            assert_int_equal(gl_proxy_counts().uploads, 1);
            assert_int_equal(gl_proxy_counts().draws, 1);
            assert_int_equal(gl_proxy_counts().instances, 2);
            assert_true(capture_error(vertices, &hero, count - 2, true) <= VERTEX_TOLERANCE);
            assert_true(capture_error(vertices + VERTICES, &hero, count - 1, true) <= VERTEX_TOLERANCE);
        }
        gl_proxy_reset();
        sinew_gl_records_upload(palette, 0);
        sinew_gl_mesh_draw_many(mesh, &(sinew_gl_draw){.records = palette, .first = MOST_CHARACTERS});
        assert_int_equal(gl_proxy_counts().calls, 0);
        glDeleteProgram(program);
        sinew_gl_records_destroy(palette);
    }
    sinew_gl_mesh_destroy(mesh);
    sinew_gl_destroy(gl);
    gl_proxy_expect_clean();
}

// ---- Meshes --------------------------------------------------------------------------------------------------

// Catches an update that goes to the wrong place of the buffer or forgets the normals.
static void meshes_take_new_positions(void **state) {
    (void)state;
    gl_context_need();
    sinew_gl *gl = gl_context_create_default();
    make_vertices(&hero, VERTICES, JOINTS, 4, false);
    make_poses(&hero, SCALE_NON_UNIFORM);
    sinew_gl_records *palette = make_palette(gl, def_for(SINEW_GPU_RESOURCE_BLOCK, JOINTS));
    sinew_gl_mesh *mesh = make_mesh(gl);
    GLuint program = make_capture_program(gl, palette, 4, false);
    sinew_gl_records_update(palette, hero.palettes[0], JOINTS);
    sinew_gl_records_bind(palette);
    for (int i = 0; i < VERTICES * 3; i++) hero.positions[i] += 0.5f;
    sinew_gl_mesh_update(mesh, hero.positions, NULL);
    assert_true(capture_error(capture_one(program, mesh, palette), &hero, 0, false) <= VERTEX_TOLERANCE);
    for (int i = 0; i < VERTICES * 3; i++) hero.normals[i] = -hero.normals[i];
    sinew_gl_mesh_update(mesh, hero.positions, hero.normals);
    assert_true(capture_error(capture_one(program, mesh, palette), &hero, 0, false) <= VERTEX_TOLERANCE);
    glDeleteProgram(program);
    sinew_gl_mesh_destroy(mesh);
    sinew_gl_records_destroy(palette);
    sinew_gl_destroy(gl);
    gl_proxy_expect_clean();
}

static const char plain_body[] = "layout(location = SINEW_POSITION_LOCATION) in vec3 position;\n"
                                 "layout(location = SINEW_UV_LOCATION) in vec2 uv;\n"
                                 "layout(location = SINEW_COLOR_LOCATION) in vec4 color;\n"
                                 "out vec3 out_position;\n"
                                 "out vec3 out_normal;\n"
                                 "out vec4 out_tangent;\n"
                                 "void main() {\n"
                                 "    out_position = position;\n"
                                 "    out_normal = vec3(uv, 1.0);\n"
                                 "    out_tangent = color;\n"
                                 "    gl_Position = vec4(position, 1.0);\n"
                                 "}\n";

// Without a palette nothing is skinned; a mesh that has colours, or none, is drawn by sinew_gl_mesh_draw.
static void check_plain(sinew_gl *gl, const float *uvs, const float *colors) {
    static const float white[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    hero.primitive.uvs = uvs;
    hero.primitive.colors = colors;
    sinew_gl_mesh *mesh = make_mesh(gl);
    GLuint program = make_program_of(gl, NULL, 0, false, plain_body);
    glVertexAttrib4f(5, 0.1f, 0.2f, 0.3f, 0.4f);
    const captured *vertices = capture_draw(program, &hero, mesh, NULL);
    for (int i = 0; i < VERTICES; i++) {
        const float *color = colors ? colors + 4 * (size_t)i : white;
        assert_memory_equal(vertices[i].position, hero.positions + 3 * (size_t)i, sizeof vertices[i].position);
        assert_memory_equal(vertices[i].normal, uvs + 2 * (size_t)i, 2 * sizeof *uvs);
        assert_memory_equal(vertices[i].tangent, color, sizeof vertices[i].tangent);
    }
    glDeleteProgram(program);
    sinew_gl_mesh_destroy(mesh);
}

// Catches an attribute that begins where another one's does, and meshes without colours that use the last current
// colour.
static void coordinates_and_colors_reach_the_shader(void **state) {
    (void)state;
    gl_context_need();
    static float uvs[2 * VERTICES], colors[4 * VERTICES];
    sinew_gl *gl = gl_context_create_default();
    make_vertices(&hero, VERTICES, JOINTS, 8, false);
    for (int i = 0; i < 2 * VERTICES; i++) uvs[i] = 0.25f * (float)i;
    for (int i = 0; i < 4 * VERTICES; i++) colors[i] = 0.5f * (float)i;
    check_plain(gl, uvs, colors);
    check_plain(gl, uvs, NULL);
    sinew_gl_destroy(gl);
    gl_proxy_expect_clean();
}

// Catches reading tangent deltas that don't exist, where the next target's are. Without tangents, a vertex has two
// deltas per target, and its tangent is (1, 0, 0, 1), still turned.
static void meshes_without_tangents_are_morphed(void **state) {
    (void)state;
    gl_context_need();
    static float along_x[4 * VERTICES];
    sinew_gl *gl = gl_context_create_default();
    make_vertices(&hero, VERTICES, 20, 4, true);
    make_poses(&hero, SCALE_MIRRORED);
    hero.primitive.tangents = NULL;
    sinew_gl_records_def def = def_for(SINEW_GPU_RESOURCE_BLOCK, 20);
    def.format.weight_count = WEIGHTS;
    sinew_gl_records *palette = make_palette(gl, def);
    sinew_gl_mesh *mesh = make_mesh(gl);
    GLuint program = make_capture_program(gl, palette, 4, true);
    sinew_gl_records_write(palette, 0, sinew_affine_identity(), hero.palettes[0], hero.morph_weights[0]);
    sinew_gl_records_upload(palette, 1);
    sinew_gl_records_bind(palette);
    const captured *vertices = capture_one(program, mesh, palette);
    for (int i = 0; i < VERTICES; i++) along_x[(ptrdiff_t)4 * i] = along_x[4 * i + 3] = 1.0f;
    hero.primitive.tangents = along_x;
    for (int target = 0; target < TARGETS; target++) hero.target_arrays[2][target] = NULL;
    assert_true(capture_error(vertices, &hero, 0, false) <= VERTEX_TOLERANCE);
    glDeleteProgram(program);
    sinew_gl_mesh_destroy(mesh);
    sinew_gl_records_destroy(palette);
    sinew_gl_destroy(gl);
    gl_proxy_expect_clean();
}

// Catches deltas uploaded into a texture that the context can't have. The mesh continues without them.
static void too_many_deltas_are_an_error(void **state) {
    (void)state;
    gl_context_need();
    gl_proxy_limit(GL_MAX_TEXTURE_SIZE, 17);
    sinew_gl *gl = gl_context_create_default();
    make_vertices(&hero, VERTICES, JOINTS, 4, true); // 1,200 x 5 x 3 texels are 17.6 rows
    sinew_gl_mesh *mesh;
    sinew_error error;
    assert_int_equal(sinew_gl_mesh_create(gl, &hero.primitive, &mesh, NULL), SINEW_OK);
    gl_proxy_reset();
    assert_int_equal(sinew_gl_mesh_add_deltas(mesh, &hero.primitive, &error), SINEW_ERROR_LIMIT);
    assert_string_equal(error.message, "5 morph targets with 1200 vertices need 18 rows of 1024 texels, but "
                                       "GL_MAX_TEXTURE_SIZE is 17");
    assert_int_equal(sinew_gl_mesh_add_deltas(mesh, &hero.primitive, NULL), SINEW_ERROR_LIMIT);
    assert_int_equal(gl_proxy_counts().calls, 0);
    sinew_gl_mesh_destroy(mesh);
    sinew_gl_destroy(gl);
    gl_proxy_expect_clean();
}

// Catches a rigid mesh that follows joint 0 whatever the draw says, or no joint. Its vertices equal a mesh's with all
// weight on that joint.
static void a_mesh_without_joints_hangs_on_one(void **state) {
    (void)state;
    gl_context_need();
    enum { HANGER = 17 };
    sinew_gl *gl = gl_context_create_default();
    make_vertices(&hero, VERTICES, 20, 4, false);
    make_poses(&hero, SCALE_NON_UNIFORM);
    hero.primitive.influences = 0;
    sinew_gl_mesh *mesh = make_mesh(gl);
    hero.primitive.influences = 4;
    for (int i = 0; i < 4 * VERTICES; i++) {
        hero.joints[i] = HANGER;
        hero.weights[i] = i % 4 == 0 ? 1.0f : 0.0f;
    }
    sinew_gl_records *palette = make_palette(gl, def_for(SINEW_GPU_RESOURCE_BLOCK, 20));
    GLuint program = make_capture_program(gl, palette, 4, false);
    sinew_gl_records_update(palette, hero.palettes[0], 20);
    sinew_gl_records_bind(palette);
    glVertexAttribI4ui(3, 1, 1, 1, 1);
    const sinew_gl_draw draw = {.records = palette, .count = 1, .joint = HANGER};
    const captured *vertices = capture_draw(program, &hero, mesh, &draw);
    assert_true(capture_error(vertices, &hero, 0, false) <= VERTEX_TOLERANCE);
    glDeleteProgram(program);
    sinew_gl_mesh_destroy(mesh);
    sinew_gl_records_destroy(palette);
    sinew_gl_destroy(gl);
    gl_proxy_expect_clean();
}

// ---- Memory --------------------------------------------------------------------------------------------------

// Makes and frees everything, or what there is memory for.
static sinew_result make_everything(const sinew_allocator *allocator) {
    sinew_gl_def def = gl_context_def();
    def.allocator = *allocator;
    const sinew_gl_records_def texture = def_for(SINEW_GPU_RESOURCE_TEXTURE, JOINTS);
    sinew_gl *gl;
    sinew_gl_records *palette = NULL;
    sinew_gl_mesh *mesh = NULL;
    sinew_result result = sinew_gl_create(&def, &gl, NULL);
    if (result == SINEW_OK) result = sinew_gl_records_create(gl, &texture, &palette, NULL);
    if (result == SINEW_OK) result = sinew_gl_mesh_create(gl, &hero.primitive, &mesh, NULL);
    if (result == SINEW_OK) result = sinew_gl_mesh_add_deltas(mesh, &hero.primitive, NULL);
    sinew_gl_mesh_destroy(mesh);
    sinew_gl_records_destroy(palette);
    sinew_gl_destroy(gl);
    return result;
}

static void running_out_of_memory_leaves_nothing(void **state) {
    (void)state;
    gl_context_need();
    make_vertices(&hero, VERTICES, JOINTS, 4, true);
    counting c = {0};
    const sinew_allocator allocator = counting_allocator(&c);
    assert_int_equal(make_everything(&allocator), SINEW_OK);
    const int allocations = c.allocations;
    assert_in_range(allocations, 4, 100);
    for (int i = 1; i <= allocations; i++) {
        c = (counting){.fail_at = i};
        assert_int_equal(make_everything(&allocator), SINEW_ERROR_OUT_OF_MEMORY);
        assert_int_equal(c.live, 0);
        gl_proxy_expect_clean();
    }
    assert_int_equal(c.live, 0);
}

int main(int argc, char **argv) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_palettes_are_two),
        cmocka_unit_test(the_buffer_is_as_large_as_the_block),
        cmocka_unit_test(a_program_for_another_size_is_refused),
        cmocka_unit_test(a_crowd_is_one_upload_and_one_draw),
        cmocka_unit_test(meshes_take_new_positions),
        cmocka_unit_test(coordinates_and_colors_reach_the_shader),
        cmocka_unit_test(meshes_without_tangents_are_morphed),
        cmocka_unit_test(too_many_deltas_are_an_error),
        cmocka_unit_test(a_mesh_without_joints_hangs_on_one),
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
    };
    const char *name = gl_context_choose(argc, argv);
    return cmocka_run_group_tests_name(name, tests, gl_context_setup, gl_context_teardown);
}
