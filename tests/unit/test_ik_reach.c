// SPDX-License-Identifier: MIT
// Chains reach targets that they reach in some pose, within their limits: 100,000 of them.
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
        if (distance(place_of(&r.model[chain_tip(&r)]), target) > 1e-4 * r.length) {
            missed_at_once++;
            sinew_pose_reset(r.pose);
            sinew_pose_to_model(r.pose, r.model);
            chain.restarts = 64;
            solve(&r, &chain);
        }
        double off = distance(place_of(&r.model[chain_tip(&r)]), target) / r.length;
        missed += off > 1e-4;
        worst = fmax(worst, off);
        out = fmax(out, most_outside(&r));
        check_unit_rotations(&r);
        free_chain_rig(&r);
    }
    print_message(
        "%d targets: %d missed without restarts, %d with; at most %.2g of the length off, %.2g rad outside\n",
        CHAINS, missed_at_once, missed, worst, out);
    assert_int_equal(missed, 0);
    assert_true(missed_at_once < CHAINS / 200);
    assert_true(out < 1e-5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reachable_targets_are_reached_within_limits)};
    return cmocka_run_group_tests_name("ik_reach", tests, NULL, NULL);
}
