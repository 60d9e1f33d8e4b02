// SPDX-License-Identifier: MIT
// Draws in two dimensions: panels, lines and text, batched into one draw call.
#ifndef VIEWER_CANVAS_H
#define VIEWER_CANVAS_H

#include "view/layout.h"

#include "render/text.h"

#include <sinew/gpu/gl.h>

#include <epoxy/gl.h>

// sRGB with straight alpha.
typedef struct view_color {
    uint8_t r, g, b, a;
} view_color;

typedef struct view_point {
    float x, y;
} view_point;

typedef enum view_font { VIEW_FONT_TEXT, VIEW_FONT_SMALL, VIEW_FONT_TITLE, VIEW_FONTS } view_font;

typedef struct view_vertex {
    float x, y; // pixels from the upper left
    float u, v; // atlas texel; negative for no texture
    view_color color;
} view_vertex;

enum { VIEW_CANVAS_VERTICES = 3 * 8192 };

typedef struct view_canvas {
    GLuint program, vertex_array, buffer, atlas;
    float scale; // font scale
    draw_font fonts[VIEW_FONTS];
    int atlas_rows[VIEW_FONTS]; // first row of each font's atlas in the shared texture
    int width, height;          // the picture's size
    int count;
    view_vertex *vertices; // [VIEW_CANVAS_VERTICES]
} view_canvas;

// Sets up an attribute in the bound vertex buffer: `count` floats or normalized bytes.
void view_attribute(GLuint location, GLint count, GLenum type, size_t stride, size_t offset);

// Creates a canvas. On failure, returns false with the reason in `error`. Call view_canvas_free either way.
bool view_canvas_create(view_canvas *canvas, const sinew_gl *gl, sinew_error *error);
void view_canvas_free(view_canvas *canvas);

// Creates the fonts for a scale, in pixels per pixel of an unscaled screen. If memory runs out, keeps the old fonts and
// returns false.
bool view_canvas_set_scale(view_canvas *canvas, float scale);

// Call these before and after a batch. It's drawn into the bound framebuffer in the order of the calls.
void view_canvas_begin(view_canvas *canvas, int width, int height);
void view_canvas_end(view_canvas *canvas);

void view_canvas_rect(view_canvas *canvas, view_rect rect, view_color color);

// Draws a rectangle with round corners.
void view_canvas_panel(view_canvas *canvas, view_rect rect, float radius, view_color color);

void view_canvas_triangle(view_canvas *canvas, view_point a, view_point b, view_point c, view_color color);
void view_canvas_dot(view_canvas *canvas, float x, float y, float radius, view_color color);
void view_canvas_line(view_canvas *canvas, float x0, float y0, float x1, float y1, float width, view_color color);

// Draws a line of text that starts at x and is centered between y and y + height. Text wider than `most` pixels ends in
// an ellipsis (0 for no limit). Returns its width.
int view_canvas_text(view_canvas *canvas, view_font font, int x, int y, int height, int most, view_color color,
                     const char *text);

// Like view_canvas_text, but the text ends at x.
int view_canvas_text_right(view_canvas *canvas, view_font font, int x, int y, int height, view_color color,
                           const char *text);

int view_canvas_text_width(const view_canvas *canvas, view_font font, const char *text);

#endif
