// SPDX-License-Identifier: MIT
/// Inverse kinematics: limbs that reach for targets, and heads that face them.
///
/// Solvers edit the mixer's pose after it is evaluated. Each frame, with your own array of model matrices:
///
///     sinew_mixer_advance(mixer, dt);
///     sinew_mixer_evaluate(mixer);
///     sinew_pose *pose = sinew_mixer_edit_pose(mixer); // mixer_pose.h
///     sinew_pose_to_model(pose, model);
///     sinew_ik_solve(solvers, count, pose, model); // keeps `model` current: skin with it
///
/// In a scene, use sinew_instance_def.solvers and sinew_instance_edit instead (scene/scene.h).
///
/// This header has two-bone limbs and aims. ik_chain.h has longer chains, limits and spines. ik_body.h moves
/// hands, feet and head together. foot_lock.h and foot_placement.h keep feet on the ground.
///
/// Rules for all solvers:
///   - Positions and directions are in model space and in metres, unless a comment says otherwise. Angles are in
///     radians.
///   - A node's *local space* is the space that model[node] maps to model space. A node's local transform is
///     relative to its parent's local space, or to model space for a root.
///   - Model matrices must be current: what sinew_pose_to_model computes from the pose. A solver reads the
///     matrices of the nodes it names, the nodes between them, and their parents.
///   - Defaults are for +Y-up assets. If you load with SINEW_UP_Z (gltf.h), set `up`, `world_up` and `limit_up`
///     of sinew_ik_aim.
///   - Weights are clamped to [0, 1]; NaN counts as 0. At weight 0 the pose keeps its bits.
///   - Invalid input leaves the pose unchanged: non-finite numbers, zero-length directions, nodes scaled to 0.
///   - Ancestors may have non-uniform or negative scale.
///   - Solvers never allocate or fail, only read their definitions, and give the same bits on every machine.
///   - Pointers must not be NULL, and nodes must be in the pose's skeleton (asserted; undefined with NDEBUG).
///   - Definitions must come from their `_from_rest` or `_default` function (asserted; a no-op with NDEBUG).
///   - Only one thread at a time may use a pose and its matrices.
///
/// You can pass any nodes to a `_from_rest` function, even guesses. If they aren't below one another as required,
/// every node of the result is SINEW_NO_NODE, in every build: check one. Solvers assert on such a definition, and
/// functions with a result return SINEW_ERROR_ARGUMENT.
#ifndef SINEW_IK_H
#define SINEW_IK_H

#include "ik_body.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Two-bone limbs ------------------------------------------------------------------------------------------

/// What the limb's end node, the hand or foot, does while the limb bends.
typedef enum sinew_ik_limb_end {
    SINEW_IK_LIMB_END_FOLLOW, ///< keeps its local rotation and turns with the lower bone
    SINEW_IK_LIMB_END_KEEP,   ///< keeps its rotation in model space
    SINEW_IK_LIMB_END_ROTATE  ///< takes the rotation `end_rotation`
} sinew_ik_limb_end;

