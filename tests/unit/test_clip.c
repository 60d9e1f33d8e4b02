// SPDX-License-Identifier: MIT
// Clips: timelines, sampling with the specification's arithmetic, binding to another skeleton.
#include "support/check.h"

#include "kernels/layout.h"

// ---- A slow sampler, in double, straight from glTF 2.0 appendix C ---------------------------------------------

static int key_before(const sinew_channel_def *c, double time) {
    int k = 0;
    while (k + 1 < c->key_count && (double)c->times[k + 1] <= time) k++;
    return k;
}

static void slerp(const double *a, const double *b, double t, double *out) {
    double d = 0, la = 0, lb = 0, p[4], q[4];
    for (int i = 0; i < 4; i++) la += a[i] * a[i], lb += b[i] * b[i];
    for (int i = 0; i < 4; i++) p[i] = a[i] / sqrt(la), q[i] = b[i] / sqrt(lb), d += p[i] * q[i];
    double side = d < 0 ? -1 : 1, angle = acos(fmin(1, fabs(d)));
    for (int i = 0; i < 4; i++) {
        out[i] = angle < 1e-7 ? (1 - t) * p[i] + t * side * q[i]
                              : (sin((1 - t) * angle) * p[i] + side * sin(t * angle) * q[i]) / sin(angle);
    }
}

// The value of a channel at a time; rotations come out unit.
static void sample_exactly(const sinew_channel_def *c, int width, double time, double *out) {
    bool cubic = c->interpolation == SINEW_INTERPOLATION_CUBICSPLINE;
    int stride = cubic ? 3 * width : width, skip = cubic ? width : 0;
    int last = c->key_count - 1, k = key_before(c, time);
    const float *v0 = c->values + (ptrdiff_t)k * stride + skip;
    if (time <= (double)c->times[0] || k == last || c->interpolation == SINEW_INTERPOLATION_STEP) {
        for (int i = 0; i < width; i++) out[i] = (double)v0[i];
    } else {
        const float *v1 = v0 + stride;
        double td = (double)c->times[k + 1] - (double)c->times[k], t = (time - (double)c->times[k]) / td;
        double a[64], b[64];
        for (int i = 0; i < width; i++) a[i] = (double)v0[i], b[i] = (double)v1[i];
        if (cubic) {
            for (int i = 0; i < width; i++) {
                double out_tangent = (double)v0[width + i], in_tangent = (double)v1[i - width];
                out[i] = (2 * t * t * t - 3 * t * t + 1) * a[i] + td * (t * t * t - 2 * t * t + t) * out_tangent +
                         (-2 * t * t * t + 3 * t * t) * b[i] + td * (t * t * t - t * t) * in_tangent;
            }
        } else if (c->target == SINEW_TARGET_ROTATION) {
            slerp(a, b, t, out);
        } else {
            for (int i = 0; i < width; i++) out[i] = (1 - t) * a[i] + t * b[i];
        }
    }
    if (c->target == SINEW_TARGET_ROTATION) {
        double l = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3]);
        for (int i = 0; i < 4; i++) out[i] /= l;
    }
}

static void check_channel_at(const sinew_channel_def *c, const sinew_pose *pose, double time) {
    double expected[64];
    if (c->target == SINEW_TARGET_WEIGHTS) {
        const int32_t *offsets = pose->skeleton->weight_offsets;
        int width = offsets[c->node + 1] - offsets[c->node];
        sample_exactly(c, width, time, expected);
        for (int i = 0; i < width; i++) check_near(pose->weights[offsets[c->node] + i], expected[i], 4e-6);
        return;
    }
    int width = c->target == SINEW_TARGET_ROTATION ? 4 : 3;
    sample_exactly(c, width, time, expected);
    sinew_transform t = sinew_pose_get(pose, c->node);
    if (c->target == SINEW_TARGET_ROTATION) {
        sinew_quat q = {(float)expected[0], (float)expected[1], (float)expected[2], (float)expected[3]};
        double angle = angle_between(t.rotation, q);
        if (!(angle < 2e-6)) fail_msg("rotation of node %d at %g s is %g rad off", c->node, time, angle);
        return;
    }
    sinew_vec3 v = c->target == SINEW_TARGET_SCALE ? t.scale : t.translation;
    check_vec3(v, expected[0], expected[1], expected[2], 4e-6);
}

// ---- Fixtures ------------------------------------------------------------------------------------------------

static sinew_pose *new_pose(const sinew_skeleton *s) {
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(s, NULL, &pose), SINEW_OK);
    return pose;
}

// x of a node's translation at a time.
static float x_at(const sinew_clip *clip, int32_t node, float time) {
    sinew_pose *pose = new_pose(clip->skeleton);
    sinew_clip_sample(clip, time, pose);
    float x = pose->tx[node];
    sinew_pose_destroy(pose);
    return x;
}

static sinew_result create_one(const sinew_skeleton *s, const sinew_channel_def *channels, int32_t count,
                               sinew_error *error) {
    sinew_clip_def def = sinew_clip_default();
    def.skeleton = s;
    def.channels = channels;
    def.channel_count = count;
    sinew_clip *clip;
    sinew_result result = sinew_clip_create(&def, &clip, error);
    if (result == SINEW_OK) {
        sinew_clip_destroy(clip);
    } else {
        assert_null(clip);
    }
    return result;
}

// ---- Interpolation -------------------------------------------------------------------------------------------

static void test_step_holds_the_key_before(void **state) {
    (void)state; // pitfall 8
    sinew_skeleton *s = make_chain(2);
    const float times[3] = {0.5f, 1.0f, 1.75f}, values[9] = {1, 0, 0, 2, 0, 0, 3, 0, 0};
    sinew_channel_def c = {1, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_STEP, 3, times, values};
    sinew_clip *clip = make_clip(s, "", &c, 1);
    assert_true(x_at(clip, 1, 0.0f) == 1);
    assert_true(x_at(clip, 1, 0.5f) == 1);
    assert_true(x_at(clip, 1, nextafterf(1.0f, 0.0f)) == 1);
    assert_true(x_at(clip, 1, 1.0f) == 2); // exactly at a key: that key
    assert_true(x_at(clip, 1, 1.5f) == 2);
    assert_true(x_at(clip, 1, 1.75f) == 3); // after the last: the last
    assert_true(x_at(clip, 1, 99.0f) == 3);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(s);
}

