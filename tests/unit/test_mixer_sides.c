// SPDX-License-Identifier: MIT
// Sides: a rotation is added on the side chosen when its contribution started, so no pose flips when two clips pass
// half a turn.
#include "support/check.h"

// ---- Rotations about one axis --------------------------------------------------------------------------------

// More than one block of nodes, and the last not full.
#define NODES 21

// A clip that turns every node about x: node n from `start` + n × `spread` radians on, by `speed` radians a second.
// Keys may have the other sign than those before.
typedef struct turning {
    double duration, start, spread, speed;
    int sign_period; // the signs of the keys change after so many; 0: never
    sinew_key_format format;
} turning;

#define TURN_KEYS 33

static double angle_of(const turning *t, int node, double time) {
    return t->start + node * t->spread + t->speed * time;
}

static sinew_clip *make_turning(const sinew_skeleton *skeleton, const turning *t) {
    static float values[NODES][TURN_KEYS][4];
    float times[TURN_KEYS];
    sinew_channel_def channels[NODES];
    for (int k = 0; k < TURN_KEYS; k++) times[k] = (float)(t->duration * k / (TURN_KEYS - 1));
    for (int n = 0; n < NODES; n++) {
        for (int k = 0; k < TURN_KEYS; k++) {
            sinew_quat q = about_x(angle_of(t, n, times[k]));
            bool negates = t->sign_period > 0 && (k / t->sign_period) % 2 != 0;
            float sign = negates ? -1.0f : 1.0f, *to = values[n][k];
            to[0] = sign * q.x, to[1] = 0, to[2] = 0, to[3] = sign * q.w;
        }
        channels[n] = (sinew_channel_def){n,     SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, TURN_KEYS,
                                          times, values[n][0]};
    }
    sinew_clip_def def = sinew_clip_default();
    def.name = "turns";
    def.skeleton = skeleton;
    def.channels = channels;
    def.channel_count = NODES;
    def.key_format = t->format;
    sinew_clip *clip;
    assert_int_equal(sinew_clip_create(&def, &clip, NULL), SINEW_OK);
    return clip;
}

// ---- Sums of rotations about one axis ------------------------------------------------------------------------

// A sum of quaternions about x, as a vector: w along x, x along y. A rotation of `angle`, which counts past a turn, is
// at half of it.
typedef struct half_sum {
    double x, y;
} half_sum;

static half_sum add_half(half_sum sum, double angle, double weight) {
    return (half_sum){sum.x + weight * cos(angle / 2), sum.y + weight * sin(angle / 2)};
}

static double angle_of_sum(half_sum sum) {
    return 2 * atan2(sum.y, sum.x);
}

// The angle that is a whole number of turns from `angle`, and within half a turn of `near`: on its side.
static double on_side_of(double angle, double near) {
    return angle - 2 * PI * floor((angle - near) / (2 * PI) + 0.5);
}

static double angle_shown(sinew_mixer *mixer, int node) {
    sinew_quat q = sinew_pose_get(sinew_mixer_pose(mixer), node).rotation;
    return 2 * atan2((double)q.x, (double)q.w);
}

// The difference of two angles, as rotations.
static double apart(double a, double b) {
    return fabs(on_side_of(a - b, 0));
}

#define EXACT 2e-6

#define check_angle(mixer, node, expected, tolerance)                                                              \
    check_near(apart(angle_shown(mixer, node), expected), 0, tolerance)

// ---- A mixer and clips ---------------------------------------------------------------------------------------

enum { MOST_TURNINGS = 4 };

typedef struct stage {
    sinew_skeleton *skeleton;
    sinew_clip *clips[MOST_TURNINGS];
    turning turnings[MOST_TURNINGS];
    int count;
    sinew_mixer *mixer;
} stage;

static sinew_mixer_def def_of(const stage *s) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s->skeleton;
    def.layer_count = 3;
    return def;
}

static sinew_mixer *make_mixer(const sinew_mixer_def *def) {
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(def, &mixer, NULL), SINEW_OK);
    return mixer;
}

static stage make_stage(const turning *turnings, int count) {
    stage s = {.skeleton = make_chain(NODES), .count = count};
    for (int i = 0; i < count; i++) {
        s.turnings[i] = turnings[i];
        s.clips[i] = make_turning(s.skeleton, &turnings[i]);
    }
    sinew_mixer_def def = def_of(&s);
    s.mixer = make_mixer(&def);
    return s;
}

static void free_stage(stage *s) {
    sinew_mixer_destroy(s->mixer);
    for (int i = 0; i < s->count; i++) sinew_clip_destroy(s->clips[i]);
    sinew_skeleton_destroy(s->skeleton);
}

static sinew_action play(const stage *s, int clip, float weight, float fade) {
    sinew_play_def def = sinew_play_default();
    def.weight = weight;
    def.fade = fade;
    return sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[clip]), &def);
}

