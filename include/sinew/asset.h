// SPDX-License-Identifier: MIT
/// A loaded file as plain structs: the skeleton, clips, skins, meshes, materials, images, cameras and lights.
///
/// Importers create assets (see gltf.h). sinew_asset_destroy frees an asset, including its arrays and strings.
/// Assets are const after loading, so any thread can read them. Strings are UTF-8 and never NULL; missing strings
/// are "". An index of -1 means none. Don't read an array if its count is 0.
///
/// A *mesh* is a list of *primitives*, usually one per material. A *mesh node* is a node with a mesh. An *instance*
/// is a whole asset in a scene (scene/scene.h). Skinned vertices are in mesh space, and a palette (skin.h) maps
/// them to model space. Other vertices use their node's model matrix (pose.h).
///
/// Lengths are in meters. Axes match the file unless the import converted them (see `up`). Colors are linear, not
/// sRGB.
#ifndef SINEW_ASSET_H
#define SINEW_ASSET_H

#include "bounds.h"
#include "clip.h"
#include "skin.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An encoded image, usually PNG or JPEG. It can also be WebP, AVIF, KTX 2 or DDS if a texture has nothing else.
typedef struct sinew_image {
    const char *name;      ///< "" if the file has none
    const char *mime_type; ///< "image/png", "image/jpeg", "image/webp", ..., or "" if unknown
    const uint8_t *bytes;  ///< [size]; NULL if the image couldn't be read or its URI was refused
    size_t size;           ///< in bytes; 0 if `bytes` is NULL
} sinew_image;

/// How to sample a texture outside [0, 1].
typedef enum sinew_wrap {
    SINEW_WRAP_REPEAT, ///< the image repeats
    SINEW_WRAP_CLAMP,  ///< the edge pixels extend outward
    SINEW_WRAP_MIRROR  ///< the image repeats, and every other copy is mirrored
} sinew_wrap;

/// An image and how to sample it.
typedef struct sinew_texture {
    int32_t image;             ///< index into images, or -1
    sinew_wrap wrap_u, wrap_v; ///< wrapping in each direction
    bool nearest;              ///< use nearest instead of linear filtering for magnification
} sinew_texture;

/// How alpha affects a surface.
typedef enum sinew_alpha_mode {
    SINEW_ALPHA_OPAQUE, ///< alpha is ignored
    SINEW_ALPHA_MASK,   ///< fragments below alpha_cutoff are discarded; others are opaque
    SINEW_ALPHA_BLEND   ///< blended over the background
} sinew_alpha_mode;

/// How a surface looks. Only the base color is included.
typedef struct sinew_material {
    const char *name;            ///< "" if the file has none
    float base_color[4];         ///< linear RGBA, multiplied by the texture and vertex colors
    int32_t base_color_texture;  ///< index into textures, or -1
    int32_t base_color_uv;       ///< which TEXCOORD_n the primitives' `uvs` were loaded from
    sinew_alpha_mode alpha_mode; ///< how alpha affects the surface
    float alpha_cutoff;          ///< for SINEW_ALPHA_MASK: fragments with less alpha are discarded
    bool double_sided;           ///< back faces are visible
    bool unlit;                  ///< drawn without lighting (KHR_materials_unlit)
} sinew_material;

/// A list of triangles. Front faces are counter-clockwise. Vertex arrays are either NULL or have vertex_count
/// tightly packed elements.
typedef struct sinew_primitive {
    int32_t vertex_count;   ///< 0 or more
    const float *positions; ///< 3 floats in meters; not NULL if vertex_count > 0
    const float *normals;   ///< 3 floats, normalized if target_count is 0; or NULL
    const float *tangents;  ///< 4 floats: x, y, z and a handedness of 1 or -1; or NULL
    const float *uvs;       ///< 2 floats for the base color texture, with (0, 0) at the top left; or NULL
    const float *colors;    ///< 4 floats, linear; or NULL
    int32_t influences;     ///< joints per vertex: 0 (not skinned), 4 or 8
    const uint16_t *joints; ///< `influences` valid indices into the skin's joints; or NULL
    /// `influences` weights that sum to 1; or NULL. If a vertex has no usable weights (all are 0, or one isn't
    /// finite), joint 0 gets a weight of 1.
    const float *weights;
    int32_t index_count;     ///< a multiple of 3
    const uint32_t *indices; ///< [index_count], each less than vertex_count
    int32_t material;        ///< index into materials, or -1 for opaque white
    int32_t target_count;    ///< number of morph targets; same as the mesh's
    /// [target_count] arrays with 3 floats per vertex, which sinew_morph adds to the positions. An entry is NULL if
    /// the target doesn't move positions.
    const float *const *target_positions;
    const float *const *target_normals;  ///< same, for normals
    const float *const *target_tangents; ///< same, for the tangents' x, y and z; handedness doesn't change
} sinew_primitive;