static void test_step_waits_for_its_key_however_close(void **state) {
    (void)state; // (t - t0) / (t1 - t0) rounds to 1 before t1 is reached; STEP must not switch
    sinew_skeleton *s = make_chain(1);
    uint64_t random = 21;
    for (int i = 0; i < 20000; i++) {
        float t0 = random_float(&random, 0, 4), t1 = t0 + random_float(&random, 1e-3f, 4);
        const float times[2] = {t0, t1}, values[6] = {1, 0, 0, 2, 0, 0};
        sinew_channel_def c = {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_STEP, 2, times, values};
        sinew_clip *clip = make_clip(s, "", &c, 1);
        assert_true(x_at(clip, 0, nextafterf(t1, 0)) == 1);
        assert_true(x_at(clip, 0, t1) == 2);
        sinew_clip_destroy(clip);
    }
    sinew_skeleton_destroy(s);
}

static void test_one_key_is_constant(void **state) {
    (void)state; // pitfall 9: also a CUBICSPLINE's one key is its value, not its in-tangent
    sinew_skeleton *s = make_chain(3);
    const float time = 0.75f, value[3] = {5, 6, 7};
    const float cubic[9] = {100, 100, 100, 8, 9, 10, -100, -100, -100};
    const float turn[12] = {9, 9, 9, 9, 0, 0, 3, 4, 9, 9, 9, 9}; // normalised to (0, 0, 0.6, 0.8)
    const sinew_channel_def channels[3] = {
        {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 1, &time, value},
        {1, SINEW_TARGET_SCALE, SINEW_INTERPOLATION_CUBICSPLINE, 1, &time, cubic},
        {2, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_CUBICSPLINE, 1, &time, turn},
    };
    sinew_clip *clip = make_clip(s, "", channels, 3);
    assert_int_equal(clip->timeline_count, 0);
    assert_true(clip->duration == 0.75f);
    sinew_pose *pose = new_pose(s);
    for (int i = 0; i < 8; i++) {
        const float t = 0.25f * (float)i;
        sinew_clip_sample(clip, t, pose);
        check_vec3(sinew_pose_get(pose, 0).translation, 5, 6, 7, 0);
        check_vec3(sinew_pose_get(pose, 1).scale, 8, 9, 10, 0);
        check_near(sinew_pose_get(pose, 2).rotation.z, 0.6, 1e-7);
        check_near(sinew_pose_get(pose, 2).rotation.w, 0.8, 1e-7);
    }
    sinew_pose_destroy(pose);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(s);
}

static void test_cubic_tangents_are_per_second(void **state) {
    (void)state; // pitfall 10: over an interval of 2 s, tangents count twice
    sinew_skeleton *s = make_chain(1);
    const float times[2] = {1, 3};
    const float values[18] = {0, 0, 0, 0, 0, 0, 1, 0, 0, /* key 1 */ 1, 0, 0, 2, 0, 0, 0, 0, 0};
    sinew_channel_def c = {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_CUBICSPLINE, 2, times, values};
    sinew_clip *clip = make_clip(s, "", &c, 1);
    // Position 0 to 2 with slope 1 at both ends is the straight line x = t - 1.
    for (int i = 0; i <= 16; i++) check_near(x_at(clip, 0, 1 + 0.125f * (float)i), 0.125f * (float)i, 1e-6);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(s);
}

static void test_cubic_rotations_come_out_unit(void **state) {
    (void)state; // pitfall 10
    sinew_skeleton *s = make_chain(1);
    const float times[2] = {0, 1};
    const float values[24] = {0, 0, 0, 0,    0, 0, 0,    1, 2, 0, 0, -1, /* key 1 */ 1,
                              0, 1, 0, 0.6f, 0, 0, 0.8f, 0, 0, 0, 0};
    sinew_channel_def c = {0, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_CUBICSPLINE, 2, times, values};
    sinew_clip *clip = make_clip(s, "", &c, 1);
    sinew_pose *pose = new_pose(s);
    for (int i = 0; i <= 16; i++) {
        const float t = 0.0625f * (float)i;
        sinew_clip_sample(clip, t, pose);
        sinew_quat q = sinew_pose_get(pose, 0).rotation;
        check_near(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 1e-6);
        check_channel_at(&c, pose, (double)t);
    }
    sinew_pose_destroy(pose);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(s);
}

static void test_linear_rotation_is_slerp_on_the_shorter_arc(void **state) {
    (void)state; // pitfall 10: keys with different signs, and keys 170 degrees apart
    sinew_skeleton *s = make_chain(1);
    sinew_quat a = about_y(0.2), b = about_y(0.6), c = about_y(0.6 + 170 * PI / 180);
    const float times[3] = {0, 1, 2};
    const float values[12] = {a.x, a.y, a.z, a.w, -b.x, -b.y, -b.z, -b.w, c.x, c.y, c.z, c.w};
    sinew_channel_def channel = {0, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 3, times, values};
    sinew_clip *clip = make_clip(s, "", &channel, 1);
    sinew_pose *pose = new_pose(s);
    for (int i = 0; i <= 32; i++) {
        float t = (float)i / 16;
        double angle = t < 1 ? 0.2 + 0.4 * t : 0.6 + (t - 1) * 170 * PI / 180;
        sinew_clip_sample(clip, t, pose);
        assert_true(angle_between(sinew_pose_get(pose, 0).rotation, about_y(angle)) < 1e-6);
    }
    sinew_pose_destroy(pose);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(s);
}

