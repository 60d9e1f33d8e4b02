// SPDX-License-Identifier: MIT
// Chains: an action's successor starts at its exact moment, whatever the frames, without anyone waiting for it.
#include "support/check.h"

#include <math.h>

#define STEP 0x1p-6f // seconds; times are multiples of it, so sums are exact

static struct {
    sinew_skeleton *skeleton;
    sinew_clip *idle, *attack, *run;
    sinew_mixer *mixer;
} s;

// Node 0 goes from 0 to 4, 10 and 30 metres in 2, 1 and 3 seconds.
static int set_up(void **state) {
    (void)state;
    s.skeleton = make_chain(3);
    s.idle = make_slide(s.skeleton, "idle", 0, 2.0f, 4.0f);
    s.attack = make_slide(s.skeleton, "attack", 0, 1.0f, 10.0f);
    s.run = make_slide(s.skeleton, "run", 0, 3.0f, 30.0f);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s.skeleton;
    assert_int_equal(sinew_mixer_create(&def, &s.mixer, NULL), SINEW_OK);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    sinew_mixer_destroy(s.mixer);
    sinew_clip_destroy(s.idle);
    sinew_clip_destroy(s.attack);
    sinew_clip_destroy(s.run);
    sinew_skeleton_destroy(s.skeleton);
    return 0;
}

static sinew_play_def once(void) {
    sinew_play_def def = sinew_play_default();
    def.loop = SINEW_LOOP_ONCE;
    return def;
}

static sinew_transition fade_of(float duration) {
    sinew_transition how = sinew_transition_default();
    how.duration = duration;
    return how;
}

static double x_of(void) {
    return (double)sinew_mixer_pose(s.mixer)->tx[0];
}

static float weight_of(const sinew_clip *clip) {
    return sinew_action_weight(s.mixer, sinew_mixer_find(s.mixer, sinew_clip_source(clip), SINEW_ALL_LAYERS));
}

static float time_of(const sinew_clip *clip) {
    return sinew_action_time(s.mixer, sinew_mixer_find(s.mixer, sinew_clip_source(clip), SINEW_ALL_LAYERS));
}

static void go(float seconds, float step) {
    float t = 0;
    while (t < seconds) sinew_mixer_update(s.mixer, step), t += step;
}

// The attack lasts from 0 to 1; a fade of a quarter of a second starts at 0.75 and is over at 1.
static void check_attack_then_idle(float step) {
    sinew_transition how = fade_of(0.25f);
    sinew_play_def def = once();
    sinew_action attack = sinew_mixer_play(s.mixer, sinew_clip_source(s.attack), &def);
    sinew_action_queue(s.mixer, attack, sinew_clip_source(s.idle), &how, NULL);
    go(0.75f, step);
    check_near(x_of(), 7.5, 1e-5);
    go(0.125f, step);
    check_near(weight_of(s.attack), 0.5, 1e-6);
    check_near(weight_of(s.idle), 0.5, 1e-6);
    check_near(time_of(s.idle), 0.125, 1e-6);
    check_near(x_of(), 0.5 * 8.75 + 0.5 * 0.25, 1e-5);
    go(0.125f, step);
    assert_false(sinew_action_is_active(s.mixer, attack));
    check_near(weight_of(s.idle), 1, 0);
    check_near(x_of(), 0.5, 1e-5);
    sinew_mixer_stop_all(s.mixer);
}

static void a_fade_is_over_at_the_end(void **state) {
    (void)state;
    check_attack_then_idle(STEP);
    check_attack_then_idle(0.125f);
}

// After one step past the end, wherever that is, the idle clip is where it would be by then.
static void one_step_is_as_many(void **state) {
    (void)state;
    for (int quarters = 1; quarters < 8; quarters++) {
        const float dt = 0.25f * (float)quarters;
        sinew_transition how = fade_of(0.25f);
        sinew_play_def def = once();
        sinew_action_queue(s.mixer, sinew_mixer_play(s.mixer, sinew_clip_source(s.attack), &def),
                           sinew_clip_source(s.idle), &how, NULL);
        sinew_mixer_update(s.mixer, dt);
        double idle = fmax(0.0, (double)dt - 0.75), weight = fmin(idle / 0.25, 1);
        check_near(weight_of(s.idle), weight, 1e-6);
        check_near(x_of(), (1 - weight) * 10 * fmin((double)dt, 1) + weight * 2 * idle, 1e-5);
        sinew_mixer_stop_all(s.mixer);
    }
}

