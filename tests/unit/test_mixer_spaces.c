// SPDX-License-Identifier: MIT
// Blend spaces as actions in a mixer: their samples' shares and phases, their events, and how they start and end.
#include "support/stepping.h"

// In steps: what a float knows of a time, divided by a share.
#define IN_STEP 2e-4

static const float frame_times[] = {1.0f / 240, 1.0f / 60, 1.0f / 24, 0.1f, 0.2f};
enum { FRAME_TIMES = 5, CLIPS = 3 };

// ---- A stage -------------------------------------------------------------------------------------------------

// None has steps as another has them; the last one has two rounds in its loop.
static const stepping gaits[CLIPS] = {
    {"LR", 0, {0.55, 0.55}}, {"RL", 0.05, {0.3, 0.45}}, {"LRLR", 0, {0.25, 0.2, 0.3, 0.25}}};

typedef struct stage {
    sinew_skeleton *skeleton;
    sinew_clip *clips[CLIPS]; // clip i moves node i; its x is the time
    sinew_blend_space *space; // on a line, at 0, 1 and 2
    sinew_blend_space *other;
    sinew_mixer *mixer;
} stage;

static sinew_blend_space *make_line(const stage *s, const float *places, float damping) {
    sinew_blend_sample samples[CLIPS];
    for (int i = 0; i < CLIPS; i++) samples[i] = (sinew_blend_sample){s->clips[i], places[i], 0, 1};
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = s->skeleton;
    def.samples = samples;
    def.sample_count = CLIPS;
    def.sync_names = feet;
    def.sync_name_count = 2;
    def.damping = damping;
    sinew_blend_space *space;
    sinew_error error = {0};
    if (sinew_blend_space_create(&def, &space, &error) != SINEW_OK) fail_msg("%s", error.message);
    return space;
}

static stage make_stage(float damping) {
    stage s = {.skeleton = make_chain(CLIPS + 1)};
    for (int i = 0; i < CLIPS; i++) s.clips[i] = make_stepping(s.skeleton, i, &gaits[i]);
    s.space = make_line(&s, (const float[CLIPS]){0, 1, 2}, damping);
    s.other = make_line(&s, (const float[CLIPS]){-1, 0, 1}, damping);
    s.mixer = make_stepping_mixer(s.skeleton, feet);
    return s;
}

static void free_stage(stage *s) {
    sinew_mixer_destroy(s->mixer);
    sinew_blend_space_destroy(s->space);
    sinew_blend_space_destroy(s->other);
    for (int i = 0; i < CLIPS; i++) sinew_clip_destroy(s->clips[i]);
    sinew_skeleton_destroy(s->skeleton);
}

static sinew_action play_space(stage *s, const sinew_blend_space *space, float x, const sinew_play_def *def) {
    sinew_action action = sinew_mixer_play(s->mixer, sinew_blend_space_source(space, x, 0), def);
    assert_true(action.id != 0);
    return action;
}

// On a line the two samples on either side of x share it.
static void shares_at(double x, double shares[CLIPS]) {
    for (int i = 0; i < CLIPS; i++) shares[i] = fmax(0, 1 - fabs(fmin(fmax(x, 0), 2) - i));
}

// A clip's time, from its own node's pose, if it has this share.
static double time_shown(sinew_mixer *mixer, int clip, double share) {
    return (double)sinew_pose_get(sinew_mixer_pose(mixer), clip).translation.x / share;
}

// The feet of all samples that share x are at one place of the stride; that is it.
static double check_samples(const stage *s, double x) {
    double shares[CLIPS], stride = -1;
    shares_at(x, shares);
    for (int i = 0; i < CLIPS; i++) {
        if (shares[i] < 0.01) continue; // its time is lost in the share
        double time = fmin(time_shown(s->mixer, i, shares[i]), s->clips[i]->duration),
               own = stride_at(s->clips[i], feet, time);
        if (stride >= 0) check_near(apart(own, stride), 0, IN_STEP / fmin(shares[i], 1 - shares[i]));
        if (stride < 0 || shares[i] > 0.5) stride = own;
    }
    return stride;
}

static double where(const stage *s, sinew_action action) {
    return sinew_action_get(s->mixer, action).parameter.x;
}

// ---- Shares and phases ---------------------------------------------------------------------------------------

