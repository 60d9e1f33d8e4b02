// SPDX-License-Identifier: MIT
// Foot locking: planted feet stay in place in the world, and released feet return smoothly to their pose.
#include "support/locked_runner.h"

// ---- Planted -------------------------------------------------------------------------------------------------

// Moves and turns by what the legs reach; both ends of each foot stay.
static void check_planted(actor *a, double size) {
    stand(a, 0.02);
    static const int32_t ends[4] = {FOOT_L, TOES_L, FOOT_R, TOES_R};
    vec first[4];
    for (int i = 0; i < 4; i++) first[i] = shown(a, ends[i]);
    location start = a->at;
    for (int frame = 1; frame <= 50; frame++) {
        double u = frame / 50.0;
        a->at.x = start.x + 0.1 * size * u;
        (a->at.z_up ? &a->at.y : &a->at.z)[0] += 0.2 * size / 50;
        a->at.heading = start.heading + 0.5 * sin(3 * u);
        stand(a, 0.02);
        for (int i = 0; i < 4; i++) check_near(distance(shown(a, ends[i]), first[i]), 0, 1e-5 * size + 2e-6);
        check_matrices(a);
    }
    assert_true(gap(a, FOOT_L) > 0.1 * size);
}

static void test_planted_feet_stay(void **state) {
    (void)state;
    for (int i = 0; i < 16; i++) {
        actor a;
        sinew_transform top = sinew_transform_identity();
        if (i & 4) top.scale = (sinew_vec3){0.01f, 0.01f, 0.01f}, top.rotation = about_y(0.4);
        if (i & 8) top.scale.x = -top.scale.x; // mirrored legs
        make_actor(&a, top, true);
        double size = i & 4 ? 0.01 : 1;
        if (i & 4) {
            a.lock.distance = 0.004f;
        }
        if (i & 1) a.at = (location){3, 1, -2, 0.7, 2.5, false, false}, size *= 2.5;
        if (i & 2) a.at.mirrored = true;
        check_planted(&a, size);
        free_actor(&a);
    }
}

static void test_where_z_is_up(void **state) {
    (void)state;
    actor a;
    sinew_transform top = sinew_transform_identity();
    top.rotation = about_x(PI / 2); // the skeleton's y becomes z
    make_actor(&a, top, true);
    for (int i = 0; i < 2; i++) {
        int32_t thigh = i ? THIGH_R : THIGH_L;
        a.legs[i] = sinew_foot_from_rest(a.skeleton, thigh, thigh + 1, thigh + 2, thigh + 3, (sinew_vec3){0, 0, 1});
    }
    a.lock.up = (sinew_vec3){0, 0, 1};
    a.at.z_up = true;
    check_planted(&a, 1);
    free_actor(&a);
}

// Ancestors with uneven scale shear the legs: the pivot stays, here the ankle.
static void test_sheared_legs(void **state) {
    (void)state;
    actor a;
    sinew_transform top = sinew_transform_identity();
    top.scale = (sinew_vec3){1.2f, 1.0f, 0.8f};
    top.rotation = about_y(0.5);
    make_actor(&a, top, false);
    stand(&a, 0.02);
    vec first = shown(&a, FOOT_L);
    for (int frame = 1; frame <= 50; frame++) {
        a.at.z = 0.004 * frame, a.at.heading = 0.01 * frame;
        stand(&a, 0.02);
        check_near(distance(shown(&a, FOOT_L), first), 0, 2e-4);
    }
    assert_true(gap(&a, FOOT_L) > 0.1);
    free_actor(&a);
}

// A foot that rolls from the heel to the toes in its pose rolls in the world, while the character turns: its lowest point
// stays, and it does not jump where that changes.
static void test_a_foot_rolls(void **state) {
    (void)state;
    actor a;
    make_actor(&a, sinew_transform_identity(), true);
    double slid = 0, jump = 0;
    vec heel = {0}, toes = {0};
    for (int frame = 0; frame <= 100; frame++) {
        double tilt = 0.4 * (frame - 50) / 50; // the heel is down at first, then the toes
        sinew_pose_reset(a.pose);
        sinew_transform foot = sinew_pose_get(a.pose, FOOT_L);
        foot.rotation = sinew_quat_multiply(foot.rotation, about_x(tilt));
        sinew_pose_set(a.pose, FOOT_L, foot);
        sinew_transform hips = sinew_pose_get(a.pose, HIPS);
        hips.translation.y += tilt > 0 ? (float)(0.2 * sin(tilt)) : 0.0f; // the lower end on the ground
        sinew_pose_set(a.pose, HIPS, hips);
        a.at.z = 0.002 * frame, a.at.heading = 0.003 * frame;
        lock_feet(&a, 0.01);
        vec heel_now = shown(&a, FOOT_L), toes_now = shown(&a, TOES_L);
        if (frame > 0 && fabs(tilt) > 0.08) {
            slid = fmax(slid, tilt < 0 ? level_distance(heel, heel_now) : level_distance(toes, toes_now));
        }
        if (frame > 0) jump = fmax(jump, fmax(distance(heel, heel_now), distance(toes, toes_now)));
        heel = heel_now, toes = toes_now;
    }
    assert_true(slid < 1e-5 && jump < 0.01);
    assert_int_equal(a.state.feet[0].pivot, 1);
    assert_true(gap(&a, TOES_L) > 0.1);
    free_actor(&a);
}

