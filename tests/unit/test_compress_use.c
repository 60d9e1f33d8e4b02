// SPDX-License-Identifier: MIT
// Compressed clips with everything that measures, edits and draws poses. Each result must match the exact clips'
// within the stated error and its consequences.
#include "support/check.h"
#include "support/avatar.h"

#include <sinew/motion/animator.h>
#include <sinew/humanoid/mirror.h>

#include <stdio.h>

#define MAX_ERROR 1e-3f

enum { EXACT, COMPRESSED, HEROES };
enum { MAX_NODES = 80 };

static sinew_asset *heroes[HEROES];

static sinew_asset *load_hero(float compress_error) {
    sinew_gltf_options options = *with_avatars();
    options.compress_error = compress_error;
    sinew_asset *asset;
    sinew_error error = {0};
    if (sinew_gltf_load_file(SINEW_MODELS "/hero.glb", &options, &asset, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    return asset;
}

static int load_heroes(void **state) {
    (void)state;
    heroes[EXACT] = load_hero(0.0f);
    heroes[COMPRESSED] = load_hero(MAX_ERROR);
    return 0;
}

static int free_heroes(void **state) {
    (void)state;
    for (int i = 0; i < HEROES; i++) sinew_asset_destroy(heroes[i]);
    return 0;
}

static double distance_of(sinew_vec3 p, sinew_vec3 q) {
    const double x = (double)p.x - q.x, y = (double)p.y - q.y, z = (double)p.z - q.z;
    return sqrt(x * x + y * y + z * z);
}

static const sinew_clip *clip_of(int hero, const char *name) {
    const sinew_clip *clip = sinew_asset_find_clip(heroes[hero], name);
    assert_non_null(clip);
    return clip;
}

static const sinew_clip *const *clips_of(int hero, const char *const *names, int count) {
    static const sinew_clip *clips[HEROES][8];
    for (int i = 0; i < count; i++) clips[hero][i] = clip_of(hero, names[i]);
    return clips[hero];
}

// ---- Measurements at load ----------------------------------------------------------------------------------------

// A planted foot that is 1 mm elsewhere at both ends of an interval of 0.3 s has another velocity by 7 mm/s; the mean of
// many intervals differs by less.
static void test_ground_speeds(void **state) {
    (void)state;
    static const char *const names[] = {"Walk", "Run", "WalkBack", "StrafeLeft", "StrafeRight", "Idle"};
    for (int i = 0; i < 6; i++) {
        sinew_clip_speed speeds[HEROES];
        for (int h = 0; h < HEROES; h++) {
            sinew_feet feet;
            assert_int_equal(sinew_feet_find(heroes[h]->skeleton, SINEW_UP_Y, &feet, NULL), SINEW_OK);
            sinew_clip_measure_speed(clip_of(h, names[i]), &feet, &speeds[h]);
        }
        assert_int_equal(speeds[COMPRESSED].gait, speeds[EXACT].gait);
        check_near(distance_of(speeds[COMPRESSED].velocity, speeds[EXACT].velocity), 0.0, 0.007);
        check_near(speeds[COMPRESSED].planted, speeds[EXACT].planted, 0.03);
        assert_int_equal(speeds[COMPRESSED].contact_count, speeds[EXACT].contact_count);
        for (int k = 0; k < speeds[EXACT].contact_count; k++)
            assert_int_equal(speeds[COMPRESSED].contacts[k].foot, speeds[EXACT].contacts[k].foot);
    }
}

static sinew_foot_contacts *find_contacts(int hero, const char *const *names, int count) {
    static const char *const joints[2][4] = {{"UpperLeg_L", "LowerLeg_L", "Foot_L", "Toes_L"},
                                             {"UpperLeg_R", "LowerLeg_R", "Foot_R", "Toes_R"}};
    const sinew_skeleton *skeleton = heroes[hero]->skeleton;
    sinew_foot legs[2];
    for (int i = 0; i < 2; i++) {
        int32_t nodes[4];
        for (int k = 0; k < 4; k++) nodes[k] = sinew_skeleton_find(skeleton, joints[i][k]);
        legs[i] = sinew_foot_from_rest(skeleton, nodes[0], nodes[1], nodes[2], nodes[3], (sinew_vec3){0, 1, 0});
    }
    sinew_foot_contacts_def def = sinew_foot_contacts_default();
    def.skeleton = skeleton;
    def.clips = clips_of(hero, names, count);
    def.clip_count = count;
    def.foot_count = 2;
    def.feet = legs;
    sinew_foot_contacts *contacts;
    sinew_error error = {0};
    if (sinew_foot_contacts_create(&def, &contacts, &error) != SINEW_OK) fail_msg("%s", error.message);
    return contacts;
}

// Contacts that are found start and end at the same times, within one and a half frames of the clips at 60 Hz.
static void test_foot_contacts(void **state) {
    (void)state;
    static const char *const names[] = {"Walk", "Run", "WalkBack", "StrafeLeft"};
    sinew_foot_contacts *contacts[HEROES];
    for (int h = 0; h < HEROES; h++) contacts[h] = find_contacts(h, names, 4);
    for (int i = 0; i < 4; i++) {
        const sinew_clip_contacts *a = &contacts[EXACT]->clips[i], *b = &contacts[COMPRESSED]->clips[i];
        assert_int_equal(b->source, SINEW_FOOT_CONTACT_SOURCE_MOTION);
        assert_int_equal(b->contact_count, a->contact_count);
        for (int32_t k = 0; k < a->contact_count; k++) {
            assert_int_equal(b->contacts[k].foot, a->contacts[k].foot);
            check_near(b->contacts[k].start, a->contacts[k].start, 0.025);
            check_near(b->contacts[k].end, a->contacts[k].end, 0.025);
        }
    }
    for (int h = 0; h < HEROES; h++) sinew_foot_contacts_destroy(contacts[h]);
}

// ---- Vertices ----------------------------------------------------------------------------------------------------

// The hero's vertices are nearer to each of their joints than this.
#define REACH 0.6

static void check_reach(const sinew_skin *skin, const sinew_primitive *p) {
    for (int32_t v = 0; v < p->vertex_count; v++) {
        const float *at = p->positions + 3 * (ptrdiff_t)v;
        for (int32_t i = 0; i < p->influences; i++) {
            const ptrdiff_t k = (ptrdiff_t)v * p->influences + i;
            if (p->weights[k] == 0.0f) continue;
            const sinew_vec3 local =
                sinew_affine_point(skin->inverse_binds[p->joints[k]], (sinew_vec3){at[0], at[1], at[2]});
            assert_true(distance_of(local, (sinew_vec3){0, 0, 0}) < REACH);
        }
    }
}

static void skin_hero(int hero, const sinew_clip *clip, float time, float *out) {
    static sinew_affine model[MAX_NODES], palette[MAX_NODES];
    const sinew_skin *skin = &heroes[hero]->skins[0];
    const sinew_primitive *p = &heroes[hero]->meshes[0].primitives[0];
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(clip->skeleton, NULL, &pose), SINEW_OK);
    sinew_clip_sample(clip, time, pose);
    sinew_pose_to_model(pose, model);
    sinew_skin_palette(skin, model, palette);
    sinew_skin_job job = sinew_primitive_skin_job(p);
    job.out_positions = out;
    sinew_skin_vertices(&job, palette, 0, p->vertex_count);
    sinew_pose_destroy(pose);
}

// Each joint moves a point within the distance by at most the error, and so does each mean of these.
static void test_vertices(void **state) {
    (void)state;
    const sinew_primitive *p = &heroes[EXACT]->meshes[0].primitives[0];
    check_reach(&heroes[EXACT]->skins[0], p);
    float *vertices[2];
    for (int i = 0; i < 2; i++) vertices[i] = malloc((size_t)p->vertex_count * 3 * sizeof(float));
    static const char *const names[] = {"Walk", "Attack", "Jump"};
    for (int c = 0; c < 3; c++) {
        const sinew_clip *exact = clip_of(EXACT, names[c]);
        sinew_compress_def def = sinew_compress_default();
        sinew_clip *compressed;
        def.max_error = MAX_ERROR;
        def.point_distance = (float)REACH;
        assert_int_equal(sinew_clip_compress(exact, &def, &compressed, NULL), SINEW_OK);
        double most = 0.0;
        for (int t = 0; t < 40; t++) {
            const float time = exact->duration * (float)t / 39.0f;
            skin_hero(EXACT, exact, time, vertices[0]);
            skin_hero(EXACT, compressed, time, vertices[1]);
            for (ptrdiff_t v = 0; v < 3 * (ptrdiff_t)p->vertex_count; v += 3) {
                const float *a = vertices[0] + v, *b = vertices[1] + v;
                most = fmax(most, distance_of((sinew_vec3){a[0], a[1], a[2]}, (sinew_vec3){b[0], b[1], b[2]}));
            }
        }
        print_message("%s: vertices differ by %.3f errors\n", names[c], most / (double)MAX_ERROR);
        assert_true(most > 0.0 && most < (double)compressed->max_error);
        sinew_clip_destroy(compressed);
    }
    for (int i = 0; i < 2; i++) free(vertices[i]);
}

// ---- Springs -----------------------------------------------------------------------------------------------------

typedef struct swinging {
    sinew_springs *springs;
    sinew_spring_state *state;
    sinew_mixer *mixer;
    sinew_affine model[MAX_NODES];
} swinging;

static swinging make_swinging(int hero) {
    swinging s = {0};
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = heroes[hero]->skeleton;
    assert_int_equal(sinew_mixer_create(&def, &s.mixer, NULL), SINEW_OK);
    assert_int_equal(sinew_springs_create_from_vrm(heroes[hero]->vrm, NULL, &s.springs), SINEW_OK);
    s.state = malloc(sinew_springs_state_size(s.springs));
    sinew_springs_reset(s.springs, s.state);
    sinew_mixer_play(s.mixer, sinew_clip_source(clip_of(hero, "Run")), NULL);
    return s;
}

static void swing(swinging *s) {
    sinew_springs_input input = sinew_springs_input_default();
    const float dt = 1.0f / 60.0f;
    sinew_mixer_advance(s->mixer, dt);
    sinew_mixer_evaluate(s->mixer);
    sinew_mixer_to_model(s->mixer);
    memcpy(s->model, sinew_mixer_model_matrices(s->mixer),
           (size_t)sinew_mixer_pose(s->mixer)->skeleton->node_count * sizeof *s->model);
    sinew_springs_solve(s->springs, &input, dt, s->state, sinew_mixer_edit_pose(s->mixer), s->model);
}

static void free_swinging(swinging *s) {
    sinew_springs_destroy(s->springs);
    sinew_mixer_destroy(s->mixer);
    free(s->state);
}

// Springs follow their parents, and swing beyond them by no more than these are apart.
static void test_springs(void **state) {
    (void)state;
    swinging s[HEROES];
    for (int h = 0; h < HEROES; h++) s[h] = make_swinging(h);
    double most = 0.0;
    for (int frame = 0; frame < 600; frame++) {
        for (int h = 0; h < HEROES; h++) swing(&s[h]);
        for (int32_t i = 0; i < heroes[EXACT]->skeleton->node_count; i++)
            most = fmax(most, distance_of(sinew_affine_point(s[EXACT].model[i], (sinew_vec3){0, 0, 0}),
                                          sinew_affine_point(s[COMPRESSED].model[i], (sinew_vec3){0, 0, 0})));
    }
    print_message("springs: %.2f errors\n", most / (double)MAX_ERROR);
    assert_true(most > 0.0 && most < 2.0 * (double)MAX_ERROR);
    for (int h = 0; h < HEROES; h++) free_swinging(&s[h]);
}

// ---- Warps -------------------------------------------------------------------------------------------------------

// A warp ends at its goal in any case; on its way it differs by 2 errors of the clip's path.
static void test_warps(void **state) {
    (void)state;
    const sinew_root_warp_transform start = {{0, 0, 0}, {0, 0, 0, 1}}, goal = {{0.3f, 0, 0.5f}, about_y(0.7)};
    sinew_root_warp_def defs[HEROES];
    sinew_root_motion_def roots[HEROES];
    sinew_root_warp warps[HEROES];
    for (int h = 0; h < HEROES; h++) {
        roots[h] = sinew_root_motion_default();
        roots[h].skeleton = heroes[h]->skeleton;
        roots[h].node = sinew_skeleton_find(heroes[h]->skeleton, "Hips");
        defs[h] = sinew_root_warp_default();
        defs[h].clip = clip_of(h, "Attack");
        defs[h].root_motion = &roots[h];
        defs[h].start = 0.1f;
        defs[h].end = 0.9f;
        defs[h].added_speed = 3.0f;
        assert_int_equal(sinew_root_warp_begin(&defs[h], 0.1f, start, goal, &warps[h], NULL), SINEW_OK);
        check_near(warps[h].missed_distance, 0.0, 1e-5);
        check_near(distance_of(sinew_root_warp_at(&defs[h], &warps[h], 0.9f).position, goal.position), 0.0, 1e-5);
    }
    for (int i = 0; i <= 100; i++) {
        const float time = 1.1f * (float)i / 100.0f;
        const sinew_root_warp_transform a = sinew_root_warp_at(&defs[EXACT], &warps[EXACT], time),
                                        b = sinew_root_warp_at(&defs[COMPRESSED], &warps[COMPRESSED], time);
        check_near(distance_of(a.position, b.position), 0.0, 2.0 * (double)MAX_ERROR);
    }
}

// ---- Morph weights and curves ------------------------------------------------------------------------------------

enum { LIMBS = 20, KEYS = 60, VALUES = 3 };

static sinew_skeleton *make_face(void) {
    static const char *const curve_names[VALUES] = {"Smile", "Frown", "Blink"};
    static char names[LIMBS][8];
    sinew_node_def nodes[LIMBS];
    for (int i = 0; i < LIMBS; i++) {
        snprintf(names[i], sizeof names[i], "%d", i);
        nodes[i] = (sinew_node_def){.name = names[i], .parent = i - 1, .rest = sinew_transform_identity()};
        nodes[i].rest.translation.y = 0.05f;
    }
    nodes[LIMBS - 1].weight_count = VALUES;
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = LIMBS;
    def.nodes = nodes;
    def.curve_count = VALUES;
    def.curve_names = curve_names;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

// All nodes turn, the last has morph weights, and the curves are the same functions of time.
static sinew_clip *make_expression(const sinew_skeleton *skeleton, const char *name, double pace) {
    static float times[KEYS], weights[KEYS][VALUES], curves[VALUES][KEYS];
    static sinew_quat turns[LIMBS][KEYS];
    sinew_channel_def channels[LIMBS + 1 + VALUES];
    for (int k = 0; k < KEYS; k++) {
        times[k] = (float)k / 30.0f;
        for (int i = 0; i < LIMBS; i++) turns[i][k] = about_x(0.3 * sin(pace * k / 30.0 + 0.4 * i));
        for (int v = 0; v < VALUES; v++)
            curves[v][k] = weights[k][v] = (float)(0.5 + 0.5 * sin((2 + v) * pace * k / 30.0));
    }
    for (int i = 0; i < LIMBS; i++)
        channels[i] =
            (sinew_channel_def){i, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, KEYS, times, &turns[i][0].x};
    channels[LIMBS] =
        (sinew_channel_def){LIMBS - 1, SINEW_TARGET_WEIGHTS, SINEW_INTERPOLATION_LINEAR, KEYS, times, weights[0]};
    for (int v = 0; v < VALUES; v++)
        channels[LIMBS + 1 + v] =
            (sinew_channel_def){v, SINEW_TARGET_CURVE, SINEW_INTERPOLATION_LINEAR, KEYS, times, curves[v]};
    return make_clip(skeleton, name, channels, LIMBS + 1 + VALUES);
}

static sinew_clip *compress(const sinew_clip *clip) {
    sinew_compress_def def = sinew_compress_default();
    sinew_clip *compressed;
    def.max_error = MAX_ERROR;
    assert_int_equal(sinew_clip_compress(clip, &def, &compressed, NULL), SINEW_OK);
    assert_true(compressed->memory < clip->memory);
    return compressed;
}

// ---- The way over many loops --------------------------------------------------------------------------------------

#define TURN  0.11 // radians a loop
#define WAY   1.37 // metres a loop
#define LOOPS 1000

// A hip that travels on an arc, a chest that sways below it, and arms that swing.
static sinew_clip *make_round(const sinew_skeleton *skeleton, sinew_key_format format) {
    static float times[KEYS];
    static sinew_vec3 ways[KEYS];
    static sinew_quat turns[LIMBS][KEYS];
    sinew_channel_def channels[LIMBS + 1] = {
        {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, KEYS, times, &ways[0].x}};
    for (int k = 0; k < KEYS; k++) {
        const double part = (double)k / (KEYS - 1), step = 6.0 * part;
        times[k] = (float)k / 30.0f;
        ways[k] =
            (sinew_vec3){(float)(0.02 * sin(step * PI)), (float)(0.9 + 0.03 * cos(step * PI)), (float)(WAY * part)};
        turns[0][k] = about_y(0.4 + TURN * part);
        for (int i = 1; i < LIMBS; i++) turns[i][k] = about_x(0.3 * sin(step * PI / 3.0 + 0.4 * i));
    }
    for (int i = 0; i < LIMBS; i++)
        channels[i + 1] =
            (sinew_channel_def){i, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, KEYS, times, &turns[i][0].x};
    sinew_clip_def def = sinew_clip_default();
    def.skeleton = skeleton;
    def.channels = channels;
    def.channel_count = LIMBS + 1;
    def.key_format = format;
    sinew_clip *clip;
    assert_int_equal(sinew_clip_create(&def, &clip, NULL), SINEW_OK);
    return clip;
}

static sinew_root_delta way_of(const sinew_clip *clip) {
    sinew_root_motion_def root = sinew_root_motion_default();
    root.skeleton = clip->skeleton;
    root.node = 0;
    root.yaw = true;
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = clip->skeleton;
    def.root_motion = &root;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    sinew_mixer_play(mixer, sinew_clip_source(clip), NULL);
    sinew_mixer_update(mixer, LOOPS * clip->duration);
    const sinew_root_delta delta = sinew_mixer_root_delta(mixer);
    sinew_mixer_destroy(mixer);
    return delta;
}

// The way of exact keys: 1000 times the same chord, each turned by TURN against the one before.
static void check_way(const char *what, const sinew_clip *clip) {
    const sinew_root_delta delta = way_of(clip);
    double x = 0.0, z = 0.0, yaw = LOOPS * TURN;
    for (int i = 0; i < LOOPS; i++) x += WAY * sin(i * TURN), z += WAY * cos(i * TURN);
    const double to = 2.0 * atan2((double)delta.rotation.y, (double)delta.rotation.w);
    const double missed = hypot((double)delta.translation.x - x, (double)delta.translation.z - z);
    const double turned = remainder(to - yaw, 2.0 * PI);
    print_message("%s: %g m and %g radians off after %d loops\n", what, missed, turned, LOOPS);
    check_near(missed, 0.0, 2e-4); // a rotation of floats over a thousand loops
    check_near(turned, 0.0, 1e-4);
}

static sinew_clip *mirror_twice(const sinew_clip *clip) {
    sinew_mirror_def def = sinew_mirror_default();
    def.skeleton = clip->skeleton;
    def.normal = (sinew_vec3){1, 0, 0};
    sinew_mirror *map;
    sinew_clip *once, *twice;
    assert_int_equal(sinew_mirror_create(&def, &map, NULL), SINEW_OK);
    assert_int_equal(sinew_clip_mirror(map, clip, NULL, NULL, &once, NULL), SINEW_OK);
    assert_int_equal(sinew_clip_mirror(map, once, NULL, NULL, &twice, NULL), SINEW_OK);
    sinew_clip_destroy(once);
    sinew_mirror_destroy(map);
    return twice;
}

static void test_ways_over_many_loops(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_face();
    sinew_clip *clips[6] = {make_round(skeleton, SINEW_KEYS_FLOAT), make_round(skeleton, SINEW_KEYS_U16)};
    static const char *const names[6] = {"floats", "16 bits",        "compressed",
                                         "bound",  "16 bits, bound", "mirrored twice"};
    clips[2] = compress(clips[0]);
    for (int i = 0; i < 2; i++)
        assert_int_equal(sinew_clip_bind(clips[i == 0 ? 2 : 1], skeleton, NULL, &clips[3 + i], NULL, NULL),
                         SINEW_OK);
    clips[5] = mirror_twice(clips[2]);
    for (int i = 0; i < 6; i++) check_way(names[i], clips[i]);
    for (int i = 0; i < 6; i++) sinew_clip_destroy(clips[i]);
    sinew_skeleton_destroy(skeleton);
}

// Weighted means, also in a cross-fade, differ by no more than the clips. Their error is in metres: the largest if a
// weight moves a vertex by a metre.
static void test_morph_weights_and_curves(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_face();
    sinew_clip *exact[2] = {make_expression(skeleton, "calm", 1.3), make_expression(skeleton, "wild", 4.1)};
    sinew_clip *compressed[2] = {compress(exact[0]), compress(exact[1])};
    sinew_mixer *mixers[2];
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = skeleton;
    for (int m = 0; m < 2; m++) assert_int_equal(sinew_mixer_create(&def, &mixers[m], NULL), SINEW_OK);
    for (int frame = 0; frame < 200; frame++) {
        for (int m = 0; m < 2; m++) {
            sinew_clip *const *clips = m == EXACT ? exact : compressed;
            if (frame % 50 == 0)
                sinew_mixer_crossfade_to(mixers[m], sinew_clip_source(clips[frame / 50 % 2]), 0.4f, NULL);
            sinew_mixer_update(mixers[m], 1.0f / 60.0f);
        }
        for (int v = 0; v < VALUES; v++) {
            check_near(sinew_mixer_morph_weights(mixers[1])[v], sinew_mixer_morph_weights(mixers[0])[v], MAX_ERROR);
            check_near(sinew_mixer_curves(mixers[1])[v], sinew_mixer_curves(mixers[0])[v], MAX_ERROR);
        }
    }
    for (int m = 0; m < 2; m++) {
        sinew_mixer_destroy(mixers[m]);
        sinew_clip_destroy(exact[m]);
        sinew_clip_destroy(compressed[m]);
    }
    sinew_skeleton_destroy(skeleton);
}

// ---- Retargeting -------------------------------------------------------------------------------------------------

static void check_models_near(const sinew_affine *a, const sinew_affine *b, int32_t count, double errors) {
    for (int32_t i = 0; i < count; i++) {
        const double found = distance_of(sinew_affine_point(a[i], (sinew_vec3){0, 0, 0}),
                                         sinew_affine_point(b[i], (sinew_vec3){0, 0, 0}));
        if (!(found <= errors * (double)MAX_ERROR)) fail_msg("node %d differs by %g", (int)i, found);
    }
}

// A pose that is retargeted to the same proportions keeps its error.
static void test_retargeted_poses(void **state) {
    (void)state;
    sinew_affine models[HEROES][MAX_NODES];
    const sinew_skeleton *skeleton = heroes[EXACT]->skeleton;
    sinew_humanoid humanoid;
    assert_int_equal(sinew_humanoid_guess(skeleton, SINEW_UP_Y, NULL, &humanoid, NULL, NULL), SINEW_OK);
    for (int t = 0; t < 20; t++) {
        for (int h = 0; h < HEROES; h++) {
            sinew_retarget_def def = sinew_retarget_default();
            def.source = heroes[h]->skeleton;
            def.target = skeleton;
            def.source_humanoid = def.target_humanoid = &humanoid;
            sinew_retarget *map;
            sinew_pose *from, *to;
            assert_int_equal(sinew_retarget_create(&def, &map, NULL), SINEW_OK);
            assert_int_equal(sinew_pose_create(def.source, NULL, &from), SINEW_OK);
            assert_int_equal(sinew_pose_create(def.target, NULL, &to), SINEW_OK);
            sinew_clip_sample(clip_of(h, "Attack"), 0.055f * (float)t, from);
            sinew_retarget_pose(map, from, to);
            sinew_pose_to_model(to, models[h]);
            sinew_pose_destroy(from);
            sinew_pose_destroy(to);
            sinew_retarget_destroy(map);
        }
        check_models_near(models[EXACT], models[COMPRESSED], skeleton->node_count, 2.0);
    }
}

// ---- Graphs ------------------------------------------------------------------------------------------------------

typedef struct controlled {
    sinew_graph *graph;
    sinew_graph_binding *binding;
    sinew_animator *animator;
} controlled;

static controlled make_controlled(int hero) {
    controlled c;
    sinew_error error = {0};
    if (sinew_graph_load_file(SINEW_MODELS "/hero.graph.json", NULL, &c.graph, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    sinew_graph_binding_def def = sinew_graph_binding_default();
    def.graph = c.graph;
    def.skeleton = heroes[hero]->skeleton;
    def.clips = heroes[hero]->clips;
    def.clip_count = heroes[hero]->clip_count;
    if (sinew_graph_bind(&def, &c.binding, &error) != SINEW_OK) fail_msg("%s", error.message);
    sinew_animator_def animator = sinew_animator_default();
    animator.binding = c.binding;
    assert_int_equal(sinew_animator_create(&animator, &c.animator, NULL), SINEW_OK);
    return c;
}

static void control(controlled *c, int frame) {
    static const char *const triggers[] = {"attack", "jump", "wave", "hit", "turn"};
    const int32_t move = sinew_graph_find_parameter(c->graph, "move");
    sinew_animator_set_vector2(c->animator, move, (float)(frame / 90 % 3 - 1), (float)(frame / 60 % 5 - 1));
    if (frame % 50 == 10)
        sinew_animator_fire(c->animator, sinew_graph_find_parameter(c->graph, triggers[frame / 50 % 5]));
    sinew_animator_update(c->animator, 1.0f / 60.0f);
}

static void free_controlled(controlled *c) {
    sinew_animator_destroy(c->animator);
    sinew_graph_binding_destroy(c->binding);
    sinew_graph_destroy(c->graph);
}

// The hero's graph goes through the same states at the same times, because durations and markers are the same. An
// additive layer adds an error. An inertialized jump adds the velocity's (2 errors per clip frame, times 0.1493 of
// 0.15 s) and the offset's.
static void test_graphs(void **state) {
    (void)state;
    controlled c[HEROES];
    for (int h = 0; h < HEROES; h++) c[h] = make_controlled(h);
    double most = 0.0;
    for (int frame = 0; frame < 900; frame++) {
        for (int h = 0; h < HEROES; h++) control(&c[h], frame);
        for (int32_t layer = 0; layer < 3; layer++) {
            const int32_t at = sinew_animator_state(c[EXACT].animator, layer);
            assert_int_equal(sinew_animator_state(c[COMPRESSED].animator, layer), at);
            assert_true(sinew_animator_progress(c[EXACT].animator, layer) ==
                        sinew_animator_progress(c[COMPRESSED].animator, layer));
        }
        const sinew_affine *a = sinew_mixer_model_matrices(sinew_animator_mixer(c[EXACT].animator)),
                           *b = sinew_mixer_model_matrices(sinew_animator_mixer(c[COMPRESSED].animator));
        for (int32_t i = 0; i < heroes[EXACT]->skeleton->node_count; i++)
            most = fmax(most, distance_of(sinew_affine_point(a[i], (sinew_vec3){0, 0, 0}),
                                          sinew_affine_point(b[i], (sinew_vec3){0, 0, 0})));
    }
    print_message("graph: %.2f errors\n", most / (double)MAX_ERROR);
    assert_true(most > 0.0 && most < (1.0 + 1.0 + 2.0 + 2.0 * 60.0 * 0.1493 * 0.15) * (double)MAX_ERROR);
    for (int h = 0; h < HEROES; h++) free_controlled(&c[h]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ground_speeds),
        cmocka_unit_test(test_foot_contacts),
        cmocka_unit_test(test_vertices),
        cmocka_unit_test(test_springs),
        cmocka_unit_test(test_warps),
        cmocka_unit_test(test_graphs),
        cmocka_unit_test(test_ways_over_many_loops),
        cmocka_unit_test(test_morph_weights_and_curves),
        cmocka_unit_test(test_retargeted_poses),
    };
    return cmocka_run_group_tests(tests, load_heroes, free_heroes);
}