static void without_a_follower_the_end_is_held(void **state) {
    (void)state;
    sinew_play_def def = once();
    sinew_action attack = sinew_mixer_play(s.mixer, sinew_clip_source(s.attack), &def);
    sinew_action_queue(s.mixer, attack, sinew_clip_source(s.idle), NULL, NULL);
    sinew_action_queue(s.mixer, attack, sinew_clip_source(NULL), NULL, NULL); // taken back
    go(3, 0.25f);
    assert_true(sinew_action_is_finished(s.mixer, attack));
    check_near(x_of(), 10, 0);
    assert_int_equal(sinew_mixer_find(s.mixer, sinew_clip_source(s.idle), SINEW_ALL_LAYERS).id, 0);
}

// Back to what was before: with the speed and weight that it had.
static void what_was_before_comes_back(void **state) {
    (void)state;
    sinew_transition how = fade_of(0.25f);
    sinew_play_def slow = sinew_play_default(), def = once();
    slow.speed = 0.5f;
    slow.weight = 0.75f;
    sinew_mixer_play(s.mixer, sinew_clip_source(s.idle), &slow);
    go(0.5f, STEP);
    sinew_action attack = sinew_mixer_transition_to(s.mixer, sinew_clip_source(s.attack), &how, &def);
    assert_true(sinew_action_queue_previous(s.mixer, attack, &how));
    go(0.5f, STEP);
    assert_int_equal(sinew_mixer_find(s.mixer, sinew_clip_source(s.idle), SINEW_ALL_LAYERS).id, 0);
    go(0.5f, STEP);
    assert_false(sinew_action_is_active(s.mixer, attack));
    check_near(weight_of(s.idle), 0.75, 1e-6);
    check_near(
        sinew_action_get(s.mixer, sinew_mixer_find(s.mixer, sinew_clip_source(s.idle), SINEW_ALL_LAYERS)).speed,
        0.5, 0);
    check_near(time_of(s.idle), 0.125, 1e-6); // from its start, a quarter of a second ago
}

// One-shots that interrupt one another all lead back to what played before the first.
static void check_interrupted(sinew_transition_kind kind, int interruptions, bool same_clip) {
    sinew_transition how = fade_of(0.25f);
    how.kind = kind;
    sinew_mixer_play(s.mixer, sinew_clip_source(s.idle), NULL);
    go(0.5f, STEP);
    for (int i = 0; i < interruptions; i++) {
        sinew_play_def def = once();
        def.restart = same_clip;
        const sinew_clip *clip = same_clip || i % 2 == 0 ? s.attack : s.run;
        sinew_action action = sinew_mixer_transition_to(s.mixer, sinew_clip_source(clip), &how, &def);
        assert_true(sinew_action_queue_previous(s.mixer, action, &how));
        go(0.5f, STEP);
    }
    go(4, STEP); // the longest of them takes 3 seconds
    assert_int_equal(sinew_mixer_actions(s.mixer, NULL, 0), 1);
    check_near(weight_of(s.idle), 1, 0);
    sinew_mixer_stop_all(s.mixer);
}

static void interrupted_one_shots_lead_back_to_the_first(void **state) {
    (void)state;
    for (int kind = SINEW_TRANSITION_FADE; kind <= SINEW_TRANSITION_DEAD_BLEND; kind++) {
        for (int count = 1; count <= 4; count++) {
            check_interrupted((sinew_transition_kind)kind, count, false);
            check_interrupted((sinew_transition_kind)kind, count, true);
        }
    }
}

