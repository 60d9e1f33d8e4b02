// Which bytes of each buffer view something uses.
#ifndef LINT_RANGES_H
#define LINT_RANGES_H

#include "lint/subject.h"

typedef struct lint_range {
    size_t start, end; // bytes of the view
} lint_range;

typedef struct lint_view_use {
    bool used;
    bool whole; // an image's, or compressed: its bytes cannot be told apart
    int32_t count;
    lint_range *ranges; // in order, none touching the next
} lint_view_use;

// For each view what accessors that are `live` ([accessors.count]) use of it, and images. With an opaque extension
// everything is used. NULL when memory runs out.
lint_view_use *lint_find_ranges(lint_subject *s, const bool *live);

// Puts ranges in order and makes one of those that touch; returns how many are left.
int32_t lint_merge_ranges(lint_range *ranges, int32_t count);

// Accessors that something refers to, or that carry extras or extensions for somebody to find. NULL when memory runs
// out.
bool *lint_find_live(lint_subject *s);

// Whether an accessor or a view carries nothing but what glTF says of it.
bool lint_is_plain(const ref_document *document, sinew_json_value value);

// The bytes that an accessor's elements take in its view, sparse ones not counted.
size_t lint_accessor_size(ref_document *document, int32_t accessor);

#endif
