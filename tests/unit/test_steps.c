// SPDX-License-Identifier: MIT
// Steps: which markers begin them, converting between times and beats, and how clips that share a beat continue.
#include "support/check.h"

#include "core/blend_space_phase.h"

static const char *const feet[2] = {"L", "R"};

#define TICK (1.0f / 4096) // all of a clip's times are whole ticks, which floats and doubles hold exactly

// A clip with this many ticks. Its markers have one-letter names.
static sinew_clip *make_marked(const sinew_skeleton *skeleton, int32_t duration, const char *letters,
                               const int32_t *at) {
    enum { MOST = 80 };
    static char names[MOST][2];
    sinew_marker markers[MOST];
    int32_t count = (int32_t)strlen(letters);
    assert_true(count <= MOST);
    for (int32_t i = 0; i < count; i++) {
        names[i][0] = letters[i];
        markers[i] = (sinew_marker){names[i], (float)at[i] * TICK};
    }
    float times[2] = {0, (float)duration * TICK}, values[6] = {0, 0, 0, 1, 0, 0};
    sinew_channel_def channel = {
        0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, duration > 0 ? 2 : 1, times, values};
    sinew_clip_def def = sinew_clip_default();
    def.skeleton = skeleton;
    def.channels = &channel;
    def.channel_count = 1;
    def.markers = markers;
    def.marker_count = count;
    sinew_clip *clip;
    sinew_error error = {0};
    if (sinew_clip_create(&def, &clip, &error) != SINEW_OK) fail_msg("%s", error.message);
    return clip;
}

// Steps of these lengths in ticks. The first one begins at `start`.
static sinew_clip *make_stepping(const sinew_skeleton *skeleton, const char *letters, const int32_t *lengths,
                                 int32_t start) {
    int32_t at[80] = {0}, end = start;
    for (size_t i = 0; i < strlen(letters); i++) {
        at[i] = end;
        end += lengths[i];
    }
    return make_marked(skeleton, end - start, letters, at); // the last one ends at `start` again
}

// ---- Which markers -------------------------------------------------------------------------------------------

static void test_sync_markers_follow_each_other_in_whole_rounds(void **state) {
    (void)state;
    const struct {
        const char *letters;
        int32_t at[6];
        int32_t duration;
        int32_t name_count;
        const char *names[3];
        sinewi_sync_intervals expected;
    } cases[] = {
        {"LR", {0, 50}, 100, 2, {"L", "R"}, {3, 2, 0, {0}}},
        {"LR", {10, 100}, 100, 2, {"L", "R"}, {3, 2, 0, {0}}},
        {"RL", {10, 50}, 100, 2, {"L", "R"}, {3, 2, 1, {0}}},
        {"RLRL", {10, 20, 70, 80}, 100, 2, {"L", "R"}, {15, 4, 1, {0}}},
        {"xLyRz", {0, 10, 20, 30, 100}, 100, 2, {"L", "R"}, {10, 2, 0, {0}}}, // others do not count
        {"LxRx", {10, 10, 30, 30}, 100, 2, {"L", "R"}, {5, 2, 0, {0}}},
        {"CAB", {0, 50, 60}, 100, 3, {"A", "B", "C"}, {7, 3, 2, {0}}},
        {"AAA", {0, 50, 60}, 100, 1, {"A"}, {7, 3, 0, {0}}},
        {"A", {100}, 100, 1, {"A"}, {1, 1, 0, {0}}},
        // And those that are one step.
        {"", {0}, 100, 2, {"L", "R"}, {0, 1, 0, {0}}},
        {"xyz", {0, 1, 2}, 100, 2, {"L", "R"}, {0, 1, 0, {0}}},
        {"LR", {0, 50}, 100, 0, {NULL}, {0, 1, 0, {0}}},
        {"L", {50}, 100, 2, {"L", "R"}, {0, 1, 0, {0}}},               // R is missing
        {"LRL", {0, 50, 70}, 100, 2, {"L", "R"}, {0, 1, 0, {0}}},      // no whole rounds
        {"LLRR", {0, 20, 50, 70}, 100, 2, {"L", "R"}, {0, 1, 0, {0}}}, // another order
        {"BAC", {0, 50, 60}, 100, 3, {"A", "B", "C"}, {0, 1, 0, {0}}},
        {"AA", {50, 50}, 100, 1, {"A"}, {0, 1, 0, {0}}}, // two at the same time
        {"LR", {50, 50}, 100, 2, {"L", "R"}, {0, 1, 0, {0}}},
        {"LR", {0, 100}, 100, 2, {"L", "R"}, {0, 1, 0, {0}}}, // also at the same time: the end is the start
        {"LRL", {0, 50, 100}, 100, 2, {"L", "R"}, {0, 1, 0, {0}}},
        {"LR", {0, 0}, 0, 2, {"L", "R"}, {0, 1, 0, {0}}}, // no duration
    };
    sinew_skeleton *skeleton = make_chain(1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sinew_clip *clip = make_marked(skeleton, cases[i].duration, cases[i].letters, cases[i].at);
        sinewi_sync_intervals steps = sinewi_sync_find_intervals(clip, cases[i].names, cases[i].name_count);
        assert_int_equal(steps.marker_bits, cases[i].expected.marker_bits);
        assert_int_equal(steps.count, cases[i].expected.count);
        assert_int_equal(steps.first_name, cases[i].expected.first_name);
        sinew_clip_destroy(clip);
    }
    sinew_skeleton_destroy(skeleton);
}

