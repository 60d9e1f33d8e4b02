// SPDX-License-Identifier: MIT
/// Reference poses: the posture from which two characters are compared, for retargeting (retarget.h) and mirroring
/// (mirror.h).
///
/// A reference pose is upright, with its legs straight and its arms in a T or an A. The rest pose of a file often
/// isn't: it may be a frame in mid-stride, have feet that point down, or lay all bones along one axis.
/// sinew_reference_find looks for a better one:
///
///     sinew_humanoid humanoid;
///     sinew_reference reference;
///     sinew_humanoid_find(asset, NULL, &humanoid, NULL, &error);
///     sinew_reference_find(asset, &humanoid, pose, &reference, &error);
///     def.source_humanoid = &humanoid;
///     def.source_reference = pose;
///
/// Of the target, sinew_reference_find_soles also finds the soles of its shoes, which retargeting keeps above the
/// ground.
///
/// All functions give the same bits on every machine: they compute in double precision, without trigonometry.
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

/// A pose with this score has a T or an A shape.
#define SINEW_REFERENCE_GOOD_SCORE 0.75f

/// A pose with a smaller score is not a posture that characters can share.
#define SINEW_REFERENCE_MIN_SCORE 0.34375f

/// What sinew_reference_find has chosen.
typedef struct sinew_reference {
    sinew_reference_kind kind; ///< where the pose comes from
    int32_t clip;              ///< of SINEW_REFERENCE_CLIP: index in the asset; else 0
    float time;                ///< of SINEW_REFERENCE_CLIP: seconds; else 0
    float score;               ///< sinew_reference_score of the pose
    bool levels_feet;          ///< the feet were turned to have level soles, which were more than 10 degrees off
    /// By how much the pose was raised, in metres, to the ground of the planted feet. Negative: lowered.
    float raised;
} sinew_reference;

/// Scores how well a pose serves as a reference: 1 for a T or an A, less than SINEW_REFERENCE_MIN_SCORE for a body that
/// lies. Torso, head, legs, arms and feet count, by the mean of all and the worst one. Absent roles don't count. The
/// pose must be of the humanoid's skeleton. Any thread.
SINEW_API float sinew_reference_score(const sinew_humanoid *humanoid, const sinew_pose *pose, sinew_up up);

/// Writes the bind pose of an asset's skins into `pose`: each joint is where its inverse bind matrix says. Nodes that
/// aren't joints, and joints that are at rest within rounding, keep their rest transforms; `*differs`, which may be
/// NULL, tells whether any other is left. SINEW_ERROR_UNSUPPORTED for an asset without skins or with an inverse bind
/// matrix that has no inverse; SINEW_ERROR_OUT_OF_MEMORY. On failure `pose` is the rest pose. It must be of the asset's
/// skeleton (asserted). `allocator` is for temporary memory; it and `error` may be NULL. Any thread.
SINEW_API sinew_result sinew_reference_bind_pose(const sinew_asset *asset, const sinew_allocator *allocator,
                                                 sinew_pose *pose, bool *differs, sinew_error *error);

/// Chooses a reference pose and writes it into `pose`, which must be of the asset's skeleton (asserted). It takes the
/// first of the bind pose, the rest pose and the best of 256 frames of the clips that has SINEW_REFERENCE_GOOD_SCORE,
/// or else the best of all. If the clips show the feet planted, the pose is raised to their ground, with level soles.
///
/// SINEW_ERROR_UNSUPPORTED if the best score is below SINEW_REFERENCE_MIN_SCORE: `error` says what is wrong with that
/// pose, which is in `pose` and `reference`. SINEW_ERROR_OUT_OF_MEMORY. `allocator` is for temporary memory; it,
/// `reference` and `error` may be NULL. Uses about 11 KB of stack. Any thread.
SINEW_API sinew_result sinew_reference_find(const sinew_asset *asset, const sinew_humanoid *humanoid,
                                            const sinew_allocator *allocator, sinew_pose *pose,
                                            sinew_reference *reference, sinew_error *error);

/// Finds the soles of a character's feet among its vertices: up to SINEW_MAX_FOOT_POINTS outermost points of each foot,
/// seen from below, in a pose of the asset's skeleton (asserted). They are for `target_soles` of sinew_retarget_def,
/// and for foot locking and foot placement: the feet have their legs, except those without the roles. A foot without
/// vertices or without a role is left out; `feet->foot_count` may be 0, and `feet->height` is 0. At most 16 million
/// vertices count. SINEW_ERROR_OUT_OF_MEMORY. `allocator` is for temporary memory; it and `error` may be NULL. Any
/// thread.
SINEW_API sinew_result sinew_reference_find_soles(const sinew_asset *asset, const sinew_humanoid *humanoid,
                                                  const sinew_pose *pose, const sinew_allocator *allocator,
                                                  sinew_feet *feet, sinew_error *error);

/// Finds the roles of an asset: those of its VRM data, or those that sinew_humanoid_guess finds. If only the rest pose
/// contradicts the names, it checks them by the bind pose, then by the mean of 256 frames of the clips. Fills `report`,
/// which may be NULL, and fails like sinew_humanoid_guess. Uses about 11 KB of stack. Any thread.
SINEW_API sinew_result sinew_humanoid_find(const sinew_asset *asset, const sinew_allocator *allocator,
                                           sinew_humanoid *humanoid, sinew_humanoid_report *report,
                                           sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
