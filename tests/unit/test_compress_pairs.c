// SPDX-License-Identifier: MIT
// Compressed clips with the mixer's features. Makes the same calls on the hero with exact clips, with clips
// compressed at load, and with a baked asset's. Times, weights and events have the same bits, poses differ by the
// stated error, and the last two agree in all bits.
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier,cert-*): popen
#endif
#include "base/simd.h"
#include "support/random_rig.h"
#include "support/recorded.h"

#include <stdio.h>

#define FRAME     (1.0f / 64)
#define MAX_ERROR 1e-3f
#define DISTANCE  0.03f // of the virtual points, as compressed

enum { EXACT, COMPRESSED, BAKED, HEROES };
enum { WALK, RUN, ATTACK, WAVE, HIT, STRAFE, IDLE, CLIPS };
enum { FRAMES = 240, MAX_NODES = 80 };

static const char *const clip_names[CLIPS] = {"Walk", "Run", "Attack", "Wave", "Hit", "StrafeLeft", "Idle"};
static const char *const steps[] = {"Foot_L", "Foot_R"};

typedef struct hero {
    sinew_asset *asset;
    const sinew_clip *clips[CLIPS];
    sinew_clip *additive; // of the hit
    sinew_mask *mask;     // the upper body
    sinew_blend_space *space;
} hero;

static hero heroes[HEROES];

// ---- The heroes --------------------------------------------------------------------------------------------------

