// SPDX-License-Identifier: MIT
// The mixer's layers: overriding and additive, weights and masks. All ways to compute a pose give its bits.
#include "support/mixer_stage.h"
#include "support/random_rig.h"

#include "kernels/layout.h"

#include <sinew/batch.h>
#include <sinew/motion/mixer_snapshot.h>

#define CLOSE 2e-6 // a few roundings of numbers up to 10

static sinew_action play_on(mixer_stage *s, int32_t layer, const sinew_clip *clip, float weight) {
    sinew_play_def def = sinew_play_default();
    def.layer = layer;
    def.weight = weight;
    return sinew_mixer_play(s->mixer, sinew_clip_source(clip), &def);
}

static void of_layers(mixer_stage *s, int32_t layers) {
    sinew_mixer_def def = stage_def(s);
    def.layer_count = layers;
    stage_remake(s, &def);
}

static sinew_clip *additive_of(const mixer_stage *s, int clip) {
    sinew_pose *reference;
    sinew_clip *additive;
    assert_int_equal(sinew_pose_create(s->skeleton, NULL, &reference), SINEW_OK);
    sinew_clip_sample(s->clips[clip], 0, reference);
    assert_int_equal(sinew_clip_make_additive(s->clips[clip], reference, NULL, &additive, NULL), SINEW_OK);
    sinew_pose_destroy(reference);
    return additive;
}

// ---- Expectations --------------------------------------------------------------------------------------------

// A layer that overrides by a factor.
static exact_node over(exact_node below, exact_node above, double factor) {
    return mean_of_two(below, 1 - factor, above, factor);
}

// What a clip does beyond its first moment, by a factor, on what is below.
static exact_node plus(exact_node below, int clip, double time, double factor, int32_t node) {
    exact_node now = node_of_clip(clip, time, node), first = node_of_clip(clip, 0, node);
    exact_quat d = exact_multiply(exact_conjugate(first.turn), now.turn);
    if (d.w < 0) d = (exact_quat){-d.x, -d.y, -d.z, -d.w};
    d = (exact_quat){d.x * factor, d.y * factor, d.z * factor, 1 - factor + factor * d.w};
    double norm = exact_norm(d);
    d = (exact_quat){d.x / norm, d.y / norm, d.z / norm, d.w / norm};
    return (exact_node){
        .at = exact_add(below.at, exact_add(now.at, first.at, -1), factor),
        .turn = exact_multiply(below.turn, d),
        .size = below.size * (1 + factor * (now.size / first.size - 1)),
        .smile = below.smile + factor * (now.smile - first.smile),
    };
}

// ---- Overriding ----------------------------------------------------------------------------------------------

static void test_a_layer_covers_what_is_below_by_its_weight(void **state) {
    mixer_stage *s = *state;
    play_on(s, 0, s->clips[STAGE_A], 1);
    play_on(s, 1, s->clips[STAGE_B], 1);
    check_near(sinew_layer_weight(s->mixer, 0), 1, 0);
    check_near(sinew_layer_weight(s->mixer, 1), 1, 0);
    const float weights[5] = {1, 0.75f, 0.25f, 3, -1};
    const double counts[5] = {1, 0.75, 0.25, 1, 0}; // more than whole it cannot cover
    for (int i = 0; i < 5; i++) {
        sinew_layer_set_weight(s->mixer, 1, weights[i]);
        sinew_mixer_update(s->mixer, 0.125f);
        double t = 0.125 * (i + 1);
        for (int32_t n = 0; n < STAGE_NODES; n++) {
            exact_node expected = over(node_of_clip(STAGE_A, t, n), node_of_clip(STAGE_B, t, n), counts[i]);
            check_shown(s->mixer, n, expected, CLOSE);
        }
    }
}

static void test_layers_lie_in_their_order(void **state) {
    mixer_stage *s = *state; // in any order of starting their actions
    for (int way = 0; way < 2; way++) {
        of_layers(s, 8);
        play_on(s, way ? 7 : 2, s->clips[way ? STAGE_C : STAGE_B], 1);
        play_on(s, 0, s->clips[STAGE_A], 1);
        play_on(s, way ? 2 : 7, s->clips[way ? STAGE_B : STAGE_C], 1);
        sinew_layer_set_weight(s->mixer, 2, 0.5f);
        sinew_layer_set_weight(s->mixer, 7, 0.25f);
        sinew_mixer_update(s->mixer, 0.5f);
        for (int32_t n = 0; n < STAGE_NODES; n++) {
            exact_node below = over(node_of_clip(STAGE_A, 0.5, n), node_of_clip(STAGE_B, 0.5, n), 0.5);
            check_shown(s->mixer, n, over(below, node_of_clip(STAGE_C, 0.5, n), 0.25), CLOSE);
        }
    }
}

