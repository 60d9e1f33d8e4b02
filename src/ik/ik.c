// SPDX-License-Identifier: MIT
// Runs several solvers in order (sinew/ik.h).
//
// A solver reads the model matrices and changes local rotations of the pose. Only the matrices of the nodes below the
// one that it rotates change, so only these are computed again before the next solver.
#include <sinew/ik.h>

#include <assert.h>

void sinew_ik_solve(const sinew_ik *solvers, int32_t count, sinew_pose *pose, sinew_affine *model) {
    assert(pose && model && (solvers || count <= 0));
    for (int32_t i = 0; i < count; i++) {
        const sinew_ik *solver = &solvers[i];
        if (solver->kind == SINEW_IK_TWO_BONE) {
            sinew_ik_two_bone_solve(&solver->two_bone, model, pose);
            sinew_pose_to_model_below(pose, solver->two_bone.upper, model);
        } else {
            assert(solver->kind == SINEW_IK_AIM);
            sinew_ik_aim_solve(&solver->aim, model, pose);
            sinew_pose_to_model_below(pose, solver->aim.node, model);
        }
    }
}
