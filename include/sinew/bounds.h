// SPDX-License-Identifier: MIT
/// Bounding boxes and spheres of posed meshes, for culling (scene/cull.h).
///
///     sinew_box box;
///     sinew_bounds_pose(asset->bounds, sinew_mixer_model_matrices(mixer), sinew_mixer_morph_weights(mixer), &box,
///                       NULL);
///     box = sinew_box_transform(box, world);
///
/// Importers compute an asset's bounds for you (asset.h). Use sinew_bounds_create for other meshes.
///
/// Each joint (skin.h) has a box around the vertices it influences, in the joint's own space. The box moves with
/// the joint, so the union of all boxes contains the mesh in any pose. A mesh without a skin has one box that moves
/// with its node. Morph targets enlarge the boxes according to their current weights. Bounds include a rounding
/// margin of about 4e-6 of the largest coordinate. This guarantees that they contain every vertex that sinew_morph,
/// sinew_skin_vertices or a GPU computes.
///
/// You can call these functions from any thread. Only sinew_bounds_create can fail. Lengths are in meters.
#ifndef SINEW_BOUNDS_H
#define SINEW_BOUNDS_H

#include "clip.h"
#include "skin.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Boxes and spheres -----------------------------------------------------------------------------------------

/// An axis-aligned box. It's empty if any component of `min` is greater than the same component of `max`.
/// Non-finite input gives the infinite box, from -INFINITY to INFINITY.
typedef struct sinew_box {
    sinew_vec3 min, max; ///< opposite corners
} sinew_box;

/// A sphere. It's empty if the radius is negative.
typedef struct sinew_sphere {
    sinew_vec3 center; ///< in meters
    float radius;      ///< in meters; INFINITY contains everything, -INFINITY is empty
} sinew_sphere;

/// Returns the empty box, from INFINITY to -INFINITY.
SINEW_API sinew_box sinew_box_empty(void);

/// Returns true if a box is empty. A box with a NaN isn't empty.
SINEW_API bool sinew_box_is_empty(sinew_box box);

/// Returns the smallest box around two boxes. Empty boxes are ignored.
SINEW_API sinew_box sinew_box_union(sinew_box a, sinew_box b);

/// Returns the smallest axis-aligned box around a transformed box. If you transform any position in `box` with
/// sinew_affine_point, the result is guaranteed to be inside this box, down to the last bit. An empty box stays
/// empty. Non-finite input gives the infinite box.
SINEW_API sinew_box sinew_box_transform(sinew_box box, sinew_affine matrix);

// ---- Bounds of meshes in a pose --------------------------------------------------------------------------------

/// Read-only boxes for the meshes on one skeleton. Get them from sinew_bounds_create or an asset. You can draw the
/// boxes, but note that they don't include morph targets.
typedef struct sinew_bounds {
    const sinew_skeleton *skeleton; ///< the nodes' skeleton
    int32_t box_count;              ///< number of boxes
    const int32_t *nodes;           ///< [box_count], the node that each box moves with
    const sinew_box *boxes;         ///< [box_count], in the node's own space
    size_t memory;                  ///< total size in bytes
} sinew_bounds;

/// A mesh to compute bounds for. Arrays are tightly packed and aren't kept.
typedef struct sinew_bounds_mesh {
    int32_t node_count;     ///< number of nodes with this mesh
    int32_t vertex_count;   ///< 0 or more
    int32_t index_count;    ///< 0 if the mesh doesn't have indices
    int32_t influences;     ///< joints per vertex; if 0, the mesh isn't skinned and `skin` is ignored
    int32_t target_count;   ///< number of morph targets; each node needs at least this many weights
    const int32_t *nodes;   ///< [node_count]; they provide the morph weights, and move the mesh if it isn't skinned
    const sinew_skin *skin; ///< a skin with the same skeleton; NULL if the mesh isn't skinned
    const float *positions; ///< [vertex_count × 3], in meters
    const uint32_t *indices; ///< [index_count], vertices to include; NULL includes all
    const uint16_t *joints;  ///< [vertex_count × influences], indices into the skin's joints
    const float *weights;    ///< [vertex_count × influences], not negative; must sum to 1 for each vertex
    const float *const *target_positions; ///< [target_count], 3 floats per vertex to add; entries may be NULL
} sinew_bounds_mesh;

