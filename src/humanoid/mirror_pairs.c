// SPDX-License-Identifier: MIT
// Finds counterparts of nodes and morph weights: by roles, by the hierarchy above roles, and by names.
#include "base/fail.h"
#include "core/skeleton_names.h"
#include "humanoid/mirror_data.h"
#include "humanoid/humanoid_name.h"

#include <string.h>

typedef struct mirror_pairs {
    const sinew_mirror_def *def;
    const sinew_skeleton *skeleton;
    sinew_error *error;
    int32_t *counterparts; // [node_count]; SINEW_NO_NODE if unknown
    int32_t *roles;        // [node_count], or SINEW_NO_ROLE
} mirror_pairs;

// ---- Roles ---------------------------------------------------------------------------------------------------

static sinew_result read_roles(mirror_pairs *p) {
    const sinew_humanoid *humanoid = p->def->humanoid;
    for (int32_t i = 0; i < p->skeleton->node_count; i++) p->roles[i] = SINEW_NO_ROLE;
    for (int32_t role = 0; humanoid && role < SINEW_HUMANOID_ROLE_COUNT; role++) {
        const int32_t node = humanoid->nodes[role];
        if (node == SINEW_NO_NODE) continue;
        if (node < 0 || node >= p->skeleton->node_count) {
            return sinewi_fail(p->error, SINEW_ERROR_ARGUMENT,
                               "humanoid: %s is node %d, but there are only %d nodes",
                               sinew_humanoid_role_name(role), node, p->skeleton->node_count);
        }
        if (p->roles[node] != SINEW_NO_ROLE) {
            return sinewi_fail(p->error, SINEW_ERROR_ARGUMENT, "humanoid: %s and %s are both '%s'",
                               sinew_humanoid_role_name(p->roles[node]), sinew_humanoid_role_name(role),
                               p->skeleton->names[node]);
        }
        p->roles[node] = role;
    }
    return SINEW_OK;
}

static void pair(mirror_pairs *p, int32_t a, int32_t b) {
    p->counterparts[a] = b;
    p->counterparts[b] = a;
}

static bool is_free(const mirror_pairs *p, int32_t node) {
    return node != SINEW_NO_NODE && p->counterparts[node] == SINEW_NO_NODE && p->roles[node] == SINEW_NO_ROLE;
}

// Pairs the nodes of a role and its mirror role, and the nodes above them without a role. So helpers don't need names.
static void pair_role(mirror_pairs *p, int32_t role) {
    const int32_t *nodes = p->def->humanoid->nodes;
    int32_t a = nodes[role], b = nodes[sinewi_humanoid_role_mirror(role)];
    if (a == SINEW_NO_NODE || b == SINEW_NO_NODE) return;
    pair(p, a, b);
    do {
        a = p->skeleton->parents[a];
        b = p->skeleton->parents[b];
        if (!is_free(p, a) || !is_free(p, b)) return;
        pair(p, a, b);
    } while (true);
}

// Starts with the middle roles, because the nodes above them are in the middle too.
static void pair_roles(mirror_pairs *p) {
    if (!p->def->humanoid) return;
    for (int side = 0; side < 2; side++) {
        for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) {
            const int32_t mirror = sinewi_humanoid_role_mirror(role);
            if (side == 0 ? mirror == role : role < mirror) pair_role(p, role);
        }
    }
}

// ---- Names ---------------------------------------------------------------------------------------------------

// Pairs nodes by unique names, and marks in `sided` those whose name has a side.
static bool pair_names(mirror_pairs *p, sinewi_arena *scratch, bool *sided) {
    const sinewi_name_prefix none = {"", 0};
    sinewi_node_names names;
    if (!sinewi_node_names_make(&names, p->skeleton, none, scratch)) return false;
    for (int32_t i = 0; i < p->skeleton->node_count; i++) {
        const char *name = p->skeleton->names[i], *mirrored = sinewi_mirror_name_in(scratch, name);
        if (!mirrored) return false;
        sided[i] = strcmp(name, mirrored) != 0;
        if (!sided[i] || !is_free(p, i) || sinewi_node_names_find_only(&names, name) != i) continue;
        const int32_t other = sinewi_node_names_find_only(&names, mirrored);
        if (is_free(p, other)) pair(p, i, other);
    }
    return true;
}

// ---- Hierarchy -----------------------------------------------------------------------------------------------

static const char *name_above(const mirror_pairs *p, int32_t node) {
    const int32_t parent = p->skeleton->parents[node];
    return parent == SINEW_NO_NODE ? "no node" : p->skeleton->names[parent];
}

