// SPDX-License-Identifier: MIT
// Feet of a skeleton: found by the shape of the rest pose or given by the caller, with their sole points and legs.
#include "body/feet_data.h"
#include "body/ik_math.h"
#include "base/def_cookie.h"
#include "base/fail.h"
#include "base/float_rules.h"
#include "core/skeleton_object.h"

#include <assert.h>
#include <math.h>

// ---- One foot ------------------------------------------------------------------------------------------------

static sinew_affine rest_model(const sinew_skeleton *skeleton, int32_t node) {
    sinew_affine matrix = sinewi_skeleton_rest_local(skeleton, node);
    for (int32_t i = skeleton->parents[node]; i != SINEW_NO_NODE; i = skeleton->parents[i]) {
        matrix = sinew_affine_multiply(sinewi_skeleton_rest_local(skeleton, i), matrix);
    }
    return matrix;
}

void sinew_foot_add_point(sinew_foot *foot, const sinew_skeleton *skeleton, int32_t node, sinew_vec3 point) {
    assert(foot && skeleton && node >= 0 && node < skeleton->node_count);
    assert(foot->point_count >= 0 && foot->point_count < SINEW_MAX_FOOT_POINTS);
    sinew_affine into = sinew_affine_inverse(rest_model(skeleton, node));
    foot->points[foot->point_count++] = (sinew_foot_point){node, sinew_affine_point(into, point)};
}

static sinew_vec3 ground_below(const sinew_skeleton *skeleton, int32_t node, sinew_vec3 up) {
    sinew_affine model = rest_model(skeleton, node);
    return ik_reject(ik_position(&model), up);
}

static sinew_foot foot_without_leg(int32_t node) {
    return (sinew_foot){
        .node = node,
        .leg = {.upper = SINEW_NO_NODE, .lower = SINEW_NO_NODE, .end = SINEW_NO_NODE},
    };
}

sinew_foot sinew_foot_from_rest(const sinew_skeleton *skeleton, int32_t thigh, int32_t shin, int32_t foot,
                                int32_t toes, sinew_vec3 up) {
    sinew_foot made = {.node = foot, .leg = sinew_ik_two_bone_from_rest(skeleton, thigh, shin, foot)};
    bool has_toes = toes != SINEW_NO_NODE;
    if (made.leg.upper == SINEW_NO_NODE || (has_toes && !ik_is_at_or_below(skeleton, toes, foot)))
        return foot_without_leg(SINEW_NO_NODE);
    sinew_foot_add_point(&made, skeleton, foot, ground_below(skeleton, foot, up));
    if (has_toes) sinew_foot_add_point(&made, skeleton, toes, ground_below(skeleton, toes, up));
    return made;
}

bool sinewi_feet_have_legs(const sinew_foot *feet, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (!SINEWI_IS_DEF(&feet[i].leg, "sinew_foot: start from sinew_foot_from_rest()")) return false;
    }
    return true;
}

// ---- The rest pose -------------------------------------------------------------------------------------------

// Visits a skeleton's nodes depth first and keeps their rest-pose model matrices. Nodes more than SINEWI_MAX_FOOT_DEPTH
// levels deep are skipped, because there is room for that many ancestor matrices.
typedef struct rest_walk {
    const sinew_skeleton *skeleton;
    int32_t node;  // the current one
    int32_t depth; // its depth, from 0 for a root
    int32_t nodes[SINEWI_MAX_FOOT_DEPTH];
    sinew_affine matrices[SINEWI_MAX_FOOT_DEPTH]; // of the current node and its ancestors, by depth
} rest_walk;

static void start_walk(rest_walk *walk, const sinew_skeleton *skeleton) {
    walk->skeleton = skeleton;
    walk->node = SINEW_NO_NODE;
    walk->depth = -1;
}

static bool walk_on(rest_walk *walk) {
    const sinew_skeleton *skeleton = walk->skeleton;
    int32_t node = walk->node + 1;
    if (walk->depth == SINEWI_MAX_FOOT_DEPTH - 1) node = skeleton->subtree_ends[walk->node];
    if (node >= skeleton->node_count) return false;
    while (walk->depth >= 0 && skeleton->subtree_ends[walk->nodes[walk->depth]] <= node) walk->depth--;
    sinew_affine local = sinewi_skeleton_rest_local(skeleton, node);
    int32_t parent = walk->depth++;
    walk->node = walk->nodes[walk->depth] = node;
    walk->matrices[walk->depth] = parent < 0 ? local : sinew_affine_multiply(walk->matrices[parent], local);
    return true;
}

