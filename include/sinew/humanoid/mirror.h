// SPDX-License-Identifier: MIT
/// Mirroring: swaps left and right in poses, clips and root motion.
///
///     sinew_mirror_pose(mirror, sinew_mixer_pose(mixer), pose); // both can be the same pose
///
/// You create a *mirror map* once per skeleton. The map stores each node's *counterpart*. If a node has a humanoid
/// role (humanoid.h), its counterpart is the node with the same role on the other side. Other nodes are matched by
/// name (sinew_mirror_name), for example "Hair_L" and "Hair_R". A node that has no side, such as the spine, is its
/// own counterpart. See docs/howto/mirror.md for a guide, and the end of this header for the formulas.
///
/// A node that has a side but no counterpart, such as a sheath on one hip, keeps its local transform, and so do
/// its descendants. The same applies to nodes that only exist below one of the hands, so a sword stays in its
/// hand. Nodes must not have negative scale. Shear is ignored.
///
/// A map never changes after creation. You can call all functions from any thread, as long as no other thread
/// uses the same poses. `error` may be NULL. sinew_mirror_pose and sinew_mirror_root_delta don't allocate, and
/// results are bit-identical on every machine.
#ifndef SINEW_MIRROR_H
#define SINEW_MIRROR_H

#include "../clip.h"
#include "humanoid.h"
#include "../root_motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Parameters for sinew_mirror_create. Everything is copied except the skeleton. Start from sinew_mirror_default.
typedef struct sinew_mirror_def {
    const sinew_skeleton *skeleton; ///< required; must outlive the map
    const sinew_humanoid *humanoid; ///< the roles; NULL (default) means that only names are used
    /// [weight_count], names of the skeleton's morph weights. Each name can be NULL. Weights with mirrored names
    /// are swapped between a node and its counterpart. All other weights are paired in order. NULL (default) means
    /// no names.
    const char *const *weight_names;
    const sinew_pose *reference; ///< a symmetric pose; NULL (default) means the rest pose
    /// Normal of the symmetry plane in model space. Must be horizontal, and can have any length. If it's zero
    /// (default), the normal is the mean direction from right nodes to left nodes in the reference pose. It snaps
    /// to an axis if it's within 5 degrees of one. If any nodes have roles, only those nodes are used.
    sinew_vec3 normal;
    sinew_allocator allocator; ///< zero (default) means the C library's heap
    uint32_t cookie;           ///< private: set by sinew_mirror_default
} sinew_mirror_def;

/// A mirror map. Read-only. Use sinew_mirror_create to create one. The map owns the array.
typedef struct sinew_mirror {
    const sinew_skeleton *skeleton; ///< the skeleton that poses must use
    /// Each node's counterpart. The array has the skeleton's node_count entries. Nodes in the middle are their own
    /// counterparts. SINEW_NO_NODE means that the node keeps its local transform.
    const int32_t *counterparts;
    sinew_vec3 normal; ///< unit normal of the symmetry plane, in model space
    /// How asymmetric the reference pose is. This is the largest distance between a left node and its mirrored
    /// counterpart, in meters. The plane runs through the middle of all pairs. Only nodes with roles are used, or
    /// nodes paired by name if no role has a counterpart.
    float asymmetry;
    int32_t asymmetric_node;              ///< the node with the largest distance, or SINEW_NO_NODE if that's 0
    const struct sinew_mirror_data *data; ///< private
} sinew_mirror;

/// Returns the defaults above. You must set `skeleton`.
SINEW_API sinew_mirror_def sinew_mirror_default(void);

/// Creates a map. Free it with sinew_mirror_destroy. On failure `*mirror` is NULL. Fails with:
///   - SINEW_ERROR_ARGUMENT if a role's node doesn't exist or has two roles, if the reference pose has a
///     different skeleton, if the normal isn't finite, or if there is no normal and no pair with distinct
///     positions.
///   - SINEW_ERROR_UNSUPPORTED if the nodes above a left and a right role aren't counterparts, for example
///     because one side has an extra joint.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_mirror_create(const sinew_mirror_def *def, sinew_mirror **mirror, sinew_error *error);

/// Frees a map. NULL is allowed.
SINEW_API void sinew_mirror_destroy(sinew_mirror *mirror);

/// Mirrors a pose, including morph weights and curves. Curves with mirrored names, such as "FootPlant_L" and
/// "FootPlant_R", swap their values. You can pass the same pose twice to mirror it in place. Both poses must use
/// the map's skeleton (asserted).
SINEW_API void sinew_mirror_pose(const sinew_mirror *mirror, const sinew_pose *pose, sinew_pose *mirrored);

/// Mirrors the root motion of a step (sinew_mixer_root_delta). Use this if you mirror the mixer's pose. You don't
/// need it for mirrored clips, because their root motion is already mirrored.
SINEW_API sinew_root_delta sinew_mirror_root_delta(const sinew_mirror *mirror, sinew_root_delta delta);

/// Creates a mirrored clip. At any time, its pose is the original clip's pose, mirrored, including root motion.
/// Keys are converted rather than resampled, whatever their interpolation. Marker names are also mirrored, so
/// "Foot_L" becomes "Foot_R". Duration and key format stay the same. Pass NULL for `name` to keep the original's
/// name. The clip must use the map's skeleton (asserted).
///
/// Free the new clip with sinew_clip_destroy. The skeleton must outlive it, but it doesn't need the map or the
/// original clip. `allocator` may be NULL. Fails with SINEW_ERROR_ARGUMENT if the clip is additive, or with
/// SINEW_ERROR_OUT_OF_MEMORY. On failure `*mirrored` is NULL.
SINEW_API sinew_result sinew_clip_mirror(const sinew_mirror *mirror, const sinew_clip *clip, const char *name,
                                         const sinew_allocator *allocator, sinew_clip **mirrored,
                                         sinew_error *error);

/// Swaps left and right in a name, and writes the result to `text`. It is truncated to `size` bytes, including
/// the terminating zero. Returns the length of the full name, like snprintf. `text` can be NULL if `size` is 0.
///
/// These words are swapped: l and r, left and right, lf and rt, lft and rgt. Case is preserved. Words end at
/// separators, digits and case changes. Left and right are also recognized at the start of a longer word, such as
/// "leftarm". Names without any of these words are copied.
SINEW_API size_t sinew_mirror_name(const char *name, char *text, size_t size);

// ---- How poses are mirrored ----------------------------------------------------------------------------------

// In model space, a mirrored node is the mirror image of its counterpart. Let M be the reflection in the symmetry
// plane, and let i' be the counterpart of node i. Let R(i) be node i's model-space rotation in the *reference
// pose*, which is the rest pose by default. Define Q(i) = R(i)^-1 M R(i'). Then node i gets this local transform:
//
//     rotation     Q(parent) × rotation(i') × Q(i)^-1
//     translation  reference(i) + Q(parent) × (translation(i') - reference(i'))
//
// This way, the axes of left and right joints don't have to match, and mirroring the reference pose doesn't change
// it. Each scale component comes from the counterpart's nearest axis, multiplied by the ratio of the reference
// scales. This is exact for uniform scales and for axes that differ by quarter turns. If you mirror twice, you get
// the same pose back, up to rounding. If the reference pose isn't symmetric, the character keeps its own bone
// lengths, and the mirrored motion is relative to its own reference.

#ifdef __cplusplus
}
#endif
#endif
