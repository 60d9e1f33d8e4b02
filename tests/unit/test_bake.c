// SPDX-License-Identifier: MIT
// Animation textures: their frames, where texels are, halves, what a GPU gets for a character, its time, and what's
// refused. test_bake_error.c measures their error.
#include "support/check.h"

#include "gpu/gpu_half.h"

#include <float.h>

// ---- An arm --------------------------------------------------------------------------------------------------

enum { JOINTS = 3, CLIPS = 3, SLIDE = 0, TURN = 1, STILL = 2 };

// Three joints in a chain, four vertices, and clips of 1 s, 0.5 s and no time.
typedef struct arm {
    sinew_skeleton *skeleton;
    sinew_skin *skin;
    sinew_clip *clips[CLIPS];
    float positions[12], weights[16];
    uint16_t joints[16];
    sinew_primitive primitive;
    sinew_mesh mesh;
    sinew_mesh_node mesh_node;
    sinew_asset asset;
    sinew_bake_def def;
} arm;

static void arm_make(arm *a) {
    *a = (arm){.skeleton = make_chain(JOINTS)};
    const int32_t joints[JOINTS] = {0, 1, 2};
    sinew_affine inverse_binds[JOINTS];
    for (int i = 0; i < JOINTS; i++) {
        inverse_binds[i] = sinew_affine_identity();
        inverse_binds[i].m[1][3] = -(float)i;
    }
    sinew_skin_def skin = sinew_skin_default();
    skin.skeleton = a->skeleton;
    skin.joint_count = JOINTS;
    skin.joints = joints;
    skin.inverse_binds = inverse_binds;
    assert_int_equal(sinew_skin_create(&skin, &a->skin, NULL), SINEW_OK);
    for (int v = 0; v < 4; v++) {
        a->positions[(ptrdiff_t)3 * v] = 0.25f * (float)v;
        a->positions[3 * v + 1] = (float)v;
        a->joints[(ptrdiff_t)4 * v] = (uint16_t)(v < JOINTS ? v : JOINTS - 1);
        a->weights[(ptrdiff_t)4 * v] = 1.0f;
    }
    a->primitive = (sinew_primitive){.vertex_count = 4, .positions = a->positions, .influences = 4};
    a->primitive.joints = a->joints, a->primitive.weights = a->weights;
    a->mesh = (sinew_mesh){.name = "arm", .primitive_count = 1, .primitives = &a->primitive};

    static const float times[2] = {0.0f, 0.5f};
    static const float turn[8] = {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f};
    sinew_channel_def channel = {1, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 2, times, turn};
    a->clips[SLIDE] = make_slide(a->skeleton, "slide", 0, 1.0f, 2.0f);
    a->clips[TURN] = make_clip(a->skeleton, "turn", &channel, 1);
    a->clips[STILL] = make_slide(a->skeleton, "still", 0, 0.0f, 0.0f);
    a->asset = (sinew_asset){.skeleton = a->skeleton, .skin_count = 1, .skins = a->skin, .mesh_count = 1};
    a->asset.meshes = &a->mesh;
    a->asset.mesh_node_count = 1, a->asset.mesh_nodes = &a->mesh_node;
    a->def = sinew_bake_default();
    a->def.asset = &a->asset;
    a->def.clips = (const sinew_clip *const *)a->clips;
    a->def.clip_count = CLIPS;
}

static void arm_free(arm *a) {
    for (int i = 0; i < CLIPS; i++) sinew_clip_destroy(a->clips[i]);
    sinew_skin_destroy(a->skin);
    sinew_skeleton_destroy(a->skeleton);
}

static sinew_bake *bake_of(const sinew_bake_def *def) {
    sinew_bake *bake;
    sinew_error error = {0};
    if (sinew_bake_create(def, &bake, &error) != SINEW_OK) fail_msg("%s", error.message);
    return bake;
}

static sinew_asset *load_hero(void) {
    return load_gltf(SINEW_MODELS "/hero.glb", NULL);
}

// ---- Halves --------------------------------------------------------------------------------------------------