#ifndef SINEW_NO_SKINNING
/// Returns a job that skins a primitive with sinew_skin_vertices. Before you use it, set `out_positions`, plus
/// `out_normals` and `out_tangents` if you need them. If the primitive has morph targets, use sinew_morph's output
/// as the inputs instead. The job points into the primitive's arrays. If the primitive has no influences, set the
/// joints and weights yourself. Any thread.
SINEW_API sinew_skin_job sinew_primitive_skin_job(const sinew_primitive *primitive);
#endif

/// A mesh. All of its primitives have the same morph targets.
typedef struct sinew_mesh {
    const char *name;                  ///< "" if the file has none
    int32_t primitive_count;           ///< usually one per material
    const sinew_primitive *primitives; ///< in file order
    int32_t target_count;              ///< number of morph targets in each primitive
} sinew_mesh;

/// A node with a mesh. Draw it if it's in_scene and visible.
typedef struct sinew_mesh_node {
    int32_t node; ///< node index; the node's morph weights deform the mesh
    int32_t mesh; ///< index into meshes
    int32_t skin; ///< index into skins, or -1 if the mesh moves with its node
    /// Whether the node is in the file's default scene, or in its first scene if the file doesn't set a default.
    /// Always true if there are no scenes.
    bool in_scene;
    bool visible; ///< true unless the node or an ancestor is hidden (KHR_node_visibility)
} sinew_mesh_node;

// ---- Cameras and lights ----------------------------------------------------------------------------------------

/// A camera (glTF 2.0, section 3.10). Call sinew_camera_projection to get its projection matrix (scene/camera.h).
typedef struct sinew_camera {
    const char *name;  ///< "" if the file has none
    bool orthographic; ///< orthographic instead of perspective
    float yfov;        ///< vertical field of view in radians, less than pi; 0 if orthographic
    float aspect;      ///< width / height; if this is 0, use the viewport's; always 0 if orthographic
    float xmag, ymag;  ///< half the width and height of the view volume; 0 if perspective
    float znear, zfar; ///< distances to the clip planes; zfar may be INFINITY
} sinew_camera;

/// A node with a camera. Call sinew_camera_view to get its view matrix.
typedef struct sinew_camera_node {
    int32_t node;   ///< node index
    int32_t camera; ///< index into cameras
    bool in_scene;  ///< same as in sinew_mesh_node
} sinew_camera_node;

/// The type of a light (KHR_lights_punctual).
typedef enum sinew_light_kind {
    SINEW_LIGHT_DIRECTIONAL, ///< infinitely far away, shines along sinew_light_direction (scene/camera.h)
    SINEW_LIGHT_POINT,       ///< shines in all directions from the node
    SINEW_LIGHT_SPOT         ///< shines from the node in a cone around sinew_light_direction
} sinew_light_kind;

/// A light (KHR_lights_punctual).
typedef struct sinew_light {
    const char *name;      ///< "" if the file has none
    sinew_light_kind kind; ///< type of light
    float color[3];        ///< linear
    float intensity;       ///< in lux if directional, otherwise in candela
    float range;           ///< in meters, or INFINITY; always INFINITY if directional
    float inner_cone;      ///< for spots: angle from the axis where the falloff starts, in radians; otherwise 0
    float outer_cone;      ///< for spots: angle from the axis where the falloff ends, in radians; otherwise 0
} sinew_light;

/// A node with a light.
typedef struct sinew_light_node {
    int32_t node;  ///< node index
    int32_t light; ///< index into lights
    bool in_scene; ///< same as in sinew_mesh_node
    bool visible;  ///< true unless the node or an ancestor is hidden (KHR_node_visibility)
} sinew_light_node;

