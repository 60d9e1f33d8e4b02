// SPDX-License-Identifier: MIT
// Sets up the context, the picture, the mesh and the characters.
#include "bench/gpu_stage.h"

#include "bench/memory.h"
#include "render/program.h"

#include <string.h>

// ---- What is sent ----------------------------------------------------------------------------------------------

static bench_gpu_sent sent;

static void count_buffer_sub_data(GLenum target, GLintptr offset, GLsizeiptr size, const void *data) {
    sent.bytes += (size_t)size;
    glBufferSubData(target, offset, size, data);
}

// sinew-gl only uploads texels with four floats.
static void count_tex_sub_image(GLenum target, GLint level, GLint x, GLint y, GLsizei width, GLsizei height,
                                GLenum format, GLenum type, const void *texels) {
    sent.bytes += (size_t)width * (size_t)height * 4 * sizeof(float);
    glTexSubImage2D(target, level, x, y, width, height, format, type, texels);
}

static void count_uniforms(GLint location, GLsizei count, const GLfloat *values) {
    sent.bytes += (size_t)count * 4 * sizeof(float);
    glUniform4fv(location, count, values);
}

static void count_draw(GLenum mode, GLsizei count, GLenum type, const void *indices) {
    sent.draws++;
    glDrawElements(mode, count, type, indices);
}

static void count_instanced_draw(GLenum mode, GLsizei count, GLenum type, const void *indices, GLsizei instances) {
    sent.draws++;
    glDrawElementsInstanced(mode, count, type, indices, instances);
}

static void count_drawn_points(GLenum mode, GLint first, GLsizei count) {
    sent.draws++;
    glDrawArrays(mode, first, count);
}

static void count_dispatch(GLuint x, GLuint y, GLuint z) {
    sent.draws++;
    glDispatchCompute(x, y, z);
}

static sinew_gl_proc counting_proc(const char *name, void *user) {
    if (strcmp(name, "glBufferSubData") == 0) return (sinew_gl_proc)count_buffer_sub_data;
    if (strcmp(name, "glTexSubImage2D") == 0) return (sinew_gl_proc)count_tex_sub_image;
    if (strcmp(name, "glUniform4fv") == 0) return (sinew_gl_proc)count_uniforms;
    if (strcmp(name, "glDrawElements") == 0) return (sinew_gl_proc)count_draw;
    if (strcmp(name, "glDrawElementsInstanced") == 0) return (sinew_gl_proc)count_instanced_draw;
    if (strcmp(name, "glDrawArrays") == 0) return (sinew_gl_proc)count_drawn_points;
    if (strcmp(name, "glDispatchCompute") == 0) return (sinew_gl_proc)count_dispatch;
    return draw_egl_proc(name, user);
}

bench_gpu_sent bench_gpu_take_sent(void) {
    const bench_gpu_sent taken = sent;
    sent = (bench_gpu_sent){0};
    return taken;
}

// ---- OpenGL ----------------------------------------------------------------------------------------------------

static bool open_api(bench_gpu_stage *stage, draw_egl_api api, sinew_error *error) {
    if (!draw_egl_open(&stage->egl, api, error)) return false;
    sinew_gl_def def = sinew_gl_default();
    def.get_proc_address = counting_proc;
    if (sinew_gl_create(&def, &stage->gl, error) == SINEW_OK) return true;
    draw_egl_close(&stage->egl);
    return false;
}

// Opens OpenGL, or OpenGL ES on small machines. If both fail, the error is desktop OpenGL's.
static bool open_gl(bench_gpu_stage *stage, sinew_error *error) {
    sinew_error of_es;
    return open_api(stage, DRAW_EGL_DESKTOP, error) || open_api(stage, DRAW_EGL_ES, &of_es);
}

static bool make_picture(bench_gpu_stage *stage, sinew_error *error) {
    glGenRenderbuffers(1, &stage->renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, stage->renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, BENCH_GPU_PIXELS, BENCH_GPU_PIXELS);
    glGenFramebuffers(1, &stage->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, stage->framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, stage->renderbuffer);
    glViewport(0, 0, BENCH_GPU_PIXELS, BENCH_GPU_PIXELS);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE) return true;
    draw_fail(error, "this OpenGL cannot create a %d x %d framebuffer", BENCH_GPU_PIXELS, BENCH_GPU_PIXELS);
    return false;
}

// ---- Characters ------------------------------------------------------------------------------------------------

// Makes two triangles per vertex. Their vertices are close together in memory, like in an optimized mesh.
static uint32_t *make_indices(void) {
    enum { STEP = 16, QUADS = BENCH_GPU_TRIANGLES / 2 };
    uint32_t *indices = bench_allocate(6 * (size_t)QUADS, sizeof *indices);
    for (uint32_t i = 0; i < QUADS; i++) {
        const uint32_t corners[] = {i, i + 1, i + STEP, i + 1, i + 1 + STEP, i + STEP};
        memcpy(indices + 6 * (size_t)i, corners, sizeof corners);
    }
    return indices;
}

