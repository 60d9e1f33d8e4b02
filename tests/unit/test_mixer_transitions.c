// SPDX-License-Identifier: MIT
// The mixer's transitions that keep the current motion: inertialization and dead blending, from anything that's
// shown.
#include "support/continuing.h"
#include "support/random_rig.h"

static double smooth(double u) {
    return u >= 1 ? 1 : u * u * (3 - 2 * u);
}

// ---- Inertialization -----------------------------------------------------------------------------------------

// What is left of an offset x with the velocity v after t of d seconds: Hermite's quintic with the acceleration
// -3/8 (20 x + 8 v d) / d^2 at the start, and zeros at d.
static double left_of(double x, double v, double d, double t) {
    if (t >= d) return 0;
    double s = t / d, s2 = s * s, s3 = s2 * s, s4 = s3 * s, s5 = s4 * s, a = -3.0 / 8 * (20 * x + 8 * v * d);
    return x * (1 - 10 * s3 + 15 * s4 - 6 * s5) + v * d * (s - 6 * s3 + 8 * s4 - 3 * s5) +
           a * (s2 - 3 * s3 + 3 * s4 - s5) / 2;
}

// The same for a morph weight. Its offset only shrinks: its velocity is limited to 5/2 x / d towards 0.
static double left_of_weight(double x, double v, double d, double t) {
    double most = 2.5 * fabs(x) / d, towards = fmin(fmax(x > 0 ? -v : v, 0), most);
    return left_of(x, x > 0 ? -towards : towards, d, t);
}

static double between(double v, double a, double b) {
    return fmin(fmax(v, fmin(a, b)), fmax(a, b));
}

// a and d turn about one axis, so an angle tells where each is. Velocities are differences of floats over 1/1024 s,
// exact to about 2e-4 rad/s: the offset overshoots by 0.15 d of that.
static void check_quintic(mixer_stage *s, float to_time, double seconds) {
    const motion *a = &stage_motions[STAGE_A], *d = &stage_motions[STAGE_D];
    play(s, STAGE_A, 1);
    sinew_mixer_update(s->mixer, 0.5f);
    transition_on(s, 0, STAGE_D, SINEW_TRANSITION_INERTIALIZE, (float)seconds, to_time);
    for (int i = 0; i <= 16; i++) {
        sinew_mixer_update(s->mixer, i == 0 ? 0 : 0.0625f);
        double t = 0.0625 * i;
        for (int32_t n = 0; n < STAGE_NODES; n++) {
            exact_node from = node_of_clip(STAGE_A, 0.5, n), to = node_of_clip(STAGE_D, (double)to_time, n);
            double time = (double)to_time + t, angle = a->turned + a->turning * 0.5;
            if (time >= 2) time -= 2;
            exact_node e = node_of_clip(STAGE_D, time, n);
            angle -= d->turned + d->turning * (double)to_time;
            e.at.x += left_of(from.at.x - to.at.x, a->vx - d->vx, seconds, t);
            e.size += left_of(from.size - to.size, a->growing - d->growing, seconds, t);
            if (n == STAGE_FACE || n == STAGE_TAIL) {
                double left = left_of_weight(from.smile - to.smile, a->smiling - d->smiling, seconds, t);
                e.smile = t < seconds ? between(e.smile + left, from.smile, e.smile) : e.smile;
            }
            double turn = left_of(angle, a->turning - d->turning, seconds, t);
            e.turn = exact_multiply(exact_exponential((exact_vec3){0, 0, turn}), e.turn);
            check_shown(s->mixer, n, e, 4e-5);
        }
    }
}

static void test_the_difference_decays_by_the_quintic(void **state) {
    mixer_stage *s = *state;
    check_quintic(s, 0, 0.75);
}

static void test_a_difference_that_closes_fast_keeps_the_quintic(void **state) {
    mixer_stage *s = *state; // x: a quarter of a metre behind and 2 m/s faster, which it passes
    check_quintic(s, 1.25f, 0.75);
}

static void test_the_target_is_reached_to_the_bit(void **state) {
    mixer_stage *s = *state;
    sinew_pose *alone;
    assert_int_equal(sinew_pose_create(s->skeleton, NULL, &alone), SINEW_OK);
    for (int kind = 0; kind < 3; kind++) {
        sinew_mixer_def def = stage_def(s);
        stage_remake(s, &def);
        play(s, STAGE_A, 1);
        sinew_mixer_update(s->mixer, 0.25f);
        sinew_action b = transition(s, STAGE_B, (sinew_transition_kind)kind, 0.5f);
        for (int i = 0; i < 7; i++) {
            sinew_mixer_update(s->mixer, 0.0625f);
            sinew_clip_sample(s->clips[STAGE_B], sinew_action_time(s->mixer, b), alone);
            assert_true(sinew_mixer_pose(s->mixer)->tx[0] != alone->tx[0]);
        }
        for (int i = 0; i < 4; i++) {
            sinew_mixer_update(s->mixer, 0.0625f);
            sinew_clip_sample(s->clips[STAGE_B], sinew_action_time(s->mixer, b), alone);
            check_pose_bits(sinew_mixer_pose(s->mixer), alone);
        }
    }
    sinew_pose_destroy(alone);
}

