// SPDX-License-Identifier: MIT
// Fixing a file: new contents of accessors, changed references, and packing into one buffer.
#ifndef LINT_FIX_H
#define LINT_FIX_H

#include "lint/edit.h"
#include "lint/keys.h"

// The content of an accessor: one of the file, or a new one. A new accessor copies all other members of `accessor`.
typedef struct fix_content {
    int32_t accessor; // of the file
    bool is_new;
    bool times, vertices; // key times, vertex data; both false: key values
    int32_t count, components, component_type;
    bool normalized;
    const double *values; // [count × components]
    const uint8_t *bytes; // [size]: the values as stored in a buffer
    size_t size;
    uint64_t hash;
    int32_t next;  // next in the same bucket; -1: none
    size_t offset; // new: offset in its view
    int32_t index; // new: index among the written accessors
} fix_content;

typedef struct fixer {
    lint_subject *s;
    lint_fixed *fixed;
    const char *path;     // of the file
    const bool *unstored; // [accessors]: without a buffer view in the result; NULL: none
    lint_edits edits;
    int32_t *reference_of; // [json nodes]: the index of the reference at a number; -1: none
    // [references]: the new target of an accessor reference: an accessor of the file, or -2 - index for an element of
    // `contents`, or -1 if the object that contains the reference is removed.
    int32_t *targets;
    // [accessors]: the first accessor of animations with the same content, for times and for values.
    int32_t *first_times, *first_values;
    int32_t content_count, content_capacity;
    fix_content *contents;
    int32_t bucket_count;
    int32_t *buckets; // [bucket_count]: a hash table of `contents`
} fixer;

// Lists the references of the file, and makes the tables below empty. Returns false if memory runs out.
bool fix_list_references(fixer *f);

// Fills first_times and first_values.
void fix_find_first(fixer *f);

// Adds new content for a copy of `accessor`, unless equal content exists. Returns the value for `targets`.
int32_t fix_content_of(fixer *f, int32_t accessor, bool times, bool vertices, int32_t count, const double *values);

// The number that is stored for a value: minima and maxima are of these, before normalization (section 3.6.2.5).
double fix_stored_number(const fix_content *content, double value);

// Changes the target of the reference at a number.
void fix_retarget(fixer *f, sinewi_json_value number, int32_t target);

// Fixes all tracks.
void fix_tracks(fixer *f);

// Packs the bytes, updates offsets and indices, and writes the .glb to f->fixed. Returns false with an error.
bool fix_pack(fixer *f);

// Whether data may be removed and renumbered.
static inline bool fix_may_drop(const fixer *f) {
    return f->s->opaque == NULL;
}

#endif
