// SPDX-License-Identifier: MIT
// The mixer: time, loops, fades, blending, handles, events, and a frame's memory.
#include "support/check.h"

// Two or three nodes, and clips that slide one of them along x: the pose tells the time and the weights directly.
typedef struct stage {
    sinew_skeleton *skeleton;
    sinew_clip *a, *b, *c, *instant; // a: n0 to x = 10 in 2 s; b: n1 to x = 4 in 1 s; c: n0 to x = -6 in 3 s
    sinew_mixer *mixer;
    int32_t looped, finished; // counted by the callback
} stage;

static void on_event(const sinew_event *event, void *user) {
    stage *s = user;
    if (event->type == SINEW_EVENT_LOOPED) s->looped++;
    if (event->type == SINEW_EVENT_FINISHED) s->finished++;
}

static void remake_mixer(stage *s, const sinew_mixer_def *def) {
    sinew_mixer_destroy(s->mixer);
    assert_int_equal(sinew_mixer_create(def, &s->mixer, NULL), SINEW_OK);
}

static sinew_mixer_def stage_def(stage *s) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s->skeleton;
    def.on_event = on_event;
    def.user = s;
    return def;
}

static int set_up(void **state) {
    stage *s = calloc(1, sizeof *s);
    s->skeleton = make_chain(3);
    s->a = make_slide(s->skeleton, "a", 0, 2, 10);
    s->b = make_slide(s->skeleton, "b", 1, 1, 4);
    s->c = make_slide(s->skeleton, "c", 0, 3, -6);
    s->instant = make_slide(s->skeleton, "instant", 0, 0, 0);
    sinew_mixer_def def = stage_def(s);
    remake_mixer(s, &def);
    *state = s;
    return 0;
}

static int tear_down(void **state) {
    stage *s = *state;
    sinew_mixer_destroy(s->mixer);
    sinew_clip_destroy(s->a);
    sinew_clip_destroy(s->b);
    sinew_clip_destroy(s->c);
    sinew_clip_destroy(s->instant);
    sinew_skeleton_destroy(s->skeleton);
    free(s);
    return 0;
}

static float x_of(stage *s, int32_t node) {
    return sinew_mixer_pose(s->mixer)->tx[node];
}

static sinew_action play(stage *s, const sinew_clip *clip, float speed, sinew_loop loop, int32_t loop_count) {
    sinew_play_def def = sinew_play_default();
    def.speed = speed;
    def.loop = loop;
    def.loop_count = loop_count;
    return sinew_mixer_play(s->mixer, sinew_clip_source(clip), &def);
}

// ---- Time and loops ------------------------------------------------------------------------------------------

static void test_a_clip_plays_and_goes_round(void **state) {
    stage *s = *state;
    sinew_action action = sinew_mixer_play(s->mixer, sinew_clip_source(s->a), NULL);
    sinew_mixer_update(s->mixer, 0.5f);
    check_near(x_of(s, 0), 2.5, 1e-6);
    check_near(sinew_mixer_model_matrices(s->mixer)[2].m[0][3], 2.5, 1e-6); // children follow
    sinew_mixer_update(s->mixer, 1.5f);                                     // time exactly at the end is the start
    check_near(x_of(s, 0), 0, 1e-6);
    assert_int_equal(s->looped, 1);
    sinew_mixer_update(s->mixer, 0.25f);
    check_near(x_of(s, 0), 1.25, 1e-6);
    assert_int_equal(sinew_action_get(s->mixer, action).loops_done, 1);
    assert_int_equal(s->finished, 0);
}

static void test_a_large_step_spans_many_loops(void **state) {
    stage *s = *state; // pitfall 7, in both directions; fmod of a negative time would be negative
    sinew_action action = sinew_mixer_play(s->mixer, sinew_clip_source(s->a), NULL);
    sinew_mixer_update(s->mixer, 20.5f);
    check_near(sinew_action_time(s->mixer, action), 0.5, 1e-5);
    assert_int_equal(s->looped, 10);
    sinew_action_set_speed(s->mixer, action, -1);
    sinew_mixer_update(s->mixer, 21.0f); // 0.5 - 21 = -20.5 = -11 × 2 + 1.5
    check_near(sinew_action_time(s->mixer, action), 1.5, 1e-5);
    assert_int_equal(s->looped, 10 + 11);
    check_near(x_of(s, 0), 7.5, 1e-5);
}

static void test_reversed_repeat_stays_inside(void **state) {
    stage *s = *state;
    sinew_action action = play(s, s->a, -1, SINEW_LOOP_REPEAT, SINEW_FOREVER);
    check_near(sinew_action_time(s->mixer, action), 2, 0); // backward starts at the end
    double expected = 2;
    for (int i = 0; i < 100; i++) {
        sinew_mixer_update(s->mixer, 0.3f);
        expected -= (double)0.3f;
        if (expected < 0) expected += 2;
        check_near(sinew_action_time(s->mixer, action), expected, 1e-5);
    }
    assert_int_equal(s->looped, 15); // a hair over 30 s back from the end at 2: ends at 0, -2, ..., -28
}

static void test_once_holds_its_last_pose(void **state) {
    stage *s = *state; // pitfall 6: it holds until it is stopped or faded
    sinew_action action = play(s, s->a, 1, SINEW_LOOP_ONCE, SINEW_FOREVER);
    sinew_mixer_update(s->mixer, 1.9f);
    assert_false(sinew_action_is_finished(s->mixer, action));
    sinew_mixer_update(s->mixer, 0.2f);
    assert_true(sinew_action_is_finished(s->mixer, action));
    assert_true(sinew_action_is_active(s->mixer, action));
    assert_int_equal(s->finished, 1);
    assert_int_equal(s->looped, 0);
    for (int i = 0; i < 10; i++) {
        sinew_mixer_update(s->mixer, 1);
        check_near(x_of(s, 0), 10, 1e-6);
        check_near(sinew_action_weight(s->mixer, action), 1, 0);
    }
    assert_int_equal(s->finished, 1); // once
}

static void test_once_backward_ends_at_the_start(void **state) {
    stage *s = *state; // pitfall 7
    sinew_action action = play(s, s->a, -2, SINEW_LOOP_ONCE, SINEW_FOREVER);
    sinew_mixer_update(s->mixer, 0.5f);
    check_near(x_of(s, 0), 5, 1e-6);
    sinew_mixer_update(s->mixer, 7);
    check_near(x_of(s, 0), 0, 0);
    assert_true(sinew_action_is_finished(s->mixer, action));
    sinew_action_set_speed(s->mixer, action, 1); // the other way: it plays on
    sinew_mixer_update(s->mixer, 1);
    check_near(x_of(s, 0), 5, 1e-6);
}

