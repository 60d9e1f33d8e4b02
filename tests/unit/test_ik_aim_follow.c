// SPDX-License-Identifier: MIT
// Aims that follow their target smoothly: the response over time, its bounds, and independence of the frame rate and of
// a body that moves.
#include "support/ik_rig.h"

static const sinew_vec3 ahead = {0, 0, 1};
static const double limit = 1.2;

// ---- A head --------------------------------------------------------------------------------------------------

// A node that looks along +z.
static rig make_head(void) {
    uint64_t seed = 1;
    rig r = make_rig(ABOVE_NOT, &seed);
    for (int32_t n = 0; n < RIG_NODES; n++) sinew_pose_set(r.pose, n, sinew_transform_identity());
    to_model(&r);
    return r;
}

static sinew_ik_aim head_aim(const rig *r) {
    sinew_ik_aim aim = sinew_ik_aim_from_rest(r->skeleton, LOWER, LOWER, ahead);
    aim.limit_axis = ahead, aim.limit_up = (sinew_vec3){0, 1, 0};
    aim.limit = (float)limit;
    return aim;
}

static sinew_vec3 target_at(double yaw, double height) {
    return (sinew_vec3){(float)(3.0 * sin(yaw)), (float)height, (float)(3.0 * cos(yaw))};
}

// The pose is as the clip has it in each frame.
static place follow(rig *r, const sinew_ik_aim *aim, double dt, sinew_ik_aim_state *state) {
    sinew_pose_set(r->pose, LOWER, sinew_transform_identity());
    to_model(r);
    sinew_ik_aim_follow(aim, (float)dt, state, r->pose, r->model);
    to_model(r);
    return unit(direction(&r->model[LOWER], wide(ahead)));
}

static double yaw_of(place sight) {
    return atan2(sight.x, sight.z);
}

// ---- Over time -----------------------------------------------------------------------------------------------

// A target that jumps and rests: the tangent of half the angle goes as two equal low-passes in a row let it, which is 1 -
// (1 + x) e^-x after x time constants. At each frame rate.
static void test_the_response_to_a_jump(void **state) {
    (void)state;
    static const double rates[] = {30.0, 60.0, 240.0};
    for (int i = 0; i < 3; i++) {
        rig r = make_head();
        sinew_ik_aim aim = head_aim(&r);
        sinew_ik_aim_state follows = {0};
        aim.target = target_at(0.0, 0.0);
        follow(&r, &aim, INFINITY, &follows);
        aim.target = target_at(0.8, 0.0);
        follow(&r, &aim, 0.0, &follows); // the jump, without damping
        for (int frame = 1; frame <= (int)rates[i]; frame++) {
            double x = frame / rates[i] / (double)aim.settle_time, t = tan(0.4) * (1.0 - (1.0 + x) * exp(-x));
            check_near(yaw_of(follow(&r, &aim, 1.0 / rates[i], &follows)), 2.0 * atan(t), 2e-5);
        }
        free_rig(&r);
    }
}

// Goes round at 1 rad a second, up and down, past behind; turns back at 5 s.
static sinew_vec3 moving_target(double time) {
    double yaw = time < 5.0 ? time : 10.0 - time;
    return target_at(yaw, 1.5 * sin(0.7 * time));
}

enum { SAMPLES = 300 }; // 30 a second

static void run_at(int per_sample, place out[SAMPLES]) {
    rig r = make_head();
    sinew_ik_aim aim = head_aim(&r);
    sinew_ik_aim_state follows = {0};
    for (int frame = 1; frame <= SAMPLES * per_sample; frame++) {
        double dt = 1.0 / (30.0 * per_sample);
        aim.target = moving_target(dt * frame);
        place sight = follow(&r, &aim, dt, &follows);
        if (frame % per_sample == 0) out[frame / per_sample - 1] = sight;
    }
    free_rig(&r);
}

