// SPDX-License-Identifier: MIT
// Matches nodes and clips in two files by name. Nodes without a name are matched by their path.
#include "compare/internal.h"

#include <stdlib.h>
#include <string.h>

// A name and its number in the file.
typedef struct named {
    const char *name;
    int32_t index;
} named;

static int by_name(const void *x, const void *y) {
    const named *a = (const named *)x, *b = (const named *)y;
    const int order = strcmp(a->name, b->name);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

// Sorts the names that aren't empty. Returns how many there are.
static int32_t sort_names(named *names, int32_t count) {
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        if (names[i].name[0] != '\0') names[kept++] = names[i];
    }
    qsort(names, (size_t)kept, sizeof *names, by_name);
    return kept;
}

// Matches equal names, the k-th to the k-th. Returns the number of matches.
static int32_t match_names(named *a, int32_t a_count, named *b, int32_t b_count, int32_t *out) {
    int32_t matches = 0;
    a_count = sort_names(a, a_count);
    b_count = sort_names(b, b_count);
    for (int32_t i = 0, k = 0; i < a_count && k < b_count;) {
        const int order = strcmp(a[i].name, b[k].name);
        if (order == 0) {
            out[a[i].index] = b[k].index;
            matches++;
        }
        i += order <= 0;
        k += order >= 0;
    }
    return matches;
}

// Matches what may be matched by order, if both sides have the same number.
static void match_in_order(int32_t *out, const bool *a_free, int32_t a_count, const bool *b_free, int32_t b_count) {
    int32_t a_left = 0, b_left = 0;
    for (int32_t i = 0; i < a_count; i++) a_left += a_free[i];
    for (int32_t i = 0; i < b_count; i++) b_left += b_free[i];
    if (a_left != b_left) return;
    for (int32_t i = 0, k = 0; i < a_count; i++) {
        if (!a_free[i]) continue;
        while (!b_free[k]) k++;
        out[i] = k++;
    }
}

static named *take_names(sinewi_arena *arena, int32_t count) {
    return sinewi_arena_array(arena, named, (size_t)count);
}

bool compare_match_clips(sinewi_arena *arena, const ref_model *a, const ref_model *b, int32_t *out) {
    named *a_names = take_names(arena, a->animation_count), *b_names = take_names(arena, b->animation_count);
    bool *a_free = sinewi_arena_zeros(arena, bool, (size_t)a->animation_count);
    bool *b_free = sinewi_arena_zeros(arena, bool, (size_t)b->animation_count);
    if (!a_names || !b_names || !a_free || !b_free) return false;
    for (int32_t i = 0; i < a->animation_count; i++) {
        a_names[i] = (named){a->animations[i].name, i};
        out[i] = -1;
    }
    for (int32_t i = 0; i < b->animation_count; i++) {
        b_names[i] = (named){b->animations[i].name, i};
        b_free[i] = true;
    }
    match_names(a_names, a->animation_count, b_names, b->animation_count, out);
    for (int32_t i = 0; i < a->animation_count; i++) {
        a_free[i] = out[i] < 0;
        if (out[i] >= 0) b_free[out[i]] = false;
    }
    match_in_order(out, a_free, a->animation_count, b_free, b->animation_count);
    return true;
}

// Joints that names didn't match are matched by their order in skins of the same size.
static void match_joints(const ref_model *a, const ref_model *b, int32_t *out, bool *b_free) {
    for (int32_t s = 0; s < a->skin_count && s < b->skin_count; s++) {
        const ref_skin *from = &a->skins[s], *to = &b->skins[s];
        if (from->joint_count != to->joint_count) continue;
        for (int32_t i = 0; i < from->joint_count; i++) {
            if (out[from->joints[i]] >= 0 || !b_free[to->joints[i]]) continue;
            out[from->joints[i]] = to->joints[i];
            b_free[to->joints[i]] = false;
        }
    }
}