// ---- Released ------------------------------------------------------------------------------------------------

enum { CURVE = 60 };

// A character moves at 0.5 m/s, and its contact ends after 0.4 s. Returns the left foot's offset behind its pose
// every sixtieth of a second from then on, and the largest change of its ground velocity in a frame.
static double release_curve(int rate, double offsets[CURVE]) {
    actor a;
    make_actor(&a, sinew_transform_identity(), true);
    double jolt = 0, was = 0, before = 0;
    for (int frame = 0; frame <= rate * 7 / 5 - 1; frame++) {
        double time = (double)frame / rate;
        a.at.z = 0.5 * time;
        if (frame >= rate * 2 / 5) a.contacts[0] = 0;
        stand(&a, 1.0 / rate);
        double z = shown(&a, FOOT_L).z, velocity = (z - was) * rate;
        if (frame > 2) jolt = fmax(jolt, fabs(velocity - before));
        was = z, before = velocity;
        int tick = (frame - rate * 2 / 5) * 60 / rate;
        if (tick >= 0 && tick < CURVE && (frame - rate * 2 / 5) * 60 % rate == 0) offsets[tick] = a.at.z - z;
    }
    free_actor(&a);
    return jolt;
}

// With T = 0.08 s, an offset x and its velocity v are x(t) = (x + (v + x / T) t) e^(-t / T), at any frame rate.
static void test_a_released_foot_is_inertialized(void **state) {
    (void)state;
    double at_60[CURVE], at_240[CURVE], time = 0.08, x = 0.2, v = 0.5;
    double jolt = release_curve(60, at_60), fine_jolt = release_curve(240, at_240);
    for (int i = 0; i < CURVE; i++) {
        double t = i / 60.0, expected = (x + (v + x / time) * t) * exp(-t / time);
        check_near(at_60[i], expected, 1e-4);
        check_near(at_240[i], expected, 1e-4);
    }
    assert_true(jolt < 0.6 &&
                fine_jolt < jolt / 2.5); // no corner of the velocity: the change is in proportion to the frame
}

// The angle about +Y from the foot in the pose to the one that is shown.
static double yaw_gap(const actor *a) {
    vec p = node_in_world(a, a->posed, TOES_L), q = shown(a, TOES_L);
    vec from = node_in_world(a, a->posed, FOOT_L), to = shown(a, FOOT_L);
    return remainder(atan2(q.x - to.x, q.z - to.z) - atan2(p.x - from.x, p.z - from.z), 2 * PI);
}

// A character that turns at 1 rad/s: the foot turns after it by the same formula, and is then in its pose, bit for bit.
static void test_a_released_foot_turns(void **state) {
    (void)state;
    actor a;
    make_actor(&a, sinew_transform_identity(), true);
    for (int frame = 0; frame <= 300; frame++) {
        a.at.heading = 0.01 * frame;
        if (frame >= 50) a.contacts[0] = 0;
        stand(&a, 0.01);
        double t = 0.01 * (frame - 50), x = 0.5, v = 1, time = 0.08;
        if (frame >= 50) check_near(-yaw_gap(&a), (x + (v + x / time) * t) * exp(-t / time), 1e-4);
    }
    assert_memory_equal(&a.model[FOOT_L], &a.posed[FOOT_L], 2 * sizeof *a.model);
    free_actor(&a);
}

// The largest offset and angle of a foot that is released in a body that moves and turns very fast.
static void test_the_speed_of_a_released_foot_is_limited(void **state) {
    (void)state;
    for (int turns = 0; turns < 2; turns++) {
        actor a;
        make_actor(&a, sinew_transform_identity(), false);
        stand(&a, 0.01);
        for (int frame = 0; frame < 3; frame++) {
            if (turns) a.at.heading += 0.2; // 20 rad/s, limited to 1 / 0.08
            if (!turns) a.at.z += 0.1;      // 10 m/s, limited to 0.5 × 1.12 / 0.08
            if (frame == 2) a.contacts[0] = 0;
            stand(&a, 0.01);
        }
        double x = turns ? 0.6 : 0.3, v = turns ? 12.5 : 7.0, time = 0.08;
        for (int frame = 1; frame < 20; frame++) {
            stand(&a, 0.01);
            double t = 0.01 * frame, expected = (x + (v + x / time) * t) * exp(-t / time);
            check_near(turns ? -a.state.feet[0].yaw : -a.state.feet[0].offset.z, expected, 2e-3);
        }
        free_actor(&a);
    }
}

