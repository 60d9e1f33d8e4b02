// SPDX-License-Identifier: MIT
// What a source's nodes carry, on rigs derived from the hero's, and rigs of graphs that were made for the hero. The test's
// own forward kinematics tells where things are on the source. On the target they are as far from their node for its size,
// and turned like on the source.
#include "support/retarget_rig.h"
#include "support/rig_stage.h"

#include <sinew/humanoid/retarget.h>

enum { MOMENTS = 7, CHANGES = 3 };
static const rig_change changes[CHANGES] = {
    {.name = "the same", .scale = 1},
    {.name = "back", .scale = 0.6, .faces_back = true, .other_axes = true, .arms_down = 0.7},
    {.name = "centimeters",
     .scale = 1.7,
     .armature_scale = 0.01,
     .other_axes = true,
     .twist_joints = true,
     .renamed = true,
     .reversed = true},
};

static character hero;

static sinew_retarget *make_map(const sinew_skeleton *source, const sinew_humanoid *source_roles,
                                const sinew_skeleton *target, const sinew_humanoid *target_roles) {
    sinew_retarget_def def = sinew_retarget_default();
    def.source = source;
    def.source_humanoid = source_roles;
    def.target = target;
    def.target_humanoid = target_roles;
    sinew_retarget *map;
    sinew_error error = {0};
    if (sinew_retarget_create(&def, &map, &error) != SINEW_OK) fail_msg("%s", error.message);
    return map;
}

static sinew_retarget *map_onto(const derived_rig *rig) {
    return make_map(hero.skeleton, &hero.humanoid, rig->skeleton, &rig->humanoid);
}

static sinew_pose *new_pose(const sinew_skeleton *skeleton) {
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(skeleton, NULL, &pose), SINEW_OK);
    return pose;
}

static exact_vec3 apart(exact_vec3 to, exact_vec3 from) {
    return exact_add(to, from, -1);
}

// ---- Sockets -------------------------------------------------------------------------------------------------

static exact_vec3 column(const exact_node *node, int i) {
    return (exact_vec3){node->m[0][i], node->m[1][i], node->m[2][i]};
}

// A point in a node's local space.
static exact_vec3 at_point(const exact_node *node, exact_vec3 point) {
    exact_vec3 at = exact_position(node);
    at = exact_add(at, column(node, 0), point.x);
    at = exact_add(at, column(node, 1), point.y);
    return exact_add(at, column(node, 2), point.z);
}

// Compares what `node` carries with where it is on the target. `holder` is the source's node that the target's stands for.
static void check_socket(const sinew_retarget *map, const exact_node *from, const exact_node *to, int32_t node,
                         int32_t holder, int32_t wanted) {
    int32_t target;
    const sinew_transform socket = sinew_retarget_socket(map, node, &target);
    assert_int_equal(target, wanted);
    const exact_quat turn = exact_rotation(map->rotation);
    const exact_quat rotation = exact_multiply(to[target].rotation, exact_rotation(socket.rotation));
    assert_true(exact_angle(rotation, exact_multiply(turn, from[node].rotation)) < 2e-6);
    exact_vec3 offset = exact_rotate(turn, apart(exact_position(&from[node]), exact_position(&from[holder])));
    offset = exact_scaled(offset, (double)map->scale);
    const exact_vec3 carried =
        apart(at_point(&to[target], exact_vec(socket.translation)), exact_position(&to[target]));
    assert_true(exact_length(apart(carried, offset)) < 2e-6 * (double)map->scale);
    const double size = exact_length(column(&to[target], 0)) * (double)socket.scale.x;
    assert_true(fabs(size / ((double)map->scale * exact_length(column(&from[node], 0))) - 1) < 1e-5);
}

static void check_moment(const sinew_retarget *map, const derived_rig *rig, bool has_names, const exact_node *from,
                         const exact_node *to) {
    static const char *const names[4] = {"Hand_R", "Head", "Chest", "Index2_L"};
    for (int i = 0; i < 4; i++) {
        const int32_t node = sinew_skeleton_find(hero.skeleton, names[i]);
        check_socket(map, from, to, node, node, rig->node_of[node]);
    }
    const int32_t grip = sinew_skeleton_find(hero.skeleton, "Grip_R");
    const int32_t holder = has_names ? grip : sinew_skeleton_find(hero.skeleton, "Hand_R");
    check_socket(map, from, to, grip, holder, rig->node_of[holder]);
}

