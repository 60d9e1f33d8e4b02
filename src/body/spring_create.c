// SPDX-License-Identifier: MIT
// Spring definitions: checks.
#include "body/spring_data.h"

#include "base/angle.h"
#include "base/decay.h"
#include "base/def_cookie.h"
#include "base/fail.h"
#include "base/finite.h"
#include "base/memory.h"
#include "body/ik_math.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// ---- Checks --------------------------------------------------------------------------------------------------

static bool is_zero(sinew_vec3 v) {
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

// Fails with the location of the fault, like "springs: chain 2: joint 1: ...".
static sinew_result fail_joint(sinew_error *error, int32_t chain, int32_t joint, const char *message) {
    return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "springs: chain %d: joint %d: %s", (int)chain, (int)joint,
                       message);
}

static sinew_result fail_chain(sinew_error *error, int32_t chain, const char *message) {
    return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "springs: chain %d: %s", (int)chain, message);
}

static sinew_result fail_collider(sinew_error *error, int32_t collider, const char *message) {
    return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "springs: collider %d: %s", (int)collider, message);
}

// Returns the first fault of a joint's numbers, or NULL. NaN fails every comparison.
static const char *fault_of_joint(const sinew_spring_joint *j) {
    if (!SINEWI_HAS_COOKIE(j)) return "start from sinew_spring_joint_default()";
    if (!isfinite(j->stiffness) || j->stiffness < 0.0f) return "stiffness must be 0 or more";
    if (!(j->damping >= 0.0f)) return "damping must be 0 or more, or INFINITY";
    if (!(j->drag >= 0.0f)) return "drag must be 0 or more, or INFINITY";
    if (!sinewi_vec3_is_finite(j->gravity)) return "gravity must be finite";
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
            return fail_joint(error, chain, i, "node is not in the skeleton");
        if (i > 0 && !ik_is_descendant(def->skeleton, node, c->joints[i - 1].node))
            return fail_joint(error, chain, i, "its node must be a descendant of the previous joint's node");
    }
    return SINEW_OK;
}

static sinew_result check_chain(const sinew_springs_def *def, int32_t chain, sinew_error *error) {
    const sinew_spring_chain *c = &def->chains[chain];
    if (!SINEWI_HAS_COOKIE(c)) return fail_chain(error, chain, "start from sinew_spring_chain_default()");
    if (c->joint_count < 1 || !c->joints) return fail_chain(error, chain, "it needs at least one joint");
    if (!sinewi_vec3_is_finite(c->tail)) return fail_chain(error, chain, "tail must be finite");
    if (!isfinite(c->weight)) return fail_chain(error, chain, "weight must be finite");
    if (c->center != SINEW_NO_NODE && (c->center < 0 || c->center >= def->skeleton->node_count))
        return fail_chain(error, chain, "center is not in the skeleton");
    if (c->collider_count < 0 || (c->collider_count > 0 && !c->colliders))
        return fail_chain(error, chain, "collider_count is negative, or colliders is NULL");
    for (int32_t i = 0; i < c->collider_count; i++) {
        if (c->colliders[i] < 0 || c->colliders[i] >= def->collider_count)
            return fail_chain(error, chain, "an index in colliders is out of range");
    }
    return check_joints(def, chain, error);
}

static sinew_result check_collider(const sinew_springs_def *def, int32_t index, sinew_error *error) {
    const sinew_spring_collider *c = &def->colliders[index];
    if (!SINEWI_HAS_COOKIE(c)) return fail_collider(error, index, "start from sinew_spring_collider_default()");
    if (c->node != SINEW_NO_NODE && (c->node < 0 || c->node >= def->skeleton->node_count))
        return fail_collider(error, index, "node is not in the skeleton");
    if (!sinewi_vec3_is_finite(c->offset) || !sinewi_vec3_is_finite(c->tail))
        return fail_collider(error, index, "its positions must be finite");
    if (!isfinite(c->radius) || c->radius < 0.0f) return fail_collider(error, index, "radius must be 0 or more");
    if (c->shape == SINEW_SPRING_SHAPE_PLANE && (!sinewi_vec3_is_finite(c->normal) || is_zero(c->normal)))
        return fail_collider(error, index, "normal must be finite and not 0");
    return SINEW_OK;
}

