// What `sinew render` is asked for.
#ifndef CLI_RENDER_ARGS_H
#define CLI_RENDER_ARGS_H

#include "cli/stage.h"

// --crossfade, as it was given.
typedef struct cli_crossfade_arg {
    char clip[256];
    float start, duration; // seconds
    bool once;
} cli_crossfade_arg;

enum { CLI_MAX_GHOSTS = 12, CLI_MAX_TRAILS = 8, CLI_MAX_CLIP_ROWS = 20 };

typedef struct cli_render_args {
    const char *file;
    const char *clip; // NULL: the first one
    float time;       // where in the clip the first frame is
    cli_crossfade_arg crossfades[CLI_MAX_CROSSFADES];
    int crossfade_count;
    cli_actor_arg others[CLI_MAX_ACTORS - 1]; // of --attach and --with, in their order
    int other_count;
    int newest_standing; // which of the actors was named last of those that stand on the ground: it carries
    int frames;          // 0: not given
    float fps;           // 0: not given
    int width, height;   // of one frame; 0: a sheet's frames as its model fills them
    int crowd;           // how many of the file stand around it
    bool baked;          // their poses come from an animation texture
    bool sheet;
    int columns, rows; // of the sheet; 0: not given
    bool clips;        // a sheet with one row for each clip
    int first_clip;    // the first row's
    bool labels;
    int ghosts;      // poses before each frame that are drawn faintly
    float ghost_gap; // seconds from one to the next
    bool skeleton;
    const char *trails[CLI_MAX_TRAILS]; // nodes
    int trail_count;
    char focus[256];        // the node of a close-up; empty: the whole is shown
    float focus_height;     // what a close-up shows from top to bottom, in metres; 0: not given
    const char *camera;     // of a file, through which it is seen; NULL: none
    float yaw, pitch;       // from where the camera looks, in degrees
    sinew_up up;            // of the files, once they are loaded
    const char *background; // NULL: the default
    const char *output;
    bool webp; // the output is an animation; otherwise a PNG
} cli_render_args;

// Reads the arguments; false when the command is to end at once with `status`, because of --help or wrong usage.
bool cli_render_read_args(cli_render_args *render, int argc, char **argv, int *status);

#endif
