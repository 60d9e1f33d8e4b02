// SPDX-License-Identifier: MIT
// Matches the nodes of two skeletons by name.
//
// Exporters put a namespace before the name of each joint, such as "mixamorig:". It is found as the longest text with
// which more than half of the named nodes of a skeleton start, and which ends where a word ends.
#include "clip/bind_match.h"
#include "core/nearest_name.h"

#include <string.h>

// A longer prefix is cut.
#define MAX_PREFIX 64

// The names of a large skeleton that are compared with a misspelled one, for a bounded time.
#define MAX_NEAREST_NODES 2000

// ---- Prefixes ------------------------------------------------------------------------------------------------

static bool has_prefix(const char *name, const char *prefix, size_t length) {
    return strncmp(name, prefix, length) == 0;
}

// Finds the name whose character after the prefix is that of more than half of the `named` nodes, by a majority vote
// among the names with the prefix. NULL: there is no such character.
static const char *vote(const sinew_skeleton *skeleton, const char *prefix, size_t length, int32_t named) {
    const char *leader = NULL;
    int32_t lead = 0, count = 0;
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        const char *name = skeleton->names[i];
        if (name[0] == '\0' || !has_prefix(name, prefix, length)) continue;
        if (lead == 0) leader = name;
        lead += name[length] == leader[length] ? 1 : -1;
    }
    if (!leader || leader[length] == '\0') return NULL;
    for (int32_t i = 0; i < skeleton->node_count; i++) count += has_prefix(skeleton->names[i], leader, length + 1);
    return 2 * (int64_t)count > named ? leader : NULL;
}

static bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

// Whether a word ends after the prefix: by a separator, or because a capital follows in all names that have it, as in
// "mixamorigHips".
static bool ends_word(const sinew_skeleton *skeleton, const char *prefix, size_t length) {
    if (strchr(":|._-/ ", prefix[length - 1])) return true;
    if (is_upper(prefix[length - 1])) return false;
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        const char *name = skeleton->names[i];
        if (has_prefix(name, prefix, length) && !is_upper(name[length])) return false;
    }
    return true;
}

static sinew_name_prefix find_prefix(const sinew_skeleton *skeleton) {
    int32_t named = 0;
    for (int32_t i = 0; i < skeleton->node_count; i++) named += skeleton->names[i][0] != '\0';
    sinew_name_prefix found = {"", 0};
    const char *prefix = "";
    for (size_t length = 0; length < MAX_PREFIX;) {
        prefix = vote(skeleton, prefix, length++, named);
        if (!prefix) break;
        if (ends_word(skeleton, prefix, length)) found = (sinew_name_prefix){prefix, length};
    }
    return found;
}

// ---- Matching ------------------------------------------------------------------------------------------------

bool sinew_bind_match_begin(sinew_bind_match *match, const sinew_skeleton *source, const sinew_skeleton *target,
                            const sinew_bind_def *def, sinew_arena *scratch) {
    const sinew_name_prefix none = {"", 0};
    *match = (sinew_bind_match){.source = source, .target = target, .def = def};
    match->source_prefix = def->ignore_prefixes ? find_prefix(source) : none;
    return sinew_node_names_make(&match->names, target, def->ignore_prefixes ? find_prefix(target) : none, scratch);
}

static int32_t find_mapped(const sinew_bind_match *match, const char *name) {
    if (!name || name[0] == '\0') return SINEW_BIND_EXCLUDED;
    return sinew_skeleton_find(match->target, name);
}

int32_t sinew_bind_match_node(const sinew_bind_match *match, int32_t node) {
    const char *name = match->source->names[node];
    for (int32_t i = 0; i < match->def->name_count; i++) {
        const sinew_bind_name *entry = &match->def->names[i];
        if (strcmp(entry->source, name) == 0) return find_mapped(match, entry->target);
    }
    return sinew_node_names_find(&match->names, sinew_skip_prefix(name, match->source_prefix));
}

const char *sinew_bind_match_nearest(const sinew_bind_match *match, int32_t node) {
    const char *name = sinew_skip_prefix(match->source->names[node], match->source_prefix), *found = NULL;
    int32_t count = match->target->node_count;
    if (count > MAX_NEAREST_NODES) count = MAX_NEAREST_NODES;
    sinew_nearest nearest = sinew_nearest_begin(name, strlen(name));
    for (int32_t i = 0; i < count; i++) {
        const char *other = sinew_skip_prefix(match->target->names[i], match->names.prefix);
        if (sinew_nearest_try(&nearest, other)) found = match->target->names[i];
    }
    return found;
}
