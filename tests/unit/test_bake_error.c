// SPDX-License-Identifier: MIT
// The error of animation textures, against their stated error. Every vertex is moved by the texture, by the library,
// and in double by the specification's sums. Also characters that switch from a mixer to a texture and back.
#include "support/files.h"
#include "support/posed_asset.h"
#include "support/random_rig.h"

#include <stdio.h>

// ---- Vertices ------------------------------------------------------------------------------------------------

typedef struct seen {
    posed p;
    sinew_affine *palette;
    float *moved;
} seen;

static seen seen_make(const sinew_asset *asset) {
    size_t vertices = 1, joints = 1;
    for (int32_t i = 0; i < asset->mesh_count; i++)
        for (int32_t k = 0; k < asset->meshes[i].primitive_count; k++)
            vertices += (size_t)asset->meshes[i].primitives[k].vertex_count;
    for (int32_t i = 0; i < asset->skin_count; i++) joints += (size_t)asset->skins[i].joint_count;
    joints += (size_t)asset->mesh_node_count;
    return (seen){posed_make(asset), calloc(joints, sizeof(sinew_affine)), calloc(3 * vertices, sizeof(float))};
}

static void seen_free(seen *s) {
    posed_free(&s->p);
    free(s->palette);
    free(s->moved);
}

