// SPDX-License-Identifier: MIT
/// Skeletons: the node hierarchy of a file and its rest pose.
///
/// A *node* is any element of the hierarchy; a *joint* is a node that a skin uses (skin.h). A skeleton has every
/// node, not only the joints. A *local* transform is in the space of the node's parent. The *rest pose* has the local
/// transforms that the file gives to its nodes; it need not be the bind pose of a skin. *Morph weights* belong to
/// nodes, because a mesh is deformed by the weights of the node that it is on. *Curves* belong to no node: named floats
/// that clips animate and that blend like the pose, such as of an expression, a contact, or the weight of a solver.
///
/// All functions may be called from any thread. Lengths are metres.
#ifndef SINEW_SKELETON_H
#define SINEW_SKELETON_H

#include "math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// No node: the parent of a root, and the result of a search that finds none.
#define SINEW_NO_NODE (-1)

/// A hierarchy of nodes in depth-first order: a parent precedes its children, and the subtree of node i, itself
/// included, is the range [i, subtree_ends[i]). There may be several roots. Read-only after creation and safe to read
/// from any thread. Only skeletons made by sinew_skeleton_create and those of an asset are valid. The arrays belong
/// to the skeleton.
///
/// A *source index* is a node's index in the caller's arrays or in the file. An excluded node keeps its source index,
/// which then maps to no node.
typedef struct sinew_skeleton {
    int32_t node_count;            ///< number of nodes
    const int32_t *parents;        ///< [node_count], parents[i] < i, or SINEW_NO_NODE
    const int32_t *subtree_ends;   ///< [node_count], one more than the last node of each subtree
    const char *const *names;      ///< [node_count], UTF-8, never NULL; "" for a node without a name
    const sinew_transform *rest;   ///< [node_count], local transforms of the rest pose, rotations unit
    const int32_t *source_of_node; ///< [node_count], the source index of each node
    int32_t source_count;          ///< number of source indices: node_count plus the excluded nodes
    const int32_t *node_of_source; ///< [source_count], the node of each source index; SINEW_NO_NODE if excluded

    int32_t weight_count;          ///< number of morph weights of all nodes
    const int32_t *weight_offsets; ///< [node_count + 1]; node i owns weights [offsets[i], offsets[i + 1])
    const float *rest_weights;     ///< [weight_count], of the rest pose

    int32_t curve_count;            ///< number of curves
    const char *const *curve_names; ///< [curve_count], UTF-8, in the order of the definition; different, none ""
    const float *rest_curves;       ///< [curve_count], the value of each curve without an animation

    /// Nodes whose local matrix is not T R S (translation × rotation × scale): local[shear_nodes[k]] = T R S ×
    /// shears[k], in every pose. Usually none: they come from files with sheared matrices.
    int32_t shear_count;
    const int32_t *shear_nodes; ///< [shear_count], increasing
    const sinew_affine *shears; ///< [shear_count]
} sinew_skeleton;

/// One node, in the caller's order.
typedef struct sinew_node_def {
    const char *name;          ///< UTF-8; NULL counts as ""
    int32_t parent;            ///< source index of the parent, in any order, or SINEW_NO_NODE
    sinew_transform rest;      ///< local; the rotation is normalized, unless it is unit to within rounding
    int32_t weight_count;      ///< number of morph weights of this node; usually 0
    const float *rest_weights; ///< [weight_count], or NULL for zeros
    const sinew_affine *shear; ///< local = T R S × shear, in every pose; NULL: T R S
    bool excluded;             ///< makes no node and is no node's parent; the other fields are ignored
} sinew_node_def;

/// What a skeleton is made from. Everything is copied, names included. Start from sinew_skeleton_default.
typedef struct sinew_skeleton_def {
    int32_t node_count;          ///< 0 to SINEW_MAX_NODES, excluded nodes included
    const sinew_node_def *nodes; ///< [node_count]
    int32_t curve_count;         ///< 0 or more
    /// [curve_count], UTF-8: no two may be equal, and none may be NULL or "".
    const char *const *curve_names;
    const float *rest_curves;  ///< [curve_count], finite; NULL for zeros
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_skeleton_default
} sinew_skeleton_def;

/// The largest number of nodes of a skeleton.
#define SINEW_MAX_NODES 1000000

/// Returns the default definition: no nodes, no curves, the C library's heap.
SINEW_API sinew_skeleton_def sinew_skeleton_default(void);

/// Creates a skeleton; free it with sinew_skeleton_destroy. Children of one parent keep their source order.
/// SINEW_ERROR_ARGUMENT, with the node in `error`, for a parent that does not exist or is excluded, a cycle, a
/// transform or a shear that is not finite, a negative count, or a curve without a name, with that of another one or
/// with a rest value that is not finite; SINEW_ERROR_LIMIT for more than SINEW_MAX_NODES nodes, or about 2^31 morph
/// weights and curves; SINEW_ERROR_OUT_OF_MEMORY. On failure `*skeleton` is NULL. `error` may be
/// NULL.
SINEW_API sinew_result sinew_skeleton_create(const sinew_skeleton_def *def, sinew_skeleton **skeleton,
                                             sinew_error *error);

/// Frees a skeleton that sinew_skeleton_create made; an asset's skeleton is freed with the asset. NULL is allowed.
/// Clips, skins, poses and mixers made for this skeleton must be destroyed before it.
SINEW_API void sinew_skeleton_destroy(sinew_skeleton *skeleton);

/// Returns the first node with that name, or SINEW_NO_NODE. Case-sensitive; "" finds the first node without a name.
/// Linear in the number of nodes: look names up once, not in each frame.
SINEW_API int32_t sinew_skeleton_find(const sinew_skeleton *skeleton, const char *name);

/// No curve: the result of a search that finds none.
#define SINEW_NO_CURVE (-1)

/// Returns the curve with that name, or SINEW_NO_CURVE. Case-sensitive. Look names up once; in a frame, read
/// the curve by its index (`curves` of sinew_pose, or sinew_mixer_curves).
SINEW_API int32_t sinew_skeleton_find_curve(const sinew_skeleton *skeleton, const char *name);

#ifdef __cplusplus
}
#endif
#endif
