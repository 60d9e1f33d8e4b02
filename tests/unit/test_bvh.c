// SPDX-License-Identifier: MIT
// The BVH importer. The tests make their own files. They compute expected poses with matrices of doubles, from the
// numbers they printed into the file.
#include "support/bvh_sample.h"
#include "support/check.h"

#include <stdio.h>

// ---- Files ---------------------------------------------------------------------------------------------------

static sinew_asset *load_with(const char *text, const sinew_bvh_options *options) {
    sinew_asset *asset;
    sinew_error error = {0};
    if (sinew_bvh_load_memory(text, strlen(text), options, &asset, &error) != SINEW_OK) {
        fail_msg("%s", error.message);
    }
    return asset;
}

static sinew_asset *load(const char *text) {
    sinew_bvh_options options = sinew_bvh_default();
    options.scale = 0.01f;
    return load_with(text, &options);
}

static void check_refused_as(const char *text, size_t size, sinew_result result, const char *words) {
    sinew_asset *asset;
    sinew_error error = {0};
    const sinew_result found = sinew_bvh_load_memory(text, size, NULL, &asset, &error);
    if (found != result) fail_msg("result %d, not %d: '%s' of '%s'", (int)found, (int)result, error.message, text);
    assert_null(asset);
    if (!strstr(error.message, words)) fail_msg("'%s' does not say '%s'", error.message, words);
}

static void check_refused(const char *text, const char *words) {
    check_refused_as(text, strlen(text), SINEW_ERROR_FORMAT, words);
}

// The small file with `from` replaced by `to`.
static const char *changed(const char *from, const char *to) {
    static char text[4096];
    const char *found = strstr(bvh_sample, from);
    assert_non_null(found);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(found - bvh_sample), bvh_sample, to, found + strlen(from));
    return text;
}

// ---- What a file means ---------------------------------------------------------------------------------------

static void test_a_bvh_sample(void **state) {
    (void)state;
    sinew_asset *asset = load(bvh_sample);
    const sinew_skeleton *s = asset->skeleton;
    assert_int_equal(s->node_count, 3);
    assert_string_equal(s->names[0], "Hips");
    assert_string_equal(s->names[1], "Spine");
    assert_string_equal(s->names[2], "Spine_end");
    assert_int_equal(s->parents[2], 1);
    check_vec3(s->rest[0].translation, 0, 0.9, 0, 1e-7);
    check_vec3(s->rest[2].translation, 0, 0.3, 0.05, 1e-7);
    check_near(angle_between(s->rest[1].rotation, about_x(0)), 0, 0);
    assert_int_equal(asset->clip_count, 1);
    assert_int_equal(asset->mesh_count, 0);
    assert_non_null(asset->bounds);
    const sinew_clip *clip = &asset->clips[0];
    assert_string_equal(clip->name, "motion");
    assert_true(clip->duration == 1.0f);
    assert_int_equal(clip->channel_count, 3);
    // Frame 1: the spine is turned 90 degrees about Y inside of 90 degrees about Z. The tip is at (0, 0.3, 0.05) of it.
    sinew_pose *pose;
    sinew_affine model[3];
    assert_int_equal(sinew_pose_create(s, NULL, &pose), SINEW_OK);
    sinew_clip_sample(clip, 0.5f, pose);
    sinew_pose_to_model(pose, model);
    check_vec3(sinew_affine_point(model[1], (sinew_vec3){0, 0, 0}), 0.02 - 0.2, 0.92, 0.03, 1e-6);
    check_vec3(sinew_affine_point(model[2], (sinew_vec3){0, 0, 0}), 0.02 - 0.5, 0.92 + 0.05, 0.03, 1e-6);
    sinew_pose_destroy(pose);
    sinew_asset_destroy(asset);
}

static void test_keys_are_at_the_frames(void **state) {
    (void)state;
    sinew_asset *asset = load(bvh_sample);
    float times[3], moves[9], turns[12];
    assert_int_equal(sinew_clip_channel_keys(&asset->clips[0], 0, times, moves), 3);
    assert_int_equal(sinew_clip_channel_keys(&asset->clips[0], 1, NULL, turns), 3);
    assert_int_equal(asset->clips[0].channels[1].interpolation, SINEW_INTERPOLATION_LINEAR);
    const float expected[9] = {0.01f, 0.91f, 0.02f, 0.02f, 0.92f, 0.03f, 0.03f, 0.93f, 0.04f};
    for (int i = 0; i < 9; i++) check_near(moves[i], expected[i], 1e-7);
    for (int i = 0; i < 3; i++) check_near(times[i], 0.5 * i, 0);
    check_near(turns[6], sqrt(0.5), 1e-7); // frame 1: 90 degrees about Z
    check_near(turns[8], sqrt(0.5), 1e-7); // frame 2: 90 degrees about X
    sinew_asset_destroy(asset);
}

// ---- Random files --------------------------------------------------------------------------------------------

enum { JOINTS = 14, FRAMES = 9 };

typedef struct drawn_joint {
    int parent, channel_count;
    int channels[6]; // 0 to 2: positions, 3 to 5: rotations
    double offset[3];
    double values[FRAMES][6];
} drawn_joint;

typedef struct drawn_file {
    drawn_joint joints[JOINTS];
    char text[64 * 1024];
    size_t length;
} drawn_file;

