// SPDX-License-Identifier: MIT
/// Humanoid roles: which node in a skeleton is the hips, the left upper arm, and so on.
///
///     sinew_humanoid humanoid;
///     if (asset->humanoid) humanoid = *asset->humanoid;
///     else if (sinew_humanoid_guess(asset->skeleton, asset->up, NULL, &humanoid, NULL, &error) != SINEW_OK) ...
///
/// The roles are VRM 1.0's human bones, with the same names (see VRMC_vrm, humanoid.md). You can get them from a
/// file's VRM data (`humanoid` in sinew_asset) or from a map file (sinew_humanoid_read_file). You can also let
/// sinew_humanoid_guess guess them from names and shape, or fill them in yourself. See docs/humanoid.md for map
/// files, names and checks.
///
/// Functions take a role as an int32_t, which must be a value of sinew_humanoid_role (asserted). You can call all
/// functions from any thread. `error` may be NULL.
#ifndef SINEW_HUMANOID_H
#define SINEW_HUMANOID_H

#include "../skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The number of roles.
#define SINEW_HUMANOID_ROLE_COUNT 55

/// Returned by searches that don't find a role.
#define SINEW_NO_ROLE (-1)

/// The roles. Left and right are from the character's point of view. VRM 1.0 requires the roles marked "required".
typedef enum sinew_humanoid_role {
    SINEW_HUMANOID_HIPS,        ///< required; an ancestor of all other roles, except detached ones
    SINEW_HUMANOID_SPINE,       ///< required
    SINEW_HUMANOID_CHEST,       ///< optional
    SINEW_HUMANOID_UPPER_CHEST, ///< optional; only valid if there is a chest
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
    SINEW_HUMANOID_SOURCE_PROGRAM, ///< your program
    SINEW_HUMANOID_SOURCE_VRM_0,   ///< the VRM extension in a glTF file (VRM 0.x)
    SINEW_HUMANOID_SOURCE_VRM_1,   ///< the VRMC_vrm or VRMC_vrm_animation extension in a glTF file (VRM 1.0)
    SINEW_HUMANOID_SOURCE_MAP,     ///< a map file
    SINEW_HUMANOID_SOURCE_GUESS    ///< sinew_humanoid_guess
} sinew_humanoid_source;

/// The roles in a skeleton. A node can't have more than one role. Start from sinew_humanoid_empty if you want to
/// fill this in yourself.
typedef struct sinew_humanoid {
    int32_t nodes[SINEW_HUMANOID_ROLE_COUNT]; ///< the node for each role, or SINEW_NO_NODE
    sinew_humanoid_source source;             ///< where the roles come from
} sinew_humanoid;

// ---- Roles ---------------------------------------------------------------------------------------------------

/// Returns a humanoid without any roles. Its source is SINEW_HUMANOID_SOURCE_PROGRAM.
SINEW_API sinew_humanoid sinew_humanoid_empty(void);

/// Returns the VRM 1.0 name of a role, such as "leftUpperArm". The string is static.
SINEW_API const char *sinew_humanoid_role_name(int32_t role);

/// Finds a role by its name. Case-sensitive. Returns SINEW_NO_ROLE if there isn't one.
SINEW_API int32_t sinew_humanoid_find_role(const char *name);

/// Returns true for the 15 roles that VRM 1.0 requires: hips, spine, head, upper and lower legs, feet, upper and
/// lower arms, and hands.
SINEW_API bool sinew_humanoid_is_required(int32_t role);

/// Returns the parent of a role in the VRM 1.0 hierarchy. For example, the parent of the chest is the spine.
/// Returns SINEW_NO_ROLE for the hips. The parent can be an optional role. If a humanoid doesn't have it, use the
/// parent's parent.
SINEW_API int32_t sinew_humanoid_role_parent(int32_t role);

/// Returns the node for a role, or SINEW_NO_NODE. If a humanoid has no upper chest, this returns its chest. If it has no
/// chest either, this returns its spine. Nothing replaces other roles.
SINEW_API int32_t sinew_humanoid_node_of(const sinew_humanoid *humanoid, int32_t role);

/// Returns the role of a node, or SINEW_NO_ROLE.
SINEW_API int32_t sinew_humanoid_role_of(const sinew_humanoid *humanoid, int32_t node);

// ---- Shape ---------------------------------------------------------------------------------------------------

/// How a role was found.
typedef enum sinew_humanoid_evidence {
    SINEW_HUMANOID_EVIDENCE_NONE,  ///< the role is missing
    SINEW_HUMANOID_EVIDENCE_GIVEN, ///< from VRM data, a map file or your program
    SINEW_HUMANOID_EVIDENCE_NAME,  ///< from the node's name
    SINEW_HUMANOID_EVIDENCE_SHAPE  ///< from the node's position between known roles
} sinew_humanoid_evidence;

