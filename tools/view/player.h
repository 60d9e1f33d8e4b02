// SPDX-License-Identifier: MIT
// Plays clips for the window: chooses them, scrubs, changes the speed. Doesn't depend on the window itself.
#ifndef VIEWER_PLAYER_H
#define VIEWER_PLAYER_H

#include "render/all_clips.h"
#include "view/act.h"

#include <sinew/all.h>

// Settings that are kept when another file is loaded.
typedef struct view_settings {
    float speed; // positive; 1 is real time
    bool backward;
    sinew_loop loop;
    int32_t crowd;       // characters around the first one
    bool baked;          // take the crowd's poses from an animation texture
    bool keyed;          // turn the file's springs off
    float wind;          // wind speed for the springs, m/s
    const view_act *act; // what a character plays until a clip is chosen; NULL for clips
} view_settings;

enum { VIEW_EVENTS = 4, VIEW_MAX_WEIGHTS = 8 };

// A clip's weight. The clip is an index into the file's clips.
typedef struct view_weight {
    int32_t clip;
    float weight;
} view_weight;

// An event from a playing clip.
typedef struct view_event {
    sinew_event_type type;
    const sinew_clip *clip;
    const sinew_marker *marker; // NULL unless this is a SINEW_EVENT_MARKER
    float age;                  // seconds of playback since then
} view_event;

typedef struct view_player {
    const sinew_asset *asset;
    sinew_scene *scene;
    sinew_mixer *mixer; // its instance's mixer in the scene, or NULL if nothing is loaded
    sinew_action main;  // action of the last clip chosen
    view_settings settings;
    int32_t chosen; // last clip chosen, or -1
    bool paused;
    bool returning;     // in the backward half of a ping-pong loop
    float last_time;    // main action's time in the previous frame
    bool jumped;        // the time has jumped since the last frame
    float stepped;      // seconds moved forward by single steps since the last frame
    float fading;       // seconds until all fades end
    draw_all_clips all; // made when they're first played
    bool plays_all;     // the first of `all` is the main action and shown as the chosen clip
    sinew_action all_actions[SINEW_MAX_ACTIONS]; // [all.count], except for the first
    view_event events[VIEW_EVENTS];              // the newest first
    int event_count;
} view_player;

view_settings view_default_settings(void);

// Returns a player without a file.
view_player view_player_empty(const view_settings *settings);

// Creates an instance's player in the rest pose. Returns false if memory runs out. The scene must outlive it. Call
// view_player_free either way.
bool view_player_create(view_player *player, sinew_scene *scene, sinew_scene_node node,
                        const view_settings *settings);
void view_player_free(view_player *player);

// Fades to a clip and ends a pause. No-op if the index is invalid.
void view_player_choose(view_player *player, int32_t clip);

// Plays a clip from the start, without a fade.
void view_player_start(view_player *player, int32_t clip);

// Plays all clips from the start without a fade, each on the nodes that it moves. Ends when a clip is chosen. On
// failure, returns false with the reason in `error`: memory ran out or there are too many different durations.
bool view_player_play_all(view_player *player, sinew_error *error);

// Continues what another version of the file played: the clip with the same name, at the same time.
void view_player_resume(view_player *player, const view_player *from);

// Advances the whole scene by `dt` seconds of real time and updates its pose. Doesn't advance while paused.
void view_player_advance(view_player *player, float dt);

// Returns whether the pose changes over time.
bool view_player_moves(const view_player *player);

// Return the main action's clip (or NULL) and its time in seconds.
const sinew_clip *view_player_clip(const view_player *player);
float view_player_time(const view_player *player);

// Writes the newest actions of the chosen clips, oldest first, at most VIEW_MAX_WEIGHTS. Returns how many.
int view_player_actions(const view_player *player, sinew_action *actions);

// Writes these actions' clip weights, which aren't normalized.
int view_player_weights(const view_player *player, view_weight *weights);

// Returns the index of one of the asset's clips. When all clips play, the first one has the index of the longest clip,
// and the others have 0.
int32_t view_player_number(const view_player *player, const sinew_clip *clip);

// Returns an event's opacity, from 0 to 1.
float view_event_strength(const view_event *event);

// Moves the main action by `seconds` and pauses. A repeating clip wraps around.
void view_player_scrub(view_player *player, float seconds);

// Moves the main action to a fraction of its clip, from 0 to 1. Stays paused if it was.
void view_player_seek(view_player *player, float fraction);

void view_player_restart(view_player *player);
void view_player_cycle_loop(view_player *player);
void view_player_reverse(view_player *player);

// Moves the speed by `steps` in the list of speeds, 0.1 to 4.
void view_player_change_speed(view_player *player, int steps);

const char *view_loop_name(sinew_loop loop);

// Returns the part of a path after the last slash.
const char *view_file_name(const char *path);

#endif
