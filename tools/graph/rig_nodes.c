// SPDX-License-Identifier: MIT
// Compares the nodes, clips and curves that a rig's steps name with the character.
#include "graph/rig.h"

#include <string.h>

// The step being read.
typedef struct reader {
    graph_model *m;
    int32_t index;
    const sinew_rig_step *step;
    graph_step_nodes *nodes;
} reader;

// ---- Nodes ---------------------------------------------------------------------------------------------------------

static int32_t find_node(reader *r, const char *name, const char *user) {
    const int32_t node = graph_check_node(r->m, graph_about_step(r->m, GRAPH_NODE_MISSING, r->index), name, user);
    if (node == SINEW_NO_NODE) r->nodes->is_complete = false;
    return node;
}

// Returns the node in the step's list, or SINEW_NO_NODE if the list is shorter.
static int32_t find_listed(reader *r, int32_t index) {
    return index < r->step->node_count ? find_node(r, r->step->nodes[index], "The step") : SINEW_NO_NODE;
}

static void add_span(reader *r, int32_t top, int32_t bottom) {
    graph_step_nodes *n = r->nodes;
    if (top == SINEW_NO_NODE || bottom == SINEW_NO_NODE) return;
    if (n->span_count == n->span_capacity) {
        const int32_t capacity = n->span_capacity > 0 ? 2 * n->span_capacity : 4;
        graph_span *grown = graph_array(r->m, graph_span, capacity);
        if (!grown) return;
        if (n->span_count > 0) memcpy(grown, n->spans, (size_t)n->span_count * sizeof *grown);
        n->spans = grown;
        n->span_capacity = capacity;
    }
    n->spans[n->span_count++] = (graph_span){top, bottom};
}

static void add_target(reader *r, int32_t node) {
    if (node != SINEW_NO_NODE) r->nodes->targets[r->nodes->target_count++] = node;
}

static void read_goal(reader *r, const sinew_rig_goal *goal, const char *user) {
    const int32_t node = goal->node ? find_node(r, goal->node, user) : SINEW_NO_NODE;
    if (node != SINEW_NO_NODE) r->nodes->sources[r->nodes->source_count++] = node;
}

// ---- Feet ----------------------------------------------------------------------------------------------------------

bool graph_moves_feet(sinew_rig_kind kind) {
    return kind == SINEW_RIG_STRIDE_WARP || kind == SINEW_RIG_FOOT_LOCK || kind == SINEW_RIG_FOOT_PLACEMENT;
}

// Returns whether this is the first step that moves feet. Only that one reports feet names.
static bool is_first_with_feet(const reader *r) {
    for (int32_t i = 0; i < r->index; i++) {
        if (graph_moves_feet(r->m->graph->steps[i].kind)) return false;
    }
    return true;
}

static int32_t find_foot_node(reader *r, const char *name, bool reports) {
    if (reports) return find_node(r, name, "A foot");
    if (!graph_is_role(name)) return graph_find_name(&r->m->node_names, name);
    const int32_t role = sinew_humanoid_find_role(name + sizeof SINEW_ROLE_PREFIX - 1);
    return role == SINEW_NO_ROLE ? SINEW_NO_NODE : sinew_humanoid_node_of(&r->m->humanoid, role);
}

static void add_foot(reader *r, int32_t thigh, int32_t foot) {
    add_span(r, thigh, foot);
    if (r->step->kind != SINEW_RIG_STRIDE_WARP) add_target(r, foot);
}

static void read_named_feet(reader *r) {
    const bool reports = is_first_with_feet(r);
    for (int32_t i = 0; i < r->m->graph->foot_count; i++) {
        const sinew_rig_foot *foot = &r->m->graph->feet[i];
        const char *const names[4] = {foot->thigh, foot->shin, foot->foot, foot->toes};
        int32_t nodes[4] = {SINEW_NO_NODE, SINEW_NO_NODE, SINEW_NO_NODE, SINEW_NO_NODE};
        for (int k = 0; k < 4; k++) {
            if (names[k]) nodes[k] = find_foot_node(r, names[k], reports);
            if (names[k] && nodes[k] == SINEW_NO_NODE) r->nodes->is_complete = false;
        }
        add_foot(r, nodes[0], nodes[2]);
    }
}

