// SPDX-License-Identifier: MIT
// The rectangles of the panels in the window, and hit tests of the pointer. All in pixels, from the upper left.
#ifndef VIEWER_LAYOUT_H
#define VIEWER_LAYOUT_H

#include <stdbool.h>

typedef struct view_rect {
    int x, y, width, height;
} view_rect;

// The rows of the mixing panel.
typedef enum view_mixing_row {
    VIEW_MIXING_KIND,
    VIEW_MIXING_COMPARE,
    VIEW_MIXING_SYNC,
    VIEW_MIXING_LAYER,
    VIEW_MIXING_MASK,
    VIEW_MIXING_MODE,
    VIEW_MIXING_WEIGHT,
    VIEW_MIXING_ROOT,
    VIEW_MIXING_SPACE,
    VIEW_MIXING_ROWS
} view_mixing_row;

// The rows of the attachments panel.
typedef enum view_attachments_row {
    VIEW_ATTACHMENTS_SELECTED,
    VIEW_ATTACHMENTS_JOINT,
    VIEW_ATTACHMENTS_ATTACH,
    VIEW_ATTACHMENTS_DETACH,
    VIEW_ATTACHMENTS_SWAP,
    VIEW_ATTACHMENTS_REMOVE,
    VIEW_ATTACHMENTS_ROWS
} view_attachments_row;

// The rows of the body panel.
typedef enum view_body_row {
    VIEW_BODY_SPRINGS,
    VIEW_BODY_COLLIDERS,
    VIEW_BODY_WIND,
    VIEW_BODY_WIND_FROM,
    VIEW_BODY_EFFECTORS,
    VIEW_BODY_WARP,
    VIEW_BODY_ROWS
} view_body_row;

enum { VIEW_MAX_PLOTS = 6 }; // of curves, in the body panel

// The pad that steers a blend space.
typedef enum view_pad { VIEW_PAD_NONE, VIEW_PAD_LINE, VIEW_PAD_PLANE } view_pad;

typedef struct view_layout {
    int width, height; // of the window
    float scale;       // pixels for each pixel of an ordinary screen
    int margin;        // around panels
    int padding;       // inside them
    int row;           // from one line of a list to the next
    view_rect list;    // the panel of clips
    view_rect rows;    // its rows
    int clip_count;
    int visible;        // rows that fit
    int first;          // the clip in the first row
    view_rect timeline; // the panel at the bottom
    view_rect bar;      // the clip from its start to its end
    view_rect markers;  // the names of its markers, below the bar; no height if no clip has markers
    view_rect weights;  // the weights of the last seconds
    view_rect mixing;   // the mixing panel, at the right; no width if it is hidden
    int mixing_row;     // from one of its rows to the next
    view_rect mixing_rows[VIEW_MIXING_ROWS];
    view_rect
        attachments; // the attachments panel, at the right instead of the mixing panel; no width if it is hidden
    view_rect attachments_rows[VIEW_ATTACHMENTS_ROWS];
    view_rect body; // the body panel, at the right instead of the others; no width if it is hidden
    view_rect body_rows[VIEW_BODY_ROWS];
    int body_curve_count;   // of plots, below its rows
    view_rect graph;        // the graph panel, at the right instead of the others; no width if it is hidden
    view_rect graph_rows;   // its rows
    view_rect graph_slider; // the sliders of its first row; those of the others are below
    view_rect graph_foot;   // its last events, or the fault of its file; no height in a low window
    int graph_count, graph_first, graph_visible; // of its rows
    view_rect curve;                             // of the transition
    view_rect slider;                            // of the layer's weight
    view_rect pad;                               // of the blend space; no height without one
} view_layout;

// The input of the layout.
typedef struct view_layout_def {
    int width, height; // of the window
    float scale;
    bool has_file; // false: no panels
    int clip_count;
    bool has_markers; // of any clip
    int widest_name;  // of the clips
    int scroll;       // the first clip in the list, clamped to the list's end
    bool mixing;      // shows the mixing panel
    bool attachments; // shows the attachments panel
    bool body;        // shows the body panel
    int curve_count;  // of the skeleton
    bool graph;       // shows the graph panel
    int graph_row_count;
    int graph_scroll; // its first row, clamped to the last ones
    view_pad pad;
} view_layout_def;

view_layout view_layout_make(const view_layout_def *def);

typedef enum view_area {
    VIEW_PICTURE,     // the picture
    VIEW_PANEL,       // a panel, outside its rows and controls
    VIEW_CLIP,        // the row of a clip
    VIEW_BAR,         // the clip from its start to its end
    VIEW_MIXING,      // a row of the mixing panel
    VIEW_ATTACHMENTS, // a row of the attachments panel
    VIEW_GRAPH,       // a row of the graph panel
    VIEW_BODY,        // a row of the body panel
    VIEW_SLIDER,
    VIEW_PAD
} view_area;

// The area at a point; *number is the clip's number or the row's.
view_area view_layout_at(const view_layout *layout, float x, float y, int *number);

// The visible row `i` of the graph panel, counted from 0.
view_rect view_layout_graph_row(const view_layout *layout, int i);

// The slider of a row of the body panel, and the name and plot of its curve `i`.
view_rect view_layout_body_slider(const view_layout *layout, view_body_row row);
view_rect view_layout_body_curve(const view_layout *layout, int i);

// The position of a point in a rectangle, from 0 to 1 on each axis, upward.
void view_rect_fraction(view_rect rect, float x, float y, float *across, float *up);

// The left edge of the panel at the right; the window's width without one.
int view_layout_right(const view_layout *layout);

// The position of a point along the timeline, from 0 to 1.
float view_layout_fraction(const view_layout *layout, float x);

// The scroll position, as the first clip in the list, that makes `clip` visible.
int view_layout_reveal(const view_layout *layout, int clip);

bool view_rect_has(view_rect rect, float x, float y);

// The part of the pad that the extent of the samples fills.
view_rect view_layout_pad(const view_layout *layout);

// A size given for ordinary screens, in pixels of this one.
int view_pixels(float scale, float size);

#endif