// An action that leads on to another one is returned to as that one.
static void an_interrupted_chain_is_returned_to_at_its_end(void **state) {
    (void)state;
    sinew_transition how = fade_of(0.25f);
    sinew_play_def def = once();
    sinew_action attack = sinew_mixer_play(s.mixer, sinew_clip_source(s.attack), &def);
    sinew_action_queue(s.mixer, attack, sinew_clip_source(s.idle), &how, NULL);
    go(0.25f, STEP);
    sinew_action run = sinew_mixer_transition_to(s.mixer, sinew_clip_source(s.run), &how, &def);
    assert_true(sinew_action_queue_previous(s.mixer, run, &how));
    go(4, STEP);
    assert_int_equal(sinew_mixer_actions(s.mixer, NULL, 0), 1);
    check_near(weight_of(s.idle), 1, 0);
}

// The second clip of a chain returns to what played before the first.
static void a_link_of_a_chain_returns_to_what_was_before_it(void **state) {
    (void)state;
    sinew_transition how = fade_of(0.25f);
    sinew_play_def def = once();
    sinew_mixer_play(s.mixer, sinew_clip_source(s.idle), NULL);
    go(0.5f, STEP);
    sinew_action attack = sinew_mixer_transition_to(s.mixer, sinew_clip_source(s.attack), &how, &def);
    sinew_action_queue(s.mixer, attack, sinew_clip_source(s.run), &how, &def);
    go(1, STEP);
    assert_true(sinew_action_queue_previous(
        s.mixer, sinew_mixer_find(s.mixer, sinew_clip_source(s.run), SINEW_ALL_LAYERS), &how));
    go(4, STEP);
    assert_int_equal(sinew_mixer_actions(s.mixer, NULL, 0), 1);
    check_near(weight_of(s.idle), 1, 0);
}

// What held its last pose comes back to that pose, and does not play once more.
static void a_held_pose_comes_back_as_it_is(void **state) {
    (void)state;
    sinew_transition how = fade_of(0.25f);
    sinew_play_def def = once();
    sinew_mixer_play(s.mixer, sinew_clip_source(s.run), &def);
    go(3.5f, STEP);
    sinew_action attack = sinew_mixer_transition_to(s.mixer, sinew_clip_source(s.attack), &how, &def);
    assert_true(sinew_action_queue_previous(s.mixer, attack, &how));
    go(1, STEP);
    for (int i = 0; i < 64; i++) {
        check_near(x_of(), 30, 1e-4);
        sinew_mixer_update(s.mixer, STEP);
    }
}

static void a_clip_that_follows_itself_starts_again(void **state) {
    (void)state;
    for (int kind = SINEW_TRANSITION_FADE; kind <= SINEW_TRANSITION_DEAD_BLEND; kind++) {
        sinew_transition how = fade_of(0.25f);
        how.kind = (sinew_transition_kind)kind;
        sinew_play_def def = once();
        sinew_action attack = sinew_mixer_play(s.mixer, sinew_clip_source(s.attack), &def);
        sinew_action_queue(s.mixer, attack, sinew_clip_source(s.attack), &how, &def);
        go(1.25f, STEP);
        double start = kind == SINEW_TRANSITION_FADE ? 0.75 : 1.0;
        check_near(time_of(s.attack), 1.25 - start, 1e-6);
        check_near(weight_of(s.attack), 1, 1e-6);
        sinew_mixer_stop_all(s.mixer);
    }
}

// ---- Blend spaces --------------------------------------------------------------------------------------------

static sinew_blend_space *make_space(void) {
    const sinew_blend_sample samples[2] = {{s.idle, 0, 0, 1}, {s.run, 1, 0, 1}};
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = s.skeleton;
    def.samples = samples;
    def.sample_count = 2;
    sinew_blend_space *space;
    assert_int_equal(sinew_blend_space_create(&def, &space, NULL), SINEW_OK);
    return space;
}

static sinew_action find_space(const sinew_blend_space *space) {
    return sinew_mixer_find(s.mixer, sinew_blend_space_source(space, 0.0f, 0.0f), 0);
}

