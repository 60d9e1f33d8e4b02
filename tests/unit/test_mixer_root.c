// SPDX-License-Identifier: MIT
// The mixer's root motion: its deltas over loops, fades and steps of any length, and what the pose keeps.
#include "support/gait.h"

// ---- Characters that go --------------------------------------------------------------------------------------

// All start at one place, which is where the pose must keep them: a clip that leaks shows.
static const gait stroll = {1.5, 0, 0, 0.05, 0.9, {0.1, 1, -0.3}}, dash = {3, 0, 0, 0.05, 0.6, {0.1, 1, -0.3}};
static const gait creep = {0.4, 0, 0.2, 0.05, 1.3, {0.1, 1, -0.3}}, bend = {2, -1.3, 0, 0.05, 0.7, {0.1, 1, -0.3}};

static const float frame_times[] = {1.0f / 240, 1.0f / 60, 1.0f / 24, 0.1f, 0.2f};
enum { FRAME_TIMES = 5, MOST_GAITS = 4 };

typedef struct stage {
    sinew_skeleton *skeleton;
    sinew_clip *clips[MOST_GAITS];
    int count;
    sinew_mixer *mixer;
    journey gone;
    double time;
} stage;

static sinew_mixer_def mixer_def_of(const sinew_skeleton *skeleton, const sinew_root_motion_def *root) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = skeleton;
    def.root_motion = root;
    def.max_blend_spaces = 2;
    return def;
}

static stage make_stage(const gait *const *gaits, int count) {
    stage s = {.skeleton = make_body(nothing), .count = count};
    for (int i = 0; i < count; i++) s.clips[i] = make_gait(s.skeleton, gaits[i], nothing);
    sinew_root_motion_def root = def_of(s.skeleton);
    sinew_mixer_def def = mixer_def_of(s.skeleton, &root);
    assert_int_equal(sinew_mixer_create(&def, &s.mixer, NULL), SINEW_OK);
    return s;
}

static void free_stage(stage *s) {
    sinew_mixer_destroy(s->mixer);
    for (int i = 0; i < s->count; i++) sinew_clip_destroy(s->clips[i]);
    sinew_skeleton_destroy(s->skeleton);
}

static void go(stage *s, float dt) {
    sinew_mixer_update(s->mixer, dt);
    s->gone = and_delta(s->gone, sinew_mixer_root_delta(s->mixer));
    s->time += dt;
}

static sinew_action play(stage *s, int clip, float speed, sinew_loop loop) {
    sinew_play_def def = sinew_play_default();
    def.speed = speed;
    def.loop = loop;
    return sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[clip]), &def);
}

static void transition(stage *s, int clip, sinew_transition_kind kind, float duration) {
    sinew_transition how = sinew_transition_default();
    how.kind = kind;
    how.duration = duration;
    sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->clips[clip]), &how, NULL);
}

static void check_kept(const stage *s) {
    const sinew_affine *hips = &sinew_mixer_model_matrices(s->mixer)[HIPS];
    check_near(hips->m[0][3], stroll.start.x, 2e-5);
    check_near(hips->m[2][3], stroll.start.z, 2e-5);
}

static void check_nothing(sinew_root_delta delta) {
    check_vec3(delta.translation, 0, 0, 0, 0);
    check_near(delta.rotation.w, 1, 0);
    check_near(delta.yaw, 0, 0);
}

// ---- Loops ---------------------------------------------------------------------------------------------------

// So many loops, in steps of any length. Of a straight way the place, of a circle the turn is what adds up.
static double error_of_loops(const gait *g, float speed, int loops) {
    const gait *one[1] = {g};
    stage s = make_stage(one, 1);
    play(&s, 0, speed, SINEW_LOOP_REPEAT);
    uint64_t random = 21;
    double end = loops * g->duration;
    while (end - s.time > 0.3) go(&s, random_float(&random, 0.01f, 0.3f));
    go(&s, (float)(end - s.time));
    journey expected = journey_at(g, s.time);
    if (speed < 0) expected = back(expected);
    check_kept(&s);
    free_stage(&s);
    double way = hypot(s.gone.x - expected.x, s.gone.z - expected.z) / (fabs(g->speed) * s.time);
    double turn = g->turning != 0 ? (s.gone.heading - expected.heading) / expected.heading : s.gone.heading;
    return fmax(way, fabs(turn));
}

