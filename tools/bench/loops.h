// What a core can do at most: loops that only read, only write, or only multiply and add, in vectors of one width.
#ifndef BENCH_LOOPS_H
#define BENCH_LOOPS_H

#include <stddef.h>
#include <stdint.h>

typedef struct bench_loops {
    int width;                                                // bytes of a vector
    void (*read)(const void *data, size_t bytes, void *sink); // `bytes` is a multiple of 1024
    void (*write)(void *data, size_t bytes);
    double (*multiply_add)(int64_t rounds, void *sink); // returns how many operations that were
} bench_loops;

// Compiled once for each width; those that the compiler cannot make for this kind of machine are not there.
extern const bench_loops bench_loops_16;
#ifdef BENCH_WIDE_LOOPS
extern const bench_loops bench_loops_32, bench_loops_64;
#endif

#endif
