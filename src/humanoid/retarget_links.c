// SPDX-License-Identifier: MIT
// Finds the drivers of a target's nodes: from the user's chains, roles, position above the hips, names, and fingers
// that the source lacks. Earlier ones take precedence.
#include "base/fail.h"
#include "core/skeleton_names.h"
#include "humanoid/retarget_data.h"

// A list of nodes from the root to the tip.
typedef struct rt_chain {
    const int32_t *nodes;
    int32_t count;
} rt_chain;

static bool is_driven(const rt_builder *b, int32_t target) {
    return b->links[target].source != RT_NONE;
}

static rt_link *drive(rt_builder *b, int32_t target, int32_t source) {
    rt_link *link = &b->links[target];
    link->source = source;
    return link;
}

// ---- Chains --------------------------------------------------------------------------------------------------

// In a source chain of m joints, the source of joint j of n (from 1) is at x = j m / n: joint x, or between two joints.
// Joint 0 is the node above the chain.
static void drive_joint(rt_builder *b, rt_chain source, int32_t target, int32_t j, int32_t n, int32_t role) {
    int64_t product = (int64_t)j * source.count;
    int32_t below = (int32_t)(product / n), above_chain = b->def->source->parents[source.nodes[0]];
    double part = (double)(product % n) / (double)n;
    int32_t first = below > 0 ? source.nodes[below - 1] : above_chain;
    if (first == SINEW_NO_NODE) first = source.nodes[0], part = 0.0;
    rt_link *link = drive(b, target, first);
    link->role = role;
    if (part > 0.0) link->second = source.nodes[below], link->part = part;
}

// If both chains have the same number of joints, each bone aligns with its counterpart. Otherwise it aligns with the
// whole chain. The last joint keeps the previous one's alignment.
static void align_chain(rt_builder *b, rt_chain source, rt_chain target, int32_t j) {
    rt_link *link = &b->links[target.nodes[j]];
    bool equal = source.count == target.count;
    if (source.count < 2 || j + 1 == target.count) return;
    link->alignment = RT_ALIGN_BONE;
    link->along = (rt_direction){source.nodes[equal ? j : 0], source.nodes[equal ? j + 1 : source.count - 1],
                                 target.nodes[equal ? j : 0], target.nodes[equal ? j + 1 : target.count - 1]};
}

static void drive_chain(rt_builder *b, rt_chain source, rt_chain target, const sinew_humanoid *roles, bool align) {
    if (source.count == 0 || target.count == 0) return;
    for (int32_t j = 0; j < target.count; j++) {
        if (is_driven(b, target.nodes[j])) continue;
        int32_t role = roles ? sinew_humanoid_role_of(roles, target.nodes[j]) : SINEW_NO_ROLE;
        drive_joint(b, source, target.nodes[j], j + 1, target.count, role);
        if (align) align_chain(b, source, target, j);
    }
}

static sinew_result check_chain_side(rt_builder *b, int32_t index, const char *side, const sinew_skeleton *skeleton,
                                     rt_chain chain) {
    if (chain.count < 1 || !chain.nodes) {
        return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT, "chains[%d]: no %s nodes", index, side);
    }
    for (int32_t i = 0; i < chain.count; i++) {
        int32_t node = chain.nodes[i];
        if (node < 0 || node >= skeleton->node_count) {
            return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT,
                               "chains[%d]: %s_nodes[%d] is %d, but there are only %d nodes", index, side, i, node,
                               skeleton->node_count);
        }
        if (i == 0 || rt_is_below(skeleton, node, chain.nodes[i - 1])) continue;
        return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT,
                           "chains[%d]: %s_nodes[%d] '%s' is not below '%s'; list a chain from its root to its tip",
                           index, side, i, skeleton->names[node], skeleton->names[chain.nodes[i - 1]]);
    }
    return SINEW_OK;
}

static sinew_result drive_named_chains(rt_builder *b) {
    const sinew_retarget_def *def = b->def;
    for (int32_t i = 0; i < b->chain_count; i++) {
        const sinew_retarget_chain *chain = &b->chains[i];
        const bool is_listed = i < def->chain_count; // chains found by name keep their own posture
        rt_chain source = {chain->source_nodes, chain->source_count},
                 target = {chain->target_nodes, chain->target_count};
        sinew_result result = check_chain_side(b, i, "source", def->source, source);
        if (result == SINEW_OK) result = check_chain_side(b, i, "target", def->target, target);
        if (result != SINEW_OK) return result;
        for (int32_t j = 0; j < target.count && is_listed; j++) {
            if (!is_driven(b, target.nodes[j])) continue;
            return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT, "chains[%d]: '%s' is already in an earlier chain", i,
                               def->target->names[target.nodes[j]]);
        }
        drive_chain(b, source, target, NULL, is_listed);
    }
    return SINEW_OK;
}

