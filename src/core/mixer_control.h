// SPDX-License-Identifier: MIT
// Control: the functions that change a mixer, for the other files of the mixer. Each file uses those before it in
// this header, and evaluation. Arguments have been checked.
#ifndef SINEWI_MIXER_CONTROL_H
#define SINEWI_MIXER_CONTROL_H

#include "core/mixer_evaluation.h"

// ---- Captured poses: mixer_capture.c -------------------------------------------------------------------------

// Dead blending: holds the base's pose with its velocities, which decay over `duration` seconds.
void sinewi_mixer_begin_extrapolation(sinew_mixer *mixer, float duration);

// Captures the current pose, and the one SINEWI_VELOCITY_SECONDS earlier, in the memory of the offsets.
void sinewi_mixer_capture_current(sinew_mixer *mixer);

// Notes that the difference to the captured pose decays over `duration` seconds, or the longest of several.
void sinewi_mixer_note_change(sinew_mixer *mixer, float duration);

// ---- Held poses: mixer_hold.c --------------------------------------------------------------------------------

// Sets the held pose to the rest pose.
void sinewi_mixer_hold_rest(const sinew_mixer *mixer);

// Holds the base's current pose, before the last of its actions ends.
void sinewi_mixer_hold_pose(sinew_mixer *mixer);

// Whether the actions of the base fade to the rest pose, if all of them fade out.
bool sinewi_mixer_fades_to_rest(const sinew_mixer *mixer);

// Around a step in which all actions of the base fade out: the root comes to rest, and the base's pose is held, or the rest
// pose if they fade to that.
void sinewi_mixer_stop_faded_root(sinew_mixer *mixer, double dt);
void sinewi_mixer_hold_faded_pose(sinew_mixer *mixer, bool to_rest);

// Before an action of the base starts a fade-in: if the held pose is the whole pose, it fades out.
void sinewi_mixer_fade_out_held(sinew_mixer *mixer, float duration, uint8_t easing);

// After an inertialized transition has ended all actions of the base: its held pose is older than what was shown, and ends.
void sinewi_mixer_replace_base(sinew_mixer *mixer);

// Holds the pose that is shown if no action of the base contributes, since what transitions replaced it with since the last
// step was perhaps never shown; a dead blend among them holds it with its velocity.
void sinewi_mixer_hold_captured_pose(sinew_mixer *mixer);

// Copies the mixer's pose into the held pose.
void sinewi_mixer_hold_set_pose(sinew_mixer *mixer);

// ---- Proportions: mixer_proportion.c -----------------------------------------------------------------------------------

// Notes that weights of a layer have changed, by a fade of `duration` seconds, or its actions.
void sinewi_layer_change_weights(sinew_mixer *mixer, int32_t layer, float duration, uint8_t easing);

// Starts the fades of all proportions whose targets have changed: before a step, or a transition that looks ahead. An
// evaluation does not need it, and the state must not depend on evaluations: the current proportions do not change.
void sinewi_mixer_begin_proportions(sinew_mixer *mixer);

// The fades of all proportions.
typedef struct proportion_fades {
    sinewi_fade actions[SINEW_MAX_ACTIONS], held;
} proportion_fades;

// Starts them for a look ahead, and undoes that: the next step starts them once for all changes before it.
void sinewi_mixer_preview_proportions(sinew_mixer *mixer, proportion_fades *before);
void sinewi_mixer_restore_proportions(sinew_mixer *mixer, const proportion_fades *before);

// Before weights of the base change: marks the side of the rest pose if it does not contribute now.
void sinewi_mixer_prepare_rest(const sinew_mixer *mixer);

// Starts a fade of an action's weight, and of the proportions of its layer; 0 seconds: sets it at once.
void sinewi_action_fade_weight(sinew_mixer *mixer, action_state *state, float weight, float duration,
                               uint8_t easing);

// Makes the held pose the whole pose, which fades out.
void sinewi_mixer_begin_held_fade(sinew_mixer *mixer, float duration, uint8_t easing);

// After a step: whether all fades of the layer have ended, and then replaces the proportions by the weights.
bool sinewi_layer_has_settled(const sinew_mixer *mixer, int32_t layer);
void sinewi_layer_settle_proportions(sinew_mixer *mixer, int32_t layer);

// ---- Sides: mixer_side.c -------------------------------------------------------------------------------------