// Each node's children that aren't matched yet, in file order.
typedef struct siblings {
    int32_t *first; // [nodes + 2]; where each node's children start in `list`; roots come first
    int32_t *list;
} siblings;

static bool list_siblings(sinewi_arena *arena, const ref_model *model, const bool *is_free, siblings *out) {
    const size_t count = (size_t)model->node_count;
    out->first = sinewi_arena_zeros(arena, int32_t, count + 3);
    out->list = sinewi_arena_array(arena, int32_t, count);
    if (!out->first || !out->list) return false;
    for (size_t i = 0; i < count; i++) out->first[model->nodes[i].parent + 3] += is_free[i];
    for (size_t i = 2; i < count + 3; i++) out->first[i] += out->first[i - 1];
    for (size_t i = 0; i < count; i++) {
        if (is_free[i]) out->list[out->first[model->nodes[i].parent + 2]++] = (int32_t)i;
    }
    return true;
}

// Matches the children of two matched nodes in order, if both have equally many left.
static void match_children(const siblings *a, int32_t parent, const siblings *b, int32_t other, int32_t *out,
                           bool *b_free) {
    const int32_t first = a->first[parent + 1], start = b->first[other + 1];
    const int32_t count = a->first[parent + 2] - first;
    if (b->first[other + 2] - start != count) return;
    for (int32_t i = 0; i < count; i++) {
        out[a->list[first + i]] = b->list[start + i];
        b_free[b->list[start + i]] = false;
    }
}

// Matches what names didn't, from the roots down: by path and by order among siblings.
static bool match_by_path(sinewi_arena *arena, const ref_model *a, const ref_model *b, int32_t *out,
                          const bool *a_free, bool *b_free) {
    siblings from, to;
    if (!list_siblings(arena, a, a_free, &from) || !list_siblings(arena, b, b_free, &to)) return false;
    match_children(&from, -1, &to, -1, out, b_free);
    for (int32_t i = 0; i < a->node_count; i++) {
        const int32_t node = a->order[i];
        if (out[node] >= 0) match_children(&from, node, &to, out[node], out, b_free);
    }
    return true;
}

static void find_free(const ref_model *a, const int32_t *out, bool any, bool *a_free) {
    // A named node without a match is missing in the other file, unless no names match at all.
    for (int32_t i = 0; i < a->node_count; i++) a_free[i] = out[i] < 0 && !(any && a->nodes[i].name[0] != '\0');
}

bool compare_match_nodes(sinewi_arena *arena, const ref_model *a, const ref_model *b, int32_t *out) {
    named *a_names = take_names(arena, a->node_count), *b_names = take_names(arena, b->node_count);
    bool *a_free = sinewi_arena_zeros(arena, bool, (size_t)a->node_count);
    bool *b_free = sinewi_arena_zeros(arena, bool, (size_t)b->node_count);
    if (!a_names || !b_names || !a_free || !b_free) return false;
    for (int32_t i = 0; i < a->node_count; i++) {
        a_names[i] = (named){a->nodes[i].name, i};
        out[i] = -1;
    }
    for (int32_t i = 0; i < b->node_count; i++) {
        b_names[i] = (named){b->nodes[i].name, i};
        b_free[i] = true;
    }
    const bool any = match_names(a_names, a->node_count, b_names, b->node_count, out) > 0;
    for (int32_t i = 0; i < a->node_count; i++) {
        if (out[i] >= 0) b_free[out[i]] = false;
    }
    match_joints(a, b, out, b_free);
    find_free(a, out, any, a_free);
    for (int32_t i = 0; i < b->node_count; i++) b_free[i] = b_free[i] && !(any && b->nodes[i].name[0] != '\0');
    if (!match_by_path(arena, a, b, out, a_free, b_free)) return false;
    find_free(a, out, any, a_free);
    match_in_order(out, a_free, a->node_count, b_free, b->node_count);
    return true;
}
