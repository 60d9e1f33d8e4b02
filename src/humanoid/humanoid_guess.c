// SPDX-License-Identifier: MIT
// Guesses a humanoid's roles. Finds limbs by the names along chains, then the trunk by where the limbs meet, then
// fingers, toes and eyes. Refuses guesses that the rest pose contradicts.
#include "humanoid/humanoid_limb.h"
#include "humanoid/humanoid_unnamed.h"

#include "base/fail.h"
#include "base/float_rules.h"

#include <stdio.h>
#include <string.h>

typedef struct guess {
    sinewi_limb_search search;
    const sinew_skeleton *skeleton;
    const sinew_vec3 *positions; // NULL means the rest pose
    sinew_humanoid *humanoid;
    sinew_humanoid_report *report;
} guess;

static int32_t node_of(const guess *g, int32_t role) {
    return g->humanoid->nodes[role];
}

static sinewi_body_part part_at(const guess *g, int32_t node) {
    return (sinewi_body_part)g->search.names[node].part;
}

// Whether the node already has another role. By shape, the hips could get a node that is an upper leg by name.
static bool has_other_role(const guess *g, int32_t role, int32_t node) {
    const int32_t other = sinew_humanoid_role_of(g->humanoid, node);
    return other != SINEW_NO_ROLE && other != role;
}

// Gives a role to a node. No-op without a node, or if the node already has another role.
static void give(guess *g, int32_t role, int32_t node, sinew_humanoid_evidence evidence) {
    if (node == SINEW_NO_NODE || has_other_role(g, role, node)) return;
    g->humanoid->nodes[role] = node;
    g->report->evidence[role] = evidence;
    g->report->confidences[role] = evidence == SINEW_HUMANOID_EVIDENCE_NAME ? 1.0f : 0.5f;
}

static void give_by_name(guess *g, int32_t role, int32_t node) {
    give(g, role, node, SINEW_HUMANOID_EVIDENCE_NAME);
}

// ---- Limbs ---------------------------------------------------------------------------------------------------

// Returns the n-th node (from 0) in a chain that names a part. SINEW_NO_NODE if there are fewer.
static int32_t nth_of_part(const guess *g, const sinewi_limb_chain *chain, sinewi_body_part part, int32_t n) {
    for (int32_t i = 0; i < chain->count; i++)
        if (part_at(g, chain->nodes[i]) == part && n-- == 0) return chain->nodes[i];
    return SINEW_NO_NODE;
}

// Returns the last node in a chain that names a part and is above `below`. `below` may be SINEW_NO_NODE.
static int32_t last_of_part(const guess *g, const sinewi_limb_chain *chain, sinewi_body_part part, int32_t below) {
    int32_t last = SINEW_NO_NODE;
    for (int32_t i = 0; i < chain->count && (below == SINEW_NO_NODE || chain->nodes[i] < below); i++)
        if (part_at(g, chain->nodes[i]) == part) last = chain->nodes[i];
    return last;
}

// The nodes of a three-bone limb.
typedef struct limb_nodes {
    int32_t upper, lower, end;
} limb_nodes;

// Returns the first node of a part that is below `above` and above `below`. Either may be SINEW_NO_NODE. A chain's
// nodes have ascending indices.
static int32_t first_between(const guess *g, const sinewi_limb_chain *chain, sinewi_body_part part, int32_t above,
                             int32_t below) {
    for (int32_t i = 0; i < chain->count; i++) {
        const int32_t node = chain->nodes[i];
        if (part_at(g, node) != part || node <= above) continue;
        return below == SINEW_NO_NODE || node < below ? node : SINEW_NO_NODE;
    }
    return SINEW_NO_NODE;
}

