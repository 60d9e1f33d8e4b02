// SPDX-License-Identifier: MIT
// Compiles springs: sorts chains into groups that are solved together, one chain per lane.
//
// A chain's level is the number of chains above it, because those move it. Levels are solved one after another. Within
// a level, chains are sorted by length, so few lanes of a group end before its last row.
#include "body/spring_data.h"

#include "base/angle.h"
#include "base/decay.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/merge_sort.h"

#include <assert.h>
#include <math.h>
#include <string.h>

int32_t sinewi_spring_moving_joints(const sinew_spring_chain *chain) {
    const bool has_tail = chain->tail.x != 0.0f || chain->tail.y != 0.0f || chain->tail.z != 0.0f;
    return has_tail ? chain->joint_count : chain->joint_count - 1;
}

// ---- The plan ------------------------------------------------------------------------------------------------

// A chain with joints that rotate.
typedef struct planned_chain {
    int32_t source; // index in the definition
    int32_t level, joint_count, node;
    bool is_vrm;
} planned_chain;

// A node that chains move. Depth counts from the roots.
typedef struct moved_node {
    int32_t level, depth, node;
} moved_node;

typedef struct spring_counts {
    size_t levels, groups, rows, chains, joints, links, nodes, constants, states, work, collisions, ranges,
        products;
} spring_counts;

typedef struct spring_plan {
    const sinew_springs_def *def;
    int32_t *levels, *depths;             // [node_count]; level -1 if no chain moves the node
    planned_chain *chains, *other_chains; // [chain_count of the definition]
    moved_node *moved, *other_moved;      // [node_count]
    int32_t chain_count, moved_count;
    size_t size;
} spring_plan;

static void lay_out_plan(sinewi_layout *layout, spring_plan *plan) {
    const size_t nodes = (size_t)plan->def->skeleton->node_count, chains = (size_t)plan->def->chain_count;
    plan->levels = sinewi_layout_array(layout, int32_t, nodes, sizeof(int32_t));
    plan->depths = sinewi_layout_array(layout, int32_t, nodes, sizeof(int32_t));
    plan->chains = sinewi_layout_array(layout, planned_chain, chains, sizeof(int32_t));
    plan->other_chains = sinewi_layout_array(layout, planned_chain, chains, sizeof(int32_t));
    plan->moved = sinewi_layout_array(layout, moved_node, nodes, sizeof(int32_t));
    plan->other_moved = sinewi_layout_array(layout, moved_node, nodes, sizeof(int32_t));
    plan->size = layout->size;
}

static int compare_numbers(int32_t a, int32_t b) {
    return (a > b) - (a < b);
}

static int compare_chains(const void *first, const void *second, const void *context) {
    (void)context;
    const planned_chain *a = (const planned_chain *)first, *b = (const planned_chain *)second;
    if (a->level != b->level) return compare_numbers(a->level, b->level);
    if (a->is_vrm != b->is_vrm) return a->is_vrm ? 1 : -1;
    if (a->joint_count != b->joint_count) return compare_numbers(b->joint_count, a->joint_count);
    return compare_numbers(a->node, b->node);
}

static int compare_moved(const void *first, const void *second, const void *context) {
    (void)context;
    const moved_node *a = (const moved_node *)first, *b = (const moved_node *)second;
    if (a->level != b->level) return compare_numbers(a->level, b->level);
    if (a->depth != b->depth) return compare_numbers(a->depth, b->depth);
    return compare_numbers(a->node, b->node);
}

// A node's level is the level of the nearest chain at or above it.
static void plan_levels(spring_plan *plan) {
    const sinew_skeleton *skeleton = plan->def->skeleton;
    for (int32_t node = 0; node < skeleton->node_count; node++) plan->levels[node] = 0;
    for (int32_t i = 0; i < plan->def->chain_count; i++) {
        const sinew_spring_chain *chain = &plan->def->chains[i];
        if (sinewi_spring_moving_joints(chain) > 0) plan->levels[chain->joints[0].node] = 1;
    }
    for (int32_t node = 0; node < skeleton->node_count; node++) { // parents first
        const int32_t parent = skeleton->parents[node];
        plan->levels[node] += parent == SINEW_NO_NODE ? -1 : plan->levels[parent];
        plan->depths[node] = parent == SINEW_NO_NODE ? 0 : plan->depths[parent] + 1;
    }
}