// ---- Roles ---------------------------------------------------------------------------------------------------

// Finds a role's nodes in the source and the target. Returns false if either lacks it.
static bool find_role(const rt_builder *b, int32_t role, int32_t *source, int32_t *target) {
    *source = b->def->source_humanoid->nodes[role];
    *target = b->def->target_humanoid->nodes[role];
    return *source != SINEW_NO_NODE && *target != SINEW_NO_NODE;
}

int32_t sinewi_retarget_role_target(const rt_builder *b, int32_t role) {
    int32_t source, target;
    return find_role(b, role, &source, &target) && is_driven(b, target) ? target : RT_NONE;
}

static rt_link *drive_role(rt_builder *b, int32_t role, rt_alignment alignment) {
    int32_t source, target;
    if (!find_role(b, role, &source, &target) || is_driven(b, target)) return NULL;
    rt_link *link = drive(b, target, source);
    link->role = role;
    link->alignment = alignment;
    return link;
}

// The direction from one role to another. Returns false if any of the four nodes is missing.
static bool direction_between(const rt_builder *b, int32_t from, int32_t to, rt_direction *direction) {
    return find_role(b, from, &direction->source_from, &direction->target_from) &&
           find_role(b, to, &direction->source_to, &direction->target_to);
}

// Drives a role whose bone points from it to another role.
static void drive_bone(rt_builder *b, int32_t role, int32_t next) {
    rt_direction along;
    rt_link *link = drive_role(b, role, RT_ALIGN_PARENT);
    if (!link || !direction_between(b, role, next, &along)) return;
    link->alignment = RT_ALIGN_BONE;
    link->along = along;
}

// The nodes from below `above` down to and including `tip`. Empty if the tip isn't below it.
static rt_chain path_below(rt_builder *b, const sinew_skeleton *skeleton, int32_t above, int32_t tip) {
    rt_chain chain = {NULL, 0};
    if (above == SINEW_NO_NODE || tip == SINEW_NO_NODE || !rt_is_below(skeleton, tip, above)) return chain;
    for (int32_t node = tip; node != above; node = skeleton->parents[node]) chain.count++;
    int32_t *nodes = sinewi_arena_array(&b->scratch, int32_t, (size_t)chain.count);
    if (!nodes) return (rt_chain){NULL, RT_NONE};
    int32_t i = chain.count;
    for (int32_t node = tip; node != above; node = skeleton->parents[node]) nodes[--i] = node;
    chain.nodes = nodes;
    return chain;
}

// Drives the path between two nodes by the source's path. Returns false if memory runs out.
static bool drive_path(rt_builder *b, const int32_t above[2], const int32_t tip[2]) {
    rt_chain source = path_below(b, b->def->source, above[0], tip[0]);
    rt_chain target = path_below(b, b->def->target, above[1], tip[1]);
    if (source.count == RT_NONE || target.count == RT_NONE) return false;
    drive_chain(b, source, target, b->def->target_humanoid, false);
    return true;
}

// The torso's last role, or the hips.
static int32_t top_of_torso(const sinew_humanoid *humanoid) {
    static const int32_t roles[] = {SINEW_HUMANOID_UPPER_CHEST, SINEW_HUMANOID_CHEST, SINEW_HUMANOID_SPINE};
    for (int i = 0; i < 3; i++) {
        if (humanoid->nodes[roles[i]] != SINEW_NO_NODE) return humanoid->nodes[roles[i]];
    }
    return humanoid->nodes[SINEW_HUMANOID_HIPS];
}

