// The sinew command: which sub-command, and what to print when there is none.
#include "cli.h"

#include <string.h>

typedef struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} command;

static const command commands[] = {
    {"info", cli_info, "what is inside a file: nodes, skins, clips, meshes, memory"},
    {"pose", cli_pose, "every node's transform at one time of a clip, as plain numbers"},
    {"skin", cli_skin, "skinned vertices at one time of a clip, as numbers or an .obj"},
    {"render", cli_render, "a picture, a contact sheet or an animation, without a display"},
};

#define COMMAND_COUNT (sizeof commands / sizeof *commands)

static void print_help(FILE *out) {
    fprintf(out, "sinew %d.%d.%d: skeletal animation of glTF files\n\nusage: sinew COMMAND [OPTIONS] FILE\n\n",
            SINEW_VERSION_MAJOR, SINEW_VERSION_MINOR, SINEW_VERSION_PATCH);
    for (size_t i = 0; i < COMMAND_COUNT; i++) fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].summary);
    fprintf(out, "\n'sinew COMMAND --help' says more of each.\n"
                 "Exit status: 0 good; 1 the input is bad (one line says why); 2 wrong usage.\n");
}

int main(int argc, char **argv) {
    if (argc < 2) {
        print_help(stderr);
        return CLI_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_help(stdout);
        return CLI_GOOD;
    }
    if (strcmp(name, "--version") == 0) {
        printf("sinew %d.%d.%d\n", SINEW_VERSION_MAJOR, SINEW_VERSION_MINOR, SINEW_VERSION_PATCH);
        return CLI_GOOD;
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(name, commands[i].name) == 0) return commands[i].run(argc - 1, argv + 1);
    }
    fprintf(stderr, "sinew: there is no command '%s'; the commands are", name);
    for (size_t i = 0; i < COMMAND_COUNT; i++) fprintf(stderr, "%s %s", i ? "," : "", commands[i].name);
    fprintf(stderr, "\n");
    return CLI_USAGE;
}
