// Where pictures are drawn: a multisampled framebuffer, and reading it back.
#ifndef CLI_TARGET_H
#define CLI_TARGET_H

#include "picture.h"

#include <epoxy/gl.h>

typedef struct cli_target {
    int width, height;
    GLuint framebuffer, color, depth; // multisampled
    GLuint resolved_framebuffer, resolved_color;
} cli_target;

// False, with a line printed, when OpenGL cannot have one of that size. Freed with cli_target_free in both cases.
bool cli_target_create(cli_target *target, int width, int height);
void cli_target_free(cli_target *target);

// Resolves the samples and reads the picture, which must be of the target's size. What was drawn must have had
// colours multiplied with alpha.
void cli_target_read(const cli_target *target, cli_picture *picture);

#endif