static void test_ten_thousand_loops(void **state) {
    (void)state;
    const gait *gaits[3] = {&stroll, &circle, &bend};
    double most = 0;
    for (int i = 0; i < 3; i++) {
        most = fmax(most, error_of_loops(gaits[i], 1, 10000));
        most = fmax(most, error_of_loops(gaits[i], -1, 10000));
    }
    print_message("after 10,000 loops, forward and backward, the error is at most %.2g of the way\n", most);
    check_near(most, 0, 1e-5);
}

static void test_ten_thousand_loops_there_and_back(void **state) {
    (void)state;
    const gait *both[2] = {&stroll, &circle};
    for (int i = 0; i < 2; i++) {
        stage s = make_stage(both, 2);
        play(&s, i, 1, SINEW_LOOP_PING_PONG);
        double duration = both[i]->duration, path = 0;
        for (int step = 0; step < 40000; step++) { // a quarter of the clip each, for 10,000 traversals
            double x = s.gone.x, z = s.gone.z;
            go(&s, (float)(duration / 4));
            path += hypot(s.gone.x - x, s.gone.z - z);
        }
        // The path is one of straight lines between the quarters.
        journey quarter = journey_at(both[i], duration / 4);
        check_near(path, 40000 * hypot(quarter.x, quarter.z), 1e-4 * path);
        check_near(hypot(s.gone.x, s.gone.z), 0, 1e-5 * path);
        check_near(s.gone.heading, 0, 1e-3);
        free_stage(&s);
    }
}

static void test_time_may_be_cut_up_anyhow(void **state) {
    (void)state;
    const gait *both[2] = {&circle, &bend};
    const float speeds[4] = {1, -1, 2.5f, -0.3f};
    for (int i = 0; i < 8; i++) {
        const gait *g = both[i % 2];
        stage s = make_stage(both, 2);
        play(&s, i % 2, speeds[i / 2], SINEW_LOOP_REPEAT);
        uint64_t random = (uint64_t)i + 30;
        for (int step = 0; step < 50; step++) go(&s, random_float(&random, 0, step % 10 == 0 ? 50 : 0.2f));
        double key = g->duration / (KEYS - 1) / fabsf(speeds[i / 2]); // to where the clip lies on the curve
        go(&s, (float)(key * ceil(s.time / key) - s.time));
        journey expected = journey_at(g, s.time * fabsf(speeds[i / 2]));
        check_journey(s.gone, speeds[i / 2] < 0 ? back(expected) : expected, 2e-3);
        free_stage(&s);
    }
}

static void test_one_step_of_ten_thousand_loops(void **state) {
    (void)state;
    const gait *both[2] = {&stroll, &circle};
    for (int backward = 0; backward < 2; backward++) {
        for (int i = 0; i < 2; i++) {
            stage s = make_stage(both, 2);
            play(&s, i, backward ? -1 : 1, SINEW_LOOP_REPEAT);
            go(&s, (float)(10000 * both[i]->duration));
            journey expected = journey_at(both[i], s.time);
            check_journey(s.gone, backward ? back(expected) : expected, 2e-3);
            free_stage(&s);
        }
    }
}

// ---- The whole -----------------------------------------------------------------------------------------------

// Where the character stands, and then its hips, are the hips of the clip, turns and all.
static void check_whole(const gait *g, int keys_a_step) {
    const gait *one[1] = {g};
    stage s = make_stage(one, 1);
    play(&s, 0, 1, SINEW_LOOP_REPEAT);
    for (int key = keys_a_step; key < 5 * KEYS; key += keys_a_step) {
        go(&s, (float)(key_time(g, key) - s.time));
        stand expected = stand_at(g, key_time(g, key));
        sinew_transform left = sinew_pose_get(sinew_mixer_pose(s.mixer), HIPS);
        rotation turned = about(0, 1, 0, s.gone.heading);
        place p = rotate(turned, (place){left.translation.x, left.translation.y, left.translation.z});
        check_near(s.gone.x + p.x, expected.at.x, 1e-4);
        check_near(p.y, expected.at.y, 1e-4);
        check_near(s.gone.z + p.z, expected.at.z, 1e-4);
        sinew_quat q =
            quat_of(times(turned, (rotation){left.rotation.x, left.rotation.y, left.rotation.z, left.rotation.w}));
        check_near(angle_between(q, quat_of(times(expected.turn, expected.tilt))), 0, 1e-4);
    }
    free_stage(&s);
}

