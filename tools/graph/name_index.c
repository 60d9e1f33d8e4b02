// SPDX-License-Identifier: MIT
// Sorted names of clips, nodes and curves.
#include "graph/model.h"

#include <stdlib.h>
#include <string.h>

// Among equal names, the first in the file comes first.
static int compare_entries(const void *a, const void *b) {
    const graph_name *left = a, *right = b;
    const int order = strcmp(left->name, right->name);
    return order != 0 ? order : (left->index > right->index) - (left->index < right->index);
}

bool graph_index_names(graph_model *m, graph_names *names, int32_t count,
                       const char *(*name_at)(const graph_model *m, int32_t index)) {
    graph_name *sorted = graph_array(m, graph_name, count);
    if (!sorted) return false;
    for (int32_t i = 0; i < count; i++) sorted[i] = (graph_name){name_at(m, i), i};
    qsort(sorted, (size_t)count, sizeof *sorted, compare_entries);
    *names = (graph_names){count, sorted};
    return true;
}

int32_t graph_find_name(const graph_names *names, const char *name) {
    int32_t low = 0, high = names->count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (strcmp(names->sorted[middle].name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const bool found = low < names->count && strcmp(names->sorted[low].name, name) == 0;
    return found ? names->sorted[low].index : SINEW_GRAPH_NONE;
}
