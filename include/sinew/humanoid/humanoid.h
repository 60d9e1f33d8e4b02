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

#include "../skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The number of roles.
#define SINEW_HUMANOID_ROLE_COUNT 55

/// No role: what a search returns that finds none.
#define SINEW_NO_ROLE (-1)

/// The roles. Left and right are the character's own. "Required": VRM 1.0 requires it; see sinew_humanoid_is_required.
typedef enum sinew_humanoid_role {
    SINEW_HUMANOID_HIPS,        ///< required; the ancestor of all other roles, except detached ones
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
    SINEW_HUMANOID_SOURCE_VRM_1,   ///< the extension VRMC_vrm or VRMC_vrm_animation (VRM 1.0) of a glTF file
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

/// Returns the parent of a role in the hierarchy of VRM 1.0, such as the chest's, the spine; SINEW_NO_ROLE for the
/// hips. It may be optional: if a humanoid lacks it, take its own parent.
SINEW_API int32_t sinew_humanoid_role_parent(int32_t role);

/// Returns the role of a node, or SINEW_NO_ROLE.
SINEW_API int32_t sinew_humanoid_role_of(const sinew_humanoid *humanoid, int32_t node);

// ---- Shape ---------------------------------------------------------------------------------------------------

/// What a role rests on.
typedef enum sinew_humanoid_evidence {
    SINEW_HUMANOID_EVIDENCE_NONE,  ///< the role is absent
    SINEW_HUMANOID_EVIDENCE_GIVEN, ///< VRM data, a map file or the program
    SINEW_HUMANOID_EVIDENCE_NAME,  ///< the name of the node
    SINEW_HUMANOID_EVIDENCE_SHAPE  ///< the position of the node between nodes of known roles
} sinew_humanoid_evidence;

/// What a finding is about. The comment says which confidences (sinew_humanoid_report) it lowers, and to what.
typedef enum sinew_humanoid_finding_kind {
    SINEW_HUMANOID_FINDING_MISSING, ///< a required role is absent: 0
    /// Another node would do as well for the role; the first in the skeleton's order was taken: × 0.75
    SINEW_HUMANOID_FINDING_AMBIGUOUS,
    SINEW_HUMANOID_FINDING_DETACHED, ///< the node is no descendant of the node of its parent role: × 0.5
    SINEW_HUMANOID_FINDING_SIDE,     ///< left is not left of right, as for the legs: 0 for both
    /// Left and right are swapped: the toes and eyes point to where the sides say that the back is: 0 for all sides
    SINEW_HUMANOID_FINDING_SWAPPED,
    SINEW_HUMANOID_FINDING_BELOW, ///< the foot is not below upper leg and hips: 0 for the leg
    /// The line from hips to head is more than 45 degrees from up: 0 for hips, spine and head
    SINEW_HUMANOID_FINDING_LYING,
    /// The length of a bone differs from the other side's by more than a quarter, or is 0: × 0.5
    SINEW_HUMANOID_FINDING_UNEQUAL
} sinew_humanoid_finding_kind;

/// A finding of a check. sinew_humanoid_finding_text writes it as a sentence.
typedef struct sinew_humanoid_finding {
    sinew_humanoid_finding_kind kind; ///< what it is about
    int32_t role;                     ///< the role; of SWAPPED and LYING, the hips
    int32_t node;                     ///< the role's node, or SINEW_NO_NODE
    int32_t other; ///< AMBIGUOUS: the other node. DETACHED: the parent role's node. Else SINEW_NO_NODE
} sinew_humanoid_finding;

/// The largest number of findings that a report lists.
#define SINEW_MAX_HUMANOID_FINDINGS 64

/// The smallest score of a guess.
#define SINEW_HUMANOID_MIN_SCORE 0.75f

/// How far the rest pose confirms the roles.
typedef struct sinew_humanoid_report {
    /// The mean confidence of the 15 required roles, 0 to 1. 1: each of them has a name that is known, or is given, and
    /// passes every check.
    float score;
    /// 0 to 1, by role: 1 for a role that is given or rests on a name, 0.5 for one that rests on shape, 0 for an absent
    /// one; multiplied by the factor of each finding about it.
    float confidences[SINEW_HUMANOID_ROLE_COUNT];
    sinew_humanoid_evidence evidence[SINEW_HUMANOID_ROLE_COUNT]; ///< by role
    /// The direction in which the character faces: horizontal, unit, in model space; zero if no pair of roles tells it.
    sinew_vec3 forward;
    int32_t finding_count; ///< number of findings; may exceed SINEW_MAX_HUMANOID_FINDINGS
    sinew_humanoid_finding findings[SINEW_MAX_HUMANOID_FINDINGS]; ///< [finding_count], the first of them
} sinew_humanoid_report;

/// Checks the roles by the rest pose and fills `report`: required roles, order along the chains, sides, posture,
/// lengths. Roles that are given have SINEW_HUMANOID_EVIDENCE_GIVEN. Findings do not make it fail.
/// SINEW_ERROR_ARGUMENT, with the role in `error`, which may be NULL, for a node that the skeleton does not have or
/// that has two roles. The time is linear in the depth of the skeleton.
SINEW_API sinew_result sinew_humanoid_check(const sinew_skeleton *skeleton, sinew_up up,
                                            const sinew_humanoid *humanoid, sinew_humanoid_report *report,
                                            sinew_error *error);

/// Writes a finding as a sentence without a period, escaped (sinew_escape) and truncated to `size` bytes with the
/// terminating zero. Returns the length of the whole sentence, as snprintf does. `text` may be NULL if `size` is 0.
SINEW_API size_t sinew_humanoid_finding_text(const sinew_skeleton *skeleton, const sinew_humanoid_finding *finding,
                                             char *text, size_t size);

// ---- Guess ---------------------------------------------------------------------------------------------------

/// Guesses the roles by the names of the nodes and by the hierarchy, and checks them by the rest pose as
/// sinew_humanoid_check does. Known are the names of Mixamo, Unreal, Unity, Blender's metarig and Rigify (DEF-), 3ds
/// Max Biped, VRM and VRoid, BVH files, Quaternius, KayKit, Character Creator and Daz; docs/humanoid.md has the rules.
/// The order of the nodes, prefixes of names and the direction in which the character faces do not matter. Nodes
/// between those of two roles are allowed. If no name is known, the roles are found by shape alone; their score is at
/// most 0.5.
///
/// SINEW_ERROR_UNSUPPORTED if a required role is absent or has a confidence of 0, or the score is less than
/// SINEW_HUMANOID_MIN_SCORE: `error` says why, and `humanoid` and `report` have what was found, to be completed in a
/// map file. SINEW_ERROR_OUT_OF_MEMORY. `allocator` is for temporary memory; it, `report` and `error` may be NULL.
/// Linear in the size of the skeleton.
SINEW_API sinew_result sinew_humanoid_guess(const sinew_skeleton *skeleton, sinew_up up,
                                            const sinew_allocator *allocator, sinew_humanoid *humanoid,
                                            sinew_humanoid_report *report, sinew_error *error);

// ---- Chains --------------------------------------------------------------------------------------------------

/// A chain of nodes with a name: a tail, an ear, a leg of an animal.
typedef struct sinew_humanoid_chain {
    const char *name;     ///< such as "tail"
    const int32_t *nodes; ///< [node_count], from the root to the tip, each a descendant of the one before
    int32_t node_count;   ///< at least 1
} sinew_humanoid_chain;

/// The largest number of chains that a map file may have.
#define SINEW_MAX_HUMANOID_CHAINS 256

/// The named chains of a skeleton. Programs may fill it themselves.
typedef struct sinew_humanoid_chains {
    int32_t count;                      ///< number of chains
    const sinew_humanoid_chain *chains; ///< [count], with different names
} sinew_humanoid_chains;

// ---- Map files -----------------------------------------------------------------------------------------------

/// Reads the text of a map file, which is JSON and has roles, chains or both (docs/humanoid.md):
///
///     {"sinewHumanoid": 1, "roles": {"hips": "mixamorig:Hips", "spine": "#4"},
///      "chains": {"tail": ["Tail1", "Tail2"], "frontLeftLeg": "Shoulder.L..Paw.L"}}
///
/// A node is its name, or # and its source index. A chain is a list of nodes, or the first and the last with two dots
/// between. The key // is a comment. Roles may be missing: sinew_humanoid_check tells which. A map without roles gives
/// a humanoid without any, one without chains 0 of them.
///
/// `humanoid` and `chains` may be NULL: not wanted. Free the chains with sinew_humanoid_chains_destroy; `allocator` is
/// copied for them; it and `error` may be NULL.
///
/// SINEW_ERROR_FORMAT, with line and column in `error`, for a text that is not JSON or not a map, a node that the
/// skeleton does not have or has several times, a node with two roles or in two chains, a chain that is not one, two
/// chains of one name, and more than SINEW_MAX_HUMANOID_CHAINS; SINEW_ERROR_OUT_OF_MEMORY. On failure `humanoid` is not
/// changed and `*chains` is NULL. Any bytes are safe.
SINEW_API sinew_result sinew_humanoid_read_memory(const char *text, size_t size, const sinew_skeleton *skeleton,
                                                  const sinew_allocator *allocator, sinew_humanoid *humanoid,
                                                  sinew_humanoid_chains **chains, sinew_error *error);

/// The same from a regular file of at most 64 MiB. SINEW_ERROR_IO if it cannot be read. Messages start with the path.
SINEW_API sinew_result sinew_humanoid_read_file(const char *path, const sinew_skeleton *skeleton,
                                                const sinew_allocator *allocator, sinew_humanoid *humanoid,
                                                sinew_humanoid_chains **chains, sinew_error *error);

/// Frees chains that were read. NULL is allowed.
SINEW_API void sinew_humanoid_chains_destroy(sinew_humanoid_chains *chains);

/// Writes the text of a map file, truncated to `size` bytes with the terminating zero. `humanoid` and `chains` may be
/// NULL: left out. Absent roles that are required are null, which reads as absent. Returns the length of the whole
/// text, as snprintf does. `text` may be NULL if `size` is 0.
SINEW_API size_t sinew_humanoid_write(const sinew_skeleton *skeleton, const sinew_humanoid *humanoid,
                                      const sinew_humanoid_chains *chains, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
