// SPDX-License-Identifier: MIT
// The data of new accessors: equal ones are stored once.
#ifndef WRITE_KEYS_H
#define WRITE_KEYS_H

#include "lint/edit.h"

// Bytes that are kept elsewhere than in memory: appended, and read from any position. Both return whether it was done.
typedef struct write_scratch {
    bool (*append)(const void *data, size_t size, void *user); // NULL: there is none
    bool (*read)(size_t start, void *data, size_t size, void *user);
    void *user;
} write_scratch;

// Receives the next bytes of a file.
typedef void (*write_put)(const void *data, size_t size, void *user);

// One accessor of floats.
typedef struct write_accessor {
    int32_t count, components;
    bool is_times;     // has min and max
    float first, last; // of times
    bool is_bytes;     // unsigned bytes instead of floats
    size_t offset;     // in the bytes of all
    uint64_t hash;
    int32_t next; // in the same bucket; -1: none
} write_accessor;

typedef struct write_accessors {
    write_scratch scratch;
    lint_text bytes; // [size] without a scratch
    size_t size;
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

// Adds the accessors of another list, which has no scratch: `numbers` [from->count] gets their indices. False if memory runs
// out or the scratch fails.
bool write_take_accessors(write_accessors *a, const write_accessors *from, int32_t *numbers);

// Reads bytes from `start` on. Returns whether they were read.
bool write_read_bytes(const write_accessors *a, size_t start, void *data, size_t size);

// Appends the accessors as JSON, separated by commas. Their bytes start at 0 of a view.
void write_accessors_json(const write_accessors *a, int32_t view, lint_text *out);

void write_accessors_free(write_accessors *a);

#endif
