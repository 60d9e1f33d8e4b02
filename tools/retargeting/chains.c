// SPDX-License-Identifier: MIT
// Finds an animal's chains. The rest pose is nearly symmetric: nodes in the middle are the trunk, head and tail, and
// whatever branches off to the sides is a limb. Limbs that go down to the ground are legs.
#include "retargeting/chains.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 1024, MOST_CHAINS = 64, MOST_LEGS = 32 };

// A limb: the path from its first node, whose parent is in the middle, to its farthest tip.
typedef struct limb {
    int32_t root, tip;
    bool is_leg;
} limb;

typedef struct finder {
    const sinew_skeleton *skeleton;
    const float *position[3]; // of the nodes: to the side, up, and forward or backward
    float *positions;         // [3 * node_count]
    float *reach;             // [node_count]; length of the longest path down from a node
    int32_t *farthest;        // [node_count]; the child on that path, or SINEW_NO_NODE
    float middle, size;       // of all nodes: the plane of symmetry, and the largest extent
    float lowest, height;
    limb legs[MOST_LEGS];
    int32_t leg_count;
    int32_t hips, head, tail;
    float ahead; // 1 or -1; the head's direction along position[2]
    retargeting_chains *out;
    int32_t node_count; // in all chains
    bool *is_taken;     // [node_count of the skeleton]; it's in a chain
} finder;

// ---- Positions -----------------------------------------------------------------------------------------------------

static bool is_below(const sinew_skeleton *skeleton, int32_t node, int32_t above) {
    return node > above && node < skeleton->subtree_ends[above];
}

static bool is_at_or_below(const sinew_skeleton *skeleton, int32_t node, int32_t above) {
    return node >= above && node < skeleton->subtree_ends[above];
}

static bool read_positions(finder *f) {
    const int32_t count = f->skeleton->node_count;
    sinew_pose *pose = NULL;
    sinew_affine *model = malloc((size_t)count * sizeof *model);
    const bool is_made = model && sinew_pose_create(f->skeleton, NULL, &pose) == SINEW_OK;
    if (is_made) sinew_pose_to_model(pose, model);
    for (int32_t i = 0; is_made && i < count; i++)
        for (int axis = 0; axis < 3; axis++) f->positions[axis * count + i] = model[i].m[axis][3];
    sinew_pose_destroy(pose);
    free(model);
    return is_made;
}

static float mean_of(const float *numbers, int32_t count) {
    double sum = 0;
    for (int32_t i = 0; i < count; i++) sum += (double)numbers[i];
    return (float)(sum / count);
}

static float extent_of(const float *numbers, int32_t count, float *lowest) {
    float highest = numbers[0];
    *lowest = numbers[0];
    for (int32_t i = 1; i < count; i++) {
        if (numbers[i] < *lowest) *lowest = numbers[i];
        if (numbers[i] > highest) highest = numbers[i];
    }
    return highest - *lowest;
}

// Returns how far the nodes are from being their own mirror image: the total distance between each node's image and the
// nearest node.
static double asymmetry_of(const float *side, const float *up, const float *ahead, int32_t count) {
    const float middle = mean_of(side, count);
    double sum = 0;
    for (int32_t i = 0; i < count; i++) {
        float least = INFINITY;
        for (int32_t j = 0; j < count; j++) {
            const float a = 2 * middle - side[i] - side[j], b = up[i] - up[j], c = ahead[i] - ahead[j];
            const float squared = a * a + b * b + c * c;
            if (squared < least) least = squared;
        }
        sum += sqrt((double)least);
    }
    return sum;
}

// Chooses the sideways axis and measures the whole skeleton.
static void choose_axes(finder *f, sinew_up up) {
    const int32_t count = f->skeleton->node_count;
    const float *x = f->positions, *y = x + count, *z = y + count;
    const float *vertical = up == SINEW_UP_Z ? z : y, *other = up == SINEW_UP_Z ? y : z;
    const bool is_turned = asymmetry_of(other, vertical, x, count) < asymmetry_of(x, vertical, other, count);
    f->position[0] = is_turned ? other : x;
    f->position[1] = vertical;
    f->position[2] = is_turned ? x : other;
    f->middle = mean_of(f->position[0], count);
    for (int axis = 0; axis < 3; axis++) {
        float lowest;
        const float extent = extent_of(f->position[axis], count, &lowest);
        if (extent > f->size) f->size = extent;
        if (axis == 1) f->lowest = lowest, f->height = extent;
    }
}

