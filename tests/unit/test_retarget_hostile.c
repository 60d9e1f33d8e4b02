// SPDX-License-Identifier: MIT
// Retarget maps from wrong arguments, hostile humanoids and poses, with failing allocations, and from several
// threads.
#include "support/random_rig.h"
#include "support/retarget_rig.h"

#include <pthread.h>
#include <stdio.h>

// ---- Errors --------------------------------------------------------------------------------------------------

typedef struct stage {
    sinew_skeleton *a, *b; // chains of 6 and 8 nodes, "n0", "n1", ...
    sinew_humanoid of_a, of_b;
    sinew_retarget_def def;
} stage;

static int set_up(void **state) {
    static stage s;
    s.a = make_chain(6);
    s.b = make_chain(8);
    s.of_a = s.of_b = sinew_humanoid_empty();
    s.of_a.nodes[SINEW_HUMANOID_HIPS] = s.of_b.nodes[SINEW_HUMANOID_HIPS] = 1;
    s.def = sinew_retarget_default();
    s.def.source = s.a;
    s.def.target = s.b;
    *state = &s;
    return 0;
}

static int tear_down(void **state) {
    stage *s = *state;
    sinew_skeleton_destroy(s->a);
    sinew_skeleton_destroy(s->b);
    return 0;
}

// The result and the whole message.
static void check_refused(const sinew_retarget_def *def, sinew_result result, const char *message) {
    sinew_error error = {0};
    sinew_retarget *map = (sinew_retarget *)(void *)&error; // must be overwritten
    assert_int_equal(sinew_retarget_create(def, &map, &error), result);
    assert_null(map);
    assert_string_equal(error.message, message);
    assert_int_equal(sinew_retarget_create(def, &map, NULL), result);
}

static void test_wrong_definitions(void **state) {
    stage *s = *state;
    sinew_retarget_def def = s->def;
    def.target = NULL;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "no source or no target");
    def = s->def, def.source = NULL;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "no source or no target");
    def = s->def, def.source_humanoid = &s->of_a;
    check_refused(&def, SINEW_ERROR_ARGUMENT,
                  "the source has a humanoid, but the target has none; pass both or neither");
    def = s->def, def.target_humanoid = &s->of_b;
    check_refused(&def, SINEW_ERROR_ARGUMENT,
                  "the target has a humanoid, but the source has none; pass both or neither");
    def = s->def, def.match_names = false;
    check_refused(&def, SINEW_ERROR_ARGUMENT,
                  "no target node shares a role, a chain or a name with a source node; pass humanoids or chains");
}

static void test_references_of_other_skeletons(void **state) {
    stage *s = *state;
    sinew_pose *of_a, *of_b;
    assert_int_equal(sinew_pose_create(s->a, NULL, &of_a), SINEW_OK);
    assert_int_equal(sinew_pose_create(s->b, NULL, &of_b), SINEW_OK);
    sinew_retarget_def def = s->def;
    def.source_reference = of_b;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "source_reference belongs to a different skeleton");
    def.source_reference = of_a, def.target_reference = of_a;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "target_reference belongs to a different skeleton");
    sinew_pose_destroy(of_a);
    sinew_pose_destroy(of_b);
}

static void test_wrong_numbers(void **state) {
    stage *s = *state;
    sinew_retarget_def def = s->def;
    def.scale = -0.5f;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "scale is -0.5; it must be 0 or more");
    def.scale = INFINITY;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "scale is inf; it must be 0 or more");
    def.scale = 0, def.foot_weight = 1.5f;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "foot_weight is 1.5 and hand_weight is 0; weights must be 0 to 1");
    def.foot_weight = 0.5f, def.hand_weight = -1;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "foot_weight is 0.5 and hand_weight is -1; weights must be 0 to 1");
    sinew_retarget *map;
    def.hand_weight = NAN;
    assert_int_equal(sinew_retarget_create(&def, &map, NULL), SINEW_ERROR_ARGUMENT);
    def.hand_weight = 0, def.scale = NAN;
    assert_int_equal(sinew_retarget_create(&def, &map, NULL), SINEW_ERROR_ARGUMENT);
}

