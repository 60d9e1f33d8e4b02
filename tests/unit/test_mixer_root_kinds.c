// SPDX-License-Identifier: MIT
// Root motion through every kind of transition: held and dead blended poses keep the root's velocity. With an
// inertialization, the velocity difference decays.
#include "support/gait.h"

static const gait stroll = {1.5, 0, 0, 0.05, 0.9, {0.1, 1, -0.3}}, dash = {3, 0, 0, 0.05, 0.6, {0.1, 1, -0.3}};
static const gait turn_left = {1.5, 0.8, 0, 0.05, 0.9, {0.1, 1, -0.3}};
static const gait turn_right = {1.5, -1.1, 0, 0.05, 0.9, {0.1, 1, -0.3}};

enum { STROLL, DASH, LEFT, RIGHT, GAITS };
static const gait *const gaits[GAITS] = {&stroll, &dash, &turn_left, &turn_right};

typedef struct stage {
    sinew_skeleton *skeleton;
    sinew_clip *clips[GAITS];
    sinew_root_motion_def root;
    sinew_mixer *mixer;
} stage;

static sinew_mixer *make_mixer(const stage *s, int32_t slots, sinew_underweight underweight) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s->skeleton;
    def.root_motion = &s->root;
    def.max_actions = slots;
    def.underweight = underweight;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    return mixer;
}

static stage make_stage(int32_t slots, sinew_underweight underweight) {
    stage s = {.skeleton = make_body(nothing)};
    for (int i = 0; i < GAITS; i++) s.clips[i] = make_gait(s.skeleton, gaits[i], nothing);
    s.root = def_of(s.skeleton);
    s.mixer = make_mixer(&s, slots, underweight);
    return s;
}

static void free_stage(stage *s) {
    sinew_mixer_destroy(s->mixer);
    for (int i = 0; i < GAITS; i++) sinew_clip_destroy(s->clips[i]);
    sinew_skeleton_destroy(s->skeleton);
}

#define DT (1.0f / 60)

// Metres a second in a step, forward; what the deltas are in steps of DT.
static double speed_in_step(sinew_mixer *mixer) {
    sinew_mixer_update(mixer, DT);
    return (double)sinew_mixer_root_delta(mixer).translation.z / (double)DT;
}

static double yaw_speed_in_step(sinew_mixer *mixer) {
    sinew_mixer_update(mixer, DT);
    return (double)sinew_mixer_root_delta(mixer).yaw / (double)DT;
}

static sinew_action play(stage *s, int clip, float weight, float fade) {
    sinew_play_def def = sinew_play_default();
    def.weight = weight;
    def.fade = fade;
    return sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[clip]), &def);
}

static sinew_action change_to(stage *s, int clip, sinew_transition_kind kind, double duration) {
    sinew_transition how = sinew_transition_default();
    how.kind = kind;
    how.duration = (float)duration;
    return sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->clips[clip]), &how, NULL);
}

// ---- Chains --------------------------------------------------------------------------------------------------

// Two strides of one speed: a one-shot in the first, and what played before it again.
static double way_of_chain(sinew_transition_kind kind, float dt) {
    stage s = make_stage(4, SINEW_UNDERWEIGHT_NORMALIZE);
    sinew_clip *once = make_gait(s.skeleton, &stroll, nothing);
    play(&s, STROLL, 1, 0);
    sinew_play_def def = sinew_play_default();
    def.loop = SINEW_LOOP_ONCE;
    sinew_transition how = sinew_transition_default();
    how.kind = kind;
    how.duration = 0.1f;
    sinew_action action = sinew_mixer_transition_to(s.mixer, sinew_clip_source(once), &how, &def);
    assert_true(sinew_action_queue_previous(s.mixer, action, &how));
    double way = 0.0;
    const int steps = (int)lround(2.0 / (double)dt);
    for (int i = 0; i < steps; i++) {
        sinew_mixer_update(s.mixer, dt);
        way += (double)sinew_mixer_root_delta(s.mixer).translation.z;
    }
    free_stage(&s);
    sinew_clip_destroy(once);
    return way;
}

static void test_a_chain_passes_on_the_whole_way(void **state) {
    (void)state;
    static const float dts[] = {1.0f / 240, 1.0f / 60, 1.0f / 30, 0.125f, 0.25f, 1.0f, 2.0f};
    for (int kind = 0; kind < 3; kind++)
        for (int i = 0; i < 7; i++) check_near(way_of_chain((sinew_transition_kind)kind, dts[i]), 3.0, 2e-4);
}

