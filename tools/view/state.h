// SPDX-License-Identifier: MIT
// The window's state, without the window. Keys, the mouse and dropped files change it, and frames are drawn from it.
#ifndef VIEWER_STATE_H
#define VIEWER_STATE_H

#include "view/layout.h"
#include "view/orbit.h"
#include "view/scene.h"

// Which panels and overlays are visible.
typedef struct view_toggles {
    bool skeleton, ground, wireframe, bounds, normals, help, status, colliders;
} view_toggles;

// What a drag does while a button is down.
typedef enum view_drag { VIEW_DRAG_NONE, VIEW_DRAG_TURN, VIEW_DRAG_PAN, VIEW_DRAG_SCRUB } view_drag;

typedef struct view_state {
    view_loader load;
    view_motion motion;
    view_scene *scene;   // the current scene
    view_scene *pending; // loaded scene that replaces the current one once it's uploaded, or NULL
    files_version seen;  // the current scene's file when it was last checked
    int32_t joint;       // joint that was clicked last, or SINEW_NO_NODE
    view_orbit orbit;
    bool framed; // the camera wasn't panned or zoomed since it framed the scene
    view_toggles toggles;
    view_layout layout;
    int width, height; // the picture's, in pixels
    float scale;
    int widest_name; // of all clip names, in pixels; measured by whoever owns the fonts
    int scroll;      // first clip in the list
    float wheel;     // fraction of a row that the wheel has scrolled the list
    float x, y;      // the pointer
    view_drag drag;
    int drag_button;
    float press_x, press_y; // where the pointer was when the button went down
    char message[640];
    float message_left; // seconds until the message disappears
    bool changed;       // a redraw is needed
    bool quit;
    float seconds_a_frame, busy_a_frame; // smoothed: time between frames, and work per frame
} view_state;

// Returns false if memory runs out. Call view_state_free either way.
bool view_state_create(view_state *state, view_loader load);
void view_state_free(view_state *state);

// Returns whether a file is loaded.
bool view_state_has_file(const view_state *state);

// Loads a file as the pending scene, with the settings applied. On failure, leaves the state unchanged and returns
// false with the reason in `error`. If the crowd can't be made, it's left out with a message; with `strict`, that's a
// failure.
bool view_state_load(view_state *state, const char *path, bool strict, sinew_error *error);

// Replaces the current scene with the pending one and frees the old one. The camera stays if both show the same file.
// If the old scene's models are on the GPU, an OpenGL context must be current.
void view_state_accept(view_state *state);

// Frees the pending scene and shows the reason.
void view_state_refuse(view_state *state, const char *reason);

// Sets the file whose motion the next loaded character gets, until another file is dropped. Returns false if its path
// is too long.
bool view_state_set_motion(view_state *state, const char *path);

// Handles a file dropped onto the window. It replaces the current file. If it only has motion, the current file is
// loaded with that motion instead. On failure, shows a message.
void view_state_drop(view_state *state, const char *path);

// Loads the file again after it was saved, and continues what plays. Call it about every half second. A file that's
// still being written isn't loaded until it stops changing.
void view_state_watch(view_state *state);

// Shows a message for a few seconds.
void view_state_show_message(view_state *state, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Returns the message's opacity, from 0 to 1.
float view_state_message_strength(const view_state *state);

// Sets the picture's size, and how many of its pixels make up one pixel of an unscaled screen.
void view_state_resize(view_state *state, int width, int height, float scale);

// Updates the panels' layout. Call it whenever something in them changes.
void view_state_arrange(view_state *state);

// Sets the widest clip name's width in pixels.
void view_state_set_names(view_state *state, int widest_name);

// Frames the scene: moves the camera to show all of it.
void view_state_frame(view_state *state);

// Advances the state by `dt` seconds, at most 0.1.
void view_state_advance(view_state *state, float dt);

// Returns whether the next frame will differ from this one.
bool view_state_moves(const view_state *state);

#endif
