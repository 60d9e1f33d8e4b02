// SPDX-License-Identifier: MIT
/// Inverse kinematics: limbs that reach for targets and heads that look at them.
///
/// Solvers edit the mixer's pose after you evaluate it. You need your own array of model matrices. Each frame:
///
///     sinew_mixer_advance(mixer, dt);
///     sinew_mixer_evaluate(mixer);
///     sinew_pose *pose = sinew_mixer_edit_pose(mixer); // mixer_pose.h
///     sinew_pose_to_model(pose, model);
///     sinew_ik_solve(solvers, count, pose, model); // also updates `model`, so use it for skinning
///
/// If you use a scene, use sinew_instance_def.solvers and sinew_instance_edit instead (scene/scene.h).
///
/// This header covers two-bone limbs and aiming. See ik_chain.h for longer chains, limits and spines. See
/// ik_body.h to move the hands, feet and head together. foot_lock.h and foot_placement.h keep feet on the ground.
///
/// These rules apply to all solvers:
///   - Positions and directions are in model space, and lengths are in meters, unless otherwise noted. Angles are
///     in radians.
///   - The *local space* of a node is the space that model[node] transforms to model space. A node's local
///     transform is relative to its parent's local space, or to model space for a root node.
///   - Model matrices must be up to date. This means that they match what sinew_pose_to_model computes from the
///     pose. A solver reads the matrices for the nodes in its definition, any nodes along the way from one to the
///     next, and their parents.
///   - Defaults are for assets with +Y up. If you load an asset with SINEW_UP_Z (gltf.h), set `up`, `world_up`
///     and `limit_up` in sinew_ik_aim.
///   - Weights are clamped to [0, 1], and NaN is treated as 0. A weight of 0 leaves the pose untouched.
///   - Invalid input, such as non-finite numbers, zero-length directions or nodes scaled to 0, leaves the pose
///     unchanged.
///   - Ancestors can have non-uniform or negative scale.
///   - Solvers never allocate, never fail and never write to their definitions. Results are bit-identical on
///     every machine.
///   - Pointers must not be NULL, and nodes must exist in the pose's skeleton (asserted; undefined with NDEBUG).
///   - Definitions must be initialized with their `_from_rest` or `_default` function (asserted; a no-op with
///     NDEBUG).
///   - Only one thread at a time can use a pose and its matrices.
///
/// You can pass any nodes to a `_from_rest` function, even if you're only guessing. If they aren't descendants of
/// one another as required, all nodes in the result are SINEW_NO_NODE, in both debug and release builds. You only
/// need to check one of them. Solvers assert if you pass them a definition like this, and functions that return a
/// sinew_result return SINEW_ERROR_ARGUMENT.
#ifndef SINEW_IK_H
#define SINEW_IK_H

#include "ik_body.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Two-bone limbs ------------------------------------------------------------------------------------------

/// What happens to a limb's end node (the hand or foot) as the limb bends.
typedef enum sinew_ik_limb_end {
    SINEW_IK_LIMB_END_FOLLOW, ///< keep its local rotation, so it turns with the lower bone
    SINEW_IK_LIMB_END_KEEP,   ///< keep its rotation in model space
    SINEW_IK_LIMB_END_ROTATE  ///< use `end_rotation`
} sinew_ik_limb_end;

