// SPDX-License-Identifier: MIT
// Times work on one core, in runs of a few milliseconds. Discards disturbed runs.
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

// Processes `count` more items.
typedef void bench_work(void *context, int64_t count);

// Nanoseconds per item.
typedef struct bench_timing {
    double median, least, most;
    int runs;      // included in the result
    int disturbed; // discarded runs: another program had the core, a page of memory was fetched, or the core was slower
                   // than measured before
    bool quiet; // there were enough undisturbed runs; if false, disturbed ones are included
} bench_timing;

bench_timing bench_measure(bench_work *work, void *context);

// Returns the median. Sorts the numbers.
double bench_median(double *numbers, int count);

// Pins this thread to its current core. Returns the core's number, or -1 if that isn't possible.
int bench_pin(void);

double bench_seconds(void);

#endif