// The foot's contact flickers between the two thresholds.
static void test_hysteresis(void **state) {
    (void)state;
    actor a;
    make_actor(&a, sinew_transform_identity(), true);
    static const struct {
        float contact;
        bool locked;
    } frames[] = {{0.45f, false}, {0.5f, true},   {0.45f, true}, {0.4f, true},
                  {0.39f, false}, {0.45f, false}, {1, true},     {NAN, false}};
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        a.contacts[0] = frames[i].contact;
        stand(&a, 0.01);
        assert_int_equal(a.state.feet[0].locked, frames[i].locked);
        assert_true(a.state.feet[1].locked);
    }
    free_actor(&a);
}

// Walks away from planted feet until they are released; returns how far the left one was away.
static double distance_at_release(actor *a, double step, double turn) {
    double last = 0;
    for (int frame = 0; frame < 1000; frame++) {
        stand(a, 0.01);
        if (frame > 0 && !a->state.feet[0].locked) return last;
        sinew_vec3 offset = a->state.feet[0].offset;
        last = hypot((double)offset.x, (double)offset.z);
        a->at.x += step, a->at.heading += turn;
    }
    return -1;
}

static void make_slider(actor *a) {
    make_actor(a, sinew_transform_identity(), false);
    a->lock.lift_height = 0;
}

static void test_limits(void **state) {
    (void)state;
    actor a;
    make_slider(&a);
    check_near(distance_at_release(&a, 0.002, 0), 0.5, 0.003);
    free_actor(&a);

    // Hips at 0.9 m and legs of 1.12 m, used up to 0.95 of that: sqrt(1.064^2 - 0.9^2) = 0.5675 m.
    make_slider(&a);
    a.lock.distance = 0.8f, a.lock.stretch = 0.95f;
    check_near(distance_at_release(&a, 0.002, 0), 0.5675, 0.003);
    free_actor(&a);

    make_slider(&a);
    distance_at_release(&a, 0, 0.01);
    check_near(a.at.heading, 0.81, 0.011);
    free_actor(&a);
}

// Released in spite of its contact, a foot that does not step slides to its pose, and is planted there again.
static void test_a_foot_is_planted_again(void **state) {
    (void)state;
    actor a;
    make_slider(&a);
    a.lock.distance = 0.4f;
    distance_at_release(&a, 0.01, 0);
    int frames = 0;
    vec was = shown(&a, FOOT_L);
    while (!a.state.feet[0].locked) {
        stand(&a, 0.01);
        double moved = distance(shown(&a, FOOT_L), was);
        assert_true(moved < 0.06); // 0.37 (0.41 / 0.08 + 1) m/s and less
        was = shown(&a, FOOT_L);
        assert_true(++frames < 100);
    }
    assert_true(frames > 20);
    check_near(gap(&a, FOOT_L), 0.04, 0.01);
    check_near(shown(&a, FOOT_L).y, 0, 1e-5);
    free_actor(&a);
}

// A foot's contact begins while the character slides. At 0.5 m/s, it's planted. At 20 m/s it isn't: its leg would be
// too short within release_time / 2.
static void test_a_foot_that_is_soon_out_of_reach(void **state) {
    (void)state;
    static const double speeds[2] = {0.5, 20};
    for (int i = 0; i < 2; i++) {
        actor a;
        make_actor(&a, sinew_transform_identity(), true);
        for (int frame = 0; frame < 20; frame++) {
            a.at.z = speeds[i] * 0.01 * frame;
            a.contacts[0] = a.contacts[1] = frame < 10 ? 0 : 1;
            sinew_pose_reset(a.pose);
            lock_feet(&a, 0.01);
            assert_int_equal(a.state.feet[0].locked, i == 0 && frame >= 10);
        }
        free_actor(&a);
    }
}

// ---- Rolling -------------------------------------------------------------------------------------------------

static const double tilt = 0.15, toes_length = 0.2, stretched = 0.99 * 2 * bone;

// Stands on the toes, with the foot tilted.
static void stand_on_toes(actor *a, double dt) {
    sinew_pose_reset(a->pose);
    for (int foot = 0; foot < 2; foot++) {
        sinew_transform t = sinew_pose_get(a->pose, foot ? FOOT_R : FOOT_L);
        t.rotation = sinew_quat_multiply(t.rotation, about_x(tilt));
        sinew_pose_set(a->pose, foot ? FOOT_R : FOOT_L, t);
    }
    sinew_transform hips = sinew_pose_get(a->pose, HIPS);
    hips.translation.y += (float)(toes_length * sin(tilt));
    sinew_pose_set(a->pose, HIPS, hips);
    lock_feet(a, dt);
}