static void test_samples_have_their_shares_and_keep_step(void **state) {
    (void)state;
    stage s = make_stage(0.15f);
    sinew_action action = play_space(&s, s.space, 0, NULL);
    uint64_t random = 1;
    for (int frame = 0; frame < 10000; frame++) {
        if (random_next(&random) % 20 == 0) {
            sinew_action_set_parameter(s.mixer, action, random_float(&random, -0.2f, 2.2f), 0);
        }
        sinew_mixer_update(s.mixer, frame_times[random_next(&random) % FRAME_TIMES]);
        check_samples(&s, where(&s, action));
    }
    free_stage(&s);
}

// Over the whole range, one time through it.
static void test_the_whole_range_is_in_step(void **state) {
    (void)state;
    stage s = make_stage(0);
    sinew_action action = play_space(&s, s.space, 0, NULL);
    for (int i = 0; i <= 2000; i++) {
        sinew_action_set_parameter(s.mixer, action, (float)i / 1000, 0);
        sinew_mixer_update(s.mixer, 1.0f / 90);
        check_near(where(&s, action), (float)i / 1000, 0);
        check_samples(&s, (float)i / 1000);
    }
    free_stage(&s);
}

static void test_the_parameter_is_damped(void **state) {
    (void)state;
    for (int d = 0; d < 3; d++) {
        stage s = make_stage(0.4f);
        sinew_action action = play_space(&s, s.space, 0.5f, NULL);
        check_near(where(&s, action), 0.5, 0);
        sinew_action_set_parameter(s.mixer, action, 1.5f, 0);
        const int frames[3] = {1, 8, 100};
        for (int i = 0; i < frames[d]; i++) sinew_mixer_advance(s.mixer, 0.4f / (float)frames[d]);
        check_near(where(&s, action), 1, 1e-5);         // half of the way after its half-life
        sinew_action_set_paused(s.mixer, action, true); // which time alone stands for
        sinew_mixer_advance(s.mixer, 0.4f);
        assert_true(where(&s, action) > 1.2);
        free_stage(&s);
    }
}

// Seconds that the samples take together for one round of their two feet, twice: of the clip with four steps both.
static double two_rounds(double x) {
    static const double steps[CLIPS][4] = {
        {0.55, 0.55, 0.55, 0.55}, {0.45, 0.3, 0.45, 0.3}, {0.25, 0.2, 0.3, 0.25}}; // from the left foot on
    double shares[CLIPS], seconds = 0;
    shares_at(x, shares);
    for (int step = 0; step < 4; step++) {
        double pace = 0;
        for (int i = 0; i < CLIPS; i++) pace += shares[i] / steps[i][step];
        seconds += 1 / pace;
    }
    return seconds;
}

static void test_a_space_goes_at_the_mean_of_its_paces(void **state) {
    (void)state;
    for (int i = 0; i <= 16; i++) {
        double x = i / 8.0, speed = i % 3 == 0 ? -0.75 : 1.25;
        for (int d = 0; d < FRAME_TIMES; d++) {
            stage s = make_stage(0);
            sinew_play_def def = sinew_play_default();
            def.speed = (float)speed;
            sinew_action action = play_space(&s, s.space, (float)x, &def);
            sinew_mixer_update(s.mixer, 0);
            double before = check_samples(&s, x), end = 20 * two_rounds(x) / fabs(speed), time = 0;
            while (time + frame_times[d] < end) {
                sinew_mixer_update(s.mixer, frame_times[d]);
                time += frame_times[d];
            }
            sinew_mixer_update(s.mixer, (float)(end - time));
            check_near(apart(check_samples(&s, x), before), 0, 1e-3);
            assert_true(sinew_action_is_active(s.mixer, action));
            free_stage(&s);
        }
    }
}

// Frames of any length lead a moving parameter and its feet to one place.
static void test_frames_do_not_matter_while_the_parameter_moves(void **state) {
    (void)state;
    double fine = 0;
    for (int d = 0; d < FRAME_TIMES; d++) {
        stage s = make_stage(0.3f);
        sinew_action action = play_space(&s, s.space, 0, NULL);
        sinew_action_set_parameter(s.mixer, action, 1.5f, 0);
        int frames = (int)(1.0f / frame_times[d] + 0.5f);
        for (int i = 0; i < frames; i++) sinew_mixer_update(s.mixer, frame_times[d]);
        double stride = check_samples(&s, where(&s, action));
        if (d == 0) fine = stride;
        check_near(apart(stride, fine), 0, 1e-3 + 0.5 * frame_times[d] * frame_times[d]);
        free_stage(&s);
    }
}