static float height_of(sinew_up up, sinew_vec3 position) {
    return up == SINEW_UP_Z ? position.z : position.y;
}

static float ground_distance(sinew_up up, sinew_vec3 a, sinew_vec3 b) {
    float x = a.x - b.x, y = up == SINEW_UP_Z ? a.y - b.y : a.z - b.z;
    return sqrtf(x * x + y * y);
}

static bool is_in_subtree(const sinew_skeleton *skeleton, int32_t node, int32_t ancestor) {
    return node >= ancestor && node < skeleton->subtree_ends[ancestor];
}

static int32_t common_ancestor(const sinew_skeleton *skeleton, int32_t a, int32_t b) {
    while (a != SINEW_NO_NODE && !is_in_subtree(skeleton, b, a)) a = skeleton->parents[a];
    return a;
}

int32_t sinewi_feet_body(const sinew_feet *feet) {
    int32_t body = feet->skeleton->parents[feet->feet[0].node];
    for (int32_t i = 1; i < feet->foot_count && body != SINEW_NO_NODE; i++)
        body = common_ancestor(feet->skeleton, body, feet->feet[i].node);
    return body;
}

// ---- Feet from nodes -----------------------------------------------------------------------------------------

static bool is_too_deep(const sinew_skeleton *skeleton, int32_t node) {
    int32_t depth = 0;
    for (; node != SINEW_NO_NODE && depth < SINEWI_MAX_FOOT_DEPTH; depth++) node = skeleton->parents[node];
    return node != SINEW_NO_NODE;
}

static sinew_result check_nodes(const sinew_skeleton *skeleton, const int32_t *nodes, int32_t count,
                                sinew_error *error) {
    if (count < 1 || count > SINEW_MAX_FEET) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "feet: %d nodes; there must be 1 to %d", (int)count,
                           SINEW_MAX_FEET);
    }
    for (int32_t i = 0; i < count; i++) {
        if (nodes[i] < 0 || nodes[i] >= skeleton->node_count) {
            return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "feet: node %d, but the skeleton has %d nodes",
                               (int)nodes[i], (int)skeleton->node_count);
        }
        if (is_too_deep(skeleton, nodes[i])) {
            return sinewi_fail(error, SINEW_ERROR_LIMIT, "feet: node %d (%s) is more than %d levels deep",
                               (int)nodes[i], skeleton->names[nodes[i]], SINEWI_MAX_FOOT_DEPTH);
        }
        for (int32_t k = 0; k < count; k++) {
            if (k == i || !is_in_subtree(skeleton, nodes[i], nodes[k])) continue;
            return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                               "feet: node %d (%s) is below node %d (%s), or is the same node", (int)nodes[i],
                               skeleton->names[nodes[i]], (int)nodes[k], skeleton->names[nodes[k]]);
        }
    }
    return SINEW_OK;
}

// Heights in the rest pose.
typedef struct rest_heights {
    float lowest_foot; // over the feet and their descendants
    float highest;     // over all descendants of the feet's common ancestor
} rest_heights;

static rest_heights find_heights(const sinew_feet *feet) {
    const sinew_skeleton *skeleton = feet->skeleton;
    rest_heights heights = {INFINITY, -INFINITY};
    int32_t body = sinewi_feet_body(feet);
    rest_walk walk;
    start_walk(&walk, skeleton);
    while (walk_on(&walk)) {
        if (body != SINEW_NO_NODE && !is_in_subtree(skeleton, walk.node, body)) continue;
        float height = height_of(feet->up, ik_position(&walk.matrices[walk.depth]));
        if (height > heights.highest) heights.highest = height;
        for (int32_t i = 0; i < feet->foot_count; i++) {
            if (height < heights.lowest_foot && is_in_subtree(skeleton, walk.node, feet->feet[i].node))
                heights.lowest_foot = height;
        }
    }
    return heights;
}

// Height of the ground in the rest pose: 0, unless the feet are below it or high above it.
static float ground_of(rest_heights heights) {
    float low = heights.lowest_foot;
    return low < 0.0f || low > 0.5f * (heights.highest - low) ? low : 0.0f;
}