static double distance(const double a[3], const float b[3]) {
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

// Vertices of a primitive as the texture moves them; false where it does not.
static bool move_baked(seen *s, const sinew_bake *bake, const sinew_mesh_node *mesh_node,
                       const sinew_primitive *of) {
    bool rigid = mesh_node->skin < 0 || of->influences == 0;
    if (!rigid) {
        sinew_skin_job job = sinew_primitive_skin_job(of);
        job.positions = s->p.morphed, job.out_positions = s->moved;
        if (mesh_node->skin == bake->skin) sinew_skin_vertices(&job, s->palette, 0, of->vertex_count);
        return mesh_node->skin == bake->skin;
    }
    int32_t place = 0;
    while (place < bake->node_count && bake->nodes[place] != mesh_node->node) place++;
    if (place == bake->node_count) return false;
    const sinew_affine matrix = s->palette[bake->joint_count - bake->node_count + place];
    for (ptrdiff_t v = 0; v < of->vertex_count; v++) {
        const float *at = s->p.morphed + 3 * v;
        sinew_vec3 moved = sinew_affine_point(matrix, (sinew_vec3){at[0], at[1], at[2]});
        memcpy(s->moved + 3 * v, &moved, sizeof moved);
    }
    return true;
}

// The furthest that a vertex is from where the model matrices have it, by the library and in double.
static double furthest(seen *s, const sinew_bake *bake) {
    double most = 0;
    for (int32_t i = 0; i < s->p.asset->mesh_node_count; i++) {
        const sinew_mesh_node *mesh_node = &s->p.asset->mesh_nodes[i];
        const sinew_mesh *mesh = &s->p.asset->meshes[mesh_node->mesh];
        for (int32_t k = 0; k < mesh->primitive_count; k++) {
            const sinew_primitive *of = &mesh->primitives[k];
            posed_move(&s->p, mesh_node, of);
            if (!move_baked(s, bake, mesh_node, of)) continue;
            for (ptrdiff_t v = 0; v < of->vertex_count; v++) {
                const float *moved = s->p.moved + 3 * v, *baked = s->moved + 3 * v;
                const double by_library[3] = {moved[0], moved[1], moved[2]};
                most = fmax(most, fmax(distance(by_library, baked), distance(s->p.exact + 3 * v, baked)));
            }
        }
    }
    return most;
}

// The same for a clip that plays alone.
static double furthest_at(seen *s, const sinew_bake *bake, int32_t clip, float time) {
    sinew_bake_state state = sinew_bake_play(clip);
    state.tracks[0].time = time;
    state.tracks[0].loop = SINEW_LOOP_ONCE;
    sinew_clip_sample(bake->clips[clip].clip, time, s->p.pose);
    sinew_pose_to_model(s->p.pose, s->p.model);
    sinew_bake_palette(bake, &state, s->palette);
    return furthest(s, bake);
}

typedef struct tally {
    double ratios; // of the furthest vertices to the errors
    int clips;
} tally;

// A key of a clip, or its end.
static float draw_key(const sinew_clip *clip, uint64_t *random) {
    if (clip->timeline_count == 0) return clip->duration;
    const sinew_timeline *timeline = &clip->timelines[random_next(random) % (uint32_t)clip->timeline_count];
    return sinew_timeline_time(timeline, (int32_t)(random_next(random) % (uint32_t)timeline->key_count));
}

// At times drawn at random, and at keys and right before them.
static void check_clip(seen *s, const sinew_bake *bake, int32_t index, int times, uint64_t *random, tally *found) {
    const sinew_clip *clip = bake->clips[index].clip;
    double most = 0, error = bake->clips[index].error;
    for (int i = 0; i < times; i++) {
        float key = draw_key(clip, random);
        most = fmax(most, furthest_at(s, bake, index, random_float(random, 0, clip->duration)));
        most = fmax(most, furthest_at(s, bake, index, key));
        most = fmax(most, furthest_at(s, bake, index, nextafterf(key, 0.0f)));
    }
    if (!(most <= error))
        fail_msg("%s: a vertex is %g m off, but the error is said to be %g m", clip->name, most, error);
    assert_true(error <= bake->error);
    if (error > 1e-4) {
        found->ratios += most / error;
        found->clips++;
    }
}

static sinew_bake *bake_of(const sinew_bake_def *def) {
    sinew_bake *bake;
    sinew_error error = {0};
    if (sinew_bake_create(def, &bake, &error) != SINEW_OK) fail_msg("%s", error.message);
    return bake;
}

enum { MOST_NODES = 16 };

// With the nodes that carry the first of its meshes.
static void check_asset(const sinew_asset *asset, int32_t skin, sinew_bake_format format, float rate, int times,
                        tally *found) {
    sinew_bake_def def = sinew_bake_default();
    def.asset = asset;
    def.skin = skin;
    def.format = format;
    def.frame_rate = rate;
    int32_t *nodes = calloc((size_t)asset->mesh_node_count + 1, sizeof *nodes);
    for (int32_t i = 0; i < asset->mesh_node_count; i++) nodes[i] = asset->mesh_nodes[i].node;
    def.nodes = nodes, def.node_count = asset->mesh_node_count < MOST_NODES ? asset->mesh_node_count : MOST_NODES;
    sinew_bake *bake = bake_of(&def);
    free(nodes);
    seen s = seen_make(asset);
    uint64_t random = 17;
    for (int32_t i = 0; i < s.p.pose->skeleton->weight_count; i++)
        s.p.pose->weights[i] = random_float(&random, 0, 1);
    for (int32_t i = 0; i < bake->clip_count; i++) check_clip(&s, bake, i, times, &random, found);
    seen_free(&s);
    sinew_bake_destroy(bake);
}

// ---- Errors of one vertex, by hand ---------------------------------------------------------------------------

// A joint, and a vertex 2 m from it; frames at both ends and in the middle of a second.
static double error_of_channel(const sinew_channel_def *channel) {
    sinew_skeleton *skeleton = make_chain(1);
    sinew_clip *clip = make_clip(skeleton, "one", channel, 1);
    const int32_t joint = 0;
    sinew_skin_def skin_def = sinew_skin_default();
    skin_def.skeleton = skeleton;
    skin_def.joint_count = 1;
    skin_def.joints = &joint;
    sinew_skin *skin;
    assert_int_equal(sinew_skin_create(&skin_def, &skin, NULL), SINEW_OK);
    const float position[3] = {2, 0, 0}, weights[4] = {1, 0, 0, 0};
    const uint16_t joints[4] = {0};
    sinew_primitive primitive = {.vertex_count = 1, .positions = position, .influences = 4};
    primitive.joints = joints, primitive.weights = weights;
    const sinew_mesh mesh = {.name = "", .primitive_count = 1, .primitives = &primitive};
    const sinew_mesh_node mesh_node = {0};
    const sinew_asset asset = {.skeleton = skeleton,
                               .clip_count = 1,
                               .clips = clip,
                               .skin_count = 1,
                               .skins = skin,
                               .mesh_count = 1,
                               .meshes = &mesh,
                               .mesh_node_count = 1,
                               .mesh_nodes = &mesh_node};
    sinew_bake_def def = sinew_bake_default();
    def.asset = &asset;
    def.frame_rate = 2.0f;
    sinew_bake *bake = bake_of(&def);
    double error = bake->error;
    sinew_bake_destroy(bake);
    sinew_skin_destroy(skin);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
    return error;
}

static void test_errors_that_can_be_told_by_hand(void **state) {
    (void)state;
    const double crest = 17.0 / 16.0;
    // Straight on, at any speed: nothing but rounding.
    const float ends[2] = {0, 1}, slide[6] = {0, 0, 0, 3, 1, 2};
    sinew_channel_def channel = {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, ends, slide};
    check_near(error_of_channel(&channel), 0, 2e-5);
    // A turn of 60 degrees between frames, cut short by a chord that is furthest off in its middle.
    const float turn[8] = {0, 0, 0, 1, 0, 0, 0.8660254f, 0.5f};
    channel = (sinew_channel_def){0, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 2, ends, turn};
    check_near(error_of_channel(&channel), crest * 2 * (1 - cos(PI / 6)), 3e-5);
    // A step of 1 m when three tenths of the way between two frames are done: then seven tenths are missing.
    const float steps[3] = {0, 0.15f, 1}, step[9] = {0, 0, 0, 1, 0, 0, 1, 0, 0};
    channel = (sinew_channel_def){0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_STEP, 3, steps, step};
    check_near(error_of_channel(&channel), crest * 0.7, 3e-5);
    // And when eight tenths are done: right before, they are too much.
    const float late[3] = {0, 0.4f, 1};
    channel.times = late;
    check_near(error_of_channel(&channel), crest * 0.8, 3e-5);
    // A corner between frames.
    const float corners[3] = {0, 0.2f, 1}, corner[9] = {0, 0, 0, 1, 0, 0, 0, 0, 0};
    channel = (sinew_channel_def){0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 3, corners, corner};
    check_near(error_of_channel(&channel), crest * (1 - 0.4 * 0.625), 3e-5);
}

// ---- Errors of what is drawn at random -----------------------------------------------------------------------

enum { VERTICES = 40, INFLUENCES = 8, TARGETS = 2, NODES = 14 };

static int32_t node_with_weights(const sinew_skeleton *skeleton) {
    for (int32_t i = 0; i < skeleton->node_count; i++)
        if (skeleton->weight_offsets[i + 1] - skeleton->weight_offsets[i] >= TARGETS) return i;
    return SINEW_NO_NODE;
}

static void check_drawn(uint64_t seed, tally *found) {
    uint64_t random = seed;
    sinew_skeleton *skeleton = draw_skeleton(&random, NODES, false);
    random_clip_options options = {.timelines = (int32_t)(seed % 3), .percent = 50};
    sinew_clip *clip = draw_clip(&random, skeleton, options);
    int32_t joints[NODES], carrier = node_with_weights(skeleton);
    sinew_affine binds[NODES];
    for (int32_t i = 0; i < NODES; i++) {
        joints[i] = NODES - 1 - i;
        binds[i] =
            sinew_affine_from_transform((sinew_transform){{1, 2, (float)i}, random_quat(&random), {1, 1, 1}});
    }
    sinew_skin_def skin_def = sinew_skin_default();
    skin_def.skeleton = skeleton;
    skin_def.joint_count = NODES;
    skin_def.joints = joints;
    skin_def.inverse_binds = binds;
    sinew_skin *skin;
    assert_int_equal(sinew_skin_create(&skin_def, &skin, NULL), SINEW_OK);
    float positions[3 * VERTICES], weights[INFLUENCES * VERTICES], deltas[TARGETS][3 * VERTICES];
    uint16_t vertex_joints[INFLUENCES * VERTICES];
    for (int i = 0; i < 3 * VERTICES; i++) {
        positions[i] = random_float(&random, -1, 1);
        for (int t = 0; t < TARGETS; t++) deltas[t][i] = random_float(&random, -2, 2);
    }
    for (int v = 0; v < VERTICES; v++) {
        float sum = 0;
        for (int k = INFLUENCES * v; k < INFLUENCES * (v + 1); k++) {
            vertex_joints[k] = (uint16_t)(random_next(&random) % NODES);
            weights[k] = k % INFLUENCES < 1 + v % INFLUENCES ? random_float(&random, 0.1f, 1) : 0.0f;
            sum += weights[k];
        }
        for (int k = INFLUENCES * v; k < INFLUENCES * (v + 1); k++) weights[k] /= sum;
    }
    const float *const targets[TARGETS] = {deltas[0], deltas[1]};
    sinew_primitive primitive = {.vertex_count = VERTICES,
                                 .positions = positions,
                                 .influences = INFLUENCES,
                                 .joints = vertex_joints,
                                 .weights = weights,
                                 .target_positions = targets};
    primitive.target_count = carrier == SINEW_NO_NODE ? 0 : TARGETS;
    const sinew_mesh mesh = {.name = "", .primitive_count = 1, .primitives = &primitive};
    const sinew_mesh_node mesh_node = {.node = carrier == SINEW_NO_NODE ? 0 : carrier};
    const sinew_asset asset = {.skeleton = skeleton,
                               .clip_count = 1,
                               .clips = clip,
                               .skin_count = 1,
                               .skins = skin,
                               .mesh_count = 1,
                               .meshes = &mesh,
                               .mesh_node_count = 1,
                               .mesh_nodes = &mesh_node};
    check_asset(&asset, 0, SINEW_BAKE_FLOAT, 10.0f, 25, found);
    sinew_skin_destroy(skin);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

static void test_no_vertex_of_anything_drawn_is_off_by_more(void **state) {
    (void)state;
    tally found = {0};
    for (uint64_t seed = 1; seed <= 60; seed++) check_drawn(seed, &found);
    print_message("the furthest vertex has %.2f of the error\n", found.ratios / found.clips);
    assert_true(found.clips > 40 && found.ratios > 0.4 * found.clips); // and errors are not beyond all measure
}

// ---- Errors of files -----------------------------------------------------------------------------------------

// What docs/howto/animation-textures.md says of the hero: metres, at 30 and 60 frames a second.
static void test_the_errors_of_the_hero_are_as_documented(void **state) {
    (void)state;
    static const struct {
        float rate;
        sinew_bake_format format;
        float errors[11];
        int32_t kilobytes;
    } said[] = {
        {30,
         SINEW_BAKE_FLOAT,
         {.0029f, .0025f, .0364f, .0742f, .0146f, .0684f, .0034f, .0022f, .0034f, .0027f, .0147f},
         1600},
        {60,
         SINEW_BAKE_FLOAT,
         {.0008f, .0007f, .0073f, .0116f, .0037f, .0167f, .0009f, .0006f, .0009f, .0007f, .0016f},
         3136},
        {60,
         SINEW_BAKE_HALF,
         {.0011f, .0010f, .0073f, .0117f, .0039f, .0168f, .0011f, .0011f, .0011f, .0010f, .0017f},
         1568},
    };
    sinew_asset *hero = posed_load_model("hero.glb");
    sinew_bake_def def = sinew_bake_default();
    def.asset = hero;
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        def.frame_rate = said[i].rate;
        def.format = said[i].format;
        sinew_bake *bake = bake_of(&def);
        assert_int_equal(bake->clip_count, 11);
        assert_int_equal(bake->size / 1024, said[i].kilobytes);
        for (int c = 0; c < 11; c++) {
            float error = bake->clips[c].error, most = said[i].errors[c];
            if (!(error <= most && error > most - 0.0002f))
                fail_msg("%s at %g frames a second: %g m", bake->clips[c].clip->name, said[i].rate, error);
        }
        sinew_bake_destroy(bake);
        tally found = {0};
        check_asset(hero, 0, said[i].format, said[i].rate, 3, &found);
        print_message("%g frames a second: the furthest vertex has %.2f of the error\n", said[i].rate,
                      found.ratios / found.clips);
        assert_true(found.ratios > 0.25 * found.clips);
    }
    sinew_asset_destroy(hero);
}

static int checked_files;
static tally in_files;

static void check_file(const char *path) {
    if (strstr(path, "meshopt") && !posed_can_decode) return;
    sinew_asset *asset = posed_load(path, SINEW_UP_Y);
    bool bakes = asset->clip_count > 0 && asset->mesh_node_count > 0;
    for (int32_t i = asset->skin_count > 0 ? 0 : -1; i < asset->skin_count && bakes; i++) {
        check_asset(asset, i, SINEW_BAKE_FLOAT, 30.0f, 2, &in_files);
        check_asset(asset, i, SINEW_BAKE_HALF, 24.0f, 1, &in_files);
    }
    checked_files += bakes;
    sinew_asset_destroy(asset);
}

static void check_folder(const char *folder) {
    checked_files = 0;
    in_files = (tally){0};
    for_each_file(folder, ".glb .gltf", check_file);
    print_message("%s: %d files; the furthest vertex has %.2f of the error\n", folder, checked_files,
                  in_files.ratios / in_files.clips);
    assert_true(checked_files > 20);
}

static void test_models(void **state) {
    (void)state;
    check_folder(SINEW_MODELS);
}

static void test_assets(void **state) {
    (void)state;
    check_folder(other_peoples_files());
}

// ---- Hand-over -----------------------------------------------------------------------------------------------

typedef struct crossing {
    sinew_asset *hero;
    sinew_bake *bake;
    sinew_mixer *mixer, *other;
    seen seen;
} crossing;

static sinew_mixer *mixer_of(const sinew_asset *asset, const sinew_root_motion_def *root) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    def.root_motion = root;
    def.max_actions = 4;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    return mixer;
}

