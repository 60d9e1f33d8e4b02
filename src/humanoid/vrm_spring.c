// SPDX-License-Identifier: MIT
// Springs from the spring bones of VRM files.
//
// VRMC_springBone 1.0 moves a tail by its last motion × (1 - dragForce), by stiffness × dt towards its rest, and by
// gravityPower × dt along gravityDir. A joint's compiled values are these, with the step as dt.
#include <sinew/humanoid/vrm.h>

#include "body/spring_data.h"

#include "base/finite.h"
#include "base/memory.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

// In VRM 0.x, the last node of a branch has a tail of this length in meters.
#define LEAF_TAIL 0.07f

// The file's chains, in arrays that grow with them.
typedef struct builder {
    const sinew_vrm *vrm;
    const sinew_skeleton *skeleton;
    sinewi_arena arena;
    sinew_spring_chain *chains;             // [chain_capacity]
    sinew_spring_joint *joints;             // [node_count], because a node is in at most one chain
    const sinew_vrm_spring_joint **sources; // [node_count], by node
    bool *used;                             // [node_count], whether a chain uses the node
    int32_t chain_count, joint_count;
} builder;

static float not_negative(float x) {
    return x > 0.0f && x <= FLT_MAX ? x : 0.0f; // NaN becomes 0
}

static bool is_below(const sinew_skeleton *skeleton, int32_t node, int32_t above) {
    return node > above && node < skeleton->subtree_ends[above];
}

// ---- Chains --------------------------------------------------------------------------------------------------

static void add_joint(builder *b, const sinew_vrm_spring_joint *source, int32_t node) {
    sinew_spring_joint joint = sinew_spring_joint_default();
    joint.node = node;
    joint.radius = not_negative(source->hit_radius);
    b->joints[b->joint_count++] = joint;
    b->sources[node] = source;
}

// Adds a chain from the joints that were added last.
static sinew_spring_chain *add_chain(builder *b, const sinew_vrm_spring *spring, int32_t first_joint) {
    sinew_spring_chain *chain = &b->chains[b->chain_count++];
    *chain = sinew_spring_chain_default();
    chain->joints = b->joints + first_joint;
    chain->joint_count = b->joint_count - first_joint;
    chain->center = spring->center;
    chain->from_rest = chain->vrm = true;
    return chain;
}

// Marks the nodes from the last joint up to the first. If one of them is already in a chain, returns
// false and marks none.
static bool take_nodes(builder *b, const sinew_vrm_spring *spring) {
    const int32_t first = spring->joints[0].node, last = spring->joints[spring->joint_count - 1].node;
    for (int32_t i = 1; i < spring->joint_count; i++) {
        if (!is_below(b->skeleton, spring->joints[i].node, spring->joints[i - 1].node)) return false;
    }
    for (int32_t node = last;; node = b->skeleton->parents[node]) {
        if (b->used[node]) return false;
        if (node == first) break;
    }
    for (int32_t node = last; node != first; node = b->skeleton->parents[node]) b->used[node] = true;
    b->used[first] = true;
    return true;
}

static void add_spring(builder *b, const sinew_vrm_spring *spring) {
    if (spring->joint_count < 2 || !take_nodes(b, spring)) return;
    const int32_t first_joint = b->joint_count;
    for (int32_t i = 0; i < spring->joint_count; i++) add_joint(b, &spring->joints[i], spring->joints[i].node);
    add_chain(b, spring, first_joint);
}

// ---- VRM 0.x -------------------------------------------------------------------------------------------------

static int32_t first_child(const sinew_skeleton *skeleton, int32_t node) {
    return node + 1 < skeleton->subtree_ends[node] ? node + 1 : SINEW_NO_NODE;
}

static sinew_affine rest_model(const sinew_skeleton *skeleton, int32_t node) {
    sinew_affine matrix = sinew_affine_identity();
    for (; node != SINEW_NO_NODE; node = skeleton->parents[node]) {
        matrix = sinew_affine_multiply(sinew_affine_from_transform(skeleton->rest[node]), matrix);
    }
    return matrix;
}

