// SPDX-License-Identifier: MIT
// root.c - root motion: the motion extracted from a pose, and what remains of the pose.
#include "plots/plots.h"

#include <math.h>

#define PI 3.14159265358979323846

// ---- A body with a gait --------------------------------------------------------------------------------------

enum { KEYS = 65 };

// The gait of a one-second clip. It starts at the origin, +Y up and facing +Z.
typedef struct gait {
    double speed;   // m/s forward
    double turning; // radians per second
    double aside;   // m/s to the left
} gait;

typedef struct body {
    sinew_skeleton *skeleton;
    sinew_clip *clip;
} body;

static void key_at(const gait *g, double time, float position[3], float turn[4]) {
    double heading = g->turning * time, sway = 0.04 * sin(2.0 * PI * time), bob = 0.02 * sin(4.0 * PI * time);
    bool turns = fabs(g->turning) > 1e-9;
    double ahead = turns ? g->speed * sin(heading) / g->turning : g->speed * time;
    double side = turns ? g->speed * (1.0 - cos(heading)) / g->turning : g->aside * time;
    position[0] = (float)(side + sway * cos(heading));
    position[1] = (float)(0.9 + bob);
    position[2] = (float)(ahead - sway * sin(heading));
    turn[0] = turn[2] = 0.0f;
    turn[1] = (float)sin(heading / 2.0);
    turn[3] = (float)cos(heading / 2.0);
}

static sinew_clip *make_clip(const sinew_skeleton *skeleton, const gait *g) {
    float times[KEYS], positions[KEYS][3], turns[KEYS][4];
    for (int i = 0; i < KEYS; i++) {
        times[i] = (float)i / (KEYS - 1);
        key_at(g, (double)times[i], positions[i], turns[i]);
    }
    const sinew_channel_def channels[2] = {
        {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, KEYS, times, positions[0]},
        {0, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, KEYS, times, turns[0]}};
    sinew_clip_def def = sinew_clip_default();
    def.name = "go";
    def.skeleton = skeleton;
    def.channel_count = 2;
    def.channels = channels;
    sinew_clip *clip;
    sinew_error error;
    if (sinew_clip_create(&def, &clip, &error) != SINEW_OK) die(error.message);
    return clip;
}

static body make_body(const gait *g) {
    const sinew_node_def node = {.name = "hips", .parent = SINEW_NO_NODE, .rest = sinew_transform_identity()};
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = 1;
    def.nodes = &node;
    body b;
    sinew_error error;
    if (sinew_skeleton_create(&def, &b.skeleton, &error) != SINEW_OK) die(error.message);
    b.clip = make_clip(b.skeleton, g);
    return b;
}

static void free_body(body *b) {
    sinew_clip_destroy(b->clip);
    sinew_skeleton_destroy(b->skeleton);
}

// ---- Playback ------------------------------------------------------------------------------------------------

typedef struct trip {
    series path;  // on the ground, seen from above: meters right, meters forward
    series ahead; // of the node in the pose, over seconds
    series aside;
} trip;

static void move_on(double *x, double *z, double *heading, sinew_root_delta delta) {
    double ahead = (double)delta.translation.z, left = (double)delta.translation.x;
    *x += left * cos(*heading) + ahead * sin(*heading);
    *z += ahead * cos(*heading) - left * sin(*heading);
    *heading += (double)delta.yaw;
}

// Adds a value. Leaves a gap where the node jumps, to avoid drawing loop seams as slopes.
static void add_position(series *s, double time, double value) {
    bool jumps = s->count > 0 && fabs(value - s->points[s->count - 1].y) > 0.05;
    if (jumps) series_add(s, time, (double)NAN);
    series_add(s, time, value);
}

static trip go(const body *b, const sinew_root_motion_def *motion, double seconds) {
    trip out = {.path.count = 0};
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = b->skeleton;
    def.root_motion = motion;
    sinew_mixer *mixer = make_mixer(&def);
    sinew_mixer_play(mixer, sinew_clip_source(b->clip), NULL);
    double x = 0.0, z = 0.0, heading = 0.0;
    for (int i = 0; i <= (int)(seconds * RATE); i++) {
        sinew_mixer_update(mixer, i > 0 ? 1.0f / (float)RATE : 0.0f);
        move_on(&x, &z, &heading, sinew_mixer_root_delta(mixer));
        sinew_vec3 position = sinew_pose_get(sinew_mixer_pose(mixer), 0).translation;
        series_add(&out.path, -x, z);
        add_position(&out.ahead, (double)i / RATE, (double)position.z);
        add_position(&out.aside, (double)i / RATE, (double)position.x);
    }
    sinew_mixer_destroy(mixer);
    return out;
}

