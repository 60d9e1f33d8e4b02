// SPDX-License-Identifier: MIT
// The hero's hair, scarf and skirt on springs: frame rates, rollback, replay, inertialized edits, mirrored and scaled
// characters, and scenes.
#include "support/random_rig.h"
#include "support/recorded.h"

#include <stdio.h>

enum { CHAINS = 8, MAX_NODES = 128 };

static sinew_asset *hero;
static sinew_springs *springs;
static size_t state_size;

typedef struct chain_of_hero {
    const char *first;
    int32_t count;
    float stiffness, damping;
    bool from_rest;
} chain_of_hero;

static const chain_of_hero chains[CHAINS] = {
    {"Hair1", 3, 60, 0.1f, true},       {"Scarf1", 3, 14, 0.1f, true},      {"SkirtF_L", 1, 150, 0.04f, false},
    {"SkirtF_R", 1, 150, 0.04f, false}, {"SkirtS_L", 1, 150, 0.04f, false}, {"SkirtS_R", 1, 150, 0.04f, false},
    {"SkirtB_L", 1, 150, 0.04f, false}, {"SkirtB_R", 1, 150, 0.04f, false},
};

static int load(void **state) {
    (void)state;
    sinew_error error = {0};
    if (sinew_gltf_load_file(SINEW_MODELS "/hero.glb", NULL, &hero, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    sinew_spring_joint joints[CHAINS][3];
    sinew_spring_chain defs[CHAINS];
    const int32_t back[1] = {0};
    for (int i = 0; i < CHAINS; i++) {
        const int32_t node = sinew_skeleton_find(hero->skeleton, chains[i].first);
        assert_int_not_equal(node, SINEW_NO_NODE);
        for (int32_t k = 0; k < chains[i].count; k++) {
            joints[i][k] = sinew_spring_joint_default();
            joints[i][k].node = node + k;
            joints[i][k].stiffness = chains[i].stiffness;
            joints[i][k].damping = chains[i].damping;
            joints[i][k].limit = 1.2f;
        }
        defs[i] = sinew_spring_chain_default();
        defs[i].joints = joints[i];
        defs[i].joint_count = chains[i].count;
        defs[i].tail = (sinew_vec3){0, -0.15f, 0};
        defs[i].from_rest = chains[i].from_rest;
        defs[i].colliders = back;
        defs[i].collider_count = i < 2;
    }
    sinew_spring_collider collider = sinew_spring_collider_default();
    collider.node = sinew_skeleton_find(hero->skeleton, "UpperChest");
    collider.radius = 0.1f;
    sinew_springs_def def = sinew_springs_default();
    def.skeleton = hero->skeleton;
    def.chains = defs;
    def.chain_count = CHAINS;
    def.colliders = &collider;
    def.collider_count = 1;
    assert_int_equal(sinew_springs_create(&def, &springs, &error), SINEW_OK);
    state_size = sinew_springs_state_size(springs);
    return 0;
}

static int unload(void **state) {
    (void)state;
    sinew_springs_destroy(springs);
    sinew_asset_destroy(hero);
    return 0;
}

// ---- A character ---------------------------------------------------------------------------------------------

typedef struct actor {
    sinew_mixer *mixer;
    sinew_spring_state *state;
    sinew_springs_input input;
    float dt;
    sinew_affine model[MAX_NODES];
} actor;

static sinew_mixer_def mixer_def(void) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = hero->skeleton;
    return def;
}

static void begin(actor *a) {
    const sinew_mixer_def def = mixer_def();
    memset(a, 0, sizeof *a);
    assert_int_equal(sinew_mixer_create(&def, &a->mixer, NULL), SINEW_OK);
    a->state = malloc(state_size);
    sinew_springs_reset(springs, a->state);
    a->input = sinew_springs_input_default();
    a->dt = 0;
}

static void end(actor *a) {
    sinew_mixer_destroy(a->mixer);
    free(a->state);
}

// The character walks, runs and turns along a curve.
static sinew_affine world_at(double t) {
    return sinew_affine_from_transform((sinew_transform){
        {(float)(2 * sin(0.6 * t)), 0, (float)(2.2 * t)}, about_y(0.5 * sin(0.6 * t)), {1, 1, 1}});
}

static void swing(actor *a, const sinew_mixer *mixer, sinew_pose *pose) {
    (void)mixer;
    sinew_pose_to_model(pose, a->model);
    sinew_springs_solve(springs, &a->input, a->dt, a->state, pose, a->model);
}

// A frame that ends at the time t.
static void frame_at(actor *a, float dt, double t) {
    sinew_mixer_advance(a->mixer, dt);
    sinew_mixer_evaluate(a->mixer);
    a->dt = dt;
    a->input.world = world_at(t);
    swing(a, a->mixer, sinew_mixer_edit_pose(a->mixer));
}

static void play(actor *a, const char *name, float fade) {
    const sinew_clip *clip = sinew_asset_find_clip(hero, name);
    assert_non_null(clip);
    if (fade > 0)
        sinew_mixer_crossfade_to(a->mixer, sinew_clip_source(clip), fade, NULL);
    else
        sinew_mixer_play(a->mixer, sinew_clip_source(clip), NULL);
}

// The end of the last bone of a chain, in the world.
static sinew_vec3 tip_of(const actor *a, int chain) {
    const int32_t node = sinew_skeleton_find(hero->skeleton, chains[chain].first) + chains[chain].count - 1;
    return sinew_affine_point(a->input.world, sinew_affine_point(a->model[node], (sinew_vec3){0, -0.15f, 0}));
}

static double length_of(int chain) {
    double length = 0.15;
    const int32_t node = sinew_skeleton_find(hero->skeleton, chains[chain].first);
    for (int32_t i = 1; i < chains[chain].count; i++) {
        length += (double)sinew_vec3_length(hero->skeleton->rest[node + i].translation);
    }
    return length;
}

// ---- Tests ---------------------------------------------------------------------------------------------------

// How far the tips of two characters are apart in the frames of a comparison, as fractions of their chains' lengths.
typedef struct distances {
    double sum[CHAINS], largest[CHAINS], last[CHAINS];
    int count;
} distances;

static void add_distances(distances *d, const actor *a, const actor *b) {
    for (int c = 0; c < CHAINS; c++) {
        d->last[c] = (double)sinew_vec3_length(sinew_vec3_subtract(tip_of(a, c), tip_of(b, c))) / length_of(c);
        d->sum[c] += d->last[c];
        d->largest[c] = fmax(d->largest[c], d->last[c]);
    }
    d->count++;
}

static double most_of(const double *values) {
    double most = 0;
    for (int c = 0; c < CHAINS; c++) most = fmax(most, values[c]);
    return most;
}

// Of each kind, the chain with the largest counts.
static void check_distances(const distances *d, const char *what, double last, double mean, double largest) {
    const double of_last = most_of(d->last), of_mean = most_of(d->sum) / d->count, of_largest = most_of(d->largest);
    print_message("%s: at most %.4f %% apart, %.4f %% on average, %.4f %% at the end\n", what, 100 * of_largest,
                  100 * of_mean, 100 * of_last);
    assert_true(of_last < last && of_mean < mean && of_largest < largest);
}

enum { CLIP_FRAMES = 60, ALL_FRAMES = 5 * CLIP_FRAMES }; // of 1/30 s

// Ten seconds of clips and fades.
static void play_next(actor *a, int frame) {
    static const char *const clips[] = {"Walk", "Run", "Idle", "Attack", "Walk"};
    if (frame % CLIP_FRAMES == 0) play(a, clips[frame / CLIP_FRAMES], frame > 0 ? 0.3f : 0);
}

// The hair swings, or comparing it would say little.
static double swing_of_hair(actor *a) {
    const int32_t node = sinew_skeleton_find(hero->skeleton, "Hair1");
    return angle_between(sinew_pose_get(sinew_mixer_edit_pose(a->mixer), node).rotation,
                         hero->skeleton->rest[node].rotation);
}

// Each character samples the clips itself. 60 and 240 Hz both see the pose of every step. 30 Hz sees every other one: it misses every
// other key of a strike that is keyed at 60 Hz.
static void test_frame_rates_agree_on_the_heros_clips(void **state) {
    (void)state;
    actor all[3];
    static const int parts[3] = {1, 2, 8}; // of 1/30 s
    distances slow = {.count = 0}, even = {.count = 0};
    double swung = 0;
    for (int k = 0; k < 3; k++) begin(&all[k]);
    for (int i = 0; i < ALL_FRAMES; i++) {
        for (int k = 0; k < 3; k++) {
            play_next(&all[k], i);
            if (i == 0) frame_at(&all[k], 0, 0);
            for (int part = 1; part <= parts[k]; part++)
                frame_at(&all[k], 1.0f / (float)(30 * parts[k]), (i + part / (double)parts[k]) / 30);
        }
        add_distances(&slow, &all[0], &all[2]);
        add_distances(&even, &all[1], &all[2]);
        swung = fmax(swung, swing_of_hair(&all[2]));
    }
    check_distances(&slow, "30 and 240 Hz", 0.0005, 0.003, 0.03);
    check_distances(&even, "60 and 240 Hz", 1e-5, 1e-5, 1e-5);
    assert_true(swung > 0.3);
    for (int k = 0; k < 3; k++) end(&all[k]);
}

// The pose at the end of a frame, and its nodes in the world.
typedef struct sight {
    sinew_pose *pose;
    sinew_affine world[MAX_NODES];
} sight;

static void see(sight *s, actor *a, int frame) {
    if (frame > 0) sinew_mixer_advance(a->mixer, 1.0f / 30);
    sinew_mixer_evaluate(a->mixer);
    sinew_pose_copy(s->pose, sinew_mixer_edit_pose(a->mixer));
    sinew_pose_to_model(s->pose, s->world);
    for (int32_t node = 0; node < hero->skeleton->node_count; node++)
        s->world[node] = sinew_affine_multiply(world_at(frame / 30.0), s->world[node]);
}

// Of matrices without scale.
static sinew_affine matrix_between(const sinew_affine *a, const sinew_affine *b, float t) {
    sinew_affine m;
    for (int column = 0; column < 4; column++) {
        sinew_vec3 v = sinew_vec3_lerp((sinew_vec3){a->m[0][column], a->m[1][column], a->m[2][column]},
                                       (sinew_vec3){b->m[0][column], b->m[1][column], b->m[2][column]}, t);
        if (column < 3) v = sinew_vec3_normalize(v);
        m.m[0][column] = v.x, m.m[1][column] = v.y, m.m[2][column] = v.z;
    }
    return m;
}

// A frame that ends at a part of the straight line between two sights.
static void frame_between(actor *a, const sight *from, const sight *to, float t, float dt) {
    sinew_pose *pose = sinew_mixer_edit_pose(a->mixer); // only memory
    sinew_pose_blend(pose, from->pose, to->pose, t, NULL);
    for (int32_t node = 0; node < hero->skeleton->node_count; node++)
        a->model[node] = matrix_between(&from->world[node], &to->world[node], t);
    a->dt = dt;
    sinew_springs_solve(springs, &a->input, a->dt, a->state, pose, a->model);
}

// Characters at several rates follow one motion: the poses of 30 Hz, and straight lines between them.
static void test_frame_rates_agree_on_one_motion(void **state) {
    (void)state;
    static const int parts[4] = {1, 2, 5, 8}; // of 1/30 s
    actor source, all[4];
    distances apart[3] = {{.count = 0}};
    static sight sights[2];
    begin(&source);
    for (int k = 0; k < 4; k++) begin(&all[k]);
    for (int k = 0; k < 2; k++)
        assert_int_equal(sinew_pose_create(hero->skeleton, NULL, &sights[k].pose), SINEW_OK);
    play_next(&source, 0);
    see(&sights[0], &source, 0);
    for (int k = 0; k < 4; k++) frame_between(&all[k], &sights[0], &sights[0], 1, 0);
    for (int i = 1; i < ALL_FRAMES; i++) {
        const sight *from = &sights[(i + 1) % 2], *to = &sights[i % 2];
        play_next(&source, i);
        see(&sights[i % 2], &source, i);
        for (int k = 0; k < 4; k++) {
            for (int part = 1; part <= parts[k]; part++)
                frame_between(&all[k], from, to, (float)part / (float)parts[k], 1.0f / (float)(30 * parts[k]));
        }
        for (int k = 0; k < 3; k++) add_distances(&apart[k], &all[k], &all[3]);
    }
    check_distances(&apart[0], "30 and 240 Hz of one motion", 5e-5, 1e-5, 5e-5);
    check_distances(&apart[1], "60 and 240 Hz of one motion", 5e-5, 1e-5, 5e-5);
    check_distances(&apart[2], "150 and 240 Hz of one motion", 5e-5, 1e-5, 5e-5);
    for (int k = 0; k < 2; k++) sinew_pose_destroy(sights[k].pose);
    for (int k = 0; k < 4; k++) end(&all[k]);
    end(&source);
}

// Goes back to a snapshot in the middle of a step, at every part of one, into the same memory or another character's.
static void check_rollback(int frame, bool in_another) {
    actor a, b;
    begin(&a);
    begin(&b);
    play(&a, "Run", 0);
    for (int i = 0; i < frame; i++) frame_at(&a, 0.013f, 0.013 * i);
    void *snapshot = malloc(sinew_mixer_snapshot_size(a.mixer)), *copy = malloc(state_size);
    const size_t saved = sinew_mixer_save(a.mixer, snapshot);
    memcpy(copy, a.state, state_size);
    uint64_t bits[2] = {BITS_NONE, BITS_NONE};
    for (int run = 0; run < 2; run++) {
        actor *one = run == 1 && in_another ? &b : &a;
        assert_true(sinew_mixer_restore(one->mixer, snapshot, saved));
        memcpy(one->state, copy, state_size);
        for (int i = frame; i < frame + 50; i++) {
            frame_at(one, 0.013f, 0.013 * i);
            bits[run] = add_bits_of_pose(bits[run], sinew_mixer_edit_pose(one->mixer));
        }
        bits[run] = add_bits(bits[run], (const float *)(const void *)one->state, state_size / sizeof(float));
    }
    assert_int_equal(bits[0], bits[1]);
    free(snapshot);
    free(copy);
    end(&a);
    end(&b);
}

static void test_rollback_gives_the_same_bits(void **state) {
    (void)state;
    for (int frame = 100; frame < 110; frame++) check_rollback(frame, frame % 2);
}

// The character looks up from frame 60 on, an edit that is inertialized, and fades to another clip at frame 90. Springs are solved
// after the pose is finished.
static void edited_frame(actor *a, int frame, bool inertializes, bool springs_on) {
    if (frame == 90) play(a, "Run", 0.3f);
    sinew_mixer_advance(a->mixer, 1.0f / 60);
    if (frame == 60 && inertializes) sinew_mixer_inertialize(a->mixer, SINEW_ALL_LAYERS, 0.4f);
    sinew_mixer_evaluate(a->mixer);
    sinew_pose *pose = sinew_mixer_edit_pose(a->mixer);
    const int32_t chest = sinew_skeleton_find(hero->skeleton, "UpperChest");
    sinew_transform t = sinew_pose_get(pose, chest);
    if (frame >= 60) t.rotation = sinew_quat_multiply(t.rotation, about_x(0.6));
    sinew_pose_set(pose, chest, t);
    sinew_mixer_finish_pose(a->mixer);
    a->dt = 1.0f / 60;
    if (springs_on) swing(a, a->mixer, pose);
}

static void begin_edited(actor *a) {
    begin(a);
    sinew_mixer_destroy(a->mixer);
    sinew_mixer_def def = mixer_def();
    def.inertialization = true;
    assert_int_equal(sinew_mixer_create(&def, &a->mixer, NULL), SINEW_OK);
    play(a, "Walk", 0);
}

// Nodes without springs have the same bits as without any springs: springs don't affect the mixer's state. Nor does
// inertialization affect the springs' state: the same frames in a pose from the program give the same bits.
static void test_springs_of_inertialized_edits(void **state) {
    (void)state;
    actor with, without, copied;
    begin_edited(&with);
    begin_edited(&without);
    begin_edited(&copied);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(hero->skeleton, NULL, &pose), SINEW_OK);
    const int32_t head = sinew_skeleton_find(hero->skeleton, "Head");
    for (int i = 0; i < 150; i++) {
        edited_frame(&with, i, true, true);
        edited_frame(&without, i, true, false);
        sinew_pose_copy(pose, sinew_mixer_edit_pose(without.mixer));
        copied.input = with.input;
        copied.dt = with.dt;
        swing(&copied, NULL, pose);
        const sinew_pose *shown = sinew_mixer_edit_pose(with.mixer);
        const sinew_transform a = sinew_pose_get(shown, head), b = sinew_pose_get(pose, head);
        assert_memory_equal(&a, &b, sizeof a);
        for (int c = 0; c < 2; c++) { // of chains that return to the rest pose
            const sinew_vec3 p = tip_of(&with, c), q = tip_of(&copied, c);
            assert_memory_equal(&p, &q, sizeof p);
        }
    }
    sinew_pose_destroy(pose);
    end(&with);
    end(&without);
    end(&copied);
}