static void crossing_make(crossing *c) {
    c->hero = posed_load_model("hero.glb");
    sinew_bake_def def = sinew_bake_default();
    def.asset = c->hero;
    c->bake = bake_of(&def);
    c->mixer = mixer_of(c->hero, NULL);
    c->other = mixer_of(c->hero, NULL);
    c->seen = seen_make(c->hero);
}

static void crossing_free(crossing *c) {
    seen_free(&c->seen);
    sinew_mixer_destroy(c->other);
    sinew_mixer_destroy(c->mixer);
    sinew_bake_destroy(c->bake);
    sinew_asset_destroy(c->hero);
}

// Vertices by a state, beside those by a mixer; and the distance that is said to be between them.
static double jump(crossing *c, const sinew_bake_state *state, sinew_mixer *mixer, double *said) {
    seen *s = &c->seen;
    sinew_mixer_update(mixer, 0.0f);
    memcpy(s->p.model, sinew_mixer_model_matrices(mixer),
           (size_t)c->hero->skeleton->node_count * sizeof *s->p.model);
    *said = sinew_bake_distance(c->bake, state, s->p.model);
    sinew_bake_palette(c->bake, state, s->palette);
    return furthest(s, c->bake);
}

// Where a fade between two clips is that is not over.
static bool is_between(const sinew_bake_state *state) {
    return state->tracks[1].clip >= 0;
}

