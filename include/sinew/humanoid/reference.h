// SPDX-License-Identifier: MIT
/// Reference poses: the posture that retargeting (retarget.h) and mirroring (mirror.h) use to compare characters.
///
/// A good reference pose is upright, with straight legs and the arms in a T-pose or an A-pose. The rest pose in a
/// file often isn't like that. It might be a frame from mid-stride, the feet might point down, or the bones might
/// all be lined up along one axis. sinew_reference_find looks for a better pose:
///
///     sinew_humanoid humanoid;
///     sinew_reference reference;
///     sinew_humanoid_find(asset, NULL, &humanoid, NULL, &error);
///     sinew_reference_find(asset, &humanoid, NULL, pose, &reference, &error);
///     def.source_humanoid = &humanoid;
///     def.source_reference = pose;
///
/// For the target, you can also use sinew_reference_find_soles to find its shoe soles, so retargeting can keep
/// them above the ground.
///
/// You can call all functions from any thread. Results are bit-identical on every machine, because the functions
/// use double precision and no trigonometry. Any `allocator` you pass is used for temporary memory. `allocator`
/// and `error` can always be NULL. Poses must use the asset's skeleton (asserted).
#ifndef SINEW_REFERENCE_H
#define SINEW_REFERENCE_H

#include "../asset.h"
#include "../body/feet.h"
#include "humanoid.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where a reference pose comes from.
typedef enum sinew_reference_kind {
    SINEW_REFERENCE_BIND, ///< the skins' inverse bind matrices
    SINEW_REFERENCE_REST, ///< the skeleton's rest pose
    SINEW_REFERENCE_CLIP  ///< a frame in a clip
} sinew_reference_kind;

/// The minimum score for a T-pose or an A-pose.
#define SINEW_REFERENCE_GOOD_SCORE 0.75f

/// The minimum score for a usable reference pose. Anything lower isn't a posture that two characters can share.
#define SINEW_REFERENCE_MIN_SCORE 0.34375f

/// The reference pose chosen by sinew_reference_find.
typedef struct sinew_reference {
    sinew_reference_kind kind; ///< where the pose comes from
    int32_t clip;              ///< index of the clip in the asset for SINEW_REFERENCE_CLIP, otherwise 0
    float time;                ///< time in seconds for SINEW_REFERENCE_CLIP, otherwise 0
    float score;               ///< the pose's sinew_reference_score
    bool levels_feet; ///< True if the feet were turned to level the soles, which were off by more than 10 degrees.
    /// How far the pose was raised to put planted feet on the ground, in meters. Negative if it was lowered.
    float raised;
} sinew_reference;

/// Scores how well a pose works as a reference. A T-pose or an A-pose gets 1. A character lying on the ground gets
/// less than SINEW_REFERENCE_MIN_SCORE. The torso, head, legs, arms and feet are scored separately, and the result
/// combines the mean and the worst of these scores. Missing roles are ignored. The pose must use the humanoid's
/// skeleton.
SINEW_API float sinew_reference_score(const sinew_humanoid *humanoid, const sinew_pose *pose, sinew_up up);

/// Writes the bind pose of an asset's skins into `pose`. Each joint goes where its inverse bind matrix puts it.
/// Nodes that aren't joints keep their rest transforms, and so do joints that are at rest up to rounding.
/// `*differs` is set to true if any joint changed. `differs` can be NULL.
///
/// Fails with SINEW_ERROR_UNSUPPORTED if the asset has no skins or an inverse bind matrix isn't invertible, or
/// with SINEW_ERROR_OUT_OF_MEMORY. On failure `pose` is the rest pose.
SINEW_API sinew_result sinew_reference_bind_pose(const sinew_asset *asset, const sinew_allocator *allocator,
                                                 sinew_pose *pose, bool *differs, sinew_error *error);

/// Chooses a reference pose and writes it into `pose`. This tries the bind pose, then the rest pose, and then the
/// best of 256 frames from the clips. The first pose that reaches SINEW_REFERENCE_GOOD_SCORE is used. If none of
/// them do, the best one is used. If feet are planted in the clips, the pose is raised to the ground below them,
/// and the soles are leveled.
///
/// Fails with SINEW_ERROR_UNSUPPORTED if the best score is below SINEW_REFERENCE_MIN_SCORE. In this case `error`
/// tells you what's wrong with the best pose, which you still get in `pose` and `reference`. Can also fail with
/// SINEW_ERROR_OUT_OF_MEMORY. `reference` may be NULL. Uses about 11 KB of stack.
SINEW_API sinew_result sinew_reference_find(const sinew_asset *asset, const sinew_humanoid *humanoid,
                                            const sinew_allocator *allocator, sinew_pose *pose,
                                            sinew_reference *reference, sinew_error *error);

/// Finds a character's soles from its vertices in a pose. For each foot, you get up to SINEW_MAX_FOOT_POINTS of
/// the outermost points as seen from below. You can use the result for `target_soles` in sinew_retarget_def, and
/// for foot locking and foot placement.
///
/// The feet include their legs if the legs have roles. Feet without vertices or a role are left out, so
/// `feet->foot_count` can be 0. `feet->height` is 0. At most 16 million vertices are used. Fails with
/// SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_reference_find_soles(const sinew_asset *asset, const sinew_humanoid *humanoid,
                                                  const sinew_pose *pose, const sinew_allocator *allocator,
                                                  sinew_feet *feet, sinew_error *error);

/// Finds the roles for an asset, either from its VRM data or with sinew_humanoid_guess. If the node names are
/// known but the rest pose contradicts them, they are checked against the bind pose instead, and then against the
/// mean of 256 frames from the clips. `report` is filled in and may be NULL. Fails like sinew_humanoid_guess.
/// Uses about 11 KB of stack.
SINEW_API sinew_result sinew_humanoid_find(const sinew_asset *asset, const sinew_allocator *allocator,
                                           sinew_humanoid *humanoid, sinew_humanoid_report *report,
                                           sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
