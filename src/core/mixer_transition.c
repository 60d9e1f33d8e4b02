// SPDX-License-Identifier: MIT
// Inertialization: adds a decaying difference to what is evaluated. The difference leads to a captured pose, or to one
// that the program has set.
//
// A set pose is stored in the memory of the offsets, together with the pose SINEWI_VELOCITY_SECONDS before it. An
// inertialization starts from these two. This makes them part of every snapshot.
#include "core/mixer_control.h"
#include "core/mixer_velocity.h"

#include <string.h>

#define STEP SINEWI_VELOCITY_SECONDS

// ---- Inertialization -----------------------------------------------------------------------------------------

// Clears the offsets of a block's nodes that aren't animated.
static void clear_other_nodes(sinewi_offset_block *offsets, size_t block, sinewi_range lanes) {
    const int32_t first = (int32_t)block * SINEW_LANES;
    if (first >= lanes.first && first + SINEW_LANES <= lanes.end) return;
    for (int32_t lane = 0; lane < SINEW_LANES; lane++) {
        if (first + lane >= lanes.first && first + lane < lanes.end) continue;
        for (int i = 0; i < SINEWI_GROUPS; i++) offsets->decays[i].duration[lane] = 0.0f;
    }
}

// Clears the offsets of nodes that aren't part of a transition and didn't have any before.
static void clear_uncovered_nodes(const sinew_mixer *mixer, const uint16_t running[SINEWI_GROUPS], size_t block,
                                  sinewi_offset_block *offsets) {
    const sinew_mask *mask = mixer->layers[mixer->state->set_pose.layer].mask;
    if (!mask) return;
    for (int32_t lane = 0; lane < SINEW_LANES; lane++) {
        if (mask->nodes[block * SINEW_LANES + (size_t)lane] > 0.0f) continue;
        for (int i = 0; i < SINEWI_GROUPS; i++) {
            if ((running[i] >> lane & 1) == 0) offsets->decays[i].duration[lane] = 0.0f;
        }
    }
}

static void begin_block_offsets(sinew_mixer *mixer, const moment_mix *now, const moment_mix *then, float duration,
                                size_t b) {
    uint16_t running[SINEWI_GROUPS];
    memcpy(running, mixer->offsets.blocks[b].captured.running, sizeof running);
    sinewi_block_change change;
    change.source = mixer->offsets.blocks[b].captured.current;
    change.source_before = mixer->offsets.blocks[b].captured.before;
    sinewi_mixer_blend_block_at(mixer, then, STEP, b, &change.target_after);
    sinewi_mixer_blend_block_at(mixer, now, 0.0, b, &change.target);
    sinewi_offset_block *offsets = &mixer->offsets.blocks[b].offsets;
    sinewi_transition_kernels_used()->start_offsets(&change, (float)STEP, duration, offsets);
    clear_other_nodes(offsets, b, mixer->nodes);
    clear_uncovered_nodes(mixer, running, b, offsets);
}

static void begin_weight_offsets(sinew_mixer *mixer, const moment_mix *now, const moment_mix *then, float duration,
                                 size_t b) {
    sinewi_weight_change change;
    uint32_t running = mixer->offsets.weights[b].captured.running;
    memcpy(change.source, mixer->offsets.weights[b].captured.current, sizeof change.source);
    memcpy(change.source_before, mixer->offsets.weights[b].captured.before, sizeof change.source);
    sinewi_mixer_blend_weights_at(mixer, then, STEP, b, change.target_after);
    sinewi_mixer_blend_weights_at(mixer, now, 0.0, b, change.target);
    sinewi_weight_offset_block *offsets = &mixer->offsets.weights[b].offsets;
    sinewi_transition_kernels_used()->start_weight_offsets(&change, (float)STEP, duration, offsets);
    sinewi_range animated = sinewi_mixer_animated_weights(mixer), curves = sinewi_mixer_curve_range(mixer);
    const sinew_mask *mask = mixer->layers[mixer->state->set_pose.layer].mask;
    for (int32_t i = 0; i < SINEW_LANES; i++) {
        int32_t index = (int32_t)b * SINEW_LANES + i;
        bool is_animated =
            (index >= animated.first && index < animated.end) || (index >= curves.first && index < curves.end);
        bool is_covered = !mask || mask->weights[index] > 0.0f || (running >> i & 1) != 0;
        if (!is_animated || !is_covered) offsets->duration[i] = 0.0f;
    }
}

