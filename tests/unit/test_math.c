// SPDX-License-Identifier: MIT
// Vectors, quaternions, matrices. Expected values are computed here in double, with the C library's trigonometry. The
// library itself doesn't use that.
#include "support/check.h"

#include "base/finite.h"

#include <float.h>

// The matrix that takes a rotation of `radians` about a unit axis (Rodrigues), times scale, plus translation.
static sinew_affine expected_matrix(const double axis[3], double radians, const double scale[3],
                                    const double translation[3]) {
    double c = cos(radians), s = sin(radians), x = axis[0], y = axis[1], z = axis[2];
    double r[3][3] = {
        {c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s},
        {y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s},
        {z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)},
    };
    sinew_affine m;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) m.m[i][j] = (float)(r[i][j] * scale[j]);
        m.m[i][3] = (float)translation[i];
    }
    return m;
}

static void check_affine(sinew_affine a, sinew_affine b, double tolerance) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) check_near(a.m[i][j], b.m[i][j], tolerance);
    }
}

static void test_compose_is_translation_rotation_scale(void **state) {
    (void)state;
    const double axis[3] = {2.0 / 7, 3.0 / 7, 6.0 / 7}, scale[3] = {2, 0.5, -3}, translation[3] = {5, -7, 11};
    for (int halves = -6; halves <= 6; halves++) {
        const double angle = halves / 2.0;
        double s = sin(angle / 2);
        sinew_transform t = {
            {5, -7, 11},
            {(float)(axis[0] * s), (float)(axis[1] * s), (float)(axis[2] * s), (float)cos(angle / 2)},
            {2, 0.5f, -3}};
        check_affine(sinew_affine_from_transform(t), expected_matrix(axis, angle, scale, translation), 2e-6);
    }
}

static void test_products_apply_the_right_one_first(void **state) {
    (void)state;
    // A quarter turn about z takes x to y; then one about x takes y to z.
    sinew_quat first = about_z(PI / 2), then = about_x(PI / 2);
    check_vec3(sinew_quat_rotate(sinew_quat_multiply(then, first), (sinew_vec3){1, 0, 0}), 0, 0, 1, 1e-6);
    sinew_transform a = sinew_transform_identity(), b = sinew_transform_identity();
    a.translation.x = 10;
    a.rotation = then;
    b.rotation = first;
    sinew_affine product = sinew_affine_multiply(sinew_affine_from_transform(a), sinew_affine_from_transform(b));
    check_vec3(sinew_affine_point(product, (sinew_vec3){1, 0, 0}), 10, 0, 1, 1e-6);
    check_vec3(sinew_affine_direction(product, (sinew_vec3){1, 0, 0}), 0, 0, 1, 1e-6);
}

static void test_mat4_is_column_major(void **state) {
    (void)state;
    sinew_affine a = {{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}};
    const float columns[16] = {1, 5, 9, 0, 2, 6, 10, 0, 3, 7, 11, 0, 4, 8, 12, 1};
    sinew_mat4 m = sinew_mat4_from_affine(a);
    assert_memory_equal(m.m, columns, sizeof columns);
    sinew_affine back = sinew_affine_from_mat4(m);
    assert_memory_equal(&back, &a, sizeof a);
}

// Against the sum that the product is, written out; the fourth row of a projection takes part.
static void test_4x4_matrices_multiply(void **state) {
    (void)state;
    sinew_mat4 a, b;
    for (int i = 0; i < 16; i++) a.m[i] = (float)(i * i % 7) - 3.0f, b.m[i] = (float)(i * 5 % 11) - 4.0f;
    sinew_mat4 product = sinew_mat4_multiply(a, b);
    for (int row = 0; row < 4; row++) {
        for (int column = 0; column < 4; column++) {
            double sum = 0;
            for (int k = 0; k < 4; k++) sum += (double)a.m[4 * k + row] * (double)b.m[4 * column + k];
            assert_true((double)product.m[4 * column + row] == sum); // whole numbers: no rounding
        }
    }
}

