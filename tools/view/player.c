// SPDX-License-Identifier: MIT
// Playback: mixers, clips, time, speeds.
#include "view/player.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float speeds[] = {0.1f, 0.25f, 0.5f, 0.75f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f};
static const float fades[] = {0.0f, 0.05f, 0.1f, 0.2f, 0.3f, 0.5f, 0.75f, 1.0f, 1.5f, 2.0f, 3.0f};

enum { SPEEDS = sizeof speeds / sizeof speeds[0], FADES = sizeof fades / sizeof fades[0], MAX_ACTIONS = 64 };

view_settings view_default_settings(void) {
    static const char *const steps[] = {"Foot_L", "Foot_R"};
    return (view_settings){.kinds = {VIEW_FADE_LINEAR, VIEW_INERTIALIZE},
                           .fade = 0.3f,
                           .speed = 1.0f,
                           .loop = SINEW_LOOP_REPEAT,
                           .step_names = steps,
                           .step_name_count = 2};
}

const char *view_file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// ---- Creating ------------------------------------------------------------------------------------------------

void view_player_set_root_motion(const view_player *player, sinew_mixer_def *def, sinew_root_motion_def *root) {
    *root = sinew_root_motion_default();
    root->skeleton = player->asset->skeleton;
    root->node = player->root;
    root->up = player->asset->up;
    if (root->up == SINEW_UP_Z) root->y = true;
    if (root->up == SINEW_UP_Z) root->z = false;
    if (player->root != SINEW_NO_NODE) def->root_motion = root;
}

static void explain_root(const view_player *player, sinew_error *error) {
    if (error->result == SINEW_ERROR_OUT_OF_MEMORY) {
        snprintf(error->message, sizeof error->message, "out of memory");
    } else {
        snprintf(error->message, sizeof error->message,
                 "'%.100s' cannot have root motion: it or a parent has a non-uniform scale",
                 player->asset->skeleton->names[player->root]);
    }
}

// Replaces an instance's mixer. Root motion is part of a mixer's def, so that a change of it needs a new mixer.
static bool make_mixer(view_player *player, int side, sinew_error *error) {
    sinew_mixer_def def = sinew_mixer_default();
    sinew_root_motion_def root;
    def.max_actions = MAX_ACTIONS;
    def.layer_count = VIEW_ALL_LAYER + 1;
    def.sync_names = player->settings.step_names;
    def.sync_name_count = player->settings.step_name_count;
    view_player_set_root_motion(player, &def, &root);
    return sinew_scene_set_mixer(player->scene, player->nodes[side], &def, error) == SINEW_OK;
}

bool view_player_begin_side(view_player *player, int side, sinew_error *error) {
    const sinew_clip *clip = player->chosen < 0 ? NULL : &player->asset->clips[player->chosen];
    const float time = view_player_time(player);
    if (view_player_has_graph(player) ? !view_player_remake_animator(player, error)
                                      : !make_mixer(player, side, error)) {
        explain_root(player, error);
        return false;
    }
    if (view_player_has_graph(player)) return true;
    sinew_mixer *mixer = sinew_scene_mixer(player->scene, player->nodes[side]);
    player->mixers[side] = mixer;
    player->mains[side] = (sinew_action){0};
    if (side == 0) player->space_action = (sinew_action){0};
    if (player->plays_all) {
        view_player_begin_all(player, side, time);
    } else if (player->in_space) {
        sinew_play_def def = view_player_def(player, NULL);
        player->mains[side] =
            sinew_mixer_play(mixer, sinew_blend_space_source(player->space, player->x, player->y), &def);
        sinew_action_set_time(mixer, player->mains[side], time);
        if (side == 0) player->space_action = player->mains[0];
    } else if (clip) {
        sinew_play_def def = view_player_def(player, clip);
        def.time = time;
        player->mains[side] = sinew_mixer_play(mixer, sinew_clip_source(clip), &def);
    }
    view_player_begin_layer(player, side);
    return true;
}

bool view_player_create(view_player *player, sinew_scene *scene, sinew_scene_node node,
                        const view_settings *settings) {
    sinew_error error;
    const sinew_asset *asset = sinew_scene_asset(scene, node);
    *player = (view_player){.asset = asset,
                            .scene = scene,
                            .nodes = {node},
                            .settings = *settings,
                            .chosen = -1,
                            .root = SINEW_NO_NODE};
    for (int side = 0; side < VIEW_SIDES; side++) view_walk_clear(&player->walks[side]);
    return view_layer_create(&player->layer, asset) && view_player_begin_side(player, 0, &error);
}