static void test_the_last_frame_of_a_transition_is_an_update(void **state) {
    mixer_stage *s = *state; // though the clip stands: what was added is taken away, and only then nothing moves
    for (int kind = 1; kind < 3; kind++) {
        sinew_mixer_def def = stage_def(s);
        stage_remake(s, &def);
        play(s, STAGE_A, 1);
        sinew_mixer_update(s->mixer, 0.25f);
        sinew_action_set_paused(s->mixer, transition(s, STAGE_B, (sinew_transition_kind)kind, 0.5f), true);
        for (int i = 0; i < 4; i++) assert_true(sinew_mixer_update(s->mixer, 0.125f));
        assert_false(sinew_mixer_update(s->mixer, 0.125f));
        check_shown(s->mixer, 5, node_of_clip(STAGE_B, 0, 5), 1e-6);
    }
}

// ---- Dead blending -------------------------------------------------------------------------------------------

static exact_quat about(int axis, double angle) {
    exact_vec3 r = {axis == 0 ? angle : 0, axis == 1 ? angle : 0, axis == 2 ? angle : 0};
    return exact_exponential(r);
}

// The pose of a clip at a time, gone on at its velocities, which die away over d seconds as (1 - t / d)².
static exact_node gone_on(int clip, double time, int32_t node, double d, double t) {
    const motion *m = &stage_motions[clip];
    double left = t < d ? 1 - t / d : 0, tau = d / 3 * (1 - left * left * left);
    exact_node n = node_of_clip(clip, time, node);
    bool smiles = node == STAGE_FACE || node == STAGE_TAIL;
    n.at.x += m->vx * tau;
    n.turn = exact_multiply(about(m->axis, m->turning * tau), n.turn);
    n.size += m->growing * tau;
    n.smile += smiles ? m->smiling * tau : 0;
    return n;
}

static void test_the_old_pose_goes_on_by_itself(void **state) {
    mixer_stage *s = *state;
    sinew_action a = play(s, STAGE_A, 1);
    sinew_mixer_update(s->mixer, 0.5f);
    sinew_action b = transition(s, STAGE_B, SINEW_TRANSITION_DEAD_BLEND, 1);
    assert_false(sinew_action_is_active(s->mixer, a)); // it is evaluated no longer
    for (int i = 0; i < 15; i++) {
        double t = i / 16.0;
        check_near(sinew_action_weight(s->mixer, b), smooth(t), 1e-6);
        for (int32_t n = 0; n < STAGE_NODES; n++) {
            exact_node held = gone_on(STAGE_A, 0.5, n, 1, t), e = node_of_clip(STAGE_B, t, n);
            check_shown(s->mixer, n, mean_of_two(held, 1 - smooth(t), e, smooth(t)), 5e-5);
        }
        sinew_mixer_update(s->mixer, 0.0625f);
    }
}

static void test_a_dead_blend_whose_clip_is_stopped_comes_to_rest(void **state) {
    mixer_stage *s = *state; // the held pose stands where the velocities have brought it: a third of their time on
    play(s, STAGE_A, 1);
    sinew_mixer_update(s->mixer, 0.5f);
    sinew_action_stop(s->mixer, transition(s, STAGE_B, SINEW_TRANSITION_DEAD_BLEND, 1));
    for (int i = 1; i < 8; i++) {
        sinew_mixer_update(s->mixer, 0.125f);
        for (int32_t n = 0; n < STAGE_NODES; n++) {
            check_shown(s->mixer, n, gone_on(STAGE_A, 0.5, n, 1, 0.125 * i), 1e-4);
        }
    }
    sinew_mixer_update(s->mixer, 2);
    exact_node e = gone_on(STAGE_A, 0.5, 4, 1, 1);
    check_shown(s->mixer, 4, e, 5e-5);
    check_near(e.at.x, 2.5 + 0.5 + 5.0 / 3, 1e-12);
    sinew_mixer_update(s->mixer, 2);
    check_shown(s->mixer, 4, e, 5e-5);
}

// ---- What continues ------------------------------------------------------------------------------------------

static void test_position_and_velocity_continue_from_a_clip(void **state) {
    mixer_stage *s = *state;
    for (int k = 0; k < 2; k++) {
        for (int to = 1; to < STAGE_CLIPS; to++) {
            start_over(s);
            play(s, STAGE_A, 1);
            sinew_mixer_update(s->mixer, 0.5f);
            watched w = watch(s);
            transition(s, to, keeping[k], 2);
            check_continues(s, &w);
        }
    }
}

static void test_they_continue_from_a_fade_in_progress(void **state) {
    mixer_stage *s = *state;
    const float moments[3] = {0.125f, 0.5f, 0.875f};
    for (int k = 0; k < 2; k++) {
        for (int m = 0; m < 3; m++) {
            start_over(s);
            play(s, STAGE_A, 1);
            sinew_mixer_update(s->mixer, 0.25f);
            transition(s, STAGE_D, SINEW_TRANSITION_FADE, 1);
            sinew_mixer_update(s->mixer, moments[m]);
            watched w = watch(s);
            transition(s, STAGE_C, keeping[k], 2);
            check_continues(s, &w);
            assert_int_equal(sinew_mixer_actions(s->mixer, NULL, 0), 1); // old clips are evaluated no longer
        }
    }
}

