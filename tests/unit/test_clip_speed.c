// SPDX-License-Identifier: MIT
// Ground speeds measured from planted feet, and blend spaces that use them.
#include "support/files.h"

#include <stdio.h>

// ---- A walking character -------------------------------------------------------------------------------------

// A character with feet below its hips, and a toe joint each, from formulas in double.
typedef struct walk {
    double right, forward; // the ground velocity, metres a second
    double turning;        // of the root to the right, radians a second; only with all motion in the root
    double root;           // the part of the velocity that is root motion; the rest is on the spot
    double period, stance; // seconds per cycle, and the part of it in which a foot is planted
    double lift;           // of a swinging foot, metres
    double slip;           // the left foot moves this much faster than the right one, a factor
} walk;

static const walk usual = {0, 1.4, 0, 0, 1.0, 0.6, 0.12, 0};

enum { NODES = 7, KEYS = 121, FRAMES = KEYS - 1 };
enum { ROOT, HIPS, FOOT_L, TOES_L, FOOT_R, TOES_R, HEAD };

typedef struct actor {
    sinew_up up;
    sinew_skeleton *skeleton;
    sinew_feet feet;
} actor;

// A vector to the right, up and forward, in model space.
static sinew_vec3 model_vec(sinew_up up, double right, double height, double forward) {
    if (up == SINEW_UP_Z) return (sinew_vec3){(float)-right, (float)-forward, (float)height};
    return (sinew_vec3){(float)-right, (float)height, (float)forward};
}