bool view_player_apply_settings(view_player *player, sinew_error *error) {
    const char *root = player->settings.root;
    bool good = view_space_read(player->asset, &player->settings, &player->space, error);
    view_player_steer_by(player, 0.0f, 0.0f); // clamps the parameter to the samples' extent
    if (!root) return good;
    const int32_t node = sinew_skeleton_find(player->asset->skeleton, root);
    if (node != SINEW_NO_NODE) return view_player_set_root(player, node, error) && good;
    error->result = SINEW_ERROR_ARGUMENT;
    snprintf(error->message, sizeof error->message, "no node '%.100s'", root);
    return false;
}

void view_player_free(view_player *player) {
    view_graph_free(&player->graph);
    sinew_blend_space_destroy(player->space);
    draw_all_clips_free(&player->all);
    view_layer_free(&player->layer, player->asset ? player->asset->clip_count : 0);
    *player = (view_player){.chosen = -1, .layer.clip = -1, .root = SINEW_NO_NODE};
}

// ---- Queries -------------------------------------------------------------------------------------------------

sinew_action view_player_main(const view_player *player) {
    return player->mains[0];
}

const sinew_clip *view_player_clip(const view_player *player) {
    if (player->in_space || view_player_has_graph(player))
        return sinew_action_clip(player->mixers[0], view_player_main(player));
    return player->chosen < 0 ? NULL : &player->asset->clips[player->chosen];
}

float view_player_time(const view_player *player) {
    return player->mixers[0] ? sinew_action_time(player->mixers[0], view_player_main(player)) : 0.0f;
}

int32_t view_player_number(const view_player *player, const sinew_clip *clip) {
    if (player->all.count > 0 && clip == player->all.clips[0]) return player->all.longest;
    for (int32_t i = 0; i < player->asset->clip_count; i++) {
        if (clip == &player->asset->clips[i] || clip == player->layer.differences[i]) return i;
    }
    for (int32_t i = 0; clip && i < player->asset->clip_count; i++) { // an additive clip of a graph
        if (strcmp(clip->name, player->asset->clips[i].name) == 0) return i;
    }
    return 0;
}

int view_player_actions(const view_player *player, sinew_action *actions) {
    sinew_action all[MAX_ACTIONS];
    const int32_t count = player->mixers[0] ? sinew_mixer_actions(player->mixers[0], all, MAX_ACTIONS) : 0;
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        if (!view_player_is_layer_action(player, 0, all[i])) all[kept++] = all[i];
    }
    const int32_t skipped = kept > VIEW_MAX_WEIGHTS ? kept - VIEW_MAX_WEIGHTS : 0;
    for (int32_t i = skipped; i < kept; i++) actions[i - skipped] = all[i];
    return (int)(kept - skipped);
}

static void add_weight(view_weight *weights, int *count, int32_t clip, float weight) {
    int i = 0;
    while (i < *count && weights[i].clip != clip) i++;
    if (i == VIEW_MAX_WEIGHTS) return;
    if (i == *count) weights[(*count)++] = (view_weight){clip, 0.0f};
    weights[i].weight += weight;
}

// Adds the weights of the blend space's samples, times the weight of its action.
static void add_space_weights(const view_player *player, const sinew_blend_space *space, sinew_action action,
                              view_weight *weights, int *count) {
    const sinew_blend_parameter at = sinew_action_parameter(player->mixers[0], action);
    const float weight = sinew_action_weight(player->mixers[0], action);
    sinew_blend_weight samples[SINEW_MAX_BLEND_WEIGHTS];
    const int32_t sample_count = sinew_blend_space_weights(space, (float)at.x, (float)at.y, samples);
    for (int32_t i = 0; i < sample_count; i++) {
        const sinew_clip *clip = space->samples[samples[i].sample].clip;
        add_weight(weights, count, view_player_number(player, clip), weight * samples[i].weight);
    }
}

int view_player_weights(const view_player *player, view_weight *weights) {
    sinew_action actions[VIEW_MAX_WEIGHTS] = {0};
    const int actions_count = view_player_actions(player, actions);
    int count = 0;
    for (int i = 0; i < actions_count; i++) {
        const sinew_clip *clip = sinew_action_clip(player->mixers[0], actions[i]);
        const sinew_blend_space *space = sinew_action_source(player->mixers[0], actions[i]).blend_space;
        if (space) {
            add_space_weights(player, space, actions[i], weights, &count);
        } else {
            add_weight(weights, &count, view_player_number(player, clip),
                       sinew_action_weight(player->mixers[0], actions[i]));
        }
    }
    return count;
}

static bool is_playing(const sinew_mixer *mixer) {
    sinew_action actions[MAX_ACTIONS];
    const int32_t count = sinew_mixer_actions(mixer, actions, MAX_ACTIONS);
    for (int32_t i = 0; i < count; i++) {
        bool has_length = sinew_action_clip(mixer, actions[i])->duration > 0.0f;
        if (has_length && !sinew_action_is_finished(mixer, actions[i])) return true;
    }
    return false;
}

