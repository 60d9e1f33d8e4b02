// SPDX-License-Identifier: MIT
// A stable sort of n log n steps for every input, hostile ones included, which allocates nothing.
#ifndef SINEW_MERGE_SORT_H
#define SINEW_MERGE_SORT_H

#include <stddef.h>

// Below 0, 0 or above 0, as strcmp. `context` is that of sinew_merge_sort.
typedef int sinew_compare(const void *a, const void *b, const void *context);

// Sorts `count` elements of `size` bytes; `other` has space for as many, which must not overlap. Returns the one of the two
// arrays that is sorted.
void *sinew_merge_sort(void *elements, void *other, size_t count, size_t size, sinew_compare *compare,
                       const void *context);

#endif
