// SPDX-License-Identifier: MIT
// The mixer's fades: easings, interruptions, held poses, no free slots, and matched rates.
#include "support/mixer_stage.h"

static sinew_action play(mixer_stage *s, int clip, float weight, float fade) {
    sinew_play_def def = sinew_play_default();
    def.weight = weight;
    def.fade = fade;
    return sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[clip]), &def);
}

static sinew_action crossfade(mixer_stage *s, int clip, float duration) {
    return sinew_mixer_crossfade_to(s->mixer, sinew_clip_source(s->clips[clip]), duration, NULL);
}

// ---- Curves --------------------------------------------------------------------------------------------------

enum { SQUARE = SINEW_EASING_USER, ROOT_LIKE = SINEW_EASING_USER + 3 };

static double bent(int easing, double u) {
    if (easing == SINEW_EASING_SMOOTHSTEP) return 3 * u * u - 2 * u * u * u;
    if (easing == SQUARE) return u * u;
    return easing == ROOT_LIKE ? 2 * u - u * u : u;
}

static int easings_asked;

// The caller's easings 0 and 3; others are a fault.
static float own_easing(int32_t number, float u, void *user) {
    assert_ptr_equal(user, &easings_asked);
    assert_true(number == 0 || number == 3);
    assert_true(u >= 0.0f && u <= 1.0f);
    easings_asked++;
    return number == 0 ? u * u : u * (2.0f - u);
}

static void with_own_easings(mixer_stage *s) {
    sinew_mixer_def def = stage_def(s);
    def.easing = own_easing;
    def.user = &easings_asked;
    stage_remake(s, &def);
}

static const int easings[4] = {SINEW_EASING_LINEAR, SINEW_EASING_SMOOTHSTEP, SQUARE, ROOT_LIKE};

static void test_a_fade_goes_by_its_easing_at_any_frame_rate(void **state) {
    mixer_stage *s = *state;
    with_own_easings(s);
    const int frames[3] = {5, 48, 240};
    for (int c = 0; c < 4; c++) {
        for (int f = 0; f < 3; f++) {
            sinew_play_def def = sinew_play_default();
            def.easing = (sinew_easing)easings[c];
            def.weight = 0.8f;
            def.fade = 2;
            sinew_mixer_stop_all(s->mixer);
            sinew_action a = sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), &def);
            for (int i = 1; i <= frames[f]; i++) {
                sinew_mixer_advance(s->mixer, 2.0f / (float)frames[f]);
                double u = (double)i / frames[f];
                check_near(sinew_action_weight(s->mixer, a), 0.8 * bent(easings[c], u), 1e-6);
            }
            sinew_mixer_advance(s->mixer, 0.01f); // whatever 2 / 48 rounds to
            check_near(sinew_action_weight(s->mixer, a), 0.8f, 0);
        }
    }
    assert_true(easings_asked > 0);
}

static void test_without_a_function_the_callers_easings_are_linear(void **state) {
    mixer_stage *s = *state;
    sinew_play_def def = sinew_play_default();
    def.easing = (sinew_easing)SQUARE;
    def.fade = 1;
    sinew_action a = sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), &def);
    sinew_mixer_advance(s->mixer, 0.25f);
    check_near(sinew_action_weight(s->mixer, a), 0.25, 1e-7);
}

static void test_a_transition_has_its_own_easing_and_the_action_keeps_its_own(void **state) {
    mixer_stage *s = *state;
    with_own_easings(s);
    sinew_play_def def = sinew_play_default();
    def.easing = (sinew_easing)ROOT_LIKE;
    sinew_transition how = sinew_transition_default();
    how.duration = 1;
    how.easing = SINEW_EASING_SMOOTHSTEP;
    sinew_action a = sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), NULL);
    sinew_mixer_update(s->mixer, 0.25f);
    sinew_action b = sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->clips[STAGE_B]), &how, &def);
    sinew_mixer_update(s->mixer, 0.25f);
    check_near(sinew_action_weight(s->mixer, b), 0.15625, 1e-7); // 3/16 - 2/64
    check_near(sinew_action_weight(s->mixer, a), 0.84375, 1e-7);
    sinew_mixer_update(s->mixer, 0.75f);
    sinew_action_fade_to(s->mixer, b, 0.5f, 1);
    sinew_mixer_update(s->mixer, 0.25f);
    check_near(sinew_action_weight(s->mixer, b), 1 - 0.5 * 0.4375, 1e-7); // 2/4 - 1/16

    sinew_action c =
        sinew_mixer_crossfade_to(s->mixer, sinew_clip_source(s->clips[STAGE_C]), 1, &def); // the def's easing
    sinew_mixer_update(s->mixer, 0.5f);
    check_near(sinew_action_weight(s->mixer, c), 0.75, 1e-7);
}

// ---- Interruptions -------------------------------------------------------------------------------------------