static void test_wrong_chains(void **state) {
    stage *s = *state;
    static const int32_t down[] = {1, 2, 3}, up[] = {3, 2}, far[] = {1, 99}, before[] = {-1}, twice[] = {2, 2};
    sinew_retarget_chain chains[2] = {{down, 3, down, 3}, {up, 1, down, 1}};
    sinew_retarget_def def = s->def;
    def.chains = chains;
    def.chain_count = 2;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "chains[1]: 'n1' is already in an earlier chain");
    def.chain_count = 1;
    chains[0] = (sinew_retarget_chain){down, 0, down, 3};
    check_refused(&def, SINEW_ERROR_ARGUMENT, "chains[0]: no source nodes");
    chains[0] = (sinew_retarget_chain){NULL, 2, down, 3};
    check_refused(&def, SINEW_ERROR_ARGUMENT, "chains[0]: no source nodes");
    chains[0] = (sinew_retarget_chain){down, 3, down, -1};
    check_refused(&def, SINEW_ERROR_ARGUMENT, "chains[0]: no target nodes");
    chains[0] = (sinew_retarget_chain){far, 2, down, 3};
    check_refused(&def, SINEW_ERROR_ARGUMENT, "chains[0]: source_nodes[1] is 99, but there are only 6 nodes");
    chains[0] = (sinew_retarget_chain){down, 3, before, 1};
    check_refused(&def, SINEW_ERROR_ARGUMENT, "chains[0]: target_nodes[0] is -1, but there are only 8 nodes");
    chains[0] = (sinew_retarget_chain){down, 3, up, 2};
    check_refused(&def, SINEW_ERROR_ARGUMENT,
                  "chains[0]: target_nodes[1] 'n2' is not below 'n3'; list a chain from its root to its tip");
    chains[0] = (sinew_retarget_chain){twice, 2, down, 3};
    check_refused(&def, SINEW_ERROR_ARGUMENT,
                  "chains[0]: source_nodes[1] 'n2' is not below 'n2'; list a chain from its root to its tip");
    def.chains = NULL;
    check_refused(&def, SINEW_ERROR_ARGUMENT,
                  "chain_count is 1; it must be 0 or more, and chains must be set unless it is 0");
    def.chain_count = -1;
    check_refused(&def, SINEW_ERROR_ARGUMENT,
                  "chain_count is -1; it must be 0 or more, and chains must be set unless it is 0");
}

static void test_roles_out_of_range(void **state) {
    stage *s = *state;
    sinew_retarget_def def = s->def;
    def.source_humanoid = &s->of_a;
    def.target_humanoid = &s->of_b;
    s->of_b.nodes[SINEW_HUMANOID_HEAD] = 8;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "target_humanoid: head is node 8, but there are only 8 nodes");
    s->of_b.nodes[SINEW_HUMANOID_HEAD] = SINEW_NO_NODE;
    s->of_a.nodes[SINEW_HUMANOID_JAW] = -2;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "source_humanoid: jaw is node -2, but there are only 6 nodes");
    s->of_a.nodes[SINEW_HUMANOID_JAW] = SINEW_NO_NODE;
}

static void test_too_many_nodes(void **state) {
    (void)state;
    for (int32_t count = SINEW_MAX_RETARGET_NODES; count <= SINEW_MAX_RETARGET_NODES + 1; count++) {
        sinew_skeleton *skeleton = make_chain(count), *small = make_chain(2);
        int32_t last = count - 1, root = 0;
        sinew_retarget_chain chain = {&last, 1, &root, 1};
        sinew_retarget_def def = sinew_retarget_default();
        def.source = def.target = skeleton;
        sinew_retarget *map;
        if (count == SINEW_MAX_RETARGET_NODES) {
            assert_int_equal(sinew_retarget_create(&def, &map, NULL), SINEW_OK);
            assert_int_equal(map->pair_count, count);
            sinew_retarget_destroy(map);
        } else {
            check_refused(&def, SINEW_ERROR_LIMIT,
                          "the source: more than 512 nodes are paired or above a pair; set match_names to false");
            def.target = small; // one pair with 513 nodes above it in the source
            def.match_names = false;
            def.chains = &chain;
            def.chain_count = 1;
            assert_int_equal(sinew_retarget_create(&def, &map, NULL), SINEW_ERROR_LIMIT);
            def.source = small, def.target = skeleton;
            chain = (sinew_retarget_chain){&root, 1, &last, 1};
            assert_int_equal(sinew_retarget_create(&def, &map, NULL), SINEW_ERROR_LIMIT);
        }
        sinew_skeleton_destroy(skeleton);
        sinew_skeleton_destroy(small);
    }
}

// ---- Hostile humanoids ---------------------------------------------------------------------------------------

static bool is_finite_pose(const sinew_pose *pose) {
    const float *planes[10] = {pose->tx, pose->ty, pose->tz, pose->rx, pose->ry,
                               pose->rz, pose->rw, pose->sx, pose->sy, pose->sz};
    for (int plane = 0; plane < 10; plane++) {
        for (int32_t i = 0; i < pose->skeleton->node_count; i++) {
            if (!isfinite(planes[plane][i])) return false;
        }
    }
    return true;
}

