// SPDX-License-Identifier: MIT
/// Inverse kinematics: limbs that reach for targets, and heads that face them.
///
/// Two bones, a head or a gun: this header. More bones, limits, a spine that aims: ik_chain.h. Hands, feet and head of
/// one body together: ik_body.h. Feet that are locked or placed on the ground: foot_lock.h, foot_placement.h.
///
/// Solvers edit a local pose (pose.h). They read the model matrices of the nodes that they name, of the nodes between
/// these and of their parents; those must be current, as sinew_pose_to_model computes them from the pose. Each frame,
/// with the functions of mixer_pose.h and a `model` of the caller:
///
///     sinew_mixer_advance(mixer, dt);
///     sinew_mixer_evaluate(mixer);
///     sinew_pose *pose = sinew_mixer_edit_pose(mixer);
///     sinew_pose_to_model(pose, model);
///     sinew_ik_solve(solvers, count, pose, model); // `model` stays current: skin with it
///
/// In a scene the same is done by sinew_instance_def.solvers and sinew_instance_edit (scene/scene.h).
///
/// Spaces. Positions and directions are in model space, in metres, unless a comment says otherwise. The *local space
/// of a node* is the node's own space: model[node] brings its points to model space. The node's local transform is in
/// the local space of its parent, which for a root is model space. World space occurs only where a comment names it.
///
/// Axes. Defaults are for +Y-up assets. For an asset that was loaded with SINEW_UP_Z (gltf.h), set sinew_ik_aim's
/// `up`, `world_up` and `limit_up`.
///
/// Angles are radians. Weights are clamped to [0, 1], and NaN counts as 0; 0 leaves the bits of the pose unchanged.
/// Input without a solution (a number that is not finite, a direction of length 0, a node of scale 0) leaves the pose
/// unchanged.
///
/// Rotations are computed in the local space of the rotated node's parent, so ancestors may have non-uniform or
/// negative scale. Solvers never allocate or fail, and give the same bits on every machine. Definitions are only
/// read. Pointers must not be NULL, and nodes must be of the pose's skeleton (asserted, and undefined with NDEBUG). A
/// definition that its function did not make is asserted, and with NDEBUG it is a no-op. Only one thread at a time
/// may use a pose and its matrices.
///
/// The `_from_rest` functions accept any nodes, such as those of a guess. If the nodes are not below one another as the
/// function needs them, the definition has SINEW_NO_NODE for each node, in every build: check one of them. Solvers
/// treat it like a definition that no function made, and functions with a result return SINEW_ERROR_ARGUMENT.
#ifndef SINEW_IK_H
#define SINEW_IK_H

#include "ik_body.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Two-bone limbs ------------------------------------------------------------------------------------------

/// How the end node of a limb, the hand or the foot, is rotated while the limb bends.
typedef enum sinew_ik_limb_end {
    SINEW_IK_LIMB_END_FOLLOW, ///< keeps its local rotation: it rotates with the lower bone
    SINEW_IK_LIMB_END_KEEP,   ///< keeps its rotation in model space
    SINEW_IK_LIMB_END_ROTATE  ///< takes the rotation `end_rotation`
} sinew_ik_limb_end;

