// SPDX-License-Identifier: MIT
// What `sinew bench` compares Sinew with does the same work: the textbook code's poses, palettes and vertices are
// Sinew's. Also tests the measuring.
#include "bench/crowd.h"
#include "bench/floor.h"
#include "bench/animators.h"
#include "bench/limbs.h"
#include "bench/measure.h"
#include "bench/mesh.h"
#include "bench/retarget.h"
#include "bench/scene.h"
#include "support/check.h"

typedef struct world_case {
    bench_keys keys;
    int32_t joints;
} world_case;

static const world_case cases[] = {
    {BENCH_KEYS_ALL, 60},  {BENCH_KEYS_GAME, 60},  {BENCH_KEYS_SPARSE, 60},  {BENCH_KEYS_GRID, 60},
    {BENCH_KEYS_ALL, 200}, {BENCH_KEYS_GAME, 200}, {BENCH_KEYS_SPARSE, 200},
};

enum { CASES = sizeof cases / sizeof *cases, CHARACTERS = 5 };

// ---- Poses ---------------------------------------------------------------------------------------------------

static void check_transform(sinew_transform actual, sinew_transform expected, double distance, double angle,
                            double scale) {
    check_vec3(actual.translation, expected.translation.x, expected.translation.y, expected.translation.z,
               distance);
    check_vec3(actual.scale, expected.scale.x, expected.scale.y, expected.scale.z, scale);
    check_near(angle_between(actual.rotation, expected.rotation), 0.0, angle);
}

static void check_samples(const bench_world *world, double distance, double angle, double scale) {
    size_t bones = (size_t)world->skeleton->node_count;
    sinew_transform *expected = calloc(bones, sizeof *expected);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(world->skeleton, NULL, &pose), SINEW_OK);
    for (int32_t c = 0; c < world->clip_count; c++) {
        float duration = world->clips[c]->duration;
        check_near(duration, world->textbook_clips[c]->duration, 0.0);
        for (int step = -1; step <= 7; step++) {
            float time = duration * (float)step / 6.0f + 0.001f;
            sinew_clip_sample(world->clips[c], time, pose);
            textbook_sample(world->textbook, world->textbook_clips[c], time, expected);
            for (int32_t i = 0; i < world->skeleton->node_count; i++) {
                check_transform(sinew_pose_get(pose, i), expected[i], distance, angle, scale);
            }
        }
    }
    sinew_pose_destroy(pose);
    free(expected);
}

static void test_samples_agree(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        bench_world *world = bench_world_create(cases[i].keys, cases[i].joints);
        assert_non_null(world);
        assert_int_equal(world->skin->joint_count, cases[i].joints);
        assert_int_equal(world->clip_count, BENCH_CLIPS);
        check_samples(world, 2e-6, 2e-5, 2e-6);
        bench_world_destroy(world);
    }
}

static void test_samples_of_16_bits_agree_nearly(void **state) {
    (void)state;
    for (int keys = BENCH_KEYS_ALL_16; keys <= BENCH_KEYS_GAME_16; keys++) {
        bench_world *world = bench_world_create((bench_keys)keys, 60);
        for (int32_t i = 0; i < world->clip_count; i++) {
            assert_int_equal(world->clips[i]->key_format, SINEW_KEYS_U16);
            assert_true(world->clips[i]->max_error > 0.0f && world->clips[i]->max_error < 1e-3f);
        }
        check_samples(world, 1e-5, 1e-4, 1e-5);
        bench_world_destroy(world);
    }
}

// At least 8 : 1 at 0.1 mm.
static void test_compressed_samples_agree_nearly(void **state) {
    (void)state;
    bench_world *exact = bench_world_create(BENCH_KEYS_ALL, 60),
                *world = bench_world_create(BENCH_KEYS_ALL_COMPRESSED, 60);
    size_t before = 0, after = 0;
    for (int32_t i = 0; i < world->clip_count; i++) {
        assert_int_equal(world->clips[i]->key_format, SINEW_KEYS_COMPRESSED);
        assert_true(world->clips[i]->max_error > 0.0f && world->clips[i]->max_error <= 1e-4f);
        before += exact->clips[i]->memory;
        after += world->clips[i]->memory;
    }
    print_message("%zu to %zu bytes, %.3f : 1\n", before, after, (double)before / (double)after);
    assert_true(before >= 8 * after);
    // In the parent's space, which may also be off. A scale that's off by 3e-3 displaces a point at 3 cm by 0.1 mm.
    check_samples(world, 2e-4, 7e-3, 3e-3);
    bench_world_destroy(world);
    bench_world_destroy(exact);
}