static sinew_asset *load_hero(float compress_error) {
    sinew_gltf_options options = sinew_gltf_default();
    options.compress_error = compress_error;
    sinew_asset *asset;
    sinew_error error = {0};
    if (sinew_gltf_load_file(SINEW_MODELS "/hero.glb", &options, &asset, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    return asset;
}

static sinew_asset *bake_hero(const sinew_asset *asset) {
    sinew_baked_asset *baked;
    sinew_asset *loaded;
    assert_int_equal(sinew_baked_asset_create(asset, NULL, &baked, NULL), SINEW_OK);
    assert_int_equal(sinew_baked_asset_load_memory(baked->data, baked->size, NULL, &loaded, NULL), SINEW_OK);
    sinew_baked_asset_destroy(baked);
    return loaded;
}

static sinew_blend_space *make_space(const hero *h) {
    const sinew_blend_sample samples[] = {{h->clips[IDLE], 0, 0, 1},
                                          {h->clips[WALK], 0, 1, 1},
                                          {h->clips[RUN], 0, 3, 1},
                                          {h->clips[STRAFE], -1, 0, 1}};
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = h->asset->skeleton;
    def.kind = SINEW_BLEND_SPACE_DIRECTIONAL;
    def.samples = samples;
    def.sample_count = 4;
    def.sync_names = steps;
    def.sync_name_count = 2;
    def.damping = 0.1f;
    sinew_blend_space *space;
    sinew_error error = {0};
    if (sinew_blend_space_create(&def, &space, &error) != SINEW_OK) fail_msg("%s", error.message);
    return space;
}

// The difference of a compressed clip has floats, so it is compressed again.
static sinew_clip *make_additive(const sinew_clip *clip) {
    sinew_clip *difference, *compressed;
    assert_int_equal(sinew_clip_make_additive(clip, NULL, NULL, &difference, NULL), SINEW_OK);
    if (clip->key_format == SINEW_KEYS_FLOAT) return difference;
    sinew_compress_def def = sinew_compress_default();
    def.max_error = MAX_ERROR;
    assert_int_equal(sinew_clip_compress(difference, &def, &compressed, NULL), SINEW_OK);
    sinew_clip_destroy(difference);
    return compressed;
}

static void open_hero(hero *h, sinew_asset *asset) {
    h->asset = asset;
    for (int i = 0; i < CLIPS; i++) h->clips[i] = sinew_asset_find_clip(asset, clip_names[i]);
    h->additive = make_additive(h->clips[HIT]);
    assert_int_equal(sinew_mask_create(asset->skeleton, 0.0f, NULL, &h->mask), SINEW_OK);
    sinew_mask_set_subtree(h->mask, sinew_skeleton_find(asset->skeleton, "Spine"), 1.0f, 2);
    h->space = make_space(h);
}

static int open_heroes(void **state) {
    (void)state;
    open_hero(&heroes[EXACT], load_hero(0.0f));
    open_hero(&heroes[COMPRESSED], load_hero(MAX_ERROR));
    open_hero(&heroes[BAKED], bake_hero(heroes[COMPRESSED].asset));
    assert_true(heroes[EXACT].asset->skeleton->node_count <= MAX_NODES);
    return 0;
}

static int close_heroes(void **state) {
    (void)state;
    for (int i = 0; i < HEROES; i++) {
        sinew_blend_space_destroy(heroes[i].space);
        sinew_mask_destroy(heroes[i].mask);
        sinew_clip_destroy(heroes[i].additive);
        sinew_asset_destroy(heroes[i].asset);
    }
    return 0;
}

// ---- A character -------------------------------------------------------------------------------------------------

typedef struct actor {
    const hero *hero;
    sinew_mixer *mixer;
    sinew_root_delta path; // since its first frame
} actor;

static sinew_mixer *make_hero_mixer(const hero *h) {
    sinew_root_motion_def root = sinew_root_motion_default();
    root.skeleton = h->asset->skeleton;
    root.node = sinew_skeleton_find(root.skeleton, "Hips");
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = h->asset->skeleton;
    def.layer_count = 3;
    def.sync_names = steps;
    def.sync_name_count = 2;
    def.root_motion = &root;
    return make_mixer(&def);
}

static actor begin(const hero *h) {
    return (actor){h, make_hero_mixer(h), (sinew_root_delta){.rotation = {0, 0, 0, 1}}};
}

static sinew_source source_of(const actor *a, int clip) {
    return sinew_clip_source(a->hero->clips[clip]);
}

static void transition(actor *a, int clip, int32_t layer, sinew_transition_kind kind) {
    sinew_transition to = sinew_transition_default();
    to.kind = kind;
    to.duration = 0.3f;
    sinew_play_def def = sinew_play_default();
    def.layer = layer;
    sinew_mixer_transition_to(a->mixer, source_of(a, clip), &to, &def);
}

// ---- Scripts -----------------------------------------------------------------------------------------------------

// What a program does in a frame, before the update.
typedef void (*script)(actor *a, int frame);

static void transition_in_base(actor *a, int frame, sinew_transition_kind kind) {
    static const int clips[] = {WALK, RUN, ATTACK, STRAFE, WAVE, IDLE};
    if (frame % 40 == 0) transition(a, clips[frame / 40], 0, kind);
}

static void fade(actor *a, int frame) {
    transition_in_base(a, frame, SINEW_TRANSITION_FADE);
}

static void inertialize(actor *a, int frame) {
    transition_in_base(a, frame, SINEW_TRANSITION_INERTIALIZE);
}

static void dead_blend(actor *a, int frame) {
    transition_in_base(a, frame, SINEW_TRANSITION_DEAD_BLEND);
}

static void inertialize_a_layer(actor *a, int frame) {
    if (frame == 0) {
        sinew_mixer_play(a->mixer, source_of(a, WALK), NULL);
        sinew_layer_set_mask(a->mixer, 1, a->hero->mask);
    }
    if (frame == 30) transition(a, WAVE, 1, SINEW_TRANSITION_INERTIALIZE);
    if (frame == 80) transition(a, ATTACK, 1, SINEW_TRANSITION_INERTIALIZE);
    if (frame == 120) sinew_mixer_inertialize(a->mixer, 1, 0.2f);
    if (frame == 120) sinew_layer_set_weight(a->mixer, 1, 0.25f);
    if (frame == 160) transition(a, RUN, 0, SINEW_TRANSITION_INERTIALIZE);
    if (frame == 200) sinew_layer_fade_to(a->mixer, 1, 0.0f, 0.25f, SINEW_EASING_SMOOTHSTEP);
}

static void play_in_sync(actor *a, int clip, float fade) {
    sinew_play_def def = sinew_play_default();
    def.sync = 1;
    def.fade = fade;
    sinew_mixer_play(a->mixer, source_of(a, clip), &def);
}

static void synchronize(actor *a, int frame) {
    if (frame == 0) play_in_sync(a, WALK, 0.0f);
    if (frame == 50) play_in_sync(a, RUN, 0.5f);
    if (frame == 110) play_in_sync(a, STRAFE, 0.25f);
    if (frame == 150)
        sinew_action_fade_out(a->mixer, sinew_mixer_find(a->mixer, source_of(a, WALK), SINEW_ALL_LAYERS), 0.4f);
    if (frame == 190)
        sinew_action_set_time(a->mixer, sinew_mixer_find(a->mixer, source_of(a, RUN), SINEW_ALL_LAYERS), 0.1f);
}

static void add(actor *a, int frame) {
    sinew_play_def def = sinew_play_default();
    def.layer = 2;
    def.fade = 0.2f;
    def.weight = 0.8f;
    if (frame == 0) {
        sinew_layer_set_mode(a->mixer, 2, SINEW_LAYER_ADDITIVE);
        sinew_layer_set_mask(a->mixer, 2, a->hero->mask);
        sinew_mixer_play(a->mixer, source_of(a, RUN), NULL);
    }
    if (frame % 60 == 20) sinew_mixer_play(a->mixer, sinew_clip_source(a->hero->additive), &def);
    if (frame % 60 == 50) sinew_layer_set_weight(a->mixer, 2, (float)(frame % 7) / 7.0f);
}

static void steer(actor *a, int frame) {
    const float t = FRAME * (float)frame;
    const sinew_source source = sinew_blend_space_source(a->hero->space, -0.8f * t / 4, 3.0f - 0.7f * t);
    if (frame % 10 == 0) sinew_mixer_play(a->mixer, source, NULL);
    if (frame == 120) transition(a, ATTACK, 0, SINEW_TRANSITION_INERTIALIZE);
    if (frame == 160) sinew_mixer_crossfade_to(a->mixer, source, 0.3f, NULL);
}

static void wind(actor *a, int frame) {
    sinew_play_def def = sinew_play_default();
    def.loop = SINEW_LOOP_PING_PONG;
    def.speed = -1.7f;
    const sinew_action action = sinew_mixer_find(a->mixer, source_of(a, ATTACK), SINEW_ALL_LAYERS);
    if (frame == 0) sinew_mixer_play(a->mixer, source_of(a, ATTACK), &def);
    if (frame == 60) sinew_action_set_paused(a->mixer, action, true);
    if (frame == 80) sinew_action_set_paused(a->mixer, action, false);
    if (frame == 100) sinew_action_set_time(a->mixer, action, 0.77f);
    if (frame == 120) sinew_action_set_speed(a->mixer, action, 0.3f);
    if (frame == 150) sinew_action_set_loop(a->mixer, action, SINEW_LOOP_ONCE, 1);
    if (frame == 150) sinew_action_queue(a->mixer, action, source_of(a, IDLE), NULL, NULL);
}

// The largest distance of a virtual point, in a clip's errors. Means of poses differ by the error, if you leave out
// the chain of joints. A layer adds its own clip's error.
#define MEAN  1.5
#define ADDED 2.0
// A transition that starts from the pose and its velocity has the clip's own error; both clips' errors in the offset;
// and the velocity's: 2 errors in the time between keys, at most 60 per second, times what a unit of velocity leaves:
// 0.1493 of the duration (mixer.h).
#define CARRIED (1.0 + 2.0 + 2.0 * 60.0 * 0.1493 * 0.3)
// A pose that continues with that velocity, which decays: it moves by less than a third of the velocity times the duration.
#define CONTINUED (1.0 + 2.0 * 60.0 * 0.3 / 3.0)
// A clip's path from one time to another differs by 2 errors, and the scripts play six clips at most.
#define PATH 12.0

typedef struct pair {
    const char *name;
    script script;
    double pose; // errors
} pair;

static const pair pairs[] = {
    {"fade", fade, MEAN},
    {"inertialize", inertialize, CARRIED},
    {"dead blend", dead_blend, CONTINUED},
    {"inertialize a layer", inertialize_a_layer, CARRIED},
    {"sync", synchronize, MEAN},
    {"additive", add, ADDED},
    {"blend space", steer, CARRIED},
    {"times", wind, MEAN},
};
enum { PAIRS = sizeof pairs / sizeof pairs[0] };

static void step(actor *a, script does, int frame) {
    does(a, frame);
    sinew_mixer_update(a->mixer, FRAME);
    a->path = sinew_root_delta_compose(a->path, sinew_mixer_root_delta(a->mixer));
}

// ---- The same pose, within the error -----------------------------------------------------------------------------

static double distance_of(sinew_vec3 p, sinew_vec3 q) {
    const double x = (double)p.x - q.x, y = (double)p.y - q.y, z = (double)p.z - q.z;
    return sqrt(x * x + y * y + z * z);
}

static double pose_difference(const actor *a, const actor *b) {
    const sinew_vec3 points[4] = {{0, 0, 0}, {DISTANCE, 0, 0}, {0, DISTANCE, 0}, {0, 0, DISTANCE}};
    const sinew_affine *m = sinew_mixer_model_matrices(a->mixer), *n = sinew_mixer_model_matrices(b->mixer);
    double most = 0.0;
    for (int32_t i = 0; i < a->hero->asset->skeleton->node_count; i++)
        for (int p = 0; p < 4; p++)
            most =
                fmax(most, distance_of(sinew_affine_point(m[i], points[p]), sinew_affine_point(n[i], points[p])));
    return most;
}

static void check_same_events(const sinew_mixer *a, const sinew_mixer *b) {
    const sinew_events of_a = sinew_mixer_events(a), of_b = sinew_mixer_events(b);
    assert_int_equal(of_a.count, of_b.count);
    for (int32_t i = 0; i < of_a.count; i++) {
        const sinew_event *e = &of_a.items[i], *f = &of_b.items[i];
        assert_true(e->type == f->type && e->layer == f->layer && e->moment == f->moment && e->weight == f->weight);
        assert_string_equal(e->clip->name, f->clip->name);
        if (e->type == SINEW_EVENT_MARKER) assert_string_equal(e->marker->name, f->marker->name);
    }
}

static void check_same_actions(const sinew_mixer *a, const sinew_mixer *b) {
    sinew_action actions[2][16];
    const int32_t count = sinew_mixer_actions(a, actions[0], 16);
    assert_int_equal(sinew_mixer_actions(b, actions[1], 16), count);
    for (int32_t i = 0; i < count; i++) {
        assert_true(sinew_action_time(a, actions[0][i]) == sinew_action_time(b, actions[1][i]));
        assert_true(sinew_action_weight(a, actions[0][i]) == sinew_action_weight(b, actions[1][i]));
    }
}

static void check_pair(const pair *p) {
    actor exact = begin(&heroes[EXACT]), compressed = begin(&heroes[COMPRESSED]);
    double pose = 0.0, path = 0.0;
    for (int frame = 0; frame < FRAMES; frame++) {
        step(&exact, p->script, frame);
        step(&compressed, p->script, frame);
        check_same_actions(exact.mixer, compressed.mixer);
        check_same_events(exact.mixer, compressed.mixer);
        pose = fmax(pose, pose_difference(&exact, &compressed));
        path = fmax(path, distance_of(exact.path.translation, compressed.path.translation));
    }
    pose /= (double)MAX_ERROR, path /= (double)MAX_ERROR;
    print_message("%s: poses %.2f errors, path %.2f errors\n", p->name, pose, path);
    if (!(pose > 0.0 && pose <= p->pose)) fail_msg("%s: poses differ by %g errors", p->name, pose);
    if (!(path <= PATH)) fail_msg("%s: paths differ by %g errors", p->name, path);
    sinew_mixer_destroy(exact.mixer);
    sinew_mixer_destroy(compressed.mixer);
}

static void test_poses_differ_by_the_error(void **state) {
    (void)state;
    for (int i = 0; i < PAIRS; i++) check_pair(&pairs[i]);
}

// ---- The same bits -----------------------------------------------------------------------------------------------

static uint64_t add_bits_of_actor(uint64_t bits, const actor *a) {
    const uint64_t seen = bits_of(a->mixer, a->hero->asset->skeleton);
    return add_bits(bits ^ seen, &a->path.translation.x, 3);
}

static uint64_t play_pair(const hero *h, script does) {
    actor a = begin(h);
    uint64_t bits = BITS_NONE;
    for (int frame = 0; frame < FRAMES; frame++) {
        step(&a, does, frame);
        bits = add_bits_of_actor(bits, &a);
    }
    sinew_mixer_destroy(a.mixer);
    return bits;
}

static void test_baked_assets_have_the_same_bits(void **state) {
    (void)state;
    for (int i = 0; i < PAIRS; i++) {
        const uint64_t bits = play_pair(&heroes[COMPRESSED], pairs[i].script);
        if (play_pair(&heroes[BAKED], pairs[i].script) != bits) fail_msg("%s", pairs[i].name);
        assert_true(play_pair(&heroes[EXACT], pairs[i].script) != bits);
    }
}

// Every 23 frames, a character plays 9 more frames, is restored, and does the same again.
static void check_rollback(const pair *p) {
    actor straight = begin(&heroes[COMPRESSED]), rolled = begin(&heroes[COMPRESSED]);
    const size_t size = sinew_mixer_snapshot_size(rolled.mixer);
    void *snapshot = malloc(size);
    for (int frame = 0; frame < FRAMES; frame++) {
        if (frame % 23 == 5) {
            const sinew_root_delta path = rolled.path;
            sinew_mixer_save(rolled.mixer, snapshot);
            for (int ahead = frame; ahead < frame + 9 && ahead < FRAMES; ahead++) step(&rolled, p->script, ahead);
            assert_true(sinew_mixer_restore(rolled.mixer, snapshot, size));
            rolled.path = path;
        }
        step(&straight, p->script, frame);
        step(&rolled, p->script, frame);
        if (add_bits_of_actor(0, &straight) != add_bits_of_actor(0, &rolled))
            fail_msg("%s: frame %d after a rollback", p->name, frame);
    }
    free(snapshot);
    sinew_mixer_destroy(straight.mixer);
    sinew_mixer_destroy(rolled.mixer);
}

static void test_rollback_has_the_same_bits(void **state) {
    (void)state;
    for (int i = 0; i < PAIRS; i++) check_rollback(&pairs[i]);
}

// A replay of `r` with the clips of a hero and its additive one.
static sinew_result replay_on(const recorded *r, const hero *h, sinew_replay **replay, sinew_error *error) {
    const sinew_clip *clips[64];
    const int32_t count = h->asset->clip_count;
    assert_true(count < 64);
    for (int32_t i = 0; i < count; i++) clips[i] = &h->asset->clips[i];
    clips[count] = h->additive;
    sinew_replay_def def = sinew_replay_default();
    def.bytes = r->bytes;
    def.size = r->size;
    def.skeleton = h->asset->skeleton;
    def.clips = clips;
    def.clip_count = count + 1;
    return sinew_replay_create(&def, replay, error);
}

// A recording finds the clips that it was made with, even from a baked asset, and no others.
static void check_recording(const pair *p) {
    recorded r = {0};
    actor a = begin(&heroes[COMPRESSED]);
    assert_int_equal(sinew_mixer_record(a.mixer, record_bytes, &r, NULL), SINEW_OK);
    for (int frame = 0; frame < FRAMES; frame++) step(&a, p->script, frame);
    assert_int_equal(sinew_mixer_record(a.mixer, NULL, NULL, NULL), SINEW_OK);
    for (int i = COMPRESSED; i < HEROES; i++) {
        sinew_replay *replay;
        sinew_error error = {0};
        if (replay_on(&r, &heroes[i], &replay, &error) != SINEW_OK) fail_msg("%s: %s", p->name, error.message);
        replay_all(replay);
        assert_int_equal(replay->first_mismatch, -1);
        assert_true(bits_of(replay->mixer, heroes[i].asset->skeleton) ==
                    bits_of(a.mixer, heroes[COMPRESSED].asset->skeleton));
        sinew_replay_destroy(replay);
    }
    sinew_replay *none;
    sinew_error error = {0};
    assert_int_equal(replay_on(&r, &heroes[EXACT], &none, &error), SINEW_ERROR_ARGUMENT);
    sinew_mixer_destroy(a.mixer);
    free(r.bytes);
}

static void test_recordings_find_compressed_clips(void **state) {
    (void)state;
    for (int i = 0; i < PAIRS; i++) check_recording(&pairs[i]);
}

// ---- Batches -----------------------------------------------------------------------------------------------------

enum { CROWD = 3 * PAIRS };

typedef struct crowd {
    actor actors[CROWD];
    sinew_batch_item items[CROWD];
    sinew_affine palettes[CROWD][MAX_NODES];
} crowd;

// A third has exact clips, the others compressed ones; all do something else.
static crowd *make_crowd(void) {
    crowd *c = calloc(1, sizeof *c);
    for (int i = 0; i < CROWD; i++) {
        const hero *h = &heroes[i % 3];
        c->actors[i] = begin(h);
        c->items[i] = (sinew_batch_item){.mixer = c->actors[i].mixer,
                                         .skin = &h->asset->skins[0],
                                         .palette = c->palettes[i],
                                         .significance = 1.0f};
    }
    return c;
}

static void free_crowd(crowd *c) {
    for (int i = 0; i < CROWD; i++) sinew_mixer_destroy(c->actors[i].mixer);
    free(c);
}

static void direct(crowd *c, int frame) {
    for (int i = 0; i < CROWD; i++) pairs[i / 3].script(&c->actors[i], frame);
}

static void test_batches_have_the_bits_of_single_updates(void **state) {
    (void)state;
    crowd *batch = make_crowd(), *single = make_crowd();
    const int32_t joints = heroes[0].asset->skins[0].joint_count;
    for (int frame = 0; frame < FRAMES; frame++) {
        direct(batch, frame);
        direct(single, frame);
        sinew_batch_update(batch->items, 0, CROWD, FRAME);
        for (int i = 0; i < CROWD; i++) {
            sinew_mixer *mixer = single->actors[i].mixer;
            if (sinew_mixer_update(mixer, FRAME))
                sinew_skin_palette(single->items[i].skin, sinew_mixer_model_matrices(mixer), single->palettes[i]);
            assert_memory_equal(batch->palettes[i], single->palettes[i], (size_t)joints * sizeof(sinew_affine));
            const sinew_skeleton *skeleton = heroes[i % 3].asset->skeleton;
            assert_true(bits_of(mixer, skeleton) == bits_of(batch->actors[i].mixer, skeleton));
        }
    }
    free_crowd(batch);
    free_crowd(single);
}

// The same actors without a level of detail and with one: joints that are not dropped have the same bits.
static void test_levels_of_detail_keep_the_other_joints(void **state) {
    (void)state;
    static const char *const hands[2] = {"Hand_L", "Hand_R"};
    crowd *whole = make_crowd(), *reduced = make_crowd();
    sinew_node_lod *lods[HEROES];
    bool kept[MAX_NODES];
    for (int i = 0; i < HEROES; i++) {
        const sinew_skin *skin = &heroes[i].asset->skins[0];
        sinew_mask *mask;
        assert_int_equal(sinew_mask_create(skin->skeleton, 1.0f, NULL, &mask), SINEW_OK);
        for (int k = 0; k < 2; k++)
            sinew_mask_set_subtree(mask, sinew_skeleton_find(skin->skeleton, hands[k]), 0.0f, 0);
        assert_int_equal(sinew_node_lod_create(skin, mask, NULL, &lods[i]), SINEW_OK);
        for (int32_t j = 0; j < skin->joint_count; j++) kept[j] = mask->nodes[skin->joints[j]] > 0.0f;
        sinew_mask_destroy(mask);
    }
    for (int i = 0; i < CROWD; i++) reduced->items[i].lod = lods[i % 3];
    const int32_t joints = heroes[0].asset->skins[0].joint_count;
    int dropped = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        direct(whole, frame);
        direct(reduced, frame);
        sinew_batch_update(whole->items, 0, CROWD, FRAME);
        sinew_batch_update(reduced->items, 0, CROWD, FRAME);
        for (int i = 0; i < CROWD * joints; i++) {
            const sinew_affine *a = &whole->palettes[i / joints][i % joints],
                               *b = &reduced->palettes[i / joints][i % joints];
            if (kept[i % joints]) assert_memory_equal(a, b, sizeof *a);
            dropped += memcmp(a, b, sizeof *a) != 0;
        }
    }
    assert_true(dropped > FRAMES * CROWD);
    for (int i = 0; i < HEROES; i++) sinew_node_lod_destroy(lods[i]);
    free_crowd(whole);
    free_crowd(reduced);
}

static int32_t event_count(const sinew_mixer *mixer) {
    return sinew_mixer_events(mixer).count;
}

// Characters posed within a budget have the same poses as those posed every frame, except for rounded times. Events
// are in the same frames. Scripts act every tenth frame.
static void test_budgets(void **state) {
    (void)state;
    crowd *limited = make_crowd(), *all = make_crowd();
    sinew_batch_budget budget = sinew_batch_budget_default();
    budget.max_poses = CROWD / 3;
    int posed = 0, events = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int i = 0; i < CROWD && frame % 10 == 0; i++) sinew_batch_catch_up(&limited->items[i]);
        if (frame % 10 == 0) direct(limited, frame);
        direct(all, frame);
        sinew_batch_update_within(&budget, limited->items, 0, CROWD, FRAME);
        sinew_batch_update(all->items, 0, CROWD, FRAME);
        for (int i = 0; i < CROWD; i++) {
            const int32_t count = event_count(all->actors[i].mixer);
            assert_int_equal(event_count(limited->actors[i].mixer), count);
            events += count;
            if (!limited->items[i].changed) continue;
            posed++;
            const double found = pose_difference(&limited->actors[i], &all->actors[i]);
            if (!(found < 1e-4)) fail_msg("%s, frame %d: %g", pairs[i / 3].name, frame, found);
        }
    }
    assert_true(posed > FRAMES * CROWD / 4 && posed < FRAMES * CROWD / 2 && events > CROWD);
    free_crowd(limited);
    free_crowd(all);
}