static sinew_root_motion_def motion_of(const body *b) {
    sinew_root_motion_def def = sinew_root_motion_default();
    def.skeleton = b->skeleton;
    def.node = 0;
    return def;
}

// ---- Transitions ---------------------------------------------------------------------------------------------

// Returns a character's speed while it goes from a walk to a run over 0.4 s with one kind of transition.
static series speed_through(sinew_transition_kind kind) {
    enum { FRAMES = RATE, START = RATE / 4 };
    series speed = {.count = 0};
    body walk = make_body(&(gait){.speed = 1.4});
    sinew_clip *run = make_clip(walk.skeleton, &(gait){.speed = 3.6});
    const sinew_root_motion_def motion = motion_of(&walk);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = walk.skeleton;
    def.root_motion = &motion;
    sinew_mixer *mixer = make_mixer(&def);
    sinew_mixer_play(mixer, sinew_clip_source(walk.clip), NULL);
    sinew_transition transition = sinew_transition_default();
    transition.kind = kind;
    transition.duration = 0.4f;
    for (int i = 0; i < FRAMES; i++) {
        if (i == START) sinew_mixer_transition_to(mixer, sinew_clip_source(run), &transition, NULL);
        step(mixer);
        series_add(&speed, ((double)i + 0.5) / RATE, (double)sinew_mixer_root_delta(mixer).translation.z * RATE);
    }
    sinew_mixer_destroy(mixer);
    sinew_clip_destroy(run);
    free_body(&walk);
    return speed;
}

// ---- The plots -----------------------------------------------------------------------------------------------

void plot_root_path(FILE *to, const stage *s) {
    (void)s;
    body b = make_body(&(gait){.speed = 1.2, .turning = PI / 5.0});
    const sinew_root_motion_def motion = motion_of(&b);
    const trip without = go(&b, NULL, 3.0), with = go(&b, &motion, 10.0);
    figure f;
    figure_begin(&f, to, "A clip of 1 s that goes ahead and turns by 36°", (figure_layout){1, 2, 273.0, false});
    chart c = chart_begin(&f, (chart_axis){"meters to the right", -4.5, 0.5, 1.0},
                          (chart_axis){"deltas summed: meters ahead", -2.5, 2.5, 1.0});
    chart_line(&c, "l2", &with.path, NULL);
    for (int i = 10; i >= 0; i--) {
        svg_point at = with.path.points[(size_t)i * RATE];
        chart_dot(&c, i == 0 ? "f1" : "f2", at.x, at.y, 4.0);
    }
    c = chart_begin(&f, (chart_axis){"seconds", 0.0, 3.0, 0.5}, (chart_axis){"z in the pose, m", -0.2, 1.2, 0.2});
    chart_line(&c, "l5", &without.ahead, "clip");
    trip left = with;
    left.ahead.count = 3 * RATE + 1;
    chart_line(&c, "l2", &left.ahead, "shown");
    figure_end(&f);
    free_body(&b);
}

void plot_root_loop(FILE *to, const stage *s) {
    (void)s;
    body b = make_body(&(gait){.speed = 1.2, .aside = 0.15});
    sinew_root_motion_def motion = motion_of(&b);
    motion.x = motion.yaw = false;
    const trip open = go(&b, &motion, 3.0);
    motion.close_loops = true;
    const trip closed = go(&b, &motion, 3.0);
    figure f;
    figure_begin(&f, to, "A walk that drifts aside, with z taken out", (figure_layout){1, 1, 190.0, false});
    chart c =
        chart_begin(&f, (chart_axis){"seconds", 0.0, 3.0, 0.5}, (chart_axis){"x in the pose, m", -0.1, 0.2, 0.05});
    chart_line(&c, "l5", &open.aside, "unchanged");
    chart_line(&c, "l2", &closed.aside, "loops closed");
    figure_end(&f);
    free_body(&b);
}

void plot_root_speed(FILE *to, const stage *s) {
    (void)s;
    figure f;
    figure_begin(&f, to, "From a walk of 1.4 m/s to a run of 3.6 m/s, over 0.4 s",
                 (figure_layout){1, 1, 190.0, false});
    const series fade = speed_through(SINEW_TRANSITION_FADE), inert = speed_through(SINEW_TRANSITION_INERTIALIZE);
    const series dead = speed_through(SINEW_TRANSITION_DEAD_BLEND);
    chart c = chart_begin(&f, (chart_axis){"seconds", 0.0, 1.0, 0.25}, (chart_axis){"m/s", 0.0, 4.5, 1.0});
    chart_moment(&c, 0.25, "");
    chart_moment(&c, 0.65, "");
    chart_line(&c, "l0", &fade, "linear fade");
    chart_line(&c, "l1", &inert, "inertialized");
    chart_line(&c, "l2", &dead, "dead-blended");
    figure_end(&f);
}