// ---- Velocities ----------------------------------------------------------------------------------------------

// What is left of a velocity's offset: the mean over a step that ends t seconds after the start of d.
static double mean_offset(double t, double d) {
    double u1 = fmin(1, t / (0.55 * d)), u0 = fmin(1, (t - (double)DT) / (0.55 * d));
    double i1 = u1 - 0.75 * u1 * u1 + 0.125 * pow(u1, 4), i0 = u0 - 0.75 * u0 * u0 + 0.125 * pow(u0, 4);
    return (i1 - i0) * 0.55 * d / (double)DT;
}

// The weight in the middle of that step: linear, or eased by u² (3 - 2 u).
static double middle_weight(double t, double d, bool eased) {
    double u = fmin(1, (t - 0.5 * (double)DT) / d);
    return eased ? u * u * (3 - 2 * u) : u;
}

static double mixed(double from, double to, double part) {
    return from + (to - from) * part;
}

static double expected_speed(sinew_transition_kind kind, double from, double to, double t, double d) {
    if (kind == SINEW_TRANSITION_INERTIALIZE) return mixed(to, from, mean_offset(t, d));
    return mixed(from, to, middle_weight(t, d, kind == SINEW_TRANSITION_DEAD_BLEND));
}

// From 1.5 to 3 m/s and back with each kind, with several slots and with one, so a fade evicts. The speed stays
// between both, and its acceleration below twice a smoothstep's: 3/2 of the difference over the duration.
static void check_speeds(int32_t slots, sinew_transition_kind kind, int from, int to) {
    stage s = make_stage(slots, SINEW_UNDERWEIGHT_NORMALIZE);
    const double d = 0.5, v0 = gaits[from]->speed, v1 = gaits[to]->speed;
    play(&s, from, 1, 0);
    double last = 0;
    for (int i = 0; i < 20; i++) check_near(last = speed_in_step(s.mixer), v0, 1e-4);
    change_to(&s, to, kind, d);
    for (int i = 1; i <= 45; i++) {
        double speed = speed_in_step(s.mixer), t = i * (double)DT;
        check_near(speed, expected_speed(kind, v0, v1, t, d), 1e-3);
        check_near(speed, 0.5 * (v0 + v1), 0.5 * fabs(v1 - v0) + 1e-4);
        check_near(speed, last, 2 * 1.5 * fabs(v1 - v0) / d * (double)DT + 1e-4);
        last = speed;
    }
    check_near(last, v1, 1e-4);
    free_stage(&s);
}

static void test_the_speed_goes_evenly_from_one_to_the_other(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        for (int32_t slots = 1; slots <= 3; slots += 2) {
            check_speeds(slots, (sinew_transition_kind)kind, STROLL, DASH);
            check_speeds(slots, (sinew_transition_kind)kind, DASH, STROLL);
        }
    }
}

// The same for circles to the left and to the right.
static void test_the_turn_goes_evenly_from_one_to_the_other(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        for (int32_t slots = 1; slots <= 3; slots += 2) {
            stage s = make_stage(slots, SINEW_UNDERWEIGHT_NORMALIZE);
            play(&s, LEFT, 1, 0);
            for (int i = 0; i < 20; i++) check_near(yaw_speed_in_step(s.mixer), turn_left.turning, 1e-3);
            change_to(&s, RIGHT, (sinew_transition_kind)kind, 0.5);
            for (int i = 1; i <= 45; i++) {
                double t = i * (double)DT;
                double wanted =
                    expected_speed((sinew_transition_kind)kind, turn_left.turning, turn_right.turning, t, 0.5);
                check_near(yaw_speed_in_step(s.mixer), wanted, 5e-3);
            }
            free_stage(&s);
        }
    }
}

