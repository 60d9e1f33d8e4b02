// SPDX-License-Identifier: MIT
// The loops that measure a machine's ceilings, for vectors of BENCH_WIDTH bytes. BENCH_LOOPS names what this file
// defines. Vectors are a compiler extension, so one source works for every machine.
#include "bench/loops.h"

#include <string.h>

typedef uint64_t bits __attribute__((vector_size(BENCH_WIDTH)));
typedef float floats __attribute__((vector_size(BENCH_WIDTH)));

// One chain per register: 32 for the widest vectors, otherwise 16.
enum { UNROLLED = 8, CHAINS = BENCH_WIDTH == 64 ? 10 : 6 };

// Keeps the compiler from merging equal passes.
static void forget(void *memory) {
    __asm__ volatile("" : : "r"(memory) : "memory");
}

static void read_all(const void *data, size_t bytes, void *sink) {
    const bits *from = data, *end = from + bytes / sizeof(bits);
    bits even = {0}, odd = {0};
    for (; from < end; from += UNROLLED) {
        even |= from[0], odd |= from[1];
        even |= from[2], odd |= from[3];
        even |= from[4], odd |= from[5];
        even |= from[6], odd |= from[7];
    }
    even |= odd;
    memcpy(sink, &even, sizeof even);
    forget(sink);
}

static void write_all(void *data, size_t bytes) {
    bits *to = data, *end = to + bytes / sizeof(bits);
    const bits zeros = {0};
    for (; to < end; to += UNROLLED) {
        for (int i = 0; i < UNROLLED; i++) to[i] = zeros;
        forget(to);
    }
}

// Adds and multiplies in independent chains. There are enough of them to hide the latency.
static double multiply_and_add(int64_t count, void *sink) {
    floats sums[CHAINS], products[CHAINS], step, factor;
    for (size_t i = 0; i < sizeof(floats) / sizeof(float); i++) step[i] = 1e-9f, factor[i] = 1.0f;
    forget(&step);
    forget(&factor);
    for (int c = 0; c < CHAINS; c++) sums[c] = products[c] = step;
    for (int64_t r = 0; r < count; r++) {
        for (int c = 0; c < CHAINS; c++) {
            sums[c] += step;
            products[c] *= factor;
        }
    }
    floats all = step;
    for (int c = 0; c < CHAINS; c++) all += sums[c] + products[c];
    memcpy(sink, &all, sizeof all);
    forget(sink);
    size_t lanes = sizeof(floats) / sizeof(float);
    return (double)count * (double)(lanes * 2 * CHAINS);
}

const bench_loops BENCH_LOOPS = {BENCH_WIDTH, read_all, write_all, multiply_and_add};
