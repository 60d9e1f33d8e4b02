// SPDX-License-Identifier: MIT
// The gaze (VRMC_vrm 1.0, lookAt.md): angles to a target, and their effect on eyes and expressions.
#include <sinew/humanoid/vrm.h>

#include "base/angle.h"
#include "base/finite.h"
#include "base/float_rules.h"

#include <assert.h>

// The gaze along a direction. `forward` and `up` are perpendicular unit vectors, where yaw and pitch are 0.
static sinew_vrm_gaze gaze_along(sinew_vec3 direction, sinew_vec3 forward, sinew_vec3 up) {
    double left = (double)sinew_vec3_dot(direction, sinew_vec3_cross(up, forward));
    double ahead = (double)sinew_vec3_dot(direction, forward), above = (double)sinew_vec3_dot(direction, up);
    double level = sqrt(left * left + ahead * ahead);
    return (sinew_vrm_gaze){(float)sinewi_angle(ahead, left), (float)sinewi_angle(level, -above)};
}

sinew_vrm_gaze sinew_vrm_gaze_at(const sinew_vrm *vrm, const sinew_affine *model, sinew_vec3 target) {
    assert(vrm && model);
    const sinew_vrm_look_at *look = &vrm->look_at;
    if (look->head == SINEW_NO_NODE) return (sinew_vrm_gaze){0.0f, 0.0f};
    sinew_affine to_head = sinew_affine_inverse(model[look->head]);
    if (!sinewi_affine_is_finite(&to_head)) return (sinew_vrm_gaze){0.0f, 0.0f};
    sinew_vec3 direction = sinew_vec3_subtract(sinew_affine_point(to_head, target), look->offset);
    return gaze_along(sinew_vec3_normalize(direction), look->forward, look->up);
}

// ---- Applying ------------------------------------------------------------------------------------------------

// A range's output for the absolute value of an angle.
static float map_angle(sinew_vrm_range range, float angle) {
    float size = angle < 0.0f ? -angle : angle;
    float part = size < range.input_max ? size / range.input_max : 1.0f;
    return part * range.output;
}

static float map_pitch(const sinew_vrm_look_at *look, float pitch) {
    return pitch > 0.0f ? map_angle(look->vertical_down, pitch) : -map_angle(look->vertical_up, pitch);
}

// Sets an eye's rotation. `to_left` and `to_right` are its yaw ranges.
static void turn_eye(const sinew_vrm_look_at *look, const sinew_vrm_eye *eye, sinew_vrm_range to_left,
                     sinew_vrm_range to_right, sinew_vrm_gaze gaze, sinew_pose *pose) {
    if (eye->node == SINEW_NO_NODE) return;
    float yaw = gaze.yaw > 0.0f ? map_angle(to_left, gaze.yaw) : -map_angle(to_right, gaze.yaw);
    sinew_quat turn = sinew_quat_multiply(sinew_quat_from_axis_angle(eye->up, yaw),
                                          sinew_quat_from_axis_angle(eye->left, map_pitch(look, gaze.pitch)));
    sinew_quat q = sinew_quat_normalize(sinew_quat_multiply(turn, pose->skeleton->rest[eye->node].rotation));
    pose->rx[eye->node] = q.x, pose->ry[eye->node] = q.y, pose->rz[eye->node] = q.z, pose->rw[eye->node] = q.w;
}

static void set_weight(const sinew_vrm *vrm, sinew_vrm_preset preset, float weight, float *weights) {
    int32_t expression = vrm->expression_of_preset[preset];
    if (expression != SINEW_NO_EXPRESSION) weights[expression] = weight;
}

// Of two opposite expressions, one gets the angle's weight and the other 0.
static void set_weights(const sinew_vrm *vrm, sinew_vrm_gaze gaze, float *weights) {
    const sinew_vrm_look_at *look = &vrm->look_at;
    float side = map_angle(look->horizontal_outer, gaze.yaw);
    set_weight(vrm, SINEW_VRM_PRESET_LOOK_LEFT, gaze.yaw > 0.0f ? side : 0.0f, weights);
    set_weight(vrm, SINEW_VRM_PRESET_LOOK_RIGHT, gaze.yaw > 0.0f ? 0.0f : side, weights);
    float down = map_angle(look->vertical_down, gaze.pitch), up = map_angle(look->vertical_up, gaze.pitch);
    set_weight(vrm, SINEW_VRM_PRESET_LOOK_DOWN, gaze.pitch > 0.0f ? down : 0.0f, weights);
    set_weight(vrm, SINEW_VRM_PRESET_LOOK_UP, gaze.pitch > 0.0f ? 0.0f : up, weights);
}

void sinew_vrm_gaze_apply(const sinew_vrm *vrm, sinew_vrm_gaze gaze, sinew_pose *pose, float *weights) {
    assert(vrm);
    const sinew_vrm_look_at *look = &vrm->look_at;
    if (look->type == SINEW_VRM_LOOK_AT_EXPRESSION) {
        assert(weights || vrm->expression_count == 0);
        set_weights(vrm, gaze, weights);
    } else if (look->type == SINEW_VRM_LOOK_AT_BONE) {
        assert(pose && pose->skeleton == vrm->skeleton);
        turn_eye(look, &look->left_eye, look->horizontal_outer, look->horizontal_inner, gaze, pose);
        turn_eye(look, &look->right_eye, look->horizontal_inner, look->horizontal_outer, gaze, pose);
    }
}

// ---- Animations ----------------------------------------------------------------------------------------------

// The rotation is Euler angles in the order yaw, pitch, roll about the turned axes (ZXY about fixed ones). So yaw and
// pitch alone give its forward direction.
sinew_vrm_gaze sinew_vrm_track_gaze(const sinew_vrm *vrm, const sinew_pose *pose) {
    assert(vrm && pose && pose->skeleton == vrm->skeleton);
    int32_t node = vrm->animation.gaze_node;
    if (node == SINEW_NO_NODE) return (sinew_vrm_gaze){0.0f, 0.0f};
    sinew_quat q = {pose->rx[node], pose->ry[node], pose->rz[node], pose->rw[node]};
    bool z_up = vrm->up == SINEW_UP_Z;
    sinew_vec3 forward = {0.0f, z_up ? -1.0f : 0.0f, z_up ? 0.0f : 1.0f};
    sinew_vec3 up = {0.0f, z_up ? 0.0f : 1.0f, z_up ? 1.0f : 0.0f};
    return gaze_along(sinew_quat_rotate(q, forward), forward, up);
}
