// SPDX-License-Identifier: MIT
// The measure of steps, computed by hand.
#include "support/check.h"
#include "continuity/continuity.h"

// Three nodes in a chain, 1 m above each other: the middle of 0, 1 and 2 m is 1 m, and the farthest is 1 m from there.
#define SIZE 1.0

static sinew_skeleton *chain;
static sinew_continuity *continuity;

static int begin(void **state) {
    (void)state;
    chain = make_chain(3);
    return sinew_continuity_create(chain, NULL, &continuity) != SINEW_OK;
}

static int end(void **state) {
    (void)state;
    sinew_continuity_destroy(continuity);
    sinew_skeleton_destroy(chain);
    return 0;
}

static sinew_jump measure_model(const sinew_affine *model, float dt) {
    const sinew_continuity_frame frame = {
        .model = model, .root = (sinew_root_delta){.rotation = {0, 0, 0, 1}}, .dt = dt};
    return sinew_continuity_measure(continuity, &frame);
}

static sinew_jump measure(float x0, float x1, float z2, float dt) {
    sinew_affine model[3] = {sinew_affine_identity(), sinew_affine_identity(), sinew_affine_identity()};
    model[0].m[0][3] = x0;
    model[1].m[0][3] = x1, model[1].m[1][3] = 1.0f;
    model[2].m[2][3] = z2, model[2].m[1][3] = 2.0f;
    return measure_model(model, dt);
}

static void check_jump(sinew_jump jump, double position, int32_t position_node, double velocity,
                       int32_t velocity_node) {
    check_near(jump.position, position, 1e-6 + 1e-6 * fabs(position));
    check_near(jump.point, position, 1e-6 + 1e-6 * fabs(position));
    check_near(jump.velocity, velocity, 1e-5 + 1e-6 * fabs(velocity));
    check_near(jump.rotation, 0, 1e-6);
    assert_int_equal(jump.position_node, position_node);
    if (velocity > 0.0) assert_int_equal(jump.velocity_node, velocity_node);
}

static void positions_count_from_the_second_frame_and_velocities_from_the_third(void **state) {
    (void)state;
    check_jump(measure(5, 0, 0, 0.1f), 0, -1, 0, -1);
    check_jump(measure(5, 0.5f, 0.25f, 0.1f), 0.5, 1, 0, -1);
    check_near(sinew_continuity_node_step(continuity, 2), 0.25, 1e-6);
    // Node 1 continues at 5 m/s; node 2 goes from 2.5 to -7.5 m/s: 0.75 m back in 0.1 s.
    check_jump(measure(5, 1, -0.5f, 0.1f), 0.75, 2, 10, 2);
    // A frame of twice the time and twice the distance has the same velocity.
    check_jump(measure(5, 2, -2, 0.2f), 1.5, 2, 0, -1); // rounding
    check_jump(measure(5, 2, -2, 0.2f), 0, -1, 7.5, 2);
}

static void a_restart_forgets_all_frames(void **state) {
    (void)state;
    measure(0, 0, 0, 0.1f);
    measure(1, 0, 0, 0.1f);
    sinew_continuity_restart(continuity);
    assert_true(sinew_continuity_node_step(continuity, 0) == 0.0f);
    check_jump(measure(-9, 3, 4, 0.1f), 0, -1, 0, -1);
    check_jump(measure(-9, 3, 5, 0.1f), 1, 2, 0, -1);
    check_jump(measure(-9, 3, 5, 0.1f), 0, -1, 10, 2);
}

// A leaf that turns in its place moves two of its points by a chord at a tenth of the height: 0.2 m.
static void rotations_of_leaves_are_seen(void **state) {
    (void)state;
    measure(0, 0, 0, 0.1f);
    for (int degrees = 90; degrees <= 180; degrees += 90) {
        sinew_affine model[3] = {sinew_affine_identity(), sinew_affine_identity(), sinew_affine_identity()};
        sinew_continuity_restart(continuity);
        model[1].m[1][3] = 1.0f;
        model[2].m[1][3] = 2.0f;
        measure_model(model, 0.1f);
        sinew_transform turned = sinew_transform_identity();
        turned.rotation = about_y(degrees * PI / 180.0);
        turned.translation.y = 2.0f;
        model[2] = sinew_affine_from_transform(turned);
        sinew_jump jump = measure_model(model, 0.1f);
        check_near(jump.rotation, degrees, 1e-2);
        check_near(jump.point, 0.2 * 2.0 * sin(degrees * PI / 360.0), 1e-5);
        check_near(jump.position, 0, 0);
        assert_int_equal(jump.rotation_node, 2);
        assert_int_equal(jump.point_node, 2);
        assert_int_equal(jump.position_node, SINEW_NO_NODE);
    }
}

