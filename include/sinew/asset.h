// SPDX-License-Identifier: MIT
/// A loaded file as plain structs: skeleton, clips, skins, meshes, materials, images, cameras and lights.
///
/// An importer (gltf.h) creates the asset. sinew_asset_destroy frees it with all its arrays and strings. It's const
/// after loading, so any thread may read it. Strings are UTF-8 and never NULL; missing ones are "". An index of -1
/// means none. Don't read an array if its count is 0.
///
/// A *mesh* is a list of *primitives*, one per material. A *mesh node* is a node with a mesh. An *instance* is a
/// whole asset in a scene (scene/scene.h). Skinned vertices are in mesh space; a palette (skin.h) maps them to
/// model space. Other vertices use their node's model matrix (pose.h).
///
/// Lengths are metres. Axes are the file's unless the import converted them (`up`). Colours are linear, not sRGB.
#ifndef SINEW_ASSET_H
#define SINEW_ASSET_H

#include "bounds.h"
#include "clip.h"
#include "skin.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An encoded image: PNG or JPEG. It may also be WebP, AVIF, KTX 2 or DDS if a texture has only an extension's
/// image.
typedef struct sinew_image {
    const char *name;      ///< "" if the file has none
    const char *mime_type; ///< "image/png", "image/jpeg", "image/webp", ..., or "" if unknown
    const uint8_t *bytes;  ///< [size]; NULL if the image couldn't be read or its URI was refused
    size_t size;           ///< bytes; 0 if `bytes` is NULL
} sinew_image;

/// How a texture continues outside [0, 1].
typedef enum sinew_wrap {
    SINEW_WRAP_REPEAT, ///< the image repeats
    SINEW_WRAP_CLAMP,  ///< the edge continues
    SINEW_WRAP_MIRROR  ///< the image repeats, with every other copy mirrored
} sinew_wrap;

/// An image and its sampler.
typedef struct sinew_texture {
    int32_t image;             ///< index into images, or -1
    sinew_wrap wrap_u, wrap_v; ///< wrapping per direction
    bool nearest;              ///< magnify without filtering instead of linearly
} sinew_texture;

/// How alpha affects a surface.
typedef enum sinew_alpha_mode {
    SINEW_ALPHA_OPAQUE, ///< alpha is ignored
    SINEW_ALPHA_MASK,   ///< fragments below alpha_cutoff are discarded; others are opaque
    SINEW_ALPHA_BLEND   ///< blended over the background
} sinew_alpha_mode;

/// How a surface looks: the base colour only.
typedef struct sinew_material {
    const char *name;            ///< "" if the file has none
    float base_color[4];         ///< linear, multiplied by the texture and vertex colours
    int32_t base_color_texture;  ///< index into textures, or -1
    int32_t base_color_uv;       ///< n of the TEXCOORD_n that fills the primitives' `uvs`
    sinew_alpha_mode alpha_mode; ///< how alpha affects the surface
    float alpha_cutoff;          ///< for SINEW_ALPHA_MASK: discard fragments with less alpha
    bool double_sided;           ///< back faces are visible
    bool unlit;                  ///< drawn without lighting (KHR_materials_unlit)
} sinew_material;

/// A triangle list, counter-clockwise from the front. Vertex arrays are NULL or have vertex_count tightly packed
/// elements.
typedef struct sinew_primitive {
    int32_t vertex_count;   ///< 0 or more
    const float *positions; ///< 3 floats, metres; not NULL if vertex_count > 0
    const float *normals;   ///< 3 floats, unit if target_count is 0; or NULL
    const float *tangents;  ///< 4 floats: x, y, z and handedness, 1 or -1; or NULL
    const float *uvs;       ///< 2 floats for the material's base colour, (0, 0) at the top left; or NULL
    const float *colors;    ///< 4 floats, linear; or NULL
    int32_t influences;     ///< joints per vertex: 0 (not skinned), 4 or 8
    const uint16_t *joints; ///< `influences` valid indices into the skin's joints; or NULL
    /// `influences` weights that sum to 1; or NULL. Vertices without usable weights (all 0, or one not finite) get
    /// weight 1 for joint 0.
    const float *weights;
    int32_t index_count;     ///< a multiple of 3
    const uint32_t *indices; ///< [index_count], less than vertex_count
    int32_t material;        ///< index into materials, or -1: white, opaque
    int32_t target_count;    ///< number of morph targets, same as the mesh's
    /// [target_count], each 3 floats per vertex to add (sinew_morph); NULL for targets that don't move positions.
    const float *const *target_positions;
    const float *const *target_normals;  ///< the same for normals
    const float *const *target_tangents; ///< the same for x, y, z of tangents; handedness doesn't change
} sinew_primitive;

