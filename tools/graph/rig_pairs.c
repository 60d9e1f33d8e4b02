// SPDX-License-Identifier: MIT
// The rules about two steps: whether they do the same to a node, and whether one undoes an earlier one.
#include "graph/rig.h"

#include <string.h>

#define MAX_SPAN_PAIRS (1 << 20) // per two steps; more aren't compared

// Two steps. The second one runs later.
typedef struct pair {
    graph_model *m;
    int32_t first, second;
    const sinew_rig_step *earlier, *later;
    const graph_step_nodes *earlier_nodes, *later_nodes;
} pair;

static pair pair_of(graph_model *m, int32_t first, int32_t second) {
    const sinew_rig_step *steps = m->graph->steps;
    const graph_step_nodes *nodes = m->rig->steps;
    return (pair){m, first, second, &steps[first], &steps[second], &nodes[first], &nodes[second]};
}

static bool has(const int32_t *nodes, int32_t count, int32_t node) {
    for (int32_t i = 0; i < count; i++) {
        if (nodes[i] == node) return true;
    }
    return false;
}

static bool is_at_or_above(const graph_model *m, int32_t above, int32_t below) {
    return below >= above && below < m->clips->skeleton->subtree_ends[above];
}

// Returns text like "the step 'look', line 12".
static const char *describe(graph_model *m, const sinew_rig_step *step) {
    return step->line > 0 ? graph_text(m, "'%.200s', line %d,", step->name, (int)step->line)
                          : graph_text(m, "'%.200s'", step->name);
}

// Returns whether both steps can be on at once. `*cases` receives what their conditions can be.
static bool can_meet(const pair *p, graph_step_cases *cases) {
    const sinew_graph *graph = p->m->graph;
    if (!graph_weight_can_rise(graph, p->first) || !graph_weight_can_rise(graph, p->second)) return false;
    *cases = graph_compare_steps(p->m, p->first, p->second);
    return cases->is_known && cases->both;
}

// ---- Two steps that do the same ------------------------------------------------------------------------------------

static bool is_same_text(const char *a, const char *b) {
    return a && b && strcmp(a, b) == 0;
}

static bool share_window(const sinew_rig_root_warp *a, const sinew_rig_root_warp *b) {
    if (strcmp(a->clip, b->clip) != 0) return false;
    if (a->window || b->window) return is_same_text(a->window, b->window);
    return a->settings.start < b->settings.end && b->settings.start < a->settings.end;
}

// Returns the node that a step places or turns.
static const char *end_of(const sinew_rig_step *step) {
    static const char hips[] = SINEW_ROLE_PREFIX "hips";
    if (step->kind == SINEW_RIG_ORIENTATION_WARP) return step->node_count > 0 ? step->nodes[0] : hips;
    return step->kind == SINEW_RIG_AIM ? step->nodes[0] : step->nodes[step->node_count - 1];
}

static bool share_effector(const sinew_rig_body *a, const sinew_rig_body *b) {
    for (int32_t i = 0; i < a->effector_count; i++) {
        for (int32_t k = 0; !a->effectors[i].pin && k < b->effector_count; k++) {
            if (!b->effectors[k].pin && strcmp(a->effectors[i].node, b->effectors[k].node) == 0) return true;
        }
    }
    return false;
}

static bool share_target(const pair *p) {
    for (int32_t i = 0; i < p->earlier_nodes->target_count; i++) {
        if (has(p->later_nodes->targets, p->later_nodes->target_count, p->earlier_nodes->targets[i])) return true;
    }
    return false;
}

