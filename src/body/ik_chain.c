// SPDX-License-Identifier: MIT
// Chains of joints: bends a chain within its limits until its tip reaches a target (sinew/body/ik_chain.h).
//
// FABRIK (A. Aristidou, J. Lasenby, "FABRIK: a fast, iterative solver for the inverse kinematics problem", 2011) or
// cyclic coordinate descent (L. Wang, C. Chen, 1991) bends the chain first. Then damped least squares
// (body/ik_chain_tree.h) moves the tip onto the target.
#include <sinew/body/ik_chain.h>

#include "body/ik_chain_tree.h"
#include "core/skeleton_object.h"
#include "base/def_cookie.h"

#include <assert.h>

enum { FABRIK_PASSES = 6, PATH_STEPS = 16, DEFAULT_RESTARTS = 16, MAX_RESTARTS = 64 };

// A start is given up if a step leaves more than this part of the squared error. FABRIK's start is exempt, because
// FABRIK straightens chains.
static const float slowest = 0.95f;

// Maximum number of steps after the path. A long chain needs more of them to become straight.
static int32_t step_count(const ik_tree *tree) {
    return 24 + 2 * tree->joint_count;
}

// ---- The chain as a tree -------------------------------------------------------------------------------------

static int32_t chain_length(const sinew_skeleton *skeleton, int32_t root, int32_t tip) {
    int32_t count = 1;
    for (int32_t node = tip; node != root; node = skeleton->parents[node]) count++;
    return count;
}

static void add_chain_nodes(const sinew_ik_chain *def, const sinew_pose *pose, int32_t count, ik_tree *tree) {
    int32_t nodes[SINEW_MAX_CHAIN_NODES];
    for (int32_t i = count - 1, node = def->tip; i >= 0; i--, node = pose->skeleton->parents[node]) nodes[i] = node;
    for (int32_t i = 0; i < count; i++) (void)sinewi_ik_tree_add(tree, pose, nodes[i], i - 1);
}

static ik_tree_joint *tip_of(ik_tree *tree) {
    return &tree->joints[tree->joint_count - 1];
}

// The sum of the distances between the joints.
static float measure_chain(const ik_tree *tree) {
    float sum = 0.0f;
    for (int32_t i = 1; i < tree->joint_count; i++)
        sum += ik_length(ik_subtract(tree->joints[i].position, tree->joints[i - 1].position));
    return sum;
}

// ---- Cyclic coordinate descent -------------------------------------------------------------------------------

static sinew_quat unit_rotation_between(sinew_vec3 from, sinew_vec3 to) {
    float lengths = sqrtf(ik_dot(from, from) * ik_dot(to, to));
    if (!(lengths > 0.0f)) return ik_identity;
    sinew_quat q = ik_rotation_between(from, to, lengths, ik_perpendicular(from));
    float square = ik_quat_square(q);
    return ik_is_normalizable(square) ? ik_quat_scale_to_unit(q, square) : ik_identity;
}

// Rotates each joint, from the tip to the root, until the tip is on the line to the target. Updates only the position
// of the tip, because it's the only one that the joints above depend on.
static void sweep_to_target(ik_tree *tree) {
    sinew_vec3 tip = tip_of(tree)->position, target = tree->effectors[0].target;
    for (int32_t i = tree->joint_count - 2; i >= 0; i--) {
        ik_tree_joint *joint = &tree->joints[i];
        if (!(joint->mobility > 0.0f)) continue;
        sinew_vec3 from = ik_linear_apply(&joint->into, ik_subtract(tip, joint->position));
        sinew_vec3 to = ik_linear_apply(&joint->into, ik_subtract(target, joint->position));
        sinew_vec3 lever = ik_rotate(ik_inverse(joint->rotation), from);
        sinew_quat turn = unit_rotation_between(from, to);
        if (joint->mobility < 1.0f) turn = ik_blend(ik_identity, turn, joint->mobility);
        joint->rotation = ik_quat_normalize(ik_multiply(turn, joint->rotation));
        joint->at = sinewi_ik_limit_apply(&joint->limit, &joint->rotation);
        tip = ik_add(joint->position, ik_linear_apply(&joint->linear, ik_rotate(joint->rotation, lever)));
    }
    sinewi_ik_tree_place(tree);
}

// ---- FABRIK --------------------------------------------------------------------------------------------------

// The point at `distance` from `from` towards `to`.
static sinew_vec3 point_towards(sinew_vec3 from, sinew_vec3 to, float distance) {
    sinew_vec3 line = ik_subtract(to, from);
    float length = ik_length(line);
    return length > 0.0f ? ik_add(from, ik_scale(line, distance / length)) : from;
}

