// Inertialization: what the pose shown and the one that takes over differ by at the moment of a transition, dying
// away while the new one plays on. Kernels add it to a pose: see kernels/kernels.h.
#ifndef SINEW_OFFSETS_H
#define SINEW_OFFSETS_H

#include "anim/block.h"

// Where the offsets lie: arrays of floats alone, side by side, to be copied with what they are laid out in.
typedef struct sinew_offsets {
    sinew_offset_block *nodes;          // [blocks of nodes]
    sinew_weight_offset_block *weights; // [blocks of morph weights]
} sinew_offsets;

// Places the arrays; they are valid once the layout has a base. All bytes 0 are no offsets.
void sinew_offsets_lay_out(sinew_layout *layout, const sinew_skeleton *skeleton, sinew_offsets *offsets);

// Starts a transition of `duration` seconds, more than 0, from one pose to another, all of one skeleton: t = 0 is
// where the two are `source` and `target`. `source_before` and `target_before` are where they were `dt_before`
// seconds, more than 0, earlier: added to the target and to its way, the offsets start with the source and its way.
// Both may be NULL: the offsets start at rest.
//
// A transition may start in the middle of another one: the source is the pose that was shown, offsets and all.
//
// What jumped between the two times must not be taken for a speed: the speed of an offset is limited, so that what it
// adds on its way stays within a quarter turn, half of a node's scale, and half a morph weight. For translations there
// is no such measure.
void sinew_offsets_begin(const sinew_offsets *offsets, const sinew_pose *source, const sinew_pose *source_before,
                         const sinew_pose *target, const sinew_pose *target_before, float dt_before,
                         float duration);

#endif
