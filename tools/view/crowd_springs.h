// SPDX-License-Identifier: MIT
// The springs of a crowd: each character with a mixer swings by the springs of the file.
#ifndef VIEWER_CROWD_SPRINGS_H
#define VIEWER_CROWD_SPRINGS_H

#include "render/crowd.h"
#include "view/springs.h"

typedef struct view_crowd_springs {
    unsigned char *states; // [count] of `stride` bytes; NULL: the file has no springs, or the crowd is baked
    size_t stride;
    sinew_affine *model; // [node_count], of the character that is solved
    bool is_at_rest;     // all states are reset
} view_crowd_springs;

// Creates the states of a crowd; false if memory runs out. Freed with view_crowd_springs_free in both cases.
bool view_crowd_springs_create(view_crowd_springs *own, const draw_crowd *crowd, const view_springs *springs);
void view_crowd_springs_free(view_crowd_springs *own);

// Simulates the springs over the poses of an advance by `dt` seconds, and writes the palettes again.
void view_crowd_springs_solve(view_crowd_springs *own, draw_crowd *crowd, const view_springs *springs,
                              const view_settings *settings, float dt);

#endif
