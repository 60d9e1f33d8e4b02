// SPDX-License-Identifier: MIT
// Shares in a mixer: during a fade, an action's share of the pose changes evenly, whatever the weights are.
#include "support/mixer_stage.h"

static const double weights[5] = {0.05, 0.1, 0.4, 1, 2};

static sinew_action play(mixer_stage *s, int clip, double weight, double fade) {
    sinew_play_def def = sinew_play_default();
    def.weight = (float)weight;
    def.fade = (float)fade;
    return sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[clip]), &def);
}

// Plays in the layer above the base.
static sinew_action play_above(mixer_stage *s, int clip, double fade) {
    sinew_play_def def = sinew_play_default();
    def.layer = 1;
    def.fade = (float)fade;
    return sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[clip]), &def);
}

static sinew_action fade_on(mixer_stage *s, int32_t layer, int clip, double weight, double duration) {
    sinew_play_def def = sinew_play_default();
    def.weight = (float)weight;
    def.layer = layer;
    return sinew_mixer_crossfade_to(s->mixer, sinew_clip_source(s->clips[clip]), (float)duration, &def);
}

static void make(mixer_stage *s, int32_t slots, sinew_underweight underweight) {
    sinew_mixer_def def = stage_def(s);
    def.max_actions = slots;
    def.underweight = underweight;
    stage_remake(s, &def);
}

// The time of a clip that repeats.
static double time_of(int clip, double time) {
    return fmod(time, (double)stage_motions[clip].duration);
}

// ---- Weights -------------------------------------------------------------------------------------------------

// From one weight to another, in a base where weights are divided by their sum, the new clip is u of the pose.
static void check_even(mixer_stage *s, int32_t slots, double from, double to) {
    make(s, slots, SINEW_UNDERWEIGHT_NORMALIZE);
    play(s, STAGE_A, from, 0);
    sinew_mixer_update(s->mixer, 0.25f);
    sinew_action b = fade_on(s, 0, STAGE_B, to, 1);
    for (int i = 0; i <= 8; i++) {
        double u = i / 8.0, old = slots == 1 ? 0.25 : 0.25 + u; // an evicted pose is held
        sinew_mixer_update(s->mixer, i == 0 ? 0.0f : 0.125f);
        check_near(sinew_action_weight(s->mixer, b), to * u, 1e-6);
        check_shares(s, (shares){2, {{STAGE_A, old, 1 - u}, {STAGE_B, time_of(STAGE_B, u), u}}});
    }
    sinew_mixer_update(s->mixer, 0.125f);
    check_shares(s, (shares){1, {{STAGE_B, 0.125, 1}}});
}

static void test_a_fade_is_even_from_any_weight_to_any(void **state) {
    mixer_stage *s = *state;
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 5; k++) {
            check_even(s, 16, weights[i], weights[k]);
            check_even(s, 1, weights[i], weights[k]);
        }
    }
}

static void test_a_stopped_pose_is_left_evenly(void **state) {
    mixer_stage *s = *state;
    for (int i = 0; i < 5; i++) {
        make(s, 16, SINEW_UNDERWEIGHT_NORMALIZE);
        sinew_action a = play(s, STAGE_A, weights[i], 0);
        sinew_mixer_update(s->mixer, 0.25f);
        sinew_action_stop(s->mixer, a);
        play(s, STAGE_B, weights[4 - i], 1);
        for (int k = 1; k < 8; k++) {
            sinew_mixer_update(s->mixer, 0.125f);
            double u = k / 8.0;
            check_shares(s, (shares){2, {{STAGE_A, 0.25, 1 - u}, {STAGE_B, u, u}}});
        }
    }
}

// What a weight is with the rest pose for the remainder, or in a layer above others: at most the whole.
static double part_of(double weight) {
    return fmin(weight, 1);
}

static void check_even_over_rest(mixer_stage *s, double from, double to) {
    make(s, 16, SINEW_UNDERWEIGHT_REST);
    play(s, STAGE_A, from, 0);
    sinew_mixer_update(s->mixer, 0.25f);
    fade_on(s, 0, STAGE_B, to, 1);
    for (int i = 0; i <= 8; i++) {
        double u = i / 8.0, a = part_of(from) * (1 - u), b = part_of(to) * u;
        sinew_mixer_update(s->mixer, i == 0 ? 0.0f : 0.125f);
        check_shares(
            s, (shares){3, {{STAGE_A, 0.25 + u, a}, {STAGE_B, time_of(STAGE_B, u), b}, {REST_POSE, 0, 1 - a - b}}});
    }
}

