// SPDX-License-Identifier: MIT
// Limits of joints, and the nearest rotation within them (sinew/body/ik_chain.h, sinew_ik_limit).
//
// A local rotation q is rest × r. For a hinge r is a rotation about the joint's axis. Otherwise r is split into a swing,
// about a line perpendicular to the axis, after a twist about it. A twist with the half angle's sine s and cosine c >= 0
// has the order of its angle by s / c, so angles are compared, and clamped, without trigonometry.
#ifndef SINEWI_IK_CHAIN_LIMIT_H
#define SINEWI_IK_CHAIN_LIMIT_H

#include <sinew/body/ik_chain.h>

#include "body/ik_math.h"

#include <stdint.h>

// The sine and cosine of half an angle.
typedef struct ik_half_angle {
    float sine, cosine;
} ik_half_angle;

// A joint's limits in the form that the solvers use.
typedef struct ik_limit {
    sinew_ik_limit_kind kind;
    sinew_quat rest;
    sinew_vec3 axis;           // unit, in the node's local space
    sinew_vec3 axis_in_parent; // the same in the rest rotation, in the local space of the node's parent
    bool limits_swing, limits_twist;
    ik_half_angle cone, least, most;
} ik_limit;

// Which limits a rotation is at.
enum { IK_AT_CONE = 1, IK_AT_LEAST = 2, IK_AT_MOST = 4 };

// The limits of a joint; SINEW_IK_LIMIT_FREE if the definition has a number that is not finite or an axis of length 0.
ik_limit sinewi_ik_limit_from(const sinew_ik_limit *def);

// Moves a unit rotation to within the limits. Returns the limits that it is at.
int sinewi_ik_limit_apply(const ik_limit *limit, sinew_quat *rotation);

// A rotation within the limits, chosen by three numbers from 0 to 1. For a free joint it is the given rotation, rotated
// by up to a radian.
sinew_quat sinewi_ik_limit_choose(const ik_limit *limit, sinew_quat rotation, float u, float v, float w);

#endif
