// SPDX-License-Identifier: MIT
/// Retargeting: plays one skeleton's poses and clips on another, with other proportions, axes, names and joints.
///
///     sinew_retarget_pose(map, sinew_mixer_pose(source_mixer), pose);
///     sinew_pose_to_model(pose, model);
///     sinew_retarget_limbs(map, source_model, pose, model); // optional: feet and hands where the source has them
///
/// Create a *retarget map* once for two skeletons: the *source*, which has the motion, and the *target*. The map
/// lists *pairs*: a target node and the source node that drives it. Pairs come from humanoid roles (humanoid.h),
/// from named chains and from equal names. docs/howto/retarget.md explains it with pictures. How rotations and
/// translations are transferred is at the end of this header.
///
/// Nodes must not have negative scale. Non-uniform scale above a pair counts as its mean. Shear is ignored.
///
/// A map is const after creation. All functions are safe to call from any thread, if no other uses the same poses
/// and matrices. `error` may be NULL. Functions that use a map don't allocate, and give the same bits on every
/// machine: they compute in double precision, without trigonometry.
#ifndef SINEW_RETARGET_H
#define SINEW_RETARGET_H

#include "../clip.h"
#include "../body/feet.h"
#include "humanoid.h"

#ifdef __cplusplus
extern "C" {
#endif

/// No pair: the `parent` of a pair that moves in model space.
#define SINEW_NO_PAIR (-1)

/// The most paired nodes in one skeleton, including their ancestors.
#define SINEW_MAX_RETARGET_NODES 512

/// How to translate nodes other than the hips and the nodes above them.
typedef enum sinew_retarget_translations {
    SINEW_RETARGET_TRANSLATIONS_SCALED, ///< add the source's changes, scaled
    SINEW_RETARGET_TRANSLATIONS_FIXED   ///< keep the target's own; for sources with joints that drift apart
} sinew_retarget_translations;

/// A chain of nodes that drives another, such as a tail, a spider's leg or a spine without a role. Nodes go from
/// root to tip, each below the one before.
typedef struct sinew_retarget_chain {
    const int32_t *source_nodes; ///< [source_count]
    int32_t source_count;        ///< at least 1
    const int32_t *target_nodes; ///< [target_count]
    int32_t target_count;        ///< at least 1
} sinew_retarget_chain;

/// The definition of a map. Everything is copied except the skeletons. Start from sinew_retarget_default.
typedef struct sinew_retarget_def {
    const sinew_skeleton *source; ///< must be set; must outlive the map
    const sinew_skeleton *target; ///< must be set; must outlive the map; may be the source
    sinew_up source_up;           ///< the source's up axis; default SINEW_UP_Y
    sinew_up target_up;           ///< the target's up axis; default SINEW_UP_Y
    /// Roles of the source. Set both humanoids, or leave both NULL (default) to pair by chains and names.
    const sinew_humanoid *source_humanoid;
    const sinew_humanoid *target_humanoid; ///< roles of the target; default NULL
    int32_t chain_count;                   ///< default 0
    const sinew_retarget_chain *chains;    ///< [chain_count]; take precedence over roles
    /// Named chains of the source, for example from a map file; default NULL. Each drives the target's chain with
    /// the same name. They rank after `chains` and before roles, and skip target nodes that already have a pair.
    const sinew_humanoid_chains *source_chains;
    const sinew_humanoid_chains *target_chains; ///< named chains of the target; default NULL
    /// Also pairs nodes without role or chain by name, if the name is unique in each skeleton: hair, skirts,
    /// sockets, and nodes above the hips. They copy the change of their local transforms, and morph weights if
    /// the counts are equal. Default true.
    bool match_names;
    /// The source's reference pose; NULL (default): its rest pose. If that isn't a T-pose, an A-pose or another
    /// posture that both skeletons can share, pass a pose that is (reference.h).
    const sinew_pose *source_reference;
    /// The target's reference pose; NULL (default): its rest pose. Limbs bend about the same axis as in this
    /// pose; limbs that are straight in it bend like in the rest pose.
    const sinew_pose *target_reference;
    /// The target's soles, such as the lowest points of its shoes; NULL (default): only joints are known. Points
    /// of feet with a foot's role count, other feet are ignored. The reference pose is raised until the lowest
    /// point is on the ground, and sinew_retarget_limbs keeps the points above it.
    const sinew_feet *target_soles;
    sinew_retarget_translations translations; ///< default SINEW_RETARGET_TRANSLATIONS_SCALED
    /// The target's size relative to the source's, to scale motion. 0 (default): the ratio of leg lengths, thigh
    /// plus shin on both sides. Without roles: the ratio of the legs among the chains, else of all paired bones,
    /// else 1.
    float scale;
    float foot_weight;         ///< for sinew_retarget_limbs: 0 to 1; default 1
    float hand_weight;         ///< for sinew_retarget_limbs: 0 to 1; default 0
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_retarget_default
} sinew_retarget_def;

/// A target node and the source node that drives it.
typedef struct sinew_retarget_pair {
    int32_t source; ///< source node; in a distributed chain, the first of the two that drive the target
    int32_t target; ///< target node
    int32_t role;   ///< its role, or SINEW_NO_ROLE: paired by chain, position or name
    int32_t parent; ///< the pair that its translation is relative to, or SINEW_NO_PAIR
} sinew_retarget_pair;

/// A retarget map, read-only. Create it only with sinew_retarget_create. The map owns the arrays.
typedef struct sinew_retarget {
    const sinew_skeleton *source;           ///< poses to read have this skeleton
    const sinew_skeleton *target;           ///< poses to write have this skeleton
    int32_t pair_count;                     ///< number of pairs
    const sinew_retarget_pair *pairs;       ///< [pair_count], ordered by target node
    float scale;                            ///< the target's size relative to the source's
    sinew_quat rotation;                    ///< from the source's model space to the target's
    const struct sinew_retarget_data *data; ///< private
} sinew_retarget;

/// Returns the defaults above. Both skeletons must be set.
SINEW_API sinew_retarget_def sinew_retarget_default(void);

/// Creates a map. Free it with sinew_retarget_destroy. On failure `*map` is NULL. Uses about 16 KB of stack.
/// Fails with:
///   - SINEW_ERROR_ARGUMENT for a node that doesn't exist, an invalid chain, a target node in two chains, one
///     humanoid without the other, a reference or soles of another skeleton, a sole point that isn't finite or
///     not of its foot, a scale or weight that is negative or not finite, or no pairs at all; `error` names the
///     role, chain or node.
///   - SINEW_ERROR_LIMIT for more than SINEW_MAX_RETARGET_NODES.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_retarget_create(const sinew_retarget_def *def, sinew_retarget **map,
                                             sinew_error *error);

