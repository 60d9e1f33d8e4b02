// SPDX-License-Identifier: MIT
/// Skeletons: a file's node hierarchy and its rest pose.
///
/// A *node* is any element of the hierarchy; a *joint* is a node that a skin uses (skin.h). *Local* transforms are
/// relative to the parent. The *rest pose* is the local transforms from the file. It can differ from a skin's bind
/// pose.
///
/// *Morph weights* belong to nodes: a node's weights deform its mesh. *Curves* belong to the whole skeleton. They
/// are named floats that clips animate and that blend like the pose: facial expressions, contacts, solver weights.
///
/// Any thread may call these functions. Lengths are metres.
#ifndef SINEW_SKELETON_H
#define SINEW_SKELETON_H

#include "math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// No node: the parent of a root, and the result of a failed search.
#define SINEW_NO_NODE (-1)

/// A node hierarchy in depth-first order: parents precede their children. Node i and its descendants are the range
/// [i, subtree_ends[i]). There may be several roots.
///
/// A skeleton is read-only and owns its arrays. Get one from sinew_skeleton_create or from an asset; a copy of the
/// struct isn't valid.
///
/// A *source index* is a node's index in your arrays or in the file. Excluded nodes keep theirs, but it maps to no
/// node.
typedef struct sinew_skeleton {
    int32_t node_count;            ///< number of nodes
    const int32_t *parents;        ///< [node_count], parents[i] < i, or SINEW_NO_NODE
    const int32_t *subtree_ends;   ///< [node_count], one past the last node of each subtree
    const char *const *names;      ///< [node_count], UTF-8, never NULL; "" if unnamed
    const sinew_transform *rest;   ///< [node_count], the rest pose: local transforms with unit rotations
    const int32_t *source_of_node; ///< [node_count], each node's source index
    int32_t source_count;          ///< number of source indices, excluded nodes included
    const int32_t *node_of_source; ///< [source_count], the node at each source index; SINEW_NO_NODE if excluded

    int32_t weight_count;          ///< morph weights of all nodes
    const int32_t *weight_offsets; ///< [node_count + 1]; node i owns weights [offsets[i], offsets[i + 1])
    const float *rest_weights;     ///< [weight_count], morph weights of the rest pose

    int32_t curve_count;            ///< number of curves
    const char *const *curve_names; ///< [curve_count], UTF-8, unique, never "", in the definition's order
    const float *rest_curves;       ///< [curve_count], the curves' values without animation

    /// Number of sheared nodes, usually 0. Node shear_nodes[k] has the local matrix T R S × shears[k] in every
    /// pose; others have T R S (translation × rotation × scale). Shears come from files with sheared matrices.
    int32_t shear_count;
    const int32_t *shear_nodes; ///< [shear_count], increasing
    const sinew_affine *shears; ///< [shear_count]
} sinew_skeleton;

/// Defines one node.
typedef struct sinew_node_def {
    const char *name;          ///< UTF-8; NULL counts as ""
    int32_t parent;            ///< the parent's source index, which may come later; or SINEW_NO_NODE
    sinew_transform rest;      ///< local; the rotation is normalized unless it's unit within rounding
    int32_t weight_count;      ///< number of morph weights, usually 0
    const float *rest_weights; ///< [weight_count]; NULL: zeros
    const sinew_affine *shear; ///< local = T R S × shear in every pose; NULL: T R S
    bool excluded;             ///< leave the node out: other fields are ignored, and it can't be a parent
} sinew_node_def;

/// Defines a skeleton. Everything is copied, including names. Start from sinew_skeleton_default.
typedef struct sinew_skeleton_def {
    int32_t node_count;             ///< 0 to SINEW_MAX_NODES, excluded nodes included
    const sinew_node_def *nodes;    ///< [node_count], in any order
    int32_t curve_count;            ///< 0 or more
    const char *const *curve_names; ///< [curve_count], UTF-8, unique, not NULL or ""
    const float *rest_curves;       ///< [curve_count], finite; NULL: zeros
    sinew_allocator allocator;      ///< zero: the C library's heap
    uint32_t cookie;                ///< private: set by sinew_skeleton_default
} sinew_skeleton_def;

/// The most nodes in a skeleton.
#define SINEW_MAX_NODES 1000000

/// Returns the default definition: no nodes, no curves, the C library's heap.
SINEW_API sinew_skeleton_def sinew_skeleton_default(void);

/// Creates a skeleton. Free it with sinew_skeleton_destroy. Siblings keep their source order. `error` may be NULL.
/// On failure `*skeleton` is NULL:
///   - SINEW_ERROR_ARGUMENT: a missing or excluded parent, a cycle, a transform, shear or curve that isn't finite,
///     a negative count, or an unnamed or duplicate curve. `error` tells which node or curve.
///   - SINEW_ERROR_LIMIT: more than SINEW_MAX_NODES nodes, or about 2^31 morph weights and curves.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_skeleton_create(const sinew_skeleton_def *def, sinew_skeleton **skeleton,
                                             sinew_error *error);

/// Frees a skeleton from sinew_skeleton_create. NULL is allowed. Destroy its clips, skins, poses and mixers first.
/// Don't pass an asset's skeleton: the asset frees it.
SINEW_API void sinew_skeleton_destroy(sinew_skeleton *skeleton);

/// Returns the first node with a name, or SINEW_NO_NODE. Case-sensitive; "" finds the first unnamed node. This is a
/// linear search: look names up once, not every frame.
SINEW_API int32_t sinew_skeleton_find(const sinew_skeleton *skeleton, const char *name);

/// No curve: the result of a failed search.
#define SINEW_NO_CURVE (-1)

/// Returns the curve with a name, or SINEW_NO_CURVE. Case-sensitive. Look names up once, then read the curve by
/// index (`curves` of sinew_pose, or sinew_mixer_curves).
SINEW_API int32_t sinew_skeleton_find_curve(const sinew_skeleton *skeleton, const char *name);

#ifdef __cplusplus
}
#endif
#endif