// Weights of a fade do not matter, only proportions; with the rest pose for the remainder, which stands, they do.
static void test_the_speed_goes_by_proportions(void **state) {
    (void)state;
    const double weights[4] = {0.05, 0.4, 1, 2};
    for (int rest = 0; rest < 2; rest++) {
        for (int i = 0; i < 16; i++) {
            double from = weights[i / 4], to = weights[i % 4], d = 0.5;
            stage s = make_stage(4, rest ? SINEW_UNDERWEIGHT_REST : SINEW_UNDERWEIGHT_NORMALIZE);
            play(&s, STROLL, (float)from, 0);
            speed_in_step(s.mixer);
            sinew_play_def def = sinew_play_default();
            def.weight = (float)to;
            sinew_mixer_crossfade_to(s.mixer, sinew_clip_source(s.clips[DASH]), (float)d, &def);
            double part_from = rest ? fmin(1, from) : 1, part_to = rest ? fmin(1, to) : 1;
            for (int k = 1; k <= 40; k++) {
                double u = middle_weight(k * (double)DT, d, false);
                check_near(speed_in_step(s.mixer), 1.5 * part_from * (1 - u) + 3 * part_to * u, 1e-3);
            }
            free_stage(&s);
        }
    }
}

// ---- Held poses ----------------------------------------------------------------------------------------------

// Stopped and played in the same frame: the pose that fades out keeps its speed.
static void test_a_stopped_pose_that_fades_out_keeps_its_speed(void **state) {
    (void)state;
    stage s = make_stage(4, SINEW_UNDERWEIGHT_NORMALIZE);
    sinew_action action = play(&s, DASH, 1, 0);
    for (int i = 0; i < 20; i++) speed_in_step(s.mixer);
    sinew_action_stop(s.mixer, action);
    play(&s, STROLL, 1, 0.5f);
    for (int i = 1; i <= 40; i++) {
        double u = middle_weight(i * (double)DT, 0.5, false);
        check_near(speed_in_step(s.mixer), mixed(3, 1.5, u), 1e-3);
    }
    free_stage(&s);
}

// A held pose that a step has shown stands.
static void test_a_stopped_pose_stands_from_its_first_step_on(void **state) {
    (void)state;
    stage s = make_stage(4, SINEW_UNDERWEIGHT_NORMALIZE);
    sinew_action action = play(&s, DASH, 1, 0);
    for (int i = 0; i < 20; i++) speed_in_step(s.mixer);
    sinew_action_stop(s.mixer, action);
    check_near(speed_in_step(s.mixer), 0, 0);
    play(&s, STROLL, 1, 0.5f);
    for (int i = 1; i <= 40; i++) {
        double u = middle_weight(i * (double)DT, 0.5, false);
        check_near(speed_in_step(s.mixer), 1.5 * u, 1e-3);
    }
    free_stage(&s);
}

// In the middle of an inertialization the offset of the velocity decays on, and counts once.
static void test_what_happens_in_the_middle_of_an_inertialization(void **state) {
    (void)state;
    for (int way = 0; way < 5; way++) {
        stage s = make_stage(way == 3 ? 1 : 4, SINEW_UNDERWEIGHT_NORMALIZE);
        play(&s, DASH, 1, 0);
        for (int i = 0; i < 20; i++) speed_in_step(s.mixer);
        sinew_action action = change_to(&s, STROLL, SINEW_TRANSITION_INERTIALIZE, 1);
        double last = 0;
        for (int i = 0; i < 10; i++) last = speed_in_step(s.mixer);
        if (way == 0) sinew_action_stop(s.mixer, action), play(&s, STROLL, 1, 0.5f);
        if (way == 1) change_to(&s, DASH, SINEW_TRANSITION_DEAD_BLEND, 0.5);
        if (way == 2) change_to(&s, DASH, SINEW_TRANSITION_INERTIALIZE, 0.5);
        if (way == 3) change_to(&s, DASH, SINEW_TRANSITION_FADE, 0.5); // evicts the stroll
        if (way == 4) sinew_mixer_stop_all(s.mixer), play(&s, STROLL, 1, 0.5f);
        for (int i = 1; i <= 60; i++) {
            double speed = speed_in_step(s.mixer);
            // Both speeds are within 1.5 and 3, and so is what is between them: the offset counts above the stroll only.
            check_near(speed, 2.25, 0.75 + 1e-3);
            // Twice a smoothstep's acceleration from 1.5 to 3 in 0.5 s, and the offset's own.
            check_near(speed, last, (2 * 1.5 * 1.5 / 0.5 + 1.5 * 1.5 / 0.55) * (double)DT);
            last = speed;
            // From one stroll to another: the dash before them decays on.
            double before = mean_offset((10 + i) * (double)DT, 1);
            if (way == 0 || way == 4) check_near(speed, mixed(1.5, 3, before), 1e-3);
        }
        free_stage(&s);
    }
}

