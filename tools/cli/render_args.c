// SPDX-License-Identifier: MIT
// Reads the arguments of `sinew render`.
#include "cli/render_args.h"

#include "numbers/numbers.h"
#include "render/crowd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: sinew render FILE [OPTIONS] -o OUT.png|OUT.webp\n"
    "\n"
    "Draws a still, a sheet of frames, or a looping animation, without a display.\n"
    "\n"
    "  -o OUT                 writes .png for a still or a sheet, .webp for an animation\n"
    "\n"
    "playback:\n"
    "  --clip A               plays a clip by name, or as #0, #1, ... (default: the first)\n"
    "  --play-all             plays all clips at once, each on its own nodes\n"
    "  --time S               starts S seconds into the clip (default 0)\n"
    "  --crossfade B@START:DURATION[:once]\n"
    "                         cross-fades to B, START seconds after the first frame. With :once, B plays\n"
    "                         once and holds its end. Repeatable\n"
    "  --graph FILE           plays an animation graph instead of clips, with its rig on level ground.\n"
    "                         --time S runs it for S s first\n"
    "  --set NAME[=VALUE][@SECONDS]\n"
    "                         sets a graph parameter SECONDS after the start to a number, true, false, X,Y\n"
    "                         or X,Y,Z. Without a value, fires a trigger. Repeatable\n"
    "  --recording REC        plays a character's recording with its --graph\n"
    "  --attach OTHER@NODE    attaches OTHER to a node of FILE or of the last --with. Repeatable\n"
    "  --with OTHER@X,Y,Z[:TURN[:CLIP]]\n"
    "                         adds OTHER at X,Y,Z in meters, turned TURN degrees to its left,\n"
    "                         playing CLIP or its first clip. Repeatable\n"
    "  --crowd N              adds N copies of FILE around it, each with its own clip, time and\n"
    "                         rate. Uses idle, walk and run if FILE has them, otherwise all clips\n"
    "  --poses N              poses at most N of the crowd every 1/60 s, near ones more often\n"
    "  --baked                poses the crowd from an animation texture\n" CLI_SPRINGS_HELP "\n"
    "frames:\n"
    "  --frames N             draws N frames (default: one loop, all cross-fades, or 2 s after --set)\n"
    "  --fps F                sets the frames per second (default 30; a sheet covers everything played)\n"
    "  --size WxH             sets each frame's size in pixels (default 640x480; a sheet fits the model)\n"
    "  --sheet [COLUMNSxROWS] draws many frames in one .png grid (default 4x2)\n"
    "  --clips [FIRST]        draws a sheet with one row per clip, at most 20, starting with clip FIRST\n"
    "  --no-labels            no names or times\n"
    "\n"
    "camera:\n"
    "  --focus NODE[@METERS]  follows NODE, METERS high (default: a quarter of the whole). Hips@2.2 suits a walk\n"
    "  --camera NAME          uses a file's camera, by its name or its node's, or as #0, #1, ...\n"
    "  --from YAW[:PITCH]     sets the direction in degrees. YAW 0 is the front, 90 the character's left.\n"
    "                         PITCH is from above (default 32:14, or 32:30 with a crowd)\n"
    "  --up y|z               sets the files' up axis. They stand upright either way\n"
    "\n"
    "appearance:\n"
    "  --background RRGGBB    replaces the gradient with one color, or with none: transparent\n"
    "  --onion N[@SECONDS]    draws N earlier poses faintly behind each frame, SECONDS apart (default 0.08)\n"
    "  --skeleton             draws joints and bones over the model. Nodes that aren't joints are dimmer\n"
    "  --trail NODE           draws a node's path from blue to yellow, with a dot per frame. Repeatable\n"
    "\n"
    "pose warps for humanoids:\n"
    "  --turn-legs DEGREES    turns hips and legs DEGREES to the left, -90 to 90. The torso keeps facing ahead\n"
    "  --stride SCALE         scales the strides, 0.5 to 1.5\n"
    "\n"
    "A file's images above 64 megapixels, or 256 in total, aren't drawn.\n"
    "\n"
    "examples:\n"
    "  sinew render hero.glb --clip Idle --crossfade Run@1:0.3 --attach sword.glb@Grip_R -o hero.webp\n"
    "  sinew render hero.glb --graph hero.graph.json --set move=0,3.1@1 --set jump@2.5 --sheet 5x4 -o jump.png\n"
    "  sinew render hero.glb --clip Run --sheet --focus LowerLeg_L@0.6 --from 90 -o knee.png\n";

