/// Boxes and spheres, and those around whatever a pose makes of some meshes.
///
/// A box that was made for the rest pose does not hold a character that runs. So each joint gets a box, in its own
/// space, around what its vertices are there: inverse bind × vertex, for every vertex that it has a weight on. In each
/// frame that box moves with the joint's model matrix, and what holds all moved boxes holds the mesh: a skinned vertex
/// is the sum of its weights times what each of its joints makes of it, and with weights of at least 0 that sum to 1
/// such a sum never leaves a box that holds all its terms. A mesh without a skin has one box, which moves with its
/// node. Morph targets make boxes larger by as much as their live weights say.
///
/// Arithmetic rounds, here as in skinning. What comes out is larger by a margin for both, about 4e-6 of the largest
/// coordinate, so that it holds the vertices that sinew_morph and sinew_skin_vertices write, and those of a GPU.
///
/// Everything may be called from any thread. Lengths are metres.
#ifndef SINEW_BOUNDS_H
#define SINEW_BOUNDS_H

#include "skin.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Boxes and spheres -----------------------------------------------------------------------------------------

/// All that is between two corners. It is empty where a component of `min` is more than that of `max`. What cannot be
/// told, since a number that went into it is not finite, is all of space: from -INFINITY to INFINITY.
typedef struct sinew_box {
    sinew_vec3 min, max; ///< a corner
} sinew_box;

/// All that is no further from a place than its radius; empty where that is less than 0.
typedef struct sinew_sphere {
    sinew_vec3 center; ///< its middle
    float radius;      ///< INFINITY: all of space; -INFINITY: nothing
} sinew_sphere;

/// The box that holds nothing: from INFINITY to -INFINITY.
SINEW_API sinew_box sinew_box_empty(void);

/// Whether a box holds nothing. One with a NaN is not empty.
SINEW_API bool sinew_box_is_empty(sinew_box box);

/// The least box that holds both.
SINEW_API sinew_box sinew_box_union(sinew_box a, sinew_box b);

/// The least upright box around a moved one. It holds what sinew_affine_point makes of every place in `box`, to the
/// last bit. An empty box stays empty; where something is not finite, it is all of space.
SINEW_API sinew_box sinew_box_transform(sinew_box box, sinew_affine matrix);

// ---- Posed bounds ----------------------------------------------------------------------------------------------

/// The boxes of some meshes, on nodes of one skeleton. Read-only after creation. The arrays are there to be looked at
/// and drawn; morph targets are not in them.
typedef struct sinew_bounds {
    const sinew_skeleton *skeleton; ///< whose nodes they are on
    int32_t box_count;              ///< how many boxes
    const int32_t *nodes;           ///< [box_count], the node that each moves with
    const sinew_box *boxes;         ///< [box_count], in the space of that node
    size_t memory;                  ///< bytes that it takes in all
} sinew_bounds;

/// A mesh as bounds want it. Arrays are tightly packed, and are not kept.
typedef struct sinew_bounds_mesh {
    int32_t node_count;      ///< how many nodes carry it
    int32_t vertex_count;    ///< 0 or more
    int32_t index_count;     ///< of indices; 0 where there are none
    int32_t influences;      ///< joints a vertex; 0: it moves with its nodes, whatever `skin` is
    int32_t target_count;    ///< morph targets, no more than each of its nodes has weights
    const int32_t *nodes;    ///< [node_count]; it moves with them, or has their morph weights
    const sinew_skin *skin;  ///< of the same skeleton; NULL: it moves with its nodes
    const float *positions;  ///< [vertex_count × 3], metres
    const uint32_t *indices; ///< [index_count], the vertices that are looked at; NULL: all
    const uint16_t *joints;  ///< [vertex_count × influences] indices into the skin's joints
    const float *weights;    ///< [vertex_count × influences], at least 0, summing to 1 for each vertex
    const float *const *target_positions; ///< [target_count], 3 floats a vertex to add; entries may be NULL
} sinew_bounds_mesh;

/// What bounds are made from. All of it is copied, but for the skeleton.
typedef struct sinew_bounds_def {
    const sinew_skeleton *skeleton;  ///< must outlive the bounds
    int32_t mesh_count;              ///< 0 or more
    const sinew_bounds_mesh *meshes; ///< [mesh_count]
    sinew_allocator allocator;       ///< zero: the C library's heap
    uint32_t cookie;                 ///< private: set by sinew_bounds_default
} sinew_bounds_def;

/// No meshes, the C library's heap.
SINEW_API sinew_bounds_def sinew_bounds_default(void);

/// Makes bounds, to be freed with sinew_bounds_destroy; the skeleton must outlive them, the skins need not. An importer
/// makes those of an asset (`bounds` in sinew_asset). SINEW_ERROR_ARGUMENT, with the place in `error`, for a node or
/// joint or vertex that is not there, a skin of another skeleton, more morph targets than a node has weights, a position that is
/// not finite, or weights that are less than 0 or whose sum is further than 0.001 from 1; SINEW_ERROR_OUT_OF_MEMORY.
/// Then `*bounds` is NULL. `error` may be NULL.
SINEW_API sinew_result sinew_bounds_create(const sinew_bounds_def *def, sinew_bounds **bounds, sinew_error *error);

/// Frees what sinew_bounds_create made; those of an asset go with the asset. NULL is allowed.
SINEW_API void sinew_bounds_destroy(sinew_bounds *bounds);

/// What holds every vertex in a pose. `model` is what sinew_pose_to_model or sinew_mixer_model_matrices gave, or those
/// with your own matrix in front: box and sphere are in the same space. `weights` are the pose's morph weights
/// (`weights` of sinew_pose, or sinew_mixer_weights), any numbers; NULL: all 0. `box` and `sphere` may be NULL; a sphere takes as long again.
/// The sphere has the middle of the box as its centre, and is no larger, but for the margin, than the one through the
/// box's corners.
/// Bounds without boxes give the empty box and a radius of -INFINITY; matrices or weights of theirs that are not finite
/// give all of space. Takes no memory and cannot fail; the same bits on every machine.
SINEW_API void sinew_bounds_pose(const sinew_bounds *bounds, const sinew_affine *model, const float *weights,
                                 sinew_box *box, sinew_sphere *sphere);

/// Each box of a pose by itself, upright: `out` is [box_count], the caller's. What holds all of them holds the meshes;
/// a single one does not hold the vertices that other joints have a part in. Otherwise as sinew_bounds_pose.
SINEW_API void sinew_bounds_pose_boxes(const sinew_bounds *bounds, const sinew_affine *model, const float *weights,
                                       sinew_box *out);

#ifdef __cplusplus
}
#endif
#endif
