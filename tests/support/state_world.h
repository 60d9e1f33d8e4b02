// SPDX-License-Identifier: MIT
// A small character for tests of written states. Two builds of a program can have different nodes, clips and graphs.
// It has named nodes, morph weights, curves, and clips that move all of them.
#ifndef STATE_WORLD_H
#define STATE_WORLD_H

#include "support/random_rig.h"
#include "support/state_file.h"

#include <sinew/all.h>

#include <stdio.h>

enum { WORLD_NODES = 24, WORLD_CLIPS = 12, WORLD_CURVES = 2, WORLD_KEYS = 5 };

// What a build has, with names in its own order. All nodes are children of the first one.
typedef struct world_def {
    const char *nodes[WORLD_NODES + 1];   // ends with NULL; names that begin with M have two morph weights
    const char *clips[WORLD_CLIPS + 1];   // ends with NULL
    const char *curves[WORLD_CURVES + 1]; // ends with NULL
    const char *graph;                    // or NULL; ' for ", and ` for '
    float stretch;                        // factor for all durations; 0 means 1
} world_def;

typedef struct world {
    sinew_skeleton *skeleton;
    sinew_clip *clips[WORLD_CLIPS];
    int32_t clip_count;
    sinew_graph *graph;
    sinew_graph_binding *binding;
} world;

static const world_def world_plain = {
    .nodes = {"Root", "Hips", "Spine", "Chest", "Head", "Mouth", "Arm_L", "Arm_R", "Hand_L", "Hand_R", "Leg_L",
              "Leg_R", "Foot_L", "Foot_R", "Tail", "Hat", "Cape"},
    .clips = {"Idle", "Walk", "Run", "Jump", "Attack", "Wave"},
    .curves = {"Grip", "Reach"},
};

// Random numbers that only depend on two names, so equal things are equal in all builds.
static inline uint64_t world_seed(const char *a, const char *b) {
    uint64_t seed = SINEWI_FNV_START;
    sinewi_fnv_string(&seed, a);
    sinewi_fnv_string(&seed, b);
    return seed;
}

static inline sinew_skeleton *make_world_skeleton(const world_def *w) {
    sinew_node_def nodes[WORLD_NODES] = {{0}};
    int32_t count = 0, curves = 0;
    for (; w->nodes[count]; count++) {
        uint64_t seed = world_seed(w->nodes[count], "rest");
        nodes[count].name = w->nodes[count];
        nodes[count].parent = count == 0 ? SINEW_NO_NODE : 0;
        nodes[count].rest = sinew_transform_identity();
        nodes[count].rest.translation.y = session_draw(&seed, 0.25f, 1);
        nodes[count].rest.rotation = session_rotation(&seed);
        nodes[count].weight_count = w->nodes[count][0] == 'M' ? 2 : 0;
    }
    while (w->curves[curves]) curves++;
    sinew_skeleton_def def = sinew_skeleton_default();
    def.nodes = nodes;
    def.node_count = count;
    def.curve_names = w->curves;
    def.curve_count = curves;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

typedef struct world_keys {
    float times[WORLD_KEYS], turns[WORLD_NODES][4 * WORLD_KEYS], moves[3 * WORLD_KEYS];
    float weights[WORLD_NODES][2 * WORLD_KEYS], curves[WORLD_CURVES][WORLD_KEYS];
} world_keys;

// Any rotation, with either sign, so contributions have sides. A clip's keys are close to each other.
static inline sinew_quat world_rotation(uint64_t *seed, int key) {
    sinew_quat q = {session_draw(seed, -1, 1), session_draw(seed, -1, 1), session_draw(seed, -1, 1),
                    session_draw(seed, -1, 1)};
    const sinew_quat turn = {0.1f * (float)(key % 3), 0, 0.05f * (float)(key % 2), 1};
    return sinew_quat_multiply(sinew_quat_normalize(turn), sinew_quat_normalize(q));
}

static inline float world_duration(const world_def *w, const char *clip) {
    uint64_t seed = world_seed(clip, "duration");
    return session_draw(&seed, 0.5f, 2) * (w->stretch > 0 ? w->stretch : 1);
}

static inline sinew_clip *make_world_clip(const world_def *w, const sinew_skeleton *skeleton, const char *name) {
    static world_keys keys;
    sinew_channel_def channels[2 * WORLD_NODES + WORLD_CURVES + 1];
    int32_t count = 0;
    const float duration = world_duration(w, name);
    for (int k = 0; k < WORLD_KEYS; k++) keys.times[k] = duration * (0.25f * (float)k);
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        uint64_t seed = world_seed(name, skeleton->names[i]);
        const uint64_t start = seed;
        for (int k = 0; k < WORLD_KEYS; k++) {
            seed = start;
            const sinew_quat q = world_rotation(&seed, k);
            memcpy(&keys.turns[i][(ptrdiff_t)4 * k], &q, sizeof q);
        }
        for (int k = 0; k < 2 * WORLD_KEYS; k++) keys.weights[i][k] = session_draw(&seed, 0, 1);
        const sinew_channel_def turn = {i,          SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, WORLD_KEYS,
                                        keys.times, keys.turns[i]};
        channels[count++] = turn;
        const sinew_channel_def weight = {i,          SINEW_TARGET_WEIGHTS, SINEW_INTERPOLATION_LINEAR,
                                          WORLD_KEYS, keys.times,           keys.weights[i]};
        if (skeleton->names[i][0] == 'M') channels[count++] = weight;
    }
    for (int32_t c = 0; c < skeleton->curve_count; c++) {
        uint64_t seed = world_seed(name, skeleton->curve_names[c]);
        for (int k = 0; k < WORLD_KEYS; k++) keys.curves[c][k] = session_draw(&seed, 0, 1);
        const sinew_channel_def curve = {c,          SINEW_TARGET_CURVE, SINEW_INTERPOLATION_LINEAR,
                                         WORLD_KEYS, keys.times,         keys.curves[c]};
        channels[count++] = curve;
    }
    uint64_t seed = world_seed(name, "moves");
    for (int k = 0; k < 3 * WORLD_KEYS; k++) keys.moves[k] = session_draw(&seed, -1, 1);
    const sinew_channel_def move = {
        0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, WORLD_KEYS, keys.times, keys.moves};
    channels[count++] = move;
    const sinew_marker markers[2] = {{"Foot_L", keys.times[1]}, {"Foot_R", keys.times[3]}};
    sinew_clip_def def = sinew_clip_default();
    def.name = name;
    def.skeleton = skeleton;
    def.channels = channels;
    def.channel_count = count;
    def.markers = markers;
    def.marker_count = name[0] == 'W' || name[0] == 'R' ? 2 : 0;
    sinew_clip *clip;
    assert_int_equal(sinew_clip_create(&def, &clip, NULL), SINEW_OK);
    return clip;
}

