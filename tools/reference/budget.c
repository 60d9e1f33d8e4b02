// SPDX-License-Identifier: MIT
// A document's memory limit: a multiple of the bytes that were read.
//
// The path hash is a copy of the importer's (src/core/gltf_budget.c), because the evaluator must not link the importer
// that it checks. If they differ, a limit is off by a file's size, but no evaluated number changes.
#include "reference/internal.h"

#include <string.h>

// The library's defaults (sinew_gltf_options). Any file may use the free bytes.
#define FREE_BYTES      ((uint64_t)4 << 20)
#define EXPANSION_LIMIT 256

// The library stores floats. This document stores doubles.
#define DOUBLES 2

// ---- Memory --------------------------------------------------------------------------------------------------------

static void *allocate(size_t size, size_t alignment, void *user) {
    ref_budget *budget = (ref_budget *)user;
    if (size > budget->limit - budget->held) {
        budget->exceeded = true;
        return NULL;
    }
    void *memory = sinewi_allocate(NULL, size, alignment);
    if (memory) budget->held += size;
    budget->out_of_memory |= !memory && size > 0;
    return memory;
}

static void release(void *memory, size_t size, size_t alignment, void *user) {
    ((ref_budget *)user)->held -= size;
    sinewi_release(NULL, memory, size, alignment);
}

static void set_limit(ref_document *document) {
    uint64_t limit = DOUBLES * (FREE_BYTES + (uint64_t)EXPANSION_LIMIT * document->budget.bytes_read);
    document->budget.limit = limit < SIZE_MAX ? (size_t)limit : SIZE_MAX;
}

void ref_budget_share(ref_document *document, sinewi_arena *arena) {
    arena->allocator = (sinew_allocator){.allocate = allocate, .release = release, .user = &document->budget};
}

// Memory comes from the heap, with or without a budget.
void ref_budget_end(sinewi_arena *arena) {
    arena->allocator = (sinew_allocator){.user = NULL};
}

void ref_budget_begin(ref_document *document) {
    sinewi_arena_init(&document->arena, NULL);
    ref_budget_share(document, &document->arena);
    document->budget.exceeded_at = SINEWI_JSON_ABSENT;
    set_limit(document);
}

bool ref_fail_memory(ref_document *document, sinewi_json_value value) {
    ref_budget *budget = &document->budget;
    if (!budget->exceeded) return ref_fail(document, SINEWI_JSON_ABSENT, "out of memory");
    if (budget->exceeded_at == SINEWI_JSON_ABSENT) budget->exceeded_at = value;
    return ref_fail(document, budget->exceeded_at, "%zu bytes of input need more than %zu bytes of memory",
                    budget->bytes_read, budget->limit);
}

bool ref_within_budget(ref_document *document) {
    return !(document->budget.exceeded || document->budget.out_of_memory) ||
           ref_fail_memory(document, SINEWI_JSON_ABSENT);
}

// ---- Bytes read ----------------------------------------------------------------------------------------------------

// Returns a path's FNV-1a hash. Ignores "." steps, repeated slashes and the case of ASCII letters, because such paths
// may name the same file. Never 0.
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

// Returns false if the table already has the hash.
static bool insert(uint64_t *paths, size_t capacity, uint64_t hash) {
    size_t mask = capacity - 1, i = (size_t)(hash ^ hash >> 32) & mask;
    while (paths[i] != 0 && paths[i] != hash) i = (i + 1) & mask;
    if (paths[i] == hash) return false;
    paths[i] = hash;
    return true;
}

static bool grow(ref_document *document) {
    ref_budget *budget = &document->budget;
    size_t capacity = budget->path_capacity > 0 ? 2 * budget->path_capacity : 16;
    uint64_t *paths = sinewi_arena_zeros(&document->arena, uint64_t, capacity);
    if (!paths) return false;
    for (size_t i = 0; i < budget->path_capacity; i++) {
        if (budget->paths[i] != 0) insert(paths, capacity, budget->paths[i]);
    }
    budget->paths = paths;
    budget->path_capacity = capacity;
    return true;
}

bool ref_count_read(ref_document *document, const char *path, size_t size) {
    ref_budget *budget = &document->budget;
    if (2 * budget->path_count >= budget->path_capacity && !grow(document)) return false;
    if (!insert(budget->paths, budget->path_capacity, hash_path(path))) return true;
    budget->path_count++;
    budget->bytes_read += size;
    set_limit(document);
    return true;
}