static void plan_chains(spring_plan *plan) {
    for (int32_t i = 0; i < plan->def->chain_count; i++) {
        const sinew_spring_chain *chain = &plan->def->chains[i];
        const int32_t node = chain->joints[0].node, joint_count = sinewi_spring_moving_joints(chain);
        if (joint_count == 0) continue;
        plan->chains[plan->chain_count++] = (planned_chain){i, plan->levels[node], joint_count, node, chain->vrm};
    }
    plan->chains = (planned_chain *)sinewi_merge_sort(plan->chains, plan->other_chains, (size_t)plan->chain_count,
                                                      sizeof *plan->chains, compare_chains, NULL);
}

static void plan_moved_nodes(spring_plan *plan) {
    for (int32_t node = 0; node < plan->def->skeleton->node_count; node++) {
        if (plan->levels[node] < 0) continue;
        plan->moved[plan->moved_count++] = (moved_node){plan->levels[node], plan->depths[node], node};
    }
    plan->moved = (moved_node *)sinewi_merge_sort(plan->moved, plan->other_moved, (size_t)plan->moved_count,
                                                  sizeof *plan->moved, compare_moved, NULL);
}

// Returns the end of the group that starts with this chain of the plan.
static int32_t group_end(const spring_plan *plan, int32_t first) {
    const planned_chain *start = &plan->chains[first];
    int32_t end = first + 1;
    while (end < plan->chain_count && end - first < SINEWI_SPRING_LANES &&
           plan->chains[end].level == start->level && plan->chains[end].is_vrm == start->is_vrm)
        end++;
    return end;
}

static size_t lanes_of(int32_t chain_count) {
    return chain_count <= 4 ? 4 : chain_count <= 8 ? 8 : 16;
}

static bool starts_range(const spring_plan *plan, int32_t node) {
    return plan->levels[node] >= 0 && (node == 0 || plan->levels[node - 1] != plan->levels[node]);
}

static spring_counts count_parts(const spring_plan *plan) {
    spring_counts n = {0};
    n.chains = (size_t)plan->chain_count;
    n.products = (size_t)plan->moved_count; // roots have no product
    if (plan->chain_count > 0) n.levels = (size_t)plan->chains[plan->chain_count - 1].level + 1;
    for (int32_t i = 0, end; i < plan->chain_count; i = end) {
        end = group_end(plan, i);
        const size_t rows = (size_t)plan->chains[i].joint_count, lanes = lanes_of(end - i);
        n.groups++;
        n.rows += rows;
        n.nodes += (rows + 1) * lanes;
        n.constants += rows * lanes * SINEWI_SPRING_CONSTANTS;
        n.states += rows * lanes * SINEWI_SPRING_STATES;
        const size_t work = plan->chains[i].is_vrm ? 0 : rows * lanes * SINEWI_SPRING_WORK;
        if (work > n.work) n.work = work;
    }
    for (int32_t i = 0; i < plan->chain_count; i++) {
        const sinew_spring_chain *chain = &plan->def->chains[plan->chains[i].source];
        n.joints += (size_t)plan->chains[i].joint_count;
        n.collisions += (size_t)chain->collider_count;
        int32_t node = chain->joints[chain->joint_count - 1].node;
        for (; node != chain->joints[0].node; node = plan->def->skeleton->parents[node]) n.links++;
    }
    for (int32_t node = 0; node < plan->def->skeleton->node_count; node++) n.ranges += starts_range(plan, node);
    return n;
}

// ---- The arrays ----------------------------------------------------------------------------------------------

typedef struct spring_arrays {
    sinew_springs *springs;
    spring_level *levels;
    spring_group *groups;
    spring_row *rows;
    spring_chain *chains;
    spring_joint *joints;
    int32_t *links, *nodes;
    float *constants;
    sinewi_spring_collision *collisions;
    sinewi_range *ranges;
    sinewi_link *products;
    sinew_spring_collider *colliders;
} spring_arrays;

static spring_arrays lay_out(sinewi_layout *layout, const sinew_springs_def *def, const spring_counts *n) {
    spring_arrays a;
    a.springs = sinewi_layout_array(layout, sinew_springs, 1, SINEWI_ALIGNMENT);
    a.constants = sinewi_layout_array(layout, float, n->constants, SINEWI_ALIGNMENT);
    a.groups = sinewi_layout_array(layout, spring_group, n->groups, sizeof(size_t));
    a.joints = sinewi_layout_array(layout, spring_joint, n->joints, sizeof(size_t));
    a.levels = sinewi_layout_array(layout, spring_level, n->levels, sizeof(int32_t));
    a.rows = sinewi_layout_array(layout, spring_row, n->rows, sizeof(int32_t));
    a.chains = sinewi_layout_array(layout, spring_chain, n->chains, sizeof(int32_t));
    a.links = sinewi_layout_array(layout, int32_t, n->links, sizeof(int32_t));
    a.nodes = sinewi_layout_array(layout, int32_t, n->nodes, sizeof(int32_t));
    a.collisions = sinewi_layout_array(layout, sinewi_spring_collision, n->collisions, sizeof(int32_t));
    a.ranges = sinewi_layout_array(layout, sinewi_range, n->ranges, sizeof(int32_t));
    a.products = sinewi_layout_array(layout, sinewi_link, n->products, sizeof(int32_t));
    a.colliders = sinewi_layout_array(layout, sinew_spring_collider, (size_t)def->collider_count, sizeof(int32_t));
    return a;
}

