// Memory for the measurements, and an allocator that counts what a Sinew object takes.
#ifndef BENCH_MEMORY_H
#define BENCH_MEMORY_H

#include <sinew/base.h>

// Zeroed, at a multiple of 64 bytes. Ends the program, with one line on standard error, when there is none: a
// measurement without its data is nothing to go on with.
void *bench_allocate(size_t count, size_t size);
void bench_release(void *memory);

// The bytes that objects made with it have taken and not given back are added up in `*bytes`.
sinew_allocator bench_counting_allocator(size_t *bytes);

// Numbers that are the same in every run on every machine.
typedef struct bench_random {
    uint64_t state;
} bench_random;

uint32_t bench_random_next(bench_random *random);
float bench_random_float(bench_random *random, float low, float high);

#endif
