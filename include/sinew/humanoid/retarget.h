// SPDX-License-Identifier: MIT
/// Retargeting: plays poses and clips on a skeleton with different proportions, axes, names and joints.
///
///     sinew_retarget_assets(hero, avatar, NULL, &map, &error);
///     sinew_retarget_pose(map, sinew_mixer_pose(source_mixer), pose);
///     sinew_pose_to_model(pose, model);
///     sinew_retarget_limbs(map, source_model, pose, model); // optional: feet and hands where the source has them
///
/// You create a *retarget map* once for each combination of skeletons. The *source* has the motion, and the
/// *target* receives it. The map consists of *pairs*. A pair is a target node and the source node that drives it.
/// Nodes are paired by humanoid role (humanoid.h), by named chain, or by name. See docs/howto/retarget.md for an
/// introduction with pictures. The end of this header explains how rotations and translations are transferred.
///
/// Nodes must not have negative scale. Non-uniform scale above a pair is replaced by its mean. Shear is ignored.
///
/// A map never changes after creation. You can call all functions from any thread, as long as no other thread
/// uses the same poses and matrices. `error` may be NULL. Functions that use a map don't allocate. Their results
/// are bit-identical on every machine, because they use double precision and no trigonometry.
#ifndef SINEW_RETARGET_H
#define SINEW_RETARGET_H

#include "../asset.h"
#include "../clip.h"
#include "../body/feet.h"
#include "humanoid.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Used as the `parent` of a pair that moves in model space.
#define SINEW_NO_PAIR (-1)

/// The maximum number of paired nodes in one skeleton, including their ancestors.
#define SINEW_MAX_RETARGET_NODES 512

/// How to translate nodes. This doesn't apply to the hips or the nodes above them.
typedef enum sinew_retarget_translations {
    SINEW_RETARGET_TRANSLATIONS_SCALED, ///< add the scaled changes from the source
    SINEW_RETARGET_TRANSLATIONS_FIXED   ///< keep the target's translations; for sources whose joints drift apart
} sinew_retarget_translations;

/// A source chain that drives a target chain, such as a tail, a spider's leg or a spine without a role. Nodes are
/// listed from root to tip. Each one must be a descendant of the one before.
typedef struct sinew_retarget_chain {
    const int32_t *source_nodes; ///< [source_count]
    int32_t source_count;        ///< at least 1
    const int32_t *target_nodes; ///< [target_count]
    int32_t target_count;        ///< at least 1
} sinew_retarget_chain;

/// Parameters for sinew_retarget_create. Everything is copied except the skeletons. Start from
/// sinew_retarget_default.
typedef struct sinew_retarget_def {
    const sinew_skeleton *source; ///< required; must outlive the map
    const sinew_skeleton *target; ///< required; must outlive the map; can be the same as the source
    sinew_up source_up;           ///< up axis of the source; default SINEW_UP_Y
    sinew_up target_up;           ///< up axis of the target; default SINEW_UP_Y
    /// The source's roles. Set both humanoids, or leave both NULL (default) to pair nodes by chain and name.
    const sinew_humanoid *source_humanoid;
    const sinew_humanoid *target_humanoid; ///< the target's roles; default NULL
    int32_t chain_count;                   ///< default 0
    const sinew_retarget_chain *chains;    ///< [chain_count]; chains take precedence over roles
    /// The source's named chains, for example from a map file. Default NULL. Each one drives the target chain with
    /// the same name. They take precedence over roles, but not over `chains`, and skip target nodes that already
    /// have a pair.
    const sinew_humanoid_chains *source_chains;
    const sinew_humanoid_chains *target_chains; ///< the target's named chains; default NULL
    /// Pair the remaining nodes by name if the name is unique in each skeleton. This is for hair, skirts, sockets
    /// and nodes above the hips. They copy changes in the local transform, and also morph weights if the counts
    /// match. Default true.
    bool match_names;
    /// The source's reference pose. NULL (default) means its rest pose. It should be a T-pose, an A-pose, or any
    /// posture that both skeletons can share. If the rest pose isn't one, pass a different pose (see
    /// reference.h).
    const sinew_pose *source_reference;
    /// The target's reference pose. NULL (default) means its rest pose. Limbs bend about the same axis as in this
    /// pose. If a limb is straight here, it bends the way it does in the rest pose.
    const sinew_pose *target_reference;
    /// The target's soles, such as the lowest points of its shoes. NULL (default) means that only the joints are
    /// known. Feet without a foot role are ignored. The reference pose is raised until the lowest point is on the
    /// ground, and sinew_retarget_limbs keeps the points above the ground.
    const sinew_feet *target_soles;
    sinew_retarget_translations translations; ///< default SINEW_RETARGET_TRANSLATIONS_SCALED
    /// The size of the target relative to the source, which scales the motion. If this is 0 (default), it's
    /// computed from the leg lengths: thigh plus shin, on both sides. If there are no roles, it's computed from
    /// the chains that are legs, or from all paired bones if there aren't any. If that fails, it's 1.
    float scale;
    float foot_weight;         ///< for sinew_retarget_limbs, 0 to 1; default 1
    float hand_weight;         ///< for sinew_retarget_limbs, 0 to 1; default 0
    sinew_allocator allocator; ///< zero (default) means the C library's heap
    uint32_t cookie;           ///< private: set by sinew_retarget_default
} sinew_retarget_def;

