// SPDX-License-Identifier: MIT
// gaze.h - the gaze of docs/howto/ik.md: chest, neck and head of the hero turn to a target.
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

/// Turns the nodes to a target in model space, at once. The model matrices are current before and after.
void gaze_solve(gaze *g, sinew_vec3 target, sinew_pose *pose, sinew_affine *model);

/// The same, smoothed, `dt` seconds after the previous call.
void gaze_follow(gaze *g, sinew_vec3 target, float dt, sinew_pose *pose, sinew_affine *model);

/// A target on a circle of 2 m around the hero: `degrees` from straight ahead to the hero's left.
sinew_vec3 gaze_target(double degrees, double height);

#endif
