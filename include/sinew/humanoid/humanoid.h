// SPDX-License-Identifier: MIT
/// Humanoid roles: which node of a skeleton is the hips, the left upper arm, and so on.
///
///     sinew_humanoid humanoid;
///     if (asset->humanoid) humanoid = *asset->humanoid;
///     else if (sinew_humanoid_guess(asset->skeleton, asset->up, NULL, &humanoid, NULL, &error) != SINEW_OK) ...
///
/// The roles are VRM 1.0's human bones, with the same names (VRMC_vrm, humanoid.md). They come from a file's VRM
/// data (`humanoid` of sinew_asset), from a map file (sinew_humanoid_read_file), from a guess by names and shape
/// (sinew_humanoid_guess), or from you. docs/humanoid.md describes map files, names and checks.
///
/// A role is an int32_t with a value of sinew_humanoid_role; other values are asserted. All functions are safe to
/// call from any thread. `error` may be NULL.
#ifndef SINEW_HUMANOID_H
#define SINEW_HUMANOID_H

#include "../skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The number of roles.
#define SINEW_HUMANOID_ROLE_COUNT 55

/// No role: the result of a search that finds nothing.
#define SINEW_NO_ROLE (-1)

/// The roles. Left and right are the character's own. VRM 1.0 requires the roles marked "required".
typedef enum sinew_humanoid_role {
    SINEW_HUMANOID_HIPS,        ///< required; above all other roles, except detached ones
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

    SINEW_HUMANOID_LEFT_THUMB_METACARPAL,    ///< optional, like all fingers; the joint nearest to the wrist
    SINEW_HUMANOID_LEFT_THUMB_PROXIMAL,      ///< the second joint
    SINEW_HUMANOID_LEFT_THUMB_DISTAL,        ///< the third joint
    SINEW_HUMANOID_LEFT_INDEX_PROXIMAL,      ///< the knuckle, the first joint after the palm
    SINEW_HUMANOID_LEFT_INDEX_INTERMEDIATE,  ///< the second joint
    SINEW_HUMANOID_LEFT_INDEX_DISTAL,        ///< the third joint
    SINEW_HUMANOID_LEFT_MIDDLE_PROXIMAL,     ///< like the index finger
    SINEW_HUMANOID_LEFT_MIDDLE_INTERMEDIATE, ///< like the index finger
    SINEW_HUMANOID_LEFT_MIDDLE_DISTAL,       ///< like the index finger
    SINEW_HUMANOID_LEFT_RING_PROXIMAL,       ///< like the index finger
    SINEW_HUMANOID_LEFT_RING_INTERMEDIATE,   ///< like the index finger
    SINEW_HUMANOID_LEFT_RING_DISTAL,         ///< like the index finger
    SINEW_HUMANOID_LEFT_LITTLE_PROXIMAL,     ///< like the index finger
    SINEW_HUMANOID_LEFT_LITTLE_INTERMEDIATE, ///< like the index finger
    SINEW_HUMANOID_LEFT_LITTLE_DISTAL,       ///< like the index finger

    SINEW_HUMANOID_RIGHT_THUMB_METACARPAL,    ///< optional, like all fingers; the joint nearest to the wrist
    SINEW_HUMANOID_RIGHT_THUMB_PROXIMAL,      ///< the second joint
    SINEW_HUMANOID_RIGHT_THUMB_DISTAL,        ///< the third joint
    SINEW_HUMANOID_RIGHT_INDEX_PROXIMAL,      ///< the knuckle, the first joint after the palm
    SINEW_HUMANOID_RIGHT_INDEX_INTERMEDIATE,  ///< the second joint
    SINEW_HUMANOID_RIGHT_INDEX_DISTAL,        ///< the third joint
    SINEW_HUMANOID_RIGHT_MIDDLE_PROXIMAL,     ///< like the index finger
    SINEW_HUMANOID_RIGHT_MIDDLE_INTERMEDIATE, ///< like the index finger
    SINEW_HUMANOID_RIGHT_MIDDLE_DISTAL,       ///< like the index finger
    SINEW_HUMANOID_RIGHT_RING_PROXIMAL,       ///< like the index finger
    SINEW_HUMANOID_RIGHT_RING_INTERMEDIATE,   ///< like the index finger
    SINEW_HUMANOID_RIGHT_RING_DISTAL,         ///< like the index finger
    SINEW_HUMANOID_RIGHT_LITTLE_PROXIMAL,     ///< like the index finger
    SINEW_HUMANOID_RIGHT_LITTLE_INTERMEDIATE, ///< like the index finger
    SINEW_HUMANOID_RIGHT_LITTLE_DISTAL        ///< like the index finger
} sinew_humanoid_role;

