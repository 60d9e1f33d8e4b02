// SPDX-License-Identifier: MIT
// Sync groups through every kind of transition: they keep the phase, the rate changes from the old one to the new
// one, and queued transitions start at their exact moment.
#include "support/stepping.h"

// In steps: what a float knows of a time.
#define IN_STEP 2e-5

// 2 and 4 steps a second.
static const stepping walk = {"LR", 0, {0.5, 0.5}}, run = {"LR", 0, {0.25, 0.25}};
static const stepping other_walk = {"LR", 0, {0.5, 0.5}}, quick = {"LR", 0, {0.15, 0.15}}, unmarked = {"", 0, {4}};

enum { WALK, RUN, OTHER_WALK, QUICK, UNMARKED, CLIPS };
static const stepping *const gaits[CLIPS] = {&walk, &run, &other_walk, &quick, &unmarked};

typedef struct stage {
    sinew_skeleton *skeleton;
    sinew_clip *clips[CLIPS];
    sinew_blend_space *space; // of the walk at 0 and the run at 1
    sinew_mixer *mixer;
} stage;

static stage make_stage(int32_t slots, bool inertialization) {
    stage s = {.skeleton = make_chain(CLIPS)};
    for (int i = 0; i < CLIPS; i++) s.clips[i] = make_stepping(s.skeleton, i, gaits[i]);
    const sinew_blend_sample samples[2] = {{s.clips[WALK], 0, 0, 1}, {s.clips[RUN], 1, 0, 1}};
    sinew_blend_space_def space = sinew_blend_space_default();
    space.skeleton = s.skeleton;
    space.samples = samples;
    space.sample_count = 2;
    space.sync_names = feet;
    space.sync_name_count = 2;
    assert_int_equal(sinew_blend_space_create(&space, &s.space, NULL), SINEW_OK);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s.skeleton;
    def.sync_names = feet;
    def.sync_name_count = 2;
    def.max_actions = slots;
    def.inertialization = inertialization;
    assert_int_equal(sinew_mixer_create(&def, &s.mixer, NULL), SINEW_OK);
    return s;
}

static void free_stage(stage *s) {
    sinew_mixer_destroy(s->mixer);
    sinew_blend_space_destroy(s->space);
    for (int i = 0; i < CLIPS; i++) sinew_clip_destroy(s->clips[i]);
    sinew_skeleton_destroy(s->skeleton);
}

static double stride_of(const stage *s, sinew_action action) {
    return stride_at(sinew_action_get(s->mixer, action).clip, feet, (double)sinew_action_time(s->mixer, action));
}

static sinew_action play_in(stage *s, int clip, int32_t layer) {
    sinew_play_def def = in_group(1);
    def.layer = layer;
    return sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[clip]), &def);
}

// The last is a cut.
enum { FADE = SINEW_TRANSITION_FADE, INERTIALIZE, DEAD_BLEND, CUT, KINDS };

static sinew_action change_to(stage *s, sinew_source source, int kind, double duration) {
    sinew_transition how = sinew_transition_default();
    how.kind = kind == CUT ? SINEW_TRANSITION_FADE : (sinew_transition_kind)kind;
    how.duration = kind == CUT ? 0.0f : (float)duration;
    sinew_play_def def = in_group(1);
    return sinew_mixer_transition_to(s->mixer, source, &how, &def);
}

// The steps in t seconds at a rate that goes evenly from one to another in T seconds.
static double steps_in(double from, double to, double t, double T) {
    double changing = fmin(t, T);
    return from * changing + (to - from) * changing * changing / (2 * T) + to * (t - changing);
}

// ---- The phase, and the rate ---------------------------------------------------------------------------------

#define DURATION 0.5

// From the walk at 0.633 of its cycle.
static stage start_walking(int32_t slots) {
    stage s = make_stage(slots, true);
    play_in(&s, WALK, 0);
    sinew_mixer_update(s.mixer, 0.633f);
    return s;
}

static void check_steps(stage *s, sinew_action action, double from, double to, double duration) {
    check_near(apart(stride_of(s, action), 1.266), 0, IN_STEP);
    for (int i = 1; i <= 48; i++) {
        sinew_mixer_update(s->mixer, 1.0f / 64);
        double wanted = 1.266 + (duration > 0 ? steps_in(from, to, i / 64.0, duration) : to * i / 64.0);
        check_near(apart(stride_of(s, action), wanted), 0, IN_STEP);
    }
}

static void test_a_clip_comes_in_at_the_phase_and_the_rate(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        stage s = start_walking(16);
        check_steps(&s, change_to(&s, sinew_clip_source(s.clips[RUN]), kind, DURATION), 2, 4,
                    kind == CUT ? 0 : DURATION);
        free_stage(&s);
    }
}

