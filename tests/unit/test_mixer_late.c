// SPDX-License-Identifier: MIT
// Requests between a step and a transition haven't been shown yet: the transition keeps the step's velocities.
#include "support/continuing.h"

// What is asked for between the last step and the transition.
typedef enum late_change {
    FASTER,
    SLOWER_AT_ITS_START,
    BACKWARD,
    PAUSED,
    RESUMED,
    UNFINISHED,
    ANOTHER_LOOP,
    BEFORE_A_STEP_OF_NO_TIME,
    LATE_CHANGES
} late_change;

static sinew_action play_for(mixer_stage *s, late_change change) {
    sinew_play_def def = sinew_play_default();
    if (change == UNFINISHED) def.loop = SINEW_LOOP_ONCE;
    if (change == ANOTHER_LOOP) def.loop = SINEW_LOOP_PING_PONG;
    sinew_action action = sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), &def);
    if (change == SLOWER_AT_ITS_START) return action;
    sinew_mixer_update(s->mixer, change == UNFINISHED || change == ANOTHER_LOOP ? 2.5f : 0.5f);
    if (change == RESUMED) sinew_action_set_paused(s->mixer, action, true);
    return action;
}

static void change_late(mixer_stage *s, sinew_action action, late_change change) {
    switch (change) {
    case FASTER:
        sinew_action_set_speed(s->mixer, action, 4);
        break;
    case SLOWER_AT_ITS_START:
        sinew_action_set_speed(s->mixer, action, 0.1f);
        break;
    case BACKWARD:
    case UNFINISHED:
        sinew_action_set_speed(s->mixer, action, -1);
        break;
    case PAUSED:
        sinew_action_set_paused(s->mixer, action, true);
        break;
    case RESUMED:
        sinew_action_set_paused(s->mixer, action, false);
        break;
    case ANOTHER_LOOP:
        sinew_action_set_loop(s->mixer, action, SINEW_LOOP_REPEAT, SINEW_FOREVER); // forward, from its way back
        break;
    default:
        sinew_action_set_speed(s->mixer, action, 4);
        sinew_mixer_update(s->mixer, 0);
        break;
    }
}

static void test_a_speed_that_no_step_has_shown_is_no_velocity(void **state) {
    mixer_stage *s = *state;
    for (int k = 0; k < 2; k++) {
        for (int change = 0; change < LATE_CHANGES; change++) {
            start_over(s);
            sinew_action a = play_for(s, (late_change)change);
            watched w = watch(s);
            change_late(s, a, (late_change)change);
            transition(s, STAGE_C, keeping[k], 2);
            check_continues(s, &w);
        }
    }
}

// One that keeps step goes at the pace of all, which another may change, or leave, or join.
static void test_a_pace_that_no_step_has_shown_is_no_velocity(void **state) {
    mixer_stage *s = *state;
    for (int k = 0; k < 2; k++) {
        for (int way = 0; way < 4; way++) {
            start_over(s);
            sinew_play_def def = sinew_play_default();
            def.sync = 1;
            def.weight = 0.5f;
            sinew_action a = sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), &def);
            sinew_action b = sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_B]), &def);
            sinew_mixer_update(s->mixer, 0.25f);
            watched w = watch(s);
            if (way == 0) sinew_action_set_speed(s->mixer, a, 4);
            if (way == 1) sinew_action_set_paused(s->mixer, b, true);
            def.speed = 4;
            if (way == 2) sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_D]), &def); // joins them
            def.sync = 0;
            if (way == 3) sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_B]), &def); // leaves
            transition(s, STAGE_C, keeping[k], 2);
            check_continues(s, &w);
        }
    }
}

static void test_they_continue_from_a_space_whose_speed_changes(void **state) {
    mixer_stage *s = *state;
    sinew_blend_space *space = space_of_two(s);
    for (int k = 0; k < 2; k++) {
        for (int way = 0; way < 2; way++) {
            start_over(s);
            sinew_action action = sinew_mixer_play(s->mixer, sinew_blend_space_source(space, 0.5f, 0), NULL);
            sinew_mixer_update(s->mixer, 0.25f);
            watched w = watch(s);
            if (way == 0) sinew_action_set_speed(s->mixer, action, 4);
            if (way == 1) sinew_action_set_paused(s->mixer, action, true);
            transition(s, STAGE_C, keeping[k], 2);
            check_continues(s, &w);
        }
    }
    start_over(s);
    sinew_blend_space_destroy(space);
}