static void test_frame_rates_agree(void **state) {
    (void)state;
    static place at_30[SAMPLES], at_60[SAMPLES], at_240[SAMPLES];
    run_at(1, at_30);
    run_at(2, at_60);
    run_at(8, at_240);
    double furthest = 0.0, widest = 0.0;
    for (int i = 0; i < SAMPLES; i++) {
        furthest = fmax(furthest, fmax(angle_of(at_30[i], at_240[i]), angle_of(at_60[i], at_240[i])));
        widest = fmax(widest, fabs(yaw_of(at_240[i])));
    }
    print_message("%.3f degrees apart, over %.0f degrees\n", furthest * 180.0 / PI, widest * 180.0 / PI);
    assert_true(furthest < 0.05 * PI / 180.0 && widest > 0.8);
}

// ---- Behind --------------------------------------------------------------------------------------------------

// A target that jumps from one side behind to the other: the gaze goes the way round the front, within its limit, steadily,
// and no faster than stated.
static void test_it_goes_round_the_front(void **state) {
    (void)state;
    const double dt = 1.0 / 240.0, behind = 2.0;
    rig r = make_head();
    sinew_ik_aim aim = head_aim(&r);
    sinew_ik_aim_state follows = {0};
    aim.target = target_at(behind, 0.0);
    place before = follow(&r, &aim, INFINITY, &follows);
    check_near(yaw_of(before), limit, 1e-5);
    aim.target = target_at(-behind, 0.0);
    double fastest = 0.0, nearest = PI;
    for (int frame = 0; frame < 480; frame++) {
        place sight = follow(&r, &aim, dt, &follows);
        assert_true(yaw_of(sight) < yaw_of(before) + 1e-6);
        fastest = fmax(fastest, angle_of(before, sight) / dt);
        nearest = fmin(nearest, angle_of(sight, (place){0, 0, 1}));
        before = sight;
    }
    check_near(yaw_of(before), -limit, 1e-3);
    double stated = 1.5 * tan(limit / 2.0) / (double)aim.settle_time;
    print_message("%.0f degrees a second, of %.0f stated\n", fastest * 180.0 / PI, stated * 180.0 / PI);
    assert_true(nearest < 0.03 && fastest < stated && fastest > 0.9 * stated);
    free_rig(&r);
}

// Round and round at 2 rad a second, at all heights: smoother than without a state.
static void test_a_circle_is_followed_smoothly(void **state) {
    (void)state;
    const double dt = 1.0 / 60.0, speed = 2.0;
    rig r = make_head();
    sinew_ik_aim aim = head_aim(&r);
    for (int height = -4; height <= 8; height++) {
        sinew_ik_aim_state follows = {0};
        double fastest = 0.0, fastest_alone = 0.0;
        place before = {0, 0, 1}, before_alone = {0, 0, 1};
        for (int frame = 0; frame < 600; frame++) {
            aim.target = target_at(speed * dt * frame, height);
            place sight = follow(&r, &aim, frame > 0 ? dt : INFINITY, &follows);
            sinew_ik_aim_state none = {0};
            place alone = follow(&r, &aim, INFINITY, &none);
            assert_true(angle_of(sight, (place){0, 0, 1}) < limit + 1e-5);
            if (frame > 0) fastest = fmax(fastest, angle_of(before, sight));
            if (frame > 0) fastest_alone = fmax(fastest_alone, angle_of(before_alone, alone));
            before = sight, before_alone = alone;
        }
        assert_true(fastest < 1.01 * fastest_alone);
    }
    free_rig(&r);
}

// ---- On a body -----------------------------------------------------------------------------------------------

enum { BODIES = 3 };

static const sinew_vec3 body_scales[BODIES] = {{1, 1, 1}, {-1, 1, 1}, {1, 1.4f, -0.7f}};
static const sinew_vec3 bob_axis = {2.0f / 3.0f, 2.0f / 3.0f, 1.0f / 3.0f};