static void a_chain_can_lead_to_a_blend_space(void **state) {
    (void)state;
    sinew_blend_space *space = make_space();
    sinew_transition how = fade_of(0.25f);
    sinew_play_def def = once();
    sinew_action attack = sinew_mixer_play(s.mixer, sinew_clip_source(s.attack), &def);
    sinew_action_queue(s.mixer, attack, sinew_blend_space_source(space, 0.75f, 0), &how, NULL);
    go(0.5f, STEP);
    assert_int_equal(find_space(space).id, 0);
    go(0.375f, STEP);
    check_near(sinew_action_weight(s.mixer, find_space(space)), 0.5, 1e-6);
    check_near(sinew_action_get(s.mixer, find_space(space)).parameter.x, 0.75, 0);
    go(0.125f, STEP);
    assert_false(sinew_action_is_active(s.mixer, attack));
    sinew_mixer_stop_all(s.mixer);
    sinew_blend_space_destroy(space);
}

// What was set while the space faded out, and after it had ended by its old handle, is what comes back.
static void a_blend_space_comes_back_as_it_is_now(void **state) {
    (void)state;
    sinew_blend_space *space = make_space();
    for (int when = 0; when < 3; when++) {
        sinew_transition how = fade_of(0.25f);
        sinew_play_def def = once(), grouped = sinew_play_default();
        grouped.sync = 2;
        sinew_action old = sinew_mixer_play(s.mixer, sinew_blend_space_source(space, 0.25f, 0), &grouped);
        go(0.25f, STEP);
        sinew_action attack = sinew_mixer_transition_to(s.mixer, sinew_clip_source(s.attack), &how, &def);
        assert_true(sinew_action_queue_previous(s.mixer, attack, &how));
        go(when == 1 ? 0.5f : 0.125f, STEP);
        assert_true(sinew_action_is_active(s.mixer, old) == (when != 1));
        if (when < 2) {
            sinew_action_set_parameter(s.mixer, old, 1, 0);
            sinew_action_set_speed(s.mixer, old, 1.5f);
        }
        go(2, STEP);
        sinew_action now = find_space(space);
        assert_true(now.id != 0 && now.id != old.id);
        check_near(sinew_action_get(s.mixer, now).parameter.x, when < 2 ? 1 : 0.25, 0);
        check_near(sinew_action_get(s.mixer, now).speed, when < 2 ? 1.5 : 1, 0);
        // Another member of its group comes in where the space is.
        sinew_play_def member = sinew_play_default();
        member.sync = 2;
        sinew_action other = sinew_mixer_play(s.mixer, sinew_clip_source(s.idle), &member);
        check_near(sinew_action_time(s.mixer, other) / 2, sinew_action_time(s.mixer, now) / (when < 2 ? 3.0 : 2.0),
                   1e-5);
        sinew_mixer_stop_all(s.mixer);
    }
    sinew_blend_space_destroy(space);
}

// ---- Letting go ----------------------------------------------------------------------------------------------

// A one-shot of an upper layer: over at its end, and from then on the base alone shows.
static void a_one_shot_lets_go_of_its_layer(void **state) {
    (void)state;
    for (int duration = 0; duration < 2; duration++) {
        sinew_play_def upper = once();
        upper.layer = 1;
        sinew_mixer_play(s.mixer, sinew_clip_source(s.idle), NULL);
        sinew_action attack = sinew_mixer_play(s.mixer, sinew_clip_source(s.attack), &upper);
        sinew_action_queue_fade_out(s.mixer, attack, duration ? 0.25f : 0.0f);
        go(0.75f, STEP);
        check_near(x_of(), 7.5, 1e-5);
        go(0.125f, STEP);
        double part = duration ? 0.5 : 1.0;
        check_near(x_of(), part * 8.75 + (1 - part) * 1.75, 1e-5);
        go(0.125f, STEP);
        assert_false(sinew_action_is_active(s.mixer, attack));
        check_near(x_of(), 2, 1e-5);
        sinew_mixer_stop_all(s.mixer);
    }
}

