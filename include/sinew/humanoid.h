// SPDX-License-Identifier: MIT
/// Humanoid roles: which node of a skeleton is the hips, the left upper arm, and so on.
///
/// The roles are the human bones of VRM 1.0 (VRMC_vrm, humanoid.md), with its names. They come from the VRM data of a
/// file (`humanoid` of sinew_asset), from a map file (sinew_humanoid_read_file), from a guess by names and shape
/// (sinew_humanoid_guess), or from the program. docs/humanoid.md describes the map file, the names and the checks.
///
///     sinew_humanoid humanoid;
///     if (asset->humanoid) humanoid = *asset->humanoid;
///     else if (sinew_humanoid_guess(asset->skeleton, asset->up, NULL, &humanoid, NULL, &error) != SINEW_OK) ...
///
/// A role is an int32_t from 0 to SINEW_HUMANOID_ROLE_COUNT - 1, one of sinew_humanoid_role; other values are asserted.
/// All functions may be called from any thread.
#ifndef SINEW_HUMANOID_H
#define SINEW_HUMANOID_H

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The number of roles.
#define SINEW_HUMANOID_ROLE_COUNT 55

/// No role: what a search returns that finds none.
#define SINEW_NO_ROLE (-1)

/// The roles. Left and right are the character's own. "Required": VRM 1.0 requires it; see sinew_humanoid_is_required.
typedef enum sinew_humanoid_role {
    SINEW_HUMANOID_HIPS,        ///< required; the ancestor of all other roles
    SINEW_HUMANOID_SPINE,       ///< required
    SINEW_HUMANOID_CHEST,       ///< optional
    SINEW_HUMANOID_UPPER_CHEST, ///< optional; only with a chest
    SINEW_HUMANOID_NECK,        ///< optional

    SINEW_HUMANOID_HEAD,      ///< required
    SINEW_HUMANOID_LEFT_EYE,  ///< optional
    SINEW_HUMANOID_RIGHT_EYE, ///< optional
    SINEW_HUMANOID_JAW,       ///< optional

    SINEW_HUMANOID_LEFT_UPPER_LEG,  ///< required
    SINEW_HUMANOID_LEFT_LOWER_LEG,  ///< required
    SINEW_HUMANOID_LEFT_FOOT,       ///< required
    SINEW_HUMANOID_LEFT_TOES,       ///< optional
    SINEW_HUMANOID_RIGHT_UPPER_LEG, ///< required
    SINEW_HUMANOID_RIGHT_LOWER_LEG, ///< required
    SINEW_HUMANOID_RIGHT_FOOT,      ///< required
    SINEW_HUMANOID_RIGHT_TOES,      ///< optional

    SINEW_HUMANOID_LEFT_SHOULDER,   ///< optional; the collar bone
    SINEW_HUMANOID_LEFT_UPPER_ARM,  ///< required
    SINEW_HUMANOID_LEFT_LOWER_ARM,  ///< required
    SINEW_HUMANOID_LEFT_HAND,       ///< required
    SINEW_HUMANOID_RIGHT_SHOULDER,  ///< optional; the collar bone
    SINEW_HUMANOID_RIGHT_UPPER_ARM, ///< required
    SINEW_HUMANOID_RIGHT_LOWER_ARM, ///< required
    SINEW_HUMANOID_RIGHT_HAND,      ///< required

    SINEW_HUMANOID_LEFT_THUMB_METACARPAL,    ///< optional, as all fingers; the joint nearest to the wrist
    SINEW_HUMANOID_LEFT_THUMB_PROXIMAL,      ///< the second joint
    SINEW_HUMANOID_LEFT_THUMB_DISTAL,        ///< the third joint
    SINEW_HUMANOID_LEFT_INDEX_PROXIMAL,      ///< the knuckle, the first joint after the palm
    SINEW_HUMANOID_LEFT_INDEX_INTERMEDIATE,  ///< the second joint
    SINEW_HUMANOID_LEFT_INDEX_DISTAL,        ///< the third joint
    SINEW_HUMANOID_LEFT_MIDDLE_PROXIMAL,     ///< as the index finger's
    SINEW_HUMANOID_LEFT_MIDDLE_INTERMEDIATE, ///< as the index finger's
    SINEW_HUMANOID_LEFT_MIDDLE_DISTAL,       ///< as the index finger's
    SINEW_HUMANOID_LEFT_RING_PROXIMAL,       ///< as the index finger's
    SINEW_HUMANOID_LEFT_RING_INTERMEDIATE,   ///< as the index finger's
    SINEW_HUMANOID_LEFT_RING_DISTAL,         ///< as the index finger's
    SINEW_HUMANOID_LEFT_LITTLE_PROXIMAL,     ///< as the index finger's
    SINEW_HUMANOID_LEFT_LITTLE_INTERMEDIATE, ///< as the index finger's
    SINEW_HUMANOID_LEFT_LITTLE_DISTAL,       ///< as the index finger's

    SINEW_HUMANOID_RIGHT_THUMB_METACARPAL,    ///< optional, as all fingers; the joint nearest to the wrist
    SINEW_HUMANOID_RIGHT_THUMB_PROXIMAL,      ///< the second joint
    SINEW_HUMANOID_RIGHT_THUMB_DISTAL,        ///< the third joint
    SINEW_HUMANOID_RIGHT_INDEX_PROXIMAL,      ///< the knuckle, the first joint after the palm
    SINEW_HUMANOID_RIGHT_INDEX_INTERMEDIATE,  ///< the second joint
    SINEW_HUMANOID_RIGHT_INDEX_DISTAL,        ///< the third joint
    SINEW_HUMANOID_RIGHT_MIDDLE_PROXIMAL,     ///< as the index finger's
    SINEW_HUMANOID_RIGHT_MIDDLE_INTERMEDIATE, ///< as the index finger's
    SINEW_HUMANOID_RIGHT_MIDDLE_DISTAL,       ///< as the index finger's
    SINEW_HUMANOID_RIGHT_RING_PROXIMAL,       ///< as the index finger's
    SINEW_HUMANOID_RIGHT_RING_INTERMEDIATE,   ///< as the index finger's
    SINEW_HUMANOID_RIGHT_RING_DISTAL,         ///< as the index finger's
    SINEW_HUMANOID_RIGHT_LITTLE_PROXIMAL,     ///< as the index finger's
    SINEW_HUMANOID_RIGHT_LITTLE_INTERMEDIATE, ///< as the index finger's
    SINEW_HUMANOID_RIGHT_LITTLE_DISTAL        ///< as the index finger's
} sinew_humanoid_role;

