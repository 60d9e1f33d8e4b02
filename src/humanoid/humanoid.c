// SPDX-License-Identifier: MIT
// Humanoid roles: names, hierarchy and sides, from VRM 1.0 (VRMC_vrm-1.0/humanoid.md).
#include <sinew/humanoid/humanoid.h>

#include "humanoid/humanoid_name.h"

#include <assert.h>
#include <string.h>

typedef struct humanoid_role {
    const char *name;
    int32_t parent;
    int32_t mirror;
    bool is_required;
} humanoid_role;

// In the order of sinew_humanoid_role.
static const humanoid_role humanoid_roles[SINEW_HUMANOID_ROLE_COUNT] = {
    {"hips", SINEW_NO_ROLE, SINEW_HUMANOID_HIPS, true},
    {"spine", SINEW_HUMANOID_HIPS, SINEW_HUMANOID_SPINE, true},
    {"chest", SINEW_HUMANOID_SPINE, SINEW_HUMANOID_CHEST, false},
    {"upperChest", SINEW_HUMANOID_CHEST, SINEW_HUMANOID_UPPER_CHEST, false},
    {"neck", SINEW_HUMANOID_UPPER_CHEST, SINEW_HUMANOID_NECK, false},
    {"head", SINEW_HUMANOID_NECK, SINEW_HUMANOID_HEAD, true},
    {"leftEye", SINEW_HUMANOID_HEAD, SINEW_HUMANOID_RIGHT_EYE, false},
    {"rightEye", SINEW_HUMANOID_HEAD, SINEW_HUMANOID_LEFT_EYE, false},
    {"jaw", SINEW_HUMANOID_HEAD, SINEW_HUMANOID_JAW, false},
    {"leftUpperLeg", SINEW_HUMANOID_HIPS, SINEW_HUMANOID_RIGHT_UPPER_LEG, true},
    {"leftLowerLeg", SINEW_HUMANOID_LEFT_UPPER_LEG, SINEW_HUMANOID_RIGHT_LOWER_LEG, true},
    {"leftFoot", SINEW_HUMANOID_LEFT_LOWER_LEG, SINEW_HUMANOID_RIGHT_FOOT, true},
    {"leftToes", SINEW_HUMANOID_LEFT_FOOT, SINEW_HUMANOID_RIGHT_TOES, false},
    {"rightUpperLeg", SINEW_HUMANOID_HIPS, SINEW_HUMANOID_LEFT_UPPER_LEG, true},
    {"rightLowerLeg", SINEW_HUMANOID_RIGHT_UPPER_LEG, SINEW_HUMANOID_LEFT_LOWER_LEG, true},
    {"rightFoot", SINEW_HUMANOID_RIGHT_LOWER_LEG, SINEW_HUMANOID_LEFT_FOOT, true},
    {"rightToes", SINEW_HUMANOID_RIGHT_FOOT, SINEW_HUMANOID_LEFT_TOES, false},
    {"leftShoulder", SINEW_HUMANOID_UPPER_CHEST, SINEW_HUMANOID_RIGHT_SHOULDER, false},
    {"leftUpperArm", SINEW_HUMANOID_LEFT_SHOULDER, SINEW_HUMANOID_RIGHT_UPPER_ARM, true},
    {"leftLowerArm", SINEW_HUMANOID_LEFT_UPPER_ARM, SINEW_HUMANOID_RIGHT_LOWER_ARM, true},
    {"leftHand", SINEW_HUMANOID_LEFT_LOWER_ARM, SINEW_HUMANOID_RIGHT_HAND, true},
    {"rightShoulder", SINEW_HUMANOID_UPPER_CHEST, SINEW_HUMANOID_LEFT_SHOULDER, false},
    {"rightUpperArm", SINEW_HUMANOID_RIGHT_SHOULDER, SINEW_HUMANOID_LEFT_UPPER_ARM, true},
    {"rightLowerArm", SINEW_HUMANOID_RIGHT_UPPER_ARM, SINEW_HUMANOID_LEFT_LOWER_ARM, true},
    {"rightHand", SINEW_HUMANOID_RIGHT_LOWER_ARM, SINEW_HUMANOID_LEFT_HAND, true},
    {"leftThumbMetacarpal", SINEW_HUMANOID_LEFT_HAND, SINEW_HUMANOID_RIGHT_THUMB_METACARPAL, false},
    {"leftThumbProximal", SINEW_HUMANOID_LEFT_THUMB_METACARPAL, SINEW_HUMANOID_RIGHT_THUMB_PROXIMAL, false},
    {"leftThumbDistal", SINEW_HUMANOID_LEFT_THUMB_PROXIMAL, SINEW_HUMANOID_RIGHT_THUMB_DISTAL, false},
    {"leftIndexProximal", SINEW_HUMANOID_LEFT_HAND, SINEW_HUMANOID_RIGHT_INDEX_PROXIMAL, false},
    {"leftIndexIntermediate", SINEW_HUMANOID_LEFT_INDEX_PROXIMAL, SINEW_HUMANOID_RIGHT_INDEX_INTERMEDIATE, false},
    {"leftIndexDistal", SINEW_HUMANOID_LEFT_INDEX_INTERMEDIATE, SINEW_HUMANOID_RIGHT_INDEX_DISTAL, false},
    {"leftMiddleProximal", SINEW_HUMANOID_LEFT_HAND, SINEW_HUMANOID_RIGHT_MIDDLE_PROXIMAL, false},
    {"leftMiddleIntermediate", SINEW_HUMANOID_LEFT_MIDDLE_PROXIMAL, SINEW_HUMANOID_RIGHT_MIDDLE_INTERMEDIATE,
     false},
    {"leftMiddleDistal", SINEW_HUMANOID_LEFT_MIDDLE_INTERMEDIATE, SINEW_HUMANOID_RIGHT_MIDDLE_DISTAL, false},
    {"leftRingProximal", SINEW_HUMANOID_LEFT_HAND, SINEW_HUMANOID_RIGHT_RING_PROXIMAL, false},
    {"leftRingIntermediate", SINEW_HUMANOID_LEFT_RING_PROXIMAL, SINEW_HUMANOID_RIGHT_RING_INTERMEDIATE, false},
    {"leftRingDistal", SINEW_HUMANOID_LEFT_RING_INTERMEDIATE, SINEW_HUMANOID_RIGHT_RING_DISTAL, false},
    {"leftLittleProximal", SINEW_HUMANOID_LEFT_HAND, SINEW_HUMANOID_RIGHT_LITTLE_PROXIMAL, false},
    {"leftLittleIntermediate", SINEW_HUMANOID_LEFT_LITTLE_PROXIMAL, SINEW_HUMANOID_RIGHT_LITTLE_INTERMEDIATE,
     false},
    {"leftLittleDistal", SINEW_HUMANOID_LEFT_LITTLE_INTERMEDIATE, SINEW_HUMANOID_RIGHT_LITTLE_DISTAL, false},
    {"rightThumbMetacarpal", SINEW_HUMANOID_RIGHT_HAND, SINEW_HUMANOID_LEFT_THUMB_METACARPAL, false},
    {"rightThumbProximal", SINEW_HUMANOID_RIGHT_THUMB_METACARPAL, SINEW_HUMANOID_LEFT_THUMB_PROXIMAL, false},
    {"rightThumbDistal", SINEW_HUMANOID_RIGHT_THUMB_PROXIMAL, SINEW_HUMANOID_LEFT_THUMB_DISTAL, false},
    {"rightIndexProximal", SINEW_HUMANOID_RIGHT_HAND, SINEW_HUMANOID_LEFT_INDEX_PROXIMAL, false},
    {"rightIndexIntermediate", SINEW_HUMANOID_RIGHT_INDEX_PROXIMAL, SINEW_HUMANOID_LEFT_INDEX_INTERMEDIATE, false},
    {"rightIndexDistal", SINEW_HUMANOID_RIGHT_INDEX_INTERMEDIATE, SINEW_HUMANOID_LEFT_INDEX_DISTAL, false},
    {"rightMiddleProximal", SINEW_HUMANOID_RIGHT_HAND, SINEW_HUMANOID_LEFT_MIDDLE_PROXIMAL, false},
    {"rightMiddleIntermediate", SINEW_HUMANOID_RIGHT_MIDDLE_PROXIMAL, SINEW_HUMANOID_LEFT_MIDDLE_INTERMEDIATE,
     false},
    {"rightMiddleDistal", SINEW_HUMANOID_RIGHT_MIDDLE_INTERMEDIATE, SINEW_HUMANOID_LEFT_MIDDLE_DISTAL, false},
    {"rightRingProximal", SINEW_HUMANOID_RIGHT_HAND, SINEW_HUMANOID_LEFT_RING_PROXIMAL, false},
    {"rightRingIntermediate", SINEW_HUMANOID_RIGHT_RING_PROXIMAL, SINEW_HUMANOID_LEFT_RING_INTERMEDIATE, false},
    {"rightRingDistal", SINEW_HUMANOID_RIGHT_RING_INTERMEDIATE, SINEW_HUMANOID_LEFT_RING_DISTAL, false},
    {"rightLittleProximal", SINEW_HUMANOID_RIGHT_HAND, SINEW_HUMANOID_LEFT_LITTLE_PROXIMAL, false},
    {"rightLittleIntermediate", SINEW_HUMANOID_RIGHT_LITTLE_PROXIMAL, SINEW_HUMANOID_LEFT_LITTLE_INTERMEDIATE,
     false},
    {"rightLittleDistal", SINEW_HUMANOID_RIGHT_LITTLE_INTERMEDIATE, SINEW_HUMANOID_LEFT_LITTLE_DISTAL, false},
};