static actor make_actor(sinew_up up) {
    actor a = {.up = up};
    const char *names[NODES] = {"Root", "Hips", "Foot_L", "Toes_L", "Foot_R", "Toes_R", "Head"};
    const int32_t parents[NODES] = {SINEW_NO_NODE, ROOT, HIPS, FOOT_L, HIPS, FOOT_R, HIPS};
    const sinew_vec3 rest[NODES] = {
        {0, 0, 0},
        model_vec(up, 0, 0.9, 0),
        model_vec(up, -0.1, -0.82, 0),
        model_vec(up, 0, -0.06, 0.12),
        model_vec(up, 0.1, -0.82, 0),
        model_vec(up, 0, -0.06, 0.12),
        model_vec(up, 0, 0.8, 0),
    };
    sinew_node_def nodes[NODES];
    for (int i = 0; i < NODES; i++) {
        nodes[i] = (sinew_node_def){.name = names[i], .parent = parents[i], .rest = sinew_transform_identity()};
        nodes[i].rest.translation = rest[i];
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = NODES;
    def.nodes = nodes;
    sinew_error error = {0};
    if (sinew_skeleton_create(&def, &a.skeleton, &error) != SINEW_OK) fail_msg("%s", error.message);
    if (sinew_feet_find(a.skeleton, up, &a.feet, &error) != SINEW_OK) fail_msg("%s", error.message);
    return a;
}

typedef struct spot {
    double right, height, forward;
} spot;

// A foot relative to a body that moves over the ground: backward at the ground velocity while planted, and forward
// while raised, with the ground's velocity at both ends. The left foot is planted from time 0, the right one half a
// cycle later.
static spot foot_at(const walk *w, int side, double time) {
    double phase = time / w->period + (side > 0 ? 0.5 : 0.0), factor = side < 0 ? 1 + w->slip : 1;
    phase -= floor(phase);
    double half = 0.5 * w->stance * w->period, along; // seconds of walking before the body
    double height = 0;
    if (phase <= w->stance) {
        along = half - phase * w->period;
    } else {
        double t = (phase - w->stance) / (1 - w->stance), slope = -(1 - w->stance) * w->period;
        double t2 = t * t, t3 = t2 * t;
        along = (2 * t3 - 3 * t2 + 1) * -half + (t3 - 2 * t2 + t) * slope + (3 * t2 - 2 * t3) * half +
                (t3 - t2) * slope;
        height = w->lift * sin(PI * t) * sin(PI * t);
    }
    return (spot){0.1 * side + factor * along * w->right, height, factor * along * w->forward};
}

// The body of a character with root motion: on a circle if it turns.
static spot body_at(const walk *w, double time, double *heading) {
    *heading = w->turning * time;
    double t = w->root * time;
    if (w->turning == 0) return (spot){t * w->right, 0, t * w->forward};
    double s = sin(*heading) / w->turning, c = (1 - cos(*heading)) / w->turning;
    return (spot){w->right * s + w->forward * c, 0, w->forward * s - w->right * c}; // to the right
}

static sinew_quat quat_about_up(sinew_up up, double radians) {
    float s = (float)sin(radians / 2), c = (float)cos(radians / 2);
    return up == SINEW_UP_Z ? (sinew_quat){0, 0, s, c} : (sinew_quat){0, s, 0, c};
}

static spot to_spot(spot p, spot origin, double heading) {
    double r = p.right - origin.right, f = p.forward - origin.forward, c = cos(heading), s = sin(heading);
    return (spot){c * r - s * f, p.height - origin.height, s * r + c * f};
}

static spot from_spot(spot p, spot origin, double heading) {
    double c = cos(heading), s = sin(heading);
    return (spot){origin.right + c * p.right + s * p.forward, p.height,
                  origin.forward - s * p.right + c * p.forward};
}

// A planted foot of a character that turns stays where it is in the middle of its stance; a raised one moves evenly
// from there to the next.
static spot turning_foot(const walk *w, int side, double time) {
    double shift = side > 0 ? 0.5 : 0, cycles = time / w->period + shift, number = floor(cycles);
    double phase = cycles - number, heading;
    spot stances[2];
    for (int i = 0; i < 2; i++) {
        double middle = (number + i + 0.5 * w->stance - shift) * w->period;
        spot body = body_at(w, middle, &heading);
        stances[i] = from_spot((spot){0.1 * side, 0, 0}, body, heading);
    }
    double t = phase <= w->stance ? 0 : (phase - w->stance) / (1 - w->stance), ease = t * t * (3 - 2 * t);
    spot p = {stances[0].right + ease * (stances[1].right - stances[0].right), w->lift * sin(PI * t) * sin(PI * t),
              stances[0].forward + ease * (stances[1].forward - stances[0].forward)};
    spot body = body_at(w, time, &heading);
    return to_spot(p, body, heading);
}

static void write_vec(float *to, sinew_vec3 v) {
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
}

// The clip of one cycle of two walks, mixed: `part` of the second. Their periods must be equal.
static sinew_clip *make_mixed(const actor *a, const walk *w, const walk *other, double part) {
    static float times[KEYS], hips[3 * KEYS], turns[4 * KEYS], feet[2][3 * KEYS];
    for (int k = 0; k < KEYS; k++) {
        double time = w->period * k / FRAMES, heading;
        spot body = body_at(w, time, &heading);
        times[k] = (float)time;
        write_vec(&hips[(ptrdiff_t)3 * k], model_vec(a->up, body.right, 0.9, body.forward));
        sinew_quat q = quat_about_up(a->up, -heading); // a positive yaw turns to the left
        turns[(ptrdiff_t)4 * k] = q.x, turns[4 * k + 1] = q.y, turns[4 * k + 2] = q.z, turns[4 * k + 3] = q.w;
        for (int i = 0; i < 2; i++) {
            int side = i == 0 ? -1 : 1;
            spot p = w->turning != 0 ? turning_foot(w, side, time) : foot_at(w, side, time);
            spot q2 = foot_at(other, side, time);
            write_vec(&feet[i][(ptrdiff_t)3 * k], model_vec(a->up, p.right + part * (q2.right - p.right),
                                                            p.height + part * (q2.height - p.height) - 0.82,
                                                            p.forward + part * (q2.forward - p.forward)));
        }
    }
    const sinew_channel_def channels[] = {
        {HIPS, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, KEYS, times, hips},
        {HIPS, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, KEYS, times, turns},
        {FOOT_L, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, KEYS, times, feet[0]},
        {FOOT_R, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, KEYS, times, feet[1]},
    };
    return make_clip(a->skeleton, "walk", channels, 4);
}

// A clip of the feet's translations alone.
static sinew_clip *make_feet_clip(const actor *a, const char *name, int32_t key_count, const float *times,
                                  const float *left, const float *right) {
    const sinew_channel_def channels[] = {
        {FOOT_L, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, key_count, times, left},
        {FOOT_R, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, key_count, times, right},
    };
    return make_clip(a->skeleton, name, channels, 2);
}

static sinew_clip *make_walk(const actor *a, const walk *w) {
    return make_mixed(a, w, w, 0);
}

static sinew_clip_speed measure(const actor *a, const walk *w) {
    sinew_clip *clip = make_walk(a, w);
    sinew_clip_speed speed;
    bool is_measured = sinew_clip_measure_speed(clip, &a->feet, &speed);
    assert_int_equal(is_measured, speed.gait != SINEW_GAIT_NONE);
    sinew_clip_destroy(clip);
    return speed;
}

static void check_velocity(const actor *a, const sinew_clip_speed *speed, double right, double forward,
                           double part) {
    double length = sqrt(right * right + forward * forward), tolerance = part * length;
    sinew_vec3 v = model_vec(a->up, right, 0, forward);
    assert_int_equal(speed->gait, SINEW_GAIT_MOVES);
    check_vec3(speed->velocity, v.x, v.y, v.z, tolerance);
    check_near(speed->speed, length, tolerance);
}

static void free_actor(actor *a) {
    sinew_skeleton_destroy(a->skeleton);
}

// ---- Speeds --------------------------------------------------------------------------------------------------

static void test_velocity_with_and_without_root_motion(void **state) {
    (void)state;
    const double velocities[][2] = {{0, 1.4},   {0, -0.8},    {1.1, 0}, {-1.1, 0},
                                    {0.7, 0.7}, {-0.9, -0.4}, {0, 5.5}, {0, 0.5}};
    for (int up = 0; up < 2; up++) {
        actor a = make_actor((sinew_up)up);
        for (size_t i = 0; i < sizeof velocities / sizeof *velocities; i++) {
            for (int root = 0; root <= 4; root++) {
                walk w = usual;
                w.right = velocities[i][0], w.forward = velocities[i][1];
                w.root = 0.25 * root;
                sinew_clip_speed speed = measure(&a, &w);
                check_velocity(&a, &speed, w.right, w.forward, 0.005);
                check_near(speed.spread, 0, 0.03 * speed.speed);
                check_near(speed.yaw_rate, 0, 1e-6);
            }
        }
        free_actor(&a);
    }
}

static void test_planted_intervals(void **state) {
    (void)state;
    actor a = make_actor(SINEW_UP_Y);
    int across_the_end = 0;
    for (int tenths = 3; tenths < 7; tenths++) {
        const double stance = tenths / 10.0;
        walk w = usual;
        w.stance = stance;
        sinew_clip_speed speed = measure(&a, &w);
        const double near = 0.08; // a foot is low for some hundredths of a second before and after its stance
        assert_int_equal(speed.contact_count, 2);
        for (int i = 0; i < 2; i++) {
            double start = i == 0 ? 0 : 0.5; // the left foot's contact may start before the end of the loop
            sinew_foot_contact contact = speed.contacts[i];
            assert_int_equal(contact.foot, i);
            assert_true(contact.start >= 0 && contact.start < 1 && contact.end > 0 && contact.end <= 1);
            check_near(remainder(contact.start - start, 1), 0, near);
            check_near(remainder(contact.end - start - stance, 1), 0, near);
            across_the_end += contact.end < contact.start;
        }
        check_near(speed.planted, stance, 2 * near);
    }
    assert_true(across_the_end >= 4);
    free_actor(&a);
}

static void test_turning_with_root_motion(void **state) {
    (void)state;
    for (int up = 0; up < 2; up++) {
        actor a = make_actor((sinew_up)up);
        const double rates[] = {0.5, -1.1, 2 * PI, -9};
        for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
            walk w = usual;
            w.root = 1, w.turning = rates[i];
            sinew_clip_speed speed = measure(&a, &w);
            check_velocity(&a, &speed, 0, 1.4, 0.01); // relative to the heading
            check_near(speed.yaw_rate, -rates[i], 1e-3);
        }
        free_actor(&a);
    }
}