/// An arm or a leg that reaches for a target. Start from sinew_ik_two_bone_from_rest.
///
/// The end reaches the target to within a few millionths of the limb's length. If the target is too far away, the
/// limb points straight at it. If the target is too near, the limb folds as far as it can. Distances are measured
/// in the local space of the parent of `upper`.
///
/// Non-uniform scale on `upper`, or on a node between it and `lower`, changes the lower bone's length as the limb
/// bends. The solver then iterates, takes some microseconds, and ignores `softness`.
typedef struct sinew_ik_two_bone {
    int32_t upper; ///< the limb's first node: thigh, upper arm
    int32_t lower; ///< the middle node, a descendant of `upper`: shin, forearm
    int32_t end;   ///< the end node, a descendant of `lower`: foot, hand. Other nodes may lie between the three
    /// The hinge axis of the knee or elbow, in the local space of `lower`. The limb bends further as `lower`
    /// rotates about it, by the right-hand rule. Need not be unit. It decides which way a straight limb, or a
    /// limb that is bent backward, will bend. {0}: the limb bends in its current plane, and a straight limb in an
    /// arbitrary plane.
    sinew_vec3 bend_axis;
    sinew_vec3 target; ///< the position for the end node; default {0}, must be set
    /// A position for the knee or elbow to point at; default {0}. The bent limb rotates about the line from its
    /// start to the target. For a pole direction, add the direction to the start's position. Keep the pole away
    /// from that line: near it small movements rotate the limb far, and on it the pole is ignored. `bend_axis`
    /// still decides to which side of its bones the limb bends; the pole decides where that side points.
    sinew_vec3 pole;
    /// The fraction of the rotation towards `pole`; default 0: ignores the pole. The limb then swings to the
    /// target by the shortest rotation. Swings beyond 90 degrees also roll, to avoid a flip at 180. No choice is
    /// smooth everywhere: an arm that reaches behind the opposite shoulder may turn far for a small movement of
    /// the target.
    float pole_weight;
    /// Soft IK, which keeps knees from snapping: the fraction of the limb's length over which the end falls
    /// behind the target before the limb is straight. 0 to 1 (clamped); default 0. A limb that is bent in the
    /// pose then never becomes fully straight. Targets nearer than the pose's own extension are unaffected.
    ///
    /// Let L be the limb's length, and s = softness × L, but at most L minus the limb's extension in the pose.
    /// For a target at distance L - s + x s from the start, x > 0, the end is at
    ///
    ///     L - s (1 + x / 4)^-4
    ///
    /// The end leaves the target smoothly at x = 0. At x = 1, where a hard limb is straight, it is 0.41 s short.
    float softness;
    float weight;               ///< blends the rotations like sinew_pose_blend, the end's in model space; default 1
    sinew_ik_limb_end end_mode; ///< default SINEW_IK_LIMB_END_FOLLOW
    /// For SINEW_IK_LIMB_END_ROTATE: the end's rotation in model space, such as sinew_affine_decompose gives for
    /// a model matrix. Must be unit; default the identity.
    sinew_quat end_rotation;
    uint32_t cookie; ///< private: set by sinew_ik_two_bone_from_rest
} sinew_ik_two_bone;

/// Returns the defaults for a limb. Each node must be a descendant of the one before; otherwise `upper` is
/// SINEW_NO_NODE. The bend axis comes from the rest pose. It is {0} if the limb is straight there to within a
/// degree. Any thread.
SINEW_API sinew_ik_two_bone sinew_ik_two_bone_from_rest(const sinew_skeleton *skeleton, int32_t upper,
                                                        int32_t lower, int32_t end);

/// Rotates `upper`, `lower` and, depending on end_mode, `end`. Does not update the model matrices: use
/// sinew_ik_solve, or call sinew_pose_to_model_below for `upper`.
SINEW_API void sinew_ik_two_bone_solve(const sinew_ik_two_bone *limb, sinew_pose *pose, const sinew_affine *model);

// ---- Aiming --------------------------------------------------------------------------------------------------

