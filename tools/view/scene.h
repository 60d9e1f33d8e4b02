// SPDX-License-Identifier: MIT
// The window's scene: a file, its player, its springs, and a crowd around it.
#ifndef VIEWER_SCENE_H
#define VIEWER_SCENE_H

#include "view/crowd_springs.h"
#include "view/vertices.h"

#include "files/files.h"
#include "render/crowd.h"

enum { VIEW_PATH = 1024 };

// Reads a file. On failure, returns false with the reason in `error`.
typedef bool (*view_loader)(const char *path, sinew_asset **asset, sinew_error *error);

// The file that a character's motion comes from.
typedef struct view_motion {
    bool (*is_motion)(const char *path); // whether a dropped file only has motion; if NULL, no file does
    // Reads a file with another file's motion. That file's first clip is clip `first` of the asset.
    bool (*load)(const char *path, const char *motion, sinew_asset **asset, int32_t *first, sinew_error *error);
    char path[VIEW_PATH]; // empty if the character only has its own clips
} view_motion;

typedef struct view_scene {
    char path[VIEW_PATH];
    files_version version; // the file's version when it was read
    sinew_asset *asset;
    sinew_scene *scene;    // +Y up; NULL if nothing is loaded
    sinew_scene_node node; // the asset's instance
    view_player player;
    const view_act *act; // from the settings when the file was loaded
    void *playing;       // the act's; NULL without an act
    view_springs springs;
    view_vertices vertices;
    sinew_vec3 least, most; // box around all posed vertices, or around all nodes if there are none
    float ground;           // height in meters
    bool *is_joint;         // [node_count]; nodes in the drawn skeleton
    draw_model model;       // on the GPU after view_scene_upload
    draw_crowd crowd;       // empty without --crowd
    view_crowd_springs crowd_springs;
} view_scene;

// Loads a file. It plays the settings' act, the first clip of the motion if there is one, or else its own first clip if
// it has one. On failure, returns false with the reason in `error`. Call view_scene_free either way.
bool view_scene_load(view_scene *scene, view_loader load, const view_motion *motion, const char *path,
                     const view_settings *settings, sinew_error *error);

// Creates the crowd if the settings have one. On failure there isn't one.
bool view_scene_create_crowd(view_scene *scene, sinew_error *error);

// Uploads the file and the crowd. On failure, returns false with the reason in `error`.
bool view_scene_upload(view_scene *scene, sinew_gl *gl, sinew_error *error);

// Keeps the player's settings.
void view_scene_free(view_scene *scene);

// Advances by `dt` seconds and updates matrices, vertices and bounds.
void view_scene_advance(view_scene *scene, float dt);

// Updates the uploaded models to the current pose and culls them against the camera.
void view_scene_pose_models(view_scene *scene, const sinew_mat4 *view_projection);

// Returns the bounds of everything that's drawn, including the crowd.
sinew_box view_scene_box(const view_scene *scene);

// Returns whether the scene changes over time.
bool view_scene_moves(const view_scene *scene);

// Returns whether the act plays, because no clip was chosen.
bool view_scene_acts(const view_scene *scene);

// Returns the world-space position of one of the file's nodes.
sinew_vec3 view_scene_node_position(const view_scene *scene, int32_t node);

#endif