// Whether it was played, came in by a transition, or was restored from a snapshot. A clip may play in several layers.
static void test_the_layer_of_an_action(void **state) {
    mixer_stage *s = *state;
    of_layers(s, 8);
    sinew_action actions[3] = {play_on(s, 0, s->clips[STAGE_A], 1), play_on(s, 7, s->clips[STAGE_A], 1),
                               play_on(s, 3, s->clips[STAGE_B], 1)};
    const int32_t layers[3] = {0, 7, 3};
    for (int i = 0; i < 3; i++) assert_int_equal(sinew_action_get(s->mixer, actions[i]).layer, layers[i]);
    sinew_transition cut = sinew_transition_default();
    cut.duration = 0;
    sinew_play_def over = sinew_play_default();
    over.layer = 3;
    sinew_action next = sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->clips[STAGE_C]), &cut, &over);
    sinew_mixer_update(s->mixer, 0.125f);
    assert_int_equal(sinew_action_get(s->mixer, next).layer, 3);
    assert_int_equal(sinew_action_get(s->mixer, actions[2]).layer, -1); // it has ended
    void *saved = malloc(sinew_mixer_snapshot_size(s->mixer));
    size_t size = sinew_mixer_save(s->mixer, saved);
    sinew_mixer_stop_all(s->mixer);
    assert_int_equal(sinew_action_get(s->mixer, next).layer, -1);
    assert_true(sinew_mixer_restore(s->mixer, saved, size));
    assert_int_equal(sinew_action_get(s->mixer, next).layer, 3);
    assert_int_equal(sinew_action_get(s->mixer, actions[1]).layer, 7);
    free(saved);
}

static void test_a_layers_weight_fades(void **state) {
    mixer_stage *s = *state;
    play_on(s, 0, s->clips[STAGE_A], 1);
    sinew_action b = play_on(s, 1, s->clips[STAGE_B], 1);
    sinew_layer_set_weight(s->mixer, 1, 0);
    sinew_layer_fade_to(s->mixer, 1, 0.8f, 1, SINEW_EASING_SMOOTHSTEP);
    sinew_mixer_update(s->mixer, 0.25f);
    double w = 0.8 * 0.15625; // 3/16 - 2/64
    check_near(sinew_layer_weight(s->mixer, 1), w, 1e-7);
    check_near(sinew_action_weight(s->mixer, b), 1, 0); // its actions' are their own
    check_shown(s->mixer, 4, over(node_of_clip(STAGE_A, 0.25, 4), node_of_clip(STAGE_B, 0.25, 4), w), CLOSE);
    sinew_layer_fade_to(s->mixer, 1, 0, 0.5f, SINEW_EASING_LINEAR); // from where it stands
    sinew_mixer_update(s->mixer, 0.125f);
    check_near(sinew_layer_weight(s->mixer, 1), 0.75 * w, 1e-7);
    sinew_mixer_update(s->mixer, 0.5f);
    check_near(sinew_layer_weight(s->mixer, 1), 0, 0);
    check_near(sinew_action_time(s->mixer, b), 0.875, 1e-7); // it continues even when hidden
    assert_true(sinew_action_is_active(s->mixer, b));
    sinew_layer_fade_to(s->mixer, 1, 0.5f, 0, SINEW_EASING_LINEAR);
    check_near(sinew_layer_weight(s->mixer, 1), 0.5, 0);
}

static void test_what_a_layers_actions_lack_of_1_is_left_to_what_is_below(void **state) {
    mixer_stage *s = *state;
    play_on(s, 0, s->clips[STAGE_A], 0.25f); // alone in the base: whole
    sinew_action b = play_on(s, 1, s->clips[STAGE_B], 0.5f);
    play_on(s, 1, s->clips[STAGE_C], 0.25f);
    sinew_layer_set_weight(s->mixer, 1, 0.5f);
    sinew_mixer_update(s->mixer, 0.5f);
    for (int32_t n = 0; n < STAGE_NODES; n++) {
        exact_node above = mean_of_two(node_of_clip(STAGE_B, 0.5, n), 2, node_of_clip(STAGE_C, 0.5, n), 1);
        check_shown(s->mixer, n, over(node_of_clip(STAGE_A, 0.5, n), above, 0.375), CLOSE);
    }
    sinew_action_set_weight(s->mixer, b, 1.75f); // together 2: divided, and no more than whole
    sinew_mixer_update(s->mixer, 0);
    for (int32_t n = 0; n < STAGE_NODES; n++) {
        exact_node above = mean_of_two(node_of_clip(STAGE_B, 0.5, n), 7, node_of_clip(STAGE_C, 0.5, n), 1);
        check_shown(s->mixer, n, over(node_of_clip(STAGE_A, 0.5, n), above, 0.5), CLOSE);
    }
}