static void test_feet_that_disagree_have_a_spread(void **state) {
    (void)state;
    actor a = make_actor(SINEW_UP_Y);
    walk w = usual;
    w.slip = 0.2;
    sinew_clip_speed speed = measure(&a, &w);
    check_velocity(&a, &speed, 0, 1.4 * 1.1, 0.01);
    check_near(speed.spread, 1.4 * 0.1, 0.02);
    free_actor(&a);
}

static void test_standing(void **state) {
    (void)state;
    actor a = make_actor(SINEW_UP_Y);
    walk w = usual;
    w.forward = 0, w.lift = 0;
    sinew_clip_speed speed = measure(&a, &w);
    assert_int_equal(speed.gait, SINEW_GAIT_STANDS);
    assert_true(speed.speed == 0 && speed.velocity.x == 0 && speed.velocity.z == 0);
    check_near(speed.planted, 1, 0);
    assert_int_equal(speed.contact_count, 2); // of each foot, from the start to the end
    for (int i = 0; i < 2; i++) {
        assert_int_equal(speed.contacts[i].foot, i);
        check_near(speed.contacts[i].start, 0, 0);
        check_near(speed.contacts[i].end, 1, 1e-6);
    }

    w.lift = 0.12; // in place, the feet raised in turn
    assert_int_equal(measure(&a, &w).gait, SINEW_GAIT_STANDS);

    w = usual;
    w.forward = 0.1; // a shuffle: slower than a tenth of 1.7 m a second
    speed = measure(&a, &w);
    assert_int_equal(speed.gait, SINEW_GAIT_STANDS);
    assert_true(speed.speed == 0);

    sinew_clip *moving = make_walk(&a, &usual), *additive;
    assert_int_equal(sinew_clip_make_additive(moving, NULL, NULL, &additive, NULL), SINEW_OK);
    assert_false(sinew_clip_measure_speed(additive, &a.feet, &speed));
    const sinew_feet none = {.skeleton = a.skeleton};
    assert_false(sinew_clip_measure_speed(moving, &none, &speed));
    assert_int_equal(speed.gait, SINEW_GAIT_NONE);
    sinew_clip_destroy(additive);
    sinew_clip_destroy(moving);

    sinew_clip *empty = make_clip(a.skeleton, "empty", NULL, 0);
    assert_true(sinew_clip_measure_speed(empty, &a.feet, &speed));
    assert_int_equal(speed.gait, SINEW_GAIT_STANDS);
    sinew_clip_destroy(empty);
    free_actor(&a);
}

