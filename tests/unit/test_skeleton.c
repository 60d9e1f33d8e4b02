// SPDX-License-Identifier: MIT
// Skeletons: order, subtrees, names, and what's refused.
#include "support/check.h"

static sinew_result create(const sinew_node_def *nodes, int32_t count, sinew_skeleton **skeleton,
                           sinew_error *error) {
    sinew_skeleton_def def = sinew_skeleton_default();
    def.nodes = nodes;
    def.node_count = count;
    return sinew_skeleton_create(&def, skeleton, error);
}

static sinew_node_def node(const char *name, int32_t parent) {
    return (sinew_node_def){.name = name, .parent = parent, .rest = sinew_transform_identity()};
}

static void test_children_may_come_first(void **state) {
    (void)state; // pitfall 1: listed as hand, arm, root, other arm; sorted depth-first
    sinew_node_def nodes[4] = {node("hand", 1), node("arm", 2), node("root", SINEW_NO_NODE), node("other", 2)};
    sinew_skeleton *s;
    assert_int_equal(create(nodes, 4, &s, NULL), SINEW_OK);
    const char *names[4] = {"root", "arm", "hand", "other"};
    const int32_t parents[4] = {-1, 0, 1, 0}, ends[4] = {4, 3, 3, 4}, sources[4] = {2, 1, 0, 3};
    for (int32_t i = 0; i < 4; i++) {
        assert_string_equal(s->names[i], names[i]);
        assert_int_equal(s->parents[i], parents[i]);
        assert_int_equal(s->subtree_ends[i], ends[i]);
        assert_int_equal(s->source_of_node[i], sources[i]);
        assert_int_equal(s->node_of_source[sources[i]], i);
    }
    sinew_skeleton_destroy(s);
}

static void test_world_transforms_need_parents_first(void **state) {
    (void)state; // pitfall 1: a loop over nodes as listed would use a parent matrix that is not there yet
    sinew_node_def nodes[3] = {node("c", 1), node("b", 2), node("a", SINEW_NO_NODE)};
    nodes[2].rest.translation.x = 1;
    nodes[2].rest.rotation = about_z(PI / 2); // x of its children points up
    nodes[1].rest.translation.x = 2;
    nodes[0].rest.translation.x = 4;
    sinew_skeleton *s;
    sinew_pose *pose;
    assert_int_equal(create(nodes, 3, &s, NULL), SINEW_OK);
    assert_int_equal(sinew_pose_create(s, NULL, &pose), SINEW_OK);
    sinew_affine model[3];
    sinew_pose_to_model(pose, model);
    check_vec3(sinew_affine_point(model[s->node_of_source[0]], (sinew_vec3){0, 0, 0}), 1, 6, 0, 1e-6);
    sinew_pose_destroy(pose);
    sinew_skeleton_destroy(s);
}

static void test_order_holds_for_random_trees(void **state) {
    (void)state;
    uint64_t random = 11;
    for (int round = 0; round < 200; round++) {
        enum { MOST = 80 };
        int32_t count = (int32_t)(random_next(&random) % MOST) + 1, shuffled[MOST];
        for (int32_t i = 0; i < count; i++) shuffled[i] = i;
        for (int32_t i = count - 1; i > 0; i--) {
            int32_t j = (int32_t)(random_next(&random) % (uint32_t)(i + 1)), t = shuffled[i];
            shuffled[i] = shuffled[j];
            shuffled[j] = t;
        }
        sinew_node_def nodes[MOST];
        for (int32_t i = 0; i < count; i++) {
            uint32_t pick = random_next(&random) % (uint32_t)(i + 1);
            nodes[shuffled[i]] = node("", pick == (uint32_t)i ? SINEW_NO_NODE : shuffled[pick]);
        }
        sinew_skeleton *s;
        assert_int_equal(create(nodes, count, &s, NULL), SINEW_OK);
        for (int32_t i = 0; i < count; i++) {
            int32_t source = s->source_of_node[i], parent = nodes[source].parent;
            assert_int_equal(s->node_of_source[source], i);
            assert_int_equal(s->parents[i], parent == SINEW_NO_NODE ? SINEW_NO_NODE : s->node_of_source[parent]);
            assert_true(s->parents[i] < i);
            for (int32_t j = 0; j < count; j++) { // in the subtree if and only if an ancestor is i, or j is
                int32_t k = j;
                while (k != SINEW_NO_NODE && k != i) k = s->parents[k];
                assert_int_equal(k == i, j >= i && j < s->subtree_ends[i]);
            }
        }
        sinew_skeleton_destroy(s);
    }
}

