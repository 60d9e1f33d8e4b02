// SPDX-License-Identifier: MIT
// Preparing takes: every operation, against motion from formulas.
#include "support/runner.h"

#include "takes/takes.h"
#include "write/edit_clip.h"

#include <stdio.h>

static sinew_humanoid roles_of_runner(void) {
    sinew_humanoid roles = sinew_humanoid_empty();
    roles.nodes[SINEW_HUMANOID_HIPS] = HIPS;
    roles.nodes[SINEW_HUMANOID_LEFT_UPPER_LEG] = THIGH_L;
    roles.nodes[SINEW_HUMANOID_LEFT_LOWER_LEG] = SHIN_L;
    roles.nodes[SINEW_HUMANOID_LEFT_FOOT] = FOOT_L;
    roles.nodes[SINEW_HUMANOID_LEFT_TOES] = TOES_L;
    roles.nodes[SINEW_HUMANOID_RIGHT_UPPER_LEG] = THIGH_R;
    roles.nodes[SINEW_HUMANOID_RIGHT_LOWER_LEG] = SHIN_R;
    roles.nodes[SINEW_HUMANOID_RIGHT_FOOT] = FOOT_R;
    roles.nodes[SINEW_HUMANOID_RIGHT_TOES] = TOES_R;
    return roles;
}

typedef struct actor {
    sinew_skeleton *skeleton;
    sinew_clip *clip;
    takes_body body;
} actor;

static actor make_actor(const gait *g) {
    actor a;
    a.skeleton = make_runner(sinew_transform_identity());
    a.clip = make_gait(a.skeleton, g, false);
    const sinew_humanoid roles = roles_of_runner();
    sinew_error error = {0};
    if (takes_body_from_roles(&a.body, a.skeleton, &roles, &error) != SINEW_OK) fail_msg("%s", error.message);
    return a;
}

static sinew_result result_of_body(const sinew_skeleton *skeleton, const sinew_humanoid *roles) {
    takes_body body;
    sinew_error error = {0};
    const sinew_result result = takes_body_from_roles(&body, skeleton, roles, &error);
    assert_int_equal(error.result, result);
    return result;
}

// Legs that lack a role get it by a map; a foot that isn't below its shin can't be helped by one.
static void test_bodies_without_legs(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_runner(sinew_transform_identity());
    sinew_humanoid roles = roles_of_runner();
    assert_int_equal(result_of_body(skeleton, &roles), SINEW_OK);
    roles.nodes[SINEW_HUMANOID_LEFT_FOOT] = SINEW_NO_NODE;
    assert_int_equal(result_of_body(skeleton, &roles), SINEW_ERROR_FORMAT);
    roles.nodes[SINEW_HUMANOID_LEFT_FOOT] = FOOT_R;
    assert_int_equal(result_of_body(skeleton, &roles), SINEW_ERROR_UNSUPPORTED);
    roles = roles_of_runner();
    roles.nodes[SINEW_HUMANOID_HIPS] = SINEW_NO_NODE;
    assert_int_equal(result_of_body(skeleton, &roles), SINEW_ERROR_FORMAT);
    sinew_skeleton_destroy(skeleton);
}

static void free_actor(actor *a) {
    sinew_clip_destroy(a->clip);
    sinew_skeleton_destroy(a->skeleton);
}

// Replaces the actor's clip by one where a function of the time moves and turns the hips.
static void change(actor *a, void (*move)(double time, sinew_transform *hips)) {
    take t;
    sinew_clip *changed;
    sinew_error error;
    assert_int_equal(take_open(&t, a->clip, 30, &error), SINEW_OK);
    for (int32_t f = 0; f < t.count; f++) move(t.times[f], take_transform(&t, f, HIPS));
    t.changed[HIPS] = 1U << SINEW_TARGET_TRANSLATION | 1U << SINEW_TARGET_ROTATION;
    assert_int_equal(take_create_clip(&t, NULL, &changed, &error), SINEW_OK);
    take_close(&t);
    sinew_clip_destroy(a->clip);
    a->clip = changed;
}

static sinew_clip *made_from(const sinew_clip *source, const takes_body *body, takes_def def) {
    sinew_clip *clip;
    sinew_error error = {0};
    lint_text said = {0};
    if (takes_make(source, body, &def, &said, &clip, &error) != SINEW_OK) fail_msg("%s", error.message);
    print_message("%.*s\n", (int)said.size, said.data);
    lint_text_free(&said);
    return clip;
}

static sinew_clip *made(const actor *a, takes_def def) {
    return made_from(a->clip, &a->body, def);
}