// What the standard says that these 16 bits mean.
static double meaning_of(uint16_t half) {
    int exponent = half >> 10 & 31, digits = half & 1023;
    double size = exponent == 0 ? ldexp(digits, -24) : ldexp(1024 + digits, exponent - 25);
    return half & 0x8000 ? -size : size;
}

static void test_every_half_means_its_number(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 0x10000; i++) {
        if ((i & 0x7c00) == 0x7c00) continue; // infinities and NaNs
        double meant = meaning_of((uint16_t)i);
        float number = sinewi_float_from_half((uint16_t)i);
        assert_true((double)number == meant && (signbit(number) != 0) == (i >> 15 != 0));
        assert_int_equal(sinewi_half_from_float(number), i);
    }
}

// At, just below and just above the middles between neighbours. A middle goes to the even neighbour.
static void test_floats_become_the_nearest_half(void **state) {
    (void)state;
    for (uint16_t i = 0; i < 0x7bff; i++) {
        float middle = (float)(0.5 * (meaning_of(i) + meaning_of((uint16_t)(i + 1))));
        uint16_t even = i % 2 ? (uint16_t)(i + 1) : i;
        assert_int_equal(sinewi_half_from_float(middle), even);
        assert_int_equal(sinewi_half_from_float(-middle), even | 0x8000);
        assert_int_equal(sinewi_half_from_float(nextafterf(middle, 0.0f)), i);
        assert_int_equal(sinewi_half_from_float(nextafterf(middle, FLT_MAX)), i + 1);
    }
    assert_int_equal(sinewi_half_from_float(1e-45f), 0);
    assert_int_equal(sinewi_half_from_float(nextafterf(SINEWI_HALF_OVERFLOW, 0.0f)), 0x7bff); // 65504
}

// ---- Textures ------------------------------------------------------------------------------------------------

static void test_frames_divide_clips_evenly(void **state) {
    (void)state;
    arm a;
    arm_make(&a);
    const struct {
        float rate;
        int32_t frames[CLIPS];
        float rates[2];
    } cases[] = {
        {30.0f, {31, 16, 1}, {30.0f, 30.0f}},
        {7.0f, {8, 5, 1}, {7.0f, 8.0f}}, // half a second has three and a half, and gets four
        {0.1f, {2, 2, 1}, {1.0f, 2.0f}}, // never fewer than both ends
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        a.def.frame_rate = cases[i].rate;
        sinew_bake *bake = bake_of(&a.def);
        assert_int_equal(bake->clip_count, CLIPS);
        int32_t frames = 0;
        for (int c = 0; c < CLIPS; c++) {
            assert_ptr_equal(bake->clips[c].clip, a.clips[c]);
            assert_int_equal(bake->clips[c].first_frame, frames);
            assert_int_equal(bake->clips[c].frame_count, cases[i].frames[c]);
            if (c != STILL) assert_float_equal(bake->clips[c].frame_rate, cases[i].rates[c], 1e-6);
            frames += cases[i].frames[c];
        }
        assert_int_equal(bake->frame_count, frames);
        sinew_bake_destroy(bake);
    }
    arm_free(&a);
}

static void check_number(const sinew_bake *bake, size_t index, float expected) {
    if (bake->format == SINEW_BAKE_FLOAT) {
        assert_memory_equal((const float *)bake->texels + index, &expected, sizeof expected);
        return;
    }
    double number = meaning_of(((const uint16_t *)bake->texels)[index]);
    double step = ldexp(1.0, (int)fmax(floor(log2(fabs((double)expected) + 1e-30)) - 10, -24)); // to the next half
    check_near(number, expected, 0.5 * step);
}

