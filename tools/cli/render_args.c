// SPDX-License-Identifier: MIT
// The arguments of `sinew render`.
#include "cli/render_args.h"

#include "numbers/numbers.h"
#include "render/crowd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: sinew render FILE [OPTIONS] -o OUT.png|OUT.webp\n"
    "\n"
    "Draws a character without a display: a still, a sheet of frames, or an animation that loops.\n"
    "\n"
    "  -o OUT                 the output: .png for a still or a sheet, .webp for an animation; not an input file\n"
    "\n"
    "playback:\n"
    "  --clip A               the clip, by name or as #0, #1, ...; without it the first one\n"
    "  --play-all             all clips at once, each on its own nodes\n"
    "  --time S               the time of the first frame in the clip, in seconds (default 0)\n"
    "  --crossfade B@START:DURATION[:once]\n"
    "                         cross-fades to clip B, START seconds after the first frame; once: B holds its end.\n"
    "                         May be repeated\n"
    "  --graph FILE           plays an animation graph instead of clips, from its start; --time: S seconds of it "
    "first\n"
    "  --set NAME[=VALUE][@SECONDS]\n"
    "                         sets a parameter of the graph SECONDS after its start (0): to a number, true or "
    "false, or\n"
    "                         X,Y; without a value fires a trigger. May be repeated\n"
    "  --attach OTHER@NODE    attaches the file OTHER to the node NODE of FILE or of the last --with before it; "
    "may\n"
    "                         be repeated\n"
    "  --with OTHER@X,Y,Z[:TURN[:CLIP]]\n"
    "                         adds the file OTHER at X,Y,Z metres, turned TURN degrees to its left, with its\n"
    "                         first clip or CLIP; may be repeated\n"
    "  --crowd N              N more of FILE around it, each with its own clip, time and playback rate: idle,\n"
    "                         walk and run if FILE has them, or else all its clips\n"
    "  --poses N              at most N of the crowd are posed in a frame of 1/60 s, near ones more often; the\n"
    "                         others keep their last pose\n"
    "  --baked                the crowd's poses come from an animation texture\n" CLI_SPRINGS_HELP "\n"
    "frames:\n"
    "  --frames N             the number of frames (default: one loop of the clip, all cross-fades, or 2 s after\n"
    "                         the last --set)\n"
    "  --fps F                frames per second (default 30; a sheet covers all that is played)\n"
    "  --size WxH             of each frame, in pixels (default 640x480; in a sheet as the model fills it)\n"
    "  --sheet [COLUMNSxROWS] a PNG of many frames in a grid (default 4x2)\n"
    "  --clips [FIRST]        a sheet with a row for each clip of the file, at most 20, from clip FIRST\n"
    "  --no-labels            no names or times\n"
    "\n"
    "camera:\n"
    "  --focus NODE[@METRES]  a close-up that follows the node NODE, METRES high (default a quarter of the whole)\n"
    "  --camera NAME          a camera of one of the files, by its name or its node's, or as #0, #1, ...\n"
    "  --from YAW[:PITCH]     the direction, in degrees: 0 the front, 90 the character's left; PITCH from above\n"
    "                         (default 32:14, with a crowd 32:30)\n"
    "  --up y|z               the up axis of the loaded files; they are drawn upright in either case\n"
    "\n"
    "appearance:\n"
    "  --background RRGGBB    one colour instead of the gradient, or none: transparent\n"
    "  --onion N[@SECONDS]    N earlier poses, drawn faintly behind each frame, SECONDS (0.08) apart\n"
    "  --skeleton             joints and bones over the model; nodes that are not joints are dimmer\n"
    "  --trail NODE           the path of a node, from blue to yellow, a dot for each frame; may be repeated\n"
    "\n"
    "pose warps, of a humanoid:\n"
    "  --turn-legs DEGREES    turns hips and legs DEGREES to its left, -90 to 90; the torso faces ahead\n"
    "  --stride SCALE         scales the strides, 0.5 to 1.5\n"
    "\n"
    "Images above 64 megapixels, or beyond 256 megapixels of a file in total, are not drawn.\n"
    "\n"
    "examples:\n"
    "  sinew render hero.glb --clip Idle --crossfade Run@1:0.3 --attach sword.glb@Grip_R -o hero.webp\n"
    "  sinew render hero.glb --graph hero.graph.json --set move=0,3.1@1 --set jump@2.5 --sheet 5x4 -o jump.png\n"
    "  sinew render hero.glb --clip Run --sheet --focus LowerLeg_L@0.6 --from 90 -o knee.png\n";