// ---- Single values -------------------------------------------------------------------------------------------

// Reports a wrong value. `expected` continues "--option must be".
static bool refuse(cli_args *args, const char *expected) {
    args->failed = true;
    cli_usage(args->command, "%s must be %s, not '%s'", args->option, expected, args->value);
    return false;
}

// Copies `length` characters. Returns false if that's 0 or too many.
static bool copy_text(char *to, size_t room, const char *text, size_t length) {
    if (length == 0 || length >= room) return false;
    memcpy(to, text, length);
    to[length] = '\0';
    return true;
}

#define MAX_SECONDS 3600.0f

// Reads B@START:DURATION[:once]. The last @ counts, because B may contain one.
static bool parse_crossfade(const char *text, cli_crossfade_arg *fade) {
    const char *at = strrchr(text, '@');
    if (!at || !copy_text(fade->clip, sizeof fade->clip, text, (size_t)(at - text))) return false;
    const char *end = at + 1;
    if (!numbers_read_float(&end, 0.0f, MAX_SECONDS, &fade->start) || *end++ != ':') return false;
    if (!numbers_read_float(&end, 0.0f, MAX_SECONDS, &fade->duration)) return false;
    fade->once = strcmp(end, ":once") == 0;
    return *end == '\0' || fade->once;
}

static bool read_crossfade(cli_render_args *render, cli_args *args) {
    const char *text = cli_args_value(args);
    if (!text) return false;
    if (render->crossfade_count == CLI_MAX_CROSSFADES) {
        args->failed = true;
        cli_usage(args->command, "%s can be used at most 32 times", args->option);
        return false;
    }
    if (parse_crossfade(text, &render->crossfades[render->crossfade_count++])) return true;
    return refuse(args, "CLIP@START:DURATION or CLIP@START:DURATION:once, both between 0 and 3600 seconds");
}

// Copies the path before the last @ in `text` and returns the text after it. Returns NULL if there's no @ or the path
// is too long.
static const char *copy_path(const char *text, cli_actor_arg *other) {
    const char *at = strrchr(text, '@');
    return at && copy_text(other->path, sizeof other->path, text, (size_t)(at - text)) ? at + 1 : NULL;
}

static cli_actor_arg *add_other(cli_render_args *render, cli_args *args) {
    if (render->other_count < CLI_MAX_ACTORS - 1) return &render->others[render->other_count++];
    cli_usage(args->command, "%s: --attach and --with can be used at most 16 times in total", args->option);
    args->failed = true;
    return NULL;
}

// Reads OTHER@NODE. The last @ counts.
static bool read_attachment(cli_render_args *render, cli_args *args) {
    const char *text = cli_args_value(args);
    cli_actor_arg *other = text ? add_other(render, args) : NULL;
    if (!other) return false;
    const char *node = copy_path(text, other);
    other->carrier = render->last_placed;
    if (node && copy_text(other->node, sizeof other->node, node, strlen(node))) return true;
    return refuse(args, "FILE@NODE");
}

// Reads X,Y,Z[:TURN][:CLIP].
static bool parse_position(const char *text, cli_actor_arg *other) {
    float *at[3] = {&other->at.x, &other->at.y, &other->at.z};
    for (int i = 0; i < 3; i++) {
        if (i > 0 && *text++ != ',') return false;
        if (!numbers_read_float(&text, -1e4f, 1e4f, at[i])) return false;
    }
    if (*text == '\0') return true;
    if (*text++ != ':' || !numbers_read_float(&text, -360.0f, 360.0f, &other->turn)) return false;
    if (*text == '\0') return true;
    return *text == ':' && copy_text(other->clip, sizeof other->clip, text + 1, strlen(text + 1));
}

// Reads OTHER@X,Y,Z[:TURN[:CLIP]]. The last @ counts.
static bool read_with(cli_render_args *render, cli_args *args) {
    const char *text = cli_args_value(args);
    cli_actor_arg *other = text ? add_other(render, args) : NULL;
    if (!other) return false;
    const char *position = copy_path(text, other);
    render->last_placed = render->other_count;
    if (position && parse_position(position, other)) return true;
    return refuse(
        args, "FILE@X,Y,Z, FILE@X,Y,Z:TURN or FILE@X,Y,Z:TURN:CLIP, X, Y and Z between -10000 and 10000 meters, "
              "TURN between -360 and 360 degrees");
}

