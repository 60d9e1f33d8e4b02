// SPDX-License-Identifier: MIT
// Draws triangles on the screen. Edges are antialiased with a fringe that fades out over one pixel.
#include "view/canvas.h"

#include "render/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char vertex_text[] = "layout(location = 0) in vec2 position;\n"
                                  "layout(location = 1) in vec2 texel;\n"
                                  "layout(location = 2) in vec4 tint;\n"
                                  "uniform vec4 picture;\n"
                                  "out vec2 coordinate;\n"
                                  "out vec4 shade;\n"
                                  "void main() {\n"
                                  "    coordinate = texel;\n"
                                  "    shade = tint;\n"
                                  "    vec2 unit = position * 2.0 / picture.xy - 1.0;\n"
                                  "    gl_Position = vec4(unit.x, -unit.y, 0.0, 1.0);\n"
                                  "}\n";

static const char fragment_text[] =
    "uniform sampler2D atlas;\n"
    "in vec2 coordinate;\n"
    "in vec4 shade;\n"
    "out vec4 color;\n"
    "void main() {\n"
    "    float cover = coordinate.x < 0.0 ? 1.0 : texelFetch(atlas, ivec2(coordinate), 0).r;\n"
    "    color = vec4(shade.rgb, 1.0) * (shade.a * cover);\n"
    "}\n";

// ---- Making --------------------------------------------------------------------------------------------------

void view_attribute(GLuint location, GLint count, GLenum type, size_t stride, size_t offset) {
    const void *start = (const void *)(uintptr_t)offset; // NOLINT(performance-no-int-to-ptr): OpenGL's interface
    glVertexAttribPointer(location, count, type, type == GL_UNSIGNED_BYTE, (GLsizei)stride, start);
    glEnableVertexAttribArray(location);
}

static void make_vertex_array(view_canvas *canvas) {
    glGenVertexArrays(1, &canvas->vertex_array);
    glGenBuffers(1, &canvas->buffer);
    glBindVertexArray(canvas->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, canvas->buffer);
    view_attribute(0, 2, GL_FLOAT, sizeof(view_vertex), offsetof(view_vertex, x));
    view_attribute(1, 2, GL_FLOAT, sizeof(view_vertex), offsetof(view_vertex, u));
    view_attribute(2, 4, GL_UNSIGNED_BYTE, sizeof(view_vertex), offsetof(view_vertex, color));
    glBindVertexArray(0);
}

bool view_canvas_create(view_canvas *canvas, const sinew_gl *gl, sinew_error *error) {
    *canvas = (view_canvas){0};
    const char *const vertex[] = {sinew_gl_shader_head(gl), vertex_text};
    const char *const fragment[] = {sinew_gl_shader_head(gl), fragment_text};
    canvas->vertices = malloc(VIEW_CANVAS_VERTICES * sizeof *canvas->vertices);
    if (!canvas->vertices) *error = (sinew_error){SINEW_ERROR_OUT_OF_MEMORY, "out of memory"};
    if (!canvas->vertices) return false;
    canvas->program = draw_program_link(gl, vertex, 2, fragment, 2, error);
    if (!canvas->program) return false;
    make_vertex_array(canvas);
    return true;
}

void view_canvas_free(view_canvas *canvas) {
    for (int i = 0; i < VIEW_FONTS; i++) draw_font_free(&canvas->fonts[i]);
    glDeleteProgram(canvas->program);
    glDeleteTextures(1, &canvas->atlas);
    glDeleteBuffers(1, &canvas->buffer);
    glDeleteVertexArrays(1, &canvas->vertex_array);
    free(canvas->vertices);
    *canvas = (view_canvas){0};
}

// ---- Fonts ---------------------------------------------------------------------------------------------------

// Puts all fonts' atlases into one texture, one below the other.
static void upload_atlas(view_canvas *canvas) {
    int width = 1, height = 0;
    for (int i = 0; i < VIEW_FONTS; i++) {
        canvas->atlas_rows[i] = height;
        height += canvas->fonts[i].atlas_height;
        if (canvas->fonts[i].atlas_width > width) width = canvas->fonts[i].atlas_width;
    }
    if (!canvas->atlas) glGenTextures(1, &canvas->atlas);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, canvas->atlas);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, width, height, 0, GL_RED, GL_UNSIGNED_BYTE, NULL);
    for (int i = 0; i < VIEW_FONTS; i++) {
        const draw_font *font = &canvas->fonts[i];
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, canvas->atlas_rows[i], font->atlas_width, font->atlas_height, GL_RED,
                        GL_UNSIGNED_BYTE, font->atlas);
    }
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4); // sinew-gl expects this value
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