// Rotates the joints, root first, to point their bones at the given positions.
static void rotate_to_points(ik_tree *tree, const sinew_vec3 *points) {
    for (int32_t i = 0; i + 1 < tree->joint_count; i++) {
        sinewi_ik_tree_place_one(tree, i);
        ik_tree_joint *joint = &tree->joints[i];
        if (!(joint->mobility > 0.0f)) continue;
        sinew_vec3 bone = ik_linear_apply(&joint->own_linear, tree->joints[i + 1].offset);
        sinew_vec3 from = ik_linear_apply(&joint->into, bone);
        sinew_vec3 to = ik_linear_apply(&joint->into, ik_subtract(points[i + 1], joint->position));
        joint->rotation = ik_quat_normalize(ik_multiply(unit_rotation_between(from, to), joint->rotation));
        joint->at = sinewi_ik_limit_apply(&joint->limit, &joint->rotation);
        sinewi_ik_tree_place_one(tree, i);
    }
    sinewi_ik_tree_place(tree);
}

// Pulls the positions onto the target, starting at the tip, then back onto the root, and repeats.
static void reach_forward_and_backward(ik_tree *tree) {
    sinew_vec3 points[SINEW_MAX_CHAIN_NODES];
    float lengths[SINEW_MAX_CHAIN_NODES] = {0.0f};
    int32_t last = tree->joint_count - 1;
    for (int32_t i = 0; i <= last; i++) points[i] = tree->joints[i].position;
    for (int32_t i = 0; i < last; i++) lengths[i] = ik_length(ik_subtract(points[i + 1], points[i]));
    for (int pass = 0; pass < FABRIK_PASSES; pass++) {
        points[last] = tree->effectors[0].target;
        for (int32_t i = last - 1; i >= 0; i--) points[i] = point_towards(points[i + 1], points[i], lengths[i]);
        points[0] = tree->joints[0].position;
        for (int32_t i = 1; i <= last; i++) points[i] = point_towards(points[i - 1], points[i], lengths[i - 1]);
    }
    rotate_to_points(tree, points);
}

// ---- The path ------------------------------------------------------------------------------------------------

// A point on a path that avoids the root. Interpolates direction and distance separately.
static sinew_vec3 point_between(sinew_vec3 from, sinew_vec3 to, float part, float size) {
    const float nothing = 1e-3f;
    float far = ik_length(from), near = ik_length(to), distance = far + part * (near - far);
    if (!(far > nothing * size) || !(near > nothing * size)) return to;
    sinew_vec3 line = ik_add(ik_scale(from, (1.0f - part) / far), ik_scale(to, part / near));
    float length = ik_length(line);
    return length > nothing ? ik_scale(line, distance / length) : to; // opposite directions: any path will do
}

// Moves the tip to the target along a path, in small steps. Each step is continuous in the pose and the target, so
// the result is too.
static void follow_path(const sinew_ik_chain *def, ik_tree *tree) {
    const float damping = 1e-3f;
    sinew_vec3 from = tip_of(tree)->position, to = tree->effectors[0].target;
    for (int i = 1; i <= PATH_STEPS; i++) {
        float part = (float)i / (float)PATH_STEPS;
        tree->effectors[0].target = i < PATH_STEPS ? point_between(from, to, part, tree->size) : to;
        if (def->method == SINEW_IK_CHAIN_METHOD_CCD)
            sweep_to_target(tree);
        else
            sinewi_ik_tree_step(tree, damping);
    }
}

// ---- The pole ------------------------------------------------------------------------------------------------

// Rotates the chain about the line from its root to its tip, until its middle is towards the pole.
static void rotate_chain_to_pole(ik_tree *tree, sinew_vec3 pole, float part) {
    ik_tree_joint *root = &tree->joints[0];
    sinew_vec3 tip = tip_of(tree)->position, middle = {0, 0, 0};
    float square = ik_dot(tip, tip);
    if (!(part > 0.0f) || !(root->mobility > 0.0f) || !ik_is_normalizable(square)) return;
    for (int32_t i = 1; i + 1 < tree->joint_count; i++) middle = ik_add(middle, tree->joints[i].position);
    sinew_vec3 line = ik_scale(tip, 1.0f / sqrtf(square)), from = ik_reject(middle, line),
               to = ik_reject(pole, line);
    if (ik_is_parallel(middle, from) || ik_is_parallel(pole, to)) return;
    root->rotation = ik_quat_normalize(ik_multiply(ik_twist(line, from, to, part), root->rotation));
    root->at = sinewi_ik_limit_apply(&root->limit, &root->rotation);
    sinewi_ik_tree_place(tree);
}

