// SPDX-License-Identifier: MIT
// Chains: scaled ancestors, limits, softness, poles and joint speeds, against forward kinematics in double.
// test_ik_reach.c has targets that are reachable by construction.
#include "support/chain_rig.h"

// ---- Reaching ------------------------------------------------------------------------------------------------

// The reference agrees with the library's forward kinematics. Otherwise the other tests would prove nothing.
static void test_the_reference_is_right(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 200; i++) {
        chain_rig r = make_chain_rig(3 + i % 30, (above)(i % ABOVE_KINDS), &seed);
        turn turns[CHAIN_MOST];
        for (int32_t k = 0; k < r.joint_count; k++) {
            turns[k] = random_rotation_within(&r.joints[k], &seed);
            sinew_transform t = sinew_pose_get(r.pose, CHAIN_ROOT + k);
            t.rotation = quat_of(turns[k]);
            sinew_pose_set(r.pose, CHAIN_ROOT + k, t);
        }
        sinew_pose_to_model(r.pose, r.model);
        assert_true(distance(tip_for(&r, turns), place_of(&r.model[chain_tip(&r)])) < 1e-5);
        assert_true(most_outside(&r) < 1e-5);
        free_chain_rig(&r);
    }
}

// Ancestors with scale. The chain's length is in model space; a nonuniform scale changes it with the pose.
static void test_scaled_ancestors(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 800; i++) {
        chain_rig r = make_chain_rig(3 + i % 10, (above)(i % ABOVE_KINDS), &seed);
        sinew_ik_chain chain = chain_of(&r);
        place target = random_reachable(&r, &seed);
        chain.target = narrow(target);
        chain.method = methods[i % 3];
        chain.restarts = 64;
        solve(&r, &chain);
        assert_true(distance(place_of(&r.model[chain_tip(&r)]), target) < 1e-4 * r.length);
        assert_true(most_outside(&r) < 1e-5);
        free_chain_rig(&r);
    }
}

// Targets anywhere, also out of reach, and poses outside the limits.
static void test_limits_hold_out_of_reach(void **state) {
    (void)state;
    uint64_t seed = 4;
    double out = 0.0;
    for (int i = 0; i < 1200; i++) {
        chain_rig r = make_chain_rig(3 + i % 30, (above)(i % ABOVE_KINDS), &seed);
        sinew_ik_chain chain = chain_of(&r);
        chain.target = narrow(plus((place){0, 0, 0}, random_direction(&seed), random_float(&seed, 0, 4)));
        chain.method = methods[i % 3];
        chain.restarts = i % 2 ? 4 : 0;
        chain.pole = narrow(random_direction(&seed)), chain.pole_weight = i % 5 ? 0.0f : 1.0f;
        for (int32_t k = 0; k < r.joint_count; k++) {
            sinew_transform t = sinew_pose_get(r.pose, CHAIN_ROOT + k);
            t.rotation = random_quat(&seed);
            sinew_pose_set(r.pose, CHAIN_ROOT + k, t);
        }
        sinew_pose_to_model(r.pose, r.model);
        solve(&r, &chain);
        out = fmax(out, most_outside(&r));
        check_unit_rotations(&r);
        free_chain_rig(&r);
    }
    print_message("%.2g rad outside\n", out);
    assert_true(out < 1e-5);
}

// Without limits, a chain points straight at a target that's too far away. With softness, it's slightly bent.
static void test_a_chain_out_of_reach_is_straight(void **state) {
    (void)state;
    uint64_t seed = 5;
    double worst = 0.0;
    for (int i = 0; i < 300; i++) {
        chain_rig r = make_chain_rig(3 + i % 30, ABOVE_NOT, &seed);
        sinew_ik_chain chain = chain_of(&r);
        chain.limit_count = 0;
        chain.method = methods[i % 3];
        chain.restarts = 1;
        place root = place_of(&r.model[CHAIN_ROOT]), way = random_direction(&seed);
        chain.target = narrow(plus(root, way, 1.5 * r.length));
        solve(&r, &chain);
        place straight = plus(root, way, r.length);
        worst = fmax(worst, distance(place_of(&r.model[chain_tip(&r)]), straight) / r.length);
        free_chain_rig(&r);
    }
    print_message("at most %.2g of the length from straight\n", worst);
    assert_true(worst < 1e-3);
}

