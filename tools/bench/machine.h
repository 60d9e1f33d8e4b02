// What the measurements were made on, and the most that it can do.
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stddef.h>

// Some level of the memory, read and written by one core.
typedef struct bench_memory_level {
    const char *name;   // "L1", "L2", "L3", "DRAM"
    size_t bytes;       // that were gone through again and again
    double read, write; // bytes a nanosecond, which is GB/s
} bench_memory_level;

enum { BENCH_LEVELS = 4 };

typedef struct bench_machine {
    char cpu[128];
    char compiler[64];
    const char *simd;  // which of Sinew's kernels run
    int core;          // that everything ran on, or -1: it could not be kept on one
    double clock;      // GHz
    double operations; // billions a second of float32 additions and multiplications, each counted as one
    int vector_width;  // bytes of the vectors that reached it
    bench_memory_level levels[BENCH_LEVELS];
} bench_machine;

// Names and the clock; `core` is what bench_pin said.
void bench_machine_identify(bench_machine *machine, int core);

// Measures the ceilings: `step` of bench_machine_steps() of them.
int bench_machine_steps(void);
void bench_machine_measure(bench_machine *machine, int step);

#endif