static void test_what_moves_and_what_is_left_are_the_clip(void **state) {
    (void)state;
    const gait *all[5] = {&stroll, &circle, &drifting, &strafe, &bend};
    for (int i = 0; i < 5; i++) {
        check_whole(all[i], 1);
        check_whole(all[i], 7);
        check_whole(all[i], 100); // more than a loop
    }
}

// ---- Fades ---------------------------------------------------------------------------------------------------

// Metres at v, then fading from v to w in T seconds, then at w: t seconds after the fade began.
static double faded_way(double v, double w, double t, double T) {
    double fading = t < T ? t : T;
    return v * fading + (w - v) * fading * fading / (2 * T) + w * (t - fading);
}

static void test_a_fade_goes_at_the_mean_of_the_speeds(void **state) {
    (void)state;
    const gait *both[2] = {&stroll, &dash};
    const float fades[4] = {0.05f, 0.3f, 0.77f, 2};
    for (int f = 0; f < 4; f++) {
        for (int d = 0; d < FRAME_TIMES; d++) { // however the steps fall upon the fade's end
            stage s = make_stage(both, 2);
            play(&s, 0, 1, SINEW_LOOP_REPEAT);
            go(&s, 0.5f);
            double before = s.gone.z, began = s.time;
            transition(&s, 1, SINEW_TRANSITION_FADE, fades[f]);
            while (s.time < began + 3) {
                go(&s, frame_times[d]);
                check_near(s.gone.z - before, faded_way(1.5, 3, s.time - began, fades[f]), 1e-5);
                check_kept(&s);
            }
            free_stage(&s);
        }
    }
}

static void test_three_in_a_fade(void **state) {
    (void)state;
    const gait *three[3] = {&stroll, &dash, &creep};
    for (int d = 0; d < FRAME_TIMES; d++) {
        stage s = make_stage(three, 3);
        play(&s, 0, 1, SINEW_LOOP_REPEAT);
        transition(&s, 1, SINEW_TRANSITION_FADE, 1);
        for (int i = 0; i < 4; i++) go(&s, 0.1f);
        journey before = s.gone;
        double began = s.time, v = 0.6 * 1.5 + 0.4 * 3; // of the mix that is interrupted
        check_near(before.z, faded_way(1.5, 3, 0.4, 1), 1e-5);
        transition(&s, 2, SINEW_TRANSITION_FADE, 0.7f);
        while (s.time < began + 2) {
            go(&s, frame_times[d]);
            check_near(s.gone.z - before.z, faded_way(v, creep.speed, s.time - began, 0.7), 2e-5);
            check_near(s.gone.x - before.x, faded_way(0, creep.aside, s.time - began, 0.7), 2e-5);
            check_kept(&s);
        }
        free_stage(&s);
    }
}

// The way per second, as the character sees it, which in these gaits is always the same.
static journey way_a_second(const gait *g) {
    const double h = 1e-6;
    journey there = journey_at(g, h), before = back(journey_at(g, h)); // from h back to 0
    return (journey){(there.x - before.x) / (2 * h), (there.z - before.z) / (2 * h), g->turning};
}

// Two that turn, added up in steps of 1/10,000 s by the weights of a linear fade.
static journey fine_fade(const gait *from, const gait *to, double t, double T) {
    journey a = way_a_second(from), b = way_a_second(to), sum = {0, 0, 0};
    int steps = (int)(t * 10000);
    for (int i = 0; i < steps; i++) {
        double u = fmin(1, (i + 0.5) * t / steps / T), v = 1 - u, h = t / steps;
        sum = then(
            sum, (journey){h * (v * a.x + u * b.x), h * (v * a.z + u * b.z), h * (v * a.heading + u * b.heading)});
    }
    return sum;
}

static void test_two_that_turn_in_a_fade(void **state) {
    (void)state;
    const gait *both[2] = {&circle, &bend};
    for (int d = 0; d < FRAME_TIMES; d++) {
        stage s = make_stage(both, 2);
        play(&s, 0, 1, SINEW_LOOP_REPEAT);
        transition(&s, 1, SINEW_TRANSITION_FADE, 0.9f);
        for (int i = 0; s.time < 1.5; i++) go(&s, frame_times[d]);
        double coarse = 0.2 * frame_times[d]; // a step blends the two ends, not the ways there
        check_journey(s.gone, fine_fade(&circle, &bend, s.time, 0.9), 1e-3 + coarse);
        free_stage(&s);
    }
}

// ---- What stands ---------------------------------------------------------------------------------------------

