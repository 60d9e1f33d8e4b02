// SPDX-License-Identifier: MIT
/// Aim offsets: additive poses for aiming, whose rotations are added in model space.
///
/// The additive layers of a mixer (mixer.h) add rotations in the local space of each node: an offset that looks up,
/// added to a character that leans to the side, looks up and to the side. An *aim offset* adds the rotations that nodes
/// have in model space: it looks straight up, however the character leans.
///
/// It is made from a grid of poses, yaw by pitch, each of which aims in one direction. Between them it is bilinear. It
/// edits a pose, like the solvers of ik.h, after the mixer has evaluated it:
///
///     sinew_mixer_evaluate(mixer);
///     sinew_pose *pose = sinew_mixer_edit_pose(mixer);
///     sinew_pose_to_model(pose, model);
///     sinew_aim_offset_apply(aim, yaw, pitch, weight, pose, model);
///
/// Let P(k, i) be the rotation of node i in model space in the pose k, R(i) that in the reference pose, and D(k, i) =
/// P(k, i) R(i)^-1. At a direction, D(i) is the normalized sum of D(k, i) with the bilinear weights. With the weight w
/// and the mask's factor f of the node, a node that has the rotation B(i) in the pose gets
///
///     E(i) B(i),   E(i) = normalize(1 - w f + w f D(i))
///
/// A node with the factor 0 keeps its local rotation, so it follows its parent. Translations, scales and morph weights
/// do not change. Rotations in model space are the products of the local rotations; nodes must not have negative scale.
///
/// An aim offset is const after creation and may be used by any number of threads at once, with a pose each. Applying
/// one allocates nothing, and gives the same bits on every machine.
#ifndef SINEW_AIM_OFFSET_H
#define SINEW_AIM_OFFSET_H

#include "../clip.h"
#include "../mask.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The most columns, and the most rows, of the grid of an aim offset.
#define SINEW_MAX_AIM_POSES 16

/// What an aim offset is made from. Everything is copied except the skeleton. Start from sinew_aim_offset_default.
typedef struct sinew_aim_offset_def {
    const sinew_skeleton *skeleton; ///< must be set, and outlive the aim offset
    int32_t yaw_count;              ///< columns of the grid, 1 to SINEW_MAX_AIM_POSES; default 1
    int32_t pitch_count;            ///< rows of the grid, likewise
    const float *yaws;              ///< [yaw_count], increasing, in any unit, such as degrees; NULL: 0 alone
    const float *pitches;           ///< [pitch_count], likewise
    /// [pitch_count × yaw_count], the clip of pitch p and yaw y at [p × yaw_count + y]; must be set. Of each clip the
    /// pose at time 0 is taken.
    const sinew_clip *const *clips;
    /// The pose to which the clips are compared, such as that of the clip that aims straight ahead. NULL, the default:
    /// the rest pose.
    const sinew_pose *reference;
    const sinew_mask *mask;    ///< the nodes that are rotated; NULL, the default: all
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_aim_offset_default
} sinew_aim_offset_def;

/// An aim offset, opaque.
typedef struct sinew_aim_offset sinew_aim_offset;

/// Returns the defaults above. Any thread.
SINEW_API sinew_aim_offset_def sinew_aim_offset_default(void);

/// Creates an aim offset; free it with sinew_aim_offset_destroy. SINEW_ERROR_ARGUMENT, with the number of the clip in
/// `error`, for a clip that is missing, additive or of another skeleton; for a grid that is not increasing, a count out
/// of range, and a reference or mask of another skeleton. SINEW_ERROR_OUT_OF_MEMORY. On failure `*aim` is NULL. `error`
/// may be NULL. Uses about 7 KB of stack. Any thread.
SINEW_API sinew_result sinew_aim_offset_create(const sinew_aim_offset_def *def, sinew_aim_offset **aim,
                                               sinew_error *error);

/// Frees an aim offset. NULL is allowed. Any thread.
SINEW_API void sinew_aim_offset_destroy(sinew_aim_offset *aim);

/// Adds the offset for a direction, in the units of the grid, clamped to it; NaN counts as the first column or row.
/// `weight` is clamped to [0, 1], and NaN counts as 0; 0 leaves the bits of the pose unchanged. `model`, [node_count],
/// must be current and is kept so, as sinew_pose_to_model computes it. Pose and aim offset are of one skeleton
/// (asserted).
SINEW_API void sinew_aim_offset_apply(const sinew_aim_offset *aim, float yaw, float pitch, float weight,
                                      sinew_pose *pose, sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
