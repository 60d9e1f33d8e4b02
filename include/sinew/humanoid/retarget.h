// SPDX-License-Identifier: MIT
/// Retargeting: poses and clips of one skeleton on another, with other proportions, axes, names and joints.
///
/// A *retarget map* is made once for a pair of skeletons: the *source*, which has the motion, and the *target*. It
/// lists *pairs* of a source node and the target node that it drives, found by humanoid roles (humanoid.h), by chains
/// that the program or map files name, and by equal names. docs/howto/retarget.md explains it with pictures. Each
/// frame:
///
///     sinew_retarget_pose(map, sinew_mixer_pose(source_mixer), pose);
///     sinew_pose_to_model(pose, model);
///     sinew_retarget_limbs(map, source_model, pose, model); // optional: feet and hands where the source has them
///
/// Rotations. In the *reference poses* of both skeletons, by default the rest poses, limbs are aligned: each bone of a
/// target's limb is rotated, without roll, to the direction of the source's bone, so a T-pose and an A-pose fit.
/// Hands are aligned by the palm, feet about the vertical only, so that soles stay level. The torso, neck, head and
/// shoulders are not: the two references are taken as the same posture. From there a target node rotates in model
/// space as its source does. If two chains have different numbers of joints, the rotation is distributed: joint j of
/// n takes that of the source chain at j / n.
///
/// Translations. The motion of the hips, and of the nodes above them, is scaled by the ratio of the leg lengths. Other
/// nodes keep the distances of the target's reference, plus the source's own changes of distance, scaled
/// (SINEW_RETARGET_TRANSLATIONS_SCALED). Model scale, such as an armature of scale 0.01, is taken into account.
/// Skeletons that are equal give the source's pose within rounding.
///
/// Without roles, as for animals: the paired nodes tell where the target faces, relative to the source, to a quarter
/// turn if that is within 10 degrees. A chain of three nodes or more that reaches from the body to the ground is a leg:
/// the size is the ratio of the legs, or of all paired bones without legs, and sinew_retarget_limbs moves the feet.
/// Only the chains of `chains` are aligned; named chains and equal names keep the posture of the target's reference.
///
/// Nodes must not have negative scale. Non-uniform scale above a pair is taken as its mean, and shears are ignored.
///
/// A map is const after creation and may be used by any number of threads at once. Functions that use it allocate
/// nothing, and give the same bits on every machine: they compute in double precision, without trigonometry.
#ifndef SINEW_RETARGET_H
#define SINEW_RETARGET_H

#include "../clip.h"
#include "../body/feet.h"
#include "humanoid.h"

