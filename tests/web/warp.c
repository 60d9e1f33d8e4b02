// SPDX-License-Identifier: MIT
// Warps a clip with warp.mjs's calls: warp HERO COUNT. Each line is a warp: the hash of all its results.
#include <sinew/all.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(const char *message) {
    fprintf(stderr, "%s\n", message);
    exit(1);
}

static uint32_t hash = 0;

static void add(const void *data, size_t size) {
    const unsigned char *bytes = (const unsigned char *)data;
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 16777619;
}

// ---- Random numbers, exact in single precision -----------------------------------------------------------------

static uint32_t random_state = 1;

static uint32_t draw(uint32_t count) {
    random_state = random_state * 1664525 + 1013904223;
    return (random_state >> 8) % count;
}

static float draw_between(int from, int to) {
    return (float)from + (float)draw((uint32_t)(to - from) * 256) / 256.0f;
}

static sinew_root_warp_transform draw_transform(void) {
    static const float yaws[4][2] = {{0.0f, 1.0f}, {0.6f, 0.8f}, {-0.8f, 0.6f}, {0.28f, 0.96f}};
    float x = draw_between(-2, 2), y = draw_between(-1, 1), z = draw_between(-2, 2);
    const float *yaw = yaws[draw(4)];
    return (sinew_root_warp_transform){{x, y, z}, {0.0f, yaw[0], 0.0f, yaw[1]}};
}

// ---- Warps -------------------------------------------------------------------------------------------------------

static void add_results(const sinew_root_warp_def *def, const sinew_root_warp *warp) {
    add(&warp->missed_distance, sizeof warp->missed_distance);
    add(&warp->missed_turn, sizeof warp->missed_turn);
    for (int i = 0; i < 8; i++) {
        float from = draw_between(-1, 3), to = draw_between(-1, 3);
        sinew_root_warp_transform transform = sinew_root_warp_at(def, warp, from);
        sinew_root_delta delta = sinew_root_warp_delta(def, warp, from, to);
        add(&transform, sizeof transform);
        add(&delta.translation, sizeof delta.translation);
        add(&delta.rotation, sizeof delta.rotation);
        add(&delta.yaw, sizeof delta.yaw);
    }
}

static void warp_once(sinew_root_warp_def *def) {
    hash = 2166136261;
    def->start = draw_between(0, 1) / 2.0f;
    def->end = 0.5f + draw_between(0, 1) / 8.0f;
    def->max_speed = 1.0f + draw_between(0, 2);
    def->added_speed = draw_between(0, 6);
    def->max_turn_rate = draw_between(0, 7);
    sinew_root_warp warp;
    sinew_error error;
    sinew_root_warp_transform start = draw_transform(), goal = draw_transform();
    float time = draw_between(0, 1) / 2.0f;
    if (sinew_root_warp_begin(def, time, start, goal, &warp, &error) != SINEW_OK) fail(error.message);
    add_results(def, &warp);
    float late = draw_between(0, 1);
    sinew_root_warp_transform next = draw_transform(), now = draw_transform();
    sinew_root_warp_set_goal(def, &warp, late, draw(2) ? &now : NULL, next);
    add_results(def, &warp);
    printf("%08" PRIx32 "\n", hash);
}

int main(int count, char **arguments) {
    if (count != 3) fail("usage: warp HERO COUNT");
    sinew_asset *hero;
    sinew_error error;
    if (sinew_gltf_load_file(arguments[1], NULL, &hero, &error) != SINEW_OK) fail(error.message);
    sinew_root_motion_def motion = sinew_root_motion_default();
    motion.skeleton = hero->skeleton;
    motion.node = sinew_skeleton_find(hero->skeleton, "Hips");
    motion.y = true;
    sinew_root_warp_def def = sinew_root_warp_default();
    def.root_motion = &motion;
    const long warps = strtol(arguments[2], NULL, 10);
    for (int i = 0; i < warps; i++) {
        def.clip = sinew_asset_find_clip(hero, i % 2 ? "Jump" : "Run");
        warp_once(&def);
    }
    sinew_asset_destroy(hero);
    return 0;
}