static void print(drawn_file *f, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    f->length += (size_t)vsnprintf(f->text + f->length, sizeof f->text - f->length, format, arguments);
    va_end(arguments);
    assert_true(f->length < sizeof f->text);
}

// Prints a number, and keeps the one that was printed.
static void print_number(drawn_file *f, double *number) {
    char text[32];
    snprintf(text, sizeof text, "%.5f", *number);
    *number = strtod(text, NULL);
    print(f, " %s", text);
}

// Draws channels in any order and number; a root has all positions, as its offset says nothing.
static void draw_channels(uint64_t *random, drawn_joint *joint) {
    int all[6] = {0, 1, 2, 3, 4, 5};
    for (int i = 5; i > 0; i--) {
        const int k = (int)(random_next(random) % (uint32_t)(i + 1)), swap = all[i];
        all[i] = all[k], all[k] = swap;
    }
    joint->channel_count = (int)(random_next(random) % 7);
    memcpy(joint->channels, all, sizeof all);
}

static void print_joint(drawn_file *f, int index) {
    static const char *const names[6] = {"Xposition", "Yposition", "Zposition",
                                         "Xrotation", "Yrotation", "Zrotation"};
    drawn_joint *joint = &f->joints[index];
    print(f, "%s j%d\n{\n OFFSET", joint->parent < 0 ? "ROOT" : "JOINT", index);
    for (int i = 0; i < 3; i++) print_number(f, &joint->offset[i]);
    if (joint->channel_count > 0) print(f, "\n CHANNELS %d", joint->channel_count);
    for (int i = 0; i < joint->channel_count; i++) print(f, " %s", names[joint->channels[i]]);
    print(f, "\n");
    bool is_leaf = true;
    for (int i = index + 1; i < JOINTS; i++) {
        if (f->joints[i].parent != index) continue;
        print_joint(f, i);
        is_leaf = false;
    }
    if (is_leaf) print(f, " End Site\n {\n  OFFSET 0 1 0\n }\n");
    print(f, "}\n");
}

static void print_frame(drawn_file *f, int index, int frame) {
    drawn_joint *joint = &f->joints[index];
    for (int i = 0; i < joint->channel_count; i++) print_number(f, &joint->values[frame][i]);
    for (int i = index + 1; i < JOINTS; i++) {
        if (f->joints[i].parent == index) print_frame(f, i, frame);
    }
}

// Two roots; joint i's parent is before it.
static void draw_file(drawn_file *f, uint64_t seed) {
    uint64_t random = seed;
    memset(f, 0, sizeof *f);
    for (int i = 0; i < JOINTS; i++) {
        drawn_joint *joint = &f->joints[i];
        joint->parent = i == 0 || i == 5 ? -1
                        : i > 5          ? 5 + (int)(random_next(&random) % (uint32_t)(i - 5))
                                         : (int)(random_next(&random) % (uint32_t)i);
        draw_channels(&random, joint);
        for (int a = 0; a < 3; a++) joint->offset[a] = (double)random_float(&random, -20, 20);
        for (int k = 0; k < FRAMES * 6; k++) {
            joint->values[k / 6][k % 6] = (double)random_float(&random, -400, 400);
        }
    }
    print(f, "HIERARCHY\n");
    for (int i = 0; i < JOINTS; i++) {
        if (f->joints[i].parent < 0) print_joint(f, i);
    }
    print(f, "MOTION\nFrames: %d\nFrame Time: 0.0333333\n", FRAMES);
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int i = 0; i < JOINTS; i++) {
            if (f->joints[i].parent < 0) print_frame(f, i, frame);
        }
        print(f, "\n");
    }
}

// The rotation about an axis as the matrix of the textbook, by the functions of the C library.
static void rotation_matrix(int axis, double degrees, double m[9]) {
    const double a = degrees * PI / 180, c = cos(a), s = sin(a);
    const double x[9] = {1, 0, 0, 0, c, -s, 0, s, c}, y[9] = {c, 0, s, 0, 1, 0, -s, 0, c},
                 z[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
    memcpy(m, axis == 0 ? x : axis == 1 ? y : z, sizeof x);
}

static void multiply(const double a[9], const double b[9], double out[9]) {
    double m[9];
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            m[3 * r + c] = a[(ptrdiff_t)3 * r] * b[c] + a[3 * r + 1] * b[3 + c] + a[3 * r + 2] * b[6 + c];
    }
    memcpy(out, m, sizeof m);
}