// With one slot, the whole pose is held and fades out, including the rest pose's part.
static void check_even_from_held_with_rest(mixer_stage *s, double from, double to) {
    make(s, 1, SINEW_UNDERWEIGHT_REST);
    play(s, STAGE_A, from, 0);
    sinew_mixer_update(s->mixer, 0.25f);
    fade_on(s, 0, STAGE_B, to, 1);
    for (int i = 0; i <= 8; i++) {
        double u = i / 8.0, b = part_of(to) * u;
        sinew_mixer_update(s->mixer, i == 0 ? 0.0f : 0.125f);
        shares held = {2, {{STAGE_A, 0.25, part_of(from)}, {REST_POSE, 0, 1 - part_of(from)}}};
        for (int32_t n = 0; n < STAGE_NODES; n++) {
            const exact_node nodes[3] = {node_of_shares(&held, n), node_of_clip(STAGE_B, time_of(STAGE_B, u), n),
                                         node_at_rest(n)};
            const double parts[3] = {1 - u, b, u - b};
            check_shown(s->mixer, n, mean_of(nodes, parts, 3), SHARES_CLOSE);
        }
    }
}

static void test_a_fade_is_even_over_the_rest_pose(void **state) {
    mixer_stage *s = *state;
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 5; k++) {
            check_even_over_rest(s, weights[i], weights[k]);
            check_even_from_held_with_rest(s, weights[i], weights[k]);
        }
    }
}

// c in the base, and a fade from a to b in layer 1.
static void check_even_above(mixer_stage *s, double from, double to) {
    make(s, 16, SINEW_UNDERWEIGHT_NORMALIZE);
    play(s, STAGE_C, 3, 0);
    fade_on(s, 1, STAGE_A, from, 0);
    sinew_mixer_update(s->mixer, 0.25f);
    fade_on(s, 1, STAGE_B, to, 1);
    for (int i = 0; i <= 8; i++) {
        double u = i / 8.0, a = part_of(from) * (1 - u), b = part_of(to) * u;
        sinew_mixer_update(s->mixer, i == 0 ? 0.0f : 0.125f);
        shares upper = {2, {{STAGE_A, 0.25 + u, a}, {STAGE_B, time_of(STAGE_B, u), b}}};
        for (int32_t n = 0; n < STAGE_NODES; n++) {
            exact_node below = node_of_clip(STAGE_C, 0.25 + u, n), above = node_of_shares(&upper, n);
            check_shown(s->mixer, n, mean_of_two(below, 1 - a - b, above, a + b), SHARES_CLOSE);
        }
    }
}

static void test_a_fade_is_even_above_the_base(void **state) {
    mixer_stage *s = *state;
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 5; k++) {
            check_even_above(s, weights[i], weights[k]);
        }
    }
}

static void test_a_proportion_follows_the_curve_of_its_fade(void **state) {
    mixer_stage *s = *state;
    make(s, 16, SINEW_UNDERWEIGHT_NORMALIZE);
    play(s, STAGE_A, 2, 0);
    sinew_mixer_update(s->mixer, 0.25f);
    sinew_transition how = sinew_transition_default();
    how.duration = 1;
    how.easing = SINEW_EASING_SMOOTHSTEP;
    sinew_play_def def = sinew_play_default();
    def.weight = 0.1f;
    sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->clips[STAGE_B]), &how, &def);
    for (int i = 1; i < 8; i++) {
        sinew_mixer_update(s->mixer, 0.125f);
        double u = i / 8.0, eased = u * u * (3 - 2 * u);
        check_shares(s, (shares){2, {{STAGE_A, 0.25 + u, 1 - eased}, {STAGE_B, u, eased}}});
    }
}

// ---- Changes in the middle of a fade ---------------------------------------------------------------------------

