// SPDX-License-Identifier: MIT
// The timeline of a recorded animator: what its notes say, and the weights of the actions.
#ifndef GRAPH_TIMELINE_H
#define GRAPH_TIMELINE_H

#include <sinew/motion/graph.h>

#include <stdio.h>

typedef enum timeline_kind {
    TIMELINE_STATE,      // the leaf `index` becomes current in `layer`
    TIMELINE_TRANSITION, // one of `values[0]` seconds starts in `layer`
    TIMELINE_CYCLE,      // in `layer`
    TIMELINE_VALUE,      // the parameter `index` is set to `values`; of a transform, the position
    TIMELINE_FIRED,      // the trigger `index`
    TIMELINE_RESTORED
} timeline_kind;

typedef struct timeline_event {
    timeline_kind kind;
    int32_t index, layer;
    double seconds;
    double values[3];
} timeline_event;

// The weight of a clip of a layer at a time.
typedef struct timeline_weight {
    const char *clip;
    int32_t layer;
    double seconds;
    float weight;
} timeline_weight;

typedef struct timeline {
    const sinew_graph *graph;
    double seconds;         // of the whole recording
    timeline_event *events; // [event_count], in order
    int32_t event_count, event_capacity;
    timeline_weight *weights; // [weight_count], in order
    int32_t weight_count, weight_capacity;
} timeline;

// Reads a line of sinew_replay_describe, of a call at a time: notes of an animator become events, others are ignored.
// Returns false if memory runs out. Call timeline_end in either case.
bool timeline_read(timeline *t, const char *line, double seconds);

// Adds the weights of a mixer's actions.
bool timeline_add_weights(timeline *t, const sinew_mixer *mixer, double seconds);

void timeline_end(timeline *t);

// Draws it as SVG: states as bands for each layer, with transitions and cycles, the weights of actions, and parameters.
void timeline_draw(FILE *to, const timeline *t, const char *title);

#endif
