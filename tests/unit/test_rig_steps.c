// SPDX-License-Identifier: MIT
// Rigs from structs: each wrong field of a step, and what a graph copies. tests/unit/test_graph_file.c does the same
// for files.
#include "support/rig_stage.h"

// Refuses a step that comes after a sound one.
static void refuse(sinew_rig_step step, const char *message) {
    const sinew_rig_step steps[2] = {step_of(SINEW_RIG_CALLBACK, "first"), step};
    const bool is_root_warp = step.kind == SINEW_RIG_ROOT_WARP;
    sinew_graph *graph = (sinew_graph *)(uintptr_t)&step;
    sinew_error error = {0};
    char expected[256];
    snprintf(expected, sizeof expected, "steps[%d]%s%s", !is_root_warp, message[0] == '.' ? "" : ": ", message);
    assert_int_equal(make_graph(steps + is_root_warp, 2 - is_root_warp, NULL, 0, &graph, &error),
                     SINEW_ERROR_ARGUMENT);
    assert_null(graph);
    expect_message(&error, expected);
}

static void accept(const sinew_rig_step *step) {
    sinew_graph *graph;
    sinew_error error = {0};
    if (make_graph(step, 1, NULL, 0, &graph, &error) != SINEW_OK) fail_msg("%s", error.message);
    sinew_graph_destroy(graph);
}

// Each mistake is made in a copy of a sound step.
#define REFUSE(sound, change, message)                                                                             \
    do {                                                                                                           \
        sinew_rig_step s = (sound);                                                                                \
        change;                                                                                                    \
        refuse(s, message);                                                                                        \
    } while (0)

static void test_wrong_steps(void **state) {
    (void)state;
    const sinew_rig_step sound = step_of(SINEW_RIG_CALLBACK, "mine");
    accept(&sound);
    REFUSE(sound, s.cookie = 0, "start from sinew_rig_step_of_kind()");
    REFUSE(sound, s.name = NULL, "the name is missing");
    REFUSE(sound, s.name = "", "the name is missing");
    REFUSE(sound, s.name = "first", "two steps are named \"first\"; give one of them another name");
    REFUSE(sound, s.kind = (sinew_rig_kind)12, "unknown kind 12");
    REFUSE(sound, s.kind = (sinew_rig_kind)-1, "unknown kind -1");
    REFUSE(sound, s.weight = 1.5f, "the weight is 1.5; it must be 0 to 1");
    REFUSE(sound, s.weight = NAN, "the weight is nan; it must be 0 to 1");
    REFUSE(sound, s.weight_parameter = FLAG, "the weight's parameter must be a float");
    REFUSE(sound, s.weight_parameter = PARAMETERS, "the weight's parameter must be a float");
    REFUSE(sound, s.weight_parameter = -2, "the weight's parameter must be a float");
    REFUSE(sound, s.weight_curve = "", "the weight's curve has no name");
    REFUSE(sound, s.damping = -1, "damping is -1 s; it must be 0 or more");
    REFUSE(sound, s.damping = INFINITY, "damping is inf s; it must be 0 or more");
    REFUSE(sound, s.significance = NAN, "significance is nan; it must be 0 or more");
    REFUSE(sound, s.when = "flg", ".when: column 1: no parameter is named \"flg\"; did you mean \"flag\"?");
    REFUSE(sound, s.when = "flag && elapsed > 1",
           ".when: column 9: a step has no clip of its own; it can ask for parameters, curves, tags and states");
    REFUSE(sound, (s.nodes = &(const char *){"n0"}, s.node_count = 1), "1 nodes; \"callback\" takes none");
    REFUSE(sound, s.node_count = -1, "-1 nodes; \"callback\" takes none");
}

