// SPDX-License-Identifier: MIT
// Skeletons without roles: finds legs, facing and size from chains and paired nodes.
#include "humanoid/retarget_data.h"

#include <string.h>

// ---- Positions -----------------------------------------------------------------------------------------------

static bool is_driven(const rt_builder *b, int32_t target) {
    return b->links[target].source != RT_NONE;
}

// Whether a target node has a single driver whose position corresponds to its own.
static bool is_pair(const rt_builder *b, int32_t target) {
    return is_driven(b, target) && b->links[target].second == RT_NONE && !b->links[target].detached;
}

static double distance(const rt_similarity *reference, int32_t from, int32_t to) {
    return rt_length(rt_subtract(reference[to].position, reference[from].position));
}

static double chain_length(const rt_similarity *reference, const int32_t *nodes, int32_t count) {
    double length = 0.0;
    for (int32_t i = 1; i < count; i++) length += distance(reference, nodes[i - 1], nodes[i]);
    return length;
}

// Heights of the lowest and the highest paired node. The lowest is on the ground.
typedef struct rt_heights {
    double lowest, highest;
} rt_heights;

static void add_height(rt_heights *heights, double height) {
    if (height < heights->lowest) heights->lowest = height;
    if (height > heights->highest) heights->highest = height;
}

static void find_heights(const rt_builder *b, rt_heights *source, rt_heights *target) {
    const rt_vec source_up = rt_up(b->def->source_up), target_up = rt_up(b->def->target_up);
    *source = *target = (rt_heights){(double)INFINITY, -(double)INFINITY};
    for (int32_t i = 0; i < b->def->target->node_count; i++) {
        if (!is_driven(b, i)) continue;
        add_height(target, rt_dot(b->target_reference[i].position, target_up));
        add_height(source, rt_dot(b->source_reference[b->links[i].source].position, source_up));
    }
}

// ---- Names ---------------------------------------------------------------------------------------------------

static const sinew_humanoid_chain *chain_named(const sinew_humanoid_chains *chains, const char *name) {
    for (int32_t i = 0; chains && i < chains->count; i++)
        if (strcmp(chains->chains[i].name, name) == 0) return &chains->chains[i];
    return NULL;
}

bool sinewi_retarget_list_chains(rt_builder *b) {
    const sinew_retarget_def *def = b->def;
    const int32_t named = def->target_chains ? def->target_chains->count : 0;
    b->chains = sinewi_arena_array(&b->scratch, sinew_retarget_chain, (size_t)def->chain_count + (size_t)named);
    if (!b->chains) return false;
    for (int32_t i = 0; i < def->chain_count; i++) b->chains[b->chain_count++] = def->chains[i];
    for (int32_t i = 0; i < named; i++) {
        const sinew_humanoid_chain *target = &def->target_chains->chains[i];
        const sinew_humanoid_chain *source = chain_named(def->source_chains, target->name);
        if (!source) continue;
        b->chains[b->chain_count++] =
            (sinew_retarget_chain){source->nodes, source->node_count, target->nodes, target->node_count};
    }
    return true;
}

// ---- Legs ----------------------------------------------------------------------------------------------------

// Whether a chain goes down to the ground: from above a quarter of the body's height to within a quarter of its own.
static bool reaches_ground(const rt_similarity *reference, rt_vec up, rt_heights heights, const int32_t *nodes,
                           int32_t count) {
    if (count < 3) return false;
    const double start = rt_dot(reference[nodes[0]].position, up) - heights.lowest;
    const double tip = rt_dot(reference[nodes[count - 1]].position, up) - heights.lowest;
    return start > 0.25 * (heights.highest - heights.lowest) && tip < 0.25 * start;
}

// Counts the joints at a leg's start that don't bend. They belong to a shoulder, which leads to the
// side, and are short.
static int32_t count_shoulders(const rt_similarity *reference, const int32_t *nodes, int32_t count) {
    const double shortest = 0.15 * chain_length(reference, nodes, count);
    int32_t shoulders = 0;
    while (count - shoulders > 3 && distance(reference, nodes[shoulders], nodes[shoulders + 1]) < shortest)
        shoulders++;
    return shoulders;
}

// The joint in the middle of a leg, which is the one whose shorter side is longest.
static int32_t middle_joint(const rt_similarity *reference, const int32_t *nodes, int32_t count) {
    int32_t middle = nodes[1];
    double most = -1.0;
    for (int32_t i = 1; i + 1 < count; i++) {
        const double above = distance(reference, nodes[0], nodes[i]);
        const double below = distance(reference, nodes[i], nodes[count - 1]);
        const double shorter = above < below ? above : below;
        if (shorter > most) most = shorter, middle = nodes[i];
    }
    return middle;
}