static void test_whatever_interrupts_a_fade_starts_from_the_weights_there_are(void **state) {
    mixer_stage *s = *state;
    with_own_easings(s);
    const double moments[4] = {0.0, 0.125, 0.5, 0.875};
    for (int first = 0; first < 4; first++) {
        for (int m = 0; m < 4; m++) {
            for (int second = 0; second < 4; second++) {
                sinew_mixer_stop_all(s->mixer);
                sinew_transition how = sinew_transition_default();
                how.duration = 1;
                how.easing = (sinew_easing)easings[first];
                sinew_action a = play(s, STAGE_A, 1, 0);
                sinew_mixer_update(s->mixer, 0.25f);
                sinew_action b =
                    sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->clips[STAGE_B]), &how, NULL);
                sinew_mixer_update(s->mixer, (float)moments[m]);
                exact_node before = node_shown(s->mixer, 7);
                double w = bent(easings[first], moments[m]);
                how.easing = (sinew_easing)easings[second];
                how.duration = 0.5f;
                sinew_action c =
                    sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->clips[STAGE_C]), &how, NULL);
                sinew_mixer_update(s->mixer, 0);
                check_shown(s->mixer, 7, before, 1e-6);
                for (int i = 1; i < 4; i++) {
                    sinew_mixer_update(s->mixer, 0.125f);
                    double v = bent(easings[second], i / 4.0);
                    check_near(sinew_action_weight(s->mixer, a), (1 - w) * (1 - v), 1e-6);
                    check_near(sinew_action_weight(s->mixer, b), w * (1 - v), 1e-6);
                    check_near(sinew_action_weight(s->mixer, c), v, 1e-6);
                    double t = 0.125 * i, time_b = moments[m] + t;
                    check_shares(s, (shares){3,
                                             {{STAGE_A, 0.25 + moments[m] + t, (1 - w) * (1 - v)},
                                              {STAGE_B, time_b < 1 ? time_b : time_b - 1, w * (1 - v)},
                                              {STAGE_C, t, v}}});
                }
                sinew_mixer_update(s->mixer, 0.125f);
                assert_false(sinew_action_is_active(s->mixer, a));
                assert_false(sinew_action_is_active(s->mixer, b));
            }
        }
    }
}

static void test_of_two_fades_the_later_one_wins(void **state) {
    mixer_stage *s = *state;
    sinew_action a = play(s, STAGE_A, 1, 0);
    sinew_action_fade_to(s->mixer, a, 0.5f, 1);
    sinew_action_fade_to(s->mixer, a, 0.25f, 2); // right after the other
    sinew_mixer_update(s->mixer, 1);
    check_near(sinew_action_weight(s->mixer, a), 0.625, 1e-7);
    sinew_action_fade_to(s->mixer, a, 1, 0.5f); // from where that stands
    sinew_mixer_update(s->mixer, 0.25f);
    check_near(sinew_action_weight(s->mixer, a), 0.8125, 1e-7);

    sinew_action_fade_out(s->mixer, a, 0.125f);
    sinew_action_fade_to(s->mixer, a, 0, 0.125f); // also to 0, and it keeps playing
    sinew_mixer_update(s->mixer, 1);
    assert_true(sinew_action_is_active(s->mixer, a));
    sinew_action_fade_in(s->mixer, a, 1);
    sinew_action_fade_out(s->mixer, a, 2);
    sinew_mixer_update(s->mixer, 3);
    assert_false(sinew_action_is_active(s->mixer, a));
}

static void test_fades_of_no_length_are_at_once(void **state) {
    mixer_stage *s = *state;
    sinew_pose *alone;
    assert_int_equal(sinew_pose_create(s->skeleton, NULL, &alone), SINEW_OK);
    const float lengths[2] = {0, -1};
    for (int i = 0; i < 2; i++) {
        sinew_action a = play(s, STAGE_A, 1, 0), b = play(s, STAGE_B, 1, 0);
        sinew_mixer_update(s->mixer, 0.25f);
        sinew_action c = crossfade(s, STAGE_C, lengths[i]);
        assert_false(sinew_action_is_active(s->mixer, a));
        assert_false(sinew_action_is_active(s->mixer, b));
        check_near(sinew_action_weight(s->mixer, c), 1, 0);
        sinew_mixer_update(s->mixer, 0.5f);
        sinew_clip_sample(s->clips[STAGE_C], 0.5f, alone); // contains nothing of a held pose
        check_pose_bits(sinew_mixer_pose(s->mixer), alone);
        sinew_action_fade_out(s->mixer, c, lengths[i]);
        assert_false(sinew_action_is_active(s->mixer, c));
        sinew_mixer_update(s->mixer, 0.5f);
        check_pose_bits(sinew_mixer_pose(s->mixer), alone); // held
    }
    sinew_pose_destroy(alone);
}

static void test_a_crossfade_is_of_its_layer_alone(void **state) {
    mixer_stage *s = *state;
    sinew_play_def above = sinew_play_default();
    above.layer = 1;
    sinew_action a = play(s, STAGE_A, 1, 0);
    sinew_action b = sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_B]), &above);
    sinew_mixer_update(s->mixer, 0.125f);
    sinew_action a_above = sinew_mixer_crossfade_to(s->mixer, sinew_clip_source(s->clips[STAGE_A]), 0.5f, &above);
    assert_int_not_equal(a_above.id, a.id); // of one clip there is one action in each layer
    sinew_mixer_update(s->mixer, 0.25f);
    check_near(sinew_action_weight(s->mixer, a), 1, 0);
    check_near(sinew_action_weight(s->mixer, b), 0.5, 1e-7);
    crossfade(s, STAGE_C, 0.5f);
    sinew_mixer_update(s->mixer, 0.125f);
    check_near(sinew_action_weight(s->mixer, a), 0.75, 1e-7);
    check_near(sinew_action_weight(s->mixer, a_above), 0.75, 1e-7);
    sinew_mixer_update(s->mixer, 0.5f);
    assert_false(sinew_action_is_active(s->mixer, a));
    check_near(sinew_action_weight(s->mixer, a_above), 1, 0);
}

// ---- Held poses ----------------------------------------------------------------------------------------------