// One interrupted by another, in the very frame of the first, a little later, in the middle, near its end, and behind it.
static void test_they_continue_when_one_is_interrupted_by_another(void **state) {
    mixer_stage *s = *state;
    const float moments[6] = {0, INSTANT, 0.015625f, 0.5f, 1.75f, 2.25f};
    for (int first = 0; first < 2; first++) {
        for (int second = 0; second < 2; second++) {
            for (int m = 0; m < 6; m++) {
                start_over(s);
                play(s, STAGE_A, 1);
                sinew_mixer_update(s->mixer, 0.25f);
                watched w = watch(s);
                transition(s, STAGE_C, keeping[first], 2);
                if (moments[m] > 0) {
                    sinew_mixer_update(s->mixer, moments[m]);
                    w = watch(s);
                }
                transition(s, STAGE_D, keeping[second], 2);
                check_continues(s, &w);
            }
        }
    }
}

static void test_a_fade_over_another_transition_lets_it_go_on(void **state) {
    mixer_stage *s = *state; // one that starts slowly has no velocity yet
    const float moments[4] = {0, 0.015625f, 0.5f, 1.75f};
    for (int m = 0; m < 4; m++) {
        start_over(s);
        play(s, STAGE_A, 1);
        sinew_mixer_update(s->mixer, 0.25f);
        transition(s, STAGE_C, SINEW_TRANSITION_INERTIALIZE, 2);
        sinew_mixer_update(s->mixer, moments[m]);
        watched w = watch(s);
        transition(s, STAGE_D, SINEW_TRANSITION_FADE, 2);
        check_continues(s, &w);
    }
    for (int m = 0; m < 4; m++) { // of weights that fade the speed changes; nothing jumps
        start_over(s);
        play(s, STAGE_A, 1);
        sinew_mixer_update(s->mixer, 0.25f);
        transition(s, STAGE_C, SINEW_TRANSITION_DEAD_BLEND, 2);
        sinew_mixer_update(s->mixer, moments[m]);
        watched w = watch(s);
        transition(s, STAGE_D, SINEW_TRANSITION_FADE, 2);
        check_position(s, &w);
    }
}

static void test_they_continue_from_a_held_pose(void **state) {
    mixer_stage *s = *state;
    for (int k = 0; k < 2; k++) {
        for (int way = 0; way < 4; way++) {
            start_over(s);
            sinew_action a = play(s, STAGE_A, 1);
            sinew_mixer_update(s->mixer, 0.25f);
            if (way == 0) sinew_action_stop(s->mixer, a); // it stands
            if (way == 1) sinew_action_stop(s->mixer, transition(s, STAGE_B, SINEW_TRANSITION_DEAD_BLEND, 2));
            if (way == 2) sinew_action_stop(s->mixer, transition(s, STAGE_B, SINEW_TRANSITION_INERTIALIZE, 2));
            if (way == 3) { // a part of it is there yet
                sinew_action_stop(s->mixer, a);
                transition(s, STAGE_C, SINEW_TRANSITION_FADE, 1);
            }
            sinew_mixer_update(s->mixer, 0.25f);
            watched w = watch(s);
            transition(s, STAGE_D, keeping[k], 2);
            check_continues(s, &w);
        }
    }
}

static void test_they_continue_from_what_has_hardly_begun(void **state) {
    mixer_stage *s = *state; // nothing was shown so long ago as velocities are taken over
    for (int k = 0; k < 2; k++) {
        for (int loop = SINEW_LOOP_ONCE; loop <= SINEW_LOOP_PING_PONG; loop++) {
            for (int way = 0; way < 2; way++) {
                start_over(s);
                sinew_play_def def = sinew_play_default();
                def.loop = (sinew_loop)loop;
                def.speed = way == 0 ? 1 : -0.5f;
                sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), &def);
                watched w = watch(s);
                transition(s, STAGE_C, keeping[k], 2);
                check_continues(s, &w);
            }
        }
    }
}

static void test_they_continue_from_what_turned_where_it_began(void **state) {
    mixer_stage *s = *state; // backward from the start: right behind it, and where it will turn next
    const float moments[2] = {0, 2 - 3 * INSTANT};
    for (int k = 0; k < 2; k++) {
        for (int m = 0; m < 2; m++) {
            start_over(s);
            sinew_play_def def = sinew_play_default();
            def.loop = SINEW_LOOP_PING_PONG;
            def.speed = -1;
            def.time = 0;
            sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_D]), &def);
            sinew_mixer_update(s->mixer, moments[m]);
            watched w = watch(s);
            transition(s, STAGE_C, keeping[k], 2);
            check_continues(s, &w);
        }
    }
}

static void test_they_continue_from_a_space_that_has_hardly_begun(void **state) {
    mixer_stage *s = *state;
    sinew_blend_space *space = space_of_two(s);
    for (int k = 0; k < 2; k++) {
        start_over(s);
        sinew_mixer_play(s->mixer, sinew_blend_space_source(space, 0.5f, 0), NULL);
        watched w = watch(s);
        transition(s, STAGE_C, keeping[k], 2);
        check_continues(s, &w);
    }
    start_over(s);
    sinew_blend_space_destroy(space);
}

