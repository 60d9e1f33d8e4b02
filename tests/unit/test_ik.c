// SPDX-License-Identifier: MIT
// Two-bone limbs: against trigonometry in double, below all kinds of ancestors, at the limits of their reach, and in
// degenerate poses.
#include "support/ik_rig.h"

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

static sinew_ik_two_bone random_limb(const rig *r, uint64_t *seed) {
    sinew_ik_two_bone limb = sinew_ik_two_bone_from_rest(r->skeleton, UPPER, LOWER, END);
    if (random_next(seed) % 3 == 0) limb.bend_axis = (sinew_vec3){0, 0, 0};
    if (random_next(seed) % 3 == 0) limb.bend_axis = narrow(random_direction(seed));
    limb.pole_weight = random_next(seed) % 2 ? random_float(seed, 0, 1) : 0.0f;
    limb.pole = narrow(plus((place){0, 0, 0}, random_direction(seed), 2.0));
    limb.end_mode = (sinew_ik_limb_end)(random_next(seed) % 3);
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
            sinew_ik_two_bone limb = random_limb(&r, &seed);
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
            sinew_ik_two_bone limb = random_limb(&r, &seed);
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
        sinew_ik_two_bone limb = sinew_ik_two_bone_from_rest(r.skeleton, UPPER, LOWER, END);
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

        sinew_ik_two_bone limb = sinew_ik_two_bone_from_rest(r.skeleton, UPPER, LOWER, END);
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

// ---- Scale above ---------------------------------------------------------------------------------------------

// Files in centimetres and in millimetres have the whole of it in one node at the top.
static void test_any_unit_of_length(void **state) {
    (void)state;
    uint64_t seed = 5;
    static const float scales[] = {1e-3f, 1e-2f, 1e2f, 1e3f};
    for (int i = 0; i < 40; i++) {
        rig r = make_rig(ABOVE_NOT, &seed);
        float scale = scales[i % 4];
        sinew_transform top = sinew_pose_get(r.pose, TOP);
        top.scale = (sinew_vec3){scale, scale, scale};
        sinew_pose_set(r.pose, TOP, top);
        for (int32_t n = BASE; n < RIG_NODES; n++) { // model space is in metres then
            sinew_transform t = sinew_pose_get(r.pose, n);
            t.translation = narrow(plus((place){0, 0, 0}, wide(t.translation), 1.0 / scale));
            sinew_pose_set(r.pose, n, t);
        }
        to_model(&r);
        sinew_ik_two_bone limb = random_limb(&r, &seed);
        place target = somewhere_within(&r, &seed);
        limb.target = narrow(target);
        solve_limb(&r, &limb);
        double a, b;
        bone_lengths(&r, &a, &b);
        check_near(distance(place_of(&r.model[END]), target), 0, 5e-6 * (a + b));
        free_rig(&r);
    }
}

// ---- The way it bends ----------------------------------------------------------------------------------------

// A limb along +y with joints that bend about x, towards +z: a leg with its foot up.
static rig make_leg(double a, double b) {
    sinew_node_def nodes[RIG_NODES];
    memset(nodes, 0, sizeof nodes);
    for (int i = 0; i < RIG_NODES; i++) {
        nodes[i].parent = i - 1;
        nodes[i].rest = sinew_transform_identity();
    }
    nodes[LOWER].rest.translation.y = (float)a;
    nodes[END].rest.translation.y = (float)b;
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = RIG_NODES;
    def.nodes = nodes;
    rig r;
    assert_int_equal(sinew_skeleton_create(&def, &r.skeleton, NULL), SINEW_OK);
    assert_int_equal(sinew_pose_create(r.skeleton, NULL, &r.pose), SINEW_OK);
    to_model(&r);
    return r;
}

static sinew_ik_two_bone leg_limb(const rig *r, place target) {
    sinew_ik_two_bone limb = sinew_ik_two_bone_from_rest(r->skeleton, UPPER, LOWER, END);
    limb.bend_axis = (sinew_vec3){2, 0, 0};
    limb.target = narrow(target);
    return limb;
}

// Straight, bent the right way and bent too far back: about +x, a lower bone along +y goes towards +z.
static void test_it_bends_about_its_axis(void **state) {
    (void)state;
    for (int degrees = -60; degrees <= 120; degrees += 5) {
        rig r = make_leg(0.5, 0.4);
        set_rotation(&r, LOWER, about_x(degrees * PI / 180.0));
        sinew_ik_two_bone limb = leg_limb(&r, (place){0, 0.7, 0});
        solve_limb(&r, &limb);
        place middle = place_of(&r.model[LOWER]);
        // Outer angle of the law of cosines, and the middle on the far side of +z.
        double c = (0.49 - 0.25 - 0.16) / (2 * 0.5 * 0.4);
        check_near(angle_between(sinew_pose_get(r.pose, LOWER).rotation, about_x(acos(c))), 0.0, 2e-6);
        assert_true(middle.z < -0.05);
        check_near(middle.x, 0, 1e-6);
        free_rig(&r);
    }
}

// Without one, the bend that there is; and a straight limb bends anyhow, and gets there.
static void test_without_an_axis_it_bends_on(void **state) {
    (void)state;
    for (int degrees = -60; degrees <= 60; degrees += 15) {
        rig r = make_leg(0.5, 0.4);
        set_rotation(&r, LOWER, about_z(degrees * PI / 180.0));
        sinew_ik_two_bone limb = leg_limb(&r, (place){0, 0.7, 0});
        limb.bend_axis = (sinew_vec3){0, 0, 0};
        solve_limb(&r, &limb);
        check_vec3(narrow(place_of(&r.model[END])), 0, 0.7, 0, 1e-6);
        place middle = place_of(&r.model[LOWER]);
        if (degrees != 0) {
            check_near(middle.z, 0, 1e-6);
            assert_true(degrees > 0 ? middle.x > 0.05 : middle.x < -0.05);
        }
        free_rig(&r);
    }
}

static void test_the_rest_pose_tells_the_axis(void **state) {
    (void)state;
    uint64_t seed = 6;
    for (int i = 0; i < 100; i++) {
        rig r = make_rig((above)(i % ABOVE_KINDS), &seed);
        sinew_ik_two_bone limb = sinew_ik_two_bone_from_rest(r.skeleton, UPPER, LOWER, END);
        sinew_affine into = sinew_affine_inverse(r.model[TWIST]);
        place a = direction(&into, minus(place_of(&r.model[LOWER]), place_of(&r.model[UPPER])));
        place b = direction(&into, minus(place_of(&r.model[END]), place_of(&r.model[LOWER])));
        sinew_vec3 axis = sinew_quat_rotate(r.skeleton->rest[LOWER].rotation, limb.bend_axis);
        check_near(angle_of(wide(axis), cross(a, b)), 0.0, 1e-4);
        free_rig(&r);
    }
    rig straight = make_leg(0.5, 0.4);
    sinew_ik_two_bone limb = sinew_ik_two_bone_from_rest(straight.skeleton, UPPER, LOWER, END);
    check_vec3(limb.bend_axis, 0, 0, 0, 0);
    free_rig(&straight);
}

// ---- The pole ------------------------------------------------------------------------------------------------

// The middle lies in the half plane from the line of the limb through the pole.
static void test_the_middle_turns_to_the_pole(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < RIGS; i++) {
        rig r = make_rig((above)(i % ABOVE_UNEVEN), &seed);
        sinew_ik_two_bone limb = random_limb(&r, &seed);
        limb.target = narrow(somewhere_within(&r, &seed));
        limb.pole_weight = 1.0f;
        place start = place_of(&r.model[UPPER]), line = minus(wide(limb.target), start);
        bool in_line = sin(angle_of(minus(wide(limb.pole), start), line)) < 0.2;
        solve_limb(&r, &limb);
        place middle = minus(place_of(&r.model[LOWER]), start), pole = minus(wide(limb.pole), start);
        line = unit(line);
        middle = plus(middle, line, -dot(middle, line));
        pole = plus(pole, line, -dot(pole, line));
        double a, b;
        bone_lengths(&r, &a, &b);
        if (length(middle) > 0.01 * a && !in_line) check_near(angle_of(middle, pole), 0.0, 1e-3);
        check_near(distance(place_of(&r.model[END]), wide(limb.target)), 0.0, 5e-6 * (a + b));
        free_rig(&r);
    }
}

