// An animation texture behind its public face, shared by the files that make it and that read it.
#ifndef SINEW_BAKE_OBJECT_H
#define SINEW_BAKE_OBJECT_H

#include <sinew/bake.h>

// Rows of a joint in a frame.
#define SINEW_BAKE_ROWS 3

typedef struct sinew_bake_object {
    sinew_bake bake;
    const sinew_box *boxes; // [joint_count], in the mesh's space, around the vertices that each joint or node moves
    sinew_allocator allocator;
    size_t size; // of the object, which is one block
} sinew_bake_object;

// Joints of the skin, which come before nodes.
static inline int32_t sinew_bake_skin_joints(const sinew_bake *bake) {
    return bake->joint_count - bake->node_count;
}

// The node of the skeleton that a joint of the texture is.
static inline int32_t sinew_bake_node(const sinew_bake *bake, int32_t joint) {
    int32_t behind = joint - sinew_bake_skin_joints(bake);
    return behind < 0 ? bake->asset->skins[bake->skin].joints[joint] : bake->nodes[behind];
}

// Where in its clip a track is.
typedef struct sinew_bake_place {
    float time;    // [0, duration]
    bool backward; // on the way back of a loop that goes there and back
} sinew_bake_place;

sinew_bake_place sinew_bake_place_of(const sinew_bake *bake, const sinew_bake_track *track);

// How much of its second track a state shows, 0 to 1.
float sinew_bake_blend_of(const sinew_bake_state *state);

#endif
