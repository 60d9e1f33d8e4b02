// Where the panels lie in the window, and what of them is under the pointer. All in pixels, from the upper left.
#ifndef VIEWER_LAYOUT_H
#define VIEWER_LAYOUT_H

#include <stdbool.h>

typedef struct view_rect {
    int x, y, width, height;
} view_rect;

// The lines of the panel for mixing.
typedef enum view_mixing_row {
    VIEW_MIXING_KIND,
    VIEW_MIXING_BESIDE,
    VIEW_MIXING_STEPS,
    VIEW_MIXING_LAYER,
    VIEW_MIXING_MASK,
    VIEW_MIXING_MODE,
    VIEW_MIXING_WEIGHT,
    VIEW_MIXING_ROOT,
    VIEW_MIXING_SPACE,
    VIEW_MIXING_ROWS
} view_mixing_row;

// The lines of the panel for what hangs where.
typedef enum view_thing_row {
    VIEW_THING_SELECTED,
    VIEW_THING_JOINT,
    VIEW_THING_HANG,
    VIEW_THING_TAKE_OFF,
    VIEW_THING_SWAP,
    VIEW_THING_REMOVE,
    VIEW_THING_ROWS
} view_thing_row;

// What a blend space is steered with.
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
    int visible;        // rows that there is room for
    int first;          // the clip in the first of them
    view_rect timeline; // the panel at the bottom
    view_rect bar;      // the clip from its start to its end
    view_rect markers;  // below it, the names of its markers; no height where no clip has any
    view_rect weights;  // the last seconds
    view_rect mixing;   // the panel at the right; no width where it is not shown
    int mixing_row;     // from one of its lines to the next
    view_rect mixing_rows[VIEW_MIXING_ROWS];
    view_rect things; // the other panel at the right, never with that one; no width where it is not shown
    view_rect things_rows[VIEW_THING_ROWS];
    view_rect curve;  // of the transition
    view_rect slider; // of the layer's weight
    view_rect pad;    // of the blend space; no height where there is none
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
    bool mixing;      // the panel for it is shown
    bool things;      // that for what hangs where
    view_pad pad;
} view_layout_def;

view_layout view_layout_make(const view_layout_def *def);

typedef enum view_place {
    VIEW_NOWHERE, // the picture
    VIEW_PANEL,   // a panel, but nothing in it
    VIEW_CLIP,    // the row of a clip
    VIEW_BAR,     // the clip from its start to its end
    VIEW_MIXING,  // a line of the panel for mixing
    VIEW_THING,   // a line of the panel for what hangs where
    VIEW_SLIDER,
    VIEW_PAD
} view_place;

// What is at a point; *number is that of the clip or of the line.
view_place view_layout_at(const view_layout *layout, float x, float y, int *number);

// Where in a rectangle a point is, each from 0 to 1, upward.
void view_rect_fraction(view_rect rect, float x, float y, float *across, float *up);

// Where the panel at the right begins; the window's width where there is none.
int view_layout_right(const view_layout *layout);

// Where along the timeline a point is, from 0 to 1.
float view_layout_fraction(const view_layout *layout, float x);

// The first clip to be seen so that a certain one is.
int view_layout_reveal(const view_layout *layout, int clip);

bool view_rect_has(view_rect rect, float x, float y);

// The part of the pad that the samples' extent fills.
view_rect view_layout_pad(const view_layout *layout);

// A size given for ordinary screens, in pixels of this one.
int view_pixels(float scale, float size);

#endif
