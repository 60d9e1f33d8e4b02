// SPDX-License-Identifier: MIT
// body_picture.c - the hero in a scene, its whole body moved to targets by a solver of its instance.
#include "plots/body_picture.h"

#include "plots/die.h"

#include "render/egl_context.h"
#include "render/paint.h"
#include "render/renderer.h"
#include "render/target.h"
#include "render/text.h"

#include <stdio.h>

enum { PANES = 8, COLUMNS = 4, WIDTH = 200, HEIGHT = 250, GAP = 4 };

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

// The feet are pinned, but for the last two panes.
static const pane_goals panes[PANES] = {
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
    sinew_ik_joint joints[4]; // knees and elbows
    sinew_scene *scene;
    sinew_scene_node node;
} mover;

static int32_t need_node(const sinew_skeleton *skeleton, const char *name) {
    int32_t node = sinew_skeleton_find(skeleton, name);
    if (node == SINEW_NO_NODE) die("the hero lacks a node");
    return node;
}

// A hinge about the axis about which the limb bends in the rest pose, from straight to folded.
static sinew_ik_joint find_hinge(const sinew_skeleton *skeleton, const char *upper, const char *lower,
                                 const char *end) {
    int32_t node = need_node(skeleton, lower);
    sinew_ik_two_bone limb =
        sinew_ik_two_bone_from_rest(skeleton, need_node(skeleton, upper), node, need_node(skeleton, end));
    sinew_ik_joint joint = sinew_ik_joint_from_rest(skeleton, node, SINEW_NO_NODE);
    joint.kind = SINEW_IK_JOINT_HINGE;
    joint.axis = limb.bend_axis;
    joint.angle_min = -0.2f; // the rest pose is a little bent
    joint.angle_max = 2.4f;
    return joint;
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
    solver.body.joints = m->joints;
    solver.body.joint_count = 4;
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

// Poses the hero by its idle clip.
static void mover_begin(mover *m, const sinew_asset *hero) {
    const sinew_clip *clip = sinew_asset_find_clip(hero, "Idle");
    if (!clip) die("the hero lacks a clip");
    *m = (mover){.pane = panes};
    for (int i = 0; i < EFFECTORS; i++) m->nodes[i] = need_node(hero->skeleton, node_names[i]);
    m->joints[0] = find_hinge(hero->skeleton, "UpperLeg_L", "LowerLeg_L", "Foot_L");
    m->joints[1] = find_hinge(hero->skeleton, "UpperLeg_R", "LowerLeg_R", "Foot_R");
    m->joints[2] = find_hinge(hero->skeleton, "UpperArm_L", "LowerArm_L", "Hand_L");
    m->joints[3] = find_hinge(hero->skeleton, "UpperArm_R", "LowerArm_R", "Hand_R");
    const sinew_scene_def def = sinew_scene_default();
    if (sinew_scene_create(&def, &m->scene, NULL) != SINEW_OK) die("out of memory");
    sinew_instance_def placed = sinew_instance_default();
    placed.asset = hero;
    placed.node.user = m;
    placed.edit = move_body;
    if (sinew_scene_add_instance(m->scene, &placed, &m->node, NULL) != SINEW_OK) die("out of memory");
    sinew_mixer_play(sinew_scene_mixer(m->scene, m->node), sinew_clip_source(clip), NULL);
}

// ---- Drawing -------------------------------------------------------------------------------------------------

typedef struct body_artist {
    draw_egl egl;
    sinew_gl *gl;
    draw_target target;
    draw_renderer renderer;
    draw_model model;
} body_artist;

static void artist_begin(body_artist *a, const sinew_asset *hero) {
    sinew_error error;
    sinew_gl_def def = sinew_gl_default();
    def.get_proc_address = draw_egl_proc;
    bool good = draw_egl_open(&a->egl, DRAW_EGL_DESKTOP, &error) &&
                sinew_gl_create(&def, &a->gl, &error) == SINEW_OK &&
                draw_target_create(&a->target, WIDTH, HEIGHT, &error) &&
                draw_renderer_create(&a->renderer, a->gl, 0, &error) &&
                draw_model_create(&a->model, a->gl, hero, "make-body", &error);
    if (!good) die(error.message);
    a->model.is_seen = true;
}

static void artist_end(body_artist *a) {
    draw_model_free(&a->model);
    draw_renderer_free(&a->renderer);
    draw_target_free(&a->target);
    sinew_gl_destroy(a->gl);
    draw_egl_close(&a->egl);
}

// A dot where a target is.
static void draw_dot(draw_picture *pane, const draw_camera *camera, sinew_vec3 point, uint32_t color) {
    float x, y;
    if (!draw_camera_project(camera, point, &x, &y)) return;
    const draw_end dot = {x * WIDTH, y * HEIGHT, 4.0f};
    draw_paint_stroke(pane, dot, dot, color, 1.0f);
}

// From the front, from the left of the hero.
static void draw_pane(body_artist *a, const mover *m, draw_picture *pane) {
    const sinew_vec3 eye = {2.9f, 1.6f, 3.8f}, target = {0.1f, 1.0f, 0.0f};
    const draw_look background = draw_look_default();
    const draw_view view = {.camera = draw_camera_look(eye, target, (float)WIDTH / (float)HEIGHT, 0.5f, 10.0f),
                            .least = {-1.0f, 0.0f, -1.0f},
                            .most = {1.0f, 2.1f, 1.0f},
                            .radius = 1.2f,
                            .show_ground = true};
    draw_model_pose(&a->model, m->scene, m->node);
    sinew_error error;
    if (!draw_renderer_draw_view(&a->renderer, a->target.framebuffer, WIDTH, HEIGHT, &background, &view, &a->model,
                                 1, &error)) {
        die(error.message);
    }
    draw_target_read(&a->target, pane);
    for (int i = 0; i < EFFECTORS; i++) {
        if (m->pane->goals[i].kind == PLACED) draw_dot(pane, &view.camera, m->pane->goals[i].by, 0xd1495b);
    }
}

static void draw_label(draw_picture *pane, const char *label) {
    draw_font font;
    if (!draw_font_create(&font, 15)) die("out of memory");
    draw_text_paint(&font, pane, 10, 22, 0x33383f, label);
    draw_font_free(&font);
}

static draw_picture make_picture(int width, int height) {
    draw_picture picture;
    if (!draw_picture_create(&picture, width, height)) die("out of memory");
    return picture;
}

draw_picture body_picture(const sinew_asset *hero) {
    static const uint8_t white[4] = {255, 255, 255, 255};
    const int width = COLUMNS * (WIDTH + GAP) - GAP, height = PANES / COLUMNS * (HEIGHT + GAP) - GAP;
    mover m;
    mover_begin(&m, hero);
    body_artist a;
    artist_begin(&a, hero);
    draw_picture picture = make_picture(width, height), pane = make_picture(WIDTH, HEIGHT);
    draw_paint_fill(&picture, 0, 0, width, height, white);
    for (int i = 0; i < PANES; i++) {
        m.pane = &panes[i];
        sinew_scene_update(m.scene, 0.0f);
        draw_pane(&a, &m, &pane);
        draw_label(&pane, m.pane->label);
        draw_picture_paste(&picture, &pane, i % COLUMNS * (WIDTH + GAP), i / COLUMNS * (HEIGHT + GAP));
    }
    draw_picture_free(&pane);
    artist_end(&a);
    sinew_scene_destroy(m.scene);
    return picture;
}
