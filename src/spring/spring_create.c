// SPDX-License-Identifier: MIT
// Definitions of springs: defaults, checks, and compiling.
//
// A compiled chain is a list of joints that rotate, each with the nodes from it to its tail. Chains are sorted by their
// first nodes, so that a chain is solved after those that move it: skeletons are in depth-first order.
#include "spring/spring_data.h"

#include "core/angle.h"
#include "core/decay.h"
#include "core/def_cookie.h"
#include "core/fail.h"
#include "core/finite.h"
#include "core/memory.h"
#include "ik/ik_math.h"

#include <math.h>
#include <string.h>

// ---- Defaults ------------------------------------------------------------------------------------------------

static const float pi = 0x1.921fb6p+1f;

sinew_spring_collider sinew_spring_collider_default(void) {
    sinew_spring_collider collider = {.shape = SINEW_SPRING_SHAPE_SPHERE, .node = SINEW_NO_NODE};
    collider.normal = (sinew_vec3){0.0f, 1.0f, 0.0f};
    collider.cookie = SINEW_DEF_COOKIE;
    return collider;
}

sinew_spring_joint sinew_spring_joint_default(void) {
    sinew_spring_joint joint = {.node = SINEW_NO_NODE, .stiffness = 20.0f, .damping = 0.15f, .drag = 0.5f};
    joint.gravity = (sinew_vec3){0.0f, -9.81f, 0.0f};
    joint.wind = 1.0f;
    joint.limit = pi;
    joint.cookie = SINEW_DEF_COOKIE;
    return joint;
}

sinew_spring_chain sinew_spring_chain_default(void) {
    sinew_spring_chain chain = {.center = SINEW_NO_NODE, .weight = 1.0f};
    chain.cookie = SINEW_DEF_COOKIE;
    return chain;
}

sinew_springs_def sinew_springs_default(void) {
    sinew_springs_def def = {.step = 1.0f / 60.0f, .max_steps = 8, .teleport_distance = 2.0f};
    def.cookie = SINEW_DEF_COOKIE;
    return def;
}

sinew_springs_input sinew_springs_input_default(void) {
    sinew_springs_input input = {.world = sinew_affine_identity(), .weight = 1.0f};
    input.cookie = SINEW_DEF_COOKIE;
    return input;
}

// ---- Checks --------------------------------------------------------------------------------------------------

