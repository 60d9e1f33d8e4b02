// SPDX-License-Identifier: MIT
// The current pose and its velocity, where transitions start. It is captured for an inertialization, or extrapolated by
// a dead blend while the new pose fades in over it. The current pose may come from another transition.
#include "core/mixer_control.h"
#include "core/mixer_velocity.h"

#include <string.h>

#define STEP SINEWI_VELOCITY_SECONDS

// ---- The velocity of the current pose ------------------------------------------------------------------------

// Returns how many clip seconds an action moves in STEP at its last rate.
static double last_motion(const action_state *action) {
    return (double)action->last_rate * STEP;
}

static bool sample_ends_within_step(const sinew_mixer *mixer, const action_state *action, int32_t sample) {
    float duration = sinewi_action_space(mixer, action)->space->samples[sample].clip->duration;
    float after = sinewi_space_time(mixer, action, sample, last_motion(action));
    return duration > 0.0f && (after == 0.0f || after == duration);
}

static bool space_ends_within_step(const sinew_mixer *mixer, const action_state *action) {
    sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS];
    int32_t count = sinewi_space_weights(mixer, action, sinewi_action_space(mixer, action), weights);
    for (int32_t i = 0; i < count; i++) {
        if (sample_ends_within_step(mixer, action, weights[i].sample)) return true;
    }
    return false;
}

// Returns whether an action's clip ends, loops or turns back in less than STEP.
static bool ends_within_step(const sinew_mixer *mixer, const action_state *action) {
    if (action->last_rate == 0.0f) return false;
    if (action->space) return space_ends_within_step(mixer, action);
    double after = (double)sinewi_action_clip_time(action) + last_motion(action);
    return after < 0.0 || after > (double)action->clip->duration;
}

// Returns the time from now to the second pose for measuring the velocity. It is STEP ahead, like the target's second
// pose. So a corner in the motion at this moment doesn't become part of the transition. If a clip ends within STEP, it
// is STEP ago.
static double velocity_time(const sinew_mixer *mixer) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *action = &mixer->actions[i];
        bool is_visible = action->clip && action->weight.value > 0.0f && (action->flags & ACTION_NEW) == 0;
        if (is_visible && ends_within_step(mixer, action)) return -STEP;
    }
    return STEP;
}

// The current pose and the second one.
typedef struct pose_motion {
    moment_mix now, then;
    double seconds; // from `now` to `then`
    bool is_shown;  // the mixer's pose is the current one
} pose_motion;

// Returns whether a contribution's sides change its signs. The mixer's pose doesn't have these if this is the only
// contribution.
static bool has_signs(const sinew_mixer *mixer, const sinewi_mix_input *input) {
    bool has_any = false;
    for (size_t b = 0; input->sides && b < sinewi_mixer_block_end(mixer); b++) has_any |= input->sides[b] != 0;
    return has_any;
}

// Gathers the current contributions. Returns true if the mixer's pose consists of exactly these.
static bool gather_shown(const sinew_mixer *mixer, mixer_moment *now) {
    contributions *all = &now->buffer.all;
    *all = mixer->current;
    all->items = now->buffer.items;
    memcpy(all->items, mixer->current.items, (size_t)all->count * sizeof *all->items);
    const bool has_changed = sinewi_mixer_gather(mixer, 0.0, STEPPED_ACTIONS, all) || mixer->is_dirty;
    sinewi_mixer_build_input(mixer, all, &now->input);
    const mixer_state *state = mixer->state;
    const bool has_more = mixer->pose_is_edited || state->finish.is_finished || state->offsets.duration > 0.0f;
    if (has_changed || has_more || state->extrapolation.duration > 0.0f) return false;
    return all->count > 1 || !has_signs(mixer, now->input.inputs);
}

static pose_motion gather_motion(sinew_mixer *mixer, mixer_moment *now, mixer_moment *then) {
    pose_motion motion = {.seconds = velocity_time(mixer)};
    sinewi_mixer_refresh_pose(mixer);
    motion.is_shown = gather_shown(mixer, now);
    sinewi_mixer_gather_moment(mixer, motion.seconds, STEPPED_ACTIONS, then);
    motion.now = sinewi_mixer_whole_mix(now);
    motion.then = sinewi_mixer_whole_mix(then);
    return motion;
}

// Reads the current pose without offsets. If it is the mixer's pose, this doesn't include them.
static void read_current_block(const sinew_mixer *mixer, const pose_motion *motion, size_t b, sinewi_block *out) {
    if (motion->is_shown)
        sinewi_mixer_read_block(mixer, b, out);
    else
        sinewi_mixer_blend_block_at(mixer, &motion->now, 0.0, b, out);
}

