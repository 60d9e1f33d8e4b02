// SPDX-License-Identifier: MIT
// Animation graphs of a given size that are slow to check or to draw.
#ifndef GRAPH_BOMBS_H
#define GRAPH_BOMBS_H

#include "support/gltf_builder.h"

typedef struct graph_bomb {
    const char *name;
    gltf_text (*make)(int size); // about `size` bytes; the caller frees the data
} graph_bomb;

extern const graph_bomb graph_bombs[];
extern const int graph_bomb_count;

#endif
