// SPDX-License-Identifier: MIT
// Several requests between two steps: each keeps its duration, the current velocity is kept once, and nothing shows
// that was never shown.
#include "support/mixer_stage.h"

static sinew_action play(mixer_stage *s, int clip, double weight, double fade) {
    sinew_play_def def = sinew_play_default();
    def.weight = (float)weight;
    def.fade = (float)fade;
    return sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[clip]), &def);
}

static sinew_action transition(mixer_stage *s, int clip, sinew_transition_kind kind, double weight,
                               double duration) {
    sinew_transition how = sinew_transition_default();
    how.kind = kind;
    how.duration = (float)duration;
    sinew_play_def def = sinew_play_default();
    def.weight = (float)weight;
    return sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->clips[clip]), &how, &def);
}

static void make(mixer_stage *s, int32_t slots) {
    sinew_mixer_def def = stage_def(s);
    def.max_actions = slots;
    stage_remake(s, &def);
    play(s, STAGE_A, 1, 0);
    sinew_mixer_update(s->mixer, 0.25f);
}

static void read_shown(mixer_stage *s, exact_node *nodes) {
    for (int32_t n = 0; n < STAGE_NODES; n++) nodes[n] = node_shown(s->mixer, n);
}

// The largest movement of a node in a step, with the morph weights' left out: an inertialization keeps their range only.
static double movement_in(mixer_stage *s, double seconds) {
    exact_node before[STAGE_NODES];
    double largest = 0.0;
    read_shown(s, before);
    sinew_mixer_update(s->mixer, (float)seconds);
    for (int32_t n = 0; n < STAGE_NODES; n++) {
        exact_node now = node_shown(s->mixer, n);
        now.smile = before[n].smile;
        largest = fmax(largest, gap_between(&before[n], &now));
    }
    return largest;
}

// ---- Fades ---------------------------------------------------------------------------------------------------

// A third each in the end: B after 1/8 s, C after 1 s; A takes as long as the longest.
static void test_two_fades_keep_their_durations(void **state) {
    mixer_stage *s = *state;
    for (int order = 0; order < 2; order++) {
        make(s, 16);
        play(s, order ? STAGE_C : STAGE_B, 1, order ? 1 : 0.125);
        play(s, order ? STAGE_B : STAGE_C, 1, order ? 0.125 : 1);
        for (int i = 1; i <= 8; i++) {
            double u = i / 8.0, b = 1 / 3.0, c = u / 3, a = 1 - 2 * u / 3, sum = a + b + c;
            sinew_mixer_update(s->mixer, 0.125f);
            check_shares(
                s,
                (shares){3, {{STAGE_A, 0.25 + u, a / sum}, {STAGE_B, fmod(u, 1), b / sum}, {STAGE_C, u, c / sum}}});
        }
    }
}

// Before a fade-out takes effect, an inertialization sets the weight of the action that it continues; the fade-in of
// another then moves its proportion evenly.
static void test_a_weight_that_is_set_after_a_fade_was_asked_for(void **state) {
    mixer_stage *s = *state;
    make(s, 16);
    sinew_action a = sinew_mixer_find(s->mixer, sinew_clip_source(s->clips[STAGE_A]), SINEW_ALL_LAYERS);
    sinew_action_fade_out(s->mixer, a, 0.3f);
    transition(s, STAGE_A, SINEW_TRANSITION_INERTIALIZE, 0.01, 0.5);
    play(s, STAGE_B, 1, 0.25);
    exact_node from = node_shown(s->mixer, 0), to = node_of_clip(STAGE_B, 0, 0);
    double whole = gap_between(&from, &to);
    assert_true(whole > 0.5);
    for (int i = 0; i < 8; i++) assert_true(movement_in(s, 1.0 / 64) < 0.25 * whole);
}

// ---- Inertialization and dead blending -----------------------------------------------------------------------

// The offsets of an inertialization are a part of the pose that a dead blend lets go of. What is left is the rounding of a
// velocity.
static void test_a_dead_blend_takes_the_offsets_along(void **state) {
    mixer_stage *s = *state;
    for (int wait = 0; wait < 2; wait++) {
        make(s, 16);
        transition(s, STAGE_B, SINEW_TRANSITION_INERTIALIZE, 1, wait ? 2 : 0.5);
        if (wait) sinew_mixer_update(s->mixer, 0.0625f);
        transition(s, STAGE_C, SINEW_TRANSITION_DEAD_BLEND, 1, 0.25);
        assert_true(movement_in(s, 0) < 1e-5);
        assert_true(movement_in(s, 1.0 / 1024) < 0.01);
        sinew_mixer_update(s->mixer, (float)(0.5 - 1.0 / 1024));
        for (int32_t n = 0; n < STAGE_NODES; n++) check_shown(s->mixer, n, node_of_clip(STAGE_C, 0.5, n), 4e-5);
    }
}