static void test_inverse_undoes(void **state) {
    (void)state;
    uint64_t random = 1;
    for (int i = 0; i < 1000; i++) {
        sinew_transform t = {
            {random_float(&random, -9, 9), random_float(&random, -9, 9), random_float(&random, -9, 9)},
            random_quat(&random),
            {random_float(&random, 0.2f, 3), -random_float(&random, 0.2f, 3), 1}};
        sinew_affine m = sinew_affine_from_transform(t);
        check_affine(sinew_affine_multiply(sinew_affine_inverse(m), m), sinew_affine_identity(), 2e-5);
    }
}

static void test_decompose_undoes_compose(void **state) {
    (void)state;
    uint64_t random = 2;
    for (int i = 0; i < 2000; i++) {
        sinew_transform t = {
            {random_float(&random, -9, 9), random_float(&random, -9, 9), random_float(&random, -9, 9)},
            random_quat(&random),
            {random_float(&random, 0.1f, 4), random_float(&random, 0.1f, 4), random_float(&random, 0.1f, 4)}};
        if (i % 3 == 1) t.scale.x = -t.scale.x; // mirrored: comes back as a negative x
        sinew_transform back = sinew_affine_decompose(sinew_affine_from_transform(t));
        check_vec3(back.translation, t.translation.x, t.translation.y, t.translation.z, 0);
        check_vec3(back.scale, t.scale.x, t.scale.y, t.scale.z, 4e-6);
        assert_true(angle_between(back.rotation, t.rotation) < 4e-6);
    }
}

static void test_decompose_takes_any_half_turn(void **state) {
    (void)state;
    // Rotations by 180 degrees have w = 0: the quaternion must come from its largest component.
    const double axes[6][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.6, 0.8, 0}, {0, 0.6, 0.8}, {0.8, 0, 0.6}};
    const double one[3] = {1, 1, 1}, none[3] = {0, 0, 0};
    for (int i = 0; i < 6; i++) {
        sinew_transform t = sinew_affine_decompose(expected_matrix(axes[i], PI, one, none));
        sinew_quat expected = {(float)axes[i][0], (float)axes[i][1], (float)axes[i][2], 0};
        assert_true(angle_between(t.rotation, expected) < 2e-6);
    }
}

static void test_decompose_takes_a_scale_of_zero(void **state) {
    (void)state;
    uint64_t random = 3;
    for (int zeros = 1; zeros < 8; zeros++) {
        sinew_transform t = {{1, 2, 3}, random_quat(&random), {2, 3, 4}};
        if (zeros & 1) t.scale.x = 0;
        if (zeros & 2) t.scale.y = 0;
        if (zeros & 4) t.scale.z = 0;
        sinew_affine m = sinew_affine_from_transform(t);
        sinew_transform back = sinew_affine_decompose(m);
        check_near(sqrt((double)back.rotation.x * back.rotation.x + (double)back.rotation.y * back.rotation.y +
                        (double)back.rotation.z * back.rotation.z + (double)back.rotation.w * back.rotation.w),
                   1, 1e-6);
        check_affine(sinew_affine_from_transform(back), m, 2e-6);
    }
}

static void test_normalize(void **state) {
    (void)state;
    sinew_quat q = sinew_quat_normalize((sinew_quat){3, 0, 0, 4});
    check_near(q.x, 0.6, 1e-7);
    check_near(q.w, 0.8, 1e-7);
    q = sinew_quat_normalize((sinew_quat){0, 0, 0, 0});
    assert_true(q.x == 0 && q.y == 0 && q.z == 0 && q.w == 1);
}

// The definition, in double: sin((1-t)a) / sin(a) × p + sin(ta) / sin(a) × q (glTF 2.0, appendix C.4).
static void slerp_exactly(const double p[4], const double q[4], double t, double out[4]) {
    double d = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3], side = d < 0 ? -1 : 1;
    double cx = 0; // the chord gives the angle without the loss that acos has near 1
    for (int i = 0; i < 4; i++) cx += (p[i] - side * q[i]) * (p[i] - side * q[i]);
    double a = 2 * asin(fmin(1, sqrt(cx) / 2));
    for (int i = 0; i < 4; i++) {
        out[i] = a < 1e-9 ? p[i] + t * (side * q[i] - p[i])
                          : (sin((1 - t) * a) * p[i] + side * sin(t * a) * q[i]) / sin(a);
    }
}