// The joints from the hips to the chest are one chain, and those from there to the head another. Both
// may have any length.
static bool drive_torso(rt_builder *b) {
    const sinew_humanoid *source = b->def->source_humanoid, *target = b->def->target_humanoid;
    const int32_t hips[2] = {source->nodes[SINEW_HUMANOID_HIPS], target->nodes[SINEW_HUMANOID_HIPS]};
    const int32_t top[2] = {top_of_torso(source), top_of_torso(target)};
    const int32_t head[2] = {source->nodes[SINEW_HUMANOID_HEAD], target->nodes[SINEW_HUMANOID_HEAD]};
    rt_link *link = drive_role(b, SINEW_HUMANOID_HIPS, RT_ALIGN_NONE);
    if (link) link->moves = true;
    if (!drive_path(b, hips, top) || !drive_path(b, top, head)) return false;
    static const int32_t roles[] = {SINEW_HUMANOID_SPINE,    SINEW_HUMANOID_CHEST,    SINEW_HUMANOID_UPPER_CHEST,
                                    SINEW_HUMANOID_NECK,     SINEW_HUMANOID_HEAD,     SINEW_HUMANOID_JAW,
                                    SINEW_HUMANOID_LEFT_EYE, SINEW_HUMANOID_RIGHT_EYE};
    for (int i = 0; i < 8; i++) drive_role(b, roles[i], RT_ALIGN_PARENT); // for roles that the path didn't reach
    return true;
}

// A foot without toes has no direction, so it counts as level.
static void drive_foot(rt_builder *b, int32_t foot, int32_t toes) {
    rt_direction along;
    rt_link *link = drive_role(b, foot, RT_ALIGN_NONE);
    if (!link || !direction_between(b, foot, toes, &along)) return;
    link->alignment = RT_ALIGN_LEVEL;
    link->along = along;
}

static void drive_leg(rt_builder *b, int32_t upper) {
    int32_t lower = upper + 1, foot = upper + 2, toes = upper + 3;
    drive_bone(b, upper, lower);
    drive_bone(b, lower, foot);
    drive_foot(b, foot, toes);
    drive_role(b, toes, RT_ALIGN_PARENT);
}

// Finds the finger that gives the hand its direction: the middle one, or the nearest that both have.
static bool find_palm(const rt_builder *b, int32_t hand, int32_t index, rt_direction *along, rt_direction *across) {
    int32_t middle = index + 3, ring = index + 6, little = index + 9;
    bool is_found = direction_between(b, hand, middle, along) || direction_between(b, hand, index, along) ||
                    direction_between(b, hand, ring, along);
    bool is_wide = direction_between(b, index, little, across) || direction_between(b, index, ring, across);
    if (!is_wide) across->source_from = RT_NONE;
    return is_found;
}

static void drive_arm(rt_builder *b, int32_t shoulder, int32_t thumb) {
    int32_t upper = shoulder + 1, lower = shoulder + 2, hand = shoulder + 3, index = thumb + 3;
    drive_role(b, shoulder, RT_ALIGN_NONE);
    drive_bone(b, upper, lower);
    drive_bone(b, lower, hand);
    rt_direction along, across;
    rt_link *link = drive_role(b, hand, RT_ALIGN_PARENT);
    if (!link || !find_palm(b, hand, index, &along, &across)) return;
    link->along = along;
    link->across = across;
    link->alignment = across.source_from == RT_NONE ? RT_ALIGN_BONE : RT_ALIGN_PALM;
}

// The roles of a finger that a humanoid has.
static rt_chain finger_of(const sinew_humanoid *humanoid, int32_t first, int32_t nodes[3]) {
    rt_chain chain = {nodes, 0};
    for (int32_t role = first; role < first + 3; role++) {
        if (humanoid->nodes[role] != SINEW_NO_NODE) nodes[chain.count++] = humanoid->nodes[role];
    }
    return chain;
}

static void drive_fingers(rt_builder *b, int32_t thumb) {
    for (int32_t first = thumb; first < thumb + 15; first += 3) {
        int32_t source_nodes[3], target_nodes[3];
        rt_chain source = finger_of(b->def->source_humanoid, first, source_nodes);
        rt_chain target = finger_of(b->def->target_humanoid, first, target_nodes);
        drive_chain(b, source, target, b->def->target_humanoid, true);
    }
}

// In many files, the node above the hips has the root motion.
static void drive_root(rt_builder *b) {
    int32_t source, target;
    if (!find_role(b, SINEW_HUMANOID_HIPS, &source, &target)) return;
    source = b->def->source->parents[source];
    target = b->def->target->parents[target];
    if (source == SINEW_NO_NODE || target == SINEW_NO_NODE || is_driven(b, target)) return;
    rt_link *link = drive(b, target, source);
    link->alignment = RT_ALIGN_NONE;
    link->moves = true;
}