// ---- Solving -------------------------------------------------------------------------------------------------

static void start_at_limits(ik_tree *tree) {
    sinewi_ik_tree_apply_limits(tree);
    sinewi_ik_tree_place(tree);
}

static float solve_from_pose(const sinew_ik_chain *def, const ik_tree_space *space, ik_tree *tree,
                             float tolerance) {
    float pole_weight = ik_clamp01(def->pole_weight);
    start_at_limits(tree);
    if (!(sinewi_ik_tree_error(tree) <= tolerance)) {
        if (def->method == SINEW_IK_CHAIN_METHOD_FABRIK)
            reach_forward_and_backward(tree);
        else
            follow_path(def, tree);
    }
    float error = sinewi_ik_tree_solve(tree, step_count(tree), tolerance, 1.0f);
    if (!(pole_weight > 0.0f)) return error;
    rotate_chain_to_pole(tree, ik_tree_point(space, def->pole), pole_weight);
    return sinewi_ik_tree_solve(tree, step_count(tree), tolerance, 1.0f);
}

// Returns a number from 0 to 1 and advances the seed.
static float next_number(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) * (1.0f / 16777216.0f);
}

static void choose_rotations(ik_tree *tree, uint32_t *seed) {
    for (int32_t i = 0; i < tree->joint_count; i++) {
        ik_tree_joint *joint = &tree->joints[i];
        if (!(joint->mobility > 0.0f)) continue;
        float u = next_number(seed), v = next_number(seed), w = next_number(seed);
        joint->rotation = sinewi_ik_limit_choose(&joint->limit, joint->start, u, v, w);
    }
    start_at_limits(tree);
}

// Rotates each joint to the middle of its limits. From there, a straight chain bends to the side that it can.
static void choose_middle(ik_tree *tree) {
    for (int32_t i = 0; i < tree->joint_count; i++) {
        ik_tree_joint *joint = &tree->joints[i];
        if (joint->mobility > 0.0f)
            joint->rotation = sinewi_ik_limit_choose(&joint->limit, joint->start, 0.5f, 0.5f, 0.5f);
    }
    start_at_limits(tree);
}

static void copy_rotations(const ik_tree *tree, sinew_quat *rotations) {
    for (int32_t i = 0; i < tree->joint_count; i++) rotations[i] = tree->joints[i].rotation;
}

static void set_rotations(ik_tree *tree, const sinew_quat *rotations) {
    for (int32_t i = 0; i < tree->joint_count; i++) tree->joints[i].rotation = rotations[i];
    sinewi_ik_tree_place(tree);
}

static void reset_rotations(ik_tree *tree) {
    for (int32_t i = 0; i < tree->joint_count; i++) tree->joints[i].rotation = tree->joints[i].start;
    start_at_limits(tree);
}

// Bends the chain for another start: with FABRIK, then from the middle of the limits along the path, then at random.
static void start_again(const sinew_ik_chain *def, ik_tree *tree, int32_t index, uint32_t *seed) {
    if (index == 0) {
        reset_rotations(tree);
        reach_forward_and_backward(tree);
    } else if (index == 1) {
        choose_middle(tree);
        follow_path(def, tree);
    } else {
        choose_rotations(tree, seed);
    }
}

// Tries other starts until the target is reached. If it can't be reached, the same error comes back again and again.
// The chain then keeps the result nearest to its pose, unless another one is twice as close to the target. Otherwise it
// would jump between frames.
static float restart(const sinew_ik_chain *def, ik_tree *tree, float error, float tolerance) {
    const float nearer = 0.25f, alike = 0.95f; // of squared errors
    sinew_quat first[SINEW_MAX_CHAIN_NODES], best[SINEW_MAX_CHAIN_NODES];
    int32_t restarts = def->restarts < MAX_RESTARTS ? def->restarts : MAX_RESTARTS;
    int32_t alike_count = 0, most_alike = 1 + restarts / 4;
    uint32_t seed = 1;
    float least = error;
    copy_rotations(tree, first);
    copy_rotations(tree, best);
    for (int32_t i = 0; i < restarts && least > tolerance && alike_count < most_alike; i++) {
        start_again(def, tree, i, &seed);
        float next = sinewi_ik_tree_solve(tree, step_count(tree), tolerance, i == 0 ? 1.0f : slowest);
        if (next < alike * least)
            alike_count = 0;
        else if (alike * next < least)
            alike_count++;
        if (!(next < least)) continue;
        least = next;
        copy_rotations(tree, best);
    }
    bool is_better = least <= tolerance || least < nearer * error;
    set_rotations(tree, is_better ? best : first);
    return is_better ? least : error;
}