static double slerp_error(sinew_quat a, sinew_quat b, float t) {
    double p[4] = {a.x, a.y, a.z, a.w}, q[4] = {b.x, b.y, b.z, b.w}, exact[4], chord = 0;
    double lp = 0, lq = 0; // the inputs are unit to within float rounding: make them so in double
    for (int i = 0; i < 4; i++) lp += p[i] * p[i], lq += q[i] * q[i];
    for (int i = 0; i < 4; i++) p[i] /= sqrt(lp), q[i] /= sqrt(lq);
    slerp_exactly(p, q, (double)t, exact);
    sinew_quat r = sinew_quat_slerp(a, b, t);
    double got[4] = {r.x, r.y, r.z, r.w};
    double d = 0;
    for (int i = 0; i < 4; i++) d += got[i] * exact[i];
    for (int i = 0; i < 4; i++)
        chord += (got[i] - copysign(1, d) * exact[i]) * (got[i] - copysign(1, d) * exact[i]);
    return 4 * asin(sqrt(chord) / 2);
}

static void test_slerp_is_within_a_millionth_of_a_radian(void **state) {
    (void)state;
    uint64_t random = 4;
    double worst = 0;
    for (int i = 0; i < 400000; i++) {
        sinew_quat a = random_quat(&random), b = random_quat(&random);
        if (i % 2) { // near ones too, down to none apart
            float near = powf(10.0f, -random_float(&random, 0, 7));
            b = sinew_quat_normalize(
                (sinew_quat){a.x + near * b.x, a.y + near * b.y, a.z + near * b.z, a.w + near * b.w});
        }
        double d = (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z + (double)a.w * b.w;
        if (fabs(d) < 1e-3) continue; // a half turn apart: either way round is right
        double error = slerp_error(a, b, random_float(&random, 0, 1));
        if (error > worst) worst = error;
    }
    print_message("largest error of slerp: %.3g rad\n", worst);
    assert_true(worst < 1e-6);
}

static void test_slerp_takes_the_shorter_arc(void **state) {
    (void)state; // pitfall 10: without the sign test this goes 340 degrees round
    sinew_quat a = about_y(0.1), b = about_y(0.1 + 20 * PI / 180);
    sinew_quat minus_b = {-b.x, -b.y, -b.z, -b.w};
    sinew_quat middle = about_y(0.1 + 10 * PI / 180);
    assert_true(angle_between(sinew_quat_slerp(a, b, 0.5f), middle) < 1e-6);
    assert_true(angle_between(sinew_quat_slerp(a, minus_b, 0.5f), middle) < 1e-6);
}

static void test_slerp_has_constant_speed(void **state) {
    (void)state; // 170 degrees: a normalised lerp would be 13 degrees off at a quarter of the way
    sinew_quat a = about_x(0), b = about_x(170 * PI / 180);
    for (int i = 0; i <= 16; i++) {
        sinew_quat expected = about_x(170 * PI / 180 * i / 16);
        assert_true(angle_between(sinew_quat_slerp(a, b, (float)i / 16), expected) < 1e-6);
    }
}

// ---- Helpers for cameras and editing, against closed forms in double -------------------------------------------

static void test_vector_operations(void **state) {
    (void)state;
    const sinew_vec3 a = {1, -2, 3}, b = {4, 0.5f, -6};
    check_vec3(sinew_vec3_add(a, b), 5, -1.5, -3, 0);
    check_vec3(sinew_vec3_subtract(a, b), -3, -2.5, 9, 0);
    check_vec3(sinew_vec3_scale(a, -2), -2, 4, -6, 0);
    check_near(sinew_vec3_dot(a, b), 4 - 1 - 18, 0);
    check_vec3(sinew_vec3_cross(a, b), 12 - 1.5, 12 + 6, 0.5 + 8, 0);
    check_vec3(sinew_vec3_cross((sinew_vec3){1, 0, 0}, (sinew_vec3){0, 1, 0}), 0, 0, 1, 0);
    check_vec3(sinew_vec3_lerp(a, b, 0.25f), 1.75, -1.375, 0.75, 0);
    const sinew_vec3 large = {1e30f, 3, -7}, small = {0.1f, 0.2f, 0.3f};
    check_vec3(sinew_vec3_lerp(large, small, 0), large.x, 3, -7, 0);
    check_vec3(sinew_vec3_lerp(large, small, 1), small.x, small.y, small.z, 0);
}

static void test_lengths_of_every_size(void **state) {
    (void)state;
    check_near(sinew_vec3_length((sinew_vec3){2, -3, 6}), 7, 0);
    const float sizes[] = {1e-44f, 1e-30f, 1e-20f, 1, 1e20f, 1e37f};
    for (int i = 0; i < 6; i++) {
        sinew_vec3 v = {2 * sizes[i], -3 * sizes[i], 6 * sizes[i]};
        double exact = sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
        check_near(sinew_vec3_length(v) / exact, 1, i == 0 ? 0.1 : 1e-7);
        check_vec3(sinew_vec3_normalize(v), v.x / exact, v.y / exact, v.z / exact, 1e-7);
    }
    check_vec3(sinew_vec3_normalize((sinew_vec3){0, 0, 0}), 0, 0, 0, 0);
    assert_true(isnan(sinew_vec3_length((sinew_vec3){NAN, 0, 0})));
    assert_true(isnan(sinew_vec3_normalize((sinew_vec3){1, NAN, 0}).x));
}

static void check_quat(sinew_quat q, double x, double y, double z, double w, double tolerance) {
    check_near(q.x, x, tolerance);
    check_near(q.y, y, tolerance);
    check_near(q.z, z, tolerance);
    check_near(q.w, w, tolerance);
}

static void test_axis_and_angle(void **state) {
    (void)state;
    uint64_t random = 7;
    for (int i = 0; i < 200000; i++) {
        float reach = i % 4 == 0 ? 1e6f : i % 4 == 1 ? 1e-3f : 7;
        float angle = random_float(&random, -reach, reach), size = powf(10, random_float(&random, -15, 15));
        sinew_vec3 axis = {random_float(&random, -1, 1), random_float(&random, -1, 1),
                           random_float(&random, -1, 1)};
        double length = sqrt((double)axis.x * axis.x + (double)axis.y * axis.y + (double)axis.z * axis.z);
        if (length < 0.1) continue;
        double s = sin((double)angle / 2) / length;
        sinew_quat q = sinew_quat_from_axis_angle(sinew_vec3_scale(axis, size), angle);
        check_quat(q, s * axis.x, s * axis.y, s * axis.z, cos((double)angle / 2), 1e-7);
    }
    // A quarter turn about +Y brings +Z to +X.
    sinew_quat quarter = sinew_quat_from_axis_angle((sinew_vec3){0, 3, 0}, (float)(PI / 2));
    check_vec3(sinew_quat_rotate(quarter, (sinew_vec3){0, 0, 1}), 1, 0, 0, 1e-6);
    check_quat(sinew_quat_from_axis_angle((sinew_vec3){0, 0, 0}, 1), 0, 0, 0, 1, 0);
    assert_true(isnan(sinew_quat_from_axis_angle((sinew_vec3){1, 0, 0}, INFINITY).w));
    sinew_quat huge = sinew_quat_from_axis_angle((sinew_vec3){1, 0, 0}, 3e38f);
    check_near((double)huge.x * huge.x + (double)huge.w * huge.w, 1, 1e-6);
}

static void test_conjugate_is_the_inverse(void **state) {
    (void)state;
    uint64_t random = 8;
    for (int i = 0; i < 100; i++) {
        sinew_quat q = random_quat(&random);
        check_quat(sinew_quat_multiply(q, sinew_quat_conjugate(q)), 0, 0, 0, 1, 1e-6);
    }
}

// Both vectors at an angle that is known, down to parallel and up to opposite: the components of the quaternion are the
// axis times the sine of half the angle between the rounded vectors, and its cosine.
static void test_between_directions(void **state) {
    (void)state;
    uint64_t random = 9;
    for (int i = 0; i < 100000; i++) {
        sinew_vec3 a = {random_float(&random, -1, 1), random_float(&random, -1, 1), random_float(&random, -1, 1)};
        sinew_vec3 b = {random_float(&random, -1, 1), random_float(&random, -1, 1), random_float(&random, -1, 1)};
        if (sinew_vec3_length(a) < 0.1f || sinew_vec3_length(b) < 0.1f) continue;
        if (i % 3 > 0) { // nearly parallel, nearly opposite
            float side = i % 3 == 1 ? 1.0f : -1.0f, near = powf(10, -random_float(&random, 0, 8));
            b = sinew_vec3_add(sinew_vec3_scale(a, side), sinew_vec3_scale(b, near));
        }
        double c[3] = {(double)a.y * b.z - (double)a.z * b.y, (double)a.z * b.x - (double)a.x * b.z,
                       (double)a.x * b.y - (double)a.y * b.x};
        double sine = sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
        double half = 0.5 * atan2(sine, (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z);
        if (sine < 1e-12) continue;
        double s = sin(half) / sine;
        check_quat(sinew_quat_between(a, b), s * c[0], s * c[1], s * c[2], cos(half), 2e-7);
    }
    const sinew_vec3 sides[] = {{1, 0, 0}, {0, -2, 0}, {0, 0, 3}, {0.1f, 0.2f, -0.3f}};
    for (int i = 0; i < 4; i++) {
        sinew_vec3 back = sinew_vec3_scale(sides[i], -5);
        sinew_vec3 unit = sinew_vec3_normalize(back);
        sinew_quat q = sinew_quat_between(sides[i], back);
        check_vec3(sinew_quat_rotate(q, sinew_vec3_normalize(sides[i])), unit.x, unit.y, unit.z, 1e-6);
        check_near(q.w, 0, 1e-7);
    }
    check_quat(sinew_quat_between((sinew_vec3){0, 0, 0}, (sinew_vec3){1, 0, 0}), 0, 0, 0, 1, 0);
}

// Axes from the definition: z against the direction of view, x at right angles to `up`.
static void axes_exactly(sinew_vec3 forward, sinew_vec3 up, double axes[3][3]) {
    double f[3] = {forward.x, forward.y, forward.z}, u[3] = {up.x, up.y, up.z}, length = 0, across = 0;
    for (int i = 0; i < 3; i++) length += f[i] * f[i];
    for (int i = 0; i < 3; i++) axes[2][i] = -f[i] / sqrt(length);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        axes[0][i] = u[j] * axes[2][k] - u[k] * axes[2][j];
    }
    for (int i = 0; i < 3; i++) across += axes[0][i] * axes[0][i];
    for (int i = 0; i < 3; i++) axes[0][i] /= sqrt(across);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        axes[1][i] = axes[2][j] * axes[0][k] - axes[2][k] * axes[0][j];
    }
}

