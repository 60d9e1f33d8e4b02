// SPDX-License-Identifier: MIT
// Chains reach targets that they reach in some pose, within their limits: 100,000 random chains, and as many arms, legs and tails.
#include "support/chain_rig.h"
#include "support/trials.h"

enum { CHAINS = TRIALS(100000, 2000) };

// Whether the tip is at the target.
static bool is_reached(const chain_rig *r, place target) {
    return distance(place_of(&r->model[chain_tip(r)]), target) <= 1e-4 * r->length;
}

static void reset(chain_rig *r) {
    sinew_pose_reset(r->pose);
    sinew_pose_to_model(r->pose, r->model);
}

// Targets that the chain reaches in some pose within its limits.
static void test_reachable_targets_are_reached_within_limits(void **state) {
    (void)state;
    uint64_t seed = 1;
    int missed = 0, missed_at_once = 0;
    double worst = 0.0, out = 0.0;
    for (int i = 0; i < CHAINS; i++) {
        chain_rig r = make_chain_rig(3 + (int32_t)(random_next(&seed) % 30), ABOVE_NOT, &seed);
        sinew_ik_chain chain = chain_of(&r);
        place target = random_reachable(&r, &seed);
        chain.target = narrow(target);
        chain.method = methods[i % 3];
        solve(&r, &chain);
        if (!is_reached(&r, target)) {
            missed_at_once++;
            reset(&r);
            chain.restarts = 64;
            solve(&r, &chain);
        }
        missed += !is_reached(&r, target);
        worst = fmax(worst, distance(place_of(&r.model[chain_tip(&r)]), target) / r.length);
        out = fmax(out, most_outside(&r));
        check_unit_rotations(&r);
        free_chain_rig(&r);
    }
    print_message("%d targets: %d missed with the defaults, %d with 64 restarts; at most %.2g of the length off, "
                  "%.2g rad outside\n",
                  CHAINS, missed_at_once, missed, worst, out);
    assert_int_equal(missed, 0);
    assert_true(missed_at_once <= CHAINS / 1000);
    assert_true(out < 1e-5);
}

// ---- Arms, legs and tails ------------------------------------------------------------------------------------

enum { ROBOT, ARM, LEG, TAIL, LIMBS };
enum { STRAIGHT, BENT, ANYHOW, POSES };

// A robot's joints are hinges: the first one about the arm itself, which is straight at rest. Arms and legs have a hinge between each
// two joints that swing, and which bends to one side only. A tail's joints swing by up to 45 degrees.
static void limit_joint(sinew_ik_joint *joint, int limb, int32_t i, uint64_t *seed) {
    const bool is_hinge = limb == ROBOT || (limb != TAIL && i % 3 == 1);
    joint->kind = is_hinge ? SINEW_IK_JOINT_HINGE : SINEW_IK_JOINT_CONE;
    if (is_hinge) joint->axis = limb == ROBOT && i == 0 ? (sinew_vec3){0, 1, 0} : (sinew_vec3){1, 0, 0};
    if (limb == ROBOT) {
        joint->angle_min = -random_float(seed, i == 0 ? 2 : 0.1f, i == 0 ? 3 : 1.8f);
        joint->angle_max = random_float(seed, i == 0 ? 2 : 0.8f, i == 0 ? 3 : 2.5f);
    } else if (is_hinge) {
        const float most = random_float(seed, 2, 2.6f);
        joint->angle_min = limb == LEG ? -most : 0;
        joint->angle_max = limb == LEG ? 0 : most;
    } else {
        const bool is_first = i % 3 == 0;
        joint->cone = limb == TAIL ? random_float(seed, 0.15f, 0.8f)
                                   : random_float(seed, is_first ? 0.9f : 0.3f, is_first ? 2.2f : 0.9f);
        joint->angle_min = random_float(seed, limb == TAIL ? -0.3f : -1.2f, 0);
        joint->angle_max = random_float(seed, 0, limb == TAIL ? 0.3f : 1.2f);
    }
}

