// SPDX-License-Identifier: MIT
// sinew graph: finds the sub-command. Each has its own file.
#include "cli/graph.h"

#include "cli/cli.h"

#include <string.h>

typedef struct graph_command {
    const char *name; // includes the command's name
    int (*run)(int argc, char **argv);
    const char *summary;
} graph_command;

static const graph_command commands[] = {
    {"graph check", cli_graph_check, "finds faults in a graph without running it"},
    {"graph test", cli_graph_test, "plays a graph at random and measures each frame"},
    {"graph plot", cli_graph_plot, "draws a graph as SVG"},
};

#define COMMAND_COUNT (sizeof commands / sizeof *commands)

static const char *own_name(const graph_command *command) {
    return strchr(command->name, ' ') + 1;
}

static int run(const graph_command *command, int argc, char **argv) {
    char name[32];
    snprintf(name, sizeof name, "%s", command->name);
    argv[0] = name;
    return command->run(argc, argv);
}

// Prints the help of all sub-commands, with all their options.
static void print_help(void) {
    printf("usage: sinew graph COMMAND FILE [OPTIONS]\n"
           "\n"
           "Checks, tests and draws animation graphs (docs/graph.md).\n"
           "\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) printf("  %-10s %s\n", own_name(&commands[i]), commands[i].summary);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        char option[] = "--help", *argv[] = {NULL, option, NULL};
        printf("\n");
        run(&commands[i], 2, argv);
    }
}

int cli_graph(int argc, char **argv) {
    for (size_t i = 0; argc > 1 && i < COMMAND_COUNT; i++) {
        if (strcmp(argv[1], own_name(&commands[i])) == 0) return run(&commands[i], argc - 1, argv + 1);
    }
    cli_args args = cli_args_start(argc, argv);
    if (!cli_args_next(&args)) return args.failed ? CLI_USAGE : cli_usage("graph", "COMMAND is missing");
    if (cli_args_flag(&args, "--help")) {
        print_help();
        return CLI_GOOD;
    }
    if (args.option) return cli_args_unknown(&args);
    char names[64] = "";
    size_t length = 0;
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        length +=
            (size_t)snprintf(names + length, sizeof names - length, "%s %s", i ? "," : "", own_name(&commands[i]));
    }
    return cli_usage("graph", "'%s': unknown command; the commands are%s", args.value, names);
}