static void read_feet(reader *r) {
    const int32_t *nodes = r->m->humanoid.nodes;
    if (r->m->graph->foot_count > 0) {
        read_named_feet(r);
        return;
    }
    add_foot(r, nodes[SINEW_HUMANOID_LEFT_UPPER_LEG], nodes[SINEW_HUMANOID_LEFT_FOOT]);
    add_foot(r, nodes[SINEW_HUMANOID_RIGHT_UPPER_LEG], nodes[SINEW_HUMANOID_RIGHT_FOOT]);
}

// ---- The kinds -----------------------------------------------------------------------------------------------------

static void read_clip(reader *r, const char *name) {
    if (!name) return;
    if (graph_check_clip(r->m, graph_about_step(r->m, GRAPH_CLIP_MISSING, r->index), name)) return;
    r->nodes->is_complete = false;
}

static void read_grid(reader *r) {
    const sinew_rig_grid *grid = &r->step->aim_offset;
    for (int32_t i = 0; i < grid->yaw_count * grid->pitch_count; i++) read_clip(r, grid->clips[i]);
    read_clip(r, grid->reference);
    for (int32_t i = 0; i < grid->part_count; i++) {
        if (!grid->parts[i].curve) find_node(r, grid->parts[i].name, "The mask");
    }
}

static void read_orientation_warp(reader *r) {
    int32_t hips = find_listed(r, 0), last = SINEW_NO_NODE;
    for (int32_t i = 1; i < r->step->node_count; i++) last = find_listed(r, i);
    if (hips == SINEW_NO_NODE) hips = r->m->humanoid.nodes[SINEW_HUMANOID_HIPS];
    add_span(r, hips, last == SINEW_NO_NODE ? hips : last);
}

static void read_pelvis(reader *r) {
    int32_t pelvis = find_listed(r, 0);
    if (pelvis == SINEW_NO_NODE) pelvis = r->m->humanoid.nodes[SINEW_HUMANOID_HIPS];
    add_span(r, pelvis, pelvis);
}

// Returns the node whose role is above a node's role, or the parent node.
static int32_t above(const graph_model *m, int32_t *role, int32_t node) {
    *role = *role == SINEW_NO_ROLE ? SINEW_NO_ROLE : sinew_humanoid_role_parent(*role);
    const int32_t by_role = *role == SINEW_NO_ROLE ? SINEW_NO_NODE : m->humanoid.nodes[*role];
    if (by_role != SINEW_NO_NODE) return by_role;
    return node == SINEW_NO_NODE ? SINEW_NO_NODE : m->clips->skeleton->parents[node];
}

static void read_limb(reader *r) {
    const int32_t count = r->step->node_count;
    int32_t upper = find_listed(r, 0), end = upper;
    for (int32_t i = 1; i < count; i++) end = find_listed(r, i);
    int32_t role = end == SINEW_NO_NODE ? SINEW_NO_ROLE : sinew_humanoid_role_of(&r->m->humanoid, end);
    for (int i = 0; count == 1 && i < 2; i++) upper = above(r->m, &role, upper);
    add_span(r, upper, end);
    add_target(r, end);
    read_goal(r, &r->step->goal, "The goal");
    read_goal(r, &r->step->pole, "The pole");
}

static void read_chain(reader *r) {
    const int32_t root = find_listed(r, 0), tip = find_listed(r, 1);
    add_span(r, root, tip);
    add_target(r, tip);
    read_goal(r, &r->step->goal, "The goal");
    read_goal(r, &r->step->pole, "The pole");
}