// ---- Fades ---------------------------------------------------------------------------------------------------

static const sinew_transition_kind kinds[2] = {SINEW_TRANSITION_FADE, SINEW_TRANSITION_DEAD_BLEND};

// From a still pose to clips that turn by more than half a turn during the fade: the side is taken at its middle.
static void test_a_fade_keeps_the_side_of_its_middle(void **state) {
    (void)state;
    const turning both[2] = {{1, 0, 0.05, 0, 0, SINEW_KEYS_FLOAT}, {4, 1.2, 0.29, 2.1, 0, SINEW_KEYS_FLOAT}};
    for (int k = 0; k < 2; k++) {
        stage s = make_stage(both, 2);
        play(&s, 0, 1, 0);
        sinew_mixer_update(s.mixer, 0.25f);
        sinew_transition how = sinew_transition_default();
        how.kind = kinds[k];
        how.duration = 1;
        how.easing = SINEW_EASING_LINEAR;
        sinew_mixer_transition_to(s.mixer, sinew_clip_source(s.clips[1]), &how, NULL);
        int passing = 0;
        for (int i = 0; i <= 32; i++) {
            double t = i / 32.0;
            for (int n = 0; n < NODES; n++) {
                double still = angle_of(&both[0], n, 0), middle = angle_of(&both[1], n, 0.5);
                double turned = angle_of(&both[1], n, t) + on_side_of(middle, still) - middle;
                half_sum sum = add_half(add_half((half_sum){0, 0}, still, 1 - t), turned, t);
                check_angle(s.mixer, n, angle_of_sum(sum), EXACT / hypot(sum.x, sum.y));
                passing += fabs(turned - still) > PI;
            }
            sinew_mixer_update(s.mixer, 1.0f / 32);
        }
        assert_true(passing > 50);
        free_stage(&s);
    }
}

// The rest pose of SINEW_UNDERWEIGHT_REST comes in on the side of the actions, whenever it does.
static void test_the_rest_pose_has_a_side(void **state) {
    (void)state;
    const turning one = {1, 2.5, 0.13, 0, 0, SINEW_KEYS_FLOAT};
    for (int way = 0; way < 3; way++) {
        stage s = make_stage(&one, 1);
        sinew_mixer_destroy(s.mixer);
        sinew_mixer_def def = def_of(&s);
        def.underweight = SINEW_UNDERWEIGHT_REST;
        s.mixer = make_mixer(&def);
        sinew_action action = play(&s, 0, way == 2 ? 0.5f : 1, way == 1 ? 0.5f : 0);
        for (int i = 0; i < 4; i++) sinew_mixer_update(s.mixer, 0.25f);
        double from = way == 2 ? 0.5 : 1;
        sinew_action_fade_to(s.mixer, action, 0.125f, 1);
        for (int i = 1; i <= 8; i++) {
            sinew_mixer_update(s.mixer, 0.125f);
            double weight = from + (0.125 - from) * i / 8.0;
            for (int n = 0; n < NODES; n++) {
                double turned = on_side_of(angle_of(&one, n, 0), 0);
                half_sum sum = add_half(add_half((half_sum){0, 0}, turned, weight), 0, 1 - weight);
                check_angle(s.mixer, n, angle_of_sum(sum), EXACT / hypot(sum.x, sum.y));
            }
        }
        free_stage(&s);
    }
}

// Also without a fade: by setting a weight, and by stopping an action.
static void test_the_rest_pose_has_a_side_at_once(void **state) {
    (void)state;
    const turning one = {4, 0.3, 0.13, 1.5, 0, SINEW_KEYS_FLOAT};
    for (int stops = 0; stops < 2; stops++) {
        stage s = make_stage(&one, 1);
        sinew_mixer_destroy(s.mixer);
        sinew_mixer_def def = def_of(&s);
        def.underweight = SINEW_UNDERWEIGHT_REST;
        s.mixer = make_mixer(&def);
        sinew_action action = play(&s, 0, stops ? 0.75f : 1, 0);
        sinew_play_def again = sinew_play_default();
        again.allow_duplicate = true;
        again.weight = 0.25f;
        sinew_action other = {0};
        if (stops) other = sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[0]), &again);
        for (int i = 0; i < 8; i++) sinew_mixer_update(s.mixer, 0.25f); // by 3 radians, from one side to the other
        if (stops) sinew_action_stop(s.mixer, other);
        if (!stops) sinew_action_set_weight(s.mixer, action, 0.75f);
        sinew_mixer_update(s.mixer, 0);
        for (int n = 0; n < NODES; n++) {
            double turned = on_side_of(angle_of(&one, n, 2), 0);
            half_sum sum = add_half(add_half((half_sum){0, 0}, turned, 0.75), 0, 0.25);
            check_angle(s.mixer, n, angle_of_sum(sum), 1e-5);
        }
        free_stage(&s);
    }
}

// ---- Loops ---------------------------------------------------------------------------------------------------

