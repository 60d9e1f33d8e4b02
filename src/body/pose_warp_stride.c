// SPDX-License-Identifier: MIT
// Stride warping: scales a clip's steps along the direction of travel (sinew/body/pose_warp.h).
#include <sinew/body/pose_warp.h>

#include "body/feet_data.h"
#include "body/ik_math.h"
#include "base/def_cookie.h"
#include "base/finite.h"
#include "base/critical_spring.h"

#include <assert.h>

sinew_stride_warp sinew_stride_warp_default(void) {
    return (sinew_stride_warp){
        .pelvis = SINEW_NO_NODE,
        .up = {0, 1, 0},
        .direction = {0, 0, 1},
        .min_scale = 0.5f,
        .max_scale = 1.5f,
        .pelvis_time = 0.1f,
        .weight = 1.0f,
        .cookie = SINEWI_DEF_COOKIE,
    };
}

static float limit_scale(const sinew_stride_warp *warp, float scale) {
    if (isnan(scale)) return 1.0f;
    return scale < warp->min_scale ? warp->min_scale : scale > warp->max_scale ? warp->max_scale : scale;
}

// A leg never extends beyond this fraction of its length, or beyond its extension in the pose if that is longer.
static const float stretched = 0.98f;

// Seconds. Time constant of the pelvis rising back between steps.
static const double held_seconds = 2.0;

// Scales a foot's distance from the origin along the direction of travel.
static sinew_vec3 scale_foot(const sinew_stride_warp *warp, sinew_vec3 direction, float scale, sinew_vec3 foot) {
    float along = ik_dot(ik_subtract(foot, warp->origin), direction);
    return ik_add(foot, ik_scale(direction, along * (scale - 1.0f)));
}

// How far a leg's hip must sink for the foot to reach its goal. Negative if there is slack.
static float needed_drop(const sinew_stride_warp *warp, const sinew_foot *foot, sinew_vec3 goal,
                         const sinew_affine *model) {
    sinew_vec3 hip = ik_position(&model[foot->leg.upper]), knee = ik_position(&model[foot->leg.lower]);
    sinew_vec3 ankle = ik_position(&model[foot->leg.end]), to_goal = ik_subtract(goal, hip);
    float length = ik_length(ik_subtract(knee, hip)) + ik_length(ik_subtract(ankle, knee));
    float reach = ik_length(ik_subtract(ankle, hip));
    if (reach < stretched * length) reach = stretched * length;
    float along = ik_dot(to_goal, warp->up), level2 = ik_dot(to_goal, to_goal) - along * along;
    float square = reach * reach - level2;
    return -along - (square > 0.0f ? sqrtf(square) : 0.0f);
}

// Advances the state: holds the legs' largest need, and moves the pelvis towards it. Following the need of each moment
// would make the pelvis bob with every step, because a running leg is stretched for only a few hundredths of a second.
static void advance_pelvis(const sinew_stride_warp *warp, float change, float dt, const sinew_vec3 *goals,
                           const sinew_affine *model, sinew_stride_warp_state *state) {
    double needed = (double)state->needed * sinewi_decay((double)dt / held_seconds);
    float was = fabsf(state->change), is = fabsf(change);
    if (is < was) needed *= (double)(is / was);
    for (int32_t i = 0; i < warp->foot_count && change != 0.0f; i++) {
        double need = (double)needed_drop(warp, &warp->feet[i], goals[i], model);
        if (need > needed) needed = need;
    }
    double lowered = (double)state->lowered, velocity = (double)state->velocity;
    if (warp->pelvis_time > 0.0f) {
        double pull = 1.0 / (double)warp->pelvis_time, step = (double)dt;
        sinewi_critical_spring spring = {
            .pull = pull, .dt = step, .decay = sinewi_decay(pull * step), .near = 1e-5};
        sinewi_critical_spring_follow(&spring, needed, &lowered, &velocity);
    } else {
        lowered = needed, velocity = 0.0;
    }
    *state = (sinew_stride_warp_state){change, (float)needed, (float)lowered, (float)velocity};
}

static void lower_pelvis(const sinew_stride_warp *warp, float drop, sinew_pose *pose, sinew_affine *model) {
    int32_t node = warp->pelvis;
    ik_matrix into = ik_to_local(model, pose->skeleton->parents[node]);
    sinew_vec3 by = ik_scale(ik_transform(into, warp->up), -drop / into.determinant);
    if (!sinewi_vec3_is_finite(by)) return;
    pose->tx[node] += by.x, pose->ty[node] += by.y, pose->tz[node] += by.z;
    sinew_pose_to_model_below(pose, node, model);
}

static void solve_leg(const sinew_foot *foot, sinew_vec3 goal, sinew_quat rotation, sinew_pose *pose,
                      sinew_affine *model) {
    sinew_ik_two_bone limb = foot->leg;
    limb.target = goal;
    limb.weight = 1.0f;
    limb.end_mode = SINEW_IK_LIMB_END_ROTATE;
    limb.end_rotation = rotation;
    sinew_ik_two_bone_solve(&limb, pose, model);
    sinew_pose_to_model_below(pose, limb.upper, model);
}

static bool is_defined(const sinew_stride_warp *warp) {
    if (!SINEWI_IS_DEF(warp, "sinew_stride_warp: start from sinew_stride_warp_default()")) return false;
    assert(warp->foot_count >= 0 && warp->foot_count <= SINEW_MAX_FEET && (warp->feet || warp->foot_count == 0));
    return sinewi_feet_have_legs(warp->feet, warp->foot_count);
}

// Writes the horizontal part of the direction of travel. Returns false if there is none.
static bool find_direction(const sinew_stride_warp *warp, sinew_vec3 *direction) {
    sinew_vec3 level = ik_reject(warp->direction, warp->up);
    if (ik_is_parallel(warp->direction, level)) return false;
    *direction = ik_normalize(level);
    return sinewi_vec3_is_finite(*direction);
}

void sinew_stride_warp_solve(const sinew_stride_warp *warp, float scale, float dt, sinew_stride_warp_state *state,
                             sinew_pose *pose, sinew_affine *model) {
    assert(warp && state && pose && model && dt >= 0.0f && isfinite(dt));
    sinew_vec3 direction, goals[SINEW_MAX_FEET];
    sinew_quat rotations[SINEW_MAX_FEET];
    if (!is_defined(warp) || !find_direction(warp, &direction)) return;
    float change = ik_clamp01(warp->weight) * (limit_scale(warp, scale) - 1.0f);
    for (int32_t i = 0; i < warp->foot_count; i++) {
        const sinew_affine *joint = &model[warp->feet[i].leg.end];
        goals[i] = scale_foot(warp, direction, 1.0f + change, ik_position(joint));
        if (!sinewi_vec3_is_finite(goals[i])) return;
        rotations[i] = sinew_affine_decompose(*joint).rotation;
    }
    bool has_pelvis = warp->pelvis != SINEW_NO_NODE;
    if (has_pelvis) advance_pelvis(warp, change, dt, goals, model, state);
    bool is_lowered = has_pelvis && state->lowered != 0.0f;
    if (change == 0.0f && !is_lowered) return;
    if (is_lowered) lower_pelvis(warp, state->lowered, pose, model);
    for (int32_t i = 0; i < warp->foot_count; i++) solve_leg(&warp->feet[i], goals[i], rotations[i], pose, model);
}