static void test_pausing_and_seeking(void **state) {
    (void)state;
    stage s = make_stage(0);
    sinew_action action = play_space(&s, s.space, 0.25f, NULL);
    assert_true(sinew_action_get(s.mixer, action).clip == s.clips[0]);
    assert_int_equal(sinew_action_get(s.mixer, action).loop, SINEW_LOOP_REPEAT);
    const sinew_source source = sinew_action_get(s.mixer, action).source;
    assert_true(!source.clip && source.blend_space == s.space && source.x == 0.25f);
    sinew_mixer_update(s.mixer, 0.3f);
    sinew_action_set_paused(s.mixer, action, true);
    assert_true(sinew_action_get(s.mixer, action).paused);
    float time = sinew_action_time(s.mixer, action);
    sinew_mixer_update(s.mixer, 1);
    check_near(sinew_action_time(s.mixer, action), time, 0);
    sinew_action_set_paused(s.mixer, action, false);
    sinew_mixer_update(s.mixer, 0.01f);
    assert_true(sinew_action_time(s.mixer, action) > time);
    const float times[4] = {0, 0.2f, 0.7f, 1.05f};
    for (int i = 0; i < 4; i++) { // of the heaviest clip; the others come along
        sinew_action_set_time(s.mixer, action, times[i]);
        check_near(sinew_action_time(s.mixer, action), times[i], 1e-6);
        sinew_mixer_update(s.mixer, 0);
        check_near(check_samples(&s, 0.25), stride_at(s.clips[0], feet, times[i]), 1e-3);
    }
    sinew_action_reset(s.mixer, action);
    check_near(sinew_action_time(s.mixer, action), 0, 0);
    sinew_action_set_loop(s.mixer, action, SINEW_LOOP_ONCE, 1); // a space goes round for ever
    sinew_mixer_update(s.mixer, 100);
    assert_false(sinew_action_is_finished(s.mixer, action));
    free_stage(&s);
}

// ---- Events --------------------------------------------------------------------------------------------------

// The feet in turn, each once, of whichever clip is heaviest when a step starts.
static int count_feet(const stage *s, sinew_action action, const sinew_clip *heaviest, int so_far) {
    const sinew_events events = sinew_mixer_events(s->mixer);
    assert_int_equal(events.dropped_count, 0);
    for (int32_t i = 0; i < events.count; i++) {
        assert_int_equal(events.items[i].action.id, action.id);
        assert_true(events.items[i].clip == heaviest && events.items[i].blend_space == s->space);
        if (i > 0) assert_true(events.items[i].moment >= events.items[i - 1].moment);
        if (events.items[i].type != SINEW_EVENT_MARKER) continue;
        assert_string_equal(events.items[i].marker->name, feet[so_far % 2]);
        so_far++;
    }
    return so_far;
}

static void check_feet(float dt, float damping, uint64_t random) {
    stage s = make_stage(damping);
    sinew_action action = play_space(&s, s.space, 0, NULL);
    int told = 0, changes = 0;
    for (int frame = 0; frame < 20000; frame++) {
        if (random_next(&random) % 16 == 0)
            sinew_action_set_parameter(s.mixer, action, random_float(&random, 0, 2), 0);
        const sinew_clip *heaviest = sinew_action_get(s.mixer, action).clip;
        sinew_mixer_update(s.mixer, dt > 0 ? dt : random_float(&random, 0, frame % 40 ? 0.1f : 2));
        assert_int_equal(sinew_mixer_find(s.mixer, sinew_blend_space_source(s.space, 0.0f, 0.0f), 0).id, action.id);
        assert_int_equal(sinew_mixer_find(s.mixer, sinew_clip_source(heaviest), 0).id,
                         0); // it is the space that plays
        told = count_feet(&s, action, heaviest, told);
        double x = where(&s, action), nearest = floor(x + 0.5);
        bool is_clear = fabs(fabs(x - nearest) - 0.5) > 1e-3;
        if (is_clear) assert_true(sinew_action_get(s.mixer, action).clip == s.clips[(int)nearest]);
        changes += sinew_action_get(s.mixer, action).clip != heaviest;
    }
    assert_true(told > 500 && changes > 100);
    free_stage(&s);
}

static void test_feet_come_down_once_while_the_heaviest_changes(void **state) {
    (void)state;
    for (uint64_t random = 1; random < 4; random++) {
        check_feet(0, 0.1f, random);
        check_feet(0, 0, random);
        check_feet(1.0f / 60, 0.1f, random);
        check_feet(0.11f, 0, random);
    }
}

