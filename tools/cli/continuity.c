// SPDX-License-Identifier: MIT
// sinew continuity: finds the frames where a character pops in a recording.
#include "cli/jumps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: sinew continuity RECORDING FILE [--graph GRAPH] [--bind OTHER]... [--degrees X] [--worst N]\n"
    "                        [--up y|z] [--json]\n"
    "\n"
    "Replays a recording of a mixer (sinew_mixer_record) or a character (sinew_character_record) with a\n"
    "glTF file's clips, and measures how far each node moves from frame to frame. A step is a pop if it\n"
    "exceeds both of these by more than 3 degrees of joint rotation, measured a tenth of the model's height\n"
    "from the joint: the step of the contributing clips in all layers together, and 1.5 times the steps of\n"
    "the frames before and after. Prints the worst frames: the node, its step, the clips' step, and the\n"
    "calls before that frame. If a clip itself jumps, that's listed but isn't a pop. Nodes that a\n"
    "character's springs move are left out. The exit status is 1 if anything pops.\n"
    "\n"
    "  --graph GRAPH  the character's graph with its rig; only for the recording of a character\n"
    "  --bind OTHER   adds OTHER's clips, bound to FILE's nodes by name; repeatable\n"
    "  --degrees X    allows X degrees of joint rotation, above 0 and at most 180 (default 3)\n"
    "  --worst N      lists N frames, 0 to 100 (default 10)\n"
    "  --up y|z       sets the up axis of FILE: y (default) or z\n"
    "  --json         prints JSON instead of a table (docs/json.md)\n"
    "\n"
    "example: sinew continuity bug.rec hero.glb\n"
    "         sinew continuity bug.rec hero.glb --graph hero.character.json\n";

typedef struct continuity_args {
    const char *recording, *file, *graph;
    float degrees;
    int worst;
    sinew_up up;
    bool json;
    cli_clips clips;
} continuity_args;

// ---- Text ----------------------------------------------------------------------------------------------------

static const char *name_of(const sinew_skeleton *skeleton, const cli_jump *jump) {
    if (jump->part == CLI_JUMP_NODE) return skeleton->names[jump->index];
    return jump->part == CLI_JUMP_ROOT ? "(root motion)" : "(morph weight)";
}

static void print_cause(const continuity_args *arguments, const cli_jump *jump) {
    int32_t count = jump->call_count < CLI_JUMP_CALLS ? jump->call_count : CLI_JUMP_CALLS;
    for (int32_t i = 0; i < count; i++) {
        printf("%s%s %" PRId64 ": %s", i ? "; " : "", arguments->graph ? "update" : "call", jump->calls[i].number,
               cli_text(jump->calls[i].text));
    }
    if (jump->call_count > count) printf("; and %d more", jump->call_count - count);
    if (count > 0) return;
    if (jump->kind == CLI_JUMP_CLIP && jump->clip) {
        printf("no call: clip '%s' itself", cli_text(jump->clip->name));
    } else {
        printf("no call: a transition is in progress or was queued");
    }
}

static void print_table(const continuity_args *arguments, const sinew_skeleton *skeleton, const cli_jumps *jumps) {
    printf("%" PRId64 " frames over %.4f s; the model's height is %.3g m\n", jumps->frames, jumps->seconds,
           (double)jumps->height);
    printf("accelerations (50, 95 and 99 %%): %.3g, %.3g and %.3g m/s2; jerks: %.3g, %.3g and %.3g m/s3\n",
           (double)jumps->acceleration[0], (double)jumps->acceleration[1], (double)jumps->acceleration[2],
           (double)jumps->jerk[0], (double)jumps->jerk[1], (double)jumps->jerk[2]);
    printf("frames that pop: %" PRId64 "; frames where a clip itself jumps: %" PRId64 "\n", jumps->pops,
           jumps->clip_jumps);
    if (jumps->worst_count == 0 || arguments->worst == 0) return;
    printf("\n%8s %10s  %-4s %-20s %10s %10s %10s  %s\n", "frame", "seconds", "", "node", "step", "clips", "excess",
           "cause");
    for (int32_t i = 0; i < jumps->worst_count && i < arguments->worst; i++) {
        const cli_jump *jump = &jumps->worst[i];
        printf("%8" PRId64 " %10.4f  %-4s %-20s %10.4f %10.4f %10.4f  ", jump->frame, jump->seconds,
               jump->kind == CLI_JUMP_POP ? "pop" : "clip", cli_text(name_of(skeleton, jump)), (double)jump->step,
               (double)jump->clips, (double)jump->excess);
        print_cause(arguments, jump);
        printf("\n");
    }
}