// How far ahead of a planted ankle the hips are as the leg is stretched, the heel raised by `roll`.
static double hips_ahead(double roll) {
    double z = toes_length * (cos(tilt) - cos(tilt + roll)), y = toes_length * sin(tilt + roll);
    double down = hip_height + toes_length * sin(tilt) - y;
    return z + sqrt(stretched * stretched - down * down);
}

static void check_heel(double roll, bool mirrored) {
    actor a;
    sinew_transform top = sinew_transform_identity();
    if (mirrored) top.scale.x = -1;
    make_actor(&a, top, true);
    a.lock.distance = 1, a.lock.lift_height = 0, a.lock.roll = (float)roll;
    sinew_affine first = sinew_affine_identity();
    double heel = 0, released = 0;
    for (int frame = 0; released == 0; frame++) {
        a.at.z = 0.002 * frame;
        stand_on_toes(&a, 0.01);
        if (frame == 0) first = a.model[TOES_L];
        if (!a.state.feet[0].locked) released = a.at.z;
        if (released > 0) break;
        sinew_affine toes = a.model[TOES_L];
        toes.m[2][3] += (float)a.at.z;
        for (int i = 0; i < 12; i++)
            check_near(toes.m[i / 4][i % 4], first.m[i / 4][i % 4], roll > 0 ? 0.02 : 0.035);
        assert_true(distance(shown(&a, FOOT_L), shown(&a, THIGH_L)) < stretched + 1e-5);
        assert_true(shown(&a, FOOT_L).y >= heel - 1e-6);
        heel = shown(&a, FOOT_L).y;
        check_matrices(&a);
        assert_true(a.at.z < 1);
    }
    check_near(released, hips_ahead(roll) + 0.001, 0.002);
    check_near(heel, toes_length * sin(tilt + roll), roll > 0 ? 0.02 : 0.035);
    free_actor(&a);
}

// The heel rises by up to `roll`, as far as the leg needs it, and the toes stay where they are. Without a roll the leg lifts the
// whole foot a little before it is released.
static void test_a_heel_rises(void **state) {
    (void)state;
    check_heel(0, false);
    check_heel(0.6, false);
    check_heel(0.6, true);
    check_heel(0.3, false);
    assert_true(hips_ahead(0.6) > hips_ahead(0) + 0.15);
}

// Stands on the toes with the heel raised further by the roll; then the pose's foot comes down, and past level: its lowest
// point is now the heel. The foot that is shown turns no faster than the pose's.
static void test_a_heel_keeps_its_roll_as_the_pivot_changes(void **state) {
    (void)state;
    actor a;
    make_actor(&a, sinew_transform_identity(), true);
    a.lock.distance = 1, a.lock.lift_height = 0;
    for (int frame = 0; frame <= 50; frame++) {
        a.at.z = hips_ahead(0.3) * frame / 50;
        stand_on_toes(&a, 0.01);
    }
    double fastest = 0, rolled = 0;
    sinew_quat was = {0};
    bool changed = false;
    for (int frame = 0; frame <= 170; frame++) {
        double turn = tilt - 0.0015 * frame;
        sinew_pose_reset(a.pose);
        for (int foot = 0; foot < 2; foot++) {
            sinew_transform t = sinew_pose_get(a.pose, foot ? FOOT_R : FOOT_L);
            t.rotation = sinew_quat_multiply(t.rotation, about_x(turn));
            sinew_pose_set(a.pose, foot ? FOOT_R : FOOT_L, t);
        }
        sinew_transform hips = sinew_pose_get(a.pose, HIPS);
        hips.translation.y += (float)(toes_length * sin(tilt));
        sinew_pose_set(a.pose, HIPS, hips);
        lock_feet(&a, 0.01);
        sinew_quat now = sinew_affine_decompose(a.model[FOOT_L]).rotation;
        if (frame > 0) fastest = fmax(fastest, angle_between(now, was));
        double more = angle_between(now, sinew_affine_decompose(a.posed[FOOT_L]).rotation);
        if (!changed && a.state.feet[0].pivot == 0) changed = true, rolled = more;
        was = now;
    }
    print_message("rolled by %.2f rad as the pivot changes, at most %.4f in a frame\n", rolled, fastest);
    assert_true(changed && rolled > 0.05 && fastest < 0.003);
    free_actor(&a);
}

static double knee_angle(const actor *a) {
    vec hip = shown(a, THIGH_L), knee = shown(a, SHIN_L), foot = shown(a, FOOT_L);
    double x = distance(hip, knee), y = distance(knee, foot), z = distance(hip, foot);
    return acos(fmax(-1, fmin(1, (x * x + y * y - z * z) / (2 * x * y))));
}

