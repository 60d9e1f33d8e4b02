// SPDX-License-Identifier: MIT
// The mixer's events: which ends and markers a step passes, and in which order. Checked against integers that count
// ticks of 2^-12 seconds.
#include "support/check.h"

#include <float.h>
#include <string.h>

#define TICK (1.0f / 4096.0f)

enum { MOST_MARKERS = 8, MOST_EXPECTED = 4096, STEPS = 20 };

static int clips = 2500; // that are played at random; as an argument 50000, for a million steps

// ---- Clips ---------------------------------------------------------------------------------------------------

typedef struct clip_plan {
    int64_t duration; // ticks
    int32_t marker_count;
    int64_t markers[MOST_MARKERS]; // ticks, by time
} clip_plan;

static sinew_clip *make_marked(const sinew_skeleton *skeleton, const clip_plan *plan) {
    float times[2] = {0, (float)plan->duration * TICK}, values[6] = {0, 0, 0, 1, 0, 0};
    int32_t keys = plan->duration > 0 ? 2 : 1;
    sinew_channel_def channel = {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, keys, times, values};
    sinew_marker markers[MOST_MARKERS];
    for (int32_t i = 0; i < plan->marker_count; i++) {
        markers[i] = (sinew_marker){NULL, (float)plan->markers[i] * TICK};
    }
    sinew_clip_def def = sinew_clip_default();
    def.skeleton = skeleton;
    def.channel_count = 1;
    def.channels = &channel;
    def.marker_count = plan->marker_count;
    def.markers = markers;
    sinew_clip *clip;
    sinew_error error = {0};
    if (sinew_clip_create(&def, &clip, &error) != SINEW_OK) fail_msg("%s", error.message);
    return clip;
}

// ---- What must happen, in whole numbers ------------------------------------------------------------------------

// An action as ticks count it, walking one tick at a time and turning at the ends as it is told to.
typedef struct walker {
    const clip_plan *plan;
    sinew_loop loop;
    int32_t loops_left; // negative: without an end
    int64_t at;         // ticks of the clip
    int direction;      // of the clip's time when played forward: ping-pong changes it
    bool fresh, finished;
} walker;

typedef struct expected_event {
    sinew_event_type type;
    int32_t marker;
    int64_t moment; // ticks of the way gone
} expected_event;

typedef struct expectation {
    expected_event events[MOST_EXPECTED];
    int32_t count;
} expectation;

static void expect(expectation *e, sinew_event_type type, int32_t marker, int64_t moment) {
    assert_true(e->count < MOST_EXPECTED);
    e->events[e->count++] = (expected_event){type, marker, moment};
}

static void meet_markers(const walker *w, expectation *e, int way, int64_t moment) {
    for (int32_t n = 0; n < w->plan->marker_count; n++) {
        int32_t i = way > 0 ? n : w->plan->marker_count - 1 - n;
        if (w->plan->markers[i] == w->at) expect(e, SINEW_EVENT_MARKER, i, moment);
    }
}

// At an end: the next loop starts at the other one, or turns round here.
static void meet_end(walker *w, expectation *e, int way, int64_t moment) {
    if (w->loop == SINEW_LOOP_ONCE || w->loops_left == 1) {
        w->finished = true;
        expect(e, SINEW_EVENT_FINISHED, -1, moment);
        return;
    }
    if (w->loops_left > 0) w->loops_left--;
    expect(e, SINEW_EVENT_LOOPED, -1, moment);
    if (w->loop == SINEW_LOOP_PING_PONG) {
        w->direction = -w->direction;
        return;
    }
    w->at = way > 0 ? 0 : w->plan->duration;
    meet_markers(w, e, way, moment);
}

// In REPEAT both ends are one place, and it is left from the one that has the clip before it.
static void leave_end(walker *w, int way) {
    if (w->loop != SINEW_LOOP_REPEAT) return;
    if (way < 0 && w->at == 0)
        w->at = w->plan->duration;
    else if (way > 0 && w->at == w->plan->duration)
        w->at = 0;
}

