/// What a file holds, as plain structs to read: skeleton, clips, skins, meshes, materials, images.
///
/// An importer makes an asset; sinew_asset_destroy frees it and everything in it. It is const after loading and may
/// be read from any thread. Strings are UTF-8 and never NULL; "" stands where the file had none. An index of -1
/// means none.
#ifndef SINEW_ASSET_H
#define SINEW_ASSET_H

#include "clip.h"
#include "skin.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An image as it stands in the file, still encoded (PNG, JPEG, ...).
typedef struct sinew_image {
    const char *name;
    const char *mime_type; ///< "image/png", "image/jpeg", or ""
    const uint8_t *bytes;  ///< NULL when the image stands outside the file and could not be read
    size_t size;
} sinew_image;

typedef enum sinew_wrap { SINEW_WRAP_REPEAT, SINEW_WRAP_CLAMP, SINEW_WRAP_MIRROR } sinew_wrap;

typedef struct sinew_texture {
    int32_t image; ///< index into images, or -1
    sinew_wrap wrap_u, wrap_v;
    bool nearest; ///< magnified without filtering
} sinew_texture;

typedef enum sinew_alpha_mode { SINEW_ALPHA_OPAQUE, SINEW_ALPHA_MASK, SINEW_ALPHA_BLEND } sinew_alpha_mode;

typedef struct sinew_material {
    const char *name;
    float base_color[4];        ///< linear light, multiplied with the texture and the vertex colours
    int32_t base_color_texture; ///< index into textures, or -1
    int32_t base_color_uv;      ///< which set of texture coordinates it uses; 0 is the set in `uvs`
    sinew_alpha_mode alpha_mode;
    float alpha_cutoff;
    bool double_sided;
    bool unlit;
} sinew_material;

/// Triangles. Every vertex array that is not NULL has vertex_count elements, tightly packed.
typedef struct sinew_primitive {
    int32_t vertex_count;
    const float *positions; ///< 3 floats; never NULL when vertex_count > 0
    const float *normals;   ///< 3 floats, unit; or NULL
    const float *tangents;  ///< 4 floats; or NULL
    const float *uvs;       ///< 2 floats, the set that the material's base colour uses; or NULL
    const float *colors;    ///< 4 floats, linear light; or NULL
    int32_t influences;     ///< joints a vertex: 0 (not skinned), 4 or 8
    const uint16_t *joints; ///< `influences` indices into the skin's joints; or NULL
    const float *weights;   ///< `influences` weights, normalised to sum to 1; or NULL
    int32_t index_count;    ///< a multiple of 3
    const uint32_t *indices;
    int32_t material;     ///< index into materials, or -1: white, opaque
    int32_t target_count; ///< morph targets, as many as the mesh has
    const float *const *target_positions; ///< [target_count] × 3 floats a vertex to add; entries may be NULL
    const float *const *target_normals;   ///< the same for normals
} sinew_primitive;

typedef struct sinew_mesh {
    const char *name;
    int32_t primitive_count;
    const sinew_primitive *primitives; ///< in the file's order
    int32_t target_count;
} sinew_mesh;

/// A mesh on a node.
typedef struct sinew_mesh_instance {
    int32_t node; ///< index in the skeleton; also whose morph weights are used
    int32_t mesh;
    int32_t skin; ///< or -1: the mesh moves with its node
    bool in_scene; ///< the node belongs to the file's default scene
} sinew_mesh_instance;

typedef struct sinew_asset {
    const sinew_skeleton *skeleton; ///< every node of the file
    int32_t clip_count;
    const sinew_clip *clips; ///< in the file's order
    int32_t skin_count;
    const sinew_skin *skins;
    int32_t mesh_count;
    const sinew_mesh *meshes;
    int32_t instance_count;
    const sinew_mesh_instance *instances;
    int32_t material_count;
    const sinew_material *materials;
    int32_t texture_count;
    const sinew_texture *textures;
    int32_t image_count;
    const sinew_image *images;
    size_t memory; ///< bytes that the asset takes in all
} sinew_asset;

/// Frees the asset and all that it holds. NULL is allowed. No mixer may still use it.
SINEW_API void sinew_asset_destroy(sinew_asset *asset);

/// The first clip of that name, or NULL. Any thread.
SINEW_API const sinew_clip *sinew_asset_find_clip(const sinew_asset *asset, const char *name);

#ifdef __cplusplus
}
#endif
#endif
