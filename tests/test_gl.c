// sinew-gl in real contexts, OpenGL 3.3 and OpenGL ES 3.0: what the GPU skins is read back by transform feedback
// and compared with the CPU's. Skipped where EGL gives no context.
#include <sinew/gl.h>

#include "draw/egl_context.h"

#include <epoxy/gl.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { VERTICES = 1200, MOST_JOINTS = 600, MOST_INFLUENCES = 8 };

// ---- The context ---------------------------------------------------------------------------------------------

static bool es; // which of the two the group of tests that runs has
static draw_egl egl;
static int live_objects; // made and not yet deleted, of all kinds

// Counting stand-ins for the functions that make and delete objects: what is left at the end has leaked.
static void gen_buffers(GLsizei count, GLuint *names) {
    live_objects += count;
    glGenBuffers(count, names);
}
static void delete_buffers(GLsizei count, const GLuint *names) {
    live_objects -= count;
    glDeleteBuffers(count, names);
}
static void gen_textures(GLsizei count, GLuint *names) {
    live_objects += count;
    glGenTextures(count, names);
}
static void delete_textures(GLsizei count, const GLuint *names) {
    live_objects -= count;
    glDeleteTextures(count, names);
}
static void gen_vertex_arrays(GLsizei count, GLuint *names) {
    live_objects += count;
    glGenVertexArrays(count, names);
}
static void delete_vertex_arrays(GLsizei count, const GLuint *names) {
    live_objects -= count;
    glDeleteVertexArrays(count, names);
}

static sinew_gl_proc counting_proc(const char *name, void *user) {
    if (strcmp(name, "glGenBuffers") == 0) return (sinew_gl_proc)gen_buffers;
    if (strcmp(name, "glDeleteBuffers") == 0) return (sinew_gl_proc)delete_buffers;
    if (strcmp(name, "glGenTextures") == 0) return (sinew_gl_proc)gen_textures;
    if (strcmp(name, "glDeleteTextures") == 0) return (sinew_gl_proc)delete_textures;
    if (strcmp(name, "glGenVertexArrays") == 0) return (sinew_gl_proc)gen_vertex_arrays;
    if (strcmp(name, "glDeleteVertexArrays") == 0) return (sinew_gl_proc)delete_vertex_arrays;
    return draw_egl_proc(name, user);
}

static sinew_gl *create_gl(int ubo_joints) {
    sinew_gl_def def = sinew_gl_default_def();
    def.get_proc_address = counting_proc;
    def.ubo_joints = ubo_joints;
    sinew_gl *gl;
    sinew_error error;
    if (sinew_gl_create(&def, &gl, &error) != SINEW_OK) fail_msg("%s", error.message);
    return gl;
}

// Without a surface there is no default framebuffer, and nothing can be drawn without one, not even for capturing.
static GLuint framebuffer, renderbuffer;

static void make_framebuffer(void) {
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 1, 1);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
}

static int open_context(void **state) {
    (void)state;
    sinew_error error;
    if (!draw_egl_open(&egl, es ? DRAW_EGL_ES : DRAW_EGL_DESKTOP, &error)) {
        print_message("[  SKIP    ] %s\n", error.message);
        return 0;
    }
    print_message("%s, %s\n", (const char *)glGetString(GL_VERSION), (const char *)glGetString(GL_RENDERER));
    make_framebuffer();
    return 0;
}

static int close_context(void **state) {
    (void)state;
    if (!egl.context) return 0;
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteRenderbuffers(1, &renderbuffer);
    draw_egl_close(&egl);
    return 0;
}

// Every test begins with this, so that what one leaves behind is not blamed on the next.
static void need_context(void) {
    if (!egl.context) skip();
    live_objects = 0;
    while (glGetError() != GL_NO_ERROR) {
    }
}

// Every test ends with this.
static void expect_clean(void) {
    assert_int_equal(glGetError(), GL_NO_ERROR);
    assert_int_equal(live_objects, 0);
}

// ---- A character made of random numbers ----------------------------------------------------------------------

static uint32_t random_state;

// In [-1, 1).
static float random_float(void) {
    random_state = random_state * 1664525u + 1013904223u;
    return (float)(random_state >> 8) / 8388608.0f - 1.0f;
}

static sinew_vec3 random_vec3(float size) {
    sinew_vec3 v;
    v.x = size * random_float();
    v.y = size * random_float();
    v.z = size * random_float();
    return v;
}

