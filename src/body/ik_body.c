// SPDX-License-Identifier: MIT
// A whole body with several effectors (sinew/body/ik_body.h).
//
// All effectors move to their targets together, on straight paths. This takes a fixed number of damped least squares
// steps over all joints and the root's translation (body/ik_chain_tree.h). Limbs then take the last bit alone,
// and effectors at the ends of limbs get their rotations. Nothing switches at a threshold, so a body follows its
// targets without a jump, also out of reach.
#include <sinew/body/ik_body.h>

#include "body/ik_chain_tree.h"
#include "base/def_cookie.h"

#include <assert.h>

enum { BODY_STEPS = 6, SETTLING_STEPS = 6, LIMB_STEPS = 8 };

// ---- The body as a tree --------------------------------------------------------------------------------------

// Inserts a node into a sorted list. Returns false if it's already there or the list is full.
static bool insert_node(int32_t *nodes, int32_t *count, int32_t node) {
    int32_t i = *count;
    while (i > 0 && nodes[i - 1] > node) i--;
    if ((i > 0 && nodes[i - 1] == node) || *count >= SINEW_MAX_CHAIN_NODES) return false;
    for (int32_t k = *count; k > i; k--) nodes[k] = nodes[k - 1];
    nodes[i] = node;
    (*count)++;
    return true;
}

static int32_t index_of_node(const int32_t *nodes, int32_t count, int32_t node) {
    int32_t i = count - 1;
    while (i >= 0 && nodes[i] != node) i--;
    return i;
}

// Adds the nodes from the root to the effectors, parents first. Returns false if there are too many.
static bool add_body_nodes(const sinew_ik_body *def, const sinew_pose *pose, ik_tree *tree) {
    int32_t nodes[SINEW_MAX_CHAIN_NODES], count = 0;
    (void)insert_node(nodes, &count, def->root);
    for (int32_t e = 0; e < def->effector_count; e++) {
        int32_t node = def->effectors[e].node;
        while (insert_node(nodes, &count, node)) node = pose->skeleton->parents[node];
        if (index_of_node(nodes, count, node) < 0) return false;
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t parent = i > 0 ? index_of_node(nodes, count, pose->skeleton->parents[nodes[i]]) : -1;
        (void)sinewi_ik_tree_add(tree, pose, nodes[i], parent);
    }
    for (int32_t e = 0; e < def->effector_count; e++)
        tree->effectors[e].joint = index_of_node(nodes, count, def->effectors[e].node);
    tree->effector_count = def->effector_count;
    return true;
}

// How much an effector yields if it isn't pinned.
static const float yielding = 2e-3f;

// ---- Effectors -----------------------------------------------------------------------------------------------

// Converts a weight from 0 to 1 into how much an effector yields.
static float give_of(float weight) {
    const float most = 1e4f;
    return weight * most > 1.0f ? (1.0f - weight) / weight : most;
}

static bool is_effector(const sinew_ik_effector *effector) {
    return SINEWI_IS_DEF(effector, "sinew_ik_effector: start from sinew_ik_effector_default()");
}

// Sets the effectors' goals in the tree's space. The tree must still be in the pose.
static void set_goals(const sinew_ik_body *def, const ik_tree_space *space, ik_tree *tree) {
    for (int32_t e = 0; e < def->effector_count; e++) {
        const sinew_ik_effector *effector = &def->effectors[e];
        ik_tree_effector *goal = &tree->effectors[e];
        const ik_tree_joint *joint = &tree->joints[goal->joint];
        goal->target = joint->position;
        goal->rotation = joint->own_turn;
        goal->has_rotation = effector->pin || ik_clamp01(effector->rotation_weight) > 0.0f;
        goal->give = goal->rotation_give = 0.0f;
        if (effector->pin) continue;
        sinew_vec3 offset = ik_subtract(ik_tree_point(space, effector->target), joint->position);
        goal->target = ik_add(joint->position, ik_scale(offset, ik_clamp01(effector->position_weight)));
        goal->give = yielding + give_of(ik_clamp01(effector->pull));
        if (!goal->has_rotation) continue;
        goal->rotation = sinewi_ik_tree_rotation(space, effector->rotation);
        goal->rotation_give = yielding + give_of(ik_clamp01(effector->rotation_weight));
    }
}

// Whether an effector is the last one of its limb. Its rotation is set at the end then, and its own node can't help
// to reach the target.
static bool is_at_end(const ik_tree *tree, int32_t e) {
    return tree->joints[tree->effectors[e].joint].moves == 0;
}

static uint32_t count_bits(uint32_t bits) {
    uint32_t count = 0;
    for (; bits != 0; bits &= bits - 1) count++;
    return count;
}

static void set_mobilities(ik_tree *tree) {
    for (int32_t i = 0; i < tree->joint_count; i++) {
        ik_tree_joint *joint = &tree->joints[i];
        float count = (float)count_bits(joint->moves);
        joint->mobility = count > 0.0f ? joint->mobility / (count * count) : 0.0f;
    }
}

