// SPDX-License-Identifier: MIT
// The arguments of `sinew render`.
#ifndef CLI_RENDER_ARGS_H
#define CLI_RENDER_ARGS_H

#include "cli/springs.h"
#include "cli/stage.h"

// The value of --crossfade.
typedef struct cli_crossfade_arg {
    char clip[256];
    float start, duration; // seconds
    bool once;
} cli_crossfade_arg;

enum { CLI_MAX_GHOSTS = 12, CLI_MAX_TRAILS = 8, CLI_MAX_CLIP_ROWS = 20 };

typedef struct cli_render_args {
    const char *file;
    const char *clip; // NULL: the first one
    bool play_all;    // all clips at once
    float time;       // of the first frame in the clip or in the graph, seconds
    cli_crossfade_arg crossfades[CLI_MAX_CROSSFADES];
    int crossfade_count;
    const char *graph;     // NULL: clips are played
    const char *recording; // of a character of the graph; NULL: none
    cli_input_arg inputs[CLI_MAX_INPUTS];
    int input_count;
    cli_actor_arg others[CLI_MAX_ACTORS - 1]; // of --attach and --with, in their order
    int other_count;
    int last_placed; // the actor of FILE or the last --with, which --attach refers to
    cli_springs_args springs;
    int frames;        // 0: not given
    float fps;         // 0: not given
    int width, height; // of one frame; 0: chosen for a sheet by the extent of its model
    int poses;         // the most of the crowd that are posed in a frame; 0: all
    int crowd;         // the number of characters around the first
    bool baked;        // their poses come from an animation texture
    bool sheet;
    int columns, rows; // of the sheet; 0: not given
    bool clips;        // a sheet with one row for each clip
    int first_clip;    // the first row's
    bool labels;
    int ghosts;      // earlier poses that are drawn faintly
    float ghost_gap; // seconds between them
    bool skeleton;
    const char *trails[CLI_MAX_TRAILS]; // nodes
    int trail_count;
    float leg_turn;         // degrees to the left
    float stride;           // the scale of the strides; default 1
    char focus[256];        // the node of a close-up; empty: none
    float focus_height;     // the height of a close-up, in metres; 0: not given
    const char *camera;     // the name of a camera of the files; NULL: none
    float yaw, pitch;       // the direction to the camera, in degrees
    sinew_up up;            // of the loaded files
    const char *background; // NULL: the default
    const char *output;
    bool webp; // the output is an animation; otherwise a PNG
} cli_render_args;

// Reads the arguments; false if the command ends at once with `status`, after --help or wrong usage.
bool cli_render_read_args(cli_render_args *render, int argc, char **argv, int *status);

// Draws and writes the output. Returns the exit status, with the reason printed if it is not CLI_GOOD.
int cli_render_draw(const cli_render_args *args);

#endif