// Clips that have hardly begun, which have their way ahead: of what was asked for in this frame none has been shown.
static void test_a_fade_that_no_frame_has_shown_is_no_velocity(void **state) {
    mixer_stage *s = *state;
    for (int k = 0; k < 2; k++) {
        for (int way = 0; way < 3; way++) {
            if (way == 1 && keeping[k] == SINEW_TRANSITION_DEAD_BLEND) continue; // takes the base alone
            sinew_mixer_def def = stage_def(s);
            def.max_actions = 2;
            stage_remake(s, &def);
            sinew_action a = play(s, STAGE_A, way == 2 ? 0.5f : 1);
            sinew_action_set_paused(s->mixer, a, true);
            sinew_play_def beside = sinew_play_default();
            beside.layer = way == 1;
            sinew_action b = sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_B]), &beside);
            watched w = watch(s);
            beside.layer = 0;
            beside.fade =
                0.5f; // a shorter one changes the velocity by more within the hundredth of a second that measures it
            if (way == 0) sinew_action_fade_to(s->mixer, b, 0, 0.5f);
            if (way == 1) sinew_layer_fade_to(s->mixer, 1, 0, 0.5f, SINEW_EASING_LINEAR);
            if (way == 2) sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_C]), &beside); // a makes room
            transition(s, STAGE_D, keeping[k], 2);
            check_continues(s, &w);
        }
    }
}

static void test_they_continue_from_what_stands(void **state) {
    mixer_stage *s = *state; // at the end of ONCE, and paused
    for (int k = 0; k < 2; k++) {
        for (int way = 0; way < 3; way++) {
            start_over(s);
            sinew_play_def once = sinew_play_default();
            once.loop = SINEW_LOOP_ONCE;
            once.speed = way == 1 ? -1 : 1;
            sinew_action a = sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), &once);
            sinew_mixer_update(s->mixer, way < 2 ? 2.5f : 0.5f);
            assert_int_equal(sinew_action_is_finished(s->mixer, a), way < 2);
            if (way == 2) sinew_action_set_paused(s->mixer, a, true);
            watched w = watch(s);
            transition(s, STAGE_D, keeping[k], 2);
            check_continues(s, &w);
        }
    }
}

static void test_they_continue_at_other_speeds_and_back(void **state) {
    mixer_stage *s = *state;
    for (int k = 0; k < 2; k++) {
        for (int way = 0; way < 4; way++) {
            start_over(s);
            sinew_play_def def = sinew_play_default();
            def.speed = way % 2 == 0 ? -1.5f : 0.5f;
            def.loop = SINEW_LOOP_PING_PONG;
            def.time = 1;
            sinew_action a = sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), &def);
            sinew_mixer_update(s->mixer, 0.25f);
            watched w = watch(s);
            if (way >= 2) sinew_action_set_speed(s->mixer, a, -2 * def.speed); // which no step has shown
            transition(s, STAGE_C, keeping[k], 2);
            check_continues(s, &w);
        }
    }
}

// Several requests in one frame don't add up velocities: the first one's is kept.
static void test_they_continue_when_there_are_many_in_one_frame(void **state) {
    mixer_stage *s = *state;
    for (int k = 0; k < 3; k++) {
        start_over(s);
        play(s, STAGE_A, 1);
        sinew_mixer_update(s->mixer, 0.25f);
        watched w = watch(s);
        for (int i = 0; i < 10; i++) {
            sinew_transition_kind kind = k < 2 ? keeping[k] : keeping[i % 2];
            transition(s, i % 3 + 1, kind, 2);
            if (i % 4 == 3) sinew_mixer_update(s->mixer, 0);
        }
        check_continues(s, &w);
    }
}

// A node turns at 300 degrees per second towards a still pose 1 degree ahead. At 60 frames per second, consecutive
// velocities must not differ by more than 110 degrees per second; stopping dead would be 300.
static void test_a_small_difference_that_closes_fast_is_no_corner(void **state) {
    (void)state;
    const double degree = PI / 180, speeds[2] = {300 * degree, 0}, starts[2] = {0, 76 * degree};
    sinew_skeleton *skeleton = make_chain(1);
    sinew_clip *clips[2];
    for (int i = 0; i < 2; i++) {
        const float times[2] = {0, 0.5f};
        sinew_quat q = about_z(starts[i]), r = about_z(starts[i] + 0.5 * speeds[i]);
        const float values[8] = {q.x, q.y, q.z, q.w, r.x, r.y, r.z, r.w};
        sinew_channel_def channel = {0, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 2, times, values};
        clips[i] = make_clip(skeleton, "", &channel, 1);
    }
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = skeleton;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    sinew_play_def once = sinew_play_default();
    once.loop = SINEW_LOOP_ONCE;
    sinew_mixer_play(mixer, sinew_clip_source(clips[0]), &once);
    double last = 0, velocity = speeds[0], most = 0;
    for (int i = 1; i <= 40; i++) {
        if (i == 16) { // after 15 frames: at 75 degrees
            sinew_transition how = sinew_transition_default();
            how.kind = SINEW_TRANSITION_INERTIALIZE;
            how.duration = 0.25f;
            sinew_mixer_transition_to(mixer, sinew_clip_source(clips[1]), &how, NULL);
        }
        sinew_mixer_update(mixer, 1.0f / 60);
        sinew_quat q = sinew_pose_get(sinew_mixer_pose(mixer), 0).rotation;
        double angle = 2 * atan2((double)q.z, (double)q.w), now = (angle - last) * 60;
        most = fmax(most, fabs(now - velocity));
        velocity = now;
        last = angle;
    }
    check_near(last, starts[1], 1e-5);
    check_near(velocity, 0, 1e-3);
    check_near(most, 0, 110 * degree);
    sinew_mixer_destroy(mixer);
    for (int i = 0; i < 2; i++) sinew_clip_destroy(clips[i]);
    sinew_skeleton_destroy(skeleton);
}

