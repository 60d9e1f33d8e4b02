// SPDX-License-Identifier: MIT
// Extracted root motion: characters that walk straight, walk in circles and drift, against closed formulas in double.
// Also ten thousand loops.
#include "support/files.h"
#include "support/gait.h"

// ---- Steps ---------------------------------------------------------------------------------------------------

static void check_steps(const gait *g, above a) {
    actor who = make_actor(g, a);
    for (int from = 0; from < KEYS; from += 7) {
        for (int to = from; to < KEYS; to += 5) {
            double t0 = key_time(g, from), t1 = key_time(g, to);
            journey expected = then(back(journey_at(g, t0)), journey_at(g, t1));
            journey origin = {0, 0, 0};
            sinew_root_delta there = delta_on(&who, t0, t1, false, SINEW_LOOP_ONCE);
            sinew_root_delta and_back = delta_on(&who, -t1, -t0, true, SINEW_LOOP_ONCE);
            check_journey(and_delta(origin, there), expected, 2e-6);
            check_journey(and_delta(origin, and_back), back(expected), 2e-6);
            check_near(there.translation.y, 0, 0); // not taken out
        }
    }
    free_actor(&who);
}

static void test_a_step_is_where_the_clip_goes(void **state) {
    (void)state;
    check_steps(&straight, nothing);
    check_steps(&circle, nothing);
    check_steps(&drifting, nothing);
    check_steps(&strafe, nothing);
}

static void test_whatever_stands_above_the_node(void **state) {
    (void)state;
    above blender = {about(1, 0, 0, -PI / 2), {0, 0, 0}, 0.01}, anyhow = {about(0.6, 0.8, 0, 2), {3, -1, 2}, 2.5};
    above mirrored = {about(0, 0, 1, 0.4), {0, 0, 1}, -1.5};
    check_steps(&circle, blender);
    check_steps(&strafe, blender);
    check_steps(&circle, anyhow);
    check_steps(&strafe, mirrored);
}

static void test_up_may_be_z(void **state) {
    (void)state; // (x, y, z) becomes (x, -z, y): a quarter turn about x above the node turns the whole character
    above turned = {about(1, 0, 0, PI / 2), {0, 0, 0}, 1};
    actor y = make_actor(&circle, nothing), z;
    z.skeleton = make_body(turned);
    z.clip = make_gait(z.skeleton, &circle, nothing); // local keys as they were: what stands above turns them
    sinew_root_motion_def def = def_of(z.skeleton);
    def.up = SINEW_UP_Z;
    def.y = true;
    def.z = false;
    z.root = root_of(&def);
    for (int key = 8; key < KEYS; key += 8) {
        sinew_root_delta a = delta_on(&y, 0.1, key_time(&circle, key), false, SINEW_LOOP_ONCE);
        sinew_root_delta b = delta_on(&z, 0.1, key_time(&circle, key), false, SINEW_LOOP_ONCE);
        check_vec3(b.translation, a.translation.x, -a.translation.z, a.translation.y, 1e-6);
        check_near(b.rotation.z, a.rotation.y, 1e-6);
        check_near(b.rotation.w, a.rotation.w, 1e-6);
        check_near(b.yaw, a.yaw, 1e-6);
    }
    free_actor(&y);
    free_actor(&z);
}

static void test_only_what_was_asked_for_is_taken_out(void **state) {
    (void)state;
    actor a = make_actor(&circle, nothing);
    double t = key_time(&circle, 48);
    stand s = stand_at(&circle, t);
    for (int wish = 0; wish < 8; wish++) { // without yaw: each axis on its own
        sinew_root_motion_def def = def_of(a.skeleton);
        def.x = wish & 1, def.y = wish & 2, def.z = wish & 4;
        def.yaw = false;
        a.root = root_of(&def);
        sinew_root_delta delta = delta_on(&a, 0, t, false, SINEW_LOOP_ONCE);
        check_vec3(delta.translation, def.x ? s.at.x - circle.start.x : 0, def.y ? s.at.y - circle.start.y : 0,
                   def.z ? s.at.z - circle.start.z : 0, 1e-6);
        check_near(delta.yaw, 0, 0);
    }
    sinew_root_motion_def def = def_of(a.skeleton);
    def.x = def.z = false;
    a.root = root_of(&def);
    sinew_root_delta delta = delta_on(&a, 0, t, false, SINEW_LOOP_ONCE);
    check_vec3(delta.translation, 0, 0, 0, 0);
    check_near(delta.yaw, circle.turning * t, 1e-6);
    free_actor(&a);
}

