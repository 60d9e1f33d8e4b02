// SPDX-License-Identifier: MIT
// Orientation warping: rotates the hips to the direction of travel and the spine back (sinew/body/pose_warp.h).
//
// All rotations are about one axis in model space, `up`, so they commute. If a node should rotate by a in total and its
// ancestors rotate by b, it rotates by a - b about that axis. The axis in the parent's local space stays the same when
// the ancestors rotate.
#include <sinew/body/pose_warp.h>

#include "body/ik_math.h"
#include "base/angle.h"
#include "base/def_cookie.h"
#include "base/critical_spring.h"

#include <assert.h>

sinew_orientation_warp sinew_orientation_warp_default(void) {
    return (sinew_orientation_warp){
        .hips = SINEW_NO_NODE,
        .up = {0, 1, 0},
        .limit = 1.57079633f,
        .settle_time = 0.1f,
        .weight = 1.0f,
        .cookie = SINEWI_DEF_COOKIE,
    };
}

float sinew_orientation_warp_angle(sinew_vec3 clip_direction, sinew_vec3 direction, sinew_vec3 up) {
    sinew_vec3 from = ik_reject(clip_direction, up), to = ik_reject(direction, up);
    if (ik_is_parallel(clip_direction, from) || ik_is_parallel(direction, to)) return 0.0f;
    float cosine = ik_dot(from, to), sine = ik_dot(up, ik_cross(from, to));
    return isfinite(cosine) && isfinite(sine) ? (float)sinewi_angle((double)cosine, (double)sine) : 0.0f;
}

// Rotates a node by an angle about a model-space axis. No-op if the axis has no direction in the parent's local space.
static void rotate_about(sinew_vec3 axis, float angle, int32_t node, sinew_pose *pose, const sinew_affine *model) {
    ik_matrix into = ik_to_local(model, pose->skeleton->parents[node]);
    sinewi_sine_cosine half = sinewi_sine_cosine_of(0.5 * (double)angle);
    sinew_quat by = ik_axis_quat(ik_normalize(ik_transform(into, axis)), (float)half.sine, (float)half.cosine);
    sinew_quat q = ik_multiply(by, ik_get_rotation(pose, node));
    float square = ik_quat_square(q);
    if (ik_is_normalizable(square)) ik_set_rotation(pose, node, ik_quat_scale_to_unit(q, square), 1.0f);
}

static bool is_chain(const sinew_orientation_warp *warp, const sinew_skeleton *skeleton) {
    int32_t above = warp->hips;
    if (above < 0 || above >= skeleton->node_count) return false;
    if (warp->spine_count < 0 || warp->spine_count > SINEW_MAX_SPINE_NODES) return false;
    for (int32_t i = 0; i < warp->spine_count; i++) {
        if (!ik_is_descendant(skeleton, warp->spine[i], above)) return false;
        above = warp->spine[i];
    }
    return true;
}

// Clamps an angle to the limit. Returns 0 if it isn't finite.
static float limit_angle(const sinew_orientation_warp *warp, float angle) {
    const float largest = 3.1f;
    float limit = warp->limit < largest ? warp->limit : largest;
    if (!isfinite(angle) || !(limit > 0.0f)) return 0.0f;
    return angle > limit ? limit : angle < -limit ? -limit : angle;
}

// Moves the state's angle towards the goal.
static void follow(const sinew_orientation_warp *warp, float goal, float dt, sinew_orientation_warp_state *state) {
    if (!(warp->settle_time > 0.0f) || !isfinite(dt)) {
        *state = (sinew_orientation_warp_state){goal, 0.0f};
        return;
    }
    double angle = (double)state->angle, velocity = (double)state->velocity;
    double pull = 1.0 / (double)warp->settle_time, step = (double)dt;
    sinewi_critical_spring spring = {.pull = pull, .dt = step, .decay = sinewi_decay(pull * step), .near = 1e-5};
    sinewi_critical_spring_follow(&spring, (double)goal, &angle, &velocity);
    *state = (sinew_orientation_warp_state){(float)angle, (float)velocity};
}

void sinew_orientation_warp_solve(const sinew_orientation_warp *warp, float angle, float dt,
                                  sinew_orientation_warp_state *state, sinew_pose *pose, sinew_affine *model) {
    assert(warp && state && pose && model && dt >= 0.0f);
    if (!SINEWI_IS_DEF(warp, "sinew_orientation_warp: start from sinew_orientation_warp_default()")) return;
    bool valid = is_chain(warp, pose->skeleton);
    assert(valid);
    follow(warp, limit_angle(warp, angle), dt, state);
    float turn = limit_angle(warp, state->angle) * ik_clamp01(warp->weight);
    if (!valid || turn == 0.0f) return;
    // Rotate the spine first, because its axes come from the matrices before the hips move them.
    float back = warp->spine_count > 0 ? -turn / (float)warp->spine_count : 0.0f;
    for (int32_t i = 0; i < warp->spine_count; i++) rotate_about(warp->up, back, warp->spine[i], pose, model);
    rotate_about(warp->up, turn, warp->hips, pose, model);
    sinew_pose_to_model_below(pose, warp->hips, model);
}