static void test_repeat_a_number_of_times(void **state) {
    stage *s = *state;
    sinew_action action = play(s, s->a, 1, SINEW_LOOP_REPEAT, 3);
    for (int i = 0; i < 5; i++) sinew_mixer_update(s->mixer, 1);
    check_near(x_of(s, 0), 5, 1e-5);
    assert_int_equal(s->looped, 2);
    sinew_mixer_update(s->mixer, 1.5f);
    check_near(x_of(s, 0), 10, 0); // the end of the third loop, not the start of a fourth
    assert_int_equal(s->looped, 2);
    assert_int_equal(s->finished, 1);
    assert_int_equal(sinew_action_get(s->mixer, action).loops_done, 3);

    sinew_action_reset(s->mixer, action);
    assert_false(sinew_action_is_finished(s->mixer, action));
    sinew_mixer_update(s->mixer, 100); // all of it in one step
    check_near(x_of(s, 0), 10, 0);
    assert_int_equal(s->looped, 4);
    assert_int_equal(s->finished, 2);

    play(s, s->a, -1, SINEW_LOOP_REPEAT, 2);
    sinew_mixer_update(s->mixer, 100);
    check_near(x_of(s, 0), 0, 0);
    assert_int_equal(s->finished, 3);
}

static void test_ping_pong_reflects(void **state) {
    stage *s = *state; // pitfall 7: the overshoot comes back, it is not clamped away
    sinew_action action = play(s, s->a, 1, SINEW_LOOP_PING_PONG, SINEW_FOREVER);
    sinew_mixer_update(s->mixer, 2.75f);
    check_near(sinew_action_time(s->mixer, action), 1.25, 1e-6);
    assert_int_equal(s->looped, 1);
    sinew_mixer_update(s->mixer, 1.75f);
    check_near(sinew_action_time(s->mixer, action), 0.5, 1e-6);
    assert_int_equal(s->looped, 2);
    sinew_mixer_update(s->mixer, 9.0f); // 0.5 + 9 = 9.5: four turns, at 2, 4, 6 and 8; on the way up from 8
    check_near(sinew_action_time(s->mixer, action), 1.5, 1e-6);
    assert_int_equal(s->looped, 6);
    sinew_action_set_speed(s->mixer, action, -1);
    sinew_mixer_update(s->mixer, 2.0f); // down 1.5, turn at 0, up 0.5
    check_near(sinew_action_time(s->mixer, action), 0.5, 1e-6);
    assert_int_equal(s->looped, 7);
}

static void test_ping_pong_ends_where_its_last_traversal_ends(void **state) {
    stage *s = *state;
    for (int32_t count = 1; count <= 4; count++) {
        sinew_action action = play(s, s->a, 1, SINEW_LOOP_PING_PONG, count);
        sinew_action_reset(s->mixer, action);
        for (int i = 0; i < 40; i++) sinew_mixer_update(s->mixer, 0.3f);
        check_near(x_of(s, 0), count % 2 ? 10 : 0, 0);
        assert_int_equal(s->finished, count);
        sinew_mixer_stop_all(s->mixer);
    }
}

static void test_a_clip_of_no_duration_divides_nothing(void **state) {
    stage *s = *state; // pitfall 7
    sinew_action repeat = play(s, s->instant, 1, SINEW_LOOP_REPEAT, SINEW_FOREVER);
    sinew_mixer_update(s->mixer, 0.5f);
    check_near(sinew_action_time(s->mixer, repeat), 0, 0);
    check_near(x_of(s, 0), 0, 0);
    assert_int_equal(s->looped + s->finished, 0);
    sinew_mixer_stop_all(s->mixer);
    play(s, s->instant, 1, SINEW_LOOP_PING_PONG, 4);
    sinew_mixer_update(s->mixer, 0.5f);
    sinew_mixer_update(s->mixer, 0.5f);
    assert_int_equal(s->finished, 1);
    sinew_mixer_stop_all(s->mixer);
    sinew_action once = play(s, s->instant, -1, SINEW_LOOP_ONCE, SINEW_FOREVER);
    sinew_mixer_update(s->mixer, 0);
    assert_true(sinew_action_is_finished(s->mixer, once));
}

