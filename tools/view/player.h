// A mixer and what one does with it at a window: choose clips, scrub, change speeds. It knows nothing of windows.
#ifndef VIEWER_PLAYER_H
#define VIEWER_PLAYER_H

#include "view/history.h"

#include <sinew/sinew.h>

// How the way to another clip goes.
typedef enum view_kind {
    VIEW_FADE_LINEAR,
    VIEW_FADE_SMOOTHSTEP,
    VIEW_FADE_WARPED, // the clips' speeds are brought together meanwhile
    VIEW_INERTIALIZE,
    VIEW_DEAD_BLEND,
    VIEW_KINDS
} view_kind;

// Two characters at most, who differ in the kind of their transitions.
enum { VIEW_SIDES = 2 };

// What stays when another file takes the place of this one.
typedef struct view_settings {
    view_kind kinds[VIEW_SIDES];
    float fade;  // seconds of a transition
    float speed; // positive; a factor of real time
    bool backward;
    bool in_step; // clips that have the steps' markers keep step
    sinew_loop loop;
    const char *const *step_names; // [step_name_count], the markers that begin steps; outlives everything here
    int32_t step_name_count;
    const char
        *space; // the samples of a blend space, as view_space_read takes them; NULL: those found by their names
    const char *root; // the node whose motion moves the character; NULL: at first none
    int32_t crowd;    // how many more of the file stand around it
    bool baked;       // their poses come from an animation texture
} view_settings;

enum { VIEW_EVENTS = 4 };

// Something that happened to a clip while it played.
typedef struct view_event {
    sinew_event_type type;
    const sinew_clip *clip;
    const sinew_marker *marker; // NULL but for SINEW_EVENT_MARKER
    float age;                  // seconds of playing since then
} view_event;

enum { VIEW_WALK_POINTS = 1024, VIEW_LAYER_ACTIONS = 8 };

// Where root motion has brought a character, and its way so far. In the asset's own axes.
typedef struct view_walk {
    sinew_vec3 at;
    sinew_quat facing;
    float length;                      // metres that it has gone
    sinew_vec3 path[VIEW_WALK_POINTS]; // a ring, each point a little from the one before
    int next, count;
} view_walk;

// One clip over what else plays. The mixer has two layers for it, of which one overrides and the other adds, so that
// a change from one to the other is a fade, too.
typedef struct view_layer {
    int32_t clip; // or -1
    bool shown;   // or faded out
    bool adds;
    int32_t node; // the mask covers it and all below; SINEW_NO_NODE: every node
    float weight;
    sinew_mask *mask;
    sinew_clip **differences; // [clip_count], what the clips add to their first pose; each made when first needed
    sinew_action actions[VIEW_SIDES][VIEW_LAYER_ACTIONS]; // the newest, in a ring
    int next;
} view_layer;

typedef struct view_player {
    const sinew_asset *asset;
    sinew_scene *scene;
    sinew_scene_node nodes[VIEW_SIDES]; // its instances in the scene
    sinew_mixer *mixers[VIEW_SIDES];    // theirs; the second is NULL unless the two are shown side by side
    sinew_action mains[VIEW_SIDES];     // the actions of what was chosen last
    view_settings settings;
    int32_t chosen; // the clip chosen last, or -1
    bool paused;
    bool returning;                            // on the way back, as ping-pong goes
    float last_time;                           // of the main action, a frame ago
    float fading;                              // seconds that something may still fade
    float transition_age, transition_duration; // of the last transition
    view_layer layer;
    sinew_blend_space *space;  // or NULL
    sinew_action space_action; // the first side's newest action of it
    bool in_space;             // it plays, and not the clip chosen last
    float x, y;                // where its parameter is to go
    int32_t root;              // the node whose motion moves the character, or SINEW_NO_NODE
    view_walk walks[VIEW_SIDES];
    view_history history;
    view_event events[VIEW_EVENTS]; // the newest first
    int event_count;
} view_player;

view_settings view_default_settings(void);

// A player of an instance, in the rest pose; false when memory runs out. The scene must outlive it. Freed with
// view_player_free in both cases.
bool view_player_create(view_player *player, sinew_scene *scene, sinew_scene_node node,
                        const view_settings *settings);
void view_player_free(view_player *player);

// Brings in what the settings ask for of this file: its blend space, and root motion. False, with the reason in `error`,
// when it has not got that; what it has got is there.
bool view_player_ask(view_player *player, sinew_error *error);

// Goes to the clip of that number and plays on; a number that there is not does nothing.
void view_player_choose(view_player *player, int32_t clip);

// Plays a clip from the start, at once.
void view_player_start(view_player *player, int32_t clip);

// Moves the whole scene on by `dt` seconds of real time, unless paused, and poses.
void view_player_advance(view_player *player, float dt);

// Whether anything would change with time.
bool view_player_moves(const view_player *player);

