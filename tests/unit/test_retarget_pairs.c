// SPDX-License-Identifier: MIT
// Which nodes a retarget map pairs, and what a pair transfers: chains with other lengths, names, translations, scales
// and morph weights. Uses small rigs with poses known from a formula.
#include "support/retarget_rig.h"
#include "support/small_rig.h"

#include <stdio.h>

// ---- Rigs ----------------------------------------------------------------------------------------------------

typedef struct stage {
    const sinew_skeleton *from, *to;
    sinew_retarget *map;
    sinew_pose *source, *target;
} stage;

static stage make_stage(const sinew_retarget_def *def) {
    stage s = {.from = def->source, .to = def->target};
    sinew_error error = {0};
    if (sinew_retarget_create(def, &s.map, &error) != SINEW_OK) fail_msg("%s", error.message);
    assert_int_equal(sinew_pose_create(s.from, NULL, &s.source), SINEW_OK);
    assert_int_equal(sinew_pose_create(s.to, NULL, &s.target), SINEW_OK);
    return s;
}

static void free_stage(stage *s) {
    sinew_retarget_destroy(s->map);
    sinew_pose_destroy(s->source);
    sinew_pose_destroy(s->target);
}

static sinew_retarget_def def_of(const sinew_skeleton *from, const sinew_skeleton *to) {
    sinew_retarget_def def = sinew_retarget_default();
    def.source = from;
    def.target = to;
    return def;
}

static int32_t node_named(const sinew_skeleton *skeleton, const char *name) {
    int32_t node = sinew_skeleton_find(skeleton, name);
    if (node == SINEW_NO_NODE) fail_msg("no node %s", name);
    return node;
}

// The source of a node of the target, or NULL.
static const char *source_of(const sinew_retarget *map, const char *target) {
    int32_t node = node_named(map->target, target);
    for (int32_t i = 0; i < map->pair_count; i++) {
        if (map->pairs[i].target == node) return map->source->names[map->pairs[i].source];
    }
    return NULL;
}

static void check_source(const sinew_retarget *map, const char *target, const char *expected) {
    const char *found = source_of(map, target);
    if (found == expected || (found && expected && strcmp(found, expected) == 0)) return;
    fail_msg("%s is driven by %s, not by %s", target, found ? found : "no node", expected ? expected : "any");
}

static sinew_transform pose_of(const sinew_pose *pose, const char *name) {
    return sinew_pose_get(pose, node_named(pose->skeleton, name));
}

static void move_node(sinew_pose *pose, const char *name, float x, float y, float z) {
    sinew_transform t = pose_of(pose, name);
    t.translation.x += x, t.translation.y += y, t.translation.z += z;
    sinew_pose_set(pose, node_named(pose->skeleton, name), t);
}

static void rotate(sinew_pose *pose, int32_t node, sinew_quat rotation) {
    sinew_transform t = sinew_pose_get(pose, node);
    t.rotation = rotation;
    sinew_pose_set(pose, node, t);
}

// ---- Chains --------------------------------------------------------------------------------------------------

// A root and a tail of 1 m with `count` joints.
static sinew_skeleton *make_tail(int count) {
    static char names[SMALL_RIG_MAX_NODES][16];
    small_node rows[SMALL_RIG_MAX_NODES] = {{"root", NULL, {0, 0.5f, 0}, 0}};
    for (int i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "tail%d", i + 1);
        rows[i + 1] = (small_node){
            names[i], i == 0 ? "root" : names[i - 1], {0, 0, i == 0 ? -0.2f : -1.0f / (float)count}, 0};
    }
    return make_small_rig(rows);
}

// The angle about X of a node's model transform.
static double angle_of(const exact_node *node) {
    return 2 * atan2(node->rotation.x, node->rotation.w);
}

// Bends each joint of a tail by the same angle: joint j of n must have j / n of the whole bend. A normalized sum of two
// rotations that are 0.9 rad apart is up to 0.003 rad from that.
static void check_tail(int from_count, int to_count, double whole) {
    sinew_skeleton *from = make_tail(from_count), *to = make_tail(to_count);
    int32_t nodes[SMALL_RIG_MAX_NODES];
    for (int i = 0; i < SMALL_RIG_MAX_NODES; i++) nodes[i] = i + 1;
    sinew_retarget_chain chain = {nodes, from_count, nodes, to_count};
    sinew_retarget_def def = def_of(from, to);
    def.chain_count = 1;
    def.chains = &chain;
    stage s = make_stage(&def);
    for (int i = 1; i <= from_count; i++) rotate(s.source, i, about_x(whole / from_count));
    sinew_retarget_pose(s.map, s.source, s.target);
    exact_node *model = exact_model(s.target);
    double before = 0;
    for (int j = 1; j <= to_count; j++) {
        double angle = angle_of(&model[j]), step = whole / to_count;
        check_near(angle, whole * j / to_count, j == to_count ? 1e-6 : 0.03 * step);
        assert_true(angle > before);
        check_near(angle - before, step, 0.06 * step);
        before = angle;
    }
    free(model);
    free_stage(&s);
    sinew_skeleton_destroy(from);
    sinew_skeleton_destroy(to);
}

