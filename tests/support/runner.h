// SPDX-License-Identifier: MIT
// A runner with two-bone legs, for tests of planted feet. Formulas tell when its clips put the feet on the ground.
//
// +Y is up, +Z is ahead, and the ankles touch the ground. In a gait, a foot is on the ground for a part of its cycle,
// the duty. There it stays in place while the hips move on. Then it swings ahead.
#ifndef RUNNER_H
#define RUNNER_H

#include "support/check.h"

#define PI 3.14159265358979323846

enum { TOP, HIPS, THIGH_L, SHIN_L, FOOT_L, TOES_L, THIGH_R, SHIN_R, FOOT_R, TOES_R, RUNNER_NODES };

typedef struct vec {
    double x, y, z;
} vec;

static inline vec vec_of(sinew_vec3 v) {
    return (vec){v.x, v.y, v.z};
}

static inline double level_distance(vec a, vec b) {
    return hypot(a.x - b.x, a.z - b.z);
}

static inline double distance(vec a, vec b) {
    return hypot(level_distance(a, b), a.y - b.y);
}

// ---- Gaits ---------------------------------------------------------------------------------------------------

static const double hip_height = 0.9, bone = 0.56, half_width = 0.1;

typedef struct gait {
    const char *name;
    double duration, speed; // a cycle's seconds; metres per second
    double duty, lift;      // part of the cycle on the ground; height of the swing
    double phase;           // the phase at the clip's start
    bool in_place;          // the hips don't move ahead
} gait;

static const gait walk_gait = {"walk", 1.1, 1.4, 0.62, 0.12, 0.0, false};
static const gait run_gait = {"run", 0.72, 3.6, 0.36, 0.25, 0.33, false};

static inline double fraction(double x) {
    return x - floor(x);
}

// A foot's phase at a time of the clip. It comes down at 0 and lifts at the duty.
static inline double foot_phase(const gait *g, double time, int foot) {
    return fraction(time / g->duration + 0.5 * foot + g->phase);
}

static inline bool is_down(const gait *g, double time, int foot) {
    return foot_phase(g, time, foot) < g->duty;
}

// A foot's position ahead of the hips and above the ground.
static inline vec foot_from_hips(const gait *g, double time, int foot) {
    double phase = foot_phase(g, time, foot), stride = g->duty * g->duration * g->speed;
    if (phase < g->duty) return (vec){0, 0, stride / 2 - g->speed * phase * g->duration};
    double u = (phase - g->duty) / (1 - g->duty), length = (1 - g->duty) * g->duration;
    double h00 = 2 * u * u * u - 3 * u * u + 1, h10 = u * u * u - 2 * u * u + u, h11 = u * u * u - u * u;
    return (vec){0, g->lift * sin(PI * u) * sin(PI * u),
                 (1 - 2 * h00) * stride / 2 - (h10 + h11) * length * g->speed};
}

// The angles of thigh, shin and foot about +X, each relative to the one before. The knee points ahead.
static inline void leg_angles(vec foot, double angles[3]) {
    double down = hip_height - foot.y, far = fmin(hypot(down, foot.z), 2 * bone);
    double along = atan2(-foot.z, down), bend = acos(far / (2 * bone));
    angles[0] = along - bend, angles[1] = 2 * bend, angles[2] = -along - bend;
}

// ---- The character -------------------------------------------------------------------------------------------

