// SPDX-License-Identifier: MIT
// Allocation, layouts and arenas. See base/memory.h.
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// ---- The allocator -------------------------------------------------------------------------------------------

// aligned_alloc needs a size that is a multiple of the alignment, and some C libraries lack it. So this stores malloc's
// pointer right before each aligned block.
static void *heap_allocate(size_t size, size_t alignment) {
    if (size > SIZE_MAX - alignment - sizeof(void *)) return NULL;
    char *start = (char *)malloc(size + alignment + sizeof(void *));
    if (!start) return NULL;
    uintptr_t address = (uintptr_t)start + sizeof(void *);
    size_t shift = (size_t)(-address & (alignment - 1));
    char *memory = start + sizeof(void *) + shift;
    memcpy(memory - sizeof(void *), &start, sizeof start);
    return memory;
}

static void heap_release(void *memory) {
    void *start;
    memcpy(&start, (char *)memory - sizeof start, sizeof start);
    free(start);
}

void *sinewi_allocate(const sinew_allocator *allocator, size_t size, size_t alignment) {
    if (size == 0 || size == SIZE_MAX) return NULL;
    if (allocator && allocator->allocate) return allocator->allocate(size, alignment, allocator->user);
    return heap_allocate(size, alignment < sizeof(void *) ? sizeof(void *) : alignment);
}

void sinewi_release(const sinew_allocator *allocator, void *memory, size_t size, size_t alignment) {
    if (!memory) return;
    if (allocator && allocator->release) {
        allocator->release(memory, size, alignment, allocator->user);
        return;
    }
    heap_release(memory);
}

// ---- Layout --------------------------------------------------------------------------------------------------

// Returns NULL in the measuring pass, which has no base. A size of SIZE_MAX marks an overflow and sticks.
void *sinewi_layout_take(sinewi_layout *layout, size_t count, size_t element_size, size_t alignment) {
    size_t padding = (size_t)(-layout->size & (alignment - 1));
    bool overflow = layout->size == SIZE_MAX || padding > SIZE_MAX - layout->size ||
                    count > (SIZE_MAX - layout->size - padding - 1) / element_size;
    if (overflow) {
        layout->size = SIZE_MAX;
        return NULL;
    }
    size_t offset = layout->size + padding;
    layout->size = offset + count * element_size;
    return layout->base ? layout->base + offset : NULL;
}

// Reserves space for a string. Copies the string in the second pass.
const char *sinewi_layout_string(sinewi_layout *layout, const char *string) {
    if (!string) string = "";
    size_t size = strlen(string) + 1;
    char *copy = sinewi_layout_array(layout, char, size, 1);
    if (copy) memcpy(copy, string, size);
    return copy;
}

// ---- Arena ---------------------------------------------------------------------------------------------------

// Builds that look for buffer overruns use small chunks. That way most allocations end where a heap block ends.
#ifdef SINEW_SMALL_CHUNKS
#define CHUNK_SIZE ((size_t)128)
#else
#define CHUNK_SIZE ((size_t)64 * 1024)
#endif

typedef struct sinewi_arena_chunk {
    struct sinewi_arena_chunk *next;
    size_t size; // whole chunk, including this header
    size_t used; // from the chunk's start
} arena_chunk;

void sinewi_arena_init(sinewi_arena *arena, const sinew_allocator *allocator) {
    memset(arena, 0, sizeof *arena);
    if (allocator) arena->allocator = *allocator;
}

// Puts a new chunk at the head of the list. Memory is taken from the first chunk.
static arena_chunk *add_chunk(sinewi_arena *arena, size_t size) {
    arena_chunk *chunk = (arena_chunk *)sinewi_allocate(&arena->allocator, size, SINEWI_ALIGNMENT);
    if (!chunk) return NULL;
    *chunk = (arena_chunk){.next = arena->chunks, .size = size, .used = sizeof *chunk};
    arena->chunks = chunk;
    return chunk;
}

// Returns NULL if the chunk doesn't have `size` free bytes. `alignment` must be a power of two.
static void *take_from_chunk(arena_chunk *chunk, size_t size, size_t alignment) {
    size_t start = (chunk->used + alignment - 1) & ~(alignment - 1);
    if (start > chunk->size || size > chunk->size - start) return NULL;
    chunk->used = start + size;
    return (char *)chunk + start;
}

// Large arrays get their own chunk. This way a shared chunk wastes at most a quarter of its size.
void *sinewi_arena_take(sinewi_arena *arena, size_t count, size_t element_size, size_t alignment) {
    size_t header = (sizeof(arena_chunk) + SINEWI_ALIGNMENT - 1) & ~(size_t)(SINEWI_ALIGNMENT - 1);
    if (count > (SIZE_MAX - header) / element_size) return NULL;
    size_t size = count * element_size;
    void *memory = arena->chunks ? take_from_chunk(arena->chunks, size, alignment) : NULL;
    if (memory) return memory;

    bool needs_own_chunk = size > CHUNK_SIZE / 4;
    arena_chunk *current = arena->chunks;
    arena_chunk *chunk = add_chunk(arena, needs_own_chunk ? header + size : CHUNK_SIZE);
    if (!chunk) return NULL;
    memory = take_from_chunk(chunk, size, alignment);
    if (needs_own_chunk && current) { // keep the chunk with free space first
        arena->chunks = current;
        chunk->next = current->next;
        current->next = chunk;
    }
    return memory;
}

void *sinewi_arena_zeroed(sinewi_arena *arena, size_t count, size_t element_size, size_t alignment) {
    void *memory = sinewi_arena_take(arena, count, element_size, alignment);
    if (memory) memset(memory, 0, count * element_size);
    return memory;
}

char *sinewi_arena_string(sinewi_arena *arena, const char *text, size_t length) {
    if (length == SIZE_MAX) return NULL;
    char *copy = sinewi_arena_array(arena, char, length + 1);
    if (!copy) return NULL;
    if (length > 0) memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

void sinewi_arena_free(sinewi_arena *arena) {
    while (arena->chunks) {
        arena_chunk *chunk = arena->chunks;
        arena->chunks = chunk->next;
        sinewi_release(&arena->allocator, chunk, chunk->size, SINEWI_ALIGNMENT);
    }
}