// A foot that the leg does not reach any more is released, and comes back: the knee stops short of straight, slowly, and
// bends again without a snap.
static void test_a_knee_stops_short_of_straight(void **state) {
    (void)state;
    actor a;
    make_slider(&a);
    a.lock.distance = 2;
    const double rate = 240;
    double angles[3] = {0}, most = 0, jolt = 0, speed = 0;
    bool was_released = false;
    for (int frame = 0; frame < 300; frame++) {
        a.at.z += 1.5 / rate;
        stand(&a, 1 / rate);
        angles[0] = angles[1], angles[1] = angles[2], angles[2] = knee_angle(&a);
        was_released = was_released || !a.state.feet[0].locked;
        most = fmax(most, angles[2]);
        if (frame > 2) {
            jolt = fmax(jolt, fabs(angles[2] - 2 * angles[1] + angles[0]));
            speed = fmax(speed, fabs(angles[2] - angles[1]));
        }
    }
    print_message("a knee of at most %.0f degrees, by %.2f in a frame, which changes by %.2f\n", most * 180 / PI,
                  speed * 180 / PI, jolt * 180 / PI);
    assert_true(was_released && most < 165 * PI / 180);
    assert_true(jolt < 0.6 * PI / 180);
    free_actor(&a);
}

// A contact of a foot that is still in the air: it follows its pose, and is planted within 2 cm of the ground. Where it is
// then, nothing changes.
static void test_a_foot_is_planted_near_the_ground(void **state) {
    (void)state;
    actor a;
    make_actor(&a, sinew_transform_identity(), true);
    for (int frame = 0; frame <= 60; frame++) {
        double height = 0.06 - 0.001 * frame;
        sinew_pose_reset(a.pose);
        sinew_transform hips = sinew_pose_get(a.pose, HIPS);
        hips.translation.y += (float)height;
        sinew_pose_set(a.pose, HIPS, hips);
        a.at.z = 0.01 * fmin(frame, 38);
        lock_feet(&a, 0.01);
        if (frame != 40) assert_int_equal(a.state.feet[0].locked, height < 0.02);
        assert_memory_equal(a.model, a.posed, RUNNER_NODES * sizeof *a.model);
    }
    free_actor(&a);
}

// ---- Stepping ------------------------------------------------------------------------------------------------

// A character moves at 0.5 m/s with lasting contacts. With T = 0.06 s, its foot lifts 0.04 s before it's 0.5 m
// behind, by a tenth of the leg's 1.12 m. It moves to its pose through the air, and is planted again after 5.5 T,
// once it's below 2 cm.
static double lift_after(double t, double time) {
    return 0.112 * pow(t / (2 * time), 2) * exp(2 - t / time);
}

// A released foot follows its pose, which moves at `speed`: its speed after a time, with `behind` at its release.
static double speed_after(double t, double time, double speed, double behind) {
    return speed - (speed - t / time * (speed + behind / time)) * exp(-t / time);
}

// The way of a planted foot that brakes.
static double way_to_rest(double t, double speed, double rate) {
    double until = fmin(t, speed / rate);
    return speed * until - rate * until * until / 2;
}

static void check_step(int rate, double scale) {
    static const double time = 0.06, lead = 0.04, release_time = 0.08, far = 0.5, landing = 5.5;
    actor a;
    make_actor(&a, sinew_transform_identity(), false);
    a.at.scale = scale;
    double speed = 0.5 * scale, x = -1, planted = 0, z = 0;
    stand(&a, 0);
    double leg = distance(shown(&a, THIGH_L), shown(&a, SHIN_L)) + distance(shown(&a, SHIN_L), shown(&a, FOOT_L));
    int lifted = 0, landed = 0;
    while (0.5 * lifted / rate + 0.5 * lead <= far) lifted++;
    while ((double)(landed - lifted) / rate <= landing * time) landed++;
    while (lift_after((double)(landed - lifted) / rate, time) > 0.02) landed++; // low enough to be locked
    for (int frame = 0; frame < landed + rate / 5; frame++) {
        double t = fmax(0, (double)(frame - lifted) / rate);
        a.at.z = speed * frame / rate;
        stand(&a, 1.0 / rate);
        vec foot = shown(&a, FOOT_L);
        check_near(foot.y, scale * lift_after(t, time), 1e-4 * scale);
        assert_int_equal(a.state.feet[0].locked, a.at.z <= far * scale || frame >= landed);
        if (!a.state.feet[0].locked) {
            if (x < 0) x = a.at.z, planted = frame;
            double since = (frame - planted) / rate;
            double behind = (x + (speed + x / release_time) * since) * exp(-since / release_time);
            check_near(a.at.z - foot.z, behind, 1e-4 * scale);
        } else if (frame < landed) {
            check_near(foot.z, 0, 1e-5 * scale);
        }
        if (frame < landed) continue;
        double slide = speed_after((landed - planted) / rate, release_time, speed, x), braking = 150 * leg;
        if (frame == landed) z = foot.z;
        check_near(foot.z, z + way_to_rest((double)(frame - landed) / rate, slide, braking), 1e-4 * scale);
    }
    free_actor(&a);
}