// Fills gaps with nodes whose names fit both the upper and the lower bone. Mixamo's "leg" below the upper leg is the
// lower leg, and the first of several legs is the upper one.
static void take_generic(const guess *g, const sinewi_limb_chain *chain, sinewi_body_part generic,
                         limb_nodes *limb) {
    if (limb->upper == SINEW_NO_NODE)
        limb->upper =
            first_between(g, chain, generic, SINEW_NO_NODE, limb->lower != SINEW_NO_NODE ? limb->lower : limb->end);
    if (limb->lower == SINEW_NO_NODE) limb->lower = first_between(g, chain, generic, limb->upper, limb->end);
    if (limb->end == SINEW_NO_NODE)
        limb->end = first_between(g, chain, generic, limb->lower != SINEW_NO_NODE ? limb->lower : limb->upper,
                                  SINEW_NO_NODE);
}

// Reports that two chains are equally good, for the roles whose nodes aren't in both.
static void report_ambiguity(guess *g, const sinewi_limb_chain *chain, int32_t first_role, int32_t last_role) {
    bool is_reported = false;
    if (chain->other == SINEW_NO_NODE) return;
    for (int32_t role = first_role; role <= last_role; role++) {
        const int32_t node = node_of(g, role);
        if (node == SINEW_NO_NODE || sinewi_humanoid_is_below(g->skeleton, chain->other, node)) continue;
        if (!is_reported)
            sinewi_humanoid_add_finding(g->report, SINEW_HUMANOID_FINDING_AMBIGUOUS, g->humanoid, role,
                                        chain->other);
        is_reported = true;
        sinewi_humanoid_lower(g->report, role, 0.75f);
    }
}

// Finds a foot that isn't below the leg, like in rigs that move feet with inverse kinematics. It must be about as far
// from the knee as a lower leg is long.
static int32_t find_detached_foot(const guess *g, const limb_nodes *leg, sinewi_body_side side) {
    if (leg->upper == SINEW_NO_NODE || leg->lower == SINEW_NO_NODE) return SINEW_NO_NODE;
    const sinew_vec3 knee = sinewi_humanoid_position(g->skeleton, g->positions, leg->lower);
    const sinew_vec3 hip = sinewi_humanoid_position(g->skeleton, g->positions, leg->upper);
    const float length = sinew_vec3_length(sinew_vec3_subtract(knee, hip));
    for (int32_t node = 0, tried = 0; node < g->skeleton->node_count && tried < 8; node++) {
        if (part_at(g, node) != SINEWI_PART_FOOT || g->search.names[node].side != side) continue;
        const sinew_vec3 foot = sinewi_humanoid_position(g->skeleton, g->positions, node);
        const float distance = sinew_vec3_length(sinew_vec3_subtract(foot, knee));
        if (distance > 0.25f * length && distance < 2.0f * length) return node;
        tried++;
    }
    return SINEW_NO_NODE;
}

static void find_leg(guess *g, sinewi_limb side_limb, int32_t anchor) {
    const bool is_left = side_limb == SINEWI_LIMB_LEFT_LEG;
    const int32_t first = is_left ? SINEW_HUMANOID_LEFT_UPPER_LEG : SINEW_HUMANOID_RIGHT_UPPER_LEG;
    sinewi_limb_chain chain;
    sinewi_limb_find(&g->search, side_limb, anchor, &chain);
    limb_nodes leg = {nth_of_part(g, &chain, SINEWI_PART_UPPER_LEG, 0),
                      nth_of_part(g, &chain, SINEWI_PART_LOWER_LEG, 0),
                      nth_of_part(g, &chain, SINEWI_PART_ANKLE, 0)};
    const int32_t foot = nth_of_part(g, &chain, SINEWI_PART_FOOT, 0);
    int32_t toes = nth_of_part(g, &chain, SINEWI_PART_TOES, 0);
    if (leg.end == SINEW_NO_NODE) {
        leg.end = foot;
    } else if (toes == SINEW_NO_NODE) {
        toes = foot; // "ankle" and "foot" in the same chain
    }
    take_generic(g, &chain, SINEWI_PART_LEG, &leg);
    // If "LeftHip" is below "LHipJoint", the second one moves the thigh.
    if (leg.upper == SINEW_NO_NODE) leg.upper = last_of_part(g, &chain, SINEWI_PART_HIP_JOINT, leg.lower);
    if (leg.end == SINEW_NO_NODE)
        leg.end = find_detached_foot(g, &leg, is_left ? SINEWI_SIDE_LEFT : SINEWI_SIDE_RIGHT);
    give_by_name(g, first, leg.upper);
    give_by_name(g, first + 1, leg.lower);
    give_by_name(g, first + 2, leg.end);
    give_by_name(g, first + 3, toes);
    report_ambiguity(g, &chain, first, first + 3);
}

