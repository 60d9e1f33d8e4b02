// SPDX-License-Identifier: MIT
// Curves together with everything else: they blend like the pose. Each curve has the keys, side and mask factor of a
// morph weight, so both have the same bits after any calls. test_curves.c checks values against closed forms.
#include "core/mask_part.h"
#include "support/check.h"
#include "core/mixer_interface.h"

#include <sinew/all.h>

#include <stdio.h>

// Plant_L, Plant_R, Smile and Frown, and the weights of Leg_L, Leg_R and Head.
enum { NODES = 4, VALUES = 4, KEYS = 5, CLIPS = 4, FRAMES = 400 };

static const char *const node_names[NODES] = {"Root", "Leg_L", "Leg_R", "Head"};
static const char *const curve_names[VALUES] = {"Plant_L", "Plant_R", "Smile", "Frown"};
static const float rest[VALUES] = {0.25f, 0.25f, -0.5f, 0.0f};

static sinew_skeleton *make_skeleton(void) {
    sinew_node_def nodes[NODES];
    for (int i = 0; i < NODES; i++) {
        nodes[i] = (sinew_node_def){.name = node_names[i], .parent = i - 1, .rest = sinew_transform_identity()};
        if (i > 0) nodes[i].parent = 0;
        nodes[i].rest.translation.x = i == 1 ? 1.0f : i == 2 ? -1.0f : 0.0f;
        nodes[i].weight_count = i == 0 ? 0 : i == 3 ? 2 : 1;
        nodes[i].rest_weights = i == 0 ? NULL : &rest[i - 1];
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = NODES;
    def.nodes = nodes;
    def.curve_count = VALUES;
    def.curve_names = curve_names;
    def.rest_curves = rest;
    sinew_skeleton *skeleton;
    sinew_error error;
    if (sinew_skeleton_create(&def, &skeleton, &error) != SINEW_OK) fail_msg("%s", error.message);
    return skeleton;
}

// A clip with random keys for the values whose bit is set, both as weights and as curves. The head has one channel
// for two weights, so either both of its curves have keys or neither has.
static sinew_clip *make_pair_clip(const sinew_skeleton *skeleton, const char *name, uint64_t seed,
                                  sinew_interpolation interpolation, unsigned values, sinew_key_format format) {
    float times[KEYS], weights[3][6 * KEYS], curves[VALUES][3 * KEYS], moves[3 * KEYS];
    const int parts = interpolation == SINEW_INTERPOLATION_CUBICSPLINE ? 3 : 1;
    for (int k = 0; k < KEYS; k++) times[k] = k == 0 ? 0.0f : times[k - 1] + random_float(&seed, 0.1f, 0.4f);
    for (int i = 0; i < VALUES; i++) {
        for (int k = 0; k < parts * KEYS; k++) {
            const float value = curves[i][k] = random_float(&seed, -1.0f, 2.0f);
            if (i < 2) weights[i][k] = value;
            if (i >= 2) weights[2][2 * k + i - 2] = value;
        }
    }
    for (int k = 0; k < 3 * KEYS; k++) moves[k] = random_float(&seed, -1.0f, 1.0f);
    sinew_channel_def channels[8];
    int32_t count = 0;
    channels[count++] =
        (sinew_channel_def){1, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, KEYS, times, moves};
    for (int i = 0; i < 3; i++)
        if (values >> i & 1)
            channels[count++] =
                (sinew_channel_def){i + 1, SINEW_TARGET_WEIGHTS, interpolation, KEYS, times, weights[i]};
    for (int i = 0; i < VALUES; i++)
        if (values >> (i < 2 ? i : 2) & 1)
            channels[count++] = (sinew_channel_def){i, SINEW_TARGET_CURVE, interpolation, KEYS, times, curves[i]};
    const sinew_marker marker = {"Step", times[1]};
    sinew_clip_def def = sinew_clip_default();
    def.name = name;
    def.skeleton = skeleton;
    def.channels = channels;
    def.channel_count = count;
    def.markers = &marker;
    def.marker_count = 1;
    def.key_format = format;
    sinew_clip *clip;
    sinew_error error;
    if (sinew_clip_create(&def, &clip, &error) != SINEW_OK) fail_msg("%s", error.message);
    return clip;
}

// ---- Copies of clips -----------------------------------------------------------------------------------------

typedef enum copy_kind {
    PLAIN,
    U16,
    COMPRESSED,
    MIRRORED,
    BOUND,
    RETARGETED,
    ADDITIVE,
    COMPRESSED_MIRRORED
} copy_kind;

typedef struct stage {
    sinew_skeleton *skeleton, *source; // the same twice
    sinew_clip *clips[CLIPS];
    sinew_mask *mask;
    sinew_blend_space *space;
} stage;

static sinew_clip *mirror(const sinew_skeleton *skeleton, const sinew_clip *clip) {
    sinew_mirror_def def = sinew_mirror_default();
    def.skeleton = skeleton;
    sinew_mirror *map;
    sinew_clip *mirrored;
    assert_int_equal(sinew_mirror_create(&def, &map, NULL), SINEW_OK);
    assert_int_equal(sinew_clip_mirror(map, clip, NULL, NULL, &mirrored, NULL), SINEW_OK);
    sinew_mirror_destroy(map);
    return mirrored;
}

static sinew_clip *retarget(const stage *s, const sinew_clip *clip) {
    sinew_retarget_def def = sinew_retarget_default();
    def.source = s->source;
    def.target = s->skeleton;
    sinew_retarget *map;
    sinew_clip *made;
    sinew_error error;
    const sinew_retarget_clip_def clip_def = sinew_retarget_clip_default();
    if (sinew_retarget_create(&def, &map, &error) != SINEW_OK) fail_msg("%s", error.message);
    assert_int_equal(sinew_clip_retarget(map, clip, &clip_def, &made, NULL), SINEW_OK);
    sinew_retarget_destroy(map);
    return made;
}

static sinew_clip *compress(const sinew_clip *clip) {
    sinew_clip *made;
    assert_int_equal(sinew_clip_compress(clip, NULL, &made, NULL), SINEW_OK);
    return made;
}

// Returns a copy of `clip`, which is destroyed.
static sinew_clip *copy_clip(const stage *s, sinew_clip *clip, copy_kind kind) {
    sinew_clip *made = clip, *first;
    switch (kind) {
    case PLAIN:
    case U16:
        return clip;
    case COMPRESSED:
        made = compress(clip);
        break;
    case MIRRORED:
        made = mirror(s->skeleton, clip);
        break;
    case COMPRESSED_MIRRORED:
        first = compress(clip);
        made = mirror(s->skeleton, first);
        sinew_clip_destroy(first);
        break;
    case BOUND:
        assert_int_equal(sinew_clip_bind(clip, s->skeleton, NULL, &made, NULL, NULL), SINEW_OK);
        break;
    case RETARGETED:
        made = retarget(s, clip);
        break;
    case ADDITIVE:
        assert_int_equal(sinew_clip_make_additive(clip, NULL, NULL, &made, NULL), SINEW_OK);
        break;
    }
    sinew_clip_destroy(clip);
    return made;
}

static stage make_stage(copy_kind kind) {
    static const char *const names[CLIPS] = {"walk", "run", "wave", "idle"};
    static const sinew_interpolation interpolations[CLIPS] = {SINEW_INTERPOLATION_LINEAR,
                                                              SINEW_INTERPOLATION_CUBICSPLINE,
                                                              SINEW_INTERPOLATION_STEP, SINEW_INTERPOLATION_LINEAR};
    static const unsigned values[CLIPS] = {7, 5, 7, 0}; // "idle" has none, "run" none of Plant_R
    stage s = {make_skeleton(), make_skeleton(), {NULL}, NULL, NULL};
    const sinew_skeleton *own = kind == BOUND || kind == RETARGETED ? s.source : s.skeleton;
    for (int i = 0; i < CLIPS; i++)
        s.clips[i] = copy_clip(&s,
                               make_pair_clip(own, names[i], (uint64_t)i + 7, interpolations[i], values[i],
                                              kind == U16 ? SINEW_KEYS_U16 : SINEW_KEYS_FLOAT),
                               kind);
    assert_int_equal(sinew_mask_create(s.skeleton, 0.0f, NULL, &s.mask), SINEW_OK);
    const float factors[3] = {1.0f, 0.375f, 0.75f}; // of the leg at the left, that at the right, and the head
    for (int i = 0; i < 3; i++) sinew_mask_set(s.mask, i + 1, factors[i]);
    for (int i = 0; i < VALUES; i++) sinewi_mask_set_curve(s.mask, i, factors[i < 2 ? i : 2]);
    const sinew_blend_sample samples[2] = {{.clip = s.clips[0], .x = 0.0f, .speed = 1.0f},
                                           {.clip = s.clips[1], .x = 1.0f, .speed = 1.0f}};
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = s.skeleton;
    def.kind = SINEW_BLEND_SPACE_LINE;
    def.samples = samples;
    def.sample_count = 2;
    if (kind != ADDITIVE) assert_int_equal(sinew_blend_space_create(&def, &s.space, NULL), SINEW_OK);
    return s;
}

static void free_stage(stage *s) {
    sinew_blend_space_destroy(s->space);
    sinew_mask_destroy(s->mask);
    for (int i = 0; i < CLIPS; i++) sinew_clip_destroy(s->clips[i]);
    sinew_skeleton_destroy(s->skeleton);
    sinew_skeleton_destroy(s->source);
}

// ---- What both are -------------------------------------------------------------------------------------------

static void check_values(const float *curves, const float *weights, const char *name, int frame) {
    for (int i = 0; i < VALUES; i++) {
        uint32_t bits[2];
        memcpy(&bits[0], &curves[i], sizeof bits[0]);
        memcpy(&bits[1], &weights[i], sizeof bits[1]);
        if (bits[0] != bits[1] || !isfinite(curves[i]))
            fail_msg("%s, frame %d: %s is %.9g, its weight %.9g", name, frame, curve_names[i], (double)curves[i],
                     (double)weights[i]);
    }
}

static void check_mixer(sinew_mixer *mixer, const char *name, int frame) {
    const sinew_pose *pose = sinew_mixer_pose(mixer);
    check_values(pose->curves, pose->weights, name, frame);
    assert_ptr_equal(sinew_mixer_curves(mixer), pose->curves);
}

// ---- Clips ---------------------------------------------------------------------------------------------------

// In copies that keep their keys, the values of curves are the bits of the clip that they are copied from.
static void test_copies_of_clips(void **state) {
    (void)state;
    static const copy_kind kinds[] = {U16, COMPRESSED, MIRRORED, COMPRESSED_MIRRORED, BOUND, RETARGETED, ADDITIVE};
    stage plain = make_stage(PLAIN);
    for (size_t n = 0; n < sizeof kinds / sizeof kinds[0]; n++) {
        stage s = make_stage(kinds[n]);
        const bool is_mirrored = kinds[n] == MIRRORED || kinds[n] == COMPRESSED_MIRRORED;
        sinew_pose *pose, *expected;
        assert_int_equal(sinew_pose_create(s.skeleton, NULL, &pose), SINEW_OK);
        assert_int_equal(sinew_pose_create(plain.skeleton, NULL, &expected), SINEW_OK);
        for (int c = 0; c < CLIPS; c++) {
            for (int i = 0; i <= 100; i++) {
                const float time = s.clips[c]->duration * (float)i / 100.0f;
                sinew_clip_sample(s.clips[c], time, pose);
                sinew_clip_sample(plain.clips[c], time, expected);
                // Retargeting samples the weights again.
                if (kinds[n] != RETARGETED) check_values(pose->curves, pose->weights, s.clips[c]->name, i);
                for (int k = 0; k < VALUES && kinds[n] != U16 && kinds[n] != ADDITIVE; k++)
                    assert_true(pose->curves[k] == expected->curves[is_mirrored && k < 2 ? 1 - k : k]);
            }
        }
        sinew_pose_destroy(pose);
        sinew_pose_destroy(expected);
        free_stage(&s);
    }
    free_stage(&plain);
}

// ---- Mixers --------------------------------------------------------------------------------------------------

typedef struct scenario {
    const char *name;
    copy_kind copy;
    sinew_transition_kind kind;
    float speed;
    sinew_loop loop;
    int max_actions; // 0: the default; few: actions are evicted, and their poses held
    bool masked;     // the upper layer
    bool additive;   // the upper layer: its clips are differences
    bool space, sync, warp, rest, stops, sets, inertializes, fades_layer;
} scenario;

static const scenario scenarios[] = {
    {"fades", .speed = 1},
    {"fades to the rest pose", .speed = 1, .rest = true, .stops = true},
    {"inertialization", .kind = SINEW_TRANSITION_INERTIALIZE, .speed = 1},
    {"dead blending", .kind = SINEW_TRANSITION_DEAD_BLEND, .speed = 1},
    {"a masked layer", .speed = 1, .masked = true, .fades_layer = true},
    {"a masked layer with inertialization", .kind = SINEW_TRANSITION_INERTIALIZE, .speed = 1, .masked = true},
    {"mirrored clips", .copy = MIRRORED, .speed = 1},
    {"bound clips", .copy = BOUND, .speed = 1},
    {"compressed clips", .copy = COMPRESSED, .speed = 1},
    {"compressed clips, dead blending", .copy = COMPRESSED, .kind = SINEW_TRANSITION_DEAD_BLEND, .speed = -1},
    {"mirrored compressed clips", .copy = COMPRESSED_MIRRORED, .kind = SINEW_TRANSITION_INERTIALIZE, .speed = 1},
    {"16-bit keys", .copy = U16, .speed = 1, .masked = true},
    {"additive layer", .copy = ADDITIVE, .speed = 1, .additive = true},
    {"masked additive layer", .copy = ADDITIVE, .speed = 1, .additive = true, .masked = true, .fades_layer = true},
    {"speed 0", .speed = 0},
    {"speed 0, inertialized", .kind = SINEW_TRANSITION_INERTIALIZE, .speed = 0},
    {"backward", .speed = -0.7f},
    {"there and back", .speed = 1.3f, .loop = SINEW_LOOP_PING_PONG},
    {"once, which is held", .speed = 1, .loop = SINEW_LOOP_ONCE, .stops = true},
    {"evicted and held poses", .speed = 1, .max_actions = 2, .stops = true},
    {"evicted, dead blending", .kind = SINEW_TRANSITION_DEAD_BLEND, .speed = 1, .max_actions = 2},
    {"a blend space", .speed = 1, .space = true},
    {"a blend space in a sync group", .kind = SINEW_TRANSITION_INERTIALIZE, .speed = 1, .space = true,
     .sync = true},
    {"a sync group", .speed = 1, .sync = true, .warp = true},
    {"set poses", .speed = 1, .sets = true},
    {"set poses, dead blending", .kind = SINEW_TRANSITION_DEAD_BLEND, .speed = 1, .sets = true, .stops = true},
    {"any change inertialized", .speed = 1, .inertializes = true, .stops = true, .masked = true},
};
enum { SCENARIOS = sizeof scenarios / sizeof scenarios[0] };

static sinew_mixer *make_mixer(const stage *s, const scenario *scene) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s->skeleton;
    def.layer_count = 2;
    def.inertialization = true;
    def.max_blend_spaces = 4;
    if (scene->rest) def.underweight = SINEW_UNDERWEIGHT_REST;
    if (scene->max_actions > 0) def.max_actions = scene->max_actions;
    sinew_mixer *mixer;
    sinew_error error;
    if (sinew_mixer_create(&def, &mixer, &error) != SINEW_OK) fail_msg("%s", error.message);
    return mixer;
}

