// SPDX-License-Identifier: MIT
// sinew graph plot: draws an animation graph or a recording's timeline as SVG.
#include "cli/graph.h"
#include "cli/output.h"
#include "cli/recorded.h"

#include "graph/plot.h"
#include "graph/timeline.h"

#include <inttypes.h>
#include <string.h>

static const char help[] =
    "usage: sinew graph plot FILE -o SVG [--recording REC --asset ASSET [--bind OTHER]...]\n"
    "\n"
    "Draws an animation graph as SVG. A box is a state with its clips and tags. An arrow is a transition\n"
    "with its condition, kind and duration; transitions from any state are dashed. Numbers are priorities.\n"
    "The steps of its rig are listed in order.\n"
    "With --recording, draws a recorded animator's timeline instead: each layer's states, with a bar below\n"
    "while a transition runs, clip weights, and parameters. Triangles are cycles.\n"
    "\n"
    "  -o SVG           writes this file; - is standard output\n"
    "  --recording REC  reads a recording, such as one that 'sinew graph test' wrote\n"
    "  --asset ASSET    reads the recording's clips from ASSET\n"
    "  --bind OTHER     adds OTHER's clips, bound to ASSET's nodes by name; repeatable\n"
    "\n"
    "example: sinew graph plot hero.graph.json -o hero.svg\n";

typedef struct plot_args {
    const char *file, *output, *recording, *asset;
    cli_clips clips;
} plot_args;

// ---- The timeline --------------------------------------------------------------------------------------------

// Replays a recording. On failure, prints the reason and returns false.
static bool read_timeline(const plot_args *args, sinew_replay *replay, timeline *t) {
    cli_call_line line;
    bool good = true;
    while (good && replay->calls_made < replay->call_count) {
        const double seconds = replay->seconds;
        if (!cli_recorded_step(args->recording, replay, &line)) return false;
        good = timeline_read(t, line.text, seconds);
        if (good && strncmp(line.text, "show", 4) == 0) good = timeline_add_weights(t, replay->mixer, seconds);
    }
    t->seconds = replay->seconds;
    if (!good) cli_fail("%s: out of memory", args->recording);
    if (good && t->event_count == 0) {
        cli_fail("%s: has no notes from an animator that plays %s; set write_recording in sinew_animator_def to "
                 "record them",
                 args->recording, args->file);
        return false;
    }
    return good;
}

// ---- Drawing -------------------------------------------------------------------------------------------------

// Draws the timeline, or the graph if `t` is NULL.
static int draw(const plot_args *args, const sinew_graph *graph, const timeline *t) {
    cli_output output;
    const cli_output_def def = {"graph plot", "-o", args->output};
    const int status = cli_output_open(&output, &def);
    if (status != CLI_GOOD) return status;
    if (t) timeline_draw(output.file, t, args->recording);
    const bool good = t || graph_plot(output.file, graph, args->file);
    if (good) return cli_output_close(&output);
    cli_output_discard(&output);
    return cli_fail("%s: out of memory", args->file);
}

static int draw_timeline(plot_args *args, const sinew_graph *graph) {
    const bool is_loaded = cli_clips_load(&args->clips, args->asset, SINEW_UP_Y);
    cli_recorded recorded = {.clips = &args->clips};
    timeline t = {.graph = graph};
    int status = CLI_BAD_INPUT;
    if (is_loaded && cli_recorded_open(args->clips.asset, args->recording, &recorded) &&
        read_timeline(args, recorded.replay, &t))
        status = draw(args, graph, &t);
    timeline_end(&t);
    cli_recorded_close(&recorded);
    cli_clips_free(&args->clips);
    return status;
}

// ---- The command ---------------------------------------------------------------------------------------------

static int run(plot_args *args) {
    sinew_graph *graph = cli_load_graph(args->file);
    if (!graph) return CLI_BAD_INPUT;
    const int status = args->recording ? draw_timeline(args, graph) : draw(args, graph, NULL);
    sinew_graph_destroy(graph);
    return status;
}

int cli_graph_plot(int argc, char **argv) {
    plot_args plot = {0};
    cli_args args = cli_args_start(argc, argv);
    while (cli_args_next(&args)) {
        if (cli_args_flag(&args, "--help")) {
            printf("%s", help);
            return CLI_GOOD;
        }
        if (cli_args_is(&args, "-o") || cli_args_is(&args, "--output")) {
            plot.output = cli_args_file(&args);
        } else if (cli_args_is(&args, "--recording")) {
            plot.recording = cli_args_file(&args);
        } else if (cli_args_is(&args, "--asset")) {
            plot.asset = cli_args_file(&args);
        } else if (!args.option && !plot.file) {
            plot.file = args.value;
        } else if (!cli_clips_arg(&plot.clips, &args)) {
            return cli_args_unknown(&args);
        }
    }
    if (args.failed) return CLI_USAGE;
    if (!plot.file) return cli_usage(args.command, "FILE is missing");
    if (!plot.output) return cli_usage(args.command, "-o is missing: name the picture to write");
    const cli_output_def output = {args.command, "-o", plot.output};
    if (!cli_output_has_ending(&output, ".svg", NULL)) return CLI_USAGE;
    if (plot.recording && !plot.asset)
        return cli_usage(args.command, "--asset is missing: name the file with the clips");
    return run(&plot);
}
