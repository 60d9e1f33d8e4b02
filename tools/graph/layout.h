// SPDX-License-Identifier: MIT
// Lays out boxes and labeled arrows between them in columns, from left to right. Nodes are in even columns and labels
// in odd ones, so lines don't cross boxes or labels. Positions are in pixels, y down.
#ifndef GRAPH_LAYOUT_H
#define GRAPH_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct layout_point {
    double x, y;
} layout_point;

typedef struct layout_node {
    double width, height; // given
    layout_point corner;  // upper left
} layout_node;

// An arrow. Its label is above its line. If it leads from a node to itself, the label is between both lines.
typedef struct layout_edge {
    int32_t from, to;                 // given
    double label_width, label_height; // given
    layout_point label;               // upper left corner
    layout_point *points; // [point_count]; two with the same x or y are joined by a line, others by a curve
    int32_t point_count;  // that's horizontal at both ends
} layout_edge;

typedef struct layout {
    int32_t node_count, edge_count;
    layout_node *nodes; // [node_count]; the first one is in the first column
    layout_edge *edges; // [edge_count]
    double width, height;
} layout;

// Returns the smallest height of a node with this many arrows on one side.
double layout_node_height(int32_t arrow_count);

// Computes the positions. Returns false if memory runs out. Free the points with layout_end either way.
bool layout_compute(layout *l);
void layout_end(layout *l);

#endif
