// SPDX-License-Identifier: MIT
// The rectangles of the panels in the window, and hit tests of the pointer. All in pixels, from the upper left.
#ifndef VIEWER_LAYOUT_H
#define VIEWER_LAYOUT_H

#include <stdbool.h>

typedef struct view_rect {
    int x, y, width, height;
} view_rect;

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
} view_layout_def;

view_layout view_layout_make(const view_layout_def *def);

typedef enum view_area {
    VIEW_PICTURE, // the picture
    VIEW_PANEL,   // a panel, outside its rows
    VIEW_CLIP,    // the row of a clip
    VIEW_BAR      // the clip from its start to its end
} view_area;

// The area at a point; *clip is the number of the clip whose row it is.
view_area view_layout_at(const view_layout *layout, float x, float y, int *clip);

// The position of a point along the timeline, from 0 to 1.
float view_layout_fraction(const view_layout *layout, float x);

// The scroll position, as the first clip in the list, that makes `clip` visible.
int view_layout_reveal(const view_layout *layout, int clip);

bool view_rect_has(view_rect rect, float x, float y);

// A size given for ordinary screens, in pixels of this one.
int view_pixels(float scale, float size);

#endif