// The world matrix of a joint: rotation, and position in units of the file.
static void evaluate(const drawn_file *f, int index, int frame, double r[9], double p[3]) {
    const drawn_joint *joint = &f->joints[index];
    double parent_r[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, parent_p[3] = {0}, step[9], local[3];
    if (joint->parent >= 0) evaluate(f, joint->parent, frame, parent_r, parent_p);
    memcpy(local, joint->offset, sizeof local);
    memcpy(r, parent_r, sizeof parent_r);
    for (int i = 0; i < joint->channel_count; i++) {
        if (joint->channels[i] < 3) {
            local[joint->channels[i]] = joint->values[frame][i];
        } else {
            rotation_matrix(joint->channels[i] - 3, joint->values[frame][i], step);
            multiply(r, step, r);
        }
    }
    for (int i = 0; i < 3; i++) {
        p[i] = parent_p[i] + parent_r[(ptrdiff_t)3 * i] * local[0] + parent_r[3 * i + 1] * local[1] +
               parent_r[3 * i + 2] * local[2];
    }
}

// (x, y, z) of the file in the asset, in metres.
static void turn_vector(const sinew_bvh_options *options, const double v[3], double out[3]) {
    const bool same = options->file_up == options->up, to_z = options->up == SINEW_UP_Z;
    out[0] = v[0];
    out[1] = same ? v[1] : to_z ? -v[2] : v[2];
    out[2] = same ? v[2] : to_z ? v[1] : -v[1];
    for (int i = 0; i < 3; i++) out[i] *= (double)options->scale;
}

// The Y axis of the file's joint, in the asset.
static void check_axis(const sinew_affine *model, const double r[9], const sinew_bvh_options *options) {
    const double y[3] = {0, 1, 0}, turned_y[3] = {r[1], r[4], r[7]};
    sinew_bvh_options directions = *options;
    directions.scale = 1.0f;
    double axis[3], expected[3];
    turn_vector(&directions, y, axis);
    turn_vector(&directions, turned_y, expected);
    for (int row = 0; row < 3; row++) {
        const double found = (double)model->m[row][0] * axis[0] + (double)model->m[row][1] * axis[1] +
                             (double)model->m[row][2] * axis[2];
        check_near(found, expected[row], 3e-6);
    }
}

static void check_drawn(const drawn_file *f, const sinew_bvh_options *options) {
    sinew_asset *asset = load_with(f->text, options);
    assert_int_equal(asset->up, options->up);
    sinew_pose *pose;
    sinew_affine model[2 * JOINTS];
    assert_true(asset->skeleton->node_count <= 2 * JOINTS);
    assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &pose), SINEW_OK);
    for (int frame = 0; frame < FRAMES && asset->clip_count > 0; frame++) {
        sinew_clip_sample(&asset->clips[0], (float)(frame * 0.0333333), pose);
        sinew_pose_to_model(pose, model);
        for (int i = 0; i < JOINTS; i++) {
            char name[8];
            double r[9], p[3], expected[3];
            snprintf(name, sizeof name, "j%d", i);
            const int32_t node = sinew_skeleton_find(asset->skeleton, name);
            evaluate(f, i, frame, r, p);
            turn_vector(options, p, expected);
            check_vec3(sinew_affine_point(model[node], (sinew_vec3){0, 0, 0}), expected[0], expected[1],
                       expected[2], 2e-5 * (double)options->scale * 1500);
            check_axis(&model[node], r, options);
        }
    }
    sinew_pose_destroy(pose);
    sinew_asset_destroy(asset);
}

static void test_channels_in_any_order_and_number(void **state) {
    (void)state;
    static drawn_file f;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        sinew_bvh_options options = sinew_bvh_default();
        options.scale = seed % 2 ? 0.01f : 1.0f;
        options.file_up = seed % 4 / 2 ? SINEW_UP_Z : SINEW_UP_Y;
        options.up = seed % 8 / 4 ? SINEW_UP_Z : SINEW_UP_Y;
        draw_file(&f, seed);
        check_drawn(&f, &options);
    }
}

// ---- Options -------------------------------------------------------------------------------------------------

static char last_line[512];
static int line_count;

static void keep_line(const char *message, void *user) {
    (void)user;
    snprintf(last_line, sizeof last_line, "%s", message);
    line_count++;
}

// The file's rest pose is 50 units high above its root.
// A root at 0 0 0, a leg of 90 down to the sole, and six frames: four on ground at 20, the last two in the air.
static const char sunk[] =
    "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation "
    "Xrotation Yrotation\nJOINT Leg\n{\nOFFSET 9 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    "End Site\n{\nOFFSET 0 -90 0\n}\n}\n}\nMOTION\nFrames: 6\nFrame Time: 0.1\n"
    "1 110 2 0 0 0 0 0 0\n3 110 4 0 0 90 0 0 0\n3 110 4 0 0 0 0 0 0\n3 110 4 0 0 0 0 0 0\n"
    "3 150 4 0 0 0 0 0 0\n3 180 4 0 0 0 0 90 0\n";

// Its rest pose stands on the ground of its motion, and the motion stays what it is.
static void test_a_root_without_offset_stands_on_the_ground(void **state) {
    (void)state;
    for (int up = 0; up < 2; up++) {
        sinew_bvh_options options = sinew_bvh_default();
        options.scale = 0.01f;
        options.up = up == 0 ? SINEW_UP_Y : SINEW_UP_Z;
        sinew_asset *asset = load_with(sunk, &options);
        const sinew_vec3 rest = asset->skeleton->rest[0].translation;
        check_vec3(rest, 0, up == 0 ? 1.1 : 0, up == 0 ? 0 : 1.1, 1e-6);
        const sinew_vec3 first = sinew_clip_sample_node(&asset->clips[0], 0.0f, 0).translation;
        check_vec3(first, 0.01, up == 0 ? 1.1 : -0.02, up == 0 ? 0.02 : 1.1, 1e-6);
        sinew_asset_destroy(asset);
    }
    sinew_asset *asset = load(bvh_sample); // with an offset
    check_vec3(asset->skeleton->rest[0].translation, 0, 0.9, 0, 1e-7);
    sinew_asset_destroy(asset);
}