// A fade that is faster than the offset takes the offset along: over the dash nothing is left of it.
static void test_a_fast_fade_during_an_inertialization_stays_in_range(void **state) {
    (void)state;
    for (int late = 0; late < 2; late++) {
        stage s = make_stage(4, SINEW_UNDERWEIGHT_NORMALIZE);
        play(&s, DASH, 1, 0);
        for (int i = 0; i < 20; i++) speed_in_step(s.mixer);
        change_to(&s, STROLL, SINEW_TRANSITION_INERTIALIZE, 1);
        for (int i = 0; i < 4 * late; i++) speed_in_step(s.mixer);
        change_to(&s, DASH, SINEW_TRANSITION_FADE, 0.1);
        for (int i = 0; i < 40; i++) {
            double speed = speed_in_step(s.mixer);
            assert_true(speed < 3 + 2e-3 && speed > 1.5);
            if (i > 6) check_near(speed, 3, 2e-3);
        }
        free_stage(&s);
    }
}

// A dead-blended pose that fades out into the rest pose ends after the last action. Then the root comes to rest.
static void test_the_root_of_a_held_pose_comes_to_rest_in_the_rest_pose(void **state) {
    (void)state;
    stage s = make_stage(4, SINEW_UNDERWEIGHT_REST);
    play(&s, DASH, 1, 0);
    for (int i = 0; i < 20; i++) speed_in_step(s.mixer);
    sinew_action walk = change_to(&s, STROLL, SINEW_TRANSITION_DEAD_BLEND, 0.6);
    double last = speed_in_step(s.mixer);
    sinew_action_fade_to(s.mixer, walk, 0, 0.2f);
    for (int i = 0; i < 60; i++) {
        double speed = speed_in_step(s.mixer);
        // Twice a smoothstep's slope, in the 0.4 s that are left of the held pose.
        check_near(speed, last, 3 * 2 * 1.5 / 0.4 * (double)DT);
        last = speed;
    }
    check_near(last, 0, 1e-6);
    free_stage(&s);
}

// ---- Several in one frame, and steps of no time ----------------------------------------------------------------

static void test_several_transitions_in_one_frame_keep_the_speed(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        stage s = make_stage(8, SINEW_UNDERWEIGHT_NORMALIZE);
        play(&s, STROLL, 1, 0);
        for (int i = 0; i < 20; i++) speed_in_step(s.mixer);
        for (int i = 0; i < 6; i++) change_to(&s, i % 2 ? DASH : LEFT, (sinew_transition_kind)kind, 0.5);
        for (int i = 0; i < 3; i++) {
            sinew_mixer_update(s.mixer, 0);
            check_near(sinew_mixer_root_delta(s.mixer).translation.z, 0, 0);
        }
        for (int i = 1; i <= 40; i++) {
            double wanted = expected_speed((sinew_transition_kind)kind, 1.5, 3, i * (double)DT, 0.5);
            check_near(speed_in_step(s.mixer), wanted, 2e-3);
        }
        free_stage(&s);
    }
}

// ---- Snapshots -----------------------------------------------------------------------------------------------

static void test_the_velocities_are_in_snapshots(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        for (int32_t slots = 1; slots <= 3; slots += 2) {
            stage s = make_stage(slots, SINEW_UNDERWEIGHT_NORMALIZE);
            play(&s, DASH, 1, 0);
            for (int i = 0; i < 20; i++) speed_in_step(s.mixer);
            change_to(&s, LEFT, (sinew_transition_kind)kind, 0.5);
            for (int i = 0; i < 7; i++) speed_in_step(s.mixer);
            sinew_mixer *other = make_mixer(&s, slots, SINEW_UNDERWEIGHT_NORMALIZE);
            size_t size = sinew_mixer_snapshot_size(s.mixer);
            void *memory = malloc(size);
            sinew_mixer_save(s.mixer, memory);
            assert_true(sinew_mixer_restore(other, memory, size));
            free(memory);
            for (int i = 0; i < 40; i++) {
                assert_true(sinew_mixer_hash(s.mixer) == sinew_mixer_hash(other));
                sinew_mixer_update(s.mixer, DT);
                sinew_mixer_update(other, DT);
                sinew_root_delta a = sinew_mixer_root_delta(s.mixer), b = sinew_mixer_root_delta(other);
                assert_memory_equal(&a, &b, sizeof a);
            }
            sinew_mixer_destroy(other);
            free_stage(&s);
        }
    }
}

