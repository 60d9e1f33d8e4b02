// SPDX-License-Identifier: MIT
// Playback: mixer, clips, time and speed.
#include "view/player.h"

#include <math.h>
#include <string.h>

static const float FADE = 0.3f; // seconds from one clip to the next
static const float speeds[] = {0.1f, 0.25f, 0.5f, 0.75f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f};

enum { SPEEDS = sizeof speeds / sizeof speeds[0], MAX_ACTIONS = 64, ALL_LAYER = 1 };

view_settings view_default_settings(void) {
    return (view_settings){.speed = 1.0f, .loop = SINEW_LOOP_REPEAT};
}

const char *view_file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// ---- Creating ------------------------------------------------------------------------------------------------

view_player view_player_empty(const view_settings *settings) {
    return (view_player){.settings = *settings, .chosen = -1};
}

bool view_player_create(view_player *player, sinew_scene *scene, sinew_scene_node node,
                        const view_settings *settings) {
    sinew_mixer_def def = sinew_mixer_default();
    def.max_actions = MAX_ACTIONS;
    def.layer_count = ALL_LAYER + 1;
    *player = view_player_empty(settings);
    if (sinew_scene_set_mixer(scene, node, &def, NULL) != SINEW_OK) return false;
    player->asset = sinew_scene_asset(scene, node);
    player->scene = scene;
    player->mixer = sinew_scene_mixer(scene, node);
    return true;
}

void view_player_free(view_player *player) {
    draw_all_clips_free(&player->all);
    *player = view_player_empty(&player->settings);
}

// ---- Queries -------------------------------------------------------------------------------------------------

const sinew_clip *view_player_clip(const view_player *player) {
    return player->chosen < 0 ? NULL : &player->asset->clips[player->chosen];
}

float view_player_time(const view_player *player) {
    return player->mixer ? sinew_action_time(player->mixer, player->main) : 0.0f;
}

int32_t view_player_number(const view_player *player, const sinew_clip *clip) {
    if (player->all.count > 0 && clip == player->all.clips[0]) return player->all.longest;
    for (int32_t i = 0; i < player->asset->clip_count; i++) {
        if (clip == &player->asset->clips[i]) return i;
    }
    return 0;
}

int view_player_actions(const view_player *player, sinew_action *actions) {
    sinew_action all[MAX_ACTIONS];
    const int32_t count = player->mixer ? sinew_mixer_actions(player->mixer, all, MAX_ACTIONS) : 0;
    int kept = 0;
    for (int32_t i = 0; i < count; i++) {
        if (sinew_action_get(player->mixer, all[i]).layer == 0) all[kept++] = all[i];
    }
    const int skipped = kept > VIEW_MAX_WEIGHTS ? kept - VIEW_MAX_WEIGHTS : 0;
    for (int i = skipped; i < kept; i++) actions[i - skipped] = all[i];
    return kept - skipped;
}

int view_player_weights(const view_player *player, view_weight *weights) {
    sinew_action actions[VIEW_MAX_WEIGHTS] = {0};
    const int action_count = view_player_actions(player, actions);
    int count = 0;
    for (int i = 0; i < action_count; i++) {
        const int32_t clip = view_player_number(player, sinew_action_get(player->mixer, actions[i]).clip);
        int at = 0;
        while (at < count && weights[at].clip != clip) at++;
        if (at == count) weights[count++] = (view_weight){clip, 0.0f};
        weights[at].weight += sinew_action_weight(player->mixer, actions[i]);
    }
    return count;
}

static bool is_playing(const sinew_mixer *mixer) {
    sinew_action actions[MAX_ACTIONS];
    const int32_t count = sinew_mixer_actions(mixer, actions, MAX_ACTIONS);
    for (int32_t i = 0; i < count; i++) {
        const bool has_length = sinew_action_get(mixer, actions[i]).clip->duration > 0.0f;
        if (has_length && !sinew_action_is_finished(mixer, actions[i])) return true;
    }
    return false;
}

