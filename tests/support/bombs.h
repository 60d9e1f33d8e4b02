// SPDX-License-Identifier: MIT
// Files that are slow to load or expand to a lot of memory. Each has a few kilobytes, or a given size.
#ifndef BOMBS_H
#define BOMBS_H

#include "support/gltf_builder.h"

typedef struct bomb {
    const char *name;
    // Builds a file of about `size` bytes. The caller writes and ends it.
    gltf_builder (*make)(int size);
    const char *message; // part of the error, usually its location; NULL if it loads
    sinew_result result; // the load's result
    bool grows;          // grows faster than its size, within the limit
} bomb;

extern const bomb bombs[];
extern const int bomb_count;

// `count` copies of an element, separated by commas. Each # becomes the copy's index. The caller frees it.
char *bomb_repeated(int count, const char *element);

// Adds an array of `count` copies of an element to the root.
void bomb_list(gltf_builder *b, const char *name, int count, const char *element);

// The options that all of them load with: a reader for the single resource "big" and the last bomb's markers, and a
// decoder that writes zeros.
sinew_gltf_options bomb_options(const bomb *b);

// How many bytes the reader has for the last bomb.
size_t bomb_outside(const bomb *b);

#endif