// ---- Joints --------------------------------------------------------------------------------------------------

static const float pi = 0x1.921fb6p+1f;

void sinewi_spring_set_constant(sinew_springs *springs, const spring_joint *joint, int plane, float value) {
    springs->constants[joint->constants + (size_t)plane * joint->lane_count] = value;
}

// The part of a motion that is left after a step.
static float factor_of_half_life(float half_life, float step) {
    if (half_life == 0.0f) return 0.0f;
    if (isinf(half_life)) return 1.0f;
    return (float)sinewi_decay(0.69314718055994531 * (double)step / (double)half_life);
}

// Ropes are solved in substeps. A joint's stiffness pulls all `points` below it, like gravity, so a bone points along
// the sum of both in a chain of any length. Half of a substep's friction acts before it and half after it.
static void set_constants(sinew_springs *springs, const sinew_spring_joint *def, const spring_joint *joint,
                          bool is_vrm, int32_t points) {
    const float step = is_vrm ? springs->step : springs->step / (float)springs->substeps;
    const float weight = is_vrm ? 1.0f : (float)points, friction = is_vrm ? step : 0.5f * step;
    const float drag = factor_of_half_life(def->drag, friction);
    const sinew_quat rest = springs->skeleton->rest[def->node].rotation;
    const float limit =
        def->limit < pi ? (float)sinewi_sine_cosine_of((double)def->limit).cosine : -2.0f; // no angle is beyond it
    const float values[SINEWI_SPRING_CONSTANTS] = {
        def->stiffness * step * step * weight,
        def->gravity.x * step * step,
        def->gravity.y * step * step,
        def->gravity.z * step * step,
        factor_of_half_life(def->damping, friction),
        drag,
        (1.0f - drag) * step * def->wind,
        limit,
        def->radius,
        rest.x,
        rest.y,
        rest.z,
        rest.w,
        1.0f,
    };
    for (int i = 0; i < SINEWI_SPRING_CONSTANTS; i++) sinewi_spring_set_constant(springs, joint, i, values[i]);
}

// Writes the nodes below `above`, down to `node`.
static int32_t write_links(const sinew_skeleton *skeleton, int32_t above, int32_t node, int32_t *links) {
    int32_t count = 0, at;
    for (int32_t i = node; i != above; i = skeleton->parents[i]) count++;
    at = count;
    for (int32_t i = node; i != above; i = skeleton->parents[i]) links[--at] = i;
    return count;
}

// ---- Groups --------------------------------------------------------------------------------------------------

// Writes a joint, and its lane of its row.
static void compile_joint(spring_arrays *a, const sinew_spring_chain *chain, const spring_group *group,
                          int32_t lane, int32_t index, spring_counts *written) {
    spring_row *row = &a->rows[group->first_row + index];
    int32_t *nodes = a->nodes + group->first_node + (size_t)(index * group->lane_count + lane);
    spring_joint *joint = &a->joints[written->joints++];
    const size_t lanes = (size_t)group->lane_count;
    *joint = (spring_joint){.node = chain->joints[index].node, .lane_count = lanes};
    joint->constants = group->first_constant + (size_t)index * lanes * SINEWI_SPRING_CONSTANTS + (size_t)lane;
    joint->first_link = (int32_t)written->links;
    if (index + 1 < chain->joint_count) {
        joint->link_count = write_links(a->springs->skeleton, joint->node, chain->joints[index + 1].node,
                                        a->links + written->links);
        written->links += (size_t)joint->link_count;
        nodes[group->lane_count] = chain->joints[index + 1].node;
    } else {
        joint->tail = chain->tail;
    }
    nodes[0] = joint->node;
    row->lanes |= 1u << lane;
    if (joint->link_count != 1) row->own_tails |= 1u << lane;
    if (joint->link_count > 1) row->linked |= 1u << lane;
    const int32_t points = sinewi_spring_moving_joints(chain) - index;
    set_constants(a->springs, &chain->joints[index], joint, chain->vrm, points);
}