// Both mixers show the same within rounding: the texture's state loses nothing.
static void check_same_pose(const crossing *c, double tolerance) {
    const sinew_affine *a = sinew_mixer_model_matrices(c->mixer), *b = sinew_mixer_model_matrices(c->other);
    for (int32_t i = 0; i < c->hero->skeleton->node_count; i++)
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < 4; k++) check_near(a[i].m[r][k], b[i].m[r][k], tolerance);
}

static void check_crossing(crossing *c, int *between) {
    sinew_bake_state state;
    double said;
    assert_true(sinew_bake_from_mixer(c->bake, c->mixer, &state) == 0.0f);
    double off = jump(c, &state, c->mixer, &said);
    double most = is_between(&state) ? said : c->bake->clips[state.tracks[0].clip].error;
    if (!(off <= most)) fail_msg("going over to the texture, a vertex moves by %g m, not by %g m", off, most);
    if (!(off <= said)) fail_msg("a vertex moves by %g m, but the distance is said to be %g m", off, said);
    assert_true(sinew_bake_to_mixer(c->bake, &state, c->other));
    off = jump(c, &state, c->other, &said);
    if (!(off <= most)) fail_msg("coming back, a vertex moves by %g m, not by %g m", off, most);
    check_same_pose(c, 1e-5);
    *between += is_between(&state);
}

