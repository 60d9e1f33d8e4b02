// SPDX-License-Identifier: MIT
// Plays a file with random calls that both the library and the npm package have, the same on every machine. golden.c
// and tests/web/golden.mjs make the same calls, hash all results, and compare with the same hash. Valid as C and C++.
// Include it after session.h and the functions of golden.c that it uses.
#ifndef PLAYED_H
#define PLAYED_H

enum { PLAYED_CALLS = 3000, PLAYED_DRAWS = 12, PLAYED_LAYERS = 3, PLAYED_MASKS = 2, PLAYED_SPACES = 3 };

typedef struct played {
    const sinew_asset *asset;
    sinew_mixer *mixer;
    sinew_clip *additive; // of the first clip, beyond its own start
    sinew_mask *masks[PLAYED_MASKS];
    sinew_blend_space *spaces[PLAYED_SPACES];
    sinew_affine *palette;
    float time_scale;
    void *snapshot; // NULL: none yet
    float saved_time_scale;
    int32_t draws[PLAYED_DRAWS]; // for this call, each from 0 to 63
    int32_t frames;
} played;

// ---- Clips and spaces ----------------------------------------------------------------------------------------

static inline void played_open_spaces(played *p) {
    const float places[4][2] = {{0, 0}, {1, 0}, {0.25f, 1}, {-1, -0.5f}};
    sinew_blend_sample samples[4];
    for (int i = 0; i < 4; i++) {
        samples[i].clip = &p->asset->clips[i];
        samples[i].x = places[i][0];
        samples[i].y = places[i][1];
        samples[i].speed = i == 2 ? 1.5f : 1;
    }
    for (int kind = 0; kind < PLAYED_SPACES; kind++) {
        sinew_blend_space_def def = sinew_blend_space_default();
        def.skeleton = p->asset->skeleton;
        def.kind = (sinew_blend_space_kind)kind;
        def.samples = samples;
        def.sample_count = 4;
        def.sync_names = session_steps;
        def.sync_name_count = 2;
        def.damping = 0.125f;
        demand(sinew_blend_space_create(&def, &p->spaces[kind], NULL), "blend space");
    }
}

static inline void played_open_mixer(played *p) {
    sinew_root_motion_def root = sinew_root_motion_default();
    root.skeleton = p->asset->skeleton;
    root.node = sinew_skeleton_find(p->asset->skeleton, "Hips");
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = p->asset->skeleton;
    def.max_actions = 6;
    def.layer_count = PLAYED_LAYERS;
    def.max_blend_spaces = 4;
    def.sync_names = session_steps;
    def.sync_name_count = 2;
    def.root_motion = &root;
    demand(sinew_mixer_create(&def, &p->mixer, NULL), "mixer");
    sinew_layer_set_mode(p->mixer, 2, SINEW_LAYER_ADDITIVE);
    sinew_mixer_update(p->mixer, 0);
}

static inline void played_open(played *p, const sinew_asset *asset) {
    memset(p, 0, sizeof *p);
    p->asset = asset;
    p->time_scale = 1;
    sinew_pose *pose;
    demand(sinew_pose_create(asset->skeleton, NULL, &pose), "pose");
    sinew_clip_sample(&asset->clips[0], 0, pose);
    demand(sinew_clip_make_additive(&asset->clips[0], pose, NULL, &p->additive, NULL), "additive clip");
    sinew_pose_destroy(pose);
    for (int i = 0; i < PLAYED_MASKS; i++) {
        demand(sinew_mask_create(asset->skeleton, 0, NULL, &p->masks[i]), "mask");
        sinew_mask_set_subtree(p->masks[i], 3 + i, 0.75f, 2 * i);
    }
    p->palette = (sinew_affine *)take((size_t)asset->skins[0].joint_count, sizeof *p->palette);
    played_open_spaces(p);
    played_open_mixer(p);
}

static inline void played_close(played *p) {
    sinew_mixer_destroy(p->mixer);
    for (int i = 0; i < PLAYED_SPACES; i++) sinew_blend_space_destroy(p->spaces[i]);
    for (int i = 0; i < PLAYED_MASKS; i++) sinew_mask_destroy(p->masks[i]);
    sinew_clip_destroy(p->additive);
    free(p->palette);
    free(p->snapshot);
}

// ---- Random numbers ------------------------------------------------------------------------------------------

// In [-2, 2).
static inline float played_speed(const played *p) {
    return p->draws[4] % 3 ? 1 : (float)(p->draws[3] - 32) * 0.0625f;
}

static inline float played_part(int32_t draw) {
    return (float)draw * 0.015625f;
}