// Keeps pairs whose parents are counterparts, and makes the middle's other nodes their own counterparts.
// Parents precede children.
static sinew_result check_parents(mirror_pairs *p, const bool *sided) {
    for (int32_t i = 0; i < p->skeleton->node_count; i++) {
        const int32_t parent = p->skeleton->parents[i], other = p->counterparts[i];
        const int32_t above = parent == SINEW_NO_NODE ? SINEW_NO_NODE : p->counterparts[parent];
        const bool is_kept = parent != SINEW_NO_NODE && above == SINEW_NO_NODE;
        if (other == SINEW_NO_NODE) {
            if (!sided[i] && !is_kept && above == parent) p->counterparts[i] = i;
            continue;
        }
        if (!is_kept && p->skeleton->parents[other] == above) continue;
        if (p->roles[i] != SINEW_NO_ROLE && other == i) {
            return sinewi_fail(p->error, SINEW_ERROR_UNSUPPORTED, "%s '%s' is below '%s', which is on one side",
                               sinew_humanoid_role_name(p->roles[i]), p->skeleton->names[i], name_above(p, i));
        }
        if (p->roles[i] != SINEW_NO_ROLE) {
            return sinewi_fail(p->error, SINEW_ERROR_UNSUPPORTED,
                               "%s '%s' is below '%s' and %s '%s' is below '%s', which aren't counterparts",
                               sinew_humanoid_role_name(p->roles[i]), p->skeleton->names[i], name_above(p, i),
                               sinew_humanoid_role_name(p->roles[other]), p->skeleton->names[other],
                               name_above(p, other));
        }
        p->counterparts[i] = p->counterparts[other] = SINEW_NO_NODE;
    }
    return SINEW_OK;
}

sinew_result sinewi_mirror_find_counterparts(const sinew_mirror_def *def, sinewi_arena *scratch,
                                             int32_t *counterparts, sinew_error *error) {
    const size_t count = (size_t)def->skeleton->node_count;
    int32_t *roles = sinewi_arena_array(scratch, int32_t, count);
    bool *sided = sinewi_arena_zeros(scratch, bool, count);
    if (!roles || !sided) return sinewi_fail_memory(error);
    mirror_pairs p = {def, def->skeleton, error, counterparts, roles};
    for (size_t i = 0; i < count; i++) counterparts[i] = SINEW_NO_NODE;
    const sinew_result result = read_roles(&p);
    if (result != SINEW_OK) return result;
    pair_roles(&p);
    if (!pair_names(&p, scratch, sided)) return sinewi_fail_memory(error);
    return check_parents(&p, sided);
}

// ---- Morph weights -------------------------------------------------------------------------------------------

// A node's range of morph weights.
typedef struct weight_range {
    int32_t first, end;
} weight_range;

static weight_range weights_of(const sinew_skeleton *skeleton, int32_t node) {
    return (weight_range){skeleton->weight_offsets[node], skeleton->weight_offsets[node + 1]};
}

// Swaps a node's weights with the counterpart's weights that have mirrored names.
static bool pair_named_weights(const sinew_mirror_def *def, weight_range own, weight_range others,
                               sinewi_arena *scratch, int32_t *weights) {
    for (int32_t i = own.first; i < own.end; i++) {
        const char *name = def->weight_names[i], *mirrored = name ? sinewi_mirror_name_in(scratch, name) : "";
        if (!mirrored) return false;
        if (!name || weights[i] >= 0) continue;
        for (int32_t k = others.first; k < others.end; k++) {
            if (weights[k] >= 0 || !def->weight_names[k] || strcmp(def->weight_names[k], mirrored) != 0) continue;
            weights[i] = k;
            weights[k] = i;
            break;
        }
    }
    return true;
}

// Swaps the remaining weights in order. Both ranges have the same number left.
static void pair_other_weights(weight_range own, weight_range others, int32_t *weights) {
    int32_t k = others.first;
    for (int32_t i = own.first; i < own.end; i++) {
        if (weights[i] >= 0) continue;
        while (weights[k] >= 0) k++;
        weights[i] = k;
        weights[k] = i;
    }
}

// Swaps curves whose names mirror each other. The others keep their values.
static bool pair_curves(const sinew_skeleton *skeleton, sinewi_arena *scratch, int32_t *weights) {
    const int32_t first = skeleton->weight_count;
    for (int32_t i = 0; i < skeleton->curve_count; i++) weights[first + i] = first + i;
    for (int32_t i = 0; i < skeleton->curve_count; i++) {
        const char *mirrored = sinewi_mirror_name_in(scratch, skeleton->curve_names[i]);
        if (!mirrored) return false;
        const int32_t other = sinew_skeleton_find_curve(skeleton, mirrored);
        if (other == SINEW_NO_CURVE || weights[first + other] != first + other) continue;
        weights[first + i] = first + other;
        weights[first + other] = first + i;
    }
    return true;
}

bool sinewi_mirror_find_weights(const sinew_mirror_def *def, const int32_t *counterparts, sinewi_arena *scratch,
                                int32_t *weights) {
    const sinew_skeleton *skeleton = def->skeleton;
    for (int32_t i = 0; i < skeleton->weight_count; i++) weights[i] = -1;
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        weight_range own = weights_of(skeleton, i), others = own;
        if (own.first == own.end || weights[own.first] >= 0) continue;
        const int32_t other = counterparts[i];
        if (other != SINEW_NO_NODE) others = weights_of(skeleton, other);
        if (others.end - others.first != own.end - own.first) others = own;
        const bool is_kept = other == SINEW_NO_NODE || (other != i && others.first == own.first);
        if (!is_kept && def->weight_names && !pair_named_weights(def, own, others, scratch, weights)) return false;
        pair_other_weights(own, others, weights);
    }
    return pair_curves(skeleton, scratch, weights);
}
