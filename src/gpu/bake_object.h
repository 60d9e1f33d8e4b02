// SPDX-License-Identifier: MIT
// The full object behind an animation texture, and functions that this folder's files share.
#ifndef SINEWI_BAKE_OBJECT_H
#define SINEWI_BAKE_OBJECT_H

#include <sinew/gpu/bake.h>

#define SINEWI_BAKE_ROWS 3 // texels per joint and frame

typedef struct sinewi_bake_object {
    sinew_bake bake;
    const sinew_box *boxes; // [joint_count], bounds of the vertices that each joint or node moves, in mesh space
    sinew_allocator allocator;
    size_t size; // bytes of the object, which is one block
} sinewi_bake_object;

// Number of the skin's joints. The nodes follow them.
static inline int32_t sinewi_bake_skin_joints(const sinew_bake *bake) {
    return bake->joint_count - bake->node_count;
}

// The skeleton node of a texture's joint.
static inline int32_t sinewi_bake_node(const sinew_bake *bake, int32_t joint) {
    int32_t index = joint - sinewi_bake_skin_joints(bake);
    return index < 0 ? bake->asset->skins[bake->skin].joints[joint] : bake->nodes[index];
}

// A track's time in its clip.
typedef struct sinewi_bake_time {
    float time;    // [0, duration]
    bool backward; // true in the second half of SINEW_LOOP_PING_PONG
} sinewi_bake_time;

sinewi_bake_time sinewi_bake_track_time(const sinew_bake *bake, const sinew_bake_track *track);

// Weight of a state's second track, 0 to 1.
float sinewi_bake_blend(const sinew_bake_state *state);

#endif