static void test_steps_begin_with_the_first_64_markers(void **state) {
    (void)state;
    char letters[80] = {0};
    int32_t at[80];
    for (int32_t i = 0; i < 79; i++) {
        letters[i] = i < 62 ? 'x' : i < 64 ? "LR"[i % 2] : 'y';
        at[i] = 10 * i;
    }
    const char *const many[65] = {"L", "R"};
    sinew_skeleton *skeleton = make_chain(1);
    sinew_clip *clip = make_marked(skeleton, 1000, letters, at);
    sinewi_sync_intervals steps = sinewi_sync_find_intervals(clip, feet, 2);
    assert_true(steps.marker_bits == (uint64_t)3 << 62);
    assert_int_equal(steps.count, 2);
    check_near(sinewi_sync_time_at_phase(clip, &steps, 1), 630 * TICK, 0);
    assert_int_equal(sinewi_sync_find_intervals(clip, many, 65).count, 1); // more names than there can be steps
    sinew_clip_destroy(clip);

    memmove(letters + 2, letters, 77); // one round later: nothing is left of them
    clip = make_marked(skeleton, 1000, letters, at);
    steps = sinewi_sync_find_intervals(clip, feet, 2);
    assert_int_equal(steps.count, 1);
    assert_true(steps.marker_bits == 0);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

// How far apart two times are, round the loop.
static double round_apart(const sinew_clip *clip, double a, double b) {
    double apart = fabs(a - b), duration = clip->duration;
    return fmin(apart, duration - apart);
}

// ---- One clip ------------------------------------------------------------------------------------------------

static int32_t random_below(uint64_t *random, int32_t limit) {
    return (int32_t)(random_next(random) % (uint32_t)limit);
}

// Some rounds of L and R, or of none, with steps of any length.
static sinew_clip *make_random(const sinew_skeleton *skeleton, uint64_t *random) {
    enum { MOST = 12 };
    char letters[MOST + 1] = {0};
    int32_t lengths[MOST], rounds = random_below(random, MOST / 2) + 1, first = random_below(random, 2);
    for (int32_t i = 0; i < 2 * rounds; i++) {
        letters[i] = "LR"[(first + i) % 2];
        lengths[i] = random_below(random, 5000) + 1;
    }
    if (random_below(random, 4) == 0) letters[0] = 'x'; // one step
    return make_stepping(skeleton, letters, lengths, random_below(random, lengths[2 * rounds - 1] + 1));
}

static void test_whole_beats_are_the_markers(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(1);
    uint64_t random = 3;
    for (int round = 0; round < 300; round++) {
        sinew_clip *clip = make_random(skeleton, &random);
        sinewi_sync_intervals steps = sinewi_sync_find_intervals(clip, feet, 2);
        bool one = steps.marker_bits == 0;
        assert_int_equal(steps.count, one ? 1 : clip->marker_count);
        for (int32_t i = 0; i < steps.count; i++) {
            double mark = one ? 0 : clip->markers[i].time, wrapped = mark < clip->duration ? mark : 0;
            assert_true(sinewi_sync_phase_at_time(clip, &steps, mark) == steps.first_name + i);
            if (!one) assert_string_equal(clip->markers[i].name, feet[(steps.first_name + i) % 2]);
            for (int32_t loop = -3; loop <= 3; loop++) {
                assert_true(sinewi_sync_time_at_phase(clip, &steps, steps.first_name + i + loop * steps.count) ==
                            wrapped);
            }
        }
        sinew_clip_destroy(clip);
    }
    sinew_skeleton_destroy(skeleton);
}

// Each step by hand: from mark to mark in whole ticks, the beat is where in it a time is.
static void test_beats_go_evenly_from_mark_to_mark(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(1);
    const int32_t at[4] = {100, 300, 700, 800};
    sinew_clip *clip = make_marked(skeleton, 1000, "RLRL", at);
    sinewi_sync_intervals steps = sinewi_sync_find_intervals(clip, feet, 2);
    const struct {
        double ticks, beat, rate; // the rate in steps a tick
    } cases[] = {
        {0, 1 - 100.0 / 300, 1.0 / 300},
        {50, 1 - 50.0 / 300, 1.0 / 300},
        {100, 1, 1.0 / 200},
        {150, 1.25, 1.0 / 200},
        {300, 2, 1.0 / 400},
        {600, 2.75, 1.0 / 400},
        {700, 3, 1.0 / 100},
        {800, 4, 1.0 / 300},
        {950, 4.5, 1.0 / 300},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double time = cases[i].ticks * TICK;
        check_near(sinewi_sync_phase_at_time(clip, &steps, time), cases[i].beat, 1e-15);
        for (int loop = -2; loop <= 2; loop++) {
            check_near(round_apart(clip, sinewi_sync_time_at_phase(clip, &steps, cases[i].beat + 4 * loop), time),
                       0, 1e-15);
            check_near(sinewi_sync_clip_rate(clip, &steps, cases[i].beat + 4 * loop) * TICK, cases[i].rate, 1e-15);
        }
    }
    check_near(sinewi_sync_phase_at_time(clip, &steps, clip->duration), 4 + 200.0 / 300, 1e-15);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

static void test_times_come_back_from_their_beats(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(1);
    uint64_t random = 5;
    for (int round = 0; round < 300; round++) {
        sinew_clip *clip = make_random(skeleton, &random);
        sinewi_sync_intervals steps = sinewi_sync_find_intervals(clip, feet, 2);
        double duration = clip->duration, before = -HUGE_VAL;
        for (int i = 0; i < 100; i++) {
            double time = (i + (double)random_float(&random, 0, 1)) / 100 * duration;
            double beat = sinewi_sync_phase_at_time(clip, &steps, time);
            assert_true(beat > before && beat >= steps.first_name - 1 && beat <= steps.first_name + steps.count);
            before = beat;
            double back = sinewi_sync_time_at_phase(clip, &steps, beat);
            assert_true(back >= 0 && back < duration);
            check_near(round_apart(clip, back, time), 0, 1e-12 * duration);
        }
        sinew_clip_destroy(clip);
    }
    sinew_skeleton_destroy(skeleton);
}

static void test_any_beat_has_a_time(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(1);
    const int32_t at[2] = {7, 9};
    sinew_clip *clip = make_marked(skeleton, 10, "LR", at), *instant = make_marked(skeleton, 0, "", at);
    sinewi_sync_intervals steps = sinewi_sync_find_intervals(clip, feet, 2),
                          none = sinewi_sync_find_intervals(instant, feet, 2);
    const double beats[] = {1e15 + 1, -1e15 - 1,       1e17,           -1e300, 1.7e308, -1e-300,
                            -1e-17,   nextafter(2, 0), nextafter(2, 3)};
    for (size_t i = 0; i < sizeof beats / sizeof *beats; i++) {
        double time = sinewi_sync_time_at_phase(clip, &steps, beats[i]),
               rate = sinewi_sync_clip_rate(clip, &steps, beats[i]);
        assert_true(time >= 0 && time < clip->duration);
        assert_true(rate == 1 / (2.0 * TICK) || rate == 1 / (8.0 * TICK));
        assert_true(sinewi_sync_time_at_phase(instant, &none, beats[i]) == 0);
        assert_true(sinewi_sync_clip_rate(instant, &none, beats[i]) == 0);
    }
    assert_true(sinewi_sync_phase_at_time(instant, &none, 0) == 0);
    sinew_clip_destroy(clip);
    sinew_clip_destroy(instant);
    sinew_skeleton_destroy(skeleton);
}

// ---- A lone clip ---------------------------------------------------------------------------------------------

// In whole ticks, where it adds up without rounding: a clip that is advanced by beats is where it would be by time,
// and has passed as many marks.
static void test_a_lone_clip_goes_at_its_own_pace(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(1);
    uint64_t random = 7;
    const float speeds[6] = {1, 2, 0.5f, -1, -3, -0.25f};
    for (int round = 0; round < 400; round++) {
        sinew_clip *clip = make_random(skeleton, &random);
        sinewi_sync_member lone = {clip, sinewi_sync_find_intervals(clip, feet, 2), random_float(&random, 0.01f, 3),
                                   speeds[random_below(&random, 6)], 0};
        int64_t duration = (int64_t)(clip->duration / TICK), ticks = random_below(&random, (int32_t)duration);
        double beat = sinewi_sync_phase_at_time(clip, &lone.intervals, (double)ticks * TICK);
        for (int frame = 0; frame < 50; frame++) {
            int64_t dt = (int64_t)4 * random_below(&random, frame % 10 == 0 ? 100000 : 300);
            beat += sinewi_sync_advance(&lone, 1, beat, (double)dt * TICK).phase_delta;
            ticks += (int64_t)((double)dt * (double)lone.speed);
            int64_t loops = ticks / duration - (ticks % duration < 0), in_loop = ticks - loops * duration;

            double time = sinewi_sync_time_at_phase(clip, &lone.intervals, beat),
                   expected_time = (double)in_loop * TICK;
            double tolerance = 1e-12 * clip->duration * (1 + fabs((double)loops));
            check_near(round_apart(clip, time, expected_time), 0, tolerance);
            int64_t passed = 0;
            for (int32_t i = 0; i < lone.intervals.count; i++) {
                double mark = lone.intervals.marker_bits ? clip->markers[i].time : 0;
                passed += (int64_t)(mark / TICK) <= in_loop;
            }
            double expected_beat = lone.intervals.first_name - 1 + (double)(passed + loops * lone.intervals.count);
            double off = fmin(beat - floor(beat), ceil(beat) - beat); // on a mark rounding may say either
            if (off > 1e-9) assert_true(floor(beat) == expected_beat);
        }
        sinew_clip_destroy(clip);
    }
    sinew_skeleton_destroy(skeleton);
}

static void test_ages_are_as_good_as_frames(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(1);
    const int32_t at[4] = {100, 300, 700, 800};
    sinew_clip *clip = make_marked(skeleton, 1000, "RLRL", at);
    sinewi_sync_member lone = {clip, sinewi_sync_find_intervals(clip, feet, 2), 1, 1, 0};
    // 123,456,789 loops and 250 ticks: from 50 ticks in the loop to 300
    double from = sinewi_sync_phase_at_time(clip, &lone.intervals, 50 * TICK),
           dt = (123456789.0 * 1000 + 250) * TICK;
    double on = sinewi_sync_advance(&lone, 1, from, dt).phase_delta;
    check_near(from + on, 2 + 4 * 123456789.0, 1e-6);
    lone.speed = -1;
    check_near(sinewi_sync_advance(&lone, 1, from + on, dt).phase_delta, -on, 1e-6);
    lone.speed = 1e30f;
    assert_true(isfinite(sinewi_sync_advance(&lone, 1, from, 1e30).phase_delta));
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

// ---- Clips that share a beat ---------------------------------------------------------------------------------

// Whole numbers over whole numbers.
typedef struct ratio {
    int64_t over, under;
} ratio;

static ratio ratio_of(int64_t over, int64_t under) {
    int64_t a = over < 0 ? -over : over, b = under;
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a > 1 ? (ratio){over / a, under / a} : (ratio){over, under};
}

static ratio ratio_sum(ratio a, ratio b) {
    return ratio_of(a.over * b.under + b.over * a.under, a.under * b.under);
}

static double ratio_value(ratio a) {
    return (double)a.over / (double)a.under;
}

// Two clips with steps of lengths in powers of two, so their paces' exact sums stay small.
typedef struct couple {
    int32_t lengths[2][6]; // ticks
    int32_t counts[2];
    int32_t weights[2];
} couple;

// How long the step is that begins at a whole beat: 1 / ((w0 / l0 + w1 / l1) / (w0 + w1)).
static ratio couple_needs(const couple *c, int64_t beat) {
    int64_t l0 = c->lengths[0][beat % c->counts[0]], l1 = c->lengths[1][beat % c->counts[1]];
    return ratio_of((c->weights[0] + c->weights[1]) * l0 * l1, c->weights[0] * l1 + c->weights[1] * l0);
}

static couple random_couple(uint64_t *random) {
    couple c;
    for (int i = 0; i < 2; i++) {
        c.counts[i] = 2 * (random_below(random, 3) + 1);
        c.weights[i] = 1 << random_below(random, 3);
        for (int32_t s = 0; s < c.counts[i]; s++) c.lengths[i][s] = 64 << random_below(random, 5);
    }
    return c;
}

// From one beat to another the time is known without rounding; that time must lead there, and back.
static void test_clips_together_go_at_the_mean_of_their_paces(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(1);
    uint64_t random = 9;
    for (int round = 0; round < 300; round++) {
        couple c = random_couple(&random);
        sinewi_sync_member pair[2];
        sinew_clip *clips[2];
        for (int i = 0; i < 2; i++) {
            clips[i] = make_stepping(skeleton, &"LRLRLR"[6 - c.counts[i]], c.lengths[i], 5);
            pair[i] = (sinewi_sync_member){clips[i], sinewi_sync_find_intervals(clips[i], feet, 2),
                                           (float)c.weights[i] * 0.125f, 1, 0};
            assert_int_equal(pair[i].intervals.count, c.counts[i]);
        }
        int64_t begun = random_below(&random, 20), over = round % 3 == 0 ? 500 : 4;
        int64_t ended = begun + 1 + random_below(&random, (int32_t)over);
        int32_t eighths_from = random_below(&random, 8), eighths_to = random_below(&random, 8);

        ratio first = couple_needs(&c, begun), last = couple_needs(&c, ended);
        ratio ticks = ratio_of(first.over * (8 - eighths_from), first.under * 8);
        for (int64_t beat = begun + 1; beat < ended; beat++) ticks = ratio_sum(ticks, couple_needs(&c, beat));
        ticks = ratio_sum(ticks, ratio_of(last.over * eighths_to, last.under * 8));
        double from = (double)begun + eighths_from / 8.0, to = (double)ended + eighths_to / 8.0;
        double dt = ratio_value(ticks) * TICK;
        check_near(sinewi_sync_advance(pair, 2, from, dt).phase_delta, to - from, 1e-11 * (1 + to - from));
        pair[0].speed = pair[1].speed = -1;
        check_near(sinewi_sync_advance(pair, 2, to, dt).phase_delta, from - to, 1e-11 * (1 + to - from));
        pair[0].speed = pair[1].speed = 2;
        check_near(sinewi_sync_advance(pair, 2, from, dt / 2).phase_delta, to - from, 1e-11 * (1 + to - from));

        double beat = from; // and so must any frames of it
        for (int frame = 0; frame < 64; frame++) beat += sinewi_sync_advance(pair, 2, beat, dt / 128).phase_delta;
        check_near(beat, to, 1e-11 * (1 + to - from));
        for (int i = 0; i < 2; i++) sinew_clip_destroy(clips[i]);
    }
    sinew_skeleton_destroy(skeleton);
}

static void test_speeds_count_by_weight(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(1);
    const int32_t at[1] = {0};
    sinew_clip *walk = make_marked(skeleton, 4096, "", at), *run = make_marked(skeleton, 2048, "", at);
    sinew_clip *still = make_marked(skeleton, 0, "", at);
    sinewi_sync_intervals one = {0, 1, 0, {0}};
    sinewi_sync_member all[3] = {{walk, one, 0.25f, 2, 0}, {run, one, 0.75f, -1, 0}, {still, one, 5, 1, 0}};
    // (2 × 1 × 0.25 - 1 × 2 × 0.75) / 1; what stands still has no pace
    check_near(sinewi_sync_advance(all, 3, 7.5, 0.125).rate, -1, 1e-15);
    check_near(sinewi_sync_advance(&all[2], 1, 7.5, 1).rate, 0, 0);
    check_near(sinewi_sync_advance(all, 3, 7.5, 0.125).phase_delta, -0.125, 1e-15);
    check_near(sinewi_sync_advance(all, 2, 7.5, 0.125).phase_delta, -0.125, 1e-15);
    check_near(sinewi_sync_advance(&all[2], 1, 7.5, 1).phase_delta, 0, 0);
    all[0].weight = all[1].weight = 0;
    check_near(sinewi_sync_advance(all, 2, 7.5, 1).phase_delta, 0, 0);
    check_near(sinewi_sync_advance(NULL, 0, 7.5, 1).phase_delta, 0, 0);
    sinew_clip_destroy(walk);
    sinew_clip_destroy(run);
    sinew_clip_destroy(still);
    sinew_skeleton_destroy(skeleton);
}

// Forward in even steps and back in odd ones: at even beats nothing pulls on, at odd ones both ways pull there.
static void test_clips_that_pull_both_ways_stand_still(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(1);
    const int32_t quick_first[2] = {512, 2048}, slow_first[2] = {2048, 512};
    sinew_clip *a = make_stepping(skeleton, "LR", quick_first, 0),
               *b = make_stepping(skeleton, "LR", slow_first, 0);
    sinewi_sync_member pair[2] = {{a, sinewi_sync_find_intervals(a, feet, 2), 1, 1, 0},
                                  {b, sinewi_sync_find_intervals(b, feet, 2), 1, -1, 0}};
    // Steps a second: (8 - 2) / 2 = 3 in even steps, -3 in odd ones.
    check_near(sinewi_sync_advance(pair, 2, 4.25, 0.125).phase_delta, 0.375, 1e-15);
    check_near(sinewi_sync_advance(pair, 2, 4.25, 0.125).rate, 3, 1e-15);
    check_near(sinewi_sync_advance(pair, 2, 4.25, 100).rate, 0, 0);
    // Only with the first, 8 beats per second in even steps and 2 in odd ones: the rate of the step where it arrives.
    check_near(sinewi_sync_advance(pair, 1, 4.25, 0.125).rate, 2, 1e-15);
    check_near(sinewi_sync_advance(pair, 1, 4.25, 0.0625).rate, 8, 1e-15);
    check_near(sinewi_sync_advance(pair, 2, 4.25, 100).phase_delta, 0.75, 1e-15);
    check_near(sinewi_sync_advance(pair, 2, 5.75, 100).phase_delta, -0.75, 1e-15);
    check_near(sinewi_sync_advance(pair, 2, 5, 100).phase_delta, 0, 0);
    check_near(sinewi_sync_advance(pair, 2, 6, 0.125).phase_delta, 0.375, 1e-15); // either way leads off
    sinew_clip_destroy(a);
    sinew_clip_destroy(b);
    sinew_skeleton_destroy(skeleton);
}

// 59, 61, 63 and 64 steps: all loops end together after 14 million beats. Nobody waits for that.
static void test_work_is_bounded_however_seldom_loops_meet(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(1);
    const char *const name = "L";
    const int32_t counts[4] = {59, 61, 63, 64};
    sinewi_sync_member all[4];
    sinew_clip *clips[4];
    for (int i = 0; i < 4; i++) {
        char letters[65] = {0};
        int32_t lengths[64];
        for (int32_t s = 0; s < counts[i]; s++) {
            letters[s] = 'L';
            lengths[s] = s % 2 ? 1024 : 3072;
        }
        clips[i] = make_stepping(skeleton, letters, lengths, 0);
        all[i] = (sinewi_sync_member){clips[i], sinewi_sync_find_intervals(clips[i], &name, 1), 1, 1, 0};
        assert_int_equal(all[i].intervals.count, counts[i]);
    }
    // A pace is between 4/3 and 4 steps a second, and over a long time near what it is over a short one.
    double brief = sinewi_sync_advance(all, 4, 0, 1000).phase_delta,
           ages = sinewi_sync_advance(all, 4, 0, 1e9).phase_delta;
    assert_true(brief > 1333 && brief < 4000);
    check_near(ages / 1e9, brief / 1000, 0.02 * brief / 1000);
    for (int i = 0; i < 4; i++) sinew_clip_destroy(clips[i]);
    sinew_skeleton_destroy(skeleton);
}

// ---- The hero ------------------------------------------------------------------------------------------------

static float marker_time(const sinew_clip *clip, const char *name) {
    for (int32_t i = 0; i < clip->marker_count; i++) {
        if (strcmp(clip->markers[i].name, name) == 0) return clip->markers[i].time;
    }
    fail_msg("'%s' has no marker '%s'", clip->name, name);
    return 0;
}

static void test_the_hero_walks_and_runs_in_step(void **state) {
    (void)state;
    sinew_asset *asset = load_gltf(SINEW_MODELS "/hero.glb", NULL);
    const char *const names[2] = {"Foot_L", "Foot_R"};
    const sinew_clip *clips[3] = {sinew_asset_find_clip(asset, "Walk"), sinew_asset_find_clip(asset, "Run"),
                                  sinew_asset_find_clip(asset, "Idle")};
    sinewi_sync_member all[3];
    for (int i = 0; i < 3; i++)
        all[i] = (sinewi_sync_member){clips[i], sinewi_sync_find_intervals(clips[i], names, 2), 0.5f, 1, 0};
    assert_int_equal(all[2].intervals.count, 1); // it has no feet to put down
    double beat = 0;
    for (int32_t frame = 0; frame < 600; frame++) { // the run comes in
        all[0].weight = 1 - (float)frame / 600;
        all[1].weight = (float)frame / 600;
        double on = sinewi_sync_advance(all, 2, beat, 1.0 / 60).phase_delta, next = floor(beat) + 1;
        if (beat + on >= next) { // a foot comes down in this frame: the same one of both
            for (int i = 0; i < 2; i++) {
                assert_int_equal(all[i].intervals.count, 2);
                double down = marker_time(clips[i], names[(int)next % 2]);
                check_near(sinewi_sync_time_at_phase(clips[i], &all[i].intervals, next), down, 0);
            }
        }
        beat += on;
    }
    assert_true(beat > 10 * 2 / 1.07); // all this time at least as fast as the walk
    sinew_asset_destroy(asset);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sync_markers_follow_each_other_in_whole_rounds),
        cmocka_unit_test(test_steps_begin_with_the_first_64_markers),
        cmocka_unit_test(test_whole_beats_are_the_markers),
        cmocka_unit_test(test_beats_go_evenly_from_mark_to_mark),
        cmocka_unit_test(test_times_come_back_from_their_beats),
        cmocka_unit_test(test_any_beat_has_a_time),
        cmocka_unit_test(test_a_lone_clip_goes_at_its_own_pace),
        cmocka_unit_test(test_ages_are_as_good_as_frames),
        cmocka_unit_test(test_clips_together_go_at_the_mean_of_their_paces),
        cmocka_unit_test(test_speeds_count_by_weight),
        cmocka_unit_test(test_clips_that_pull_both_ways_stand_still),
        cmocka_unit_test(test_work_is_bounded_however_seldom_loops_meet),
        cmocka_unit_test(test_the_hero_walks_and_runs_in_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