static void test_a_tail_bends_evenly(void **state) {
    (void)state;
    static const int counts[][2] = {{3, 3}, {3, 5}, {5, 3}, {1, 3}, {3, 1}, {2, 3}, {3, 2}, {1, 7}, {7, 4}, {1, 1}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        check_tail(counts[i][0], counts[i][1], 0.9);
        check_tail(counts[i][0], counts[i][1], 0.05);
    }
}

static const small_node spine_of_3[] = {{"hips", NULL, {0, 1, 0}, 0},         {"spine", "hips", {0, 0.1f, 0}, 0},
                                        {"chest", "spine", {0, 0.2f, 0}, 0},  {"upper", "chest", {0, 0.2f, 0}, 0},
                                        {"neck", "upper", {0, 0.2f, 0}, 0},   {"head", "neck", {0, 0.1f, 0}, 0},
                                        {"arm", "upper", {0.2f, 0.1f, 0}, 0}, {NULL, NULL, {0, 0, 0}, 0}};
static const small_node spine_of_5[] = {{"a", NULL, {0, 1, 0}, 0},       {"b1", "a", {0, 0.1f, 0}, 0},
                                        {"b2", "b1", {0, 0.1f, 0}, 0},   {"b3", "b2", {0, 0.1f, 0}, 0},
                                        {"b4", "b3", {0, 0.1f, 0}, 0},   {"b5", "b4", {0, 0.1f, 0}, 0},
                                        {"c", "b5", {0, 0.2f, 0}, 0},    {"d", "c", {0, 0.1f, 0}, 0},
                                        {"e", "b5", {0.2f, 0.1f, 0}, 0}, {NULL, NULL, {0, 0, 0}, 0}};

static sinew_humanoid torso_roles(const sinew_skeleton *skeleton, const char *const names[7]) {
    static const char *const roles[7] = {"hips", "spine", "chest", "upperChest", "neck", "head", "leftUpperArm"};
    sinew_humanoid humanoid = sinew_humanoid_empty();
    for (int i = 0; i < 7; i++) set_role(&humanoid, skeleton, roles[i], names[i]);
    return humanoid;
}

// The angles of the target's torso, from the hips to the chest, for a bend of the source's by `bend` a joint.
static void check_torso(const small_node *from_rows, const char *const from_names[7], int from_count,
                        const small_node *to_rows, const char *const to_names[7], int to_count) {
    const double bend = 0.15;
    sinew_skeleton *from = make_small_rig(from_rows), *to = make_small_rig(to_rows);
    sinew_humanoid source = torso_roles(from, from_names), target = torso_roles(to, to_names);
    sinew_retarget_def def = def_of(from, to);
    def.source_humanoid = &source;
    def.target_humanoid = &target;
    stage s = make_stage(&def);
    for (int i = 1; i <= from_count; i++) rotate(s.source, i, about_x(bend));
    sinew_retarget_pose(s.map, s.source, s.target);
    exact_node *model = exact_model(s.target);
    for (int j = 0; j <= to_count; j++) {
        double expected = bend * from_count * j / to_count;
        check_near(angle_of(&model[j]), expected, j == to_count ? 1e-6 : 5e-3);
    }
    for (int32_t i = to_count + 1; i < to->node_count;
         i++) { // the neck, the head and the arm rotate with the chest
        check_near(angle_of(&model[i]), bend * from_count, 1e-6);
    }
    free(model);
    free_stage(&s);
    sinew_skeleton_destroy(from);
    sinew_skeleton_destroy(to);
}

static void test_spines_of_other_lengths(void **state) {
    (void)state;
    static const char *const three[7] = {"hips", "spine", "chest", "upper", "neck", "head", "arm"};
    static const char *const five[7] = {"a", "b1", "b3", "b5", "c", "d", "e"};
    check_torso(spine_of_3, three, 3, spine_of_5, five, 5);
    check_torso(spine_of_5, five, 5, spine_of_3, three, 3);
    check_torso(spine_of_3, three, 3, spine_of_3, three, 3);
}