typedef struct character {
    float positions[VERTICES * 3], normals[VERTICES * 3], uvs[VERTICES * 2], colors[VERTICES * 4];
    uint16_t joints[VERTICES * MOST_INFLUENCES];
    float weights[VERTICES * MOST_INFLUENCES];
    uint32_t indices[VERTICES];
    sinew_affine palette[MOST_JOINTS];
    sinew_primitive primitive;
} character;

static character hero;

enum { MIRRORED_JOINT = 5 };

// Joints turn by up to a radian and scale by up to 2 in each direction on its own, so that blends are far from
// singular and normals well defined.
static sinew_affine random_joint(int joint) {
    sinew_quat q = {0.3f * random_float(), 0.3f * random_float(), 0.3f * random_float(), 1.0f};
    sinew_vec3 scale = random_vec3(0.6f);
    sinew_transform t = {
        random_vec3(2.0f), sinew_quat_normalize(q), {1.3f + scale.x, 1.3f + scale.y, 1.3f + scale.z}};
    if (joint == MIRRORED_JOINT) t.scale.x = -t.scale.x;
    return sinew_affine_from_transform(t);
}

static void make_vertex(int vertex, int joint_count, int influences) {
    sinew_vec3 position = random_vec3(1.0f);
    memcpy(&hero.positions[3 * (size_t)vertex], &position, sizeof position);
    sinew_vec3 n = random_vec3(1.0f);
    float length = sqrtf(n.x * n.x + n.y * n.y + n.z * n.z) + 1e-6f;
    n = (sinew_vec3){n.x / length, n.y / length, n.z / length};
    memcpy(&hero.normals[3 * (size_t)vertex], &n, sizeof n);
    for (int i = 0; i < 2; i++) hero.uvs[2 * vertex + i] = random_float();
    for (int i = 0; i < 4; i++) hero.colors[4 * vertex + i] = random_float();

    // The first influence goes through all joints, so that none is left out; the others are any. What the mirrored
    // joint holds it holds alone: a blend of both hands would be flat.
    float sum = 0.0f;
    for (int i = 0; i < influences; i++) {
        int any = (int)((random_float() + 1.0f) * 0.5f * (float)joint_count) % joint_count;
        int joint = i == 0 ? vertex % joint_count : any == MIRRORED_JOINT ? 0 : any;
        if (vertex % joint_count == MIRRORED_JOINT) joint = MIRRORED_JOINT;
        hero.joints[vertex * influences + i] = (uint16_t)joint;
        hero.weights[vertex * influences + i] = 1.1f + random_float();
        sum += hero.weights[vertex * influences + i];
    }
    for (int i = 0; i < influences; i++) hero.weights[vertex * influences + i] /= sum;
}

static void make_hero(int joint_count, int influences) {
    random_state = (uint32_t)(joint_count * 10 + influences);
    for (int i = 0; i < joint_count; i++) hero.palette[i] = random_joint(i);
    for (int i = 0; i < VERTICES; i++) {
        make_vertex(i, joint_count, influences);
        hero.indices[i] = (uint32_t)(VERTICES - 1 - i);
    }
    hero.primitive = (sinew_primitive){.vertex_count = VERTICES,
                                       .positions = hero.positions,
                                       .normals = hero.normals,
                                       .uvs = hero.uvs,
                                       .colors = hero.colors,
                                       .influences = influences,
                                       .joints = hero.joints,
                                       .weights = hero.weights,
                                       .index_count = VERTICES,
                                       .indices = hero.indices,
                                       .material = -1};
}

// ---- Programs and transform feedback -------------------------------------------------------------------------

static const char body[] = "layout(location = SINEW_POSITION_LOCATION) in vec3 position;\n"
                           "layout(location = SINEW_NORMAL_LOCATION) in vec3 normal;\n"
                           "layout(location = SINEW_UV_LOCATION) in vec2 uv;\n"
                           "layout(location = SINEW_COLOR_LOCATION) in vec4 color;\n"
                           "out vec3 out_position;\n"
                           "out vec3 out_normal;\n"
                           "out vec2 out_uv;\n"
                           "out vec4 out_color;\n"
                           "void main() {\n"
                           "    sinew_matrix skin = sinew_skin_matrix();\n"
                           "    out_position = sinew_skin_point(skin, position);\n"
                           "    out_normal = normalize(sinew_skin_normal(skin, normal));\n"
                           "    out_uv = uv;\n"
                           "    out_color = color;\n"
                           "    gl_Position = vec4(out_position, 1.0);\n"
                           "}\n";

typedef struct captured {
    float position[3], normal[3], uv[2], color[4];
} captured;

static captured feedback[VERTICES];