static void test_what_is_held_does_not_move(void **state) {
    (void)state;
    const gait *both[2] = {&stroll, &dash};
    for (int d = 0; d < FRAME_TIMES; d++) {
        stage s = make_stage(both, 2);
        go(&s, 0.1f);
        check_nothing(sinew_mixer_root_delta(s.mixer));
        sinew_action action = play(&s, 0, 1, SINEW_LOOP_REPEAT);
        go(&s, 0.55f);
        sinew_affine before = sinew_mixer_model_matrices(s.mixer)[HIPS];
        sinew_action_stop(s.mixer, action);
        go(&s, 0.2f);
        check_nothing(sinew_mixer_root_delta(s.mixer));
        assert_memory_equal(&sinew_mixer_model_matrices(s.mixer)[HIPS], &before, sizeof before);
        double way = s.gone.z, began = s.time;
        transition(&s, 1, SINEW_TRANSITION_FADE, 0.6f); // the held pose has what is missing of the weights
        while (s.time < began + 1) {
            go(&s, frame_times[d]);
            check_near(s.gone.z - way, faded_way(0, 3, s.time - began, 0.6), 1e-5);
            check_kept(&s);
        }
        free_stage(&s);
    }
}

// The distance after t seconds of an inertialization from the speed v to w: the difference decays as
// 1 - 3/2 u + 1/2 u^3, with u = t / (0.55 T).
static double inertialized_way(double v, double w, double t, double T) {
    double u = fmin(1, t / (0.55 * T)), decayed = u - 0.75 * u * u + 0.125 * u * u * u * u;
    return w * t + (v - w) * 0.55 * T * decayed;
}

// The same for a dead blend. Its weights follow u^2 (3 - 2 u) with u = t / T.
static double dead_blended_way(double v, double w, double t, double T) {
    double u = fmin(1, t / T), faded = T * (u * u * u - u * u * u * u / 2) + fmax(0, t - T);
    return v * t + (w - v) * faded;
}

static void test_inertialization_lets_the_difference_of_velocities_decay(void **state) {
    (void)state;
    const gait *both[2] = {&stroll, &dash};
    for (int d = 0; d < FRAME_TIMES; d++) {
        stage s = make_stage(both, 2);
        play(&s, 0, 1, SINEW_LOOP_REPEAT);
        go(&s, 0.4f);
        double way = s.gone.z, began = s.time;
        transition(&s, 1, SINEW_TRANSITION_INERTIALIZE, 0.5f);
        while (s.time < began + 1) {
            go(&s, frame_times[d]);
            check_near(s.gone.z - way, inertialized_way(1.5, 3, s.time - began, 0.5), 2e-5);
            check_kept(&s);
        }
        free_stage(&s);
    }
}

// The program sets the pose, but the clip still moves the root when the transition starts.
static void test_a_transition_from_a_set_pose_keeps_the_velocity(void **state) {
    (void)state;
    const gait *both[2] = {&stroll, &dash};
    stage s = make_stage(both, 2);
    sinew_pose *set;
    assert_int_equal(sinew_pose_create(s.skeleton, NULL, &set), SINEW_OK);
    play(&s, 0, 1, SINEW_LOOP_REPEAT);
    go(&s, 0.4f);
    sinew_pose_copy(set, sinew_mixer_pose(s.mixer));
    sinew_mixer_set_pose(s.mixer, set);
    double way = s.gone.z, began = s.time;
    transition(&s, 1, SINEW_TRANSITION_INERTIALIZE, 0.5f);
    while (s.time < began + 1) {
        go(&s, 1.0f / 60);
        check_near(s.gone.z - way, inertialized_way(1.5, 3, s.time - began, 0.5), 2e-5);
    }
    sinew_pose_destroy(set);
    free_stage(&s);
}

static void test_dead_blending_moves_at_the_mean_of_both_velocities(void **state) {
    (void)state;
    const gait *both[2] = {&stroll, &dash};
    stage s = make_stage(both, 2);
    play(&s, 0, 1, SINEW_LOOP_REPEAT);
    go(&s, 0.4f);
    double way = s.gone.z, began = s.time;
    transition(&s, 1, SINEW_TRANSITION_DEAD_BLEND, 0.5f);
    for (int i = 0; i < 60; i++) {
        go(&s, 1.0f / 60);
        // A step moves by the weight in its middle.
        check_near(s.gone.z - way, dead_blended_way(1.5, 3, s.time - began, 0.5), 1e-4);
        check_kept(&s);
    }
    free_stage(&s);
}

