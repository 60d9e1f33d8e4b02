// SPDX-License-Identifier: MIT
// Aiming: the line of sight meets the target within limits. Also stacked solvers.
#include "support/ik_rig.h"

enum { RIGS = 400 };

static const sinew_vec3 ahead = {0, 0, 1};

static void solve_aim(rig *r, const sinew_ik_aim *aim) {
    sinew_ik_aim_solve(aim, r->pose, r->model);
    to_model(r);
}

// Where the eye looks, in model space.
static place sight_of(const rig *r, const sinew_ik_aim *aim) {
    return unit(direction(&r->model[aim->tip], wide(aim->forward)));
}

static place eye_of(const rig *r, const sinew_ik_aim *aim) {
    return wide(sinew_affine_point(r->model[aim->tip], aim->origin));
}

// How far the line of sight misses the target by, as an angle.
static double miss_of(const rig *r, const sinew_ik_aim *aim) {
    return angle_of(sight_of(r, aim), minus(wide(aim->target), eye_of(r, aim)));
}

// ---- Hitting -------------------------------------------------------------------------------------------------

static void test_it_points_at_the_target(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 10 * RIGS; i++) {
        rig r = make_rig((above)(i % ABOVE_KINDS), &seed);
        sinew_ik_aim aim = sinew_ik_aim_from_rest(r.skeleton, LOWER, LOWER, narrow(random_direction(&seed)));
        aim.target = narrow(plus(place_of(&r.model[LOWER]), random_direction(&seed), random_float(&seed, 0.1f, 5)));
        solve_aim(&r, &aim);
        check_near(miss_of(&r, &aim), 0.0, 3e-5); // 3e-6 but where scale is uneven eight times over
        check_unit(&r);
        free_rig(&r);
    }
}

// An eye that hangs further down, and looks from aside: the node turns until its line goes through the target.
static void test_an_eye_further_down(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 10 * RIGS; i++) {
        rig r = make_rig((above)(i % ABOVE_KINDS), &seed);
        sinew_ik_aim aim = sinew_ik_aim_from_rest(r.skeleton, UPPER, END, narrow(random_direction(&seed)));
        aim.origin = narrow(plus((place){0, 0, 0}, random_direction(&seed), 0.2));
        double away = distance(eye_of(&r, &aim), place_of(&r.model[UPPER]));
        double far = away * random_float(&seed, 5, 50); // as parents see it, no nearer than the eye
        aim.target = narrow(plus(place_of(&r.model[UPPER]), random_direction(&seed), far));
        solve_aim(&r, &aim);
        check_near(miss_of(&r, &aim), 0.0, 1e-4);
        free_rig(&r);
    }
}

// A target that is nearer to the node than the line of sight can get is not looked at, and the node is turned towards it.
static void test_a_target_within_the_eye(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < RIGS; i++) {
        rig r = make_rig(ABOVE_EVEN, &seed);
        sinew_ik_aim aim = sinew_ik_aim_from_rest(r.skeleton, UPPER, UPPER, ahead);
        aim.origin = (sinew_vec3){0.5f, 0, random_float(&seed, -0.5f, 0.5f)};
        double away = 0.5 * length(direction(&r.model[UPPER], (place){1, 0, 0}));
        place node = place_of(&r.model[UPPER]);
        aim.target = narrow(plus(node, random_direction(&seed), away * random_float(&seed, 0.2f, 0.9f)));
        solve_aim(&r, &aim);
        place nearest = minus(eye_of(&r, &aim), node), sight = sight_of(&r, &aim);
        if (dot(nearest, sight) < 0.0) nearest = plus(nearest, sight, -dot(nearest, sight));
        check_near(angle_of(nearest, minus(wide(aim.target), node)), 0.0, 1e-4);
        check_unit(&r);
        free_rig(&r);
    }
}

// By the shortest way, without rolling: no axis but the one across both directions.
static void test_it_turns_no_further_than_it_must(void **state) {
    (void)state;
    uint64_t seed = 4;
    for (int i = 0; i < RIGS; i++) {
        rig r = make_rig(ABOVE_NOT, &seed);
        sinew_ik_aim aim = sinew_ik_aim_from_rest(r.skeleton, LOWER, LOWER, ahead);
        aim.target = narrow(random_direction(&seed));
        double off = miss_of(&r, &aim);
        sinew_quat before = sinew_pose_get(r.pose, LOWER).rotation;
        solve_aim(&r, &aim);
        check_near(angle_between(before, sinew_pose_get(r.pose, LOWER).rotation), off, 2e-5);
        free_rig(&r);
    }
}