bool view_player_moves(const view_player *player) {
    if (!player->mixers[0] || player->paused) return false;
    if (view_player_has_graph(player)) return true; // conditions change with time
    for (int32_t i = 0; i < sinew_scene_instance_count(player->scene); i++) {
        const sinew_mixer *mixer = sinew_scene_mixer(player->scene, sinew_scene_instance(player->scene, i));
        if (mixer && is_playing(mixer)) return true;
    }
    return player->fading > 0.0f;
}

const char *view_loop_name(sinew_loop loop) {
    return loop == SINEW_LOOP_ONCE ? "once" : loop == SINEW_LOOP_REPEAT ? "repeat" : "ping-pong";
}

// ---- Choosing ------------------------------------------------------------------------------------------------

// The speed of actions. With a graph, which sets them itself, the speed is a factor of the scene's time.
static float signed_speed(const view_player *player) {
    if (view_player_has_graph(player)) return 1.0f;
    return player->settings.backward ? -player->settings.speed : player->settings.speed;
}

// Clips with a step marker are in one sync group.
static bool has_steps(const view_settings *settings, const sinew_clip *clip) {
    for (int32_t i = 0; i < clip->marker_count; i++) {
        for (int32_t k = 0; k < settings->step_name_count; k++) {
            if (strcmp(clip->markers[i].name, settings->step_names[k]) == 0) return true;
        }
    }
    return false;
}

sinew_play_def view_player_def(const view_player *player, const sinew_clip *clip) {
    sinew_play_def def = sinew_play_default();
    def.speed = signed_speed(player);
    def.loop = player->settings.loop;
    def.sync = player->settings.sync_steps && (!clip || has_steps(&player->settings, clip)) ? 1 : 0;
    return def;
}

void view_player_begin_transition(view_player *player, float duration) {
    view_player_end_all(player, duration);
    player->paused = false;
    player->returning = false;
    player->transition_age = 0.0f;
    player->transition_duration = duration;
    player->fading = fmaxf(player->fading, duration);
    player->last_time = view_player_time(player);
}

void view_player_choose(view_player *player, int32_t clip) {
    if (!player->mixers[0] || clip < 0 || clip >= player->asset->clip_count) return;
    if (view_player_has_graph(player)) return;
    const float duration = player->chosen < 0 ? 0.0f : player->settings.fade;
    player->chosen = clip;
    player->in_space = false;
    const sinew_play_def def = view_player_def(player, &player->asset->clips[clip]);
    for (int side = 0; side < VIEW_SIDES && player->mixers[side]; side++) {
        const sinew_transition transition = view_kind_transition(player->settings.kinds[side], duration);
        player->mains[side] = sinew_mixer_transition_to(
            player->mixers[side], sinew_clip_source(&player->asset->clips[clip]), &transition, &def);
    }
    view_player_begin_transition(player, duration);
}

void view_player_start(view_player *player, int32_t clip) {
    for (int side = 0; side < VIEW_SIDES && player->mixers[side]; side++)
        sinew_mixer_stop_all(player->mixers[side]);
    player->jumped = true;
    player->chosen = -1;
    view_player_choose(player, clip);
}

// ---- Time ----------------------------------------------------------------------------------------------------

// Finds the direction of a ping-pong loop from the change of its time; a change longer than a step is a seek.
static void watch_direction(view_player *player, float dt) {
    const float time = view_player_time(player), step = time - player->last_time;
    player->last_time = time;
    if (player->settings.loop != SINEW_LOOP_PING_PONG) {
        player->returning = false;
    } else if (step != 0.0f && fabsf(step) <= 1.01f * dt * player->settings.speed) {
        player->returning = (step < 0.0f) != player->settings.backward;
    }
}

// Keeps the newest events. They age only while the pose changes, so that a pause keeps them visible.
static void note_events(view_player *player, float dt) {
    int32_t count;
    const sinew_event *events = sinew_mixer_events(player->mixers[0], &count);
    for (int i = 0; i < player->event_count; i++) player->events[i].age += dt;
    for (int32_t i = count > VIEW_EVENTS ? count - VIEW_EVENTS : 0; i < count; i++) {
        for (int k = VIEW_EVENTS - 1; k > 0; k--) player->events[k] = player->events[k - 1];
        player->events[0] = (view_event){events[i].type, events[i].clip, events[i].marker, dt - events[i].moment};
        if (player->event_count < VIEW_EVENTS) player->event_count++;
    }
}

float view_event_strength(const view_event *event) {
    static const float seen = 4.0f, fading = 1.0f; // seconds
    return fminf(fmaxf((seen - event->age) / fading, 0.0f), 1.0f);
}