bool view_canvas_set_scale(view_canvas *canvas, float scale) {
    static const float sizes[VIEW_FONTS] = {
        [VIEW_FONT_TEXT] = 16.0f, [VIEW_FONT_SMALL] = 14.0f, [VIEW_FONT_TITLE] = 34.0f};
    draw_font fonts[VIEW_FONTS];
    bool good = true;
    for (int i = 0; i < VIEW_FONTS; i++) {
        int size = view_pixels(scale, sizes[i]);
        good = draw_font_create(&fonts[i], size < 8 ? 8 : size > 96 ? 96 : size) && good;
    }
    for (int i = 0; i < VIEW_FONTS; i++) draw_font_free(good ? &canvas->fonts[i] : &fonts[i]);
    if (!good) return false;
    memcpy(canvas->fonts, fonts, sizeof fonts);
    canvas->scale = scale;
    upload_atlas(canvas);
    return true;
}

// ---- Sending -------------------------------------------------------------------------------------------------

static void flush(view_canvas *canvas) {
    if (canvas->count == 0) return;
    const float picture[4] = {(float)canvas->width, (float)canvas->height, 0.0f, 0.0f};
    glUseProgram(canvas->program);
    draw_set_vec4(canvas->program, "picture", picture, 1);
    draw_set_int(canvas->program, "atlas", 0);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, canvas->atlas);
    glBindBuffer(GL_ARRAY_BUFFER, canvas->buffer);
    glBufferData(GL_ARRAY_BUFFER, VIEW_CANVAS_VERTICES * sizeof *canvas->vertices, NULL, GL_STREAM_DRAW);
    glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)((size_t)canvas->count * sizeof *canvas->vertices),
                    canvas->vertices);
    glBindVertexArray(canvas->vertex_array);
    glDrawArrays(GL_TRIANGLES, 0, canvas->count);
    glBindVertexArray(0);
    canvas->count = 0;
}