/// Where the roles come from.
typedef enum sinew_humanoid_source {
    SINEW_HUMANOID_SOURCE_PROGRAM, ///< the program
    SINEW_HUMANOID_SOURCE_VRM_0,   ///< the extension VRM (VRM 0.x) of a glTF file
    SINEW_HUMANOID_SOURCE_VRM_1,   ///< the extension VRMC_vrm or VRMC_vrm_animation (VRM 1.0) of a glTF file
    SINEW_HUMANOID_SOURCE_MAP,     ///< a map file
    SINEW_HUMANOID_SOURCE_GUESS    ///< sinew_humanoid_guess
} sinew_humanoid_source;

/// The roles of a skeleton. A node has at most one role. To fill it yourself, start from sinew_humanoid_empty.
typedef struct sinew_humanoid {
    int32_t nodes[SINEW_HUMANOID_ROLE_COUNT]; ///< the node of each role, or SINEW_NO_NODE
    sinew_humanoid_source source;             ///< where they come from
} sinew_humanoid;

// ---- Roles ---------------------------------------------------------------------------------------------------

/// Returns a humanoid without roles, with SINEW_HUMANOID_SOURCE_PROGRAM.
SINEW_API sinew_humanoid sinew_humanoid_empty(void);

/// Returns a role's name in VRM 1.0, such as "leftUpperArm". Static storage.
SINEW_API const char *sinew_humanoid_role_name(int32_t role);

/// Returns the role with that name, or SINEW_NO_ROLE. Case-sensitive.
SINEW_API int32_t sinew_humanoid_find_role(const char *name);

/// Returns true for the 15 roles that VRM 1.0 requires: hips, spine, head, upper and lower legs, feet, upper and
/// lower arms, and hands.
SINEW_API bool sinew_humanoid_is_required(int32_t role);

/// Returns a role's parent in VRM 1.0's hierarchy, such as the spine for the chest; SINEW_NO_ROLE for the hips.
/// The parent can be an optional role. If a humanoid lacks it, take the parent's parent.
SINEW_API int32_t sinew_humanoid_role_parent(int32_t role);

/// Returns the role of a node, or SINEW_NO_ROLE.
SINEW_API int32_t sinew_humanoid_role_of(const sinew_humanoid *humanoid, int32_t node);

// ---- Shape ---------------------------------------------------------------------------------------------------

/// How a role was found.
typedef enum sinew_humanoid_evidence {
    SINEW_HUMANOID_EVIDENCE_NONE,  ///< the role is absent
    SINEW_HUMANOID_EVIDENCE_GIVEN, ///< by VRM data, a map file or the program
    SINEW_HUMANOID_EVIDENCE_NAME,  ///< by the node's name
    SINEW_HUMANOID_EVIDENCE_SHAPE  ///< by the node's position between known roles
} sinew_humanoid_evidence;

