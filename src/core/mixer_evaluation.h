// SPDX-License-Identifier: MIT
// Evaluation: computes fades, phases, contributions, the pose and root motion from the state at a moment. These
// functions write outputs (the pose, the held pose's current position, scratch) and never start, fade or end anything.
#ifndef SINEWI_MIXER_EVALUATION_H
#define SINEWI_MIXER_EVALUATION_H

#include "core/mixer_data.h"

// ---- Fades: mixer_phase.c ------------------------------------------------------------------------------------

// Returns the value `seconds` later, going by the last step. A fade that hasn't had a step continues the slope before
// it.
float sinewi_fade_extrapolate(const sinew_mixer *mixer, const sinewi_fade *fade, double seconds);

// Returns the value on a line with the current slope. Velocities are measured this way, because an easing that has just
// started is still slow.
float sinewi_fade_on_line(const sinew_mixer *mixer, const sinewi_fade *fade, double seconds);

// Returns the mean value over `seconds`. Uses the value in the middle, which is exact for a linear fade. Returns the
// current value for 0 seconds.
double sinewi_fade_mean(const sinew_mixer *mixer, const sinewi_fade *fade, double seconds);

// Returns the integral of a linear fade over `seconds`.
double sinewi_fade_integral(const sinewi_fade *fade, double seconds);

// ---- Phases: mixer_phase.c -----------------------------------------------------------------------------------

// Returns whether an action moves with a sync group or with its blend space's samples.
bool sinewi_action_is_synced(const action_state *state);

// Returns whether two actions share a phase.
bool sinewi_action_shares_phase(const action_state *a, const action_state *b);

// Returns an action's phase in sync intervals.
double sinewi_action_phase(const action_state *state);

// Returns an action's current rate: clip seconds per second, or for a blend space phases per second. Negative is
// backward.
double sinewi_action_rate(const sinew_mixer *mixer, const action_state *state);

// Returns how much of a step an action is active, in seconds. A fade-out may end within the step.
double sinewi_action_active_seconds(const action_state *state, double dt);

// Returns whether an action's rate may change within a step, because it is warped or shares its phase.
bool sinewi_action_changes_rate(const sinew_mixer *mixer, const action_state *state);

// Returns how far an action moves in `seconds`, in clip seconds. Negative against the sign of its speed.
double sinewi_action_clip_motion(const sinew_mixer *mixer, const action_state *state, double seconds);

// Returns the current rate of a synced action's phase, in phases per second.
double sinewi_action_phase_rate(const sinew_mixer *mixer, const action_state *state);

// Returns the rate that the action would give a phase of its own.
double sinewi_action_own_phase_rate(const sinew_mixer *mixer, const action_state *state);

// Returns an action's clip time after `delta` clip seconds, without moving the action. Negative is earlier. Stops at an
// end where the clip would start over, because callers measure velocities.
float sinewi_action_clip_time_after(const action_state *state, double delta);

// Returns the time of a blend space sample after a change of phase. It is clamped to the clip for the same reason.
float sinewi_space_time(const sinew_mixer *mixer, const action_state *state, int32_t sample, double phase_change);

// Computes the weights of an action's blend space at a parameter. Returns their number. Keeps them for the next call with
// the same parameter.
int32_t sinewi_space_weights(const sinew_mixer *mixer, const action_state *state, const space_state *space,
                             sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS]);

// The same for a parameter that nothing else needs. Doesn't keep the weights.
int32_t sinewi_space_weights_within_step(const sinew_mixer *mixer, const action_state *state,
                                         const space_state *space,
                                         sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS]);

// Computes the weights `seconds` from now, based on how the parameter moves now. Velocities are measured this way. The
// samples stay the same.
int32_t sinewi_space_weights_on_line(const sinew_mixer *mixer, const action_state *state, double seconds,
                                     sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS]);

// Returns a blend space's state after moving its parameter for `seconds`.
space_state sinewi_space_state_after(const space_state *space, double seconds);

// Computes the steps of all synced actions over dt seconds.
void sinewi_mixer_compute_sync_step(const sinew_mixer *mixer, double dt, sync_step *step);