// Without one the limb swings by the shortest way: the upper bone turns no more than the end does about the start.
static void test_without_a_pole_it_does_not_roll(void **state) {
    (void)state;
    rig r = make_leg(0.5, 0.4);
    set_rotation(&r, LOWER, about_x(0.5));
    place before = place_of(&r.model[END]);
    double far = length(before);
    sinew_ik_two_bone limb = leg_limb(&r, (place){far * sin(0.8), far * cos(0.8), 0});
    solve_limb(&r, &limb);
    double turned = angle_between(sinew_pose_get(r.pose, UPPER).rotation, (sinew_quat){0, 0, 0, 1});
    check_near(turned, angle_of(before, wide(limb.target)), 1e-5);
    free_rig(&r);
}

// ---- Softness ------------------------------------------------------------------------------------------------

static double reach_from(rig *r, double bent, double target, double softness) {
    sinew_pose_reset(r->pose);
    set_rotation(r, LOWER, about_x(bent));
    sinew_ik_two_bone limb = leg_limb(r, (place){0, target, 0});
    limb.softness = (float)softness;
    solve_limb(r, &limb);
    return length(place_of(&r->model[END]));
}

static double reach_at(rig *r, double target, double softness) {
    return reach_from(r, 1.6, target, softness);
}

static void test_softness_is_its_formula(void **state) {
    (void)state;
    rig r = make_leg(0.5, 0.4);
    for (int i = 0; i <= 40; i++) {
        double target = 0.2 + 0.05 * i, s = 0.9 * 0.2, x = (target - (0.9 - s)) / s;
        double expected = x > 0.0 ? 0.9 - s + s * (1.0 - pow(1.0 + x / 4.0, -4.0)) : target;
        check_near(reach_at(&r, target, 0.2f), expected, 2e-6);
    }
    // 0.41 of the soft part are missing where it would be straight; without softness nothing is.
    check_near(0.9 - reach_at(&r, 0.9, 0.2f), 0.4096 * 0.18, 2e-6);
    check_near(reach_at(&r, 0.9, 0.0), 0.9, 1e-6);
    free_rig(&r);
}

