// SPDX-License-Identifier: MIT
// The mixer's sync groups: actions stay in step through fades, interruptions and steps of any length, at their common
// pace.
#include "support/stepping.h"

#include <stdio.h>

// In steps: 2% is what is promised, and the rest of it is what a float knows of a time.
#define IN_STEP 2e-5

static const float frame_times[] = {1.0f / 240, 1.0f / 60, 1.0f / 24, 0.1f, 0.2f};
enum { FRAME_TIMES = 5 };

// ---- Some that walk --------------------------------------------------------------------------------------------

static const stepping walk = {"LR", 0, {0.5, 0.5}}, run = {"LR", 0, {0.25, 0.25}};
static const stepping limp = {"LR", 0.1, {0.7, 0.35}}, other_foot = {"RL", 0.05, {0.4, 0.5}};
static const stepping long_one = {"LRLR", 0, {0.3, 0.6, 0.45, 0.2}}; // two rounds, no step as long as another
static const stepping unmarked = {"", 0, {4}};

enum { MOST_WALKERS = 4 };

typedef struct stage {
    sinew_skeleton *skeleton;
    sinew_clip *clips[MOST_WALKERS];
    int count;
    sinew_mixer *mixer;
} stage;

static stage make_stage(const stepping *const *walkers, int count) {
    stage s = {.skeleton = make_chain(MOST_WALKERS), .count = count};
    for (int i = 0; i < count; i++) s.clips[i] = make_stepping(s.skeleton, i, walkers[i]);
    s.mixer = make_stepping_mixer(s.skeleton, feet);
    return s;
}

static stage make_pair(const stepping *a, const stepping *b) {
    const stepping *both[2] = {a, b};
    return make_stage(both, 2);
}

static void free_stage(stage *s) {
    sinew_mixer_destroy(s->mixer);
    for (int i = 0; i < s->count; i++) sinew_clip_destroy(s->clips[i]);
    sinew_skeleton_destroy(s->skeleton);
}

static double stride_of(const stage *s, sinew_action action) {
    const sinew_clip *clip = sinew_action_get(s->mixer, action).clip;
    assert_non_null(clip);
    return stride_at(clip, feet, sinew_action_time(s->mixer, action));
}

// Compares what's active. Returns true if there was more than one.
static bool check_in_step(const stage *s, const sinew_action *actions, int count) {
    int first = -1;
    bool compared = false;
    for (int i = 0; i < count; i++) {
        if (!sinew_action_is_active(s->mixer, actions[i])) continue;
        if (first < 0) first = i;
        check_near(apart(stride_of(s, actions[i]), stride_of(s, actions[first])), 0, IN_STEP);
        compared |= i != first;
    }
    return compared;
}

static sinew_action play(stage *s, int clip, sinew_play_def def) {
    return sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[clip]), &def);
}

static sinew_action play_at(stage *s, int clip, float weight) {
    sinew_play_def def = in_group(1);
    def.weight = weight;
    return play(s, clip, def);
}

static sinew_action crossfade(stage *s, int clip, float duration) {
    sinew_play_def def = in_group(1);
    return sinew_mixer_crossfade_to(s->mixer, sinew_clip_source(s->clips[clip]), duration, &def);
}

// ---- The hero ------------------------------------------------------------------------------------------------

static const char *const hero_feet[2] = {"Foot_L", "Foot_R"};

typedef struct hero {
    sinew_asset *asset;
    const sinew_clip *walk, *run, *idle;
    sinew_mixer *mixer;
} hero;

static hero make_hero(void) {
    hero h;
    h.asset = load_gltf(SINEW_MODELS "/hero.glb", NULL);
    h.walk = sinew_asset_find_clip(h.asset, "Walk");
    h.run = sinew_asset_find_clip(h.asset, "Run");
    h.idle = sinew_asset_find_clip(h.asset, "Idle");
    h.mixer = make_stepping_mixer(h.asset->skeleton, hero_feet);
    return h;
}

static void free_hero(hero *h) {
    sinew_mixer_destroy(h->mixer);
    sinew_asset_destroy(h->asset);
}

