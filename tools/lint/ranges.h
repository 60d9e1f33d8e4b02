// SPDX-License-Identifier: MIT
// The used bytes of buffer views.
#ifndef LINT_RANGES_H
#define LINT_RANGES_H

#include "lint/subject.h"

typedef struct lint_range {
    size_t start, end; // bytes of the view
} lint_range;

typedef struct lint_view_use {
    bool used;
    bool whole; // used as a whole, by an image or because it's compressed
    int32_t count;
    lint_range *ranges; // [count]; sorted and disjoint
} lint_view_use;

// Returns, for each view, the ranges that images and live[accessors.count] use. With an unknown extension, everything
// is used. NULL if memory runs out.
lint_view_use *lint_find_ranges(lint_subject *s, const bool *live);

// Sorts ranges and merges those that touch. Returns how many are left.
int32_t lint_merge_ranges(lint_range *ranges, int32_t count);

// Returns, for each accessor, whether something refers to it or it has extras or extensions. NULL if memory runs out.
bool *lint_find_live(lint_subject *s);

// Returns whether an object has neither extras nor extensions.
bool lint_is_plain(const ref_document *document, sinewi_json_value value);

// Returns the size of an accessor's elements in its view, without sparse substitution.
size_t lint_accessor_size(ref_document *document, int32_t accessor);

#endif
