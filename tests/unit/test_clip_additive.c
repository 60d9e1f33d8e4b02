// SPDX-License-Identifier: MIT
// Additive clips: a clip's difference from a reference pose. Adding it to that pose gives the clip again.
#include "support/files.h"
#include "support/random_rig.h"

#include <stdio.h>

// ---- Helpers -------------------------------------------------------------------------------------------------

static sinew_pose *new_pose(const sinew_skeleton *skeleton) {
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(skeleton, NULL, &pose), SINEW_OK);
    return pose;
}

static sinew_clip *additive_of(const sinew_clip *clip, const sinew_pose *reference) {
    sinew_clip *additive;
    sinew_error error = {0};
    if (sinew_clip_make_additive(clip, reference, NULL, &additive, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    assert_true(additive->additive);
    return additive;
}

// a × b, in double until the end.
static sinew_quat product(sinew_quat a, sinew_quat b) {
    double ax = a.x, ay = a.y, az = a.z, aw = a.w, bx = b.x, by = b.y, bz = b.z, bw = b.w;
    return (sinew_quat){
        (float)(aw * bx + ax * bw + ay * bz - az * by), (float)(aw * by - ax * bz + ay * bw + az * bx),
        (float)(aw * bz + ax * by - ay * bx + az * bw), (float)(aw * bw - ax * bx - ay * by - az * bz)};
}

// The reference with a whole difference on it, node by node and in double, without a word from the library.
static sinew_transform put_back(sinew_transform reference, sinew_transform d) {
    return (sinew_transform){
        {(float)((double)reference.translation.x + d.translation.x),
         (float)((double)reference.translation.y + d.translation.y),
         (float)((double)reference.translation.z + d.translation.z)},
        product(reference.rotation, d.rotation),
        {(float)((double)reference.scale.x * d.scale.x), (float)((double)reference.scale.y * d.scale.y),
         (float)((double)reference.scale.z * d.scale.z)},
    };
}

// The largest difference between two poses: translations relative to the model's size, rotations by component, and
// scales and morph weights relative to the reference if that's more than 1.
typedef struct gap {
    double translation, rotation, scale, weights;
} gap;

static void widen(double *most, double by) {
    if (!(by <= *most)) *most = by; // a NaN stays
}

static double rotation_gap(sinew_quat a, sinew_quat b) {
    double d = (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z + (double)a.w * b.w, s = d < 0 ? -1 : 1;
    double most = 0;
    widen(&most, fabs(a.x - s * b.x));
    widen(&most, fabs(a.y - s * b.y));
    widen(&most, fabs(a.z - s * b.z));
    widen(&most, fabs(a.w - s * b.w));
    return most;
}

static void widen_by_vec3(double *most, sinew_vec3 a, sinew_vec3 b, double x, double y, double z) {
    widen(most, fabs((double)a.x - b.x) / x);
    widen(most, fabs((double)a.y - b.y) / y);
    widen(most, fabs((double)a.z - b.z) / z);
}

static void widen_by_node(gap *g, sinew_transform a, sinew_transform b, sinew_vec3 scale, double size) {
    widen_by_vec3(&g->translation, a.translation, b.translation, size, size, size);
    widen(&g->rotation, rotation_gap(a.rotation, b.rotation));
    widen_by_vec3(&g->scale, a.scale, b.scale, fmax(1, fabsf(scale.x)), fmax(1, fabsf(scale.y)),
                  fmax(1, fabsf(scale.z)));
}

// The largest extent of the rest pose's nodes, or 1 m where they are all in one place.
static double size_of(const sinew_skeleton *skeleton) {
    sinew_pose *rest = new_pose(skeleton);
    sinew_affine *model = aligned_alloc(64, ((size_t)skeleton->node_count * sizeof *model + 63) / 64 * 64);
    sinew_pose_to_model(rest, model);
    double size = 0;
    for (int row = 0; row < 3; row++) {
        double low = INFINITY, high = -INFINITY;
        for (int32_t i = 0; i < skeleton->node_count; i++) {
            low = fmin(low, model[i].m[row][3]);
            high = fmax(high, model[i].m[row][3]);
        }
        size = fmax(size, high - low);
    }
    aligned_free(model);
    sinew_pose_destroy(rest);
    return size > 0 ? size : 1;
}

enum { TIMES = 61 };

// Before the clip, at many times of it, and after it.
static float time_of(const sinew_clip *clip, int i) {
    return clip->duration * (float)(i - 2) / (float)(TIMES - 5);
}

static void compare(gap *g, const sinew_pose *is, const sinew_pose *back, const sinew_pose *difference,
                    const sinew_pose *reference, double size) {
    const sinew_skeleton *skeleton = is->skeleton;
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        sinew_transform t = sinew_pose_get(is, i), from = sinew_pose_get(reference, i);
        widen_by_node(g, sinew_pose_get(back, i), t, from.scale, size);
        widen_by_node(g, put_back(from, sinew_pose_get(difference, i)), t, from.scale, size);
    }
    for (int32_t w = 0; w < skeleton->weight_count; w++) {
        double most = fmax(1.0, fmax(fabs((double)reference->weights[w]), fabs((double)is->weights[w])));
        widen(&g->weights, fabs((double)back->weights[w] - is->weights[w]) / most);
    }
}

// The clip, and its differences to a reference (NULL: the rest pose) put back onto that, by hand and by the library.
static gap round_trip(const sinew_clip *clip, const sinew_pose *reference) {
    sinew_clip *additive = additive_of(clip, reference);
    sinew_pose *rest = new_pose(clip->skeleton), *is = new_pose(clip->skeleton);
    sinew_pose *difference = new_pose(clip->skeleton), *back = new_pose(clip->skeleton);
    double size = size_of(clip->skeleton);
    gap g = {0};
    for (int i = 0; i < TIMES; i++) {
        sinew_clip_sample(clip, time_of(clip, i), is);
        sinew_clip_sample(additive, time_of(clip, i), difference);
        sinew_pose_add(back, reference ? reference : rest, difference, 1, NULL);
        compare(&g, is, back, difference, reference ? reference : rest, size);
    }
    assert_true(additive->duration == clip->duration);
    sinew_pose_destroy(rest);
    sinew_pose_destroy(is);
    sinew_pose_destroy(difference);
    sinew_pose_destroy(back);
    sinew_clip_destroy(additive);
    return g;
}

static void check_round_trip(const sinew_clip *clip, const sinew_pose *reference, const char *what) {
    gap g = round_trip(clip, reference);
    if (g.translation <= 1e-6 && g.rotation <= 1e-6 && g.scale <= 1e-6 && g.weights <= 1e-6) return;
    fail_msg("'%s' to %s: off by %g of the size, %g of rotation, %g of scale, %g of weights", clip->name, what,
             g.translation, g.rotation, g.scale, g.weights);
}

// ---- Files ---------------------------------------------------------------------------------------------------

static bool has_scale_0(const sinew_pose *pose) {
    for (int32_t i = 0; i < pose->skeleton->node_count; i++) {
        if (pose->sx[i] == 0 || pose->sy[i] == 0 || pose->sz[i] == 0) return true;
    }
    return false;
}

// A moment when something has shrunk to nothing can't be a reference for what's there at other times.
static void check_frame(const sinew_clip *clip, const sinew_clip *of, float time, sinew_pose *reference,
                        const char *what) {
    sinew_clip_sample(of, time, reference);
    if (!has_scale_0(reference)) {
        check_round_trip(clip, reference, what);
        return;
    }
    sinew_clip *additive;
    assert_int_equal(sinew_clip_make_additive(clip, reference, NULL, &additive, NULL), SINEW_ERROR_ARGUMENT);
}

static void check_clips_of(const char *path) {
    sinew_asset *asset = load_gltf(path, NULL);
    assert_true(asset->clip_count > 0);
    sinew_pose *reference = new_pose(asset->skeleton);
    for (int32_t i = 0; i < asset->clip_count; i++) {
        const sinew_clip *clip = &asset->clips[i], *other = &asset->clips[(i + 1) % asset->clip_count];
        check_round_trip(clip, NULL, "the rest pose");
        check_frame(clip, clip, 0, reference, "its first frame");
        check_frame(clip, clip, 0.47f * clip->duration, reference, "a frame in its middle");
        check_frame(clip, other, 0.3f * other->duration, reference, "a frame of another clip");
    }
    sinew_pose_destroy(reference);
    sinew_asset_destroy(asset);
}

static void test_the_hero_comes_back(void **state) {
    (void)state;
    check_clips_of(SINEW_MODELS "/hero.glb");
}

static void test_other_peoples_clips_come_back(void **state) {
    (void)state;
    const char *folder = other_peoples_files();
    static const char *const files[] = {"bevy/Fox.glb", "kaykit/Knight.glb", "robotexpressive/RobotExpressive.glb",
                                        "khronos-samples-2017/AnimatedMorphCube.glb",
                                        "jgltf/InterpolationTest.gltf"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        check_clips_of(path);
    }
}

// ---- By hand -------------------------------------------------------------------------------------------------

enum { A, B, C };

// Three nodes in a row, far from identities: A with two morph weights, B with none, C with one.
static sinew_skeleton *make_three(void) {
    static const float first[2] = {0.25f, 0.5f}, last[1] = {0.75f};
    const sinew_node_def nodes[3] = {
        {.name = "A",
         .parent = -1,
         .rest = {{1, 2, 3}, about_x(0.3), {2, 0.5f, 1}},
         .weight_count = 2,
         .rest_weights = first},
        {.name = "B", .parent = A, .rest = {{0, 1, 0}, about_y(0.4), {1, 1, 4}}},
        {.name = "C",
         .parent = B,
         .rest = {{0, 3, 0}, about_z(0.5), {1, 1, 1}},
         .weight_count = 1,
         .rest_weights = last},
    };
    sinew_skeleton_def def = sinew_skeleton_default();
    def.nodes = nodes;
    def.node_count = 3;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

static void check_quat(sinew_quat q, sinew_quat expected) {
    if (rotation_gap(q, expected) <= 1e-6) return;
    fail_msg("(%g %g %g %g) is not (%g %g %g %g)", q.x, q.y, q.z, q.w, expected.x, expected.y, expected.z,
             expected.w);
}

static void check_no_difference(sinew_transform t) {
    const sinew_transform nothing = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    assert_memory_equal(&t, &nothing, sizeof t);
}

// Two keys, at 1 s and at 3 s, of one component: in-tangent, value, out-tangent.
typedef struct two_keys {
    double key[2][3];
} two_keys;

static const two_keys keys_x = {{{5, 1, 2}, {-3, 4, 7}}}, keys_y = {{{1, -2, 0.5}, {1.5, 8, 1}}},
                      keys_z = {{{0, 3, -1}, {2, 3.5, 0}}};

// glTF 2.0, appendix C: u is how far the time is from the first key to the second, 2 s later.
static double between(two_keys k, sinew_interpolation how, double u) {
    double p0 = k.key[0][1], m0 = 2 * k.key[0][2], p1 = k.key[1][1], m1 = 2 * k.key[1][0];
    if (how == SINEW_INTERPOLATION_STEP) return u < 1 ? p0 : p1;
    if (how == SINEW_INTERPOLATION_LINEAR) return p0 + (p1 - p0) * u;
    double c3 = 2 * p0 + m0 - 2 * p1 + m1, c2 = -3 * p0 - 2 * m0 + 3 * p1 - m1;
    return ((c3 * u + c2) * u + m0) * u + p0;
}

// The keys of up to four components as a channel has them.
static void write_keys(float *out, sinew_interpolation how, const two_keys *components, int width) {
    for (int k = 0; k < 2; k++) {
        for (int part = 0; part < 3; part++) {
            if (how != SINEW_INTERPOLATION_CUBICSPLINE && part != 1) continue;
            for (int i = 0; i < width; i++) *out++ = (float)components[i].key[k][part];
        }
    }
}

// The same quaternions about z, and their tangents, all turned by `reference` first.
static void write_rotations(float *out, sinew_interpolation how, sinew_quat reference, two_keys z, two_keys w) {
    for (int k = 0; k < 2; k++) {
        for (int part = 0; part < 3; part++) {
            if (how != SINEW_INTERPOLATION_CUBICSPLINE && part != 1) continue;
            sinew_quat q = product(reference, (sinew_quat){0, 0, (float)z.key[k][part], (float)w.key[k][part]});
            memcpy(out, &q, sizeof q);
            out += 4;
        }
    }
}

static const double angle0 = 0.4, angle1 = 1.6; // of the rotation's two keys

static sinew_quat rotation_between(two_keys z, two_keys w, sinew_interpolation how, double u) {
    if (how != SINEW_INTERPOLATION_CUBICSPLINE)
        return about_z(how == SINEW_INTERPOLATION_STEP ? u < 1 ? angle0 : angle1 : angle0 + (angle1 - angle0) * u);
    double qz = between(z, how, u), qw = between(w, how, u), length = sqrt(qz * qz + qw * qw);
    return (sinew_quat){0, 0, (float)(qz / length), (float)(qw / length)};
}

static void check_interpolation(const sinew_skeleton *s, sinew_interpolation how) {
    const two_keys z = {{{0.5, sin(angle0 / 2), -0.3}, {0.2, sin(angle1 / 2), 0.1}}},
                   w = {{{0.4, cos(angle0 / 2), 0.2}, {-0.7, cos(angle1 / 2), 0.9}}};
    const two_keys xyz[3] = {keys_x, keys_y, keys_z};
    const sinew_transform from = {{0.5f, -1, 10}, about_x(0.7), {4, -0.5f, 2}};
    sinew_pose *reference = new_pose(s), *pose = new_pose(s);
    sinew_pose_set(reference, A, from);
    reference->weights[0] = 0.125f, reference->weights[1] = -1;

    const float times[2] = {1, 3};
    float vectors[18], rotations[24], weights[12];
    write_keys(vectors, how, xyz, 3);
    write_keys(weights, how, xyz, 2);
    write_rotations(rotations, how, from.rotation, z, w);
    const sinew_channel_def channels[4] = {{A, SINEW_TARGET_TRANSLATION, how, 2, times, vectors},
                                           {A, SINEW_TARGET_ROTATION, how, 2, times, rotations},
                                           {A, SINEW_TARGET_SCALE, how, 2, times, vectors},
                                           {A, SINEW_TARGET_WEIGHTS, how, 2, times, weights}};
    sinew_clip *clip = make_clip(s, "", channels, 4), *additive = additive_of(clip, reference);
    assert_int_equal(additive->channel_count, 4); // the other nodes are at rest in both
    for (int i = 0; i <= 16; i++) {
        double u = i / 16.0, x = between(keys_x, how, u), y = between(keys_y, how, u), zz = between(keys_z, how, u);
        sinew_clip_sample(additive, (float)(1 + 2 * u), pose);
        sinew_transform t = sinew_pose_get(pose, A);
        check_vec3(t.translation, x - 0.5, y + 1, zz - 10, 2e-6);
        check_quat(t.rotation, rotation_between(z, w, how, u));
        check_vec3(t.scale, x / 4, y / -0.5, zz / 2, 2e-6);
        check_near(pose->weights[0], x - 0.125, 1e-6);
        check_near(pose->weights[1], y + 1, 1e-6);
        check_no_difference(sinew_pose_get(pose, B));
        assert_true(pose->weights[2] == 0);
    }
    check_round_trip(clip, reference, "a pose by hand");
    sinew_clip_destroy(clip);
    sinew_clip_destroy(additive);
    sinew_pose_destroy(reference);
    sinew_pose_destroy(pose);
}

static void test_differences_are_those_of_the_keys(void **state) {
    (void)state;
    sinew_skeleton *s = make_three();
    check_interpolation(s, SINEW_INTERPOLATION_STEP);
    check_interpolation(s, SINEW_INTERPOLATION_LINEAR);
    check_interpolation(s, SINEW_INTERPOLATION_CUBICSPLINE);
    sinew_skeleton_destroy(s);
}

static void test_constant_channels_have_constant_differences(void **state) {
    (void)state;
    sinew_skeleton *s = make_three();
    const float times[2] = {0, 1}, place[3] = {1, 2, 5}, scales[6] = {3, 1, 1, 3, 1, 1}, smile[2] = {1, 0.5f};
    const sinew_channel_def channels[3] = {
        {A, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 1, times, place},
        {A, SINEW_TARGET_SCALE, SINEW_INTERPOLATION_LINEAR, 2, times, scales},
        {A, SINEW_TARGET_WEIGHTS, SINEW_INTERPOLATION_STEP, 1, times, smile}};
    sinew_clip *clip = make_clip(s, "", channels, 3), *additive = additive_of(clip, NULL);
    assert_int_equal(additive->timeline_count, 0);
    sinew_pose *pose = new_pose(s);
    sinew_clip_sample(additive, 0.5f, pose);
    check_vec3(sinew_pose_get(pose, A).translation, 0, 0, 2, 0);
    check_vec3(sinew_pose_get(pose, A).scale, 1.5, 2, 1, 0);
    assert_true(pose->weights[0] == 0.75f && pose->weights[1] == 0);
    sinew_pose_destroy(pose);
    sinew_clip_destroy(clip);
    sinew_clip_destroy(additive);
    sinew_skeleton_destroy(s);
}

static void test_nodes_without_channels_keep_their_difference(void **state) {
    (void)state; // the clip shows B and C at rest; the reference does not
    sinew_skeleton *s = make_three();
    sinew_clip *clip = make_slide(s, "", A, 1, 2);
    sinew_pose *reference = new_pose(s), *pose = new_pose(s);
    sinew_pose_set(reference, B, (sinew_transform){{0, 3, 1}, about_y(1.0), {1, 2, 4}});
    reference->weights[2] = 1;
    sinew_clip *additive = additive_of(clip, reference);
    assert_int_equal(additive->channel_count, 1 + 4);
    for (int i = -1; i < 3; i++) {
        sinew_clip_sample(additive, (float)i, pose);
        sinew_transform t = sinew_pose_get(pose, B);
        check_vec3(t.translation, 0, -2, -1, 0);
        check_quat(t.rotation, about_y(-0.6));
        check_vec3(t.scale, 1, 0.5, 1, 0);
        check_no_difference(sinew_pose_get(pose, C));
        assert_true(pose->weights[2] == -0.25f);
    }
    check_round_trip(clip, reference, "a pose by hand");
    sinew_clip_destroy(additive);

    additive = additive_of(clip, NULL); // against the rest pose there is nothing to be kept
    assert_int_equal(additive->channel_count, 1);
    sinew_clip_sample(additive, 0.5f, pose);
    check_no_difference(sinew_pose_get(pose, B));
    sinew_clip_destroy(additive);
    sinew_clip_destroy(clip);
    sinew_pose_destroy(reference);
    sinew_pose_destroy(pose);
    sinew_skeleton_destroy(s);
}

static void test_half_turns_go_the_same_way_round(void **state) {
    (void)state; // keys 180 degrees apart have two shortest ways, and rounding must not change the choice
    sinew_skeleton *s = make_chain(64);
    uint64_t random = 11;
    static float values[64][3][4];
    const float times[3] = {0, 1, 2};
    sinew_channel_def channels[64];
    sinew_pose *reference = new_pose(s);
    for (int32_t i = 0; i < 64; i++) {
        sinew_quat q = random_quat(&random);
        for (int k = 0; k < 3; k++) {
            memcpy(values[i][k], &q, sizeof q);
            q = sinew_quat_multiply(q, k == 0 ? (sinew_quat){1, 0, 0, 0} : (sinew_quat){0, 0, 1, 0});
        }
        channels[i] =
            (sinew_channel_def){i, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 3, times, values[i][0]};
        sinew_pose_set(reference, i, (sinew_transform){{0, 0, 0}, random_quat(&random), {1, 1, 1}});
    }
    sinew_clip *clip = make_clip(s, "half turns", channels, 64);
    check_round_trip(clip, reference, "anything");
    sinew_clip_destroy(clip);
    sinew_pose_destroy(reference);
    sinew_skeleton_destroy(s);
}

static void test_clips_drawn_at_random_come_back(void **state) {
    (void)state;
    uint64_t random = 3;
    for (int i = 0; i < 60; i++) {
        sinew_skeleton *s = draw_skeleton(&random, draw_count(&random, 1, 50), false);
        random_clip_options options = {.timelines = draw_count(&random, 0, 3),
                                       .percent = draw_count(&random, 10, 100)};
        sinew_clip *clip = draw_clip(&random, s, options);
        sinew_pose *reference = new_pose(s);
        for (int32_t n = 0; n < s->node_count; n++) {
            sinew_transform t = {{random_float(&random, -2, 2), 1, 0}, random_quat(&random), {0.5f, 1, -2}};
            sinew_pose_set(reference, n, t);
        }
        for (int32_t w = 0; w < s->weight_count; w++) reference->weights[w] = random_float(&random, -1, 1);
        for (int r = 0; r < 2; r++) {
            gap g = round_trip(clip, r == 0 ? NULL : reference);
            check_near(g.translation, 0, 1e-6);
            check_near(g.rotation, 0, 1e-5); // splines at random pass close by length 0, where each rounding shows
            check_near(g.scale, 0, 1e-6);
            check_near(g.weights, 0, 1e-6);
        }
        sinew_pose_destroy(reference);
        sinew_clip_destroy(clip);
        sinew_skeleton_destroy(s);
    }
}

// ---- What is kept --------------------------------------------------------------------------------------------

static void test_all_else_is_kept(void **state) {
    (void)state;
    sinew_skeleton *s = make_three();
    const float times[2] = {0, 2}, late = 5, place[6] = {0, 0, 0, 1, 1, 1}, scale[3] = {2, 2, 2};
    const sinew_channel_def channels[2] = {
        {A, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times, place},
        {B, SINEW_TARGET_SCALE, SINEW_INTERPOLATION_LINEAR, 1, &late, scale}};
    const sinew_marker markers[2] = {{"second", 4.5f}, {"first", 1}};
    sinew_clip_def def = sinew_clip_default();
    assert_false(def.additive);
    def.name = "Nod", def.skeleton = s, def.channels = channels, def.channel_count = 2;
    def.markers = markers, def.marker_count = 2;
    sinew_clip *clip;
    assert_int_equal(sinew_clip_create(&def, &clip, NULL), SINEW_OK);
    assert_false(clip->additive);
    sinew_clip *additive = additive_of(clip, NULL);
    sinew_clip_destroy(clip); // it's no longer needed
    assert_string_equal(additive->name, "Nod");
    assert_ptr_equal(additive->skeleton, s);
    assert_true(additive->duration == 5); // though no key is left there
    assert_int_equal(additive->timeline_count, 1);
    assert_int_equal(additive->marker_count, 2);
    assert_string_equal(additive->markers[0].name, "first");
    assert_string_equal(additive->markers[1].name, "second");
    assert_true(additive->markers[0].time == 1 && additive->markers[1].time == 4.5f);
    assert_int_equal(additive->key_format, SINEW_KEYS_FLOAT);
    assert_true(additive->max_error == 0);
    sinew_clip_destroy(additive);
    sinew_skeleton_destroy(s);
}

// A chain of 12 nodes, 11 m long and bent at rest.
static sinew_skeleton *make_bent_chain(void) {
    sinew_node_def nodes[12];
    for (int32_t i = 0; i < 12; i++) {
        nodes[i] = (sinew_node_def){.parent = i - 1, .rest = {{0, 1, 0}, about_x(0.3 + 0.1 * i), {1, 1, 1}}};
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = 12;
    def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

// Rotations of its nodes that share their times: 16 bits cost them something.
static sinew_clip *make_whip(const sinew_skeleton *s) {
    enum { KEYS = 9 };
    static float times[KEYS], values[12][KEYS][4];
    sinew_channel_def channels[12];
    uint64_t random = 21;
    for (int k = 0; k < KEYS; k++) times[k] = (float)k;
    for (int32_t i = 0; i < 12; i++) {
        for (int k = 0; k < KEYS; k++) {
            sinew_quat q = random_quat(&random);
            memcpy(values[i][k], &q, sizeof q);
        }
        channels[i] =
            (sinew_channel_def){i, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, KEYS, times, values[i][0]};
    }
    sinew_clip_def def = sinew_clip_default();
    def.skeleton = s, def.channels = channels, def.channel_count = 12;
    def.key_format = SINEW_KEYS_U16;
    sinew_clip *clip;
    sinew_error error = {0};
    if (sinew_clip_create(&def, &clip, &error) != SINEW_OK) fail_msg("%s", error.message);
    return clip;
}

// How far any node is, at most, from where the clip has it when the difference is put on the rest pose.
static double loss_of(const sinew_clip *clip, const sinew_clip *additive) {
    sinew_pose *rest = new_pose(clip->skeleton), *pose = new_pose(clip->skeleton);
    sinew_affine is[12], back[12];
    double most = 0;
    for (int i = 0; i <= 16; i++) {
        sinew_clip_sample(clip, 0.5f * (float)i, pose);
        sinew_pose_to_model(pose, is);
        sinew_clip_sample(additive, 0.5f * (float)i, pose);
        sinew_pose_add(pose, rest, pose, 1, NULL);
        sinew_pose_to_model(pose, back);
        for (int n = 0; n < 12; n++) {
            double x = (double)is[n].m[0][3] - back[n].m[0][3], y = (double)is[n].m[1][3] - back[n].m[1][3],
                   z = (double)is[n].m[2][3] - back[n].m[2][3];
            widen(&most, sqrt(x * x + y * y + z * z));
        }
    }
    sinew_pose_destroy(rest);
    sinew_pose_destroy(pose);
    return most;
}

static void test_rows_of_16_bits_are_measured_again(void **state) {
    (void)state;
    sinew_skeleton *s = make_bent_chain();
    sinew_clip *clip = make_whip(s), *additive = additive_of(clip, NULL);
    assert_int_equal(additive->key_format, SINEW_KEYS_U16);
    // The differences lie in rows of their own, on top of what the clip's have lost.
    double lost = additive->max_error - (double)clip->max_error, found = loss_of(clip, additive);
    assert_true(found > 1e-5);
    assert_true(found <= lost + 1e-6);
    assert_true(found >= 0.5 * lost);
    sinew_clip_destroy(clip);
    sinew_clip_destroy(additive);
    sinew_skeleton_destroy(s);
}

// ---- Clips that are given as differences ---------------------------------------------------------------------

static void test_a_clip_may_be_made_of_differences(void **state) {
    (void)state;
    sinew_skeleton *s = make_three();
    const float times[2] = {0, 1}, place[6] = {0, 0, 0, 1, 2, 3};
    const sinew_channel_def channel = {B, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times, place};
    sinew_clip_def def = sinew_clip_default();
    def.skeleton = s, def.channels = &channel, def.channel_count = 1, def.additive = true;
    sinew_clip *clip;
    assert_int_equal(sinew_clip_create(&def, &clip, NULL), SINEW_OK);
    assert_true(clip->additive);
    sinew_pose *pose = new_pose(s);
    sinew_clip_sample(clip, 0.5f, pose);
    check_no_difference(sinew_pose_get(pose, A));
    check_no_difference(sinew_pose_get(pose, C));
    sinew_transform moved = sinew_pose_get(pose, B);
    check_vec3(moved.translation, 0.5, 1, 1.5, 0);
    moved.translation = (sinew_vec3){0, 0, 0};
    check_no_difference(moved);
    assert_true(pose->weights[0] == 0 && pose->weights[1] == 0 && pose->weights[2] == 0);
    sinew_pose_destroy(pose);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(s);
}

static void test_a_bound_clip_stays_additive(void **state) {
    (void)state;
    sinew_skeleton *from = make_three();
    const sinew_node_def nodes[2] = {{.name = "Z", .parent = -1, .rest = {{7, 7, 7}, about_x(1), {7, 7, 7}}},
                                     {.name = "A", .parent = 0, .rest = {{5, 5, 5}, about_y(1), {5, 5, 5}}}};
    sinew_skeleton_def to_def = sinew_skeleton_default();
    to_def.node_count = 2;
    to_def.nodes = nodes;
    sinew_skeleton *to;
    assert_int_equal(sinew_skeleton_create(&to_def, &to, NULL), SINEW_OK);
    sinew_clip *clip = make_slide(from, "", A, 1, 2), *additive = additive_of(clip, NULL), *bound;
    assert_int_equal(sinew_clip_bind(additive, to, NULL, &bound, NULL, NULL), SINEW_OK);
    assert_true(bound->additive);
    sinew_pose *pose = new_pose(to);
    sinew_clip_sample(bound, 0.5f, pose);
    check_no_difference(sinew_pose_get(pose, 0));
    check_vec3(sinew_pose_get(pose, 1).translation, 0, -2, -3,
               0); // the slide is at (1, 0, 0), A's rest at (1, 2, 3)
    check_vec3(sinew_pose_get(pose, 1).scale, 1, 1, 1, 0);
    sinew_pose_destroy(pose);
    sinew_clip_destroy(bound);
    sinew_clip_destroy(additive);
    assert_int_equal(sinew_clip_bind(clip, to, NULL, &bound, NULL, NULL), SINEW_OK);
    assert_false(bound->additive);
    sinew_clip_destroy(bound);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(from);
    sinew_skeleton_destroy(to);
}

// ---- Refusals ------------------------------------------------------------------------------------------------

static void check_refused(const sinew_clip *clip, const sinew_pose *reference, const char *words) {
    counting c = {0};
    sinew_allocator allocator = counting_allocator(&c);
    sinew_clip *additive = (sinew_clip *)&c;
    sinew_error error = {0};
    assert_int_equal(sinew_clip_make_additive(clip, reference, &allocator, &additive, &error),
                     SINEW_ERROR_ARGUMENT);
    assert_int_equal(error.result, SINEW_ERROR_ARGUMENT);
    assert_null(additive);
    assert_int_equal(c.live, 0);
    if (!strstr(error.message, words)) fail_msg("'%s' does not say '%s'", error.message, words);
}

static void test_what_has_no_difference_is_refused(void **state) {
    (void)state;
    sinew_skeleton *s = make_three(), *other = make_chain(3);
    const float time = 0, big[3] = {0, 3e38f, 0}, flat[3] = {1, 0, 1};
    sinew_channel_def channel = {B, SINEW_TARGET_SCALE, SINEW_INTERPOLATION_STEP, 1, &time, flat};
    sinew_clip *clip = make_clip(s, "Nod", &channel, 1);
    sinew_pose *reference = new_pose(s), *strange = new_pose(other);
    reference->sy[B] = 0; // the clip is as flat, but stays so only by chance
    check_refused(clip, reference, "clip 'Nod': node 1 'B': scale[1] is 0 in the reference");
    sinew_pose_reset(reference);
    reference->sz[C] = 0; // no channel, but the rest pose to be brought back
    check_refused(clip, reference, "clip 'Nod': node 2 'C': scale[2] is 0 in the reference");
    sinew_pose_reset(reference);
    reference->weights[2] = NAN;
    check_refused(clip, reference, "clip 'Nod': node 2 'C': weights[0] is nan in the reference");
    sinew_pose_reset(reference);
    reference->rx[A] = reference->rw[A] = 0;
    check_refused(clip, reference, "clip 'Nod': node 0 'A': rotation[0] is 0 in the reference");
    check_refused(clip, strange, "clip 'Nod': the reference belongs to a different skeleton");

    sinew_clip *additive = additive_of(clip, NULL);
    check_refused(additive, NULL, "clip 'Nod' is already additive");
    sinew_clip_destroy(additive);
    sinew_clip_destroy(clip);

    channel.target = SINEW_TARGET_TRANSLATION, channel.values = big;
    clip = make_clip(s, "Far", &channel, 1);
    sinew_pose_reset(reference);
    reference->ty[B] = -3e38f;
    check_refused(clip, reference, "clip 'Far': node 1 'B': translation[1] is -3e+38 in the reference");
    sinew_clip_destroy(clip);
    sinew_pose_destroy(reference);
    sinew_pose_destroy(strange);
    sinew_skeleton_destroy(s);
    sinew_skeleton_destroy(other);
}

static void check_memory(const sinew_clip *clip, const sinew_pose *reference, bool fail_once) {
    counting c = {.fail_once = fail_once};
    sinew_allocator allocator = counting_allocator(&c);
    for (c.fail_at = 1;; c.fail_at++) {
        c.allocations = 0;
        sinew_clip *additive;
        sinew_error error = {0};
        sinew_result result = sinew_clip_make_additive(clip, reference, &allocator, &additive, &error);
        if (result == SINEW_OK) {
            assert_int_equal(c.live, 1);
            assert_int_equal(c.bytes, additive->memory);
            sinew_clip_destroy(additive);
            assert_int_equal(c.live, 0);
            break;
        }
        assert_int_equal(result, SINEW_ERROR_OUT_OF_MEMORY);
        assert_int_equal(error.result, SINEW_ERROR_OUT_OF_MEMORY);
        assert_null(additive);
        assert_int_equal(c.live, 0);
    }
    assert_true(c.fail_at > 3);
}

static void test_running_out_of_memory_leaves_nothing(void **state) {
    (void)state;
    sinew_skeleton *s = make_bent_chain();
    sinew_clip *slide = make_slide(s, "", 3, 1, 2), *whip = make_whip(s);
    sinew_pose *reference = new_pose(s);
    reference->tx[5] = 1;
    for (int once = 0; once < 2; once++) {
        check_memory(slide, reference, once);
        check_memory(whip, reference, once);
        check_memory(whip, NULL, once);
    }
    sinew_pose_destroy(reference);
    sinew_clip_destroy(slide);
    sinew_clip_destroy(whip);
    sinew_skeleton_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_differences_are_those_of_the_keys),
        cmocka_unit_test(test_constant_channels_have_constant_differences),
        cmocka_unit_test(test_nodes_without_channels_keep_their_difference),
        cmocka_unit_test(test_half_turns_go_the_same_way_round),
        cmocka_unit_test(test_clips_drawn_at_random_come_back),
        cmocka_unit_test(test_the_hero_comes_back),
        cmocka_unit_test(test_other_peoples_clips_come_back),
        cmocka_unit_test(test_all_else_is_kept),
        cmocka_unit_test(test_rows_of_16_bits_are_measured_again),
        cmocka_unit_test(test_a_clip_may_be_made_of_differences),
        cmocka_unit_test(test_a_bound_clip_stays_additive),
        cmocka_unit_test(test_what_has_no_difference_is_refused),
        cmocka_unit_test(test_running_out_of_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