// Runs a map on a pose and on its limbs.
static void run_map(const sinew_retarget *map, const sinew_pose *source, sinew_pose *target) {
    sinew_affine *source_model = calloc((size_t)map->source->node_count, sizeof *source_model);
    sinew_affine *model = calloc((size_t)map->target->node_count, sizeof *model);
    sinew_retarget_pose(map, source, target);
    sinew_pose_to_model(source, source_model);
    sinew_pose_to_model(target, model);
    sinew_retarget_limbs(map, source_model, target, model);
    free(source_model);
    free(model);
}

static void check_map(const sinew_retarget_def *def, bool is_finite) {
    sinew_retarget *map;
    sinew_error error = {0};
    if (sinew_retarget_create(def, &map, &error) != SINEW_OK) return;
    for (int32_t i = 0; i < map->pair_count; i++) {
        assert_true(map->pairs[i].parent >= SINEW_NO_PAIR && map->pairs[i].parent < map->pair_count);
        assert_true(i == 0 || map->pairs[i].target > map->pairs[i - 1].target);
    }
    sinew_pose *source, *target;
    assert_int_equal(sinew_pose_create(map->source, NULL, &source), SINEW_OK);
    assert_int_equal(sinew_pose_create(map->target, NULL, &target), SINEW_OK);
    run_map(map, source, target);
    if (is_finite) assert_true(is_finite_pose(target));
    sinew_pose_destroy(source);
    sinew_pose_destroy(target);
    sinew_retarget_destroy(map);
}

// A skeleton without scales. Its nodes may have names of twist joints.
static sinew_skeleton *draw_rig(uint64_t *state, int32_t count) {
    static const char *const names[] = {"a", "b", "ForeArmTwist", "leg_roll", "c", "", "d", "e"};
    sinew_node_def nodes[64];
    for (int32_t i = 0; i < count; i++) {
        nodes[i] = (sinew_node_def){.name = names[random_next(state) % 8], .parent = SINEW_NO_NODE};
        if (i > 0 && random_next(state) % 5) nodes[i].parent = draw_count(state, 0, i - 1);
        nodes[i].rest = sinew_transform_identity();
        nodes[i].rest.rotation = random_quat(state);
        bool is_flat = random_next(state) % 4 == 0; // joints at one position
        if (!is_flat)
            nodes[i].rest.translation = (sinew_vec3){random_float(state, -1, 1), random_float(state, -1, 1), 1};
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = count;
    def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

// Any nodes, possibly with repeats.
static sinew_humanoid draw_humanoid(uint64_t *state, int32_t node_count) {
    sinew_humanoid humanoid = sinew_humanoid_empty();
    uint32_t empty = random_next(state) % 4;
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) {
        if (random_next(state) % 4 >= empty) humanoid.nodes[role] = draw_count(state, 0, node_count - 1);
    }
    return humanoid;
}

static void test_random_humanoids(void **state) {
    (void)state;
    uint64_t random = 5;
    for (int i = 0; i < 3000; i++) {
        int32_t counts[2] = {draw_count(&random, 1, 60), draw_count(&random, 1, 60)};
        sinew_skeleton *from = draw_rig(&random, counts[0]), *to = draw_rig(&random, counts[1]);
        sinew_humanoid source = draw_humanoid(&random, counts[0]), target = draw_humanoid(&random, counts[1]);
        sinew_retarget_def def = sinew_retarget_default();
        def.source = from;
        def.target = to;
        def.source_humanoid = &source;
        def.target_humanoid = &target;
        def.hand_weight = 1;
        def.source_up = random_next(&random) % 2 ? SINEW_UP_Z : SINEW_UP_Y;
        check_map(&def, true);
        sinew_skeleton_destroy(from);
        sinew_skeleton_destroy(to);
    }
}

static void test_one_node_has_every_role(void **state) {
    stage *s = *state;
    sinew_humanoid all = sinew_humanoid_empty();
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) all.nodes[role] = 3;
    sinew_retarget_def def = s->def;
    def.source_humanoid = def.target_humanoid = &all;
    def.hand_weight = 1;
    check_map(&def, true);
}

