// SPDX-License-Identifier: MIT
// A held pose keeps the last pose of actions that end, so no fade pops. Part of control. Called before actions start,
// end or get evicted.
#include "core/mixer_control.h"
#include "core/skeleton_object.h"

#include <string.h>

// ---- Copying a pose ------------------------------------------------------------------------------------------

void sinewi_mixer_hold_rest(const sinew_mixer *mixer) {
    const sinew_skeleton *skeleton = mixer->def.skeleton;
    const sinew_clip_data *rest = sinewi_skeleton_rest(skeleton);
    const held_pose *held = &mixer->held;
    memcpy(held->blocks, rest->base, sinewi_block_count(skeleton->node_count) * sizeof *held->blocks);
    size_t size = sinewi_padded(sinewi_value_count(skeleton)) * sizeof(float);
    if (size > 0) memcpy(held->weights, rest->base_weights, size);
}

// Reads a set or captured pose. Without inertialization it is in the output, which snapshots don't include.
static void read_set_block(const sinew_mixer *mixer, size_t block, sinewi_block *out) {
    if (mixer->def.inertialization) {
        *out = mixer->offsets.blocks[block].captured.current;
    } else {
        sinewi_mixer_read_block(mixer, block, out);
    }
}

static void read_set_weights(const sinew_mixer *mixer, sinewi_range range, float *out) {
    for (int32_t i = range.first; i < range.end; i++) {
        const size_t block = (size_t)i / SINEW_LANES, lane = (size_t)i % SINEW_LANES;
        out[i] = mixer->def.inertialization ? mixer->offsets.weights[block].captured.current[lane]
                                            : mixer->pose.weights[i];
    }
}

void sinewi_mixer_hold_set_pose(sinew_mixer *mixer) {
    sinewi_mixer_capture_seam(mixer);
    held_pose *held = &mixer->held;
    for (size_t b = 0; b < sinewi_mixer_block_end(mixer); b++) read_set_block(mixer, b, &held->blocks[b]);
    read_set_weights(mixer, sinewi_mixer_animated_weights(mixer), held->weights);
    read_set_weights(mixer, sinewi_mixer_curve_range(mixer), held->weights);
    mixer->state->extrapolation.duration = 0.0f;
    mixer->is_dirty = true;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        if (mixer->actions[i].clip && mixer->actions[i].layer == 0)
            sinewi_action_lose_side(mixer, &mixer->actions[i]);
    }
    sinewi_mixer_lose_layer_sides(mixer, 1, mixer->def.layer_count);
}

// ---- Holding -------------------------------------------------------------------------------------------------

static void hold_base(sinew_mixer *mixer, const moment_mix *base) {
    const held_pose *held = &mixer->held;
    const size_t end = sinewi_mixer_block_end(mixer);
    for (size_t b = (size_t)mixer->nodes.first / SINEW_LANES; b < end; b++) {
        sinewi_block pose; // the held pose may be part of it
        sinewi_mixer_blend_block(mixer, base, b, &pose);
        held->blocks[b] = pose;
    }
    for (size_t b = 0; b < sinewi_mixer_weight_block_end(mixer); b++)
        sinewi_mix_kernels_used()->mix_weights(&base->mix, b, b + 1, held->weights + b * SINEW_LANES);
    mixer->state->extrapolation.duration = 0.0f;
    mixer->is_dirty = true;
}

// Gathers the current pose's contributions as of the last step.
static void gather_visible(sinew_mixer *mixer, mixer_moment *now) {
    sinewi_mixer_refresh_pose(mixer); // this may use the held pose
    sinewi_mixer_gather_moment(mixer, 0.0, STEPPED_ACTIONS, now);
    sinewi_mixer_extrapolate_held(mixer, 0.0);
}

void sinewi_mixer_hold_pose(sinew_mixer *mixer) {
    sinewi_mixer_capture_seam(mixer);
    mixer->state->root.held = sinewi_mixer_base_root_velocity(mixer); // the previous velocity keeps decaying
    if (mixer->state->set_pose.is_current) {
        sinewi_mixer_hold_set_pose(mixer);
    } else {
        mixer_moment now;
        gather_visible(mixer, &now);
        const moment_mix base = sinewi_mixer_mix_of(&now, 0, now.buffer.all.ends[0]);
        hold_base(mixer, &base);
    }
    mixer->state->held_proportion = sinewi_fade_constant(0.0f);
}

