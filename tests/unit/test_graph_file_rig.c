// SPDX-License-Identifier: MIT
// Rigs from files: what each key becomes. test_graph_file.c does the same for the rest of a graph, and checks both
// for faults.
#include "support/check.h"

#include <sinew/motion/rig.h>

#include <stdio.h>

static sinew_graph *load_file(void) {
    sinew_graph *graph;
    sinew_error error = {0};
    if (sinew_graph_load_file(SINEW_GRAPHS "/every_key.graph.json", NULL, &graph, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    return graph;
}

static void check_text(const char *actual, const char *expected) {
    if (!actual != !expected || (expected && strcmp(actual, expected) != 0))
        fail_msg("\"%s\" instead of \"%s\"", actual ? actual : "(NULL)", expected ? expected : "(NULL)");
}

static void check_texts(const char *const *actual, int32_t count, const char *expected) {
    char joined[256] = "";
    for (int32_t i = 0; i < count; i++)
        snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%s%s", i > 0 ? " " : "", actual[i]);
    assert_string_equal(joined, expected);
}

static void check_floats(const float *actual, int count, const float *expected) {
    for (int i = 0; i < count; i++) check_near(actual[i], expected[i], 0);
}

// A goal's parameter by its index, or a node.
static void check_goal(const sinew_rig_goal *goal, int32_t parameter, const char *node, float x, float y, float z) {
    assert_int_equal(goal->parameter, parameter);
    check_text(goal->node, node);
    check_vec3(goal->offset, x, y, z, 0);
}

static void check_rotation(sinew_quat q, float x, float y, float z, float w) {
    const float actual[4] = {q.x, q.y, q.z, q.w}, expected[4] = {x, y, z, w};
    check_floats(actual, 4, expected);
}

enum { SPEED = 0, MOVE = 4, LOOK = 5, HAND = 6 }; // parameters

// The step of a name. Steps of a kind follow each other: one with all keys, then one with the defaults.
static const sinew_rig_step *step_of(const sinew_graph *graph, const char *name, sinew_rig_kind kind) {
    for (int32_t i = 0; i < graph->step_count; i++) {
        if (strcmp(graph->steps[i].name, name) != 0) continue;
        assert_int_equal(graph->steps[i].kind, kind);
        return &graph->steps[i];
    }
    fail_msg("no step %s", name);
    return NULL;
}

static void test_feet(void **state) {
    (void)state;
    sinew_graph *graph = load_file();
    assert_int_equal(graph->foot_count, 2);
    const sinew_rig_foot *left = &graph->feet[0], *right = &graph->feet[1];
    const char *const of_left[6] = {left->thigh, left->shin, left->foot, left->toes, left->down, left->up};
    check_texts(of_left, 6, "Thigh_L Shin_L Foot_L Toes_L Left down Left up");
    assert_null(right->toes);
    const char *const of_right[5] = {right->thigh, right->shin, right->foot, right->down, right->up};
    check_texts(of_right, 5, "role:rightUpperLeg role:rightLowerLeg role:rightFoot Right down Right up");
    sinew_graph_destroy(graph);
}

static void test_steps(void **state) {
    (void)state;
    sinew_graph *graph = load_file();
    static const char *const names[] = {"vault", "rootWarp",   "point",  "aimOffset", "turn",   "orientationWarp",
                                        "step",  "strideWarp", "plant",  "footLock",  "ground", "footPlacement",
                                        "grab",  "limb",       "tail",   "chain",     "lean",   "body",
                                        "watch", "aim",        "recoil", "cloth",     "springs"};
    enum { COUNT = sizeof names / sizeof *names };
    assert_int_equal(graph->step_count, COUNT);
    for (int32_t i = 0; i < COUNT; i++) assert_string_equal(graph->steps[i].name, names[i]);
    const sinew_rig_step *point = step_of(graph, "point", SINEW_RIG_AIM_OFFSET);
    assert_string_equal(point->when, "armed && in_tag('fighting') && curve('Grip') > 0.25");
    check_near(point->weight, 0.75, 0);
    assert_int_equal(point->weight_parameter, SPEED);
    assert_string_equal(point->weight_curve, "Reach");
    check_near(point->damping, 0.5, 0);
    check_near(point->significance, 0.0625, 0);
    assert_int_equal(point->line, 85);
    const sinew_condition *when = &graph->step_conditions[point - graph->steps];
    assert_true(when->node_count > 5 && when->nodes[when->node_count - 1].op == SINEW_CONDITION_AND);
    const sinew_rig_step *plain = step_of(graph, "aimOffset", SINEW_RIG_AIM_OFFSET);
    assert_null(plain->when);
    assert_int_equal(graph->step_conditions[plain - graph->steps].node_count, 0);
    check_near(plain->weight, 1, 0);
    assert_int_equal(plain->weight_parameter, SINEW_GRAPH_NONE);
    assert_null(plain->weight_curve);
    check_near(plain->damping, 0.1f, 0);
    check_near(plain->significance, 0, 0);
    check_near(step_of(graph, "vault", SINEW_RIG_ROOT_WARP)->damping, 0, 0);
    sinew_graph_destroy(graph);
}

static void test_root_warps_and_aim_offsets(void **state) {
    (void)state;
    sinew_graph *graph = load_file();
    const sinew_rig_step *vault = step_of(graph, "vault", SINEW_RIG_ROOT_WARP);
    const sinew_root_warp_def *warp = &vault->root_warp.settings;
    check_text(vault->root_warp.clip, "Vault");
    check_text(vault->root_warp.window, "Over");
    check_goal(&vault->goal, HAND, NULL, 0, 0, -0.5f);
    check_floats((const float[]){warp->start, warp->end, warp->max_speed, warp->added_speed, warp->max_turn_rate},
                 5, (const float[]){0.25f, 0.75f, 3, 0.5f, 4});
    const sinew_rig_step *climb = step_of(graph, "rootWarp", SINEW_RIG_ROOT_WARP);
    const sinew_root_warp_def plain = sinew_root_warp_default();
    check_text(climb->root_warp.clip, "Climb");
    check_text(climb->root_warp.window, NULL);
    check_near(climb->root_warp.settings.end, 1, 0);
    check_near(climb->root_warp.settings.max_speed, plain.max_speed, 0);
    check_near(climb->root_warp.settings.max_turn_rate, plain.max_turn_rate, 0);
    const sinew_rig_step *point = step_of(graph, "point", SINEW_RIG_AIM_OFFSET);
    const sinew_rig_grid *grid = &point->aim_offset;
    assert_int_equal(point->input, MOVE);
    assert_int_equal(grid->yaw_count, 3);
    assert_int_equal(grid->pitch_count, 2);
    check_floats(grid->yaws, 3, (const float[]){-1, 0.25f, 1});
    check_floats(grid->pitches, 2, (const float[]){-0.5f, 0.5f});
    check_texts(grid->clips, 6, "Down_L Down Down_R Up_L Up Up_R");
    check_text(grid->reference, "Straight");
    assert_int_equal(grid->part_count, 2);
    check_text(grid->parts[0].name, "role:spine");
    check_near(grid->parts[0].factor, 0.5, 0);
    assert_int_equal(grid->parts[0].feather, 1);
    check_text(grid->parts[1].name, "Head");
    assert_true(grid->parts[1].alone);
    const sinew_rig_grid *single = &step_of(graph, "aimOffset", SINEW_RIG_AIM_OFFSET)->aim_offset;
    assert_true(single->yaw_count == 1 && single->pitch_count == 1 && !single->yaws && !single->pitches);
    check_texts(single->clips, 1, "Ahead");
    assert_true(!single->reference && single->part_count == 0);
    sinew_graph_destroy(graph);
}

static void test_warps(void **state) {
    (void)state;
    sinew_graph *graph = load_file();
    const sinew_rig_step *turn = step_of(graph, "turn", SINEW_RIG_ORIENTATION_WARP);
    assert_int_equal(turn->input, SPEED);
    check_texts(turn->nodes, turn->node_count, "Hips Spine role:chest");
    check_near(turn->orientation_warp.limit, 1.25, 0);
    check_near(turn->orientation_warp.settle_time, 0.5, 0);
    const sinew_rig_step *plain_turn = step_of(graph, "orientationWarp", SINEW_RIG_ORIENTATION_WARP);
    assert_int_equal(plain_turn->node_count, 0);
    check_near(plain_turn->orientation_warp.limit, sinew_orientation_warp_default().limit, 0);
    check_near(plain_turn->orientation_warp.settle_time, sinew_orientation_warp_default().settle_time, 0);
    const sinew_rig_step *step = step_of(graph, "step", SINEW_RIG_STRIDE_WARP);
    const sinew_stride_warp *stride = &step->stride_warp;
    assert_int_equal(step->input, SPEED);
    check_texts(step->nodes, step->node_count, "Hips");
    check_vec3(stride->direction, 1, 0, 2, 0);
    check_vec3(stride->origin, 0.5, 0, 0.25, 0);
    check_floats((const float[]){stride->min_scale, stride->max_scale, stride->pelvis_time}, 3,
                 (const float[]){0.25f, 2.5f, 0.75f});
    const sinew_stride_warp *plain = &step_of(graph, "strideWarp", SINEW_RIG_STRIDE_WARP)->stride_warp;
    const sinew_stride_warp defaults = sinew_stride_warp_default();
    check_vec3(plain->direction, 0, 0, 0, 0);
    check_floats((const float[]){plain->min_scale, plain->max_scale, plain->pelvis_time}, 3,
                 (const float[]){defaults.min_scale, defaults.max_scale, defaults.pelvis_time});
    sinew_graph_destroy(graph);
}

static void test_foot_steps(void **state) {
    (void)state;
    sinew_graph *graph = load_file();
    static const float expected[9] = {0.75f, 0.25f, 0.375f, 1.5f, 0.875f, 0.5f, 0.125f, 0.0625f, 0.03125f};
    const sinew_foot_lock defaults = sinew_foot_lock_default();
    const sinew_foot_lock *locks[3] = {&step_of(graph, "plant", SINEW_RIG_FOOT_LOCK)->foot_lock,
                                       &step_of(graph, "footLock", SINEW_RIG_FOOT_LOCK)->foot_lock, &defaults};
    float values[3][9];
    for (int i = 0; i < 3; i++) {
        const sinew_foot_lock *l = locks[i];
        const float of_lock[9] = {l->contact_on, l->contact_off, l->distance,     l->turn,  l->stretch,
                                  l->roll,       l->lift_height, l->release_time, l->height};
        memcpy(values[i], of_lock, sizeof of_lock);
    }
    check_floats(values[0], 9, expected);
    check_floats(values[1], 9, values[2]);
    const sinew_rig_step *ground = step_of(graph, "ground", SINEW_RIG_FOOT_PLACEMENT);
    const sinew_foot_placement *p = &ground->foot_placement;
    check_texts(ground->nodes, ground->node_count, "Hips");
    check_floats((const float[]){p->max_stair, p->lift, p->tilt, p->foot_time, p->pelvis_time}, 5,
                 (const float[]){0.25f, 0.5f, 0.75f, 0.125f, 0.375f});
    const sinew_foot_placement plain = sinew_foot_placement_default();
    p = &step_of(graph, "footPlacement", SINEW_RIG_FOOT_PLACEMENT)->foot_placement;
    check_floats((const float[]){p->max_stair, p->lift, p->tilt, p->foot_time, p->pelvis_time}, 5,
                 (const float[]){plain.max_stair, plain.lift, plain.tilt, plain.foot_time, plain.pelvis_time});
    sinew_graph_destroy(graph);
}

static void test_limbs_and_chains(void **state) {
    (void)state;
    sinew_graph *graph = load_file();
    const sinew_rig_step *grab = step_of(graph, "grab", SINEW_RIG_LIMB),
                         *limb = step_of(graph, "limb", SINEW_RIG_LIMB);
    check_texts(grab->nodes, grab->node_count, "Arm_L Forearm_L Hand_L");
    check_goal(&grab->goal, SINEW_GRAPH_NONE, "Grip", 0.5f, 0.25f, -1);
    check_rotation(grab->goal.rotation, 0, 1, 0, 0);
    check_goal(&grab->pole, LOOK, NULL, 0, 0, 0);
    check_near(grab->limb.pole_weight, 0.5, 0);
    check_vec3(grab->limb.bend_axis, 1, 0, 0.5, 0);
    assert_int_equal(grab->limb.end_mode, SINEW_IK_LIMB_END_KEEP);
    check_near(grab->limb.softness, 0.25, 0);
    check_texts(limb->nodes, limb->node_count, "role:rightHand");
    check_goal(&limb->goal, LOOK, NULL, 0, 0, 0);
    check_rotation(limb->goal.rotation, 0, 0, 0, 1);
    check_goal(&limb->pole, SINEW_GRAPH_NONE, NULL, 0, 0, 0);
    check_vec3(limb->limb.bend_axis, 0, 0, 0, 0);
    check_near(limb->limb.pole_weight, 1, 0);
    check_near(limb->limb.softness, 0, 0);
    assert_int_equal(limb->limb.end_mode, SINEW_IK_LIMB_END_FOLLOW);
    const sinew_rig_step *tail = step_of(graph, "tail", SINEW_RIG_CHAIN),
                         *chain = step_of(graph, "chain", SINEW_RIG_CHAIN);
    check_texts(tail->nodes, tail->node_count, "Tail1 Tail9");
    check_goal(&tail->goal, HAND, NULL, 0, 0, 0);
    check_goal(&tail->pole, LOOK, NULL, 0, 0, 0);
    check_near(tail->chain.pole_weight, 0.25, 0);
    check_near(tail->chain.softness, 0.125, 0);
    assert_int_equal(tail->chain.method, SINEW_IK_CHAIN_METHOD_CCD);
    assert_int_equal(tail->chain.restarts, 4);
    check_texts(chain->nodes, chain->node_count, "Tail1 Tail9");
    check_goal(&chain->goal, SINEW_GRAPH_NONE, "Prey", 0, 0, 0);
    check_near(chain->chain.pole_weight, 1, 0);
    check_near(chain->chain.softness, 0, 0);
    assert_int_equal(chain->chain.method, SINEW_IK_CHAIN_METHOD_LEAST_SQUARES);
    assert_int_equal(chain->chain.restarts, 0);
    sinew_graph_destroy(graph);
}

static void test_bodies_and_aims(void **state) {
    (void)state;
    sinew_graph *graph = load_file();
    const sinew_rig_step *lean = step_of(graph, "lean", SINEW_RIG_BODY),
                         *body = step_of(graph, "body", SINEW_RIG_BODY);
    check_texts(lean->nodes, lean->node_count, "Hips");
    check_near(lean->body.settings.root_stiffness, 0.75, 0);
    check_near(lean->body.settings.rest_bias, 0.25, 0);
    assert_int_equal(lean->body.effector_count, 2);
    const sinew_rig_effector *foot = &lean->body.effectors[0], *hand = &lean->body.effectors[1];
    check_text(foot->node, "role:leftFoot");
    assert_true(foot->pin && !foot->rotate && foot->pull == 1);
    check_goal(&foot->goal, SINEW_GRAPH_NONE, NULL, 0, 0, 0);
    check_text(hand->node, "Hand_R");
    assert_true(!hand->pin && hand->rotate && hand->pull == 0.5f);
    check_goal(&hand->goal, HAND, NULL, 0, 1, 0);
    check_rotation(hand->goal.rotation, 0, 0, 0, 1);
    assert_int_equal(body->node_count, 0);
    assert_int_equal(body->body.effector_count, 1);
    check_text(body->body.effectors[0].node, "Head");
    check_goal(&body->body.effectors[0].goal, LOOK, NULL, 0, 0, 0);
    check_near(body->body.settings.root_stiffness, sinew_ik_body_default().root_stiffness, 0);
    check_near(body->body.settings.rest_bias, sinew_ik_body_default().rest_bias, 0);
    const sinew_rig_step *watch = step_of(graph, "watch", SINEW_RIG_AIM),
                         *aim = step_of(graph, "aim", SINEW_RIG_AIM);
    const sinew_ik_aim *a = &watch->aim;
    check_texts(watch->nodes, watch->node_count, "Neck Head");
    check_goal(&watch->goal, LOOK, NULL, 0, 0, 0);
    check_vec3(a->forward, 0, 0, 2, 0);
    check_vec3(a->origin, 0, 0.125, 0, 0);
    check_floats((const float[]){a->limit, a->pitch_up, a->pitch_down, a->softness, a->settle_time}, 5,
                 (const float[]){1.5f, 0.5f, 0.75f, 0.25f, 0.375f});
    a = &aim->aim;
    check_texts(aim->nodes, aim->node_count, "Eye");
    check_goal(&aim->goal, LOOK, NULL, 0, 0, 0);
    check_vec3(a->forward, 0, 0, 0, 0);
    check_vec3(a->origin, 0, 0, 0, 0);
    check_floats((const float[]){a->limit, a->pitch_up, a->pitch_down, a->softness, a->settle_time}, 5,
                 (const float[]){(float)PI, (float)PI, (float)PI, 0, 0.15f});
    sinew_graph_destroy(graph);
}

static void check_joint(const sinew_spring_joint *joint, const float expected[9]) {
    const sinew_vec3 g = joint->gravity;
    check_floats((const float[]){joint->stiffness, joint->damping, joint->drag, g.x, g.y, g.z, joint->wind,
                                 joint->limit, joint->radius},
                 9, expected);
}

static void check_colliders(const sinew_rig_springs *springs) {
    assert_int_equal(springs->collider_count, 3);
    const sinew_rig_collider *chest = &springs->colliders[0], *leg = &springs->colliders[1], *plane = leg + 1;
    check_text(chest->node, "Chest");
    assert_int_equal(chest->settings.shape, SINEW_SPRING_SHAPE_SPHERE);
    assert_true(chest->settings.inside);
    check_vec3(chest->settings.offset, 0, 0.25, -0.5, 0);
    check_near(chest->settings.radius, 0.125, 0);
    check_text(leg->node, "UpperLeg_L");
    assert_int_equal(leg->settings.shape, SINEW_SPRING_SHAPE_CAPSULE);
    check_vec3(leg->settings.tail, 0, -0.5, 0, 0);
    check_text(plane->node, NULL);
    assert_int_equal(plane->settings.shape, SINEW_SPRING_SHAPE_PLANE);
    check_vec3(plane->settings.normal, 0, 2, 1, 0);
}

static void test_springs_and_callbacks(void **state) {
    (void)state;
    sinew_graph *graph = load_file();
    const sinew_rig_step *cloth = step_of(graph, "cloth", SINEW_RIG_SPRINGS);
    assert_int_equal(cloth->springs.chain_count, 2);
    const sinew_rig_spring *cape = &cloth->springs.chains[0], *hair = &cloth->springs.chains[1];
    check_text(cape->root, "Cape1");
    check_text(cape->tip, "Cape4");
    check_vec3(cape->tail, 0, -0.25, 0, 0);
    check_joint(&cape->joint, (const float[]){12, 0.25f, 0.75f, 0, -5, 1, 0.5f, 1.25f, 0.0625f});
    check_text(cape->center, "Hips");
    assert_true(cape->from_rest);
    assert_int_equal(cape->collider_count, 2);
    assert_int_equal(cape->colliders[0], 2);
    assert_int_equal(cape->colliders[1], 0);
    check_text(hair->root, "Hair");
    check_text(hair->tip, NULL);
    check_text(hair->center, NULL);
    assert_false(hair->from_rest);
    assert_int_equal(hair->collider_count, 0);
    check_vec3(hair->tail, 0, 0, 0, 0);
    check_joint(&hair->joint, (const float[]){20, 0.15f, 0.5f, 0, -9.81f, 0, 1, (float)PI, 0});
    assert_int_equal(step_of(graph, "springs", SINEW_RIG_SPRINGS)->springs.chain_count, 0);
    check_colliders(&cloth->springs);
    assert_int_equal(step_of(graph, "recoil", SINEW_RIG_CALLBACK)->node_count, 0);
    sinew_graph_destroy(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_feet),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_root_warps_and_aim_offsets),
        cmocka_unit_test(test_warps),
        cmocka_unit_test(test_foot_steps),
        cmocka_unit_test(test_limbs_and_chains),
        cmocka_unit_test(test_bodies_and_aims),
        cmocka_unit_test(test_springs_and_callbacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
