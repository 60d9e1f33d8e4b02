// An animation texture behind its public face, shared by the files that make it and that read it.
#ifndef SINEW_BAKE_OBJECT_H
#define SINEW_BAKE_OBJECT_H

#include <sinew/bake.h>

// Rows of a joint in a frame.
#define SINEW_BAKE_ROWS 3

typedef struct sinew_bake_object {
    sinew_bake bake;
    const sinew_box *boxes; // [joint_count], in the mesh's space, around the vertices that each joint moves
    sinew_allocator allocator;
    size_t size; // of the object, which is one block
} sinew_bake_object;

// Where in its clip a track is.
typedef struct sinew_bake_place {
    float time;    // [0, duration]
    bool backward; // on the way back of a loop that goes there and back
} sinew_bake_place;

sinew_bake_place sinew_bake_place_of(const sinew_bake *bake, const sinew_bake_track *track);

// How much of its second track a state shows, 0 to 1.
float sinew_bake_blend_of(const sinew_bake_state *state);

#endif
