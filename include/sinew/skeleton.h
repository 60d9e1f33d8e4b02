// SPDX-License-Identifier: MIT
/// Skeletons: a file's node hierarchy and its rest pose.
///
/// A *node* is any element in the hierarchy. A *joint* is a node that a skin uses (skin.h). *Local* transforms are
/// relative to the parent. The *rest pose* is the set of local transforms in the file. It can differ from a skin's
/// bind pose.
///
/// *Morph weights* belong to a node and deform its mesh. *Curves* belong to the whole skeleton. They're named
/// floats that clips animate, and they blend like the pose. Use them for facial expressions, foot contacts or
/// solver weights.
///
/// You can call these functions from any thread. Lengths are in meters.
#ifndef SINEW_SKELETON_H
#define SINEW_SKELETON_H

#include "math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An invalid node index. Used as the parent of root nodes, and returned when a search finds nothing.
#define SINEW_NO_NODE (-1)

/// A node hierarchy in depth-first order, so parents come before their children. Node i and its descendants are the
/// range [i, subtree_ends[i]). There can be several roots.
///
/// Skeletons are read-only and own their arrays. Get one from sinew_skeleton_create or from an asset. Don't copy
/// the struct, because copies aren't valid.
///
/// A *source index* is a node's index in your arrays or in the file. Excluded nodes also have a source index, but
/// it doesn't map to a node.
typedef struct sinew_skeleton {
    int32_t node_count;            ///< number of nodes
    const int32_t *parents;        ///< [node_count]; parents[i] < i, or SINEW_NO_NODE for roots
    const int32_t *subtree_ends;   ///< [node_count], one past the last node of each subtree
    const char *const *names;      ///< [node_count], UTF-8, never NULL; "" if unnamed
    const sinew_transform *rest;   ///< [node_count], the rest pose: local transforms with unit rotations
    const int32_t *source_of_node; ///< [node_count], each node's source index
    int32_t source_count;          ///< number of source indices, including excluded nodes
    const int32_t *node_of_source; ///< [source_count], the node for each source index; SINEW_NO_NODE if excluded

    int32_t weight_count; ///< total number of morph weights
    /// [node_count + 1]; node i owns weights [weight_offsets[i], weight_offsets[i + 1]).
    const int32_t *weight_offsets;
    const float *rest_weights; ///< [weight_count], morph weights in the rest pose

    int32_t curve_count;            ///< number of curves
    const char *const *curve_names; ///< [curve_count], UTF-8, unique, never "", in the definition's order
    const float *rest_curves;       ///< [curve_count], each curve's value when no clip animates it

    /// Number of sheared nodes. Usually 0, because shear only comes from files that have sheared matrices. The
    /// local matrix of node shear_nodes[k] is T R S × shears[k] in every pose. Other nodes have T R S (translation
    /// × rotation × scale).
    int32_t shear_count;
    const int32_t *shear_nodes; ///< [shear_count], in increasing order
    const sinew_affine *shears; ///< [shear_count]
} sinew_skeleton;

/// Defines one node.
typedef struct sinew_node_def {
    const char *name;     ///< UTF-8; NULL means ""
    int32_t parent;       ///< the parent's source index, or SINEW_NO_NODE; a parent can come after its children
    sinew_transform rest; ///< local transform; the rotation is normalized if necessary
    int32_t weight_count; ///< number of morph weights, usually 0
    const float *rest_weights; ///< [weight_count]; NULL means all 0
    const sinew_affine *shear; ///< makes the local matrix T R S × shear in every pose; NULL means no shear
    bool excluded;             ///< leaves the node out; it can't be a parent, and its other fields are ignored
} sinew_node_def;

/// Defines a skeleton. Everything is copied, including names. Start from sinew_skeleton_default.
typedef struct sinew_skeleton_def {
    int32_t node_count;             ///< 0 to SINEW_MAX_NODES, including excluded nodes
    const sinew_node_def *nodes;    ///< [node_count], in any order
    int32_t curve_count;            ///< 0 or more
    const char *const *curve_names; ///< [curve_count], UTF-8, unique, not NULL or ""
    const float *rest_curves;       ///< [curve_count], finite; NULL means all 0
    sinew_allocator allocator;      ///< defaults to the C library's heap
    uint32_t cookie;                ///< private: set by sinew_skeleton_default
} sinew_skeleton_def;

/// The maximum number of nodes in a skeleton.
#define SINEW_MAX_NODES 1000000

/// Returns the default definition: no nodes, no curves, and the C library's heap.
SINEW_API sinew_skeleton_def sinew_skeleton_default(void);

/// Creates a skeleton. Free it with sinew_skeleton_destroy. Siblings keep their source order. `error` may be NULL.
/// On failure, `*skeleton` is NULL. Errors:
///   - SINEW_ERROR_ARGUMENT: a parent is missing or excluded, there's a cycle, a transform, shear or curve isn't
///     finite, a count is negative, or a curve is unnamed or a duplicate. The message identifies the node or curve.
///   - SINEW_ERROR_LIMIT: there are more than SINEW_MAX_NODES nodes, or more than about 2^31 morph weights and
///     curves.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_skeleton_create(const sinew_skeleton_def *def, sinew_skeleton **skeleton,
                                             sinew_error *error);

/// Frees a skeleton from sinew_skeleton_create. NULL is allowed. First destroy the clips, skins, poses and mixers
/// that use it. Don't pass an asset's skeleton, because the asset frees it.
SINEW_API void sinew_skeleton_destroy(sinew_skeleton *skeleton);

/// Returns the first node called `name`, or SINEW_NO_NODE if there isn't one. Names are case-sensitive. "" finds
/// the first unnamed node. This is a linear search, so look names up once instead of every frame.
SINEW_API int32_t sinew_skeleton_find(const sinew_skeleton *skeleton, const char *name);

/// An invalid curve index. Returned when a search finds nothing.
#define SINEW_NO_CURVE (-1)

/// Returns the curve called `name`, or SINEW_NO_CURVE if there isn't one. Names are case-sensitive. Look names up
/// once, then use the index to read the curve from `curves` in sinew_pose, or from sinew_mixer_curves.
SINEW_API int32_t sinew_skeleton_find_curve(const sinew_skeleton *skeleton, const char *name);

#ifdef __cplusplus
}
#endif
#endif