static void test_look_at(void **state) {
    (void)state;
    uint64_t random = 10;
    for (int i = 0; i < 20000; i++) {
        sinew_vec3 eye = {random_float(&random, -9, 9), random_float(&random, -9, 9), random_float(&random, -9, 9)};
        sinew_vec3 target = {random_float(&random, -9, 9), random_float(&random, -9, 9),
                             random_float(&random, -9, 9)};
        sinew_vec3 up = {random_float(&random, -2, 2), random_float(&random, -2, 2), random_float(&random, -2, 2)};
        sinew_vec3 forward = sinew_vec3_subtract(target, eye);
        double across = sinew_vec3_length(sinew_vec3_cross(forward, up));
        if (across < 1e-2 * sinew_vec3_length(forward) * sinew_vec3_length(up) || across < 1e-3) continue;
        double axes[3][3];
        axes_exactly(forward, up, axes);
        sinew_quat q = sinew_quat_look_at(forward, up);
        check_vec3(sinew_quat_rotate(q, (sinew_vec3){1, 0, 0}), axes[0][0], axes[0][1], axes[0][2], 1e-6);
        check_vec3(sinew_quat_rotate(q, (sinew_vec3){0, 1, 0}), axes[1][0], axes[1][1], axes[1][2], 1e-6);
        check_vec3(sinew_quat_rotate(q, (sinew_vec3){0, 0, -1}), -axes[2][0], -axes[2][1], -axes[2][2], 1e-6);
        sinew_mat4 view = sinew_mat4_look_at(eye, target, up);
        for (int row = 0; row < 3; row++) {
            double offset = axes[row][0] * eye.x + axes[row][1] * eye.y + axes[row][2] * eye.z;
            for (int k = 0; k < 3; k++) check_near(view.m[4 * k + row], axes[row][k], 1e-7);
            check_near(view.m[12 + row], -offset, 2e-6);
            check_near(view.m[4 * row + 3], 0, 0);
        }
        check_near(view.m[15], 1, 0);
    }
}