static rig make_body(sinew_vec3 scale) {
    rig r = make_head();
    sinew_transform base = sinew_transform_identity();
    base.scale = scale;
    sinew_pose_set(r.pose, BASE, base);
    to_model(&r);
    return r;
}

static void turn_parent(rig *r, double angle) {
    set_rotation(r, TWIST, sinew_quat_from_axis_angle(bob_axis, (float)angle));
}

static double bob(double time) {
    return 0.2 * sin(2.0 * PI * 3.0 * time);
}

// The body bobs under a head that looks at a resting target. The head doesn't.
static void test_a_bobbing_body_and_a_resting_target(void **state) {
    (void)state;
    for (int i = 0; i < BODIES; i++) {
        rig r = make_body(body_scales[i]);
        sinew_ik_aim aim = head_aim(&r);
        aim.target = (sinew_vec3){1.0f, 0.8f, i == 2 ? -2.5f : 2.5f};
        sinew_ik_aim_state follows = {0};
        double worst = 0.0;
        for (int frame = 1; frame <= 300; frame++) {
            turn_parent(&r, bob(frame / 60.0));
            place sight = follow(&r, &aim, 1.0 / 60.0, &follows);
            if (frame > 150) worst = fmax(worst, angle_of(sight, unit(wide(aim.target))));
        }
        print_message("%.4f degrees off\n", worst * 180.0 / PI);
        assert_true(worst < 0.1 * PI / 180.0);
        free_rig(&r);
    }
}

// How far a direction is from the limit's axis: 1 at the limit, measured in tangents of half the angle.
static double part_of_limit(const sinew_ik_aim *aim, place sight, const rig *r) {
    place axis = unit(direction(&r->model[TWIST], wide(ahead)));
    place up = unit(direction(&r->model[TWIST], (place){0, 1, 0}));
    place point = plus((place){0, 0, 0}, plus(sight, axis, -dot(sight, axis)), 1.0 / (1.0 + dot(sight, axis)));
    double pitch = dot(point, up), yaw = length(plus(point, up, -pitch));
    double tangent = tan(0.5 * (double)(pitch < 0.0 ? aim->pitch_down : aim->pitch_up));
    return hypot(pitch / tangent, yaw / tan(0.5 * (double)aim->limit));
}

typedef struct shaking {
    place last, before;
    double most; // the largest change of a direction's velocity
} shaking;

static void add_direction(shaking *to, place sight, bool counts) {
    place change = plus(plus(sight, to->last, -2.0), to->before, 1.0);
    if (counts) to->most = fmax(to->most, length(change));
    to->before = to->last, to->last = sight;
}

// The target is beyond the limit, for part of each bob or always. The head exceeds its limit by at most a quarter, shakes
// less than half as much as one that is fixed to the body, and is within the limit when the body rests.
static void test_a_bobbing_body_and_a_limit(void **state) {
    (void)state;
    static const double yaws[] = {0.8, 0.9, 1.6, 2.6};
    for (int i = 0; i < 4; i++) {
        rig r = make_body(body_scales[0]);
        sinew_ik_aim aim = head_aim(&r);
        aim.limit = 0.9f, aim.pitch_up = 0.5f, aim.pitch_down = 0.4f;
        aim.target = target_at(yaws[i], 0.9);
        sinew_ik_aim_state follows = {0};
        shaking head = {.most = 0.0}, body = {.most = 0.0};
        double furthest = 0.0, rested = 0.0;
        for (int frame = 1; frame <= 420; frame++) {
            turn_parent(&r, frame <= 300 ? bob(frame / 60.0) : 0.2);
            place sight = follow(&r, &aim, 1.0 / 60.0, &follows);
            furthest = fmax(furthest, part_of_limit(&aim, sight, &r));
            if (frame == 420) rested = part_of_limit(&aim, sight, &r);
            bool counts = frame > 150 && frame <= 300;
            add_direction(&head, sight, counts);
            add_direction(&body, unit(direction(&r.model[TWIST], wide(aim.limit_axis))), counts);
        }
        print_message("%.2f of the limit, %.2f at rest, %.2f of the shaking\n", furthest, rested,
                      head.most / body.most);
        assert_true(furthest < 1.25 + 1e-5 && rested < 1.0 + 1e-4);
        assert_true(head.most < 0.5 * body.most);
        free_rig(&r);
    }
}

