/// What a file holds, as plain structs to read: skeleton, clips, skins, meshes, materials, images, cameras, lights.
///
/// An importer makes an asset; sinew_asset_destroy frees it and everything in it. It is const after loading and may
/// be read from any thread. Strings are UTF-8 and never NULL; "" stands where the file had none. An index of -1
/// means none. Lengths are metres, vectors are columns, axes are the file's own unless it was turned on the way in
/// (see `up`). Every array belongs to the asset.
#ifndef SINEW_ASSET_H
#define SINEW_ASSET_H

#include "bounds.h"
#include "clip.h"
#include "skin.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An image as it stands in the file, still encoded: PNG or JPEG, or WebP, AVIF, KTX 2 or DDS where a texture has it by
/// an extension and no plain image. An image that could not be loaded is missing: `bytes` is NULL.
typedef struct sinew_image {
    const char *name;      ///< "" where the file had none
    const char *mime_type; ///< "image/png", "image/jpeg", "image/webp", ..., or "" where it is not known
    const uint8_t *bytes;  ///< [size]; NULL when the image is missing: its URI is refused or could not be read
    size_t size;           ///< in bytes; 0 where bytes is NULL
} sinew_image;

/// What a texture shows outside [0, 1].
typedef enum sinew_wrap {
    SINEW_WRAP_REPEAT, ///< the image again
    SINEW_WRAP_CLAMP,  ///< its edge
    SINEW_WRAP_MIRROR  ///< the image mirrored, then as it is, and so on
} sinew_wrap;

/// An image and how it is read.
typedef struct sinew_texture {
    int32_t image;             ///< index into images, or -1
    sinew_wrap wrap_u, wrap_v; ///< what it shows outside [0, 1] in that direction
    bool nearest;              ///< magnified without filtering
} sinew_texture;

/// What alpha does to a surface.
typedef enum sinew_alpha_mode {
    SINEW_ALPHA_OPAQUE, ///< nothing
    SINEW_ALPHA_MASK,   ///< below the cutoff it is not drawn, else it is opaque
    SINEW_ALPHA_BLEND   ///< it shows what is behind
} sinew_alpha_mode;

/// What a surface looks like, as far as its base colour goes.
typedef struct sinew_material {
    const char *name;            ///< "" where the file had none
    float base_color[4];         ///< linear light, multiplied with the texture and the vertex colours
    int32_t base_color_texture;  ///< index into textures, or -1
    int32_t base_color_uv;       ///< which set of texture coordinates it uses; 0 is the set in `uvs`
    sinew_alpha_mode alpha_mode; ///< what alpha does
    float alpha_cutoff;          ///< for SINEW_ALPHA_MASK
    bool double_sided;           ///< its back is to be seen too
    bool unlit;                  ///< shown without light (KHR_materials_unlit)
} sinew_material;

/// Triangles. Every vertex array that is not NULL has vertex_count elements, tightly packed.
typedef struct sinew_primitive {
    int32_t vertex_count;                 ///< 0 or more
    const float *positions;               ///< 3 floats, metres; never NULL when vertex_count > 0
    const float *normals;                 ///< 3 floats, unit where there are no targets; or NULL
    const float *tangents;                ///< 4 floats; or NULL
    const float *uvs;                     ///< 2 floats, the set that the material's base colour uses; or NULL
    const float *colors;                  ///< 4 floats, linear light; or NULL
    int32_t influences;                   ///< joints a vertex: 0 (not skinned), 4 or 8
    const uint16_t *joints;               ///< `influences` indices into the skin's joints; or NULL
    const float *weights;                 ///< `influences` weights, normalised to sum to 1; or NULL. A weightless
                                          ///< vertex (no weights, or one that is not finite) has 1 for joint 0
    int32_t index_count;                  ///< a multiple of 3
    const uint32_t *indices;              ///< [index_count], three for each triangle, each less than vertex_count
    int32_t material;                     ///< index into materials, or -1: white, opaque
    int32_t target_count;                 ///< morph targets, as many as the mesh has
    const float *const *target_positions; ///< [target_count] × 3 floats a vertex to add; entries may be NULL
    const float *const *target_normals;   ///< the same for normals
    const float *const *target_tangents;  ///< the same for x, y, z of tangents, whose handedness stays
} sinew_primitive;

/// Primitives that belong together.
typedef struct sinew_mesh {
    const char *name;                  ///< "" where the file had none
    int32_t primitive_count;           ///< one for each material, usually
    const sinew_primitive *primitives; ///< in the file's order
    int32_t target_count;              ///< morph targets of each primitive
} sinew_mesh;

/// A mesh on a node. It is to be drawn where it is in_scene and visible.
typedef struct sinew_mesh_instance {
    int32_t node;  ///< index in the skeleton; also whose morph weights are used
    int32_t mesh;  ///< index into meshes
    int32_t skin;  ///< index into skins, or -1: the mesh moves with its node
    bool in_scene; ///< the node belongs to the file's default scene
    bool visible;  ///< neither the node nor one above it is hidden (KHR_node_visibility)
} sinew_mesh_instance;

// ---- Cameras and lights ----------------------------------------------------------------------------------------

/// A camera (glTF 2.0, section 3.10). sinew_camera_projection makes its matrix.
typedef struct sinew_camera {
    const char *name;  ///< "" where the file had none
    bool orthographic; ///< what is far is no smaller
    float yfov;        ///< radians from bottom to top, less than pi; 0 where orthographic
    float aspect;      ///< width / height of its picture; 0: the viewport's, and where orthographic
    float xmag, ymag;  ///< half of what it sees from side to side and from bottom to top; 0 where not orthographic
    float znear, zfar; ///< it sees what is from znear to zfar before it; zfar may be INFINITY
} sinew_camera;

