// SPDX-License-Identifier: MIT
/// The mixer's pose: a frame in parts, to edit or replace the pose in between.
///
///     sinew_mixer_advance(mixer, dt); // instead of sinew_mixer_update
///     sinew_mixer_evaluate(mixer);
///     sinew_pose *pose = sinew_mixer_edit_pose(mixer);
///     turn_head(pose);
///     sinew_mixer_to_model(mixer);
///
/// The rules of mixer.h apply here: threads, stack, and wrong arguments.
#ifndef SINEW_MIXER_POSE_H
#define SINEW_MIXER_POSE_H

#include "mixer.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- A frame in parts ----------------------------------------------------------------------------------------

/// Advances time and fades by `dt` seconds of real time (0 or more, finite: asserted) and collects events.
SINEW_API void sinew_mixer_advance(sinew_mixer *mixer, float dt);

/// Samples and blends the actions into the local pose. If no action of the base has a weight, the base's last pose
/// is held.
SINEW_API void sinew_mixer_evaluate(sinew_mixer *mixer);

/// The same pose, to be changed for this frame, between sinew_mixer_evaluate and sinew_mixer_to_model. It is for
/// changes that the program makes in every frame, such as inverse kinematics; call it in each frame that changes the
/// pose. The next sinew_mixer_evaluate or sinew_mixer_update computes the pose anew, and transitions start from the
/// pose without the changes. Rotations must stay unit and all numbers finite, which is not checked.
SINEW_API sinew_pose *sinew_mixer_edit_pose(sinew_mixer *mixer);

/// Computes the model matrices from the local pose, with the changes that sinew_mixer_edit_pose allowed.
SINEW_API void sinew_mixer_to_model(sinew_mixer *mixer);

// ---- Setting the pose ----------------------------------------------------------------------------------------

/// Makes a pose of the mixer's skeleton (asserted) the current pose, for a program that takes the character over,
/// such as a ragdoll. Call it after sinew_mixer_evaluate and before sinew_mixer_to_model, in each frame in which
/// the program decides the pose. `pose` is copied, and may be the mixer's own; nodes that the mixer does not
/// animate are ignored. Rotations must be unit. A pose that is not finite is ignored.
///
/// While the base plays nothing, the pose is held. While it plays, the pose stays until the next
/// sinew_mixer_evaluate or sinew_mixer_update. Until then every transition starts from it: each kind, and each fade
/// of an action or a layer. If the last action ends, it is held. If poses are set in two consecutive steps,
/// transitions start with the velocity between them; after a single one with none. The difference to the playing
/// clips is inertialized over the duration of the change. This needs `inertialization` in sinew_mixer_def; without
/// it only the held pose is kept. A running inertialization ends. The pose is part of snapshots, and of recordings
/// (40 bytes a node).
SINEW_API void sinew_mixer_set_pose(sinew_mixer *mixer, const sinew_pose *pose);

// ---- Smooth changes ------------------------------------------------------------------------------------------

/// Makes the next change of the pose smooth: a seek, a set weight, a stop, another mask or mode,
/// a pose that the program writes, a solver that is switched on. Call it before the change, in the same frame. The
/// difference between the current pose, with its velocity, and the pose after the change decays over `duration`
/// seconds, at least 0; 0 is a no-op. A later call, or a transition, before the next evaluation joins it, with the
/// longer duration. Morph weights stay between their values before and after.
///
/// A pose that the program edits after its evaluation, by sinew_mixer_edit_pose or a solver, is only included with
/// sinew_mixer_finish_pose. This needs `inertialization` in sinew_mixer_def; without it, and before the first
/// sinew_mixer_advance, it is a no-op.
///
/// `layer` is SINEW_ALL_LAYERS for the whole pose; or 0 < layer < layer_count (asserted) for the nodes that this layer
/// covers: those with a factor above 0 in its mask. Other nodes change at once, except that a running inertialization
/// of theirs continues, with the new duration.
SINEW_API void sinew_mixer_inertialize(sinew_mixer *mixer, int32_t layer, float duration);

/// Ends the program's edits of a frame: adds the remaining difference of an inertialization that
/// sinew_mixer_inertialize has started from the edited pose, and computes the model matrices. Call it in each frame
/// after the last edit and the last solver, instead of a last sinew_mixer_to_model. A second call without a
/// sinew_mixer_evaluate between them only computes the model matrices. A scene calls it for instances with an edit or
/// solvers.
SINEW_API void sinew_mixer_finish_pose(sinew_mixer *mixer);

#ifdef __cplusplus
}
#endif
#endif
