// SPDX-License-Identifier: MIT
// What the name of a node says: a part of the body and a side.
#ifndef SINEW_HUMANOID_NAME_H
#define SINEW_HUMANOID_NAME_H

#include "retarget/side_word.h"

// A part of the body. ARM, LEG, SHOULDER and HIP_JOINT mean different nodes in different conventions; their position in
// the limb decides.
typedef enum sinew_body_part {
    SINEW_PART_NONE,
    SINEW_PART_HIPS,
    SINEW_PART_SPINE, // any joint between hips and neck
    SINEW_PART_NECK,
    SINEW_PART_HEAD,
    SINEW_PART_JAW,
    SINEW_PART_EYE,
    SINEW_PART_HIP_JOINT, // the hip of a side: the upper leg, or a node above it
    SINEW_PART_UPPER_LEG,
    SINEW_PART_LEG, // the upper or the lower leg
    SINEW_PART_LOWER_LEG,
    SINEW_PART_ANKLE,
    SINEW_PART_FOOT, // the toes, below an ankle
    SINEW_PART_TOES,
    SINEW_PART_COLLAR,
    SINEW_PART_SHOULDER, // the collar bone or the upper arm
    SINEW_PART_UPPER_ARM,
    SINEW_PART_ARM, // the upper or the lower arm
    SINEW_PART_LOWER_ARM,
    SINEW_PART_ELBOW, // the lower arm, named by its joint
    SINEW_PART_WRIST, // the hand, or a node above it
    SINEW_PART_HAND,
    SINEW_PART_THUMB,
    SINEW_PART_INDEX,
    SINEW_PART_MIDDLE,
    SINEW_PART_RING,
    SINEW_PART_LITTLE
} sinew_body_part;

typedef struct sinew_node_name {
    uint8_t part; // sinew_body_part
    uint8_t side; // sinew_body_side; always NONE from HIPS to JAW, never NONE from EYE on
} sinew_node_name;

// Reads a name. PART_NONE for one that is not known, and for helpers: twist joints, targets, controls, ends of chains.
sinew_node_name sinew_humanoid_name_read(const char *name);

#endif
