// SPDX-License-Identifier: MIT
// Runs `sinew render` and reads its images back.
#ifndef RENDER_RUN_H
#define RENDER_RUN_H

#include "render/picture.h"

// Takes the command's path, and finds out whether EGL gives a context. Tests that need OpenGL are skipped without
// one.
void render_setup(const char *command_path);
void need_gl(void);

// Runs `sinew render ARGUMENTS` and returns its exit status.
int render(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The last run's standard error.
const char *render_said(void);

// Checks that it succeeded and printed nothing.
void expect_good(int status);

// Checks that it exited with this status and one line that contains `what`.
void expect_refused(int status, int expected, const char *what);

bool exists(const char *path);

draw_picture read_png(const char *path);
const uint8_t *pixel_at(const draw_picture *picture, int x, int y);

// Where the model is in a picture without background.
typedef struct extent {
    int left, top, right, bottom; // pixels that it covers completely
    int count;
} extent;

extent covered(const draw_picture *picture);

// The number of pixels that differ by more than `tolerance` in some channel.
int differing_by(const draw_picture *a, const draw_picture *b, int tolerance);

// The number that differ by more than rounding.
int differing(const draw_picture *a, const draw_picture *b);

// Writes a cube of side 2 around the origin, without normals, as test_render_cube.gltf. It's scaled, and has a skin
// or its own node "Cube".
void write_cube(float scale_x, float scale, bool skinned);

// Writes the same cube as test_render_hidden.gltf, and another one `x` to its right, which may have a hidden parent.
void write_hidden_cube(bool hidden, float x);

// Writes two such cubes in one skinned primitive, as test_render_pair.gltf. The right one's joint is scaled.
void write_pair_of_cubes(float scale_x);

// Writes the same cube as test_render_slide.gltf. Its node slides along +Z for a second: to 4, then to `end`.
void write_sliding_cube(float end);

#endif