/// A problem with a role. The number is its effect on the role's confidence (sinew_humanoid_report).
typedef enum sinew_humanoid_finding_kind {
    SINEW_HUMANOID_FINDING_MISSING, ///< a required role is absent: 0
    /// Another node fits the role equally well; the first in the skeleton's order was taken: × 0.75
    SINEW_HUMANOID_FINDING_AMBIGUOUS,
    SINEW_HUMANOID_FINDING_DETACHED, ///< the node isn't below its parent role's node: × 0.5
    SINEW_HUMANOID_FINDING_SIDE,     ///< left and right are reversed, compared with the legs: 0 for both
    /// Left and right are swapped: toes and eyes point backward: 0 for all sides
    SINEW_HUMANOID_FINDING_SWAPPED,
    SINEW_HUMANOID_FINDING_BELOW, ///< the foot isn't below upper leg and hips: 0 for the leg
    /// The line from hips to head is more than 45 degrees from up: 0 for hips, spine and head
    SINEW_HUMANOID_FINDING_LYING,
    /// A bone has no length, or its length differs from the other side's by more than a quarter: × 0.5
    SINEW_HUMANOID_FINDING_UNEQUAL
} sinew_humanoid_finding_kind;

/// A problem that a check found. sinew_humanoid_finding_text turns it into a sentence.
typedef struct sinew_humanoid_finding {
    sinew_humanoid_finding_kind kind; ///< what it is about
    int32_t role;                     ///< the role; the hips for SWAPPED and LYING
    int32_t node;                     ///< the role's node, or SINEW_NO_NODE
    int32_t other; ///< AMBIGUOUS: the other node; DETACHED: the parent role's node; else SINEW_NO_NODE
} sinew_humanoid_finding;

/// The most findings that a report lists.
#define SINEW_MAX_HUMANOID_FINDINGS 64

/// The lowest score of a successful guess.
#define SINEW_HUMANOID_MIN_SCORE 0.75f

/// How well the rest pose confirms the roles.
typedef struct sinew_humanoid_report {
    /// Mean confidence of the 15 required roles, 0 to 1. 1 means that each is given or has a known name, and
    /// passes all checks.
    float score;
    /// By role, 0 to 1. Starts at 1 for a given role or a known name, 0.5 for a role found by shape, and 0 for an
    /// absent one. Each finding multiplies it.
    float confidences[SINEW_HUMANOID_ROLE_COUNT];
    sinew_humanoid_evidence evidence[SINEW_HUMANOID_ROLE_COUNT]; ///< by role
    /// Where the character faces: horizontal, unit, in model space; zero if no pair of roles tells.
    sinew_vec3 forward;
    int32_t finding_count; ///< number of findings; can exceed SINEW_MAX_HUMANOID_FINDINGS
    sinew_humanoid_finding findings[SINEW_MAX_HUMANOID_FINDINGS]; ///< the first finding_count
} sinew_humanoid_report;

/// Checks the roles against the rest pose and fills `report`. It checks required roles, order along chains,
/// sides, posture and lengths. All roles count as given. Findings don't make it fail. Fails with
/// SINEW_ERROR_ARGUMENT if a node doesn't exist or has two roles; `error` names the role. The time is linear in
/// the skeleton's depth.
SINEW_API sinew_result sinew_humanoid_check(const sinew_skeleton *skeleton, sinew_up up,
                                            const sinew_humanoid *humanoid, sinew_humanoid_report *report,
                                            sinew_error *error);

/// Writes a finding as a sentence without a period, escaped (sinew_escape) and truncated to `size` bytes with the
/// terminating zero. Returns the length of the whole sentence, like snprintf. `text` may be NULL if `size` is 0.
SINEW_API size_t sinew_humanoid_finding_text(const sinew_skeleton *skeleton, const sinew_humanoid_finding *finding,
                                             char *text, size_t size);

// ---- Guess ---------------------------------------------------------------------------------------------------

/// Guesses the roles from node names and the hierarchy, then checks them like sinew_humanoid_check. It knows the
/// names of Mixamo, Unreal, Unity, Blender's metarig and Rigify (DEF-), 3ds Max Biped, VRM and VRoid, BVH files,
/// Quaternius, KayKit, Character Creator and Daz; docs/humanoid.md has the rules. Node order, name prefixes and
/// facing direction don't matter. There may be extra nodes between two roles. If it knows no name, it goes by
/// shape alone; the score is then at most 0.5.
///
/// Fails with SINEW_ERROR_UNSUPPORTED if a required role is absent or has a confidence of 0, or if the score is
/// below SINEW_HUMANOID_MIN_SCORE. `error` says why. `humanoid` and `report` still have what was found, for you
/// to complete in a map file. Can also fail with SINEW_ERROR_OUT_OF_MEMORY. `allocator` is for temporary memory;
/// it and `report` may be NULL. The time is linear in the size of the skeleton.
SINEW_API sinew_result sinew_humanoid_guess(const sinew_skeleton *skeleton, sinew_up up,
                                            const sinew_allocator *allocator, sinew_humanoid *humanoid,
                                            sinew_humanoid_report *report, sinew_error *error);