static sinew_result check_def(const sinew_springs_def *def, sinew_error *error) {
    sinew_result result = SINEWI_CHECK_DEF(def, "sinew_springs_def: start from sinew_springs_default()", error);
    if (result != SINEW_OK) return result;
    if (!def->skeleton) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "springs: skeleton is NULL");
    if (def->chain_count < 0 || (def->chain_count > 0 && !def->chains))
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "springs: chain_count is negative, or chains is NULL");
    if (def->collider_count < 0 || (def->collider_count > 0 && !def->colliders))
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "springs: collider_count is negative, or colliders is NULL");
    if (!(def->step >= 0.001f && def->step <= 0.1f))
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "springs: step is %g s; it must be 0.001 to 0.1",
                           (double)def->step);
    if (def->max_steps < 1 || def->max_steps > 1000)
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "springs: max_steps is %d; it must be 1 to 1000",
                           (int)def->max_steps);
    if (!(def->teleport_distance >= 0.0f))
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "springs: teleport_distance must be 0 or more");
    for (int32_t i = 0; result == SINEW_OK && i < def->collider_count; i++) result = check_collider(def, i, error);
    for (int32_t i = 0; result == SINEW_OK && i < def->chain_count; i++) result = check_chain(def, i, error);
    return result;
}

// ---- Nodes that chains move ----------------------------------------------------------------------------------

// Marks a chain's nodes from its last joint up to its first. Fails if another chain already has one of them.
static sinew_result mark_chain(const sinew_springs_def *def, int32_t chain, bool *marked, sinew_error *error) {
    const sinew_spring_chain *c = &def->chains[chain];
    int32_t node = c->joints[c->joint_count - 1].node;
    for (;; node = def->skeleton->parents[node]) {
        if (marked[node])
            return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "springs: chain %d: node %d (\"%s\") is in two chains",
                               (int)chain, (int)node, def->skeleton->names[node]);
        marked[node] = true;
        if (node == c->joints[0].node) return SINEW_OK;
    }
}

// Checks that no chain moves the center. A chain moves all descendants of its nodes, so those above the center count.
static sinew_result check_center(const sinew_springs_def *def, int32_t chain, const bool *marked,
                                 sinew_error *error) {
    for (int32_t node = def->chains[chain].center; node != SINEW_NO_NODE; node = def->skeleton->parents[node]) {
        if (marked[node]) return fail_chain(error, chain, "a chain must not move its center");
    }
    return SINEW_OK;
}

static sinew_result check_nodes(const sinew_springs_def *def, sinew_error *error) {
    const size_t size = (size_t)def->skeleton->node_count * sizeof(bool);
    bool *marked = (bool *)sinewi_allocate(&def->allocator, size, sizeof(bool));
    if (!marked) return size > 0 ? sinewi_fail_memory(error) : SINEW_OK; // without nodes there are no chains
    sinew_result result = SINEW_OK;
    memset(marked, 0, size);
    for (int32_t i = 0; result == SINEW_OK && i < def->chain_count; i++) result = mark_chain(def, i, marked, error);
    for (int32_t i = 0; result == SINEW_OK && i < def->chain_count; i++)
        result = check_center(def, i, marked, error);
    sinewi_release(&def->allocator, marked, size, sizeof(bool));
    return result;
}

// ---- Springs -------------------------------------------------------------------------------------------------

sinew_result sinew_springs_create(const sinew_springs_def *def, sinew_springs **springs, sinew_error *error) {
    assert(springs);
    *springs = NULL;
    sinew_result result = check_def(def, error);
    if (result == SINEW_OK) result = check_nodes(def, error);
    if (result == SINEW_OK) result = sinewi_spring_compile(def, springs, error);
    return result;
}

void sinew_springs_destroy(sinew_springs *springs) {
    if (!springs) return;
    const sinew_allocator allocator = springs->allocator;
    sinewi_release(&allocator, springs, springs->size, SINEWI_ALIGNMENT);
}

int32_t sinew_springs_joint_count(const sinew_springs *springs) {
    assert(springs);
    return springs->joint_count;
}