static void check_texture(const sinew_asset *asset, sinew_bake_format format) {
    sinew_bake_def def = sinew_bake_default();
    def.asset = asset;
    def.format = format;
    sinew_bake *bake = bake_of(&def);
    const sinew_skin *skin = &asset->skins[0];
    int32_t joints = skin->joint_count;
    size_t used = 3 * (size_t)joints * (size_t)bake->frame_count, all = 1024 * (size_t)bake->height;
    assert_int_equal(bake->width, 1024);
    assert_int_equal(bake->joint_count, joints);
    assert_true(all >= used && all - used < 1024 && bake->height > 1);
    assert_int_equal(bake->size, all * (format == SINEW_BAKE_HALF ? 8 : 16));

    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &pose), SINEW_OK);
    sinew_affine *model = calloc((size_t)asset->skeleton->node_count, sizeof *model);
    sinew_affine *palette = calloc((size_t)joints, sizeof *palette);
    size_t texel = 0;
    for (int32_t c = 0; c < asset->clip_count; c++) {
        const sinew_clip *clip = &asset->clips[c];
        int32_t last = bake->clips[c].frame_count - 1;
        for (int32_t f = 0; f <= last; f++) {
            sinew_clip_sample(clip, (float)((double)clip->duration * f / last), pose);
            sinew_pose_to_model(pose, model);
            sinew_skin_palette(skin, model, palette);
            for (int32_t j = 0; j < joints; j++)
                for (int r = 0; r < 3; r++, texel++)
                    for (size_t k = 0; k < 4; k++) check_number(bake, 4 * texel + k, palette[j].m[r][k]);
        }
    }
    assert_int_equal(texel, used);
    for (size_t i = 4 * used; i < 4 * all; i++) check_number(bake, i, 0.0f);
    free(palette);
    free(model);
    sinew_pose_destroy(pose);
    sinew_bake_destroy(bake);
}

static void test_texels_are_the_rows_of_palettes(void **state) {
    (void)state;
    sinew_asset *hero = load_hero();
    check_texture(hero, SINEW_BAKE_FLOAT);
    check_texture(hero, SINEW_BAKE_HALF);
    sinew_asset_destroy(hero);
}

// The sword's hand, say: nodes stand behind the joints, and without a skin alone.
static void test_nodes_stand_behind_joints(void **state) {
    (void)state;
    arm a;
    arm_make(&a);
    const int32_t nodes[2] = {2, 0};
    sinew_bake_def def = a.def;
    def.nodes = nodes, def.node_count = 2;
    sinew_bake_state s = sinew_bake_play(TURN);
    s.tracks[0].time = 0.5f;
    for (int32_t skin = 0; skin >= -1; skin--) {
        def.skin = skin;
        sinew_bake *bake = bake_of(&def);
        int32_t joints = skin < 0 ? 0 : JOINTS;
        sinew_affine palette[JOINTS + 2];
        assert_int_equal(bake->joint_count, joints + 2);
        assert_int_equal(bake->node_count, 2);
        assert_int_equal(bake->nodes[0], 2);
        sinew_bake_palette(bake, &s, palette);
        check_near(palette[joints].m[0][3], -1, 1e-6); // a quarter turn about z, 1 m up, brings node 2 to the left
        check_near(palette[joints].m[1][3], 1, 1e-6);
        check_near(palette[joints + 1].m[0][0], 1, 1e-6);
        sinew_bake_destroy(bake);
    }
    arm_free(&a);
}

// ---- What a GPU is told --------------------------------------------------------------------------------------

static void check_written(const sinew_bake *bake, const sinew_bake_state *state, const float expected[8]) {
    float out[9];
    out[8] = 1234.5f;
    sinew_bake_write(bake, state, out);
    for (int i = 0; i < 4; i++) assert_true(out[i] == expected[i]);
    for (int i = 4; i < 8; i++) check_near(out[i], expected[i], 1e-6);
    check_near(out[4] + out[5] + out[6] + out[7], 1, 2e-7);
    assert_true(out[8] == 1234.5f);
}

