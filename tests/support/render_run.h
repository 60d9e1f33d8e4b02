// SPDX-License-Identifier: MIT
// Runs `sinew render` and reads its images back.
#ifndef RENDER_RUN_H
#define RENDER_RUN_H

#include "render/picture.h"

// The command's path, and whether EGL gives a context: what needs OpenGL is skipped where it does not.
void render_setup(const char *command_path);
void need_gl(void);

// The exit status of `sinew render ARGUMENTS`.
int render(const char *format, ...) __attribute__((format(printf, 1, 2)));

// What the run before wrote to standard error.
const char *render_said(void);

// It went well and had nothing to say.
void expect_good(int status);

// It ended with that status and one line that says `what`.
void expect_refused(int status, int expected, const char *what);

bool exists(const char *path);

draw_picture read_png(const char *path);
const uint8_t *pixel_at(const draw_picture *picture, int x, int y);

// Where in a picture without background the model is.
typedef struct extent {
    int left, top, right, bottom; // of the pixels that it covers wholly
    int count;
} extent;

extent covered(const draw_picture *picture);

// How many pixels differ by more than `tolerance` in some channel.
int differing_by(const draw_picture *a, const draw_picture *b, int tolerance);

// By more than rounding.
int differing(const draw_picture *a, const draw_picture *b);

// A cube of side 2 around the origin, without normals, as test_render_cube.gltf: scaled, with a skin or with a node
// of its own, "Cube".
void write_cube(float scale_x, float scale, bool skinned);

// The same cube as test_render_hidden.gltf, and another one `x` to its right, whose parent is hidden or not.
void write_hidden_cube(bool hidden, float x);

// Two such cubes in one skinned primitive as test_render_pair.gltf; the joint of the right one is scaled.
void write_pair_of_cubes(float scale_x);

// The same cube as test_render_slide.gltf, whose node slides along +Z for a second: to 4, then to `end`.
void write_sliding_cube(float end);

#endif
