// SPDX-License-Identifier: MIT
// hero_clips.c - samples the hero's clips at 30 or 60 Hz and writes them as animations.
#include "hero.h"

#include <stdio.h>
#include <stdlib.h>

enum { FRAMES_MAX = 160 };

const clip hero_clips[HERO_CLIPS] = {
    {.name = "Idle", .frames = 120, .keys = 1, .loops = true, .pose_at = pose_idle},
    {.name = "Walk",
     .frames = WALK_FRAMES,
     .keys = 1,
     .loops = true,
     .velocity = {0, 0, WALK_SPEED},
     .pose_at = pose_walk,
     .markers = {{"Foot_L", 0.0}, {"Foot_R", 0.5 * WALK_FRAMES / FRAME_RATE}},
     .marker_count = 2},
    {.name = "Run",
     .frames = RUN_FRAMES,
     .keys = 2,
     .loops = true,
     .velocity = {0, 0, RUN_SPEED},
     .pose_at = pose_run,
     .markers = {{"Foot_L", 0.0}, {"Foot_R", 0.5 * RUN_FRAMES / FRAME_RATE}},
     .marker_count = 2},
    {.name = "Attack",
     .frames = 33,
     .keys = 2,
     .pose_at = pose_attack,
     .markers = {{"Swing", 13.0 / FRAME_RATE}, {"Hit", 17.0 / FRAME_RATE}},
     .marker_count = 2},
    {.name = "Wave", .frames = 66, .keys = 1, .pose_at = pose_wave},
    {.name = "Jump",
     .frames = JUMP_FRAMES,
     .keys = 2,
     .pose_at = pose_jump,
     .markers = {{"TakeOff", (double)JUMP_OFF / FRAME_RATE}, {"Land", (double)JUMP_LAND / FRAME_RATE}},
     .marker_count = 2},
    {.name = "Turn",
     .frames = TURN_FRAMES,
     .keys = 1,
     .pose_at = pose_about,
     .markers = {{"Foot_L", 13.0 / FRAME_RATE}, {"Foot_R", 25.0 / FRAME_RATE}, {"Foot_L", 35.0 / FRAME_RATE}},
     .marker_count = 3},
    {.name = "WalkBack",
     .frames = STEP_FRAMES,
     .keys = 1,
     .loops = true,
     .velocity = {0, 0, -WALK_SPEED},
     .pose_at = pose_walk_back,
     .markers = {{"Foot_L", 0.0}, {"Foot_R", 0.5 * STEP_FRAMES / FRAME_RATE}},
     .marker_count = 2},
    {.name = "StrafeLeft",
     .frames = STEP_FRAMES,
     .keys = 1,
     .loops = true,
     .velocity = {WALK_SPEED, 0, 0},
     .pose_at = pose_strafe_left,
     .markers = {{"Foot_L", 0.0}, {"Foot_R", 0.5 * STEP_FRAMES / FRAME_RATE}},
     .marker_count = 2},
    {.name = "StrafeRight",
     .frames = STEP_FRAMES,
     .keys = 1,
     .loops = true,
     .velocity = {-WALK_SPEED, 0, 0},
     .pose_at = pose_strafe_right,
     .markers = {{"Foot_L", 0.0}, {"Foot_R", 0.5 * STEP_FRAMES / FRAME_RATE}},
     .marker_count = 2},
    {.name = "Hit", .frames = 24, .keys = 2, .pose_at = pose_hit},
};

/// The keys of a clip: rotations of each joint and of the hero, and translations of the Hips.
typedef struct keys {
    int count;
    double times[FRAMES_MAX];
    double rotations[RIG_JOINTS][FRAMES_MAX][4];
    double facings[FRAMES_MAX][4];
    double hips[FRAMES_MAX][3];
} keys;

void put_rotation(double (*rows)[4], int frame, quat q) {
    if (frame > 0) { // the same hemisphere as the previous key
        const double *last = rows[frame - 1];
        quat before = {last[0], last[1], last[2], last[3]};
        q = q_dot(before, q) < 0.0 ? q_negate(q) : q;
    }
    rows[frame][0] = q.x;
    rows[frame][1] = q.y;
    rows[frame][2] = q.z;
    rows[frame][3] = q.w;
}