static void play_anything(const crossing *c, uint64_t *random) {
    sinew_play_def def = sinew_play_default();
    const sinew_clip *clip = &c->hero->clips[random_next(random) % (uint32_t)c->hero->clip_count];
    def.loop = (sinew_loop)(random_next(random) % 3);
    def.speed = random_float(random, -2, 2);
    def.time = random_float(random, -0.5f, 1) * clip->duration;
    if (def.time < 0) def.time = SINEW_TIME_AUTO; // the start, or the end
    if (random_next(random) % 4 == 0) def.loop_count = 2;
    float fade = random_next(random) % 3 ? random_float(random, 0.1f, 0.5f) : 0.0f;
    sinew_mixer_crossfade_to(c->mixer, sinew_clip_source(clip), fade, &def);
}

static void test_no_vertex_jumps_on_the_way_there_and_back(void **state) {
    (void)state;
    crossing c;
    crossing_make(&c);
    uint64_t random = 23;
    int between = 0;
    for (int i = 0; i < 30; i++) {
        play_anything(&c, &random);
        for (int moment = 0; moment < 2; moment++) {
            check_crossing(&c, &between);
            sinew_mixer_advance(c.mixer, random_float(&random, 0, 0.3f));
            check_crossing(&c, &between);
        }
        sinew_mixer_advance(c.mixer, 1.0f); // so no third clip has a share
    }
    assert_true(between > 12);
    crossing_free(&c);
}