// Softness begins at the pose's own extension, e: with less than s left of the length L, what is left takes its place. A target
// at the end changes nothing.
static void test_softness_begins_at_the_pose(void **state) {
    (void)state;
    rig r = make_leg(0.5, 0.4);
    for (int i = 0; i <= 20; i++) {
        double bent = 0.1 * i, extension = sqrt(0.41 + 0.4 * cos(bent)), soft = fmin(0.18, 0.9 - extension);
        for (int k = 0; k <= 10; k++) {
            double target = extension + 0.02 * k, x = (target - (0.9 - soft)) / soft;
            double expected = x > 0.0 ? 0.9 - soft * pow(1.0 + x / 4.0, -4.0) : target;
            if (!(soft > 1e-5)) expected = 0.9;
            check_near(reach_from(&r, bent, target, 0.2), expected, 4e-6);
        }
    }
    free_rig(&r);
}

// As the target goes off, the knee of a soft limb keeps its pace: the angle's second difference is bounded. Without
// softness the knee snaps: its angle goes as the root of what is missing.
static void test_softness_takes_the_snap_out(void **state) {
    (void)state;
    double most[2] = {0.0, 0.0};
    for (int soft = 0; soft < 2; soft++) {
        rig r = make_leg(0.5, 0.4);
        double angles[3] = {0};
        for (int i = 0; i <= 1000; i++) {
            sinew_ik_two_bone limb = leg_limb(&r, (place){0, 0.6 + 0.0004 * i, 0});
            limb.softness = soft ? 0.1f : 0.0f;
            sinew_pose_reset(r.pose);
            set_rotation(&r, LOWER, about_x(1.0));
            solve_limb(&r, &limb);
            angles[0] = angles[1], angles[1] = angles[2];
            angles[2] = angle_between(sinew_pose_get(r.pose, LOWER).rotation, (sinew_quat){0, 0, 0, 1});
            if (i > 1) most[soft] = fmax(most[soft], fabs(angles[2] - 2.0 * angles[1] + angles[0]));
        }
        free_rig(&r);
    }
    assert_true(most[0] > 0.01);
    assert_true(most[1] < 0.0005);
}