/// The type of problem with a role. Each comment ends with the effect on the role's confidence
/// (sinew_humanoid_report).
typedef enum sinew_humanoid_finding_kind {
    SINEW_HUMANOID_FINDING_MISSING, ///< a required role is missing: 0
    /// Another node fits the role equally well, so the first one in skeleton order was used: × 0.75
    SINEW_HUMANOID_FINDING_AMBIGUOUS,
    SINEW_HUMANOID_FINDING_DETACHED, ///< the node isn't below its parent role's node: × 0.5
    SINEW_HUMANOID_FINDING_SIDE,     ///< left and right are reversed compared to the legs: 0 for both
    /// Left and right are swapped, because toes and eyes point backward: 0 for all roles with a side
    SINEW_HUMANOID_FINDING_SWAPPED,
    SINEW_HUMANOID_FINDING_BELOW, ///< the foot isn't below the upper leg and the hips: 0 for the leg
    /// The line from the hips to the head is more than 45 degrees away from straight up: 0 for hips, spine and
    /// head
    SINEW_HUMANOID_FINDING_LYING,
    /// A bone has no length, or its length differs from the other side's by more than a quarter: × 0.5
    SINEW_HUMANOID_FINDING_UNEQUAL
} sinew_humanoid_finding_kind;

/// A problem found by a check. Use sinew_humanoid_finding_text to turn it into a sentence.
typedef struct sinew_humanoid_finding {
    sinew_humanoid_finding_kind kind; ///< the type of problem
    int32_t role;                     ///< the role, which is the hips for SWAPPED and LYING
    int32_t node;                     ///< the role's node, or SINEW_NO_NODE
    int32_t other; ///< The other node for AMBIGUOUS, the parent role's node for DETACHED, otherwise SINEW_NO_NODE.
} sinew_humanoid_finding;

/// The maximum number of findings in a report.
#define SINEW_MAX_HUMANOID_FINDINGS 64

/// The minimum score for a guess to succeed.
#define SINEW_HUMANOID_MIN_SCORE 0.75f

/// How well the roles match the rest pose.
typedef struct sinew_humanoid_report {
    /// The mean confidence of the 15 required roles, from 0 to 1. A score of 1 means that each of them was given
    /// or has a known name, and passes all checks.
    float score;
    /// The confidence in each role, from 0 to 1. It starts at 1 if you gave the role or its name is known, at 0.5
    /// if it was guessed from the shape, and at 0 if it's missing. Each problem scales it down.
    float confidences[SINEW_HUMANOID_ROLE_COUNT];
    sinew_humanoid_evidence evidence[SINEW_HUMANOID_ROLE_COUNT]; ///< how each role was found
    /// The direction the character faces in model space, as a horizontal unit vector. Zero if there's no pair of
    /// roles to work it out from.
    sinew_vec3 forward;
    int32_t finding_count; ///< number of findings, which can exceed SINEW_MAX_HUMANOID_FINDINGS
    sinew_humanoid_finding findings[SINEW_MAX_HUMANOID_FINDINGS]; ///< the first finding_count entries are used
} sinew_humanoid_report;

/// Checks the roles against the rest pose and fills in `report`. This checks for missing roles, the order along
/// chains, sides, posture and bone lengths. All roles are treated as if you gave them. Findings aren't errors.
/// Fails with SINEW_ERROR_ARGUMENT if a node doesn't exist or has two roles. `error` names the role. Takes time
/// linear in the skeleton's depth.
SINEW_API sinew_result sinew_humanoid_check(const sinew_skeleton *skeleton, sinew_up up,
                                            const sinew_humanoid *humanoid, sinew_humanoid_report *report,
                                            sinew_error *error);

/// Formats a finding as a sentence without a period. The text is escaped (sinew_escape) and truncated to `size`
/// bytes, including the terminating zero. Returns the length of the full sentence, like snprintf. `text` can be
/// NULL if `size` is 0.
SINEW_API size_t sinew_humanoid_finding_text(const sinew_skeleton *skeleton, const sinew_humanoid_finding *finding,
                                             char *text, size_t size);

// ---- Guess ---------------------------------------------------------------------------------------------------