static void start_fade(mixer_stage *s, sinew_underweight underweight) {
    make(s, 16, underweight);
    play(s, STAGE_A, 1, 0);
    sinew_mixer_update(s->mixer, 0.25f);
    fade_on(s, 0, STAGE_B, 1, 1);
    sinew_mixer_update(s->mixer, 0.5f);
}

// A weight set in the middle of a fade is its share immediately. The others keep their proportions and their fades.
static void test_a_weight_is_set_in_the_middle_of_a_fade(void **state) {
    mixer_stage *s = *state;
    start_fade(s, SINEW_UNDERWEIGHT_NORMALIZE);
    play(s, STAGE_C, 3, 0); // of 4
    for (int i = 0; i <= 4; i++) {
        sinew_mixer_update(s->mixer, i == 0 ? 0.0f : 0.125f);
        double v = i / 4.0, t = i / 8.0, a = 0.25 * 0.5 * (1 - v), b = 0.25 * (0.5 + 0.5 * v);
        check_shares(
            s, (shares){3, {{STAGE_C, t, 0.75}, {STAGE_A, 0.75 + t, a}, {STAGE_B, time_of(STAGE_B, 0.5 + t), b}}});
    }
    sinew_mixer_update(s->mixer, 0.125f);
    check_shares(s, (shares){2, {{STAGE_C, 0.625, 3}, {STAGE_B, 0.125, 1}}});
}

static void test_a_weight_of_the_fade_itself_is_set(void **state) {
    mixer_stage *s = *state;
    start_fade(s, SINEW_UNDERWEIGHT_NORMALIZE);
    sinew_action b = sinew_mixer_find(s->mixer, sinew_clip_source(s->clips[STAGE_B]), SINEW_ALL_LAYERS);
    sinew_action_set_weight(s->mixer, b,
                            2); // next to a, which counts by its weight of 0.5, and fades out from there
    for (int i = 0; i <= 4; i++) {
        sinew_mixer_update(s->mixer, i == 0 ? 0.0f : 0.125f);
        double v = i / 4.0, t = i / 8.0;
        check_near(sinew_action_weight(s->mixer, b), 2, 0);
        check_shares(
            s,
            (shares){2, {{STAGE_B, time_of(STAGE_B, 0.5 + t), 0.8 + 0.2 * v}, {STAGE_A, 0.75 + t, 0.2 * (1 - v)}}});
    }

    start_fade(s, SINEW_UNDERWEIGHT_NORMALIZE);
    b = sinew_mixer_find(s->mixer, sinew_clip_source(s->clips[STAGE_B]), SINEW_ALL_LAYERS);
    sinew_action_set_weight(s->mixer, b, 0); // a fades out alone: it is the pose until it ends
    for (int i = 0; i < 4; i++) {
        sinew_mixer_update(s->mixer, i == 0 ? 0.0f : 0.125f);
        check_shares(s, (shares){1, {{STAGE_A, 0.75 + i / 8.0, 1}}});
    }
}

static void test_a_weight_is_set_while_all_fade_out(void **state) {
    mixer_stage *s = *state;
    make(s, 16, SINEW_UNDERWEIGHT_NORMALIZE);
    sinew_action a = play(s, STAGE_A, 1, 0);
    sinew_mixer_update(s->mixer, 0.25f);
    sinew_action_fade_out(s->mixer, a, 1);
    sinew_mixer_update(s->mixer, 0.5f);
    play(s, STAGE_B, 0.5, 0); // as much as a now; all of it, evenly, within the half second in which a ends
    for (int i = 0; i <= 4; i++) {
        sinew_mixer_update(s->mixer, i == 0 ? 0.0f : 0.125f);
        double v = i / 4.0, t = i / 8.0;
        check_shares(s, (shares){2, {{STAGE_B, t, 0.5 + 0.5 * v}, {STAGE_A, 0.75 + t, 0.5 - 0.5 * v}}});
    }

    make(s, 16, SINEW_UNDERWEIGHT_NORMALIZE);
    a = play(s, STAGE_A, 0.25f, 0);
    sinew_action_fade_out(s->mixer, a, 1); // not begun when b is played: 1 to 3
    play(s, STAGE_B, 0.75f, 0);
    for (int i = 0; i < 4; i++) {
        sinew_mixer_update(s->mixer, i == 0 ? 0.0f : 0.25f);
        double v = i / 4.0;
        check_shares(s, (shares){2, {{STAGE_B, v, 0.75 + 0.25 * v}, {STAGE_A, v, 0.25 - 0.25 * v}}});
    }
}