// The action of what was chosen last, {0} when there is none; its clip, or NULL, of a blend space the one that has most
// weight; where it is in its clip.
sinew_action view_player_main(const view_player *player);
const sinew_clip *view_player_clip(const view_player *player);
float view_player_time(const view_player *player);

// Writes the newest actions of the base, at most VIEW_SHARES, the oldest of them first; returns how many.
int view_player_actions(const view_player *player, sinew_action *actions);

// The weights of their clips, as they are; of a blend space those of its samples.
int view_player_shares(const view_player *player, view_share *shares);

// The number of a clip of the asset, or of what it adds to its first pose.
int32_t view_player_number(const view_player *player, const sinew_clip *clip);

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

// Makes transitions longer or shorter, to the next even length.
void view_player_change_fade(view_player *player, int steps);

const char *view_loop_name(sinew_loop loop);

// ---- Transitions, side by side -------------------------------------------------------------------------------

sinew_transition view_kind_transition(view_kind kind, float duration);
const char *view_kind_name(view_kind kind);

// How far such a transition is after the part `u`, from 0 to 1, of its time: the new clip's weight, or what is gone of
// the offset.
float view_kind_progress(view_kind kind, float u);

// The part of the last transition's time that has passed, from 0 to 1.
float view_player_progress(const view_player *player);

// The next kind of transition, or the one before.
void view_player_cycle_kind(view_player *player, int side, int steps);

// Whether clips that have the steps' markers keep step.
void view_player_switch_steps(view_player *player);

// Plays the second character, nodes[1], or no longer; it begins where the first one is. False, and nothing has changed, when memory
// runs out.
bool view_player_set_beside(view_player *player, bool beside);
bool view_player_is_beside(const view_player *player);

// ---- A layer -------------------------------------------------------------------------------------------------

// What a player of an asset begins with; false when memory runs out. Freed with view_layer_free in both cases.
bool view_layer_create(view_layer *layer, const sinew_asset *asset);
void view_layer_free(view_layer *layer, int32_t clip_count);

// Fades a clip in over the others; the one that is there already is faded out. False, and nothing has changed, when
// memory runs out.
bool view_player_lay(view_player *player, int32_t clip);

// Fades the layer's clip out, or in again.
bool view_player_switch_layer(view_player *player);

// From overriding to adding, and back.
bool view_player_switch_mode(view_player *player);

// Covers the next of the nodes with something below them that `offered` has, and what is below it; behind the last of
// them every node.
void view_player_cycle_mask(view_player *player, const bool *offered, int steps);

void view_player_set_layer_weight(view_player *player, float weight);

// Whether an action is one of the layer.
bool view_player_is_layer_action(const view_player *player, int side, sinew_action action);

// Brings a mixer's layers to what the player says, and plays there what is laid over. For view_player_begin_side.
void view_player_begin_layer(view_player *player, int side);

// ---- A blend space -------------------------------------------------------------------------------------------

// Makes the blend space that the settings ask for, of clips of the asset: "Idle=0 Walk=1.5 Run=4" on a line,
// "Walk=0,1 Left=-1,0" in a plane. Without a text it is a line of idle, walk, jog, run and sprint, as far as there are
// clips of such names, and NULL where there are fewer than two. False, with the reason in `error`, where the text says
// none.
bool view_space_read(const sinew_asset *asset, const view_settings *settings, sinew_blend_space **space,
                     sinew_error *error);

// From the chosen clip to the blend space, and back.
void view_player_switch_space(view_player *player);

// Sends the parameter to a part of the samples' extent, from 0 to 1; or on by a part of it.
void view_player_steer(view_player *player, float x, float y);
void view_player_steer_by(view_player *player, float x, float y);

// The box around all samples of a space, at least 1 wide and high.
typedef struct view_extent {
    float x, y, width, height;
} view_extent;

view_extent view_space_extent(const sinew_blend_space *space);

// ---- Root motion ---------------------------------------------------------------------------------------------

// Has the motion of that node move the character, or none where it is SINEW_NO_NODE. False, with the reason in `error`
// and nothing changed, when that cannot be.
bool view_player_set_root(view_player *player, int32_t node, sinew_error *error);

// Back to where the characters began.
void view_player_go_home(view_player *player);

void view_walk_clear(view_walk *walk);
void view_walk_go(view_walk *walk, sinew_root_delta delta);

// The point of the way of that age, 0 for the newest; there are `count`.
sinew_vec3 view_walk_point(const view_walk *walk, int age);

// Where the character stands, as a matrix.
sinew_affine view_walk_place(const view_walk *walk);

// ---- For the parts of the player -----------------------------------------------------------------------------

// A transition of that length has begun: time goes on.
void view_player_begin_transition(view_player *player, float duration);

// Makes one side's mixer anew, which plays what the player says from where it is; false, with the reason in `error` and
// nothing changed, when that cannot be.
bool view_player_begin_side(view_player *player, int side, sinew_error *error);

// The def with which a clip is to be played now.
sinew_play_def view_player_def(const view_player *player, const sinew_clip *clip);

#endif