// Returns whether two steps of the same kind do the same to a node. Compares names first, because there may be no
// character.
static bool do_the_same(const pair *p) {
    const sinew_rig_step *a = p->earlier, *b = p->later;
    if (a->kind != b->kind) return false;
    switch (a->kind) {
    case SINEW_RIG_ROOT_WARP:
        return share_window(&a->root_warp, &b->root_warp);
    case SINEW_RIG_STRIDE_WARP:
    case SINEW_RIG_FOOT_LOCK:
    case SINEW_RIG_FOOT_PLACEMENT:
        return true;
    case SINEW_RIG_BODY:
        return share_effector(&a->body, &b->body) || share_target(p);
    case SINEW_RIG_ORIENTATION_WARP:
    case SINEW_RIG_LIMB:
    case SINEW_RIG_CHAIN:
    case SINEW_RIG_AIM:
        return strcmp(end_of(a), end_of(b)) == 0 || share_target(p);
    case SINEW_RIG_AIM_OFFSET: // it adds to the others
    case SINEW_RIG_SPRINGS:    // their nodes are compared
    case SINEW_RIG_CALLBACK:
        break;
    }
    return false;
}

static bool replaces(sinew_rig_kind kind) {
    return kind == SINEW_RIG_LIMB || kind == SINEW_RIG_CHAIN || kind == SINEW_RIG_AIM || kind == SINEW_RIG_BODY;
}

// Returns whether a later step replaces the earlier one on purpose: it applies partly, or in only some of its cases.
static bool is_special_case(const pair *p, const graph_step_cases *cases) {
    const sinew_rig_step *later = p->later;
    if (!replaces(later->kind)) return false;
    const bool is_partial = later->weight < 1 || later->weight_parameter != SINEW_GRAPH_NONE || later->weight_curve;
    return is_partial || (cases->only_first && !cases->only_second);
}

static void check_fight(const pair *p) {
    graph_step_cases cases;
    if (!do_the_same(p) || !can_meet(p, &cases) || is_special_case(p, &cases)) return;
    graph_finding finding = graph_about_step(p->m, GRAPH_STEPS_FIGHT, p->second);
    const char *effect = replaces(p->later->kind) ? "this one replaces it" : "it applies twice";
    finding.message =
        graph_text(p->m, "The step %s does the same to this node. Both can be on at once, and then %s.",
                   describe(p->m, p->earlier), effect);
    finding.advice = "Remove one of them, or make their conditions exclude each other.";
    graph_add(p->m, &finding);
}

// ---- The order -----------------------------------------------------------------------------------------------------

static bool is_warp(sinew_rig_kind kind) {
    return kind == SINEW_RIG_ORIENTATION_WARP || kind == SINEW_RIG_STRIDE_WARP;
}

// Returns whether a kind must not run after another one on any character.
static bool is_out_of_order(sinew_rig_kind earlier, sinew_rig_kind later) {
    switch (earlier) {
    case SINEW_RIG_FOOT_LOCK:
        return is_warp(later);
    case SINEW_RIG_FOOT_PLACEMENT:
        return is_warp(later) || later == SINEW_RIG_FOOT_LOCK;
    case SINEW_RIG_LIMB:
    case SINEW_RIG_CHAIN:
    case SINEW_RIG_AIM:
        return is_warp(later) || later == SINEW_RIG_FOOT_LOCK || later == SINEW_RIG_FOOT_PLACEMENT ||
               later == SINEW_RIG_AIM_OFFSET;
    default:
        return false;
    }
}

static bool moves(const graph_model *m, const graph_step_nodes *nodes, int32_t node) {
    for (int32_t i = 0; i < nodes->span_count; i++) {
        if (is_at_or_above(m, nodes->spans[i].top, node)) return true;
    }
    return false;
}

// Returns a node that the earlier step placed and the later one moves, or SINEW_NO_NODE.
static int32_t find_moved_target(const pair *p) {
    const graph_step_nodes *later = p->later_nodes;
    for (int32_t i = 0; i < p->earlier_nodes->target_count; i++) {
        const int32_t node = p->earlier_nodes->targets[i];
        const bool is_kept =
            has(later->targets, later->target_count, node) || has(later->pins, later->pin_count, node);
        if (!is_kept && moves(p->m, later, node)) return node;
    }
    return SINEW_NO_NODE;
}

// Returns a node whose position the earlier step read and the later one moves, or SINEW_NO_NODE.
static int32_t find_moved_source(const pair *p) {
    for (int32_t i = 0; i < p->earlier_nodes->source_count; i++) {
        const int32_t node = p->earlier_nodes->sources[i];
        if (moves(p->m, p->later_nodes, node)) return node;
    }
    return SINEW_NO_NODE;
}