/// A target node and the source node that drives it.
typedef struct sinew_retarget_pair {
    int32_t source; ///< source node; if two nodes drive the target, the first one
    int32_t target; ///< target node
    int32_t role;   ///< the role, or SINEW_NO_ROLE if it's paired by chain, position or name
    int32_t parent; ///< the pair that its translation is relative to, or SINEW_NO_PAIR
} sinew_retarget_pair;

/// A retarget map. Read-only. Use sinew_retarget_create to create one. The map owns the arrays.
typedef struct sinew_retarget {
    const sinew_skeleton *source;           ///< the skeleton that source poses use
    const sinew_skeleton *target;           ///< the skeleton that target poses use
    const sinew_humanoid *source_humanoid;  ///< a copy of the source's roles; empty if you left them NULL
    const sinew_humanoid *target_humanoid;  ///< the same for the target
    int32_t pair_count;                     ///< number of pairs
    const sinew_retarget_pair *pairs;       ///< [pair_count], ordered by target node
    float scale;                            ///< size of the target relative to the source
    sinew_quat rotation;                    ///< from source model space to target model space
    const struct sinew_retarget_data *data; ///< private
} sinew_retarget;

/// Returns the defaults above. You must set both skeletons.
SINEW_API sinew_retarget_def sinew_retarget_default(void);

/// Creates a map. Free it with sinew_retarget_destroy. On failure `*map` is NULL. Uses about 16 KB of stack.
/// Fails with:
///   - SINEW_ERROR_ARGUMENT for a node that doesn't exist, an invalid chain, a target node in two chains, only
///     one humanoid, a reference or soles from a different skeleton, a sole point that isn't finite or doesn't
///     belong to its foot, a scale or weight that is negative or not finite, or no pairs at all. `error` names
///     the role, chain or node.
///   - SINEW_ERROR_LIMIT for more than SINEW_MAX_RETARGET_NODES nodes.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_retarget_create(const sinew_retarget_def *def, sinew_retarget **map,
                                             sinew_error *error);

/// Creates a map between two humanoids from files, and finds what the definition needs: the roles (sinew_humanoid_find),
/// the reference poses (sinew_reference_find) and the target's soles (sinew_reference_find_soles). The rest are the
/// defaults. The assets must outlive the map. `allocator` is also used for temporary memory. It may be NULL. Fails like
/// these functions and sinew_retarget_create. `error` says which of the assets is wrong.
SINEW_API sinew_result sinew_retarget_assets(const sinew_asset *source, const sinew_asset *target,
                                             const sinew_allocator *allocator, sinew_retarget **map,
                                             sinew_error *error);

/// Frees a map. NULL is allowed.
SINEW_API void sinew_retarget_destroy(sinew_retarget *map);

/// Retargets a source pose and writes the result to `target`. This writes the rotation, translation and scale of
/// paired nodes, the morph weights of nodes paired by name, and curves with the same name. All other nodes keep
/// their transforms in `target`, so you can animate the face separately, for example. Start from a rest pose
/// (sinew_pose_create) or a mixer's pose. The poses must use the map's skeletons (asserted). Uses about 66 KB of
/// stack.
SINEW_API void sinew_retarget_pose(const sinew_retarget *map, const sinew_pose *source, sinew_pose *target);