// Distance of the furthest effector from the root.
static float measure_body(const ik_tree *tree) {
    float square = 0.0f;
    for (int32_t e = 0; e < tree->effector_count; e++) {
        sinew_vec3 p = tree->joints[tree->effectors[e].joint].position;
        square = ik_dot(p, p) > square ? ik_dot(p, p) : square;
    }
    return sqrtf(square);
}

// ---- Solving -------------------------------------------------------------------------------------------------

// Leaves the rotations of effectors at the ends of limbs out of the system. rotate_ends applies them to
// the nodes directly.
static void leave_out_end_rotations(ik_tree *tree, bool has_rotation[IK_MAX_EFFECTORS]) {
    for (int32_t e = 0; e < tree->effector_count; e++) {
        has_rotation[e] = tree->effectors[e].has_rotation;
        if (is_at_end(tree, e)) tree->effectors[e].has_rotation = false;
    }
}

// The largest squared distance from its target, over the effectors that yield by at most `give`.
static float largest_error(const ik_tree *tree, float give) {
    float most = 0.0f;
    for (int32_t e = 0; e < tree->effector_count; e++) {
        sinew_vec3 offset = ik_subtract(tree->effectors[e].target, tree->joints[tree->effectors[e].joint].position);
        float square = ik_dot(offset, offset);
        if (tree->effectors[e].give <= give && square > most) most = square;
    }
    return most;
}

static void follow_paths(ik_tree *tree) {
    const float damping = 1e-2f;
    sinew_vec3 from[IK_MAX_EFFECTORS], to[IK_MAX_EFFECTORS];
    for (int32_t e = 0; e < tree->effector_count; e++) {
        from[e] = tree->joints[tree->effectors[e].joint].position;
        to[e] = tree->effectors[e].target;
    }
    for (int i = 1; i <= BODY_STEPS; i++) {
        float part = (float)i / (float)BODY_STEPS;
        for (int32_t e = 0; e < tree->effector_count; e++) {
            sinew_vec3 offset = ik_subtract(to[e], from[e]);
            tree->effectors[e].target = i < BODY_STEPS ? ik_add(from[e], ik_scale(offset, part)) : to[e];
        }
        sinewi_ik_tree_step(tree, damping);
    }
}

// A straight leg can't get longer, so if the path ends too far away, the root has to keep moving. The further pinned
// effectors are off their targets, the more the others yield with each step.
static void settle(ik_tree *tree) {
    const float damping = 1e-3f, precision = 1e-4f, weakest = 100.0f, most_yielding = 30.0f;
    float most = precision * precision * tree->size * tree->size;
    tree->bias = 0.0f;
    for (int i = 0; i < SETTLING_STEPS && largest_error(tree, weakest) > most; i++) {
        sinewi_ik_tree_step(tree, damping);
        float off = largest_error(tree, 0.0f) / most;
        float more = off < 1.0f ? 1.0f : off < most_yielding ? off : most_yielding;
        for (int32_t e = 0; e < tree->effector_count; e++) tree->effectors[e].give *= more;
    }
}

// Bends each limb alone until its effector is at its target. For an effector that pulls on the whole body, this only takes
// the last bit: it fades out from 1 % of the body's size to 3 %, because a limb out of reach would straighten and flip.
static void solve_limbs(const sinew_ik_body *def, ik_tree *tree) {
    const float damping = 1e-2f, precision = 2e-5f, near = 0.01f, far = 0.03f;
    float most = precision * precision * tree->size * tree->size;
    ik_tree limb;
    for (int32_t e = 0; e < tree->effector_count; e++) {
        if (!sinewi_ik_tree_copy_limb(tree, e, &limb)) continue;
        limb.size = tree->size;
        ik_tree_effector *goal = &limb.effectors[0];
        sinew_vec3 at = limb.joints[goal->joint].position, offset = ik_subtract(goal->target, at);
        bool pulls = def->effectors[e].pin || def->effectors[e].pull >= 1.0f;
        float part = pulls ? ik_clamp01((far - ik_length(offset) / tree->size) / (far - near)) : 1.0f;
        goal->target = ik_add(at, ik_scale(offset, part));
        for (int i = 0; i < LIMB_STEPS && sinewi_ik_tree_error(&limb) > most; i++)
            sinewi_ik_tree_step(&limb, damping);
        int32_t joint = tree->effectors[e].joint;
        for (int32_t i = limb.joint_count - 1; i >= 0; i--, joint = tree->joints[joint].parent)
            tree->joints[joint].rotation = limb.joints[i].rotation;
    }
    sinewi_ik_tree_place(tree);
}

