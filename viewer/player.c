// Playing.
#include "viewer/player.h"

#include <math.h>

static const float speeds[] = {0.1f, 0.25f, 0.5f, 0.75f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f};
static const float fades[] = {0.0f, 0.05f, 0.1f, 0.2f, 0.3f, 0.5f, 0.75f, 1.0f, 1.5f, 2.0f, 3.0f};

enum { SPEEDS = sizeof speeds / sizeof speeds[0], FADES = sizeof fades / sizeof fades[0], MOST_ACTIONS = 64 };

view_settings view_default_settings(void) {
    return (view_settings){.fade = 0.3f, .speed = 1.0f, .loop = SINEW_LOOP_REPEAT};
}

bool view_player_create(view_player *player, const sinew_asset *asset, const view_settings *settings) {
    *player = (view_player){.asset = asset, .settings = *settings, .chosen = -1};
    sinew_mixer_def def = sinew_mixer_default_def();
    def.skeleton = asset->skeleton;
    def.max_actions = MOST_ACTIONS;
    if (sinew_mixer_create(&def, &player->mixer) != SINEW_OK) return false;
    sinew_mixer_update(player->mixer, 0.0f);
    return true;
}

void view_player_free(view_player *player) {
    sinew_mixer_destroy(player->mixer);
    *player = (view_player){.chosen = -1};
}

// ---- Asking --------------------------------------------------------------------------------------------------

const sinew_clip *view_player_clip(const view_player *player) {
    return player->chosen < 0 ? NULL : &player->asset->clips[player->chosen];
}

sinew_action view_player_main(const view_player *player) {
    const sinew_clip *clip = view_player_clip(player);
    return clip ? sinew_mixer_find(player->mixer, clip) : (sinew_action){0};
}

float view_player_time(const view_player *player) {
    return player->mixer ? sinew_action_time(player->mixer, view_player_main(player)) : 0.0f;
}

int view_player_actions(const view_player *player, sinew_action *actions) {
    sinew_action all[MOST_ACTIONS];
    const int32_t count = player->mixer ? sinew_mixer_actions(player->mixer, all, MOST_ACTIONS) : 0;
    const int32_t skipped = count > VIEW_SHARES ? count - VIEW_SHARES : 0;
    for (int32_t i = skipped; i < count; i++) actions[i - skipped] = all[i];
    return (int)(count - skipped);
}

int view_player_shares(const view_player *player, view_share *shares) {
    sinew_action actions[VIEW_SHARES] = {0};
    const int count = view_player_actions(player, actions);
    for (int i = 0; i < count; i++) {
        const sinew_clip *clip = sinew_action_clip(player->mixer, actions[i]);
        shares[i] =
            (view_share){(int32_t)(clip - player->asset->clips), sinew_action_weight(player->mixer, actions[i])};
    }
    return count;
}

bool view_player_moves(const view_player *player) {
    if (!player->mixer || player->paused) return false;
    sinew_action actions[MOST_ACTIONS];
    int32_t count = sinew_mixer_actions(player->mixer, actions, MOST_ACTIONS);
    for (int32_t i = 0; i < count; i++) {
        bool turns = sinew_action_clip(player->mixer, actions[i])->duration > 0.0f;
        if (turns && !sinew_action_is_finished(player->mixer, actions[i])) return true;
    }
    return count > 1; // something fades
}

const char *view_loop_name(sinew_loop loop) {
    return loop == SINEW_LOOP_ONCE ? "once" : loop == SINEW_LOOP_REPEAT ? "repeat" : "ping-pong";
}

// ---- Choosing ------------------------------------------------------------------------------------------------

static float signed_speed(const view_player *player) {
    return player->settings.backward ? -player->settings.speed : player->settings.speed;
}

