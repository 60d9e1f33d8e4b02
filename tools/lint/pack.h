// The bytes of a mended file, and where everything went.
#ifndef LINT_PACK_H
#define LINT_PACK_H

#include "lint/fix.h"
#include "lint/ranges.h"

typedef struct pack_view {
    bool kept;
    int32_t number;      // among the views that are written
    size_t offset;       // in the new buffer
    size_t size;         // of its own bytes there
    size_t coded_offset; // of its compressed bytes
    size_t *starts;      // for each range of its use, where that begins in the view
} pack_view;

typedef struct pack {
    fixer *f;
    bool *live;                       // [accessors]
    int32_t *numbers;                 // [accessors]: among those that are written
    lint_view_use *uses;              // [views]
    pack_view *views;                 // [views]
    int32_t view_count;               // that are written, the new ones too
    int32_t keys_view, vertices_view; // the new ones' numbers, or -1
    size_t keys_offset, keys_size;
    size_t vertices_offset, vertices_size;
    int32_t accessor_count;  // that are written, the new ones too
    int32_t *buffer_numbers; // [buffers]: 0, or of those without bytes their own
    lint_text bin;
} pack;

// Decides what is kept, and fills pack->bin.
bool pack_bytes(pack *p);

// Edits the JSON to say so.
void pack_json(pack *p);

// Where something that began at `offset` of a view begins in the packed view.
size_t pack_offset(const pack *p, int32_t view, size_t offset);

#endif