static bool is_zero(sinew_vec3 v) {
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

// Fails with the location of the fault: springs: chain 2: joint 1: ...
static sinew_result fail_joint(sinew_error *error, int32_t chain, int32_t joint, const char *message) {
    return sinew_fail(error, SINEW_ERROR_ARGUMENT, "springs: chain %d: joint %d: %s", (int)chain, (int)joint,
                      message);
}

static sinew_result fail_chain(sinew_error *error, int32_t chain, const char *message) {
    return sinew_fail(error, SINEW_ERROR_ARGUMENT, "springs: chain %d: %s", (int)chain, message);
}

static sinew_result fail_collider(sinew_error *error, int32_t collider, const char *message) {
    return sinew_fail(error, SINEW_ERROR_ARGUMENT, "springs: collider %d: %s", (int)collider, message);
}

// The first fault of a joint's numbers; NULL: none. NaN fails every comparison.
static const char *fault_of_joint(const sinew_spring_joint *j) {
    if (!SINEW_HAS_COOKIE(j)) return "start from sinew_spring_joint_default()";
    if (!isfinite(j->stiffness) || j->stiffness < 0.0f) return "stiffness must be 0 or more";
    if (!(j->damping >= 0.0f)) return "damping must be 0 or more, or INFINITY";
    if (!(j->drag >= 0.0f)) return "drag must be 0 or more, or INFINITY";
    if (!sinew_vec3_is_finite(j->gravity)) return "gravity must be finite";
    if (!isfinite(j->wind)) return "wind must be finite";
    if (!(j->limit >= 0.0f) || !isfinite(j->limit)) return "limit must be 0 or more";
    if (!isfinite(j->radius) || j->radius < 0.0f) return "radius must be 0 or more";
    return NULL;
}

static sinew_result check_joints(const sinew_springs_def *def, int32_t chain, sinew_error *error) {
    const sinew_spring_chain *c = &def->chains[chain];
    for (int32_t i = 0; i < c->joint_count; i++) {
        const char *fault = fault_of_joint(&c->joints[i]);
        if (fault) return fail_joint(error, chain, i, fault);
        const int32_t node = c->joints[i].node;
        if (node < 0 || node >= def->skeleton->node_count)
            return fail_joint(error, chain, i, "node is not one of the skeleton");
        if (i > 0 && !ik_is_descendant(def->skeleton, node, c->joints[i - 1].node))
            return fail_joint(error, chain, i, "its node is not a descendant of the joint before");
    }
    return SINEW_OK;
}

static sinew_result check_chain(const sinew_springs_def *def, int32_t chain, sinew_error *error) {
    const sinew_spring_chain *c = &def->chains[chain];
    if (!SINEW_HAS_COOKIE(c)) return fail_chain(error, chain, "start from sinew_spring_chain_default()");
    if (c->joint_count < 1 || !c->joints) return fail_chain(error, chain, "it needs at least one joint");
    if (!sinew_vec3_is_finite(c->tail)) return fail_chain(error, chain, "tail must be finite");
    if (!isfinite(c->weight)) return fail_chain(error, chain, "weight must be finite");
    if (c->center != SINEW_NO_NODE && (c->center < 0 || c->center >= def->skeleton->node_count))
        return fail_chain(error, chain, "center is not a node of the skeleton");
    if (c->collider_count < 0 || (c->collider_count > 0 && !c->colliders))
        return fail_chain(error, chain, "collider_count and colliders do not match");
    for (int32_t i = 0; i < c->collider_count; i++) {
        if (c->colliders[i] < 0 || c->colliders[i] >= def->collider_count)
            return fail_chain(error, chain, "an index of colliders is out of range");
    }
    return check_joints(def, chain, error);
}

static sinew_result check_collider(const sinew_springs_def *def, int32_t index, sinew_error *error) {
    const sinew_spring_collider *c = &def->colliders[index];
    if (!SINEW_HAS_COOKIE(c)) return fail_collider(error, index, "start from sinew_spring_collider_default()");
    if (c->node != SINEW_NO_NODE && (c->node < 0 || c->node >= def->skeleton->node_count))
        return fail_collider(error, index, "node is not one of the skeleton");
    if (!sinew_vec3_is_finite(c->offset) || !sinew_vec3_is_finite(c->tail))
        return fail_collider(error, index, "its positions must be finite");
    if (!isfinite(c->radius) || c->radius < 0.0f) return fail_collider(error, index, "radius must be 0 or more");
    if (c->shape == SINEW_SPRING_SHAPE_PLANE && (!sinew_vec3_is_finite(c->normal) || is_zero(c->normal)))
        return fail_collider(error, index, "normal must be finite and not 0");
    return SINEW_OK;
}

static sinew_result check_def(const sinew_springs_def *def, sinew_error *error) {
    sinew_result result = SINEW_CHECK_DEF(def, "sinew_springs_def: start from sinew_springs_default()", error);
    if (result != SINEW_OK) return result;
    if (!def->skeleton) return sinew_fail(error, SINEW_ERROR_ARGUMENT, "springs: skeleton is NULL");
    if (def->chain_count < 0 || (def->chain_count > 0 && !def->chains))
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "springs: chain_count and chains do not match");
    if (def->collider_count < 0 || (def->collider_count > 0 && !def->colliders))
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "springs: collider_count and colliders do not match");
    if (!(def->step >= 0.001f && def->step <= 0.1f))
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "springs: step is %g s; it must be 0.001 to 0.1",
                          (double)def->step);
    if (def->max_steps < 1 || def->max_steps > 1000)
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "springs: max_steps is %d; it must be 1 to 1000",
                          (int)def->max_steps);
    if (!(def->teleport_distance >= 0.0f))
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "springs: teleport_distance must be 0 or more");
    for (int32_t i = 0; result == SINEW_OK && i < def->collider_count; i++) result = check_collider(def, i, error);
    for (int32_t i = 0; result == SINEW_OK && i < def->chain_count; i++) result = check_chain(def, i, error);
    return result;
}

// ---- Nodes that chains move ----------------------------------------------------------------------------------

// Marks the nodes from the last joint up to the first one. Fails if a chain has one of them.
static sinew_result mark_chain(const sinew_springs_def *def, int32_t chain, bool *marked, sinew_error *error) {
    const sinew_spring_chain *c = &def->chains[chain];
    int32_t node = c->joints[c->joint_count - 1].node;
    for (;; node = def->skeleton->parents[node]) {
        if (marked[node])
            return sinew_fail(error, SINEW_ERROR_ARGUMENT, "springs: chain %d: node %d (\"%s\") is in two chains",
                              (int)chain, (int)node, def->skeleton->names[node]);
        marked[node] = true;
        if (node == c->joints[0].node) return SINEW_OK;
    }
}

// The nodes from which chains move all descendants.
static sinew_result check_center(const sinew_springs_def *def, int32_t chain, const bool *marked,
                                 sinew_error *error) {
    for (int32_t node = def->chains[chain].center; node != SINEW_NO_NODE; node = def->skeleton->parents[node]) {
        if (marked[node]) return fail_chain(error, chain, "a chain moves its center");
    }
    return SINEW_OK;
}

