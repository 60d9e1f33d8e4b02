// SPDX-License-Identifier: MIT
// The scene of the window: the playing character, its attachments, and the files next to it.
#ifndef VIEWER_SCENE_H
#define VIEWER_SCENE_H

#include "view/effectors.h"
#include "view/player.h"
#include "view/crowd_springs.h"
#include "view/springs.h"
#include "view/vertices.h"

#include "render/crowd.h"

enum { VIEW_MAX_ACTORS = 17, VIEW_PATH = 1024, VIEW_NAME = 256 };

// Reads a file; false, with the reason in `error`, when it cannot.
typedef bool (*view_loader)(const char *path, sinew_asset **asset, sinew_error *error);

// The file whose motion a character has.
typedef struct view_motion {
    bool (*is_motion)(const char *path); // whether a file that is dropped is motion alone; NULL: none is
    bool (*load)(const char *path, const char *motion, sinew_asset **asset, sinew_error *error);
    char path[VIEW_PATH]; // empty: a character has its own clips only
} view_motion;

// A file in the scene.
typedef struct view_actor {
    char path[VIEW_PATH];
    sinew_asset *asset;
    sinew_scene_node node;
    bool is_twin; // the copy of an actor that is compared with it; shares its asset
} view_actor;

typedef struct view_scene {
    sinew_scene *scene;                              // +Y up; NULL: nothing is loaded
    view_actor actors[VIEW_SIDES * VIEW_MAX_ACTORS]; // the first one plays
    int shown_count;                                 // of actors
    int actor_count;                                 // of actors that are no twins; 0: nothing is loaded
    float twin_offset;                               // metres from the first character to its twin
    sinew_scene_node source;                         // whose motion the first actor has; all zeros: its own
    view_player player;
    view_springs springs;     // of the first actor
    view_effectors effectors; // of the first actor
    view_vertices vertices;
    sinew_vec3 least, most; // the box around all posed vertices, or around all nodes where there are no vertices
    float ground;           // the height of the ground, metres
    sinew_pose *plotted;    // for plots of curves; NULL: the first actor has none
    bool *is_joint;         // [node_count] of the first actor: the nodes of the drawn skeleton
    draw_model models[VIEW_SIDES * VIEW_MAX_ACTORS]; // of the actors, in the same order
    int model_count;                                 // of models that are on the GPU
    draw_crowd crowd;                                // around the first actor; empty without --crowd
    view_crowd_springs crowd_springs;                // of the crowd
} view_scene;

// Loads a character, which plays its first clip, or none. With motion, the file of that is added next to it, and plays along.
// False, with the reason in `error`, when that fails. Freed with view_scene_free in both cases.
bool view_scene_load(view_scene *scene, view_loader load, const view_motion *motion, const char *path,
                     const view_settings *settings, sinew_error *error);

// Plays another clip from the start, at once.
void view_scene_start(view_scene *scene, int32_t clip);

// Loads a file and attaches it to the character's node of that name. On failure the scene is unchanged.
bool view_scene_attach(view_scene *scene, view_loader load, const char *path, const char *node, sinew_error *error);

// Loads a file, moves it to the right of all others and plays its first clip. On failure the scene is unchanged.
bool view_scene_add(view_scene *scene, view_loader load, const char *path, sinew_error *error);

// Removes a file and its attachments. Removing the first file empties the scene; the settings stay.
void view_scene_remove(view_scene *scene, sinew_scene_node node);

// The actor of an instance or joint; NULL if it no longer exists.
const view_actor *view_scene_actor(const view_scene *scene, sinew_scene_node node);

// Starts or ends the comparison: adds a twin of the first character with its attachments, or removes it. Returns false,
// with the scene unchanged, if memory runs out.
bool view_scene_set_comparing(view_scene *scene, bool comparing);

// Converts a position from the axes of a character's asset, as root motion has it, to world space.
sinew_vec3 view_scene_position(const view_scene *scene, int side, sinew_vec3 at);

// Converts a position of the first character back, from world space to the axes of its asset.
sinew_vec3 view_scene_to_root(const view_scene *scene, sinew_vec3 at);

// view_player_apply_settings and view_player_set_root, with the scene updated.
bool view_scene_apply_settings(view_scene *scene, sinew_error *error);
bool view_scene_set_root(view_scene *scene, int32_t node, sinew_error *error);

// view_player_start_graph, with the scene updated.
bool view_scene_start_graph(view_scene *scene, sinew_error *error);

// view_player_reload_graph. A graph that begins to drive the character ends the comparison.
view_reload view_scene_reload_graph(view_scene *scene, sinew_error *error);

// Creates the crowd of the settings, if they have one. On failure there is none.
bool view_scene_create_crowd(view_scene *scene, sinew_error *error);

// The bounds of everything that is drawn, including the crowd.
sinew_box view_scene_box(const view_scene *scene);

// Whether the scene changes over time.
bool view_scene_moves(const view_scene *scene);

// The default node of root motion: the topmost joint, or SINEW_NO_NODE.
int32_t view_scene_root(const view_scene *scene);

// Uploads the actors that are not on the GPU. If that fails, view_scene_remove_new removes those actors.
bool view_scene_upload(view_scene *scene, sinew_gl *gl, sinew_error *error);
void view_scene_remove_new(view_scene *scene);

void view_scene_free(view_scene *scene);

// Converts a position from world space to the model space of the first character.
sinew_vec3 view_scene_to_model(const view_scene *scene, sinew_vec3 at);

// Advances by `dt` seconds and updates matrices, vertices and bounds.
void view_scene_advance(view_scene *scene, float dt);

// Updates the uploaded models to the current pose, and culls them against the camera.
void view_scene_pose_models(view_scene *scene, const sinew_mat4 *view_projection);

// The position of an actor's node in world space.
sinew_vec3 view_scene_node_position(const view_scene *scene, const view_actor *actor, int32_t node);

#endif