// ---- JSON ----------------------------------------------------------------------------------------------------

static void print_percentiles(const char *name, const float values[CLI_PERCENTILES]) {
    printf(",\"%s\":", name);
    cli_json_floats(stdout, values, CLI_PERCENTILES);
}

static void print_number(const char *name, float number) {
    const bool is_finite = number - number == 0.0f;
    printf(is_finite ? ",\"%s\":%.9g" : ",\"%s\":null", name, (double)number);
}

static void print_json_part(const sinew_skeleton *skeleton, const cli_jump *jump) {
    static const char *const parts[] = {"node", "root", "morphWeight"};
    printf(",\"part\":\"%s\"", parts[jump->part]);
    if (jump->part == CLI_JUMP_NODE) {
        printf(",\"node\":%d,\"name\":", skeleton->source_of_node[jump->index]);
        cli_json_string(stdout, skeleton->names[jump->index]);
    } else if (jump->part == CLI_JUMP_WEIGHT) {
        printf(",\"morphWeight\":%d", jump->index);
    }
}

static void print_json_calls(const cli_jump *jump) {
    printf(",\"callCount\":%d,\"calls\":[", jump->call_count);
    for (int32_t i = 0; i < jump->call_count && i < CLI_JUMP_CALLS; i++) {
        printf("%s{\"call\":%" PRId64 ",\"text\":", i ? "," : "", jump->calls[i].number);
        cli_json_string(stdout, jump->calls[i].text);
        printf("}");
    }
    printf("]");
}

static void print_json_jump(const sinew_skeleton *skeleton, const cli_jump *jump) {
    printf("{\"frame\":%" PRId64 ",\"seconds\":%.9g,\"call\":%" PRId64 ",\"kind\":\"%s\"", jump->frame,
           jump->seconds, jump->call, jump->kind == CLI_JUMP_POP ? "pop" : "clip");
    print_json_part(skeleton, jump);
    print_number("step", jump->step);
    print_number("clipStep", jump->clips);
    print_number("excess", jump->excess);
    printf(",\"clip\":");
    if (jump->clip) {
        cli_json_string(stdout, jump->clip->name);
    } else {
        printf("null");
    }
    print_json_calls(jump);
    printf("}");
}

static void print_json(const continuity_args *arguments, const sinew_skeleton *skeleton, const cli_jumps *jumps) {
    printf("{\"frames\":%" PRId64 ",\"seconds\":%.9g", jumps->frames, jumps->seconds);
    print_number("size", jumps->size);
    print_number("height", jumps->height);
    print_number("degrees", arguments->degrees);
    printf(",\"pops\":%" PRId64 ",\"clipJumps\":%" PRId64, jumps->pops, jumps->clip_jumps);
    print_percentiles("accelerations", jumps->acceleration);
    print_percentiles("jerks", jumps->jerk);
    printf(",\"worst\":[");
    for (int32_t i = 0; i < jumps->worst_count && i < arguments->worst; i++) {
        printf("%s\n", i ? "," : "");
        print_json_jump(skeleton, &jumps->worst[i]);
    }
    printf("]}\n");
}

// ---- The command ---------------------------------------------------------------------------------------------

static int report(const continuity_args *arguments, const cli_jumps *jumps) {
    const sinew_skeleton *skeleton = arguments->clips.asset->skeleton;
    (arguments->json ? print_json : print_table)(arguments, skeleton, jumps);
    if (!cli_flush_stdout()) return CLI_BAD_INPUT;
    if (jumps->frames == 0) return cli_fail("%s: has no frames, because no pose was shown", arguments->recording);
    if (jumps->pops == 0) return CLI_GOOD;
    return cli_fail("%s: %" PRId64 " frame%s", arguments->recording, jumps->pops,
                    jumps->pops == 1 ? " pops" : "s pop");
}