static void read_body(reader *r) {
    const sinew_rig_body *body = &r->step->body;
    int32_t root = find_listed(r, 0);
    if (root == SINEW_NO_NODE) root = r->m->humanoid.nodes[SINEW_HUMANOID_HIPS];
    for (int32_t i = 0; i < body->effector_count; i++) {
        const sinew_rig_effector *effector = &body->effectors[i];
        const int32_t node = find_node(r, effector->node, "An effector");
        add_span(r, root, node);
        if (effector->pin && node != SINEW_NO_NODE) r->nodes->pins[r->nodes->pin_count++] = node;
        if (effector->pin) continue;
        add_target(r, node);
        read_goal(r, &effector->goal, "An effector's goal");
    }
}

static void read_aim(reader *r) {
    const int32_t node = find_listed(r, 0);
    find_listed(r, 1);
    add_span(r, node, node);
    add_target(r, node);
    read_goal(r, &r->step->goal, "The goal");
}

// Returns the last node below `root` along first children. That's where a chain without a tip ends.
static int32_t last_first_child(const sinew_skeleton *skeleton, int32_t root) {
    int32_t node = root;
    while (node != SINEW_NO_NODE && node + 1 < skeleton->subtree_ends[node]) node++;
    return node;
}

static void read_springs(reader *r) {
    const sinew_rig_springs *springs = &r->step->springs;
    for (int32_t i = 0; i < springs->chain_count; i++) {
        const sinew_rig_spring *chain = &springs->chains[i];
        const int32_t root = find_node(r, chain->root, "A chain");
        const int32_t tip =
            chain->tip ? find_node(r, chain->tip, "A chain") : last_first_child(r->m->clips->skeleton, root);
        add_span(r, root, tip);
        if (chain->center) find_node(r, chain->center, "A chain's center");
    }
    for (int32_t i = 0; i < springs->collider_count; i++) {
        if (springs->colliders[i].node) find_node(r, springs->colliders[i].node, "A collider");
    }
}

static void read_kind(reader *r) {
    switch (r->step->kind) {
    case SINEW_RIG_ROOT_WARP:
        read_clip(r, r->step->root_warp.clip);
        break;
    case SINEW_RIG_AIM_OFFSET:
        read_grid(r);
        break;
    case SINEW_RIG_ORIENTATION_WARP:
        read_orientation_warp(r);
        break;
    case SINEW_RIG_STRIDE_WARP:
    case SINEW_RIG_FOOT_PLACEMENT:
        read_pelvis(r);
        read_feet(r);
        break;
    case SINEW_RIG_FOOT_LOCK:
        read_feet(r);
        break;
    case SINEW_RIG_LIMB:
        read_limb(r);
        break;
    case SINEW_RIG_CHAIN:
        read_chain(r);
        break;
    case SINEW_RIG_BODY:
        read_body(r);
        break;
    case SINEW_RIG_AIM:
        read_aim(r);
        break;
    case SINEW_RIG_SPRINGS:
        read_springs(r);
        break;
    case SINEW_RIG_CALLBACK:
        break;
    }
}

static void read_curves(reader *r) {
    const graph_finding finding = graph_about_step(r->m, GRAPH_CURVE_MISSING, r->index);
    graph_check_condition_curves(r->m, finding, &r->m->graph->step_conditions[r->index]);
    if (r->step->weight_curve)
        graph_check_curve(r->m, finding, r->step->weight_curve, "T", ", which weightCurve uses");
    const sinew_rig_grid *grid = &r->step->aim_offset;
    for (int32_t i = 0; r->step->kind == SINEW_RIG_AIM_OFFSET && i < grid->part_count; i++) {
        if (grid->parts[i].curve)
            graph_check_curve(r->m, finding, grid->parts[i].name, "T", ", which the mask uses");
    }
}

void graph_read_step_nodes(graph_model *m) {
    if (!m->clips) return;
    for (int32_t i = 0; i < m->graph->step_count; i++) {
        reader r = {m, i, &m->graph->steps[i], &m->rig->steps[i]};
        r.nodes->is_complete = true;
        read_kind(&r);
        read_curves(&r);
    }
}