// A leaf's tail continues the line from its parent in the rest pose.
static sinew_vec3 leaf_tail(const sinew_skeleton *skeleton, int32_t node) {
    const sinew_affine model = rest_model(skeleton, node), parent = rest_model(skeleton, skeleton->parents[node]);
    const sinew_affine inverse = sinew_affine_inverse(model);
    sinew_vec3 line = {model.m[0][3] - parent.m[0][3], model.m[1][3] - parent.m[1][3],
                       model.m[2][3] - parent.m[2][3]};
    line = sinew_vec3_scale(sinew_vec3_normalize(line), LEAF_TAIL);
    const sinew_vec3 tail = sinew_affine_direction(inverse, line);
    const bool is_finite = isfinite(tail.x) && isfinite(tail.y) && isfinite(tail.z);
    return is_finite ? tail : (sinew_vec3){0.0f, 0.0f, 0.0f};
}

// Adds a chain from a node, along first children, to a leaf or to a node that is already in a chain.
static void add_branch(builder *b, const sinew_vrm_spring *spring, const sinew_vrm_spring_joint *source,
                       int32_t node) {
    const int32_t first_joint = b->joint_count;
    int32_t last = node;
    for (; node != SINEW_NO_NODE && !b->used[node]; node = first_child(b->skeleton, node)) {
        add_joint(b, source, node);
        b->used[node] = true;
        last = node;
    }
    sinew_spring_chain *chain = add_chain(b, spring, first_joint);
    chain->tail = leaf_tail(b->skeleton, last);
}

// In depth-first order, each node that isn't in a chain yet starts a branch.
static void add_subtree(builder *b, const sinew_vrm_spring *spring, const sinew_vrm_spring_joint *source) {
    for (int32_t node = source->node; node < b->skeleton->subtree_ends[source->node]; node++) {
        if (!b->used[node]) add_branch(b, spring, source, node);
    }
}

// ---- Colliders -----------------------------------------------------------------------------------------------

static sinew_spring_collider collider_of(const sinew_vrm_collider *c) {
    static const sinew_spring_shape shapes[] = {SINEW_SPRING_SHAPE_SPHERE, SINEW_SPRING_SHAPE_CAPSULE,
                                                SINEW_SPRING_SHAPE_PLANE};
    sinew_spring_collider collider = sinew_spring_collider_default();
    collider.shape = shapes[c->shape];
    collider.node = c->node;
    collider.inside = c->inside;
    collider.offset = c->offset;
    collider.tail = c->tail;
    collider.normal = c->normal;
    collider.radius = not_negative(c->radius);
    return collider;
}

static bool add_colliders(builder *b, sinew_springs_def *def) {
    sinew_spring_collider *colliders =
        sinewi_arena_array(&b->arena, sinew_spring_collider, (size_t)b->vrm->collider_count);
    if (!colliders) return false;
    for (int32_t i = 0; i < b->vrm->collider_count; i++) colliders[i] = collider_of(&b->vrm->colliders[i]);
    def->colliders = colliders;
    def->collider_count = b->vrm->collider_count;
    return true;
}

// Gives the colliders of a spring's groups to its chains, in the file's order.
static bool set_colliders(builder *b, const sinew_vrm_spring *spring, int32_t first_chain) {
    size_t count = 0;
    for (int32_t i = 0; i < spring->group_count; i++)
        count += (size_t)b->vrm->collider_groups[spring->groups[i]].collider_count;
    int32_t *indices = sinewi_arena_array(&b->arena, int32_t, count), written = 0;
    if (!indices || count > INT32_MAX) return false;
    for (int32_t i = 0; i < spring->group_count; i++) {
        const sinew_vrm_collider_group *group = &b->vrm->collider_groups[spring->groups[i]];
        for (int32_t k = 0; k < group->collider_count; k++) indices[written++] = group->colliders[k];
    }
    for (int32_t i = first_chain; i < b->chain_count; i++) {
        b->chains[i].colliders = indices;
        b->chains[i].collider_count = written;
    }
    return true;
}

