// SPDX-License-Identifier: MIT
// A session: a character with clips and blend spaces, and random calls of every kind on its mixer, the same on every
// machine. The golden hash and the tests of snapshots and recordings use it. Valid as C and C++. Include it after
// <sinew/all.h>.
#ifndef SESSION_H
#define SESSION_H

#include <stdlib.h>
#include <string.h>

#define SESSION_NODES   21
#define SESSION_CLIPS   5
#define SESSION_SPACES  3
#define SESSION_HANDLES 8

typedef struct session {
    sinew_skeleton *skeleton;
    sinew_clip *clips[SESSION_CLIPS];
    sinew_clip *additive;
    sinew_mask *masks[2];
    sinew_blend_space *spaces[SESSION_SPACES];
    sinew_root_motion_def root;
} session;

// The state of the caller: its random numbers, and its last action handles.
typedef struct session_caller {
    uint64_t seed;
    int calls;
    sinew_action handles[SESSION_HANDLES];
} session_caller;

static const char *const session_steps[2] = {"Foot_L", "Foot_R"};

// ---- Drawing -------------------------------------------------------------------------------------------------

static inline int32_t session_below(uint64_t *seed, int32_t limit) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int32_t)((*seed >> 33) % (uint32_t)limit);
}

// A multiple of 1/64, which no machine rounds.
static inline float session_draw(uint64_t *seed, float low, float high) {
    return low + (float)session_below(seed, (int32_t)((high - low) * 64.0f) + 1) * 0.015625f;
}

static inline void session_demand(sinew_result result) {
    if (result != SINEW_OK) abort();
}

// ---- A character ---------------------------------------------------------------------------------------------

static inline sinew_quat session_rotation(uint64_t *seed) {
    sinew_quat q = {0, 0, 0, 1.5f};
    q.x = session_draw(seed, -1, 1);
    q.y = session_draw(seed, -1, 1);
    q.z = session_draw(seed, -1, 1);
    return sinew_quat_normalize(q);
}

static inline sinew_skeleton *session_skeleton(uint64_t *seed) {
    static const char *const names[SESSION_NODES] = {"Root", "Hips", "Spine", "Chest"};
    sinew_node_def nodes[SESSION_NODES];
    memset(nodes, 0, sizeof nodes);
    for (int i = 0; i < SESSION_NODES; i++) {
        nodes[i].name = names[i];
        nodes[i].parent = i < 4 ? i - 1 : (i - 1) / 2;
        nodes[i].rest = sinew_transform_identity();
        nodes[i].rest.translation.y = session_draw(seed, 0.25f, 1);
        if (i > 1) nodes[i].rest.rotation = session_rotation(seed);
        nodes[i].weight_count = i == 9 ? 3 : 0;
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = SESSION_NODES;
    def.nodes = nodes;
    sinew_skeleton *skeleton;
    session_demand(sinew_skeleton_create(&def, &skeleton, NULL));
    return skeleton;
}

// Every node rotates, the hips move over the ground, two feet have markers, and morph weights change.
static inline sinew_clip *session_clip(uint64_t *seed, const sinew_skeleton *skeleton, const char *name,
                                       float duration) {
    enum { KEYS = 5 };
    static float times[KEYS], turns[SESSION_NODES][4 * KEYS], places[3 * KEYS], weights[3 * KEYS];
    sinew_channel_def channels[SESSION_NODES + 2];
    for (int k = 0; k < KEYS; k++) times[k] = duration * (0.25f * (float)k);
    for (int i = 0; i < SESSION_NODES; i++) {
        for (int k = 0; k < KEYS; k++) {
            sinew_quat q = session_rotation(seed);
            memcpy(&turns[i][(ptrdiff_t)4 * k], &q, sizeof q);
        }
        sinew_channel_def turn = {i, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, KEYS, times, turns[i]};
        channels[i] = turn;
    }
    for (int i = 0; i < 3 * KEYS; i++) places[i] = session_draw(seed, -1, 1);
    for (int i = 0; i < 3 * KEYS; i++) weights[i] = session_draw(seed, 0, 1);
    sinew_channel_def place = {1, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, KEYS, times, places};
    sinew_channel_def weight = {
        skeleton->node_of_source[9], SINEW_TARGET_WEIGHTS, SINEW_INTERPOLATION_STEP, KEYS, times, weights};
    channels[SESSION_NODES] = place;
    channels[SESSION_NODES + 1] = weight;
    const sinew_marker markers[2] = {{session_steps[0], times[1]}, {session_steps[1], times[3]}};
    sinew_clip_def def = sinew_clip_default();
    def.name = name;
    def.skeleton = skeleton;
    def.channels = channels;
    def.channel_count = SESSION_NODES + 2;
    def.markers = markers;
    def.marker_count = duration > 0.5f ? 2 : 0;
    sinew_clip *clip;
    session_demand(sinew_clip_create(&def, &clip, NULL));
    return clip;
}

static inline void session_make_spaces(session *s) {
    const sinew_blend_sample samples[4] = {
        {s->clips[0], 0, 0, 1}, {s->clips[1], 1, 0, 1}, {s->clips[2], 0.25f, 1, 1.5f}, {s->clips[3], -1, -0.5f, 1}};
    for (int kind = 0; kind < SESSION_SPACES; kind++) {
        sinew_blend_space_def def = sinew_blend_space_default();
        def.skeleton = s->skeleton;
        def.kind = (sinew_blend_space_kind)kind;
        def.samples = samples;
        def.sample_count = 4;
        def.sync_names = session_steps;
        def.sync_name_count = 2;
        def.damping = 0.125f;
        session_demand(sinew_blend_space_create(&def, &s->spaces[kind], NULL));
    }
}

static inline void session_open(session *s) {
    static const char *const names[SESSION_CLIPS] = {"Idle", "Walk", "Run", "Jump", "Walk"};
    static const float durations[SESSION_CLIPS] = {2, 1, 0.75f, 0.5f, 1.25f};
    uint64_t seed = 7;
    s->skeleton = session_skeleton(&seed);
    for (int i = 0; i < SESSION_CLIPS; i++) s->clips[i] = session_clip(&seed, s->skeleton, names[i], durations[i]);
    session_demand(sinew_clip_make_additive(s->clips[0], NULL, NULL, &s->additive, NULL));
    for (int i = 0; i < 2; i++) {
        session_demand(sinew_mask_create(s->skeleton, 0, NULL, &s->masks[i]));
        sinew_mask_set_subtree(s->masks[i], 2 + i, 0.75f, i);
    }
    session_make_spaces(s);
    s->root = sinew_root_motion_default();
    s->root.skeleton = s->skeleton;
    s->root.node = 1;
}

static inline void session_close(session *s) {
    for (int i = 0; i < SESSION_SPACES; i++) sinew_blend_space_destroy(s->spaces[i]);
    for (int i = 0; i < 2; i++) sinew_mask_destroy(s->masks[i]);
    sinew_clip_destroy(s->additive);
    for (int i = 0; i < SESSION_CLIPS; i++) sinew_clip_destroy(s->clips[i]);
    sinew_skeleton_destroy(s->skeleton);
}

// Few slots, so they run out; three layers, the last one additive; root motion.
static inline sinew_mixer_def session_def(const session *s) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s->skeleton;
    def.max_actions = 6;
    def.layer_count = 3;
    def.max_blend_spaces = 2;
    def.max_events = 16;
    def.sync_names = session_steps;
    def.sync_name_count = 2;
    def.root_motion = &s->root;
    return def;
}