static int64_t floor_div(int64_t a, int64_t b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

// Requesting fewer loops than it already played makes it continue to the next end.
static void test_fewer_loops_than_there_were_end_at_the_next_end(void **state) {
    stage *s = *state;
    play(s, s->a, 1, SINEW_LOOP_REPEAT, SINEW_FOREVER);
    sinew_mixer_update(s->mixer, 10.5f); // five loops, and a quarter of one
    sinew_action action = play(s, s->a, 1, SINEW_LOOP_REPEAT, 2);
    sinew_mixer_update(s->mixer, 0.5f);
    check_near(x_of(s, 0), 5, 1e-5);
    assert_false(sinew_action_is_finished(s->mixer, action));
    sinew_mixer_update(s->mixer, 2);
    check_near(x_of(s, 0), 10, 1e-5);
    assert_true(sinew_action_is_finished(s->mixer, action));
    assert_int_equal(sinew_action_get(s->mixer, action).loops_done, 6);
    const sinew_events events = sinew_mixer_events(s->mixer);
    assert_int_equal(events.count, 1);
    assert_int_equal(events.items[0].type, SINEW_EVENT_FINISHED);
    check_near(events.items[0].moment, 1, 1e-5);
}

static void test_loops_agree_with_whole_numbers(void **state) {
    // Times that are multiples of 1/4096 s are exact in binary, so integers say where each action must be.
    stage *s = *state;
    uint64_t random = 99;
    for (int round = 0; round < 300; round++) {
        bool ping_pong = round % 2 == 0;
        sinew_action action = play(s, s->a, 1, ping_pong ? SINEW_LOOP_PING_PONG : SINEW_LOOP_REPEAT, SINEW_FOREVER);
        sinew_action_reset(s->mixer, action);
        s->looped = 0;
        int64_t duration = 8192, unwrapped = 0, ends = 0;
        for (int i = 0; i < 50; i++) {
            int64_t dt = random_next(&random) % (i % 5 ? 6000 : 60000);
            int64_t speed = (int64_t)(random_next(&random) % 5) - 2; // -2 to 2
            sinew_action_set_speed(s->mixer, action, (float)speed);
            sinew_mixer_update(s->mixer, (float)dt / 4096.0f);
            int64_t before = unwrapped;
            unwrapped += dt * speed;
            int64_t low = before < unwrapped ? before : unwrapped, high = before < unwrapped ? unwrapped : before;
            // Multiples of the duration in [low, high], without the one that `before` may stand on.
            if (low != high)
                ends += floor_div(high, duration) - floor_div(low - 1, duration) - (before % duration == 0);
            int64_t period = ping_pong ? 2 * duration : duration;
            int64_t phase = ((unwrapped % period) + period) % period;
            int64_t time = phase > duration ? period - phase : phase;
            check_near(sinew_action_time(s->mixer, action), (double)time / 4096.0, 0);
        }
        assert_int_equal(s->looped, ends);
        sinew_mixer_stop_all(s->mixer);
    }
}

static void test_seek_pause_and_reset(void **state) {
    stage *s = *state; // pitfall 22, through the mixer
    sinew_action action = sinew_mixer_play(s->mixer, sinew_clip_source(s->a), NULL);
    sinew_mixer_update(s->mixer, 1.5f);
    sinew_action_set_time(s->mixer, action, 0.5f);
    sinew_mixer_update(s->mixer, 0);
    check_near(x_of(s, 0), 2.5, 1e-6);
    sinew_action_set_time(s->mixer, action, 77);
    check_near(sinew_action_time(s->mixer, action), 2, 0);
    sinew_action_set_time(s->mixer, action, -3);
    check_near(sinew_action_time(s->mixer, action), 0, 0);

    sinew_action_set_paused(s->mixer, action, true);
    assert_true(sinew_action_get(s->mixer, action).paused);
    sinew_action_fade_to(s->mixer, action, 0.5f, 1);
    sinew_mixer_update(s->mixer, 0.5f);
    check_near(sinew_action_time(s->mixer, action), 0, 0);
    check_near(sinew_action_weight(s->mixer, action), 0.75, 1e-6); // fades continue
    sinew_action_set_paused(s->mixer, action, false);
    sinew_mixer_update(s->mixer, 0.5f);
    check_near(sinew_action_time(s->mixer, action), 0.5, 1e-6);
    const sinew_action_state got = sinew_action_get(s->mixer, action);
    assert_true(got.clip && got.source.clip == got.clip && !got.source.blend_space && got.layer == 0);
    assert_true(got.time == sinew_action_time(s->mixer, action));
    assert_true(got.weight == sinew_action_weight(s->mixer, action));
    assert_true(!got.paused && !got.finished && got.parameter.x == 0);

    sinew_action_set_loop(s->mixer, action, SINEW_LOOP_ONCE, SINEW_FOREVER);
    assert_int_equal(sinew_action_get(s->mixer, action).loop, SINEW_LOOP_ONCE);
    check_near(sinew_action_time(s->mixer, action), 0.5, 1e-6);
    sinew_mixer_update(s->mixer, 9);
    assert_true(sinew_action_is_finished(s->mixer, action) && sinew_action_get(s->mixer, action).finished);
    sinew_action_set_time(s->mixer, action, 1);
    assert_false(sinew_action_is_finished(s->mixer, action));
    sinew_mixer_update(s->mixer, 0.5f);
    check_near(x_of(s, 0), 7.5, 1e-6);
}

// ---- Fades ---------------------------------------------------------------------------------------------------

static void test_fades_are_linear_at_any_frame_rate(void **state) {
    stage *s = *state; // pitfall 5: `weight -= dt / remaining` accelerates
    const float steps[4] = {0.2f, 1.0f / 60, 0.001f, 0.07f};
    for (int i = 0; i < 4; i++) {
        sinew_action action = sinew_mixer_play(s->mixer, sinew_clip_source(s->a), NULL);
        sinew_action_fade_out(s->mixer, action, 0.8f);
        double elapsed = 0;
        for (;;) {
            sinew_mixer_advance(s->mixer, steps[i]);
            elapsed += (double)steps[i];
            if (elapsed >= (double)0.8f) break;
            check_near(sinew_action_weight(s->mixer, action), 1 - elapsed / 0.8, 1e-6);
        }
        assert_false(sinew_action_is_active(s->mixer, action)); // faded out: stopped
    }
}

static void test_a_new_fade_starts_from_the_weight_there_is(void **state) {
    stage *s = *state; // pitfall 6
    sinew_action action = sinew_mixer_play(s->mixer, sinew_clip_source(s->a), NULL);
    sinew_action_fade_out(s->mixer, action, 1);
    sinew_mixer_advance(s->mixer, 0.6f);
    sinew_action_fade_in(s->mixer, action, 0.5f);
    check_near(sinew_action_weight(s->mixer, action), 0.4, 1e-6);
    sinew_mixer_advance(s->mixer, 0.25f);
    check_near(sinew_action_weight(s->mixer, action), 0.7, 1e-6);
    sinew_mixer_advance(s->mixer, 0.25f);
    check_near(sinew_action_weight(s->mixer, action), 1, 0);
    assert_true(sinew_action_is_active(s->mixer, action)); // the fade out was called off
    sinew_action_set_weight(s->mixer, action, 0.25f);
    check_near(sinew_action_weight(s->mixer, action), 0.25, 0);
    sinew_action_set_weight(s->mixer, action, -4);
    check_near(sinew_action_weight(s->mixer, action), 0, 0);
    assert_true(sinew_action_is_active(s->mixer, action)); // weight 0 doesn't end it
    sinew_action_fade_out(s->mixer, action, 0);
    assert_false(sinew_action_is_active(s->mixer, action));
}

static void test_crossfade_goes_from_one_to_the_other(void **state) {
    stage *s = *state;
    sinew_action a = sinew_mixer_play(s->mixer, sinew_clip_source(s->a), NULL);
    sinew_mixer_update(s->mixer, 0.1f);
    sinew_action b = sinew_mixer_crossfade_to(s->mixer, sinew_clip_source(s->b), 0.4f, NULL);
    for (int i = 1; i <= 4; i++) {
        check_near(sinew_action_weight(s->mixer, a) + sinew_action_weight(s->mixer, b), 1, 1e-6);
        sinew_mixer_update(s->mixer, 0.1f);
        float wb = sinew_action_weight(s->mixer, b);
        check_near(wb, i / 4.0, 1e-6);
        // a moves n0, b moves n1, each towards the other's rest value
        check_near(x_of(s, 0), (1 - wb) * 10 * (0.1 + 0.1 * i) / 2, 1e-5);
        check_near(x_of(s, 1), wb * 4 * 0.1 * i, 1e-5);
    }
    assert_false(sinew_action_is_active(s->mixer, a));
    assert_true(sinew_action_is_active(s->mixer, b));
}

static void test_an_interrupted_crossfade_does_not_jump(void **state) {
    stage *s = *state; // pitfall 6: from the weights there are, not from 1 and 0; nobody is stranded
    sinew_action a = sinew_mixer_play(s->mixer, sinew_clip_source(s->a), NULL);
    sinew_mixer_update(s->mixer, 0.3f);
    sinew_action b = sinew_mixer_crossfade_to(s->mixer, sinew_clip_source(s->b), 1, NULL);
    sinew_mixer_update(s->mixer, 0.4f);
    float before = x_of(s, 0);
    sinew_action c = sinew_mixer_crossfade_to(s->mixer, sinew_clip_source(s->c), 1, NULL);
    sinew_mixer_update(s->mixer, 0);
    check_near(x_of(s, 0), before, 1e-6);
    check_near(sinew_action_weight(s->mixer, a), 0.6, 1e-6);
    check_near(sinew_action_weight(s->mixer, b), 0.4, 1e-6);
    check_near(sinew_action_weight(s->mixer, c), 0, 0);
    sinew_mixer_update(s->mixer, 0.5f);
    check_near(sinew_action_weight(s->mixer, a), 0.3, 1e-6);
    check_near(sinew_action_weight(s->mixer, b), 0.2, 1e-6);
    check_near(sinew_action_weight(s->mixer, c), 0.5, 1e-6);

    // Requested again while it fades out, a continues from its time and weight.
    float time = sinew_action_time(s->mixer, a);
    sinew_action again = sinew_mixer_crossfade_to(s->mixer, sinew_clip_source(s->a), 1, NULL);
    assert_int_equal(again.id, a.id);
    check_near(sinew_action_time(s->mixer, a), time, 0);
    check_near(sinew_action_weight(s->mixer, a), 0.3, 1e-6);
    sinew_mixer_update(s->mixer, 0.5f);
    check_near(sinew_action_weight(s->mixer, a), 0.65, 1e-6);
    sinew_mixer_update(s->mixer, 0.6f);
    assert_false(sinew_action_is_active(s->mixer, b));
    assert_false(sinew_action_is_active(s->mixer, c));
    check_near(sinew_action_weight(s->mixer, a), 1, 0);
}

static void test_crossfade_between_two_actions_leaves_others_alone(void **state) {
    stage *s = *state;
    sinew_action a = sinew_mixer_play(s->mixer, sinew_clip_source(s->a), NULL);
    sinew_action c = sinew_mixer_play(s->mixer, sinew_clip_source(s->c), NULL);
    sinew_play_def def = sinew_play_default();
    def.weight = 0.5f;
    sinew_action b = sinew_mixer_play(s->mixer, sinew_clip_source(s->b), &def);
    sinew_action_set_weight(s->mixer, b, 0);
    sinew_action_fade_out(s->mixer, a, 1);
    sinew_action_fade_in(s->mixer, b, 1);
    sinew_mixer_advance(s->mixer, 0.5f);
    check_near(sinew_action_weight(s->mixer, a), 0.5, 1e-6);
    check_near(sinew_action_weight(s->mixer, b), 0.25, 1e-6); // to the weight that it was played with
    check_near(sinew_action_weight(s->mixer, c), 1, 0);
    sinew_mixer_advance(s->mixer, 0.6f);
    assert_false(sinew_action_is_active(s->mixer, a));
    check_near(sinew_action_weight(s->mixer, b), 0.5, 0);
}

// ---- Blending ------------------------------------------------------------------------------------------------

static void test_a_lone_action_is_its_clip_at_any_weight(void **state) {
    stage *s = *state; // only proportions matter
    sinew_action a = sinew_mixer_play(s->mixer, sinew_clip_source(s->a), NULL);
    sinew_pose *expected;
    assert_int_equal(sinew_pose_create(s->skeleton, NULL, &expected), SINEW_OK);
    const float weights[5] = {1, 0.1f, 1e-30f, 3, 1e-42f};
    for (int i = 0; i < 5; i++) {
        sinew_action_set_weight(s->mixer, a, weights[i]);
        sinew_mixer_update(s->mixer, 0.1f);
        sinew_clip_sample(s->a, sinew_action_time(s->mixer, a), expected);
        for (int32_t n = 0; n < 3; n++) {
            sinew_transform got = sinew_pose_get(sinew_mixer_pose(s->mixer), n), want = sinew_pose_get(expected, n);
            assert_memory_equal(&got, &want, sizeof got);
        }
    }
    sinew_pose_destroy(expected);
}

static void test_every_action_weighs_on_every_node(void **state) {
    // Pitfall 4. A clip that moves only rotation and one that moves only translation, at 1 : 3: each counts for
    // both, with the rest value where it has no channel. A sum per property would give the full 8 m and 1 rad.
    stage *s = *state;
    const float times[2] = {0, 1}, move[6] = {8, 0, 0, 8, 0, 0}, grow[6] = {3, 3, 3, 3, 3, 3};
    sinew_quat q = about_z(1);
    const float turn[8] = {q.x, q.y, q.z, q.w, q.x, q.y, q.z, q.w};
    const sinew_channel_def rotation = {0, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 2, times, turn};
    const sinew_channel_def others[2] = {{0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times, move},
                                         {0, SINEW_TARGET_SCALE, SINEW_INTERPOLATION_LINEAR, 2, times, grow}};
    sinew_clip *turns = make_clip(s->skeleton, "turns", &rotation, 1);
    sinew_clip *moves = make_clip(s->skeleton, "moves", others, 2);
    sinew_play_def def = sinew_play_default();
    def.weight = 0.25f;
    sinew_mixer_play(s->mixer, sinew_clip_source(turns), &def);
    def.weight = 0.75f;
    sinew_mixer_play(s->mixer, sinew_clip_source(moves), &def);
    sinew_mixer_update(s->mixer, 0.5f);
    sinew_transform t = sinew_pose_get(sinew_mixer_pose(s->mixer), 0);
    check_vec3(t.translation, 6, 0, 0, 1e-6);
    check_vec3(t.scale, 2.5, 2.5, 2.5, 1e-6);
    // A normalised sum of the identity (3 parts) and 1 rad about z (1 part): half angles as directions in a plane.
    double x = 0.75 + 0.25 * cos(0.5), y = 0.25 * sin(0.5);
    assert_true(angle_between(t.rotation, about_z(2 * atan2(y, x))) < 1e-6);
    sinew_mixer_stop_all(s->mixer);
    sinew_clip_destroy(turns);
    sinew_clip_destroy(moves);
}

static void test_a_fade_of_the_only_mover_is_smooth(void **state) {
    stage *s = *state; // pitfall 4: a total per property snaps when the one clip that has the channel ends
    sinew_action b = sinew_mixer_play(s->mixer, sinew_clip_source(s->b), NULL); // the only one that moves n1
    sinew_mixer_play(s->mixer, sinew_clip_source(s->a), NULL);
    sinew_action_set_time(s->mixer, b, 1);
    sinew_action_set_paused(s->mixer, b, true);
    sinew_mixer_update(s->mixer, 0);
    sinew_action_fade_out(s->mixer, b, 1);
    float before = x_of(s, 1);
    check_near(before, 2, 1e-6); // half of 4
    for (int i = 0; i < 130; i++) {
        sinew_mixer_update(s->mixer, 0.01f);
        assert_true(fabsf(x_of(s, 1) - before) < 0.05f); // 2 m in 100 steps, at most twice as steep somewhere
        before = x_of(s, 1);
    }
    check_near(before, 0, 1e-6);
}

// A rotation of at most 1 rad, so any two are on the same side; or any rotation.
static sinew_quat draw_rotation(uint64_t *random, bool is_small) {
    sinew_quat q = random_quat(random);
    if (!is_small) return q;
    float most = (float)sin(0.5);
    return sinew_quat_normalize((sinew_quat){q.x * most, q.y * most, q.z * most, 1});
}

static void fill_random_clip(uint64_t *random, const sinew_skeleton *skeleton, bool is_small, sinew_clip **clip) {
    const float times[2] = {0, 1};
    float values[3][14];
    sinew_channel_def channels[6];
    for (int n = 0; n < 3; n++) {
        for (int i = 0; i < 6; i++) values[n][i] = random_float(random, -1, 1);
        sinew_quat q = draw_rotation(random, is_small), r = draw_rotation(random, is_small);
        memcpy(&values[n][6], &q, sizeof q);
        memcpy(&values[n][10], &r, sizeof r);
        channels[(ptrdiff_t)2 * n] =
            (sinew_channel_def){n, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times, values[n]};
        channels[2 * n + 1] =
            (sinew_channel_def){n, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 2, times, values[n] + 6};
    }
    *clip = make_clip(skeleton, "", channels, 6);
}

static void check_same_pose(stage *s, const sinew_pose *expected) {
    for (int32_t n = 0; n < 3; n++) {
        sinew_transform got = sinew_pose_get(sinew_mixer_pose(s->mixer), n), want = sinew_pose_get(expected, n);
        assert_memory_equal(&got, &want, sizeof got);
    }
}

enum { RANDOM_CLIPS = 5 };

// Plays the clips from number `shift` on, at times and weights of their own, behind `skipped` slots that are free again,
// each followed by an action of weight 0.
static void play_random_clips(stage *s, sinew_clip *const *clips, int shift, int skipped) {
    const float weights[RANDOM_CLIPS] = {0.9f, 0.5f, 0.3f, 0.25f, 0.1f};
    sinew_action first[RANDOM_CLIPS];
    sinew_mixer_stop_all(s->mixer);
    for (int i = 0; i < skipped; i++) first[i] = sinew_mixer_play(s->mixer, sinew_clip_source(clips[i]), NULL);
    for (int i = 0; i < RANDOM_CLIPS; i++) {
        int k = (i + shift) % RANDOM_CLIPS;
        sinew_play_def def = sinew_play_default();
        def.weight = weights[k];
        def.time = 0.1f * (float)(k + 1);
        def.allow_duplicate = true;
        if (i < skipped) sinew_action_stop(s->mixer, first[i]);
        sinew_mixer_play(s->mixer, sinew_clip_source(clips[k]), &def);
        def.weight = 0;
        sinew_mixer_play(s->mixer, sinew_clip_source(clips[(k + 2) % RANDOM_CLIPS]), &def);
    }
    sinew_mixer_update(s->mixer, 0);
}

// Slots and actions with weight 0 change no bit. Neither does the order in which actions start, if their rotations
// are on one side. A rotation's side depends on those that play when it starts.
static void test_order_and_weightless_actions_change_no_bit(void **state) {
    stage *s = *state;
    uint64_t random = 17;
    sinew_pose *expected;
    assert_int_equal(sinew_pose_create(s->skeleton, NULL, &expected), SINEW_OK);
    for (int is_small = 0; is_small < 2; is_small++) {
        sinew_clip *clips[RANDOM_CLIPS];
        for (int i = 0; i < RANDOM_CLIPS; i++) fill_random_clip(&random, s->skeleton, is_small, &clips[i]);
        for (int shift = 0; shift < (is_small ? RANDOM_CLIPS : 1); shift++) {
            for (int skipped = 0; skipped < 3; skipped++) {
                play_random_clips(s, clips, shift, skipped);
                if (shift == 0 && skipped == 0) sinew_pose_copy(expected, sinew_mixer_pose(s->mixer));
                check_same_pose(s, expected);
            }
        }
        sinew_mixer_stop_all(s->mixer);
        for (int i = 0; i < RANDOM_CLIPS; i++) sinew_clip_destroy(clips[i]);
    }
    sinew_pose_destroy(expected);
}

static void test_nothing_playing_holds_the_last_pose(void **state) {
    stage *s = *state; // no flash of the bind pose
    sinew_action a = sinew_mixer_play(s->mixer, sinew_clip_source(s->a), NULL);
    sinew_mixer_update(s->mixer, 1);
    sinew_action_fade_out(s->mixer, a, 0.1f);
    for (int i = 0; i < 10; i++) {
        float before = x_of(s, 0);
        sinew_mixer_update(s->mixer, 0.02f);
        assert_true(x_of(s, 0) >= before && x_of(s, 0) < before + 0.11f);
    }
    assert_false(sinew_action_is_active(s->mixer, a));
    float held = x_of(s, 0);
    assert_true(held > 5);
    sinew_mixer_update(s->mixer, 1);
    assert_true(x_of(s, 0) == held);
    sinew_mixer_play(s->mixer, sinew_clip_source(s->c), NULL);
    sinew_mixer_stop_all(s->mixer);
    sinew_mixer_update(s->mixer, 1);
    assert_true(x_of(s, 0) == held);
}

static void test_underweight_can_be_filled_with_rest(void **state) {
    stage *s = *state;
    sinew_mixer_def def = stage_def(s);
    def.underweight = SINEW_UNDERWEIGHT_REST;
    remake_mixer(s, &def);
    sinew_action a = sinew_mixer_play(s->mixer, sinew_clip_source(s->a), NULL);
    sinew_action_set_time(s->mixer, a, 1.5f);
    const float weights[4] = {0.25f, 0.75f, 1, 2};
    const double expected[4] = {7.5 * 0.25, 7.5 * 0.75, 7.5, 7.5};
    for (int i = 0; i < 4; i++) {
        sinew_action_set_weight(s->mixer, a, weights[i]);
        sinew_mixer_update(s->mixer, 0);
        check_near(x_of(s, 0), expected[i], 1e-6);
        check_near(sinew_mixer_pose(s->mixer)->ty[1], 1, 1e-6); // the rest pose has it too
    }
}

static void test_rotations_blend_on_one_hemisphere(void **state) {
    stage *s = *state; // q and -q are the same rotation; summing them as they are would give nothing
    const float time = 0;
    sinew_quat q = about_x(0.4), r = about_x(0.8);
    const float plus[4] = {q.x, q.y, q.z, q.w}, minus[4] = {-r.x, -r.y, -r.z, -r.w};
    sinew_channel_def channel = {0, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 1, &time, plus};
    sinew_clip *a = make_clip(s->skeleton, "+", &channel, 1);
    channel.values = minus;
    sinew_clip *b = make_clip(s->skeleton, "-", &channel, 1);
    sinew_mixer_play(s->mixer, sinew_clip_source(a), NULL);
    sinew_mixer_play(s->mixer, sinew_clip_source(b), NULL);
    sinew_mixer_update(s->mixer, 0);
    assert_true(angle_between(sinew_pose_get(sinew_mixer_pose(s->mixer), 0).rotation, about_x(0.6)) < 1e-6);
    sinew_mixer_stop_all(s->mixer);
    sinew_clip_destroy(a);
    sinew_clip_destroy(b);
}

static void test_morph_weights_blend_too(void **state) {
    (void)state;
    sinew_node_def node = {.name = "face", .parent = -1, .rest = sinew_transform_identity(), .weight_count = 20};
    sinew_skeleton_def sdef = sinew_skeleton_default();
    sdef.node_count = 1;
    sdef.nodes = &node;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&sdef, &skeleton, NULL), SINEW_OK);
    float times[2] = {0, 1}, smile[40], frown[40];
    for (int i = 0; i < 20; i++) smile[i] = 0, smile[20 + i] = (float)i, frown[i] = frown[20 + i] = -1;
    sinew_channel_def channel = {0, SINEW_TARGET_WEIGHTS, SINEW_INTERPOLATION_LINEAR, 2, times, smile};
    sinew_clip *a = make_clip(skeleton, "smile", &channel, 1);
    channel.values = frown;
    sinew_clip *b = make_clip(skeleton, "frown", &channel, 1);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = skeleton;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    sinew_mixer_play(mixer, sinew_clip_source(a), NULL);
    sinew_play_def third = sinew_play_default();
    third.weight = 3;
    sinew_mixer_play(mixer, sinew_clip_source(b), &third);
    sinew_mixer_update(mixer, 0.5f);
    for (int i = 0; i < 20; i++) check_near(sinew_mixer_pose(mixer)->weights[i], 0.25 * 0.5 * i - 0.75, 1e-6);
    sinew_mixer_destroy(mixer);

    def.underweight = SINEW_UNDERWEIGHT_REST; // the rest pose's weights, all 0, fill up to 1
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    third.weight = 0.25f;
    sinew_mixer_play(mixer, sinew_clip_source(b), &third);
    sinew_mixer_update(mixer, 0);
    for (int i = 0; i < 20; i++) check_near(sinew_mixer_pose(mixer)->weights[i], -0.25, 1e-6);
    sinew_mixer_destroy(mixer);
    sinew_clip_destroy(a);
    sinew_clip_destroy(b);
    sinew_skeleton_destroy(skeleton);
}