// Whatever their start and speed, morph weights stay between those at the start and the clip's.
static void test_morph_weights_stay_between_source_and_target(void **state) {
    mixer_stage *s = *state;
    for (int from = 0; from < STAGE_CLIPS; from++) {
        for (int to = 0; to < STAGE_CLIPS; to++) {
            start_over(s);
            play(s, from, 1);
            sinew_mixer_update(s->mixer, 0.75f);
            double faces = node_shown(s->mixer, STAGE_FACE).smile, tails = node_shown(s->mixer, STAGE_TAIL).smile;
            sinew_action action = transition(s, to, SINEW_TRANSITION_INERTIALIZE, 0.5f);
            for (int i = 0; i < 40; i++) {
                sinew_mixer_update(s->mixer, i == 0 ? 0 : 1.0f / 64);
                double time = (double)sinew_action_time(s->mixer, action);
                for (int k = 0; k < 2; k++) {
                    int32_t node = k == 0 ? STAGE_FACE : STAGE_TAIL;
                    double target = node_of_clip(to, time, node).smile, source = k == 0 ? faces : tails;
                    double shown = node_shown(s->mixer, node).smile;
                    check_near(shown, between(shown, source, target), CLOSE);
                    if (i == 0 && from != to) check_near(shown, source, CLOSE);
                    if (i > 32) check_near(shown, target, CLOSE);
                }
            }
        }
    }
}

// SINEW_EASING_AUTO, which is the default: a fade is linear, a dead blend is eased.
static void test_the_default_curves(void **state) {
    mixer_stage *s = *state;
    sinew_transition how = sinew_transition_default();
    assert_int_equal(how.easing, SINEW_EASING_AUTO);
    for (int kind = 0; kind < 3; kind++) {
        for (int queued = 0; queued < 2; queued++) {
            start_over(s);
            sinew_play_def once = sinew_play_default();
            once.loop = SINEW_LOOP_ONCE;
            sinew_action a = sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), &once);
            sinew_mixer_update(s->mixer, 0.5f);
            how.kind = (sinew_transition_kind)kind;
            how.duration = 1;
            if (queued) sinew_action_queue(s->mixer, a, sinew_clip_source(s->clips[STAGE_B]), &how, NULL);
            if (queued) sinew_mixer_update(s->mixer, kind == SINEW_TRANSITION_FADE ? 0.5f : 1.5f);
            if (!queued) sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->clips[STAGE_B]), &how, NULL);
            for (int i = 1; i < 8; i++) {
                sinew_mixer_update(s->mixer, 0.125f);
                double u = i / 8.0, wanted = kind == 0 ? u : kind == 1 ? 1 : smooth(u);
                sinew_action b = sinew_mixer_find(s->mixer, sinew_clip_source(s->clips[STAGE_B]), SINEW_ALL_LAYERS);
                check_near(sinew_action_weight(s->mixer, b), wanted, 1e-6);
            }
        }
    }
}

static void test_they_continue_on_a_layer(void **state) {
    mixer_stage *s = *state; // with a mask, and under another layer
    sinew_mask *mask;
    assert_int_equal(sinew_mask_create(s->skeleton, 0, NULL, &mask), SINEW_OK);
    sinew_mask_set_subtree(mask, 2, 1, 4);
    for (int way = 0; way < 2; way++) {
        start_over(s);
        sinew_layer_set_mask(s->mixer, 1, mask);
        sinew_layer_set_weight(s->mixer, 2, 0.25f);
        play(s, STAGE_A, 1);
        transition_on(s, 1, STAGE_B, SINEW_TRANSITION_FADE, 0, SINEW_TIME_AUTO);
        transition_on(s, 2, STAGE_C, SINEW_TRANSITION_FADE, 0, SINEW_TIME_AUTO);
        sinew_mixer_update(s->mixer, 0.25f);
        if (way == 1) transition_on(s, 1, STAGE_C, SINEW_TRANSITION_INERTIALIZE, 2, SINEW_TIME_AUTO);
        sinew_mixer_update(s->mixer, 0.125f);
        watched w = watch(s);
        transition_on(s, 1, STAGE_D, SINEW_TRANSITION_INERTIALIZE, 2, SINEW_TIME_AUTO);
        check_continues(s, &w);
        assert_int_equal(sinew_mixer_actions(s->mixer, NULL, 0), 3); // others play on
    }
    start_over(s);
    sinew_mask_destroy(mask);
}

