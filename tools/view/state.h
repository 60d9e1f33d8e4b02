// Everything that the window knows and shows, without the window: keys, mouse and files change it, frames are drawn
// from it.
#ifndef VIEWER_STATE_H
#define VIEWER_STATE_H

#include "view/layout.h"
#include "view/orbit.h"
#include "view/scene.h"

// A file to be carried by a node, of every character that has it.
typedef struct view_attachment {
    char path[VIEW_PATH], node[VIEW_NAME];
} view_attachment;

// What is shown besides the picture.
typedef struct view_toggles {
    bool skeleton, ground, wireframe, bounds, normals, help, status, mixing, things;
} view_toggles;

// What the pointer does while a button is down.
typedef enum view_drag {
    VIEW_DRAG_NONE,
    VIEW_DRAG_TURN,
    VIEW_DRAG_PAN,
    VIEW_DRAG_SCRUB,
    VIEW_DRAG_WEIGHT, // of the layer
    VIEW_DRAG_STEER   // the blend space
} view_drag;

typedef struct view_state {
    view_loader load;
    view_scene *scene;   // what is shown
    view_scene *pending; // what was loaded and is to take its place, once it is on the GPU; or NULL
    view_attachment attachments[VIEW_MOST_ACTORS - 1];
    int attachment_count;
    sinew_scene_node selected; // the file that was clicked last; the one of zeros: none, as below
    sinew_scene_node before;   // the one that was selected before it
    sinew_scene_node joint;    // that was clicked last
    view_orbit orbit;
    bool framed; // the camera was not moved or zoomed since it was sent to where all is seen
    view_toggles toggles;
    view_layout layout;
    int width, height; // of the picture, in pixels
    float scale;
    int widest_name; // of the clips, in pixels; whoever has the fonts says it
    int scroll;      // the first clip of the list
    float wheel;     // what of the wheel's way over the list was not yet a whole row
    float x, y;      // the pointer
    view_drag drag;
    int drag_button;
    float press_x, press_y; // where the button went down
    char message[640];
    float message_left; // seconds that the message is still seen
    bool changed;       // something is to be drawn anew
    bool quit;
    float seconds_a_frame, busy_a_frame; // smoothed: from frame to frame, and of work in it
} view_state;

// False when memory runs out. Freed with view_state_free in both cases.
bool view_state_create(view_state *state, view_loader load);
void view_state_free(view_state *state);

// A file to be carried by whatever is loaded from now on; false when there are too many or a name is too long.
bool view_state_add_attachment(view_state *state, const char *path, const char *node);

// Loads a file, with what it is to carry and what the settings ask for, as the pending scene. When it cannot be loaded
// the reason is in `error` and all stays as it was; what cannot be carried, or is not there, is left out with a message,
// or fails too where `strict`.
bool view_state_load(view_state *state, const char *path, bool strict, sinew_error *error);

// Puts the pending scene in the place of the one that is shown. The old one's models are freed: OpenGL must be there
// if they are on the GPU.
void view_state_accept(view_state *state);

// Drops the pending scene, with a message that says why.
void view_state_refuse(view_state *state, const char *reason);

// A file was dropped onto the window: loads it, as the first one or to stand beside the others; or shows a message that
// says why not.
void view_state_drop(view_state *state, const char *path);

// Shows a message for a few seconds.
void view_state_say(view_state *state, const char *format, ...) __attribute__((format(printf, 2, 3)));

// How strongly the message is seen, from 0 to 1.
float view_state_message_strength(const view_state *state);

// The picture's size, and how many of its pixels make one of an ordinary screen.
void view_state_resize(view_state *state, int width, int height, float scale);

// Lays the panels out anew; called by whatever changes them.
void view_state_arrange(view_state *state);

// How wide the list of clips is to be.
void view_state_set_names(view_state *state, int widest_name);

// Shows the panel for mixing, or no longer; and that for what hangs where. The one takes the other's place.
void view_state_show_mixing(view_state *state, bool shown);
void view_state_show_things(view_state *state, bool shown);

// Sends the camera to where all is seen.
void view_state_frame(view_state *state);

// Moves everything on by so many seconds.
void view_state_advance(view_state *state, float dt);

// Whether the next frame would be another picture than this one.
bool view_state_moves(const view_state *state);

#endif
