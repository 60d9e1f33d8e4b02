// Mending: new contents for accessors, changed references, and then all of it packed into one buffer.
#ifndef LINT_FIX_H
#define LINT_FIX_H

#include "lint/edit.h"
#include "lint/keys.h"

// The content of an accessor: one of the file's, or a new one, which is a copy of the file's accessor in all but that.
typedef struct fix_content {
    int32_t accessor; // that it is of or a copy of
    bool is_new;
    bool times, vertices; // or values of keys
    int32_t count, components, component_type;
    bool normalized;
    const double *values; // [count × components]
    const uint8_t *bytes; // the same as they stand in a buffer
    size_t size;
    uint64_t hash;
    int32_t next;  // of the same bucket; -1: none
    size_t offset; // of a new one, in its view
    int32_t index; // of a new one, among the accessors that are written
} fix_content;

typedef struct fixer {
    lint_subject *s;
    lint_mended *mended;
    const char *path; // of the file
    lint_edits edits;
    int32_t *reference_of; // [json nodes]: the reference that a number is, or -1
    // [references]: what each accessor reference is to mean: an accessor of the file, or one of `contents` (as
    // -2 - its index), or nothing (-1: what it stands in is taken out).
    int32_t *targets;
    // [accessors] of animations: the first one with the same content, for times and for values.
    int32_t *first_times, *first_values;
    int32_t content_count, content_capacity;
    fix_content *contents;
    int32_t bucket_count;
    int32_t *buckets; // by hash: the first of `contents`
} fixer;

// A new content for a copy of `accessor`, or whatever there is already with the same. Returns what goes into
// `targets`.
int32_t fix_content_of(fixer *f, int32_t accessor, bool times, bool vertices, int32_t count, const double *values);

// Lets a number of the file refer to something else.
void fix_retarget(fixer *f, sinew_json_value number, int32_t target);

// What the rules say is mended, by subject.
void fix_tracks(fixer *f);
void fix_nodes(fixer *f);
void fix_weights(fixer *f);

// Packs the bytes, gives everything its new place, and leaves the .glb in f->mended. False with an error.
bool fix_pack(fixer *f);

// Whether data may be taken out and numbered anew.
static inline bool fix_may_drop(const fixer *f) {
    return f->s->opaque == NULL;
}

#endif