// ---- Paths ---------------------------------------------------------------------------------------------------------

static float distance(const finder *f, int32_t a, int32_t b) {
    const float x = f->position[0][a] - f->position[0][b], y = f->position[1][a] - f->position[1][b],
                z = f->position[2][a] - f->position[2][b];
    return sqrtf(x * x + y * y + z * z);
}

// Finds the longest path down from each node, starting at the last one.
static void find_paths(finder *f) {
    const sinew_skeleton *skeleton = f->skeleton;
    for (int32_t i = 0; i < skeleton->node_count; i++) f->farthest[i] = SINEW_NO_NODE;
    for (int32_t i = skeleton->node_count - 1; i >= 0; i--) {
        const int32_t parent = skeleton->parents[i];
        if (parent == SINEW_NO_NODE) continue;
        const float reach = f->reach[i] + distance(f, i, parent);
        if (f->farthest[parent] != SINEW_NO_NODE && reach <= f->reach[parent]) continue;
        f->reach[parent] = reach;
        f->farthest[parent] = i;
    }
}

static bool is_middle(const finder *f, int32_t node) {
    return fabsf(f->position[0][node] - f->middle) <= 0.01f * f->size;
}

// Returns whether a limb starts at a node.
static bool is_limb_root(const finder *f, int32_t node) {
    const int32_t parent = f->skeleton->parents[node];
    return parent != SINEW_NO_NODE && is_middle(f, parent) && !is_middle(f, node);
}

static limb limb_at(const finder *f, int32_t root) {
    limb l = {root, root, false};
    int joints = 1;
    while (f->farthest[l.tip] != SINEW_NO_NODE) l.tip = f->farthest[l.tip], joints++;
    const float start = f->position[1][root] - f->lowest, end = f->position[1][l.tip] - f->lowest;
    l.is_leg = joints >= 3 && start > 0.25f * f->height && end < 0.25f * start;
    return l;
}

static bool is_left(const finder *f, const limb *l) {
    return f->position[0][l->root] > f->middle;
}

// ---- The trunk -----------------------------------------------------------------------------------------------------

// Finds the lowest node above all legs.
static bool find_hips(finder *f) {
    const int32_t *parents = f->skeleton->parents;
    int32_t left = 0;
    for (int32_t i = 0; i < f->skeleton->node_count && f->leg_count < MOST_LEGS; i++) {
        if (!is_limb_root(f, i)) continue;
        const limb l = limb_at(f, i);
        if (l.is_leg) f->legs[f->leg_count++] = l;
    }
    if (f->leg_count < 2) return false;
    f->hips = parents[f->legs[0].root];
    for (int32_t i = 0; i < f->leg_count; i++) {
        left += is_left(f, &f->legs[i]);
        while (f->hips != SINEW_NO_NODE && !is_below(f->skeleton, f->legs[i].root, f->hips))
            f->hips = parents[f->hips];
    }
    return f->hips != SINEW_NO_NODE && 2 * left == f->leg_count;
}

static bool has_word(const char *name, const char *word) {
    const size_t length = strlen(word);
    for (; *name; name++) {
        size_t i = 0;
        while (i < length && tolower((unsigned char)name[i]) == word[i]) i++;
        if (i == length) return true;
    }
    return false;
}

// Returns the first node in the middle below the hips whose name contains a word, or SINEW_NO_NODE.
static int32_t middle_node_named(const finder *f, const char *word) {
    for (int32_t i = f->hips + 1; i < f->skeleton->subtree_ends[f->hips]; i++)
        if (is_middle(f, i) && has_word(f->skeleton->names[i], word)) return i;
    return SINEW_NO_NODE;
}

// Returns the highest node in the middle below the hips. Used if no name tells where the head is.
static int32_t highest_node(const finder *f) {
    int32_t highest = SINEW_NO_NODE;
    for (int32_t i = f->hips + 1; i < f->skeleton->subtree_ends[f->hips]; i++)
        if (is_middle(f, i) && (highest == SINEW_NO_NODE || f->position[1][i] > f->position[1][highest]))
            highest = i;
    return highest;
}

