// SPDX-License-Identifier: MIT
/// Inverse kinematics of chains: tails, ropes, spines, tentacles and limbs of any number of nodes, with limits.
///
/// Conventions are those of ik.h: solvers edit a local pose and read the current model matrices; positions are in model
/// space, metres; angles are radians; weights are clamped to [0, 1], and 0 leaves the bits of the pose unchanged; input
/// without a solution leaves the pose unchanged; solvers never allocate or fail, keep no state, and give the same bits
/// on every machine. Pointers must not be NULL and nodes must be of the pose's skeleton (asserted), where a comment
/// does not allow it. Only one thread at a time may use a pose and its matrices.
#ifndef SINEW_IK_CHAIN_H
#define SINEW_IK_CHAIN_H

#include "../pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The largest number of nodes of a chain, from its root to its tip, and of a body (ik_body.h).
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
/// The node's local rotation is `rest` × swing × twist. The twist rotates about `axis`, by `angle_min` to `angle_max`.
/// The swing rotates about a line perpendicular to `axis`, by at most `cone`. A hinge has no swing.
typedef struct sinew_ik_limit {
    int32_t node;             ///< the node that has the limits
    sinew_ik_limit_kind kind; ///< default SINEW_IK_LIMIT_FREE
    /// In the node's local space; need not be unit. For a cone the direction of the bone, for a hinge the hinge's axis.
    sinew_vec3 axis;
    sinew_quat rest; ///< the local rotation at which all angles are 0; default that of the rest pose
    float cone;      ///< the largest angle of the swing, 0 or more; default and from 3.14 on: no limit
    /// The smallest angle about `axis`, 0 or less; default and up to -3.14: no limit.
    float angle_min;
    float angle_max; ///< the largest angle about `axis`, 0 or more; default and from 3.14 on: no limit
    /// 0, the default, to 1 (clamped): how much less the node rotates than others that reach the target equally well.
    /// At 1 it does not rotate.
    float stiffness;
    uint32_t cookie; ///< private: set by sinew_ik_limit_from_rest
} sinew_ik_limit;

/// Returns the defaults for a node; its `node` is SINEW_NO_NODE unless `child` is a descendant or SINEW_NO_NODE. `axis`
/// is the direction from the node to `child` in the rest pose; +Y if `child` is SINEW_NO_NODE or at the node's
/// position. Any thread.
SINEW_API sinew_ik_limit sinew_ik_limit_from_rest(const sinew_skeleton *skeleton, int32_t node, int32_t child);

// ---- Chains --------------------------------------------------------------------------------------------------

/// How a chain bends towards a target. All three end with steps of damped least squares, which make the result precise
/// within the limits.
typedef enum sinew_ik_chain_method {
    /// The tip is moved to the target on a path, by steps of damped least squares: of all movements of the nodes, by
    /// the smallest. For spines, arms, and every chain with limits: the nodes move smoothly when the target does.
    SINEW_IK_CHAIN_METHOD_LEAST_SQUARES,
    /// FABRIK: the positions of the nodes are moved along the chain, backward and forward. The cheapest, and the one
    /// that straightens long chains best: ropes without limits, pulled by a target that is far away. Near targets fold
    /// the chain, and its nodes may jump. Limits are applied afterwards.
    SINEW_IK_CHAIN_METHOD_FABRIK,
    /// Cyclic coordinate descent on the same path: each node is rotated towards the target within its limits, from the
    /// tip to the root. The nodes near the tip bend most, so the root moves least: tentacles, fingers, tails that curl.
    SINEW_IK_CHAIN_METHOD_CCD
} sinew_ik_chain_method;