// Its height and tilt stay in the pose, and remain smooth.
static void test_what_is_left_does_not_jump(void **state) {
    (void)state;
    const gait *both[2] = {&stroll, &bend};
    for (int kind = SINEW_TRANSITION_FADE; kind <= SINEW_TRANSITION_DEAD_BLEND; kind++) {
        stage s = make_stage(both, 2);
        play(&s, 0, 1, SINEW_LOOP_REPEAT);
        const float dt = 1.0f / 240;
        go(&s, 0.4f);
        sinew_transform last = sinew_pose_get(sinew_mixer_pose(s.mixer), HIPS);
        transition(&s, 1, (sinew_transition_kind)kind, 0.3f);
        for (int i = 0; i < 100; i++) {
            go(&s, dt);
            sinew_transform now = sinew_pose_get(sinew_mixer_pose(s.mixer), HIPS);
            // A sway of 0.05 m and half as many radians, in 0.7 s at the quickest, and a fade's part of what they differ by.
            check_near(now.translation.y, last.translation.y, dt * (0.05 * 2 * PI / 0.7 + 2 * 0.1 / 0.3));
            check_near(angle_between(now.rotation, last.rotation), 0, dt * (0.05 * 2 * PI / 0.7 + 2 * 0.1 / 0.3));
            last = now;
        }
        free_stage(&s);
    }
}

// A held pose fades out below a clip that stops: what is held from then on is the mix of both, and not half of it again.
static void test_a_held_pose_that_is_held_again_stays(void **state) {
    (void)state;
    const gait *one[1] = {&stroll};
    stage s = make_stage(one, 1);
    sinew_pose *raised;
    assert_int_equal(sinew_pose_create(s.skeleton, NULL, &raised), SINEW_OK);
    raised->ty[HIPS] = 3.0f;
    go(&s, 0.1f);
    sinew_mixer_set_pose(s.mixer, raised);
    sinew_play_def def = sinew_play_default();
    def.fade = 0.5f;
    const sinew_action action = sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[0]), &def);
    for (int i = 0; i < 30; i++) go(&s, 1.0f / 120);
    const sinew_transform mixed = sinew_pose_get(sinew_mixer_pose(s.mixer), HIPS);
    assert_true(mixed.translation.y > 1.5f && mixed.translation.y < 2.5f);
    sinew_action_stop(s.mixer, action);
    go(&s, 0.0f);
    const sinew_transform held = sinew_pose_get(sinew_mixer_pose(s.mixer), HIPS);
    check_near(held.translation.y, mixed.translation.y, 1e-5);
    check_near(angle_between(held.rotation, mixed.rotation), 0, 1e-3);
    sinew_pose_destroy(raised);
    free_stage(&s);
}

static void test_what_makes_room_leaves_no_motion_behind(void **state) {
    (void)state;
    const gait *three[3] = {&stroll, &dash, &creep};
    stage s = make_stage(three, 3);
    sinew_mixer_destroy(s.mixer);
    sinew_root_motion_def root = def_of(s.skeleton);
    sinew_mixer_def def = mixer_def_of(s.skeleton, &root);
    def.max_actions = 2;
    assert_int_equal(sinew_mixer_create(&def, &s.mixer, NULL), SINEW_OK);
    play(&s, 0, 1, SINEW_LOOP_REPEAT);
    go(&s, 0.3f);
    transition(&s, 1, SINEW_TRANSITION_FADE, 0.4f);
    go(&s, 0.1f);
    transition(&s, 2, SINEW_TRANSITION_FADE, 0.4f); // takes the dash's or the stroll's slot
    for (int i = 0; i < 60; i++) {
        check_kept(&s);
        go(&s, 1.0f / 60);
    }
    check_near(sinew_mixer_root_delta(s.mixer).translation.z, creep.speed / 60, 1e-6);
    free_stage(&s);
}