// A clip that turns once a loop, against one that stands: after a loop it is on the other side, as it was going.
static void check_loops(const turning *spin, float speed, float dt, int steps, double tolerance) {
    const turning both[2] = {{1, 0.3, 0, 0, 0, SINEW_KEYS_FLOAT}, *spin};
    stage s = make_stage(both, 2);
    play(&s, 0, 1, 0);
    sinew_play_def def = sinew_play_default();
    def.speed = speed;
    def.time = (float)(0.25 * spin->duration);
    def.weight = 0.75f;
    sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[1]), &def);
    sinew_mixer_update(s.mixer, 0);
    double moved = 0;
    for (int i = 0; i <= steps; i++) {
        for (int n = 0; n < NODES; n++) {
            double start = angle_of(spin, n, 0.25 * spin->duration), shift = on_side_of(start, 0.3) - start;
            double turned = angle_of(spin, n, 0.25 * spin->duration + moved) + shift;
            half_sum sum = add_half(add_half((half_sum){0, 0}, 0.3, 1 / 1.75), turned, 0.75 / 1.75);
            check_angle(s.mixer, n, angle_of_sum(sum), tolerance / hypot(sum.x, sum.y));
        }
        assert_true(sinew_mixer_update(s.mixer, dt));
        moved += (double)dt * (double)speed;
    }
    free_stage(&s);
}

static void test_a_side_is_kept_over_loops(void **state) {
    (void)state;
    const turning spin = {2, 0.1, 0.11, PI, 0, SINEW_KEYS_FLOAT},
                  twice = {2, 0.1, 0.11, 2 * PI, 0, SINEW_KEYS_FLOAT};
    check_loops(&spin, 1, 0.0625f, 100, 1e-5);
    check_loops(&spin, -1, 0.0625f, 100, 1e-5);
    check_loops(&spin, 1.5f, 1.25f, 20, 1e-5);  // at most one loop in a step
    check_loops(&spin, -4, 2.25f, 20, 1e-5);    // several
    check_loops(&twice, 1, 0.0625f, 100, 1e-5); // on the same side after a loop
}

// A step of exactly one loop changes nothing but the side.
static void test_a_step_of_a_whole_loop_is_a_change(void **state) {
    (void)state;
    const turning spin = {2, 0.1, 0.11, PI, 0, SINEW_KEYS_FLOAT};
    check_loops(&spin, 1, 2, 6, 1e-5);
    check_loops(&spin, -1, 2, 6, 1e-5);
    check_loops(&spin, 1, 6, 6, 1e-5);
}

static void test_clips_with_keys_of_either_sign(void **state) {
    (void)state;
    for (int period = 1; period < 9; period++) {
        const turning spin = {2, 0.1, 0.11, PI, period, SINEW_KEYS_FLOAT};
        check_loops(&spin, 1, 0.0625f, 70, 1e-5);
    }
}

static void test_clips_with_keys_of_16_bits(void **state) {
    (void)state;
    const turning spin = {2, 0.1, 0.11, PI, 0, SINEW_KEYS_U16}, signs = {2, 0.1, 0.11, PI, 3, SINEW_KEYS_U16};
    check_loops(&spin, 1, 0.0625f, 70, 2e-4);
    check_loops(&signs, 1, 0.0625f, 70, 2e-4);
}

// A seek is in the cycle that plays, on the side that the clip has there.
static void test_a_seek_keeps_the_side(void **state) {
    (void)state;
    const turning both[2] = {{1, 0.3, 0, 0, 0, SINEW_KEYS_FLOAT}, {2, 0.1, 0.11, PI, 0, SINEW_KEYS_FLOAT}};
    stage s = make_stage(both, 2);
    play(&s, 0, 1, 0);
    sinew_action spin = play(&s, 1, 1, 0);
    for (int loop = 0; loop < 4; loop++) {
        for (int i = 0; i < 6; i++) {
            double time = 0.3 * ((i * 5) % 6) + 0.1;
            sinew_action_set_time(s.mixer, spin, (float)time);
            sinew_mixer_update(s.mixer, 0);
            for (int n = 0; n < NODES; n++) {
                double start = angle_of(&both[1], n, 0), shift = on_side_of(start, 0.3) - start;
                double turned = angle_of(&both[1], n, time + 2.0 * loop) + shift;
                half_sum sum = add_half(add_half((half_sum){0, 0}, 0.3, 0.5), turned, 0.5);
                check_angle(s.mixer, n, angle_of_sum(sum), 1e-5 / hypot(sum.x, sum.y));
            }
        }
        sinew_action_set_time(s.mixer, spin, 1.5f);
        sinew_mixer_update(s.mixer, 1);
    }
    free_stage(&s);
}