static bool read_size(cli_render_args *render, cli_args *args) {
    const char *text = cli_args_value(args);
    if (!text) return false;
    if (numbers_read_size(text, 4096, &render->width, &render->height)) return true;
    return refuse(args, "WIDTHxHEIGHT, each between 1 and 4096");
}

static bool read_background(cli_render_args *render, cli_args *args) {
    render->background = cli_args_value(args);
    if (!render->background) return false;
    bool hex = strlen(render->background) == 6 && strspn(render->background, "0123456789abcdefABCDEF") == 6;
    return hex || strcmp(render->background, "none") == 0 || refuse(args, "RRGGBB or none");
}

// Reads "5" or "5@0.1".
static bool read_onion(cli_render_args *render, cli_args *args) {
    const char *text = cli_args_value(args);
    if (!text) return false;
    const char *end = text;
    bool good = numbers_read_whole(&end, 1, CLI_MAX_GHOSTS, &render->ghosts);
    if (good && *end == '@') {
        end++;
        good = numbers_read_float(&end, 0.0f, MAX_SECONDS, &render->ghost_gap) && render->ghost_gap > 0.0f;
    }
    return (good && *end == '\0') ||
           refuse(args, "N or N@SECONDS, N between 1 and 12, SECONDS above 0 and at most 3600");
}

static bool read_number_between(cli_args *args, float low, float high, const char *what, float *value) {
    const char *text = cli_args_value(args);
    if (!text) return false;
    const char *end = text;
    return (numbers_read_float(&end, low, high, value) && *end == '\0') || refuse(args, what);
}

static bool read_trail(cli_render_args *render, cli_args *args) {
    const char *text = cli_args_value(args);
    if (!text) return false;
    if (render->trail_count == CLI_MAX_TRAILS) {
        args->failed = true;
        cli_usage(args->command, "%s can be used at most 8 times", args->option);
        return false;
    }
    render->trails[render->trail_count++] = text;
    return true;
}

// Reads NODE or NODE@METERS. The last @ counts.
static bool parse_focus(const char *text, cli_render_args *render) {
    const char *at = strrchr(text, '@');
    const size_t length = at ? (size_t)(at - text) : strlen(text);
    if (!copy_text(render->focus, sizeof render->focus, text, length)) return false;
    if (!at) return true;
    const char *end = at + 1;
    return numbers_read_float(&end, 0.0f, 1e6f, &render->focus_height) && *end == '\0' &&
           render->focus_height > 0.0f;
}

static bool read_focus(cli_render_args *render, cli_args *args) {
    const char *text = cli_args_value(args);
    if (!text) return false;
    return parse_focus(text, render) || refuse(args, "NODE or NODE@METERS, METERS above 0 and at most 1000000");
}

// Reads "90" or "90:30".
static bool parse_from(const char *text, float *yaw, float *pitch) {
    if (!numbers_read_float(&text, -360.0f, 360.0f, yaw)) return false;
    if (*text == '\0') return true;
    return *text++ == ':' && numbers_read_float(&text, -89.0f, 89.0f, pitch) && *text == '\0';
}

static bool read_from(cli_render_args *render, cli_args *args) {
    const char *text = cli_args_value(args);
    if (!text) return false;
    if (parse_from(text, &render->yaw, &render->pitch)) return true;
    return refuse(args, "YAW or YAW:PITCH, in degrees, YAW between -360 and 360, PITCH between -89 and 89");
}

// ---- Optional values -----------------------------------------------------------------------------------------

// Takes the next argument as the value, unless it's an option or could be FILE: it contains a dot and FILE isn't known
// yet.
static void take_optional_value(const cli_render_args *render, cli_args *args) {
    if (args->value || args->next == args->argc) return;
    const char *next = args->argv[args->next];
    if (next[0] == '-' || (!render->file && strchr(next, '.'))) return;
    args->value = next;
    args->next++;
}

static bool read_sheet(cli_render_args *render, cli_args *args) {
    render->sheet = true;
    take_optional_value(render, args);
    if (!args->value || numbers_read_size(args->value, 64, &render->columns, &render->rows)) return true;
    return refuse(args, "COLUMNSxROWS, each between 1 and 64");
}

static bool read_clips(cli_render_args *render, cli_args *args) {
    render->clips = render->sheet = true;
    take_optional_value(render, args);
    const char *text = args->value;
    if (!text) return true;
    if (numbers_read_whole(&text, 0, 999999, &render->first_clip) && *text == '\0') return true;
    return refuse(args, "the number of a clip, between 0 and 999999");
}

// ---- All of them ---------------------------------------------------------------------------------------------