bool view_player_moves(const view_player *player) {
    return player->mixer && !player->paused && (player->fading > 0.0f || is_playing(player->mixer));
}

const char *view_loop_name(sinew_loop loop) {
    return loop == SINEW_LOOP_ONCE ? "once" : loop == SINEW_LOOP_REPEAT ? "repeat" : "ping-pong";
}

// ---- Choosing ------------------------------------------------------------------------------------------------

static float signed_speed(const view_player *player) {
    return player->settings.backward ? -player->settings.speed : player->settings.speed;
}

static sinew_play_def play_def(const view_player *player) {
    sinew_play_def def = sinew_play_default();
    def.speed = signed_speed(player);
    def.loop = player->settings.loop;
    return def;
}

static void fade_out_all(view_player *player, float seconds) {
    for (int32_t i = 1; i < player->all.count && player->plays_all; i++)
        sinew_action_fade_out(player->mixer, player->all_actions[i], seconds);
    player->plays_all = false;
}

// Remembers that the main action plays from now on.
static void begin(view_player *player, int32_t clip, float fade) {
    player->chosen = clip;
    player->paused = false;
    player->returning = false;
    player->fading = fmaxf(player->fading, fade);
    player->last_time = view_player_time(player);
}

void view_player_choose(view_player *player, int32_t clip) {
    if (!player->mixer || clip < 0 || clip >= player->asset->clip_count) return;
    const float fade = player->chosen < 0 ? 0.0f : FADE;
    const sinew_source source = sinew_clip_source(&player->asset->clips[clip]);
    const sinew_play_def def = play_def(player);
    fade_out_all(player, fade);
    player->main = sinew_mixer_crossfade_to(player->mixer, source, fade, &def);
    begin(player, clip, fade);
}

void view_player_start(view_player *player, int32_t clip) {
    sinew_mixer_stop_all(player->mixer);
    player->jumped = true;
    player->chosen = -1;
    view_player_choose(player, clip);
}

bool view_player_play_all(view_player *player, sinew_error *error) {
    if (player->all.count == 0 && !draw_all_clips_make(&player->all, player->asset, error)) return false;
    if (player->all.count == 0) return true;
    sinew_play_def def = play_def(player);
    sinew_mixer_stop_all(player->mixer);
    player->main = sinew_mixer_play(player->mixer, sinew_clip_source(player->all.clips[0]), &def);
    def.layer = ALL_LAYER;
    draw_all_clips_play(&player->all, player->mixer, &def, 0.0f, player->all_actions);
    player->plays_all = true;
    player->jumped = true;
    begin(player, player->all.longest, 0.0f);
    return true;
}

// ---- Time ----------------------------------------------------------------------------------------------------

// Finds the direction of a ping-pong loop from how its time changed. A change longer than a step is a seek.
static void watch_direction(view_player *player, float dt) {
    const float time = view_player_time(player), step = time - player->last_time;
    player->last_time = time;
    if (player->settings.loop != SINEW_LOOP_PING_PONG) {
        player->returning = false;
    } else if (step != 0.0f && fabsf(step) <= 1.01f * dt * player->settings.speed) {
        player->returning = (step < 0.0f) != player->settings.backward;
    }
}

// Keeps the newest events. They only age while the pose changes, so a pause keeps them visible.
static void note_events(view_player *player, float dt) {
    const sinew_events events = sinew_mixer_events(player->mixer);
    for (int i = 0; i < player->event_count; i++) player->events[i].age += dt;
    for (int32_t i = events.count > VIEW_EVENTS ? events.count - VIEW_EVENTS : 0; i < events.count; i++) {
        for (int k = VIEW_EVENTS - 1; k > 0; k--) player->events[k] = player->events[k - 1];
        const sinew_event *event = &events.items[i];
        player->events[0] = (view_event){event->type, event->clip, event->marker, dt - event->moment};
        if (player->event_count < VIEW_EVENTS) player->event_count++;
    }
}

