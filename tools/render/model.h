// SPDX-License-Identifier: MIT
// An asset on the GPU, for the sample renderer.
#ifndef DRAW_MODEL_H
#define DRAW_MODEL_H

#include <sinew/gpu/gl.h>
#include <sinew/scene/scene.h>

#include <epoxy/gl.h>

// The winding of triangles after applying their matrices. A draw call with both must be two-sided.
typedef enum draw_winding { DRAW_WINDING_AS_AUTHORED, DRAW_WINDING_MIRRORED, DRAW_WINDING_MIXED } draw_winding;

// A primitive of a mesh node.
typedef struct draw_part {
    const sinew_mesh_node *mesh_node;
    const sinew_primitive *primitive;
    sinew_gl_mesh *mesh;
    int32_t skin;         // -1 if it moves with its node
    int32_t joint;        // in a crowd, its node's joint in the records
    sinew_affine world;   // its node's world matrix in this frame, or the identity if it's skinned
    draw_winding winding; // in this frame
    bool is_hidden;       // an animated property hides it in this frame
} draw_part;

typedef struct draw_model {
    sinew_gl *gl;
    const sinew_asset *asset;
    bool is_seen; // by the camera; if false, only its shadow is drawn
    int part_count;
    draw_part *parts; // parts in the file's scene: the visible ones, then those that clips may make visible
    sinew_material *materials;   // [material_count]; in this frame
    int32_t *visibility;         // [node_count]; see draw_find_visibility
    sinew_gl_records **palettes; // [skin_count]
    draw_winding *skin_windings; // [skin_count]; in this frame
    GLuint *textures;            // [texture_count]; 0 if an image can't be read
    sinew_gl_records *records;   // a crowd's (tools/render/crowd.h), drawn at once; NULL for one character
    int32_t record_count;
    sinew_gl_animations *animations; // for the records; may be NULL
    sinew_affine *matrices;          // buffer for the largest skin
    float *morphed; // buffer for the positions and normals of the largest primitive with morph targets
} draw_model;

// Returns whether a mesh node is in the file's scene and visible.
bool draw_is_shown(const sinew_mesh_node *mesh_node);

// Uploads meshes and textures. Messages about unreadable images name `path`. The asset must outlive the model. On
// failure, returns false with the reason in `error`. Call draw_model_free either way.
bool draw_model_create(draw_model *model, sinew_gl *gl, const sinew_asset *asset, const char *path,
                       sinew_error *error);
void draw_model_free(draw_model *model);

// Returns the winding of triangles after transforming them with these matrices.
draw_winding draw_winding_of(const sinew_affine *matrices, int32_t count);

// Updates palettes, world matrices and morphed vertices to the pose of one of the asset's instances.
void draw_model_pose(draw_model *model, const sinew_scene *scene, sinew_scene_node instance);

// Culls the scene against a camera. Sets each model's is_seen from its instance, nodes[i].
void draw_models_cull(draw_model *models, const sinew_scene_node *nodes, int count, sinew_scene *scene,
                      const sinew_mat4 *view_projection);

#endif