// The largest change of the velocity of the hair's tip in a frame around the edit.
static double largest_jolt(bool inertializes) {
    actor a;
    begin_edited(&a);
    sinew_vec3 tips[3] = {{0, 0, 0}};
    double largest = 0;
    for (int i = 0; i < 80; i++) {
        edited_frame(&a, i, inertializes, true);
        tips[0] = tips[1], tips[1] = tips[2], tips[2] = tip_of(&a, 0);
        const sinew_vec3 before = sinew_vec3_subtract(tips[1], tips[0]),
                         after = sinew_vec3_subtract(tips[2], tips[1]);
        if (i >= 60) largest = fmax(largest, (double)sinew_vec3_length(sinew_vec3_subtract(after, before)));
    }
    end(&a);
    return largest;
}

static void test_inertialized_edits_do_not_throw_hair(void **state) {
    (void)state;
    const double smooth = largest_jolt(true), sudden = largest_jolt(false);
    print_message(
        "the hair's tip changes its velocity by %.3f m a frame where the edit is inertialized, %.3f where not\n",
        smooth, sudden);
    assert_true(smooth < 0.3 * sudden);
}

// A mirrored character swings as the mirror image.
static void test_mirrored_hero(void **state) {
    (void)state;
    actor a, b;
    begin(&a);
    begin(&b);
    play(&a, "Run", 0);
    play(&b, "Run", 0);
    for (int i = 0; i < 300; i++) {
        for (int k = 0; k < 2; k++) {
            actor *one = k ? &b : &a;
            sinew_mixer_advance(one->mixer, 1.0f / 60);
            sinew_mixer_evaluate(one->mixer);
            one->dt = 1.0f / 60;
            one->input.world.m[0][0] = k ? -1.0f : 1.0f;
            one->input.world.m[2][3] = 0.05f * (float)i;
            swing(one, one->mixer, sinew_mixer_edit_pose(one->mixer));
        }
        for (int c = 0; c < CHAINS; c++) {
            const sinew_vec3 p = tip_of(&a, c), q = tip_of(&b, c);
            check_near(p.x, -q.x, 1e-4);
            check_near(p.y, q.y, 1e-4);
            check_near(p.z, q.z, 1e-4);
        }
    }
    end(&a);
    end(&b);
}