// A spine of 60 and a leg of 90 along an axis, and two frames with the hips at 90, turned about X.
static const char *upright_along(const char *spine, const char *leg, const char *frame) {
    static char text[1000];
    snprintf(
        text, sizeof text,
        "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Xrotation Yrotation "
        "Zrotation\n"
        "JOINT Spine\n{\nOFFSET %s\n}\nJOINT Leg\n{\nOFFSET %s\n}\n}\nMOTION\nFrames: 2\nFrame Time: 1\n%s\n%s\n",
        spine, leg, frame, frame);
    return text;
}

static sinew_vec3 tip_at(const sinew_asset *asset, bool in_motion) {
    sinew_pose *pose;
    sinew_affine model[3];
    assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &pose), SINEW_OK);
    if (in_motion) sinew_clip_sample(&asset->clips[0], 0.0f, pose);
    sinew_pose_to_model(pose, model);
    sinew_pose_destroy(pose);
    const int32_t spine = sinew_skeleton_find(asset->skeleton, "Spine");
    return sinew_affine_point(model[spine], (sinew_vec3){0, 0, 0});
}

static void test_the_axis_that_points_up_is_guessed(void **state) {
    (void)state;
    static const char *const spines[] = {"0 0 60", "0 60 0", "0 60 0"}, *const legs[] = {"0 0 -90", "0 -90 0",
                                                                                         "0 -90 0"};
    // Upright along +Z; upright along +Y; lying on the back, as the rest pose says.
    static const char *const frames[] = {"1 2 90 0 0 0", "1 90 2 0 0 0", "1 9 2 90 0 0"};
    static const sinew_vec3 rests[] = {{0, 1.5f, 0}, {0, 1.5f, 0}, {0, 1.5f, 0}},
                            tips[] = {{0.01f, 1.5f, -0.02f}, {0.01f, 1.5f, 0.02f}, {0.01f, 0.09f, 0.62f}};
    for (int i = 0; i < 3; i++) {
        sinew_bvh_options options = sinew_bvh_default();
        options.scale = 0.01f;
        sinew_asset *asset = load_with(upright_along(spines[i], legs[i], frames[i]), &options);
        const sinew_vec3 tip = tip_at(asset, true), rest = tip_at(asset, false);
        check_vec3(tip, (double)tips[i].x, (double)tips[i].y, (double)tips[i].z, 1e-6);
        if (i < 2) check_vec3(rest, (double)rests[i].x, (double)rests[i].y, (double)rests[i].z, 1e-6);
        sinew_asset_destroy(asset);
        options.guess_up = false;
        asset = load_with(upright_along(spines[i], legs[i], frames[i]), &options);
        if (i == 0) check_vec3(tip_at(asset, true), 0.01, 0.02, 1.5, 1e-6);
        sinew_asset_destroy(asset);
    }
}

// A character has walked 9 m away along Z from a root that stays. It's still upright along +Y, and stands on its own
// nodes' ground, 20 above the root.
static void test_a_root_that_stays_is_no_part_of_the_body(void **state) {
    (void)state;
    static const char away[] =
        "HIERARCHY\nROOT Root\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Xrotation Yrotation "
        "Zrotation\nJOINT Hips\n{\nOFFSET 0 90 0\nCHANNELS 3 Xposition Yposition Zposition\n"
        "JOINT Spine\n{\nOFFSET 0 60 0\n}\nJOINT Leg\n{\nOFFSET 0 -90 0\n}\n}\n}\n%s"
        "MOTION\nFrames: 2\nFrame Time: 1\n0 0 0 0 0 0 0 110 900\n0 0 0 0 0 0 0 110 900\n";
    static const char other_root[] = "ROOT Other\n{\nOFFSET 0 50 0\n}\n";
    for (int i = 0; i < 2; i++) {
        char text[1000];
        snprintf(text, sizeof text, away, i ? other_root : "");
        sinew_bvh_options options = sinew_bvh_default();
        options.scale = 0.01f;
        sinew_asset *asset = load_with(text, &options);
        const sinew_skeleton *skeleton = asset->skeleton;
        const sinew_vec3 root = skeleton->rest[sinew_skeleton_find(skeleton, "Root")].translation;
        check_vec3(root, 0, i ? 0 : 0.2, 0, 1e-6); // with two roots the first is a part of what stands
        sinew_asset_destroy(asset);
    }
}

static void test_units_are_guessed_and_said(void **state) {
    (void)state;
    static const struct {
        const char *offset;
        double scale;
    } cases[] = {{"OFFSET 0 1.5 5", 0.056444444444444443},
                 {"OFFSET 0 40 5", 0.0254},
                 {"OFFSET 0 150 5", 0.01},
                 {"OFFSET 0 1700 5", 0.001}};
    sinew_bvh_options options = sinew_bvh_default();
    options.log = (sinew_log){keep_line, NULL};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        line_count = 0;
        sinew_asset *asset = load_with(changed("OFFSET 0 30 5", cases[i].offset), &options);
        check_near(asset->skeleton->rest[1].translation.y, 20 * cases[i].scale, 1e-6);
        assert_int_equal(line_count, 1);
        assert_non_null(strstr(last_line, "units long"));
        sinew_asset_destroy(asset);
    }
    sinew_asset *asset = load_with(
        "HIERARCHY ROOT a { OFFSET 0 900 0 End Site { OFFSET 0 1.8 0 } } MOTION Frames: 0 Frame Time: 1", &options);
    check_near(asset->skeleton->rest[1].translation.y, 1.8, 1e-6);
    assert_int_equal(asset->clip_count, 0);
    sinew_asset_destroy(asset);
    options.scale = 2.0f;
    line_count = 0;
    asset = load_with(bvh_sample, &options);
    assert_int_equal(line_count, 0);
    check_near(asset->skeleton->rest[1].translation.y, 40, 0);
    sinew_asset_destroy(asset);
    const float wrong[] = {-1.0f, NAN, INFINITY};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        options.scale = wrong[i];
        assert_int_equal(sinew_bvh_load_memory(bvh_sample, strlen(bvh_sample), &options, &asset, NULL),
                         SINEW_ERROR_ARGUMENT);
    }
}

