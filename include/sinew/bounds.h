// SPDX-License-Identifier: MIT
/// Boxes and spheres, and the bounds of meshes in a pose.
///
/// The bounds of an asset are made when it is loaded (`bounds` of sinew_asset, asset.h); sinew_bounds_create is for
/// meshes from elsewhere. Each frame, sinew_bounds_pose gives the box of a pose, for culling (scene/cull.h).
///
/// How it works. A box of the rest pose does not contain a character that runs. So each joint (skin.h) has a box of
/// its own, in the joint's own space, around inverse bind × vertex for every vertex that it influences. Each frame
/// the box moves with the joint's model matrix. The box around all moved boxes contains the mesh: a skinned vertex is
/// a weighted mean of its joints' transforms of it, with weights of at least 0 that sum to 1, and a mean never leaves
/// a box that contains all its terms. A mesh without a skin has one box, which moves with its node. Morph targets
/// enlarge boxes by their current weights.
///
/// Results are enlarged by a margin for rounding, about 4e-6 of the largest coordinate, so that they contain the
/// vertices that sinew_morph and sinew_skin_vertices write, and those that a GPU computes.
///
/// All functions may be called from any thread. Only sinew_bounds_create can fail. Lengths are metres.
#ifndef SINEW_BOUNDS_H
#define SINEW_BOUNDS_H

#include "skin.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Boxes and spheres -----------------------------------------------------------------------------------------

/// An axis-aligned box. It is empty if a component of `min` is greater than that of `max`. If a bound cannot be
/// computed because of non-finite input, the box is infinite: from -INFINITY to INFINITY.
typedef struct sinew_box {
    sinew_vec3 min, max; ///< opposite corners
} sinew_box;

/// A sphere; empty if the radius is negative.
typedef struct sinew_sphere {
    sinew_vec3 center; ///< metres
    float radius;      ///< metres; INFINITY: all of space; -INFINITY: empty
} sinew_sphere;

/// The empty box, from INFINITY to -INFINITY.
SINEW_API sinew_box sinew_box_empty(void);

/// Returns whether a box is empty. A box with a NaN is not.
SINEW_API bool sinew_box_is_empty(sinew_box box);

/// The smallest box that contains both; an empty one is ignored.
SINEW_API sinew_box sinew_box_union(sinew_box a, sinew_box b);

/// The smallest axis-aligned box around a transformed box. It contains the sinew_affine_point of every position in
/// `box`, to the last bit. An empty box stays empty; non-finite input gives the infinite box.
SINEW_API sinew_box sinew_box_transform(sinew_box box, sinew_affine matrix);

// ---- Bounds of meshes in a pose --------------------------------------------------------------------------------

/// The boxes of some meshes, on nodes of one skeleton. Read-only after creation; only those made by
/// sinew_bounds_create and those of an asset are valid. The boxes may be read and drawn; they do not include morph
/// targets.
typedef struct sinew_bounds {
    const sinew_skeleton *skeleton; ///< the skeleton of the nodes
    int32_t box_count;              ///< number of boxes
    const int32_t *nodes;           ///< [box_count], the node that each box moves with
    const sinew_box *boxes;         ///< [box_count], in that node's own space
    size_t memory;                  ///< size of the object, bytes
} sinew_bounds;

/// A mesh to compute bounds of. Arrays are tightly packed, and are not kept.
typedef struct sinew_bounds_mesh {
    int32_t node_count;      ///< number of nodes that have the mesh
    int32_t vertex_count;    ///< 0 or more
    int32_t index_count;     ///< number of indices; 0 without indices
    int32_t influences;      ///< joints per vertex; 0: the mesh moves with its nodes, and `skin` is ignored
    int32_t target_count;    ///< number of morph targets, at most the number of weights of each of its nodes
    const int32_t *nodes;    ///< [node_count]; an unskinned mesh moves with them, and they have its morph weights
    const sinew_skin *skin;  ///< a skin of the same skeleton; NULL: the mesh moves with its nodes
    const float *positions;  ///< [vertex_count × 3], metres
    const uint32_t *indices; ///< [index_count], the vertices to include; NULL: all
    const uint16_t *joints;  ///< [vertex_count × influences] indices into the skin's joints
    const float *weights;    ///< [vertex_count × influences], at least 0, summing to 1 for each vertex
    const float *const *target_positions; ///< [target_count], x, y, z per vertex to add; entries may be NULL
} sinew_bounds_mesh;

/// The definition of bounds. Everything but the skeleton is copied.
typedef struct sinew_bounds_def {
    const sinew_skeleton *skeleton;  ///< must outlive the bounds
    int32_t mesh_count;              ///< 0 or more
    const sinew_bounds_mesh *meshes; ///< [mesh_count]
    sinew_allocator allocator;       ///< zero: the C library's heap
    uint32_t cookie;                 ///< private: set by sinew_bounds_default
} sinew_bounds_def;

/// Returns the default definition: no skeleton, no meshes, the C library's heap.
SINEW_API sinew_bounds_def sinew_bounds_default(void);

/// Creates bounds; free them with sinew_bounds_destroy. The skeleton must outlive them, the skins need not.
/// SINEW_ERROR_ARGUMENT, with the location in `error`, for a node, joint or vertex index that is out of range, a skin
/// of another skeleton, more morph targets than a node has weights, a position that is not finite, and weights that
/// are negative or whose sum differs from 1 by more than 0.001; SINEW_ERROR_OUT_OF_MEMORY. On failure `*bounds` is
/// NULL. `error` may be NULL.
SINEW_API sinew_result sinew_bounds_create(const sinew_bounds_def *def, sinew_bounds **bounds, sinew_error *error);

/// Frees bounds that sinew_bounds_create made; those of an asset are freed with the asset. NULL is allowed.
SINEW_API void sinew_bounds_destroy(sinew_bounds *bounds);

/// Computes the box and the sphere that contain every vertex in a pose. `model`, [node_count of the skeleton], are
/// model matrices, as from sinew_pose_to_model or sinew_mixer_model_matrices; box and sphere are in model space. For
/// bounds in the world, apply sinew_box_transform to the box. `weights`, [weight_count of the skeleton], are the pose's
/// morph weights (`weights` of sinew_pose, or sinew_mixer_morph_weights), positive or negative, of any amount; NULL:
/// all 0. `box` and `sphere` may be NULL; computing a sphere doubles the time. The sphere has the box's centre, and is
/// no larger, but for the margin, than the sphere through the box's corners.
///
/// Bounds without boxes give the empty box and a radius of -INFINITY. Non-finite matrices or weights give the
/// infinite box and a radius of INFINITY. Never allocates or fails; the same bits on every machine.
SINEW_API void sinew_bounds_pose(const sinew_bounds *bounds, const sinew_affine *model, const float *weights,
                                 sinew_box *box, sinew_sphere *sphere);

#ifdef __cplusplus
}
#endif
#endif