// Marks the sides of an action, of layers [first, end) against those below them, or of the rest pose to be chosen: it
// starts to contribute. A seek keeps them. Layers above one that starts to contribute by a fade keep theirs: nothing
// below them jumps.
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

// Gives each sample of a blend space that contributes an entry, which keeps its side.
void sinewi_space_enter_samples(const sinew_mixer *mixer, space_state *space, const sinew_blend_weight *weights,
                                int32_t count);

// Chooses the sides that are marked: at the end of each change, so that they do not depend on evaluations.
void sinewi_mixer_choose_missing_sides(sinew_mixer *mixer);
static inline void sinewi_mixer_choose_sides(sinew_mixer *mixer) {
    if (mixer->state->has_sideless) sinewi_mixer_choose_missing_sides(mixer);
}

// ---- Transitions: mixer_transition.c -------------------------------------------------------------------------

// Removes the offsets at once, and those of a transition that has not started yet, for a cut.
void sinewi_mixer_drop_offsets(sinew_mixer *mixer);

// Moves extrapolations and offsets on by dt seconds.
void sinewi_mixer_advance_decay(sinew_mixer *mixer, double dt);

// Makes mixer->pose the current pose, set by the program: it is held while the base plays nothing, and otherwise stays until
// the next evaluation.
void sinewi_mixer_adopt_pose(sinew_mixer *mixer);

// Makes the next change of the pose smooth: the current pose becomes the start of an inertialization to
// what is evaluated next, and, with the program's edits, of one to what it finishes next. Nodes that the layer does
// not cover have no part in it; layer 0: all nodes.
void sinewi_mixer_smooth_next(sinew_mixer *mixer, int32_t layer, float duration);

// Adds the offsets of the finished pose to it, once after each evaluation.
void sinewi_mixer_add_finish_offsets(sinew_mixer *mixer);

// Before the next step or evaluation: starts the inertialization of what was captured, or set by the program, to the pose of
// the actions at that time.
void sinewi_mixer_leave_set_pose(sinew_mixer *mixer);

// Before a direct control: the same for what earlier changes have left, so that it acts at once.
void sinewi_mixer_leave_changes(sinew_mixer *mixer);

// Writes the pose of SINEWI_VELOCITY_SECONDS ago as the pose of another mixer of the same skeleton.
void sinewi_mixer_write_before(sinew_mixer *mixer, sinew_mixer *to);

// Makes mixer->pose the current pose, SINEWI_VELOCITY_SECONDS after the one that was set before, with a velocity of the root.
void sinewi_mixer_adopt_motion(sinew_mixer *mixer, root_velocity root);

// Counts an advance since the pose was set.
void sinewi_mixer_age_set_pose(sinew_mixer *mixer, double dt);

// ---- Seams: mixer_seam.c -------------------------------------------------------------------------------------

// Before and after a change that takes `duration` seconds. The second chooses missing sides, and inertializes what differs
// over that time. A change that takes no time acts at once.
void sinewi_mixer_begin_seam(sinew_mixer *mixer, float duration);
void sinewi_mixer_end_seam(sinew_mixer *mixer);

// In between, after the pose that was shown is held, or extrapolated: that is not a part of the change.
void sinewi_mixer_restart_seam(sinew_mixer *mixer);

// In between: the current pose is captured, whether anything changes or not: running offsets decay with the change.
void sinewi_mixer_capture_shown(sinew_mixer *mixer);

// In between, before a held pose is overwritten: if anything has changed, what was shown is captured.
void sinewi_mixer_capture_seam(sinew_mixer *mixer);

// ---- Single actions: mixer_action.c --------------------------------------------------------------------------

// The start of an action with this speed: SINEW_TIME_AUTO resolved, clamped to the clip.
double sinewi_clip_start_time(const sinew_clip *clip, float time, float speed);

// Seeks to a time of the clip; a finished action stays finished.
void sinewi_action_seek(action_state *state, double time);

// Continues a finished action.
void sinewi_action_unfinish(action_state *state);

// A loop_count that is neither at least 1 nor SINEW_FOREVER counts as 1.
int32_t sinewi_valid_loop_count(int32_t count);

// Changes how an action loops, from its current time on.
void sinewi_action_change_loop(action_state *state, sinew_loop loop, int32_t loop_count);