/// Poses every frame, simulates skirt, hair and scarf, and takes the keys.
static void sample(keys *k, const clip *c, const rig *r) {
    int last = c->frames * c->keys;
    double dt = 1.0 / (FRAME_RATE * c->keys);
    k->count = last + 1;
    pose *frames = must_alloc((size_t)k->count, sizeof *frames);
    for (int i = 0; i < k->count; i++) {
        int at = c->loops ? i % last : i;
        frames[i] = pose_rest(r);
        c->pose_at((double)at / last, &frames[i]);
    }
    hero_skirt(frames, k->count, c->loops, dt);
    hero_trail(frames, k->count, c->loops, c->velocity, dt);
    for (int i = 0; i < k->count; i++) {
        k->times[i] = i * dt;
        k->hips[i][0] = frames[i].hips.x;
        k->hips[i][1] = frames[i].hips.y;
        k->hips[i][2] = frames[i].hips.z;
        put_rotation(k->facings, i, q_y(frames[i].facing));
        for (int j = 0; j < r->count; j++) {
            put_rotation(k->rotations[j], i, pose_local_rotation(&frames[i], j));
        }
    }
    free(frames);
}

/// Whether rotation `q` equals that of key `i`, well below the precision of floats.
static bool is_at(double (*rows)[4], int i, quat q) {
    return fabs(q_dot(q, (quat){rows[i][0], rows[i][1], rows[i][2], rows[i][3]})) > 1.0 - 1e-12;
}

void write_rotation(glb *g, int count, double (*rows)[4], quat rest, int node, const int times[2]) {
    quat first = {rows[0][0], rows[0][1], rows[0][2], rows[0][3]};
    bool still = true;
    for (int i = 1; i < count && still; i++) {
        still = is_at(rows, i, first);
    }
    if (!still) {
        glb_channel(g, node, GLB_ROTATION, GLB_LINEAR, times[0], rows[0], count);
    } else if (!is_at(rows, 0, rest)) {
        glb_channel(g, node, GLB_ROTATION, GLB_LINEAR, times[1], rows[0], 1);
    }
}

static void say_extras(char *text, size_t size, const clip *c) {
    int n = snprintf(text, size, "{\"loop\":%s", c->loops ? "true" : "false");
    double speed = v3_length(c->velocity);
    if (speed > 0.0) {
        n += snprintf(text + n, size - (size_t)n, ",\"speed\":%.6g", speed);
    }
    if (c->marker_count > 0) {
        n += snprintf(text + n, size - (size_t)n, ",\"markers\":[");
        for (int i = 0; i < c->marker_count; i++) {
            n += snprintf(text + n, size - (size_t)n, "%s{\"name\":\"%s\",\"time\":%.6g}", i > 0 ? "," : "",
                          c->markers[i].name, c->markers[i].time);
        }
        n += snprintf(text + n, size - (size_t)n, "]");
    }
    snprintf(text + n, size - (size_t)n, "}");
}

/// `times` are the key times of the clip before: of all keys and of one. A clip of as many keys shares them.
static void write_clip(glb *g, const clip *c, keys *k, const rig *r, int root, const int *nodes, int times[2]) {
    char extras[512];
    const int count = k->count;
    const double last = k->times[1];
    sample(k, c, r);
    say_extras(extras, sizeof extras, c);
    glb_animation_begin(g, c->name, extras);
    if (k->count != count || k->times[1] != last) {
        times[0] = glb_times(g, k->times, k->count);
        times[1] = glb_times(g, k->times, 1);
    }
    write_rotation(g, k->count, k->facings, q_identity(), root, times);
    glb_channel(g, nodes[0], GLB_TRANSLATION, GLB_LINEAR, times[0], k->hips[0], k->count);
    pose rest = pose_rest(r);
    for (int j = 0; j < r->count; j++) {
        write_rotation(g, k->count, k->rotations[j], pose_local_rotation(&rest, j), nodes[j], times);
    }
    glb_animation_end(g);
}

void hero_write_clips(glb *g, const rig *r, int root, const int *nodes) {
    keys *k = must_alloc(1, sizeof *k);
    int times[2] = {0, 0};
    for (int i = 0; i < HERO_CLIPS; i++) {
        write_clip(g, &hero_clips[i], k, r, root, nodes, times);
    }
    free(k);
}