// Conventions that name joints call the upper arm "shoulder". Conventions that name bones mean the collar bone.
static void find_shoulder(const guess *g, const sinewi_limb_chain *chain, int32_t *collar, int32_t *upper) {
    const int32_t shoulder = nth_of_part(g, chain, SINEWI_PART_SHOULDER, 0);
    const int32_t second = nth_of_part(g, chain, SINEWI_PART_SHOULDER, 1);
    if (*upper != SINEW_NO_NODE) {
        if (*collar == SINEW_NO_NODE) *collar = shoulder;
        return;
    }
    if (*collar != SINEW_NO_NODE || second == SINEW_NO_NODE) {
        *upper = shoulder;
        return;
    }
    *collar = shoulder;
    *upper = second;
}

// Conventions that name joints turn the hand at the wrist, and the hand below it is the palm. Conventions that name
// bones turn it at the hand. KayKit's wrist, for example, never moves.
static void find_hand(const guess *g, const sinewi_limb_chain *chain, limb_nodes *arm) {
    const int32_t elbow = nth_of_part(g, chain, SINEWI_PART_ELBOW, 0);
    const int32_t wrist = nth_of_part(g, chain, SINEWI_PART_WRIST, 0);
    const int32_t hand = nth_of_part(g, chain, SINEWI_PART_HAND, 0);
    const bool is_wrist = wrist != SINEW_NO_NODE && (elbow != SINEW_NO_NODE || hand == SINEW_NO_NODE);
    if (arm->lower == SINEW_NO_NODE) arm->lower = elbow;
    arm->end = is_wrist ? wrist : hand;
}

static void find_arm(guess *g, sinewi_limb side_limb, int32_t anchor) {
    const int32_t first =
        side_limb == SINEWI_LIMB_LEFT_ARM ? SINEW_HUMANOID_LEFT_SHOULDER : SINEW_HUMANOID_RIGHT_SHOULDER;
    sinewi_limb_chain chain;
    sinewi_limb_find(&g->search, side_limb, anchor, &chain);
    limb_nodes arm = {nth_of_part(g, &chain, SINEWI_PART_UPPER_ARM, 0),
                      nth_of_part(g, &chain, SINEWI_PART_LOWER_ARM, 0), SINEW_NO_NODE};
    find_hand(g, &chain, &arm);
    take_generic(g, &chain, SINEWI_PART_ARM, &arm);
    int32_t collar = nth_of_part(g, &chain, SINEWI_PART_COLLAR, 0);
    find_shoulder(g, &chain, &collar, &arm.upper);
    give_by_name(g, first, collar);
    give_by_name(g, first + 1, arm.upper);
    give_by_name(g, first + 2, arm.lower);
    give_by_name(g, first + 3, arm.end);
    report_ambiguity(g, &chain, first, first + 3);
}

// The first node of a limb, which is the node of its first role that is present.
static int32_t top_of(const guess *g, int32_t first_role, int32_t last_role) {
    for (int32_t role = first_role; role <= last_role; role++)
        if (node_of(g, role) != SINEW_NO_NODE) return node_of(g, role);
    return SINEW_NO_NODE;
}

// The node where both legs meet.
static int32_t meeting_of_legs(const guess *g) {
    return sinewi_limb_common_ancestor(g->skeleton,
                                       top_of(g, SINEW_HUMANOID_LEFT_UPPER_LEG, SINEW_HUMANOID_LEFT_LOWER_LEG),
                                       top_of(g, SINEW_HUMANOID_RIGHT_UPPER_LEG, SINEW_HUMANOID_RIGHT_LOWER_LEG));
}

