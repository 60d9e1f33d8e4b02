// SPDX-License-Identifier: MIT
// Loops for a core's ceilings: only reads, only writes, or only multiplications and additions, with one vector width.
#ifndef BENCH_LOOPS_H
#define BENCH_LOOPS_H

#include <stddef.h>
#include <stdint.h>

typedef struct bench_loops {
    int width;                                                // bytes per vector
    void (*read)(const void *data, size_t bytes, void *sink); // `bytes` is a multiple of 1024
    void (*write)(void *data, size_t bytes);
    double (*multiply_add)(int64_t count, void *sink); // returns the number of operations
} bench_loops;

// Compiled once for each width that the compiler supports on this machine.
extern const bench_loops bench_loops_16;
#ifdef BENCH_WIDE_LOOPS
extern const bench_loops bench_loops_32, bench_loops_64;
#endif

#endif