// Also under a layer that adds nothing: what it changes is rounding.
static void test_a_layer_that_adds_nothing_does_not_keep_the_offsets(void **state) {
    mixer_stage *s = *state;
    sinew_mixer_def def = stage_def(s);
    def.layer_count = 2;
    stage_remake(s, &def);
    sinew_pose *start;
    sinew_clip *difference;
    assert_int_equal(sinew_pose_create(s->skeleton, NULL, &start), SINEW_OK);
    sinew_clip_sample(s->clips[STAGE_D], 0.0f, start);
    assert_int_equal(sinew_clip_make_additive(s->clips[STAGE_D], start, NULL, &difference, NULL), SINEW_OK);
    sinew_layer_set_mode(s->mixer, 1, SINEW_LAYER_ADDITIVE);
    sinew_play_def upper = sinew_play_default();
    upper.layer = 1;
    upper.speed = 0.0f;
    upper.time = 0.0f;
    upper.weight = 0.37f;
    sinew_mixer_play(s->mixer, sinew_clip_source(difference), &upper);
    play(s, STAGE_A, 1, 0);
    sinew_mixer_update(s->mixer, 0.25f);
    transition(s, STAGE_B, SINEW_TRANSITION_INERTIALIZE, 1, 2);
    sinew_mixer_update(s->mixer, 0.0625f);
    transition(s, STAGE_C, SINEW_TRANSITION_DEAD_BLEND, 1, 0.25);
    sinew_mixer_update(s->mixer, 0.5f);
    for (int32_t n = 0; n < STAGE_NODES; n++) check_shown(s->mixer, n, node_of_clip(STAGE_C, 0.5, n), 1e-5);
    sinew_mixer_stop_all(s->mixer);
    sinew_clip_destroy(difference);
    sinew_pose_destroy(start);
}

// An override layer that shows what the base does would not move with it: the offsets stay above both.
static void test_a_layer_that_shows_the_same_keeps_the_offsets(void **state) {
    mixer_stage *s = *state;
    sinew_mixer_def def = stage_def(s);
    def.layer_count = 2;
    stage_remake(s, &def);
    play(s, STAGE_A, 1, 0);
    sinew_mixer_update(s->mixer, 0.25f);
    transition(s, STAGE_B, SINEW_TRANSITION_INERTIALIZE, 1, 2);
    sinew_play_def upper = sinew_play_default();
    upper.layer = 1;
    upper.weight = 0.5f;
    sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_B]), &upper);
    sinew_mixer_update(s->mixer, 0.0625f);
    transition(s, STAGE_C, SINEW_TRANSITION_DEAD_BLEND, 1, 0.25);
    assert_true(movement_in(s, 0) < 1e-5);
}

// ---- Eviction ------------------------------------------------------------------------------------------------

// What the base holds does not change if an action above it is evicted in the frame of an inertialization.
static void test_an_eviction_above_the_base_does_not_change_the_held_pose(void **state) {
    mixer_stage *s = *state;
    sinew_mixer_def def = stage_def(s);
    def.layer_count = 2;
    def.max_actions = 1;
    stage_remake(s, &def);
    sinew_action base = play(s, STAGE_A, 1, 0);
    sinew_mixer_update(s->mixer, 0.25f);
    sinew_action_stop(s->mixer, base);
    sinew_play_def upper = sinew_play_default();
    upper.layer = 1;
    sinew_action first = sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_B]), &upper);
    sinew_mixer_update(s->mixer, 0.25f);
    sinew_mixer_inertialize(s->mixer, SINEW_ALL_LAYERS, 0.125f);
    upper.fade = 0.125f;
    sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_C]), &upper);
    assert_false(sinew_action_is_active(s->mixer, first));
    sinew_mixer_update(s->mixer, 0.25f);
    sinew_layer_fade_to(s->mixer, 1, 0.0f, 0.0f, SINEW_EASING_LINEAR);
    sinew_mixer_update(s->mixer, 0.125f);
    for (int32_t n = 0; n < STAGE_NODES; n++) check_shown(s->mixer, n, node_of_clip(STAGE_A, 0.25, n), 1e-5);
}

