// SPDX-License-Identifier: MIT
// body_picture.c - the hero in a scene. Its instance's solver moves its whole body to targets.
#include "plots/body_picture.h"

#include "plots/sheet.h"
#include "plots/stage.h"

#include "render/paint.h"

enum { WIDTH = 200, HEIGHT = 250 };

// ---- Targets -------------------------------------------------------------------------------------------------

enum { HAND_L, HAND_R, FOOT_L, FOOT_R, HEAD, HIPS, EFFECTORS };

static const char *const node_names[EFFECTORS] = {"Hand_L", "Hand_R", "Foot_L", "Foot_R", "Head", "Hips"};

// What an effector does in a pane.
typedef enum goal_kind {
    UNUSED, // no effector
    PINNED, // keeps its position
    MOVED,  // by `by`, from its position in the clip
    PLACED  // at the position `by`
} goal_kind;

typedef struct goal {
    goal_kind kind;
    sinew_vec3 by;
} goal;

typedef struct pane_goals {
    const char *label;
    goal goals[EFFECTORS];
} pane_goals;

// The feet are pinned except in the last two panes.
static const pane_goals panes[SHEET_PANES] = {
    {"clip", {{UNUSED, {0, 0, 0}}}},
    {"hands to the ground",
     {{PLACED, {0.15f, 0.12f, 0.35f}}, {PLACED, {-0.15f, 0.12f, 0.35f}}, {PINNED, {0, 0, 0}}, {PINNED, {0, 0, 0}}}},
    {"over the head",
     {{PLACED, {0.2f, 1.95f, 0.1f}}, {PLACED, {-0.2f, 1.95f, 0.1f}}, {PINNED, {0, 0, 0}}, {PINNED, {0, 0, 0}}}},
    {"crouch",
     {{MOVED, {0, -0.35f, 0.1f}},
      {MOVED, {0, -0.35f, 0.1f}},
      {PINNED, {0, 0, 0}},
      {PINNED, {0, 0, 0}},
      {UNUSED, {0, 0, 0}},
      {MOVED, {0, -0.4f, -0.05f}}}},
    {"reach aside", {{PLACED, {0.95f, 1.2f, 0.3f}}, {UNUSED, {0, 0, 0}}, {PINNED, {0, 0, 0}}, {PINNED, {0, 0, 0}}}},
    {"lean back",
     {{UNUSED, {0, 0, 0}},
      {UNUSED, {0, 0, 0}},
      {PINNED, {0, 0, 0}},
      {PINNED, {0, 0, 0}},
      {MOVED, {0, -0.08f, -0.3f}}}},
    {"one foot up",
     {{MOVED, {0.1f, 0.1f, 0.1f}}, {MOVED, {-0.1f, 0.1f, 0.1f}}, {MOVED, {0, 0.45f, 0.3f}}, {PINNED, {0, 0, 0}}}},
    {"stride",
     {{UNUSED, {0, 0, 0}},
      {UNUSED, {0, 0, 0}},
      {MOVED, {0.02f, 0, 0.4f}},
      {MOVED, {-0.02f, 0.05f, -0.4f}},
      {UNUSED, {0, 0, 0}}}},
};

// ---- The hero ------------------------------------------------------------------------------------------------

typedef struct mover {
    const pane_goals *pane;
    int32_t nodes[EFFECTORS];
    sinew_ik_limit limits[4]; // knees and elbows
} mover;

// Returns a hinge around the axis that the limb bends around in the rest pose, from straight to folded.
static sinew_ik_limit find_hinge(const sinew_skeleton *skeleton, const char *upper, const char *lower,
                                 const char *end) {
    int32_t node = hero_node(skeleton, lower);
    sinew_ik_two_bone limb =
        sinew_ik_two_bone_from_rest(skeleton, hero_node(skeleton, upper), node, hero_node(skeleton, end));
    sinew_ik_limit limit = sinew_ik_limit_from_rest(skeleton, node, SINEW_NO_NODE);
    limit.kind = SINEW_IK_LIMIT_HINGE;
    limit.axis = limb.bend_axis;
    limit.angle_min = -0.2f; // the rest pose is slightly bent
    limit.angle_max = 2.4f;
    return limit;
}