// ---- Actions and handles -------------------------------------------------------------------------------------

static void test_one_action_per_clip_unless_asked(void **state) {
    stage *s = *state;
    sinew_action first = sinew_mixer_play(s->mixer, sinew_clip_source(s->a), NULL);
    sinew_mixer_update(s->mixer, 0.5f);
    sinew_action same = sinew_mixer_play(s->mixer, sinew_clip_source(s->a), NULL);
    assert_int_equal(first.id, same.id);
    check_near(sinew_action_time(s->mixer, same), 0.5, 1e-6); // it plays on
    sinew_play_def def = sinew_play_default();
    def.allow_duplicate = true;
    def.time = 1.25f;
    sinew_action other = sinew_mixer_play(s->mixer, sinew_clip_source(s->a), &def);
    assert_int_not_equal(first.id, other.id);
    check_near(sinew_action_time(s->mixer, first), 0.5, 1e-6);
    check_near(sinew_action_time(s->mixer, other), 1.25, 1e-6);
    assert_int_equal(sinew_mixer_find(s->mixer, sinew_clip_source(s->a), SINEW_ALL_LAYERS).id,
                     other.id); // the newest
    assert_int_equal(sinew_mixer_find(s->mixer, sinew_clip_source(s->b), SINEW_ALL_LAYERS).id, 0);
    sinew_action list[1];
    assert_int_equal(sinew_mixer_actions(s->mixer, list, 1), 2);
    assert_int_equal(list[0].id, first.id);
    assert_ptr_equal(sinew_action_get(s->mixer, first).clip, s->a);

    def = sinew_play_default(); // a finished one starts again
    def.loop = SINEW_LOOP_ONCE;
    sinew_action once = sinew_mixer_play(s->mixer, sinew_clip_source(s->b), &def);
    sinew_mixer_update(s->mixer, 5);
    assert_true(sinew_action_is_finished(s->mixer, once));
    assert_int_equal(sinew_mixer_play(s->mixer, sinew_clip_source(s->b), &def).id, once.id);
    assert_false(sinew_action_is_finished(s->mixer, once));
    check_near(sinew_action_time(s->mixer, once), 0, 0);
}

