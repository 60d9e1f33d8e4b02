// SPDX-License-Identifier: MIT
// The pose warps in `sinew render`: turn a humanoid's legs and scale its stride.
#include "cli/pose_warps.h"

#include "cli/cli.h"

#include <stdlib.h>

static bool find_roles(const char *path, const sinew_asset *asset, sinew_humanoid *roles) {
    sinew_error error;
    if (sinew_humanoid_find(asset, NULL, roles, NULL, &error) == SINEW_OK) return true;
    cli_fail("%s: %s", path, error.message);
    return false;
}

static sinew_vec3 up_of(const sinew_asset *asset) {
    return asset->up == SINEW_UP_Z ? (sinew_vec3){0.0f, 0.0f, 1.0f} : (sinew_vec3){0.0f, 1.0f, 0.0f};
}

static void find_spine(const sinew_humanoid *roles, sinew_orientation_warp *warp) {
    for (int32_t role = SINEW_HUMANOID_SPINE; role <= SINEW_HUMANOID_UPPER_CHEST; role++) {
        if (roles->nodes[role] != SINEW_NO_NODE) warp->spine[warp->spine_count++] = roles->nodes[role];
    }
}

static void find_feet(const sinew_asset *asset, const sinew_humanoid *roles, sinew_foot feet[2]) {
    static const int32_t first[2] = {SINEW_HUMANOID_LEFT_UPPER_LEG, SINEW_HUMANOID_RIGHT_UPPER_LEG};
    for (int i = 0; i < 2; i++) {
        const int32_t *leg = &roles->nodes[first[i]]; // upper leg, lower leg, foot, toes
        feet[i] = sinew_foot_from_rest(asset->skeleton, leg[0], leg[1], leg[2], leg[3], up_of(asset));
    }
}

// Returns the direction that the clip moves over the ground, or forward if it doesn't move.
static sinew_vec3 travel_of(const sinew_asset *asset, const sinew_clip *clip) {
    sinew_feet feet;
    sinew_clip_speed speed;
    bool moves = clip && sinew_feet_find(asset->skeleton, asset->up, &feet, NULL) == SINEW_OK &&
                 sinew_clip_measure_speed(clip, &feet, &speed) && speed.gait == SINEW_GAIT_MOVES;
    if (moves) return speed.velocity;
    return asset->up == SINEW_UP_Z ? (sinew_vec3){0.0f, -1.0f, 0.0f} : (sinew_vec3){0.0f, 0.0f, 1.0f};
}

static void turn_legs(const cli_pose_warps *warps, sinew_pose *pose, sinew_affine *model) {
    sinew_orientation_warp_state state = {0};
    sinew_orientation_warp_solve(&warps->orientation, warps->angle, 0.0f, &state, pose, model);
}

enum { SETTLE_SAMPLES = 64 };

// Lowers the pelvis as far as the clip ever needs, so the first frame looks like the others.
static bool settle(cli_pose_warps *warps, const sinew_clip *clip) {
    if (!clip) return true;
    sinew_pose *pose = NULL;
    sinew_affine *model = malloc((size_t)clip->skeleton->node_count * sizeof *model);
    bool good = model && sinew_pose_create(clip->skeleton, NULL, &pose) == SINEW_OK;
    sinew_stride_warp at_once = warps->stride;
    at_once.pelvis_time = 0.0f;
    for (int i = 0; i < SETTLE_SAMPLES && good; i++) {
        sinew_clip_sample(clip, clip->duration * (float)i / SETTLE_SAMPLES, pose);
        sinew_pose_to_model(pose, model);
        turn_legs(warps, pose, model);
        sinew_stride_warp_solve(&at_once, warps->scale, 0.0f, &warps->start, pose, model);
    }
    sinew_pose_destroy(pose);
    free(model);
    if (!good) cli_fail("out of memory");
    return good;
}

bool cli_pose_warps_make(cli_pose_warps *warps, const char *path, const sinew_asset *asset, const sinew_clip *clip,
                         float degrees, float scale) {
    sinew_humanoid roles;
    if (!find_roles(path, asset, &roles)) return false;
    *warps = (cli_pose_warps){.orientation = sinew_orientation_warp_default(),
                              .stride = sinew_stride_warp_default(),
                              .angle = degrees * 3.14159265f / 180.0f,
                              .scale = scale};
    warps->orientation.settle_time = 0.0f;
    warps->orientation.up = warps->stride.up = up_of(asset);
    warps->orientation.hips = warps->stride.pelvis = roles.nodes[SINEW_HUMANOID_HIPS];
    find_spine(&roles, &warps->orientation);
    find_feet(asset, &roles, warps->feet);
    warps->stride.feet = warps->feet;
    warps->stride.foot_count = 2;
    const sinew_quat turn = sinew_quat_from_axis_angle(up_of(asset), warps->angle);
    warps->stride.direction = sinew_quat_rotate(turn, travel_of(asset, clip));
    return settle(warps, clip);
}

void cli_pose_warps_apply(const cli_pose_warps *warps, float dt, sinew_stride_warp_state *state, sinew_pose *pose,
                          sinew_affine *model) {
    turn_legs(warps, pose, model);
    sinew_stride_warp_solve(&warps->stride, warps->scale, dt, state, pose, model);
}