// Legs that swing like pendulums: the feet pass the lowest point at one speed, forward and backward.
static void test_pendulums_do_not_walk(void **state) {
    (void)state;
    actor a = make_actor(SINEW_UP_Y);
    static float times[KEYS], feet[2][3 * KEYS];
    for (int k = 0; k < KEYS; k++) {
        double angle = 0.7 * sin(2 * PI * k / FRAMES);
        times[k] = (float)k / FRAMES;
        for (int i = 0; i < 2; i++) {
            double side = i == 0 ? -1 : 1;
            write_vec(&feet[i][(ptrdiff_t)3 * k],
                      model_vec(a.up, 0.1 * side, -0.82 * cos(angle), side * 0.82 * sin(angle)));
        }
    }
    sinew_clip *clip = make_feet_clip(&a, "swing", KEYS, times, feet[0], feet[1]);
    sinew_clip_speed speed;
    assert_false(sinew_clip_measure_speed(clip, &a.feet, &speed));
    assert_int_equal(speed.gait, SINEW_GAIT_NONE);
    assert_true(speed.speed == 0 && speed.planted == 0 && speed.contact_count == 0);
    sinew_clip_destroy(clip);
    free_actor(&a);
}

static void test_a_clip_that_is_no_loop(void **state) {
    (void)state;
    actor a = make_actor(SINEW_UP_Y);
    const float times[2] = {0, 0.5f};
    float feet[2][6]; // both feet slide back
    for (int i = 0; i < 2; i++) {
        write_vec(&feet[i][0], model_vec(a.up, i == 0 ? -0.1 : 0.1, -0.82, 0.4));
        write_vec(&feet[i][3], model_vec(a.up, i == 0 ? -0.1 : 0.1, -0.82, -0.4));
    }
    sinew_clip *clip = make_feet_clip(&a, "slide", 2, times, feet[0], feet[1]);
    sinew_clip_speed speed;
    assert_false(sinew_clip_measure_speed(clip, &a.feet, &speed));
    sinew_clip_destroy(clip);
    free_actor(&a);
}

// Many feet have fewer steps each, and a long clip only its start.
static void test_long_clips_and_many_keys(void **state) {
    (void)state;
    actor a = make_actor(SINEW_UP_Y);
    enum { CYCLES = 40, PER_CYCLE = 30, COUNT = CYCLES * PER_CYCLE + 1 };
    static float times[COUNT], feet[2][3 * COUNT];
    for (int k = 0; k < COUNT; k++) {
        double time = usual.period * k / PER_CYCLE;
        times[k] = (float)time;
        for (int i = 0; i < 2; i++) {
            spot p = foot_at(&usual, i == 0 ? -1 : 1, fmin(time, 18)); // stands after 18 s
            write_vec(&feet[i][(ptrdiff_t)3 * k], model_vec(a.up, p.right, p.height - 0.82, p.forward));
        }
    }
    sinew_clip *clip = make_feet_clip(&a, "long", COUNT, times, feet[0], feet[1]);
    sinew_clip_speed speed;
    assert_true(sinew_clip_measure_speed(clip, &a.feet, &speed));
    check_velocity(&a, &speed, 0, 1.4, 0.01);
    assert_int_equal(speed.contact_count, 2 * SINEW_MAX_FOOT_CONTACTS);
    check_near(speed.contacts[0].start, 0, 0); // not continued from the end of the start
    for (int i = 0; i < speed.contact_count; i++) {
        assert_int_equal(speed.contacts[i].foot, i / SINEW_MAX_FOOT_CONTACTS);
        assert_true(speed.contacts[i].start < speed.contacts[i].end);
    }
    sinew_clip_destroy(clip);
    free_actor(&a);
}

// ---- Feet ----------------------------------------------------------------------------------------------------

static void test_feet_of_the_character(void **state) {
    (void)state;
    for (int up = 0; up < 2; up++) {
        actor a = make_actor((sinew_up)up);
        assert_int_equal(a.feet.foot_count, 2);
        assert_int_equal(a.feet.feet[0].node, FOOT_L);
        assert_int_equal(a.feet.feet[1].node, FOOT_R);
        check_near(a.feet.height, 1.7, 1e-6);
        for (int i = 0; i < 2; i++) {
            const sinew_foot *foot = &a.feet.feet[i];
            assert_int_equal(foot->point_count, 2); // below the ankle at 0.08 m, and below the toes at 0.02 m
            assert_int_equal(foot->points[1].node, foot->node + 1);
            sinew_vec3 p = foot->points[0].point, q = foot->points[1].point;
            check_near(up == SINEW_UP_Z ? p.z : p.y, -0.08, 1e-6);
            check_near(up == SINEW_UP_Z ? q.z : q.y, -0.02, 1e-6);
        }
        free_actor(&a);
    }
}

