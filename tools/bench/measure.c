// SPDX-License-Identifier: MIT
// Pins the thread, times runs, and tells good runs from disturbed ones.
#include "bench/measure.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#ifdef __linux__
#include <sched.h>
#endif

// Odd, so the median is a run.
enum { WANTED_RUNS = 21, ENOUGH_RUNS = 11, MAX_ATTEMPTS = 1000 };

static const double longest_run = 8e-3, shortest_run = 1e-3, patience = 8.0; // seconds

double bench_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int bench_pin(void) {
#ifdef __linux__
    int core = sched_getcpu();
    if (core < 0 || core >= CPU_SETSIZE) return -1;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)core, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0 ? core : -1;
#else
    return -1;
#endif
}

// Returns counters that increase when a run is disturbed.
static long disturbances(void) {
    struct rusage usage;
#ifdef __linux__
    getrusage(RUSAGE_THREAD, &usage);
#else
    getrusage(RUSAGE_SELF, &usage);
#endif
    return usage.ru_nivcsw + usage.ru_minflt + usage.ru_majflt;
}

// Times independent additions. This reveals other threads on the same core, even another tenant's that this system
// can't see.
static double probe(void) {
    uint64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, step = 1;
    __asm__ volatile("" : "+r"(step));
    double start = bench_seconds();
    for (int i = 0; i < 16000; i++) {
        a += step, b += step, c += step, d += step, e += step, f += step;
        __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
    }
    return bench_seconds() - start;
}

static bool core_is_ours(void) {
    static double soonest = 1.0;
    double taken = probe();
    for (int i = 0; i < 2; i++) { // take the fastest of three, to ignore interrupts
        double again = probe();
        if (again < taken) taken = again;
    }
    if (taken < soonest) soonest = taken;
    return taken <= 1.12 * soonest;
}

static double time_of(bench_work *work, void *context, int64_t count) {
    double start = bench_seconds();
    work(context, count);
    return bench_seconds() - start;
}

// Returns how many items a run of that duration processes. Also warms up caches and branch predictors.
static int64_t items_in(bench_work *work, void *context, double seconds) {
    int64_t count = 1;
    double taken = time_of(work, context, count);
    while (taken < seconds / 4) {
        count *= 2;
        taken = time_of(work, context, count);
    }
    double wanted = (double)count * seconds / taken;
    return wanted > 1.0 ? (int64_t)wanted : 1;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *numbers, int count) {
    qsort(numbers, (size_t)count, sizeof *numbers, ascending);
    return count % 2 ? numbers[count / 2] : 0.5 * (numbers[count / 2 - 1] + numbers[count / 2]);
}

static bench_timing summarize(double *seconds, int runs, int disturbed, bool quiet) {
    double median = bench_median(seconds, runs);
    return (bench_timing){1e9 * median, 1e9 * seconds[0], 1e9 * seconds[runs - 1], runs, disturbed, quiet};
}

bench_timing bench_measure(bench_work *work, void *context) {
    double good[WANTED_RUNS], bad[MAX_ATTEMPTS];
    int good_count = 0, bad_count = 0;
    double length = longest_run, started = bench_seconds();
    int64_t count = items_in(work, context, length);
    while (good_count < WANTED_RUNS && good_count + bad_count < MAX_ATTEMPTS) {
        if (good_count + bad_count >= ENOUGH_RUNS && bench_seconds() - started > patience) break;
        bool alone = core_is_ours();
        long before = disturbances();
        double each = time_of(work, context, count) / (double)count;
        if (disturbances() == before && core_is_ours() && alone) {
            good[good_count++] = each;
            continue;
        }
        bad[bad_count++] = each;
        // On a busy machine, shorter runs are interrupted less often.
        if (bad_count % 8 == 0 && length > shortest_run && count > 1) {
            length /= 2;
            count = (count + 1) / 2;
        }
    }
    if (good_count >= ENOUGH_RUNS) return summarize(good, good_count, bad_count, true);
    for (int i = 0; i < good_count; i++) bad[bad_count++] = good[i];
    return summarize(bad, bad_count, bad_count - good_count, false);
}