/// A limb of two bones, an arm or a leg, whose end is moved to a target. Start from sinew_ik_two_bone_from_rest.
///
/// A reachable target is reached within rounding, a few millionths of the limb's length. Otherwise the end moves to
/// the nearest reachable position, measured in the local space of the parent of `upper`: the limb is straight
/// towards a target too far away, and folded if the target is too near.
///
/// If `upper` or a node between it and `lower` has non-uniform scale, bending changes the length of the lower bone.
/// The bend is then found by iteration, which takes some microseconds, is as precise, and ignores `softness`.
typedef struct sinew_ik_two_bone {
    int32_t upper; ///< the node at the start of the limb: thigh, upper arm
    int32_t lower; ///< the middle node, a descendant of `upper`: shin, forearm
    int32_t end;   ///< the end node, a descendant of `lower`: foot, hand. Other nodes may be between the three
    /// The axis about which the lower bone rotates as the limb bends further, by the right-hand rule, in the local
    /// space of `lower`. Need not be unit. It decides the direction of bending for a limb that is straight or bent
    /// backward. {0}: the limb bends in its current plane, and a straight limb in an arbitrary one.
    sinew_vec3 bend_axis;
    /// The position for the end node; default {0}, must be set.
    sinew_vec3 target;
    /// A position towards which the middle joint is moved, by rotating the bent limb about the line from the start to
    /// the target; default {0}. For a pole direction, add the direction to the start's position. Keep the pole away
    /// from that line: on the line it is ignored, and near it small movements of pole or target rotate the limb far.
    /// It does not compete with `bend_axis`, which decides to which side of its bones the limb bends: the pole then
    /// decides where that side points.
    sinew_vec3 pole;
    /// The fraction of the rotation towards `pole`; default 0: the pole is ignored, and the limb swings to the target
    /// by the shortest rotation, without roll. If the limb points more than a right angle away from the target, it also
    /// rolls: the shortest rotation would turn it round where it points straight away. No choice is smooth for all
    /// targets: near the direction opposite to the middle of the limb's own at rest, for an arm behind the other
    /// shoulder, small movements rotate it far.
    float pole_weight;
    /// Soft IK: the fraction of the limb's length, 0 to 1 (clamped), over which the end falls behind the target
    /// before the limb is straight; default 0. A limb that is bent in the pose then never becomes fully straight and
    /// does not snap. Softness begins beyond the pose's own extension: a target there changes nothing.
    ///
    /// With the limb's length L, s = softness × L, at most what the limb is shorter than L in the pose, and a target at
    /// the distance L - s + x s from the start, x > 0, the end is at the distance L - s (1 + x / 4)^-4. At x = 0 the
    /// end is on the target and moves as fast as the target; at x = 1, where a limb without softness is straight, it is
    /// 0.41 s short.
    float softness;
    /// Blends the rotations like sinew_pose_blend, that of the end in model space; default 1.
    float weight;
    sinew_ik_limb_end end_mode; ///< default SINEW_IK_LIMB_END_FOLLOW
    /// For SINEW_IK_LIMB_END_ROTATE: the rotation of `end` in model space, as from sinew_affine_decompose of a model
    /// matrix; unit, default the identity.
    sinew_quat end_rotation;
    uint32_t cookie; ///< private: set by sinew_ik_two_bone_from_rest
} sinew_ik_two_bone;

/// Returns the defaults for a limb of these nodes, each a descendant of the one before; otherwise a limb whose `upper`
/// is SINEW_NO_NODE. The bend axis is that of the rest pose, or {0} if the limb is straight there to within a degree.
/// Any thread.
SINEW_API sinew_ik_two_bone sinew_ik_two_bone_from_rest(const sinew_skeleton *skeleton, int32_t upper,
                                                        int32_t lower, int32_t end);

/// Rotates `upper`, `lower` and, depending on end_mode, `end`. Does not update model matrices: sinew_ik_solve does,
/// or sinew_pose_to_model_below for `upper`.
SINEW_API void sinew_ik_two_bone_solve(const sinew_ik_two_bone *limb, sinew_pose *pose, const sinew_affine *model);

// ---- Aiming --------------------------------------------------------------------------------------------------