static void set_up_upper(const stage *s, const scenario *scene, sinew_mixer *mixer) {
    if (scene->additive) sinew_layer_set_mode(mixer, 1, SINEW_LAYER_ADDITIVE);
    if (scene->masked) sinew_layer_set_mask(mixer, 1, s->mask);
}

// A clip or the blend space starts, in one of the layers. The base of an additive scenario plays nothing.
static void start_one(const stage *s, const scenario *scene, sinew_mixer *mixer, uint64_t *random) {
    sinew_play_def def = sinew_play_default();
    sinew_transition transition = sinew_transition_default();
    const bool has_upper = scene->masked || scene->additive;
    transition.kind = scene->kind;
    transition.duration = random_next(random) % 4 == 0 ? 0.0f : random_float(random, 0.05f, 0.5f);
    transition.match_rate = scene->warp && scene->kind == SINEW_TRANSITION_FADE;
    def.layer = scene->additive ? 1 : has_upper ? (int32_t)(random_next(random) % 2) : 0;
    def.speed = scene->speed;
    def.loop = scene->loop == SINEW_LOOP_ONCE && scene->name[0] != 'o' ? SINEW_LOOP_REPEAT : scene->loop;
    def.weight = random_next(random) % 3 == 0 ? 0.6f : 1.0f;
    def.sync = scene->sync ? 1 : 0;
    const uint32_t clip = random_next(random) % CLIPS;
    const bool plays_space = scene->space && random_next(random) % 2 == 0;
    const sinew_source source = plays_space ? sinew_blend_space_source(s->space, random_float(random, 0, 1), 0)
                                            : sinew_clip_source(s->clips[clip]);
    if (plays_space) def.loop = SINEW_LOOP_REPEAT;
    sinew_mixer_transition_to(mixer, source, &transition, &def);
}

