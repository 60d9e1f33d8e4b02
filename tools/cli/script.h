// SPDX-License-Identifier: MIT
// What `sinew render --graph` plays: an animation graph, and the values that its parameters get at given times, or the
// recording of a character.
#ifndef CLI_SCRIPT_H
#define CLI_SCRIPT_H

#include <sinew/motion/character_recording.h>

#include "cli/recorded.h"
#include "graph/actor.h"

enum { CLI_MAX_VALUES = 7 }; // a transform's

// A value of --set.
typedef struct cli_input_arg {
    char parameter[256];
    float values[CLI_MAX_VALUES];
    int value_count; // 0: fires a trigger
    float time;      // seconds after the start of the graph
} cli_input_arg;

enum { CLI_MAX_INPUTS = 64 };

// A value of a parameter of the graph.
typedef struct cli_input {
    int32_t parameter;
    float values[CLI_MAX_VALUES];
    float time;
} cli_input;

typedef struct cli_script {
    sinew_graph *graph;
    sinew_graph_binding *binding;     // with the clips of the first actor
    graph_stand stand;                // its rig, if the graph has one
    cli_input inputs[CLI_MAX_INPUTS]; // in the order of their times
    int input_count;
    cli_recorded recorded;    // that is played instead of inputs; without bytes: none
    const sinew_clip **clips; // that the recorded program may have played itself
    sinew_state_names names;  // the same
    float seconds;            // that the recording lasts
} cli_script;

// Reads NAME[=X[,Y...]][@SECONDS], with up to 7 numbers, or X true or false. Returns false for anything else.
bool cli_script_parse_input(const char *text, cli_input_arg *input);

// Reads the value of --set into the next of CLI_MAX_INPUTS. Returns false, with the reason printed, if it's wrong.
bool cli_script_arg(cli_args *args, cli_input_arg *inputs, int *count);

// Loads a graph and binds it to an asset, which must outlive the script. Returns false, with the reason printed, if a
// file, a parameter or a value is wrong. Freed with cli_script_free in both cases.
bool cli_script_load(cli_script *script, const char *path, const sinew_asset *asset, const cli_input_arg *inputs,
                     int input_count);
void cli_script_free(cli_script *script);

// Loads the recording of a character with the script's graph and asset, and plays it once to find its length and warn of a
// mismatch. Returns false, with the reason printed, if that fails.
bool cli_script_load_recording(cli_script *script, const char *path, const sinew_asset *asset);

// A new replay of the recording; NULL, with the reason printed, if that fails.
sinew_character_replay *cli_script_replay(const cli_script *script);

// Makes the updates up to a time; at least the first one.
void cli_script_follow(sinew_character_replay *replay, float time);

// Seconds from the start to the last input, or to the recording's end.
float cli_script_span(const cli_script *script);

// Creates a character's animator of the script, which must outlive it; NULL, with the reason printed, if that fails.
sinew_animator *cli_script_animate(const cli_script *script);

// Creates a character of a script with a rig, on level ground, like cli_script_animate. Freed with cli_script_end_actor.
graph_actor *cli_script_act(const cli_script *script);
void cli_script_end_actor(graph_actor *actor);

// Plays a frame of a character. Positions in world space come along, so they are relative to it. `next` is the number of
// the next input.
void cli_script_play(const cli_script *script, graph_actor *actor, int next, float dt);

// Makes the inputs up to `time`, from number `next` on. Returns the number of the next one.
int cli_script_input(const cli_script *script, sinew_animator *animator, int next, float time);

// Describes the active states: "Move + Wave". Empty states are left out.
void cli_script_describe(const cli_script *script, const sinew_animator *animator, char *text, size_t room);

#endif