// Keys exactly half a turn apart have two shortest arcs. The signs in the file choose, like in the specification's
// formula, even after keys with alternating signs.
static void test_half_turns_take_the_side_of_their_signs(void **state) {
    (void)state;
    sinew_skeleton *s = make_chain(1);
    const float times[5] = {0, 1, 2, 3, 4};
    const float first[4] = {0, 0, 0.8f, 0.6f}, half[4] = {1, 0, 0, 0};
    for (unsigned signs = 0; signs < 32; signs++) {
        float values[20];
        for (unsigned k = 0; k < 5; k++) {
            const float *key = k == 2 || k == 4 ? half : first;
            for (unsigned i = 0; i < 4; i++) values[4 * k + i] = signs >> k & 1 ? -key[i] : key[i];
        }
        sinew_channel_def channel = {0, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 5, times, values};
        sinew_clip *clip = make_clip(s, "", &channel, 1);
        sinew_pose *pose = new_pose(s);
        for (int i = 0; i <= 32; i++) {
            sinew_clip_sample(clip, (float)i / 8, pose);
            check_channel_at(&channel, pose, (double)i / 8);
        }
        sinew_pose_destroy(pose);
        sinew_clip_destroy(clip);
    }
    sinew_skeleton_destroy(s);
}

static void test_channels_keep_their_own_times(void **state) {
    (void)state; // pitfall 19: starting after 0, ending at different times; the clip ends with the last key of all
    sinew_skeleton *s = make_chain(2);
    const float early[2] = {0.5f, 1}, late[2] = {2, 4}, values[6] = {10, 0, 0, 20, 0, 0};
    const sinew_channel_def channels[2] = {
        {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, early, values},
        {1, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, late, values}};
    sinew_clip *clip = make_clip(s, "", channels, 2);
    assert_true(clip->duration == 4);
    assert_int_equal(clip->timeline_count, 2);
    assert_true(x_at(clip, 0, 0) == 10 && x_at(clip, 1, 0) == 10);
    assert_true(x_at(clip, 0, 0.75f) == 15 && x_at(clip, 1, 0.75f) == 10);
    assert_true(x_at(clip, 0, 3) == 20 && x_at(clip, 1, 3) == 15);
    assert_true(x_at(clip, 0, 100) == 20 && x_at(clip, 1, 100) == 20);
    assert_true(x_at(clip, 0, -1) == 10 && x_at(clip, 0, NAN) == 10);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(s);
}

// ---- Keys that tools dropped from a grid ---------------------------------------------------------------------

enum { GRID_CHANNELS = 48, GRID_KEYS = 61 };

// Channels with a random part of the keys on a grid of 30 per second.
typedef struct gridded {
    sinew_skeleton *skeleton;
    sinew_channel_def channels[GRID_CHANNELS];
    float times[GRID_CHANNELS][GRID_KEYS], values[GRID_CHANNELS][4 * GRID_KEYS];
} gridded;

static void make_gridded(gridded *g, uint64_t *random, float start, float step) {
    g->skeleton = make_chain(GRID_CHANNELS / 3);
    for (int i = 0; i < GRID_CHANNELS; i++) {
        const sinew_channel_target target = (sinew_channel_target)(i % 3);
        const int width = target == SINEW_TARGET_ROTATION ? 4 : 3;
        int32_t count = 0;
        for (int k = 0; k < GRID_KEYS; k++) {
            const bool is_end = i % 5 != 0 && (k == 0 || k == GRID_KEYS - 1); // others start late and end early
            if (!is_end && random_next(random) % 3 == 0) continue;
            float *value = &g->values[i][(ptrdiff_t)width * count];
            const sinew_quat q = random_quat(random);
            for (int c = 0; c < 3; c++) value[c] = random_float(random, 0.5f, 2);
            if (width == 4) memcpy(value, &q, sizeof q);
            g->times[i][count++] = start + (float)k * step;
        }
        g->channels[i] =
            (sinew_channel_def){i / 3, target, SINEW_INTERPOLATION_LINEAR, count, g->times[i], g->values[i]};
    }
}

static sinew_clip *clip_on_grid(const sinew_skeleton *s, const sinew_channel_def *channels, int32_t count,
                                float growth) {
    sinew_clip_def def = sinew_clip_default();
    def.skeleton = s;
    def.channels = channels;
    def.channel_count = count;
    sinew_clip *clip;
    assert_int_equal(sinew_clip_create_filled(&def, growth, &clip, NULL), SINEW_OK);
    return clip;
}

// Each authored key is still there, bit for bit except for a rotation's sign.
static void check_authored_keys(const sinew_clip *clip, const sinew_channel_def *channel, int32_t index) {
    float times[GRID_KEYS], values[4 * GRID_KEYS];
    const int width = channel->target == SINEW_TARGET_ROTATION ? 4 : 3;
    const int32_t count = sinew_clip_channel_keys(clip, index, times, values);
    for (int32_t k = 0, at = 0; k < channel->key_count; k++, at++) {
        while (at < count && times[at] != channel->times[k]) at++;
        assert_true(at < count);
        const float *found = &values[(ptrdiff_t)at * width], *given = &channel->values[(ptrdiff_t)k * width];
        const float sign = width == 4 && found[3] * given[3] < 0 ? -1.0f : 1.0f;
        for (int c = 0; c < width; c++) assert_true(found[c] == sign * given[c]);
    }
}

// The largest errors of a clip's rotations, as a quaternion's distance, and of its other values, in their own size.
typedef struct motion_error {
    double rotation, vector;
} motion_error;

static motion_error error_of_motion(const gridded *g, const sinew_clip *clip) {
    motion_error worst = {0, 0};
    for (int i = 0; i <= 400; i++) {
        const float time = clip->duration * (float)i / 400;
        for (int c = 0; c < GRID_CHANNELS; c++) {
            const sinew_channel_def *channel = &g->channels[c];
            const sinew_transform t = sinew_clip_sample_node(clip, time, channel->node);
            const bool turns = channel->target == SINEW_TARGET_ROTATION;
            const float *found = turns                                         ? &t.rotation.x
                                 : channel->target == SINEW_TARGET_TRANSLATION ? &t.translation.x
                                                                               : &t.scale.x;
            double exact[4], near = 0, far = 0, size = 0;
            sample_exactly(channel, turns ? 4 : 3, (double)time, exact);
            for (int k = 0; k < (turns ? 4 : 3); k++) {
                near += pow((double)found[k] - exact[k], 2);
                far += pow((double)found[k] + exact[k], 2);
                size += exact[k] * exact[k];
            }
            double *to = turns ? &worst.rotation : &worst.vector;
            *to = fmax(*to, sqrt((turns ? fmin(near, far) : near) / size));
        }
    }
    return worst;
}