static void test_a_files_keys_are_read_back(void **state) {
    (void)state;
    sinew_asset *asset = load_gltf(SINEW_MODELS "/hero.glb", NULL);
    const char *why;
    bench_world *world = bench_world_of_asset(asset, &why);
    assert_non_null(world);
    check_samples(world, 2e-6, 2e-5, 2e-6);
    bench_world_destroy(world);
    sinew_asset_destroy(asset);
}

static void test_a_file_without_a_skin_is_refused(void **state) {
    (void)state;
    sinew_asset *asset = load_gltf(SINEW_MODELS "/windmill.glb", NULL);
    const char *why = NULL;
    assert_null(bench_world_of_asset(asset, &why));
    assert_string_equal(why, "it has no skin");
    sinew_asset_destroy(asset);
}

// ---- Characters ----------------------------------------------------------------------------------------------

// By how much a normalised sum of two rotations differs from their slerp, as an angle of rotation. With h the angle
// between the quaternions the one is turned by atan2(t sin h, 1 - t + t cos h) out of th, and rotations turn by twice
// that.
static double sum_minus_slerp(sinew_quat a, sinew_quat b, double t) {
    double h = angle_between(a, b) / 2.0;
    return 2.0 * fabs(atan2(t * sin(h), 1.0 - t + t * cos(h)) - t * h);
}

// The textbook slerps between two clips, and Sinew takes a normalised sum.
static void check_blended(const bench_world *world, const bench_crowd *sinew, const bench_crowd *textbook,
                          int32_t character) {
    const textbook_action *actions = &textbook->played[(ptrdiff_t)2 * character];
    const sinew_transform *expected = textbook->poses + (ptrdiff_t)character * world->textbook->bone_count;
    const sinew_action *mine = &sinew->actions[(ptrdiff_t)2 * character];
    sinew_mixer *mixer = sinew->items[character].mixer;
    size_t bones = (size_t)world->textbook->bone_count;
    sinew_transform *parts = calloc(2 * bones, sizeof *parts);
    for (int p = 0; p < 2; p++) {
        check_near(sinew_action_time(mixer, mine[p]), actions[p].time, 2e-5);
        check_near(sinew_action_weight(mixer, mine[p]), actions[p].weight, 1e-6);
        textbook_sample(world->textbook, actions[p].clip, actions[p].time, parts + (size_t)p * bones);
    }
    double t = actions[1].weight;
    for (size_t i = 0; i < bones; i++) {
        double bound = sum_minus_slerp(parts[i].rotation, parts[bones + i].rotation, t);
        check_transform(sinew_pose_get(sinew_mixer_pose(mixer), (int32_t)i), expected[i], 2e-5, bound + 2e-4, 2e-5);
    }
    free(parts);
}

// Both are given Sinew's pose, since the blends differ by design.
static void check_matrices(const bench_world *world, const bench_crowd *sinew, bench_crowd *textbook,
                           int32_t character) {
    sinew_transform *pose = textbook->poses + (ptrdiff_t)character * world->textbook->bone_count;
    for (int32_t i = 0; i < world->textbook->bone_count; i++) {
        pose[i] = sinew_pose_get(sinew_mixer_pose(sinew->items[character].mixer), i);
    }
    textbook_crowd_model(textbook, character, 1);
    textbook_crowd_palette(textbook, character, 1);
    ptrdiff_t joints = world->skin->joint_count;
    for (ptrdiff_t i = character * joints; i < (character + 1) * joints; i++) {
        sinew_mat4 actual = sinew_mat4_from_affine(sinew->palettes[i]);
        for (int e = 0; e < 16; e++) check_near(actual.m[e], textbook->mat4s[i].m[e], 2e-5);
    }
}

static void check_crowds(const bench_world *world, bench_playing playing, bool seeking) {
    bench_crowd *sinew = bench_crowd_create(world, CHARACTERS, playing);
    bench_crowd *textbook = textbook_crowd_create(world, CHARACTERS, playing);
    assert_non_null(sinew);
    assert_non_null(textbook);
    for (int frame = 0; frame < 10; frame++) {
        (seeking ? bench_crowd_seek : bench_crowd_everything)(sinew, 0, CHARACTERS);
        (seeking ? textbook_crowd_seek : textbook_crowd_everything)(textbook, 0, CHARACTERS);
        for (int32_t i = 0; i < CHARACTERS; i++) {
            check_blended(world, sinew, textbook, i);
            check_matrices(world, sinew, textbook, i);
        }
    }
    bench_crowd_destroy(sinew);
    bench_crowd_destroy(textbook);
}