static void test_up_goes_to_the_sky(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < RIGS; i++) {
        rig r = make_rig((above)(i % ABOVE_UNEVEN), &seed);
        sinew_ik_aim aim = sinew_ik_aim_from_rest(r.skeleton, LOWER, i % 2 ? END : LOWER, ahead);
        aim.target = narrow(plus(place_of(&r.model[LOWER]), random_direction(&seed), 9.0));
        aim.world_up = narrow(random_direction(&seed));
        aim.up_weight = 1.0f;
        solve_aim(&r, &aim);
        check_near(miss_of(&r, &aim), 0.0, 1e-4);
        place sight = unit(minus(wide(aim.target), place_of(&r.model[LOWER]))),
              up = direction(&r.model[aim.tip], wide(aim.up)), sky = wide(aim.world_up);
        up = plus(up, sight, -dot(up, sight)), sky = plus(sky, sight, -dot(sky, sight));
        if (length(sky) > 0.1) check_near(angle_of(up, sky), 0.0, 1e-4);
        check_unit(&r);
        free_rig(&r);
    }
}

// Directly above or below, the sky can't tell which way to turn. Nor can `up` if it's the axis that looks there.
// Rounding mustn't decide.
static void test_up_in_line_says_nothing(void **state) {
    (void)state;
    uint64_t seed = 6;
    for (int i = 0; i < RIGS; i++) {
        rig r = make_rig((above)(i % ABOVE_UNEVEN), &seed);
        sinew_ik_aim aim = sinew_ik_aim_from_rest(r.skeleton, LOWER, LOWER, ahead);
        place to = random_direction(&seed);
        aim.target = narrow(plus(place_of(&r.model[LOWER]), to, 9.0));
        aim.world_up = narrow(plus((place){0, 0, 0}, to, i % 4 < 2 ? 3.0 : -3.0));
        if (i % 2) aim.up = aim.forward, aim.world_up = narrow(random_direction(&seed));
        rotations before = rotations_of(&r);
        solve_aim(&r, &aim);
        sinew_quat wanted = rotations_of(&r).q[LOWER];
        set_rotation(&r, LOWER, before.q[LOWER]);
        aim.up_weight = 1.0f;
        solve_aim(&r, &aim);
        sinew_quat q = rotations_of(&r).q[LOWER];
        double same =
            (double)q.x * wanted.x + (double)q.y * wanted.y + (double)q.z * wanted.z + (double)q.w * wanted.w;
        check_near(fabs(same), 1.0, 1e-6);
        free_rig(&r);
    }
}

// ---- Limits --------------------------------------------------------------------------------------------------

// A node that looks along +z and stands upright, with another one above it.
static rig make_head(uint64_t *seed) {
    rig r = make_rig(ABOVE_NOT, seed);
    for (int32_t n = 0; n < RIG_NODES; n++) sinew_pose_set(r.pose, n, sinew_transform_identity());
    to_model(&r);
    return r;
}

static sinew_ik_aim limited_aim(const rig *r, double degrees, double softness) {
    sinew_ik_aim aim = sinew_ik_aim_from_rest(r->skeleton, LOWER, LOWER, ahead);
    aim.limit_axis = ahead;
    aim.limit = (float)(degrees * PI / 180.0);
    aim.softness = (float)softness;
    return aim;
}

// How far it looks aside for a target that is `degrees` aside, towards a side.
static double looks(rig *r, sinew_ik_aim aim, double degrees, double side) {
    double t = degrees * PI / 180.0, s = side * PI / 180.0;
    place to = {sin(t) * cos(s), sin(t) * sin(s), cos(t)};
    aim.target = narrow(plus((place){0, 0, 0}, to, 3.0));
    sinew_pose_set(r->pose, LOWER, sinew_transform_identity());
    to_model(r);
    solve_aim(r, &aim);
    place sight = sight_of(r, &aim);
    double off = angle_of((place){0, 0, 1}, sight);
    if (off > 0.01 && degrees < 179.9)
        check_near(angle_of((place){sight.x, sight.y, 0}, (place){to.x, to.y, 0}), 0.0, 2e-4);
    return off * 180.0 / PI;
}