// If the jump is inertialized, the side is the shorter arc's at the new time. Here that's a whole turn later, where
// the kept side would be nearly opposite the other clip.
static void test_an_inertialized_seek_takes_the_shorter_arc(void **state) {
    (void)state;
    const turning both[2] = {{1, 0.3, 0, 0, 0, SINEW_KEYS_FLOAT}, {4, 0, 0.02, PI, 0, SINEW_KEYS_FLOAT}};
    stage s = make_stage(both, 2);
    play(&s, 0, 1, 0);
    sinew_action spin = play(&s, 1, 1, 0);
    sinew_mixer_update(s.mixer, 0.125f);
    sinew_action_set_paused(s.mixer, spin, true);
    sinew_mixer_inertialize(s.mixer, SINEW_ALL_LAYERS, 0.125f);
    sinew_action_set_time(s.mixer, spin, 2.0f);
    sinew_mixer_update(s.mixer, 0.25f);
    for (int n = 0; n < NODES; n++) check_angle(s.mixer, n, (0.3 + n * 0.02) / 2, 1e-5);
    free_stage(&s);
}

// ---- Layers --------------------------------------------------------------------------------------------------

// The largest change of any node in a frame, in radians.
static double largest_step(sinew_mixer *mixer, int frames, float dt) {
    double last[NODES], most = 0;
    for (int n = 0; n < NODES; n++) last[n] = angle_shown(mixer, n);
    for (int i = 0; i < frames; i++) {
        sinew_mixer_update(mixer, dt);
        for (int n = 0; n < NODES; n++) {
            double angle = angle_shown(mixer, n);
            most = fmax(most, apart(angle, last[n]));
            last[n] = angle;
        }
    }
    return most;
}

// A layer over half of a base that turns through more than half a turn: it stays where it began.
static void test_a_layer_keeps_its_side_over_a_base_that_turns(void **state) {
    (void)state;
    const turning both[2] = {{4, 0, 0.02, 2, 0, SINEW_KEYS_FLOAT}, {1, 2.2, 0.15, 0, 0, SINEW_KEYS_FLOAT}};
    stage s = make_stage(both, 2);
    play(&s, 0, 1, 0);
    sinew_mixer_update(s.mixer, 0.125f);
    sinew_play_def def = sinew_play_default();
    def.layer = 1;
    sinew_layer_set_weight(s.mixer, 1, 0.25f);
    sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[1]), &def);
    int passing = 0;
    for (int i = 0; i < 28; i++) {
        sinew_mixer_update(s.mixer, 0.125f);
        for (int n = 0; n < NODES; n++) {
            double below = angle_of(&both[0], n, 0.25 + i / 8.0), above = angle_of(&both[1], n, 0);
            above = on_side_of(above, angle_of(&both[0], n, 0.125));
            half_sum sum = add_half(add_half((half_sum){0, 0}, below, 0.75), above, 0.25);
            check_angle(s.mixer, n, angle_of_sum(sum), 1e-5);
            passing += fabs(below - above) > PI;
        }
    }
    assert_true(passing > 20);
    free_stage(&s);
}

// Over a base that fades, is inertialized or dead blended to another pose nothing flips; after a cut the side is the
// shorter way again.
static void test_a_layer_keeps_its_side_over_transitions(void **state) {
    (void)state;
    const turning three[3] = {{1, 0, 0.01, 0, 0, SINEW_KEYS_FLOAT},
                              {1, 1.9, 0.01, 0, 0, SINEW_KEYS_FLOAT},
                              {1, 3.4, 0.01, 0, 0, SINEW_KEYS_FLOAT}};
    for (int kind = 0; kind < 3; kind++) {
        stage s = make_stage(three, 3);
        play(&s, 0, 1, 0);
        sinew_play_def def = sinew_play_default();
        def.layer = 1;
        sinew_layer_set_weight(s.mixer, 1, 0.5f);
        sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[2]), &def);
        sinew_mixer_update(s.mixer, 0.25f);
        sinew_transition how = sinew_transition_default();
        how.kind = (sinew_transition_kind)kind;
        how.duration = 0.5f;
        sinew_mixer_transition_to(s.mixer, sinew_clip_source(s.clips[1]), &how, NULL);
        // At most the whole difference of the two base poses, a turn, at the slope of the quickest easing, 2.
        check_near(largest_step(s.mixer, 45, 1.0f / 60), 0, 2 * 2 * PI / 30);
        how.duration = 0;
        sinew_mixer_transition_to(s.mixer, sinew_clip_source(s.clips[0]), &how, NULL);
        sinew_mixer_transition_to(s.mixer, sinew_clip_source(s.clips[1]), &how, NULL);
        sinew_mixer_update(s.mixer, 0.25f);
        for (int n = 0; n < NODES; n++) check_angle(s.mixer, n, (1.9 + 3.4) / 2 + n * 0.01, 1e-5);
        free_stage(&s);
    }
}