// The body jumps away under a head at its limit, and far enough that the target is straight behind.
static void test_a_body_that_jumps(void **state) {
    (void)state;
    static const double jumps[] = {-0.5, -1.2, -2.0, 2.6};
    for (int i = 0; i < 4; i++) {
        rig r = make_body(body_scales[0]);
        sinew_ik_aim aim = head_aim(&r);
        aim.pitch_up = 0.8f, aim.pitch_down = 0.7f;
        aim.target = target_at(1.3, 0.5);
        sinew_ik_aim_state follows = {0};
        follow(&r, &aim, INFINITY, &follows);
        turn_parent(&r, jumps[i]);
        double furthest = 0.0, last = 0.0;
        for (int frame = 0; frame < 90; frame++) {
            last = part_of_limit(&aim, follow(&r, &aim, 1.0 / 60.0, &follows), &r);
            furthest = fmax(furthest, last);
        }
        print_message("%.3f of the limit, then %.3f\n", furthest, last);
        assert_true(furthest < 1.25 && last < 1.0 + 1e-3);
        free_rig(&r);
    }
}

// On a body that rests askew, the tangent of half the angle lags behind an input that rises evenly as two low-passes in a
// row let it: v (t - 2 T + (t + 2 T) e^-(t / T)).
static void test_a_resting_body_and_a_moving_target(void **state) {
    (void)state;
    for (int i = 0; i < BODIES; i++) {
        rig r = make_body(body_scales[i]);
        turn_parent(&r, 0.7);
        sinew_ik_aim aim = head_aim(&r);
        double settle = (double)aim.settle_time;
        sinew_ik_aim_state follows = {0};
        for (int frame = 0; frame <= 120; frame++) {
            double t = frame / 120.0, yaw = 2.0 * atan(0.5 * t);
            double lagging = 0.5 * (t - 2.0 * settle + (t + 2.0 * settle) * exp(-t / settle));
            aim.target = narrow(direction(&r.model[TWIST], wide(target_at(yaw, 0.0))));
            place sight = follow(&r, &aim, frame > 0 ? 1.0 / 120.0 : INFINITY, &follows);
            place want = direction(&r.model[TWIST], wide(target_at(2.0 * atan(lagging), 0.0)));
            check_near(angle_of(sight, unit(want)), 0.0, 2e-5);
        }
        free_rig(&r);
    }
}

// A root's parent is model space.
static void test_a_root_that_follows(void **state) {
    (void)state;
    rig r = make_head();
    sinew_ik_aim aim = sinew_ik_aim_from_rest(r.skeleton, TOP, TOP, ahead);
    aim.limit_axis = ahead, aim.limit = (float)limit;
    sinew_ik_aim_state follows = {0};
    aim.target = target_at(0.8, 0.0);
    sinew_ik_aim_follow(&aim, 0.0f, &follows, r.pose, r.model); // the jump, at once
    for (int frame = 1; frame <= 60; frame++) {
        sinew_pose_set(r.pose, TOP, sinew_transform_identity());
        to_model(&r);
        sinew_ik_aim_follow(&aim, 1.0f / 60.0f, &follows, r.pose, r.model);
        to_model(&r);
        double x = frame / 60.0 / (double)aim.settle_time, part = 1.0 - (1.0 + x) * exp(-x);
        double away = tan(0.5 * angle_of(unit(direction(&r.model[TOP], wide(ahead))), (place){0, 0, 1}));
        check_near(away, part * tan(0.4), 2e-5);
    }
    free_rig(&r);
}