static void test_wrong_order(void **state) {
    (void)state;
    const sinew_rig_step warp = step_of(SINEW_RIG_ROOT_WARP, "warp");
    const sinew_rig_step sound[3] = {step_of(SINEW_RIG_SPRINGS, "hair"), step_of(SINEW_RIG_SPRINGS, "tail"),
                                     step_of(SINEW_RIG_CALLBACK, "late")};
    sinew_graph *graph;
    sinew_error error = {0};
    assert_int_equal(make_graph(sound, 2, NULL, 0, &graph, &error), SINEW_OK);
    sinew_graph_destroy(graph);
    assert_int_equal(make_graph(sound, 3, NULL, 0, &graph, &error), SINEW_ERROR_ARGUMENT);
    expect_message(&error, "steps[2]: \"late\" comes after \"tail\"; springs must come last");
    const sinew_rig_step wrong[2] = {sound[2], warp};
    assert_int_equal(make_graph(wrong, 2, NULL, 0, &graph, &error), SINEW_ERROR_ARGUMENT);
    expect_message(&error, "steps[1]: \"warp\" comes after \"late\"; root warps must come first");
}

static void test_wrong_counts(void **state) {
    (void)state;
    sinew_rig_step steps[SINEW_MAX_RIG_STEPS + 1];
    char names[SINEW_MAX_RIG_STEPS + 1][8];
    for (int i = 0; i <= SINEW_MAX_RIG_STEPS; i++) {
        snprintf(names[i], sizeof names[i], "s%d", i);
        steps[i] = step_of(SINEW_RIG_CALLBACK, names[i]);
    }
    sinew_graph *graph;
    sinew_error error = {0};
    assert_int_equal(make_graph(steps, SINEW_MAX_RIG_STEPS, NULL, 0, &graph, &error), SINEW_OK);
    sinew_graph_destroy(graph);
    assert_int_equal(make_graph(steps, SINEW_MAX_RIG_STEPS + 1, NULL, 0, &graph, &error), SINEW_ERROR_LIMIT);
    expect_message(&error, "graph: 65 rig steps; there must be 0 to 64");
    assert_int_equal(make_graph(NULL, 1, NULL, 0, &graph, &error), SINEW_ERROR_ARGUMENT);
    expect_message(&error, "graph: 1 rig steps, but the array is NULL; there must be 0 to 64");
    assert_int_equal(make_graph(steps, 1, NULL, 1, &graph, &error), SINEW_ERROR_ARGUMENT);
    expect_message(&error, "graph: 1 feet, but the array is NULL; there must be 0 to 8");
    assert_int_equal(make_graph(NULL, 0, NULL, 0, &graph, &error), SINEW_ERROR_ARGUMENT);
    expect_message(&error, "graph: 0 layers; there must be 1 to 8");
}

static void test_wrong_root_warps(void **state) {
    (void)state;
    const sinew_rig_step sound = sound_root_warp();
    accept(&sound);
    REFUSE(sound, s.root_warp.settings = (sinew_root_warp_def){0},
           "the settings must start from sinew_root_warp_default()");
    REFUSE(sound, s.root_warp.clip = NULL, "the clip is missing");
    REFUSE(sound, s.root_warp.clip = "", "the clip has no name");
    REFUSE(sound, s.root_warp.window = "", "the window has no name");
    REFUSE(sound, s.root_warp.settings.start = NAN, "start is nan; it must be 0 or more");
    REFUSE(sound, s.root_warp.settings.end = INFINITY, "end is inf; it must be 0 or more");
    REFUSE(sound, s.root_warp.settings.start = 1,
           "start is 1 s and end is 1 s; the end must be later, or the window must name markers");
    REFUSE(sound, s.root_warp.settings.max_speed = 0.5f, "maxSpeed is 0.5; it must be 1 or more");
    REFUSE(sound, s.root_warp.settings.added_speed = NAN, "addedSpeed is nan; it must be 0 or more");
    REFUSE(sound, s.root_warp.settings.max_turn_rate = -1, "maxTurnRate is -1; it must be 0 or more");
    REFUSE(sound, s.goal.parameter = PLACE, "the goal must be a transform");
    REFUSE(sound, s.goal.parameter = SINEW_GRAPH_NONE, "the goal is missing; it must have a parameter or a node");
    REFUSE(sound, s.goal = ((sinew_rig_goal){SINEW_GRAPH_NONE, "n1", {0, 0, 0}, {0, 0, 0, 1}}),
           "the goal can't be a node; it must be a transform parameter");
}