// ---- Scenes --------------------------------------------------------------------------------------------------

static sinew_scene_node add_hero(sinew_scene *scene, bool has_springs, sinew_vec3 scale) {
    sinew_instance_def def = sinew_instance_default();
    def.asset = hero;
    def.springs = has_springs ? springs : NULL;
    def.node.transform.scale = scale;
    sinew_scene_node node;
    assert_int_equal(sinew_scene_add_instance(scene, &def, &node, NULL), SINEW_OK);
    sinew_mixer_play(sinew_scene_mixer(scene, node), sinew_clip_source(sinew_asset_find_clip(hero, "Walk")), NULL);
    return node;
}

// All or nothing is visible.
static void cull(sinew_scene *scene, bool is_visible) {
    sinew_frustum frustum = {{{0}}};
    for (int i = 0; i < 6; i++) frustum.planes[i][3] = is_visible ? 1 : -1;
    sinew_scene_cull(scene, &frustum);
}

// A frame of the same character without a scene.
static void frame_without_scene(actor *a, sinew_transform t, bool is_posed) {
    sinew_mixer_advance(a->mixer, 1.0f / 60);
    if (!is_posed) {
        sinew_springs_reset(springs, a->state);
        return;
    }
    sinew_mixer_evaluate(a->mixer);
    a->dt = 1.0f / 60;
    a->input.world = sinew_affine_from_transform(t);
    swing(a, a->mixer, sinew_mixer_edit_pose(a->mixer));
}