// With one slot the walk ends as the run starts, also in a fade, which evicts it.
static void test_a_clip_comes_in_where_every_slot_is_in_use(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        stage s = start_walking(1);
        check_steps(&s, change_to(&s, sinew_clip_source(s.clips[RUN]), kind, DURATION), 2, 4,
                    kind == CUT ? 0 : DURATION);
        free_stage(&s);
    }
}

static void test_a_space_comes_in_at_the_phase_and_the_rate(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        stage s = start_walking(16);
        sinew_source source = sinew_blend_space_source(s.space, 0.25f, 0);
        sinew_action space = change_to(&s, source, kind, DURATION);
        check_steps(&s, space, 2, 0.75 * 2 + 0.25 * 4, kind == CUT ? 0 : DURATION);
        free_stage(&s);
    }
}

static void test_a_space_goes_out_at_the_phase_and_the_rate(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        stage s = make_stage(16, true);
        sinew_play_def def = in_group(1);
        sinew_action space = sinew_mixer_play(s.mixer, sinew_blend_space_source(s.space, 0.25f, 0), &def);
        while (stride_of(&s, space) < 1.2) sinew_mixer_update(s.mixer, 0.01f);
        double before = stride_of(&s, space), rate = 0.75 * 2 + 0.25 * 4;
        sinew_action action = change_to(&s, sinew_clip_source(s.clips[RUN]), kind, DURATION);
        check_near(apart(stride_of(&s, action), before), 0, IN_STEP);
        sinew_mixer_update(s.mixer, 0.25f);
        double wanted = kind == CUT ? 4 * 0.25 : steps_in(rate, 4, 0.25, DURATION);
        check_near(apart(stride_of(&s, action), before + wanted), 0, IN_STEP);
        free_stage(&s);
    }
}

// A walk in layer 1 is in the group, with the same weight: the rate goes to the mean of both. A dead blend comes in by
// its weight, which counts by itself.
static void test_a_clip_comes_in_beside_another_layer(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        stage s = make_stage(16, true);
        play_in(&s, WALK, 0);
        sinew_action upper = play_in(&s, OTHER_WALK, 1);
        sinew_mixer_update(s.mixer, 0.633f);
        sinew_action action = change_to(&s, sinew_clip_source(s.clips[RUN]), kind, DURATION);
        if (kind != DEAD_BLEND) check_steps(&s, action, 2, 3, kind == CUT ? 0 : DURATION);
        sinew_mixer_update(s.mixer, 0.1f);
        check_near(apart(stride_of(&s, action), stride_of(&s, upper)), 0, IN_STEP);
        free_stage(&s);
    }
}

// A slow member that starts in the same frame, and ends before it has a weight, does not make the run faster than the walk
// that it replaces.
static void test_a_clip_does_not_make_up_for_a_member_without_weight(void **state) {
    (void)state;
    stage s = start_walking(16);
    sinew_play_def slow = in_group(1);
    slow.layer = 1;
    slow.speed = 0.25f;
    slow.fade = (float)DURATION;
    sinew_action upper = sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[OTHER_WALK]), &slow);
    sinew_action action = change_to(&s, sinew_clip_source(s.clips[RUN]), DEAD_BLEND, DURATION);
    sinew_action_stop(s.mixer, upper);
    check_steps(&s, action, 2, 4, DURATION);
    free_stage(&s);
}

// Nothing is kept of clips that are not in the group.
static void test_a_clip_that_is_not_synced_starts_at_its_own_time(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        stage s = make_stage(16, true);
        sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[WALK]), NULL);
        sinew_mixer_update(s.mixer, 0.633f);
        sinew_action action = change_to(&s, sinew_clip_source(s.clips[RUN]), kind, DURATION);
        check_near(sinew_action_time(s.mixer, action), 0, 0);
        sinew_mixer_update(s.mixer, 0.125f);
        check_near(sinew_action_time(s.mixer, action), 0.125, 1e-6);
        free_stage(&s);
    }
}

// Several in one frame, each of another kind: the phase is still the first one's.
static void test_several_transitions_in_one_frame_keep_the_phase(void **state) {
    (void)state;
    for (int first = 0; first < KINDS; first++) {
        for (int second = 0; second < KINDS; second++) {
            stage s = start_walking(16);
            change_to(&s, sinew_clip_source(s.clips[RUN]), first, DURATION);
            sinew_action action = change_to(&s, sinew_clip_source(s.clips[QUICK]), second, DURATION);
            check_near(apart(stride_of(&s, action), 1.266), 0, IN_STEP);
            free_stage(&s);
        }
    }
}