// ---- Loops ---------------------------------------------------------------------------------------------------

// Loops as an action plays them: its phase stays within the clip, and what is gone over is counted by nobody.
typedef struct player {
    const actor *actor;
    double phase, period;
    sinew_loop loop;
} player;

static sinew_root_delta play(player *p, double seconds) {
    double from = seconds < 0 ? -p->phase : p->phase, to = from + fabs(seconds);
    sinew_root_delta delta = delta_on(p->actor, from, to, seconds < 0, p->loop);
    p->phase = fmod(seconds < 0 ? -to : to, p->period);
    if (p->phase < 0) p->phase += p->period;
    return delta;
}

// The journey after so many loops, one by one.
static journey looped(const gait *g, int loops) {
    journey one = journey_at(g, g->duration), all = {0, 0, 0};
    for (int i = 0; i < loops; i++) all = then(all, one);
    return all;
}

// Ten thousand loops, frame by frame, as floats added up: against loops × one loop, relative to the way gone. The
// contract is 1e-4; a float keeps 6e-8 of each step.
static void check_ten_thousand(const gait *g, double frame, double direction) {
    enum { LOOPS = 10000 };
    actor a = make_actor(g, nothing);
    double length = (double)a.clip->duration, way = LOOPS * length * (fabs(g->speed) + fabs(g->aside));
    player p = {&a, 0, length, SINEW_LOOP_REPEAT};
    journey all = {0, 0, 0};
    double frames = floor(LOOPS * length / frame);
    for (int i = 0; i < (int)frames; i++) all = and_delta(all, play(&p, direction * frame));
    all = and_delta(all, play(&p, direction * (LOOPS * length - frames * frame)));
    check_near(remainder(p.phase, length), 0, 1e-8);
    journey expected = looped(g, LOOPS);
    if (direction < 0) expected = back(expected);
    check_near(all.heading, expected.heading, 1e-6 * fmax(1, fabs(expected.heading)));
    check_near(all.x, expected.x, 1e-6 * way);
    check_near(all.z, expected.z, 1e-6 * way);
    free_actor(&a);
}

static void test_ten_thousand_loops_are_ten_thousand_times_one(void **state) {
    (void)state;
    check_ten_thousand(&straight, 1 / 12.0, 1);
    check_ten_thousand(&circle, 0.07, 1);
    check_ten_thousand(&drifting, 0.3, 1);
    check_ten_thousand(&straight, 4.321, 1); // steps of many loops
}

static void test_ten_thousand_loops_backward(void **state) {
    (void)state;
    check_ten_thousand(&straight, 1 / 12.0, -1);
    check_ten_thousand(&circle, 0.11, -1);
    check_ten_thousand(&strafe, 4.321, -1);
}

static void test_one_step_of_ten_thousand_loops_is_as_many_steps(void **state) {
    (void)state;
    const gait *gaits[] = {&straight, &circle, &drifting, &strafe};
    for (int i = 0; i < 4; i++) {
        actor a = make_actor(gaits[i], nothing);
        double length = (double)a.clip->duration;
        sinewi_motion steps = sinewi_motion_identity(),
                      one = motion_on(&a, 0.25, 0.25 + length, false, SINEW_LOOP_REPEAT);
        for (int k = 0; k < 10000; k++) steps = sinewi_motion_then(steps, one);
        sinewi_motion leap = motion_on(&a, 0.25, 0.25 + 10000 * length, false, SINEW_LOOP_REPEAT);
        check_motions(leap, steps, 1e-6); // straight, it is 13.5 km away
        sinewi_motion there = motion_on(&a, -(0.25 + 10000 * length), -0.25, true, SINEW_LOOP_REPEAT);
        check_motions(sinewi_motion_then(leap, there), sinewi_motion_identity(), 1e-8);
        free_actor(&a);
    }
}