// ---- Calls ---------------------------------------------------------------------------------------------------

static inline sinew_transition session_transition(uint64_t *seed) {
    sinew_transition how = sinew_transition_default();
    how.kind = (sinew_transition_kind)session_below(seed, 3);
    how.duration = session_below(seed, 8) == 0 ? 0 : session_draw(seed, 0, 0.75f);
    how.easing = (sinew_easing)session_below(seed, 3);
    how.match_rate = session_below(seed, 4) == 0;
    return how;
}

static inline sinew_play_def session_play_def(uint64_t *seed) {
    sinew_play_def def = sinew_play_default();
    if (session_below(seed, 4) == 0) def.time = session_draw(seed, 0, 2);
    if (session_below(seed, 3) == 0) def.speed = session_draw(seed, -2, 2);
    if (session_below(seed, 3) == 0) def.weight = session_draw(seed, 0, 1.5f);
    def.fade = session_draw(seed, 0, 0.5f);
    def.easing = (sinew_easing)session_below(seed, 3);
    def.layer = session_below(seed, 4) == 0 ? 1 : 0;
    def.sync = session_below(seed, 3) == 0 ? 1 + session_below(seed, 2) : 0;
    def.loop = (sinew_loop)session_below(seed, 3);
    if (session_below(seed, 2) == 0) def.loop_count = 1 + session_below(seed, 4);
    def.allow_duplicate = session_below(seed, 3) == 0;
    return def;
}

static inline const sinew_clip *session_any_clip(const session *s, uint64_t *seed, sinew_play_def *def) {
    if (session_below(seed, 8) > 0) return s->clips[session_below(seed, SESSION_CLIPS)];
    def->layer = 2;
    return s->additive;
}

// Plays a clip or a blend space by one of the calls that can.
static inline void session_start(const session *s, sinew_mixer *mixer, session_caller *c) {
    uint64_t *seed = &c->seed;
    sinew_play_def def = session_play_def(seed);
    sinew_transition how = session_transition(seed);
    sinew_action *to = &c->handles[session_below(seed, SESSION_HANDLES)];
    const sinew_clip *clip = session_any_clip(s, seed, &def);
    const sinew_blend_space *space = s->spaces[session_below(seed, SESSION_SPACES)];
    float x = session_draw(seed, -1, 1), y = session_draw(seed, -1, 1);
    switch (session_below(seed, 8)) {
    case 0:
        *to = sinew_mixer_play(mixer, sinew_clip_source(clip), &def);
        break;
    case 1:
        *to = sinew_mixer_play(mixer, sinew_clip_source(s->clips[session_below(seed, SESSION_CLIPS)]), NULL);
        break;
    case 2:
        *to = sinew_mixer_crossfade_to(mixer, sinew_clip_source(clip), how.duration, &def);
        break;
    case 3:
        if (def.layer == 2) def.layer = 0;
        *to = session_below(seed, 4)
                  ? sinew_mixer_transition_to(mixer, sinew_blend_space_source(space, x, y), &how, &def)
                  : sinew_mixer_play(mixer, sinew_blend_space_source(space, x, y), &def);
        break;
    default:
        *to = sinew_mixer_transition_to(mixer, sinew_clip_source(clip), &how, &def);
        break;
    }
}