// ---- Springs -------------------------------------------------------------------------------------------------

static bool start_builder(builder *b) {
    const size_t count = (size_t)b->skeleton->node_count;
    b->chains = sinewi_arena_array(&b->arena, sinew_spring_chain, count);
    b->joints = sinewi_arena_array(&b->arena, sinew_spring_joint, count);
    b->sources = sinewi_arena_zeros(&b->arena, const sinew_vrm_spring_joint *, count);
    b->used = sinewi_arena_zeros(&b->arena, bool, count);
    return b->chains && b->joints && b->sources && b->used;
}

static bool add_springs(builder *b) {
    for (int32_t i = 0; i < b->vrm->spring_count; i++) {
        const sinew_vrm_spring *spring = &b->vrm->springs[i];
        const int32_t first_chain = b->chain_count;
        if (!spring->subtrees) add_spring(b, spring);
        for (int32_t k = 0; spring->subtrees && k < spring->joint_count; k++)
            add_subtree(b, spring, &spring->joints[k]);
        if (!set_colliders(b, spring, first_chain)) return false;
    }
    return true;
}

// Ignores a center that a chain moves.
static void check_centers(builder *b) {
    for (int32_t i = 0; i < b->chain_count; i++) {
        int32_t node = b->chains[i].center;
        while (node != SINEW_NO_NODE && !b->used[node]) node = b->skeleton->parents[node];
        if (node != SINEW_NO_NODE) b->chains[i].center = SINEW_NO_NODE;
    }
}

static void set_vrm_constants(const builder *b, sinew_springs *springs) {
    const float step = springs->step;
    for (int32_t i = 0; i < springs->joint_count; i++) {
        const spring_joint *joint = &springs->joints[i];
        const sinew_vrm_spring_joint *source = b->sources[joint->node];
        const float drag = not_negative(source->drag), left = drag < 1.0f ? 1.0f - drag : 0.0f;
        const float fall = isfinite(source->gravity_power) ? source->gravity_power * step : 0.0f;
        sinewi_spring_set_constant(springs, joint, SINEWI_SPRING_PULL, not_negative(source->stiffness) * step);
        sinewi_spring_set_constant(springs, joint, SINEWI_SPRING_FALL, source->gravity.x * fall);
        sinewi_spring_set_constant(springs, joint, SINEWI_SPRING_FALL + 1, source->gravity.y * fall);
        sinewi_spring_set_constant(springs, joint, SINEWI_SPRING_FALL + 2, source->gravity.z * fall);
        sinewi_spring_set_constant(springs, joint, SINEWI_SPRING_DAMPING, 1.0f);
        sinewi_spring_set_constant(springs, joint, SINEWI_SPRING_DRAG, left);
        sinewi_spring_set_constant(springs, joint, SINEWI_SPRING_WIND, (1.0f - left) * step);
    }
}

static sinew_result build(builder *b, const sinew_allocator *allocator, sinew_springs **springs) {
    sinew_springs_def def = sinew_springs_default();
    if (!start_builder(b) || !add_springs(b) || !add_colliders(b, &def)) return SINEW_ERROR_OUT_OF_MEMORY;
    check_centers(b);
    def.skeleton = b->skeleton;
    def.chains = b->chains;
    def.chain_count = b->chain_count;
    if (allocator) def.allocator = *allocator;
    const sinew_result result = sinew_springs_create(&def, springs, NULL);
    if (result == SINEW_OK) set_vrm_constants(b, *springs);
    return result;
}

sinew_result sinew_springs_create_from_vrm(const sinew_vrm *vrm, const sinew_allocator *allocator,
                                           sinew_springs **springs) {
    assert(vrm && springs);
    *springs = NULL;
    builder b = {.vrm = vrm, .skeleton = vrm->skeleton};
    sinewi_arena_init(&b.arena, allocator);
    const sinew_result result = build(&b, allocator, springs);
    sinewi_arena_free(&b.arena);
    return result;
}