static void test_a_long_chain_needs_no_stack(void **state) {
    (void)state;
    sinew_skeleton *s = make_chain(200000);
    assert_int_equal(s->subtree_ends[0], 200000);
    assert_int_equal(s->parents[199999], 199998);
    sinew_skeleton_destroy(s);
}

static void test_names_may_be_missing_repeated_or_foreign(void **state) {
    (void)state; // pitfall 20
    sinew_node_def nodes[5] = {node(NULL, -1), node("Кость", 0), node("twin", 0), node("twin", 2), node("骨", 0)};
    sinew_skeleton *s;
    assert_int_equal(create(nodes, 5, &s, NULL), SINEW_OK);
    assert_string_equal(s->names[0], "");
    assert_int_equal(sinew_skeleton_find(s, "twin"), s->node_of_source[2]); // the first of them
    assert_int_equal(sinew_skeleton_find(s, "Кость"), s->node_of_source[1]);
    assert_int_equal(sinew_skeleton_find(s, "骨"), s->node_of_source[4]);
    assert_int_equal(sinew_skeleton_find(s, "nobody"), SINEW_NO_NODE);
    sinew_skeleton_destroy(s);
}

static void test_morph_weights_lie_in_node_order(void **state) {
    (void)state;
    const float two[2] = {0.25f, 0.5f};
    sinew_node_def nodes[3] = {node("face", 1), node("root", -1), node("hat", 1)};
    nodes[0].weight_count = 2;
    nodes[0].rest_weights = two;
    nodes[2].weight_count = 3;
    sinew_skeleton *s;
    assert_int_equal(create(nodes, 3, &s, NULL), SINEW_OK);
    const int32_t offsets[4] = {0, 0, 2, 5};
    const float weights[5] = {0.25f, 0.5f, 0, 0, 0};
    assert_int_equal(s->weight_count, 5);
    assert_memory_equal(s->weight_offsets, offsets, sizeof offsets);
    assert_memory_equal(s->rest_weights, weights, sizeof weights);
    sinew_skeleton_destroy(s);
}

// Catches numbers that move up where some are left out, and names or weights that are taken from the wrong entry.
static void test_what_is_left_out_keeps_its_number(void **state) {
    (void)state;
    const float weights[2] = {0.25f, 0.5f};
    sinew_node_def nodes[5] = {node("hand", 3), node("gone", 4), node("root", SINEW_NO_NODE), node("arm", 2),
                               node("gone too", SINEW_NO_NODE)};
    nodes[1].excluded = nodes[4].excluded = true;
    nodes[1].rest.scale.x = NAN; // it is not looked at
    nodes[1].weight_count = -7;
    nodes[0].weight_count = 2;
    nodes[0].rest_weights = weights;
    sinew_skeleton *s;
    assert_int_equal(create(nodes, 5, &s, NULL), SINEW_OK);
    assert_int_equal(s->node_count, 3);
    assert_int_equal(s->source_count, 5);
    const char *names[3] = {"root", "arm", "hand"};
    const int32_t sources[3] = {2, 3, 0}, parents[3] = {-1, 0, 1};
    const int32_t node_of_source[5] = {2, SINEW_NO_NODE, 0, 1, SINEW_NO_NODE};
    for (int32_t i = 0; i < 3; i++) {
        assert_string_equal(s->names[i], names[i]);
        assert_int_equal(s->source_of_node[i], sources[i]);
        assert_int_equal(s->parents[i], parents[i]);
        assert_int_equal(s->subtree_ends[i], 3);
    }
    assert_memory_equal(s->node_of_source, node_of_source, sizeof node_of_source);
    assert_int_equal(s->weight_offsets[3], 2);
    assert_memory_equal(s->rest_weights, weights, sizeof weights);
    sinew_skeleton_destroy(s);

    for (int i = 0; i < 5; i++) nodes[i].excluded = true;
    assert_int_equal(create(nodes, 5, &s, NULL), SINEW_OK);
    assert_int_equal(s->node_count, 0);
    assert_int_equal(s->node_of_source[2], SINEW_NO_NODE);
    sinew_skeleton_destroy(s);
}

