// Where pictures are drawn: a multisampled framebuffer, and reading it back.
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

// False, with the reason in `error`, when OpenGL cannot have one of that size. Freed with draw_target_free in both cases.
bool draw_target_create(draw_target *target, int width, int height, sinew_error *error);
void draw_target_free(draw_target *target);

// Resolves the samples and reads the picture, which must be of the target's size. What was drawn must have had
// colours multiplied with alpha.
void draw_target_read(const draw_target *target, draw_picture *picture);

#endif