static void test_weights_that_lack_something(void **state) {
    (void)state;
    const gait *both[2] = {&stroll, &dash};
    for (int rest = 0; rest < 2; rest++) {
        stage s = make_stage(both, 2);
        sinew_mixer_destroy(s.mixer);
        sinew_root_motion_def root = def_of(s.skeleton);
        sinew_mixer_def def = mixer_def_of(s.skeleton, &root);
        def.underweight = rest ? SINEW_UNDERWEIGHT_REST : SINEW_UNDERWEIGHT_NORMALIZE;
        assert_int_equal(sinew_mixer_create(&def, &s.mixer, NULL), SINEW_OK);
        sinew_play_def quarter = sinew_play_default();
        quarter.weight = 0.25f;
        sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[0]), &quarter);
        go(&s, 0.5f);
        check_near(s.gone.z, rest ? 0.25 * 0.75 : 0.75, 1e-6);
        sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[1]), &quarter);
        go(&s, 0.5f);
        check_near(sinew_mixer_root_delta(s.mixer).translation.z, rest ? 0.25 * 2.25 : 1.125, 1e-6);
        free_stage(&s);
    }
}

static void test_once_and_pauses(void **state) {
    (void)state;
    const gait *both[2] = {&stroll, &dash};
    stage s = make_stage(both, 2);
    sinew_action once = play(&s, 1, 1, SINEW_LOOP_ONCE);
    go(&s, 0.25f);
    go(&s, 5); // 0.6 s is all there is
    check_near(s.gone.z, 1.8, 1e-5);
    go(&s, 1);
    check_nothing(sinew_mixer_root_delta(s.mixer));
    play(&s, 0, 1, SINEW_LOOP_REPEAT); // half of the weight stands
    go(&s, 0.4f);
    check_near(s.gone.z, 1.8 + 0.5 * 0.6, 1e-5);
    sinew_action_stop(s.mixer, once);

    s.gone.z = 0;
    sinew_action paused = play(&s, 1, 1, SINEW_LOOP_REPEAT);
    sinew_action_set_paused(s.mixer, paused, true);
    sinew_action_fade_to(s.mixer, paused, 3, 0.5f);
    go(&s, 0.5f); // its share goes from 1/2 to 3/4, the stroll's from 1/2 to 1/4
    check_near(s.gone.z, 0.5 * 1.5 * 0.375, 1e-5);
    sinew_action_set_paused(s.mixer, paused, false);
    s.gone.z = 0;
    go(&s, 0.2f);
    check_near(s.gone.z, 0.2 * (1.5 + 3 * 3) / 4, 1e-5);
    go(&s, 0);
    check_nothing(sinew_mixer_root_delta(s.mixer));
    free_stage(&s);
}

static void test_layers_above_move_nothing(void **state) {
    (void)state;
    const gait *both[2] = {&stroll, &dash};
    stage s = make_stage(both, 2);
    sinew_play_def upper = sinew_play_default();
    upper.layer = 1;
    sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[1]), &upper);
    go(&s, 0.4f);
    check_nothing(sinew_mixer_root_delta(s.mixer));
    play(&s, 0, 1, SINEW_LOOP_REPEAT);
    go(&s, 0.4f);
    check_near(s.gone.z, 0.6, 1e-6);
    check_kept(&s);
    free_stage(&s);
}

// ---- In step -------------------------------------------------------------------------------------------------

// Metres a second of two gaits that go round together as often a second as their own rates have as a mean.
static double synced_speed(const gait *a, const gait *b, double share_of_b) {
    double u = share_of_b, v = 1 - u, rounds = v / a->duration + u / b->duration;
    return rounds * (v * a->speed * a->duration + u * b->speed * b->duration);
}

static void test_synchronised_clips_move_as_they_go_together(void **state) {
    (void)state;
    const gait *both[2] = {&stroll, &dash};
    for (int d = 0; d < FRAME_TIMES; d++) {
        stage s = make_stage(both, 2);
        sinew_play_def def = sinew_play_default();
        def.sync = 1;
        sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[0]), &def);
        go(&s, 0.4f);
        double way = s.gone.z, expected = 0, done = 0, began = s.time;
        sinew_mixer_crossfade_to(s.mixer, sinew_clip_source(s.clips[1]), 0.5f, &def);
        while (s.time < began + 1) {
            go(&s, frame_times[d]);
            const double h = 1e-4;
            while (done + h <= s.time - began) {
                expected += h * synced_speed(&stroll, &dash, fmin(1, (done + 0.5 * h) / 0.5));
                done += h;
            }
            check_near(s.gone.z - way, expected, 1e-3 + 0.1 * frame_times[d] * frame_times[d]);
            check_kept(&s);
        }
        free_stage(&s);
    }
}

