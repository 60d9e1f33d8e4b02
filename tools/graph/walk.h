// SPDX-License-Identifier: MIT
// Random walks over an animation graph's parameters. Values stay, jump and ramp, triggers fire, and time steps are
// around 1/60 s. Positions without damping only move, because programs move them. A seed gives the same walk on every
// machine.
#ifndef GRAPH_WALK_H
#define GRAPH_WALK_H

#include <sinew/motion/animator.h>

enum { GRAPH_WALK_VALUES = 32 };

// The values that a walk gives a parameter. Conditions compare it with `values`.
typedef struct graph_walk_range {
    double min, max;
    double values[GRAPH_WALK_VALUES];
    int32_t value_count;
    bool is_offset; // for positions: min, max and values are in meters from the default
    bool is_reach;  // a limb reaches for it, so it moves slowly, and its rotation stays close to the default
    bool is_kept;   // stays at the default, and in world space moves along; a trigger never fires
} graph_walk_range;

// One coordinate of a parameter.
typedef struct graph_walk_coordinate {
    double value, target, slope; // slope is per second; if it's 0, the value stays and then jumps
} graph_walk_coordinate;

typedef struct graph_walk_parameter {
    graph_walk_coordinate coordinates[7]; // as many as the type has; a transform has its position and rotation
    double left;                          // seconds until the next choice
} graph_walk_parameter;

typedef struct graph_walk {
    const sinew_graph *graph;
    const graph_walk_range *ranges; // [parameter_count]
    graph_walk_parameter parameters[SINEW_MAX_GRAPH_PARAMETERS];
    uint64_t random;
    sinew_vec3 walked; // added to world-space positions, which move along with a walking character
    double patience;   // scales the times between choices
} graph_walk;

// Finds all parameters' ranges, from the file or else from conditions and blend spaces. Positions without a range stay
// within a few meters of their default. `ranges` must have room for all parameters.
void graph_walk_ranges(const sinew_graph *graph, graph_walk_range *ranges);

// Starts a walk. `graph` and `ranges` must outlive it.
void graph_walk_start(graph_walk *walk, const sinew_graph *graph, const graph_walk_range *ranges, uint64_t seed);

// Sets the next frame's parameters and returns its seconds.
float graph_walk_step(graph_walk *walk, sinew_animator *animator);

#endif
