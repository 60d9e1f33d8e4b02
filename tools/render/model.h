// SPDX-License-Identifier: MIT
// An asset on the GPU, for the sample renderer.
#ifndef DRAW_MODEL_H
#define DRAW_MODEL_H

#include <sinew/gpu/gl.h>
#include <sinew/scene/scene.h>

#include <epoxy/gl.h>

// The winding of triangles after their matrices. A draw that mixes both must be two-sided.
typedef enum draw_winding { DRAW_WINDING_AS_AUTHORED, DRAW_WINDING_MIRRORED, DRAW_WINDING_MIXED } draw_winding;

// One primitive of one mesh node.
typedef struct draw_part {
    const sinew_mesh_node *mesh_node;
    const sinew_primitive *primitive;
    sinew_gl_mesh *mesh;
    int32_t skin;         // or -1: it moves with its node
    int32_t joint;        // of a crowd: the joint of its node in the records
    sinew_affine world;   // of the frame: its node's world matrix, or the identity for a skinned part
    draw_winding winding; // of the frame
    bool is_hidden;       // in the frame, by an animated property
} draw_part;

typedef struct draw_model {
    sinew_gl *gl;
    const sinew_asset *asset;
    bool is_seen; // by the camera; false: only its shadow is drawn
    int part_count;
    draw_part *parts; // those of the file's scene: the visible ones, then those that clips may make visible
    sinew_material *materials;   // [material_count], of the frame
    int32_t *visibility;         // [node_count]: see draw_find_visibility
    sinew_gl_records **palettes; // [skin_count]
    draw_winding *skin_windings; // [skin_count], of the frame
    GLuint *textures;            // [texture_count]; 0 for an image that cannot be read
    sinew_gl_records *records;   // of a crowd (tools/render/crowd.h), drawn at once; NULL: one character
    int32_t record_count;
    sinew_gl_animations *animations; // of the records; or NULL
    sinew_affine *matrices;          // buffer for the largest skin
    float *morphed; // buffer for the positions and normals of the largest primitive with morph targets
} draw_model;

// Whether a mesh node is in the file's scene and visible.
bool draw_is_shown(const sinew_mesh_node *mesh_node);

// Uploads meshes and textures; `path` is named in messages about images that cannot be read. The asset must outlive the
// model. Returns false, with the reason in `error`, if that fails. Freed with draw_model_free in both cases.
bool draw_model_create(draw_model *model, sinew_gl *gl, const sinew_asset *asset, const char *path,
                       sinew_error *error);
void draw_model_free(draw_model *model);

// The winding of triangles that matrices transform.
draw_winding draw_winding_of(const sinew_affine *matrices, int32_t count);

// Updates palettes, world matrices and morphed vertices to the pose of an instance of the model's asset.
void draw_model_pose(draw_model *model, const sinew_scene *scene, sinew_scene_node instance);

// Culls the scene against a camera, and sets is_seen of each model by its instance, nodes[i].
void draw_models_cull(draw_model *models, const sinew_scene_node *nodes, int count, sinew_scene *scene,
                      const sinew_mat4 *view_projection);

#endif