// Both are within 2e-7 of the motion that the file means.
static void check_same_motion(const gridded *g, const sinew_clip *filled, const sinew_clip *sparse) {
    const motion_error a = error_of_motion(g, filled), b = error_of_motion(g, sparse);
    print_message("rotations %.2g, without added keys %.2g; others %.2g, %.2g\n", a.rotation, b.rotation, a.vector,
                  b.vector);
    assert_true(a.rotation < 2e-7 && a.vector < 2e-7);
}

static void test_dropped_keys_are_added(void **state) {
    (void)state;
    static const float starts[] = {0, 0, 5, 100}, steps[] = {1.0f / 30, 0.25f, 1.0f / 60, 1.0f / 24};
    uint64_t random = 3;
    for (int i = 0; i < 4; i++) {
        static gridded g;
        make_gridded(&g, &random, starts[i], steps[i]);
        sinew_clip *filled = clip_on_grid(g.skeleton, g.channels, GRID_CHANNELS, 2);
        sinew_clip *sparse = make_clip(g.skeleton, "", g.channels, GRID_CHANNELS);
        assert_true(filled->filled_key_count > 0 && filled->memory <= 2 * sparse->memory);
        assert_int_equal(filled->timeline_count, 1);
        assert_true(filled->timelines[0].uniform && filled->timelines[0].key_count == GRID_KEYS);
        assert_true(sparse->timeline_count > 40 && sparse->filled_key_count == 0);
        for (int32_t c = 0; c < GRID_CHANNELS; c++) check_authored_keys(filled, &g.channels[c], c);
        check_same_motion(&g, filled, sparse);
        sinew_clip_destroy(filled);
        sinew_clip_destroy(sparse);
        sinew_skeleton_destroy(g.skeleton);
    }
}

static void test_added_keys_are_within_the_limit(void **state) {
    (void)state;
    static gridded g;
    uint64_t random = 4;
    make_gridded(&g, &random, 0, 1.0f / 30);
    sinew_clip *off = clip_on_grid(g.skeleton, g.channels, GRID_CHANNELS, 0);
    assert_int_equal(off->filled_key_count, 0);
    sinew_clip *little = clip_on_grid(g.skeleton, g.channels, GRID_CHANNELS, 0.1f);
    assert_true(little->filled_key_count == 0 && little->memory == off->memory);
    sinew_clip_destroy(off);
    sinew_clip_destroy(little);
    for (int32_t c = 0; c < GRID_CHANNELS; c++) g.channels[c].key_count = 2; // nearly all keys are missing
    sinew_clip *ends = clip_on_grid(g.skeleton, g.channels, GRID_CHANNELS, 2),
               *always = clip_on_grid(g.skeleton, g.channels, GRID_CHANNELS, 1e9f);
    for (int32_t c = 0; c < GRID_CHANNELS; c++) assert_true(always->channels[c].key_count >= 2);
    assert_true(ends->memory <= always->memory);
    sinew_clip_destroy(ends);
    sinew_clip_destroy(always);
    sinew_skeleton_destroy(g.skeleton);
}

// Irregular times, two keys within one step, STEP and splines stay as they are.
static void test_keys_off_a_grid_stay(void **state) {
    (void)state;
    static gridded g;
    uint64_t random = 5;
    make_gridded(&g, &random, 0, 1.0f / 30);
    for (int32_t c = 0; c < GRID_CHANNELS; c++) {
        if (c % 2 == 0) g.channels[c].interpolation = SINEW_INTERPOLATION_STEP;
        for (int32_t k = 1; c % 2 == 1 && k + 1 < g.channels[c].key_count; k++)
            g.times[c][k] += random_float(&random, -0.01f, 0.01f);
    }
    sinew_clip *clip = clip_on_grid(g.skeleton, g.channels, GRID_CHANNELS, 100);
    assert_int_equal(clip->filled_key_count, 0);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(g.skeleton);
}

// An added key must not move a half turn to the other side.
static void test_half_turns_on_a_grid_keep_their_side(void **state) {
    (void)state;
    sinew_skeleton *s = make_chain(2);
    const float times[3] = {0, 1, 2}, all[9] = {0, 0.25f, 0.5f, 0.75f, 1, 1.25f, 1.5f, 1.75f, 2};
    const float first[4] = {0, 0, 0.8f, 0.6f}, half[4] = {1, 0, 0, 0};
    float turns[36];
    for (int i = 0; i < 9; i++) {
        const sinew_quat q = about_y(0.1 * i);
        memcpy(&turns[(ptrdiff_t)4 * i], &q, sizeof q);
    }
    for (unsigned signs = 0; signs < 8; signs++) {
        float values[12];
        for (unsigned k = 0; k < 3; k++)
            for (unsigned i = 0; i < 4; i++)
                values[4 * k + i] = (signs >> k & 1 ? -1.0f : 1.0f) * (k == 1 ? half : first)[i];
        const sinew_channel_def channels[2] = {
            {0, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 3, times, values},
            {1, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 9, all, turns}};
        sinew_clip *clip = clip_on_grid(s, channels, 2, 100);
        assert_int_equal(clip->filled_key_count, 6);
        sinew_pose *pose = new_pose(s);
        for (int i = 0; i <= 64; i++) {
            sinew_clip_sample(clip, (float)i / 32, pose);
            check_channel_at(&channels[0], pose, (double)i / 32);
        }
        sinew_pose_destroy(pose);
        sinew_clip_destroy(clip);
    }
    sinew_skeleton_destroy(s);
}

// ---- Everything at once --------------------------------------------------------------------------------------

// Channels of random kinds over 40 nodes, on timelines that are shared, uniform, irregular, or all their own.
typedef struct big {
    sinew_skeleton *skeleton;
    sinew_channel_def channels[200];
    int32_t count;
    float *storage[400];
    int32_t stored;
} big;

static float *keep(big *b, size_t count) {
    return b->storage[b->stored++] = malloc(count * sizeof(float));
}