// Rotates the nodes of effectors at the ends of limbs.
static void rotate_ends(const sinew_ik_body *def, const bool *has_rotation, ik_tree *tree) {
    for (int32_t e = 0; e < tree->effector_count; e++) {
        ik_tree_joint *joint = &tree->joints[tree->effectors[e].joint];
        if (!has_rotation[e] || !is_at_end(tree, e)) continue;
        sinew_quat goal = ik_multiply(ik_inverse(joint->turn), tree->effectors[e].rotation);
        float weight = def->effectors[e].pin ? 1.0f : ik_clamp01(def->effectors[e].rotation_weight);
        joint->rotation = weight < 1.0f ? ik_blend(joint->rotation, goal, weight) : ik_quat_normalize(goal);
        (void)sinewi_ik_limit_apply(&joint->limit, &joint->rotation);
    }
}

static bool is_solvable(const ik_tree *tree) {
    if (!ik_is_normalizable(tree->size)) return false;
    for (int32_t e = 0; e < tree->effector_count; e++) {
        const ik_tree_effector *goal = &tree->effectors[e];
        if (!isfinite(ik_dot(goal->target, goal->target))) return false;
        if (goal->has_rotation && !ik_is_normalizable(ik_quat_square(goal->rotation))) return false;
    }
    return true;
}

static bool make_body(const sinew_ik_body *def, const ik_tree_space *space, const sinew_pose *pose, ik_tree *tree) {
    const float root_lever = 0.25f; // the root moves as easily as a joint rotates a point this far away
    sinewi_ik_tree_begin(tree);
    if (!add_body_nodes(def, pose, tree)) return false;
    sinewi_ik_tree_set_limits(tree, def->limits, def->limit_count);
    sinewi_ik_tree_place(tree);
    tree->size = measure_body(tree);
    set_goals(def, space, tree);
    tree->bias = ik_clamp01(def->rest_bias);
    float reach = root_lever * tree->size;
    tree->root_mobility = (1.0f - ik_clamp01(def->root_stiffness)) * reach * reach;
    return is_solvable(tree);
}

static void store_root(const ik_tree *tree, float weight, sinew_pose *pose) {
    int32_t node = tree->joints[0].node;
    pose->tx[node] += weight * tree->root.x;
    pose->ty[node] += weight * tree->root.y;
    pose->tz[node] += weight * tree->root.z;
}

static bool check_body(const sinew_ik_body *def, const sinew_pose *pose) {
    if (!SINEWI_IS_DEF(def, "sinew_ik_body: start from sinew_ik_body_default()")) return false;
    assert(def->effector_count >= 0 && def->effector_count <= SINEW_MAX_EFFECTORS);
    assert(def->root >= 0 && def->root < pose->skeleton->node_count &&
           (def->effectors || def->effector_count == 0));
    if (def->effector_count <= 0 || def->effector_count > SINEW_MAX_EFFECTORS) return false;
    for (int32_t e = 0; e < def->effector_count; e++) {
        if (!is_effector(&def->effectors[e])) return false;
        int32_t node = def->effectors[e].node;
        assert(node == def->root || ik_is_descendant(pose->skeleton, node, def->root));
        if (node != def->root && !ik_is_descendant(pose->skeleton, node, def->root)) return false;
    }
    return true;
}

void sinew_ik_body_solve(const sinew_ik_body *def, sinew_pose *pose, const sinew_affine *model) {
    const float precision = 1e-5f;
    assert(def && model && pose);
    float weight = ik_clamp01(def->weight);
    if (!check_body(def, pose) || !(weight > 0.0f)) return;
    ik_tree_space space;
    ik_tree tree;
    if (!sinewi_ik_tree_space_from(model, pose->skeleton, def->root, &space)) return;
    if (!make_body(def, &space, pose, &tree)) return;

    bool has_rotation[IK_MAX_EFFECTORS];
    sinewi_ik_tree_connect(&tree);
    leave_out_end_rotations(&tree, has_rotation);
    sinewi_ik_tree_connect(&tree);
    set_mobilities(&tree);
    sinewi_ik_tree_apply_limits(&tree);
    sinewi_ik_tree_place(&tree);
    if (sinewi_ik_tree_error(&tree) > precision * precision * tree.size * tree.size) {
        follow_paths(&tree);
        settle(&tree);
        solve_limbs(def, &tree);
    }
    rotate_ends(def, has_rotation, &tree);
    if (!isfinite(sinewi_ik_tree_error(&tree))) return;
    sinewi_ik_tree_store(&tree, weight, pose);
    store_root(&tree, weight, pose);
}

// ---- Defaults ------------------------------------------------------------------------------------------------

sinew_ik_effector sinew_ik_effector_default(void) {
    return (sinew_ik_effector){
        .node = SINEW_NO_NODE,
        .position_weight = 1.0f,
        .rotation = {0, 0, 0, 1},
        .pull = 1.0f,
        .cookie = SINEWI_DEF_COOKIE,
    };
}

sinew_ik_body sinew_ik_body_default(void) {
    return (sinew_ik_body){
        .root = SINEW_NO_NODE,
        .root_stiffness = 0.5f,
        .rest_bias = 0.1f,
        .weight = 1.0f,
        .cookie = SINEWI_DEF_COOKIE,
    };
}
