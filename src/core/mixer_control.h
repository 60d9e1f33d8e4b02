// SPDX-License-Identifier: MIT
// Control: functions that change a mixer, for its other files. Each file only uses the files before it in this header,
// and evaluation. Arguments have already been checked.
#ifndef SINEWI_MIXER_CONTROL_H
#define SINEWI_MIXER_CONTROL_H

#include "core/mixer_evaluation.h"

// ---- Captured poses: mixer_capture.c -------------------------------------------------------------------------

// Dead blending: holds the base's pose with its velocities. They decay over `duration` seconds.
void sinewi_mixer_begin_extrapolation(sinew_mixer *mixer, float duration);

// Captures the current pose and the pose SINEWI_VELOCITY_SECONDS earlier, in the memory of the offsets.
void sinewi_mixer_capture_current(sinew_mixer *mixer);

// Keeps the root velocity before the first change since the program has set the pose, unless that came with one.
void sinewi_mixer_capture_root(sinew_mixer *mixer, root_velocity before);

// Makes the difference to the captured pose decay over `duration` seconds. Several changes use the longest duration.
void sinewi_mixer_note_change(sinew_mixer *mixer, float duration);

// ---- Held poses: mixer_hold.c --------------------------------------------------------------------------------

// Sets the held pose to the rest pose.
void sinewi_mixer_hold_rest(const sinew_mixer *mixer);

// Holds the base's current pose. Call this before its last action ends.
void sinewi_mixer_hold_pose(sinew_mixer *mixer);

// Returns whether the base fades to the rest pose when all its actions fade out.
bool sinewi_mixer_fades_to_rest(const sinew_mixer *mixer);

// Call these around a step in which all base actions fade out. The root comes to rest. Then the base's pose is held, or
// the rest pose if the actions fade to it.
void sinewi_mixer_stop_faded_root(sinew_mixer *mixer, double dt);
void sinewi_mixer_hold_faded_pose(sinew_mixer *mixer, bool to_rest);

// Call this before a base action starts to fade in. If the held pose is the whole pose, fades it out.
void sinewi_mixer_fade_out_held(sinew_mixer *mixer, float duration, uint8_t easing);

// Call this after an inertialized transition has ended all base actions. Their held pose is older than the pose shown,
// so this ends it.
void sinewi_mixer_replace_base(sinew_mixer *mixer);

// Holds the pose that was shown if no base action contributes, because whatever replaced it since the last step may
// never have been shown. If one of these transitions is a dead blend, holds the pose with its velocity.
void sinewi_mixer_hold_captured_pose(sinew_mixer *mixer);

// Copies the mixer's pose to the held pose.
void sinewi_mixer_hold_set_pose(sinew_mixer *mixer);

// ---- Proportions: mixer_proportion.c ----------------------------------------------------------------------------

// Records that a layer's weights change over `duration` seconds, or that its actions change.
void sinewi_layer_change_weights(sinew_mixer *mixer, int32_t layer, float duration, uint8_t easing);

// Starts the fades of all proportions whose targets changed. Call this before a step, or before a transition that looks
// ahead. Evaluations don't need it, because current proportions don't change. The state must not depend on evaluations.
void sinewi_mixer_begin_proportions(sinew_mixer *mixer);

// The fades of all proportions.
typedef struct proportion_fades {
    sinewi_fade actions[SINEW_MAX_ACTIONS], held;
} proportion_fades;

// Starts the fades for looking ahead, and undoes it. The next step starts them once for all earlier changes.
void sinewi_mixer_preview_proportions(sinew_mixer *mixer, proportion_fades *before);
void sinewi_mixer_restore_proportions(sinew_mixer *mixer, const proportion_fades *before);

// Call this before the base's weights change. If the rest pose doesn't contribute now, marks its side to be chosen.
void sinewi_mixer_prepare_rest(const sinew_mixer *mixer);

// Fades an action's weight and the proportions of its layer. 0 seconds sets the weight immediately.
void sinewi_action_fade_weight(sinew_mixer *mixer, action_state *state, float weight, float duration,
                               uint8_t easing);

// Makes the held pose the whole pose and fades it out.
void sinewi_mixer_begin_held_fade(sinew_mixer *mixer, float duration, uint8_t easing);

// Call these after a step. The first returns whether all fades of the layer have ended. If so, the second replaces the
// proportions with the weights.
bool sinewi_layer_has_settled(const sinew_mixer *mixer, int32_t layer);
void sinewi_layer_settle_proportions(sinew_mixer *mixer, int32_t layer);

// ---- Sides: mixer_side.c -------------------------------------------------------------------------------------

