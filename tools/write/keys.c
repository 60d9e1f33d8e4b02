// SPDX-License-Identifier: MIT
// Collects the floats of new accessors, and finds equal ones with a hash of their bytes.
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

// ---- Bytes ---------------------------------------------------------------------------------------------------------

bool write_read_bytes(const write_accessors *a, size_t start, void *data, size_t size) {
    if (a->scratch.append) return a->scratch.read(start, data, size, a->scratch.user);
    memcpy(data, a->bytes.data + start, size);
    return true;
}

static bool has_bytes(const write_accessors *a, size_t start, const void *data, size_t size) {
    char buffer[4096];
    const char *wanted = data;
    if (!a->scratch.append) return memcmp(a->bytes.data + start, data, size) == 0;
    for (size_t at = 0; at < size;) {
        const size_t part = size - at < sizeof buffer ? size - at : sizeof buffer;
        if (!write_read_bytes(a, start + at, buffer, part) || memcmp(buffer, wanted + at, part) != 0) return false;
        at += part;
    }
    return true;
}

// Appends bytes and pads them.
static bool append_bytes(write_accessors *a, const void *data, size_t size) {
    static const char zeros[4];
    const write_scratch *scratch = &a->scratch;
    const size_t padding = (4 - size % 4) % 4;
    a->size += size + padding;
    if (scratch->append)
        return scratch->append(data, size, scratch->user) && scratch->append(zeros, padding, scratch->user);
    lint_append(&a->bytes, data, size);
    lint_append(&a->bytes, zeros, padding);
    return !a->bytes.failed;
}

// ---- The list ------------------------------------------------------------------------------------------------------

static int32_t find(const write_accessors *a, const write_accessor *wanted, const void *data) {
    if (a->bucket_count == 0) return -1;
    int32_t i = a->buckets[wanted->hash & (uint64_t)(a->bucket_count - 1)];
    for (; i >= 0; i = a->list[i].next) {
        const write_accessor *one = &a->list[i];
        if (one->hash != wanted->hash || one->count != wanted->count || one->components != wanted->components)
            continue;
        if (one->is_times != wanted->is_times || one->is_bytes != wanted->is_bytes) continue;
        if (has_bytes(a, one->offset, data, size_of(one))) return i;
    }
    return -1;
}

// Adds an accessor with a known hash.
static int32_t add_hashed(write_accessors *a, const void *values, write_accessor accessor) {
    if (a->failed) return 0;
    int32_t found = find(a, &accessor, values);
    if (found >= 0) return found;
    accessor.offset = a->size;
    a->failed = !append_bytes(a, values, size_of(&accessor)) || (a->count == a->capacity && !grow(a));
    if (a->failed) return 0;
    int32_t *bucket = &a->buckets[accessor.hash & (uint64_t)(a->bucket_count - 1)];
    accessor.next = *bucket;
    *bucket = a->count;
    a->list[a->count] = accessor;
    return a->count++;
}

static int32_t add_accessor(write_accessors *a, const void *values, write_accessor accessor) {
    accessor.hash = hash_bytes(values, size_of(&accessor));
    return add_hashed(a, values, accessor);
}

int32_t write_add_accessor(write_accessors *a, const float *values, int32_t count, int32_t components,
                           bool is_times) {
    write_accessor accessor = {.count = count, .components = components, .is_times = is_times};
    if (is_times) {
        accessor.first = values[0];
        accessor.last = values[count - 1];
    }
    return add_accessor(a, values, accessor);
}

int32_t write_add_bytes(write_accessors *a, const uint8_t *values, int32_t count) {
    return add_accessor(a, values, (write_accessor){.count = count, .components = 1, .is_bytes = true});
}

bool write_take_accessors(write_accessors *a, const write_accessors *from, int32_t *numbers) {
    for (int32_t i = 0; i < from->count; i++)
        numbers[i] = add_hashed(a, from->bytes.data + from->list[i].offset, from->list[i]);
    return !a->failed;
}

void write_accessors_json(const write_accessors *a, int32_t view, lint_text *out) {
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    for (int32_t i = 0; i < a->count; i++) {
        const write_accessor *accessor = &a->list[i];
        lint_append_format(
            out, "%s{\"bufferView\":%d,\"byteOffset\":%zu,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"",
            i > 0 ? "," : "", (int)view, accessor->offset, accessor->is_bytes ? REF_U8 : REF_F32,
            (int)accessor->count, types[accessor->components - 1]);
        if (accessor->is_times)
            lint_append_format(out, ",\"min\":[%.9g],\"max\":[%.9g]", (double)accessor->first,
                               (double)accessor->last);
        lint_append(out, "}", 1);
    }
}

void write_accessors_free(write_accessors *a) {
    lint_text_free(&a->bytes);
    free(a->list);
    free(a->buckets);
    *a = (write_accessors){0};
}
