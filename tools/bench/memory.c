// SPDX-License-Identifier: MIT
// Memory that ends the program if it runs out, counted memory, and pseudo-random numbers.
#include "bench/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

static size_t padded(size_t size) {
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void *bench_allocate(size_t count, size_t size) {
    size_t bytes = padded(count * size + 1);
    void *memory = aligned_alloc(ALIGNMENT, bytes);
    if (!memory) {
        fprintf(stderr, "sinew: bench: out of memory (%zu bytes)\n", bytes);
        exit(1);
    }
    memset(memory, 0, bytes);
    return memory;
}

void bench_release(void *memory) {
    free(memory);
}

static void *counted_allocate(size_t size, size_t alignment, void *user) {
    size_t *bytes = user;
    (void)alignment; // at most 64, which all allocations have
    void *memory = aligned_alloc(ALIGNMENT, padded(size));
    if (memory) *bytes += size;
    return memory;
}

static void counted_release(void *memory, size_t size, size_t alignment, void *user) {
    size_t *bytes = user;
    (void)alignment;
    *bytes -= size;
    free(memory);
}

sinew_allocator bench_counting_allocator(size_t *bytes) {
    return (sinew_allocator){counted_allocate, counted_release, bytes};
}

uint32_t bench_random_next(bench_random *random) {
    random->state = random->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random->state >> 33);
}

float bench_random_float(bench_random *random, float low, float high) {
    return low + (high - low) * (float)bench_random_next(random) / 2147483648.0f;
}