// One frame more: the feet in turn, from the left one on.
static int tell_feet(sinew_mixer *mixer, double seconds, int so_far) {
    sinew_mixer_update(mixer, (float)seconds);
    const sinew_events events = sinew_mixer_events(mixer);
    for (int32_t i = 0; i < events.count; i++) {
        if (events.items[i].type != SINEW_EVENT_MARKER) continue;
        assert_string_equal(events.items[i].marker->name, feet[so_far % 2]);
        so_far++;
    }
    return so_far;
}

// Frames that end just when a foot comes down, within rounding. Each is reported exactly once.
static void check_landings(int clip, bool backward, int parts) {
    enum { FEET_WANTED = 2000 };
    stage s = make_stage(0);
    const stepping *gait = &gaits[clip];
    sinew_play_def def = sinew_play_default();
    def.speed = backward ? -1 : 1;
    play_space(&s, s.space, (float)clip, &def);
    int steps = (int)strlen(gait->letters), first = (gait->letters[0] == 'L') != backward ? 0 : 1;
    double to_first = backward ? gait->lengths[steps - 1] - gait->start : gait->start; // into the middle of a step
    int told = tell_feet(s.mixer, gait->start > 0 ? to_first : 0, first);
    for (int frame = 0; frame < FEET_WANTED * parts; frame++) {
        int step = frame / parts % steps;
        if (backward) step = (2 * steps - (gait->start > 0 ? 2 : 1) - step) % steps;
        told = tell_feet(s.mixer, gait->lengths[step] / parts, told);
    }
    assert_in_range(told - first, FEET_WANTED - 1, FEET_WANTED + 1); // at the two ends rounding decides
    free_stage(&s);
}

static void test_feet_that_come_down_as_a_frame_ends(void **state) {
    (void)state;
    for (int clip = 0; clip < CLIPS; clip++) {
        for (int parts = 1; parts <= 9; parts++) {
            check_landings(clip, false, parts);
            check_landings(clip, true, parts);
        }
    }
}

// ---- Coming and going ----------------------------------------------------------------------------------------

static void test_a_space_fades_in_and_out(void **state) {
    (void)state;
    stage s = make_stage(0);
    sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[2]), NULL);
    sinew_play_def def = sinew_play_default();
    def.fade = 0.4f;
    sinew_action action = play_space(&s, s.space, 0.5f, &def);
    sinew_mixer_update(s.mixer, 0.1f);
    check_near(sinew_action_weight(s.mixer, action), 0.25, 1e-6);
    double part = 0.5 * 0.25, share = part / 2; // on its way to half of the pose; of each of the two samples
    double a = time_shown(s.mixer, 0, share), b = time_shown(s.mixer, 1, share);
    check_near(apart(stride_at(s.clips[0], feet, a), stride_at(s.clips[1], feet, b)), 0, 1e-4);
    check_near(time_shown(s.mixer, 2, 1 - part), 0.1, 1e-6);
    sinew_mixer_update(s.mixer, 0.4f);
    check_near(sinew_action_weight(s.mixer, action), 1, 0);
    sinew_action_fade_out(s.mixer, action, 0.2f);
    sinew_mixer_update(s.mixer, 0.3f);
    assert_false(sinew_action_is_active(s.mixer, action));
    check_near(where(&s, action), 0, 0); // a stale one has no parameter
    sinew_action_set_parameter(s.mixer, action, 1, 0);
    check_near(time_shown(s.mixer, 2, 1), 0.8, 1e-6);
    assert_true(play_space(&s, s.space, 1, NULL).id != action.id); // its state is free again
    assert_true(play_space(&s, s.other, 1, NULL).id != 0);
    free_stage(&s);
}

static sinew_action transition_to(stage *s, int what, sinew_transition_kind kind, float duration) {
    sinew_transition how = sinew_transition_default();
    how.kind = kind;
    how.duration = duration;
    if (what == 0) return sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->clips[2]), &how, NULL);
    return sinew_mixer_transition_to(s->mixer, sinew_blend_space_source(what == 1 ? s->space : s->other, 0.5f, 0),
                                     &how, NULL);
}

// Transitions between a clip, a space and another, in all directions, also in the middle of others. Nodes rise to the
// clips' durations, 1.1 m, in a second. At a loop's end they jump, but only if they loop: the last node doesn't.
static void test_transitions_from_and_to_spaces(void **state) {
    (void)state;
    uint64_t random = 5;
    stage s = make_stage(0.1f);
    transition_to(&s, 0, SINEW_TRANSITION_FADE, 0);
    float last[CLIPS] = {0};
    for (int frame = 0; frame < 6000; frame++) {
        if (frame % 15 == 0) {
            sinew_transition_kind kind = (sinew_transition_kind)(random_next(&random) % 3);
            sinew_action action = transition_to(&s, (int)(random_next(&random) % 3), kind, 0.2f);
            assert_true(sinew_action_is_active(s.mixer, action));
        }
        sinew_mixer_update(s.mixer, 1.0f / 240);
        for (int i = 0; i < CLIPS; i++) {
            float x = sinew_pose_get(sinew_mixer_pose(s.mixer), i).translation.x;
            assert_true(isfinite(x) && fabsf(x) < 2);
            bool turns_over = x < last[i] - 0.1f; // back to the start, with some share
            if (!turns_over) check_near(x, last[i], 0.06);
            last[i] = x;
        }
    }
    free_stage(&s);
}