// The speed stays until the fade ends, and then decays over 0.55 of its duration: 3/8 of that at full speed, whatever
// the steps. An action that fades to a weight of 0 continues; one that fades out ends within a step.
static void test_the_root_comes_to_rest_when_the_last_action_has_faded_out(void **state) {
    (void)state;
    static const double rates[3] = {60, 47, 7};
    const double d = 0.3, v0 = gaits[STROLL]->speed;
    for (int k = 0; k < 6; k++) {
        stage s = make_stage(3, SINEW_UNDERWEIGHT_NORMALIZE);
        sinew_action walk = play(&s, STROLL, 1, 0);
        double dt = 1 / rates[k / 2], way = 0, last = v0, late = 0;
        for (int i = 0; i < 20; i++) sinew_mixer_update(s.mixer, (float)dt);
        if (k % 2) {
            sinew_action_fade_to(s.mixer, walk, 0, (float)d);
            late = ceil(d / dt - 1e-9) * dt - d; // until the end of the step
        } else {
            sinew_action_fade_out(s.mixer, walk, (float)d);
        }
        for (int frame = 0; frame * dt < 2; frame++) {
            sinew_mixer_update(s.mixer, (float)dt);
            double speed = (double)sinew_mixer_root_delta(s.mixer).translation.z / dt;
            assert_true(speed < last + 1e-4);
            assert_true(speed > last - 1.5 * v0 / (0.55 * d) * dt - 1e-4);
            way += speed * dt;
            last = speed;
        }
        check_near(last, 0, 1e-6);
        check_near(way, v0 * (d + late + 0.375 * 0.55 * d), 2e-3);
        free_stage(&s);
    }
}

// The largest change of the speed from one step to the next.
static double largest_change(sinew_mixer *mixer, double last, int steps) {
    double largest = 0;
    for (int i = 0; i < steps; i++) {
        double speed = speed_in_step(mixer);
        largest = fmax(largest, fabs(speed - last));
        last = speed;
    }
    check_near(last, 0, 1e-6);
    return largest;
}

// The last action fades out while a held pose contributes. In the step when both end, the root moves at their mean.
static void test_a_held_pose_contributes_until_the_last_fade_out_ends(void **state) {
    (void)state;
    stage s = make_stage(16, SINEW_UNDERWEIGHT_NORMALIZE);
    play(&s, STROLL, 1, 0);
    double last = 0;
    for (int i = 0; i < 20; i++) last = speed_in_step(s.mixer);
    sinew_action dash_action = change_to(&s, DASH, SINEW_TRANSITION_DEAD_BLEND, 1);
    for (int i = 0; i < 6; i++) last = speed_in_step(s.mixer);
    assert_true(last < 1.7);
    sinew_action_fade_out(s.mixer, dash_action, 0.21f);
    assert_true(largest_change(s.mixer, last, 60) <
                0.6); // while it comes to rest: 1.5 × 2.3 / (0.55 × 0.21) / 60 = 0.5
    free_stage(&s);
}

// A dead blend to an action that immediately fades out: the root comes to rest with the held pose's fade.
static void test_the_root_comes_to_rest_when_nothing_replaces_a_held_pose(void **state) {
    (void)state;
    for (int underweight = 0; underweight < 2; underweight++) {
        stage s = make_stage(16, (sinew_underweight)underweight);
        play(&s, STROLL, 1, 0);
        double last = 0;
        for (int i = 0; i < 20; i++) last = speed_in_step(s.mixer);
        sinew_action dash_action = change_to(&s, DASH, SINEW_TRANSITION_DEAD_BLEND, 0.5);
        sinew_action_fade_out(s.mixer, dash_action, 0.7f);
        assert_true(largest_change(s.mixer, last, 60) < 1.5 * 1.5 / 0.5 / 60 + 0.01);
        free_stage(&s);
    }
}

// The root starts to come to rest, and another action fades in. The held pose continues at its remaining speed.
static void test_a_held_pose_that_has_slowed_down_keeps_its_speed(void **state) {
    (void)state;
    stage s = make_stage(16, SINEW_UNDERWEIGHT_NORMALIZE);
    play(&s, STROLL, 1, 0);
    for (int i = 0; i < 20; i++) speed_in_step(s.mixer);
    sinew_action_fade_out(s.mixer, change_to(&s, DASH, SINEW_TRANSITION_DEAD_BLEND, 0.5), 0.7f);
    double last = 0;
    for (int i = 0; i < 15; i++) last = speed_in_step(s.mixer);
    check_near(last, 0.75, 0.1);
    play(&s, DASH, 1, 2);
    check_near(speed_in_step(s.mixer), last, 0.05);
    free_stage(&s);
}