static void test_a_layer_fades_in_from_below_and_out_again(void **state) {
    mixer_stage *s = *state;
    play_on(s, 0, s->clips[STAGE_A], 1);
    sinew_mixer_update(s->mixer, 0.25f);
    sinew_play_def def = sinew_play_default();
    def.layer = 1;
    def.fade = 0.5f;
    sinew_action b = sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_B]), &def);
    sinew_mixer_update(s->mixer, 0.125f);
    check_shown(s->mixer, 9, over(node_of_clip(STAGE_A, 0.375, 9), node_of_clip(STAGE_B, 0.125, 9), 0.25), CLOSE);
    sinew_action_fade_out(s->mixer, b, 0.25f);
    sinew_mixer_update(s->mixer, 0.125f);
    check_shown(s->mixer, 9, over(node_of_clip(STAGE_A, 0.5, 9), node_of_clip(STAGE_B, 0.25, 9), 0.125), CLOSE);
    sinew_mixer_update(s->mixer, 0.25f);
    assert_false(sinew_action_is_active(s->mixer, b));
    check_shown(s->mixer, 9, node_of_clip(STAGE_A, 0.75, 9), CLOSE); // it isn't held
}

static void test_a_full_mixer_does_not_jump_above_the_base(void **state) {
    mixer_stage *s = *state;
    sinew_mixer_def def = stage_def(s);
    def.max_actions = 2;
    stage_remake(s, &def);
    play_on(s, 0, s->clips[STAGE_A], 1);
    sinew_action b = play_on(s, 1, s->clips[STAGE_B], 0.5f);
    sinew_mixer_update(s->mixer, 0.25f);
    sinew_play_def third = sinew_play_default();
    third.layer = 1;
    sinew_mixer_crossfade_to(s->mixer, sinew_clip_source(s->clips[STAGE_C]), 1, &third);
    assert_false(sinew_action_is_active(s->mixer, b));
    sinew_mixer_update(s->mixer, 0);
    exact_node below = node_of_clip(STAGE_A, 0.25, 9), held = node_of_clip(STAGE_B, 0.25, 9);
    check_shown(s->mixer, 9, over(below, held, 0.5), CLOSE);
    sinew_mixer_update(s->mixer, 1);
    check_shown(s->mixer, 9, node_of_clip(STAGE_C, 1, 9), CLOSE);
}

static void test_a_layer_that_does_not_show_costs_no_bits(void **state) {
    mixer_stage *s = *state;
    sinew_mixer_def def = stage_def(s);
    sinew_mixer *plain = NULL;
    for (int way = 0; way < 4; way++) {
        def.layer_count = way == 0 ? 8 : 2;
        stage_remake(s, &def);
        def.layer_count = 1;
        assert_int_equal(sinew_mixer_create(&def, &plain, NULL), SINEW_OK);
        sinew_play_def half = sinew_play_default();
        half.weight = 0.375f;
        sinew_mixer_play(plain, sinew_clip_source(s->clips[STAGE_A]), NULL);
        sinew_mixer_play(plain, sinew_clip_source(s->clips[STAGE_B]), &half);
        play_on(s, 0, s->clips[STAGE_A], 1);
        play_on(s, 0, s->clips[STAGE_B], 0.375f);
        if (way > 0) play_on(s, 1, s->clips[STAGE_C], way == 2 ? 0 : 1);
        if (way == 1) sinew_layer_set_weight(s->mixer, 1, 0);
        if (way == 3)
            sinew_action_stop(s->mixer,
                              sinew_mixer_find(s->mixer, sinew_clip_source(s->clips[STAGE_C]), SINEW_ALL_LAYERS));
        for (int i = 0; i < 10; i++) {
            sinew_mixer_update(plain, 0.07f);
            sinew_mixer_update(s->mixer, 0.07f);
            check_mixer_bits(s, s->mixer, plain);
            check_pose_bits(sinew_mixer_pose(s->mixer), sinew_mixer_pose(plain));
        }
        sinew_mixer_destroy(plain);
    }
}

// ---- Masks ---------------------------------------------------------------------------------------------------

// Where a factor is 0, below; where it is 1, above to the bit of what rounding allows; between, part of both.
static void test_a_mask_says_how_much_of_each_node(void **state) {
    mixer_stage *s = *state;
    sinew_mask *mask;
    assert_int_equal(sinew_mask_create(s->skeleton, 0, NULL, &mask), SINEW_OK);
    sinew_mask_set_subtree(mask, 6, 1, 3); // 6, 7, 8: a quarter, a half, three quarters; then 1
    sinew_mask_set(mask, STAGE_FACE, 0.25f);
    sinew_mask_set(mask, STAGE_TAIL, 0);
    const double factors[STAGE_NODES] = {0, 0, 0, 0.25, 0, 0, 0.25, 0.5, 0.75, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1};
    sinew_pose *below;
    assert_int_equal(sinew_pose_create(s->skeleton, NULL, &below), SINEW_OK);
    play_on(s, 0, s->clips[STAGE_A], 1);
    play_on(s, 1, s->clips[STAGE_B], 1);
    sinew_layer_set_mask(s->mixer, 1, mask);
    for (int i = 1; i <= 3; i++) {
        float weight = i == 3 ? 0.5f : 1;
        sinew_layer_set_weight(s->mixer, 1, weight);
        sinew_mixer_update(s->mixer, 0.25f);
        double t = 0.25 * i;
        sinew_clip_sample(s->clips[STAGE_A], (float)t, below);
        for (int32_t n = 0; n < STAGE_NODES; n++) {
            exact_node expected =
                over(node_of_clip(STAGE_A, t, n), node_of_clip(STAGE_B, t, n), factors[n] * (double)weight);
            check_shown(s->mixer, n, expected, CLOSE);
            sinew_transform is = sinew_pose_get(sinew_mixer_pose(s->mixer), n), was = sinew_pose_get(below, n);
            if (factors[n] == 0) assert_memory_equal(&is, &was, sizeof is);
        }
        const float *smiles = sinew_mixer_morph_weights(s->mixer);
        assert_memory_equal(smiles + STAGE_MORPHS, below->weights + STAGE_MORPHS, STAGE_MORPHS * sizeof(float));
    }
    sinew_pose_destroy(below);
    stage_tear_down(state);
    sinew_mask_destroy(mask); // no mixer reads it any more
    stage_set_up(state);
}