/// Points a node, or its descendant (the *tip*), at a target by rotating the node: a head, an eye, a turret, a
/// gun. Start from sinew_ik_aim_from_rest. To spread the rotation over spine, neck and head, solve them in that
/// order for the same tip, with rising weights; the last weight is 1. sinew_ik_spread (ik_chain.h) does that for
/// you.
///
/// Set a limit if the target may pass behind the character, at any weight. Without a limit the node takes the
/// shortest arc, which flips for a target straight behind.
///
/// With a limit (`limit`, `pitch_up` or `pitch_down` below 3.14), the target's direction is first clamped to a
/// cone about `limit_axis`. The cone is elliptic: pitch, the angle along `limit_up`, and yaw, the angle sideways,
/// have their own limits. Then the node rotates once, from where `forward` points in the pose. It adds no roll
/// about `limit_axis` and keeps the pose's own roll. Inside the cone `forward` points at the target; outside it
/// stays on the limit, on the target's side. As the target comes within 60 degrees of straight behind, the aim
/// fades back to the pose. With a `limit` above 120 degrees, the fade starts at 180 degrees less `limit`.
///
/// So with a limit the rotation is continuous in the target. With an up_weight of 0 it also has bounds:
///   - A pose that looks along `limit_axis` rotates, and so tilts, by at most `limit`.
///   - A small movement of the target's direction rotates the node by at most 3 times that angle. This holds for
///     a limit up to 1.2 (69 degrees), pitch limits of at least half of it, and poses that look within 40 degrees
///     of `limit_axis`. Directions are in the parent's space, from the node; an offset tip or origin adds
///     parallax.
///   - A pose that looks backward rotates less, and straight backward not at all.
typedef struct sinew_ik_aim {
    int32_t node;       ///< the node to rotate
    int32_t tip;        ///< the node that points at the target: `node` or a descendant
    sinew_vec3 forward; ///< the pointing direction in the tip's local space; of any length
    sinew_vec3 origin; ///< where the pointing line starts, in the tip's local space: a muzzle; default {0}, the tip
    sinew_vec3 target; ///< the position to point at; default {0}, must be set
    sinew_vec3 up;     ///< the tip's up direction in its local space; of any length; default +Y
    sinew_vec3 world_up; ///< the direction for `up` to point in, in model space; of any length; default +Y
    /// How far `up` rotates towards `world_up` about the line from the node to the target, 0 to 1; default 0. No
    /// effect where `up` or `world_up` is parallel to that line. Without a limit, small steps near there cause
    /// large rotations. With a limit, the rotation fades to 0 as either direction comes within 30 degrees of the
    /// line.
    float up_weight;
    /// The largest angle between `forward` and `limit_axis`; default: no limit. It limits yaw, and pitch unless a
    /// pitch limit is smaller. Values from 2.618 (150 degrees) count as 150 degrees, and from 3.14 on as no
    /// limit. If only pitch is limited, yaw is limited to 150 degrees. 0 or less holds `forward` on `limit_axis`.
    float limit;
    float pitch_up;   ///< the limit for targets above, along `limit_up`; at most `limit` counts; default: no limit
    float pitch_down; ///< the limit for targets below, by the same rules; default: no limit
    /// The fraction of the limit over which `forward` falls behind the target before the limit, 0 to 1 (clamped);
    /// default 0. Uses the curve of sinew_ik_two_bone.softness on the half angles' tangents. Ignored without a
    /// limit.
    float softness;
    /// The axis of the limit's cone, in the local space of the node's parent. Default: `forward` in the rest
    /// pose.
    sinew_vec3 limit_axis;
    /// 0 keeps the pose; 1, the default, points at the target. Without a limit, blends the rotation like
    /// sinew_pose_blend. With a limit, moves `forward` from the pose to the clamped direction, never straight
    /// behind.
    float weight;
    /// The direction of positive pitch, in the local space of the node's parent. Need not be unit or
    /// perpendicular to `limit_axis`, but must not be parallel to it. Default: model space's +Y in the rest pose.
    /// Used only if a pitch limit is below `limit`.
    sinew_vec3 limit_up;
    /// For sinew_ik_aim_follow: the smoothing's time constant, seconds; default 0.15. Half of a jump takes 1.7
    /// time constants, 90 % takes 3.9. 0 or less: no smoothing.
    float settle_time;
    uint32_t cookie; ///< private: set by sinew_ik_aim_from_rest
} sinew_ik_aim;

/// Returns the defaults for an aim. `tip` must be `node` or a descendant; otherwise `node` is SINEW_NO_NODE in
/// the result. `forward` is in the tip's local space. Any thread.
SINEW_API sinew_ik_aim sinew_ik_aim_from_rest(const sinew_skeleton *skeleton, int32_t node, int32_t tip,
                                              sinew_vec3 forward);