static sinew_blend_space *make_space(const stage *s, float damping) {
    const sinew_blend_sample samples[2] = {{s->clips[0], 0, 0, 1}, {s->clips[1], 1, 0, 1}};
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = s->skeleton;
    def.samples = samples;
    def.sample_count = 2;
    def.damping = damping;
    sinew_blend_space *space;
    assert_int_equal(sinew_blend_space_create(&def, &space, NULL), SINEW_OK);
    return space;
}

static void test_a_blend_space_moves_by_its_shares(void **state) {
    (void)state;
    const gait *both[2] = {&stroll, &dash};
    for (int i = 0; i <= 8; i++) {
        stage s = make_stage(both, 2);
        sinew_blend_space *space = make_space(&s, 0);
        sinew_play_def def = sinew_play_default();
        def.speed = i % 2 ? 1.0f : -0.5f;
        sinew_mixer_play(s.mixer, sinew_blend_space_source(space, (float)i / 8, 0), &def);
        uint64_t random = 40;
        while (s.time < 100) {
            go(&s, random_float(&random, 0, 0.2f));
            check_kept(&s);
        }
        double way = synced_speed(&stroll, &dash, i / 8.0) * s.time * def.speed;
        check_near(s.gone.z, way, 1e-5 * fabs(way));
        free_stage(&s);
        sinew_blend_space_destroy(space);
    }
}

// The parameter is on a critically damped spring; its half-life is 1.678 of its time.
static void test_a_blend_space_moves_while_its_parameter_does(void **state) {
    (void)state;
    const gait *both[2] = {&stroll, &dash};
    for (int d = 0; d < FRAME_TIMES; d++) {
        stage s = make_stage(both, 2);
        sinew_blend_space *space = make_space(&s, 0.3f);
        sinew_action action = sinew_mixer_play(s.mixer, sinew_blend_space_source(space, 0, 0), NULL);
        sinew_action_set_parameter(s.mixer, action, 1, 0);
        double expected = 0, done = 0, k = 1.678346990 / 0.3;
        while (s.time < 1.5) {
            go(&s, frame_times[d]);
            const double h = 1e-4;
            while (done + h <= s.time) {
                double t = done + 0.5 * h;
                expected += h * synced_speed(&stroll, &dash, 1 - (1 + k * t) * exp(-k * t));
                done += h;
            }
            check_near(s.gone.z, expected, 1e-3 + frame_times[d] * frame_times[d] * 0.5);
            check_kept(&s);
        }
        free_stage(&s);
        sinew_blend_space_destroy(space);
    }
}

// ---- One update, three steps, and a batch -----------------------------------------------------------------------

static void change_something(sinew_mixer *mixer, const stage *s, const sinew_blend_space *space, int frame) {
    sinew_transition how = sinew_transition_default();
    how.kind = (sinew_transition_kind)(frame / 20 % 3);
    sinew_play_def def = sinew_play_default();
    def.sync = frame / 40 % 2;
    if (frame % 100 == 60) {
        sinew_mixer_transition_to(mixer, sinew_blend_space_source(space, 0.5f, 0), &how, &def);
    } else {
        sinew_mixer_transition_to(mixer, sinew_clip_source(s->clips[frame / 20 % s->count]), &how, &def);
    }
    if (frame % 300 == 200) sinew_mixer_stop_all(mixer);
}

static void test_all_ways_to_update_give_the_same_bits(void **state) {
    (void)state;
    const gait *four[4] = {&stroll, &dash, &bend, &circle};
    stage s = make_stage(four, 4);
    sinew_blend_space *space = make_space(&s, 0.1f);
    sinew_mixer *mixers[3] = {s.mixer, NULL, NULL};
    sinew_root_motion_def root = def_of(s.skeleton);
    sinew_mixer_def def = mixer_def_of(s.skeleton, &root);
    for (int i = 1; i < 3; i++) assert_int_equal(sinew_mixer_create(&def, &mixers[i], NULL), SINEW_OK);
    root.node = 0; // it was read: the caller's is no longer used
    sinew_batch_item item = {.mixer = mixers[2]};
    uint64_t random = 50;
    for (int frame = 0; frame < 2000; frame++) {
        for (int i = 0; i < 3 && frame % 20 == 0; i++) change_something(mixers[i], &s, space, frame);
        float dt = frame_times[random_next(&random) % FRAME_TIMES];
        sinew_mixer_update(mixers[0], dt);
        sinew_mixer_advance(mixers[1], dt);
        sinew_mixer_evaluate(mixers[1]);
        sinew_mixer_to_model(mixers[1]);
        sinew_batch_update(&item, 0, 1, dt);
        sinew_root_delta delta = sinew_mixer_root_delta(mixers[0]);
        for (int i = 1; i < 3; i++) {
            sinew_root_delta other = sinew_mixer_root_delta(mixers[i]);
            assert_memory_equal(&delta, &other, sizeof delta);
            assert_memory_equal(sinew_mixer_model_matrices(mixers[0]), sinew_mixer_model_matrices(mixers[i]),
                                3 * sizeof(sinew_affine));
        }
    }
    for (int i = 1; i < 3; i++) sinew_mixer_destroy(mixers[i]);
    free_stage(&s);
    sinew_blend_space_destroy(space);
}