static void test_wrong_aim_offsets(void **state) {
    (void)state;
    const sinew_rig_step sound = sound_aim_offset();
    accept(&sound);
    static const float still[2] = {1, 1}, endless[2] = {0, INFINITY};
    static const char *const clips[2] = {"walk", ""};
    static const sinew_mask_part nameless = {.factor = 1}, wide = {.name = "n0", .factor = 2};
    REFUSE(sound, s.input = NUMBER, "the direction must be a vector2");
    REFUSE(sound, s.aim_offset.yaw_count = 0, "0 yaws; there must be 1 to 16");
    REFUSE(sound, s.aim_offset.pitch_count = 17, "17 pitches, but the array is NULL; there must be 1 to 16");
    REFUSE(sound, s.aim_offset.yaws = NULL, "2 yaws, but the array is NULL; there must be 1 to 16");
    REFUSE(sound, s.aim_offset.yaws = still, "the yaws must increase, but 1 comes after 1");
    REFUSE(sound, s.aim_offset.yaws = endless, "the yaws must be finite");
    REFUSE(sound, s.aim_offset.clips = NULL, "clip 0 is missing; there must be 2, one for each pitch and yaw");
    REFUSE(sound, s.aim_offset.clips = clips, "clip 1 is missing; there must be 2, one for each pitch and yaw");
    REFUSE(sound, s.aim_offset.reference = "", "the reference has no name");
    REFUSE(sound, s.aim_offset.part_count = 1, "1 mask parts, but the array is NULL");
    REFUSE(sound, (s.aim_offset.part_count = 1, s.aim_offset.parts = &nameless), "mask part 0 has no node");
    REFUSE(sound, (s.aim_offset.part_count = 1, s.aim_offset.parts = &wide),
           "the mask's factor for \"n0\" is 2; it must be 0 to 1");
}

static void test_wrong_warps_and_feet(void **state) {
    (void)state;
    static const char *const nodes[10] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    sinew_rig_step turn = step_of(SINEW_RIG_ORIENTATION_WARP, "turn");
    turn.input = NUMBER;
    accept(&turn);
    REFUSE(turn, s.orientation_warp = (sinew_orientation_warp){0},
           "the settings must start from sinew_orientation_warp_default()");
    REFUSE(turn, s.input = SINEW_GRAPH_NONE, "the angle must be a float");
    REFUSE(turn, (s.nodes = nodes, s.node_count = 10),
           "10 nodes; \"orientationWarp\" takes up to 9: the hips, then the spine");
    REFUSE(turn, s.node_count = 2, "2 nodes, but the array is NULL");
    REFUSE(turn, s.orientation_warp.limit = 3.2f, "limit is 3.2; it must be 0 to 3.1");
    REFUSE(turn, s.orientation_warp.settle_time = NAN, "settleTime is nan; it must be 0 or more");
    sinew_rig_step stride = step_of(SINEW_RIG_STRIDE_WARP, "stride");
    stride.input = NUMBER;
    accept(&stride);
    REFUSE(stride, s.stride_warp = (sinew_stride_warp){0},
           "the settings must start from sinew_stride_warp_default()");
    REFUSE(stride, s.input = PAIR, "the scale must be a float");
    REFUSE(stride, (s.nodes = nodes, s.node_count = 2), "2 nodes; \"strideWarp\" takes at most one, the pelvis");
    REFUSE(stride, s.stride_warp.direction.y = NAN, "direction must be finite");
    REFUSE(stride, s.stride_warp.origin.x = INFINITY, "origin must be finite");
    REFUSE(stride, s.stride_warp.min_scale = -1, "minScale is -1; it must be 0 to 1");
    REFUSE(stride, s.stride_warp.max_scale = INFINITY, "maxScale is inf; it must be 1 or more");
    const sinew_rig_step lock = step_of(SINEW_RIG_FOOT_LOCK, "lock");
    accept(&lock);
    REFUSE(lock, s.foot_lock = (sinew_foot_lock){0}, "the settings must start from sinew_foot_lock_default()");
    REFUSE(lock, s.foot_lock.contact_on = NAN, "contactOn is nan; it must be 0 to 1");
    REFUSE(lock, s.foot_lock.distance = INFINITY, "distance is inf; it must be 0 or more");
    const sinew_rig_step ground = step_of(SINEW_RIG_FOOT_PLACEMENT, "ground");
    accept(&ground);
    REFUSE(ground, s.foot_placement = (sinew_foot_placement){0},
           "the settings must start from sinew_foot_placement_default()");
    REFUSE(ground, s.foot_placement.lift = 0, "lift is 0; it must be 0.001 or more");
    REFUSE(ground, (s.nodes = nodes, s.node_count = 2), "2 nodes; \"footPlacement\" takes at most one, the pelvis");
}