static bool move_body(sinew_scene *scene, sinew_scene_node instance, sinew_pose *pose, sinew_affine *model,
                      float dt, void *user) {
    (void)scene, (void)instance, (void)dt;
    const mover *m = user;
    sinew_ik_effector effectors[EFFECTORS];
    sinew_ik solver = {.kind = SINEW_IK_BODY};
    solver.body = sinew_ik_body_default();
    solver.body.root = m->nodes[HIPS];
    solver.body.effectors = effectors;
    solver.body.limits = m->limits;
    solver.body.limit_count = 4;
    for (int i = 0; i < EFFECTORS; i++) {
        const goal *wanted = &m->pane->goals[i];
        if (wanted->kind == UNUSED) continue;
        sinew_ik_effector *effector = &effectors[solver.body.effector_count++];
        const sinew_affine *node = &model[m->nodes[i]];
        *effector = sinew_ik_effector_default();
        effector->node = m->nodes[i];
        effector->pin = wanted->kind == PINNED;
        effector->target = wanted->by;
        if (wanted->kind == MOVED)
            effector->target =
                sinew_vec3_add(wanted->by, (sinew_vec3){node->m[0][3], node->m[1][3], node->m[2][3]});
    }
    sinew_ik_solve(&solver, 1, pose, model);
    return true;
}

static mover make_mover(const sinew_skeleton *skeleton) {
    mover m = {.pane = panes};
    for (int i = 0; i < EFFECTORS; i++) m.nodes[i] = hero_node(skeleton, node_names[i]);
    m.limits[0] = find_hinge(skeleton, "UpperLeg_L", "LowerLeg_L", "Foot_L");
    m.limits[1] = find_hinge(skeleton, "UpperLeg_R", "LowerLeg_R", "Foot_R");
    m.limits[2] = find_hinge(skeleton, "UpperArm_L", "LowerArm_L", "Hand_L");
    m.limits[3] = find_hinge(skeleton, "UpperArm_R", "LowerArm_R", "Hand_R");
    return m;
}

// ---- Drawing -------------------------------------------------------------------------------------------------

static void draw_dot(draw_picture *pane, const draw_camera *camera, sinew_vec3 point, uint32_t color) {
    float x, y;
    if (!draw_camera_project(camera, point, &x, &y)) return;
    const draw_end dot = {x * WIDTH, y * HEIGHT, 4.0f};
    draw_paint_stroke(pane, dot, dot, color, 1.0f);
}

draw_picture body_picture(const sinew_asset *hero) {
    // From the front and the hero's left.
    const sinew_vec3 eye = {2.9f, 1.6f, 3.8f}, target = {0.1f, 1.0f, 0.0f};
    const draw_view view = {.camera = draw_camera_look(eye, target, (float)WIDTH / (float)HEIGHT, 0.5f, 10.0f),
                            .least = {-1.0f, 0.0f, -1.0f},
                            .most = {1.0f, 2.1f, 1.0f},
                            .radius = 1.2f,
                            .show_ground = true};
    mover m = make_mover(hero->skeleton);
    sheet s;
    sheet_begin(&s, &(sheet_def){hero, "make-body", WIDTH, HEIGHT, move_body, &m});
    for (int i = 0; i < SHEET_PANES; i++) {
        m.pane = &panes[i];
        sheet_draw(&s, &view);
        for (int k = 0; k < EFFECTORS; k++) {
            const goal *wanted = &panes[i].goals[k];
            if (wanted->kind == PLACED) draw_dot(&s.pane, &view.camera, wanted->by, 0xd1495b);
        }
        sheet_add(&s, i, panes[i].label);
    }
    return sheet_end(&s);
}
