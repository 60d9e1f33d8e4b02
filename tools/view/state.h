// SPDX-License-Identifier: MIT
// The state of the window, without the window: keys, mouse and dropped files change it, and frames are drawn from it.
#ifndef VIEWER_STATE_H
#define VIEWER_STATE_H

#include "view/layout.h"
#include "view/orbit.h"
#include "view/scene.h"

// The panels and overlays that are visible.
typedef struct view_toggles {
    bool skeleton, ground, wireframe, bounds, normals, help, status, colliders;
} view_toggles;

// The drag operation while a button is down.
typedef enum view_drag { VIEW_DRAG_NONE, VIEW_DRAG_TURN, VIEW_DRAG_PAN, VIEW_DRAG_SCRUB } view_drag;

typedef struct view_state {
    view_loader load;
    view_motion motion;
    view_scene *scene;   // the current scene
    view_scene *pending; // a loaded scene that replaces the current one once it is uploaded; or NULL
    files_version seen;  // of the current scene's file, when it was last checked
    int32_t joint;       // the joint that was clicked last; SINEW_NO_NODE: none
    view_orbit orbit;
    bool framed; // the camera was not panned or zoomed since it framed the scene
    view_toggles toggles;
    view_layout layout;
    int width, height; // of the picture, in pixels
    float scale;
    int widest_name; // of the clips, in pixels; measured by the owner of the fonts
    int scroll;      // the first clip of the list
    float wheel;     // the fraction of a row that the wheel has scrolled the list by
    float x, y;      // the pointer
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

// Whether a file is loaded.
bool view_state_has_file(const view_state *state);

// Loads a file, with the settings applied, as the pending scene. If it cannot be loaded, returns false with the reason in
// `error`, and the state is unchanged. A crowd that cannot be made is left out with a message; with `strict` it also is a
// failure.
bool view_state_load(view_state *state, const char *path, bool strict, sinew_error *error);

// Replaces the current scene by the pending one, and frees the old one. The camera stays if both are of the same file. An
// OpenGL context must be current if the old scene's models are on the GPU.
void view_state_accept(view_state *state);

// Frees the pending scene and shows the reason.
void view_state_refuse(view_state *state, const char *reason);

// Sets the file whose motion the character has that is loaded next, until another file is dropped; false if its path is too
// long.
bool view_state_set_motion(view_state *state, const char *path);

// Handles a file dropped onto the window: replaces the current one by it. If it is motion alone, loads the current file
// with it. Shows a message if that fails.
void view_state_drop(view_state *state, const char *path);

// Loads the file again once it has been saved, and goes on with what plays. Call it every half second or so: a file that is
// still being written is left until it stays the same.
void view_state_watch(view_state *state);

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

// Frames the scene: moves the camera so that all of it is visible.
void view_state_frame(view_state *state);

// Advances the state by `dt` seconds, at most 0.1.
void view_state_advance(view_state *state, float dt);

// Whether the next frame differs from this one.
bool view_state_moves(const view_state *state);

#endif