// Mark sides to be chosen because something starts to contribute: an action, layers [first, end) against the layers
// below, or the rest pose. A seek keeps the sides. If a layer starts to contribute with a fade, the layers above keep
// theirs, because nothing below them jumps.
static inline void sinewi_action_lose_side(const sinew_mixer *mixer, action_state *state) {
    state->flags |= ACTION_SIDELESS;
    if (state->space) sinewi_action_space(mixer, state)->sideless = UINT32_MAX;
    mixer->state->has_sideless = true;
}

static inline void sinewi_mixer_lose_layer_sides(const sinew_mixer *mixer, int32_t first, int32_t end) {
    for (int32_t i = first; i < end; i++) mixer->layers[i].is_sideless = true;
    mixer->state->has_sideless = true;
}

static inline void sinewi_mixer_lose_rest_side(const sinew_mixer *mixer) {
    mixer->state->rest_is_sideless = mixer->state->has_sideless = true;
}

// Gives each contributing sample of a blend space an entry, which keeps its side.
void sinewi_space_enter_samples(const sinew_mixer *mixer, space_state *space, const sinew_blend_weight *weights,
                                int32_t count);

// Chooses the marked sides. Call this at the end of each change, so they don't depend on evaluations.
void sinewi_mixer_choose_missing_sides(sinew_mixer *mixer);
static inline void sinewi_mixer_choose_sides(sinew_mixer *mixer) {
    if (mixer->state->has_sideless) sinewi_mixer_choose_missing_sides(mixer);
}

// ---- Transitions: mixer_transition.c -------------------------------------------------------------------------

// For a cut: removes all offsets immediately, even if their transition hasn't started yet.
void sinewi_mixer_drop_offsets(sinew_mixer *mixer);

// Advances extrapolations and offsets by dt seconds.
void sinewi_mixer_advance_decay(sinew_mixer *mixer, double dt);

// Makes mixer->pose, which the program has set, the current pose. While the base doesn't play anything, this pose is
// held. Otherwise it stays until the next evaluation.
void sinewi_mixer_adopt_pose(sinew_mixer *mixer);

// Makes the next change of the pose smooth. An inertialization leads from the current pose to whatever is evaluated
// next. With the program's edits, another one leads to whatever the program finishes next. Nodes that the layer doesn't
// cover aren't affected. Layer 0 covers all nodes.
void sinewi_mixer_smooth_next(sinew_mixer *mixer, int32_t layer, float duration);

// Adds the finished pose's offsets to it. Call this once after each evaluation.
void sinewi_mixer_add_finish_offsets(sinew_mixer *mixer);

// Call this before the next step or evaluation. Starts the inertialization from a captured or set pose to the actions'
// pose at this time.
void sinewi_mixer_leave_set_pose(sinew_mixer *mixer);

// Call this before a direct control. Starts what earlier changes have left, so the control acts immediately.
void sinewi_mixer_leave_changes(sinew_mixer *mixer);

// Writes the pose SINEWI_VELOCITY_SECONDS ago as the pose of another mixer with the same skeleton.
void sinewi_mixer_write_before(sinew_mixer *mixer, sinew_mixer *to);

// Makes mixer->pose the current pose, with a root velocity. The pose set before it is SINEWI_VELOCITY_SECONDS older.
void sinewi_mixer_adopt_motion(sinew_mixer *mixer, root_velocity root);

// Counts an advance since the pose was set.
void sinewi_mixer_age_set_pose(sinew_mixer *mixer, double dt);

// ---- Seams: mixer_seam.c -------------------------------------------------------------------------------------

// Call these before and after a change that takes `duration` seconds. The second one chooses missing sides and
// inertializes any difference over this time. A change with a duration of 0 acts immediately.
void sinewi_mixer_begin_seam(sinew_mixer *mixer, float duration);
void sinewi_mixer_end_seam(sinew_mixer *mixer);

// Call this in between, after holding or extrapolating the pose that was shown. That isn't part of the change.
void sinewi_mixer_restart_seam(sinew_mixer *mixer);

// Call this in between to capture the current pose even if nothing changes. Running offsets then decay with the change.
void sinewi_mixer_capture_shown(sinew_mixer *mixer);

// Call this in between, before overwriting a held pose. If anything has changed, captures what was shown.
void sinewi_mixer_capture_seam(sinew_mixer *mixer);

// ---- Single actions: mixer_action.c --------------------------------------------------------------------------

// Returns where an action with this speed starts. Resolves SINEW_TIME_AUTO and clamps the time to the clip.
double sinewi_clip_start_time(const sinew_clip *clip, float time, float speed);

// Seeks to a time of the clip. A finished action stays finished.
void sinewi_action_seek(action_state *state, double time);

// Continues a finished action.
void sinewi_action_unfinish(action_state *state);