static void test_a_foot_steps(void **state) {
    (void)state;
    check_step(60, 1);
    check_step(240, 1);
    check_step(240, 2.5);
}

// The same, with the other foot in the air: the foot doesn't step. It is held for 0.5 m, then slides. A character with a
// single foot steps.
static void test_a_foot_that_is_alone_stays_down(void **state) {
    (void)state;
    for (int feet = 1; feet <= 2; feet++) {
        actor a;
        make_actor(&a, sinew_transform_identity(), false);
        a.lock.foot_count = feet;
        a.contacts[1] = 0;
        double height = 0;
        for (int frame = 0; frame < 150; frame++) {
            a.at.z = 0.005 * frame;
            stand(&a, 0.01);
            height = fmax(height, shown(&a, FOOT_L).y);
            if (frame < 100) check_near(shown(&a, FOOT_L).z, 0, 1e-5);
        }
        check_near(height, feet == 1 ? 0.112 : 0, 1e-3);
        assert_true(gap(&a, FOOT_L) < 0.2);
        free_actor(&a);
    }
}

// A foot that begins a step as the other one leaves the ground: it comes down again. When the other foot is back and the
// character moves on, it steps.
static void test_a_step_is_called_off(void **state) {
    (void)state;
    actor a;
    make_actor(&a, sinew_transform_identity(), false);
    bool steps = false;
    for (int frame = 0; frame < 140; frame++) {
        a.at.z = 0.005 * (frame < 98 ? frame : frame < 130 ? 98 : frame - 32);
        a.contacts[1] = frame < 98 || frame >= 110;
        stand(&a, 0.01);
        const sinew_locked_foot *foot = &a.state.feet[0];
        if (frame == 97) assert_true(foot->lift_push > 0);
        if (frame > 98 && frame < 130) assert_true(foot->locked && foot->lift_push == 0 && foot->lift < 0.03f);
        steps = frame >= 130 && (steps || foot->lift_push > 0);
    }
    assert_true(steps);
    free_actor(&a);
}

// A character that turns on the spot at 1 rad/s: its feet step, one after the other, and are planted in the new heading.
static void test_a_foot_steps_as_it_turns(void **state) {
    (void)state;
    actor a;
    make_actor(&a, sinew_transform_identity(), true);
    double height = 0, slid = 0;
    vec was = {0};
    for (int frame = 0; frame < 300; frame++) {
        a.at.heading = 0.01 * frame;
        stand(&a, 0.01);
        vec toes = shown(&a, TOES_L);
        height = fmax(height, toes.y);
        if (frame > 0 && fmin(toes.y, was.y) < 0.01) slid += level_distance(toes, was);
        assert_true(fabs(yaw_gap(&a)) < 0.83);
        assert_true(fmin(toes.y, shown(&a, TOES_R).y) < 0.025);
        was = toes;
    }
    assert_true(height > 0.05 && height < 0.1121);
    assert_true(slid < 1e-3);
    free_actor(&a);
}

// Straight legs, which cannot reach further than in the pose: small movements of the hips lift no foot.
static void test_a_short_step_is_low(void **state) {
    (void)state;
    actor a;
    make_actor(&a, sinew_transform_identity(), false);
    for (int frame = 0; frame < 200; frame++) {
        sinew_pose_reset(a.pose);
        for (int32_t node = THIGH_L; node < RUNNER_NODES; node++) {
            sinew_transform t = sinew_pose_get(a.pose, node);
            t.rotation = sinew_transform_identity().rotation;
            sinew_pose_set(a.pose, node, t);
        }
        sinew_transform hips = sinew_pose_get(a.pose, HIPS);
        hips.translation.y = (float)(2 * bone);
        sinew_pose_set(a.pose, HIPS, hips);
        a.at.z = 0.02 * sin(0.06 * frame);
        lock_feet(&a, 0.01);
        assert_true(shown(&a, FOOT_L).y < 4e-3);
    }
    free_actor(&a);
}

// A contact that ends during a step, and a character that stops during one: the foot comes down.
static void test_a_step_that_ends(void **state) {
    (void)state;
    for (int stops = 0; stops < 2; stops++) {
        actor a;
        make_actor(&a, sinew_transform_identity(), false);
        for (int frame = 0; frame < 200; frame++) {
            a.at.z = 0.005 * (stops && frame > 98 ? 98 : frame);
            if (!stops && frame > 98) a.contacts[0] = a.contacts[1] = 0;
            vec was = shown(&a, FOOT_L);
            stand(&a, 0.01);
            assert_true(frame == 0 || fabs(shown(&a, FOOT_L).y - was.y) < 0.025);
            if (frame == 98) assert_true(a.state.feet[0].locked && a.state.feet[0].waiting);
            sinew_locked_foot before = a.state.feet[0];
            if (frame == 101) stand(&a, 0); // no time: it neither rises nor falls
            assert_true(before.lift == a.state.feet[0].lift &&
                        before.lift_velocity == a.state.feet[0].lift_velocity);
        }
        check_near(shown(&a, FOOT_L).y, 0, 1e-5);
        assert_int_equal(a.state.feet[0].locked, stops);
        assert_true(gap(&a, FOOT_L) < (stops ? 0.15 : 1e-4));
        assert_false(a.state.feet[0].waiting);
        free_actor(&a);
    }
}