/// Where the roles come from.
typedef enum sinew_humanoid_source {
    SINEW_HUMANOID_SOURCE_PROGRAM, ///< the program
    SINEW_HUMANOID_SOURCE_VRM_0,   ///< the extension VRM (VRM 0.x) of a glTF file
    SINEW_HUMANOID_SOURCE_VRM_1,   ///< the extension VRMC_vrm (VRM 1.0) of a glTF file
    SINEW_HUMANOID_SOURCE_MAP,     ///< a map file
    SINEW_HUMANOID_SOURCE_GUESS    ///< sinew_humanoid_guess
} sinew_humanoid_source;

/// The roles of a skeleton. A node has at most one role. Programs may fill it themselves: start from
/// sinew_humanoid_empty.
typedef struct sinew_humanoid {
    int32_t nodes[SINEW_HUMANOID_ROLE_COUNT]; ///< the node of each role, by sinew_humanoid_role; or SINEW_NO_NODE
    sinew_humanoid_source source;             ///< where they come from
} sinew_humanoid;

// ---- Roles ---------------------------------------------------------------------------------------------------

/// Returns a humanoid without any role, of SINEW_HUMANOID_SOURCE_PROGRAM.
SINEW_API sinew_humanoid sinew_humanoid_empty(void);

/// Returns the name of a role in VRM 1.0, such as "leftUpperArm". Static storage.
SINEW_API const char *sinew_humanoid_role_name(int32_t role);

/// Returns the role of that name, or SINEW_NO_ROLE. Case-sensitive.
SINEW_API int32_t sinew_humanoid_find_role(const char *name);

/// Returns whether VRM 1.0 requires the role: hips, spine, head, both upper and lower legs, feet, upper and lower arms,
/// and hands; 15 roles.
SINEW_API bool sinew_humanoid_is_required(int32_t role);

/// Returns the parent of a role in the hierarchy of VRM 1.0, such as the chest's, the spine; SINEW_NO_ROLE for the hips.
/// It may be optional: if a humanoid lacks it, take its own parent.
SINEW_API int32_t sinew_humanoid_role_parent(int32_t role);

/// Returns the same role of the other side: leftHand for rightHand. A role without a side is its own.
SINEW_API int32_t sinew_humanoid_role_mirror(int32_t role);

/// Returns the role of a node, or SINEW_NO_ROLE.
SINEW_API int32_t sinew_humanoid_role_of(const sinew_humanoid *humanoid, int32_t node);

#ifdef __cplusplus
}
#endif
#endif
