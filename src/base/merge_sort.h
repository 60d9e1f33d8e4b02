// SPDX-License-Identifier: MIT
// A stable sort of n log n steps for every input, hostile ones included, which allocates nothing.
#ifndef SINEWI_MERGE_SORT_H
#define SINEWI_MERGE_SORT_H

#include <stddef.h>

// Below 0, 0 or above 0, as strcmp. `context` is that of sinewi_merge_sort.
typedef int sinewi_compare(const void *a, const void *b, const void *context);

// Sorts `count` elements of `size` bytes; `other` has space for as many, which must not overlap. Returns the one of the two
// arrays that is sorted.
void *sinewi_merge_sort(void *elements, void *other, size_t count, size_t size, sinewi_compare *compare,
                        const void *context);

#endif
