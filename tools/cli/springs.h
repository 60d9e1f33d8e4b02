// SPDX-License-Identifier: MIT
// The springs in `sinew render` and `sinew view`: the file's own, or chains from the command line.
#ifndef CLI_SPRINGS_H
#define CLI_SPRINGS_H

#include "cli/cli.h"

enum { CLI_MAX_SPRINGS = 32 };

// A chain from --springs, which follows first children from the node.
typedef struct cli_spring_chain {
    char node[256];
    float stiffness, damping, limit; // see sinew_spring_joint
    bool from_rest;                  // see sinew_spring_chain
} cli_spring_chain;

// A capsule from --collider, from the node to its first child.
typedef struct cli_spring_collider {
    char node[256];
    float radius;
} cli_spring_collider;

typedef struct cli_springs_args {
    bool of_file; // use the file's own spring bones
    cli_spring_chain chains[CLI_MAX_SPRINGS];
    cli_spring_collider colliders[CLI_MAX_SPRINGS];
    int chain_count, collider_count;
    sinew_vec3 wind;
} cli_springs_args;

// The options' lines in --help.
#define CLI_SPRINGS_HELP                                                                                           \
    "  --springs NODE[:STIFFNESS[:DAMPING[:DEGREES]]][:rest]\n"                                                    \
    "                         swings NODE and the nodes below it around their pose, or the rest pose with\n"       \
    "                         :rest (default 20 m/s2, 0.15 s, 180). --springs file uses the file's own springs\n"  \
    "  --collider NODE:RADIUS adds a capsule from NODE to its child that keeps those nodes out\n"                  \
    "  --wind X,Y,Z           sets the wind for springs in m/s\n"

// Reads the current argument if it's one of the options. Otherwise returns false. A wrong value fails `args`.
bool cli_springs_read(cli_springs_args *springs, cli_args *args);

// Makes an asset's springs. Sets `*springs` to NULL without --springs. On failure, prints the reason and returns false.
bool cli_springs_create(const cli_springs_args *args, const sinew_asset *asset, const char *path,
                        sinew_springs **springs);

#endif
