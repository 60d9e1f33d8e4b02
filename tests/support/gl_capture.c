// SPDX-License-Identifier: MIT
// The program that captures vertices, and their comparison.
#include "support/gl_capture.h"

#include "support/check.h"

#include <float.h>

static const char skinning_body[] =
    "layout(location = SINEW_POSITION_LOCATION) in vec3 position;\n"
    "layout(location = SINEW_NORMAL_LOCATION) in vec3 normal;\n"
    "layout(location = SINEW_TANGENT_LOCATION) in vec4 tangent;\n"
    "out vec3 out_position;\n"
    "out vec3 out_normal;\n"
    "out vec4 out_tangent;\n"
    "void main() {\n"
    "    sinew_matrix skin = sinew_skin_matrix();\n"
    "    out_position = sinew_skin_point(skin, sinew_morph_point(position));\n"
    "    out_normal = normalize(sinew_skin_normal(skin, sinew_morph_normal(normal)));\n"
    "    vec3 along = normalize(sinew_skin_tangent(skin, sinew_morph_tangent(tangent.xyz)));\n"
    "    out_tangent = vec4(along, tangent.w * sinew_skin_hand(skin));\n"
    "    gl_Position = vec4(out_position, 1.0);\n"
    "}\n";

// ---- The program ---------------------------------------------------------------------------------------------

static GLuint compile(GLenum type, int count, const char *const *sources) {
    GLuint shader = glCreateShader(type);
    glShaderSource(shader, count, sources, NULL);
    glCompileShader(shader);
    GLint good;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    char log[1024] = "";
    if (!good) glGetShaderInfoLog(shader, sizeof log, NULL, log);
    if (!good) fail_msg("%s\n%s", sources[1], log);
    return shader;
}

static GLuint link_program(GLuint vertex, GLuint fragment) {
    static const char *const outputs[] = {"out_position", "out_normal", "out_tangent"};
    GLuint program = glCreateProgram();
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    glTransformFeedbackVaryings(program, 3, outputs, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    GLint good;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    char log[1024] = "";
    if (!good) glGetProgramInfoLog(program, sizeof log, NULL, log);
    if (!good) fail_msg("%s", log);
    return program;
}

GLuint make_capture_program(const sinew_gl *gl, const sinew_gl_records *palette, int influences, bool morph) {
    return make_program_of(gl, palette, influences, morph, skinning_body);
}

GLuint make_program_of(const sinew_gl *gl, const sinew_gl_records *palette, int influences, bool morph,
                       const char *body) {
    sinew_gl_source source;
    const char *fragment_sources[] = {sinew_gl_shader_head(gl), "void main() {}\n"};
    sinew_gl_vertex_shader(gl, palette, influences, morph, body, &source);
    GLuint vertex = compile(GL_VERTEX_SHADER, SINEW_GL_SOURCES, source.strings);
    GLuint program = link_program(vertex, compile(GL_FRAGMENT_SHADER, 2, fragment_sources));
    sinew_error error;
    if (sinew_gl_setup_program(gl, program, &error) != SINEW_OK) fail_msg("%s", error.message);
    return program;
}

// ---- The capture ---------------------------------------------------------------------------------------------

static captured vertices[3 * MOST_VERTICES], as_drawn[3 * MOST_VERTICES];

static GLuint begin_buffer(GLsizeiptr size) {
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, size, NULL, GL_STREAM_READ);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    return buffer;
}

static void draw_mesh(const sinew_gl_mesh *mesh, const sinew_gl_draw *draw) {
    if (draw)
        sinew_gl_mesh_draw_many(mesh, draw);
    else
        sinew_gl_mesh_draw(mesh);
}

static void draw_triangles(const sinew_gl_mesh *mesh, const sinew_gl_draw *draw) {
    glBeginTransformFeedback(GL_TRIANGLES);
    draw_mesh(mesh, draw);
    glEndTransformFeedback();
}