// As a character walks, runs and idles, there and back or round and round, near and far by turns.
static void test_time_and_fades_go_on_as_they_would_have(void **state) {
    (void)state;
    crossing c;
    crossing_make(&c);
    uint64_t random = 29;
    sinew_play_def def = sinew_play_default();
    for (int i = 0; i < 30; i++) {
        def.speed = random_float(&random, 0.5f, 1.5f) * (i % 4 ? 1.0f : -1.0f);
        def.loop = i % 2 ? SINEW_LOOP_REPEAT : SINEW_LOOP_PING_PONG;
        sinew_mixer_crossfade_to(c.mixer, sinew_clip_source(&c.hero->clips[i % 3]), 0.4f, &def);
        sinew_mixer_advance(c.mixer, i % 3 ? 0.1f : 0.3f); // before and behind the middle of the fade
        sinew_bake_state baked;
        assert_true(sinew_bake_from_mixer(c.bake, c.mixer, &baked) == 0.0f);
        for (int step = 0; step < 60; step++) { // through the rest of the fade, and on
            if (step % 20 == 0) assert_true(sinew_bake_to_mixer(c.bake, &baked, c.other));
            sinew_mixer_update(c.mixer, 1.0f / 60);
            sinew_mixer_update(c.other, 1.0f / 60);
            sinew_bake_advance(c.bake, &baked, 1.0f / 60);
            check_same_pose(&c, 2e-4); // moments differ by some microseconds
            double said;
            if (step % 13 == 0) assert_true(jump(&c, &baked, c.mixer, &said) <= said);
        }
        assert_false(is_between(&baked));
    }
    crossing_free(&c);
}

// What docs/howto/animation-textures.md says about two clips at the same time: metres, at random moments.
static void test_blends_of_matrices_are_as_far_off_as_documented(void **state) {
    (void)state;
    enum { IDLE, WALK, RUN, TIMES = 80 };
    static const struct {
        int32_t clips[2];
        double most, mean;
    } said[] = {{{IDLE, WALK}, 0.060, 0.023}, {{IDLE, RUN}, 0.140, 0.062}, {{WALK, RUN}, 0.280, 0.070}};
    crossing c;
    crossing_make(&c);
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        uint64_t random = 31;
        double most = 0, sum = 0, by_api;
        for (int t = 0; t < TIMES; t++) {
            sinew_bake_state s = sinew_bake_play(said[i].clips[0]);
            s.tracks[1] = sinew_bake_play(said[i].clips[1]).tracks[0];
            for (int k = 0; k < 2; k++) s.tracks[k].time = random_float(&random, 0, 10);
            s.blend = random_float(&random, 0, 1);
            assert_true(sinew_bake_to_mixer(c.bake, &s, c.mixer));
            double off = jump(&c, &s, c.mixer, &by_api);
            assert_true(off <= by_api);
            most = fmax(most, off);
            sum += off;
        }
        print_message("%s and %s: %.4f m, %.4f on average\n", c.hero->clips[said[i].clips[0]].name,
                      c.hero->clips[said[i].clips[1]].name, most, sum / TIMES);
        assert_true(most <= said[i].most && most > 0.8 * said[i].most);
        check_near(sum / TIMES, said[i].mean, 0.1 * said[i].mean);
    }
    crossing_free(&c);
}

// ---- What a texture cannot show ------------------------------------------------------------------------------

