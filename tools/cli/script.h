// SPDX-License-Identifier: MIT
// What `sinew render --graph` plays: an animation graph with parameter values at given times, or a character's
// recording.
#ifndef CLI_SCRIPT_H
#define CLI_SCRIPT_H

#include "cli/recorded_character.h"

enum { CLI_MAX_VALUES = 7 }; // enough for a transform

// A --set value.
typedef struct cli_input_arg {
    char parameter[256];
    float values[CLI_MAX_VALUES];
    int value_count; // 0 to fire a trigger
    float time;      // seconds since the graph started
} cli_input_arg;

enum { CLI_MAX_INPUTS = 64 };

// A value for one of the graph's parameters.
typedef struct cli_input {
    int32_t parameter;
    float values[CLI_MAX_VALUES];
    float time;
} cli_input;

typedef struct cli_script {
    cli_cast cast;                    // with the first actor's clips
    cli_input inputs[CLI_MAX_INPUTS]; // sorted by time
    int input_count;
    const char *recording; // path of the recording to play instead of inputs, or NULL
    cli_recorded recorded; // the recording's bytes
    float seconds;         // the recording's duration
} cli_script;

// Reads NAME[=X[,Y...]][@SECONDS], with up to 7 numbers. X can also be true or false. Returns false for anything else.
bool cli_script_parse_input(const char *text, cli_input_arg *input);

// Reads a --set value into the next of CLI_MAX_INPUTS inputs. If it's wrong, prints the reason and returns false.
bool cli_script_arg(cli_args *args, cli_input_arg *inputs, int *count);

// Loads a graph and binds it to an asset, which must outlive the script. If a file, parameter or value is wrong, prints
// the reason and returns false. Call cli_script_free either way.
bool cli_script_load(cli_script *script, const char *path, const sinew_asset *asset, const cli_input_arg *inputs,
                     int input_count);
void cli_script_free(cli_script *script);

// Loads a character's recording with the script's graph. Plays it once to find its length and warn about a mismatch. On
// failure, prints the reason and returns false.
bool cli_script_load_recording(cli_script *script, const char *path);

// Returns a new replay of the recording. On failure, prints the reason and returns NULL.
sinew_character_replay *cli_script_replay(const cli_script *script);

// Makes the updates up to a time, at least the first one.
void cli_script_follow(sinew_character_replay *replay, float time);

// Returns the seconds from the start to the last input or the recording's end.
float cli_script_span(const cli_script *script);

// Creates an animator for the script, which must outlive it. On failure, prints the reason and returns NULL.
sinew_animator *cli_script_animate(const cli_script *script);

// Like cli_script_animate, but creates a character for a script with a rig, on level ground. Free it with
// cli_script_end_actor.
graph_actor *cli_script_act(const cli_script *script);
void cli_script_end_actor(graph_actor *actor);

// Plays one of the character's frames. World-space positions move with the character, so they're relative to it. `next`
// is the next input's number.
void cli_script_play(const cli_script *script, graph_actor *actor, int next, float dt);

// Makes the inputs up to `time`, starting at number `next`. Returns the number of the next one.
int cli_script_input(const cli_script *script, sinew_animator *animator, int next, float time);

// Describes the active states, like "Move + Wave". Leaves out empty states.
void cli_script_describe(const cli_script *script, const sinew_animator *animator, char *text, size_t room);

#endif