#ifndef SINEW_NO_SKINNING
/// Returns a job that skins a primitive with sinew_skin_vertices. Set `out_positions`, and `out_normals` and
/// `out_tangents` if you want them. With morph targets, replace the inputs with the output of sinew_morph. The job
/// points to the primitive's arrays. If `primitive` has no influences, set joints and weights yourself. Any thread.
SINEW_API sinew_skin_job sinew_primitive_skin_job(const sinew_primitive *primitive);
#endif

/// A mesh. Its primitives share their morph targets.
typedef struct sinew_mesh {
    const char *name;                  ///< "" if the file has none
    int32_t primitive_count;           ///< usually one per material
    const sinew_primitive *primitives; ///< in the file's order
    int32_t target_count;              ///< number of morph targets of each primitive
} sinew_mesh;

/// A mesh on a node. Draw it if it's in_scene and visible.
typedef struct sinew_mesh_node {
    int32_t node;  ///< node index; its morph weights deform the mesh
    int32_t mesh;  ///< index into meshes
    int32_t skin;  ///< index into skins, or -1: the mesh moves with its node
    bool in_scene; ///< in the file's default scene, or its first; always true without scenes
    bool visible;  ///< neither the node nor an ancestor is hidden (KHR_node_visibility)
} sinew_mesh_node;

// ---- Cameras and lights ----------------------------------------------------------------------------------------

/// A camera (glTF 2.0, section 3.10). Get its projection matrix from sinew_camera_projection (scene/camera.h).
typedef struct sinew_camera {
    const char *name;  ///< "" if the file has none
    bool orthographic; ///< orthographic instead of perspective
    float yfov;        ///< vertical field of view in radians, less than pi; 0 if orthographic
    float aspect;      ///< width / height; 0: use the viewport's, or orthographic
    float xmag, ymag;  ///< half the width and height of the view volume; 0 if perspective
    float znear, zfar; ///< distances to the clip planes; zfar may be INFINITY
} sinew_camera;

/// A camera on a node. Get its view matrix from sinew_camera_view.
typedef struct sinew_camera_node {
    int32_t node;   ///< node index
    int32_t camera; ///< index into cameras
    bool in_scene;  ///< in the file's default scene, or its first; always true without scenes
} sinew_camera_node;

/// A light's type (KHR_lights_punctual).
typedef enum sinew_light_kind {
    SINEW_LIGHT_DIRECTIONAL, ///< infinitely far away; shines along sinew_light_direction (scene/camera.h)
    SINEW_LIGHT_POINT,       ///< shines from the node in all directions
    SINEW_LIGHT_SPOT         ///< shines from the node in a cone around sinew_light_direction
} sinew_light_kind;

/// A light (KHR_lights_punctual).
typedef struct sinew_light {
    const char *name;      ///< "" if the file has none
    sinew_light_kind kind; ///< its type
    float color[3];        ///< linear
    float intensity;       ///< lux if directional, else candela
    float range;           ///< metres, or INFINITY; INFINITY if directional
    float inner_cone;      ///< spots: angle from the axis where the falloff starts, radians; else 0
    float outer_cone;      ///< spots: angle from the axis where the falloff ends, radians; else 0
} sinew_light;

/// A light on a node.
typedef struct sinew_light_node {
    int32_t node;  ///< node index
    int32_t light; ///< index into lights
    bool in_scene; ///< in the file's default scene, or its first; always true without scenes
    bool visible;  ///< neither the node nor an ancestor is hidden (KHR_node_visibility)
} sinew_light_node;

// ---- Animated properties ---------------------------------------------------------------------------------------