static void test_softness_follows_its_curve(void **state) {
    (void)state;
    uint64_t seed = 6;
    for (int i = 0; i < 300; i++) {
        chain_rig r = make_chain_rig(3 + i % 30, ABOVE_NOT, &seed);
        sinew_ik_chain chain = chain_of(&r);
        chain.limit_count = 0;
        chain.softness = 0.2f, chain.restarts = 1;
        place root = place_of(&r.model[CHAIN_ROOT]), way = random_direction(&seed);
        double x = random_float(&seed, 0, 1.5f), s = 0.2 * r.length;
        chain.target = narrow(plus(root, way, r.length - s + x * s));
        solve(&r, &chain);
        place soft = plus(root, way, r.length - s * pow(1.0 + x / 4.0, -4.0));
        assert_true(distance(place_of(&r.model[chain_tip(&r)]), soft) < 1e-4 * r.length);
        free_chain_rig(&r);
    }
}

// ---- The pole ------------------------------------------------------------------------------------------------

// Without limits the middle of the chain is in the half plane of the pole, and the tip stays at the target.
static void test_the_pole_decides_where_the_middle_is(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 500; i++) {
        chain_rig r = make_chain_rig(3 + i % 20, (above)(i % ABOVE_UNEVEN), &seed);
        sinew_ik_chain chain = chain_of(&r);
        chain.limit_count = 0;
        place root = place_of(&r.model[CHAIN_ROOT]);
        place target = plus(root, random_direction(&seed), 0.6 * r.length);
        place pole = plus(root, random_direction(&seed), 2.0);
        chain.target = narrow(target), chain.pole = narrow(pole), chain.pole_weight = 1.0f;
        solve(&r, &chain);
        assert_true(distance(place_of(&r.model[chain_tip(&r)]), target) < 1e-4 * r.length);
        place line = unit(minus(target, root)), to = minus(pole, root), middle = {0, 0, 0};
        for (int32_t k = 1; k < r.joint_count; k++)
            middle = plus(middle, minus(place_of(&r.model[CHAIN_ROOT + k]), root), 1.0);
        to = plus(to, line, -dot(to, line)), middle = plus(middle, line, -dot(middle, line));
        if (length(to) > 0.3 && length(middle) > 0.05 * r.length) assert_true(angle_of(to, middle) < 2e-3);
        free_chain_rig(&r);
    }
}

// ---- Speeds --------------------------------------------------------------------------------------------------

// A target that the chain can follow: the tip of a smooth motion of all joints within half of their limits.
static place moving_target(const chain_rig *r, double time) {
    turn turns[CHAIN_MOST];
    for (int32_t i = 0; i < r->joint_count; i++) {
        double a = time + 0.3 * i;
        place way = {cos(0.7 * a), sin(0.9 * a) + 0.2, cos(1.1 * a + 1.0)};
        turns[i] = rotation_within(&r->joints[i], 0.25 + 0.2 * sin(a), 0.5 + 0.2 * cos(1.3 * a), way);
    }
    return tip_for(r, turns);
}