static void compile_chain(spring_arrays *a, const sinew_spring_chain *chain, const planned_chain *planned,
                          spring_group *group, spring_counts *written) {
    const int32_t lane = (int32_t)written->chains - group->first_chain;
    spring_chain *out = &a->chains[written->chains++];
    *out = (spring_chain){.parent = a->springs->skeleton->parents[planned->node],
                          .center = chain->center,
                          .first_joint = (int32_t)written->joints,
                          .joint_count = planned->joint_count,
                          .weight = chain->weight};
    if (chain->from_rest) group->rest_lanes |= 1u << lane;
    group->has_centers |= chain->center != SINEW_NO_NODE;
    for (int32_t i = 0; i < out->joint_count; i++) {
        compile_joint(a, chain, group, lane, i, written);
        group->has_limits |= chain->joints[i].limit < pi;
    }
}

// The first collider that a chain has left, in the order of lanes. -1 if none is left.
static int32_t next_collider(const sinew_spring_chain *const *chains, const int32_t *used, int32_t count) {
    for (int32_t lane = 0; lane < count; lane++) {
        if (used[lane] < chains[lane]->collider_count) return chains[lane]->colliders[used[lane]];
    }
    return -1;
}

// Merges the collider lists of a group's chains. Each chain keeps its own order.
static void compile_collisions(spring_arrays *a, const spring_plan *plan, spring_group *group,
                               spring_counts *written) {
    const sinew_spring_chain *chains[SINEWI_SPRING_LANES];
    int32_t used[SINEWI_SPRING_LANES] = {0};
    for (int32_t lane = 0; lane < group->chain_count; lane++)
        chains[lane] = &plan->def->chains[plan->chains[group->first_chain + lane].source];
    group->first_collision = (int32_t)written->collisions;
    for (int32_t next; (next = next_collider(chains, used, group->chain_count)) >= 0; group->collision_count++) {
        const sinew_spring_collider *collider = &plan->def->colliders[next];
        sinewi_spring_collision *out = &a->collisions[written->collisions++];
        *out = (sinewi_spring_collision){.volume = next,
                                         .is_plane = collider->shape == SINEW_SPRING_SHAPE_PLANE,
                                         .is_capsule = collider->shape == SINEW_SPRING_SHAPE_CAPSULE,
                                         .is_inside = collider->inside};
        for (int32_t lane = 0; lane < group->chain_count; lane++) {
            if (used[lane] == chains[lane]->collider_count || chains[lane]->colliders[used[lane]] != next) continue;
            out->lanes |= 1u << lane;
            used[lane]++;
        }
    }
}

// Whether four rows can be gathered from four consecutive floats in each lane. Unused nodes are 0.
static bool is_consecutive(const spring_arrays *a, const spring_group *group) {
    const int32_t padded = (a->springs->skeleton->node_count + SINEW_LANES - 1) / SINEW_LANES * SINEW_LANES;
    const int32_t *nodes = a->nodes + group->first_node, lanes = group->lane_count;
    for (int32_t i = 0; i < (group->row_count + 1) * lanes; i++) {
        const int32_t after = i / lanes % 4, first = nodes[i - after * lanes];
        if (first + 4 > padded || (nodes[i] != 0 && nodes[i] != first + after)) return false;
    }
    return true;
}

static void compile_group(spring_arrays *a, const spring_plan *plan, int32_t first, int32_t end,
                          spring_counts *written) {
    spring_group *group = &a->groups[written->groups++];
    const size_t lanes = lanes_of(end - first), rows = (size_t)plan->chains[first].joint_count;
    *group = (spring_group){.first_chain = first,
                            .chain_count = end - first,
                            .lane_count = (int32_t)lanes,
                            .first_row = (int32_t)written->rows,
                            .row_count = (int32_t)rows,
                            .first_node = written->nodes,
                            .first_constant = written->constants,
                            .first_state = written->states,
                            .is_vrm = plan->chains[first].is_vrm};
    for (int32_t i = first; i < end; i++) {
        compile_chain(a, &plan->def->chains[plan->chains[i].source], &plan->chains[i], group, written);
    }
    compile_collisions(a, plan, group, written);
    group->is_consecutive = is_consecutive(a, group);
    written->rows += rows;
    written->nodes += (rows + 1) * lanes;
    written->constants += rows * lanes * SINEWI_SPRING_CONSTANTS;
    written->states += rows * lanes * SINEWI_SPRING_STATES;
}

// ---- Levels --------------------------------------------------------------------------------------------------