// The changes before a frame. For the same frame, they're the same in every mixer.
static void change(const stage *s, const scenario *scene, sinew_mixer *mixer, int frame) {
    uint64_t random = (uint64_t)frame * 977 + 5;
    for (int i = 0; i < 8; i++) random_next(&random);
    if (scene->inertializes && random_next(&random) % 8 == 0)
        sinew_mixer_inertialize(mixer, SINEW_ALL_LAYERS, random_float(&random, 0.0f, 0.4f));
    if (frame == 0 || random_next(&random) % 6 == 0) start_one(s, scene, mixer, &random);
    if (scene->stops && random_next(&random) % 20 == 0) sinew_mixer_stop_all(mixer);
    if (scene->fades_layer && random_next(&random) % 12 == 0)
        sinew_layer_fade_to(mixer, 1, random_float(&random, 0.0f, 1.0f), 0.3f, SINEW_EASING_SMOOTHSTEP);
}

// A pose that the program sets, with the same numbers as weights and as curves.
static void set_pose(const stage *s, sinew_mixer *mixer, int frame) {
    uint64_t random = (uint64_t)frame + 99;
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(s->skeleton, NULL, &pose), SINEW_OK);
    for (int i = 0; i < VALUES; i++) pose->weights[i] = pose->curves[i] = random_float(&random, -1.0f, 1.0f);
    sinew_mixer_set_pose(mixer, pose);
    sinew_pose_destroy(pose);
}