static const small_node hand_of_2[] = {{"hand", NULL, {0, 1, 0}, 0},
                                       {"p", "hand", {0, 0, 0.1f}, 0},
                                       {"d", "p", {0, 0, 0.05f}, 0},
                                       {NULL, NULL, {0, 0, 0}, 0}};
static const small_node hand_of_3[] = {{"hand", NULL, {0, 1, 0}, 0},
                                       {"p", "hand", {0, 0, 0.1f}, 0},
                                       {"i", "p", {0, 0, 0.03f}, 0},
                                       {"d", "i", {0, 0, 0.02f}, 0},
                                       {NULL, NULL, {0, 0, 0}, 0}};

static void test_fingers_of_two_joints_and_of_three(void **state) {
    (void)state;
    for (int swapped = 0; swapped < 2; swapped++) {
        sinew_skeleton *two = make_small_rig(hand_of_2), *three = make_small_rig(hand_of_3);
        sinew_humanoid of_two = sinew_humanoid_empty(), of_three = sinew_humanoid_empty();
        set_role(&of_two, two, "leftHand", "hand");
        set_role(&of_two, two, "leftIndexProximal", "p");
        set_role(&of_two, two, "leftIndexIntermediate", "d");
        set_role(&of_three, three, "leftHand", "hand");
        set_role(&of_three, three, "leftIndexProximal", "p");
        set_role(&of_three, three, "leftIndexIntermediate", "i");
        set_role(&of_three, three, "leftIndexDistal", "d");
        sinew_retarget_def def = swapped ? def_of(three, two) : def_of(two, three);
        def.source_humanoid = swapped ? &of_three : &of_two;
        def.target_humanoid = swapped ? &of_two : &of_three;
        stage s = make_stage(&def);
        int from = swapped ? 3 : 2, to = 5 - from;
        const double whole = 1.2;
        for (int i = 1; i <= from; i++) rotate(s.source, i, about_x(whole / from));
        sinew_retarget_pose(s.map, s.source, s.target);
        exact_node *model = exact_model(s.target);
        for (int j = 0; j <= to; j++) {
            check_near(angle_of(&model[j]), whole * j / to, j == to ? 1e-6 : 0.01);
        }
        free(model);
        free_stage(&s);
        sinew_skeleton_destroy(two);
        sinew_skeleton_destroy(three);
    }
}

// ---- Names ---------------------------------------------------------------------------------------------------

static const small_node named_source[] = {{"root", NULL, {0, 0, 0}, 0},
                                          {"body", "root", {0, 1, 0}, 0},
                                          {"arm", "body", {0.5f, 0, 0}, 0},
                                          {"socket", "arm", {0.2f, 0, 0}, 0},
                                          {"Bone.001", "body", {0, 0.5f, 0}, 0},
                                          {"twice", "body", {0, 0.1f, 0}, 0},
                                          {"twice", "arm", {0, 0.1f, 0}, 0},
                                          {"face", "body", {0, 0.3f, 0.1f}, 3},
                                          {"other face", "body", {0, 0.3f, 0.1f}, 2},
                                          {NULL, NULL, {0, 0, 0}, 0}};
static const small_node named_target[] = {{"root", NULL, {0, 0, 0}, 0},
                                          {"body", "root", {0, 2, 0}, 0},
                                          {"arm", "body", {0.7f, 0, 0}, 0},
                                          {"socket", "arm", {0.1f, 0, 0}, 0},
                                          {"Bone.001", "arm", {0, 0.5f, 0}, 0},
                                          {"twice", "body", {0, 0.1f, 0}, 0},
                                          {"face", "body", {0, 0.3f, 0.1f}, 3},
                                          {"other face", "body", {0, 0.3f, 0.1f}, 1},
                                          {NULL, NULL, {0, 0, 0}, 0}};

static void test_names_pair_nodes_on_the_same_part(void **state) {
    (void)state;
    sinew_skeleton *from = make_small_rig(named_source), *to = make_small_rig(named_target);
    sinew_retarget_def def = def_of(from, to);
    stage s = make_stage(&def);
    check_source(s.map, "body", "body");
    check_source(s.map, "arm", "arm");
    check_source(s.map, "socket", "socket");
    check_source(s.map, "face", "face");
    check_source(s.map, "Bone.001", NULL); // of the body, and of the arm
    check_source(s.map, "twice", NULL);
    free_stage(&s);
    def.match_names = false;
    sinew_error error;
    sinew_retarget *map;
    assert_int_equal(sinew_retarget_create(&def, &map, &error), SINEW_ERROR_ARGUMENT);
    sinew_skeleton_destroy(from);
    sinew_skeleton_destroy(to);
}