/// An arm or a leg that reaches for a target. Start from sinew_ik_two_bone_from_rest.
///
/// The end reaches the target to within a few millionths of the limb's length. If the target is too far away, the
/// limb points straight at it. If the target is too close, the limb folds as far as it can. Distances are measured
/// in the local space of `upper`'s parent.
///
/// If `upper` or a node between `upper` and `lower` has non-uniform scale, the length of the lower bone changes as
/// the limb bends. In this case the solver has to iterate, which takes a few microseconds, and it ignores
/// `softness`.
typedef struct sinew_ik_two_bone {
    int32_t upper; ///< the limb's first node, such as the thigh or upper arm
    int32_t lower; ///< the middle node, such as the shin or forearm; a descendant of `upper`
    /// The end node, such as the foot or hand. Must be a descendant of `lower`. There can be other nodes in
    /// between.
    int32_t end;
    /// The knee or elbow's hinge axis, in the local space of `lower`. Doesn't have to be normalized. A positive
    /// rotation of `lower` about this axis bends the limb further (right-hand rule). The axis determines which way
    /// the limb bends if it is straight or bent backward in the pose. If the axis is {0}, the limb bends in its
    /// current plane, and a straight limb bends in an arbitrary plane.
    sinew_vec3 bend_axis;
    sinew_vec3 target; ///< the target position for the end node; default {0}, must be set
    /// The pole: a position that the knee or elbow points at. Default {0}. To point the knee or elbow, the limb
    /// rotates about the line from its first node to the target. If you have a pole direction instead, add it to
    /// the first node's position. Keep the pole away from the line. Near the line, small movements rotate the limb
    /// a lot, and on the line the pole is ignored. `bend_axis` still determines which way the limb bends, and the
    /// pole determines where that side points.
    sinew_vec3 pole;
    /// How far the limb rotates toward the pole, from 0 to 1. Default 0, which ignores the pole. Without a pole,
    /// the limb swings to the target along the shortest arc. Swings of more than 90 degrees also add some roll to
    /// avoid a flip at 180 degrees. No method is smooth everywhere. For example, if an arm reaches behind the
    /// opposite shoulder, it can turn a lot when the target only moves a little.
    float pole_weight;
    /// Soft IK, which keeps knees from snapping straight. This is the last fraction of the limb's length, where
    /// the end eases off and lags behind the target. 0 to 1 (clamped). Default 0. If softness is above 0, a limb
    /// that is bent in the pose never becomes fully straight. Targets that are closer than the limb's extension in
    /// the pose aren't affected.
    ///
    /// Let L be the limb's length, and let s = softness × L, limited to L minus the limb's extension in the pose.
    /// If the target is at a distance of L - s + x s from the first node and x > 0, the end is at a distance of
    ///
    ///     L - s (1 + x / 4)^-4
    ///
    /// The end departs from the target smoothly at x = 0. At x = 1, where the limb would be straight without
    /// softness, it is 0.41 s short of the target.
    float softness;
    /// Blends the rotations like sinew_pose_blend. The end node is blended in model space. Default 1.
    float weight;
    sinew_ik_limb_end end_mode; ///< default SINEW_IK_LIMB_END_FOLLOW
    /// The end node's model-space rotation for SINEW_IK_LIMB_END_ROTATE. Use sinew_affine_decompose to get a
    /// rotation from a model matrix. Must be a unit quaternion. Default identity.
    sinew_quat end_rotation;
    uint32_t cookie; ///< private: set by sinew_ik_two_bone_from_rest
} sinew_ik_two_bone;

/// Returns the defaults for a limb. Each node must be a descendant of the one before. If it isn't, `upper` is
/// SINEW_NO_NODE in the result. The bend axis is taken from the rest pose. It's {0} if the limb is straight there
/// to within a degree. Any thread.
SINEW_API sinew_ik_two_bone sinew_ik_two_bone_from_rest(const sinew_skeleton *skeleton, int32_t upper,
                                                        int32_t lower, int32_t end);

/// Rotates `upper`, `lower` and, depending on end_mode, `end`. This doesn't update the model matrices. Use
/// sinew_ik_solve if you need that, or call sinew_pose_to_model_below for `upper` afterwards.
SINEW_API void sinew_ik_two_bone_solve(const sinew_ik_two_bone *limb, sinew_pose *pose, const sinew_affine *model);

// ---- Aiming --------------------------------------------------------------------------------------------------