float view_event_strength(const view_event *event) {
    static const float seen = 4.0f, fading = 1.0f; // seconds
    return fminf(fmaxf((seen - event->age) / fading, 0.0f), 1.0f);
}

void view_player_advance(view_player *player, float dt) {
    if (!player->mixer) return;
    const bool moves = view_player_moves(player);
    sinew_scene_update(player->scene, moves ? dt : 0.0f);
    if (!moves) return;
    player->fading = player->fading > dt ? player->fading - dt : 0.0f;
    watch_direction(player, dt);
    note_events(player, dt);
}

// Moves all other clips by as much time as the main action.
static void shift_all(view_player *player, float seconds) {
    for (int32_t i = 1; i < player->all.count && player->plays_all; i++) {
        const sinew_action action = player->all_actions[i];
        const float time = sinew_action_time(player->mixer, action) + seconds;
        sinew_action_set_time(player->mixer, action, draw_all_clips_time(player->all.clips[i], time));
    }
}

// Sets the time. It's a jump unless `step` is positive.
static void set_time(view_player *player, float time, float step) {
    shift_all(player, time - view_player_time(player));
    if (step > 0.0f) player->stepped += step;
    if (!(step > 0.0f)) player->jumped = true;
    sinew_action_set_time(player->mixer, player->main, time);
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
    if (!player->mixer) return;
    sinew_action_reset(player->mixer, player->main);
    for (int32_t i = 1; i < player->all.count && player->plays_all; i++)
        sinew_action_reset(player->mixer, player->all_actions[i]);
    player->jumped = true;
    player->returning = false;
    player->last_time = view_player_time(player);
}

void view_player_resume(view_player *player, const view_player *from) {
    sinew_error error;
    const sinew_clip *before = view_player_clip(from);
    const sinew_clip *clip = before ? sinew_asset_find_clip(player->asset, before->name) : NULL;
    if (clip) view_player_start(player, (int32_t)(clip - player->asset->clips));
    if (from->plays_all) view_player_play_all(player, &error);
    if (clip) set_time(player, fminf(view_player_time(from), clip->duration), 0.0f);
    player->paused = from->paused;
}

// ---- Settings ------------------------------------------------------------------------------------------------

void view_player_cycle_loop(view_player *player) {
    static const sinew_loop next[] = {[SINEW_LOOP_ONCE] = SINEW_LOOP_REPEAT,
                                      [SINEW_LOOP_REPEAT] = SINEW_LOOP_PING_PONG,
                                      [SINEW_LOOP_PING_PONG] = SINEW_LOOP_ONCE};
    const sinew_loop loop = next[player->settings.loop];
    player->settings.loop = loop;
    if (!player->mixer) return;
    sinew_action_set_loop(player->mixer, player->main, loop, SINEW_FOREVER);
    for (int32_t i = 1; i < player->all.count && player->plays_all; i++)
        sinew_action_set_loop(player->mixer, player->all_actions[i], loop, SINEW_FOREVER);
}

// Sets the speed of every action, including fading ones.
static void apply_speed(view_player *player) {
    sinew_action actions[MAX_ACTIONS];
    const int32_t count = player->mixer ? sinew_mixer_actions(player->mixer, actions, MAX_ACTIONS) : 0;
    for (int32_t i = 0; i < count; i++) sinew_action_set_speed(player->mixer, actions[i], signed_speed(player));
}

void view_player_reverse(view_player *player) {
    player->settings.backward = !player->settings.backward;
    apply_speed(player);
}

void view_player_change_speed(view_player *player, int steps) {
    int at = 0;
    for (int i = 1; i < SPEEDS; i++) {
        if (fabsf(speeds[i] - player->settings.speed) < fabsf(speeds[at] - player->settings.speed)) at = i;
    }
    at += steps;
    player->settings.speed = speeds[at < 0 ? 0 : at >= SPEEDS ? SPEEDS - 1 : at];
    apply_speed(player);
}