static float dt_of(int frame) {
    static const float steps[4] = {1.0f / 60.0f, 1.0f / 30.0f, 0.0f, 0.11f};
    return frame % 17 == 16 ? steps[2 + frame % 2] : steps[frame % 2];
}

static void play_frame(const stage *s, const scenario *scene, sinew_mixer *mixer, int frame) {
    change(s, scene, mixer, frame);
    sinew_mixer_update(mixer, dt_of(frame));
    if (scene->sets && frame % 23 < 4) set_pose(s, mixer, frame);
}

static void test_curves_blend_like_weights(void **state) {
    (void)state;
    for (int n = 0; n < SCENARIOS; n++) {
        const scenario *scene = &scenarios[n];
        stage s = make_stage(scene->copy);
        sinew_mixer *mixer = make_mixer(&s, scene);
        set_up_upper(&s, scene, mixer);
        int moves = 0;
        float before = 0.0f;
        for (int frame = 0; frame < FRAMES; frame++) {
            play_frame(&s, scene, mixer, frame);
            check_mixer(mixer, scene->name, frame);
            const float now = sinew_mixer_curves(mixer)[2];
            moves += now < before || now > before;
            before = now;
        }
        if (moves < FRAMES / 20) fail_msg("%s: the curve moves in %d frames only", scene->name, moves);
        sinew_mixer_destroy(mixer);
        free_stage(&s);
    }
}