static void draw_points(int vertex_count, const sinew_gl_mesh *mesh, const sinew_gl_draw *draw) {
    draw_mesh(mesh, draw);
    glBindVertexArray(sinew_gl_mesh_vertex_array(mesh));
    glBeginTransformFeedback(GL_POINTS);
    glDrawArraysInstanced(GL_POINTS, 0, vertex_count, draw ? draw->count : 1);
    glEndTransformFeedback();
}

// Reorders from the indices' order to the vertices'.
static void put_in_order(const random_crowd *crowd, int instances) {
    for (int instance = 0; instance < instances; instance++) {
        const int first = instance * crowd->vertex_count;
        for (int i = 0; i < crowd->vertex_count; i++)
            vertices[first + (int)crowd->indices[i]] = as_drawn[first + i];
    }
}

const captured *capture_draw(GLuint program, const random_crowd *crowd, const sinew_gl_mesh *mesh,
                             const sinew_gl_draw *draw) {
    const int instances = draw ? draw->count : 1;
    const size_t size = sizeof vertices[0] * (size_t)(crowd->vertex_count * instances);
    assert_in_range(size, 1, sizeof vertices);
    GLuint buffer = begin_buffer((GLsizeiptr)size);
    glUseProgram(program);
    glEnable(GL_RASTERIZER_DISCARD);
    const bool triangles = !gl_context_is_es();
    if (triangles)
        draw_triangles(mesh, draw);
    else
        draw_points(crowd->vertex_count, mesh, draw);
    glDisable(GL_RASTERIZER_DISCARD);
    const void *data = glMapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, (GLsizeiptr)size, GL_MAP_READ_BIT);
    assert_non_null(data);
    memcpy(triangles ? as_drawn : vertices, data, size);
    if (triangles) put_in_order(crowd, instances);
    glUnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
    glDeleteBuffers(1, &buffer);
    glBindVertexArray(0);
    glUseProgram(0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return vertices;
}

// Positions, then normals, then tangents.
const captured *read_skinned(const random_crowd *crowd, const sinew_gl_skinned *skinned) {
    const size_t count = (size_t)crowd->vertex_count;
    if (gl_context_has(43, 31)) glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT); // before mapping
    glBindBuffer(GL_COPY_READ_BUFFER, sinew_gl_skinned_buffer(skinned));
    const float *from = glMapBufferRange(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)(40 * count), GL_MAP_READ_BIT);
    assert_non_null(from);
    for (size_t i = 0; i < count; i++) {
        memcpy(vertices[i].position, from + 3 * i, sizeof vertices[i].position);
        memcpy(vertices[i].normal, from + 3 * (count + i), sizeof vertices[i].normal);
        memcpy(vertices[i].tangent, from + 6 * count + 4 * i, sizeof vertices[i].tangent);
    }
    glUnmapBuffer(GL_COPY_READ_BUFFER);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return vertices;
}

// ---- The comparison ------------------------------------------------------------------------------------------

static float largest_difference(const float *a, const float *b, int count) {
    float worst = 0.0f;
    for (int i = 0; i < count; i++) {
        float difference = fabsf(a[i] - b[i]);
        if (!(difference <= FLT_MAX)) return INFINITY;
        worst = fmaxf(worst, difference);
    }
    return worst;
}

float capture_error(const captured *skinned, const random_crowd *crowd, int character, bool placed) {
    static skinned_vertices expected;
    skin_on_cpu(crowd, character, placed, &expected);
    const float size = size_of(crowd, character, placed, &expected);
    float worst = 0.0f;
    for (int i = 0; i < crowd->vertex_count; i++) {
        const float position = largest_difference(skinned[i].position, &expected.positions[3 * (size_t)i], 3);
        worst = fmaxf(worst, position / size);
        worst = fmaxf(worst, largest_difference(skinned[i].normal, &expected.normals[3 * (size_t)i], 3));
        worst = fmaxf(worst, largest_difference(skinned[i].tangent, &expected.tangents[4 * (size_t)i], 4));
    }
    return worst;
}