static void test_a_gpu_is_told_frames_and_shares(void **state) {
    (void)state;
    arm a;
    arm_make(&a);
    a.def.frame_rate = 4.0f; // slide: frames 0 to 4, turn: 5 to 7, still: 8; 9 texels a frame
    sinew_bake *bake = bake_of(&a.def);
    sinew_bake_state s = sinew_bake_play(SLIDE);
    check_written(bake, &s, (float[8]){0, 9, 0, 9, 1, 0, 0, 0});
    s.tracks[0].time = 0.65f;
    check_written(bake, &s, (float[8]){18, 27, 18, 27, 0.4f, 0.6f, 0, 0});
    s.tracks[0].time = 1.0f; // the end is the last frame, and none behind it is read
    check_written(bake, &s, (float[8]){27, 36, 27, 36, 0, 1, 0, 0});
    s.tracks[1] = sinew_bake_play(TURN).tracks[0];
    s.tracks[0].time = 0.25f;
    s.tracks[1].time = 0.4375f;
    s.blend = 0.25f;
    check_written(bake, &s, (float[8]){9, 18, 54, 63, 0.75f, 0, 0.0625f, 0.1875f});
    s.blend = 7.0f;
    check_written(bake, &s, (float[8]){9, 18, 54, 63, 0, 0, 0.25f, 0.75f});
    s.blend = NAN;
    check_written(bake, &s, (float[8]){9, 18, 54, 63, 1, 0, 0, 0});
    s = sinew_bake_play(STILL);
    s.tracks[0].time = 3.0f;
    check_written(bake, &s, (float[8]){72, 72, 72, 72, 1, 0, 0, 0});
    sinew_bake_destroy(bake);
    arm_free(&a);
}

static void test_the_palette_is_the_sum_of_the_frames(void **state) {
    (void)state;
    arm a;
    arm_make(&a);
    a.def.frame_rate = 4.0f;
    sinew_bake *bake = bake_of(&a.def);
    sinew_affine palette[JOINTS];
    sinew_bake_state s = sinew_bake_play(SLIDE);
    s.tracks[0].time = 0.6f; // everything has slid to x = 1.2, whatever is between the frames
    sinew_bake_palette(bake, &s, palette);
    for (int j = 0; j < JOINTS; j++) check_near(palette[j].m[0][3], 1.2, 1e-6);
    // A quarter of joint 1 half-way between 45 and 90 degrees, which is shorter than a rotation, and no slide.
    s.tracks[1] = sinew_bake_play(TURN).tracks[0];
    s.tracks[1].time = 0.375f;
    s.blend = 0.25f;
    sinew_bake_palette(bake, &s, palette);
    double cosine = 0.5 * sqrt(0.5);
    check_near(palette[1].m[0][0], 0.75 + 0.25 * cosine, 1e-6);
    check_near(palette[1].m[1][0], 0.25 * 0.5 * (sqrt(0.5) + 1), 1e-6);
    check_near(palette[0].m[0][3], 0.9, 1e-6);
    // An eighth of a turn brings joint 2, bound at y = 1, from (0, 1) to where the two frames have it, from below.
    check_near(palette[2].m[0][0], palette[1].m[0][0], 1e-6);
    check_near(palette[1].m[1][3], 0.25 * (1 - cosine), 1e-6);
    sinew_bake_destroy(bake);
    arm_free(&a);
}

// ---- Time ----------------------------------------------------------------------------------------------------

// Where in its clip a state's first track is, from what a GPU is told.
static double place_of(const sinew_bake *bake, const sinew_bake_state *state) {
    float out[8];
    sinew_bake_write(bake, state, out);
    const sinew_bake_clip *clip = &bake->clips[state->tracks[0].clip];
    double frame = (double)out[0] / (3 * bake->joint_count) - clip->first_frame;
    return (frame + (double)out[5]) / (double)clip->frame_rate;
}