static void test_the_clip_has_the_name_of_the_options(void **state) {
    (void)state;
    sinew_bvh_options options = sinew_bvh_default();
    options.clip_name = "Walk";
    options.key_format = SINEW_KEYS_U16;
    sinew_asset *asset = load_with(bvh_sample, &options);
    assert_string_equal(asset->clips[0].name, "Walk");
    assert_int_equal(asset->clips[0].key_format, SINEW_KEYS_U16);
    sinew_asset_destroy(asset);
}

// ---- In the wild ---------------------------------------------------------------------------------------------

static uint64_t hash_pose(const sinew_asset *asset) {
    sinew_pose *pose;
    uint64_t hash = UINT64_C(14695981039346656037);
    assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &pose), SINEW_OK);
    for (int i = 0; i <= 10; i++) {
        sinew_clip_sample(&asset->clips[0], (float)i / 10.0f, pose);
        for (int32_t n = 0; n < asset->skeleton->node_count; n++) {
            const sinew_transform t = sinew_pose_get(pose, n);
            for (size_t b = 0; b < sizeof t; b++)
                hash = (hash ^ ((const uint8_t *)&t)[b]) * UINT64_C(1099511628211);
        }
    }
    sinew_pose_destroy(pose);
    return hash;
}

static void check_same_motion(const char *text) {
    sinew_asset *expected = load(bvh_sample), *asset = load(text);
    assert_true(hash_pose(asset) == hash_pose(expected));
    sinew_asset_destroy(asset);
    sinew_asset_destroy(expected);
}

static void replace_all(char *text, char from, const char *to, char *out) {
    for (; *text; text++) {
        if (*text != from) *out++ = *text;
        for (const char *c = to; *text == from && *c; c++) *out++ = *c;
    }
    *out = '\0';
}

static void test_white_space_line_ends_and_case(void **state) {
    (void)state;
    char text[4096], copy[2048];
    snprintf(copy, sizeof copy, "%s", bvh_sample);
    const char *const ends[] = {"\r\n", "\r", "\n\n\t", " \n "};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        replace_all(copy, '\n', ends[i], text);
        check_same_motion(text);
    }
    replace_all(copy, ' ', "\t ", text);
    check_same_motion(text);
    snprintf(text, sizeof text, "\xEF\xBB\xBF%s", bvh_sample);
    check_same_motion(text);
    check_same_motion(changed("Frames: 3", "FRAMES 3"));
    check_same_motion(changed("Frames: 3", "Frames:3"));
    check_same_motion(changed("Frame Time: 0.5", "Frame Time:.5"));
    check_same_motion(changed("ROOT Hips\n{", "Root Hips {"));
    check_same_motion(changed("End Site\n", "end site\n"));
    check_same_motion(changed("1 91 2 0", "+1.0 91. 2e0 -0"));
    check_same_motion(changed("1 91 2 0", "1\n91\n2\n0"));
}

static void test_names(void **state) {
    (void)state;
    sinew_asset *asset = load(changed("JOINT Spine", "JOINT Bip01 Left: Arm "));
    assert_string_equal(asset->skeleton->names[1], "Bip01 Left: Arm");
    assert_string_equal(asset->skeleton->names[2], "Bip01 Left: Arm_end");
    sinew_asset_destroy(asset);
    asset = load(changed("JOINT Spine", "JOINT R\xFC"
                                        "cken"));
    assert_string_equal(asset->skeleton->names[1], "R\\xfccken");
    sinew_asset_destroy(asset);
    asset = load(changed("JOINT Spine", "JOINT R\xC3\xBC"
                                        "cken"));
    assert_string_equal(asset->skeleton->names[1], "R\xC3\xBC"
                                                   "cken");
    sinew_asset_destroy(asset);
    char longest[300] = "JOINT ";
    memset(longest + 6, 'n', 256);
    check_refused_as(changed("JOINT Spine", longest), strlen(changed("JOINT Spine", longest)), SINEW_ERROR_LIMIT,
                     "line 6: a name has more than 255 bytes");
}

static void test_text_after_the_last_frame_is_noted(void **state) {
    (void)state;
    char text[2048];
    snprintf(text, sizeof text, "%s\n7 8\n", bvh_sample);
    sinew_bvh_options options = sinew_bvh_default();
    options.scale = 0.01f;
    options.log = (sinew_log){keep_line, NULL};
    line_count = 0;
    sinew_asset *asset = load_with(text, &options);
    assert_int_equal(line_count, 1);
    assert_string_equal(last_line, "line 23: text after the last frame is ignored");
    sinew_asset_destroy(asset);
}

// Rotations beyond any number of turns, and of both signs, are angles like others.
static void note_line(const char *line, void *user) {
    snprintf((char *)user, 200, "%s", line);
}