/// A node that is rotated so that it, or a descendant (the tip), points at a target: a head, an eye, a turret; a
/// spine that helps a gun point. Start from sinew_ik_aim_from_rest. To distribute a rotation over spine, neck and
/// head, solve them in that order for the same tip, with increasing weights, the last of 1.
///
/// Without a limit the node rotates by the shortest arc, which is not continuous for a target straight behind: near
/// there a small step of the target rotates the node by up to 1 / cos(a / 2) times the step, where a is the angle
/// of the rotation. Set a limit in every aim whose target may pass behind, at any weight.
///
/// Limits. If `limit`, `pitch_up` or `pitch_down` is below 3.14, the target's direction is first clamped to a cone
/// about `limit_axis`. The cone is elliptic: pitch, the angle along `limit_up`, and yaw, the angle sideways, have
/// limits of their own. The node then rotates once, from the pose's own direction of `forward`, without roll about
/// `limit_axis`: the pose's own roll is kept. Within the cone `forward` points at the target. Beyond it `forward`
/// stays on the limit, on the target's side. As the target comes within 60 degrees of straight behind (within 180
/// degrees less `limit`, if that is smaller), the effect falls to 0, back to the unmodified pose.
///
/// So the rotation is a continuous function of the target. With an up_weight of 0 it has two bounds. If the target's
/// direction, from the node and in its parent's space, moves by a small angle, the node rotates by at most 3 times
/// that angle, for a limit up to 1.2 (69 degrees), pitch limits of at least half of it, and a pose whose own
/// `forward` is within 40 degrees of `limit_axis`; a tip or an origin away from the node adds its parallax. And a
/// pose whose own `forward` is on `limit_axis`, such as a head whose clip looks ahead, is rotated by at most `limit`,
/// so it tilts by at most that. A pose whose own `forward` is in the region behind is rotated less, and one whose
/// `forward` is straight behind not at all.
typedef struct sinew_ik_aim {
    int32_t node;       ///< the node to rotate
    int32_t tip;        ///< the node that points at the target: `node` or a descendant
    sinew_vec3 forward; ///< the pointing direction in the tip's local space; need not be unit
    /// The position that the pointing line starts from, in the tip's local space: a muzzle; default {0}, the tip.
    sinew_vec3 origin;
    sinew_vec3 target; ///< the position to point at; default {0}, must be set
    sinew_vec3 up;     ///< the tip's up direction in its local space; need not be unit; default +Y
    /// The direction for `up` to point in. In model space, like `target`; need not be unit; default +Y.
    sinew_vec3 world_up;
    /// How far `up` is rotated towards `world_up`, about the line from the node to the target, 0 to 1. Default 0: no
    /// such rotation. If `up` or `world_up` is parallel to that line, there is none either. Without a limit, small
    /// steps near that case cause large rotations. With a limit, the rotation falls to 0 as either direction comes
    /// within 30 degrees of the line.
    float up_weight;
    /// The largest angle between `forward` and `limit_axis`, which is the limit of yaw, and of pitch if no pitch
    /// limit is below it. Below 2.618 (150 degrees) it is the limit. From there up to 3.14 it counts as 150 degrees,
    /// and from 3.14 on there is none; default: none. Where only pitch is limited, yaw is limited to 150 degrees. 0
    /// or less holds `forward` on `limit_axis`.
    float limit;
    /// The limit for targets above, along `limit_up`; default: none. Above `limit` it counts as `limit`; otherwise
    /// its values mean what those of `limit` mean.
    float pitch_up;
    float pitch_down; ///< the limit for targets below, likewise
    /// The fraction of the limit, 0 to 1 (clamped), over which `forward` falls behind the target before the limit;
    /// default 0. The curve is that of sinew_ik_two_bone.softness, applied to the tangents of half the angles.
    /// Ignored without a limit.
    float softness;
    /// The axis of the limit's cone, in the local space of the node's parent. Default: `forward` in the rest pose.
    sinew_vec3 limit_axis;
    /// 0 keeps the pose, 1, the default, points at the target. Between, without a limit, the rotation is blended like
    /// sinew_pose_blend. With a limit, `forward` is between the pose's own direction and the clamped one, on a
    /// path that does not pass straight behind.
    float weight;
    /// The direction of positive pitch, in the local space of the node's parent. Need not be unit or perpendicular to
    /// `limit_axis`, but must not be parallel to it. Default: model space's +Y in the rest pose. Has an effect only
    /// if a pitch limit is below `limit`.
    sinew_vec3 limit_up;
    /// For sinew_ik_aim_follow: the time constant of the smoothing, seconds; default 0.15. Half of a jump takes 1.7
    /// time constants, 90 % of it 3.9. 0 or less: no smoothing.
    float settle_time;
    uint32_t cookie; ///< private: set by sinew_ik_aim_from_rest
} sinew_ik_aim;