/// The kind of element that an animated property belongs to.
typedef enum sinew_property_target {
    SINEW_PROPERTY_MATERIAL, ///< `index` is into materials
    SINEW_PROPERTY_NODE,     ///< `index` is a node of the skeleton
    SINEW_PROPERTY_CAMERA,   ///< `index` is into cameras
    SINEW_PROPERTY_LIGHT,    ///< `index` is into lights
    SINEW_PROPERTY_OTHER     ///< anything else, such as extras; `index` is -1
} sinew_property_target;

/// A property that clips animate through curves (KHR_animation_pointer), one curve per component, starting at
/// `first_curve`. The curve's name is the pointer. With several components, the names end in ".0", ".1" and so on.
/// The rest value is the file's value or the specification's default.
typedef struct sinew_animated_property {
    const char *pointer;          ///< the JSON pointer, such as "/materials/0/pbrMetallicRoughness/baseColorFactor"
    const char *name;             ///< the pointer after its element: "pbrMetallicRoughness/baseColorFactor"
    sinew_property_target target; ///< the kind of element
    int32_t index;                ///< the element's index; see `target`
    int32_t first_curve;          ///< index of the first curve
    int32_t component_count;      ///< at least 1
    bool is_bool;                 ///< 1 or 0, and between them in a fade; test for >= 0.5
} sinew_animated_property;

// ---- The asset -------------------------------------------------------------------------------------------------

/// A loaded file. Don't destroy its clips, skins or skeleton: sinew_asset_destroy frees them.
typedef struct sinew_asset {
    const sinew_skeleton *skeleton; ///< every node of the file, or the loaded subset
    sinew_up up;                    ///< the axis that points up
    /// VRM avatar data, or NULL. Load it with sinew_vrm_extension. The structs are in humanoid/humanoid.h and
    /// humanoid/vrm.h.
    const struct sinew_humanoid *humanoid;
    const struct sinew_vrm *vrm;                        ///< see `humanoid`
    int32_t clip_count;                                 ///< number of clips
    const sinew_clip *clips;                            ///< in the file's order
    int32_t skin_count;                                 ///< number of skins
    const sinew_skin *skins;                            ///< in the file's order
    int32_t mesh_count;                                 ///< number of meshes
    const sinew_mesh *meshes;                           ///< in the file's order
    int32_t mesh_node_count;                            ///< number of nodes with a mesh
    const sinew_mesh_node *mesh_nodes;                  ///< in the order of the file's nodes
    int32_t material_count;                             ///< number of materials
    const sinew_material *materials;                    ///< in the file's order
    int32_t texture_count;                              ///< number of textures
    const sinew_texture *textures;                      ///< in the file's order
    int32_t image_count;                                ///< number of images
    const sinew_image *images;                          ///< in the file's order
    int32_t camera_count;                               ///< number of cameras
    int32_t camera_node_count;                          ///< number of nodes with a camera
    const sinew_camera *cameras;                        ///< in the file's order
    const sinew_camera_node *camera_nodes;              ///< in the order of the file's nodes
    int32_t light_count;                                ///< number of lights
    int32_t light_node_count;                           ///< number of nodes with a light
    const sinew_light *lights;                          ///< in the file's order
    const sinew_light_node *light_nodes;                ///< in the order of the file's nodes
    int32_t animated_property_count;                    ///< number of animated properties
    const sinew_animated_property *animated_properties; ///< in the order that animations mention them
    /// Bounds of the mesh nodes that are in_scene and visible. Never NULL from an importer, but may have no boxes.
    const sinew_bounds *bounds;
    size_t memory; ///< total bytes
} sinew_asset;

/// Frees an asset and everything in it. NULL is allowed. Destroy mixers, poses, masks and bound clips of its
/// skeleton first. `asset` must come from an importer, such as sinew_gltf_load_file. Any thread.
SINEW_API void sinew_asset_destroy(sinew_asset *asset);

/// Returns the first clip with a name, or NULL. Case-sensitive. The clip belongs to the asset. Any thread.
SINEW_API const sinew_clip *sinew_asset_find_clip(const sinew_asset *asset, const char *name);

#ifdef __cplusplus
}
#endif
#endif