static void test_a_fade_in_from_nothing_starts_from_the_held_pose(void **state) {
    mixer_stage *s = *state;
    for (int way = 0; way < 4; way++) {
        sinew_action a = play(s, STAGE_A, 0.3f, 0);
        sinew_action_set_time(s->mixer, a, 0.5f);
        sinew_mixer_update(s->mixer, 0.25f);
        if (way == 0) sinew_action_stop(s->mixer, a);
        if (way == 1) sinew_mixer_stop_all(s->mixer);
        if (way == 2) sinew_action_set_weight(s->mixer, a, 0);
        if (way == 3) sinew_action_fade_out(s->mixer, a, 0);
        sinew_mixer_update(s->mixer, 0.5f);
        check_shares(s, (shares){1, {{STAGE_A, 0.75, 1}}});
        play(s, STAGE_B, 0.5f, 1);
        sinew_mixer_update(s->mixer, 0);
        check_shares(s, (shares){1, {{STAGE_A, 0.75, 1}}});
        for (int i = 1; i < 8; i++) {
            sinew_mixer_update(s->mixer, 0.125f);
            double u = i / 8.0;
            check_near(
                sinew_action_weight(
                    s->mixer, sinew_mixer_find(s->mixer, sinew_clip_source(s->clips[STAGE_B]), SINEW_ALL_LAYERS)),
                0.5 * u, 1e-7);
            check_shares(s, (shares){2, {{STAGE_B, u, u}, {STAGE_A, 0.75, 1 - u}}});
        }
        sinew_mixer_update(s->mixer, 0.25f);
        check_shares(s, (shares){1, {{STAGE_B, 0.125, 1}}});
        sinew_mixer_stop_all(s->mixer);
    }
}

static void test_a_fresh_mixer_shows_its_first_clip_at_once(void **state) {
    mixer_stage *s = *state; // nor of the rest pose, although it fades in
    for (int way = 0; way < 4; way++) {
        sinew_mixer_def def = stage_def(s);
        stage_remake(s, &def);
        if (way == 0) play(s, STAGE_A, 1, 1);
        if (way == 1) crossfade(s, STAGE_A, 1);
        if (way == 2) {
            sinew_transition how = sinew_transition_default();
            how.kind = SINEW_TRANSITION_DEAD_BLEND;
            how.duration = 1;
            sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->clips[STAGE_A]), &how, NULL);
        }
        if (way == 3) play(s, STAGE_A, 0.25f, 1);
        for (int i = 0; i <= 4; i++) {
            sinew_mixer_update(s->mixer, i == 0 ? 0 : 0.0625f); // the first frame of a program often takes no time
            check_shares(s, (shares){1, {{STAGE_A, 0.0625 * i, 1}}});
        }
    }
}

// A quarter each of a and b are half of the pose each; with c, of weight 1, they are 1/6 each, and c is 2/3.
static void test_a_fade_in_moves_proportions_evenly(void **state) {
    mixer_stage *s = *state;
    play(s, STAGE_A, 0.25f, 0);
    play(s, STAGE_B, 0.25f, 0);
    sinew_mixer_update(s->mixer, 0.25f);
    play(s, STAGE_C, 1, 1);
    sinew_mixer_update(s->mixer, 0);
    check_shares(s, (shares){2, {{STAGE_A, 0.25, 1}, {STAGE_B, 0.25, 1}}});
    for (int i = 1; i < 4; i++) {
        sinew_mixer_update(s->mixer, 0.125f);
        double t = 0.125 * i, old = 0.5 + (1.0 / 6 - 0.5) * t;
        check_shares(s,
                     (shares){3, {{STAGE_A, 0.25 + t, old}, {STAGE_B, 0.25 + t, old}, {STAGE_C, t, 2.0 / 3 * t}}});
    }
    sinew_mixer_update(s->mixer, 0.75f); // b: 0.25 + 1.125 is 0.375 of its second round
    check_shares(s, (shares){3, {{STAGE_C, 1.125, 1}, {STAGE_A, 1.375, 0.25}, {STAGE_B, 0.375, 0.25}}});
}

// a is held, and half of it has faded out for b, when c starts to fade in. The held pose keeps its fade; b, which would
// have become the whole pose in a quarter of a second, goes to 1/6 in c's second.
static void test_a_held_pose_keeps_its_fade(void **state) {
    mixer_stage *s = *state;
    sinew_action a = play(s, STAGE_A, 1, 0);
    sinew_mixer_update(s->mixer, 0.5f);
    sinew_action_stop(s->mixer, a);
    sinew_action b = play(s, STAGE_B, 0.2f, 0.5f);
    sinew_mixer_update(s->mixer, 0.25f);
    check_shares(s, (shares){2, {{STAGE_A, 0.5, 0.5}, {STAGE_B, 0.25, 0.5}}});
    play(s, STAGE_C, 1, 1);
    sinew_mixer_update(s->mixer, 0);
    check_shares(s, (shares){2, {{STAGE_A, 0.5, 0.5}, {STAGE_B, 0.25, 0.5}}});
    for (int i = 1; i <= 5; i++) {
        sinew_mixer_update(s->mixer, 0.125f);
        double t = 0.125 * i, held = fmax(0, 0.5 - 2 * t);
        check_shares(s, (shares){3,
                                 {{STAGE_A, 0.5, held},
                                  {STAGE_B, 0.25 + t, 0.5 + (1.0 / 6 - 0.5) * t},
                                  {STAGE_C, t, 5.0 / 6 * t}}});
    }
    check_near(sinew_action_weight(s->mixer, b), 0.2, 1e-7);
}

