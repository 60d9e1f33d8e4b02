// SPDX-License-Identifier: MIT
// A recorded animator's timeline: what its notes say, and the actions' weights.
#ifndef GRAPH_TIMELINE_H
#define GRAPH_TIMELINE_H

#include <sinew/motion/graph.h>

#include <stdio.h>

typedef enum timeline_kind {
    TIMELINE_STATE,      // leaf `index` becomes current in `layer`
    TIMELINE_TRANSITION, // a transition of `values[0]` seconds starts in `layer`
    TIMELINE_CYCLE,      // in `layer`
    TIMELINE_VALUE,      // parameter `index` is set to `values`; for a transform, to its position
    TIMELINE_FIRED,      // trigger `index`
    TIMELINE_RESTORED
} timeline_kind;

typedef struct timeline_event {
    timeline_kind kind;
    int32_t index, layer;
    double seconds;
    double values[3];
} timeline_event;

// The weight of a clip in a layer at one time.
typedef struct timeline_weight {
    const char *clip;
    int32_t layer;
    double seconds;
    float weight;
} timeline_weight;

typedef struct timeline {
    const sinew_graph *graph;
    double seconds;         // the whole recording's
    timeline_event *events; // [event_count]; sorted by time
    int32_t event_count, event_capacity;
    timeline_weight *weights; // [weight_count]; sorted by time
    int32_t weight_count, weight_capacity;
} timeline;

// Reads a line from sinew_replay_describe about a call. An animator's notes become events, and other lines are ignored.
// Returns false if memory runs out. Call timeline_end either way.
bool timeline_read(timeline *t, const char *line, double seconds);

// Adds the weights of a mixer's actions.
bool timeline_add_weights(timeline *t, const sinew_mixer *mixer, double seconds);

void timeline_end(timeline *t);

// Draws the timeline as SVG: each layer's states as bands with transitions and cycles, action weights, and parameters.
void timeline_draw(FILE *to, const timeline *t, const char *title);

#endif