static inline const sinew_clip *world_clip(const world *w, const char *name) {
    for (int32_t i = 0; i < w->clip_count; i++)
        if (strcmp(w->clips[i]->name, name) == 0) return w->clips[i];
    return NULL;
}

static inline const sinew_clip *find_world_clip(const char *name, void *user) {
    return world_clip(user, name);
}

static inline sinew_graph *read_world_graph(const char *text) {
    static char json[8192];
    const size_t length = strlen(text);
    assert_true(length < sizeof json);
    for (size_t i = 0; i <= length; i++) json[i] = text[i] == '\'' ? '"' : text[i] == '`' ? '\'' : text[i];
    sinew_graph *graph;
    sinew_error error;
    if (sinew_graph_load_memory(json, length, NULL, &graph, &error) != SINEW_OK) fail_msg("%s", error.message);
    return graph;
}

// Don't move `w`: its binding looks up clips in it.
static inline void open_world(world *w, const world_def *def) {
    memset(w, 0, sizeof *w);
    w->skeleton = make_world_skeleton(def);
    for (; def->clips[w->clip_count]; w->clip_count++)
        w->clips[w->clip_count] = make_world_clip(def, w->skeleton, def->clips[w->clip_count]);
    if (!def->graph) return;
    w->graph = read_world_graph(def->graph);
    sinew_graph_binding_def binding = sinew_graph_binding_default();
    binding.graph = w->graph;
    binding.skeleton = w->skeleton;
    binding.find_clip = find_world_clip;
    binding.user = w;
    sinew_error error;
    if (sinew_graph_bind(&binding, &w->binding, &error) != SINEW_OK) fail_msg("%s", error.message);
}

static inline void close_world(world *w) {
    sinew_graph_binding_destroy(w->binding);
    sinew_graph_destroy(w->graph);
    for (int32_t i = 0; i < w->clip_count; i++) sinew_clip_destroy(w->clips[i]);
    sinew_skeleton_destroy(w->skeleton);
}

// The reported names, as "kind name, kind name".
typedef struct world_report {
    char text[2048];
    sinew_state_report report;
} world_report;

static inline void add_unknown(const char *kind, const char *name, void *user) {
    world_report *r = user;
    const size_t length = strlen(r->text), room = sizeof r->text - length;
    const int added = snprintf(r->text + length, room, "%s%s %s", length > 0 ? ", " : "", kind, name);
    assert_true(added > 0 && (size_t)added < room);
}

static inline void start_report(world_report *r) {
    r->text[0] = '\0';
    r->report = (sinew_state_report){add_unknown, r};
}

#endif