// A layer is on the other side of a base that has kept turning. It stays there when one below fades in with its first
// action or its weight starting from nothing.
static void test_a_layer_keeps_its_side_over_one_that_fades_in(void **state) {
    (void)state;
    const turning three[3] = {{4, 0, 0.01, 2.5, 0, SINEW_KEYS_FLOAT},
                              {1, 1.7, 0.01, 0, 0, SINEW_KEYS_FLOAT},
                              {1, 5.5, 0.01, 0, 0, SINEW_KEYS_FLOAT}};
    for (int way = 0; way < 2; way++) {
        stage s = make_stage(three, 3);
        sinew_action base = play(&s, 0, 1, 0);
        sinew_play_def def = sinew_play_default();
        if (way == 1) sinew_layer_set_weight(s.mixer, 1, 0);
        sinew_layer_set_weight(s.mixer, 2, 0.375f);
        def.layer = 2;
        sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[1]), &def);
        for (int i = 0; i < 32; i++) sinew_mixer_update(s.mixer, 0.0625f); // the base is at 5, the layer at 1.7
        for (int n = 0; n < NODES; n++) {
            half_sum sum = add_half((half_sum){0, 0}, 5 + n * 0.01, 0.625);
            sum = add_half(sum, on_side_of(1.7 + n * 0.01, 0), 0.375);
            check_angle(s.mixer, n, angle_of_sum(sum), 1e-5);
        }
        sinew_action_set_paused(s.mixer, base, true);
        def.layer = 1;
        def.fade = way == 0 ? 0.5f : 0;
        sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[2]), &def);
        if (way == 1) sinew_layer_fade_to(s.mixer, 1, 1, 0.5f, SINEW_EASING_LINEAR);
        check_near(largest_step(s.mixer, 45, 1.0f / 60), 0, 0.1); // of the half radian from 5 to 5.5
        free_stage(&s);
    }
}

// The side of a layer that starts in the frame of an inertialization of the base is chosen then, although its action has
// no weight yet, and not with the next change, when the base has turned on.
static void test_a_layer_that_starts_with_an_inertialization_has_a_side(void **state) {
    (void)state;
    const turning three[3] = {{1, 0, 0.01, 0, 0, SINEW_KEYS_FLOAT},
                              {2, 0, 0.01, -2, 0, SINEW_KEYS_FLOAT},
                              {1, 2.9, 0.01, 0, 0, SINEW_KEYS_FLOAT}};
    stage s = make_stage(three, 3);
    play(&s, 0, 1, 0);
    sinew_mixer_update(s.mixer, 0.25f);
    sinew_play_def def = sinew_play_default();
    def.layer = 1;
    def.fade = 0.125f;
    sinew_layer_set_weight(s.mixer, 1, 0.25f);
    sinew_layer_set_weight(s.mixer, 2, 0);
    sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[2]), &def);
    sinew_transition how = sinew_transition_default();
    how.kind = SINEW_TRANSITION_INERTIALIZE;
    how.duration = 0.25f;
    sinew_mixer_transition_to(s.mixer, sinew_clip_source(s.clips[1]), &how, NULL);
    for (int i = 0; i < 30; i++) sinew_mixer_update(s.mixer, 1.0f / 60); // the base is at -1
    def.layer = 2;
    sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[0]), &def);
    check_near(largest_step(s.mixer, 15, 1.0f / 60), 0,
               2 * 2.0 / 60); // of a sum that is as long as its parts at least
    free_stage(&s);
}

// When its mask changes, a layer that already covers the base takes the side of the shorter arc at that time. It
// doesn't take the side at its fade's middle, when the base will be past half a turn.
static void test_another_mask_takes_the_shorter_arc_at_once(void **state) {
    (void)state;
    const turning both[2] = {{4, 0, 0.001, -2, 0, SINEW_KEYS_FLOAT}, {1, 2.9, 0.001, 0, 0, SINEW_KEYS_FLOAT}};
    stage s = make_stage(both, 2);
    sinew_mask *mask;
    assert_int_equal(sinew_mask_create(s.skeleton, 1.0f, NULL, &mask), SINEW_OK);
    play(&s, 0, 1, 0);
    sinew_play_def def = sinew_play_default();
    def.layer = 1;
    sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[1]), &def);
    sinew_layer_fade_to(s.mixer, 1, 0, 1.0f, SINEW_EASING_LINEAR);
    sinew_mixer_update(s.mixer, 0.0625f);
    sinew_layer_set_mask(s.mixer, 1, mask);
    sinew_mixer_update(s.mixer, 0.0f);
    for (int n = 0; n < NODES; n++) {
        half_sum sum = add_half((half_sum){0, 0}, angle_of(&both[0], n, 0.0625), 0.0625);
        check_angle(s.mixer, n, angle_of_sum(add_half(sum, angle_of(&both[1], n, 0), 1 - 0.0625)), 1e-5);
    }
    sinew_layer_set_mask(s.mixer, 1, NULL);
    sinew_mask_destroy(mask);
    free_stage(&s);
}