// Adds the ground point straight below a node. Does nothing if the foot is full or the node has zero scale.
static void add_point(sinew_foot *foot, sinew_up up, int32_t node, const sinew_affine *matrix, float ground) {
    if (foot->point_count == SINEW_MAX_FOOT_POINTS) return;
    sinew_vec3 below = ik_position(matrix);
    *(up == SINEW_UP_Z ? &below.z : &below.y) = ground;
    sinew_vec3 point = sinew_affine_point(sinew_affine_inverse(*matrix), below);
    if (!isfinite(point.x) || !isfinite(point.y) || !isfinite(point.z)) point = (sinew_vec3){0, 0, 0};
    foot->points[foot->point_count++] = (sinew_foot_point){node, point};
}

static void add_points(sinew_feet *feet, float ground) {
    rest_walk walk;
    start_walk(&walk, feet->skeleton);
    while (walk_on(&walk)) {
        for (int32_t i = 0; i < feet->foot_count; i++) {
            sinew_foot *foot = &feet->feet[i];
            if (!is_in_subtree(feet->skeleton, walk.node, foot->node)) continue;
            add_point(foot, feet->up, walk.node, &walk.matrices[walk.depth], ground);
        }
    }
}

sinew_result sinew_feet_from_nodes(const sinew_skeleton *skeleton, const int32_t *nodes, int32_t count, sinew_up up,
                                   sinew_feet *feet, sinew_error *error) {
    assert(skeleton && nodes && feet);
    *feet = (sinew_feet){.skeleton = skeleton, .up = up};
    sinew_result result = check_nodes(skeleton, nodes, count, error);
    if (result != SINEW_OK) return result;
    feet->foot_count = count;
    for (int32_t i = 0; i < count; i++) feet->feet[i] = foot_without_leg(nodes[i]);
    rest_heights heights = find_heights(feet);
    float ground = ground_of(heights);
    feet->height = heights.highest - ground;
    if (!(feet->height > 0.0f) || !isfinite(feet->height)) {
        feet->foot_count = 0;
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "feet: no part of the character is above its feet in the rest pose");
    }
    add_points(feet, ground);
    return SINEW_OK;
}

// ---- Finding feet --------------------------------------------------------------------------------------------

enum { MAX_LEAVES = 64 };

// Fractions of the rest pose's height.
#define SAME        0.02f  // closer than this counts as equal
#define LOWEST_PART 0.125f // a foot is at most this far above the lowest pair
#define BODY_PART   0.25f  // a pair's common ancestor is at most this far below the highest one

// A node without children.
typedef struct leaf {
    int32_t node, depth;
    sinew_vec3 position;
    float height;
} leaf;

typedef struct foot_search {
    const sinew_skeleton *skeleton;
    sinew_up up;
    int32_t leaf_count;
    leaf leaves[MAX_LEAVES]; // the lowest ones, sorted by height
    float size;              // from the skeleton's lowest leaf to its highest
    float limit;             // maximum height of a foot
    float body_height;       // maximum height of a pair's common ancestor
    int32_t foot_count;
    int32_t feet[SINEW_MAX_FEET];
    int32_t limbs[SINEW_MAX_FEET]; // for each foot, the common ancestor's child above it
} foot_search;

static void add_leaf(foot_search *search, leaf added) {
    int32_t slot = search->leaf_count;
    while (slot > 0 && search->leaves[slot - 1].height > added.height) slot--;
    if (slot == MAX_LEAVES) return;
    if (search->leaf_count < MAX_LEAVES) search->leaf_count++;
    for (int32_t i = search->leaf_count - 1; i > slot; i--) search->leaves[i] = search->leaves[i - 1];
    search->leaves[slot] = added;
}

static void find_leaves(foot_search *search) {
    const sinew_skeleton *skeleton = search->skeleton;
    float lowest = INFINITY, highest = -INFINITY;
    rest_walk walk;
    start_walk(&walk, skeleton);
    while (walk_on(&walk)) {
        if (skeleton->subtree_ends[walk.node] != walk.node + 1) continue;
        sinew_vec3 position = ik_position(&walk.matrices[walk.depth]);
        float height = height_of(search->up, position);
        if (!isfinite(height)) continue;
        lowest = fminf(lowest, height);
        highest = fmaxf(highest, height);
        add_leaf(search, (leaf){walk.node, walk.depth, position, height});
    }
    search->size = highest - lowest;
}

// Two leaves that end matching limbs: a candidate pair of feet.
typedef struct foot_pair {
    const leaf *leaves[2];
    int32_t body; // their lowest common ancestor
    float body_height;
    float height; // of the higher leaf
} foot_pair;