static void test_crowds_agree(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        bench_world *world = bench_world_create(cases[i].keys, cases[i].joints);
        check_crowds(world, BENCH_FORWARD, false);
        check_crowds(world, BENCH_FORWARD, true);
        check_crowds(world, BENCH_PAUSED, false);
        check_crowds(world, BENCH_BACKWARD, false);
        bench_world_destroy(world);
    }
}

// The cross-fades are in their midst, and everything that moves differs from character to character.
static void test_characters_differ(void **state) {
    (void)state;
    bench_world *world = bench_world_create(BENCH_KEYS_GAME, 60);
    bench_crowd *crowd = textbook_crowd_create(world, 100, BENCH_FORWARD);
    for (int32_t i = 0; i < crowd->count; i++) {
        float mix = bench_crowd_mix(i);
        assert_true(mix >= 0.2f && mix <= 0.8f);
        assert_true(i == 0 || mix != bench_crowd_mix(i - 1));
        assert_ptr_not_equal(crowd->played[(ptrdiff_t)2 * i].clip, crowd->played[2 * i + 1].clip);
    }
    bench_crowd_destroy(crowd);
    bench_world_destroy(world);
}

// ---- Vertices ------------------------------------------------------------------------------------------------

static void check_stream(const float *actual, const float *expected, size_t stride, size_t width,
                         double tolerance) {
    for (size_t i = 0; i < BENCH_VERTICES; i++) {
        for (size_t c = 0; c < width; c++) check_near(actual[i * stride + c], expected[i * stride + c], tolerance);
    }
}

// Moves all joints alike, so a vertex's matrix is a rotation.
static void move_rigidly(bench_mesh *mesh, int32_t joints) {
    for (int32_t i = 1; i < joints; i++) {
        mesh->palette[i] = mesh->palette[0];
        mesh->mat4s[i] = mesh->mat4s[0];
    }
}

// A blend of rotations shears, and then the textbook's normals are not the surface's, so only rigid ones are compared.
static void check_mesh(const bench_world *world, bench_parts parts, bench_layout layout, bool rigid) {
    bench_mesh *mine = bench_mesh_create(world, parts, layout), *other = bench_mesh_create(world, parts, layout);
    assert_non_null(mine);
    assert_non_null(other);
    if (rigid) move_rigidly(mine, world->skin->joint_count);
    if (rigid) move_rigidly(other, world->skin->joint_count);
    sinew_skin_vertices(&mine->job, mine->palette, 0, BENCH_VERTICES);
    textbook_skin_vertices(&other->textbook, other->mat4s, 0, BENCH_VERTICES);
    const textbook_mesh *actual = &mine->textbook, *expected = &other->textbook;
    check_stream(actual->out_positions, expected->out_positions, expected->out_stride, 3, 1e-5);
    if (rigid && parts >= BENCH_NORMAL) {
        check_stream(actual->out_normals, expected->out_normals, expected->out_stride, 3, 1e-5);
    }
    if (parts >= BENCH_TANGENT) {
        check_stream(actual->out_tangents, expected->out_tangents, expected->out_tangent_stride, 4, 1e-5);
    }
    bench_mesh_destroy(mine);
    bench_mesh_destroy(other);
}

static void test_vertices_agree(void **state) {
    (void)state;
    bench_world *world = bench_world_create(BENCH_KEYS_GAME, 60);
    for (int layout = BENCH_LAYOUT_4; layout < BENCH_LAYOUTS; layout++) {
        for (int parts = BENCH_POSITION; parts <= BENCH_TANGENT; parts++) {
            check_mesh(world, (bench_parts)parts, (bench_layout)layout, false);
            check_mesh(world, (bench_parts)parts, (bench_layout)layout, true);
        }
    }
    bench_world_destroy(world);
}

// ---- Scenes --------------------------------------------------------------------------------------------------

static float x_of(const bench_scene *placed, int32_t i) {
    return sinew_scene_world(placed->scene, placed->nodes[i]).m[0][3];
}

