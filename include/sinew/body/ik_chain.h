// SPDX-License-Identifier: MIT
/// Inverse kinematics for chains: tails, ropes, spines, tentacles and limbs with any number of nodes. Nodes can
/// have limits.
///
/// The rules in ik.h about spaces, units, weights, invalid input, definitions and threads also apply here. Solvers
/// don't keep any state. Pointers must not be NULL (asserted) unless otherwise noted.
#ifndef SINEW_IK_CHAIN_H
#define SINEW_IK_CHAIN_H

#include "../pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The maximum number of nodes in a chain, including root and tip, or in a body (ik_body.h).
#define SINEW_MAX_CHAIN_NODES 64

// ---- Limits --------------------------------------------------------------------------------------------------

/// How a node may rotate.
typedef enum sinew_ik_limit_kind {
    SINEW_IK_LIMIT_FREE, ///< in any direction
    SINEW_IK_LIMIT_CONE, ///< within a cone, and with a limited twist about the bone
    SINEW_IK_LIMIT_HINGE ///< about one axis, with limited angles; for knees, elbows and fingers
} sinew_ik_limit_kind;

/// The limits for a node. Start from sinew_ik_limit_from_rest.
///
/// The node's local rotation is split into `rest` × swing × twist. The twist is the rotation about `axis`,
/// between `angle_min` and `angle_max`. The swing is a rotation of at most `cone` about a line perpendicular to
/// `axis`. A hinge doesn't swing.
typedef struct sinew_ik_limit {
    int32_t node;             ///< the limited node
    sinew_ik_limit_kind kind; ///< default SINEW_IK_LIMIT_FREE
    sinew_vec3 axis;          ///< bone direction or hinge axis, in the node's local space; can have any length
    sinew_quat rest;          ///< the local rotation where all angles are 0; defaults to the rest pose
    float cone;               ///< maximum swing, 0 or more; 3.14 or more (default) means no limit
    float angle_min;          ///< minimum twist, 0 or less; -3.14 or less (default) means no limit
    float angle_max;          ///< maximum twist, 0 or more; 3.14 or more (default) means no limit
    /// How much the node resists rotating, which makes other nodes rotate instead. 0 to 1 (clamped). Default 0.
    /// At 1 it doesn't rotate at all.
    float stiffness;
    uint32_t cookie; ///< private: set by sinew_ik_limit_from_rest
} sinew_ik_limit;

/// Returns the defaults for a node. `child` must be a descendant or SINEW_NO_NODE. If it's neither, `node` is
/// SINEW_NO_NODE in the result. `axis` points from the node to `child` in the rest pose, or along +Y if `child` is
/// SINEW_NO_NODE or has the same position as the node. Any thread.
SINEW_API sinew_ik_limit sinew_ik_limit_from_rest(const sinew_skeleton *skeleton, int32_t node, int32_t child);

// ---- Chains --------------------------------------------------------------------------------------------------

/// How a chain bends toward its target. All methods finish with damped least squares steps, which make the result
/// precise and keep it within the limits.
typedef enum sinew_ik_chain_method {
    /// Damped least squares. This moves the tip along a path to the target with the smallest possible rotations.
    /// Use it for spines, arms and any chain with limits. The nodes move smoothly if the target does.
    SINEW_IK_CHAIN_METHOD_LEAST_SQUARES,
    /// FABRIK. This moves the node positions backward and forward along the chain. It is the fastest method, and
    /// best at straightening long chains, such as ropes without limits that are pulled from far away. Nearby
    /// targets fold the chain, and its nodes can jump. Limits are applied at the end.
    SINEW_IK_CHAIN_METHOD_FABRIK,
    /// Cyclic coordinate descent. This follows the same path as least squares, but rotates one node at a time
    /// toward the target within its limits, from tip to root. Chains bend the most near the tip, which is useful
    /// for tentacles, fingers and curling tails.
    SINEW_IK_CHAIN_METHOD_CCD
} sinew_ik_chain_method;

