// What the window shows: a character that plays, the objects that it carries, and all their vertices as posed.
#ifndef VIEWER_SCENE_H
#define VIEWER_SCENE_H

#include "viewer/player.h"

#include "draw/model.h"

enum { VIEW_MOST_ACTORS = 17, VIEW_PATH = 1024, VIEW_NAME = 256 };

// Reads a file; false, with the reason in `error`, when it cannot.
typedef bool (*view_loader)(const char *path, sinew_asset **asset, sinew_error *error);

// A file in the scene.
typedef struct view_actor {
    char path[VIEW_PATH];
    sinew_asset *asset;
    sinew_pose *pose;          // the rest pose, of what is carried; NULL for the first, whose mixer has one
    int32_t hand;              // the first actor's node that carries this one; SINEW_NO_NODE for the first itself
    sinew_affine *placed;      // [node_count], where it is carried, or upright, or has gone
    const sinew_affine *world; // [node_count], the matrices of the frame, wherever they are kept
} view_actor;

// Posed vertices, side by side for all primitives; normals are zero where there are none.
typedef struct view_vertices {
    int32_t count, capacity;
    float *positions, *normals; // 3 floats each
    float *morphed;             // room for the largest primitive's positions and normals
    uint16_t *joints;           // [4 × the largest primitive], all 0: one joint, for what has no skin
    float *weights;             // the same, all 1 0 0 0
    sinew_affine *palette;      // room for the largest skin
} view_vertices;

typedef struct view_scene {
    // The first plays. Side by side, as many others come behind them: the same ones again, of the second character, which
    // share all but their places.
    view_actor actors[VIEW_SIDES * VIEW_MOST_ACTORS];
    int actor_count; // 0: nothing is loaded
    int shown_count; // the same, or twice as many
    float apart;     // metres from the first character to the second one
    view_player player;
    view_vertices vertices;
    sinew_vec3 least, most; // the box around all posed vertices, or around all nodes where there are no vertices
    float ground;           // the height that it stands on
    bool *is_joint;         // [node_count] of the first actor: the nodes that the skeleton is drawn with
    draw_model models[VIEW_SIDES * VIEW_MOST_ACTORS]; // those of the actors that are on the GPU
    int model_count;
} view_scene;

// Loads a character, which plays its first clip, or none. False, with the reason in `error`, when that fails. Freed
// with view_scene_free in both cases.
bool view_scene_load(view_scene *scene, view_loader load, const char *path, const view_settings *settings,
                     sinew_error *error);

// Plays another clip from the start, at once.
void view_scene_start(view_scene *scene, int32_t clip);

// Has the character carry another file by its node of that name. When that fails, the scene stays as it was.
bool view_scene_attach(view_scene *scene, view_loader load, const char *path, const char *node, sinew_error *error);

// Puts a second character beside the first, with all that it carries, or takes it away. When that fails, for want of
// memory, all stays as it was.
bool view_scene_set_beside(view_scene *scene, bool beside);

// Where a place of a character's own is, with its root at the origin, in the picture's axes.
sinew_vec3 view_scene_place(const view_scene *scene, int side, sinew_vec3 at);

// view_player_ask, and places everything; and view_player_set_root.
bool view_scene_ask(view_scene *scene, sinew_error *error);
bool view_scene_set_root(view_scene *scene, int32_t node, sinew_error *error);

// The node whose motion is that of the whole character, unless somebody names another one; or SINEW_NO_NODE.
int32_t view_scene_root(const view_scene *scene);

// Copies to the GPU whatever is not there yet.
bool view_scene_upload(view_scene *scene, sinew_gl *gl, sinew_error *error);

void view_scene_free(view_scene *scene);

// Moves on by `dt` seconds and poses everything: matrices, vertices and the box.
void view_scene_advance(view_scene *scene, float dt);

// Brings what view_scene_upload made to the pose.
void view_scene_pose_models(view_scene *scene);

// The part of a path after the last slash.
const char *view_file_name(const char *path);

#endif
