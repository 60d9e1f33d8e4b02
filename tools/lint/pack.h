// SPDX-License-Identifier: MIT
// A fixed file's packed bytes, and the new offsets and indices.
#ifndef LINT_PACK_H
#define LINT_PACK_H

#include "lint/fix.h"
#include "lint/ranges.h"

typedef struct pack_view {
    bool kept;
    int32_t number;      // index among the written views
    size_t offset;       // in the packed buffer
    size_t size;         // of its own bytes
    size_t coded_offset; // of its compressed bytes
    size_t *starts;      // for each used range, its offset in the packed view
} pack_view;

typedef struct pack {
    fixer *f;
    bool *live;                       // [accessors]
    int32_t *numbers;                 // [accessors]; index among the written accessors, or -1 if removed
    lint_view_use *uses;              // [views]
    pack_view *views;                 // [views]
    int32_t view_count;               // written views, including new ones
    int32_t keys_view, vertices_view; // indices of the new views, or -1
    size_t keys_offset, keys_size;
    size_t vertices_offset, vertices_size;
    int32_t accessor_count;  // written accessors, including new ones
    int32_t *buffer_numbers; // [buffers]; 0, or the new index of a buffer without bytes
    lint_text bin;
} pack;

// Chooses what to keep and fills pack->bin. Returns false with an error, or if memory runs out.
bool pack_bytes(pack *p);

// Returns the packed offset of an element at `offset` in the original view.
size_t pack_offset(const pack *p, int32_t view, size_t offset);

#endif