static inline sinew_play_def played_def(const played *p, int32_t layer) {
    sinew_play_def def = sinew_play_default();
    def.speed = played_speed(p);
    def.weight = played_part(p->draws[5]);
    def.layer = layer;
    def.sync = p->draws[8] % 3 ? 0 : 1 + p->draws[8] % 2;
    def.loop = (sinew_loop)(p->draws[6] % 3);
    if (p->draws[7] % 4) def.loop_count = p->draws[7] % 4;
    return def;
}

static inline sinew_transition played_transition(const played *p) {
    sinew_transition how = sinew_transition_default();
    how.kind = (sinew_transition_kind)(p->draws[10] % 3);
    how.duration = played_part(p->draws[9]);
    how.match_rate = p->draws[10] % 4 == 0;
    return how;
}

// A clip or a blend space, in one of the layers.
typedef struct played_what {
    const sinew_clip *clip;
    const sinew_blend_space *space;
    int32_t layer;
} played_what;

static inline played_what played_clip(const played *p, int32_t first, int32_t second) {
    played_what what = {&p->asset->clips[first % p->asset->clip_count], NULL, second % 4 == 0};
    if (second < 56) return what;
    what.clip = p->additive;
    what.layer = 2;
    return what;
}

static inline played_what played_space(const played *p) {
    played_what what = {NULL, p->spaces[p->draws[1] % PLAYED_SPACES], p->draws[2] % 4 == 0};
    return what;
}

static inline sinew_action played_find(const played *p, played_what what) {
    return sinew_mixer_find(p->mixer, (sinew_source){.clip = what.clip, .blend_space = what.space}, what.layer);
}

// ---- Calls ---------------------------------------------------------------------------------------------------

// The play settings also apply to an action that's already playing.
static inline void played_prepare(const played *p, played_what what) {
    sinew_play_def def = played_def(p, what.layer);
    sinew_action action = played_find(p, what);
    sinew_action_set_speed(p->mixer, action, def.speed);
    sinew_action_set_weight(p->mixer, action, def.weight);
    if (what.clip) sinew_action_set_loop(p->mixer, action, def.loop, def.loop_count);
}

static inline void played_start_clip(const played *p) {
    played_what what = played_clip(p, p->draws[1], p->draws[2]);
    sinew_play_def def = played_def(p, what.layer);
    sinew_transition how = played_transition(p);
    played_prepare(p, what);
    sinew_action action = played_find(p, what);
    if (p->draws[11] % 8 > 1) {
        sinew_mixer_transition_to(p->mixer, sinew_clip_source(what.clip), &how, &def);
    } else if (!sinew_action_is_active(p->mixer, action) || sinew_action_is_finished(p->mixer, action)) {
        sinew_mixer_play(p->mixer, sinew_clip_source(what.clip), &def);
    }
}

static inline void played_start_space(const played *p) {
    played_what what = played_space(p);
    sinew_play_def def = played_def(p, what.layer);
    sinew_transition how = played_transition(p);
    float x = played_part(p->draws[6]), y = played_part(p->draws[7]);
    played_prepare(p, what);
    sinew_action_set_parameter(p->mixer, played_find(p, what), x, y);
    if (p->draws[11] % 8 == 7) {
        sinew_mixer_transition_to(p->mixer, sinew_blend_space_source(what.space, x, y), &how, &def);
    } else if (!sinew_action_is_active(p->mixer, played_find(p, what))) {
        sinew_mixer_play(p->mixer, sinew_blend_space_source(what.space, x, y), &def);
    }
}

static inline void played_follow(const played *p, sinew_action action) {
    played_what next = played_clip(p, p->draws[10], p->draws[11]);
    sinew_play_def def = played_def(p, next.layer);
    sinew_transition how = played_transition(p);
    if (!sinew_action_is_active(p->mixer, action)) return;
    played_prepare(p, next);
    sinew_action_queue(p->mixer, action, sinew_clip_source(next.clip), &how, &def);
}

static inline void played_change(const played *p) {
    sinew_mixer *mixer = p->mixer;
    played_what what = played_clip(p, p->draws[1], p->draws[2]);
    sinew_action action = played_find(p, what);
    sinew_play_def def = played_def(p, what.layer);
    sinew_transition how = played_transition(p);
    switch (p->draws[3] % 12) {
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
        sinew_action_set_paused(mixer, action, false);
        break;
    case 4:
        sinew_action_fade_out(mixer, action, how.duration);
        break;
    case 5:
        sinew_action_set_time(mixer, action, 2 * def.weight);
        break;
    case 6:
        sinew_action_set_speed(mixer, action, played_part(p->draws[4]));
        break;
    case 7:
        sinew_action_set_weight(mixer, action, def.weight);
        break;
    case 8:
        sinew_action_set_loop(mixer, action, def.loop, def.loop_count);
        break;
    case 9:
        played_follow(p, action);
        break;
    case 10:
        sinew_action_queue_previous(mixer, action, &how);
        break;
    default:
        sinew_action_set_parameter(mixer, played_find(p, played_space(p)), def.weight, played_part(p->draws[6]));
        break;
    }
}