// Others in each frame, and no more than were asked for.
static void test_scenes_are_moved(void **state) {
    (void)state;
    enum { MOVED = 100 };
    bench_scene *placed = bench_scene_create(false);
    float *before = calloc(BENCH_INSTANCES, sizeof *before);
    for (int frame = 0; frame < 3; frame++) {
        for (int32_t i = 0; i < BENCH_INSTANCES; i++) before[i] = x_of(placed, i);
        bench_scene_update(placed, MOVED);
        for (int32_t i = 0; i < BENCH_INSTANCES; i++) {
            bool is_moved = i / MOVED == frame;
            check_near(x_of(placed, i), is_moved ? -before[i] : before[i], 0);
            sinew_box box = sinew_scene_bounds(placed->scene, placed->nodes[i]);
            check_near(0.5 * ((double)box.min.x + box.max.x), x_of(placed, i), 1e-4);
        }
    }
    bench_scene_cull(placed);
    const uint32_t *visible = sinew_scene_cull(placed->scene, &placed->frustum);
    int seen = 0;
    for (int32_t i = 0; i < BENCH_INSTANCES; i++) seen += sinew_is_visible(visible, i);
    assert_in_range(seen, BENCH_INSTANCES / 20, BENCH_INSTANCES / 2);
    free(before);
    bench_scene_destroy(placed);
}

// ---- Limbs ---------------------------------------------------------------------------------------------------

static double distance_to(const sinew_affine *m, sinew_vec3 to) {
    double x = m->m[0][3] - to.x, y = m->m[1][3] - to.y, z = m->m[2][3] - to.z;
    return sqrt(x * x + y * y + z * z);
}

// Limbs reach their targets, except those that can't. Then everything is as before.
static void test_limbs_reach(void **state) {
    (void)state;
    bench_world *world = bench_world_create(BENCH_KEYS_GAME, 60);
    bench_limbs *limbs = bench_limbs_create(world);
    assert_non_null(limbs);
    int reached = 0;
    for (int i = 0; i < BENCH_TARGETS; i++) {
        bench_posed *one = &limbs->posed[i % BENCH_POSED];
        sinew_ik_two_bone_solve(&limbs->legs[i], one->pose, one->model);
        sinew_pose_to_model(one->pose, one->model);
        reached += distance_to(&one->model[limbs->legs[i].end], limbs->legs[i].target) < 1e-5;
        sinew_pose_copy(one->pose, one->before);
        sinew_pose_to_model(one->pose, one->model);
    }
    assert_int_equal(reached, BENCH_TARGETS * 7 / 8);
    for (int solver = BENCH_TWO_BONE; solver <= BENCH_BODY; solver++) {
        bench_limbs_solve(limbs, (bench_solver)solver, 100);
        for (int i = 0; i < BENCH_POSED; i++) {
            const bench_posed *one = &limbs->posed[i];
            size_t size = (size_t)world->skeleton->node_count * sizeof *one->model;
            assert_memory_equal(one->model, one->model_before, size);
            sinew_pose_to_model(one->pose, one->model);
            assert_memory_equal(one->model, one->model_before, size);
        }
    }
    for (int foot = 0; foot < 2; foot++) {
        assert_true(limbs->posed[0].locked.feet[foot].locked);
        check_near(limbs->posed[0].locked.feet[foot].offset.z, -0.1f * 96 / BENCH_TARGETS, 1e-5);
    }
    bench_limbs_destroy(limbs);
    bench_world_destroy(world);
}

// The mixers of both rows do the same in each frame: two clips in a cross-fade, and no transition.
static void test_animators_do_what_their_mixers_do(void **state) {
    (void)state;
    bench_world *world = bench_world_create(BENCH_KEYS_GAME, 60);
    bench_animators *by_graph = bench_animators_create(world, 3), *alone = bench_animators_create(world, 3);
    assert_true(by_graph && alone);
    bench_animators_update(by_graph, true, 100);
    bench_animators_update(alone, false, 100);
    for (int i = 0; i < 3; i++) {
        const sinew_mixer *mixer = sinew_animator_mixer(by_graph->animators[i]);
        assert_int_equal(sinew_mixer_actions(mixer, NULL, 0), 2);
        assert_true(sinew_mixer_hash(mixer) == sinew_mixer_hash(sinew_animator_mixer(alone->animators[i])));
        assert_int_equal(sinew_animator_transition(by_graph->animators[i], 0), 0);
        assert_true(sinew_animator_elapsed(by_graph->animators[i], 1) > 0.5f);
    }
    bench_animators_destroy(by_graph);
    bench_animators_destroy(alone);
    bench_world_destroy(world);
}

