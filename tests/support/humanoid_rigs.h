// SPDX-License-Identifier: MIT
// Rigs with conventional joint names, for tests of humanoid roles. Each joint has its expected role.
#ifndef HUMANOID_RIGS_H
#define HUMANOID_RIGS_H

#include "support/check.h"

enum { MAX_RIG_NODES = 192 };

typedef struct rig_node {
    char name[48], parent[48];
    int32_t role;    // SINEW_NO_ROLE: none
    sinew_vec3 move; // is added to the translation
} rig_node;

typedef struct rig {
    int32_t count;
    rig_node nodes[MAX_RIG_NODES];
} rig;

// The conventions.
typedef struct rig_convention {
    const char *name;
    // Joints, one per line: name;parent;role. In `limbs`, @ is the side's word, and roles are without "left" or
    // "right".
    const char *trunk, *limbs;
    const char *left, *right; // the sides' words
} rig_convention;

extern const rig_convention rig_conventions[];
extern const int32_t rig_convention_count;

rig rig_of(const rig_convention *convention);

// How to make a skeleton from a rig.
typedef struct rig_variant {
    uint64_t order; // seed for the nodes' order; 0: as listed
    bool turned;    // faces -Z instead of +Z
    bool rotated;   // nodes have rotations
    float scale;
    sinew_up up;
} rig_variant;

// A skeleton in a T-pose. A node's source index is its index in the rig, shuffled; `sources` has it.
sinew_skeleton *rig_skeleton(const rig *r, const rig_variant *variant, int32_t *sources);

int32_t rig_find(const rig *r, const char *name); // fails the test if there isn't one
void rig_remove(rig *r, const char *name);        // moves its children to its parent

#endif
