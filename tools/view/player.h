// SPDX-License-Identifier: MIT
// Playback for the window: chooses clips, scrubs, changes the speed. Independent of the window itself.
#ifndef VIEWER_PLAYER_H
#define VIEWER_PLAYER_H

#include "render/all_clips.h"
#include "view/graph.h"
#include "view/history.h"
#include "view/warp.h"

#include <sinew/all.h>

// The kind of a transition to another clip.
typedef enum view_kind {
    VIEW_FADE_LINEAR,
    VIEW_FADE_SMOOTHSTEP,
    VIEW_FADE_WARPED, // a fade that also blends the clips' speeds
    VIEW_INERTIALIZE,
    VIEW_DEAD_BLEND,
    VIEW_KINDS
} view_kind;

// The number of compared characters. They differ in the kind of their transitions.
enum { VIEW_SIDES = 2 };

// The settings that stay when another file is loaded.
typedef struct view_settings {
    view_kind kinds[VIEW_SIDES];
    float fade;  // seconds of a transition
    float speed; // positive; a factor of real time
    bool backward;
    bool sync_steps; // clips with step markers are in one sync group
    sinew_loop loop;
    const char *const *step_names; // [step_name_count], the step markers; must outlive the player
    int32_t step_name_count;
    const char *space; // the samples of a blend space, for view_space_read; NULL: clips found by name
    const char *root;  // the node of root motion; NULL: none at first
    const char *graph; // the file of the graph that drives the first character; NULL: none
    int32_t crowd;     // the number of characters around the first
    bool baked;        // the crowd's poses come from an animation texture
    bool keyed;        // the springs of the file are off
    float wind;        // the speed of the air for the springs, m/s
    float wind_from;   // the direction that it blows from, degrees: 0 the front, 90 the character's left
} view_settings;

enum { VIEW_EVENTS = 4 };

// An event of a playing clip.
typedef struct view_event {
    sinew_event_type type;
    const sinew_clip *clip;
    const sinew_marker *marker; // NULL but for SINEW_EVENT_MARKER
    float age;                  // seconds of playing since then
} view_event;

enum { VIEW_WALK_POINTS = 1024, VIEW_LAYER_ACTIONS = 8, VIEW_ALL_LAYER = 3 };

// The root transform of a character and its root path, in the axes of its asset.
typedef struct view_walk {
    sinew_vec3 at; // the position, metres
    sinew_quat facing;
    float length;                      // of the path, metres
    sinew_vec3 path[VIEW_WALK_POINTS]; // a ring buffer of points, 2 cm or more apart
    int next, count;
} view_walk;

// A clip on a layer over the base. The mixer has two layers for it, an override layer and an additive one, so that a
// change of the mode is a fade, too.
typedef struct view_layer {
    int32_t clip; // or -1
    bool shown;   // false: faded out
    bool is_additive;
    int32_t node; // the root of the mask's subtree; SINEW_NO_NODE: every node
    float weight;
    sinew_mask *mask;
    sinew_clip **differences; // [clip_count], the clips as additive clips over their first pose; made on first use
    sinew_action actions[VIEW_SIDES][VIEW_LAYER_ACTIONS]; // the newest, in a ring
    int next;
} view_layer;

typedef struct view_player {
    const sinew_asset *asset;
    sinew_scene *scene;
    sinew_scene_node nodes[VIEW_SIDES]; // its instances in the scene
    sinew_mixer *mixers[VIEW_SIDES];    // of the instances; the second is NULL unless two are compared
    sinew_action mains[VIEW_SIDES];     // the main actions: of the clip or blend space chosen last
    view_settings settings;
    int32_t chosen; // the clip chosen last, or -1
    bool paused;
    bool returning;                            // in the backward half of a ping-pong loop
    float last_time;                           // of the main action, in the previous frame
    bool jumped;                               // in time or position, since the last frame
    float stepped;                             // forward by single steps, since the last frame, seconds
    float fading;                              // seconds until all fades have ended
    float transition_age, transition_duration; // of the last transition
    view_layer layer;
    draw_all_clips all; // made when they are played first
    bool plays_all;     // the first of them is the main action; it is shown as the chosen clip
    sinew_action all_actions[VIEW_SIDES][SINEW_MAX_ACTIONS]; // [all.count], but for the first
    sinew_blend_space *space;                                // or NULL
    sinew_action space_action;                               // the first side's newest action of it
    bool in_space;                                           // the blend space plays instead of the chosen clip
    float x, y;                                              // the target of its parameter
    int32_t root;                                            // the node of root motion, or SINEW_NO_NODE
    view_walk walks[VIEW_SIDES];
    view_warp warp;
    view_history history;
    view_event events[VIEW_EVENTS]; // the newest first
    int event_count;
    view_graph graph; // drives the first character if it has an animator
} view_player;

