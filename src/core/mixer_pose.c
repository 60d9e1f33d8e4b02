// SPDX-License-Identifier: MIT
// The public functions of mixer_pose.h, and functions that replays and the animator call to set poses.
#include <sinew/mixer_pose.h>

#include "core/mixer_checks.h"
#include "core/mixer_interface.h"

#include <string.h>

// ---- A frame in parts ----------------------------------------------------------------------------------------

void sinew_mixer_advance(sinew_mixer *mixer, float dt) {
    assert(mixer);
    if (SINEWI_MIXER_IS_IDLE(mixer, "sinew_mixer_advance")) sinewi_mixer_step(mixer, dt);
}

void sinew_mixer_evaluate(sinew_mixer *mixer) {
    assert(mixer);
    SINEWI_NOTE_CALL(mixer, .kind = CALL_EVALUATE);
    sinewi_mixer_leave_set_pose(mixer);
    sinewi_mixer_evaluate_pose(mixer);
}

void sinew_mixer_to_model(sinew_mixer *mixer) {
    assert(mixer);
    SINEWI_NOTE_CALL(mixer, .kind = CALL_TO_MODEL);
    sinewi_mixer_compute_model(mixer);
}

sinew_affine *sinew_mixer_edit_model(sinew_mixer *mixer) {
    sinew_mixer_to_model(mixer);
    mixer->output = OUTPUT_KEPT;
    return mixer->model;
}

bool sinewi_mixer_is_evaluated(const sinew_mixer *mixer) {
    assert(mixer);
    return mixer->is_evaluated;
}

sinew_pose *sinew_mixer_edit_pose(sinew_mixer *mixer) {
    assert(mixer);
    sinewi_mixer_refresh_pose(mixer);
    mixer->pose_is_edited = true;
    return &mixer->pose;
}

// ---- Setting the pose ----------------------------------------------------------------------------------------

static void copy_floats(float *to, const float *from, sinewi_range range) {
    memmove(to + range.first, from + range.first, (size_t)(range.end - range.first) * sizeof *to);
}

// Copies the nodes that the mixer animates, their morph weights, and all curves.
static void copy_animated(sinew_mixer *mixer, const sinew_pose *pose) {
    mixer->output = OUTPUT_NONE;
    sinewi_planes to = sinewi_pose_planes(&mixer->pose), from = sinewi_pose_planes(pose);
    for (int i = 0; i < SINEWI_PLANES; i++) copy_floats(to.plane[i], from.plane[i], mixer->nodes);
    copy_floats(mixer->pose.weights, pose->weights, sinewi_mixer_animated_weights(mixer));
    copy_floats(mixer->pose.weights, pose->weights, sinewi_mixer_curve_range(mixer));
}

static bool is_finite(const float *values, sinewi_range range) {
    for (int32_t i = range.first; i < range.end; i++) {
        if (!isfinite(values[i])) return false;
    }
    return true;
}

static bool is_pose_finite(const sinew_mixer *mixer, const sinew_pose *pose) {
    sinewi_planes planes = sinewi_pose_planes(pose);
    bool finite = is_finite(pose->weights, sinewi_mixer_animated_weights(mixer)) &&
                  is_finite(pose->weights, sinewi_mixer_curve_range(mixer));
    for (int i = 0; i < SINEWI_PLANES; i++) finite &= is_finite(planes.plane[i], mixer->nodes);
    return finite;
}

void sinew_mixer_set_pose(sinew_mixer *mixer, const sinew_pose *pose) {
    assert(mixer);
    bool fits = pose && pose->skeleton == mixer->def.skeleton;
    assert(fits && "the pose is NULL or belongs to a different skeleton");
    if (!fits || !is_pose_finite(mixer, pose)) return; // don't record it, because a replay would reject it
    SINEWI_NOTE_CALL(mixer, .kind = CALL_SET_POSE, .pose = pose);
    if (pose != &mixer->pose) copy_animated(mixer, pose);
    sinewi_mixer_adopt_pose(mixer);
    sinewi_mixer_choose_sides(mixer);
}

void sinewi_mixer_set_next_pose(sinew_mixer *mixer, const sinew_pose *pose, root_velocity root) {
    if (!is_pose_finite(mixer, pose)) return;
    SINEWI_NOTE_CALL(mixer, .kind = CALL_SET_NEXT_POSE, .pose = pose, .root = root);
    copy_animated(mixer, pose);
    sinewi_mixer_adopt_motion(mixer, root);
    sinewi_mixer_choose_sides(mixer);
}

void sinewi_mixer_adopt(sinew_mixer *mixer, sinew_mixer *other) {
    assert(mixer && other && mixer != other && mixer->def.skeleton == other->def.skeleton);
    if (mixer == other || mixer->def.skeleton != other->def.skeleton) return;
    sinewi_mixer_write_before(other, mixer);
    sinew_mixer_set_pose(mixer, &mixer->pose);
    sinewi_mixer_set_next_pose(mixer, sinew_mixer_pose(other), sinewi_mixer_root_velocity(other));
}

// ---- Smooth changes-------------------------------------------------------------------------------------------

void sinew_mixer_inertialize(sinew_mixer *mixer, int32_t layer, float duration) {
    assert(mixer);
    const bool is_all = layer == SINEW_ALL_LAYERS;
    if (!is_all && !sinewi_check_upper_layer(mixer, layer)) return;
    duration = sinewi_checked_duration(duration);
    SINEWI_NOTE_CALL(mixer, .kind = is_all ? CALL_INERTIALIZE : CALL_LAYER_INERTIALIZE, .layer = is_all ? 0 : layer,
                     .x = duration);
    sinewi_mixer_smooth_next(mixer, is_all ? 0 : layer, duration);
}

void sinew_mixer_finish_pose(sinew_mixer *mixer) {
    assert(mixer);
    SINEWI_NOTE_CALL(mixer, .kind = CALL_FINISH_POSE);
    sinewi_mixer_add_finish_offsets(mixer);
    if (mixer->output != OUTPUT_KEPT) sinewi_mixer_compute_model(mixer);
}
