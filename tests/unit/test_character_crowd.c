// SPDX-License-Identifier: MIT
// Crowds of characters: one call gives the same bits as updating one by one, a budget updates each as often as it
// matters, and palettes keep moving while a character waits.
#include "support/check.h"

#define COUNT 24

static const char graph_text[] =
    "{ \"sinewGraph\": 1,"
    "  \"parameters\": { \"lookAt\": { \"type\": \"vector3\" } },"
    "  \"layers\": [ { \"name\": \"Base\", \"states\": { \"Walk\": { \"clip\": \"Walk\" } } } ],"
    "  \"rig\": { \"steps\": ["
    "    { \"aim\": { \"node\": \"Head\", \"goal\": \"lookAt\", \"limit\": 1 } },"
    "    { \"significance\": 0.5, \"damping\": 0, \"springs\": { \"chains\": [ { \"root\": \"Hair1\" } ] } } ] } }";

static struct {
    sinew_asset *asset;
    sinew_graph *graph;
    sinew_rig *rig;
    const sinew_skin *skin;
    sinew_character *characters[COUNT];
    sinew_character_item items[COUNT];
} s;

static int set_up(void **state) {
    (void)state;
    sinew_error error = {0};
    s.asset = load_gltf(SINEW_MODELS "/hero.glb", NULL);
    s.skin = &s.asset->skins[0];
    if (sinew_graph_load_memory(graph_text, sizeof graph_text - 1, NULL, &s.graph, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    sinew_rig_def rig = sinew_rig_default();
    rig.graph = s.graph;
    rig.asset = s.asset;
    if (sinew_rig_create(&rig, &s.rig, &error) != SINEW_OK) fail_msg("%s", error.message);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    sinew_rig_destroy(s.rig);
    sinew_graph_destroy(s.graph);
    sinew_asset_destroy(s.asset);
    return 0;
}

static sinew_character *make_character(int place) {
    sinew_character_def def = sinew_character_default();
    def.rig = s.rig;
    def.world.translation.x = (float)place;
    sinew_character *character;
    assert_int_equal(sinew_character_create(&def, &character, NULL), SINEW_OK);
    sinew_animator_set_vector3(sinew_character_animator(character), 0, (sinew_vec3){(float)place - 1, 1.5f, 3});
    return character;
}

static sinew_affine *make_matrices(int32_t times) {
    sinew_affine *matrices = calloc((size_t)times * (size_t)s.skin->joint_count, sizeof *matrices);
    assert_non_null(matrices);
    return matrices;
}

static void make_crowd(int count) {
    for (int i = 0; i < count; i++) {
        s.characters[i] = make_character(i);
        s.items[i] = (sinew_character_item){.character = s.characters[i], .skin = s.skin, .significance = 1};
        s.items[i].palette = make_matrices(1);
    }
}

static void free_crowd(int count) {
    for (int i = 0; i < count; i++) {
        sinew_character_destroy(s.characters[i]);
        free(s.items[i].palette);
        free(s.items[i].between);
    }
}

static void check_palette(const sinew_affine *palette, const sinew_affine *expected) {
    assert_memory_equal(palette, expected, (size_t)s.skin->joint_count * sizeof *palette);
}

static void test_one_call_does_what_single_calls_do(void **state) {
    (void)state;
    make_crowd(COUNT);
    sinew_affine *palette = make_matrices(1);
    sinew_character *alone = make_character(5);
    for (int frame = 0; frame < 60; frame++) {
        sinew_characters_update(s.items, 0, COUNT / 2, 1.0f / 60);
        sinew_characters_update(s.items, COUNT / 2, COUNT - COUNT / 2, 1.0f / 60);
        sinew_character_set_significance(alone, 1);
        sinew_character_update(alone, 1.0f / 60);
        sinew_skin_palette(s.skin, sinew_character_model(alone), palette);
        check_palette(s.items[5].palette, palette);
        assert_true(s.items[5].changed && s.items[5].updated);
        check_near(s.items[5].world.m[0][3], 5, 0);
        assert_true(sinew_character_hash(s.characters[5]) == sinew_character_hash(alone));
    }
    sinew_character_destroy(alone);
    free(palette);
    free_crowd(COUNT);
}

// Each is updated in proportion to its significance, one with INFINITY in each frame, one with 0 only at first. None
// loses time.
static void test_rates_follow_significance(void **state) {
    (void)state;
    make_crowd(COUNT);
    for (int i = 0; i < COUNT; i++) s.items[i].significance = i < 8 ? 4 : 1;
    s.items[0].significance = INFINITY;
    s.items[23].significance = 0;
    sinew_batch_budget budget = sinew_batch_budget_default();
    budget.max_poses = 6;
    int updates[COUNT] = {0};
    const int frames = 1200;
    for (int frame = 0; frame < frames; frame++) {
        sinew_characters_update_within(&budget, s.items, 0, COUNT, 1.0f / 256);
        assert_true(frame == 0 ? budget.poses == COUNT : budget.poses <= 6);
        for (int i = 0; i < COUNT; i++) updates[i] += s.items[i].updated;
    }
    assert_int_equal(updates[0], frames);
    assert_int_equal(updates[23], 1);
    check_near((double)updates[3] / updates[15], 4, 0.6);
    sinew_characters_update(s.items, 0, COUNT, 0);
    for (int i = 0; i < 23; i++) {
        const sinew_mixer *mixer = sinew_character_mixer(s.characters[i]);
        const sinew_action walk = sinew_animator_action(sinew_character_animator(s.characters[i]), 0);
        const double duration = (double)sinew_action_get(mixer, walk).clip->duration;
        const double off = fabs((double)sinew_action_time(mixer, walk) - fmod(frames / 256.0, duration));
        check_near(fmin(off, duration - off), 0, 1e-3);
    }
    free_crowd(COUNT);
}

// A palette moves evenly from one pose to the next, and so does the place where it is drawn.
static void test_palettes_move_on_between_poses(void **state) {
    (void)state;
    make_crowd(1);
    sinew_character_item *item = &s.items[0];
    item->between = make_matrices(2);
    sinew_affine *from = make_matrices(1), *to = make_matrices(1);
    sinew_batch_budget budget = sinew_batch_budget_default();
    sinew_transform world = sinew_transform_identity();
    world.rotation = (sinew_quat){0.5f, 0.5f, 0.5f, 0.5f}; // the matrix has a diagonal of 0
    const size_t size = (size_t)s.skin->joint_count * sizeof *from;
    for (int frame = 0; frame < 40; frame++) {
        world.translation.z = (float)frame;
        sinew_character_set_world(item->character, world);
        budget.max_poses = frame % 4 == 0; // in every fourth frame
        sinew_characters_update_within(&budget, item, 0, 1, 1.0f / 60);
        assert_true(item->updated == (frame % 4 == 0));
        if (frame < 8) continue; // it doesn't know how long it will wait
        assert_true(item->changed);
        if (frame % 4 == 0) memcpy(to, item->between + s.skin->joint_count, size);
        const double t = (frame % 4 + 1) / 4.0;
        for (int32_t i = 0; i < s.skin->joint_count; i++) {
            if (frame > 11)
                check_near(item->palette[i].m[1][3],
                           from[i].m[1][3] + t * (double)(to[i].m[1][3] - from[i].m[1][3]), 1e-5);
        }
        const int last_update = frame / 4 * 4;
        check_near(item->world.m[2][3], last_update - 4 + 4 * t, 1e-4);
        if (frame % 4 == 3) {
            check_palette(item->palette, to); // it has arrived
            memcpy(from, to, size);
        }
    }
    free(from);
    free(to);
    free_crowd(1);
}

// Who isn't significant enough has no springs, but still looks.
static void test_steps_ask_for_significance(void **state) {
    (void)state;
    make_crowd(2);
    s.items[0].significance = 0.49f;
    s.items[1].significance = 0.5f;
    for (int i = 0; i < 30; i++) sinew_characters_update(s.items, 0, 2, 1.0f / 60);
    check_near(sinew_character_step_weight(s.characters[0], 0), 1, 0);
    check_near(sinew_character_step_weight(s.characters[0], 1), 0, 0);
    check_near(sinew_character_step_weight(s.characters[1], 1), 1, 0);
    free_crowd(2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_call_does_what_single_calls_do),
        cmocka_unit_test(test_rates_follow_significance),
        cmocka_unit_test(test_palettes_move_on_between_poses),
        cmocka_unit_test(test_steps_ask_for_significance),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