static int32_t meeting_of_arms(const guess *g) {
    return sinewi_limb_common_ancestor(g->skeleton,
                                       top_of(g, SINEW_HUMANOID_LEFT_SHOULDER, SINEW_HUMANOID_LEFT_HAND),
                                       top_of(g, SINEW_HUMANOID_RIGHT_SHOULDER, SINEW_HUMANOID_RIGHT_HAND));
}

// ---- Trunk ---------------------------------------------------------------------------------------------------

// Without a node named head, like in Blender's metarig, takes the end of the spine above the arms.
static int32_t end_of_spine(const guess *g, int32_t branch) {
    int32_t end = branch;
    if (branch == SINEW_NO_NODE) return SINEW_NO_NODE;
    for (int32_t node = branch + 1; node < g->skeleton->subtree_ends[branch]; node++) {
        const sinewi_body_part part = part_at(g, node);
        if (g->skeleton->parents[node] == end && (part == SINEWI_PART_SPINE || part == SINEWI_PART_NECK))
            end = node;
    }
    return end == branch ? SINEW_NO_NODE : end;
}

static void find_head(guess *g, int32_t branch) {
    sinewi_limb_chain chain;
    sinewi_limb_find(&g->search, SINEWI_LIMB_TRUNK, branch, &chain);
    const int32_t head = nth_of_part(g, &chain, SINEWI_PART_HEAD, 0);
    if (head == SINEW_NO_NODE) {
        give(g, SINEW_HUMANOID_HEAD, end_of_spine(g, branch), SINEW_HUMANOID_EVIDENCE_SHAPE);
        return;
    }
    give_by_name(g, SINEW_HUMANOID_HEAD, head);
    report_ambiguity(g, &chain, SINEW_HUMANOID_HEAD, SINEW_HUMANOID_HEAD);
}

// How far a node is from the tops of the legs, as the sum of both distances.
static float distance_to_legs(const guess *g, int32_t node) {
    static const int32_t legs[] = {SINEW_HUMANOID_LEFT_UPPER_LEG, SINEW_HUMANOID_RIGHT_UPPER_LEG};
    const sinew_vec3 position = sinewi_humanoid_position(g->skeleton, g->positions, node);
    float sum = 0.0f;
    for (int32_t i = 0; i < 2; i++) {
        if (node_of(g, legs[i]) == SINEW_NO_NODE) continue;
        const sinew_vec3 leg = sinewi_humanoid_position(g->skeleton, g->positions, node_of(g, legs[i]));
        sum += sinew_vec3_length(sinew_vec3_subtract(leg, position));
    }
    return sum;
}

// For rigs whose legs and trunk only meet at the ground. The hips are where the trunk starts, if that node is named
// like hips and is much nearer to the legs. SINEW_NO_NODE otherwise.
static int32_t hips_next_to_legs(const guess *g, int32_t meeting) {
    int32_t hips = SINEW_NO_NODE;
    for (int32_t node = node_of(g, SINEW_HUMANOID_HEAD); node != SINEW_NO_NODE && node != meeting;
         node = g->skeleton->parents[node])
        if (part_at(g, node) == SINEWI_PART_HIPS) hips = node;
    if (hips == SINEW_NO_NODE || meeting == SINEW_NO_NODE) return SINEW_NO_NODE;
    return distance_to_legs(g, hips) < 0.5f * distance_to_legs(g, meeting) ? hips : SINEW_NO_NODE;
}

// The hips have the legs and the head in their subtree. Takes the lowest node with a name for hips. Without one, takes
// the lowest such node, unless that is on the ground.
static void find_hips(guess *g) {
    const int32_t meeting =
        sinewi_limb_common_ancestor(g->skeleton, meeting_of_legs(g), node_of(g, SINEW_HUMANOID_HEAD));
    int32_t node = meeting;
    while (node != SINEW_NO_NODE && part_at(g, node) != SINEWI_PART_HIPS) node = g->skeleton->parents[node];
    if (node == SINEW_NO_NODE) node = hips_next_to_legs(g, meeting);
    if (node != SINEW_NO_NODE) {
        give_by_name(g, SINEW_HUMANOID_HIPS, node);
    } else {
        give(g, SINEW_HUMANOID_HIPS, meeting, SINEW_HUMANOID_EVIDENCE_SHAPE);
    }
}

