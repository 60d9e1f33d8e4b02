// SPDX-License-Identifier: MIT
// A hash table of node names.
#include "core/skeleton_names.h"

#include <string.h>

static uint32_t hash_name(const char *name) {
    uint32_t hash = 2166136261u; // FNV-1a
    for (; *name; name++) hash = (hash ^ (uint8_t)*name) * 16777619u;
    return hash ^ hash >> 15;
}

const char *sinewi_skip_prefix(const char *name, sinewi_name_prefix prefix) {
    return strncmp(name, prefix.name, prefix.length) == 0 ? name + prefix.length : name;
}

// Returns the name that is used for comparing nodes.
static const char *name_of(const sinewi_node_names *names, int32_t node) {
    return sinewi_skip_prefix(names->skeleton->names[node], names->prefix);
}

bool sinewi_node_names_make(sinewi_node_names *names, const sinew_skeleton *skeleton, sinewi_name_prefix prefix,
                            sinewi_arena *scratch) {
    size_t count = (size_t)skeleton->node_count;
    names->skeleton = skeleton;
    names->prefix = prefix;
    names->bucket_count = 16;
    while (names->bucket_count < count) names->bucket_count *= 2;
    names->buckets = sinewi_arena_array(scratch, int32_t, names->bucket_count);
    names->next = sinewi_arena_array(scratch, int32_t, count);
    if (!names->buckets || !names->next) return false;
    for (uint32_t i = 0; i < names->bucket_count; i++) names->buckets[i] = SINEW_NO_NODE;
    for (int32_t i = skeleton->node_count - 1; i >= 0; i--) { // the first of equal names comes first in its bucket
        int32_t *bucket = &names->buckets[hash_name(name_of(names, i)) & (names->bucket_count - 1)];
        names->next[i] = *bucket;
        *bucket = i;
    }
    return true;
}

// Returns the first node with this name in a chain of the table.
static int32_t find_from(const sinewi_node_names *names, int32_t node, const char *name) {
    while (node != SINEW_NO_NODE && strcmp(name_of(names, node), name) != 0) node = names->next[node];
    return node;
}

int32_t sinewi_node_names_find(const sinewi_node_names *names, const char *name) {
    if (name[0] == '\0') return SINEW_NO_NODE;
    return find_from(names, names->buckets[hash_name(name) & (names->bucket_count - 1)], name);
}

int32_t sinewi_node_names_find_only(const sinewi_node_names *names, const char *name) {
    int32_t node = sinewi_node_names_find(names, name);
    if (node == SINEW_NO_NODE || find_from(names, names->next[node], name) != SINEW_NO_NODE) return SINEW_NO_NODE;
    return node;
}