// ---- Clips without markers -----------------------------------------------------------------------------------

// The walk has 2 steps in 1 s, the quick one 2 in 0.3 s: together 4 in 1.3 s. 4 s of that are 12.3 steps, which is 12
// in whole cycles. The leader, the walk, counts once, also while it fades out.
static void test_a_clip_without_markers_is_divided_by_the_mean_rate(void **state) {
    (void)state;
    stage s = make_stage(16, true);
    sinew_play_def def = in_group(1);
    def.weight = 2;
    sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[WALK]), &def);
    sinew_action other = play_in(&s, QUICK, 0);
    sinew_mixer_update(s.mixer, 0.05f);
    double phase = stride_of(&s, other);
    assert_true(phase > 0.1 && phase < 1);
    sinew_action action = change_to(&s, sinew_clip_source(s.clips[UNMARKED]), FADE, DURATION);
    check_near(sinew_action_time(s.mixer, action), phase * 4 / 12, 1e-5);
    free_stage(&s);
}

// ---- Resuming ------------------------------------------------------------------------------------------------

static double x_of(stage *s, int node) {
    return (double)sinew_pose_get(sinew_mixer_pose(s->mixer), node).translation.x;
}

// The walk and the run are half of the pose each. The run is paused for 0.2 s, and would otherwise have advanced.
static void test_a_member_that_resumes_does_not_jump(void **state) {
    (void)state;
    for (int inertializes = 0; inertializes < 2; inertializes++) {
        stage s = make_stage(16, inertializes == 1);
        sinew_action actions[2] = {play_in(&s, WALK, 0), play_in(&s, RUN, 0)};
        sinew_mixer_update(s.mixer, 0.04f); // 3 steps a second: 0.12 of a step
        sinew_action_set_paused(s.mixer, actions[1], true);
        sinew_mixer_update(s.mixer, 0.2f); // the walk alone has 2 steps a second
        double before = x_of(&s, RUN), phase = 0.12 + 0.4;
        check_near(before, 0.5 * 0.12 / 4, 1e-6);
        sinew_action_set_paused(s.mixer, actions[1], false);
        check_near(sinew_action_time(s.mixer, actions[1]), phase / 4, 1e-6);
        sinew_mixer_update(s.mixer, 0);
        check_near(x_of(&s, RUN), inertializes ? before : 0.5 * phase / 4, 1e-6);
        double last = x_of(&s, RUN);
        for (int i = 1; i <= 15; i++) { // 0.25 s, before the end of the loop
            sinew_mixer_update(s.mixer, 1.0f / 60);
            // The quintic's bound for 0.1 s of its half and its own velocity, and the run's own motion.
            check_near(x_of(&s, RUN), last, 1.0 / 60 * (1.73 * 0.05 / 0.2 + 2 * 0.5 * 3 / 4) + 1e-6);
            last = x_of(&s, RUN);
        }
        check_near(last, 0.5 * (double)sinew_action_time(s.mixer, actions[1]), 1e-6);
        free_stage(&s);
    }
}

// A visible run fades into the walk's group, and a walk starts over with a fade and with its group. The pose
// continues from where it is.
static void test_a_fade_into_a_group_does_not_jump(void **state) {
    (void)state;
    for (int way = 0; way < 4; way++) { // the last: the walk has no weight, so only its group is visible
        stage s = make_stage(16, true);
        sinew_play_def def = sinew_play_default();
        sinew_action runs = sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[RUN]), &def);
        sinew_mixer_update(s.mixer, 0.13f);
        sinew_action walks = play_in(&s, WALK, 0);
        sinew_mixer_update(s.mixer, 0.2f);
        if (way > 0) play_in(&s, OTHER_WALK, 0);
        if (way == 3) sinew_action_set_weight(s.mixer, walks, 0);
        if (way > 0) sinew_mixer_update(s.mixer, 0.05f);
        double before[CLIPS], last = (double)sinew_action_time(s.mixer, runs);
        for (int i = 0; i < CLIPS; i++) before[i] = x_of(&s, i);
        def = in_group(1);
        def.fade = 0.3f;
        def.restart = way > 0;
        sinew_transition how = sinew_transition_default();
        how.duration = 0.3f;
        int clip = way > 0 ? WALK : RUN;
        if (way != 2) sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[clip]), &def);
        if (way == 2) sinew_mixer_transition_to(s.mixer, sinew_clip_source(s.clips[clip]), &how, &def);
        if (way == 0) assert_true(fabs((double)sinew_action_time(s.mixer, runs) - last) > 0.05);
        sinew_mixer_update(s.mixer, 0);
        for (int i = 0; i < CLIPS; i++) check_near(x_of(&s, i), before[i], 1e-6);
        sinew_mixer_update(s.mixer,
                           1.0f / 240); // at most the runs' own velocities, and the quintic's, 1.73 for 0.3 s
        for (int i = 0; i < CLIPS; i++) check_near(x_of(&s, i), before[i], 1.0 / 240 * (2 + 1.73 / 0.3));
        free_stage(&s);
    }
}

