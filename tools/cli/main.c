// SPDX-License-Identifier: MIT
// The sinew command: finds the sub-command and prints the help.
#include "cli/cli.h"

#include "files/files.h"
#include "system/system.h"

#include <string.h>

typedef struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} command;

static const command commands[] = {
    {"info", cli_info, "prints what's in a file: nodes, skins, clips, meshes, memory"},
    {"pose", cli_pose, "prints every node's transform at one time of a clip"},
    {"skin", cli_skin, "prints skinned vertices at one time of a clip, or writes an .obj"},
    {"humanoid", cli_humanoid, "prints a character's roles: hips, left upper arm, ...; writes them for editing"},
    {"bake", cli_bake, "writes clips into a copy of a file: from other files, trimmed, reversed, recorded"},
    {"bake-asset", cli_bake_asset, "writes a file that loads without parsing, to ship with your game"},
    {"retarget", cli_retarget, "plays one character's motion on another, and writes it into a copy of its file"},
    {"lint", cli_lint, "reports errors and waste in a file; fixes them without changing a pose"},
    {"compare", cli_compare, "measures the largest difference between two files of one character, in millimeters"},
    {"optimize", cli_optimize, "makes a file smaller, within an error in millimeters that holds at all times"},
    {"graph", cli_graph, "checks, tests and draws animation graphs"},
    {"view", cli_view, "plays a file in a window; you can drop more files onto it"},
    {"render", cli_render, "draws a picture, a contact sheet or an animation, without a display"},
    {"replay", cli_replay, "replays a recorded mixer call by call"},
    {"continuity", cli_continuity, "finds the frames where a recorded character pops"},
    {"verify", cli_verify, "compares every clip with a slow, double-precision evaluator"},
    {"bench", cli_bench, "measures each stage on this machine, in nanoseconds"},
};

#define COMMAND_COUNT (sizeof commands / sizeof *commands)

static void print_help(FILE *out) {
    fprintf(out, "sinew %d.%d.%d: skeletal animation of glTF files\n\nusage: sinew COMMAND [OPTIONS] FILE\n\n",
            SINEW_VERSION_MAJOR, SINEW_VERSION_MINOR, SINEW_VERSION_PATCH);
    for (size_t i = 0; i < COMMAND_COUNT; i++) fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].summary);
    fprintf(out,
            "\n"
            "'sinew help COMMAND' describes a command. --quiet hides progress. -- ends the options.\n"
            "For .bvh files, --unit m|cm|mm|in|METERS sets the unit, and --file-up y|z the axis that points up.\n"
            "By default both are guessed, and the guess is printed.\n"
            "Exit status: 0 success; 1 bad input (one line gives the reason); 2 wrong usage.\n");
}

static const command *find_command(const char *name) {
    char names[512] = "";
    size_t length = 0;
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(name, commands[i].name) == 0) return &commands[i];
        if (length >= sizeof names) continue; // truncated
        length += (size_t)snprintf(names + length, sizeof names - length, "%s %s", i ? "," : "", commands[i].name);
    }
    if (name[0] == '-') {
        cli_fail("%s: unknown option; start with a command:%s", name, names);
    } else {
        cli_fail("'%s': unknown command; the commands are%s", name, names);
    }
    return NULL;
}

// Runs `sinew help`, or `sinew help COMMAND`, which is `sinew COMMAND --help`.
static int help(const char *name) {
    if (!name || strcmp(name, "help") == 0) {
        print_help(stdout);
        return CLI_GOOD;
    }
    const command *found = find_command(name);
    char first[32], option[] = "--help";
    snprintf(first, sizeof first, "%s", name);
    return found ? found->run(2, (char *[]){first, option, NULL}) : CLI_USAGE;
}

// The options that every command takes. They're removed from the arguments before "--".
typedef struct common_option {
    const char *name;
    bool (*read)(const char *value);
    const char *values; // for messages
} common_option;

static const common_option common_options[] = {
    {"--unit", cli_read_unit, "m, cm, mm, in or a number of meters"},
    {"--file-up", cli_read_file_up, "y or z"},
};

// Takes the option at argv[i] with its value. Returns how many arguments it takes, 0 if it's another option, or -1
// after a usage error.
static int take_option(const char *asked, char **argv, int i) {
    for (size_t k = 0; k < sizeof common_options / sizeof *common_options; k++) {
        const common_option *option = &common_options[k];
        const size_t length = strlen(option->name);
        if (strncmp(argv[i], option->name, length) != 0 || (argv[i][length] && argv[i][length] != '=')) continue;
        const char *value = argv[i][length] ? argv[i] + length + 1 : argv[i + 1];
        if (value && option->read(value)) return argv[i][length] ? 1 : 2;
        if (value) {
            cli_usage(asked, "%s must be %s, not '%s'", option->name, option->values, value);
        } else {
            cli_usage(asked, "%s needs a value", option->name);
        }
        return -1;
    }
    return 0;
}

// Removes the options that every command takes. Returns the number of arguments left, or -1 after a usage error.
static int take_options(int argc, char **argv) {
    int left = 0;
    bool options = true;
    for (int i = 0, taken; i<argc; i += taken> 0 ? taken : 1) {
        options = options && strcmp(argv[i], "--") != 0;
        taken = i > 1 && options ? take_option(argv[1], argv, i) : 0;
        if (taken < 0) return -1;
        if (taken > 0) continue;
        if (i > 0 && options && strcmp(argv[i], "--quiet") == 0) {
            cli_quiet = true;
        } else {
            argv[left++] = argv[i];
        }
    }
    argv[left] = NULL;
    return left;
}

static int run(int argc, char **argv) {
    argc = take_options(argc, argv);
    if (argc < 0) return CLI_USAGE;
    if (argc < 2) {
        print_help(stderr);
        return CLI_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        return help(strcmp(name, "help") == 0 ? argv[2] : NULL);
    }
    if (strcmp(name, "--version") == 0) {
        printf("sinew %d.%d.%d\n", SINEW_VERSION_MAJOR, SINEW_VERSION_MINOR, SINEW_VERSION_PATCH);
        return CLI_GOOD;
    }
    const command *chosen = find_command(name);
    return chosen ? chosen->run(argc - 1, argv + 1) : CLI_USAGE;
}

// Returns 1 if standard output can't be written, even for the help and version.
int main(int argc, char **argv) {
    system_start();
    const int status = run(argc, argv);
    const bool printed = cli_flush_stdout();
    files_forget();
    return !printed && status == CLI_GOOD ? CLI_BAD_INPUT : status;
}