static void check_is_rotation(sinew_mat4 m) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++) sum += (double)m.m[4 * i + k] * m.m[4 * j + k];
            check_near(sum, i == j, 1e-6);
        }
    }
}

static void test_look_at_without_a_direction(void **state) {
    (void)state;
    const sinew_vec3 eye = {1, 2, 3}, up = {0, 1, 0};
    sinew_mat4 view = sinew_mat4_look_at(eye, eye, up); // along -Z
    const float expected[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, -2, -3, 1};
    for (int i = 0; i < 16; i++) check_near(view.m[i], expected[i], 0);
    check_quat(sinew_quat_look_at((sinew_vec3){0, 0, 0}, up), 0, 0, 0, 1, 0);
    const sinew_vec3 ups[] = {{0, 5, 0}, {0, -5, 0}, {0, 0, 0}};
    for (int i = 0; i < 3; i++) { // up is parallel to the direction of view, or 0
        view = sinew_mat4_look_at(eye, (sinew_vec3){1, 9, 3}, ups[i]);
        check_is_rotation(view);
        check_near(view.m[6], -1, 1e-7); // the camera's z in world space is -Y
        check_vec3(sinew_quat_rotate(sinew_quat_look_at((sinew_vec3){0, 7, 0}, ups[i]), (sinew_vec3){0, 0, -1}), 0,
                   1, 0, 1e-6);
    }
    assert_true(isnan(sinew_mat4_look_at(eye, (sinew_vec3){NAN, 0, 0}, up).m[0]));
}

