// SPDX-License-Identifier: MIT
/// The contents of a file as plain structs: skeleton, clips, skins, meshes, materials, images, cameras, lights.
///
/// An importer (gltf.h) creates an asset; sinew_asset_destroy frees it and everything in it. It is const after
/// loading and may be read from any thread. Strings are UTF-8 and never NULL; a missing string is "". An index of -1
/// means none. Arrays and strings belong to the asset. An array whose count is 0 must not be read.
///
/// A *mesh* is a list of *primitives*, one for each material. A *mesh node* is a node that has a mesh. An *instance*
/// is a whole asset in a scene (scene/scene.h). *Skinned* vertices are in mesh space, and a palette (skin.h) brings
/// them to model space; the model matrix (pose.h) of the node brings other vertices there.
///
/// Lengths are metres, vectors are columns. The axes are the file's unless the import converted them (see `up`).
/// Colours are in linear light: not sRGB.
#ifndef SINEW_ASSET_H
#define SINEW_ASSET_H

#include "bounds.h"
#include "clip.h"
#include "skin.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An encoded image: PNG or JPEG; or WebP, AVIF, KTX 2 or DDS if a texture has an image by an extension only. `bytes`
/// is NULL for a missing image, which could not be loaded.
typedef struct sinew_image {
    const char *name;      ///< "" if the file has none
    const char *mime_type; ///< "image/png", "image/jpeg", "image/webp", ..., or "" if it is unknown
    const uint8_t *bytes;  ///< [size]; NULL if the image is missing: its URI is refused or could not be read
    size_t size;           ///< in bytes; 0 if bytes is NULL
} sinew_image;

/// How a texture continues outside [0, 1].
typedef enum sinew_wrap {
    SINEW_WRAP_REPEAT, ///< the image repeats
    SINEW_WRAP_CLAMP,  ///< its edge continues
    SINEW_WRAP_MIRROR  ///< the image repeats, every other copy mirrored
} sinew_wrap;

/// An image and its sampler.
typedef struct sinew_texture {
    int32_t image;             ///< index into images, or -1
    sinew_wrap wrap_u, wrap_v; ///< how it continues outside [0, 1] in that direction
    bool nearest;              ///< true: magnified without filtering; false: linearly
} sinew_texture;

/// The effect of alpha on a surface.
typedef enum sinew_alpha_mode {
    SINEW_ALPHA_OPAQUE, ///< none
    SINEW_ALPHA_MASK,   ///< fragments below the cutoff are discarded, all others are opaque
    SINEW_ALPHA_BLEND   ///< blended over the background
} sinew_alpha_mode;

/// The appearance of a surface: its base colour only.
typedef struct sinew_material {
    const char *name;           ///< "" if the file has none
    float base_color[4];        ///< linear light, multiplied with the texture and the vertex colours
    int32_t base_color_texture; ///< index into textures, or -1
    /// The file's set of texture coordinates (n of TEXCOORD_n) that `uvs` of its primitives hold.
    int32_t base_color_uv;
    sinew_alpha_mode alpha_mode; ///< the effect of alpha
    float alpha_cutoff;          ///< for SINEW_ALPHA_MASK: fragments of a smaller alpha are discarded
    bool double_sided;           ///< back faces are visible
    bool unlit;                  ///< drawn without lighting (KHR_materials_unlit)
} sinew_material;

/// A list of triangles, counter-clockwise from the front. Every vertex array that is not NULL has vertex_count
/// elements, tightly packed.
typedef struct sinew_primitive {
    int32_t vertex_count;   ///< 0 or more
    const float *positions; ///< 3 floats, metres; never NULL if vertex_count > 0
    const float *normals;   ///< 3 floats, unit if target_count is 0; or NULL
    const float *tangents;  ///< 4 floats: x, y, z and the handedness, 1 or -1; or NULL
    const float *uvs; ///< 2 floats, the set that the material's base colour uses, (0, 0) at the top left; or NULL
    const float *colors;    ///< 4 floats, linear light; or NULL
    int32_t influences;     ///< joints per vertex: 0 (not skinned), 4 or 8
    const uint16_t *joints; ///< `influences` indices into the skin's joints, all of which exist; or NULL
    /// `influences` weights, normalized to sum to 1; or NULL. A vertex without weights (all are 0, or one is not
    /// finite) has weight 1 for joint 0.
    const float *weights;
    int32_t index_count;     ///< a multiple of 3
    const uint32_t *indices; ///< [index_count], three per triangle, each less than vertex_count
    int32_t material;        ///< index into materials, or -1: white, opaque
    int32_t target_count;    ///< morph targets: the mesh's target_count
    /// [target_count]: of each morph target 3 floats per vertex, to be added (sinew_morph); NULL for a target that
    /// does not move positions.
    const float *const *target_positions;
    const float *const *target_normals;  ///< the same for normals
    const float *const *target_tangents; ///< the same for x, y, z of tangents; the handedness does not change
} sinew_primitive;

