// SPDX-License-Identifier: MIT
/// Picking: what a ray hits first. All functions may be called from any thread, as long as each has scratch memory of
/// its own. None allocates or fails. Arguments are not checked. Lengths are metres.
///
/// A library that is built with SINEW_NO_SKINNING has no sinew_asset_pick, which skins.
#ifndef SINEW_PICK_H
#define SINEW_PICK_H

#include "../asset.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A ray: a start and a direction. Distances along it are multiples of the direction's length, so they are metres if
/// it is unit.
typedef struct sinew_ray {
    sinew_vec3 origin;    ///< the start, metres
    sinew_vec3 direction; ///< of any length but 0; components may be 0
} sinew_ray;

/// Returns whether a ray hits a box in the same space. `distance`, which may be NULL, is that of the first position
/// inside the box: 0 if the ray starts inside. It is written only if the ray hits. A ray along a face hits. The test
/// is conservative: rounding never makes a ray miss a box, and neither does a NaN. Empty boxes are never hit.
SINEW_API bool sinew_ray_box(sinew_ray ray, sinew_box box, float *distance);

/// Where a ray hits a triangle.
typedef struct sinew_triangle_hit {
    float distance;        ///< along the ray, 0 or more
    int32_t triangle;      ///< its corners are indices[3 × triangle], [3 × triangle + 1] and [3 × triangle + 2]
    float barycentrics[3]; ///< the corners' weights at the hit position; they sum to 1
} sinew_triangle_hit;

/// Finds the first triangle that a ray hits, from either side; among equal distances, the first in the list.
/// `positions` are tightly packed x, y, z in the ray's space. `indices` are three per triangle, index_count in all,
/// and must be valid. Hits at a distance of max_distance or more are ignored; pass INFINITY for no limit. `hit` must
/// not be NULL, and is written only if the result is true.
///
/// The test is watertight: a ray through an edge or a corner that triangles share hits one of them. Triangles
/// without area are ignored, and so are those with a corner that is not finite or that is too far away for an area
/// to be finite (about 1e18).
SINEW_API bool sinew_pick_triangles(sinew_ray ray, const float *positions, const uint32_t *indices,
                                    int32_t index_count, float max_distance, sinew_triangle_hit *hit);

/// Where a ray hits an asset in a pose, in the space of the model matrices.
typedef struct sinew_asset_hit {
    int32_t mesh_node;     ///< index into the asset's mesh_nodes
    int32_t primitive;     ///< index into the primitives of the node's mesh
    int32_t triangle;      ///< index of the triangle in the primitive
    float barycentrics[3]; ///< the corners' weights at the hit position
    /// The node of the joint with the largest skin weight at the hit position; for a mesh without a skin the mesh's
    /// node.
    int32_t node;
    float distance;      ///< along the ray, 0 or more
    sinew_vec3 position; ///< of the hit, metres
    sinew_vec3 normal;   ///< of the flat triangle, unit, on the side from which the ray came
} sinew_asset_hit;

#ifndef SINEW_NO_SKINNING
/// Returns the size in bytes of the scratch memory that sinew_asset_pick needs for an asset (asset.h). It does not
/// change.
SINEW_API size_t sinew_asset_pick_size(const sinew_asset *asset);

/// Finds what a ray hits first of an asset in a pose, among the mesh nodes that are in_scene and visible. `model`,
/// [node_count], and `weights`, [weight_count] or NULL, are those of a pose, as for sinew_bounds_pose; the ray is in
/// their space. For a ray in the world, transform its origin and direction by the inverse of the character's world
/// matrix: distances stay the same. Only meshes whose bounds the ray hits are skinned.
///
/// `scratch` is sinew_asset_pick_size(asset) bytes of the caller's, aligned like a pointer; its contents are
/// irrelevant before the call and undefined after it. `hit` must not be NULL, and is written only if the result is
/// true. Uses up to 36 KB of stack.
SINEW_API bool sinew_asset_pick(const sinew_asset *asset, const sinew_affine *model, const float *weights,
                                sinew_ray ray, void *scratch, sinew_asset_hit *hit);
#endif

#ifdef __cplusplus
}
#endif
#endif