// ---- Single values -------------------------------------------------------------------------------------------

// Reports a value of an option; `expected` continues "--option must be".
static bool refuse(cli_args *args, const char *expected) {
    args->failed = true;
    cli_usage(args->command, "%s must be %s, not '%s'", args->option, expected, args->value);
    return false;
}

// Copies `length` characters; false if there are none or too many.
static bool copy_text(char *to, size_t room, const char *text, size_t length) {
    if (length == 0 || length >= room) return false;
    memcpy(to, text, length);
    to[length] = '\0';
    return true;
}

#define MAX_SECONDS 3600.0f

// B@START:DURATION[:once]; the last @ counts, so that B may have one.
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
        cli_usage(args->command, "%s may be given at most 32 times", args->option);
        return false;
    }
    if (parse_crossfade(text, &render->crossfades[render->crossfade_count++])) return true;
    return refuse(args, "CLIP@START:DURATION or CLIP@START:DURATION:once, both between 0 and 3600 seconds");
}

static bool read_input(cli_render_args *render, cli_args *args) {
    const char *text = cli_args_value(args);
    if (!text) return false;
    if (render->input_count == CLI_MAX_INPUTS) {
        args->failed = true;
        cli_usage(args->command, "%s may be given at most %d times", args->option, CLI_MAX_INPUTS);
        return false;
    }
    if (cli_script_parse_input(text, &render->inputs[render->input_count++])) return true;
    return refuse(args, "NAME, NAME=VALUE or NAME=X,Y, and @SECONDS between 0 and 3600");
}

// Copies the path before the last @ of `text` and returns the text after it; NULL without an @ or with a long path.
static const char *copy_path(const char *text, cli_actor_arg *other) {
    const char *at = strrchr(text, '@');
    return at && copy_text(other->path, sizeof other->path, text, (size_t)(at - text)) ? at + 1 : NULL;
}

static cli_actor_arg *add_other(cli_render_args *render, cli_args *args) {
    if (render->other_count < CLI_MAX_ACTORS - 1) return &render->others[render->other_count++];
    cli_usage(args->command, "%s: --attach and --with may be given at most 16 times together", args->option);
    args->failed = true;
    return NULL;
}

// OTHER@NODE; the last @ counts.
static bool read_attachment(cli_render_args *render, cli_args *args) {
    const char *text = cli_args_value(args);
    cli_actor_arg *other = text ? add_other(render, args) : NULL;
    if (!other) return false;
    const char *node = copy_path(text, other);
    other->carrier = render->last_placed;
    if (node && copy_text(other->node, sizeof other->node, node, strlen(node))) return true;
    return refuse(args, "FILE@NODE");
}

// X,Y,Z, optionally :TURN, optionally :CLIP.
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

// OTHER@X,Y,Z[:TURN[:CLIP]]; the last @ counts.
static bool read_with(cli_render_args *render, cli_args *args) {
    const char *text = cli_args_value(args);
    cli_actor_arg *other = text ? add_other(render, args) : NULL;
    if (!other) return false;
    const char *position = copy_path(text, other);
    render->last_placed = render->other_count;
    if (position && parse_position(position, other)) return true;
    return refuse(
        args, "FILE@X,Y,Z, FILE@X,Y,Z:TURN or FILE@X,Y,Z:TURN:CLIP, X, Y and Z between -10000 and 10000 metres, "
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

// "5", or "5@0.1".
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
        cli_usage(args->command, "%s may be given at most 8 times", args->option);
        return false;
    }
    render->trails[render->trail_count++] = text;
    return true;
}

// NODE, or NODE@METRES; the last @ counts.
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
    return parse_focus(text, render) || refuse(args, "NODE or NODE@METRES, METRES above 0 and at most 1000000");
}

// "90", or "90:30".
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

// Takes the next argument as the value, unless it is an option, or may be FILE: it contains a dot and FILE is not known.
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

// Reads an option for what is drawn. False if it is not one.
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
    } else if (cli_args_is(args, "--set")) {
        read_input(render, args);
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

// Reads an option for the picture. False if it is not one.
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
        return cli_usage(command, "--frames %d does not fit into a sheet of %dx%d", render->frames, render->columns,
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

// A row of --clips is one clip from start to end, which excludes other choices of frames.
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

// A graph plays clips of its own.
static int check_graph(const cli_render_args *render, const char *command) {
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
    if (isnan(render->pitch))
        render->pitch = render->crowd > 0 ? 30.0f : 14.0f; // steeper, so that the back rows are visible
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
