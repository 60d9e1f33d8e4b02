// SPDX-License-Identifier: MIT
// Draws in world space: lines with a width in pixels and triangles with one color, batched into one draw call.
#ifndef VIEWER_BRUSH_H
#define VIEWER_BRUSH_H

#include "view/canvas.h"

#include <sinew/math.h>

typedef struct view_brush_vertex {
    float clip[4];
    view_color color;
} view_brush_vertex;

enum { VIEW_BRUSH_VERTICES = 3 * 16384 };

typedef struct view_brush {
    GLuint program, vertex_array, buffer;
    sinew_mat4 view_projection;
    float width, height; // the picture's, in pixels
    int count;
    view_brush_vertex *vertices; // [VIEW_BRUSH_VERTICES]
} view_brush;

// Creates a brush. On failure, returns false with the reason in `error`. Call view_brush_free either way.
bool view_brush_create(view_brush *brush, const sinew_gl *gl, sinew_error *error);
void view_brush_free(view_brush *brush);

// Call these before and after a batch. It's drawn into the bound framebuffer with depth testing.
void view_brush_begin(view_brush *brush, const sinew_mat4 *view_projection, int width, int height);
void view_brush_end(view_brush *brush);

void view_brush_line(view_brush *brush, sinew_vec3 a, sinew_vec3 b, float pixels, view_color color);
void view_brush_triangle(view_brush *brush, sinew_vec3 a, sinew_vec3 b, sinew_vec3 c, view_color color);

// Projects a point to the picture, in pixels from the upper left. Returns false if it's behind the camera.
bool view_brush_project(const view_brush *brush, sinew_vec3 point, float *x, float *y);

#endif