// An action without a weight fades out for longer, and the root does not wait for it.
static void test_the_root_comes_to_rest_with_the_visible_actions(void **state) {
    (void)state;
    stage s = make_stage(16, SINEW_UNDERWEIGHT_NORMALIZE);
    sinew_action walk = play(&s, STROLL, 1, 0);
    for (int i = 0; i < 20; i++) speed_in_step(s.mixer);
    sinew_action_fade_out(s.mixer, walk, 0.1f);
    sinew_action_fade_out(s.mixer, play(&s, DASH, 1, 0.1f), 2.0f);
    for (int i = 0; i < 11; i++) speed_in_step(s.mixer); // 0.1 s, and 0.55 of it
    check_near(speed_in_step(s.mixer), 0, 1e-6);
    free_stage(&s);
}

// The fade that ends last ends within a step: the speed stays until then, and decays from there on.
static void test_the_root_comes_to_rest_within_a_step(void **state) {
    (void)state;
    stage s = make_stage(16, SINEW_UNDERWEIGHT_NORMALIZE);
    play(&s, DASH, 1, 0);
    for (int i = 0; i < 20; i++) speed_in_step(s.mixer);
    sinew_action walk = change_to(&s, STROLL, SINEW_TRANSITION_FADE, 40.5 * (double)DT);
    for (int i = 0; i < 5; i++) speed_in_step(s.mixer);
    sinew_action_fade_out(s.mixer, walk, 0.26f);
    double last = 3;
    for (int i = 5; i < 80; i++) {
        double speed = speed_in_step(s.mixer);
        if (i >= 30) check_near(speed, last, 3 * 1.5 / (0.55 * 40.5));
        assert_true(i < 30 || speed < last + 1e-4);
        last = speed;
    }
    check_near(last, 0, 1e-6);
    free_stage(&s);
}

typedef enum halt { STOP, STOP_ALL, PAUSE, SPEED, WEIGHT, FADE_OUT, HALTS } halt;

static void halt_by(halt way, sinew_mixer *mixer, sinew_action action) {
    if (way == STOP) sinew_action_stop(mixer, action);
    if (way == STOP_ALL) sinew_mixer_stop_all(mixer);
    if (way == PAUSE) sinew_action_set_paused(mixer, action, true);
    if (way == SPEED) sinew_action_set_speed(mixer, action, 0);
    if (way == WEIGHT) sinew_action_set_weight(mixer, action, 0);
    if (way == FADE_OUT) sinew_action_fade_out(mixer, action, 0.01f);
}

// Something that stops during an inertialization leaves the velocity before it, which decays. Relative to the new
// clip, the rest of the difference would lead backward.
static void test_what_halts_in_the_middle_of_an_inertialization(void **state) {
    (void)state;
    for (int i = 0; i < 2 * HALTS; i++) {
        bool fills = i >= HALTS;
        halt way = (halt)(i % HALTS);
        if (way == FADE_OUT && !fills) continue; // the root comes to rest during the fade
        stage s = make_stage(16, fills ? SINEW_UNDERWEIGHT_REST : SINEW_UNDERWEIGHT_NORMALIZE);
        play(&s, STROLL, 1, 0);
        for (int k = 0; k < 20; k++) speed_in_step(s.mixer);
        sinew_action action = change_to(&s, DASH, SINEW_TRANSITION_INERTIALIZE, 0.8);
        for (int k = 0; k < 6; k++) speed_in_step(s.mixer);
        halt_by(way, s.mixer, action);
        if (way == FADE_OUT) speed_in_step(s.mixer); // its fade ends within this step
        for (int k = 7 + (way == FADE_OUT); k < 40; k++) {
            check_near(speed_in_step(s.mixer), 1.5 * mean_offset(k * (double)DT, 0.8), 1e-4);
        }
        free_stage(&s);
    }
}

