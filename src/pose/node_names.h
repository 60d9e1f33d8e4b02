// SPDX-License-Identifier: MIT
// A table of a skeleton's nodes by name.
#ifndef SINEW_NODE_NAMES_H
#define SINEW_NODE_NAMES_H

#include <sinew/skeleton.h>

#include "core/memory.h"

typedef struct sinew_node_names {
    const sinew_skeleton *skeleton;
    int32_t *buckets;
    int32_t *next;         // [node_count]: the next node in the same bucket, or SINEW_NO_NODE
    uint32_t bucket_count; // a power of two
} sinew_node_names;

// Returns false if there is no memory.
bool sinew_node_names_make(sinew_node_names *names, const sinew_skeleton *skeleton, sinew_arena *scratch);

// Returns the first node with the name, or SINEW_NO_NODE; "" has none.
int32_t sinew_node_names_find(const sinew_node_names *names, const char *name);

// Returns the only node with the name, or SINEW_NO_NODE if none or several have it.
int32_t sinew_node_names_find_only(const sinew_node_names *names, const char *name);

#endif