// The points keep their distance at another scale of the model, and follow the node's own scale.
static void scales_of_leaves_are_seen(void **state) {
    (void)state;
    measure(0, 0, 0, 0.1f);
    sinew_affine model[3] = {sinew_affine_identity(), sinew_affine_identity(), sinew_affine_identity()};
    model[1].m[1][3] = 1.0f;
    model[2].m[1][3] = 2.0f;
    model[2].m[0][0] = 3.0f;
    sinew_jump jump = measure_model(model, 0.1f);
    check_near(jump.point, 0.4, 1e-6);
    check_near(jump.rotation, 0, 1e-6);
    assert_int_equal(jump.point_node, 2);
}

static void morph_weights_and_the_root_are_seen(void **state) {
    (void)state;
    sinew_node_def node = {.parent = SINEW_NO_NODE, .rest = sinew_transform_identity(), .weight_count = 2};
    sinew_skeleton_def def = sinew_skeleton_default();
    def.nodes = &node;
    def.node_count = 1;
    sinew_skeleton *skeleton;
    sinew_continuity *of_one;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    assert_int_equal(sinew_continuity_create(skeleton, NULL, &of_one), SINEW_OK);
    const sinew_affine model = sinew_affine_identity();
    float weights[2] = {0.5f, 0.25f};
    sinew_continuity_frame frame = {&model, weights, (sinew_root_delta){.rotation = {0, 0, 0, 1}}, 0.1f};
    frame.root.translation.z = 0.2f; // 2 m/s
    sinew_jump jump = sinew_continuity_measure(of_one, &frame);
    assert_true(jump.weight == 0.0f && jump.root == 0.0f && jump.weight_index == -1);
    weights[1] = 1.0f;
    jump = sinew_continuity_measure(of_one, &frame);
    check_near(jump.weight, 0.75, 1e-6);
    assert_int_equal(jump.weight_index, 1);
    assert_true(jump.root == 0.0f);
    jump = sinew_continuity_measure(of_one, &frame);
    check_near(jump.root, 0, 1e-6); // it continues at its velocity
    frame.root.translation.z = 0.0f;
    frame.root.yaw = 1.0f; // at a tenth of the height
    jump = sinew_continuity_measure(of_one, &frame);
    check_near(jump.root, 0.2 + 0.1, 1e-5);
    sinew_continuity_destroy(of_one);
    sinew_skeleton_destroy(skeleton);
}

// Node 2 goes to and fro by 1 m: 400 m/s2 and 8000 m/s3 at 10 frames a second; the others rest.
static void percentiles_are_of_all_nodes_and_frames(void **state) {
    (void)state;
    assert_true(sinew_continuity_percentile(continuity, SINEW_CONTINUITY_ACCELERATION, 50) == 0.0f);
    for (int i = 0; i < 1000; i++) measure(0, 0, i % 2 == 0 ? 0.0f : 1.0f, 0.1f);
    for (int rate = 0; rate < 2; rate++) {
        double expected = rate == 0 ? 200 : 4000;
        assert_true(sinew_continuity_percentile(continuity, (sinew_continuity_rate)rate, 0) == 0.0f);
        assert_true(sinew_continuity_percentile(continuity, (sinew_continuity_rate)rate, 66) == 0.0f);
        for (int percent = 67; percent <= 100; percent += 11) {
            check_near(sinew_continuity_percentile(continuity, (sinew_continuity_rate)rate, (float)percent),
                       expected, 0.02 * expected);
        }
    }
}

static void numbers_that_are_not_finite_are_a_step_of_infinity(void **state) {
    (void)state;
    measure(0, 0, 0, 0.1f);
    assert_true(isinf(measure(0, NAN, 0, 0.1f).position));
    sinew_jump jump = measure(0, 0, 0, 0.1f);
    assert_true(isinf(jump.position) && isinf(jump.point) && isinf(jump.velocity));
    assert_int_equal(jump.velocity_node, 1);
    measure(0, 0, 0, 0.1f);
    assert_true(isinf(sinew_continuity_percentile(continuity, SINEW_CONTINUITY_ACCELERATION, 100)) ||
                sinew_continuity_percentile(continuity, SINEW_CONTINUITY_ACCELERATION, 100) > 1e11f);
}

