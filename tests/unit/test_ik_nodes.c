// SPDX-License-Identifier: MIT
// Nodes that aren't below each other: functions that make definitions say so in every build. Solvers that get such a
// definition stop or leave the pose alone.
#include <sinew/all.h>

#include "support/in_child.h"

#include <string.h>

// A hip with a thigh and a shin, and a foot beside them, like in rigs where feet are goals.
enum { HIP, THIGH, SHIN, FOOT, NODES };

static sinew_skeleton *make_rig(void) {
    static const sinew_node_def nodes[NODES] = {
        {.name = "hip", .parent = -1, .rest = {{0, 1, 0}, {0, 0, 0, 1}, {1, 1, 1}}},
        {.name = "thigh", .parent = HIP, .rest = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}},
        {.name = "shin", .parent = THIGH, .rest = {{0, -0.5f, 0.1f}, {0, 0, 0, 1}, {1, 1, 1}}},
        {.name = "foot", .parent = HIP, .rest = {{0, -1, 0}, {0, 0, 0, 1}, {1, 1, 1}}},
    };
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = NODES;
    def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

static const sinew_vec3 up = {0, 1, 0};

// The first node of each definition.
static void make_all(const sinew_skeleton *s, int32_t a, int32_t b, int32_t c, int32_t made[6]) {
    made[0] = sinew_ik_two_bone_from_rest(s, a, b, c).upper;
    made[1] = sinew_foot_from_rest(s, a, b, c, SINEW_NO_NODE, up).node;
    made[2] = sinew_ik_aim_from_rest(s, b, c, up).node;
    made[3] = sinew_ik_spread_from_rest(s, b, c, up).root;
    made[4] = sinew_ik_chain_from_rest(s, b, c).root;
    made[5] = sinew_ik_limit_from_rest(s, b, c).node;
}

static void test_wrong_nodes_make_no_definition(void **state) {
    (void)state;
    static const int32_t wrong[][3] = {
        {THIGH, SHIN, FOOT}, {THIGH, SHIN, HIP}, {THIGH, FOOT, SHIN}, {SHIN, SHIN, -1},
        {-1, -1, SHIN},      {THIGH, NODES, 99}, {-7, -7, -7},        {HIP, -2, SHIN},
    };
    sinew_skeleton *s = make_rig();
    alarm(20); // a loop without an end
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int32_t made[6];
        make_all(s, wrong[i][0], wrong[i][1], wrong[i][2], made);
        for (int k = 0; k < 6; k++) {
            if (k == 5 && wrong[i][2] == SINEW_NO_NODE) continue; // a joint needs no child
            if (made[k] != SINEW_NO_NODE) fail_msg("nodes %d, definition %d has node %d", (int)i, k, (int)made[k]);
        }
    }
    assert_int_equal(sinew_foot_from_rest(s, HIP, THIGH, SHIN, FOOT, up).node, SINEW_NO_NODE);
    int32_t made[6];
    make_all(s, HIP, THIGH, SHIN, made);
    assert_true(made[0] == HIP && made[1] == SHIN);
    for (int k = 2; k < 6; k++) assert_int_equal(made[k], THIGH);
    assert_int_equal(sinew_foot_from_rest(s, HIP, THIGH, SHIN, SHIN, up).leg.upper, HIP);
    alarm(0);
    sinew_skeleton_destroy(s);
}

// Nodes that were changed afterwards.
static int solve(void *kind) {
    sinew_skeleton *s = make_rig();
    sinew_pose *pose, *before;
    sinew_affine model[NODES];
    if (sinew_pose_create(s, NULL, &pose) != SINEW_OK || sinew_pose_create(s, NULL, &before) != SINEW_OK) return 3;
    sinew_pose_to_model(pose, model);
    sinew_ik solver = {.kind = *(sinew_ik_kind *)kind};
    switch (solver.kind) {
    case SINEW_IK_TWO_BONE:
        solver.two_bone = sinew_ik_two_bone_from_rest(s, HIP, THIGH, SHIN);
        solver.two_bone.end = FOOT;
        break;
    case SINEW_IK_AIM:
        solver.aim = sinew_ik_aim_from_rest(s, THIGH, SHIN, up);
        solver.aim.tip = FOOT;
        break;
    case SINEW_IK_CHAIN:
        solver.chain = sinew_ik_chain_from_rest(s, THIGH, SHIN);
        solver.chain.tip = FOOT;
        break;
    default:
        solver.spread = sinew_ik_spread_from_rest(s, THIGH, SHIN, up);
        solver.spread.tip = FOOT;
        break;
    }
    alarm(20);
    sinew_ik_solve(&solver, 1, pose, model);
    return memcmp(pose->rx, before->rx, NODES * sizeof *pose->rx) == 0 ? 0 : 2;
}

static void test_solvers_check_nodes(void **state) {
    (void)state;
    static sinew_ik_kind kinds[] = {SINEW_IK_TWO_BONE, SINEW_IK_AIM, SINEW_IK_CHAIN, SINEW_IK_SPREAD};
#ifdef NDEBUG
    const int expected = 0;
#else
    const int expected = -SIGABRT;
#endif
    for (int i = 0; i < 4; i++) assert_int_equal(run_in_child(solve, &kinds[i]), expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_nodes_make_no_definition),
        cmocka_unit_test(test_solvers_check_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