static void test_a_named_node_copies_its_change(void **state) {
    (void)state;
    sinew_skeleton *from = make_small_rig(named_source), *to = make_small_rig(named_target);
    sinew_retarget_def def = def_of(from, to);
    def.scale = 2;
    stage s = make_stage(&def);
    move_node(s.source, "socket", 0.01f, 0.02f, 0.03f);
    rotate(s.source, node_named(from, "socket"), about_y(0.4));
    rotate(s.source, node_named(from, "body"), about_z(0.3)); // no part of the socket's own change
    s.source->weights[0] = 0.25f, s.source->weights[1] = -1, s.source->weights[2] = 3, s.source->weights[3] = 0.5f;
    int32_t face = to->weight_offsets[node_named(to, "face")],
            other = to->weight_offsets[node_named(to, "other face")];
    s.target->weights[other] = 0.75f;
    sinew_retarget_pose(s.map, s.source, s.target);
    sinew_transform socket = pose_of(s.target, "socket");
    check_vec3(socket.translation, 0.1 + 2 * 0.01, 2 * 0.02, 2 * 0.03, 1e-6);
    assert_true(angle_between(socket.rotation, about_y(0.4)) < 1e-6);
    assert_true(angle_between(pose_of(s.target, "body").rotation, about_z(0.3)) < 1e-6);
    for (int i = 0; i < 3; i++) assert_true(s.target->weights[face + i] == s.source->weights[i]);
    assert_true(s.target->weights[other] == 0.75f); // another number of weights
    free_stage(&s);
    sinew_skeleton_destroy(from);
    sinew_skeleton_destroy(to);
}

static void test_fixed_translations_and_scaled_ones(void **state) {
    (void)state;
    sinew_skeleton *from = make_small_rig(named_source), *to = make_small_rig(named_target);
    for (int fixed = 0; fixed < 2; fixed++) {
        sinew_retarget_def def = def_of(from, to);
        def.translations = fixed ? SINEW_RETARGET_TRANSLATIONS_FIXED : SINEW_RETARGET_TRANSLATIONS_SCALED;
        def.scale = 0.5f;
        stage s = make_stage(&def);
        move_node(s.source, "arm", 0.2f, -0.1f, 0.3f);
        sinew_retarget_pose(s.map, s.source, s.target);
        double part = fixed ? 0 : 0.5;
        check_vec3(pose_of(s.target, "arm").translation, 0.7 + part * 0.2, part * -0.1, part * 0.3, 1e-6);
        free_stage(&s);
    }
    sinew_skeleton_destroy(from);
    sinew_skeleton_destroy(to);
}

static void test_scales_change_as_on_the_source(void **state) {
    (void)state;
    sinew_skeleton *from = make_small_rig(named_source), *to = make_small_rig(named_target);
    sinew_retarget_def def = def_of(from, to);
    sinew_pose *reference;
    assert_int_equal(sinew_pose_create(to, NULL, &reference), SINEW_OK);
    sinew_transform arm = pose_of(reference, "arm");
    arm.scale = (sinew_vec3){3, 2, 1};
    sinew_pose_set(reference, node_named(to, "arm"), arm);
    def.target_reference = reference;
    stage s = make_stage(&def);
    arm = pose_of(s.source, "arm");
    arm.scale = (sinew_vec3){2, 0.5f, 4};
    sinew_pose_set(s.source, node_named(from, "arm"), arm);
    sinew_retarget_pose(s.map, s.source, s.target);
    sinew_vec3 scale = pose_of(s.target, "arm").scale;
    check_vec3(scale, 6, 1, 4, 1e-6);
    sinew_pose_destroy(reference);
    free_stage(&s);
    sinew_skeleton_destroy(from);
    sinew_skeleton_destroy(to);
}

// A component without a ratio keeps the target's own.
static void test_a_reference_of_scale_0_keeps_the_scale(void **state) {
    (void)state;
    sinew_skeleton *from = make_small_rig(named_source), *to = make_small_rig(named_target);
    sinew_retarget_def def = def_of(from, to);
    sinew_pose *reference;
    assert_int_equal(sinew_pose_create(from, NULL, &reference), SINEW_OK);
    sinew_transform arm = pose_of(reference, "arm");
    arm.scale = (sinew_vec3){0, 1e-40f, 2};
    sinew_pose_set(reference, node_named(from, "arm"), arm);
    def.source_reference = reference;
    stage s = make_stage(&def);
    arm.scale = (sinew_vec3){5, 1e-40f, 6};
    sinew_pose_set(s.source, node_named(from, "arm"), arm);
    sinew_retarget_pose(s.map, s.source, s.target);
    sinew_vec3 scale = pose_of(s.target, "arm").scale;
    check_vec3(scale, 1, 1, 3, 1e-6);
    sinew_pose_destroy(reference);
    free_stage(&s);
    sinew_skeleton_destroy(from);
    sinew_skeleton_destroy(to);
}

