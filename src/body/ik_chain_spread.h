// SPDX-License-Identifier: MIT
// The solver of spread aims for sinew_ik_solve (sinew/body/ik_chain.h, sinew_ik_spread).
#ifndef SINEWI_IK_CHAIN_SPREAD_H
#define SINEWI_IK_CHAIN_SPREAD_H

#include <sinew/body/ik.h>

// Rotates the nodes. `model` must be current, and the solver keeps it current.
void sinewi_ik_spread_solve(const sinew_ik_spread *spread, sinew_pose *pose, sinew_affine *model);

#endif
