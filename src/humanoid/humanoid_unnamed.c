// SPDX-License-Identifier: MIT
// Finds roles by shape alone: pairs of mirrored chains, two that lead down and two that lead to the sides.
#include "humanoid/humanoid_unnamed.h"

#include "base/float_rules.h"
#include "core/skeleton_object.h"
#include "humanoid/humanoid_shape.h"

#include <float.h>
#include <string.h>

typedef struct body_shape {
    const sinew_skeleton *skeleton;
    sinew_vec3 up;
    sinew_vec3 *positions; // [node_count], in model space
    float *lowest;         // [node_count], along up, over each subtree
    float *highest;
    float height; // from the lowest node to the highest
} body_shape;

// ---- Measures ------------------------------------------------------------------------------------------------

static float height_at(const body_shape *f, int32_t node) {
    return sinew_vec3_dot(f->positions[node], f->up);
}

static bool measure(body_shape *f, const sinew_skeleton *skeleton, sinewi_arena *scratch) {
    const size_t count = (size_t)skeleton->node_count;
    sinew_affine *matrices = sinewi_arena_array(scratch, sinew_affine, count);
    f->skeleton = skeleton;
    f->positions = sinewi_arena_array(scratch, sinew_vec3, count);
    f->lowest = sinewi_arena_array(scratch, float, count);
    f->highest = sinewi_arena_array(scratch, float, count);
    if (!matrices || !f->positions || !f->lowest || !f->highest) return false;
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        const int32_t parent = skeleton->parents[i];
        matrices[i] = sinewi_skeleton_rest_local(skeleton, i);
        if (parent != SINEW_NO_NODE) matrices[i] = sinew_affine_multiply(matrices[parent], matrices[i]);
        f->positions[i].x = matrices[i].m[0][3];
        f->positions[i].y = matrices[i].m[1][3];
        f->positions[i].z = matrices[i].m[2][3];
        f->lowest[i] = f->highest[i] = height_at(f, i);
    }
    float low = FLT_MAX, high = -FLT_MAX;
    for (int32_t i = skeleton->node_count - 1; i >= 0; i--) {
        const int32_t parent = skeleton->parents[i];
        if (f->lowest[i] < low) low = f->lowest[i];
        if (f->highest[i] > high) high = f->highest[i];
        if (parent == SINEW_NO_NODE) continue;
        if (f->lowest[i] < f->lowest[parent]) f->lowest[parent] = f->lowest[i];
        if (f->highest[i] > f->highest[parent]) f->highest[parent] = f->highest[i];
    }
    f->height = high - low;
    return true;
}

static sinew_vec3 horizontal(const body_shape *f, int32_t from, int32_t to) {
    const sinew_vec3 offset = sinew_vec3_subtract(f->positions[to], f->positions[from]);
    return sinew_vec3_subtract(offset, sinew_vec3_scale(f->up, sinew_vec3_dot(offset, f->up)));
}

// ---- Pairs ---------------------------------------------------------------------------------------------------

// Of a node's children, this many are compared with each other.
#define MAX_PAIR_CHILDREN 16

// Lists a node's first children. Returns how many.
static int32_t list_children(const sinew_skeleton *skeleton, int32_t node, int32_t *children) {
    int32_t count = 0;
    for (int32_t child = node + 1; child < skeleton->subtree_ends[node] && count < MAX_PAIR_CHILDREN;
         child = skeleton->subtree_ends[child])
        children[count++] = child;
    return count;
}

// Whether two children mirror each other: at the same height, on opposite sides of the node.
static bool is_mirrored(const body_shape *f, int32_t node, int32_t a, int32_t b) {
    const sinew_vec3 to_a = horizontal(f, node, a), to_b = horizontal(f, node, b);
    const float rise = height_at(f, a) - height_at(f, b);
    const float apart = sinew_vec3_length(sinew_vec3_subtract(to_a, to_b));
    const float middle = sinew_vec3_length(sinew_vec3_add(to_a, to_b));
    return apart > 0.02f * f->height && middle < 0.25f * apart + 0.05f * f->height && rise < 0.02f * f->height &&
           rise > -0.02f * f->height;
}

// Whether both lead down by at least a quarter of the height, and to the same level.
static bool are_legs(const body_shape *f, int32_t node, int32_t a, int32_t b) {
    const float top = height_at(f, node) - 0.25f * f->height, apart = f->lowest[a] - f->lowest[b];
    return f->lowest[a] < top && f->lowest[b] < top && apart < 0.02f * f->height && apart > -0.02f * f->height;
}

// A chain has at least three nodes.
static bool is_chain(const sinew_skeleton *skeleton, int32_t node) {
    return skeleton->subtree_ends[node] >= node + 3;
}

static bool find_pair(const body_shape *f, int32_t node, bool legs, int32_t pair[2]) {
    int32_t children[MAX_PAIR_CHILDREN];
    const int32_t count = list_children(f->skeleton, node, children);
    for (int32_t i = 0; i < count; i++) {
        for (int32_t k = i + 1; k < count; k++) {
            const int32_t a = children[i], b = children[k];
            if (!is_chain(f->skeleton, a) || !is_chain(f->skeleton, b) || !is_mirrored(f, node, a, b) ||
                are_legs(f, node, a, b) != legs)
                continue;
            pair[0] = a;
            pair[1] = b;
            return true;
        }
    }
    return false;
}

// ---- Chains --------------------------------------------------------------------------------------------------

