// SPDX-License-Identifier: MIT
// Aims spread over a chain: where the tip points, how nodes share the rotation, limits.
#include "support/ik_rig.h"

static const sinew_vec3 ahead = {0, 0, 1};

static void solve_spread(const sinew_ik_spread *spread, sinew_pose *pose, sinew_affine *model) {
    const sinew_ik solver = {.kind = SINEW_IK_SPREAD, .spread = *spread};
    sinew_ik_solve(&solver, 1, pose, model);
}

// A straight spine along +y. Its tip looks along +z.
static rig make_spine(void) {
    uint64_t seed = 1;
    rig r = make_rig(ABOVE_NOT, &seed);
    for (int32_t n = 0; n < RIG_NODES; n++) {
        sinew_transform t = sinew_transform_identity();
        t.translation.y = n == 0 ? 0.0f : 0.1f;
        sinew_pose_set(r.pose, n, t);
    }
    to_model(&r);
    return r;
}

static place sight(const rig *r) {
    return unit(direction(&r->model[END], wide(ahead)));
}

// How far the line of sight passes by the target, as an angle at the tip.
static double sight_error(const rig *r, place target) {
    return angle_of(sight(r), minus(target, place_of(&r->model[END])));
}

static void test_the_tip_points_at_the_target(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 1000; i++) {
        rig r = make_rig((above)(i % ABOVE_KINDS), &seed);
        sinew_ik_spread spread = sinew_ik_spread_from_rest(r.skeleton, UPPER, END, ahead);
        place from = place_of(&r.model[END]), way = unit(plus(sight(&r), random_direction(&seed), 0.8));
        place target = plus(from, way, 20.0);
        spread.target = narrow(target);
        spread.growth = random_float(&seed, 0.5f, 2);
        solve_spread(&spread, r.pose, r.model);
        sinew_affine model[RIG_NODES];
        sinew_pose_to_model(r.pose, model);
        assert_memory_equal(model, r.model, sizeof model);
        assert_true(sight_error(&r, target) < 1e-5);
        check_unit(&r);
        free_rig(&r);
    }
}

// A target far away: each node rotates by its share of the angle, about the same axis.
static void test_the_shares(void **state) {
    (void)state;
    const double growths[] = {1.0, 1.5, 0.6}, angle = 0.9, weights[] = {1.0, 0.4};
    for (int i = 0; i < 6; i++) {
        rig r = make_spine();
        sinew_ik_spread spread = sinew_ik_spread_from_rest(r.skeleton, UPPER, END, ahead);
        spread.growth = (float)growths[i % 3], spread.weight = (float)weights[i / 3];
        spread.target = (sinew_vec3){(float)(1e4 * sin(angle)), 0.6f, (float)(1e4 * cos(angle))};
        solve_spread(&spread, r.pose, r.model);
        double sum = 0.0;
        for (int32_t n = UPPER; n <= END; n++) sum += pow(growths[i % 3], n - UPPER);
        for (int32_t n = UPPER; n <= END; n++) {
            double expected = weights[i / 3] * angle * pow(growths[i % 3], n - UPPER) / sum;
            check_near(angle_between(sinew_pose_get(r.pose, n).rotation, (sinew_quat){0, 0, 0, 1}), expected, 0.01);
        }
        check_near(atan2(sight(&r).x, sight(&r).z), weights[i / 3] * angle, 0.02);
        free_rig(&r);
    }
}

// The limit applies to the whole rotation.
static void test_the_limit(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        const double limits[] = {0.5, 0.9, 1.2};
        rig r = make_spine();
        sinew_ik_spread spread = sinew_ik_spread_from_rest(r.skeleton, UPPER, END, ahead);
        spread.limit = (float)limits[i];
        spread.growth = 1.3f;
        // The limits' axis is the rest pose's, in the parents' spaces: here +z.
        spread.target = (sinew_vec3){100, 0.6f, -10};
        sinew_skeleton *skeleton;
        sinew_node_def nodes[RIG_NODES];
        for (int n = 0; n < RIG_NODES; n++)
            nodes[n] = (sinew_node_def){.parent = n - 1, .rest = sinew_pose_get(r.pose, n)};
        sinew_skeleton_def def = sinew_skeleton_default();
        def.node_count = RIG_NODES, def.nodes = nodes;
        assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
        sinew_pose *pose;
        assert_int_equal(sinew_pose_create(skeleton, NULL, &pose), SINEW_OK);
        sinew_affine model[RIG_NODES];
        sinew_pose_to_model(pose, model);
        solve_spread(&spread, pose, model);
        place to = unit(direction(&model[END], wide(ahead)));
        check_near(atan2(to.x, to.z), limits[i], 2e-3);
        assert_true(atan2(to.x, to.z) < limits[i] + 1e-5);
        sinew_pose_destroy(pose);
        sinew_skeleton_destroy(skeleton);
        free_rig(&r);
    }
}

static void test_weight_and_bad_input_leave_the_pose(void **state) {
    (void)state;
    uint64_t seed = 3;
    rig r = make_rig(ABOVE_UNEVEN, &seed);
    rotations before = rotations_of(&r);
    sinew_ik_spread spread = sinew_ik_spread_from_rest(r.skeleton, UPPER, END, ahead);
    spread.target = (sinew_vec3){1, 2, 3};
    const float weights[] = {0.0f, NAN, -1.0f}, growths[] = {0.0f, NAN, INFINITY};
    for (int i = 0; i < 3; i++) {
        sinew_ik_spread bad = spread;
        bad.weight = weights[i];
        solve_spread(&bad, r.pose, r.model);
        check_unchanged(&r, &before);
        bad = spread, bad.growth = growths[i];
        solve_spread(&bad, r.pose, r.model);
        check_unchanged(&r, &before);
    }
    spread.target.y = NAN;
    solve_spread(&spread, r.pose, r.model);
    check_unchanged(&r, &before);
    free_rig(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_tip_points_at_the_target),
        cmocka_unit_test(test_the_shares),
        cmocka_unit_test(test_the_limit),
        cmocka_unit_test(test_weight_and_bad_input_leave_the_pose),
    };
    return cmocka_run_group_tests_name("ik_spread", tests, NULL, NULL);
}