void view_player_choose(view_player *player, int32_t clip) {
    if (!player->mixer || clip < 0 || clip >= player->asset->clip_count) return;
    const bool first = player->chosen < 0;
    sinew_play_def def = sinew_play_default_def();
    def.speed = signed_speed(player);
    def.loop = player->settings.loop;
    player->chosen = clip;
    player->paused = false;
    player->returning = false;
    sinew_mixer_crossfade_to(player->mixer, &player->asset->clips[clip], first ? 0.0f : player->settings.fade,
                             &def);
    player->last_time = view_player_time(player);
}

// ---- Time ----------------------------------------------------------------------------------------------------

// Which way a ping-pong goes is seen by what its time does; a step that is too long to be one is a jump.
static void watch_direction(view_player *player, float dt) {
    const float time = view_player_time(player), step = time - player->last_time;
    player->last_time = time;
    if (player->settings.loop != SINEW_LOOP_PING_PONG) {
        player->returning = false;
    } else if (step != 0.0f && fabsf(step) <= 1.01f * dt * player->settings.speed) {
        player->returning = (step < 0.0f) != player->settings.backward;
    }
}

// The newest events stay; they age while something plays, so that a pause leaves them to be read.
static void note_events(view_player *player, float dt) {
    int32_t count;
    const sinew_event *events = sinew_mixer_events(player->mixer, &count);
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
    if (!player->mixer) return;
    const bool moves = view_player_moves(player);
    sinew_mixer_update(player->mixer, moves ? dt : 0.0f);
    if (!moves) return;
    watch_direction(player, dt);
    note_events(player, dt);
    view_share shares[VIEW_SHARES];
    int count = view_player_shares(player, shares);
    view_history_add(&player->history, dt, shares, count);
}

static void set_time(view_player *player, float time) {
    sinew_action_set_time(player->mixer, view_player_main(player), time);
    player->last_time = view_player_time(player);
}

void view_player_scrub(view_player *player, float seconds) {
    const sinew_clip *clip = view_player_clip(player);
    if (!clip || !(clip->duration > 0.0f)) return;
    float time = view_player_time(player) + seconds;
    if (player->settings.loop == SINEW_LOOP_REPEAT) time -= clip->duration * floorf(time / clip->duration);
    player->paused = true;
    set_time(player, fminf(fmaxf(time, 0.0f), clip->duration));
}

void view_player_seek(view_player *player, float fraction) {
    const sinew_clip *clip = view_player_clip(player);
    if (clip) set_time(player, fminf(fmaxf(fraction, 0.0f), 1.0f) * clip->duration);
}

void view_player_restart(view_player *player) {
    if (!player->mixer) return;
    sinew_action_reset(player->mixer, view_player_main(player));
    player->returning = false;
    player->last_time = view_player_time(player);
}

// ---- Settings ------------------------------------------------------------------------------------------------

void view_player_cycle_loop(view_player *player) {
    static const sinew_loop next[] = {[SINEW_LOOP_ONCE] = SINEW_LOOP_REPEAT,
                                      [SINEW_LOOP_REPEAT] = SINEW_LOOP_PING_PONG,
                                      [SINEW_LOOP_PING_PONG] = SINEW_LOOP_ONCE};
    player->settings.loop = next[player->settings.loop];
    if (!player->mixer) return;
    sinew_action_set_loop(player->mixer, view_player_main(player), player->settings.loop, SINEW_FOREVER);
}

// All that plays goes at one speed, what fades out too.
static void apply_speed(view_player *player) {
    if (!player->mixer) return;
    sinew_action actions[MOST_ACTIONS];
    int32_t count = sinew_mixer_actions(player->mixer, actions, MOST_ACTIONS);
    for (int32_t i = 0; i < count; i++) {
        sinew_action_set_speed(player->mixer, actions[i], signed_speed(player));
    }
}

void view_player_reverse(view_player *player) {
    player->settings.backward = !player->settings.backward;
    apply_speed(player);
}

// Which of some rising values a value is, and the one that stands so many steps from it.
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