// The position of a node in model space.
static vec position(const sinew_clip *clip, double time, int32_t node) {
    sinew_affine m = sinew_affine_identity();
    for (; node != SINEW_NO_NODE; node = clip->skeleton->parents[node])
        m = sinew_affine_multiply(sinew_affine_from_transform(sinew_clip_sample_node(clip, (float)time, node)), m);
    return (vec){m.m[0][3], m.m[1][3], m.m[2][3]};
}

// The largest distance of any node from `first` on between two clips of one duration.
static double largest_distance(const sinew_clip *a, const sinew_clip *b, int32_t first) {
    double most = 0.0;
    for (int i = 0; i <= 200; i++)
        for (int32_t n = first; n < a->skeleton->node_count; n++) {
            const double time = (double)a->duration * i / 200.0;
            most = fmax(most, distance(position(a, time, n), position(b, time, n)));
        }
    return most;
}

// ---- Travel --------------------------------------------------------------------------------------------------

static void sway(double time, sinew_transform *hips) {
    const double phase = 2 * PI * time / walk_gait.duration;
    hips->translation.x += (float)(0.03 * sin(phase));
    hips->translation.y += (float)(0.02 * cos(2 * phase) - 0.02);
    hips->translation.z += (float)(0.02 * sin(2 * phase));
}

static void test_travel_is_removed_and_sway_stays(void **state) {
    (void)state;
    actor a = make_actor(&walk_gait);
    change(&a, sway);
    sinew_clip *in_place = made(&a, (takes_def){.in_place = true, .root = SINEW_NO_NODE});
    for (int i = 0; i <= 100; i++) {
        const double time = walk_gait.duration * i / 100.0;
        sinew_transform expected = {.translation = {0, (float)hip_height, 0}};
        sway(time, &expected);
        check_near(position(in_place, time, HIPS).x, expected.translation.x, 1e-4); // lines between the keys
        check_near(position(in_place, time, HIPS).y, expected.translation.y, 1e-4);
        check_near(position(in_place, time, HIPS).z, expected.translation.z, 1e-4);
    }
    check_near(position(in_place, walk_gait.duration, HIPS).z, 0, 1e-6);
    sinew_clip_destroy(in_place);
    free_actor(&a);
}

// Around an arc of 60 degrees, swaying to the left of its heading.
static void walk_round(double time, sinew_transform *hips) {
    const double rate = PI / 3 / walk_gait.duration, radius = walk_gait.speed / rate, angle = rate * time;
    const double left = 0.03 * sin(2 * PI * time / walk_gait.duration);
    hips->translation.x = (float)(radius * (1 - cos(angle)) + left * cos(angle));
    hips->translation.z = (float)(radius * sin(angle) - left * sin(angle));
    hips->rotation = about_y(angle);
}

static void test_travel_on_an_arc(void **state) {
    (void)state;
    actor a = make_actor(&walk_gait);
    change(&a, walk_round);
    sinew_clip *in_place = made(&a, (takes_def){.in_place = true, .root = SINEW_NO_NODE});
    for (int i = 0; i <= 100; i++) {
        const double time = walk_gait.duration * i / 100.0, angle = PI / 3 * i / 100.0;
        const double left = 0.03 * sin(2 * PI * i / 100.0);
        check_near(position(in_place, time, HIPS).x, left * cos(angle), 1e-4);
        check_near(position(in_place, time, HIPS).z, -left * sin(angle), 1e-4);
        check_near(angle_between(sinew_clip_sample_node(in_place, (float)time, HIPS).rotation, about_y(angle)), 0,
                   1e-3);
    }
    sinew_clip_destroy(in_place);
    free_actor(&a);
}

// Off to the side and back, no loop, two metres from the origin.
static void stroll(double time, sinew_transform *hips) {
    hips->translation.x = (float)(2 + sin(time * 2));
    hips->translation.z = (float)(time * time);
    hips->rotation = about_x(0.4 * time);
}

static void test_a_take_loses_its_whole_path(void **state) {
    (void)state;
    actor a = make_actor(&walk_gait);
    change(&a, stroll);
    sinew_clip *in_place = made(&a, (takes_def){.in_place = true, .root = SINEW_NO_NODE});
    sinew_clip *given = made(&a, (takes_def){.in_place = true, .root = TOP});
    for (int i = 0; i <= 100; i++) {
        const double time = walk_gait.duration * i / 100.0;
        const vec hips = position(in_place, time, HIPS), top = position(given, time, TOP);
        check_near(hips.x, 0, 1e-5);
        check_near(hips.y, hip_height, 1e-5);
        check_near(hips.z, 0, 1e-5);
        check_near(top.x, position(a.clip, time, HIPS).x, 1e-5);
        check_near(top.z, position(a.clip, time, HIPS).z, 1e-5);
    }
    assert_true(largest_distance(a.clip, given, HIPS) < 1e-5);
    sinew_clip_destroy(in_place);
    sinew_clip_destroy(given);
    free_actor(&a);
}

