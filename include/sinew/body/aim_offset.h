// SPDX-License-Identifier: MIT
/// Aim offsets: additive poses for aiming, added in model space.
///
///     sinew_mixer_evaluate(mixer);
///     sinew_pose *pose = sinew_mixer_edit_pose(mixer);
///     sinew_pose_to_model(pose, model);
///     sinew_aim_offset_apply(aim, yaw, pitch, weight, pose, model);
///
/// You create an aim offset from a grid of poses, yaw by pitch. Each pose aims in one direction, and directions in
/// between are interpolated bilinearly.
///
/// The mixer's additive layers (mixer.h) add rotations in local space. If a character leans to the side, an
/// additive "look up" clip also looks to the side. An aim offset looks straight up no matter how the character
/// leans.
///
/// An aim offset never changes after creation, so any number of threads can use it at the same time. Each thread
/// needs its own pose. Applying an aim offset doesn't allocate, and the result is bit-identical on every machine.
/// Nodes must not have negative scale.
///
/// Here's the formula. Let P(k, i) be node i's model-space rotation in pose k, R(i) its rotation in the reference
/// pose, and D(k, i) = P(k, i) R(i)^-1. D(i) is the sum of all D(k, i), weighted bilinearly and normalized. Given
/// the weight w, the node's mask factor f and its rotation B(i) in the pose, the new rotation is
///
///     E(i) B(i),   E(i) = normalize(1 - w f + w f D(i))
///
/// Model-space rotations here are products of local rotations. A node whose factor is 0 keeps its local rotation,
/// so it follows its parent. Translations, scales and morph weights don't change.
#ifndef SINEW_AIM_OFFSET_H
#define SINEW_AIM_OFFSET_H

#include "../clip.h"
#include "../mask.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The maximum number of columns or rows in an aim offset's grid.
#define SINEW_MAX_AIM_POSES 16

/// Parameters for sinew_aim_offset_create. Everything is copied except the skeleton. Start from
/// sinew_aim_offset_default.
typedef struct sinew_aim_offset_def {
    const sinew_skeleton *skeleton; ///< required; must outlive the aim offset
    int32_t yaw_count;              ///< number of grid columns, 1 to SINEW_MAX_AIM_POSES; default 1
    int32_t pitch_count;            ///< number of grid rows, 1 to SINEW_MAX_AIM_POSES; default 1
    const float *yaws;    ///< [yaw_count], in increasing order, in any unit you like; NULL means a single 0
    const float *pitches; ///< [pitch_count], same rules as `yaws`
    /// Required. An array of [pitch_count × yaw_count] clips. The clip for pitch p and yaw y is at index p ×
    /// yaw_count + y. Only the pose at time 0 is used.
    const sinew_clip *const *clips;
    const sinew_pose *reference; ///< the pose that aims straight ahead; NULL (default) means the rest pose
    const sinew_mask *mask;      ///< the nodes to rotate; NULL (default) means all nodes
    sinew_allocator allocator;   ///< zero (default) means the C library's heap
    uint32_t cookie;             ///< private: set by sinew_aim_offset_default
} sinew_aim_offset_def;

/// An aim offset. Opaque.
typedef struct sinew_aim_offset sinew_aim_offset;

/// Returns the defaults above. Any thread.
SINEW_API sinew_aim_offset_def sinew_aim_offset_default(void);

/// Creates an aim offset. Free it with sinew_aim_offset_destroy. On failure `*aim` is NULL. `error` may be NULL.
/// Uses about 7 KB of stack. Any thread.
///
/// Fails with SINEW_ERROR_OUT_OF_MEMORY, or with SINEW_ERROR_ARGUMENT if:
///   - a clip is missing, is additive or uses a different skeleton (`error` says which one)
///   - the yaws or pitches aren't increasing
///   - a count is out of range
///   - the reference or mask uses a different skeleton
SINEW_API sinew_result sinew_aim_offset_create(const sinew_aim_offset_def *def, sinew_aim_offset **aim,
                                               sinew_error *error);

/// Frees an aim offset. NULL is allowed. Any thread.
SINEW_API void sinew_aim_offset_destroy(sinew_aim_offset *aim);

/// Adds the offset for a direction to a pose. `yaw` and `pitch` use the grid's units and are clamped to the grid.
/// NaN selects the first column or row. `weight` is clamped to [0, 1], and a NaN weight is treated as 0. The pose
/// doesn't change at all if the weight is 0.
///
/// `model` has [node_count] matrices. It must be up to date (see sinew_pose_to_model), and this function keeps it
/// up to date. The pose must use the aim offset's skeleton (asserted).
SINEW_API void sinew_aim_offset_apply(const sinew_aim_offset *aim, float yaw, float pitch, float weight,
                                      sinew_pose *pose, sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