static void compile_levels(spring_arrays *a, const spring_plan *plan, spring_counts *written) {
    for (int32_t i = 0, end; i < plan->chain_count; i = end) {
        end = group_end(plan, i);
        spring_level *level = &a->levels[plan->chains[i].level];
        if (level->group_count++ == 0) level->first_group = (int32_t)written->groups;
        compile_group(a, plan, i, end, written);
    }
}

// Writes each level's nodes: as ranges in skeleton order, and by depth as products with their parents.
static void compile_moved_nodes(spring_arrays *a, const spring_plan *plan, spring_counts *written) {
    const sinew_skeleton *skeleton = plan->def->skeleton;
    for (int32_t node = 0; node < skeleton->node_count; node++) {
        if (starts_range(plan, node)) a->levels[plan->levels[node]].range_count++;
    }
    for (size_t i = 0; i < written->levels; i++) {
        a->levels[i].first_range = (int32_t)written->ranges;
        written->ranges += (size_t)a->levels[i].range_count;
        a->levels[i].range_count = 0;
    }
    for (int32_t node = 0; node < skeleton->node_count; node++) {
        if (plan->levels[node] < 0) continue;
        spring_level *level = &a->levels[plan->levels[node]];
        if (starts_range(plan, node)) a->ranges[level->first_range + level->range_count++].first = node;
        a->ranges[level->first_range + level->range_count - 1].end = node + 1;
    }
    for (int32_t i = 0; i < plan->moved_count; i++) {
        const moved_node *moved = &plan->moved[i];
        spring_level *level = &a->levels[moved->level];
        if (skeleton->parents[moved->node] == SINEW_NO_NODE) continue;
        if (level->product_count++ == 0) level->first_product = (int32_t)written->products;
        a->products[written->products++] = (sinewi_link){moved->node, skeleton->parents[moved->node]};
    }
}

// ---- Springs -------------------------------------------------------------------------------------------------

// Substeps are 1/120 s or shorter.
static int32_t substeps_of(float step) {
    return (int32_t)ceilf(step * 120.0f - 1e-3f);
}

static void compile(spring_arrays *a, const spring_plan *plan, const spring_counts *n) {
    const sinew_springs_def *def = plan->def;
    *a->springs = (sinew_springs){
        .skeleton = def->skeleton,
        .levels = a->levels,
        .groups = a->groups,
        .rows = a->rows,
        .chains = a->chains,
        .joints = a->joints,
        .links = a->links,
        .nodes = a->nodes,
        .constants = a->constants,
        .collisions = a->collisions,
        .ranges = a->ranges,
        .products = a->products,
        .colliders = a->colliders,
        .level_count = (int32_t)n->levels,
        .chain_count = (int32_t)n->chains,
        .joint_count = (int32_t)n->joints,
        .collider_count = def->collider_count,
        .state_count = n->states,
        .work_count = n->work,
        .step = def->step,
        .substeps = substeps_of(def->step),
        .max_steps = def->max_steps,
        .teleport_distance = def->teleport_distance,
        .allocator = def->allocator,
    };
    for (int32_t i = 0; i < def->collider_count; i++) a->colliders[i] = def->colliders[i];
    spring_counts written = {.levels = n->levels};
    compile_levels(a, plan, &written);
    compile_moved_nodes(a, plan, &written);
}

static sinew_result compile_plan(const spring_plan *plan, sinew_springs **springs, sinew_error *error) {
    const spring_counts n = count_parts(plan);
    sinewi_layout measure = {0};
    lay_out(&measure, plan->def, &n);
    sinewi_layout layout = {(char *)sinewi_allocate(&plan->def->allocator, measure.size, SINEWI_ALIGNMENT), 0};
    if (!layout.base) return sinewi_fail_memory(error);
    memset(layout.base, 0, measure.size); // lanes without a joint have zero constants and nodes
    spring_arrays arrays = lay_out(&layout, plan->def, &n);
    compile(&arrays, plan, &n);
    arrays.springs->size = measure.size;
    *springs = arrays.springs;
    return SINEW_OK;
}

sinew_result sinewi_spring_compile(const sinew_springs_def *def, sinew_springs **springs, sinew_error *error) {
    spring_plan plan = {.def = def};
    sinewi_layout measure = {0};
    lay_out_plan(&measure, &plan);
    sinewi_layout layout = {(char *)sinewi_allocate(&def->allocator, measure.size, sizeof(int32_t)), 0};
    if (!layout.base && measure.size > 0) return sinewi_fail_memory(error);
    lay_out_plan(&layout, &plan);
    plan_levels(&plan);
    plan_chains(&plan);
    plan_moved_nodes(&plan);
    const sinew_result result = compile_plan(&plan, springs, error);
    sinewi_release(&def->allocator, layout.base, measure.size, sizeof(int32_t));
    return result;
}