// Differences of an additive layer are added on the side of the identity, and turn on from there over loops.
static void test_a_difference_keeps_its_side(void **state) {
    (void)state;
    const turning both[2] = {{1, 0.4, 0.1, 0, 0, SINEW_KEYS_FLOAT}, {2, 0.2, 0.19, PI, 5, SINEW_KEYS_FLOAT}};
    stage s = make_stage(both, 2);
    sinew_pose *rest;
    sinew_clip *difference;
    assert_int_equal(sinew_pose_create(s.skeleton, NULL, &rest), SINEW_OK);
    assert_int_equal(sinew_clip_make_additive(s.clips[1], rest, NULL, &difference, NULL), SINEW_OK);
    sinew_layer_set_mode(s.mixer, 1, SINEW_LAYER_ADDITIVE);
    play(&s, 0, 1, 0);
    sinew_play_def def = sinew_play_default();
    def.layer = 1;
    def.weight = 0.5f;
    sinew_mixer_play(s.mixer, sinew_clip_source(difference), &def);
    for (int i = 0; i < 70; i++) {
        sinew_mixer_update(s.mixer, i == 0 ? 0.0f : 0.0625f);
        for (int n = 0; n < NODES; n++) {
            double start = angle_of(&both[1], n, 0), shift = on_side_of(start, 0) - start;
            double added = angle_of(&both[1], n, 0.0625 * i) + shift;
            half_sum sum = add_half((half_sum){0.5, 0}, added, 0.5);
            check_angle(s.mixer, n, angle_of(&both[0], n, 0) + angle_of_sum(sum), 1e-5 / hypot(sum.x, sum.y));
        }
    }
    sinew_mixer_stop_all(s.mixer);
    sinew_clip_destroy(difference);
    sinew_pose_destroy(rest);
    free_stage(&s);
}

// A layer starts before the base, in the same frame. Both play a clip with quaternions on the other side of the rest
// pose's.
static void test_a_layer_that_starts_before_the_base_has_its_side(void **state) {
    (void)state;
    const turning one[1] = {{4, 4.0, 0.02, 0, 0, SINEW_KEYS_FLOAT}};
    stage s = make_stage(one, 1);
    sinew_layer_set_weight(s.mixer, 1, 0.5f);
    sinew_play_def upper = sinew_play_default();
    upper.layer = 1;
    upper.fade = 0.25f;
    sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[0]), &upper);
    play(&s, 0, 1, 0);
    for (int i = 0; i < 8; i++) {
        sinew_mixer_update(s.mixer, 0.0625f);
        for (int n = 0; n < NODES; n++) check_angle(s.mixer, n, angle_of(&one[0], n, 0), EXACT);
    }
    free_stage(&s);
}