// Starts to decay the root's velocity from before the change.
static void begin_root_decay(sinew_mixer *mixer, float duration) {
    if (!mixer->root) return;
    mixer->state->root.decaying = mixer->state->root.captured;
    mixer->state->root.decay = (decay_state){.duration = duration};
}

// Marks all actions and fades as shown, at their own rates. All actions plus the offsets give the captured pose, and
// the offsets were measured for these rates.
static void mark_all_shown(sinew_mixer *mixer) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *action = &mixer->actions[i];
        if (!action->clip) continue;
        action->last_rate = (float)sinewi_action_rate(mixer, action);
        action->flags &= (uint8_t)~ACTION_NEW;
        sinewi_fade_set_initial_slope(mixer, &action->weight);
        sinewi_fade_set_initial_slope(mixer, &action->proportion);
    }
    for (int32_t i = 0; i < mixer->def.layer_count; i++) {
        sinewi_fade_set_initial_slope(mixer, &mixer->layers[i].weight);
    }
    sinewi_fade_set_initial_slope(mixer, &mixer->state->held_proportion);
}

// Not inlined, to keep its moments off the stack while choosing sides.
SINEWI_NOINLINE void compute_offsets(sinew_mixer *mixer, float duration) {
    mixer_moment now, then;
    sinewi_mixer_gather_moment(mixer, 0.0, ALL_ACTIONS, &now);
    sinewi_mixer_gather_moment(mixer, STEP, ALL_ACTIONS, &then);
    moment_mix all_now = sinewi_mixer_whole_mix(&now), all_then = sinewi_mixer_whole_mix(&then);
    for (size_t b = 0; b < sinewi_mixer_block_end(mixer); b++) {
        begin_block_offsets(mixer, &all_now, &all_then, duration, b);
    }
    for (size_t b = 0; b < sinewi_mixer_weight_block_end(mixer); b++) {
        begin_weight_offsets(mixer, &all_now, &all_then, duration, b);
    }
}

static void begin_offsets(sinew_mixer *mixer, float duration) {
    sinewi_mixer_begin_proportions(mixer);
    sinewi_mixer_choose_sides(mixer);
    compute_offsets(mixer, duration);
    mixer->state->offsets = (decay_state){.duration = duration};
    mixer->state->set_pose = (set_pose_state){.is_current = false};
    mixer->is_dirty = true;
    begin_root_decay(mixer, duration);
    mark_all_shown(mixer);
}

void sinewi_mixer_drop_offsets(sinew_mixer *mixer) {
    mixer->state->root.decay.duration = 0.0f;
    mixer->is_dirty |= mixer->state->offsets.duration > 0.0f;
    mixer->state->offsets.duration = 0.0f;
    if (mixer->state->set_pose.scope == SMOOTH_TRANSITION) mixer->state->set_pose.change = 0.0f;
}

// ---- Any change ----------------------------------------------------------------------------------------------

