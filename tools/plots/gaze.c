// SPDX-License-Identifier: MIT
// gaze.c - the head while a target circles the character.
#include "plots/gaze.h"

#include "plots/plots.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

// ---- Solving -------------------------------------------------------------------------------------------------

gaze gaze_make(const sinew_skeleton *skeleton) {
    static const char *const names[GAZE_NODES] = {"UpperChest", "Neck", "Head"};
    static const float weights[GAZE_NODES] = {0.2f, 0.3f, 1.0f}, limits[GAZE_NODES] = {0.6f, 0.8f, 1.0f};
    gaze g = {0};
    int32_t head = hero_node(skeleton, "Head");
    for (int i = 0; i < GAZE_NODES; i++) {
        sinew_ik_aim *aim = &g.aims[i];
        *aim = sinew_ik_aim_from_rest(skeleton, hero_node(skeleton, names[i]), head, (sinew_vec3){0, 0, 1});
        aim->weight = weights[i];
        aim->limit = limits[i];
        aim->pitch_up = 0.6f;
        aim->pitch_down = 0.5f;
        aim->softness = 0.3f;
    }
    return g;
}

void gaze_solve(gaze *g, sinew_vec3 target, sinew_pose *pose, sinew_affine *model) {
    for (int i = 0; i < GAZE_NODES; i++) {
        g->aims[i].target = target;
        sinew_ik_aim_solve(&g->aims[i], pose, model);
        sinew_pose_to_model_below(pose, g->aims[i].node, model);
    }
}

void gaze_follow(gaze *g, sinew_vec3 target, float dt, sinew_pose *pose, sinew_affine *model) {
    for (int i = 0; i < GAZE_NODES; i++) {
        g->aims[i].target = target;
        sinew_ik_aim_follow(&g->aims[i], dt, &g->states[i], pose, model);
        sinew_pose_to_model_below(pose, g->aims[i].node, model);
    }
}

sinew_vec3 gaze_target(double degrees, double height) {
    double a = degrees * PI / 180.0;
    return (sinew_vec3){(float)(2.0 * sin(a)), (float)height, (float)(2.0 * cos(a))};
}

// ---- Measuring -----------------------------------------------------------------------------------------------

enum { NODES_MAX = 128, HEIGHTS = 3 };

static const double heights[HEIGHTS] = {0.0, 1.5, 4.0};
static const char *const height_names[HEIGHTS] = {"0 m", "1.5 m", "4 m"}, *const colors[HEIGHTS] = {"l0", "l2",
                                                                                                    "l5"};

// The hero in its walk, with the clip's head pose.
typedef struct gaze_scene {
    const stage *stage;
    gaze gaze;
    sinew_pose *pose;
    sinew_affine model[NODES_MAX];
    int32_t head;
    sinew_vec3 clip_up;
} gaze_scene;

static void show_clip(gaze_scene *s) {
    sinew_clip_sample(s->stage->walk, 0.2f, s->pose);
    sinew_pose_to_model(s->pose, s->model);
}

static sinew_vec3 head_axis(const gaze_scene *s, sinew_vec3 axis) {
    return sinew_affine_direction(s->model[s->head], axis);
}

static void scene_begin(gaze_scene *s, const stage *made) {
    const sinew_skeleton *skeleton = made->hero->skeleton;
    if (skeleton->node_count > NODES_MAX) die("the hero has too many nodes");
    *s = (gaze_scene){.stage = made, .gaze = gaze_make(skeleton), .head = hero_node(skeleton, "Head")};
    if (sinew_pose_create(skeleton, NULL, &s->pose) != SINEW_OK) die("out of memory");
    show_clip(s);
    s->clip_up = head_axis(s, (sinew_vec3){0, 1, 0});
}

static double degrees_between(sinew_vec3 a, sinew_vec3 b) {
    double x = (double)a.x, y = (double)a.y, z = (double)a.z, u = (double)b.x, v = (double)b.y, w = (double)b.z;
    double across = hypot(hypot(y * w - z * v, z * u - x * w), x * v - y * u);
    return atan2(across, x * u + y * v + z * w) * 180.0 / PI;
}

static double head_yaw(const gaze_scene *s) {
    sinew_vec3 forward = head_axis(s, (sinew_vec3){0, 0, 1});
    return atan2((double)forward.x, (double)forward.z) * 180.0 / PI;
}

static double head_pitch(const gaze_scene *s) {
    sinew_vec3 forward = head_axis(s, (sinew_vec3){0, 0, 1});
    return atan2((double)forward.y, hypot((double)forward.x, (double)forward.z)) * 180.0 / PI;
}

// Returns the largest angle between the axes of two frames of the head. It's at least 0.8 times the turn's angle.
static double degrees_turned(const sinew_affine *a, const sinew_affine *b) {
    const sinew_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    double across = degrees_between(sinew_affine_direction(*a, x), sinew_affine_direction(*b, x));
    double up = degrees_between(sinew_affine_direction(*a, y), sinew_affine_direction(*b, y));
    double forward = degrees_between(sinew_affine_direction(*a, z), sinew_affine_direction(*b, z));
    return fmax(across, fmax(up, forward));
}