// A third space in a mixer with room for two evicts the lighter one, which is held and fades out: by no kind of transition
// does the pose jump, and the heavier one plays on.
static void test_a_third_space_evicts_the_lightest(void **state) {
    (void)state;
    for (int kind = SINEW_TRANSITION_FADE; kind <= SINEW_TRANSITION_DEAD_BLEND + 1; kind++) {
        stage s = make_stage(0);
        sinew_play_def light = sinew_play_default(), third = light;
        light.weight = 0.25f;
        third.allow_duplicate = true;
        third.fade = 0.5f;
        sinew_action heavy = play_space(&s, s.space, 0.5f, NULL), first = play_space(&s, s.other, 0.5f, &light);
        sinew_mixer_update(s.mixer, 0.1f);
        float before[CLIPS];
        for (int i = 0; i < CLIPS; i++) before[i] = sinew_pose_get(sinew_mixer_pose(s.mixer), i).translation.x;
        sinew_transition how = sinew_transition_default();
        how.kind = (sinew_transition_kind)kind;
        bool plays = kind > SINEW_TRANSITION_DEAD_BLEND;
        sinew_action last = sinew_mixer_transition_to(s.mixer, sinew_blend_space_source(s.space, 0, 0),
                                                      plays ? NULL : &how, &third);
        assert_true(last.id != 0 && sinew_action_is_active(s.mixer, last));
        assert_false(sinew_action_is_active(s.mixer, first));
        bool ends = kind == SINEW_TRANSITION_INERTIALIZE || kind == SINEW_TRANSITION_DEAD_BLEND;
        assert_true(sinew_action_is_active(s.mixer, heavy) == !ends);
        sinew_mixer_update(s.mixer, 0);
        for (int i = 0; i < CLIPS; i++)
            check_near(sinew_pose_get(sinew_mixer_pose(s.mixer), i).translation.x, before[i], 1e-6);
        sinew_mixer_update(s.mixer, 1);
        check_near(sinew_action_weight(s.mixer, last), 1, 0);
        free_stage(&s);
    }
}

// Differences cannot be held, and so spaces of additive layers are not evicted.
static void test_no_space_of_an_additive_layer_is_evicted(void **state) {
    (void)state;
    for (int kind = SINEW_TRANSITION_FADE; kind <= SINEW_TRANSITION_DEAD_BLEND; kind++) {
        stage s = make_stage(0);
        stage differences = {.skeleton = s.skeleton};
        for (int i = 0; i < CLIPS; i++) {
            sinew_clip *clip;
            assert_int_equal(sinew_clip_make_additive(s.clips[i], NULL, NULL, &clip, NULL), SINEW_OK);
            differences.clips[i] = clip;
        }
        sinew_blend_space *space = make_line(&differences, (const float[CLIPS]){0, 1, 2}, 0);
        sinew_layer_set_mode(s.mixer, 1, SINEW_LAYER_ADDITIVE);
        sinew_play_def upper = sinew_play_default();
        upper.layer = 1;
        upper.allow_duplicate = true;
        sinew_action first = play_space(&s, space, 0.5f, &upper), second = play_space(&s, space, 1.5f, &upper);
        sinew_mixer_update(s.mixer, 0.1f);
        sinew_transition how = sinew_transition_default();
        how.kind = (sinew_transition_kind)kind;
        assert_int_equal(sinew_mixer_transition_to(s.mixer, sinew_blend_space_source(s.space, 0, 0), &how, NULL).id,
                         0);
        assert_int_equal(sinew_mixer_play(s.mixer, sinew_blend_space_source(s.space, 0, 0), NULL).id, 0);
        sinew_mixer_update(s.mixer, 1);
        check_near(sinew_action_weight(s.mixer, first), 1, 0);
        check_near(sinew_action_weight(s.mixer, second), 1, 0);
        assert_int_equal(sinew_mixer_actions(s.mixer, NULL, 0), 2);
        sinew_action_stop(s.mixer, second);
        assert_true(sinew_mixer_transition_to(s.mixer, sinew_blend_space_source(s.space, 0, 0), &how, NULL).id !=
                    0);
        sinew_mixer_stop_all(s.mixer);
        sinew_blend_space_destroy(space);
        for (int i = 0; i < CLIPS; i++) sinew_clip_destroy(differences.clips[i]);
        free_stage(&s);
    }
}