static void test_stale_handles_are_safe(void **state) {
    stage *s = *state;
    sinew_action old = sinew_mixer_play(s->mixer, sinew_clip_source(s->a), NULL);
    sinew_action_stop(s->mixer, old);
    sinew_action now = sinew_mixer_play(s->mixer, sinew_clip_source(s->b), NULL); // in the same slot
    assert_int_not_equal(old.id, now.id);
    const sinew_action strange[4] = {old, {0}, {0xffffffff}, {255}};
    for (int i = 0; i < 4; i++) {
        assert_false(sinew_action_is_active(s->mixer, strange[i]));
        const sinew_action_state got = sinew_action_get(s->mixer, strange[i]);
        assert_true(!got.paused && !got.finished);
        assert_false(sinew_action_is_finished(s->mixer, strange[i]));
        assert_true(!got.clip && !got.source.clip && !got.source.blend_space);
        assert_int_equal(got.layer, -1);
        check_near(sinew_action_time(s->mixer, strange[i]), 0, 0);
        assert_true(got.time == 0 && got.speed == 0 && got.weight == 0);
        assert_true(got.parameter.x == 0 && got.parameter.vx == 0);
        check_near(sinew_action_weight(s->mixer, strange[i]), 0, 0);
        assert_int_equal(got.loop, SINEW_LOOP_ONCE);
        assert_int_equal(got.loops_done, 0);
        sinew_action_set_weight(s->mixer, strange[i], 0);
        sinew_action_set_time(s->mixer, strange[i], 0.5f);
        sinew_action_set_speed(s->mixer, strange[i], 0);
        sinew_action_set_loop(s->mixer, strange[i], SINEW_LOOP_ONCE, 1);
        sinew_action_set_paused(s->mixer, strange[i], true);
        sinew_action_set_paused(s->mixer, strange[i], false);
        sinew_action_reset(s->mixer, strange[i]);
        sinew_action_fade_in(s->mixer, strange[i], 1);
        sinew_action_fade_out(s->mixer, strange[i], 1);
        sinew_action_stop(s->mixer, strange[i]);
    }
    sinew_mixer_update(s->mixer, 0.25f);
    check_near(sinew_action_weight(s->mixer, now), 1, 0);
    check_near(sinew_action_get(s->mixer, now).speed, 1, 0);
    check_near(sinew_action_time(s->mixer, now), 0.25, 1e-6);
}

