// SPDX-License-Identifier: MIT
// The scene of the window: a file, its player, its springs, and a crowd around it.
#ifndef VIEWER_SCENE_H
#define VIEWER_SCENE_H

#include "view/crowd_springs.h"
#include "view/vertices.h"

#include "files/files.h"
#include "render/crowd.h"

enum { VIEW_PATH = 1024 };

// Reads a file; false, with the reason in `error`, when it cannot.
typedef bool (*view_loader)(const char *path, sinew_asset **asset, sinew_error *error);

// The file whose motion a character has.
typedef struct view_motion {
    bool (*is_motion)(const char *path); // whether a file that is dropped is motion alone; NULL: none is
    // Reads a file with the motion of another one, whose first clip is then `first` of the asset.
    bool (*load)(const char *path, const char *motion, sinew_asset **asset, int32_t *first, sinew_error *error);
    char path[VIEW_PATH]; // empty: a character has its own clips only
} view_motion;

typedef struct view_scene {
    char path[VIEW_PATH];
    files_version version; // of the file when it was read
    sinew_asset *asset;
    sinew_scene *scene;    // +Y up; NULL: nothing is loaded
    sinew_scene_node node; // the instance of the asset
    view_player player;
    const view_act *act; // of the settings when the file was loaded
    void *playing;       // of the act; NULL without one
    view_springs springs;
    view_vertices vertices;
    sinew_vec3 least, most; // the box around all posed vertices, or around all nodes where there are no vertices
    float ground;           // the height of the ground, metres
    bool *is_joint;         // [node_count]: the nodes of the drawn skeleton
    draw_model model;       // on the GPU after view_scene_upload
    draw_crowd crowd;       // empty without --crowd
    view_crowd_springs crowd_springs;
} view_scene;

// Loads a file, which plays its first clip, or none; or the first clip of the motion, if there is one; or the settings' act.
// Returns false, with
// the reason in `error`, when that fails. Freed with view_scene_free in both cases.
bool view_scene_load(view_scene *scene, view_loader load, const view_motion *motion, const char *path,
                     const view_settings *settings, sinew_error *error);

// Creates the crowd of the settings, if they have one. On failure there is none.
bool view_scene_create_crowd(view_scene *scene, sinew_error *error);

// Uploads the file and the crowd. Returns false, with the reason in `error`, if that fails.
bool view_scene_upload(view_scene *scene, sinew_gl *gl, sinew_error *error);

// The settings of the player stay.
void view_scene_free(view_scene *scene);

// Advances by `dt` seconds and updates matrices, vertices and bounds.
void view_scene_advance(view_scene *scene, float dt);

// Updates the uploaded models to the current pose, and culls them against the camera.
void view_scene_pose_models(view_scene *scene, const sinew_mat4 *view_projection);

// The bounds of everything that is drawn, including the crowd.
sinew_box view_scene_box(const view_scene *scene);

// Whether the scene changes over time.
bool view_scene_moves(const view_scene *scene);

// Whether the act plays, because no clip has been chosen.
bool view_scene_acts(const view_scene *scene);

// The position of a node of the file in world space.
sinew_vec3 view_scene_node_position(const view_scene *scene, int32_t node);

#endif