static sinew_skeleton *make_skeleton(const sinew_node_def *nodes, int32_t count) {
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = count;
    def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

static sinew_node_def node_at(int32_t parent, float x, float y, float z) {
    sinew_node_def node = {.parent = parent, .rest = sinew_transform_identity()};
    node.rest.translation = (sinew_vec3){x, y, z};
    return node;
}

static void test_feet_of_four_legs_and_none(void **state) {
    (void)state;
    sinew_feet feet;
    sinew_error error;
    const sinew_node_def fox[] = {
        node_at(-1, 0, 0.6f, 0),         node_at(0, 0.1f, -0.3f, -0.3f), node_at(1, 0, -0.3f, 0),
        node_at(0, -0.1f, -0.3f, -0.3f), node_at(3, 0, -0.3f, 0),        node_at(0, 0, 0.05f, 0.4f),
        node_at(5, 0.1f, -0.35f, 0),     node_at(6, 0, -0.27f, 0),       node_at(5, -0.1f, -0.35f, 0),
        node_at(8, 0, -0.27f, 0),        node_at(5, 0, 0.2f, 0.2f), // the head
    };
    sinew_skeleton *skeleton = make_skeleton(fox, 11);
    assert_int_equal(sinew_feet_find(skeleton, SINEW_UP_Y, &feet, &error), SINEW_OK);
    assert_int_equal(feet.foot_count, 4);
    int32_t sum = 0;
    for (int i = 0; i < 4; i++) sum += 1 << feet.feet[i].node;
    assert_int_equal(sum, 1 << 2 | 1 << 4 | 1 << 7 | 1 << 9);
    sinew_skeleton_destroy(skeleton);

    skeleton = make_chain(4); // one leg
    assert_int_equal(sinew_feet_find(skeleton, SINEW_UP_Y, &feet, &error), SINEW_ERROR_UNSUPPORTED);
    assert_int_equal(feet.foot_count, 0);
    assert_non_null(strstr(error.message, "found no matching limbs"));
    assert_int_equal(sinew_feet_find(skeleton, SINEW_UP_Y, &feet, NULL), SINEW_ERROR_UNSUPPORTED);
    sinew_skeleton_destroy(skeleton);

    skeleton = make_skeleton(NULL, 0);
    assert_int_equal(sinew_feet_find(skeleton, SINEW_UP_Y, &feet, &error), SINEW_ERROR_UNSUPPORTED);
    sinew_skeleton_destroy(skeleton);
}

// A file may have a million levels: feet deeper than 64 are refused, not followed.
static void test_deep_feet(void **state) {
    (void)state;
    enum { DEEP = 300 };
    sinew_skeleton *skeleton = make_chain(DEEP);
    sinew_feet feet;
    sinew_error error;
    int32_t node = 62;
    assert_int_equal(sinew_feet_from_nodes(skeleton, &node, 1, SINEW_UP_Y, &feet, &error), SINEW_OK);
    assert_int_equal(feet.feet[0].point_count, 2); // descendants that aren't too deep
    node = 64;
    assert_int_equal(sinew_feet_from_nodes(skeleton, &node, 1, SINEW_UP_Y, &feet, &error), SINEW_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "node 64 (n64)"));
    assert_int_equal(sinew_feet_find(skeleton, SINEW_UP_Y, &feet, &error), SINEW_ERROR_UNSUPPORTED);
    sinew_skeleton_destroy(skeleton);
}

static void refuse_nodes(const actor *a, const int32_t *nodes, int32_t count, const char *message) {
    sinew_feet feet;
    sinew_error error;
    assert_int_equal(sinew_feet_from_nodes(a->skeleton, nodes, count, a->up, &feet, &error), SINEW_ERROR_ARGUMENT);
    assert_int_equal(feet.foot_count, 0);
    if (!strstr(error.message, message)) fail_msg("'%s' is not in '%s'", message, error.message);
}

static void test_refused_nodes(void **state) {
    (void)state;
    actor a = make_actor(SINEW_UP_Y);
    const int32_t nine[9] = {0};
    refuse_nodes(&a, nine, 0, "0 nodes; there must be 1 to 8");
    refuse_nodes(&a, nine, 9, "9 nodes; there must be 1 to 8");
    refuse_nodes(&a, (const int32_t[]){FOOT_L, NODES}, 2, "node 7, but the skeleton has 7 nodes");
    refuse_nodes(&a, (const int32_t[]){-1}, 1, "node -1");
    refuse_nodes(&a, (const int32_t[]){FOOT_R, FOOT_R}, 2, "(Foot_R) is below");
    refuse_nodes(&a, (const int32_t[]){TOES_L, FOOT_L}, 2, "node 3 (Toes_L) is below node 2 (Foot_L)");
    free_actor(&a);
    sinew_feet feet;
    sinew_error error;
    const sinew_node_def flat[] = {node_at(-1, 0, 0, 0), node_at(0, 1, 0, 0), node_at(0, -1, 0, 0)};
    sinew_skeleton *skeleton = make_skeleton(flat, 3);
    const int32_t both[2] = {1, 2};
    assert_int_equal(sinew_feet_from_nodes(skeleton, both, 2, SINEW_UP_Y, &feet, &error), SINEW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "above its feet"));
    assert_int_equal(feet.foot_count, 0);
    sinew_skeleton_destroy(skeleton);
}

// ---- Files ---------------------------------------------------------------------------------------------------

