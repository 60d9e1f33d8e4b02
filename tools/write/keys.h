// SPDX-License-Identifier: MIT
// The data of new accessors: equal ones are stored once.
#ifndef WRITE_KEYS_H
#define WRITE_KEYS_H

#include "lint/edit.h"

// One accessor of floats.
typedef struct write_accessor {
    int32_t count, components;
    bool is_times; // has min and max
    bool is_bytes; // unsigned bytes instead of floats
    size_t offset; // in the bytes of all
    uint64_t hash;
    int32_t next; // in the same bucket; -1: none
} write_accessor;

typedef struct write_accessors {
    lint_text bytes;
    write_accessor *list;
    int32_t count, capacity;
    int32_t *buckets; // [bucket_count], a power of two
    int32_t bucket_count;
    bool failed; // memory ran out, and nothing is added any more
} write_accessors;

// Returns the index of an accessor with these floats; a new one if there is none; 0 once memory ran out.
int32_t write_add_accessor(write_accessors *a, const float *values, int32_t count, int32_t components,
                           bool is_times);

// The same for unsigned bytes, one component each.
int32_t write_add_bytes(write_accessors *a, const uint8_t *values, int32_t count);

// Appends the accessors as JSON, separated by commas. Their bytes start at 0 of a view.
void write_accessors_json(const write_accessors *a, int32_t view, lint_text *out);

void write_accessors_free(write_accessors *a);

#endif
