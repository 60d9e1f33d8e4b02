// SPDX-License-Identifier: MIT
// An animation graph that drives the player: its file, its animator, the values that were set, and its last events.
#ifndef VIEWER_GRAPH_H
#define VIEWER_GRAPH_H

#include <sinew/all.h>

struct view_player;

enum { VIEW_GRAPH_EVENTS = 4, VIEW_GRAPH_PATH = 96 };

// What a row of the graph panel shows.
typedef enum view_graph_row_kind { VIEW_GRAPH_PARAMETER, VIEW_GRAPH_LAYER, VIEW_GRAPH_STATE } view_graph_row_kind;

typedef struct view_graph_row {
    view_graph_row_kind kind;
    int32_t index; // of the parameter, layer or state
    int axis;      // of a vector2: 0 or 1
    int depth;     // of a state: the number of states around it
} view_graph_row;

typedef struct view_graph_event {
    char text[2 * VIEW_GRAPH_PATH + 24];
    float age; // seconds of playing since then
} view_graph_event;

// A version of the file with the clips of the asset.
typedef struct view_graph_version {
    sinew_graph *graph;
    sinew_graph_binding *binding;
    view_graph_row *rows; // [row_count], the rows of the panel
    int row_count;
} view_graph_version;

typedef struct view_graph {
    view_graph_version version;
    sinew_animator *animator;                     // NULL: the player plays clips
    uint64_t fingerprint;                         // of the file's text that was read last, with a fault or without
    char fault[512];                              // of that text; "" for none
    float targets[SINEW_MAX_GRAPH_PARAMETERS][2]; // the values that were set, before damping
    view_graph_event events[VIEW_GRAPH_EVENTS];   // the newest first
    int event_count;
} view_graph;

void view_graph_free(view_graph *graph);

// Whether a graph drives the player.
bool view_player_has_graph(const struct view_player *player);

// Loads the graph of the settings, if they have one, and lets it drive the first character. Returns false, with the
// reason in `error` and the player unchanged, if the file has a fault or does not fit the asset.
bool view_player_start_graph(struct view_player *player, sinew_error *error);

// The message of an error about the graph's file, without the file's folder: a long path would cover the panel.
const char *view_graph_message(const struct view_player *player, const sinew_error *error);

typedef enum view_reload { VIEW_RELOAD_SAME, VIEW_RELOAD_DONE, VIEW_RELOAD_FAULT } view_reload;

// Loads the graph's file again if its text has changed, and continues from the current states by their paths. With a
// fault, whose reason is in `error`, the old graph stays. A file that cannot be read counts as unchanged: some editors
// remove it for a moment.
view_reload view_player_reload_graph(struct view_player *player, sinew_error *error);

// Begins at the entry states with the default values.
bool view_player_restart_graph(struct view_player *player, sinew_error *error);

// Replaces the animator by one with the player's root motion that continues the current playback.
bool view_player_remake_animator(struct view_player *player, sinew_error *error);

// Takes transitions and collects events. Called before the scene is updated by the same `dt`.
void view_player_advance_graph(struct view_player *player, float dt);

// Enters a state at once.
void view_player_force_state(struct view_player *player, int32_t state);

// ---- Parameters ----------------------------------------------------------------------------------------------

// The finite range of a control: that of the parameter, or 20 wide where it has no limit.
void view_graph_range(const sinew_graph_parameter *parameter, float *least, float *most);

// Sets a coordinate of a number or vector2, clamped to the range of its control.
void view_graph_set(view_graph *graph, int32_t parameter, int axis, float value);

// Replaces the set values by those of another version: its defaults, and the values of parameters that both have.
void view_graph_carry_targets(view_graph *graph, const sinew_graph *to);

// The value that the graph uses, after damping.
float view_graph_value(const view_graph *graph, int32_t parameter, int axis);

// Fires a trigger, or switches a bool.
void view_graph_press(view_graph *graph, int32_t parameter);

// Sets all parameters to their defaults. The states stay.
void view_graph_reset(view_graph *graph);

// The parameter that the digit key `number`, from 1, fires or switches; SINEW_GRAPH_NONE if there is none.
int32_t view_graph_pressed_by(const sinew_graph *graph, int number);

// The parameter and the coordinate that the arrow keys change: the first vector2, or without one the first two numbers,
// up and down the first of them. SINEW_GRAPH_NONE if there is none.
int32_t view_graph_steered_by(const sinew_graph *graph, bool across, int *axis);

#endif
