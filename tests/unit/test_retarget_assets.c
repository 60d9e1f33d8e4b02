// SPDX-License-Identifier: MIT
// The map of two files is the one that a program gets from the roles, the reference poses and the soles that it finds.
#include "support/check.h"

#include <sinew/humanoid/reference.h>
#include <sinew/humanoid/retarget.h>

static sinew_asset *hero, *golem;

typedef struct parts {
    sinew_humanoid roles;
    sinew_pose *pose;
    sinew_feet soles;
} parts;

static parts find_parts(const sinew_asset *asset) {
    parts p;
    assert_int_equal(sinew_humanoid_find(asset, NULL, &p.roles, NULL, NULL), SINEW_OK);
    assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &p.pose), SINEW_OK);
    assert_int_equal(sinew_reference_find(asset, &p.roles, NULL, p.pose, NULL, NULL), SINEW_OK);
    assert_int_equal(sinew_reference_find_soles(asset, &p.roles, p.pose, NULL, &p.soles, NULL), SINEW_OK);
    return p;
}

static sinew_retarget *map_by_hand(void) {
    parts from = find_parts(hero), to = find_parts(golem);
    sinew_retarget_def def = sinew_retarget_default();
    def.source = hero->skeleton;
    def.source_humanoid = &from.roles;
    def.source_reference = from.pose;
    def.target = golem->skeleton;
    def.target_up = SINEW_UP_Z;
    def.target_humanoid = &to.roles;
    def.target_reference = to.pose;
    def.target_soles = &to.soles;
    sinew_retarget *map;
    assert_int_equal(sinew_retarget_create(&def, &map, NULL), SINEW_OK);
    sinew_pose_destroy(from.pose);
    sinew_pose_destroy(to.pose);
    return map;
}

// A clip has the pose and the limbs, which need the soles.
static void test_the_map_is_the_same(void **state) {
    (void)state;
    sinew_retarget *maps[2] = {map_by_hand(), NULL};
    assert_int_equal(sinew_retarget_assets(hero, golem, NULL, &maps[1], NULL), SINEW_OK);
    sinew_clip *clips[2];
    for (int k = 0; k < 2; k++) {
        const sinew_clip *walk = sinew_asset_find_clip(hero, "Walk");
        assert_int_equal(sinew_clip_retarget(maps[k], walk, NULL, &clips[k], NULL), SINEW_OK);
    }
    assert_true(maps[0]->scale == maps[1]->scale);
    assert_int_equal(maps[0]->pair_count, maps[1]->pair_count);
    for (int i = 0; i < 8; i++) {
        sinew_pose *poses[2];
        for (int k = 0; k < 2; k++) {
            assert_int_equal(sinew_pose_create(golem->skeleton, NULL, &poses[k]), SINEW_OK);
            sinew_clip_sample(clips[k], clips[k]->duration * (float)i / 8, poses[k]);
        }
        for (int32_t node = 0; node < golem->skeleton->node_count; node++) {
            const sinew_transform a = sinew_pose_get(poses[0], node), b = sinew_pose_get(poses[1], node);
            assert_memory_equal(&a, &b, sizeof a);
        }
        for (int k = 0; k < 2; k++) sinew_pose_destroy(poses[k]);
    }
    for (int k = 0; k < 2; k++) {
        sinew_clip_destroy(clips[k]);
        sinew_retarget_destroy(maps[k]);
    }
}

static void test_failing_allocations(void **state) {
    (void)state;
    counting c = {.fail_once = true};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    while (fail_next(&c, result)) {
        const sinew_allocator allocator = counting_allocator(&c);
        sinew_retarget *map;
        sinew_error error = {0};
        result = sinew_retarget_assets(hero, golem, &allocator, &map, &error);
        if (result != SINEW_OK) assert_null(map);
        if (result != SINEW_OK) assert_string_equal(error.message, "out of memory");
        sinew_retarget_destroy(map);
    }
}

static void test_who_is_not_a_humanoid(void **state) {
    (void)state;
    sinew_asset *eye = load_gltf(SINEW_MODELS "/eye.gltf", NULL);
    sinew_retarget *map;
    sinew_error error = {0};
    assert_int_equal(sinew_retarget_assets(hero, eye, NULL, &map, &error), SINEW_ERROR_UNSUPPORTED);
    assert_null(map);
    assert_memory_equal(error.message, "the target: ", 12);
    assert_int_equal(sinew_retarget_assets(eye, hero, NULL, &map, &error), SINEW_ERROR_UNSUPPORTED);
    assert_memory_equal(error.message, "the source: ", 12);
    assert_int_equal(sinew_retarget_assets(eye, hero, NULL, &map, NULL), SINEW_ERROR_UNSUPPORTED);
    sinew_asset_destroy(eye);
}

static int load_both(void **state) {
    (void)state;
    hero = load_gltf(SINEW_MODELS "/hero.glb", NULL);
    sinew_gltf_options options = sinew_gltf_default();
    options.up = SINEW_UP_Z;
    golem = load_gltf(SINEW_MODELS "/golem.glb", &options);
    return 0;
}

static int free_both(void **state) {
    (void)state;
    sinew_asset_destroy(hero);
    sinew_asset_destroy(golem);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_map_is_the_same),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_who_is_not_a_humanoid),
    };
    return cmocka_run_group_tests(tests, load_both, free_both);
}