static void test_times_are_wrapped_reflected_or_clamped(void **state) {
    (void)state;
    const struct {
        sinew_loop loop;
        float time;
        double place;
    } cases[] = {
        {SINEW_LOOP_REPEAT, 0.25f, 0.25},
        {SINEW_LOOP_REPEAT, 1.25f, 0.25},
        {SINEW_LOOP_REPEAT, -0.25f, 0.75},
        {SINEW_LOOP_REPEAT, -7.25f, 0.75},
        {SINEW_LOOP_REPEAT, 3.0f, 0.0},
        {SINEW_LOOP_REPEAT, 1.0f, 1.0}, // put there: see sinew_action_set_time
        {SINEW_LOOP_ONCE, 1.25f, 1.0},
        {SINEW_LOOP_ONCE, -0.25f, 0.0},
        {SINEW_LOOP_PING_PONG, 1.25f, 0.75},
        {SINEW_LOOP_PING_PONG, 2.25f, 0.25},
        {SINEW_LOOP_PING_PONG, -0.25f, 0.25},
        {SINEW_LOOP_PING_PONG, -1.25f, 0.75},
        {SINEW_LOOP_REPEAT, NAN, 0.0},
        {SINEW_LOOP_REPEAT, INFINITY, 0.0},
        {SINEW_LOOP_ONCE, -INFINITY, 0.0},
        {SINEW_LOOP_PING_PONG, NAN, 0.0},
        {SINEW_LOOP_REPEAT, FLT_MAX, 0.0},
    };
    arm a;
    arm_make(&a);
    sinew_bake *bake = bake_of(&a.def);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sinew_bake_state s = sinew_bake_play(SLIDE);
        s.tracks[0].loop = cases[i].loop;
        s.tracks[0].time = cases[i].time;
        check_near(place_of(bake, &s), cases[i].place, 1e-6);
    }
    sinew_bake_destroy(bake);
    arm_free(&a);
}

// Steps and speeds are multiples of 1/64, so nothing is rounded and ends are hit exactly.
static void test_time_goes_as_in_a_mixer(void **state) {
    (void)state;
    arm a;
    arm_make(&a);
    sinew_bake *bake = bake_of(&a.def);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = a.skeleton;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    uint64_t random = 11;
    for (int i = 0; i < 300; i++) {
        sinew_play_def play = sinew_play_default();
        play.loop = (sinew_loop)(i % 3);
        play.time = (float)(random_next(&random) % 33) / 64.0f;
        play.speed = ((float)(random_next(&random) % 513) - 256.0f) / 64.0f;
        sinew_mixer_stop_all(mixer);
        sinew_action action = sinew_mixer_play(mixer, sinew_clip_source(a.clips[TURN]), &play);
        sinew_bake_state s = sinew_bake_play(TURN);
        s.tracks[0].loop = play.loop;
        s.tracks[0].time = play.time;
        s.tracks[0].speed = play.speed;
        for (int step = 0; step < 20; step++) {
            check_near(place_of(bake, &s), sinew_action_time(mixer, action), 1e-6);
            float dt = (float)(random_next(&random) % 5) * (step % 7 ? 1.0f : 40.0f) / 64.0f;
            sinew_bake_advance(bake, &s, dt);
            sinew_mixer_advance(mixer, dt);
        }
    }
    sinew_mixer_destroy(mixer);
    sinew_bake_destroy(bake);
    arm_free(&a);
}

static void test_fades_go_on_and_end(void **state) {
    (void)state;
    arm a;
    arm_make(&a);
    sinew_bake *bake = bake_of(&a.def);
    sinew_bake_state s = sinew_bake_play(SLIDE);
    sinew_bake_advance(bake, &s, 0.25f);
    sinew_bake_fade_to(&s, TURN, 0.5f);
    sinew_bake_advance(bake, &s, 0.125f);
    assert_float_equal(s.tracks[0].time, 0.375, 0);
    assert_float_equal(s.tracks[1].time, 0.125, 0);
    assert_float_equal(s.blend, 0.25, 0);
    sinew_bake_state back = s, again = s, cut = s;
    sinew_bake_advance(bake, &s, 0.5f); // past the end of the fade: the clip continues from where it was
    assert_int_equal(s.tracks[0].clip, TURN);
    assert_int_equal(s.tracks[1].clip, -1);
    assert_float_equal(s.tracks[0].time, 0.125, 0);
    assert_true(s.blend == 0.0f && s.blend_rate == 0.0f);

    back.blend_rate = -2.0f;
    sinew_bake_advance(bake, &back, 0.125f);
    assert_int_equal(back.tracks[0].clip, SLIDE);
    assert_int_equal(back.tracks[1].clip, -1);

    sinew_bake_fade_to(&again, STILL, 0.5f); // from the slide, which shows more of itself
    assert_int_equal(again.tracks[0].clip, SLIDE);
    assert_int_equal(again.tracks[1].clip, STILL);
    assert_true(again.blend == 0.0f && again.blend_rate == 2.0f);
    cut.blend = 0.75f;
    again = cut;
    sinew_bake_fade_to(&again, STILL, 0.5f); // from the turn
    assert_int_equal(again.tracks[0].clip, TURN);
    assert_float_equal(again.tracks[0].time, 0.125, 0);
    sinew_bake_fade_to(&cut, STILL, 0.0f);
    assert_int_equal(cut.tracks[0].clip, STILL);
    assert_int_equal(cut.tracks[1].clip, -1);

    s = sinew_bake_play(SLIDE);
    s.tracks[1] = sinew_bake_play(TURN).tracks[0];
    s.blend = 0.5f; // of no rate: a mix that stays
    for (int i = 0; i < 100; i++) sinew_bake_advance(bake, &s, 0.1f);
    assert_int_equal(s.tracks[1].clip, TURN);
    assert_true(s.blend == 0.5f);
    sinew_bake_destroy(bake);
    arm_free(&a);
}