static void test_a_lone_action_is_not_held_back_by_its_weight(void **state) {
    mixer_stage *s = *state;
    sinew_action a = play(s, STAGE_A, 0.1f, 0);
    sinew_mixer_update(s->mixer, 0.25f);
    sinew_action_fade_to(s->mixer, a, 1, 1); // the pose is the clip, whatever the weight
    for (int i = 1; i < 4; i++) {
        sinew_mixer_update(s->mixer, 0.25f);
        check_shares(s, (shares){1, {{STAGE_A, 0.25 + 0.25 * i, 1}}});
    }
}

static void test_what_was_never_seen_is_not_held(void **state) {
    mixer_stage *s = *state;
    for (int way = 0; way < 4; way++) {
        sinew_action a = play(s, STAGE_A, 1, 0);
        sinew_action_set_time(s->mixer, a, 0);
        sinew_mixer_update(s->mixer, 0.5f);
        sinew_action b = play(s, STAGE_B, 2, 0); // immediately, but no frame shows it
        if (way == 0) sinew_mixer_stop_all(s->mixer);
        if (way > 0) sinew_action_stop(s->mixer, way == 1 ? b : a);
        if (way > 0) sinew_action_stop(s->mixer, way == 1 ? a : b);
        if (way == 3) play(s, STAGE_C, 1, 0);
        if (way == 3)
            sinew_action_stop(s->mixer,
                              sinew_mixer_find(s->mixer, sinew_clip_source(s->clips[STAGE_C]), SINEW_ALL_LAYERS));
        sinew_mixer_update(s->mixer, 0.25f);
        assert_int_equal(sinew_mixer_actions(s->mixer, NULL, 0), 0);
        check_shares(s, (shares){1, {{STAGE_A, 0.5, 1}}});
    }
}

static void test_of_several_that_stop_in_one_frame_the_last_is_held(void **state) {
    mixer_stage *s = *state; // stopping one beside others is a hard cut
    sinew_action a = play(s, STAGE_A, 1, 0), b = play(s, STAGE_B, 1, 0), c = play(s, STAGE_C, 1, 0);
    sinew_mixer_update(s->mixer, 0.5f);
    sinew_action_stop(s->mixer, c);
    sinew_action_stop(s->mixer, a);
    sinew_action_stop(s->mixer, b);
    sinew_mixer_update(s->mixer, 0.125f);
    check_shares(s, (shares){1, {{STAGE_B, 0.5, 1}}});

    play(s, STAGE_A, 1, 0);
    play(s, STAGE_C, 3, 0);
    sinew_mixer_update(s->mixer, 0.25f);
    sinew_mixer_stop_all(s->mixer); // all together: their mean
    sinew_mixer_update(s->mixer, 0.125f);
    check_shares(s, (shares){2, {{STAGE_C, 0.25, 0.75}, {STAGE_A, 0.25, 0.25}}});
}

static void test_all_that_fades_out_in_one_step_leaves_the_last_pose(void **state) {
    mixer_stage *s = *state;
    sinew_action a = play(s, STAGE_A, 1, 0), b = play(s, STAGE_B, 3, 0);
    sinew_mixer_update(s->mixer, 0.5f);
    sinew_action_fade_out(s->mixer, a, 0.125f);
    sinew_action_fade_out(s->mixer, b, 0.25f);
    sinew_mixer_update(s->mixer, 0.5f);
    assert_int_equal(sinew_mixer_actions(s->mixer, NULL, 0), 0);
    check_shares(s, (shares){1, {{STAGE_B, 0.75, 1}}});
}

// ---- The rest pose for what is missing -----------------------------------------------------------------------

static void test_the_rest_pose_fills_up_through_fades(void **state) {
    mixer_stage *s = *state;
    sinew_mixer_def def = stage_def(s);
    def.underweight = SINEW_UNDERWEIGHT_REST;
    stage_remake(s, &def);
    play(s, STAGE_A, 1, 1);
    for (int i = 1; i < 4; i++) { // from nothing: from the rest pose
        sinew_mixer_update(s->mixer, 0.25f);
        check_shares(s, (shares){2, {{STAGE_A, 0.25 * i, 0.25 * i}, {REST_POSE, 0, 1 - 0.25 * i}}});
    }
    sinew_action b = play(s, STAGE_B, 0.5f, 1);
    const double moments[3] = {0.125, 0.625, 1}; // the weights are 1 and 0.5 then: divided by 1.5
    for (int i = 0; i < 3; i++) {
        double t = moments[i], to_a = 0.75 + (1 / 1.5 - 0.75) * t, to_b = 0.5 / 1.5 * t;
        sinew_mixer_update(s->mixer, (float)(t - (i > 0 ? moments[i - 1] : 0)));
        double time_a = fmod(0.75 + t, 2), time_b = fmod(t, 1);
        check_shares(
            s, (shares){3, {{STAGE_A, time_a, to_a}, {REST_POSE, 0, 1 - to_a - to_b}, {STAGE_B, time_b, to_b}}});
    }
    sinew_action_stop(s->mixer, sinew_mixer_find(s->mixer, sinew_clip_source(s->clips[STAGE_A]), SINEW_ALL_LAYERS));
    sinew_action_set_weight(s->mixer, b, 0.25f);
    sinew_mixer_update(s->mixer, 0);
    check_shares(s, (shares){2, {{REST_POSE, 0, 0.75}, {STAGE_B, 0, 0.25}}});
}