// ---- Steadiness ----------------------------------------------------------------------------------------------

// The largest turn of any joint between two steps of a target that moves smoothly out of reach and back.
static double largest_step(int steps, float softness, float pole_weight) {
    rig r = make_leg(0.5, 0.4);
    rotations before;
    double largest = 0.0;
    for (int i = 0; i <= steps; i++) {
        double u = 2.0 * PI * i / steps, far = 0.7 + 0.45 * sin(3.0 * u); // from 0.25 to 1.15
        sinew_pose_reset(r.pose);
        set_rotation(&r, LOWER, about_x(0.4));
        place way = {0.4 * sin(u), cos(0.5 * sin(2.0 * u)), 0.4 * cos(u)};
        sinew_ik_two_bone limb = leg_limb(&r, plus((place){0, 0, 0}, unit(way), far));
        limb.softness = softness;
        limb.pole_weight = pole_weight;
        limb.pole = (sinew_vec3){0.9f, 0.2f, 0};
        solve_limb(&r, &limb);
        rotations now = rotations_of(&r);
        for (int n = 0; i > 0 && n < RIG_NODES; n++) {
            largest = fmax(largest, angle_between(now.q[n], before.q[n]));
        }
        before = now;
    }
    free_rig(&r);
    return largest;
}

static sinew_quat rotation_from_to(place a, place b) {
    place axis = cross(a, b);
    double half = 0.5 * angle_of(a, b), factor = sin(half) / length(axis);
    return (sinew_quat){(float)(axis.x * factor), (float)(axis.y * factor), (float)(axis.z * factor),
                        (float)cos(half)};
}

// The limb's pose swings by 0.01 rad past the direction away from its target. There the shortest rotation to the
// target reverses, at 200 times the speed. The target is 100 degrees from the middle of the limb's directions.
static void test_a_limb_that_points_away_from_its_target(void **state) {
    (void)state;
    rig r = make_leg(0.5, 0.4);
    const double bent = acos(-0.125), step = 0.001, far = 100 * PI / 180; // bent: the limb is 0.6 long
    place end = unit((place){0, 0.5 + 0.4 * cos(bent), 0.4 * sin(bent)}), middle = unit((place){0, 1, 1});
    place to = plus((place){sin(far), 0, 0}, middle, cos(far)), aside = cross(middle, (place){1, 0, 0});
    sinew_quat was = {0};
    double fastest = 0.0;
    for (int side = -1; side <= 1; side += 2) {
        for (int i = -500; i <= 500; i++) {
            place away = plus(plus((place){0, 0, 0}, to, -cos(i * step)), aside, sin(i * step));
            place points = unit(plus(away, middle, 0.01 * side));
            sinew_pose_reset(r.pose);
            set_rotation(&r, UPPER, rotation_from_to(end, points));
            set_rotation(&r, LOWER, about_x(bent));
            sinew_ik_two_bone limb = leg_limb(&r, plus((place){0, 0, 0}, to, 0.6));
            solve_limb(&r, &limb);
            check_near(distance(place_of(&r.model[END]), wide(limb.target)), 0.0, 1e-5);
            sinew_quat now = sinew_pose_get(r.pose, UPPER).rotation;
            if (i > -500) fastest = fmax(fastest, angle_between(now, was) / step);
            was = now;
        }
    }
    print_message("past the direction away from its target a limb turns at %.1f times the speed\n", fastest);
    assert_true(fastest < 8.0);
    free_rig(&r);
}

