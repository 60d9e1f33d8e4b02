// SPDX-License-Identifier: MIT
// The pose warps in `sinew render`: --turn-legs and --stride.
#ifndef CLI_POSE_WARPS_H
#define CLI_POSE_WARPS_H

#include <sinew/all.h>

#include <stdbool.h>

typedef struct cli_pose_warps {
    sinew_orientation_warp orientation;
    sinew_stride_warp stride;
    sinew_foot feet[2];
    float angle; // radians
    float scale;
    sinew_stride_warp_state start; // with the pelvis as low as the clip needs
} cli_pose_warps;

// Finds hips, spine and legs from their roles, and the direction of travel from the clip's planted feet. `degrees`
// turns the legs to the left. If the file lacks a role or memory runs out, prints the reason and returns false. Don't
// move the warps in memory.
bool cli_pose_warps_make(cli_pose_warps *warps, const char *path, const sinew_asset *asset, const sinew_clip *clip,
                         float degrees, float scale);

// Warps a pose and updates `model`.
void cli_pose_warps_apply(const cli_pose_warps *warps, float dt, sinew_stride_warp_state *state, sinew_pose *pose,
                          sinew_affine *model);

#endif