// ---- Quiet time: mixer_quiet.c -------------------------------------------------------------------------------

#define SINEWI_MAX_QUIET_SECONDS 10.0f

// Returns how long steps won't report any event from now on, in seconds and at most SINEWI_MAX_QUIET_SECONDS. During
// this time, one long step gives the same result as several short ones. 0 or less if unknown.
float sinewi_mixer_quiet_seconds(const sinew_mixer *mixer);

// ---- Contributions and mixes: mixer_mix.c --------------------------------------------------------------------

// Which actions and fades count. These are all, or just those that a step has shown. SIDELESS_ACTIONS also gives a
// small weight to actions that have none but still need to choose their sides.
typedef enum action_filter { ALL_ACTIONS, STEPPED_ACTIONS, SIDELESS_ACTIONS } action_filter;

typedef struct contribution_buffer {
    contributions all;
    contribution items[SINEWI_MAX_CONTRIBUTIONS];
} contribution_buffer;

// The contributions in the format of the kernels.
typedef struct sinewi_kernel_input {
    sinewi_mix mix;
    sinewi_mix_input inputs[SINEWI_MAX_CONTRIBUTIONS];
    sinewi_mix_layer layers[SINEWI_MAX_LAYERS + SINEW_MAX_ACTIONS]; // each difference is a layer
    sinewi_key keys[SINEWI_MIX_KEYS];
    sinewi_mode_weights weights;
} sinewi_kernel_input;

// Returns the row of sides for a contribution that isn't a held pose.
static inline size_t sinewi_side_row_of(const sinew_mixer *mixer, const contribution *item) {
    if (item->slot == SINEWI_REST_SLOT) return sinewi_side_row_of_rest(&mixer->def);
    const action_state *action = &mixer->actions[item->slot];
    const int32_t entry = item->side & ~SIDE_ODD_LOOPS;
    return action->space ? sinewi_side_row_of_space(&mixer->def, action->space - 1, entry) : item->slot;
}

// Gathers the contributions `seconds` from now. Returns true if they differ from the previous ones in `out`.
bool sinewi_mixer_gather(const sinew_mixer *mixer, double seconds, action_filter filter, contributions *out);

// Converts contributions to kernel input.
void sinewi_mixer_build_input(const sinew_mixer *mixer, const contributions *from, sinewi_kernel_input *input);

// A moment's contributions, and the kernel input for them.
typedef struct mixer_moment {
    contribution_buffer buffer;
    sinewi_kernel_input input;
} mixer_moment;

// Gathers the moment `seconds` from now.
void sinewi_mixer_gather_moment(const sinew_mixer *mixer, double seconds, action_filter filter,
                                mixer_moment *moment);

// A mix of a moment's contributions [first, end). Only a mix of all contributions includes the layers above the base.
typedef struct moment_mix {
    const mixer_moment *moment;
    sinewi_mix mix;
    int32_t first, end;
} moment_mix;

moment_mix sinewi_mixer_mix_of(const mixer_moment *moment, int32_t first, int32_t end);
moment_mix sinewi_mixer_whole_mix(const mixer_moment *moment);

// Evaluates one block of 16 nodes without root motion. Uses the held pose at its current position.
void sinewi_mixer_blend_block(const sinew_mixer *mixer, const moment_mix *mix, size_t block, sinewi_block *out);

// The same for a moment `seconds` from now, extrapolating the held pose to this moment. Also for morph weights.
void sinewi_mixer_blend_block_at(const sinew_mixer *mixer, const moment_mix *mix, double seconds, size_t block,
                                 sinewi_block *out);
void sinewi_mixer_blend_weights_at(const sinew_mixer *mixer, const moment_mix *mix, double seconds, size_t block,
                                   float *out);

// Add an inertialization's offsets to a block.
void sinewi_mixer_add_block_offsets(const sinew_mixer *mixer, size_t block, sinewi_block *pose);
void sinewi_mixer_add_weight_offsets(const sinew_mixer *mixer, size_t block, float *weights);

