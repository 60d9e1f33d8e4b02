// SPDX-License-Identifier: MIT
// The machine that measurements run on, and its ceilings.
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stddef.h>

// A memory level that one core reads and writes.
typedef struct bench_memory_level {
    const char *name;   // "L1", "L2", "L3", "DRAM"
    size_t bytes;       // size of the measured working set
    double read, write; // bytes per nanosecond (GB/s)
} bench_memory_level;

enum { BENCH_LEVELS = 4 };

typedef struct bench_machine {
    char cpu[128];
    char compiler[64];
    const char *simd; // which of Sinew's kernels run
    int core;         // the core for all measurements, or -1 if not pinned
    double clock;     // GHz
    double
        operations; // billions of float32 operations per second; an addition and a multiplication count as one each
    int vector_width; // bytes in the fastest vectors
    bench_memory_level levels[BENCH_LEVELS];
} bench_machine;

// Fills in names and the clock. `core` is what bench_pin returned.
void bench_machine_identify(bench_machine *machine, int core);

// Measures the ceilings in bench_machine_steps() steps. This runs one `step`.
int bench_machine_steps(void);
void bench_machine_measure(bench_machine *machine, int step);

#endif