// Instances of several scales, one of them mirrored, beside others without springs, which are updated as a batch. Of those that
// were not visible, springs start at rest.
static void test_scaled_and_unseen_instances(void **state) {
    (void)state;
    static const sinew_vec3 scales[3] = {{1, 1.3f, 0.8f}, {-1, 1, 1}, {2, 2, 2}};
    sinew_scene_def def = sinew_scene_default();
    def.max_nodes = 16;
    def.skip_unseen = true;
    sinew_scene *scene;
    assert_int_equal(sinew_scene_create(&def, &scene, NULL), SINEW_OK);
    sinew_scene_node nodes[3];
    actor actors[3];
    for (int k = 0; k < 3; k++) {
        nodes[k] = add_hero(scene, true, scales[k]);
        add_hero(scene, false, scales[k]);
        begin(&actors[k]);
        play(&actors[k], "Walk", 0);
    }
    for (int i = 0; i < 120; i++) {
        const bool is_visible = i < 50 || i >= 70;
        cull(scene, is_visible);
        sinew_transform t = sinew_transform_identity();
        t.translation = (sinew_vec3){0.3f * (float)sin(0.1 * i), 0, 0.02f * (float)i};
        for (int k = 0; k < 3; k++) {
            t.scale = scales[k];
            sinew_scene_set_transform(scene, nodes[k], t);
        }
        sinew_scene_update(scene, 1.0f / 60);
        for (int k = 0; k < 3; k++) {
            t.scale = scales[k];
            frame_without_scene(&actors[k], t, is_visible);
            if (!is_visible) continue;
            assert_memory_equal(sinew_scene_model_matrices(scene, nodes[k]), actors[k].model,
                                (size_t)hero->skeleton->node_count * sizeof(sinew_affine));
        }
    }
    for (int k = 0; k < 3; k++) end(&actors[k]);
    sinew_scene_destroy(scene);
}