// In the base the end is held; and a one-shot that lets go is nothing to return to.
static void letting_go_of_the_base_holds_the_end(void **state) {
    (void)state;
    sinew_play_def def = once();
    sinew_action attack = sinew_mixer_play(s.mixer, sinew_clip_source(s.attack), &def);
    sinew_action_queue_fade_out(s.mixer, attack, 0);
    sinew_play_def unweighted = sinew_play_default();
    unweighted.weight = 0;
    sinew_action next = sinew_mixer_play(s.mixer, sinew_clip_source(s.run), &unweighted);
    assert_false(sinew_action_queue_previous(s.mixer, next, NULL));
    sinew_action_stop(s.mixer, next);
    go(2, STEP);
    assert_false(sinew_action_is_active(s.mixer, attack));
    check_near(x_of(), 10, 1e-4);
}

static void before_anything_there_is_nothing_to_return_to(void **state) {
    (void)state;
    sinew_play_def def = once();
    sinew_action attack = sinew_mixer_play(s.mixer, sinew_clip_source(s.attack), &def);
    assert_false(sinew_action_queue_previous(s.mixer, attack, NULL));
    assert_false(sinew_action_queue_previous(s.mixer, (sinew_action){0}, NULL));
}

// A clip of three loops is followed behind the last one, forward, backward and in ping-pong.
static void loops_are_counted(void **state) {
    (void)state;
    for (int way = 0; way < 4; way++) {
        sinew_play_def def = sinew_play_default();
        def.loop = way < 2 ? SINEW_LOOP_REPEAT : SINEW_LOOP_PING_PONG;
        def.speed = way % 2 ? -2.0f : 2.0f;
        def.loop_count = 3;
        sinew_transition how = fade_of(0.25f);
        sinew_action attack = sinew_mixer_play(s.mixer, sinew_clip_source(s.attack), &def);
        sinew_action_queue(s.mixer, attack, sinew_clip_source(s.idle), &how, NULL);
        go(1.25f, STEP); // three rounds take a second and a half
        assert_int_equal(weight_of(s.idle) > 0.0f, 0);
        go(0.125f, STEP);
        check_near(weight_of(s.idle), 0.5, 1e-6);
        go(0.125f, STEP);
        check_near(time_of(s.idle), 0.25, 1e-6);
        sinew_mixer_stop_all(s.mixer);
    }
}

// Inertialization takes over at the end itself, and what is shown does not jump there.
static void other_transitions_come_at_the_end(void **state) {
    (void)state;
    const sinew_transition_kind kinds[2] = {SINEW_TRANSITION_INERTIALIZE, SINEW_TRANSITION_DEAD_BLEND};
    for (int i = 0; i < 2; i++) {
        sinew_transition how = fade_of(0.25f);
        how.kind = kinds[i];
        sinew_play_def def = once();
        sinew_action attack = sinew_mixer_play(s.mixer, sinew_clip_source(s.attack), &def);
        sinew_action_queue(s.mixer, attack, sinew_clip_source(s.idle), &how, NULL);
        go(1 - STEP, STEP);
        assert_true(sinew_action_is_active(s.mixer, attack));
        check_near(x_of(), 10 * (1 - (double)STEP), 1e-5);
        sinew_mixer_update(s.mixer, STEP);
        check_near(x_of(), 10, 1e-4);
        sinew_mixer_update(s.mixer, 0x1p-20f);
        assert_false(sinew_action_is_active(s.mixer, attack));
        check_near(x_of(), 10, 1e-3);
        go(0.5f, STEP);
        check_near(x_of(), 2 * (double)time_of(s.idle), 1e-5);
        sinew_mixer_stop_all(s.mixer);
    }
}

static void what_fades_out_is_not_followed(void **state) {
    (void)state;
    sinew_transition how = fade_of(0.25f);
    sinew_play_def def = once();
    sinew_action attack = sinew_mixer_play(s.mixer, sinew_clip_source(s.attack), &def);
    sinew_action_queue(s.mixer, attack, sinew_clip_source(s.idle), &how, NULL);
    go(0.5f, STEP);
    sinew_mixer_crossfade_to(s.mixer, sinew_clip_source(s.run), 1, NULL);
    go(1.5f, STEP);
    assert_int_equal(sinew_mixer_find(s.mixer, sinew_clip_source(s.idle), SINEW_ALL_LAYERS).id, 0);
    check_near(weight_of(s.run), 1, 0);
}

