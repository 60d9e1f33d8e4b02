// SPDX-License-Identifier: MIT
// A crowd's springs. Each character with a mixer uses the file's springs.
#ifndef VIEWER_CROWD_SPRINGS_H
#define VIEWER_CROWD_SPRINGS_H

#include "render/crowd.h"
#include "view/springs.h"

typedef struct view_crowd_springs {
    unsigned char *states; // [count], `stride` bytes each; NULL if the file has no springs or the crowd is baked
    size_t stride;
    sinew_affine *model; // [node_count]; the matrices of the character being solved
    bool is_at_rest;     // all states were reset
} view_crowd_springs;

// Creates a crowd's states. Returns false if memory runs out. Call view_crowd_springs_free either way.
bool view_crowd_springs_create(view_crowd_springs *own, const draw_crowd *crowd, const view_springs *springs);
void view_crowd_springs_free(view_crowd_springs *own);

// Simulates the springs over the poses, advancing them by `dt` seconds, and writes the palettes again.
void view_crowd_springs_solve(view_crowd_springs *own, draw_crowd *crowd, const view_springs *springs,
                              const view_settings *settings, float dt);

#endif