/// Defines bounds. Everything except the skeleton is copied. Start from sinew_bounds_default.
typedef struct sinew_bounds_def {
    const sinew_skeleton *skeleton;  ///< required; must outlive the bounds
    int32_t mesh_count;              ///< 0 or more
    const sinew_bounds_mesh *meshes; ///< [mesh_count]
    sinew_allocator allocator;       ///< defaults to the C library's heap
    uint32_t cookie;                 ///< private: set by sinew_bounds_default
} sinew_bounds_def;

/// Returns the default definition: no skeleton, no meshes, and the C library's heap.
SINEW_API sinew_bounds_def sinew_bounds_default(void);

/// Creates bounds. Free them with sinew_bounds_destroy. The skeleton must outlive them, but skins don't have to.
/// `error` may be NULL. On failure, `*bounds` is NULL. Errors:
///   - SINEW_ERROR_ARGUMENT: a node, joint or vertex index is out of range, a skin has a different skeleton, or a
///     node has fewer weights than its mesh has morph targets. The message includes the location.
///   - SINEW_ERROR_ARGUMENT: a position isn't finite, or weights are negative or don't sum to 1 within 0.001.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_bounds_create(const sinew_bounds_def *def, sinew_bounds **bounds, sinew_error *error);

/// Frees bounds from sinew_bounds_create. NULL is allowed. Don't pass an asset's bounds, because the asset frees
/// them.
SINEW_API void sinew_bounds_destroy(sinew_bounds *bounds);

/// Computes a box and a sphere that contain every vertex in a pose, in model space. For world space, pass the box
/// to sinew_box_transform.
///
/// `model` [skeleton->node_count] contains the model matrices, from sinew_pose_to_model or
/// sinew_mixer_model_matrices. `weights` [skeleton->weight_count] contains the morph weights, from a pose or
/// sinew_mixer_morph_weights. They can be negative or as large as you like. NULL means all 0. `box` and `sphere`
/// may be NULL. Computing the sphere doubles the time. The sphere has the same center as the box. Except for the
/// margin, it's never larger than the sphere through the box's corners.
///
/// If there are no boxes, you get the empty box and a radius of -INFINITY. Non-finite matrices or weights give the
/// infinite box and a radius of INFINITY. Doesn't allocate. Results have the same bits on every machine.
SINEW_API void sinew_bounds_pose(const sinew_bounds *bounds, const sinew_affine *model, const float *weights,
                                 sinew_box *box, sinew_sphere *sphere);

/// Computes a box that contains every vertex at every time of these clips, in model space. Use it where nobody computes
/// model matrices, such as for crowds that play an animation texture (gpu/bake.h). Compute it once, and transform it
/// with each character's world matrix.
///
/// The box is guaranteed, also between keys, and usually within 1% of the smallest one. Blends of vertices or of
/// skinning matrices, such as an animation texture's, stay inside. A mixer's blends, solvers and springs can leave it,
/// so enlarge it for those. Motion that the clips have is included, even if a mixer would extract it as root motion.
///
/// `clips` [clip_count] must have the bounds' skeleton. An animation texture's format rounds, so add its error.
/// `allocator` is for scratch memory. It and `error` may be NULL. This takes as long as about 10 mixer updates for each
/// key time. Any thread. On failure, `*box` is empty. Errors:
///   - SINEW_ERROR_ARGUMENT: a clip is additive or has a different skeleton.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_bounds_clips(const sinew_bounds *bounds, const sinew_clip *const *clips,
                                          int32_t clip_count, const sinew_allocator *allocator, sinew_box *box,
                                          sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
