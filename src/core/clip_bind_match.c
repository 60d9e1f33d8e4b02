// SPDX-License-Identifier: MIT
// Matches the nodes of two skeletons by name.
//
// Exporters put a namespace such as "mixamorig:" in front of every joint name. The prefix is the longest text that
// starts more than half of a skeleton's node names and ends at a word boundary.
#include "core/clip_bind_match.h"
#include "base/nearest_name.h"

#include <string.h>

// Longer prefixes are cut.
#define MAX_PREFIX 64

// How many names of a large skeleton are compared with a misspelled one. This bounds the time.
#define MAX_NEAREST_NODES 2000

// ---- Prefixes ------------------------------------------------------------------------------------------------

static bool has_prefix(const char *name, const char *prefix, size_t length) {
    return strncmp(name, prefix, length) == 0;
}

// Finds the character after the prefix that more than half of the `named` nodes share. Uses a majority vote among the
// names with the prefix. Returns a name with this character, or NULL.
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

// Returns whether the prefix ends at a word boundary. Either it ends in a separator, or a capital follows in all names
// that have it, like in "mixamorigHips".
static bool ends_word(const sinew_skeleton *skeleton, const char *prefix, size_t length) {
    if (strchr(":|._-/ ", prefix[length - 1])) return true;
    if (is_upper(prefix[length - 1])) return false;
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        const char *name = skeleton->names[i];
        if (has_prefix(name, prefix, length) && !is_upper(name[length])) return false;
    }
    return true;
}

static sinewi_name_prefix find_prefix(const sinew_skeleton *skeleton) {
    int32_t named = 0;
    for (int32_t i = 0; i < skeleton->node_count; i++) named += skeleton->names[i][0] != '\0';
    sinewi_name_prefix found = {"", 0};
    const char *prefix = "";
    for (size_t length = 0; length < MAX_PREFIX;) {
        prefix = vote(skeleton, prefix, length++, named);
        if (!prefix) break;
        if (ends_word(skeleton, prefix, length)) found = (sinewi_name_prefix){prefix, length};
    }
    return found;
}

// ---- Equal names ---------------------------------------------------------------------------------------------

// A skeleton's nodes grouped by name.
typedef struct name_groups {
    int32_t *of_node; // [node_count]: the first node with the same name, SINEW_NO_NODE without a name
    int32_t *counts;  // [node_count]: indexed by the first node
} name_groups;

static bool make_groups(name_groups *groups, const sinewi_node_names *names, sinewi_arena *scratch) {
    const sinew_skeleton *skeleton = names->skeleton;
    groups->of_node = sinewi_arena_array(scratch, int32_t, (size_t)skeleton->node_count);
    groups->counts = sinewi_arena_zeros(scratch, int32_t, (size_t)skeleton->node_count);
    if (!groups->of_node || !groups->counts) return false;
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        const int32_t first = sinewi_node_names_find(names, sinewi_skip_prefix(skeleton->names[i], names->prefix));
        groups->of_node[i] = first;
        if (first != SINEW_NO_NODE) groups->counts[first]++;
    }
    return true;
}

// The target's free nodes during matching.
typedef struct matcher {
    sinewi_bind_match *match;
    sinewi_node_names source_names;
    name_groups source, target;
    int32_t *candidates; // [source node_count]: if names are used, the target's first node with this name
    bool *is_animated;   // [source node_count]
    bool *is_taken;      // [target node_count]
    bool *has_twin;      // [target node_count]: another node has the same name and parent
    int32_t *lists;      // [list_count], a power of two: nodes by parent and name
    int32_t *next;       // [target node_count]: next node in one of these lists
    uint32_t list_count;
    int32_t *first_named; // [target node_count], indexed by a name's first node: a node that may be free
    int32_t *next_named;  // [target node_count]
} matcher;

static int32_t *list_of(const matcher *m, int32_t parent, int32_t name) {
    const uint32_t hash = ((uint32_t)parent * 2654435761u ^ (uint32_t)name) * 2246822519u;
    return &m->lists[(hash ^ hash >> 15) & (m->list_count - 1)];
}