static double hero_stride(const hero *h, sinew_action action) {
    return stride_at(sinew_action_get(h->mixer, action).clip, hero_feet, sinew_action_time(h->mixer, action));
}

// Both clips have steps of the same length. So the beat t seconds after the start of a linear fade of T seconds is
// the integral of w r + (1 - w) r' with w = t / T.
static double faded_beats(double rate, double next_rate, double t, double T) {
    double fading = t < T ? t : T;
    return rate * fading + (next_rate - rate) * fading * fading / (2 * T) + next_rate * (t - fading);
}

static void check_hero_fade(hero *h, float fade, float dt) {
    sinew_play_def def = in_group(1);
    sinew_action walks = sinew_mixer_play(h->mixer, sinew_clip_source(h->walk), &def);
    sinew_mixer_update(h->mixer, 0.37f);
    double start = hero_stride(h, walks), t = 0;
    double walk_rate = 2 / (double)h->walk->duration, run_rate = 2 / (double)h->run->duration;
    sinew_action runs = sinew_mixer_crossfade_to(h->mixer, sinew_clip_source(h->run), fade, &def);
    int seen_together = 0;
    while (t < fade + 1) {
        double expected = start + faded_beats(walk_rate, run_rate, t, fade);
        check_near(apart(hero_stride(h, runs), expected), 0, 1e-4);
        if (sinew_action_is_active(h->mixer, walks)) {
            check_near(apart(hero_stride(h, walks), hero_stride(h, runs)), 0, IN_STEP);
            seen_together++;
        }
        sinew_mixer_update(h->mixer, dt);
        t += dt;
    }
    assert_true(seen_together >= (int)(fade / dt));
    sinew_mixer_stop_all(h->mixer);
}

static void test_the_hero_runs_up_in_step(void **state) {
    (void)state;
    const float fades[] = {0.05f, 0.1f, 0.2f, 0.5f, 1, 2};
    hero h = make_hero();
    for (int f = 0; f < 6; f++) {
        for (int d = 0; d < FRAME_TIMES; d++) check_hero_fade(&h, fades[f], frame_times[d]);
    }
    free_hero(&h);
}

static void test_the_hero_changes_his_mind_in_step(void **state) {
    (void)state;
    hero h = make_hero();
    sinew_play_def def = in_group(1);
    uint64_t random = 3;
    sinew_action walks = sinew_mixer_play(h.mixer, sinew_clip_source(h.walk), &def), runs = {0};
    bool running = false;
    double most = 0;
    for (int frame = 0; frame < 20000; frame++) {
        if (random_next(&random) % 12 == 0) {
            float fade = random_float(&random, 0.05f, 2);
            def.easing = random_next(&random) % 2 ? SINEW_EASING_SMOOTHSTEP : SINEW_EASING_LINEAR;
            running = !running;
            if (running) {
                runs = sinew_mixer_crossfade_to(h.mixer, sinew_clip_source(h.run), fade, &def);
            } else {
                walks = sinew_mixer_crossfade_to(h.mixer, sinew_clip_source(h.walk), fade, &def);
            }
        }
        sinew_mixer_update(h.mixer, frame_times[random_next(&random) % FRAME_TIMES]);
        if (!sinew_action_is_active(h.mixer, walks) || !sinew_action_is_active(h.mixer, runs)) continue;
        most = fmax(most, apart(hero_stride(&h, walks), hero_stride(&h, runs)));
    }
    print_message("the feet of walk and run are at most %.2g steps apart\n", most);
    check_near(most, 0, IN_STEP);
    free_hero(&h);
}

// ---- Pace ----------------------------------------------------------------------------------------------------

// Seconds that clips take together for one round of their steps, where all have the steps of `walkers`: in each step
// they go at the mean of their paces.
static double round_time(const stepping *const *walkers, const float *weights, const float *speeds, int count) {
    double seconds = 0;
    for (int step = 0; step < 2; step++) {
        double pace = 0, sum = 0;
        for (int i = 0; i < count; i++) {
            int own = walkers[i]->letters[0] == feet[0][0] ? step : 1 - step;
            pace += (double)weights[i] * speeds[i] / walkers[i]->lengths[own];
            sum += weights[i];
        }
        seconds += sum / pace;
    }
    return seconds;
}

