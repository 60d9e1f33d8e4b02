// SPDX-License-Identifier: MIT
// Draws lines and triangles in clip space. Lines are quads, because OpenGL only guarantees lines one pixel wide.
#include "view/brush.h"

#include "render/program.h"

#include <math.h>
#include <stdlib.h>

static const char vertex_text[] = "layout(location = 0) in vec4 clip;\n"
                                  "layout(location = 1) in vec4 tint;\n"
                                  "out vec4 shade;\n"
                                  "void main() {\n"
                                  "    shade = vec4(pow(tint.rgb, vec3(2.2)), tint.a);\n"
                                  "    gl_Position = clip;\n"
                                  "}\n";

static const char fragment_text[] = "in vec4 shade;\n"
                                    "out vec4 color;\n"
                                    "void main() {\n"
                                    "    color = vec4(shade.rgb, 1.0) * shade.a;\n"
                                    "}\n";

bool view_brush_create(view_brush *brush, const sinew_gl *gl, sinew_error *error) {
    *brush = (view_brush){0};
    const char *const vertex[] = {sinew_gl_shader_head(gl), vertex_text};
    const char *const fragment[] = {sinew_gl_shader_head(gl), fragment_text};
    brush->vertices = malloc(VIEW_BRUSH_VERTICES * sizeof *brush->vertices);
    if (!brush->vertices) *error = (sinew_error){SINEW_ERROR_OUT_OF_MEMORY, "out of memory"};
    if (!brush->vertices) return false;
    brush->program = draw_program_link(gl, vertex, 2, fragment, 2, error);
    if (!brush->program) return false;
    glGenVertexArrays(1, &brush->vertex_array);
    glGenBuffers(1, &brush->buffer);
    glBindVertexArray(brush->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, brush->buffer);
    view_attribute(0, 4, GL_FLOAT, sizeof(view_brush_vertex), offsetof(view_brush_vertex, clip));
    view_attribute(1, 4, GL_UNSIGNED_BYTE, sizeof(view_brush_vertex), offsetof(view_brush_vertex, color));
    glBindVertexArray(0);
    return true;
}

void view_brush_free(view_brush *brush) {
    glDeleteProgram(brush->program);
    glDeleteBuffers(1, &brush->buffer);
    glDeleteVertexArrays(1, &brush->vertex_array);
    free(brush->vertices);
    *brush = (view_brush){0};
}

// ---- Sending -------------------------------------------------------------------------------------------------

static void flush(view_brush *brush) {
    if (brush->count == 0) return;
    glUseProgram(brush->program);
    glBindBuffer(GL_ARRAY_BUFFER, brush->buffer);
    glBufferData(GL_ARRAY_BUFFER, VIEW_BRUSH_VERTICES * sizeof *brush->vertices, NULL, GL_STREAM_DRAW);
    glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)((size_t)brush->count * sizeof *brush->vertices),
                    brush->vertices);
    glBindVertexArray(brush->vertex_array);
    glDrawArrays(GL_TRIANGLES, 0, brush->count);
    glBindVertexArray(0);
    brush->count = 0;
}

void view_brush_begin(view_brush *brush, const sinew_mat4 *view_projection, int width, int height) {
    brush->view_projection = *view_projection;
    brush->width = (float)width;
    brush->height = (float)height;
    brush->count = 0;
    glEnable(GL_FRAMEBUFFER_SRGB);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

void view_brush_end(view_brush *brush) {
    flush(brush);
    glDisable(GL_BLEND);
}

// ---- Shapes --------------------------------------------------------------------------------------------------

typedef struct clip_point {
    float x, y, z, w;
} clip_point;

static clip_point to_clip(const view_brush *brush, sinew_vec3 p) {
    const float *m = brush->view_projection.m;
    return (clip_point){m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12], m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13],
                        m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14],
                        m[3] * p.x + m[7] * p.y + m[11] * p.z + m[15]};
}

static void put(view_brush *brush, const clip_point *points, view_color color) {
    if (brush->count + 3 > VIEW_BRUSH_VERTICES) flush(brush);
    for (int i = 0; i < 3; i++) {
        brush->vertices[brush->count++] =
            (view_brush_vertex){{points[i].x, points[i].y, points[i].z, points[i].w}, color};
    }
}

void view_brush_triangle(view_brush *brush, sinew_vec3 a, sinew_vec3 b, sinew_vec3 c, view_color color) {
    const clip_point points[3] = {to_clip(brush, a), to_clip(brush, b), to_clip(brush, c)};
    put(brush, points, color);
}

// Moves `a` along the line to `b` until it's in front of the camera. Returns false if the whole line is behind it.
static bool cut_behind(clip_point *a, clip_point b) {
    const float near = 1e-4f;
    if (a->w >= near) return true;
    if (b.w <= near) return false;
    float t = (near - a->w) / (b.w - a->w);
    *a = (clip_point){a->x + t * (b.x - a->x), a->y + t * (b.y - a->y), a->z + t * (b.z - a->z), near};
    return true;
}

void view_brush_line(view_brush *brush, sinew_vec3 from, sinew_vec3 to, float pixels, view_color color) {
    clip_point a = to_clip(brush, from), b = to_clip(brush, to);
    if (!cut_behind(&a, b) || !cut_behind(&b, a)) return;
    float dx = (b.x / b.w - a.x / a.w) * brush->width, dy = (b.y / b.w - a.y / a.w) * brush->height;
    float length = sqrtf(dx * dx + dy * dy);
    if (!(length > 0.0f)) return;
    float x = -dy / length * pixels / brush->width, y = dx / length * pixels / brush->height;
    const clip_point left_a = {a.x + x * a.w, a.y + y * a.w, a.z, a.w},
                     right_a = {a.x - x * a.w, a.y - y * a.w, a.z, a.w};
    const clip_point left_b = {b.x + x * b.w, b.y + y * b.w, b.z, b.w},
                     right_b = {b.x - x * b.w, b.y - y * b.w, b.z, b.w};
    const clip_point first[3] = {left_a, right_a, right_b}, second[3] = {left_a, right_b, left_b};
    put(brush, first, color);
    put(brush, second, color);
}

bool view_brush_project(const view_brush *brush, sinew_vec3 point, float *x, float *y) {
    clip_point p = to_clip(brush, point);
    if (!(p.w > 1e-4f)) return false;
    *x = (0.5f + 0.5f * p.x / p.w) * brush->width;
    *y = (0.5f - 0.5f * p.y / p.w) * brush->height;
    return true;
}