// ---- Dead blending -------------------------------------------------------------------------------------------

// Gives the held pose the base's pose and velocity. Offsets stay the same: they now add to the held pose instead of
// what it replaces.
static void begin_block_extrapolation(sinew_mixer *mixer, const pose_motion *base, float reach, size_t b) {
    sinewi_block then, now;
    sinewi_mixer_blend_block_at(mixer, &base->then, base->seconds, b, &then);
    read_current_block(mixer, base, b, &now);
    mixer->held.blocks[b] = mixer->extrapolated.blocks[b].pose = now;
    sinewi_transition_kernels_used()->start_held(&then, (float)base->seconds, reach,
                                                 &mixer->extrapolated.blocks[b]);
}

static void begin_weight_extrapolation(sinew_mixer *mixer, const pose_motion *base, float reach, size_t b) {
    float then[SINEW_LANES], now[SINEW_LANES];
    sinewi_mixer_blend_weights_at(mixer, &base->then, base->seconds, b, then);
    sinewi_mixer_blend_weights_at(mixer, &base->now, 0.0, b, now);
    memcpy(mixer->held.weights + b * SINEW_LANES, now, sizeof now);
    memcpy(mixer->extrapolated.weights[b].weight, now, sizeof now);
    sinewi_transition_kernels_used()->start_held_weights(then, (float)base->seconds, reach,
                                                         &mixer->extrapolated.weights[b]);
}

void sinewi_mixer_begin_extrapolation(sinew_mixer *mixer, float duration) {
    root_state *root = &mixer->state->root;
    bool is_captured = mixer->state->set_pose.change > 0.0f; // before what changed since the last step
    root->held = is_captured ? root->captured : sinewi_mixer_root_velocity(mixer);
    root->decay.duration = 0.0f;
    mixer_moment now, then;
    pose_motion base = gather_motion(mixer, &now, &then);
    base.now = sinewi_mixer_mix_of(&now, 0, now.buffer.all.ends[0]);
    base.then = sinewi_mixer_mix_of(&then, 0, then.buffer.all.ends[0]);
    base.is_shown &= now.buffer.all.ends[0] == now.buffer.all.count;
    float reach = sinewi_held_tau(duration, duration);
    for (size_t b = 0; b < sinewi_mixer_block_end(mixer); b++) begin_block_extrapolation(mixer, &base, reach, b);
    for (size_t b = 0; b < sinewi_mixer_weight_block_end(mixer); b++) {
        begin_weight_extrapolation(mixer, &base, reach, b);
    }
    mixer->state->extrapolation = (decay_state){.duration = duration};
    mixer->is_dirty = true;
}

// ---- Capturing -----------------------------------------------------------------------------------------------

// Records which lanes of a block have an offset, before the offsets are overwritten.
static void find_running(sinew_mixer *mixer, size_t b) {
    const decay_state *decay = &mixer->state->offsets;
    uint16_t running[SINEWI_GROUPS] = {0};
    for (int i = 0; i < SINEWI_GROUPS && decay->duration > 0.0f; i++) {
        const float *durations = mixer->offsets.blocks[b].offsets.decays[i].duration;
        for (int lane = 0; lane < SINEW_LANES; lane++) {
            if ((double)durations[lane] > decay->elapsed) running[i] |= (uint16_t)(1u << lane);
        }
    }
    memcpy(mixer->offsets.blocks[b].captured.running, running, sizeof running);
}

static uint16_t find_running_weights(const sinew_mixer *mixer, size_t b) {
    const decay_state *decay = &mixer->state->offsets;
    const float *durations = mixer->offsets.weights[b].offsets.duration;
    uint32_t running = 0;
    for (int lane = 0; lane < SINEW_LANES && decay->duration > 0.0f; lane++) {
        running |= (uint32_t)((double)durations[lane] > decay->elapsed) << lane;
    }
    return (uint16_t)running;
}

// Returns the current pose, and the pose STEP ago.
static void measure_block(const sinew_mixer *mixer, const pose_motion *motion, size_t b, sinewi_block *current,
                          sinewi_block *before) {
    sinewi_mixer_blend_block_at(mixer, &motion->then, motion->seconds, b, before);
    read_current_block(mixer, motion, b, current);
    if (motion->seconds > 0.0) sinewi_transition_kernels_used()->mirror(current, before);
    sinewi_mixer_add_offset_motion(mixer, -STEP, b, before);
    sinewi_mixer_add_block_offsets(mixer, b, current);
}