static void test_sockets_of_derived_rigs(void **state) {
    (void)state;
    const sinew_clip *clip = clip_named(&hero, "Attack");
    for (int i = 0; i < CHANGES; i++) {
        derived_rig rig = derive_rig(hero.skeleton, &hero.humanoid, &changes[i]);
        sinew_retarget *map = map_onto(&rig);
        sinew_pose *source = new_pose(hero.skeleton), *target = new_pose(rig.skeleton);
        for (int k = 0; k < MOMENTS; k++) {
            sinew_clip_sample(clip, clip->duration * (float)k / (MOMENTS - 1), source);
            sinew_retarget_pose(map, source, target);
            exact_node *from = exact_model(source), *to = exact_model(target);
            check_moment(map, &rig, !changes[i].renamed, from, to);
            free(from);
            free(to);
        }
        sinew_pose_destroy(source);
        sinew_pose_destroy(target);
        sinew_retarget_destroy(map);
        free_derived(&rig);
    }
}

// A source in centimeters.
static void test_sockets_of_a_derived_source(void **state) {
    (void)state;
    derived_rig rig = derive_rig(hero.skeleton, &hero.humanoid, &changes[CHANGES - 1]);
    sinew_retarget *there = map_onto(&rig);
    sinew_retarget *back = make_map(rig.skeleton, &rig.humanoid, hero.skeleton, &hero.humanoid);
    sinew_pose *pose = new_pose(hero.skeleton), *derived = new_pose(rig.skeleton);
    sinew_clip_sample(clip_named(&hero, "Attack"), 0.3f, pose);
    sinew_retarget_pose(there, pose, derived);
    sinew_retarget_pose(back, derived, pose);
    exact_node *from = exact_model(derived), *to = exact_model(pose);
    const int32_t hand = sinew_skeleton_find(hero.skeleton, "Hand_R");
    const int32_t grip = sinew_skeleton_find(hero.skeleton, "Grip_R");
    check_socket(back, from, to, rig.node_of[grip], rig.node_of[hand], hand);
    free(from);
    free(to);
    sinew_pose_destroy(pose);
    sinew_pose_destroy(derived);
    sinew_retarget_destroy(there);
    sinew_retarget_destroy(back);
    free_derived(&rig);
}

// A node whose role the target lacks is where it is above the nearest role that the target has.
static void test_socket_of_a_missing_role(void **state) {
    (void)state;
    sinew_humanoid without = hero.humanoid;
    without.nodes[SINEW_HUMANOID_UPPER_CHEST] = SINEW_NO_NODE;
    sinew_retarget_def def = sinew_retarget_default();
    def.source = def.target = hero.skeleton;
    def.source_humanoid = &hero.humanoid;
    def.target_humanoid = &without;
    def.match_names = false;
    sinew_retarget *map;
    assert_int_equal(sinew_retarget_create(&def, &map, NULL), SINEW_OK);
    const int32_t upper = hero.humanoid.nodes[SINEW_HUMANOID_UPPER_CHEST];
    int32_t target;
    const sinew_transform socket = sinew_retarget_socket(map, upper, &target), *rest = &hero.skeleton->rest[upper];
    assert_int_equal(target, hero.humanoid.nodes[SINEW_HUMANOID_CHEST]);
    assert_true(sinew_vec3_length(sinew_vec3_subtract(socket.translation, rest->translation)) < 1e-6f);
    assert_true(angle_between(socket.rotation, rest->rotation) < 1e-6);
    sinew_retarget_destroy(map);
}

static void test_no_socket(void **state) {
    (void)state;
    sinew_retarget_def def = sinew_retarget_default();
    def.source = def.target = hero.skeleton;
    const int32_t hand = sinew_skeleton_find(hero.skeleton, "Hand_R");
    const sinew_retarget_chain chain = {&hand, 1, &hand, 1};
    def.chain_count = 1;
    def.chains = &chain;
    def.match_names = false;
    sinew_retarget *map;
    assert_int_equal(sinew_retarget_create(&def, &map, NULL), SINEW_OK);
    int32_t target;
    (void)sinew_retarget_socket(map, sinew_skeleton_find(hero.skeleton, "Grip_R"), &target);
    assert_int_equal(target, hand);
    const sinew_transform none = sinew_retarget_socket(map, sinew_skeleton_find(hero.skeleton, "Hand_L"), &target);
    const sinew_transform identity = sinew_transform_identity();
    assert_int_equal(target, SINEW_NO_NODE);
    assert_memory_equal(&none, &identity, sizeof none);
    sinew_retarget_destroy(map);
}

