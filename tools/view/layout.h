// SPDX-License-Identifier: MIT
// The rectangles of the window's panels, and hit tests for the pointer. Everything is in pixels from the upper left.
#ifndef VIEWER_LAYOUT_H
#define VIEWER_LAYOUT_H

#include <stdbool.h>

typedef struct view_rect {
    int x, y, width, height;
} view_rect;

typedef struct view_layout {
    int width, height; // the window's size
    float scale;       // pixels per pixel of an ordinary screen
    int margin;        // around panels
    int padding;       // inside them
    int row;           // height of a line in a list
    view_rect list;    // panel with the clips
    view_rect rows;    // its rows
    int clip_count;
    int visible;        // rows that fit
    int first;          // clip in the first row
    view_rect timeline; // the panel at the bottom
    view_rect bar;      // the clip from start to end
    view_rect markers;  // the markers' names, below the bar; no height if no clip has markers
} view_layout;

// What the layout depends on.
typedef struct view_layout_def {
    int width, height; // the window's size
    float scale;
    bool has_file; // without a file there are no panels
    int clip_count;
    bool has_markers; // at least one clip has markers
    int widest_name;  // of all clip names
    int scroll;       // first clip in the list, clamped to the list's end
} view_layout_def;

view_layout view_layout_make(const view_layout_def *def);

typedef enum view_area {
    VIEW_PICTURE, // the picture
    VIEW_PANEL,   // a panel, outside its rows
    VIEW_CLIP,    // a clip's row
    VIEW_BAR      // the clip from start to end
} view_area;

// Returns the area at a point. If it's a clip's row, *clip is the clip's number.
view_area view_layout_at(const view_layout *layout, float x, float y, int *clip);

// Returns a point's position along the timeline, from 0 to 1.
float view_layout_fraction(const view_layout *layout, float x);

// Returns the scroll position (the first clip in the list) that makes `clip` visible.
int view_layout_reveal(const view_layout *layout, int clip);

bool view_rect_has(view_rect rect, float x, float y);

// Converts a size for ordinary screens to this screen's pixels.
int view_pixels(float scale, float size);

#endif
