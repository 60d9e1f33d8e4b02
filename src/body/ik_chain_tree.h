// SPDX-License-Identifier: MIT
// A tree of joints with effectors: damped least squares within limits. Chains (ik_chain.c) and whole bodies (ik_body.c) use it.
//
// The tree has its own space: the local space of the parent of the tree's root, relative to the root's start position.
#ifndef SINEWI_IK_CHAIN_TREE_H
#define SINEWI_IK_CHAIN_TREE_H

#include <sinew/body/ik_body.h>

#include "body/ik_chain_limit.h"

#define IK_MAX_EFFECTORS SINEW_MAX_EFFECTORS

// A linear map, by its columns.
typedef struct ik_linear {
    sinew_vec3 x, y, z;
} ik_linear;

typedef struct ik_tree_joint {
    int32_t node, parent; // a node of the skeleton, and an index of the tree, or -1
    sinew_vec3 offset;    // the node's translation
    sinew_quat start;     // the node's rotation in the pose
    sinew_quat rotation;  // its current rotation
    sinew_quat kept;      // the rotation before the last step
    ik_linear post;       // the node's scale and shear
    bool has_post;
    float mobility; // how easily it rotates, above 0; 0: not at all
    ik_limit limit;
    int at;         // the limits that the rotation is at
    int kept_at;    // those before the last step
    int blocked;    // those of them that the step presses against
    uint32_t moves; // the effectors, as bits, whose position it changes
    uint32_t turns; // those whose rotation it changes

    // Of the current rotations, in the tree's space.
    ik_linear linear;     // the linear part of the parent's matrix
    ik_linear into;       // its inverse
    sinew_quat turn;      // the product of the rotations above
    sinew_vec3 position;  // of the node
    ik_linear own_linear; // the linear part of the node's matrix
    sinew_quat own_turn;  // the product of the rotations, with the node's own

    int axis_count;     // 0 to 3
    sinew_vec3 axes[3]; // unit and perpendicular: the axes about which it may rotate, in the parent's local space
    sinew_vec3 step;    // the rotation vector of the next step, in the parent's local space
} ik_tree_joint;

typedef struct ik_tree_effector {
    int32_t joint;       // an index of the tree
    sinew_vec3 target;   // in the tree's space
    sinew_quat rotation; // the goal of the product of the rotations
    bool has_rotation;
    float give;          // 0: the target is to be reached; above: how much it yields to others
    float rotation_give; // the same for the rotation
} ik_tree_effector;

typedef struct ik_tree {
    ik_tree_joint joints[SINEW_MAX_CHAIN_NODES]; // parents before their children
    int32_t joint_count;
    ik_tree_effector effectors[IK_MAX_EFFECTORS];
    int32_t effector_count;
    bool is_rigid;       // no joint has scale or shear
    float size;          // the length that errors are measured by
    float root_mobility; // how easily the root moves; 0: not at all
    sinew_vec3 root;     // the root's position
    sinew_vec3 kept_root;
    sinew_vec3 root_step;
    ik_linear base_linear; // the linear part of the matrix of the root's parent, in the tree's space
    sinew_quat base_turn;  // the product of the rotations above the root
    float bias;            // the fraction by which each step returns to the pose's rotations
} ik_tree;

// An empty tree whose root does not move.
void sinewi_ik_tree_begin(ik_tree *tree);

// Adds a node below joint `parent`. Its rotation is that of the pose, and its limits none.
ik_tree_joint *sinewi_ik_tree_add(ik_tree *tree, const sinew_pose *pose, int32_t node, int32_t parent);

// Sets the limits and the stiffness of the nodes that the definitions name.
void sinewi_ik_tree_set_limits(ik_tree *tree, const sinew_ik_limit *limits, int32_t count);

// Marks the joints above the effectors. Call it after all joints and effectors are added.
void sinewi_ik_tree_connect(ik_tree *tree);

// Moves all rotations to within their limits.
void sinewi_ik_tree_apply_limits(ik_tree *tree);

// Computes the position and the matrices of a joint from its rotation and its parent's.
void sinewi_ik_tree_place_one(ik_tree *tree, int32_t i);

// The same for all joints.
void sinewi_ik_tree_place(ik_tree *tree);

// The sum of the squares of the effectors' errors, with the weights of their `give`.
float sinewi_ik_tree_error(const ik_tree *tree);

// Makes up to `iterations` steps of damped least squares from the current rotations, until the error, a square as of
// sinewi_ik_tree_error, is at most `tolerance`, or a step leaves more than the part `slowest` of it. Returns the error.
// Positions are current before and after.
float sinewi_ik_tree_solve(ik_tree *tree, int32_t iterations, float tolerance, float slowest);

// Makes one step of damped least squares. Positions are current before and after.
void sinewi_ik_tree_step(ik_tree *tree, float damping);

// Copies the joints that move one effector only into a tree of their own, with the effector. They stay in the same space.
// Returns false if there are none.
bool sinewi_ik_tree_copy_limb(const ik_tree *tree, int32_t effector, ik_tree *limb);

// Blends the rotations that changed into the pose.
void sinewi_ik_tree_store(const ik_tree *tree, float weight, sinew_pose *pose);

// From model space to the tree's space. Returns false if the space is degenerate or not finite.
typedef struct ik_tree_space {
    ik_linear into;
    sinew_vec3 origin; // of the tree's space, in model space
    sinew_quat turn;   // the rotation of model space relative to it
    bool is_mirrored;
} ik_tree_space;
bool sinewi_ik_tree_space_from(const sinew_affine *model, const sinew_skeleton *skeleton, int32_t root,
                               ik_tree_space *space);

SINEWI_INLINE sinew_vec3 ik_linear_apply(const ik_linear *a, sinew_vec3 v) {
    return (sinew_vec3){a->x.x * v.x + a->y.x * v.y + a->z.x * v.z, a->x.y * v.x + a->y.y * v.y + a->z.y * v.z,
                        a->x.z * v.x + a->y.z * v.y + a->z.z * v.z};
}

SINEWI_INLINE sinew_vec3 ik_tree_point(const ik_tree_space *space, sinew_vec3 point) {
    return ik_linear_apply(&space->into, ik_subtract(point, space->origin));
}

// A rotation in model space, as from sinew_affine_decompose, in the tree's space.
sinew_quat sinewi_ik_tree_rotation(const ik_tree_space *space, sinew_quat decomposed);

#endif