#ifndef SINEW_NO_SKINNING
/// Returns a job that skins a primitive (sinew_skin_vertices): its joints, weights, positions, normals and tangents,
/// tightly packed. Set `out_positions`, and the outputs of normals and tangents, which are skipped without one. For
/// morph targets, replace the inputs by what sinew_morph has written. The job points to the primitive's arrays.
/// `primitive` must have influences, or the program gives the job other joints and weights. Any thread.
SINEW_API sinew_skin_job sinew_primitive_skin_job(const sinew_primitive *primitive);
#endif

/// A mesh: its primitives share their morph targets.
typedef struct sinew_mesh {
    const char *name;                  ///< "" if the file has none
    int32_t primitive_count;           ///< usually one per material
    const sinew_primitive *primitives; ///< in the file's order
    int32_t target_count;              ///< morph targets of each primitive
} sinew_mesh;

/// A mesh on a node. Draw it if it is in_scene and visible.
typedef struct sinew_mesh_node {
    int32_t node; ///< index in the skeleton; its morph weights deform the mesh
    int32_t mesh; ///< index into meshes
    int32_t skin; ///< index into skins, or -1: the mesh is transformed by its node
    /// The node is in the file's default scene, or in its first if it names none. Always true without scenes.
    bool in_scene;
    bool visible; ///< neither the node nor an ancestor is hidden (KHR_node_visibility)
} sinew_mesh_node;

// ---- Cameras and lights ----------------------------------------------------------------------------------------

/// A camera (glTF 2.0, section 3.10). sinew_camera_projection (scene/camera.h) returns its projection matrix.
typedef struct sinew_camera {
    const char *name;  ///< "" if the file has none
    bool orthographic; ///< orthographic instead of perspective
    float yfov;        ///< vertical field of view, radians, less than pi; 0 if orthographic
    float aspect;      ///< width / height of the image; 0: the viewport's, or orthographic
    float xmag, ymag;  ///< half the width and height of the view volume; 0 if perspective
    float znear, zfar; ///< distances of the clip planes; zfar may be INFINITY
} sinew_camera;

/// A camera on a node. sinew_camera_view returns its view matrix.
typedef struct sinew_camera_node {
    int32_t node;   ///< index in the skeleton
    int32_t camera; ///< index into cameras
    bool in_scene;  ///< the node belongs to the file's default scene
} sinew_camera_node;

/// The type of a light (KHR_lights_punctual).
typedef enum sinew_light_kind {
    SINEW_LIGHT_DIRECTIONAL, ///< infinitely far away, in the direction sinew_light_direction (scene/camera.h)
    SINEW_LIGHT_POINT,       ///< from the node's position in all directions
    SINEW_LIGHT_SPOT         ///< from the node's position in a cone around sinew_light_direction
} sinew_light_kind;

/// A light (KHR_lights_punctual).
typedef struct sinew_light {
    const char *name;      ///< "" if the file has none
    sinew_light_kind kind; ///< its type
    float color[3];        ///< linear light
    float intensity;       ///< lux if directional, else candela
    float range;           ///< metres, or INFINITY; INFINITY if directional
    float inner_cone;      ///< spots: the angle from the direction, in radians, where the falloff starts; else 0
    float outer_cone;      ///< spots: the angle from the direction, in radians, where the falloff ends; else 0
} sinew_light;

/// A light on a node.
typedef struct sinew_light_node {
    int32_t node;  ///< index in the skeleton
    int32_t light; ///< index into lights
    bool in_scene; ///< the node belongs to the file's default scene
    bool visible;  ///< neither the node nor an ancestor is hidden (KHR_node_visibility)
} sinew_light_node;

// ---- Animated properties ---------------------------------------------------------------------------------------