// Returns 1 for a loop_count that is neither SINEW_FOREVER nor at least 1.
int32_t sinewi_valid_loop_count(int32_t count);

// Changes how an action loops, starting from its current time.
void sinewi_action_change_loop(action_state *state, sinew_loop loop, int32_t loop_count);

// Moves the blend space's parameter by dt seconds, and takes the clip of the sample with the largest weight.
void sinewi_space_advance(const sinew_mixer *mixer, action_state *state, double dt);

// Returns a copy of the action that defines a sync group's phase. Its clip is NULL if the group is empty. Copy it
// before ending the group's other actions, so an action that replaces them can still join.
action_state sinewi_mixer_copy_leader(const sinew_mixer *mixer, int32_t group);

// Returns whether an action that was copied still plays.
bool sinewi_action_still_plays(const sinew_mixer *mixer, const action_state *copy);

// Moves an action that starts to repeat or is resumed to its sync group's phase. `old_leader` is a copy of an action
// that may have ended since. It may be NULL.
void sinewi_action_join_group(const sinew_mixer *mixer, action_state *state, action_state *old_leader);

// If a jump to another time is inertialized, marks the action's side to be chosen again. Otherwise a seek keeps the
// side of its clip, which may be on the longer arc.
void sinewi_action_lose_side_after_jump(const sinew_mixer *mixer, action_state *state);

// Moves a sync group to the phase of its action that has jumped.
void sinewi_action_align_group(const sinew_mixer *mixer, action_state *leader);

// Fades an action's weight. With `stop_after`, the action ends with the fade.
void sinewi_action_begin_fade(sinew_mixer *mixer, action_state *state, float weight, float duration, uint8_t easing,
                              bool stop_after);

// Ends an action. If it contributes to the pose, evaluates the pose first, because its clip may be freed later.
void sinewi_action_end(sinew_mixer *mixer, action_state *state);

// Ends an action that may have a weight. The others take over its part immediately.
void sinewi_action_remove(sinew_mixer *mixer, action_state *state);

void sinewi_mixer_end_all(sinew_mixer *mixer);

// Returns what an action currently plays, and how.
previous_source sinewi_action_source_state(const sinew_mixer *mixer, const action_state *state);

// Copies a source to the state without padding.
void sinewi_mixer_keep_source(previous_source *to, const previous_source *from);

// Change the parameter or speed for transitions that return to an action that has ended.
void sinewi_mixer_set_previous_parameter(sinew_mixer *mixer, sinew_action action, float x, float y);
void sinewi_mixer_set_previous_speed(sinew_mixer *mixer, sinew_action action, float speed);

// ---- Playing: mixer_play.c -----------------------------------------------------------------------------------

// Returns the newest action that plays a source in a layer or in SINEW_ALL_LAYERS, or NULL.
action_state *sinewi_mixer_find_source(const sinew_mixer *mixer, const sinew_source *source, int32_t layer);

// Implement sinew_mixer_play and sinew_mixer_transition_to.
sinew_action sinewi_mixer_start(sinew_mixer *mixer, const sinew_source *source, const sinew_play_def *def);
sinew_action sinewi_mixer_start_transition(sinew_mixer *mixer, const sinew_source *source,
                                           const sinew_transition *transition, const sinew_play_def *def);

// Queues something after an action.
void sinewi_action_set_queued(sinew_mixer *mixer, const action_state *state, queued_kind kind,
                              const previous_source *target, const sinew_transition *transition);

// Returns the seconds until something queued starts, and the action that it waits for. Returns HUGE_VAL and NULL if
// nothing is queued, or if it surely doesn't start within `left` seconds.
double sinewi_mixer_next_queued(sinew_mixer *mixer, double left, action_state **ending);

// Starts the transition queued after an action.
void sinewi_mixer_play_queued(sinew_mixer *mixer, action_state *ending);

// ---- Time: mixer_time.c --------------------------------------------------------------------------------------

// Like sinew_mixer_advance, without the callbacks.
void sinewi_mixer_advance_time(sinew_mixer *mixer, double dt);

// ---- Snapshots: motion/mixer_snapshot.c -----------------------------------------------------------------------------

// Returns the size of a snapshot taken now. Writes it to the state's header.
size_t sinewi_mixer_prepare_snapshot(const sinew_mixer *mixer);

// Copies the prepared snapshot to memory of this size.
void sinewi_mixer_write_snapshot(const sinew_mixer *mixer, void *memory);

// Gets the stamp of a snapshot. Returns false if this mixer can't restore it.
bool sinewi_mixer_check_snapshot(const sinew_mixer *mixer, const void *memory, size_t size, mixer_stamp *stamp);
void sinewi_mixer_load_snapshot(sinew_mixer *mixer, const void *memory);

#endif