static void test_it_stays_within_its_limit(void **state) {
    (void)state;
    uint64_t seed = 6;
    rig r = make_head(&seed);
    for (int limit = 5; limit <= 145; limit += 10) {
        sinew_ik_aim aim = limited_aim(&r, limit, 0.0);
        for (int degrees = 0; degrees <= (limit > 120 ? limit : 120); degrees += 3) {
            double off = looks(&r, aim, degrees, 7.0 * degrees);
            check_near(off, fmin(degrees, limit), degrees == limit ? 0.01 : 2e-3);
        }
    }
    free_rig(&r);
}

// As the node's parent sees it, which may see it in a mirror.
static void test_the_limit_is_the_parents(void **state) {
    (void)state;
    uint64_t seed = 16;
    int held = 0;
    for (int i = 0; i < RIGS; i++) {
        rig r = make_rig((above)(i % ABOVE_KINDS), &seed);
        sinew_ik_aim aim = sinew_ik_aim_from_rest(r.skeleton, LOWER, i % 3 ? LOWER : END, ahead);
        aim.limit = random_float(&seed, 0.3f, 1.5f);
        aim.target = narrow(plus(place_of(&r.model[LOWER]), random_direction(&seed), 5.0));
        sinew_affine into = sinew_affine_inverse(r.model[TWIST]);
        place to = direction(&into, minus(wide(aim.target), place_of(&r.model[LOWER])));
        double aside = angle_of(to, wide(aim.limit_axis));
        solve_aim(&r, &aim);
        double off = angle_of(direction(&into, direction(&r.model[aim.tip], wide(ahead))), wide(aim.limit_axis));
        if (aside > aim.limit + 0.5 && aside < 2.09 && aim.tip == LOWER) {
            check_near(off, aim.limit, 1e-5);
            held++;
        }
        assert_true(off < aim.limit + 1e-5 || aside > 2.1); // an eye aside is nowhere near so far off
        free_rig(&r);
    }
    assert_true(held > 20);
}

// In tangents of half angles, as the header says.
static void test_the_limit_is_softened_by_its_formula(void **state) {
    (void)state;
    uint64_t seed = 7;
    rig r = make_head(&seed);
    double limit = 70.0, softness = 0.4, to = tan(limit * PI / 360.0), from = to * (1.0 - softness);
    sinew_ik_aim aim = limited_aim(&r, limit, softness);
    for (int degrees = 0; degrees <= 120; degrees += 3) {
        double t = tan(degrees * PI / 360.0), x = (t - from) / (to - from);
        if (x > 0.0) t = from + (to - from) * (1.0 - pow(1.0 + x / 4.0, -4.0));
        double off = looks(&r, aim, degrees, 50.0);
        check_near(off, 2.0 * atan(t) * 180.0 / PI, 2e-3);
        assert_true(off < limit);
    }
    free_rig(&r);
}

static void test_what_is_behind_is_let_go_of(void **state) {
    (void)state;
    uint64_t seed = 8;
    rig r = make_head(&seed);
    sinew_ik_aim aim = limited_aim(&r, 60.0, 0.0);
    check_near(looks(&r, aim, 119.9, 10.0), 60.0, 2e-3);
    double before = 60.0;
    for (int degrees = 121; degrees < 180; degrees++) {
        double off = looks(&r, aim, degrees, 10.0);
        assert_true(off < before);
        before = off;
    }
    check_near(looks(&r, aim, 180.0, 10.0), 0.0, 1e-6);
    free_rig(&r);
}

// Through the limit and past behind, the gaze goes as far in half a step half as far.
static double largest_step(int steps, double softness) {
    uint64_t seed = 9;
    rig r = make_head(&seed);
    sinew_ik_aim aim = limited_aim(&r, 60.0, softness);
    sinew_quat before = {0, 0, 0, 1};
    double largest = 0.0;
    for (int i = 0; i <= steps; i++) {
        double u = 2.0 * PI * i / steps;
        aim.target = (sinew_vec3){(float)sin(u), (float)(0.01 * sin(2.0 * u)), (float)cos(u)}; // all the way round
        sinew_pose_set(r.pose, LOWER, sinew_transform_identity());
        to_model(&r);
        solve_aim(&r, &aim);
        sinew_quat now = sinew_pose_get(r.pose, LOWER).rotation;
        if (i > 0) largest = fmax(largest, angle_between(before, now));
        before = now;
    }
    free_rig(&r);
    return largest;
}

