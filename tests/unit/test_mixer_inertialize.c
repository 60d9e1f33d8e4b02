// SPDX-License-Identifier: MIT
// sinew_mixer_inertialize: whatever changes the pose at once after it continues the position and the velocity.
#include "support/continuing.h"

typedef enum jump {
    A_SEEK,
    A_SPEED,
    A_WEIGHT,
    A_STOP,
    A_START,
    A_CUT,
    A_LAYER_WEIGHT,
    A_MASK,
    A_MODE_OF_NOTHING, // no change
    JUMPS
} jump;

typedef struct scene {
    sinew_mask *mask;
    sinew_action a, b, upper;
} scene;

// a and b in the base, d over half of it in layer 1.
static scene begin_scene(mixer_stage *s) {
    scene all;
    start_over(s);
    assert_int_equal(sinew_mask_create(s->skeleton, 0, NULL, &all.mask), SINEW_OK);
    sinew_mask_set_subtree(all.mask, 9, 1, STAGE_NODES);
    all.a = play(s, STAGE_A, 1);
    all.b = play(s, STAGE_C, 0.5f);
    all.upper = transition_on(s, 1, STAGE_D, SINEW_TRANSITION_FADE, 0, SINEW_TIME_AUTO);
    sinew_layer_set_weight(s->mixer, 1, 0.5f);
    sinew_mixer_update(s->mixer, 0.25f);
    return all;
}

static void make_jump(mixer_stage *s, const scene *all, jump what) {
    switch (what) {
    case A_SEEK:
        sinew_action_set_time(s->mixer, all->a, 1.25f);
        break;
    case A_SPEED:
        sinew_action_set_speed(s->mixer, all->a, -0.5f);
        break;
    case A_WEIGHT:
        sinew_action_set_weight(s->mixer, all->b, 2);
        break;
    case A_STOP:
        sinew_action_stop(s->mixer, all->a);
        break;
    case A_START:
        play(s, STAGE_B, 1);
        break;
    case A_CUT:
        transition(s, STAGE_B, SINEW_TRANSITION_FADE, 0);
        break;
    case A_LAYER_WEIGHT:
        sinew_layer_set_weight(s->mixer, 1, 1);
        break;
    case A_MASK:
        sinew_layer_set_mask(s->mixer, 1, all->mask);
        break;
    default:
        sinew_layer_set_mode(s->mixer, 2, SINEW_LAYER_ADDITIVE);
        break;
    }
}

static void end_scene(mixer_stage *s, const scene *all) {
    sinew_layer_set_mask(s->mixer, 1, NULL);
    start_over(s);
    sinew_mask_destroy(all->mask);
}

static void test_a_change_that_is_inertialized_continues(void **state) {
    mixer_stage *s = *state;
    for (int what = 0; what < JUMPS; what++) {
        scene all = begin_scene(s);
        watched w = watch(s);
        sinew_mixer_inertialize(s->mixer, 2);
        make_jump(s, &all, (jump)what);
        check_continues(s, &w);
        end_scene(s, &all);
    }
}

// Several calls and changes of a frame are one; a transition joins them.
static void test_several_changes_are_inertialized_together(void **state) {
    mixer_stage *s = *state;
    for (int with = 0; with < 3; with++) {
        scene all = begin_scene(s);
        watched w = watch(s);
        sinew_mixer_inertialize(s->mixer, 1);
        make_jump(s, &all, A_SEEK);
        sinew_mixer_inertialize(s->mixer, 2);
        make_jump(s, &all, A_LAYER_WEIGHT);
        if (with == 1) transition(s, STAGE_B, SINEW_TRANSITION_INERTIALIZE, 2);
        if (with == 2) make_jump(s, &all, A_MASK);
        check_continues(s, &w);
        end_scene(s, &all);
    }
}

// In the end there is nothing left of it, to the bit.
static void test_an_inertialized_change_ends_on_the_bits_of_the_change(void **state) {
    mixer_stage *s = *state;
    for (int what = 0; what < JUMPS; what++) {
        sinew_pose *plain;
        assert_int_equal(sinew_pose_create(s->skeleton, NULL, &plain), SINEW_OK);
        for (int inertializes = 0; inertializes < 2; inertializes++) {
            scene all = begin_scene(s);
            if (inertializes) sinew_mixer_inertialize(s->mixer, 0.25f);
            make_jump(s, &all, (jump)what);
            for (int i = 0; i < 10; i++) sinew_mixer_update(s->mixer, 0.03125f);
            if (inertializes) check_pose_bits(sinew_mixer_pose(s->mixer), plain);
            if (!inertializes) sinew_pose_copy(plain, sinew_mixer_pose(s->mixer));
            end_scene(s, &all);
        }
        sinew_pose_destroy(plain);
    }
}

// A duration of 0, and a mixer that has shown nothing yet: no change.
static void test_no_time_and_nothing_shown_are_no_ops(void **state) {
    mixer_stage *s = *state;
    for (int fresh = 0; fresh < 2; fresh++) {
        start_over(s);
        if (fresh) sinew_mixer_inertialize(s->mixer, 1);
        sinew_action a = play(s, STAGE_A, 1);
        sinew_mixer_update(s->mixer, 0.25f);
        if (!fresh) sinew_mixer_inertialize(s->mixer, 0);
        if (!fresh) sinew_action_set_time(s->mixer, a, 1);
        sinew_mixer_update(s->mixer, 0);
        for (int32_t n = 0; n < STAGE_NODES; n++)
            check_shown(s->mixer, n, node_of_clip(STAGE_A, fresh ? 0.25 : 1, n), CLOSE);
    }
}

// A layer's inertialization is of the nodes under its mask; the others change at once.
static void test_a_layers_inertialization_is_of_its_nodes(void **state) {
    mixer_stage *s = *state;
    scene all = begin_scene(s);
    sinew_layer_set_mask(s->mixer, 1, all.mask);
    sinew_mixer_update(s->mixer, 0.125f);
    watched w = watch(s);
    sinew_layer_inertialize(s->mixer, 1, 2);
    sinew_layer_set_weight(s->mixer, 1, 1);
    make_jump(s, &all, A_CUT);
    sinew_mixer_update(s->mixer, 0);
    for (int32_t n = 0; n < STAGE_NODES; n++) {
        check_shown(s->mixer, n, n < 9 ? node_of_clip(STAGE_B, 0, n) : w.at.nodes[n], CLOSE);
    }
    end_scene(s, &all);
}

int main(void) {
#define on_stage(test) cmocka_unit_test_setup_teardown(test, stage_set_up, stage_tear_down)
    const struct CMUnitTest tests[] = {
        on_stage(test_a_change_that_is_inertialized_continues),
        on_stage(test_several_changes_are_inertialized_together),
        on_stage(test_an_inertialized_change_ends_on_the_bits_of_the_change),
        on_stage(test_no_time_and_nothing_shown_are_no_ops),
        on_stage(test_a_layers_inertialization_is_of_its_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