// What is there counts, and is said.
static void test_fewer_frames_than_stated_and_more(void **state) {
    (void)state;
    static const char *const stated[] = {"Frames: 4", "Frames: 1e9", "Frames: 2", "Frames: 0"};
    static const int counts[] = {4, 1000000000, 2, 0};
    for (size_t i = 0; i < sizeof stated / sizeof *stated; i++) {
        char line[200] = "", expected[100];
        sinew_bvh_options options = sinew_bvh_default();
        options.scale = 0.01f;
        options.log = (sinew_log){note_line, line};
        sinew_asset *asset = load_with(changed("Frames: 3", stated[i]), &options);
        assert_true(asset->clips[0].duration == 1.0f); // three frames
        snprintf(expected, sizeof expected, "the frame count is %d, but the file has 3", counts[i]);
        if (!strstr(line, expected)) fail_msg("%s", line);
        sinew_asset_destroy(asset);
    }
    sinew_asset *asset = load(changed("3 93 4 0 90 0 45 0 0", "3 93 4 0")); // cut off in the third
    assert_true(asset->clips[0].duration == 0.5f);
    sinew_asset_destroy(asset);
}

static void test_comments_and_names_of_tips(void **state) {
    (void)state;
    sinew_asset *asset = load(changed("End Site", "# from a script: { 1 2\n// another }\nEnd Site // the top"));
    assert_string_equal(asset->skeleton->names[2], "Spine_end");
    sinew_asset_destroy(asset);
    asset = load(changed("End Site", "End Site head top"));
    assert_string_equal(asset->skeleton->names[2], "head top");
    sinew_asset_destroy(asset);
}

// Angles about one axis may come twice.
static void test_rotations_about_z_x_and_z(void **state) {
    (void)state;
    sinew_asset *asset =
        load("HIERARCHY ROOT a { OFFSET 0 9 0 CHANNELS 3 Zrotation Xrotation Zrotation } MOTION Frames: 1 "
             "Frame Time: 0 30 40 50");
    const sinew_quat expected =
        sinew_quat_multiply(sinew_quat_multiply(about_z(PI / 6), about_x(PI / 4.5)), about_z(PI / 3.6));
    check_near(angle_between(sinew_clip_sample_node(&asset->clips[0], 0, 0).rotation, expected), 0, 1e-6);
    sinew_asset_destroy(asset);
}

static void test_large_angles(void **state) {
    (void)state;
    sinew_asset *a = load(changed("0 90 0 45 0 0", "720 -270 36000 765 -720 1440")), *b = load(bvh_sample);
    sinew_clip_sample_node(&a->clips[0], 1.0f, 0);
    for (int32_t n = 0; n < 2; n++) {
        const sinew_quat p = sinew_clip_sample_node(&a->clips[0], 1, n).rotation;
        const sinew_quat q = sinew_clip_sample_node(&b->clips[0], 1, n).rotation;
        check_near(angle_between(p, q), 0, 1e-6);
    }
    sinew_asset_destroy(a);
    sinew_asset_destroy(b);
    a = load(changed("0 90 0 45 0 0", "1e300 -1e300 1e9 1e15 0 0")); // must be finite
    const sinew_quat q = sinew_clip_sample_node(&a->clips[0], 1, 0).rotation;
    check_near(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 1e-6);
    sinew_asset_destroy(a);
}

static void test_one_frame_is_a_pose(void **state) {
    (void)state;
    sinew_asset *asset =
        load("HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 1 Xrotation } MOTION Frames: 1 Frame Time: 0 90");
    assert_int_equal(asset->clip_count, 1);
    assert_true(asset->clips[0].duration == 0.0f);
    check_near(angle_between(sinew_clip_sample_node(&asset->clips[0], 0, 0).rotation, about_x(PI / 2)), 0, 1e-6);
    sinew_asset_destroy(asset);
}

static void test_frames_without_channels_have_a_duration(void **state) {
    (void)state;
    sinew_asset *asset = load("HIERARCHY ROOT a { OFFSET 0 0 0 } MOTION Frames: 2000000000 Frame Time: 1e-3");
    check_near(asset->clips[0].duration, 1999999.999, 0.2);
    sinew_asset_destroy(asset);
}

// ---- Damage --------------------------------------------------------------------------------------------------