// Every joint is driven, and poses are written.
static void test_retargeting_drives_every_joint(void **state) {
    (void)state;
    bench_world *world = bench_world_create(BENCH_KEYS_GAME, 60);
    bench_retarget *r = bench_retarget_create(world);
    assert_non_null(r);
    assert_int_equal(r->map->pair_count, 60);
    check_near(r->map->scale, 0.7, 1e-6);
    for (int limbs = 0; limbs < 2; limbs++) {
        sinew_pose_reset(r->target);
        bench_retarget_poses(r, limbs, 5);
        int32_t head = sinew_skeleton_find(world->skeleton, "Head");
        sinew_transform actual = sinew_pose_get(r->target, head), rest = r->skeleton->rest[head];
        assert_true(angle_between(actual.rotation, rest.rotation) > 1e-3);
    }
    bench_retarget_destroy(r);
    bench_world_destroy(world);
}

// ---- Measuring -----------------------------------------------------------------------------------------------

static void test_median(void **state) {
    (void)state;
    double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 2}, one[] = {7};
    check_near(bench_median(odd, 3), 3, 0);
    check_near(bench_median(even, 4), 2.5, 0);
    check_near(bench_median(one, 1), 7, 0);
}

static void wait_microseconds(void *context, int64_t count) {
    (void)context;
    double end = bench_seconds() + 1e-6 * (double)count;
    while (bench_seconds() < end) continue;
}

static void test_a_known_time_is_measured(void **state) {
    (void)state;
    bench_timing timing = bench_measure(wait_microseconds, NULL);
    assert_true(timing.runs >= 11);
    assert_true(timing.least >= 1000.0);
    assert_true(timing.least <= timing.median && timing.median <= timing.most);
    if (timing.quiet) assert_true(timing.least < 2000.0); // however late the clock is looked at, units are right
}

// ---- Floors --------------------------------------------------------------------------------------------------

// Ceilings that make times simple: 100 operations per nanosecond, and 100, 40, 20 and 10 bytes.
static const bench_machine ceilings = {
    .operations = 100,
    .levels = {{"L1", 0, 100, 100}, {"L2", 0, 40, 40}, {"L3", 0, 20, 20}, {"DRAM", 0, 10, 10}},
};

static void check_floor(const char *stage, const char *data, int32_t joints, int32_t characters, double nanoseconds,
                        const char *limit, const char *level) {
    bench_floor floor = bench_floor_of(&ceilings, stage, data, joints, characters);
    check_near(floor.nanoseconds, nanoseconds, 1e-9);
    assert_string_equal(floor.limit, limit);
    assert_string_equal(floor.level, level);
}

// By hand: in a pose a joint has 40 bytes, and of 60 joints in blocks of 16 each has 64 / 60 times as many; a matrix has 48.
static void test_a_floor_is_the_longest_of_its_times(void **state) {
    (void)state;
    check_floor("everything", "all", 64, 1, 323 / 100.0, "operations", "");
    check_floor("everything", "all", 64, 1000, 4 * 40 / 20.0, "reading", "L3");
    check_floor("everything", "all", 64, 10000, 2 * 48 / 10.0, "writing", "DRAM");
    check_floor("everything", "all", 60, 1000, 4 * 40 * 64 / 60.0 / 20.0, "reading", "L3");
    check_floor("model", "all", 64, 1000, (40 + 48) / 20.0, "reading", "L3");
    check_floor("palette", "all", 64, 1, (48 + 48) / 100.0, "reading", "L1");
    check_floor("palette", "all", 64, 1000, 48 / 20.0, "reading", "L3");
    check_floor("skin-normal", "8-u16-float", 60, 1, 8 * 48 / 100.0, "reading", "L1");
    check_floor("everything", "sparse", 60, 1, 0, "", "");
    check_floor("bounds", "box", 60, 1, 0, "", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_agree),
        cmocka_unit_test(test_samples_of_16_bits_agree_nearly),
        cmocka_unit_test(test_compressed_samples_agree_nearly),
        cmocka_unit_test(test_a_files_keys_are_read_back),
        cmocka_unit_test(test_a_file_without_a_skin_is_refused),
        cmocka_unit_test(test_crowds_agree),
        cmocka_unit_test(test_characters_differ),
        cmocka_unit_test(test_vertices_agree),
        cmocka_unit_test(test_scenes_are_moved),
        cmocka_unit_test(test_limbs_reach),
        cmocka_unit_test(test_animators_do_what_their_mixers_do),
        cmocka_unit_test(test_retargeting_drives_every_joint),
        cmocka_unit_test(test_a_floor_is_the_longest_of_its_times),
        cmocka_unit_test(test_median),
        cmocka_unit_test(test_a_known_time_is_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
