// SPDX-License-Identifier: MIT
/// Picking. Finds the first thing that a ray hits.
///
/// All functions are thread-safe if each thread uses its own scratch memory. They don't allocate and they can't
/// fail. Arguments aren't checked. Lengths are in meters. sinew_asset_pick isn't available in builds with
/// SINEW_NO_SKINNING, because it needs skinning.
#ifndef SINEW_PICK_H
#define SINEW_PICK_H

#include "../asset.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A ray. Distances along the ray are in multiples of the direction's length. Use a unit direction if you want meters.
typedef struct sinew_ray {
    sinew_vec3 origin;    ///< start of the ray, in meters
    sinew_vec3 direction; ///< can have any length except 0; components can be 0
} sinew_ray;

/// Tests a ray against a box in the same space. Returns true on a hit, and sets `distance` to where the ray enters
/// the box, or 0 if it starts inside. `distance` may be NULL. A ray that runs along a face hits the box. The test
/// is conservative, so you never miss a box because of rounding or a NaN. Empty boxes are never hit.
SINEW_API bool sinew_ray_box(sinew_ray ray, sinew_box box, float *distance);

/// Describes where a ray hits a triangle.
typedef struct sinew_triangle_hit {
    float distance;        ///< along the ray, 0 or more
    int32_t triangle;      ///< its corners are indices[3 × triangle] and the next two
    float barycentrics[3]; ///< corner weights at the hit, which sum to 1
} sinew_triangle_hit;

/// Finds the first triangle that a ray hits. Triangles can be hit from both sides. If several are at the same distance,
/// you get the first one in the list. `positions` are tightly packed x, y, z triples in the ray's space. `indices` are
/// `index_count` valid indices, three per triangle. Hits at `max_distance` or beyond are ignored. Pass INFINITY if you
/// don't need a limit. `hit` must not be NULL. It's only written if this returns true.
///
/// The test is watertight. A ray through a shared edge or corner always hits one of the triangles. Degenerate triangles
/// with no area are ignored. So are triangles with a corner that isn't finite or is extremely far away (about 1e18).
SINEW_API bool sinew_pick_triangles(sinew_ray ray, const float *positions, const uint32_t *indices,
                                    int32_t index_count, float max_distance, sinew_triangle_hit *hit);

/// Describes where a ray hits a posed asset. Everything is in the same space as the model matrices.
typedef struct sinew_asset_hit {
    int32_t mesh_node;     ///< index into the asset's mesh_nodes
    int32_t primitive;     ///< index into the mesh's primitives
    int32_t triangle;      ///< index of the triangle within the primitive
    float barycentrics[3]; ///< the triangle's corner weights at the hit
    /// The node for the joint with the largest skin weight at the hit. If there's no skin, this is the mesh's node.
    int32_t node;
    float distance;      ///< along the ray, 0 or more
    sinew_vec3 position; ///< position of the hit, in meters
    sinew_vec3 normal;   ///< the triangle's flat unit normal, facing the ray
} sinew_asset_hit;

#ifndef SINEW_NO_SKINNING
/// Returns the size of the scratch memory that sinew_asset_pick needs for an asset, in bytes. It never changes.
SINEW_API size_t sinew_asset_pick_size(const sinew_asset *asset);

/// Finds where a ray first hits a posed asset. This tests mesh nodes that are in_scene and visible. `model` has
/// [node_count] matrices. `weights` has [weight_count] morph weights or is NULL. Both come from a pose, as in
/// sinew_bounds_pose, and the ray must be in the same space. If you have a ray in world space, transform its origin and
/// direction by the inverse of the character's world matrix. Distances stay the same. Meshes are only skinned if the
/// ray hits their bounds.
///
/// `scratch` must have sinew_asset_pick_size(asset) bytes and be aligned like a pointer. It doesn't need to be
/// initialized, and its contents are undefined afterward. `hit` must not be NULL. It's only written if this returns
/// true. Uses up to 36 KB of stack.
SINEW_API bool sinew_asset_pick(const sinew_asset *asset, const sinew_affine *model, const float *weights,
                                sinew_ray ray, void *scratch, sinew_asset_hit *hit);
#endif

#ifdef __cplusplus
}
#endif
#endif