// The largest speed of a joint divided by the largest speed of the target, over a motion of 6 s in 400 frames.
static double speed_ratio(chain_rig *r, sinew_ik_chain_method method) {
    enum { FRAMES = 400 };
    sinew_ik_chain chain = chain_of(r);
    chain.method = method;
    place before[CHAIN_MOST + 2], target_before = {0, 0, 0};
    double fastest = 0.0, target_fastest = 0.0;
    for (int frame = 0; frame <= FRAMES; frame++) {
        place target = moving_target(r, 6.0 * frame / FRAMES);
        sinew_pose_reset(r->pose);
        sinew_pose_to_model(r->pose, r->model);
        chain.target = narrow(target);
        solve(r, &chain);
        for (int32_t i = 0; i < r->joint_count + 2; i++) {
            place now = place_of(&r->model[i]);
            if (frame > 0) fastest = fmax(fastest, distance(now, before[i]));
            before[i] = now;
        }
        if (frame > 0) target_fastest = fmax(target_fastest, distance(target, target_before));
        target_before = target;
    }
    return fastest / target_fastest;
}

// A bent chain of ball joints: a spine, a tail.
static chain_rig make_tail(int32_t joint_count, uint64_t *seed) {
    chain_rig r = make_chain_rig(joint_count, ABOVE_NOT, seed);
    for (int32_t i = 0; i < joint_count; i++) {
        r.joints[i] = sinew_ik_limit_from_rest(r.skeleton, CHAIN_ROOT + i, CHAIN_ROOT + i + 1);
        r.joints[i].kind = SINEW_IK_LIMIT_CONE;
        r.joints[i].cone = (float)fmin(1.2, 6.0 / joint_count);
        r.joints[i].angle_min = -0.3f, r.joints[i].angle_max = 0.3f;
    }
    return r;
}

static void test_smooth_targets_give_smooth_joints(void **state) {
    (void)state;
    uint64_t seed = 8;
    double worst = 0.0;
    for (int i = 0; i < 30; i++) {
        chain_rig r = make_tail(3 + i % 30, &seed);
        double ratio = speed_ratio(&r, SINEW_IK_CHAIN_METHOD_LEAST_SQUARES);
        if (ratio > 2.0) print_message("%d joints: %.2f\n", (int)r.joint_count, ratio);
        worst = fmax(worst, ratio);
        free_chain_rig(&r);
    }
    print_message("a joint moves at most %.2f times as fast as the target\n", worst);
    assert_true(worst < 3.0);
}

// ---- Weights, stiffness, input without a solution ------------------------------------------------------------

static bool has_bits_of(const chain_rig *r, const sinew_pose *pose) {
    size_t size = (size_t)r->skeleton->node_count * sizeof(float);
    return !memcmp(r->pose->rx, pose->rx, size) && !memcmp(r->pose->ry, pose->ry, size) &&
           !memcmp(r->pose->rz, pose->rz, size) && !memcmp(r->pose->rw, pose->rw, size) &&
           !memcmp(r->pose->tx, pose->tx, size) && !memcmp(r->pose->ty, pose->ty, size) &&
           !memcmp(r->pose->tz, pose->tz, size);
}

static void test_weight_and_bad_input_leave_the_pose(void **state) {
    (void)state;
    uint64_t seed = 9;
    chain_rig r = make_chain_rig(8, ABOVE_NOT, &seed);
    sinew_pose *before;
    assert_int_equal(sinew_pose_create(r.skeleton, NULL, &before), SINEW_OK);
    const float bad[] = {NAN, INFINITY, -INFINITY, 3e38f};
    for (int i = 0; i < 3; i++) {
        sinew_ik_chain chain = chain_of(&r);
        chain.target = (sinew_vec3){0.3f, 0.2f, 0.1f};
        chain.method = methods[i];
        chain.restarts = 3;
        chain.weight = 0.0f;
        sinew_ik_chain_solve(&chain, r.pose, r.model);
        assert_true(has_bits_of(&r, before));
        chain.weight = NAN;
        sinew_ik_chain_solve(&chain, r.pose, r.model);
        assert_true(has_bits_of(&r, before));
        chain.weight = 1.0f;
        for (int k = 0; k < 3; k++) {
            chain.target.y = bad[k];
            sinew_ik_chain_solve(&chain, r.pose, r.model);
            assert_true(has_bits_of(&r, before));
        }
        chain.target.y = 0.2f;
        sinew_affine kept = r.model[0];
        r.model[0] = (sinew_affine){{{0}}};
        sinew_ik_chain_solve(&chain, r.pose, r.model);
        assert_true(has_bits_of(&r, before));
        r.model[0] = kept, r.model[0].m[1][1] = NAN;
        sinew_ik_chain_solve(&chain, r.pose, r.model);
        assert_true(has_bits_of(&r, before));
        r.model[0] = kept;
        chain.pole_weight = 1.0f, chain.pole.x = NAN;
        sinew_ik_chain_solve(&chain, r.pose, r.model);
        assert_true(has_bits_of(&r, before));
    }
    sinew_pose_destroy(before);
    free_chain_rig(&r);
}