/// Returns the defaults for a node and a tip, which is the node or a descendant; otherwise an aim whose `node` is
/// SINEW_NO_NODE. `forward` is in the tip's local space. Any thread.
SINEW_API sinew_ik_aim sinew_ik_aim_from_rest(const sinew_skeleton *skeleton, int32_t node, int32_t tip,
                                              sinew_vec3 forward);

/// Rotates the node. Does not update model matrices: sinew_ik_solve does, or sinew_pose_to_model_below for the node.
SINEW_API void sinew_ik_aim_solve(const sinew_ik_aim *aim, sinew_pose *pose, const sinew_affine *model);

/// The goal of an aim's rotation: part of a sinew_ik_aim_state, written and read by sinew_ik_aim_follow only.
typedef struct sinew_ik_aim_goal {
    /// A direction as an offset from `limit_axis`, perpendicular to it, times `weight`. Its length is the tangent of
    /// half the angle between the direction and `limit_axis`. In the local space of the node's parent.
    sinew_vec3 point;
    float weight; ///< 0 to 1: below 1 only for targets near straight behind
} sinew_ik_aim_goal;

/// The state of an aim that follows its target smoothly. The caller owns one per aim and character; {0} is the
/// start, at the unmodified pose. Plain numbers without pointers: a copy is a snapshot, and the same state and calls
/// give the same bits.
typedef struct sinew_ik_aim_state {
    sinew_ik_aim_goal last;  ///< the goal of the last call
    sinew_ik_aim_goal once;  ///< the goal, smoothed
    sinew_ik_aim_goal twice; ///< the goal, smoothed twice: the node's rotation
} sinew_ik_aim_state;

/// Rotates the node like sinew_ik_aim_solve with a limit, smoothed over `settle_time`. `dt` is the time since the
/// last call, seconds, 0 or more (asserted). An aim without a limit uses one of 150 degrees. sinew_ik_solve does not
/// call this function; in a scene call it in a sinew_instance_edit.
///
/// The smoothed direction stays within the limit at all times, so it never leads through the region behind: if a
/// target passes from one side to the other behind the character, the node rotates around the front. After a resting
/// target jumps, a pose whose own `forward` is on `limit_axis` rotates at most at 1.5 tan(limit / 2) / settle_time
/// radians a second. The target is assumed to move linearly between two calls, so a resting target gives the same
/// poses at every frame rate, and one that moves at 1 rad/s is followed at 30, 60 and 240 Hz to within 0.05 degrees.
///
/// The state follows the target at weight 0, too. An infinite `dt` settles at once. A `dt` of 0 changes the rotation
/// only as the pose does, as in a paused game; a target that has moved since the last call has then jumped. Input
/// without a solution changes neither pose nor state. Does not update model matrices: sinew_pose_to_model_below does,
/// for the node.
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
        sinew_ik_aim aim;           ///< for SINEW_IK_AIM: it is solved by sinew_ik_aim_solve, without smoothing
        sinew_ik_chain chain;       ///< for SINEW_IK_CHAIN
        sinew_ik_spread spread;     ///< for SINEW_IK_SPREAD
        sinew_ik_body body;         ///< for SINEW_IK_BODY
    };
} sinew_ik;

/// Runs solvers, [count], in order, each on the result of the previous ones. `model`, [node_count], must be current; it
/// is kept so, with the same bits that sinew_pose_to_model would write. In addition to the solvers it costs one matrix
/// product for each descendant of a rotated node. `solvers` may be NULL if `count` is 0. Uses up to 70 KB of stack: see
/// ik_chain.h and ik_body.h.
SINEW_API void sinew_ik_solve(const sinew_ik *solvers, int32_t count, sinew_pose *pose, sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