static void test_what_fades_out_into_the_rest_pose_gets_there(void **state) {
    mixer_stage *s = *state; // at any frame rate
    sinew_mixer_def def = stage_def(s);
    def.underweight = SINEW_UNDERWEIGHT_REST;
    const float steps[3] = {0.0625f, 0.25f, 1};
    for (int i = 0; i < 3; i++) {
        stage_remake(s, &def);
        sinew_action a = play(s, STAGE_A, 1, 0);
        sinew_mixer_update(s->mixer, 0.25f);
        sinew_action_fade_out(s->mixer, a, 0.75f);
        float t = 0;
        while (t < 1) sinew_mixer_update(s->mixer, steps[i]), t += steps[i];
        check_shares(s, (shares){1, {{REST_POSE, 0, 1}}});
        play(s, STAGE_B, 1, 0.5f); // and from there it fades in
        sinew_mixer_update(s->mixer, 0.25f);
        check_shares(s, (shares){2, {{REST_POSE, 0, 0.5}, {STAGE_B, 0.25, 0.5}}});
    }
}

// ---- Full mixers ---------------------------------------------------------------------------------------------

static void of_two_slots(mixer_stage *s) {
    sinew_mixer_def def = stage_def(s);
    def.max_actions = 2;
    stage_remake(s, &def);
}

static void test_with_all_slots_taken_nothing_jumps(void **state) {
    mixer_stage *s = *state;
    of_two_slots(s);
    sinew_action a = play(s, STAGE_A, 1, 0);
    sinew_mixer_update(s->mixer, 0.25f);
    sinew_action b = crossfade(s, STAGE_B, 1);
    sinew_mixer_update(s->mixer, 0.25f);
    check_shares(s, (shares){2, {{STAGE_A, 0.5, 0.75}, {STAGE_B, 0.25, 0.25}}});

    // A third: both fade out, and b is the weaker one.
    sinew_action c = crossfade(s, STAGE_C, 1);
    assert_true(sinew_action_is_active(s->mixer, a));
    assert_false(sinew_action_is_active(s->mixer, b));
    sinew_mixer_update(s->mixer, 0);
    check_shares(s, (shares){2, {{STAGE_A, 0.5, 0.75}, {STAGE_B, 0.25, 0.25}}});
    sinew_mixer_update(s->mixer, 0.25f);

    // A fourth: c is the weaker one now.
    exact_node before[STAGE_NODES];
    for (int32_t n = 0; n < STAGE_NODES; n++) before[n] = node_shown(s->mixer, n);
    crossfade(s, STAGE_D, 0.5f);
    assert_false(sinew_action_is_active(s->mixer, c));
    sinew_mixer_update(s->mixer, 0);
    for (int32_t n = 0; n < STAGE_NODES; n++) check_shown(s->mixer, n, before[n], 1e-5);
    sinew_mixer_update(s->mixer, 0.5f);
    check_shares(s, (shares){1, {{STAGE_D, 0.5, 1}}});
    assert_int_equal(sinew_mixer_actions(s->mixer, NULL, 0), 1);
}

static void test_what_fades_out_makes_room_before_what_is_weaker(void **state) {
    mixer_stage *s = *state;
    of_two_slots(s);
    sinew_action a = play(s, STAGE_A, 1, 0), b = play(s, STAGE_B, 0.25f, 0);
    sinew_mixer_update(s->mixer, 0.25f);
    sinew_action_fade_out(s->mixer, a, 1);
    sinew_mixer_update(s->mixer, 0.5f); // a goes from 0.8 of the pose to nothing, b from 0.2 to all: half of that
    check_shares(s, (shares){2, {{STAGE_A, 0.75, 0.4}, {STAGE_B, 0.75, 0.6}}});
    play(s, STAGE_C, 1, 0); // a cut
    assert_false(sinew_action_is_active(s->mixer, a));
    assert_true(sinew_action_is_active(s->mixer, b));
    sinew_mixer_update(s->mixer, 0.375f);
    check_shares(s, (shares){2, {{STAGE_C, 0.375, 1}, {STAGE_B, 0.125, 0.25}}});
}

// ---- The same clip again -------------------------------------------------------------------------------------

// A clip that is asked for again from its start, by a transition or by playing it with a fade: the old action fades out
// where it is, the new one fades in from the start.
static void test_a_clip_that_starts_again_fades_from_itself(void **state) {
    mixer_stage *s = *state;
    for (int way = 0; way < 4; way++) {
        sinew_mixer_def mixer_def = stage_def(s);
        stage_remake(s, &mixer_def);
        sinew_action old = sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_C]), NULL);
        for (int i = 0; i < 4; i++) sinew_mixer_update(s->mixer, 0.25f);
        sinew_play_def def = sinew_play_default();
        def.fade = 0.5f;
        def.restart = way < 2;
        if (way >= 2) def.time = 0;
        sinew_transition how = sinew_transition_default();
        how.duration = 0.5f;
        sinew_action new =
            way % 2 == 0 ? sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->clips[STAGE_C]), &how, &def)
                         : sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_C]), &def);
        assert_true(new.id != old.id);
        for (int i = 0; i <= 8; i++) {
            double t = i / 16.0;
            exact_node then = node_of_clip(STAGE_C, 1.0 + t, 5), now = node_of_clip(STAGE_C, t, 5);
            check_shown(s->mixer, 5, mean_of_two(then, 1 - i / 8.0, now, i / 8.0), 2e-5);
            sinew_mixer_update(s->mixer, 0.0625f);
        }
        assert_false(sinew_action_is_active(s->mixer, old));
        assert_int_equal(sinew_mixer_actions(s->mixer, NULL, 0), 1);
    }
}