// Half the weight is half way, as sinew_pose_blend has it.
static void test_weight_blends(void **state) {
    (void)state;
    uint64_t seed = 10;
    chain_rig r = make_chain_rig(8, ABOVE_NOT, &seed);
    sinew_pose *rest, *full, *half;
    assert_int_equal(sinew_pose_create(r.skeleton, NULL, &rest), SINEW_OK);
    assert_int_equal(sinew_pose_create(r.skeleton, NULL, &full), SINEW_OK);
    assert_int_equal(sinew_pose_create(r.skeleton, NULL, &half), SINEW_OK);
    sinew_ik_chain chain = chain_of(&r);
    chain.target = narrow(random_reachable(&r, &seed));
    sinew_ik_chain_solve(&chain, full, r.model);
    chain.weight = 0.5f;
    sinew_ik_chain_solve(&chain, half, r.model);
    sinew_pose_blend(r.pose, rest, full, 0.5f, NULL);
    for (int32_t i = 0; i < r.joint_count; i++) {
        sinew_quat a = sinew_pose_get(half, CHAIN_ROOT + i).rotation,
                   b = sinew_pose_get(r.pose, CHAIN_ROOT + i).rotation;
        assert_true(angle_between(a, b) < 1e-6);
    }
    sinew_pose_destroy(rest), sinew_pose_destroy(full), sinew_pose_destroy(half);
    free_chain_rig(&r);
}

static void test_stiff_joints_rotate_less(void **state) {
    (void)state;
    uint64_t seed = 11;
    for (int i = 0; i < 3; i++) {
        chain_rig r = make_tail(6, &seed);
        sinew_ik_chain chain = chain_of(&r);
        for (int32_t k = 0; k < 6; k++) r.joints[k].kind = SINEW_IK_LIMIT_FREE;
        chain.method = methods[i];
        chain.target = narrow(plus(place_of(&r.model[chain_tip(&r)]), random_direction(&seed), 0.1));
        solve(&r, &chain);
        double free_angle = angle_between(sinew_pose_get(r.pose, 3).rotation, r.skeleton->rest[3].rotation);
        r.joints[2].stiffness = 0.9f, r.joints[4].stiffness = 1.0f;
        sinew_pose_reset(r.pose);
        sinew_pose_to_model(r.pose, r.model);
        solve(&r, &chain);
        double stiff_angle = angle_between(sinew_pose_get(r.pose, 3).rotation, r.skeleton->rest[3].rotation);
        assert_true(angle_between(sinew_pose_get(r.pose, 5).rotation, r.skeleton->rest[5].rotation) == 0.0);
        if (methods[i] == SINEW_IK_CHAIN_METHOD_LEAST_SQUARES) assert_true(stiff_angle < 0.5 * free_angle);
        assert_true(distance(place_of(&r.model[chain_tip(&r)]), wide(chain.target)) < 1e-4 * r.length);
        free_chain_rig(&r);
    }
}

// ---- Restarts ------------------------------------------------------------------------------------------------

enum { OUT_OF_REACH = 3000 };