static void check_pace(const float *speeds, const float *weights) {
    const stepping *three[3] = {&limp, &other_foot, &walk};
    stage s = make_stage(three, 3);
    sinew_action actions[3];
    for (int i = 0; i < 3; i++) {
        sinew_play_def def = in_group(1);
        def.speed = speeds[i];
        def.weight = weights[i];
        actions[i] = play(&s, i, def);
    }
    double start = stride_of(&s, actions[0]), round = fabs(round_time(three, weights, speeds, 3));
    const int rounds = 40, frames = 997; // which leads to the same foot again
    for (int i = 0; i < frames; i++) {
        sinew_mixer_advance(s.mixer, (float)(rounds * round / frames));
        assert_true(check_in_step(&s, actions, 3));
    }
    check_near(apart(stride_of(&s, actions[0]), start), 0, 1e-4);
    sinew_mixer_advance(s.mixer, (float)(rounds * round)); // and in one step
    check_near(apart(stride_of(&s, actions[0]), start), 0, 1e-4);
    check_in_step(&s, actions, 3);
    free_stage(&s);
}

static void test_three_share_the_mean_of_their_paces(void **state) {
    (void)state;
    check_pace((const float[3]){1, 1, 1}, (const float[3]){0.5f, 0.25f, 0.25f});
    check_pace((const float[3]){0.6f, 1.7f, 3}, (const float[3]){1, 2, 0.5f});
    check_pace((const float[3]){-1, -0.5f, -2}, (const float[3]){0.3f, 0.3f, 0.6f});
    check_pace((const float[3]){-3, 0.5f, -2}, (const float[3]){1, 0.1f, 1}); // one pulls the other way
}

// Loops of two steps and of four, none as long as another: each step has its own pace, whichever clip is asked.
static void test_loops_of_more_steps_keep_step(void **state) {
    (void)state;
    const stepping *three[3] = {&limp, &long_one, &other_foot};
    stage s = make_stage(three, 3);
    sinew_action actions[3] = {play_at(&s, 0, 0.5f), play_at(&s, 1, 1), play_at(&s, 2, 0.25f)};
    uint64_t random = 7;
    for (int frame = 0; frame < 5000; frame++) {
        sinew_mixer_advance(s.mixer, random_float(&random, 0.001f, 0.2f));
        assert_true(check_in_step(&s, actions, 3));
    }
    sinew_mixer_advance(s.mixer, 1000);
    check_in_step(&s, actions, 3);
    free_stage(&s);
}

static void test_no_drift_in_very_many_loops(void **state) {
    (void)state;
    const stepping drags = {"LR", 0.125, {0.6875, 0.34375}},
                   *both[2] = {&drags, &walk}; // which floats hold exactly
    const float weights[2] = {0.75f, 0.25f}, speeds[2] = {1, 1};
    stage s = make_pair(&drags, &walk);
    sinew_action actions[2] = {play_at(&s, 0, weights[0]), play_at(&s, 1, weights[1])};
    double round = round_time(both, weights, speeds, 2), start = stride_of(&s, actions[0]), time = 0;
    uint64_t random = 8;
    while (time < 1e5 * round) {
        float dt = random_float(&random, 0.05f, 1);
        time += dt;
        sinew_mixer_advance(s.mixer, dt);
        check_in_step(&s, actions, 2);
    }
    float rest = (float)(round * ceil(time / round) - time);
    sinew_mixer_advance(s.mixer, rest);
    check_near(apart(stride_of(&s, actions[0]), start), 0, 1e-3);
    free_stage(&s);
}

