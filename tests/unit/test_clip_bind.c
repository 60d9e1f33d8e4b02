// SPDX-License-Identifier: MIT
// Binding a clip to another skeleton: name maps, prefixes, the share of channels that must match, and near misses.
#include "support/check.h"

#include <stdio.h>

enum { MAX_NODES = 12 };

// A skeleton of nodes in a row, with these names.
static sinew_skeleton *make_skeleton(const char *const *names, int32_t count) {
    sinew_node_def nodes[MAX_NODES];
    for (int32_t i = 0; i < count; i++) {
        nodes[i] = (sinew_node_def){.name = names[i], .parent = i - 1, .rest = sinew_transform_identity()};
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = count;
    def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

// A clip that moves node i by i + 1 metres along x, and turns it.
static sinew_clip *make_walk(const sinew_skeleton *skeleton) {
    static const float times[2] = {0, 1};
    float moves[MAX_NODES][6] = {{0}}, turns[MAX_NODES][8];
    sinew_channel_def channels[2 * MAX_NODES];
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        const sinew_quat from = about_x(0), to = about_x(0.1 * (i + 1));
        moves[i][3] = (float)(i + 1);
        memcpy(turns[i], &from, sizeof from);
        memcpy(turns[i] + 4, &to, sizeof to);
        channels[(ptrdiff_t)2 * i] =
            (sinew_channel_def){i, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times, moves[i]};
        channels[2 * i + 1] =
            (sinew_channel_def){i, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 2, times, turns[i]};
    }
    return make_clip(skeleton, "Walk", channels, 2 * skeleton->node_count);
}

typedef struct binding {
    sinew_skeleton *source, *target;
    sinew_clip *clip, *bound;
    sinew_bind_report report;
    sinew_error error;
    sinew_result result;
} binding;

static binding bind(const char *const *source, int32_t source_count, const char *const *target,
                    int32_t target_count, const sinew_bind_def *def) {
    binding b = {.source = make_skeleton(source, source_count), .target = make_skeleton(target, target_count)};
    b.clip = make_walk(b.source);
    b.result = sinew_clip_bind(b.clip, b.target, def, &b.bound, &b.report, &b.error);
    return b;
}

static void destroy(binding *b) {
    sinew_clip_destroy(b->bound);
    sinew_clip_destroy(b->clip);
    sinew_skeleton_destroy(b->source);
    sinew_skeleton_destroy(b->target);
}

// How far a node of the bound clip moves: which node of the source animates it, from 1; 0: none.
static int source_of(const binding *b, int32_t node) {
    return (int)lroundf(sinew_clip_sample_node(b->bound, 1, node).translation.x);
}

static void check_says(const binding *b, const char *words) {
    assert_int_equal(b->result, SINEW_ERROR_ARGUMENT);
    assert_null(b->bound);
    if (!strstr(b->error.message, words)) fail_msg("'%s' does not say '%s'", b->error.message, words);
}

// ---- Shares --------------------------------------------------------------------------------------------------

static const char *const human[5] = {"Hips", "Spine", "Head", "ArmLeft", "ArmRight"};

static void test_a_clip_of_which_most_is_missing_is_refused(void **state) {
    (void)state;
    const char *const robot[3] = {"Hips", "Spine", "Wheel"};
    binding b = bind(human, 5, robot, 3, NULL);
    check_says(&b, "clip 'Walk': 4 of 10 channels have a node in the other skeleton, but min_match requires 5");
    assert_int_equal(b.report.bound_channel_count, 4);
    assert_int_equal(b.report.unmatched_channel_count, 6);
    assert_int_equal(b.report.unmatched_name_count, 3);
    destroy(&b);
    sinew_bind_def def = sinew_bind_default();
    def.min_match = 0.4f;
    b = bind(human, 5, robot, 3, &def);
    assert_int_equal(b.result, SINEW_OK);
    assert_int_equal(source_of(&b, 1), 2);
    assert_int_equal(source_of(&b, 2), 0);
    destroy(&b);
}

// 0 still needs one channel.
static void test_no_match_is_refused_at_any_share(void **state) {
    (void)state;
    const char *const robot[1] = {"Wheel"};
    sinew_bind_def def = sinew_bind_default();
    def.min_match = 0.0f;
    binding b = bind(human, 5, robot, 1, &def);
    check_says(&b, "0 of 10 channels");
    destroy(&b);
}

static void test_wrong_definitions_are_refused(void **state) {
    (void)state;
    const float wrong[3] = {-0.1f, 1.1f, NAN};
    for (int i = 0; i < 3; i++) {
        sinew_bind_def def = sinew_bind_default();
        def.min_match = wrong[i];
        binding b = bind(human, 5, human, 5, &def);
        check_says(&b, "min_match is");
        destroy(&b);
    }
    sinew_bind_def def = sinew_bind_default();
    def.name_count = 1;
    binding b = bind(human, 5, human, 5, &def);
    check_says(&b, "names is NULL");
    destroy(&b);
    const sinew_bind_name nameless = {NULL, "Hips"};
    def.names = &nameless;
    b = bind(human, 5, human, 5, &def);
    check_says(&b, "names[0] has no source");
    destroy(&b);
}

static void test_a_clip_without_channels_is_refused(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_skeleton(human, 5);
    sinew_clip *clip = make_clip(skeleton, "Still", NULL, 0), *bound;
    sinew_error error = {0};
    assert_int_equal(sinew_clip_bind(clip, skeleton, NULL, &bound, NULL, &error), SINEW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "'Still': it has no channels"));
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

// ---- Near misses ---------------------------------------------------------------------------------------------

static void test_near_misses_are_named(void **state) {
    (void)state;
    const char *const lower[5] = {"hips", "spine1", "Head", "Arm.Left", "Weapon"};
    binding b = bind(human, 5, lower, 5, NULL);
    check_says(&b, "; 'Hips' is near 'hips', 'Spine' is near 'spine1', 'ArmLeft' is near 'Arm.Left'");
    assert_string_equal(b.report.unmatched_names[0], "Hips");
    assert_string_equal(b.report.nearest_names[0], "hips");
    assert_string_equal(b.report.unmatched_names[3], "ArmRight");
    assert_true(b.report.nearest_names[0] == b.target->names[0]); // they belong to the target
    assert_null(b.report.nearest_names[4]);
    destroy(&b);
    const char *const others[2] = {"Rotor", "Cab"};
    b = bind(human, 5, others, 2, NULL);
    check_says(&b, "min_match requires 5");
    assert_null(strstr(b.error.message, "near"));
    destroy(&b);
}

// ---- Maps ----------------------------------------------------------------------------------------------------

static void test_a_map_renames_and_leaves_out(void **state) {
    (void)state;
    const char *const robot[5] = {"base", "Spine", "Head", "ArmLeft", "claw"};
    const sinew_bind_name names[4] = {{"Hips", "base"}, {"ArmRight", "claw"}, {"Head", NULL}, {"ArmLeft", ""}};
    int32_t nodes[10];
    sinew_bind_def def = sinew_bind_default();
    def.bound_nodes = nodes;
    def.names = names;
    def.name_count = 4;
    def.min_match = 1.0f;
    binding b = bind(human, 5, robot, 5, &def);
    assert_int_equal(b.result, SINEW_OK);
    assert_int_equal(b.report.bound_channel_count, 6);
    assert_int_equal(b.report.unmatched_channel_count, 0); // what is left out is not counted
    const int expected[5] = {1, 2, 0, 0, 5};
    for (int32_t i = 0; i < 5; i++) {
        assert_int_equal(source_of(&b, i), expected[i]);
        assert_int_equal(nodes[(ptrdiff_t)2 * i], expected[i] ? i : SINEW_NO_NODE);
        assert_int_equal(nodes[2 * i + 1], expected[i] ? i : SINEW_NO_NODE);
    }
    destroy(&b);
}

static void test_a_name_that_the_map_misspells_is_unmatched(void **state) {
    (void)state;
    const sinew_bind_name name = {"Hips", "hip"};
    sinew_bind_def def = sinew_bind_default();
    def.names = &name;
    def.name_count = 1;
    def.min_match = 1.0f;
    binding b = bind(human, 5, human, 5, &def);
    check_says(&b, "8 of 10 channels");
    assert_string_equal(b.report.unmatched_names[0], "Hips");
    destroy(&b);
}

// Two nodes of the clip are mapped to one: the first has it.
static void test_a_target_is_bound_once(void **state) {
    (void)state;
    const sinew_bind_name names[2] = {{"Spine", "Hips"}, {"Head", "Head"}};
    sinew_bind_def def = sinew_bind_default();
    def.names = names;
    def.name_count = 2;
    binding b = bind(human, 5, human, 5, &def);
    assert_int_equal(b.result, SINEW_OK);
    assert_int_equal(source_of(&b, 0), 1);
    assert_int_equal(source_of(&b, 1), 0);
    assert_int_equal(b.report.unmatched_channel_count, 2);
    destroy(&b);
}

// ---- Equal names ---------------------------------------------------------------------------------------------

typedef struct tree {
    int32_t count;
    const char *names[8];
    int32_t parents[8];
} tree;

static sinew_skeleton *make_tree(const tree *t) {
    sinew_node_def nodes[8];
    for (int32_t i = 0; i < t->count; i++) {
        nodes[i] =
            (sinew_node_def){.name = t->names[i], .parent = t->parents[i], .rest = sinew_transform_identity()};
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = t->count;
    def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

static char listed_name[16]; // the first of the last report; the report's own ends with the skeletons

// Binds a clip that moves one node of a tree; returns the node of the other tree that then moves, or -1.
static int32_t bind_one(const tree *source, int32_t node, const tree *target, sinew_bind_report *report) {
    static const float times[2] = {0, 1};
    const float moves[6] = {0, 0, 0, 5, 0, 0};
    const sinew_channel_def channel = {node, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times, moves};
    binding b = {.source = make_tree(source), .target = make_tree(target)};
    b.clip = make_clip(b.source, "One", &channel, 1);
    sinew_bind_def def = sinew_bind_default();
    def.min_match = 0.0f;
    b.result = sinew_clip_bind(b.clip, b.target, &def, &b.bound, report, &b.error);
    const char *listed = report->ordered_name_count ? report->ordered_names[0] : report->unmatched_names[0];
    snprintf(listed_name, sizeof listed_name, "%s", listed ? listed : "");
    int32_t moved = -1;
    for (int32_t i = 0; b.bound && i < target->count; i++) {
        if (source_of(&b, i) == 5) moved = i;
    }
    destroy(&b);
    return moved;
}

static const tree car = {5, {"Car", "Front", "Wheel", "Back", "Wheel"}, {-1, 0, 1, 0, 3}};

static void test_parents_tell_equal_names_apart(void **state) {
    (void)state;
    static const tree turned = {5, {"Car", "Back", "Wheel", "Front", "Wheel"}, {-1, 0, 1, 0, 3}};
    static const tree placed = {6, {"Scene", "Car", "Front", "Wheel", "Back", "Wheel"}, {-1, 0, 1, 2, 1, 4}};
    static const tree twice = {7, {"A", "Arm", "Hand", "B", "Arm", "Hand", "Hand"}, {-1, 0, 1, -1, 3, 4, 3}};
    sinew_bind_report report;
    assert_int_equal(bind_one(&car, 2, &car, &report), 2);
    assert_int_equal(bind_one(&car, 4, &car, &report), 4);
    assert_int_equal(bind_one(&car, 2, &turned, &report), 4);
    assert_int_equal(bind_one(&car, 4, &turned, &report), 2);
    assert_int_equal(bind_one(&car, 4, &placed, &report), 5);
    assert_int_equal(report.ordered_name_count, 0);
    for (int32_t i = 0; i < 7; i++) assert_int_equal(bind_one(&twice, i, &twice, &report), i);
    assert_int_equal(report.ordered_name_count, 0);
}

static void test_order_tells_equal_siblings_apart(void **state) {
    (void)state;
    static const tree flat = {4, {"Car", "Wheel", "Door", "Wheel"}, {-1, 0, 0, 0}};
    sinew_bind_report report;
    assert_int_equal(bind_one(&flat, 3, &flat, &report), 3);
    assert_int_equal(report.ordered_name_count, 1);
    assert_string_equal(listed_name, "Wheel");
    assert_null(report.ordered_names[1]);
    assert_int_equal(bind_one(&flat, 3, &car, &report), 4); // no parent is the same: the second of two
    assert_int_equal(report.ordered_name_count, 1);
}

// The only node of this name is the moving one's counterpart, unless its place says otherwise.
static void test_fewer_equal_names(void **state) {
    (void)state;
    static const tree one = {2, {"Axle", "Wheel"}, {-1, 0}};
    static const tree front = {3, {"Car", "Front", "Wheel"}, {-1, 0, 1}};
    sinew_bind_report report;
    assert_int_equal(bind_one(&car, 4, &one, &report), 1);
    assert_int_equal(report.ordered_name_count, 1);
    assert_int_equal(bind_one(&one, 1, &car, &report), 2);
    assert_int_equal(bind_one(&car, 2, &front, &report), 2);
    assert_int_equal(bind_one(&car, 4, &front, &report), -1);
    assert_int_equal(report.unmatched_channel_count, 1);
    assert_string_equal(listed_name, "Wheel");
}

// ---- Prefixes ------------------------------------------------------------------------------------------------

typedef struct prefix_case {
    const char *source[5], *target[5];
    bool matches; // all five; or none, if these don't count as prefixes
} prefix_case;

static void test_prefixes_are_ignored_on_request(void **state) {
    (void)state;
    static const prefix_case cases[] = {
        {{"mixamorig:Hips", "mixamorig:Spine", "mixamorig:Head", "mixamorig:ArmLeft", "mixamorig:ArmRight"},
         {"Hips", "Spine", "Head", "ArmLeft", "ArmRight"},
         true},
        {{"Hips", "Spine", "Head", "ArmLeft", "ArmRight"},
         {"mixamorigHips", "mixamorigSpine", "mixamorigHead", "mixamorigArmLeft", "mixamorigArmRight"},
         true},
        {{"mixamorig1:Hips", "mixamorig1:Spine", "mixamorig1:Head", "mixamorig1:ArmLeft", "mixamorig1:ArmRight"},
         {"Bip01 Hips", "Bip01 Spine", "Bip01 Head", "Bip01 ArmLeft", "Bip01 ArmRight"},
         true},
        {{"DEF-Hips", "DEF-Spine", "DEF-Head", "DEF-ArmLeft", "DEF-ArmRight"},
         {"CC_Base_Hips", "CC_Base_Spine", "CC_Base_Head", "CC_Base_ArmLeft", "CC_Base_ArmRight"},
         true},
        // What half of the names have, or fewer, is part of the names.
        {{"Left.Hips", "Left.Spine", "Head", "ArmLeft", "ArmRight"}, {"Hips", "Spine", "x", "y", "z"}, false},
        // A prefix ends where a word ends.
        {{"barHips", "barSpine", "barhead", "barArmLeft", "barArmRight"},
         {"Hips", "Spine", "head", "ArmLeft", "ArmRight"},
         false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sinew_bind_def def = sinew_bind_default();
        binding b = bind(cases[i].source, 5, cases[i].target, 5, &def);
        assert_int_equal(b.report.bound_channel_count, 0); // not requested
        destroy(&b);
        def.ignore_prefixes = true;
        b = bind(cases[i].source, 5, cases[i].target, 5, &def);
        assert_int_equal(b.report.bound_channel_count, cases[i].matches ? 10 : 0);
        for (int32_t n = 0; n < 5 && cases[i].matches; n++) assert_int_equal(source_of(&b, n), n + 1);
        destroy(&b);
    }
}

static void test_half_of_the_names_is_not_most(void **state) {
    (void)state;
    static const char *const source[4] = {"rig:Hips", "rig:Spine", "Head", "Tail"};
    static const char *const target[4] = {"Hips", "Spine", "x", "y"};
    sinew_bind_def def = sinew_bind_default();
    def.ignore_prefixes = true;
    binding b = bind(source, 4, target, 4, &def);
    assert_int_equal(b.report.bound_channel_count, 0);
    destroy(&b);
}

// ---- Morph weights -------------------------------------------------------------------------------------------

static sinew_skeleton *make_face(int32_t weight_count) {
    const sinew_node_def node = {
        .name = "Face", .parent = SINEW_NO_NODE, .rest = sinew_transform_identity(), .weight_count = weight_count};
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = 1;
    def.nodes = &node;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

static void test_morph_weights_need_the_same_number(void **state) {
    (void)state;
    static const float time = 0, weights[3] = {1, 0.5f, 0.25f};
    const sinew_channel_def channel = {0, SINEW_TARGET_WEIGHTS, SINEW_INTERPOLATION_LINEAR, 1, &time, weights};
    sinew_skeleton *face = make_face(3);
    sinew_clip *clip = make_clip(face, "Smile", &channel, 1);
    for (int32_t count = 2; count <= 4; count++) {
        sinew_skeleton *other = make_face(count);
        sinew_clip *bound;
        const sinew_result result = sinew_clip_bind(clip, other, NULL, &bound, NULL, NULL);
        assert_int_equal(result, count == 3 ? SINEW_OK : SINEW_ERROR_ARGUMENT);
        sinew_clip_destroy(bound);
        sinew_skeleton_destroy(other);
    }
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(face);
}

// Other nodes of a file have no prefix; a name that is only the prefix matches nothing.
static void test_nodes_without_the_prefix(void **state) {
    (void)state;
    const char *const source[6] = {"Armature", "rig:Hips", "rig:Spine", "rig:Head", "rig:Tail", "rig:"};
    const char *const target[6] = {"Armature", "Hips", "Spine", "Head", "Tail", ""};
    sinew_bind_def def = sinew_bind_default();
    def.ignore_prefixes = true;
    binding b = bind(source, 6, target, 6, &def);
    assert_int_equal(b.result, SINEW_OK);
    const int expected[6] = {1, 2, 3, 4, 5, 0};
    for (int32_t i = 0; i < 6; i++) assert_int_equal(source_of(&b, i), expected[i]);
    destroy(&b);
}

// ---- Rotations -----------------------------------------------------------------------------------------------

static void test_rotations_only(void **state) {
    (void)state;
    sinew_bind_def def = sinew_bind_default();
    def.rotations_only = true;
    binding b = bind(human, 5, human, 5, &def);
    assert_int_equal(b.result, SINEW_OK);
    assert_int_equal(b.report.bound_channel_count, 5);
    assert_int_equal(b.report.unmatched_channel_count, 0);
    for (int32_t i = 0; i < 5; i++) {
        assert_int_equal(source_of(&b, i), 0);
        const sinew_quat turned = sinew_clip_sample_node(b.bound, 1, i).rotation;
        check_near(angle_between(turned, about_x(0.1 * (i + 1))), 0, 1e-6);
    }
    destroy(&b);
}

// ---- Memory --------------------------------------------------------------------------------------------------

static void test_running_out_of_memory_leaves_nothing(void **state) {
    (void)state;
    const char *const rig[5] = {"rig:Hips", "rig:Spine", "rig:Head", "rig:ArmLeft", "rig:ArmRight"};
    counting c = {0};
    sinew_bind_def def = sinew_bind_default();
    def.allocator = counting_allocator(&c);
    def.ignore_prefixes = true;
    int failures = 0;
    for (c.fail_at = 1;; c.fail_at++) {
        c.allocations = 0;
        binding b = bind(human, 5, rig, 5, &def);
        const bool is_bound = b.result == SINEW_OK;
        if (!is_bound) {
            assert_int_equal(b.result, SINEW_ERROR_OUT_OF_MEMORY);
            assert_null(b.bound);
            assert_int_equal(c.live, 0);
            failures++;
        }
        destroy(&b);
        assert_int_equal(c.live, 0);
        if (is_bound) break;
    }
    assert_true(failures >= 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_clip_of_which_most_is_missing_is_refused),
        cmocka_unit_test(test_no_match_is_refused_at_any_share),
        cmocka_unit_test(test_wrong_definitions_are_refused),
        cmocka_unit_test(test_a_clip_without_channels_is_refused),
        cmocka_unit_test(test_near_misses_are_named),
        cmocka_unit_test(test_a_map_renames_and_leaves_out),
        cmocka_unit_test(test_a_name_that_the_map_misspells_is_unmatched),
        cmocka_unit_test(test_a_target_is_bound_once),
        cmocka_unit_test(test_prefixes_are_ignored_on_request),
        cmocka_unit_test(test_half_of_the_names_is_not_most),
        cmocka_unit_test(test_parents_tell_equal_names_apart),
        cmocka_unit_test(test_order_tells_equal_siblings_apart),
        cmocka_unit_test(test_fewer_equal_names),
        cmocka_unit_test(test_morph_weights_need_the_same_number),
        cmocka_unit_test(test_nodes_without_the_prefix),
        cmocka_unit_test(test_rotations_only),
        cmocka_unit_test(test_running_out_of_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
