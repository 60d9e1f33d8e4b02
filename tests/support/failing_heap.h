// SPDX-License-Identifier: MIT
// The C library's heap, with one allocation that can fail. For programs linked with --wrap for malloc, calloc and
// realloc. Include it once per program.
#ifndef FAILING_HEAP_H
#define FAILING_HEAP_H

#include <stdbool.h>
#include <stddef.h>

static int heap_calls;         // since a test set it to 0
static int heap_fails_at = -1; // the value of heap_calls at the allocation to fail; -1: none

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the linker's --wrap prescribes these names
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static inline bool heap_refuses(void) {
    return heap_calls++ == heap_fails_at;
}

void *__wrap_malloc(size_t size) {
    return heap_refuses() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return heap_refuses() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
    return heap_refuses() ? NULL : __real_realloc(memory, size);
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

#endif