// Returns where the tail starts: a child of the hips in the middle that doesn't lead to the head or a leg, and reaches
// far back.
static int32_t find_tail(const finder *f) {
    const int32_t named = middle_node_named(f, "tail");
    int32_t tail = SINEW_NO_NODE;
    if (named != SINEW_NO_NODE) return named;
    for (int32_t i = f->hips + 1; i < f->skeleton->subtree_ends[f->hips]; i++) {
        bool is_trunk = !is_middle(f, i) || is_at_or_below(f->skeleton, f->head, i);
        for (int32_t k = 0; k < f->leg_count; k++) is_trunk |= is_below(f->skeleton, f->legs[k].root, i);
        if (is_trunk || f->skeleton->parents[i] != f->hips || f->reach[i] == 0.0f) continue;
        if (tail == SINEW_NO_NODE || f->reach[i] > f->reach[tail]) tail = i;
    }
    return tail;
}

static bool find_trunk(finder *f) {
    if (!find_hips(f)) return false;
    f->head = middle_node_named(f, "head");
    if (f->head == SINEW_NO_NODE) f->head = highest_node(f);
    if (f->head == SINEW_NO_NODE) return false;
    f->tail = find_tail(f);
    f->ahead = f->position[2][f->head] >= f->position[2][f->hips] ? 1.0f : -1.0f;
    return true;
}

// ---- Chains --------------------------------------------------------------------------------------------------------

static bool is_named(const retargeting_chains *chains, const char *name) {
    for (int32_t i = 0; i < chains->list.count; i++)
        if (strcmp(chains->names[i], name) == 0) return true;
    return false;
}

// Adds the path from a node (inclusive) to a tip at or below it.
static void add_chain(finder *f, const char *name, int32_t first, int32_t tip) {
    retargeting_chains *out = f->out;
    if (out->list.count == MOST_CHAINS || is_named(out, name)) return;
    int32_t count = 1;
    bool is_free = !f->is_taken[first];
    for (int32_t node = tip; node != first; node = f->skeleton->parents[node])
        count++, is_free &= !f->is_taken[node];
    if (!is_free) return;
    const int32_t chain = out->list.count++;
    int32_t *nodes = &out->nodes[f->node_count], i = count;
    for (int32_t node = tip; i > 0; node = f->skeleton->parents[node]) f->is_taken[nodes[--i] = node] = true;
    f->node_count += count;
    snprintf(out->names[chain], sizeof out->names[chain], "%s", name);
    out->chains[chain] = (sinew_humanoid_chain){out->names[chain], nodes, count};
}

// Returns a node's child on the path to another node below it.
static int32_t child_towards(const finder *f, int32_t above, int32_t node) {
    while (f->skeleton->parents[node] != above) node = f->skeleton->parents[node];
    return node;
}

// Returns the last node on the path from the hips to the head where legs start.
static int32_t chest_of(const finder *f) {
    int32_t chest = f->hips;
    for (int32_t i = 0; i < f->leg_count; i++) {
        const int32_t above = f->skeleton->parents[f->legs[i].root];
        if (above > chest && is_at_or_below(f->skeleton, f->head, above)) chest = above;
    }
    return chest;
}

static void add_trunk(finder *f) {
    const int32_t chest = chest_of(f);
    add_chain(f, "hips", f->hips, f->hips);
    if (chest != f->hips) add_chain(f, "spine", child_towards(f, f->hips, chest), chest);
    if (f->head != chest) add_chain(f, "neck", child_towards(f, chest, f->head), f->head);
    if (f->tail == SINEW_NO_NODE) return;
    int32_t tip = f->tail;
    while (f->farthest[tip] != SINEW_NO_NODE) tip = f->farthest[tip];
    add_chain(f, "tail", f->tail, tip);
}

// Returns how many legs on the same side start further forward than a leg.
static int rank_of(const finder *f, const limb *leg) {
    int rank = 0;
    for (int32_t i = 0; i < f->leg_count; i++) {
        const float further = f->ahead * (f->position[2][f->legs[i].root] - f->position[2][leg->root]);
        rank += is_left(f, &f->legs[i]) == is_left(f, leg) && further > 0.0f;
    }
    return rank;
}

// Returns the side. Left is up × ahead. Axes are X, Y and Z in turn; `position` may have two or three of them
// exchanged.
static const char *side_of(const finder *f, const limb *l, bool is_mirrored) {
    return (is_left(f, l) == (f->ahead > 0.0f)) != is_mirrored ? "left" : "right";
}

