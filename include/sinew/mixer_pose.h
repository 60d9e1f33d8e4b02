// SPDX-License-Identifier: MIT
/// Access to the mixer's pose. Use this header to split a frame into parts, so you can edit or replace the pose
/// before the model matrices are computed.
///
///     sinew_mixer_advance(mixer, dt); // instead of sinew_mixer_update
///     sinew_mixer_evaluate(mixer);
///     sinew_pose *pose = sinew_mixer_edit_pose(mixer);
///     turn_head(pose);
///     sinew_mixer_to_model(mixer);
///
/// See mixer.h for the rules about threads, stack usage and invalid arguments.
#ifndef SINEW_MIXER_POSE_H
#define SINEW_MIXER_POSE_H

#include "mixer.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- A frame in parts ----------------------------------------------------------------------------------------

/// Advances time and fades by `dt` seconds and collects events. `dt` must be finite and at least 0 (asserted).
SINEW_API void sinew_mixer_advance(sinew_mixer *mixer, float dt);

/// Samples and blends the actions into the local pose. If none of the base's actions has a weight, the base holds
/// its last pose.
SINEW_API void sinew_mixer_evaluate(sinew_mixer *mixer);

/// Returns the local pose so you can change it this frame, for example with inverse kinematics. Call this in every
/// frame where you edit the pose, between sinew_mixer_evaluate and sinew_mixer_to_model. Make sure rotations stay
/// unit length and all numbers stay finite, because this isn't checked. The next evaluation computes the pose from
/// scratch, and transitions ignore your edits.
SINEW_API sinew_pose *sinew_mixer_edit_pose(sinew_mixer *mixer);

/// Computes the model matrices from the local pose, including your edits.
SINEW_API void sinew_mixer_to_model(sinew_mixer *mixer);

/// Computes the model matrices like sinew_mixer_to_model, and returns them for solvers that edit the pose and keep
/// the matrices up to date (body/ik.h). Don't change the pose any other way after this, unless you update the matrices
/// with sinew_pose_to_model_below. sinew_mixer_finish_pose then only computes them again if it smooths a change.
SINEW_API sinew_affine *sinew_mixer_edit_model(sinew_mixer *mixer);

// ---- Setting the pose ----------------------------------------------------------------------------------------

/// Sets the current pose. Use this if something else is driving the character, such as a ragdoll. Call it every
/// frame while you control the pose, between sinew_mixer_evaluate and sinew_mixer_to_model. `pose` must use the
/// mixer's skeleton (asserted) and have unit rotations. It is copied, so you can pass the mixer's own pose. Nodes
/// that the mixer doesn't animate are ignored. If a number isn't finite, the whole pose is ignored.
///
/// If the base isn't playing anything, it holds this pose. Otherwise, the pose only lasts until the next
/// evaluation. Transitions that you request before then start from this pose, including fades of actions and
/// layers. The pose is also held if the last action ends. The difference between the pose and the playing clips is
/// inertialized over the duration of the change. If you set a pose in two consecutive steps, transitions start from
/// the velocity between the two poses. After a single pose, the velocity is zero.
///
/// Starting transitions from the pose requires `inertialization` in sinew_mixer_def. Without it you only get the
/// held pose. This function ends a running inertialization. The pose is saved in snapshots and recordings.
/// Recordings need 40 bytes per node for it.
///
/// For a character (motion/character.h), call this before sinew_character_update, while the base isn't playing
/// anything. Transitions then start from the pose at rest.
SINEW_API void sinew_mixer_set_pose(sinew_mixer *mixer, const sinew_pose *pose);

// ---- Smooth changes ------------------------------------------------------------------------------------------

/// Smooths the next change to the pose. This can be a seek, a weight, a stop, a new mask or mode, a pose you set,
/// or a solver you turn on. Call this before you make the change, in the same frame. It takes the difference
/// between the current pose and the changed pose, including velocity, and lets it decay over `duration` seconds. If
/// the duration is 0, nothing happens. If there are several calls or transitions before the next evaluation, they
/// are combined and use the longest duration. Morph weights don't overshoot.
///
/// Pass SINEW_ALL_LAYERS to smooth the whole pose. Otherwise `layer` must be above the base (asserted), and only
/// nodes with a factor above 0 in its mask are smoothed. Other nodes change immediately. If they are still
/// inertializing from before, they continue with the new duration.
///
/// To include edits that come after the evaluation, from sinew_mixer_edit_pose or a solver, end the frame with
/// sinew_mixer_finish_pose. This is a no-op if `inertialization` is off in sinew_mixer_def, or before the first
/// sinew_mixer_advance.
SINEW_API void sinew_mixer_inertialize(sinew_mixer *mixer, int32_t layer, float duration);

/// Finishes a frame after your edits. This adds any smoothing from sinew_mixer_inertialize to the edited pose and
/// computes the model matrices. Call it every frame after your last edit and solver. You don't need
/// sinew_mixer_to_model then. If you call it again before the next sinew_mixer_evaluate, it only computes the model matrices. Scenes
/// call this for you on instances that have edits or solvers.
SINEW_API void sinew_mixer_finish_pose(sinew_mixer *mixer);

#ifdef __cplusplus
}
#endif
#endif