// However the time is cut up, forward and back, the steps add up to where the clip is.
static void check_partition(uint64_t *random, const gait *g, sinew_loop loop) {
    actor a = make_actor(g, nothing);
    double length = (double)a.clip->duration, period = loop == SINEW_LOOP_PING_PONG ? 2 * length : length, time = 0;
    player p = {&a, 0, period, loop};
    journey all = {0, 0, 0};
    for (int step = 0; step < 200; step++) {
        double seconds = (double)random_float(random, -0.2f, 0.3f);
        if (step % 20 == 0) seconds *= 50;
        all = and_delta(all, play(&p, seconds));
        time += seconds;
    }
    int key = (int)(random_next(random) % KEYS); // to a moment that the formula knows
    double goal = (ceil(time / period) + 1) * period + key_time(g, key);
    all = and_delta(all, play(&p, goal - time));
    int loops = loop == SINEW_LOOP_REPEAT ? (int)(ceil(time / period) + 1) : 0;
    journey whole = loops >= 0 ? looped(g, loops) : back(looped(g, -loops));
    check_journey(all, then(whole, journey_at(g, key_time(g, key))), 3e-5);
    free_actor(&a);
}

static void test_time_may_be_cut_up_anyhow(void **state) {
    (void)state;
    uint64_t random = 21;
    for (int i = 0; i < 20; i++) {
        check_partition(&random, &straight, SINEW_LOOP_REPEAT);
        check_partition(&random, &circle, SINEW_LOOP_REPEAT);
        check_partition(&random, &strafe, SINEW_LOOP_PING_PONG);
        check_partition(&random, &circle, SINEW_LOOP_PING_PONG);
    }
}

static void test_ping_pong_comes_back(void **state) {
    (void)state;
    actor a = make_actor(&circle, nothing);
    double length = (double)a.clip->duration;
    sinew_root_delta there_and_back = delta_on(&a, 0, 2 * length, false, SINEW_LOOP_PING_PONG);
    check_vec3(there_and_back.translation, 0, 0, 0, 0);
    check_near(there_and_back.yaw, 0, 0);
    check_near(there_and_back.rotation.w, 1, 0);
    there_and_back = delta_on(&a, -0.3, 20000 * length - 0.3, true, SINEW_LOOP_PING_PONG);
    check_vec3(there_and_back.translation, 0, 0, 0, 1e-7); // 18,000 s keep 4e-12 of them
    check_near(there_and_back.yaw, 0, 1e-7);

    player p = {&a, 0, 2 * length, SINEW_LOOP_PING_PONG};
    journey all = {0, 0, 0};
    for (int i = 0; i < 10000; i++) { // ends between two frames, at another place each time
        for (int k = 0; k < 7; k++) all = and_delta(all, play(&p, 2 * length / 7));
    }
    check_journey(all, (journey){0, 0, 0}, 1e-4 * 2 * circle.speed * length);
    all = and_delta(all, play(&p, key_time(&circle, 32) + (p.phase > length ? 2 * length - p.phase : -p.phase)));
    check_journey(all, journey_at(&circle, key_time(&circle, 32)), 1e-4);
    free_actor(&a);
}

static void test_the_ends_of_a_loop_are_one_place(void **state) {
    (void)state; // a hair before an end, on it, and a hair behind it, both ways
    actor a = make_actor(&circle, nothing);
    double length = (double)a.clip->duration;
    for (int ends = -2; ends <= 2; ends++) {
        double end = ends * length;
        sinewi_motion on = motion_on(&a, 0.5, end, false, SINEW_LOOP_REPEAT);
        sinewi_motion before = motion_on(&a, 0.5, end - 1e-9, false, SINEW_LOOP_REPEAT);
        sinewi_motion behind = motion_on(&a, 0.5, end + 1e-9, false, SINEW_LOOP_REPEAT);
        check_motions(before, on, 1e-6);
        check_motions(behind, on, 1e-6);
        check_motions(motion_on(&a, 0.5, nextafter(end, -9), false, SINEW_LOOP_REPEAT), on, 1e-6);
        check_motions(motion_on(&a, -0.5, -end, true, SINEW_LOOP_REPEAT), on, 1e-6);
    }
    sinewi_motion hair =
        motion_on(&a, 0.0, 1e-20, true, SINEW_LOOP_REPEAT); // before 0, by less than a double keeps
    check_motions(hair, sinewi_motion_identity(), 1e-6);
    free_actor(&a);
}