// ---- SIMD widths -------------------------------------------------------------------------------------------------

#ifndef _WIN32

static const char *program;

static uint64_t bits_of_all(void) {
    uint64_t bits = BITS_NONE;
    for (int i = 0; i < PAIRS; i++) bits = 31 * bits + play_pair(&heroes[COMPRESSED], pairs[i].script);
    return bits;
}

// The heroes are loaded, compressed and played by another process at each level.
static void test_every_simd_level_has_the_same_bits(void **state) {
    (void)state;
    char wanted[32], found[32], command[1100];
    snprintf(wanted, sizeof wanted, "%016llx", (unsigned long long)bits_of_all());
    for (int level = 0; level < SINEWI_SIMD_LEVELS; level++) {
        if (!sinewi_simd_level_runs((sinewi_simd_level)level)) continue;
        const char *name = sinewi_simd_level_name((sinewi_simd_level)level);
        snprintf(command, sizeof command, "SINEW_SIMD=%s '%s' bits", name, program);
        FILE *pipe = popen(command, "r"); // NOLINT(cert-env33-c): this program at another level
        assert_non_null(pipe);
        assert_non_null(fgets(found, sizeof found, pipe));
        assert_int_equal(pclose(pipe), 0);
        if (strcmp(found, wanted) != 0) fail_msg("%s: %s, not %s", name, found, wanted);
    }
}

static int print_bits(void) {
    open_heroes(NULL);
    printf("%016llx", (unsigned long long)bits_of_all());
    close_heroes(NULL);
    return 0;
}

#endif

int main(int argc, char **argv) {
#ifndef _WIN32
    program = argv[0];
    if (argc > 1 && strcmp(argv[1], "bits") == 0) return print_bits();
#endif
    (void)argc, (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poses_differ_by_the_error),
        cmocka_unit_test(test_baked_assets_have_the_same_bits),
        cmocka_unit_test(test_rollback_has_the_same_bits),
        cmocka_unit_test(test_recordings_find_compressed_clips),
        cmocka_unit_test(test_batches_have_the_bits_of_single_updates),
        cmocka_unit_test(test_levels_of_detail_keep_the_other_joints),
        cmocka_unit_test(test_budgets),
#ifndef _WIN32
        cmocka_unit_test(test_every_simd_level_has_the_same_bits),
#endif
    };
    return cmocka_run_group_tests(tests, open_heroes, close_heroes);
}