static GLuint compile(GLenum type, int count, const char **sources) {
    GLuint shader = glCreateShader(type);
    glShaderSource(shader, count, sources, NULL);
    glCompileShader(shader);
    GLint good;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    char log[1024] = "";
    if (!good) glGetShaderInfoLog(shader, sizeof log, NULL, log);
    if (!good) fail_msg("%s", log);
    return shader;
}

static GLuint link_program(const sinew_gl *gl, sinew_gl_palette_kind kind, int influences) {
    static const char *const outputs[] = {"out_position", "out_normal", "out_uv", "out_color"};
    const char *vertex_sources[SINEW_GL_SOURCES];
    const char *fragment_sources[] = {sinew_gl_shader_head(gl), "void main() {}\n"};
    sinew_gl_vertex_shader(gl, kind, influences, body, vertex_sources);
    GLuint program = glCreateProgram();
    GLuint vertex = compile(GL_VERTEX_SHADER, SINEW_GL_SOURCES, vertex_sources);
    GLuint fragment = compile(GL_FRAGMENT_SHADER, 2, fragment_sources);
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    glTransformFeedbackVaryings(program, 4, outputs, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    GLint good;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    assert_true(good);
    return program;
}

static GLuint make_program(const sinew_gl *gl, sinew_gl_palette_kind kind, int influences) {
    GLuint program = link_program(gl, kind, influences);
    sinew_error error;
    if (sinew_gl_setup_program(gl, program, &error) != SINEW_OK) fail_msg("%s", error.message);
    return program;
}

// Runs the program over the mesh, as points in the order of the vertices (ES 3.0 allows no indices while it
// captures) or as the triangles that sinew_gl_mesh_draw draws.
static void capture(GLuint program, const sinew_gl_mesh *mesh, bool triangles) {
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, sizeof feedback, NULL, GL_STREAM_READ);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glUseProgram(program);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(triangles ? GL_TRIANGLES : GL_POINTS);
    if (triangles) {
        sinew_gl_mesh_draw(mesh);
    } else {
        glBindVertexArray(sinew_gl_mesh_vertex_array(mesh));
        glDrawArrays(GL_POINTS, 0, VERTICES);
    }
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    const void *data = glMapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof feedback, GL_MAP_READ_BIT);
    assert_non_null(data);
    memcpy(feedback, data, sizeof feedback);
    glUnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
    glDeleteBuffers(1, &buffer);
    glUseProgram(0);
}

// ---- Comparing -----------------------------------------------------------------------------------------------

static float expected_positions[VERTICES * 3], expected_normals[VERTICES * 3];

static void skin_on_cpu(void) {
    sinew_skin_job job = sinew_skin_job_default();
    job.influences = hero.primitive.influences;
    job.joints = hero.joints;
    job.weights = hero.weights;
    job.positions = hero.positions;
    job.normals = hero.normals;
    job.out_positions = expected_positions;
    job.out_normals = expected_normals;
    sinew_skin_vertices(&job, hero.palette, 0, VERTICES);
}

typedef struct errors {
    float position; // relative to the largest coordinate
    float normal;
} errors;

static errors compare_feedback(void) {
    float size = 1.0f;
    errors worst = {0};
    for (int i = 0; i < VERTICES * 3; i++) size = fmaxf(size, fabsf(expected_positions[i]));
    for (int v = 0; v < VERTICES; v++) {
        for (int i = 0; i < 3; i++) {
            float position = fabsf(feedback[v].position[i] - expected_positions[3 * v + i]) / size;
            float normal = fabsf(feedback[v].normal[i] - expected_normals[3 * v + i]);
            // Written so that what is no number counts as an error.
            if (!(position <= worst.position)) worst.position = position;
            if (!(normal <= worst.normal)) worst.normal = normal;
        }
        assert_memory_equal(feedback[v].uv, &hero.uvs[2 * (size_t)v], sizeof feedback[v].uv);
        assert_memory_equal(feedback[v].color, &hero.colors[4 * (size_t)v], sizeof feedback[v].color);
    }
    return worst;
}

static errors skin_and_compare(sinew_gl *gl, int joint_count, int influences, sinew_gl_palette_kind *kind) {
    make_hero(joint_count, influences);
    skin_on_cpu();
    sinew_gl_palette *palette;
    sinew_gl_mesh *mesh;
    assert_int_equal(sinew_gl_palette_create(gl, joint_count, &palette, NULL), SINEW_OK);
    assert_int_equal(sinew_gl_mesh_create(gl, &hero.primitive, &mesh, NULL), SINEW_OK);
    *kind = sinew_gl_palette_get_kind(palette);
    GLuint program = make_program(gl, *kind, influences);
    sinew_gl_palette_update(palette, hero.palette, joint_count);
    sinew_gl_palette_bind(palette);
    capture(program, mesh, false);
    glDeleteProgram(program);
    sinew_gl_mesh_destroy(mesh);
    sinew_gl_palette_destroy(palette);
    return compare_feedback();
}