static void test_damaged_files_are_refused_with_the_line(void **state) {
    (void)state;
    check_refused("", "line 1: expected HIERARCHY, found the end of the file");
    check_refused("glTF", "line 1: expected HIERARCHY, found 'glTF'");
    check_refused("HIERARCHY\nMOTION\nFrames: 0\nFrame Time: 1\n", "line 2: expected ROOT");
    check_refused(changed("ROOT", "JOINT"), "line 2: expected ROOT or MOTION, found 'JOINT'");
    check_refused(changed("{\n  OFFSET 0 90", "OFFSET 0 90"), "line 3: expected {, found 'OFFSET'");
    check_refused(changed("OFFSET 0 90 0", "OFFSET 0 90"), "line 5: expected a number, found 'CHANNELS'");
    check_refused(changed("OFFSET 0 90 0", "OFFSET 0 nan 0"), "line 4: expected a number, found 'nan'");
    check_refused(changed("OFFSET 0 90 0", "OFFSET 0 1e999 0"), "line 4: expected a number, found '1e999'");
    check_refused(changed("OFFSET 0 90 0", "OFFSET 0 1e300 0"), "HIERARCHY");
    check_refused(changed("OFFSET 0 90 0", "OFFSET 0 9,5 0"), "found '9,5'");
    check_refused(changed("OFFSET 0 90 0", ""), "line 15: 'Hips' has no OFFSET");
    check_refused(changed("OFFSET 0 90 0", "OFFSET 1 2 3 OFFSET 1 2 3"), "'Hips' has two OFFSETs");
    check_refused(changed("CHANNELS 6", "CHANNELS 7"), "line 5: 'Hips' has 7 channels, not 0 to 6");
    check_refused(changed("CHANNELS 6", "CHANNELS -1"), "-1 channels");
    check_refused(changed("CHANNELS 6", "CHANNELS 2.5"), "2.5 channels");
    check_refused(changed("CHANNELS 6", "CHANNELS 5"), "line 5: expected OFFSET, CHANNELS");
    check_refused(changed("CHANNELS 3 Zrotation", "CHANNELS 3 Wrotation"),
                  "expected a channel such as Xrotation, found 'Wrot");
    check_refused(changed("CHANNELS 6 Xposition Yposition", "CHANNELS 6 Xposition Xposition"),
                  "'Hips' has the channel Xposition twice");
    check_refused(changed("CHANNELS 3 Z", "CHANNELS 1 Xrotation CHANNELS 3 Z"), "'Spine' has CHANNELS twice");
    check_refused(changed("OFFSET 0 30 5", "OFFSET 0 30 5 CHANNELS 0"),
                  "line 12: 'Spine_end' has CHANNELS, but is an End");
    check_refused(changed("OFFSET 0 30 5", "OFFSET 0 30 5 JOINT x"),
                  "line 12: expected OFFSET or }, found 'JOINT'");
    check_refused(changed("End Site", "End Zone"), "line 10: expected Site, found 'Zone'");
    check_refused(changed("}\nMOTION", "MOTION"),
                  "line 15: expected OFFSET, CHANNELS, JOINT, End Site or }, found 'MOTION'");
    check_refused(changed("MOTION", "MOTIONS"), "line 16: expected ROOT or MOTION, found 'MOTIONS'");
    check_refused(changed("Frames: 3", "Frame: 3"), "line 17: expected Frames, found 'Frame'");
    check_refused(changed("Frames: 3", "Frames: -3"), "line 17: -3 frames");
    check_refused(changed("Frames: 3", "Frames: 2.5"), "line 17: 2.5 frames");
    check_refused(changed("Frames: 3", "Frames: 1e10"), "line 17: 10000000000 frames");
    check_refused(changed("Frame Time: 0.5", "Frame Time: 0"),
                  "line 18: the frame time is 0 s for 3 frames; it must be above 0 and within the range of floats");
    check_refused(changed("Frame Time: 0.5", "Frame Time: -0.5"), "the frame time is -0.5 s");
    check_refused(changed("Frame Time: 0.5", "Frame Time: 1e300"), "the frame time is 1e+300 s");
    check_refused(changed("Frame Time: 0.5", "Frame Time: 1e-60"), "too short");
    check_refused(changed("3 93 4", "3 x 4"), "line 21: expected a number, found 'x'");
    check_refused(changed("3 93 4", "3 1e300 4"), "line 21: a position of 'Hips' is too large");
    check_refused(changed("3 93 4", "3 inf 4"), "found 'inf'");
    check_refused(changed("3 93 4", "3 1.#IND 4"), "found '1.#IND'");
    check_refused(changed("3 93 4", "3 . 4"), "found '.'");
    check_refused(changed("3 93 4", "3 1e 4"), "found '1e'");
    check_refused(changed("3 93 4", "3 - 4"), "found '-'");
}

// The end of the file at any byte, and every byte replaced by some others.
static void test_any_damage_is_refused_or_loaded(void **state) {
    (void)state;
    const size_t size = strlen(bvh_sample);
    char *copy = malloc(size);
    static const char bytes[] = {0, '{', '}', '9', '-', '.', '\n', (char)0xFF};
    for (size_t i = 0; i < size; i++) {
        for (size_t k = 0; k <= sizeof bytes; k++) {
            sinew_asset *asset;
            sinew_error error = {0};
            memcpy(copy, bvh_sample, size); // NOLINT(bugprone-not-null-terminated-result): the size is passed on
            if (k < sizeof bytes) copy[i] = bytes[k];
            const sinew_result result =
                sinew_bvh_load_memory(copy, k < sizeof bytes ? size : i, NULL, &asset, &error);
            assert_true((result == SINEW_OK) == (asset != NULL));
            assert_true((result == SINEW_OK) == (error.message[0] == '\0'));
            sinew_asset_destroy(asset);
        }
    }
    free(copy);
}

// Nesting needs no stack of the machine.
static void test_deep_nesting(void **state) {
    (void)state;
    enum { DEPTH = 200000 };
    static const char open[] = "JOINT j{OFFSET 0 0 1 ";
    char *text = malloc(DEPTH * sizeof open + DEPTH + 200), *end = text;
    end += sprintf(end, "HIERARCHY ROOT r { OFFSET 0 0 0 ");
    for (int i = 0; i < DEPTH; i++, end += sizeof open - 1) memcpy(end, open, sizeof open);
    memset(end, '}', DEPTH + 1);
    sprintf(end + DEPTH + 1, " MOTION Frames: 0 Frame Time: 1");
    sinew_asset *asset = load(text);
    assert_int_equal(asset->skeleton->node_count, DEPTH + 1);
    sinew_asset_destroy(asset);
    end[DEPTH] = ' '; // one brace is missing
    check_refused(text, "expected OFFSET, CHANNELS, JOINT, End Site or }");
    free(text);
}

