// SPDX-License-Identifier: MIT
// sinew graph check: finds faults in an animation graph without running it.
#include "cli/clips.h"
#include "cli/graph.h"

#include "graph/check.h"

static const char help[] =
    "usage: sinew graph check FILE [--asset ASSET [--bind OTHER]...] [--json]\n"
    "\n"
    "Finds faults in an animation graph without running it, and says how to fix them. The exit status is 1\n"
    "for errors and warnings, but not for notes.\n"
    "\n"
    "  --asset ASSET    also checks the graph against a glTF file's clips, markers, curves, nodes and roles\n"
    "  --bind OTHER     adds OTHER's clips, bound to ASSET's nodes by name; repeatable\n"
    "  --json           prints all findings as JSON (docs/json.md)\n"
    "\n"
    "example: sinew graph check hero.graph.json --asset hero.glb\n"
    "\n"
    "The rules ('asset': only with --asset; docs/graph.md has more):\n";

static void print_help(void) {
    printf("%s", help);
    for (int i = 0; i < GRAPH_RULE_COUNT; i++) {
        const graph_rule *rule = &graph_rules[i];
        printf("  %-22s %-8s %-6s %s\n", rule->id, graph_severity_name(rule->severity),
               rule->needs_clips ? "asset" : "", rule->title);
    }
}

// ---- Text ----------------------------------------------------------------------------------------------------

static void print_finding(const graph_finding *finding) {
    printf("  ");
    if (finding->line > 0) printf("line %d: ", (int)finding->line);
    printf("%s: %s\n", cli_text(finding->location), cli_text(finding->message));
    printf("    Do: %s\n", cli_text(finding->advice));
}

static void print_rule(const graph_report *report, int index) {
    const graph_rule *rule = &graph_rules[index];
    printf("%s %s: %s\n", graph_severity_name(rule->severity), rule->id, rule->title);
    for (int32_t i = 0; i < report->count; i++) {
        if ((int)report->findings[i].rule == index) print_finding(&report->findings[i]);
    }
    printf("\n");
}

static void print_approximate(const graph_report *report, const sinew_graph *graph) {
    for (int32_t i = 0; i < graph->layer_count; i++) {
        if (!(report->approximate_layers >> i & 1)) continue;
        printf("%s: too many combinations of values, so shadowed transitions, cycles and unreachable states may "
               "be missing above.\n",
               cli_text(graph->layers[i].name));
    }
}

// Prints errors first, then warnings, then notes.
static void print_report(const graph_report *report, const sinew_graph *graph, const char *path) {
    const int32_t *counts = report->of_severity;
    for (int severity = GRAPH_ERROR; severity <= GRAPH_NOTE; severity++) {
        for (int i = 0; i < GRAPH_RULE_COUNT; i++) {
            if ((int)graph_rules[i].severity == severity && report->of_rule[i] > 0) print_rule(report, i);
        }
    }
    print_approximate(report, graph);
    if (report->count == 0) {
        printf("%s: no findings\n", cli_text(path));
        return;
    }
    printf("%s: %d error%s, %d warning%s, %d note%s\n", cli_text(path), (int)counts[GRAPH_ERROR],
           cli_plural(counts[GRAPH_ERROR]), (int)counts[GRAPH_WARNING], cli_plural(counts[GRAPH_WARNING]),
           (int)counts[GRAPH_NOTE], cli_plural(counts[GRAPH_NOTE]));
}

// ---- JSON ----------------------------------------------------------------------------------------------------

static void print_json_layers(const graph_report *report, const sinew_graph *graph) {
    const char *separator = "";
    printf("\"approximateLayers\":[");
    for (int32_t i = 0; i < graph->layer_count; i++) {
        if (!(report->approximate_layers >> i & 1)) continue;
        printf("%s", separator);
        cli_json_string(stdout, graph->layers[i].name);
        separator = ",";
    }
    printf("],\n");
}

static void print_json_finding(const graph_finding *finding) {
    const graph_rule *rule = &graph_rules[finding->rule];
    printf("{\"rule\":\"%s\",\"severity\":\"%s\",\"line\":%d,\"location\":", rule->id,
           graph_severity_name(rule->severity), (int)finding->line);
    cli_json_string(stdout, finding->location);
    printf(",\"message\":");
    cli_json_string(stdout, finding->message);
    printf(",\"advice\":");
    cli_json_string(stdout, finding->advice);
    printf("}");
}

static void print_json(const graph_report *report, const sinew_graph *graph, const char *path) {
    printf("{\"file\":");
    cli_json_string(stdout, path);
    printf(",\"errors\":%d,\"warnings\":%d,\"notes\":%d,\n", (int)report->of_severity[GRAPH_ERROR],
           (int)report->of_severity[GRAPH_WARNING], (int)report->of_severity[GRAPH_NOTE]);
    print_json_layers(report, graph);
    printf("\"findings\":[");
    for (int32_t i = 0; i < report->count; i++) {
        printf("%s\n", i ? "," : "");
        print_json_finding(&report->findings[i]);
    }
    printf("]}\n");
}

// ---- The command ---------------------------------------------------------------------------------------------

typedef struct check_args {
    const char *file, *asset;
    bool json;
    cli_clips clips;
} check_args;

static int print_check(const check_args *check, const sinew_graph *graph, const sinew_asset *asset) {
    sinew_graph_binding_def clips;
    sinew_humanoid humanoid;
    graph_report report;
    int status = CLI_BAD_INPUT;
    if (asset && !cli_binding_def(check->file, asset, check->clips.clips, check->clips.count, &humanoid, &clips))
        return status;
    if (!graph_check(&report, graph, asset ? &clips : NULL)) {
        cli_fail("%s: out of memory", check->file);
    } else {
        if (check->json) {
            print_json(&report, graph, check->file);
        } else {
            print_report(&report, graph, check->file);
        }
        const bool good = report.of_severity[GRAPH_ERROR] + report.of_severity[GRAPH_WARNING] == 0;
        if (cli_flush_stdout() && good) status = CLI_GOOD;
    }
    graph_report_end(&report);
    return status;
}

static int run(check_args *check) {
    sinew_graph *graph = cli_load_graph(check->file);
    if (!graph) return CLI_BAD_INPUT;
    const bool ready = !check->asset || cli_clips_load(&check->clips, check->asset, SINEW_UP_Y);
    const int status = ready ? print_check(check, graph, check->clips.asset) : CLI_BAD_INPUT;
    cli_clips_free(&check->clips);
    sinew_graph_destroy(graph);
    return status;
}

int cli_graph_check(int argc, char **argv) {
    check_args check = {0};
    cli_args args = cli_args_start(argc, argv);
    while (cli_args_next(&args)) {
        if (cli_args_flag(&args, "--help")) {
            print_help();
            return CLI_GOOD;
        }
        if (cli_args_flag(&args, "--json")) {
            check.json = true;
        } else if (cli_args_is(&args, "--asset")) {
            check.asset = cli_args_file(&args);
        } else if (!args.option && !check.file) {
            check.file = args.value;
        } else if (!cli_clips_arg(&check.clips, &args)) {
            return cli_args_unknown(&args);
        }
    }
    if (args.failed) return CLI_USAGE;
    if (!check.file) return cli_usage(args.command, "FILE is missing");
    if (check.clips.other_count > 0 && !check.asset) return cli_usage(args.command, "--bind needs --asset");
    return run(&check);
}
