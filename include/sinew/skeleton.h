// SPDX-License-Identifier: MIT
/// Skeletons: the node hierarchy of a file and its rest pose. It has every node, not only the joints. All functions
/// may be called from any thread. Lengths are metres.
#ifndef SINEW_SKELETON_H
#define SINEW_SKELETON_H

#include "math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The parent of a root, and the result of a search that finds no node.
#define SINEW_NO_NODE (-1)

/// A hierarchy of nodes in depth-first order: a parent precedes its children, and the subtree of node i is the
/// range [i, subtree_ends[i]). Read-only after creation and safe to read from any thread.
///
/// A source index is a node's index in the caller's arrays or in the file. An excluded node keeps its source index,
/// which then maps to no node.
typedef struct sinew_skeleton {
    int32_t node_count;            ///< number of nodes
    const int32_t *parents;        ///< [node_count], parents[i] < i, or SINEW_NO_NODE
    const int32_t *subtree_ends;   ///< [node_count]
    const char *const *names;      ///< [node_count], UTF-8, never NULL; "" for a node without a name
    const sinew_transform *rest;   ///< [node_count], local transforms of the rest pose, rotations unit
    const int32_t *source_of_node; ///< [node_count], the source index of each node
    int32_t source_count;          ///< number of source indices: node_count plus the excluded nodes
    const int32_t *node_of_source; ///< [source_count], the node of each source index; SINEW_NO_NODE if excluded

    int32_t weight_count;          ///< number of morph weights of all nodes
    const int32_t *weight_offsets; ///< [node_count + 1]; node i owns weights [offsets[i], offsets[i + 1])
    const float *rest_weights;     ///< [weight_count]

    /// Nodes whose local matrix is not T R S: local[shear_nodes[i]] = T R S × shears[i], in every pose. Usually
    /// none.
    int32_t shear_count;
    const int32_t *shear_nodes; ///< [shear_count], increasing
    const sinew_affine *shears; ///< [shear_count]
} sinew_skeleton;

/// One node, in the caller's order.
typedef struct sinew_node_def {
    const char *name;          ///< UTF-8; NULL counts as ""
    int32_t parent;            ///< source index of the parent, in any order, or SINEW_NO_NODE
    sinew_transform rest;      ///< local; the rotation is normalised, unless it is unit to within rounding
    int32_t weight_count;      ///< number of morph weights of this node; usually 0
    const float *rest_weights; ///< [weight_count], or NULL for zeros
    const sinew_affine *shear; ///< local = T R S × shear, in every pose; NULL: T R S
    bool excluded;             ///< makes no node and is no node's parent; the other fields are ignored
} sinew_node_def;

/// What a skeleton is made from. Everything is copied. Start from sinew_skeleton_default.
typedef struct sinew_skeleton_def {
    int32_t node_count;          ///< 0 to SINEW_MAX_NODES, excluded nodes included
    const sinew_node_def *nodes; ///< [node_count]
    sinew_allocator allocator;   ///< zero: the C library's heap
    uint32_t cookie;             ///< private: set by sinew_skeleton_default
} sinew_skeleton_def;

/// The largest number of nodes of a skeleton.
#define SINEW_MAX_NODES 1000000

/// No nodes, the C library's heap.
SINEW_API sinew_skeleton_def sinew_skeleton_default(void);

/// Creates a skeleton; free it with sinew_skeleton_destroy. Children of one parent keep their source order.
/// SINEW_ERROR_ARGUMENT, with the node in `error`, for a parent that does not exist or is excluded, a cycle, or a
/// transform or a shear that is not finite; SINEW_ERROR_LIMIT for more than SINEW_MAX_NODES;
/// SINEW_ERROR_OUT_OF_MEMORY. On failure `*skeleton` is NULL. `error` may be NULL.
SINEW_API sinew_result sinew_skeleton_create(const sinew_skeleton_def *def, sinew_skeleton **skeleton,
                                             sinew_error *error);

/// Frees a skeleton that sinew_skeleton_create made; an asset's skeleton is freed with the asset. NULL is allowed.
/// Clips, skins, poses and mixers made for this skeleton must be destroyed before it.
SINEW_API void sinew_skeleton_destroy(sinew_skeleton *skeleton);

/// The first node with that name, or SINEW_NO_NODE. Case-sensitive. Linear in the number of nodes. Any thread.
SINEW_API int32_t sinew_skeleton_find(const sinew_skeleton *skeleton, const char *name);

#ifdef __cplusplus
}
#endif
#endif
