// SPDX-License-Identifier: MIT
// Memory from the caller's allocator. An object is one block with a layout. An import uses one arena.
#ifndef SINEWI_MEMORY_H
#define SINEWI_MEMORY_H

#include <sinew/base.h>

#include <stdalign.h>

// Alignment of arrays that kernels read. It is a cache line and also the widest vector.
#define SINEWI_ALIGNMENT 64

// Uses the C library's heap if the allocator has no functions. Returns NULL if memory runs out or `size` is 0.
void *sinewi_allocate(const sinew_allocator *allocator, size_t size, size_t alignment);

// `memory` may be NULL.
void sinewi_release(const sinew_allocator *allocator, void *memory, size_t size, size_t alignment);

// Places an object's arrays in a single block of memory. Run the same code twice. The first pass has a NULL base and
// measures the size, the second has the block and gets the pointers. On overflow `size` becomes SIZE_MAX, which no
// allocator can provide.
typedef struct sinewi_layout {
    char *base;
    size_t size;
} sinewi_layout;

// Reserves space for `count` elements. The pointer is only valid if `base` is set.
void *sinewi_layout_take(sinewi_layout *layout, size_t count, size_t element_size, size_t alignment);

// Reserves space for elements of a type and returns a pointer to that type.
#define sinewi_layout_array(layout, type, count, alignment)                                                        \
    ((type *)sinewi_layout_take(layout, count, sizeof(type), alignment))

// Copies a string into the layout. NULL becomes "". The measuring pass only reserves the space.
const char *sinewi_layout_string(sinewi_layout *layout, const char *string);

// Memory that is freed all at once. It comes from the allocator in chunks.
typedef struct sinewi_arena {
    sinew_allocator allocator;
    struct sinewi_arena_chunk *chunks;
} sinewi_arena;

// `allocator` may be NULL.
void sinewi_arena_init(sinewi_arena *arena, const sinew_allocator *allocator);

// Returns uninitialized space for `count` elements, aligned to at most 64 bytes. Returns NULL if memory runs out or the
// size overflows. If `count` is 0, the pointer isn't NULL.
void *sinewi_arena_take(sinewi_arena *arena, size_t count, size_t element_size, size_t alignment);

// Like sinewi_arena_take, with zeroed memory.
void *sinewi_arena_zeroed(sinewi_arena *arena, size_t count, size_t element_size, size_t alignment);

// These take elements of a type and return a pointer to that type.
#define sinewi_arena_array(arena, type, count)                                                                     \
    ((type *)sinewi_arena_take(arena, count, sizeof(type), alignof(type)))
#define sinewi_arena_zeros(arena, type, count)                                                                     \
    ((type *)sinewi_arena_zeroed(arena, count, sizeof(type), alignof(type)))

// Copies `length` bytes and adds a terminating zero.
char *sinewi_arena_string(sinewi_arena *arena, const char *text, size_t length);

void sinewi_arena_free(sinewi_arena *arena);

#endif