static void test_wrong_limbs_and_chains(void **state) {
    (void)state;
    static const char *const nodes[4] = {"n0", "n1", "n2", ""};
    sinew_rig_step limb = step_of(SINEW_RIG_LIMB, "limb");
    limb.nodes = nodes;
    limb.node_count = 3;
    limb.goal.parameter = PLACE;
    accept(&limb);
    REFUSE(limb, s.node_count = 0, "0 nodes; \"limb\" takes one, the end, or three: upper, lower and end");
    REFUSE(limb, s.node_count = 2, "2 nodes; \"limb\" takes one, the end, or three: upper, lower and end");
    REFUSE(limb, s.node_count = 4, "4 nodes; \"limb\" takes one, the end, or three: upper, lower and end");
    REFUSE(limb, s.nodes = nodes + 1, "node 2 has no name");
    REFUSE(limb, s.goal.parameter = NUMBER, "the goal must be a vector3 or a transform");
    REFUSE(limb, s.goal.parameter = PARAMETERS, "the goal must be a vector3 or a transform");
    REFUSE(limb, s.goal.node = "n0", "the goal has both a parameter and a node; it must have one of them");
    REFUSE(limb, (s.goal.parameter = SINEW_GRAPH_NONE, s.goal.node = ""), "the goal's node has no name");
    REFUSE(limb, s.goal.offset.z = NAN, "the goal's offset must be finite");
    REFUSE(limb, s.goal.rotation.w = 2, "the goal's rotation has length 2; it must be 1");
    REFUSE(limb, s.goal.rotation.w = NAN, "the goal's rotation has length nan; it must be 1");
    REFUSE(limb, s.pole.parameter = FLAG, "the pole must be a vector3 or a transform");
    REFUSE(limb, s.limb.pole_weight = 2, "poleWeight is 2; it must be 0 to 1");
    REFUSE(limb, s.limb.bend_axis.x = NAN, "bendAxis must be finite");
    REFUSE(limb, s.limb.softness = NAN, "softness is nan; it must be 0 to 1");
    REFUSE(limb, s.limb.end_mode = (sinew_ik_limb_end)3, "unknown end_mode 3");
    sinew_rig_step chain = step_of(SINEW_RIG_CHAIN, "chain");
    chain.nodes = nodes;
    chain.node_count = 2;
    chain.goal.node = "n2";
    accept(&chain);
    REFUSE(chain, s.node_count = 1, "1 nodes; \"chain\" takes two, the root and the tip");
    REFUSE(chain, s.node_count = 3, "3 nodes; \"chain\" takes two, the root and the tip");
    REFUSE(chain, s.goal.node = NULL, "the goal is missing; it must have a parameter or a node");
    REFUSE(chain, s.chain.softness = -1, "softness is -1; it must be 0 to 1");
    REFUSE(chain, s.chain.method = (sinew_ik_chain_method)-1, "unknown method -1");
}