// Rolling back in each frame gives the same bits as not rolling back.
static void test_rollback(void **state) {
    (void)state;
    for (int n = 0; n < SCENARIOS; n++) {
        const scenario *scene = &scenarios[n];
        stage s = make_stage(scene->copy);
        sinew_mixer *mixer = make_mixer(&s, scene), *other = make_mixer(&s, scene);
        set_up_upper(&s, scene, mixer);
        set_up_upper(&s, scene, other);
        void *memory = malloc(sinew_mixer_snapshot_size(other));
        for (int frame = 0; frame < FRAMES / 4; frame++) {
            play_frame(&s, scene, mixer, frame);
            const size_t size = sinew_mixer_save(other, memory);
            for (int k = 1; k < 4; k++) play_frame(&s, scene, other, frame + k);
            assert_true(sinew_mixer_restore(other, memory, size));
            play_frame(&s, scene, other, frame);
            check_mixer(other, scene->name, frame);
            assert_memory_equal(sinew_mixer_curves(mixer), sinew_mixer_curves(other), VALUES * sizeof(float));
        }
        free(memory);
        sinew_mixer_destroy(mixer);
        sinew_mixer_destroy(other);
        free_stage(&s);
    }
}

typedef struct recorded_bytes {
    uint8_t *bytes;
    size_t size, capacity;
} recorded_bytes;