/// Frees a map, or nothing if NULL.
SINEW_API void sinew_retarget_destroy(sinew_retarget *map);

/// Retargets a source pose to `target`. Writes rotation, translation and scale of paired nodes, morph weights of
/// nodes paired by name, and curves with equal names. Other nodes keep their transforms in `target`, so you can
/// animate a face separately; start from a rest pose (sinew_pose_create) or a mixer's pose. The poses must have
/// the map's skeletons (asserted). Uses about 66 KB of stack.
SINEW_API void sinew_retarget_pose(const sinew_retarget *map, const sinew_pose *source, sinew_pose *target);

/// Moves the feet, and the hands if `hand_weight` is above 0, to where they are on the source, scaled. It bends
/// the target's legs and arms with sinew_ik_two_bone. Call it after sinew_retarget_pose. `source_model` and
/// `model` are the model matrices of both poses (sinew_pose_to_model). It also updates `model`.
///
/// A foot keeps its distance from the source's foot in the reference poses; the distance turns with the foot.
/// Feet are placed by the sole: by the ball while the heel is raised, by the heel while the toes are. So feet
/// that stand still on the source don't slide on the target. If a leg is too short to reach the ground, the hips
/// are lowered by at most a fifth of the leg. With `target_soles`, a foot is raised if its sole would be in the
/// ground, or deeper in it than the source's. Hands that touch on the source touch on the target.
///
/// Without roles, it moves the feet of chains that are legs, and is a no-op if there aren't any. A foot that
/// isn't below its leg moves with the leg's tip.
SINEW_API void sinew_retarget_limbs(const sinew_retarget *map, const sinew_affine *source_model, sinew_pose *pose,
                                    sinew_affine *model);

/// Options of sinew_clip_retarget. Start from sinew_retarget_clip_default.
typedef struct sinew_retarget_clip_def {
    bool limbs;                ///< apply sinew_retarget_limbs; default true
    float rate;                ///< at least this many keys a second; default 30
    const char *name;          ///< NULL (default): the clip's name
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_retarget_clip_default
} sinew_retarget_clip_def;

/// Returns the defaults above.
SINEW_API sinew_retarget_clip_def sinew_retarget_clip_default(void);

/// Retargets a clip. The new clip has keys at the times of all the clip's keys, and more where these are further
/// apart than 1 / `rate`. At each key it has the pose of sinew_retarget_pose. Duration and markers stay. Tracks
/// that stay at the rest pose are left out. The clip must be of the map's source skeleton (asserted). `def` may
/// be NULL for the defaults. Free the result with sinew_clip_destroy. The target skeleton must outlive it; map
/// and clip needn't.
///
/// On failure `*retargeted` is NULL. Uses about 67 KB of stack. Fails with:
///   - SINEW_ERROR_ARGUMENT for an additive clip, or a rate that isn't finite and above 0.
///   - SINEW_ERROR_LIMIT for more than a million keys, or 2^27 numbers in all tracks.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_clip_retarget(const sinew_retarget *map, const sinew_clip *clip,
                                           const sinew_retarget_clip_def *def, sinew_clip **retargeted,
                                           sinew_error *error);

// ---- How motion is transferred -------------------------------------------------------------------------------

// Rotations. First, limbs in both *reference poses* (by default the rest poses) are aligned: each bone of a target's
// limb is turned, without roll, to the direction of the source's bone. So a T-pose and an A-pose fit. Hands are
// aligned by the palm. Feet are aligned only about the vertical, to keep soles level. Torso, neck, head and shoulders
// aren't aligned; both references count as the same posture. From there, a target node rotates in model space like
// its source. If two chains have different numbers of joints, the rotation is distributed: joint j of n takes the
// source chain's rotation at j / n.
//
// Translations. The motion of the hips, and of the nodes above them, is scaled by the ratio of leg lengths. Other
// nodes keep the distances in the target's reference, plus the source's changes of distance, scaled
// (SINEW_RETARGET_TRANSLATIONS_SCALED). Model scale, such as an armature with scale 0.01, is handled. If both
// skeletons are equal, the result is the source's pose within rounding.
//
// Without roles, as with animals, paired nodes tell where the target faces relative to the source. That turn
// snaps to a quarter turn within 10 degrees. A chain of three or more nodes that reaches from the body to the ground
// is a leg. Legs give the scale, or all paired bones if there aren't any, and sinew_retarget_limbs moves their feet.
// Only chains in `chains` are aligned. Named chains and equal names keep the posture of the target's reference.

#ifdef __cplusplus
}
#endif
#endif