static void test_a_mask_of_ones_is_none_and_of_zeros_nothing(void **state) {
    mixer_stage *s = *state;
    for (int way = 0; way < 4; way++) { // of either mode
        of_layers(s, 2);
        sinew_mask *mask;
        assert_int_equal(sinew_mask_create(s->skeleton, (float)(way % 2), NULL, &mask), SINEW_OK);
        sinew_clip *difference = additive_of(s, STAGE_B);
        sinew_mixer_def def = stage_def(s);
        sinew_mixer *plain;
        assert_int_equal(sinew_mixer_create(&def, &plain, NULL), SINEW_OK);
        sinew_layer_mode mode = way < 2 ? SINEW_LAYER_OVERRIDE : SINEW_LAYER_ADDITIVE;
        const sinew_clip *above = way < 2 ? s->clips[STAGE_B] : difference;
        sinew_layer_set_mode(plain, 1, mode);
        sinew_layer_set_mode(s->mixer, 1, mode);
        sinew_mixer_play(plain, sinew_clip_source(s->clips[STAGE_A]), NULL);
        play_on(s, 0, s->clips[STAGE_A], 1);
        play_on(s, 1, above, 0.75f);
        sinew_play_def top = sinew_play_default();
        top.layer = 1;
        top.weight = 0.75f;
        if (way % 2) sinew_mixer_play(plain, sinew_clip_source(above), &top);
        sinew_layer_set_mask(s->mixer, 1, mask);
        for (int i = 0; i < 5; i++) {
            sinew_mixer_update(plain, 0.07f);
            sinew_mixer_update(s->mixer, 0.07f);
            check_mixer_bits(s, s->mixer, plain);
        }
        sinew_mixer_destroy(plain);
        of_layers(s, 2);
        sinew_clip_destroy(difference);
        sinew_mask_destroy(mask);
    }
}

static void test_a_mask_that_is_set_again_is_seen(void **state) {
    mixer_stage *s = *state; // though everything stands
    sinew_mask *mask;
    assert_int_equal(sinew_mask_create(s->skeleton, 1, NULL, &mask), SINEW_OK);
    sinew_action_set_paused(s->mixer, play_on(s, 0, s->clips[STAGE_A], 1), true);
    sinew_action_set_paused(s->mixer, play_on(s, 1, s->clips[STAGE_B], 1), true);
    sinew_layer_set_mask(s->mixer, 1, mask);
    assert_true(sinew_mixer_update(s->mixer, 0.25f));
    assert_false(sinew_mixer_update(s->mixer, 0.25f));
    sinew_mask_set(mask, 2, 0.25f);
    sinew_layer_set_mask(s->mixer, 1, mask);
    assert_true(sinew_mixer_update(s->mixer, 0.25f));
    check_shown(s->mixer, 2, over(node_of_clip(STAGE_A, 0, 2), node_of_clip(STAGE_B, 0, 2), 0.25), CLOSE);
    sinew_layer_set_mask(s->mixer, 1, NULL);
    sinew_mixer_update(s->mixer, 0);
    check_shown(s->mixer, 2, node_of_clip(STAGE_B, 0, 2), CLOSE);
    sinew_mask_destroy(mask);
}

static void test_an_update_says_whether_a_layer_moved(void **state) {
    mixer_stage *s = *state;
    sinew_action_set_paused(s->mixer, play_on(s, 0, s->clips[STAGE_A], 1), true);
    sinew_action b = play_on(s, 1, s->clips[STAGE_B], 1);
    assert_true(sinew_mixer_update(s->mixer, 0.125f));
    assert_true(sinew_mixer_update(s->mixer, 0.125f));
    sinew_layer_set_weight(s->mixer, 1, 0);
    assert_true(sinew_mixer_update(s->mixer, 0.125f));
    assert_false(sinew_mixer_update(s->mixer, 0.125f)); // b continues, hidden
    sinew_layer_fade_to(s->mixer, 1, 1, 0.25f, SINEW_EASING_LINEAR);
    assert_true(sinew_mixer_update(s->mixer, 0.125f));
    sinew_action_set_paused(s->mixer, b, true);
    assert_true(sinew_mixer_update(s->mixer, 0.125f)); // the fade continues
    assert_false(sinew_mixer_update(s->mixer, 0.125f));
    sinew_layer_set_mode(s->mixer, 1, SINEW_LAYER_ADDITIVE);
    assert_true(sinew_mixer_update(s->mixer, 0));
}

