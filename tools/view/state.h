// SPDX-License-Identifier: MIT
// The state of the window, without the window: keys, mouse and dropped files change it, and frames are drawn from it.
#ifndef VIEWER_STATE_H
#define VIEWER_STATE_H

#include "view/layout.h"
#include "view/orbit.h"
#include "view/scene.h"

// A file to attach to a node of every character that is loaded and has that node.
typedef struct view_attachment {
    char path[VIEW_PATH], node[VIEW_NAME];
} view_attachment;

// The panels and overlays that are visible.
typedef struct view_toggles {
    bool skeleton, ground, wireframe, bounds, normals, help, status, mixing, attachments, graph, body, colliders;
} view_toggles;

static const float VIEW_RING = 9.0f; // the radius of an effector's ring, in pixels of an unscaled screen

// The drag operation while a button is down.
typedef enum view_drag {
    VIEW_DRAG_NONE,
    VIEW_DRAG_TURN,
    VIEW_DRAG_PAN,
    VIEW_DRAG_SCRUB,
    VIEW_DRAG_WEIGHT, // of the layer
    VIEW_DRAG_STEER,  // the blend space
    VIEW_DRAG_GRAPH,  // a slider of the graph panel
    VIEW_DRAG_SLIDER, // of the body panel
    VIEW_DRAG_EFFECTOR,
    VIEW_DRAG_GOAL // of the root warp
} view_drag;

typedef struct view_state {
    view_loader load;
    view_motion motion;
    view_scene *scene;   // the current scene
    view_scene *pending; // a loaded scene that replaces the current one once it is uploaded; or NULL
    view_attachment attachments[VIEW_MAX_ACTORS - 1];
    int attachment_count;
    sinew_scene_node selected; // the file that was clicked last; all zeros: none, also for the next two
    sinew_scene_node before;   // the previous selection
    sinew_scene_node joint;    // the joint that was clicked last
    view_orbit orbit;
    bool framed; // the camera was not panned or zoomed since it framed the scene
    view_toggles toggles;
    view_layout layout;
    int width, height; // of the picture, in pixels
    float scale;
    int widest_name;                 // of the clips, in pixels; measured by the owner of the fonts
    int scroll;                      // the first clip of the list
    float wheel;                     // the fraction of a row that the wheel has scrolled the list by
    int graph_scroll;                // the first row of the graph panel
    int graph_row;                   // whose slider is dragged
    view_body_row body_row;          // whose slider is dragged
    int effector;                    // that is dragged
    sinew_vec3 grabbed, grab_offset; // its position when the button went down, and that from the pointer's
    float x, y;                      // the pointer
    view_drag drag;
    int drag_button;
    float press_x, press_y; // the pointer when the button went down
    char message[640];
    float message_left; // seconds until the message disappears
    bool changed;       // a redraw is needed
    bool quit;
    float seconds_a_frame, busy_a_frame; // smoothed: from frame to frame, and the work of one frame
} view_state;

// False when memory runs out. Freed with view_state_free in both cases.
bool view_state_create(view_state *state, view_loader load);
void view_state_free(view_state *state);

// Adds a file to attach to every character loaded from now on; false if there are too many or a name is too long.
bool view_state_add_attachment(view_state *state, const char *path, const char *node);

// Loads a file, with the attachments and the settings applied, as the pending scene. If it cannot be loaded, returns
// false with the reason in `error`, and the state is unchanged. An attachment or a setting that cannot be applied is
// skipped with a message, or with `strict` is a failure, too.
bool view_state_load(view_state *state, const char *path, bool strict, sinew_error *error);

// Replaces the current scene by the pending one, and frees the old one. An OpenGL context must be current if the old
// scene's models are on the GPU.
void view_state_accept(view_state *state);

// Frees the pending scene and shows the reason.
void view_state_refuse(view_state *state, const char *reason);

// Sets the file whose motion the characters have that are loaded from now on; false if its path is too long.
bool view_state_set_motion(view_state *state, const char *path);

// Handles a file dropped onto the window: loads it as the first file, or adds it to the scene next to the others. If it
// is motion alone, loads the first file anew with it. Shows a message if that fails.
void view_state_drop(view_state *state, const char *path);

// Shows a message for a few seconds.
void view_state_show_message(view_state *state, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The opacity of the message, from 0 to 1.
float view_state_message_strength(const view_state *state);

// Sets the picture's size, and how many of its pixels make one of an unscaled screen.
void view_state_resize(view_state *state, int width, int height, float scale);

// Updates the layout of the panels; called after each change to them.
void view_state_arrange(view_state *state);

// Sets the width of the widest clip name, in pixels.
void view_state_set_names(view_state *state, int widest_name);

// Shows or hides a panel at the right. Showing one hides the others.
void view_state_show_mixing(view_state *state, bool shown);
void view_state_show_attachments(view_state *state, bool shown);
void view_state_show_graph(view_state *state, bool shown);
void view_state_show_body(view_state *state, bool shown);

// Loads the graph's file again if it has changed, and shows a message. Call it every half second or so.
void view_state_watch_graph(view_state *state);

// Frames the scene: moves the camera so that all of it is visible.
void view_state_frame(view_state *state);

// Advances the state by `dt` seconds, at most 0.1.
void view_state_advance(view_state *state, float dt);

// Whether the next frame differs from this one.
bool view_state_moves(const view_state *state);

#endif