static sinew_result check_nodes(const sinew_springs_def *def, sinew_error *error) {
    const size_t size = (size_t)def->skeleton->node_count * sizeof(bool);
    bool *marked = (bool *)sinew_allocate(&def->allocator, size, sizeof(bool));
    if (!marked && size > 0) return sinew_fail_memory(error);
    sinew_result result = SINEW_OK;
    if (marked) memset(marked, 0, size);
    for (int32_t i = 0; result == SINEW_OK && i < def->chain_count; i++) result = mark_chain(def, i, marked, error);
    for (int32_t i = 0; result == SINEW_OK && i < def->chain_count; i++)
        result = check_center(def, i, marked, error);
    sinew_release(&def->allocator, marked, size, sizeof(bool));
    return result;
}

// ---- Compiling -----------------------------------------------------------------------------------------------

// The number of joints of a chain that rotate.
static int32_t moving_joints(const sinew_spring_chain *chain) {
    return is_zero(chain->tail) ? chain->joint_count - 1 : chain->joint_count;
}

typedef struct counts {
    size_t joints, links, collider_indices;
} counts;

static counts count_parts(const sinew_springs_def *def) {
    counts n = {0, 0, 0};
    for (int32_t i = 0; i < def->chain_count; i++) {
        const sinew_spring_chain *chain = &def->chains[i];
        n.joints += (size_t)moving_joints(chain);
        n.collider_indices += (size_t)chain->collider_count;
        int32_t node = chain->joints[chain->joint_count - 1].node;
        for (; node != chain->joints[0].node; node = def->skeleton->parents[node]) n.links++;
    }
    return n;
}

typedef struct springs_arrays {
    sinew_springs *springs;
    spring_chain *chains;
    spring_joint *joints;
    int32_t *links, *collider_indices;
    sinew_spring_collider *colliders;
} springs_arrays;

static springs_arrays lay_out(sinew_layout *layout, const sinew_springs_def *def, counts n) {
    springs_arrays a;
    a.springs = sinew_layout_array(layout, sinew_springs, 1, SINEW_ALIGNMENT);
    a.chains = sinew_layout_array(layout, spring_chain, (size_t)def->chain_count, sizeof(int32_t));
    a.joints = sinew_layout_array(layout, spring_joint, n.joints, sizeof(int32_t));
    a.links = sinew_layout_array(layout, int32_t, n.links, sizeof(int32_t));
    a.collider_indices = sinew_layout_array(layout, int32_t, n.collider_indices, sizeof(int32_t));
    a.colliders = sinew_layout_array(layout, sinew_spring_collider, (size_t)def->collider_count, sizeof(int32_t));
    return a;
}

// The part of a motion that is left after a step.
static float factor_of_half_life(float half_life, float step) {
    if (half_life == 0.0f) return 0.0f;
    if (isinf(half_life)) return 1.0f;
    return (float)sinew_decay(0.69314718055994531 * (double)step / (double)half_life);
}

static spring_joint compile_joint(const sinew_spring_joint *def, float step) {
    spring_joint joint = {.node = def->node, .radius = def->radius};
    joint.values.pull = def->stiffness * step * step;
    joint.values.fall[0] = def->gravity.x * step * step;
    joint.values.fall[1] = def->gravity.y * step * step;
    joint.values.fall[2] = def->gravity.z * step * step;
    joint.values.damping = factor_of_half_life(def->damping, step);
    joint.values.drag = factor_of_half_life(def->drag, step);
    joint.wind = (1.0f - joint.values.drag) * step * def->wind;
    joint.limit_cosine = def->limit < pi ? (float)sinew_sine_cosine_of((double)def->limit).cosine : -2.0f;
    return joint;
}

// Writes the nodes below `above`, down to `node`.
static int32_t write_links(const sinew_skeleton *skeleton, int32_t above, int32_t node, int32_t *links) {
    int32_t count = 0, at;
    for (int32_t i = node; i != above; i = skeleton->parents[i]) count++;
    at = count;
    for (int32_t i = node; i != above; i = skeleton->parents[i]) links[--at] = i;
    return count;
}

static void compile_chain(springs_arrays *a, const sinew_springs_def *def, int32_t source, spring_chain *out,
                          counts *written) {
    const sinew_spring_chain *chain = &def->chains[source];
    *out = (spring_chain){.source = source,
                          .center = chain->center,
                          .weight = chain->weight,
                          .from_rest = chain->from_rest,
                          .vrm = chain->vrm};
    out->parent = def->skeleton->parents[chain->joints[0].node];
    out->first_joint = (int32_t)written->joints;
    out->joint_count = moving_joints(chain);
    out->first_collider = (int32_t)written->collider_indices;
    out->collider_count = chain->collider_count;
    for (int32_t i = 0; i < chain->collider_count; i++)
        a->collider_indices[written->collider_indices++] = chain->colliders[i];
    for (int32_t i = 0; i < out->joint_count; i++) {
        spring_joint *joint = &a->joints[written->joints++];
        *joint = compile_joint(&chain->joints[i], def->step);
        joint->values.vrm = chain->vrm ? 1.0f : 0.0f;
        out->has_limits |= joint->limit_cosine >= -1.0f;
        joint->first_link = (int32_t)written->links;
        if (i + 1 == chain->joint_count) {
            joint->tail = chain->tail;
            continue;
        }
        joint->link_count =
            write_links(def->skeleton, joint->node, chain->joints[i + 1].node, a->links + written->links);
        written->links += (size_t)joint->link_count;
    }
}