// ---- What is refused -----------------------------------------------------------------------------------------

static void check_refused(const sinew_bake_def *def, sinew_result result, const char *message) {
    counting counted = {0};
    sinew_bake_def own = *def;
    own.allocator = counting_allocator(&counted);
    sinew_bake *bake = (sinew_bake *)&counted;
    sinew_error error = {0};
    assert_int_equal(sinew_bake_create(&own, &bake, &error), result);
    assert_null(bake);
    assert_int_equal(error.result, result);
    if (!strstr(error.message, message)) fail_msg("\"%s\" does not say \"%s\"", error.message, message);
    assert_int_equal(sinew_bake_create(&own, &bake, NULL), result);
    assert_int_equal(counted.live, 0);
}

static void test_what_is_wrong_is_refused(void **state) {
    (void)state;
    arm a;
    arm_make(&a);
    sinew_bake_def def = a.def;
    def.asset = NULL;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "asset is NULL");
    def = a.def;
    for (int32_t skin = -2; skin < 2; skin += 3) {
        def.skin = skin;
        check_refused(&def, SINEW_ERROR_ARGUMENT, skin < 0 ? "skin -2, but" : "skin 1, but the asset has 1");
    }
    def.skin = -1;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "skin -1 has no joints, and there are no nodes");
    const int32_t nodes[2] = {2, 3};
    def.nodes = nodes, def.node_count = 2;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "nodes[1]: node 3, but the skeleton has 3");
    def.nodes = NULL;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "node_count is 2, but nodes is NULL");
    def.node_count = -1;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "node_count is -1; it must be 0 or more");
    def = a.def;
    def.clip_count = 0;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "no clips");
    def.clips = NULL; // all of the asset's, which has none
    check_refused(&def, SINEW_ERROR_ARGUMENT, "no clips");
    const float rates[] = {0.0f, -30.0f, NAN, INFINITY};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        def = a.def;
        def.frame_rate = rates[i];
        check_refused(&def, SINEW_ERROR_ARGUMENT, "it must be more than 0 and finite");
    }

    sinew_skeleton *other = make_chain(2);
    sinew_clip *foreign = make_slide(other, "foreign", 0, 1, 1), *additive;
    assert_int_equal(sinew_clip_make_additive(a.clips[TURN], NULL, NULL, &additive, NULL), SINEW_OK);
    const sinew_clip *clips[2] = {a.clips[0], foreign};
    def = a.def;
    def.clips = clips, def.clip_count = 2;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "clips[1] is NULL or belongs to a different skeleton");
    clips[1] = NULL;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "clips[1] is NULL or belongs to a different skeleton");
    clips[1] = additive;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "clips[1], \"turn\", is additive");
    sinew_clip_destroy(additive);
    sinew_clip_destroy(foreign);
    sinew_skeleton_destroy(other);

    a.joints[7] = JOINTS; // of no weight, and yet no joint
    check_refused(&a.def, SINEW_ERROR_ARGUMENT, "mesh \"arm\": vertex 1 uses joint 3, but skin 0 has 3 joints");
    a.joints[7] = 0;
    sinew_skin nobody = *a.skin;
    nobody.joint_count = 0;
    a.asset.skins = &nobody;
    check_refused(&a.def, SINEW_ERROR_ARGUMENT, "skin 0 has no joints");
    arm_free(&a);
}