static void append_bytes(const void *bytes, size_t size, void *user) {
    recorded_bytes *r = (recorded_bytes *)user;
    if (r->size + size > r->capacity) {
        r->capacity = 2 * (r->size + size);
        r->bytes = (uint8_t *)realloc(r->bytes, r->capacity);
        assert_non_null(r->bytes);
    }
    if (size > 0) memcpy(r->bytes + r->size, bytes, size);
    r->size += size;
}

static void check_replay(const stage *s, const recorded_bytes *r, const sinew_mixer *mixer) {
    const sinew_clip *clips[CLIPS];
    for (int i = 0; i < CLIPS; i++) clips[i] = s->clips[i];
    sinew_replay_def def = sinew_replay_default();
    def.bytes = r->bytes;
    def.size = r->size;
    def.skeleton = s->skeleton;
    def.clips = clips;
    def.clip_count = CLIPS;
    sinew_replay *replay;
    sinew_error error;
    if (sinew_replay_create(&def, &replay, &error) != SINEW_OK) fail_msg("%s", error.message);
    while (replay->calls_made < replay->call_count) assert_int_equal(sinew_replay_step(replay), SINEW_OK);
    assert_memory_equal(sinew_mixer_curves(replay->mixer), sinew_mixer_curves(mixer), VALUES * sizeof(float));
    assert_true(sinew_mixer_hash(replay->mixer) == sinew_mixer_hash(mixer));
    sinew_replay_destroy(replay);
}

