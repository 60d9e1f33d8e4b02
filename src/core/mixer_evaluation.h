// SPDX-License-Identifier: MIT
// Evaluation: computes results from the state at a moment: fades and phases, contributions, the pose, and root
// motion. These functions write outputs (the pose, the held pose's current position, scratch) and never start, fade
// or end anything.
#ifndef SINEWI_MIXER_EVALUATION_H
#define SINEWI_MIXER_EVALUATION_H

#include "core/mixer_data.h"

// ---- Fades: mixer_phase.c ------------------------------------------------------------------------------------

// The value `seconds` later as the last step showed it: a fade without a step continues the slope that was before it.
float sinewi_fade_extrapolate(const sinew_mixer *mixer, const sinewi_fade *fade, double seconds);

// The value on a line from the current one, at its current slope: what velocities are measured by. An easing that has just
// started has none of the velocity that it will have.
float sinewi_fade_on_line(const sinew_mixer *mixer, const sinewi_fade *fade, double seconds);

// The mean of the value over `seconds`, by the value in the middle, which is exact for a linear fade; the value
// itself for 0 seconds.
double sinewi_fade_mean(const sinew_mixer *mixer, const sinewi_fade *fade, double seconds);

// The integral of a linear fade over `seconds`.
double sinewi_fade_integral(const sinewi_fade *fade, double seconds);

// ---- Phases: mixer_phase.c -----------------------------------------------------------------------------------

// Whether an action moves with a sync group or with the samples of its blend space.
bool sinewi_action_is_synced(const action_state *state);

// Whether two actions share a phase.
bool sinewi_action_shares_phase(const action_state *a, const action_state *b);

// An action's phase, in sync intervals.
double sinewi_action_phase(const action_state *state);

// The current rate of an action: of its clip's seconds per second, or of a blend space's phase per second; negative
// is backward.
double sinewi_action_rate(const sinew_mixer *mixer, const action_state *state);

// The seconds of a step in which an action is active: a fade-out may end within it.
double sinewi_action_active_seconds(const action_state *state, double dt);

// Whether an action's rate may change within a step: it is warped, or shares its phase.
bool sinewi_action_changes_rate(const sinew_mixer *mixer, const action_state *state);

// The distance that an action moves in `seconds`, in seconds of its clip; negative against the sign of its speed.
double sinewi_action_clip_motion(const sinew_mixer *mixer, const action_state *state, double seconds);

// The current rate of the phase that a synced action shares, in phases per second.
double sinewi_action_phase_rate(const sinew_mixer *mixer, const action_state *state);

// The rate that the action would give a phase of its own.
double sinewi_action_own_phase_rate(const sinew_mixer *mixer, const action_state *state);

// The clip's time of an action `delta` of the clip's seconds later, or earlier if negative, without moving it. It
// does not go past an end at which the clip would start again: callers measure velocities.
float sinewi_action_clip_time_after(const action_state *state, double delta);

// The time of a sample of an action's blend space after a change of the phase, clamped to the clip for the same
// reason.
float sinewi_space_time(const sinew_mixer *mixer, const action_state *state, int32_t sample, double phase_change);

// The weights of a blend space at its parameter; returns their number.
int32_t sinewi_space_weights(const space_state *space, sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS]);

// The weights `seconds` from now as the parameter moves now: what velocities are measured by. The samples are the same.
int32_t sinewi_space_weights_on_line(const space_state *space, double seconds,
                                     sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS]);

// A blend space's state with the parameter moved on by `seconds`.
space_state sinewi_space_state_after(const space_state *space, double seconds);

// The steps of all synced actions over dt seconds.
void sinewi_mixer_compute_sync_step(const sinew_mixer *mixer, double dt, sync_step *step);

// ---- Quiet time: mixer_quiet.c -------------------------------------------------------------------------------

#define SINEWI_MAX_QUIET_SECONDS 10.0f

