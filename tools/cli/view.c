// SPDX-License-Identifier: MIT
// sinew view: plays a file in a window.
#include "cli/cli.h"
#include "cli/motion.h"
#include "cli/stage.h"
#include "cli/view_graph.h"

#include "numbers/numbers.h"
#include "view/window.h"

#include <stdio.h>

static const char help[] =
    "usage: sinew view [FILE] [OPTIONS]\n"
    "\n"
    "Opens a window and plays FILE. Without FILE, drop a .glb or .gltf onto the window. If you drop another\n"
    "file later, it replaces FILE. If you drop a .bvh or .vrma, FILE plays its motion. FILE is reloaded\n"
    "when you save it. Press H for all keys. To mix clips, attach files, edit graphs and drag the body, use\n"
    "the studio: make studio.\n"
    "\n"
    "  --clip A               starts with this clip, by name or as #0, #1, ... (default: the first)\n"
    "  --play-all             plays all clips at once, each on its own nodes\n"
    "  --graph GRAPH          plays an animation graph with its rig, until you choose a clip\n"
    "  --set NAME[=VALUE][@SECONDS]\n"
    "                         sets a graph parameter, like in sinew render. Repeatable\n"
    "  --motion OTHER         gives FILE the motion of OTHER (see sinew retarget)\n"
    "  --crowd N              adds N copies of FILE around it, each with its own clip, time and playback rate\n"
    "  --baked                poses the crowd from an animation texture, at almost no CPU cost\n"
    "  --size WxH             sets the window size (default 1280x800)\n"
    "  --up y|z               sets the up axis of FILE: y (default) or z. It stands upright either way\n"
    "\n"
    "example: sinew view hero.glb --clip Run\n"
    "example: sinew view hero.glb --graph hero.graph.json --set move=0,1.15\n"
    "example: sinew view hero.glb --crowd 1000\n"
    "example: sinew view golem.glb --motion hero.glb --clip Wave\n";

// ---- Arguments -----------------------------------------------------------------------------------------------

typedef struct view_args {
    const char *file, *clip;
    bool play_all;
    int width, height;
    sinew_up up;
    cli_view_graph graph;
    view_act act; // for the graph
} view_args;

static int refuse(cli_args *args, const char *expected) {
    return cli_usage(args->command, "%s must be %s, not '%s'", args->option, expected, args->value);
}

static int read_size(view_args *view, cli_args *args) {
    const char *text = cli_args_value(args);
    if (!text) return CLI_USAGE;
    const bool good = numbers_read_size(text, 16384, &view->width, &view->height);
    if (good && view->width >= 320 && view->height >= 240) return CLI_GOOD;
    return refuse(args, "WIDTHxHEIGHT, between 320x240 and 16384x16384");
}

static int read_one(view_args *view, view_state *state, cli_args *args) {
    view_settings *settings = &state->scene->player.settings;
    if (!args->option && !view->file) {
        view->file = args->value;
    } else if (cli_args_is(args, "--clip")) {
        view->clip = cli_args_value(args);
    } else if (cli_args_flag(args, "--play-all")) {
        view->play_all = true;
    } else if (cli_args_is(args, "--graph")) {
        view->graph.path = cli_args_file(args);
        settings->act = &view->act;
    } else if (cli_args_is(args, "--set")) {
        cli_script_arg(args, view->graph.inputs, &view->graph.input_count);
    } else if (cli_args_is(args, "--motion")) {
        const char *motion = cli_args_file(args);
        if (motion && !view_state_set_motion(state, motion)) return refuse(args, "a shorter path");
    } else if (cli_args_is(args, "--crowd")) {
        cli_args_int(args, 1, DRAW_MAX_CROWD, &settings->crowd);
    } else if (cli_args_flag(args, "--baked")) {
        settings->baked = true;
    } else if (cli_args_is(args, "--size")) {
        return read_size(view, args);
    } else if (cli_args_is(args, "--up")) {
        cli_args_up(args, &view->up);
    } else {
        return cli_args_unknown(args);
    }
    return args->failed ? CLI_USAGE : CLI_GOOD;
}

