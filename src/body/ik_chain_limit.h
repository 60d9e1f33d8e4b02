// SPDX-License-Identifier: MIT
// Joint limits, and the nearest rotation within them (sinew/body/ik_chain.h, sinew_ik_limit).
//
// A local rotation q is rest × r. For a hinge, r is a rotation about the joint's axis. Otherwise r splits into a twist
// about the axis, then a swing about a line perpendicular to it. For a half angle with sine s and cosine c >= 0, s / c
// grows with the angle. So angles are compared and clamped without trigonometry.
#ifndef SINEWI_IK_CHAIN_LIMIT_H
#define SINEWI_IK_CHAIN_LIMIT_H

#include <sinew/body/ik_chain.h>

#include "body/ik_math.h"

#include <stdint.h>

// Sine and cosine of half an angle.
typedef struct ik_half_angle {
    float sine, cosine;
} ik_half_angle;

// A joint's limits in the form that the solvers need.
typedef struct ik_limit {
    sinew_ik_limit_kind kind;
    sinew_quat rest;
    sinew_vec3 axis;           // unit length, in the node's local space
    sinew_vec3 axis_in_parent; // the same at rest, in the local space of the node's parent
    bool limits_swing, limits_twist;
    ik_half_angle cone, least, most;
} ik_limit;

// The limits that a rotation touches.
enum { IK_AT_CONE = 1, IK_AT_LEAST = 2, IK_AT_MOST = 4 };

// Converts a joint's limits. Returns SINEW_IK_LIMIT_FREE if a number isn't finite or the axis has zero length.
ik_limit sinewi_ik_limit_from(const sinew_ik_limit *def);

// Moves a unit rotation to within the limits. Returns the limits that it touches.
int sinewi_ik_limit_apply(const ik_limit *limit, sinew_quat *rotation);

// Chooses a rotation within the limits by three numbers from 0 to 1. For a free joint, it rotates the given rotation
// by up to a radian.
sinew_quat sinewi_ik_limit_choose(const ik_limit *limit, sinew_quat rotation, float u, float v, float w);

#endif
