// SPDX-License-Identifier: MIT
/// Full-body inverse kinematics: moves a character's hands, feet, head and pelvis to their targets all at once.
///
/// The rules in ik.h about spaces, units, weights, invalid input, definitions and threads also apply here. The
/// solver doesn't keep any state. Pointers must not be NULL (asserted) unless otherwise noted.
#ifndef SINEW_IK_BODY_H
#define SINEW_IK_BODY_H

#include "ik_chain.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The maximum number of effectors in a body.
#define SINEW_MAX_EFFECTORS 10

/// A node in a body that moves to a target. Start from sinew_ik_effector_default.
typedef struct sinew_ik_effector {
    int32_t node;          ///< the body's root or a descendant; default SINEW_NO_NODE, must be set
    sinew_vec3 target;     ///< the target position for the node; default {0}
    float position_weight; ///< 0 keeps the node's position in the pose, 1 moves it to `target`; default 1
    /// Target rotation for the node in model space. You can get one from sinew_affine_decompose. Must be a unit
    /// quaternion.
    sinew_quat rotation;
    float rotation_weight; ///< 0 lets the node rotate with its parent, 1 rotates it to `rotation`; default 0
    /// How much the target pulls on the whole body, from 0 to 1. Default 1. If it is 0, only the node's own limb
    /// reaches for the target. The limb consists of the joints up to the first one shared with another effector.
    float pull;
    /// Keeps the node's position and rotation from the pose, and makes other effectors yield. Use it for planted
    /// feet or a hand on a rail. Except for `node`, the fields above are ignored. Default false.
    bool pin;
    uint32_t cookie; ///< private: set by sinew_ik_effector_default
} sinew_ik_effector;

/// Returns the defaults above. You must set `node`. Any thread.
SINEW_API sinew_ik_effector sinew_ik_effector_default(void);

/// A body with its effectors. Start from sinew_ik_body_default.
///
/// The solver finds the smallest movements that bring all effectors to their targets at the same time. It moves
/// the root and rotates the nodes between the root and the effectors. A node above n effectors is n² times as
/// stiff as a node above a single effector, so the limbs bend before the spine does. Then each limb bends
/// separately until its effector is at the target, if it can reach that far.
///
/// Effectors reach their targets to within 0.001 of the body's size, which is the largest distance from the root
/// to an effector. If they can't reach all targets at once, the effectors share the error, but pinned effectors
/// still stay within 0.001 of the body's size. If the weight is 1, limits are met to within 1e-5 radians.
///
/// The solver starts from the pose, so smooth animation and smooth targets give smooth results, also out of reach.
/// It takes up to 12 steps with all effectors, and then up to 8 steps for each limb. It uses about 70 KB of stack.
typedef struct sinew_ik_body {
    int32_t root; ///< the node that moves the whole body, usually the hips; default SINEW_NO_NODE, must be set
    /// [effector_count]; you own the array. Can be NULL if effector_count is 0.
    const sinew_ik_effector *effectors;
    int32_t effector_count; ///< 0 to SINEW_MAX_EFFECTORS
    /// [limit_count], limits and stiffness for nodes, in any order. You own the array. Nodes that aren't listed
    /// can rotate freely. Limits for nodes outside the body are ignored. Can be NULL if limit_count is 0.
    const sinew_ik_limit *limits;
    int32_t limit_count; ///< default 0
    /// How much the root resists moving, compared to other nodes; 0 to 1 (clamped); default 0.5.
    float root_stiffness;
    float rest_bias; ///< pulls nodes back to the pose where the targets allow it; 0 to 1 (clamped); default 0.1
    /// Blends the rotations like sinew_pose_blend, and the root's translation linearly. Default 1. If the weight
    /// is between 0 and 1, pinned effectors don't stay in place. To fade in a body, increase the effectors'
    /// `position_weight` instead.
    float weight;
    uint32_t cookie; ///< private: set by sinew_ik_body_default
} sinew_ik_body;

/// Returns the defaults above. You must set `root` and `effectors`. Any thread.
SINEW_API sinew_ik_body sinew_ik_body_default(void);

/// Moves the root and rotates the nodes between the root and the effectors. This is a no-op if there are more
/// than SINEW_MAX_CHAIN_NODES of them. It doesn't update the model matrices. Use sinew_ik_solve if you need that,
/// or call sinew_pose_to_model_below for `root` afterwards.
SINEW_API void sinew_ik_body_solve(const sinew_ik_body *body, sinew_pose *pose, const sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