// A hundredth of a second before the end of a fade-in another action is asked for, over a second.
static void test_the_end_of_a_fade_in_hurries_no_other_fade(void **state) {
    mixer_stage *s = *state;
    for (int rest = 0; rest < 2; rest++) {
        make(s, 16, rest ? SINEW_UNDERWEIGHT_REST : SINEW_UNDERWEIGHT_NORMALIZE);
        play(s, STAGE_C, 1, 0);
        sinew_mixer_update(s->mixer, 0.125f);
        fade_on(s, 0, STAGE_A, 1, 0.5);
        sinew_mixer_update(s->mixer, 0.4921875f); // 63/64 of it
        play(s, STAGE_B, 1, 1);
        for (int i = 0; i < 16; i++) {
            double t = i / 16.0, a = 63.0 / 64 + (0.5 - 63.0 / 64) * t, b = 0.5 * t;
            double c = fmax(0, 1.0 / 64 - 2 * t);
            sinew_mixer_update(s->mixer, i == 0 ? 0.0f : 0.0625f);
            check_shares(s, (shares){4,
                                     {{STAGE_A, 0.4921875 + t, a},
                                      {STAGE_B, t, b},
                                      {STAGE_C, 0.125 + 0.4921875 + t, c},
                                      {REST_POSE, 0, rest ? 1 - a - b - c : 0}}});
        }
    }
}

// An action stops a hundredth of a second before its fade-in ends. The other one gets the layer immediately. It must
// not take the rest of the fade-in: an arm turned 60 degrees in that time.
static void test_a_layer_that_loses_an_action_covers_at_once(void **state) {
    mixer_stage *s = *state;
    make(s, 16, SINEW_UNDERWEIGHT_NORMALIZE);
    play(s, STAGE_C, 1, 0);
    play_above(s, STAGE_A, 0);
    sinew_mixer_update(s->mixer, 0.125f);
    const sinew_action b = play_above(s, STAGE_B, 0.5);
    sinew_mixer_update(s->mixer, 0.4921875f);
    sinew_action_stop(s->mixer, b);
    for (int i = 0; i < 16; i++) {
        sinew_mixer_update(s->mixer, i == 0 ? 0.0f : 1.0f / 1024.0f);
        const double time = 0.125 + 0.4921875 + i / 1024.0;
        for (int32_t n = 0; n < STAGE_NODES; n++)
            check_shown(s->mixer, n, node_of_clip(STAGE_A, time, n), SHARES_CLOSE);
    }
}

// The same over a held pose: the action rises as the held pose falls.
static void test_the_end_of_a_fade_in_hurries_no_held_pose(void **state) {
    mixer_stage *s = *state;
    make(s, 16, SINEW_UNDERWEIGHT_NORMALIZE);
    sinew_play_def still = sinew_play_default();
    still.speed = 0.0f;
    still.time = 0.25f;
    sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), &still);
    sinew_mixer_update(s->mixer, 0.125f);
    sinew_transition transition = sinew_transition_default();
    transition.kind = SINEW_TRANSITION_DEAD_BLEND;
    transition.duration = 1.0f;
    transition.easing = SINEW_EASING_LINEAR;
    const sinew_action b =
        sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->clips[STAGE_B]), &transition, NULL);
    sinew_mixer_update(s->mixer, 0.25f);
    play(s, STAGE_C, 1, 0.5);
    sinew_mixer_update(s->mixer, 0.4921875f);
    sinew_action_stop(s->mixer, b);
    const double left = 1.0 - 0.25 - 0.4921875, c = 63.0 / 128, held = left / (left + c);
    for (int i = 0; i < 16; i++) {
        const double t = i / 64.0, falls = held * (1 - t / left);
        sinew_mixer_update(s->mixer, i == 0 ? 0.0f : 1.0f / 64.0f);
        check_shares(s, (shares){2, {{STAGE_C, 0.4921875 + t, 1 - falls}, {STAGE_A, 0.25, falls}}});
    }
}