static void test_the_gaze_does_not_jump(void **state) {
    (void)state;
    for (int soft = 0; soft < 2; soft++) {
        double coarse = largest_step(10000, 0.4 * soft), fine = largest_step(20000, 0.4 * soft);
        print_message("%.2g rad a step, and %.2g in half of it\n", coarse, fine);
        assert_true(fine < 0.6 * coarse && coarse < 0.01);
    }
}

static void test_the_middle_is_the_rest_pose(void **state) {
    (void)state;
    uint64_t seed = 10;
    rig r = make_rig(ABOVE_UNEVEN, &seed);
    sinew_ik_aim aim = sinew_ik_aim_from_rest(r.skeleton, UPPER, END, ahead);
    sinew_affine into = sinew_affine_inverse(r.model[BASE]);
    place expected = direction(&into, direction(&r.model[END], wide(ahead)));
    check_near(angle_of(wide(aim.limit_axis), expected), 0.0, 1e-5);
    free_rig(&r);
}

// ---- Weight, and nothing to go by ----------------------------------------------------------------------------

static void test_weight_blends(void **state) {
    (void)state;
    uint64_t seed = 11;
    for (int i = 0; i < RIGS; i++) {
        rig r = make_rig((above)(i % ABOVE_KINDS), &seed);
        sinew_ik_aim aim = sinew_ik_aim_from_rest(r.skeleton, LOWER, LOWER, ahead);
        aim.target = narrow(plus(place_of(&r.model[LOWER]), random_direction(&seed), 2.0));
        rotations before = rotations_of(&r);
        static const float none[] = {0.0f, -2.0f, NAN};
        for (int w = 0; w < 3; w++) {
            aim.weight = none[w];
            sinew_ik_aim_solve(&aim, r.pose, r.model);
            check_unchanged(&r, &before);
        }
        aim.weight = 1.0f;
        sinew_ik_aim_solve(&aim, r.pose, r.model);
        sinew_quat whole = sinew_pose_get(r.pose, LOWER).rotation;
        set_rotation(&r, LOWER, before.q[LOWER]);
        aim.weight = 0.5f;
        sinew_ik_aim_solve(&aim, r.pose, r.model);
        sinew_quat half = sinew_pose_get(r.pose, LOWER).rotation;
        check_near(angle_between(half, before.q[LOWER]), angle_between(half, whole), 1e-5);
        free_rig(&r);
    }
}

static void test_what_there_is_no_answer_to(void **state) {
    (void)state;
    uint64_t seed = 12;
    rig r = make_rig(ABOVE_NOT, &seed);
    rotations before = rotations_of(&r);
    sinew_ik_aim aims[6];
    for (int i = 0; i < 6; i++) {
        aims[i] = sinew_ik_aim_from_rest(r.skeleton, LOWER, LOWER, ahead);
        aims[i].target = (sinew_vec3){1, 2, 3};
    }
    aims[0].target.x = NAN;
    aims[1].target.y = INFINITY;
    aims[2].target = narrow(place_of(&r.model[LOWER])); // no direction
    aims[3].forward = (sinew_vec3){0, 0, 0};
    aims[4].forward.z = NAN;
    aims[5].limit_axis = (sinew_vec3){0, 0, 0};
    aims[5].limit = 1.0f;
    for (int i = 0; i < 6; i++) {
        solve_aim(&r, &aims[i]);
        check_unchanged(&r, &before);
    }
    sinew_ik_aim exactly_behind = sinew_ik_aim_from_rest(r.skeleton, LOWER, LOWER, ahead);
    exactly_behind.target = narrow(plus(place_of(&r.model[LOWER]), sight_of(&r, &exactly_behind), -2.0));
    solve_aim(&r, &exactly_behind);
    check_near(miss_of(&r, &exactly_behind), 0.0, 1e-5);
    check_unit(&r);
    free_rig(&r);
}

// ---- The stack -----------------------------------------------------------------------------------------------