static void test_full_slots_give_way_to_a_crossfade(void **state) {
    stage *s = *state;
    sinew_mixer_def def = stage_def(s);
    def.max_actions = 2;
    remake_mixer(s, &def);
    sinew_action a = sinew_mixer_play(s->mixer, sinew_clip_source(s->a), NULL);
    sinew_action b = sinew_mixer_play(s->mixer, sinew_clip_source(s->b), NULL);
    sinew_action_set_weight(s->mixer, b, 0.25f);
    sinew_action c = sinew_mixer_crossfade_to(s->mixer, sinew_clip_source(s->c), 1, NULL);
    assert_true(sinew_action_is_active(s->mixer, c));
    assert_true(sinew_action_is_active(s->mixer, a));
    assert_false(sinew_action_is_active(s->mixer, b)); // the weakest gave way
}

static void test_two_characters_share_the_clip_and_nothing_else(void **state) {
    stage *s = *state; // pitfall 17
    sinew_mixer_def def = stage_def(s);
    sinew_mixer *other;
    assert_int_equal(sinew_mixer_create(&def, &other, NULL), SINEW_OK);
    sinew_mixer_play(s->mixer, sinew_clip_source(s->a), NULL);
    sinew_play_def slow = sinew_play_default();
    slow.speed = 0.5f;
    slow.time = 1;
    sinew_action action = sinew_mixer_play(other, sinew_clip_source(s->a), &slow);
    for (int i = 0; i < 5; i++) {
        sinew_mixer_update(s->mixer, 0.1f);
        sinew_mixer_update(other, 0.1f);
    }
    check_near(x_of(s, 0), 2.5, 1e-5);
    check_near(sinew_mixer_pose(other)->tx[0], 6.25, 1e-5);
    sinew_action_stop(other, action);
    sinew_mixer_update(other, 1);
    sinew_mixer_update(s->mixer, 0.1f);
    check_near(x_of(s, 0), 3, 1e-5);
    sinew_mixer_destroy(other);
}