view_settings view_default_settings(void);

// A player of an instance, in the rest pose; false when memory runs out. The scene must outlive it. Freed with
// view_player_free in both cases.
bool view_player_create(view_player *player, sinew_scene *scene, sinew_scene_node node,
                        const view_settings *settings);
void view_player_free(view_player *player);

// Creates the blend space and the root motion of the settings. Returns false, with the reason in `error`, if the asset
// lacks a clip or node of them; the other one is still applied.
bool view_player_apply_settings(view_player *player, sinew_error *error);

// Starts a transition to a clip, and ends a pause; an unknown number is a no-op.
void view_player_choose(view_player *player, int32_t clip);

// Plays a clip from the start, at once.
void view_player_start(view_player *player, int32_t clip);

// Advances the whole scene by `dt` seconds of real time, unless paused, and updates its pose.
void view_player_advance(view_player *player, float dt);

// Whether the pose changes over time.
bool view_player_moves(const view_player *player);

// The main action, or {0}; its clip, of a blend space the one with the largest weight, or NULL; and its time, seconds.
sinew_action view_player_main(const view_player *player);
const sinew_clip *view_player_clip(const view_player *player);
float view_player_time(const view_player *player);

// Writes the newest actions of the base layer, at most VIEW_MAX_WEIGHTS, oldest first; returns their number.
int view_player_actions(const view_player *player, sinew_action *actions);

// The weights of the clips of those actions, not normalized; of a blend space, the weights of its samples.
int view_player_weights(const view_player *player, view_weight *weights);

// The number of a clip of the asset, or of the clip that an additive one was made from.
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

// Changes the duration of transitions by `steps` in the list of durations, 0 to 3 s.
void view_player_change_fade(view_player *player, int steps);

const char *view_loop_name(sinew_loop loop);

// ---- Transitions and comparison ------------------------------------------------------------------------------

sinew_transition view_kind_transition(view_kind kind, float duration);
const char *view_kind_name(view_kind kind);

// The progress of a transition at the fraction `u` of its duration, both from 0 to 1: the weight of the new clip, or 1
// minus the remaining part of an inertialized offset.
float view_kind_progress(view_kind kind, float u);

// The elapsed fraction of the last transition's duration, from 0 to 1.
float view_player_progress(const view_player *player);

// Changes a character's kind of transition by `steps`.
void view_player_cycle_kind(view_player *player, int side, int steps);

// Turns the sync of clips with step markers on or off.
void view_player_toggle_sync(view_player *player);

// Plays the compared character, nodes[1], from the state of the first one, or stops it. Returns false, with nothing
// changed, if memory runs out.
bool view_player_set_comparing(view_player *player, bool comparing);
bool view_player_is_comparing(const view_player *player);

// ---- A layer -------------------------------------------------------------------------------------------------

// Creates the layer of an asset's player; false if memory runs out. Freed with view_layer_free in both cases.
bool view_layer_create(view_layer *layer, const sinew_asset *asset);
void view_layer_free(view_layer *layer, int32_t clip_count);

// Fades a clip in on the layer, or out if it plays there. Returns false, with nothing changed, if memory runs out.
bool view_player_toggle_layer_clip(view_player *player, int32_t clip);

// Fades the layer's clip out, or in again.
bool view_player_switch_layer(view_player *player);