static void capture_block(sinew_mixer *mixer, const pose_motion *motion, size_t b) {
    sinewi_block current, before;
    measure_block(mixer, motion, b, &current, &before);
    find_running(mixer, b);
    mixer->offsets.blocks[b].captured.current = current;
    mixer->offsets.blocks[b].captured.before = before;
}

static void mirror_weights(const float *now, float *ahead) {
    for (int i = 0; i < SINEW_LANES; i++) ahead[i] = 2.0f * now[i] - ahead[i];
}

static void measure_weights(const sinew_mixer *mixer, const pose_motion *motion, size_t b, float *current,
                            float *before) {
    sinewi_mixer_blend_weights_at(mixer, &motion->then, motion->seconds, b, before);
    sinewi_mixer_blend_weights_at(mixer, &motion->now, 0.0, b, current);
    if (motion->seconds > 0.0) mirror_weights(current, before);
    sinewi_mixer_add_weight_offset_motion(mixer, -STEP, b, before);
    sinewi_mixer_add_weight_offsets(mixer, b, current);
}

static void capture_weights(sinew_mixer *mixer, const pose_motion *motion, size_t b) {
    float current[SINEW_LANES], before[SINEW_LANES];
    measure_weights(mixer, motion, b, current, before);
    mixer->offsets.weights[b].captured.running = find_running_weights(mixer, b);
    memcpy(mixer->offsets.weights[b].captured.current, current, sizeof current);
    memcpy(mixer->offsets.weights[b].captured.before, before, sizeof before);
}

// Captures the current pose and the pose STEP ago, in the memory of the offsets. They overwrite the offsets.
void sinewi_mixer_capture_current(sinew_mixer *mixer) {
    mixer_moment now, then;
    pose_motion motion = gather_motion(mixer, &now, &then);
    for (size_t b = 0; b < sinewi_mixer_block_end(mixer); b++) capture_block(mixer, &motion, b);
    for (size_t b = 0; b < sinewi_mixer_weight_block_end(mixer); b++) capture_weights(mixer, &motion, b);
    mixer->state->offsets.duration = 0.0f;
    mixer->state->set_pose = (set_pose_state){.is_current = true};
    mixer->state->root.captured = sinewi_mixer_root_velocity(mixer);
}

// Writes the pose STEP ago to another mixer. Includes the program's edits of the current pose.
void sinewi_mixer_write_before(sinew_mixer *mixer, sinew_mixer *to) {
    mixer_moment now, then;
    pose_motion motion = gather_motion(mixer, &now, &then);
    const bool is_set = mixer->def.inertialization && mixer->state->set_pose.is_current;
    for (size_t b = 0; b < sinewi_mixer_block_end(mixer); b++) {
        sinewi_block current, before, shown;
        measure_block(mixer, &motion, b, &current, &before);
        if (is_set) current = mixer->offsets.blocks[b].captured.current;
        if (is_set) before = mixer->offsets.blocks[b].captured.before;
        sinewi_mixer_read_block(mixer, b, &shown);
        sinewi_move_alike(&current, &before, &shown);
        sinewi_mixer_write_block(to, b, &shown);
    }
    for (size_t b = 0; b < sinewi_mixer_weight_block_end(mixer); b++) {
        float current[SINEW_LANES], before[SINEW_LANES], *shown = to->pose.weights + b * SINEW_LANES;
        measure_weights(mixer, &motion, b, current, before);
        if (is_set) memcpy(current, mixer->offsets.weights[b].captured.current, sizeof current);
        if (is_set) memcpy(before, mixer->offsets.weights[b].captured.before, sizeof before);
        for (size_t i = 0; i < SINEW_LANES; i++)
            shown[i] = mixer->pose.weights[b * SINEW_LANES + i] + before[i] - current[i];
    }
}

// A pose that the program has set doesn't say how the root moves. What played before the first change does.
void sinewi_mixer_capture_root(sinew_mixer *mixer, root_velocity before) {
    const set_pose_state *set = &mixer->state->set_pose;
    const bool knows_root = set->has_root && set->is_current;
    if (!(set->change > 0.0f) && set->is_kept && !knows_root) mixer->state->root.captured = before;
}

// Several changes between two steps all start from one pose. They lead to the pose after the last change, which the
// earlier ones don't know yet.
void sinewi_mixer_note_change(sinew_mixer *mixer, float duration) {
    set_pose_state *set = &mixer->state->set_pose;
    set->layer = 0;
    if (duration > set->change) set->change = duration;
    if (set->scope == SMOOTH_FADES) set->scope = SMOOTH_TRANSITION;
}
