// SPDX-License-Identifier: MIT
// Rotation vectors to quaternions and back, against libm in double.
#include "support/exact.h"

#include "base/rotation_vector.h"

#define STEPS 20000

// The polynomials' own errors, stated in rotation_vector.h, and the rounding of floats on top.
#define TOLERANCE      3e-7
#define WIDE_TOLERANCE 8e-7 // past half a turn, where the terms of the series are larger

static double exponential_error(sinew_vec3 r) {
    sinew_quat q = sinewi_rotation_exponential(r);
    check_near(exact_norm(exact_rotation(q)), 1, 2e-7);
    return exact_angle(exact_rotation(q), exact_exponential(exact_vec(r)));
}

static void exponentials_are_those_of_libm(void **unused) {
    (void)unused;
    uint64_t state = 1;
    double worst = 0, worst_beyond = 0;
    for (int i = 0; i <= STEPS; i++) {
        double length = 1.5 * PI * i / STEPS;
        double error = exponential_error(vec3_along(random_direction(&state), length));
        if (length <= PI) worst = fmax(worst, error);
        worst_beyond = fmax(worst_beyond, error);
    }
    print_message("          exponential: %.3g rad, up to 270 degrees %.3g rad\n", worst, worst_beyond);
    check_near(worst, 0, TOLERANCE);
    check_near(worst_beyond, 0, WIDE_TOLERANCE);
}

static void small_exponentials_keep_their_digits(void **unused) {
    (void)unused;
    uint64_t state = 2;
    for (int power = 0; power < 181; power++) {
        const double length = 1e-2 * pow(0.7, power); // to 1e-30
        sinew_vec3 r = vec3_along(random_direction(&state), length);
        sinew_quat q = sinewi_rotation_exponential(r);
        exact_quat wanted = exact_exponential(exact_vec(r));
        check_near(q.x, wanted.x, 5e-7 * length);
        check_near(q.y, wanted.y, 5e-7 * length);
        check_near(q.z, wanted.z, 5e-7 * length);
    }
    sinew_quat one = sinewi_rotation_exponential((sinew_vec3){0, 0, 0});
    assert_true(one.x == 0 && one.y == 0 && one.z == 0 && one.w == 1);
}

static void far_exponentials_are_rotations_still(void **unused) {
    (void)unused;
    uint64_t state = 3;
    for (int power = 0; power < 308; power++) {
        const double length = 1.5 * PI * pow(1.01, power); // to 100
        sinew_quat q = sinewi_rotation_exponential(vec3_along(random_direction(&state), length));
        check_near(exact_norm(exact_rotation(q)), 1, 2e-7);
    }
}

static void logarithms_are_those_of_libm(void **unused) {
    (void)unused;
    uint64_t state = 4;
    double worst = 0;
    for (int i = 0; i <= STEPS; i++) {
        exact_vec3 turn = exact_add((exact_vec3){0, 0, 0}, random_direction(&state), PI * i / STEPS);
        sinew_quat q = rounded(exact_exponential(turn));
        if (q.w < 0.0f) q.w = 0.0f; // half a turn, rounded
        sinew_vec3 r = sinewi_rotation_logarithm(q);
        worst = fmax(worst, exact_length(exact_add(exact_vec(r), exact_logarithm(exact_rotation(q)), -1)));
        sinew_vec3 other = sinewi_rotation_logarithm((sinew_quat){-q.x, -q.y, -q.z, -q.w});
        if (q.w > 0.0f) assert_memory_equal(&r, &other, sizeof r);
    }
    print_message("          logarithm: %.3g rad\n", worst);
    check_near(worst, 0, 5e-7); // a float quaternion is unit to 6e-8, which is 1.9e-7 of half a turn
}

static void small_logarithms_keep_their_digits(void **unused) {
    (void)unused;
    uint64_t state = 5;
    for (int power = 0; power < 181; power++) {
        const double length = 1e-2 * pow(0.7, power); // to 1e-30
        exact_vec3 turn = exact_add((exact_vec3){0, 0, 0}, random_direction(&state), length);
        sinew_vec3 r = sinewi_rotation_logarithm(rounded(exact_exponential(turn)));
        check_near(exact_length(exact_add(exact_vec(r), turn, -1)), 0, 5e-7 * length);
    }
    sinew_vec3 none = sinewi_rotation_logarithm((sinew_quat){0, 0, 0, 1});
    assert_true(none.x == 0 && none.y == 0 && none.z == 0);
}

static void a_half_turn_is_pi_long(void **unused) {
    (void)unused;
    sinew_vec3 r = sinewi_rotation_logarithm((sinew_quat){0, 1, 0, 0});
    check_vec3(r, 0, PI, 0, 2e-7);
    sinew_quat q = sinewi_rotation_exponential((sinew_vec3){0, (float)PI, 0});
    check_near(exact_angle(exact_rotation(q), (exact_quat){0, 1, 0, 0}), 0, TOLERANCE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exponentials_are_those_of_libm),
        cmocka_unit_test(small_exponentials_keep_their_digits),
        cmocka_unit_test(far_exponentials_are_rotations_still),
        cmocka_unit_test(logarithms_are_those_of_libm),
        cmocka_unit_test(small_logarithms_keep_their_digits),
        cmocka_unit_test(a_half_turn_is_pi_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