static void test_they_continue_from_warped_clips_whose_speeds_change(void **state) {
    mixer_stage *s = *state;
    for (int k = 0; k < 2; k++) {
        start_over(s);
        sinew_action a = play(s, STAGE_A, 1);
        sinew_mixer_update(s->mixer, 0.25f);
        sinew_transition warped = sinew_transition_default();
        warped.duration = 1;
        warped.match_rate = true;
        sinew_action b = sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->clips[STAGE_B]), &warped, NULL);
        sinew_mixer_update(s->mixer, 0.5f);
        watched w = watch(s);
        sinew_action_set_speed(s->mixer, a, 4);
        sinew_action_set_speed(s->mixer, b, -1);
        transition(s, STAGE_C, keeping[k], 2);
        check_continues(s, &w);
    }
}

// What an inertialization has brought goes as its offsets were measured for, until a step shows something else.
static void test_they_continue_when_one_is_interrupted_at_another_speed(void **state) {
    mixer_stage *s = *state;
    for (int k = 0; k < 2; k++) {
        for (int layered = 0; layered < 2; layered++) {
            start_over(s);
            play(s, STAGE_A, 1);
            transition_on(s, 1, STAGE_B, SINEW_TRANSITION_FADE, 0, SINEW_TIME_AUTO);
            sinew_layer_set_weight(s->mixer, 1, layered && keeping[k] == SINEW_TRANSITION_INERTIALIZE ? 0.5f : 0);
            sinew_mixer_update(s->mixer, 0.25f);
            watched w = watch(s);
            sinew_action c = transition(s, STAGE_C, SINEW_TRANSITION_INERTIALIZE, 2);
            if (layered)
                sinew_action_set_speed(
                    s->mixer, sinew_mixer_find(s->mixer, sinew_clip_source(s->clips[STAGE_B]), SINEW_ALL_LAYERS),
                    4);
            sinew_action_set_speed(s->mixer, c, 4);
            transition(s, STAGE_D, keeping[k], 2);
            check_continues(s, &w);
        }
    }
}

// A seek cuts to another place in the clip. The velocity there is the clip's, at its speed before the seek.
static void test_a_velocity_continues_from_where_a_clip_was_sent(void **state) {
    mixer_stage *s = *state;
    for (int k = 0; k < 2; k++) {
        start_over(s);
        sinew_action a = play(s, STAGE_A, 1);
        sinew_mixer_update(s->mixer, 0.5f);
        watched w = watch(s);
        sinew_action_set_time(s->mixer, a, 1);
        sinew_action_set_speed(s->mixer, a, 4);
        transition(s, STAGE_C, keeping[k], 2);
        for (int32_t n = 0; n < STAGE_NODES; n++) {
            w.at.nodes[n] = node_of_clip(STAGE_A, 1, n);
            w.before.nodes[n] = node_of_clip(STAGE_A, 1 - (double)INSTANT, n);
        }
        check_continues(s, &w);
    }
}

// An end with a successor isn't a standstill: the clip moves until then. Within a second, no morph weight reaches 0
// or 1, where a dead blend stops it.
static void test_a_velocity_continues_from_an_end_that_is_followed(void **state) {
    mixer_stage *s = *state;
    const struct {
        int clip;
        sinew_loop loop;
        int32_t loop_count;
        float speed, seconds;
    } ends[4] = {{STAGE_B, SINEW_LOOP_ONCE, 1, 1, 1},
                 {STAGE_D, SINEW_LOOP_ONCE, 1, -1, 2},
                 {STAGE_B, SINEW_LOOP_REPEAT, 2, 1, 2},
                 {STAGE_B, SINEW_LOOP_PING_PONG, 1, 1, 1}};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 4; i++) {
            start_over(s);
            sinew_play_def def = sinew_play_default();
            def.loop = ends[i].loop;
            def.loop_count = ends[i].loop_count;
            def.speed = ends[i].speed;
            sinew_action action = sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[ends[i].clip]), &def);
            sinew_transition how = sinew_transition_default();
            how.kind = keeping[k];
            how.duration = 1;
            how.easing = SINEW_EASING_SMOOTHSTEP;
            sinew_action_queue(s->mixer, action, sinew_clip_source(s->clips[STAGE_C]), &how, NULL);
            sinew_mixer_update(s->mixer, ends[i].seconds - 2 * INSTANT);
            watched w = watch(s);
            assert_false(sinew_action_is_active(s->mixer, action));
            check_continues(s, &w);
        }
    }
}

