// SPDX-License-Identifier: MIT
// Finds vertices whose elements, or whose positions, are equal as they're stored.
#include "meshes/internal.h"

#include <stdlib.h>
#include <string.h>

// A set's elements, vertex after vertex.
typedef struct vertex_bytes {
    uint8_t *bytes; // [count × stride]; on the heap
    size_t count, stride;
    bool only_positions;
} vertex_bytes;

static bool is_compared(const vertex_bytes *v, const mesh_accessor *accessor) {
    return v->only_positions ? accessor->use == MESH_POSITION : !mesh_is_index(accessor);
}

static void measure(const mesh_coder *c, int32_t first, const int32_t *next, vertex_bytes *v) {
    for (int32_t i = first; i >= 0; i = next[i]) {
        if (!is_compared(v, &c->accessors[i])) continue;
        v->count = (size_t)c->accessors[i].count;
        v->stride += c->accessors[i].format.stride;
    }
}

// Writes an accessor's elements at an offset in each vertex.
static bool add_elements(vertex_bytes *v, const mesh_accessor *accessor, size_t offset) {
    const size_t stride = accessor->format.stride;
    uint8_t *elements = calloc(v->count * stride + 1, 1);
    if (!elements) return false;
    mesh_write_elements(accessor, elements);
    for (size_t i = 0; i < v->count; i++) memcpy(v->bytes + i * v->stride + offset, elements + i * stride, stride);
    free(elements);
    return true;
}

static bool read_vertices(const mesh_coder *c, int32_t first, const int32_t *next, vertex_bytes *v) {
    size_t offset = 0;
    measure(c, first, next, v);
    v->bytes = calloc(v->count * v->stride + 1, 1);
    bool good = v->bytes != NULL;
    for (int32_t i = first; good && i >= 0; i = next[i]) {
        if (!is_compared(v, &c->accessors[i])) continue;
        good = add_elements(v, &c->accessors[i], offset);
        offset += c->accessors[i].format.stride;
    }
    return good;
}

static uint64_t hash_of(const vertex_bytes *v, size_t vertex) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < v->stride; i++)
        hash = (hash ^ v->bytes[vertex * v->stride + i]) * UINT64_C(1099511628211);
    return hash ^ hash >> 32;
}

static bool are_equal(const vertex_bytes *v, size_t a, size_t b) {
    return memcmp(v->bytes + a * v->stride, v->bytes + b * v->stride, v->stride) == 0;
}

// Lists each vertex in a table with room for twice as many.
static bool find_equal(const vertex_bytes *v, uint32_t *equal) {
    size_t room = 64;
    while (room < 2 * v->count) room *= 2;
    uint32_t *table = calloc(room, sizeof *table); // 1 + vertex
    if (!table) return false;
    for (size_t i = 0; i < v->count; i++) {
        size_t at = (size_t)hash_of(v, i) & (room - 1);
        while (table[at] != 0 && !are_equal(v, table[at] - 1, i)) at = (at + 1) & (room - 1);
        if (table[at] == 0) table[at] = (uint32_t)i + 1;
        equal[i] = table[at] - 1;
    }
    free(table);
    return true;
}

bool mesh_merge(const mesh_coder *c, int32_t first, const int32_t *next, bool only_positions, uint32_t *equal) {
    vertex_bytes v = {.only_positions = only_positions};
    const bool good = read_vertices(c, first, next, &v) && find_equal(&v, equal);
    free(v.bytes);
    return good;
}