// Returns the chain with the smallest first node above `node`.
static int32_t next_chain(const sinew_springs_def *def, int32_t node) {
    int32_t best = -1;
    for (int32_t i = 0; i < def->chain_count; i++) {
        const int32_t first = def->chains[i].joints[0].node;
        if (first > node && (best < 0 || first < def->chains[best].joints[0].node)) best = i;
    }
    return best;
}

// Groups the sorted chains: a group has at most as many as there are lanes, of which none moves another one. Returns whether
// no chain moves another one.
static bool group_chains(springs_arrays *a, const sinew_springs_def *def) {
    int32_t first = 0, moved_end = 0, all_end = 0; // the ends of the subtrees that the group and all chains move
    bool is_flat = true;
    for (int32_t i = 0; i < def->chain_count; i++) {
        const int32_t node = def->chains[a->chains[i].source].joints[0].node;
        const int32_t end = def->skeleton->subtree_ends[node];
        is_flat = is_flat && node >= all_end;
        if (i == 0 || i - first == SINEW_SPRING_LANES || node < moved_end) {
            a->chains[i].starts_group = true;
            first = i;
            moved_end = 0;
        }
        if (end > moved_end) moved_end = end;
        if (end > all_end) all_end = end;
    }
    return is_flat;
}

// Whether the subtrees of the chains are so many nodes that the update of all model matrices is faster.
static bool is_large_part(const sinew_springs_def *def) {
    int32_t nodes = 0;
    for (int32_t i = 0; i < def->chain_count; i++) {
        const int32_t node = def->chains[i].joints[0].node;
        nodes += def->skeleton->subtree_ends[node] - node + 8; // and a call
    }
    return nodes > def->skeleton->node_count / 2;
}

static void compile(springs_arrays *a, const sinew_springs_def *def) {
    counts written = {0, 0, 0};
    for (int32_t i = 0, node = -1; i < def->chain_count; i++) {
        const int32_t source = next_chain(def, node);
        compile_chain(a, def, source, &a->chains[i], &written);
        node = def->chains[source].joints[0].node;
    }
    for (int32_t i = 0; i < def->collider_count; i++) a->colliders[i] = def->colliders[i];
    const bool is_flat = group_chains(a, def);
    *a->springs = (sinew_springs){
        .skeleton = def->skeleton,
        .chains = a->chains,
        .joints = a->joints,
        .links = a->links,
        .collider_indices = a->collider_indices,
        .colliders = a->colliders,
        .chain_count = def->chain_count,
        .joint_count = (int32_t)written.joints,
        .collider_count = def->collider_count,
        .updates_whole_model = is_flat && is_large_part(def),
        .step = def->step,
        .max_steps = def->max_steps,
        .teleport_distance = def->teleport_distance,
        .allocator = def->allocator,
    };
}

// ---- Springs -------------------------------------------------------------------------------------------------

sinew_result sinew_springs_create(const sinew_springs_def *def, sinew_springs **springs, sinew_error *error) {
    assert(springs);
    *springs = NULL;
    sinew_result result = check_def(def, error);
    if (result == SINEW_OK) result = check_nodes(def, error);
    if (result != SINEW_OK) return result;
    const counts n = count_parts(def);
    sinew_layout measure = {0};
    lay_out(&measure, def, n);
    sinew_layout layout = {(char *)sinew_allocate(&def->allocator, measure.size, SINEW_ALIGNMENT), 0};
    if (!layout.base) return sinew_fail_memory(error);
    springs_arrays arrays = lay_out(&layout, def, n);
    compile(&arrays, def);
    arrays.springs->size = measure.size;
    *springs = arrays.springs;
    return SINEW_OK;
}

void sinew_springs_destroy(sinew_springs *springs) {
    if (!springs) return;
    const sinew_allocator allocator = springs->allocator;
    sinew_release(&allocator, springs, springs->size, SINEW_ALIGNMENT);
}

const sinew_skeleton *sinew_springs_skeleton(const sinew_springs *springs) {
    assert(springs);
    return springs->skeleton;
}

int32_t sinew_springs_joint_count(const sinew_springs *springs) {
    assert(springs);
    return springs->joint_count;
}
