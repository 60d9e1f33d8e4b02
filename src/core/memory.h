// Memory: through the caller's allocator, in one block per object (layout) or in one arena per import.
#ifndef SINEW_MEMORY_H
#define SINEW_MEMORY_H

#include <sinew/base.h>

#include <stdalign.h>

// Alignment of arrays that kernels read: one cache line, and the widest vector.
#define SINEW_ALIGNMENT 64

// From the caller's allocator, or the C library's heap where it has no functions. NULL when there is no memory or
// `size` is 0.
void *sinew_allocate(const sinew_allocator *allocator, size_t size, size_t alignment);

// NULL is allowed.
void sinew_release(const sinew_allocator *allocator, void *memory, size_t size, size_t alignment);

// The places of an object's arrays inside its one block of memory. The object is laid out twice by the same code:
// first with base NULL, which measures, then with the block, which gives the pointers. Sizes that overflow poison
// the layout: `size` becomes SIZE_MAX, which no allocator serves.
typedef struct sinew_layout {
    char *base;
    size_t size;
} sinew_layout;

// Room for `count` elements; a valid pointer only when `base` is set.
void *sinew_layout_take(sinew_layout *layout, size_t count, size_t element_size, size_t alignment);

// The same for elements of a type: what comes back points to that type and to no other.
#define sinew_layout_array(layout, type, count, alignment)                                                         \
    ((type *)sinew_layout_take(layout, count, sizeof(type), alignment))

// Copies a string into the layout (NULL: ""). While measuring it only takes the room.
const char *sinew_layout_string(sinew_layout *layout, const char *string);

// Memory that is freed as one: chunks from an allocator.
typedef struct sinew_arena {
    sinew_allocator allocator;
    struct sinew_arena_chunk *chunks;
} sinew_arena;

// `allocator` may be NULL.
void sinew_arena_init(sinew_arena *arena, const sinew_allocator *allocator);

// Uninitialised room for `count` elements, 64-byte aligned at most; NULL when there is none, or when size_t is
// passed. A count of 0 gives a pointer that is not NULL.
void *sinew_arena_take(sinew_arena *arena, size_t count, size_t element_size, size_t alignment);

// The same, zeroed.
void *sinew_arena_zeroed(sinew_arena *arena, size_t count, size_t element_size, size_t alignment);

// The same for elements of a type: what comes back points to that type and to no other.
#define sinew_arena_array(arena, type, count) ((type *)sinew_arena_take(arena, count, sizeof(type), alignof(type)))
#define sinew_arena_zeros(arena, type, count)                                                                      \
    ((type *)sinew_arena_zeroed(arena, count, sizeof(type), alignof(type)))

// A copy of `length` bytes with a zero behind them.
char *sinew_arena_string(sinew_arena *arena, const char *text, size_t length);

void sinew_arena_free(sinew_arena *arena);

#endif