/// Points a node at a target, such as a character's head or eye, a turret, or a gun. You can also point a
/// descendant of the node, the *tip*. Start from sinew_ik_aim_from_rest.
///
/// To spread the rotation over the spine, neck and head, solve one aim for each of them, in that order. Use the
/// same tip, with weights that increase to 1. sinew_ik_spread (ik_chain.h) does this for you.
///
/// You should set a limit if the target can pass behind the character, even if the weight is small. If there's no
/// limit, the node takes the shortest arc, which flips when the target passes directly behind it.
///
/// There is a limit if `limit`, `pitch_up` or `pitch_down` is below 3.14. In this case the direction to the target
/// is first clamped to a cone about `limit_axis`. The cone is elliptic because pitch, the angle along `limit_up`,
/// and yaw, the sideways angle, have separate limits. Then a single rotation turns the node, starting from where
/// `forward` points in the pose. This keeps the pose's roll and doesn't add any about `limit_axis`. If the target
/// is inside the cone, `forward` points at it. If the target is outside, `forward` stays at the limit on the
/// target's side. When the target gets within 60 degrees of directly behind, the aim fades back to the pose. If
/// `limit` is more than 120 degrees, the fade starts within 180 degrees minus `limit` instead.
///
/// A limit makes the rotation a continuous function of the target. If up_weight is 0, these bounds also hold:
///   - If the pose looks along `limit_axis`, the node rotates, and therefore tilts, by at most `limit`.
///   - If the target's direction changes by a small angle, the node rotates by at most 3 times that angle. This
///     is true for limits up to 1.2 (69 degrees), pitch limits of at least half the limit, and poses that look
///     within 40 degrees of `limit_axis`. Directions are measured from the node in its parent's space. If the tip
///     or origin is offset from the node, there is additional parallax.
///   - If the pose looks backward, the node rotates less. If it looks directly backward, the node doesn't rotate
///     at all.
typedef struct sinew_ik_aim {
    int32_t node;       ///< the node to rotate
    int32_t tip;        ///< the node that points at the target: `node` or a descendant
    sinew_vec3 forward; ///< the pointing direction in the tip's local space; can have any length
    /// Where the pointing line starts, such as the muzzle of a gun. In the tip's local space. Default {0}, the
    /// tip itself.
    sinew_vec3 origin;
    sinew_vec3 target; ///< the position to point at; default {0}, must be set
    sinew_vec3 up;     ///< the tip's up direction in its local space; can have any length; default +Y
    /// The model-space direction that `up` should point in. Can have any length. Default +Y.
    sinew_vec3 world_up;
    /// How far `up` rotates toward `world_up`, from 0 to 1. Default 0. The rotation is about the line from the
    /// node to the target. It has no effect if `up` or `world_up` is parallel to this line. If there's no limit,
    /// small movements near there cause large rotations. If there is one, the rotation fades to 0 when either
    /// direction gets within 30 degrees of the line.
    float up_weight;
    /// The maximum angle between `forward` and `limit_axis`. Defaults to no limit. This limits yaw, and also pitch
    /// unless a pitch limit is smaller. Values of 3.14 or more mean no limit. Anything below that is capped at
    /// 2.618 (150 degrees). If only pitch is limited, yaw is limited to 150 degrees. A value of 0 or less keeps
    /// `forward` on `limit_axis`.
    float limit;
    float pitch_up;   ///< the limit for targets above, along `limit_up`; clamped to `limit`; defaults to no limit
    float pitch_down; ///< like `pitch_up`, for targets below; defaults to no limit
    /// The last fraction of the limit, where `forward` eases off and lags behind the target. 0 to 1 (clamped).
    /// Default 0. This uses the same curve as sinew_ik_two_bone.softness, applied to the half-angle tangents.
    /// Ignored if there is no limit.
    float softness;
    /// The limit cone's axis, in the local space of the node's parent. Defaults to `forward` in the rest pose.
    sinew_vec3 limit_axis;
    /// 0 keeps the pose, and 1 points at the target. Default 1. If there is no limit, this blends the rotation
    /// like sinew_pose_blend. If there is one, it moves `forward` from the pose to the clamped direction, without
    /// ever passing directly behind.
    float weight;
    /// The direction of positive pitch, in the local space of the node's parent. It doesn't have to be normalized
    /// or perpendicular to `limit_axis`, but it must not be parallel to it. Defaults to the model-space +Y axis
    /// in the rest pose. This is only used if a pitch limit is below `limit`.
    sinew_vec3 limit_up;
    /// The time constant for sinew_ik_aim_follow, in seconds. Default 0.15. The aim covers half of a jump in 1.7
    /// time constants, and 90% in 3.9. A value of 0 or less disables smoothing.
    float settle_time;
    /// How far the character's own motion has moved the target in model space since the last call. Only used by
    /// sinew_ik_aim_follow. For a point in the world, subtract two conversions to model space: with the world
    /// transform now, minus with the last call's. Default {0}, which smooths all motion alike.
    sinew_vec3 own_motion;
    uint32_t cookie; ///< private: set by sinew_ik_aim_from_rest
} sinew_ik_aim;

/// Returns the defaults for an aim. `tip` must be `node` or a descendant. If it isn't, `node` is SINEW_NO_NODE in
/// the result. `forward` is in the tip's local space. Any thread.
SINEW_API sinew_ik_aim sinew_ik_aim_from_rest(const sinew_skeleton *skeleton, int32_t node, int32_t tip,
                                              sinew_vec3 forward);

/// Rotates the node. This doesn't update the model matrices. Use sinew_ik_solve if you need that, or call
/// sinew_pose_to_model_below for the node afterwards.
SINEW_API void sinew_ik_aim_solve(const sinew_ik_aim *aim, sinew_pose *pose, const sinew_affine *model);