static void test_an_empty_skeleton_is_one(void **state) {
    (void)state;
    sinew_skeleton *s;
    assert_int_equal(create(NULL, 0, &s, NULL), SINEW_OK);
    assert_int_equal(s->node_count, 0);
    assert_int_equal(sinew_skeleton_find(s, ""), SINEW_NO_NODE);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(s, NULL, &pose), SINEW_OK);
    sinew_pose_destroy(pose);
    sinew_skeleton_destroy(s);
    sinew_skeleton_destroy(NULL);
}

static void check_refused(const sinew_node_def *nodes, int32_t count, const char *words) {
    sinew_skeleton *s = (sinew_skeleton *)(uintptr_t)1;
    sinew_error error = {0};
    assert_int_not_equal(create(nodes, count, &s, &error), SINEW_OK);
    assert_null(s);
    if (!strstr(error.message, words)) fail_msg("'%s' does not say '%s'", error.message, words);
}

static void test_what_is_no_hierarchy_is_refused(void **state) {
    (void)state;
    sinew_node_def nodes[3] = {node("a", -1), node("b", 2), node("c", 1)};
    check_refused(nodes, 3, "nodes[1]: its ancestors form a cycle");
    nodes[1].parent = 1;
    check_refused(nodes, 2, "nodes[1]: its ancestors form a cycle");
    nodes[1].parent = 7;
    check_refused(nodes, 3, "nodes[1]: its parent is 7, but there are only 3 nodes");
    nodes[1].parent = -2;
    check_refused(nodes, 3, "nodes[1]: its parent is -2");
    nodes[1].parent = 0;
    nodes[2].rest.scale.y = NAN;
    check_refused(nodes, 3, "nodes[2]: its transform is not finite");
    nodes[2].rest.scale.y = 1;
    sinew_affine shear = sinew_affine_identity();
    shear.m[1][2] = INFINITY;
    nodes[2].shear = &shear;
    check_refused(nodes, 3, "nodes[2]: its shear is not finite");
    nodes[2].shear = NULL;
    nodes[2].weight_count = -1;
    check_refused(nodes, 3, "nodes[2]: weight_count is -1");
    nodes[2].weight_count = 0;
    nodes[0].excluded = true;
    check_refused(nodes, 3, "nodes[1]: its parent, 0, is excluded");
    nodes[0].excluded = false;
    check_refused(NULL, 3, "node_count is 3, but nodes is NULL");
    check_refused(nodes, -1, "node_count is -1");
    check_refused(nodes, SINEW_MAX_NODES + 1, "at most 1000000");
}

static void test_running_out_of_memory_leaves_nothing(void **state) {
    (void)state;
    sinew_node_def nodes[3] = {node("a", -1), node("b", 0), node("c", 1)};
    counting c = {0};
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = 3;
    def.nodes = nodes;
    def.allocator = counting_allocator(&c);
    for (c.fail_at = 1;; c.fail_at++) {
        c.allocations = 0;
        sinew_skeleton *s;
        sinew_error error = {0};
        sinew_result result = sinew_skeleton_create(&def, &s, &error);
        if (result == SINEW_OK) {
            sinew_skeleton_destroy(s);
            assert_int_equal(c.live, 0);
            break;
        }
        assert_int_equal(result, SINEW_ERROR_OUT_OF_MEMORY);
        assert_int_equal(error.result, result);
        assert_null(s);
        assert_int_equal(c.live, 0);
    }
    assert_true(c.fail_at > 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_children_may_come_first),
        cmocka_unit_test(test_world_transforms_need_parents_first),
        cmocka_unit_test(test_order_holds_for_random_trees),
        cmocka_unit_test(test_a_long_chain_needs_no_stack),
        cmocka_unit_test(test_names_may_be_missing_repeated_or_foreign),
        cmocka_unit_test(test_morph_weights_lie_in_node_order),
        cmocka_unit_test(test_what_is_left_out_keeps_its_number),
        cmocka_unit_test(test_an_empty_skeleton_is_one),
        cmocka_unit_test(test_what_is_no_hierarchy_is_refused),
        cmocka_unit_test(test_running_out_of_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