// ONCE starts over if it fades out or has finished. REPEAT continues if it fades out.
static void test_what_starts_again_and_what_goes_on(void **state) {
    mixer_stage *s = *state;
    for (int finished = 0; finished < 2; finished++) {
        for (int loop = SINEW_LOOP_ONCE; loop <= SINEW_LOOP_REPEAT; loop++) {
            sinew_mixer_def mixer_def = stage_def(s);
            stage_remake(s, &mixer_def);
            sinew_play_def def = sinew_play_default();
            def.loop = (sinew_loop)loop;
            def.loop_count = 1;
            def.fade = 0.25f;
            sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), NULL);
            sinew_action old = sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_B]), &def);
            sinew_mixer_update(s->mixer, finished ? 1.5f : 0.5f);
            if (!finished) sinew_action_fade_out(s->mixer, old, 0.5f);
            sinew_mixer_update(s->mixer, 0.25f);
            sinew_action new = sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_B]), &def);
            bool again = finished || loop == SINEW_LOOP_ONCE;
            assert_true((new.id != old.id) == again);
            check_near(sinew_action_time(s->mixer, new), again ? 0.0 : 0.75, 0);
            check_near(sinew_action_weight(s->mixer, new), again ? 0.0 : 0.5, 1e-6);
            check_near(sinew_action_weight(s->mixer, old), finished ? 1.0 : 0.5, 1e-6);
            sinew_mixer_update(s->mixer, 0.5f);
            check_near(sinew_action_weight(s->mixer, new), 1.0, 0);
            assert_true(sinew_action_is_active(s->mixer, old) == !again);
        }
    }
}

// Without a fade, and by transitions that clear the layer, the same action starts again.
static void test_without_a_fade_the_same_action_starts_again(void **state) {
    mixer_stage *s = *state;
    for (int way = 0; way < 4; way++) {
        sinew_mixer_def mixer_def = stage_def(s);
        stage_remake(s, &mixer_def);
        sinew_action old = sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), NULL);
        sinew_mixer_update(s->mixer, s->clips[STAGE_A]->duration + 0.5f);
        assert_int_equal(sinew_action_get(s->mixer, old).loops_done, 1);
        sinew_play_def def = sinew_play_default();
        def.restart = true;
        sinew_transition how = sinew_transition_default();
        how.kind = (sinew_transition_kind)way;
        how.duration = way == 0 ? 0.0f : 0.25f;
        exact_node before = node_shown(s->mixer, 5);
        sinew_action new =
            way < 3 ? sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->clips[STAGE_A]), &how, &def)
                    : sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), &def);
        assert_int_equal(new.id, old.id);
        check_near(sinew_action_time(s->mixer, new), 0, 0);
        assert_int_equal(sinew_action_get(s->mixer, new).loops_done, 0);
        sinew_mixer_update(s->mixer, 0);
        bool is_cut = way == 0 || way == 3;
        check_shown(s->mixer, 5, is_cut ? node_of_clip(STAGE_A, 0, 5) : before, 1e-5);
    }
}

// A member of a sync group starts again in place, and takes the others along.
static void test_a_member_of_a_group_takes_the_group_to_its_start(void **state) {
    mixer_stage *s = *state;
    sinew_play_def def = sinew_play_default();
    def.sync = 1;
    sinew_action a = sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), &def);
    sinew_action b = sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_B]), &def);
    sinew_mixer_update(s->mixer, 0.3f);
    def.restart = true;
    def.fade = 0.25f;
    assert_int_equal(sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), &def).id, a.id);
    check_near(sinew_action_time(s->mixer, a), 0, 0);
    check_near(sinew_action_time(s->mixer, b), 0, 0);
}

// If every slot is in use, the new action takes the old one's slot. That is held and fades out.
static void test_a_clip_starts_again_where_every_slot_is_in_use(void **state) {
    mixer_stage *s = *state;
    sinew_mixer_def mixer_def = stage_def(s);
    mixer_def.max_actions = 1;
    stage_remake(s, &mixer_def);
    sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_C]), NULL);
    sinew_mixer_update(s->mixer, 1);
    sinew_play_def def = sinew_play_default();
    def.restart = true;
    def.fade = 0.5f;
    exact_node held = node_of_clip(STAGE_C, 1, 5);
    assert_true(sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_C]), &def).id != 0);
    sinew_mixer_update(s->mixer, 0.25f);
    check_shown(s->mixer, 5, mean_of_two(held, 0.5, node_of_clip(STAGE_C, 0.25, 5), 0.5), 2e-5);
}

// Of as many slots as there can be.
static void test_an_action_in_the_last_slot_fades_out(void **state) {
    mixer_stage *s = *state;
    sinew_mixer_def mixer_def = stage_def(s);
    mixer_def.max_actions = SINEW_MAX_ACTIONS;
    stage_remake(s, &mixer_def);
    sinew_play_def def = sinew_play_default();
    def.restart = true;
    def.fade = 1;
    sinew_action last = {0};
    for (int i = 0; i < SINEW_MAX_ACTIONS; i++)
        last = sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_C]), &def);
    assert_int_equal(sinew_mixer_actions(s->mixer, NULL, 0), SINEW_MAX_ACTIONS);
    sinew_action_fade_out(s->mixer, last, 0.5f);
    sinew_mixer_update(s->mixer, 0.75f);
    assert_false(sinew_action_is_active(s->mixer, last));
}