// Switches the layer between override and additive.
bool view_player_switch_mode(view_player *player);

// Changes the mask to the subtree of the next node that is in `offered` and has children; after the last of them, to
// every node.
void view_player_cycle_mask(view_player *player, const bool *offered, int steps);

void view_player_set_layer_weight(view_player *player, float weight);

// Whether an action plays on the layer.
bool view_player_is_layer_action(const view_player *player, int side, sinew_action action);

// Sets up the layers of a new mixer and plays the layer's clip. For view_player_begin_side.
void view_player_begin_layer(view_player *player, int side);

// ---- All clips -----------------------------------------------------------------------------------------------

// Plays all clips from the start, each on the nodes that it moves, at once. Returns false, with the reason in `error`, if
// that fails.
bool view_player_play_all(view_player *player, sinew_error *error);

// For the other files of the player, while all clips play: starts them with a new mixer, fades out those that are not the
// main action, moves these by `seconds`, starts them again, and sets their loops.
void view_player_begin_all(view_player *player, int side, float time);
void view_player_end_all(view_player *player, float fade);
void view_player_shift_all(view_player *player, float seconds);
void view_player_reset_all(view_player *player);
void view_player_loop_all(view_player *player);

// ---- A blend space -------------------------------------------------------------------------------------------

// Creates the blend space of the settings from clips of the asset: "Idle=0 Walk=1.5 Run=4" on a line, or
// "Walk=0,1 Left=-1,0" in a plane. Without a text it is a line of the clips named idle, walk, jog, run and sprint, and
// NULL if fewer than two exist. Returns false, with the reason in `error`, for an invalid text.
bool view_space_read(const sinew_asset *asset, const view_settings *settings, sinew_blend_space **space,
                     sinew_error *error);

// Starts a transition from the chosen clip to the blend space, or back.
void view_player_switch_space(view_player *player);

// Sets the parameter's target to a fraction of the samples' extent, from 0 to 1; or moves it by a fraction.
void view_player_steer(view_player *player, float x, float y);
void view_player_steer_by(view_player *player, float x, float y);

// The box around all samples of a space, at least 1 wide and high.
typedef struct view_extent {
    float x, y, width, height;
} view_extent;

view_extent view_space_extent(const sinew_blend_space *space);

// ---- Root motion ---------------------------------------------------------------------------------------------

// Sets the node of root motion, or turns it off with SINEW_NO_NODE. Returns false, with the reason in `error` and
// nothing changed, if the node cannot have root motion.
bool view_player_set_root(view_player *player, int32_t node, sinew_error *error);

// Moves the characters back to their start.
void view_player_reset_position(view_player *player);

// Turns the root warp on or off, at the start position.
void view_player_switch_warp(view_player *player);

// Moves the characters to where the warp has them at the current time in the clip, if it is on and a clip plays that can be
// warped: one with root motion, and no blend space or graph.
void view_player_warp(view_player *player);

void view_walk_clear(view_walk *walk);
void view_walk_advance(view_walk *walk, sinew_root_delta delta);

// A point of the path by its age, 0 for the newest; there are `count`.
sinew_vec3 view_walk_point(const view_walk *walk, int age);

// The character's root transform as a matrix.
sinew_affine view_walk_matrix(const view_walk *walk);

// ---- Shared by the files of the player -----------------------------------------------------------------------

// Records the start of a transition and ends a pause.
void view_player_begin_transition(view_player *player, float duration);

// Replaces one side's mixer by a new one that continues the current playback. Returns false, with the reason in `error`
// and nothing changed, if that fails.
bool view_player_begin_side(view_player *player, int side, sinew_error *error);

// Writes the player's root motion to a mixer's def, with `root` for the def to point to.
void view_player_set_root_motion(const view_player *player, sinew_mixer_def *def, sinew_root_motion_def *root);

// The play def of a clip under the current settings.
sinew_play_def view_player_def(const view_player *player, const sinew_clip *clip);

// The part of a path after the last slash.
const char *view_file_name(const char *path);

#endif