// Seconds from now, at most SINEWI_MAX_QUIET_SECONDS, in which a step reports no event and one long step has the result
// of several short ones; 0 or less if that is not known.
float sinewi_mixer_quiet_seconds(const sinew_mixer *mixer);

// ---- Contributions and mixes: mixer_mix.c --------------------------------------------------------------------

// Which actions and fades count: all, or those that a step has shown.
// SIDELESS_ACTIONS are all actions, with a small weight for those whose sides are to be chosen and that have none.
typedef enum action_filter { ALL_ACTIONS, STEPPED_ACTIONS, SIDELESS_ACTIONS } action_filter;

typedef struct contribution_buffer {
    contributions all;
    contribution items[SINEWI_MAX_CONTRIBUTIONS];
} contribution_buffer;

// The contributions as kernels take them.
typedef struct sinewi_kernel_input {
    sinewi_mix mix;
    sinewi_mix_input inputs[SINEWI_MAX_CONTRIBUTIONS];
    sinewi_mix_layer layers[SINEWI_MAX_LAYERS + SINEW_MAX_ACTIONS]; // each difference is one
    sinewi_key keys[SINEWI_MIX_KEYS];
    sinewi_mode_weights weights;
} sinewi_kernel_input;

// The row of sides of a contribution that is not a held pose.
static inline size_t sinewi_side_row_of(const sinew_mixer *mixer, const contribution *item) {
    if (item->slot == SINEWI_REST_SLOT) return sinewi_side_row_of_rest(&mixer->def);
    const action_state *action = &mixer->actions[item->slot];
    const int32_t entry = item->side & ~SIDE_ODD_LOOPS;
    return action->space ? sinewi_side_row_of_space(&mixer->def, action->space - 1, entry) : item->slot;
}

// Gathers the contributions `seconds` from now. True if they differ from those that `out` had.
bool sinewi_mixer_gather(const sinew_mixer *mixer, double seconds, action_filter filter, contributions *out);

// The same as input of the kernels.
void sinewi_mixer_build_input(const sinew_mixer *mixer, const contributions *from, sinewi_kernel_input *input);

// The contributions of a moment, and the kernels' input for them.
typedef struct mixer_moment {
    contribution_buffer buffer;
    sinewi_kernel_input input;
} mixer_moment;

// Gathers the moment `seconds` from now.
void sinewi_mixer_gather_moment(const sinew_mixer *mixer, double seconds, action_filter filter,
                                mixer_moment *moment);

// A mix of the contributions [first, end) of a moment; with the layers above the base only if it is the whole.
typedef struct moment_mix {
    const mixer_moment *moment;
    sinewi_mix mix;
    int32_t first, end;
} moment_mix;

moment_mix sinewi_mixer_mix_of(const mixer_moment *moment, int32_t first, int32_t end);
moment_mix sinewi_mixer_whole_mix(const mixer_moment *moment);

// Evaluates one block of 16 nodes of a mix, without root motion. The held pose is used at its current position.
void sinewi_mixer_blend_block(const sinew_mixer *mixer, const moment_mix *mix, size_t block, sinewi_block *out);

// The same for a moment `seconds` from now, the held pose extrapolated to that moment; and for morph weights.
void sinewi_mixer_blend_block_at(const sinew_mixer *mixer, const moment_mix *mix, double seconds, size_t block,
                                 sinewi_block *out);
void sinewi_mixer_blend_weights_at(const sinew_mixer *mixer, const moment_mix *mix, double seconds, size_t block,
                                   float *out);

// Adds the offsets of an inertialization to a block.
void sinewi_mixer_add_block_offsets(const sinew_mixer *mixer, size_t block, sinewi_block *pose);
void sinewi_mixer_add_weight_offsets(const sinew_mixer *mixer, size_t block, float *weights);

// Adds the offsets as they would be `seconds` from now with their current velocity.
void sinewi_mixer_add_offset_motion(const sinew_mixer *mixer, double seconds, size_t block, sinewi_block *pose);
void sinewi_mixer_add_weight_offset_motion(const sinew_mixer *mixer, double seconds, size_t block, float *weights);