// Before either has a weight, they are in step already.
static void test_both_fade_in_in_step(void **state) {
    (void)state;
    for (int d = 0; d < FRAME_TIMES; d++) {
        stage s = make_pair(&walk, &run);
        sinew_play_def def = in_group(1);
        def.fade = 0.3f;
        sinew_action actions[2] = {play(&s, 0, def), play(&s, 1, def)};
        for (int frame = 0; frame < 100; frame++) {
            sinew_mixer_advance(s.mixer, frame_times[d]);
            assert_true(check_in_step(&s, actions, 2));
        }
        free_stage(&s);

        s = make_pair(&walk, &run); // and where none of them gets one
        def.weight = 0;
        actions[0] = play(&s, 0, def), actions[1] = play(&s, 1, def);
        sinew_mixer_advance(s.mixer, 0.3f);
        check_in_step(&s, actions, 2);
        assert_true(stride_of(&s, actions[0]) > 0);
        free_stage(&s);
    }
}

// ---- Who keeps step ------------------------------------------------------------------------------------------

static void check_same(const sinew_mixer *a, sinew_action of_a, const sinew_mixer *b, sinew_action of_b) {
    float time = sinew_action_time(a, of_a), other = sinew_action_time(b, of_b);
    assert_memory_equal(&time, &other, sizeof time);
    assert_int_equal(sinew_action_get(a, of_a).loops_done, sinew_action_get(b, of_b).loops_done);
    assert_int_equal(sinew_action_is_finished(a, of_a), sinew_action_is_finished(b, of_b));
    const sinew_events of_first = sinew_mixer_events(a), of_second = sinew_mixer_events(b);
    assert_int_equal(of_first.count, of_second.count);
    for (int32_t i = 0; i < of_first.count; i++) {
        const sinew_event *event = &of_first.items[i], *same = &of_second.items[i];
        assert_int_equal(event->type, same->type);
        assert_true(event->marker == same->marker);
        assert_memory_equal(&event->moment, &same->moment, sizeof event->moment);
    }
}

// The same bits, whatever it does and however time is divided into steps.
static void test_alone_in_a_group_is_as_in_none(void **state) {
    (void)state;
    stage s = make_pair(&limp, &long_one);
    sinew_mixer *free_mixer = make_stepping_mixer(s.skeleton, feet);
    uint64_t random = 9;
    for (int i = 0; i < 400; i++) {
        sinew_play_def def = sinew_play_default();
        def.speed = random_float(&random, -3, 3);
        def.fade = random_float(&random, 0, 0.3f);
        def.loop = (sinew_loop)(random_next(&random) % 3);
        if (random_next(&random) % 2) def.loop_count = 1 + (int32_t)(random_next(&random) % 9);
        if (random_next(&random) % 2) def.time = random_float(&random, 0, 1);
        const sinew_clip *clip = s.clips[random_next(&random) % 2];
        sinew_action free_one = sinew_mixer_play(free_mixer, sinew_clip_source(clip), &def);
        def.sync = 3;
        sinew_action grouped = sinew_mixer_play(s.mixer, sinew_clip_source(clip), &def);
        for (int frame = 0; frame < 40; frame++) {
            float dt = frame % 8 == 0 ? 4 : random_float(&random, 0, 0.2f);
            sinew_mixer_advance(free_mixer, dt);
            sinew_mixer_advance(s.mixer, dt);
            check_same(free_mixer, free_one, s.mixer, grouped);
        }
        sinew_mixer_stop_all(free_mixer);
        sinew_mixer_stop_all(s.mixer);
    }
    sinew_mixer_destroy(free_mixer);
    free_stage(&s);
}

static void test_only_what_repeats_keeps_step(void **state) {
    (void)state;
    for (int loop = SINEW_LOOP_ONCE; loop <= SINEW_LOOP_PING_PONG; loop += SINEW_LOOP_PING_PONG) {
        stage s = make_pair(&walk, &run);
        sinew_play_def def = in_group(1), other = in_group(1);
        other.loop = (sinew_loop)loop;
        sinew_action walks = play(&s, 0, def);
        sinew_mixer_advance(s.mixer, 0.125f);
        sinew_action runs = play(&s, 1, other);
        check_near(sinew_action_time(s.mixer, runs), 0, 0); // starts at its start
        sinew_mixer_advance(s.mixer, 0.1875f);
        check_near(sinew_action_time(s.mixer, walks), 0.3125, 0); // each at its own pace
        check_near(sinew_action_time(s.mixer, runs), 0.1875, 0);
        sinew_action_set_loop(s.mixer, runs, SINEW_LOOP_REPEAT, SINEW_FOREVER); // and now it joins
        check_near(sinew_action_time(s.mixer, runs), 0.15625, 1e-7);
        sinew_mixer_advance(s.mixer, 0.1f);
        sinew_action both[2] = {walks, runs};
        assert_true(check_in_step(&s, both, 2));
        free_stage(&s);
    }
}