/// Part of sinew_ik_aim_state. Where an aim should point. Only used by sinew_ik_aim_follow.
typedef struct sinew_ik_aim_goal {
    /// Where `forward` should point, as a unit vector in model space. For a tip that's offset from the node, it's
    /// where `limit_axis` points once the node has rotated. {0} if `weight` is 0.
    sinew_vec3 direction;
    float weight; ///< 0 to 1; below 1 if the aim has just started or the target is almost directly behind
} sinew_ik_aim_goal;

/// The state of an aim that follows its target smoothly. You need one per aim for each character. Initialize it to
/// {0}, which starts from the unmodified pose. This is plain data, so you can copy it to take a snapshot.
/// Repeating the same calls from the same state gives bit-identical results.
typedef struct sinew_ik_aim_state {
    sinew_ik_aim_goal last;  ///< the goal in the last call
    sinew_ik_aim_goal once;  ///< the goal, smoothed
    sinew_ik_aim_goal twice; ///< the goal, smoothed twice; this determines the rotation
    sinew_vec3 target;       ///< the target in the last call
} sinew_ik_aim_state;

/// Rotates the node like sinew_ik_aim_solve, but smooths the motion over `settle_time`. If the aim has no limit,
/// it is limited to 150 degrees. `dt` is the time since the last call in seconds. It must be 0 or more
/// (asserted). An infinite `dt` settles the aim immediately. If `dt` is 0, for example in a paused game, the aim
/// doesn't move. If the target moves while `dt` is 0, this is treated as a jump.
///
/// Directions are smoothed in model space. A head doesn't wobble with the body below it as long as its target rests
/// there. If a character walks or turns in the world, its targets move in model space. Set `own_motion` to follow a
/// target that rests in the world without lag. The target's own motion is still smoothed. In the outer half of the
/// limit, some lag remains, because the head would otherwise stop abruptly at it.
///
/// The smoothed direction stays within the limit while the node's parent rests and own_motion is {0}. Otherwise, it
/// can exceed the limit for a moment, by at most a quarter. If the target passes behind the character from one side
/// to the other, the node swings around through the front. The state follows the target even if the weight is 0.
/// Invalid input leaves the pose and the state unchanged.
///
/// The target is assumed to move linearly between calls, so if it's at rest, you get the same poses at any frame
/// rate. If a target at rest jumps, the node's parent rests and the pose looks along `limit_axis`, the node rotates
/// by at most 1.5 tan(limit / 2) / settle_time radians per second.
///
/// Note that sinew_ik_solve doesn't call this function. Call it yourself, or from sinew_instance_edit if you use
/// a scene. Then call sinew_pose_to_model_below for the node to update the model matrices.
SINEW_API void sinew_ik_aim_follow(const sinew_ik_aim *aim, float dt, sinew_ik_aim_state *state, sinew_pose *pose,
                                   const sinew_affine *model);

// ---- Several solvers -----------------------------------------------------------------------------------------

/// The solver type.
typedef enum sinew_ik_kind {
    SINEW_IK_TWO_BONE, ///< sinew_ik_two_bone
    SINEW_IK_AIM,      ///< sinew_ik_aim
    SINEW_IK_CHAIN,    ///< sinew_ik_chain (ik_chain.h)
    SINEW_IK_SPREAD,   ///< sinew_ik_spread (ik_chain.h)
    SINEW_IK_BODY      ///< sinew_ik_body (ik_body.h)
} sinew_ik_kind;

/// A solver of any type.
typedef struct sinew_ik {
    sinew_ik_kind kind; ///< which member of the union is set
    union {
        sinew_ik_two_bone two_bone; ///< for SINEW_IK_TWO_BONE
        sinew_ik_aim aim;           ///< for SINEW_IK_AIM; uses sinew_ik_aim_solve, without smoothing
        sinew_ik_chain chain;       ///< for SINEW_IK_CHAIN
        sinew_ik_spread spread;     ///< for SINEW_IK_SPREAD
        sinew_ik_body body;         ///< for SINEW_IK_BODY
    };
} sinew_ik;

/// Runs an array of [count] solvers in order. Each solver works on the pose left by the previous one. `model` has
/// [node_count] matrices, which must be up to date. They are kept up to date, and are bit-identical to what
/// sinew_pose_to_model would write. This costs one matrix multiply for each descendant of a rotated node.
/// `solvers` can be NULL if `count` is 0. Chains use about 45 KB of stack, bodies about 70 KB.
SINEW_API void sinew_ik_solve(const sinew_ik *solvers, int32_t count, sinew_pose *pose, sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
