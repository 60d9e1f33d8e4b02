// Where the panels lie in the window, and what of them is under the pointer. All in pixels, from the upper left.
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
    int visible;        // rows that there is room for
    int first;          // the clip in the first of them
    view_rect timeline; // the panel at the bottom
    view_rect bar;      // the clip from its start to its end
    view_rect markers;  // below it, the names of its markers; no height where no clip has any
    view_rect weights;  // the last seconds
} view_layout;

// What the places depend on.
typedef struct view_layout_def {
    int width, height; // of the window
    float scale;
    bool has_file; // without one there are no panels
    int clip_count;
    bool has_markers; // some clip
    int widest_name;  // of the clips
    int scroll;       // the first clip to be seen, as far as that is possible
} view_layout_def;

view_layout view_layout_make(const view_layout_def *def);

typedef enum view_place {
    VIEW_NOWHERE, // the picture
    VIEW_PANEL,   // a panel, but nothing in it
    VIEW_CLIP,    // the row of a clip
    VIEW_BAR      // the clip from its start to its end
} view_place;

// What is at a point; *clip is the number of a VIEW_CLIP, where there is one.
view_place view_layout_at(const view_layout *layout, float x, float y, int *clip);

// Where along the timeline a point is, from 0 to 1.
float view_layout_fraction(const view_layout *layout, float x);

// The first clip to be seen so that a certain one is.
int view_layout_reveal(const view_layout *layout, int clip);

bool view_rect_has(view_rect rect, float x, float y);

// A size given for ordinary screens, in pixels of this one.
int view_pixels(float scale, float size);

#endif