// Where a projection puts a point, after the division by w.
static void project(sinew_mat4 m, double x, double y, double z, double out[3]) {
    double in[4] = {x, y, z, 1}, clip[4] = {0};
    for (int row = 0; row < 4; row++) {
        for (int k = 0; k < 4; k++) clip[row] += (double)m.m[4 * k + row] * in[k];
    }
    for (int i = 0; i < 3; i++) out[i] = clip[i] / clip[3];
}

static void test_perspective(void **state) {
    (void)state;
    const float angles[] = {0.01f, 0.5f, 1, 1.5707964f, 3};
    for (int i = 0; i < 5; i++) {
        double slope = tan((double)angles[i] / 2), out[3];
        for (int zero = 0; zero < 2; zero++) {
            sinew_depth_range depth = zero ? SINEW_DEPTH_ZERO_TO_ONE : SINEW_DEPTH_MINUS_ONE_TO_ONE;
            sinew_mat4 m = sinew_mat4_perspective(angles[i], 2, 0.5f, 100, depth);
            project(m, 2 * slope * 0.5, slope * 0.5, -0.5, out); // the upper right corner of the near plane
            check_near(out[0], 1, 1e-6);
            check_near(out[1], 1, 1e-6);
            check_near(out[2], zero ? 0 : -1, 1e-5);
            project(m, -2 * slope * 100, -slope * 100, -100, out); // the lower left one of the far plane
            check_near(out[0], -1, 1e-6);
            check_near(out[1], -1, 1e-6);
            check_near(out[2], 1, 1e-5);
            sinew_mat4 infinite = sinew_mat4_perspective(angles[i], 2, 0.5f, INFINITY, depth);
            project(infinite, 0, 0, -0.5, out);
            check_near(out[2], zero ? 0 : -1, 1e-6);
            project(infinite, 0, 0, -1e6, out);
            check_near(out[2], 1, 2e-6);
        }
    }
}

