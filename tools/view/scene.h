// What the window shows: a character that plays, what it carries and what stands beside it, in a scene.
#ifndef VIEWER_SCENE_H
#define VIEWER_SCENE_H

#include "view/player.h"
#include "view/vertices.h"

#include "render/crowd.h"

enum { VIEW_MOST_ACTORS = 17, VIEW_PATH = 1024, VIEW_NAME = 256 };

// Reads a file; false, with the reason in `error`, when it cannot.
typedef bool (*view_loader)(const char *path, sinew_asset **asset, sinew_error *error);

// A file in the scene.
typedef struct view_actor {
    char path[VIEW_PATH];
    sinew_asset *asset;
    sinew_scene_node node;
    bool is_twin; // of the second character, shown beside the first: the file is that one's
} view_actor;

typedef struct view_scene {
    sinew_scene *scene;                               // everything in it, +Y up; NULL: nothing is loaded
    view_actor actors[VIEW_SIDES * VIEW_MOST_ACTORS]; // the first plays
    int shown_count;                                  // of them
    int actor_count;                                  // without twins; 0: nothing is loaded
    float apart;                                      // metres from the first character to the second one
    view_player player;
    view_vertices vertices;
    sinew_vec3 least, most; // the box around all posed vertices, or around all nodes where there are no vertices
    float ground;           // the height that it stands on
    bool *is_joint;         // [node_count] of the first actor: the nodes that the skeleton is drawn with
    draw_model models[VIEW_SIDES * VIEW_MOST_ACTORS]; // of the same actors
    int model_count;                                  // of those that are on the GPU
    draw_crowd crowd;                                 // around the first; of nobody where none was asked for
} view_scene;

// Loads a character, which plays its first clip, or none. False, with the reason in `error`, when that fails. Freed
// with view_scene_free in both cases.
bool view_scene_load(view_scene *scene, view_loader load, const char *path, const view_settings *settings,
                     sinew_error *error);

// Plays another clip from the start, at once.
void view_scene_start(view_scene *scene, int32_t clip);

// Has the character carry another file by its node of that name. When that fails, the scene stays as it was.
bool view_scene_attach(view_scene *scene, view_loader load, const char *path, const char *node, sinew_error *error);

// Puts another file beside all that is there, which plays its first clip. When that fails, the scene stays as it was.
bool view_scene_add(view_scene *scene, view_loader load, const char *path, sinew_error *error);

// Takes a file away, with all that hangs on it; of the first one that is everything, but the settings.
void view_scene_remove(view_scene *scene, sinew_scene_node node);

// Whose an instance or joint is; NULL where it is gone.
const view_actor *view_scene_actor(const view_scene *scene, sinew_scene_node node);

// Puts a second character beside the first, with all that it carries, or takes it away. When that fails, for want of
// memory, all stays as it was.
bool view_scene_set_beside(view_scene *scene, bool beside);

// Where a place of a character's own is, with its root at the origin, in the picture's axes.
sinew_vec3 view_scene_place(const view_scene *scene, int side, sinew_vec3 at);

// view_player_ask, and places everything; and view_player_set_root.
bool view_scene_ask(view_scene *scene, sinew_error *error);
bool view_scene_set_root(view_scene *scene, int32_t node, sinew_error *error);

// Gathers the crowd that the settings ask for around the first, if they do. When that fails there is none.
bool view_scene_gather(view_scene *scene, sinew_error *error);

// What holds everything that is drawn, the crowd too.
sinew_box view_scene_box(const view_scene *scene);

// Whether it would look different after some time.
bool view_scene_moves(const view_scene *scene);

// The node whose motion is that of the whole character, unless somebody names another one; or SINEW_NO_NODE.
int32_t view_scene_root(const view_scene *scene);

// Copies to the GPU whatever is not there yet. When that fails, view_scene_forget takes those away.
bool view_scene_upload(view_scene *scene, sinew_gl *gl, sinew_error *error);
void view_scene_forget(view_scene *scene);

void view_scene_free(view_scene *scene);

// Moves on by `dt` seconds and poses everything: matrices, vertices and the box.
void view_scene_advance(view_scene *scene, float dt);

// Brings what view_scene_upload made to the pose, and finds what the camera sees of it.
void view_scene_pose_models(view_scene *scene, const sinew_mat4 *view_projection);

// Where a node of an actor is.
sinew_vec3 view_scene_at(const view_scene *scene, const view_actor *actor, int32_t node);

// The part of a path after the last slash.
const char *view_file_name(const char *path);

#endif
