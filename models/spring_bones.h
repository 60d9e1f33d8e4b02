// SPDX-License-Identifier: MIT
// spring_bones.h - VRMC_springBone 1.0: chains of joints that sway, and what they collide with.
#ifndef MODELS_SPRING_BONES_H
#define MODELS_SPRING_BONES_H

#include "body.h"

/// A sphere, or a capsule if `offset` and `tail` differ, in the space of a joint.
typedef struct spring_collider {
    const char *joint;
    enum side side;
    vec3 offset, tail;
    double radius;
} spring_collider;

/// The colliders `first` to `first` + `count` - 1.
typedef struct spring_group {
    const char *name;
    int first, count;
} spring_group;

/// A chain of the joints `joint`1 to `joint``count`. The last one is the tail of the one before and does not rotate.
typedef struct spring_bone {
    const char *name, *joint;
    enum side side;
    int count;
    double radius, stiffness, gravity, drag;
    const char *groups; ///< a JSON array of indices, or NULL
} spring_bone;

typedef struct spring_bones {
    const spring_collider *colliders;
    const spring_group *groups;
    const spring_bone *bones;
    int collider_count, group_count, bone_count;
} spring_bones;

/// Adds the extension to the document. `nodes` are those of the rig's joints.
void spring_bones_add(glb *g, const spring_bones *s, const rig *r, const int *nodes);

#endif