// Moves `before` along the line through `now` and itself, to `part` of its distance. `part` may be negative.
static void scale_motion(const sinewi_block *now, float part, sinewi_block *before) {
    for (int lane = 0; lane < SINEW_LANES; lane++) {
        sinew_quat q = sinewi_rotation_in(now, lane),
                   turn = sinewi_turn_between(sinewi_rotation_in(before, lane), q);
        q = sinew_quat_multiply(sinewi_rotation_exponential(sinewi_scaled(sinewi_rotation_logarithm(turn), part)),
                                q);
        for (int i = 0; i < SINEWI_PLANES; i++) {
            before->lane[i][lane] = now->lane[i][lane] + part * (before->lane[i][lane] - now->lane[i][lane]);
        }
        before->lane[SINEWI_RX][lane] = q.x;
        before->lane[SINEWI_RY][lane] = q.y;
        before->lane[SINEWI_RZ][lane] = q.z;
        before->lane[SINEWI_RW][lane] = q.w;
    }
}

// Captures the pose as the program has finished it. The one before follows from the motion of its own offsets.
static void capture_finished_block(sinew_mixer *mixer, size_t b) {
    const decay_state *decay = &mixer->state->finish.decay;
    sinewi_block current, before, still = mixer->offsets.blocks[b].captured.current, moved = still;
    sinewi_mixer_read_block(mixer, b, &current);
    before = current;
    if (decay->duration > 0.0f) {
        const sinewi_offset_block *offsets = &mixer->finish_offsets.blocks[b].offsets;
        const sinewi_transition_kernels *kernels = sinewi_transition_kernels_used();
        kernels->add_offsets_on_line(offsets, (float)decay->elapsed, 0.0f, &still);
        kernels->add_offsets_on_line(offsets, (float)decay->elapsed, (float)-STEP, &moved);
        sinewi_move_alike(&still, &moved, &before);
    }
    mixer->finish_offsets.blocks[b].captured.current = current;
    mixer->finish_offsets.blocks[b].captured.before = before;
}

static void capture_finished_weights(sinew_mixer *mixer, size_t b) {
    const float *now = mixer->pose.weights + b * SINEW_LANES;
    memcpy(mixer->finish_offsets.weights[b].captured.current, now, SINEW_LANES * sizeof(float));
    memcpy(mixer->finish_offsets.weights[b].captured.before, now, SINEW_LANES * sizeof(float));
}

// Without edits, the finished pose is the evaluated one, which was captured. After sinew_mixer_restore, the mixer's
// pose is from another time.
static void capture_evaluated(sinew_mixer *mixer) {
    for (size_t b = 0; b < sinewi_mixer_block_end(mixer); b++) {
        offset_block *block = &mixer->finish_offsets.blocks[b];
        block->captured = mixer->offsets.blocks[b].captured;
        block->captured.before = block->captured.current;
    }
    for (size_t b = 0; b < sinewi_mixer_weight_block_end(mixer); b++)
        mixer->finish_offsets.weights[b].captured = mixer->offsets.weights[b].captured;
}

static void capture_finished(sinew_mixer *mixer) {
    for (size_t b = 0; b < sinewi_mixer_block_end(mixer); b++) capture_finished_block(mixer, b);
    for (size_t b = 0; b < sinewi_mixer_weight_block_end(mixer); b++) capture_finished_weights(mixer, b);
}

// The program's edits weren't finished, so they are part of the pose that the evaluation must continue.
static void add_edits(sinew_mixer *mixer) {
    for (size_t b = 0; b < sinewi_mixer_block_end(mixer); b++) {
        offset_block *evaluated = &mixer->offsets.blocks[b];
        sinewi_block before = mixer->finish_offsets.blocks[b].captured.before;
        sinewi_move_alike(&evaluated->captured.current, &evaluated->captured.before, &before);
        evaluated->captured.current = mixer->finish_offsets.blocks[b].captured.current;
        evaluated->captured.before = before;
    }
    for (size_t b = 0; b < sinewi_mixer_weight_block_end(mixer); b++) {
        memcpy(mixer->offsets.weights[b].captured.current, mixer->finish_offsets.weights[b].captured.current,
               SINEW_LANES * sizeof(float));
    }
}

// The pose that edits are measured from, because they are a motion relative to it.
static sinewi_block make_origin(void) {
    sinewi_block origin = {.lane = {{0.0f}}};
    for (int lane = 0; lane < SINEW_LANES; lane++) origin.lane[SINEWI_RW][lane] = 1.0f;
    return origin;
}

