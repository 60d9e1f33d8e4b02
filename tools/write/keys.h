// SPDX-License-Identifier: MIT
// The data of new accessors. Equal ones are stored once.
#ifndef WRITE_KEYS_H
#define WRITE_KEYS_H

#include "lint/edit.h"

// Stores bytes outside of memory. They're appended, and can be read from any position. Both functions return whether
// they succeeded.
typedef struct write_scratch {
    bool (*append)(const void *data, size_t size, void *user); // NULL if there's no scratch
    bool (*read)(size_t start, void *data, size_t size, void *user);
    void *user;
} write_scratch;

// Receives a file's next bytes.
typedef void (*write_put)(const void *data, size_t size, void *user);

// An accessor of floats.
typedef struct write_accessor {
    int32_t count, components;
    bool is_times;     // has min and max
    float first, last; // only for times
    bool is_bytes;     // unsigned bytes instead of floats
    size_t offset;     // in all accessors' bytes
    uint64_t hash;
    int32_t next; // next one in the same bucket, or -1
} write_accessor;

typedef struct write_accessors {
    write_scratch scratch;
    lint_text bytes; // [size]; unused with a scratch
    size_t size;
    write_accessor *list;
    int32_t count, capacity;
    int32_t *buckets; // [bucket_count], a power of two
    int32_t bucket_count;
    bool failed; // memory ran out, so nothing more is added
} write_accessors;

// Returns the index of an accessor with these floats. Adds it if there isn't one. Returns 0 once memory has run out.
int32_t write_add_accessor(write_accessors *a, const float *values, int32_t count, int32_t components,
                           bool is_times);

// Like write_add_accessor, for unsigned bytes with one component each.
int32_t write_add_bytes(write_accessors *a, const uint8_t *values, int32_t count);

// Adds another list's accessors. `from` must not have a scratch. `numbers` [from->count] receives their indices.
// Returns false if memory runs out or the scratch fails.
bool write_take_accessors(write_accessors *a, const write_accessors *from, int32_t *numbers);

// Reads bytes starting at `start`. Returns whether that succeeded.
bool write_read_bytes(const write_accessors *a, size_t start, void *data, size_t size);

// Appends the accessors as JSON, separated by commas. Their bytes start at 0 in a view.
void write_accessors_json(const write_accessors *a, int32_t view, lint_text *out);

void write_accessors_free(write_accessors *a);

#endif