// With the default definition one space fades to another, both playing.
static void test_the_default_has_room_for_a_fade_between_two(void **state) {
    (void)state;
    stage s = make_stage(0);
    sinew_action first = play_space(&s, s.space, 0.5f, NULL);
    sinew_transition how = sinew_transition_default();
    sinew_action second =
        sinew_mixer_transition_to(s.mixer, sinew_blend_space_source(s.other, 0.5f, 0), &how, NULL);
    sinew_mixer_update(s.mixer, 0.1f);
    check_near(sinew_action_weight(s.mixer, first), 0.5, 1e-6);
    check_near(sinew_action_weight(s.mixer, second), 0.5, 1e-6);
    free_stage(&s);
}

static void test_where_no_slot_can_be_had_nothing_makes_way(void **state) {
    (void)state;
    stage s = make_stage(0);
    sinew_clip *additive;
    assert_int_equal(sinew_clip_make_additive(s.clips[0], NULL, NULL, &additive, NULL), SINEW_OK);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s.skeleton;
    def.max_actions = 1;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    sinew_layer_set_mode(mixer, 1, SINEW_LAYER_ADDITIVE);
    sinew_play_def upper = sinew_play_default();
    upper.layer = 1;
    sinew_action only = sinew_mixer_play(mixer, sinew_clip_source(additive), &upper);
    sinew_mixer_update(mixer, 0.1f);
    for (int kind = SINEW_TRANSITION_FADE; kind <= SINEW_TRANSITION_DEAD_BLEND; kind++) {
        sinew_transition how = sinew_transition_default();
        how.kind = (sinew_transition_kind)kind;
        assert_int_equal(sinew_mixer_transition_to(mixer, sinew_clip_source(s.clips[0]), &how, NULL).id, 0);
        assert_int_equal(sinew_mixer_transition_to(mixer, sinew_blend_space_source(s.space, 0, 0), &how, NULL).id,
                         0);
        check_near(sinew_action_weight(mixer, only), 1, 0);
    }
    sinew_mixer_destroy(mixer);
    sinew_clip_destroy(additive);
    free_stage(&s);
}

static void test_one_action_per_space_unless_asked(void **state) {
    (void)state;
    stage s = make_stage(0.1f);
    sinew_action first = play_space(&s, s.space, 0, NULL);
    sinew_mixer_update(s.mixer, 0.3f);
    float time = sinew_action_time(s.mixer, first);
    sinew_action again = play_space(&s, s.space, 2, NULL); // continues, and its parameter now moves there
    assert_int_equal(again.id, first.id);
    check_near(sinew_action_time(s.mixer, first), time, 0);
    check_near(where(&s, first), 0, 0);
    sinew_mixer_update(s.mixer, 0.1f);
    check_near(where(&s, first), 1, 1e-5);
    assert_int_equal(sinew_mixer_find(s.mixer, sinew_clip_source(s.clips[0]), SINEW_ALL_LAYERS).id,
                     0); // a space's clip doesn't count as playing

    sinew_play_def def = sinew_play_default();
    def.allow_duplicate = true;
    sinew_action second = play_space(&s, s.space, 0.5f, &def);
    assert_true(second.id != first.id);
    check_near(where(&s, second), 0.5, 0); // each has its own
    assert_true(where(&s, first) > 0.9);
    free_stage(&s);
}

// If its slot is needed, a space stays as it was shown, with all samples, and fades out.
static void test_a_space_that_makes_room_does_not_jump(void **state) {
    (void)state;
    stage s = make_stage(0);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s.skeleton;
    def.max_actions = 2;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    sinew_mixer_play(mixer, sinew_clip_source(s.clips[2]), NULL);
    sinew_play_def light = sinew_play_default(), fading = light;
    light.weight = 0.5f;
    fading.fade = 0.5f;
    sinew_mixer_play(mixer, sinew_blend_space_source(s.space, 0.4f, 0), &light);
    sinew_mixer_update(mixer, 0.3f);
    float before[CLIPS];
    for (int i = 0; i < CLIPS; i++) before[i] = sinew_pose_get(sinew_mixer_pose(mixer), i).translation.x;
    fading.allow_duplicate = true;
    sinew_mixer_play(mixer, sinew_clip_source(s.clips[2]), &fading);
    sinew_mixer_update(mixer, 0);
    for (int i = 0; i < CLIPS; i++) {
        check_near(sinew_pose_get(sinew_mixer_pose(mixer), i).translation.x, before[i], 1e-6);
    }
    sinew_mixer_destroy(mixer);
    free_stage(&s);
}