static void test_events_can_be_polled_and_answered(void **state) {
    stage *s = *state;
    sinew_action a = sinew_mixer_play(s->mixer, sinew_clip_source(s->a), NULL);
    sinew_action b = play(s, s->b, 1, SINEW_LOOP_ONCE, SINEW_FOREVER);
    sinew_mixer_advance(s->mixer, 4.5f);
    const sinew_events events = sinew_mixer_events(s->mixer);
    assert_int_equal(events.count, 3);
    const sinew_event expected[3] = {{.type = SINEW_EVENT_FINISHED, .action = b, .clip = s->b, .moment = 1},
                                     {.type = SINEW_EVENT_LOOPED, .action = a, .clip = s->a, .moment = 2},
                                     {.type = SINEW_EVENT_LOOPED, .action = a, .clip = s->a, .moment = 4}};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(events.items[i].type, expected[i].type);
        assert_int_equal(events.items[i].action.id, expected[i].action.id);
        assert_ptr_equal(events.items[i].clip, expected[i].clip);
        check_near(events.items[i].moment, expected[i].moment, 1e-6);
        check_near(events.items[i].weight, 1, 0);
    }
    sinew_mixer_advance(s->mixer, 0.1f);
    assert_int_equal(sinew_mixer_events(s->mixer).count, 0);
}

static sinew_mixer *answering;

static void play_next(const sinew_event *event, void *user) {
    if (event->type == SINEW_EVENT_FINISHED)
        sinew_mixer_crossfade_to(answering, sinew_clip_source(user), 0.5f, NULL);
}

static void test_a_callback_may_play_the_next_clip(void **state) {
    stage *s = *state;
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s->skeleton;
    def.on_event = play_next;
    def.user = s->c;
    remake_mixer(s, &def);
    answering = s->mixer;
    sinew_action b = play(s, s->b, 1, SINEW_LOOP_ONCE, SINEW_FOREVER);
    sinew_mixer_update(s->mixer, 1.1f);
    assert_int_not_equal(sinew_mixer_find(s->mixer, sinew_clip_source(s->c), SINEW_ALL_LAYERS).id, 0);
    assert_true(sinew_action_is_active(s->mixer, b));
    sinew_mixer_update(s->mixer, 0.6f);
    assert_false(sinew_action_is_active(s->mixer, b));
}

// ---- Steps and ranges ----------------------------------------------------------------------------------------

static void test_the_pose_may_be_edited_between_the_steps(void **state) {
    stage *s = *state;
    sinew_mixer_play(s->mixer, sinew_clip_source(s->a), NULL);
    sinew_mixer_advance(s->mixer, 1);
    sinew_mixer_evaluate(s->mixer);
    sinew_transform t = sinew_pose_get(sinew_mixer_pose(s->mixer), 1);
    t.translation.z = 7;
    sinew_pose_set(sinew_mixer_edit_pose(s->mixer), 1, t);
    sinew_mixer_to_model(s->mixer);
    const sinew_affine *model = sinew_mixer_model_matrices(s->mixer);
    check_near(model[2].m[0][3], 5, 1e-6);
    check_near(model[2].m[2][3], 7, 1e-6);
}