static void what_waits_is_not_followed_yet(void **state) {
    (void)state;
    sinew_transition how = fade_of(0.25f);
    sinew_play_def def = once();
    sinew_action attack = sinew_mixer_play(s.mixer, sinew_clip_source(s.attack), &def);
    sinew_action_queue(s.mixer, attack, sinew_clip_source(s.idle), &how, NULL);
    sinew_action_set_paused(s.mixer, attack, true);
    sinew_mixer_update(s.mixer, 4);
    assert_int_equal(sinew_mixer_find(s.mixer, sinew_clip_source(s.idle), SINEW_ALL_LAYERS).id, 0);
    sinew_action_set_paused(s.mixer, attack, false);
    go(1, 0.25f);
    check_near(weight_of(s.idle), 1, 0);
}

// Three in a row, in one step: each starts where the one before has its end.
static void chains_go_on_within_a_step(void **state) {
    (void)state;
    sinew_transition how = fade_of(0.25f);
    sinew_play_def def = once();
    sinew_action attack = sinew_mixer_play(s.mixer, sinew_clip_source(s.attack), &def);
    sinew_action_queue(s.mixer, attack, sinew_clip_source(s.run), &how, &def);
    sinew_mixer_update(s.mixer, 0.75f);
    sinew_action run = sinew_mixer_find(s.mixer, sinew_clip_source(s.run), SINEW_ALL_LAYERS);
    sinew_action_queue(s.mixer, run, sinew_clip_source(s.idle), &how, NULL);
    sinew_mixer_update(s.mixer, 4); // at 3.5 the idle clip starts, at 3.75 the run is over
    assert_false(sinew_action_is_active(s.mixer, run));
    check_near(time_of(s.idle), 1.25, 1e-6);
}

// Events of all parts of a step are by their moments in the whole of it.
static void moments_count_from_the_start_of_the_step(void **state) {
    (void)state;
    sinew_transition how = fade_of(0.25f);
    sinew_play_def def = once();
    sinew_action_queue(s.mixer, sinew_mixer_play(s.mixer, sinew_clip_source(s.attack), &def),
                       sinew_clip_source(s.idle), &how, NULL);
    sinew_mixer_update(s.mixer, 0.5f);
    sinew_mixer_update(s.mixer, 4);
    const sinew_events events = sinew_mixer_events(s.mixer);
    assert_int_equal(events.count, 2); // the idle clip, started at 0.25 of this step, reaches its end at 2.25
    assert_int_equal(events.items[0].type, SINEW_EVENT_FINISHED);
    check_near(events.items[0].moment, 0.5, 1e-6);
    assert_int_equal(events.items[1].type, SINEW_EVENT_LOOPED);
    check_near(events.items[1].moment, 2.25, 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_fade_is_over_at_the_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_step_is_as_many, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_a_follower_the_end_is_held, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_before_comes_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(interrupted_one_shots_lead_back_to_the_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_interrupted_chain_is_returned_to_at_its_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_link_of_a_chain_returns_to_what_was_before_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_held_pose_comes_back_as_it_is, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_clip_that_follows_itself_starts_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_chain_can_lead_to_a_blend_space, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_blend_space_comes_back_as_it_is_now, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_one_shot_lets_go_of_its_layer, set_up, tear_down),
        cmocka_unit_test_setup_teardown(letting_go_of_the_base_holds_the_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(before_anything_there_is_nothing_to_return_to, set_up, tear_down),
        cmocka_unit_test_setup_teardown(loops_are_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_transitions_come_at_the_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_fades_out_is_not_followed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_waits_is_not_followed_yet, set_up, tear_down),
        cmocka_unit_test_setup_teardown(chains_go_on_within_a_step, set_up, tear_down),
        cmocka_unit_test_setup_teardown(moments_count_from_the_start_of_the_step, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