// ---- On a character ------------------------------------------------------------------------------------------

typedef struct walker {
    double x, z, yaw; // in the world
} walker;

// A place in the world, to model space.
static sinew_vec3 seen_by(walker w, sinew_vec3 at) {
    double x = (double)at.x - w.x, z = (double)at.z - w.z, c = cos(w.yaw), s = sin(w.yaw);
    return (sinew_vec3){(float)(c * x - s * z), at.y, (float)(s * x + c * z)};
}

// Walks and turns to and fro, at up to 3 rad a second.
static walker walker_at(double time) {
    return (walker){0.5 * sin(2.0 * time), 0.8 * sin(time), 0.3 * sin(10.0 * time)};
}

static sinew_vec3 own_motion(walker before, walker now, sinew_vec3 at) {
    sinew_vec3 to = seen_by(now, at), from = seen_by(before, at);
    return (sinew_vec3){to.x - from.x, to.y - from.y, to.z - from.z};
}

static double half_tangent_off(walker w, sinew_vec3 at) {
    sinew_vec3 to = seen_by(w, at);
    return tan(0.5 * atan2((double)to.x, (double)to.z));
}

// The head doesn't leave a target that rests in the world. It changes to another one as if the character stood still: the
// tangent's difference to the new one's goes as two low-passes in a row let it.
static void test_a_walker_and_resting_targets(void **state) {
    (void)state;
    static const double rates[] = {30.0, 60.0, 240.0};
    const sinew_vec3 first = {0.3f, 0, 4}, second = {-0.8f, 0, 3};
    for (int i = 0; i < 3; i++) {
        rig r = make_head();
        sinew_ik_aim aim = head_aim(&r);
        aim.limit = 2.4f;
        sinew_ik_aim_state follows = {0};
        double dt = 1.0 / rates[i], worst = 0.0, difference = 0.0;
        for (int frame = 0; frame < (int)(4.0 * rates[i]); frame++) {
            walker before = walker_at(dt * (frame - 1)), now = walker_at(dt * frame);
            int after = frame - (int)(2.0 * rates[i]);
            sinew_vec3 at = after > 0 ? second : first;
            aim.own_motion = own_motion(before, now, at), aim.target = seen_by(now, at);
            double sight = tan(0.5 * yaw_of(follow(&r, &aim, frame > 0 ? dt : INFINITY, &follows)));
            double x = after * dt / (double)aim.settle_time;
            double left = after > 0 ? difference * (1.0 + x) * exp(-x) : 0.0;
            worst = fmax(worst, fabs(sight - half_tangent_off(now, at) - left));
            if (after != 0) continue;
            aim.target = seen_by(now, second), difference = sight - half_tangent_off(now, second);
            follow(&r, &aim, 0.0, &follows); // the jump, without damping
        }
        print_message("off by %.6f at %g frames a second\n", worst, rates[i]);
        assert_true(worst < 2e-5);
        free_rig(&r);
    }
}

// A target that comes along rests in model space. It's followed as if nothing moved.
static void test_a_walker_and_a_companion(void **state) {
    (void)state;
    rig r = make_head();
    sinew_ik_aim aim = head_aim(&r);
    sinew_ik_aim_state walks = {0}, stands = {0};
    for (int frame = 0; frame < 120; frame++) {
        walker before = walker_at((frame - 1) / 60.0), now = walker_at(frame / 60.0);
        aim.target = target_at(frame < 60 ? 0.7 : -0.5, 0.3);
        double c = cos(now.yaw), s = sin(now.yaw), x = (double)aim.target.x, z = (double)aim.target.z;
        sinew_vec3 at = {(float)(now.x + c * x + s * z), aim.target.y, (float)(now.z - s * x + c * z)};
        if (frame != 60) aim.own_motion = own_motion(before, now, at);
        place along = follow(&r, &aim, 1.0 / 60.0, &walks);
        aim.own_motion = (sinew_vec3){0, 0, 0};
        place alone = follow(&r, &aim, 1.0 / 60.0, &stands);
        assert_memory_equal(&along, &alone, sizeof along);
    }
    free_rig(&r);
}