// Reads an option about what's drawn. Returns false for other options.
static bool read_subject(cli_render_args *render, cli_args *args) {
    if (cli_args_is(args, "--clip")) {
        render->clip = cli_args_value(args);
    } else if (cli_args_flag(args, "--play-all")) {
        render->play_all = true;
    } else if (cli_args_is(args, "--time")) {
        cli_args_float(args, 0.0f, 1e6f, &render->time);
    } else if (cli_args_is(args, "--crossfade")) {
        read_crossfade(render, args);
    } else if (cli_args_is(args, "--graph")) {
        render->graph = cli_args_file(args);
    } else if (cli_args_is(args, "--recording")) {
        render->recording = cli_args_file(args);
    } else if (cli_args_is(args, "--set")) {
        cli_script_arg(args, render->inputs, &render->input_count);
    } else if (cli_args_is(args, "--attach")) {
        read_attachment(render, args);
    } else if (cli_args_is(args, "--with")) {
        read_with(render, args);
    } else if (cli_args_is(args, "--crowd")) {
        cli_args_int(args, 1, DRAW_MAX_CROWD, &render->crowd);
    } else if (cli_args_is(args, "--poses")) {
        cli_args_int(args, 1, DRAW_MAX_CROWD, &render->poses);
    } else if (cli_args_flag(args, "--baked")) {
        render->baked = true;
    } else if (cli_args_is(args, "--up")) {
        cli_args_up(args, &render->up);
    } else if (cli_args_is(args, "--turn-legs")) {
        read_number_between(args, -90.0f, 90.0f, "DEGREES, from -90 to 90", &render->leg_turn);
    } else if (cli_args_is(args, "--stride")) {
        read_number_between(args, 0.5f, 1.5f, "SCALE, from 0.5 to 1.5", &render->stride);
    } else {
        return cli_springs_read(&render->springs, args);
    }
    return true;
}

// Reads an option about the picture. Returns false for other options.
static bool read_picture(cli_render_args *render, cli_args *args) {
    if (cli_args_is(args, "--frames")) {
        cli_args_int(args, 1, 3000, &render->frames);
    } else if (cli_args_is(args, "--fps")) {
        cli_args_float(args, 0.01f, 1000.0f, &render->fps);
    } else if (cli_args_is(args, "--camera")) {
        render->camera = cli_args_value(args);
    } else if (cli_args_is(args, "--size")) {
        read_size(render, args);
    } else if (cli_args_is(args, "--sheet")) {
        read_sheet(render, args);
    } else if (cli_args_is(args, "--clips")) {
        read_clips(render, args);
    } else if (cli_args_flag(args, "--no-labels")) {
        render->labels = false;
    } else if (cli_args_is(args, "--background")) {
        read_background(render, args);
    } else if (cli_args_is(args, "--onion")) {
        read_onion(render, args);
    } else if (cli_args_is(args, "--focus")) {
        read_focus(render, args);
    } else if (cli_args_is(args, "--from")) {
        read_from(render, args);
    } else if (cli_args_flag(args, "--skeleton")) {
        render->skeleton = true;
    } else if (cli_args_is(args, "--trail")) {
        read_trail(render, args);
    } else {
        return false;
    }
    return true;
}

static int read_one(cli_render_args *render, cli_args *args) {
    if (!args->option) {
        if (render->file) return cli_args_unknown(args);
        render->file = args->value;
    } else if (cli_args_is(args, "-o") || cli_args_is(args, "--output")) {
        render->output = cli_args_file(args);
    } else if (!read_subject(render, args) && !read_picture(render, args)) {
        return cli_args_unknown(args);
    }
    return args->failed ? CLI_USAGE : CLI_GOOD;
}

static bool ends_with(const char *text, const char *ending) {
    size_t length = strlen(text), ending_length = strlen(ending);
    return length > ending_length && strcmp(text + length - ending_length, ending) == 0;
}

enum { MAX_SHEET_PIXELS = 64000000, ONE_FRAMES_PIXELS = 320 * 240 };

static int check_sheet(const cli_render_args *render, const char *command) {
    if (render->columns > 0 && render->frames > render->columns * render->rows) {
        return cli_usage(command, "--frames: %d frames won't fit in a %dx%d sheet", render->frames, render->columns,
                         render->rows);
    }
    long long cells = render->columns > 0 ? (long long)render->columns * render->rows : render->frames;
    long long pixels = render->width > 0 ? (long long)render->width * render->height : ONE_FRAMES_PIXELS;
    if (cells * pixels > MAX_SHEET_PIXELS) {
        return cli_usage(command, "--sheet must have at most %d pixels; reduce --size or the number of frames",
                         MAX_SHEET_PIXELS);
    }
    return CLI_GOOD;
}