/// A chain that moves its tip to a target. Start from sinew_ik_chain_from_rest.
///
/// It rotates all nodes from `root` to the parent of `tip`. If the weight is 1, limits are met to within 1e-5
/// radians, even if the chain can't reach the target. If it can, the error is less than 1e-5 of the chain's
/// length. If a target is more than the chain's length away, it's moved closer.
///
/// The solver starts from the pose, so smooth animation and smooth targets give smooth results. It uses about 45
/// KB of stack. The defaults miss at most 0.2% of targets within reach. This was measured for arms, legs and tails
/// with 2 to 32 nodes, starting from straight, bent and random poses. Use 64 `restarts` to miss even fewer.
typedef struct sinew_ik_chain {
    int32_t root; ///< the first node
    int32_t tip;  ///< the node to move to the target; must be a descendant of `root`
    /// [limit_count], limits for the chain's nodes, in any order. You own the array. Nodes that aren't listed can
    /// rotate freely. Limits for nodes outside the chain are ignored. Can be NULL if limit_count is 0.
    const sinew_ik_limit *limits;
    int32_t limit_count;          ///< default 0
    sinew_ik_chain_method method; ///< default SINEW_IK_CHAIN_METHOD_LEAST_SQUARES
    sinew_vec3 target;            ///< the target position for the tip; default {0}, must be set
    /// A position that the middle of the chain points at. The chain rotates about the line from its root to its
    /// tip. Keep the pole away from this line, because a pole on the line is ignored.
    sinew_vec3 pole;
    float pole_weight; ///< how far the chain rotates toward `pole`, from 0 to 1; default 0
    /// The last fraction of the chain's length, where the tip eases off and lags behind the target. Default 0.
    /// This uses the same curve as sinew_ik_two_bone.softness.
    float softness;
    float weight; ///< blends the rotations like sinew_pose_blend; default 1
    /// How many times to start over if the solver doesn't reach the target. 0 to 64 (clamped). Default 16. The
    /// first restart uses FABRIK, the second one starts in the middle of the limits, and the others start from
    /// pseudorandom rotations. The solver stops early if restarts keep giving the same result. A restart is used
    /// if it reaches the target, or if it gets twice as close as the solve that starts from the pose. This can
    /// make the chain jump from one frame to the next. Use 0 to avoid that. Unreachable targets take about three
    /// times as long with the default as they do with 0.
    int32_t restarts;
    uint32_t cookie; ///< private: set by sinew_ik_chain_from_rest
} sinew_ik_chain;

/// Returns the defaults for a chain. `tip` must be a descendant of `root`, and there can be at most
/// SINEW_MAX_CHAIN_NODES nodes from `root` to `tip`. Otherwise `root` is SINEW_NO_NODE in the result. Any thread.
SINEW_API sinew_ik_chain sinew_ik_chain_from_rest(const sinew_skeleton *skeleton, int32_t root, int32_t tip);

/// Rotates the nodes from `root` to the parent of `tip`. This doesn't update the model matrices. Use
/// sinew_ik_solve if you need that, or call sinew_pose_to_model_below for `root` afterwards.
SINEW_API void sinew_ik_chain_solve(const sinew_ik_chain *chain, sinew_pose *pose, const sinew_affine *model);

// ---- Spread aims ---------------------------------------------------------------------------------------------

/// Points a chain's tip at a target and spreads the rotation over all of the chain's nodes. Use this to turn the
/// spine, neck and head toward a target together, or to make a tail point at something. Start from
/// sinew_ik_spread_from_rest, and use sinew_ik_solve (ik.h) to solve it.
///
/// The solver runs a sinew_ik_aim (ik.h) for each node, in order from `root` to `tip`. The last one points exactly
/// at the target. The limits apply to the sum of the rotations, and each node gets its share of them. See
/// sinew_ik_aim for how limits work and what happens when the target is behind the character.
typedef struct sinew_ik_spread {
    int32_t root;       ///< the first node
    int32_t tip;        ///< the last node, which points at the target; must be `root` or a descendant
    sinew_vec3 forward; ///< the pointing direction in the tip's local space; can have any length
    sinew_vec3 origin;  ///< where the pointing line starts, in the tip's local space; default {0}
    sinew_vec3 target;  ///< the position to point at; default {0}, must be set
    /// The ratio of each node's share to the previous node's. Must be above 0. Default 1. For example, 1.5 makes
    /// the head turn more than the spine.
    float growth;
    float limit;      ///< the maximum total angle, like sinew_ik_aim.limit; defaults to no limit
    float pitch_up;   ///< like sinew_ik_aim.pitch_up; defaults to no limit
    float pitch_down; ///< like sinew_ik_aim.pitch_down; defaults to no limit
    float softness;   ///< like sinew_ik_aim.softness; default 0
    float weight;     ///< scales the whole rotation; default 1
    uint32_t cookie;  ///< private: set by sinew_ik_spread_from_rest
} sinew_ik_spread;

/// Returns the defaults for the nodes from `root` to `tip`. `tip` must be `root` or a descendant, and there can
/// be at most SINEW_MAX_CHAIN_NODES nodes from `root` to `tip`. Otherwise `root` is SINEW_NO_NODE in the result.
/// `forward` is in the tip's local space. Any thread.
SINEW_API sinew_ik_spread sinew_ik_spread_from_rest(const sinew_skeleton *skeleton, int32_t root, int32_t tip,
                                                    sinew_vec3 forward);

#ifdef __cplusplus
}
#endif
#endif