static void test_root_motion_at_the_measured_speed_and_back(void **state) {
    (void)state;
    gait in_place = walk_gait;
    in_place.in_place = true;
    actor a = make_actor(&in_place);
    for (int32_t node = TOP; node <= HIPS; node++) {
        sinew_clip *travels = made(&a, (takes_def){.root = node});
        const vec from = position(travels, 0, node), to = position(travels, in_place.duration, node);
        check_near((to.z - from.z) / in_place.duration, in_place.speed, 0.005 * in_place.speed);
        check_near(to.x - from.x, 0, 1e-4);
        actor b = {a.skeleton, travels, a.body};
        sinew_clip *back = made(&b, (takes_def){.in_place = true, .root = SINEW_NO_NODE});
        assert_true(largest_distance(a.clip, back, 0) < 1e-5);
        sinew_clip *twice = made(&b, (takes_def){.root = node}); // it travels already
        assert_true(largest_distance(travels, twice, 0) < 1e-6);
        sinew_clip_destroy(twice);
        sinew_clip_destroy(back);
        sinew_clip_destroy(travels);
    }
    free_actor(&a);
}

// What a walk lost is measured from its feet.
static void test_in_place_and_root_motion_again(void **state) {
    (void)state;
    actor a = make_actor(&walk_gait);
    sinew_clip *in_place = made(&a, (takes_def){.in_place = true, .root = SINEW_NO_NODE});
    sinew_clip *again = made_from(in_place, &a.body, (takes_def){.root = HIPS});
    const double farthest = largest_distance(a.clip, again, 0);
    print_message("%.2g m apart after %.2f m\n", farthest, walk_gait.speed * walk_gait.duration);
    assert_true(farthest < 0.001 * walk_gait.speed * walk_gait.duration);
    sinew_clip_destroy(again);
    sinew_clip_destroy(in_place);
    free_actor(&a);
}

// ---- Feet ----------------------------------------------------------------------------------------------------

// In the air by 137 mm, except for a frame deep in the ground.
static void float_above(double time, sinew_transform *hips) {
    hips->translation.y += time > 0.3 && time < 0.303 ? -0.5f : 0.137f;
}

static void test_planted_feet_get_to_the_ground(void **state) {
    (void)state;
    actor a = make_actor(&walk_gait);
    change(&a, float_above);
    sinew_clip *grounded = made(&a, (takes_def){.ground = true, .root = SINEW_NO_NODE});
    int planted = 0;
    for (int i = 1; i < 100; i++) {
        const double time = walk_gait.duration * i / 100.0;
        for (int foot = 0; foot < 2; foot++) {
            if (!is_down(&walk_gait, time, foot) || fabs(time - 0.3) < 0.01) continue;
            check_near(position(grounded, time, foot ? FOOT_R : FOOT_L).y, 0, 0.001);
            planted++;
        }
    }
    assert_true(planted > 100);
    sinew_clip_destroy(grounded);
    free_actor(&a);
}

static void test_steps_stay_steps(void **state) {
    (void)state;
    actor a = make_actor(&walk_gait);
    static const float times[3] = {0, 0.5f, 1}, moves[3][3] = {{0, 1, 0}, {0, 1, 2}, {0, 1, 0}};
    const sinew_channel_def channel = {HIPS,    SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_STEP, 3, times,
                                       moves[0]};
    sinew_clip_destroy(a.clip);
    a.clip = make_clip(a.skeleton, "Steps", &channel, 1);
    sinew_clip *grounded = made(&a, (takes_def){.ground = true, .root = SINEW_NO_NODE});
    check_near(position(grounded, 0.4999, HIPS).z, 0, 1e-5);
    check_near(position(grounded, 0.5001, HIPS).z, 2, 1e-5);
    check_near(position(grounded, 0.9999, HIPS).z, 2, 1e-5);
    check_near(position(grounded, 0.2, HIPS).y, hip_height, 1e-5);
    sinew_clip_destroy(grounded);
    free_actor(&a);
}