// ---- Groups and layers ---------------------------------------------------------------------------------------

static void test_a_space_keeps_step_with_a_clip(void **state) {
    (void)state;
    for (int clip_first = 0; clip_first < 2; clip_first++) {
        stage s = make_stage(0.2f);
        sinew_play_def def = in_group(1);
        def.layer = 1; // tells the two apart in the pose
        sinew_action space = {0}, clip = {0};
        for (int i = 0; i < 2; i++) {
            if (i == clip_first) space = play_space(&s, s.space, 0.5f, &def);
            def.layer = 0;
            if (i != clip_first) clip = sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[2]), &def);
            def.layer = 1;
            sinew_mixer_update(s.mixer, 0.27f);
        }
        sinew_layer_set_weight(s.mixer, 1, 0.5f);
        uint64_t random = 6;
        for (int frame = 0; frame < 4000; frame++) {
            if (frame % 50 == 0) sinew_action_set_parameter(s.mixer, space, random_float(&random, 0, 2), 0);
            sinew_mixer_update(s.mixer, frame_times[random_next(&random) % FRAME_TIMES]);
            double own = stride_at(sinew_action_get(s.mixer, space).clip, feet, sinew_action_time(s.mixer, space));
            double other = stride_at(s.clips[2], feet, sinew_action_time(s.mixer, clip));
            check_near(apart(own, other), 0, 2e-5);
        }
        free_stage(&s);
    }
}

static void test_a_space_without_weight_goes_on_as_with_one(void **state) {
    (void)state;
    stage s = make_stage(0);
    sinew_play_def upper = sinew_play_default();
    upper.layer = 1;
    sinew_action shown = play_space(&s, s.space, 0.2f, NULL), hidden = play_space(&s, s.space, 0.2f, &upper);
    sinew_action_set_weight(s.mixer, hidden, 0);
    for (int frame = 0; frame < 100; frame++) {
        sinew_mixer_update(s.mixer, 0.013f);
        check_near(sinew_action_time(s.mixer, hidden), sinew_action_time(s.mixer, shown), 1e-6);
    }
    free_stage(&s);
}

static void test_layers_lie_over_a_space(void **state) {
    (void)state;
    stage s = make_stage(0);
    play_space(&s, s.space, 1, NULL); // the second clip alone
    sinew_mask *mask;
    assert_int_equal(sinew_mask_create(s.skeleton, 0, NULL, &mask), SINEW_OK);
    sinew_mask_set(mask, 2, 1);
    sinew_play_def upper = sinew_play_default();
    upper.layer = 1;
    sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[2]), &upper);
    sinew_layer_set_mask(s.mixer, 1, mask);
    sinew_mixer_update(s.mixer, 0.2f);
    check_near(time_shown(s.mixer, 1, 1), 0.2, 1e-6); // its first foot comes down at 0.05
    check_near(time_shown(s.mixer, 2, 1), 0.2, 1e-6);

    sinew_mixer_stop_all(s.mixer); // and a space over a clip
    sinew_layer_set_mask(s.mixer, 1, NULL);
    sinew_mask_destroy(mask);
    sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[0]), NULL);
    play_space(&s, s.space, 2, &upper);
    sinew_layer_set_weight(s.mixer, 1, 0.25f);
    sinew_mixer_update(s.mixer, 0.125f);
    check_near(time_shown(s.mixer, 0, 0.75), 0.125, 1e-6);
    check_near(time_shown(s.mixer, 2, 0.25), 0.125, 1e-6);
    free_stage(&s);
}