static void test_what_is_left_out_is_told(void **state) {
    (void)state;
    crossing c;
    crossing_make(&c);
    const sinew_clip *idle = &c.hero->clips[0], *walk = &c.hero->clips[1], *run = &c.hero->clips[2];
    sinew_bake_state s = sinew_bake_play(3), before = s;
    assert_true(sinew_bake_from_mixer(c.bake, c.mixer, &s) == -1.0f); // nothing plays
    assert_memory_equal(&s, &before, sizeof s);

    sinew_play_def def = sinew_play_default();
    def.weight = 3.0f;
    sinew_mixer_play(c.mixer, sinew_clip_source(run), &def);
    def.weight = 1.0f;
    sinew_mixer_play(c.mixer, sinew_clip_source(idle), &def);
    def.weight = 4.0f;
    sinew_mixer_play(c.mixer, sinew_clip_source(walk), &def);
    check_near(sinew_bake_from_mixer(c.bake, c.mixer, &s), 0.125, 1e-6);
    assert_int_equal(s.tracks[0].clip, 1);
    assert_int_equal(s.tracks[1].clip, 2);
    check_near(s.blend, 3.0 / 7.0, 1e-6);
    assert_true(s.blend_rate == 0.0f); // they stay as they are

    sinew_play_def above = sinew_play_default();
    above.layer = 1;
    sinew_mixer_stop_all(c.mixer);
    sinew_mixer_play(c.mixer, sinew_clip_source(walk), NULL);
    sinew_mixer_play(c.mixer, sinew_clip_source(idle), &above);
    sinew_layer_set_weight(c.mixer, 1, 0.25f);
    check_near(sinew_bake_from_mixer(c.bake, c.mixer, &s), 0.25, 1e-6);
    assert_int_equal(s.tracks[0].clip, 1);
    assert_int_equal(s.tracks[1].clip, -1);

    sinew_mixer_stop_all(c.mixer);
    sinew_mixer_play(c.mixer, sinew_clip_source(walk), NULL);
    sinew_mixer_update(c.mixer, 0.1f);
    sinew_transition how = sinew_transition_default();
    how.kind = SINEW_TRANSITION_INERTIALIZE;
    how.duration = 0.4f;
    sinew_mixer_transition_to(c.mixer, sinew_clip_source(run), &how, NULL);
    sinew_mixer_update(c.mixer, 0.1f);
    check_near(sinew_bake_from_mixer(c.bake, c.mixer, &s), 0.75, 1e-5);
    double said;
    assert_true(sinew_bake_to_mixer(c.bake, &s, c.mixer)); // what is left of it goes
    assert_true(jump(&c, &s, c.mixer, &said) <= c.bake->error);

    sinew_root_motion_def root = sinew_root_motion_default();
    root.skeleton = c.hero->skeleton;
    root.node = sinew_skeleton_find(root.skeleton, "Hips");
    sinew_mixer *rooted = mixer_of(c.hero, &root);
    sinew_mixer_play(rooted, sinew_clip_source(walk), NULL);
    assert_true(sinew_bake_from_mixer(c.bake, rooted, &s) == 1.0f);
    sinew_mixer_destroy(rooted);
    crossing_free(&c);
}

static void test_what_has_not_been_baked_is_left_out(void **state) {
    (void)state;
    crossing c;
    crossing_make(&c);
    sinew_bake_def def = sinew_bake_default();
    const sinew_clip *const only[1] = {&c.hero->clips[2]};
    def.asset = c.hero, def.clips = only, def.clip_count = 1;
    sinew_bake *bake = bake_of(&def);
    sinew_bake_state s = sinew_bake_play(0);
    sinew_mixer_play(c.mixer, sinew_clip_source(&c.hero->clips[1]), NULL);
    assert_true(sinew_bake_from_mixer(bake, c.mixer, &s) == -1.0f);
    sinew_play_def play = sinew_play_default();
    play.weight = 0.25f;
    sinew_mixer_play(c.mixer, sinew_clip_source(&c.hero->clips[2]), &play);
    check_near(sinew_bake_from_mixer(bake, c.mixer, &s), 0.8, 1e-6);
    assert_int_equal(s.tracks[0].clip, 0);
    sinew_bake_destroy(bake);
    crossing_free(&c);
}