#ifdef __cplusplus
extern "C" {
#endif

/// No pair: the parent of a pair that moves in model space.
#define SINEW_NO_PAIR (-1)

/// The largest number of paired nodes of one skeleton, their ancestors included.
#define SINEW_MAX_RETARGET_NODES 512

/// What happens to the translations of nodes other than the hips and the nodes above them.
typedef enum sinew_retarget_translations {
    SINEW_RETARGET_TRANSLATIONS_SCALED, ///< the source's changes are added, scaled
    SINEW_RETARGET_TRANSLATIONS_FIXED   ///< the target keeps its own: for sources whose joints drift apart
} sinew_retarget_translations;

/// A chain of nodes that drives another: a tail, a leg of a spider, a spine without a role. Both go from the root to
/// the tip, each node a descendant of the one before.
typedef struct sinew_retarget_chain {
    const int32_t *source_nodes; ///< [source_count]
    int32_t source_count;        ///< at least 1
    const int32_t *target_nodes; ///< [target_count]
    int32_t target_count;        ///< at least 1
} sinew_retarget_chain;

/// What a map is made from. Everything is copied except the skeletons. Start from sinew_retarget_default.
typedef struct sinew_retarget_def {
    const sinew_skeleton *source; ///< must be set, and outlive the map
    const sinew_skeleton *target; ///< must be set, and outlive the map; may be the source
    sinew_up source_up;           ///< the axis that points up in the source; default SINEW_UP_Y
    sinew_up target_up;           ///< the axis that points up in the target; default SINEW_UP_Y
    /// The roles of the source; NULL, the default, for both skeletons: then chains and names make the pairs.
    const sinew_humanoid *source_humanoid;
    const sinew_humanoid *target_humanoid; ///< the roles of the target; NULL if those of the source are
    int32_t chain_count;                   ///< default 0
    const sinew_retarget_chain *chains;    ///< [chain_count]; they take precedence over roles
    /// Named chains of the source, as from a map file; default NULL. Each drives the target's chain of the same name.
    /// They come after `chains` and before roles, and leave out target nodes that have a pair.
    const sinew_humanoid_chains *source_chains;
    const sinew_humanoid_chains *target_chains; ///< named chains of the target; default NULL
    /// Pairs nodes without role or chain whose name occurs once in each skeleton: hair, skirts, sockets, and the
    /// nodes above the hips. They copy the change of their local transforms, and morph weights of equal number.
    bool match_names; ///< default true
    /// The reference pose of the source; NULL, the default: its rest pose. If that is not a T-pose, an A-pose or
    /// another posture that both skeletons can share, pass a sampled pose.
    const sinew_pose *source_reference;
    /// The same of the target. Limbs bend about the axis about which they are bent there, or else in the rest pose.
    const sinew_pose *target_reference;
    /// The target's soles, such as the lowest vertices of its shoes; NULL, the default: only the joints are known. Of a
    /// foot whose node has the role of a foot, the points are its sole; other feet are ignored. The reference is raised
    /// until the lowest point is on the ground, and sinew_retarget_limbs keeps the points above it.
    const sinew_feet *target_soles;
    sinew_retarget_translations translations; ///< default SINEW_RETARGET_TRANSLATIONS_SCALED
    /// The size of the target's motion relative to the source's; 0, the default: the ratio of the leg lengths (thigh
    /// and shin, both sides). Without roles: of the legs among the chains, else of the paired bones. 1 without either.
    float scale;
    float foot_weight;         ///< for sinew_retarget_limbs: 0 to 1; default 1
    float hand_weight;         ///< for sinew_retarget_limbs: 0 to 1; default 0
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_retarget_default
} sinew_retarget_def;

/// A node of the target and the node of the source that drives it.
typedef struct sinew_retarget_pair {
    int32_t source; ///< node of the source; in a distributed chain, the first of the two that drive the target
    int32_t target; ///< node of the target
    int32_t role;   ///< its role, or SINEW_NO_ROLE: paired by chain, position or name
    int32_t parent; ///< the pair relative to which its translation is kept, or SINEW_NO_PAIR
} sinew_retarget_pair;

/// A retarget map, read-only. Only maps made by sinew_retarget_create are valid. The arrays belong to the map.
typedef struct sinew_retarget {
    const sinew_skeleton *source;           ///< the skeleton whose poses it reads
    const sinew_skeleton *target;           ///< the skeleton whose poses it writes
    int32_t pair_count;                     ///< number of pairs
    const sinew_retarget_pair *pairs;       ///< [pair_count], by target node
    float scale;                            ///< the size of the target's motion relative to the source's
    sinew_quat rotation;                    ///< from the source's model space to the target's
    const struct sinew_retarget_data *data; ///< private
} sinew_retarget;

/// Returns the default definition: no skeletons, the C library's heap.
SINEW_API sinew_retarget_def sinew_retarget_default(void);

/// Creates a map; free it with sinew_retarget_destroy. SINEW_ERROR_ARGUMENT, with the role, chain or node in `error`: a
/// node that does not exist, a chain that is not one, a target node in two chains, one humanoid without the other, a
/// reference or soles of another skeleton, a point of a sole that is not finite or not of its foot, a scale or weight
/// that is negative or not finite, or no pair at all. SINEW_ERROR_LIMIT for more than SINEW_MAX_RETARGET_NODES;
/// SINEW_ERROR_OUT_OF_MEMORY. On failure `*map` is NULL. `error` may be NULL. Uses about 16 KB of stack. Any thread.
SINEW_API sinew_result sinew_retarget_create(const sinew_retarget_def *def, sinew_retarget **map,
                                             sinew_error *error);

/// Frees a map. NULL is allowed. Any thread.
SINEW_API void sinew_retarget_destroy(sinew_retarget *map);

/// Writes the target's pose for a pose of the source. Of paired nodes it sets the rotation, the translation and the
/// scale, the morph weights of nodes that were paired by name, and the curves of equal names. Other nodes keep their
/// transforms in `target`, so a face may be animated by itself: start from a rest pose (sinew_pose_create) or a
/// mixer's. The poses must be of the map's skeletons (asserted). Uses about 66 KB of stack. Any thread, as long as no
/// other uses the poses.
SINEW_API void sinew_retarget_pose(const sinew_retarget *map, const sinew_pose *source, sinew_pose *target);

/// Moves the feet, and with a `hand_weight` the hands, to the positions that they have on the source, scaled, by
/// bending the target's legs and arms (sinew_ik_two_bone). Hands that touch each other on the source touch on the
/// target. A foot keeps its distance from the source's in the reference, which turns with the foot. A foot is placed by
/// its sole: by the ball while the heel is raised, by the heel while the toes are, so feet that do not move on the
/// source do not slide on the target. Where a leg is too short for a foot that is on the ground, the hips are lowered,
/// by at most a fifth of the leg. With `target_soles` a foot is raised while its sole would be in the ground, or deeper
/// in it than the source's. `source_model` and `model` are model matrices of both poses (sinew_pose_to_model), and
/// `model` stays current. Without roles, it moves the feet of the chains that are legs, and is a no-op if there aren't
/// any. A foot that is not below its leg moves with the leg's tip. Any thread, as long as no other uses the pose and
/// its matrices.
SINEW_API void sinew_retarget_limbs(const sinew_retarget *map, const sinew_affine *source_model, sinew_pose *pose,
                                    sinew_affine *model);

/// How a clip is retargeted. Start from sinew_retarget_clip_default.
typedef struct sinew_retarget_clip_def {
    bool limbs;                ///< applies sinew_retarget_limbs; default true
    float rate;                ///< keys a second, at least; default 30
    const char *name;          ///< NULL, the default: the clip's name
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_retarget_clip_default
} sinew_retarget_clip_def;

/// Returns the default definition.
SINEW_API sinew_retarget_clip_def sinew_retarget_clip_default(void);

/// Makes a clip of the target: what sinew_retarget_pose gives at each time of a key of the clip, and between keys that
/// are further apart than 1 / `rate`. Between these times it is interpolated. Tracks that do not differ from the rest
/// pose are left out. Duration and markers are the clip's. The clip must be of the map's source (asserted). Free the
/// copy with sinew_clip_destroy; the target's skeleton must outlive it, the map and the clip need not. `def` of NULL is
/// the default. SINEW_ERROR_ARGUMENT for an additive clip and for a rate that is not finite or not above 0;
/// SINEW_ERROR_LIMIT for more than a million keys, or more than 2^27 numbers in the keys of all tracks;
/// SINEW_ERROR_OUT_OF_MEMORY. On failure `*retargeted` is NULL. `error` may be NULL. Uses about 67 KB of stack. Any
/// thread.
SINEW_API sinew_result sinew_clip_retarget(const sinew_retarget *map, const sinew_clip *clip,
                                           const sinew_retarget_clip_def *def, sinew_clip **retargeted,
                                           sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