// Holds the rest pose with the signs that its rotations had in the base's blend. A fade from it then goes the same way
// around.
static void hold_shown_rest(sinew_mixer *mixer) {
    sinewi_mixer_hold_rest(mixer);
    const uint16_t *sides = sinewi_side_row(mixer, sinewi_side_row_of_rest(&mixer->def));
    for (size_t b = 0; b < sinewi_mixer_block_end(mixer); b++) {
        for (int lane = 0; lane < SINEW_LANES; lane++) {
            if ((sides[b] >> lane & 1) == 0) continue;
            for (int i = SINEWI_RX; i <= SINEWI_RW; i++) {
                float *value = &mixer->held.blocks[b].lane[i][lane];
                *value = -*value;
            }
        }
    }
}

// When the base's last actions have faded out, the root comes to rest in 0.55 of their duration.
static void stop_root(sinew_mixer *mixer, double dt) {
    root_state *root = &mixer->state->root;
    double left = 0.0;
    float duration = 0.0f;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *action = &mixer->actions[i];
        bool is_visible = action->clip && action->layer == 0 && action->weight.value > 0.0f;
        if (!is_visible || !sinewi_fade_is_active(&action->weight)) continue;
        left = fmax(left, sinewi_action_active_seconds(action, dt));
        duration = fmaxf(duration, action->weight.duration);
    }
    root->decaying = sinewi_mixer_root_velocity(mixer);
    mixer->root->held.seconds = left;
    root->decay = (decay_state){.elapsed = -left, .duration = duration};
}

// The same if the rest pose fills up. The last actions come to rest through their fades, but a held pose that fades out
// with them ends immediately.
static void stop_held_root(sinew_mixer *mixer) {
    root_state *root = &mixer->state->root;
    const sinewi_fade *held = &mixer->state->held_proportion;
    root->decaying = sinewi_mixer_root_velocity(mixer);
    mixer->root->held.seconds = 0.0;
    root->decay = (decay_state){.duration = sinewi_fade_seconds_left(held)};
}

bool sinewi_mixer_fades_to_rest(const sinew_mixer *mixer) {
    bool fills = mixer->def.underweight == SINEW_UNDERWEIGHT_REST;
    return fills && !(mixer->state->held_proportion.value > 0.0f);
}

void sinewi_mixer_stop_faded_root(sinew_mixer *mixer, double dt) {
    if (mixer->def.underweight != SINEW_UNDERWEIGHT_REST) {
        stop_root(mixer, dt);
    } else if (!sinewi_mixer_fades_to_rest(mixer)) {
        stop_held_root(mixer);
    }
}

void sinewi_mixer_hold_faded_pose(sinew_mixer *mixer, bool to_rest) {
    sinewi_mixer_hold_pose(mixer);
    if (to_rest) hold_shown_rest(mixer);
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *action = &mixer->actions[i];
        if (action->clip && action->layer == 0) action->proportion = sinewi_fade_constant(0.0f);
    }
}

static bool any_proportion_in_base(const sinew_mixer *mixer) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *action = &mixer->actions[i];
        if (action->clip && action->layer == 0 && action->proportion.value > 0.0f) return true;
    }
    return false;
}

void sinewi_mixer_replace_base(sinew_mixer *mixer) {
    mixer->state->set_pose.is_base = true;
    mixer->state->extrapolation.duration = 0.0f;
}

void sinewi_mixer_hold_captured_pose(sinew_mixer *mixer) {
    const decay_state *extrapolation = &mixer->state->extrapolation;
    const set_pose_state *set = &mixer->state->set_pose;
    if (!set->is_current || !set->is_base || any_proportion_in_base(mixer)) return;
    if (extrapolation->duration > 0.0f && extrapolation->elapsed == 0.0) return;
    sinewi_mixer_hold_set_pose(mixer);
    if (set->change > 0.0f) mixer->state->root.held = mixer->state->root.captured;
}

// If a held pose fades out and nothing replaces it, it moves the root in proportion. The pose itself stays whole.
static void slow_held_root(sinew_mixer *mixer) {
    const sinewi_fade *fade = &mixer->state->held_proportion;
    root_velocity *held = &mixer->state->root.held;
    if (!sinewi_fade_is_active(fade)) return;
    for (int i = 0; i < 3; i++) held->move[i] *= fade->value;
    held->yaw *= fade->value;
}

void sinewi_mixer_fade_out_held(sinew_mixer *mixer, float duration, uint8_t easing) {
    if (!mixer->state->has_advanced) return; // no pose has been shown yet
    if (any_proportion_in_base(mixer)) return;
    sinewi_mixer_hold_captured_pose(mixer);
    slow_held_root(mixer);
    sinewi_mixer_begin_held_fade(mixer, duration, easing);
}
