// SPDX-License-Identifier: MIT
// Memory for the measurements, and an allocator that counts the bytes of a Sinew object.
#ifndef BENCH_MEMORY_H
#define BENCH_MEMORY_H

#include <sinew/base.h>

// Zeroed memory at a multiple of 64 bytes. Ends the program, with one line on standard error, if memory runs out.
void *bench_allocate(size_t count, size_t size);
void bench_release(void *memory);

// An allocator that keeps the sum of allocated and not freed bytes in `*bytes`.
sinew_allocator bench_counting_allocator(size_t *bytes);

// A generator of random numbers, the same in every run on every machine.
typedef struct bench_random {
    uint64_t state;
} bench_random;

uint32_t bench_random_next(bench_random *random);
float bench_random_float(bench_random *random, float low, float high);

#endif
