// SPDX-License-Identifier: MIT
// A random mesh that is skinned ahead of draws in the open context, and its vertices read back.
#ifndef SKINNED_STAGE_H
#define SKINNED_STAGE_H

#include "support/gl_capture.h"

#include "support/check.h"

enum { VERTICES = 300, JOINTS = 37, HUNG_ON = 5 };

// The character, and what sinew-gl allocates.
extern random_crowd hero;
extern counting heap;

// What the last string of each shader is replaced by, if anything.
extern const char *spoiled;

// The bits of all barriers behind the first dispatch since gl_proxy_reset; the test sets them back.
extern int barriers_after_dispatch;

// Begins a test: skips it without a context, and forgets what the last one left.
void need_context(void);

// Skips it without compute shaders, and says so.
void need_compute(void);
bool has_compute(void);

// sinew-gl through the proxy, with an allocator that counts.
sinew_gl_def gl_def(void);
sinew_gl *create_gl(void);

// Fails where it leaves anything.
void destroy_gl(sinew_gl *gl);

sinew_gl_records *make_palette(sinew_gl *gl, const sinew_gl_records_def *def);
sinew_gl_mesh *make_mesh(sinew_gl *gl, const sinew_primitive *primitive);
sinew_gl_skinned *make_skinned(sinew_gl *gl, const sinew_gl_mesh *mesh, const sinew_gl_records *palette,
                               sinew_gl_skinning way);

// What is skinned, with what, and where to.
typedef struct stage {
    sinew_gl_records *palette;
    sinew_gl_mesh *mesh;
    sinew_gl_skinned *skinned;
} stage;

stage make_stage(sinew_gl *gl, const sinew_gl_records_def *def, const sinew_primitive *primitive,
                 sinew_gl_skinning way);
void destroy_stage(const stage *s);

// A uniform block of the hero's joints, placed.
sinew_gl_records_def block_def(int character_count);

// The hero's poses, and those of characters up to `count`.
void upload(sinew_gl_records *palette, int count);

// Uploads, binds and skins the palette's first character.
void skin_first(const stage *s);

// Hangs all of the hero's vertices on one joint: the CPU sees it as their only influence, what is returned for the
// GPU has no joints.
sinew_primitive hang_vertices(int joint);

// All floats of the skinned buffer; how many there are is returned.
extern float floats[10 * MOST_VERTICES];
int read_buffer(const sinew_gl_skinned *skinned);

// Fills it with what is no number, so that nothing is taken for a result that an earlier one left.
void spoil_buffer(const sinew_gl_skinned *skinned);

#endif
