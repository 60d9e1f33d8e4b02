// A mixer and what one does with it at a window: choose clips, scrub, change speeds. It knows nothing of windows.
#ifndef VIEWER_PLAYER_H
#define VIEWER_PLAYER_H

#include "viewer/history.h"

#include <sinew/sinew.h>

// What stays when another file takes the place of this one.
typedef struct view_settings {
    float fade;  // seconds of a cross-fade
    float speed; // positive; a factor of real time
    bool backward;
    sinew_loop loop;
} view_settings;

enum { VIEW_EVENTS = 4 };

// Something that happened to a clip while it played.
typedef struct view_event {
    sinew_event_type type;
    const sinew_clip *clip;
    const sinew_marker *marker; // NULL but for SINEW_EVENT_MARKER
    float age;                  // seconds of playing since then
} view_event;

typedef struct view_player {
    const sinew_asset *asset;
    sinew_mixer *mixer;
    view_settings settings;
    int32_t chosen; // the clip chosen last, or -1
    bool paused;
    bool returning;  // on the way back, as ping-pong goes
    float last_time; // of the main action, a frame ago
    view_history history;
    view_event events[VIEW_EVENTS]; // the newest first
    int event_count;
} view_player;

view_settings view_default_settings(void);

// A player of the asset's clips, in the rest pose; false when memory runs out. The asset must outlive it. Freed with
// view_player_free in both cases.
bool view_player_create(view_player *player, const sinew_asset *asset, const view_settings *settings);
void view_player_free(view_player *player);

// Cross-fades to the clip of that number and plays on; a number that there is not does nothing.
void view_player_choose(view_player *player, int32_t clip);

// Moves on by `dt` seconds of real time, unless paused, and poses.
void view_player_advance(view_player *player, float dt);

// Whether anything would change with time.
bool view_player_moves(const view_player *player);

// The action of the clip chosen last, {0} when there is none; its clip, or NULL; where it is in its clip.
sinew_action view_player_main(const view_player *player);
const sinew_clip *view_player_clip(const view_player *player);
float view_player_time(const view_player *player);

// Writes the newest actions, at most VIEW_SHARES, the oldest of them first; returns how many.
int view_player_actions(const view_player *player, sinew_action *actions);

// Their weights, as they are.
int view_player_shares(const view_player *player, view_share *shares);

// How strongly an event is still seen, from 0 to 1.
float view_event_strength(const view_event *event);

// Moves the main action by so many seconds and pauses; past an end it goes round where it repeats.
void view_player_scrub(view_player *player, float seconds);

// Moves the main action to a fraction of its clip, from 0 to 1, and goes on or stays paused.
void view_player_seek(view_player *player, float fraction);

void view_player_restart(view_player *player);
void view_player_cycle_loop(view_player *player);
void view_player_reverse(view_player *player);

// To the next faster or slower of a few even speeds, `steps` of them.
void view_player_change_speed(view_player *player, int steps);

// Makes cross-fades longer or shorter, to the next even length.
void view_player_change_fade(view_player *player, int steps);

const char *view_loop_name(sinew_loop loop);

#endif
