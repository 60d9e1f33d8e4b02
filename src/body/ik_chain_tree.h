// SPDX-License-Identifier: MIT
// A tree of joints with effectors, solved by damped least squares within limits. Chains (body/ik_chain.c) and whole
// bodies (body/ik_body.c) use it.
//
// The tree has its own space: the local space of its root's parent, relative to where the root starts.
#ifndef SINEWI_IK_CHAIN_TREE_H
#define SINEWI_IK_CHAIN_TREE_H

#include <sinew/body/ik_body.h>

#include "body/ik_chain_limit.h"

#define IK_MAX_EFFECTORS SINEW_MAX_EFFECTORS

// A linear map, stored as columns.
typedef struct ik_linear {
    sinew_vec3 x, y, z;
} ik_linear;

typedef struct ik_tree_joint {
    int32_t node, parent; // a node of the skeleton; an index into the tree, or -1
    sinew_vec3 offset;    // the node's translation
    sinew_quat start;     // rotation in the pose
    sinew_quat rotation;  // current rotation
    sinew_quat kept;      // rotation before the last step
    ik_linear post;       // scale and shear
    bool has_post;
    float mobility; // how easily it rotates; 0 means not at all
    ik_limit limit;
    int at;         // limits that the rotation touches
    int kept_at;    // the same before the last step
    int blocked;    // limits that the step pushes against
    uint32_t moves; // effectors whose position it changes, as bits
    uint32_t turns; // effectors whose rotation it changes, as bits

    // Derived from the current rotations, in the tree's space.
    ik_linear linear;     // linear part of the parent's matrix
    ik_linear into;       // its inverse
    sinew_quat turn;      // product of the rotations above
    sinew_vec3 position;  // of the node
    ik_linear own_linear; // linear part of the node's matrix
    sinew_quat own_turn;  // product of the rotations, including the node's

    int axis_count;     // 0 to 3
    sinew_vec3 axes[3]; // axes that it may rotate about, unit and perpendicular, in the parent's local space
    sinew_vec3 step;    // rotation vector of the next step, in the parent's local space
} ik_tree_joint;

typedef struct ik_tree_effector {
    int32_t joint;       // index into the tree
    sinew_vec3 target;   // in the tree's space
    sinew_quat rotation; // goal for the product of the rotations
    bool has_rotation;
    float give;          // how much it yields to other effectors; 0 if it must reach its target
    float rotation_give; // the same for its rotation
} ik_tree_effector;

typedef struct ik_tree {
    ik_tree_joint joints[SINEW_MAX_CHAIN_NODES]; // parents before their children
    int32_t joint_count;
    ik_tree_effector effectors[IK_MAX_EFFECTORS];
    int32_t effector_count;
    bool is_rigid;       // no joint has scale or shear
    float size;          // length that errors are relative to
    float root_mobility; // how easily the root moves; 0 means not at all
    sinew_vec3 root;     // position of the root
    sinew_vec3 kept_root;
    sinew_vec3 root_step;
    ik_linear base_linear; // linear part of the matrix of the root's parent, in the tree's space
    sinew_quat base_turn;  // product of the rotations above the root
    float bias;            // fraction by which each step returns to the pose's rotations
} ik_tree;

// Makes an empty tree with a fixed root.
void sinewi_ik_tree_begin(ik_tree *tree);

// Adds a node below joint `parent`, with the pose's rotation and no limits.
ik_tree_joint *sinewi_ik_tree_add(ik_tree *tree, const sinew_pose *pose, int32_t node, int32_t parent);

// Sets limits and stiffness for the nodes in the definitions.
void sinewi_ik_tree_set_limits(ik_tree *tree, const sinew_ik_limit *limits, int32_t count);

// Finds the joints above each effector. Call it when all joints and effectors are added.
void sinewi_ik_tree_connect(ik_tree *tree);

// Clamps all rotations to their limits.
void sinewi_ik_tree_apply_limits(ik_tree *tree);

// Updates a joint's position and matrices from its rotation and its parent.
void sinewi_ik_tree_place_one(ik_tree *tree, int32_t i);

// The same for all joints.
void sinewi_ik_tree_place(ik_tree *tree);

// Sum of the effectors' squared errors, weighted by their `give`.
float sinewi_ik_tree_error(const ik_tree *tree);

// Makes up to `iterations` damped least squares steps from the current rotations. Stops when the squared error of
// sinewi_ik_tree_error is at most `tolerance`, or when a step leaves more than the part `slowest` of it. Returns the
// error. Positions are current before and after.
float sinewi_ik_tree_solve(ik_tree *tree, int32_t iterations, float tolerance, float slowest);

// Makes one damped least squares step. Positions are current before and after.
void sinewi_ik_tree_step(ik_tree *tree, float damping);

// Copies the joints that move a single effector, with that effector, into a tree of their own. They stay in the same
// space. Returns false if there are none.
bool sinewi_ik_tree_copy_limb(const ik_tree *tree, int32_t effector, ik_tree *limb);

// Blends the changed rotations into the pose.
void sinewi_ik_tree_store(const ik_tree *tree, float weight, sinew_pose *pose);

// Converts from model space to the tree's space. sinewi_ik_tree_space_from returns false if the space is
// degenerate or not finite.
typedef struct ik_tree_space {
    ik_linear into;
    sinew_vec3 origin; // of the tree's space, in model space
    sinew_quat turn;   // rotation of model space relative to it
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

// Converts a model-space rotation, as from sinew_affine_decompose, to the tree's space.
sinew_quat sinewi_ik_tree_rotation(const ik_tree_space *space, sinew_quat decomposed);

#endif
