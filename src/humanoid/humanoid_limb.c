// SPDX-License-Identifier: MIT
// Finds the chains of nodes that name the parts of a limb.
//
// A mask has a bit for each part of the limb that a node or one of its ancestors names. Masks are inherited, so one
// pass in depth-first order computes them all. A limb's chain ends at the node with the heaviest mask. All its parts
// lie on one line then, wherever else such names occur (meshes, controls, other characters).
#include "humanoid/humanoid_limb.h"

#include <string.h>

// ---- Masks ---------------------------------------------------------------------------------------------------

// A part's first bit in its limb, how often the part may occur, and the weight of a bit. A name that means the same
// node in all conventions weighs more.
typedef struct part_bit {
    uint8_t part, bit, count, weight;
} part_bit;

static const part_bit leg_bits[] = {
    {SINEWI_PART_HIP_JOINT, 0, 1, 1}, {SINEWI_PART_UPPER_LEG, 1, 1, 3}, {SINEWI_PART_LEG, 2, 2, 2},
    {SINEWI_PART_LOWER_LEG, 4, 1, 3}, {SINEWI_PART_ANKLE, 5, 1, 3},     {SINEWI_PART_FOOT, 6, 1, 3},
    {SINEWI_PART_TOES, 7, 1, 1},
};
static const part_bit arm_bits[] = {
    {SINEWI_PART_COLLAR, 0, 1, 1}, {SINEWI_PART_SHOULDER, 1, 2, 2},  {SINEWI_PART_UPPER_ARM, 3, 1, 3},
    {SINEWI_PART_ARM, 4, 2, 2},    {SINEWI_PART_LOWER_ARM, 6, 1, 3}, {SINEWI_PART_ELBOW, 6, 1, 3},
    {SINEWI_PART_HAND, 7, 1, 3},   {SINEWI_PART_WRIST, 8, 1, 2},
};
static const part_bit trunk_bits[] = {
    {SINEWI_PART_HIPS, 0, 1, 1},
    {SINEWI_PART_SPINE, 1, 1, 1},
    {SINEWI_PART_NECK, 2, 1, 1},
    {SINEWI_PART_HEAD, 3, 1, 3},
};

typedef struct part_bits {
    const part_bit *bits;
    size_t count;
} part_bits;

static part_bits bits_of(sinewi_limb limb) {
    part_bits legs = {leg_bits, sizeof leg_bits / sizeof *leg_bits};
    part_bits arms = {arm_bits, sizeof arm_bits / sizeof *arm_bits};
    part_bits trunk = {trunk_bits, sizeof trunk_bits / sizeof *trunk_bits};
    if (limb == SINEWI_LIMB_TRUNK) return trunk;
    return limb <= SINEWI_LIMB_RIGHT_LEG ? legs : arms;
}

static sinewi_body_side side_of(sinewi_limb limb) {
    if (limb == SINEWI_LIMB_TRUNK) return SINEWI_SIDE_NONE;
    return limb == SINEWI_LIMB_LEFT_LEG || limb == SINEWI_LIMB_LEFT_ARM ? SINEWI_SIDE_LEFT : SINEWI_SIDE_RIGHT;
}

static const part_bit *bit_of(sinewi_limb limb, sinewi_node_name name) {
    if (name.part == SINEWI_PART_NONE || name.side != side_of(limb)) return NULL;
    const part_bits bits = bits_of(limb);
    for (size_t i = 0; i < bits.count; i++)
        if (bits.bits[i].part == name.part) return &bits.bits[i];
    return NULL;
}

// Adds the part's first free bit.
static uint16_t add_part(uint16_t mask, const part_bit *part) {
    for (int32_t i = 0; i < part->count; i++) {
        const uint16_t bit = (uint16_t)(1u << (part->bit + i));
        if (!(mask & bit)) return (uint16_t)(mask | bit);
    }
    return mask;
}

static int32_t weight_of(sinewi_limb limb, uint16_t mask) {
    const part_bits bits = bits_of(limb);
    uint32_t left = mask; // bits that aren't counted yet, because two parts may share one
    int32_t weight = 0;
    for (size_t i = 0; i < bits.count; i++) {
        for (int32_t k = 0; k < bits.bits[i].count; k++) {
            const uint32_t bit = 1u << (bits.bits[i].bit + k);
            if (left & bit) weight += bits.bits[i].weight;
            left &= ~bit;
        }
    }
    return weight;
}

