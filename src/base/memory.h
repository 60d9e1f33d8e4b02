// SPDX-License-Identifier: MIT
// Memory from the caller's allocator: one block per object (layout), or one arena per import.
#ifndef SINEWI_MEMORY_H
#define SINEWI_MEMORY_H

#include <sinew/base.h>

#include <stdalign.h>

// Alignment of arrays that kernels read: one cache line, and the widest vector.
#define SINEWI_ALIGNMENT 64

// Allocates from the caller's allocator, or from the C library's heap if that has no functions. Returns NULL if
// there is no memory or `size` is 0.
void *sinewi_allocate(const sinew_allocator *allocator, size_t size, size_t alignment);

// NULL is allowed.
void sinewi_release(const sinew_allocator *allocator, void *memory, size_t size, size_t alignment);

// Computes the addresses of an object's arrays inside its one block of memory. The same code runs twice: first with
// base NULL, to measure the size, then with the block, to get the pointers. If a size overflows, `size` becomes
// SIZE_MAX, which no allocator serves.
typedef struct sinewi_layout {
    char *base;
    size_t size;
} sinewi_layout;

// Reserves space for `count` elements. The pointer is valid only if `base` is set.
void *sinewi_layout_take(sinewi_layout *layout, size_t count, size_t element_size, size_t alignment);

// The same for elements of a type: returns a pointer to that type.
#define sinewi_layout_array(layout, type, count, alignment)                                                        \
    ((type *)sinewi_layout_take(layout, count, sizeof(type), alignment))

// Copies a string into the layout (NULL: ""). While measuring it only reserves the space.
const char *sinewi_layout_string(sinewi_layout *layout, const char *string);

// Memory that is freed all at once: chunks from an allocator.
typedef struct sinewi_arena {
    sinew_allocator allocator;
    struct sinewi_arena_chunk *chunks;
} sinewi_arena;

// `allocator` may be NULL.
void sinewi_arena_init(sinewi_arena *arena, const sinew_allocator *allocator);

// Uninitialised space for `count` elements, with an alignment of at most 64 bytes. Returns NULL if there is no
// memory or the size overflows. A count of 0 gives a pointer that is not NULL.
void *sinewi_arena_take(sinewi_arena *arena, size_t count, size_t element_size, size_t alignment);

// The same, zeroed.
void *sinewi_arena_zeroed(sinewi_arena *arena, size_t count, size_t element_size, size_t alignment);

// The same for elements of a type: return a pointer to that type.
#define sinewi_arena_array(arena, type, count)                                                                     \
    ((type *)sinewi_arena_take(arena, count, sizeof(type), alignof(type)))
#define sinewi_arena_zeros(arena, type, count)                                                                     \
    ((type *)sinewi_arena_zeroed(arena, count, sizeof(type), alignof(type)))

// A copy of `length` bytes with a terminating zero.
char *sinewi_arena_string(sinewi_arena *arena, const char *text, size_t length);

void sinewi_arena_free(sinewi_arena *arena);

#endif