// Follows a chain along the child with the largest subtree. Returns how many nodes it has, at most four.
static int32_t follow(const sinew_skeleton *skeleton, int32_t node, int32_t chain[4]) {
    int32_t count = 0;
    while (node != SINEW_NO_NODE && count < 4) {
        int32_t children[MAX_PAIR_CHILDREN], largest = SINEW_NO_NODE, size = 0;
        const int32_t child_count = list_children(skeleton, node, children);
        chain[count++] = node;
        for (int32_t i = 0; i < child_count; i++) {
            if (skeleton->subtree_ends[children[i]] - children[i] <= size) continue;
            largest = children[i];
            size = skeleton->subtree_ends[largest] - largest;
        }
        node = largest;
    }
    return count;
}

// The child that leads up highest, and above the node. Skips a pair of limbs. SINEW_NO_NODE if there isn't one.
static int32_t highest_child(const body_shape *f, int32_t node, const int32_t *pair) {
    int32_t children[MAX_PAIR_CHILDREN], best = SINEW_NO_NODE;
    const int32_t count = list_children(f->skeleton, node, children);
    for (int32_t i = 0; i < count; i++) {
        if (pair && (children[i] == pair[0] || children[i] == pair[1])) continue;
        if (!(f->highest[children[i]] > height_at(f, node))) continue;
        if (best == SINEW_NO_NODE || f->highest[children[i]] > f->highest[best]) best = children[i];
    }
    return best;
}

// ---- Roles ---------------------------------------------------------------------------------------------------

// The largest number of joints in a spine.
#define MAX_SPINE 16

typedef struct trunk {
    int32_t hips, legs[2], arms[2];
    int32_t spine[MAX_SPINE], spine_count; // from the hips up to the node that has the arms
    int32_t neck;                          // that node's child towards the head
} trunk;

// Climbs from the hips to the node that has the arms.
static bool find_trunk(const body_shape *f, trunk *t) {
    int32_t node = highest_child(f, t->hips, t->legs);
    for (t->spine_count = 0; node != SINEW_NO_NODE && t->spine_count < MAX_SPINE;
         node = highest_child(f, node, NULL)) {
        t->spine[t->spine_count++] = node;
        if (!find_pair(f, node, false, t->arms)) continue;
        t->neck = highest_child(f, node, t->arms);
        return t->neck != SINEW_NO_NODE;
    }
    return false;
}

// Puts the left limb first, seen along where the feet point. Returns false if nothing shows that.
static bool find_left(const body_shape *f, trunk *t) {
    sinew_vec3 forward = {0.0f, 0.0f, 0.0f};
    for (int32_t i = 0; i < 2; i++) {
        int32_t leg[4];
        if (follow(f->skeleton, t->legs[i], leg) == 4)
            forward = sinew_vec3_add(forward, horizontal(f, leg[2], leg[3]));
    }
    if (!(sinew_vec3_length(forward) > 0.02f * f->height)) return false;
    const sinew_vec3 left = sinew_vec3_cross(f->up, forward);
    int32_t *pairs[2] = {t->legs, t->arms};
    for (int32_t i = 0; i < 2; i++) {
        if (sinew_vec3_dot(horizontal(f, pairs[i][1], pairs[i][0]), left) >= 0.0f) continue;
        const int32_t kept = pairs[i][0];
        pairs[i][0] = pairs[i][1];
        pairs[i][1] = kept;
    }
    return true;
}

static void set_limbs(const body_shape *f, const trunk *t, int32_t side, sinew_humanoid *humanoid) {
    int32_t chain[4];
    const int32_t leg = side == 0 ? SINEW_HUMANOID_LEFT_UPPER_LEG : SINEW_HUMANOID_RIGHT_UPPER_LEG;
    const int32_t arm = side == 0 ? SINEW_HUMANOID_LEFT_SHOULDER : SINEW_HUMANOID_RIGHT_SHOULDER;
    int32_t count = follow(f->skeleton, t->legs[side], chain);
    for (int32_t i = 0; i < count; i++) humanoid->nodes[leg + i] = chain[i];
    count = follow(f->skeleton, t->arms[side], chain);
    for (int32_t i = 0; i < count; i++) humanoid->nodes[arm + 4 - count + i] = chain[i];
}

static void set_trunk(const body_shape *f, const trunk *t, sinew_humanoid *humanoid) {
    const int32_t count = t->spine_count;
    const int32_t head = highest_child(f, t->neck, NULL);
    humanoid->nodes[SINEW_HUMANOID_HIPS] = t->hips;
    humanoid->nodes[SINEW_HUMANOID_SPINE] = t->spine[0];
    if (count > 1) humanoid->nodes[SINEW_HUMANOID_CHEST] = t->spine[count == 2 ? 1 : count / 2];
    if (count > 2) humanoid->nodes[SINEW_HUMANOID_UPPER_CHEST] = t->spine[count - 1];
    humanoid->nodes[SINEW_HUMANOID_HEAD] = head == SINEW_NO_NODE ? t->neck : head;
    if (head != SINEW_NO_NODE) humanoid->nodes[SINEW_HUMANOID_NECK] = t->neck;
}

bool sinewi_humanoid_find_unnamed(const sinew_skeleton *skeleton, sinew_up up, sinewi_arena *scratch,
                                  sinew_humanoid *humanoid) {
    body_shape f;
    trunk t;
    memset(&f, 0, sizeof f);
    memset(&t, 0, sizeof t);
    if (up == SINEW_UP_Z) {
        f.up.z = 1.0f;
    } else {
        f.up.y = 1.0f;
    }
    if (!measure(&f, skeleton, scratch)) return false;
    for (t.hips = 0; t.hips < skeleton->node_count; t.hips++) {
        if (!find_pair(&f, t.hips, true, t.legs) || !find_trunk(&f, &t)) continue;
        if (!find_left(&f, &t)) return true;
        set_trunk(&f, &t, humanoid);
        set_limbs(&f, &t, 0, humanoid);
        set_limbs(&f, &t, 1, humanoid);
        return true;
    }
    return true;
}