// The first of two dead blends in a frame is too short to matter.
static void test_two_dead_blends_keep_the_velocity_once(void **state) {
    mixer_stage *s = *state;
    double moment = 1.0 / 1024;
    for (int count = 1; count <= 3; count++) {
        make(s, 16);
        for (int i = 1; i < count; i++) transition(s, STAGE_B, SINEW_TRANSITION_DEAD_BLEND, 1, 0.04);
        transition(s, STAGE_C, SINEW_TRANSITION_DEAD_BLEND, 1, 1);
        exact_node before = node_shown(s->mixer, 1);
        sinew_mixer_update(s->mixer, (float)moment);
        exact_node now = node_shown(s->mixer, 1);
        double speed = (now.at.x - before.at.x) / moment;
        check_near(speed, stage_motions[STAGE_A].vx, 0.02 * fabs(stage_motions[STAGE_A].vx));
    }
}

// The action that an inertialization started is evicted before it was shown. The pose continues from what was shown.
static void test_an_action_that_was_never_shown_leaves_nothing(void **state) {
    mixer_stage *s = *state;
    static const sinew_transition_kind kinds[2] = {SINEW_TRANSITION_FADE, SINEW_TRANSITION_DEAD_BLEND};
    for (int k = 0; k < 2; k++) {
        make(s, 1);
        transition(s, STAGE_B, SINEW_TRANSITION_INERTIALIZE, 1, 0.5);
        transition(s, STAGE_C, kinds[k], 1, 0.5);
        assert_true(movement_in(s, 0) < 1e-5);
        for (int i = 0; i < 16; i++) assert_true(movement_in(s, 1.0 / 64) < 0.25);
        sinew_mixer_update(s->mixer, 0.5f);
        check_shares(s, (shares){1, {{STAGE_C, 0.75, 1}}});
    }
}

// The pose that fades out then is the one that was shown: not what was held at an earlier time, or the rest pose.
static void test_the_shown_pose_fades_out_after_an_evicted_inertialization(void **state) {
    mixer_stage *s = *state;
    make(s, 1);
    transition(s, STAGE_B, SINEW_TRANSITION_INERTIALIZE, 1, 0.0625);
    play(s, STAGE_C, 1, 0.5);
    assert_true(movement_in(s, 0) < 1e-5);
    for (int i = 0; i < 32; i++) assert_true(movement_in(s, 1.0 / 64) < 0.25);
    check_shares(s, (shares){1, {{STAGE_C, 0.5, 1}}});
}

// The same if an action of another layer evicts what the inertialization has started: the base keeps its pose.
static void test_the_shown_pose_stays_after_an_eviction_by_another_layer(void **state) {
    mixer_stage *s = *state;
    sinew_mixer_def def = stage_def(s);
    def.max_actions = 1;
    def.layer_count = 2;
    stage_remake(s, &def);
    play(s, STAGE_A, 1, 0);
    sinew_mixer_update(s->mixer, 0.25f);
    sinew_layer_set_weight(s->mixer, 1, 0);
    transition(s, STAGE_B, SINEW_TRANSITION_INERTIALIZE, 1, 0.0625);
    sinew_play_def upper = sinew_play_default();
    upper.layer = 1;
    upper.fade = 0.0625f;
    sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_C]), &upper);
    sinew_mixer_update(s->mixer, 0.125f);
    for (int32_t n = 0; n < STAGE_NODES; n++) check_shown(s->mixer, n, node_of_clip(STAGE_A, 0.25, n), 1e-5);
}

// The base's pose is held also if an action of another layer evicts its last action after the fade to the next one was
// requested.
static void test_another_layer_evicts_what_a_fade_replaces(void **state) {
    mixer_stage *s = *state;
    static const float weights[2] = {1, 0.25f};
    for (int k = 0; k < 2; k++) {
        sinew_mixer_def def = stage_def(s);
        def.max_actions = 2;
        def.layer_count = 2;
        stage_remake(s, &def);
        play(s, STAGE_A, 1, 0);
        sinew_mixer_update(s->mixer, 0.25f);
        transition(s, STAGE_B, SINEW_TRANSITION_FADE, (double)weights[k], 0.5);
        sinew_play_def upper = sinew_play_default();
        upper.layer = 1;
        upper.fade = 0.5f;
        sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_C]), &upper);
        sinew_layer_set_weight(s->mixer, 1, 0);
        for (int i = 1; i < 4; i++) {
            double u = i / 4.0;
            sinew_mixer_update(s->mixer, 0.125f);
            check_shares(s, (shares){2, {{STAGE_A, 0.25, 1 - u}, {STAGE_B, i / 8.0, u}}});
        }
    }
}