// Replaces captured finished poses with what the program changed in the evaluated pose. This keeps moving until the
// next pose is finished.
static void keep_edits(sinew_mixer *mixer) {
    const sinewi_block origin = make_origin();
    for (size_t b = 0; b < sinewi_mixer_block_end(mixer); b++) {
        const sinewi_block *evaluated = &mixer->offsets.blocks[b].captured.current;
        offset_block *block = &mixer->finish_offsets.blocks[b];
        sinewi_move_alike(evaluated, &origin, &block->captured.current);
        sinewi_move_alike(evaluated, &origin, &block->captured.before);
    }
    for (size_t b = 0; b < sinewi_mixer_weight_block_end(mixer); b++) {
        const float *evaluated = mixer->offsets.weights[b].captured.current;
        float *weights = mixer->finish_offsets.weights[b].captured.current;
        for (int i = 0; i < SINEW_LANES; i++) weights[i] -= evaluated[i];
    }
}

void sinewi_mixer_smooth_next(sinew_mixer *mixer, int32_t layer, float duration) {
    set_pose_state *set = &mixer->state->set_pose;
    if (!mixer->def.inertialization || !mixer->state->has_advanced) return;
    if (!(duration >= SINEWI_MIN_TRANSITION_SECONDS)) return;
    bool is_first = !set->is_current || set->scope != SMOOTH_ANYTHING;
    bool is_edited = mixer->pose_is_edited && !mixer->state->finish.is_finished;
    if (!set->is_current) sinewi_mixer_capture_current(mixer);
    if (is_first) {
        if (mixer->pose_is_edited || mixer->state->finish.is_finished)
            capture_finished(mixer);
        else
            capture_evaluated(mixer);
        if (is_edited) add_edits(mixer);
        keep_edits(mixer);
        mixer->state->finish.decay.duration = 0.0f;
        mixer->state->finish.requested = 0.0f;
    }
    bool widens = set->change > 0.0f && set->layer != layer;
    sinewi_mixer_capture_root(mixer, sinewi_mixer_root_velocity(mixer));
    sinewi_mixer_note_change(mixer, duration);
    set->layer = widens ? 0 : (int8_t)layer;
    set->scope = SMOOTH_ANYTHING;
    if (duration > mixer->state->finish.requested) mixer->state->finish.requested = duration;
    mixer->is_dirty = true;
}

// ---- Finished poses ------------------------------------------------------------------------------------------

// The evaluated pose now and STEP ahead, without and with offsets.
typedef struct evaluated_motion {
    moment_mix now, then;
} evaluated_motion;

// The source is the pose evaluated now plus the captured edits. Both the source and the target move like this pose.
static void begin_finish_block(sinew_mixer *mixer, const evaluated_motion *motion, float duration, size_t b) {
    const sinewi_block origin = make_origin();
    offset_block *block = &mixer->finish_offsets.blocks[b];
    sinewi_block_change change = {.source = block->captured.current, .source_before = block->captured.before};
    sinewi_block from, to;
    sinewi_mixer_blend_block_at(mixer, &motion->then, STEP, b, &to);
    sinewi_mixer_blend_block_at(mixer, &motion->now, 0.0, b, &from);
    sinewi_mixer_add_offset_motion(mixer, 0.0, b, &from);
    sinewi_mixer_add_offset_motion(mixer, STEP, b, &to);
    sinewi_move_alike(&origin, &from, &change.source);
    sinewi_move_alike(&origin, &from, &change.source_before);
    sinewi_move_alike(&to, &from, &change.source_before);
    sinewi_mixer_read_block(mixer, b, &change.target);
    change.target_after = change.target;
    sinewi_move_alike(&from, &to, &change.target_after);
    sinewi_transition_kernels_used()->start_offsets(&change, (float)STEP, duration, &block->offsets);
    clear_other_nodes(&block->offsets, b, mixer->nodes);
}

