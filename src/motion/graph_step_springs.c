// SPDX-License-Identifier: MIT
// Checks and copies the springs of a rig's step.
#include "motion/graph_step.h"

#include <string.h>

// ---- Checking ------------------------------------------------------------------------------------------------

#define FAULT(...) sinewi_graph_fault(problem, SINEWI_GRAPH_PART_STEP, index, __VA_ARGS__)

static bool is_empty(const char *text) {
    return text && text[0] == '\0';
}

static bool check_chain(const sinew_rig_springs *springs, int32_t i, int32_t index, sinewi_graph_problem *problem) {
    const sinew_rig_spring *chain = &springs->chains[i];
    if (!chain->root || is_empty(chain->root)) return FAULT("chain %d has no root", (int)i);
    if (is_empty(chain->tip)) return FAULT("the tip of chain %d has no name", (int)i);
    if (is_empty(chain->center)) return FAULT("the center of chain %d has no name", (int)i);
    if (chain->collider_count < 0 || (chain->collider_count > 0 && !chain->colliders))
        return FAULT("%d colliders of chain %d%s", (int)chain->collider_count, (int)i,
                     chain->colliders ? "" : ", but the array is NULL");
    for (int32_t k = 0; k < chain->collider_count; k++) {
        const int32_t collider = chain->colliders[k];
        if (collider < 0 || collider >= springs->collider_count)
            return FAULT("chain %d has the collider %d, but the step has %d", (int)i, (int)collider,
                         (int)springs->collider_count);
    }
    return true;
}

bool sinewi_graph_check_springs(const sinew_rig_springs *springs, int32_t index, sinewi_graph_problem *problem) {
    if (springs->chain_count < 0 || (springs->chain_count > 0 && !springs->chains))
        return FAULT("%d chains%s", (int)springs->chain_count, springs->chains ? "" : ", but the array is NULL");
    if (springs->collider_count < 0 || (springs->collider_count > 0 && !springs->colliders))
        return FAULT("%d colliders%s", (int)springs->collider_count,
                     springs->colliders ? "" : ", but the array is NULL");
    for (int32_t i = 0; i < springs->collider_count; i++) {
        if (is_empty(springs->colliders[i].node)) return FAULT("the node of collider %d has no name", (int)i);
    }
    for (int32_t i = 0; i < springs->chain_count; i++) {
        if (!check_chain(springs, i, index, problem)) return false;
    }
    return true;
}

// ---- Copying -------------------------------------------------------------------------------------------------

static const char *copy_text(sinewi_layout *layout, const char *text) {
    return text ? sinewi_layout_string(layout, text) : NULL;
}

static const int32_t *copy_indices(sinewi_layout *layout, const int32_t *indices, int32_t count) {
    int32_t *copy = sinewi_layout_array(layout, int32_t, (size_t)count, alignof(int32_t));
    if (copy && count > 0) memcpy(copy, indices, (size_t)count * sizeof *copy);
    return copy;
}

static const sinew_rig_spring *copy_chains(sinewi_layout *layout, const sinew_rig_springs *springs) {
    const size_t count = (size_t)springs->chain_count;
    sinew_rig_spring *copy = sinewi_layout_array(layout, sinew_rig_spring, count, alignof(sinew_rig_spring));
    for (size_t i = 0; i < count; i++) {
        sinew_rig_spring chain = springs->chains[i];
        chain.root = copy_text(layout, chain.root);
        chain.tip = copy_text(layout, chain.tip);
        chain.center = copy_text(layout, chain.center);
        chain.colliders = copy_indices(layout, chain.colliders, chain.collider_count);
        if (copy) copy[i] = chain;
    }
    return copy;
}

sinew_rig_springs sinewi_graph_copy_springs(sinewi_layout *layout, const sinew_rig_springs *springs) {
    const size_t count = (size_t)springs->collider_count;
    sinew_rig_collider *colliders =
        sinewi_layout_array(layout, sinew_rig_collider, count, alignof(sinew_rig_collider));
    for (size_t i = 0; i < count; i++) {
        const char *node = copy_text(layout, springs->colliders[i].node);
        if (colliders) colliders[i] = (sinew_rig_collider){node, springs->colliders[i].settings};
    }
    return (sinew_rig_springs){springs->chain_count, copy_chains(layout, springs), springs->collider_count,
                               colliders};
}