// ---- Cuts, teleports, and time that stands still -------------------------------------------------------------

static void test_teleports(void **state) {
    (void)state;
    actor a;
    make_actor(&a, sinew_transform_identity(), true);
    stand(&a, 0.02);
    a.at.x = 20; // noticed by the distance
    stand(&a, 0.02);
    check_near(gap(&a, FOOT_L), 0, 0);
    stand(&a, 0.02);
    assert_true(a.state.feet[0].locked);
    check_near(gap(&a, FOOT_L), 0, 1e-5);

    a.at.x += 0.3; // told by the program
    a.state = (sinew_foot_lock_state){0};
    stand(&a, 0.02);
    check_near(gap(&a, FOOT_L), 0, 1e-6);
    free_actor(&a);
}

static void pose_ahead(actor *a, double angle) {
    sinew_pose_reset(a->pose);
    for (int i = 0; i < 2; i++) {
        sinew_transform thigh = sinew_pose_get(a->pose, i ? THIGH_R : THIGH_L);
        thigh.rotation = sinew_quat_multiply(about_x(angle), thigh.rotation);
        sinew_pose_set(a->pose, i ? THIGH_R : THIGH_L, thigh);
    }
}

// A cut of the pose does not move a planted foot; as its contact ends in the same frame, neither: it returns smoothly, and
// not with the speed of the cut.
static void test_a_cut_of_the_pose(void **state) {
    (void)state;
    for (int ends = 0; ends < 2; ends++) {
        actor a;
        make_actor(&a, sinew_transform_identity(), true);
        for (int frame = 0; frame < 5; frame++) stand(&a, 0.01);
        int32_t node = a.state.feet[0].pivot ? TOES_L : FOOT_L;
        vec planted = shown(&a, node), was = planted;
        if (ends) a.contacts[0] = a.contacts[1] = 0;
        for (int frame = 0; frame < 60; frame++) {
            pose_ahead(&a, -0.3); // 0.27 m
            lock_feet(&a, 0.01);
            vec now = shown(&a, node);
            if (frame == 0 || !ends) check_near(level_distance(now, planted), 0, 1e-5);
            assert_true(level_distance(now, was) < 0.02);
            was = now;
        }
        if (ends) check_near(gap(&a, FOOT_L), 0, 0.003);
        free_actor(&a);
    }
}

static void test_released_by_the_program(void **state) {
    (void)state;
    actor a;
    make_actor(&a, sinew_transform_identity(), true);
    stand(&a, 0.01);
    a.at.z = 0.2;
    for (int frame = 0; frame < 3; frame++) stand(&a, 0.01);
    check_near(gap(&a, FOOT_L), 0.2, 1e-4);
    sinew_foot_lock_release(&a.state);
    double was = gap(&a, FOOT_L);
    for (int frame = 0; frame < 10; frame++) {
        stand(&a, 0.01);
        assert_false(a.state.feet[0].locked);
        assert_true(gap(&a, FOOT_L) < was && was - gap(&a, FOOT_L) < 0.012);
        was = gap(&a, FOOT_L);
    }
    for (int frame = 0; frame < 50; frame++) stand(&a, 0.01);
    assert_true(a.state.feet[0].locked);
    free_actor(&a);
}

// A step of 0 seconds changes nothing that was there, one of 10 s ends everything that decays.
static void test_steps_of_any_length(void **state) {
    (void)state;
    actor a;
    make_actor(&a, sinew_transform_identity(), true);
    stand(&a, 0.01);
    for (int frame = 0; frame < 20; frame++) a.at.z += 0.01, stand(&a, 0.01);
    a.contacts[0] = 0;
    for (int frame = 0; frame < 5; frame++) stand(&a, 0.01);
    sinew_foot_lock_state state_before = a.state;
    sinew_affine before = a.model[FOOT_L];
    stand(&a, 0);
    assert_memory_equal(&before, &a.model[FOOT_L], sizeof before);
    assert_true(state_before.feet[0].velocity.z == a.state.feet[0].velocity.z);
    stand(&a, 10);
    check_near(gap(&a, FOOT_L), 0, 0);
    check_near(gap(&a, FOOT_R), 0.2, 1e-4);
    free_actor(&a);
}

