// hero_clips.c - samples the hero's clips at 30 Hz and writes them as animations.
#include "hero.h"

#include <stdio.h>
#include <stdlib.h>

enum { FRAMES_MAX = 160 };

const clip hero_clips[HERO_CLIPS] = {
    {.name = "Idle", .frames = 120, .loops = true, .pose_at = pose_idle},
    {.name = "Walk",
     .frames = WALK_FRAMES,
     .loops = true,
     .speed = WALK_SPEED,
     .pose_at = pose_walk,
     .markers = {{"Foot_L", 0.0}, {"Foot_R", 0.5 * WALK_FRAMES / FRAME_RATE}},
     .marker_count = 2},
    {.name = "Run",
     .frames = RUN_FRAMES,
     .loops = true,
     .speed = RUN_SPEED,
     .pose_at = pose_run,
     .markers = {{"Foot_L", 0.0}, {"Foot_R", 0.5 * RUN_FRAMES / FRAME_RATE}},
     .marker_count = 2},
    {.name = "Attack",
     .frames = 33,
     .pose_at = pose_attack,
     .markers = {{"Swing", 13.0 / FRAME_RATE}, {"Hit", 17.0 / FRAME_RATE}},
     .marker_count = 2},
    {.name = "Wave", .frames = 66, .pose_at = pose_wave},
};

/// A clip's keys: for each joint its rotations, and the Hips' place.
typedef struct keys {
    int count;
    double times[FRAMES_MAX];
    double rotations[RIG_JOINTS][FRAMES_MAX][4];
    double places[FRAMES_MAX][3];
} keys;

static void put_rotation(double (*rows)[4], int frame, quat q) {
    if (frame > 0) { // the same hemisphere as the key before
        const double *last = rows[frame - 1];
        quat before = {last[0], last[1], last[2], last[3]};
        q = q_dot(before, q) < 0.0 ? q_negate(q) : q;
    }
    rows[frame][0] = q.x;
    rows[frame][1] = q.y;
    rows[frame][2] = q.z;
    rows[frame][3] = q.w;
}

/// Poses every frame, lets what hangs follow, and takes the keys.
static void sample(keys *k, const clip *c, const rig *r) {
    k->count = c->frames + 1;
    pose *frames = must_alloc((size_t)k->count, sizeof *frames);
    for (int i = 0; i < k->count; i++) {
        int at = c->loops ? i % c->frames : i;
        frames[i] = pose_rest(r);
        c->pose_at((double)at / c->frames, &frames[i]);
    }
    hero_trail(frames, k->count, c->loops, c->speed);
    for (int i = 0; i < k->count; i++) {
        k->times[i] = (double)i / FRAME_RATE;
        k->places[i][0] = frames[i].hips.x;
        k->places[i][1] = frames[i].hips.y;
        k->places[i][2] = frames[i].hips.z;
        for (int j = 0; j < r->count; j++) {
            put_rotation(k->rotations[j], i, pose_local_rotation(&frames[i], j));
        }
    }
    free(frames);
}

/// Whether a joint ever leaves its rest pose in this clip.
static bool moves(const keys *k, const rig *r, int joint_index) {
    pose rest = pose_rest(r);
    quat q = pose_local_rotation(&rest, joint_index);
    for (int i = 0; i < k->count; i++) {
        const double *row = k->rotations[joint_index][i];
        if (fabs(q_dot(q, (quat){row[0], row[1], row[2], row[3]})) < 1.0 - 1e-9) {
            return true;
        }
    }
    return false;
}

static void say_extras(char *text, size_t size, const clip *c) {
    int n = snprintf(text, size, "{\"loop\":%s", c->loops ? "true" : "false");
    if (c->speed > 0.0) {
        n += snprintf(text + n, size - (size_t)n, ",\"speed\":%.6g", c->speed);
    }
    if (c->marker_count > 0) {
        n += snprintf(text + n, size - (size_t)n, ",\"markers\":[");
        for (int i = 0; i < c->marker_count; i++) {
            n += snprintf(text + n, size - (size_t)n, "%s{\"name\":\"%s\",\"time\":%.6g}",
                          i > 0 ? "," : "", c->markers[i].name, c->markers[i].time);
        }
        n += snprintf(text + n, size - (size_t)n, "]");
    }
    snprintf(text + n, size - (size_t)n, "}");
}

static void write_clip(glb *g, const clip *c, keys *k, const rig *r, const int *nodes) {
    char extras[512];
    sample(k, c, r);
    say_extras(extras, sizeof extras, c);
    glb_animation_begin(g, c->name, extras);
    int timeline = glb_times(g, k->times, k->count);
    glb_channel(g, nodes[0], GLB_TRANSLATION, GLB_LINEAR, timeline, k->places[0], k->count);
    for (int j = 0; j < r->count; j++) {
        if (moves(k, r, j)) {
            glb_channel(g, nodes[j], GLB_ROTATION, GLB_LINEAR, timeline, k->rotations[j][0],
                        k->count);
        }
    }
    glb_animation_end(g);
}

void hero_write_clips(glb *g, const rig *r, const int *nodes) {
    keys *k = must_alloc(1, sizeof *k);
    for (int i = 0; i < HERO_CLIPS; i++) {
        write_clip(g, &hero_clips[i], k, r, nodes);
    }
    free(k);
}