// Add the offsets as they would be `seconds` from now at their current velocity.
void sinewi_mixer_add_offset_motion(const sinew_mixer *mixer, double seconds, size_t block, sinewi_block *pose);
void sinewi_mixer_add_weight_offset_motion(const sinew_mixer *mixer, double seconds, size_t block, float *weights);

// ---- The pose: mixer_mix.c -----------------------------------------------------------------------------------

// Read or write a block of 16 nodes in the mixer's pose.
void sinewi_mixer_read_block(const sinew_mixer *mixer, size_t block, sinewi_block *out);
void sinewi_mixer_write_block(sinew_mixer *mixer, size_t block, const sinewi_block *from);

// Return the end of the blocks of animated nodes, and of morph weights and curves.
static inline size_t sinewi_mixer_block_end(const sinew_mixer *mixer) {
    return sinewi_block_count(mixer->nodes.end);
}
static inline size_t sinewi_mixer_weight_block_end(const sinew_mixer *mixer) {
    return sinewi_block_count(sinewi_value_count(mixer->def.skeleton));
}

// Move the base's held pose to where its extrapolation is `seconds` from now. The second function needs a running
// extrapolation.
void sinewi_mixer_extrapolate_blocks(const sinew_mixer *mixer, double seconds);
static inline void sinewi_mixer_extrapolate_held(const sinew_mixer *mixer, double seconds) {
    if (mixer->state->extrapolation.duration > 0.0f) sinewi_mixer_extrapolate_blocks(mixer, seconds);
}

// Gathers the current contributions and evaluates the local pose.
void sinewi_mixer_evaluate_pose(sinew_mixer *mixer);

// If the local pose is older than the last contributions gathered, evaluates it from these.
void sinewi_mixer_refresh_pose(sinew_mixer *mixer);

// Computes the model matrices from the local pose.
void sinewi_mixer_compute_model(sinew_mixer *mixer);

// Evaluate into local matrices for sinewi_local_to_model, in two steps. The first gathers and returns false if the
// requested output is current. The second mixes.
bool sinewi_mixer_prepare_output(sinew_mixer *mixer, mixer_output output, sinewi_kernel_input *input);
void sinewi_mixer_mix_to_local(sinew_mixer *mixer, const sinewi_kernel_input *input, sinew_affine *local);

// The same for parts of the nodes, [part_count]. The other nodes' local matrices are undefined.
void sinewi_mixer_mix_parts_to_local(sinew_mixer *mixer, const sinewi_kernel_input *input,
                                     const sinewi_range *parts, int32_t part_count, sinew_affine *local);

// ---- Root motion: mixer_root.c -------------------------------------------------------------------------------

void sinewi_mixer_root_lay_out(sinewi_layout *layout, const sinew_mixer_def *def, sinew_mixer *fields);

// Clears the motion. Call this before an advance, which may have several steps, and after restoring a snapshot.
void sinewi_mixer_root_reset(sinew_mixer *mixer);

// Call this before a step for the base's held pose, because the start of the step may replace it.
void sinewi_mixer_root_keep_held(sinew_mixer *mixer);

// Call these before a step, for each action's path in the step, and after it. `step` may be NULL.
void sinewi_mixer_root_begin(sinew_mixer *mixer, const sync_step *step);
void sinewi_mixer_root_pass(sinew_mixer *mixer, const action_state *state, const clip_path *path, double seconds);
void sinewi_mixer_root_end(sinew_mixer *mixer, double dt);

// Returns the root's velocity in the last step. Zeros without root motion.
root_velocity sinewi_mixer_root_velocity(const sinew_mixer *mixer);

// The same for what plays and is held, without the velocity that decays in an inertialization.
root_velocity sinewi_mixer_base_root_velocity(const sinew_mixer *mixer);

// Returns the root node's local transform without root motion, mixed from contributions [first, end).
sinew_transform sinewi_mixer_root_remainder(const sinew_mixer *mixer, const contributions *from, int32_t first,
                                            int32_t end);

#endif