// ---- The plot ------------------------------------------------------------------------------------------------

enum { YAW, PITCH, UP, CURVES };

static double measured(const gaze_scene *s, int curve) {
    if (curve == YAW) return head_yaw(s);
    if (curve == PITCH) return head_pitch(s);
    return degrees_between(s->clip_up, head_axis(s, (sinew_vec3){0, 1, 0}));
}

static void add_circle(gaze_scene *s, series *line, double height, int curve) {
    *line = (series){.count = 0};
    for (int degrees = 0; degrees <= 360; degrees += 2) {
        show_clip(s);
        gaze_solve(&s->gaze, gaze_target(degrees, height), s->pose, s->model);
        series_add(line, degrees, measured(s, curve));
    }
}

// Adds degrees of the head per degree of the target.
static void add_speeds(gaze_scene *s, series *line, double height) {
    *line = (series){.count = 0};
    sinew_affine before = {0};
    sinew_vec3 target_before = {0};
    for (int i = 0; i <= 360; i++) {
        show_clip(s);
        sinew_vec3 head = {s->model[s->head].m[0][3], s->model[s->head].m[1][3], s->model[s->head].m[2][3]};
        sinew_vec3 target = gaze_target(i, height);
        gaze_solve(&s->gaze, target, s->pose, s->model);
        target = (sinew_vec3){target.x - head.x, target.y - head.y, target.z - head.z};
        if (i > 0)
            series_add(line, i,
                       degrees_turned(&before, &s->model[s->head]) / degrees_between(target_before, target));
        before = s->model[s->head], target_before = target;
    }
}

// Follows two circles in 6 s, at once or smoothed. Plots the yaw, or the head's speed in degrees per second.
static void add_times(gaze_scene *s, series *line, bool follows, bool speeds) {
    const double rate = 30.0;
    *line = (series){.count = 0};
    memset(s->gaze.states, 0, sizeof s->gaze.states);
    sinew_affine before = {0};
    for (int i = 0; i <= 180; i++) {
        show_clip(s);
        sinew_vec3 target = gaze_target(4.0 * i, 1.5);
        if (follows) gaze_follow(&s->gaze, target, (float)(1.0 / rate), s->pose, s->model);
        if (!follows) gaze_solve(&s->gaze, target, s->pose, s->model);
        if (!speeds) series_add(line, i / rate, head_yaw(s));
        if (speeds && i > 0) series_add(line, i / rate, rate * degrees_turned(&before, &s->model[s->head]));
        before = s->model[s->head];
    }
}

static void draw_times(figure *f, gaze_scene *s, bool speeds, chart_axis y) {
    static series line;
    chart c = chart_begin(f, (chart_axis){"seconds, two circles", 0.0, 6.0, 1.0}, y);
    add_times(s, &line, false, speeds);
    chart_line(&c, "l5", &line, speeds ? NULL : "at once");
    add_times(s, &line, true, speeds);
    chart_line(&c, "l2", &line, speeds ? NULL : "follows");
}

static chart begin_panel(figure *f, const char *label, double from, double to, double step) {
    return chart_begin(f, (chart_axis){"target, degrees", 0.0, 360.0, 90.0}, (chart_axis){label, from, to, step});
}

void plot_gaze(FILE *to, const stage *s) {
    static const char *const labels[CURVES] = {"yaw, degrees", "pitch, degrees", "up against the clip's, degrees"};
    static const double least[CURVES] = {-120.0, -60.0, 0.0}, most[CURVES] = {120.0, 60.0, 60.0};
    static series line;
    gaze_scene at;
    scene_begin(&at, s);
    figure f;
    figure_begin(&f, to, "The head while a target circles the hero at 2 m, at three heights",
                 (figure_layout){3, 2, 150.0, false});
    for (int curve = 0; curve < CURVES; curve++) {
        chart c = begin_panel(&f, labels[curve], least[curve], most[curve], 30.0);
        for (int i = 0; i < HEIGHTS; i++) {
            add_circle(&at, &line, heights[i], curve);
            chart_line(&c, colors[i], &line, curve == YAW ? height_names[i] : NULL);
        }
    }
    chart c = begin_panel(&f, "degrees per degree of the target", 0.0, 4.0, 1.0);
    for (int i = 0; i < HEIGHTS; i++) {
        add_speeds(&at, &line, heights[i]);
        chart_line(&c, colors[i], &line, NULL);
    }
    draw_times(&f, &at, false, (chart_axis){"yaw, degrees", -120.0, 120.0, 30.0});
    draw_times(&f, &at, true, (chart_axis){"degrees per second", 0.0, 300.0, 60.0});
    figure_end(&f);
    sinew_pose_destroy(at.pose);
}
