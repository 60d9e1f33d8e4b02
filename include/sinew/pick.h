/// Picking: what a ray hits first. Everything may be called from any thread, takes no memory, and cannot fail.
#ifndef SINEW_PICK_H
#define SINEW_PICK_H

#include "asset.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Half a line. Distances along it are in lengths of its direction: metres where that is unit.
typedef struct sinew_ray {
    sinew_vec3 origin;    ///< where it starts
    sinew_vec3 direction; ///< where it goes, of any length but 0; components may be 0
} sinew_ray;

/// Whether a ray meets a box, and where it comes in: at 0 where it starts inside. A ray along a face meets it, and no
/// rounding lets one slip past a box that it meets. Empty boxes are not met; a NaN keeps no ray out. `distance`
/// may be NULL, and is written only where the answer is true.
SINEW_API bool sinew_ray_box(const sinew_ray *ray, const sinew_box *box, float *distance);

/// Where a ray meets a triangle.
typedef struct sinew_triangle_hit {
    float distance;        ///< along the ray, 0 or more
    int32_t triangle;      ///< its corners are indices[3 × triangle] and the two behind it
    float barycentrics[3]; ///< how much of each corner is in the place that was hit; they sum to 1
} sinew_triangle_hit;

/// The first triangle that a ray meets, from either side; of those at one distance, the first in the list. `positions`
/// are 3 floats a vertex, tightly packed, `indices` three for each of index_count / 3 triangles. Watertight: a ray that
/// goes through an edge or a corner that triangles share meets one of them. Triangles without an area, and those with a
/// corner that is not finite or so far away that an area is not (1e18), are not met. Only what is nearer than `max_distance` counts (INFINITY: all). `hit` is
/// written only where the answer is true.
SINEW_API bool sinew_pick_triangles(const sinew_ray *ray, const float *positions, const uint32_t *indices,
                                    int32_t index_count, float max_distance, sinew_triangle_hit *hit);

/// Where a ray meets an asset in a pose, in the space of the model matrices.
typedef struct sinew_asset_hit {
    int32_t instance;      ///< index into the asset's instances
    int32_t primitive;     ///< of the instance's mesh
    int32_t triangle;      ///< of the primitive
    float barycentrics[3]; ///< how much of each of its corners is in the place that was hit
    int32_t node;          ///< the joint that moves that place most, by the weights of its corners; the node that
                           ///< carries the mesh, where that has no skin
    float distance;        ///< along the ray, 0 or more
    sinew_vec3 position;   ///< the place, metres
    sinew_vec3 normal;     ///< of the flat triangle, unit, on the side that the ray came from
} sinew_asset_hit;

/// How many bytes sinew_asset_pick needs to work in.
SINEW_API size_t sinew_asset_pick_size(const sinew_asset *asset);

/// What of an asset a ray meets first, as it is drawn in a pose: what is in_scene and visible. `model` and `weights`
/// are as for sinew_bounds_pose, for all of the asset's nodes. Only what has its bounds on the ray is skinned. `scratch`
/// is sinew_asset_pick_size(asset) bytes of the caller's, aligned as for a pointer; what it holds does not matter,
/// before or after. `hit` is written only where the answer is true.
SINEW_API bool sinew_asset_pick(const sinew_asset *asset, const sinew_affine *model, const float *weights,
                                const sinew_ray *ray, void *scratch, sinew_asset_hit *hit);

#ifdef __cplusplus
}
#endif
#endif