static void test_a_cut_ends_an_inertialization(void **state) {
    (void)state;
    stage s = make_stage(16, SINEW_UNDERWEIGHT_NORMALIZE);
    play(&s, STROLL, 1, 0);
    for (int i = 0; i < 20; i++) speed_in_step(s.mixer);
    change_to(&s, LEFT, SINEW_TRANSITION_INERTIALIZE, 0.8);
    for (int i = 0; i < 6; i++) speed_in_step(s.mixer);
    change_to(&s, DASH, SINEW_TRANSITION_FADE, 0);
    for (int i = 0; i < 30; i++) check_near(speed_in_step(s.mixer), 3, 1e-4);
    free_stage(&s);
}

// A clip that goes 1 m a second for half a second and then 3: at the key an inertialization without a change does nothing.
static void test_a_corner_is_not_a_part_of_a_transition(void **state) {
    (void)state;
    stage s = make_stage(16, SINEW_UNDERWEIGHT_NORMALIZE);
    const float key_times[3] = {0, 0.5f, 1}, way[9] = {0, 1, 0, 0, 1, 0.5f, 0, 1, 2};
    const sinew_channel_def channel = {HIPS, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 3, key_times,
                                       way};
    sinew_clip *clip = make_clip(s.skeleton, "corner", &channel, 1);
    sinew_play_def def = sinew_play_default();
    def.loop = SINEW_LOOP_ONCE;
    sinew_mixer_play(s.mixer, sinew_clip_source(clip), &def);
    for (int i = 0; i < 2; i++) sinew_mixer_update(s.mixer, 0.25f);
    sinew_mixer_inertialize(s.mixer, SINEW_ALL_LAYERS, 0.4f);
    for (int i = 0; i < 16; i++) {
        sinew_mixer_update(s.mixer, 1.0f / 64);
        check_near((double)sinew_mixer_root_delta(s.mixer).translation.z * 64, 3, 1e-3);
    }
    sinew_mixer_destroy(s.mixer);
    s.mixer = make_mixer(&s, 16, SINEW_UNDERWEIGHT_NORMALIZE);
    sinew_clip_destroy(clip);
    free_stage(&s);
}

// ---- Loading a state -----------------------------------------------------------------------------------------

// Memory that starts over when all of it is free, so what is made next is where something else was.
static _Alignas(64) char block[1 << 18];
static size_t block_used, block_count;

static void *take_block(size_t size, size_t alignment, void *user) {
    (void)user;
    const size_t start = (block_used + alignment - 1) / alignment * alignment;
    assert_true(start + size <= sizeof block);
    block_used = start + size;
    block_count++;
    return block + start;
}

static void leave_block(void *memory, size_t size, size_t alignment, void *user) {
    (void)memory, (void)size, (void)alignment, (void)user;
    if (--block_count == 0) block_used = 0;
}

static const sinew_allocator in_block = {take_block, leave_block, NULL};

// Straight on for one second.
static sinew_clip *make_run(const sinew_skeleton *skeleton, float speed, const sinew_allocator *allocator) {
    const float times[2] = {0, 1}, places[6] = {0, 1, 0, 0, 1, speed};
    const sinew_channel_def channel = {HIPS,  SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times,
                                       places};
    sinew_clip_def def = sinew_clip_default();
    def.name = "run", def.skeleton = skeleton, def.channels = &channel, def.channel_count = 1;
    if (allocator) def.allocator = *allocator;
    sinew_clip *clip;
    assert_int_equal(sinew_clip_create(&def, &clip, NULL), SINEW_OK);
    return clip;
}

static sinew_blend_space *make_line(const sinew_clip *left, const sinew_clip *right, float width) {
    const sinew_blend_sample samples[2] = {{left, 0, 0, 1}, {right, width, 0, 1}};
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = left->skeleton, def.samples = samples, def.sample_count = 2, def.allocator = in_block;
    sinew_blend_space *space;
    assert_int_equal(sinew_blend_space_create(&def, &space, NULL), SINEW_OK);
    return space;
}

// A mixer, and two ways back to when nothing had played yet. Serials start over.
typedef struct timeline {
    stage s;
    char saved[1 << 16], written[1 << 16];
    size_t saved_size, written_size;
} timeline;

static void open_timeline(timeline *t) {
    block_used = block_count = 0;
    t->s = make_stage(4, SINEW_UNDERWEIGHT_NORMALIZE);
    assert_true(sinew_mixer_snapshot_size(t->s.mixer) <= sizeof t->saved);
    t->saved_size = sinew_mixer_save(t->s.mixer, t->saved);
    t->written_size = sinew_mixer_write(t->s.mixer, NULL, t->written, sizeof t->written);
}

