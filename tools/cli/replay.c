// SPDX-License-Identifier: MIT
// sinew replay: replays a mixer's recorded calls or a character's recorded updates, and compares the results with the
// recorded ones.
#include "cli/replay_character.h"

#include <inttypes.h>
#include <string.h>

static const char help[] =
    "usage: sinew replay RECORDING FILE [--graph GRAPH] [--bind OTHER]... [--compare OTHER] [--up y|z]\n"
    "\n"
    "Replays a mixer recording (sinew_mixer_record) with a glTF file's clips, and prints each call: its\n"
    "number, the mixer's time in seconds, and the function with its arguments. With the recording of a\n"
    "character (sinew_character_record), prints each update and what the program changed before it. Prints\n"
    "the first mismatch if the results do not match the recording, and the exit status is then 1. If the\n"
    "recorded program compresses clips when it loads them, bake FILE with the same --compress or --u16\n"
    "('sinew bake-asset') and pass the result as FILE.\n"
    "\n"
    "  --graph GRAPH    the character's graph with its rig; only for the recording of a character\n"
    "  --bind OTHER     adds OTHER's clips, bound to FILE's nodes by name; repeatable\n"
    "  --compare OTHER  compares with another recording and prints the first difference; if there is one,\n"
    "                   the exit status is 1\n"
    "  --up y|z         sets the up axis of FILE: y (default) or z\n"
    "\n"
    "'sinew render --graph GRAPH --recording RECORDING' draws a recorded character.\n"
    "\n"
    "example: sinew replay bug.rec hero.glb\n"
    "         sinew replay bug.rec hero.glb --graph hero.character.json\n";

typedef struct replay_args {
    const char *recording, *file, *other, *graph;
    sinew_up up;
    cli_clips clips;
} replay_args;

// ---- Replaying -----------------------------------------------------------------------------------------------

static int replay_one(const char *path, sinew_replay *replay) {
    cli_call_line line;
    while (replay->calls_made < replay->call_count) {
        double seconds = replay->seconds;
        int64_t number = replay->calls_made;
        if (!cli_recorded_step(path, replay, &line)) return CLI_BAD_INPUT;
        printf("%8" PRId64 " %10.4f  %s\n", number, seconds, cli_text(line.text));
    }
    printf("%" PRId64 " calls over %.4f s, hash %016" PRIx64 "%s\n", replay->call_count, replay->seconds,
           sinew_mixer_hash(replay->mixer), replay->complete ? "" : "; the recording is truncated");
    if (!cli_flush_stdout()) return CLI_BAD_INPUT;
    if (replay->first_mismatch < 0) return CLI_GOOD;
    return cli_fail("%s: first mismatch: before call %" PRId64 " the mixer does not match the recording", path,
                    replay->first_mismatch);
}

static int compare(const replay_args *arguments, sinew_replay *one, sinew_replay *two) {
    cli_call_line a = {""}, b = {""};
    double seconds = 0.0;
    while (one->calls_made < one->call_count && two->calls_made < two->call_count && strcmp(a.text, b.text) == 0) {
        seconds = one->seconds;
        if (!cli_recorded_step(arguments->recording, one, &a) || !cli_recorded_step(arguments->other, two, &b))
            return CLI_BAD_INPUT;
    }
    int64_t number = one->calls_made - 1;
    if (strcmp(a.text, b.text) == 0) {
        if (one->call_count == two->call_count) {
            printf("identical: %" PRId64 " calls over %.4f s\n", one->call_count, one->seconds);
            return cli_flush_stdout() ? CLI_GOOD : CLI_BAD_INPUT;
        }
        const char *longer = one->call_count > two->call_count ? arguments->recording : arguments->other;
        return cli_fail("%s: has more calls after %" PRId64 " identical ones", longer, number + 1);
    }
    return cli_fail("call %" PRId64 " at %.4f s: %s has '%s', %s has '%s'", number, seconds, arguments->recording,
                    a.text, arguments->other, b.text);
}

// ---- The command ---------------------------------------------------------------------------------------------

static int run(const replay_args *arguments) {
    const sinew_asset *asset = arguments->clips.asset;
    cli_recorded one = {.clips = &arguments->clips}, two = {.clips = &arguments->clips};
    int status = CLI_BAD_INPUT;
    if (cli_recorded_open(asset, arguments->recording, &one)) {
        if (!arguments->other) {
            status = replay_one(arguments->recording, one.replay);
        } else if (cli_recorded_open(asset, arguments->other, &two)) {
            status = compare(arguments, one.replay, two.replay);
        }
    }
    cli_recorded_close(&one);
    cli_recorded_close(&two);
    return status;
}

static int run_any(const replay_args *arguments) {
    const int status = cli_recorded_check_graph("replay", arguments->recording, arguments->graph);
    if (status != CLI_GOOD) return status;
    if (!arguments->graph) return run(arguments);
    const cli_character_job job = {arguments->recording, arguments->other, arguments->graph, &arguments->clips};
    return cli_replay_character(&job);
}

int cli_replay(int argc, char **argv) {
    replay_args arguments = {.up = SINEW_UP_Y};
    cli_args args = cli_args_start(argc, argv);
    while (cli_args_next(&args)) {
        if (cli_args_flag(&args, "--help")) {
            printf("%s", help);
            return CLI_GOOD;
        }
        if (!args.option && !arguments.recording) {
            arguments.recording = args.value;
        } else if (!args.option && !arguments.file) {
            arguments.file = args.value;
        } else if (cli_args_is(&args, "--compare")) {
            arguments.other = cli_args_file(&args);
        } else if (cli_args_is(&args, "--graph")) {
            arguments.graph = cli_args_file(&args);
        } else if (cli_args_is(&args, "--up")) {
            cli_args_up(&args, &arguments.up);
        } else if (!cli_clips_arg(&arguments.clips, &args)) {
            return cli_args_unknown(&args);
        }
    }
    if (args.failed) return CLI_USAGE;
    if (!arguments.recording) return cli_usage("replay", "RECORDING is missing");
    if (!arguments.file) return cli_usage("replay", "FILE is missing");

    const bool is_loaded = cli_clips_load(&arguments.clips, arguments.file, arguments.up);
    const int status = is_loaded ? run_any(&arguments) : CLI_BAD_INPUT;
    cli_clips_free(&arguments.clips);
    return status;
}
