// The pose of a mixer as the program reads it, changes it for a frame, or sets it.
//
// A pose that was set lies where the offsets of an inertialization would, with the pose one SINEW_SEEN_SECONDS before it:
// that is what an inertialization starts from, and it is part of every snapshot.
#include "record/mixer_call.h"
#include "mixer/mixer_state.h"
#include "mixer/velocity.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// ---- Reading and changing ------------------------------------------------------------------------------------

const sinew_pose *sinew_mixer_pose(sinew_mixer *mixer) {
    assert(mixer);
    sinew_mixer_catch_up(mixer);
    return &mixer->pose;
}

sinew_pose *sinew_mixer_edit_pose(sinew_mixer *mixer) {
    assert(mixer);
    sinew_mixer_catch_up(mixer);
    mixer->pose_is_edited = true;
    return &mixer->pose;
}

const float *sinew_mixer_weights(const sinew_mixer *mixer) {
    assert(mixer);
    return mixer->pose.weights;
}

const sinew_affine *sinew_mixer_model_matrices(const sinew_mixer *mixer) {
    assert(mixer);
    return mixer->model;
}

// ---- Setting -------------------------------------------------------------------------------------------------

static sinew_range animated_weights(const sinew_mixer *mixer) {
    const int32_t *offsets = mixer->def.skeleton->weight_offsets;
    return (sinew_range){offsets[mixer->nodes.first], offsets[mixer->nodes.end]};
}

static void copy_floats(float *to, const float *from, sinew_range range) {
    memmove(to + range.first, from + range.first, (size_t)(range.end - range.first) * sizeof *to);
}

static void copy_animated(sinew_mixer *mixer, const sinew_pose *pose) {
    sinew_planes to = sinew_pose_planes(&mixer->pose), from = sinew_pose_planes(pose);
    for (int i = 0; i < SINEW_PLANES; i++) copy_floats(to.plane[i], from.plane[i], mixer->nodes);
    copy_floats(mixer->pose.weights, pose->weights, animated_weights(mixer));
}

static bool is_finite(const float *values, sinew_range range) {
    for (int32_t i = range.first; i < range.end; i++) {
        if (!isfinite(values[i])) return false;
    }
    return true;
}

static bool is_pose_finite(const sinew_mixer *mixer, const sinew_pose *pose) {
    sinew_planes planes = sinew_pose_planes(pose);
    bool finite = is_finite(pose->weights, animated_weights(mixer));
    for (int i = 0; i < SINEW_PLANES; i++) finite &= is_finite(planes.plane[i], mixer->nodes);
    return finite;
}

static void read_block(const sinew_mixer *mixer, size_t block, sinew_block *out) {
    sinew_planes planes = sinew_pose_planes(&mixer->pose);
    for (int i = 0; i < SINEW_PLANES; i++) {
        memcpy(out->lane[i], planes.plane[i] + block * SINEW_LANES, sizeof out->lane[i]);
    }
}

// Moves a block from `now` away from `before`, or towards it: by `part` of what lies between them.
static void move_back(const sinew_block *now, float part, sinew_block *before) {
    for (int lane = 0; lane < SINEW_LANES; lane++) {
        sinew_quat q = sinew_rotation_in(now, lane), turn = sinew_turn_between(sinew_rotation_in(before, lane), q);
        q = sinew_quat_multiply(sinew_rotation_exponential(sinew_scaled(sinew_rotation_logarithm(turn), part)), q);
        for (int i = 0; i < SINEW_PLANES; i++) {
            before->lane[i][lane] = now->lane[i][lane] + part * (before->lane[i][lane] - now->lane[i][lane]);
        }
        before->lane[SINEW_RX][lane] = q.x;
        before->lane[SINEW_RY][lane] = q.y;
        before->lane[SINEW_RZ][lane] = q.z;
        before->lane[SINEW_RW][lane] = q.w;
    }
}

// Keeps the pose; `part` of the way to the one that was set before it leads to where it was SINEW_SEEN_SECONDS ago, and 0
// says that it stands.
static void keep_set_blocks(sinew_mixer *mixer, float part) {
    for (size_t b = 0; b < sinew_block_count(mixer->nodes.end); b++) {
        sinew_block *source = &mixer->offsets.blocks[b].shown.source;
        sinew_block *before = &mixer->offsets.blocks[b].shown.source_before;
        *before = *source;
        read_block(mixer, b, source);
        if (part > 0.0f) {
            move_back(source, part, before);
        } else {
            *before = *source;
        }
    }
}

static void keep_set_weights(sinew_mixer *mixer, float part) {
    for (size_t b = 0; b < sinew_block_count(mixer->def.skeleton->weight_count); b++) {
        float *source = mixer->offsets.weights[b].shown.source;
        float *before = mixer->offsets.weights[b].shown.source_before;
        const float *now = mixer->pose.weights + b * SINEW_LANES;
        for (int i = 0; i < SINEW_LANES; i++) {
            before[i] = part > 0.0f ? now[i] + part * (source[i] - now[i]) : now[i];
            source[i] = now[i];
        }
    }
}

// Two poses that were set in steps one behind the other say how the pose moves.
static void keep_set(sinew_mixer *mixer) {
    set_pose_state *set = &mixer->state->set;
    bool moves = set->is_kept && set->steps == 1 && set->seconds > 0.0;
    float part = moves ? (float)(SINEW_SEEN_SECONDS / set->seconds) : 0.0f;
    sinew_mixer_drop_offsets(mixer);
    keep_set_blocks(mixer, part);
    keep_set_weights(mixer, part);
    *set = (set_pose_state){.is_current = true, .is_kept = true};
}

void sinew_mixer_hold_set(sinew_mixer *mixer) {
    held_pose *held = &mixer->held[0];
    for (size_t b = 0; b < sinew_block_count(mixer->nodes.end); b++) read_block(mixer, b, &held->blocks[b]);
    copy_floats(held->weights, mixer->pose.weights, animated_weights(mixer));
    mixer->layers[0].held_is_sum = false;
    mixer->state->moving.duration = 0.0f;
    mixer->is_touched = true;
}

void sinew_mixer_set_pose(sinew_mixer *mixer, const sinew_pose *pose) {
    assert(mixer);
    bool fits = pose && pose->skeleton == mixer->def.skeleton;
    assert(fits && "the pose is NULL, or of another skeleton");
    if (!fits || !is_pose_finite(mixer, pose)) return; // before it is recorded: a replay refuses it
    if (mixer->recorder) sinew_note(mixer, (mixer_call){.kind = CALL_SET_POSE, .pose = pose});
    if (pose != &mixer->pose) copy_animated(mixer, pose);
    mixer->pose_is_behind = false;
    if (mixer->def.inertialization) keep_set(mixer);
    if (!sinew_mixer_base_shows(mixer, NULL)) sinew_mixer_hold_set(mixer);
    mixer->is_touched = true;
    mixer->shown_as = SHOWN_NOT_AT_ALL;
}

void sinew_mixer_start_from_set(sinew_mixer *mixer, float duration) {
    set_pose_state *set = &mixer->state->set;
    if (set->is_current && duration >= SINEW_SHORTEST_CHANGE && duration > set->change) set->change = duration;
}

void sinew_mixer_leave_set(sinew_mixer *mixer) {
    if (mixer->state->set.change > 0.0f) sinew_mixer_inertialize(mixer, mixer->state->set.change);
}

void sinew_mixer_age_set(sinew_mixer *mixer, double dt) {
    set_pose_state *set = &mixer->state->set;
    set->steps++;
    set->seconds += dt;
    if (set->steps > 1) set->is_kept = set->is_current;
}