// Returns what the later step undoes, as the end of a sentence, or NULL.
static const char *find_undone(const pair *p) {
    if (p->later->kind == SINEW_RIG_SPRINGS) return NULL;
    const int32_t target = find_moved_target(p),
                  source = target == SINEW_NO_NODE ? find_moved_source(p) : SINEW_NO_NODE;
    const sinew_skeleton *skeleton = p->m->clips ? p->m->clips->skeleton : NULL;
    if (skeleton && target != SINEW_NO_NODE)
        return graph_text(p->m, "moves '%.200s', which this one has placed", skeleton->names[target]);
    if (skeleton && source != SINEW_NO_NODE)
        return graph_text(p->m, "moves '%.200s', which this one reaches for", skeleton->names[source]);
    return is_out_of_order(p->earlier->kind, p->later->kind) ? "moves what this one has placed" : NULL;
}

// Reports the last step that undoes this one, because the fix is to run this one after it.
static void check_order(graph_model *m, int32_t first) {
    for (int32_t second = m->graph->step_count - 1; second > first; second--) {
        const pair p = pair_of(m, first, second);
        graph_step_cases cases;
        const char *undone = find_undone(&p);
        if (!undone || !can_meet(&p, &cases)) continue;
        graph_finding finding = graph_about_step(m, GRAPH_STEP_ORDER, first);
        const bool is_body = p.later->kind == SINEW_RIG_BODY && graph_moves_feet(p.earlier->kind);
        finding.message = graph_text(m, "The step %s runs later and %s.", describe(m, p.later), undone);
        finding.advice = is_body ? "Pin the feet in it, or move this step after it." : "Move this step after it.";
        graph_add(m, &finding);
        return;
    }
}

// ---- Springs -------------------------------------------------------------------------------------------------------

// Returns a node that both spans contain, or SINEW_NO_NODE.
static int32_t common_node(const graph_model *m, graph_span a, graph_span b) {
    int32_t node = SINEW_NO_NODE; // the lower of the tops
    if (is_at_or_above(m, a.top, b.top)) node = b.top;
    if (is_at_or_above(m, b.top, a.top)) node = a.top;
    if (node == SINEW_NO_NODE) return node;
    return is_at_or_above(m, node, a.bottom) && is_at_or_above(m, node, b.bottom) ? node : SINEW_NO_NODE;
}

static int32_t find_common_node(const pair *p) {
    const graph_step_nodes *a = p->earlier_nodes, *b = p->later_nodes;
    if ((int64_t)a->span_count * b->span_count > MAX_SPAN_PAIRS) return SINEW_NO_NODE;
    for (int32_t i = 0; i < a->span_count; i++) {
        for (int32_t k = 0; k < b->span_count; k++) {
            const int32_t node = common_node(p->m, a->spans[i], b->spans[k]);
            if (node != SINEW_NO_NODE) return node;
        }
    }
    return SINEW_NO_NODE;
}

static void check_springs(const pair *p) {
    graph_step_cases cases;
    if (p->later->kind != SINEW_RIG_SPRINGS) return;
    const int32_t node = find_common_node(p);
    if (node == SINEW_NO_NODE || !can_meet(p, &cases)) return;
    graph_finding finding = graph_about_step(p->m, GRAPH_SPRINGS_OVERLAP, p->second);
    finding.message = graph_text(p->m, "The step %s also moves '%.200s', so it swings away from there.",
                                 describe(p->m, p->earlier), p->m->clips->skeleton->names[node]);
    finding.advice = "Start the chain below that node.";
    graph_add(p->m, &finding);
}

void graph_check_step_pairs(graph_model *m) {
    for (int32_t second = 1; second < m->graph->step_count; second++) {
        for (int32_t first = 0; first < second; first++) {
            const pair p = pair_of(m, first, second);
            check_fight(&p);
            check_springs(&p);
        }
    }
    for (int32_t i = 0; i < m->graph->step_count; i++) check_order(m, i);
}