// The hips are below the foot, which is detached from the leg, which is detached from the hips: each waits for the next.
// The upper leg, without a parent pair in the end, has a twist joint.
static void test_parts_that_wait_for_each_other(void **state) {
    (void)state;
    static const char *const names[] = {"upper", "twist", "lower", "foot", "hips"};
    static const int32_t parents[] = {SINEW_NO_NODE, 0, 0, SINEW_NO_NODE, 3};
    sinew_node_def nodes[5];
    for (int32_t i = 0; i < 5; i++) {
        nodes[i] = (sinew_node_def){.name = names[i], .parent = parents[i], .rest = sinew_transform_identity()};
        nodes[i].rest.translation = (sinew_vec3){0.1f * (float)i, -0.2f, 0.3f};
    }
    sinew_skeleton_def skeleton_def = sinew_skeleton_default();
    skeleton_def.node_count = 5;
    skeleton_def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&skeleton_def, &skeleton, NULL), SINEW_OK);
    sinew_humanoid humanoid = sinew_humanoid_empty();
    set_role(&humanoid, skeleton, "leftUpperLeg", "upper");
    set_role(&humanoid, skeleton, "leftLowerLeg", "lower");
    set_role(&humanoid, skeleton, "leftFoot", "foot");
    set_role(&humanoid, skeleton, "hips", "hips");
    sinew_retarget_def def = sinew_retarget_default();
    def.source = def.target = skeleton;
    def.source_humanoid = def.target_humanoid = &humanoid;
    def.match_names = false;
    check_map(&def, true);
    sinew_skeleton_destroy(skeleton);
}

// ---- Numbers -------------------------------------------------------------------------------------------------

static void test_extreme_skeletons(void **state) {
    (void)state;
    uint64_t random = 9;
    for (int i = 0; i < 500; i++) {
        int32_t count = draw_count(&random, 2, 50);
        sinew_skeleton *skeleton = draw_skeleton(&random, count, true); // scales of 0 and below, too
        sinew_humanoid source = draw_humanoid(&random, count), target = draw_humanoid(&random, count);
        sinew_retarget_def def = sinew_retarget_default();
        def.source = def.target = skeleton;
        def.source_humanoid = &source;
        def.target_humanoid = &target;
        check_map(&def, false);
        sinew_skeleton_destroy(skeleton);
    }
}

// Sets a component of each node's scale.
static void set_scale(sinew_pose *pose, sinew_vec3 scale) {
    for (int32_t i = 0; i < pose->skeleton->node_count; i++) {
        sinew_transform t = sinew_pose_get(pose, i);
        t.scale = scale;
        sinew_pose_set(pose, i, t);
    }
}

typedef struct hero_stage {
    character hero;
    sinew_retarget *map;
    sinew_pose *source, *target;
} hero_stage;

// The hero onto itself, by the roles.
static hero_stage make_hero(void) {
    hero_stage h;
    load_character(HERO, &h.hero);
    sinew_retarget_def def = sinew_retarget_default();
    def.source = def.target = h.hero.skeleton;
    def.source_humanoid = def.target_humanoid = &h.hero.humanoid;
    def.hand_weight = 1;
    assert_int_equal(sinew_retarget_create(&def, &h.map, NULL), SINEW_OK);
    assert_int_equal(sinew_pose_create(h.hero.skeleton, NULL, &h.source), SINEW_OK);
    assert_int_equal(sinew_pose_create(h.hero.skeleton, NULL, &h.target), SINEW_OK);
    return h;
}

static void free_hero(hero_stage *h) {
    sinew_retarget_destroy(h->map);
    sinew_pose_destroy(h->source);
    sinew_pose_destroy(h->target);
    free_character(&h->hero);
}

static void test_scales_of_zero_and_uneven_ones_give_finite_poses(void **state) {
    (void)state;
    static const sinew_vec3 scales[] = {{0, 0, 0}, {1, 0, 1}, {0.5f, 2, 1}, {1e-20f, 1e-20f, 1e-20f}};
    hero_stage h = make_hero();
    for (int i = 0; i < 4; i++) {
        sinew_pose_reset(h.source);
        set_scale(h.source, scales[i]);
        run_map(h.map, h.source, h.target);
        assert_true(is_finite_pose(h.target));
        sinew_pose_reset(h.target);
        sinew_retarget_def def = sinew_retarget_default(); // in the references, too
        def.source = def.target = h.hero.skeleton;
        def.source_humanoid = def.target_humanoid = &h.hero.humanoid;
        def.source_reference = h.source;
        check_map(&def, true);
        def.source_reference = NULL;
        def.target_reference = h.source;
        check_map(&def, true);
    }
    free_hero(&h);
}