static void test_what_stands_still_stays(void **state) {
    (void)state;
    crossing c;
    crossing_make(&c);
    sinew_play_def def = sinew_play_default();
    def.loop_count = 2; // and then its end is held
    sinew_action action = sinew_mixer_play(c.mixer, sinew_clip_source(&c.hero->clips[3]), &def);
    sinew_mixer_advance(c.mixer, 30.0f);
    assert_true(sinew_action_is_finished(c.mixer, action));
    sinew_bake_state s;
    sinew_bake_from_mixer(c.bake, c.mixer, &s);
    sinew_bake_advance(c.bake, &s, 0.3f);
    double said;
    assert_true(jump(&c, &s, c.mixer, &said) <= c.bake->error);

    sinew_mixer_stop_all(c.mixer);
    action = sinew_mixer_play(c.mixer, sinew_clip_source(&c.hero->clips[2]), NULL);
    sinew_mixer_advance(c.mixer, 0.2f);
    sinew_action_set_paused(c.mixer, action, true);
    sinew_bake_from_mixer(c.bake, c.mixer, &s);
    sinew_bake_advance(c.bake, &s, 0.3f);
    assert_true(jump(&c, &s, c.mixer, &said) <= c.bake->error);
    crossing_free(&c);
}

// A blend space's clips become the texture's, each at its own pace.
static void test_a_blend_space_goes_over_clip_by_clip(void **state) {
    (void)state;
    crossing c;
    crossing_make(&c);
    const sinew_blend_sample samples[2] = {{&c.hero->clips[1], 0, 0, 1}, {&c.hero->clips[2], 1, 0, 1}};
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = c.hero->skeleton;
    def.samples = samples, def.sample_count = 2;
    sinew_blend_space *space;
    assert_int_equal(sinew_blend_space_create(&def, &space, NULL), SINEW_OK);
    sinew_mixer_play(c.mixer, sinew_blend_space_source(space, 0.25f, 0), NULL);
    sinew_bake_state s;
    for (int i = 0; i < 10; i++) {
        sinew_mixer_update(c.mixer, 0.05f);
        double said;
        assert_true(sinew_bake_from_mixer(c.bake, c.mixer, &s) == 0.0f);
        assert_true(jump(&c, &s, c.mixer, &said) <= said);
        assert_int_equal(s.tracks[0].clip, 1);
        check_near(s.blend, 0.25, 1e-6);
        assert_true(sinew_bake_to_mixer(c.bake, &s, c.other));
        sinew_mixer_update(c.other, 0.0f);
        check_same_pose(&c, 1e-5);
    }
    sinew_mixer_update(c.mixer, 0.02f);
    sinew_mixer_update(c.other, 0.02f); // no end of a loop is near
    check_same_pose(&c, 1e-5);
    sinew_mixer_stop_all(c.mixer);
    sinew_blend_space_destroy(space);
    crossing_free(&c);
}

static void test_a_mixer_without_room_is_left_alone(void **state) {
    (void)state;
    crossing c;
    crossing_make(&c);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = c.hero->skeleton;
    def.max_actions = 1;
    sinew_mixer *small;
    assert_int_equal(sinew_mixer_create(&def, &small, NULL), SINEW_OK);
    sinew_action action = sinew_mixer_play(small, sinew_clip_source(&c.hero->clips[0]), NULL);
    sinew_bake_state s = sinew_bake_play(1);
    sinew_bake_fade_to(&s, 2, 0.5f);
    assert_false(sinew_bake_to_mixer(c.bake, &s, small));
    assert_true(sinew_action_is_active(small, action));
    s = sinew_bake_play(1);
    assert_true(sinew_bake_to_mixer(c.bake, &s, small));
    assert_false(sinew_action_is_active(small, action));
    sinew_mixer_destroy(small);
    crossing_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors_that_can_be_told_by_hand),
        cmocka_unit_test(test_no_vertex_of_anything_drawn_is_off_by_more),
        cmocka_unit_test(test_the_errors_of_the_hero_are_as_documented),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_assets),
        cmocka_unit_test(test_no_vertex_jumps_on_the_way_there_and_back),
        cmocka_unit_test(test_time_and_fades_go_on_as_they_would_have),
        cmocka_unit_test(test_blends_of_matrices_are_as_far_off_as_documented),
        cmocka_unit_test(test_what_is_left_out_is_told),
        cmocka_unit_test(test_what_has_not_been_baked_is_left_out),
        cmocka_unit_test(test_what_stands_still_stays),
        cmocka_unit_test(test_a_blend_space_goes_over_clip_by_clip),
        cmocka_unit_test(test_a_mixer_without_room_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