static void test_once_ends(void **state) {
    (void)state;
    actor a = make_actor(&circle, nothing);
    double length = (double)a.clip->duration;
    sinewi_motion all = motion_on(&a, 0, length, false, SINEW_LOOP_ONCE);
    check_motions(motion_on(&a, 0, 100, false, SINEW_LOOP_ONCE), all, 0);
    check_motions(motion_on(&a, length, 100, false, SINEW_LOOP_ONCE), sinewi_motion_identity(), 1e-15);
    check_motions(motion_on(&a, -length, 100, true, SINEW_LOOP_ONCE), sinewi_motion_inverse(all), 1e-15);
    free_actor(&a);
}

static void test_a_clip_of_no_duration_does_not_move(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_body(nothing);
    sinew_clip *clip = make_slide(skeleton, "instant", HIPS, 0, 3);
    sinew_root_motion_def def = def_of(skeleton);
    def.close_loops = true;
    actor a = {skeleton, clip, root_of(&def)};
    check_motions(motion_on(&a, 0, 5, false, SINEW_LOOP_REPEAT), sinewi_motion_identity(), 0);
    sinewi_root_clip of_root = sinewi_root_clip_of(&a.root, clip);
    sinew_transform left = sinewi_root_remainder(&a.root, &of_root, 0, true),
                    rest = sinew_clip_sample_node(clip, 0, HIPS);
    assert_memory_equal(&left, &rest, sizeof left);
    free_actor(&a);
}

// ---- Deltas --------------------------------------------------------------------------------------------------

static void test_yaw_is_the_angle(void **state) {
    (void)state; // libm's, to the rounding of a float; for small angles too, which are what frames have
    sinew_skeleton *skeleton = make_body(nothing);
    sinew_root_motion_def def = def_of(skeleton);
    sinewi_root root = root_of(&def);
    for (int i = -10000; i <= 10000; i++) {
        double yaw = PI * i / 10000, most = fabs(yaw) * 6e-8; // half of a float's last bit
        check_near(sinewi_root_delta_of(&root, motion(0, 0, 0, yaw)).yaw, yaw, most);
        check_near(sinewi_root_delta_of(&root, motion(0, 0, 0, yaw * 1e-6)).yaw, yaw * 1e-6, most * 1e-6);
    }
    check_near(sinewi_root_delta_of(&root, motion(0, 0, 0, 1.5 * PI)).yaw, -PI / 2, 1e-7); // the nearer way round
    sinew_skeleton_destroy(skeleton);
}

static sinew_root_delta made_delta(double x, double z, double yaw) {
    return (sinew_root_delta){{(float)x, 0, (float)z}, about_y(yaw), (float)yaw};
}

static void test_deltas_compose(void **state) {
    (void)state;
    sinew_root_delta a = made_delta(1, 2, PI / 2), b = made_delta(0.5, 3, 2), both = sinew_root_delta_compose(a, b);
    check_vec3(both.translation, 1 + 3, 0, 2 - 0.5, 1e-6); // facing +x, ahead is +x, and its left is -z
    check_near(both.yaw, PI / 2 + 2, 1e-6);                // past pi
    check_near(angle_between(both.rotation, about_y(PI / 2 + 2)), 0, 1e-6);
    sinew_root_delta none = (sinew_root_delta){.rotation = {0, 0, 0, 1}}, same = sinew_root_delta_compose(a, none);
    check_vec3(same.translation, 1, 0, 2, 0);
    same = sinew_root_delta_compose(none, a);
    check_vec3(same.translation, 1, 0, 2, 0);
    check_near(same.yaw, PI / 2, 1e-7);
}

// ---- Definitions ---------------------------------------------------------------------------------------------

static void check_refused(const sinew_root_motion_def *def, const char *why) {
    sinewi_root root;
    sinew_error error = {0};
    assert_int_equal(sinewi_root_init(&root, def, &error), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinewi_root_init(&root, def, NULL), SINEW_ERROR_ARGUMENT);
    if (!strstr(error.message, why)) fail_msg("'%s' says nothing of '%s'", error.message, why);
}

