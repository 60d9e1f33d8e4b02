// SPDX-License-Identifier: MIT
// stage.c - the hero, the hinge and its clips.
#include "plots/stage.h"

#include "plots/die.h"

#include <math.h>

#define PI 3.14159265358979323846

// ---- Clips of the hinge --------------------------------------------------------------------------------------

typedef struct swing {
    const char *name;
    double middle, reach, period; // degrees to each side of the middle; seconds
} swing;

enum { KEYS = 241 };

static sinew_clip *make_clip(const sinew_skeleton *hinge, const swing *w, bool additive) {
    float times[KEYS], turns[KEYS][4] = {{0.0f}};
    for (int i = 0; i < KEYS; i++) {
        double phase = (double)i / (KEYS - 1);
        double half = (w->middle + w->reach * sin(2.0 * PI * phase)) * PI / 360.0;
        times[i] = (float)(w->period * phase);
        turns[i][2] = (float)sin(half);
        turns[i][3] = (float)cos(half);
    }
    const sinew_channel_def channel = {0, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, KEYS, times, turns[0]};
    sinew_clip_def def = sinew_clip_default();
    def.name = w->name;
    def.skeleton = hinge;
    def.channel_count = 1;
    def.channels = &channel;
    def.additive = additive;
    sinew_clip *clip;
    sinew_error error;
    if (sinew_clip_create(&def, &clip, &error) != SINEW_OK) die(error.message);
    return clip;
}

static void make_hinge(stage *s) {
    const sinew_node_def node = {.name = "hinge", .parent = SINEW_NO_NODE, .rest = sinew_transform_identity()};
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = 1;
    def.nodes = &node;
    sinew_error error;
    if (sinew_skeleton_create(&def, &s->hinge, &error) != SINEW_OK) die(error.message);
    s->low = make_clip(s->hinge, &(swing){"low", 0.0, 0.0, 1.0}, false);
    s->middle = make_clip(s->hinge, &(swing){"middle", 40.0, 0.0, 1.0}, false);
    s->high = make_clip(s->hinge, &(swing){"high", 80.0, 0.0, 1.0}, false);
    s->swing = make_clip(s->hinge, &(swing){"swing", 0.0, 30.0, 1.0}, false);
    s->flutter = make_clip(s->hinge, &(swing){"flutter", 60.0, 12.0, 0.6}, false);
    s->around = make_clip(s->hinge, &(swing){"around", 180.0, 40.0, 1.2}, false);
    s->shake = make_clip(s->hinge, &(swing){"shake", 0.0, 8.0, 0.2}, true);
}

// ---- All of it -----------------------------------------------------------------------------------------------

static const sinew_clip *hero_clip(const stage *s, const char *name) {
    const sinew_clip *clip = sinew_asset_find_clip(s->hero, name);
    if (!clip) die("the hero lacks a clip");
    return clip;
}

void stage_make(stage *s, const char *hero_path) {
    sinew_error error;
    if (sinew_gltf_load_file(hero_path, NULL, &s->hero, &error) != SINEW_OK) die(error.message);
    s->idle = hero_clip(s, "Idle");
    s->walk = hero_clip(s, "Walk");
    s->run = hero_clip(s, "Run");
    make_hinge(s);
}

void stage_free(stage *s) {
    sinew_clip *clips[7] = {s->low, s->middle, s->high, s->swing, s->flutter, s->around, s->shake};
    for (int i = 0; i < 7; i++) sinew_clip_destroy(clips[i]);
    sinew_skeleton_destroy(s->hinge);
    sinew_asset_destroy(s->hero);
}

sinew_mixer_def hinge_def(const stage *s) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s->hinge;
    return def;
}

sinew_mixer_def hero_def(const stage *s) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s->hero->skeleton;
    return def;
}

sinew_mixer *make_mixer(const sinew_mixer_def *def) {
    sinew_mixer *mixer;
    sinew_error error;
    if (sinew_mixer_create(def, &mixer, &error) != SINEW_OK) die(error.message);
    return mixer;
}

void step(sinew_mixer *mixer) {
    sinew_mixer_update(mixer, 1.0f / (float)RATE);
}

double hinge_angle(sinew_mixer *mixer) {
    sinew_quat turn = sinew_pose_get(sinew_mixer_pose(mixer), 0).rotation;
    double degrees = 2.0 * atan2((double)turn.z, (double)turn.w) * 180.0 / PI;
    return degrees > 180.0 ? degrees - 360.0 : degrees < -180.0 ? degrees + 360.0 : degrees;
}

int32_t hero_node(const sinew_skeleton *skeleton, const char *name) {
    int32_t node = sinew_skeleton_find(skeleton, name);
    if (node == SINEW_NO_NODE) die("the hero lacks a node");
    return node;
}