static void test_a_layer_does_not_let_go_in_the_middle_of_two_fade_ins(void **state) {
    mixer_stage *s = *state;
    make(s, 16, SINEW_UNDERWEIGHT_NORMALIZE);
    play(s, STAGE_C, 1, 0);
    play_above(s, STAGE_A, 0.5);
    sinew_mixer_update(s->mixer, 0.4921875f);
    play_above(s, STAGE_B, 1);
    for (int i = 0; i < 16; i++) {
        double t = i / 16.0, a = 63.0 / 64 + (0.5 - 63.0 / 64) * t, b = 0.5 * t, time = 0.4921875 + t;
        sinew_mixer_update(s->mixer, i == 0 ? 0.0f : 0.0625f);
        shares upper = {2, {{STAGE_A, time, a}, {STAGE_B, t, b}}};
        for (int32_t n = 0; n < STAGE_NODES; n++) {
            exact_node above = node_of_shares(&upper, n);
            check_shown(s->mixer, n, mean_of_two(above, a + b, node_of_clip(STAGE_C, time, n), 1 - a - b),
                        SHARES_CLOSE);
        }
    }
}

// ---- The end of everything -----------------------------------------------------------------------------------

// Three of 0.2, 1 and 2 fade out in 0.5, 1 and 1.5 seconds. The place of those that end first goes to the last.
static void test_actions_that_fade_out_at_different_times(void **state) {
    mixer_stage *s = *state;
    for (int order = 0; order < 2; order++) {
        make(s, 16, SINEW_UNDERWEIGHT_NORMALIZE);
        sinew_action a = play(s, STAGE_A, 0.2, 0), b = play(s, STAGE_C, 1, 0), c = play(s, STAGE_D, 2, 0);
        sinew_mixer_update(s->mixer, 0.25f);
        if (order == 0) sinew_action_fade_out(s->mixer, a, 0.5f);
        sinew_action_fade_out(s->mixer, order == 0 ? b : c, order == 0 ? 1 : 1.5f);
        sinew_action_fade_out(s->mixer, order == 0 ? c : b, order == 0 ? 1.5f : 1);
        if (order == 1) sinew_action_fade_out(s->mixer, a, 0.5f);
        for (int i = 0; i < 24; i++) {
            sinew_mixer_update(s->mixer, i == 0 ? 0.0f : 0.0625f);
            double t = i / 16.0, time = 0.25 + t;
            check_shares(s, (shares){3,
                                     {{STAGE_A, time, 0.0625 * fmax(0, 1 - 2 * t)},
                                      {STAGE_C, time, 0.3125 * fmax(0, 1 - t)},
                                      {STAGE_D, time, 0.625 + 0.375 * fmin(1, t)}}});
        }
        sinew_mixer_update(s->mixer, 0.125f); // the pose at the end of the last fade is held
        assert_int_equal(sinew_mixer_actions(s->mixer, NULL, 0), 0);
        check_shares(s, (shares){1, {{STAGE_D, 1.75, 1}}});
    }
}

// ---- Steps and snapshots -------------------------------------------------------------------------------------

static void test_steps_of_no_time_move_no_proportion(void **state) {
    mixer_stage *s = *state;
    start_fade(s, SINEW_UNDERWEIGHT_NORMALIZE);
    for (int i = 0; i < 3; i++) {
        sinew_mixer_update(s->mixer, 0);
        check_shares(s, (shares){2, {{STAGE_A, 0.75, 0.5}, {STAGE_B, 0.5, 0.5}}});
    }
    play(s, STAGE_C, 0.1, 1); // 1/11 of the pose in the end
    for (int i = 0; i < 3; i++) {
        sinew_mixer_update(s->mixer, 0);
        check_shares(s, (shares){2, {{STAGE_A, 0.75, 0.5}, {STAGE_B, 0.5, 0.5}}});
    }
    sinew_mixer_update(s->mixer, 0.25f);
    double b = 0.5 + (10.0 / 11 - 0.5) * 0.5; // rises with what a, which ends in half a second, and c leave
    check_near(sinew_action_weight(
                   s->mixer, sinew_mixer_find(s->mixer, sinew_clip_source(s->clips[STAGE_C]), SINEW_ALL_LAYERS)),
               0.025, 1e-7);
    check_shares(s, (shares){3, {{STAGE_A, 1, 0.25}, {STAGE_B, 0.75, b}, {STAGE_C, 0.25, 0.5 / 11}}});
}

