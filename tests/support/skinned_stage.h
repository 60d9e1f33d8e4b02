// SPDX-License-Identifier: MIT
// A random mesh skinned ahead of draws in the open context, and its vertices read back.
#ifndef SKINNED_STAGE_H
#define SKINNED_STAGE_H

#include "support/gl_capture.h"

#include "support/check.h"

enum { VERTICES = 300, JOINTS = 37, HUNG_ON = 5 };

// The character, and sinew-gl's allocator.
extern random_crowd hero;
extern counting heap;

// Replaces each shader's last string, if it isn't NULL.
extern const char *spoiled;

// The bits of all barriers after the first dispatch since gl_proxy_reset. The test clears it.
extern int barriers_after_dispatch;

// Begins a test: skips it without a context, and cleans up after the last one.
void need_context(void);

// Skips the test with a message if there are no compute shaders.
void need_compute(void);
bool has_compute(void);

// sinew-gl through the proxy, with a counting allocator.
sinew_gl_def gl_def(void);
sinew_gl *create_gl(void);

// Fails if it leaves anything behind.
void destroy_gl(sinew_gl *gl);

sinew_gl_records *make_palette(sinew_gl *gl, const sinew_gl_records_def *def);
sinew_gl_mesh *make_mesh(sinew_gl *gl, const sinew_primitive *primitive);
sinew_gl_skinned *make_skinned(sinew_gl *gl, const sinew_gl_mesh *mesh, const sinew_gl_records *palette,
                               sinew_gl_skinning way);

// What to skin, with what, and where to.
typedef struct stage {
    sinew_gl_records *palette;
    sinew_gl_mesh *mesh;
    sinew_gl_skinned *skinned;
} stage;

stage make_stage(sinew_gl *gl, const sinew_gl_records_def *def, const sinew_primitive *primitive,
                 sinew_gl_skinning way);
void destroy_stage(const stage *s);

// A uniform block for the hero's joints, with world transforms.
sinew_gl_records_def block_def(int character_count);

// Uploads the poses of the hero and of the characters up to `count`.
void upload(sinew_gl_records *palette, int count);

// Uploads, binds and skins the palette's first character.
void skin_first(const stage *s);

// Attaches all of the hero's vertices to one joint. The CPU sees it as their only influence. Returns a primitive
// without joints for the GPU.
sinew_primitive hang_vertices(int joint);

// All floats of the skinned buffer. Returns how many there are.
extern float floats[10 * MOST_VERTICES];
int read_buffer(const sinew_gl_skinned *skinned);

// Fills the buffer with NaNs, so an old result can't be mistaken for a new one.
void spoil_buffer(const sinew_gl_skinned *skinned);

#endif
