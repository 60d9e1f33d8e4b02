/// The node hierarchy of a file and its rest pose: every node, not only those that are joints. All functions may be
/// called from any thread. Lengths are metres.
#ifndef SINEW_SKELETON_H
#define SINEW_SKELETON_H

#include "math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What `parents` holds for a root, and what searches answer when there is no such node.
#define SINEW_NO_NODE (-1)

/// Nodes in depth-first order: a parent stands before its children, and the subtree of node i is the range
/// [i, subtree_ends[i]). Read-only after creation and safe to read from any thread.
///
/// "Source" numbers are the caller's own: the node's index in the arrays or in the file that it came from. Where
/// some of those were left out, their numbers have no node, and the others keep theirs.
typedef struct sinew_skeleton {
    int32_t node_count;            ///< how many nodes
    const int32_t *parents;        ///< [node_count], parents[i] < i, or SINEW_NO_NODE
    const int32_t *subtree_ends;   ///< [node_count]
    const char *const *names;      ///< [node_count], UTF-8, never NULL; "" where there was none
    const sinew_transform *rest;   ///< [node_count], local transforms of the rest pose, rotations unit
    const int32_t *source_of_node; ///< [node_count], from a node here to the caller's number
    int32_t source_count;          ///< the caller's numbers: node_count, and those that were left out
    const int32_t *node_of_source; ///< [source_count], and back; SINEW_NO_NODE for what was left out

    int32_t weight_count;          ///< morph weights of all nodes
    const int32_t *weight_offsets; ///< [node_count + 1]; node i owns weights [offsets[i], offsets[i + 1])
    const float *rest_weights;     ///< [weight_count]

    /// Nodes whose local matrix is not T R S: local[shear_nodes[i]] = T R S × shears[i], in every pose. Usually none.
    int32_t shear_count;
    const int32_t *shear_nodes; ///< [shear_count], increasing
    const sinew_affine *shears; ///< [shear_count]
} sinew_skeleton;

/// One node, in the caller's own order.
typedef struct sinew_node_def {
    const char *name;          ///< UTF-8; NULL is the same as ""
    int32_t parent;            ///< source index of the parent, before or after this one, or SINEW_NO_NODE
    sinew_transform rest;      ///< the rotation is normalised, unless it is unit to within rounding
    int32_t weight_count;      ///< morph weights that this node has; usually 0
    const float *rest_weights; ///< [weight_count], or NULL for zeros
    const sinew_affine *shear; ///< local = T R S × shear, in every pose; NULL: T R S. For a matrix that has shear
    bool excluded;             ///< it becomes no node, and is nobody's parent; nothing else of it is looked at
} sinew_node_def;

/// What a skeleton is made from. All of it is copied.
typedef struct sinew_skeleton_def {
    int32_t node_count;          ///< at least 0, at most SINEW_MAX_NODES, with those that are left out
    const sinew_node_def *nodes; ///< [node_count]; copied
    sinew_allocator allocator;   ///< zero: the C library's heap
    uint32_t cookie;             ///< private: set by sinew_skeleton_default
} sinew_skeleton_def;

/// The most nodes that a skeleton may have.
#define SINEW_MAX_NODES 1000000

/// No nodes, the C library's heap.
SINEW_API sinew_skeleton_def sinew_skeleton_default(void);

/// Makes a skeleton, to be freed with sinew_skeleton_destroy. Children of one parent keep their source order.
/// SINEW_ERROR_ARGUMENT, with the node in `error`, for a parent that does not exist or is left out, a cycle, or a
/// transform or a shear that is not finite; SINEW_ERROR_LIMIT past SINEW_MAX_NODES; SINEW_ERROR_OUT_OF_MEMORY. Then
/// `*skeleton` is NULL. `error` may be NULL.
SINEW_API sinew_result sinew_skeleton_create(const sinew_skeleton_def *def, sinew_skeleton **skeleton,
                                             sinew_error *error);

/// Frees what sinew_skeleton_create made; that of an asset goes with the asset. NULL is allowed. Clips, skins,
/// poses and mixers made for this skeleton must be destroyed before it.
SINEW_API void sinew_skeleton_destroy(sinew_skeleton *skeleton);

/// The first node of that name, or SINEW_NO_NODE. Upper and lower case count. Linear in the number of nodes. Any
/// thread.
SINEW_API int32_t sinew_skeleton_find(const sinew_skeleton *skeleton, const char *name);

#ifdef __cplusplus
}
#endif
#endif
