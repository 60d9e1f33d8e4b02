// SPDX-License-Identifier: MIT
// The multisampled framebuffer of pictures, and its read-back.
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

// False, with the reason in `error`, if OpenGL has no framebuffer of that size. Freed with draw_target_free in both
// cases.
bool draw_target_create(draw_target *target, int width, int height, sinew_error *error);
void draw_target_free(draw_target *target);

// Resolves the samples and reads the picture, which must be of the target's size. The drawn colours must be
// premultiplied with alpha.
void draw_target_read(const draw_target *target, draw_picture *picture);

#endif
