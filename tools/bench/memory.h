// SPDX-License-Identifier: MIT
// Memory for measurements, and an allocator that counts the bytes of a Sinew object.
#ifndef BENCH_MEMORY_H
#define BENCH_MEMORY_H

#include <sinew/base.h>

// Returns zeroed memory, aligned to 64 bytes. If memory runs out, prints a line to standard error and ends the program.
void *bench_allocate(size_t count, size_t size);
void bench_release(void *memory);

// Returns an allocator that keeps the number of bytes currently allocated in `*bytes`.
sinew_allocator bench_counting_allocator(size_t *bytes);

// A random number generator. It gives the same numbers in every run on every machine.
typedef struct bench_random {
    uint64_t state;
} bench_random;

uint32_t bench_random_next(bench_random *random);
float bench_random_float(bench_random *random, float low, float high);

#endif
