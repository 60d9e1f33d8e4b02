// SPDX-License-Identifier: MIT
// The import's budget. Memory and work are limited to a multiple of the bytes read, so a small file can't use much of
// either.
//
// Work is counted in numbers: keys and vertex data that are decoded or examined. A file may use the same bytes many
// times, and each use counts. The option expansion_limit is the multiple.
#include "core/gltf_import.h"

#include <string.h>

// Every file may use this much for tables and the first arena chunks.
#define BASE_BYTES ((size_t)4 << 20)

// Returns how many bytes of memory, and how many numbers, the bytes read so far allow.
static size_t compute_allowance(const sinewi_import *g) {
    size_t factor = g->options.expansion_limit, read = g->budget.bytes_read;
    if (factor > 0 && read > (SIZE_MAX - BASE_BYTES) / factor) return SIZE_MAX;
    return factor > 0 ? BASE_BYTES + factor * read : 0;
}

// ---- Bytes read ----------------------------------------------------------------------------------------------------

// FNV-1a of a path. Never 0, which marks a free entry. Paths that differ only in "." steps, repeated slashes or the
// case of ASCII letters may name the same file, so they have the same hash.
static uint64_t hash_path(const char *path) {
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

// Returns false if the set already has the hash.
static bool insert_hash(sinewi_gltf_path_set *paths, uint64_t hash) {
    size_t mask = paths->capacity - 1, i = (size_t)(hash ^ hash >> 32) & mask;
    while (paths->hashes[i] != 0 && paths->hashes[i] != hash) i = (i + 1) & mask;
    if (paths->hashes[i] == hash) return false;
    paths->hashes[i] = hash;
    paths->count++;
    return true;
}

// Doubles the set's capacity, a power of two, and reinserts its hashes.
static bool grow_path_set(sinewi_import *g) {
    sinewi_gltf_path_set *paths = &g->budget.paths,
                         larger = {NULL, 0, paths->capacity > 0 ? 2 * paths->capacity : 16};
    larger.hashes = sinewi_gltf_zeros(g, &g->scratch, uint64_t, larger.capacity);
    if (!larger.hashes) return false;
    for (size_t i = 0; i < paths->capacity; i++)
        if (paths->hashes[i] != 0) insert_hash(&larger, paths->hashes[i]);
    *paths = larger;
    return true;
}

// Counts a resource's bytes, once per path, and raises the memory limit accordingly.
bool sinewi_gltf_count_read(sinewi_import *g, const char *path, size_t size) {
    sinewi_gltf_budget *budget = &g->budget;
    if (2 * budget->paths.count >= budget->paths.capacity && !grow_path_set(g)) return false;
    if (!insert_hash(&budget->paths, hash_path(path))) return true;
    budget->bytes_read += size < SIZE_MAX - budget->bytes_read ? size : SIZE_MAX - budget->bytes_read;
    size_t allowed = compute_allowance(g);
    g->data->budget.limit = allowed < g->options.memory_limit ? allowed : g->options.memory_limit;
    return true;
}

// ---- Numbers -------------------------------------------------------------------------------------------------------

// Counts numbers that are decoded or examined. Fails if they exceed the allowance.
bool sinewi_gltf_spend(sinewi_import *g, sinewi_json_value location, const char *sharing, uint64_t numbers) {
    sinewi_gltf_budget *budget = &g->budget;
    budget->numbers_read += numbers; // each counts existing data, so the sum never gets near 2^64
    if (budget->numbers_read <= compute_allowance(g)) return true;
    return sinewi_gltf_fail(
        g, location, SINEW_ERROR_LIMIT,
        "%s too often: %llu numbers from %zu bytes of input; raise expansion_limit above %zu to allow that",
        sharing, (unsigned long long)budget->numbers_read, budget->bytes_read, g->options.expansion_limit);
}