/// Moves the feet to where they are on the source, scaled to the target's size. It also moves the hands if
/// `hand_weight` is above 0. The target's legs and arms are solved with sinew_ik_two_bone. Call this after
/// sinew_retarget_pose. `source_model` and `model` are the model matrices of the two poses (sinew_pose_to_model).
/// `model` is kept up to date.
///
/// Each foot keeps its offset from the source's foot in the reference poses, and the offset turns with the foot.
/// Feet are placed by the part of the sole that's down: the ball of the foot while the heel is raised, or the heel
/// while the toes are raised. This way, feet that stand still on the source don't slide on the target. If a leg is
/// too short to reach the ground, the hips are lowered by up to a fifth of the leg's length. If you set
/// `target_soles`, feet are raised when their soles would sink into the ground, or deeper into it than on the
/// source. Hands that touch each other on the source also touch on the target.
///
/// If there are no roles, this moves the feet of chains that are legs. It is a no-op if there aren't any. A foot
/// that isn't a descendant of its leg moves with the leg's tip.
SINEW_API void sinew_retarget_limbs(const sinew_retarget *map, const sinew_affine *source_model, sinew_pose *pose,
                                    sinew_affine *model);

/// Returns where a node of the source that carries something belongs on the target, such as the grip of a sword that
/// only the source's hand has. The place moves with `*target`, in its local space: the sword's model matrix is
/// model[*target] × sinew_affine_from_transform(result). It's scaled to the target's size and held like on the source.
///
/// `*target` is the node with the same role, or else the one that the node drives. If there isn't one, the node is
/// placed by its distance to the nearest ancestor that has one, in the source's rest pose. If none of them has one,
/// `*target` is SINEW_NO_NODE and the result is the identity. `source` must be in range (asserted).
SINEW_API sinew_transform sinew_retarget_socket(const sinew_retarget *map, int32_t source, int32_t *target);

/// Options for sinew_clip_retarget. Start from sinew_retarget_clip_default.
typedef struct sinew_retarget_clip_def {
    bool limbs;                ///< apply sinew_retarget_limbs; default true
    float rate;                ///< minimum number of keys per second; default 30
    const char *name;          ///< name of the new clip; NULL (default) keeps the clip's name
    sinew_allocator allocator; ///< zero (default) means the C library's heap
    uint32_t cookie;           ///< private: set by sinew_retarget_clip_default
} sinew_retarget_clip_def;

/// Returns the defaults above.
SINEW_API sinew_retarget_clip_def sinew_retarget_clip_default(void);

/// Retargets a clip. The new clip has a key at each of the original's key times, plus extra keys where those are
/// farther apart than 1 / `rate`. At each key, its pose is the result of sinew_retarget_pose. Duration and markers
/// stay the same. Tracks that stay at the rest pose are left out. The clip must use the map's source skeleton
/// (asserted). Pass NULL for `def` to use the defaults.
///
/// Free the new clip with sinew_clip_destroy. The target skeleton must outlive it, but it doesn't need the map or
/// the original clip.
///
/// On failure `*retargeted` is NULL. Uses about 67 KB of stack. Fails with:
///   - SINEW_ERROR_ARGUMENT for an additive clip, or if the rate isn't finite and above 0.
///   - SINEW_ERROR_LIMIT for more than a million keys, or more than 2^27 numbers across all tracks.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_clip_retarget(const sinew_retarget *map, const sinew_clip *clip,
                                           const sinew_retarget_clip_def *def, sinew_clip **retargeted,
                                           sinew_error *error);

// ---- How motion is transferred -------------------------------------------------------------------------------

// Rotations. First, the limbs are aligned in the two *reference poses*, which are the rest poses by default. Each
// bone in a target limb is turned, without roll, to point the same way as the source bone. This lets you combine a
// T-pose and an A-pose. Hands are aligned by the palm. Feet are only aligned about the vertical, which keeps soles
// level. Torso, neck, head and shoulders aren't aligned, because both references are assumed to have the same
// posture. From there, a target node rotates in model space like its source. If two chains have different numbers
// of joints, the rotation is distributed. Joint j of n uses the source chain's rotation at j / n.
//
// Translations. For the hips and the nodes above them, motion is scaled by the ratio of the leg lengths. All other
// nodes keep their distances from the target's reference pose. If you use SINEW_RETARGET_TRANSLATIONS_SCALED, the
// source's changes in distance are scaled and added. Model scale, such as an armature with a scale of 0.01, is
// supported. If both skeletons are the same, the result is the source pose, up to rounding.
//
// If there are no roles, for example on animals, the paired nodes determine which way the target faces relative to
// the source. This snaps to a quarter turn if it's within 10 degrees of one. A chain of three or more nodes that
// reaches from the body to the ground is treated as a leg. The scale is computed from the legs, or from all paired
// bones if there are no legs, and sinew_retarget_limbs moves the feet of the legs. Only chains in `chains` are
// aligned. Nodes paired by named chains or by name keep the posture of the target's reference pose.

#ifdef __cplusplus
}
#endif
#endif