static void test_orthographic(void **state) {
    (void)state;
    for (int zero = 0; zero < 2; zero++) {
        sinew_mat4 m =
            sinew_mat4_orthographic(3, 2, -1, 7, zero ? SINEW_DEPTH_ZERO_TO_ONE : SINEW_DEPTH_MINUS_ONE_TO_ONE);
        double out[3];
        project(m, 3, -2, 1, out);
        check_near(out[0], 1, 1e-6);
        check_near(out[1], -1, 1e-6);
        check_near(out[2], zero ? 0 : -1, 1e-6);
        project(m, -1.5, 1, -7, out);
        check_near(out[0], -0.5, 1e-6);
        check_near(out[1], 0.5, 1e-6);
        check_near(out[2], 1, 1e-6);
    }
}

// Everything's bits, on any machine. The C library's trigonometry differs between machines.
static void test_the_same_bits_everywhere(void **state) {
    (void)state;
    uint64_t random = 11, hash = 0xcbf29ce484222325u;
    for (int i = 0; i < 10000; i++) {
        sinew_vec3 a = {random_float(&random, -9, 9), random_float(&random, -9, 9), random_float(&random, -9, 9)};
        sinew_vec3 b = {random_float(&random, -9, 9), random_float(&random, -9, 9), random_float(&random, -9, 9)};
        float angle = random_float(&random, 0.01f, 3);
        struct {
            sinew_quat q[3];
            sinew_mat4 m[2];
        } all = {{sinew_quat_from_axis_angle(a, 100 * angle), sinew_quat_between(a, b), sinew_quat_look_at(a, b)},
                 {sinew_mat4_look_at(a, b, (sinew_vec3){0, 1, 0}),
                  sinew_mat4_perspective(angle, 1.5f, 0.1f, 100, SINEW_DEPTH_ZERO_TO_ONE)}};
        const unsigned char *bytes = (const unsigned char *)&all;
        for (size_t k = 0; k < sizeof all; k++) hash = (hash ^ bytes[k]) * 0x100000001b3u;
    }
    assert_true(hash == UINT64_C(0x3896470d46b8d325));
}

// The simple loop is the reference, for every count around the number of lanes and every position of the largest.
static void test_largest_magnitude(void **state) {
    (void)state;
    static const float candidates[] = {-7.5f, FLT_MAX, -INFINITY, -NAN};
    float values[40];
    for (size_t count = 1; count <= 40; count++) {
        for (size_t at = 0; at < count; at++) {
            for (size_t i = 0; i < count; i++) values[i] = i % 2 == 0 ? -0.0f : -FLT_TRUE_MIN * (float)i;
            for (size_t c = 0; c < sizeof candidates / sizeof candidates[0]; c++) {
                values[at] = candidates[c];
                float found = sinewi_largest_magnitude(values, count), expected = fabsf(candidates[c]);
                assert_memory_equal(&found, &expected, sizeof found);
            }
        }
    }
    assert_true(sinewi_largest_magnitude(values, 0) == 0.0f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compose_is_translation_rotation_scale),
        cmocka_unit_test(test_products_apply_the_right_one_first),
        cmocka_unit_test(test_mat4_is_column_major),
        cmocka_unit_test(test_inverse_undoes),
        cmocka_unit_test(test_decompose_undoes_compose),
        cmocka_unit_test(test_decompose_takes_any_half_turn),
        cmocka_unit_test(test_decompose_takes_a_scale_of_zero),
        cmocka_unit_test(test_normalize),
        cmocka_unit_test(test_slerp_is_within_a_millionth_of_a_radian),
        cmocka_unit_test(test_slerp_takes_the_shorter_arc),
        cmocka_unit_test(test_4x4_matrices_multiply),
        cmocka_unit_test(test_slerp_has_constant_speed),
        cmocka_unit_test(test_vector_operations),
        cmocka_unit_test(test_lengths_of_every_size),
        cmocka_unit_test(test_axis_and_angle),
        cmocka_unit_test(test_conjugate_is_the_inverse),
        cmocka_unit_test(test_between_directions),
        cmocka_unit_test(test_look_at),
        cmocka_unit_test(test_look_at_without_a_direction),
        cmocka_unit_test(test_perspective),
        cmocka_unit_test(test_orthographic),
        cmocka_unit_test(test_largest_magnitude),
        cmocka_unit_test(test_the_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