/// Rotates the node. Does not update the model matrices: use sinew_ik_solve, or call sinew_pose_to_model_below
/// for the node.
SINEW_API void sinew_ik_aim_solve(const sinew_ik_aim *aim, sinew_pose *pose, const sinew_affine *model);

/// Part of a sinew_ik_aim_state: where an aim wants to point. Only sinew_ik_aim_follow reads and writes it.
typedef struct sinew_ik_aim_goal {
    /// A direction in the local space of the node's parent, as an offset perpendicular to `limit_axis`: the
    /// tangent of half their angle, times `weight`.
    sinew_vec3 point;
    float weight; ///< 0 to 1: below 1 only for targets near straight behind
} sinew_ik_aim_goal;

/// The state of an aim that follows its target smoothly. Keep one per aim and character; start with {0}, the
/// unmodified pose. Plain data: a copy is a snapshot, and the same state and calls give the same bits.
typedef struct sinew_ik_aim_state {
    sinew_ik_aim_goal last;  ///< the last call's goal
    sinew_ik_aim_goal once;  ///< the goal, smoothed
    sinew_ik_aim_goal twice; ///< the goal, smoothed twice: the node's rotation
} sinew_ik_aim_state;

/// Rotates the node like sinew_ik_aim_solve, smoothed over `settle_time`. An aim without a limit is limited to
/// 150 degrees. `dt` is the time since the last call, seconds, 0 or more (asserted). An infinite `dt` settles at
/// once. At a `dt` of 0, as in a paused game, the aim stays where it is relative to the pose; a target that moved
/// then has jumped.
///
/// The smoothed direction always stays within the limit. If a target passes behind the character from one side to
/// the other, the node turns around the front. The state also follows the target at weight 0. Invalid input
/// changes neither pose nor state.
///
/// The target is assumed to move linearly between two calls. So a resting target gives the same poses at every
/// frame rate. After a resting target jumps, a pose that looks along `limit_axis` rotates by at most 1.5
/// tan(limit / 2) / settle_time radians per second.
///
/// sinew_ik_solve does not call this function. Call it yourself, in a scene from sinew_instance_edit, and update
/// the model matrices with sinew_pose_to_model_below for the node.
SINEW_API void sinew_ik_aim_follow(const sinew_ik_aim *aim, float dt, sinew_ik_aim_state *state, sinew_pose *pose,
                                   const sinew_affine *model);

// ---- Several solvers -----------------------------------------------------------------------------------------

/// The kind of a solver.
typedef enum sinew_ik_kind {
    SINEW_IK_TWO_BONE, ///< sinew_ik_two_bone
    SINEW_IK_AIM,      ///< sinew_ik_aim
    SINEW_IK_CHAIN,    ///< sinew_ik_chain (ik_chain.h)
    SINEW_IK_SPREAD,   ///< sinew_ik_spread (ik_chain.h)
    SINEW_IK_BODY      ///< sinew_ik_body (ik_body.h)
} sinew_ik_kind;

/// A solver of any kind.
typedef struct sinew_ik {
    sinew_ik_kind kind; ///< which member of the union is set
    union {
        sinew_ik_two_bone two_bone; ///< for SINEW_IK_TWO_BONE
        sinew_ik_aim aim;           ///< for SINEW_IK_AIM: solved by sinew_ik_aim_solve, without smoothing
        sinew_ik_chain chain;       ///< for SINEW_IK_CHAIN
        sinew_ik_spread spread;     ///< for SINEW_IK_SPREAD
        sinew_ik_body body;         ///< for SINEW_IK_BODY
    };
} sinew_ik;

/// Runs solvers, [count], in order, each on the pose that the previous ones left. `model`, [node_count], must be
/// current and stays current, with the same bits that sinew_pose_to_model would write. That costs one matrix
/// product for each descendant of a rotated node. `solvers` may be NULL if `count` is 0. Chains use about 45 KB
/// of stack, bodies 70 KB.
SINEW_API void sinew_ik_solve(const sinew_ik *solvers, int32_t count, sinew_pose *pose, sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
