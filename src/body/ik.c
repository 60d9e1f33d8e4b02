// SPDX-License-Identifier: MIT
// Runs several solvers in order (sinew/body/ik.h).
//
// A solver reads model matrices and changes local rotations. That only affects matrices below the rotated node, so only
// those are recomputed before the next solver runs.
#include "body/ik_chain_spread.h"

#include <assert.h>

// Runs a solver and returns the first node that it moved. All others that it moved are below that node.
static int32_t solve_one(const sinew_ik *solver, const sinew_affine *model, sinew_pose *pose) {
    switch (solver->kind) {
    case SINEW_IK_TWO_BONE:
        sinew_ik_two_bone_solve(&solver->two_bone, pose, model);
        return solver->two_bone.upper;
    case SINEW_IK_AIM:
        sinew_ik_aim_solve(&solver->aim, pose, model);
        return solver->aim.node;
    case SINEW_IK_CHAIN:
        sinew_ik_chain_solve(&solver->chain, pose, model);
        return solver->chain.root;
    default:
        assert(solver->kind == SINEW_IK_BODY);
        if (solver->kind != SINEW_IK_BODY) return SINEW_NO_NODE;
        sinew_ik_body_solve(&solver->body, pose, model);
        return solver->body.root;
    }
}

void sinew_ik_solve(const sinew_ik *solvers, int32_t count, sinew_pose *pose, sinew_affine *model) {
    assert(pose && model && (solvers || count <= 0));
    for (int32_t i = 0; i < count; i++) {
        if (solvers[i].kind == SINEW_IK_SPREAD) { // keeps the matrices current by itself
            sinewi_ik_spread_solve(&solvers[i].spread, pose, model);
            continue;
        }
        int32_t node = solve_one(&solvers[i], model, pose);
        if (node != SINEW_NO_NODE) sinew_pose_to_model_below(pose, node, model);
    }
}
