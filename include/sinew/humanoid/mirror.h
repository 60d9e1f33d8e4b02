// SPDX-License-Identifier: MIT
/// Mirroring: swaps left and right in poses, clips and root motion.
///
///     sinew_mirror_pose(mirror, sinew_mixer_pose(mixer), pose); // both may be the same pose
///
/// Create a *mirror map* once for a skeleton. It gives each node its *counterpart*. For a node with a humanoid
/// role (humanoid.h), that is the node with the other side's role. Other nodes are matched by name
/// (sinew_mirror_name), such as "Hair_L" and "Hair_R". A node without a side, such as the spine, is its own
/// counterpart. docs/howto/mirror.md has a guide; the formulas are at the end of this header.
///
/// A node with a side but without a counterpart, such as a sheath on one hip, keeps its local transform. So do
/// the nodes below it, and the nodes below a hand that only one hand has: a sword stays in its hand. Nodes must
/// not have negative scale. Shear is ignored.
///
/// A map is const after creation. All functions are safe to call from any thread, if no other uses the same
/// poses. `error` may be NULL. sinew_mirror_pose and sinew_mirror_root_delta don't allocate, and give the same
/// bits on every machine.
#ifndef SINEW_MIRROR_H
#define SINEW_MIRROR_H

#include "../clip.h"
#include "humanoid.h"
#include "../root_motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The definition of a map. Everything is copied except the skeleton. Start from sinew_mirror_default.
typedef struct sinew_mirror_def {
    const sinew_skeleton *skeleton; ///< must be set; must outlive the map
    const sinew_humanoid *humanoid; ///< the roles; NULL (default): names only
    /// Names of the skeleton's morph weights, [weight_count], each may be NULL. Weights with mirrored names are
    /// swapped between a node and its counterpart; all others pair up by order. NULL (default): no names.
    const char *const *weight_names;
    const sinew_pose *reference; ///< a symmetric pose; NULL (default): the rest pose
    /// Normal of the symmetry plane in model space: horizontal, any length. 0 (default): the mean direction from
    /// right nodes to left nodes in the reference pose, snapped to an axis within 5 degrees. Nodes with roles
    /// decide if there are any.
    sinew_vec3 normal;
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_mirror_default
} sinew_mirror_def;

/// A mirror map, read-only. Create it only with sinew_mirror_create. The map owns the array.
typedef struct sinew_mirror {
    const sinew_skeleton *skeleton; ///< poses to mirror have this skeleton
    /// [node_count of the skeleton]: each node's counterpart, which is the node itself in the middle.
    /// SINEW_NO_NODE for a node that keeps its local transform.
    const int32_t *counterparts;
    sinew_vec3 normal; ///< unit normal of the symmetry plane, in model space
    /// How asymmetric the reference pose is: the largest distance in metres between a left node and its mirrored
    /// counterpart. The plane is in the middle of all pairs. Counts nodes with roles, or nodes paired by name if
    /// no role has a counterpart.
    float asymmetry;
    int32_t asymmetric_node;              ///< the node with that distance; SINEW_NO_NODE if it is 0
    const struct sinew_mirror_data *data; ///< private
} sinew_mirror;

/// Returns the defaults above. `skeleton` must be set.
SINEW_API sinew_mirror_def sinew_mirror_default(void);

/// Creates a map. Free it with sinew_mirror_destroy. On failure `*mirror` is NULL. Fails with:
///   - SINEW_ERROR_ARGUMENT for a role's node that doesn't exist or has two roles, a reference of another
///     skeleton, a normal that isn't finite, or no normal and no pair with different positions.
///   - SINEW_ERROR_UNSUPPORTED if the nodes above a left and a right role aren't counterparts, for example
///     because one side has an extra joint.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_mirror_create(const sinew_mirror_def *def, sinew_mirror **mirror, sinew_error *error);

/// Frees a map, or nothing if NULL.
SINEW_API void sinew_mirror_destroy(sinew_mirror *mirror);

/// Mirrors a pose, with morph weights and curves. Curves with mirrored names, such as "FootPlant_L" and
/// "FootPlant_R", swap values. `mirrored` may be `pose`. Both must have the map's skeleton (asserted).
SINEW_API void sinew_mirror_pose(const sinew_mirror *mirror, const sinew_pose *pose, sinew_pose *mirrored);

/// Mirrors a step's root motion (sinew_mixer_root_delta). Use it if you mirror the mixer's pose; a mirrored clip
/// already has mirrored motion.
SINEW_API sinew_root_delta sinew_mirror_root_delta(const sinew_mirror *mirror, sinew_root_delta delta);

/// Creates a mirrored clip. At any time it has the clip's mirrored pose, including root motion. Keys are
/// converted, not resampled, with any interpolation. Marker names are mirrored: "Foot_L" becomes "Foot_R".
/// Duration and key format stay. `name` may be NULL to keep the clip's name. The clip must have the map's
/// skeleton (asserted).
///
/// Free it with sinew_clip_destroy. The skeleton must outlive it; map and clip needn't. `allocator` may be NULL.
/// Fails with SINEW_ERROR_ARGUMENT for an additive clip, or with SINEW_ERROR_OUT_OF_MEMORY. On failure
/// `*mirrored` is NULL.
SINEW_API sinew_result sinew_clip_mirror(const sinew_mirror *mirror, const sinew_clip *clip, const char *name,
                                         const sinew_allocator *allocator, sinew_clip **mirrored,
                                         sinew_error *error);

/// Writes a name with left and right swapped, truncated to `size` bytes with the terminating zero. Returns the
/// length of the whole name, like snprintf. `text` may be NULL if `size` is 0. The words are l and r, left and
/// right, lf and rt, lft and rgt. Case stays. Words end at separators, digits and changes of case, but left and
/// right also count at the start of a word, as in "leftarm". Other names are copied.
SINEW_API size_t sinew_mirror_name(const char *name, char *text, size_t size);

// ---- How poses are mirrored ----------------------------------------------------------------------------------

// In model space, a mirrored node is the mirror image of its counterpart. Let M be the reflection in the symmetry
// plane and i' the counterpart of node i. R(i) is node i's rotation in model space in the *reference pose*, by default
// the rest pose. With Q(i) = R(i)^-1 M R(i'), node i gets this local transform:
//
//     rotation     Q(parent) × rotation(i') × Q(i)^-1
//     translation  reference(i) + Q(parent) × (translation(i') - reference(i'))
//
// So left and right joints can have any axes, and mirroring the reference pose doesn't change it. Each component of the
// scale takes the counterpart's nearest axis, times the ratio of the references. This is exact for uniform scales and
// for axes that differ by quarter turns. Mirroring twice gives the same pose within rounding. If the reference pose
// isn't symmetric, the character keeps its own lengths and the mirrored motion is relative to its own reference.

#ifdef __cplusplus
}
#endif
#endif