// The character turns round and round, and is put elsewhere every second. The head stays within the limit and the quarter
// that it may exceed it by. While the character only turns, the head is smooth also at the limit and behind.
static void test_a_walker_that_turns_away(void **state) {
    (void)state;
    enum { HIGH, LEVEL, JUMPS };
    uint64_t seed = 5;
    for (int i = HIGH; i <= JUMPS; i++) {
        rig r = make_head();
        sinew_ik_aim aim = head_aim(&r);
        aim.pitch_up = 0.7f, aim.pitch_down = 0.6f;
        sinew_ik_aim_state follows = {0};
        walker before = {0, 0, 0}, now = {0, 0, 0};
        const sinew_vec3 at = {0.5f, i == LEVEL ? 0.02f : 0.7f, 2};
        shaking head = {.most = 0.0};
        double furthest = 0.0;
        for (int frame = 0; frame < 1200; frame++) {
            now.yaw += 2.0 / 60.0;
            if (i == JUMPS && frame % 60 == 0) now.x = (double)random_float(&seed, -2, 2), now.yaw += 2.0 * now.x;
            aim.own_motion = own_motion(before, now, at), aim.target = seen_by(now, at);
            place sight = follow(&r, &aim, 1.0 / 60.0, &follows);
            furthest = fmax(furthest, part_of_limit(&aim, sight, &r));
            add_direction(&head, sight, frame > 60);
            before = now;
        }
        print_message("%.2f of the limit, shakes by %.4f\n", furthest, head.most);
        assert_true(furthest < (i == JUMPS ? 1.25 : 1.0 + 1e-4));
        if (i != JUMPS) assert_true(head.most < 0.004);
        free_rig(&r);
    }
}

// ---- The state -----------------------------------------------------------------------------------------------

// Settled, it is what sinew_ik_aim_solve makes, to the bit; and without a limit what a limit of 150 degrees makes.
static void test_it_settles_to_the_solved_pose(void **state) {
    (void)state;
    uint64_t seed = 31;
    for (int i = 0; i < 400; i++) {
        rig r = make_rig((above)(i % ABOVE_KINDS), &seed);
        sinew_ik_aim aim = sinew_ik_aim_from_rest(r.skeleton, LOWER, i % 2 ? LOWER : END, ahead);
        aim.limit = i % 5 ? random_float(&seed, 0.3f, 2.0f) : 2.61799388f;
        aim.weight = random_float(&seed, 0.1f, 1.2f), aim.up_weight = random_float(&seed, -1, 1);
        aim.target = narrow(plus(place_of(&r.model[LOWER]), random_direction(&seed), 4.0));
        rotations before = rotations_of(&r);
        sinew_ik_aim_solve(&aim, r.pose, r.model);
        rotations solved = rotations_of(&r);
        set_rotation(&r, LOWER, before.q[LOWER]);
        if (i % 5 == 0) aim.limit = 3.2f;
        if (i % 3 == 0) aim.settle_time = 0.0f;
        sinew_ik_aim_state follows = {0};
        sinew_ik_aim_follow(&aim, i % 3 ? INFINITY : 0.01f, &follows, r.pose, r.model);
        check_unchanged(&r, &solved);
        free_rig(&r);
    }
}

static void test_a_copy_is_a_snapshot(void **state) {
    (void)state;
    rig r = make_head();
    sinew_ik_aim aim = head_aim(&r);
    sinew_ik_aim_state follows = {0}, saved;
    for (int frame = 0; frame < 20; frame++) {
        aim.target = moving_target(0.1 * frame);
        follow(&r, &aim, 0.02, &follows);
    }
    saved = follows;
    place first = follow(&r, &aim, 0.02, &follows), again = follow(&r, &aim, 0.02, &saved);
    assert_memory_equal(&first, &again, sizeof first);
    assert_memory_equal(&follows, &saved, sizeof follows);
    free_rig(&r);
}