static void test_groups_are_apart(void **state) {
    (void)state;
    const stepping *four[4] = {&walk, &run, &walk, &run};
    stage s = make_stage(four, 4);
    sinew_action first[2] = {play(&s, 0, in_group(1)), play(&s, 1, in_group(1))};
    sinew_play_def backward = in_group(255);
    backward.speed = -0.5f;
    sinew_action second[2] = {play(&s, 2, backward), play(&s, 3, in_group(255))};
    for (int frame = 0; frame < 64; frame++) sinew_mixer_advance(s.mixer, 1.0f / 64);
    check_near(apart(stride_of(&s, first[0]), 3), 0, IN_STEP);    // (2 + 4) / 2 steps a second
    check_near(apart(stride_of(&s, second[0]), 1.5), 0, IN_STEP); // (-1 + 4) / 2
    assert_true(check_in_step(&s, first, 2) && check_in_step(&s, second, 2));
    free_stage(&s);
}

static void test_layers_keep_step_too(void **state) {
    (void)state;
    stage s = make_pair(&limp, &run);
    sinew_play_def upper = in_group(1);
    upper.layer = 1;
    sinew_action actions[2] = {play(&s, 0, in_group(1)), {0}};
    sinew_mixer_advance(s.mixer, 0.4f);
    actions[1] = play(&s, 1, upper);
    sinew_layer_set_weight(s.mixer, 1, 0.5f);
    for (int frame = 0; frame < 300; frame++) {
        assert_true(check_in_step(&s, actions, 2));
        sinew_mixer_advance(s.mixer, 0.03f);
    }
    free_stage(&s);
}

// ---- Joining -------------------------------------------------------------------------------------------------

static void test_what_starts_starts_where_the_group_is(void **state) {
    (void)state;
    const stepping *four[4] = {&limp, &other_foot, &long_one, &walk};
    for (int i = 0; i < 40; i++) {
        stage s = make_stage(four, 4);
        sinew_action actions[4] = {play(&s, 0, in_group(1))};
        for (int k = 1; k < 4; k++) {
            sinew_mixer_advance(s.mixer, 0.037f * (float)i);
            sinew_play_def def = in_group(1);
            if (i % 2) def.time = 0.3f; // which is not looked at
            def.fade = 0.2f;
            actions[k] = play(&s, k, def);
            assert_true(check_in_step(&s, actions, k + 1));
        }
        free_stage(&s);
    }
}

static void test_unmarked_clips_keep_about_their_own_pace(void **state) {
    (void)state;
    hero h = make_hero();
    const sinew_clip *others[2] = {h.walk, h.run};
    for (int order = 0; order < 2; order++) {
        for (int i = 0; i < 2; i++) {
            sinew_play_def def = in_group(1);
            sinew_action first = sinew_mixer_play(h.mixer, sinew_clip_source(order ? h.idle : others[i]), &def);
            sinew_action second = sinew_mixer_play(h.mixer, sinew_clip_source(order ? others[i] : h.idle), &def);
            sinew_action idles = order ? first : second, goes = order ? second : first;
            double at = hero_stride(&h, goes), idle_time = sinew_action_time(h.mixer, idles);
            sinew_mixer_advance(h.mixer, 0.25f);
            double own = 0.25 * 2 / (double)others[i]->duration;
            check_near(apart(hero_stride(&h, goes), at + own), 0, 0.1 * own);
            check_near(remainder(sinew_action_time(h.mixer, idles) - idle_time, h.idle->duration), 0.25, 0.025);
            sinew_mixer_stop_all(h.mixer);
        }
    }
    free_hero(&h);
}