// Slides ahead at 0.15 m/s, and to and fro.
static void slide(double time, sinew_transform *hips) {
    hips->translation.z += (float)(0.15 * time);
    hips->translation.x += (float)(0.02 * sin(2 * PI * time / walk_gait.duration));
}

// The largest speed over the ground of feet that the formula has on the ground, 240 times a second, m/s. Not within 20 ms of
// the start and the end of a step.
static double slide_of(const sinew_clip *clip) {
    const double step = 1.0 / 240, edge = 0.02;
    double most = 0.0;
    for (int i = 0; edge + step * (i + 1) + edge < walk_gait.duration; i++)
        for (int foot = 0; foot < 2; foot++) {
            const double time = edge + step * i;
            const int32_t node = foot ? FOOT_R : FOOT_L;
            if (!is_down(&walk_gait, time - edge, foot) || !is_down(&walk_gait, time + step + edge, foot)) continue;
            if (foot_phase(&walk_gait, time + step + edge, foot) < foot_phase(&walk_gait, time - edge, foot))
                continue;
            const double moved = level_distance(position(clip, time, node), position(clip, time + step, node));
            most = fmax(most, moved / step);
        }
    return most;
}

// Returns by how much the hips come down, at most.
static double check_planted(const gait *g) {
    actor a = make_actor(g);
    change(&a, slide);
    sinew_clip *planted = made(&a, (takes_def){.plant = true, .root = SINEW_NO_NODE});
    const double before = slide_of(a.clip), after = slide_of(planted);
    print_message("slides at most at %.4f m/s, and at %.4f when planted\n", before, after);
    assert_true(before > 0.15);
    assert_true(after < 0.01 * 2 * bone); // 0.01 m/s for a metre of leg
    double highest = 0.0, farthest = 0.0, lowered = 0.0;
    for (int i = 0; i <= 200; i++) {
        const double time = g->duration * i / 200.0;
        highest = fmax(highest, position(planted, time, FOOT_L).y);
        farthest = fmax(farthest, distance(position(planted, time, FOOT_L), position(a.clip, time, FOOT_L)));
        lowered = fmax(lowered, position(a.clip, time, HIPS).y - position(planted, time, HIPS).y);
        check_near(position(planted, time, HIPS).z, position(a.clip, time, HIPS).z, 1e-5);
    }
    check_near(highest, g->lift, 0.005); // feet still swing
    assert_true(farthest < 0.08);        // a contact lasts 0.68 s: half of 0.15 m/s × that, and the sway
    sinew_clip_destroy(planted);
    free_actor(&a);
    return lowered;
}

static void test_planted_feet_stop_sliding(void **state) {
    (void)state;
    check_near(check_planted(&walk_gait), 0, 1e-6);
    gait strides = walk_gait;
    strides.speed = 1.9; // legs are straight at both ends of a step
    const double lowered = check_planted(&strides);
    assert_true(lowered > 0.005 && lowered < 0.08);
}

static void test_feet_that_walk_in_place_keep_their_speed(void **state) {
    (void)state;
    gait in_place = walk_gait;
    in_place.in_place = true;
    actor a = make_actor(&in_place);
    sinew_clip *planted = made(&a, (takes_def){.plant = true, .root = SINEW_NO_NODE});
    assert_true(largest_distance(a.clip, planted, 0) < 0.01); // at the end of a step, while it gets to 0.4 m/s
    sinew_clip_destroy(planted);
    free_actor(&a);
}

// ---- Noise and keys ------------------------------------------------------------------------------------------

enum { FRAMES = 241, FRAME_RATE = 60 }; // 4 s

static const double cutoff = 6.0, slow = 1.5, fast = 12.0;

// A node that moves and turns by two sines.
static sinew_clip *make_signal(const sinew_skeleton *skeleton, double shift) {
    static float times[FRAMES], moves[FRAMES][3], turns[FRAMES][4];
    for (int k = 0; k < FRAMES; k++) {
        const double time = (double)k / FRAME_RATE + shift;
        times[k] = (float)((double)k / FRAME_RATE);
        moves[k][0] = (float)(sin(2 * PI * slow * time));
        moves[k][1] = (float)(cos(2 * PI * fast * time));
        const sinew_quat q = about_z(0.1 * sin(2 * PI * slow * time) + 0.1 * sin(2 * PI * fast * time));
        memcpy(turns[k], &q, sizeof q);
    }
    const sinew_channel_def channels[2] = {
        {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, FRAMES, times, moves[0]},
        {0, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, FRAMES, times, turns[0]}};
    return make_clip(skeleton, "Signal", channels, 2);
}