static bool drive_roles(rt_builder *b) {
    if (!b->def->source_humanoid) return true;
    if (!drive_torso(b)) return false;
    drive_leg(b, SINEW_HUMANOID_LEFT_UPPER_LEG);
    drive_leg(b, SINEW_HUMANOID_RIGHT_UPPER_LEG);
    drive_arm(b, SINEW_HUMANOID_LEFT_SHOULDER, SINEW_HUMANOID_LEFT_THUMB_METACARPAL);
    drive_arm(b, SINEW_HUMANOID_RIGHT_SHOULDER, SINEW_HUMANOID_RIGHT_THUMB_METACARPAL);
    drive_fingers(b, SINEW_HUMANOID_LEFT_THUMB_METACARPAL);
    drive_fingers(b, SINEW_HUMANOID_RIGHT_THUMB_METACARPAL);
    drive_root(b);
    return true;
}

// ---- Names ---------------------------------------------------------------------------------------------------

// The nearest driven ancestor of a target node, or RT_NONE.
static int32_t driven_above(const rt_builder *b, int32_t target) {
    int32_t node = b->def->target->parents[target];
    while (node != SINEW_NO_NODE && !is_driven(b, node)) node = b->def->target->parents[node];
    return node == SINEW_NO_NODE ? RT_NONE : node;
}

// The nearest ancestor of a source node that drives a node, or RT_NONE.
static int32_t driver_above(const rt_builder *b, const bool *drives, int32_t source) {
    int32_t node = b->def->source->parents[source];
    while (node != SINEW_NO_NODE && !drives[node]) node = b->def->source->parents[node];
    return node == SINEW_NO_NODE ? RT_NONE : node;
}

// Equal names only count on corresponding body parts, because "Bone.001" in two files may be anything.
static bool correspond(const rt_builder *b, const bool *drives, int32_t source, int32_t target) {
    int32_t target_above = driven_above(b, target), source_above = driver_above(b, drives, source);
    if (target_above == RT_NONE) return source_above == RT_NONE;
    const rt_link *above = &b->links[target_above];
    return source_above != RT_NONE && (source_above == above->source || source_above == above->second);
}

// Any node above the hips may have the root motion.
static bool is_above_hips(const rt_builder *b, int32_t target) {
    int32_t hips = b->def->target_humanoid ? b->def->target_humanoid->nodes[SINEW_HUMANOID_HIPS] : SINEW_NO_NODE;
    return hips != SINEW_NO_NODE && rt_is_below(b->def->target, hips, target);
}

static bool drive_names(rt_builder *b) {
    const sinew_skeleton *source = b->def->source, *target = b->def->target;
    if (!b->def->match_names) return true;
    const sinewi_name_prefix none = {"", 0};
    sinewi_node_names source_names, target_names;
    bool *drives = sinewi_arena_zeros(&b->scratch, bool, (size_t)source->node_count);
    if (!drives || !sinewi_node_names_make(&source_names, source, none, &b->scratch) ||
        !sinewi_node_names_make(&target_names, target, none, &b->scratch)) {
        return false;
    }
    for (int32_t i = 0; i < target->node_count; i++) {
        if (is_driven(b, i)) drives[b->links[i].source] = true;
    }
    for (int32_t i = 0; i < target->node_count; i++) {
        int32_t node = sinewi_node_names_find_only(&source_names, target->names[i]);
        if (is_driven(b, i) || node == SINEW_NO_NODE || drives[node]) continue;
        if (sinewi_node_names_find_only(&target_names, target->names[i]) != i) continue;
        if (!correspond(b, drives, node, i)) continue;
        rt_link *link = drive(b, i, node);
        link->named = true;
        link->moves = is_above_hips(b, i);
        drives[node] = true;
    }
    return true;
}

// ---- Fingers -------------------------------------------------------------------------------------------------

// The source's finger nearest to one that it lacks. The thumb isn't near any.
static rt_chain nearest_finger(const rt_builder *b, int32_t thumb, int32_t finger, int32_t nodes[3]) {
    const sinew_humanoid *source = b->def->source_humanoid;
    rt_chain chain = finger_of(source, thumb + 3 * finger, nodes);
    for (int32_t away = 1; chain.count == 0 && away <= 3; away++) {
        if (finger > away) chain = finger_of(source, thumb + 3 * (finger - away), nodes);
        if (chain.count == 0 && finger + away <= 4) chain = finger_of(source, thumb + 3 * (finger + away), nodes);
    }
    return chain;
}