// ---- Subtrees ------------------------------------------------------------------------------------------------

static void test_what_a_subtree_mixer_leaves_out_keeps_its_bits(void **state) {
    mixer_stage *s = *state;
    const int32_t roots[3] = {1, 5, 17}; // the face is in or out, and the tail in another block
    for (int r = 0; r < 3; r++) {
        sinew_mixer_def def = stage_def(s);
        def.root = roots[r];
        def.max_actions = 2;
        stage_remake(s, &def);
        sinew_pose *pose = sinew_mixer_edit_pose(s->mixer), *before;
        for (int32_t n = 0; n < roots[r]; n++)
            pose->tx[n] = 7.5f + (float)n, pose->rz[n] = 0.6f, pose->rw[n] = 0.8f;
        if (roots[r] > STAGE_FACE) pose->weights[1] = 0.375f;
        assert_int_equal(sinew_pose_create(s->skeleton, NULL, &before), SINEW_OK);
        sinew_pose_copy(before, pose);
        const sinew_transition_kind kinds[6] = {SINEW_TRANSITION_FADE,        SINEW_TRANSITION_INERTIALIZE,
                                                SINEW_TRANSITION_DEAD_BLEND,  SINEW_TRANSITION_FADE,
                                                SINEW_TRANSITION_INERTIALIZE, SINEW_TRANSITION_FADE};
        for (int i = 0; i < 30; i++) {
            sinew_transition how = sinew_transition_default();
            how.kind = kinds[i % 6];
            how.duration = 0.5f;
            if (i % 5 == 4) sinew_mixer_stop_all(s->mixer);
            sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->clips[i % STAGE_CLIPS]), &how, NULL);
            for (int k = 0; k < 3; k++) {
                sinew_mixer_update(s->mixer, 0.0625f);
                const sinew_pose *now = sinew_mixer_pose(s->mixer);
                for (int32_t n = 0; n < roots[r]; n++) {
                    sinew_transform is = sinew_pose_get(now, n), was = sinew_pose_get(before, n);
                    assert_memory_equal(&is, &was, sizeof is);
                }
                if (roots[r] > STAGE_FACE) assert_memory_equal(now->weights, before->weights, 3 * sizeof(float));
                assert_true(fabsf(now->tx[roots[r]] - (float)roots[r] / 8) < 12); // and the rest moves
                assert_true(now->tx[roots[r]] != before->tx[roots[r]]);
            }
        }
        sinew_pose_destroy(before);
    }
}

// ---- Speeds brought together ---------------------------------------------------------------------------------

static sinew_action warp_to(mixer_stage *s, int clip, float duration, float speed) {
    sinew_transition how = sinew_transition_default();
    how.duration = duration;
    how.match_rate = true;
    sinew_play_def def = sinew_play_default();
    def.speed = speed;
    return sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->clips[clip]), &how, &def);
}

static double rounds_of(mixer_stage *s, sinew_action action) {
    double duration = sinew_action_get(s->mixer, action).clip->duration;
    return sinew_action_get(s->mixer, action).loops_done + sinew_action_time(s->mixer, action) / duration;
}

// a, 2 s long at speed 1, makes 0.5 rounds a second, and b, 1 s long at speed 3, makes 3. Over 2 s the one's 0.5 goes to
// the other's 3 in a straight line: after t seconds that was 0.5 t + 2.5 t² / 4 rounds, of both.
static void test_warped_clips_go_round_together_at_any_frame_rate(void **state) {
    mixer_stage *s = *state;
    const double frames[4] = {2, 7, 60, 1000};
    for (int f = 0; f < 4; f++) {
        sinew_mixer_stop_all(s->mixer);
        sinew_action a = play(s, STAGE_A, 1, 0);
        sinew_mixer_update(s->mixer, 0.5f); // 0.25 of a round
        sinew_action b = warp_to(s, STAGE_B, 2, 3);
        float dt = (float)(2 / frames[f]);
        double t = 0;
        for (int i = 1; i < (int)frames[f]; i++) {
            sinew_mixer_update(s->mixer, dt);
            t += dt;
            double rounds = 0.5 * t + 2.5 * t * t / 4;
            check_near(rounds_of(s, a), 0.25 + rounds, 1e-5);
            check_near(rounds_of(s, b), rounds, 1e-5);
        }
        check_near(sinew_action_get(s->mixer, b).speed, 3, 0); // what was asked for is not touched
        sinew_mixer_update(s->mixer, 2.5f - (float)t); // over the end, and half a second more at its own speed
        assert_false(sinew_action_is_active(s->mixer, a));
        check_near(rounds_of(s, b), 0.5 * 2 + 2.5 + 3 * 0.5, 1e-5);
    }
}

static void test_what_comes_back_gets_its_speed_back(void **state) {
    mixer_stage *s = *state;
    sinew_action a = play(s, STAGE_A, 1, 0);
    sinew_mixer_update(s->mixer, 0.5f);
    sinew_action b = warp_to(s, STAGE_B, 2, 3);
    sinew_mixer_update(s->mixer, 1); // half: 1.75 rounds a second, and 1.125 rounds were made
    check_near(rounds_of(s, b), 1.125, 1e-6);
    assert_int_equal(warp_to(s, STAGE_A, 1, 1).id, a.id);
    for (int i = 1; i < 8; i++) { // from 1.75 to a's own 0.5, both
        sinew_mixer_update(s->mixer, 0.125f);
        double t = 0.125 * i, rounds = 1.75 * t - 1.25 * t * t / 2;
        check_near(rounds_of(s, a), 0.25 + 1.125 + rounds, 1e-5);
        check_near(rounds_of(s, b), 1.125 + rounds, 1e-5);
    }
    sinew_mixer_update(s->mixer, 1.125f); // the last eighth, and a second at 0.5
    assert_false(sinew_action_is_active(s->mixer, b));
    check_near(rounds_of(s, a), 0.25 + 1.125 + (1.75 + 0.5) / 2 + 0.5, 1e-5);
}