// ---- Rigs ----------------------------------------------------------------------------------------------------

#define HOLD(chest)                                                                                                \
    "{'name':'first','damping':0,'limb':{'end':'role:rightHand','endRotation':'goal','goal':{'node':'" chest       \
    "','offset':[-0.05,-0.06,0.3],'rotation':[0,0.4472,0.8944,0]}}},"                                              \
    "{'name':'second','damping':0,'limb':{'end':'role:leftHand','endRotation':'goal','goal':{'node':'Grip_R',"     \
    "'offset':[0.03,-0.115,-0.078],'rotation':[0,0.7071,0.7071,0]}}}"

// A rig for a skeleton, which may be another than the graph was made for.
static sinew_rig *rig_of(const sinew_graph *graph, const sinew_skeleton *skeleton, const sinew_humanoid *humanoid,
                         const sinew_retarget *map, sinew_graph_binding **binding) {
    sinew_graph_binding_def binding_def = sinew_graph_binding_default();
    binding_def.graph = graph;
    binding_def.skeleton = skeleton;
    binding_def.humanoid = humanoid;
    *binding = bind_graph(&binding_def);
    sinew_rig_def def = sinew_rig_default();
    def.binding = *binding;
    def.retarget = map;
    sinew_rig *rig;
    sinew_error error = {0};
    if (sinew_rig_create(&def, &rig, &error) != SINEW_OK) fail_msg("%s", error.message);
    return rig;
}

// Runs the rig on a pose, which it changes.
static void run_rig(const sinew_rig *rig, sinew_pose *pose) {
    sinew_character_def def = sinew_character_default();
    def.rig = rig;
    sinew_character *player;
    assert_int_equal(sinew_character_create(&def, &player, NULL), SINEW_OK);
    sinew_mixer *mixer = sinew_character_mixer(player);
    sinew_mixer_set_pose(mixer, pose);
    sinew_character_update(player, 1.0f / 60);
    sinew_pose_copy(pose, sinew_mixer_pose(mixer));
    sinew_character_destroy(player);
}

// The hands of both are in one place for their sizes, and turned as if the hero's pose were retargeted after the rig.
static void compare_hands(const sinew_retarget *map, const derived_rig *rig, const sinew_pose *source,
                          const sinew_pose *target) {
    sinew_pose *wanted = new_pose(rig->skeleton);
    sinew_retarget_pose(map, source, wanted);
    exact_node *from = exact_model(source), *to = exact_model(target), *turned = exact_model(wanted);
    const int32_t left = hero.humanoid.nodes[SINEW_HUMANOID_LEFT_HAND];
    const int32_t right = hero.humanoid.nodes[SINEW_HUMANOID_RIGHT_HAND];
    const int32_t chest = hero.humanoid.nodes[SINEW_HUMANOID_CHEST];
    const int32_t nodes[2][2] = {{left, right}, {right, chest}};
    for (int i = 0; i < 2; i++) {
        const int32_t hand = rig->node_of[nodes[i][0]], other = rig->node_of[nodes[i][1]];
        assert_true(exact_angle(to[hand].rotation, turned[hand].rotation) < 1e-4);
        exact_vec3 reach = apart(exact_position(&from[nodes[i][0]]), exact_position(&from[nodes[i][1]]));
        reach = exact_scaled(exact_rotate(exact_rotation(map->rotation), reach), (double)map->scale);
        const exact_vec3 held = apart(exact_position(&to[hand]), exact_position(&to[other]));
        assert_true(exact_length(apart(held, reach)) < 1e-5);
    }
    free(from);
    free(to);
    free(turned);
    sinew_pose_destroy(wanted);
}