static void test_too_many_joints_are_refused(void **state) {
    (void)state;
    static const char joint[] = "ROOT j{OFFSET 0 0 1}";
    const size_t size = (SINEW_MAX_NODES + 1) * (sizeof joint - 1);
    char *text = malloc(size + 100), *end = text + sprintf(text, "HIERARCHY ");
    for (int i = 0; i <= SINEW_MAX_NODES; i++, end += sizeof joint - 1) memcpy(end, joint, sizeof joint);
    check_refused_as(text, strlen(text), SINEW_ERROR_LIMIT, "more than 1000000 joints");
    free(text);
}

// ---- Memory --------------------------------------------------------------------------------------------------

static void test_running_out_of_memory_leaves_nothing(void **state) {
    (void)state;
    static drawn_file f;
    counting c = {0};
    sinew_bvh_options options = sinew_bvh_default();
    options.allocator = counting_allocator(&c);
    int failures = 0;
    draw_file(&f, 3);
    for (c.fail_at = 1;; c.fail_at++) {
        sinew_asset *asset;
        sinew_error error = {0};
        c.allocations = 0;
        const sinew_result result = sinew_bvh_load_memory(f.text, f.length, &options, &asset, &error);
        sinew_asset_destroy(asset);
        assert_int_equal(c.live, 0);
        if (result == SINEW_OK) break;
        assert_null(asset);
        assert_int_equal(result, SINEW_ERROR_OUT_OF_MEMORY);
        assert_int_equal(error.result, result);
        failures++;
    }
    assert_true(failures > 5);
}

static void test_the_memory_limit(void **state) {
    (void)state;
    static drawn_file f;
    draw_file(&f, 3);
    sinew_asset *asset = load_with(f.text, NULL);
    sinew_bvh_options options = sinew_bvh_default();
    options.memory_limit = asset->memory / 2;
    sinew_asset_destroy(asset);
    sinew_error error = {0};
    assert_int_equal(sinew_bvh_load_memory(f.text, f.length, &options, &asset, &error), SINEW_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "memory limit"));
    assert_null(asset);
}

// ---- Arguments -----------------------------------------------------------------------------------------------

static void test_wrong_arguments(void **state) {
    (void)state;
    sinew_asset *asset;
    sinew_error error = {0};
    assert_int_equal(sinew_bvh_load_memory(NULL, 3, NULL, &asset, &error), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_bvh_load_memory("", 0, NULL, NULL, &error), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_bvh_load_memory(NULL, 0, NULL, &asset, &error), SINEW_ERROR_FORMAT);
    assert_int_equal(sinew_bvh_load_file(NULL, NULL, &asset, &error), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_bvh_load_file("no-such-file.bvh", NULL, &asset, &error), SINEW_ERROR_IO);
    assert_non_null(strstr(error.message, "no-such-file.bvh"));
}

static void test_a_file_names_its_clip(void **state) {
    (void)state;
    FILE *file = fopen("01_02 walk.v2.bvh", "wb");
    assert_non_null(file);
    fwrite(bvh_sample, 1, strlen(bvh_sample), file);
    fclose(file);
    sinew_asset *asset;
    assert_int_equal(sinew_bvh_load_file("./01_02 walk.v2.bvh", NULL, &asset, NULL), SINEW_OK);
    assert_string_equal(asset->clips[0].name, "01_02 walk.v2");
    sinew_asset_destroy(asset);
    remove("01_02 walk.v2.bvh");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_bvh_sample),
        cmocka_unit_test(test_keys_are_at_the_frames),
        cmocka_unit_test(test_channels_in_any_order_and_number),
        cmocka_unit_test(test_a_root_without_offset_stands_on_the_ground),
        cmocka_unit_test(test_a_root_that_stays_is_no_part_of_the_body),
        cmocka_unit_test(test_the_axis_that_points_up_is_guessed),
        cmocka_unit_test(test_units_are_guessed_and_said),
        cmocka_unit_test(test_the_clip_has_the_name_of_the_options),
        cmocka_unit_test(test_white_space_line_ends_and_case),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_text_after_the_last_frame_is_noted),
        cmocka_unit_test(test_fewer_frames_than_stated_and_more),
        cmocka_unit_test(test_comments_and_names_of_tips),
        cmocka_unit_test(test_rotations_about_z_x_and_z),
        cmocka_unit_test(test_large_angles),
        cmocka_unit_test(test_one_frame_is_a_pose),
        cmocka_unit_test(test_frames_without_channels_have_a_duration),
        cmocka_unit_test(test_damaged_files_are_refused_with_the_line),
        cmocka_unit_test(test_any_damage_is_refused_or_loaded),
        cmocka_unit_test(test_deep_nesting),
        cmocka_unit_test(test_too_many_joints_are_refused),
        cmocka_unit_test(test_running_out_of_memory_leaves_nothing),
        cmocka_unit_test(test_the_memory_limit),
        cmocka_unit_test(test_wrong_arguments),
        cmocka_unit_test(test_a_file_names_its_clip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