static void test_a_transition_to_what_plays_already_changes_nothing(void **state) {
    mixer_stage *s = *state;
    sinew_action a = play(s, STAGE_A, 1);
    sinew_mixer_update(s->mixer, 0.25f);
    assert_int_equal(transition(s, STAGE_A, SINEW_TRANSITION_INERTIALIZE, 1).id, a.id);
    for (int i = 1; i < 8; i++) {
        sinew_mixer_update(s->mixer, 0.125f);
        for (int32_t n = 0; n < STAGE_NODES; n++) {
            // Both velocities round alike, except for two roundings of a unit quaternion over 1/1024 s.
            check_shown(s->mixer, n, node_of_clip(STAGE_A, 0.25 + 0.125 * i, n), CLOSE + 1.2e-7 * 1024 * 0.1493);
        }
    }
}

static void test_an_action_that_ends_in_its_first_frame_leaves_what_was_shown(void **state) {
    mixer_stage *s = *state; // and no rest pose
    for (int way = 0; way < 2; way++) {
        for (int k = 0; k < 2; k++) {
            start_over(s);
            play(s, STAGE_A, 1);
            sinew_mixer_update(s->mixer, 0.5f);
            watched w = watch(s);
            sinew_action b = transition(s, STAGE_B, keeping[k], 1);
            if (way == 0) sinew_action_stop(s->mixer, b);
            if (way == 1) sinew_mixer_stop_all(s->mixer);
            check_position(s, &w);
        }
    }
}

static void test_a_pose_that_is_asked_for_late_has_not_moved_on(void **state) {
    mixer_stage *s = *state; // it's the last update's, though time has advanced since
    for (int k = 0; k < 2; k++) {
        start_over(s);
        play(s, STAGE_A, 1);
        sinew_mixer_update(s->mixer, 0.5f);
        transition(s, STAGE_B, keeping[k], 1);
        sinew_mixer_update(s->mixer, 0.25f);
        float x = sinew_mixer_model_matrices(s->mixer)[0].m[0][3];
        sinew_mixer_advance(s->mixer, 0.25f);
        assert_true(sinew_mixer_pose(s->mixer)->tx[0] == x);
    }
}

static void test_all_that_stops_in_a_transition_does_not_jump(void **state) {
    mixer_stage *s = *state;
    for (int k = 0; k < 2; k++) {
        start_over(s);
        play(s, STAGE_A, 1);
        sinew_mixer_update(s->mixer, 0.5f);
        transition(s, STAGE_B, keeping[k], 1);
        sinew_mixer_update(s->mixer, 0.25f);
        watched w = watch(s);
        sinew_mixer_stop_all(s->mixer);
        check_position(s, &w);
    }
}

// ---- Seams ---------------------------------------------------------------------------------------------------

// a jumps 10 m back at its end, and continues smoothly from there. Taking that for a speed would give 1200 m/s.
static void test_a_seam_is_no_speed(void **state) {
    mixer_stage *s = *state;
    const float behind[3] = {0, 0.0009765625f, 0.00390625f};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 3; i++) {
            for (int backward = 0; backward < 2; backward++) {
                start_over(s);
                sinew_play_def def = sinew_play_default();
                def.speed = backward ? -1 : 1;
                sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), &def);
                sinew_mixer_update(s->mixer, 2 + behind[i]);
                exact_node from = node_shown(s->mixer, 6);
                transition_on(s, 0, STAGE_D, keeping[k], 2, 1.999f); // its seam comes right after
                sinew_mixer_update(s->mixer, 0.0005f);
                exact_node to = node_shown(s->mixer, 6);
                check_near(to.at.x, from.at.x, 10 * 0.0005); // at most the two clips' speeds
                sinew_mixer_update(s->mixer, 0.125f);
                to = node_shown(s->mixer, 6);
                assert_true(fabs(to.at.x - from.at.x) < 6 + 10 * 0.125); // d's own seam is 6 m
            }
        }
    }
}

// ---- Where there is no such way ------------------------------------------------------------------------------

static void check_is_a_fade(mixer_stage *s, const sinew_mixer_def *def, int32_t layer, sinew_transition_kind kind) {
    sinew_mixer *fading;
    assert_int_equal(sinew_mixer_create(def, &fading, NULL), SINEW_OK);
    stage_remake(s, def);
    sinew_play_def play_def = sinew_play_default();
    for (int i = 0; i < 6; i++) {
        sinew_transition how = sinew_transition_default();
        how.kind = kind;
        how.duration = 0.375f;
        how.easing = SINEW_EASING_SMOOTHSTEP;
        play_def.layer = i % 3 == 1 ? 0 : layer;
        if (i % 3 == 1) how.kind = SINEW_TRANSITION_FADE;
        sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->clips[i % STAGE_CLIPS]), &how, &play_def);
        how.kind = SINEW_TRANSITION_FADE;
        sinew_mixer_transition_to(fading, sinew_clip_source(s->clips[i % STAGE_CLIPS]), &how, &play_def);
        for (int k = 0; k < 5; k++) {
            sinew_mixer_update(s->mixer, 0.0625f);
            sinew_mixer_update(fading, 0.0625f);
            check_mixer_bits(s, s->mixer, fading);
        }
    }
    sinew_mixer_destroy(fading);
}