static void go_back(timeline *t, bool reads) {
    if (!reads) assert_true(sinew_mixer_restore(t->s.mixer, t->saved, t->saved_size));
    if (!reads) return;
    sinew_error error = {0};
    if (sinew_mixer_read(t->s.mixer, NULL, t->written, t->written_size, NULL, &error) != SINEW_OK)
        fail_msg("%s", error.message);
}

// How far a source goes in two and a half seconds.
static double way_of(timeline *t, sinew_source source) {
    sinew_mixer_play(t->s.mixer, source, NULL);
    sinew_mixer_update(t->s.mixer, 2.5f);
    return (double)sinew_mixer_root_delta(t->s.mixer).translation.z;
}

static void test_a_clip_at_the_address_of_another_moves_at_its_own_speed(void **state) {
    (void)state;
    static timeline t;
    open_timeline(&t);
    const sinew_clip *last = NULL;
    for (int reads = 0; reads < 2; reads++) {
        for (int speed = 1; speed <= 3; speed++) {
            sinew_clip *clip = make_run(t.s.skeleton, (float)speed, &in_block);
            assert_true(!last || clip == last);
            last = clip;
            check_near(way_of(&t, sinew_clip_source(clip)), 2.5 * speed, 1e-5);
            go_back(&t, reads == 1);
            sinew_clip_destroy(clip);
        }
    }
    free_stage(&t.s);
}

static void test_a_space_at_the_address_of_another_moves_by_its_own_weights(void **state) {
    (void)state;
    static timeline t;
    open_timeline(&t);
    sinew_clip *slow = make_run(t.s.skeleton, 1, NULL), *fast = make_run(t.s.skeleton, 3, NULL);
    const sinew_blend_space *last = NULL;
    for (int reads = 0; reads < 2; reads++) {
        for (int width = 1; width <= 2; width++) { // at 0.5 the weights are 1/2 and 1/2, then 3/4 and 1/4
            sinew_blend_space *space = make_line(slow, fast, (float)width);
            assert_true(!last || space == last);
            last = space;
            const double speed = 1 + 2 * 0.5 / width;
            check_near(way_of(&t, sinew_blend_space_source(space, 0.5f, 0)), 2.5 * speed, 1e-5);
            go_back(&t, reads == 1);
            sinew_blend_space_destroy(space);
        }
    }
    free_stage(&t.s);
    sinew_clip_destroy(slow);
    sinew_clip_destroy(fast);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_chain_passes_on_the_whole_way),
        cmocka_unit_test(test_the_speed_goes_evenly_from_one_to_the_other),
        cmocka_unit_test(test_the_turn_goes_evenly_from_one_to_the_other),
        cmocka_unit_test(test_the_speed_goes_by_proportions),
        cmocka_unit_test(test_a_stopped_pose_that_fades_out_keeps_its_speed),
        cmocka_unit_test(test_a_stopped_pose_stands_from_its_first_step_on),
        cmocka_unit_test(test_what_happens_in_the_middle_of_an_inertialization),
        cmocka_unit_test(test_a_fast_fade_during_an_inertialization_stays_in_range),
        cmocka_unit_test(test_the_root_of_a_held_pose_comes_to_rest_in_the_rest_pose),
        cmocka_unit_test(test_several_transitions_in_one_frame_keep_the_speed),
        cmocka_unit_test(test_the_root_comes_to_rest_when_the_last_action_has_faded_out),
        cmocka_unit_test(test_a_held_pose_contributes_until_the_last_fade_out_ends),
        cmocka_unit_test(test_the_root_comes_to_rest_when_nothing_replaces_a_held_pose),
        cmocka_unit_test(test_a_held_pose_that_has_slowed_down_keeps_its_speed),
        cmocka_unit_test(test_the_root_comes_to_rest_with_the_visible_actions),
        cmocka_unit_test(test_the_root_comes_to_rest_within_a_step),
        cmocka_unit_test(test_what_halts_in_the_middle_of_an_inertialization),
        cmocka_unit_test(test_a_cut_ends_an_inertialization),
        cmocka_unit_test(test_a_corner_is_not_a_part_of_a_transition),
        cmocka_unit_test(test_the_velocities_are_in_snapshots),
        cmocka_unit_test(test_a_clip_at_the_address_of_another_moves_at_its_own_speed),
        cmocka_unit_test(test_a_space_at_the_address_of_another_moves_by_its_own_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