static void test_wrong_bodies_aims_and_springs(void **state) {
    (void)state;
    static const char *const nodes[3] = {"n0", "n1", "n2"};
    static const sinew_rig_effector sound_effector = {
        "n2", {PLACE, NULL, {0, 0, 0}, {0, 0, 0, 1}}, false, 1, false};
    sinew_rig_effector effector = sound_effector;
    sinew_rig_step body = step_of(SINEW_RIG_BODY, "body");
    body.body.effectors = &effector;
    body.body.effector_count = 1;
    accept(&body);
    REFUSE(body, s.body.settings = (sinew_ik_body){0}, "the settings must start from sinew_ik_body_default()");
    REFUSE(body, s.body.effector_count = 0, "0 effectors; there must be 1 to 10");
    REFUSE(body, s.body.effector_count = 11, "11 effectors; there must be 1 to 10");
    REFUSE(body, s.body.effectors = NULL, "1 effectors, but the array is NULL; there must be 1 to 10");
    REFUSE(body, (s.nodes = nodes, s.node_count = 2), "2 nodes; \"body\" takes at most one, the root");
    REFUSE(body, s.body.settings.rest_bias = NAN, "restBias is nan; it must be 0 to 1");
    REFUSE(body, effector.node = "", "effector 0 has no node");
    effector = sound_effector;
    REFUSE(body, effector.pull = NAN, "the pull of effector 0 is nan; it must be 0 to 1");
    effector = sound_effector;
    REFUSE(body, effector.goal.parameter = SINEW_GRAPH_NONE,
           "the goal of effector 0 is missing; it must have a parameter or a node");
    effector.pin = true;
    accept(&body);
    sinew_rig_step aim = step_of(SINEW_RIG_AIM, "aim");
    aim.nodes = nodes;
    aim.node_count = 2;
    aim.goal.parameter = POSE;
    accept(&aim);
    REFUSE(aim, s.node_count = 0, "0 nodes; \"aim\" takes one, or two: the node, then its tip");
    REFUSE(aim, s.node_count = 3, "3 nodes; \"aim\" takes one, or two: the node, then its tip");
    REFUSE(aim, s.goal.parameter = SINEW_GRAPH_NONE, "the goal is missing; it must have a parameter or a node");
    REFUSE(aim, s.aim.limit = NAN, "limit is nan; it must be 0 or more");
    REFUSE(aim, s.aim.forward.x = NAN, "forward must be finite");
    sinew_rig_spring chain = {.root = "n0", .joint = sinew_spring_joint_default()};
    sinew_rig_step springs = step_of(SINEW_RIG_SPRINGS, "springs");
    springs.springs.chains = &chain;
    springs.springs.chain_count = 1;
    accept(&springs);
    REFUSE(springs, s.springs.chain_count = -1, "-1 chains");
    REFUSE(springs, s.springs.chains = NULL, "1 chains, but the array is NULL");
    REFUSE(springs, chain.tip = "", "the tip of chain 0 has no name");
    REFUSE(springs, chain.root = NULL, "chain 0 has no root");
    const sinew_rig_collider collider = {.node = "", .settings = sinew_spring_collider_default()};
    const int32_t index = 1;
    chain = (sinew_rig_spring){.root = "n0", .joint = sinew_spring_joint_default()};
    REFUSE(springs, chain.center = "", "the center of chain 0 has no name");
    chain.center = NULL;
    REFUSE(springs, s.springs.collider_count = -1, "-1 colliders, but the array is NULL");
    REFUSE(springs, (s.springs.collider_count = 1, s.springs.colliders = &collider),
           "the node of collider 0 has no name");
    REFUSE(springs, chain.collider_count = 1, "1 colliders of chain 0, but the array is NULL");
    chain.colliders = &index;
    REFUSE(springs, chain.collider_count = 1, "chain 0 has the collider 1, but the step has 0");
}