static void test_without_room_for_them_they_are_fades(void **state) {
    mixer_stage *s = *state;
    sinew_mixer_def def = stage_def(s);
    check_is_a_fade(s, &def, 1, SINEW_TRANSITION_DEAD_BLEND); // which is for the base
    def.inertialization = false;
    for (int32_t layer = 0; layer < 2; layer++) {
        for (int k = 0; k < 2; k++) check_is_a_fade(s, &def, layer, keeping[k]);
    }
}

static void test_of_a_fresh_mixer_there_is_nothing_to_keep(void **state) {
    mixer_stage *s = *state;
    for (int k = 0; k < 2; k++) {
        start_over(s);
        transition(s, STAGE_A, keeping[k], 1);
        sinew_mixer_update(s->mixer, 0.125f);
        check_shown(s->mixer, 8, node_of_clip(STAGE_A, 0.125, 8), CLOSE);
    }
}

static void test_a_transition_of_no_time_is_a_cut(void **state) {
    mixer_stage *s = *state;
    for (int k = 0; k < 2; k++) {
        start_over(s);
        sinew_action a = play(s, STAGE_A, 1);
        sinew_mixer_update(s->mixer, 0.25f);
        transition(s, STAGE_B, keeping[k], 0);
        assert_false(sinew_action_is_active(s->mixer, a));
        sinew_mixer_update(s->mixer, 0.125f);
        check_shown(s->mixer, 8, node_of_clip(STAGE_B, 0.125, 8), CLOSE);
    }
}

static void test_a_cut_leaves_nothing_of_an_offset(void **state) {
    mixer_stage *s = *state; // on the base; a layer's cut is its own
    sinew_pose *alone;
    assert_int_equal(sinew_pose_create(s->skeleton, NULL, &alone), SINEW_OK);
    for (int way = 0; way < 2; way++) {
        start_over(s);
        play(s, STAGE_A, 1);
        sinew_mixer_update(s->mixer, 0.5f);
        transition(s, STAGE_B, SINEW_TRANSITION_INERTIALIZE, 1);
        sinew_mixer_update(s->mixer, 0.25f);
        transition(s, way == 0 ? STAGE_C : STAGE_B, SINEW_TRANSITION_FADE, 0);
        sinew_mixer_update(s->mixer, 0);
        sinew_clip_sample(s->clips[way == 0 ? STAGE_C : STAGE_B], way == 0 ? 0 : 0.25f, alone);
        check_pose_bits(sinew_mixer_pose(s->mixer), alone);
    }
    start_over(s);
    play(s, STAGE_A, 1);
    sinew_mixer_update(s->mixer, 0.5f);
    transition(s, STAGE_B, SINEW_TRANSITION_INERTIALIZE, 1);
    sinew_layer_set_weight(s->mixer, 1, 0);
    sinew_mixer_update(s->mixer, 0.25f);
    exact_node before = node_shown(s->mixer, 8);
    transition_on(s, 1, STAGE_C, SINEW_TRANSITION_FADE, 0, SINEW_TIME_AUTO);
    sinew_mixer_update(s->mixer, 0);
    check_shown(s->mixer, 8, before, CLOSE);
    sinew_pose_destroy(alone);
}

// ---- The same bits, and the same poses -----------------------------------------------------------------------

// What a game might do, drawn: at sixteenths of a second, over four seconds.
static void do_something(mixer_stage *s, uint64_t *random, sinew_mixer *mixer) {
    sinew_play_def def = sinew_play_default();
    sinew_transition how = sinew_transition_default();
    how.kind = (sinew_transition_kind)draw_count(random, 0, 2);
    how.duration = 0.0f;
    int clip = draw_count(random, 0, STAGE_CLIPS - 1);
    how.duration = 0.0625f * (float)draw_count(random, 1, 16);
    how.easing = (sinew_easing)draw_count(random, 0, 1);
    how.match_rate = random_next(random) % 2 == 0;
    def.layer = draw_count(random, 0, 3) / 3;
    if (random_next(random) % 4 == 0)
        sinew_mixer_transition_to(mixer, sinew_clip_source(s->clips[clip]), &how, &def);
    if (random_next(random) % 32 == 0)
        sinew_action_fade_out(mixer, sinew_mixer_find(mixer, sinew_clip_source(s->clips[clip]), SINEW_ALL_LAYERS),
                              0.25f);
}

static void test_the_same_calls_give_the_same_bits(void **state) {
    mixer_stage *s = *state; // whatever the memory contained before
    uint64_t random = 11;
    for (int round = 0; round < 20; round++) {
        counting counts = {0};
        sinew_mixer_def def = stage_def(s);
        stage_remake(s, &def);
        def.allocator = counting_allocator(&counts);
        sinew_mixer *other;
        assert_int_equal(sinew_mixer_create(&def, &other, NULL), SINEW_OK);
        for (int i = 0; i < 64; i++) {
            uint64_t same = random;
            do_something(s, &random, s->mixer);
            do_something(s, &same, other);
            sinew_mixer_update(s->mixer, 0.0625f);
            sinew_mixer_update(other, 0.0625f);
            check_mixer_bits(s, s->mixer, other);
        }
        sinew_mixer_destroy(other);
    }
}