// ---- The tests -----------------------------------------------------------------------------------------------

// Catches matrices read by rows where columns were meant, a texture row of another width in the shader than in the
// upload, the last row of a texture not uploaded, joints beyond the block, joints as floats (which lose their bits
// in an integer attribute), influences 5 to 8 dropped, and normals turned by the matrix instead of its cofactors,
// or inside out where it mirrors.
static void gpu_and_cpu_agree(void **state) {
    (void)state;
    need_context();
    static const int joint_counts[] = {64, 65, 128, 129, 600};
    print_message("ubo_joints  joints  influences  path     position   normal\n");
    for (int ubo_joints = 64; ubo_joints <= 128; ubo_joints += 64) {
        sinew_gl *gl = create_gl(ubo_joints);
        for (int i = 0; i < 10; i++) {
            int joint_count = joint_counts[i / 2], influences = i % 2 ? 8 : 4;
            sinew_gl_palette_kind kind;
            errors worst = skin_and_compare(gl, joint_count, influences, &kind);
            print_message("%10d  %6d  %10d  %-7s  %.2e   %.2e\n", ubo_joints, joint_count, influences,
                          kind == SINEW_GL_BLOCK ? "block" : "texture", (double)worst.position,
                          (double)worst.normal);
            assert_int_equal(kind, joint_count <= ubo_joints ? SINEW_GL_BLOCK : SINEW_GL_TEXTURE);
            assert_true(worst.position < 1e-4f);
            assert_true(worst.normal < 1e-4f);
        }
        sinew_gl_destroy(gl);
    }
    expect_clean();
}

// Catches a buffer that is as large as the skin and not as the block: such a draw is undefined, and on some drivers
// looks right.
static void the_buffer_is_as_large_as_the_block(void **state) {
    (void)state;
    need_context();
    sinew_gl *gl = create_gl(128);
    make_hero(64, 4);
    GLuint program = make_program(gl, SINEW_GL_BLOCK, 4);
    GLint declared;
    GLuint block = glGetUniformBlockIndex(program, "sinew_palette_block");
    glGetActiveUniformBlockiv(program, block, GL_UNIFORM_BLOCK_DATA_SIZE, &declared);
    assert_int_equal(declared, 128 * 48);

    sinew_gl_palette *palette;
    assert_int_equal(sinew_gl_palette_create(gl, 64, &palette, NULL), SINEW_OK);
    for (int updates = 0; updates < 2; updates++) {
        GLint size = 0, bound = 0;
        sinew_gl_palette_bind(palette);
        glGetIntegeri_v(GL_UNIFORM_BUFFER_BINDING, 3, &bound);
        assert_int_not_equal(bound, 0);
        glBindBuffer(GL_UNIFORM_BUFFER, (GLuint)bound);
        glGetBufferParameteriv(GL_UNIFORM_BUFFER, GL_BUFFER_SIZE, &size);
        assert_int_equal(size, declared);
        sinew_gl_palette_update(palette, hero.palette, 64);
    }
    sinew_gl_palette_destroy(palette);
    glDeleteProgram(program);
    sinew_gl_destroy(gl);
    expect_clean();
}

// Catches a program that was linked for another number of joints and then reads past the buffer's end.
static void a_program_for_another_block_is_refused(void **state) {
    (void)state;
    need_context();
    sinew_gl *small = create_gl(64), *large = create_gl(128);
    GLuint program = link_program(large, SINEW_GL_BLOCK, 4);
    sinew_error error;
    assert_int_equal(sinew_gl_setup_program(small, program, &error), SINEW_ERROR_ARGUMENT);
    assert_string_equal(error.message,
                        "the program's palette block has 6144 bytes, but palettes for 64 joints have 3072");
    glDeleteProgram(program);
    sinew_gl_destroy(small);
    sinew_gl_destroy(large);
    expect_clean();
}

