// SPDX-License-Identifier: MIT
/// Inverse kinematics of chains: tails, ropes, spines, tentacles and limbs of any number of nodes, with limits.
///
/// The rules of ik.h apply: spaces, units, weights, invalid input, definitions, threads. Solvers keep no state.
/// Pointers must not be NULL (asserted) unless a comment allows it.
#ifndef SINEW_IK_CHAIN_H
#define SINEW_IK_CHAIN_H

#include "../pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The maximum number of nodes of a chain, root and tip included, and of a body (ik_body.h).
#define SINEW_MAX_CHAIN_NODES 64

// ---- Limits --------------------------------------------------------------------------------------------------

/// How a node may rotate.
typedef enum sinew_ik_limit_kind {
    SINEW_IK_LIMIT_FREE, ///< in any direction
    SINEW_IK_LIMIT_CONE, ///< its bone stays within a cone, and its twist about the bone within a range
    SINEW_IK_LIMIT_HINGE ///< about one axis, within a range: knees, elbows, fingers
} sinew_ik_limit_kind;

/// The limits of a node. Start from sinew_ik_limit_from_rest.
///
/// The node's local rotation is split into `rest` × swing × twist. The twist rotates about `axis`, from
/// `angle_min` to `angle_max`. The swing rotates about a line perpendicular to `axis`, by at most `cone`. A hinge
/// doesn't swing.
typedef struct sinew_ik_limit {
    int32_t node;             ///< the limited node
    sinew_ik_limit_kind kind; ///< default SINEW_IK_LIMIT_FREE
    sinew_vec3 axis; ///< the bone's direction or the hinge's axis, in the node's local space; of any length
    sinew_quat rest; ///< the local rotation where all angles are 0; default: the rest pose
    float cone;      ///< the maximum swing, 0 or more; 3.14 or more (default): no limit
    float angle_min; ///< the minimum twist, 0 or less; -3.14 or less (default): no limit
    float angle_max; ///< the maximum twist, 0 or more; 3.14 or more (default): no limit
    float stiffness; ///< how much other nodes rotate instead, 0 to 1 (clamped); default 0. At 1 it doesn't rotate
    uint32_t cookie; ///< private: set by sinew_ik_limit_from_rest
} sinew_ik_limit;

/// Returns the defaults for a node. `child` must be a descendant or SINEW_NO_NODE; otherwise `node` is
/// SINEW_NO_NODE in the result. `axis` points from the node to `child` in the rest pose. It is +Y if `child` is
/// SINEW_NO_NODE or at the same position. Any thread.
SINEW_API sinew_ik_limit sinew_ik_limit_from_rest(const sinew_skeleton *skeleton, int32_t node, int32_t child);

// ---- Chains --------------------------------------------------------------------------------------------------

/// How a chain bends towards its target. All methods end with damped least squares steps, which make the result
/// precise and keep it within the limits.
typedef enum sinew_ik_chain_method {
    /// Damped least squares: moves the tip along a path to the target by the smallest rotations. For spines,
    /// arms, and every chain with limits. The nodes move smoothly if the target does.
    SINEW_IK_CHAIN_METHOD_LEAST_SQUARES,
    /// FABRIK: moves node positions backward and forward along the chain. The cheapest, and the best at
    /// straightening long chains: ropes without limits that are pulled from far away. Near targets fold the
    /// chain, and its nodes may jump. Applies limits afterwards.
    SINEW_IK_CHAIN_METHOD_FABRIK,
    /// Cyclic coordinate descent along the same path: rotates each node towards the target within its limits,
    /// from tip to root. Bends most near the tip: tentacles, fingers, tails that curl.
    SINEW_IK_CHAIN_METHOD_CCD
} sinew_ik_chain_method;

