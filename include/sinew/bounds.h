// SPDX-License-Identifier: MIT
/// Bounding boxes and spheres of posed meshes, for culling (scene/cull.h).
///
///     sinew_box box;
///     sinew_bounds_pose(asset->bounds, sinew_mixer_model_matrices(mixer), sinew_mixer_morph_weights(mixer), &box,
///                       NULL);
///     box = sinew_box_transform(box, world);
///
/// Importers make an asset's bounds (asset.h). Use sinew_bounds_create for meshes from elsewhere.
///
/// Each joint (skin.h) has a box around the vertices that it influences, in the joint's own space. It moves with
/// the joint, so the union of all boxes contains the mesh in any pose. A mesh without a skin has one box, which
/// moves with its node. Morph targets enlarge boxes by their current weights. A rounding margin is included, about
/// 4e-6 of the largest coordinate. So bounds contain the vertices from sinew_morph and sinew_skin_vertices, and
/// from a GPU.
///
/// Any thread may call these functions. Only sinew_bounds_create can fail. Lengths are metres.
#ifndef SINEW_BOUNDS_H
#define SINEW_BOUNDS_H

#include "skin.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Boxes and spheres -----------------------------------------------------------------------------------------

/// An axis-aligned box. It's empty if any component of `min` is greater than in `max`. Input that isn't finite
/// gives the infinite box, from -INFINITY to INFINITY.
typedef struct sinew_box {
    sinew_vec3 min, max; ///< opposite corners
} sinew_box;

/// A sphere, empty if the radius is negative.
typedef struct sinew_sphere {
    sinew_vec3 center; ///< metres
    float radius;      ///< metres; INFINITY: everything; -INFINITY: empty
} sinew_sphere;

/// Returns the empty box, from INFINITY to -INFINITY.
SINEW_API sinew_box sinew_box_empty(void);

/// Returns whether a box is empty. A box with a NaN isn't empty.
SINEW_API bool sinew_box_is_empty(sinew_box box);

/// Returns the smallest box around two boxes. Empty boxes are ignored.
SINEW_API sinew_box sinew_box_union(sinew_box a, sinew_box b);

/// Returns the smallest axis-aligned box around a transformed box. It contains sinew_affine_point of every position
/// in `box`, to the last bit. An empty box stays empty. Input that isn't finite gives the infinite box.
SINEW_API sinew_box sinew_box_transform(sinew_box box, sinew_affine matrix);

// ---- Bounds of meshes in a pose --------------------------------------------------------------------------------

/// The boxes of meshes on one skeleton, read-only. Get them from sinew_bounds_create or an asset. You may draw the
/// boxes; they don't include morph targets.
typedef struct sinew_bounds {
    const sinew_skeleton *skeleton; ///< the nodes' skeleton
    int32_t box_count;              ///< number of boxes
    const int32_t *nodes;           ///< [box_count], the node each box moves with
    const sinew_box *boxes;         ///< [box_count], in the node's own space
    size_t memory;                  ///< total bytes
} sinew_bounds;

/// A mesh to bound. Arrays are tightly packed and aren't kept.
typedef struct sinew_bounds_mesh {
    int32_t node_count;      ///< number of nodes with this mesh
    int32_t vertex_count;    ///< 0 or more
    int32_t index_count;     ///< 0 without indices
    int32_t influences;      ///< joints per vertex; 0: not skinned, and `skin` is ignored
    int32_t target_count;    ///< number of morph targets, at most each node's number of weights
    const int32_t *nodes;    ///< [node_count], give the morph weights, and move the mesh if it isn't skinned
    const sinew_skin *skin;  ///< a skin of the same skeleton; NULL: not skinned
    const float *positions;  ///< [vertex_count × 3], metres
    const uint32_t *indices; ///< [index_count], vertices to include; NULL: all
    const uint16_t *joints;  ///< [vertex_count × influences], indices into the skin's joints
    const float *weights;    ///< [vertex_count × influences], not negative, sum 1 per vertex
    const float *const *target_positions; ///< [target_count], 3 floats per vertex to add; entries may be NULL
} sinew_bounds_mesh;

/// Defines bounds. Everything except the skeleton is copied. Start from sinew_bounds_default.
typedef struct sinew_bounds_def {
    const sinew_skeleton *skeleton;  ///< must be set, and outlive the bounds
    int32_t mesh_count;              ///< 0 or more
    const sinew_bounds_mesh *meshes; ///< [mesh_count]
    sinew_allocator allocator;       ///< zero: the C library's heap
    uint32_t cookie;                 ///< private: set by sinew_bounds_default
} sinew_bounds_def;

/// Returns the default definition: no skeleton, no meshes, the C library's heap.
SINEW_API sinew_bounds_def sinew_bounds_default(void);

/// Creates bounds. Free them with sinew_bounds_destroy. The skeleton must outlive them; skins needn't. `error` may
/// be NULL. On failure `*bounds` is NULL:
///   - SINEW_ERROR_ARGUMENT: a node, joint or vertex index out of range, another skeleton's skin, too many morph
///     targets for a node's weights, a position that isn't finite, or weights that are negative or don't sum to 1
///     within 0.001. `error` tells where.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_bounds_create(const sinew_bounds_def *def, sinew_bounds **bounds, sinew_error *error);

/// Frees bounds from sinew_bounds_create. NULL is allowed. Don't pass an asset's bounds: the asset frees them.
SINEW_API void sinew_bounds_destroy(sinew_bounds *bounds);

/// Computes a box and a sphere around every vertex of a pose, in model space. For world space, pass the box to
/// sinew_box_transform.
///
/// `model` is [node_count of the skeleton]: model matrices from sinew_pose_to_model or sinew_mixer_model_matrices.
/// `weights` is [weight_count of the skeleton]: morph weights from a pose or sinew_mixer_morph_weights, of any size
/// and sign. NULL: all 0. `box` and `sphere` may be NULL; a sphere doubles the time. The sphere has the box's
/// centre, and except for the margin isn't larger than the sphere through the box's corners.
///
/// Bounds without boxes give the empty box and a radius of -INFINITY. Matrices or weights that aren't finite give
/// the infinite box and a radius of INFINITY. Allocates nothing. The same bits on every machine.
SINEW_API void sinew_bounds_pose(const sinew_bounds *bounds, const sinew_affine *model, const float *weights,
                                 sinew_box *box, sinew_sphere *sphere);

#ifdef __cplusplus
}
#endif
#endif