static bool make_mesh(bench_gpu_stage *stage, sinew_error *error) {
    const sinew_skin_job *job = &stage->vertices->job;
    uint32_t *indices = make_indices();
    const sinew_primitive primitive = {.vertex_count = BENCH_VERTICES,
                                       .positions = job->positions,
                                       .normals = job->normals,
                                       .influences = job->influences,
                                       .joints = job->joints,
                                       .weights = job->weights,
                                       .index_count = 3 * BENCH_GPU_TRIANGLES,
                                       .indices = indices,
                                       .material = -1};
    const sinew_result result = sinew_gl_mesh_create(stage->gl, &primitive, &stage->mesh, error);
    bench_release(indices);
    return result == SINEW_OK;
}

// Places the characters in a square. A thousand of them are one meter apart.
static void place_characters(bench_gpu_stage *stage) {
    int columns = 1;
    while (columns * columns < stage->characters) columns++;
    const float step = 32.0f / (float)columns;
    for (int i = 0; i < stage->characters; i++) {
        const int row = i / columns, column = i % columns;
        stage->transforms[i] = sinew_affine_identity();
        stage->transforms[i].m[0][3] = step * ((float)column + 0.5f) - 16.0f;
        stage->transforms[i].m[2][3] = step * ((float)row + 0.5f) - 16.0f;
    }
}

// Makes the characters. These keys have no scale, because non-uniform scales would rule out a layout.
static bool make_characters(bench_gpu_stage *stage, sinew_error *error) {
    stage->world = bench_world_create(BENCH_KEYS_GAME, BENCH_GPU_JOINTS);
    if (stage->world) stage->crowd = bench_crowd_create(stage->world, stage->characters, BENCH_FORWARD);
    if (stage->crowd) stage->vertices = bench_mesh_create(stage->world, BENCH_NORMAL, BENCH_LAYOUT_4);
    place_characters(stage);
    if (stage->vertices) return make_mesh(stage, error);
    draw_fail(error, "out of memory");
    return false;
}

bool bench_gpu_stage_open(bench_gpu_stage *stage, int characters, sinew_error *error) {
    *stage = (bench_gpu_stage){.characters = characters};
    return open_gl(stage, error) && make_picture(stage, error) && make_characters(stage, error);
}

void bench_gpu_stage_close(bench_gpu_stage *stage) {
    if (stage->egl.context) {
        sinew_gl_mesh_destroy(stage->mesh);
        glDeleteFramebuffers(1, &stage->framebuffer);
        glDeleteRenderbuffers(1, &stage->renderbuffer);
    }
    sinew_gl_destroy(stage->gl);
    draw_egl_close(&stage->egl);
    bench_mesh_destroy(stage->vertices);
    bench_crowd_destroy(stage->crowd);
    if (stage->world) bench_world_destroy(stage->world);
    *stage = (bench_gpu_stage){0};
}

// ---- The program -----------------------------------------------------------------------------------------------

// The camera looks from above and shows all rows of characters. Records contain a character's transform; unskinned
// draws get it in a uniform.
static const char vertex_body[] = "layout(location = SINEW_POSITION_LOCATION) in vec3 position;\n"
                                  "layout(location = SINEW_NORMAL_LOCATION) in vec3 normal;\n"
                                  "out vec3 turned;\n"
                                  "#if defined(SINEW_PER_INSTANCE_TRANSFORM)\n"
                                  "sinew_matrix moved() { return sinew_skin_matrix(); }\n"
                                  "#else\n"
                                  "uniform vec4 world[3];\n"
                                  "sinew_matrix moved() { return sinew_matrix(world[0], world[1], world[2]); }\n"
                                  "#endif\n"
                                  "void main() {\n"
                                  "    sinew_matrix skin = moved();\n"
                                  "    vec3 p = sinew_skin_point(skin, position);\n"
                                  "    turned = sinew_skin_normal(skin, normal);\n"
                                  "    gl_Position = vec4(p.x, p.y - p.z, 0.0, 18.0);\n"
                                  "}\n";

static const char fragment_body[] = "in vec3 turned;\n"
                                    "out vec4 color;\n"
                                    "void main() { color = vec4(normalize(turned), 1.0); }\n";

unsigned bench_gpu_program(const bench_gpu_stage *stage, const sinew_gl_records *palette, sinew_error *error) {
    sinew_gl_source vertex;
    sinew_gl_vertex_shader(stage->gl, palette, palette ? 4 : 0, false, vertex_body, &vertex);
    const char *const fragment[] = {sinew_gl_shader_head(stage->gl), fragment_body};
    return draw_program_link(stage->gl, vertex.strings, SINEW_GL_SOURCES, fragment, 2, error);
}
