// SPDX-License-Identifier: MIT
// The machine of the measurements, and its ceilings.
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stddef.h>

// A level of the memory, read and written by one core.
typedef struct bench_memory_level {
    const char *name;   // "L1", "L2", "L3", "DRAM"
    size_t bytes;       // the measured working set
    double read, write; // bytes per nanosecond, which is GB/s
} bench_memory_level;

enum { BENCH_LEVELS = 4 };

typedef struct bench_machine {
    char cpu[128];
    char compiler[64];
    const char *simd; // which of Sinew's kernels run
    int core;         // the core of all measurements, or -1: not pinned
    double clock;     // GHz
    double
        operations; // billions of float32 operations per second; an addition and a multiplication each count as one
    int vector_width; // bytes of the fastest vectors
    bench_memory_level levels[BENCH_LEVELS];
} bench_machine;

// Fills names and the clock; `core` is the result of bench_pin.
void bench_machine_identify(bench_machine *machine, int core);

// Measures the ceilings: `step` of bench_machine_steps() of them.
int bench_machine_steps(void);
void bench_machine_measure(bench_machine *machine, int step);

#endif