static void make_stack(const rig *r, uint64_t *seed, sinew_ik out[3]) {
    for (int i = 0; i < 3; i++) {
        if (random_next(seed) % 2) {
            out[i].kind = SINEW_IK_TWO_BONE;
            out[i].two_bone = sinew_ik_two_bone_from_rest(r->skeleton, UPPER, LOWER, END);
            out[i].two_bone.target = narrow(random_direction(seed));
            out[i].two_bone.end_mode = (sinew_ik_limb_end)(random_next(seed) % 3);
            out[i].two_bone.end_rotation = random_quat(seed);
        } else {
            out[i].kind = SINEW_IK_AIM;
            out[i].aim = sinew_ik_aim_from_rest(r->skeleton, UPPER + (int32_t)(random_next(seed) % 3), END, ahead);
            out[i].aim.target = narrow(random_direction(seed));
            out[i].aim.weight = 0.7f;
        }
    }
}

// Each on what those before it have made; all matrices are current at the end, to the bit.
static void test_a_stack_is_its_solvers_in_order(void **state) {
    (void)state;
    uint64_t seed = 13;
    for (int i = 0; i < RIGS; i++) {
        uint64_t again = seed;
        rig r = make_rig((above)(i % ABOVE_KINDS), &seed), other = make_rig((above)(i % ABOVE_KINDS), &again);
        sinew_ik stack[3];
        make_stack(&r, &seed, stack);
        sinew_ik_solve(stack, 3, r.pose, r.model);
        for (int k = 0; k < 3; k++) {
            if (stack[k].kind == SINEW_IK_TWO_BONE)
                solve_limb(&other, &stack[k].two_bone);
            else
                solve_aim(&other, &stack[k].aim);
        }
        rotations expected = rotations_of(&other);
        check_unchanged(&r, &expected);
        assert_memory_equal(r.model, other.model, sizeof r.model);
        free_rig(&r);
        free_rig(&other);
    }
}

static void test_an_empty_stack(void **state) {
    (void)state;
    uint64_t seed = 14;
    rig r = make_rig(ABOVE_NOT, &seed);
    rotations before = rotations_of(&r);
    sinew_ik_solve(NULL, 0, r.pose, r.model);
    check_unchanged(&r, &before);
    free_rig(&r);
}

// Spine, neck and head share the turn to what the head looks at, and the last one gets it there.
static void test_a_chain_shares_a_turn(void **state) {
    (void)state;
    uint64_t seed = 15;
    rig r = make_head(&seed);
    const int32_t nodes[3] = {UPPER, LOWER, END};
    const float weights[3] = {0.25f, 0.4f, 1.0f};
    sinew_ik stack[3];
    for (int i = 0; i < 3; i++) {
        stack[i].kind = SINEW_IK_AIM;
        stack[i].aim = sinew_ik_aim_from_rest(r.skeleton, nodes[i], END, ahead);
        stack[i].aim.target = (sinew_vec3){3, 0, 0};
        stack[i].aim.weight = weights[i];
    }
    sinew_ik_solve(stack, 3, r.pose, r.model);
    check_near(miss_of(&r, &stack[2].aim), 0.0, 1e-5);
    for (int i = 0; i < 3; i++) {
        double turned = angle_between(sinew_pose_get(r.pose, nodes[i]).rotation, (sinew_quat){0, 0, 0, 1});
        assert_true(turned > 0.3 && turned < 0.8);
    }
    free_rig(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_points_at_the_target),
        cmocka_unit_test(test_an_eye_further_down),
        cmocka_unit_test(test_a_target_within_the_eye),
        cmocka_unit_test(test_it_turns_no_further_than_it_must),
        cmocka_unit_test(test_up_goes_to_the_sky),
        cmocka_unit_test(test_up_in_line_says_nothing),
        cmocka_unit_test(test_it_stays_within_its_limit),
        cmocka_unit_test(test_the_limit_is_the_parents),
        cmocka_unit_test(test_the_limit_is_softened_by_its_formula),
        cmocka_unit_test(test_what_is_behind_is_let_go_of),
        cmocka_unit_test(test_the_gaze_does_not_jump),
        cmocka_unit_test(test_the_middle_is_the_rest_pose),
        cmocka_unit_test(test_weight_blends),
        cmocka_unit_test(test_what_there_is_no_answer_to),
        cmocka_unit_test(test_a_stack_is_its_solvers_in_order),
        cmocka_unit_test(test_an_empty_stack),
        cmocka_unit_test(test_a_chain_shares_a_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