// What is continuous moves half as far in half a step; a jump stays as large as it is.
static void test_the_pose_moves_with_the_target(void **state) {
    (void)state;
    for (int pole = 0; pole < 2; pole++) {
        double coarse = largest_step(20000, 0.1f, (float)pole), fine = largest_step(40000, 0.1f, (float)pole);
        print_message("%s pole: %.2g rad a step, and %.2g in half of it\n", pole ? "with" : "without", coarse,
                      fine);
        assert_true(fine < 0.6 * coarse);
        assert_true(coarse < (pole ? 0.05 : 0.005));
    }
}

static void test_the_same_bits_again(void **state) {
    (void)state;
    rotations first[2];
    for (int turn = 0; turn < 2; turn++) {
        uint64_t seed = 8;
        rig r = make_rig(ABOVE_UNEVEN, &seed);
        for (int i = 0; i < 100; i++) {
            sinew_ik_two_bone limb = random_limb(&r, &seed);
            limb.target = narrow(random_direction(&seed));
            solve_limb(&r, &limb);
        }
        first[turn] = rotations_of(&r);
        free_rig(&r);
    }
    assert_memory_equal(&first[0], &first[1], sizeof first[0]);
}

// ---- Weight --------------------------------------------------------------------------------------------------

static void test_weight_blends_as_poses_do(void **state) {
    (void)state;
    uint64_t seed = 9;
    for (int i = 0; i < 100; i++) {
        rig r = make_rig((above)(i % ABOVE_KINDS), &seed);
        sinew_ik_two_bone limb = random_limb(&r, &seed);
        limb.end_mode = SINEW_IK_LIMB_END_FOLLOW;
        limb.target = narrow(random_direction(&seed));
        sinew_pose *before, *solved;
        assert_int_equal(sinew_pose_create(r.skeleton, NULL, &before), SINEW_OK);
        assert_int_equal(sinew_pose_create(r.skeleton, NULL, &solved), SINEW_OK);
        sinew_pose_copy(before, r.pose);
        sinew_pose_copy(solved, r.pose);
        sinew_ik_two_bone_solve(&limb, solved, r.model);
        limb.weight = 0.3f;
        sinew_ik_two_bone_solve(&limb, r.pose, r.model);
        sinew_pose_blend(solved, before, solved, 0.3f, NULL);
        for (int n = 0; n < RIG_NODES; n++) {
            sinew_quat a = sinew_pose_get(r.pose, n).rotation, b = sinew_pose_get(solved, n).rotation;
            check_near(angle_between(a, b), 0.0, 1e-6);
        }
        rotations now = rotations_of(&r);
        for (int w = 0; w < 3; w++) {
            limb.weight = w == 0 ? 0.0f : w == 1 ? -1.0f : NAN;
            sinew_ik_two_bone_solve(&limb, r.pose, r.model);
            check_unchanged(&r, &now);
        }
        to_model(&r);
        limb.weight = 7.0f; // is 1
        solve_limb(&r, &limb);
        sinew_pose_copy(solved, r.pose);
        limb.weight = 1.0f;
        sinew_pose_copy(r.pose, before);
        for (int n = 0; n < RIG_NODES; n++) set_rotation(&r, n, now.q[n]);
        solve_limb(&r, &limb);
        for (int n = 0; n < RIG_NODES; n++) {
            sinew_quat a = sinew_pose_get(r.pose, n).rotation, b = sinew_pose_get(solved, n).rotation;
            assert_memory_equal(&a, &b, sizeof a);
        }
        sinew_pose_destroy(before);
        sinew_pose_destroy(solved);
        free_rig(&r);
    }
}

// ---- The end -------------------------------------------------------------------------------------------------