static void test_wrong_feet(void **state) {
    (void)state;
    const sinew_rig_step lock = step_of(SINEW_RIG_FOOT_LOCK, "lock");
    static const struct {
        sinew_rig_foot foot;
        const char *message;
    } faults[] = {
        {{NULL, "b", "c", NULL, "down", "up"}, "feet[1]: a foot must have a thigh, a shin and a foot"},
        {{"a", "", "c", NULL, "down", "up"}, "feet[1]: a foot must have a thigh, a shin and a foot"},
        {{"a", "b", NULL, NULL, "down", "up"}, "feet[1]: a foot must have a thigh, a shin and a foot"},
        {{"a", "b", "c", "", "down", "up"}, "feet[1]: the toes have no name"},
        {{"a", "b", "c", NULL, "", "up"}, "feet[1]: a marker has no name"},
        {{"a", "b", "c", NULL, "down", NULL},
         "feet[1]: a foot must have markers for both \"down\" and \"up\", or neither"},
        {{"a", "b", "c", NULL, NULL, NULL}, "feet[1]: either all feet must have markers, or none of them"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const sinew_rig_foot feet[2] = {{"t", "s", "f", NULL, "d", "u"}, faults[i].foot};
        sinew_graph *graph;
        sinew_error error = {0};
        assert_int_equal(make_graph(&lock, 1, feet, 2, &graph, &error), SINEW_ERROR_ARGUMENT);
        expect_message(&error, faults[i].message);
    }
}

// A graph keeps nothing of the caller's: its steps make an equal graph, and their arrays are copies.
static void test_steps_are_copied(void **state) {
    (void)state;
    char name[] = "body", node[] = "n2", root[] = "n0";
    const char *nodes[1] = {root};
    sinew_ik_limit limit = {.node = 5};
    sinew_rig_effector effector = {node, {PLACE, NULL, {1, 2, 3}, {0, 0, 0, 1.0005f}}, true, 0.5f, false};
    sinew_rig_step body = step_of(SINEW_RIG_BODY, name);
    body.nodes = nodes;
    body.node_count = 1;
    body.body.effectors = &effector;
    body.body.effector_count = 1;
    body.body.settings.limits = &limit;
    body.body.settings.limit_count = 1;
    sinew_graph *graph, *copy;
    assert_int_equal(make_graph(&body, 1, NULL, 0, &graph, NULL), SINEW_OK);
    name[0] = node[0] = root[0] = 'x';
    effector.pull = 0;
    nodes[0] = NULL;
    const sinew_rig_step *step = &graph->steps[0];
    assert_string_equal(step->name, "body");
    assert_string_equal(step->nodes[0], "n0");
    assert_string_equal(step->body.effectors[0].node, "n2");
    check_near(step->body.effectors[0].pull, 0.5, 0);
    check_near(step->body.effectors[0].goal.rotation.w, 1, 0); // normalized
    assert_null(step->body.settings.limits);
    assert_int_equal(step->body.settings.limit_count, 0);
    assert_int_equal(make_graph(graph->steps, 1, NULL, 0, &copy, NULL), SINEW_OK);
    assert_int_equal(copy->memory, graph->memory);
    sinew_graph_destroy(copy);
    sinew_graph_destroy(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_steps),
        cmocka_unit_test(test_wrong_order),
        cmocka_unit_test(test_wrong_counts),
        cmocka_unit_test(test_wrong_root_warps),
        cmocka_unit_test(test_wrong_aim_offsets),
        cmocka_unit_test(test_wrong_warps_and_feet),
        cmocka_unit_test(test_wrong_limbs_and_chains),
        cmocka_unit_test(test_wrong_bodies_aims_and_springs),
        cmocka_unit_test(test_wrong_feet),
        cmocka_unit_test(test_steps_are_copied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
