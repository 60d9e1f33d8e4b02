// SPDX-License-Identifier: MIT
/// Aim offsets: additive poses for aiming, added in model space.
///
///     sinew_mixer_evaluate(mixer);
///     sinew_pose *pose = sinew_mixer_edit_pose(mixer);
///     sinew_pose_to_model(pose, model);
///     sinew_aim_offset_apply(aim, yaw, pitch, weight, pose, model);
///
/// An aim offset is made from a grid of poses, yaw by pitch, that each aim in one direction. Between them it is
/// bilinear.
///
/// The mixer's additive layers (mixer.h) add rotations in local space. On a character that leans to the side, an
/// additive "look up" looks up and to the side. An aim offset looks straight up, however the character leans.
///
/// An aim offset is const after creation. Any number of threads may use it at once, each with its own pose.
/// Applying one allocates nothing and gives the same bits on every machine. Nodes must not have negative scale.
///
/// The formula: let P(k, i) be node i's rotation in model space in pose k, R(i) its rotation in the reference
/// pose, and D(k, i) = P(k, i) R(i)^-1. D(i) is the normalized sum of the D(k, i) with the bilinear weights. For
/// the weight w, the node's mask factor f, and its rotation B(i) in the pose, the result is
///
///     E(i) B(i),   E(i) = normalize(1 - w f + w f D(i))
///
/// Rotations in model space are products of local rotations. A node with factor 0 keeps its local rotation, so it
/// follows its parent. Translations, scales and morph weights don't change.
#ifndef SINEW_AIM_OFFSET_H
#define SINEW_AIM_OFFSET_H

#include "../clip.h"
#include "../mask.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The maximum number of columns, and of rows, in an aim offset's grid.
#define SINEW_MAX_AIM_POSES 16

/// Parameters for sinew_aim_offset_create, which copies all of it except the skeleton. Start from
/// sinew_aim_offset_default.
typedef struct sinew_aim_offset_def {
    const sinew_skeleton *skeleton; ///< must be set, and outlive the aim offset
    int32_t yaw_count;              ///< the grid's columns, 1 to SINEW_MAX_AIM_POSES; default 1
    int32_t pitch_count;            ///< the grid's rows, 1 to SINEW_MAX_AIM_POSES; default 1
    const float *yaws;              ///< [yaw_count], increasing, in any unit, such as degrees; NULL: a single 0
    const float *pitches;           ///< [pitch_count], by the same rules
    /// [pitch_count × yaw_count], with the clip for pitch p and yaw y at [p × yaw_count + y]; must be set. Only
    /// the pose at time 0 is used.
    const sinew_clip *const *clips;
    const sinew_pose *reference; ///< the pose that aims straight ahead; NULL (default): the rest pose
    const sinew_mask *mask;      ///< the nodes to rotate; NULL (default): all
    sinew_allocator allocator;   ///< zero: the C library's heap
    uint32_t cookie;             ///< private: set by sinew_aim_offset_default
} sinew_aim_offset_def;

/// An aim offset. Opaque.
typedef struct sinew_aim_offset sinew_aim_offset;

/// Returns the defaults above. Any thread.
SINEW_API sinew_aim_offset_def sinew_aim_offset_default(void);

/// Creates an aim offset. Free it with sinew_aim_offset_destroy. On failure `*aim` is NULL. `error` may be NULL.
/// Uses about 7 KB of stack. Any thread.
///
/// SINEW_ERROR_ARGUMENT: a clip is missing, additive or of another skeleton (`error` has its number); the yaws or
/// pitches don't increase; a count is out of range; the reference or mask is of another skeleton.
/// SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_aim_offset_create(const sinew_aim_offset_def *def, sinew_aim_offset **aim,
                                               sinew_error *error);

/// Frees an aim offset. NULL is allowed. Any thread.
SINEW_API void sinew_aim_offset_destroy(sinew_aim_offset *aim);

/// Adds the offset for a direction to a pose. `yaw` and `pitch` are in the grid's units and clamped to it; NaN
/// counts as the first column or row. `weight` is clamped to [0, 1]; NaN counts as 0. At weight 0 the pose keeps
/// its bits. `model`, [node_count], must be current (sinew_pose_to_model) and stays current. The pose must be of
/// the aim offset's skeleton (asserted).
SINEW_API void sinew_aim_offset_apply(const sinew_aim_offset *aim, float yaw, float pitch, float weight,
                                      sinew_pose *pose, sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