static void test_a_subtree_can_be_animated_alone(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(40);
    float times[2] = {0, 1}, values[6] = {0, 0, 0, 1, 0, 0};
    sinew_channel_def channels[40];
    for (int32_t i = 0; i < 40; i++) {
        channels[i] =
            (sinew_channel_def){i, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times, values};
    }
    sinew_clip *clip = make_clip(skeleton, "", channels, 40);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = skeleton;
    def.root = 21; // in the middle of a block
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    sinew_mixer_play(mixer, sinew_clip_source(clip), NULL);
    sinew_mixer_update(mixer, 0.5f);
    for (int32_t i = 0; i < 40; i++) {
        check_near(sinew_mixer_pose(mixer)->tx[i], i < 21 ? 0 : 0.5, 1e-6);
        check_near(sinew_mixer_model_matrices(mixer)[i].m[0][3], i < 21 ? 0 : 0.5 * (i - 20), 1e-4);
    }
    sinew_mixer_destroy(mixer);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

static void test_clips_with_more_timelines_than_hints(void **state) {
    (void)state;                       // the others fall back to a search, and give the same
    enum { NODES = 15 * SINEW_LANES }; // two timelines for each group, which has them in rows then
    sinew_skeleton *skeleton = make_chain(NODES);
    static float times[30][7], values[30][21];
    sinew_channel_def channels[30];
    uint64_t random = 8;
    for (int i = 0; i < 30; i++) {
        for (int k = 0; k < 7; k++) {
            times[i][k] = (k ? times[i][k - 1] : 0) + random_float(&random, 0.05f, 0.5f);
            values[i][(ptrdiff_t)3 * k] = random_float(&random, -1, 1);
        }
        int32_t node = i / 2 * SINEW_LANES + i % 2;
        channels[i] =
            (sinew_channel_def){node, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 7, times[i], values[i]};
    }
    sinew_clip *clip = make_clip(skeleton, "", channels, 30);
    assert_int_equal(clip->timeline_count, 30);
    sinew_pose *expected;
    assert_int_equal(sinew_pose_create(skeleton, NULL, &expected), SINEW_OK);
    const int32_t hints[3] = {0, 8, 255};
    for (int h = 0; h < 3; h++) {
        sinew_mixer_def def = sinew_mixer_default();
        def.skeleton = skeleton;
        def.hints_per_action = hints[h];
        sinew_mixer *mixer;
        assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
        sinew_action action = sinew_mixer_play(mixer, sinew_clip_source(clip), NULL);
        for (int i = 0; i < 100; i++) {
            sinew_action_set_speed(mixer, action, i % 7 ? 1.0f : -3.0f);
            sinew_mixer_update(mixer, 0.11f);
            sinew_clip_sample(clip, sinew_action_time(mixer, action), expected);
            for (int n = 0; n < NODES; n++) assert_true(sinew_mixer_pose(mixer)->tx[n] == expected->tx[n]);
        }
        sinew_mixer_destroy(mixer);
    }
    sinew_pose_destroy(expected);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

// ---- Memory --------------------------------------------------------------------------------------------------

static void test_definitions_out_of_range_are_refused(void **state) {
    stage *s = *state;
    sinew_mixer *mixer = (sinew_mixer *)(uintptr_t)1;
    sinew_mixer_def good = stage_def(s), def = good;
    def.skeleton = NULL;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_ERROR_ARGUMENT);
    assert_null(mixer);
    def = good, def.root = 3;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_ERROR_ARGUMENT);
    def = good, def.root = -2;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_ERROR_ARGUMENT);
    def = good, def.max_actions = 0;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_ERROR_ARGUMENT);
    def = good, def.max_actions = 256;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_ERROR_ARGUMENT);
    def = good, def.hints_per_action = -1;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_ERROR_ARGUMENT);
    counting c = {.fail_at = 1};
    def = good, def.allocator = counting_allocator(&c);
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_ERROR_OUT_OF_MEMORY);
    assert_null(mixer);
    sinew_mixer_destroy(NULL);
}

// A file without nodes also counts.
static void test_no_nodes_are_mixed_as_well(void **state) {
    (void)state;
    sinew_mixer_def def = sinew_mixer_default();
    sinew_skeleton *nothing = make_chain(0);
    def.skeleton = nothing;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    assert_true(sinew_mixer_update(mixer, 0.1f));
    assert_false(sinew_mixer_update(mixer, 0.1f));
    sinew_mixer_destroy(mixer);
    sinew_skeleton_destroy(nothing);
}

int main(void) {
#define with_stage(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        with_stage(test_a_clip_plays_and_goes_round),
        with_stage(test_a_large_step_spans_many_loops),
        with_stage(test_reversed_repeat_stays_inside),
        with_stage(test_once_holds_its_last_pose),
        with_stage(test_once_backward_ends_at_the_start),
        with_stage(test_repeat_a_number_of_times),
        with_stage(test_ping_pong_reflects),
        with_stage(test_ping_pong_ends_where_its_last_traversal_ends),
        with_stage(test_a_clip_of_no_duration_divides_nothing),
        with_stage(test_fewer_loops_than_there_were_end_at_the_next_end),
        with_stage(test_loops_agree_with_whole_numbers),
        with_stage(test_seek_pause_and_reset),
        with_stage(test_fades_are_linear_at_any_frame_rate),
        with_stage(test_a_new_fade_starts_from_the_weight_there_is),
        with_stage(test_crossfade_goes_from_one_to_the_other),
        with_stage(test_an_interrupted_crossfade_does_not_jump),
        with_stage(test_crossfade_between_two_actions_leaves_others_alone),
        with_stage(test_a_lone_action_is_its_clip_at_any_weight),
        with_stage(test_every_action_weighs_on_every_node),
        with_stage(test_a_fade_of_the_only_mover_is_smooth),
        with_stage(test_order_and_weightless_actions_change_no_bit),
        with_stage(test_nothing_playing_holds_the_last_pose),
        with_stage(test_underweight_can_be_filled_with_rest),
        with_stage(test_rotations_blend_on_one_hemisphere),
        cmocka_unit_test(test_morph_weights_blend_too),
        with_stage(test_one_action_per_clip_unless_asked),
        with_stage(test_stale_handles_are_safe),
        with_stage(test_full_slots_give_way_to_a_crossfade),
        with_stage(test_two_characters_share_the_clip_and_nothing_else),
        with_stage(test_events_can_be_polled_and_answered),
        with_stage(test_a_callback_may_play_the_next_clip),
        with_stage(test_the_pose_may_be_edited_between_the_steps),
        cmocka_unit_test(test_a_subtree_can_be_animated_alone),
        cmocka_unit_test(test_clips_with_more_timelines_than_hints),
        with_stage(test_definitions_out_of_range_are_refused),
        cmocka_unit_test(test_no_nodes_are_mixed_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