// The heaviest has no feet: what comes goes by the one that has.
static void test_feet_are_those_of_who_has_them(void **state) {
    (void)state;
    const stepping *three[3] = {&unmarked, &limp, &run}; // each divides the first in a different way
    for (int i = 0; i < 20; i++) {
        stage s = make_stage(three, 3);
        sinew_action actions[3] = {play_at(&s, 0, 1)};
        sinew_mixer_advance(s.mixer, 0.2f * (float)i);
        actions[1] = play_at(&s, 1, 0.25f);
        sinew_mixer_advance(s.mixer, 0.31f);
        actions[2] = play_at(&s, 2, 0.5f);
        assert_true(check_in_step(&s, actions + 1, 2));
        sinew_mixer_advance(s.mixer, 2.31f);
        assert_true(check_in_step(&s, actions + 1, 2));
        free_stage(&s);
    }
}

// ---- Pausing and seeking -------------------------------------------------------------------------------------

static void test_what_resumes_is_in_step_again(void **state) {
    (void)state;
    stage s = make_pair(&limp, &run);
    sinew_action actions[2] = {play_at(&s, 0, 1), play_at(&s, 1, 0.5f)};
    sinew_mixer_advance(s.mixer, 0.1f);
    sinew_action_set_paused(s.mixer, actions[1], true);
    float stood = sinew_action_time(s.mixer, actions[1]), before = sinew_action_time(s.mixer, actions[0]);
    sinew_mixer_advance(s.mixer, 0.2f); // the other one is alone, and goes at its own pace
    check_near(sinew_action_time(s.mixer, actions[1]), stood, 0);
    check_near(sinew_action_time(s.mixer, actions[0]) - before, 0.2, 1e-6);
    sinew_action_set_paused(s.mixer, actions[1], false);
    assert_true(check_in_step(&s, actions, 2));
    float time = sinew_action_time(s.mixer, actions[1]);
    sinew_action_set_paused(s.mixer, actions[1], false); // which it had already
    check_near(sinew_action_time(s.mixer, actions[1]), time, 0);

    sinew_action_set_paused(s.mixer, actions[1], true);
    sinew_mixer_advance(s.mixer, 0.2f);
    play_at(&s, 1, 0.5f); // which plays it on
    assert_true(check_in_step(&s, actions, 2));

    for (int i = 0; i < 2; i++) sinew_action_set_paused(s.mixer, actions[i], true); // as a game does that pauses
    stood = sinew_action_time(s.mixer, actions[0]);
    sinew_mixer_advance(s.mixer, 5);
    for (int i = 0; i < 2; i++) sinew_action_set_paused(s.mixer, actions[i], false);
    check_near(sinew_action_time(s.mixer, actions[0]), stood, 0);
    assert_true(check_in_step(&s, actions, 2));
    free_stage(&s);
}

static void test_seeking_one_takes_the_group_along(void **state) {
    (void)state;
    stage s = make_pair(&limp, &run);
    sinew_action actions[2] = {play_at(&s, 0, 1), play_at(&s, 1, 0.5f)};
    sinew_mixer_advance(s.mixer, 0.1f);
    for (int i = 0; i < 2; i++) {
        sinew_action_set_time(s.mixer, actions[i], 0.2f);
        check_near(sinew_action_time(s.mixer, actions[i]), 0.2, 1e-7);
        assert_true(check_in_step(&s, actions, 2));
    }
    sinew_action_reset(s.mixer, actions[0]);
    check_near(sinew_action_time(s.mixer, actions[0]), 0, 0);
    assert_true(check_in_step(&s, actions, 2));
    sinew_play_def def = in_group(1);
    def.time = 0.15f;
    play(&s, 1, def);
    check_near(sinew_action_time(s.mixer, actions[1]), 0.15, 1e-7);
    assert_true(check_in_step(&s, actions, 2));

    sinew_action_set_paused(s.mixer, actions[1], true); // a paused one isn't part of the group
    float before = sinew_action_time(s.mixer, actions[0]);
    sinew_action_set_time(s.mixer, actions[1], 0.4f);
    check_near(sinew_action_time(s.mixer, actions[0]), before, 0);
    free_stage(&s);
}