static void check_hold(const char *step, const rig_change *change) {
    sinew_graph *graph = read_step(step);
    derived_rig rig = derive_rig(hero.skeleton, &hero.humanoid, change);
    sinew_retarget *map = map_onto(&rig);
    sinew_pose *source = new_pose(hero.skeleton), *target = new_pose(rig.skeleton);
    sinew_clip_sample(clip_named(&hero, "Walk"), 0.3f, source);
    sinew_retarget_pose(map, source, target);
    sinew_graph_binding *bindings[2];
    sinew_rig *rigs[2] = {rig_of(graph, hero.skeleton, &hero.humanoid, NULL, &bindings[0]),
                          rig_of(graph, rig.skeleton, &rig.humanoid, map, &bindings[1])};
    run_rig(rigs[0], source);
    run_rig(rigs[1], target);
    compare_hands(map, &rig, source, target);
    for (int k = 0; k < 2; k++) {
        sinew_rig_destroy(rigs[k]);
        sinew_graph_binding_destroy(bindings[k]);
    }
    sinew_pose_destroy(source);
    sinew_pose_destroy(target);
    sinew_retarget_destroy(map);
    free_derived(&rig);
    sinew_graph_destroy(graph);
}

static void test_rigs_of_derived_characters(void **state) {
    (void)state;
    for (int i = 0; i < CHANGES; i++) {
        check_hold(HOLD("role:chest"), &changes[i]);
        check_hold(HOLD("Chest"), &changes[i]);
    }
}

static sinew_result rig_with(const sinew_graph *graph, const sinew_asset *asset, const sinew_retarget *map,
                             sinew_error *error) {
    sinew_rig_def def = sinew_rig_default();
    def.graph = graph;
    def.asset = asset;
    def.retarget = map;
    sinew_rig *rig;
    const sinew_result result = sinew_rig_create(&def, &rig, error);
    sinew_rig_destroy(rig);
    return result;
}

static void test_refused_maps(void **state) {
    (void)state;
    derived_rig rig = derive_rig(hero.skeleton, &hero.humanoid, &changes[0]);
    sinew_retarget *map = map_onto(&rig);
    sinew_error error = {0};
    sinew_graph *graph = read_step("{'aim':{'node':'role:head','goal':{'node':'Grip_R'}}}");
    assert_int_equal(rig_with(graph, hero.asset, NULL, &error), SINEW_OK);
    assert_int_equal(rig_with(graph, hero.asset, map, &error), SINEW_ERROR_ARGUMENT);
    expect_message(&error, "rig: the target of `retarget` is a different skeleton");
    sinew_graph_destroy(graph);
    sinew_retarget_destroy(map);
    free_derived(&rig);

    sinew_retarget_def def = sinew_retarget_default();
    def.source = def.target = hero.skeleton;
    assert_int_equal(sinew_retarget_create(&def, &map, NULL), SINEW_OK); // without roles
    static const char *const wrong[2] = {"Grp_R", "role:chets"};
    static const char *const messages[2] = {
        "line 1: step aim: the skeleton has no node \"Grp_R\"; did you mean 'Grip_R'?",
        "line 1: step aim: there is no role \"chets\"; did you mean \"chest\"?"};
    for (int i = 0; i < 2; i++) {
        char step[128];
        snprintf(step, sizeof step, "{'aim':{'node':'role:head','goal':{'node':'%s'}}}", wrong[i]);
        graph = read_step(step);
        assert_int_equal(rig_with(graph, hero.asset, map, &error), SINEW_ERROR_ARGUMENT);
        expect_message(&error, messages[i]);
        sinew_graph_destroy(graph);
    }
    graph = read_step("{'aim':{'node':'role:head','goal':{'node':'role:chest'}}}"); // the character's own role
    assert_int_equal(rig_with(graph, hero.asset, map, &error), SINEW_OK);
    sinew_graph_destroy(graph);
    sinew_retarget_destroy(map);
}

static int load_hero(void **state) {
    (void)state;
    return load_character(HERO, &hero) ? 0 : 1;
}

static int free_hero(void **state) {
    (void)state;
    free_character(&hero);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sockets_of_derived_rigs),    cmocka_unit_test(test_sockets_of_a_derived_source),
        cmocka_unit_test(test_socket_of_a_missing_role),   cmocka_unit_test(test_no_socket),
        cmocka_unit_test(test_rigs_of_derived_characters), cmocka_unit_test(test_refused_maps),
    };
    return cmocka_run_group_tests(tests, load_hero, free_hero);
}