// A transition starts with the velocity of a pose that moves by its parameter: it lost that part.
static void test_a_transition_continues_a_moving_parameter(void **state) {
    (void)state;
    const float dt = 1.0f / 960.0f;
    stage s = make_stage(0.3f);
    const sinew_action action = play_space(&s, s.space, 0.2f, NULL);
    sinew_mixer_update(s.mixer, 0.2f);
    sinew_action_set_parameter(s.mixer, action, 1.8f, 0);
    for (int i = 0; i < 120; i++) sinew_mixer_update(s.mixer, dt);
    double at[3][CLIPS];
    sinew_transition transition = sinew_transition_default();
    transition.kind = SINEW_TRANSITION_INERTIALIZE;
    transition.duration = 0.4f;
    for (int k = 0; k < 3; k++) {
        if (k == 2) sinew_mixer_transition_to(s.mixer, sinew_clip_source(s.clips[2]), &transition, NULL);
        sinew_mixer_update(s.mixer, dt);
        for (int i = 0; i < CLIPS; i++) at[k][i] = (double)sinew_mixer_pose(s.mixer)->tx[i];
    }
    assert_true(sinew_action_get(s.mixer, action).parameter.vx >= 0.0);
    for (int i = 0; i < CLIPS; i++) {
        const double before = (at[1][i] - at[0][i]) / (double)dt, after = (at[2][i] - at[1][i]) / (double)dt;
        print_message("node %d: %g before, %g after\n", i, before, after);
        check_near(after, before, 0.1);
    }
    free_stage(&s);
}

// On a beat where a step of a quarter second meets one of half a second, so the first one's beats take twice as long.
// What's shown moved at 1 m/s and continues at that.
static void test_a_velocity_continues_from_a_beat(void **state) {
    (void)state;
    stage s = make_stage(0);
    const stepping uneven = {"LR", 0.125, {0.25, 0.5}};
    sinew_clip *clips[2] = {make_stepping(s.skeleton, 1, &uneven), make_stepping(s.skeleton, 2, &uneven)};
    sinew_blend_sample samples[2] = {{clips[0], 0, 0, 1}, {clips[1], 1, 0, 1}};
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = s.skeleton;
    def.samples = samples;
    def.sample_count = 2;
    def.sync_names = feet;
    def.sync_name_count = 2;
    sinew_blend_space *space;
    assert_int_equal(sinew_blend_space_create(&def, &space, NULL), SINEW_OK);
    for (int way = 0; way < 2; way++) {
        float speed = way == 0 ? 1 : -1;
        sinew_play_def how = sinew_play_default();
        how.speed = speed;
        play_space(&s, space, 0, &how);
        sinew_mixer_update(s.mixer, 0.375f); // to the mark in the middle, on either way
        check_near(time_shown(s.mixer, 1, 1), 0.375, 0);
        sinew_transition keeps = sinew_transition_default();
        keeps.kind = SINEW_TRANSITION_INERTIALIZE;
        keeps.duration = 1;
        sinew_mixer_transition_to(s.mixer, sinew_clip_source(s.clips[0]), &keeps,
                                  NULL); // which does not move that node
        sinew_mixer_update(s.mixer, 1.0f / 512);
        check_near((time_shown(s.mixer, 1, 1) - 0.375) * 512, (double)speed, 0.02);
        sinew_mixer_destroy(s.mixer);
        s.mixer = make_stepping_mixer(s.skeleton, feet);
    }
    sinew_blend_space_destroy(space);
    for (int i = 0; i < 2; i++) sinew_clip_destroy(clips[i]);
    free_stage(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_have_their_shares_and_keep_step),
        cmocka_unit_test(test_the_whole_range_is_in_step),
        cmocka_unit_test(test_the_parameter_is_damped),
        cmocka_unit_test(test_a_space_goes_at_the_mean_of_its_paces),
        cmocka_unit_test(test_frames_do_not_matter_while_the_parameter_moves),
        cmocka_unit_test(test_pausing_and_seeking),
        cmocka_unit_test(test_feet_come_down_once_while_the_heaviest_changes),
        cmocka_unit_test(test_feet_that_come_down_as_a_frame_ends),
        cmocka_unit_test(test_a_space_fades_in_and_out),
        cmocka_unit_test(test_transitions_from_and_to_spaces),
        cmocka_unit_test(test_a_third_space_evicts_the_lightest),
        cmocka_unit_test(test_no_space_of_an_additive_layer_is_evicted),
        cmocka_unit_test(test_the_default_has_room_for_a_fade_between_two),
        cmocka_unit_test(test_where_no_slot_can_be_had_nothing_makes_way),
        cmocka_unit_test(test_one_action_per_space_unless_asked),
        cmocka_unit_test(test_a_space_that_makes_room_does_not_jump),
        cmocka_unit_test(test_a_space_keeps_step_with_a_clip),
        cmocka_unit_test(test_a_space_without_weight_goes_on_as_with_one),
        cmocka_unit_test(test_layers_lie_over_a_space),
        cmocka_unit_test(test_a_transition_continues_a_moving_parameter),
        cmocka_unit_test(test_a_velocity_continues_from_a_beat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