static sinew_asset *load(const char *folder, const char *name, sinew_feet *feet) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    sinew_asset *asset;
    sinew_error error;
    if (sinew_gltf_load_file(path, NULL, &asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    if (sinew_feet_find(asset->skeleton, SINEW_UP_Y, feet, &error) != SINEW_OK) fail_msg("%s", error.message);
    return asset;
}

// A hero clip's velocity: WALK_SPEED and RUN_SPEED of models/hero.h. +X is to the left.
static sinew_vec3 velocity_of_hero(const char *clip) {
    static const struct {
        const char *clip;
        float left, forward;
    } gaits[] = {{"Walk", 0, 1.15f},
                 {"Run", 0, 3.1f},
                 {"WalkBack", 0, -1.15f},
                 {"StrafeLeft", 1.15f, 0},
                 {"StrafeRight", -1.15f, 0}};
    for (size_t i = 0; i < sizeof gaits / sizeof *gaits; i++)
        if (strcmp(clip, gaits[i].clip) == 0) return (sinew_vec3){gaits[i].left, 0, gaits[i].forward};
    return (sinew_vec3){0, 0, 0};
}

// The feet of the hero's clips are computed from its speeds.
static void test_hero(void **state) {
    (void)state;
    sinew_feet feet;
    sinew_asset *asset = load(SINEW_MODELS, "hero.glb", &feet);
    assert_int_equal(feet.foot_count, 2);
    assert_string_equal(asset->skeleton->names[feet.feet[0].node], "Foot_L");
    assert_string_equal(asset->skeleton->names[feet.feet[1].node], "Foot_R");
    for (int32_t i = 0; i < asset->clip_count; i++) {
        sinew_clip_speed speed;
        assert_true(sinew_clip_measure_speed(&asset->clips[i], &feet, &speed));
        sinew_vec3 expected = velocity_of_hero(asset->clips[i].name);
        check_near(speed.velocity.z, expected.z, 0.001 + 0.005 * fabs((double)expected.z));
        check_near(speed.velocity.x, expected.x, 0.001 + 0.005 * fabs((double)expected.x));
        check_near(speed.spread, 0, 0.021);
        assert_int_equal(speed.gait, expected.x != 0 || expected.z != 0 ? SINEW_GAIT_MOVES : SINEW_GAIT_STANDS);
    }
    sinew_asset_destroy(asset);
}

// Eight of the knight's 76 clips move: three walks and two runs forward, one walk back, two strafes.
static void test_knight(void **state) {
    (void)state;
    const char *folder = other_peoples_files();
    sinew_feet feet;
    sinew_asset *asset = load(folder, "kaykit/Knight.glb", &feet);
    int moving = 0;
    sinew_vec3 left = {0, 0, 0}, right = {0, 0, 0};
    for (int32_t i = 0; i < asset->clip_count; i++) {
        const char *name = asset->clips[i].name;
        sinew_clip_speed speed;
        sinew_clip_measure_speed(&asset->clips[i], &feet, &speed);
        bool moves = strncmp(name, "Walking_", 8) == 0 || strncmp(name, "Running_", 8) == 0;
        if (moves != (speed.gait == SINEW_GAIT_MOVES)) fail_msg("%s", name);
        moving += moves;
        if (strstr(name, "Left") && moves) left = speed.velocity;
        if (strstr(name, "Right") && moves) right = speed.velocity;
        if (moves && !strstr(name, "Strafe")) {
            check_near(speed.velocity.x, 0, 0.001);
            assert_int_equal(speed.velocity.z < 0, strcmp(name, "Walking_Backwards") == 0);
        }
    }
    assert_int_equal(moving, 8);
    assert_true(left.x > 3); // +X is to the left if the character faces +Z
    check_vec3(right, -left.x, 0, left.z, 0.02);
    sinew_asset_destroy(asset);
}

// ---- Blend spaces --------------------------------------------------------------------------------------------

static void test_samples_from_measured_speeds(void **state) {
    (void)state;
    for (int up = 0; up < 2; up++) {
        actor a = make_actor((sinew_up)up);
        const double velocities[5][2] = {{0, 0}, {0, 1.4}, {0, -0.9}, {1.1, 0}, {-0.8, 0.6}};
        sinew_clip *clips[5];
        sinew_blend_sample samples[5];
        for (int i = 0; i < 5; i++) {
            walk w = usual;
            w.right = velocities[i][0], w.forward = velocities[i][1];
            clips[i] = make_walk(&a, &w);
            samples[i] = (sinew_blend_sample){clips[i], 7, 7, i == 3 ? 2.0f : 1.0f};
        }
        sinew_error error;
        assert_int_equal(sinew_blend_samples_measure(samples, 5, SINEW_BLEND_SPACE_DIRECTIONAL, &a.feet, &error),
                         SINEW_OK);
        assert_true(samples[0].x == 0 && samples[0].y == 0);
        for (int i = 0; i < 5; i++) {
            check_near(samples[i].x, velocities[i][0] * samples[i].speed, 0.01);
            check_near(samples[i].y, velocities[i][1] * samples[i].speed, 0.01);
        }
        assert_int_equal(sinew_blend_samples_measure(samples, 5, SINEW_BLEND_SPACE_LINE, &a.feet, &error),
                         SINEW_OK);
        const double line[5] = {0, 1.4, -0.9, 2.2, 1.0};
        for (int i = 0; i < 5; i++) {
            check_near(samples[i].x, line[i], 0.01);
            assert_true(samples[i].y == 0);
        }
        for (int i = 0; i < 5; i++) sinew_clip_destroy(clips[i]);
        free_actor(&a);
    }
}

static void test_refused_samples(void **state) {
    (void)state;
    actor a = make_actor(SINEW_UP_Y), other = make_actor(SINEW_UP_Y);
    sinew_clip *clip = make_walk(&a, &usual);
    const float times[2] = {0, 1}, jump[6] = {0, 0, 0, 0, 0, 3};
    sinew_clip *broken = make_feet_clip(&a, "Broken", 2, times, jump, jump); // no loop
    sinew_blend_sample samples[2] = {{clip, 0, 0, 1}, {NULL, 0, 0, 1}};
    sinew_error error;
    assert_int_equal(sinew_blend_samples_measure(samples, 2, SINEW_BLEND_SPACE_LINE, &a.feet, &error),
                     SINEW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "samples[1]: no clip"));
    samples[1].clip = broken;
    assert_int_equal(sinew_blend_samples_measure(samples, 2, SINEW_BLEND_SPACE_LINE, &a.feet, &error),
                     SINEW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "samples[1]: its clip 'Broken' has no measurable ground speed"));
    samples[0].speed = 0;
    assert_int_equal(sinew_blend_samples_measure(samples, 1, SINEW_BLEND_SPACE_LINE, &a.feet, &error),
                     SINEW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "samples[0].speed must not be 0"));
    assert_int_equal(sinew_blend_samples_measure(samples, 1, SINEW_BLEND_SPACE_LINE, &other.feet, NULL),
                     SINEW_ERROR_ARGUMENT);
    sinew_clip_destroy(clip);
    sinew_clip_destroy(broken);
    free_actor(&a);
    free_actor(&other);
}