// What the filter leaves of a frequency: |H| of a Butterworth filter of second order and the bilinear transform, twice.
static double gain_at(double frequency) {
    const double ratio = tan(PI * frequency / FRAME_RATE) / tan(PI * cutoff / FRAME_RATE);
    return 1.0 / (1.0 + (sqrt(2.0) - 1.0) * pow(ratio, 4.0));
}

static void check_smooth(double shift, double tolerance, int from, int to) {
    sinew_skeleton *skeleton = make_chain(1);
    sinew_clip *clip = make_signal(skeleton, shift);
    const actor a = {skeleton, clip, takes_body_from_clip(clip)};
    sinew_clip *smooth = made(&a, (takes_def){.smooth = (float)cutoff, .root = SINEW_NO_NODE});
    for (int k = from; k < to; k++) {
        const double time = (double)k / FRAME_RATE;
        const sinew_transform t = sinew_clip_sample_node(smooth, (float)time, 0);
        const double low = sin(2 * PI * slow * (time + shift)), high = sin(2 * PI * fast * (time + shift));
        check_near(t.translation.x, gain_at(slow) * low, tolerance);
        check_near(t.translation.y, gain_at(fast) * cos(2 * PI * fast * (time + shift)), tolerance);
        const double angle = 0.1 * (gain_at(slow) * low + gain_at(fast) * high);
        check_near(angle_between(t.rotation, about_z(angle)), 0, 0.002 + tolerance); // the tangent of half an angle
    }
    sinew_clip_destroy(smooth);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

static void test_a_sine_is_filtered_without_delay(void **state) {
    (void)state;
    assert_true(gain_at(slow) > 0.998 && gain_at(fast) < 0.11);
    check_near(gain_at(cutoff), sqrt(0.5), 1e-9);
    check_smooth(0.0, 1e-4, 0, FRAMES); // a loop, to its ends
    check_smooth(0.03, 1e-4, 60, 180);  // the middle of a loop that starts elsewhere
}

static void test_smoothing_is_below_half_of_the_rate(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(1);
    sinew_clip *clip = make_signal(skeleton, 0), *smooth;
    const takes_body body = takes_body_from_clip(clip);
    sinew_error error;
    lint_text said = {0};
    takes_def def = {.smooth = 30.0f, .root = SINEW_NO_NODE};
    assert_int_equal(takes_make(clip, &body, &def, &said, &smooth, &error), SINEW_ERROR_ARGUMENT);
    assert_null(smooth);
    lint_text_free(&said);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

static void test_keys_at_another_rate(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(1);
    sinew_clip *clip = make_signal(skeleton, 0);
    const actor a = {skeleton, clip, takes_body_from_clip(clip)};
    sinew_clip *even = made(&a, (takes_def){.rate = 7.0f, .root = SINEW_NO_NODE});
    float times[64], values[64 * 4];
    assert_true(even->duration == clip->duration);
    const int32_t count = sinew_clip_channel_keys(even, 0, times, values);
    assert_int_equal(count, 29); // 4 s × 7, and the start
    for (int32_t k = 0; k < count; k++) {
        const sinew_vec3 expected = sinew_clip_sample_node(clip, times[k], 0).translation;
        check_near(times[k], k / 7.0, 1e-6);
        check_near(values[(ptrdiff_t)3 * k], expected.x, 1e-5);
        check_near(values[(ptrdiff_t)3 * k + 1], expected.y, 1e-5);
    }
    sinew_clip *odd = made(&a, (takes_def){.rate = 0.6f, .root = SINEW_NO_NODE});
    assert_int_equal(sinew_clip_channel_keys(odd, 0, times, NULL), 4); // 0, 1.67, 3.33 and the end
    check_near(times[3], 4, 1e-6);
    sinew_clip_destroy(odd);
    sinew_clip_destroy(even);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

// ---- Loops ---------------------------------------------------------------------------------------------------

enum { TAKE_KEYS = 331 }; // 5.5 s at 60 a second: five cycles of the walk

static const double turning = 1.2;        // radians a second
static const double period = 1.1 / 1.017; // of a cycle: no multiple of a frame

// Walks five cycles in a curve. `fades`: each step is shorter than the one before.
static sinew_clip *make_long_walk(const sinew_skeleton *skeleton, double fades) {
    static float times[TAKE_KEYS], hips[TAKE_KEYS][3], turn[TAKE_KEYS][4], legs[6][TAKE_KEYS][4];
    for (int k = 0; k < TAKE_KEYS; k++) {
        const double time = k / 60.0, heading = turning * time, size = 1 - fades * time;
        times[k] = (float)time;
        hips[k][0] = (float)(walk_gait.speed / turning * (1 - cos(heading)));
        hips[k][1] = (float)hip_height;
        hips[k][2] = (float)(walk_gait.speed / turning * sin(heading));
        const sinew_quat q = about_y(heading);
        memcpy(turn[k], &q, sizeof q);
        for (int i = 0; i < 6; i++) {
            double angles[3];
            vec foot = foot_from_hips(&walk_gait, 1.017 * time, i / 3);
            leg_angles((vec){0, size * foot.y, size * foot.z}, angles);
            const sinew_quat bend = about_x(angles[i % 3]);
            memcpy(legs[i][k], &bend, sizeof bend);
        }
    }
    sinew_channel_def channels[8] = {
        {HIPS, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, TAKE_KEYS, times, hips[0]},
        {HIPS, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, TAKE_KEYS, times, turn[0]}};
    for (int i = 0; i < 6; i++)
        channels[2 + i] = (sinew_channel_def){THIGH_L + i % 3 + (i < 3 ? 0 : 4),
                                              SINEW_TARGET_ROTATION,
                                              SINEW_INTERPOLATION_LINEAR,
                                              TAKE_KEYS,
                                              times,
                                              legs[i][0]};
    return make_clip(skeleton, "Walks", channels, 8);
}

static int32_t find(const actor *a, float start, float end, takes_loop loops[TAKES_LOOPS]) {
    int32_t count;
    sinew_error error;
    assert_int_equal(takes_find_loops(a->clip, &a->body, start, end, NULL, loops, &count, &error), SINEW_OK);
    return count;
}

static void test_loops_of_a_walk_in_a_curve(void **state) {
    (void)state;
    actor a = make_actor(&walk_gait);
    sinew_clip_destroy(a.clip);
    a.clip = make_long_walk(a.skeleton, 0);
    takes_loop loops[TAKES_LOOPS];
    const int32_t count = find(&a, 0, a.clip->duration, loops);
    assert_true(count >= 3);
    for (int32_t i = 0; i < count; i++) {
        const double cycles = (loops[i].end - loops[i].start) / period, whole = floor(cycles + 0.5);
        assert_true(whole >= 1);
        check_near(cycles, whole, 0.005);
        assert_true(loops[i].seam.degrees < 0.3 && loops[i].seam.metres < 0.003);
        const double turn = remainder(turning * whole * period, 2 * PI);
        check_near(loops[i].seam.turn, turn, 0.005);
    }
    check_near(loops[0].end - loops[0].start, period, 0.003); // the shortest of equal ones is the first
    const int32_t inside = find(&a, 1.0f, 2.3f, loops);
    assert_true(inside >= 1 && loops[0].start >= 1.0f && loops[0].end <= 2.3f);
    free_actor(&a);
}

// An arm that swings by 1 radian, back by 0.4, and on: its poses come near each other, and don't repeat.
static void test_a_motion_that_never_repeats_has_no_loop(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(3);
    static float times[91], turns[91][4];
    for (int k = 0; k <= 90; k++) {
        const double time = k / 60.0, back = time > 0.5 ? fmin(time - 0.5, 0.5) : 0.0;
        const sinew_quat q = about_z(2 * time - 2.8 * back);
        times[k] = (float)time;
        memcpy(turns[k], &q, sizeof q);
    }
    const sinew_channel_def channel = {0, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 91, times, turns[0]};
    sinew_clip *clip = make_clip(skeleton, "Swings", &channel, 1);
    const actor a = {skeleton, clip, takes_body_from_clip(clip)};
    takes_loop loops[TAKES_LOOPS];
    assert_int_equal(find(&a, 0, 0.95f, loops), 0);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

// The loop that a search found in a walk with changing steps closes, and keeps its turn.
static void test_a_closed_loop_of_a_curve_still_turns(void **state) {
    (void)state;
    actor a = make_actor(&walk_gait);
    sinew_clip_destroy(a.clip);
    a.clip = make_long_walk(a.skeleton, 0.02);
    takes_loop loops[TAKES_LOOPS];
    assert_true(find(&a, 0, a.clip->duration, loops) >= 1);
    assert_true(loops[0].seam.degrees > 0.2);
    sinew_clip *closed;
    sinew_error error;
    const edit_clip_def def = {.start = loops[0].start, .end = loops[0].end, .close = true};
    assert_int_equal(edit_clip(a.clip, &def, &closed, &error), SINEW_OK);
    takes_seam seam;
    assert_int_equal(takes_seam_of_clip(closed, &a.body, 0, closed->duration, &seam, &error), SINEW_OK);
    assert_true(seam.degrees < 0.01 && seam.metres < 1e-4);
    check_near(seam.turn, turning * closed->duration, 0.02);
    sinew_clip_destroy(closed);
    free_actor(&a);
}

// ---- A model -------------------------------------------------------------------------------------------------

typedef struct model {
    sinew_asset *asset;
    const sinew_clip *walk;
    takes_body body;
} model;

static model load_hero(void) {
    model m = {0};
    sinew_error error = {0};
    sinew_humanoid roles;
    const char *path = SINEW_MODELS "/hero.glb";
    if (sinew_gltf_load_file(path, NULL, &m.asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    for (int32_t i = 0; i < m.asset->clip_count; i++)
        if (strcmp(m.asset->clips[i].name, "Walk") == 0) m.walk = &m.asset->clips[i];
    assert_non_null(m.walk);
    const sinew_skeleton *skeleton = m.asset->skeleton;
    assert_int_equal(sinew_humanoid_guess(skeleton, m.asset->up, NULL, &roles, NULL, &error), SINEW_OK);
    assert_int_equal(takes_body_from_roles(&m.body, skeleton, &roles, &error), SINEW_OK);
    return m;
}

// A walk without its last frame gets it back, exactly. One without its last two is spread.
static void test_a_model_gets_its_last_frame(void **state) {
    (void)state;
    model m = load_hero();
    const sinew_timeline *keys = &m.walk->timelines[0];
    for (int32_t lacks = 1; lacks <= 2; lacks++) {
        const edit_clip_def cut = {.end = sinew_timeline_time(keys, keys->key_count - 1 - lacks)};
        const edit_clip_def close = {.close = true};
        sinew_clip *lacking, *closed;
        sinew_error error;
        assert_int_equal(edit_clip(m.walk, &cut, &lacking, &error), SINEW_OK);
        assert_int_equal(edit_clip(lacking, &close, &closed, &error), SINEW_OK);
        assert_true(lacking->duration < m.walk->duration - 0.01f);
        check_near(closed->duration, lacks == 1 ? m.walk->duration : lacking->duration, 1e-6);
        if (lacks == 1) assert_true(largest_distance(m.walk, closed, 0) < 1e-6);
        sinew_clip_destroy(closed);
        sinew_clip_destroy(lacking);
    }
    sinew_asset_destroy(m.asset);
}

// Where a sole point is.
static vec sole_at(const sinew_clip *clip, double time, const sinew_foot_point *point) {
    sinew_affine m = sinew_affine_identity();
    for (int32_t node = point->node; node != SINEW_NO_NODE; node = clip->skeleton->parents[node])
        m = sinew_affine_multiply(sinew_affine_from_transform(sinew_clip_sample_node(clip, (float)time, node)), m);
    return vec_of(sinew_affine_point(m, point->point));
}

// How fast the sole points that rest on the ground in `still` move in `clip`, 240 times a second: the mean, m/s.
static double slide_against(const model *m, const sinew_clip *still, const sinew_clip *clip) {
    const double step = 1.0 / 240;
    double sum = 0.0;
    int count = 0;
    for (int i = 0; step * (i + 1) < (double)still->duration; i++)
        for (int32_t k = 0; k < 2 * m->body.feet.feet[0].point_count; k++) {
            const double time = step * i;
            const sinew_foot_point *point = &m->body.feet.feet[k % 2].points[k / 2];
            const vec a = sole_at(still, time, point), b = sole_at(still, time + step, point);
            if (a.y > 0.01 || distance(a, b) > 0.05 * step) continue;
            sum += level_distance(sole_at(clip, time, point), sole_at(clip, time + step, point)) / step;
            count++;
        }
    assert_true(count > 100);
    return sum / count;
}

static void slide_model(double time, sinew_transform *hips) {
    hips->translation.x += (float)(0.03 * sin(5 * time));
    hips->translation.z += (float)(0.12 * time);
}

static void test_the_feet_of_a_model_stop_sliding(void **state) {
    (void)state;
    model m = load_hero();
    sinew_clip *travels = made_from(m.walk, &m.body, (takes_def){.root = m.body.hips}), *slides;
    take t;
    sinew_error error;
    assert_int_equal(take_open(&t, travels, 30, &error), SINEW_OK);
    for (int32_t f = 0; f < t.count; f++) slide_model(t.times[f], take_transform(&t, f, m.body.hips));
    t.changed[m.body.hips] = 1U << SINEW_TARGET_TRANSLATION;
    assert_int_equal(take_create_clip(&t, NULL, &slides, &error), SINEW_OK);
    take_close(&t);
    sinew_clip *planted = made_from(slides, &m.body, (takes_def){.plant = true, .root = SINEW_NO_NODE});
    const double before = slide_against(&m, travels, slides);
    const double after = slide_against(&m, travels, planted);
    print_message("%.4f m/s, %.4f when planted\n", before, after);
    assert_true(before > 0.1);
    assert_true(after < 0.01 * m.body.leg_length);
    sinew_clip_destroy(planted);
    sinew_clip_destroy(slides);
    sinew_clip_destroy(travels);
    sinew_asset_destroy(m.asset);
}

// ---- Pieces --------------------------------------------------------------------------------------------------

// Two steps with a rest between: moves from 0 to 1 s, rests, moves from 2.5 to 4 s.
static sinew_clip *make_steps(const sinew_skeleton *skeleton) {
    static const float times[4] = {0, 1, 2.5f, 4}, moves[4][3] = {{0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 2}};
    const sinew_channel_def channel = {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 4, times, moves[0]};
    const sinew_marker markers[] = {{"a", 0}, {"b", 0.5f}, {"c", 3}, {"d", 3.1f}, {"e", 4}};
    sinew_clip_def def = sinew_clip_default();
    def.name = "Steps";
    def.skeleton = skeleton;
    def.channel_count = 1;
    def.channels = &channel;
    def.markers = markers;
    def.marker_count = 5;
    sinew_clip *clip;
    assert_int_equal(sinew_clip_create(&def, &clip, NULL), SINEW_OK);
    return clip;
}

static void check_pieces(takes_pieces *pieces, int32_t count, const float (*expected)[2], double tolerance) {
    assert_int_equal(pieces->count, count);
    for (int32_t i = 0; i < count; i++) {
        check_near(pieces->list[i].start, expected[i][0], tolerance);
        check_near(pieces->list[i].end, expected[i][1], tolerance);
    }
    free(pieces->list);
}

static void test_pieces(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(3);
    sinew_clip *clip = make_steps(skeleton);
    const takes_body body = takes_body_from_clip(clip);
    takes_pieces pieces;
    sinew_error error;
    assert_int_equal(takes_split_at_pauses(clip, &body, 0, 4, &pieces, &error), SINEW_OK);
    check_pieces(&pieces, 2, (const float[][2]){{0, 1.25f}, {2.25f, 4}}, 0.12);
    assert_int_equal(takes_split_at_pauses(clip, &body, 1.2f, 4, &pieces, &error), SINEW_OK); // starts in the pause
    check_pieces(&pieces, 1, (const float[][2]){{2.25f, 4}}, 0.12);
    assert_int_equal(takes_split_at_markers(clip, 0, 4, &pieces, &error), SINEW_OK); // c to d is too short
    check_pieces(&pieces, 3, (const float[][2]){{0, 0.5f}, {0.5f, 3}, {3.1f, 4}}, 1e-6);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_travel_is_removed_and_sway_stays),
        cmocka_unit_test(test_travel_on_an_arc),
        cmocka_unit_test(test_a_take_loses_its_whole_path),
        cmocka_unit_test(test_root_motion_at_the_measured_speed_and_back),
        cmocka_unit_test(test_in_place_and_root_motion_again),
        cmocka_unit_test(test_planted_feet_get_to_the_ground),
        cmocka_unit_test(test_steps_stay_steps),
        cmocka_unit_test(test_planted_feet_stop_sliding),
        cmocka_unit_test(test_feet_that_walk_in_place_keep_their_speed),
        cmocka_unit_test(test_a_sine_is_filtered_without_delay),
        cmocka_unit_test(test_smoothing_is_below_half_of_the_rate),
        cmocka_unit_test(test_keys_at_another_rate),
        cmocka_unit_test(test_loops_of_a_walk_in_a_curve),
        cmocka_unit_test(test_a_motion_that_never_repeats_has_no_loop),
        cmocka_unit_test(test_a_closed_loop_of_a_curve_still_turns),
        cmocka_unit_test(test_a_model_gets_its_last_frame),
        cmocka_unit_test(test_the_feet_of_a_model_stop_sliding),
        cmocka_unit_test(test_bodies_without_legs),
        cmocka_unit_test(test_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
