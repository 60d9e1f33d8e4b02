// An asset on the GPU: what the sample renderer draws.
#ifndef DRAW_MODEL_H
#define DRAW_MODEL_H

#include <sinew/gl.h>
#include <sinew/scene.h>

#include <epoxy/gl.h>

// Which way round triangles are after their matrices. A draw that mixes both must be two-sided.
typedef enum draw_hand { DRAW_HAND_AS_AUTHORED, DRAW_HAND_MIRRORED, DRAW_HAND_MIXED } draw_hand;

// One primitive of one mesh instance.
typedef struct draw_part {
    const sinew_mesh_instance *instance;
    const sinew_primitive *primitive;
    sinew_gl_mesh *mesh;
    int32_t skin;       // or -1: it moves with its node
    int32_t joint;      // of many: the joint of their records that is its node
    sinew_affine place; // of the frame: its node's matrix, or the identity for a skinned part
    draw_hand hand;     // of the frame
} draw_part;

typedef struct draw_model {
    sinew_gl *gl;
    const sinew_asset *asset;
    bool is_seen; // by the camera; the shadow of what is not falls all the same
    int part_count;
    draw_part *parts;            // only what is in the file's scene and visible
    sinew_gl_records **palettes; // [skin_count]
    draw_hand *skin_hands;       // [skin_count], of the frame
    GLuint *textures;            // [texture_count]; 0 where the image cannot be read
    sinew_gl_records
        *records; // of many characters, as which it is drawn at once (tools/render/crowd.h); NULL: it is one
    int32_t record_count;            // how many
    sinew_gl_animations *animations; // that the records speak of; or NULL
    sinew_affine *matrices;          // room for the largest skin
    float *morphed; // room for the positions and normals of the largest primitive with morph targets
} draw_model;

// Whether a mesh is to be drawn where it is.
bool draw_is_shown(const sinew_mesh_instance *instance);

// Copies meshes and textures to the GPU; `path` is named in remarks about images that cannot be read. The asset
// must outlive the model. False, with the reason in `error`, when that fails. Freed with draw_model_free in both cases.
bool draw_model_create(draw_model *model, sinew_gl *gl, const sinew_asset *asset, const char *path,
                       sinew_error *error);
void draw_model_free(draw_model *model);

// Which way round triangles are that matrices move.
draw_hand draw_hand_of(const sinew_affine *matrices, int32_t count);

// Brings palettes, places and morphed vertices to where an instance of the model's asset is, and as it is posed.
void draw_model_pose(draw_model *model, const sinew_scene *scene, sinew_scene_node instance);

// Says of each model whether a camera sees its instance, which is nodes[i]; culls the scene.
void draw_models_cull(draw_model *models, const sinew_scene_node *nodes, int count, sinew_scene *scene,
                      const sinew_mat4 *view_projection);

#endif