static void test_the_frame_rate_does_not_matter(void **state) {
    mixer_stage *s = *state; // within rounding: the same calls at the same times, in steps of any length
    uint64_t random = 12;
    const int parts[3] = {2, 7, 32};
    for (int p = 0; p < 3; p++) {
        sinew_mixer_def def = stage_def(s);
        sinew_mixer *finer;
        stage_remake(s, &def);
        assert_int_equal(sinew_mixer_create(&def, &finer, NULL), SINEW_OK);
        sinew_play_def off_beat = sinew_play_default(); // so no frame is on a seam, which rounding might cross
        off_beat.time = 0.03125f;
        for (int i = 0; i < 96; i++) {
            sinew_transition how = sinew_transition_default();
            how.kind = keeping[random_next(&random) % 2];
            how.duration = 0.375f;
            int clip = draw_count(&random, 0, STAGE_CLIPS - 1);
            if (i % 3 == 0) {
                sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->clips[clip]), &how, &off_beat);
                sinew_mixer_transition_to(finer, sinew_clip_source(s->clips[clip]), &how, &off_beat);
            }
            sinew_mixer_update(s->mixer, 0.0625f);
            for (int k = 0; k < parts[p]; k++) sinew_mixer_update(finer, 0.0625f / (float)parts[p]);
            for (int32_t n = 0; n < STAGE_NODES; n += 4) check_shown(finer, n, node_shown(s->mixer, n), 2e-4);
        }
        sinew_mixer_destroy(finer);
    }
}

static void test_transitions_have_the_same_bits_on_every_machine(void **state) {
    (void)state;
    uint64_t random = 13, bits = BITS_NONE;
    sinew_skeleton *skeleton = draw_skeleton(&random, 37, false);
    sinew_clip *clips[3];
    for (int i = 0; i < 3; i++) {
        clips[i] = draw_clip(&random, skeleton, (random_clip_options){2, 80, false, SINEW_KEYS_FLOAT});
    }
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = skeleton;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    for (int i = 0; i < 200; i++) {
        sinew_transition how = sinew_transition_default();
        how.kind = (sinew_transition_kind)draw_count(&random, 0, 2);
        how.duration = 0.25f;
        sinew_play_def play_def = sinew_play_default();
        play_def.layer = draw_count(&random, 0, 1);
        if (i % 5 == 0)
            sinew_mixer_transition_to(mixer, sinew_clip_source(clips[draw_count(&random, 0, 2)]), &how, &play_def);
        sinew_mixer_update(mixer, random_float(&random, 0, 0.1f));
        bits = add_bits_of_pose(bits, sinew_mixer_pose(mixer));
    }
    check_bits(bits, UINT64_C(0xe0d3756253c293b3));
    sinew_mixer_destroy(mixer);
    for (int i = 0; i < 3; i++) sinew_clip_destroy(clips[i]);
    sinew_skeleton_destroy(skeleton);
}

int main(void) {
#define on_stage(test) cmocka_unit_test_setup_teardown(test, stage_set_up, stage_tear_down)
    const struct CMUnitTest tests[] = {
        on_stage(test_the_difference_decays_by_the_quintic),
        on_stage(test_a_difference_that_closes_fast_keeps_the_quintic),
        on_stage(test_the_target_is_reached_to_the_bit),
        on_stage(test_the_last_frame_of_a_transition_is_an_update),
        on_stage(test_the_old_pose_goes_on_by_itself),
        on_stage(test_a_dead_blend_whose_clip_is_stopped_comes_to_rest),
        on_stage(test_position_and_velocity_continue_from_a_clip),
        on_stage(test_they_continue_from_a_fade_in_progress),
        on_stage(test_they_continue_when_one_is_interrupted_by_another),
        on_stage(test_a_fade_over_another_transition_lets_it_go_on),
        on_stage(test_they_continue_from_a_held_pose),
        on_stage(test_they_continue_from_what_has_hardly_begun),
        on_stage(test_they_continue_from_what_turned_where_it_began),
        on_stage(test_they_continue_from_a_space_that_has_hardly_begun),
        on_stage(test_a_fade_that_no_frame_has_shown_is_no_velocity),
        on_stage(test_they_continue_from_what_stands),
        on_stage(test_they_continue_at_other_speeds_and_back),
        on_stage(test_they_continue_when_there_are_many_in_one_frame),
        cmocka_unit_test(test_a_small_difference_that_closes_fast_is_no_corner),
        on_stage(test_morph_weights_stay_between_source_and_target),
        on_stage(test_the_default_curves),
        on_stage(test_they_continue_on_a_layer),
        on_stage(test_a_transition_to_what_plays_already_changes_nothing),
        on_stage(test_an_action_that_ends_in_its_first_frame_leaves_what_was_shown),
        on_stage(test_a_pose_that_is_asked_for_late_has_not_moved_on),
        on_stage(test_all_that_stops_in_a_transition_does_not_jump),
        on_stage(test_a_seam_is_no_speed),
        on_stage(test_without_room_for_them_they_are_fades),
        on_stage(test_of_a_fresh_mixer_there_is_nothing_to_keep),
        on_stage(test_a_transition_of_no_time_is_a_cut),
        on_stage(test_a_cut_leaves_nothing_of_an_offset),
        on_stage(test_the_same_calls_give_the_same_bits),
        on_stage(test_the_frame_rate_does_not_matter),
        cmocka_unit_test(test_transitions_have_the_same_bits_on_every_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