static void test_weight(void **state) {
    (void)state;
    double gaps[3];
    for (int i = 0; i < 3; i++) {
        actor a;
        make_actor(&a, sinew_transform_identity(), true);
        a.lock.weight = 0.5f * (float)i;
        stand(&a, 0.01);
        a.at.z = 0.2;
        stand(&a, 0.01);
        gaps[i] = gap(&a, FOOT_L);
        if (i == 0) assert_memory_equal(a.model, a.posed, RUNNER_NODES * sizeof *a.model);
        free_actor(&a);
    }
    check_near(gaps[1], 0.1, 1e-3); // rotations are blended
    check_near(gaps[2], 0.2, 1e-5);
}

// Feet that were never planted keep the bits of their pose.
static void test_no_contact(void **state) {
    (void)state;
    actor a;
    make_actor(&a, sinew_transform_identity(), true);
    a.contacts[0] = a.contacts[1] = 0;
    for (int frame = 0; frame < 10; frame++) {
        a.at.z = 0.1 * frame;
        stand(&a, 0.01);
        assert_memory_equal(a.model, a.posed, RUNNER_NODES * sizeof *a.model);
    }
    free_actor(&a);
}

// From a copy of the state come the same bits, also in the middle of a step.
static void test_a_copy_of_the_state_is_a_snapshot(void **state) {
    (void)state;
    actor a;
    make_actor(&a, sinew_transform_identity(), true);
    a.lock.distance = 0.15f;
    sinew_foot_lock_state saved = {0};
    sinew_affine first[RUNNER_NODES];
    for (int run = 0; run < 2; run++) {
        if (run) a.state = saved;
        for (int frame = run ? 20 : 0; frame < 100; frame++) {
            if (frame == 20) saved = a.state;
            if (frame == 20) assert_true(saved.feet[1].waiting && saved.feet[1].lift > 0);
            a.at.z = 0.01 * frame, a.at.heading = 0.02 * frame;
            a.contacts[0] = frame % 40 < 25, a.contacts[1] = frame % 40 < 22 || frame % 40 >= 35;
            stand(&a, 0.01);
        }
        if (!run) memcpy(first, a.model, sizeof first);
    }
    assert_memory_equal(first, a.model, sizeof first);
    free_actor(&a);
}

static void test_what_is_not_finite_is_ignored(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        actor a;
        make_actor(&a, sinew_transform_identity(), true);
        stand(&a, 0.01);
        sinew_foot_lock_state before = a.state;
        location at = a.at;
        sinew_pose_reset(a.pose);
        if (i == 0) a.at.x = NAN;
        if (i == 1) a.at.x = INFINITY;
        if (i == 2) a.at.scale = 0;
        if (i == 3) a.pose->tx[HIPS] = NAN;
        lock_feet(&a, 0.01);
        assert_memory_equal(a.model, a.posed, RUNNER_NODES * sizeof *a.model);
        assert_memory_equal(&before, &a.state, sizeof before);
        a.at = at, a.at.z = 0.1;
        stand(&a, 0.01);
        check_near(gap(&a, FOOT_L), 0.1, 1e-5);
        free_actor(&a);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planted_feet_stay),
        cmocka_unit_test(test_where_z_is_up),
        cmocka_unit_test(test_sheared_legs),
        cmocka_unit_test(test_a_foot_rolls),
        cmocka_unit_test(test_a_released_foot_is_inertialized),
        cmocka_unit_test(test_a_released_foot_turns),
        cmocka_unit_test(test_the_speed_of_a_released_foot_is_limited),
        cmocka_unit_test(test_hysteresis),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_a_foot_is_planted_again),
        cmocka_unit_test(test_a_foot_that_is_soon_out_of_reach),
        cmocka_unit_test(test_a_heel_rises),
        cmocka_unit_test(test_a_heel_keeps_its_roll_as_the_pivot_changes),
        cmocka_unit_test(test_a_knee_stops_short_of_straight),
        cmocka_unit_test(test_a_foot_is_planted_near_the_ground),
        cmocka_unit_test(test_a_foot_steps),
        cmocka_unit_test(test_a_foot_that_is_alone_stays_down),
        cmocka_unit_test(test_a_step_is_called_off),
        cmocka_unit_test(test_a_foot_steps_as_it_turns),
        cmocka_unit_test(test_a_short_step_is_low),
        cmocka_unit_test(test_a_step_that_ends),
        cmocka_unit_test(test_teleports),
        cmocka_unit_test(test_a_cut_of_the_pose),
        cmocka_unit_test(test_released_by_the_program),
        cmocka_unit_test(test_steps_of_any_length),
        cmocka_unit_test(test_weight),
        cmocka_unit_test(test_no_contact),
        cmocka_unit_test(test_a_copy_of_the_state_is_a_snapshot),
        cmocka_unit_test(test_what_is_not_finite_is_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