// Returns the first free node with this parent and name. Removes taken nodes from their list.
static int32_t find_child(const matcher *m, int32_t parent, int32_t name) {
    int32_t *at = list_of(m, parent, name);
    while (*at != SINEW_NO_NODE) {
        const int32_t node = *at;
        if (m->is_taken[node]) {
            *at = m->next[node];
        } else if (m->match->target->parents[node] == parent && m->target.of_node[node] == name) {
            break;
        } else {
            at = &m->next[node];
        }
    }
    return *at;
}

static int32_t find_named(const matcher *m, int32_t name) {
    int32_t *first = &m->first_named[name];
    while (*first != SINEW_NO_NODE && m->is_taken[*first]) *first = m->next_named[*first];
    return *first;
}

// Puts the target's nodes into the lists, starting with the last one.
static void fill_lists(const matcher *m) {
    const sinew_skeleton *target = m->match->target;
    for (uint32_t i = 0; i < m->list_count; i++) m->lists[i] = SINEW_NO_NODE;
    for (int32_t i = target->node_count - 1; i >= 0; i--) {
        const int32_t name = m->target.of_node[i], parent = target->parents[i];
        m->first_named[i] = SINEW_NO_NODE;
        if (name == SINEW_NO_NODE) continue;
        const int32_t twin = find_child(m, parent, name);
        if (twin != SINEW_NO_NODE) m->has_twin[i] = m->has_twin[twin] = true;
        int32_t *list = list_of(m, parent, name);
        m->next[i] = *list;
        *list = i;
    }
    for (int32_t i = target->node_count - 1; i >= 0; i--) {
        const int32_t name = m->target.of_node[i];
        if (name == SINEW_NO_NODE) continue;
        m->next_named[i] = m->first_named[name];
        m->first_named[name] = i;
    }
}

static bool make_matcher(matcher *m, sinewi_arena *scratch) {
    const sinew_skeleton *source = m->match->source, *target = m->match->target;
    const size_t sources = (size_t)source->node_count, targets = (size_t)target->node_count;
    m->list_count = 16;
    while (m->list_count < targets) m->list_count *= 2;
    m->candidates = sinewi_arena_array(scratch, int32_t, sources);
    m->is_animated = sinewi_arena_zeros(scratch, bool, sources);
    m->is_taken = sinewi_arena_zeros(scratch, bool, targets);
    m->has_twin = sinewi_arena_zeros(scratch, bool, targets);
    m->lists = sinewi_arena_array(scratch, int32_t, m->list_count);
    m->next = sinewi_arena_array(scratch, int32_t, targets);
    m->first_named = sinewi_arena_array(scratch, int32_t, targets);
    m->next_named = sinewi_arena_array(scratch, int32_t, targets);
    return m->candidates && m->is_animated && m->is_taken && m->has_twin && m->lists && m->next && m->first_named &&
           m->next_named && sinewi_node_names_make(&m->source_names, source, m->match->source_prefix, scratch) &&
           make_groups(&m->source, &m->source_names, scratch) && make_groups(&m->target, &m->match->names, scratch);
}

// ---- Matching ------------------------------------------------------------------------------------------------

static int32_t find_mapped(const sinewi_bind_match *match, const char *name) {
    if (!name || name[0] == '\0') return SINEWI_BIND_EXCLUDED;
    return sinew_skeleton_find(match->target, name);
}

static const sinew_bind_name *find_entry(const sinew_bind_def *def, const char *name) {
    for (int32_t i = 0; i < def->name_count; i++) {
        if (strcmp(def->names[i].source, name) == 0) return &def->names[i];
    }
    return NULL;
}

static void take(const matcher *m, int32_t node, int32_t target, bool is_ordered) {
    m->match->nodes[node] = target;
    m->match->is_ordered[node] = is_ordered;
    m->is_taken[target] = true;
}