// At weight 0, the pose keeps its bits and the state continues. From {0}, the gaze leaves the clip's pose smoothly.
static void test_weight_and_start(void **state) {
    (void)state;
    rig r = make_head();
    sinew_ik_aim aim = head_aim(&r);
    aim.target = target_at(1.0, 0.5);
    sinew_ik_aim_state unseen = {0}, seen = {0};
    for (int frame = 0; frame < 30; frame++) {
        rotations before = rotations_of(&r);
        aim.weight = 0.0f;
        sinew_ik_aim_follow(&aim, 0.01f, &unseen, r.pose, r.model);
        check_unchanged(&r, &before);
        aim.weight = 1.0f;
        place sight = follow(&r, &aim, 0.01, &seen);
        if (frame == 0) assert_true(angle_of(sight, (place){0, 0, 1}) < 0.01);
        sinew_pose_set(r.pose, LOWER, sinew_transform_identity());
        to_model(&r);
    }
    assert_memory_equal(&unseen, &seen, sizeof seen);
    assert_true(seen.twice.weight > 0.4f);
    free_rig(&r);
}

// No answer: neither the pose nor the state changes. No time: the pose stays as it was.
static void test_what_changes_no_state(void **state) {
    (void)state;
    rig r = make_head();
    sinew_ik_aim aim = head_aim(&r);
    aim.target = target_at(1.0, 0.5);
    sinew_ik_aim_state follows = {0};
    for (int frame = 0; frame < 10; frame++) follow(&r, &aim, 0.02, &follows);
    sinew_ik_aim_state saved = follows;
    place before = follow(&r, &aim, 0.0, &follows);
    assert_memory_equal(&follows, &saved, sizeof saved);
    static const float none[] = {NAN, INFINITY, 3e38f};
    for (int i = 0; i < 3; i++) {
        sinew_ik_aim bad = aim;
        bad.target.y = none[i];
        rotations pose = rotations_of(&r);
        sinew_ik_aim_follow(&bad, 0.02f, &follows, r.pose, r.model);
        check_unchanged(&r, &pose);
        assert_memory_equal(&follows, &saved, sizeof saved);
    }
    for (int i = 0; i < 2; i++) {
        sinew_ik_aim bad = aim;
        bad.own_motion.z = none[i];
        rotations pose = rotations_of(&r);
        sinew_ik_aim_follow(&bad, 0.02f, &follows, r.pose, r.model);
        check_unchanged(&r, &pose);
        assert_memory_equal(&follows, &saved, sizeof saved);
    }
    place again = follow(&r, &aim, 0.0, &follows);
    assert_memory_equal(&before, &again, sizeof before);
    free_rig(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_response_to_a_jump),
        cmocka_unit_test(test_frame_rates_agree),
        cmocka_unit_test(test_it_goes_round_the_front),
        cmocka_unit_test(test_a_circle_is_followed_smoothly),
        cmocka_unit_test(test_a_bobbing_body_and_a_resting_target),
        cmocka_unit_test(test_a_bobbing_body_and_a_limit),
        cmocka_unit_test(test_a_body_that_jumps),
        cmocka_unit_test(test_a_resting_body_and_a_moving_target),
        cmocka_unit_test(test_a_root_that_follows),
        cmocka_unit_test(test_a_walker_and_resting_targets),
        cmocka_unit_test(test_a_walker_and_a_companion),
        cmocka_unit_test(test_a_walker_that_turns_away),
        cmocka_unit_test(test_it_settles_to_the_solved_pose),
        cmocka_unit_test(test_a_copy_is_a_snapshot),
        cmocka_unit_test(test_weight_and_start),
        cmocka_unit_test(test_what_changes_no_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