static inline sinew_skeleton *make_runner(sinew_transform top) {
    static const char *const names[RUNNER_NODES] = {"Top",    "Hips",    "Thigh_L", "Shin_L", "Foot_L",
                                                    "Toes_L", "Thigh_R", "Shin_R",  "Foot_R", "Toes_R"};
    double angles[3];
    leg_angles((vec){0, 0, 0}, angles);
    sinew_node_def nodes[RUNNER_NODES];
    for (int i = 0; i < RUNNER_NODES; i++) {
        nodes[i] = (sinew_node_def){.name = names[i], .parent = i - 1, .rest = sinew_transform_identity()};
        if (i < THIGH_L) continue;
        int part = (i - THIGH_L) % 4;
        if (part < 3) nodes[i].rest.rotation = about_x(angles[part]);
        if (part == 1 || part == 2) nodes[i].rest.translation.y = (float)-bone;
        if (part == 3) nodes[i].rest.translation.z = 0.2f;
    }
    nodes[TOP].rest = top;
    nodes[HIPS].rest.translation.y = (float)hip_height;
    nodes[HIPS].weight_count = 2; // for curves
    nodes[THIGH_R].parent = HIPS;
    nodes[THIGH_L].rest.translation.x = (float)half_width;
    nodes[THIGH_R].rest.translation.x = (float)-half_width;
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = RUNNER_NODES;
    def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

enum { GAIT_KEYS = 289 };

// Has pairs of markers, "L_down" and "L_up", if `marked`.
static inline sinew_clip *make_gait(const sinew_skeleton *skeleton, const gait *g, bool marked) {
    static float times[GAIT_KEYS], hips[GAIT_KEYS][3], turns[6][GAIT_KEYS][4];
    for (int k = 0; k < GAIT_KEYS; k++) {
        double time = g->duration * k / (GAIT_KEYS - 1), angles[3];
        times[k] = (float)time;
        hips[k][0] = 0, hips[k][1] = (float)hip_height, hips[k][2] = g->in_place ? 0 : (float)(g->speed * time);
        for (int i = 0; i < 6; i++) {
            leg_angles(foot_from_hips(g, time, i / 3), angles);
            sinew_quat q = about_x(angles[i % 3]);
            memcpy(turns[i][k], &q, sizeof q);
        }
    }
    sinew_channel_def channels[7] = {
        {HIPS, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, GAIT_KEYS, times, hips[0]}};
    for (int i = 0; i < 6; i++) {
        channels[1 + i] = (sinew_channel_def){i < 3 ? THIGH_L + i : THIGH_R + i - 3,
                                              SINEW_TARGET_ROTATION,
                                              SINEW_INTERPOLATION_LINEAR,
                                              GAIT_KEYS,
                                              times,
                                              turns[i][0]};
    }
    static const char *const names[4] = {"L_down", "R_down", "L_up", "R_up"};
    sinew_marker markers[4];
    for (int i = 0; i < 4; i++) {
        double phase = (i < 2 ? 0 : g->duty) - 0.5 * (i % 2) - g->phase;
        markers[i] = (sinew_marker){names[i], (float)(fraction(phase) * g->duration)};
    }
    sinew_clip_def def = sinew_clip_default();
    def.name = g->name;
    def.skeleton = skeleton;
    def.channel_count = 7;
    def.channels = channels;
    def.marker_count = marked ? 4 : 0;
    def.markers = markers;
    sinew_clip *clip;
    sinew_error error = {0};
    if (sinew_clip_create(&def, &clip, &error) != SINEW_OK) fail_msg("%s", error.message);
    return clip;
}

static const char *const down_names[2] = {"L_down", "R_down"}, *const up_names[2] = {"L_up", "R_up"};

static inline void make_legs(const sinew_skeleton *skeleton, bool with_toes, sinew_foot legs[2]) {
    for (int i = 0; i < 2; i++) {
        int32_t thigh = i ? THIGH_R : THIGH_L;
        legs[i] = sinew_foot_from_rest(skeleton, thigh, thigh + 1, thigh + 2, with_toes ? thigh + 3 : SINEW_NO_NODE,
                                       (sinew_vec3){0, 1, 0});
    }
}

static inline sinew_foot_contacts *make_contacts(const sinew_skeleton *skeleton, const sinew_clip *const *clips,
                                                 int count, const sinew_foot *legs) {
    sinew_foot_contacts_def def = sinew_foot_contacts_default();
    def.skeleton = skeleton;
    def.clips = clips;
    def.clip_count = count;
    def.foot_count = 2;
    def.down_names = down_names;
    def.up_names = up_names;
    def.feet = legs;
    sinew_foot_contacts *contacts;
    sinew_error error = {0};
    if (sinew_foot_contacts_create(&def, &contacts, &error) != SINEW_OK) fail_msg("%s", error.message);
    return contacts;
}

#endif