static void test_the_end_keeps_or_faces(void **state) {
    (void)state;
    uint64_t seed = 10;
    for (int i = 0; i < RIGS; i++) {
        rig r = make_rig((above)(i % ABOVE_UNEVEN), &seed);
        sinew_ik_two_bone limb = random_limb(&r, &seed);
        limb.target = narrow(somewhere_within(&r, &seed));
        limb.weight = i % 2 ? 1.0f : 0.4f;
        sinew_quat before = sinew_affine_decompose(r.model[END]).rotation,
                   wrist = sinew_pose_get(r.pose, END).rotation;
        solve_limb(&r, &limb);
        sinew_quat now = sinew_affine_decompose(r.model[END]).rotation;
        if (limb.end_mode == SINEW_IK_LIMB_END_FOLLOW) {
            sinew_quat still = sinew_pose_get(r.pose, END).rotation;
            assert_memory_equal(&still, &wrist, sizeof wrist);
        } else if (limb.end_mode == SINEW_IK_LIMB_END_KEEP) {
            check_near(angle_between(now, before), 0.0, 5e-6);
        } else if (limb.weight == 1.0f) {
            check_near(angle_between(now, limb.end_rotation), 0.0, 5e-6);
        } else {
            double whole = angle_between(before, limb.end_rotation), part = angle_between(before, now);
            assert_true(part < whole && part + angle_between(now, limb.end_rotation) < whole + 1e-4);
            assert_true(whole > 2.5 || fabs(part / whole - 0.4) < 0.1); // a sum's pace is not quite even
        }
        check_unit(&r);
        free_rig(&r);
    }
}

// ---- Nothing to go by ----------------------------------------------------------------------------------------

static void test_bones_of_no_length(void **state) {
    (void)state;
    static const double lengths[3][2] = {{0, 0.4}, {0.5, 0}, {0, 0}};
    for (int i = 0; i < 3; i++) {
        rig r = make_leg(lengths[i][0], lengths[i][1]);
        rotations before = rotations_of(&r);
        sinew_ik_two_bone limb = leg_limb(&r, (place){0.3, 0, 0});
        limb.pole_weight = 1.0f;
        solve_limb(&r, &limb);
        check_unit(&r);
        double far = lengths[i][0] + lengths[i][1];
        check_vec3(narrow(place_of(&r.model[END])), far, 0, 0, 1e-6);
        if (far == 0.0) check_unchanged(&r, &before);
        free_rig(&r);
    }
}

// A limb of equal bones folds onto its start, one of unequal ones as near to it as it can; and unfolds.
static void test_target_on_the_start(void **state) {
    (void)state;
    for (int equal = 0; equal < 2; equal++) {
        rig r = make_leg(0.5, equal ? 0.5 : 0.3);
        set_rotation(&r, LOWER, about_x(0.7));
        sinew_ik_two_bone limb = leg_limb(&r, (place){0, 0, 0});
        solve_limb(&r, &limb);
        check_near(length(place_of(&r.model[END])), equal ? 0.0 : 0.2, 1e-6);
        check_unit(&r);
        limb.target = (sinew_vec3){0, 0, 0.6f};
        solve_limb(&r, &limb);
        check_vec3(narrow(place_of(&r.model[END])), 0, 0, 0.6, 1e-6);
        free_rig(&r);
    }
}

// The target behind the limb, and the pole before it: half turns.
static void test_half_turns(void **state) {
    (void)state;
    for (int straight = 0; straight < 2; straight++) {
        for (int pole = 0; pole < 2; pole++) {
            rig r = make_leg(0.5, 0.4);
            set_rotation(&r, LOWER, about_x(straight ? 0.0 : 0.9));
            place end = place_of(&r.model[END]);
            sinew_ik_two_bone limb = leg_limb(&r, plus((place){0, 0, 0}, end, -1.0));
            limb.pole_weight = (float)pole;
            limb.pole = (sinew_vec3){0, 0, 5};
            solve_limb(&r, &limb);
            check_near(distance(place_of(&r.model[END]), wide(limb.target)), 0.0, 1e-6);
            place line = unit(wide(limb.target)), side = plus((place){0, 0, 1}, line, -line.z);
            if (pole && !straight)
                check_near(angle_of(cross(line, place_of(&r.model[LOWER])), cross(line, side)), 0, 1e-5);
            check_unit(&r);
            free_rig(&r);
        }
    }
}

