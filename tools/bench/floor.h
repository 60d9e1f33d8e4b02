// SPDX-License-Identifier: MIT
// The floor of a row: the time below which no implementation can be on this machine.
#ifndef BENCH_FLOOR_H
#define BENCH_FLOOR_H

#include "bench/machine.h"

#include <stdint.h>

// Of one unit of the row. All zero for rows of which no floor is stated.
typedef struct bench_floor {
    double operations;    // additions, multiplications, divisions, square roots and comparisons of floats
    double read, written; // bytes
    double nanoseconds;   // the longest of three times: all operations, all reads, all writes
    const char *limit;    // which of them: "operations", "reading" or "writing"
    const char *level;    // of the memory that is read or written; "" for operations
} bench_floor;

// The floor of a stage with these data: stated for characters with the data "all", and for skinned vertices.
bench_floor bench_floor_of(const bench_machine *machine, const char *stage, const char *data, int32_t joints,
                           int32_t characters);

#endif
