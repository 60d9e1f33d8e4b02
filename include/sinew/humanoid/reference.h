// SPDX-License-Identifier: MIT
/// Reference poses: the posture that retargeting (retarget.h) and mirroring (mirror.h) compare characters in.
///
/// A reference pose is upright, with straight legs and with the arms in a T or an A. A file's rest pose often
/// isn't: it can be a frame in mid-stride, have feet that point down, or lay all bones along one axis.
/// sinew_reference_find looks for a better one:
///
///     sinew_humanoid humanoid;
///     sinew_reference reference;
///     sinew_humanoid_find(asset, NULL, &humanoid, NULL, &error);
///     sinew_reference_find(asset, &humanoid, NULL, pose, &reference, &error);
///     def.source_humanoid = &humanoid;
///     def.source_reference = pose;
///
/// For a target, sinew_reference_find_soles also finds the soles of its shoes, which retargeting keeps above the
/// ground.
///
/// All functions are safe to call from any thread. They give the same bits on every machine: they compute in
/// double precision, without trigonometry. Every `allocator` is for temporary memory and may be NULL, like
/// `error`. Poses must have the asset's skeleton (asserted).
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
    SINEW_REFERENCE_REST, ///< the rest pose of the skeleton
    SINEW_REFERENCE_CLIP  ///< a frame of a clip
} sinew_reference_kind;

/// The lowest score of a T or an A.
#define SINEW_REFERENCE_GOOD_SCORE 0.75f

/// The lowest score of a usable reference. Below it, a pose isn't a posture that characters can share.
#define SINEW_REFERENCE_MIN_SCORE 0.34375f

/// What sinew_reference_find chose.
typedef struct sinew_reference {
    sinew_reference_kind kind; ///< where the pose comes from
    int32_t clip;              ///< SINEW_REFERENCE_CLIP: index in the asset; else 0
    float time;                ///< SINEW_REFERENCE_CLIP: seconds; else 0
    float score;               ///< sinew_reference_score of the pose
    bool levels_feet;          ///< the soles were more than 10 degrees off, and the feet were turned to level them
    /// How far the pose was raised to the ground of the planted feet, metres; negative if lowered.
    float raised;
} sinew_reference;

/// Scores a pose as a reference: 1 for a T or an A, below SINEW_REFERENCE_MIN_SCORE for a body that lies. The
/// score combines the mean and the worst of torso, head, legs, arms and feet. Absent roles don't count. The pose
/// must have the humanoid's skeleton.
SINEW_API float sinew_reference_score(const sinew_humanoid *humanoid, const sinew_pose *pose, sinew_up up);

/// Writes the bind pose of an asset's skins into `pose`: each joint is where its inverse bind matrix puts it.
/// Nodes that aren't joints keep their rest transforms, and so do joints that are at rest within rounding.
/// `*differs`, which may be NULL, is true if any joint changed. Fails with SINEW_ERROR_UNSUPPORTED if the asset
/// has no skins or an inverse bind matrix has no inverse, or with SINEW_ERROR_OUT_OF_MEMORY. On failure `pose` is
/// the rest pose.
SINEW_API sinew_result sinew_reference_bind_pose(const sinew_asset *asset, const sinew_allocator *allocator,
                                                 sinew_pose *pose, bool *differs, sinew_error *error);

/// Chooses a reference pose and writes it into `pose`. It tries the bind pose, the rest pose, then the best of
/// 256 frames of the clips. It takes the first that reaches SINEW_REFERENCE_GOOD_SCORE, else the best one. If the
/// clips show the feet planted, it raises the pose to their ground and levels the soles.
///
/// Fails with SINEW_ERROR_UNSUPPORTED if the best score is below SINEW_REFERENCE_MIN_SCORE. `error` then says
/// what is wrong with that pose; `pose` and `reference` still have it. Can also fail with
/// SINEW_ERROR_OUT_OF_MEMORY. `reference` may be NULL. Uses about 11 KB of stack.
SINEW_API sinew_result sinew_reference_find(const sinew_asset *asset, const sinew_humanoid *humanoid,
                                            const sinew_allocator *allocator, sinew_pose *pose,
                                            sinew_reference *reference, sinew_error *error);

/// Finds the soles of a character's feet among its vertices, in a pose. For each foot it finds up to
/// SINEW_MAX_FOOT_POINTS outermost points, seen from below. Use them for `target_soles` of sinew_retarget_def,
/// and for foot locking and foot placement. Feet get their legs if the legs have roles. A foot without vertices
/// or without a role is left out, so `feet->foot_count` can be 0. `feet->height` is 0. At most 16 million
/// vertices count. Fails with SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_reference_find_soles(const sinew_asset *asset, const sinew_humanoid *humanoid,
                                                  const sinew_pose *pose, const sinew_allocator *allocator,
                                                  sinew_feet *feet, sinew_error *error);

/// Finds an asset's roles, from its VRM data or with sinew_humanoid_guess. If only the rest pose contradicts the
/// names, it checks them against the bind pose, then against the mean of 256 frames of the clips. Fills `report`,
/// which may be NULL. Fails like sinew_humanoid_guess. Uses about 11 KB of stack.
SINEW_API sinew_result sinew_humanoid_find(const sinew_asset *asset, const sinew_allocator *allocator,
                                           sinew_humanoid *humanoid, sinew_humanoid_report *report,
                                           sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