// Two samples 20 degrees apart, on either side of half a turn from the rest pose. As a difference, their blend turns
// by 20 degrees, like in the base.
static void test_a_blend_space_of_differences_takes_the_shorter_arc(void **state) {
    (void)state;
    const double end = 170 * PI / 180;
    const turning both[2] = {{4, end, 0, 0, 0, SINEW_KEYS_FLOAT}, {4, -end, 0, 0, 0, SINEW_KEYS_FLOAT}};
    stage s = make_stage(both, 2);
    sinew_pose *rest;
    sinew_clip *differences[2];
    assert_int_equal(sinew_pose_create(s.skeleton, NULL, &rest), SINEW_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(sinew_clip_make_additive(s.clips[i], rest, NULL, &differences[i], NULL), SINEW_OK);
    const sinew_blend_sample samples[2] = {{differences[0], 0, 0, 1}, {differences[1], 1, 0, 1}};
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = s.skeleton;
    def.samples = samples;
    def.sample_count = 2;
    def.damping = 0;
    sinew_blend_space *space;
    assert_int_equal(sinew_blend_space_create(&def, &space, NULL), SINEW_OK);
    sinew_layer_set_mode(s.mixer, 1, SINEW_LAYER_ADDITIVE);
    sinew_play_def upper = sinew_play_default();
    upper.layer = 1;
    sinew_action action = sinew_mixer_play(s.mixer, sinew_blend_space_source(space, 0, 0), &upper);
    for (int i = 0; i <= 16; i++) {
        sinew_action_set_parameter(s.mixer, action, (float)i / 16, 0);
        sinew_mixer_update(s.mixer, 0.0625f);
        const half_sum sum = add_half(add_half((half_sum){0, 0}, end, 1 - i / 16.0), 2 * PI - end, i / 16.0);
        for (int n = 0; n < NODES; n++) check_angle(s.mixer, n, angle_of_sum(sum), 1e-5);
    }
    sinew_mixer_stop_all(s.mixer);
    sinew_blend_space_destroy(space);
    for (int i = 0; i < 2; i++) sinew_clip_destroy(differences[i]);
    sinew_pose_destroy(rest);
    free_stage(&s);
}

// ---- Held poses and snapshots ----------------------------------------------------------------------------------

// Two that are past half a turn apart are evicted after each other: nothing jumps.
static void test_evictions_after_each_other_do_not_jump(void **state) {
    (void)state;
    const turning four[4] = {{4, 0, 0.02, 0, 0, SINEW_KEYS_FLOAT},
                             {4, 1.5, 0.05, 2.5, 0, SINEW_KEYS_FLOAT},
                             {4, 0.5, 0.02, 0, 0, SINEW_KEYS_FLOAT},
                             {4, 0.2, 0.01, 0, 0, SINEW_KEYS_FLOAT}};
    stage s = make_stage(four, 4);
    sinew_mixer_destroy(s.mixer);
    sinew_mixer_def def = def_of(&s);
    def.max_actions = 3;
    s.mixer = make_mixer(&def);
    play(&s, 0, 2, 0);
    sinew_action spin = play(&s, 1, 1, 0), light = play(&s, 2, 0.5f, 0);
    for (int i = 0; i < 12; i++) sinew_mixer_update(s.mixer, 0.0625f);
    play(&s, 3, 3, 1);
    assert_false(sinew_action_is_active(s.mixer, light));
    for (int i = 0; i < 8; i++) sinew_mixer_update(s.mixer, 0.0625f);
    double before[NODES];
    for (int n = 0; n < NODES; n++) before[n] = angle_shown(s.mixer, n);
    play(&s, 2, 3, 1);
    assert_false(sinew_action_is_active(s.mixer, spin));
    sinew_mixer_update(s.mixer, 0);
    for (int n = 0; n < NODES; n++) check_angle(s.mixer, n, before[n], 1e-5);
    free_stage(&s);
}

// After the last fade-out to the rest pose, that stays on its side below the layers.
static void test_the_rest_pose_keeps_its_side_when_it_is_all(void **state) {
    (void)state;
    const turning both[2] = {{4, 3.8, 0.01, 0, 0, SINEW_KEYS_FLOAT}, {4, 2.0, 0.01, 0, 0, SINEW_KEYS_FLOAT}};
    stage s = make_stage(both, 2);
    sinew_mixer_destroy(s.mixer);
    sinew_mixer_def def = def_of(&s);
    def.underweight = SINEW_UNDERWEIGHT_REST;
    s.mixer = make_mixer(&def);
    sinew_action base = play(&s, 0, 1, 0);
    sinew_mixer_update(s.mixer, 0.0625f);
    sinew_play_def upper = sinew_play_default();
    upper.layer = 1;
    upper.weight = 0.5f;
    sinew_mixer_play(s.mixer, sinew_clip_source(s.clips[1]), &upper);
    sinew_mixer_update(s.mixer, 0.0625f);
    sinew_action_fade_out(s.mixer, base, 0.5f);
    double before[NODES];
    for (int i = 0; i < 48; i++) {
        for (int n = 0; n < NODES; n++) before[n] = angle_shown(s.mixer, n);
        sinew_mixer_update(s.mixer, 1.0f / 64);
        for (int n = 0; n < NODES; n++) assert_true(apart(angle_shown(s.mixer, n), before[n]) < 0.2);
    }
    free_stage(&s);
}

static void test_sides_are_in_snapshots(void **state) {
    (void)state;
    const turning both[2] = {{4, 0, 0.02, 0.7, 0, SINEW_KEYS_FLOAT}, {2, 0.4, 0.3, PI, 0, SINEW_KEYS_FLOAT}};
    stage s = make_stage(both, 2);
    play(&s, 0, 1, 0);
    play(&s, 1, 1, 2);
    for (int i = 0; i < 50; i++) sinew_mixer_update(s.mixer, 0.0625f); // one loop and more
    sinew_mixer_def def = def_of(&s);
    sinew_mixer *other = make_mixer(&def);
    size_t size = sinew_mixer_snapshot_size(s.mixer);
    void *memory = malloc(size);
    sinew_mixer_save(s.mixer, memory);
    assert_true(sinew_mixer_restore(other, memory, size));
    assert_true(sinew_mixer_hash(other) == sinew_mixer_hash(s.mixer));
    for (int i = 0; i < 80; i++) {
        sinew_mixer_update(s.mixer, 0.0625f);
        sinew_mixer_update(other, 0.0625f);
        assert_memory_equal(sinew_mixer_model_matrices(s.mixer), sinew_mixer_model_matrices(other),
                            NODES * sizeof(sinew_affine));
    }
    free(memory);
    sinew_mixer_destroy(other);
    free_stage(&s);
}

// Two mixers with equal poses that will take different sides. The hash tells them apart.
static void test_sides_are_in_the_hash(void **state) {
    (void)state;
    const turning two[2] = {{4, 0, 0, 0, 0, SINEW_KEYS_FLOAT}, {2, 0, 0, PI, 0, SINEW_KEYS_FLOAT}};
    stage s = make_stage(two, 2);
    sinew_mixer_def def = def_of(&s);
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        sinew_mixer *mixer = make_mixer(&def);
        sinew_play_def play_def = sinew_play_default();
        sinew_mixer_play(mixer, sinew_clip_source(s.clips[0]), NULL);
        play_def.time = i == 0 ? 0.5f : 1.5f; // within half a turn to the one and to the other side
        sinew_action spin = sinew_mixer_play(mixer, sinew_clip_source(s.clips[1]), &play_def);
        sinew_action_set_time(mixer, spin, 1.0f);
        sinew_mixer_update(mixer, 0);
        double angle = on_side_of(sinew_pose_get(sinew_mixer_pose(mixer), 3).rotation.x, 0);
        assert_true(i == 0 ? angle > 0.7 : angle < -0.7);
        hashes[i] = sinew_mixer_hash(mixer);
        sinew_mixer_destroy(mixer);
    }
    assert_true(hashes[0] != hashes[1]);
    free_stage(&s);
}

