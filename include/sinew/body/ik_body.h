// SPDX-License-Identifier: MIT
/// Full-body inverse kinematics: hands, feet, head and pelvis of one character are moved to targets together.
///
/// Conventions are those of ik.h: the solver edits a local pose and reads the current model matrices; positions are in
/// model space, metres; angles are radians; weights are clamped to [0, 1], and a weight of 0 leaves the bits of the
/// pose unchanged; input without a solution leaves the pose unchanged; the solver never allocates or fails, keeps no
/// state, and gives the same bits on every machine. Pointers must not be NULL and nodes must be of the pose's skeleton
/// (asserted), where a comment does not allow it. Only one thread at a time may use a pose and its matrices.
#ifndef SINEW_IK_BODY_H
#define SINEW_IK_BODY_H

#include "ik_chain.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The largest number of effectors of a body.
#define SINEW_MAX_EFFECTORS 10

/// A node of a body that is moved to a target. Start from sinew_ik_effector_default.
typedef struct sinew_ik_effector {
    int32_t node;          ///< the body's root or a descendant; default SINEW_NO_NODE, must be set
    sinew_vec3 target;     ///< the position for the node; default {0}
    float position_weight; ///< 0: the node keeps the pose's own position; 1, the default: it is moved to `target`
    sinew_quat rotation;   ///< the rotation for the node, in model space, as from sinew_affine_decompose; unit
    float rotation_weight; ///< 0, the default: the node rotates with its parent; 1: it is rotated to `rotation`
    /// How much the target moves the body, 0 to 1; default 1. At 0 only the node's own limb reaches for the target: the
    /// joints between the node and the first one that it shares with another effector.
    float pull;
    /// The node keeps the pose's own position and rotation, and other effectors yield to it: planted feet, a hand that
    /// holds a rail. `target`, the rotation, their weights and `pull` are then ignored. Default false.
    bool pin;
    uint32_t cookie; ///< private: set by sinew_ik_effector_default
} sinew_ik_effector;

/// Returns the defaults above; `node` must be set. Any thread.
SINEW_API sinew_ik_effector sinew_ik_effector_default(void);

/// A body whose effectors are moved to their targets. Start from sinew_ik_body_default.
///
/// The root is moved, and all nodes from the root to the effectors are rotated, by the smallest movements that bring
/// the effectors to their targets together. A node that moves n effectors counts as n² times as stiff as one that moves
/// one: so limbs bend before the spine does. Then each limb alone is bent until its effector is at its target, within
/// 0.001 of the body's size, if it can reach it. If targets exclude each other, the errors are distributed, and pinned
/// effectors stay within 0.001 of the body's size. The size is the largest distance of an effector from the root.
///
/// The solver starts from the pose and makes at most 8 steps with all effectors, and 8 for each limb, so a smooth
/// animation and smooth targets give a smooth result. At weight 1 nodes with limits are within them, to within 1e-5
/// radians. It uses about 70 KB of stack.
typedef struct sinew_ik_body {
    int32_t root; ///< the node that moves the whole body, the hips; default SINEW_NO_NODE, must be set
    const sinew_ik_effector *effectors; ///< [effector_count], of the caller; NULL is allowed if effector_count is 0
    int32_t effector_count;             ///< 0 to SINEW_MAX_EFFECTORS
    /// [limit_count], limits and stiffness of nodes, in any order; nodes without one are free. Limits of other nodes
    /// are ignored. Of the caller; NULL is allowed if limit_count is 0. The nodes from the root to the effectors must
    /// be at most SINEW_MAX_CHAIN_NODES (asserted).
    const sinew_ik_limit *limits;
    int32_t limit_count; ///< default 0
    /// 0 to 1 (clamped): how much less the root moves than its nodes rotate; default 0.5. At 1 it does not move.
    float root_stiffness;
    /// 0 to 1 (clamped): how much the nodes return to the pose's rotations where the targets allow it; default 0.1.
    float rest_bias;
    /// Blends the rotations like sinew_pose_blend and the root's translation linearly; default 1. Between 0 and 1,
    /// pinned effectors leave their positions. To fade a body in, raise the effectors' `position_weight` instead.
    float weight;
    uint32_t cookie; ///< private: set by sinew_ik_body_default
} sinew_ik_body;

/// Returns the defaults above; `root` and `effectors` must be set. Any thread.
SINEW_API sinew_ik_body sinew_ik_body_default(void);

/// Moves the root and rotates the nodes from it to the effectors. Does not update model matrices: sinew_ik_solve does,
/// or sinew_pose_to_model_below for `root`.
SINEW_API void sinew_ik_body_solve(const sinew_ik_body *body, sinew_pose *pose, const sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