// A pole on the line has no say.
static void test_pole_in_line(void **state) {
    (void)state;
    sinew_quat uppers[2];
    for (int i = 0; i < 2; i++) {
        rig r = make_leg(0.5, 0.4);
        set_rotation(&r, LOWER, about_x(0.9));
        sinew_ik_two_bone limb = leg_limb(&r, (place){0, 0.6, 0});
        limb.pole_weight = (float)i;
        limb.pole = (sinew_vec3){0, 1.2f, 0};
        solve_limb(&r, &limb);
        check_unit(&r);
        uppers[i] = sinew_pose_get(r.pose, UPPER).rotation;
        free_rig(&r);
    }
    check_near(angle_between(uppers[0], uppers[1]), 0.0, 1e-6);
}

static void test_what_is_no_number_changes_nothing(void **state) {
    (void)state;
    static const float wrong[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 9; i++) {
        rig r = make_leg(0.5, 0.4);
        set_rotation(&r, LOWER, about_x(0.9));
        rotations before = rotations_of(&r);
        float target[3] = {0.1f, 0.2f, 0.3f};
        target[i % 3] = wrong[i / 3];
        for (int mode = 0; mode < 3; mode++) {
            sinew_ik_two_bone limb = leg_limb(&r, (place){target[0], target[1], target[2]});
            limb.end_mode = (sinew_ik_limb_end)mode;
            limb.softness = 0.1f * (float)mode;
            solve_limb(&r, &limb);
            check_unchanged(&r, &before);
        }
        free_rig(&r);
    }
    rig r = make_leg(0.5, 0.4); // a node scaled to nothing
    sinew_transform top = sinew_pose_get(r.pose, TOP);
    top.scale = (sinew_vec3){0, 0, 0};
    sinew_pose_set(r.pose, TOP, top);
    to_model(&r);
    rotations before = rotations_of(&r);
    sinew_ik_two_bone limb = leg_limb(&r, (place){0.1, 0.2, 0.3});
    limb.pole_weight = 1.0f;
    solve_limb(&r, &limb);
    check_unchanged(&r, &before);
    free_rig(&r);
}

// A bone may be so short that the square of its length is rounded to next to nothing.
static void test_no_bone_is_too_short_to_stay_unit(void **state) {
    (void)state;
    for (int power = 0; power < 263; power++) {
        const double size = 1e-3 * pow(0.9, power); // to 1e-15
        rig r = make_leg(0.5, size);
        set_rotation(&r, LOWER, about_x(0.9));
        sinew_ik_two_bone limb = leg_limb(&r, (place){0.1, 0.2, 0.3});
        solve_limb(&r, &limb);
        check_unit(&r);
        free_rig(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_within_reach_is_reached),
        cmocka_unit_test(test_nearest_where_it_is_out_of_reach),
        cmocka_unit_test(test_the_angle_is_that_of_the_law_of_cosines),
        cmocka_unit_test(test_uneven_scale_within_the_limb),
        cmocka_unit_test(test_any_unit_of_length),
        cmocka_unit_test(test_it_bends_about_its_axis),
        cmocka_unit_test(test_without_an_axis_it_bends_on),
        cmocka_unit_test(test_the_rest_pose_tells_the_axis),
        cmocka_unit_test(test_the_middle_turns_to_the_pole),
        cmocka_unit_test(test_without_a_pole_it_does_not_roll),
        cmocka_unit_test(test_softness_is_its_formula),
        cmocka_unit_test(test_a_limb_that_points_away_from_its_target),
        cmocka_unit_test(test_softness_begins_at_the_pose),
        cmocka_unit_test(test_softness_takes_the_snap_out),
        cmocka_unit_test(test_the_pose_moves_with_the_target),
        cmocka_unit_test(test_the_same_bits_again),
        cmocka_unit_test(test_weight_blends_as_poses_do),
        cmocka_unit_test(test_the_end_keeps_or_faces),
        cmocka_unit_test(test_bones_of_no_length),
        cmocka_unit_test(test_target_on_the_start),
        cmocka_unit_test(test_half_turns),
        cmocka_unit_test(test_pole_in_line),
        cmocka_unit_test(test_what_is_no_number_changes_nothing),
        cmocka_unit_test(test_no_bone_is_too_short_to_stay_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