static sinew_vec3 rest_position(const sinew_skeleton *skeleton, int32_t node) {
    sinew_vec3 position = {0, 0, 0};
    for (; node != SINEW_NO_NODE; node = skeleton->parents[node])
        position = sinew_affine_point(sinewi_skeleton_rest_local(skeleton, node), position);
    return position;
}

static bool is_pair(const foot_search *search, const leaf *a, const leaf *b, foot_pair *pair) {
    float tolerance = SAME * search->size;
    if (a->depth != b->depth || !(fabsf(a->height - b->height) <= tolerance)) return false;
    if (!(ground_distance(search->up, a->position, b->position) > tolerance)) return false;
    int32_t body = common_ancestor(search->skeleton, a->node, b->node);
    if (body == SINEW_NO_NODE) return false;
    sinew_vec3 center = rest_position(search->skeleton, body);
    float to_a = ground_distance(search->up, a->position, center);
    float to_b = ground_distance(search->up, b->position, center);
    if (!(fabsf(to_a - to_b) <= tolerance)) return false;
    *pair = (foot_pair){{a, b}, body, height_of(search->up, center), fmaxf(a->height, b->height)};
    return true;
}

typedef void pair_visit(foot_search *search, const foot_pair *pair);

static void visit_pairs(foot_search *search, pair_visit *visit) {
    foot_pair pair;
    for (int32_t i = 0; i < search->leaf_count; i++) {
        for (int32_t k = i + 1; k < search->leaf_count; k++) {
            if (is_pair(search, &search->leaves[i], &search->leaves[k], &pair)) visit(search, &pair);
        }
    }
}

static void find_lowest(foot_search *search, const foot_pair *pair) {
    search->limit = fminf(search->limit, pair->height + LOWEST_PART * search->size);
}

static void find_highest_body(foot_search *search, const foot_pair *pair) {
    if (pair->height <= search->limit) search->body_height = fmaxf(search->body_height, pair->body_height);
}

// The child of `ancestor` above a node.
static int32_t limb_of(const sinew_skeleton *skeleton, int32_t node, int32_t ancestor) {
    while (skeleton->parents[node] != ancestor) node = skeleton->parents[node];
    return node;
}

// Climbs from a leaf to the highest node of its limb that is still low enough for a foot.
static int32_t foot_above(const foot_search *search, int32_t node, int32_t body) {
    const sinew_skeleton *skeleton = search->skeleton;
    for (int32_t up = skeleton->parents[node]; up != body; up = skeleton->parents[up]) {
        if (!(height_of(search->up, rest_position(skeleton, up)) <= search->limit)) break;
        node = up;
    }
    return node;
}

static bool is_new_limb(const foot_search *search, int32_t limb) {
    for (int32_t i = 0; i < search->foot_count; i++) {
        if (is_in_subtree(search->skeleton, limb, search->limbs[i]) ||
            is_in_subtree(search->skeleton, search->limbs[i], limb))
            return false;
    }
    return true;
}

static void add_feet(foot_search *search, const foot_pair *pair) {
    if (pair->height > search->limit || search->foot_count + 2 > SINEW_MAX_FEET) return;
    if (pair->body_height < search->body_height - BODY_PART * search->size) return;
    int32_t limbs[2];
    for (int i = 0; i < 2; i++) {
        limbs[i] = limb_of(search->skeleton, pair->leaves[i]->node, pair->body);
        if (!is_new_limb(search, limbs[i])) return;
    }
    for (int i = 0; i < 2; i++) {
        search->limbs[search->foot_count] = limbs[i];
        search->feet[search->foot_count++] = foot_above(search, pair->leaves[i]->node, pair->body);
    }
}

sinew_result sinew_feet_find(const sinew_skeleton *skeleton, sinew_up up, sinew_feet *feet, sinew_error *error) {
    assert(skeleton && feet);
    *feet = (sinew_feet){.skeleton = skeleton, .up = up};
    foot_search search = {.skeleton = skeleton, .up = up, .limit = INFINITY, .body_height = -INFINITY};
    find_leaves(&search);
    visit_pairs(&search, find_lowest);
    visit_pairs(&search, find_highest_body);
    visit_pairs(&search, add_feet);
    if (search.foot_count > 0)
        return sinew_feet_from_nodes(skeleton, search.feet, search.foot_count, up, feet, error);
    return sinewi_fail(error, SINEW_ERROR_UNSUPPORTED,
                       "feet: found no matching limbs that end at the bottom of the rest pose");
}