// ---- Recordings ----------------------------------------------------------------------------------------------

// A recording of the mixer is replayed, and springs are solved in each of its frames.
static void test_replay_gives_the_same_bits(void **state) {
    (void)state;
    actor a, b;
    begin(&a);
    begin(&b);
    recorded r = {0};
    assert_int_equal(sinew_mixer_record(a.mixer, record_bytes, &r, NULL), SINEW_OK);
    play(&a, "Walk", 0);
    uint64_t bits[2] = {BITS_NONE, BITS_NONE};
    for (int i = 0; i < 90; i++) {
        if (i == 30) play(&a, "Run", 0.3f);
        frame_at(&a, 1.0f / 60, i / 60.0);
        bits[0] = add_bits(bits[0], a.model[0].m[0], 12 * (size_t)hero->skeleton->node_count);
    }
    sinew_mixer_record(a.mixer, NULL, NULL, NULL);

    const sinew_clip **clips =
        malloc((size_t)hero->clip_count * sizeof *clips); // NOLINT(bugprone-sizeof-expression): pointers
    for (int32_t i = 0; i < hero->clip_count; i++) clips[i] = &hero->clips[i];
    sinew_replay_def def = sinew_replay_default();
    def.bytes = r.bytes, def.size = r.size;
    def.skeleton = hero->skeleton;
    def.clips = clips, def.clip_count = hero->clip_count;
    sinew_replay *replay = open_replay(&def);
    int frames = 0;
    while (replay->calls_made < replay->call_count) {
        const double before = replay->seconds;
        assert_int_equal(sinew_replay_step(replay), SINEW_OK);
        if (replay->seconds == before) continue; // not the call that advances
        sinew_mixer_evaluate(replay->mixer);
        b.dt = 1.0f / 60;
        b.input.world = world_at(frames++ / 60.0);
        swing(&b, replay->mixer, sinew_mixer_edit_pose(replay->mixer));
        bits[1] = add_bits(bits[1], b.model[0].m[0], 12 * (size_t)hero->skeleton->node_count);
    }
    assert_int_equal(frames, 90);
    assert_int_equal(bits[0], bits[1]);
    sinew_replay_destroy(replay);
    free(clips);
    free(r.bytes);
    end(&a);
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frame_rates_agree_on_the_heros_clips),
        cmocka_unit_test(test_frame_rates_agree_on_one_motion),
        cmocka_unit_test(test_rollback_gives_the_same_bits),
        cmocka_unit_test(test_springs_of_inertialized_edits),
        cmocka_unit_test(test_inertialized_edits_do_not_throw_hair),
        cmocka_unit_test(test_mirrored_hero),
        cmocka_unit_test(test_scaled_and_unseen_instances),
        cmocka_unit_test(test_replay_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
