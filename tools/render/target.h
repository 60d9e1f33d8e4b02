// SPDX-License-Identifier: MIT
// The multisampled framebuffer for pictures, and reading it back.
#ifndef DRAW_TARGET_H
#define DRAW_TARGET_H

#include "render/picture.h"

#include <sinew/base.h>

#include <epoxy/gl.h>

typedef struct draw_target {
    int width, height;
    GLuint framebuffer, color, depth; // multisampled
    GLuint resolved_framebuffer, resolved_color;
} draw_target;

// Creates the framebuffer. If OpenGL can't have one of this size, returns false with the reason in `error`. Call
// draw_target_free either way.
bool draw_target_create(draw_target *target, int width, int height, sinew_error *error);
void draw_target_free(draw_target *target);

// Resolves the samples and reads the picture, which must have the target's size. Draw colors with premultiplied alpha.
void draw_target_read(const draw_target *target, draw_picture *picture);

#endif
