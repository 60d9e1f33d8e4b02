// How long something takes: on one core, in runs of some milliseconds, without those that were disturbed.
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

// Does `count` more items of the work.
typedef void bench_work(void *context, int64_t count);

// Nanoseconds for one item.
typedef struct bench_timing {
    double median, least, most;
    int runs;      // that these are from
    int disturbed; // runs that were thrown away: another program had the core, a page of memory had to be fetched, or
                   // the core was slower than it is
    bool quiet;    // there were enough undisturbed runs; otherwise these are from disturbed ones
} bench_timing;

bench_timing bench_measure(bench_work *work, void *context);

// The middle one; sorts them.
double bench_median(double *numbers, int count);

// Keeps this thread on the core that it is on; returns its number, or -1 where that cannot be done.
int bench_pin(void);

double bench_seconds(void);

#endif
