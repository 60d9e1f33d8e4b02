// SPDX-License-Identifier: MIT
// Merges sorted runs of 1, 2, 4, ... elements back and forth between the two arrays.
#include "base/merge_sort.h"

#include <stdbool.h>
#include <string.h>

static size_t lesser(size_t a, size_t b) {
    return a < b ? a : b;
}

// Merges the sorted runs [first, middle) and [middle, end). If elements are equal, the first run's come first.
static void merge_runs(const char *from, char *to, size_t first, size_t middle, size_t end, size_t size,
                       sinewi_compare *compare, const void *context) {
    size_t left = first, right = middle;
    for (size_t i = first; i < end; i++) {
        bool takes_right =
            left == middle || (right < end && compare(from + right * size, from + left * size, context) < 0);
        memcpy(to + i * size, from + (takes_right ? right++ : left++) * size, size);
    }
}

void *sinewi_merge_sort(void *elements, void *other, size_t count, size_t size, sinewi_compare *compare,
                        const void *context) {
    char *from = (char *)elements, *to = (char *)other;
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t i = 0; i < count; i += 2 * run)
            merge_runs(from, to, i, lesser(i + run, count), lesser(i + 2 * run, count), size, compare, context);
        char *merged = to;
        to = from;
        from = merged;
    }
    return from;
}