static void add_channel(big *b, uint64_t *random, int32_t node, sinew_channel_target path, const float *shared,
                        int32_t keys) {
    const int32_t *offsets = b->skeleton->weight_offsets;
    size_t width = path == SINEW_TARGET_WEIGHTS    ? (size_t)(offsets[node + 1] - offsets[node])
                   : path == SINEW_TARGET_ROTATION ? 4
                                                   : 3;
    sinew_interpolation kind = (sinew_interpolation)(random_next(random) % 3);
    const float *times = shared;
    if (!times) {
        keys = 1 + (int32_t)(random_next(random) % 9);
        float *own = keep(b, (size_t)keys);
        own[0] = random_float(random, 0, 1);
        for (int32_t k = 1; k < keys; k++) own[k] = own[k - 1] + random_float(random, 0.01f, 0.7f);
        times = own;
    }
    size_t parts = kind == SINEW_INTERPOLATION_CUBICSPLINE ? 3 : 1;
    float *values = keep(b, (size_t)keys * parts * width);
    for (size_t i = 0; i < (size_t)keys * parts; i++) {
        float *v = values + i * width;
        for (size_t w = 0; w < width; w++) v[w] = random_float(random, -1, 1);
        bool unit = path == SINEW_TARGET_ROTATION && (kind != SINEW_INTERPOLATION_CUBICSPLINE || i % 3 == 1);
        if (!unit) continue;
        sinew_quat q = random_quat(random);
        memcpy(v, &q, sizeof q);
    }
    b->channels[b->count++] = (sinew_channel_def){node, path, kind, keys, times, values};
}

static void make_big(big *b, uint64_t seed) {
    uint64_t random = seed;
    *b = (big){0};
    sinew_node_def nodes[40];
    for (int32_t i = 0; i < 40; i++) {
        nodes[i] = (sinew_node_def){.name = "", .parent = i / 2 - (i == 0), .rest = sinew_transform_identity()};
        nodes[i].rest.rotation = random_quat(&random);
        nodes[i].rest.translation.x = random_float(&random, -1, 1);
        nodes[i].weight_count = i % 9 == 4 ? 1 + i / 2 : 0;
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = 40;
    def.nodes = nodes;
    assert_int_equal(sinew_skeleton_create(&def, &b->skeleton, NULL), SINEW_OK);

    float *uniform = keep(b, 31), *irregular = keep(b, 12);
    for (int i = 0; i < 31; i++) uniform[i] = (float)i / 30.0f;
    irregular[0] = 0.3f;
    for (int i = 1; i < 12; i++) irregular[i] = irregular[i - 1] + random_float(&random, 0.001f, 0.4f);
    for (int32_t node = 0; node < 40; node++) {
        for (int path = 0; path < 4; path++) {
            bool has_weights = b->skeleton->weight_offsets[node + 1] > b->skeleton->weight_offsets[node];
            if (path == SINEW_TARGET_WEIGHTS && !has_weights) continue;
            uint32_t kind = random_next(&random) % 4;
            if (kind == 0) continue;
            const float *shared = kind == 1 ? uniform : kind == 2 ? irregular : NULL;
            add_channel(b, &random, node, (sinew_channel_target)path, shared, kind == 1 ? 31 : 12);
        }
    }
}

static void free_big(big *b) {
    for (int32_t i = 0; i < b->stored; i++) free(b->storage[i]);
    sinew_skeleton_destroy(b->skeleton);
}

static void test_sampling_agrees_with_the_specification(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        big b;
        make_big(&b, seed);
        sinew_clip *clip = make_clip(b.skeleton, "big", b.channels, b.count);
        sinew_pose *pose = new_pose(b.skeleton);
        uint64_t random = seed;
        for (int i = 0; i < 60; i++) { // any order of times, exact keys among them
            float time =
                i % 4 == 0 ? b.channels[i % b.count].times[0] : random_float(&random, -0.5f, clip->duration + 1);
            sinew_clip_sample(clip, time, pose);
            for (int32_t c = 0; c < b.count; c++) check_channel_at(&b.channels[c], pose, (double)time);
        }
        // What has no channel is at rest.
        for (int32_t node = 0; node < 40; node++) {
            bool moved = false;
            for (int32_t c = 0; c < b.count; c++) moved |= b.channels[c].node == node && b.channels[c].target == 0;
            if (!moved)
                check_near(sinew_pose_get(pose, node).translation.x, b.skeleton->rest[node].translation.x, 0);
        }
        sinew_pose_destroy(pose);
        sinew_clip_destroy(clip);
        free_big(&b);
    }
}

// Channels with `lengths` keys in turn, each with its own times, on the rotations of a chain.
static sinew_clip *make_sparse(sinew_skeleton *s, const int32_t lengths[3], sinew_channel_def channels[20]) {
    uint64_t random = 41;
    for (int32_t i = 0; i < 20; i++) {
        int32_t keys = lengths[i % 3];
        float *times = malloc(5 * (size_t)keys * sizeof(float)), *values = times + keys;
        for (int32_t k = 0; k < keys; k++) {
            times[k] = 10.0f * ((float)k + random_float(&random, 0.1f, 0.9f)) / (float)keys;
            sinew_quat q = random_quat(&random);
            memcpy(values + (ptrdiff_t)4 * k, &q, sizeof q);
        }
        sinew_interpolation kind = i % 5 == 0 ? SINEW_INTERPOLATION_STEP : SINEW_INTERPOLATION_LINEAR;
        channels[i] = (sinew_channel_def){i, SINEW_TARGET_ROTATION, kind, keys, times, values};
    }
    return make_clip(s, "", channels, 20);
}

static void test_long_and_short_sparse_channels(void **state) {
    (void)state; // short channels next to long ones, whose index has several chapters
    sinew_skeleton *s = make_chain(20);
    sinew_channel_def channels[20];
    sinew_clip *clip = make_sparse(s, (const int32_t[3]){2, 3, 700}, channels);
    sinew_pose *pose = new_pose(s);
    uint64_t random = 43;
    for (int i = 0; i < 3000; i++) {
        const sinew_channel_def *of = &channels[i % 20];
        float time = i % 2 == 0 ? of->times[(uint32_t)i % (uint32_t)of->key_count] : random_float(&random, -1, 11);
        sinew_clip_sample(clip, time, pose);
        for (int32_t c = 0; c < 20; c++) check_channel_at(&channels[c], pose, (double)time);
    }
    sinew_pose_destroy(pose);
    sinew_clip_destroy(clip);
    for (int i = 0; i < 20; i++) free((void *)(uintptr_t)channels[i].times);
    sinew_skeleton_destroy(s);
}

