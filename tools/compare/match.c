// SPDX-License-Identifier: MIT
// Matches nodes and clips of two files by name.
#include "compare/internal.h"

#include <stdlib.h>
#include <string.h>

// A name with its number in the file.
typedef struct named {
    const char *name;
    int32_t index;
} named;

static int by_name(const void *x, const void *y) {
    const named *a = (const named *)x, *b = (const named *)y;
    const int order = strcmp(a->name, b->name);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

// Sorts the names that are not empty; returns their number.
static int32_t sort_names(named *names, int32_t count) {
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        if (names[i].name[0] != '\0') names[kept++] = names[i];
    }
    qsort(names, (size_t)kept, sizeof *names, by_name);
    return kept;
}

// Matches equal names; the k-th of a name to the k-th. Returns the number of matches.
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

// Matches what may be matched by its order, if that is the same number on both sides.
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

static named *take_names(sinew_arena *arena, int32_t count) {
    return sinew_arena_array(arena, named, (size_t)count);
}

bool compare_match_clips(sinew_arena *arena, const ref_model *a, const ref_model *b, int32_t *out) {
    named *a_names = take_names(arena, a->animation_count), *b_names = take_names(arena, b->animation_count);
    bool *a_free = sinew_arena_zeros(arena, bool, (size_t)a->animation_count);
    bool *b_free = sinew_arena_zeros(arena, bool, (size_t)b->animation_count);
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

// Joints that names did not match are matched by their order in skins of the same size.
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

bool compare_match_nodes(sinew_arena *arena, const ref_model *a, const ref_model *b, int32_t *out) {
    named *a_names = take_names(arena, a->node_count), *b_names = take_names(arena, b->node_count);
    bool *a_free = sinew_arena_zeros(arena, bool, (size_t)a->node_count);
    bool *b_free = sinew_arena_zeros(arena, bool, (size_t)b->node_count);
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
    // A named node without a match is missing in the other file, unless no names match at all.
    for (int32_t i = 0; i < a->node_count; i++) a_free[i] = out[i] < 0 && !(any && a->nodes[i].name[0] != '\0');
    for (int32_t i = 0; i < b->node_count; i++) b_free[i] = b_free[i] && !(any && b->nodes[i].name[0] != '\0');
    match_in_order(out, a_free, a->node_count, b_free, b->node_count);
    return true;
}