static void test_limits(void **state) {
    (void)state;
    arm a;
    arm_make(&a);
    sinew_bake_def def = a.def;
    def.clip_count = 1;
    def.frame_rate = 2e6f; // and one frame more, of nine texels
    check_refused(&def, SINEW_ERROR_LIMIT,
                  "2000001 frames with 3 joints need 18000009 texels, but the limit is 16777216");
    def.frame_rate = FLT_MAX;
    check_refused(&def, SINEW_ERROR_LIMIT, "the limit is 16777216");
    const int32_t node = 0;
    def.nodes = &node, def.node_count = INT32_MAX; // looked at before what they are
    check_refused(&def, SINEW_ERROR_LIMIT, "2147483647 nodes, but the limit is 16777216");

    sinew_clip *far_away = make_slide(a.skeleton, "far", 0, 1, 131040);
    const sinew_clip *clips[1] = {far_away};
    def = a.def;
    def.clips = clips, def.clip_count = 1;
    def.frame_rate = 2.0f; // half of the way rounds to infinity
    def.format = SINEW_BAKE_HALF;
    check_refused(
        &def, SINEW_ERROR_LIMIT,
        "clip \"far\" at 0.5 s: the matrix of joint 0, \"n0\", contains 65520: SINEW_BAKE_HALF holds up to");
    def.format = SINEW_BAKE_FLOAT;
    sinew_bake_destroy(bake_of(&def));
    sinew_clip_destroy(far_away);

    const float zero = 0.0f, huge[3] = {3e38f, 0, 0};
    const sinew_channel_def channels[2] = {
        {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 1, &zero, huge},
        {1, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 1, &zero, huge}};
    sinew_clip *overflow = make_clip(a.skeleton, "overflow", channels, 2);
    clips[0] = overflow;
    check_refused(&def, SINEW_ERROR_LIMIT, "joint 1, \"n1\", contains inf: it must be finite");
    sinew_clip_destroy(overflow);
    arm_free(&a);
}

static void test_memory_that_runs_out(void **state) {
    (void)state;
    arm a;
    arm_make(&a);
    counting counted = {0};
    sinew_bake_def def = a.def;
    def.allocator = counting_allocator(&counted);
    sinew_bake *bake = bake_of(&def);
    assert_int_equal(counted.live, 1); // what is needed to make it is given back
    sinew_bake_destroy(bake);
    assert_int_equal(counted.live, 0);
    int needed = counted.allocations;
    assert_true(needed >= 3);
    for (int i = 1; i <= needed; i++) {
        counted = (counting){.fail_at = i};
        sinew_error error = {0};
        assert_int_equal(sinew_bake_create(&def, &bake, &error), SINEW_ERROR_OUT_OF_MEMORY);
        assert_int_equal(error.result, SINEW_ERROR_OUT_OF_MEMORY);
        assert_null(bake);
        assert_int_equal(counted.live, 0);
    }
    sinew_bake_destroy(NULL);
    arm_free(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_half_means_its_number),
        cmocka_unit_test(test_floats_become_the_nearest_half),
        cmocka_unit_test(test_frames_divide_clips_evenly),
        cmocka_unit_test(test_texels_are_the_rows_of_palettes),
        cmocka_unit_test(test_nodes_stand_behind_joints),
        cmocka_unit_test(test_a_gpu_is_told_frames_and_shares),
        cmocka_unit_test(test_the_palette_is_the_sum_of_the_frames),
        cmocka_unit_test(test_times_are_wrapped_reflected_or_clamped),
        cmocka_unit_test(test_time_goes_as_in_a_mixer),
        cmocka_unit_test(test_fades_go_on_and_end),
        cmocka_unit_test(test_what_is_wrong_is_refused),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
