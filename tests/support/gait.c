// SPDX-License-Identifier: MIT
// Builds a walking character from formulas.
#include "support/gait.h"

#include <stdio.h>

// ---- Double, by hand -----------------------------------------------------------------------------------------

rotation times(rotation a, rotation b) {
    return (rotation){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
}

rotation opposite(rotation q) {
    return (rotation){-q.x, -q.y, -q.z, q.w};
}

place rotate(rotation q, place p) {
    rotation r = times(times(q, (rotation){p.x, p.y, p.z, 0}), opposite(q));
    return (place){r.x, r.y, r.z};
}

sinew_quat quat_of(rotation q) {
    return (sinew_quat){(float)q.x, (float)q.y, (float)q.z, (float)q.w};
}

rotation about(double x, double y, double z, double radians) {
    double s = sin(radians / 2);
    return (rotation){s * x, s * y, s * z, cos(radians / 2)};
}

// ---- A character that goes ----------------------------------------------------------------------------------

const gait straight = {1.5, 0, 0, 0.05, 0.9, {0.1, 1, -0.3}};
const gait circle = {1.5, 0.8, 0, 0.05, 0.9, {0.1, 1, -0.3}};
const gait drifting = {1.5, 0.07, 0.04, 0.05, 0.9, {0.1, 1, -0.3}};
const gait strafe = {0, -0.4, 1.1, 0.1, 0.9, {-0.4, 1, 0.2}};

stand stand_at(const gait *g, double time) {
    double h = g->turning * time, phase = 2 * PI * time / g->duration;
    double ahead = g->turning != 0 ? sin(h) / g->turning : time;
    double across = g->turning != 0 ? (1 - cos(h)) / g->turning : 0;
    stand s;
    s.at.x = g->start.x + g->speed * across + g->aside * ahead;
    s.at.y = g->start.y + g->sway * sin(phase);
    s.at.z = g->start.z + g->speed * ahead - g->aside * across;
    s.turn = about(0, 1, 0, h);
    s.tilt = about(0.6, 0, 0.8, 0.5 * g->sway * sin(phase) + 0.2);
    return s;
}

const above nothing = {{0, 0, 0, 1}, {0, 0, 0}, 1};

double key_time(const gait *g, int key) {
    return g->duration * key / (KEYS - 1);
}

sinew_skeleton *make_body(above a) {
    sinew_node_def nodes[3] = {{.name = "Armature", .parent = SINEW_NO_NODE, .rest = sinew_transform_identity()},
                               {.name = "Hips", .parent = 0, .rest = sinew_transform_identity()},
                               {.name = "Spine", .parent = 1, .rest = sinew_transform_identity()}};
    float s = (float)a.scale;
    nodes[0].rest.translation = (sinew_vec3){(float)a.at.x, (float)a.at.y, (float)a.at.z};
    nodes[0].rest.rotation = quat_of(a.turn);
    nodes[0].rest.scale = (sinew_vec3){s, s, s};
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = 3;
    def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

sinew_clip *make_gait(const sinew_skeleton *skeleton, const gait *g, above a) {
    static float key_times[KEYS], places[3 * KEYS], turns[4 * KEYS];
    for (int k = 0; k < KEYS; k++) {
        double time = key_time(g, k);
        stand s = stand_at(g, time);
        place off = {s.at.x - a.at.x, s.at.y - a.at.y, s.at.z - a.at.z}, p = rotate(opposite(a.turn), off);
        rotation q = times(opposite(a.turn), times(s.turn, s.tilt));
        key_times[k] = (float)time;
        places[(ptrdiff_t)3 * k] = (float)(p.x / a.scale);
        places[3 * k + 1] = (float)(p.y / a.scale);
        places[3 * k + 2] = (float)(p.z / a.scale);
        turns[(ptrdiff_t)4 * k] = (float)q.x, turns[4 * k + 1] = (float)q.y;
        turns[4 * k + 2] = (float)q.z, turns[4 * k + 3] = (float)q.w;
    }
    sinew_channel_def channels[] = {
        {HIPS, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, KEYS, key_times, places},
        {HIPS, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, KEYS, key_times, turns},
    };
    return make_clip(skeleton, "gait", channels, 2);
}

sinew_root_motion_def def_of(const sinew_skeleton *skeleton) {
    sinew_root_motion_def def = sinew_root_motion_default();
    def.skeleton = skeleton;
    def.node = HIPS;
    return def;
}

sinewi_root root_of(const sinew_root_motion_def *def) {
    sinewi_root root;
    sinew_error error = {0};
    if (sinewi_root_init(&root, def, &error) != SINEW_OK) fail_msg("%s", error.message);
    return root;
}

actor make_actor(const gait *g, above a) {
    actor made;
    made.skeleton = make_body(a);
    made.clip = make_gait(made.skeleton, g, a);
    sinew_root_motion_def def = def_of(made.skeleton);
    made.root = root_of(&def);
    return made;
}

void free_actor(actor *a) {
    sinew_clip_destroy(a->clip);
    sinew_skeleton_destroy(a->skeleton);
}

// ---- Journeys ------------------------------------------------------------------------------------------------

journey journey_at(const gait *g, double time) {
    stand s = stand_at(g, time);
    place carried = rotate(s.turn, (place){g->start.x, 0, g->start.z});
    return (journey){s.at.x - carried.x, s.at.z - carried.z, g->turning * time};
}

journey then(journey a, journey b) {
    double c = cos(a.heading), s = sin(a.heading);
    return (journey){a.x + c * b.x + s * b.z, a.z - s * b.x + c * b.z, a.heading + b.heading};
}

journey back(journey a) {
    double c = cos(a.heading), s = sin(a.heading);
    return (journey){-(c * a.x - s * a.z), -(s * a.x + c * a.z), -a.heading};
}

journey and_delta(journey j, sinew_root_delta delta) {
    check_near(delta.rotation.y, sin(delta.yaw / 2.0), 2e-7);
    check_near(delta.rotation.w, cos(delta.yaw / 2.0), 2e-7);
    return then(j, (journey){delta.translation.x, delta.translation.z, delta.yaw});
}

void check_journey(journey j, journey expected, double tolerance) {
    check_near(j.x, expected.x, tolerance);
    check_near(j.z, expected.z, tolerance);
    check_near(remainder(j.heading - expected.heading, 2 * PI), 0, tolerance); // a step's yaw is within half a turn
}

// ---- Motions -------------------------------------------------------------------------------------------------

sinewi_motion motion_on(const actor *a, double from, double to, bool backward, sinew_loop loop) {
    sinewi_root_path way = {from, to, backward, (sinewi_root_loop)loop};
    sinewi_root_clip clip = sinewi_root_clip_of(&a->root, a->clip);
    return sinewi_root_motion_on(&a->root, &clip, &way);
}

sinew_root_delta delta_on(const actor *a, double from, double to, bool backward, sinew_loop loop) {
    return sinewi_root_delta_of(&a->root, motion_on(a, from, to, backward, loop));
}

sinew_asset *load_file(const char *folder, const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    sinew_asset *asset;
    sinew_error error = {0};
    if (sinew_gltf_load_file(path, NULL, &asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    return asset;
}

void check_motions(sinewi_motion a, sinewi_motion b, double tolerance) {
    for (int i = 0; i < 3; i++) check_near(a.move[i], b.move[i], tolerance);
    double side = a.half_cos * b.half_cos + a.half_sin * b.half_sin < 0 ? -1 : 1;
    check_near(a.half_cos, side * b.half_cos, tolerance);
    check_near(a.half_sin, side * b.half_sin, tolerance);
}

sinewi_motion motion(double ahead, double aside, double up, double yaw) {
    return (sinewi_motion){{ahead, aside, up}, cos(yaw / 2), sin(yaw / 2)};
}
