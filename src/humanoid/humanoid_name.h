// SPDX-License-Identifier: MIT
// What a node's name tells: a body part and a side.
#ifndef SINEWI_HUMANOID_NAME_H
#define SINEWI_HUMANOID_NAME_H

#include "humanoid/humanoid_side.h"

// A body part. ARM, LEG, SHOULDER and HIP_JOINT mean different nodes in different conventions. Their position
// in the limb decides.
typedef enum sinewi_body_part {
    SINEWI_PART_NONE,
    SINEWI_PART_HIPS,
    SINEWI_PART_SPINE, // any joint between hips and neck
    SINEWI_PART_NECK,
    SINEWI_PART_HEAD,
    SINEWI_PART_JAW,
    SINEWI_PART_EYE,
    SINEWI_PART_HIP_JOINT, // the hip on one side: the upper leg, or a node above it
    SINEWI_PART_UPPER_LEG,
    SINEWI_PART_LEG, // the upper or the lower leg
    SINEWI_PART_LOWER_LEG,
    SINEWI_PART_ANKLE,
    SINEWI_PART_FOOT, // the toes if below an ankle
    SINEWI_PART_TOES,
    SINEWI_PART_COLLAR,
    SINEWI_PART_SHOULDER, // the collar bone or the upper arm
    SINEWI_PART_UPPER_ARM,
    SINEWI_PART_ARM, // the upper or the lower arm
    SINEWI_PART_LOWER_ARM,
    SINEWI_PART_ELBOW, // the lower arm, named after its joint
    SINEWI_PART_WRIST, // the hand, or a node above it
    SINEWI_PART_HAND,
    SINEWI_PART_THUMB,
    SINEWI_PART_INDEX,
    SINEWI_PART_MIDDLE,
    SINEWI_PART_RING,
    SINEWI_PART_LITTLE
} sinewi_body_part;

typedef struct sinewi_node_name {
    uint8_t part; // sinewi_body_part
    uint8_t side; // sinewi_body_side; always NONE from HIPS to JAW, never NONE from EYE on
} sinewi_node_name;

// Reads a name. The part is SINEWI_PART_NONE if it isn't known, and for helpers: twist joints, targets,
// controls, chain ends.
sinewi_node_name sinewi_humanoid_name_read(const char *name);

// The role on the other side: leftHand for rightHand. A role without a side mirrors to itself.
int32_t sinewi_humanoid_role_mirror(int32_t role);

#endif
