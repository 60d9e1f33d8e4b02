// Limbs of two bones: against trigonometry in double, under ancestors of all kinds, at the ends of their reach and where
// there is nothing to go by.
#include "ik_rig.h"

enum { RIGS = 400, TARGETS = 25 };

// ---- Reaching ------------------------------------------------------------------------------------------------

// A place that the limb can reach, since another pose of it is there.
static place somewhere_within(rig *r, uint64_t *seed) {
    rotations now = rotations_of(r);
    set_rotation(r, UPPER, random_quat(seed));
    set_rotation(r, LOWER, random_quat(seed));
    place there = place_of(&r->model[END]);
    set_rotation(r, UPPER, now.q[UPPER]);
    set_rotation(r, LOWER, now.q[LOWER]);
    return there;
}

static sinew_two_bone random_limb(const rig *r, uint64_t *seed) {
    sinew_two_bone limb = sinew_two_bone_default(r->skeleton, UPPER, LOWER, END);
    if (random_next(seed) % 3 == 0) limb.bend_axis = (sinew_vec3){0, 0, 0};
    if (random_next(seed) % 3 == 0) limb.bend_axis = narrow(random_direction(seed));
    limb.pole_weight = random_next(seed) % 2 ? random_float(seed, 0, 1) : 0.0f;
    limb.pole = narrow(plus((place){0, 0, 0}, random_direction(seed), 2.0));
    limb.end_mode = (sinew_limb_end)(random_next(seed) % 3);
    limb.end_rotation = random_quat(seed);
    return limb;
}

static void test_what_is_within_reach_is_reached(void **state) {
    (void)state;
    uint64_t seed = 1;
    double worst = 0.0;
    for (int i = 0; i < RIGS; i++) {
        rig r = make_rig((above)(i % ABOVE_KINDS), &seed);
        for (int t = 0; t < TARGETS; t++) {
            set_rotation(&r, UPPER, random_quat(&seed));
            set_rotation(&r, LOWER, random_quat(&seed));
            sinew_two_bone limb = random_limb(&r, &seed);
            place target = somewhere_within(&r, &seed);
            limb.target = narrow(target);
            double a, b;
            solve_limb(&r, &limb);
            bone_lengths(&r, &a, &b);
            worst = fmax(worst, distance(place_of(&r.model[END]), target) / (a + b));
            check_unit(&r);
        }
        free_rig(&r);
    }
    print_message("the worst is %.2g of the limb's length beside the target\n", worst);
    assert_true(worst < 5e-6);
}

// How far the nearest place within reach is from a target: the end can be on all spheres from |a - b| to a + b.
static double least_miss(double a, double b, double far) {
    return fmax(0.0, fmax(far - (a + b), fabs(a - b) - far));
}

static void test_nearest_where_it_is_out_of_reach(void **state) {
    (void)state;
    uint64_t seed = 2;
    int beyond = 0, within = 0;
    for (int i = 0; i < RIGS; i++) {
        rig r = make_rig((above)(i % ABOVE_UNEVEN), &seed);
        double a, b;
        bone_lengths(&r, &a, &b);
        for (int t = 0; t < TARGETS; t++) {
            set_rotation(&r, UPPER, random_quat(&seed));
            set_rotation(&r, LOWER, random_quat(&seed));
            bone_lengths(&r, &a, &b);
            double far = t % 2 ? (a + b) * random_float(&seed, 1, 3) : fabs(a - b) * random_float(&seed, 0, 1);
            sinew_two_bone limb = random_limb(&r, &seed);
            place target = plus(place_of(&r.model[UPPER]), random_direction(&seed), far);
            limb.target = narrow(target);
            solve_limb(&r, &limb);
            double miss = distance(place_of(&r.model[END]), target);
            check_near(miss, least_miss(a, b, far), 2e-6 * (a + b));
            beyond += far > a + b, within += far < fabs(a - b);
            check_unit(&r);
        }
        free_rig(&r);
    }
    assert_true(beyond > 1000 && within > 1000);
}

static void test_the_angle_is_that_of_the_law_of_cosines(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < RIGS; i++) {
        rig r = make_rig((above)(i % ABOVE_UNEVEN), &seed);
        double a, b;
        set_rotation(&r, LOWER, random_quat(&seed));
        bone_lengths(&r, &a, &b);
        double far = fabs(a - b) + (a + b - fabs(a - b)) * random_float(&seed, 0.05f, 0.95f);
        sinew_two_bone limb = sinew_two_bone_default(r.skeleton, UPPER, LOWER, END);
        place upper = place_of(&r.model[UPPER]);
        limb.target = narrow(plus(upper, random_direction(&seed), far));
        solve_limb(&r, &limb);
        place lower = place_of(&r.model[LOWER]);
        double expected = acos((a * a + b * b - far * far) / (2.0 * a * b));
        check_near(angle_of(minus(upper, lower), minus(place_of(&r.model[END]), lower)), expected, 5e-6);
        free_rig(&r);
    }
}

// The scale of the upper node and of what is below it makes the lower bone longer or shorter as it turns. The target is
// where another bend of the same hinge has the end.
static void test_uneven_scale_within_the_limb(void **state) {
    (void)state;
    uint64_t seed = 4;
    double worst = 0.0;
    for (int i = 0; i < 10 * RIGS; i++) {
        rig r = make_rig((above)(i % ABOVE_KINDS), &seed);
        sinew_transform t = sinew_pose_get(r.pose, UPPER);
        t.scale = (sinew_vec3){random_float(&seed, 1, 2), random_float(&seed, 1, 2), random_float(&seed, 1, 2)};
        sinew_pose_set(r.pose, UPPER, t);
        to_model(&r);

        // The bend as the lower node's parent sees it.
        sinew_affine into = sinew_affine_inverse(r.model[TWIST]);
        place bone = direction(&into, minus(place_of(&r.model[LOWER]), place_of(&r.model[UPPER])));
        place next = direction(&into, minus(place_of(&r.model[END]), place_of(&r.model[LOWER])));
        place hinge = unit(cross(bone, next));
        double bent = angle_of(bone, next), other = random_float(&seed, 0.1f, 3.0f), half = (other - bent) / 2.0;
        sinew_quat turn = {(float)(hinge.x * sin(half)), (float)(hinge.y * sin(half)), (float)(hinge.z * sin(half)),
                           (float)cos(half)};
        rotations before = rotations_of(&r);
        set_rotation(&r, LOWER, sinew_quat_multiply(turn, before.q[LOWER]));
        set_rotation(&r, UPPER, random_quat(&seed));
        place target = place_of(&r.model[END]);
        set_rotation(&r, LOWER, before.q[LOWER]);
        set_rotation(&r, UPPER, before.q[UPPER]);

        sinew_two_bone limb = sinew_two_bone_default(r.skeleton, UPPER, LOWER, END);
        limb.bend_axis = (sinew_vec3){0, 0, 0};
        limb.target = narrow(target);
        solve_limb(&r, &limb);
        double a, b;
        bone_lengths(&r, &a, &b);
        worst = fmax(worst, distance(place_of(&r.model[END]), target) / (a + b));
        free_rig(&r);
    }
    print_message("scaled by 1 to 2 within, the worst is %.2g of the limb's length\n", worst);
    assert_true(worst < 1e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_within_reach_is_reached),
        cmocka_unit_test(test_nearest_where_it_is_out_of_reach),
        cmocka_unit_test(test_the_angle_is_that_of_the_law_of_cosines),
        cmocka_unit_test(test_uneven_scale_within_the_limb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