// Finds the neck: the first node between the arms and the head that is named neck, else spine. In 3ds Max Biped, a node
// named neck is where the arms meet.
static void find_neck(guess *g, int32_t branch) {
    int32_t named = SINEW_NO_NODE, unnamed = SINEW_NO_NODE;
    int32_t node = node_of(g, SINEW_HUMANOID_HEAD);
    if (node == SINEW_NO_NODE) return;
    for (node = g->skeleton->parents[node]; node != SINEW_NO_NODE; node = g->skeleton->parents[node]) {
        if (part_at(g, node) == SINEWI_PART_NECK) named = node;
        if (node == branch || node == node_of(g, SINEW_HUMANOID_HIPS)) break;
        if (part_at(g, node) == SINEWI_PART_SPINE) unnamed = node;
    }
    if (named != SINEW_NO_NODE) {
        give_by_name(g, SINEW_HUMANOID_NECK, named);
    } else {
        give(g, SINEW_HUMANOID_NECK, unnamed, SINEW_HUMANOID_EVIDENCE_SHAPE);
    }
}

// Collects the nodes above the hips up to `top`, from the top down: those named spine, or all without a known name.
// Returns how many. Collects at most SINEWI_MAX_CHAIN.
static int32_t collect_spine(const guess *g, int32_t top, sinewi_body_part part, int32_t *nodes) {
    int32_t count = 0;
    for (int32_t node = top; node != SINEW_NO_NODE && node != node_of(g, SINEW_HUMANOID_HIPS);
         node = g->skeleton->parents[node])
        if (part_at(g, node) == part && count < SINEWI_MAX_CHAIN) nodes[count++] = node;
    return count;
}

// Distributes the spine's joints. The lowest is the spine, the highest of three or more is the upper chest, and the
// middle one of the rest is the chest.
static void find_spine(guess *g, int32_t branch) {
    const int32_t hips = node_of(g, SINEW_HUMANOID_HIPS);
    int32_t nodes[SINEWI_MAX_CHAIN];
    if (branch == SINEW_NO_NODE || hips == SINEW_NO_NODE || !sinewi_humanoid_is_below(g->skeleton, branch, hips))
        return;
    sinew_humanoid_evidence evidence = SINEW_HUMANOID_EVIDENCE_NAME;
    int32_t count = collect_spine(g, branch, SINEWI_PART_SPINE, nodes);
    if (count == 0) {
        evidence = SINEW_HUMANOID_EVIDENCE_SHAPE;
        count = collect_spine(g, branch, SINEWI_PART_NONE, nodes);
    }
    if (count == 0) return;
    give(g, SINEW_HUMANOID_SPINE, nodes[count - 1], evidence);
    if (count > 1) give(g, SINEW_HUMANOID_CHEST, nodes[count == 2 ? 0 : count - 1 - count / 2], evidence);
    if (count > 2) give(g, SINEW_HUMANOID_UPPER_CHEST, nodes[0], evidence);
}

// ---- Small parts ---------------------------------------------------------------------------------------------

// Returns the first node of a part and side in a subtree, not counting its root.
static int32_t first_in_subtree(const guess *g, int32_t root, sinewi_body_part part, sinewi_body_side side) {
    if (root == SINEW_NO_NODE) return SINEW_NO_NODE;
    for (int32_t node = root + 1; node < g->skeleton->subtree_ends[root]; node++)
        if (part_at(g, node) == part && g->search.names[node].side == side) return node;
    return SINEW_NO_NODE;
}

