// SPDX-License-Identifier: MIT
// Files that are slow to load or expand to much memory. Each has a few kilobytes, or a given size.
#ifndef BOMBS_H
#define BOMBS_H

#include "support/gltf_builder.h"

typedef struct bomb {
    const char *name;
    // Builds one of about `size` bytes; to be written and ended by the caller.
    gltf_builder (*make)(int size);
    const char *message; // what the error says: its place, mostly; NULL where it loads
    sinew_result result; // what loading it comes to
    bool grows;          // faster than its size, as long as the limit allows
} bomb;

extern const bomb bombs[];
extern const int bomb_count;

// So many copies of an element, with commas between them; to be freed. Each # in it is the copy's index.
char *bomb_repeated(int count, const char *element);

// A member of the root that is an array of them.
void bomb_list(gltf_builder *b, const char *name, int count, const char *element);

// The options that all of them are loaded with: a reader that has the one resource "big", the markers beside the bomb
// that was built last, and nothing else; and a decoder that writes zeros.
sinew_gltf_options bomb_options(const bomb *b);

// How many bytes the reader has for the bomb that was built last.
size_t bomb_outside(const bomb *b);

#endif