// ---- Chains --------------------------------------------------------------------------------------------------

/// A named chain of nodes: a tail, an ear, an animal's leg.
typedef struct sinew_humanoid_chain {
    const char *name;     ///< such as "tail"
    const int32_t *nodes; ///< [node_count], from root to tip, each below the one before
    int32_t node_count;   ///< at least 1
} sinew_humanoid_chain;

/// The most chains in a map file.
#define SINEW_MAX_HUMANOID_CHAINS 256

/// The named chains of a skeleton. You can fill it yourself.
typedef struct sinew_humanoid_chains {
    int32_t count;                      ///< number of chains
    const sinew_humanoid_chain *chains; ///< [count], with unique names
} sinew_humanoid_chains;

// ---- Map files -----------------------------------------------------------------------------------------------

/// Reads a map file from JSON text. It can have roles, chains or both (docs/humanoid.md):
///
///     {"sinewHumanoid": 1, "roles": {"hips": "mixamorig:Hips", "spine": "#4"},
///      "chains": {"tail": ["Tail1", "Tail2"], "frontLeftLeg": "Shoulder.L..Paw.L"}}
///
/// Write a node as its name, or as # and its source index. Write a chain as a list of nodes, or as the first and
/// last node with two dots between. The key // is a comment. Roles can be missing; sinew_humanoid_check says
/// which. A map without roles gives an empty humanoid, a map without chains gives 0 chains.
///
/// `humanoid` and `chains` may be NULL if you don't need them. Free the chains with
/// sinew_humanoid_chains_destroy. `allocator` is for the chains, and is copied. It may be NULL.
///
/// Any input is safe. On failure `humanoid` is unchanged and `*chains` is NULL. Fails with
/// SINEW_ERROR_OUT_OF_MEMORY, or with SINEW_ERROR_FORMAT and the line and column in `error`, if:
///   - the text isn't JSON or isn't a map
///   - a node isn't in the skeleton, or several nodes have its name
///   - a node has two roles or is in two chains
///   - a chain's nodes aren't each below the one before
///   - two chains have the same name, or there are more than SINEW_MAX_HUMANOID_CHAINS
SINEW_API sinew_result sinew_humanoid_read_memory(const char *text, size_t size, const sinew_skeleton *skeleton,
                                                  const sinew_allocator *allocator, sinew_humanoid *humanoid,
                                                  sinew_humanoid_chains **chains, sinew_error *error);

/// Reads a map from a regular file of at most 64 MiB, like sinew_humanoid_read_memory. Fails with SINEW_ERROR_IO
/// if it can't be read. Error messages start with the path.
SINEW_API sinew_result sinew_humanoid_read_file(const char *path, const sinew_skeleton *skeleton,
                                                const sinew_allocator *allocator, sinew_humanoid *humanoid,
                                                sinew_humanoid_chains **chains, sinew_error *error);

/// Frees chains from sinew_humanoid_read_*, or nothing if NULL.
SINEW_API void sinew_humanoid_chains_destroy(sinew_humanoid_chains *chains);

/// Writes a map file's text, truncated to `size` bytes with the terminating zero. `humanoid` and `chains` may be
/// NULL to leave them out. Required roles that are absent are written as null, which also reads as absent.
/// Returns the length of the whole text, like snprintf. `text` may be NULL if `size` is 0.
SINEW_API size_t sinew_humanoid_write(const sinew_skeleton *skeleton, const sinew_humanoid *humanoid,
                                      const sinew_humanoid_chains *chains, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
