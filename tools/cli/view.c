// SPDX-License-Identifier: MIT
// sinew view: plays a file in a window.
#include "cli/cli.h"
#include "cli/motion.h"
#include "cli/stage.h"

#include "numbers/numbers.h"
#include "view/window.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: sinew view [FILE] [OPTIONS]\n"
    "\n"
    "Opens a window and plays FILE; without one, drop a .glb or .gltf onto it. Files that are dropped later are\n"
    "added next to it; the motion of a .bvh or .vrma is played by FILE. The key H shows all keys,\n"
    "Q a panel with springs, wind, rings that drag the body, and curves.\n"
    "\n"
    "  --clip A               the first clip to play, by name or as #0, #1, ...; without it the first of the file\n"
    "  --play-all             all clips at once, each on its own nodes\n"
    "  --motion OTHER         FILE has the motion of the file OTHER, which plays along next to it (sinew "
    "retarget)\n"
    "  --attach OTHER@NODE    attaches the file OTHER to the node NODE; may be repeated\n"
    "  --space \"CLIP=X ...\"   a blend space on a line, or CLIP=X,Y in a plane. Without it: Idle, Walk, Run, ...\n"
    "  --graph FILE           an animation graph that drives the character; it is loaded again when it is saved\n"
    "  --sync NAMES           the markers that start a clip's steps, separated by commas (default Foot_L,Foot_R)\n"
    "  --crowd N              N more of FILE around it, each with its own clip, time and playback rate\n"
    "  --baked                the crowd's poses come from an animation texture, at almost no CPU cost\n"
    "  --root NODE            the node whose root motion moves the character over the ground\n"
    "  --size WxH             the window's size (default 1280x800)\n"
    "  --up y|z               the up axis of the loaded file; it is displayed upright in either case\n"
    "\n"
    "example: sinew view hero.glb --clip Run --attach sword.glb@Grip_R\n"
    "example: sinew view hero.glb --graph hero.graph.json\n"
    "example: sinew view golem.glb --motion hero.glb --clip Wave\n"
    "example: sinew view hero.glb --space \"Idle=0 Walk=1.4 Run=4\"\n";

// ---- Arguments -----------------------------------------------------------------------------------------------

enum { MAX_STEPS = 64 };

typedef struct view_args {
    const char *file, *clip;
    bool play_all;
    int width, height;
    sinew_up up;
    bool has_steps;
    char steps[512]; // the names, each with its end
    const char *step_names[MAX_STEPS];
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

// OTHER@NODE; the last @ counts.
static int read_attachment(view_state *state, cli_args *args) {
    const char *text = cli_args_value(args);
    if (!text) return CLI_USAGE;
    const char *at = strrchr(text, '@');
    char path[VIEW_PATH];
    if (!at || at == text || !at[1] || (size_t)(at - text) >= sizeof path) return refuse(args, "FILE@NODE");
    memcpy(path, text, (size_t)(at - text));
    path[at - text] = '\0';
    if (view_state_add_attachment(state, path, at + 1)) return CLI_GOOD;
    return cli_usage(args->command,
                     "%s may be given at most 16 times, with paths and names of at most %d and %d bytes",
                     args->option, VIEW_PATH - 1, VIEW_NAME - 1);
}

static int read_steps(view_args *view, view_settings *settings, cli_args *args) {
    const char *text = cli_args_value(args);
    if (!text) return CLI_USAGE;
    if (strlen(text) >= sizeof view->steps) return refuse(args, "at most 511 bytes");
    memcpy(view->steps, text, strlen(text) + 1);
    settings->step_names = view->step_names;
    settings->step_name_count = 0;
    for (char *name = view->steps, *comma = name; comma; name = comma + 1) {
        comma = strchr(name, ',');
        if (comma) *comma = '\0';
        if (!name[0] || settings->step_name_count == MAX_STEPS)
            return refuse(args, "at most 64 names, separated by commas");
        view->step_names[settings->step_name_count++] = name;
    }
    return CLI_GOOD;
}

static int read_one(view_args *view, view_state *state, cli_args *args) {
    view_settings *settings = &state->scene->player.settings;
    if (!args->option && !view->file) {
        view->file = args->value;
    } else if (cli_args_is(args, "--clip")) {
        view->clip = cli_args_value(args);
    } else if (cli_args_flag(args, "--play-all")) {
        view->play_all = true;
    } else if (cli_args_is(args, "--motion")) {
        const char *motion = cli_args_file(args);
        if (motion && !view_state_set_motion(state, motion)) return refuse(args, "a shorter path");
    } else if (cli_args_is(args, "--attach")) {
        return read_attachment(state, args);
    } else if (cli_args_is(args, "--space")) {
        settings->space = cli_args_value(args);
    } else if (cli_args_is(args, "--graph")) {
        settings->graph = cli_args_value(args);
    } else if (cli_args_is(args, "--sync")) {
        view->has_steps = true;
        return read_steps(view, settings, args);
    } else if (cli_args_is(args, "--root")) {
        settings->root = cli_args_value(args);
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

static int check_play_all(const view_args *view, const view_settings *settings, const char *command) {
    const char *other = view->clip ? "--clip" : settings->space ? "--space" : settings->graph ? "--graph" : NULL;
    if (!view->play_all) return CLI_GOOD;
    if (!view->file) return cli_usage(command, "--play-all needs a FILE");
    return other ? cli_usage(command, "%s cannot be used with --play-all", other) : CLI_GOOD;
}

// False if the command ends at once with `status`.
static bool read_args(view_args *view, view_state *state, int argc, char **argv, int *status) {
    *view = (view_args){.width = 1280, .height = 800};
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
    if (*status == CLI_GOOD) *status = check_play_all(view, &state->scene->player.settings, args.command);
    if (*status == CLI_GOOD && view->clip && !view->file) *status = cli_usage(args.command, "--clip needs a FILE");
    if (*status == CLI_GOOD && state->motion.path[0] && view->up == SINEW_UP_Z)
        *status = cli_usage(args.command, "--motion needs +Y up: leave out --up z");
    const view_settings *settings = &state->scene->player.settings;
    if (*status == CLI_GOOD && settings->graph && (view->clip || settings->space || view->has_steps))
        *status = cli_usage(args.command, "--graph has clips, blend spaces and sync markers of its own: leave out "
                                          "--clip, --space and --sync");
    if (*status == CLI_GOOD && settings->baked && settings->crowd == 0)
        *status = cli_usage(args.command, "--baked needs --crowd");
    state->toggles.graph = settings->graph != NULL;
    state->toggles.status = settings->crowd > 0; // shows the time of a frame
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

// Loads the file of the arguments; false, with the reason printed, if that fails.
static bool load(view_state *state, const view_args *args) {
    if (!args->file) return true;
    sinew_error error;
    if (!view_state_load(state, args->file, true, &error)) {
        cli_fail("%s", error.message);
        return false;
    }
    view_scene *scene = state->pending;
    const view_settings *settings = &scene->player.settings;
    if (settings->space && !args->clip) view_player_switch_space(&scene->player);
    view_state_show_mixing(state, !settings->graph && (settings->space || settings->root));
    if (args->play_all) return play_all(scene, args->file);
    const sinew_asset *asset = scene->actors[0].asset;
    if (!args->clip) return true;
    const sinew_clip *clip = cli_find_clip(asset, args->file, args->clip);
    if (clip) view_scene_start(scene, (int32_t)(clip - asset->clips));
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