static void test_sparse_keys_are_kept_once(void **state) {
    (void)state;
    sinew_skeleton *s = make_chain(20);
    sinew_channel_def channels[20];
    sinew_clip *clip = make_sparse(s, (const int32_t[3]){200, 300, 400}, channels);
    size_t bytes = 0;
    for (int i = 0; i < 20; i++) bytes += 5 * (size_t)channels[i].key_count * sizeof(float);
    if (clip->memory > bytes + bytes / 4) fail_msg("%zu bytes for %zu of keys", clip->memory, bytes);
    sinew_clip_destroy(clip);
    for (int i = 0; i < 20; i++) free((void *)(uintptr_t)channels[i].times);
    sinew_skeleton_destroy(s);
}

static void test_equal_times_become_one_timeline(void **state) {
    (void)state; // by content, not by address; constant channels need none
    sinew_skeleton *s = make_chain(3);
    const float a[3] = {0, 1, 2}, b[3] = {0, 1, 2}, c[3] = {0, 1, 2.5f};
    const float moving[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0}, still[9] = {3, 0, 0, 3, 0, 0, 3, 0, 0};
    const sinew_channel_def channels[4] = {{0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 3, a, moving},
                                           {1, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_STEP, 3, b, moving},
                                           {2, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 3, c, moving},
                                           {2, SINEW_TARGET_SCALE, SINEW_INTERPOLATION_LINEAR, 3, c, still}};
    sinew_clip *clip = make_clip(s, "", channels, 4);
    assert_int_equal(clip->timeline_count, 2);
    assert_int_equal(clip->channels[0].timeline, clip->channels[1].timeline);
    assert_int_not_equal(clip->channels[0].timeline, clip->channels[2].timeline);
    assert_int_equal(clip->channels[3].timeline, -1);
    assert_int_equal(clip->channels[3].key_count, 3);
    assert_true(clip->timelines[clip->channels[0].timeline].uniform);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(s);
}

// ---- Keys ----------------------------------------------------------------------------------------------------

static void check_keys(const sinew_clip *clip, uint32_t *hint, float time) {
    const sinew_timeline *line = &clip->timelines[0];
    int32_t k = 0; // by walking
    while (k + 2 < line->key_count && sinew_timeline_time(line, k + 1) <= time) k++;
    sinewi_key key;
    sinewi_find_key(&clip->data->rows[0], time, hint, &key);
    ptrdiff_t found = (key.row0 - clip->data->rows[0].keys) / (ptrdiff_t)clip->data->rows[0].stride;
    if (found != k) fail_msg("at %.9g s: key %d instead of %d", (double)time, (int)found, (int)k);
}

static void test_hints_survive_seeks_and_reverse(void **state) {
    (void)state; // pitfall 22: a key index that only moves forward is wrong after a seek or in reverse
    sinew_skeleton *s = make_chain(1);
    float times[50], values[150] = {0};
    uint64_t random = 31;
    times[0] = 0.1f;
    for (int i = 1; i < 50; i++) times[i] = times[i - 1] + random_float(&random, 0.001f, 0.5f);
    values[3] = 1;
    sinew_channel_def c = {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 50, times, values};
    sinew_clip *clip = make_clip(s, "", &c, 1);
    assert_false(clip->timelines[0].uniform);
    uint32_t hint = 0;
    for (int i = 0; i < 1400; i++) check_keys(clip, &hint, 0.01f * (float)i);
    for (int i = 0; i < 1077; i++) check_keys(clip, &hint, 14 - 0.013f * (float)i);
    for (int i = 0; i < 5000; i++) check_keys(clip, &hint, random_float(&random, 0, 14));
    for (int i = 0; i < 50; i++) check_keys(clip, &hint, times[i]);
    hint = 4000000000u; // nonsense, as from another clip
    check_keys(clip, &hint, 3);
    for (int i = 0; i < 1000; i++) check_keys(clip, NULL, random_float(&random, 0, 14));
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(s);
}

static void test_uniform_keys_are_found_exactly(void **state) {
    (void)state; // k / 30 in float is not evenly spaced; the key before a time must be right to the last bit
    sinew_skeleton *s = make_chain(1);
    static float times[5000], values[15000];
    values[3] = 1;
    for (int start = 0; start < 3; start++) {
        for (int i = 0; i < 5000; i++) times[i] = (float)start * 100.0f + (float)i / 30.0f;
        sinew_channel_def c = {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 5000, times, values};
        sinew_clip *clip = make_clip(s, "", &c, 1);
        assert_true(clip->timelines[0].uniform);
        for (int i = 1; i < 4999; i++) {
            check_keys(clip, NULL, times[i]);
            check_keys(clip, NULL, nextafterf(times[i], 0));
            check_keys(clip, NULL, nextafterf(times[i], 1e9f));
        }
        sinew_clip_destroy(clip);
    }
    sinew_skeleton_destroy(s);
}

// ---- Binding -------------------------------------------------------------------------------------------------