// Blends colors in sRGB like other user interfaces. This also keeps text from looking thinner or bolder.
void view_canvas_begin(view_canvas *canvas, int width, int height) {
    canvas->width = width;
    canvas->height = height;
    canvas->count = 0;
    glViewport(0, 0, width, height);
    glDisable(GL_FRAMEBUFFER_SRGB);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

void view_canvas_end(view_canvas *canvas) {
    flush(canvas);
    glDisable(GL_BLEND);
}

static void triangle(view_canvas *canvas, view_vertex a, view_vertex b, view_vertex c) {
    if (canvas->count + 3 > VIEW_CANVAS_VERTICES) flush(canvas);
    view_vertex *v = canvas->vertices + canvas->count;
    v[0] = a;
    v[1] = b;
    v[2] = c;
    canvas->count += 3;
}

static view_vertex plain(float x, float y, view_color color) {
    return (view_vertex){x, y, -1.0f, -1.0f, color};
}

static void quad(view_canvas *canvas, view_vertex a, view_vertex b, view_vertex c, view_vertex d) {
    triangle(canvas, a, b, c);
    triangle(canvas, a, c, d);
}

// ---- Shapes --------------------------------------------------------------------------------------------------

void view_canvas_rect(view_canvas *canvas, view_rect r, view_color color) {
    float x0 = (float)r.x, y0 = (float)r.y, x1 = (float)(r.x + r.width), y1 = (float)(r.y + r.height);
    quad(canvas, plain(x0, y0, color), plain(x1, y0, color), plain(x1, y1, color), plain(x0, y1, color));
}

enum { MAX_CORNERS = 64 };

// Returns the offset of a corner that moves both of its edges outward by one pixel. Limited at sharp corners.
static view_point outward_at(view_point before, view_point at, view_point after) {
    float ax = at.x - before.x, ay = at.y - before.y, bx = after.x - at.x, by = after.y - at.y;
    float a = sqrtf(ax * ax + ay * ay), b = sqrtf(bx * bx + by * by);
    a = a > 0.0f ? 1.0f / a : 0.0f;
    b = b > 0.0f ? 1.0f / b : 0.0f;
    float x = ay * a + by * b, y = -ax * a - bx * b;
    float size = x * x + y * y;
    float factor = size > 0.5f ? 2.0f / size : 0.0f;
    return (view_point){x * factor, y * factor};
}

// Draws a convex polygon with smooth edges. It has at most 64 corners, clockwise on the screen.
static void fill_convex(view_canvas *canvas, const view_point *points, int count, view_color color) {
    view_vertex inner[MAX_CORNERS], outer[MAX_CORNERS];
    view_color none = color;
    none.a = 0;
    if (count > MAX_CORNERS) count = MAX_CORNERS;
    for (int i = 0; i < count; i++) {
        const view_point at = points[i];
        const view_point out = outward_at(points[(i + count - 1) % count], at, points[(i + 1) % count]);
        inner[i] = plain(at.x - 0.5f * out.x, at.y - 0.5f * out.y, color);
        outer[i] = plain(at.x + 0.5f * out.x, at.y + 0.5f * out.y, none);
    }
    for (int i = 2; i < count; i++) triangle(canvas, inner[0], inner[i - 1], inner[i]);
    for (int i = 0; i < count; i++) {
        int next = (i + 1) % count;
        quad(canvas, inner[i], outer[i], outer[next], inner[next]);
    }
}

void view_canvas_panel(view_canvas *canvas, view_rect r, float radius, view_color color) {
    enum { STEPS = 6 };
    static const float quarter = 1.57079633f;
    view_point points[4 * (STEPS + 1)];
    const float x[4] = {(float)(r.x + r.width) - radius, (float)(r.x + r.width) - radius, (float)r.x + radius,
                        (float)r.x + radius};
    const float y[4] = {(float)r.y + radius, (float)(r.y + r.height) - radius, (float)(r.y + r.height) - radius,
                        (float)r.y + radius};
    for (int i = 0; i < 4 * (STEPS + 1); i++) {
        int corner = i / (STEPS + 1), step = i % (STEPS + 1);
        float angle = quarter * ((float)(corner - 1) + (float)step / (float)STEPS);
        points[i] = (view_point){x[corner] + radius * cosf(angle), y[corner] + radius * sinf(angle)};
    }
    fill_convex(canvas, points, 4 * (STEPS + 1), color);
}

void view_canvas_triangle(view_canvas *canvas, view_point a, view_point b, view_point c, view_color color) {
    const view_point points[3] = {a, b, c};
    fill_convex(canvas, points, 3, color);
}

void view_canvas_dot(view_canvas *canvas, float x, float y, float radius, view_color color) {
    enum { STEPS = 16 };
    view_point points[STEPS];
    for (int i = 0; i < STEPS; i++) {
        float angle = 6.28318531f * (float)i / (float)STEPS;
        points[i] = (view_point){x + radius * cosf(angle), y + radius * sinf(angle)};
    }
    fill_convex(canvas, points, STEPS, color);
}

void view_canvas_line(view_canvas *canvas, float x0, float y0, float x1, float y1, float width, view_color color) {
    float dx = x1 - x0, dy = y1 - y0, length = sqrtf(dx * dx + dy * dy);
    if (!(length > 0.0f)) return;
    float nx = -dy / length * width * 0.5f, ny = dx / length * width * 0.5f;
    const view_point points[4] = {{x0 - nx, y0 - ny}, {x1 - nx, y1 - ny}, {x1 + nx, y1 + ny}, {x0 + nx, y0 + ny}};
    fill_convex(canvas, points, 4, color);
}

// ---- Text ----------------------------------------------------------------------------------------------------

static void paint_glyph(view_canvas *canvas, int atlas_row, const draw_quad *q, view_color color) {
    float x0 = (float)q->x, y0 = (float)q->y, x1 = (float)(q->x + q->width), y1 = (float)(q->y + q->height);
    float u0 = (float)q->atlas_x, v0 = (float)(q->atlas_y + atlas_row);
    float u1 = u0 + (float)q->width, v1 = v0 + (float)q->height;
    quad(canvas, (view_vertex){x0, y0, u0, v0, color}, (view_vertex){x1, y0, u1, v0, color},
         (view_vertex){x1, y1, u1, v1, color}, (view_vertex){x0, y1, u0, v1, color});
}

int view_canvas_text(view_canvas *canvas, view_font which, int x, int y, int height, int most, view_color color,
                     const char *text) {
    enum { MAX_QUADS = 256 };
    const draw_font *font = &canvas->fonts[which];
    char fitted[512];
    draw_quad quads[MAX_QUADS];
    int width = draw_text_width(font, text);
    if (most > 0 && width > most) {
        width = draw_text_fit(font, text, most, fitted, sizeof fitted);
        text = fitted;
    }
    // Center lower-case letters, but slightly lower, because capitals are taller.
    const int base = y + (height + font->x_height + 1) / 2 + font->x_height / 8;
    int count = draw_text_quads(font, x, base, text, quads, MAX_QUADS);
    for (int i = 0; i < count && i < MAX_QUADS; i++) {
        paint_glyph(canvas, canvas->atlas_rows[which], &quads[i], color);
    }
    return width;
}

int view_canvas_text_width(const view_canvas *canvas, view_font font, const char *text) {
    return draw_text_width(&canvas->fonts[font], text);
}

int view_canvas_text_right(view_canvas *canvas, view_font font, int x, int y, int height, view_color color,
                           const char *text) {
    int width = view_canvas_text_width(canvas, font, text);
    return view_canvas_text(canvas, font, x - width, y, height, 0, color, text);
}