static void test_a_change_of_a_layer_leaves_the_last_pose_alone(void **state) {
    mixer_stage *s = *state; // it is of the last update, though it is worked out only now
    sinew_mask *mask;
    assert_int_equal(sinew_mask_create(s->skeleton, 0, NULL, &mask), SINEW_OK);
    sinew_clip *difference = additive_of(s, STAGE_B);
    for (int way = 0; way < 4; way++) {
        of_layers(s, 2);
        play_on(s, 0, s->clips[STAGE_A], 1);
        if (way == 3) sinew_layer_set_mode(s->mixer, 1, SINEW_LAYER_ADDITIVE);
        play_on(s, 1, way < 3 ? s->clips[STAGE_B] : difference, 1);
        sinew_mixer_update(s->mixer, 0.5f);
        if (way == 0) sinew_layer_set_mask(s->mixer, 1, mask);
        if (way == 1) sinew_layer_set_mode(s->mixer, 1, SINEW_LAYER_ADDITIVE);
        if (way == 2) sinew_layer_set_weight(s->mixer, 1, 0);
        if (way < 3) check_shown(s->mixer, 9, node_of_clip(STAGE_B, 0.5, 9), CLOSE);
    }
    of_layers(s, 2);
    sinew_clip_destroy(difference);
    sinew_mask_destroy(mask);
}

// ---- Adding --------------------------------------------------------------------------------------------------

static void test_a_difference_on_its_reference_is_the_clip(void **state) {
    mixer_stage *s = *state;
    sinew_clip *difference = additive_of(s, STAGE_B);
    sinew_layer_set_mode(s->mixer, 1, SINEW_LAYER_ADDITIVE);
    sinew_action_set_paused(s->mixer, play_on(s, 0, s->clips[STAGE_B], 0.5f),
                            true); // at its first moment: the reference
    play_on(s, 1, difference, 1);
    for (int i = 1; i < 10; i++) {
        sinew_mixer_update(s->mixer, 0.09375f);
        for (int32_t n = 0; n < STAGE_NODES; n++) {
            check_shown(s->mixer, n, node_of_clip(STAGE_B, 0.09375 * i, n), 1e-6);
        }
    }
    sinew_mixer_stop_all(s->mixer);
    sinew_clip_destroy(difference);
}

static void test_differences_are_added_oldest_first(void **state) {
    mixer_stage *s =
        *state; // each by its own weight, which need not sum to 1; the order shows, for they turn apart
    of_layers(s, 3);
    sinew_clip *b = additive_of(s, STAGE_B), *c = additive_of(s, STAGE_C);
    sinew_layer_set_mode(s->mixer, 2, SINEW_LAYER_ADDITIVE);
    sinew_layer_set_weight(s->mixer, 2, 0.75f);
    play_on(s, 2, b, 0.5f);
    play_on(s, 0, s->clips[STAGE_A], 1);
    play_on(s, 2, c, 1); // heavier, and later
    sinew_mixer_update(s->mixer, 0.5f);
    for (int32_t n = 0; n < STAGE_NODES; n++) {
        exact_node first = plus(node_of_clip(STAGE_A, 0.5, n), STAGE_B, 0.5, 0.5 * 0.75, n);
        check_shown(s->mixer, n, plus(first, STAGE_C, 0.5, 0.75, n), CLOSE);
    }
    sinew_layer_set_weight(s->mixer, 2, 2); // beyond 1 it exaggerates
    sinew_mixer_update(s->mixer, 0.125f);
    for (int32_t n = 0; n < STAGE_NODES; n++) {
        exact_node first = plus(node_of_clip(STAGE_A, 0.625, n), STAGE_B, 0.625, 1, n);
        check_shown(s->mixer, n, plus(first, STAGE_C, 0.625, 2, n), CLOSE);
    }
    sinew_mixer_stop_all(s->mixer);
    sinew_clip_destroy(b);
    sinew_clip_destroy(c);
}

static void test_a_masked_difference_on_an_overriding_layer(void **state) {
    mixer_stage *s = *state; // in order: half of b over a, and of c as much as the mask lets through
    of_layers(s, 3);
    sinew_clip *c = additive_of(s, STAGE_C);
    sinew_mask *mask;
    assert_int_equal(sinew_mask_create(s->skeleton, 0, NULL, &mask), SINEW_OK);
    sinew_mask_set_subtree(mask, 1, 1, 1); // 1 has half
    sinew_mask_set_subtree(mask, 17, 0.25f, 0);
    sinew_layer_set_mode(s->mixer, 2, SINEW_LAYER_ADDITIVE);
    sinew_layer_set_mask(s->mixer, 2, mask);
    sinew_layer_set_weight(s->mixer, 1, 0.5f);
    play_on(s, 0, s->clips[STAGE_A], 1);
    play_on(s, 1, s->clips[STAGE_B], 1);
    play_on(s, 2, c, 0.5f);
    sinew_mixer_update(s->mixer, 0.5f);
    for (int32_t n = 0; n < STAGE_NODES; n++) {
        exact_node below = over(node_of_clip(STAGE_A, 0.5, n), node_of_clip(STAGE_B, 0.5, n), 0.5);
        double factor = n == 0 ? 0 : n == 1 ? 0.5 : n < 17 ? 1 : 0.25;
        check_shown(s->mixer, n, plus(below, STAGE_C, 0.5, 0.5 * factor, n), CLOSE);
    }
    of_layers(s, 1);
    sinew_mask_destroy(mask);
    sinew_clip_destroy(c);
}

