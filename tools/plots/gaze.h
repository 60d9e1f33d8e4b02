// SPDX-License-Identifier: MIT
// gaze.h - the gaze in docs/howto/ik.md: the hero's chest, neck and head turn to a target.
#ifndef PLOTS_GAZE_H
#define PLOTS_GAZE_H

#include <sinew/all.h>

enum { GAZE_NODES = 3 };

typedef struct gaze {
    sinew_ik_aim aims[GAZE_NODES]; ///< chest, neck, head
    sinew_ik_aim_state states[GAZE_NODES];
} gaze;

/// The program ends if the hero lacks a node.
gaze gaze_make(const sinew_skeleton *skeleton);

/// Turns the nodes to a target in model space at once. The model matrices must be current, and are afterwards.
void gaze_solve(gaze *g, sinew_vec3 target, sinew_pose *pose, sinew_affine *model);

/// Like gaze_solve, but smoothed, `dt` seconds after the previous call.
void gaze_follow(gaze *g, sinew_vec3 target, float dt, sinew_pose *pose, sinew_affine *model);

/// Returns a target on a 2 m circle around the hero, `degrees` from straight ahead to the hero's left.
sinew_vec3 gaze_target(double degrees, double height);

#endif