static void test_replays(void **state) {
    (void)state;
    for (int n = 0; n < SCENARIOS; n++) {
        const scenario *scene = &scenarios[n];
        stage s = make_stage(scene->copy);
        sinew_mixer *mixer = make_mixer(&s, scene);
        recorded_bytes r = {NULL, 0, 0};
        assert_int_equal(sinew_mixer_record(mixer, append_bytes, &r, NULL), SINEW_OK);
        set_up_upper(&s, scene, mixer);
        for (int frame = 0; frame < FRAMES / 4; frame++) play_frame(&s, scene, mixer, frame);
        check_replay(&s, &r, mixer);
        sinew_mixer_destroy(mixer);
        free(r.bytes);
        free_stage(&s);
    }
}

// A mixer that is posed in some frames only has, in those, the curves of one that is posed in each: also while it is
// drawn with fewer joints.
static void test_update_rates(void **state) {
    (void)state;
    for (int n = 0; n < SCENARIOS; n++) {
        const scenario *scene = &scenarios[n];
        if (scene->sets) continue; // a pose is set on what is posed
        stage s = make_stage(scene->copy);
        const int32_t joints[NODES] = {0, 1, 2, 3};
        sinew_skin_def skin_def = sinew_skin_default();
        skin_def.skeleton = s.skeleton;
        skin_def.joint_count = NODES;
        skin_def.joints = joints;
        sinew_skin *skin;
        sinew_node_lod *lod;
        sinew_affine palettes[2][NODES];
        assert_int_equal(sinew_skin_create(&skin_def, &skin, NULL), SINEW_OK);
        assert_int_equal(sinew_node_lod_create(skin, s.mask, NULL, &lod), SINEW_OK);
        sinew_mixer *alone = make_mixer(&s, scene);
        sinew_batch_item items[2] = {{.skin = skin, .palette = palettes[0], .lod = lod, .significance = 1.0f},
                                     {.skin = skin, .palette = palettes[1], .significance = 1.0f}};
        for (int i = 0; i < 2; i++) items[i].mixer = make_mixer(&s, scene);
        set_up_upper(&s, scene, alone);
        for (int i = 0; i < 2; i++) set_up_upper(&s, scene, items[i].mixer);
        sinew_batch_budget budget = sinew_batch_budget_default();
        budget.max_poses = 1;
        int posed = 0;
        for (int frame = 0; frame < FRAMES / 4; frame++) {
            change(&s, scene, alone, frame);
            for (int i = 0; i < 2; i++) {
                sinew_batch_catch_up(&items[i]);
                change(&s, scene, items[i].mixer, frame);
            }
            sinew_mixer_update(alone, dt_of(frame));
            sinew_batch_update_within(&budget, items, 0, 2, dt_of(frame));
            for (int i = 0; i < 2; i++) {
                if (!items[i].changed || !sinewi_mixer_is_evaluated(items[i].mixer)) continue;
                const float *curves = sinew_mixer_curves(items[i].mixer);
                check_values(curves, sinew_mixer_morph_weights(items[i].mixer), scene->name, frame);
                for (int k = 0; k < VALUES; k++) check_near(curves[k], sinew_mixer_curves(alone)[k], 1e-4);
                posed++;
            }
        }
        assert_true(posed > FRAMES / 16 || !(scene->speed > 0.0f || scene->speed < 0.0f));
        for (int i = 0; i < 2; i++) sinew_mixer_destroy(items[i].mixer);
        sinew_mixer_destroy(alone);
        sinew_node_lod_destroy(lod);
        sinew_skin_destroy(skin);
        free_stage(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies_of_clips), cmocka_unit_test(test_curves_blend_like_weights),
        cmocka_unit_test(test_rollback),        cmocka_unit_test(test_replays),
        cmocka_unit_test(test_update_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
