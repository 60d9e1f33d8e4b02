// SPDX-License-Identifier: MIT
/// Mirroring: poses, clips and root motion of a character with left and right exchanged.
///
/// A *mirror map* is made once for a skeleton. It gives each node its *counterpart*: for a node with a humanoid role
/// (humanoid.h) the node of the same role of the other side, and for other nodes that whose name has the other word for
/// the side (sinew_mirror_name): "Hair_L" and "Hair_R", "Socket.Left" and "Socket.Right". A node without a side, such
/// as the spine, is its own counterpart. docs/howto/mirror.md shows how to use it.
///
///     sinew_mirror_pose(mirror, sinew_mixer_pose(mixer), pose); // both may be the same pose
///
/// A mirrored node is in model space where the mirror image of its counterpart is. With M the reflection in the plane
/// of symmetry, R the rotation of a node in model space in the *reference pose*, by default the rest pose, and i' the
/// counterpart of node i, let Q(i) = R(i)^-1 M R(i'). Then the local rotation and translation of node i are
///
///     rotation     Q(parent) × rotation(i') × Q(i)^-1
///     translation  reference(i) + Q(parent) × (translation(i') - reference(i'))
///
/// so left and right joints may have any axes, and the mirrored reference pose is the reference pose. A
/// component of the scale changes in the ratio of the references, and is that of the nearest axis of the counterpart:
/// exact for uniform scales and for axes that differ by quarter turns. Mirroring twice gives the same pose within
/// rounding. If the reference pose is not symmetric, the character keeps its own lengths, and the mirrored motion is
/// relative to its own reference.
///
/// Nodes with a side and without a counterpart, such as a sheath on one hip, keep their local transforms, and so do the
/// nodes below them and those below a hand that only one hand has: a sword stays in its hand. Nodes must not have
/// negative scale; shears are ignored.
///
/// A map is const after creation and may be used by any number of threads at once. sinew_mirror_pose and
/// sinew_mirror_root_delta allocate nothing, and give the same bits on every machine.
#ifndef SINEW_MIRROR_H
#define SINEW_MIRROR_H

#include "../clip.h"
#include "humanoid.h"
#include "../root_motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a map is made from. Everything is copied except the skeleton. Start from sinew_mirror_default.
typedef struct sinew_mirror_def {
    const sinew_skeleton *skeleton; ///< must be set, and outlive the map
    const sinew_humanoid *humanoid; ///< the roles; NULL, the default: names alone
    /// [weight_count of the skeleton], the names of its morph weights, each may be NULL: weights of a node and of its
    /// counterpart whose names are mirror names of each other are exchanged, others with that of the same order. NULL,
    /// the default: without names.
    const char *const *weight_names;
    const sinew_pose *reference; ///< a symmetric pose; NULL, the default: the rest pose
    /// A normal of the plane of symmetry in model space, horizontal, of any length. 0, the default: the mean direction
    /// from right nodes to left ones in the reference pose, of roles if there are any, or the axis of model space that
    /// is within 5 degrees of it.
    sinew_vec3 normal;
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_mirror_default
} sinew_mirror_def;

/// A mirror map, read-only. Only maps made by sinew_mirror_create are valid. The array belongs to the map.
typedef struct sinew_mirror {
    const sinew_skeleton *skeleton; ///< the skeleton whose poses it mirrors
    /// [node_count of the skeleton], the counterpart of each node; the node itself in the middle; SINEW_NO_NODE for a
    /// node that keeps its local transform.
    const int32_t *counterparts;
    sinew_vec3 normal; ///< unit, of the plane of symmetry in model space
    /// The largest distance in the reference pose between a left node and the mirror image of its counterpart, in
    /// metres, with the plane in the middle of all pairs: of nodes with roles, or of names if no role has a
    /// counterpart.
    float asymmetry;
    int32_t asymmetric_node;              ///< the node with that distance, or SINEW_NO_NODE if it is 0
    const struct sinew_mirror_data *data; ///< private
} sinew_mirror;

/// Returns the default definition: no skeleton, the C library's heap.
SINEW_API sinew_mirror_def sinew_mirror_default(void);

/// Creates a map; free it with sinew_mirror_destroy. SINEW_ERROR_ARGUMENT for a role's node that does not exist or has
/// two roles, a reference of another skeleton, a normal that is not finite, and if there is neither a normal nor a pair
/// whose positions differ. SINEW_ERROR_UNSUPPORTED if the nodes above a left and a right role are no counterparts, as
/// where one side has a joint more. SINEW_ERROR_OUT_OF_MEMORY. On failure `*mirror` is NULL. `error` may be NULL. Any
/// thread.
SINEW_API sinew_result sinew_mirror_create(const sinew_mirror_def *def, sinew_mirror **mirror, sinew_error *error);

/// Frees a map. NULL is allowed. Any thread.
SINEW_API void sinew_mirror_destroy(sinew_mirror *mirror);

/// Writes the mirrored pose, morph weights included. Curves whose names are mirror names of each other, such as
/// "FootPlant_L" and "FootPlant_R", exchange their values; the others keep theirs. `mirrored` may be `pose`. Both must
/// be of the map's skeleton (asserted). Any thread, as long as no other uses the poses.
SINEW_API void sinew_mirror_pose(const sinew_mirror *mirror, const sinew_pose *pose, sinew_pose *mirrored);

/// Returns the mirrored motion of a step (sinew_mixer_root_delta), for a program that mirrors the mixer's pose. The
/// motion of a mirrored clip is mirrored already. Any thread.
SINEW_API sinew_root_delta sinew_mirror_root_delta(const sinew_mirror *mirror, sinew_root_delta delta);

/// Makes the mirrored clip: its pose at any time is the mirrored pose of the clip at that time, root motion included.
/// The keys are converted, with any interpolation, and not resampled. Of markers the names are mirrored
/// (sinew_mirror_name): "Foot_L" becomes "Foot_R". The name is `name`, or that of the clip if it is NULL. Duration and
/// key format are the clip's, which must be of the map's skeleton (asserted).
///
/// Free it with sinew_clip_destroy; the skeleton must outlive it, the map and the clip need not. `allocator` and
/// `error` may be NULL. SINEW_ERROR_ARGUMENT for an additive clip; SINEW_ERROR_OUT_OF_MEMORY. On failure `*mirrored` is
/// NULL. Any thread.
SINEW_API sinew_result sinew_clip_mirror(const sinew_mirror *mirror, const sinew_clip *clip, const char *name,
                                         const sinew_allocator *allocator, sinew_clip **mirrored,
                                         sinew_error *error);

/// Writes a name with left and right exchanged, truncated to `size` bytes with the terminating zero. Returns the length
/// of the whole name, as snprintf does. `text` may be NULL if `size` is 0. Words end at separators, digits and changes
/// of case. Exchanged are the words l and r, left and right, lf and rt, lft and rgt, and left and right at the start of
/// a word, as in "leftarm"; their case stays. Other names are copied. Any thread.
SINEW_API size_t sinew_mirror_name(const char *name, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
