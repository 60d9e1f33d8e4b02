// Inertialization: what the pose shown and the one that takes over differ by at the moment of a transition, dying
// away while the new one plays on. Kernels add it to a pose: see kernels/kernels.h.
#ifndef SINEW_OFFSETS_H
#define SINEW_OFFSETS_H

#include "pose/block.h"

// What one mix shows and another one takes over from, in a block of nodes or of morph weights: the old one now and
// `dt` seconds, more than 0, earlier, and the new one now and so much later. Each looks away from the moment of the
// transition: a clip that starts there has no way behind it.
typedef struct sinew_block_change {
    sinew_block source, source_before, target, target_after;
} sinew_block_change;

typedef struct sinew_weight_change {
    float source[SINEW_LANES], source_before[SINEW_LANES], target[SINEW_LANES], target_after[SINEW_LANES];
} sinew_weight_change;

// Starts a transition of `duration` seconds, more than 0: added to the new mix and to its way, the offsets start with
// the old one and its way. It may start in the middle of another one: the source is what was shown, offsets and all.
//
// What jumped between the two times must not be taken for a speed: the speed of an offset is limited, so that what it
// adds on its way stays within a quarter turn, half of a node's scale, and half a morph weight. For translations there
// is no such measure.
void sinew_offset_block_begin(sinew_offset_block *offsets, const sinew_block_change *change, float dt,
                              float duration);
void sinew_weight_offset_block_begin(sinew_weight_offset_block *offsets, const sinew_weight_change *change,
                                     float dt, float duration);

#endif