// ---- Animated properties ---------------------------------------------------------------------------------------

/// What kind of element an animated property belongs to.
typedef enum sinew_property_target {
    SINEW_PROPERTY_MATERIAL, ///< `index` is into materials
    SINEW_PROPERTY_NODE,     ///< `index` is a node index
    SINEW_PROPERTY_CAMERA,   ///< `index` is into cameras
    SINEW_PROPERTY_LIGHT,    ///< `index` is into lights
    SINEW_PROPERTY_OTHER     ///< anything else, such as extras; `index` is -1
} sinew_property_target;

/// A property that clips animate with curves (KHR_animation_pointer). There's one curve per component, starting at
/// `first_curve`. Curves are named after the pointer, with ".0", ".1" and so on appended if there's more than one
/// component. Rest values come from the file, or from the specification's defaults.
typedef struct sinew_animated_property {
    const char *pointer;          ///< the JSON pointer, such as "/materials/0/pbrMetallicRoughness/baseColorFactor"
    const char *name;             ///< the part after the element, such as "pbrMetallicRoughness/baseColorFactor"
    sinew_property_target target; ///< the kind of element
    int32_t index;                ///< the element's index; see `target`
    int32_t first_curve;          ///< index of the first curve
    int32_t component_count;      ///< at least 1
    bool is_bool;                 ///< the value is 0 or 1, or in between during a fade; test for >= 0.5
} sinew_animated_property;

// ---- The asset -------------------------------------------------------------------------------------------------

/// A loaded file. Don't destroy its clips, skins or skeleton yourself. sinew_asset_destroy frees them.
typedef struct sinew_asset {
    const sinew_skeleton *skeleton; ///< all nodes in the file, or the subset that you loaded
    sinew_up up;                    ///< the axis that points up
    /// VRM avatar data, or NULL. Use sinew_vrm_extension to load it. The structs are defined in humanoid/humanoid.h
    /// and humanoid/vrm.h.
    const struct sinew_humanoid *humanoid;
    const struct sinew_vrm *vrm;                        ///< see `humanoid`
    int32_t clip_count;                                 ///< number of clips
    const sinew_clip *clips;                            ///< in file order
    int32_t skin_count;                                 ///< number of skins
    const sinew_skin *skins;                            ///< in file order
    int32_t mesh_count;                                 ///< number of meshes
    const sinew_mesh *meshes;                           ///< in file order
    int32_t mesh_node_count;                            ///< number of nodes with a mesh
    const sinew_mesh_node *mesh_nodes;                  ///< in the file's node order
    int32_t material_count;                             ///< number of materials
    const sinew_material *materials;                    ///< in file order
    int32_t texture_count;                              ///< number of textures
    const sinew_texture *textures;                      ///< in file order
    int32_t image_count;                                ///< number of images
    const sinew_image *images;                          ///< in file order
    int32_t camera_count;                               ///< number of cameras
    int32_t camera_node_count;                          ///< number of nodes with a camera
    const sinew_camera *cameras;                        ///< in file order
    const sinew_camera_node *camera_nodes;              ///< in the file's node order
    int32_t light_count;                                ///< number of lights
    int32_t light_node_count;                           ///< number of nodes with a light
    const sinew_light *lights;                          ///< in file order
    const sinew_light_node *light_nodes;                ///< in the file's node order
    int32_t animated_property_count;                    ///< number of animated properties
    const sinew_animated_property *animated_properties; ///< in the order animations use them
    /// Bounds of all mesh nodes that are in_scene and visible. Importers always set this, but there may be no
    /// boxes.
    const sinew_bounds *bounds;
    size_t memory; ///< total size in bytes
} sinew_asset;

/// Frees an asset and everything in it. NULL is allowed. First destroy all mixers, poses, masks and bound clips
/// that use its skeleton. The asset must come from an importer, such as sinew_gltf_load_file. Any thread.
SINEW_API void sinew_asset_destroy(sinew_asset *asset);

/// Returns the first clip called `name`, or NULL if there isn't one. Names are case-sensitive. The asset owns the
/// clip. Any thread.
SINEW_API const sinew_clip *sinew_asset_find_clip(const sinew_asset *asset, const char *name);

#ifdef __cplusplus
}
#endif
#endif