// Catches palettes that share a buffer or texture, and updates that go to the one that happens to be bound.
static void two_palettes_are_two(void **state) {
    (void)state;
    need_context();
    sinew_gl *gl = create_gl(128);
    for (int joint_count = 128; joint_count <= 300; joint_count += 172) {
        make_hero(joint_count, 4);
        skin_on_cpu();
        sinew_gl_palette *first, *second;
        sinew_gl_mesh *mesh;
        assert_int_equal(sinew_gl_palette_create(gl, joint_count, &first, NULL), SINEW_OK);
        assert_int_equal(sinew_gl_palette_create(gl, joint_count, &second, NULL), SINEW_OK);
        assert_int_equal(sinew_gl_mesh_create(gl, &hero.primitive, &mesh, NULL), SINEW_OK);
        GLuint program = make_program(gl, sinew_gl_kind_for(gl, joint_count), 4);
        sinew_gl_palette_update(first, hero.palette, joint_count);
        for (int i = 0; i < joint_count; i++) hero.palette[i].m[0][3] += 7.0f;
        sinew_gl_palette_update(second, hero.palette, joint_count);
        sinew_gl_palette_bind(second);
        sinew_gl_palette_bind(first);
        capture(program, mesh, false);
        assert_true(compare_feedback().position < 1e-4f);
        skin_on_cpu();
        sinew_gl_palette_bind(second);
        capture(program, mesh, false);
        assert_true(compare_feedback().position < 1e-4f);
        glDeleteProgram(program);
        sinew_gl_mesh_destroy(mesh);
        sinew_gl_palette_destroy(first);
        sinew_gl_palette_destroy(second);
    }
    sinew_gl_destroy(gl);
    expect_clean();
}

// Catches an update that goes to the wrong place of the buffer or forgets the normals.
static void meshes_take_new_positions(void **state) {
    (void)state;
    need_context();
    sinew_gl *gl = create_gl(128);
    make_hero(64, 4);
    sinew_gl_palette *palette;
    sinew_gl_mesh *mesh;
    assert_int_equal(sinew_gl_palette_create(gl, 64, &palette, NULL), SINEW_OK);
    assert_int_equal(sinew_gl_mesh_create(gl, &hero.primitive, &mesh, NULL), SINEW_OK);
    GLuint program = make_program(gl, SINEW_GL_BLOCK, 4);
    sinew_gl_palette_update(palette, hero.palette, 64);
    sinew_gl_palette_bind(palette);
    for (int i = 0; i < VERTICES * 3; i++) hero.positions[i] += 0.5f;
    sinew_gl_mesh_update(mesh, hero.positions, NULL);
    skin_on_cpu();
    capture(program, mesh, false);
    errors worst = compare_feedback();
    assert_true(worst.position < 1e-4f && worst.normal < 1e-4f);
    for (int i = 0; i < VERTICES * 3; i++) hero.normals[i] = -hero.normals[i];
    sinew_gl_mesh_update(mesh, hero.positions, hero.normals);
    skin_on_cpu();
    capture(program, mesh, false);
    worst = compare_feedback();
    assert_true(worst.position < 1e-4f && worst.normal < 1e-4f);
    glDeleteProgram(program);
    sinew_gl_mesh_destroy(mesh);
    sinew_gl_palette_destroy(palette);
    sinew_gl_destroy(gl);
    expect_clean();
}

// Catches indices that are not used, and meshes without colours drawn in whatever colour was current before.
static void triangles_are_drawn_in_the_order_of_the_indices(void **state) {
    (void)state;
    need_context();
    if (es) skip(); // indices cannot be captured
    sinew_gl *gl = create_gl(128);
    make_hero(64, 4);
    hero.primitive.colors = NULL;
    sinew_gl_mesh *mesh;
    assert_int_equal(sinew_gl_mesh_create(gl, &hero.primitive, &mesh, NULL), SINEW_OK);
    GLuint program = make_program(gl, SINEW_GL_RIGID, 0);
    glVertexAttrib4f(5, 0.1f, 0.2f, 0.3f, 0.4f);
    capture(program, mesh, true);
    static const float white[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    for (int i = 0; i < VERTICES; i++) {
        size_t source = hero.indices[i];
        assert_memory_equal(feedback[i].position, &hero.positions[3 * source], sizeof feedback[i].position);
        assert_memory_equal(feedback[i].color, white, sizeof white);
    }
    glDeleteProgram(program);
    sinew_gl_mesh_destroy(mesh);
    sinew_gl_destroy(gl);
    expect_clean();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gpu_and_cpu_agree),
        cmocka_unit_test(the_buffer_is_as_large_as_the_block),
        cmocka_unit_test(a_program_for_another_block_is_refused),
        cmocka_unit_test(two_palettes_are_two),
        cmocka_unit_test(meshes_take_new_positions),
        cmocka_unit_test(triangles_are_drawn_in_the_order_of_the_indices),
    };
    int failed = cmocka_run_group_tests_name("OpenGL 3.3", tests, open_context, close_context);
    es = true;
    failed += cmocka_run_group_tests_name("OpenGL ES 3.0", tests, open_context, close_context);
    return failed;
}