/// Guesses the roles from node names and the hierarchy, and then checks them like sinew_humanoid_check. The
/// following naming conventions are supported: Mixamo, Unreal, Unity, Blender's metarig and Rigify (DEF-), 3ds Max
/// Biped, VRM and VRoid, BVH files, Quaternius, KayKit, Character Creator and Daz. See docs/humanoid.md for the
/// rules. Node order, name prefixes and facing direction don't matter, and there can be extra nodes between two
/// roles. If none of the names are known, the guess is based on shape alone, and the score is at most 0.5.
///
/// Fails with SINEW_ERROR_UNSUPPORTED if a required role is missing or has a confidence of 0, or if the score is
/// below SINEW_HUMANOID_MIN_SCORE. `error` contains the reason. In this case `humanoid` and `report` still contain
/// everything that was found, so you can fill in the rest in a map file. Can also fail with
/// SINEW_ERROR_OUT_OF_MEMORY. `allocator` is used for temporary memory. Both `allocator` and `report` can be NULL.
/// Takes time linear in the skeleton's size.
SINEW_API sinew_result sinew_humanoid_guess(const sinew_skeleton *skeleton, sinew_up up,
                                            const sinew_allocator *allocator, sinew_humanoid *humanoid,
                                            sinew_humanoid_report *report, sinew_error *error);

// ---- Chains --------------------------------------------------------------------------------------------------

/// A named chain of nodes, such as a tail, an ear, or an animal's leg.
typedef struct sinew_humanoid_chain {
    const char *name;     ///< such as "tail"
    const int32_t *nodes; ///< [node_count], from root to tip; each is a descendant of the one before
    int32_t node_count;   ///< at least 1
} sinew_humanoid_chain;

/// The maximum number of chains in a map file.
#define SINEW_MAX_HUMANOID_CHAINS 256

/// The named chains in a skeleton. You can also fill this in yourself.
typedef struct sinew_humanoid_chains {
    int32_t count;                      ///< number of chains
    const sinew_humanoid_chain *chains; ///< [count], with unique names
} sinew_humanoid_chains;

// ---- Map files -----------------------------------------------------------------------------------------------

/// Reads a map file from JSON text. It can contain roles, chains or both (docs/humanoid.md):
///
///     {"sinewHumanoid": 1, "roles": {"hips": "mixamorig:Hips", "spine": "#4"},
///      "chains": {"tail": ["Tail1", "Tail2"], "frontLeftLeg": "Shoulder.L..Paw.L"}}
///
/// You can write a node as its name, or as # followed by its source index. You can write a chain as a list of
/// nodes, or as the first and last node separated by two dots. The key // is a comment. You can leave roles out.
/// Use sinew_humanoid_check to find out which ones are missing. If the map has no roles, you get an empty
/// humanoid. If it has no chains, you get 0 chains.
///
/// `humanoid` and `chains` can be NULL if you don't need them. Free the chains with sinew_humanoid_chains_destroy.
/// `allocator` is used for the chains, and is copied. It can be NULL.
///
/// It's safe to read untrusted text. On failure `humanoid` is unchanged and `*chains` is NULL. Fails with
/// SINEW_ERROR_OUT_OF_MEMORY, or with SINEW_ERROR_FORMAT and the line and column in `error`, if:
///   - the text isn't JSON or isn't a map
///   - a node isn't in the skeleton, or several nodes have its name
///   - a node has two roles or is in two chains
///   - a node in a chain isn't a descendant of the one before
///   - two chains have the same name, or there are more than SINEW_MAX_HUMANOID_CHAINS
SINEW_API sinew_result sinew_humanoid_read_memory(const char *text, size_t size, const sinew_skeleton *skeleton,
                                                  const sinew_allocator *allocator, sinew_humanoid *humanoid,
                                                  sinew_humanoid_chains **chains, sinew_error *error);

/// Reads a map from a file, like sinew_humanoid_read_memory. It must be a regular file of at most 64 MiB. Fails
/// with SINEW_ERROR_IO if the file can't be read. Error messages start with the path.
SINEW_API sinew_result sinew_humanoid_read_file(const char *path, const sinew_skeleton *skeleton,
                                                const sinew_allocator *allocator, sinew_humanoid *humanoid,
                                                sinew_humanoid_chains **chains, sinew_error *error);

/// Frees chains from sinew_humanoid_read_memory or sinew_humanoid_read_file. NULL is allowed.
SINEW_API void sinew_humanoid_chains_destroy(sinew_humanoid_chains *chains);

/// Writes a map file to `text`, truncated to `size` bytes, including the terminating zero. Pass NULL for
/// `humanoid` or `chains` to leave them out. Required roles that are missing are written as null, and null is read
/// back as missing. Returns the length of the full text, like snprintf. `text` can be NULL if `size` is 0.
SINEW_API size_t sinew_humanoid_write(const sinew_skeleton *skeleton, const sinew_humanoid *humanoid,
                                      const sinew_humanoid_chains *chains, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