// Checks options that conflict with --clips. A row is one clip from start to end, so you can't choose other frames.
static int check_clips(const cli_render_args *render, const char *command) {
    const char *other = render->clip                  ? "--clip"
                        : render->time > 0.0f         ? "--time"
                        : render->crossfade_count > 0 ? "--crossfade"
                        : render->frames > 0          ? "--frames"
                        : render->fps > 0.0f          ? "--fps"
                                                      : NULL;
    if (other)
        return cli_usage(command, "%s cannot be used with --clips, which draws every clip from start to end",
                         other);
    return CLI_GOOD;
}

// Checks options that conflict with --graph, which plays its own clips.
static int check_graph(const cli_render_args *render, const char *command) {
    if (render->recording && (!render->graph || render->input_count > 0))
        return cli_usage(command,
                         render->graph ? "--set cannot be used with --recording" : "--recording needs --graph");
    if (!render->graph) return render->input_count > 0 ? cli_usage(command, "--set needs --graph") : CLI_GOOD;
    const char *other = render->clip                  ? "--clip"
                        : render->crossfade_count > 0 ? "--crossfade"
                        : render->clips               ? "--clips"
                                                      : NULL;
    if (other) return cli_usage(command, "%s cannot be used with --graph", other);
    return render->time <= 3600.0f ? CLI_GOOD : cli_usage(command, "--time must be at most 3600 with --graph");
}

static int check_play_all(const cli_render_args *render, const char *command) {
    const char *other = render->clip                  ? "--clip"
                        : render->crossfade_count > 0 ? "--crossfade"
                        : render->clips               ? "--clips"
                        : render->graph               ? "--graph"
                                                      : NULL;
    return other ? cli_usage(command, "%s cannot be used with --play-all", other) : CLI_GOOD;
}

static int check(cli_render_args *render, const char *command) {
    if (!render->file) return cli_usage(command, "FILE is missing");
    if (!render->output) return cli_usage(command, "-o OUT.png or -o OUT.webp is missing");
    render->webp = ends_with(render->output, ".webp");
    if (!render->webp && !ends_with(render->output, ".png")) {
        return cli_usage(command, "-o must end in .png or .webp, not '%s'", render->output);
    }
    if (render->webp && render->sheet)
        return cli_usage(command, "-o must end in .png for a sheet, not '%s'", render->output);
    bool still = !render->webp && !render->sheet;
    if (still && render->frames > 1)
        return cli_usage(command, "--frames needs --sheet or an output that ends in .webp");
    if (still && render->crossfade_count > 0)
        return cli_usage(command, "--crossfade needs --sheet or an output that ends in .webp");
    if (render->width == 0 && !render->sheet) {
        render->width = 640;
        render->height = 480;
    }
    if (isnan(render->pitch)) render->pitch = render->crowd > 0 ? 30.0f : 14.0f; // steeper, to show the back rows
    if (render->baked && render->crowd == 0) return cli_usage(command, "--baked needs --crowd");
    if (render->poses > 0 && (render->crowd == 0 || render->baked)) {
        return cli_usage(command, "--poses needs --crowd, without --baked");
    }
    if (render->camera && render->focus[0]) return cli_usage(command, "--camera cannot be used with --focus");
    if (render->clips && check_clips(render, command) != CLI_GOOD) return CLI_USAGE;
    if (render->play_all && check_play_all(render, command) != CLI_GOOD) return CLI_USAGE;
    if (check_graph(render, command) != CLI_GOOD) return CLI_USAGE;
    return render->sheet ? check_sheet(render, command) : CLI_GOOD;
}

bool cli_render_read_args(cli_render_args *render, int argc, char **argv, int *status) {
    *render = (cli_render_args){.labels = true, .ghost_gap = 0.08f, .stride = 1.0f, .yaw = 32.0f, .pitch = NAN};
    *status = CLI_GOOD;
    cli_args args = cli_args_start(argc, argv);
    while (*status == CLI_GOOD && cli_args_next(&args)) {
        if (cli_args_flag(&args, "--help")) {
            printf("%s", help);
            return false;
        }
        *status = read_one(render, &args);
    }
    if (args.failed) *status = CLI_USAGE;
    if (*status == CLI_GOOD) *status = check(render, argv[0]);
    return *status == CLI_GOOD;
}
