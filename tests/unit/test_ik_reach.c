// SPDX-License-Identifier: MIT
// Chains reach targets that some pose within their limits reaches: 100,000 random chains, and as many arms, legs and
// tails.
#include "support/chain_rig.h"
#include "support/trials.h"

enum { CHAINS = TRIALS(100000, 2000) };

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
            reset_chain(&r);
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

static void test_limbs_reach_from_straight_and_other_poses(void **state) {
    (void)state;
    static const char *const poses[LIMB_POSES] = {"straight", "bent", "random"};
    uint64_t seed = 5;
    int missed[LIMB_POSES] = {0}, short_ones = 0, shorts_missed = 0;
    for (int i = 0; i < CHAINS; i++) {
        const int pose = i / LIMBS % LIMB_POSES;
        const bool is_short = i / (LIMBS * LIMB_POSES) % 2;
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
    for (int k = 0; k < LIMB_POSES; k++) {
        print_message("from %s poses %d of %d are missed\n", poses[k], missed[k], CHAINS / LIMB_POSES);
        assert_true(missed[k] <= CHAINS / LIMB_POSES / 500);
    }
    print_message("of chains of 2 to 5 joints %d of %d\n", shorts_missed, short_ones);
    assert_true(shorts_missed <= short_ones / 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reachable_targets_are_reached_within_limits),
        cmocka_unit_test(test_limbs_reach_from_straight_and_other_poses),
    };
    return cmocka_run_group_tests_name("ik_reach", tests, NULL, NULL);
}