static bool find_in_mixer(const continuity_args *arguments, cli_jumps *jumps) {
    const sinew_asset *asset = arguments->clips.asset;
    cli_recorded recorded = {.clips = &arguments->clips};
    const bool is_good = cli_recorded_open(asset, arguments->recording, &recorded) &&
                         cli_find_jumps(arguments->recording, asset, recorded.replay, arguments->degrees, jumps);
    if (is_good && recorded.replay->first_mismatch >= 0)
        cli_warn("%s: first mismatch: before call %" PRId64 " the mixer does not match the recording",
                 arguments->recording, recorded.replay->first_mismatch);
    cli_recorded_close(&recorded);
    return is_good;
}

static bool find_in_character(const continuity_args *arguments, cli_jumps *jumps) {
    cli_cast cast = {0};
    cli_take take = {0};
    const bool is_good = cli_cast_load(arguments->graph, arguments->clips.asset, arguments->clips.clips,
                                       arguments->clips.count, &cast) &&
                         cli_take_open(&cast, arguments->recording, &take) &&
                         cli_find_character_jumps(&cast, &take, arguments->degrees, jumps);
    if (is_good && take.replay->first_mismatch >= 0)
        cli_warn("%s: first mismatch: after update %" PRId64 " the character does not match the recording",
                 arguments->recording, take.replay->first_mismatch);
    cli_take_close(&take);
    cli_cast_free(&cast);
    return is_good;
}

static int run(const continuity_args *arguments) {
    int status = cli_recorded_check_graph("continuity", arguments->recording, arguments->graph);
    if (status != CLI_GOOD) return status;
    cli_jumps *jumps = calloc(1, sizeof *jumps);
    if (!jumps) return cli_fail("%s: out of memory", arguments->recording);
    const bool is_good = (arguments->graph ? find_in_character : find_in_mixer)(arguments, jumps);
    status = is_good ? report(arguments, jumps) : CLI_BAD_INPUT;
    free(jumps);
    return status;
}

// Reads one option. Returns false if it's unknown.
static bool read_option(continuity_args *arguments, cli_args *args) {
    if (!args->option && !arguments->recording) {
        arguments->recording = args->value;
    } else if (!args->option && !arguments->file) {
        arguments->file = args->value;
    } else if (cli_args_is(args, "--graph")) {
        arguments->graph = cli_args_file(args);
    } else if (cli_args_is(args, "--degrees")) {
        cli_args_float(args, 0.001f, 180.0f, &arguments->degrees);
    } else if (cli_args_is(args, "--worst")) {
        cli_args_int(args, 0, CLI_MAX_JUMPS, &arguments->worst);
    } else if (cli_args_is(args, "--up")) {
        cli_args_up(args, &arguments->up);
    } else if (cli_args_flag(args, "--json")) {
        arguments->json = true;
    } else {
        return cli_clips_arg(&arguments->clips, args);
    }
    return true;
}

int cli_continuity(int argc, char **argv) {
    continuity_args arguments = {.degrees = 3.0f, .worst = 10, .up = SINEW_UP_Y};
    cli_args args = cli_args_start(argc, argv);
    while (cli_args_next(&args)) {
        if (cli_args_flag(&args, "--help")) {
            printf("%s", help);
            return CLI_GOOD;
        }
        if (!read_option(&arguments, &args)) return cli_args_unknown(&args);
    }
    if (args.failed) return CLI_USAGE;
    if (!arguments.recording) return cli_usage("continuity", "RECORDING is missing");
    if (!arguments.file) return cli_usage("continuity", "FILE is missing");
    const bool is_loaded = cli_clips_load(&arguments.clips, arguments.file, arguments.up);
    const int status = is_loaded ? run(&arguments) : CLI_BAD_INPUT;
    cli_clips_free(&arguments.clips);
    return status;
}