static void find_face(guess *g) {
    const int32_t head = node_of(g, SINEW_HUMANOID_HEAD);
    give_by_name(g, SINEW_HUMANOID_LEFT_EYE, first_in_subtree(g, head, SINEWI_PART_EYE, SINEWI_SIDE_LEFT));
    give_by_name(g, SINEW_HUMANOID_RIGHT_EYE, first_in_subtree(g, head, SINEWI_PART_EYE, SINEWI_SIDE_RIGHT));
    give_by_name(g, SINEW_HUMANOID_JAW, first_in_subtree(g, head, SINEWI_PART_JAW, SINEWI_SIDE_NONE));
}

// The first three joints of a finger, each in the subtree of the previous one. Palms may be split, so fingers may be
// below the lower arm but not below the hand.
static void find_fingers(guess *g, sinewi_body_side side) {
    const bool is_left = side == SINEWI_SIDE_LEFT;
    const int32_t first = is_left ? SINEW_HUMANOID_LEFT_THUMB_METACARPAL : SINEW_HUMANOID_RIGHT_THUMB_METACARPAL;
    const int32_t arm = node_of(g, is_left ? SINEW_HUMANOID_LEFT_LOWER_ARM : SINEW_HUMANOID_RIGHT_LOWER_ARM);
    int32_t counts[5] = {0};
    if (arm == SINEW_NO_NODE) return;
    for (int32_t node = arm + 1; node < g->skeleton->subtree_ends[arm]; node++) {
        const int32_t finger = (int32_t)part_at(g, node) - SINEWI_PART_THUMB;
        if (finger < 0 || g->search.names[node].side != side || counts[finger] == 3) continue;
        const int32_t role = first + 3 * finger + counts[finger];
        if (counts[finger] > 0 && !sinewi_humanoid_is_below(g->skeleton, node, node_of(g, role - 1))) continue;
        if (has_other_role(g, role, node)) continue;
        give_by_name(g, role, node);
        counts[finger]++;
    }
}

static void find_toes(guess *g) {
    const int32_t left = node_of(g, SINEW_HUMANOID_LEFT_FOOT), right = node_of(g, SINEW_HUMANOID_RIGHT_FOOT);
    if (node_of(g, SINEW_HUMANOID_LEFT_TOES) == SINEW_NO_NODE)
        give_by_name(g, SINEW_HUMANOID_LEFT_TOES, first_in_subtree(g, left, SINEWI_PART_TOES, SINEWI_SIDE_LEFT));
    if (node_of(g, SINEW_HUMANOID_RIGHT_TOES) == SINEW_NO_NODE)
        give_by_name(g, SINEW_HUMANOID_RIGHT_TOES, first_in_subtree(g, right, SINEWI_PART_TOES, SINEWI_SIDE_RIGHT));
}

// ---- The guess -----------------------------------------------------------------------------------------------

static void find_roles(guess *g) {
    find_leg(g, SINEWI_LIMB_LEFT_LEG, SINEW_NO_NODE);
    find_leg(g, SINEWI_LIMB_RIGHT_LEG, top_of(g, SINEW_HUMANOID_LEFT_UPPER_LEG, SINEW_HUMANOID_LEFT_FOOT));
    find_arm(g, SINEWI_LIMB_LEFT_ARM, meeting_of_legs(g));
    find_arm(g, SINEWI_LIMB_RIGHT_ARM, top_of(g, SINEW_HUMANOID_LEFT_SHOULDER, SINEW_HUMANOID_LEFT_HAND));
    find_head(g, meeting_of_arms(g));
    find_hips(g);
    const int32_t branch =
        sinewi_limb_common_ancestor(g->skeleton, meeting_of_arms(g), node_of(g, SINEW_HUMANOID_HEAD));
    find_neck(g, branch);
    find_spine(g, branch);
    find_face(g);
    find_toes(g);
    find_fingers(g, SINEWI_SIDE_LEFT);
    find_fingers(g, SINEWI_SIDE_RIGHT);
}

// If names give no role at all, finds roles by shape. Returns false if memory runs out.
static bool find_unnamed_roles(guess *g, sinew_up up, sinewi_arena *scratch) {
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++)
        if (node_of(g, role) != SINEW_NO_NODE) return true;
    if (!sinewi_humanoid_find_unnamed(g->skeleton, up, scratch, g->humanoid)) return false;
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++)
        give(g, role, node_of(g, role), SINEW_HUMANOID_EVIDENCE_SHAPE);
    return true;
}

