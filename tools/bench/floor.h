// SPDX-License-Identifier: MIT
// A row's floor: no implementation can be faster on this machine.
#ifndef BENCH_FLOOR_H
#define BENCH_FLOOR_H

#include "bench/machine.h"

#include <stdint.h>

// The floor of one unit of a row. All zero if a row has no floor.
typedef struct bench_floor {
    double operations;    // float additions, multiplications, divisions, square roots and comparisons
    double read, written; // bytes
    double nanoseconds;   // the longest of three times: all operations, all reads, all writes
    const char *limit;    // which of the three: "operations", "reading" or "writing"
    const char *level;    // memory level that's read or written; "" for operations
} bench_floor;

// Returns the floor of a stage with these data. Only characters with the data "all" and skinned vertices have one.
bench_floor bench_floor_of(const bench_machine *machine, const char *stage, const char *data, int32_t joints,
                           int32_t characters);

#endif