// Calls of one frame, with evaluations between them or without: the state is the same.
static void test_evaluations_between_calls_change_nothing(void **state) {
    mixer_stage *s = *state;
    uint64_t hashes[2];
    for (int evaluates = 0; evaluates < 2; evaluates++) {
        make(s, 16, SINEW_UNDERWEIGHT_NORMALIZE);
        sinew_action a = play(s, STAGE_A, 1, 0), b = play(s, STAGE_B, 0.5, 0);
        sinew_mixer_advance(s->mixer, 0.25f);
        sinew_mixer_evaluate(s->mixer);
        sinew_action_fade_to(s->mixer, a, 0.5f, 0.25f);
        if (evaluates) sinew_mixer_evaluate(s->mixer);
        play(s, STAGE_C, 1, 1);
        if (evaluates) sinew_mixer_evaluate(s->mixer);
        sinew_action_fade_out(s->mixer, b, 0.5f);
        if (evaluates) sinew_mixer_evaluate(s->mixer);
        sinew_mixer_advance(s->mixer, 0.0625f);
        hashes[evaluates] = sinew_mixer_hash(s->mixer);
    }
    assert_true(hashes[0] == hashes[1]);
}

static void test_a_snapshot_in_the_middle_of_a_fade(void **state) {
    mixer_stage *s = *state;
    for (int rest = 0; rest < 2; rest++) {
        start_fade(s, rest ? SINEW_UNDERWEIGHT_REST : SINEW_UNDERWEIGHT_NORMALIZE);
        play(s, STAGE_C, 0.1, 1);
        sinew_action_fade_to(s->mixer,
                             sinew_mixer_find(s->mixer, sinew_clip_source(s->clips[STAGE_B]), SINEW_ALL_LAYERS),
                             0.3f, 0.7f);
        sinew_mixer_update(s->mixer, 0.125f);
        sinew_mixer_def def = stage_def(s);
        def.underweight = rest ? SINEW_UNDERWEIGHT_REST : SINEW_UNDERWEIGHT_NORMALIZE;
        sinew_mixer *other;
        assert_int_equal(sinew_mixer_create(&def, &other, NULL), SINEW_OK);
        size_t size = sinew_mixer_snapshot_size(s->mixer);
        void *memory = malloc(size);
        sinew_mixer_save(s->mixer, memory);
        assert_true(sinew_mixer_restore(other, memory, size));
        free(memory);
        for (int i = 0; i < 90; i++) {
            assert_true(sinew_mixer_hash(other) == sinew_mixer_hash(s->mixer));
            sinew_mixer_update(s->mixer, 1.0f / 60);
            sinew_mixer_update(other, 1.0f / 60);
            check_mixer_bits(s, s->mixer, other);
        }
        sinew_mixer_destroy(other);
    }
}

int main(void) {
#define on_stage(test) cmocka_unit_test_setup_teardown(test, stage_set_up, stage_tear_down)
    const struct CMUnitTest tests[] = {
        on_stage(test_a_fade_is_even_from_any_weight_to_any),
        on_stage(test_a_stopped_pose_is_left_evenly),
        on_stage(test_a_fade_is_even_over_the_rest_pose),
        on_stage(test_a_fade_is_even_above_the_base),
        on_stage(test_a_proportion_follows_the_curve_of_its_fade),
        on_stage(test_a_weight_is_set_in_the_middle_of_a_fade),
        on_stage(test_a_weight_of_the_fade_itself_is_set),
        on_stage(test_a_weight_is_set_while_all_fade_out),
        on_stage(test_the_end_of_a_fade_in_hurries_no_other_fade),
        on_stage(test_a_layer_that_loses_an_action_covers_at_once),
        on_stage(test_the_end_of_a_fade_in_hurries_no_held_pose),
        on_stage(test_a_layer_does_not_let_go_in_the_middle_of_two_fade_ins),
        on_stage(test_actions_that_fade_out_at_different_times),
        on_stage(test_steps_of_no_time_move_no_proportion),
        on_stage(test_evaluations_between_calls_change_nothing),
        on_stage(test_a_snapshot_in_the_middle_of_a_fade),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