/// A chain of nodes whose tip is moved to a target. Start from sinew_ik_chain_from_rest.
///
/// All nodes from `root` to the parent of `tip` are rotated. At weight 1 each node is within its limits, to within 1e-5
/// radians, whether the target is reached or not. A target that is reached is reached within 1e-5 of the chain's
/// length. With the defaults a chain misses at most 0.2 % of the targets that it can reach within its limits: arms,
/// legs and tails of 2 to 32 nodes, from straight, bent and random poses. Of 100,000 such targets 8 are missed, and 3
/// of 100,000 with random limits; none with 64 `restarts`. A target beyond the chain's length is moved to that length.
///
/// The solver starts from the pose, so a smooth animation and a smooth target give a smooth result. It uses about 45 KB
/// of stack.
typedef struct sinew_ik_chain {
    int32_t root; ///< the first node
    int32_t tip;  ///< the node that is moved to the target, a descendant of `root`
    /// [limit_count], limits of nodes of the chain, in any order; nodes without one are free. Limits of other nodes are
    /// ignored. Of the caller; NULL is allowed if limit_count is 0.
    const sinew_ik_limit *limits;
    int32_t limit_count;          ///< default 0
    sinew_ik_chain_method method; ///< default SINEW_IK_CHAIN_METHOD_LEAST_SQUARES
    sinew_vec3 target;            ///< the position for the tip; default {0}, must be set
    /// A position towards which the middle of the chain is moved, by rotating the chain about the line from its root to
    /// its tip. Keep it away from that line, on which it is ignored.
    sinew_vec3 pole;
    float pole_weight; ///< the fraction of the rotation towards `pole`; default 0
    /// The fraction of the chain's length over which the tip falls behind a target before the chain is straight;
    /// default 0. The curve is that of sinew_ik_two_bone.softness.
    float softness;
    float weight; ///< blends the rotations like sinew_pose_blend; default 1
    /// How often the solver starts again if it doesn't reach the target, 0 to 64 (clamped); default 16. It starts by
    /// FABRIK, then from the middle of the limits, then from other rotations. It stops when starts end alike. A start
    /// counts if it reaches the target, or comes twice as near as the pose's own start; then the chain may jump between
    /// two frames. With 0 it never jumps. A target that can't be reached takes about three times as long as with 0.
    int32_t restarts;
    uint32_t cookie; ///< private: set by sinew_ik_chain_from_rest
} sinew_ik_chain;

/// Returns the defaults for a chain; its `root` is SINEW_NO_NODE unless `tip` is a descendant of `root`, with at most
/// SINEW_MAX_CHAIN_NODES nodes from one to the other. Any thread.
SINEW_API sinew_ik_chain sinew_ik_chain_from_rest(const sinew_skeleton *skeleton, int32_t root, int32_t tip);

/// Rotates the nodes from `root` to the parent of `tip`. Does not update model matrices: sinew_ik_solve does, or
/// sinew_pose_to_model_below for `root`.
SINEW_API void sinew_ik_chain_solve(const sinew_ik_chain *chain, sinew_pose *pose, const sinew_affine *model);

// ---- Spread aims ---------------------------------------------------------------------------------------------

/// A chain of nodes that points its tip at a target, each node by a fraction of the rotation: a spine, a neck and a
/// head that face a target, a tail that points. Start from sinew_ik_spread_from_rest; sinew_ik_solve (ik.h) solves it.
///
/// It solves one sinew_ik_aim (ik.h) for each node from `root` to `tip`, in this order, all for `tip`. The last one
/// points exactly. The limits are those of the sum of the rotations: each node gets its fraction of them. What ik.h
/// says about the limits of aims and about targets behind applies.
typedef struct sinew_ik_spread {
    int32_t root;       ///< the first node
    int32_t tip;        ///< the last node, which points at the target: `root` or a descendant
    sinew_vec3 forward; ///< the pointing direction in the tip's local space; need not be unit
    sinew_vec3 origin;  ///< the position that the pointing line starts from, in the tip's local space; default {0}
    sinew_vec3 target;  ///< the position to point at; default {0}, must be set
    /// The fraction of each node divided by that of the node before, above 0; default 1: equal fractions. 1.5: the head
    /// rotates more than the spine.
    float growth;
    float limit;      ///< the largest angle of all rotations together, as sinew_ik_aim.limit; default: none
    float pitch_up;   ///< as sinew_ik_aim.pitch_up; default: none
    float pitch_down; ///< as sinew_ik_aim.pitch_down; default: none
    float softness;   ///< as sinew_ik_aim.softness; default 0
    float weight;     ///< the fraction of the whole rotation; default 1
    uint32_t cookie;  ///< private: set by sinew_ik_spread_from_rest
} sinew_ik_spread;

/// Returns the defaults for the nodes from `root` to `tip`, which is `root` or a descendant, with at most
/// SINEW_MAX_CHAIN_NODES nodes from one to the other; otherwise its `root` is SINEW_NO_NODE. `forward` is in the tip's
/// local space. Any thread.
SINEW_API sinew_ik_spread sinew_ik_spread_from_rest(const sinew_skeleton *skeleton, int32_t root, int32_t tip,
                                                    sinew_vec3 forward);

#ifdef __cplusplus
}
#endif
#endif
