// SPDX-License-Identifier: MIT
// limbs.c - inverse kinematics: how a limb straightens, and legs on a slope.
#include "plots/plots.h"

#include <math.h>

#define PI 3.14159265358979323846

// ---- A limb that becomes straight ----------------------------------------------------------------------------

static sinew_skeleton *make_limb(void) {
    sinew_node_def nodes[3];
    for (int i = 0; i < 3; i++) {
        nodes[i] = (sinew_node_def){.name = "", .parent = i - 1, .rest = sinew_transform_identity()};
        if (i > 0) nodes[i].rest.translation.y = 0.5f;
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = 3;
    def.nodes = nodes;
    sinew_skeleton *skeleton;
    sinew_error error;
    if (sinew_skeleton_create(&def, &skeleton, &error) != SINEW_OK) die(error.message);
    return skeleton;
}

// Plots how far the middle joint bends, in degrees, over the target's distance.
static series bend_of(const sinew_skeleton *skeleton, double softness) {
    series out = {.count = 0};
    sinew_pose *pose;
    if (sinew_pose_create(skeleton, NULL, &pose) != SINEW_OK) die("out of memory");
    for (int i = 0; i <= 300; i++) {
        double distance = 0.8 + 0.001 * i;
        sinew_affine model[3];
        sinew_pose_reset(pose);
        sinew_transform bent = sinew_pose_get(pose, 1);
        bent.rotation = sinew_quat_from_axis_angle((sinew_vec3){1, 0, 0}, 1.5f);
        sinew_pose_set(pose, 1, bent);
        sinew_pose_to_model(pose, model);
        sinew_ik_two_bone limb = sinew_ik_two_bone_from_rest(skeleton, 0, 1, 2);
        limb.bend_axis = (sinew_vec3){1, 0, 0};
        limb.target = (sinew_vec3){0, (float)distance, 0};
        limb.softness = (float)softness;
        sinew_ik_two_bone_solve(&limb, pose, model);
        sinew_quat middle = sinew_pose_get(pose, 1).rotation;
        series_add(&out, distance, 2.0 * atan2(fabs((double)middle.x), fabs((double)middle.w)) * 180.0 / PI);
    }
    sinew_pose_destroy(pose);
    return out;
}

// ---- Legs ----------------------------------------------------------------------------------------------------

static const double steepness = 0.35;

static bool slope(sinew_vec3 position, sinew_foot_ground *ground, void *user) {
    (void)user;
    double length = sqrt(1.0 + steepness * steepness);
    ground->height = (float)steepness * position.z;
    ground->normal = (sinew_vec3){0, (float)(1.0 / length), (float)(-steepness / length)};
    return true;
}

enum { THIGH, SHIN, FOOT, TOES, LEG_NODES };

static void find_leg(const stage *s, bool right, int32_t nodes[LEG_NODES]) {
    static const char *const names[2][LEG_NODES] = {{"UpperLeg_L", "LowerLeg_L", "Foot_L", "Toes_L"},
                                                    {"UpperLeg_R", "LowerLeg_R", "Foot_R", "Toes_R"}};
    for (int i = 0; i < LEG_NODES; i++) nodes[i] = hero_node(s->hero->skeleton, names[right][i]);
}

// Adds a leg seen from the left, with the hero facing right: from the hips down, and along the sole back to the heel.
static void add_leg(series *out, const sinew_affine *model, const int32_t nodes[LEG_NODES],
                    const sinew_foot *foot) {
    if (out->count > 0) series_add(out, 0.0, (double)NAN);
    for (int i = 0; i < LEG_NODES; i++) {
        series_add(out, (double)model[nodes[i]].m[2][3], (double)model[nodes[i]].m[1][3]);
    }
    for (int i = foot->point_count - 1; i >= 0; i--) {
        sinew_vec3 at = sinew_affine_point(model[foot->points[i].node], foot->points[i].point);
        series_add(out, (double)at.z, (double)at.y);
    }
    series_add(out, (double)model[nodes[FOOT]].m[2][3], (double)model[nodes[FOOT]].m[1][3]);
}

static series legs_of(const stage *s, bool placed) {
    sinew_pose *pose;
    sinew_affine model[128];
    if (s->hero->skeleton->node_count > 128) die("the hero has too many nodes");
    if (sinew_pose_create(s->hero->skeleton, NULL, &pose) != SINEW_OK) die("out of memory");
    int32_t nodes[2][LEG_NODES];
    sinew_foot feet[2];
    sinew_foot_placement placement = sinew_foot_placement_default();
    for (int i = 0; i < 2; i++) {
        find_leg(s, i == 1, nodes[i]);
        feet[i] = sinew_foot_from_rest(s->hero->skeleton, nodes[i][THIGH], nodes[i][SHIN], nodes[i][FOOT],
                                       nodes[i][TOES], placement.up);
    }
    placement.pelvis = hero_node(s->hero->skeleton, "Hips");
    placement.feet = feet;
    placement.foot_count = 2;
    placement.ground = slope;
    sinew_foot_placement_state state = {0};
    sinew_clip_sample(s->walk, 0.0f, pose);
    sinew_pose_to_model(pose, model);
    if (placed) sinew_foot_placement_solve(&placement, 0.0f, &state, pose, model);
    series out = {.count = 0};
    for (int i = 0; i < 2; i++) add_leg(&out, model, nodes[i], &feet[i]);
    sinew_pose_destroy(pose);
    return out;
}

// ---- The plot ------------------------------------------------------------------------------------------------

void plot_limbs(FILE *to, const stage *s) {
    sinew_skeleton *limb = make_limb();
    const series hard = bend_of(limb, 0.0), soft = bend_of(limb, 0.1);
    sinew_skeleton_destroy(limb);
    const series shown = legs_of(s, false), placed = legs_of(s, true);
    series ground = {.count = 0};
    series_add(&ground, -0.55, -0.55 * steepness);
    series_add(&ground, 0.55, 0.55 * steepness);

    figure f;
    figure_begin(&f, to, "A limb of 1 m that becomes straight, and a step on a slope",
                 (figure_layout){1, 2, 273.0, false});
    chart c = chart_begin(&f, (chart_axis){"distance of the target, m", 0.8, 1.1, 0.1},
                          (chart_axis){"bend, degrees", 0.0, 80.0, 20.0});
    chart_line(&c, "l5", &hard, "softness 0");
    chart_line(&c, "l2", &soft, "0.1");
    c = chart_begin(&f, (chart_axis){"meters ahead", -0.6, 0.6, 0.2}, (chart_axis){"meters up", -0.2, 1.0, 0.2});
    chart_line(&c, "l0", &ground, NULL);
    chart_line(&c, "l5", &shown, "clip");
    chart_line(&c, "l2", &placed, "feet placed");
    figure_end(&f);
}