// ---- Blend spaces --------------------------------------------------------------------------------------------

// Samples a third of a turn apart, all round. A parameter that goes from one to the next, and round again, turns the pose
// on: samples that come in are on the side of those that are there.
static void test_samples_that_come_and_go_have_sides(void **state) {
    (void)state;
    turning turnings[MOST_TURNINGS];
    for (int i = 0; i < MOST_TURNINGS; i++) {
        turnings[i] = (turning){1, 2 * PI / 3 * i, 0.05, 0, i % 2 ? 7 : 0, SINEW_KEYS_FLOAT};
    }
    stage s = make_stage(turnings, MOST_TURNINGS);
    sinew_blend_sample samples[MOST_TURNINGS];
    for (int i = 0; i < MOST_TURNINGS; i++) samples[i] = (sinew_blend_sample){s.clips[i], (float)i, 0, 1};
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = s.skeleton;
    def.samples = samples;
    def.sample_count = MOST_TURNINGS;
    sinew_blend_space *space;
    assert_int_equal(sinew_blend_space_create(&def, &space, NULL), SINEW_OK);
    sinew_action action = sinew_mixer_play(s.mixer, sinew_blend_space_source(space, 0, 0), NULL);
    sinew_mixer_update(s.mixer, 0);
    for (int i = 0; i <= 192; i++) {
        int step = i <= 96 ? i : 192 - i;
        sinew_action_set_parameter(s.mixer, action, (float)step / 32, 0);
        sinew_mixer_update(s.mixer, 1.0f / 64);
        float at = (float)sinew_action_get(s.mixer, action).parameter.x;
        int first = (int)fmin(2, floor((double)at));
        double part = (double)at - first;
        for (int n = 0; n < NODES; n++) {
            half_sum sum = add_half((half_sum){0, 0}, angle_of(&turnings[first], n, 0), 1 - part);
            sum = add_half(sum, angle_of(&turnings[first + 1], n, 0), part);
            check_angle(s.mixer, n, angle_of_sum(sum), 1e-5);
        }
    }
    sinew_mixer_stop_all(s.mixer);
    sinew_blend_space_destroy(space);
    free_stage(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_fade_keeps_the_side_of_its_middle),
        cmocka_unit_test(test_the_rest_pose_has_a_side),
        cmocka_unit_test(test_the_rest_pose_has_a_side_at_once),
        cmocka_unit_test(test_a_side_is_kept_over_loops),
        cmocka_unit_test(test_a_step_of_a_whole_loop_is_a_change),
        cmocka_unit_test(test_clips_with_keys_of_either_sign),
        cmocka_unit_test(test_clips_with_keys_of_16_bits),
        cmocka_unit_test(test_a_seek_keeps_the_side),
        cmocka_unit_test(test_an_inertialized_seek_takes_the_shorter_arc),
        cmocka_unit_test(test_a_layer_keeps_its_side_over_a_base_that_turns),
        cmocka_unit_test(test_a_layer_keeps_its_side_over_transitions),
        cmocka_unit_test(test_a_layer_keeps_its_side_over_one_that_fades_in),
        cmocka_unit_test(test_a_layer_that_starts_with_an_inertialization_has_a_side),
        cmocka_unit_test(test_another_mask_takes_the_shorter_arc_at_once),
        cmocka_unit_test(test_a_difference_keeps_its_side),
        cmocka_unit_test(test_a_layer_that_starts_before_the_base_has_its_side),
        cmocka_unit_test(test_a_blend_space_of_differences_takes_the_shorter_arc),
        cmocka_unit_test(test_evictions_after_each_other_do_not_jump),
        cmocka_unit_test(test_the_rest_pose_keeps_its_side_when_it_is_all),
        cmocka_unit_test(test_sides_are_in_snapshots),
        cmocka_unit_test(test_sides_are_in_the_hash),
        cmocka_unit_test(test_samples_that_come_and_go_have_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
