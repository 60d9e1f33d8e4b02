// SPDX-License-Identifier: MIT
// The stated error of compressed clips and 16-bit keys is an upper bound at every time of any clip. Checked densely
// between all keys, against an evaluator in double precision.
#include "support/exact_clip.h"
#include "support/random_rig.h"
#include "support/trials.h"

#include <stdio.h>

enum { MOST_NODES = 12, MOST_KEYS = 14, TIMELINES = 2, CURVES = 2, PARTS = 24 };

// What a random clip has.
typedef struct style {
    double turn;  // radians between two keys, at most
    double reach; // of translations, metres
    double sway;  // of translations around the rest pose, metres
    bool scales, splines, steps, dense_keys;
} style;

static const style styles[] = {
    {.turn = 0.1, .reach = 0.3, .sway = 0.02},
    {.turn = 0.4, .reach = 0.3, .sway = 0.1},
    {.turn = 1.2, .reach = 0.5, .sway = 0.1},
    {.turn = 3.0, .reach = 0.2, .sway = 0.1},
    {.turn = 0.4, .reach = 0.3, .sway = 0.1, .scales = true},
    {.turn = 0.4, .reach = 0.3, .sway = 0.1, .splines = true},
    {.turn = 0.4, .reach = 0.3, .sway = 0.1, .steps = true, .scales = true},
    {.turn = 0.4, .reach = 0.3, .sway = 0.1, .dense_keys = true},
    {.turn = 0.1, .reach = 0.3, .sway = 30.0},
    {.turn = 1.2, .reach = 0.3, .sway = 0.3, .splines = true, .steps = true, .scales = true, .dense_keys = true},
};
enum { STYLES = sizeof styles / sizeof *styles };

