// SPDX-License-Identifier: MIT
/// Full-body inverse kinematics: moves a character's hands, feet, head and pelvis to targets together.
///
/// The rules of ik.h apply: spaces, units, weights, invalid input, definitions, threads. The solver keeps no
/// state. Pointers must not be NULL (asserted) unless a comment allows it.
#ifndef SINEW_IK_BODY_H
#define SINEW_IK_BODY_H

#include "ik_chain.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The maximum number of effectors of a body.
#define SINEW_MAX_EFFECTORS 10

/// A node of a body that moves to a target. Start from sinew_ik_effector_default.
typedef struct sinew_ik_effector {
    int32_t node;          ///< the body's root or a descendant; default SINEW_NO_NODE, must be set
    sinew_vec3 target;     ///< the position for the node; default {0}
    float position_weight; ///< 0: the node stays where it is in the pose; 1 (default): it moves to `target`
    sinew_quat rotation;   ///< for the node, in model space, such as from sinew_affine_decompose; unit
    float rotation_weight; ///< 0 (default): the node rotates with its parent; 1: it rotates to `rotation`
    /// How much the target moves the body, 0 to 1; default 1. At 0 only the node's own limb reaches for the
    /// target: the joints up to the first one shared with another effector.
    float pull;
    /// Keeps the node's position and rotation in the pose, and other effectors yield: planted feet, a hand on a
    /// rail. Ignores the fields above except `node`. Default false.
    bool pin;
    uint32_t cookie; ///< private: set by sinew_ik_effector_default
} sinew_ik_effector;

/// Returns the defaults above; `node` must be set. Any thread.
SINEW_API sinew_ik_effector sinew_ik_effector_default(void);

/// A body and its effectors. Start from sinew_ik_body_default.
///
/// The solver finds the smallest movements that bring all effectors to their targets together. It moves the root,
/// and rotates the nodes from there to the effectors. A node above n effectors is n² times as stiff as a node
/// above one, so limbs bend before the spine does. Then each limb bends on its own until its effector is at its
/// target, if it can reach it.
///
/// Effectors reach their targets within 0.001 of the body's size: the largest distance of an effector from the
/// root. If targets exclude each other, the errors are shared, and pinned effectors stay within 0.001 of the
/// body's size. At weight 1 nodes are within their limits, to within 1e-5 radians.
///
/// The solver starts from the pose and takes at most 8 steps with all effectors, and 8 for each limb. So smooth
/// animation and smooth targets give smooth results. It uses about 70 KB of stack.
typedef struct sinew_ik_body {
    int32_t root; ///< the node that moves the whole body, the hips; default SINEW_NO_NODE, must be set
    const sinew_ik_effector *effectors; ///< [effector_count]; you own them. May be NULL if effector_count is 0
    int32_t effector_count;             ///< 0 to SINEW_MAX_EFFECTORS
    /// [limit_count], limits and stiffness of nodes, in any order; you own them. Nodes without one are free.
    /// Limits of other nodes are ignored. May be NULL if limit_count is 0.
    const sinew_ik_limit *limits;
    int32_t limit_count;  ///< default 0
    float root_stiffness; ///< how much less the root moves than nodes rotate, 0 to 1 (clamped); default 0.5
    float rest_bias;      ///< pulls nodes back to the pose where targets allow it, 0 to 1 (clamped); default 0.1
    /// Blends the rotations like sinew_pose_blend, and the root's translation linearly; default 1. Between 0 and
    /// 1, pinned effectors leave their positions. To fade a body in, raise the effectors' `position_weight`
    /// instead.
    float weight;
    uint32_t cookie; ///< private: set by sinew_ik_body_default
} sinew_ik_body;

/// Returns the defaults above; `root` and `effectors` must be set. Any thread.
SINEW_API sinew_ik_body sinew_ik_body_default(void);

/// Moves the root and rotates the nodes from it to the effectors. A no-op if these are more than
/// SINEW_MAX_CHAIN_NODES. Does not update the model matrices: use sinew_ik_solve, or call
/// sinew_pose_to_model_below for `root`.
SINEW_API void sinew_ik_body_solve(const sinew_ik_body *body, sinew_pose *pose, const sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