// ---- The hips ------------------------------------------------------------------------------------------------

static const small_node small_body[] = {
    {"Root", NULL, {0, 0, 0}, 0},          {"Armature", "Root", {0, 0, 0}, 0},
    {"hips", "Armature", {0, 1, 0}, 0},    {"thigh", "hips", {0.1f, 0, 0}, 0},
    {"shin", "thigh", {0, -0.5f, 0}, 0},   {"foot", "shin", {0, -0.45f, 0}, 0},
    {"thigh2", "hips", {-0.1f, 0, 0}, 0},  {"shin2", "thigh2", {0, -0.5f, 0}, 0},
    {"foot2", "shin2", {0, -0.45f, 0}, 0}, {NULL, NULL, {0, 0, 0}, 0}};

static sinew_humanoid leg_roles(const sinew_skeleton *skeleton) {
    static const char *const roles[7] = {"hips",          "leftUpperLeg",  "leftLowerLeg", "leftFoot",
                                         "rightUpperLeg", "rightLowerLeg", "rightFoot"};
    static const char *const names[7] = {"hips", "thigh", "shin", "foot", "thigh2", "shin2", "foot2"};
    sinew_humanoid humanoid = sinew_humanoid_empty();
    for (int i = 0; i < 7; i++) set_role(&humanoid, skeleton, roles[i], names[i]);
    return humanoid;
}

// The motion of the hips in model space, for a motion of one of the nodes above them.
static void check_root_motion(const char *moved, sinew_retarget_translations translations) {
    small_node rows[SMALL_RIG_MAX_NODES];
    memcpy(rows, small_body, sizeof small_body);
    for (int i = 0; rows[i].name; i++) {
        float factor = i > 2 ? 3.0f : 2.5f; // legs' length isn't the hips' height
        rows[i].position.x *= factor, rows[i].position.y *= factor, rows[i].position.z *= factor;
    }
    sinew_skeleton *from = make_small_rig(small_body), *to = make_small_rig(rows);
    sinew_humanoid source = leg_roles(from), target = leg_roles(to);
    sinew_retarget_def def = def_of(from, to);
    def.source_humanoid = &source;
    def.target_humanoid = &target;
    def.translations = translations;
    stage s = make_stage(&def);
    check_near(s.map->scale, 3, 1e-6);
    move_node(s.source, moved, 0.5f, 0.25f, 4);
    sinew_retarget_pose(s.map, s.source, s.target);
    exact_node *model = exact_model(s.target);
    exact_vec3 hips = exact_position(&model[node_named(to, "hips")]);
    check_near(hips.x, 3 * 0.5, 1e-5);
    check_near(hips.y, 2.5 + 3 * 0.25, 1e-5);
    check_near(hips.z, 3 * 4, 1e-5);
    free(model);
    free_stage(&s);
    sinew_skeleton_destroy(from);
    sinew_skeleton_destroy(to);
}

static void test_the_hips_and_the_nodes_above_move_by_the_ratio_of_the_legs(void **state) {
    (void)state;
    static const char *const moved[] = {"hips", "Armature", "Root"};
    for (int i = 0; i < 3; i++) {
        check_root_motion(moved[i], SINEW_RETARGET_TRANSLATIONS_SCALED);
        check_root_motion(moved[i], SINEW_RETARGET_TRANSLATIONS_FIXED);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_tail_bends_evenly),
        cmocka_unit_test(test_spines_of_other_lengths),
        cmocka_unit_test(test_fingers_of_two_joints_and_of_three),
        cmocka_unit_test(test_names_pair_nodes_on_the_same_part),
        cmocka_unit_test(test_a_named_node_copies_its_change),
        cmocka_unit_test(test_fixed_translations_and_scaled_ones),
        cmocka_unit_test(test_scales_change_as_on_the_source),
        cmocka_unit_test(test_a_reference_of_scale_0_keeps_the_scale),
        cmocka_unit_test(test_the_hips_and_the_nodes_above_move_by_the_ratio_of_the_legs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