// Changes one of the actions, or its queued action.
static inline void session_change(const session *s, sinew_mixer *mixer, session_caller *c) {
    uint64_t *seed = &c->seed;
    sinew_action action = c->handles[session_below(seed, SESSION_HANDLES)];
    float x = session_draw(seed, 0, 1), y = session_draw(seed, 0, 0.5f);
    sinew_play_def def = session_play_def(seed);
    sinew_transition how = session_transition(seed);
    const sinew_clip *clip = session_any_clip(s, seed, &def);
    switch (session_below(seed, 16)) {
    case 0:
        sinew_action_stop(mixer, action);
        break;
    case 1:
        sinew_action_set_paused(mixer, action, true);
        break;
    case 2:
        sinew_action_set_paused(mixer, action, false);
        break;
    case 3:
        sinew_action_reset(mixer, action);
        break;
    case 4:
        sinew_action_fade_to(mixer, action, x, y);
        break;
    case 5:
        sinew_action_fade_in(mixer, action, y);
        break;
    case 6:
        sinew_action_fade_out(mixer, action, y);
        break;
    case 7:
        sinew_action_set_time(mixer, action, 2 * x);
        break;
    case 8:
        sinew_action_set_speed(mixer, action, 4 * x - 2);
        break;
    case 9:
        sinew_action_set_weight(mixer, action, x);
        break;
    case 10:
        sinew_action_set_loop(mixer, action, def.loop,
                              1 + session_below(seed, 3)); // one draw: arguments have no order
        break;
    case 11:
        sinew_action_set_parameter(mixer, action, 2 * x - 1, 4 * y - 1);
        break;
    case 12:
        sinew_action_queue(mixer, action, sinew_clip_source(clip), &how, &def);
        break;
    case 13:
        clip = sinew_action_get(mixer, action).clip; // in its layer: additive after additive
        clip = clip && clip->additive ? s->additive : s->clips[2];
        sinew_action_queue(mixer, action, sinew_clip_source(session_below(seed, 3) ? clip : NULL), NULL, NULL);
        break;
    case 14:
        sinew_action_queue_previous(mixer, action, session_below(seed, 2) ? &how : NULL);
        break;
    default:
        sinew_action_fade_out(mixer, action, y);
        sinew_action_fade_in(mixer, c->handles[session_below(seed, SESSION_HANDLES)], y);
        break;
    }
}

static inline void session_change_layer(const session *s, sinew_mixer *mixer, session_caller *c) {
    uint64_t *seed = &c->seed;
    int32_t layer = 1 + session_below(seed, 2), mask = session_below(seed, 3);
    float x = session_draw(seed, 0, 1), y = session_draw(seed, 0, 0.5f);
    switch (session_below(seed, 8)) {
    case 0:
        sinew_mixer_stop_all(mixer);
        break;
    case 1:
        sinew_layer_set_weight(mixer, layer, x);
        break;
    case 2:
    case 3:
        sinew_layer_set_mask(mixer, layer, mask < 2 ? s->masks[mask] : NULL);
        break;
    default:
        sinew_layer_fade_to(mixer, layer, x, y, (sinew_easing)session_below(seed, 3));
        break;
    }
}

static inline void session_frame(sinew_mixer *mixer, session_caller *c) {
    float dt = session_below(&c->seed, 10) ? 0.015625f : session_draw(&c->seed, 0, 1);
    if (session_below(&c->seed, 4)) {
        sinew_mixer_update(mixer, dt);
        return;
    }
    sinew_mixer_advance(mixer, dt);
    if (session_below(&c->seed, 3) == 0) return; // what is not looked at
    sinew_mixer_evaluate(mixer);
    sinew_mixer_to_model(mixer);
}

// Makes the next call, or a frame's two calls. The first call sets the third layer's mode.
static inline void session_call(const session *s, sinew_mixer *mixer, session_caller *c) {
    if (c->calls++ == 0) {
        sinew_layer_set_mode(mixer, 2, SINEW_LAYER_ADDITIVE);
        return;
    }
    int32_t what = session_below(&c->seed, 10);
    if (what < 5) {
        session_frame(mixer, c);
    } else if (what < 7) {
        session_start(s, mixer, c);
    } else if (what < 9) {
        session_change(s, mixer, c);
    } else {
        session_change_layer(s, mixer, c);
    }
}

#endif
