// SPDX-License-Identifier: MIT
// A table for finding a skeleton's nodes by name.
#ifndef SINEWI_NODE_NAMES_H
#define SINEWI_NODE_NAMES_H

#include <sinew/skeleton.h>

#include "base/memory.h"

// A prefix that names are compared without: the first `length` characters of `name`, if a name starts with it.
typedef struct sinewi_name_prefix {
    const char *name;
    size_t length;
} sinewi_name_prefix;

typedef struct sinewi_node_names {
    const sinew_skeleton *skeleton;
    sinewi_name_prefix prefix;
    int32_t *buckets;
    int32_t *next;         // [node_count]: next node in the same bucket, or SINEW_NO_NODE
    uint32_t bucket_count; // a power of two
} sinewi_node_names;

// Makes the table in scratch memory. Returns false if memory runs out.
bool sinewi_node_names_make(sinewi_node_names *names, const sinew_skeleton *skeleton, sinewi_name_prefix prefix,
                            sinewi_arena *scratch);

// Returns a name without the prefix.
const char *sinewi_skip_prefix(const char *name, sinewi_name_prefix prefix);

// Returns the first node with this name, ignoring the prefix. SINEW_NO_NODE if it doesn't exist, or for "".
int32_t sinewi_node_names_find(const sinewi_node_names *names, const char *name);

// Returns the only node with this name. SINEW_NO_NODE if none or several have it.
int32_t sinewi_node_names_find_only(const sinewi_node_names *names, const char *name);

#endif