static void test_a_third_clip_is_warped_from_the_speed_that_there_is(void **state) {
    mixer_stage *s = *state;
    sinew_action a = play(s, STAGE_A, 1, 0);
    sinew_mixer_update(s->mixer, 0.5f);
    sinew_action b = warp_to(s, STAGE_B, 2, 3);
    sinew_mixer_update(s->mixer, 1);
    sinew_action c = warp_to(s, STAGE_C, 1, 1); // 1/3 of a round a second in the end
    sinew_mixer_update(s->mixer, 0.5f);
    double rounds = 1.75 * 0.5 + (1.0 / 3 - 1.75) * 0.125; // ... t² / 2
    check_near(rounds_of(s, a), 0.25 + 1.125 + rounds, 1e-5);
    check_near(rounds_of(s, b), 1.125 + rounds, 1e-5);
    check_near(rounds_of(s, c), rounds, 1e-5);
    sinew_mixer_update(s->mixer, 1.5f);
    check_near(rounds_of(s, c), (1.75 + 1.0 / 3) / 2 + 1.0 / 3, 1e-5);
}

static void test_without_a_warp_each_keeps_its_speed(void **state) {
    mixer_stage *s = *state;
    sinew_action a = play(s, STAGE_A, 1, 0);
    sinew_mixer_update(s->mixer, 0.5f);
    sinew_action b = crossfade(s, STAGE_B, 1);
    sinew_mixer_update(s->mixer, 0.5f);
    check_near(rounds_of(s, a), 0.5, 1e-6);
    check_near(rounds_of(s, b), 0.5, 1e-6);
}

static void test_what_stands_is_not_warped(void **state) {
    mixer_stage *s = *state; // no factor makes it move
    sinew_action a = play(s, STAGE_A, 1, 0);
    sinew_mixer_update(s->mixer, 0.5f);
    sinew_action_set_paused(s->mixer, a, true);
    sinew_action b = warp_to(s, STAGE_B, 1, 1);
    sinew_mixer_update(s->mixer, 0.5f);
    check_near(sinew_action_time(s->mixer, a), 0.5, 0);
    check_near(sinew_action_time(s->mixer, b), 0.5, 1e-6);
    sinew_action c = warp_to(s, STAGE_C, 1, 0); // and this one comes standing
    sinew_mixer_update(s->mixer, 0.25f);
    check_near(sinew_action_time(s->mixer, c), 0, 0);
    check_near(sinew_action_time(s->mixer, b), 0.75, 1e-6);
}

int main(void) {
#define on_stage(test) cmocka_unit_test_setup_teardown(test, stage_set_up, stage_tear_down)
    const struct CMUnitTest tests[] = {
        on_stage(test_a_fade_goes_by_its_easing_at_any_frame_rate),
        on_stage(test_without_a_function_the_callers_easings_are_linear),
        on_stage(test_a_transition_has_its_own_easing_and_the_action_keeps_its_own),
        on_stage(test_whatever_interrupts_a_fade_starts_from_the_weights_there_are),
        on_stage(test_of_two_fades_the_later_one_wins),
        on_stage(test_fades_of_no_length_are_at_once),
        on_stage(test_a_crossfade_is_of_its_layer_alone),
        on_stage(test_a_fade_in_from_nothing_starts_from_the_held_pose),
        on_stage(test_a_fresh_mixer_shows_its_first_clip_at_once),
        on_stage(test_a_fade_in_moves_proportions_evenly),
        on_stage(test_a_held_pose_keeps_its_fade),
        on_stage(test_a_lone_action_is_not_held_back_by_its_weight),
        on_stage(test_what_was_never_seen_is_not_held),
        on_stage(test_of_several_that_stop_in_one_frame_the_last_is_held),
        on_stage(test_all_that_fades_out_in_one_step_leaves_the_last_pose),
        on_stage(test_the_rest_pose_fills_up_through_fades),
        on_stage(test_what_fades_out_into_the_rest_pose_gets_there),
        on_stage(test_with_all_slots_taken_nothing_jumps),
        on_stage(test_what_fades_out_makes_room_before_what_is_weaker),
        on_stage(test_a_clip_that_starts_again_fades_from_itself),
        on_stage(test_what_starts_again_and_what_goes_on),
        on_stage(test_without_a_fade_the_same_action_starts_again),
        on_stage(test_a_member_of_a_group_takes_the_group_to_its_start),
        on_stage(test_a_clip_starts_again_where_every_slot_is_in_use),
        on_stage(test_an_action_in_the_last_slot_fades_out),
        on_stage(test_what_a_subtree_mixer_leaves_out_keeps_its_bits),
        on_stage(test_warped_clips_go_round_together_at_any_frame_rate),
        on_stage(test_what_comes_back_gets_its_speed_back),
        on_stage(test_a_third_clip_is_warped_from_the_speed_that_there_is),
        on_stage(test_without_a_warp_each_keeps_its_speed),
        on_stage(test_what_stands_is_not_warped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
