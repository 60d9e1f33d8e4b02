// No more than a multiple of the file: what was read, how much memory that allows, and how many numbers.
#include "gltf/import.h"

#include <string.h>

// Small files may take this in any case: tables and the first chunks of the arenas are not worth counting.
#define FREE_BYTES ((size_t)4 << 20)

// What may come of the bytes that were read.
static size_t allowance(const sinew_import *g) {
    size_t factor = g->options.expansion_limit, read = g->expansion.bytes_read;
    if (factor > 0 && read > (SIZE_MAX - FREE_BYTES) / factor) return SIZE_MAX;
    return factor > 0 ? FREE_BYTES + factor * read : 0;
}

// ---- What was read -------------------------------------------------------------------------------------------------

// FNV-1a; 0 stands for a free place. Paths that differ only in "." steps, in slashes or in the case of ASCII letters
// may lead to one file, and are one.
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

// True where the table did not have the hash yet.
static bool insert(sinew_gltf_seen *seen, uint64_t hash) {
    size_t mask = seen->capacity - 1, i = (size_t)(hash ^ hash >> 32) & mask;
    while (seen->hashes[i] != 0 && seen->hashes[i] != hash) i = (i + 1) & mask;
    if (seen->hashes[i] == hash) return false;
    seen->hashes[i] = hash;
    seen->count++;
    return true;
}

static bool grow(sinew_import *g) {
    sinew_gltf_seen *seen = &g->expansion.seen, larger = {NULL, 0, seen->capacity * 2 + 16};
    larger.hashes = sinew_gltf_zeros(g, &g->scratch, uint64_t, larger.capacity);
    if (!larger.hashes) return false;
    for (size_t i = 0; i < seen->capacity; i++)
        if (seen->hashes[i] != 0) insert(&larger, seen->hashes[i]);
    *seen = larger;
    return true;
}

bool sinew_gltf_count_read(sinew_import *g, const char *path, size_t size) {
    sinew_gltf_expansion *e = &g->expansion;
    if (2 * e->seen.count >= e->seen.capacity && !grow(g)) return false;
    if (!insert(&e->seen, hash_of(path))) return true;
    e->bytes_read += size < SIZE_MAX - e->bytes_read ? size : SIZE_MAX - e->bytes_read;
    size_t allowed = allowance(g);
    g->data->budget.limit = allowed < g->options.memory_limit ? allowed : g->options.memory_limit;
    return true;
}

// ---- What comes of it ----------------------------------------------------------------------------------------------

bool sinew_gltf_fail_limit(sinew_import *g) {
    if (g->data->budget.limit == g->options.memory_limit)
        return sinew_gltf_fail(g, g->at, SINEW_ERROR_LIMIT,
                               "the file needs more than the memory limit of %zu bytes", g->options.memory_limit);
    return sinew_gltf_fail(
        g, g->at, SINEW_ERROR_LIMIT,
        "the %zu bytes that were read need more than %zu bytes of memory; a larger expansion_limit "
        "than %zu allows that",
        g->expansion.bytes_read, g->data->budget.limit, g->options.expansion_limit);
}

bool sinew_gltf_spend(sinew_import *g, sinew_json_value place, const char *sharing, uint64_t numbers) {
    sinew_gltf_expansion *e = &g->expansion;
    e->numbers_read += numbers; // each is a count of what is there: their sum stays below 2^64 for years
    if (e->numbers_read <= allowance(g)) return true;
    return sinew_gltf_fail(
        g, place, SINEW_ERROR_LIMIT,
        "%s too often: with this one they are %llu numbers, in %zu bytes; a larger expansion_limit than %zu "
        "allows that",
        sharing, (unsigned long long)e->numbers_read, e->bytes_read, g->options.expansion_limit);
}
