// SPDX-License-Identifier: MIT
// A stable sort that doesn't allocate. It needs n log n steps for any input, even a hostile one.
#ifndef SINEWI_MERGE_SORT_H
#define SINEWI_MERGE_SORT_H

#include <stddef.h>

// Returns a value below, equal to or above 0, like strcmp. `context` is passed through from sinewi_merge_sort.
typedef int sinewi_compare(const void *a, const void *b, const void *context);

// Sorts `count` elements of `size` bytes. `other` is scratch space of the same size and must not overlap `elements`.
// Returns whichever of the two arrays holds the result.
void *sinewi_merge_sort(void *elements, void *other, size_t count, size_t size, sinewi_compare *compare,
                        const void *context);

#endif
