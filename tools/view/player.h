// SPDX-License-Identifier: MIT
// Playback for the window: chooses clips, scrubs, changes the speed. Independent of the window itself.
#ifndef VIEWER_PLAYER_H
#define VIEWER_PLAYER_H

#include "render/all_clips.h"
#include "view/act.h"

#include <sinew/all.h>

// The settings that stay when another file is loaded.
typedef struct view_settings {
    float speed; // positive; a factor of real time
    bool backward;
    sinew_loop loop;
    int32_t crowd;       // the number of characters around the first
    bool baked;          // the crowd's poses come from an animation texture
    bool keyed;          // the springs of the file are off
    float wind;          // the speed of the air for the springs, m/s
    const view_act *act; // that a character plays until a clip is chosen; NULL: clips
} view_settings;

enum { VIEW_EVENTS = 4, VIEW_MAX_WEIGHTS = 8 };

// The weight of a clip, by its number in the file.
typedef struct view_weight {
    int32_t clip;
    float weight;
} view_weight;

// An event of a playing clip.
typedef struct view_event {
    sinew_event_type type;
    const sinew_clip *clip;
    const sinew_marker *marker; // NULL but for SINEW_EVENT_MARKER
    float age;                  // seconds of playing since then
} view_event;

typedef struct view_player {
    const sinew_asset *asset;
    sinew_scene *scene;
    sinew_mixer *mixer; // of its instance in the scene; NULL: nothing is loaded
    sinew_action main;  // of the clip that was chosen last
    view_settings settings;
    int32_t chosen; // the clip chosen last, or -1
    bool paused;
    bool returning;     // in the backward half of a ping-pong loop
    float last_time;    // of the main action, in the previous frame
    bool jumped;        // in time, since the last frame
    float stepped;      // forward by single steps, since the last frame, seconds
    float fading;       // seconds until all fades have ended
    draw_all_clips all; // made when they are played first
    bool plays_all;     // the first of them is the main action; it is shown as the chosen clip
    sinew_action all_actions[SINEW_MAX_ACTIONS]; // [all.count], but for the first
    view_event events[VIEW_EVENTS];              // the newest first
    int event_count;
} view_player;

view_settings view_default_settings(void);

// A player without a file.
view_player view_player_empty(const view_settings *settings);

// A player of an instance, in the rest pose; false when memory runs out. The scene must outlive it. Freed with
// view_player_free in both cases.
bool view_player_create(view_player *player, sinew_scene *scene, sinew_scene_node node,
                        const view_settings *settings);
void view_player_free(view_player *player);

// Fades to a clip, and ends a pause; an unknown number is a no-op.
void view_player_choose(view_player *player, int32_t clip);

// Plays a clip from the start, at once.
void view_player_start(view_player *player, int32_t clip);

// Plays all clips from the start, each on the nodes that it moves, at once. Choosing a clip ends it. Returns false, with
// the reason in `error`, if memory runs out or there are too many durations.
bool view_player_play_all(view_player *player, sinew_error *error);

// Goes on with what another version of the file plays: the clip of the same name, at the same time.
void view_player_resume(view_player *player, const view_player *from);

// Advances the whole scene by `dt` seconds of real time, unless paused, and updates its pose.
void view_player_advance(view_player *player, float dt);

// Whether the pose changes over time.
bool view_player_moves(const view_player *player);

// The clip of the main action, or NULL; and its time, seconds.
const sinew_clip *view_player_clip(const view_player *player);
float view_player_time(const view_player *player);

// Writes the newest actions of the chosen clips, at most VIEW_MAX_WEIGHTS, oldest first; returns their number.
int view_player_actions(const view_player *player, sinew_action *actions);

// The weights of the clips of those actions, not normalized.
int view_player_weights(const view_player *player, view_weight *weights);

// The number of a clip of the asset: of the longest one for the first of all clips, 0 for the others of these.
int32_t view_player_number(const view_player *player, const sinew_clip *clip);

// The opacity of an event, from 0 to 1.
float view_event_strength(const view_event *event);

// Moves the main action by `seconds` and pauses. A repeating clip wraps at its ends.
void view_player_scrub(view_player *player, float seconds);

// Moves the main action to a fraction of its clip, from 0 to 1. A pause stays.
void view_player_seek(view_player *player, float fraction);

void view_player_restart(view_player *player);
void view_player_cycle_loop(view_player *player);
void view_player_reverse(view_player *player);

// Changes the speed by `steps` in the list of speeds, 0.1 to 4.
void view_player_change_speed(view_player *player, int steps);

const char *view_loop_name(sinew_loop loop);

// The part of a path after the last slash.
const char *view_file_name(const char *path);

#endif