// Padding and unpaired nodes stay as they are.
static void test_a_pose_that_is_not_a_number_writes_only_paired_nodes(void **state) {
    (void)state;
    hero_stage h = make_hero();
    for (int32_t i = 0; i < h.hero.skeleton->node_count; i++) {
        h.source->tx[i] = h.source->ry[i] = h.source->sz[i] = NAN;
    }
    int32_t count = h.hero.skeleton->node_count, padded = (count + SINEW_LANES - 1) / SINEW_LANES * SINEW_LANES;
    assert_true(padded > count);
    run_map(h.map, h.source, h.target);
    for (int32_t i = count; i < padded; i++) {
        assert_true(h.target->tx[i] == 0 && h.target->ry[i] == 0 && h.target->rw[i] == 1 && h.target->sz[i] == 1);
    }
    bool is_paired[256] = {false};
    for (int32_t i = 0; i < h.map->pair_count; i++) is_paired[h.map->pairs[i].target] = true;
    for (int32_t i = 0; i < count; i++) assert_true(is_paired[i] || isfinite(h.target->ry[i]));
    free_hero(&h);
}

// ---- Memory --------------------------------------------------------------------------------------------------

static void test_failing_allocations(void **state) {
    (void)state;
    character hero;
    load_character(HERO, &hero);
    counting c = {0};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    while (fail_next(&c, result)) {
        sinew_retarget_def def = sinew_retarget_default();
        def.source = def.target = hero.skeleton;
        def.source_humanoid = def.target_humanoid = &hero.humanoid;
        def.allocator = counting_allocator(&c);
        sinew_retarget *map;
        result = sinew_retarget_create(&def, &map, NULL);
        assert_int_equal(c.live, result == SINEW_OK); // one block
        assert_int_equal(map != NULL, result == SINEW_OK);
        sinew_retarget_destroy(map);
    }
    assert_true(c.fail_at > 4);
    sinew_retarget_destroy(NULL);
    free_character(&hero);
}

static void test_failing_allocations_of_a_clip(void **state) {
    (void)state;
    hero_stage h = make_hero();
    const sinew_clip *walk = clip_named(&h.hero, "Walk");
    counting c = {0};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    while (fail_next(&c, result)) {
        sinew_retarget_clip_def def = sinew_retarget_clip_default();
        def.allocator = counting_allocator(&c);
        sinew_clip *clip;
        result = sinew_clip_retarget(h.map, walk, &def, &clip, NULL);
        assert_int_equal(clip != NULL, result == SINEW_OK);
        sinew_clip_destroy(clip);
    }
    assert_true(c.fail_at > 6);
    free_hero(&h);
}

// ---- Threads -------------------------------------------------------------------------------------------------

typedef struct worker {
    const sinew_retarget *map;
    const sinew_clip *clip;
    uint64_t bits; // of all poses
} worker;

static void *run_worker(void *data) {
    worker *w = data;
    sinew_pose *source, *target;
    w->bits = BITS_NONE;
    if (sinew_pose_create(w->map->source, NULL, &source) != SINEW_OK) return NULL;
    if (sinew_pose_create(w->map->target, NULL, &target) == SINEW_OK) {
        for (int i = 0; i < 500; i++) {
            sinew_clip_sample(w->clip, (float)i * 0.002f, source);
            run_map(w->map, source, target);
            w->bits = add_bits_of_pose(w->bits, target);
        }
        sinew_pose_destroy(target);
    }
    sinew_pose_destroy(source);
    return NULL;
}

static void test_two_threads_share_a_map(void **state) {
    (void)state;
    hero_stage h = make_hero();
    worker workers[3];
    pthread_t threads[2];
    for (int i = 0; i < 3; i++) workers[i] = (worker){h.map, clip_named(&h.hero, "Run"), 0};
    run_worker(&workers[2]);
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&threads[i], NULL, run_worker, &workers[i]), 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++) assert_true(workers[i].bits == workers[2].bits && workers[i].bits != BITS_NONE);
    free_hero(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_definitions),
        cmocka_unit_test(test_references_of_other_skeletons),
        cmocka_unit_test(test_wrong_numbers),
        cmocka_unit_test(test_wrong_chains),
        cmocka_unit_test(test_roles_out_of_range),
        cmocka_unit_test(test_too_many_nodes),
        cmocka_unit_test(test_random_humanoids),
        cmocka_unit_test(test_one_node_has_every_role),
        cmocka_unit_test(test_parts_that_wait_for_each_other),
        cmocka_unit_test(test_extreme_skeletons),
        cmocka_unit_test(test_scales_of_zero_and_uneven_ones_give_finite_poses),
        cmocka_unit_test(test_a_pose_that_is_not_a_number_writes_only_paired_nodes),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_failing_allocations_of_a_clip),
        cmocka_unit_test(test_two_threads_share_a_map),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
