// SPDX-License-Identifier: MIT
/// The mixer's pose: split a frame into parts, and edit or replace the pose in between.
///
///     sinew_mixer_advance(mixer, dt); // instead of sinew_mixer_update
///     sinew_mixer_evaluate(mixer);
///     sinew_pose *pose = sinew_mixer_edit_pose(mixer);
///     turn_head(pose);
///     sinew_mixer_to_model(mixer);
///
/// Threads, stack and wrong arguments: like in mixer.h.
#ifndef SINEW_MIXER_POSE_H
#define SINEW_MIXER_POSE_H

#include "mixer.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- A frame in parts ----------------------------------------------------------------------------------------

/// Advances time and fades by `dt` seconds and collects events. `dt` must be finite and at least 0 (asserted).
SINEW_API void sinew_mixer_advance(sinew_mixer *mixer, float dt);

/// Samples and blends the actions into the local pose. If no base action has a weight, the base holds its last
/// pose.
SINEW_API void sinew_mixer_evaluate(sinew_mixer *mixer);

/// Returns the local pose, for changes in this frame, such as inverse kinematics. Call it between
/// sinew_mixer_evaluate and sinew_mixer_to_model, in each frame that changes the pose. Keep rotations unit and all
/// numbers finite; this isn't checked. The next evaluation computes the pose from scratch, and transitions ignore
/// your changes.
SINEW_API sinew_pose *sinew_mixer_edit_pose(sinew_mixer *mixer);

/// Computes the model matrices from the local pose, including your changes.
SINEW_API void sinew_mixer_to_model(sinew_mixer *mixer);

// ---- Setting the pose ----------------------------------------------------------------------------------------

/// Sets the current pose, when something else drives the character, such as a ragdoll. Call it between
/// sinew_mixer_evaluate and sinew_mixer_to_model, in each frame that you decide the pose. `pose` must have the
/// mixer's skeleton (asserted) and unit rotations. It's copied, and may be the mixer's own. Nodes that the mixer
/// doesn't animate are ignored. So is a pose that isn't finite.
///
/// While the base plays nothing, the pose is held. While it plays, the pose stays until the next evaluation.
/// Transitions before that start from it, including fades of actions and layers, and it's held if the last action
/// ends. The difference to the playing clips is inertialized over the change's duration. If you set poses in two
/// steps in a row, transitions start with the velocity between them; after a single one, with none.
///
/// Transitions from it need `inertialization` in sinew_mixer_def; without that only the held pose works. Ends a
/// running inertialization. The pose is part of snapshots, and of recordings (40 bytes per node).
SINEW_API void sinew_mixer_set_pose(sinew_mixer *mixer, const sinew_pose *pose);

// ---- Smooth changes ------------------------------------------------------------------------------------------

/// Smooths the next change of the pose: a seek, a weight, a stop, another mask or mode, a pose you write, a solver
/// you switch on. Call it before the change, in the same frame. The difference between the current pose, with its
/// velocity, and the changed pose decays over `duration` seconds. 0 is a no-op. Calls and transitions before the
/// next evaluation combine, with the longest duration. Morph weights don't overshoot.
///
/// `layer` is SINEW_ALL_LAYERS for the whole pose, or a layer above the base (asserted) for the nodes with a factor
/// above 0 in its mask. Other nodes change immediately. If they are still inertializing, they continue with the new
/// duration.
///
/// To include changes after the evaluation, by sinew_mixer_edit_pose or a solver, end the frame with
/// sinew_mixer_finish_pose. Needs `inertialization` in sinew_mixer_def; a no-op without it, and before the first
/// sinew_mixer_advance.
SINEW_API void sinew_mixer_inertialize(sinew_mixer *mixer, int32_t layer, float duration);

/// Finishes a frame with edits: adds what sinew_mixer_inertialize still smooths to the edited pose, and computes
/// the model matrices. Call it each frame after the last edit and solver, instead of sinew_mixer_to_model. A second
/// call before the next sinew_mixer_evaluate only computes the model matrices. Scenes call it for instances with
/// edits or solvers.
SINEW_API void sinew_mixer_finish_pose(sinew_mixer *mixer);

#ifdef __cplusplus
}
#endif
#endif