// An arm of four hinges, straight up. Its target circles it.
static void test_a_straight_arm_follows_a_target_round_it(void **state) {
    (void)state;
    static const float least[4] = {-3, -1.5f, -0.1f, -1.2f}, most[4] = {3, 1.5f, 2.4f, 1.2f};
    uint64_t seed = 2;
    chain_rig r = make_limb(ROBOT, 4, &seed);
    for (int i = 0; i < 4; i++) r.joints[i].angle_min = least[i], r.joints[i].angle_max = most[i];
    const double far = 0.5 * r.length, up = (double)r.skeleton->rest[CHAIN_ROOT].translation.y + 0.4 * r.length;
    for (int degrees = -170; degrees <= 170; degrees++) {
        const double angle = degrees * PI / 180;
        const place target = {far * sin(angle), up, far * cos(angle)};
        sinew_ik_chain chain = chain_of(&r);
        chain.target = narrow(target);
        reset_chain(&r);
        solve(&r, &chain);
        if (!is_reached(&r, target)) fail_msg("missed at %d degrees", degrees);
    }
    free_chain_rig(&r);
}

static bool has_same_bits(const sinew_pose *a, const sinew_pose *b) {
    const size_t size = (size_t)a->skeleton->node_count * sizeof(float);
    return !memcmp(a->rx, b->rx, size) && !memcmp(a->ry, b->ry, size) && !memcmp(a->rz, b->rz, size) &&
           !memcmp(a->rw, b->rw, size);
}

// Many of the targets are out of reach. If restarts neither reach the target nor get twice as close, the result is
// the one without restarts, which doesn't jump.
static void test_out_of_reach_a_chain_keeps_its_own_start(void **state) {
    (void)state;
    uint64_t seed = 8;
    int kept = 0;
    for (int i = 0; i < OUT_OF_REACH; i++) {
        chain_rig r = make_limb(i % LIMBS, 2 + (int32_t)(random_next(&seed) % 6), &seed);
        sinew_pose *once;
        assert_int_equal(sinew_pose_create(r.skeleton, NULL, &once), SINEW_OK);
        pose_limb(&r, i / LIMBS % LIMB_POSES, &seed);
        sinew_pose_copy(once, r.pose);
        sinew_ik_chain chain = chain_of(&r);
        const place root = place_of(&r.model[CHAIN_ROOT]);
        const place target = plus(root, random_direction(&seed), r.length * (double)random_float(&seed, 0.1f, 1));
        chain.target = narrow(target);
        chain.restarts = 0;
        sinew_ik_chain_solve(&chain, once, r.model);
        chain.restarts = sinew_ik_chain_from_rest(r.skeleton, CHAIN_ROOT, chain_tip(&r)).restarts;
        solve(&r, &chain);
        const double off = distance(place_of(&r.model[chain_tip(&r)]), target);
        const bool is_same = has_same_bits(once, r.pose);
        sinew_pose_to_model(once, r.model);
        const double off_once = distance(place_of(&r.model[chain_tip(&r)]), target);
        if (off > 1e-4 * r.length && off > 0.51 * off_once) {
            assert_true(is_same);
            kept++;
        }
        sinew_pose_destroy(once);
        free_chain_rig(&r);
    }
    assert_true(kept > OUT_OF_REACH / 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_reference_is_right),
        cmocka_unit_test(test_scaled_ancestors),
        cmocka_unit_test(test_limits_hold_out_of_reach),
        cmocka_unit_test(test_a_chain_out_of_reach_is_straight),
        cmocka_unit_test(test_softness_follows_its_curve),
        cmocka_unit_test(test_the_pole_decides_where_the_middle_is),
        cmocka_unit_test(test_smooth_targets_give_smooth_joints),
        cmocka_unit_test(test_weight_and_bad_input_leave_the_pose),
        cmocka_unit_test(test_weight_blends),
        cmocka_unit_test(test_stiff_joints_rotate_less),
        cmocka_unit_test(test_a_straight_arm_follows_a_target_round_it),
        cmocka_unit_test(test_out_of_reach_a_chain_keeps_its_own_start),
    };
    return cmocka_run_group_tests_name("ik_chain", tests, NULL, NULL);
}