static sinew_skeleton *draw_limb(uint64_t *random, const style *s, int32_t count) {
    static const char *const names[CURVES] = {"Blink", "Speed"};
    sinew_node_def nodes[MOST_NODES];
    for (int32_t i = 0; i < count; i++) {
        nodes[i] = (sinew_node_def){.parent = i % 4 == 3 ? i - 2 : i - 1, .rest = sinew_transform_identity()};
        nodes[i].rest.translation.y = i > 0 ? random_float(random, 0.2f, 1.0f) * (float)s->reach : 0.0f;
        nodes[i].rest.rotation = random_quat(random);
        for (int k = 0; k < 3 && s->scales; k++) (&nodes[i].rest.scale.x)[k] = random_float(random, 0.6f, 1.5f);
    }
    nodes[count - 1].weight_count = 3;
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = count;
    def.nodes = nodes;
    def.curve_count = CURVES;
    def.curve_names = names;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

typedef struct drawing {
    uint64_t *random;
    const style *style;
    const sinew_skeleton *skeleton;
    int32_t key_counts[TIMELINES];
    float times[TIMELINES][MOST_KEYS];
    float *values;
} drawing;

static void draw_key_times(drawing *d) {
    for (int t = 0; t < TIMELINES; t++) {
        d->key_counts[t] = draw_count(d->random, 2, MOST_KEYS);
        float time = random_float(d->random, 0, 0.2f);
        for (int32_t k = 0; k < d->key_counts[t]; k++) {
            d->times[t][k] = time;
            const bool near = d->style->dense_keys && draw_count(d->random, 0, 2) == 0;
            time += near ? 1e-4f : t == 0 ? 0.1f : random_float(d->random, 0.02f, 0.4f);
        }
    }
}

static sinew_quat turn_by(uint64_t *random, double most) {
    const sinew_quat about = random_quat(random);
    const double half = 0.5 * most * (double)random_float(random, 0, 1);
    const double length = sqrt((double)(about.x * about.x + about.y * about.y + about.z * about.z)) + 1e-9;
    const float factor = (float)(sin(half) / length);
    return (sinew_quat){factor * about.x, factor * about.y, factor * about.z, (float)cos(half)};
}

// Writes the keys of a channel: values, or in-tangent, value and out-tangent.
static void draw_channel_keys(drawing *d, const sinew_channel_def *c, int32_t width, float *out) {
    const bool spline = c->interpolation == SINEW_INTERPOLATION_CUBICSPLINE;
    const sinew_transform rest = d->skeleton->rest[c->target == SINEW_TARGET_CURVE ? 0 : c->node];
    sinew_quat q = rest.rotation;
    for (int32_t k = 0; k < c->key_count; k++) {
        float value[4];
        for (int32_t i = 0; i < width; i++) value[i] = random_float(d->random, -1, 1);
        if (c->target == SINEW_TARGET_TRANSLATION) {
            for (int i = 0; i < 3; i++) value[i] = (&rest.translation.x)[i] + (float)d->style->sway * value[i];
        } else if (c->target == SINEW_TARGET_SCALE) {
            for (int i = 0; i < 3; i++) value[i] = 1.0f + 0.6f * value[i];
        } else if (c->target == SINEW_TARGET_ROTATION) {
            q = sinew_quat_normalize(sinew_quat_multiply(q, turn_by(d->random, d->style->turn)));
            memcpy(value, &q, sizeof q);
        }
        const float slope = c->target == SINEW_TARGET_TRANSLATION ? (float)d->style->sway : 1.0f;
        for (int part = 0; part < (spline ? 3 : 1); part++, out += width) {
            for (int32_t i = 0; i < width; i++)
                out[i] = spline && part != 1 ? 3.0f * slope * random_float(d->random, -1, 1) : value[i];
        }
    }
}

static sinew_interpolation draw_interpolation(const drawing *d) {
    const int32_t dice = draw_count(d->random, 0, 3);
    if (dice == 0 && d->style->splines) return SINEW_INTERPOLATION_CUBICSPLINE;
    if (dice == 1 && d->style->steps) return SINEW_INTERPOLATION_STEP;
    return SINEW_INTERPOLATION_LINEAR;
}

static sinew_clip *draw_motion(drawing *d, sinew_key_format format) {
    enum { CHANNELS = 3 * MOST_NODES + 1 + CURVES, FLOATS = 12 * MOST_KEYS };
    static float values[CHANNELS][FLOATS];
    sinew_channel_def channels[CHANNELS];
    int32_t count = 0;
    draw_key_times(d);
    for (int32_t slot = 0; slot < 4 * d->skeleton->node_count + CURVES; slot++) {
        const bool curve = slot >= 4 * d->skeleton->node_count;
        const int32_t node = curve ? slot - 4 * d->skeleton->node_count : slot / 4,
                      t = draw_count(d->random, 0, 4) == 0;
        const sinew_channel_target target = curve ? SINEW_TARGET_CURVE : (sinew_channel_target)(slot % 4);
        if (target == SINEW_TARGET_SCALE && (!d->style->scales || draw_count(d->random, 0, 2) > 0)) continue;
        if (target == SINEW_TARGET_TRANSLATION && draw_count(d->random, 0, 2) > 0) continue;
        if (target == SINEW_TARGET_WEIGHTS && node + 1 < d->skeleton->node_count) continue;
        const int32_t width = curve ? 1 : target == SINEW_TARGET_ROTATION ? 4 : 3;
        sinew_channel_def *c = &channels[count];
        *c = (sinew_channel_def){node, target, draw_interpolation(d), d->key_counts[t], d->times[t], values[count]};
        draw_channel_keys(d, c, width, values[count++]);
    }
    sinew_clip_def def = sinew_clip_default();
    def.skeleton = d->skeleton;
    def.channels = channels;
    def.channel_count = count;
    def.key_format = format;
    sinew_clip *clip;
    sinew_error error = {0};
    if (sinew_clip_create(&def, &clip, &error) != SINEW_OK) fail_msg("%s", error.message);
    return clip;
}

// What floats round: positions of a chain, by its extent.
static double rounding_of(const style *s) {
    return 1.5e-7 * (s->scales ? 10.0 : 1.0) * (1.0 + (s->reach + 2.0 * s->sway) * MOST_NODES);
}

// How close the bounds are: of the stated error by the largest that was found.
typedef struct closeness {
    double most, sum;
    int count;
} closeness;

static void check_bound(const char *what, int trial, double stated, double found, double rounding, closeness *c) {
    if (!(found <= stated + rounding)) fail_msg("%s %d: states %.6g, and has %.6g", what, trial, stated, found);
    if (found < 10.0 * rounding) return; // drowned in rounding
    c->most = fmax(c->most, stated / found);
    c->sum += stated / found;
    c->count++;
}

// Checks the bound of a clip against what is found between its keys, and destroys both clips.
static void check_clip(sinew_clip *exact, sinew_clip *clip, double distance, int kind, int trial, closeness *c) {
    exact_clip e = read_exact(exact);
    const clip_displacement found = displacement_between_keys(&e, clip, distance, PARTS);
    check_bound("style", 100 * kind + trial, (double)clip->max_error, fmax(found.ball, found.weights),
                rounding_of(&styles[kind]), c);
    free_exact(&e);
    sinew_clip_destroy(clip);
    sinew_clip_destroy(exact);
}

static void print_closeness(const char *what, const closeness *c) {
    print_message("%s: the bound is %.3f times the error, at most %.3f, of %d\n", what, c->sum / c->count, c->most,
                  c->count);
}

// ---- 16-bit keys -------------------------------------------------------------------------------------------------

static void test_16_bit_keys(void **state) {
    (void)state;
    uint64_t random = 41;
    enum { CLIPS = TRIALS(30, 4) };
    for (int i = 0; i < STYLES; i++) {
        closeness close = {0};
        for (int trial = 0; trial < CLIPS; trial++) {
            sinew_skeleton *skeleton = draw_limb(&random, &styles[i], draw_count(&random, 1, MOST_NODES));
            uint64_t again = random;
            drawing d = {.random = &random, .style = &styles[i], .skeleton = skeleton};
            sinew_clip *exact = draw_motion(&d, SINEW_KEYS_FLOAT);
            d.random = &again; // the same
            sinew_clip *clip = draw_motion(&d, SINEW_KEYS_U16);
            check_clip(exact, clip, 0.1, i, trial, &close);
            sinew_skeleton_destroy(skeleton);
        }
        char name[32];
        snprintf(name, sizeof name, "16 bits, style %d", i);
        if (close.count == 0) continue;
        print_closeness(name, &close);
        // Spline rotations may pass near zero, where they turn very fast.
        if (!styles[i].splines) assert_true(close.sum < 1.02 * close.count && close.most < 1.05);
    }
}

// ---- Compressed clips --------------------------------------------------------------------------------------------

// A clip or, with another draw, its difference from the rest pose.
static sinew_clip *draw_clip_or_difference(drawing *d, bool difference) {
    sinew_clip *clip = draw_motion(d, SINEW_KEYS_FLOAT), *additive;
    if (!difference) return clip;
    assert_int_equal(sinew_clip_make_additive(clip, NULL, NULL, &additive, NULL), SINEW_OK);
    sinew_clip_destroy(clip);
    return additive;
}

static void test_compressed_clips(void **state) {
    (void)state;
    static const float limits[] = {1e-4f, 1e-3f, 1e-2f}, distances[] = {0.03f, 0.1f, 1.0f};
    uint64_t random = 43;
    enum { CLIPS = TRIALS(18, 3) };
    for (int i = 0; i < STYLES; i++) {
        closeness close = {0};
        for (int trial = 0; trial < CLIPS; trial++) {
            sinew_skeleton *skeleton = draw_limb(&random, &styles[i], MOST_NODES);
            drawing d = {.random = &random, .style = &styles[i], .skeleton = skeleton};
            sinew_clip *exact = draw_clip_or_difference(&d, trial % 4 == 3), *clip;
            sinew_compress_def def = sinew_compress_default();
            def.max_error = limits[trial % 3];
            def.point_distance = distances[trial / 3 % 3];
            assert_int_equal(sinew_clip_compress(exact, &def, &clip, NULL), SINEW_OK);
            assert_true(clip->max_error <= def.max_error);
            check_clip(exact, clip, (double)def.point_distance, i, trial, &close);
            sinew_skeleton_destroy(skeleton);
        }
        char name[32];
        snprintf(name, sizeof name, "compressed, style %d", i);
        if (close.count > 0) print_closeness(name, &close);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_16_bit_keys),
        cmocka_unit_test(test_compressed_clips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