// `ticks` is signed as the speed is.
static void walk(walker *w, int64_t ticks, expectation *e) {
    if (ticks == 0 || w->finished) return;
    int sign = ticks > 0 ? 1 : -1;
    leave_end(w, sign);
    if (w->fresh) meet_markers(w, e, sign * w->direction, 0);
    w->fresh = false;
    int64_t steps = ticks * sign;
    // Played past its end: one that starts there ends immediately.
    if (w->loop == SINEW_LOOP_ONCE && w->at == (sign > 0 ? w->plan->duration : 0)) meet_end(w, e, sign, 0);
    for (int64_t i = 1; i <= steps && !w->finished; i++) {
        int way = sign * w->direction;
        // A ping-pong action that changed its speed's sign exactly at an end continues from there into the clip.
        if (w->loop == SINEW_LOOP_PING_PONG && w->at == (way > 0 ? w->plan->duration : 0)) {
            w->direction = -w->direction;
            way = -way;
        }
        w->at += way;
        meet_markers(w, e, way, i);
        if (w->at == (way > 0 ? w->plan->duration : 0)) meet_end(w, e, way, i);
    }
}

// ---- The two side by side ------------------------------------------------------------------------------------

static void check_events(const sinew_mixer *mixer, const sinew_clip *clip, const expectation *e, int64_t speed) {
    const sinew_events events = sinew_mixer_events(mixer);
    assert_int_equal(events.dropped_count, 0);
    assert_int_equal(events.count, e->count);
    for (int32_t i = 0; i < events.count; i++) {
        assert_int_equal(events.items[i].type, e->events[i].type);
        int32_t marker = events.items[i].marker ? (int32_t)(events.items[i].marker - clip->markers) : -1;
        // Several markers may stand at one time: the order of the list is not told by the ticks when it is gone back.
        if (marker != e->events[i].marker) {
            assert_true(marker >= 0 && e->events[i].marker >= 0);
            assert_true(clip->markers[marker].time == clip->markers[e->events[i].marker].time);
        }
        double moment = (double)e->events[i].moment / 4096.0 / (double)(speed < 0 ? -speed : speed);
        check_near(events.items[i].moment, moment, 1e-6 * moment);
    }
}

static clip_plan random_plan(uint64_t *random) {
    clip_plan plan = {.duration = 1 + (int64_t)(random_next(random) % 64)};
    if (random_next(random) % 4 == 0) plan.duration *= 64;
    plan.marker_count = (int32_t)(random_next(random) % (MOST_MARKERS + 1));
    for (int32_t i = 0; i < plan.marker_count; i++) {
        uint32_t kind = random_next(random) % 8; // often at the ends, where mistakes are made
        int64_t time = kind == 0 ? 0 : kind == 1 ? plan.duration : random_next(random) % (plan.duration + 1);
        int32_t place = i;
        for (; place > 0 && plan.markers[place - 1] > time; place--) plan.markers[place] = plan.markers[place - 1];
        plan.markers[place] = time;
    }
    return plan;
}

static int64_t random_speed(uint64_t *random) {
    int64_t speed = 1 + random_next(random) % 4;
    return random_next(random) % 2 ? speed : -speed;
}

static int64_t random_ticks(uint64_t *random, const clip_plan *plan) {
    switch (random_next(random) % 8) {
    case 0:
        return 0;
    case 1:
        return plan->duration; // from an end to the next one
    case 2:
        return random_next(random) % (8 * plan->duration); // over many loops
    default:
        return random_next(random) % 32;
    }
}

static void play_at_random(sinew_mixer *mixer, const sinew_skeleton *skeleton, uint64_t *random, int steps) {
    clip_plan plan = random_plan(random);
    sinew_clip *clip = make_marked(skeleton, &plan);
    sinew_play_def def = sinew_play_default();
    def.loop = (sinew_loop)(random_next(random) % 3);
    def.loop_count = random_next(random) % 2 ? SINEW_FOREVER : 1 + (int32_t)(random_next(random) % 20);
    int64_t speed = random_speed(random);
    def.speed = (float)speed;
    walker w = {.plan = &plan, .loop = def.loop, .loops_left = def.loop_count, .direction = 1, .fresh = true};
    w.at = speed < 0 ? plan.duration : 0;
    if (random_next(random) % 2) {
        w.at = random_next(random) % (plan.duration + 1);
        def.time = (float)w.at * TICK;
    }
    sinew_action action = sinew_mixer_play(mixer, sinew_clip_source(clip), &def);
    static expectation e;
    for (int i = 0; i < steps; i++) {
        int64_t ticks = random_ticks(random, &plan);
        e.count = 0;
        walk(&w, ticks * speed, &e);
        // The walker goes tick by tick of the clip: `ticks` of time are so many times the speed.
        sinew_mixer_advance(mixer, (float)ticks * TICK);
        check_events(mixer, clip, &e, speed);
        assert_int_equal(sinew_action_is_finished(mixer, action), w.finished);
        if (w.loop != SINEW_LOOP_REPEAT || w.finished || (w.at > 0 && w.at < plan.duration)) {
            check_near(sinew_action_time(mixer, action), (double)w.at / 4096.0, 0);
        }
    }
    sinew_mixer_stop_all(mixer);
    sinew_clip_destroy(clip);
}