// ---- The pose: mixer_mix.c -----------------------------------------------------------------------------------

// Reads a block of 16 nodes of the mixer's pose, or writes it.
void sinewi_mixer_read_block(const sinew_mixer *mixer, size_t block, sinewi_block *out);
void sinewi_mixer_write_block(sinew_mixer *mixer, size_t block, const sinewi_block *from);

// The end of the blocks of animated nodes, and of morph weights and curves.
static inline size_t sinewi_mixer_block_end(const sinew_mixer *mixer) {
    return sinewi_block_count(mixer->nodes.end);
}
static inline size_t sinewi_mixer_weight_block_end(const sinew_mixer *mixer) {
    return sinewi_block_count(sinewi_value_count(mixer->def.skeleton));
}

// Moves the base's held pose to where its extrapolation is `seconds` from now. The second function requires that
// one runs.
void sinewi_mixer_extrapolate_blocks(const sinew_mixer *mixer, double seconds);
static inline void sinewi_mixer_extrapolate_held(const sinew_mixer *mixer, double seconds) {
    if (mixer->state->extrapolation.duration > 0.0f) sinewi_mixer_extrapolate_blocks(mixer, seconds);
}

// Gathers the current contributions and evaluates the local pose.
void sinewi_mixer_evaluate_pose(sinew_mixer *mixer);

// Evaluates the local pose from the contributions gathered last if it is older than those.
void sinewi_mixer_refresh_pose(sinew_mixer *mixer);

// Computes the model matrices from the local pose.
void sinewi_mixer_compute_model(sinew_mixer *mixer);

// Evaluates into local matrices, which sinewi_local_to_model multiplies, in two steps: gathering (false if the
// requested output is current), and mixing.
bool sinewi_mixer_prepare_output(sinew_mixer *mixer, mixer_output output, sinewi_kernel_input *input);
void sinewi_mixer_mix_to_local(sinew_mixer *mixer, const sinewi_kernel_input *input, sinew_affine *local);

// The same for parts of the nodes, [part_count]; the local matrices of the others are undefined.
void sinewi_mixer_mix_parts_to_local(sinew_mixer *mixer, const sinewi_kernel_input *input,
                                     const sinewi_range *parts, int32_t part_count, sinew_affine *local);

// ---- Root motion: mixer_root.c -------------------------------------------------------------------------------

void sinewi_mixer_root_lay_out(sinewi_layout *layout, const sinew_mixer_def *def, sinew_mixer *fields);

// Before an advance, which may have several steps, and after a snapshot was restored: no motion.
void sinewi_mixer_root_reset(sinew_mixer *mixer);

// Before a step, for the held pose of the base, which the start of the step may replace.
void sinewi_mixer_root_keep_held(sinew_mixer *mixer);

// Before a step, for each action's path in it, and after it. `step` may be NULL.
void sinewi_mixer_root_begin(sinew_mixer *mixer, const sync_step *step);
void sinewi_mixer_root_pass(sinew_mixer *mixer, const action_state *state, const clip_path *path, double seconds);
void sinewi_mixer_root_end(sinew_mixer *mixer, double dt);

// The root's velocity in the last step. Zeros without root motion.
root_velocity sinewi_mixer_root_velocity(const sinew_mixer *mixer);

// The same of what plays and is held, without the velocity that decays in an inertialization.
root_velocity sinewi_mixer_base_root_velocity(const sinew_mixer *mixer);

// The velocity of one action of the base in the last step.
root_velocity sinewi_action_root_velocity(const sinew_mixer *mixer, const action_state *state);

// The root node's local transform without root motion, mixed from the contributions [first, end).
sinew_transform sinewi_mixer_root_remainder(const sinew_mixer *mixer, const contributions *from, int32_t first,
                                            int32_t end);

#endif
