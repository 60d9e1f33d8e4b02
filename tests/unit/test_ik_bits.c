// SPDX-License-Identifier: MIT
// Chains, spread aims and bodies give the same bits with every vector width, compiler and machine.
#include "support/check.h"

enum { JOINTS = 12, NODES = JOINTS + 4 };

// A spine of 12 joints with two limbs at its middle, all of arithmetic without libm.
static sinew_skeleton *make_skeleton(uint64_t *seed) {
    static const int32_t parents[NODES] = {-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 5, 13, 14};
    sinew_node_def nodes[NODES];
    for (int i = 0; i < NODES; i++) {
        sinew_vec3 offset = {random_float(seed, -1, 1), random_float(seed, 0.5f, 1), random_float(seed, -1, 1)};
        nodes[i] = (sinew_node_def){.parent = parents[i], .rest = {offset, {0, 0, 0, 1}, {1, 1, 1}}};
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = NODES, def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

static sinew_vec3 random_target(uint64_t *seed) {
    return (sinew_vec3){random_float(seed, -5, 5), random_float(seed, -5, 5), random_float(seed, -5, 5)};
}

static void make_joints(const sinew_skeleton *skeleton, sinew_ik_limit joints[JOINTS]) {
    for (int k = 0; k < JOINTS; k++) {
        joints[k] = sinew_ik_limit_from_rest(skeleton, k, k + 1);
        joints[k].kind = (sinew_ik_limit_kind)(k % 3);
        joints[k].cone = 0.6f, joints[k].angle_min = -0.5f, joints[k].angle_max = 0.7f;
        joints[k].stiffness = 0.1f * (float)(k % 4);
    }
}

static sinew_ik make_solver(const sinew_skeleton *skeleton, int number, const sinew_ik_limit *joints,
                            sinew_ik_effector effectors[3], uint64_t *seed) {
    sinew_ik solver = {.kind = number % 5 == 3   ? SINEW_IK_SPREAD
                               : number % 5 == 4 ? SINEW_IK_BODY
                                                 : SINEW_IK_CHAIN};
    if (solver.kind == SINEW_IK_SPREAD) {
        solver.spread = sinew_ik_spread_from_rest(skeleton, 2, JOINTS, (sinew_vec3){0.5f, 0, 1});
        solver.spread.limit = 1.0f, solver.spread.growth = 1.25f, solver.spread.target = random_target(seed);
        return solver;
    }
    if (solver.kind == SINEW_IK_BODY) {
        static const int32_t nodes[3] = {JOINTS, NODES - 1, 5};
        for (int i = 0; i < 3; i++) {
            effectors[i] = sinew_ik_effector_default();
            effectors[i].node = nodes[i];
            effectors[i].target = random_target(seed);
            effectors[i].rotation_weight = 0.5f * (float)i;
        }
        effectors[1].pin = number % 2;
        solver.body = sinew_ik_body_default();
        solver.body.root = 0, solver.body.effectors = effectors, solver.body.effector_count = 3;
        solver.body.limits = joints, solver.body.limit_count = JOINTS;
        return solver;
    }
    solver.chain = sinew_ik_chain_from_rest(skeleton, 0, JOINTS);
    solver.chain.limits = joints, solver.chain.limit_count = JOINTS;
    solver.chain.method = (sinew_ik_chain_method)(number % 5);
    solver.chain.restarts = 2, solver.chain.pole_weight = 0.5f, solver.chain.pole.x = 3.0f;
    solver.chain.target = random_target(seed);
    return solver;
}

static uint64_t add_to_hash(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *b = bytes;
    for (size_t i = 0; i < size; i++) hash = (hash ^ b[i]) * 1099511628211u;
    return hash;
}

static void test_the_bits_are_pinned(void **state) {
    (void)state;
    uint64_t seed = 12, hash = 14695981039346656037u;
    for (int i = 0; i < 500; i++) {
        sinew_skeleton *skeleton = make_skeleton(&seed);
        sinew_pose *pose;
        sinew_affine model[NODES];
        sinew_ik_limit joints[JOINTS];
        sinew_ik_effector effectors[3];
        assert_int_equal(sinew_pose_create(skeleton, NULL, &pose), SINEW_OK);
        sinew_pose_to_model(pose, model);
        make_joints(skeleton, joints);
        sinew_ik solver = make_solver(skeleton, i, joints, effectors, &seed);
        sinew_ik_solve(&solver, 1, pose, model);
        hash = add_to_hash(hash, model, sizeof model);
        sinew_pose_destroy(pose);
        sinew_skeleton_destroy(skeleton);
    }
    print_message("%016llx\n", (unsigned long long)hash);
    assert_true(hash == 0xf525b7214775c65au);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_bits_are_pinned)};
    return cmocka_run_group_tests_name("ik_bits", tests, NULL, NULL);
}