static sinew_skeleton *named(const char *const *names, int32_t count, int32_t weights_on) {
    sinew_node_def nodes[8];
    for (int32_t i = 0; i < count; i++) {
        nodes[i] = (sinew_node_def){.name = names[i], .parent = i - 1, .rest = sinew_transform_identity()};
        nodes[i].rest.translation.y = (float)(10 + i);
        nodes[i].weight_count = i == weights_on ? 2 : 0;
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = count;
    def.nodes = nodes;
    sinew_skeleton *s;
    assert_int_equal(sinew_skeleton_create(&def, &s, NULL), SINEW_OK);
    return s;
}

static void test_a_clip_plays_on_another_skeleton(void **state) {
    (void)state;
    const char *const from_names[5] = {"Hips", "Spine", "", "Tail", "Face"};
    const char *const to_names[4] = {"Armature", "Spine", "Hips", "Face"};
    sinew_skeleton *from = named(from_names, 5, 4), *to = named(to_names, 4, 3);
    const float times[2] = {0, 2}, long_time = 5, one[3] = {7, 8, 9};
    const float move[6] = {0, 0, 0, 4, 0, 0}, blink[4] = {0, 1, 1, 0};
    sinew_quat q = about_z(1);
    const float turn[24] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0.5f, 0, 0, 0, 0.25f, 0, q.x, q.y, q.z, q.w, 0, 0, 0, 0};
    const sinew_channel_def channels[6] = {
        {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times, move},
        {1, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_CUBICSPLINE, 2, times, turn},
        {1, SINEW_TARGET_SCALE, SINEW_INTERPOLATION_STEP, 1, &long_time, one},
        {2, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times, move},
        {3, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times, move},
        {4, SINEW_TARGET_WEIGHTS, SINEW_INTERPOLATION_LINEAR, 2, times, blink}};
    sinew_clip *clip = make_clip(from, "Wag", channels, 6), *bound;
    sinew_bind_report report;
    assert_int_equal(sinew_clip_bind(clip, to, NULL, &bound, &report, NULL), SINEW_OK);
    assert_int_equal(report.bound_channel_count, 4);
    assert_int_equal(report.unmatched_channel_count, 2);
    assert_int_equal(report.unmatched_name_count, 2);
    assert_string_equal(report.unmatched_names[0], ""); // unnamed nodes match nothing
    assert_string_equal(report.unmatched_names[1], "Tail");
    assert_string_equal(bound->name, "Wag");
    assert_true(bound->duration == clip->duration && clip->duration == 5);

    sinew_pose *a = new_pose(from), *b = new_pose(to);
    for (int i = 0; i <= 20; i++) {
        const float t = 0.3f * (float)i;
        sinew_clip_sample(clip, t, a);
        sinew_clip_sample(bound, t, b);
        check_near(b->tx[2], a->tx[0], 0);
        check_vec3(sinew_pose_get(b, 1).scale, 7, 8, 9, 0);
        assert_true(angle_between(sinew_pose_get(b, 1).rotation, sinew_pose_get(a, 1).rotation) < 1e-6);
        check_near(b->ty[1], 11, 0); // no channel: the target's own rest pose
        check_near(b->weights[0], a->weights[0], 0);
        check_near(b->weights[1], a->weights[1], 0);
    }
    sinew_pose_destroy(a);
    sinew_pose_destroy(b);
    sinew_clip_destroy(bound);

    const char *const strangers[1] = {"Rotor"};
    sinew_skeleton *other = named(strangers, 1, -1);
    sinew_error error;
    assert_int_equal(sinew_clip_bind(clip, other, NULL, &bound, NULL, &error), SINEW_ERROR_ARGUMENT);
    assert_null(bound);
    assert_non_null(strstr(error.message, "Wag"));
    sinew_skeleton_destroy(other);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(from);
    sinew_skeleton_destroy(to);
}

static void test_constant_weights_are_bound_too(void **state) {
    (void)state;
    const char *const names[2] = {"Root", "Face"};
    sinew_skeleton *from = named(names, 2, 1), *to = named(names, 2, 1), *other = named(names, 2, 0);
    const float time = 1, smile[2] = {0.25f, 0.75f};
    const sinew_channel_def channel = {1, SINEW_TARGET_WEIGHTS, SINEW_INTERPOLATION_LINEAR, 1, &time, smile};
    sinew_clip *clip = make_clip(from, "Smile", &channel, 1), *bound;
    assert_int_equal(sinew_clip_bind(clip, to, NULL, &bound, NULL, NULL), SINEW_OK);
    sinew_pose *pose = new_pose(to);
    sinew_clip_sample(bound, 0, pose);
    assert_memory_equal(pose->weights, smile, sizeof smile);
    sinew_pose_destroy(pose);
    sinew_clip_destroy(bound);
    // A face with another number of weights cannot take them.
    sinew_bind_report report;
    assert_int_equal(sinew_clip_bind(clip, other, NULL, &bound, &report, NULL), SINEW_ERROR_ARGUMENT);
    assert_int_equal(report.unmatched_channel_count, 1);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(from);
    sinew_skeleton_destroy(to);
    sinew_skeleton_destroy(other);
}