// Fingers that the source lacks follow the nearest one, so a hand with fewer fingers closes all of them.
static void drive_missing_fingers(rt_builder *b, int32_t thumb) {
    for (int32_t finger = 1; finger < 5; finger++) {
        int32_t source_nodes[3], target_nodes[3];
        rt_chain source = nearest_finger(b, thumb, finger, source_nodes);
        rt_chain target = finger_of(b->def->target_humanoid, thumb + 3 * finger, target_nodes);
        drive_chain(b, source, target, b->def->target_humanoid, true);
    }
}

// ---- All -----------------------------------------------------------------------------------------------------

static sinew_result check_humanoid(rt_builder *b, const char *side, const sinew_skeleton *skeleton,
                                   const sinew_humanoid *humanoid) {
    for (int32_t role = 0; humanoid && role < SINEW_HUMANOID_ROLE_COUNT; role++) {
        int32_t node = humanoid->nodes[role];
        if (node >= SINEW_NO_NODE && node < skeleton->node_count) continue;
        return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT,
                           "%s_humanoid: %s is node %d, but there are only %d nodes", side,
                           sinew_humanoid_role_name(role), node, skeleton->node_count);
    }
    return SINEW_OK;
}

sinew_result sinewi_retarget_find_links(rt_builder *b) {
    const sinew_retarget_def *def = b->def;
    int32_t count = 0, node_count = def->target->node_count;
    b->links = sinewi_arena_zeros(&b->scratch, rt_link, (size_t)node_count);
    if (!b->links) return sinewi_fail_memory(b->error);
    for (int32_t i = 0; i < node_count; i++) {
        b->links[i].source = b->links[i].second = b->links[i].parent = RT_NONE;
        b->links[i].role = SINEW_NO_ROLE;
    }
    sinew_result result = check_humanoid(b, "source", def->source, def->source_humanoid);
    if (result == SINEW_OK) result = check_humanoid(b, "target", def->target, def->target_humanoid);
    if (result == SINEW_OK && !sinewi_retarget_list_chains(b)) result = sinewi_fail_memory(b->error);
    if (result == SINEW_OK) result = drive_named_chains(b);
    if (result != SINEW_OK) return result;
    if (!drive_roles(b) || !drive_names(b)) return sinewi_fail_memory(b->error);
    if (def->source_humanoid) {
        drive_missing_fingers(b, SINEW_HUMANOID_LEFT_THUMB_METACARPAL);
        drive_missing_fingers(b, SINEW_HUMANOID_RIGHT_THUMB_METACARPAL);
    }
    for (int32_t i = 0; i < node_count; i++) count += is_driven(b, i);
    if (count > 0) return SINEW_OK;
    return sinewi_fail(
        b->error, SINEW_ERROR_ARGUMENT,
        "no target node shares a role, a chain or a name with a source node; pass humanoids or chains");
}

// ---- Parents -------------------------------------------------------------------------------------------------

// The target node of the nearest driven role above, or RT_NONE.
static int32_t role_above(const rt_builder *b, int32_t role) {
    for (role = sinew_humanoid_role_parent(role); role != SINEW_NO_ROLE; role = sinew_humanoid_role_parent(role)) {
        int32_t target = sinewi_retarget_role_target(b, role);
        if (target != RT_NONE) return target;
    }
    return RT_NONE;
}

void sinewi_retarget_attach(rt_builder *b, int32_t target) {
    b->links[target].parent = driven_above(b, target);
    b->links[target].detached = false;
}

// A node's parent is its nearest driven ancestor. If a node isn't below the role above its own, then that role's node
// is its parent. An example is a foot that hangs below the root for inverse kinematics.
void sinewi_retarget_find_parents(rt_builder *b) {
    const sinew_skeleton *target = b->def->target;
    for (int32_t i = 0; i < target->node_count; i++) {
        rt_link *link = &b->links[i];
        if (!is_driven(b, i)) continue;
        sinewi_retarget_attach(b, i);
        if (link->role == SINEW_NO_ROLE) continue;
        int32_t above = role_above(b, link->role);
        if (above == RT_NONE || above == i || rt_is_below(target, i, above) || rt_is_below(target, above, i))
            continue;
        link->parent = above;
        link->detached = true;
    }
}