// The target in the tree's space, within the chain's length and softened.
static sinew_vec3 find_target(const sinew_ik_chain *def, const ik_tree_space *space, float length) {
    sinew_vec3 target = ik_tree_point(space, def->target);
    float far = ik_length(target), near = ik_soften(far, length * (1.0f - ik_clamp01(def->softness)), length);
    return near < far ? ik_scale(target, near / far) : target;
}

static bool make_chain(const sinew_ik_chain *def, const ik_tree_space *space, const sinew_pose *pose, int32_t count,
                       ik_tree *tree) {
    sinewi_ik_tree_begin(tree);
    add_chain_nodes(def, pose, count, tree);
    sinewi_ik_tree_set_limits(tree, def->limits, def->limit_count);
    tip_of(tree)->mobility = 0.0f;
    sinewi_ik_tree_place(tree);
    tree->size = measure_chain(tree);
    sinew_vec3 target = find_target(def, space, tree->size);
    tree->effectors[tree->effector_count++] = (ik_tree_effector){.joint = count - 1, .target = target};
    sinewi_ik_tree_connect(tree);
    sinew_vec3 pole = def->pole_weight > 0.0f ? def->pole : target;
    return ik_is_normalizable(tree->size) && isfinite(ik_dot(target, target) + ik_dot(pole, pole));
}

void sinew_ik_chain_solve(const sinew_ik_chain *def, sinew_pose *pose, const sinew_affine *model) {
    const float precision = 1e-5f;
    assert(def && model && pose);
    bool is_def = SINEWI_IS_DEF(def, "sinew_ik_chain: start from sinew_ik_chain_from_rest()");
    bool is_chain = is_def && ik_is_descendant(pose->skeleton, def->tip, def->root);
    assert(is_chain);
    float weight = ik_clamp01(def->weight);
    if (!(weight > 0.0f) || !is_chain) return;
    int32_t count = chain_length(pose->skeleton, def->root, def->tip);
    assert(count <= SINEW_MAX_CHAIN_NODES);
    ik_tree_space space;
    if (count > SINEW_MAX_CHAIN_NODES || !sinewi_ik_tree_space_from(model, pose->skeleton, def->root, &space))
        return;

    ik_tree tree;
    if (!make_chain(def, &space, pose, count, &tree)) return;
    float tolerance = precision * precision * tree.size * tree.size;
    float error = solve_from_pose(def, &space, &tree, tolerance);
    if (error > tolerance) error = restart(def, &tree, error, tolerance);
    if (isfinite(error)) sinewi_ik_tree_store(&tree, weight, pose);
}

// ---- Defaults ------------------------------------------------------------------------------------------------

sinew_ik_limit sinew_ik_limit_from_rest(const sinew_skeleton *skeleton, int32_t node, int32_t child) {
    assert(skeleton);
    bool is_found =
        child == SINEW_NO_NODE ? ik_is_at_or_below(skeleton, node, node) : ik_is_descendant(skeleton, child, node);
    if (!is_found) return (sinew_ik_limit){.node = SINEW_NO_NODE};
    sinew_vec3 axis = {0, 0, 0};
    if (child != SINEW_NO_NODE) {
        for (int32_t i = child; i != node; i = skeleton->parents[i]) {
            sinew_affine local = sinewi_skeleton_rest_local(skeleton, i);
            axis = ik_point(&local, axis);
        }
    }
    if (!ik_is_normalizable(ik_dot(axis, axis))) axis = (sinew_vec3){0, 1, 0};
    return (sinew_ik_limit){
        .node = node,
        .kind = SINEW_IK_LIMIT_FREE,
        .axis = ik_normalize(axis),
        .rest = skeleton->rest[node].rotation,
        .cone = 3.15f,
        .angle_min = -3.15f,
        .angle_max = 3.15f,
        .cookie = SINEWI_DEF_COOKIE,
    };
}

sinew_ik_chain sinew_ik_chain_from_rest(const sinew_skeleton *skeleton, int32_t root, int32_t tip) {
    assert(skeleton);
    bool is_chain =
        ik_is_descendant(skeleton, tip, root) && chain_length(skeleton, root, tip) <= SINEW_MAX_CHAIN_NODES;
    if (!is_chain) return (sinew_ik_chain){.root = SINEW_NO_NODE, .tip = SINEW_NO_NODE};
    return (sinew_ik_chain){
        .root = root,
        .tip = tip,
        .method = SINEW_IK_CHAIN_METHOD_LEAST_SQUARES,
        .weight = 1.0f,
        .restarts = DEFAULT_RESTARTS,
        .cookie = SINEWI_DEF_COOKIE,
    };
}