static void test_what_is_added_is_never_folded(void **state) {
    mixer_stage *s = *state;
    sinew_mixer_def def = stage_def(s);
    def.max_actions = 2;
    stage_remake(s, &def);
    sinew_clip *b = additive_of(s, STAGE_B), *c = additive_of(s, STAGE_C);
    sinew_layer_set_mode(s->mixer, 1, SINEW_LAYER_ADDITIVE);
    play_on(s, 1, b, 0.25f);
    play_on(s, 1, c, 1);
    sinew_mixer_update(s->mixer, 0.25f);
    const sinew_transition_kind kinds[3] = {SINEW_TRANSITION_FADE, SINEW_TRANSITION_INERTIALIZE,
                                            SINEW_TRANSITION_DEAD_BLEND};
    for (int i = 0; i < 3; i++) { // every slot has a difference: there's no room, and nothing happens
        sinew_transition how = sinew_transition_default();
        how.kind = kinds[i];
        how.duration = 0.5f;
        assert_int_equal(sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->clips[STAGE_A]), &how, NULL).id,
                         0);
        assert_int_equal(play_on(s, 0, s->clips[STAGE_A], 1).id, 0);
        sinew_mixer_update(s->mixer, 0.125f);
        double t = 0.25 + 0.125 * (i + 1);
        exact_node first = plus(node_at_rest(4), STAGE_B, t, 0.25, 4);
        check_shown(s->mixer, 4, plus(first, STAGE_C, t, 1, 4), CLOSE);
    }
    sinew_mixer_stop_all(s->mixer);
    sinew_clip_destroy(b);
    sinew_clip_destroy(c);
}

// ---- Events --------------------------------------------------------------------------------------------------

static void test_actions_on_layers_have_events(void **state) {
    mixer_stage *s = *state;
    play_on(s, 0, s->clips[STAGE_A], 1);
    sinew_action b = play_on(s, 1, s->clips[STAGE_B], 0.5f);
    sinew_layer_set_weight(s->mixer, 1, 0); // unseen, and heard all the same
    sinew_mixer_advance(s->mixer, 1.25f);
    const sinew_events events = sinew_mixer_events(s->mixer);
    assert_int_equal(events.count, 1);
    assert_int_equal(events.items[0].type, SINEW_EVENT_LOOPED);
    assert_int_equal(events.items[0].action.id, b.id);
    assert_int_equal(events.items[0].layer, 1);
    assert_null(events.items[0].blend_space);
    check_near(events.items[0].moment, 1, 1e-6);
    check_near(events.items[0].weight, 0.5, 0); // the action's
}

static void test_a_clip_is_found_in_each_layer(void **state) {
    mixer_stage *s = *state;
    sinew_action below = play_on(s, 0, s->clips[STAGE_A], 1), above = play_on(s, 1, s->clips[STAGE_A], 1);
    assert_int_equal(sinew_mixer_find(s->mixer, sinew_clip_source(s->clips[STAGE_A]), 0).id, below.id);
    assert_int_equal(sinew_mixer_find(s->mixer, sinew_clip_source(s->clips[STAGE_A]), 1).id, above.id);
    assert_int_equal(sinew_mixer_find(s->mixer, sinew_clip_source(s->clips[STAGE_B]), 1).id, 0);
    assert_int_equal(sinew_mixer_find(s->mixer, sinew_blend_space_source(NULL, 0.0f, 0.0f), 1).id, 0);
    sinew_action_stop(s->mixer, above);
    assert_int_equal(sinew_mixer_find(s->mixer, sinew_clip_source(s->clips[STAGE_A]), 1).id, 0);
}

// ---- All ways to a pose --------------------------------------------------------------------------------------

enum { DRAWN_CLIPS = 6, DRAWN_LAYERS = 4 };

// Clips of all kinds, two of them additive; layer 2 is additive, 1 and 3 are masked.
typedef struct drawn_stage {
    sinew_skeleton *skeleton;
    sinew_clip *clips[DRAWN_CLIPS], *differences[2];
    sinew_mask *mask;
} drawn_stage;