/// A chain that moves its tip to a target. Start from sinew_ik_chain_from_rest.
///
/// It rotates all nodes from `root` to the parent of `tip`. At weight 1 each node is within its limits, to within
/// 1e-5 radians, even if the target isn't reached. A reached target is reached within 1e-5 of the chain's length.
/// A target beyond the chain's length is moved to that length.
///
/// The solver starts from the pose, so smooth animation and smooth targets give smooth results. It uses about 45
/// KB of stack. With the defaults it misses at most 0.2 % of the targets within reach: arms, legs and tails of 2
/// to 32 nodes, from straight, bent and random poses. With 64 `restarts` it misses fewer.
typedef struct sinew_ik_chain {
    int32_t root; ///< the first node
    int32_t tip;  ///< the node that is moved to the target, a descendant of `root`
    /// [limit_count], limits of the chain's nodes, in any order; you own them. Nodes without one are free. Limits
    /// of other nodes are ignored. May be NULL if limit_count is 0.
    const sinew_ik_limit *limits;
    int32_t limit_count;          ///< default 0
    sinew_ik_chain_method method; ///< default SINEW_IK_CHAIN_METHOD_LEAST_SQUARES
    sinew_vec3 target;            ///< the position for the tip; default {0}, must be set
    /// A position for the middle of the chain to point at. The chain rotates about the line from its root to its
    /// tip. Keep the pole away from that line, where it is ignored.
    sinew_vec3 pole;
    float pole_weight; ///< the fraction of the rotation towards `pole`; default 0
    /// The fraction of the chain's length over which the tip falls behind the target before the chain is
    /// straight; default 0. Uses the curve of sinew_ik_two_bone.softness.
    float softness;
    float weight; ///< blends the rotations like sinew_pose_blend; default 1
    /// How often to start again while the target isn't reached, 0 to 64 (clamped); default 16. The first restart
    /// uses FABRIK, the second the middle of the limits, the others pseudorandom rotations. It stops early once
    /// starts end alike. The result of a restart is used if it reaches the target, or gets twice as near as the
    /// pose's own start. Then the chain may jump between two frames; with 0 it never jumps. Unreachable targets
    /// take about three times as long as with 0.
    int32_t restarts;
    uint32_t cookie; ///< private: set by sinew_ik_chain_from_rest
} sinew_ik_chain;

/// Returns the defaults for a chain. `tip` must be a descendant of `root`, with at most SINEW_MAX_CHAIN_NODES
/// nodes from one to the other. Otherwise `root` is SINEW_NO_NODE in the result. Any thread.
SINEW_API sinew_ik_chain sinew_ik_chain_from_rest(const sinew_skeleton *skeleton, int32_t root, int32_t tip);

/// Rotates the nodes from `root` to the parent of `tip`. Does not update the model matrices: use sinew_ik_solve,
/// or call sinew_pose_to_model_below for `root`.
SINEW_API void sinew_ik_chain_solve(const sinew_ik_chain *chain, sinew_pose *pose, const sinew_affine *model);

// ---- Spread aims ---------------------------------------------------------------------------------------------

/// Points a chain's tip at a target and shares the rotation between all of its nodes: a spine, neck and head that
/// face a target, or a tail that points. Start from sinew_ik_spread_from_rest, and solve it with sinew_ik_solve
/// (ik.h).
///
/// It solves a sinew_ik_aim (ik.h) for each node from `root` to `tip`, in this order. The last one points
/// exactly. Limits are for the sum of the rotations: each node gets its fraction of them. The comment of
/// sinew_ik_aim about limits and targets behind applies.
typedef struct sinew_ik_spread {
    int32_t root;       ///< the first node
    int32_t tip;        ///< the last node, which points at the target: `root` or a descendant
    sinew_vec3 forward; ///< the pointing direction in the tip's local space; of any length
    sinew_vec3 origin;  ///< where the pointing line starts, in the tip's local space; default {0}
    sinew_vec3 target;  ///< the position to point at; default {0}, must be set
    float growth; ///< each node's fraction divided by the one before, above 0; default 1. 1.5: the head turns more
    float limit;  ///< the maximum total angle, like sinew_ik_aim.limit; default: no limit
    float pitch_up;   ///< like sinew_ik_aim.pitch_up; default: no limit
    float pitch_down; ///< like sinew_ik_aim.pitch_down; default: no limit
    float softness;   ///< like sinew_ik_aim.softness; default 0
    float weight;     ///< the fraction of the whole rotation; default 1
    uint32_t cookie;  ///< private: set by sinew_ik_spread_from_rest
} sinew_ik_spread;

/// Returns the defaults for the nodes from `root` to `tip`. `tip` must be `root` or a descendant, with at most
/// SINEW_MAX_CHAIN_NODES nodes from one to the other. Otherwise `root` is SINEW_NO_NODE in the result. `forward`
/// is in the tip's local space. Any thread.
SINEW_API sinew_ik_spread sinew_ik_spread_from_rest(const sinew_skeleton *skeleton, int32_t root, int32_t tip,
                                                    sinew_vec3 forward);

#ifdef __cplusplus
}
#endif
#endif