static void begin_finish_weights(sinew_mixer *mixer, const evaluated_motion *motion, float duration, size_t b) {
    weight_offset_block *block = &mixer->finish_offsets.weights[b];
    const float *target = mixer->pose.weights + b * SINEW_LANES;
    float evaluated[SINEW_LANES];
    sinewi_weight_change change;
    sinewi_mixer_blend_weights_at(mixer, &motion->now, 0.0, b, evaluated);
    sinewi_mixer_add_weight_offset_motion(mixer, 0.0, b, evaluated);
    for (int i = 0; i < SINEW_LANES; i++) change.source[i] = evaluated[i] + block->captured.current[i];
    memcpy(change.source_before, change.source, sizeof change.source);
    memcpy(change.target, target, sizeof change.target);
    memcpy(change.target_after, target, sizeof change.target);
    sinewi_transition_kernels_used()->start_weight_offsets(&change, (float)STEP, duration, &block->offsets);
}

// Starts the offsets from the captured pose to the finished one.
static void begin_finish_offsets(sinew_mixer *mixer, float duration) {
    mixer_moment now, then;
    sinewi_mixer_gather_moment(mixer, 0.0, ALL_ACTIONS, &now);
    sinewi_mixer_gather_moment(mixer, STEP, ALL_ACTIONS, &then);
    const evaluated_motion motion = {sinewi_mixer_whole_mix(&now), sinewi_mixer_whole_mix(&then)};
    for (size_t b = 0; b < sinewi_mixer_block_end(mixer); b++) begin_finish_block(mixer, &motion, duration, b);
    for (size_t b = 0; b < sinewi_mixer_weight_block_end(mixer); b++)
        begin_finish_weights(mixer, &motion, duration, b);
    mixer->state->finish.decay = (decay_state){.duration = duration};
}

void sinewi_mixer_add_finish_offsets(sinew_mixer *mixer) {
    finish_state *finish = &mixer->state->finish;
    sinewi_mixer_refresh_pose(mixer);
    if (finish->is_finished) return;
    finish->is_finished = true;
    if (finish->requested > 0.0f) {
        begin_finish_offsets(mixer, finish->requested);
        finish->requested = 0.0f;
    }
    if (!(finish->decay.duration > 0.0f)) return;
    mixer->output = OUTPUT_NONE;
    const sinewi_transition_kernels *kernels = sinewi_transition_kernels_used();
    sinewi_planes planes = sinewi_pose_planes(&mixer->pose);
    size_t weight_blocks = sinewi_mixer_weight_block_end(mixer);
    kernels->add_offsets(&mixer->finish_offsets.blocks->offsets, (float)finish->decay.elapsed, 0,
                         sinewi_mixer_block_end(mixer), planes.plane);
    if (weight_blocks == 0) return;
    kernels->add_weight_offsets(&mixer->finish_offsets.weights->offsets, (float)finish->decay.elapsed, 0,
                                weight_blocks, mixer->pose.weights);
}

// ---- Decay ---------------------------------------------------------------------------------------------------

static void advance_decay(decay_state *decay, double dt) {
    if (!(decay->duration > 0.0f)) return;
    decay->elapsed += dt;
}

static bool has_decayed(const decay_state *decay) {
    return decay->duration > 0.0f && decay->elapsed >= (double)decay->duration;
}

void sinewi_mixer_advance_decay(sinew_mixer *mixer, double dt) {
    mixer_state *state = mixer->state;
    advance_decay(&state->extrapolation, dt);
    advance_decay(&state->offsets, dt);
    advance_decay(&state->root.decay, dt);
    advance_decay(&state->finish.decay, dt);
    if (has_decayed(&state->extrapolation)) {
        sinewi_mixer_extrapolate_held(mixer, 0.0); // to its last position
        state->extrapolation.duration = 0.0f;
    }
    if (has_decayed(&state->offsets)) state->offsets.duration = 0.0f;
    if (has_decayed(&state->root.decay)) state->root.decay.duration = 0.0f;
    if (has_decayed(&state->finish.decay)) state->finish.decay.duration = 0.0f;
}