static inline void played_snapshot(played *p) {
    if (p->draws[2] % 2 && p->snapshot) {
        if (!sinew_mixer_restore(p->mixer, p->snapshot, sinew_mixer_snapshot_size(p->mixer))) abort();
        p->time_scale = p->saved_time_scale;
        return;
    }
    if (!p->snapshot) p->snapshot = take(sinew_mixer_snapshot_size(p->mixer), 1);
    sinew_mixer_save(p->mixer, p->snapshot);
    p->saved_time_scale = p->time_scale;
}

static inline void played_change_all(played *p) {
    int32_t layer = 1 + p->draws[2] % 2, mask = p->draws[3] % 3;
    switch (p->draws[1] % 8) {
    case 0:
        sinew_mixer_stop_all(p->mixer);
        break;
    case 1:
        sinew_layer_set_mask(p->mixer, layer, mask < PLAYED_MASKS ? p->masks[mask] : NULL);
        break;
    case 2:
        p->time_scale = played_part(p->draws[4]) + 0.5f;
        break;
    case 3:
    case 4:
        played_snapshot(p);
        break;
    default:
        sinew_layer_fade_to(p->mixer, layer, played_part(p->draws[5]), played_part(p->draws[6]),
                            SINEW_EASING_LINEAR);
        break;
    }
}

// ---- Results -------------------------------------------------------------------------------------------------

static inline void played_add_events(const played *p) {
    const sinew_events events = sinew_mixer_events(p->mixer);
    for (int32_t i = 0; i < events.count; i++) {
        const sinew_event *event = &events.items[i];
        bool is_additive = event->clip == p->additive;
        add_number((uint64_t)event->type);
        add_number((uint64_t)event->layer);
        add_number(is_additive ? 1000 : (uint64_t)(event->clip - p->asset->clips));
        add_number(event->marker ? (uint64_t)(event->marker - event->clip->markers) : 1000);
    }
}

static inline void played_add(const played *p) {
    const sinew_mixer *mixer = p->mixer;
    const sinew_skeleton *skeleton = p->asset->skeleton;
    const sinew_affine *model = sinew_mixer_model_matrices(mixer);
    add_matrices(model, skeleton->node_count);
    add_floats(sinew_mixer_morph_weights(mixer), (size_t)skeleton->weight_count);
    sinew_skin_palette(&p->asset->skins[0], model, p->palette);
    add_matrices(p->palette, p->asset->skins[0].joint_count);
    sinew_root_delta delta = sinew_mixer_root_delta(mixer);
    const float moved[8] = {delta.translation.x, delta.translation.y, delta.translation.z, delta.rotation.x,
                            delta.rotation.y,    delta.rotation.z,    delta.rotation.w,    delta.yaw};
    add_floats(moved, 8);
    sinew_box box;
    sinew_bounds_pose(p->asset->bounds, model, sinew_mixer_morph_weights(mixer), &box, NULL);
    const float bounds[6] = {box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z};
    add_floats(bounds, 6);
    played_add_events(p);
    if (p->frames % 8 > 0) return;
    add_number(sinew_mixer_hash(mixer));
    add_pose(sinew_mixer_pose(p->mixer));
}

static inline void played_frame(played *p) {
    float dt = p->draws[1] < 56 ? 0.015625f : played_part(p->draws[2]);
    sinew_mixer_update(p->mixer, dt * p->time_scale);
    p->frames++;
    played_add(p);
}

static inline void played_call(played *p) {
    int32_t what = p->draws[0];
    if (what < 32) {
        played_frame(p);
    } else if (what < 46) {
        bool is_clip = p->draws[11] % 8 < 6;
        (is_clip ? played_start_clip : played_start_space)(p);
    } else if (what < 58) {
        played_change(p);
    } else {
        played_change_all(p);
    }
}

static inline void add_played(const sinew_asset *asset) {
    played p;
    played_open(&p, asset);
    uint64_t draws = 9;
    for (int call = 0; call < PLAYED_CALLS; call++) {
        for (int i = 0; i < PLAYED_DRAWS; i++) p.draws[i] = session_below(&draws, 64);
        played_call(&p);
    }
    played_close(&p);
}

#endif