/// What has a property that clips animate.
typedef enum sinew_property_target {
    SINEW_PROPERTY_MATERIAL, ///< `index` is into materials
    SINEW_PROPERTY_NODE,     ///< `index` is a node of the skeleton
    SINEW_PROPERTY_CAMERA,   ///< `index` is into cameras
    SINEW_PROPERTY_LIGHT,    ///< `index` is into lights
    SINEW_PROPERTY_OTHER     ///< anything else, such as extras; `index` is -1
} sinew_property_target;

/// A property of the file that clips animate by curves of the skeleton (KHR_animation_pointer), one for each component,
/// from `first_curve` on. Each curve has the name of the pointer; of several components, with ".0", ".1" and so on. Its
/// rest value is the value in the file, or the default value of the specification.
typedef struct sinew_animated_property {
    const char *pointer;          ///< the JSON pointer, such as "/materials/0/pbrMetallicRoughness/baseColorFactor"
    const char *name;             ///< its part after the element: "pbrMetallicRoughness/baseColorFactor"
    sinew_property_target target; ///< what has the property
    int32_t index;                ///< of the element
    int32_t first_curve;          ///< index into the curves of a pose
    int32_t component_count;      ///< at least 1
    bool is_bool;                 ///< true or false: 1 or 0, and between them in a fade; read it as >= 0.5
} sinew_animated_property;

// ---- The asset -------------------------------------------------------------------------------------------------

/// The contents of a file. sinew_asset_destroy frees its clips, skins and skeleton: do not destroy them one by one.
typedef struct sinew_asset {
    const sinew_skeleton *skeleton; ///< every node of the file, or the loaded subset
    sinew_up up;                    ///< the axis that points up
    /// The data of an avatar. Opaque here: humanoid/humanoid.h and humanoid/vrm.h define the two structs. NULL without
    /// any, or if they were not asked for (sinew_vrm_extension).
    const struct sinew_humanoid *humanoid;
    const struct sinew_vrm *vrm;                        ///< see `humanoid`
    int32_t clip_count;                                 ///< how many clips
    const sinew_clip *clips;                            ///< in the file's order
    int32_t skin_count;                                 ///< how many skins
    const sinew_skin *skins;                            ///< in the file's order
    int32_t mesh_count;                                 ///< how many meshes
    const sinew_mesh *meshes;                           ///< in the file's order
    int32_t mesh_node_count;                            ///< how many nodes have a mesh
    const sinew_mesh_node *mesh_nodes;                  ///< in the order of the file's nodes
    int32_t material_count;                             ///< how many materials
    const sinew_material *materials;                    ///< in the file's order
    int32_t texture_count;                              ///< how many textures
    const sinew_texture *textures;                      ///< in the file's order
    int32_t image_count;                                ///< how many images
    const sinew_image *images;                          ///< in the file's order
    int32_t camera_count;                               ///< how many cameras
    int32_t camera_node_count;                          ///< how many nodes have a camera
    const sinew_camera *cameras;                        ///< in the file's order
    const sinew_camera_node *camera_nodes;              ///< in the order of the file's nodes
    int32_t light_count;                                ///< how many lights
    int32_t light_node_count;                           ///< how many nodes have a light
    const sinew_light *lights;                          ///< in the file's order
    const sinew_light_node *light_nodes;                ///< in the order of the file's nodes
    int32_t animated_property_count;                    ///< how many properties clips animate by curves
    const sinew_animated_property *animated_properties; ///< in the order in which animations mention them
    /// The bounds of the mesh nodes that are in_scene and visible. Never NULL from an importer; may have no boxes.
    const sinew_bounds *bounds;
    size_t memory; ///< total size in bytes
} sinew_asset;

/// Frees an asset and everything in it. NULL is a no-op. Mixers, poses, masks, and clips bound to its skeleton must
/// be destroyed before it. Only assets of an importer (sinew_gltf_load_file, sinew_gltf_load_memory) are valid. Any
/// thread.
SINEW_API void sinew_asset_destroy(sinew_asset *asset);

/// Returns the first clip of that name, or NULL. The clip belongs to the asset. Names are case-sensitive. Any thread.
SINEW_API const sinew_clip *sinew_asset_find_clip(const sinew_asset *asset, const char *name);

#ifdef __cplusplus
}
#endif
#endif