// ---- Velocities ----------------------------------------------------------------------------------------------

// Dead blending continues the old pose at its velocity, which is the shared pace.
static void test_what_goes_on_goes_on_at_the_shared_pace(void **state) {
    (void)state;
    const stepping *three[3] = {&walk, &run, &unmarked};
    stage s = make_stage(three, 3);
    play(&s, 0, in_group(1)), play(&s, 1, in_group(1));
    sinew_mixer_update(s.mixer, 0.1f);
    double before = sinew_pose_get(sinew_mixer_pose(s.mixer), 0).translation.x, dt = 1.0 / 240;
    sinew_transition how = sinew_transition_default();
    how.kind = SINEW_TRANSITION_DEAD_BLEND;
    how.duration = 1;
    sinew_mixer_transition_to(s.mixer, sinew_clip_source(s.clips[2]), &how, NULL);
    sinew_mixer_update(s.mixer, (float)dt);
    double after = sinew_pose_get(sinew_mixer_pose(s.mixer), 0).translation.x / (1 - dt * dt * (3 - 2 * dt));
    // 1.5 of its seconds a second, at half of the weight.
    check_near((after - before) / dt, 0.75, 0.03);
    free_stage(&s);
}

// ---- Events --------------------------------------------------------------------------------------------------

// Steps that each clip's events have told of.
typedef struct footfalls {
    int feet, loops;
} footfalls;

static void count_footfalls(const stage *s, const sinew_action *actions, footfalls *falls, bool same_moment) {
    int32_t told[2] = {0, 0};
    const sinew_events events = sinew_mixer_events(s->mixer);
    float moments[2][64];
    assert_int_equal(events.dropped_count, 0);
    for (int32_t i = 0; i < events.count; i++) {
        int who = events.items[i].action.id == actions[1].id;
        if (i > 0) assert_true(events.items[i].moment >= events.items[i - 1].moment);
        if (events.items[i].type == SINEW_EVENT_LOOPED) {
            falls[who].loops++;
            continue;
        }
        assert_string_equal(events.items[i].marker->name,
                            feet[falls[who].feet % 2]); // in turn: none twice, none left out
        falls[who].feet++;
        moments[who][told[who]++] = events.items[i].moment;
    }
    assert_int_equal(falls[0].feet, falls[1].feet); // both clips in the same step of time
    for (int32_t i = 0; i < told[0] && same_moment; i++) check_near(moments[0][i], moments[1][i], 1e-6);
}

// Advances by `dt`, or if that's 0 in steps of any length. Both advance by (2 + 4) / 2 steps per second.
static void check_footfalls(const stepping *a, const stepping *b, float dt, double pace) {
    stage s = make_pair(a, b);
    sinew_action actions[2] = {play(&s, 0, in_group(1)), play(&s, 1, in_group(1))};
    footfalls falls[2] = {{0, 0}, {0, 0}};
    uint64_t random = 10;
    double time = 0;
    for (int frame = 0; frame < 20000; frame++) {
        float step = dt > 0 ? dt : random_float(&random, 0, frame % 50 ? 0.1f : 2);
        time += step;
        sinew_mixer_advance(s.mixer, step);
        count_footfalls(&s, actions, falls, true);
        // The left foot at the start is the first.
        double beats = pace * time;
        if (fabs(beats - floor(beats + 0.5)) > 1e-3) assert_int_equal(falls[0].feet, 1 + (int)floor(beats));
    }
    assert_in_range(falls[0].feet - 2 * falls[0].loops, 0, 2);
    free_stage(&s);
}