// The parent's scale counts; nodes in one position have the size and the height of 1 m.
static void the_size_is_that_of_the_rest_pose(void **state) {
    (void)state;
    check_near(sinew_continuity_size(continuity), SIZE, 1e-6);
    check_near(sinew_continuity_height(continuity), 2, 1e-6);
    sinew_node_def nodes[2] = {{.parent = -1, .rest = sinew_transform_identity()},
                               {.parent = 0, .rest = sinew_transform_identity()}};
    sinew_skeleton_def def = sinew_skeleton_default();
    def.nodes = nodes;
    for (int i = 0; i < 3; i++) {
        sinew_skeleton *skeleton;
        sinew_continuity *of_two;
        def.node_count = i;
        nodes[0].rest.scale = (sinew_vec3){100, 100, 100};
        nodes[1].rest.translation = (sinew_vec3){0.03f, 0, 0.04f}; // 5 m away in all: 2.5 m from the middle
        assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
        assert_int_equal(sinew_continuity_create(skeleton, NULL, &of_two), SINEW_OK);
        check_near(sinew_continuity_size(of_two), i < 2 ? 1 : 2.5, 1e-6);
        check_near(sinew_continuity_height(of_two), i < 2 ? 1 : 4, 1e-6);
        sinew_continuity_destroy(of_two);
        sinew_skeleton_destroy(skeleton);
    }
}

static void jumps_are_relative_to_the_size(void **state) {
    (void)state;
    sinew_skeleton *long_chain = make_chain(5); // 2 m from the middle
    sinew_continuity *larger;
    assert_int_equal(sinew_continuity_create(long_chain, NULL, &larger), SINEW_OK);
    sinew_affine model[5];
    for (int i = 0; i < 5; i++) model[i] = sinew_affine_identity();
    const sinew_continuity_frame frame = {
        .model = model, .root = (sinew_root_delta){.rotation = {0, 0, 0, 1}}, .dt = 0.5f};
    sinew_continuity_measure(larger, &frame);
    sinew_continuity_measure(larger, &frame);
    model[4].m[1][3] = 3.0f;
    sinew_jump jump = sinew_continuity_measure(larger, &frame);
    check_jump(jump, 1.5, 4, 3, 4);
    sinew_continuity_destroy(larger);
    sinew_skeleton_destroy(long_chain);
}

static void memory_that_runs_out_is_given_back(void **state) {
    (void)state;
    counting c = {0};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    while (fail_next(&c, result)) {
        const sinew_allocator allocator = counting_allocator(&c);
        sinew_continuity *made = (sinew_continuity *)&c; // anything
        result = sinew_continuity_create(chain, &allocator, &made);
        assert_int_equal(c.live, result == SINEW_OK);
        assert_int_equal(made != NULL, result == SINEW_OK);
        const sinew_affine model[3] = {sinew_affine_identity()};
        const sinew_continuity_frame frame = {
            .model = model, .root = (sinew_root_delta){.rotation = {0, 0, 0, 1}}, .dt = 0.1f};
        if (made) sinew_continuity_measure(made, &frame);
        assert_int_equal(c.live, result == SINEW_OK);
        sinew_continuity_destroy(made);
    }
    assert_true(c.fail_at > 1);
    sinew_continuity_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(positions_count_from_the_second_frame_and_velocities_from_the_third, begin,
                                        end),
        cmocka_unit_test_setup_teardown(a_restart_forgets_all_frames, begin, end),
        cmocka_unit_test_setup_teardown(rotations_of_leaves_are_seen, begin, end),
        cmocka_unit_test_setup_teardown(scales_of_leaves_are_seen, begin, end),
        cmocka_unit_test_setup_teardown(morph_weights_and_the_root_are_seen, begin, end),
        cmocka_unit_test_setup_teardown(percentiles_are_of_all_nodes_and_frames, begin, end),
        cmocka_unit_test_setup_teardown(numbers_that_are_not_finite_are_a_step_of_infinity, begin, end),
        cmocka_unit_test_setup_teardown(the_size_is_that_of_the_rest_pose, begin, end),
        cmocka_unit_test_setup_teardown(jumps_are_relative_to_the_size, begin, end),
        cmocka_unit_test_setup_teardown(memory_that_runs_out_is_given_back, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