static const humanoid_role *humanoid_role_at(int32_t role) {
    assert(role >= 0 && role < SINEW_HUMANOID_ROLE_COUNT && "unknown role");
    return &humanoid_roles[role];
}

sinew_humanoid sinew_humanoid_empty(void) {
    sinew_humanoid humanoid;
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) humanoid.nodes[role] = SINEW_NO_NODE;
    humanoid.source = SINEW_HUMANOID_SOURCE_PROGRAM;
    return humanoid;
}

const char *sinew_humanoid_role_name(int32_t role) {
    return humanoid_role_at(role)->name;
}

int32_t sinew_humanoid_find_role(const char *name) {
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++)
        if (strcmp(humanoid_roles[role].name, name) == 0) return role;
    return SINEW_NO_ROLE;
}

bool sinew_humanoid_is_required(int32_t role) {
    return humanoid_role_at(role)->is_required;
}

int32_t sinew_humanoid_role_parent(int32_t role) {
    return humanoid_role_at(role)->parent;
}

int32_t sinewi_humanoid_role_mirror(int32_t role) {
    return humanoid_role_at(role)->mirror;
}

int32_t sinew_humanoid_node_of(const sinew_humanoid *humanoid, int32_t role) {
    assert(role >= 0 && role < SINEW_HUMANOID_ROLE_COUNT && "unknown role");
    const bool is_chest = role == SINEW_HUMANOID_UPPER_CHEST || role == SINEW_HUMANOID_CHEST;
    while (is_chest && role > SINEW_HUMANOID_SPINE && humanoid->nodes[role] == SINEW_NO_NODE)
        role = sinew_humanoid_role_parent(role);
    return humanoid->nodes[role];
}

int32_t sinew_humanoid_role_of(const sinew_humanoid *humanoid, int32_t node) {
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++)
        if (humanoid->nodes[role] == node && node != SINEW_NO_NODE) return role;
    return SINEW_NO_ROLE;
}