// Makes the chain straight along Y at rest.
static chain_rig make_limb(int limb, int32_t joint_count, uint64_t *seed) {
    static char names[CHAIN_MOST + 2][8];
    sinew_node_def nodes[CHAIN_MOST + 2] = {{0}};
    chain_rig r = {.joint_count = joint_count};
    for (int32_t i = 0; i < joint_count + 2; i++) {
        (void)snprintf(names[i], sizeof names[i], "N%d", (int)i);
        nodes[i] = (sinew_node_def){.name = names[i], .parent = i - 1, .rest = sinew_transform_identity()};
        nodes[i].rest.translation.y = random_float(seed, 0.1f, 0.4f);
        if (i > CHAIN_ROOT) r.length += (double)nodes[i].rest.translation.y;
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = joint_count + 2;
    def.nodes = nodes;
    assert_int_equal(sinew_skeleton_create(&def, &r.skeleton, NULL), SINEW_OK);
    assert_int_equal(sinew_pose_create(r.skeleton, NULL, &r.pose), SINEW_OK);
    for (int32_t i = 0; i < joint_count; i++) {
        r.joints[i] = sinew_ik_joint_from_rest(r.skeleton, CHAIN_ROOT + i, CHAIN_ROOT + i + 1);
        limit_joint(&r.joints[i], limb, i, seed);
    }
    return r;
}

static void pose_limb(chain_rig *r, int pose, uint64_t *seed) {
    sinew_pose_reset(r->pose);
    for (int32_t i = 0; i < r->joint_count && pose != STRAIGHT; i++) {
        const sinew_ik_joint *joint = &r->joints[i];
        sinew_transform t = sinew_pose_get(r->pose, CHAIN_ROOT + i);
        turn q = random_rotation_within(joint, seed);
        if (pose == BENT && joint->kind == SINEW_IK_JOINT_CONE)
            q = turn_about((place){1, 0, 0}, fmin(0.3, joint->cone));
        if (pose == BENT && joint->kind == SINEW_IK_JOINT_HINGE)
            q = turn_about(wide(joint->axis), joint->angle_max > 0.0f ? fmin(0.3, joint->angle_max) : -0.3);
        t.rotation = quat_of(q);
        sinew_pose_set(r->pose, CHAIN_ROOT + i, t);
    }
    sinew_pose_to_model(r->pose, r->model);
}

static void test_limbs_reach_from_straight_and_other_poses(void **state) {
    (void)state;
    static const char *const poses[POSES] = {"straight", "bent", "random"};
    uint64_t seed = 5;
    int missed[POSES] = {0}, short_ones = 0, shorts_missed = 0;
    for (int i = 0; i < CHAINS; i++) {
        const int pose = i / LIMBS % POSES;
        const bool is_short = i / (LIMBS * POSES) % 2;
        const int32_t count =
            is_short ? 2 + (int32_t)(random_next(&seed) % 4) : 2 + (int32_t)(random_next(&seed) % 30);
        chain_rig r = make_limb(i % LIMBS, count, &seed);
        sinew_ik_chain chain = chain_of(&r);
        const place target = random_reachable(&r, &seed);
        pose_limb(&r, pose, &seed);
        chain.target = narrow(target);
        solve(&r, &chain);
        const bool is_missed = !is_reached(&r, target);
        missed[pose] += is_missed;
        short_ones += is_short, shorts_missed += is_short && is_missed;
        assert_true(most_outside(&r) < 1e-5);
        free_chain_rig(&r);
    }
    for (int k = 0; k < POSES; k++) {
        print_message("from %s poses %d of %d are missed\n", poses[k], missed[k], CHAINS / POSES);
        assert_true(missed[k] <= CHAINS / POSES / 500);
    }
    print_message("of chains of 2 to 5 joints %d of %d\n", shorts_missed, short_ones);
    assert_true(shorts_missed <= short_ones / 500);
}

// An arm of four hinges, straight up, whose target goes round it.
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
        reset(&r);
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

// Targets of which many are out of reach. What is not reached, and not twice as near, is the result without restarts, which does not
// jump.
static void test_out_of_reach_a_chain_keeps_its_own_start(void **state) {
    (void)state;
    uint64_t seed = 8;
    int kept = 0;
    for (int i = 0; i < CHAINS / 20; i++) {
        chain_rig r = make_limb(i % LIMBS, 2 + (int32_t)(random_next(&seed) % 6), &seed);
        sinew_pose *once;
        assert_int_equal(sinew_pose_create(r.skeleton, NULL, &once), SINEW_OK);
        pose_limb(&r, i / LIMBS % POSES, &seed);
        sinew_pose_copy(once, r.pose);
        sinew_ik_chain chain = chain_of(&r);
        const place root = place_of(&r.model[CHAIN_ROOT]);
        const place target = plus(root, random_direction(&seed), r.length * (double)random_float(&seed, 0.1f, 1));
        chain.target = narrow(target);
        chain.restarts = 0;
        sinew_ik_chain_solve(&chain, r.model, once);
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
    assert_true(kept > CHAINS / 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reachable_targets_are_reached_within_limits),
        cmocka_unit_test(test_limbs_reach_from_straight_and_other_poses),
        cmocka_unit_test(test_a_straight_arm_follows_a_target_round_it),
        cmocka_unit_test(test_out_of_reach_a_chain_keeps_its_own_start),
    };
    return cmocka_run_group_tests_name("ik_reach", tests, NULL, NULL);
}