// A fade that another takes the place of was seen, the other was not: of weights, and of a layer's.
static void test_a_fade_that_is_interrupted_in_the_same_frame_was_a_velocity(void **state) {
    mixer_stage *s = *state;
    for (int k = 0; k < 2; k++) {
        for (int way = 0; way < 4; way++) {
            if (way == 2 && keeping[k] == SINEW_TRANSITION_DEAD_BLEND) continue; // takes the base alone
            start_over(s);
            play(s, STAGE_A, 1);
            if (way == 2) transition_on(s, 1, STAGE_D, SINEW_TRANSITION_FADE, 0, SINEW_TIME_AUTO);
            sinew_mixer_update(s->mixer, 0.25f);
            if (way == 2) sinew_layer_fade_to(s->mixer, 1, 0, 0.5f, SINEW_EASING_SMOOTHSTEP);
            if (way != 2) transition(s, STAGE_D, SINEW_TRANSITION_FADE, 0.5f);
            sinew_mixer_update(s->mixer, 0.25f);
            watched w = watch(s);
            if (way == 0 || way == 3) transition(s, STAGE_C, SINEW_TRANSITION_FADE, 1);
            if (way == 1)
                sinew_action_fade_to(
                    s->mixer, sinew_mixer_find(s->mixer, sinew_clip_source(s->clips[STAGE_A]), SINEW_ALL_LAYERS), 1,
                    0.5f);
            if (way == 2) sinew_layer_fade_to(s->mixer, 1, 1, 0.5f, SINEW_EASING_LINEAR);
            if (way == 3) transition(s, STAGE_A, SINEW_TRANSITION_FADE, 0.5f); // and another in its place
            transition(s, STAGE_B, keeping[k], 2);
            check_continues(s, &w);
        }
    }
}

// What is brought later in the frame of an inertialization has no part in its offsets; what was there has.
static void test_a_second_inertialization_starts_from_what_the_first_shows(void **state) {
    mixer_stage *s = *state;
    for (int way = 0; way < 4; way++) {
        start_over(s);
        play(s, STAGE_A, 1);
        if (way == 3) transition_on(s, 1, STAGE_D, SINEW_TRANSITION_FADE, 0, SINEW_TIME_AUTO);
        sinew_mixer_update(s->mixer, 0.25f);
        watched w = watch(s);
        if (way == 3) sinew_layer_fade_to(s->mixer, 1, 0, 0.5f, SINEW_EASING_LINEAR);
        if (way == 0 || way == 2) transition_on(s, 1, STAGE_B, SINEW_TRANSITION_FADE, 0, SINEW_TIME_AUTO);
        transition(s, STAGE_C, SINEW_TRANSITION_INERTIALIZE, 2);
        if (way == 1 || way == 2) transition_on(s, 2, STAGE_B, SINEW_TRANSITION_FADE, 0, SINEW_TIME_AUTO);
        transition(s, STAGE_D, SINEW_TRANSITION_INERTIALIZE, 2);
        check_continues(s, &w);
    }
}

int main(void) {
#define on_stage(test) cmocka_unit_test_setup_teardown(test, stage_set_up, stage_tear_down)
    const struct CMUnitTest tests[] = {
        on_stage(test_a_speed_that_no_step_has_shown_is_no_velocity),
        on_stage(test_a_pace_that_no_step_has_shown_is_no_velocity),
        on_stage(test_they_continue_from_a_space_whose_speed_changes),
        on_stage(test_they_continue_from_warped_clips_whose_speeds_change),
        on_stage(test_they_continue_when_one_is_interrupted_at_another_speed),
        on_stage(test_a_velocity_continues_from_where_a_clip_was_sent),
        on_stage(test_a_velocity_continues_from_an_end_that_is_followed),
        on_stage(test_a_fade_that_is_interrupted_in_the_same_frame_was_a_velocity),
        on_stage(test_a_second_inertialization_starts_from_what_the_first_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