void view_player_advance(view_player *player, float dt) {
    if (!player->mixers[0]) return;
    const bool moves = view_player_moves(player);
    if (view_player_has_graph(player)) dt *= player->settings.speed;
    if (view_player_has_graph(player) && moves) view_player_advance_graph(player, dt);
    sinew_scene_update(player->scene, moves ? dt : 0.0f);
    for (int side = 0; side < VIEW_SIDES && player->mixers[side]; side++) {
        if (moves) view_walk_advance(&player->walks[side], sinew_mixer_root_delta(player->mixers[side]));
    }
    view_player_warp(player);
    if (!moves) return;
    player->fading = player->fading > dt ? player->fading - dt : 0.0f;
    player->transition_age += dt;
    watch_direction(player, dt);
    note_events(player, dt);
    view_weight weights[VIEW_MAX_WEIGHTS];
    int count = view_player_weights(player, weights);
    view_history_add(&player->history, dt, weights, count);
}

// Without a step forward it is a jump.
static void set_time(view_player *player, float time, float step) {
    view_player_shift_all(player, time - view_player_time(player));
    if (step > 0.0f) player->stepped += step;
    if (!(step > 0.0f)) player->jumped = true;
    for (int side = 0; side < VIEW_SIDES && player->mixers[side]; side++) {
        sinew_action_set_time(player->mixers[side], player->mains[side], time);
    }
    player->last_time = view_player_time(player);
}

void view_player_scrub(view_player *player, float seconds) {
    const sinew_clip *clip = view_player_clip(player);
    if (!clip || !(clip->duration > 0.0f)) return;
    float time = view_player_time(player) + seconds;
    if (player->settings.loop == SINEW_LOOP_REPEAT) time -= clip->duration * floorf(time / clip->duration);
    player->paused = true;
    set_time(player, fminf(fmaxf(time, 0.0f), clip->duration), seconds);
}

void view_player_seek(view_player *player, float fraction) {
    const sinew_clip *clip = view_player_clip(player);
    if (clip) set_time(player, fminf(fmaxf(fraction, 0.0f), 1.0f) * clip->duration, 0.0f);
}

void view_player_restart(view_player *player) {
    for (int side = 0; side < VIEW_SIDES && player->mixers[side]; side++) {
        sinew_action_reset(player->mixers[side], player->mains[side]);
    }
    view_player_reset_all(player);
    player->jumped = true;
    player->returning = false;
    player->last_time = view_player_time(player);
}

// ---- Settings ------------------------------------------------------------------------------------------------

void view_player_cycle_loop(view_player *player) {
    static const sinew_loop next[] = {[SINEW_LOOP_ONCE] = SINEW_LOOP_REPEAT,
                                      [SINEW_LOOP_REPEAT] = SINEW_LOOP_PING_PONG,
                                      [SINEW_LOOP_PING_PONG] = SINEW_LOOP_ONCE};
    player->settings.loop = next[player->settings.loop];
    for (int side = 0; side < VIEW_SIDES && player->mixers[side]; side++) {
        sinew_action_set_loop(player->mixers[side], player->mains[side], player->settings.loop, SINEW_FOREVER);
    }
    view_player_loop_all(player);
}

static void set_speeds(sinew_mixer *mixer, float speed) {
    sinew_action actions[MAX_ACTIONS];
    const int32_t count = sinew_mixer_actions(mixer, actions, MAX_ACTIONS);
    for (int32_t i = 0; i < count; i++) sinew_action_set_speed(mixer, actions[i], speed);
}

// Sets the speed of every action in the scene, including fading ones and those of other files.
static void apply_speed(view_player *player) {
    if (!player->mixers[0] || view_player_has_graph(player)) return;
    for (int32_t i = 0; i < sinew_scene_instance_count(player->scene); i++) {
        sinew_mixer *mixer = sinew_scene_mixer(player->scene, sinew_scene_instance(player->scene, i));
        if (mixer) set_speeds(mixer, signed_speed(player));
    }
}

void view_player_reverse(view_player *player) {
    player->settings.backward = !player->settings.backward;
    apply_speed(player);
}

// The value `steps` after the nearest one in a rising list, clamped to its ends.
static float step_from(const float *values, int count, float value, int steps) {
    int at = 0;
    for (int i = 1; i < count; i++) {
        if (fabsf(values[i] - value) < fabsf(values[at] - value)) at = i;
    }
    at += steps;
    return values[at < 0 ? 0 : at >= count ? count - 1 : at];
}

void view_player_change_speed(view_player *player, int steps) {
    player->settings.speed = step_from(speeds, SPEEDS, player->settings.speed, steps);
    apply_speed(player);
}

void view_player_change_fade(view_player *player, int steps) {
    player->settings.fade = step_from(fades, FADES, player->settings.fade, steps);
}