// ---- Set poses -----------------------------------------------------------------------------------------------

// Captures the mixer's pose. The pose SINEWI_VELOCITY_SECONDS before it is at `part` of the distance to the pose set
// before. 0 means no velocity.
static void capture_set_blocks(sinew_mixer *mixer, float part) {
    for (size_t b = 0; b < sinewi_mixer_block_end(mixer); b++) {
        sinewi_block *current = &mixer->offsets.blocks[b].captured.current;
        sinewi_block *before = &mixer->offsets.blocks[b].captured.before;
        memset(mixer->offsets.blocks[b].captured.running, 0xff, sizeof mixer->offsets.blocks[b].captured.running);
        *before = *current;
        sinewi_mixer_read_block(mixer, b, current);
        if (part > 0.0f) {
            scale_motion(current, part, before);
        } else {
            *before = *current;
        }
    }
}

static void capture_set_weights(sinew_mixer *mixer, float part) {
    for (size_t b = 0; b < sinewi_mixer_weight_block_end(mixer); b++) {
        float *current = mixer->offsets.weights[b].captured.current;
        float *before = mixer->offsets.weights[b].captured.before;
        const float *now = mixer->pose.weights + b * SINEW_LANES;
        mixer->offsets.weights[b].captured.running = 0xffff;
        for (int i = 0; i < SINEW_LANES; i++) {
            before[i] = part > 0.0f ? now[i] + part * (current[i] - now[i]) : now[i];
            current[i] = now[i];
        }
    }
}

// Poses that are set in two consecutive steps have a velocity.
static void capture_set_pose(sinew_mixer *mixer) {
    set_pose_state *set = &mixer->state->set_pose;
    bool moves = set->is_kept && set->steps == 1 && set->seconds > 0.0;
    float part = moves ? (float)(SINEWI_VELOCITY_SECONDS / set->seconds) : 0.0f;
    sinewi_mixer_drop_offsets(mixer);
    capture_set_blocks(mixer, part);
    capture_set_weights(mixer, part);
    *set = (set_pose_state){.is_current = true, .is_kept = true};
}

void sinewi_mixer_adopt_pose(sinew_mixer *mixer) {
    mixer->pose_is_stale = false;
    mixer->is_evaluated = true;
    if (mixer->def.inertialization) capture_set_pose(mixer);
    if (!sinewi_mixer_base_is_visible(mixer, NULL)) sinewi_mixer_hold_set_pose(mixer);
    mixer->is_dirty = true;
    mixer->output = OUTPUT_NONE;
}

void sinewi_mixer_adopt_motion(sinew_mixer *mixer, root_velocity root) {
    sinewi_mixer_age_set_pose(mixer, STEP);
    sinewi_mixer_adopt_pose(mixer);
    mixer->state->root.captured = root;
    mixer->state->set_pose.has_root = true;
}

void sinewi_mixer_leave_set_pose(sinew_mixer *mixer) {
    if (!(mixer->state->set_pose.change > 0.0f)) return;
    sinewi_mixer_hold_captured_pose(mixer); // if the action that replaced the base has already ended
    begin_offsets(mixer, mixer->state->set_pose.change);
}

void sinewi_mixer_leave_changes(sinew_mixer *mixer) {
    if (mixer->state->set_pose.scope == SMOOTH_TRANSITION) sinewi_mixer_leave_set_pose(mixer);
}

void sinewi_mixer_age_set_pose(sinew_mixer *mixer, double dt) {
    set_pose_state *set = &mixer->state->set_pose;
    set->steps++;
    set->seconds += dt;
    if (set->steps > 1) set->is_kept = set->is_current;
}
