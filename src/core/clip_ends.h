// SPDX-License-Identifier: MIT
// The exact ends of clips whose keys are rounded.
//
// Root motion adds up the displacement from a clip's first key to its last, loop after loop. Rounding it by a tenth of a
// millimetre would leave a character half a metre off after an hour and a half. So a clip that is compressed or
// has 16-bit keys also keeps the ends of the channels that move a character as they were.
#ifndef SINEWI_CLIP_ENDS_H
#define SINEWI_CLIP_ENDS_H

#include <sinew/clip.h>

#include "base/memory.h"
#include "kernels/layout.h"

// Finds the ends of a clip with float keys: of the translations and rotations that move, below no other that does.
// Returns an array in scratch memory, or NULL if there isn't any.
sinewi_exact_end *sinewi_clip_find_ends(const sinew_clip *exact, sinewi_arena *scratch, int32_t *count);

// Samples a node at the start of a clip and at its end, with exact ends.
void sinewi_clip_sample_ends(const sinew_clip *clip, int32_t node, sinew_transform *first, sinew_transform *last);

// Replaces the first and the last of the keys that were read from a channel by exact ends.
void sinewi_clip_restore_ends(const sinew_clip *clip, const sinew_channel *channel, float *values);

#endif