// ---- Queued transitions --------------------------------------------------------------------------------------

// Updates by `total` seconds in steps of `dt`.
static void go(stage *s, double total, double dt) {
    int steps = (int)floor(total / dt + 1e-9);
    for (int i = 0; i < steps; i++) sinew_mixer_update(s->mixer, (float)dt);
    if (total - steps * dt > 1e-9) sinew_mixer_update(s->mixer, (float)(total - steps * dt));
}

static const double frame_times[4] = {1.5, 0.25, 1.0 / 24, 1.0 / 240};

static void queue(stage *s, sinew_action action, int kind, double duration) {
    sinew_transition how = sinew_transition_default();
    how.kind = kind == CUT ? SINEW_TRANSITION_FADE : (sinew_transition_kind)kind;
    how.duration = kind == CUT ? 0.0f : (float)duration;
    sinew_action_queue(s->mixer, action, sinew_clip_source(s->clips[UNMARKED]), &how, NULL);
}

static double time_of_queued(const stage *s) {
    return (double)sinew_action_time(
        s->mixer, sinew_mixer_find(s->mixer, sinew_clip_source(s->clips[UNMARKED]), SINEW_ALL_LAYERS));
}

// The walk and the run go at 3 steps a second: two rounds of the walk are over after 4/3 s. A fade is over then.
static void test_what_is_queued_behind_a_synced_action_starts_exactly(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int f = 0; f < 4; f++) {
            stage s = make_stage(16, true);
            sinew_play_def def = in_group(1);
            def.loop_count = 2;
            sinew_action action = sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[WALK]), &def);
            play_in(&s, RUN, 0);
            queue(&s, action, kind, 0.25);
            go(&s, 1.5, frame_times[f]);
            check_near(time_of_queued(&s), 1.5 - (4.0 / 3 - (kind == FADE ? 0.25 : 0)), 1e-5);
            free_stage(&s);
        }
    }
}

// The warp goes from the walk's cycle a second to the run's two, in 1 s: after t seconds t + t²/2 cycles. One cycle of
// the run is over where that is 1.
static void test_what_is_queued_behind_a_warped_action_starts_exactly(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int f = 0; f < 4; f++) {
            stage s = make_stage(16, true);
            sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[WALK]), NULL);
            sinew_mixer_update(s.mixer, 0.25f);
            sinew_transition warped = sinew_transition_default();
            warped.duration = 1;
            warped.match_rate = true;
            sinew_play_def once = sinew_play_default();
            once.loop = SINEW_LOOP_ONCE;
            sinew_action action =
                sinew_mixer_transition_to(s.mixer, sinew_clip_source(s.clips[RUN]), &warped, &once);
            queue(&s, action, kind, 0.25);
            go(&s, 1.5, frame_times[f]);
            check_near(time_of_queued(&s), 1.5 - (sqrt(3) - 1 - (kind == FADE ? 0.25 : 0)), 1e-5);
            free_stage(&s);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_clip_comes_in_at_the_phase_and_the_rate),
        cmocka_unit_test(test_a_clip_comes_in_where_every_slot_is_in_use),
        cmocka_unit_test(test_a_space_comes_in_at_the_phase_and_the_rate),
        cmocka_unit_test(test_a_space_goes_out_at_the_phase_and_the_rate),
        cmocka_unit_test(test_a_clip_comes_in_beside_another_layer),
        cmocka_unit_test(test_a_clip_does_not_make_up_for_a_member_without_weight),
        cmocka_unit_test(test_a_clip_that_is_not_synced_starts_at_its_own_time),
        cmocka_unit_test(test_several_transitions_in_one_frame_keep_the_phase),
        cmocka_unit_test(test_a_clip_without_markers_is_divided_by_the_mean_rate),
        cmocka_unit_test(test_a_member_that_resumes_does_not_jump),
        cmocka_unit_test(test_a_fade_into_a_group_does_not_jump),
        cmocka_unit_test(test_what_is_queued_behind_a_synced_action_starts_exactly),
        cmocka_unit_test(test_what_is_queued_behind_a_warped_action_starts_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