// Finds a leg's foot in rigs that move feet with inverse kinematics. It's a node where the leg ends, neither above nor
// below the leg's nodes. RT_NONE if there isn't one.
static int32_t find_foot(const sinew_skeleton *skeleton, const rt_similarity *reference, const int32_t *nodes,
                         int32_t count) {
    const int32_t upper = nodes[0], tip = nodes[count - 1];
    double least = 0.01 * chain_length(reference, nodes, count);
    int32_t foot = RT_NONE;
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        if (i == upper || rt_is_below(skeleton, i, upper) || rt_is_below(skeleton, upper, i)) continue;
        const double away = distance(reference, i, tip);
        if (away < least) least = away, foot = i;
    }
    return foot;
}

// Drives a foot that isn't below its leg. If its name matches a node of the source, it already has a driver.
static void drive_foot(rt_builder *b, const sinew_retarget_chain *chain, int32_t foot) {
    rt_link *link = &b->links[foot];
    link->alignment = RT_ALIGN_NONE;
    if (link->named) return;
    link->source = find_foot(b->def->source, b->source_reference, chain->source_nodes, chain->source_count);
    if (link->source == RT_NONE) link->source = chain->source_nodes[chain->source_count - 1];
}

// The front of a foot: the node furthest from its end, among those below and not higher. RT_NONE if there isn't one.
static int32_t find_ball(const sinew_skeleton *skeleton, const rt_similarity *reference, int32_t end, rt_vec up) {
    int32_t ball = RT_NONE;
    double most = 0.0;
    for (int32_t i = end + 1; i < skeleton->subtree_ends[end]; i++) {
        const rt_vec away = rt_subtract(reference[i].position, reference[end].position);
        const double level = rt_length(rt_reject(away, up));
        if (rt_dot(away, up) <= 0.0 && level > most) most = level, ball = i;
    }
    return ball;
}

// Sets the joints that bend.
static void bend_leg(const rt_builder *b, const sinew_retarget_chain *chain, rt_leg *leg) {
    const int32_t first = count_shoulders(b->target_reference, chain->target_nodes, chain->target_count);
    leg->upper = chain->target_nodes[first];
    leg->lower = middle_joint(b->target_reference, &chain->target_nodes[first], chain->target_count - first);
}

static void add_leg(rt_builder *b, const sinew_retarget_chain *chain, const rt_heights *source,
                    const rt_heights *target) {
    const int32_t *nodes = chain->target_nodes, count = chain->target_count;
    rt_leg *leg = &b->legs[b->leg_count++];
    leg->root = nodes[0];
    leg->tip = leg->end = nodes[count - 1];
    leg->length = chain_length(b->target_reference, nodes, count);
    leg->source_length = chain_length(b->source_reference, chain->source_nodes, chain->source_count);
    const int32_t foot = find_foot(b->def->target, b->target_reference, nodes, count);
    const bool is_free = foot != RT_NONE && (!is_driven(b, foot) || b->links[foot].named);
    if (is_free) {
        drive_foot(b, chain, foot);
        leg->end = foot;
    }
    b->links[leg->tip].alignment = RT_ALIGN_NONE;
    bend_leg(b, chain, leg);
    leg->source_end = b->links[leg->end].source;
    leg->ground = target->lowest;
    leg->source_ground = source->lowest;
    leg->ball = find_ball(b->def->target, b->target_reference, leg->end, rt_up(b->def->target_up));
    leg->source_ball = find_ball(b->def->source, b->source_reference, leg->source_end, rt_up(b->def->source_up));
    if (leg->ball == RT_NONE || leg->source_ball == RT_NONE) leg->ball = leg->source_ball = RT_NONE;
}

// Whether a chain drives its own tip. An earlier chain may drive it already.
static bool has_own_tip(const rt_builder *b, const sinew_retarget_chain *chain) {
    const rt_link *tip = &b->links[chain->target_nodes[chain->target_count - 1]];
    return tip->source == chain->source_nodes[chain->source_count - 1] && tip->second == RT_NONE;
}

// Finds the lowest driven node above all legs, or RT_NONE. That node and the nodes above it move.
static void find_hips(rt_builder *b) {
    int32_t node = b->def->target->parents[b->legs[0].root];
    for (int32_t i = 0; i < b->leg_count; i++)
        while (node != SINEW_NO_NODE && !rt_is_below(b->def->target, b->legs[i].root, node))
            node = b->def->target->parents[node];
    for (; node != SINEW_NO_NODE; node = b->def->target->parents[node]) {
        if (!is_driven(b, node)) continue;
        if (b->hips == RT_NONE) b->hips = node;
        b->links[node].moves = true;
    }
}