static void open_drawn(drawn_stage *d, uint64_t *random, int32_t nodes) {
    d->skeleton = draw_skeleton(random, nodes, false);
    for (int i = 0; i < DRAWN_CLIPS; i++) { // timelines that are shared, and one for each channel: tracks
        random_clip_options options = {i % 3 == 2 ? 3 : i % 3, 90, false,
                                       i == 1 || i == 5 ? SINEW_KEYS_U16 : SINEW_KEYS_FLOAT};
        d->clips[i] = draw_clip(random, d->skeleton, options);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(sinew_clip_make_additive(d->clips[(ptrdiff_t)3 * i], NULL, NULL, &d->differences[i], NULL),
                         SINEW_OK);
    }
    assert_int_equal(sinew_mask_create(d->skeleton, 0, NULL, &d->mask), SINEW_OK);
    for (int32_t n = 0; n < nodes; n++) sinew_mask_set(d->mask, n, random_float(random, -0.5f, 1.5f));
}

static void close_drawn(drawn_stage *d) {
    sinew_mask_destroy(d->mask);
    for (int i = 0; i < 2; i++) sinew_clip_destroy(d->differences[i]);
    for (int i = 0; i < DRAWN_CLIPS; i++) sinew_clip_destroy(d->clips[i]);
    sinew_skeleton_destroy(d->skeleton);
}

// `most`: actions. Some of them play from the beginning.
static sinew_mixer *make_drawn(const drawn_stage *d, int32_t most) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = d->skeleton;
    def.layer_count = DRAWN_LAYERS;
    def.max_actions = most;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    sinew_layer_set_mode(mixer, 2, SINEW_LAYER_ADDITIVE);
    sinew_layer_set_mask(mixer, 1, d->mask);
    sinew_layer_set_mask(mixer, 3, d->mask);
    for (int32_t i = 6; i < most; i++) {
        sinew_play_def one = sinew_play_default();
        one.allow_duplicate = true;
        one.layer = i % 2;
        one.speed = 0.125f * (float)i;
        sinew_mixer_play(mixer, sinew_clip_source(d->clips[i % 4 < 2 ? 2 : 5]), &one);
    }
    return mixer;
}

static void do_something(const drawn_stage *d, uint64_t *random, sinew_mixer *mixer) {
    sinew_play_def def = sinew_play_default();
    sinew_transition how = sinew_transition_default();
    how.kind = (sinew_transition_kind)draw_count(random, 0, 2);
    how.duration = 0.0f;
    def.layer = draw_count(random, 0, DRAWN_LAYERS - 1);
    def.weight = random_float(random, 0.1f, 1.2f);
    how.duration = def.fade = random_float(random, 0, 0.4f);
    how.match_rate = random_next(random) % 2 == 0;
    int clip = draw_count(random, 0, DRAWN_CLIPS - 1);
    const sinew_clip *which = def.layer == 2 ? d->differences[clip % 2] : d->clips[clip];
    sinew_action first = {0};
    sinew_mixer_actions(mixer, &first, 1);
    switch (random_next(random) % 8) {
    case 0:
    case 1:
        sinew_mixer_play(mixer, sinew_clip_source(which), &def);
        break;
    case 2:
    case 3:
        sinew_mixer_transition_to(mixer, sinew_clip_source(which), &how, &def);
        break;
    case 4:
        sinew_layer_fade_to(mixer, draw_count(random, 1, DRAWN_LAYERS - 1), def.weight, def.fade,
                            SINEW_EASING_SMOOTHSTEP);
        break;
    case 5:
        sinew_action_stop(mixer, first);
        break;
    case 6:
        sinew_layer_set_mask(mixer, 3, random_next(random) % 2 ? d->mask : NULL);
        break;
    default:
        sinew_action_fade_out(mixer, first, def.fade);
        break;
    }
}

static void step_by_step(sinew_mixer *mixer, float dt) {
    sinew_mixer_advance(mixer, dt);
    sinew_mixer_evaluate(mixer);
    sinew_mixer_to_model(mixer);
}

static void check_same(const drawn_stage *d, const sinew_mixer *a, const sinew_mixer *b) {
    size_t size = (size_t)d->skeleton->node_count * sizeof(sinew_affine);
    assert_memory_equal(sinew_mixer_model_matrices(a), sinew_mixer_model_matrices(b), size);
    size = (size_t)d->skeleton->weight_count * sizeof(float);
    if (size > 0) assert_memory_equal(sinew_mixer_morph_weights(a), sinew_mixer_morph_weights(b), size);
}

