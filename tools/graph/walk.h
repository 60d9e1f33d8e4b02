// SPDX-License-Identifier: MIT
// Random walks over the parameters of an animation graph: values that stay, jump and ramp, triggers that fire, and steps of
// time around 60 Hz. A seed gives the same walk on every machine.
#ifndef GRAPH_WALK_H
#define GRAPH_WALK_H

#include <sinew/motion/animator.h>

enum { GRAPH_WALK_VALUES = 32 };

// The values that a walk gives a parameter. Conditions compare it with those in `values`.
typedef struct graph_walk_range {
    double min, max;
    double values[GRAPH_WALK_VALUES];
    int32_t value_count;
    bool is_offset; // of a position: min, max and values are meters from its default
    bool is_reach;  // a limb reaches for it, so its rotation stays near its default
} graph_walk_range;

// A coordinate of a parameter.
typedef struct graph_walk_coordinate {
    double value, target, slope; // the slope is per second; 0: stays, then jumps
} graph_walk_coordinate;

typedef struct graph_walk_parameter {
    graph_walk_coordinate coordinates[7]; // of a transform, its position and rotation; as many as the type has
    double left;                          // seconds until the next choice
} graph_walk_parameter;

typedef struct graph_walk {
    const sinew_graph *graph;
    const graph_walk_range *ranges; // [parameter_count]
    graph_walk_parameter parameters[SINEW_MAX_GRAPH_PARAMETERS];
    uint64_t random;
    sinew_vec3 walked; // added to positions in world space, which come along with a character that walks
    double patience;   // a factor of the times between choices
} graph_walk;

// Finds the ranges of all parameters: those of the file, or what conditions and blend spaces use of a parameter without
// one. Positions without one stay within a few meters of their default. `ranges` has space for all parameters.
void graph_walk_ranges(const sinew_graph *graph, graph_walk_range *ranges);

// Starts a walk. `graph` and `ranges` must outlive it.
void graph_walk_start(graph_walk *walk, const sinew_graph *graph, const graph_walk_range *ranges, uint64_t seed);

// Sets the parameters of the next frame, and returns its seconds.
float graph_walk_step(graph_walk *walk, sinew_animator *animator);

#endif