static void test_every_end_and_marker_is_passed_once(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(1);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = skeleton;
    def.max_actions = 1;
    def.max_events = MOST_EXPECTED;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    uint64_t random = 1;
    for (int i = 0; i < clips; i++) play_at_random(mixer, skeleton, &random, STEPS);
    sinew_mixer_destroy(mixer);
    sinew_skeleton_destroy(skeleton);
}

// ---- The queue -----------------------------------------------------------------------------------------------

typedef struct stage {
    sinew_skeleton *skeleton;
    sinew_clip *clip; // a second long, with markers at 0, 0.25 and 1
    sinew_mixer *mixer;
} stage;

static void make_stage(stage *s, int32_t max_events) {
    const clip_plan plan = {4096, 3, {0, 1024, 4096}};
    s->skeleton = make_chain(1);
    s->clip = make_marked(s->skeleton, &plan);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s->skeleton;
    def.max_events = max_events;
    assert_int_equal(sinew_mixer_create(&def, &s->mixer, NULL), SINEW_OK);
}

static void free_stage(stage *s) {
    sinew_mixer_destroy(s->mixer);
    sinew_clip_destroy(s->clip);
    sinew_skeleton_destroy(s->skeleton);
}

static int32_t count_events(const stage *s) {
    return sinew_mixer_events(s->mixer).count;
}

static void test_what_the_queue_has_no_room_for_is_counted(void **state) {
    (void)state;
    for (int loop = SINEW_LOOP_REPEAT; loop <= SINEW_LOOP_PING_PONG; loop++) {
        for (int32_t room = 0; room < 40; room++) {
            stage s, whole;
            make_stage(&s, room);
            make_stage(&whole, 100);
            sinew_play_def def = sinew_play_default();
            def.loop = (sinew_loop)loop;
            sinew_mixer_play(s.mixer, sinew_clip_source(s.clip), &def);
            sinew_mixer_play(whole.mixer, sinew_clip_source(whole.clip), &def);
            sinew_mixer_advance(s.mixer, 9.5f);
            sinew_mixer_advance(whole.mixer, 9.5f);
            assert_int_equal(count_events(&s) + sinew_mixer_events(s.mixer).dropped_count, count_events(&whole));
            sinew_mixer_advance(s.mixer, 0.0f);
            assert_int_equal(sinew_mixer_events(s.mixer).dropped_count, 0);
            free_stage(&s);
            free_stage(&whole);
        }
    }
}

// A step of years returns immediately, and its count of lost events doesn't become negative.
static void test_a_step_of_very_many_loops(void **state) {
    (void)state;
    stage s;
    make_stage(&s, 8);
    sinew_mixer_play(s.mixer, sinew_clip_source(s.clip), NULL);
    const float long_times[2] = {1e12f, FLT_MAX};
    for (int i = 0; i < 2; i++) {
        sinew_mixer_advance(s.mixer, long_times[i]);
        assert_int_equal(count_events(&s), 8);
        assert_int_equal(sinew_mixer_events(s.mixer).dropped_count, INT32_MAX);
    }
    free_stage(&s);
}