static void test_feet_come_down_together_and_once(void **state) {
    (void)state;
    check_footfalls(&walk, &run, 0, 3);
    check_footfalls(&walk, &run, 1.0f / 64, 3); // often right at the end of a step of time
    check_footfalls(&walk, &run, 1.0f / 48, 3); // or by rounding just before or behind it
    check_footfalls(&walk, &run, 1.0f / 9, 3);
    const stepping slow = {"LR", 0, {0.55, 0.55}}, quick = {"LR", 0, {0.35, 0.35}};
    double pace = 0.5 * (1 / 0.55 + 1 / 0.35);
    check_footfalls(&slow, &quick, (float)(0.125 / pace), pace);
    check_footfalls(&slow, &quick, 0, pace);
    // 44/15 steps per second: every 15 steps of time, a foot comes down exactly at the end, within rounding.
    const stepping thirds = {"LR", 0, {0.375, 0.375}}, fifths = {"LR", 0.0625, {0.3125, 0.3125}};
    for (int i = 0; i < 5; i++) check_footfalls(&thirds, &fifths, 1.0f / (float)(2 << i), 44.0 / 15);
}

// Where steps differ, the clips share the step of time, and the moment as near as that tells.
static void test_uneven_feet_come_down_once(void **state) {
    (void)state;
    stage s = make_pair(&(stepping){"LR", 0, {0.7, 0.35}}, &walk);
    sinew_action actions[2] = {play(&s, 0, in_group(1)), play(&s, 1, in_group(1))};
    footfalls falls[2] = {{0, 0}, {0, 0}};
    uint64_t random = 11;
    for (int frame = 0; frame < 20000; frame++) {
        sinew_mixer_advance(s.mixer, random_float(&random, 0, frame % 50 ? 0.1f : 2));
        count_footfalls(&s, actions, falls, false);
    }
    assert_true(falls[0].feet > 2000);
    free_stage(&s);
}

static void test_a_fade_that_ends_within_a_step_of_time(void **state) {
    (void)state;
    stage s = make_pair(&walk, &run);
    sinew_action walks = play(&s, 0, in_group(1));
    sinew_mixer_advance(s.mixer, 0.25f); // half a step
    sinew_action runs = crossfade(&s, 1, 0.125f);
    sinew_mixer_advance(s.mixer, 0.5f);
    // 2 and 4 steps a second: 0.125 s at 3 on the average, then 0.375 s at 4.
    check_near(apart(stride_of(&s, runs), 0.5 + 0.375 + 1.5), 0, IN_STEP);
    assert_false(sinew_action_is_active(s.mixer, walks));
    const sinew_events events = sinew_mixer_events(s.mixer);
    for (int32_t i = 0; i < events.count; i++)
        assert_true(events.items[i].action.id == runs.id); // the right foot comes too late
    assert_int_equal(events.count, 3);                     // the right foot, the end of the loop, the left foot
    free_stage(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_hero_runs_up_in_step),
        cmocka_unit_test(test_the_hero_changes_his_mind_in_step),
        cmocka_unit_test(test_three_share_the_mean_of_their_paces),
        cmocka_unit_test(test_loops_of_more_steps_keep_step),
        cmocka_unit_test(test_no_drift_in_very_many_loops),
        cmocka_unit_test(test_both_fade_in_in_step),
        cmocka_unit_test(test_alone_in_a_group_is_as_in_none),
        cmocka_unit_test(test_only_what_repeats_keeps_step),
        cmocka_unit_test(test_groups_are_apart),
        cmocka_unit_test(test_layers_keep_step_too),
        cmocka_unit_test(test_what_starts_starts_where_the_group_is),
        cmocka_unit_test(test_unmarked_clips_keep_about_their_own_pace),
        cmocka_unit_test(test_feet_are_those_of_who_has_them),
        cmocka_unit_test(test_what_resumes_is_in_step_again),
        cmocka_unit_test(test_seeking_one_takes_the_group_along),
        cmocka_unit_test(test_what_goes_on_goes_on_at_the_shared_pace),
        cmocka_unit_test(test_feet_come_down_together_and_once),
        cmocka_unit_test(test_uneven_feet_come_down_once),
        cmocka_unit_test(test_a_fade_that_ends_within_a_step_of_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
