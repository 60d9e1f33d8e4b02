// SPDX-License-Identifier: MIT
// tails.c - chains: a tail whose tip follows a target with each method, and how fast its joints move.
#include "plots/plots.h"

#include <math.h>

#define PI 3.14159265358979323846

enum { JOINTS = 12, NODES = JOINTS + 1, TIMES = 600 };

// ---- The tail ------------------------------------------------------------------------------------------------

// 1 m long and bent in the drawing's plane. Each joint has a limit of 35 degrees.
typedef struct tail {
    sinew_skeleton *skeleton;
    sinew_pose *pose;
    sinew_affine model[NODES];
    sinew_ik_limit limits[JOINTS];
} tail;

static void tail_begin(tail *t) {
    const double bend = -0.12;
    sinew_node_def nodes[NODES];
    for (int i = 0; i < NODES; i++) {
        nodes[i] = (sinew_node_def){.name = "", .parent = i - 1, .rest = sinew_transform_identity()};
        nodes[i].rest.rotation = (sinew_quat){0, 0, (float)sin(0.5 * bend), (float)cos(0.5 * bend)};
        if (i > 0) nodes[i].rest.translation.y = 1.0f / JOINTS;
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = NODES;
    def.nodes = nodes;
    sinew_error error;
    if (sinew_skeleton_create(&def, &t->skeleton, &error) != SINEW_OK) die(error.message);
    if (sinew_pose_create(t->skeleton, NULL, &t->pose) != SINEW_OK) die("out of memory");
    for (int i = 0; i < JOINTS; i++) {
        t->limits[i] = sinew_ik_limit_from_rest(t->skeleton, i, i + 1);
        t->limits[i].kind = SINEW_IK_LIMIT_CONE;
        t->limits[i].cone = 0.6f;
        t->limits[i].angle_min = -0.2f;
        t->limits[i].angle_max = 0.2f;
    }
}

static void tail_end(tail *t) {
    sinew_pose_destroy(t->pose);
    sinew_skeleton_destroy(t->skeleton);
}

static void tail_solve(tail *t, sinew_ik_chain_method method, sinew_vec3 target) {
    sinew_pose_reset(t->pose);
    sinew_pose_to_model(t->pose, t->model);
    sinew_ik solver = {.kind = SINEW_IK_CHAIN};
    solver.chain = sinew_ik_chain_from_rest(t->skeleton, 0, JOINTS);
    solver.chain.method = method;
    solver.chain.limits = t->limits;
    solver.chain.limit_count =
        method == SINEW_IK_CHAIN_METHOD_FABRIK ? 0 : JOINTS; // it's for chains without limits
    solver.chain.target = target;
    sinew_ik_solve(&solver, 1, t->pose, t->model);
}

static sinew_vec3 node_position(const tail *t, int node) {
    return (sinew_vec3){t->model[node].m[0][3], t->model[node].m[1][3], t->model[node].m[2][3]};
}

// ---- The target ----------------------------------------------------------------------------------------------

// Returns a target on a closed curve that crosses itself, once per 6 s.
static sinew_vec3 target_at(double time) {
    double a = 2.0 * PI * time / 6.0;
    return (sinew_vec3){(float)(0.35 + 0.3 * sin(a)), (float)(0.4 + 0.25 * sin(2.0 * a)), 0.0f};
}

static double distance_of(sinew_vec3 a, sinew_vec3 b) {
    return hypot(hypot((double)a.x - (double)b.x, (double)a.y - (double)b.y), (double)a.z - (double)b.z);
}

// ---- The plot ------------------------------------------------------------------------------------------------

static const char *const method_names[] = {"least squares", "FABRIK, no limits", "CCD"};

static void draw_tail(figure *f, tail *t, sinew_ik_chain_method method) {
    static series line;
    chart c = chart_begin(f, (chart_axis){"m", -0.4, 0.8, 0.4}, (chart_axis){method_names[method], -0.2, 1.0, 0.2});
    line = (series){.count = 0};
    for (int i = 0; i <= 120; i++) {
        sinew_vec3 target = target_at(0.05 * i);
        series_add(&line, (double)target.x, (double)target.y);
    }
    chart_line(&c, "l0", &line, NULL);
    for (int k = 0; k < 6; k++) {
        tail_solve(t, method, target_at(1.0 * k));
        line = (series){.count = 0};
        for (int i = 0; i < NODES; i++)
            series_add(&line, (double)node_position(t, i).x, (double)node_position(t, i).y);
        chart_line(&c, "l2", &line, NULL);
        chart_dot(&c, "f5", (double)line.points[NODES - 1].x, (double)line.points[NODES - 1].y, 3.0);
    }
}

// Draws the speed of the fastest joint and the target.
static void draw_speeds(figure *f, tail *t, sinew_ik_chain_method method) {
    static series joints, targets;
    const double dt = 6.0 / TIMES, most = 2.0;
    joints = targets = (series){.count = 0};
    sinew_vec3 before[NODES] = {{0, 0, 0}};
    for (int i = 0; i <= TIMES; i++) {
        double time = dt * i, fastest = 0.0;
        tail_solve(t, method, target_at(time));
        for (int n = 0; n < NODES; n++) {
            fastest = fmax(fastest, distance_of(before[n], node_position(t, n)) / dt);
            before[n] = node_position(t, n);
        }
        if (i == 0) continue;
        series_add(&joints, time, fmin(fastest, most));
        series_add(&targets, time, distance_of(target_at(time), target_at(time - dt)) / dt);
    }
    chart c = chart_begin(f, (chart_axis){"seconds", 0.0, 6.0, 1.0}, (chart_axis){"m/s", 0.0, most, 0.5});
    bool has_key = method == SINEW_IK_CHAIN_METHOD_LEAST_SQUARES;
    chart_line(&c, "l2", &joints, has_key ? "joint" : NULL);
    chart_line(&c, "l5", &targets, has_key ? "target" : NULL);
}

void plot_tails(FILE *to, const stage *s) {
    (void)s;
    tail t;
    tail_begin(&t);
    figure f;
    figure_begin(&f, to, "A tail of 12 joints that follows a target, by three methods",
                 (figure_layout){2, 3, 200.0, false});
    for (int i = 0; i < 3; i++) draw_tail(&f, &t, (sinew_ik_chain_method)i);
    for (int i = 0; i < 3; i++) draw_speeds(&f, &t, (sinew_ik_chain_method)i);
    figure_end(&f);
    tail_end(&t);
}
