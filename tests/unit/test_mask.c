// SPDX-License-Identifier: MIT
// Masks: factors for nodes, for subtrees with and without a feather, by name, and for their morph weights.
#include "support/check.h"

enum { ROOT, LEG, SPINE, CHEST, ARM, HAND, THUMB, FINGER, HEAD, TAIL, NODE_COUNT };

// A body whose nodes are in the enum's order. The head has 18 morph weights, and the hand before them has one.
static sinew_skeleton *make_body(void) {
    static const struct {
        const char *name;
        int32_t parent, weight_count;
    } body[NODE_COUNT] = {
        {"Root", -1, 0},  {"Leg", ROOT, 0},   {"Spine", ROOT, 0}, {"Chest", SPINE, 0}, {"Arm", CHEST, 0},
        {"Hand", ARM, 1}, {"Digit", HAND, 0}, {"Digit", HAND, 0}, {"Head", CHEST, 18}, {"", ROOT, 0},
    };
    sinew_node_def nodes[NODE_COUNT];
    for (int i = 0; i < NODE_COUNT; i++) {
        nodes[i] = (sinew_node_def){.name = body[i].name,
                                    .parent = body[i].parent,
                                    .rest = sinew_transform_identity(),
                                    .weight_count = body[i].weight_count};
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.nodes = nodes;
    def.node_count = NODE_COUNT;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    for (int i = 0; i < NODE_COUNT; i++) assert_int_equal(skeleton->source_of_node[i], i);
    return skeleton;
}

static sinew_skeleton *body;

static int begin(void **state) {
    (void)state;
    body = make_body();
    return 0;
}

static int end(void **state) {
    (void)state;
    sinew_skeleton_destroy(body);
    return 0;
}

static sinew_mask *new_mask(float factor) {
    sinew_mask *mask;
    assert_int_equal(sinew_mask_create(body, factor, NULL, &mask), SINEW_OK);
    return mask;
}

// Every node's factor, every morph weight's, and zeros behind both.
static void check_mask(const sinew_mask *mask, const float expected[NODE_COUNT]) {
    assert_ptr_equal(mask->skeleton, body);
    for (int i = 0; i < NODE_COUNT; i++) check_near(mask->nodes[i], expected[i], 1e-7);
    for (int i = NODE_COUNT; i < 16; i++) assert_true(mask->nodes[i] == 0);
    assert_true(mask->weights[0] == mask->nodes[HAND]);
    for (int w = 1; w < 19; w++) assert_true(mask->weights[w] == mask->nodes[HEAD]);
    for (int w = 19; w < 32; w++) assert_true(mask->weights[w] == 0);
}

static void test_a_new_mask_has_one_factor(void **state) {
    (void)state;
    counting c = {0};
    sinew_allocator allocator = counting_allocator(&c); // fills its memory with what is not 0
    sinew_mask *mask;
    assert_int_equal(sinew_mask_create(body, 0.75f, &allocator, &mask), SINEW_OK);
    check_mask(mask, (float[]){0.75f, 0.75f, 0.75f, 0.75f, 0.75f, 0.75f, 0.75f, 0.75f, 0.75f, 0.75f});
    assert_int_equal((uintptr_t)mask->nodes % 64, 0);
    assert_int_equal((uintptr_t)mask->weights % 64, 0);
    assert_int_equal(c.live, 1);
    sinew_mask_destroy(mask);
    assert_int_equal(c.live, 0);
    sinew_mask_destroy(NULL);
}

static void test_a_node_alone(void **state) {
    (void)state;
    sinew_mask *mask = new_mask(0);
    sinew_mask_set(mask, HEAD, 0.5f);
    sinew_mask_set(mask, SPINE, 1);
    check_mask(mask, (float[]){0, 0, 1, 0, 0, 0, 0, 0, 0.5f, 0});
    sinew_mask_destroy(mask);
}

static void test_factors_are_clamped(void **state) {
    (void)state;
    const float given[] = {-1, 2, NAN, INFINITY, -INFINITY, -0.0f}, expected[] = {0, 1, 0, 1, 0, 0};
    for (int i = 0; i < 6; i++) {
        sinew_mask *mask = new_mask(given[i]);
        assert_true(mask->nodes[LEG] == expected[i] && !signbit(mask->nodes[LEG]));
        sinew_mask_set(mask, HAND, given[i]);
        assert_true(mask->nodes[HAND] == expected[i] && mask->weights[0] == expected[i]);
        sinew_mask_set_subtree(mask, SPINE, given[i], 0);
        assert_true(mask->nodes[HEAD] == expected[i] && mask->weights[18] == expected[i]);
        sinew_mask_destroy(mask);
    }
}

static void test_a_subtree(void **state) {
    (void)state;
    sinew_mask *mask = new_mask(0.25f);
    sinew_mask_set_subtree(mask, CHEST, 1, 0);
    check_mask(mask, (float[]){0.25f, 0.25f, 0.25f, 1, 1, 1, 1, 1, 1, 0.25f});
    sinew_mask_set_subtree(mask, HAND, 0, 0);
    check_mask(mask, (float[]){0.25f, 0.25f, 0.25f, 1, 1, 0, 0, 0, 1, 0.25f});
    sinew_mask_set_subtree(mask, TAIL, 0.5f, 0); // a leaf is its own subtree
    check_mask(mask, (float[]){0.25f, 0.25f, 0.25f, 1, 1, 0, 0, 0, 1, 0.5f});
    sinew_mask_destroy(mask);
}

static void test_a_feather_rises_level_by_level(void **state) {
    (void)state;
    sinew_mask *mask = new_mask(0);
    sinew_mask_set_subtree(mask, SPINE, 0.9f, 2); // the head is as far down as the arm
    const float risen[] = {0, 0, 0.3f, 0.6f, 0.9f, 0.9f, 0.9f, 0.9f, 0.9f, 0};
    check_mask(mask, risen);
    assert_true(mask->nodes[ARM] == 0.9f && mask->nodes[FINGER] == 0.9f); // to the bit
    sinew_mask_set_subtree(mask, SPINE, 0.9f, 2);                         // repeating it changes nothing
    check_mask(mask, risen);
    sinew_mask_destroy(mask);
}

static void test_a_feather_starts_at_what_is_above(void **state) {
    (void)state;
    sinew_mask *mask = new_mask(1); // everything but the arm
    sinew_mask_set_subtree(mask, ARM, 0, 1);
    check_mask(mask, (float[]){1, 1, 1, 1, 0.5f, 0, 0, 0, 1, 1});
    sinew_mask_set_subtree(mask, ROOT, 1, 1); // above a root there is nothing
    check_mask(mask, (float[]){0.5f, 1, 1, 1, 1, 1, 1, 1, 1, 1});
    sinew_mask_set_subtree(mask, CHEST, 1, INT32_MAX); // longer than the hierarchy is deep
    check_near(mask->nodes[CHEST], 1, 1e-6);
    sinew_mask_set_subtree(mask, ROOT, 1, INT32_MAX);
    check_near(mask->nodes[FINGER], 0, 1e-6);
    sinew_mask_destroy(mask);
}

// ---- Names ---------------------------------------------------------------------------------------------------

static sinew_mask *mask_from(float factor, const sinew_mask_part *parts, int32_t count) {
    sinew_mask *mask;
    sinew_error error = {0};
    if (sinew_mask_from_names(body, factor, parts, count, NULL, &mask, &error) != SINEW_OK) {
        fail_msg("%s", error.message);
    }
    return mask;
}

static void test_masks_are_built_from_names(void **state) {
    (void)state;
    const sinew_mask_part upper[] = {{.name = "Spine", .factor = 1, .feather = 1}};
    sinew_mask *mask = mask_from(0, upper, 1);
    check_mask(mask, (float[]){0, 0, 0.5f, 1, 1, 1, 1, 1, 1, 0});
    sinew_mask_destroy(mask);

    const sinew_mask_part but_arm[] = {{.name = "Arm", .factor = 0}};
    mask = mask_from(1, but_arm, 1);
    check_mask(mask, (float[]){1, 1, 1, 1, 0, 0, 0, 0, 1, 1});
    sinew_mask_destroy(mask);

    const sinew_mask_part fingers[] = {{.name = "Hand", .factor = 0.5f},
                                       {.name = "Hand", .factor = 0, .feather = -1, .alone = true},
                                       {.name = "Digit", .factor = 0.25f}}; // the first of the two
    mask = mask_from(0, fingers, 2);
    check_mask(mask, (float[]){0, 0, 0, 0, 0, 0, 0.5f, 0.5f, 0, 0});
    sinew_mask_destroy(mask);
    mask = mask_from(0, fingers, 3);
    check_mask(mask, (float[]){0, 0, 0, 0, 0, 0, 0.25f, 0.5f, 0, 0});
    sinew_mask_destroy(mask);

    mask = mask_from(1, NULL, 0);
    check_mask(mask, (float[]){1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
    sinew_mask_destroy(mask);
}

static void check_refused(sinew_mask_part part, const char *words) {
    const sinew_mask_part parts[2] = {{.name = "Spine", .factor = 1}, part};
    counting c = {0};
    sinew_allocator allocator = counting_allocator(&c);
    sinew_mask *mask = (sinew_mask *)&c;
    sinew_error error = {0};
    assert_int_equal(sinew_mask_from_names(body, 0, parts, 2, &allocator, &mask, &error), SINEW_ERROR_ARGUMENT);
    assert_int_equal(error.result, SINEW_ERROR_ARGUMENT);
    assert_null(mask);
    assert_int_equal(c.live, 0);
    if (!strstr(error.message, words)) fail_msg("'%s' does not say '%s'", error.message, words);
    assert_int_equal(sinew_mask_from_names(body, 0, parts, 2, NULL, &mask, NULL), SINEW_ERROR_ARGUMENT);
}

static void test_bad_parts_are_refused_with_their_name(void **state) {
    (void)state;
    check_refused((sinew_mask_part){.name = "spine", .factor = 1}, "parts[1]: the skeleton has no node 'spine'");
    check_refused((sinew_mask_part){.name = "", .factor = 1},
                  "parts[1]: no name"); // one node has none, but is not meant
    check_refused((sinew_mask_part){.factor = 1}, "parts[1]: no name");
    check_refused((sinew_mask_part){.name = "Arm", .feather = -1}, "parts[1] 'Arm': feather is -1");
}

static void test_running_out_of_memory_leaves_nothing(void **state) {
    (void)state;
    counting c = {.fail_at = 1};
    sinew_allocator allocator = counting_allocator(&c);
    sinew_mask *mask = (sinew_mask *)&c;
    assert_int_equal(sinew_mask_create(body, 1, &allocator, &mask), SINEW_ERROR_OUT_OF_MEMORY);
    assert_null(mask);
    mask = (sinew_mask *)&c;
    sinew_error error = {0};
    const sinew_mask_part part = {.name = "Spine", .factor = 1};
    assert_int_equal(sinew_mask_from_names(body, 0, &part, 1, &allocator, &mask, &error),
                     SINEW_ERROR_OUT_OF_MEMORY);
    assert_int_equal(error.result, SINEW_ERROR_OUT_OF_MEMORY);
    assert_null(mask);
    assert_int_equal(c.live, 0);
}

static void test_nothing_has_a_mask_too(void **state) {
    (void)state;
    sinew_skeleton *nothing = make_chain(0);
    sinew_mask *mask;
    assert_int_equal(sinew_mask_create(nothing, 1, NULL, &mask), SINEW_OK);
    sinew_mask_destroy(mask);
    sinew_skeleton_destroy(nothing);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_new_mask_has_one_factor),
        cmocka_unit_test(test_a_node_alone),
        cmocka_unit_test(test_factors_are_clamped),
        cmocka_unit_test(test_a_subtree),
        cmocka_unit_test(test_a_feather_rises_level_by_level),
        cmocka_unit_test(test_a_feather_starts_at_what_is_above),
        cmocka_unit_test(test_masks_are_built_from_names),
        cmocka_unit_test(test_bad_parts_are_refused_with_their_name),
        cmocka_unit_test(test_running_out_of_memory_leaves_nothing),
        cmocka_unit_test(test_nothing_has_a_mask_too),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
