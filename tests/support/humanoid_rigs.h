// SPDX-License-Identifier: MIT
// Rigs with the joint names of conventions, for tests of humanoid roles: each joint with the role that it has to get.
#ifndef HUMANOID_RIGS_H
#define HUMANOID_RIGS_H

#include "support/check.h"

enum { MAX_RIG_NODES = 192 };

typedef struct rig_node {
    char name[48], parent[48];
    int32_t role;    // SINEW_NO_ROLE: none
    sinew_vec3 move; // added to the translation
} rig_node;

typedef struct rig {
    int32_t count;
    rig_node nodes[MAX_RIG_NODES];
} rig;

// The conventions.
typedef struct rig_convention {
    const char *name;
    // Joints, one a line: name;parent;role. In `limbs` @ is the side's word, and a role is that of both sides without its
    // "left" or "right".
    const char *trunk, *limbs;
    const char *left, *right; // the words of the sides
} rig_convention;

extern const rig_convention rig_conventions[];
extern const int32_t rig_convention_count;

rig rig_of(const rig_convention *convention);

// How a rig is made into a skeleton.
typedef struct rig_variant {
    uint64_t order; // seed of the order of the nodes; 0: as listed
    bool turned;    // faces -Z instead of +Z
    bool rotated;   // nodes have rotations
    float scale;
    sinew_up up;
} rig_variant;

// A skeleton in a T-pose. The source index of a node is its index in the rig, shuffled: `sources` has it.
sinew_skeleton *rig_skeleton(const rig *r, const rig_variant *variant, int32_t *sources);

int32_t rig_find(const rig *r, const char *name); // fails the test if there is none
void rig_remove(rig *r, const char *name);        // its children become its parent's

#endif