static void test_binding_to_the_same_skeleton_changes_nothing(void **state) {
    (void)state;
    big b;
    make_big(&b, 77);
    sinew_node_def nodes[40];
    char names[40][4];
    for (int32_t i = 0; i < 40; i++) { // the same skeleton, with names to match by
        int32_t source = b.skeleton->source_of_node[i], parent = b.skeleton->parents[i];
        names[source][0] = (char)('A' + source / 8), names[source][1] = (char)('0' + source % 8),
        names[source][2] = 0;
        nodes[source] =
            (sinew_node_def){.name = names[source],
                             .parent = parent < 0 ? SINEW_NO_NODE : b.skeleton->source_of_node[parent],
                             .rest = b.skeleton->rest[i],
                             .weight_count = b.skeleton->weight_offsets[i + 1] - b.skeleton->weight_offsets[i],
                             .rest_weights = b.skeleton->rest_weights + b.skeleton->weight_offsets[i]};
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = 40;
    def.nodes = nodes;
    sinew_skeleton *s;
    assert_int_equal(sinew_skeleton_create(&def, &s, NULL), SINEW_OK);
    sinew_clip *clip = make_clip(s, "", b.channels, b.count), *bound;
    sinew_bind_report report;
    assert_int_equal(sinew_clip_bind(clip, s, NULL, &bound, &report, NULL), SINEW_OK);
    assert_int_equal(report.bound_channel_count, b.count);
    assert_int_equal(report.unmatched_channel_count, 0);
    sinew_pose *pose = new_pose(s);
    for (int i = 0; 0.05f * (float)i < clip->duration; i++) {
        const float t = 0.05f * (float)i;
        sinew_clip_sample(bound, t, pose);
        for (int32_t c = 0; c < b.count; c++) check_channel_at(&b.channels[c], pose, (double)t);
    }
    sinew_pose_destroy(pose);
    sinew_clip_destroy(clip);
    sinew_clip_destroy(bound);
    sinew_skeleton_destroy(s);
    free_big(&b);
}

// ---- Refusals ------------------------------------------------------------------------------------------------

static void check_refused(const sinew_skeleton *s, const sinew_channel_def *channels, int32_t count,
                          const char *words) {
    sinew_error error = {0};
    assert_int_equal(create_one(s, channels, count, &error), SINEW_ERROR_ARGUMENT);
    if (!strstr(error.message, words)) fail_msg("'%s' does not say '%s'", error.message, words);
}

static void test_bad_channels_are_refused_with_their_place(void **state) {
    (void)state;
    sinew_skeleton *s = make_chain(2);
    float times[3] = {0, 0.5f, 0.5f}, values[12] = {0};
    sinew_channel_def c[2] = {{0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 3, times, values},
                              {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times, values}};
    check_refused(s, c, 1, "channels[0]: key 2 is at 0.5 s, not after key 1 at 0.5 s");
    c[0].key_count = 2;
    check_refused(s, c, 2, "channels[1]: channels[0] already animates this target of node 0");
    c[0].node = 2;
    check_refused(s, c, 1, "node 2, but the skeleton has 2 nodes");
    c[0].node = 0;
    times[0] = -1;
    check_refused(s, c, 1, "key 0 is at -1 s");
    times[0] = NAN;
    check_refused(s, c, 1, "key 0 is at");
    times[0] = 0;
    values[4] = INFINITY;
    check_refused(s, c, 1, "key 1 is not finite");
    values[4] = 0;
    c[0].target = SINEW_TARGET_WEIGHTS;
    check_refused(s, c, 1, "node 0 has no morph weights");
    c[0].target = (sinew_channel_target)9;
    check_refused(s, c, 1, "unknown target");
    c[0].target = SINEW_TARGET_SCALE;
    c[0].key_count = 0;
    check_refused(s, c, 1, "no keys");
    check_refused(NULL, c, 1, "skeleton is NULL");
    check_refused(s, NULL, 1, "channels is NULL");
    assert_int_equal(create_one(s, NULL, 0, NULL), SINEW_OK); // a clip of nothing is the rest pose
    sinew_clip_destroy(NULL);
    sinew_skeleton_destroy(s);
}

static void test_running_out_of_memory_leaves_nothing(void **state) {
    (void)state;
    big b;
    make_big(&b, 3);
    sinew_clip *source = make_clip(b.skeleton, "", b.channels, b.count);
    counting c = {0};
    sinew_allocator allocator = counting_allocator(&c);
    int failures = 0;
    for (int step = 0; step < 2; step++) { // creating, then binding
        for (c.fail_at = 1;; c.fail_at++) {
            c.allocations = 0;
            sinew_clip *clip;
            sinew_error error = {0};
            sinew_clip_def def = sinew_clip_default();
            def.skeleton = b.skeleton;
            def.channel_count = b.count;
            def.channels = b.channels;
            def.allocator = allocator;
            sinew_bind_def bind = sinew_bind_default();
            bind.allocator = allocator;
            sinew_result result = step == 0 ? sinew_clip_create(&def, &clip, &error)
                                            : sinew_clip_bind(source, b.skeleton, &bind, &clip, NULL, &error);
            if (result != SINEW_ERROR_OUT_OF_MEMORY) { // binding matches no unnamed node, once it has memory
                sinew_clip_destroy(clip);
                break;
            }
            assert_null(clip);
            assert_int_equal(c.live, 0);
            assert_int_equal(error.result, SINEW_ERROR_OUT_OF_MEMORY);
            failures++;
        }
        c.fail_at = 0;
    }
    assert_true(failures >= 3);
    sinew_clip_destroy(source);
    free_big(&b);
}

static void test_memory_is_given_back(void **state) {
    (void)state;
    sinew_skeleton *s = make_chain(2);
    counting c = {0};
    const float times[2] = {0, 1}, values[6] = {0, 0, 0, 1, 0, 0};
    sinew_channel_def channel = {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times, values};
    sinew_clip_def def = sinew_clip_default();
    def.name = "x";
    def.skeleton = s;
    def.channel_count = 1;
    def.channels = &channel;
    def.allocator = counting_allocator(&c);
    sinew_clip *clip;
    assert_int_equal(sinew_clip_create(&def, &clip, NULL), SINEW_OK);
    assert_int_equal(c.live, 1); // one block
    assert_int_equal(c.bytes, clip->memory);
    sinew_clip_destroy(clip);
    assert_int_equal(c.live, 0);
    assert_int_equal(c.bytes, 0);
    sinew_skeleton_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_step_holds_the_key_before),
        cmocka_unit_test(test_step_waits_for_its_key_however_close),
        cmocka_unit_test(test_one_key_is_constant),
        cmocka_unit_test(test_cubic_tangents_are_per_second),
        cmocka_unit_test(test_cubic_rotations_come_out_unit),
        cmocka_unit_test(test_linear_rotation_is_slerp_on_the_shorter_arc),
        cmocka_unit_test(test_half_turns_take_the_side_of_their_signs),
        cmocka_unit_test(test_channels_keep_their_own_times),
        cmocka_unit_test(test_dropped_keys_are_added),
        cmocka_unit_test(test_added_keys_are_within_the_limit),
        cmocka_unit_test(test_keys_off_a_grid_stay),
        cmocka_unit_test(test_half_turns_on_a_grid_keep_their_side),
        cmocka_unit_test(test_sampling_agrees_with_the_specification),
        cmocka_unit_test(test_long_and_short_sparse_channels),
        cmocka_unit_test(test_sparse_keys_are_kept_once),
        cmocka_unit_test(test_equal_times_become_one_timeline),
        cmocka_unit_test(test_hints_survive_seeks_and_reverse),
        cmocka_unit_test(test_uniform_keys_are_found_exactly),
        cmocka_unit_test(test_a_clip_plays_on_another_skeleton),
        cmocka_unit_test(test_constant_weights_are_bound_too),
        cmocka_unit_test(test_binding_to_the_same_skeleton_changes_nothing),
        cmocka_unit_test(test_bad_channels_are_refused_with_their_place),
        cmocka_unit_test(test_running_out_of_memory_leaves_nothing),
        cmocka_unit_test(test_memory_is_given_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