/// A camera on a node. sinew_camera_view makes its matrix.
typedef struct sinew_camera_instance {
    int32_t node;   ///< index in the skeleton
    int32_t camera; ///< index into cameras
    bool in_scene;  ///< the node belongs to the file's default scene
} sinew_camera_instance;

/// What a light is like (KHR_lights_punctual).
typedef enum sinew_light_kind {
    SINEW_LIGHT_DIRECTIONAL, ///< infinitely far: everywhere the same, along sinew_light_direction
    SINEW_LIGHT_POINT,       ///< from its node's place, in all directions
    SINEW_LIGHT_SPOT         ///< from its node's place, in a cone around sinew_light_direction
} sinew_light_kind;

/// A light (KHR_lights_punctual).
typedef struct sinew_light {
    const char *name;      ///< "" where the file had none
    sinew_light_kind kind; ///< what it is like
    float color[3];        ///< linear light
    float intensity;       ///< lux where directional, else candela
    float range;           ///< metres that it reaches, or INFINITY; INFINITY where directional
    float inner_cone;      ///< radians from a spot's direction, up to which it is at its full; else 0
    float outer_cone;      ///< radians from a spot's direction, from which it is dark; else 0
} sinew_light;

/// A light on a node.
typedef struct sinew_light_instance {
    int32_t node;  ///< index in the skeleton
    int32_t light; ///< index into lights
    bool in_scene; ///< the node belongs to the file's default scene
    bool visible;  ///< as that of sinew_mesh_instance
} sinew_light_instance;

// ---- The asset -------------------------------------------------------------------------------------------------

/// Everything of a file. Its clips, skins and skeleton go with it: they are not destroyed one by one.
typedef struct sinew_asset {
    const sinew_skeleton *skeleton;                ///< every node of the file, or those that were asked for
    sinew_up up;                                   ///< which axis points up in all of it
    int32_t clip_count;                            ///< how many clips
    const sinew_clip *clips;                       ///< in the file's order
    int32_t skin_count;                            ///< how many skins
    const sinew_skin *skins;                       ///< in the file's order
    int32_t mesh_count;                            ///< how many meshes
    const sinew_mesh *meshes;                      ///< in the file's order
    int32_t instance_count;                        ///< how many nodes carry a mesh
    const sinew_mesh_instance *instances;          ///< what is to be drawn, in the order of the file's nodes
    int32_t material_count;                        ///< how many materials
    const sinew_material *materials;               ///< in the file's order
    int32_t texture_count;                         ///< how many textures
    const sinew_texture *textures;                 ///< in the file's order
    int32_t image_count;                           ///< how many images
    const sinew_image *images;                     ///< in the file's order
    int32_t camera_count;                          ///< how many cameras
    int32_t camera_instance_count;                 ///< how many nodes carry a camera
    const sinew_camera *cameras;                   ///< in the file's order
    const sinew_camera_instance *camera_instances; ///< in the order of the file's nodes
    int32_t light_count;                           ///< how many lights
    int32_t light_instance_count;                  ///< how many nodes carry a light
    const sinew_light *lights;                     ///< in the file's order
    const sinew_light_instance *light_instances;   ///< in the order of the file's nodes
    const sinew_bounds *bounds;                    ///< of what is in_scene and visible; may have no boxes
    size_t memory;                                 ///< bytes that the asset takes in all
} sinew_asset;

/// Frees the asset and all that it holds. NULL is allowed. No mixer, pose, or clip bound to its skeleton may use it
/// any more. Any thread; an asset that you have filled yourself is not one that it can free.
SINEW_API void sinew_asset_destroy(sinew_asset *asset);

/// The first clip of that name, or NULL. It belongs to the asset. Upper and lower case count. Any thread.
SINEW_API const sinew_clip *sinew_asset_find_clip(const sinew_asset *asset, const char *name);

/// The view matrix of a camera on a node: from the space of `node`, its node's model matrix, into the camera's own,
/// where +X is to the right, +Y up, and the camera looks along -Z, whichever axis is up in the asset (`up` is the
/// asset's). The node's scale takes no part (glTF 2.0, section 3.10). For a camera that hangs in a scene of yours,
/// `node` is your matrix times the model matrix. An axis that is scaled to nothing gives numbers that are not finite.
/// Any thread.
SINEW_API sinew_affine sinew_camera_view(sinew_up up, sinew_affine node);

/// The projection of a camera (glTF 2.0, section 3.10.3), for clip space as OpenGL has it: z from -w to w. Where yours
/// is from 0 to w, replace the third row by half the sum of the third and the fourth. `aspect` is the viewport's
/// width / height, more than 0 (asserted). Nothing is stretched: in a viewport of another shape than the camera's own
/// picture, all of that is seen, and more at two sides. Any thread.
SINEW_API sinew_mat4 sinew_camera_projection(const sinew_camera *camera, float aspect);

/// Where a directional light or a spot on a node shines to: a unit vector in the space of `node`, its node's model
/// matrix. `up` is the asset's. An axis that is scaled to nothing gives numbers that are not finite. Any thread.
SINEW_API sinew_vec3 sinew_light_direction(sinew_up up, sinew_affine node);

#ifdef __cplusplus
}
#endif
#endif