// Matches a node by the map, or by a name that no other node has.
static void match_alone(const matcher *m, int32_t node) {
    sinewi_bind_match *match = m->match;
    const char *name = match->source->names[node];
    const sinew_bind_name *entry = find_entry(match->def, name);
    match->nodes[node] = entry ? find_mapped(match, entry->target) : SINEW_NO_NODE;
    m->candidates[node] = SINEW_NO_NODE;
    if (entry) return;
    const int32_t first = sinewi_node_names_find(&match->names, sinewi_skip_prefix(name, match->source_prefix));
    if (first == SINEW_NO_NODE) return;
    m->candidates[node] = first;
    if (m->target.counts[first] == 1 && m->source.counts[m->source.of_node[node]] == 1) take(m, node, first, false);
}

// Matches a node with a child of its parent's match. Roots match roots.
static bool match_below(const matcher *m, int32_t node) {
    const int32_t parent = m->match->source->parents[node];
    const int32_t below = parent == SINEW_NO_NODE ? SINEW_NO_NODE : m->match->nodes[parent];
    if (parent != SINEW_NO_NODE && below < 0) return false;
    const int32_t target = find_child(m, below, m->candidates[node]);
    if (target != SINEW_NO_NODE) take(m, node, target, m->has_twin[target]);
    return target != SINEW_NO_NODE;
}

static void match_in_order(const matcher *m, int32_t node) {
    const int32_t name = m->candidates[node];
    const bool is_enough = m->target.counts[name] >= m->source.counts[m->source.of_node[node]];
    const int32_t target = is_enough || m->is_animated[node] ? find_named(m, name) : SINEW_NO_NODE;
    if (target != SINEW_NO_NODE) take(m, node, target, true);
}

static bool is_open(const matcher *m, int32_t node) {
    return m->candidates[node] != SINEW_NO_NODE && m->match->nodes[node] == SINEW_NO_NODE;
}

// Parents come before their children.
static void match_all(const matcher *m) {
    const int32_t count = m->match->source->node_count;
    for (int32_t i = 0; i < count; i++) match_alone(m, i);
    for (int32_t i = 0; i < count; i++) {
        if (is_open(m, i)) match_below(m, i);
    }
    for (int32_t i = 0; i < count; i++) {
        if (is_open(m, i) && !match_below(m, i)) match_in_order(m, i);
    }
}

bool sinewi_bind_match_make(sinewi_bind_match *match, const sinew_clip *clip, const sinew_skeleton *target,
                            const sinew_bind_def *def, sinewi_arena *scratch) {
    const sinewi_name_prefix none = {"", 0};
    *match = (sinewi_bind_match){.source = clip->skeleton, .target = target, .def = def};
    match->source_prefix = def->ignore_prefixes ? find_prefix(clip->skeleton) : none;
    match->nodes = sinewi_arena_array(scratch, int32_t, (size_t)clip->skeleton->node_count);
    match->is_ordered = sinewi_arena_zeros(scratch, bool, (size_t)clip->skeleton->node_count);
    matcher m = {.match = match};
    if (!match->nodes || !match->is_ordered ||
        !sinewi_node_names_make(&match->names, target, def->ignore_prefixes ? find_prefix(target) : none,
                                scratch) ||
        !make_matcher(&m, scratch)) {
        return false;
    }
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const sinew_channel *channel = &clip->channels[i];
        if (channel->target != SINEW_TARGET_CURVE) m.is_animated[channel->node] = true;
    }
    fill_lists(&m);
    match_all(&m);
    return true;
}

const char *sinewi_bind_match_nearest(const sinewi_bind_match *match, int32_t node) {
    const char *name = sinewi_skip_prefix(match->source->names[node], match->source_prefix), *found = NULL;
    int32_t count = match->target->node_count;
    if (count > MAX_NEAREST_NODES) count = MAX_NEAREST_NODES;
    sinewi_nearest nearest = sinewi_nearest_begin(name, strlen(name));
    for (int32_t i = 0; i < count; i++) {
        const char *other = sinewi_skip_prefix(match->target->names[i], match->names.prefix);
        if (sinewi_nearest_try(&nearest, other)) found = match->target->names[i];
    }
    return found;
}
