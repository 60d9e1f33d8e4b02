// SPDX-License-Identifier: MIT
// sinew graph plot: draws an animation graph as SVG, or the timeline of a recording.
#include "cli/cli.h"
#include "cli/graph.h"
#include "cli/output.h"

#include "graph/plot.h"

static const char help[] =
    "usage: sinew graph plot FILE --output SVG\n"
    "\n"
    "Draws an animation graph as SVG: a box for each state with its clips and tags, and an arrow for each "
    "transition\n"
    "with its condition, kind and duration; those from any state are dashed. Numbers are priorities.\n"
    "\n"
    "  --output SVG  the file to write; - is standard output\n"
    "\n"
    "example: sinew graph plot hero.graph.json --output hero.svg\n";

typedef struct plot_args {
    const char *file, *output;
} plot_args;

static int draw(const plot_args *args, const sinew_graph *graph) {
    cli_output output;
    const char *inputs[] = {args->file};
    const cli_output_def def = {"graph plot", "--output", args->output, inputs, 1};
    const int status = cli_output_open(&output, &def);
    if (status != CLI_GOOD) return status;
    if (graph_plot(output.file, graph, args->file)) return cli_output_close(&output) ? CLI_GOOD : CLI_BAD_INPUT;
    cli_output_discard(&output);
    return cli_fail("%s: out of memory", args->file);
}

static int run(const plot_args *args) {
    sinew_graph *graph;
    sinew_error error;
    if (sinew_graph_load_file(args->file, NULL, &graph, &error) != SINEW_OK) return cli_fail("%s", error.message);
    const int status = draw(args, graph);
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
        if (cli_args_is(&args, "--output")) {
            plot.output = cli_args_file(&args);
        } else if (!args.option && !plot.file) {
            plot.file = args.value;
        } else {
            return cli_args_unknown(&args);
        }
    }
    if (args.failed) return CLI_USAGE;
    if (!plot.file) return cli_usage(args.command, "FILE is missing");
    if (!plot.output) return cli_usage(args.command, "--output is missing");
    return run(&plot);
}
