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
    const char *clip; // NULL for the first one
    bool play_all;    // all clips at once
    float time;       // first frame's time in the clip or graph, in seconds
    cli_crossfade_arg crossfades[CLI_MAX_CROSSFADES];
    int crossfade_count;
    const char *graph;     // NULL to play clips
    const char *recording; // a recorded character of the graph, or NULL
    cli_input_arg inputs[CLI_MAX_INPUTS];
    int input_count;
    cli_actor_arg others[CLI_MAX_ACTORS - 1]; // from --attach and --with, in order
    int other_count;
    int last_placed; // index of FILE or the last --with, which --attach refers to
    cli_springs_args springs;
    int frames;        // 0 if not given
    float fps;         // 0 if not given
    int width, height; // of one frame; 0 to choose them from the model's extent for a sheet
    int poses;         // how many of the crowd to pose per frame; 0 for all
    int crowd;         // number of characters around the first one
    bool baked;        // take the crowd's poses from an animation texture
    bool sheet;
    int columns, rows; // the sheet's; 0 if not given
    bool clips;        // draw a sheet with one row per clip
    int first_clip;    // the first row's
    bool labels;
    int ghosts;      // earlier poses, drawn faintly
    float ghost_gap; // seconds between them
    bool skeleton;
    const char *trails[CLI_MAX_TRAILS]; // node names
    int trail_count;
    float leg_turn;         // degrees to the left
    float stride;           // stride scale; defaults to 1
    char focus[256];        // the close-up's node, or empty
    float focus_height;     // the close-up's height in meters; 0 if not given
    const char *camera;     // name of a camera in the files, or NULL
    float yaw, pitch;       // direction to the camera, in degrees
    sinew_up up;            // up axis of the loaded files
    const char *background; // NULL for the default
    const char *output;
    bool webp; // write an animation instead of a PNG
} cli_render_args;

// Reads the arguments. Returns false if the command should exit at once with `status`, after --help or a usage error.
bool cli_render_read_args(cli_render_args *render, int argc, char **argv, int *status);

// Draws and writes the output. Returns the exit status. Prints the reason if it isn't CLI_GOOD.
int cli_render_draw(const cli_render_args *args);

#endif