// One mixer takes steps, one updates, one is in a batch next to another, and one is only sometimes asked for its
// pose, a step after its last evaluation. All must be the same.
static void check_ways(const drawn_stage *d, uint64_t *random, int32_t most) {
    sinew_mixer *ways[4], *neighbour = make_drawn(d, most);
    for (int i = 0; i < 4; i++) ways[i] = make_drawn(d, most);
    for (int frame = 0; frame < 40; frame++) {
        uint64_t same = *random;
        for (int i = 0; i < 4; i++) {
            *random = same;
            do_something(d, random, ways[i]);
        }
        float dt = random_next(random) % 5 == 0 ? 0 : random_float(random, 0, 0.2f);
        step_by_step(ways[0], dt);
        bool moved = sinew_mixer_update(ways[1], dt);
        sinew_batch_item items[2] = {{.mixer = neighbour}, {.mixer = ways[2]}};
        sinew_batch_update(items, 0, 2, dt);
        assert_int_equal(items[1].changed, moved);
        sinew_mixer_update(ways[3], dt);
        check_same(d, ways[0], ways[1]);
        check_same(d, ways[0], ways[2]);
        if (frame % 7 == 3) {
            for (int i = 0; i < 4; i++) sinew_mixer_advance(ways[i], 0.05f);
            uint64_t poses[2] = {BITS_NONE, BITS_NONE};
            poses[0] = add_bits_of_pose(poses[0], sinew_mixer_pose(ways[0]));
            poses[1] = add_bits_of_pose(poses[1], sinew_mixer_pose(ways[3]));
            assert_true(poses[0] == poses[1]);
        }
    }
    for (int i = 0; i < 4; i++) sinew_mixer_destroy(ways[i]);
    sinew_mixer_destroy(neighbour);
}

static void test_all_ways_to_a_pose_give_its_bits(void **state) {
    (void)state;
    uint64_t random = 6;
    const int32_t sizes[5] = {1, 15, 33, 70, 18};
    for (int i = 0; i < 5; i++) {
        drawn_stage d;
        open_drawn(&d, &random, sizes[i]);
        int32_t rows = d.clips[2]->data->row_count, most = i < 4 ? 6 : 40;
        if (i == 4)
            assert_true(rows * 12 + d.clips[5]->data->row_count * 12 > 64); // more than there is room for keys
        for (int k = 0; k < 3; k++) check_ways(&d, &random, most);
        close_drawn(&d);
    }
}

// The bits of everything, with any vectors: pinned with plain C.
static void test_layers_have_the_same_bits_on_every_machine(void **state) {
    (void)state;
    uint64_t random = 7, bits = BITS_NONE;
    drawn_stage d;
    open_drawn(&d, &random, 45);
    sinew_mixer *mixer = make_drawn(&d, 6);
    for (int frame = 0; frame < 200; frame++) {
        do_something(&d, &random, mixer);
        sinew_mixer_update(mixer, random_float(&random, 0, 0.1f));
        bits = add_bits_of_pose(bits, sinew_mixer_pose(mixer));
    }
    check_bits(bits, UINT64_C(0xadc09a8aff2fec29));
    sinew_mixer_destroy(mixer);
    close_drawn(&d);
}

// ---- Memory --------------------------------------------------------------------------------------------------

static void test_a_mixer_of_layers_is_one_allocation(void **state) {
    mixer_stage *s = *state;
    for (int32_t layers = 1; layers <= 8; layers++) {
        counting c = {.fail_at = 1};
        sinew_mixer_def def = stage_def(s);
        def.layer_count = layers;
        def.allocator = counting_allocator(&c);
        sinew_mixer *mixer = s->mixer;
        assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_ERROR_OUT_OF_MEMORY);
        assert_null(mixer);
        assert_int_equal(c.live, 0);
        c = (counting){0};
        assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
        assert_int_equal(c.allocations, 1);
        sinew_mixer_destroy(mixer);
        assert_int_equal(c.live, 0);
    }
    sinew_mixer_def def = stage_def(s);
    sinew_mixer *mixer;
    def.layer_count = 0;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_ERROR_ARGUMENT);
    def.layer_count = 9;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_ERROR_ARGUMENT);
}

int main(void) {
#define on_stage(test) cmocka_unit_test_setup_teardown(test, stage_set_up, stage_tear_down)
    const struct CMUnitTest tests[] = {
        on_stage(test_a_layer_covers_what_is_below_by_its_weight),
        on_stage(test_layers_lie_in_their_order),
        on_stage(test_the_layer_of_an_action),
        on_stage(test_a_layers_weight_fades),
        on_stage(test_what_a_layers_actions_lack_of_1_is_left_to_what_is_below),
        on_stage(test_a_layer_fades_in_from_below_and_out_again),
        on_stage(test_a_full_mixer_does_not_jump_above_the_base),
        on_stage(test_a_layer_that_does_not_show_costs_no_bits),
        on_stage(test_a_mask_says_how_much_of_each_node),
        on_stage(test_a_mask_of_ones_is_none_and_of_zeros_nothing),
        on_stage(test_a_mask_that_is_set_again_is_seen),
        on_stage(test_an_update_says_whether_a_layer_moved),
        on_stage(test_a_change_of_a_layer_leaves_the_last_pose_alone),
        on_stage(test_a_difference_on_its_reference_is_the_clip),
        on_stage(test_differences_are_added_oldest_first),
        on_stage(test_a_masked_difference_on_an_overriding_layer),
        on_stage(test_what_is_added_is_never_folded),
        on_stage(test_actions_on_layers_have_events),
        on_stage(test_a_clip_is_found_in_each_layer),
        cmocka_unit_test(test_all_ways_to_a_pose_give_its_bits),
        cmocka_unit_test(test_layers_have_the_same_bits_on_every_machine),
        on_stage(test_a_mixer_of_layers_is_one_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