void sinewi_retarget_find_legs(rt_builder *b) {
    rt_heights source, target;
    b->hips = RT_NONE;
    if (b->def->source_humanoid) return;
    find_heights(b, &source, &target);
    for (int32_t i = 0; i < b->chain_count && b->leg_count < RT_MAX_LIMBS; i++) {
        const sinew_retarget_chain *chain = &b->chains[i];
        if (has_own_tip(b, chain) &&
            reaches_ground(b->source_reference, rt_up(b->def->source_up), source, chain->source_nodes,
                           chain->source_count) &&
            reaches_ground(b->target_reference, rt_up(b->def->target_up), target, chain->target_nodes,
                           chain->target_count))
            add_leg(b, chain, &source, &target);
    }
    if (b->leg_count > 0) find_hips(b);
}

void sinewi_retarget_detach_feet(rt_builder *b) {
    for (int32_t i = 0; i < b->leg_count; i++) {
        const rt_leg *leg = &b->legs[i];
        if (leg->end == leg->tip) continue;
        b->links[leg->end].parent = leg->tip;
        b->links[leg->end].detached = true;
    }
}

// ---- Facing --------------------------------------------------------------------------------------------------

// Sums over pairs of their horizontal positions relative to the mean: products along and across, and squares.
typedef struct rt_layout {
    double along, across, source_squares, target_squares;
} rt_layout;

static rt_vec level_source(const rt_builder *b, rt_quat upright, int32_t target) {
    const rt_vec position = rt_rotate(upright, b->source_reference[b->links[target].source].position);
    return rt_reject(position, rt_up(b->def->target_up));
}

static rt_vec level_target(const rt_builder *b, int32_t target) {
    return rt_reject(b->target_reference[target].position, rt_up(b->def->target_up));
}

static rt_layout compare_layouts(const rt_builder *b, rt_quat upright) {
    const rt_vec up = rt_up(b->def->target_up);
    rt_vec source_mean = {0, 0, 0}, target_mean = {0, 0, 0};
    double count = 0.0;
    for (int32_t i = 0; i < b->def->target->node_count; i++) {
        if (!is_pair(b, i)) continue;
        source_mean = rt_add(source_mean, level_source(b, upright, i));
        target_mean = rt_add(target_mean, level_target(b, i));
        count += 1.0;
    }
    rt_layout sums = {0.0, 0.0, 0.0, 0.0};
    for (int32_t i = 0; i < b->def->target->node_count; i++) {
        if (!is_pair(b, i)) continue;
        const rt_vec from = rt_subtract(level_source(b, upright, i), rt_scale(source_mean, 1.0 / count));
        const rt_vec to = rt_subtract(level_target(b, i), rt_scale(target_mean, 1.0 / count));
        sums.along += rt_dot(from, to);
        sums.across += rt_dot(up, rt_cross(from, to));
        sums.source_squares += rt_dot(from, from);
        sums.target_squares += rt_dot(to, to);
    }
    return sums;
}

// Snaps to quarter turns within 10 degrees. Characters face along an axis, and their joints aren't quite symmetrical.
static void snap_to_quarters(double *cosine, double *sine) {
    const double near = 0.985; // its cosine
    if (fabs(*cosine) > near) *cosine = *cosine > 0 ? 1.0 : -1.0, *sine = 0.0;
    if (fabs(*sine) > near) *sine = *sine > 0 ? 1.0 : -1.0, *cosine = 0.0;
}

rt_quat sinewi_retarget_chain_facing(const rt_builder *b, rt_quat upright) {
    const rt_layout sums = compare_layouts(b, upright);
    const double size = sqrt(sums.along * sums.along + sums.across * sums.across);
    const bool is_alike = size > 0.5 * sqrt(sums.source_squares * sums.target_squares);
    if (!is_alike) return upright; // too few nodes, or too different
    double cosine = sums.along / size, sine = sums.across / size;
    snap_to_quarters(&cosine, &sine);
    if (cosine == 1.0) return upright;
    const rt_vec axis = rt_up(b->def->target_up);
    if (1.0 + cosine < 1e-12) cosine = -1.0, sine = 1.0;
    return rt_multiply(rt_normalize(rt_make_quat(axis.x * sine, axis.y * sine, axis.z * sine, 1.0 + cosine)),
                       upright);
}

// ---- Size ----------------------------------------------------------------------------------------------------

double sinewi_retarget_chain_size(const rt_builder *b) {
    double source = 0.0, target = 0.0;
    for (int32_t i = 0; i < b->leg_count; i++) {
        source += b->legs[i].source_length;
        target += b->legs[i].length;
    }
    for (int32_t i = 0; b->leg_count == 0 && i < b->def->target->node_count; i++) {
        const int32_t parent = b->links[i].parent;
        if (!is_pair(b, i) || parent == RT_NONE || !is_pair(b, parent)) continue;
        source += distance(b->source_reference, b->links[parent].source, b->links[i].source);
        target += distance(b->target_reference, parent, i);
    }
    return source > 0.0 && target > 0.0 ? target / source : 1.0;
}