// Moves the blend space's parameter on by dt seconds, and takes the clip of the sample with the largest weight.
void sinewi_space_advance(const sinew_mixer *mixer, action_state *state, double dt);

// A copy of the action whose phase a sync group has, with a clip of NULL if no action has it. It is made before other
// actions of the group end, so that an action that replaces them can still join.
action_state sinewi_mixer_copy_leader(const sinew_mixer *mixer, int32_t group);

// Whether an action that was copied has not ended.
bool sinewi_action_still_plays(const sinew_mixer *mixer, const action_state *copy);

// Moves an action that starts to repeat, or is resumed, to the phase of its sync group. `old_leader`, which may be
// NULL, is a copy of an action that may have ended since.
void sinewi_action_join_group(const sinew_mixer *mixer, action_state *state, action_state *old_leader);

// Marks the side of an action that has jumped to another time to be chosen anew, if the jump is inertialized. Otherwise a
// seek keeps the side that its clip has there, which may be on the longer arc.
void sinewi_action_lose_side_after_jump(const sinew_mixer *mixer, action_state *state);

// Moves the sync group of an action that has jumped to the action's phase.
void sinewi_action_align_group(const sinew_mixer *mixer, action_state *leader);

// Starts a fade of an action's weight. With `stop_after` the action ends with the fade.
void sinewi_action_begin_fade(sinew_mixer *mixer, action_state *state, float weight, float duration, uint8_t easing,
                              bool stop_after);

// Ends an action after evaluating the pose that it contributes to: its clip may be freed later.
void sinewi_action_end(sinew_mixer *mixer, action_state *state);

// Ends an action that may have a weight: the others take its part at once.
void sinewi_action_remove(sinew_mixer *mixer, action_state *state);

// Ends all actions of all layers.
void sinewi_mixer_end_all(sinew_mixer *mixer);

// What an action plays and how, as of now.
previous_source sinewi_action_source_state(const sinew_mixer *mixer, const action_state *state);

// Copies a source into the state, without padding.
void sinewi_mixer_keep_source(previous_source *to, const previous_source *from);

// Changes the parameter or speed with which a transition returns to an action that has ended.
void sinewi_mixer_set_previous_parameter(sinew_mixer *mixer, sinew_action action, float x, float y);
void sinewi_mixer_set_previous_speed(sinew_mixer *mixer, sinew_action action, float speed);

// ---- Playing: mixer_play.c -----------------------------------------------------------------------------------

// The newest action that plays a source in a layer or in SINEW_ALL_LAYERS, or NULL.
action_state *sinewi_mixer_find_source(const sinew_mixer *mixer, const sinew_source *source, int32_t layer);

// sinew_mixer_play and sinew_mixer_transition_to.
sinew_action sinewi_mixer_start(sinew_mixer *mixer, const sinew_source *source, const sinew_play_def *def);
sinew_action sinewi_mixer_start_transition(sinew_mixer *mixer, const sinew_source *source,
                                           const sinew_transition *transition, const sinew_play_def *def);

// Queues something behind an action.
void sinewi_action_set_queued(sinew_mixer *mixer, const action_state *state, queued_kind kind,
                              const previous_source *target, const sinew_transition *transition);

// The seconds until something queued starts, and the action behind which it is. HUGE_VAL and NULL: there is none, or
// surely none within `left` seconds.
double sinewi_mixer_next_queued(sinew_mixer *mixer, double left, action_state **ending);

// Starts the transition that is queued behind an action.
void sinewi_mixer_play_queued(sinew_mixer *mixer, action_state *ending);

// ---- Time: mixer_time.c --------------------------------------------------------------------------------------

// sinew_mixer_advance, without the callbacks.
void sinewi_mixer_advance_time(sinew_mixer *mixer, double dt);

// ---- Snapshots: motion/mixer_snapshot.c -----------------------------------------------------------------------------

// The size of a snapshot as of now, written into the state's head.
size_t sinewi_mixer_prepare_snapshot(const sinew_mixer *mixer);

// Copies the prepared snapshot to memory of that size.
void sinewi_mixer_write_snapshot(const sinew_mixer *mixer, void *memory);

// The stamp of a snapshot that this mixer can restore; false if it cannot.
bool sinewi_mixer_check_snapshot(const sinew_mixer *mixer, const void *memory, size_t size, mixer_stamp *stamp);
void sinewi_mixer_load_snapshot(sinew_mixer *mixer, const void *memory);

#endif
