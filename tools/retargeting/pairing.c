// SPDX-License-Identifier: MIT
#include "retargeting/pairing.h"

#include "base/nearest_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Chains --------------------------------------------------------------------------------------------------------

// One part of the argument: the names of the first and last node. The second is empty for a single node.
typedef struct span {
    const char *text;
    size_t length;
} span;

static int32_t find_node(const sinew_skeleton *skeleton, span name) {
    for (int32_t i = 0; i < skeleton->node_count; i++)
        if (strlen(skeleton->names[i]) == name.length && memcmp(skeleton->names[i], name.text, name.length) == 0)
            return i;
    return SINEW_NO_NODE;
}

static bool fail_name(const char *side, const sinew_skeleton *skeleton, span name, char *error, size_t size) {
    char text[128];
    snprintf(text, sizeof text, "%.*s", (int)name.length, name.text);
    const sinewi_nearest_hint hint = sinewi_nearest_in(text, skeleton->names, skeleton->node_count);
    snprintf(error, size, "the %s has no node '%s'%s", side, text, hint.text);
    return false;
}

// Finds the two nodes in "First..Last", or a single name's node twice. Names may contain dots: the first between two
// existing names count.
static bool find_ends(const char *side, const sinew_skeleton *skeleton, span text, int32_t ends[2], char *error,
                      size_t size) {
    span first = text, last = text;
    ends[0] = ends[1] = find_node(skeleton, text);
    if (ends[0] != SINEW_NO_NODE) return true;
    bool is_split = false;
    for (size_t i = 0; i + 1 < text.length; i++) {
        if (text.text[i] != '.' || text.text[i + 1] != '.') continue;
        const span before = {text.text, i}, after = {text.text + i + 2, text.length - i - 2};
        if (!is_split) first = before, last = after, is_split = true;
        ends[0] = find_node(skeleton, before);
        ends[1] = find_node(skeleton, after);
        if (ends[0] != SINEW_NO_NODE && ends[1] != SINEW_NO_NODE) return true;
    }
    const bool is_first_known = is_split && find_node(skeleton, first) != SINEW_NO_NODE;
    return fail_name(side, skeleton, is_first_known ? last : first, error, size);
}

// Lists the nodes from one down to another below it. Returns NULL with an error.
static int32_t *list_path(const sinew_skeleton *skeleton, const int32_t ends[2], int32_t *count, char *error,
                          size_t size) {
    *count = 1;
    for (int32_t node = ends[1]; node != ends[0]; node = skeleton->parents[node]) {
        ++*count;
        if (skeleton->parents[node] != SINEW_NO_NODE) continue;
        snprintf(error, size, "'%s' is not below '%s'; list a chain from its root to its tip",
                 skeleton->names[ends[1]], skeleton->names[ends[0]]);
        return NULL;
    }
    int32_t *nodes = malloc((size_t)*count * sizeof *nodes), i = *count;
    if (!nodes) snprintf(error, size, "out of memory");
    for (int32_t node = ends[1]; nodes && i > 0; node = skeleton->parents[node]) nodes[--i] = node;
    return nodes;
}

bool retargeting_read_chain(const char *text, const sinew_skeleton *source, const sinew_skeleton *target,
                            sinew_retarget_chain *chain, char *error, size_t size) {
    const char *equals = strchr(text, '=');
    int32_t ends[2];
    *chain = (sinew_retarget_chain){0};
    if (!equals || equals == text || !equals[1]) {
        snprintf(error, size, "must be SOURCE=TARGET or SOURCE_FIRST..SOURCE_LAST=TARGET_FIRST..TARGET_LAST");
        return false;
    }
    const span from = {text, (size_t)(equals - text)}, to = {equals + 1, strlen(equals + 1)};
    if (!find_ends("source", source, from, ends, error, size)) return false;
    chain->source_nodes = list_path(source, ends, &chain->source_count, error, size);
    if (!chain->source_nodes || !find_ends("target", target, to, ends, error, size)) return false;
    chain->target_nodes = list_path(target, ends, &chain->target_count, error, size);
    return chain->target_nodes != NULL;
}

void retargeting_free_chain(sinew_retarget_chain *chain) {
    free((void *)(uintptr_t)chain->source_nodes);
    free((void *)(uintptr_t)chain->target_nodes);
    *chain = (sinew_retarget_chain){0};
}

// ---- Enough pairs --------------------------------------------------------------------------------------------------

// A target node without a pair, and the source node with the most similar name.
typedef struct near_names {
    const char *target;
    sinewi_nearest nearest;
} near_names;

enum { SHOWN_NAMES = 3, MOST_NAMES = 256 };

static bool is_paired(const sinew_retarget *map, int32_t target) {
    for (int32_t i = 0; i < map->pair_count; i++)
        if (map->pairs[i].target == target) return true;
    return false;
}

// Keeps the most similar names, in order.
static void keep(near_names *list, int *count, near_names candidate) {
    int i = *count < SHOWN_NAMES ? (*count)++ : SHOWN_NAMES;
    for (; i > 0 && list[i - 1].nearest.distance > candidate.nearest.distance; i--)
        if (i < SHOWN_NAMES) list[i] = list[i - 1];
    if (i < SHOWN_NAMES) list[i] = candidate;
}

static int find_near_names(const sinew_retarget *map, near_names list[SHOWN_NAMES]) {
    int count = 0;
    for (int32_t i = 0; i < map->target->node_count && i < MOST_NAMES; i++) {
        const char *name = map->target->names[i];
        near_names found = {name, sinewi_nearest_begin(name, strlen(name))};
        if (!name[0] || is_paired(map, i)) continue;
        for (int32_t k = 0; k < map->source->node_count && k < MOST_NAMES; k++)
            (void)sinewi_nearest_try(&found.nearest, map->source->names[k]);
        if (found.nearest.name[0]) keep(list, &count, found);
    }
    return count;
}

bool retargeting_has_pairs(const sinew_retarget *map, char *error, size_t size) {
    near_names near[SHOWN_NAMES];
    const int32_t source = map->source->node_count, target = map->target->node_count;
    const int32_t smaller = source < target ? source : target;
    if (2 * map->pair_count >= smaller) return true;
    const int count = find_near_names(map, near);
    int length = snprintf(error, size, "only %d of %d nodes have a pair", (int)map->pair_count, (int)smaller);
    for (int i = 0; i < count && length >= 0 && (size_t)length < size; i++)
        length += snprintf(error + length, size - (size_t)length, "%s'%.40s' and '%.40s'",
                           i == 0 ? "; the nearest names are " : ", ", near[i].nearest.name, near[i].target);
    return false;
}