// ---- Making --------------------------------------------------------------------------------------------------

static void test_bad_definitions_are_refused(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_body(nothing), *other = make_body(nothing);
    sinew_root_motion_def good = def_of(skeleton), root = good;
    sinew_mixer_def def = mixer_def_of(skeleton, &root);
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    sinew_mixer_destroy(mixer);
    for (int fault = 0; fault < 5; fault++) {
        root = good;
        def.root = SINEW_NO_NODE;
        if (fault == 0) root.node = SINEW_NO_NODE;
        if (fault == 1) root.node = 3;
        if (fault == 2) root.skeleton = other;
        if (fault == 3) root.skeleton = NULL;
        if (fault == 4) def.root = 2; // only the spine is animated: the hips are not
        mixer = (sinew_mixer *)&root;
        assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_ERROR_ARGUMENT);
        assert_null(mixer);
    }
    def.root = HIPS;
    root = good;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    sinew_mixer_destroy(mixer);
    counting counted = {.fail_at = 1};
    def.allocator = counting_allocator(&counted);
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_ERROR_OUT_OF_MEMORY);
    assert_null(mixer);
    assert_int_equal(counted.live, 0);
    sinew_skeleton_destroy(skeleton);
    sinew_skeleton_destroy(other);
}

static void test_without_root_motion_the_pose_keeps_it(void **state) {
    (void)state;
    const gait *one[1] = {&stroll};
    stage s = make_stage(one, 1);
    sinew_mixer_destroy(s.mixer);
    sinew_mixer_def def = mixer_def_of(s.skeleton, NULL);
    assert_int_equal(sinew_mixer_create(&def, &s.mixer, NULL), SINEW_OK);
    play(&s, 0, 1, SINEW_LOOP_REPEAT);
    go(&s, (float)key_time(&stroll, 32));
    check_nothing(sinew_mixer_root_delta(s.mixer));
    check_near(sinew_mixer_model_matrices(s.mixer)[HIPS].m[2][3], stroll.start.z + 0.45 * 1.5, 1e-5);
    free_stage(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ten_thousand_loops),
        cmocka_unit_test(test_ten_thousand_loops_there_and_back),
        cmocka_unit_test(test_time_may_be_cut_up_anyhow),
        cmocka_unit_test(test_one_step_of_ten_thousand_loops),
        cmocka_unit_test(test_what_moves_and_what_is_left_are_the_clip),
        cmocka_unit_test(test_a_fade_goes_at_the_mean_of_the_speeds),
        cmocka_unit_test(test_three_in_a_fade),
        cmocka_unit_test(test_two_that_turn_in_a_fade),
        cmocka_unit_test(test_what_is_held_does_not_move),
        cmocka_unit_test(test_inertialization_lets_the_difference_of_velocities_decay),
        cmocka_unit_test(test_a_transition_from_a_set_pose_keeps_the_velocity),
        cmocka_unit_test(test_dead_blending_moves_at_the_mean_of_both_velocities),
        cmocka_unit_test(test_what_is_left_does_not_jump),
        cmocka_unit_test(test_a_held_pose_that_is_held_again_stays),
        cmocka_unit_test(test_what_makes_room_leaves_no_motion_behind),
        cmocka_unit_test(test_weights_that_lack_something),
        cmocka_unit_test(test_once_and_pauses),
        cmocka_unit_test(test_layers_above_move_nothing),
        cmocka_unit_test(test_synchronised_clips_move_as_they_go_together),
        cmocka_unit_test(test_a_blend_space_moves_by_its_shares),
        cmocka_unit_test(test_a_blend_space_moves_while_its_parameter_does),
        cmocka_unit_test(test_all_ways_to_update_give_the_same_bits),
        cmocka_unit_test(test_bad_definitions_are_refused),
        cmocka_unit_test(test_without_root_motion_the_pose_keeps_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