typedef struct strides {
    actor a;
    sinew_clip *clips[3];
    sinew_blend_space *space;
} strides;

static const walk slow = {0, 1.2, 0, 0, 1.1, 0.6, 0.12, 0}, fast = {0, 3.3, 0, 0, 0.7, 0.6, 0.12, 0};

static strides make_strides(bool match_speed, float min_rate, float max_rate) {
    strides s = {.a = make_actor(SINEW_UP_Y)};
    walk idle = usual;
    idle.forward = 0;
    s.clips[0] = make_walk(&s.a, &idle);
    s.clips[1] = make_walk(&s.a, &slow);
    s.clips[2] = make_walk(&s.a, &fast);
    const sinew_blend_sample samples[3] = {
        {s.clips[0], 0, 0, 1}, {s.clips[1], 1.2f, 0, 1}, {s.clips[2], 3.3f, 0, 1}};
    sinew_blend_space_def def = sinew_blend_space_default();
    assert_false(def.match_speed);
    def.skeleton = s.a.skeleton;
    def.samples = samples;
    def.sample_count = 3;
    def.match_speed = match_speed;
    if (min_rate > 0) def.min_rate = min_rate, def.max_rate = max_rate;
    assert_int_equal(sinew_blend_space_create(&def, &s.space, NULL), SINEW_OK);
    return s;
}

static void free_strides(strides *s) {
    sinew_blend_space_destroy(s->space);
    for (int i = 0; i < 3; i++) sinew_clip_destroy(s->clips[i]);
    free_actor(&s->a);
}

// The mixed clip itself is measured: one cycle of both walks at one phase, at the mean of their rates.
static void test_speed_of_a_blend(void **state) {
    (void)state;
    strides s = make_strides(false, 0, 0);
    for (int i = 0; i <= 8; i++) {
        double part = i / 8.0, x = 1.2 + part * (3.3 - 1.2), rate = (1 - part) / slow.period + part / fast.period;
        walk a = slow, b = fast; // strides of the one and the other, in the period of the blend
        a.period = b.period = 1 / rate;
        a.forward = slow.forward * slow.period * rate;
        b.forward = fast.forward * fast.period * rate;
        sinew_clip *mixed = make_mixed(&s.a, &a, &b, part);
        sinew_clip_speed speed;
        assert_true(sinew_clip_measure_speed(mixed, &s.a.feet, &speed));
        sinew_blend_stride stride = sinew_blend_space_stride(s.space, (float)x, 0);
        check_near(stride.speed, speed.speed, 0.005 * x);
        assert_true(stride.rate == 1);
        check_near(stride.length * stride.speed, x, 1e-5);
        if (i == 4) assert_true(stride.speed < 0.97 * x); // the linear speed is wrong between the samples
        sinew_clip_destroy(mixed);
    }
    free_strides(&s);
}

