// SPDX-License-Identifier: MIT
// Collects the floats of new accessors, and finds equal ones by a hash of their bytes.
#include "write/keys.h"

#include "reference/document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash_bytes(const void *data, size_t size) {
    const uint8_t *bytes = (const uint8_t *)data;
    uint64_t hash = UINT64_C(14695981039346656037); // FNV-1a
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    return hash ^ hash >> 32;
}

static size_t size_of(const write_accessor *accessor) {
    const size_t size = accessor->is_bytes ? sizeof(uint8_t) : sizeof(float);
    return (size_t)accessor->count * (size_t)accessor->components * size;
}

// Doubles the list and its hash table.
static bool grow(write_accessors *a) {
    int32_t capacity = a->capacity > 0 ? 2 * a->capacity : 64;
    write_accessor *list = realloc(a->list, (size_t)capacity * sizeof *list);
    if (list) a->list = list;
    int32_t *buckets = realloc(a->buckets, 2 * (size_t)capacity * sizeof *buckets);
    if (buckets) a->buckets = buckets;
    if (!list || !buckets) return false;
    a->capacity = capacity;
    a->bucket_count = 2 * capacity;
    for (int32_t i = 0; i < a->bucket_count; i++) buckets[i] = -1;
    for (int32_t i = 0; i < a->count; i++) {
        int32_t *bucket = &buckets[list[i].hash & (uint64_t)(a->bucket_count - 1)];
        list[i].next = *bucket;
        *bucket = i;
    }
    return true;
}

static int32_t find(const write_accessors *a, const write_accessor *wanted, const void *data) {
    if (a->bucket_count == 0) return -1;
    int32_t i = a->buckets[wanted->hash & (uint64_t)(a->bucket_count - 1)];
    for (; i >= 0; i = a->list[i].next) {
        const write_accessor *one = &a->list[i];
        if (one->hash != wanted->hash || one->count != wanted->count || one->components != wanted->components)
            continue;
        if (one->is_times != wanted->is_times || one->is_bytes != wanted->is_bytes) continue;
        if (memcmp(a->bytes.data + one->offset, data, size_of(one)) == 0) return i;
    }
    return -1;
}

static int32_t add_accessor(write_accessors *a, const void *values, write_accessor accessor) {
    if (a->failed) return 0;
    accessor.hash = hash_bytes(values, size_of(&accessor));
    int32_t found = find(a, &accessor, values);
    if (found >= 0) return found;
    accessor.offset = a->bytes.size;
    lint_append(&a->bytes, values, size_of(&accessor));
    while (a->bytes.size % 4 != 0 && !a->bytes.failed) lint_append(&a->bytes, "", 1);
    a->failed = a->bytes.failed || (a->count == a->capacity && !grow(a));
    if (a->failed) return 0;
    int32_t *bucket = &a->buckets[accessor.hash & (uint64_t)(a->bucket_count - 1)];
    accessor.next = *bucket;
    *bucket = a->count;
    a->list[a->count] = accessor;
    return a->count++;
}

int32_t write_add_accessor(write_accessors *a, const float *values, int32_t count, int32_t components,
                           bool is_times) {
    return add_accessor(a, values,
                        (write_accessor){.count = count, .components = components, .is_times = is_times});
}

int32_t write_add_bytes(write_accessors *a, const uint8_t *values, int32_t count) {
    return add_accessor(a, values, (write_accessor){.count = count, .components = 1, .is_bytes = true});
}

// The first and the last time.
static void append_range(const write_accessors *a, const write_accessor *times, lint_text *out) {
    float first, last;
    const char *bytes = a->bytes.data + times->offset;
    memcpy(&first, bytes, sizeof first);
    memcpy(&last, bytes + ((size_t)times->count - 1) * sizeof last, sizeof last);
    lint_append_format(out, ",\"min\":[%.9g],\"max\":[%.9g]", (double)first, (double)last);
}

void write_accessors_json(const write_accessors *a, int32_t view, lint_text *out) {
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    for (int32_t i = 0; i < a->count; i++) {
        const write_accessor *accessor = &a->list[i];
        lint_append_format(
            out, "%s{\"bufferView\":%d,\"byteOffset\":%zu,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"",
            i > 0 ? "," : "", (int)view, accessor->offset, accessor->is_bytes ? REF_U8 : REF_F32,
            (int)accessor->count, types[accessor->components - 1]);
        if (accessor->is_times) append_range(a, accessor, out);
        lint_append(out, "}", 1);
    }
}

void write_accessors_free(write_accessors *a) {
    lint_text_free(&a->bytes);
    free(a->list);
    free(a->buckets);
    *a = (write_accessors){0};
}
