// SPDX-License-Identifier: MIT
/// Picking: what does a ray hit first?
///
/// All functions are safe to call from any thread, each with its own scratch memory. They don't allocate and
/// can't fail. Arguments aren't checked. Lengths are metres. Builds with SINEW_NO_SKINNING don't have
/// sinew_asset_pick, because it skins.
#ifndef SINEW_PICK_H
#define SINEW_PICK_H

#include "../asset.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A ray. Distances along it are multiples of the direction's length, so they are metres if it is unit.
typedef struct sinew_ray {
    sinew_vec3 origin;    ///< the start, metres
    sinew_vec3 direction; ///< any length except 0; components may be 0
} sinew_ray;

/// Returns true if a ray hits a box in the same space. On a hit, `distance`, which may be NULL, is where the ray
/// enters the box; 0 if it starts inside. A ray along a face hits. The test is conservative: rounding or a NaN
/// never causes a miss. Empty boxes are never hit.
SINEW_API bool sinew_ray_box(sinew_ray ray, sinew_box box, float *distance);

/// Where a ray hits a triangle.
typedef struct sinew_triangle_hit {
    float distance;        ///< along the ray, 0 or more
    int32_t triangle;      ///< its corners are indices[3 × triangle] and the next two
    float barycentrics[3]; ///< corner weights at the hit; they sum to 1
} sinew_triangle_hit;

/// Finds the first triangle that a ray hits, from either side. At equal distances the first in the list wins.
/// `positions` are tightly packed x, y, z in the ray's space. `indices` are index_count valid indices, three per
/// triangle. Hits at max_distance or beyond are ignored; pass INFINITY for no limit. `hit` must not be NULL; it
/// is written only if the result is true.
///
/// The test is watertight: a ray through an edge or corner that triangles share hits one of them. Triangles
/// without area are ignored. So are triangles with a corner that isn't finite or is extremely far away (about
/// 1e18).
SINEW_API bool sinew_pick_triangles(sinew_ray ray, const float *positions, const uint32_t *indices,
                                    int32_t index_count, float max_distance, sinew_triangle_hit *hit);

/// Where a ray hits a posed asset, in the space of the model matrices.
typedef struct sinew_asset_hit {
    int32_t mesh_node;     ///< index into the asset's mesh_nodes
    int32_t primitive;     ///< index into the primitives of the node's mesh
    int32_t triangle;      ///< index of the triangle in the primitive
    float barycentrics[3]; ///< corner weights at the hit
    /// The node of the joint with the largest skin weight at the hit; without a skin, the mesh's node.
    int32_t node;
    float distance;      ///< along the ray, 0 or more
    sinew_vec3 position; ///< of the hit, metres
    sinew_vec3 normal;   ///< unit normal of the flat triangle, on the ray's side
} sinew_asset_hit;

#ifndef SINEW_NO_SKINNING
/// Returns the bytes of scratch memory that sinew_asset_pick needs for an asset (asset.h). The size never
/// changes.
SINEW_API size_t sinew_asset_pick_size(const sinew_asset *asset);

/// Finds a ray's first hit on a posed asset, among mesh nodes that are in_scene and visible. `model` has
/// [node_count] matrices. `weights` has [weight_count] numbers or is NULL. Both are a pose's, like in
/// sinew_bounds_pose, and the ray is in their space. For a world-space ray, transform origin and direction by the
/// inverse of the character's world matrix; distances stay the same. Only meshes whose bounds are hit are
/// skinned.
///
/// `scratch` must have sinew_asset_pick_size(asset) bytes and pointer alignment. Its contents don't matter before
/// and are undefined after. `hit` must not be NULL; it is written only if the result is true. Uses up to 36 KB of
/// stack.
SINEW_API bool sinew_asset_pick(const sinew_asset *asset, const sinew_affine *model, const float *weights,
                                sinew_ray ray, void *scratch, sinew_asset_hit *hit);
#endif

#ifdef __cplusplus
}
#endif
#endif