// Adds the legs: "frontLeftLeg" if there are four, "leftLeg" if there are two, otherwise "leftLeg2".
static void add_legs(finder *f, bool is_mirrored) {
    for (int32_t i = 0; i < f->leg_count; i++) {
        char name[32], side[8];
        const limb *leg = &f->legs[i];
        const int rank = rank_of(f, leg), each = f->leg_count / 2;
        snprintf(side, sizeof side, "%s", side_of(f, leg, is_mirrored));
        if (each == 2) side[0] = (char)toupper((unsigned char)side[0]);
        if (each == 1) snprintf(name, sizeof name, "%sLeg", side);
        if (each == 2) snprintf(name, sizeof name, "%s%sLeg", rank == 0 ? "front" : "back", side);
        if (each > 2) snprintf(name, sizeof name, "%sLeg%d", side, rank + 1);
        add_chain(f, name, leg->root, leg->tip);
    }
}

// Returns a name's letters without its side, such as "Ear" from "Ear1.L" or "b_LeftEar_04".
static void base_of(const char *name, char base[16]) {
    static const char *const dropped[] = {"left", "right", "l", "r", "b", "def", "bip", "jnt", "bone"};
    char word[16];
    int length = 0, count = 0;
    for (;; name++) {
        const bool is_letter = isalpha((unsigned char)*name) != 0;
        const bool is_new = isupper((unsigned char)*name) && count > 0 && islower((unsigned char)word[count - 1]);
        if ((!is_letter || is_new) && count > 0) {
            bool is_dropped = false;
            word[count] = '\0';
            for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
                is_dropped |= strlen(dropped[i]) == (size_t)count && has_word(word, dropped[i]);
            for (int i = 0; i < count && !is_dropped && length < 15; i++)
                base[length++] = (char)(i == 0 ? toupper((unsigned char)word[i]) : tolower((unsigned char)word[i]));
            count = 0;
        }
        if (!*name) break;
        if (is_letter && count < 15) word[count++] = *name;
    }
    base[length] = '\0';
}

// Adds other limbs below the hips with at least two joints: ears, wings, arms.
static void add_limbs(finder *f, bool is_mirrored) {
    for (int32_t i = f->hips + 1; i < f->skeleton->subtree_ends[f->hips]; i++) {
        char name[32], base[16];
        if (!is_limb_root(f, i)) continue;
        const limb l = limb_at(f, i);
        base_of(f->skeleton->names[i], base);
        if (l.is_leg || l.tip == l.root || base[0] == '\0') continue;
        snprintf(name, sizeof name, "%s%s", side_of(f, &l, is_mirrored), base);
        add_chain(f, name, l.root, l.tip);
    }
}

// ---- Finding -------------------------------------------------------------------------------------------------------

static bool allocate(finder *f) {
    const size_t count = (size_t)f->skeleton->node_count;
    retargeting_chains *out = f->out;
    f->positions = calloc(3 * count, sizeof *f->positions);
    f->reach = calloc(count, sizeof *f->reach);
    f->farthest = malloc(count * sizeof *f->farthest);
    f->is_taken = calloc(count, sizeof *f->is_taken);
    out->chains = calloc(MOST_CHAINS, sizeof *out->chains);
    out->names = calloc(MOST_CHAINS, sizeof *out->names);
    out->nodes = malloc(count * sizeof *out->nodes);
    return f->positions && f->reach && f->farthest && f->is_taken && out->chains && out->names && out->nodes;
}

// Returns whether side, up and ahead form a left-handed system.
static bool is_left_handed(const finder *f, sinew_up up) {
    const bool is_turned = f->position[0] != f->positions;
    return is_turned != (up == SINEW_UP_Z);
}

static bool find(finder *f, sinew_up up) {
    if (!allocate(f) || !read_positions(f)) return false;
    choose_axes(f, up);
    find_paths(f);
    if (!find_trunk(f)) return true;
    const bool is_mirrored = is_left_handed(f, up);
    add_trunk(f);
    add_legs(f, is_mirrored);
    add_limbs(f, is_mirrored);
    f->out->leg_count = f->leg_count;
    return true;
}

bool retargeting_guess_chains(retargeting_chains *chains, const sinew_asset *asset) {
    finder f = {.skeleton = asset->skeleton, .out = chains};
    memset(chains, 0, sizeof *chains);
    if (f.skeleton->node_count > MOST_NODES || f.skeleton->node_count == 0) return true;
    const bool is_found = find(&f, asset->up);
    chains->list.chains = chains->chains;
    free(f.positions);
    free(f.reach);
    free(f.farthest);
    free(f.is_taken);
    return is_found;
}

void retargeting_free_chains(retargeting_chains *chains) {
    free(chains->chains);
    free(chains->names);
    free(chains->nodes);
    memset(chains, 0, sizeof *chains);
}
