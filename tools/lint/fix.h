// SPDX-License-Identifier: MIT
// Fixes a file: new accessor contents, changed references, and packing into one buffer.
#ifndef LINT_FIX_H
#define LINT_FIX_H

#include "lint/edit.h"
#include "lint/keys.h"

// An accessor's content, from the file or new. A new accessor copies all other members from `accessor`.
typedef struct fix_content {
    int32_t accessor; // an accessor in the file
    bool is_new;
    bool times, vertices; // key times or vertex data; key values if both are false
    int32_t count, components, component_type;
    bool normalized;
    const double *values; // [count × components]
    const uint8_t *bytes; // [size]; the values as stored in a buffer
    size_t size;
    uint64_t hash;
    int32_t next;  // next one in the same bucket, or -1
    size_t offset; // for new content, its offset in the view
    int32_t index; // for new content, its index among the written accessors
} fix_content;

typedef struct fixer {
    lint_subject *s;
    lint_fixed *fixed;
    const char *path;     // path of the file
    const bool *unstored; // [accessors]; those that get no buffer view in the result; may be NULL
    lint_edits edits;
    int32_t *reference_of; // [json nodes]; which reference is at a number, or -1
    // [references]; where each accessor reference will point: an accessor in the file, -2 - index for an element of
    // `contents`, or -1 to remove the object with the reference.
    int32_t *targets;
    // [accessors]; first accessor in animations with the same content, for times and for values.
    int32_t *first_times, *first_values;
    int32_t content_count, content_capacity;
    fix_content *contents;
    int32_t bucket_count;
    int32_t *buckets; // [bucket_count]; a hash table of `contents`
} fixer;

// Lists the file's references and empties the tables below. Returns false if memory runs out.
bool fix_list_references(fixer *f);

// Fills first_times and first_values.
void fix_find_first(fixer *f);

// Adds new content for a copy of `accessor`, unless the same content exists. Returns the value for `targets`.
int32_t fix_content_of(fixer *f, int32_t accessor, bool times, bool vertices, int32_t count, const double *values);

// Returns the number stored for a value. Minima and maxima use it, before normalization (section 3.6.2.5).
double fix_stored_number(const fix_content *content, double value);

// Changes where the reference at a number points.
void fix_retarget(fixer *f, sinewi_json_value number, int32_t target);

void fix_tracks(fixer *f);

// Packs the bytes, updates offsets and indices, and writes the .glb to f->fixed. Returns false with an error.
bool fix_pack(fixer *f);

// Returns whether data may be removed and renumbered.
static inline bool fix_may_drop(const fixer *f) {
    return f->s->opaque == NULL;
}

#endif