// A cut after an inertialization, before a step, is a cut.
static void test_a_cut_ends_an_inertialization_that_has_not_started(void **state) {
    mixer_stage *s = *state;
    make(s, 16);
    transition(s, STAGE_B, SINEW_TRANSITION_INERTIALIZE, 1, 0.5);
    transition(s, STAGE_C, SINEW_TRANSITION_FADE, 1, 0);
    sinew_mixer_update(s->mixer, 0.125f);
    check_shares(s, (shares){1, {{STAGE_C, 0.125, 1}}});
}

// ... but not after a call of sinew_mixer_inertialize, which smooths any change.
static void test_a_cut_after_a_request_to_smooth_is_smooth(void **state) {
    mixer_stage *s = *state;
    for (int order = 0; order < 2; order++) {
        make(s, 16);
        if (order) transition(s, STAGE_B, SINEW_TRANSITION_INERTIALIZE, 1, 0.5);
        sinew_mixer_inertialize(s->mixer, SINEW_ALL_LAYERS, 0.5f);
        transition(s, STAGE_C, SINEW_TRANSITION_FADE, 1, 0);
        assert_true(movement_in(s, 0) < 1e-5);
        assert_true(movement_in(s, 1.0 / 1024) < 0.01);
    }
}

// An inertialization keeps its own duration, whatever fades start with it.
static void test_a_fade_does_not_lengthen_an_inertialization(void **state) {
    mixer_stage *s = *state;
    for (int order = 0; order < 2; order++) {
        make(s, 16);
        if (order) {
            transition(s, STAGE_B, SINEW_TRANSITION_INERTIALIZE, 1, 0.25);
        } else {
            sinew_mixer_inertialize(s->mixer, SINEW_ALL_LAYERS, 0.25f);
            transition(s, STAGE_B, SINEW_TRANSITION_FADE, 1, 0);
        }
        play(s, STAGE_C, 1, 1);
        sinew_mixer_update(s->mixer, 0.5f);
        check_shares(s, (shares){2, {{STAGE_B, 0.5, 0.75}, {STAGE_C, 0.5, 0.25}}});
    }
}

// A snapshot between a request and the step where it starts.
static void test_a_snapshot_has_a_transition_that_has_not_started(void **state) {
    mixer_stage *s = *state;
    make(s, 16);
    transition(s, STAGE_B, SINEW_TRANSITION_INERTIALIZE, 1, 0.5);
    size_t size = sinew_mixer_snapshot_size(s->mixer);
    void *memory = malloc(size);
    assert_non_null(memory);
    size = sinew_mixer_save(s->mixer, memory);
    sinew_mixer *first = s->mixer, *other;
    sinew_mixer_def def = stage_def(s);
    assert_int_equal(sinew_mixer_create(&def, &other, NULL), SINEW_OK);
    assert_true(sinew_mixer_restore(other, memory, size));
    free(memory);
    for (int i = 0; i < 40; i++) {
        assert_true(sinew_mixer_hash(other) == sinew_mixer_hash(first));
        if (i == 5)
            sinew_mixer_inertialize(first, SINEW_ALL_LAYERS, 0.2f),
                sinew_mixer_inertialize(other, SINEW_ALL_LAYERS, 0.2f);
        sinew_mixer_update(first, 1.0f / 60);
        sinew_mixer_update(other, 1.0f / 60);
        check_mixer_bits(s, first, other);
    }
    sinew_mixer_destroy(other);
}

int main(void) {
#define on_stage(test) cmocka_unit_test_setup_teardown(test, stage_set_up, stage_tear_down)
    const struct CMUnitTest tests[] = {
        on_stage(test_two_fades_keep_their_durations),
        on_stage(test_a_weight_that_is_set_after_a_fade_was_asked_for),
        on_stage(test_a_dead_blend_takes_the_offsets_along),
        on_stage(test_a_layer_that_adds_nothing_does_not_keep_the_offsets),
        on_stage(test_a_layer_that_shows_the_same_keeps_the_offsets),
        on_stage(test_an_eviction_above_the_base_does_not_change_the_held_pose),
        on_stage(test_two_dead_blends_keep_the_velocity_once),
        on_stage(test_an_action_that_was_never_shown_leaves_nothing),
        on_stage(test_the_shown_pose_fades_out_after_an_evicted_inertialization),
        on_stage(test_the_shown_pose_stays_after_an_eviction_by_another_layer),
        on_stage(test_another_layer_evicts_what_a_fade_replaces),
        on_stage(test_a_cut_ends_an_inertialization_that_has_not_started),
        on_stage(test_a_cut_after_a_request_to_smooth_is_smooth),
        on_stage(test_a_fade_does_not_lengthen_an_inertialization),
        on_stage(test_a_snapshot_has_a_transition_that_has_not_started),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