static void test_rate_within_limits(void **state) {
    (void)state;
    strides s = make_strides(true, 0, 0), free_space = make_strides(true, 0.01f, 100);
    assert_true(s.space->match_speed && s.space->min_rate == 0.8f && s.space->max_rate == 1.25f);
    float last = -1;
    for (int i = 0; i <= 600; i++) {
        float x = (float)(i / 100.0);
        sinew_blend_stride stride = sinew_blend_space_stride(s.space, x, 0);
        assert_true(stride.rate >= 0.8f && stride.rate <= 1.25f);
        if (x > 0) check_near(stride.speed * stride.rate * stride.length, x, 1e-5);
        if (x > 0.01f && x < 4.1f) check_near(stride.length, 1, 1e-5); // 3.3 × 1.25 m/s is the fastest
        if (x > 4.2f) {
            check_near(stride.rate, 1.25, 0);
            check_near(stride.length, x / (3.3 * 1.25), 1e-4);
        }
        if (x > 0.01f) check_near(stride.rate, last, 0.02);
        last = stride.rate;
        sinew_blend_stride wide = sinew_blend_space_stride(free_space.space, x, 0);
        if (x > 0.01f) check_near(wide.length, 1, 1e-5);
    }
    sinew_blend_stride still = sinew_blend_space_stride(s.space, 0, 0);
    assert_true(still.speed == 0 && still.rate == 1 && still.length == 1);
    sinew_blend_stride tiny = sinew_blend_space_stride(s.space, 1e-6f, 0);
    check_near(tiny.rate, 1, 1e-3); // continuous where it stands
    free_strides(&s);
    free_strides(&free_space);
}

static void test_rate_of_two_dimensions_and_backward(void **state) {
    (void)state;
    strides s = make_strides(true, 0, 0);
    const sinew_blend_sample plane[4] = {
        {s.clips[0], 0, 0, 1}, {s.clips[1], 0, 1.2f, 1}, {s.clips[2], 3.3f, 0, 1}, {s.clips[1], 0, -1.2f, -1}};
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = s.a.skeleton;
    def.samples = plane;
    def.sample_count = 4;
    def.kind = SINEW_BLEND_SPACE_DIRECTIONAL;
    def.match_speed = true;
    sinew_blend_space *space;
    assert_int_equal(sinew_blend_space_create(&def, &space, NULL), SINEW_OK);
    const double points[][3] = {{0, 1.2, 1.2}, {3.3, 0, 3.3},  {0, -1.2, 1.2},
                                {0, 1.3, 1.2}, {0, -1.3, 1.2}, {3.6, 0, 3.3}};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        sinew_blend_stride stride = sinew_blend_space_stride(space, (float)points[i][0], (float)points[i][1]);
        double length = hypot(points[i][0], points[i][1]);
        if (length == points[i][2]) check_near(stride.speed, points[i][2], 1e-5);
        check_near(stride.speed * stride.rate * stride.length, length, 1e-5);
    }
    sinew_blend_space_destroy(space);
    free_strides(&s);
}

static void test_refused_rates(void **state) {
    (void)state;
    actor a = make_actor(SINEW_UP_Y);
    sinew_clip *clip = make_walk(&a, &usual);
    const sinew_blend_sample sample = {clip, 0, 0, 1};
    const float rates[][2] = {{0, 1.25f},       {-1, 1},  {1.1f, 1.2f}, {0.8f, 0.9f},
                              {0.8f, INFINITY}, {NAN, 1}, {0.8f, NAN}};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        sinew_blend_space_def def = sinew_blend_space_default();
        def.skeleton = a.skeleton;
        def.samples = &sample;
        def.sample_count = 1;
        def.min_rate = rates[i][0], def.max_rate = rates[i][1];
        sinew_blend_space *space;
        sinew_error error;
        assert_int_equal(sinew_blend_space_create(&def, &space, &error), SINEW_ERROR_ARGUMENT);
        assert_null(space);
        assert_non_null(strstr(error.message, "the rates are"));
    }
    sinew_clip_destroy(clip);
    free_actor(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_velocity_with_and_without_root_motion),
        cmocka_unit_test(test_planted_intervals),
        cmocka_unit_test(test_turning_with_root_motion),
        cmocka_unit_test(test_feet_that_disagree_have_a_spread),
        cmocka_unit_test(test_standing),
        cmocka_unit_test(test_pendulums_do_not_walk),
        cmocka_unit_test(test_a_clip_that_is_no_loop),
        cmocka_unit_test(test_long_clips_and_many_keys),
        cmocka_unit_test(test_feet_of_the_character),
        cmocka_unit_test(test_feet_of_four_legs_and_none),
        cmocka_unit_test(test_deep_feet),
        cmocka_unit_test(test_refused_nodes),
        cmocka_unit_test(test_hero),
        cmocka_unit_test(test_knight),
        cmocka_unit_test(test_samples_from_measured_speeds),
        cmocka_unit_test(test_refused_samples),
        cmocka_unit_test(test_speed_of_a_blend),
        cmocka_unit_test(test_rate_within_limits),
        cmocka_unit_test(test_rate_of_two_dimensions_and_backward),
        cmocka_unit_test(test_refused_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