static void test_bad_definitions_are_refused(void **state) {
    (void)state;
    sinew_node_def nodes[4] = {
        {.name = "even", .parent = SINEW_NO_NODE, .rest = {{0, 0, 0}, {0, 0, 0, 1}, {2, 2, 2}}},
        {.name = "uneven", .parent = 0, .rest = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1.01f}}},
        {.name = "flat", .parent = 1, .rest = {{0, 0, 0}, {0, 0, 0, 1}, {1, 0, 1}}},
        {.name = "below", .parent = 2, .rest = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}},
    };
    sinew_skeleton_def skeleton_def = sinew_skeleton_default();
    skeleton_def.node_count = 4;
    skeleton_def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&skeleton_def, &skeleton, NULL), SINEW_OK);
    sinew_root_motion_def def = sinew_root_motion_default();
    def.node = 1;
    check_refused(&def, "no skeleton");
    def = def_of(skeleton);
    sinewi_root root;
    assert_int_equal(sinewi_root_init(&root, &def, NULL), SINEW_OK); // what stands above is even
    def.node = SINEW_NO_NODE;
    check_refused(&def, "node -1, but the skeleton has 4 nodes");
    def.node = 4;
    check_refused(&def, "node 4, but the skeleton has 4 nodes");
    def.node = 2;
    check_refused(&def, "node 2 (flat) have non-uniform scale");
    def.yaw = false;
    assert_int_equal(sinewi_root_init(&root, &def, NULL), SINEW_OK); // nothing turns
    def.close_loops = true;
    check_refused(&def, "non-uniform scale");
    def.node = 3;
    check_refused(&def, "node 3 (below) has a scale of 0");
    def.node = 0;
    def.up = (sinew_up)2;
    check_refused(&def, "up is 2");
    sinew_skeleton_destroy(skeleton);
}

// ---- Files ---------------------------------------------------------------------------------------------------

// A character of a file, as its root motion of one clip.
static sinew_root_delta file_delta(const sinew_asset *asset, const char *clip_name, const char *node, double to) {
    const sinew_clip *clip = sinew_asset_find_clip(asset, clip_name);
    assert_non_null(clip);
    sinew_root_motion_def def = def_of(asset->skeleton);
    def.node = sinew_skeleton_find(asset->skeleton, node);
    sinewi_root root = root_of(&def);
    sinewi_root_path way = {0, to * (double)clip->duration, false, SINEWI_ROOT_REPEAT};
    sinewi_root_clip of_root = sinewi_root_clip_of(&root, clip);
    return sinewi_root_delta_of(&root, sinewi_root_motion_on(&root, &of_root, &way));
}

static void test_the_hero_walks_in_place(void **state) {
    (void)state;
    sinew_asset *asset = load_file(SINEW_MODELS, "hero.glb");
    const char *clips[] = {"Idle", "Walk", "Run"};
    for (int i = 0; i < 3; i++) {
        sinew_root_delta delta = file_delta(asset, clips[i], "Hips", 100);
        check_vec3(delta.translation, 0, 0, 0, 1e-4);
        check_near(delta.yaw, 0, 1e-4);
    }
    sinew_asset_destroy(asset);
}

static void test_the_knight_dodges(void **state) {
    (void)state; // his root's keys: 0.5 m to his left, 0.25 m ahead
    const char *folder = other_peoples_files();
    sinew_asset *asset = load_file(folder, "kaykit/Knight.glb");
    check_vec3(file_delta(asset, "Dodge_Left", "root", 8).translation, 8 * 0.5, 0, 0, 1e-5);
    check_vec3(file_delta(asset, "Dodge_Forward", "root", 8).translation, 0, 0, 8 * 0.25, 1e-5);
    check_near(file_delta(asset, "Dodge_Forward", "root", 1).yaw, 0, 1e-6);
    sinew_asset_destroy(asset);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_step_is_where_the_clip_goes),
        cmocka_unit_test(test_whatever_stands_above_the_node),
        cmocka_unit_test(test_up_may_be_z),
        cmocka_unit_test(test_only_what_was_asked_for_is_taken_out),
        cmocka_unit_test(test_ten_thousand_loops_are_ten_thousand_times_one),
        cmocka_unit_test(test_ten_thousand_loops_backward),
        cmocka_unit_test(test_one_step_of_ten_thousand_loops_is_as_many_steps),
        cmocka_unit_test(test_time_may_be_cut_up_anyhow),
        cmocka_unit_test(test_ping_pong_comes_back),
        cmocka_unit_test(test_the_ends_of_a_loop_are_one_place),
        cmocka_unit_test(test_once_ends),
        cmocka_unit_test(test_a_clip_of_no_duration_does_not_move),
        cmocka_unit_test(test_yaw_is_the_angle),
        cmocka_unit_test(test_deltas_compose),
        cmocka_unit_test(test_bad_definitions_are_refused),
        cmocka_unit_test(test_the_hero_walks_in_place),
        cmocka_unit_test(test_the_knight_dodges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