// Returns why the arguments don't go together, or NULL if they do.
static const char *find_conflict(const view_args *view, const view_state *state) {
    const view_settings *settings = &state->scene->player.settings;
    if (view->play_all && !view->file) return "--play-all needs a FILE";
    if (view->play_all && view->clip) return "--clip cannot be used with --play-all";
    if (view->clip && !view->file) return "--clip needs a FILE";
    if (view->graph.path && !view->file) return "--graph needs a FILE";
    if (view->graph.path && view->clip) return "--clip cannot be used with --graph";
    if (view->graph.path && view->play_all) return "--play-all cannot be used with --graph";
    if (view->graph.input_count > 0 && !view->graph.path) return "--set needs --graph";
    if (state->motion.path[0] && view->up == SINEW_UP_Z) return "--motion needs +Y up; leave out --up z";
    return settings->baked && settings->crowd == 0 ? "--baked needs --crowd" : NULL;
}

// Returns false if the command should exit at once with `status`.
static bool read_args(view_args *view, view_state *state, int argc, char **argv, int *status) {
    *view = (view_args){.width = 1280, .height = 800};
    view->act = cli_view_graph_act(&view->graph);
    *status = CLI_GOOD;
    cli_args args = cli_args_start(argc, argv);
    while (*status == CLI_GOOD && cli_args_next(&args)) {
        if (cli_args_flag(&args, "--help")) {
            printf("%s", help);
            return false;
        }
        *status = read_one(view, state, &args);
    }
    if (args.failed) *status = CLI_USAGE;
    const char *conflict = *status == CLI_GOOD ? find_conflict(view, state) : NULL;
    if (conflict) *status = cli_usage(args.command, "%s", conflict);
    state->toggles.status = state->scene->player.settings.crowd > 0; // shows the frame time
    return *status == CLI_GOOD;
}

// ---- The command ---------------------------------------------------------------------------------------------

static bool play_all(view_scene *scene, const char *path) {
    sinew_error error;
    if (!view_player_play_all(&scene->player, &error)) {
        cli_fail("%s: %s", path, error.message);
        return false;
    }
    cli_warn_left_out(&scene->player.all, path);
    view_scene_advance(scene, 0.0f);
    return true;
}

// Loads the files in the arguments. On failure, prints the reason and returns false.
static bool load(view_state *state, const view_args *args) {
    if (!args->file) return true;
    sinew_error error;
    if (!view_state_load(state, args->file, true, &error)) {
        cli_fail("%s", error.message);
        return false;
    }
    view_scene *scene = state->pending;
    if (args->play_all) return play_all(scene, args->file);
    if (!args->clip) return true;
    const sinew_clip *clip = cli_find_clip(scene->asset, args->file, args->clip);
    if (clip) view_player_start(&scene->player, (int32_t)(clip - scene->asset->clips));
    view_scene_advance(scene, 0.0f);
    return clip != NULL;
}

static bool view(view_state *state, const view_args *args) {
    sinew_error error;
    if (!load(state, args)) return false;
    if (view_window_run(state, args->width, args->height, &error)) return true;
    cli_fail("%s", error.message);
    return false;
}

int cli_view(int argc, char **argv) {
    int status;
    view_args args;
    view_state state;
    if (!view_state_create(&state, cli_read)) return cli_fail("out of memory");
    state.motion = (view_motion){.is_motion = cli_is_motion_file, .load = cli_read_with_motion};
    bool good = read_args(&args, &state, argc, argv, &status);
    if (good && args.up == SINEW_UP_Z) {
        state.load = cli_read_z_up;
        state.motion.is_motion = NULL;
    }
    if (good) status = view(&state, &args) ? CLI_GOOD : CLI_BAD_INPUT;
    view_state_free(&state);
    return status;
}