// Finds all roles. Returns false if memory runs out.
static bool make_guess(guess *g, sinew_up up, sinewi_arena *scratch) {
    if (!sinewi_limb_search_begin(&g->search, g->skeleton, scratch)) return false;
    find_roles(g);
    return find_unnamed_roles(g, up, scratch);
}

// A guess is refused if a required role has no confidence, whatever the score is.
static bool is_refused(const sinew_humanoid_report *report) {
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++)
        if (sinew_humanoid_is_required(role) && !(report->confidences[role] > 0.0f)) return true;
    return !(report->score >= SINEW_HUMANOID_MIN_SCORE);
}

// The finding that refuses the guess: the first one that leaves its role without confidence, or else the very first.
static const sinew_humanoid_finding *reason_of(const sinew_humanoid_report *report) {
    for (int32_t i = 0; i < report->finding_count && i < SINEW_MAX_HUMANOID_FINDINGS; i++) {
        const sinew_humanoid_finding_kind kind = report->findings[i].kind;
        if (kind >= SINEW_HUMANOID_FINDING_SIDE && kind <= SINEW_HUMANOID_FINDING_LYING)
            return &report->findings[i];
    }
    return &report->findings[0];
}

// Reports the missing roles, or else the reason.
static sinew_result refuse(const guess *g, sinew_error *error) {
    char missing[384] = "";
    size_t length = 0;
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) {
        if (!sinew_humanoid_is_required(role) || node_of(g, role) != SINEW_NO_NODE) continue;
        length += (size_t)snprintf(missing + length, sizeof missing - length, "%s%s", length > 0 ? ", " : "",
                                   sinew_humanoid_role_name(role));
    }
    if (length > 0)
        return sinewi_fail(error, SINEW_ERROR_UNSUPPORTED, "no humanoid was recognized: missing %s", missing);
    if (g->report->finding_count == 0)
        return sinewi_fail(error, SINEW_ERROR_UNSUPPORTED,
                           "no humanoid was recognized: score %.2f: none of the names are known, so the roles are "
                           "guessed from the shape",
                           (double)g->report->score);
    (void)sinew_humanoid_finding_text(g->skeleton, reason_of(g->report), missing, sizeof missing);
    return sinewi_fail(error, SINEW_ERROR_UNSUPPORTED, "no humanoid was recognized: score %.2f: %s",
                       (double)g->report->score, missing);
}

sinew_result sinewi_humanoid_guess_in(const sinew_skeleton *skeleton, const sinew_vec3 *positions, sinew_up up,
                                      const sinew_allocator *allocator, sinew_humanoid *humanoid,
                                      sinew_humanoid_report *report, sinew_error *error) {
    sinew_humanoid_report unused;
    guess g;
    sinewi_arena scratch;
    memset(&g, 0, sizeof g);
    g.skeleton = skeleton;
    g.positions = positions;
    g.humanoid = humanoid;
    g.report = report ? report : &unused;
    *humanoid = sinew_humanoid_empty();
    humanoid->source = SINEW_HUMANOID_SOURCE_GUESS;
    sinewi_humanoid_report_init(g.report);
    sinewi_arena_init(&scratch, allocator);
    const bool has_memory = make_guess(&g, up, &scratch);
    sinewi_arena_free(&scratch);
    if (!has_memory) return sinewi_fail_memory(error);
    sinewi_humanoid_judge(skeleton, positions, up, humanoid, g.report);
    return is_refused(g.report) ? refuse(&g, error) : SINEW_OK;
}

sinew_result sinew_humanoid_guess(const sinew_skeleton *skeleton, sinew_up up, const sinew_allocator *allocator,
                                  sinew_humanoid *humanoid, sinew_humanoid_report *report, sinew_error *error) {
    return sinewi_humanoid_guess_in(skeleton, NULL, up, allocator, humanoid, report, error);
}
