// SPDX-License-Identifier: MIT
// The budget of an import: memory and work are limited to a multiple of the bytes that were read.
#include "gltf/import.h"

#include <string.h>

// Every file may use this much, for tables and the first chunks of the arenas.
#define FREE_BYTES ((size_t)4 << 20)

// The bytes of memory, and the numbers, that the bytes read so far allow.
static size_t allowance(const sinew_import *g) {
    size_t factor = g->options.expansion_limit, read = g->budget.bytes_read;
    if (factor > 0 && read > (SIZE_MAX - FREE_BYTES) / factor) return SIZE_MAX;
    return factor > 0 ? FREE_BYTES + factor * read : 0;
}

// ---- Bytes read ----------------------------------------------------------------------------------------------------

// FNV-1a of a path; never 0, which marks a free entry. Paths that differ only in "." steps, repeated slashes or the
// case of ASCII letters may name one file and have one hash.
static uint64_t hash_of(const char *path) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t length; *path; path += length) {
        path += strspn(path, "/");
        length = strcspn(path, "/");
        if (length == 1 && *path == '.') continue;
        for (size_t i = 0; i < length; i++)
            hash = (hash ^ ((unsigned char)path[i] | 0x20u)) * UINT64_C(1099511628211);
        hash = (hash ^ '/') * UINT64_C(1099511628211);
    }
    return hash ? hash : 1;
}

// Returns false if the set has the hash already.
static bool insert(sinew_gltf_path_set *paths, uint64_t hash) {
    size_t mask = paths->capacity - 1, i = (size_t)(hash ^ hash >> 32) & mask;
    while (paths->hashes[i] != 0 && paths->hashes[i] != hash) i = (i + 1) & mask;
    if (paths->hashes[i] == hash) return false;
    paths->hashes[i] = hash;
    paths->count++;
    return true;
}

static bool grow(sinew_import *g) {
    sinew_gltf_path_set *paths = &g->budget.paths, larger = {NULL, 0, paths->capacity * 2 + 16};
    larger.hashes = sinew_gltf_zeros(g, &g->scratch, uint64_t, larger.capacity);
    if (!larger.hashes) return false;
    for (size_t i = 0; i < paths->capacity; i++)
        if (paths->hashes[i] != 0) insert(&larger, paths->hashes[i]);
    *paths = larger;
    return true;
}

bool sinew_gltf_count_read(sinew_import *g, const char *path, size_t size) {
    sinew_gltf_budget *e = &g->budget;
    if (2 * e->paths.count >= e->paths.capacity && !grow(g)) return false;
    if (!insert(&e->paths, hash_of(path))) return true;
    e->bytes_read += size < SIZE_MAX - e->bytes_read ? size : SIZE_MAX - e->bytes_read;
    size_t allowed = allowance(g);
    g->data->budget.limit = allowed < g->options.memory_limit ? allowed : g->options.memory_limit;
    return true;
}

// ---- Numbers -------------------------------------------------------------------------------------------------------

bool sinew_gltf_spend(sinew_import *g, sinew_json_value location, const char *sharing, uint64_t numbers) {
    sinew_gltf_budget *e = &g->budget;
    e->numbers_read += numbers; // each counts existing data: in practice the sum cannot reach 2^64
    if (e->numbers_read <= allowance(g)) return true;
    return sinew_gltf_fail(
        g, location, SINEW_ERROR_LIMIT,
        "%s too often: %llu numbers from the %zu bytes that were read; a larger expansion_limit than "
        "%zu allows that",
        sharing, (unsigned long long)e->numbers_read, e->bytes_read, g->options.expansion_limit);
}