bool sinewi_limb_search_begin(sinewi_limb_search *search, const sinew_skeleton *skeleton, sinewi_arena *scratch) {
    const size_t count = (size_t)skeleton->node_count;
    sinewi_node_name *names = sinewi_arena_array(scratch, sinewi_node_name, count);
    search->skeleton = skeleton;
    search->names = names;
    if (!names) return false;
    for (int32_t limb = 0; limb < SINEWI_LIMB_COUNT; limb++) {
        search->masks[limb] = sinewi_arena_array(scratch, uint16_t, count);
        if (!search->masks[limb]) return false;
    }
    for (int32_t node = 0; node < skeleton->node_count; node++) {
        const int32_t parent = skeleton->parents[node];
        names[node] = sinewi_humanoid_name_read(skeleton->names[node]);
        for (int32_t limb = 0; limb < SINEWI_LIMB_COUNT; limb++) {
            const part_bit *part = bit_of((sinewi_limb)limb, names[node]);
            const uint16_t mask = parent == SINEW_NO_NODE ? 0 : search->masks[limb][parent];
            search->masks[limb][node] = part ? add_part(mask, part) : mask;
        }
    }
    return true;
}

// ---- Chains --------------------------------------------------------------------------------------------------

int32_t sinewi_limb_common_ancestor(const sinew_skeleton *skeleton, int32_t a, int32_t b) {
    if (b == SINEW_NO_NODE) return SINEW_NO_NODE;
    while (a != SINEW_NO_NODE && !sinewi_humanoid_is_below(skeleton, b, a)) a = skeleton->parents[a];
    return a;
}

// The largest number of chains to compare. A file with more of them has as many characters.
#define MAX_CANDIDATES 64

typedef struct candidates {
    int32_t weight;
    int32_t count;
    int32_t ends[MAX_CANDIDATES];
} candidates;

static void find_candidates(const sinewi_limb_search *search, sinewi_limb limb, candidates *found) {
    const uint16_t *masks = search->masks[limb];
    found->weight = 0;
    found->count = 0;
    for (int32_t node = 0; node < search->skeleton->node_count; node++) {
        const int32_t parent = search->skeleton->parents[node];
        const uint16_t inherited = parent == SINEW_NO_NODE ? 0 : masks[parent];
        if (masks[node] == inherited) continue;
        const int32_t weight = weight_of(limb, masks[node]);
        if (weight < found->weight) continue;
        if (weight > found->weight) found->count = 0;
        found->weight = weight;
        if (found->count < MAX_CANDIDATES) found->ends[found->count++] = node;
    }
}

// The limb's named nodes from the top to `end`. Keeps the last SINEWI_MAX_CHAIN.
static void collect(const sinewi_limb_search *search, sinewi_limb limb, sinewi_limb_chain *chain) {
    int32_t nodes[SINEWI_MAX_CHAIN], count = 0;
    for (int32_t node = chain->end; node != SINEW_NO_NODE && count < SINEWI_MAX_CHAIN;
         node = search->skeleton->parents[node])
        if (bit_of(limb, search->names[node])) nodes[count++] = node;
    chain->count = count;
    for (int32_t i = 0; i < count; i++) chain->nodes[i] = nodes[count - 1 - i];
}

void sinewi_limb_find(const sinewi_limb_search *search, sinewi_limb limb, int32_t anchor,
                      sinewi_limb_chain *chain) {
    candidates found;
    int32_t deepest = SINEW_NO_NODE - 1;
    find_candidates(search, limb, &found);
    memset(chain, 0, sizeof *chain);
    chain->end = chain->other = SINEW_NO_NODE;
    for (int32_t i = 0; i < found.count; i++) {
        // Deeper ancestors of `anchor` have greater indices.
        const int32_t common = sinewi_limb_common_ancestor(search->skeleton, found.ends[i], anchor);
        if (common > deepest) {
            deepest = common;
            chain->end = found.ends[i];
            chain->other = SINEW_NO_NODE;
        } else if (common == deepest && chain->other == SINEW_NO_NODE) {
            chain->other = found.ends[i];
        }
    }
    collect(search, limb, chain);
}