static void test_events_of_all_actions_come_by_moment(void **state) {
    (void)state;
    stage s;
    make_stage(&s, 64);
    sinew_play_def slow = sinew_play_default(), fast = slow, same = slow;
    slow.speed = 0.5f, slow.allow_duplicate = true;
    fast.speed = 2, fast.allow_duplicate = true;
    same.speed = 2, same.allow_duplicate = true;
    sinew_action actions[3] = {sinew_mixer_play(s.mixer, sinew_clip_source(s.clip), &slow),
                               sinew_mixer_play(s.mixer, sinew_clip_source(s.clip), &fast),
                               sinew_mixer_play(s.mixer, sinew_clip_source(s.clip), &same)};
    sinew_mixer_advance(s.mixer, 0.5f);
    // All three's markers at 0; at 0.125 s the two fast ones' at 0.25; at 0.5 s the slow one's, and the others' ends.
    const int expected[] = {0, 1, 2, 1, 2, 0, 1, 1, 1, 2, 2, 2};
    const double moments[] = {0, 0, 0, 0.125, 0.125, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
    const sinew_events events = sinew_mixer_events(s.mixer);
    assert_int_equal(events.count, 12);
    for (int i = 0; i < 12; i++) {
        assert_int_equal(events.items[i].action.id, actions[expected[i]].id);
        check_near(events.items[i].moment, moments[i], 0);
    }
    free_stage(&s);
}

static void test_events_have_the_weight_of_their_moment(void **state) {
    (void)state;
    stage s;
    make_stage(&s, 64);
    sinew_play_def def = sinew_play_default();
    def.fade = 0.5f;
    sinew_mixer_play(s.mixer, sinew_clip_source(s.clip), &def);
    sinew_mixer_advance(s.mixer, 1);
    const sinew_events events = sinew_mixer_events(s.mixer);
    assert_int_equal(events.count, 5); // 0, 0.25, 1, looped, 0
    const double weights[5] = {0, 0.5, 1, 1, 1};
    for (int i = 0; i < 5; i++) check_near(events.items[i].weight, weights[i], 1e-7);
    free_stage(&s);
}

// What has faded out within a step does not live to see the rest of it.
static void test_nothing_happens_after_a_fade_out(void **state) {
    (void)state;
    stage s;
    make_stage(&s, 64);
    sinew_action action = sinew_mixer_play(s.mixer, sinew_clip_source(s.clip), NULL);
    sinew_mixer_advance(s.mixer, 0.125f);
    sinew_action_fade_out(s.mixer, action, 0.5f);
    sinew_mixer_advance(s.mixer, 2);
    assert_int_equal(count_events(&s), 1); // the marker at 0.25, not the end at 1
    assert_false(sinew_action_is_active(s.mixer, action));
    free_stage(&s);
}

static void test_where_an_action_is_put_is_passed(void **state) {
    (void)state;
    stage s;
    make_stage(&s, 64);
    sinew_action action = sinew_mixer_play(s.mixer, sinew_clip_source(s.clip), NULL);
    sinew_mixer_advance(s.mixer, 0.25f);
    assert_int_equal(count_events(&s), 2); // 0 and 0.25
    sinew_mixer_advance(s.mixer, 0.125f);
    assert_int_equal(count_events(&s), 0);
    sinew_action_set_time(s.mixer, action, 0.25f);
    sinew_mixer_advance(s.mixer, 0);
    assert_int_equal(count_events(&s), 0); // no time has gone by
    sinew_mixer_advance(s.mixer, 0.125f);
    assert_int_equal(count_events(&s), 1);
    sinew_action_set_speed(s.mixer, action, -1); // turns back: the marker is passed again
    sinew_mixer_advance(s.mixer, 0.25f);
    assert_int_equal(count_events(&s), 1);
    sinew_action_set_speed(s.mixer, action, 1);
    sinew_action_set_paused(s.mixer, action, true);
    sinew_mixer_advance(s.mixer, 1);
    assert_int_equal(count_events(&s), 0);
    free_stage(&s);
}

static void test_a_clip_of_no_duration_has_one_moment(void **state) {
    (void)state;
    stage s;
    make_stage(&s, 64);
    const clip_plan instant = {0, 2, {0, 0}};
    sinew_clip *clip = make_marked(s.skeleton, &instant);
    sinew_play_def once = sinew_play_default();
    once.loop = SINEW_LOOP_ONCE;
    sinew_mixer_play(s.mixer, sinew_clip_source(clip), &once);
    sinew_mixer_advance(s.mixer, 0.5f);
    assert_int_equal(count_events(&s), 3); // two markers, finished
    sinew_mixer_advance(s.mixer, 0.5f);
    assert_int_equal(count_events(&s), 0);
    sinew_mixer_stop_all(s.mixer);
    sinew_mixer_play(s.mixer, sinew_clip_source(clip), NULL);
    for (int i = 0; i < 3; i++) {
        sinew_mixer_advance(s.mixer, 0.5f);
        assert_int_equal(count_events(&s), i == 0 ? 2 : 0);
    }
    sinew_mixer_stop_all(s.mixer);
    sinew_clip_destroy(clip);
    free_stage(&s);
}

// ---- Markers of clips ----------------------------------------------------------------------------------------

// Beyond 2^53 cycles, the number of a cycle plus 1 is the same number. It did not end.
static void test_steps_of_more_cycles_than_a_double_counts(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(1);
    sinew_clip_def clip_def = sinew_clip_default();
    clip_def.skeleton = skeleton;
    clip_def.duration = (float)(2 * 2022222222222222200005.1e-39); // found by a fuzzer
    sinew_clip *clip;
    assert_int_equal(sinew_clip_create(&clip_def, &clip, NULL), SINEW_OK);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = skeleton;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    sinew_play_def play = sinew_play_default();
    play.speed = -1.5f;
    sinew_mixer_play(mixer, sinew_clip_source(clip), &play);
    sinew_mixer_update(mixer, 0.04f);
    sinew_mixer_advance(mixer, 0.4f * clip->duration);
    for (int power = 0; power < 37; power++)
        sinew_mixer_update(mixer, 1e9f * powf(1.37f, (float)power)); // to 1e14 s
    assert_int_equal(sinew_mixer_events(mixer).dropped_count, INT32_MAX);
    sinew_mixer_destroy(mixer);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

static void test_markers_are_sorted_and_checked(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(1);
    float times[2] = {0, 2}, values[6] = {0};
    sinew_channel_def channel = {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times, values};
    sinew_marker markers[4] = {{"c", 2}, {"a", 0.5f}, {"b", 0.5f}, {NULL, 0}};
    sinew_clip_def def = sinew_clip_default();
    def.skeleton = skeleton;
    def.channel_count = 1, def.channels = &channel;
    def.marker_count = 4, def.markers = markers;
    sinew_clip *clip;
    sinew_error error = {0};
    assert_int_equal(sinew_clip_create(&def, &clip, &error), SINEW_OK);
    const char *names[4] = {"", "a", "b", "c"};
    for (int i = 0; i < 4; i++) assert_string_equal(clip->markers[i].name, names[i]);
    sinew_clip *bound;
    assert_int_equal(sinew_clip_bind(clip, skeleton, NULL, &bound, NULL, &error), SINEW_OK);
    sinew_clip_destroy(clip);
    assert_int_equal(bound->marker_count, 4);
    assert_string_equal(bound->markers[3].name, "c"); // its own copy
    check_near(bound->markers[3].time, 2, 0);
    sinew_clip_destroy(bound);
    const float wrong[3] = {-0.25f, 2.25f, NAN};
    for (int i = 0; i < 3; i++) {
        markers[2].time = wrong[i];
        assert_int_equal(sinew_clip_create(&def, &clip, &error), SINEW_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "markers[2]"));
        assert_null(clip);
    }
    def.markers = NULL;
    assert_int_equal(sinew_clip_create(&def, &clip, &error), SINEW_ERROR_ARGUMENT);
    sinew_skeleton_destroy(skeleton);
}

int main(int argc, char **argv) {
    if (argc > 1) clips = (int)strtol(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_end_and_marker_is_passed_once),
        cmocka_unit_test(test_what_the_queue_has_no_room_for_is_counted),
        cmocka_unit_test(test_a_step_of_very_many_loops),
        cmocka_unit_test(test_events_of_all_actions_come_by_moment),
        cmocka_unit_test(test_events_have_the_weight_of_their_moment),
        cmocka_unit_test(test_nothing_happens_after_a_fade_out),
        cmocka_unit_test(test_where_an_action_is_put_is_passed),
        cmocka_unit_test(test_a_clip_of_no_duration_has_one_moment),
        cmocka_unit_test(test_steps_of_more_cycles_than_a_double_counts),
        cmocka_unit_test(test_markers_are_sorted_and_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
